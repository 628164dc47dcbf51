/* A game as one flat struct, and what the kernel does with it. Plain C11: no Python, no allocation, no IO.
 *
 * Laws: a struct that `load_is_sound` or `deal_game` has passed never leads outside its arrays. Every board but the one
 * that a player without a board is handed costs a card; so the boards of a seat, the cards in its hand and those in the
 * deck stay below MAX_SEAT_BOARDS together. Cards never become more, so no hand exceeds MAX_CARDS.
 */
#ifndef WATERINGHOLE_KERNEL_H
#define WATERINGHOLE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MIN_PLAYERS = 3,
    MAX_PLAYERS = 8,
    MAX_CARDS = 122,
    MAX_SEAT_BOARDS = 128, /* no game with 122 cards comes so far: see above */
    MAX_POPULATION = 7,
    MAX_BODY = 7,
    MAX_TRAITS = 3,
    TRAITS = 16,
    DEFENCES = 6,
    MAX_PLAY = 5 + 3 * (MAX_CARDS - 1), /* bytes of a play; see `play` below */
    MAX_TOKENS = 1 << 30                /* in the watering hole at the start, in a bag that is loaded */
};

enum { /* the bits of the traits, as traits.py gives them */
    AMBUSH = 1 << 0,
    BURROWING = 1 << 1,
    CARNIVORE = 1 << 2,
    CLIMBING = 1 << 3,
    COOPERATION = 1 << 4,
    FAT_TISSUE = 1 << 5,
    FERTILE = 1 << 6,
    FORAGING = 1 << 7,
    HARD_SHELL = 1 << 8,
    HERDING = 1 << 9,
    HORNS = 1 << 10,
    LONG_NECK = 1 << 11,
    PACK_HUNTING = 1 << 12,
    SCAVENGER = 1 << 13,
    SYMBIOSIS = 1 << 14,
    WARNING_CALL = 1 << 15,
    OWN_DEFENCES = BURROWING | CLIMBING | HARD_SHELL | HERDING | SYMBIOSIS
};

enum { CHOOSE, FEED, FED, TURN_OVER, OVER }; /* as game.Phase */

enum { PLAY, GRAZE, STORE, ATTACK, DECLINE }; /* as packed.py numbers them */

enum { SILLY, RASH, GREEDY, LEARNER, NETWORK }; /* policies; a learner's actions come from outside */

enum { GROW_POPULATION, GROW_BODY, BUY_BOARD, ADD_TRAIT, REPLACE_TRAIT, NO_USE, USES }; /* of a card */

enum { /* drafted actions: the ids of env/actions.py */
    DRAFT_BOARDS = 12,
    DO_CARD = 0,
    DO_DONE = DO_CARD + MAX_CARDS,
    DO_NEW_BOARD,
    DO_TRAIT,
    DO_REPLACE,
    DO_POPULATION = DO_REPLACE + DRAFT_BOARDS * MAX_TRAITS,
    DO_BODY = DO_POPULATION + DRAFT_BOARDS,
    DO_DECLINE = DO_BODY + DRAFT_BOARDS,
    DO_GRAZE,
    DO_STORE = DO_GRAZE + DRAFT_BOARDS,
    DO_ATTACK = DO_STORE + DRAFT_BOARDS,
    DO_TOKENS = DO_ATTACK + DRAFT_BOARDS,
    DO_OPPONENT = DO_TOKENS + MAX_BODY,
    DO_TARGET = DO_OPPONENT + MAX_PLAYERS - 1,
    ACTIONS = DO_TARGET + DRAFT_BOARDS
};

enum { AT_FOOD, AT_USE, AT_CARD, AT_FEEDING, AT_TOKENS, AT_OPPONENT, AT_TARGET }; /* stages of a draft */

enum { /* observations: the bytes of env/observations.py */
    SEE_HAND = 14,
    SEE_BOARD = 4 + MAX_TRAITS,
    SEE_BOARDS = DRAFT_BOARDS * SEE_BOARD,
    SEE_OWN = SEE_HAND + MAX_CARDS,
    SEE_OTHERS = SEE_OWN + SEE_BOARDS,
    SEE_OTHER = 2 + SEE_BOARDS
};

