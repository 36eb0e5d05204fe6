/* The logistic loss in vectors of eight doubles. The header has the formulas. */
#include "num/logistic_loss.h"

#include <math.h>
#include <string.h>

#include "core/fast.h"
#include "linpred/linpred.h"

typedef double vector __attribute__((vector_size(64)));
typedef int64_t integers __attribute__((vector_size(64)));

enum { WIDTH = 8 };

/* Functions that take or return vectors are always inlined here. So the warning that the calling convention depends on
   the instruction set does not apply. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define ALL(value) ((vector){0} + (value))
#define CHOOSE(where, yes, no) ((vector)(((where) & (integers)(yes)) | (~(where) & (integers)(no))))

/* Coefficients of r^13 to r^2 in the Taylor series of exp(r). For |r| <= ln(2)/2 the remainder is below 4e-18. */
static const double exponential[] = {1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0,
                                     1.0 / 362880.0,     1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,
                                     1.0 / 120.0,        1.0 / 24.0,        1.0 / 6.0,        0.5};

/* Coefficients of (atanh(s)/s - 1) / s² as a series in s², highest power first. For s² <= 0.0295 the remainder is below
   1e-18. */
static const double hyperbolic[] = {1.0 / 23.0, 1.0 / 21.0, 1.0 / 19.0, 1.0 / 17.0, 1.0 / 15.0, 1.0 / 13.0,
                                    1.0 / 11.0, 1.0 / 9.0,  1.0 / 7.0,  1.0 / 5.0,  1.0 / 3.0};

enum {
    EXPONENTIAL_TERMS = sizeof exponential / sizeof exponential[0],
    HYPERBOLIC_TERMS = sizeof hyperbolic / sizeof hyperbolic[0]
};

static inline __attribute__((always_inline)) vector load(const double *x)
{
    vector value;
    memcpy(&value, x, sizeof value);
    return value;
}

/* Computes eight rows. If `scale` is NULL, their weights are 1. */
static inline __attribute__((always_inline)) void eight(const double *z, const double *y, const double *scale,
                                                        const double class_weight[2], double *loss, double *r,
                                                        double *curvature)
{
    const double whole = 0x1.8p52; /* adding it rounds to an integer and puts this integer into the low bits */
    const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33, ln2 = 0x1.62e42fefa39efp-1;
    vector vz = load(z), vy = load(y);
    vector weight =
        (scale ? load(scale) : ALL(1.0)) * CHOOSE(vy > ALL(0.0), ALL(class_weight[1]), ALL(class_weight[0]));
    vector t = vy * vz;
    vector a = (vector)((integers)t & INT64_MAX);
    a = CHOOSE(a > ALL(708.0), ALL(708.0), a);

    /* e = exp(-a) = 2^-k exp(rest) with rest = k ln 2 - a */
    vector shifted = a * 0x1.71547652b82fep0 + whole;
    vector k = shifted - whole;
    vector rest = (k * ln2_high - a) + k * ln2_low;
    vector series = ALL(exponential[0]);
    for (int i = 1; i < EXPONENTIAL_TERMS; i++)
        series = series * rest + exponential[i];
    vector power = (vector)((1023 - ((integers)shifted - (integers)ALL(whole))) << 52);
    vector e = power * (1.0 + (rest + rest * rest * series));

    /* log1p(e) = 2 atanh(e / (2 + e)). If e is large, ln 2 + 2 atanh((e - 1) / (e + 3)) has the smaller argument. */
    integers large = e > ALL(0x1.a827999fcef32p-2); /* sqrt(2) - 1 */
    vector s = CHOOSE(large, e - 1.0, e) / CHOOSE(large, e + 3.0, e + 2.0);
    vector square = s * s;
    vector tail = ALL(hyperbolic[0]);
    for (int i = 1; i < HYPERBOLIC_TERMS; i++)
        tail = tail * square + hyperbolic[i];
    vector logarithm = CHOOSE(large, ALL(ln2), ALL(0.0)) + 2.0 * (s + s * square * tail);

    integers wrong = t < ALL(0.0);
    vector inverse = 1.0 / (1.0 + e);
    vector miss = CHOOSE(wrong, inverse, e * inverse); /* σ(-t) */
    vector vloss = weight * (CHOOSE(wrong, -t, ALL(0.0)) + logarithm);
    vector vr = -vy * (weight * miss);
    vector vcurvature = weight * (e * inverse * inverse);
    memcpy(loss, &vloss, sizeof vloss);
    memcpy(r, &vr, sizeof vr);
    memcpy(curvature, &vcurvature, sizeof vcurvature);
}

