/* Least squares in double-double throughout: QR of the rows, block by block, at 32 digits.
 *
 *   [R; block] = Q R',   w = R^-1 Q'y
 *
 * The coefficients are then right to the last digit that the data determine, for any condition that occurs in practice.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "data/row.h"
#include "data/tree.h"
#include "fit/distinct_columns.h"
#include "fit/least_squares/limits.h"
#include "fit/least_squares/ways.h"
#include "solve/dense/dd_qr.h"
#include "model/limits.h"

struct triangle {
    linpred__dd *r;     /* R, n x n by rows, n = p + 1: columns, then the target */
    linpred__dd *block; /* the rows of a block, by columns */
    double *row;        /* scratch of one row: leading parts, trailing parts */
};

static size_t row_length(const linpred__design *design)
{
    return (size_t)design->width + 1;
}

static void clear_triangle(void *context, void *state)
{
    (void)context;
    struct triangle *t = state;
    linpred__release(t->r);
    linpred__release(t->block);
    linpred__release(t->row);
}

static bool init_triangle(void *context, void *state)
{
    const linpred__design *design = context;
    struct triangle *t = state;
    size_t n = row_length(design);
    t->r = linpred__calloc(n * n, sizeof *t->r);
    t->block = linpred__alloc(n * (size_t)design->data->block_rows, sizeof *t->block);
    t->row = linpred__alloc(2 * n, sizeof(double));
    if (t->r && t->block && t->row)
        return true;
    clear_triangle(context, state);
    return false;
}

static void absorb_block(void *context, void *state, const linpred__block *block)
{
    const linpred__design *design = context;
    struct triangle *t = state;
    size_t n = row_length(design), stride = (size_t)design->data->block_rows;
    for (int32_t i = 0; i < block->rows; i++) {
        double *hi = t->row, *lo = t->row + n;
        linpred__design_row(design, block, i, hi, lo);
        hi[n - 1] = ldexp(block->target[i], -design->target_exponent);
        lo[n - 1] = ldexp(linpred__target_lost(design->data, block->target[i]), -design->target_exponent);
        double weight = linpred__row_weight(block, i);
        linpred__dd root = linpred__dd_square_root((linpred__dd){weight, 0.0});
        for (size_t j = 0; j < n; j++) {
            linpred__dd value = {hi[j], lo[j]};
            t->block[j * stride + (size_t)i] = weight == 1.0 ? value : linpred__dd_multiply(value, root);
        }
    }
    linpred__dd_qr_absorb((int32_t)n, t->r, block->rows, (int64_t)stride, t->block);
}

/* Absorbs the rows of the other triangle as if they were rows of data. */
static void merge_triangle(void *context, void *into, const void *from)
{
    const linpred__design *design = context;
    struct triangle *a = into;
    const struct triangle *b = from;
    size_t n = row_length(design), stride = (size_t)design->data->block_rows;
    for (size_t first = 0; first < n; first += stride) {
        size_t rows = n - first < stride ? n - first : stride;
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < rows; i++)
                a->block[j * stride + i] = j >= first + i ? b->r[(first + i) * n + j] : (linpred__dd){0.0, 0.0};
        linpred__dd_qr_absorb((int32_t)n, a->r, (int32_t)rows, (int64_t)stride, a->block);
    }
}

static void list_careful_triangle(void *context, void *state, linpred__state_pieces *pieces)
{
    size_t n = row_length(context);
    linpred__state_piece(pieces, ((struct triangle *)state)->r, n * n * sizeof(linpred__dd));
}

/* Absorbs the rows sqrt(κ) T of the penalty. */
static void absorb_penalty(const linpred__squares_objective *objective, struct triangle *t)
{
    const linpred__design *design = &objective->design;
    size_t p = (size_t)design->width, n = p + 1, stride = (size_t)design->data->block_rows;
    linpred__dd root = linpred__dd_square_root((linpred__dd){objective->penalty, 0.0});
    for (int32_t j = 0; objective->map && j < design->basis.terms; j++) {
        for (size_t k = 0; k < p; k++)
            t->block[k * stride] = linpred__dd_multiply(root, objective->map[(size_t)j * p + k]);
        t->block[p * stride] = (linpred__dd){0.0, 0.0};
        linpred__dd_qr_absorb((int32_t)n, t->r, 1, (int64_t)stride, t->block);
    }
}

/* Columns and target are about 1 in size, so a coefficient below 2^-95 is rounding at 32 digits. It becomes 0, unless a
   penalty makes coefficients that small. */
static linpred__dd without_rounding(linpred__dd w, bool penalised)
{
    return penalised || fabs(w.hi) > 0x1p-95 ? linpred__dd_without_noise(w) : (linpred__dd){0.0, 0.0};
}

