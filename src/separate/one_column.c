/* Directions from single columns, by the range of each column among the rows of each label (see one_column.h). */
#include "separate/one_column.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "num/dd.h"
#include "pass/column_ranges.h"
#include "separate/rows/direction_rows.h"
#include "separate/rows/solver_rows.h"

/* A number between `low` and `high` that has few digits. */
static double short_number_between(double low, double high)
{
    double middle = 0.5 * low + 0.5 * high, unit = 0.5 * ldexp(1.0, ilogb(high - low));
    double c = nearbyint(middle / unit) * unit;
    return low < c && c < high ? c : middle;
}

/* x times 10^K, if the cells have decimals; NaN if no double holds it. */
static double whole_value(const linpred_data *data, int32_t column, double x)
{
    if (!data->decimals || data->decimals->most == 0 || !isfinite(x))
        return x;
    linpred__dd whole = linpred__whole_cell(data->decimals, column, x);
    return whole.lo == 0.0 ? whole.hi : (double)NAN;
}

/* Returns the sign s for which s y(x_j - c) is >= 0 on every row and > 0 on some, or 0 if there is none. *strict is set
   if it is > 0 on every row. With decimals *c is 10^K c. */
static int sign_of(const linpred__problem *problem, int32_t j, double *c, bool *strict)
{
    const linpred__ranges *ranges = &problem->extents.ranges;
    bool has_intercept = problem->has_intercept;
    for (int k = 0; k < 2; k++) {
        /* No row of label k may be below one of the other label. */
        double low = whole_value(problem->data, j, linpred__ranges_max(ranges, !k, j));
        double high = whole_value(problem->data, j, linpred__ranges_min(ranges, k, j));
        bool varies = linpred__ranges_min(ranges, !k, j) < linpred__ranges_max(ranges, k, j);
        bool zero = low <= 0 && high >= 0;
        if (!(low <= high) || !varies || (!has_intercept && !zero))
            continue;
        *c = low < 0 && high > 0           ? 0.0
             : has_intercept && low < high ? short_number_between(low, high)
             : zero                        ? 0.0
                                           : low;
        *strict = low < *c && *c < high;
        return k ? 1 : -1;
    }
    return 0;
}

static bool has_both_labels(const linpred__ranges *ranges)
{
    return ranges->min[0] && ranges->rows[0] > 0 && ranges->rows[1] > 0;
}

/* Sets w, b to the sum of all directions, or to the first one that is > 0 on every row. A column is left out if adding
   its c to b would round. Returns whether there is a direction. */
static bool add_directions(const linpred__problem *problem, double *w, double *b)
{
    bool found = false;
    int32_t columns = problem->data->columns;
    double unit = problem->data->decimals ? problem->data->decimals->unit : 1.0; /* w, b are times 10^K */
    for (int32_t j = 0; j < columns; j++) {
        double c;
        bool strict;
        int sign = sign_of(problem, j, &c, &strict);
        if (sign == 0)
            continue;
        for (int32_t i = 0; strict && i < j; i++)
            w[i] = 0.0;
        linpred__dd sum = linpred__two_sum(strict ? 0.0 : *b, -sign * c);
        if (sum.lo == 0.0 && isfinite(sum.hi)) {
            w[j] = sign * unit;
            *b = sum.hi;
            found = true;
        }
        if (strict)
            break;
    }
    return found;
}

/* Tries the direction on every row and makes it the answer. */
static linpred_status take_direction(linpred__run *run, const linpred__problem *problem, const linpred__integers *v,
                                     linpred__three_way *answer, linpred_error *error)
{
    linpred__found_rows tried;
    linpred_status status = linpred__try_direction(run, problem, v, NULL, &tried, error);
    if (status != LINPRED_OK)
        return status;
    answer->passes++;
    answer->settled_rows = tried.positive;
    answer->kind =
        tried.positive == problem->data->rows ? LINPRED_SEPARATION_SEPARATED : LINPRED_SEPARATION_QUASI_SEPARATED;
    if (tried.count > 0 || tried.positive == 0)
        status = linpred__fail(error, LINPRED_ERROR_INTERNAL, "the direction of single columns fails on a row");
    linpred__release(tried.row);
    return status == LINPRED_OK ? linpred__take_direction(&answer->direction, v, error) : status;
}

linpred_status linpred__ask_one_column(linpred__run *run, const linpred__problem *problem, linpred__three_way *answer,
                                       linpred_error *error)
{
    int32_t columns = problem->data->columns;
    *answer = (linpred__three_way){.kind = LINPRED_SEPARATION_UNDECIDED};
    if (!has_both_labels(&problem->extents.ranges))
        return LINPRED_OK;
    double *w = linpred__calloc((size_t)columns, sizeof *w), b = 0.0;
    linpred__integers v;
    if (w && !add_directions(problem, w, &b)) {
        linpred__release(w);
        return LINPRED_OK;
    }
    bool made = w && linpred__integers_of_doubles(w, columns, problem->has_intercept ? &b : NULL, &v);
    linpred__release(w);
    if (!made)
        return linpred__no_memory(error);
    linpred_status status = take_direction(run, problem, &v, answer, error);
    linpred__integers_close(&v);
    if (status != LINPRED_OK)
        linpred__three_way_clear(answer);
    return status;
}
