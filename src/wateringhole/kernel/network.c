/* The decisions of a network: the same additions and multiplications in the same order as learned/decision.py, so that
 * both find the same numbers to the last bit. All scales are powers of two, as in learned/layout.py. */
#include "network.h"

#include <string.h>

enum { /* bytes of an observation, as in env/observations.py */
    SEE_STAGE,
    SEE_VERB,
    SEE_OPPONENT,
    SEE_FOOD,
    SEE_PAID,
    SEE_LATEST,
    SEE_TURN,
    SEE_OWNED = 13
};

static const double head_scales[HEAD_PARTS] = {1. / 8, 1. / 16, 1. / 128, 1. / 8, 1. / 8, 1. / 64, 1. / 16, 1. / 8};

/* How many numbers the weights and biases of a network with these hidden layers are. */
size_t network_size(int first, int second)
{
    return (size_t)(INPUTS + 1) * (size_t)first + (size_t)(first + 1) * (size_t)second +
           (size_t)(second + 1) * OUTPUTS;
}

static bool traits_are_sound(const uint8_t *boards)
{
    for (int at = 0; at < DRAFT_BOARDS; at++)
        for (int slot = 4; slot < SEE_BOARD; slot++)
            if (boards[at * SEE_BOARD + slot] > TRAITS)
                return false;
    return true;
}

/* Whether no number of a row leads outside an array. */
bool observation_is_sound(const uint8_t *row, int others)
{
    if (row[SEE_STAGE] > AT_TARGET || row[SEE_VERB] >= ACTIONS || row[SEE_LATEST] >= ACTIONS ||
        row[SEE_FOOD] > MAX_CARDS || row[SEE_OPPONENT] > others ||
        (row[SEE_STAGE] == AT_TARGET && !row[SEE_OPPONENT]) || !traits_are_sound(row + SEE_OWN))
        return false;
    for (int other = 0; other < others; other++)
        if (!traits_are_sound(row + SEE_OTHERS + other * SEE_OTHER + 2))
            return false;
    return true;
}

/* ---- inputs ---- */

static void describe_board(const uint8_t *written, double *into)
{
    memset(into, 0, BOARD_PARTS * sizeof *into);
    into[0] = written[0] > 0;
    for (int at = 0; at < 4; at++)
        into[1 + at] = written[at] / 8.;
    into[5] = written[0] > written[2];
    for (int slot = 4; slot < SEE_BOARD; slot++)
        if (written[slot])
            into[FIGURES + written[slot] - 1] += 1;
}

/* The sum of an opponent's boards, and its cards; its carnivores raise `hunters`, unless that is NULL. */
static void describe_opponent(const uint8_t *written, double *into, double *hunters)
{
    double board[BOARD_PARTS];
    memset(into, 0, OPPONENT_PARTS * sizeof *into);
    for (int at = 0; at < DRAFT_BOARDS; at++) {
        const uint8_t *one = written + 2 + at * SEE_BOARD;
        if (!one[0])
            continue;
        describe_board(one, board);
        for (int part = 0; part < BOARD_PARTS; part++)
            into[part] += board[part] / 8;
        if (hunters && board[FIGURES + 2]) /* the place of carnivore */
            for (int part = 0; part < BOARD_PARTS; part++)
                if (board[part] > hunters[part])
                    hunters[part] = board[part];
    }
    into[BOARD_PARTS] = written[0] / 16.;
}

/* The kind of a use or feeding: new board, trait, replace, population, body, store fat, attack; -1 for others. */
static int kind_of(int action)
{
    if (action < DO_NEW_BOARD)
        return -1;
    if (action < DO_REPLACE)
        return action - DO_NEW_BOARD;
    if (action < DO_DECLINE)
        return action < DO_POPULATION ? 2 : action < DO_BODY ? 3 : 4;
    return action < DO_STORE || action >= DO_TOKENS ? -1 : action < DO_ATTACK ? 5 : 6;
}

/* The own board that a draft is about; -1 for none. */
static int focus_of(int verb, int boards)
{
    switch (kind_of(verb)) {
    case 1:
        return least(boards, DRAFT_BOARDS) - 1;
    case 2:
        return (verb - DO_REPLACE) / MAX_TRAITS;
    case 3:
        return verb - DO_POPULATION;
    case 4:
        return verb - DO_BODY;
    case 5:
        return verb - DO_STORE;
    case 6:
        return verb - DO_ATTACK;
    default:
        return -1;
    }
}

