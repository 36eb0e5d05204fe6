/* Least squares all in double-double: QR of the rows, block by block, at 32 digits. What the data's own rounding leaves
 * of the coefficients is then right to the last digit, whatever the condition. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "data/row.h"
#include "fit/least_squares/least_squares.h"
#include "solve/dense/dd_qr.h"

struct triangle {
    linpred__dd *r;     /* n x n, n = p + 1: columns, then the target */
    linpred__dd *block; /* by columns */
    double *row;
};

static size_t wide(const linpred__squares *squares)
{
    return (size_t)squares->width + 1;
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
    const linpred__squares *squares = context;
    struct triangle *t = state;
    size_t n = wide(squares);
    t->r = linpred__calloc(n * n, sizeof *t->r);
    t->block = linpred__alloc(n * (size_t)squares->design.data->block_rows, sizeof *t->block);
    t->row = linpred__alloc(2 * n, sizeof(double));
    if (t->r && t->block && t->row)
        return true;
    clear_triangle(context, state);
    return false;
}

static void absorb_block(void *context, void *state, const linpred__block *block)
{
    const linpred__squares *squares = context;
    struct triangle *t = state;
    const linpred__design *design = &squares->design;
    size_t n = wide(squares), room = (size_t)design->data->block_rows;
    for (int32_t i = 0; i < block->rows; i++) {
        double *hi = t->row, *lo = t->row + n;
        linpred__design_row(design, block, i, hi, lo);
        hi[n - 1] = ldexp(block->target[i], -design->target_exponent);
        lo[n - 1] = 0.0;
        double weight = linpred__row_weight(block, i);
        linpred__dd root = linpred__dd_square_root((linpred__dd){weight, 0.0});
        for (size_t j = 0; j < n; j++) {
            linpred__dd value = {hi[j], lo[j]};
            t->block[j * room + (size_t)i] = weight == 1.0 ? value : linpred__dd_multiply(value, root);
        }
    }
    linpred__dd_qr_absorb((int32_t)n, t->r, block->rows, (int64_t)room, t->block);
}

/* The rows of the other triangle are rows like any others. */
static void merge_triangle(void *context, void *into, const void *from)
{
    const linpred__squares *squares = context;
    struct triangle *a = into;
    const struct triangle *b = from;
    size_t n = wide(squares), room = (size_t)squares->design.data->block_rows;
    for (size_t first = 0; first < n; first += room) {
        size_t rows = n - first < room ? n - first : room;
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < rows; i++)
                a->block[j * room + i] = j >= first + i ? b->r[(first + i) * n + j] : (linpred__dd){0.0, 0.0};
        linpred__dd_qr_absorb((int32_t)n, a->r, (int32_t)rows, (int64_t)room, a->block);
    }
}

/* The penalty as rows: sqrt(κ) T. */
static void absorb_penalty(const linpred__squares *squares, struct triangle *t)
{
    size_t p = (size_t)squares->width, n = p + 1, room = (size_t)squares->design.data->block_rows;
    linpred__dd root = linpred__dd_square_root((linpred__dd){squares->penalty, 0.0});
    for (int32_t j = 0; squares->map && j < squares->design.basis->terms; j++) {
        for (size_t k = 0; k < p; k++)
            t->block[k * room] = linpred__dd_multiply(root, squares->map[(size_t)j * p + k]);
        t->block[p * room] = (linpred__dd){0.0, 0.0};
        linpred__dd_qr_absorb((int32_t)n, t->r, 1, (int64_t)room, t->block);
    }
}

static bool take_over(linpred__squares *squares, linpred__dd_solution *s)
{
    size_t p = (size_t)squares->width;
    squares->rank = s->rank;
    squares->dependencies = squares->width - s->rank;
    squares->condition = s->condition;
    for (size_t j = 0; j < p; j++) /* columns and target are about 1: what rounding at 32 digits left of a 0 is 0 */
        squares->w[j] = fabs(s->w[j].hi) > 0x1p-95 ? linpred__dd_without_noise(s->w[j]) : (linpred__dd){0.0, 0.0};
    squares->null = s->null;
    s->null = NULL;
    squares->factor = linpred__alloc(p * (size_t)s->rank, sizeof *squares->factor);
    for (size_t j = 0; squares->factor && j < p; j++)
        memcpy(squares->factor + j * (size_t)s->rank, s->factor + j * p, (size_t)s->rank * sizeof *s->factor);
    return squares->factor != NULL;
}

static linpred_status solve_triangle(linpred__squares *squares, struct triangle *t, linpred_error *error)
{
    int32_t p = squares->width;
    bool intercept = squares->design.basis->has_intercept;
    absorb_penalty(squares, t);
    int32_t *turn = linpred__alloc((size_t)p, sizeof *turn);
    if (!turn)
        return linpred__no_memory(error);
    for (int32_t i = 0; i < p; i++) /* the intercept first: columns depend on it rather than it on them */
        turn[i] = intercept ? (i == 0 ? p - 1 : i - 1) : i;
    linpred__dd_solution solution = {0};
    squares->threshold = 0x1p-44;
    bool complete = linpred__dd_solve(p, t->r, turn, squares->threshold, &solution) && take_over(squares, &solution);
    linpred__dd_solution_clear(&solution);
    linpred__release(turn);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}

linpred_status linpred__squares_small(linpred__squares *squares, linpred_error *error)
{
    squares->method = LINPRED_METHOD_QR;
    squares->accuracy = 0.0;
    linpred_status status = linpred__design_measure(&squares->design, error);
    if (status != LINPRED_OK)
        return status;
    squares->penalty *= 0.5 * squares->design.weight;
    if (!linpred__squares_make_map(squares))
        return linpred__no_memory(error);
    linpred__visitor visitor = {sizeof(struct triangle), init_triangle,  absorb_block,
                                merge_triangle,          clear_triangle, squares};
    struct triangle total;
    linpred__cut cut = linpred__cut_triangle(squares->design.data, (double)wide(squares));
    status = linpred__pass_all(squares->design.data, squares->design.pool, &visitor, (void *[]){&total}, 1, cut, error);
    if (status != LINPRED_OK)
        return status;
    status = solve_triangle(squares, &total, error);
    clear_triangle(squares, &total);
    return status == LINPRED_OK ? linpred__squares_residual(squares, NULL, error) : status;
}
