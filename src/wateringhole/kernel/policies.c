/* The house bots silly, rash and greedy of src/wateringhole/agents/, and networks, which take the best action of each
 * draft: the same moves, and the same random draws. */
#include "kernel.h"
#include "network.h"

#include <string.h>

enum { FIRST_CARDS = 6, MIN_SILLY_CARDS = 3, DECLINES_ONE_IN = 12 };

/* ---- silly ---- */

/* Boards compare by population, then food, then body. */
static int size_of(const Board *b)
{
    return b->population << 16 | b->food << 8 | b->body;
}

/* Food, a new board with one trait; as far as the cards go, one growth of each kind and a replacement there. */
static bool silly_play(const Seat *s, uint8_t *play)
{
    int first[FIRST_CARDS], count = 0; /* the cards that come first in the sorted deck, equal ones from the left */
    for (int at = 0; at < s->cards; at++) {
        int key = s->hand[at] << 8 | at;
        if (count == FIRST_CARDS && key > first[count - 1])
            continue;
        int place = count < FIRST_CARDS ? count++ : count - 1;
        for (; place && first[place - 1] > key; place--)
            first[place] = first[place - 1];
        first[place] = key;
    }
    if (count < MIN_SILLY_CARDS)
        return false;
    *play++ = (uint8_t)first[0];
    for (int card = 3; card < 5; card++) {
        *play++ = count > card;
        if (count > card) {
            *play++ = s->boards;
            *play++ = (uint8_t)first[card];
        }
    }
    *play++ = 1;
    *play++ = (uint8_t)first[1];
    *play++ = 1;
    *play++ = (uint8_t)first[2];
    *play++ = count > 5;
    if (count > 5) {
        *play++ = s->boards;
        *play++ = 0;
        *play++ = (uint8_t)first[5];
    }
    return true;
}

/* The largest board that this carnivore may attack; whether there is one. */
static bool largest_prey(const Game *g, int seat, Feeding *f)
{
    int most = 0, hunter = f->board;
    Feeding option = {.kind = STORE, .board = hunter}; /* on to the attacks of this board */
    while (next_option(g, seat, &option) && option.board == hunter) {
        int size = size_of(&g->seat[option.seat].board[option.amount]);
        if (size > most) {
            most = size;
            *f = option;
        }
    }
    return most > 0;
}

/* The greatest fat need, else the largest hungry vegetarian, else the largest carnivore that finds prey. */
static void silly_feeding(const Game *g, int seat, Feeding *f)
{
    const Seat *s = &g->seat[seat];
    int fattest = -1, grazer = -1, neediest = 0, most = 0;
    uint64_t hunters[2] = {0, 0};
    for (int at = 0; at < s->boards; at++) {
        const Board *b = &s->board[at];
        int need = fat_need(b);
        int key = need << 24 | size_of(b);
        if (need && key > neediest) {
            fattest = at;
            neediest = key;
        }
        if (!hungry(b))
            continue;
        if (b->mask & CARNIVORE) {
            hunters[at >> 6] |= UINT64_C(1) << (at & 63);
        } else if (size_of(b) > most) {
            grazer = at;
            most = size_of(b);
        }
    }
    *f = (Feeding){.kind = DECLINE};
    if (fattest >= 0) {
        *f = (Feeding){.kind = STORE, .board = fattest, .amount = most_fat(g, &s->board[fattest])};
        return;
    }
    if (grazer >= 0) {
        *f = (Feeding){.kind = GRAZE, .board = grazer};
        return;
    }
    while (hunters[0] | hunters[1]) { /* from large to small, equal ones from the left */
        int hunter = -1;
        for (int at = 0; at < s->boards; at++)
            if (hunters[at >> 6] >> (at & 63) & 1)
                if (hunter < 0 || size_of(&s->board[at]) > size_of(&s->board[hunter]))
                    hunter = at;
        hunters[hunter >> 6] &= ~(UINT64_C(1) << (hunter & 63));
        *f = (Feeding){.kind = DECLINE, .board = hunter};
        if (largest_prey(g, seat, f))
            return;
    }
}

/* ---- rash ---- */

/* The next 32 bits of Python's random.Random, which is a Mersenne Twister (MT19937). */
static uint32_t next_word(uint32_t *dice)
{
    enum { WORDS = DICE - 1, SHIFT = 397 };
    if (dice[WORDS] >= WORDS) {
        for (int at = 0; at < WORDS; at++) {
            uint32_t joined = (dice[at] & 0x80000000u) | (dice[(at + 1) % WORDS] & 0x7fffffffu);
            dice[at] = dice[(at + SHIFT) % WORDS] ^ joined >> 1 ^ (joined & 1 ? 0x9908b0dfu : 0);
        }
        dice[WORDS] = 0;
    }
    uint32_t word = dice[dice[WORDS]++];
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
}

