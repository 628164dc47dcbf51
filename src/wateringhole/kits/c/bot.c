// A starter bot: it plays one game in the dialect `native`, one JSON object a line.
//
// ./bot                        speaks on standard input and output
// ./bot localhost 45678 Ann    plays at a server, under the name Ann
//
// The strategy is in `choose` and `feed`: change them. What is below them only carries messages, and reads and writes
// JSON, for which C has no library of its own. Values need not be freed: all of them go when the message is answered.

#define _POSIX_C_SOURCE 200809L // for sockets and getline

#include <ctype.h>
#include <netdb.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// A JSON value, and what can be done with it. What is not there reads as null, and null reads as 0, as "" and as an
// empty array, so that looking for something never fails.
typedef struct json json;

static json *get(const json *object, const char *name); // the part of an object that has this name
static json *at(const json *array, int place);          // the item of an array at this place
static int size(const json *array);
static int number(const json *value);
static const char *text(const json *value);
static bool is(const json *value, const char *word); // whether it is this text

static json *new_object(void);
static json *new_array(void);
static json *new_number(int number);
static json *new_text(const char *text);
static void put(json *object, const char *name, json *part);
static void add(json *array, json *item);

static void *allocate(size_t bytes); // memory that goes when the message is answered

static const char NAME[] = "c starter";

// The traits that a new board should bear, the best ones first.
static const char *const FAVOURITES[] = {
    "long-neck",
    "foraging",
    "cooperation",
    "scavenger",
    "fertile",
    "carnivore",
    "climbing",
    "hard-shell",
    "burrowing",
    "herding",
    "symbiosis",
    "horns",
    "warning-call",
};
enum { MAX_TRAITS = 3, MAX_POPULATION = 7, COUNT_OF_FAVOURITES = sizeof FAVOURITES / sizeof *FAVOURITES };

static int food_of(const json *hand, int card);
static int bearing(const char *trait, const json *hand, const int *spare, int spares);
static int take(int *list, int *count, int place);

// How to use the cards. Cards and boards are named by their place, counted from 0; a card can be used once.
static json *choose(const json *request)
{
    const json *hand = get(get(request, "me"), "hand"); // each card is [food, trait]
    const json *old_boards = get(get(request, "me"), "boards");
    int boards = size(old_boards);
    int *populations = allocate(((size_t)boards + 1) * sizeof *populations);
    for (int board = 0; board < boards; board++)
        populations[board] = number(get(at(old_boards, board), "population"));

    // The watering hole gets the card with the most food.
    int food = 0;
    for (int card = 1; card < size(hand); card++)
        if (food_of(hand, card) > food_of(hand, food))
            food = card;
    int *spare = allocate((size_t)size(hand) * sizeof *spare);
    int spares = 0;
    for (int card = 0; card < size(hand); card++)
        if (card != food)
            spare[spares++] = card;

    // One card pays for a new board, and its traits are our favourites among the others. Each favourite is taken once,
    // so no trait is twice on the board.
    json *new_boards = new_array();
    if (spares >= 3) {
        json *traits = new_array();
        for (int favourite = 0; favourite < COUNT_OF_FAVOURITES; favourite++) {
            int place = bearing(FAVOURITES[favourite], hand, spare, spares);
            if (place >= 0 && size(traits) < MAX_TRAITS && spares > 1)
                add(traits, new_number(take(spare, &spares, place)));
        }
        json *board = new_object();
        put(board, "pay", new_number(take(spare, &spares, 0)));
        put(board, "traits", traits);
        add(new_boards, board);
        populations[boards++] = 1; // a new board counts on behind the old ones
    }

    // Every other card buys an animal for the board that has the fewest.
    json *growths = new_array();
    for (int card = 0; card < spares && boards > 0; card++) {
        int smallest = 0;
        for (int board = 1; board < boards; board++)
            if (populations[board] < populations[smallest])
                smallest = board;
        if (populations[smallest] < MAX_POPULATION) {
            json *growth = new_object();
            put(growth, "board", new_number(smallest));
            put(growth, "card", new_number(spare[card]));
            add(growths, growth);
            populations[smallest]++;
        }
    }

    json *play = new_object();
    put(play, "move", new_text("play"));
    put(play, "food", new_number(food));
    put(play, "population", growths);
    put(play, "boards", new_boards);
    return play;
}

