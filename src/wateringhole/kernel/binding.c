/* The kernel for Python: `_kernel.FlatGames`, whose stub is _kernel.pyi. Numbers from outside are checked here, so that
 * no call leads outside an array. Moves and positions are lists of numbers, as packed.py and positions.py write them.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "kernel.h"
#include "network.h"
#include "network_binding.h"

#include <stdlib.h>
#include <string.h>

enum { SEATS = 16, MAX_GAMES = 1 << 20 }; /* packed.SEATS: kinds are multiples of it */

typedef struct {
    PyObject_HEAD
    Py_ssize_t count;
    Game *games;
    Draft *drafts; /* one for each game */
    Network network; /* of policies; without numbers until there is one */
    Py_buffer weights;
} FlatGames;

/* ---- cards, which exist once each and are known by their address ---- */

enum { CARD_SLOTS = 512 };
static PyObject *known_cards[CARD_SLOTS];
static uint8_t known_orders[CARD_SLOTS];

static unsigned card_slot(const PyObject *card)
{
    unsigned slot = (unsigned)((uintptr_t)card >> 4) * 2654435761u >> 23;
    while (known_cards[slot] && known_cards[slot] != card)
        slot = (slot + 1) % CARD_SLOTS;
    return slot;
}

static PyObject *know_cards(PyObject *Py_UNUSED(module), PyObject *deck)
{
    if (!PyTuple_Check(deck) || PyTuple_GET_SIZE(deck) != MAX_CARDS)
        return PyErr_Format(PyExc_ValueError, "the sorted deck is a tuple of %d cards", MAX_CARDS);
    for (int slot = 0; slot < CARD_SLOTS; slot++)
        Py_CLEAR(known_cards[slot]);
    for (int order = 0; order < MAX_CARDS; order++) {
        PyObject *card = PyTuple_GET_ITEM(deck, order);
        unsigned slot = card_slot(card);
        if (!known_cards[slot]) {
            Py_INCREF(card);
            known_cards[slot] = card;
        }
        known_orders[slot] = (uint8_t)order;
    }
    Py_RETURN_NONE;
}

/* ---- numbers from outside ---- */

static bool number_in(PyObject *object, long low, long high, const char *what, long *found)
{
    int overflow = 0;
    if (!PyLong_Check(object)) { /* nor anything that would run Python code to become a number */
        PyErr_Format(PyExc_TypeError, "%s is %.80R, not a number", what, object);
        return false;
    }
    long number = PyLong_AsLongAndOverflow(object, &overflow);
    if (overflow || number < low || number > high) {
        PyErr_Format(PyExc_ValueError, "%s is %R, not from %ld to %ld", what, object, low, high);
        return false;
    }
    *found = number;
    return true;
}

typedef struct { /* a list of numbers, and how far it is read; `failed` once a Python exception is set */
    PyObject *list;
    Py_ssize_t at;
    bool failed;
} Reader;

static bool reader_of(PyObject *list, Reader *reader)
{
    if (!PyList_Check(list)) {
        PyErr_Format(PyExc_TypeError, "a list of numbers is wanted, not %.80R", list);
        return false;
    }
    *reader = (Reader){list, 0, false};
    return true;
}

static long read_number(Reader *reader, long low, long high, const char *what)
{
    long found = low;
    if (reader->failed)
        return low;
    if (reader->at >= PyList_GET_SIZE(reader->list)) {
        PyErr_Format(PyExc_ValueError, "the numbers end before %s", what);
        reader->failed = true;
        return low;
    }
    reader->failed = !number_in(PyList_GET_ITEM(reader->list, reader->at++), low, high, what, &found);
    return found;
}

/* As a byte: no board, slot or card has a number of 255 or above, so the rules refuse all of those alike. */
static uint8_t read_clamped(Reader *reader, const char *what)
{
    long number = read_number(reader, 0, 0x7fffffff, what);
    return (uint8_t)(number < 255 ? number : 255);
}

static bool read_end(Reader *reader)
{
    if (!reader->failed && reader->at < PyList_GET_SIZE(reader->list)) {
        PyErr_SetString(PyExc_ValueError, "there are more numbers than a game or a move has");
        reader->failed = true;
    }
    return !reader->failed;
}

/* A card play. One that names more cards than there are would not fit, and is no play. */
static bool read_play(Reader *reader, uint8_t *play)
{
    int cards = 1;
    *play++ = read_clamped(reader, "the food card");
    for (int part = 0; part < 4; part++) { /* population, body, boards, replacements */
        long count = read_number(reader, 0, MAX_CARDS, "the number of uses");
        *play++ = (uint8_t)count;
        for (; count && !reader->failed; count--) {
            long traits = 0;
            cards++;
            if (part == 2) {
                *play++ = read_clamped(reader, "a payment");
                traits = read_number(reader, 0, MAX_TRAITS, "the number of traits");
                *play++ = (uint8_t)traits;
                cards += (int)traits;
            }
            if (!reader->failed && cards > MAX_CARDS) {
                PyErr_SetString(PyExc_ValueError, "the play names more cards than there are");
                reader->failed = true;
                return false;
            }
            for (long left = part == 2 ? traits : part == 3 ? 3 : 2; left; left--)
                *play++ = read_clamped(reader, "a board, a slot or a card");
        }
    }
    return !reader->failed;
}

