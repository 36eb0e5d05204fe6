/* The coefficients as the model states them, and the gap there.
 *
 * Newton's method works with v about origins: s = <w, x - origin> + v_b. The model states w and b = v_b - <w, origin>,
 * each a double. If a column lies at 1e15 and varies by 1, b is about 1e15, and rounding it moves every score by 0.06.
 * So the gap of v is not that of the model. Two things are done about it.
 *
 *   Rounding: of the doubles near w_j, one is taken for which <w, origin> leaves b nearly a double. A few thousand
 *   candidates bring the rounding of b down by as much, while w_j changes in its last digits only.
 *
 *   Measuring: where rounding may matter, F and its gradient are computed again at the doubles themselves, with scores
 *   in double-double, and what they prove is what the model claims. If that is not enough, a step is taken from there.
 *
 * With scores that are off by at most δ, the relative gap is known to about δ²/2: the curvature of a loss is at most
 * the loss itself, and the slope at the minimum is 0.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/least_norm.h"
#include "fit/logistic/limits.h"
#include "fit/logistic/logistic.h"
#include "minimise/logistic_point.h"
#include "minimise/newton_factor.h"
#include "minimise/written_point.h"
#include "num/dd.h"
#include "pass/fused.h"

static double extent_of(const linpred__logistic_problem *problem, int32_t j)
{
    const int32_t *column = problem->used_columns.column;
    return problem->original->extents.extent[column ? column[j] : j];
}

/* The origin of column j in the units of the file. */
static double file_origin(const linpred__logistic_problem *problem, int32_t j)
{
    return problem->origin[j] * problem->data_unit[j] / problem->unit[j];
}

/* ---- rounding ---------------------------------------------------------------------------------------------------- */

/* The column whose last digit moves b most, if its spread moves scores much less; -1: there is none. */
static int32_t find_lever(const linpred__logistic_problem *problem, const double *w)
{
    int32_t lever = -1;
    double most = 0.0;
    for (int32_t j = 0; j < problem->data->columns; j++) {
        double origin = fabs(file_origin(problem, j)), move = DBL_EPSILON * fabs(w[j]) * origin;
        bool near = problem->extent[j] / problem->unit[j] < 0x1p-12 * origin;
        if (near && isfinite(move) && move > most) {
            most = move;
            lever = j;
        }
    }
    return lever;
}

/* Rounds b to a double. w may change in its last digits, so that little is left to round. */
static double round_intercept(const linpred__logistic_problem *problem, linpred__dd b, double *w)
{
    int32_t lever = fabs(b.lo) > linpred__small_rounding ? find_lever(problem, w) : -1;
    if (lever < 0)
        return b.hi;
    double origin = file_origin(problem, lever), ulp = nextafter(fabs(w[lever]), INFINITY) - fabs(w[lever]), best = 0.0;
    linpred__dd rounded = b;
    for (int32_t k = 1; k <= LINPRED__ROUNDING_CANDIDATES && fabs(rounded.lo) > linpred__small_rounding; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double move = sign * k * ulp;
            linpred__dd other = linpred__dd_add(b, linpred__two_product(-move, origin));
            if (fabs(other.lo) < fabs(rounded.lo)) {
                rounded = other;
                best = move;
            }
        }
    w[lever] += best;
    return rounded.hi;
}

bool linpred__null_space_choose(const linpred__dependencies *dependencies, int32_t columns, linpred__dd *w)
{
    if (dependencies->drop) {
        linpred__take_dropped(dependencies->vector, dependencies->count, (size_t)columns, (size_t)dependencies->width,
                              w);
        return true;
    }
    size_t d = (size_t)dependencies->width, all = (size_t)dependencies->count * d;
    linpred__dd *vectors = linpred__calloc(all, sizeof *vectors);
    if (!vectors)
        return false;
    for (size_t i = 0; i < all; i++)
        vectors[i].hi = dependencies->vector[i];
    linpred__take_least_norm(vectors, dependencies->count, (size_t)columns, d, w);
    linpred__release(vectors);
    return true;
}

/* Rounds v, moved to the least norm along the dependencies, to the coefficients of a model. What is lost of w_j is made
   up for at the origin of its column. `exact` has an entry for each coefficient. */
