/* What the makers of instances share: the rows to be filled, and the truth that goes with them. */
#ifndef LINPRED_THEORY_INSTANCES_H
#define LINPRED_THEORY_INSTANCES_H

#include "core/options.h"
#include "core/random.h"
#include "core/text.h"
#include "linpred/linpred.h"

struct linpred_instance {
    int64_t rows;
    int32_t columns;
    double *values;  /* rows x columns, zero at first */
    double *targets; /* labels -1 and +1, or real numbers */
    linpred__text truth;
};

/* Fills the rows and adds to the truth. Memory that runs out while the truth is written is noticed by the caller. */
typedef linpred_status linpred__maker(linpred_instance *instance, const linpred_options *options, linpred_error *error);

/* theory/extremal.c: what the perceptron's bound is about */
linpred__maker linpred__make_basis, linpred__make_tight, linpred__make_shrinking;
/* theory/teaching.c: a handful of rows each */
linpred__maker linpred__make_undershoot, linpred__make_offset, linpred__make_two_updates, linpred__make_xor;
/* theory/planted.c: random rows around a halfspace that is known */
linpred__maker linpred__make_separable, linpred__make_noisy;
/* theory/planted_logistic.c */
linpred__maker linpred__make_quasi_separated, linpred__make_logistic;
/* theory/planted_regression.c */
linpred__maker linpred__make_rank_deficient, linpred__make_heavy_tailed;

static inline double *linpred__instance_row(linpred_instance *instance, int64_t row)
{
    return instance->values + row * instance->columns;
}

/* Lines of the truth, a JSON object. Keys have the meaning they have in the answers of fit. */
void linpred__truth_key(linpred_instance *instance, const char *key); /* the value is the caller's to add */
void linpred__truth_count(linpred_instance *instance, const char *key, int64_t value);
void linpred__truth_number(linpred_instance *instance, const char *key, double value);
/* {"x1": w[0], …, "(intercept)": b}; entries that are zero are left out unless it is a vector of coefficients. */
void linpred__truth_vector(linpred_instance *instance, const double *w, double b, bool zeros);

/* How the random makers draw. */
double linpred__random_whole(linpred__random *random, int most); /* ±1, ±2, …, ±most */
/* True `left` times in `of` calls, any choice of them as likely; counts both down. */
bool linpred__random_chosen(linpred__random *random, int64_t *left, int64_t *of);
double linpred__to_grid(double value, double per_unit); /* the nearest of the numbers k / per_unit, k whole */

enum { LINPRED__DYADIC = 1024 }; /* per unit: sums of such numbers with whole weights are exact in doubles */

#endif