static bool append(PyObject *list, long number)
{
    PyObject *object = PyLong_FromLong(number);
    if (!object)
        return false;
    int failed = PyList_Append(list, object);
    Py_DECREF(object);
    return !failed;
}

static bool append_bytes(PyObject *list, const uint8_t *bytes, int count)
{
    for (int at = 0; at < count; at++)
        if (!append(list, bytes[at]))
            return false;
    return true;
}

static Game *game_at(FlatGames *self, PyObject *number)
{
    long at;
    if (!number_in(number, 0, (long)self->count - 1, "the game", &at))
        return NULL;
    return &self->games[at];
}

static bool has_arguments(Py_ssize_t given, Py_ssize_t wanted)
{
    if (given != wanted)
        PyErr_Format(PyExc_TypeError, "%zd arguments, not %zd", given, wanted);
    return given == wanted;
}

/* ---- policies ---- */

typedef struct { /* the policy of each seat, and the buffers that it leads to */
    Policy policies[MAX_PLAYERS];
    int seats;
    Py_buffer table, tastes, dice;
} Table;

static void close_table(Table *table)
{
    PyBuffer_Release(&table->table);
    PyBuffer_Release(&table->tastes);
    PyBuffer_Release(&table->dice);
}

/* `table` has a kind and the number of its taste or its dice for each seat. */
static bool fill_table(const FlatGames *self, Table *table)
{
    const uint8_t *rows = table->table.buf;
    Py_ssize_t tastes = table->tastes.len / (Py_ssize_t)(TASTE * sizeof(double));
    Py_ssize_t dice = table->dice.len / (Py_ssize_t)(DICE * sizeof(uint32_t));
    table->seats = (int)(table->table.len / 2);
    if (table->table.len % 2 || table->seats > MAX_PLAYERS)
        return false;
    if ((tastes && (uintptr_t)table->tastes.buf % _Alignof(double)) ||
        (dice && (uintptr_t)table->dice.buf % _Alignof(uint32_t)))
        return false;
    for (int seat = 0; seat < table->seats; seat++) {
        int kind = rows[2 * seat], number = rows[2 * seat + 1];
        Policy *policy = &table->policies[seat];
        *policy = (Policy){kind, NULL, NULL, &self->network};
        if (kind == RASH) {
            if (number >= dice)
                return false;
            policy->dice = (uint32_t *)table->dice.buf + number * DICE;
            if (policy->dice[DICE - 1] > DICE - 1)
                return false;
        } else if (kind == GREEDY) {
            if (number >= tastes)
                return false;
            policy->taste = (const double *)table->tastes.buf + number * TASTE;
            if (!(policy->taste[NEW_BOARDS] >= 0 && policy->taste[NEW_BOARDS] <= MAX_CARDS))
                return false;
        } else if (kind == NETWORK ? !self->network.numbers : kind != SILLY && kind != LEARNER) {
            return false;
        }
    }
    return true;
}

static bool open_table(const FlatGames *self, PyObject *const *arguments, Table *table)
{
    memset(table, 0, sizeof *table);
    if (!PyObject_GetBuffer(arguments[0], &table->table, PyBUF_SIMPLE) &&
        !PyObject_GetBuffer(arguments[1], &table->tastes, PyBUF_SIMPLE) &&
        !PyObject_GetBuffer(arguments[2], &table->dice, PyBUF_WRITABLE)) {
        if (fill_table(self, table))
            return true;
        PyErr_SetString(PyExc_ValueError, "the table of policies is none that policy.py makes");
    }
    close_table(table);
    return false;
}

/* Whether each player has a policy; a learner only where actions come in. */
static bool seats_covered(const Game *g, const Table *table, bool learners)
{
    for (int at = 0; at < g->players; at++) {
        int seat = g->row[at];
        if (seat >= table->seats || (table->policies[seat].kind == LEARNER && !learners)) {
            PyErr_Format(PyExc_ValueError, "seat %d plays, but has no policy", seat + 1);
            return false;
        }
    }
    return true;
}

/* ---- methods ---- */

/* A game that changes by anything but a drafted action begins its draft anew. */
static Game *game_to_change(FlatGames *self, PyObject *number)
{
    Game *g = game_at(self, number);
    if (g)
        self->drafts[g - self->games].begun = 0;
    return g;
}

