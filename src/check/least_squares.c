/* Checking that coefficients minimise Σ weight (y - <x,w>)² + κ||w||², x being the row in the coordinates of
 * linpred__check_coordinates (plain powers, or polynomials that span the same functions), the intercept's 1 last.
 *
 * With g = X'V(y - Xw) - κw in double-double and the certificate's S: if E = I - S'(X'VX + κI)S has norm δ < 1, then
 * some exact minimiser w* has w* - w = S (I - E)^-1 S'g,   so   |w*_j - w_j| <= ||row j of S|| ||S'g|| / (1 - δ) and
 * the objective is at most ||S'g||² / (1 - δ), at least ||S'g||² / (1 + δ) above the least possible. δ and ||S'g|| are
 * bounded with all rounding of the check itself, so it does not matter where S comes from: it is the certificate's, or
 * beyond the columns for which a model keeps it, one made here. That speaks of w + span(S) alone. It is all there is if
 * S has p columns, or if with κ = 0 there are p - rank(S) dependencies n with X n = 0 in exact arithmetic, independent
 * of each other, or if S has as many columns as there are rows. Where dependencies hold but to rounding the verdict is
 * of coefficients that respect them, and all of the gradient is judged too.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/dependencies.h"
#include "check/least_squares.h"
#include "check/regression.h"
#include "core/error.h"
#include "num/greater.h"
#include "core/memory.h"
#include "pass/residual.h"
#include "data/row.h"

static const double tolerance = 1e-9;         /* of the relative gap */
static const double rank_threshold = 0x1p-44; /* dependencies that hold to less are none: the fit's threshold */
static const double all_careful = 2e7; /* rows x columns² up to which the Gram matrix is summed in double-double */

void linpred__squares_check_row(const void *context, const linpred__block *block, int32_t r, double *hi, double *lo)
{
    const linpred__squares_check *problem = context;
    linpred__polynomial_basis_row(&problem->powers, block, r, hi, lo);
    for (size_t j = 0; j < problem->p; j++)
        if (problem->exponent[j] != 0) {
            hi[j] = ldexp(hi[j], problem->exponent[j]);
            lo[j] = ldexp(lo[j], problem->exponent[j]);
        }
}

/* Bounds for each coefficient, in the user's units; answers the number of digits that the worst has right. `length` is
   that of the rows of S in plain powers. */
static double coefficient_bounds(const linpred_result *result, const linpred__squares_check *problem,
                                 const linpred__squares_bounds *bounds, const double *length,
                                 const linpred__polynomial_basis_form *form)
{
    const linpred__regression *regression = problem->regression;
    double worst = 0.0;
    for (size_t j = 0; j < problem->p; j++) {
        double bound = ldexp(length[j], -problem->exponent[j]) * bounds->distance / (1.0 - bounds->departure);
        bound = ldexp(bound, problem->exponent[j] + problem->target_exponent);
        bound += problem->in_basis ? form->off[j] : fabs(regression->tail[j]);
        __atomic_store(&regression->error_bound[j], &bound, __ATOMIC_RELAXED); /* others may verify the same result */
        double w = j < (size_t)result->model.columns ? result->model.w[j] : result->model.b;
        if (w != 0.0)
            worst = linpred__greater(worst, bound / fabs(w));
    }
    return worst > 0 ? -log10(worst) : 16.0;
}

/* ---- the problem
 * ------------------------------------------------------------------------------------------------------- */

static void clear_problem(linpred__squares_check *problem)
{
    linpred__polynomial_basis_clear(&problem->powers);
    linpred__release(problem->w);
    linpred__release(problem->row_error);
    linpred__release(problem->exponent);
    linpred__release(problem->factor);
    linpred__release(problem->gram);
    linpred__release(problem->gradient);
    linpred__release(problem->size);
    linpred__release(problem->rational);
}

