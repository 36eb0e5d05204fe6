/* The direction of quasi-separated rows settles every row that any direction settles, and the rows left are proved to
 * overlap: against brute force on thousands of tiny cases with ties. */
#include "support.h"

enum { MOST = 9 };

/* ---- brute force ------------------------------------------------------------------------------------------------- *
 *
 * In three dimensions, in integers. The directions are the v with <v,z> >= 0 on every row. Up to vectors that are 0 on
 * every row they are sums of extreme ones, and an extreme one is, up to its sign, a × b of two rows; (a × b) × c if all
 * rows lie in a plane; a row itself if all lie on a line. So the rows that some direction settles are those that one of
 * these settles, where it is a direction. */

typedef struct {
    int rows;
    int64_t z[MOST][3];
} cone;

static void cross(const int64_t *a, const int64_t *b, int64_t *v)
{
    for (int j = 0; j < 3; j++)
        v[j] = a[(j + 1) % 3] * b[(j + 2) % 3] - a[(j + 2) % 3] * b[(j + 1) % 3];
}

/* Marks the rows that v and -v settle, if they are directions. */
static void settle(const cone *c, const int64_t *v, bool *settled)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        bool direction = true;
        int64_t side[MOST];
        for (int i = 0; i < c->rows; i++) {
            side[i] = sign * (v[0] * c->z[i][0] + v[1] * c->z[i][1] + v[2] * c->z[i][2]);
            direction = direction && side[i] >= 0;
        }
        for (int i = 0; i < c->rows && direction; i++)
            settled[i] = settled[i] || side[i] > 0;
    }
}

static int settle_by_brute_force(const cone *c, bool *settled)
{
    int count = 0;
    memset(settled, 0, MOST * sizeof *settled);
    for (int a = 0; a < c->rows; a++) {
        settle(c, c->z[a], settled);
        for (int b = 0; b < a; b++) {
            int64_t normal[3], ray[3];
            cross(c->z[a], c->z[b], normal);
            settle(c, normal, settled);
            for (int k = 0; k < c->rows; k++) {
                cross(normal, c->z[k], ray);
                settle(c, ray, settled);
            }
        }
    }
    for (int i = 0; i < c->rows; i++)
        count += settled[i];
    return count;
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

/* The rows left are exactly those that no direction settles, and everything is proved. */
static void assert_settled(const linpred_result *result, const linpred_data *data, const cone *c, const bool *settled,
                           int count)
{
    linpred_separation kind = linpred_result_separation(result);
    checked check;
    assert_int_equal(verify_result(result, data, 1, &check, NULL), LINPRED_OK);
    if (check.verdict == LINPRED_REFUTED || check.verdict == LINPRED_PARTLY_PROVED)
        fail_msg("%s: %s", linpred_verdict_name(check.verdict), check.finding);
    assert_int_equal(kind, count == c->rows ? LINPRED_SEPARATION_SEPARATED
                           : count > 0      ? LINPRED_SEPARATION_QUASI_SEPARATED
                                            : LINPRED_SEPARATION_OVERLAPPING);
    if (count == 0 || count == c->rows)
        return;
    size_t claim;
    const int64_t *row;
    assert_int_equal(linpred_result_count(result, "settled_rows"), count);
    assert_true(linpred_result_claim_find(result, LINPRED_CLAIM_OVERLAPPING, &claim));
    assert_int_equal(linpred_result_claim_rows(result, claim, &row), c->rows - count);
    for (int i = 0, k = 0; i < c->rows; i++)
        if (!settled[i])
            assert_int_equal(row[k++], i + 1);
}

static void ask_both(const sample *s, const cone *c, bool intercept, const bool *settled, int count)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        linpred_options options;
        linpred__options_init(&options);
        options.no_intercept = !intercept;
        linpred_data *data = sample_data(s, sparse);
        linpred_result *result = NULL;
        assert_int_equal(linpred_find_separation(data, &options, &result, NULL), LINPRED_OK);
        assert_settled(result, data, c, settled, count);
        linpred_result_free(result);
        options.task = LINPRED_TASK_LOGISTIC;
        assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
        if (count > 0)
            assert_settled(result, data, c, settled, count);
        linpred_result_free(result);
        linpred_data_free(data);
    }
}

static void tiny_cases_by_brute_force(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 38);
    int quasi = 0, twice = 0;
    for (int turn = 0; turn < 2000; turn++) {
        bool intercept = turn % 2;
        int columns = 1 + turn / 2 % (3 - intercept), rows = 2 + (int)linpred__random_below(&random, MOST - 1);
        sample s = sample_integers(&random, rows, columns, 1 + turn % 3);
        cone c = {.rows = rows};
        bool settled[MOST], both = false;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++)
                c.z[i][j] = (int64_t)(s.labels[i] * s.values[i * columns + j]);
            if (intercept)
                c.z[i][columns] = (int64_t)s.labels[i];
            both = both || s.labels[i] != s.labels[0];
        }
        int count = settle_by_brute_force(&c, settled);
        if (both) /* data of one label are refused */
            ask_both(&s, &c, intercept, settled, count);
        quasi += both && count > 0 && count < rows;
        twice += both && count > 2 && count < rows - 2;
        sample_free(&s);
    }
    assert_true(quasi > 300 && twice > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiny_cases_by_brute_force)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
