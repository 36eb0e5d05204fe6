/* Decides exactly whether rows can be separated, guided by the linear program. Four attempts are made, cheapest first:
 *
 *   1. If the linear program found a ray, the exact simplex runs on the rows of the ray alone.
 *   2. The exact simplex runs on all rows. It begins with the rows of the linear program's basis and makes a few
 * pivots.
 *   3. The linear program is solved again in the coordinates of the basis that the exact simplex reached, and attempts
 *      1 and 2 are repeated with its answer. This is done LINPRED__MAX_COORDINATE_CHANGES times at most.
 *   4. The exact simplex runs on all rows without a limit on pivots.
 */
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "solve/row_signs.h"
#include "solve/exact_lp/coordinates.h"
#include "solve/working/state.h"
#include "solve/limits.h"

linpred_status linpred__working_rows_take_point(const linpred__working_rows *s, double **rounded)
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

/* The question that is asked again and again, and its arrays. The question's `use` and `start` point into them. */
typedef struct attempt {
    linpred__exact_question question;
    const int32_t *use; /* the rows that are not held at zero */
    int32_t used;       /* number of these rows */
    int32_t *support;   /* scratch: the rows of a ray; one place for each working row */
    int32_t *start;     /* the rows that the exact basis begins with; one place for each working row */
    double *lambda;     /* scratch: a ray; one place for each working row */
} attempt;

/* Attempt 1, on the rows of the linear program's ray. `number` maps the program's rows to working rows; NULL: they are
   the same. */
static linpred_status try_ray(const linpred__working_rows *s, attempt *a, linpred__lp *lp, const int32_t *number,
                              linpred__effort *effort, linpred__exact_answer *answer, linpred_error *error)
{
    int32_t supported, kept = 0;
    if (!linpred__lp_ray(lp, a->lambda, a->support, &supported))
        return LINPRED_OK;
    for (int32_t k = 0; k < supported; k++) {
        int32_t i = number ? number[a->support[k]] : a->support[k];
        if (!s->held_at_zero[i])
            a->support[kept++] = i;
    }
    a->question.use = a->question.start = a->support;
    a->question.used = a->question.starts = kept;
    a->question.max_pivots = LINPRED__MAX_PIVOTS_FROM_LP;
    return kept > 0 ? linpred__exact_lp(&a->question, effort, answer, error) : LINPRED_OK;
}

/* Attempts 2 and 4, on all rows, from the first `starts` rows in a->start. max_pivots 0: no limit. */
static linpred_status try_all(attempt *a, int32_t starts, int32_t max_pivots, linpred__effort *effort,
                              linpred__exact_answer *answer, linpred_error *error)
{
    linpred__exact_answer_close(answer);
    a->question.use = a->use;
    a->question.used = a->used;
    a->question.start = a->start;
    a->question.starts = starts;
    a->question.max_pivots = max_pivots;
    return linpred__exact_lp(&a->question, effort, answer, error);
}

/* Turns the solution of the linear program in other coordinates into integers w. The answer becomes SEPARATED if
   <w,z_i> > 0 exactly on every row. */