enum { /* a taste, as doubles: what each card is worth, then these */
    THRIFT = MAX_CARDS,
    NEW_BOARDS,
    KILL,
    END,
    HORNED,
    FAT,
    BEGUN,
    TASTE
};

enum { DICE = 625 }; /* words of a Mersenne Twister: 624, and the place of the next one */

typedef struct {
    uint16_t mask; /* a bit for each trait */
    uint8_t population, body, food, fat;
    uint8_t traits, trait[MAX_TRAITS];
} Board;

typedef struct {
    int32_t bag;
    uint8_t boards, cards, chosen;
    /* The answer to choose, as packed.py writes it: the food card; a count and (board, card) for population; the same
     * for body; a count and (payment, count, traits...) for new boards; a count and (board, slot, card). */
    uint8_t play[MAX_PLAY];
    uint8_t hand[MAX_CARDS];
    Board board[MAX_SEAT_BOARDS];
} Seat;

typedef struct {
    int32_t hole, turn;
    uint8_t phase, players, queued, deck_size, dealt;
    uint8_t row[MAX_PLAYERS], queue[MAX_PLAYERS]; /* indexes of `seat`, in turn order */
    uint8_t deck[MAX_CARDS];
    Seat seat[MAX_PLAYERS]; /* by seat number - 1; those that are not in the row are unused */
} Game;

typedef struct {
    int kind, board;
    int seat;   /* of the prey */
    int amount; /* tokens of fat, or the prey's board */
    int p;      /* how many seats after the own the prey sits, from 1 */
} Feeding;

typedef struct {
    int kind;
    const double *taste; /* TASTE of them, for GREEDY */
    uint32_t *dice;      /* DICE of them, for RASH */
    const struct Network *network;
} Policy;

typedef struct {       /* a move in the making; see env/actions.py */
    uint8_t begun, seat; /* whose, once it has begun */
    uint8_t stage, verb, opponent, food, paid, latest;
    uint8_t play[MAX_PLAY];
    uint8_t mask[ACTIONS]; /* 1 for each action that may come next */
    Seat own;              /* boards and hand as the draft leaves them so far */
} Draft;

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

static inline bool hungry(const Board *b)
{
    return b->food < b->population;
}

extern const char *const trait_names[TRAITS];
extern const uint8_t defences[DEFENCES];
extern uint8_t card_trait[MAX_CARDS];
extern int8_t card_food[MAX_CARDS];

void fill_tables(void);
void deal_game(Game *g, const uint8_t *deck, int cards, int players, int32_t hole);
const char *load_is_sound(const Game *g);
void copy_game(Game *to, const Game *from);

int play_length(const uint8_t *play);
int new_boards(const uint8_t *play);
void add_use(uint8_t *play, int use, int board, int slot, int card);
int fat_need(const Board *b);
int most_fat(const Game *g, const Board *b);
void replace_trait(Board *b, int slot, int trait);
int seat_after(const Game *g, int seat, int steps);
const char *stopped_by(const Board *attacker, const Seat *prey, int at);
const char *play_refusal(const Seat *s, const uint8_t *play);
const char *feeding_refusal(const Game *g, int seat, const Feeding *f);
void take_play(Game *g, int seat, const uint8_t *play);
void take_feeding(Game *g, const Feeding *f);
void go_on(Game *g);
bool next_option(const Game *g, int seat, Feeding *f);
int score(const Seat *s);

bool decide_play(const Game *g, int seat, const Policy *policy, uint8_t *play);
bool decide_feeding(const Game *g, int seat, const Policy *policy, Feeding *f);
bool play_on(Game *g, const Policy *policies, int32_t last_turn);

int asked_seat(const Game *g);
void begin_draft(const Game *g, int seat, Draft *d);
bool extend_draft(const Game *g, Draft *d, int action, Feeding *f);
void step_draft(Game *g, Draft *d, int action);
void observe(const Game *g, const Draft *d, int players, uint8_t *row);

#endif
