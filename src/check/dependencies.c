/* The claim `dependencies`: the rank of the columns with the intercept, whether the coefficients are unique, and how
 * the columns depend on each other.
 *
 * The witness is vectors n with <n,(x,1)> = 0 in every row, exactly or up to rounding as stated for each. Without a
 * penalty every multiple of n can be added to the coefficients without changing a prediction. The model has the
 * coefficients of least norm, the intercept left out of it: n'w = 0. Or columns are dropped: each n ends in a column
 * whose coefficient is 0 and in which no other n has a part, so this column depends on kept ones before it. With the
 * rank, which is the number of coefficients without these, the kept ones are independent.
 *
 * Logistic: proved if all vectors hold exactly, and the rank is known from both sides. Partly proved if vectors hold
 * only up to rounding, or the rank is only bounded. Refuted if rank, uniqueness, a vector, the independence of the
 * vectors or the least norm is not as claimed.
 *
 * Regression: the rank comes from the factor and the dependencies of the model (regression/squares.c), under absolute
 * loss from the rows of the support (regression/absolute_rank.c). Refuted if rank
 * or uniqueness differ, if a vector that is said to hold exactly does not, or another not even to 1e-9 of the columns'
 * lengths, or if the coefficients are not those of least norm. Partly proved if the rank is not known, if a vector
 * holds to rounding only, or if it is not certain that the objective does not fall along the dependencies. Proved
 * otherwise.
 */
#include <math.h>

#include "check/check.h"
#include "check/limits.h"
#include "model/limits.h"

static const double tolerance = LINPRED__FIGURE_TOLERANCE;

/* Which of all coefficients that fit the same the model has: `left` is by how much it has others than it says. */
static bool refute_choice(bool drop, double left, linpred__claim_check *check)
{
    return drop
               ? linpred__refute(check, "a column that the model says was dropped is not: its coefficient is not 0, or "
                                        "its dependency speaks of another dropped column")
               : linpred__refute(check, "the coefficients are not those of least norm: off by %.3g", left);
}

static void find_choice(bool drop, double left, linpred__claim_check *check)
{
    if (drop)
        linpred__find(check, ", each column dropped depends on kept ones before it");
    else
        linpred__find(check, ", least norm to %.2g", left);
}

/* ---- logistic fits ---- */

static bool judge_logistic_vectors(const linpred__measured *measured, bool penalised, linpred__claim_check *check)
{
    const linpred__dependencies *vectors = &measured->result->dependencies;
    const linpred__logistic_finding *found = measured->logistic;
    /* A fit without a minimum claims no coefficients, so their norm is not tested. */
    bool coefficients = !linpred__claims_find(&measured->result->claims, LINPRED_CLAIM_NO_MINIMISER);
    if (vectors->count == 0)
        return true;
    if (penalised)
        return linpred__must_not_state(check, "dependencies", true);
    if (!found->null_as_claimed && found->null_worst == 0.0)
        return linpred__refute(check, "dependencies hold exactly that the model says hold to rounding only");
    if (!found->null_as_claimed || found->null_worst > LINPRED__RANK_THRESHOLD)
        return linpred__refute(
            check, "columns do not depend on others as the model says: in some row that is off by %.3g (relative)",
            found->null_worst);
    if (!found->null_independent)
        return linpred__refute(check, "the dependencies that the model states are not independent of each other");
    if (coefficients && !(found->norm_left <= tolerance))
        return refute_choice(vectors->drop, found->norm_left, check);
    if (found->null_exact)
        linpred__find(check, "dependencies hold exactly in every row");
    else
        linpred__find(check, "dependencies hold in every row only to %.2g", found->null_worst);
    find_choice(vectors->drop, found->norm_left, check);
    return true;
}

static void judge_logistic_rank(const linpred__measured *measured, linpred__claim_check *check)
{
    const linpred__figures *figures = &measured->result->figures;
    const linpred_model *model = &measured->result->model;
    const linpred__logistic_finding *found = measured->logistic;
    const linpred__dependencies *vectors = &measured->result->dependencies;
    int32_t d = model->columns + model->has_intercept;
    bool free = figures->l2 == 0.0, ranked = figures->rank >= 0, counted = free && !isnan(figures->gap_tolerance);
    double unique = !free ? 1.0 : ranked ? (double)(figures->rank == d) : (double)NAN;
    if (counted && !ranked)
        linpred__refute(check, "the model does not say what the rank is");
    else if (ranked && (figures->rank < found->rank_min || figures->rank > found->rank_max))
        linpred__refute(check, "the model says that the rank is %lld, the rows give %d", (long long)figures->rank,
                        figures->rank < found->rank_min ? found->rank_min : found->rank_max);
    else if (counted && figures->rank + vectors->count != d)
        linpred__refute(check, "a rank of %lld and %d dependencies do not make up %d coefficients",
                        (long long)figures->rank, vectors->count, d);
    else if (linpred__must_not_state(check, "a rank", ranked && !free) &&
             linpred__compare_required(check, "the uniqueness", linpred__count_figure(figures->unique), unique, 0.0) &&
             linpred__must_not_state(check, "uniqueness", isnan(unique) && figures->unique >= 0))
        judge_logistic_vectors(measured, !free, check);
    bool known = found->rank_min == found->rank_max || !free;
    if (check->verdict != LINPRED_REFUTED && (!found->null_exact || !known))
        check->verdict = LINPRED_PARTLY_PROVED;
}

