/* Distinct rows, and their costs as whole multiples of a unit (see distinct_rows.h). */
#include "separate/fewest_errors/distinct_rows.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "data/data.h"
#include "data/fingerprint.h"
#include "data/row.h"
#include "proof/limits.h"
#include "proof/witness.h"
#include "separate/limits.h"

void linpred__distinct_clear(linpred__distinct *distinct)
{
    linpred__release(distinct->row);
    linpred__release(distinct->cost);
    linpred__release(distinct->place);
    *distinct = (linpred__distinct){0};
}

static double label_of(const linpred_data *data, int64_t row)
{
    return data->block[row / data->block_rows].target[row % data->block_rows];
}

static double weight_of_row(const linpred_data *data, int64_t row)
{
    return linpred__row_weight(&data->block[row / data->block_rows], (int32_t)(row % data->block_rows));
}

/* Sets `row` and `place` with a hash table. A slot holds a distinct row + 1, or 0 if it is empty. */
static void tell_apart(const linpred_data *data, const uint64_t *hash, int64_t *slot, uint64_t mask,
                       linpred__distinct *out)
{
    for (int64_t row = 0; row < data->rows; row++) {
        for (uint64_t at = (hash[row] + (label_of(data, row) > 0)) & mask;; at = (at + 1) & mask) {
            int64_t seen = slot[at] - 1;
            if (seen < 0) {
                out->row[out->rows] = row;
                out->place[row] = out->rows++;
                slot[at] = out->rows;
                break;
            }
            int64_t first = out->row[seen];
            if (hash[first] == hash[row] && label_of(data, first) == label_of(data, row) &&
                linpred__same_row(data, first, row)) {
                out->place[row] = seen;
                break;
            }
        }
    }
}

/* The number of binary digits of x after the point. It is at most 1074. */
static int fraction_bits(double x)
{
    int exponent, bits = 53;
    if (x == 0.0 || !isfinite(x))
        return 0;
    int64_t digits = (int64_t)ldexp(fabs(frexp(x, &exponent)), bits);
    for (; digits % 2 == 0; digits /= 2)
        bits--;
    return bits - exponent > 0 ? bits - exponent : 0;
}

/* If all costs are multiples of the smallest cost or of some 10^-k, up to a relative error of 1e-13, returns the factor
   that makes them integers. Otherwise returns 0. */
static double decimal_scale(const double *cost, int64_t rows, double min_cost, double total)
{
    for (double decimal = 1.0; decimal <= 1e6; decimal *= 10.0) {
        int64_t i = 0;
        double scale = decimal == 1.0 ? 1.0 / min_cost : decimal;
        if (!(total * scale < LINPRED__COST_MAX_UNITS))
            continue;
        while (i < rows && fabs(cost[i] * scale - nearbyint(cost[i] * scale)) <= 1e-13 * cost[i] * scale)
            i++;
        if (i == rows)
            return scale;
    }
    return 0.0;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Sets the costs of the distinct rows in units. The unit follows from the costs of all data rows, as in the checker. If
   costs must be rounded they are rounded down, because a lower bound for smaller costs holds for the true ones too. */
static void take_units(const double *row_cost, int64_t rows, const double *cost, linpred__distinct *out)
{
    int bits = 0;
    int64_t divisor = 0;
    out->min_cost_row = 0;
    for (int64_t i = 0; i < rows; i++) {
        out->total += row_cost[i];
        int more = fraction_bits(row_cost[i]);
        bits = more > bits ? more : bits;
        out->min_cost_row = row_cost[i] < row_cost[out->min_cost_row] ? i : out->min_cost_row;
    }
    out->min_cost = row_cost[out->min_cost_row];
    if (!(out->min_cost > 0 && isfinite(out->total)))
        return; /* linpred__check_costs refuses them */
    bool exact = ldexp(out->total, bits) < LINPRED__COST_MAX_UNITS;
    double decimal = exact ? 0.0 : decimal_scale(row_cost, rows, out->min_cost, out->total);
    int shift = exact ? bits : 49 - ilogb(out->total);
    for (int64_t i = 0; i < rows && exact; i++)
        divisor = common_divisor((int64_t)ldexp(row_cost[i], shift), divisor);
    divisor = exact && divisor > 0 ? divisor : 1;
    for (int64_t i = 0; i < out->rows; i++)
        out->cost[i] = (int64_t)(decimal > 0 ? nearbyint(cost[i] * decimal) : floor(ldexp(cost[i], shift))) / divisor;
    out->unit = decimal > 0 ? 1.0 / decimal : ldexp((double)divisor, -shift);
    out->kind = exact ? LINPRED__WHOLE_UNITS : decimal > 0 ? LINPRED__DECIMAL_UNITS : LINPRED__ROUNDED_DOWN;
}

linpred_status linpred__check_costs(const linpred__distinct *distinct, const linpred_data *data, linpred_error *error)
{
    if (!isfinite(distinct->total))
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "what mistakes cost adds up to more than any number: make the weights or costs smaller");
    if (distinct->total < LINPRED__COST_MIN_TOTAL)
        return linpred__fail(
            error, LINPRED_ERROR_INPUT,
            "what mistakes cost adds up to %g, too little to reckon with: make the weights or costs larger",
            distinct->total);
    if (distinct->min_cost == 0 ||
        (distinct->kind == LINPRED__ROUNDED_DOWN && distinct->min_cost < LINPRED__COST_MIN_SHARE * distinct->total))
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "a mistake on row %lld costs %g, and on all rows %g: too unequal for method exact (at "
                             "most 1 to 10^12; for rows that "
                             "must be right, a cost above that of all others together is enough)",
                             (long long)linpred_data_source_row(data, distinct->min_cost_row), distinct->min_cost,
                             distinct->total);
    return LINPRED_OK;
}

