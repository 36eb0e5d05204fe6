#include "solve/separation.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "solve/coordinates.h"
#include "solve/span.h"

enum { FEW_PIVOTS = 15, CLOSER_LOOKS = 4 };

struct linpred__separation {
    linpred__rows rows; /* sparse, pointing at the arrays below */
    double *values;
    int32_t *indices;
    int64_t *start;
    size_t values_room;
    size_t indices_room;
    size_t start_room;
    linpred__lp *lp;
    linpred__lp_answer proposed;
    bool current; /* `proposed` speaks of the rows as they are now */
    /* Three-way: carriers have positive weights that combine them to zero; anchors are independent carriers with the
       same span. Both stay true whatever rows are added. */
    int32_t zero_row; /* the first row without entries, -1 if none */
    int32_t carriers;
    int32_t *carrier;
    linpred__integers carrier_weight;
    int32_t anchors;
    int32_t *anchor;
    int32_t witnesses; /* the first minimal set found */
    int32_t *witness;
    linpred__integers witness_weight;
    bool *bound; /* rows held at zero in the linear program */
    size_t bound_room;
};

linpred_status linpred__separation_open(int32_t columns, const int32_t *column_exponent, linpred__separation **out,
                                        linpred_error *error)
{
    linpred__separation *s = linpred__calloc(1, sizeof *s);
    if (!s || !linpred__grow(&s->start, &s->start_room, 1, sizeof *s->start)) {
        linpred__release(s);
        return linpred__no_memory(error);
    }
    s->start[0] = 0;
    s->rows.columns = columns;
    s->rows.start = s->start;
    s->zero_row = -1;
    linpred_status status = linpred__lp_open(columns, column_exponent, &s->lp, error);
    if (status != LINPRED_OK) {
        linpred__separation_close(s);
        return status;
    }
    *out = s;
    return LINPRED_OK;
}

void linpred__separation_close(linpred__separation *s)
{
    if (!s)
        return;
    linpred__lp_close(s->lp);
    linpred__release(s->values);
    linpred__release(s->indices);
    linpred__release(s->start);
    linpred__release(s->carrier);
    linpred__integers_close(&s->carrier_weight);
    linpred__release(s->anchor);
    linpred__release(s->witness);
    linpred__integers_close(&s->witness_weight);
    linpred__release(s->bound);
    linpred__release(s);
}

const linpred__rows *linpred__separation_rows(const linpred__separation *s)
{
    return &s->rows;
}

const linpred__lp *linpred__separation_lp(const linpred__separation *s)
{
    return s->lp;
}

