/* The rules of src/wateringhole/rules/ once more, over flat structs: docs/rules.md has a heading for every id that a
 * comment names. tests/kernel steps both side by side and finds a mutant of every rule here.
 */
#include "kernel.h"

#include <string.h>

enum { CARDS_PER_PLAYER = 3, CARDS_PER_BOARD = 1, CARDS_PER_EXTINCTION = 2, HARD_SHELL_MARGIN = 4 };

const char *const trait_names[TRAITS] = {
    "ambush",     "burrowing", "carnivore", "climbing",  "cooperation",  "fat-tissue", "fertile",   "foraging",
    "hard-shell", "herding",   "horns",     "long-neck", "pack-hunting", "scavenger",  "symbiosis", "warning-call",
};
const uint8_t defences[DEFENCES] = {15, 1, 3, 8, 9, 14}; /* the traits that stop attacks, as stopped_by looks at them */

uint8_t card_trait[MAX_CARDS];
int8_t card_food[MAX_CARDS];

/* game.deck: 17 cards of carnivore, 7 of each other trait, by trait and food. */
void fill_tables(void)
{
    int order = 0;
    for (int trait = 0; trait < TRAITS; trait++) {
        int most = 1 << trait == CARNIVORE ? 8 : 3;
        for (int food = -most; food <= most; food++, order++) {
            card_trait[order] = (uint8_t)trait;
            card_food[order] = (int8_t)food;
        }
    }
}

int fat_need(const Board *b)
{
    return b->mask & FAT_TISSUE ? b->body - b->fat : 0;
}

/* ---- cards and boards gained, animals and boards lost ---- */

/* start.cards: cards from the top of the deck, as a block in front of the hand, as far as the deck goes. */
static void deal(Game *g, Seat *s, int number)
{
    number = least(number, g->deck_size - g->dealt);
    memmove(s->hand + number, s->hand, s->cards);
    memcpy(s->hand, g->deck + g->dealt, (size_t)number);
    s->cards = (uint8_t)(s->cards + number);
    g->dealt = (uint8_t)(g->dealt + number);
}

static void begin_turn(Game *g)
{
    g->turn++;
    for (int at = 0; at < g->players; at++) {
        Seat *s = &g->seat[g->row[at]];
        if (!s->boards) { /* start.board */
            s->board[0] = (Board){.population = 1};
            s->boards = 1;
        }
    }
    for (int at = 0; at < g->players; at++) {
        Seat *s = &g->seat[g->row[at]];
        deal(g, s, CARDS_PER_PLAYER + CARDS_PER_BOARD * s->boards);
    }
    g->phase = CHOOSE;
}

/* game.over: another turn takes cards for all; just enough is enough. */
static void next_turn(Game *g)
{
    int needed = 0;
    for (int at = 0; at < g->players; at++) {
        int boards = g->seat[g->row[at]].boards;
        needed += CARDS_PER_PLAYER + CARDS_PER_BOARD * (boards ? boards : 1);
    }
    if (!g->players || g->deck_size - g->dealt < needed)
        g->phase = OVER;
    else
        begin_turn(g);
}

/* loss.animal, loss.extinction; whether the board lives on. */
static bool lose_animal(Game *g, Seat *s, int at)
{
    Board *b = &s->board[at];
    if (--b->population) {
        b->food = (uint8_t)least(b->food, b->population);
        return true;
    }
    s->boards--;
    memmove(b, b + 1, (size_t)(s->boards - at) * sizeof *b);
    deal(g, s, CARDS_PER_EXTINCTION);
    return false;
}

void deal_game(Game *g, const uint8_t *deck, int cards, int players, int32_t hole)
{
    g->hole = hole;
    g->turn = 0;
    g->phase = TURN_OVER;
    g->players = (uint8_t)players;
    g->queued = 0;
    g->deck_size = (uint8_t)cards;
    g->dealt = 0;
    memcpy(g->deck, deck, (size_t)cards);
    for (int at = 0; at < players; at++) {
        Seat *s = &g->seat[at];
        s->bag = 0;
        s->boards = s->cards = s->chosen = 0;
        g->row[at] = (uint8_t)at;
    }
    next_turn(g);
}

/* ---- card plays ---- */

typedef struct { /* where the parts of a play begin, each with its count */
    const uint8_t *population, *body, *boards, *swaps, *end;
} Parts;