/* Units: about 1/||row j of S|| for coordinates, the largest |y| for targets; none where plain ones cannot overflow. */
static void choose_units(linpred__squares_check *problem)
{
    double largest = 0.0, sum = 0.0, first = problem->data->rows > 0 ? problem->data->block[0].target[0] : 0.0;
    problem->plain = problem->powers.polynomials == 0;
    for (int64_t i = 0; i < problem->data->blocks; i++)
        for (int32_t r = 0; r < problem->data->block[i].rows; r++) {
            double weight = linpred__row_weight(&problem->data->block[i], r), y = problem->data->block[i].target[r];
            largest = fmax(largest, fabs(y));
            problem->weight += weight;
            sum += weight * (y - first); /* so the mean keeps the digits of targets that are near to each other */
        }
    problem->target_exponent = largest > 0 && (largest > 1e50 || largest < 1e-50) ? ilogb(largest) : 0;
    problem->center =
        problem->powers.has_intercept ? ldexp(first + sum / problem->weight, -problem->target_exponent) : 0.0;
    for (size_t j = 0; problem->factor && j < problem->p; j++) {
        double s = 0.0;
        for (size_t k = 0; k < problem->rank; k++)
            s = fmax(s, fabs(problem->factor[j * problem->rank + k]));
        if (s > 0 && (s > 1e50 || s < 1e-50))
            problem->exponent[j] = ilogb(s);
        problem->plain = problem->plain && problem->exponent[j] == 0;
    }
}

/* The certificate's S is that of the basis: column by column to plain powers, where these are the coordinates. */
static bool take_factor(linpred__squares_check *problem)
{
    const linpred__regression *regression = problem->regression;
    size_t p = problem->p, rank = problem->rank = (size_t)regression->rank;
    problem->factor = linpred__alloc(p * rank, sizeof *problem->factor);
    if (problem->in_basis) {
        if (problem->factor)
            memcpy(problem->factor, regression->factor, p * rank * sizeof *problem->factor);
        return problem->factor;
    }
    linpred__dd *room = linpred__alloc(2 * p, sizeof *room);
    for (size_t k = 0; problem->factor && room && k < rank; k++) {
        for (size_t j = 0; j < p; j++)
            room[j] = (linpred__dd){regression->factor[j * rank + k], 0.0};
        linpred__polynomial_basis_to_powers(&regression->basis, room, room + p);
        for (size_t j = 0; j < p; j++)
            problem->factor[j * rank + k] = room[p + j].hi;
    }
    linpred__release(room);
    return problem->factor && room;
}

static linpred_status open_problem(linpred__squares_check *problem, const linpred_result *result, linpred_error *error)
{
    size_t p = problem->p = (size_t)problem->regression->width;
    problem->in_basis = linpred__check_in_basis(result);
    problem->w = linpred__alloc(2 * p, sizeof *problem->w);
    if (!problem->w || !linpred__check_coordinates(result, &problem->powers, problem->w))
        return linpred__no_memory(error);
    problem->row_error = linpred__calloc(p, sizeof *problem->row_error);
    problem->exponent = linpred__calloc(p, sizeof *problem->exponent);
    problem->gradient = linpred__calloc(p, sizeof *problem->gradient);
    problem->size = linpred__calloc(2 * p, sizeof *problem->size);
    bool factored = problem->regression->factor;
    if (!problem->row_error || !problem->exponent || !problem->gradient || !problem->size ||
        (factored && !take_factor(problem)))
        return linpred__no_memory(error);
    choose_units(problem);
    problem->careful =
        factored && (problem->powers.polynomials > 0 || (double)problem->data->rows * (double)(p * p) <= all_careful);
    problem->penalty = 0.5 * problem->regression->l2 * problem->weight;
    for (size_t j = 0; j < 2 * p; j++)
        problem->w[j] = ldexp(problem->w[j], -problem->exponent[j % p] - problem->target_exponent);
    return LINPRED_OK;
}

