/* The largest packing of subsets, against CLP's answer to the covering program, its dual: random subsets and costs,
 * rows that are kept and given up, subsets that join later. */
#include <math.h>

#include "core/memory.h"
#include "core/random.h"
#include "solve/cover/packing_simplex.h"
#include "solve/lp/clp.h"
#include "support.h"

enum { MAX_ROWS = 60, MAX_SUBSETS = 400, SIZE = 6 };

struct instance {
    int32_t n;
    double cost[MAX_ROWS], lower[MAX_ROWS], upper[MAX_ROWS];
    int64_t start[MAX_SUBSETS + 1];
    int32_t row[MAX_SUBSETS * SIZE];
    linpred__subsets subsets;
};

/* Each subset has a row that is not kept. Of twelve rows about one is kept, and one is given up. */
static void draw_instance(struct instance *in, uint64_t seed, bool whole)
{
    linpred__random random;
    linpred__random_seed(&random, seed);
    in->n = 7 + (int32_t)linpred__random_below(&random, MAX_ROWS - 7);
    for (int32_t i = 0; i < in->n; i++) {
        uint64_t kind = linpred__random_below(&random, 12);
        in->cost[i] = whole ? 1.0 : 1.0 + (double)linpred__random_below(&random, 1000);
        in->lower[i] = kind == 0;
        in->upper[i] = kind != 1 || i == 0;
    }
    in->lower[0] = 0.0;
    int32_t subsets = 1 + (int32_t)linpred__random_below(&random, MAX_SUBSETS);
    in->start[0] = 0;
    for (int32_t s = 0; s < subsets; s++) {
        int64_t at = in->start[s];
        int32_t step = 1 + (int32_t)linpred__random_below(&random, 5), size = 0;
        int32_t first = (int32_t)linpred__random_below(&random, (uint64_t)in->n);
        bool usable = false;
        for (int32_t i = first; i < in->n && size < SIZE; i += step, size++) {
            in->row[at++] = i;
            usable = usable || in->upper[i] > 0;
        }
        if (!usable)
            in->row[at - 1] = 0;
        in->start[s + 1] = at;
    }
    in->subsets = (linpred__subsets){subsets, in->start, in->row};
}

/* The least cost of a cover in the branch. */
static double covering_cost(const struct instance *in)
{
    void *model = linpred__clp_open(in->n);
    assert_non_null(model);
    assert_true(linpred__clp_set_costs(model, in->cost));
    const double one = 1.0, unbounded = 1e300, ones[SIZE] = {1, 1, 1, 1, 1, 1};
    const int32_t single[2] = {0, 1};
    for (int32_t i = 0; i < in->n; i++)
        assert_true(linpred__clp_add_rows(model, 1, &in->lower[i], &in->upper[i], single, &i, &one));
    for (int32_t s = 0; s < in->subsets.count; s++) {
        int32_t start[2] = {0, (int32_t)(in->start[s + 1] - in->start[s])};
        assert_true(linpred__clp_add_rows(model, 1, &one, &unbounded, start, in->row + in->start[s], ones));
    }
    int status = 4;
    assert_true(linpred__clp_solve(model, false, 100000, &status));
    assert_int_equal(status, 0);
    double cost = 0;
    for (int32_t i = 0; i < in->n; i++)
        cost += in->cost[i] * linpred__clp_point(model)[i];
    linpred__clp_close(model);
    return cost;
}

/* The packing is allowed, x is a cover, and both cost the same, with what is given up. */
static void check_packing(const struct instance *in, const linpred__packing_simplex *p, double *worth)
{
    double load[MAX_ROWS] = {0}, cover = 0;
    *worth = 0;
    for (int32_t r = 0; r < p->basics; r++) {
        int32_t s = p->subset[r];
        assert_true(p->y[r] >= -1e-9);
        *worth += p->y[r];
        for (int64_t k = in->start[s]; k < in->start[s + 1]; k++) {
            assert_true(in->lower[in->row[k]] == 0.0);
            load[in->row[k]] += p->y[r];
        }
    }
    for (int32_t i = 0; i < in->n; i++) {
        if (in->lower[i] == 0.0 && in->upper[i] > 0)
            assert_true(load[i] <= in->cost[i] * (1.0 + 1e-12));
        *worth += in->lower[i] * in->cost[i];
        cover += in->cost[i] * fmin(fmax(p->x[i], 0.0), 1.0);
        assert_true(in->upper[i] > 0 || p->x[i] == 0.0);
    }
    assert_true(fabs(cover - *worth) <= 1e-7 * (1.0 + cover));
}

static void the_packing_costs_what_the_cover_costs(void **state)
{
    (void)state;
    static struct instance in;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        draw_instance(&in, seed, seed % 2);
        linpred__packing_simplex simplex;
        assert_true(linpred__packing_simplex_open(&simplex, in.n, in.cost, in.lower, in.upper));
        int32_t all = in.subsets.count;
        double worth = -1.0, before = -1.0;
        in.subsets.count = 1 + all / 2;
        linpred__packing_simplex_begin(&simplex, &in.subsets, 0, NULL);
        for (int k = 0; k < 2; k++) { /* half of the subsets, then all */
            assert_true(linpred__packing_simplex_run(&simplex, &in.subsets, 100000));
            check_packing(&in, &simplex, &worth);
            assert_true(worth >= before - 1e-7 * (1.0 + worth));
            before = worth;
            in.subsets.count = all;
        }
        double expected = covering_cost(&in);
        if (!(fabs(worth - expected) <= 1e-7 * (1.0 + expected)))
            fail_msg("seed %llu: a packing of %.12g, a cover of %.12g", (unsigned long long)seed, worth, expected);
        linpred__packing_simplex_close(&simplex);
    }
}

/* Another branch begins anew, with subsets of the last packing; the answer is that of a fresh start. */
static void a_branch_begins_with_known_subsets(void **state)
{
    (void)state;
    static struct instance in;
    for (uint64_t seed = 301; seed <= 400; seed++) {
        draw_instance(&in, seed, seed % 2);
        linpred__packing_simplex simplex;
        assert_true(linpred__packing_simplex_open(&simplex, in.n, in.cost, in.lower, in.upper));
        linpred__packing_simplex_begin(&simplex, &in.subsets, 0, NULL);
        assert_true(linpred__packing_simplex_run(&simplex, &in.subsets, 100000));
        int32_t known[MAX_ROWS], count = 0;
        for (int32_t r = 0; r < simplex.basics; r++)
            known[count++] = simplex.subset[r];
        int32_t row = (int32_t)(seed % (uint64_t)in.n);
        in.lower[row] = in.upper[row]; /* given up, unless it is kept */
        linpred__packing_simplex_begin(&simplex, &in.subsets, count, known);
        assert_true(linpred__packing_simplex_run(&simplex, &in.subsets, 100000));
        double worth, expected = covering_cost(&in);
        check_packing(&in, &simplex, &worth);
        assert_true(fabs(worth - expected) <= 1e-7 * (1.0 + expected));
        linpred__packing_simplex_close(&simplex);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_packing_costs_what_the_cover_costs),
        cmocka_unit_test(a_branch_begins_with_known_subsets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
