/* Checking that coefficients minimise Σ weight (y - <x,w>)² + κ||w||², x being the row in plain powers, the intercept's 1 last.
 *
 * With g = X'V(y - Xw) - κw in double-double and the certificate's S: if E = I - S'(X'VX + κI)S has norm δ < 1, then some exact
 * minimiser w* has
 *       w* - w = S (I - E)^-1 S'g,   so   |w*_j - w_j| <= ||row j of S|| ||S'g|| / (1 - δ)
 * and the objective is at most ||S'g||² / (1 - δ) above the least possible. δ and ||S'g|| are bounded with all rounding of the check
 * itself. Dependencies n (X n = 0) and least norm (n'w = 0) are looked at row by row. Nothing is solved here.
 */
#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/regression.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/pass.h"
#include "data/residual.h"
#include "data/row.h"

static const double tolerance = 1e-9; /* of the relative gap */
static const double all_careful = 2e7; /* rows x columns² up to which the Gram matrix is summed in double-double */

struct problem {
    const linpred_data *data;
    linpred__pool *pool;
    const linpred__regression *regression;
    linpred__basis powers;
    size_t p;
    bool plain;       /* rows as they are: no powers, units that cannot overflow */
    bool careful;
    int *exponent;    /* coordinate j is taken times 2^exponent_j, which makes it about as long as 1/||row j of S|| */
    int target_exponent;
    double penalty;
    double weight;
    double *factor;        /* S in plain powers, p x rank by rows; NULL: the certificate has none */
    linpred__dd *gram;     /* p x p */
    linpred__dd *gradient; /* p */
    double *size;          /* with `doubt`: bounds the rounding of the gradient (linpred__residual) */
    double doubt;
    linpred__dd squares;
    linpred__dd total; /* Σ weight y² */
};

static void expand(const void *context, const linpred__block *block, int32_t r, double *hi, double *lo)
{
    const struct problem *problem = context;
    linpred__basis_row(&problem->powers, block, r, hi, lo);
    for (size_t j = 0; j < problem->p; j++)
        if (problem->exponent[j] != 0) {
            hi[j] = ldexp(hi[j], problem->exponent[j]);
            lo[j] = ldexp(lo[j], problem->exponent[j]);
        }
}

/* ---- the Gram matrix ----------------------------------------------------------------------------------------------- */

struct gram {
    linpred__dd *careful;
    double *plain;
    double *rows; /* leading parts of a block's rows, then trailing parts of one row */
    double worst; /* largest |<x,n>| / Σ|x_j n_j| of any dependency */
};

static void clear_gram(void *context, void *state)
{
    (void)context;
    struct gram *gram = state;
    linpred__release(gram->careful);
    linpred__release(gram->plain);
    linpred__release(gram->rows);
}

static bool init_gram(void *context, void *state)
{
    const struct problem *problem = context;
    struct gram *gram = state;
    size_t p = problem->p;
    if (problem->careful)
        gram->careful = linpred__calloc(p * p, sizeof *gram->careful);
    else
        gram->plain = linpred__calloc(p * p, sizeof *gram->plain);
    gram->rows = linpred__alloc(p * ((size_t)problem->data->block_rows + 1), sizeof(double));
    if (gram->rows && (gram->careful || gram->plain))
        return true;
    clear_gram(context, state);
    return false;
}

/* |<x,n>| beside Σ|x_j n_j|, the units undone in n. */
static double dependence(const struct problem *problem, const double *hi, const double *lo, const double *n)
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

static void add_row(const struct problem *problem, struct gram *gram, const double *hi, const double *lo, double weight)
{
    size_t p = problem->p;
    for (size_t i = 0; i < p; i++) {
        linpred__dd a = linpred__dd_multiply_double((linpred__dd){hi[i], lo[i]}, weight);
        for (size_t j = 0; a.hi != 0.0 && j <= i; j++)
            gram->careful[i * p + j] =
                linpred__dd_add(gram->careful[i * p + j], linpred__dd_multiply(a, (linpred__dd){hi[j], lo[j]}));
    }
}

