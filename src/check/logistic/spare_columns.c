/* Columns of a logistic fit that can be left out because of exact null vectors.
 *
 * Let k independent vectors n have <n,(x,1)> = 0 in every row, and let J be k columns in which the matrix of these
 * vectors is regular. Without a penalty the columns J can be left out: any coefficients in J can be made 0 by adding
 * multiples of the n, and that changes no prediction. The intercept is never one of J, because centres of columns need
 * it.
 */
#include <math.h>
#include <string.h>

#include "check/logistic/measure.h"
#include "core/error.h"
#include "num/greater.h"
#include "core/memory.h"

struct scratch {
    double *exact;      /* the vectors that hold exactly, row by row */
    size_t exact_count; /* their number */
    double *scale; /* the largest |x_j| of each column, roughly, in the units of the file; columns with large n_j x_j
                      are chosen */
    double *worst; /* for each vector the largest |<n,(x,1)>| / Σ|n_j x_j| of any row */
    size_t *pivot; /* the columns J */
};

static void close_scratch(struct scratch *scratch)
{
    linpred__release(scratch->exact);
    linpred__release(scratch->scale);
    linpred__release(scratch->worst);
    linpred__release(scratch->pivot);
}

/* Tests the claimed null vectors on the rows. Fills exact, exact_count, scale and worst of `scratch`. */
static linpred_status measure_vectors(const linpred__logistic_question *question, const linpred_data *data,
                                      linpred__pool *pool, const linpred__careful *careful, struct scratch *scratch,
                                      linpred__logistic_finding *finding, linpred_error *error)
{
    const linpred__null_vectors *null = &question->null;
    size_t d = (size_t)careful->dimension, vectors = (size_t)null->count;
    linpred_status status =
        linpred__null_residuals(data, pool, careful->has_intercept, null, scratch->worst, NULL, error);
    for (size_t k = 0; status == LINPRED_OK && k < vectors; k++) {
        bool exact = scratch->worst[k] == 0.0;
        finding->null_worst = linpred__greater(finding->null_worst, scratch->worst[k]);
        finding->null_as_claimed = finding->null_as_claimed && question->null_exact[k] == exact;
        if (exact)
            memcpy(scratch->exact + scratch->exact_count++ * d, null->vector + k * d, d * sizeof(double));
    }
    finding->null_exact = scratch->exact_count == vectors;
    for (size_t j = 0; j < d; j++)
        scratch->scale[j] = ldexp(fmax(fabs(careful->extent[j]), fabs(careful->centre[j])), careful->exponent[j]);
    finding->norm_left = linpred__null_norm_left(question->model, null, scratch->scale);
    if (careful->has_intercept)
        scratch->scale[d - 1] = 0.0; /* so that the intercept is never chosen */
    int independent = linpred__null_independent(null->vector, vectors, d, scratch->scale, NULL);
    finding->null_independent = independent > 0;
    return independent < 0 ? linpred__no_memory(error) : status;
}

linpred_status linpred__find_spare(const linpred__logistic_question *question, const linpred_data *data,
                                   linpred__pool *pool, const linpred__careful *careful,
                                   linpred__logistic_finding *finding, linpred__spare *spare, linpred_error *error)
{
    size_t d = (size_t)careful->dimension, vectors = (size_t)question->null.count;
    *spare = (linpred__spare){0};
    if (vectors == 0)
        return LINPRED_OK;
    struct scratch scratch = {.exact = linpred__alloc(vectors * d, sizeof(double)),
                              .scale = linpred__alloc(d, sizeof(double)),
                              .worst = linpred__alloc(vectors, sizeof(double)),
                              .pivot = linpred__alloc(vectors, sizeof(size_t))};
    bool *column = linpred__calloc(d, sizeof *column);
    linpred_status status = scratch.exact && scratch.scale && scratch.worst && scratch.pivot && column
                                ? measure_vectors(question, data, pool, careful, &scratch, finding, error)
                                : linpred__no_memory(error);
    size_t exact = scratch.exact_count;
    int independent =
        status == LINPRED_OK ? linpred__null_independent(scratch.exact, exact, d, scratch.scale, scratch.pivot) : 0;
    if (independent < 0)
        status = linpred__no_memory(error);
    if (independent > 0 && question->l2 == 0.0) {
        linpred__null_vectors holding = {(int32_t)exact, (int32_t)d, scratch.exact, true};
        bool dropped = question->null.drop && finding->norm_left == 0.0; /* then these are the columns J */
        for (int32_t k = 0; k < (int32_t)exact; k++)
            column[dropped ? (size_t)linpred__null_last(&holding, k, question->model->columns) : scratch.pivot[k]] =
                true;
        if (!careful->has_intercept || !column[d - 1]) {
            *spare = (linpred__spare){(int32_t)exact, column};
            column = NULL;
        }
    }
    linpred__release(column);
    close_scratch(&scratch);
    return status;
}
