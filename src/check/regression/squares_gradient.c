/* Residuals r = y - <x,w> and their gradient Σ weight r x - κw in double-double, with the sums that bound their
 * rounding.
 */
#include <math.h>
#include <string.h>

#include "check/rows/careful.h"
#include "check/regression/squares.h"
#include "check/rows/whole.h"
#include "core/memory.h"
#include "data/row.h"

enum { TOGETHER = 8 }; /* rows that are worked on side by side, so that none waits for the sums of the one before */

struct gradient_sums {
    double *gradient; /* leading parts, then trailing parts */
    double *size;     /* as linpred__squares_problem.size */
    double *row;      /* rows in the coordinates of the problem: leading parts, then trailing parts of each */
    linpred__dd squares;
    linpred__dd absolute;
    linpred__dd around;
    double doubt;
};

static void clear_gradient_sums(void *context, void *state)
{
    (void)context;
    struct gradient_sums *sums = state;
    linpred__release(sums->gradient);
    linpred__release(sums->size);
    linpred__release(sums->row);
}

static bool init_gradient_sums(void *context, void *state)
{
    size_t p = ((const linpred__squares_problem *)context)->p;
    struct gradient_sums *sums = state;
    sums->gradient = linpred__calloc(2 * p, sizeof(double));
    sums->size = linpred__calloc(2 * p, sizeof(double));
    sums->row = linpred__calloc(2 * p * TOGETHER, sizeof(double));
    if (sums->gradient && sums->size && sums->row)
        return true;
    clear_gradient_sums(context, state);
    return false;
}

/* Rows side by side. A place without a row has weight 0. */
struct abreast {
    int count;
    int64_t n[TOGETHER]; /* entries of each row */
    const double *x[TOGETHER];
    const double *tail[TOGETHER];   /* trailing parts, where rows have them */
    const int32_t *index[TOGETHER]; /* the coordinates of the entries, where rows are sparse */
    double weight[TOGETHER];
    linpred__dd y[TOGETHER];
    linpred__dd z[TOGETHER]; /* <x,w> */
    double reach[TOGETHER];  /* |y| + Σ|x_j w_j| */
    linpred__dd pull[TOGETHER];
};

/* Σ weight r² and its like: sums, and what they lost, of the rows at each place. */
struct residual_sums {
    double squares[2][TOGETHER], absolute[2][TOGETHER], around[2][TOGETHER];
};

/* Residuals r = y - z of the rows and their pulls, weight r. */
LINPRED__INLINED void sum_residuals(double centre, struct abreast *rows, struct residual_sums *sums)
{
    for (int i = 0; i < TOGETHER; i++) {
        double weight = rows->weight[i];
        linpred__dd r = linpred__dd_add(linpred__dd_negate(rows->z[i]), rows->y[i]);
        linpred__dd pull = linpred__dd_multiply_double(r, weight), square = linpred__dd_multiply(pull, r);
        linpred__dd about = linpred__dd_add_double(rows->y[i], -centre);
        linpred__dd apart = linpred__dd_multiply(linpred__dd_multiply_double(about, weight), about);
        double sign = pull.hi < 0 ? -1.0 : 1.0;
        linpred__compensated_add(&sums->squares[0][i], &sums->squares[1][i], square.hi, square.lo);
        linpred__compensated_add(&sums->absolute[0][i], &sums->absolute[1][i], sign * pull.hi, sign * pull.lo);
        linpred__compensated_add(&sums->around[0][i], &sums->around[1][i], apart.hi, apart.lo);
        rows->pull[i] = pull;
    }
}

LINPRED__INLINED linpred__dd add_parts(linpred__dd total, double parts[2][TOGETHER])
{
    for (int i = 0; i < TOGETHER; i++)
        total = linpred__dd_add(total, linpred__two_sum(parts[0][i], parts[1][i]));
    return total;
}

/* Takes the rows from `first` on. */
LINPRED__INLINED void set_abreast(const linpred__squares_problem *problem, struct gradient_sums *sums,
                                  const linpred__block *block, int32_t first, struct abreast *rows)
{
    int64_t p = (int64_t)problem->p;
    *rows = (struct abreast){.count = block->rows - first < TOGETHER ? block->rows - first : TOGETHER};
    for (int i = 0; i < rows->count; i++) {
        int32_t r = first + i;
        double *own = sums->row + 2 * p * i;
        linpred__entries row = linpred__entries_of(block, r);
        linpred__dd y = {block->target[r], linpred__target_rest(problem->data, block->target[r])};
        if (problem->target_exponent)
            y = (linpred__dd){ldexp(y.hi, -problem->target_exponent), ldexp(y.lo, -problem->target_exponent)};
        rows->y[i] = y;
        rows->weight[i] = linpred__row_weight(block, r);
        rows->n[i] = row.count;
        rows->x[i] = row.values;
        rows->index[i] = row.indices;
        rows->tail[i] = own;
        if (!problem->plain) {
            linpred__squares_row(problem, block, r, own, own + p);
            rows->n[i] = p;
            rows->x[i] = own;
            rows->tail[i] = own + p;
        } else if (block->decimals) {
            for (int64_t k = 0; k < row.count; k++)
                own[k] = linpred__cell_rest(block, linpred__entry_column(&row, k), row.values[k]);
        }
    }
}

