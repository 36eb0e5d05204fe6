#include "core/error.h"
#include "fit/least_squares.h"

linpred_status linpred__squares_gradients(linpred__squares *squares, linpred_error *error)
{
    (void)squares;
    return linpred__fail(error, LINPRED_ERROR_USAGE, "more than %d columns are not there yet", LINPRED__SQUARES_MOST);
}
