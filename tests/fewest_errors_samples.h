/* What the tests of method exact learn from, and how. */
#ifndef LINPRED_TESTS_FEWEST_ERRORS_SAMPLES_H
#define LINPRED_TESTS_FEWEST_ERRORS_SAMPLES_H

#include "support.h"

static inline linpred_options exact_options(bool no_intercept)
{
    linpred_options options;
    linpred__options_init(&options);
    options.method = LINPRED_METHOD_EXACT;
    options.no_intercept = no_intercept;
    return options;
}

/* Rows of two overlapping clouds, with duplicates; about a tenth of the labels are wrong. */
static inline sample overlapping(uint64_t seed, int64_t rows, int32_t columns)
{
    linpred__random random;
    linpred__random_seed(&random, seed);
    sample s = sample_new(rows, columns);
    for (int64_t i = 0; i < rows; i++) {
        double sum = 0;
        for (int32_t j = 0; j < columns; j++) {
            double x = nearbyint(20.0 * linpred__random_normal(&random)) / 8.0;
            s.values[i * columns + j] = x;
            sum += x;
        }
        s.labels[i] = (sum > 0) != (linpred__random_below(&random, 10) == 0) ? 1.0 : -1.0;
    }
    sample_index(&s);
    return s;
}

#endif
