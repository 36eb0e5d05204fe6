/* Bounds δ = ||I - S'GS|| and ||S'g|| from the Gram matrix G, the factor S and the gradient g, including all rounding.
 * For a model without S, S is made from G.
 */
#include <math.h>
#include <string.h>

#include "check/dense/factor.h"
#include "check/limits.h"
#include "check/regression/measure.h"
#include "check/regression/squares.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"

/* ---- a factor of our own ---- */

/* Marks one column for each dependency: one whose entry is 0 in all others. */
static void mark_spare(const linpred__squares_problem *problem, bool *spare)
{
    const linpred__dependencies *null = &problem->regression->dependencies;
    size_t p = problem->p;
    for (int32_t k = 0; k < null->count; k++)
        for (size_t j = p; j-- > 0;) {
            int32_t parts = 0;
            for (int32_t l = 0; l < null->count; l++)
                parts += null->vector[(size_t)l * p + j] != 0.0;
            if (parts == 1 && null->vector[(size_t)k * p + j] != 0.0) {
                spare[j] = true;
                break;
            }
        }
}

/* S = D L'^-1, where L L' is D G D for the columns that are not spare and D scales the diagonal to 1. */
static bool take_inverse(const linpred__factor *factor, double *s)
{
    enum { SIDE = LINPRED__SIDE_BY_SIDE };
    size_t n = (size_t)factor->n;
    double *x = linpred__alloc(n * SIDE, sizeof *x);
    for (int32_t from = 0; x && from < factor->n; from += SIDE) {
        linpred__factor_inverse_columns(factor, from, x);
        for (int32_t j = from; j < factor->n && j < from + SIDE; j++)
            for (int32_t k = j; k < factor->n; k++)
                s[(size_t)factor->keep[j] * n + (size_t)k] = x[(k - from) * SIDE + (j - from)] * factor->scale[j];
    }
    linpred__release(x);
    return x;
}

/* The bounds rest on S'GS, so S need not be accurate. */
linpred_status linpred__squares_own_factor(linpred__squares_problem *problem, linpred_error *error)
{
    size_t p = problem->p;
    bool *spare = linpred__calloc(p, sizeof *spare);
    double *matrix = linpred__alloc(p * p, sizeof *matrix);
    double *s = linpred__calloc(p * p, sizeof *s);
    linpred__factor factor = {0};
    bool ready = spare && matrix && s;
    for (size_t i = 0; ready && i < p * p; i++)
        matrix[i] = problem->gram[i].hi;
    if (ready)
        mark_spare(problem, spare);
    ready =
        ready && linpred__factor_open(matrix, (int32_t)p, spare, problem->pool, &factor) && take_inverse(&factor, s);
    bool regular = ready;
    size_t left = (size_t)factor.n;
    for (size_t j = 0; ready && j < p; j++)
        left += spare[j];
    regular = regular && left == p;
    problem->rank = (size_t)factor.n;
    problem->factor = regular ? s : NULL;
    problem->own = true;
    if (!regular)
        linpred__release(s);
    linpred__factor_close(&factor);
    linpred__release(spare);
    linpred__release(matrix);
    return ready ? LINPRED_OK : linpred__no_memory(error);
}

/* ---- the bounds ---- */

/* A bound of the error of an entry of the Gram matrix, divided by the lengths of its two columns. The relative error of
   a sum of products with k additions in sequence is at most k 2^-53 / (1 - k 2^-53), and the terms are rounded too; in
   doubles, cells are their decimals rounded. The bound is taken twice as large. */
static double gram_error(const linpred__squares_problem *problem)
{
    double chain = linpred__pass_chain(problem->data, problem->cut) + 18.0;
    return problem->careful ? chain * 0x1p-100 : chain * 0x1p-52;
}

double linpred__squares_scores_off(const linpred__squares_problem *problem)
{
    double sum = 0.0;
    for (size_t j = 0; j < problem->p; j++)
        sum += problem->row_error[j] > 0.0 ? fabs(problem->w[j]) * problem->row_error[j] : 0.0;
    return sum;
}

/* A bound of ||E S||, where E is the rounding error of the rows. It changes S'GS by at most 2 ||E S|| ||X S|| + ||E
 * S||². */
static double rows_off(const linpred__squares_problem *problem, const double *s, size_t rank)
{
    double square = 0.0;
    for (size_t k = 0; k < rank; k++) {
        double along = 0.0;
        for (size_t j = 0; j < problem->p; j++)
            along += problem->row_error[j] * fabs(s[j * rank + k]);
        square += along * along;
    }
    return sqrt(square);
}

/* Bounds δ = ||I - S'GS|| in double-double. S is in the units of the problem, p x rank by rows. */
static void departure(const linpred__squares_problem *problem, const double *s, size_t rank, linpred__dd *column,
                      linpred__squares_bounds *bounds)
{
    size_t p = problem->p;
    double square = 0.0, reach = 0.0;
    for (size_t k = 0; k < rank; k++) {
        double along = 0.0;
        for (size_t i = 0; i < p; i++) {
            linpred__dd sum = {0.0, 0.0};
            for (size_t j = 0; j < p; j++)
                if (s[j * rank + k] != 0.0)
                    sum = linpred__dd_add(sum, linpred__dd_multiply_double(problem->gram[i * p + j], s[j * rank + k]));
            column[i] = sum;
            along += sqrt(fabs(problem->gram[i * p + i].hi)) * fabs(s[i * rank + k]);
        }
        reach += along * along;
        for (size_t l = 0; l < rank; l++) {
            linpred__dd sum = {l == k ? -1.0 : 0.0, 0.0};
            for (size_t i = 0; i < p; i++)
                if (s[i * rank + l] != 0.0)
                    sum = linpred__dd_add(sum, linpred__dd_multiply_double(column[i], s[i * rank + l]));
            square += sum.hi * sum.hi;
        }
    }
    bounds->measured = sqrt(square);
    bounds->reach = reach;
    bounds->departure = sqrt(square) * (1.0 + 1e-9) + (gram_error(problem) + (double)(p * p) * 0x1p-98) * reach;
}