static linpred_status try_point(const linpred__working_rows *s, const attempt *a,
                                const linpred__coordinates *coordinates, linpred__lp *lp, linpred__effort *effort,
                                linpred__exact_answer *answer)
{
    int32_t columns = linpred__coordinates_rows(coordinates).columns;
    double *u = linpred__alloc((size_t)columns, sizeof *u);
    double *rounded = linpred__alloc((size_t)s->rows.columns, sizeof *rounded);
    linpred__integers w = {0, NULL};
    bool found = false;
    linpred_status status = u && rounded ? LINPRED_OK : LINPRED_ERROR_MEMORY;
    if (status == LINPRED_OK) {
        linpred__lp_point(lp, u);
        status = linpred__coordinates_direction(coordinates, u, effort, &w, &found);
    }
    for (int32_t k = 0; k < a->used && found && status == LINPRED_OK; k++)
        found = linpred__row_sign_integers(&s->rows, a->use[k], &w) > 0;
    if (status == LINPRED_OK && found) {
        linpred__exact_answer_close(answer);
        answer->kind = LINPRED_SEPARATION_SEPARATED;
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

/* Attempt 3. In the coordinates of the basis that the exact simplex reached, the basis rows are unit vectors. Floating
   point can then tell rows apart that it could not tell apart before. */
static linpred_status retry_in_coordinates(const linpred__working_rows *s, attempt *a, linpred__effort *effort,
                                           linpred__exact_answer *answer, linpred_error *error)
{
    linpred__coordinates *coordinates;
    linpred__exact_question question = a->question;
    question.use = a->use;
    question.used = a->used;
    question.start = answer->basis;
    question.starts = answer->basis_rows;
    if (linpred__coordinates_open(&question, effort, &coordinates) != LINPRED_OK)
        return linpred__no_memory(error);
    if (!coordinates)
        return LINPRED_OK;
    linpred__rows rows = linpred__coordinates_rows(coordinates);
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
        try_point(s, a, coordinates, lp, effort, answer) != LINPRED_OK)
        status = linpred__no_memory(error);
    if (status == LINPRED_OK && answer->kind == LINPRED_SEPARATION_UNDECIDED && !effort->over &&
        proposed != LINPRED__LP_FAILED) {
        int32_t tight = linpred__lp_tight_rows(lp, a->start);
        for (int32_t k = 0; k < tight; k++)
            a->start[k] = a->use[a->start[k]];
        linpred__exact_answer_close(answer);
        if (proposed == LINPRED__LP_INFEASIBLE)
            status = try_ray(s, a, lp, a->use, effort, answer, error);
        if (status == LINPRED_OK && answer->kind != LINPRED_SEPARATION_INSEPARABLE)
            status = try_all(a, tight, LINPRED__MAX_PIVOTS_FROM_LP, effort, answer, error);
    }
    linpred__lp_close(lp);
    linpred__coordinates_close(coordinates);
    return status;
}

linpred_status linpred__working_rows_decide(linpred__working_rows *s, const int32_t *use, int32_t used, bool round,
                                            linpred__effort *effort, linpred__exact_answer *answer,
                                            linpred_error *error)
{
    size_t n = (size_t)s->rows.rows;
    attempt a = {.question = {.rows = &s->rows, .anchor = s->anchor, .anchors = s->anchors, .round = round},
                 .use = use,
                 .used = used,
                 .support = linpred__alloc(n, sizeof *a.support),
                 .start = linpred__alloc(n, sizeof *a.start),
                 .lambda = linpred__alloc(n, sizeof *a.lambda)};
    memset(answer, 0, sizeof *answer);
    answer->kind = LINPRED_SEPARATION_UNDECIDED;
    linpred_status status = a.support && a.start && a.lambda ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK && s->proposed == LINPRED__LP_INFEASIBLE)
        status = try_ray(s, &a, s->lp, NULL, effort, answer, error);
    if (status == LINPRED_OK && answer->kind != LINPRED_SEPARATION_INSEPARABLE)
        status =
            try_all(&a, linpred__lp_tight_rows(s->lp, a.start), LINPRED__MAX_PIVOTS_FROM_LP, effort, answer, error);
    for (int change = 0; change < LINPRED__MAX_COORDINATE_CHANGES && status == LINPRED_OK &&
                         answer->kind == LINPRED_SEPARATION_UNDECIDED && answer->basis_rows > 0 && !effort->over;
         change++)
        status = retry_in_coordinates(s, &a, effort, answer, error);
    if (status == LINPRED_OK && answer->kind == LINPRED_SEPARATION_UNDECIDED && answer->basis_rows > 0 &&
        !effort->over) {
        int32_t starts = answer->basis_rows;
        memcpy(a.start, answer->basis, (size_t)starts * sizeof *a.start);
        status = try_all(&a, starts, 0, effort, answer, error);
    }
    linpred__release(a.support);
    linpred__release(a.start);
    linpred__release(a.lambda);
    if (status != LINPRED_OK)
        linpred__exact_answer_close(answer);
    return status;
}