/* Adds the rows of a block. `one`: the intercept's 1 is not among the entries. */
LINPRED__INLINED void add_gradient_rows(const linpred__squares_problem *problem, struct gradient_sums *sums,
                                        const linpred__block *block, bool tails, bool sparse, bool one)
{
    size_t p = problem->p, last = p - 1;
    const double *hi = problem->w, *lo = hi + p;
    double *g = sums->gradient, *size = sums->size;
    struct residual_sums residuals = {0};
    struct abreast rows;
    for (int32_t first = 0; first < block->rows; first += TOGETHER) {
        set_abreast(problem, sums, block, first, &rows);
        for (int i = 0; i < rows.count; i++) {
            const int32_t *index = sparse ? rows.index[i] : NULL;
            linpred__dd z =
                linpred__sum_products(rows.n[i], rows.x[i], tails ? rows.tail[i] : NULL, index, hi, lo, &rows.reach[i]);
            rows.z[i] = one ? linpred__dd_add(z, (linpred__dd){hi[last], lo[last]}) : z;
            rows.reach[i] += fabs(rows.y[i].hi) + (one ? fabs(hi[last]) : 0.0);
        }
        sum_residuals(problem->centre, &rows, &residuals);
        for (int i = 0; i < rows.count; i++) {
            const int32_t *index = sparse ? rows.index[i] : NULL;
            linpred__dd pull = rows.pull[i];
            double left = fabs(pull.hi), doubt = rows.weight[i] * rows.reach[i];
            linpred__add_multiple(rows.n[i], pull, rows.x[i], tails ? rows.tail[i] : NULL, index, g, g + p);
            linpred__add_sizes(rows.n[i], rows.x[i], index, left, size, doubt, size + p);
            if (one) {
                linpred__compensated_add(&g[last], &g[p + last], pull.hi, pull.lo);
                size[last] += left;
                size[p + last] += doubt;
            }
            sums->doubt += doubt * rows.reach[i];
        }
    }
    sums->squares = add_parts(sums->squares, residuals.squares);
    sums->absolute = add_parts(sums->absolute, residuals.absolute);
    sums->around = add_parts(sums->around, residuals.around);
}

LINPRED__INLINED void add_gradient_block_body(const linpred__squares_problem *problem, struct gradient_sums *sums,
                                              const linpred__block *block)
{
    bool sparse = block->layout == LINPRED__SPARSE, one = problem->powers.has_intercept;
    if (!problem->plain)
        add_gradient_rows(problem, sums, block, true, false, false);
    else if (sparse && block->decimals)
        add_gradient_rows(problem, sums, block, true, true, one);
    else if (sparse)
        add_gradient_rows(problem, sums, block, false, true, one);
    else if (block->decimals)
        add_gradient_rows(problem, sums, block, true, false, one);
    else
        add_gradient_rows(problem, sums, block, false, false, one);
}

LINPRED__VERSIONS(add_gradient_block,
                  (const linpred__squares_problem *problem, struct gradient_sums *sums, const linpred__block *block),
                  (problem, sums, block))

static void visit_gradient(void *context, void *state, const linpred__block *block)
{
    add_gradient_block(context, state, block);
}

static void merge_gradients(void *context, void *into, const void *from)
{
    size_t p = ((const linpred__squares_problem *)context)->p;
    struct gradient_sums *a = into;
    const struct gradient_sums *b = from;
    for (size_t j = 0; j < p; j++) {
        linpred__dd sum = linpred__dd_add(linpred__two_sum(a->gradient[j], a->gradient[p + j]),
                                          linpred__two_sum(b->gradient[j], b->gradient[p + j]));
        a->gradient[j] = sum.hi;
        a->gradient[p + j] = sum.lo;
    }
    for (size_t j = 0; j < 2 * p; j++)
        a->size[j] += b->size[j];
    a->doubt += b->doubt;
    a->squares = linpred__dd_add(a->squares, b->squares);
    a->absolute = linpred__dd_add(a->absolute, b->absolute);
    a->around = linpred__dd_add(a->around, b->around);
}

static void list_gradient(void *context, void *state, linpred__state_pieces *pieces)
{
    size_t p = ((const linpred__squares_problem *)context)->p;
    struct gradient_sums *sums = state;
    linpred__state_piece(pieces, sums->gradient, 2 * p * sizeof(double));
    linpred__state_piece(pieces, sums->size, 2 * p * sizeof(double));
    linpred__state_piece(pieces, &sums->squares, sizeof *sums - offsetof(struct gradient_sums, squares));
}

linpred__visitor linpred__gradient_visitor(linpred__squares_problem *problem)
{
    return (linpred__visitor){sizeof(struct gradient_sums),
                              init_gradient_sums,
                              visit_gradient,
                              merge_gradients,
                              clear_gradient_sums,
                              problem,
                              list_gradient};
}

void linpred__take_gradient(linpred__squares_problem *problem, const void *state)
{
    const struct gradient_sums *total = state;
    size_t p = problem->p, terms = (size_t)problem->powers.terms;
    problem->squares = total->squares;
    problem->doubt = total->doubt;
    problem->absolute = total->absolute.hi;
    problem->around = total->around.hi;
    problem->total = problem->around + problem->weight * problem->centre * problem->centre;
    memcpy(problem->size, total->size, 2 * p * sizeof *problem->size);
    for (size_t j = 0; j < p; j++)
        problem->gradient[j] = linpred__two_sum(total->gradient[j], total->gradient[p + j]);
    for (size_t j = 0; j < terms; j++) {
        double scale = ldexp(problem->penalty.hi, 2 * problem->exponent[j]), w = problem->w[j];
        linpred__dd kappa = {-scale, -ldexp(problem->penalty.lo, 2 * problem->exponent[j])};
        linpred__dd pull = linpred__dd_multiply((linpred__dd){w, problem->w[p + j]}, kappa);
        problem->gradient[j] = linpred__dd_add(problem->gradient[j], pull);
        problem->size[j] += scale * fabs(w);
        problem->size[p + j] += scale * fabs(w);
    }
}