/* Random.randrange(limit): as many bits as the limit has, drawn again while they are not below it. */
static int below(uint32_t *dice, int limit)
{
    int bits = 0;
    while (limit >> bits)
        bits++;
    int drawn;
    do
        drawn = (int)(next_word(dice) >> (32 - bits));
    while (drawn >= limit);
    return drawn;
}

/* One more card gets a use: growth, a board, a new board's trait, a replacement, or none. */
static void use_card(uint8_t *play, int card, int old, uint32_t *dice)
{
    int board = below(dice, old + new_boards(play));
    int use = below(dice, USES);
    int slot = use == REPLACE_TRAIT ? below(dice, MAX_TRAITS) : 0;
    add_use(play, use, board, slot, card);
}

/* Each card in turn gets a random use; a use that the rules refuse leaves the card in the hand. */
static bool rash_play(const Seat *s, uint32_t *dice, uint8_t *play)
{
    int cards[MAX_CARDS], left[MAX_CARDS], held = s->cards;
    if (!held)
        return false;
    for (int at = 0; at < held; at++)
        left[at] = at;
    for (int at = 0; at < held; at++) { /* Random.sample */
        int drawn = below(dice, held - at);
        cards[at] = left[drawn];
        left[drawn] = left[held - at - 1];
    }
    uint8_t wish[MAX_PLAY];
    memcpy(play, (uint8_t[]){(uint8_t)cards[0], 0, 0, 0, 0}, 5);
    for (int at = 1; at < held; at++) {
        memcpy(wish, play, (size_t)play_length(play));
        use_card(wish, cards[at], s->boards, dice);
        if (!play_refusal(s, wish))
            memcpy(play, wish, (size_t)play_length(wish));
    }
    return true;
}

/* Any option, now and then less fat than possible, and now and then nothing more at all. */
static bool rash_feeding(const Game *g, int seat, uint32_t *dice, Feeding *f)
{
    if (below(dice, DECLINES_ONE_IN) == 0) {
        *f = (Feeding){.kind = DECLINE};
        return true;
    }
    int options = 0;
    for (Feeding option = {0}; next_option(g, seat, &option);)
        options++;
    if (!options)
        return false;
    *f = (Feeding){0};
    for (int skipped = below(dice, options) + 1; skipped; skipped--)
        next_option(g, seat, f);
    if (f->kind == STORE)
        f->amount = 1 + below(dice, f->amount);
    return true;
}

/* ---- greedy ---- */

/* Food, new boards with the traits it likes, and animals for what is left. */
static bool greedy_play(const Seat *s, const double *taste, uint8_t *play)
{
    int order[MAX_CARDS], count = 0, food = 0, liked = 0;
    double most = -99.0;
    if (!s->cards)
        return false;
    for (int at = 0; at < s->cards; at++) {
        double gain = card_food[s->hand[at]] - taste[THRIFT] * taste[s->hand[at]];
        if (gain > most) {
            food = at;
            most = gain;
        }
    }
    for (int at = 0; at < s->cards; at++) { /* the others by what they are worth, equal ones from the left */
        if (at == food)
            continue;
        double worth = taste[s->hand[at]];
        int place = count++;
        for (; place && taste[s->hand[order[place - 1]]] > worth; place--)
            order[place] = order[place - 1];
        order[place] = at;
        liked += worth >= 1.0;
    }
    int spare = count - liked;
    if (!spare && liked > 1)
        spare = 1;
    double wanted = taste[NEW_BOARDS];
    int boards = wanted > spare ? spare : wanted > 0 ? (int)wanted : 0;
    int traits[MAX_CARDS][MAX_TRAITS], filled[MAX_CARDS], masks[MAX_CARDS];
    for (int at = 0; at < boards; at++)
        filled[at] = masks[at] = 0;
    int animals[MAX_CARDS], growths = 0;
    for (int at = boards; at < spare; at++)
        animals[growths++] = order[at];
    for (int at = count - 1; at >= spare; at--) { /* the best together on the first board */
        int bit = 1 << card_trait[s->hand[order[at]]], board = 0;
        while (board < boards && (filled[board] == MAX_TRAITS || masks[board] & bit))
            board++;
        if (board == boards) {
            animals[growths++] = order[at];
            continue;
        }
        traits[board][filled[board]++] = order[at];
        masks[board] |= bit;
    }
    growths = least(growths, boards * (MAX_POPULATION - 1));
    *play++ = (uint8_t)food;
    *play++ = (uint8_t)growths;
    for (int at = 0; at < growths; at++) {
        *play++ = (uint8_t)(s->boards + at % boards);
        *play++ = (uint8_t)animals[at];
    }
    *play++ = 0;
    *play++ = (uint8_t)boards;
    for (int board = 0; board < boards; board++) {
        *play++ = (uint8_t)order[board];
        *play++ = (uint8_t)filled[board];
        for (int slot = 0; slot < filled[board]; slot++)
            *play++ = (uint8_t)traits[board][slot];
    }
    *play = 0;
    return true;
}

