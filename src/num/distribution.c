/* Tails of distributions by the regularised incomplete beta function:
 *
 *   P(|T| >= t) = I_{df/(df+t²)}(df/2, 1/2),   P(F >= f) = I_{df2/(df2+df1 f)}(df2/2, df1/2)
 *   I_x(a,b) = x^a (1-x)^b / (a B(a,b)) · 1/(1+ d1/(1+ d2/(1+ …)))   for x < (a+1)/(a+b+2), else 1 - I_{1-x}(b,a)
 *
 * The continued fraction (DLMF 8.17.22) is evaluated by Lentz's method.
 */
#include "num/distribution.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* ln Γ(z) for z > 0, by Stirling's series after z is shifted above 16. The C function lgamma is not used, because it
   writes a global variable. */
static double log_gamma(double z)
{
    double shift = 1.0;
    while (z < 16.0)
        shift *= z++;
    double s = 1.0 / (z * z);
    double series =
        (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s * (1.0 / 1188 - s * 691.0 / 360360))))) / z;
    return (z - 0.5) * log(z) - z + 0.91893853320467274178 + series - log(shift);
}

/* ln B(a,b). If one argument is large, the large logarithms are combined before they can cancel. */
static double log_beta(double a, double b)
{
    double small = fmin(a, b), large = fmax(a, b);
    if (large < 1e4)
        return log_gamma(a) + log_gamma(b) - log_gamma(a + b);
    /* ln Γ(large) - ln Γ(large + small), by subtracting Stirling's series term by term. */
    double sum = large + small;
    double series = (1.0 / large - 1.0 / sum) / 12.0 - (pow(large, -3) - pow(sum, -3)) / 360.0;
    return log_gamma(small) + (large - 0.5) * log1p(-small / sum) - small * log(sum) + small + series;
}

/* The continued fraction 1/(1+ d1/(1+ d2/(1+ …))). */
static double fraction(double a, double b, double x)
{
    const double tiny = DBL_MIN * 0x1p60;
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0);
    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m <= 100000; m++) {
        double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        double before = value;
        const double term[2] = {even, odd};
        for (int k = 0; k < 2; k++) {
            d = 1.0 + term[k] * d;
            c = 1.0 + term[k] / c;
            d = 1.0 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            value *= c * d;
        }
        if (fabs(value - before) <= DBL_EPSILON * fabs(value))
            break;
    }
    return value;
}

double linpred__incomplete_beta(double a, double b, double x, double rest)
{
    if (isnan(x) || isnan(a) || isnan(b))
        return NAN;
    if (x <= 0.0)
        return 0.0;
    if (rest <= 0.0)
        return 1.0;
    double log_x = x < 0.5 ? log(x) : log1p(-rest);
    double log_rest = rest < 0.5 ? log(rest) : log1p(-x);
    bool turn = x > (a + 1.0) / (a + b + 2.0);
    double front = exp(a * log_x + b * log_rest - log_beta(a, b));
    if (turn)
        return 1.0 - front * fraction(b, a, rest) / b;
    return front * fraction(a, b, x) / a;
}

double linpred__t_two_sided(double t, double df)
{
    if (isnan(t) || !(df > 0))
        return NAN;
    if (isinf(t))
        return 0.0;
    if (isinf(df))
        return linpred__normal_two_sided(t);
    double q = t * t / df; /* if t² overflows, the tail is 0 */
    return isinf(q) ? 0.0 : linpred__incomplete_beta(0.5 * df, 0.5, 1.0 / (1.0 + q), q / (1.0 + q));
}

double linpred__f_upper(double f, double df1, double df2)
{
    if (isnan(f) || !(df1 > 0) || !(df2 > 0))
        return NAN;
    if (f <= 0)
        return 1.0;
    double q = df1 * f / df2;
    return isinf(q) ? 0.0 : linpred__incomplete_beta(0.5 * df2, 0.5 * df1, 1.0 / (1.0 + q), q / (1.0 + q));
}

double linpred__normal_two_sided(double z)
{
    return erfc(fabs(z) * 0.70710678118654752440);
}

/* Bisection on the tail, which falls with t. The last few bits of the answer are uncertain. */
double linpred__t_quantile(double probability, double df)
{
    if (!(probability > 0.0 && probability < 1.0) || !(df > 0))
        return NAN;
    double tail = 2.0 * fmin(probability, 1.0 - probability);
    double low = 0.0, high = 1.0;
    while (linpred__t_two_sided(high, df) > tail && high < 1e300)
        high *= 2.0;
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = 0.5 * (low + high);
        if (middle == low || middle == high)
            break;
        if (linpred__t_two_sided(middle, df) > tail)
            low = middle;
        else
            high = middle;
    }
    return probability < 0.5 ? -high : high;
}