linpred_status linpred__separation_add(linpred__separation *s, const linpred__rows *rows, int32_t first, int32_t count,
                                       linpred_error *error)
{
    size_t old = (size_t)s->start[s->rows.rows], entries = old;
    for (int32_t i = first; i < first + count; i++)
        entries += (size_t)linpred__row_of(rows, i).count;
    size_t n = (size_t)s->rows.rows + (size_t)count;
    if (n > INT32_MAX / 2)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "too many working rows");
    if (!linpred__grow(&s->values, &s->values_room, entries, sizeof *s->values) ||
        !linpred__grow(&s->indices, &s->indices_room, entries, sizeof *s->indices) ||
        !linpred__grow(&s->start, &s->start_room, n + 1, sizeof *s->start) ||
        !linpred__grow(&s->bound, &s->bound_room, n, sizeof *s->bound))
        return linpred__no_memory(error);
    linpred__rows grown = {(int32_t)n, s->rows.columns, s->values, s->start, s->indices};
    s->rows.values = s->values; /* the arrays may have moved, whatever becomes of the rest */
    s->rows.start = s->start;
    s->rows.indices = s->indices;
    int64_t at = (int64_t)old;
    for (int32_t i = 0; i < count; i++) {
        linpred__row row = linpred__row_of(rows, first + i);
        int32_t place = s->rows.rows + i;
        for (int32_t k = 0; k < row.count; k++)
            if (row.values[k] != 0.0) {
                s->values[at] = row.values[k];
                s->indices[at++] = linpred__row_column(&row, k);
            }
        s->start[place + 1] = at;
        s->bound[place] = false;
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

static linpred_status run_lp(linpred__separation *s, bool (*stop)(void *context), void *context, linpred_error *error)
{
    if (s->current)
        return LINPRED_OK;
    linpred_status status = linpred__lp_solve(s->lp, stop, context, &s->proposed, error);
    s->current = status == LINPRED_OK && s->proposed != LINPRED__LP_STOPPED;
    return status;
}

linpred_status linpred__separation_propose(linpred__separation *s, bool (*stop)(void *context), void *context,
                                           linpred__lp_answer *answer, double *w, double *lambda,
                                           linpred_error *error)
{
    linpred_status status = run_lp(s, stop, context, error);
    if (status != LINPRED_OK)
        return status;
    if (s->proposed == LINPRED__LP_FEASIBLE)
        linpred__lp_point(s->lp, w);
    if (s->proposed == LINPRED__LP_INFEASIBLE && lambda && !linpred__lp_ray(s->lp, lambda, NULL, NULL))
        memset(lambda, 0, (size_t)s->rows.rows * sizeof *lambda);
    *answer = s->proposed;
    return LINPRED_OK;
}

/* ---- the exact answer with the linear program's help ---------------------------------------------------------------- */

/* The linear program's w, if it separates all rows for certain; else *rounded stays NULL. */
static linpred_status take_point(const linpred__separation *s, double **rounded)
{
    double *w = linpred__alloc((size_t)s->rows.columns, sizeof *w);
    if (!w)
        return LINPRED_ERROR_MEMORY;
    linpred__lp_point(s->lp, w);
    for (int32_t i = 0; i < s->rows.rows; i++)
        if (linpred__row_sign(&s->rows, i, w) <= 0) {
            linpred__release(w);
            return LINPRED_OK;
        }
    *rounded = w;
    return LINPRED_OK;
}

/* What decide() works on; the question's `use`, `start` point into the arrays here. */
typedef struct attempt {
    linpred__exact_question question;
    const int32_t *use; /* rows that are not held at zero */
    int32_t used;
    int32_t *support;
    int32_t *start;
    double *lambda;
} attempt;

/* Exactly, on the few rows of the linear program's ray. `number` maps its rows to working rows (NULL: the same). */
static linpred_status try_ray(const linpred__separation *s, attempt *a, linpred__lp *lp, const int32_t *number,
                              linpred__effort *effort, linpred__exact_answer *answer, linpred_error *error)
{
    int32_t supported, kept = 0;
    if (!linpred__lp_ray(lp, a->lambda, a->support, &supported))
        return LINPRED_OK;
    for (int32_t k = 0; k < supported; k++) {
        int32_t i = number ? number[a->support[k]] : a->support[k];
        if (!s->bound[i])
            a->support[kept++] = i;
    }
    a->question.use = a->question.start = a->support;
    a->question.used = a->question.starts = kept;
    a->question.most_pivots = FEW_PIVOTS; /* more, and the ray was wrong */
    return kept > 0 ? linpred__exact_lp(&a->question, effort, answer, error) : LINPRED_OK;
}

/* Exactly, on all rows, from the rows in a->start. */
static linpred_status try_all(attempt *a, int32_t starts, int32_t most_pivots, linpred__effort *effort,
                              linpred__exact_answer *answer, linpred_error *error)
{
    linpred__exact_answer_close(answer);
    a->question.use = a->use;
    a->question.used = a->used;
    a->question.start = a->start;
    a->question.starts = starts;
    a->question.most_pivots = most_pivots;
    return linpred__exact_lp(&a->question, effort, answer, error);
}

/* A point of the linear program in other coordinates, as integers: taken if it is positive on every row. */
static linpred_status try_point(const linpred__separation *s, const attempt *a, const linpred__coordinates *close,
                                linpred__lp *lp, linpred__effort *effort, linpred__exact_answer *answer)
{
    int32_t columns = linpred__coordinates_rows(close).columns;
    double *u = linpred__alloc((size_t)columns, sizeof *u);
    double *rounded = linpred__alloc((size_t)s->rows.columns, sizeof *rounded);
    linpred__integers w = {0, NULL};
    bool found = false;
    linpred_status status = u && rounded ? LINPRED_OK : LINPRED_ERROR_MEMORY;
    if (status == LINPRED_OK) {
        linpred__lp_point(lp, u);
        status = linpred__coordinates_direction(close, u, effort, &w, &found);
    }
    for (int32_t k = 0; k < a->used && found && status == LINPRED_OK; k++)
        found = linpred__row_sign_integers(&s->rows, a->use[k], &w) > 0;
    if (status == LINPRED_OK && found) {
        linpred__exact_answer_close(answer);
        answer->verdict = LINPRED__SEPARATED;
        answer->w = w;
        if (a->question.round && linpred__round_separating(&s->rows, a->use, a->used, &w, rounded)) {
            answer->rounded = rounded;
            rounded = NULL;
        }
    } else
        linpred__integers_close(&w);
    linpred__release(u);
    linpred__release(rounded);
    return status;
}

/* The linear program anew in the coordinates of the basis that exact work has come to: what was too fine for floating
   point is not any more. */
static linpred_status look_closer(const linpred__separation *s, attempt *a, linpred__effort *effort,
                                  linpred__exact_answer *answer, linpred_error *error)
{
    linpred__coordinates *close;
    if (linpred__coordinates_open(&s->rows, a->use, a->used, s->anchor, s->anchors, answer->basis, answer->basis_rows,
                                  effort, &close) != LINPRED_OK)
        return linpred__no_memory(error);
    if (!close)
        return LINPRED_OK;
    linpred__rows rows = linpred__coordinates_rows(close);
    linpred__lp *lp = NULL;
    linpred__lp_answer proposed = LINPRED__LP_FAILED;
    linpred_status status = linpred__lp_open(rows.columns, NULL, &lp, error);
    if (status == LINPRED_OK)
        status = linpred__lp_add(lp, &rows, 0, a->used, error);
    if (status == LINPRED_OK)
        status = linpred__lp_solve(lp, effort->stop, effort->context, &proposed, error);
    if (status == LINPRED_OK && proposed == LINPRED__LP_STOPPED)
        effort->over = true;
    if (status == LINPRED_OK && proposed == LINPRED__LP_FEASIBLE &&
        try_point(s, a, close, lp, effort, answer) != LINPRED_OK)
        status = linpred__no_memory(error);
    if (status == LINPRED_OK && answer->verdict == LINPRED__UNDECIDED && !effort->over &&
        proposed != LINPRED__LP_FAILED) {
        int32_t tight = linpred__lp_tight(lp, a->start);
        for (int32_t k = 0; k < tight; k++)
            a->start[k] = a->use[a->start[k]];
        linpred__exact_answer_close(answer);
        if (proposed == LINPRED__LP_INFEASIBLE)
            status = try_ray(s, a, lp, a->use, effort, answer, error);
        if (status == LINPRED_OK && answer->verdict != LINPRED__INSEPARABLE)
            status = try_all(a, tight, FEW_PIVOTS, effort, answer, error);
    }
    linpred__lp_close(lp);
    linpred__coordinates_close(close);
    return status;
}

/* First on the few rows of the ray, if there is one, then on all. */
static linpred_status decide(linpred__separation *s, const int32_t *use, int32_t used, bool round,
                             linpred__effort *effort, linpred__exact_answer *answer, linpred_error *error)
{
    size_t n = (size_t)s->rows.rows;
    attempt a = {.question = {.rows = &s->rows, .anchor = s->anchor, .anchors = s->anchors, .round = round},
                 .use = use,
                 .used = used,
                 .support = linpred__alloc(n, sizeof *a.support),
                 .start = linpred__alloc(n, sizeof *a.start),
                 .lambda = linpred__alloc(n, sizeof *a.lambda)};
    memset(answer, 0, sizeof *answer);
    linpred_status status = a.support && a.start && a.lambda ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK && s->proposed == LINPRED__LP_INFEASIBLE)
        status = try_ray(s, &a, s->lp, NULL, effort, answer, error);
    if (status == LINPRED_OK && answer->verdict != LINPRED__INSEPARABLE)
        status = try_all(&a, linpred__lp_tight(s->lp, a.start), FEW_PIVOTS, effort, answer, error);
    for (int closer = 0; closer < CLOSER_LOOKS && status == LINPRED_OK && answer->verdict == LINPRED__UNDECIDED &&
                         answer->basis_rows > 0 && !effort->over;
         closer++)
        status = look_closer(s, &a, effort, answer, error);
    if (status == LINPRED_OK && answer->verdict == LINPRED__UNDECIDED && answer->basis_rows > 0 && !effort->over) {
        int32_t starts = answer->basis_rows;
        memcpy(a.start, answer->basis, (size_t)starts * sizeof *a.start);
        status = try_all(&a, starts, 0, effort, answer, error);
    }
    linpred__release(a.support);
    linpred__release(a.start);
    linpred__release(a.lambda);
    return status;
}

