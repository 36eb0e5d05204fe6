/* The claim `fewest_errors`: the mistakes of the model cost as much as stated, and no predictor's cost less than the
 * lower bound.
 *
 * The witness is inseparable subsets and trees of bounds over them; cover/ computes in integers what they prove. If
 * that is less than claimed, the model is a halfspace and the columns are few, all halfspaces are gone through: by
 * boxes of them or by hyperplanes through rows, in code that the search does not share.
 *
 * The claim may have integers, for (x, 1) or of a ball for (x, ||x||², 1), which cost less than the model: then it is
 * their mistakes that cost as much as stated.
 *
 * If the outcome is optimal, the claimed bound is the cost itself. Proved if the bound of the tree reaches the claimed
 * one. Within tolerance if it does to 1e-9. Partly proved if the bound falls short. Refuted if the tree names a row
 * that the data do not have, if a subset is not inseparable, if the lower bound is above the cost, or if a stated cost
 * is wrong.
 */
#include <math.h>

#include "check/check.h"
#include "check/cover/cover.h"
#include "check/limits.h"
#include "check/witness/combination.h"

/* What the claim says, and what the rows give. */
struct costs {
    double each[2]; /* of a mistake on a row of weight 1 labelled -1, and labelled +1 */
    bool plain;     /* both are 1: mistakes are counted */
    double found;   /* what the mistakes of the model, or of the integers, cost */
    double claimed; /* the lower bound */
};

static struct costs costs_of(const linpred__measured *measured, const double wrong[2])
{
    const linpred__figures *figures = &measured->result->figures;
    struct costs costs = {.each = {isnan(figures->cost_negative) ? 1.0 : figures->cost_negative,
                                   isnan(figures->cost_positive) ? 1.0 : figures->cost_positive}};
    costs.plain = costs.each[0] == 1.0 && costs.each[1] == 1.0;
    costs.found = costs.each[0] * wrong[0] + costs.each[1] * wrong[1];
    costs.claimed = figures->lower_bound;
    return costs;
}

/* Whether the witness is well formed and its subsets are inseparable. If not, the finding says what is wrong. */
static bool proof_holds(const linpred__measured *measured, const struct costs *costs,
                        const linpred__cover_finding *cover, linpred__claim_check *check)
{
    bool ball = measured->result->model.task == LINPRED_TASK_BALL;
    if (cover->stray > 0)
        linpred__refute(check, "the tree branches on row %lld, which the data do not have", (long long)cover->stray);
    else if (cover->broken > 0)
        linpred__refute(check, "subset %lld of the claim %s", (long long)cover->broken,
                        ball ? "proves nothing" : "does not sum to zero");
    else if (costs->claimed > costs->found * (1.0 + LINPRED__GAP_ALLOWED))
        linpred__refute(check, "the mistakes cost %.17g, which is less than the bound", costs->found);
    else
        return true;
    return false;
}

/* The number of trees, the last of which may be cut short. */
static int64_t count_trees(const linpred__cover_proof *proof)
{
    int64_t trees = 0, awaited = 0;
    for (int64_t k = 0; k < proof->nodes; k++) {
        trees += awaited == 0;
        awaited += (awaited == 0) + (proof->node[k].row > 0 ? 1 : -1);
    }
    return trees;
}

static void find_trees(const linpred__cover_proof *proof, const linpred__cover_finding *cover, const char *less,
                       linpred__claim_check *check)
{
    int64_t trees = count_trees(proof);
    linpred__find(check, "%lld inseparable subset%s, proved in integers, and %lld bound%s over %s",
                  (long long)proof->subsets, linpred__plural((double)proof->subsets),
                  (long long)(proof->nodes + trees) / 2, linpred__plural((double)proof->nodes),
                  proof->subsets == 1 ? "it" : "them");
    if (trees > 1)
        linpred__find(check, ", added up over %lld parts of the rows,", (long long)trees);
    linpred__find(check, " prove that none %s than %.17g", less, cover->proved);
}

