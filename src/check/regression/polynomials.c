/* Values of the polynomials of a model by their recurrence, and their change to plain powers by that of Clenshaw:
 *
 *   φ_1 = t_0,   φ_{k+1} = t_k φ_k - b_k φ_{k-1},   t_k = (x - a_k) 2^-e,   φ_0 = 1, or 0 without intercept
 *
 *   Σ_{k=1}^{n} c_k φ_k = t_0 q_1 - b_1 q_2 φ_0,   q_k = c_k + t_k q_{k+1} - b_{k+1} q_{k+2},   q_{n+1} = q_{n+2} = 0
 *
 * The q_k are polynomials in x, kept by their coefficients. Their rounding error is below 8 n 2^-103 times what the
 * same sums are with every term positive, and a product and a sum more.
 */
#include "check/regression/polynomials.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "check/rows/whole.h"

void linpred__row_in_basis(const linpred__polynomial_basis *basis, const linpred__block *block, int32_t r, double *hi,
                           double *lo)
{
    size_t terms = (size_t)basis->terms;
    linpred__entries row = linpred__entries_of(block, r);
    memset(lo, 0, (terms + basis->has_intercept) * sizeof *lo);
    if (!row.indices && basis->polynomials == 0 && !block->decimals) {
        memcpy(hi, row.values, terms * sizeof *hi);
    } else {
        memset(hi, 0, terms * sizeof *hi);
        for (int64_t k = 0; k < row.count; k++) {
            int32_t column = linpred__entry_column(&row, k);
            hi[basis->term_of[column]] = row.values[k];
            lo[basis->term_of[column]] = linpred__cell_rest(block, column, row.values[k]);
        }
    }
    if (basis->has_intercept)
        hi[terms] = 1.0;
    for (int32_t i = 0; i < basis->polynomials; i++) {
        const linpred__polynomial *of = &basis->polynomial[i];
        double x = row.values[of->feature], rest = linpred__cell_rest(block, of->feature, x);
        double scale = ldexp(1.0, -of->exponent);
        linpred__dd before = {0.0, 0.0}, now = {1.0, 0.0};
        for (int32_t k = 0; k < of->degree; k++) {
            linpred__dd t = linpred__dd_add_double(linpred__two_sum(x, -of->centre[k]), rest);
            linpred__dd next = linpred__dd_multiply((linpred__dd){t.hi * scale, t.lo * scale}, now);
            if (k > 0 && of->step[k] != 0.0 && (k > 1 || basis->has_intercept))
                next = linpred__dd_add(next, linpred__dd_multiply_double(before, -of->step[k]));
            hi[of->term + k] = next.hi;
            lo[of->term + k] = next.lo;
            before = now;
            now = next;
        }
    }
}

/* A step rounds its two terms by at most 2^-100 of each, and passes on the errors ε of the steps before:
   ε_{k+1} = |t_k| (ε_k + 2^-100 |φ_k|) + |b_k| (ε_{k-1} + 2^-100 |φ_{k-1}|) + DBL_MIN. DBL_MIN covers underflow. A
   decimal x is known to 2^-104 |x|, which adds 2^-103 |x| 2^-e (|φ_k| + ε_k). */
void linpred__row_in_basis_error(const linpred__polynomial_basis *basis, const linpred__block *block, int32_t r,
                                 const double *hi, double *error)
{
    linpred__entries row = linpred__entries_of(block, r);
    memset(error, 0, (size_t)linpred__polynomial_basis_width(basis) * sizeof *error);
    for (int32_t i = 0; i < basis->polynomials; i++) {
        const linpred__polynomial *of = &basis->polynomial[i];
        double before = 0.0, now = 0x1p-100; /* ε + 2^-100 |φ| */
        double x = row.values[of->feature], size = 1.0;
        double off = block->decimals ? ldexp(fabs(x), -103 - of->exponent) : 0.0;
        for (int32_t k = 0; k < of->degree; k++) {
            double t = ldexp(fabs(x - of->centre[k]), -of->exponent);
            double next = t * now + off * (size + now) + DBL_MIN;
            if (k > 1 || (k == 1 && basis->has_intercept))
                next += fabs(of->step[k]) * before;
            error[of->term + k] = next;
            before = now;
            size = fabs(hi[of->term + k]);
            now = next + 0x1p-100 * size;
        }
    }
}

/* sum += t_k q, for a polynomial q with `length` coefficients. */
static void add_shifted(const linpred__polynomial *of, int32_t k, const linpred__dd *q, int32_t length,
                        linpred__dd *sum)
{
    double a = ldexp(of->centre[k], -of->exponent);
    for (int32_t j = 0; j < length; j++) {
        sum[j] = linpred__dd_add(sum[j], linpred__dd_multiply_double(q[j], -a));
        sum[j + 1] = linpred__dd_add(sum[j + 1], q[j]);
    }
}

/* sum -= b q */
static void subtract_multiple(double b, const linpred__dd *q, int32_t length, linpred__dd *sum)
{
    for (int32_t j = 0; b != 0.0 && j < length; j++)
        sum[j] = linpred__dd_add(sum[j], linpred__dd_multiply_double(q[j], -b));
}

static void change_polynomial(const linpred__polynomial_basis *basis, const linpred__polynomial *of,
                              const linpred__dd *c, linpred__dd *plain)
{
    enum { CAPACITY = 104 }; /* --degree is at most 100 */
    linpred__dd buffer[3][CAPACITY] = {0};
    linpred__dd *now = buffer[0], *before = buffer[1], *sum = buffer[2];
    int32_t n = of->degree;
    for (int32_t k = n; k >= 0; k--) { /* now = q_{k+1} and before = q_{k+2}, with at most n coefficients */
        memset(sum, 0, sizeof buffer[0]);
        if (k > 0)
            sum[0] = c[of->term + k - 1];
        add_shifted(of, k < n ? k : 0, now, n, sum);
        if (k + 1 < n && (k > 0 || basis->has_intercept))
            subtract_multiple(of->step[k + 1], before, n, sum);
        linpred__dd *unused = before;
        before = now;
        now = sum;
        sum = unused;
    }
    for (int32_t j = 1; j <= n; j++) {
        int shift = -of->exponent * j;
        plain[of->term + j - 1] = (linpred__dd){ldexp(now[j].hi, shift), ldexp(now[j].lo, shift)};
    }
    if (basis->has_intercept)
        plain[basis->terms] = linpred__dd_add(plain[basis->terms], now[0]);
}

void linpred__plain_powers(const linpred__polynomial_basis *basis, const linpred__dd *c, linpred__dd *plain)
{
    memcpy(plain, c, (size_t)linpred__polynomial_basis_width(basis) * sizeof *plain);
    for (int32_t i = 0; i < basis->polynomials; i++)
        change_polynomial(basis, &basis->polynomial[i], c, plain);
}