/* The deck as numbers: bytes of them, or a tuple or list of cards. */
static int deck_in(PyObject *deck, uint8_t *orders)
{
    uint64_t seen[2] = {0, 0};
    bool bytes = PyBytes_Check(deck);
    Py_ssize_t cards = bytes ? PyBytes_GET_SIZE(deck) : 0;
    PyObject *const *items = NULL;
    if (PyTuple_Check(deck) || PyList_Check(deck)) {
        cards = PySequence_Fast_GET_SIZE(deck);
        items = PySequence_Fast_ITEMS(deck);
    } else if (!bytes) {
        PyErr_Format(PyExc_TypeError, "a deck is bytes, or a tuple or list of cards, not %.80R", deck);
        return -1;
    }
    if (cards > MAX_CARDS) {
        PyErr_Format(PyExc_ValueError, "a deck of %zd cards, above %d", cards, MAX_CARDS);
        return -1;
    }
    for (Py_ssize_t at = 0; at < cards; at++) {
        unsigned slot = bytes ? 0 : card_slot(items[at]);
        int order = bytes ? (uint8_t)PyBytes_AS_STRING(deck)[at] : known_cards[slot] ? known_orders[slot] : MAX_CARDS;
        if (order >= MAX_CARDS) {
            PyErr_Format(PyExc_ValueError, "card %zd of the deck is none of the %d", at, MAX_CARDS);
            return -1;
        }
        uint64_t bit = UINT64_C(1) << (order & 63);
        if (seen[order >> 6] & bit) {
            PyErr_Format(PyExc_ValueError, "the deck holds card %d twice", order);
            return -1;
        }
        seen[order >> 6] |= bit;
        orders[at] = (uint8_t)order;
    }
    return (int)cards;
}

static bool deal_in(Game *g, PyObject *deck, PyObject *players, PyObject *hole)
{
    uint8_t orders[MAX_CARDS];
    long seats, tokens;
    int cards = deck_in(deck, orders);
    if (cards < 0 || !number_in(players, MIN_PLAYERS, MAX_PLAYERS, "the number of players", &seats) ||
        !number_in(hole, 0, MAX_TOKENS, "the watering hole", &tokens))
        return false;
    deal_game(g, orders, cards, (int)seats, (int32_t)tokens);
    return true;
}

static PyObject *games_deal(FlatGames *self, PyObject *const *arguments, Py_ssize_t count)
{
    Game *g = has_arguments(count, 4) ? game_to_change(self, arguments[0]) : NULL;
    if (!g || !deal_in(g, arguments[1], arguments[2], arguments[3]))
        return NULL;
    Py_RETURN_NONE;
}

static void load_seat(Reader *reader, Game *g, int at)
{
    g->row[at] = (uint8_t)(read_number(reader, 1, MAX_PLAYERS, "a seat") - 1);
    Seat *s = &g->seat[g->row[at]];
    s->bag = (int32_t)read_number(reader, 0, MAX_TOKENS, "a bag");
    s->boards = (uint8_t)read_number(reader, 0, MAX_SEAT_BOARDS, "the number of boards");
    for (int board = 0; board < s->boards && !reader->failed; board++) {
        Board *b = &s->board[board];
        b->population = (uint8_t)read_number(reader, 0, MAX_POPULATION, "a population");
        b->body = (uint8_t)read_number(reader, 0, MAX_BODY, "a body");
        b->food = (uint8_t)read_number(reader, 0, MAX_POPULATION, "a board's food");
        b->fat = (uint8_t)read_number(reader, 0, MAX_BODY, "a board's fat");
        int traits = (int)read_number(reader, 0, MAX_TRAITS, "the number of traits");
        b->traits = (uint8_t)traits;
        b->mask = 0;
        for (int slot = 0; slot < traits; slot++) {
            b->trait[slot] = (uint8_t)read_number(reader, 0, TRAITS - 1, "a trait");
            b->mask |= (uint16_t)(1 << b->trait[slot]);
        }
    }
    s->cards = (uint8_t)read_number(reader, 0, MAX_CARDS, "the number of cards");
    for (int card = 0; card < s->cards; card++)
        s->hand[card] = (uint8_t)read_number(reader, 0, MAX_CARDS - 1, "a card");
    s->chosen = (uint8_t)read_number(reader, 0, 1, "whether a seat has chosen");
    if (s->chosen)
        read_play(reader, s->play);
}