static void draft_inputs(const uint8_t *row, double *in)
{
    int verb = kind_of(row[SEE_VERB]), latest = kind_of(row[SEE_LATEST]), food = row[SEE_FOOD];
    in[IN_STAGE + row[SEE_STAGE]] = 1;
    if (verb >= 0)
        in[IN_VERB + verb] = 1;
    if (latest >= 0 && latest < 5)
        in[IN_LATEST + latest] = 1;
    in[IN_PAID] = row[SEE_PAID] / 128.;
    in[IN_FOOD] = food > 0;
    in[IN_FOOD + 1] = food ? card_food[food - 1] / 8. : 0;
    for (int at = 0; at < HEAD_PARTS; at++)
        in[IN_HEAD + at] = row[SEE_TURN + at] * head_scales[at];
    for (int card = 0; card < MAX_CARDS; card++)
        if (row[SEE_HAND + card]) {
            in[IN_HAND_FOOD] += card_food[card] / 16.;
            in[IN_HAND + card_trait[card]] += 1. / 2;
        }
}

/* What the network reads of a sound observation with so many opponents. */
void network_inputs(const uint8_t *row, int others, double *in)
{
    memset(in, 0, INPUTS * sizeof *in);
    draft_inputs(row, in);
    for (int at = 0; at < DRAFT_BOARDS; at++) {
        double *own = in + IN_OWN + at * BOARD_PARTS;
        describe_board(row + SEE_OWN + at * SEE_BOARD, own);
        for (int part = 0; part < BOARD_PARTS; part++)
            in[IN_OWN_SUM + part] += own[part] / 4;
    }
    int focus = focus_of(row[SEE_VERB], row[SEE_OWNED]);
    if (focus >= 0)
        memcpy(in + IN_FOCUS, in + IN_OWN + focus * BOARD_PARTS, BOARD_PARTS * sizeof *in);
    if (kind_of(row[SEE_VERB]) == 2) {
        int replaced = row[SEE_OWN + focus * SEE_BOARD + 4 + (row[SEE_VERB] - DO_REPLACE) % MAX_TRAITS];
        if (replaced)
            in[IN_REPLACED + replaced - 1] = 1;
    }
    for (int other = 0; other < others; other++) {
        double one[OPPONENT_PARTS];
        describe_opponent(row + SEE_OTHERS + other * SEE_OTHER, one, in + IN_HUNTERS);
        for (int part = 0; part < OPPONENT_PARTS; part++)
            in[IN_OTHERS_SUM + part] += one[part];
    }
}

/* ---- layers and scores ---- */

/* Compiled twice, and the system picks what the processor knows: with AVX2 a decision takes about three quarters of the
 * time. Neither has fused multiplications and additions, so both find the same numbers. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

/* The outputs from `first` to before `end` of a layer. The weights are single floats, because half as many bytes are read
 * in less time; what is computed with them is double. */
WIDE static void some_outputs(const float *restrict numbers, const double *restrict in, int inputs,
                              double *restrict out, int outputs, int first, int end)
{
    const float *biases = numbers + (size_t)inputs * (size_t)outputs;
    for (int to = first; to < end; to++)
        out[to] = biases[to];
    for (int at = 0; at < inputs; at++) {
        const float *weights = numbers + (size_t)at * (size_t)outputs;
        if (in[at] != 0)
            for (int to = first; to < end; to++)
                out[to] += in[at] * (double)weights[to];
    }
}

/* One layer; the numbers behind it are those of the next one. */
static const float *layer(const float *numbers, const double *in, int inputs, double *out, int outputs)
{
    some_outputs(numbers, in, inputs, out, outputs, 0, outputs);
    return numbers + (size_t)(inputs + 1) * (size_t)outputs;
}

static void cut_below_zero(double *numbers, int count)
{
    for (int at = 0; at < count; at++)
        if (numbers[at] < 0)
            numbers[at] = 0;
}

static double product(const double *query, const double *description, int parts)
{
    double sum = 0;
    for (int at = 0; at < parts; at++)
        if (description[at] != 0)
            sum += query[at] * description[at];
    return sum;
}

static double score_of_card(const double *out, int card)
{
    const double *query = out + OUT_CARD;
    return query[card_trait[card]] + query[TRAITS] * (card_food[card] / 8.) + query[TRAITS + 1] * (card / 128.);
}

