/* Are the working rows separated, quasi-separated or overlapping?
 *
 * The theorems of Gordan and Stiemke split the rows into two sets. Rows of the first set have lambda_i > 0 in some
 * lambda >= 0 with Σ lambda_i z_i = 0. Some v has <v,z_i> = 0 on the first set and <v,z_i> > 0 on the second.
 *
 * The first set is found in rounds. Each round finds a minimal set of rows with positive weights that combine them to a
 * vector in the span of the earlier sets, and adds these rows to the carriers. The rounds end when the rows outside the
 * span of the carriers can be separated by a v that vanishes on the span, or when no row is outside. A minimal set of s
 * rows adds s - 1 >= 1 to the rank, so there are at most 2 rank carriers.
 */
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "solve/row_signs.h"
#include "solve/working/state.h"
#include "solve/exact_lp/span.h"

/* Holds the rows in the span of the anchors at zero from now on; rows of zeros are among them. `use` and *used become
   the rows that are not held. */
static linpred_status hold_span(linpred__working_rows *s, int32_t *use, int32_t *used, linpred_error *error)
{
    linpred__span *span = NULL;
    linpred_status status = linpred__span_open(&s->rows, s->anchor, s->anchors, 1, &span, error);
    *used = 0;
    for (int32_t i = 0; i < s->rows.rows && status == LINPRED_OK; i++) {
        linpred__entries row = linpred__row_of(&s->rows, i);
        if (!s->held_at_zero[i] && linpred__span_may_hold(span, &row)) {
            status = linpred__lp_set_kind(s->lp, i, LINPRED__LP_ZERO, error);
            s->held_at_zero[i] = true;
            s->current = false;
        }
        if (!s->held_at_zero[i])
            use[(*used)++] = i;
    }
    linpred__span_close(span);
    return status;
}

/* Adds a new minimal set to the carriers. Its positive weights, together with anchor weights of any sign, combine to
   zero. Adding a multiple of the old carriers' sum, which is zero, makes all weights positive. `times` is the smallest
   positive multiple that does. */
static linpred_status join_carriers(linpred__working_rows *s, const linpred__exact_answer *set)
{
    int32_t old = s->carriers, count = old + set->count;
    int32_t *carrier = linpred__alloc((size_t)count, sizeof *carrier);
    int32_t *anchor = linpred__alloc((size_t)(s->anchors + set->count), sizeof *anchor);
    linpred__integers weight;
    if (!carrier || !anchor || !linpred__integers_open(count, &weight)) {
        linpred__release(carrier);
        linpred__release(anchor);
        return LINPRED_ERROR_MEMORY;
    }
    mpz_t times, needed;
    mpz_init_set_ui(times, 1);
    mpz_init(needed);
    for (int32_t c = 0; c < old; c++)
        for (int32_t a = 0; a < s->anchors; a++)
            if (s->carrier[c] == s->anchor[a]) {
                mpz_set(weight.value[c], set->anchor_weight.value[a]);
                mpz_ui_sub(needed, 1, weight.value[c]);
                mpz_cdiv_q(needed, needed, s->carrier_weight.value[c]);
                if (mpz_cmp(needed, times) > 0)
                    mpz_set(times, needed);
            }
    for (int32_t c = 0; c < old; c++) {
        mpz_addmul(weight.value[c], times, s->carrier_weight.value[c]);
        carrier[c] = s->carrier[c];
    }
    for (int32_t k = 0; k < set->count; k++) {
        carrier[old + k] = set->row[k];
        mpz_set(weight.value[old + k], set->weight.value[k]);
    }
    mpz_clear(times);
    mpz_clear(needed);
    linpred__integers_reduce(&weight);
    for (int32_t a = 0; a < s->anchors; a++)
        anchor[a] = s->anchor[a];
    for (int32_t k = 0; k + 1 < set->count; k++) /* all rows of a minimal set but one are independent */
        anchor[s->anchors++] = set->row[k];
    linpred__release(s->carrier);
    linpred__release(s->anchor);
    linpred__integers_close(&s->carrier_weight);
    s->carrier = carrier;
    s->carriers = count;
    s->carrier_weight = weight;
    s->anchor = anchor;
    s->current = false;
    if (s->witnesses == 0) {
        linpred_status status =
            linpred__copy_weighted(set->count, set->row, &set->weight, &s->witness, &s->witness_weight);
        if (status != LINPRED_OK)
            return status;
        s->witnesses = set->count;
    }
    return LINPRED_OK;
}

