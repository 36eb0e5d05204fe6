/* Sums the Gram matrix of the rows and tests the dependencies.
 *
 * For small data and for powers the sums are in double-double, otherwise in doubles. squares_bounds.c bounds their
 * error.
 */
#include <math.h>
#include <string.h>

#include "check/dense/product.h"
#include "check/null/vectors.h"
#include "check/regression/polynomials.h"
#include "check/regression/squares.h"
#include "core/error.h"
#include "num/greater.h"
#include "core/memory.h"
#include "data/tree.h"
#include "data/row.h"

struct gram {
    linpred__dd *careful; /* the sums in double-double, or NULL */
    double *plain;        /* the sums in doubles: the upper triangle by rows, or NULL */
    double *rows; /* rows waiting to be added to `plain` (one row, if careful), then trailing parts of one row, then
                     buffer */
    size_t used;
    double worst;      /* the largest |<x,n>| / Σ|x_j n_j| over the rows and dependencies so far */
    unsigned *broken;  /* for each dependency, the bits of linpred__squares_broken of all rows so far */
    double *row_error; /* Σ weight e² of each coordinate, e bounding its rounding; NULL: rows are not rounded */
};

static size_t buffered_rows(const linpred__squares_problem *problem)
{
    return problem->careful ? 1 : linpred__product_rows(problem->p);
}

static void clear_gram(void *context, void *state)
{
    (void)context;
    struct gram *gram = state;
    linpred__release(gram->careful);
    linpred__release(gram->plain);
    linpred__release(gram->rows);
    linpred__release(gram->broken);
    linpred__release(gram->row_error);
}

static bool init_gram(void *context, void *state)
{
    const linpred__squares_problem *problem = context;
    struct gram *gram = state;
    size_t p = problem->p, stride = linpred__whole_vectors(p);
    if (problem->careful)
        gram->careful = linpred__calloc(p * p, sizeof *gram->careful);
    else
        gram->plain = linpred__calloc(stride * stride, sizeof *gram->plain);
    bool powers = problem->powers.polynomials > 0;
    gram->row_error = powers ? linpred__calloc(p, sizeof *gram->row_error) : NULL;
    gram->rows = linpred__calloc(stride * (buffered_rows(problem) + 3), sizeof(double));
    gram->broken = linpred__calloc((size_t)problem->regression->dependencies.count + 1, sizeof *gram->broken);
    if (gram->rows && gram->broken && (gram->careful || gram->plain) && (gram->row_error || !powers))
        return true;
    clear_gram(context, state);
    return false;
}

/* |<x,n>| / Σ|x_j n_j|. The row is in the units of the problem, so n is scaled back. */
static double dependence(const linpred__squares_problem *problem, const double *hi, const double *lo, const double *n)
{
    linpred__dd sum = {0.0, 0.0};
    double size = 0.0;
    for (size_t j = 0; j < problem->p; j++) {
        double part = ldexp(n[j], -problem->exponent[j]);
        sum = linpred__dd_add(sum, linpred__dd_multiply_double((linpred__dd){hi[j], lo[j]}, part));
        size += fabs(hi[j] * part);
    }
    return size > 0 ? fabs(sum.hi) / size : 0.0;
}

/* Adds the squared rounding errors of this row. `buffer` is 2 p long. */
static void add_row_error(const linpred__squares_problem *problem, struct gram *gram, const linpred__block *block,
                          int32_t r, const double *hi, double *buffer)
{
    double weight = linpred__row_weight(block, r);
    for (size_t j = 0; j < problem->p; j++)
        buffer[problem->p + j] = problem->exponent[j] ? ldexp(hi[j], -problem->exponent[j]) : hi[j];
    linpred__row_in_basis_error(&problem->powers, block, r, buffer + problem->p, buffer);
    for (size_t j = 0; j < problem->p; j++) {
        double e = problem->exponent[j] ? ldexp(buffer[j], problem->exponent[j]) : buffer[j];
        gram->row_error[j] += weight * e * e;
    }
}

