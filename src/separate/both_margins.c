/* Asks for the largest margin in both forms. */
#include "separate/both_margins.h"

#include <math.h>

#include "core/error.h"

void linpred__both_margins_clear(linpred__both_margins *answer)
{
    linpred__largest_margin_clear(&answer->largest);
    linpred__largest_margin_clear(&answer->other);
    linpred__vector_clear(&answer->other_weights);
    linpred__vector_clear(&answer->bound_weights);
    *answer = (linpred__both_margins){0};
}

static bool is_better(const linpred__largest_margin *largest, int32_t columns)
{
    bool better = largest->support.count > 0 && largest->margin > 0 && isfinite(largest->b);
    for (int32_t j = 0; j < columns; j++)
        better = better && isfinite(largest->w[j]);
    return better;
}

static linpred_status copy_weights(linpred__both_margins *answer, int32_t columns, linpred_error *error)
{
    const linpred__largest_margin *other = &answer->other;
    if (!answer->other_found)
        return LINPRED_OK;
    bool made = linpred__vector_of_weights(other->w, columns, &other->b, &answer->other_weights) &&
                (!answer->without_intercept ||
                 linpred__vector_of_weights(other->w, columns, &other->b, &answer->bound_weights));
    return made ? LINPRED_OK : linpred__no_memory(error);
}

linpred_status linpred__ask_both_margins(linpred__run *run, const linpred__problem *problem, bool without_intercept,
                                         const double *w, double b, linpred__both_margins *answer, linpred_error *error)
{
    static const linpred__margin_form form[2] = {LINPRED__FORM_HOMOGENEOUS, LINPRED__FORM_WITHOUT_INTERCEPT};
    *answer = (linpred__both_margins){.without_intercept = without_intercept && problem->has_intercept};
    linpred__largest_margin *largest = &answer->largest;
    linpred_status status = linpred__ask_largest_margin(
        run, problem, problem->has_intercept ? form[without_intercept] : LINPRED__FORM_ORIGIN, w, b, largest, error);
    if (status != LINPRED_OK)
        return status;
    answer->better = is_better(largest, problem->data->columns);
    if (!answer->better || !problem->has_intercept || largest->end != LINPRED__MARGIN_FOUND)
        return LINPRED_OK;
    status = linpred__ask_largest_margin(run, problem, form[!without_intercept], largest->w, largest->b, &answer->other,
                                         error);
    const linpred__largest_margin *other = &answer->other;
    if (status == LINPRED_OK) {
        answer->other_found =
            other->end == LINPRED__MARGIN_FOUND && is_better(other, problem->data->columns) && isfinite(other->margin);
        status = copy_weights(answer, problem->data->columns, error);
    }
    if (status != LINPRED_OK)
        linpred__both_margins_clear(answer);
    return status;
}
