/* The Gram matrix of the check, and the bounds that come from it. Sums are in double-double for small data and for
 * powers, else in doubles with a bound on what that loses. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "check/dependencies.h"
#include "check/least_squares.h"
#include "core/blas.h"
#include "core/error.h"
#include "num/greater.h"
#include "core/memory.h"
#include "pass/gram.h"
#include "data/tree.h"
#include "pass/residual.h"
#include "data/row.h"

/* ---- the Gram matrix -----------------------------------------------------------------------------------------------
 */

struct gram {
    linpred__dd *careful;
    double *plain; /* upper triangle by rows, see pass/gram.h */
    double *
        rows; /* rows waiting to be added to `plain` (one row, if careful), then trailing parts of one row, then room */
    size_t used;
    double worst;      /* largest |<x,n>| / Σ|x_j n_j| of any dependency */
    unsigned *broken;  /* of each dependency, what linpred__squares_check_broken says of any row */
    double *row_error; /* Σ weight e² of each coordinate; NULL: rows are as they are */
};

static size_t room_of(const linpred__squares_check *problem)
{
    return problem->careful ? 1 : linpred__gram_rows(problem->p);
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
    const linpred__squares_check *problem = context;
    struct gram *gram = state;
    size_t p = problem->p, stride = linpred__gram_stride(p);
    if (problem->careful)
        gram->careful = linpred__calloc(p * p, sizeof *gram->careful);
    else
        gram->plain = linpred__calloc(stride * stride, sizeof *gram->plain);
    bool powers = problem->powers.polynomials > 0;
    gram->row_error = powers ? linpred__calloc(p, sizeof *gram->row_error) : NULL;
    gram->rows = linpred__calloc(stride * (room_of(problem) + 3), sizeof(double));
    gram->broken = linpred__calloc((size_t)problem->regression->dependencies.count + 1, sizeof *gram->broken);
    if (gram->rows && gram->broken && (gram->careful || gram->plain) && (gram->row_error || !powers))
        return true;
    clear_gram(context, state);
    return false;
}

/* |<x,n>| beside Σ|x_j n_j|, the units undone in n. */
static double dependence(const linpred__squares_check *problem, const double *hi, const double *lo, const double *n)
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

/* What rounding of this row may be. `room` is 2 p long. */
static void add_row_error(const linpred__squares_check *problem, struct gram *gram, const linpred__block *block,
                          int32_t r, const double *hi, double *room)
{
    double weight = linpred__row_weight(block, r);
    for (size_t j = 0; j < problem->p; j++)
        room[problem->p + j] = problem->exponent[j] ? ldexp(hi[j], -problem->exponent[j]) : hi[j];
    linpred__polynomial_basis_row_error(&problem->powers, block, r, room + problem->p, room);
    for (size_t j = 0; j < problem->p; j++) {
        double e = problem->exponent[j] ? ldexp(room[j], problem->exponent[j]) : room[j];
        gram->row_error[j] += weight * e * e;
    }
}

static void add_row(const linpred__squares_check *problem, struct gram *gram, const double *hi, const double *lo,
                    double weight)
{
    size_t p = problem->p;
    for (size_t i = 0; i < p; i++) {
        linpred__dd a = linpred__dd_multiply_double((linpred__dd){hi[i], lo[i]}, weight);
        for (size_t j = 0; a.hi != 0.0 && j <= i; j++)
            gram->careful[i * p + j] =
                linpred__dd_add(gram->careful[i * p + j], linpred__dd_multiply(a, (linpred__dd){hi[j], lo[j]}));
    }
}

