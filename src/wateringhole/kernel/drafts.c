/* Drafted actions, their masks, and observations: env/actions.py and env/observations.py once more. */
#include "kernel.h"

#include <string.h>

enum { MAX_BYTE = 255 };

static uint8_t shown(int number)
{
    return (uint8_t)least(number, MAX_BYTE);
}

static int drafted_boards(const Seat *s)
{
    return least(s->boards, DRAFT_BOARDS);
}

/* The first seat that must answer, or -1. */
int asked_seat(const Game *g)
{
    if (g->phase == FEED)
        return g->queue[0];
    for (int at = 0; g->phase == CHOOSE && at < g->players; at++)
        if (!g->seat[g->row[at]].chosen)
            return g->row[at];
    return -1;
}

/* ---- masks ---- */

/* actions.rank: the place of a use in the order in which uses are drafted. */
static int rank(int use)
{
    if (use < DO_REPLACE)
        return 0;
    if (use < DO_POPULATION)
        return 1 + (use - DO_REPLACE) / MAX_TRAITS;
    return 1 + DRAFT_BOARDS + use - DO_POPULATION;
}

/* actions.pays: whether any card will do; those come in ascending order. */
static bool pays(int use)
{
    return use == DO_NEW_BOARD || use >= DO_POPULATION;
}

static void mask_uses(Draft *d)
{
    const Seat *s = &d->own;
    int traits = 0, lowest = rank(d->latest), boards = drafted_boards(s);
    bool payable = false;
    for (int card = 0; card < s->cards; card++) {
        traits |= 1 << card_trait[s->hand[card]];
        payable |= s->hand[card] >= d->paid;
    }
    d->mask[DO_DONE] = 1;
    if (lowest == 0) {
        d->mask[DO_NEW_BOARD] = payable && s->boards < DRAFT_BOARDS;
        if (d->latest) {
            const Board *newest = &s->board[s->boards - 1];
            d->mask[DO_TRAIT] = newest->traits < MAX_TRAITS && traits & ~newest->mask;
        }
    }
    for (int at = 0; at < boards; at++) {
        const Board *b = &s->board[at];
        for (int slot = 0; slot < b->traits && at >= lowest - 1; slot++)
            d->mask[DO_REPLACE + at * MAX_TRAITS + slot] = (traits & ~(b->mask & ~(1 << b->trait[slot]))) != 0;
        d->mask[DO_POPULATION + at] = payable && b->population < MAX_POPULATION && rank(DO_POPULATION + at) >= lowest;
        d->mask[DO_BODY + at] = payable && b->body < MAX_BODY && rank(DO_BODY + at) >= lowest;
    }
}

static void mask_cards(Draft *d)
{
    const Seat *s = &d->own;
    int taken = 0, first = 0;
    if (d->stage == AT_CARD) {
        if (pays(d->verb)) {
            first = d->paid;
        } else if (d->verb == DO_TRAIT) {
            taken = s->board[s->boards - 1].mask;
        } else {
            const Board *b = &s->board[(d->verb - DO_REPLACE) / MAX_TRAITS];
            taken = b->mask & ~(1 << b->trait[(d->verb - DO_REPLACE) % MAX_TRAITS]);
        }
    }
    for (int card = 0; card < s->cards; card++)
        if (s->hand[card] >= first && !(taken & 1 << card_trait[s->hand[card]]))
            d->mask[DO_CARD + s->hand[card]] = 1;
}

/* Whether a board may attack a board of this seat that has an id; all of them are marked if there is room for that. */
static bool has_prey(const Board *hunter, const Seat *prey, uint8_t *mask)
{
    bool any = false;
    for (int at = 0; at < drafted_boards(prey) && (mask || !any); at++)
        if (!stopped_by(hunter, prey, at)) {
            any = true;
            if (mask)
                mask[at] = 1;
        }
    return any;
}

static bool finds_prey(const Game *g, int seat, const Board *hunter, uint8_t *opponents)
{
    bool any = false;
    for (int p = 1; p < g->players && (opponents || !any); p++)
        if (has_prey(hunter, &g->seat[seat_after(g, seat, p)], NULL)) {
            any = true;
            if (opponents)
                opponents[p - 1] = 1;
        }
    return any;
}