static PyObject *games_load(FlatGames *self, PyObject *const *arguments, Py_ssize_t count)
{
    Reader reader;
    Game *slot = has_arguments(count, 2) ? game_to_change(self, arguments[0]) : NULL;
    if (!slot || !reader_of(arguments[1], &reader))
        return NULL;
    Game loaded = {0}, *g = &loaded; /* so that a game that is refused changes nothing */
    g->phase = (uint8_t)read_number(&reader, CHOOSE, OVER, "the phase");
    g->turn = (int32_t)read_number(&reader, 0, MAX_TOKENS, "the turn");
    g->hole = (int32_t)read_number(&reader, 0, MAX_TOKENS, "the watering hole");
    g->deck_size = (uint8_t)read_number(&reader, 0, MAX_CARDS, "the number of cards in the deck");
    for (int card = 0; card < g->deck_size; card++)
        g->deck[card] = (uint8_t)read_number(&reader, 0, MAX_CARDS - 1, "a card");
    g->queued = (uint8_t)read_number(&reader, 0, MAX_PLAYERS, "the length of the queue");
    for (int at = 0; at < g->queued; at++)
        g->queue[at] = (uint8_t)(read_number(&reader, 1, MAX_PLAYERS, "a seat") - 1);
    g->players = (uint8_t)read_number(&reader, 0, MAX_PLAYERS, "the number of players");
    for (int at = 0; at < g->players && !reader.failed; at++)
        load_seat(&reader, g, at);
    if (!read_end(&reader))
        return NULL;
    const char *unsound = load_is_sound(g);
    if (unsound)
        return PyErr_Format(PyExc_ValueError, "the kernel does not play this game, because of %s", unsound);
    copy_game(slot, g);
    Py_RETURN_NONE;
}

static bool save_seat(PyObject *list, const Game *g, int at)
{
    const Seat *s = &g->seat[g->row[at]];
    bool good = append(list, g->row[at] + 1) && append(list, s->bag) && append(list, s->boards);
    for (int board = 0; board < s->boards && good; board++) {
        const Board *b = &s->board[board];
        uint8_t numbers[] = {b->population, b->body, b->food, b->fat, b->traits};
        good = append_bytes(list, numbers, 5) && append_bytes(list, b->trait, b->traits);
    }
    good = good && append(list, s->cards) && append_bytes(list, s->hand, s->cards) && append(list, s->chosen);
    return good && (!s->chosen || append_bytes(list, s->play, play_length(s->play)));
}

static PyObject *games_save(FlatGames *self, PyObject *number)
{
    const Game *g = game_at(self, number);
    PyObject *list = g ? PyList_New(0) : NULL;
    if (!list)
        return NULL;
    int left = g->deck_size - g->dealt;
    bool good = append(list, g->phase) && append(list, g->turn) && append(list, g->hole) && append(list, left) &&
                append_bytes(list, g->deck + g->dealt, left) && append(list, g->queued);
    for (int at = 0; at < g->queued && good; at++)
        good = append(list, g->queue[at] + 1);
    good = good && append(list, g->players);
    for (int at = 0; at < g->players && good; at++)
        good = save_seat(list, g, at);
    if (!good)
        Py_CLEAR(list);
    return list;
}

static PyObject *games_copy(FlatGames *self, PyObject *const *arguments, Py_ssize_t count)
{
    Game *to = has_arguments(count, 2) ? game_to_change(self, arguments[0]) : NULL;
    const Game *from = to ? game_at(self, arguments[1]) : NULL;
    if (!from)
        return NULL;
    if (to != from)
        copy_game(to, from);
    Py_RETURN_NONE;
}

typedef struct {
    int seat;
    uint8_t play[MAX_PLAY];
    Feeding feeding;
} Answer;

static bool is_asked(const Game *g, int seat)
{
    bool asked = g->phase == FEED && g->queue[0] == seat;
    for (int at = 0; g->phase == CHOOSE && at < g->players; at++)
        asked |= g->row[at] == seat && !g->seat[seat].chosen;
    return asked;
}

/* A move of a seat that is asked, as packed.py writes it. */
static bool read_answer(const Game *g, PyObject *list, Answer *answer)
{
    Reader reader;
    if (!reader_of(list, &reader))
        return false;
    long head = read_number(&reader, PLAY * SEATS, (DECLINE + 1) * SEATS - 1, "the kind and seat of a move");
    int kind = (int)head / SEATS, seat = (int)head % SEATS - 1;
    answer->seat = seat;
    answer->feeding = (Feeding){.kind = kind};
    if (kind == PLAY)
        read_play(&reader, answer->play);
    else if (kind != DECLINE)
        answer->feeding.board = read_clamped(&reader, "a board");
    if (kind == ATTACK)
        answer->feeding.seat = read_clamped(&reader, "a seat") - 1;
    if (kind == STORE || kind == ATTACK)
        answer->feeding.amount = read_clamped(&reader, "tokens or a board");
    if (!read_end(&reader))
        return false;
    bool asked = (g->phase == CHOOSE) == (kind == PLAY) && is_asked(g, seat);
    if (!asked)
        PyErr_Format(PyExc_ValueError, "seat %d is not asked for such a move", seat + 1);
    return asked;
}

static const char *refusal_of(const Game *g, const Answer *answer)
{
    if (g->phase == CHOOSE)
        return play_refusal(&g->seat[answer->seat], answer->play);
    return feeding_refusal(g, answer->seat, &answer->feeding);
}

static PyObject *games_refusal(FlatGames *self, PyObject *const *arguments, Py_ssize_t count)
{
    Answer answer;
    const Game *g = has_arguments(count, 2) ? game_at(self, arguments[0]) : NULL;
    if (!g || !read_answer(g, arguments[1], &answer))
        return NULL;
    return Py_BuildValue("z", refusal_of(g, &answer));
}

