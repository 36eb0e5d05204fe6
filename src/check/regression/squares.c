/* Measures least squares: how far coefficients w are from minimising Σ weight (y - <x,w>)² + κ||w||². x is the row in
 * the coordinates of linpred__judged_coordinates, with the intercept's 1 last.
 *
 * Let g = X'V(y - Xw) - κw, computed in double-double, and let S be the factor of the model. If E = I - S'(X'VX + κI)S
 * has norm δ < 1, then w* = w + S (I - E)^-1 S'g is an exact minimiser on w + span(S). So
 *
 *   |w*_j - w_j| <= ||row j of S|| ||S'g|| / (1 - δ),
 *   ||S'g||² / (1 + δ) <= objective(w) - objective(w*) <= ||S'g||² / (1 - δ).
 *
 * δ and ||S'g|| are bounded with all rounding of the check. So S may come from anywhere: from the model, or from the
 * checker if the model has too many columns to keep it.
 *
 * w* minimises over all coefficients in three cases: S has p columns; or κ = 0 and there are p - rank(S) independent
 * dependencies n with X n = 0 in exact arithmetic; or S has as many columns as there are rows. If dependencies hold
 * only up to rounding, the bounds are those of coefficients orthogonal to them.
 */
#include <math.h>
#include <string.h>

#include "check/null/vectors.h"
#include "check/regression/squares.h"
#include "check/limits.h"
#include "check/regression/measure.h"
#include "check/regression/polynomials.h"
#include "core/error.h"
#include "num/greater.h"
#include "core/memory.h"
#include "data/fingerprint.h"
#include "data/row.h"
#include "model/limits.h"

void linpred__squares_row(const linpred__squares_problem *problem, const linpred__block *block, int32_t r, double *hi,
                          double *lo)
{
    linpred__row_in_basis(&problem->powers, block, r, hi, lo);
    for (size_t j = 0; !problem->plain && j < problem->p; j++)
        if (problem->exponent[j] != 0) {
            hi[j] = ldexp(hi[j], problem->exponent[j]);
            lo[j] = ldexp(lo[j], problem->exponent[j]);
        }
}

/* ---- the problem ---- */

static void clear_problem(linpred__squares_problem *problem)
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

static int far_exponent(double size)
{
    return isfinite(size) && size > 0 && (size > 1e50 || size < 1e-50) ? ilogb(size) : 0;
}

/* The unit of a column that has no part in S: by a dependency n it is Σ n_i x_i / n_j of others, whose units are known.
 */
static int dependent_exponent(const linpred__squares_problem *problem, size_t j)
{
    const linpred__dependencies *null = &problem->regression->dependencies;
    double size = 0.0;
    for (int32_t k = 0; k < null->count; k++) {
        const double *n = null->vector + (size_t)k * problem->p;
        for (size_t i = 0; n[j] != 0.0 && i < problem->p; i++)
            size = i == j ? size : fmax(size, ldexp(fabs(n[i] / n[j]), -problem->exponent[i]));
    }
    return -far_exponent(size);
}

/* Chooses the units: about 1/||row j of S|| for coordinates and the largest |y| for targets. If nothing can overflow,
   all exponents are 0. */
static void choose_squares_units(linpred__squares_problem *problem)
{
    double largest = 0.0, sum = 0.0, first = problem->data->rows > 0 ? problem->data->block[0].target[0] : 0.0;
    problem->plain = problem->powers.polynomials == 0;
    for (int64_t i = 0; i < problem->data->blocks; i++)
        for (int32_t r = 0; r < problem->data->block[i].rows; r++) {
            double weight = linpred__row_weight(&problem->data->block[i], r), y = problem->data->block[i].target[r];
            largest = fmax(largest, fabs(y));
            problem->weight += weight;
            sum += weight * (y - first); /* the difference keeps the digits of targets that are near to each other */
        }
    problem->target_exponent = far_exponent(largest);
    problem->centre =
        problem->powers.has_intercept ? ldexp(first + sum / problem->weight, -problem->target_exponent) : 0.0;
    for (size_t j = 0; problem->factor && j < problem->p; j++) {
        double s = 0.0;
        for (size_t k = 0; k < problem->rank; k++)
            s = fmax(s, fabs(problem->factor[j * problem->rank + k]));
        problem->exponent[j] = s > 0 ? far_exponent(s) : dependent_exponent(problem, j);
        problem->plain = problem->plain && problem->exponent[j] == 0;
    }
}