static Parts parts_of(const uint8_t *play)
{
    Parts p;
    p.population = play + 1;
    p.body = p.population + 1 + 2 * p.population[0];
    p.boards = p.body + 1 + 2 * p.body[0];
    const uint8_t *new = p.boards + 1;
    for (int left = p.boards[0]; left; left--)
        new += 2 + new[1];
    p.swaps = new;
    p.end = p.swaps + 1 + 3 * p.swaps[0];
    return p;
}

int play_length(const uint8_t *play)
{
    return (int)(parts_of(play).end - play);
}

int new_boards(const uint8_t *play)
{
    return parts_of(play).boards[0];
}

static void insert(uint8_t *at, const uint8_t *end, const uint8_t *bytes, int count)
{
    memmove(at + count, at, (size_t)(end - at));
    memcpy(at, bytes, (size_t)count);
}

/* The play with a use for one more card; without one if there is no new board that takes a trait. */
void add_use(uint8_t *play, int use, int board, int slot, int card)
{
    Parts p = parts_of(play);
    uint8_t bytes[] = {(uint8_t)board, (uint8_t)slot, (uint8_t)card};
    uint8_t *population = play + 1, *body = play + (p.body - play), *boards = play + (p.boards - play);
    uint8_t *swaps = play + (p.swaps - play), *last = boards + 1;
    for (int left = boards[0]; left > 1; left--)
        last += 2 + last[1];
    if (use == GROW_POPULATION) {
        bytes[1] = (uint8_t)card;
        insert(body, p.end, bytes, 2);
        population[0]++;
    } else if (use == GROW_BODY) {
        bytes[1] = (uint8_t)card;
        insert(boards, p.end, bytes, 2);
        body[0]++;
    } else if (use == BUY_BOARD) {
        insert(swaps, p.end, (uint8_t[]){(uint8_t)card, 0}, 2);
        boards[0]++;
    } else if (use == ADD_TRAIT && boards[0] && last[1] < MAX_TRAITS) {
        insert(swaps, p.end, bytes + 2, 1);
        last[1]++;
    } else if (use == REPLACE_TRAIT) {
        insert(swaps + 1 + 3 * swaps[0], p.end, bytes, 3);
        swaps[0]++;
    }
}

typedef struct {
    uint64_t cards[2]; /* a bit for each card that is named */
    bool unknown, twice;
} Used;

static void name_card(Used *used, int card, int held)
{
    if (card >= held) {
        used->unknown = true;
        return;
    }
    uint64_t bit = UINT64_C(1) << (card & 63);
    used->twice |= (used->cards[card >> 6] & bit) != 0;
    used->cards[card >> 6] |= bit;
}

static Used cards_used(const uint8_t *play, const Parts *p, int held)
{
    Used used = {{0, 0}, false, false};
    name_card(&used, play[0], held);
    for (const uint8_t *at = p->population + 1; at < p->body; at += 2)
        name_card(&used, at[1], held);
    for (const uint8_t *at = p->body + 1; at < p->boards; at += 2)
        name_card(&used, at[1], held);
    for (const uint8_t *at = p->boards + 1; at < p->swaps; at += 2 + at[1]) {
        name_card(&used, at[0], held);
        for (int trait = 0; trait < at[1]; trait++)
            name_card(&used, at[2 + trait], held);
    }
    for (const uint8_t *at = p->swaps + 1; at < p->end; at += 3)
        name_card(&used, at[2], held);
    return used;
}

static const char *add_boards(Seat *s, const Parts *p)
{
    for (const uint8_t *at = p->boards + 1; at < p->swaps; at += 2 + at[1]) {
        Board *b = &s->board[s->boards++];
        *b = (Board){.population = 1, .traits = at[1]};
        for (int slot = 0; slot < at[1]; slot++) {
            b->trait[slot] = card_trait[s->hand[at[2 + slot]]];
            if (b->mask & 1 << b->trait[slot])
                return "cardplay.new-traits";
            b->mask |= (uint16_t)(1 << b->trait[slot]);
        }
    }
    return NULL;
}

/* cardplay.execution: fat lies on the card that leaves, and is lost with it. */
void replace_trait(Board *b, int slot, int trait)
{
    int replaced = 1 << b->trait[slot];
    b->trait[slot] = (uint8_t)trait;
    b->mask = (uint16_t)((b->mask & ~replaced) | 1 << trait);
    if (replaced == FAT_TISSUE)
        b->fat = 0;
}