static void add_block(void *context, void *state, const linpred__block *block)
{
    const struct problem *problem = context;
    struct gram *gram = state;
    size_t p = problem->p;
    double *lo = gram->rows + p * (size_t)problem->data->block_rows;
    for (int32_t r = 0; r < block->rows; r++) {
        double *hi = gram->rows + (size_t)r * p;
        double weight = linpred__row_weight(block, r);
        expand(problem, block, r, hi, lo);
        for (int32_t k = 0; k < problem->regression->dependencies; k++)
            gram->worst =
                fmax(gram->worst, dependence(problem, hi, lo, problem->regression->dependency + (size_t)k * p));
        if (problem->careful)
            add_row(problem, gram, hi, lo, weight);
        for (size_t j = 0; !problem->careful && weight != 1.0 && j < p; j++)
            hi[j] *= sqrt(weight);
    }
    if (!problem->careful)
        cblas_dsyrk(CblasColMajor, CblasUpper, CblasNoTrans, (int)p, block->rows, 1.0, gram->rows, (int)p, 1.0, gram->plain,
                    (int)p);
}

static void merge_gram(void *context, void *into, const void *from)
{
    const struct problem *problem = context;
    struct gram *a = into;
    const struct gram *b = from;
    size_t count = problem->p * problem->p;
    a->worst = fmax(a->worst, b->worst);
    for (size_t i = 0; problem->careful && i < count; i++)
        a->careful[i] = linpred__dd_add(a->careful[i], b->careful[i]);
    for (size_t i = 0; !problem->careful && i < count; i++)
        a->plain[i] += b->plain[i];
}

static linpred_status find_gram(struct problem *problem, double *worst, linpred_error *error)
{
    linpred__visitor visitor = {sizeof(struct gram), init_gram, add_block, merge_gram, clear_gram, problem};
    struct gram gram;
    linpred_status status = linpred__pass(problem->data, problem->pool, &visitor, &gram, error);
    if (status != LINPRED_OK)
        return status;
    size_t p = problem->p;
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j <= i; j++) { /* upper triangle by columns is lower by rows */
            linpred__dd value = problem->careful ? gram.careful[i * p + j] : (linpred__dd){gram.plain[i * p + j], 0.0};
            if (i == j && i < (size_t)problem->powers.terms)
                value = linpred__dd_add_double(value, ldexp(problem->penalty, 2 * problem->exponent[i]));
            problem->gram[i * p + j] = problem->gram[j * p + i] = value;
        }
    *worst = gram.worst;
    clear_gram(problem, &gram);
    return LINPRED_OK;
}

/* ---- the bounds ------------------------------------------------------------------------------------------------------ */

struct bounds {
    double distance;  /* ||S'g|| */
    double departure; /* δ */
};

/* The relative error of an entry of the Gram matrix beside the lengths of its two columns. */
static double gram_error(const struct problem *problem)
{
    double additions = problem->data->block_rows + (double)problem->data->blocks / LINPRED__LANES + 64.0;
    return problem->careful ? (double)(problem->data->rows + 64) * 0x1p-100 : additions * 0x1p-51;
}

/* δ: the norm of I - S'GS, with what rounding may have added. S in the problem's units, p x rank by rows. */
static double departure(const struct problem *problem, const double *s, size_t rank, linpred__dd *column)
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
    return sqrt(square) * (1.0 + 1e-9) + (gram_error(problem) + (double)(p * p) * 0x1p-98) * reach;
}

/* ||S'g||, with what rounding may have added. A residual is off by at most t² 2^-106 A, t about the terms and four a power;
   through S'X, of norm sqrt(1+δ), that makes at most sqrt(1+δ) t² 2^-106 ||A||. The sums of n products on top of that are off by
   (n² + t²) 2^-106 Σ|x||r|. All taken four times as large. */