/* Bounds ||S'g|| from above and below. Its rounding has three parts. The error of a residual is at most t² 2^-106 A,
   where t is about the number of terms plus four for each power. ||S'X|| = sqrt(1+δ), so it contributes at most
   sqrt(1+δ) t² 2^-106 ||A||. The sums over n rows contribute (n² + t²) 2^-106 Σ|x||r|. Both are taken four times as
   large. The rounding error E of rows with powers changes residuals by E w, and g by E'r as well. */
static void bound_gradient(const linpred__squares_problem *problem, const double *s, size_t rank, int32_t degree,
                           double off, linpred__squares_bounds *bounds)
{
    size_t p = problem->p;
    double rows = linpred__pass_chain(problem->data, problem->cut);
    double terms = (double)p + 4.0 * degree + 16.0;
    double unit = (rows * rows + terms * terms) * 0x1p-104, square = 0.0, sure_square = 0.0;
    for (size_t k = 0; k < rank; k++) {
        linpred__dd sum = {0.0, 0.0};
        double doubt = 0.0;
        for (size_t j = 0; j < p; j++) {
            sum = linpred__dd_add(sum, linpred__dd_multiply_double(problem->gradient[j], s[j * rank + k]));
            doubt += fabs(s[j * rank + k]) * problem->size[j];
        }
        double part = fabs(sum.hi) + unit * doubt, sure = fmax(0.0, fabs(sum.hi) - unit * doubt);
        square += part * part;
        sure_square += sure * sure;
    }
    double residuals = (terms * terms * 0x1p-104 * sqrt(problem->doubt) + linpred__squares_scores_off(problem)) *
                       (1.0 + bounds->departure);
    residuals += off * (sqrt(problem->squares.hi) + residuals);
    bounds->distance = (sqrt(square) + residuals) * (1.0 + 1e-9);
    bounds->certain = fmax(0.0, sqrt(sure_square) * (1.0 - 1e-9) - residuals);
}

/* Copies a matrix with rows of n entries to one whose rows are whole vectors. */
static void spread_rows(const double *from, size_t rows, size_t n, double *to)
{
    for (size_t i = 0; i < rows; i++)
        memcpy(to + i * linpred__whole_vectors(n), from + i * n, n * sizeof *to);
}

/* Bounds the same δ for many columns, with products in doubles. The error of each is at most p 2^-53 times the sum of
   absolute values. */
static bool departure_in_doubles(const linpred__squares_problem *problem, const double *s, size_t rank,
                                 linpred__squares_bounds *bounds)
{
    size_t p = problem->p, stride = linpred__whole_vectors(p), wide = linpred__whole_vectors(rank);
    double square = 0.0, reach = 0.0;
    double *buffer = linpred__calloc(stride * stride + 2 * stride * wide + wide * wide, sizeof *buffer);
    if (!buffer)
        return false;
    double *gram = buffer, *factor = gram + stride * stride, *product = factor + stride * wide;
    double *whole = product + stride * wide;
    for (size_t i = 0; i < p * p; i++)
        gram[i / p * stride + i % p] = problem->gram[i].hi;
    spread_rows(s, p, rank, factor);
    for (size_t k = 0; k < rank; k++) {
        double along = 0.0;
        for (size_t i = 0; i < p; i++)
            along += sqrt(fabs(gram[i * stride + i])) * fabs(s[i * rank + k]);
        reach += along * along;
    }
    linpred__product_add(p, gram, p, factor, rank, false, product); /* G is symmetric */
    linpred__product_add(p, factor, rank, product, rank, false, whole);
    for (size_t i = 0; i < rank; i++)
        for (size_t k = 0; k < rank; k++) {
            double part = whole[i * wide + k] - (i == k ? 1.0 : 0.0);
            square += part * part;
        }
    linpred__release(buffer);
    bounds->measured = sqrt(square);
    bounds->reach = reach;
    bounds->departure =
        sqrt(square) * (1.0 + 1e-9) + (gram_error(problem) + 4.0 * (double)p * 0x1p-53) * reach * (1.0 + 1e-9);
    return true;
}

linpred_status linpred__squares_find_bounds(const linpred__squares_problem *problem, linpred__squares_bounds *bounds,
                                            linpred_error *error)
{
    size_t p = problem->p, rank = problem->rank;
    double *s = linpred__alloc(p * rank, sizeof *s);
    linpred__dd *column = linpred__alloc(p, sizeof *column);
    bool complete = s && column;
    int32_t degree = linpred__highest_power(&problem->powers);
    for (size_t i = 0; complete && i < p; i++)
        for (size_t k = 0; k < rank; k++)
            s[i * rank + k] = ldexp(problem->factor[i * rank + k], -problem->exponent[i]);
    if (complete && problem->own)
        complete = departure_in_doubles(problem, s, rank, bounds);
    else if (complete)
        departure(problem, s, rank, column, bounds);
    if (complete) {
        double off = rows_off(problem, s, rank);
        bounds->departure += (2.0 * off * sqrt(bounds->reach) + off * off) * (1.0 + 1e-9);
        bound_gradient(problem, s, rank, degree, off, bounds);
    }
    linpred__release(s);
    linpred__release(column);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}
