/* The local search for a halfspace of small cost: costs are those of the w that it hands out, and rows that are only
 * conditions on w do not disturb it. The searches by a smooth loss and from vertex to vertex reach what it does not. */
#include "solve_reference.h"

#include "solve/cover/hyperplane_search.h"
#include "solve/cover/local_searches.h"
#include "solve/row_signs.h"

/* Without a data row there is nothing to standardise. */
static void only_conditions(void **state)
{
    (void)state;
    const double z[] = {1, 2, 0, 2, -1, 0};
    const int64_t cost[] = {1, 1};
    linpred__rows rows = {2, 3, z, NULL, NULL, NULL};
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
    linpred__rows rows = {2, 2, z, NULL, NULL, NULL};
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

/* 240 rows of 30 indicators, each 1 in a fifth of the rows, in which a planted w gets 12 rows wrong. Weights of very
   different sizes make most of its halfspace invisible to least squares. */
enum { PLANTED_ROWS = 240, PLANTED_COLUMNS = 31, PLANTED_WRONG = 12 };

static void plant_indicators(double *z)
{
    linpred__random random;
    double w[PLANTED_COLUMNS];
    linpred__random_seed(&random, 7);
    for (int j = 0; j < PLANTED_COLUMNS; j++)
        w[j] = linpred__random_normal(&random) * (j % 3 == 0 ? 10.0 : 1.0);
    for (int i = 0; i < PLANTED_ROWS; i++) {
        double *row = z + i * PLANTED_COLUMNS, score = 0;
        for (int j = 0; j < PLANTED_COLUMNS; j++) {
            row[j] = j == PLANTED_COLUMNS - 1 || linpred__random_below(&random, 5) == 0;
            score += row[j] * w[j];
        }
        double y = (score > 0) == (i >= PLANTED_WRONG) ? 1.0 : -1.0;
        for (int j = 0; j < PLANTED_COLUMNS; j++)
            row[j] *= y;
    }
}

/* The search by a smooth loss, or the one from vertex to vertex. */
static bool iterate(linpred__local_searches *local, bool smooth, double work)
{
    return smooth ? linpred__smooth_search_iterate(&local->smooth, work)
                  : linpred__vertex_search_iterate(&local->vertices, work);
}

/* From least squares the search reaches 8 mistakes; 3e8 multiplications of the search through circles reach 9 or 10. It
   finds the same whenever it runs. */
static void reach_planted(bool smooth, double work)
{
    static double z[PLANTED_ROWS * PLANTED_COLUMNS];
    int64_t cost[PLANTED_ROWS];
    double w[PLANTED_COLUMNS], found[2][PLANTED_COLUMNS];
    linpred__rows rows = {PLANTED_ROWS, PLANTED_COLUMNS, z, NULL, NULL, NULL};
    plant_indicators(z);
    for (int i = 0; i < PLANTED_ROWS; i++)
        cost[i] = 1;
    for (int run = 0; run < 2; run++) {
        linpred__hyperplane_search search;
        linpred__local_searches local;
        assert_int_equal(linpred__hyperplane_search_open(&search, &rows, cost, true, 1, NULL), LINPRED_OK);
        assert_int_equal(linpred__local_searches_open(&local, &search, NULL), LINPRED_OK);
        linpred__hyperplane_search_least_squares(&search, w);
        assert_true(linpred__hyperplane_search_offer(&search, w));
        assert_true(iterate(&local, smooth, work));
        linpred__hyperplane_search_best(&search, found[run]);
        int64_t wrong = 0;
        for (int i = 0; i < PLANTED_ROWS; i++)
            wrong += linpred__row_sign(&rows, i, found[run]) <= 0;
        assert_int_equal(wrong, search.best_cost);
        assert_true(wrong <= 8);
        linpred__local_searches_close(&local);
        linpred__hyperplane_search_close(&search);
    }
    assert_memory_equal(found[0], found[1], sizeof found[0]);
}

static void smooth_search_reaches_planted(void **state)
{
    (void)state;
    reach_planted(true, 3e8);
}

/* With a tenth of the work. */
static void vertex_search_reaches_planted(void **state)
{
    (void)state;
    reach_planted(false, 3e7);
}

/* A row that must be right, and is no data row, as balls have; costs that differ; no intercept; a column of zeros and a
   row of zeros. The searches keep the condition and count the costs. */
static void searches_of_odd_rows(void **state)
{
    (void)state;
    const double z[] = {1, 0, 1, 2, 0, 1, 3, 0, 1, -2, 0, -1, -4, 0, -1, 1.5, 0, -1, 0, 0, 0, 1, 0, 0};
    const int64_t cost[] = {5, 1, 1, 1, 1, 2, 3, 100};
    linpred__rows rows = {8, 3, z, NULL, NULL, NULL};
    for (int kind = 0; kind < 4; kind++) {
        bool intercept = kind % 2 == 1, smooth = kind < 2;
        linpred__hyperplane_search search;
        linpred__local_searches local;
        double w[3];
        assert_int_equal(linpred__hyperplane_search_open(&search, &rows, cost, intercept, 1, NULL), LINPRED_OK);
        assert_int_equal(linpred__local_searches_open(&local, &search, NULL), LINPRED_OK);
        assert_false(iterate(&local, smooth, 1e5)); /* nothing is known: there is no start */
        assert_int_equal(search.best_cost, search.total);
        linpred__hyperplane_search_least_squares(&search, w);
        linpred__hyperplane_search_offer(&search, w);
        assert_true(iterate(&local, smooth, 1e5));
        linpred__hyperplane_search_best(&search, w);
        int64_t wrong = 0;
        for (int i = 0; i < 8; i++)
            wrong += linpred__row_sign(&rows, i, w) <= 0 ? cost[i] : 0;
        assert_int_equal(wrong, search.best_cost);
        assert_true(w[0] > 0 && wrong < 100);
        linpred__local_searches_close(&local);
        linpred__hyperplane_search_close(&search);
    }
}

/* With so many columns there is no vertex search, and the others take its turn. */
static void too_wide_for_vertices(void **state)
{
    (void)state;
    enum { WIDE = 1000 };
    static double z[3 * WIDE];
    const int64_t cost[] = {1, 1, 1};
    linpred__rows rows = {3, WIDE, z, NULL, NULL, NULL};
    linpred__hyperplane_search search;
    linpred__local_searches local;
    z[0] = 1, z[1] = 2, z[WIDE] = 2, z[WIDE + 1] = -1, z[2 * WIDE] = -1, z[2 * WIDE + 1] = -2;
    assert_int_equal(linpred__hyperplane_search_open(&search, &rows, cost, false, 1, NULL), LINPRED_OK);
    assert_int_equal(linpred__local_searches_open(&local, &search, NULL), LINPRED_OK);
    assert_false(linpred__vertex_search_iterate(&local.vertices, 1e5));
    for (int turn = 0; turn < 4; turn++) {
        double before = search.work;
        linpred__local_searches_turn(&local, 1e6);
        assert_true(search.work >= before + 1e6);
    }
    assert_int_equal(search.best_cost, 1);
    linpred__local_searches_close(&local);
    linpred__hyperplane_search_close(&search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_conditions),
        cmocka_unit_test(unscaling_underflows),
        cmocka_unit_test(smooth_search_reaches_planted),
        cmocka_unit_test(vertex_search_reaches_planted),
        cmocka_unit_test(searches_of_odd_rows),
        cmocka_unit_test(too_wide_for_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
