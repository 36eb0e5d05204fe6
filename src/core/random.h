/* Random numbers with their state in the caller's hands: the same seed gives the same numbers on every machine.
 * The generator is xoshiro256++ seeded through splitmix64 (Blackman and Vigna); the distributions are made of + - * /
 * and square roots, which every machine rounds the same way. */
#ifndef LINPRED_CORE_RANDOM_H
#define LINPRED_CORE_RANDOM_H

#include <stdint.h>

typedef struct linpred__random {
    uint64_t state[4];
} linpred__random;

void linpred__random_seed(linpred__random *random, uint64_t seed);
uint64_t linpred__random_bits(linpred__random *random);
uint64_t linpred__random_below(linpred__random *random, uint64_t bound); /* uniform on 0 .. bound-1, without bias */
double linpred__random_uniform(linpred__random *random);                 /* on [0, 1), 53 bits */
double linpred__random_normal(linpred__random *random);                  /* mean 0, variance 1 */
double linpred__random_logistic(linpred__random *random);                /* P(value < s) = 1/(1+exp(-s)) */
double
linpred__random_student(linpred__random *random); /* Student's t, two degrees of freedom: median 0, infinite variance */

#endif
