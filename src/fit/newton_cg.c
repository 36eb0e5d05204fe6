#include "fit/logistic.h"
#include "core/error.h"
linpred_status linpred__newton_cg(linpred__logistic *problem, linpred__logistic_point *point, double gap,
                                  linpred__logistic_end *end, linpred_error *error)
{
    (void)problem; (void)point; (void)gap; (void)end;
    return linpred__fail(error, LINPRED_ERROR_USAGE, "not there yet");
}