static linpred_status copy_rows(int32_t count, const int32_t *from, const linpred__integers *weights, int32_t **row,
                                linpred__integers *weight)
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

/* One row of weight 1: a row of zeros. */
static linpred_status single_row(int32_t row, int32_t **rows, linpred__integers *weight)
{
    linpred__integers one;
    if (!linpred__integers_open(1, &one))
        return LINPRED_ERROR_MEMORY;
    mpz_set_ui(one.value[0], 1);
    linpred_status status = copy_rows(1, &row, &one, rows, weight);
    linpred__integers_close(&one);
    return status;
}

linpred_status linpred__separation_settle(linpred__separation *s, linpred__effort *effort,
                                          linpred__exact_answer *answer, linpred_error *error)
{
    linpred__exact_answer found;
    memset(&found, 0, sizeof found);
    linpred_status status = LINPRED_OK;
    if (s->zero_row >= 0 || s->witnesses > 0) { /* nothing that is added can make these separable */
        found.verdict = LINPRED__INSEPARABLE;
        found.count = s->zero_row >= 0 ? 1 : s->witnesses;
        status = s->zero_row >= 0 ? single_row(s->zero_row, &found.row, &found.weight)
                                  : copy_rows(s->witnesses, s->witness, &s->witness_weight, &found.row, &found.weight);
        if (status != LINPRED_OK)
            return linpred__no_memory(error);
        *answer = found;
        return LINPRED_OK;
    }
    status = run_lp(s, effort->stop, effort->context, error);
    if (status == LINPRED_OK && s->proposed == LINPRED__LP_FEASIBLE &&
        take_point(s, &found.rounded) != LINPRED_OK)
        status = linpred__no_memory(error);
    if (status != LINPRED_OK)
        return status;
    if (found.rounded)
        found.verdict = LINPRED__SEPARATED;
    else if (s->proposed != LINPRED__LP_STOPPED) {
        int32_t *all = linpred__alloc((size_t)s->rows.rows, sizeof *all);
        for (int32_t i = 0; all && i < s->rows.rows; i++)
            all[i] = i;
        status = all ? decide(s, all, s->rows.rows, true, effort, &found, error) : linpred__no_memory(error);
        linpred__release(all);
    }
    if (status == LINPRED_OK)
        *answer = found;
    return status;
}

