/* The witness that the last basis gives: a w in integers and if possible in doubles, or integer weights that combine
 * rows to zero.
 */
#include "solve/exact_lp/simplex.h"

#include <string.h>

#include "core/memory.h"
#include "solve/row_signs.h"

/* Rounds another w, which has a larger margin at the rows of the basis:
     <w',z_b> = 1 + 2^-margin_bits Σ_j |w_j z_bj|   instead of 1.
   Rounding each w_j to 53 bits then leaves <w',z_b> > 0. The other rows are tested, because w' may violate them. */
static linpred_status round_with_margin(linpred__simplex *s, const int32_t *order, int margin_bits, double *rounded,
                                        bool *good)
{
    mpz_t sum, scratch;
    mpz_init(sum);
    mpz_init(scratch);
    for (int32_t b = 0; b < s->basis.size; b++) {
        int32_t i = s->basis.row[b];
        mpz_set_ui(sum, 0);
        for (int64_t e = s->z.start[i]; e < s->z.start[i + 1]; e++) {
            int32_t j = s->basis.column_place[s->z.index[e]];
            if (j < 0)
                continue;
            linpred__integral_get(&s->z, e, scratch);
            mpz_mul(scratch, scratch, s->w.numerator.value[j]);
            mpz_abs(scratch, scratch);
            mpz_add(sum, sum, scratch);
        }
        mpz_mul_2exp(scratch, s->w.denominator, (mp_bitcnt_t)margin_bits);
        mpz_fdiv_q(s->right.value[b], sum, scratch);
        mpz_add_ui(s->right.value[b], s->right.value[b], 1);
        if (i < s->anchors)
            mpz_set_ui(s->right.value[b], 0);
    }
    mpz_clear(sum);
    mpz_clear(scratch);
    bool solved;
    linpred_status status = linpred__simplex_solve(s, false, &s->alpha, &solved);
    linpred__integers w;
    if (status != LINPRED_OK || !solved)
        return status;
    if (!linpred__integers_open(s->question->rows->columns, &w))
        return LINPRED_ERROR_MEMORY;
    linpred__modular_basis_direction(&s->basis, &s->alpha, &w);
    *good = linpred__round_separating(s->question->rows, order, s->rows - s->anchors, &w, rounded);
    linpred__integers_close(&w);
    return LINPRED_OK;
}

static linpred_status round_w(linpred__simplex *s, const linpred__integers *w, double **rounded)
{
    /* From the smallest margin that rounding to 53 bits may leave, to margins that change w more and more. */
    static const int margin_bits[] = {50, 47, 44, 40, 34, 26, 18, 10};
    double *try = linpred__alloc((size_t)s->question->rows->columns, sizeof *try);
    int32_t *order = linpred__alloc((size_t)s->rows, sizeof *order);
    linpred_status status = try && order ? LINPRED_OK : LINPRED_ERROR_MEMORY;
    bool good = false;
    if (status == LINPRED_OK) {
        int32_t n = 0;
        for (int pass = 0; pass < 2; pass++) /* rows of the basis first: their <w,z_b> is smallest */
            for (int32_t i = s->anchors; i < s->rows; i++)
                if ((s->basis.row_place[i] >= 0) == (pass == 0))
                    order[n++] = s->global[i];
        good = linpred__round_separating(s->question->rows, order, n, w, try);
        for (size_t k = 0; k < sizeof margin_bits / sizeof margin_bits[0] && !good && status == LINPRED_OK; k++)
            status = round_with_margin(s, order, margin_bits[k], try, &good);
    }
    linpred__release(order);
    if (good)
        *rounded = try;
    else
        linpred__release(try);
    return status;
}

linpred_status linpred__simplex_separated(linpred__simplex *s, linpred__exact_answer *answer)
{
    if (!linpred__integers_open(s->question->rows->columns, &answer->w))
        return LINPRED_ERROR_MEMORY;
    linpred__modular_basis_direction(&s->basis, &s->w, &answer->w);
    answer->kind = LINPRED_SEPARATION_SEPARATED;
    return s->question->round ? round_w(s, &answer->w, &answer->rounded) : LINPRED_OK;
}

/* The weights are 1 on `row` and -alpha_b on the basis, for the integer rows. Row i of doubles is 2^row_exponent_i
   times the integer row (columns aside), so its weight is lambda_i 2^(top - row_exponent_i), an integer. */
linpred_status linpred__simplex_inseparable(linpred__simplex *s, int32_t row, linpred__exact_answer *answer)
{
    int32_t k = s->basis.size, count = 1, top = s->z.row_exponent[row];
    linpred__integers all = {0, NULL};
    for (int32_t b = 0; b < k; b++)
        if (mpz_sgn(s->alpha.numerator.value[b]) != 0) {
            int32_t i = s->basis.row[b];
            count += i >= s->anchors;
            top = s->z.row_exponent[i] > top ? s->z.row_exponent[i] : top;
        }
    answer->row = linpred__alloc((size_t)count, sizeof *answer->row);
    if (!answer->row || !linpred__integers_open(count, &answer->weight) ||
        !linpred__integers_open(s->anchors, &answer->anchor_weight) || !linpred__integers_open(s->rows, &all)) {
        linpred__integers_close(&all);
        return LINPRED_ERROR_MEMORY;
    }
    mpz_mul_2exp(all.value[row], s->alpha.denominator, (mp_bitcnt_t)(top - s->z.row_exponent[row]));
    for (int32_t b = 0; b < k; b++) {
        int32_t i = s->basis.row[b];
        if (mpz_sgn(s->alpha.numerator.value[b]) == 0)
            continue;
        mpz_mul_2exp(all.value[i], s->alpha.numerator.value[b], (mp_bitcnt_t)(top - s->z.row_exponent[i]));
        mpz_neg(all.value[i], all.value[i]);
    }
    linpred__integers_reduce(&all);
    for (int32_t i = 0; i < s->anchors; i++)
        mpz_swap(answer->anchor_weight.value[i], all.value[i]);
    answer->count = 0;
    for (int32_t i = s->anchors; i < s->rows; i++)
        if (mpz_sgn(all.value[i]) != 0) {
            /* The question's rows may be in any order; the answer's rows are sorted by insertion. */
            int32_t at = answer->count++;
            for (; at > 0 && answer->row[at - 1] > s->global[i]; at--) {
                answer->row[at] = answer->row[at - 1];
                mpz_swap(answer->weight.value[at], answer->weight.value[at - 1]);
            }
            answer->row[at] = s->global[i];
            mpz_swap(answer->weight.value[at], all.value[i]);
        }
    linpred__integers_close(&all);
    answer->kind = LINPRED_SEPARATION_INSEPARABLE;
    return LINPRED_OK;
}

void linpred__exact_answer_close(linpred__exact_answer *answer)
{
    linpred__integers_close(&answer->w);
    linpred__release(answer->rounded);
    linpred__release(answer->row);
    linpred__release(answer->basis);
    linpred__integers_close(&answer->weight);
    linpred__integers_close(&answer->anchor_weight);
    memset(answer, 0, sizeof *answer);
}