static bool round_coefficients(const linpred__logistic_problem *problem, const linpred__dependencies *dependencies,
                               const double *v, linpred__dd *exact, linpred__logistic_values *values)
{
    int32_t columns = problem->data->columns;
    const int32_t *column = problem->used_columns.column;
    linpred__dd b = {problem->has_intercept ? v[columns] : 0.0, 0.0};
    for (int32_t j = 0; j < columns; j++) {
        exact[j] = (linpred__dd){problem->unit[j] * v[j], 0.0};
        b = linpred__dd_add(b, linpred__two_product(-file_origin(problem, j), exact[j].hi));
    }
    exact[columns] = b;
    if (dependencies->count > 0 && !linpred__null_space_choose(dependencies, columns, exact))
        return false;
    b = exact[columns];
    double *w = problem->scratch.w;
    for (int32_t j = 0; j < columns; j++) {
        w[j] = exact[j].hi;
        if (exact[j].lo != 0.0)
            b = linpred__dd_add(b, linpred__two_product(exact[j].lo, file_origin(problem, j)));
    }
    values->b = problem->has_intercept ? round_intercept(problem, b, w) : 0.0;
    memset(values->w, 0, (size_t)problem->original->data->columns * sizeof *values->w);
    for (int32_t j = 0; j < columns; j++)
        values->w[column ? column[j] : j] = w[j];
    return true;
}

/* v for the coefficients of the model. */
static void take_back(const linpred__logistic_problem *problem, const linpred__logistic_values *values, double *v)
{
    const int32_t *column = problem->used_columns.column;
    int32_t columns = problem->data->columns;
    linpred__dd b = {values->b, 0.0};
    for (int32_t j = 0; j < columns; j++) {
        double w = values->w[column ? column[j] : j];
        v[j] = w / problem->unit[j];
        b = linpred__dd_add(b, linpred__two_product(file_origin(problem, j), w));
    }
    if (problem->has_intercept)
        v[columns] = b.hi;
}

/* ---- what rounding may hide -------------------------------------------------------------------------------------- */

/* A bound of how far scores as they were computed at v are from those of the model. The products of a row add up to at
   most Σ |w| max |x|, and to at most ||w|| R, which is far less where rows have few entries. */
static double score_doubt(const linpred__logistic_problem *problem, bool dependent, const double *v, double b)
{
    double about = 0.0, products = 0.0, square = 0.0;
    for (int32_t j = 0; j < problem->data->columns; j++) {
        double w = fabs(v[j]) * problem->unit[j];
        about += fabs(v[j]) * problem->extent[j];
        products += w * extent_of(problem, j);
        square += w * w;
    }
    double size = fabs(b) + fmin(products, sqrt(square) * problem->radius);
    double terms = problem->dimension + 8.0;
    if (!problem->shifted)
        return terms * DBL_EPSILON * size;
    return terms * DBL_EPSILON * (about + fabs(v[problem->data->columns])) + DBL_EPSILON * fabs(b) +
           (dependent ? DBL_EPSILON * size : 0.0);
}

/* With a penalty: how much of the relative gap the rounding of the gradient may hide. A sum of it is off by about
   sqrt(K) 2^-52 mean |r| times the largest |x|, and mean |r| <= F. */