static linpred_status fill_carriers(const linpred__working_rows *s, linpred__working_separation *answer)
{
    linpred_status status = LINPRED_OK;
    answer->rank = s->anchors;
    if (s->carriers > 0) {
        status = linpred__copy_weighted(s->carriers, s->carrier, &s->carrier_weight, &answer->carrier,
                                        &answer->carrier_weight);
        answer->carriers = status == LINPRED_OK ? s->carriers : 0;
    } else if (s->zero_row >= 0) {
        status = linpred__single_weighted(s->zero_row, &answer->carrier, &answer->carrier_weight);
        answer->carriers = status == LINPRED_OK;
    }
    if (status != LINPRED_OK)
        return status;
    if (s->zero_row >= 0) {
        status = linpred__single_weighted(s->zero_row, &answer->witness, &answer->witness_weight);
        answer->witnesses = status == LINPRED_OK;
    } else if (s->witnesses > 0) {
        status = linpred__copy_weighted(s->witnesses, s->witness, &s->witness_weight, &answer->witness,
                                        &answer->witness_weight);
        answer->witnesses = status == LINPRED_OK ? s->witnesses : 0;
    }
    return status;
}

/* Whether the direction is exactly 0 on the rows held at zero. These rows lie in the span modulo one prime, which does
   not prove that they lie in the span. */
static bool vanishes_on_held(const linpred__working_rows *s, const linpred__integers *direction)
{
    for (int32_t i = 0; i < s->rows.rows; i++)
        if (s->held_at_zero[i] && linpred__row_sign_integers(&s->rows, i, direction) != 0)
            return false;
    return true;
}

static linpred_status three_way(linpred__working_rows *s, int32_t *use, linpred__effort *effort,
                                linpred__working_separation *answer, linpred_error *error)
{
    for (;;) {
        int32_t used;
        linpred_status status = hold_span(s, use, &used, error);
        if (status != LINPRED_OK)
            return status;
        bool carried = s->carriers > 0 || s->zero_row >= 0;
        if (used == 0 && carried) {
            bool holds = false, decided = false;
            status = linpred__span_holds_all(&s->rows, s->anchor, s->anchors, effort, &holds, &decided, error);
            if (status == LINPRED_OK && holds && decided)
                answer->kind = LINPRED_SEPARATION_OVERLAPPING;
            return status == LINPRED_OK && fill_carriers(s, answer) != LINPRED_OK ? linpred__no_memory(error) : status;
        }
        status = linpred__working_rows_run_lp(s, effort->stop, effort->context, error);
        if (status != LINPRED_OK || s->proposed == LINPRED__LP_STOPPED)
            return status;
        if (!carried && s->proposed == LINPRED__LP_FEASIBLE) {
            if (linpred__working_rows_take_point(s, &answer->rounded) != LINPRED_OK)
                return linpred__no_memory(error);
            if (answer->rounded) {
                answer->kind = LINPRED_SEPARATION_SEPARATED;
                return LINPRED_OK;
            }
        }
        linpred__exact_answer found;
        status = linpred__working_rows_decide(s, use, used, !carried, effort, &found, error);
        if (status != LINPRED_OK)
            return status;
        if (found.kind != LINPRED_SEPARATION_INSEPARABLE) {
            bool separated = found.kind == LINPRED_SEPARATION_SEPARATED && (!carried || vanishes_on_held(s, &found.w));
            if (separated) {
                answer->kind = carried ? LINPRED_SEPARATION_QUASI_SEPARATED : LINPRED_SEPARATION_SEPARATED;
                answer->direction = found.w;
                answer->rounded = found.rounded;
                found.w = (linpred__integers){0, NULL};
                found.rounded = NULL;
            }
            linpred__exact_answer_close(&found);
            return fill_carriers(s, answer) == LINPRED_OK ? LINPRED_OK : linpred__no_memory(error);
        }
        status = join_carriers(s, &found);
        linpred__exact_answer_close(&found);
        if (status != LINPRED_OK)
            return linpred__no_memory(error);
    }
}

linpred_status linpred__working_rows_three_way(linpred__working_rows *s, linpred__effort *effort,
                                               linpred__working_separation *answer, linpred_error *error)
{
    linpred__working_separation found;
    memset(&found, 0, sizeof found);
    found.kind = LINPRED_SEPARATION_UNDECIDED;
    int32_t *use = linpred__alloc((size_t)s->rows.rows, sizeof *use);
    linpred_status status = use ? three_way(s, use, effort, &found, error) : linpred__no_memory(error);
    linpred__release(use);
    if (status != LINPRED_OK)
        linpred__working_separation_close(&found);
    else
        *answer = found;
    return status;
}

void linpred__working_separation_close(linpred__working_separation *answer)
{
    linpred__integers_close(&answer->direction);
    linpred__release(answer->rounded);
    linpred__release(answer->carrier);
    linpred__integers_close(&answer->carrier_weight);
    linpred__release(answer->witness);
    linpred__integers_close(&answer->witness_weight);
    memset(answer, 0, sizeof *answer);
}
