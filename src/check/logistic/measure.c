/* The objective of a logistic fit and its gradient, with bounds of their rounding errors.
 *
 *   F(w,b) = (1/W) Σ c_i log(1 + exp(-y_i s_i)) + (l2/2)||w||²,   s_i = <w,x_i> + b
 */
#include "check/logistic/measure.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "check/limits.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/drop_empty_columns.h"

static void clear_careful(linpred__careful *careful)
{
    linpred_data_free(careful->copy);
    linpred__release(careful->exponent);
    linpred__release(careful->w);
    linpred__release(careful->gradient);
    *careful = (linpred__careful){0};
}

/* Measures F and g at careful->w on careful->data. */
static linpred_status measure_objective(const linpred__logistic_question *question, linpred__pool *pool,
                                        linpred__careful *careful, linpred_error *error)
{
    const linpred_model *model = question->model;
    int32_t d = careful->dimension;
    double l2 = question->l2;
    bool sparse = careful->data->layout == LINPRED__SPARSE;
    linpred__losses total;
    linpred_status status = linpred__sum_losses(question, careful, pool, &total, error);
    if (status != LINPRED_OK)
        return status;
    double weight = careful->weight = linpred__dd_add(total.weight[0], total.weight[1]).hi;
    double penalty = 0.0;
    linpred__release(careful->gradient);
    careful->gradient = total.gradient;
    careful->gradient_error = total.gradient + d;
    careful->high = total.gradient + 2 * (int64_t)d;
    careful->low = sparse ? careful->high : careful->high + d;
    careful->objective = careful->loss = total.loss.hi / weight;
    careful->loss_error = 1.01 * total.loss_error / weight;
    careful->radius = sqrt(total.radius_square) * 1.01;
    careful->score_error = total.score_error;
    careful->curvature = total.curvature / weight;
    for (int32_t j = 0; j < d; j++) {
        double w = j < model->columns ? model->w[j] : 0.0, pull = ldexp(l2 * w, -careful->exponent[j]);
        careful->gradient[j] = careful->gradient[j] / weight + pull;
        careful->gradient_error[j] =
            1.01 * careful->gradient_error[j] / weight + 0x1p-50 * (fabs(careful->gradient[j]) + fabs(pull)) + DBL_MIN;
        penalty += 0.5 * l2 * w * w;
        careful->extent[j] = j == model->columns ? 1.0
                                                 : fmax(fabs(careful->low[j] - careful->centre[j]),
                                                        fabs(careful->high[j] - careful->centre[j])) +
                                                       linpred__cell_error(careful, j);
        careful->radius += linpred__cell_error(careful, j);
    }
    careful->objective += penalty;
    careful->loss_error += (d + 8.0) * 0x1p-52 * penalty;
    for (int k = 0; k < 2; k++) {
        careful->share[k] = total.weight[k].hi / weight;
        careful->mean_score[k] = total.score[k] / total.weight[k].hi;
        careful->mean_size[k] = total.size[k] / total.weight[k].hi;
    }
    return LINPRED_OK;
}

/* Chooses units for columns with very large or very small entries, and centres for dense columns that lie on one side
   of zero and whose spread is smaller than their distance from it. Returns whether any column needs one. */
static bool choose_coordinates(linpred__careful *careful, int32_t columns, bool *scaled)
{
    *scaled = false;
    for (int32_t j = 0; j < columns; j++) {
        int power = careful->extent[j] > 0 ? ilogb(careful->extent[j]) + 1 : 0;
        bool far = power > LINPRED__MAX_COLUMN_EXPONENT || power < -LINPRED__MAX_COLUMN_EXPONENT;
        if (careful->penalty[j] > 0 && power < LINPRED__MIN_PENALISED_EXPONENT)
            power = LINPRED__MIN_PENALISED_EXPONENT; /* l2 2^(-2 exponent) must not overflow */
        careful->exponent[j] = far ? power : 0;
        *scaled = *scaled || far;
        double low = ldexp(careful->low[j], -careful->exponent[j]),
               high = ldexp(careful->high[j], -careful->exponent[j]);
        if (careful->has_intercept && careful->data->layout == LINPRED__DENSE && linpred__is_far(low, high)) {
            careful->centre[j] = low + 0.5 * (high - low);
            careful->centred = true;
        }
    }
    return careful->centred || *scaled;
}