static bool read_careful_solution(size_t p, bool penalised, linpred__dd_solution *s,
                                  linpred__squares_solution *solution)
{
    solution->dependencies = (int32_t)p - s->rank;
    solution->condition = s->condition;
    for (size_t j = 0; j < p; j++)
        solution->w[j] = without_rounding(s->w[j], penalised);
    solution->null = s->null;
    s->null = NULL;
    if (!linpred__squares_solution_factor(solution, (int32_t)p, s->rank))
        return false;
    for (size_t j = 0; j < p; j++)
        memcpy(solution->factor + j * (size_t)s->rank, s->factor + j * p, (size_t)s->rank * sizeof *s->factor);
    return true;
}

/* Solves the triangle, and again as long as columns are found to be distinct. With a penalty the minimiser is unique,
   and no dependency is claimed: each column counts for all that double-double can tell. */
static linpred_status solve_distinct(const linpred__squares_objective *objective, const struct triangle *t,
                                     const int32_t *turn, linpred__dd_solution *s, linpred_error *error)
{
    const linpred__design *design = &objective->design;
    bool *distinct = linpred__calloc((size_t)design->width, sizeof *distinct), again = true;
    linpred_status status = distinct ? LINPRED_OK : linpred__no_memory(error);
    for (int32_t j = 0; distinct && j < design->width; j++)
        distinct[j] = objective->as_is || (objective->penalty > 0.0 && design->basis.polynomials == 0);
    while (status == LINPRED_OK && again) {
        linpred__dd_solution_clear(s);
        again = false;
        if (!linpred__dd_solve(design->width, t->r, turn, LINPRED__RANK_THRESHOLD, distinct, s))
            status = linpred__no_memory(error);
        else if (s->rank < design->width && design->basis.polynomials == 0 && objective->penalty == 0.0)
            status = linpred__find_distinct_columns(design, s, distinct, &again, error);
    }
    linpred__release(distinct);
    return status;
}

static linpred_status solve_triangle(const linpred__squares_objective *objective, const struct triangle *t,
                                     linpred__squares_solution *solution, linpred_error *error)
{
    const linpred__design *design = &objective->design;
    int32_t p = design->width;
    int32_t *turn = linpred__alloc((size_t)p, sizeof *turn);
    if (!turn)
        return linpred__no_memory(error);
    for (int32_t i = 0; i < p; i++) /* the intercept comes first, so that other columns are found to depend on it */
        turn[i] = design->basis.has_intercept ? (i == 0 ? p - 1 : i - 1) : i;
    linpred__dd_solution s = {0};
    solution->threshold = LINPRED__RANK_THRESHOLD;
    linpred_status status = solve_distinct(objective, t, turn, &s, error);
    if (status == LINPRED_OK && !read_careful_solution((size_t)p, objective->penalty > 0.0, &s, solution))
        status = linpred__no_memory(error);
    linpred__dd_solution_clear(&s);
    linpred__release(turn);
    return status;
}

/* Where a penalty outweighs a column of tiny numbers by far, QR gives its coefficient to 32 digits of the others, not
   of its own: the coefficient is then set to where its own part of the gradient is 0. */
static linpred_status refine_small_coefficients(const linpred__squares_objective *objective,
                                                linpred__squares_solution *solution, linpred_error *error)
{
    const linpred__design *design = &objective->design;
    size_t p = (size_t)design->width;
    linpred__dd *g = linpred__alloc(p, sizeof *g);
    linpred_status status = g ? LINPRED_OK : linpred__no_memory(error);
    for (int times = 0; status == LINPRED_OK && times < 2; times++) { /* the second time for what the first moved */
        status = linpred__squares_evaluate(objective, solution, g, error);
        for (size_t j = 0; status == LINPRED_OK && j < (size_t)design->basis.terms; j++) {
            double unit = objective->map[j * p + j].hi, square = objective->penalty * unit * unit;
            if (square > LINPRED__SQUARES_HELD * design->weight && isfinite(square))
                solution->w[j] = linpred__dd_add(solution->w[j], linpred__dd_multiply_double(g[j], 1.0 / square));
        }
    }
    linpred__release(g);
    return status;
}

linpred_status linpred__squares_by_double_double(const linpred__squares_objective *objective,
                                                 linpred__squares_solution *solution, linpred_error *error)
{
    const linpred__design *design = &objective->design;
    linpred__visitor visitor = {sizeof(struct triangle), init_triangle,  absorb_block,         merge_triangle,
                                clear_triangle,          (void *)design, list_careful_triangle};
    struct triangle total;
    linpred__cut cut = linpred__cut_triangle(design->data, (double)row_length(design));
    linpred_status status =
        linpred__pass_all(design->data, design->run->pool, &visitor, (void *[]){&total}, 1, cut, error);
    if (status != LINPRED_OK)
        return status;
    absorb_penalty(objective, &total);
    solution->method = LINPRED_METHOD_QR;
    solution->in_double_double = true;
    status = solve_triangle(objective, &total, solution, error);
    clear_triangle((void *)design, &total);
    if (status == LINPRED_OK && objective->penalty > 0.0 && objective->map && design->basis.polynomials == 0)
        status = refine_small_coefficients(objective, solution, error);
    return status == LINPRED_OK ? linpred__squares_evaluate(objective, solution, NULL, error) : status;
}
