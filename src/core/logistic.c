#include "core/logistic.h"

#include <string.h>

#include "core/fast.h"
#include "linpred/linpred.h"

typedef double vector __attribute__((vector_size(64)));
typedef int64_t integers __attribute__((vector_size(64)));

enum { WIDTH = 8 };

#define ALL(value) ((vector){0} + (value))
#define CHOOSE(where, yes, no) ((vector)(((where) & (integers)(yes)) | (~(where) & (integers)(no))))

/* exp on |r| <= ln(2)/2 by its Taylor series to r^13: the rest is below 4e-18. */
static const double exponential[] = {1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0,
                                     1.0 / 362880.0,     1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,
                                     1.0 / 120.0,        1.0 / 24.0,        1.0 / 6.0,        0.5};

/* atanh(s)/s - 1 as a series in s² <= 0.0295, divided by s²: the rest is below 1e-18. */
static const double hyperbolic[] = {1.0 / 23.0, 1.0 / 21.0, 1.0 / 19.0, 1.0 / 17.0, 1.0 / 15.0, 1.0 / 13.0,
                                    1.0 / 11.0, 1.0 / 9.0,  1.0 / 7.0,  1.0 / 5.0,  1.0 / 3.0};

enum {
    EXPONENTIAL_TERMS = sizeof exponential / sizeof exponential[0],
    HYPERBOLIC_TERMS = sizeof hyperbolic / sizeof hyperbolic[0]
};

/* Eight rows. `scale` is the row's weight with its class's. */
static inline __attribute__((always_inline)) void eight(const double *z, const double *y, const double *scale,
                                                        double *loss, double *r, double *curvature)
{
    const double whole = 0x1.8p52; /* adding it rounds to an integer, which then stands in the low bits */
    const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33, ln2 = 0x1.62e42fefa39efp-1;
    vector vz, vy, weight;
    memcpy(&vz, z, sizeof vz);
    memcpy(&vy, y, sizeof vy);
    memcpy(&weight, scale, sizeof weight);
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

    /* log1p(e) = 2 atanh(e / (2 + e)), or ln 2 + 2 atanh((e - 1) / (e + 3)) where that is nearer to zero */
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
    for (int32_t i = 0; i < rows; i += WIDTH) {
        double in[3][WIDTH] = {{0}}, out[3][WIDTH];
        int32_t n = rows - i < WIDTH ? rows - i : WIDTH;
        for (int32_t k = 0; k < n; k++)
            in[2][k] = (weight ? weight[i + k] : 1.0) * class_weight[y[i + k] > 0];
        if (n == WIDTH) {
            eight(z + i, y + i, in[2], loss + i, r + i, curvature + i);
            continue;
        }
        memcpy(in[0], z + i, (size_t)n * sizeof(double));
        memcpy(in[1], y + i, (size_t)n * sizeof(double));
        eight(in[0], in[1], in[2], out[0], out[1], out[2]);
        memcpy(loss + i, out[0], (size_t)n * sizeof(double));
        memcpy(r + i, out[1], (size_t)n * sizeof(double));
        memcpy(curvature + i, out[2], (size_t)n * sizeof(double));
    }
}

void linpred__logistic_rows(int32_t rows, const double *z, const double *y, const double *weight,
                            const double class_weight[2], double *loss, double *r, double *curvature)
{
    all_rows(rows, z, y, weight, class_weight, loss, r, curvature);
}
