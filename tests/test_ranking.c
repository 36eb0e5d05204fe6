/* Scores in order with the weights of their rows, against a plain count, for more rows than a run has. */
#include "support.h"

#include "model/ranking.h"

/* `rows` rows with scores 0, 1, …, kinds - 1 in a mixed order. */
static void check(int64_t rows, int64_t kinds)
{
    linpred_error error;
    linpred__ranking *ranking = NULL;
    double *weight[2] = {calloc((size_t)kinds, sizeof(double)), calloc((size_t)kinds, sizeof(double))};
    assert_int_equal(linpred__ranking_open(rows, &ranking, &error), LINPRED_OK);
    uint64_t state = 7;
    for (int64_t i = 0; i < rows; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int64_t kind = (int64_t)((state >> 33) % (uint64_t)kinds);
        int positive = (state >> 20) % 3 == 0;
        double w = (double)(1 + (state >> 40) % 4);
        weight[positive][kind] += w;
        linpred__ranking_add(ranking, (double)kind - 5.0, positive ? w : -w);
    }
    linpred__ranked tied;
    for (int64_t kind = 0; kind < kinds; kind++) {
        if (weight[0][kind] == 0 && weight[1][kind] == 0)
            continue;
        assert_true(linpred__ranking_next(ranking, &tied));
        assert_true(tied.score == (double)kind - 5.0);
        assert_true(tied.negative == weight[0][kind] && tied.positive == weight[1][kind]);
    }
    assert_false(linpred__ranking_next(ranking, &tied));
    linpred__ranking_close(ranking);
    free(weight[0]);
    free(weight[1]);
}

static void all_scores_come_in_order(void **unused)
{
    (void)unused;
    for (int64_t rows = 0; rows < 20; rows++)
        check(rows, 1 + rows / 2);
    check(32768, 100);
    check(32769, 100);
    check(300000, 7);
    check(300000, 100000);
}

static void what_is_no_number_ends_too(void **unused)
{
    (void)unused;
    linpred_error error;
    linpred__ranking *ranking = NULL;
    linpred__ranked tied;
    int found = 0;
    assert_int_equal(linpred__ranking_open(3, &ranking, &error), LINPRED_OK);
    for (int i = 0; i < 3; i++)
        linpred__ranking_add(ranking, i == 1 ? NAN : (double)i, 1.0);
    while (linpred__ranking_next(ranking, &tied))
        found++;
    assert_int_equal(found, 3);
    linpred__ranking_close(ranking);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_scores_come_in_order),
        cmocka_unit_test(what_is_no_number_ends_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
