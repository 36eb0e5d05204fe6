/* Columns that exact dependencies of columns allow to be left out of a logistic fit.
 *
 * k independent vectors n with <n,(x,1)> = 0 in every row, and a regular block N_J of them: without a penalty the
 * columns J may be left out, since any (w,b) is the same predictor as one with any coefficients there. The intercept is
 * not one of J, so that columns may be taken about centers.
 */
#include <math.h>
#include <string.h>

#include "check/dependencies.h"
#include "check/logistic.h"
#include "core/error.h"
#include "num/greater.h"
#include "core/memory.h"
#include "pass/dependence.h"

struct spare_room {
    double *exact; /* the vectors that hold exactly, by rows */
    double *scale; /* lengths of the columns, about, in the file's units: the longest parts are left out, and never the
                      intercept */
    double *worst;
    size_t *pivot;
};

static void spare_room_close(struct spare_room *room)
{
    linpred__release(room->exact);
    linpred__release(room->scale);
    linpred__release(room->worst);
    linpred__release(room->pivot);
}

/* What the rows say of the dependencies stated; `room` is ready. */
static linpred_status try_dependencies(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                       const linpred__careful *careful, struct spare_room *room, size_t *exact,
                                       linpred__null_finding *null, linpred_error *error)
{
    const linpred__dependencies *dependencies = &result->dependencies;
    size_t d = (size_t)careful->dimension, count = (size_t)dependencies->count;
    linpred_status status = linpred__dependence(data, pool, careful->has_intercept, dependencies->vector,
                                                dependencies->count, room->worst, error);
    *exact = 0;
    for (size_t k = 0; status == LINPRED_OK && k < count; k++) {
        null->worst = linpred__greater(null->worst, room->worst[k]);
        null->as_stated = null->as_stated && dependencies->exact[k] == (room->worst[k] == 0.0);
        if (room->worst[k] == 0.0)
            memcpy(room->exact + (*exact)++ * d, dependencies->vector + k * d, d * sizeof(double));
    }
    null->exact = *exact == count;
    for (size_t j = 0; j < d; j++)
        room->scale[j] = ldexp(fmax(fabs(careful->extent[j]), fabs(careful->center[j])), careful->exponent[j]);
    null->norm_left = linpred__null_norm_left(&result->model, dependencies->vector, dependencies->count,
                                              dependencies->width, room->scale);
    if (careful->has_intercept)
        room->scale[d - 1] = 0.0;
    int independent = linpred__null_independent(dependencies->vector, count, d, room->scale, NULL);
    null->independent = independent > 0;
    return independent < 0 ? linpred__no_memory(error) : status;
}

linpred_status linpred__find_spare(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                   const linpred__careful *careful, linpred__null_finding *null, linpred__spare *spare,
                                   linpred_error *error)
{
    size_t d = (size_t)careful->dimension, count = (size_t)result->dependencies.count, exact = 0;
    *spare = (linpred__spare){0};
    *null = (linpred__null_finding){.count = result->dependencies.count, .exact = true, .as_stated = true};
    if (count == 0)
        return LINPRED_OK;
    struct spare_room room = {linpred__alloc(count * d, sizeof(double)), linpred__alloc(d, sizeof(double)),
                              linpred__alloc(count, sizeof(double)), linpred__alloc(count, sizeof(size_t))};
    bool *column = linpred__calloc(d, sizeof *column);
    linpred_status status = room.exact && room.scale && room.worst && room.pivot && column
                                ? try_dependencies(result, data, pool, careful, &room, &exact, null, error)
                                : linpred__no_memory(error);
    int independent =
        status == LINPRED_OK ? linpred__null_independent(room.exact, exact, d, room.scale, room.pivot) : 0;
    if (independent < 0)
        status = linpred__no_memory(error);
    if (independent > 0 && result->certificate.l2 == 0.0) {
        for (size_t k = 0; k < exact; k++)
            column[room.pivot[k]] = true;
        if (!careful->has_intercept || !column[d - 1]) {
            *spare = (linpred__spare){(int32_t)exact, column};
            column = NULL;
        }
    }
    linpred__release(column);
    spare_room_close(&room);
    return status;
}
