/* Witnesses: what proves claims. Rows are those of the file, 1-based and ascending.
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

/* Rows with a real multiplier α_i each. For a margin they prove that no halfspace has a margin above ||Σ α_i z_i|| / Σ
   α_i. For the absolute loss the α_i are duals, which may be negative. */
typedef struct linpred__support {
    int64_t count;
    int64_t *row;
    double *multiplier; /* α_i = multiplier_i + tail_i */
    double *tail;       /* the trailing parts of the α_i in double-double */
    char **weight;      /* for a margin: the α_i as integers in decimal, where doubles are not enough; multiplier_i is
                           then α_i as a part of the largest, rounded, and tail_i is 0. NULL: α are doubles */
    bool without_intercept; /* for a margin: the intercept is left out of the norm */
} linpred__support;

/* A direction of integers: (w, b), or w without intercept; for a ball the weights of (x, ||x||², 1). */
typedef struct linpred__direction {
    int32_t count; /* 0: there is none */
    char **entry;  /* in decimal */
} linpred__direction;

/* A number for each coefficient, the intercept last. */
typedef struct linpred__vector {
    int32_t count; /* 0: there is none */
    double *value;
} linpred__vector;

/* A largest margin of some form: the weights have it, and by the support no halfspace has a larger one. */
typedef struct linpred__margin_proof {
    linpred__vector weights;
    linpred__support support;
} linpred__margin_proof;

/* The weights that minimise the logistic loss of some rows, and vectors n, one after the other, with <n,(x,1)> = 0 in
   each of these rows. */
typedef struct linpred__finite_part {
    linpred__vector weights;
    linpred__vector null; /* count is a multiple of that of the weights */
} linpred__finite_part;

/* These allocate `count` entries, with numbers 0 and texts NULL. They return false if memory runs out; the caller
   clears the witness in any case. */
bool linpred__combination_open(linpred__combination *combination, int64_t count);
bool linpred__support_open(linpred__support *support, int64_t count);
/* The same with room for integers. */
bool linpred__support_open_integers(linpred__support *support, int64_t count);
/* Sets the multipliers to what the integers are as parts of the largest. */
void linpred__support_round(linpred__support *support);
bool linpred__direction_open(linpred__direction *direction, int32_t count);
bool linpred__vector_open(linpred__vector *vector, int32_t count);
/* Makes a vector of w and, unless it is NULL, the intercept b. */
bool linpred__vector_of_weights(const double *w, int32_t columns, const double *b, linpred__vector *vector);
bool linpred__direction_copy(const linpred__direction *from, linpred__direction *to);

void linpred__combination_clear(linpred__combination *combination);
void linpred__support_clear(linpred__support *support);
void linpred__direction_clear(linpred__direction *direction);
void linpred__vector_clear(linpred__vector *vector);
void linpred__finite_part_clear(linpred__finite_part *part);

/* ---- cover proofs ------------------------------------------------------------------------------------------------ */

/* The proof that no halfspace's mistakes cost less: inseparable subsets S, and trees of branches over rows.
 *
 * Every halfspace gets at least one row of every subset wrong. A node of the tree either branches on a row, or is a
 * leaf. A row is branched on in two ways: the halfspace gets it wrong (gives it up), or gets it right (keeps it). At a
 * leaf some rows are given up, some are kept, and the others are free. With multipliers y_S >= 0 and a_i = Σ_{S ∋ i}
 * y_S the mistakes of a halfspace of that leaf cost at least
 *
 *   Σ_S y_S + Σ_{i given up} (cost_i - a_i) + Σ_{i free} min(0, cost_i - a_i).
 *
 * Rows with equal values and label count as one row, the first of them, with the sum of their costs.
 *
 * The bounds of several trees are added, each rounded up to a sum of costs. A row costs nothing in a tree if an earlier
 * one names it.
 */

typedef struct linpred__node {
    int64_t row;        /* the row of the file on which the node branches; 0: the node is a leaf */
    int64_t count;      /* of a leaf: the number of multipliers */
    int64_t *subset;    /* the subset of each multiplier, 0-based, ascending */
    double *multiplier; /* y_S > 0 */
} linpred__node;

typedef struct linpred__cover_proof {
    int64_t subsets;
    linpred__combination *subset; /* each is inseparable */
    int64_t nodes;
    linpred__node *node; /* tree after tree, each in preorder: a node, then the branch that keeps its row, then the one
                            that gives it up */
    linpred__direction direction; /* of a halfspace or ball that no doubles were found for: its mistakes are those that
                                     are fewest. Empty: those of the model are */
} linpred__cover_proof;

void linpred__cover_proof_clear(linpred__cover_proof *search);
/* These allocate arrays of zeros. They return false if memory runs out. */
bool linpred__cover_proof_subsets(linpred__cover_proof *search, int64_t count);
bool linpred__cover_proof_nodes(linpred__cover_proof *search, int64_t count);
bool linpred__node_multipliers(linpred__node *node, int64_t count);

#endif