double linpred__bound_reached(const linpred__distinct *distinct, int64_t units, double cost, bool done, bool *optimal)
{
    double bound = (double)units * distinct->unit;
    double rounding = distinct->kind == LINPRED__DECIMAL_UNITS ? 1e-12 * cost : 0.0;
    if (bound >= cost - rounding)
        bound = cost;
    *optimal = bound >= cost * (done ? 1.0 - LINPRED__COST_TOLERANCE : 1.0);
    return bound;
}

linpred_status linpred__find_distinct(const linpred_data *data, linpred__pool *pool, const double class_cost[2],
                                      linpred__distinct *out, linpred_error *error)
{
    *out = (linpred__distinct){0};
    uint64_t slots = 16;
    while (slots < 2 * (uint64_t)data->rows)
        slots *= 2;
    size_t m = (size_t)data->rows;
    uint64_t *hash = linpred__alloc(m, sizeof *hash);
    int64_t *slot = linpred__calloc((size_t)slots, sizeof *slot);
    double *cost = linpred__calloc(m, sizeof *cost);
    double *row_cost = linpred__alloc(m, sizeof *row_cost);
    out->row = linpred__alloc(m, sizeof *out->row);
    out->cost = linpred__alloc(m, sizeof *out->cost);
    out->place = linpred__alloc(m, sizeof *out->place);
    linpred_status status = hash && slot && cost && row_cost && out->row && out->cost && out->place
                                ? linpred__row_hashes(data, pool, data->rows, hash, error)
                                : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        tell_apart(data, hash, slot, slots - 1, out);
        for (int64_t row = 0; row < data->rows; row++) {
            row_cost[row] = weight_of_row(data, row) * class_cost[label_of(data, row) > 0];
            cost[out->place[row]] += row_cost[row];
        }
        take_units(row_cost, data->rows, cost, out);
    } else {
        linpred__distinct_clear(out);
    }
    linpred__release(hash);
    linpred__release(slot);
    linpred__release(cost);
    linpred__release(row_cost);
    return status;
}

linpred_status linpred__read_mistake_costs(const char *text, double class_cost[2], linpred_error *error)
{
    class_cost[0] = class_cost[1] = 1.0;
    const char *colon = text ? strchr(text, ':') : NULL;
    if (!text)
        return LINPRED_OK;
    if (colon && linpred__number_read(text, (size_t)(colon - text), &class_cost[0]) == LINPRED__NUMBER &&
        linpred__number_read(colon + 1, strlen(colon + 1), &class_cost[1]) == LINPRED__NUMBER && class_cost[0] > 0 &&
        class_cost[1] > 0 && isfinite(class_cost[0]) && isfinite(class_cost[1]))
        return LINPRED_OK;
    char excerpt[LINPRED__EXCERPT];
    return linpred__fail(
        error, LINPRED_ERROR_USAGE,
        "--cost takes two positive numbers A:B, what a mistake costs on the label -1 and on +1, not '%s'",
        linpred__excerpt(text, strlen(text), excerpt));
}
