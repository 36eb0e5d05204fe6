/* The search by boxes, as tests ask it. */
#ifndef LINPRED_TESTS_BOXES_SUPPORT_H
#define LINPRED_TESTS_BOXES_SUPPORT_H

#include "pass/boxes/hyperplanes.h"
#include "support.h"

/* The smaller of `limit` and the smallest cost. */
static inline int64_t least_by_boxes(const linpred_data *data, bool has_intercept, const int64_t *cost, int64_t limit)
{
    linpred__hyperplanes search;
    linpred__hyperplanes_end end;
    linpred_error error;
    assert_int_equal(linpred__hyperplanes_open(&search, data, has_intercept, cost, &error), LINPRED_OK);
    linpred__hyperplanes_turn turn = {.limit = limit, .max_work = 1e9};
    assert_int_equal(linpred__hyperplanes_run(&search, &turn, &end, &error), LINPRED_OK);
    assert_int_equal(end, LINPRED__HYPERPLANES_DONE);
    int64_t best = search.best;
    linpred__hyperplanes_close(&search);
    return best;
}

#endif
