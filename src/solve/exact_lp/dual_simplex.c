/* The pivots of the exact dual simplex. exact_lp.h describes the method, simplex.h the cost that makes it end. */
#include "solve/exact_lp/exact_lp.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "solve/exact_lp/simplex.h"
#include "solve/limits.h"

static void close_simplex(linpred__simplex *s)
{
    linpred__modular_basis_close(&s->basis);
    linpred__integral_close(&s->z);
    linpred__integers_close(&s->right);
    if (s->w.numerator.value)
        linpred__fractions_close(&s->w);
    if (s->alpha.numerator.value)
        linpred__fractions_close(&s->alpha);
    if (s->multiplier.numerator.value)
        linpred__fractions_close(&s->multiplier);
    linpred__integers_close(&s->cost);
    linpred__release(s->global);
    linpred__release(s->estimate);
    linpred__release(s->uncertain);
}

/* Adds an independent row to the basis, and to the cost with a random factor in [2^20, 2^21). Anchors do not count in
   the cost. */
static void join(linpred__simplex *s, int32_t row, int32_t column)
{
    linpred__modular_basis_grow(&s->basis, row, column);
    if (row < s->anchors)
        return;
    mpz_t factor, scratch;
    mpz_init_set_ui(factor, (1 << 20) + linpred__random_below(&s->random, 1 << 20));
    mpz_init(scratch);
    for (int64_t e = s->z.start[row]; e < s->z.start[row + 1]; e++)
        linpred__integral_add_multiple(&s->z, e, factor, scratch, s->cost.value[s->z.index[e]]);
    mpz_clear(factor);
    mpz_clear(scratch);
}

static double cost_of_step(const linpred__simplex *s)
{
    return 4.0 * (s->basis.size + 1.0) * (s->basis.size + 1.0) + s->z.columns;
}

/* Builds the first basis from the anchors and the independent rows of question->start. *whole is false if the anchors
   are dependent modulo the prime; then they are dependent, or the prime divides a determinant (very unlikely). */
static linpred_status first_basis(linpred__simplex *s, const int32_t *local, bool *whole)
{
    *whole = true;
    for (int32_t i = 0; i < s->anchors; i++) {
        int32_t column = linpred__modular_basis_express(&s->basis, i);
        if (column < 0) {
            *whole = false;
            return LINPRED_OK;
        }
        join(s, i, column);
    }
    for (int32_t k = 0; k < s->question->starts && s->basis.size < s->basis.capacity; k++) {
        int32_t i = local[s->question->start[k]];
        if (i < s->anchors || s->basis.row_place[i] >= 0)
            continue;
        if (!linpred__effort_spend(s->effort, cost_of_step(s)))
            return LINPRED_OK;
        int32_t column = linpred__modular_basis_express(&s->basis, i);
        if (column >= 0)
            join(s, i, column);
    }
    return LINPRED_OK;
}

static linpred_status open_basis(linpred__simplex *s)
{
    if (!linpred__modular_basis_open(&s->z, &s->basis))
        return LINPRED_ERROR_MEMORY;
    s->estimate = linpred__alloc((size_t)s->z.columns, sizeof *s->estimate);
    s->uncertain = linpred__alloc((size_t)s->rows, sizeof *s->uncertain);
    bool made = s->estimate && s->uncertain && linpred__integers_open(s->basis.capacity, &s->right) &&
                linpred__integers_open(s->z.columns, &s->cost);
    return made ? LINPRED_OK : LINPRED_ERROR_MEMORY;
}

/* Opens the simplex with its first basis. Sets *fits to false, and opens no basis, if it could be too large for exact
   work. Sets *whole as first_basis does. */
static linpred_status open_simplex(const linpred__exact_question *question, linpred__effort *effort,
                                   linpred__simplex *s, bool *fits, bool *whole)
{
    memset(s, 0, sizeof *s);
    s->question = question;
    s->effort = effort;
    s->anchors = question->anchors;
    linpred__random_seed(&s->random, 1);
    int32_t asked = question->use ? question->used : question->rows->rows;
    s->global = linpred__alloc((size_t)s->anchors + (size_t)asked, sizeof *s->global);
    int32_t *local = linpred__alloc((size_t)question->rows->rows, sizeof *local);
    if (!s->global || !local) {
        linpred__release(local);
        return LINPRED_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < question->rows->rows; i++)
        local[i] = -1;
    for (int32_t i = 0; i < s->anchors; i++) {
        s->global[i] = question->anchor[i];
        local[question->anchor[i]] = i;
    }
    s->rows = s->anchors;
    for (int32_t i = 0; i < asked; i++) {
        int32_t row = question->use ? question->use[i] : i;
        if (local[row] < 0) {
            local[row] = s->rows;
            s->global[s->rows++] = row;
        }
    }
    linpred_status status = LINPRED_ERROR_MEMORY;
    if (linpred__integral_open(question->rows, s->global, s->rows, &s->z)) {
        *fits = linpred__modular_basis_fits(&s->z);
        status = *fits ? open_basis(s) : LINPRED_OK;
    }
    if (status == LINPRED_OK && *fits)
        status = first_basis(s, local, whole);
    linpred__release(local);
    return status;
}

