/* Standard errors of a small logistic fit, by QR in double-double at the coefficients as the model states them:
 *
 *   rows sqrt(c_i) x_i = Q R,   S'R'RS = I,   SE_j = ||row j of S||,   c = weight σ(s) σ(-s)
 *
 * The Hessian itself has the squares of these numbers. Where columns lie far from 0, or weights differ by many digits,
 * its factor in doubles would lose the standard errors.
 */
#include "fit/logistic/careful_errors.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "data/row.h"
#include "fit/logistic/limits.h"
#include "solve/dense/dd_qr.h"

/* sqrt(weight σ(s) σ(-s)) of a row at the coefficients. */
static double root_of_curvature(const linpred__block *block, int32_t r, const linpred__logistic_values *values)
{
    linpred__entries row = linpred__entries_of(block, r);
    linpred__dd score = {values->b, 0.0};
    for (int64_t k = 0; k < row.count; k++) {
        int32_t j = linpred__entry_column(&row, k);
        score = linpred__dd_add(score, linpred__two_product(row.values[k], values->w[j]));
        score = linpred__dd_add_double(score, linpred__cell_lost(block, j, row.values[k]) * values->w[j]);
    }
    double half = exp(-0.5 * fabs(score.hi)); /* of e, which may be below the range of doubles */
    return sqrt(linpred__row_weight(block, r)) * half / (1.0 + half * half);
}

/* R while it takes rows. */
struct absorbing {
    linpred__dd *triangle, *row;
    int32_t *place; /* the column of R that a column of the data is; -1: none */
    int32_t count;  /* columns of R; behind them stands an empty right side */
};

/* Takes a row, multiplied by `root`, into R. */
static void absorb_row(const linpred__logistic_problem *problem, const linpred__block *block, int32_t r, double root,
                       const struct absorbing *to)
{
    linpred__entries entries = linpred__entries_of(block, r);
    int32_t last = problem->data->columns;
    const int32_t *place = to->place;
    linpred__dd *row = to->row;
    for (int32_t i = 0; i <= to->count; i++)
        row[i] = (linpred__dd){0.0, 0.0};
    for (int64_t k = 0; k < entries.count; k++) {
        int32_t j = linpred__entry_column(&entries, k);
        if (place[j] < 0)
            continue;
        int exponent = ilogb(problem->unit[j]);
        linpred__dd x = {ldexp(entries.values[k], exponent),
                         ldexp(linpred__cell_lost(block, j, entries.values[k]), exponent)};
        row[place[j]] = linpred__dd_multiply_double(x, root);
    }
    if (problem->has_intercept && place[last] >= 0)
        row[place[last]] = (linpred__dd){root, 0.0};
    linpred__dd_qr_absorb(to->count + 1, to->triangle, 1, 1, row);
}

/* Reads ||row j of S|| off R. False: memory ran out. *known: no column is lost in rounding. */
static bool read_lengths(const linpred__logistic_problem *problem, const linpred__newton *newton,
                         const linpred__dd *triangle, double *each, bool *known)
{
    int32_t n = newton->rank, last = problem->data->columns;
    int32_t *sequence = linpred__alloc((size_t)n, sizeof *sequence);
    linpred__dd_solution s = {0};
    for (int32_t i = 0; sequence && i < n; i++)
        sequence[i] = i;
    bool made = sequence && linpred__dd_solve(n, triangle, sequence, linpred__careful_threshold, NULL, &s);
    *known = made && s.rank == n;
    for (int32_t i = 0; *known && i < n; i++) {
        double length = 0.0;
        for (int32_t k = 0; k < n; k++)
            length = hypot(length, s.factor[(size_t)i * (size_t)n + (size_t)k].hi);
        int32_t j = newton->kept[i];
        each[j] = j < last ? ldexp(length, ilogb(problem->unit[j])) : length;
    }
    linpred__dd_solution_clear(&s);
    linpred__release(sequence);
    return made;
}

linpred_status linpred__logistic_careful_errors(const linpred__logistic_problem *problem, const linpred__newton *newton,
                                                const linpred__logistic_values *values, double *each, bool *known,
                                                linpred_error *error)
{
    const linpred_data *data = problem->original->data;
    size_t n = (size_t)newton->rank, columns = (size_t)problem->data->columns;
    *known = false;
    if (newton->rank == 0 || problem->used_columns.column ||
        (double)data->rows * (double)(n * n) > linpred__careful_errors_work)
        return LINPRED_OK;
    struct absorbing to = {linpred__calloc((n + 1) * (n + 1), sizeof *to.triangle),
                           linpred__alloc(n + 1, sizeof *to.row), linpred__alloc(columns + 1, sizeof *to.place),
                           newton->rank};
    bool made = to.triangle && to.row && to.place;
    for (size_t j = 0; made && j <= columns; j++)
        to.place[j] = -1;
    for (int32_t i = 0; made && i < newton->rank; i++)
        to.place[newton->kept[i]] = i;
    for (int64_t b = 0; made && b < data->blocks; b++) {
        const linpred__block *block = linpred__block_at(data, b);
        for (int32_t r = 0; r < block->rows; r++)
            absorb_row(problem, block, r, root_of_curvature(block, r, values), &to);
    }
    made = made && read_lengths(problem, newton, to.triangle, each, known);
    linpred__release(to.triangle);
    linpred__release(to.row);
    linpred__release(to.place);
    return made ? LINPRED_OK : linpred__no_memory(error);
}