static double gradient_doubt(const linpred__logistic_problem *problem, double objective)
{
    double sum = 0.0, unit = (8.0 + sqrt(linpred__fused_chain(problem->data))) * DBL_EPSILON;
    for (int32_t j = 0; j < problem->data->columns; j++) {
        double off = unit * problem->extent[j] / problem->unit[j];
        sum += off * off;
    }
    return problem->terms.l2 > 0 ? sum * objective / (2.0 * problem->terms.l2) : 0.0;
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

/* The gap at the coefficients of the model, whose F and gradient are those of the point now. */
static linpred_status gap_as_written(linpred__logistic_problem *problem, linpred__logistic_found *found, double *gap,
                                     linpred_error *error)
{
    linpred__logistic_point *point = found->has_matrix ? &found->newton.point : &found->cg_point;
    *gap = problem->terms.l2 > 0 ? linpred__penalised_gap(problem, point) / point->objective : INFINITY;
    if (!found->has_matrix || *gap <= problem->terms.tolerance || isinf(found->gap) ||
        found->newton.factor == LINPRED__FACTOR_NONE)
        return LINPRED_OK;
    double by_factor;
    linpred__newton_find_step(&found->newton);
    linpred_status status = linpred__logistic_gap_by_factor(&found->newton, &by_factor, error);
    if (status == LINPRED_OK)
        *gap = fmin(*gap, by_factor);
    return status;
}

/* Measures the model at v, which becomes the v of the model. */
static linpred_status measure_written(linpred__logistic_problem *problem, linpred__logistic_found *found,
                                      const linpred__logistic_values *values, double *gap, linpred_error *error)
{
    linpred__newton *newton = &found->newton;
    linpred__logistic_point *point = found->has_matrix ? &newton->point : &found->cg_point;
    linpred_status status = LINPRED_OK;
    take_back(problem, values, point->v);
    if (found->has_matrix && isfinite(found->gap)) {
        newton->factor = LINPRED__FACTOR_NONE;
        status = linpred__newton_refresh(newton, error);
    }
    if (status == LINPRED_OK)
        status = linpred__logistic_evaluate_written(problem, values->w, values->b, point, error);
    return status == LINPRED_OK ? gap_as_written(problem, found, gap, error) : status;
}

/* Takes steps until the gap of the model is within the tolerance, or no longer shrinks. The best model is kept. `kept`
   has an entry for each coefficient of the file. */
static linpred_status settle(linpred__logistic_problem *problem, linpred__logistic_found *found, linpred__dd *exact,
                             double *kept, linpred__logistic_values *values, linpred_error *error)
{
    size_t columns = (size_t)problem->original->data->columns;
    linpred__logistic_point *point = found->has_matrix ? &found->newton.point : &found->cg_point;
    double gap = INFINITY, best = INFINITY, best_b = values->b;
    linpred_status status = measure_written(problem, found, values, &gap, error);
    bool again = found->has_matrix && isfinite(found->gap);
    for (int k = 0; status == LINPRED_OK && again && k < LINPRED__ROUNDING_STEPS; k++) {
        again = gap < 0.25 * best;
        if (gap < best) {
            best = gap;
            best_b = values->b;
            memcpy(kept, values->w, columns * sizeof *kept);
        }
        if (!again || gap <= 1e-4 * problem->terms.tolerance || found->newton.factor == LINPRED__FACTOR_NONE)
            break;
        for (int32_t j = 0; j < problem->dimension; j++)
            point->v[j] += found->newton.step[j];
        if (!round_coefficients(problem, &found->null_space.dependencies, point->v, exact, values))
            return linpred__no_memory(error);
        status = measure_written(problem, found, values, &gap, error);
    }
    if (status == LINPRED_OK && best < gap) {
        memcpy(values->w, kept, columns * sizeof *kept);
        values->b = best_b;
        status = measure_written(problem, found, values, &gap, error);
    }
    found->gap = gap;
    return status;
}

static bool are_finite(const double *w, size_t columns)
{
    for (size_t j = 0; j < columns; j++)
        if (!isfinite(w[j]))
            return false;
    return true;
}

linpred_status linpred__logistic_write(linpred__logistic_problem *problem, linpred__logistic_found *found,
                                       linpred__logistic_values *values, linpred_error *error)
{
    const linpred__dependencies *dependencies = &found->null_space.dependencies;
    size_t columns = (size_t)problem->original->data->columns;
    values->w = linpred__calloc(columns + 1, sizeof *values->w);
    linpred__dd *exact = linpred__calloc((size_t)problem->dimension + 1, sizeof *exact);
    double *kept = linpred__alloc(columns + 1, sizeof *kept);
    linpred_status status = LINPRED_OK;
    const double *v = linpred__logistic_last_point(found)->v;
    if (!values->w || !exact || !kept || !round_coefficients(problem, dependencies, v, exact, values))
        status = linpred__no_memory(error);
    if (status == LINPRED_OK && isnan(values->b) && are_finite(values->w, columns))
        status = linpred__fail(error, LINPRED_ERROR_INPUT,
                               "the numbers of some columns are so small that coefficients are beyond the range of "
                               "doubles: scale the columns");
    double doubt = status == LINPRED_OK ? score_doubt(problem, dependencies->count > 0, v, values->b) : 0.0;
    if (status == LINPRED_OK && found->existence.direction.count == 0 && isfinite(doubt)) {
        double hidden = 0.5 * doubt * doubt + gradient_doubt(problem, linpred__logistic_last_point(found)->objective);
        bool tiny = linpred__logistic_last_point(found)->objective < linpred__tiny_objective;
        if (tiny || hidden > linpred__rounding_share * problem->terms.tolerance || doubt > linpred__small_rounding)
            status = settle(problem, found, exact, kept, values, error);
        else
            found->gap += 2.0 * sqrt(found->gap) * doubt + doubt * doubt;
    }
    linpred__release(exact);
    linpred__release(kept);
    return status;
}