// What to feed next: graze if possible, else attack, else store fat. Every option can be sent back as it is.
static json *feed(const json *request)
{
    const char *const moves[] = {"graze", "attack", "store"};
    const json *options = get(request, "options");
    for (int move = 0; move < 3; move++)
        for (int option = 0; option < size(options); option++)
            if (is(get(at(options, option), "move"), moves[move]))
                return at(options, option);
    json *decline = new_object();
    put(decline, "move", new_text("decline"));
    return decline;
}

static int food_of(const json *hand, int card)
{
    return number(at(at(hand, card), 0));
}

// The place in `spare` of the first card with this trait, or -1.
static int bearing(const char *trait, const json *hand, const int *spare, int spares)
{
    for (int place = 0; place < spares; place++)
        if (is(at(at(hand, spare[place]), 1), trait))
            return place;
    return -1;
}

// What lies at this place of a list, which is then one shorter.
static int take(int *list, int *count, int place)
{
    int taken = list[place];
    --*count;
    memmove(list + place, list + place + 1, (size_t)(*count - place) * sizeof *list);
    return taken;
}

// Plumbing

enum kind { NOTHING, WORD, NUMBER, TEXT, ARRAY, OBJECT };

struct json {
    enum kind kind;
    double number;
    const char *text;   // of a text; true or false of a word
    int count, room;    // of an array or object
    json **parts;
    const char **names; // of an object
};

static _Noreturn void fail(const char *what, const char *why, int code)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(code);
}

// Memory: every block is in one chain, which is freed when a message is answered.

static struct block {
    struct block *next;
    max_align_t bytes[];
} *blocks;

static void *allocate(size_t bytes)
{
    struct block *block = calloc(1, sizeof *block + bytes);
    if (!block)
        fail("no memory", "a message is too large", 1);
    block->next = blocks;
    blocks = block;
    return block->bytes;
}

static void free_all(void)
{
    while (blocks) {
        struct block *block = blocks;
        blocks = block->next;
        free(block);
    }
}

// Values

static json *new_value(enum kind kind)
{
    json *value = allocate(sizeof *value);
    value->kind = kind;
    return value;
}

static json *new_object(void)
{
    return new_value(OBJECT);
}

static json *new_array(void)
{
    return new_value(ARRAY);
}

static json *new_number(int number)
{
    json *value = new_value(NUMBER);
    value->number = number;
    return value;
}

static json *new_text(const char *text)
{
    json *value = new_value(TEXT);
    value->text = text;
    return value;
}

static void put(json *object, const char *name, json *part)
{
    if (object->count == object->room) {
        int room = object->room ? 2 * object->room : 8;
        json **parts = allocate((size_t)room * sizeof *parts);
        const char **names = allocate((size_t)room * sizeof *names);
        for (int place = 0; place < object->count; place++) {
            parts[place] = object->parts[place];
            names[place] = object->names[place];
        }
        object->parts = parts;
        object->names = names;
        object->room = room;
    }
    object->parts[object->count] = part;
    object->names[object->count++] = name;
}

static void add(json *array, json *item)
{
    put(array, "", item);
}

static json *get(const json *object, const char *name)
{
    if (object->kind == OBJECT)
        for (int place = object->count - 1; place >= 0; place--) // of two that have one name the later counts
            if (strcmp(object->names[place], name) == 0)
                return object->parts[place];
    return new_value(NOTHING);
}

static json *at(const json *array, int place)
{
    return place >= 0 && place < size(array) ? array->parts[place] : new_value(NOTHING);
}

static int size(const json *array)
{
    return array->kind == ARRAY ? array->count : 0;
}

static int number(const json *value)
{
    bool fits = value->kind == NUMBER && value->number > -1e9 && value->number < 1e9;
    return fits ? (int)value->number : 0;
}

static const char *text(const json *value)
{
    return value->kind == TEXT ? value->text : "";
}