/* The gradient at w + tail, and its size. */
static linpred_status find_gradient(linpred__squares_check *problem, linpred_error *error)
{
    size_t p = problem->p, terms = (size_t)problem->powers.terms;
    const double *parts = problem->w;
    linpred__residual residual = {.width = (int32_t)p,
                                  .has_intercept = problem->powers.has_intercept,
                                  .hi = parts,
                                  .lo = parts + p,
                                  .center = problem->center,
                                  .target_exponent = problem->target_exponent,
                                  .expand = problem->plain ? NULL : linpred__squares_check_row,
                                  .context = problem,
                                  .gradient = problem->gradient,
                                  .size = problem->size};
    linpred_status status = linpred__residual_pass(problem->data, problem->pool, &residual, error);
    problem->squares = residual.squares;
    problem->doubt = residual.doubt;
    problem->absolute = residual.absolute.hi;
    problem->around = residual.around.hi;
    problem->total = problem->around + problem->weight * problem->center * problem->center;
    for (size_t j = 0; status == LINPRED_OK && j < terms; j++) {
        double scale = ldexp(problem->penalty, 2 * problem->exponent[j]);
        linpred__dd pull = linpred__dd_multiply_double((linpred__dd){parts[j], parts[p + j]}, -scale);
        problem->gradient[j] = linpred__dd_add(problem->gradient[j], pull);
        problem->size[j] += scale * fabs(parts[j]);
        problem->size[p + j] += scale * fabs(parts[j]);
    }
    return status;
}

/* ---- the verdict
 * ----------------------------------------------------------------------------------------------------------- */

/* A sum of squares this far below that of the targets: no objective is below 0, so this is its own bound. */
static bool is_perfect(const linpred__squares_check *problem)
{
    return problem->squares.hi <= problem->total * 0x1p-80;
}

static double perfect_gap(const linpred__squares_check *problem, double slack)
{
    return problem->total > 0.0 ? fmin(slack, problem->squares.hi) / problem->total : 0.0;
}

static void judge_bounds(const linpred_result *result, const linpred__squares_check *problem,
                         const linpred__squares_bounds *bounds, const double *length,
                         const linpred__polynomial_basis_form *form, bool whole, linpred_check *check)
{
    double slack = bounds->distance * bounds->distance / (1.0 - bounds->departure);
    check->gap = is_perfect(problem) ? perfect_gap(problem, slack) : slack / problem->squares.hi;
    double digits = whole ? coefficient_bounds(result, problem, bounds, length, form) : NAN;
    double least = bounds->certain * bounds->certain / (1.0 + bounds->departure) / problem->squares.hi;
    check->verdict = check->gap <= tolerance                                ? LINPRED_WITHIN_TOLERANCE
                     : least > tolerance && linpred__check_finished(result) ? LINPRED_REFUTED
                                                                            : LINPRED_PARTLY_PROVED;
    if (check->verdict == LINPRED_REFUTED)
        snprintf(check->finding, sizeof check->finding,
                 "the gradient is not 0: the objective is at least %.3g (relative) above the least", least);
    else if (!whole)
        snprintf(check->finding, sizeof check->finding,
                 "among coefficients that respect the dependencies the objective is within %.2g (relative) of the "
                 "least possible",
                 check->gap);
    else
        snprintf(check->finding, sizeof check->finding,
                 "the objective is within %.2g (relative) of the least possible, every coefficient right to %.1f "
                 "digits or more",
                 check->gap, fmax(0.0, fmin(digits, 15.9)));
}

/* How far the residual is from being orthogonal to the columns, beside the sums that this is made of. */
static double gradient_left(const linpred__squares_check *problem)
{
    double worst = 0.0;
    for (size_t j = 0; j < problem->p; j++) { /* where the fit is perfect, rounding is all there is to compare with */
        double size = fmax(problem->size[j], 1e-6 * problem->size[problem->p + j]);
        worst = fmax(worst, size > 0 ? fabs(problem->gradient[j].hi) / size : 0.0);
    }
    return worst;
}

