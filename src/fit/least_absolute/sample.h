/* Samples of the rows, and figures of a sample. */
#ifndef LINPRED_FIT_LEAST_ABSOLUTE_SAMPLE_H
#define LINPRED_FIT_LEAST_ABSOLUTE_SAMPLE_H

#include "fit/least_absolute/deviations.h"

/* Returns all row numbers, permuted so that the first `count` are a seeded random sample. NULL: out of memory. */
int64_t *linpred__deviations_draw(int64_t rows, int64_t count);

/* Mean |y - mean y| of the sample; a positive number even if all y are equal. */
double linpred__deviations_spread(const linpred__deviations *question, const int64_t *sample, int64_t count);

/* Finds the distance from the fit within which rows may change sides when more rows are fitted. The error of a fit with
   p coefficients to n rows is about sqrt(p/n) of the spread of the residuals, so the band is chosen to hold the share 3
   sqrt(p/n) of the sample. */
linpred_status linpred__deviations_unsure_band(const linpred__deviations *question,
                                               const linpred__deviation_vertex *vertex, int32_t rank,
                                               const int64_t *sample, int64_t count, double *band,
                                               linpred_error *error);

#endif