/* From the entries of sparse rows alone. */
static void add_sparse(const linpred__squares_check *problem, struct gram *gram, const linpred__block *block)
{
    size_t stride = linpred__gram_stride(problem->p), last = problem->p - 1;
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

static void add_waiting(const linpred__squares_check *problem, struct gram *gram)
{
    linpred__gram_add(problem->p, gram->used, gram->rows, NULL, gram->plain);
    gram->used = 0;
}

static void add_block(void *context, void *state, const linpred__block *block)
{
    const linpred__squares_check *problem = context;
    struct gram *gram = state;
    size_t p = problem->p, stride = linpred__gram_stride(p), room = room_of(problem);
    int32_t dependencies = problem->regression->dependencies.count;
    if (block->layout == LINPRED__SPARSE && problem->plain && !problem->careful && dependencies == 0) {
        add_sparse(problem, gram, block);
        return;
    }
    double *lo = gram->rows + stride * room;
    for (int32_t r = 0; r < block->rows; r++) {
        double *hi = gram->rows + gram->used * stride;
        double weight = linpred__row_weight(block, r);
        linpred__squares_check_row(problem, block, r, hi, lo);
        for (int32_t k = 0; k < dependencies; k++) {
            gram->worst = linpred__greater(
                gram->worst, dependence(problem, hi, lo, problem->regression->dependencies.vector + (size_t)k * p));
            if (gram->broken[k] != 3)
                gram->broken[k] |= linpred__squares_check_broken(problem, block, r, k, lo + stride);
        }
        if (gram->row_error)
            add_row_error(problem, gram, block, r, hi, lo + stride);
        if (problem->careful) {
            add_row(problem, gram, hi, lo, weight);
            continue;
        }
        for (size_t j = 0; weight != 1.0 && j < p; j++)
            hi[j] *= sqrt(weight);
        if (++gram->used == room)
            add_waiting(problem, gram);
    }
}

static void merge_gram(void *context, void *into, const void *from)
{
    const linpred__squares_check *problem = context;
    struct gram *a = into;
    struct gram *b = (struct gram *)from;
    size_t p = problem->p, stride = linpred__gram_stride(p);
    a->worst = linpred__greater(a->worst, b->worst);
    for (int32_t k = 0; k < problem->regression->dependencies.count; k++)
        a->broken[k] |= b->broken[k];
    for (size_t j = 0; a->row_error && j < p; j++)
        a->row_error[j] += b->row_error[j];
    if (!problem->careful) {
        add_waiting(problem, a); /* before the other's sums, so that no sum is longer than the pass says */
        add_waiting(problem, b);
    }
    for (size_t i = 0; problem->careful && i < p * p; i++)
        a->careful[i] = linpred__dd_add(a->careful[i], b->careful[i]);
    for (size_t i = 0; !problem->careful && i < stride * stride; i++)
        a->plain[i] += b->plain[i];
}

/* Whole-numbered vectors if they all hold without rounding; else those stated, but for such as do not hold where the
 * others do. */
static bool judge_null(linpred__squares_check *problem, const struct gram *gram, linpred__squares_null *null)
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

linpred_status linpred__squares_check_gram(linpred__squares_check *problem, linpred__squares_null *null,
                                           linpred_error *error)
{
    linpred__visitor visitor = {sizeof(struct gram), init_gram, add_block, merge_gram, clear_gram, problem};
    linpred__cut cut = linpred__cut_matrix(problem->data, (double)problem->p);
    struct gram gram;
    size_t p = problem->p, stride = linpred__gram_stride(p);
    problem->gram = linpred__calloc(p * p, sizeof *problem->gram);
    if (!problem->gram || !linpred__squares_check_open_null(problem))
        return linpred__no_memory(error);
    linpred_status status = linpred__pass_all(problem->data, problem->pool, &visitor, (void *[]){&gram}, 1, cut, error);
    if (status != LINPRED_OK)
        return status;
    linpred__blas_enter();
    if (!problem->careful)
        add_waiting(problem, &gram);
    linpred__blas_leave();
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j <= i; j++) {
            linpred__dd value =
                problem->careful ? gram.careful[i * p + j] : (linpred__dd){gram.plain[j * stride + i], 0.0};
            if (i == j && i < (size_t)problem->powers.terms)
                value = linpred__dd_add_double(value, ldexp(problem->penalty, 2 * problem->exponent[i]));
            problem->gram[i * p + j] = problem->gram[j * p + i] = value;
        }
    for (size_t j = 0; gram.row_error && j < p; j++)
        problem->row_error[j] = sqrt(gram.row_error[j]) * (1.0 + 1e-9);
    bool judged = judge_null(problem, &gram, null);
    clear_gram(problem, &gram);
    return judged ? LINPRED_OK : linpred__no_memory(error);
}

/* ---- a factor of our own
 * --------------------------------------------------------------------------------------------- */

/* The columns left once each dependency has given one up: one in which no other dependency has a part. */
static size_t choose_columns(const linpred__squares_check *problem, size_t *column)
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

/* S = D L'^-1 with D G D = L L' over the columns chosen, D making the diagonal 1. Right or not: what is said rests on
 * S'GS. */
linpred_status linpred__squares_check_make_factor(linpred__squares_check *problem, linpred_error *error)
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

/* ---- the bounds
 * ------------------------------------------------------------------------------------------------------ */

/* The error of an entry of the Gram matrix beside the lengths of its two columns: a chain of k additions of products is
   off by at most k 2^-53 / (1 - k 2^-53) of them, with some roundings of the terms themselves. Twice as large here. */