static double distance(const struct problem *problem, const double *s, size_t rank, int32_t degree, double departure)
{
    size_t p = problem->p;
    double blocks = (double)((problem->data->blocks + LINPRED__LANES - 1) / LINPRED__LANES);
    double rows = fmin((double)problem->data->rows, blocks * problem->data->block_rows) + 16.0;
    double terms = (double)p + 4.0 * degree + 16.0;
    double unit = (rows * rows + terms * terms) * 0x1p-104, square = 0.0;
    for (size_t k = 0; k < rank; k++) {
        linpred__dd sum = {0.0, 0.0};
        double doubt = 0.0;
        for (size_t j = 0; j < p; j++) {
            sum = linpred__dd_add(sum, linpred__dd_multiply_double(problem->gradient[j], s[j * rank + k]));
            doubt += fabs(s[j * rank + k]) * problem->size[j];
        }
        double part = fabs(sum.hi) + unit * doubt;
        square += part * part;
    }
    double residuals = terms * terms * 0x1p-104 * sqrt(problem->doubt) * (1.0 + departure);
    return (sqrt(square) + residuals) * (1.0 + 1e-9);
}

static bool find_bounds(const struct problem *problem, struct bounds *bounds, linpred_error *error)
{
    const linpred__regression *regression = problem->regression;
    size_t p = problem->p, rank = (size_t)regression->rank;
    double *s = linpred__alloc(p * rank, sizeof *s);
    linpred__dd *column = linpred__alloc(p, sizeof *column);
    bool complete = s && column;
    int32_t degree = 1;
    for (int32_t i = 0; i < problem->powers.polynomials; i++)
        degree = problem->powers.polynomial[i].degree > degree ? problem->powers.polynomial[i].degree : degree;
    for (size_t i = 0; complete && i < p * rank; i++)
        s[i] = ldexp(problem->factor[i], -problem->exponent[i / rank]);
    if (complete) {
        bounds->departure = departure(problem, s, rank, column);
        bounds->distance = distance(problem, s, rank, degree, bounds->departure);
    }
    linpred__release(s);
    linpred__release(column);
    if (!complete)
        linpred__no_memory(error);
    return complete;
}

/* Bounds for each coefficient, in the user's units; answers the number of digits that the worst has right. */
static double coefficient_bounds(const linpred_result *result, const struct problem *problem, const struct bounds *bounds)
{
    const linpred__regression *regression = problem->regression;
    size_t rank = (size_t)regression->rank;
    double worst = 0.0;
    for (size_t j = 0; j < problem->p; j++) {
        double square = 0.0;
        for (size_t k = 0; k < rank; k++) {
            double s = ldexp(problem->factor[j * rank + k], -problem->exponent[j]);
            square += s * s;
        }
        double bound = sqrt(square) * bounds->distance / (1.0 - bounds->departure);
        bound = ldexp(bound, problem->exponent[j] + problem->target_exponent) + fabs(regression->tail[j]);
        regression->error_bound[j] = bound;
        double w = j < (size_t)result->model.columns ? result->model.w[j] : result->model.b;
        if (w != 0.0)
            worst = fmax(worst, bound / fabs(w));
    }
    return worst > 0 ? -log10(worst) : 16.0;
}

/* ---- the problem ------------------------------------------------------------------------------------------------------- */

static void clear_problem(struct problem *problem)
{
    linpred__basis_clear(&problem->powers);
    linpred__release(problem->exponent);
    linpred__release(problem->factor);
    linpred__release(problem->gram);
    linpred__release(problem->gradient);
    linpred__release(problem->size);
}

/* Units: about 1/||row j of S|| for coordinates, the largest |y| for targets; none where plain ones cannot overflow. */
static void choose_units(struct problem *problem)
{
    const linpred__regression *regression = problem->regression;
    double largest = 0.0;
    problem->plain = problem->powers.polynomials == 0;
    for (int64_t i = 0; i < problem->data->blocks; i++)
        for (int32_t r = 0; r < problem->data->block[i].rows; r++) {
            largest = fmax(largest, fabs(problem->data->block[i].target[r]));
            problem->weight += linpred__row_weight(&problem->data->block[i], r);
        }
    problem->target_exponent = largest > 0 && (largest > 1e50 || largest < 1e-50) ? ilogb(largest) : 0;
    for (size_t j = 0; problem->factor && j < problem->p; j++) {
        double s = 0.0;
        for (size_t k = 0; k < (size_t)regression->rank; k++)
            s = fmax(s, fabs(problem->factor[j * (size_t)regression->rank + k]));
        if (s > 0 && (s > 1e50 || s < 1e-50))
            problem->exponent[j] = ilogb(s);
        problem->plain = problem->plain && problem->exponent[j] == 0;
    }
}