/* Measures again in better units and about centres, if columns need them and no value loses bits by its new unit. */
static linpred_status measure_again(const linpred__logistic_question *question, linpred__pool *pool,
                                    linpred__careful *careful, linpred_error *error)
{
    int32_t columns = question->model->columns;
    bool scaled, exact = true;
    if (!choose_coordinates(careful, columns, &scaled))
        return LINPRED_OK;
    linpred_status status = LINPRED_OK;
    if (scaled)
        status = linpred__data_scaled(careful->data, careful->exponent, &careful->copy, &exact, error);
    if (status != LINPRED_OK)
        return status;
    if (!exact) {
        memset(careful->exponent, 0, (size_t)columns * sizeof *careful->exponent);
        memset(careful->centre, 0, (size_t)columns * sizeof *careful->centre);
        careful->centred = false;
        return LINPRED_OK;
    }
    careful->data = scaled ? careful->copy : careful->data;
    for (int32_t j = 0; j < columns; j++) {
        careful->w[j] = ldexp(question->model->w[j], careful->exponent[j]);
        for (int32_t part = 0; part < careful->tails; part++)
            careful->tail[part * careful->dimension + j] =
                ldexp(question->model->tails.value[part * careful->dimension + j], careful->exponent[j]);
        careful->penalty[j] = ldexp(question->l2, -2 * careful->exponent[j]);
    }
    return measure_objective(question, pool, careful, error);
}

static linpred_status open_careful(const linpred__logistic_question *question, const linpred_data *data,
                                   linpred__pool *pool, linpred__careful *careful, linpred_error *error)
{
    const linpred_model *model = question->model;
    int32_t d = model->columns + model->has_intercept;
    *careful = (linpred__careful){.data = data, .dimension = d, .has_intercept = model->has_intercept};
    careful->off = data->decimals && data->decimals->most > 0 ? 0x1p-53 : 0.0;
    careful->exponent = linpred__calloc((size_t)d, sizeof *careful->exponent);
    careful->tails = model->tails.count;
    careful->w = linpred__calloc((4 + (size_t)careful->tails) * (size_t)d, sizeof(double));
    linpred_status status = careful->exponent && careful->w ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        careful->penalty = careful->w + d;
        careful->centre = careful->penalty + d;
        careful->extent = careful->centre + d;
        careful->tail = careful->extent + d;
    }
    for (int32_t j = 0; status == LINPRED_OK && j < d; j++) {
        careful->w[j] = j < model->columns ? model->w[j] : model->b;
        for (int32_t part = 0; part < careful->tails; part++)
            careful->tail[part * d + j] = model->tails.value[part * d + j];
        careful->penalty[j] = j < model->columns ? question->l2 : 0.0;
    }
    if (status == LINPRED_OK)
        status = measure_objective(question, pool, careful, error);
    if (status == LINPRED_OK)
        status = measure_again(question, pool, careful, error);
    if (status != LINPRED_OK)
        clear_careful(careful);
    return status;
}

/* ---- the finding ---- */

static void take_figures(const linpred__logistic_question *question, const linpred__careful *careful,
                         const linpred__spare *spare, const linpred__gap_bounds *bounds,
                         linpred__logistic_finding *finding)
{
    double lowest = careful->objective - careful->loss_error;
    bool plain = question->class_weight[0] == 1.0 && question->class_weight[1] == 1.0;
    double entropy = careful->has_intercept ? linpred__loss_by_odds(careful->share[0], careful->share[1]) : log(2.0);
    finding->objective = careful->objective;
    finding->objective_error = careful->loss_error;
    finding->deviance = plain ? 2.0 * careful->weight * careful->loss : NAN;
    finding->null_deviance = plain ? 2.0 * careful->weight * entropy : NAN;
    finding->proved = lowest > 0 ? bounds->proved / lowest : INFINITY;
    finding->held = lowest > 0 ? bounds->held / lowest : INFINITY;
    finding->estimated = bounds->estimated / careful->objective;
    finding->at_least = bounds->at_least / (careful->objective + careful->loss_error);
    finding->by_intercept = bounds->by_intercept / (careful->objective + careful->loss_error);
    finding->left_out = bounds->left_out;
    finding->rank_min = question->l2 == 0.0 ? bounds->independent : 0;
    finding->rank_max = careful->dimension - spare->count;
}