static PyObject *games_answer(FlatGames *self, PyObject *const *arguments, Py_ssize_t count)
{
    Answer answer;
    Game *g = has_arguments(count, 2) ? game_to_change(self, arguments[0]) : NULL;
    if (!g || !read_answer(g, arguments[1], &answer))
        return NULL;
    const char *rule = refusal_of(g, &answer);
    if (rule)
        return PyErr_Format(PyExc_ValueError, "seat %d breaks %s, and the kernel knows no expulsions", answer.seat + 1,
                            rule);
    if (g->phase == CHOOSE)
        take_play(g, answer.seat, answer.play);
    else
        take_feeding(g, &answer.feeding);
    if (g->phase == FED)
        go_on(g);
    Py_RETURN_NONE;
}

static PyObject *games_go_on(FlatGames *self, PyObject *number)
{
    Game *g = game_to_change(self, number);
    if (!g)
        return NULL;
    go_on(g);
    Py_RETURN_NONE;
}

static PyObject *no_decision(void)
{
    PyErr_SetString(PyExc_ValueError, "a policy has too few cards, or no option");
    return NULL;
}

/* A move as packed.py writes it: this play, or without one this feeding. */
static PyObject *move_list(int seat, const uint8_t *play, const Feeding *f)
{
    PyObject *list = PyList_New(0);
    bool good = list && append(list, (play ? PLAY : f->kind) * SEATS + seat + 1);
    if (play)
        good = good && append_bytes(list, play, play_length(play));
    else if (f->kind != DECLINE)
        good = good && append(list, f->board) && (f->kind != ATTACK || append(list, f->seat + 1)) &&
               (f->kind == GRAZE || append(list, f->amount));
    if (!good)
        Py_CLEAR(list);
    return list;
}

static PyObject *games_decide(FlatGames *self, PyObject *const *arguments, Py_ssize_t count)
{
    Table table;
    const Game *g = has_arguments(count, 4) ? game_at(self, arguments[0]) : NULL;
    if (!g || !open_table(self, arguments + 1, &table))
        return NULL;
    PyObject *list = NULL;
    int seat = g->phase == FEED ? g->queue[0] : -1;
    for (int at = g->players - 1; g->phase == CHOOSE && at >= 0; at--)
        if (!g->seat[g->row[at]].chosen)
            seat = g->row[at];
    if (seat < 0) {
        PyErr_SetString(PyExc_ValueError, "no seat is asked");
    } else if (seats_covered(g, &table, false)) {
        uint8_t play[MAX_PLAY];
        Feeding f;
        bool choose = g->phase == CHOOSE;
        if (choose ? !decide_play(g, seat, &table.policies[seat], play)
                   : !decide_feeding(g, seat, &table.policies[seat], &f)) {
            no_decision();
        } else {
            list = move_list(seat, choose ? play : NULL, &f);
        }
    }
    close_table(&table);
    return list;
}

static PyObject *games_use_network(FlatGames *self, PyObject *const *arguments, Py_ssize_t count)
{
    long first, second;
    Py_buffer weights;
    if (!has_arguments(count, 3) || !number_in(arguments[0], 1, MAX_HIDDEN, "the first hidden layer", &first) ||
        !number_in(arguments[1], 1, MAX_HIDDEN, "the second hidden layer", &second) ||
        PyObject_GetBuffer(arguments[2], &weights, PyBUF_C_CONTIGUOUS))
        return NULL;
    if (weights.itemsize != sizeof(float) || (uintptr_t)weights.buf % sizeof(float) ||
        (size_t)weights.len != network_size((int)first, (int)second) * sizeof(float)) {
        PyBuffer_Release(&weights);
        PyErr_SetString(PyExc_ValueError, "the weights are not those of such a network");
        return NULL;
    }
    PyBuffer_Release(&self->weights);
    self->weights = weights;
    self->network = (Network){(int)first, (int)second, weights.buf};
    Py_RETURN_NONE;
}

/* Actions of the longest draft of a seat: the food card, two for each other card, and the end. */
static Py_ssize_t longest_draft(const Game *g, int seat)
{
    return g->phase == FEED ? 3 : 2 * g->seat[seat].cards;
}