/* Without S. */
static void judge_gradient(const linpred__squares_check *problem, bool finished, linpred_check *check)
{
    double worst = gradient_left(problem);
    check->gap = NAN;
    if (is_perfect(problem) && problem->regression->l2 == 0.0) {
        check->gap = perfect_gap(problem, INFINITY);
        check->verdict = LINPRED_WITHIN_TOLERANCE;
        snprintf(check->finding, sizeof check->finding,
                 "the residuals' squares are %.2g of the targets': no fit is better by more", check->gap);
        return;
    }
    check->verdict = worst <= tolerance ? LINPRED_WITHIN_TOLERANCE : finished ? LINPRED_REFUTED : LINPRED_PARTLY_PROVED;
    snprintf(check->finding, sizeof check->finding, "the gradient is %s0 to within %.2g of the sums it is made of",
             worst <= tolerance ? "" : "only ", worst);
    if (!(worst <= tolerance))
        return;
    linpred__check_append(check, "; how far the coefficients are from exact ones is not bounded");
    if (problem->p > LINPRED__CHECK_MOST) {
        linpred__check_append(check, ", for there are more than %d", LINPRED__CHECK_MOST);
        return;
    }
    check->verdict =
        LINPRED_PARTLY_PROVED; /* a small gradient says little along columns that nearly depend on each other */
    if (problem->regression->l2 > 0 && problem->regression->dependencies.count > 0)
        linpred__check_append(check, ", for the penalty is lost in rounding beside columns that depend on each other");
    else
        linpred__check_append(check, ", for their columns are too near to depending on each other");
}

/* ||row j of S|| in plain powers, and what the rounding of S may be of it; NULL: out of memory. */
static double *row_lengths(const linpred__squares_check *problem, double *doubt)
{
    double *length = linpred__calloc(problem->p, sizeof *length);
    *doubt = length && problem->in_basis
                 ? linpred__check_plain_lengths(&problem->powers, problem->factor, problem->rank, length)
                 : 0.0;
    if (*doubt < 0.0) {
        linpred__release(length);
        return NULL;
    }
    for (size_t i = 0; length && !problem->in_basis && i < problem->p * problem->rank; i++)
        length[i / problem->rank] = hypot(length[i / problem->rank], problem->factor[i]);
    return length;
}

/* What the model says of the fit, and of what intervals are made. `length` is NULL if nothing bounds how far S is from
 * right. */
static void check_figures(const linpred__squares_check *problem, const linpred_result *result,
                          const linpred__squares_bounds *bounds, const linpred__polynomial_basis_form *form,
                          const double *length, double length_doubt, linpred_check *check)
{
    int32_t degree = 1;
    for (int32_t i = 0; i < problem->powers.polynomials; i++)
        degree = problem->powers.polynomial[i].degree > degree ? problem->powers.polynomial[i].degree : degree;
    double terms = (double)problem->p + 4.0 * degree + 16.0;
    bool counted = length && problem->rank + (size_t)problem->regression->dependencies.count == problem->p;
    /* Residuals are known to their own rounding, and to that of the coefficients where these are made from polynomials.
     */
    double noise = terms * terms * 0x1p-104 * sqrt(problem->doubt) + 0x1p-40 * sqrt(problem->total);
    noise += problem->in_basis ? linpred__squares_check_scores_off(problem) : form->doubt * sqrt(problem->total);
    linpred__figures figures = {.rows = problem->data->rows,
                                .weight = problem->weight,
                                .squares = problem->squares.hi,
                                .noise = noise,
                                .absolute = problem->absolute,
                                .loss = NAN,
                                .around = problem->around,
                                .around_off = problem->weight * problem->center * problem->center * 0x1p-102,
                                .unit = problem->target_exponent,
                                .rank = counted ? (int32_t)problem->rank : -1,
                                .length = length,
                                .factor_off = bounds->measured,
                                .factor_usual = 1e-9 + (double)problem->p * 0x1p-48 * bounds->reach,
                                .factor_doubt = bounds->departure - bounds->measured,
                                .length_doubt = length_doubt};
    linpred__check_figures(result, &figures, check);
}

/* Whether S and the dependencies make up all directions; `whole`: and nothing can be gained along the dependencies, for
 * sure. */
static bool factor_spans(const linpred__squares_check *problem, const linpred__squares_null *null, bool *whole)
{
    size_t dependencies = (size_t)problem->regression->dependencies.count;
    bool free = problem->regression->l2 == 0.0; /* a penalty leaves no direction in which nothing changes */
    bool all_rows = problem->rank >= (size_t)problem->data->rows; /* S'X'VXS is regular: X S reaches every target */
    *whole = dependencies == 0 || (free && (null->exact || all_rows));
    return problem->factor && problem->rank + dependencies == problem->p &&
           (dependencies == 0 || (free && null->independent)) && (*whole || null->worst <= rank_threshold);
}

