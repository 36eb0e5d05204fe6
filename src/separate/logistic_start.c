/* A first halfspace by the logistic loss (see logistic_start.h). */
#include "separate/logistic_start.h"

#include <math.h>

#include "core/error.h"
#include "minimise/newton.h"
#include "minimise/newton_cg.h"
#include "separate/limits.h"

static linpred_status minimise_by_matrix(linpred__logistic_problem *logistic, double *w, double *b,
                                         linpred__logistic_end *end, linpred_error *error)
{
    linpred__newton newton = {0};
    linpred_status status = linpred__newton_open(logistic, NULL, &newton, error);
    if (status == LINPRED_OK)
        status = linpred__newton_run(&newton, LINPRED__START_LOGISTIC_GAP, false, end, error);
    if (status == LINPRED_OK)
        linpred__logistic_coefficients(logistic, newton.point.v, w, b);
    linpred__newton_close(&newton);
    return status;
}

static linpred_status minimise_without_matrix(linpred__logistic_problem *logistic, double *w, double *b,
                                              linpred__logistic_end *end, linpred_error *error)
{
    const linpred_data *data = logistic->data;
    linpred__logistic_point point = {0};
    linpred__cg *cg = NULL;
    double passes = LINPRED__START_LOGISTIC_WORK / ((double)data->entries + (double)data->rows);
    linpred__cg_goal goal = {.gap = LINPRED__START_LOGISTIC_GAP, .max_passes = (int64_t)passes};
    linpred_status status =
        linpred__logistic_point_open(logistic, false, &point) ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = linpred__cg_open(logistic, &point, &cg, error);
    if (status == LINPRED_OK)
        status = linpred__cg_run(cg, &goal, end, error);
    if (status == LINPRED_OK)
        linpred__logistic_coefficients(logistic, point.v, w, b);
    linpred__cg_close(cg);
    linpred__logistic_point_close(&point);
    return status;
}

linpred_status linpred__find_logistic_start(linpred__run *run, const linpred__problem *problem,
                                            const linpred__logistic_terms *terms, double *w,
                                            linpred__logistic_halfspace *start, linpred_error *error)
{
    linpred__logistic_problem logistic = {0};
    linpred__logistic_end end = LINPRED__LOGISTIC_SMALL;
    bool matrix = problem->data->columns <= LINPRED__START_MATRIX_COLUMNS;
    *start = (linpred__logistic_halfspace){0};
    linpred_status status = linpred__logistic_open(run, problem, terms, matrix, &logistic, error);
    if (status == LINPRED_OK)
        status = (matrix ? minimise_by_matrix : minimise_without_matrix)(&logistic, w, &start->b, &end, error);
    linpred__logistic_close(&logistic);
    start->stalled = end == LINPRED__LOGISTIC_STALLED;
    start->found = status == LINPRED_OK && isfinite(start->b);
    for (int32_t j = 0; start->found && j < problem->data->columns; j++)
        start->found = isfinite(w[j]);
    return status;
}
