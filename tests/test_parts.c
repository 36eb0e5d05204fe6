/* Lower bounds that are added up over parts of the rows: what the checker makes of several trees, and the search for
 * them. */
#include "check/cover/cover.h"
#include "core/memory.h"
#include "fewest_errors_samples.h"
#include "fit/fewest_errors/parts.h"
#include "separate/rows/solver_rows.h"

/* ---- trees by hand ---- */

static linpred__cover_finding finding_of(const linpred_data *data, const linpred__cover_proof *proof, double claimed)
{
    linpred_model model = {.task = LINPRED_TASK_HALFSPACE, .has_intercept = true};
    linpred__cover_question question = {&model, data, proof, {1.0, 1.0}, claimed};
    linpred__cover_finding finding;
    linpred_error error = {.message = ""};
    if (linpred__measure_cover(&question, NULL, &finding, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    return finding;
}

enum { PAIRS = 3 };

/* Three pairs of rows with the same value and both labels: each costs one mistake. Subset s holds rows 2s+1, 2s+2. */
static sample contradictory_pairs(void)
{
    sample s = sample_new((int64_t)2 * PAIRS, 1);
    for (int64_t i = 0; i < s.rows; i++) {
        s.values[i] = (double)(i / 2);
        s.labels[i] = i % 2 ? 1.0 : -1.0;
    }
    sample_index(&s);
    return s;
}

static void open_pairs(linpred__cover_proof *proof, int64_t nodes)
{
    assert_true(linpred__cover_proof_subsets(proof, PAIRS) && linpred__cover_proof_nodes(proof, nodes));
    for (int64_t s = 0; s < PAIRS; s++) {
        assert_true(linpred__combination_open(&proof->subset[s], 2));
        for (int64_t i = 0; i < 2; i++) {
            proof->subset[s].row[i] = 2 * s + 1 + i;
            proof->subset[s].weight[i] = linpred__copy_text("1", 1);
        }
    }
}

static void make_leaf(linpred__node *node, int64_t subset, double multiplier)
{
    assert_true(linpred__node_multipliers(node, 1));
    node->subset[0] = subset;
    node->multiplier[0] = multiplier;
}

/* A row counts once, in the first tree that names it, whatever follows. */
static void trees_are_added(void **state)
{
    (void)state;
    sample s = contradictory_pairs();
    linpred_data *data = sample_data(&s, false);
    static const int64_t which[6] = {0, 1, 2, 0, 1, 1};
    linpred__cover_proof proof = {0};
    open_pairs(&proof, 6);
    for (int64_t k = 0; k < 6; k++)
        make_leaf(&proof.node[k], which[k], 1.0);
    for (proof.nodes = 1; proof.nodes <= 6; proof.nodes++) {
        linpred__cover_finding finding = finding_of(data, &proof, 0.0);
        assert_true(finding.proved == (double)(proof.nodes < PAIRS ? proof.nodes : PAIRS));
    }
    proof.nodes = 6;
    for (int64_t k = 0; k < 6; k++)
        proof.node[k].multiplier[0] = 0.5; /* each tree is rounded up, those that name no row of their own prove 0 */
    assert_true(finding_of(data, &proof, 0.0).proved == PAIRS);
    linpred__cover_proof_clear(&proof);
    linpred_data_free(data);
    sample_free(&s);
}

/* A later tree branches on a row of the first one: that row costs nothing there, given up or not. */
static void shared_rows_cost_once(void **state)
{
    (void)state;
    sample s = contradictory_pairs();
    linpred_data *data = sample_data(&s, false);
    for (int64_t shared = 0; shared < 2; shared++) {
        linpred__cover_proof proof = {0};
        open_pairs(&proof, 4);
        make_leaf(&proof.node[0], 0, 1.0);
        proof.node[1].row = shared ? 1 : 3;
        make_leaf(&proof.node[2], 1, 1.0);
        make_leaf(&proof.node[3], shared ? 2 : 1, 1.0); /* row 3 is given up here, and its subset is covered by it */
        linpred__cover_finding finding = finding_of(data, &proof, 0.0);
        assert_true(finding.proved == 2.0);
        proof.node[3].multiplier[0] = 1e-9; /* a branch that gives row 1 up for nothing proves nothing, but rounds up */
        assert_true(finding_of(data, &proof, 0.0).proved == 2.0);
        linpred__release(proof.node[3].subset);
        linpred__release(proof.node[3].multiplier);
        proof.node[3] = (linpred__node){0};
        assert_true(finding_of(data, &proof, 0.0).proved == (shared ? 1.0 : 2.0));
        proof.nodes = 3; /* the tree is cut short */
        assert_true(finding_of(data, &proof, 0.0).proved == 0.0);
        proof.nodes = 4;
        linpred__cover_proof_clear(&proof);
    }
    linpred_data_free(data);
    sample_free(&s);
}

/* ---- the search ---- */

static bool never(void *context)
{
    (void)context;
    return false;
}

struct found {
    int64_t bound;
    int64_t cost; /* of the best halfspace */
    linpred__cover_proof proof;
};

static struct found search_parts(const linpred_data *data, int threads)
{
    linpred_error error = {.message = ""};
    static const double each[2] = {1.0, 1.0};
    linpred__run run = {.max_seconds = INFINITY};
    linpred__team_stop stop;
    linpred__distinct distinct = {0};
    linpred__gathered gathered = {0};
    linpred__hyperplane_search local;
    linpred__search_team team;
    linpred__tree_end end = LINPRED__TREE_OUT_OF_WORK;
    linpred__team_stop_open(&stop, &run, never, NULL);
    assert_int_equal(linpred__pool_open(threads, &run.pool, &error), LINPRED_OK);
    assert_int_equal(linpred__find_distinct(data, run.pool, each, &distinct, &error), LINPRED_OK);
    assert_int_equal(linpred__gather(data, true, distinct.row, distinct.rows, &gathered, &error), LINPRED_OK);
    assert_int_equal(linpred__hyperplane_search_open(&local, &gathered.rows, distinct.cost, true, 1, &error),
                     LINPRED_OK);
    linpred__hyperplane_search_least_squares(&local, local.start);
    linpred__hyperplane_search_offer(&local, local.start);
    assert_int_equal(linpred__search_team_open(&team, &local, 1, &error), LINPRED_OK);
    int64_t *row = calloc((size_t)distinct.rows, sizeof *row);
    for (int64_t i = 0; i < distinct.rows; i++)
        row[i] = i;
    linpred__chosen_rows all = {data, true, &distinct, distinct.rows, row};
    linpred__row_parts parts = {.all = &all, .team = &team, .seed = 1, .pool = run.pool, .stop = &stop};
    assert_int_equal(linpred__parts_turn(&parts, 2e9, 0, &end, &error), LINPRED_OK);
    assert_int_equal(linpred__parts_keep(&parts, &error), LINPRED_OK);
    struct found found = {parts.bound, local.best_cost, parts.proof};
    parts.proof = (linpred__cover_proof){0};
    linpred__parts_close(&parts);
    linpred__search_team_close(&team);
    linpred__hyperplane_search_close(&local);
    linpred__gathered_clear(&gathered);
    linpred__distinct_clear(&distinct);
    linpred__pool_close(run.pool);
    free(row);
    return found;
}

/* The checker proves the bound that the search states, no less; threads change nothing. */
static void parts_are_proved(void **state)
{
    (void)state;
    sample s = overlapping(8, 200, 9);
    linpred_data *data = sample_data(&s, false);
    struct found one = search_parts(data, 1), three = search_parts(data, 3);
    assert_true(one.bound > 0 && one.bound <= one.cost);
    linpred__cover_finding finding = finding_of(data, &one.proof, (double)one.bound);
    assert_true(finding.broken == 0 && finding.stray == 0);
    assert_true(finding.by == LINPRED__BY_SUBSETS && finding.proved == (double)one.bound);
    assert_int_equal(one.bound, three.bound);
    assert_int_equal(one.cost, three.cost);
    assert_int_equal(one.proof.nodes, three.proof.nodes);
    assert_int_equal(one.proof.subsets, three.proof.subsets);
    for (int64_t k = 0; k < one.proof.nodes; k++) {
        assert_int_equal(one.proof.node[k].row, three.proof.node[k].row);
        for (int64_t i = 0; i < one.proof.node[k].count; i++)
            assert_true(one.proof.node[k].multiplier[i] == three.proof.node[k].multiplier[i]);
    }
    linpred__cover_proof_clear(&one.proof);
    linpred__cover_proof_clear(&three.proof);
    linpred_data_free(data);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_added),
        cmocka_unit_test(shared_rows_cost_once),
        cmocka_unit_test(parts_are_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
