/* xoshiro256++, and the distributions made from it. */
#include "core/random.h"

#include <math.h>

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void linpred__random_seed(linpred__random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += 0x9E3779B97F4A7C15u;
        uint64_t z = seed;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        random->state[i] = z ^ (z >> 31);
    }
}

uint64_t linpred__random_bits(linpred__random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t linpred__random_below(linpred__random *random, uint64_t bound)
{
    uint64_t reject = -bound % bound; /* the first 2^64 mod bound numbers are rejected, so that none is favoured */
    uint64_t bits;
    do
        bits = linpred__random_bits(random);
    while (bits < reject);
    return bits % bound;
}

double linpred__random_uniform(linpred__random *random)
{
    return (double)(linpred__random_bits(random) >> 11) * 0x1p-53;
}

/* ln(x) for normal x > 0, right to a few units in the last place, by + - * / alone. C libraries differ in the last bits
   of log, so it would make the random numbers differ. With x = m 2^e and m near 1, ln m = 2 atanh((m-1)/(m+1)), whose
   series converges quickly. */
static double natural_logarithm(double x)
{
    int e;
    double m = frexp(x, &e);
    if (m < 0.70710678118654752) {
        m *= 2.0;
        e--;
    }
    double s = (m - 1.0) / (m + 1.0); /* |s| < 0.172 */
    double square = s * s;
    double sum = 0.0;
    for (int k = 23; k >= 1; k -= 2)
        sum = sum * square + 1.0 / k;
    return e * 0.69314718055994531 + 2.0 * s * sum;
}

/* Uniform on (0, 1), without 0 and 1. */
static double between(linpred__random *random)
{
    return ((double)(linpred__random_bits(random) >> 12) + 0.5) * 0x1p-52;
}

/* The polar method makes two values. The second is discarded, so that the generator is the only state. */
double linpred__random_normal(linpred__random *random)
{
    double u, v, s;
    do {
        u = 2.0 * linpred__random_uniform(random) - 1.0;
        v = 2.0 * linpred__random_uniform(random) - 1.0;
        s = u * u + v * v;
    } while (s >= 1.0 || s == 0.0);
    return u * sqrt(-2.0 * natural_logarithm(s) / s);
}

double linpred__random_logistic(linpred__random *random)
{
    double u = between(random);
    return natural_logarithm(u / (1.0 - u));
}

/* The inverse of the distribution function, which has a closed form for two degrees of freedom. */
double linpred__random_student(linpred__random *random)
{
    double u = between(random);
    return (2.0 * u - 1.0) / sqrt(2.0 * u * (1.0 - u));
}