/* What a meal of this board brings, and what an attack does to the prey, and to the hunter if that has horns. */
static double gain_of(const Game *g, const Board *b, const Feeding *f, const double *taste)
{
    if (f->kind == STORE)
        return taste[FAT];
    double gain = (b->mask & FORAGING && b->population - b->food > 1 ? 2 : 1) + (b->food ? taste[BEGUN] : 0.0);
    if (f->kind != ATTACK)
        return gain;
    const Board *prey = &g->seat[f->seat].board[f->amount];
    double harm = taste[KILL];
    if (prey->population == 1)
        harm += taste[END] * (1 + prey->traits);
    if (prey->mask & HORNS)
        harm -= taste[HORNED] * (b->population == 1 ? 2 : 1);
    return gain + harm;
}

/* The best of all options, and never none. */
static void greedy_feeding(const Game *g, int seat, const double *taste, Feeding *f)
{
    double most = -99.0;
    *f = (Feeding){.kind = DECLINE};
    for (Feeding option = {0}; next_option(g, seat, &option);) {
        double gain = gain_of(g, &g->seat[seat].board[option.board], &option, taste);
        if (gain > most) {
            most = gain;
            *f = option;
        }
    }
}

/* ---- networks ---- */

static bool network_play(const Game *g, int seat, const Network *net, uint8_t *play)
{
    Draft d;
    Feeding none;
    if (!g->seat[seat].cards)
        return false;
    draft_move(g, seat, net, 0, NULL, &d, &none);
    memcpy(play, d.play, (size_t)play_length(d.play));
    return true;
}

static void network_feeding(const Game *g, int seat, const Network *net, Feeding *f)
{
    Draft d;
    draft_move(g, seat, net, 0, NULL, &d, f);
}

/* ---- decisions and playouts ---- */

/* The play of this seat; false where its bot would raise an exception: the hand is too small. */
bool decide_play(const Game *g, int seat, const Policy *policy, uint8_t *play)
{
    const Seat *s = &g->seat[seat];
    if (policy->kind == SILLY)
        return silly_play(s, play);
    if (policy->kind == RASH)
        return rash_play(s, policy->dice, play);
    if (policy->kind == NETWORK)
        return network_play(g, seat, policy->network, play);
    return greedy_play(s, policy->taste, play);
}

/* The feeding of this seat; false where its bot would raise an exception: there is no option. */
bool decide_feeding(const Game *g, int seat, const Policy *policy, Feeding *f)
{
    if (policy->kind == RASH)
        return rash_feeding(g, seat, policy->dice, f);
    if (policy->kind == SILLY)
        silly_feeding(g, seat, f);
    else if (policy->kind == NETWORK)
        network_feeding(g, seat, policy->network, f);
    else
        greedy_feeding(g, seat, policy->taste, f);
    return true;
}

/* To the end of the game or of this turn, from wherever it stands; false where a bot would raise an exception. */
bool play_on(Game *g, const Policy *policies, int32_t last_turn)
{
    go_on(g);
    while (g->phase != OVER && g->turn <= last_turn) {
        if (g->phase == FEED) {
            Feeding f;
            if (!decide_feeding(g, g->queue[0], &policies[g->queue[0]], &f))
                return false;
            take_feeding(g, &f);
        } else {
            uint8_t play[MAX_PLAY];
            for (int at = 0, players = g->players; at < players; at++) {
                int seat = g->row[at];
                if (g->seat[seat].chosen)
                    continue;
                if (!decide_play(g, seat, &policies[seat], play))
                    return false;
                take_play(g, seat, play); /* the last one reveals them all */
                if (g->phase != CHOOSE)
                    break;
            }
        }
        if (g->phase == FED)
            go_on(g);
    }
    return true;
}