/* ---- three ways ------------------------------------------------------------------------------------------------------ */

/* Rows in the span of the anchors (rows of zeros among them) are held at zero from now on. Answers how many are not. */
static linpred_status hold_span(linpred__separation *s, int32_t *use, int32_t *used, linpred_error *error)
{
    linpred__span *span = NULL;
    linpred_status status = linpred__span_open(&s->rows, s->anchor, s->anchors, 1, &span, error);
    *used = 0;
    for (int32_t i = 0; i < s->rows.rows && status == LINPRED_OK; i++) {
        linpred__row row = linpred__row_of(&s->rows, i);
        if (!s->bound[i] && linpred__span_may_hold(span, &row)) {
            status = linpred__lp_bind(s->lp, i, LINPRED__LP_ZERO, error);
            s->bound[i] = true;
            s->current = false;
        }
        if (!s->bound[i])
            use[(*used)++] = i;
    }
    linpred__span_close(span);
    return status;
}

/* The new minimal set joins the carriers. Modulo the span its weights are positive and combine it to zero; what is
   missing is a combination of anchors, made positive by adding enough of the carriers' own zero sum. */
static linpred_status join_carriers(linpred__separation *s, const linpred__exact_answer *set)
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
    for (int32_t k = 0; k + 1 < set->count; k++) /* all but one of a minimal set are independent */
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
        linpred_status status = copy_rows(set->count, set->row, &set->weight, &s->witness, &s->witness_weight);
        if (status != LINPRED_OK)
            return status;
        s->witnesses = set->count;
    }
    return LINPRED_OK;
}

