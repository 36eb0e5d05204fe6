/* Two bounds of the gap F(w,b) - min F for l2 > 0; docs/logistic.md derives them.
 *
 *   F(u,c) >= F(w,b) + <g_w,u-w> + g_b(c-b) + (l2/2)||u-w||²
 *
 * The intercept c has no penalty, so c must be bounded in another way. If g_b > 0, the positive rows do it. By Jensen's
 * inequality they contribute at least π log(1 + exp(-(<u,x̄>+c))) to F(u,c), where π is their share in W and x̄ their
 * mean. At the minimum that is at most F(w,b), so c >= -B - <u,x̄> with B = log(exp(F/π) - 1) <= F/π. If g_b < 0, the
 * negative rows do the same. Minimised over u, the gap is at most
 *
 *   ||g_w - g_b x̄||² / (2 l2) + |g_b| (B + y s̄),
 *
 * where y is the label and s̄ the mean score of that class. |x̄_j| is at most the largest |x_j|.
 *
 * The second bound is that of fit/logistic/methods.c for νρ <= 1/2, with a matrix that is at most H. Let h be the mean
 * curvature and x̄ now the mean of the rows weighted by curvature. Then <(u,c), H(u,c)> >= l2 ||u||² + h (c + <u,x̄>)²,
 * and no row is farther from x̄ than 2R.
 */
#include "minimise/penalised_gap.h"

#include <math.h>

double linpred__penalised_gap(const linpred__logistic_problem *problem, const linpred__logistic_point *point)
{
    int32_t columns = problem->data->columns;
    double l2 = problem->terms.l2, gb = problem->has_intercept ? point->gradient[columns] : 0.0;
    double sum = 0.0;
    for (int32_t j = 0; j < columns; j++) {
        double g = (fabs(point->gradient[j]) + fabs(gb) * problem->extent[j]) / problem->unit[j];
        sum += g * g;
    }
    if (gb == 0.0)
        return sum / (2.0 * l2);
    int against = gb > 0;
    double x = point->objective / problem->share[against];
    double b = x > 30 ? x : log(expm1(x)); /* B */
    double extra = fmax(0.0, fabs(gb) * (b + (against ? 1.0 : -1.0) * point->mean_score[against]));
    double decrement = sum / l2 + gb * gb / point->curvature;
    double reach = 4.0 * problem->radius * problem->radius / l2 + 1.0 / point->curvature;
    double a = sqrt(decrement) * sqrt(reach);
    return fmin(sum / (2.0 * l2) + extra, a <= 0.5 ? decrement / (2.0 * (1.0 - a)) : INFINITY);
}