/* Takes S from the model, where it is in the basis. If the coordinates are plain powers, each column is converted. */
static bool take_factor(linpred__squares_problem *problem)
{
    const linpred__regression *regression = problem->regression;
    size_t p = problem->p, rank = problem->rank = (size_t)regression->factor_columns;
    problem->factor = linpred__alloc(p * rank, sizeof *problem->factor);
    if (problem->in_basis) {
        if (problem->factor)
            memcpy(problem->factor, regression->factor, p * rank * sizeof *problem->factor);
        return problem->factor;
    }
    linpred__dd *buffer = linpred__alloc(2 * p, sizeof *buffer);
    for (size_t k = 0; problem->factor && buffer && k < rank; k++) {
        for (size_t j = 0; j < p; j++)
            buffer[j] = (linpred__dd){regression->factor[j * rank + k], 0.0};
        linpred__plain_powers(&regression->basis, buffer, buffer + p);
        for (size_t j = 0; j < p; j++)
            problem->factor[j * rank + k] = buffer[p + j].hi;
    }
    linpred__release(buffer);
    return problem->factor && buffer;
}

/* κ = l2 W/2. The coefficients are known to more digits than a double has, so κ must be, too. */
static linpred__dd sum_penalty(const linpred__squares_problem *problem)
{
    double l2 = linpred__model_l2(problem->model);
    linpred__dd weight = {0.0, 0.0};
    for (int64_t i = 0; l2 > 0 && i < problem->data->blocks; i++) {
        const linpred__block *block = &problem->data->block[i];
        for (int32_t r = 0; r < block->rows; r++)
            weight = linpred__dd_add_double(weight, block->weight ? block->weight[r] : 1.0);
    }
    return linpred__dd_multiply_double(weight, 0.5 * l2);
}

static linpred_status open_problem(linpred__squares_problem *problem, linpred_error *error)
{
    const linpred_model *model = problem->model;
    size_t p = problem->p = (size_t)problem->regression->width;
    problem->in_basis = linpred__judged_in_basis(model);
    problem->w = linpred__alloc(2 * p, sizeof *problem->w);
    if (!problem->w || !linpred__judged_coordinates(model, &problem->powers, problem->w))
        return linpred__no_memory(error);
    problem->row_error = linpred__calloc(p, sizeof *problem->row_error);
    problem->exponent = linpred__calloc(p, sizeof *problem->exponent);
    problem->gradient = linpred__calloc(p, sizeof *problem->gradient);
    problem->size = linpred__calloc(2 * p, sizeof *problem->size);
    bool factored = problem->regression->factor;
    if (!problem->row_error || !problem->exponent || !problem->gradient || !problem->size ||
        (factored && !take_factor(problem)))
        return linpred__no_memory(error);
    choose_squares_units(problem);
    problem->careful = factored && (problem->powers.polynomials > 0 ||
                                    (double)problem->data->rows * (double)(p * p) <= LINPRED__MAX_CAREFUL_PRODUCTS);
    problem->penalty = sum_penalty(problem);
    for (size_t j = 0; j < 2 * p; j++)
        problem->w[j] = ldexp(problem->w[j], -problem->exponent[j % p] - problem->target_exponent);
    return LINPRED_OK;
}

/* ---- the pass ---- */

enum { VISITORS = 3 };

/* Sums gradient, fingerprint and, if there is to be a bound by S, the Gram matrix: one pass, in which each block of
   rows is read from memory once. */
static linpred_status sum_rows(linpred__squares_problem *problem, linpred__squares_null *null, uint64_t *fingerprint,
                               linpred_error *error)
{
    bool with_gram = problem->factor || problem->p <= LINPRED__MAX_GRAM_COLUMNS;
    linpred__visitor visitor[VISITORS] = {linpred__gradient_visitor(problem), {0}, linpred__gram_visitor(problem)};
    void *state[VISITORS] = {linpred__calloc(1, visitor[0].state_bytes), fingerprint,
                             linpred__calloc(1, visitor[2].state_bytes)};
    problem->cut = with_gram ? linpred__cut_matrix(problem->data, (double)problem->p)
                             : linpred__cut_vector(problem->data, 4.0 * (double)problem->p);
    bool ready = state[0] && state[2] && linpred__fingerprint_visitor(problem->data, &visitor[1]) &&
                 (!with_gram || linpred__squares_open_null(problem));
    linpred_status status = ready ? linpred__pass_all(problem->data, problem->pool, visitor, state,
                                                      with_gram ? VISITORS : VISITORS - 1, problem->cut, error)
                                  : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        *fingerprint = linpred__fingerprint_end(problem->data, *fingerprint);
        linpred__take_gradient(problem, state[0]);
        if (with_gram && !linpred__take_gram(problem, state[2], null))
            status = linpred__no_memory(error);
        visitor[0].clear(problem, state[0]);
        visitor[2].clear(problem, state[2]);
    }
    linpred__release(visitor[1].context);
    linpred__release(state[0]);
    linpred__release(state[2]);
    return status;
}

/* ---- the finding ---- */