static PyObject *games_draft(FlatGames *self, PyObject *const *arguments, Py_ssize_t count)
{
    long number;
    Py_buffer draws;
    const Game *g = has_arguments(count, 4) ? game_at(self, arguments[0]) : NULL;
    if (!g || !number_in(arguments[1], 1, MAX_PLAYERS, "the seat", &number))
        return NULL;
    int seat = (int)number - 1;
    double temperature = PyFloat_AsDouble(arguments[2]);
    if ((temperature == -1 && PyErr_Occurred()) || PyObject_GetBuffer(arguments[3], &draws, PyBUF_SIMPLE))
        return NULL;
    PyObject *found = NULL;
    if (!is_asked(g, seat) || !self->network.numbers || (g->phase == CHOOSE && !g->seat[seat].cards)) {
        PyErr_Format(PyExc_ValueError, "seat %d is not asked, or there is no network or no card", seat + 1);
    } else if (!(temperature > 0) || (draws.len && (draws.len < longest_draft(g, seat) * (Py_ssize_t)sizeof(double) ||
                                                    (uintptr_t)draws.buf % _Alignof(double)))) {
        PyErr_SetString(PyExc_ValueError, "there are too few numbers to draw with, or the temperature is not above 0");
    } else {
        Draft d;
        Feeding f;
        double probability = draft_move(g, seat, &self->network, temperature, draws.len ? draws.buf : NULL, &d, &f);
        PyObject *move = move_list(seat, g->phase == CHOOSE ? d.play : NULL, &f);
        found = move ? Py_BuildValue("(dN)", probability, move) : NULL;
    }
    PyBuffer_Release(&draws);
    return found;
}

static PyObject *scores_of(const Game *g, int seats)
{
    PyObject *scores = PyTuple_New(seats);
    for (int seat = 0; seat < seats && scores; seat++) {
        int points = 0;
        for (int at = 0; at < g->players; at++)
            if (g->row[at] == seat)
                points = score(&g->seat[seat]);
        PyObject *object = PyLong_FromLong(points);
        if (!object)
            Py_CLEAR(scores);
        else
            PyTuple_SET_ITEM(scores, seat, object);
    }
    return scores;
}

static PyObject *games_play_out(FlatGames *self, PyObject *const *arguments, Py_ssize_t count)
{
    Table table;
    Game *g = has_arguments(count, 4) ? game_to_change(self, arguments[0]) : NULL;
    if (!g || !open_table(self, arguments + 1, &table))
        return NULL;
    PyObject *scores = NULL;
    if (seats_covered(g, &table, false))
        scores = play_on(g, table.policies, INT32_MAX) ? scores_of(g, table.seats) : no_decision();
    close_table(&table);
    return scores;
}