/* The certificate's S is that of the basis: column by column to plain powers. */
static bool take_factor(struct problem *problem)
{
    const linpred__regression *regression = problem->regression;
    size_t p = problem->p, rank = (size_t)regression->rank;
    problem->factor = linpred__alloc(p * rank, sizeof *problem->factor);
    linpred__dd *room = linpred__alloc(2 * p, sizeof *room);
    for (size_t k = 0; problem->factor && room && k < rank; k++) {
        for (size_t j = 0; j < p; j++)
            room[j] = (linpred__dd){regression->factor[j * rank + k], 0.0};
        linpred__basis_to_powers(&regression->basis, room, room + p);
        for (size_t j = 0; j < p; j++)
            problem->factor[j * rank + k] = room[p + j].hi;
    }
    linpred__release(room);
    return problem->factor && room;
}

static linpred_status open_problem(struct problem *problem, const linpred_result *result, linpred_error *error)
{
    const linpred_model *model = &result->model;
    size_t p = problem->p = (size_t)problem->regression->width;
    if (!linpred__basis_make(&problem->powers, model->recipe, model->has_intercept))
        return linpred__no_memory(error);
    problem->exponent = linpred__calloc(p, sizeof *problem->exponent);
    problem->gradient = linpred__calloc(p, sizeof *problem->gradient);
    problem->size = linpred__calloc(2 * p, sizeof *problem->size);
    bool factored = problem->regression->factor;
    if (factored)
        problem->gram = linpred__calloc(p * p, sizeof *problem->gram);
    if (!problem->exponent || !problem->gradient || !problem->size || (factored && (!problem->gram || !take_factor(problem))))
        return linpred__no_memory(error);
    choose_units(problem);
    problem->careful = problem->powers.polynomials > 0 || (double)problem->data->rows * (double)(p * p) <= all_careful;
    problem->penalty = 0.5 * problem->regression->l2 * problem->weight;
    return LINPRED_OK;
}

/* The gradient at w + tail, and its size. */
static linpred_status find_gradient(struct problem *problem, const linpred_result *result, linpred_error *error)
{
    size_t p = problem->p, terms = (size_t)problem->powers.terms;
    double *parts = linpred__alloc(2 * p, sizeof *parts);
    if (!parts)
        return linpred__no_memory(error);
    for (size_t j = 0; j < p; j++) {
        int shift = -problem->exponent[j] - problem->target_exponent;
        parts[j] = ldexp(j < terms ? result->model.w[j] : result->model.b, shift);
        parts[p + j] = ldexp(problem->regression->tail[j], shift);
    }
    linpred__residual residual = {.width = (int32_t)p,
                                  .has_intercept = problem->powers.has_intercept,
                                  .hi = parts,
                                  .lo = parts + p,
                                  .target_exponent = problem->target_exponent,
                                  .expand = problem->plain ? NULL : expand,
                                  .context = problem,
                                  .gradient = problem->gradient,
                                  .size = problem->size};
    linpred_status status = linpred__residual_pass(problem->data, problem->pool, &residual, error);
    problem->squares = residual.squares;
    problem->doubt = residual.doubt;
    problem->total = residual.around; /* around 0 */
    for (size_t j = 0; status == LINPRED_OK && j < terms; j++) {
        double scale = ldexp(problem->penalty, 2 * problem->exponent[j]);
        linpred__dd pull = linpred__dd_multiply_double((linpred__dd){parts[j], parts[p + j]}, -scale);
        problem->gradient[j] = linpred__dd_add(problem->gradient[j], pull);
        problem->size[j] += scale * fabs(parts[j]);
        problem->size[p + j] += scale * fabs(parts[j]);
    }
    linpred__release(parts);
    return status;
}

/* n'w beside ||n|| ||w||, for the dependency with the largest. */
static double norm_left(const linpred_result *result)
{
    const linpred__regression *regression = result->model.regression;
    double worst = 0.0;
    for (int32_t k = 0; k < regression->dependencies; k++) {
        const double *n = regression->dependency + (size_t)k * (size_t)regression->width;
        linpred__dd along = {0.0, 0.0};
        double nn = 0.0, ww = 0.0;
        for (int32_t j = 0; j < regression->width; j++) {
            double w = j < result->model.columns ? result->model.w[j] : result->model.b;
            along = linpred__dd_add(along, linpred__two_product(n[j], w));
            nn = hypot(nn, n[j]);
            ww = hypot(ww, w);
        }
        worst = fmax(worst, ww > 0 && nn > 0 ? fabs(along.hi) / nn / ww : 0.0);
    }
    return worst;
}

