/* Bounds δ = ||I - S'GS|| and ||S'g|| from the Gram matrix G, the factor S and the gradient g, including all rounding.
 * For a model without S, S is made from G.
 */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "check/limits.h"
#include "check/regression/measure.h"
#include "check/regression/squares.h"
#include "core/blas.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "pass/residual.h"

/* ---- a factor of our own ---- */

/* Lists the columns that remain when one is left out for each dependency: one whose entry is 0 in all others. */
static size_t choose_columns(const linpred__squares_problem *problem, size_t *column)
{
    const linpred__regression *regression = problem->regression;
    size_t p = problem->p, count = 0;
    for (size_t j = 0; j < p; j++)
        column[j] = 0;
    for (int32_t k = 0; k < regression->dependencies.count; k++)
        for (size_t j = p; j-- > 0;) {
            int32_t parts = 0;
            for (int32_t l = 0; l < regression->dependencies.count; l++)
                parts += regression->dependencies.vector[(size_t)l * p + j] != 0.0;
            if (parts == 1 && regression->dependencies.vector[(size_t)k * p + j] != 0.0) {
                column[j] = 1;
                break;
            }
        }
    for (size_t j = 0; j < p; j++)
        if (column[j] == 0)
            column[count++] = j;
    return count;
}

/* S = D L'^-1 with D G D = L L' for the chosen columns, where D scales the diagonal to 1. The bounds rest on S'GS, so S
   need not be accurate. */
linpred_status linpred__squares_own_factor(linpred__squares_problem *problem, linpred_error *error)
{
    size_t p = problem->p;
    size_t *column = linpred__alloc(p, sizeof *column);
    double *scale = linpred__alloc(p, sizeof *scale);
    double *matrix = linpred__calloc(p * p, sizeof *matrix);
    double *factor = linpred__calloc(p * p, sizeof *factor);
    bool ready = column && scale && matrix && factor, regular = ready;
    size_t n = ready ? choose_columns(problem, column) : 0;
    for (size_t j = 0; regular && j < n; j++) {
        double length = problem->gram[column[j] * (p + 1)].hi;
        regular = length > 0 && isfinite(length);
        scale[j] = 1.0 / sqrt(length);
    }
    for (size_t j = 0; regular && j < n; j++)
        for (size_t i = j; i < n; i++)
            matrix[j * n + i] = problem->gram[column[j] * p + column[i]].hi * scale[i] * scale[j];
    linpred__blas_enter();
    regular = regular && LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (lapack_int)n, matrix, (lapack_int)n) == 0 &&
              LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'L', 'N', (lapack_int)n, matrix, (lapack_int)n) == 0;
    linpred__blas_leave();
    for (size_t j = 0; regular && j < n; j++) /* column j of L^-1 D is row column[j] of S */
        for (size_t k = j; k < n; k++)
            factor[column[j] * n + k] = matrix[j * n + k] * scale[j];
    linpred__release(column);
    linpred__release(scale);
    linpred__release(matrix);
    if (!regular)
        linpred__release(factor);
    problem->factor = regular ? factor : NULL;
    problem->rank = n;
    problem->own = true;
    return ready ? LINPRED_OK : linpred__no_memory(error);
}

/* ---- the bounds ---- */

/* A bound of the error of an entry of the Gram matrix, divided by the lengths of its two columns. The relative error of
   a sum of products with k additions in sequence is at most k 2^-53 / (1 - k 2^-53), and the terms are rounded too. The
   bound is taken twice as large. */
static double gram_error(const linpred__squares_problem *problem)
{
    double chain = linpred__pass_chain(problem->data, linpred__cut_matrix(problem->data, (double)problem->p)) + 16.0;
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
    double rows = linpred__pass_chain(problem->data, linpred__residual_cut(problem->data));
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

/* Bounds the same δ for many columns, with products in doubles. The error of each is at most p 2^-53 times the sum of
   absolute values. `gram` and `product` are p x p. */
static void departure_in_doubles(const linpred__squares_problem *problem, const double *s, size_t rank, double *gram,
                                 double *product, linpred__squares_bounds *bounds)
{
    size_t p = problem->p;
    int n = (int)p, m = (int)rank;
    double square = 0.0, reach = 0.0;
    for (size_t i = 0; i < p * p; i++)
        gram[i] = problem->gram[i].hi;
    for (size_t k = 0; k < rank; k++) {
        double along = 0.0;
        for (size_t i = 0; i < p; i++)
            along += sqrt(fabs(gram[i * p + i])) * fabs(s[i * rank + k]);
        reach += along * along;
    }
    linpred__blas_enter();
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, n, 1.0, gram, n, s, m, 0.0, product, m);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, m, n, 1.0, s, m, product, m, 0.0, gram, m);
    linpred__blas_leave();
    for (size_t i = 0; i < rank * rank; i++) {
        double part = gram[i] - (i % (rank + 1) == 0 ? 1.0 : 0.0);
        square += part * part;
    }
    bounds->measured = sqrt(square);
    bounds->reach = reach;
    bounds->departure =
        sqrt(square) * (1.0 + 1e-9) + (gram_error(problem) + 4.0 * (double)p * 0x1p-53) * reach * (1.0 + 1e-9);
}

linpred_status linpred__squares_find_bounds(const linpred__squares_problem *problem, linpred__squares_bounds *bounds,
                                            linpred_error *error)
{
    size_t p = problem->p, rank = problem->rank;
    double *s = linpred__alloc(p * rank, sizeof *s);
    linpred__dd *column = linpred__alloc(problem->own ? p * p : p, sizeof *column); /* or two matrices of doubles */
    bool complete = s && column;
    int32_t degree = linpred__highest_power(&problem->powers);
    for (size_t i = 0; complete && i < p * rank; i++)
        s[i] = ldexp(problem->factor[i], -problem->exponent[i / rank]);
    if (complete) {
        if (problem->own)
            departure_in_doubles(problem, s, rank, (double *)column, (double *)column + p * p, bounds);
        else
            departure(problem, s, rank, column, bounds);
        double off = rows_off(problem, s, rank);
        bounds->departure += (2.0 * off * sqrt(bounds->reach) + off * off) * (1.0 + 1e-9);
        bound_gradient(problem, s, rank, degree, off, bounds);
    }
    linpred__release(s);
    linpred__release(column);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}
