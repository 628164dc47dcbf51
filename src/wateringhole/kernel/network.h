/* The network of learned/layout.py, once more: its inputs and its scores. Plain C11, no Python. */
#ifndef WATERINGHOLE_NETWORK_H
#define WATERINGHOLE_NETWORK_H

#include "kernel.h"

enum {
    MAX_HIDDEN = 1024,
    FIGURES = 6, /* of a board: whether it is there, population, body, food, fat, whether it is hungry */
    BOARD_PARTS = FIGURES + TRAITS,
    OPPONENT_PARTS = BOARD_PARTS + 1,
    CARD_PARTS = TRAITS + 2
};

enum { /* inputs */
    IN_STAGE = 0,
    IN_VERB = IN_STAGE + AT_TARGET + 1,
    IN_LATEST = IN_VERB + 7,
    IN_PAID = IN_LATEST + 5,
    IN_FOOD,
    IN_HEAD = IN_FOOD + 2,
    HEAD_PARTS = 8,
    IN_HAND_FOOD = IN_HEAD + HEAD_PARTS,
    IN_HAND,
    IN_REPLACED = IN_HAND + TRAITS,
    IN_FOCUS = IN_REPLACED + TRAITS,
    IN_OWN_SUM = IN_FOCUS + BOARD_PARTS,
    IN_OTHERS_SUM = IN_OWN_SUM + BOARD_PARTS,
    IN_HUNTERS = IN_OTHERS_SUM + OPPONENT_PARTS,
    IN_OWN = IN_HUNTERS + BOARD_PARTS,
    INPUTS = IN_OWN + DRAFT_BOARDS * BOARD_PARTS
};

enum { /* outputs */
    OUT_VALUE = 0,
    OUT_DONE,
    OUT_DECLINE = OUT_DONE + 3,
    OUT_TOKENS,
    OUT_CARD = OUT_TOKENS + MAX_BODY,
    OUT_BOARD = OUT_CARD + CARD_PARTS, /* queries for population, body, graze, store fat, attack, replace */
    OUT_REPLACED = OUT_BOARD + 6 * BOARD_PARTS,
    OUT_OPPONENT = OUT_REPLACED + TRAITS,
    OUT_TARGET = OUT_OPPONENT + OPPONENT_PARTS,
    OUTPUTS = OUT_TARGET + BOARD_PARTS
};

typedef struct Network {
    int first, second;    /* sizes of the hidden layers */
    const float *numbers; /* for each layer its weights, a row for each input, and its biases */
} Network;

size_t network_size(int first, int second);
bool observation_is_sound(const uint8_t *row, int others);
void network_inputs(const uint8_t *row, int others, double *in);
void network_scores(const Network *net, const uint8_t *row, int others, const uint8_t *mask, double *scores);
double value_to(const Game *g, int seat, const Network *net);
double draft_move(const Game *g, int seat, const Network *net, double temperature, const double *draws, Draft *d,
                  Feeding *f);

#endif
