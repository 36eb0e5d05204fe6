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

struct gradient_sums {
    double *gradient; /* leading parts, then trailing parts */
    double *size;     /* as linpred__squares_problem.size */
    double *row;      /* a row in the coordinates of the problem: leading parts, then trailing parts */
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
    sums->row = linpred__calloc(2 * p, sizeof(double));
    if (sums->gradient && sums->size && sums->row)
        return true;
    clear_gradient_sums(context, state);
    return false;
}

/* Adds weight r² and its like. Returns weight r. */
LINPRED__INLINED linpred__dd sum_residual(const linpred__squares_problem *problem, struct gradient_sums *sums,
                                          linpred__dd y, double weight, linpred__dd r)
{
    linpred__dd pull = linpred__dd_multiply_double(r, weight), about = linpred__dd_add_double(y, -problem->centre);
    sums->squares = linpred__dd_add(sums->squares, linpred__dd_multiply(pull, r));
    sums->absolute = linpred__dd_add(sums->absolute, pull.hi < 0 ? linpred__dd_negate(pull) : pull);
    sums->around =
        linpred__dd_add(sums->around, linpred__dd_multiply(linpred__dd_multiply_double(about, weight), about));
    return pull;
}

/* The entries of a row. */
struct entries {
    int64_t n;
    const double *x;
    const double *tail;   /* trailing parts; NULL: zeros */
    const int32_t *index; /* the coordinate of each entry; NULL: the entries are all coordinates */
    bool one;             /* the intercept's 1 is not among them */
};

LINPRED__INLINED void add_gradient_row(const linpred__squares_problem *problem, struct gradient_sums *sums,
                                       linpred__dd y, double weight, struct entries row)
{
    size_t p = problem->p, last = p - 1;
    const double *hi = problem->w, *lo = hi + p;
    double *g = sums->gradient, *size = sums->size, reach;
    linpred__dd z = linpred__sum_products(row.n, row.x, row.tail, row.index, hi, lo, &reach);
    if (row.one) {
        z = linpred__dd_add(z, (linpred__dd){hi[last], lo[last]});
        reach += fabs(hi[last]);
    }
    reach += fabs(y.hi);
    linpred__dd pull = sum_residual(problem, sums, y, weight, linpred__dd_add(linpred__dd_negate(z), y));
    double left = fabs(pull.hi), doubt = weight * reach;
    linpred__add_multiple(row.n, pull, row.x, row.tail, row.index, g, g + p);
    linpred__add_sizes(row.n, row.x, row.index, left, size, doubt, size + p);
    if (row.one) {
        linpred__add_term(&g[last], &g[p + last], pull.hi, pull.lo);
        size[last] += left;
        size[p + last] += doubt;
    }
    sums->doubt += doubt * reach;
}

LINPRED__INLINED void add_gradient_block_body(const linpred__squares_problem *problem, struct gradient_sums *sums,
                                              const linpred__block *block)
{
    int64_t p = (int64_t)problem->p;
    bool one = problem->powers.has_intercept;
    for (int32_t r = 0; r < block->rows; r++) {
        double weight = linpred__row_weight(block, r);
        linpred__entries row = linpred__entries_of(block, r);
        linpred__dd y = {block->target[r], linpred__target_rest(problem->data, block->target[r])};
        if (problem->target_exponent)
            y = (linpred__dd){ldexp(y.hi, -problem->target_exponent), ldexp(y.lo, -problem->target_exponent)};
        if (problem->plain && block->decimals) {
            for (int64_t k = 0; k < row.count; k++)
                sums->row[k] = linpred__cell_rest(block, linpred__entry_column(&row, k), row.values[k]);
            add_gradient_row(problem, sums, y, weight,
                             (struct entries){row.count, row.values, sums->row, row.indices, one});
        } else if (!problem->plain) {
            linpred__squares_row(problem, block, r, sums->row, sums->row + p);
            add_gradient_row(problem, sums, y, weight, (struct entries){p, sums->row, sums->row + p, NULL, false});
        } else if (block->layout == LINPRED__SPARSE) {
            add_gradient_row(problem, sums, y, weight, (struct entries){row.count, row.values, NULL, row.indices, one});
        } else {
            add_gradient_row(problem, sums, y, weight, (struct entries){row.count, row.values, NULL, NULL, one});
        }
    }
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
