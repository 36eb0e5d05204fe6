/* What is said of a halfspace after any fit: mistakes with certain signs, margins, the perceptron's loss. One pass. */
#include <float.h>
#include <math.h>

#include "num/dd.h"
#include "core/error.h"
#include "data/tree.h"
#include "data/row.h"
#include "pass/certified_sign.h"
#include "pass/halfspace_tally.h"
#include "pass/limits.h"

struct halfspace_sums {
    linpred__dd weight;
    linpred__dd errors;
    linpred__dd wrong[2]; /* of each label */
    linpred__dd loss;
    double lowest; /* y(<w,x>+b) */
};

static bool init_tally(void *context, void *state)
{
    (void)context;
    ((struct halfspace_sums *)state)->lowest = INFINITY;
    return true;
}

/* The score is exact where rounding could matter: to the sign, to which row is the lowest, or to the loss. */
static void count_row(const linpred__hyperplane *hyperplane, struct halfspace_sums *tally, const linpred__block *block,
                      int32_t r, double score)
{
    if (score > hyperplane->rounding_bound && score - hyperplane->rounding_bound >= tally->lowest && score <= DBL_MAX)
        return;
    if (!(score < -LINPRED__LOSS_DIGITS * hyperplane->rounding_bound && score >= -DBL_MAX))
        score = linpred__certified_score(hyperplane, block, r);
    if (!(score > 0)) {
        double weight = linpred__row_weight(block, r);
        tally->loss = linpred__dd_add_double(tally->loss, -weight * score);
        linpred__dd *wrong = &tally->wrong[block->target[r] > 0];
        tally->errors = linpred__dd_add_double(tally->errors, weight);
        *wrong = linpred__dd_add_double(*wrong, weight);
    }
    tally->lowest = fmin(tally->lowest, score);
}

static void visit_tally(void *context, void *state, const linpred__block *block)
{
    const linpred__hyperplane *hyperplane = context;
    struct halfspace_sums *tally = state;
    double scores[LINPRED__ROWS_AT_A_TIME];
    for (int32_t from = 0; from < block->rows; from += LINPRED__ROWS_AT_A_TIME) {
        int32_t to = from + LINPRED__ROWS_AT_A_TIME < block->rows ? from + LINPRED__ROWS_AT_A_TIME : block->rows;
        linpred__signed_scores(hyperplane, block, from, to, scores);
        for (int32_t r = from; r < to; r++)
            count_row(hyperplane, tally, block, r, scores[r - from]);
    }
    if (!block->weight)
        tally->weight = linpred__dd_add_double(tally->weight, block->rows);
    for (int32_t r = 0; block->weight && r < block->rows; r++)
        tally->weight = linpred__dd_add_double(tally->weight, block->weight[r]);
}

static void merge_tallies(void *context, void *into, const void *from)
{
    (void)context;
    struct halfspace_sums *a = into;
    const struct halfspace_sums *b = from;
    a->weight = linpred__dd_add(a->weight, b->weight);
    a->errors = linpred__dd_add(a->errors, b->errors);
    for (int label = 0; label < 2; label++)
        a->wrong[label] = linpred__dd_add(a->wrong[label], b->wrong[label]);
    a->loss = linpred__dd_add(a->loss, b->loss);
    a->lowest = fmin(a->lowest, b->lowest);
}

linpred_status linpred__ask_halfspace_tally(linpred__run *run, const linpred__problem *problem, const double *w,
                                            double b, linpred__halfspace_tally *answer, linpred_error *error)
{
    int32_t columns = problem->data->columns;
    linpred__hyperplane hyperplane;
    linpred_status status = linpred__hyperplane_open(&hyperplane, columns, w, b, problem->extents.radius.above, error);
    if (status != LINPRED_OK)
        return status;
    linpred__visitor visitor = {
        sizeof(struct halfspace_sums), init_tally, visit_tally, merge_tallies, NULL, &hyperplane, linpred__whole_state};
    linpred__cut cut = linpred__cut_small(problem->data);
    struct halfspace_sums tally;
    status = linpred__pass_all(problem->data, run->pool, &visitor, (void *[]){&tally}, 1, cut, error);
    linpred__hyperplane_close(&hyperplane);
    if (status != LINPRED_OK)
        return status;
    double loss = isfinite(tally.loss.hi) ? tally.loss.hi : (double)NAN;
    *answer = (linpred__halfspace_tally){.weight = tally.weight.hi,
                                         .errors = tally.errors.hi,
                                         .wrong = {tally.wrong[0].hi, tally.wrong[1].hi},
                                         .loss = loss,
                                         .margin = NAN,
                                         .margin_without_intercept = NAN};
    /* Beyond the range of doubles there is no margin to give. */
    bool known = tally.errors.hi == 0.0 && isnormal(tally.lowest);
    double with_b = known ? linpred__norm(w, columns, b) : 0.0,
           without_b = known ? linpred__norm(w, columns, 0.0) : 0.0;
    if (known && isnormal(with_b))
        answer->margin = tally.lowest / with_b;
    if (known && isnormal(without_b))
        answer->margin_without_intercept = tally.lowest / without_b;
    return LINPRED_OK;
}