static void mask_feedings(const Game *g, Draft *d)
{
    const Seat *s = &g->seat[d->seat];
    d->mask[DO_DECLINE] = 1;
    for (int at = 0; at < drafted_boards(s); at++) {
        const Board *b = &s->board[at];
        d->mask[DO_STORE + at] = fat_need(b) > 0;
        if (hungry(b) && b->mask & CARNIVORE)
            d->mask[DO_ATTACK + at] = finds_prey(g, d->seat, b, NULL);
        else if (hungry(b))
            d->mask[DO_GRAZE + at] = 1;
    }
}

static void fill_mask(const Game *g, Draft *d)
{
    const Seat *s = &g->seat[d->seat];
    memset(d->mask, 0, sizeof d->mask);
    if (d->stage == AT_FOOD || d->stage == AT_CARD) {
        mask_cards(d);
    } else if (d->stage == AT_USE) {
        mask_uses(d);
    } else if (d->stage == AT_FEEDING) {
        mask_feedings(g, d);
    } else if (d->stage == AT_TOKENS) {
        memset(d->mask + DO_TOKENS, 1, (size_t)most_fat(g, &s->board[d->verb - DO_STORE]));
    } else if (d->stage == AT_OPPONENT) {
        finds_prey(g, d->seat, &s->board[d->verb - DO_ATTACK], d->mask + DO_OPPONENT);
    } else {
        const Seat *prey = &g->seat[seat_after(g, d->seat, d->opponent)];
        has_prey(&s->board[d->verb - DO_ATTACK], prey, d->mask + DO_TARGET);
    }
}

/* ---- steps ---- */

static void copy_own(Seat *to, const Seat *from)
{
    to->boards = from->boards;
    to->cards = from->cards;
    memcpy(to->hand, from->hand, from->cards);
    memcpy(to->board, from->board, from->boards * sizeof(Board));
}

/* For a seat that is asked; for none, which is -1, the mask is empty. */
void begin_draft(const Game *g, int seat, Draft *d)
{
    d->begun = 1;
    d->seat = (uint8_t)(seat < 0 ? MAX_PLAYERS : seat);
    d->stage = g->phase == FEED ? AT_FEEDING : AT_FOOD;
    d->verb = d->opponent = d->food = d->paid = d->latest = 0;
    if (seat < 0) {
        memset(d->mask, 0, sizeof d->mask);
        return;
    }
    copy_own(&d->own, &g->seat[seat]);
    fill_mask(g, d);
}

static int place_in_hand(const Seat *s, int card)
{
    int at = 0;
    while (s->hand[at] != card)
        at++;
    return at;
}

static void use_up(Seat *s, int card)
{
    int at = place_in_hand(s, card);
    s->cards--;
    memmove(s->hand + at, s->hand + at + 1, (size_t)(s->cards - at));
}

/* The use that the draft names takes this card. Drafts come in the order in which the rules carry out a play, so each
 * step can be done at once. */
static void take_card(const Game *g, Draft *d, int card)
{
    Seat *s = &d->own;
    int verb = d->verb, place = place_in_hand(&g->seat[d->seat], card), trait = card_trait[card];
    use_up(s, card);
    if (verb == DO_NEW_BOARD) {
        add_use(d->play, BUY_BOARD, 0, 0, place);
        s->board[s->boards++] = (Board){.population = 1};
    } else if (verb == DO_TRAIT) {
        Board *b = &s->board[s->boards - 1];
        add_use(d->play, ADD_TRAIT, 0, 0, place);
        b->trait[b->traits++] = (uint8_t)trait;
        b->mask |= (uint16_t)(1 << trait);
    } else if (verb < DO_POPULATION) {
        int at = (verb - DO_REPLACE) / MAX_TRAITS, slot = (verb - DO_REPLACE) % MAX_TRAITS;
        add_use(d->play, REPLACE_TRAIT, at, slot, place);
        replace_trait(&s->board[at], slot, trait);
    } else if (verb < DO_BODY) {
        add_use(d->play, GROW_POPULATION, verb - DO_POPULATION, 0, place);
        s->board[verb - DO_POPULATION].population++;
    } else {
        add_use(d->play, GROW_BODY, verb - DO_BODY, 0, place);
        s->board[verb - DO_BODY].body++;
    }
    if (pays(verb))
        d->paid = (uint8_t)(card + 1);
    d->latest = (uint8_t)verb;
    d->verb = 0;
    d->stage = AT_USE;
}