/* ---- the verdict ----------------------------------------------------------------------------------------------------------- */

static void append(linpred_check *check, const char *format, double figure)
{
    size_t used = strlen(check->finding);
    snprintf(check->finding + used, sizeof check->finding - used, format, figure);
}

static void judge_bounds(const linpred_result *result, const struct problem *problem, const struct bounds *bounds,
                         linpred_check *check)
{
    double floor = problem->total.hi * 0x1p-80; /* a fit that leaves less than this is perfect */
    double slack = bounds->distance * bounds->distance / (1.0 - bounds->departure);
    check->gap = slack / fmax(problem->squares.hi, floor);
    if (problem->total.hi == 0.0 && problem->squares.hi == 0.0)
        check->gap = 0.0;
    double digits = coefficient_bounds(result, problem, bounds);
    check->verdict = check->gap <= tolerance ? LINPRED_WITHIN_TOLERANCE : LINPRED_REFUTED;
    if (check->verdict == LINPRED_REFUTED)
        snprintf(check->finding, sizeof check->finding, "the gradient is not 0: the objective may be %.3g (relative) above the least",
                 check->gap);
    else
        snprintf(check->finding, sizeof check->finding,
                 "the objective is within %.2g (relative) of the least possible, every coefficient right to %.1f digits or more",
                 check->gap, fmax(0.0, fmin(digits, 15.9)));
}

/* Without S: how far the residual is from being orthogonal to the columns. */
static void judge_gradient(const struct problem *problem, linpred_check *check)
{
    double worst = 0.0;
    for (size_t j = 0; j < problem->p; j++) { /* where the fit is perfect, rounding is all there is to compare with */
        double size = fmax(problem->size[j], 1e-6 * problem->size[problem->p + j]);
        worst = fmax(worst, size > 0 ? fabs(problem->gradient[j].hi) / size : 0.0);
    }
    check->gap = NAN;
    check->verdict = worst <= tolerance ? LINPRED_WITHIN_TOLERANCE : LINPRED_REFUTED;
    snprintf(check->finding, sizeof check->finding,
             "the gradient is 0 to within %.2g of the sums it is made of; the distance of the coefficients is not bounded", worst);
}

static linpred_status check_problem(struct problem *problem, const linpred_result *result, linpred_check *check,
                                    linpred_error *error)
{
    struct bounds bounds = {NAN, NAN};
    double worst = 0.0;
    linpred_status status = find_gradient(problem, result, error);
    if (status == LINPRED_OK && problem->factor) {
        status = find_gram(problem, &worst, error);
        if (status == LINPRED_OK && !find_bounds(problem, &bounds, error))
            status = LINPRED_ERROR_MEMORY;
    }
    if (status != LINPRED_OK)
        return status;
    if (bounds.departure < 1.0 && isfinite(bounds.distance))
        judge_bounds(result, problem, &bounds, check);
    else
        judge_gradient(problem, check);
    if (check->verdict == LINPRED_REFUTED || problem->regression->dependencies == 0)
        return LINPRED_OK;
    double left = norm_left(result);
    if (!(worst <= 1e-9) || !(left <= 1e-9))
        check->verdict = LINPRED_PARTLY_PROVED;
    append(check, "; dependencies hold in every row to %.2g", worst);
    append(check, ", least norm to %.2g", left);
    return LINPRED_OK;
}

linpred_status linpred__check_least_squares(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                            linpred_check *check, linpred_error *error)
{
    struct problem problem = {.data = data, .pool = pool, .regression = result->model.regression};
    snprintf(check->claim, sizeof check->claim, "the coefficients minimise the mean squared error%s",
             problem.regression->l2 > 0 ? " plus the penalty" : "");
    linpred_status status = open_problem(&problem, result, error);
    if (status == LINPRED_OK)
        status = check_problem(&problem, result, check, error);
    clear_problem(&problem);
    return status;
}
