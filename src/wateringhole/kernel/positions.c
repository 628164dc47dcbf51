/* Games that come from elsewhere, and copies of games. */
#include "kernel.h"

#include <string.h>

static const char *board_is_sound(const Board *b)
{
    if (b->population < 1 || b->population > MAX_POPULATION || b->food > b->population)
        return "a board's population or food";
    if (b->body > MAX_BODY || b->fat > b->body || (b->fat && !(b->mask & FAT_TISSUE)))
        return "a board's body or fat";
    int mask = 0;
    for (int slot = 0; slot < b->traits; slot++) {
        if (mask & 1 << b->trait[slot])
            return "a board's traits";
        mask |= 1 << b->trait[slot];
    }
    return NULL;
}

/* Whether none of these cards was seen before; they are marked as seen. */
static bool all_new(const uint8_t *cards, int count, bool *seen)
{
    bool good = true;
    for (int at = 0; at < count; at++) {
        good &= !seen[cards[at]];
        seen[cards[at]] = true;
    }
    return good;
}

/* Of a game whose numbers are in their ranges: what is beyond the kernel, or NULL. */
const char *load_is_sound(const Game *g)
{
    bool seen[MAX_CARDS] = {false};
    int left = g->deck_size - g->dealt, chosen = 0, seats = 0;
    if (!all_new(g->deck + g->dealt, left, seen))
        return "a card that is there twice";
    for (int at = 0; at < g->players; at++) {
        const Seat *s = &g->seat[g->row[at]];
        if (seats & 1 << g->row[at])
            return "a seat that is there twice";
        seats |= 1 << g->row[at];
        if (!all_new(s->hand, s->cards, seen))
            return "a card that is there twice";
        if (s->boards + s->cards + left + 1 > MAX_SEAT_BOARDS)
            return "the number of boards";
        for (int board = 0; board < s->boards; board++)
            if (board_is_sound(&s->board[board]))
                return board_is_sound(&s->board[board]);
        if (g->phase == CHOOSE && !s->boards)
            return "a seat that chooses cards without a board";
        chosen += s->chosen;
        if (s->chosen && (g->phase != CHOOSE || play_refusal(s, s->play)))
            return "a card play";
    }
    if (g->phase == CHOOSE && chosen == g->players)
        return "the phase: all have chosen";
    int queued = 0;
    for (int at = 0; at < g->queued; at++) {
        if (queued & 1 << g->queue[at] || !(seats & 1 << g->queue[at]))
            return "the queue";
        queued |= 1 << g->queue[at];
    }
    if (g->phase == FEED && (!g->queued || !g->hole))
        return "the phase: no player can feed";
    return NULL;
}

/* Only what is in use: a game is 14 KB, and in use are one or two. */
void copy_game(Game *to, const Game *from)
{
    memcpy(to, from, offsetof(Game, seat));
    for (int at = 0; at < from->players; at++) {
        const Seat *s = &from->seat[from->row[at]];
        Seat *t = &to->seat[from->row[at]];
        memcpy(t, s, offsetof(Seat, play));
        if (s->chosen)
            memcpy(t->play, s->play, (size_t)play_length(s->play));
        memcpy(t->hand, s->hand, s->cards);
        memcpy(t->board, s->board, s->boards * sizeof(Board));
    }
}