static void find_proof(const struct costs *costs, const linpred__cover_proof *proof, const char *noun,
                       const linpred__cover_finding *cover, linpred__claim_check *check)
{
    const char *less = costs->plain ? "makes fewer" : "costs less";
    if (proof->direction.count > 0)
        linpred__find(check, "the mistakes of a %s of integers %s %.17g; ", noun, costs->plain ? "weigh" : "cost",
                      costs->found);
    else if (!costs->plain)
        linpred__find(check, "the cost is %.17g; ", costs->found);
    if (cover->by == LINPRED__BY_BOXES)
        linpred__find(check, "all halfspaces, divided into boxes: there is none that %s than %.17g", less,
                      cover->proved);
    else if (cover->by == LINPRED__BY_HYPERPLANES)
        linpred__find(check, "of all hyperplanes through rows none has a halfspace beside it that %s than %.17g", less,
                      cover->proved);
    else if (proof->nodes == 0)
        linpred__find(check, "none %s than 0", less);
    else
        find_trees(proof, cover, less, check);
}

static void judge_cost(const linpred__measured *measured, const linpred__cover_proof *proof, const struct costs *costs,
                       const linpred__cover_finding *cover, linpred__claim_check *check)
{
    const linpred__figures *figures = &measured->result->figures;
    bool optimal = figures->outcome == LINPRED_OUTCOME_OPTIMAL;
    double claimed = optimal ? costs->found : costs->claimed;
    if (!proof_holds(measured, costs, cover, check))
        return;
    if (!linpred__compare(check, "the cost of the mistakes", figures->cost, costs->found,
                          LINPRED__FIGURE_TOLERANCE * costs->found))
        return;
    check->lower_bound = cover->proved;
    find_proof(costs, proof, measured->result->model.task == LINPRED_TASK_BALL ? "ball" : "halfspace", cover, check);
    bool all = cover->proved >= claimed, near = cover->proved >= claimed * (1.0 - LINPRED__GAP_ALLOWED);
    if (!near)
        linpred__find(check, "; that %.17g is the least is not proved here", claimed);
    else if (!all)
        linpred__find(check, "; the gap to %.17g is %.2g of it", claimed, (claimed - cover->proved) / claimed);
    check->verdict = all ? LINPRED_PROVED : near ? LINPRED_WITHIN_TOLERANCE : LINPRED_PARTLY_PROVED;
}

/* What the integers of a direction get wrong. *read is false if they are none, or no ball. */
static linpred_status weigh_direction(const linpred__measured *measured, const linpred__direction *direction,
                                      bool *read, double wrong[2], linpred_error *error)
{
    const linpred_model *model = &measured->result->model;
    linpred__direction_signs signs;
    if (model->task == LINPRED_TASK_BALL)
        return linpred__check_ball_mistakes(direction, model, measured->data, read, wrong, error);
    linpred_status status =
        linpred__check_direction(direction, model, measured->data, measured->pool, NULL, &signs, error);
    *read = signs.read;
    for (int label = 0; label < 2; label++)
        wrong[label] = signs.wrong[label].hi;
    return status;
}

linpred_status linpred__check_fewest_errors(const linpred__measured *measured, const linpred__claim *claim,
                                            linpred__claim_check *check, linpred_error *error)
{
    const linpred_model *model = &measured->result->model;
    if (!measured->rows || !(measured->result->figures.lower_bound >= 0)) {
        linpred__refute(check, "the model states no lower bound");
        return LINPRED_OK;
    }
    const linpred__direction *direction = &claim->by.cover.direction;
    double wrong[2] = {measured->rows->wrong[0], measured->rows->wrong[1]};
    bool read = true;
    linpred_status status = LINPRED_OK;
    if (direction->count > 0)
        status = weigh_direction(measured, direction, &read, wrong, error);
    if (status != LINPRED_OK)
        return status;
    if (!read) {
        linpred__refute(check, "the integers describe no %s", model->task == LINPRED_TASK_BALL ? "ball" : "halfspace");
        return LINPRED_OK;
    }
    struct costs costs = costs_of(measured, wrong);
    if (direction->count > 0 && !(costs.found < costs_of(measured, measured->rows->wrong).found)) {
        linpred__refute(check, "the integers cost no less than the model, which then needs none");
        return LINPRED_OK;
    }
    if (!(costs.each[0] > 0 && costs.each[1] > 0)) {
        linpred__refute(check, "a mistake must cost something");
        return LINPRED_OK;
    }
    linpred__cover_question question = {
        model, measured->data, &claim->by.cover, {costs.each[0], costs.each[1]}, costs.claimed};
    linpred__cover_finding cover;
    check->verdict = LINPRED_PROVED;
    status = linpred__measure_cover(&question, measured->pool, &cover, error);
    if (status == LINPRED_OK)
        judge_cost(measured, &claim->by.cover, &costs, &cover, check);
    return status;
}