static PyObject *games_choose_others(FlatGames *self, PyObject *const *arguments, Py_ssize_t count)
{
    Table table;
    long number;
    Game *g = has_arguments(count, 5) ? game_to_change(self, arguments[0]) : NULL;
    if (!g || !number_in(arguments[1], 1, MAX_PLAYERS, "the seat", &number) || !open_table(self, arguments + 2, &table))
        return NULL;
    int but = (int)number - 1;
    bool good = seats_covered(g, &table, false), asked = g->phase == CHOOSE && is_asked(g, but);
    for (int at = 0; good && asked && at < g->players; at++) {
        uint8_t play[MAX_PLAY];
        int seat = g->row[at];
        if (seat == but || g->seat[seat].chosen)
            continue;
        good = decide_play(g, seat, &table.policies[seat], play);
        if (good)
            take_play(g, seat, play);
        else
            no_decision();
    }
    close_table(&table);
    if (!good)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *games_play_turn(FlatGames *self, PyObject *const *arguments, Py_ssize_t count)
{
    Table table;
    long number, turn;
    Game *g = has_arguments(count, 6) ? game_to_change(self, arguments[0]) : NULL;
    if (!g || !number_in(arguments[1], 1, MAX_PLAYERS, "the seat", &number) ||
        !number_in(arguments[2], 0, MAX_TOKENS, "the turn", &turn) || !open_table(self, arguments + 3, &table))
        return NULL;
    PyObject *found = NULL;
    int seat = (int)number - 1;
    if (seats_covered(g, &table, false)) {
        if (!play_on(g, table.policies, (int32_t)turn))
            found = no_decision();
        else if (g->phase == OVER)
            found = scores_of(g, table.seats);
        else if (is_asked(g, seat) && self->network.numbers)
            found = PyFloat_FromDouble(value_to(g, seat, &self->network));
        else
            PyErr_Format(PyExc_ValueError, "seat %d does not play, or there is no network", seat + 1);
    }
    close_table(&table);
    return found;
}

static PyObject *games_play(FlatGames *self, PyObject *const *arguments, Py_ssize_t count)
{
    if (!has_arguments(count, 7) || !games_deal(self, arguments, 4))
        return NULL;
    Py_DECREF(Py_None);
    PyObject *const again[] = {arguments[0], arguments[4], arguments[5], arguments[6]};
    return games_play_out(self, again, 4);
}

/* ---- drafted actions of all games at once ---- */

enum { ACTION_ROWS, OBSERVATIONS, MASKS, ASKED, SCORES, ARRAYS }; /* the arrays that `step` reads and writes */

static const struct {
    const char *name;
    int item;
} arrays[ARRAYS] = {
    {"actions", sizeof(int64_t)}, {"observations", 1}, {"masks", 1}, {"asked", 1}, {"scores", sizeof(int32_t)},
};

static bool open_arrays(FlatGames *self, PyObject *const *arguments, int players, Py_buffer *views)
{
    const Py_ssize_t sizes[ARRAYS] = {1, SEE_OTHERS + (players - 1) * SEE_OTHER, ACTIONS, 1, players};
    memset(views, 0, ARRAYS * sizeof *views);
    for (int at = 0; at < ARRAYS; at++) {
        int flags = at == ACTION_ROWS ? PyBUF_C_CONTIGUOUS : PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE;
        if (PyObject_GetBuffer(arguments[at], &views[at], flags))
            return false;
        Py_ssize_t wanted = self->count * sizes[at] * arrays[at].item;
        if (views[at].itemsize != arrays[at].item || views[at].len != wanted ||
            (uintptr_t)views[at].buf % (size_t)arrays[at].item) {
            PyErr_Format(PyExc_ValueError, "%s: %zd items of %d bytes are wanted, for %zd games of %d players",
                         arrays[at].name, self->count * sizes[at], arrays[at].item, self->count, players);
            return false;
        }
    }
    return true;
}

static bool allows(const Draft *d, int64_t action)
{
    return action == -1 || (action >= 0 && action < ACTIONS && d->begun && d->mask[action]);
}

static bool no_action(int64_t action, Py_ssize_t at)
{
    PyErr_Format(PyExc_ValueError, "action %lld may not come next in game %zd", (long long)action, at);
    return false;
}

/* Before anything changes: every action is allowed, and every player has a policy or a learner. */
static bool may_step(FlatGames *self, const Table *table, const int64_t *actions)
{
    for (Py_ssize_t at = 0; at < self->count; at++) {
        if (!seats_covered(&self->games[at], table, true))
            return false;
        if (!allows(&self->drafts[at], actions[at]))
            return no_action(actions[at], at);
    }
    return true;
}

/* The bots move until a learner is asked or the game is over; false where a bot would raise an exception. */
static bool move_bots(Game *g, const Policy *policies)
{
    go_on(g);
    for (int seat = asked_seat(g); seat >= 0 && policies[seat].kind != LEARNER; seat = asked_seat(g)) {
        uint8_t play[MAX_PLAY];
        Feeding f;
        if (g->phase == CHOOSE && decide_play(g, seat, &policies[seat], play))
            take_play(g, seat, play);
        else if (g->phase == FEED && decide_feeding(g, seat, &policies[seat], &f))
            take_feeding(g, &f);
        else
            return false;
        if (g->phase == FED)
            go_on(g);
    }
    return true;
}

static void write_scores(const Game *g, int players, int32_t *scores)
{
    memset(scores, 0, (size_t)players * sizeof *scores);
    for (int at = 0; at < g->players; at++)
        scores[g->row[at]] = score(&g->seat[g->row[at]]);
}

static bool step_all(FlatGames *self, const Table *table, const Py_buffer *views)
{
    const int64_t *actions = views[ACTION_ROWS].buf;
    int players = table->seats, size = SEE_OTHERS + (players - 1) * SEE_OTHER;
    for (Py_ssize_t at = 0; at < self->count; at++) {
        Game *g = &self->games[at];
        Draft *d = &self->drafts[at];
        int64_t action = actions[at];
        if (!allows(d, action)) /* once more: the arrays may be one and the same memory */
            return no_action(action, at);
        if (action >= 0)
            step_draft(g, d, (int)action);
        if (!d->begun) {
            if (!move_bots(g, table->policies)) {
                no_decision();
                return false;
            }
            begin_draft(g, asked_seat(g), d);
            write_scores(g, players, (int32_t *)views[SCORES].buf + at * players);
        }
        observe(g, d, players, (uint8_t *)views[OBSERVATIONS].buf + at * size);
        memcpy((uint8_t *)views[MASKS].buf + at * ACTIONS, d->mask, ACTIONS);
        ((uint8_t *)views[ASKED].buf)[at] = (uint8_t)(d->seat == MAX_PLAYERS ? 0 : d->seat + 1);
    }
    return true;
}

static PyObject *games_step(FlatGames *self, PyObject *const *arguments, Py_ssize_t count)
{
    Table table;
    Py_buffer views[ARRAYS];
    if (!has_arguments(count, ARRAYS + 3) || !open_table(self, arguments + ARRAYS, &table))
        return NULL;
    bool good = open_arrays(self, arguments, table.seats, views) && may_step(self, &table, views[ACTION_ROWS].buf) &&
                step_all(self, &table, views);
    for (int at = 0; at < ARRAYS; at++)
        PyBuffer_Release(&views[at]);
    close_table(&table);
    if (!good)
        return NULL;
    Py_RETURN_NONE;
}

static Py_ssize_t games_length(FlatGames *self)
{
    return self->count;
}

static PyObject *games_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    Py_ssize_t count = 1;
    static char *names[] = {"count", NULL};
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|n", names, &count))
        return NULL;
    if (count < 1 || count > MAX_GAMES)
        return PyErr_Format(PyExc_ValueError, "%zd games, not from 1 to %d", count, MAX_GAMES);
    FlatGames *self = (FlatGames *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->count = count;
    self->games = calloc((size_t)count, sizeof(Game));
    self->drafts = calloc((size_t)count, sizeof(Draft));
    if (!self->games || !self->drafts) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    for (Py_ssize_t at = 0; at < count; at++)
        self->games[at].phase = OVER;
    return (PyObject *)self;
}

static void games_free(FlatGames *self)
{
    free(self->games);
    free(self->drafts);
    PyBuffer_Release(&self->weights);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

#define FAST(name, function, text) {name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL, PyDoc_STR(text)}
#define ONE(name, function, text) {name, (PyCFunction)(void (*)(void))(function), METH_O, PyDoc_STR(text)}

static PyMethodDef methods[] = {
    FAST("deal", games_deal, "A new game, whose first turn has begun."),
    FAST("load", games_load, "The game that these numbers tell; ValueError when the kernel cannot play it."),
    ONE("save", games_save, "The game as numbers."),
    FAST("copy", games_copy, "One game becomes like another."),
    FAST("refusal", games_refusal, "The rule that this move would break, or None."),
    FAST("answer", games_answer, "Move the game on by one move; ValueError when it is illegal."),
    ONE("go_on", games_go_on, "If feeding or the turn is over, on to the next turn or to the end."),
    FAST("decide", games_decide, "The move that a policy makes for the first seat that is asked."),
    FAST("use_network", games_use_network, "The network that policies and drafts have from now on."),
    FAST("draft", games_draft, "A move that the network drafts for a seat, and how probable it was."),
    FAST("choose_others", games_choose_others, "All seats but one choose their cards, if that one is asked to."),
    FAST("play_out", games_play_out, "Play a game to its end; the scores by seat."),
    FAST("play_turn", games_play_turn, "Play on to the end of a turn; the scores if the game is over, else its value."),
    FAST("play", games_play, "Deal a game and play it to its end; the scores by seat."),
    FAST("step", games_step, "One drafted action in each game; the bots move, and the rows of all games are written."),
    {NULL, NULL, 0, NULL},
};

static PySequenceMethods lengths = {.sq_length = (lenfunc)(void (*)(void))games_length};

static PyTypeObject games_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "wateringhole.kernel._kernel.FlatGames",
    .tp_basicsize = sizeof(FlatGames),
    .tp_dealloc = (destructor)(void (*)(void))games_free,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = PyDoc_STR("So many games in one block of memory; nothing is allocated while they are played."),
    .tp_methods = methods,
    .tp_as_sequence = &lengths,
    .tp_new = games_new,
};

static PyMethodDef functions[] = {
    {"know_cards", know_cards, METH_O, PyDoc_STR("These are the cards, in the order of the sorted deck.")},
    FAST("network_inputs", python_network_inputs, "What a network reads, a row for each observation."),
    FAST("network_scores", python_network_scores, "What a network says to an observation: scores and a value."),
    {NULL, NULL, 0, NULL},
};

static PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_kernel",
    .m_doc = PyDoc_STR("The rules in C, over flat arrays. Use it through wateringhole.kernel.playouts."),
    .m_size = -1,
    .m_methods = functions,
};