static double score_of(const uint8_t *row, const double *in, const double *out, int action)
{
    const double *own = in + IN_OWN;
    if (action < DO_DONE)
        return score_of_card(out, action);
    if (action < DO_REPLACE)
        return out[OUT_DONE + action - DO_DONE];
    if (action < DO_POPULATION) {
        int at = (action - DO_REPLACE) / MAX_TRAITS, slot = (action - DO_REPLACE) % MAX_TRAITS;
        int trait = row[SEE_OWN + at * SEE_BOARD + 4 + slot];
        double sum = product(out + OUT_BOARD + 5 * BOARD_PARTS, own + at * BOARD_PARTS, BOARD_PARTS);
        return trait ? sum + out[OUT_REPLACED + trait - 1] : sum;
    }
    if (action == DO_DECLINE)
        return out[OUT_DECLINE];
    if (action < DO_TOKENS) { /* rows of boards, with decline among them */
        int place = action - DO_POPULATION - (action > DO_DECLINE);
        const double *query = out + OUT_BOARD + place / DRAFT_BOARDS * BOARD_PARTS;
        return product(query, own + place % DRAFT_BOARDS * BOARD_PARTS, BOARD_PARTS);
    }
    if (action < DO_OPPONENT)
        return out[OUT_TOKENS + action - DO_TOKENS];
    if (action < DO_TARGET) {
        double one[OPPONENT_PARTS];
        describe_opponent(row + SEE_OTHERS + (action - DO_OPPONENT) * SEE_OTHER, one, NULL);
        return product(out + OUT_OPPONENT, one, OPPONENT_PARTS);
    }
    double board[BOARD_PARTS];
    const uint8_t *prey = row + SEE_OTHERS + (row[SEE_OPPONENT] - 1) * SEE_OTHER + 2;
    describe_board(prey + (action - DO_TARGET) * SEE_BOARD, board);
    return product(out + OUT_TARGET, board, BOARD_PARTS);
}

static const struct { /* actions, and the outputs that their scores are made of */
    int action, actions, first, end;
} parts_of_scores[] = {
    {DO_CARD, MAX_CARDS, OUT_CARD, OUT_BOARD},
    {DO_DONE, 3, OUT_DONE, OUT_DECLINE},
    {DO_REPLACE, DRAFT_BOARDS * MAX_TRAITS, OUT_BOARD + 5 * BOARD_PARTS, OUT_OPPONENT},
    {DO_POPULATION, 2 * DRAFT_BOARDS, OUT_BOARD, OUT_BOARD + 2 * BOARD_PARTS},
    {DO_DECLINE, 1, OUT_DECLINE, OUT_TOKENS},
    {DO_GRAZE, 3 * DRAFT_BOARDS, OUT_BOARD + 2 * BOARD_PARTS, OUT_BOARD + 5 * BOARD_PARTS},
    {DO_TOKENS, MAX_BODY, OUT_TOKENS, OUT_CARD},
    {DO_OPPONENT, MAX_PLAYERS - 1, OUT_OPPONENT, OUT_TARGET},
    {DO_TARGET, DRAFT_BOARDS, OUT_TARGET, OUTPUTS},
};

/* The value, and all outputs that an action of this mask needs: few of them, for most stages of a draft. */
static void last_layer(const float *numbers, const double *in, int inputs, const uint8_t *mask, double *out)
{
    some_outputs(numbers, in, inputs, out, OUTPUTS, OUT_VALUE, OUT_VALUE + 1);
    for (size_t part = 0; part < sizeof parts_of_scores / sizeof *parts_of_scores; part++) {
        int first = parts_of_scores[part].action;
        if (memchr(mask + first, 1, (size_t)parts_of_scores[part].actions))
            some_outputs(numbers, in, inputs, out, OUTPUTS, parts_of_scores[part].first, parts_of_scores[part].end);
    }
}

/* The score of each action that the mask allows, 0 for others; behind them the value. */
void network_scores(const Network *net, const uint8_t *row, int others, const uint8_t *mask, double *scores)
{
    double in[INPUTS], first[MAX_HIDDEN], second[MAX_HIDDEN], out[OUTPUTS];
    network_inputs(row, others, in);
    const float *numbers = layer(net->numbers, in, INPUTS, first, net->first);
    cut_below_zero(first, net->first);
    numbers = layer(numbers, first, net->first, second, net->second);
    cut_below_zero(second, net->second);
    last_layer(numbers, second, net->second, mask, out);
    for (int action = 0; action < ACTIONS; action++) {
        bool reachable = action < DO_OPPONENT || action >= DO_TARGET || action - DO_OPPONENT < others;
        bool targets = action < DO_TARGET || row[SEE_OPPONENT];
        scores[action] = mask[action] == 1 && reachable && targets ? score_of(row, in, out, action) : 0;
    }
    scores[ACTIONS] = out[OUT_VALUE];
}
