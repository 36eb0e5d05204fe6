/* Passes that find rows which refute a direction v, or lie outside a span (see direction_rows.h).
 *
 * Scores <v,z> are computed in doubles, with v divided by a power of two. A score beyond the rounding bound has the
 * exact sign. The other rows are computed exactly: with v in doubles if doubles hold v without rounding, else in
 * integers.
 */
#include "separate/rows/direction_rows.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "data/row.h"
#include "pass/certified_sign.h"
#include "separate/limits.h"
#include "separate/rows/solver_rows.h"
#include "solve/row_signs.h"

struct found {
    double score;
    int64_t row;
};

/* The state of a pass. */
struct direction_lane {
    struct found found[LINPRED__MAX_REPORTED]; /* the rows with the lowest scores so far, in no order */
    int32_t count;                             /* rows in `found` */
    int64_t positive;                          /* rows with <v,z> > 0 */
    bool failed;                               /* memory ran out */
};

struct direction_search {
    const linpred_data *data;
    bool has_intercept;
    const linpred__integers *v;
    linpred__hyperplane hyperplane; /* v divided by a power of two, in doubles */
    bool exact;                     /* `hyperplane` holds v without rounding */
    bool *zero;                     /* for each row: <v,z> = 0; NULL: not wanted */
    const linpred__span *span;      /* for the pass that seeks rows outside of it */
};

static bool init_direction_lane(void *context, void *state)
{
    (void)context;
    (void)state;
    return true;
}

/* Keeps the rows with the lowest scores; among equal scores those that come first. */
static void take_lowest(struct direction_lane *lane, double score, int64_t row)
{
    int32_t at = lane->count;
    if (at < LINPRED__MAX_REPORTED) {
        lane->count++;
    } else {
        at = 0;
        for (int32_t i = 1; i < LINPRED__MAX_REPORTED; i++)
            if (lane->found[i].score > lane->found[at].score)
                at = i;
        if (!(score < lane->found[at].score))
            return;
    }
    lane->found[at] = (struct found){score, row};
}

static void merge_direction_lanes(void *context, void *into, const void *from)
{
    (void)context;
    struct direction_lane *a = into;
    const struct direction_lane *b = from;
    for (int32_t i = 0; i < b->count; i++)
        take_lowest(a, b->found[i].score, b->found[i].row);
    a->positive += b->positive;
    a->failed = a->failed || b->failed;
}

/* The exact sign of <v,z> if doubles cannot hold v. */
static int integer_sign(const struct direction_search *search, struct direction_lane *lane, int64_t row)
{
    linpred__gathered gathered;
    if (linpred__gather(search->data, search->has_intercept, &row, 1, &gathered, NULL) != LINPRED_OK) {
        lane->failed = true;
        return 0;
    }
    int sign = linpred__row_sign_integers(&gathered.rows, 0, search->v);
    linpred__gathered_clear(&gathered);
    return sign;
}

static void try_row(const struct direction_search *search, struct direction_lane *lane, const linpred__block *block,
                    int32_t r, double score)
{
    int64_t row = block->first_row + r;
    int sign = fabs(score) > search->hyperplane.rounding_bound ? (score > 0 ? 1 : -1)
               : search->exact                                 ? linpred__certified_sign(&search->hyperplane, block, r)
                                                               : integer_sign(search, lane, row);
    lane->positive += sign > 0;
    if (search->zero)
        search->zero[row] = sign == 0;
    if (sign < 0)
        take_lowest(lane, score, row);
}

static void visit_direction(void *context, void *state, const linpred__block *block)
{
    const struct direction_search *search = context;
    struct direction_lane *lane = state;
    double scores[LINPRED__ROWS_AT_A_TIME];
    for (int32_t from = 0; from < block->rows; from += LINPRED__ROWS_AT_A_TIME) {
        int32_t to = from + LINPRED__ROWS_AT_A_TIME < block->rows ? from + LINPRED__ROWS_AT_A_TIME : block->rows;
        linpred__signed_scores(&search->hyperplane, block, from, to, scores);
        for (int32_t r = from; r < to; r++)
            try_row(search, lane, block, r, scores[r - from]);
    }
}

