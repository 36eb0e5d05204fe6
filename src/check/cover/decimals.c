/* Bounds of costs that are decimals.
 *
 * Decimals are no multiples of a common divisor as doubles, but nearly of a unit: a bound may still be rounded up.
 */
#include <math.h>

#include "check/cover/cover.h"

/* Whether all rows' costs are multiples of 1/scale, to 1e-13 of each. */
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

/* Decimals are no multiples of a common divisor as doubles, but nearly of a unit u, to δ = 2e-13 with what rounding
   adds here: mistakes that cost s are M units with u M (1-δ) <= s <= u M (1+δ). So from s >= proved follows M >= proved
   / (u (1+δ)). */
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
