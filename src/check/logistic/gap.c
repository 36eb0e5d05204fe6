/* Bounds the gap F - min F of a logistic fit.
 *
 * With l2 > 0 there are two bounds (docs/logistic.md). With h the mean curvature of the rows,
 *
 *   gap <= Σ (|g_j| + |g_b| max|x_j|)² / (2 l2) + |g_b| max(B + y s̄),
 *   gap <= ν² / (2(1 - νρ)) if νρ <= 1/2,   ν² = Σ (|g_j| + |g_b| max|x_j|)² / l2 + g_b² / h,   ρ² = 4R² / l2 + 1/h.
 *
 * With l2 = 0, or if these bounds are too large, hessian.c bounds the gap.
 */
#include <float.h>
#include <math.h>

#include "check/limits.h"
#include "check/logistic/measure.h"
#include "num/greater.h"

/* The smaller of the two bounds for l2 > 0. If the sign of g_b is not certain, both classes count. */
static double penalised_gap(const linpred__careful *careful, bool with_rounding)
{
    int32_t columns = careful->dimension - careful->has_intercept;
    double gb = careful->has_intercept
                    ? fabs(careful->gradient[columns]) + (with_rounding ? careful->gradient_error[columns] : 0.0)
                    : 0.0;
    double sum = 0.0, farthest = 0.0, weakest = INFINITY;
    if (careful->has_intercept && !(careful->share[0] > 0 && careful->share[1] > 0))
        return INFINITY; /* with one class only there is no minimum: b goes to infinity */
    for (int32_t j = 0; j < columns; j++) {
        double g =
            fabs(careful->gradient[j]) + (with_rounding ? careful->gradient_error[j] : 0.0) + gb * careful->extent[j];
        if (!(careful->penalty[j] >= DBL_MIN && isfinite(careful->penalty[j])))
            return INFINITY;
        sum += g * g / careful->penalty[j];
        weakest = fmin(weakest, careful->penalty[j]);
    }
    for (int k = 0; careful->has_intercept && k < 2; k++) {
        double x = (careful->objective + careful->loss_error) / careful->share[k];
        double score = x > 30 ? x : log(expm1(x));
        farthest = linpred__greater(farthest, score + (k ? 1.0 : -1.0) * careful->mean_score[k] +
                                                  1e-9 * (fabs(score) + careful->mean_size[k]));
    }
    double linear = (0.5 * sum + gb * (farthest + careful->score_error)) * 1.001;
    /* A computed curvature is right up to a factor exp(score_error). */
    double h = 0.999 * careful->curvature * (1.0 - careful->score_error);
    double square = sum + gb * gb / h, reach = 4.0 * careful->radius * careful->radius / weakest + 1.0 / h;
    double a = sqrt(square) * sqrt(reach) * 1.001;
    bool holds = careful->has_intercept && h > 0 && a <= 0.5;
    return holds ? fmin(linear, square / (2.0 * (1.0 - a)) * 1.001) : linear;
}

/* A lower bound of the gap: the curvature of F is at most R²/4 + l2, so one gradient step lowers F by at least this. */
static double smallest_gap(const linpred__careful *careful)
{
    double sum = 0.0, penalty = 0.0;
    for (int32_t j = 0; j < careful->dimension; j++) {
        double g = fmax(0.0, fabs(careful->gradient[j]) - careful->gradient_error[j]);
        sum += g * g;
        penalty = fmax(penalty, careful->penalty[j]);
    }
    double gap = sum / (2.0 * (0.25 * careful->radius * careful->radius + penalty)) * 0.999;
    return isfinite(gap) ? gap : 0.0;
}

/* A lower bound of the gap, since the intercept alone could be changed: the curvature along it is at most 1/4. */
static double gap_of_intercept(const linpred__careful *careful)
{
    size_t last = (size_t)careful->dimension - 1;
    if (!careful->has_intercept)
        return 0.0;
    double g = fmax(0.0, fabs(careful->gradient[last]) - careful->gradient_error[last]);
    return g * g / (0.5 * careful->extent[last] * careful->extent[last]) * 0.999;
}

linpred_status linpred__bound_gap(const linpred__logistic_question *question, linpred__pool *pool,
                                  const linpred__careful *careful, const linpred__spare *spare,
                                  linpred__gap_bounds *bounds, linpred_error *error)
{
    bool optimum = !isnan(question->tolerance);
    double lowest = careful->objective - careful->loss_error;
    *bounds = (linpred__gap_bounds){.proved = INFINITY,
                                    .estimated = INFINITY,
                                    .held = INFINITY,
                                    .at_least = smallest_gap(careful),
                                    .by_intercept = gap_of_intercept(careful)};
    if (question->l2 > 0) {
        bounds->proved = penalised_gap(careful, true);
        bounds->estimated = penalised_gap(careful, false);
    }
    if (bounds->at_least > bounds->proved) /* impossible unless something overflowed */
        bounds->proved = INFINITY;
    if (!(careful->objective > LINPRED__SMALLEST_OBJECTIVE)) /* squares of g may have become 0 */
        bounds->proved = bounds->estimated = INFINITY;
    if (!optimum || bounds->proved <= question->tolerance * lowest || careful->dimension > LINPRED__MAX_HESSIAN_COLUMNS)
        return LINPRED_OK;
    return linpred__gap_by_hessian(question, pool, careful, spare, bounds, error);
}
