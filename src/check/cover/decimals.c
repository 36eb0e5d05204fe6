/* Rounds up a bound of costs that are decimals.
 *
 * As doubles, decimals such as 0.1 and 0.3 are not multiples of a common unit, but nearly. Let every cost be a multiple
 * of u up to a relative error δ = 2e-13, which includes the rounding here. Mistakes that cost s are M units, M a whole
 * number, with u M (1-δ) <= s <= u M (1+δ). So s >= proved gives M >= proved / (u (1+δ)). M is rounded up to a whole
 * number, and s >= u M (1-δ).
 */
#include <math.h>

#include "check/cover/cover.h"

/* Whether the costs of all rows are multiples of 1/scale, to a relative 1e-13. */
static bool are_multiples(const linpred__cover_question *question, double scale)
{
    const double *class_cost = question->class_cost;
    for (int64_t b = 0; b < question->data->blocks; b++) {
        const linpred__block *block = &question->data->block[b];
        for (int32_t r = 0; r < block->rows; r++) {
            double cost = (block->weight ? block->weight[r] : 1.0) * class_cost[block->target[r] > 0] * scale;
            if (!(fabs(cost - nearbyint(cost)) <= 1e-13 * cost))
                return false;
        }
    }
    return true;
}

/* Units that are tried: the smallest cost, 0.1, 0.01, … 0.000001. */
double linpred__round_up_to_decimals(const linpred__cover_question *question, double proved)
{
    const double *class_cost = question->class_cost, rounding = 2e-13;
    double smallest = INFINITY;
    for (int64_t b = 0; b < question->data->blocks; b++)
        for (int32_t r = 0; r < question->data->block[b].rows; r++)
            smallest = fmin(smallest, (question->data->block[b].weight ? question->data->block[b].weight[r] : 1.0) *
                                          class_cost[question->data->block[b].target[r] > 0]);
    for (double decimal = 1.0; decimal <= 1e6; decimal *= 10.0) {
        double scale = decimal == 1.0 ? 1.0 / smallest : decimal;
        if (proved > 0 && isnormal(smallest) && proved * scale < 0x1p50 && are_multiples(question, scale))
            return fmax(proved, ceil(proved * scale * (1.0 - rounding)) / scale * (1.0 - rounding));
    }
    return proved;
}
