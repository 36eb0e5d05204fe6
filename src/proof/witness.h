/* What questions about separability give as proof, in numbers of the file. Rows are 1-based and ascending.
 *
 * z_i = y_i (x_i, 1) is the signed homogeneous row; through the origin z_i = y_i x_i.
 */
#ifndef LINPRED_PROOF_WITNESS_H
#define LINPRED_PROOF_WITNESS_H

#include <stdbool.h>
#include <stdint.h>

/* Rows whose positive combination is zero: Σ λ_i z_i = 0. No halfspace has all of them on its right side. */
typedef struct linpred__combination {
    int64_t count;
    int64_t *row;
    char **weight; /* λ > 0: integers in decimal */
} linpred__combination;

/* Rows with a real multiplier each. Of a margin the combination is short: no halfspace has a margin above
   ||Σ α_i z_i|| / Σ α_i. Of the absolute loss α_i are duals, of either sign. */
typedef struct linpred__support {
    int64_t count;
    int64_t *row;
    double *multiplier; /* α_i = multiplier_i + tail_i >= 0 */
    double *tail;
    bool usual; /* of the margin with the intercept left out of the norm */
} linpred__support;

/* A direction of integers: (w, b), without b through the origin; (w, curvature, b) of a ball. */
typedef struct linpred__direction {
    int32_t count; /* 0: there is none */
    char **entry;  /* in decimal */
} linpred__direction;

/* A number for each coefficient, the intercept's last. */
typedef struct linpred__vector {
    int32_t count; /* 0: there is none */
    double *value;
} linpred__vector;

/* Make `count` entries, numbers 0 and texts NULL. False: out of memory; what was made is cleared as usual. */
bool linpred__combination_open(linpred__combination *combination, int64_t count);
bool linpred__support_open(linpred__support *support, int64_t count);
bool linpred__direction_open(linpred__direction *direction, int32_t count);
bool linpred__vector_open(linpred__vector *vector, int32_t count);
bool linpred__direction_copy(const linpred__direction *from, linpred__direction *to);

void linpred__combination_clear(linpred__combination *combination);
void linpred__support_clear(linpred__support *support);
void linpred__direction_clear(linpred__direction *direction);
void linpred__vector_clear(linpred__vector *vector);

#endif