static const char *replace_traits(Seat *s, const Parts *p)
{
    for (const uint8_t *at = p->swaps + 1; at < p->end; at += 3) {
        if (at[0] >= s->boards)
            return "cardplay.boards";
        Board *b = &s->board[at[0]];
        if (at[1] >= b->traits)
            return "cardplay.slots";
        int trait = card_trait[s->hand[at[2]]];
        if (b->mask & ~(1 << b->trait[at[1]]) & 1 << trait)
            return "cardplay.traits";
        replace_trait(b, at[1], trait);
    }
    return NULL;
}

static const char *grow(Seat *s, const Parts *p)
{
    for (const uint8_t *at = p->population + 1; at < p->body; at += 2) {
        if (at[0] >= s->boards)
            return "cardplay.boards";
        if (++s->board[at[0]].population > MAX_POPULATION)
            return "cardplay.population";
    }
    for (const uint8_t *at = p->body + 1; at < p->boards; at += 2) {
        if (at[0] >= s->boards)
            return "cardplay.boards";
        if (++s->board[at[0]].body > MAX_BODY)
            return "cardplay.body";
    }
    return NULL;
}

/* cardplay.execution: what this play makes of the boards and the hand. NULL, or the rule that forbids it: then the seat
 * is left in the middle, so only a copy may be tried. */
static const char *carry_out(Seat *s, const uint8_t *play)
{
    Parts p = parts_of(play);
    Used used = cards_used(play, &p, s->cards);
    if (used.unknown)
        return "cardplay.cards";
    if (used.twice)
        return "cardplay.once";
    const char *rule = add_boards(s, &p);
    if (!rule)
        rule = replace_traits(s, &p);
    if (!rule)
        rule = grow(s, &p);
    if (rule)
        return rule;
    int kept = 0;
    for (int card = 0; card < s->cards; card++)
        if (!(used.cards[card >> 6] >> (card & 63) & 1))
            s->hand[kept++] = s->hand[card];
    s->cards = (uint8_t)kept;
    return NULL;
}

const char *play_refusal(const Seat *s, const uint8_t *play)
{
    Seat scratch = *s;
    return carry_out(&scratch, play);
}

/* ---- who may attack whom ---- */

/* The rule that stops this attack on board `at` of a seat, or NULL. */
const char *stopped_by(const Board *a, const Seat *s, int at)
{
    const Board *d = &s->board[at];
    const Board *right = at + 1 < s->boards ? d + 1 : NULL;
    if (!(a->mask & CARNIVORE))
        return "attack.carnivore";
    int beside = (at ? d[-1].mask : 0) | (right ? right->mask : 0);
    if (beside & WARNING_CALL && !(a->mask & AMBUSH))
        return "attack.warning-call";
    if (!(d->mask & OWN_DEFENCES))
        return NULL;
    if (d->mask & BURROWING && d->food == d->population)
        return "attack.burrowing";
    if (d->mask & CLIMBING && !(a->mask & CLIMBING))
        return "attack.climbing";
    int strength = a->body + (a->mask & PACK_HUNTING ? a->population : 0);
    if (d->mask & HARD_SHELL && strength < d->body + HARD_SHELL_MARGIN)
        return "attack.hard-shell";
    if (d->mask & HERDING && a->population <= d->population)
        return "attack.herding";
    if (d->mask & SYMBIOSIS && right && right->body > d->body)
        return "attack.symbiosis";
    return NULL;
}

/* ---- meals and attacks ---- */

/* meal.tokens, meal.foraging: as far as there is food and hunger. */
static int eat(Game *g, Board *b)
{
    int tokens = b->mask & FORAGING ? 2 : 1;
    tokens = least(tokens, b->population - b->food);
    tokens = least(tokens, g->hole);
    b->food = (uint8_t)(b->food + tokens);
    g->hole -= tokens;
    return tokens;
}

/* meal.cooperation: for each token that it ate, a whole meal of the board on the right. */
static void meal(Game *g, Seat *s, int at)
{
    int tokens = eat(g, &s->board[at]);
    if (s->board[at].mask & COOPERATION && at + 1 < s->boards)
        while (tokens--)
            meal(g, s, at + 1);
}

static int place_in_row(const Game *g, int seat)
{
    int place = 0;
    while (g->row[place] != seat)
        place++;
    return place;
}