/* One action that the mask allows; true once the move is complete: then it is in `play` of the draft, or in `f`. */
bool extend_draft(const Game *g, Draft *d, int action, Feeding *f)
{
    if (d->stage == AT_FOOD) {
        memset(d->play, 0, 5);
        d->play[0] = (uint8_t)place_in_hand(&g->seat[d->seat], action);
        use_up(&d->own, action);
        d->food = (uint8_t)(action + 1);
        d->stage = AT_USE;
    } else if (d->stage == AT_USE) {
        if (action == DO_DONE)
            return true;
        d->verb = (uint8_t)action;
        d->stage = AT_CARD;
    } else if (d->stage == AT_CARD) {
        take_card(g, d, action);
    } else if (d->stage == AT_FEEDING && action >= DO_STORE) {
        d->verb = (uint8_t)action;
        d->stage = action < DO_ATTACK ? AT_TOKENS : AT_OPPONENT;
    } else if (d->stage == AT_OPPONENT) {
        d->opponent = (uint8_t)(action - DO_OPPONENT + 1);
        d->stage = AT_TARGET;
    } else {
        *f = (Feeding){.kind = action == DO_DECLINE ? DECLINE : GRAZE, .board = action - DO_GRAZE};
        if (d->stage == AT_TOKENS)
            *f = (Feeding){.kind = STORE, .board = d->verb - DO_STORE, .amount = action - DO_TOKENS + 1};
        else if (d->stage == AT_TARGET)
            *f = (Feeding){.kind = ATTACK,
                           .board = d->verb - DO_ATTACK,
                           .seat = seat_after(g, d->seat, d->opponent),
                           .amount = action - DO_TARGET};
        return true;
    }
    fill_mask(g, d);
    return false;
}

/* The same, and a complete move is taken at once; then the draft has not begun again. */
void step_draft(Game *g, Draft *d, int action)
{
    Feeding f;
    if (!extend_draft(g, d, action, &f))
        return;
    if (g->phase == FEED)
        take_feeding(g, &f);
    else
        take_play(g, d->seat, d->play);
    if (g->phase == FED)
        go_on(g);
    d->begun = 0;
}

/* ---- observations ---- */

static void show_boards(const Seat *s, uint8_t *at)
{
    const Board *end = s->board + drafted_boards(s);
    for (const Board *b = s->board; b < end; b++, at += SEE_BOARD) {
        at[0] = b->population;
        at[1] = b->body;
        at[2] = b->food;
        at[3] = b->fat;
        for (int slot = 0; slot < b->traits; slot++)
            at[4 + slot] = (uint8_t)(b->trait[slot] + 1);
    }
}

/* What the seat may know that drafts, at a table for so many players; nothing if no seat is asked. */
void observe(const Game *g, const Draft *d, int players, uint8_t *row)
{
    memset(row, 0, (size_t)(SEE_OTHERS + (players - 1) * SEE_OTHER));
    if (d->seat == MAX_PLAYERS)
        return;
    int before = 0;
    while (g->phase == CHOOSE && g->row[before] != d->seat)
        before++;
    uint8_t head[SEE_HAND] = {
        d->stage,
        d->verb,
        d->opponent,
        d->food,
        d->paid,
        d->latest,
        shown(g->turn),
        shown(g->hole),
        (uint8_t)(g->deck_size - g->dealt),
        g->players,
        (uint8_t)before,
        shown(g->seat[d->seat].bag),
        d->own.cards,
        d->own.boards,
    };
    memcpy(row, head, sizeof head);
    for (int card = 0; card < d->own.cards; card++)
        row[SEE_HAND + d->own.hand[card]] = 1;
    show_boards(&d->own, row + SEE_OWN);
    uint8_t *at = row + SEE_OTHERS;
    for (int p = 1; p < g->players; p++, at += SEE_OTHER) {
        const Seat *other = &g->seat[seat_after(g, d->seat, p)];
        at[0] = other->cards;
        at[1] = other->boards;
        show_boards(other, at + 2);
    }
}