static void judge_dependencies(const linpred__squares_check *problem, const linpred_result *result,
                               const linpred__squares_null *null, bool whole, linpred_check *check)
{
    double left = linpred__null_norm_left(&result->model, problem->regression->dependencies.vector,
                                          problem->regression->dependencies.count, problem->regression->width, NULL);
    if (!whole || !(null->worst <= 1e-9) || !(left <= 1e-9))
        check->verdict = LINPRED_PARTLY_PROVED;
    if (!problem->gram)
        linpred__check_append(check, "; dependencies were not looked at");
    else
        linpred__check_append(
            check, null->exact ? "; dependencies hold in every row" : "; dependencies hold in every row only to %.2g",
            null->worst);
    linpred__check_append(check, ", least norm to %.2g", left);
}

/* S and the dependencies that a model holds make up its coefficients; else it is no model of ours. */
static bool refute_factor(const linpred__regression *regression, linpred_check *check)
{
    if (!regression->factor || regression->rank + regression->dependencies.count == regression->width)
        return false;
    check->verdict = LINPRED_REFUTED;
    check->gap = NAN;
    snprintf(check->finding, sizeof check->finding,
             "a factor of rank %d and %d dependencies do not make up %d coefficients", regression->rank,
             regression->dependencies.count, regression->width);
    return true;
}

/* What is known of gradient, Gram matrix and both forms is judged, in that order. */
static linpred_status judge(const linpred__squares_check *problem, const linpred_result *result,
                            const linpred__squares_bounds *bounds, const linpred__squares_null *null, bool whole,
                            linpred_check *check, linpred_error *error)
{
    linpred__polynomial_basis_form form;
    double length_doubt = 0.0;
    double *length = bounds->departure < 1.0 ? row_lengths(problem, &length_doubt) : NULL;
    linpred_status status = bounds->departure < 1.0 && !length
                                ? linpred__no_memory(error)
                                : linpred__check_basis_form(result, problem->data, &form, error);
    if (status == LINPRED_OK) {
        if (length && isfinite(bounds->distance) && (whole || gradient_left(problem) <= tolerance))
            judge_bounds(result, problem, bounds, length, &form, whole, check);
        else
            judge_gradient(problem, linpred__check_finished(result), check);
        if (check->verdict != LINPRED_REFUTED)
            check_figures(problem, result, bounds, &form, length, length_doubt, check);
        linpred__check_forms(&form, check);
        if (check->verdict != LINPRED_REFUTED && problem->regression->dependencies.count > 0)
            judge_dependencies(problem, result, null, whole, check);
        linpred__check_basis_form_clear(&form);
    }
    linpred__release(length);
    return status;
}

static linpred_status check_problem(linpred__squares_check *problem, const linpred_result *result, linpred_check *check,
                                    linpred_error *error)
{
    linpred__squares_bounds bounds = {NAN, NAN, NAN, NAN, NAN};
    linpred__squares_null null = {NAN, false, false};
    linpred_status status = find_gradient(problem, error);
    if (status == LINPRED_OK && (problem->factor || problem->p <= LINPRED__CHECK_MOST))
        status = linpred__squares_check_gram(problem, &null, error);
    if (status == LINPRED_OK && !problem->factor && problem->gram)
        status = linpred__squares_check_make_factor(problem, error);
    bool whole, spans = status == LINPRED_OK && factor_spans(problem, &null, &whole);
    if (status == LINPRED_OK && spans)
        status = linpred__squares_check_bounds(problem, &bounds, error);
    return status == LINPRED_OK ? judge(problem, result, &bounds, &null, spans && whole, check, error) : status;
}

linpred_status linpred__check_least_squares(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                            linpred_check *check, linpred_error *error)
{
    linpred__squares_check problem = {.data = data, .pool = pool, .regression = result->model.regression};
    snprintf(check->claim, sizeof check->claim, "the coefficients minimise the mean squared error%s",
             problem.regression->l2 > 0 ? " plus the penalty" : "");
    if (refute_factor(problem.regression, check))
        return LINPRED_OK;
    linpred_status status = open_problem(&problem, result, error);
    if (status == LINPRED_OK)
        status = check_problem(&problem, result, check, error);
    clear_problem(&problem);
    return status;
}