static linpred_status measure_columns(const linpred__logistic_question *question, const linpred_data *data,
                                      linpred__pool *pool, linpred__logistic_finding *finding, linpred_error *error)
{
    linpred__careful careful;
    linpred__spare spare;
    linpred__gap_bounds bounds;
    linpred__factor whole = {0};
    linpred_data *dense = NULL;
    bool copied = false;
    linpred_status status = linpred__has_far_columns(data, question->model->has_intercept, &copied, error);
    if (status == LINPRED_OK && copied)
        status = linpred__data_dense(data, &dense, error);
    data = dense ? dense : data;
    if (status == LINPRED_OK)
        status = open_careful(question, data, pool, &careful, error);
    if (status != LINPRED_OK)
        return linpred_data_free(dense), status;
    careful.whole = &whole;
    *finding = (linpred__logistic_finding){
        .errors_rounding = INFINITY, .error_missing = -1, .null_exact = true, .null_as_claimed = true};
    status = linpred__find_spare(question, data, pool, &careful, finding, &spare, error);
    if (status == LINPRED_OK)
        status = linpred__bound_gap(question, pool, &careful, &spare, &bounds, error);
    if (status == LINPRED_OK)
        take_figures(question, &careful, &spare, &bounds, finding);
    double a_row = (double)data->entries / (double)data->rows + 1.0, work = (double)data->rows * a_row * a_row;
    if (status == LINPRED_OK && question->standard_error && careful.dimension <= LINPRED__MAX_HESSIAN_COLUMNS &&
        work <= LINPRED__MAX_STANDARD_ERROR_WORK)
        status = linpred__measure_standard_errors(question, pool, &careful, &spare, finding, error);
    linpred__release(spare.column);
    linpred__factor_close(&whole);
    clear_careful(&careful);
    linpred_data_free(dense);
    return status;
}

/* Leaves out columns that are empty. */
static linpred_status measure_used_columns(const linpred__logistic_question *question, const linpred_data *data,
                                           linpred__pool *pool, linpred__logistic_finding *finding,
                                           linpred_error *error)
{
    linpred__without_empty_columns kept = {0};
    linpred_status status = LINPRED_OK;
    if (question->l2 > 0 && question->model->tails.count ==
                                0) /* with a penalty there are no dependencies and no standard errors to judge */
        status = linpred__drop_empty_columns(data, question->model->w, pool, &kept, error);
    if (status != LINPRED_OK || !kept.column)
        return status == LINPRED_OK ? measure_columns(question, data, pool, finding, error) : status;
    /* A column without entries whose coefficient is 0 adds nothing to F, to its gradient or to the gap. */
    linpred__logistic_question part = *question;
    linpred_model model = *question->model;
    model.columns = kept.data.columns;
    model.w = linpred__alloc((size_t)model.columns, sizeof(double));
    part.model = &model;
    if (!model.w)
        status = linpred__no_memory(error);
    for (int32_t j = 0; model.w && j < model.columns; j++)
        model.w[j] = question->model->w[kept.column[j]];
    if (status == LINPRED_OK)
        status = measure_columns(&part, &kept.data, pool, finding, error);
    if (status == LINPRED_OK)
        finding->rank_max += data->columns - kept.data.columns;
    linpred__release(model.w);
    linpred__without_empty_columns_close(&kept);
    return status;
}

linpred_status linpred__measure_logistic(const linpred__logistic_question *question, const linpred_data *data,
                                         linpred__pool *pool, linpred__logistic_finding *finding, linpred_error *error)
{
    linpred_status status = measure_used_columns(question, data, pool, finding, error);
    if (status != LINPRED_OK || isnan(question->tolerance) || finding->proved <= question->tolerance ||
        !finding->null_exact || !linpred__has_digits(data, question->model->has_intercept))
        return status;
    return linpred__measure_digits(question, data, finding, error);
}