/* The largest |g_j| divided by the sum of the absolute values that g_j is made of. A coefficient may be off by 2^-1074,
   in the user's units or in those of the problem, where it is below the range of numbers; what this changes in g_j does
   not count. Nor does what a penalty κ leaves: moving w_j alone lowers the objective by g_j²/κ at most, and 2^-100 of
   the squares is less than the rounding of the other coefficients. */
static double gradient_left(const linpred__squares_problem *problem)
{
    double worst = 0.0;
    for (size_t j = 0; j < problem->p; j++) { /* for a perfect fit size_j is only rounding, hence the second term */
        double size = fmax(problem->size[j], 1e-6 * problem->size[problem->p + j]);
        double kappa = j < (size_t)problem->powers.terms ? ldexp(problem->penalty.hi, 2 * problem->exponent[j]) : 0.0;
        double lost = 0x1p-50 * sqrt(kappa) * sqrt(problem->squares.hi);
        for (size_t k = 0; problem->gram && k < problem->p; k++)
            lost += fabs(problem->gram[j * problem->p + k].hi) *
                    (0x1p-1074 + ldexp(1.0, -1074 - problem->exponent[k] - problem->target_exponent));
        double left = linpred__greater(0.0, fabs(problem->gradient[j].hi) - lost);
        worst = linpred__greater(worst, size > 0 ? left / size : 0.0);
    }
    return worst;
}

/* Sets the error bound of each coefficient in the user's units, and the number of digits that all have right. */
static void bound_coefficients(const linpred__squares_problem *problem, const linpred__squares_bounds *bounds,
                               linpred__squares_finding *finding)
{
    const linpred_model *model = problem->model;
    double worst = 0.0;
    finding->all_zero = true;
    for (size_t j = 0; j < problem->p; j++) {
        double bound = ldexp(finding->length[j], -problem->exponent[j]) * bounds->distance / (1.0 - bounds->departure);
        bound = ldexp(bound, problem->exponent[j] + problem->target_exponent);
        bound += problem->in_basis ? finding->form.off[j] : fabs(problem->regression->tail[j]);
        finding->error_bound[j] = bound;
        double w = j < (size_t)model->columns ? model->w[j] : model->b;
        if (w != 0.0)
            worst = linpred__greater(worst, bound / fabs(w));
        else
            finding->off_zero = linpred__greater(finding->off_zero, bound);
        finding->all_zero = finding->all_zero && w == 0.0;
    }
    finding->digits = worst > 0 ? -log10(worst) : 16.0;
}

/* The gap of a perfect fit, whose squares are at most 2^-80 of those of the targets: an objective is never below 0, so
   the squares themselves bound the gap. */
static double gap_of_perfect(const linpred__squares_problem *problem, double above)
{
    return problem->total > 0.0 ? fmin(above, problem->squares.hi) / problem->total : 0.0;
}

static void bound_gap(const linpred__squares_problem *problem, const linpred__squares_bounds *bounds,
                      linpred__squares_finding *finding)
{
    finding->gradient_left = gradient_left(problem);
    finding->perfect = problem->squares.hi <= problem->total * 0x1p-80;
    finding->by_factor = finding->length && isfinite(bounds->distance) &&
                         (finding->whole || finding->gradient_left <= LINPRED__FIGURE_TOLERANCE);
    if (!finding->by_factor) {
        bool own_bound = finding->perfect && linpred__model_l2(problem->model) == 0.0;
        finding->gap = own_bound ? gap_of_perfect(problem, INFINITY) : (double)NAN;
        return;
    }
    double above = bounds->distance * bounds->distance / (1.0 - bounds->departure);
    finding->gap = finding->perfect ? gap_of_perfect(problem, above) : above / problem->squares.hi;
    finding->gap_min = bounds->certain * bounds->certain / (1.0 + bounds->departure) / problem->squares.hi;
    if (finding->whole)
        bound_coefficients(problem, bounds, finding);
}

/* Sets the length of each row of S in plain powers, and a bound of its relative rounding error. Returns false if memory
   runs out. */
static bool find_lengths(const linpred__squares_problem *problem, linpred__squares_finding *finding)
{
    double *length = finding->length = linpred__calloc(problem->p, sizeof *length);
    if (!length)
        return false;
    if (problem->in_basis) {
        finding->length_rounding = linpred__plain_lengths(&problem->powers, problem->factor, problem->rank, length);
        return finding->length_rounding >= 0.0;
    }
    for (size_t i = 0; i < problem->p * problem->rank; i++)
        /* NOLINTNEXTLINE(clang-analyzer-core*): a problem that is not in the basis has a factor */
        length[i / problem->rank] = hypot(length[i / problem->rank], problem->factor[i]);
    return true;
}