LINPRED__FAST static void all_rows(int32_t rows, const double *z, const double *y, const double *weight,
                                   const double class_weight[2], double *loss, double *r, double *curvature)
{
    int32_t whole = rows / WIDTH * WIDTH, n = rows - whole;
    for (int32_t i = 0; i < whole; i += WIDTH)
        eight(z + i, y + i, weight ? weight + i : NULL, class_weight, loss + i, r + i, curvature + i);
    if (n == 0)
        return;
    double in[3][WIDTH] = {{0}}, out[3][WIDTH];
    size_t bytes = (size_t)n * sizeof(double);
    memcpy(in[0], z + whole, bytes);
    memcpy(in[1], y + whole, bytes);
    if (weight)
        memcpy(in[2], weight + whole, bytes);
    eight(in[0], in[1], weight ? in[2] : NULL, class_weight, out[0], out[1], out[2]);
    memcpy(loss + whole, out[0], bytes);
    memcpy(r + whole, out[1], bytes);
    memcpy(curvature + whole, out[2], bytes);
}

void linpred__logistic_rows(int32_t rows, const double *z, const double *y, const double *weight,
                            const double class_weight[2], double *loss, double *r, double *curvature)
{
    all_rows(rows, z, y, weight, class_weight, loss, r, curvature);
}

static double add_up(vector sum)
{
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

LINPRED__FAST static void tally_losses(int32_t rows, const double *z, const double *y, const double *weight,
                                       double rounding_bound, vector sum[4])
{
    for (int32_t i = 0; i < rows; i += WIDTH) {
        double in[3][WIDTH] = {{0}};
        vector vz, vy, vw;
        if (i + WIDTH <= rows) {
            vz = load(z + i);
            vy = load(y + i);
            vw = weight ? load(weight + i) : ALL(1.0);
        } else {
            for (int32_t k = 0; k < WIDTH; k++) {
                in[0][k] =
                    i + k < rows ? z[i + k] : INFINITY; /* padding: no mistake and weight 0, so it adds nothing */
                in[1][k] = i + k < rows ? y[i + k] : 1.0;
                in[2][k] = i + k < rows ? (weight ? weight[i + k] : 1.0) : 0.0;
            }
            vz = load(in[0]);
            vy = load(in[1]);
            vw = load(in[2]);
        }
        vector size = (vector)((integers)vz & INT64_MAX);
        vector part = CHOOSE(vw > ALL(0.0), vw * vz, ALL(0.0));
        integers right = vy * vz > ALL(0.0), sure = size > ALL(rounding_bound), positive = vy > ALL(0.0);
        sum[0] += CHOOSE(right, ALL(0.0), vw);
        sum[1] += CHOOSE(sure, ALL(0.0), ALL(1.0));
        sum[2] += CHOOSE(positive, ALL(0.0), part);
        sum[3] += CHOOSE(positive, part, ALL(0.0));
    }
}

linpred__score_tally linpred__tally_scores(int32_t rows, const double *z, const double *y, const double *weight,
                                           double rounding_bound)
{
    vector sum[4] = {{0}};
    tally_losses(rows, z, y, weight, rounding_bound, sum);
    return (linpred__score_tally){add_up(sum[0]), add_up(sum[1]), {add_up(sum[2]), add_up(sum[3])}};
}