static double gram_error(const linpred__squares_check *problem)
{
    double chain = linpred__pass_chain(problem->data, linpred__cut_matrix(problem->data, (double)problem->p)) + 16.0;
    return problem->careful ? chain * 0x1p-100 : chain * 0x1p-52;
}

double linpred__squares_check_scores_off(const linpred__squares_check *problem)
{
    double sum = 0.0;
    for (size_t j = 0; j < problem->p; j++)
        sum += problem->row_error[j] > 0.0 ? fabs(problem->w[j]) * problem->row_error[j] : 0.0;
    return sum;
}

/* ||E S||, E the rounding of the rows; it changes S'GS by at most 2 ||E S|| ||X S|| + ||E S||². */
static double rows_off(const linpred__squares_check *problem, const double *s, size_t rank)
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

/* δ: the norm of I - S'GS, with what rounding may have added. S in the problem's units, p x rank by rows. */
static void departure(const linpred__squares_check *problem, const double *s, size_t rank, linpred__dd *column,
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

/* ||S'g||, with what rounding may have added. A residual is off by at most t² 2^-106 A, t about the terms and four a
   power; through S'X, of norm sqrt(1+δ), that makes at most sqrt(1+δ) t² 2^-106 ||A||. The sums of n products on top of
   that are off by (n² + t²) 2^-106 Σ|x||r|. All taken four times as large. The rounding of rows made of powers, E,
   changes residuals by E w, and g by E'r besides. */
static void distance(const linpred__squares_check *problem, const double *s, size_t rank, int32_t degree, double off,
                     linpred__squares_bounds *bounds)
{
    size_t p = problem->p;
    double rows = linpred__pass_chain(problem->data, linpred__residual_cut(problem->data));
    double terms = (double)p + 4.0 * degree + 16.0;
    double unit = (rows * rows + terms * terms) * 0x1p-104, square = 0.0, least = 0.0;
    for (size_t k = 0; k < rank; k++) {
        linpred__dd sum = {0.0, 0.0};
        double doubt = 0.0;
        for (size_t j = 0; j < p; j++) {
            sum = linpred__dd_add(sum, linpred__dd_multiply_double(problem->gradient[j], s[j * rank + k]));
            doubt += fabs(s[j * rank + k]) * problem->size[j];
        }
        double part = fabs(sum.hi) + unit * doubt, sure = fmax(0.0, fabs(sum.hi) - unit * doubt);
        square += part * part;
        least += sure * sure;
    }
    double residuals = (terms * terms * 0x1p-104 * sqrt(problem->doubt) + linpred__squares_check_scores_off(problem)) *
                       (1.0 + bounds->departure);
    residuals += off * (sqrt(problem->squares.hi) + residuals);
    bounds->distance = (sqrt(square) + residuals) * (1.0 + 1e-9);
    bounds->certain = fmax(0.0, sqrt(least) * (1.0 - 1e-9) - residuals);
}

/* The same δ for many columns: products in doubles, each off by at most p 2^-53 of the sums of absolute values. `gram`
   and `product` are p x p. */
static void departure_in_doubles(const linpred__squares_check *problem, const double *s, size_t rank, double *gram,
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

linpred_status linpred__squares_check_bounds(const linpred__squares_check *problem, linpred__squares_bounds *bounds,
                                             linpred_error *error)
{
    size_t p = problem->p, rank = problem->rank;
    double *s = linpred__alloc(p * rank, sizeof *s);
    linpred__dd *column = linpred__alloc(problem->own ? p * p : p, sizeof *column); /* or two matrices of doubles */
    bool complete = s && column;
    int32_t degree = 1;
    for (int32_t i = 0; i < problem->powers.polynomials; i++)
        degree = problem->powers.polynomial[i].degree > degree ? problem->powers.polynomial[i].degree : degree;
    for (size_t i = 0; complete && i < p * rank; i++)
        s[i] = ldexp(problem->factor[i], -problem->exponent[i / rank]);
    if (complete) {
        if (problem->own)
            departure_in_doubles(problem, s, rank, (double *)column, (double *)column + p * p, bounds);
        else
            departure(problem, s, rank, column, bounds);
        double off = rows_off(problem, s, rank);
        bounds->departure += (2.0 * off * sqrt(bounds->reach) + off * off) * (1.0 + 1e-9);
        distance(problem, s, rank, degree, off, bounds);
    }
    linpred__release(s);
    linpred__release(column);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}
