/* Random numbers. The caller holds the state, and the same seed gives the same numbers on every machine.
 *
 * The generator is xoshiro256++, seeded by splitmix64 (Blackman and Vigna). The distributions use only + - * / and
 * square roots, which every machine rounds in the same way.
 */
#ifndef LINPRED_CORE_RANDOM_H
#define LINPRED_CORE_RANDOM_H

#include <stdint.h>

typedef struct linpred__random {
    uint64_t state[4];
} linpred__random;

void linpred__random_seed(linpred__random *random, uint64_t seed);
uint64_t linpred__random_bits(linpred__random *random);
uint64_t linpred__random_below(linpred__random *random, uint64_t bound); /* uniform on 0 .. bound-1, without bias */
double linpred__random_uniform(linpred__random *random);                 /* uniform on [0, 1), with 53 bits */
double linpred__random_normal(linpred__random *random);                  /* mean 0, variance 1 */
double linpred__random_logistic(linpred__random *random);                /* P(value < s) = 1/(1+exp(-s)) */
/* Student's t with two degrees of freedom: median 0, infinite variance. */
double linpred__random_student(linpred__random *random);

#endif
