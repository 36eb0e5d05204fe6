/* A first halfspace by the logistic loss (see logistic_start.h). */
#include "separate/logistic_start.h"

#include <math.h>

#include "core/error.h"
#include "minimise/newton.h"
#include "minimise/newton_cg.h"
#include "separate/limits.h"

static linpred_status minimise_by_matrix(linpred__logistic_problem *logistic, double *w, double *b,
                                         linpred_error *error)
{
    linpred__newton newton = {0};
    linpred__logistic_end end;
    linpred_status status = linpred__newton_open(logistic, NULL, &newton, error);
    if (status == LINPRED_OK)
        status = linpred__newton_run(&newton, LINPRED__START_LOGISTIC_GAP, false, &end, error);
    if (status == LINPRED_OK)
        linpred__logistic_coefficients(logistic, newton.point.v, w, b);
    linpred__newton_close(&newton);
    return status;
}

static linpred_status minimise_without_matrix(linpred__logistic_problem *logistic, double *w, double *b,
                                              linpred_error *error)
{
    const linpred_data *data = logistic->data;
    linpred__logistic_point point = {0};
    linpred__cg *cg = NULL;
    linpred__logistic_end end;
    double passes = LINPRED__START_LOGISTIC_WORK / ((double)data->entries + (double)data->rows);
    linpred__cg_goal goal = {.gap = LINPRED__START_LOGISTIC_GAP, .max_passes = (int64_t)passes};
    linpred_status status =
        linpred__logistic_point_open(logistic, false, &point) ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = linpred__cg_open(logistic, &point, &cg, error);
    if (status == LINPRED_OK)
        status = linpred__cg_run(cg, &goal, &end, error);
    if (status == LINPRED_OK)
        linpred__logistic_coefficients(logistic, point.v, w, b);
    linpred__cg_close(cg);
    linpred__logistic_point_close(&point);
    return status;
}

linpred_status linpred__find_logistic_start(linpred__run *run, const linpred__problem *problem,
                                            const double class_weight[2], double *w, double *b, bool *found,
                                            linpred_error *error)
{
    linpred__logistic_terms terms = {.class_weight = {class_weight[0], class_weight[1]},
                                     .tolerance = LINPRED__START_LOGISTIC_GAP};
    linpred__logistic_problem logistic = {0};
    bool matrix = problem->data->columns <= LINPRED__START_MATRIX_COLUMNS;
    *b = 0.0;
    linpred_status status = linpred__logistic_open(run, problem, &terms, matrix, &logistic, error);
    if (status == LINPRED_OK)
        status = matrix ? minimise_by_matrix(&logistic, w, b, error) : minimise_without_matrix(&logistic, w, b, error);
    linpred__logistic_close(&logistic);
    *found = status == LINPRED_OK && isfinite(*b);
    for (int32_t j = 0; *found && j < problem->data->columns; j++)
        *found = isfinite(w[j]);
    return status;
}
