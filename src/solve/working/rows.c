/* Working rows are stored, proposed to the linear program, and certified. The header says what each function does. */
#include "solve/working/state.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"

linpred_status linpred__working_rows_open(int32_t columns, const int32_t *column_exponent, linpred__working_rows **out,
                                          linpred_error *error)
{
    linpred__working_rows *s = linpred__calloc(1, sizeof *s);
    if (!s || !linpred__grow(&s->start, &s->start_capacity, 1, sizeof *s->start)) {
        linpred__release(s);
        return linpred__no_memory(error);
    }
    s->start[0] = 0;
    s->rows.columns = columns;
    s->rows.start = s->start;
    s->zero_row = -1;
    linpred_status status = linpred__lp_open(columns, column_exponent, &s->lp, error);
    if (status != LINPRED_OK) {
        linpred__working_rows_close(s);
        return status;
    }
    *out = s;
    return LINPRED_OK;
}

void linpred__working_rows_close(linpred__working_rows *s)
{
    if (!s)
        return;
    linpred__lp_close(s->lp);
    linpred__release(s->values);
    linpred__release(s->indices);
    linpred__release(s->exponents);
    linpred__release(s->start);
    linpred__release(s->carrier);
    linpred__integers_close(&s->carrier_weight);
    linpred__release(s->anchor);
    linpred__release(s->witness);
    linpred__integers_close(&s->witness_weight);
    linpred__release(s->held_at_zero);
    linpred__release(s);
}

const linpred__rows *linpred__working_rows_view(const linpred__working_rows *s)
{
    return &s->rows;
}

const linpred__lp *linpred__working_rows_lp(const linpred__working_rows *s)
{
    return s->lp;
}

/* Makes room for the exponents of so many entries, if the new rows or those before have any. */
static bool grow_exponents(linpred__working_rows *s, const linpred__rows *rows, size_t old, size_t entries)
{
    bool first = !s->exponents;
    if (first && !rows->exponents)
        return true;
    if (!linpred__grow(&s->exponents, &s->exponents_capacity, entries, sizeof *s->exponents))
        return false;
    for (size_t k = 0; first && k < old; k++)
        s->exponents[k] = 0;
    return true;
}

linpred_status linpred__working_rows_add(linpred__working_rows *s, const linpred__rows *rows, int32_t first,
                                         int32_t count, linpred_error *error)
{
    size_t old = (size_t)s->start[s->rows.rows], entries = old;
    for (int32_t i = first; i < first + count; i++)
        entries += (size_t)linpred__row_of(rows, i).count;
    size_t n = (size_t)s->rows.rows + (size_t)count;
    if (n > INT32_MAX / 2)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "too many working rows");
    if (!linpred__grow(&s->values, &s->values_capacity, entries, sizeof *s->values) ||
        !linpred__grow(&s->indices, &s->indices_capacity, entries, sizeof *s->indices) ||
        !grow_exponents(s, rows, old, entries) ||
        !linpred__grow(&s->start, &s->start_capacity, n + 1, sizeof *s->start) ||
        !linpred__grow(&s->held_at_zero, &s->held_capacity, n, sizeof *s->held_at_zero))
        return linpred__no_memory(error);
    linpred__rows grown = {(int32_t)n, s->rows.columns, s->values, s->start, s->indices, s->exponents};
    s->rows.values = s->values; /* the arrays may have moved, and the view must be valid if a later step fails */
    s->rows.start = s->start;
    s->rows.indices = s->indices;
    s->rows.exponents = s->exponents;
    int64_t at = (int64_t)old;
    for (int32_t i = 0; i < count; i++) {
        linpred__entries row = linpred__row_of(rows, first + i);
        int32_t place = s->rows.rows + i;
        for (int32_t k = 0; k < row.count; k++)
            if (row.values[k] != 0.0) {
                s->values[at] = row.values[k];
                if (s->exponents)
                    s->exponents[at] = (int16_t)linpred__entry_exponent(rows, first + i, k);
                s->indices[at++] = linpred__entry_column(&row, k);
            }
        s->start[place + 1] = at;
        s->held_at_zero[place] = false;
    }
    linpred_status status = linpred__lp_add(s->lp, &grown, s->rows.rows, count, error);
    if (status != LINPRED_OK)
        return status;
    for (int32_t i = s->rows.rows; i < grown.rows && s->zero_row < 0; i++)
        if (s->start[i] == s->start[i + 1])
            s->zero_row = i;
    s->rows = grown;
    s->current = false;
    return LINPRED_OK;
}