/* What the kernel was written for; native.py compares it with the tables of the rules. */
static PyObject *tables(void)
{
    PyObject *traits = PyTuple_New(TRAITS), *stops = PyTuple_New(DEFENCES), *cards = PyTuple_New(MAX_CARDS);
    if (traits && stops && cards) {
        for (int at = 0; at < TRAITS; at++)
            PyTuple_SET_ITEM(traits, at, Py_BuildValue("(si)", trait_names[at], 1 << at));
        for (int at = 0; at < DEFENCES; at++)
            PyTuple_SET_ITEM(stops, at, PyUnicode_FromString(trait_names[defences[at]]));
        for (int at = 0; at < MAX_CARDS; at++)
            PyTuple_SET_ITEM(cards, at, Py_BuildValue("(is)", card_food[at], trait_names[card_trait[at]]));
    }
    PyObject *all = PyErr_Occurred() ? NULL : PyTuple_Pack(3, traits, stops, cards);
    Py_XDECREF(traits);
    Py_XDECREF(stops);
    Py_XDECREF(cards);
    return all;
}

PyMODINIT_FUNC PyInit__kernel(void)
{
    fill_tables();
    PyObject *made = PyType_Ready(&games_type) ? NULL : PyModule_Create(&module);
    PyObject *known = made ? tables() : NULL;
    if (made && (!known || PyModule_AddObjectRef(made, "TABLES", known) ||
                 PyModule_AddObjectRef(made, "FlatGames", (PyObject *)&games_type)))
        Py_CLEAR(made);
    Py_XDECREF(known);
    return made;
}