/* ---- regressions ---- */

/* Judges the vectors by what was found on the rows of the fit. In powers no vector is tested exactly, so none may be
   said to hold exactly. */
static bool judge_vectors(const linpred__measured *measured, linpred__claim_check *check)
{
    const linpred__regression *regression = measured->result->model.regression;
    const linpred__dependencies *vectors = &regression->dependencies;
    const linpred__null_finding *found = &measured->null;
    const linpred__squares_finding *squares = measured->squares;
    bool powers = regression->basis.polynomials > 0,
         exact = found->seen ? found->exact : squares && squares->null_exact;
    double worst = found->seen ? found->worst : squares ? squares->null_worst : (double)NAN;
    for (int32_t k = 0; powers && k < vectors->count; k++)
        if (vectors->exact[k])
            return linpred__refute(check, "a dependency of powers is said to hold exactly, which is not tested");
    if (found->seen && !found->as_stated)
        return linpred__refute(check, "a dependency does not hold exactly in every row, as the model says it does");
    if (found->seen && !(found->apart <= tolerance))
        return linpred__refute(check, "columns do not depend on others as the model says: that is off by %.3g",
                               found->apart);
    if (check->finding[0])
        linpred__find(check, "; ");
    if (exact)
        linpred__find(check, "dependencies hold in every row");
    else if (isnan(worst))
        linpred__find(check, "dependencies were not looked at");
    else
        linpred__find(check, "dependencies hold in every row only to %.2g", worst);
    if (!exact)
        linpred__at_best(check, LINPRED_PARTLY_PROVED);
    if (found->seen && !found->independent) {
        linpred__find(check, "; that they are independent of each other is not certain");
        linpred__at_best(check, LINPRED_PARTLY_PROVED);
    }
    return true;
}

/* Whether the coefficients are those of least norm, or columns are dropped. A penalty that is lost in rounding chooses
 * others. */
static bool judge_norm(const linpred__measured *measured, linpred__claim_check *check)
{
    const linpred_model *model = &measured->result->model;
    const linpred__dependencies *vectors = &model->regression->dependencies;
    linpred__null_vectors null = {vectors->count, vectors->width, vectors->vector, vectors->drop};
    double left = linpred__null_norm_left(model, &null, NULL);
    if (measured->result->figures.l2 > 0)
        return true;
    bool holds = measured->null.seen && measured->null.worst <= tolerance; /* else it would change predictions */
    if (!(left <= tolerance) && (vectors->drop || (linpred__finished(measured->result) && holds)))
        return refute_choice(vectors->drop, left, check);
    find_choice(vectors->drop, left, check);
    if (!(left <= tolerance))
        linpred__at_best(check, LINPRED_PARTLY_PROVED);
    return true;
}

static void judge_regression_rank(const linpred__measured *measured, linpred__claim_check *check)
{
    const linpred__figures *figures = &measured->result->figures;
    const linpred__regression *regression = measured->result->model.regression;
    const linpred__squares_finding *found = measured->squares;
    int32_t count = regression->dependencies.count;
    const linpred__absolute_finding *absolute = measured->absolute;
    double rank = linpred__count_figure(found ? found->rank : absolute ? absolute->rank : -1);
    double unique = absolute ? linpred__count_figure(absolute->unique)
                             : (isnan(rank) ? (double)NAN : (double)(rank == regression->width));
    if (!linpred__compare_required(check, "the uniqueness", linpred__count_figure(figures->unique), unique, 0.0) ||
        !linpred__compare_required(check, "the rank", linpred__count_figure(figures->rank), rank, 0.0))
        return;
    if (figures->rank >= 0 && figures->rank + count != regression->width) {
        linpred__refute(check, "a rank of %lld and %d dependencies do not make up %d coefficients",
                        (long long)figures->rank, count, regression->width);
        return;
    }
    if (isnan(rank) || isnan(unique)) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check, "%s not part of what was verified",
                      isnan(rank) ? "the rank is" : "the rank is that of the rows; whether there are others is");
    }
    if (count == 0)
        return;
    if (found && !found->whole)
        linpred__at_best(check, LINPRED_PARTLY_PROVED);
    if (judge_vectors(measured, check))
        judge_norm(measured, check);
}

linpred_status linpred__check_dependencies(const linpred__measured *measured, const linpred__claim *claim,
                                           linpred__claim_check *check, linpred_error *error)
{
    (void)claim, (void)error;
    const linpred_model *model = &measured->result->model;
    const linpred__figures *figures = &measured->result->figures;
    const linpred__dependencies *vectors =
        model->regression ? &model->regression->dependencies : &measured->result->dependencies;
    check->verdict = LINPRED_PROVED;
    if (vectors->count > 0 && vectors->width != model->columns + model->has_intercept)
        linpred__refute(check, "a dependency must have an entry for each coefficient");
    else if (model->regression)
        judge_regression_rank(measured, check);
    else if (measured->logistic)
        judge_logistic_rank(measured, check);
    else
        linpred__must_not_state(check, "dependencies", true);
    if (check->finding[0] == '\0')
        linpred__find(check, figures->rank < 0 && figures->l2 > 0 ? "a penalty leaves one minimum only"
                                                                  : "the rank is that of the rows");
    return LINPRED_OK;
}
