/* Rows dealt out into parts, where what a part costs at least is known: points that are affinely independent, each with
 * both labels. Any labelling of such points can be separated, so a part costs as many mistakes as it has points with
 * both labels. */
#include "core/memory.h"
#include "fewest_errors_samples.h"
#include "fit/fewest_errors/deals.h"
#include "separate/rows/solver_rows.h"

enum { POINTS = 20, ROWS = 2 * POINTS, PARTS = 3 };

static bool never(void *context)
{
    (void)context;
    return false;
}

/* Point i has the rows i and i + 20, and 20 columns. */
static sample doubled_points(void)
{
    linpred__random random;
    sample s = sample_new(ROWS, POINTS);
    linpred__random_seed(&random, 3);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < POINTS; j++)
            s.values[i * POINTS + j] =
                i < POINTS ? linpred__random_normal(&random) : s.values[(i - POINTS) * POINTS + j];
    for (int64_t i = 0; i < ROWS; i++)
        s.labels[i] = i < POINTS ? 1.0 : -1.0;
    sample_index(&s);
    return s;
}

static void deal(const linpred_data *data, int threads, int32_t *part_of)
{
    linpred_error error = {.message = ""};
    static const double each[2] = {1.0, 1.0};
    linpred__run run = {.max_seconds = INFINITY};
    linpred__team_stop stop;
    linpred__distinct distinct = {0};
    linpred__gathered gathered = {0};
    linpred__hyperplane_search local;
    double known[POINTS + 1];
    int64_t row[ROWS];
    for (int64_t i = 0; i < ROWS; i++)
        row[i] = i;
    linpred__team_stop_open(&stop, &run, never, NULL);
    assert_int_equal(linpred__pool_open(threads, &run.pool, &error), LINPRED_OK);
    assert_int_equal(linpred__find_distinct(data, run.pool, each, &distinct, &error), LINPRED_OK);
    assert_int_equal(distinct.rows, ROWS);
    assert_int_equal(linpred__gather(data, true, distinct.row, ROWS, &gathered, &error), LINPRED_OK);
    assert_int_equal(linpred__hyperplane_search_open(&local, &gathered.rows, distinct.cost, true, 1, &error),
                     LINPRED_OK);
    linpred__hyperplane_search_least_squares(&local, local.start);
    linpred__hyperplane_search_offer(&local, local.start);
    linpred__hyperplane_search_best(&local, known);
    linpred__chosen_rows all = {data, true, &distinct, ROWS, row};
    linpred__deal_question question = {.all = &all,
                                       .local = &local,
                                       .known = known,
                                       .parts = PARTS,
                                       .rounds = 3,
                                       .seed = 1,
                                       .pool = run.pool,
                                       .stop = &stop};
    assert_int_equal(linpred__deal_out(&question, part_of, &error), LINPRED_OK);
    linpred__hyperplane_search_close(&local);
    linpred__gathered_clear(&gathered);
    linpred__distinct_clear(&distinct);
    linpred__pool_close(run.pool);
}

/* Parts are of equal size, threads change nothing, and far more points keep both labels than the third that do by
   chance. */
static void dear_parts_are_chosen(void **state)
{
    (void)state;
    sample s = doubled_points();
    linpred_data *data = sample_data(&s, false);
    int32_t part_of[ROWS], other[ROWS], size[PARTS] = {0}, both = 0;
    deal(data, 1, part_of);
    deal(data, 3, other);
    assert_memory_equal(part_of, other, sizeof part_of);
    for (int32_t i = 0; i < ROWS; i++) {
        assert_in_range(part_of[i], 0, PARTS - 1);
        size[part_of[i]]++;
        both += i < POINTS && part_of[i] == part_of[i + POINTS];
    }
    for (int32_t k = 0; k < PARTS; k++)
        assert_in_range(size[k], ROWS / PARTS, ROWS / PARTS + 1);
    if (both < 14)
        fail_msg("%d of %d points have both labels in one part", both, POINTS);
    linpred_data_free(data);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dear_parts_are_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
