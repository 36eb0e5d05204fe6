/* What the makers of instances share. An instance is a data set with a known answer: rows, and the truth about them. */
#ifndef LINPRED_THEORY_INSTANCES_H
#define LINPRED_THEORY_INSTANCES_H

#include "core/options.h"
#include "core/random.h"
#include "core/text.h"
#include "linpred/linpred.h"
#include "theory/limits.h"

struct linpred_instance {
    int64_t rows;
    int32_t columns;
    double *values;      /* rows x columns, row by row; all 0 before the maker fills them */
    double *targets;     /* labels -1 and +1, or real targets */
    linpred__text truth; /* a JSON object; its keys have the meaning that they have in the answers of `fit --json` */
};

/* Fills the rows and adds keys to the truth. The caller checks whether memory ran out while the truth was written. */
typedef linpred_status linpred__maker(linpred_instance *instance, const linpred_options *options, linpred_error *error);

/* constructed.c: how sharp the perceptron's bound is */
linpred__maker linpred__make_basis, linpred__make_tight, linpred__make_shrinking;
/* constructed.c: a few rows each, to follow by hand */
linpred__maker linpred__make_undershoot, linpred__make_offset, linpred__make_two_updates, linpred__make_xor;
/* planted.c: random rows on both sides of a known halfspace */
linpred__maker linpred__make_separable, linpred__make_noisy;
/* planted_logistic.c: random rows for logistic regression */
linpred__maker linpred__make_quasi_separated, linpred__make_logistic;
/* planted_regression.c: random rows for regression */
linpred__maker linpred__make_rank_deficient, linpred__make_heavy_tailed;

static inline double *linpred__instance_row(linpred_instance *instance, int64_t row)
{
    return instance->values + row * instance->columns;
}

/* Adds a key to the truth; the caller then adds its value. */
void linpred__truth_key(linpred_instance *instance, const char *key);
/* Add a key and a number. */
void linpred__truth_count(linpred_instance *instance, const char *key, int64_t value);
void linpred__truth_number(linpred_instance *instance, const char *key, double value);
/* Adds the value {"x1": w[0], …, "(intercept)": b}. Without `zeros` entries that are 0 are left out. */
void linpred__truth_vector(linpred_instance *instance, const double *w, double b, bool zeros);

/* A random number out of ±1, ±2, …, ±max, all with the same probability. */
double linpred__random_whole(linpred__random *random, int max);
/* Chooses *left of *of items at random: call it once for each item. Every choice has the same probability. Both numbers
   are counted down. */
bool linpred__random_chosen(linpred__random *random, int64_t *left, int64_t *of);
/* The nearest multiple of 1/per_unit. */
double linpred__to_grid(double value, double per_unit);

#endif