linpred_status linpred__simplex_solve(linpred__simplex *s, bool transposed, linpred__fractions *x, bool *solved)
{
    return linpred__modular_basis_solve_anew(&s->basis, transposed, &s->right, x, s->effort, solved);
}

static linpred_status solve_for_w(linpred__simplex *s, bool *solved)
{
    for (int32_t b = 0; b < s->basis.size; b++)
        mpz_set_ui(s->right.value[b], s->basis.row[b] >= s->anchors);
    return linpred__simplex_solve(s, false, &s->w, solved);
}

static linpred_status solve_for_alpha(linpred__simplex *s, int32_t row, bool *solved)
{
    linpred__integral_place(&s->z, row, s->basis.column_place, s->basis.size, s->right.value);
    return linpred__simplex_solve(s, true, &s->alpha, solved);
}

static linpred_status solve_for_multiplier(linpred__simplex *s, bool *solved)
{
    for (int32_t j = 0; j < s->basis.size; j++)
        mpz_set(s->right.value[j], s->cost.value[s->basis.column[j]]);
    return linpred__simplex_solve(s, true, &s->multiplier, solved);
}

/* ---- a row as a combination of the basis ------------------------------------------------------------------------- */

/* Whether z_row = Σ alpha_b z_b on the columns outside J too. The equations for alpha hold the columns J alone. */
static linpred_status combination_holds(linpred__simplex *s, int32_t row, bool *holds)
{
    *holds = true;
    if (s->basis.size == s->z.columns)
        return LINPRED_OK;
    linpred__integers rest;
    if (!linpred__integers_open(s->z.columns, &rest))
        return LINPRED_ERROR_MEMORY;
    mpz_t scratch;
    mpz_init(scratch);
    for (int32_t b = -1; b < s->basis.size; b++) {
        int32_t i = b < 0 ? row : s->basis.row[b];
        mpz_ptr factor = b < 0 ? s->alpha.denominator : s->alpha.numerator.value[b];
        if (b == 0) /* rest = denominator · z_row becomes negative before the combination is added */
            for (int32_t j = 0; j < s->z.columns; j++)
                mpz_neg(rest.value[j], rest.value[j]);
        if (mpz_sgn(factor) == 0)
            continue;
        for (int64_t e = s->z.start[i]; e < s->z.start[i + 1]; e++)
            if (s->basis.column_place[s->z.index[e]] < 0)
                linpred__integral_add_multiple(&s->z, e, factor, scratch, rest.value[s->z.index[e]]);
        linpred__effort_spend(s->effort, 30.0 * (double)(s->z.start[i + 1] - s->z.start[i]));
    }
    for (int32_t j = 0; j < s->z.columns && *holds; j++)
        *holds = mpz_sgn(rest.value[j]) == 0;
    mpz_clear(scratch);
    linpred__integers_close(&rest);
    return LINPRED_OK;
}

static bool none_positive(const linpred__simplex *s)
{
    for (int32_t b = 0; b < s->basis.size; b++)
        if (s->basis.row[b] >= s->anchors && mpz_sgn(s->alpha.numerator.value[b]) > 0)
            return false;
    return true;
}

/* The place in B whose row leaves the basis: the smallest mu_b / alpha_b among alpha_b > 0, which keeps all mu >= 0.
   Ties go to the first row. With `bland` it is the first row with alpha_b > 0. Returns -1 if no alpha_b is positive. */
static int32_t choose_leaving(const linpred__simplex *s, bool bland)
{
    int32_t leaving = -1;
    mpz_t here, there;
    mpz_init(here);
    mpz_init(there);
    for (int32_t b = 0; b < s->basis.size; b++) {
        if (s->basis.row[b] < s->anchors || mpz_sgn(s->alpha.numerator.value[b]) <= 0)
            continue;
        int order = -1;
        if (leaving >= 0 && !bland) {
            mpz_mul(here, s->multiplier.numerator.value[b], s->alpha.numerator.value[leaving]);
            mpz_mul(there, s->multiplier.numerator.value[leaving], s->alpha.numerator.value[b]);
            order = mpz_cmp(here, there);
        } else if (leaving >= 0)
            order = 0;
        if (order < 0 || (order == 0 && s->basis.row[b] < s->basis.row[leaving]))
            leaving = b;
    }
    mpz_clear(here);
    mpz_clear(there);
    return leaving;
}

