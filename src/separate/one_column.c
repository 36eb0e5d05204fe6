#include "separate/one_column.h"

#include <math.h>

#include "num/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "separate/direction_rows.h"
#include "separate/file_rows.h"

/* A number between that has few digits. */
static double between(double low, double high)
{
    double middle = 0.5 * low + 0.5 * high, unit = 0.5 * ldexp(1.0, ilogb(high - low));
    double c = nearbyint(middle / unit) * unit;
    return low < c && c < high ? c : middle;
}

/* The sign s for which s y(x_j - c) >= 0 on every row, > 0 on some; 0: there is none. *strict: > 0 on all. */
static int sign_of(const linpred__ranges *ranges, bool has_intercept, int32_t j, double *c, bool *strict)
{
    for (int k = 0; k < 2; k++) {
        /* No row of label k may be below one of the other label. */
        double low = linpred__ranges_greatest(ranges, !k, j), high = linpred__ranges_least(ranges, k, j);
        bool varies = linpred__ranges_least(ranges, !k, j) < linpred__ranges_greatest(ranges, k, j);
        bool zero = low <= 0 && high >= 0;
        if (low > high || !varies || (!has_intercept && !zero))
            continue;
        *c = low < 0 && high > 0 ? 0.0 : has_intercept && low < high ? between(low, high) : zero ? 0.0 : low;
        *strict = low < *c && *c < high;
        return k ? 1 : -1;
    }
    return 0;
}

static bool has_both_labels(const linpred__ranges *ranges)
{
    return ranges->least[0] && ranges->rows[0] > 0 && ranges->rows[1] > 0;
}

/* w, b: the sum of all directions, or one that is > 0 on every row. A column whose c would make b inexact is left out.
 */
static bool add_directions(const linpred__fit *fit, double *w, double *b)
{
    bool found = false;
    int32_t columns = fit->problem.data->columns;
    for (int32_t j = 0; j < columns; j++) {
        double c;
        bool strict;
        int sign = sign_of(&fit->problem.extents.ranges, !fit->options->no_intercept, j, &c, &strict);
        if (sign == 0)
            continue;
        for (int32_t i = 0; strict && i < j; i++)
            w[i] = 0.0;
        linpred__dd sum = linpred__two_sum(strict ? 0.0 : *b, -sign * c);
        if (sum.lo == 0.0 && isfinite(sum.hi)) {
            w[j] = sign;
            *b = sum.hi;
            found = true;
        }
        if (strict)
            break;
    }
    return found;
}

linpred_status linpred__try_columns(linpred__fit *fit, linpred__three_way *overlap, linpred_error *error)
{
    const linpred_data *data = fit->problem.data;
    bool has_intercept = !fit->options->no_intercept;
    *overlap = (linpred__three_way){.proof = {.errors = NAN, .bound = NAN}};
    if (!has_both_labels(&fit->problem.extents.ranges))
        return LINPRED_OK;
    double *w = linpred__calloc((size_t)data->columns, sizeof *w), b = 0.0;
    linpred__integers v;
    if (w && !add_directions(fit, w, &b)) {
        linpred__release(w);
        return LINPRED_OK;
    }
    bool made = w && linpred__integers_of_doubles(w, data->columns, has_intercept ? &b : NULL, &v);
    linpred__release(w);
    if (!made)
        return linpred__no_memory(error);
    linpred__tried tried;
    linpred_status status = linpred__try_direction(data, fit->run.pool, has_intercept, &v,
                                                   fit->problem.extents.radius.above, NULL, &tried, error);
    if (status == LINPRED_OK) {
        overlap->passes++;
        overlap->settled = tried.positive;
        if (tried.count > 0 || tried.positive == 0)
            status = linpred__fail(error, LINPRED_ERROR_INTERNAL, "the direction of single columns fails on a row");
        linpred__release(tried.row);
    }
    if (status == LINPRED_OK)
        status = linpred__take_direction(&overlap->proof, &v, error);
    linpred__integers_close(&v);
    overlap->kind = overlap->settled == data->rows ? LINPRED_SEPARATION_SEPARATED : LINPRED_SEPARATION_QUASI_SEPARATED;
    if (status != LINPRED_OK)
        linpred__three_way_clear(overlap);
    return status;
}
