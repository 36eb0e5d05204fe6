/* The local search for a halfspace of small cost: costs are those of the w that it hands out, and rows that are only
 * conditions on w do not disturb it. */
#include "solve_reference.h"

#include "solve/cover/hyperplane_search.h"
#include "solve/row_signs.h"

/* Without a data row there is nothing to standardise. */
static void only_conditions(void **state)
{
    (void)state;
    const double z[] = {1, 2, 0, 2, -1, 0};
    const int64_t cost[] = {1, 1};
    linpred__rows rows = {2, 3, z, NULL, NULL};
    linpred__hyperplane_search search;
    double w[3] = {1, 0, 0};
    assert_int_equal(linpred__hyperplane_search_open(&search, &rows, cost, true, 1, NULL), LINPRED_OK);
    for (int j = 0; j < 3; j++)
        assert_true(search.mean[j] == 0.0 && search.deviation[j] == 1.0);
    linpred__hyperplane_search_descend(&search, w, 20);
    assert_int_equal(search.best_cost, 0);
    linpred__hyperplane_search_best(&search, w);
    assert_int_equal(linpred__row_sign(&rows, 0, w), 1);
    assert_int_equal(linpred__row_sign(&rows, 1, w), 1);
    linpred__hyperplane_search_close(&search);
}

/* The scaled row is (1/2, -1/2), so (2^-90, 2^-100) has it on its right side. In the units of the row the first entry
   underflows to 0, and what is left has the row on its wrong side. */
static void unscaling_underflows(void **state)
{
    (void)state;
    const double z[] = {0x1p1000, -1, -0x1p1000, 1};
    const int64_t cost[] = {3, 1};
    linpred__rows rows = {2, 2, z, NULL, NULL};
    linpred__hyperplane_search search;
    double w[2] = {0x1p-90, 0x1p-100};
    assert_int_equal(linpred__hyperplane_search_open(&search, &rows, cost, false, 1, NULL), LINPRED_OK);
    assert_true(linpred__hyperplane_search_offer(&search, w));
    assert_int_equal(search.best_cost, 3);
    linpred__hyperplane_search_best(&search, w);
    assert_true(w[0] == 0.0 && w[1] > 0.0);
    w[0] = 0.5, w[1] = 0.25;
    assert_true(linpred__hyperplane_search_offer(&search, w));
    assert_int_equal(search.best_cost, 1);
    linpred__hyperplane_search_close(&search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_conditions),
        cmocka_unit_test(unscaling_underflows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
