/* Double-double arithmetic: a number is the sum hi + lo of two doubles with |lo| <= ulp(hi)/2, about 32 digits.
 *
 * two_sum (Knuth) and two_product (Dekker, with fma) are exact. The compiler must not contract a*b+c to fma.
 */
#ifndef LINPRED_NUM_DD_H
#define LINPRED_NUM_DD_H

#include <math.h>

#include "core/fast.h"

typedef struct linpred__dd {
    double hi;
    double lo;
} linpred__dd;

static inline linpred__dd linpred__two_sum(double a, double b)
{
    double s = a + b;
    double t = s - a;
    return (linpred__dd){s, (a - (s - t)) + (b - t)};
}

/* Exact if |a| >= |b| or a = 0. */
static inline linpred__dd linpred__quick_two_sum(double a, double b)
{
    double s = a + b;
    return (linpred__dd){s, b - (s - a)};
}

static inline linpred__dd linpred__two_product(double a, double b)
{
    double p = a * b;
    return (linpred__dd){p, fma(a, b, -p)};
}

/* sum + errors += term + rest. What the addition to `sum` loses goes to `errors`. */
LINPRED__INLINED void linpred__compensated_add(double *sum, double *errors, double term, double rest)
{
    linpred__dd s = linpred__two_sum(*sum, term);
    *sum = s.hi;
    *errors += s.lo + rest;
}

static inline linpred__dd linpred__dd_add(linpred__dd a, linpred__dd b)
{
    linpred__dd s = linpred__two_sum(a.hi, b.hi);
    linpred__dd t = linpred__two_sum(a.lo, b.lo);
    s = linpred__quick_two_sum(s.hi, s.lo + t.hi);
    return linpred__quick_two_sum(s.hi, s.lo + t.lo);
}

static inline linpred__dd linpred__dd_add_double(linpred__dd a, double b)
{
    linpred__dd s = linpred__two_sum(a.hi, b);
    return linpred__quick_two_sum(s.hi, s.lo + a.lo);
}

static inline linpred__dd linpred__dd_multiply(linpred__dd a, linpred__dd b)
{
    linpred__dd p = linpred__two_product(a.hi, b.hi);
    return linpred__quick_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline linpred__dd linpred__dd_negate(linpred__dd a)
{
    return (linpred__dd){-a.hi, -a.lo};
}

static inline linpred__dd linpred__dd_multiply_double(linpred__dd a, double b)
{
    linpred__dd p = linpred__two_product(a.hi, b);
    return linpred__quick_two_sum(p.hi, p.lo + a.lo * b);
}

/* Sets the trailing part to 0 if it is no more than the rounding of earlier arithmetic. So a number that is a double
   becomes exactly that double. */
static inline linpred__dd linpred__dd_without_noise(linpred__dd a)
{
    return (linpred__dd){a.hi, fabs(a.lo) > 0x1p-96 * fabs(a.hi) ? a.lo : 0.0};
}

/* Long division: two quotient digits of 53 bits and a correction, each from the remainder before it. */
static inline linpred__dd linpred__dd_divide(linpred__dd a, linpred__dd b)
{
    double first = a.hi / b.hi;
    linpred__dd rest = linpred__dd_add(a, linpred__dd_multiply_double(b, -first));
    double second = rest.hi / b.hi;
    rest = linpred__dd_add(rest, linpred__dd_multiply_double(b, -second));
    return linpred__dd_add_double(linpred__quick_two_sum(first, second), rest.hi / b.hi);
}

/* One Newton step from the root of the leading part. The result is 0 for a <= 0. */
static inline linpred__dd linpred__dd_square_root(linpred__dd a)
{
    if (a.hi <= 0.0)
        return (linpred__dd){0.0, 0.0};
    double root = sqrt(a.hi);
    linpred__dd square = linpred__two_product(root, root);
    linpred__dd rest = linpred__dd_add(a, linpred__dd_negate(square));
    return linpred__quick_two_sum(root, rest.hi / (2.0 * root));
}

#endif