static bool is(const json *value, const char *word)
{
    return value->kind == TEXT && strcmp(value->text, word) == 0;
}

// Reading JSON. Each function takes a place in the line and moves it on behind what it has read.

enum { DEEPEST = 64 }; // the server's messages nest up to 9 deep

static json *read_value(const char **line, int depth);

static _Noreturn void no_json(const char *place)
{
    size_t length = strcspn(place, "\r\n");
    if (length == 0)
        fail("no JSON", "the line ends too early", 1);
    fprintf(stderr, "no JSON: %.*s\n", length < 60 ? (int)length : 60, place);
    exit(1);
}

static char next_sign(const char **line)
{
    *line += strspn(*line, " \t\r\n");
    return **line;
}

static void skip(const char **line, char sign)
{
    if (next_sign(line) != sign)
        no_json(*line);
    ++*line;
}

static unsigned read_hex(const char **line)
{
    unsigned code = 0;
    for (int digit = 0; digit < 4; digit++, ++*line) {
        if (!isxdigit((unsigned char)**line))
            no_json(*line);
        char one[] = {**line, '\0'};
        code = 16 * code + (unsigned)strtoul(one, NULL, 16);
    }
    return code;
}

// Writes the UTF-8 of a \u escape, whose u is read already; at most 4 bytes for the 6 or 12 that it takes in the line.
static char *read_unicode(const char **line, char *end)
{
    unsigned code = read_hex(line);
    if (code >= 0xD800 && code < 0xDC00 && (*line)[0] == '\\' && (*line)[1] == 'u') {
        *line += 2;
        code = 0x10000 + ((code - 0xD800) << 10) + ((read_hex(line) - 0xDC00) & 0x3FF);
    }
    if (code < 0x80) {
        *end++ = (char)code;
        return end;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3; // how many bytes follow the first
    const unsigned first[] = {0, 0xC0, 0xE0, 0xF0};
    *end++ = (char)(first[more] | code >> 6 * more);
    while (more-- > 0)
        *end++ = (char)(0x80 | (code >> 6 * more & 0x3F));
    return end;
}

static const char *read_text(const char **line)
{
    skip(line, '"');
    size_t longest = 0; // no escape is shorter than what it stands for
    while ((*line)[longest] && (*line)[longest] != '"')
        longest += (*line)[longest] == '\\' && (*line)[longest + 1] ? 2 : 1;
    char *text = allocate(longest + 1), *end = text;
    while (**line && **line != '"') {
        char sign = *(*line)++;
        if (sign != '\\') {
            *end++ = sign;
            continue;
        }
        sign = **line;
        if (!sign)
            break;
        ++*line;
        const char *letter = strchr("b\bf\fn\nr\rt\t", sign);
        if (sign == 'u')
            end = read_unicode(line, end);
        else
            *end++ = letter ? letter[1] : sign;
    }
    if (**line != '"')
        no_json(*line);
    ++*line;
    return text;
}

static json *read_parts(const char **line, json *whole, char close, int depth)
{
    if (depth == DEEPEST)
        no_json(*line);
    ++*line;
    while (next_sign(line) != close) {
        if (whole->count > 0)
            skip(line, ',');
        const char *name = "";
        if (whole->kind == OBJECT) {
            next_sign(line);
            name = read_text(line);
            skip(line, ':');
        }
        put(whole, name, read_value(line, depth + 1));
    }
    ++*line;
    return whole;
}

static json *read_number(const char **line)
{
    size_t length = strspn(*line, "+-.0123456789eE"); // strtod would take more, such as inf
    char *end = NULL;
    json *value = new_value(NUMBER);
    value->number = strtod(*line, &end);
    if (length == 0 || end != *line + length)
        no_json(*line);
    *line = end;
    return value;
}

static json *read_value(const char **line, int depth)
{
    const char *const words[] = {"null", "true", "false"};
    switch (next_sign(line)) {
    case '{':
        return read_parts(line, new_object(), '}', depth);
    case '[':
        return read_parts(line, new_array(), ']', depth);
    case '"':
        return new_text(read_text(line));
    }
    for (int word = 0; word < 3; word++) {
        size_t length = strlen(words[word]);
        if (strncmp(*line, words[word], length) == 0) {
            *line += length;
            json *value = new_value(word == 0 ? NOTHING : WORD);
            value->text = words[word];
            return value;
        }
    }
    return read_number(line);
}

static json *read_line(const char *line)
{
    json *value = read_value(&line, 0);
    if (next_sign(&line))
        no_json(line);
    return value;
}

// Writing JSON

static void write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(out, "\\u%04x", *text);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

static void write_value(FILE *out, const json *value)
{
    switch (value->kind) {
    case NOTHING:
        fputs("null", out);
        break;
    case WORD:
        fputs(value->text, out);
        break;
    case NUMBER:
        fprintf(out, "%.15g", value->number); // 1 and not 1.0, which the server would not take for a place
        break;
    case TEXT:
        write_text(out, value->text);
        break;
    case ARRAY:
    case OBJECT:
        fputc(value->kind == ARRAY ? '[' : '{', out);
        for (int place = 0; place < value->count; place++) {
            if (place > 0)
                fputc(',', out);
            if (value->kind == OBJECT) {
                write_text(out, value->names[place]);
                fputc(':', out);
            }
            write_value(out, value->parts[place]);
        }
        fputc(value->kind == ARRAY ? ']' : '}', out);
    }
}

// The conversation

static void say(FILE *out, const json *message)
{
    write_value(out, message);
    fputc('\n', out);
    if (fflush(out) != 0)
        fail("no connection", "the other side does not listen any more", 1);
}

static void answer(FILE *out, const json *request, json *move)
{
    json *message = new_object();
    put(message, "id", get(request, "id"));
    put(message, "answer", move);
    say(out, message);
}

// Sign up, then answer every request until the game is over.
static void play(FILE *in, FILE *out, const char *name)
{
    json *sign_up = new_object();
    put(sign_up, "wateringhole", new_number(1));
    put(sign_up, "name", new_text(name));
    say(out, sign_up);

    char *line = NULL;
    size_t room = 0;
    bool over = false;
    while (!over && getline(&line, &room, in) != -1) {
        const json *message = read_line(line);
        const json *type = get(message, "type");
        if (is(type, "choose"))
            answer(out, message, choose(message));
        else if (is(type, "feed"))
            answer(out, message, feed(message));
        else if (is(type, "expelled") || is(type, "refused"))
            fail(text(type), text(get(message, "text")), 1);
        else if (is(type, "over"))
            over = true;
        // Every other message only tells something; later versions may have more of them.
        free_all();
    }
    if (!over && ferror(in))
        fail("no connection", "it broke", 1);
    free(line);
}

static int connected(const char *host, const char *port)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
    int wrong = getaddrinfo(host, port, &hints, &found);
    if (wrong)
        fail("no connection", gai_strerror(wrong), 1);
    int line = -1;
    for (struct addrinfo *address = found; address && line < 0; address = address->ai_next) {
        line = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
        if (line >= 0 && connect(line, address->ai_addr, address->ai_addrlen) != 0) {
            close(line);
            line = -1;
        }
    }
    freeaddrinfo(found);
    if (line < 0)
        fail("no connection", "no server listens there", 1);
    return line;
}

static bool is_port(const char *word)
{
    size_t digits = strspn(word, "0123456789");
    return digits > 0 && !word[digits] && strtoul(word, NULL, 10) <= 65535;
}

int main(int count, char **words)
{
    bool remote = count == 3 || count == 4;
    if (count != 1 && !(remote && is_port(words[2])))
        fail("usage", "./bot [HOST PORT [NAME]]", 2);
    signal(SIGPIPE, SIG_IGN); // a broken line is noticed when something is said
    const char *name = count == 4 ? words[3] : NAME;
    if (!remote) {
        play(stdin, stdout, name);
        return 0;
    }
    int line = connected(words[1], words[2]);
    FILE *in = fdopen(line, "r"), *out = fdopen(dup(line), "w");
    if (!in || !out)
        fail("no connection", "no memory for it", 1);
    play(in, out, name);
    fclose(in);
    fclose(out);
    return 0;
}
