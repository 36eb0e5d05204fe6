/* Leverages and prediction intervals of least squares for a row x, in the basis of the fit:
 *
 *   leverage ||S'x||²,   interval score ± t · s · sqrt(1 + ||S'x||²),   S S' = (X'VX)^-1
 *
 * s is the standard deviation of the residuals, t the quantile of Student's distribution with the fit's degrees of
 * freedom. The interval holds the new y with the asked probability if errors are normal with one variance. The basis is
 * orthogonal over the training rows, so ||S'x|| keeps its digits, which plain powers would lose.
 *
 * If a row breaks a dependency n of the columns, that is <n,x> is not 0, the data do not determine its prediction. Its
 * leverage is infinite, its interval the whole line.
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

struct leverages {
    const linpred__regression *regression;
    const linpred_data *data;
    double *leverage; /* one for each row of the file */
};

struct leverage_lane {
    double *x;     /* leading parts, trailing parts: 2 width */
    double *along; /* S'x */
};

static void clear_leverage_lane(void *context, void *state)
{
    (void)context;
    struct leverage_lane *lane = state;
    linpred__release(lane->x);
    linpred__release(lane->along);
}

static bool init_leverage_lane(void *context, void *state)
{
    const linpred__regression *regression = ((const struct leverages *)context)->regression;
    struct leverage_lane *lane = state;
    lane->x = linpred__alloc(2 * (size_t)regression->width, sizeof(double));
    lane->along = linpred__alloc((size_t)regression->factor_columns, sizeof(double));
    if (lane->x && lane->along)
        return true;
    clear_leverage_lane(context, state);
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
LINPRED__FAST static double row_leverage(const linpred__regression *regression, const double *x, double *along)
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

static void visit_leverages(void *context, void *state, const linpred__block *block)
{
    const struct leverages *all = context;
    const linpred__regression *regression = all->regression;
    struct leverage_lane *lane = state;
    for (int32_t r = 0; r < block->rows; r++) {
        int64_t row = block->first_row + r;
        int64_t place = all->data->source_row ? all->data->source_row[row] : row;
        linpred__polynomial_basis_row(&regression->basis, block, r, lane->x, lane->x + regression->width);
        all->leverage[place] =
            estimable(regression, lane->x) ? row_leverage(regression, lane->x, lane->along) : INFINITY;
    }
}

static void merge_nothing(void *context, void *into, const void *from)
{
    (void)context;
    (void)into;
    (void)from;
}

/* Whether the model is one of least squares without a penalty; `what` it would give otherwise, and `instead`. */
static linpred_status check_squares(const linpred_model *model, const char *what, const char *instead,
                                    linpred_error *error)
{
    const linpred__regression *regression = model->regression;
    if (!regression)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "only a regression has %s: this is a model of fit %s", what,
                             linpred_task_name(model->task));
    if (regression->loss != LINPRED_LOSS_SQUARED)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s are for squared loss%s", what, instead);
    if (linpred__model_l2(model) > 0)
        return linpred__fail(
            error, LINPRED_ERROR_USAGE,
            "a penalised fit has no %s: --l2 moves its coefficients by an amount that the data do not tell; fit "
            "without --l2",
            what);
    return LINPRED_OK;
}

/* Whether the model holds S. */
static linpred_status check_factor(const linpred_model *model, const char *what, linpred_error *error)
{
    if (!model->regression->factor)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "the model does not keep what %s need: it has %d coefficients, more than %d", what,
                             model->regression->width, LINPRED__FACTOR_MAX_WIDTH);
    return LINPRED_OK;
}

/* Sets one leverage for each row of the file, NaN where the data leave one out. */
static linpred_status find_leverages(const linpred_model *model, const linpred_data *data, int threads,
                                     double *leverage, linpred_error *error)
{
    struct leverages all = {model->regression, data, leverage};
    linpred__visitor visitor = {sizeof(struct leverage_lane),
                                init_leverage_lane,
                                visit_leverages,
                                merge_nothing,
                                clear_leverage_lane,
                                &all,
                                NULL};
    struct leverage_lane total;
    linpred__pool *pool = NULL;
    for (int64_t i = 0; i < data->rows_in_file; i++)
        leverage[i] = NAN;
    linpred_status status = linpred__pool_open(threads, &pool, error);
    if (status == LINPRED_OK)
        status = linpred__pass(data, pool, &visitor, &total, error);
    if (status == LINPRED_OK)
        clear_leverage_lane(&all, &total);
    linpred__pool_close(pool);
    return status;
}

linpred_status linpred_leverage(const linpred_model *model, const linpred_data *data, int threads, double *leverage,
                                linpred_error *error)
{
    LINPRED__NEEDS(model, data, leverage);
    linpred_status status = check_squares(model, "leverages", "", error);
    if (status == LINPRED_OK)
        status = check_factor(model, "leverages", error);
    if (status == LINPRED_OK)
        status = linpred__model_suits(model, data, error);
    double *found = status == LINPRED_OK ? linpred__alloc((size_t)data->rows_in_file, sizeof *found) : NULL;
    if (status == LINPRED_OK && !found)
        return linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = find_leverages(model, data, threads, found, error);
    if (status == LINPRED_OK)
        memcpy(leverage, found, (size_t)data->rows_in_file * sizeof *leverage);
    linpred__release(found);
    return status;
}

static linpred_status check_model(const linpred_model *model, double confidence, linpred_error *error)
{
    const linpred__figures *figures = model->figures;
    if (!(confidence > 0 && confidence < 1))
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the confidence of an interval lies between 0 and 1");
    linpred_status status = check_squares(
        model, "prediction intervals",
        "; for absolute loss fit two quantiles instead, such as --quantile 0.025 and --quantile 0.975", error);
    if (status != LINPRED_OK)
        return status;
    if (figures->rank >= 0 && !(figures->degrees_of_freedom > 0))
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "the fit has no degrees of freedom left (%.6g rows, weights counted as copies, for a rank "
                             "of %lld): how far rows "
                             "lie from it is not known, so there are no prediction intervals",
                             figures->total_weight, (long long)figures->rank);
    status = check_factor(model, "prediction intervals", error);
    if (status == LINPRED_OK && isnan(figures->residual_sd))
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "the model does not keep the standard deviation of its residuals, which prediction "
                             "intervals need");
    return status;
}

linpred_status linpred_predict_interval(const linpred_model *model, const linpred_data *data, int threads,
                                        double confidence, double *low, double *high, linpred_error *error)
{
    LINPRED__NEEDS(model, data, low, high);
    linpred_status status = check_model(model, confidence, error);
    if (status != LINPRED_OK)
        return status;
    int64_t places = data->rows_in_file;
    double *score = linpred__alloc(2 * (size_t)places, sizeof *score);
    if (!score)
        return linpred__no_memory(error);
    double *leverage = score + places;
    double factor =
        model->figures->residual_sd * linpred__t_quantile(0.5 + 0.5 * confidence, model->figures->degrees_of_freedom);
    status = linpred_score(model, data, threads, score, error);
    if (status == LINPRED_OK)
        status = find_leverages(model, data, threads, leverage, error);
    for (int64_t i = 0; status == LINPRED_OK && i < places; i++) {
        double half = isinf(leverage[i]) ? INFINITY : factor * sqrt(1.0 + leverage[i]); /* NaN: the row is left out */
        low[i] = score[i] - half;
        high[i] = score[i] + half;
    }
    linpred__release(score);
    return status;
}
