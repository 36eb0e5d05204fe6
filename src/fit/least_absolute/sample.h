/* Samples of the rows, and figures of a sample. */
#ifndef LINPRED_FIT_LEAST_ABSOLUTE_SAMPLE_H
#define LINPRED_FIT_LEAST_ABSOLUTE_SAMPLE_H

#include "fit/least_absolute/deviations.h"

/* All row numbers, of which the first `count` are a seeded random sample without repetition. NULL: out of memory. */
int64_t *linpred__deviations_draw(int64_t rows, int64_t count);

/* Mean |y - mean y| of the sample; a positive number if they are all equal. */
double linpred__deviations_spread(const linpred__deviations *question, const int64_t *sample, int64_t count);

/* The distance from the fit within which rows are not sure of their side. A fit to n rows is off by about sqrt(p/n) of
   a row's own spread, so the share 3 sqrt(p/n) of the sample lies within it. */
linpred_status linpred__deviations_unsure_band(const linpred__deviations *question,
                                               const linpred__deviation_vertex *vertex, int32_t rank,
                                               const int64_t *sample, int64_t count, double *band,
                                               linpred_error *error);

#endif