static void visit_span(void *context, void *state, const linpred__block *block)
{
    const struct direction_search *search = context;
    struct direction_lane *lane = state;
    for (int32_t r = 0; r < block->rows && lane->count < LINPRED__MAX_REPORTED; r++) {
        int64_t row = block->first_row + r;
        linpred__gathered gathered;
        if (linpred__gather(search->data, search->has_intercept, &row, 1, &gathered, NULL) != LINPRED_OK) {
            lane->failed = true;
            return;
        }
        linpred__entries z = linpred__row_of(&gathered.rows, 0);
        if (!linpred__span_may_hold(search->span, &z))
            take_lowest(lane, 0.0, row);
        linpred__gathered_clear(&gathered);
    }
}

static linpred_status pass(struct direction_search *search, linpred__pool *pool,
                           void (*visit)(void *, void *, const linpred__block *), linpred__found_rows *tried,
                           linpred_error *error)
{
    linpred__visitor visitor = {sizeof(struct direction_lane),
                                init_direction_lane,
                                visit,
                                merge_direction_lanes,
                                NULL,
                                search,
                                search->zero ? NULL : linpred__whole_state};
    struct direction_lane total;
    linpred_status status = linpred__pass(search->data, pool, &visitor, &total, error);
    if (status != LINPRED_OK)
        return status;
    linpred__found_rows found = {.count = total.count, .positive = total.positive};
    found.row = linpred__alloc((size_t)total.count, sizeof *found.row);
    if (!found.row || total.failed) {
        linpred__release(found.row);
        return linpred__no_memory(error);
    }
    for (int32_t i = 0; i < total.count; i++)
        found.row[i] = total.found[i].row;
    qsort(found.row, (size_t)found.count, sizeof *found.row, linpred__ascending);
    *tried = found;
    return LINPRED_OK;
}

linpred_status linpred__try_direction(const linpred__run *run, const linpred__problem *problem,
                                      const linpred__integers *v, bool *zero, linpred__found_rows *tried,
                                      linpred_error *error)
{
    int32_t columns = problem->data->columns;
    struct direction_search search = {
        .data = problem->data, .has_intercept = problem->has_intercept, .v = v, .exact = true, .zero = zero};
    double *w = linpred__calloc((size_t)v->count + 1, sizeof *w);
    if (!w)
        return linpred__no_memory(error);
    long top = (long)linpred__integers_bits(v);
    for (int32_t j = 0; j < v->count; j++) {
        long exponent;
        double fraction = linpred__integer_fraction(v->value[j], &exponent);
        w[j] = exponent - top < -1000 ? 0.0 : ldexp(fraction, (int)(exponent - top));
        search.exact = search.exact && exponent - top >= -1000 && exponent <= INT_MAX / 2 &&
                       (mpz_sgn(v->value[j]) == 0 || mpz_sizeinbase(v->value[j], 2) - mpz_scan1(v->value[j], 0) <= 53);
    }
    double b = problem->has_intercept ? w[columns] : 0.0;
    linpred_status status =
        linpred__hyperplane_open(&search.hyperplane, columns, w, b, problem->extents.radius.above, error);
    linpred__release(w);
    if (status != LINPRED_OK)
        return status;
    search.hyperplane.rounding_bound *= 2.0; /* covers the rounding of v to doubles, which is no larger */
    status = pass(&search, run->pool, visit_direction, tried, error);
    linpred__hyperplane_close(&search.hyperplane);
    return status;
}

linpred_status linpred__find_outside(const linpred__run *run, const linpred__problem *problem,
                                     const linpred__span *span, linpred__found_rows *outside, linpred_error *error)
{
    struct direction_search search = {.data = problem->data, .has_intercept = problem->has_intercept, .span = span};
    return pass(&search, run->pool, visit_span, outside, error);
}

bool linpred__integers_of_doubles(const double *w, int32_t columns, const double *b, linpred__integers *v)
{
    int32_t count = columns + (b != NULL);
    int lowest = INT_MAX;
    if (!linpred__integers_open(count, v))
        return false;
    for (int32_t j = 0; j < count; j++) {
        double value = j < columns ? w[j] : *b;
        int exponent;
        if (value != 0.0) {
            frexp(value, &exponent);
            lowest = exponent - 53 < lowest ? exponent - 53 : lowest;
        }
    }
    for (int32_t j = 0; j < count; j++) {
        double value = j < columns ? w[j] : *b;
        int exponent;
        double fraction = frexp(value, &exponent);
        mpz_set_d(v->value[j], ldexp(fraction, 53));
        if (value != 0.0)
            mpz_mul_2exp(v->value[j], v->value[j], (mp_bitcnt_t)(exponent - 53 - lowest));
    }
    linpred__integers_reduce(v);
    return true;
}