static linpred_status fill_carriers(const linpred__separation *s, linpred__three_way_answer *answer)
{
    linpred_status status = LINPRED_OK;
    answer->rank = s->anchors;
    if (s->carriers > 0) {
        status = copy_rows(s->carriers, s->carrier, &s->carrier_weight, &answer->carrier, &answer->carrier_weight);
        answer->carriers = status == LINPRED_OK ? s->carriers : 0;
    } else if (s->zero_row >= 0) {
        status = single_row(s->zero_row, &answer->carrier, &answer->carrier_weight);
        answer->carriers = status == LINPRED_OK;
    }
    if (status != LINPRED_OK)
        return status;
    if (s->zero_row >= 0) {
        status = single_row(s->zero_row, &answer->witness, &answer->witness_weight);
        answer->witnesses = status == LINPRED_OK;
    } else if (s->witnesses > 0) {
        status = copy_rows(s->witnesses, s->witness, &s->witness_weight, &answer->witness, &answer->witness_weight);
        answer->witnesses = status == LINPRED_OK ? s->witnesses : 0;
    }
    return status;
}

/* Rows were held at zero because one prime said that they lie in the span: now for certain. */
static bool vanishes_on_held(const linpred__separation *s, const linpred__integers *direction)
{
    for (int32_t i = 0; i < s->rows.rows; i++)
        if (s->bound[i] && linpred__row_sign_integers(&s->rows, i, direction) != 0)
            return false;
    return true;
}

static linpred_status three_way(linpred__separation *s, int32_t *use, linpred__effort *effort,
                                linpred__three_way_answer *answer, linpred_error *error)
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
                answer->kind = LINPRED__THREE_WAY_OVERLAPPING;
            return status == LINPRED_OK && fill_carriers(s, answer) != LINPRED_OK ? linpred__no_memory(error) : status;
        }
        status = run_lp(s, effort->stop, effort->context, error);
        if (status != LINPRED_OK || s->proposed == LINPRED__LP_STOPPED)
            return status;
        if (!carried && s->proposed == LINPRED__LP_FEASIBLE) {
            if (take_point(s, &answer->rounded) != LINPRED_OK)
                return linpred__no_memory(error);
            if (answer->rounded) {
                answer->kind = LINPRED__THREE_WAY_SEPARATED;
                return LINPRED_OK;
            }
        }
        linpred__exact_answer found;
        status = decide(s, use, used, !carried, effort, &found, error);
        if (status != LINPRED_OK || found.verdict == LINPRED__UNDECIDED)
            return status;
        if (found.verdict == LINPRED__SEPARATED) {
            if (carried && !vanishes_on_held(s, &found.w)) {
                linpred__exact_answer_close(&found);
                return LINPRED_OK;
            }
            answer->kind = carried ? LINPRED__THREE_WAY_QUASI_SEPARATED : LINPRED__THREE_WAY_SEPARATED;
            answer->direction = found.w;
            answer->rounded = found.rounded;
            return fill_carriers(s, answer) == LINPRED_OK ? LINPRED_OK : linpred__no_memory(error);
        }
        status = join_carriers(s, &found);
        linpred__exact_answer_close(&found);
        if (status != LINPRED_OK)
            return linpred__no_memory(error);
    }
}

linpred_status linpred__separation_three_way(linpred__separation *s, linpred__effort *effort,
                                             linpred__three_way_answer *answer, linpred_error *error)
{
    linpred__three_way_answer found;
    memset(&found, 0, sizeof found);
    int32_t *use = linpred__alloc((size_t)s->rows.rows, sizeof *use);
    linpred_status status = use ? three_way(s, use, effort, &found, error) : linpred__no_memory(error);
    linpred__release(use);
    if (status != LINPRED_OK)
        linpred__three_way_answer_close(&found);
    else
        *answer = found;
    return status;
}

void linpred__three_way_answer_close(linpred__three_way_answer *answer)
{
    linpred__integers_close(&answer->direction);
    linpred__release(answer->rounded);
    linpred__release(answer->carrier);
    linpred__integers_close(&answer->carrier_weight);
    linpred__release(answer->witness);
    linpred__integers_close(&answer->witness_weight);
    memset(answer, 0, sizeof *answer);
}
