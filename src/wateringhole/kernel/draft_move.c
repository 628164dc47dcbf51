/* Whole moves drafted with a network: learned/decision.py's Decider and env/agent.py's DraftingAgent once more. */
#include "network.h"

#include <math.h>

/* The best action that the mask allows, the first of equal ones. */
static int best_action(const uint8_t *mask, const double *scores)
{
    int best = -1;
    for (int action = 0; action < ACTIONS; action++)
        if (mask[action] && (best < 0 || scores[action] > scores[best]))
            best = action;
    return best;
}

/* An action that the mask allows, which `draw` decides, a number from 0 to 1; the best one if it is NULL. At temperature 1
 * an action whose score is less by 1 is 2.7 times as seldom. Its probability is multiplied into the last argument. */
static int drawn_action(const uint8_t *mask, const double *scores, double temperature, const double *draw,
                        double *probability)
{
    double odds[ACTIONS], total = 0, passed = 0;
    int best = best_action(mask, scores), drawn = best;
    for (int action = 0; action < ACTIONS; action++)
        if (mask[action])
            total += odds[action] = exp((scores[action] - scores[best]) / temperature);
    for (int action = 0; draw && action < ACTIONS && passed <= *draw * total; action++)
        if (mask[action]) {
            passed += odds[action];
            drawn = action;
        }
    *probability *= odds[drawn] / total;
    return drawn;
}

/* What the network thinks that the game is worth to a seat that is asked. */
double value_to(const Game *g, int seat, const Network *net)
{
    uint8_t row[SEE_OTHERS + (MAX_PLAYERS - 1) * SEE_OTHER];
    double scores[ACTIONS + 1];
    Draft d;
    begin_draft(g, seat, &d);
    observe(g, &d, g->players, row);
    network_scores(net, row, g->players - 1, d.mask, scores);
    return scores[ACTIONS];
}

/* The move of a seat that is asked: `play` of the draft, or `f`. Each action is drawn with the next of `draws`; without
 * them it is the best. How probable the move was at this temperature; at temperature 0 that is not worked out. */
double draft_move(const Game *g, int seat, const Network *net, double temperature, const double *draws, Draft *d,
                  Feeding *f)
{
    uint8_t row[SEE_OTHERS + (MAX_PLAYERS - 1) * SEE_OTHER];
    double scores[ACTIONS + 1], probability = 1;
    int action;
    begin_draft(g, seat, d);
    do {
        observe(g, d, g->players, row);
        network_scores(net, row, g->players - 1, d->mask, scores);
        if (temperature > 0)
            action = drawn_action(d->mask, scores, temperature, draws ? draws++ : NULL, &probability);
        else
            action = best_action(d->mask, scores);
    } while (!extend_draft(g, d, action, f));
    return probability;
}
