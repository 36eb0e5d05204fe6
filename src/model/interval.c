/* Prediction intervals of least squares for a new row x, in the basis of the fit:
 *
 *   score ± t · s · sqrt(1 + ||S'x||²),   S S' = (X'VX)^-1
 *
 * s is the standard deviation of the residuals, t the quantile of Student's distribution with the fit's degrees of
 * freedom. The interval holds the new y with the asked probability if errors are normal with one variance. The basis is
 * orthogonal over the training rows, so ||S'x|| keeps its digits, which plain powers would lose.
 *
 * If a row breaks a dependency n of the columns, that is <n,x> is not 0, the data do not determine its prediction. Its
 * interval is the whole line.
 */
#include <math.h>
#include <string.h>

#include "model/limits.h"
#include "num/distribution.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "data/row.h"
#include "model/model.h"

struct interval {
    const linpred__regression *regression;
    const linpred_data *data;
    double factor; /* t s */
    double *low;   /* one for each row of the file: the scores before, the lower ends after */
    double *high;  /* one for each row of the file: the upper ends */
};

struct interval_lane {
    double *x;     /* leading parts, trailing parts: 2 width */
    double *along; /* S'x */
};

static void clear_interval_lane(void *context, void *state)
{
    (void)context;
    struct interval_lane *lane = state;
    linpred__release(lane->x);
    linpred__release(lane->along);
}

static bool init_interval_lane(void *context, void *state)
{
    const linpred__regression *regression = ((const struct interval *)context)->regression;
    struct interval_lane *lane = state;
    lane->x = linpred__alloc(2 * (size_t)regression->width, sizeof(double));
    lane->along = linpred__alloc((size_t)regression->factor_columns, sizeof(double));
    if (lane->x && lane->along)
        return true;
    clear_interval_lane(context, state);
    return false;
}

/* Whether every dependency of the columns holds in the row. */
static bool estimable(const linpred__regression *regression, const double *x)
{
    const double *null = regression->basis_dependency ? regression->basis_dependency : regression->dependencies.vector;
    for (int32_t k = 0; k < regression->dependencies.count; k++)
        if (linpred__breaks_dependency(null + (size_t)k * (size_t)regression->width, x, regression->width,
                                       regression->dependencies.exact[k]))
            return false;
    return true;
}

/* ||S'x||² */
LINPRED__FAST static double leverage(const linpred__regression *regression, const double *x, double *along)
{
    size_t rank = (size_t)regression->factor_columns;
    memset(along, 0, rank * sizeof *along);
    for (int32_t j = 0; j < regression->width; j++) {
        const double *s = regression->factor + (size_t)j * rank;
        for (size_t k = 0; x[j] != 0.0 && k < rank; k++)
            along[k] += x[j] * s[k];
    }
    double sum = 0.0;
    for (size_t k = 0; k < rank; k++)
        sum += along[k] * along[k];
    return sum;
}

static void visit_intervals(void *context, void *state, const linpred__block *block)
{
    const struct interval *interval = context;
    const linpred__regression *regression = interval->regression;
    struct interval_lane *lane = state;
    for (int32_t r = 0; r < block->rows; r++) {
        int64_t row = block->first_row + r;
        int64_t place = interval->data->source_row ? interval->data->source_row[row] : row;
        linpred__polynomial_basis_row(&regression->basis, block, r, lane->x, lane->x + regression->width);
        double half = INFINITY;
        if (estimable(regression, lane->x))
            half = interval->factor * sqrt(1.0 + leverage(regression, lane->x, lane->along));
        interval->high[place] = interval->low[place] + half;
        interval->low[place] -= half;
    }
}

static void merge_nothing(void *context, void *into, const void *from)
{
    (void)context;
    (void)into;
    (void)from;
}

static linpred_status check_model(const linpred_model *model, double confidence, linpred_error *error)
{
    const linpred__regression *regression = model->regression;
    const linpred__figures *figures = model->figures;
    if (!(confidence > 0 && confidence < 1))
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the confidence of an interval lies between 0 and 1");
    if (!regression)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "only a regression has prediction intervals: this is a model of fit %s",
                             linpred_task_name(model->task));
    if (regression->loss != LINPRED_LOSS_SQUARED)
        return linpred__fail(
            error, LINPRED_ERROR_USAGE,
            "prediction intervals are for squared loss; for absolute loss fit two quantiles instead, such as "
            "--quantile 0.025 and --quantile 0.975");
    if (linpred__model_l2(model) > 0)
        return linpred__fail(
            error, LINPRED_ERROR_USAGE,
            "a penalised fit has no prediction intervals: --l2 moves its coefficients by an amount that the data "
            "do not tell; fit without --l2");
    if (figures->rank >= 0 && !(figures->degrees_of_freedom > 0))
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "the fit has no degrees of freedom left (%.6g rows, weights counted as copies, for a rank "
                             "of %lld): how far rows "
                             "lie from it is not known, so there are no prediction intervals",
                             figures->total_weight, (long long)figures->rank);
    if (!regression->factor || isnan(figures->residual_sd))
        return linpred__fail(
            error, LINPRED_ERROR_USAGE,
            "the model does not keep what prediction intervals need: it has %d coefficients, more than %d",
            regression->width, LINPRED__FACTOR_MAX_WIDTH);
    return LINPRED_OK;
}

linpred_status linpred_predict_interval(const linpred_model *model, const linpred_data *data, int threads,
                                        double confidence, double *low, double *high, linpred_error *error)
{
    LINPRED__NEEDS(model, data, low, high);
    linpred_status status = check_model(model, confidence, error);
    if (status != LINPRED_OK)
        return status;
    const linpred__regression *regression = model->regression;
    int64_t places = data->rows_in_file;
    double *both = linpred__alloc(2 * (size_t)places, sizeof *both);
    if (!both)
        return linpred__no_memory(error);
    struct interval interval = {regression, data, 0.0, both, both + places};
    double t = linpred__t_quantile(0.5 + 0.5 * confidence, model->figures->degrees_of_freedom);
    interval.factor = t * model->figures->residual_sd;
    linpred__visitor visitor = {sizeof(struct interval_lane), init_interval_lane, visit_intervals, merge_nothing,
                                clear_interval_lane,          &interval};
    struct interval_lane total;
    linpred__pool *pool = NULL;
    status = linpred_score(model, data, threads, interval.low, error);
    if (status == LINPRED_OK) {
        for (int64_t i = 0; i < places; i++)
            interval.high[i] = NAN; /* remains for rows of the file that the data leave out */
        status = linpred__pool_open(threads, &pool, error);
    }
    if (status == LINPRED_OK)
        status = linpred__pass(data, pool, &visitor, &total, error);
    if (status == LINPRED_OK) {
        clear_interval_lane(&interval, &total);
        memcpy(low, interval.low, (size_t)places * sizeof *low);
        memcpy(high, interval.high, (size_t)places * sizeof *high);
    }
    linpred__pool_close(pool);
    linpred__release(both);
    return status;
}