static void add_careful_row(const linpred__squares_problem *problem, struct gram *gram, const double *hi,
                            const double *lo, double weight)
{
    size_t p = problem->p;
    for (size_t i = 0; i < p; i++) {
        linpred__dd a = linpred__dd_multiply_double((linpred__dd){hi[i], lo[i]}, weight);
        for (size_t j = 0; a.hi != 0.0 && j <= i; j++)
            gram->careful[i * p + j] =
                linpred__dd_add(gram->careful[i * p + j], linpred__dd_multiply(a, (linpred__dd){hi[j], lo[j]}));
    }
}

/* Adds the products of the entries of sparse rows. */
static void add_sparse_squares(const linpred__squares_problem *problem, struct gram *gram, const linpred__block *block)
{
    size_t stride = linpred__whole_vectors(problem->p), last = problem->p - 1;
    for (int32_t r = 0; r < block->rows; r++) {
        double weight = linpred__row_weight(block, r);
        for (int64_t k = block->start[r]; k < block->start[r + 1]; k++) {
            double a = weight * block->values[k];
            double *row = gram->plain + (size_t)block->indices[k] * stride;
            for (int64_t l = k; l < block->start[r + 1]; l++)
                row[block->indices[l]] += a * block->values[l];
            if (problem->powers.has_intercept)
                row[last] += a;
        }
        if (problem->powers.has_intercept)
            gram->plain[last * stride + last] += weight;
    }
}

static void add_waiting(const linpred__squares_problem *problem, struct gram *gram)
{
    linpred__product_add(gram->used, gram->rows, problem->p, gram->rows, problem->p, true, gram->plain);
    gram->used = 0;
}

static void add_squares_block(void *context, void *state, const linpred__block *block)
{
    const linpred__squares_problem *problem = context;
    struct gram *gram = state;
    size_t p = problem->p, stride = linpred__whole_vectors(p), buffer = buffered_rows(problem);
    int32_t dependencies = problem->regression->dependencies.count;
    if (block->layout == LINPRED__SPARSE && problem->plain && !problem->careful && dependencies == 0) {
        add_sparse_squares(problem, gram, block);
        return;
    }
    double *lo = gram->rows + stride * buffer;
    for (int32_t r = 0; r < block->rows; r++) {
        double *hi = gram->rows + gram->used * stride;
        double weight = linpred__row_weight(block, r);
        linpred__squares_row(problem, block, r, hi, lo);
        for (int32_t k = 0; k < dependencies; k++) {
            gram->worst = linpred__greater(
                gram->worst, dependence(problem, hi, lo, problem->regression->dependencies.vector + (size_t)k * p));
            if (gram->broken[k] != 3)
                gram->broken[k] |= linpred__squares_broken(problem, block, r, k, lo + stride);
        }
        if (gram->row_error)
            add_row_error(problem, gram, block, r, hi, lo + stride);
        if (problem->careful) {
            add_careful_row(problem, gram, hi, lo, weight);
            continue;
        }
        for (size_t j = 0; weight != 1.0 && j < p; j++)
            hi[j] *= sqrt(weight);
        if (++gram->used == buffer)
            add_waiting(problem, gram);
    }
}

static void merge_gram(void *context, void *into, const void *from)
{
    const linpred__squares_problem *problem = context;
    struct gram *a = into;
    struct gram *b = (struct gram *)from;
    size_t p = problem->p, stride = linpred__whole_vectors(p);
    a->worst = linpred__greater(a->worst, b->worst);
    for (int32_t k = 0; k < problem->regression->dependencies.count; k++)
        a->broken[k] |= b->broken[k];
    for (size_t j = 0; a->row_error && j < p; j++)
        a->row_error[j] += b->row_error[j];
    if (!problem->careful) {
        add_waiting(problem, a); /* before the sums of b, so that no sum has more additions than the bound counts */
        add_waiting(problem, b);
    }
    for (size_t i = 0; problem->careful && i < p * p; i++)
        a->careful[i] = linpred__dd_add(a->careful[i], b->careful[i]);
    for (size_t i = 0; !problem->careful && i < stride * stride; i++)
        a->plain[i] += b->plain[i];
}

