/* linpred_find_separation: are the rows separated, quasi-separated or overlapping? The result states the three-way
 * answer with its proof. */
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "fit/halfspace.h"
#include "separate/three_way.h"

/* Turns the direction into weights, the intercept last. All are 0 if some are beyond the range of doubles. */
static void round_direction(const linpred__direction *direction, double *w, int32_t columns)
{
    bool fits = true;
    for (int32_t j = 0; j < direction->count; j++) {
        const char *entry = direction->entry[j];
        fits = fits && linpred__number_read(entry, strlen(entry), &w[j]) == LINPRED__NUMBER;
    }
    if (!fits)
        memset(w, 0, ((size_t)columns + 1) * sizeof *w);
}

static linpred__ending find_three_way_ending(const linpred__fit_context *fit, const linpred__three_way *found)
{
    bool some = found->direction.count > 0;
    if (found->kind == LINPRED_SEPARATION_SEPARATED)
        return linpred__make_ending(LINPRED_OUTCOME_SEPARATED, "some halfspace has every row on its right side");
    if (found->kind == LINPRED_SEPARATION_QUASI_SEPARATED)
        return linpred__make_ending(LINPRED_OUTCOME_NO_MINIMISER,
                                    "some halfspace has no row on its wrong side, but none has all on its right side");
    if (found->kind == LINPRED_SEPARATION_OVERLAPPING)
        return linpred__make_ending(LINPRED_OUTCOME_INSEPARABLE,
                                    "every halfspace has rows on its wrong side, or all rows on its boundary");
    if (some)
        return linpred__make_ending(
            LINPRED_OUTCOME_NO_MINIMISER,
            "some halfspace has no row on its wrong side; whether one has all on its right side is not decided");
    if (found->stopped)
        return linpred__stopped_ending(&fit->run);
    return linpred__make_ending(LINPRED_OUTCOME_UNDECIDED, "too large for exact arithmetic");
}

static void claim(linpred_result *result, linpred__three_way *found)
{
    linpred__claims *claims = &result->claims;
    if (found->direction.count > 0) {
        bool separated = found->kind == LINPRED_SEPARATION_SEPARATED;
        linpred_claim_kind kind = separated ? LINPRED_CLAIM_SEPARATES : LINPRED_CLAIM_NO_MINIMISER;
        linpred__claims_add(claims, kind, true)->by.direction = found->direction;
        found->direction = (linpred__direction){0};
        if (found->witness.count > 0)
            linpred__claim_inseparable(result, &found->witness);
        if (found->carriers.count > 0) /* the rows that the direction leaves */
            linpred__claims_add(claims, LINPRED_CLAIM_OVERLAPPING, true)->by.combination = found->carriers;
        found->carriers = (linpred__combination){0};
    } else if (found->kind == LINPRED_SEPARATION_OVERLAPPING) {
        linpred__claims_add(claims, LINPRED_CLAIM_OVERLAPPING, true)->by.combination = found->carriers;
        found->carriers = (linpred__combination){0};
    } else {
        linpred__claims_add(claims, LINPRED_CLAIM_ERRORS, true);
    }
}

static void assemble(linpred__fit_context *fit, linpred__three_way *found, const double *w,
                     const linpred__halfspace_tally *tally)
{
    linpred__figures *figures = &fit->result->figures;
    linpred__ending ending = find_three_way_ending(fit, found);
    linpred__set_halfspace(fit, w, w[fit->problem.data->columns], tally);
    figures->rounds = found->rounds;
    figures->working_rows = found->working_rows;
    figures->passes = found->passes;
    if (found->direction.count > 0)
        figures->settled_rows = found->settled_rows;
    linpred__set_ending(figures, &ending);
    claim(fit->result, found);
    linpred__claim_figures(fit->result);
}

linpred_status linpred__fit_separation(linpred__fit_context *fit, linpred_error *error)
{
    int32_t columns = fit->problem.data->columns;
    linpred__three_way found;
    linpred__halfspace_tally tally;
    linpred_status status = linpred__ask_three_way(&fit->run, &fit->problem, NULL, 0.0, &found, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__settle_all(&fit->run, &fit->problem, &found, error);
    double *w = status == LINPRED_OK ? linpred__calloc((size_t)columns + 1, sizeof *w) : NULL;
    if (status != LINPRED_OK) {
        linpred__three_way_clear(&found);
        return status;
    }
    if (w) {
        round_direction(&found.direction, w, columns);
        status = linpred__ask_halfspace_tally(&fit->run, &fit->problem, w, w[columns], &tally, error);
    } else {
        status = linpred__no_memory(error);
    }
    if (status == LINPRED_OK)
        assemble(fit, &found, w, &tally);
    linpred__release(w);
    linpred__three_way_clear(&found);
    return status;
}
