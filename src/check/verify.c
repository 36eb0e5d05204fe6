/* The verifier: believes nothing of a result but its weights, and checks its claim against the data.
 *
 *   separates    every row has y(<w,x>+b) > 0
 *   errors = k   the rows with y(<w,x>+b) <= 0 weigh k in all
 *
 * Each row's sign is certain. A sum s of n rounded products, in any order, differs from the exact sum by at most
 * (n+2) u Σ|w_j x_j| / (1 - (n+2) u) + n 2^-1074, u = 2^-53; beyond that bound the sign is that of s. Nearer to zero the products are added
 * exactly, as wide integers. This file uses nothing of fit/ or solve/.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/exact.h"
#include "data/fingerprint.h"
#include "data/pass.h"
#include "model/model.h"

struct found {
    double weight;
    double errors;
    int64_t exactly;
    int64_t worst_row; /* 0-based data row */
    double worst;
};

static bool init(void *context, void *state)
{
    (void)context;
    struct found *found = state;
    found->worst = INFINITY;
    found->worst_row = -1;
    return true;
}

/* Entry k of row r: its value, and the weight it meets. */
static double entry(const linpred__block *block, int32_t r, int64_t k, const double *w, double *weight)
{
    if (block->layout == LINPRED__DENSE) {
        *weight = w[k];
        return block->values[r * block->stride + k];
    }
    *weight = w[block->indices[block->start[r] + k]];
    return block->values[block->start[r] + k];
}

static int exact_sign(const linpred_model *model, const linpred__block *block, int32_t r, int64_t entries)
{
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int64_t k = 0; k < entries; k++) {
        double weight;
        double value = entry(block, r, k, model->w, &weight);
        linpred__exact_add(&sum, value, weight);
    }
    linpred__exact_add(&sum, model->b, 1.0);
    return linpred__exact_sign(&sum);
}

static void visit(void *context, void *state, const linpred__block *block)
{
    const linpred_model *model = context;
    struct found *found = state;
    for (int32_t r = 0; r < block->rows; r++) {
        int64_t entries =
            block->layout == LINPRED__DENSE ? block->columns : block->start[r + 1] - block->start[r];
        double sum = model->b, size = fabs(model->b);
        for (int64_t k = 0; k < entries; k++) {
            double weight;
            double value = entry(block, r, k, model->w, &weight);
            sum += value * weight;
            size += fabs(value * weight);
        }
        double bound = ((double)entries + 4.0) * DBL_EPSILON * size + (double)(entries + 1) * 0x1p-1073;
        bool clear = fabs(sum) > bound; /* false too where something overflowed */
        int sign = clear ? (sum > 0) - (sum < 0) : exact_sign(model, block, r, entries);
        double label = block->target[r];
        double score = label * sum;
        found->exactly += !clear;
        found->weight += block->weight ? block->weight[r] : 1.0;
        if (sign * label <= 0)
            found->errors += block->weight ? block->weight[r] : 1.0;
        if (score < found->worst || found->worst_row < 0) {
            found->worst = score;
            found->worst_row = block->first_row + r;
        }
    }
}

static void merge(void *context, void *into, const void *from)
{
    (void)context;
    struct found *a = into;
    const struct found *b = from;
    a->weight += b->weight;
    a->errors += b->errors;
    a->exactly += b->exactly;
    if (b->worst_row >= 0 && (b->worst < a->worst || a->worst_row < 0 ||
                              (b->worst == a->worst && b->worst_row < a->worst_row))) {
        a->worst = b->worst;
        a->worst_row = b->worst_row;
    }
}

/* Claim, finding and verdict as sentences. */
static void judge(const linpred__certificate *certificate, const struct found *found, int64_t rows, linpred_check *check)
{
    double claimed = certificate->claim == LINPRED__CLAIM_SEPARATES ? 0.0 : certificate->errors;
    if (certificate->claim == LINPRED__CLAIM_SEPARATES)
        snprintf(check->claim, sizeof check->claim, "the halfspace has every row on its right side");
    else
        snprintf(check->claim, sizeof check->claim, "the halfspace makes %.17g mistakes", claimed);
    /* Weights that are no whole numbers add up with rounding. */
    bool agrees = fabs(found->errors - claimed) <= 1e-9 * claimed;
    check->verdict = found->errors == claimed ? LINPRED_PROVED : agrees ? LINPRED_WITHIN_TOLERANCE : LINPRED_REFUTED;
    if (check->verdict != LINPRED_REFUTED && !check->same_data)
        check->verdict = LINPRED_PARTLY_PROVED;
    if (found->errors == 0.0)
        snprintf(check->finding, sizeof check->finding, "all %lld rows are on their right side, each sign certain",
                 (long long)rows);
    else
        snprintf(check->finding, sizeof check->finding,
                 "%.17g of %.17g (by weight) are on the wrong side or on the boundary, each sign certain; worst is row %lld",
                 found->errors, found->weight, (long long)check->worst_row);
    if (!check->same_data) {
        size_t used = strlen(check->finding);
        snprintf(check->finding + used, sizeof check->finding - used,
                 "; but this is not the data of the fit, of which the claim speaks");
    }
}

linpred_status linpred_verify(const linpred_result *result, const linpred_data *data, int threads,
                              linpred_check *check, linpred_error *error)
{
    if (data->columns != result->model.columns)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the model has %d features, the data has %d",
                             result->model.columns, data->columns);
    linpred__pool *pool;
    linpred_status status = linpred__pool_open(threads, &pool, error);
    if (status != LINPRED_OK)
        return status;
    linpred__visitor visitor = {sizeof(struct found), init, visit, merge, NULL, (void *)&result->model};
    struct found found;
    uint64_t fingerprint = 0;
    status = linpred__pass(data, pool, &visitor, &found, error);
    if (status == LINPRED_OK)
        status = linpred__fingerprint(data, pool, &fingerprint, error);
    linpred__pool_close(pool);
    if (status != LINPRED_OK)
        return status;
    linpred_check done = {
        .errors = found.errors,
        .worst_row = linpred_data_source_row(data, found.worst_row),
        .settled_exactly = found.exactly,
        .same_data = fingerprint == result->certificate.fingerprint,
    };
    judge(&result->certificate, &found, data->rows, &done);
    *check = done;
    return LINPRED_OK;
}