linpred_status linpred__working_rows_run_lp(linpred__working_rows *s, bool (*stop)(void *context), void *context,
                                            linpred_error *error)
{
    if (s->current)
        return LINPRED_OK;
    linpred_status status = linpred__lp_solve(s->lp, stop, context, &s->proposed, error);
    s->current = status == LINPRED_OK && s->proposed != LINPRED__LP_STOPPED;
    return status;
}

linpred_status linpred__working_rows_propose(linpred__working_rows *s, bool (*stop)(void *context), void *context,
                                             linpred__lp_answer *answer, double *w, double *lambda,
                                             linpred_error *error)
{
    linpred_status status = linpred__working_rows_run_lp(s, stop, context, error);
    if (status != LINPRED_OK)
        return status;
    if (s->proposed == LINPRED__LP_FEASIBLE)
        linpred__lp_point(s->lp, w);
    if (s->proposed == LINPRED__LP_INFEASIBLE && lambda && !linpred__lp_ray(s->lp, lambda, NULL, NULL))
        memset(lambda, 0, (size_t)s->rows.rows * sizeof *lambda);
    *answer = s->proposed;
    return LINPRED_OK;
}

linpred_status linpred__copy_weighted(int32_t count, const int32_t *from, const linpred__integers *weights,
                                      int32_t **row, linpred__integers *weight)
{
    int32_t *copy = linpred__alloc((size_t)count, sizeof *copy);
    if (!copy || !linpred__integers_copy(weights, weight)) {
        linpred__release(copy);
        return LINPRED_ERROR_MEMORY;
    }
    memcpy(copy, from, (size_t)count * sizeof *copy);
    *row = copy;
    return LINPRED_OK;
}

linpred_status linpred__single_weighted(int32_t row, int32_t **rows, linpred__integers *weight)
{
    linpred__integers one;
    if (!linpred__integers_open(1, &one))
        return LINPRED_ERROR_MEMORY;
    mpz_set_ui(one.value[0], 1);
    linpred_status status = linpred__copy_weighted(1, &row, &one, rows, weight);
    linpred__integers_close(&one);
    return status;
}

linpred_status linpred__working_rows_certify(linpred__working_rows *s, linpred__effort *effort,
                                             linpred__exact_answer *answer, linpred_error *error)
{
    linpred__exact_answer found;
    memset(&found, 0, sizeof found);
    found.kind = LINPRED_SEPARATION_UNDECIDED;
    linpred_status status = LINPRED_OK;
    if (s->zero_row >= 0 || s->witnesses > 0) { /* a witness stays valid when rows are added */
        found.kind = LINPRED_SEPARATION_INSEPARABLE;
        found.count = s->zero_row >= 0 ? 1 : s->witnesses;
        status = s->zero_row >= 0
                     ? linpred__single_weighted(s->zero_row, &found.row, &found.weight)
                     : linpred__copy_weighted(s->witnesses, s->witness, &s->witness_weight, &found.row, &found.weight);
        if (status != LINPRED_OK)
            return linpred__no_memory(error);
        *answer = found;
        return LINPRED_OK;
    }
    status = linpred__working_rows_run_lp(s, effort->stop, effort->context, error);
    if (status == LINPRED_OK && s->proposed == LINPRED__LP_FEASIBLE &&
        linpred__working_rows_take_point(s, &found.rounded) != LINPRED_OK)
        status = linpred__no_memory(error);
    if (status != LINPRED_OK)
        return status;
    if (found.rounded)
        found.kind = LINPRED_SEPARATION_SEPARATED;
    else if (s->proposed != LINPRED__LP_STOPPED) {
        int32_t *all = linpred__alloc((size_t)s->rows.rows, sizeof *all);
        for (int32_t i = 0; all && i < s->rows.rows; i++)
            all[i] = i;
        status = all ? linpred__working_rows_decide(s, all, s->rows.rows, true, effort, &found, error)
                     : linpred__no_memory(error);
        linpred__release(all);
    }
    if (status == LINPRED_OK)
        *answer = found;
    return status;
}