/* Decides which form of the dependencies counts: whole numbers if they all hold exactly. Otherwise each dependency
   counts as stated, unless only its whole-numbered form holds exactly. */
static bool judge_null(linpred__squares_problem *problem, const struct gram *gram, linpred__squares_null *null)
{
    const linpred__regression *regression = problem->regression;
    size_t p = problem->p, count = (size_t)regression->dependencies.count;
    *null = (linpred__squares_null){gram->worst, true, true};
    bool whole = true;
    for (size_t k = 0; k < count; k++) {
        null->exact = null->exact && gram->broken[k] != 3;
        whole = whole && !(gram->broken[k] & 2);
    }
    for (size_t k = 0; !whole && k < count; k++) {
        if (!(gram->broken[k] & 1) || (gram->broken[k] & 2))
            memcpy(problem->rational + k * p, regression->dependencies.vector + k * p, p * sizeof *problem->rational);
    }
    int independent = count > 0 ? linpred__null_independent(problem->rational, count, p, NULL, NULL) : 1;
    null->independent = independent > 0;
    return independent >= 0;
}

static void list_gram(void *context, void *state, linpred__state_pieces *pieces)
{
    const linpred__squares_problem *problem = context;
    struct gram *gram = state;
    size_t p = problem->p, stride = linpred__whole_vectors(p);
    if (!problem->careful)
        add_waiting(problem, gram); /* as any merge would: rows that wait need not be sent */
    linpred__state_piece(pieces, gram->careful, p * p * sizeof *gram->careful);
    linpred__state_triangle(pieces, gram->plain, (linpred__triangle_shape){p, stride, true});
    linpred__state_piece(pieces, &gram->worst, sizeof gram->worst);
    linpred__state_piece(pieces, gram->broken, (size_t)problem->regression->dependencies.count * sizeof *gram->broken);
    linpred__state_piece(pieces, gram->row_error, p * sizeof *gram->row_error);
}

linpred__visitor linpred__gram_visitor(linpred__squares_problem *problem)
{
    return (linpred__visitor){sizeof(struct gram), init_gram, add_squares_block, merge_gram,
                              clear_gram,          problem,   list_gram};
}

bool linpred__take_gram(linpred__squares_problem *problem, void *state, linpred__squares_null *null)
{
    struct gram *gram = state;
    size_t p = problem->p, stride = linpred__whole_vectors(p);
    problem->gram = linpred__calloc(p * p, sizeof *problem->gram);
    if (!problem->gram)
        return false;
    if (!problem->careful)
        add_waiting(problem, gram);
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j <= i; j++) {
            linpred__dd value =
                problem->careful ? gram->careful[i * p + j] : (linpred__dd){gram->plain[j * stride + i], 0.0};
            if (i == j && i < (size_t)problem->powers.terms)
                value = linpred__dd_add(value, (linpred__dd){ldexp(problem->penalty.hi, 2 * problem->exponent[i]),
                                                             ldexp(problem->penalty.lo, 2 * problem->exponent[i])});
            problem->gram[i * p + j] = problem->gram[j * p + i] = value;
        }
    for (size_t j = 0; gram->row_error && j < p; j++)
        problem->row_error[j] = sqrt(gram->row_error[j]) * (1.0 + 1e-9);
    /* Decimals are known to 2^-104 of their size. */
    for (size_t j = 0; problem->data->decimals && j < (size_t)problem->powers.terms; j++)
        problem->row_error[j] += 0x1p-103 * sqrt(fabs(problem->gram[j * (p + 1)].hi));
    return judge_null(problem, gram, null);
}
