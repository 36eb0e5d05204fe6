/* Making and clearing the answers of answer.h. */
#include "separate/answer.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"

linpred_status linpred__two_way_open(const linpred__problem *problem, linpred__two_way *answer, linpred_error *error)
{
    *answer = (linpred__two_way){.kind = LINPRED_SEPARATION_UNDECIDED, .margin_bound = NAN};
    answer->w = linpred__calloc((size_t)problem->data->columns, sizeof(double));
    return answer->w ? LINPRED_OK : linpred__no_memory(error);
}

void linpred__two_way_clear(linpred__two_way *answer)
{
    linpred__release(answer->w);
    linpred__direction_clear(&answer->direction);
    linpred__combination_clear(&answer->witness);
    linpred__support_clear(&answer->support);
    *answer = (linpred__two_way){0};
}

void linpred__three_way_clear(linpred__three_way *answer)
{
    linpred__direction_clear(&answer->direction);
    linpred__combination_clear(&answer->witness);
    linpred__combination_clear(&answer->carriers);
    *answer = (linpred__three_way){0};
}