/* The seat that sits so many places after another, up to once around the table. */
int seat_after(const Game *g, int seat, int steps)
{
    int at = place_in_row(g, seat) + steps;
    return g->row[at < g->players ? at : at - g->players];
}

/* meal.scavenger: the attacking player's first, then around the table. */
static void scavenge(Game *g, int seat)
{
    for (int steps = 0; steps < g->players; steps++) {
        Seat *s = &g->seat[seat_after(g, seat, steps)];
        for (int at = 0; at < s->boards; at++)
            if (s->board[at].mask & SCAVENGER)
                meal(g, s, at);
    }
}

/* attack.course, attack.horns */
static void strike(Game *g, int seat, const Feeding *f)
{
    Seat *prey = &g->seat[f->seat];
    bool horned = (prey->board[f->amount].mask & HORNS) != 0;
    lose_animal(g, prey, f->amount);
    if (horned && !lose_animal(g, &g->seat[seat], f->board))
        return;
    meal(g, &g->seat[seat], f->board);
    scavenge(g, seat);
}

/* ---- feeding ---- */

/* feeding.options: how much fat the option stores. */
int most_fat(const Game *g, const Board *b)
{
    return least(fat_need(b), g->hole);
}

/* feeding.options: the one after this, board by board: fat, a meal, attacks in the order of p. Begin with {0}. */
bool next_option(const Game *g, int seat, Feeding *f)
{
    const Seat *s = &g->seat[seat];
    for (; g->hole && f->board < s->boards; f->board++, f->kind = PLAY) {
        const Board *b = &s->board[f->board];
        if (f->kind == PLAY) { /* nothing of this board yet */
            f->kind = STORE;
            if (fat_need(b)) {
                f->amount = most_fat(g, b);
                return true;
            }
        }
        if (f->kind == STORE) {
            if (!hungry(b))
                continue;
            if (!(b->mask & CARNIVORE)) {
                f->kind = GRAZE;
                return true;
            }
            f->kind = ATTACK;
            f->p = 1;
            f->amount = -1;
        }
        for (; f->kind == ATTACK && f->p < g->players; f->p++, f->amount = -1) {
            f->seat = seat_after(g, seat, f->p);
            const Seat *prey = &g->seat[f->seat];
            while (++f->amount < prey->boards)
                if (!stopped_by(b, prey, f->amount))
                    return true;
        }
    }
    return false;
}

/* feeding.automatic: 0, 1, or 2 when there are more; the only one is left in `only`. */
static int few_options(const Game *g, int seat, Feeding *only)
{
    const Seat *s = &g->seat[seat];
    int sure = 0;
    bool hunting = false;
    for (int at = 0; at < s->boards; at++) { /* most often settled without a look at the others */
        const Board *b = &s->board[at];
        if (fat_need(b)) {
            *only = (Feeding){.kind = STORE, .board = at, .amount = most_fat(g, b)};
            sure++;
        }
        if (hungry(b)) {
            if (b->mask & CARNIVORE) {
                hunting = true;
            } else {
                *only = (Feeding){.kind = GRAZE, .board = at};
                sure++;
            }
        }
        if (sure > 1)
            return 2;
    }
    if (!hunting)
        return sure;
    Feeding f = {0};
    int found = 0;
    while (found < 2 && next_option(g, seat, &f)) {
        *only = f;
        found++;
    }
    return found;
}

const char *feeding_refusal(const Game *g, int seat, const Feeding *f)
{
    const Seat *s = &g->seat[seat];
    if (f->kind == DECLINE) /* feeding.decline: always legal */
        return NULL;
    if (f->board >= s->boards)
        return "feeding.options";
    const Board *b = &s->board[f->board];
    if (f->kind == STORE)
        return f->amount < 1 || f->amount > fat_need(b) || f->amount > g->hole ? "feeding.fat" : NULL;
    if (!hungry(b))
        return f->kind == GRAZE ? "feeding.graze" : "feeding.attack";
    if (f->kind == GRAZE)
        return b->mask & CARNIVORE ? "feeding.graze" : NULL;
    for (int at = 0; at < g->players; at++)
        if (g->row[at] == f->seat && f->seat != seat && f->amount < g->seat[f->seat].boards)
            return stopped_by(b, &g->seat[f->seat], f->amount);
    return "feeding.attack";
}

/* feeding.queue: the first in the queue makes this step and goes to its end; feeding.decline, feeding.no-option: or
 * leaves. */