static linpred_status hand_out_basis(const linpred__simplex *s, linpred__exact_answer *answer)
{
    answer->basis = linpred__alloc((size_t)s->basis.size, sizeof *answer->basis);
    if (!answer->basis)
        return LINPRED_ERROR_MEMORY;
    for (int32_t b = 0; b < s->basis.size; b++)
        if (s->basis.row[b] >= s->anchors)
            answer->basis[answer->basis_rows++] = s->global[s->basis.row[b]];
    return LINPRED_OK;
}

/* If the row depends on the basis, computes its alpha exactly and sets *depends. If it is independent, it joins the
   basis. *depends is false also if the effort ran out. If the row depends on the basis modulo the prime only, the next
   prime is tried. */
static linpred_status express(linpred__simplex *s, int32_t row, bool *depends)
{
    *depends = false;
    for (;;) {
        if (!linpred__effort_spend(s->effort, cost_of_step(s)))
            return LINPRED_OK;
        int32_t column = linpred__modular_basis_express(&s->basis, row);
        if (column >= 0) {
            join(s, row, column);
            return LINPRED_OK;
        }
        bool solved;
        linpred_status status = solve_for_alpha(s, row, &solved);
        if (status != LINPRED_OK || !solved)
            return status;
        status = combination_holds(s, row, depends);
        if (status != LINPRED_OK || *depends)
            return status;
        if (!linpred__modular_basis_change_prime(&s->basis))
            return LINPRED_ERROR_INTERNAL;
    }
}

/* If all rows but one are in the basis, the alpha of that row decides without w: the rows are inseparable if no alpha
   is positive. The rows of a ray are usually such a set. */
static linpred_status try_single_row(linpred__simplex *s, linpred__exact_answer *answer)
{
    int32_t row = -1;
    for (int32_t i = s->anchors; i < s->rows; i++)
        if (s->basis.row_place[i] < 0) {
            if (row >= 0)
                return LINPRED_OK;
            row = i;
        }
    if (row < 0)
        return LINPRED_OK;
    bool depends;
    linpred_status status = express(s, row, &depends);
    if (status != LINPRED_OK || !depends)
        return status;
    if (!none_positive(s))
        return LINPRED_OK;
    s->decided = true;
    return linpred__simplex_inseparable(s, row, answer);
}

/* One round of the method: it fills the answer, or adds a row to the basis, or replaces one. */
static linpred_status step(linpred__simplex *s, linpred__exact_answer *answer)
{
    bool solved;
    bool bland = s->pivots > LINPRED__PIVOTS_BEFORE_BLAND + 20 * s->basis.size;
    linpred_status status = solve_for_w(s, &solved);
    if (status != LINPRED_OK || !solved)
        return status;
    int32_t row = linpred__simplex_violated(s, bland);
    if (s->effort->over)
        return LINPRED_OK;
    if (row < 0) {
        s->decided = true;
        return linpred__simplex_separated(s, answer);
    }
    bool depends;
    status = express(s, row, &depends);
    if (status != LINPRED_OK || !depends)
        return status;
    if (none_positive(s)) {
        s->decided = true;
        return linpred__simplex_inseparable(s, row, answer);
    }
    if (!bland) {
        status = solve_for_multiplier(s, &solved);
        if (status != LINPRED_OK || !solved)
            return status;
    }
    int32_t leaving = choose_leaving(s, bland);
    s->pivots++;
    return linpred__modular_basis_replace(&s->basis, leaving, row) ? LINPRED_OK : LINPRED_ERROR_INTERNAL;
}

linpred_status linpred__exact_lp(const linpred__exact_question *question, linpred__effort *effort,
                                 linpred__exact_answer *answer, linpred_error *error)
{
    linpred__exact_answer found;
    memset(&found, 0, sizeof found);
    found.kind = LINPRED_SEPARATION_UNDECIDED;
    linpred__simplex s;
    bool fits = true, whole = false;
    linpred_status status = open_simplex(question, effort, &s, &fits, &whole);
    if (status == LINPRED_OK && whole)
        status = try_single_row(&s, &found);
    while (status == LINPRED_OK && whole && !s.decided && !effort->over &&
           (question->max_pivots == 0 || s.pivots < question->max_pivots))
        status = step(&s, &found);
    found.pivots = s.pivots;
    if (status == LINPRED_OK && fits)
        status = hand_out_basis(&s, &found);
    close_simplex(&s);
    if (status != LINPRED_OK) {
        linpred__exact_answer_close(&found);
        return status == LINPRED_ERROR_MEMORY ? linpred__no_memory(error)
                                              : linpred__fail(error, status, "the exact linear program went astray");
    }
    *answer = found;
    return LINPRED_OK;
}