static void take_sums(const linpred__squares_problem *problem, const linpred__squares_bounds *bounds,
                      linpred__squares_finding *finding)
{
    double terms = (double)problem->p + 4.0 * linpred__highest_power(&problem->powers) + 16.0;
    bool counted = finding->length && problem->rank + (size_t)problem->regression->dependencies.count == problem->p;
    /* The rounding of the residuals, and that of coefficients which are made from polynomials. */
    double noise = terms * terms * 0x1p-104 * sqrt(problem->doubt) + 0x1p-40 * sqrt(problem->total);
    noise += problem->in_basis ? linpred__squares_scores_off(problem) : finding->form.rounding * sqrt(problem->total);
    finding->sums = (linpred__residual_sums){
        .weight = problem->weight,
        .squares = problem->squares.hi,
        .noise = noise,
        .absolute = problem->absolute,
        .loss = NAN,
        .around = problem->around,
        .around_error = problem->weight * problem->centre * problem->centre * 0x1p-102,
        .unit = problem->target_exponent,
    };
    finding->rank = counted ? (int32_t)problem->rank : -1;
    finding->factor_off = bounds->measured;
    finding->factor_usual = 1e-9 + (double)problem->p * 0x1p-48 * bounds->reach;
    finding->factor_rounding = bounds->departure - bounds->measured;
}

/* Whether S and the dependencies together span all coefficients. *whole is set if the objective certainly does not
   decrease along the dependencies. */
static bool factor_spans(const linpred__squares_problem *problem, const linpred__squares_null *null, bool *whole)
{
    size_t dependencies = (size_t)problem->regression->dependencies.count;
    bool free =
        linpred__model_l2(problem->model) == 0.0; /* with a penalty the objective changes along dependencies too */
    bool all_rows = problem->rank >= (size_t)problem->data->rows; /* S'X'VXS is regular, so X S reaches all targets */
    *whole = dependencies == 0 || (free && (null->exact || all_rows));
    return problem->factor && problem->rank + dependencies == problem->p &&
           (dependencies == 0 || (free && null->independent)) && (*whole || null->worst <= LINPRED__RANK_THRESHOLD);
}

static linpred_status find_all(linpred__squares_problem *problem, linpred__squares_finding *finding,
                               linpred_error *error)
{
    linpred__squares_bounds bounds = {NAN, NAN, NAN, NAN, NAN};
    linpred__squares_null null = {NAN, false, false};
    linpred_status status = sum_rows(problem, &null, &finding->fingerprint, error);
    if (status == LINPRED_OK && !problem->factor && problem->gram)
        status = linpred__squares_own_factor(problem, error);
    bool whole, spans = status == LINPRED_OK && factor_spans(problem, &null, &whole);
    if (status == LINPRED_OK && spans)
        status = linpred__squares_find_bounds(problem, &bounds, error);
    if (status == LINPRED_OK && bounds.departure < 1.0 && !find_lengths(problem, finding))
        status = linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = linpred__measure_forms(problem->model, problem->data, &finding->form, error);
    if (status != LINPRED_OK)
        return status;
    const linpred__regression *regression = problem->regression;
    linpred__null_vectors vectors = {regression->dependencies.count, regression->width, regression->dependencies.vector,
                                     regression->dependencies.drop};
    finding->whole = spans && whole;
    finding->null_seen = problem->gram;
    finding->null_exact = null.exact;
    finding->null_worst = null.worst;
    finding->norm_left = linpred__null_norm_left(problem->model, &vectors, NULL);
    bound_gap(problem, &bounds, finding);
    take_sums(problem, &bounds, finding);
    return LINPRED_OK;
}

bool linpred__factor_fits(const linpred__regression *regression)
{
    return !regression->factor || regression->factor_columns + regression->dependencies.count == regression->width;
}

void linpred__squares_finding_clear(linpred__squares_finding *finding)
{
    linpred__form_clear(&finding->form);
    linpred__release(finding->error_bound);
    linpred__release(finding->length);
    *finding = (linpred__squares_finding){0};
}

linpred_status linpred__measure_squares(const linpred_model *model, const linpred_data *data, linpred__pool *pool,
                                        linpred__squares_finding *finding, linpred_error *error)
{
    linpred__squares_problem problem = {.model = model, .data = data, .pool = pool, .regression = model->regression};
    size_t p = (size_t)model->regression->width;
    *finding = (linpred__squares_finding){.digits = NAN};
    finding->error_bound = linpred__alloc(p, sizeof *finding->error_bound);
    for (size_t j = 0; finding->error_bound && j < p; j++)
        finding->error_bound[j] = NAN;
    linpred_status status = finding->error_bound ? open_problem(&problem, error) : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = find_all(&problem, finding, error);
    if (status != LINPRED_OK)
        linpred__squares_finding_clear(finding);
    clear_problem(&problem);
    return status;
}