static void feed(Game *g, const Feeding *f)
{
    int seat = g->queue[0];
    Seat *s = &g->seat[seat];
    memmove(g->queue, g->queue + 1, (size_t)(g->queued - 1));
    g->queue[g->queued - 1] = (uint8_t)seat;
    if (f->kind == GRAZE) { /* feeding.graze */
        meal(g, s, f->board);
    } else if (f->kind == STORE) { /* feeding.fat */
        s->board[f->board].fat = (uint8_t)(s->board[f->board].fat + f->amount);
        g->hole -= f->amount;
    } else if (f->kind == ATTACK) { /* feeding.attack */
        strike(g, seat, f);
    } else {
        g->queued--;
    }
}

/* feeding.automatic, feeding.no-option: until a player has a choice, or feeding is over. */
static void ask_next(Game *g)
{
    while (g->hole && g->queued) {
        Feeding only = {.kind = DECLINE};
        if (few_options(g, g->queue[0], &only) > 1)
            return;
        feed(g, &only);
    }
    g->phase = FED;
}

void take_feeding(Game *g, const Feeding *f)
{
    feed(g, f);
    ask_next(g);
}

/* ---- turns ---- */

/* reveal.fertile, reveal.long-neck, reveal.fat-tissue: pass by pass. */
static void unfold(Game *g)
{
    for (int at = 0; at < g->players; at++) {
        Seat *s = &g->seat[g->row[at]];
        for (Board *b = s->board; b < s->board + s->boards; b++)
            if (b->mask & FERTILE && b->population < MAX_POPULATION)
                b->population++;
    }
    for (int at = 0; at < g->players; at++) {
        Seat *s = &g->seat[g->row[at]];
        for (int board = 0; board < s->boards; board++)
            if (s->board[board].mask & LONG_NECK)
                meal(g, s, board);
    }
    for (int at = 0; at < g->players; at++) {
        Seat *s = &g->seat[g->row[at]];
        for (Board *b = s->board; b < s->board + s->boards; b++)
            if (b->fat) {
                int tokens = least(b->fat, b->population - b->food);
                b->food = (uint8_t)(b->food + tokens);
                b->fat = (uint8_t)(b->fat - tokens);
            }
    }
}

/* All have chosen: the plays are carried out, the traits unfold, feeding opens. */
static void reveal(Game *g)
{
    for (int at = 0; at < g->players; at++) {
        Seat *s = &g->seat[g->row[at]];
        int food = card_food[s->hand[s->play[0]]];
        carry_out(s, s->play);
        s->chosen = 0;
        g->hole = g->hole + food > 0 ? g->hole + food : 0; /* cardplay.food: clamped after every card */
    }
    unfold(g);
    g->phase = FEED;
    g->queued = g->players;
    memcpy(g->queue, g->row, g->players);
    ask_next(g);
}

/* cardplay.asked: nothing is carried out until all have answered. */
void take_play(Game *g, int seat, const uint8_t *play)
{
    memcpy(g->seat[seat].play, play, (size_t)play_length(play));
    g->seat[seat].chosen = 1;
    for (int at = 0; at < g->players; at++)
        if (!g->seat[g->row[at]].chosen)
            return;
    reveal(g);
}

/* end.starvation, end.bag, loss.extinction */
static void end_turn(Game *g)
{
    for (int at = 0; at < g->players; at++) {
        Seat *s = &g->seat[g->row[at]];
        int alive = 0, boards = s->boards;
        for (int board = 0; board < boards; board++) {
            Board *b = &s->board[board];
            if (b->food) {
                s->bag += b->food;
                b->population = b->food;
                b->food = 0;
                s->board[alive++] = *b;
            } else {
                deal(g, s, CARDS_PER_EXTINCTION);
            }
        }
        s->boards = (uint8_t)alive;
    }
    g->phase = TURN_OVER;
}

/* end.order: between two turns the first player moves to the end. */
void go_on(Game *g)
{
    if (g->phase == FED)
        end_turn(g);
    if (g->phase == TURN_OVER) {
        if (g->players) {
            uint8_t first = g->row[0];
            memmove(g->row, g->row + 1, (size_t)(g->players - 1));
            g->row[g->players - 1] = first;
        }
        next_turn(g);
    }
}

/* end.score */
int score(const Seat *s)
{
    int points = s->bag;
    for (int at = 0; at < s->boards; at++)
        points += s->board[at].population + s->board[at].traits;
    return points;
}
