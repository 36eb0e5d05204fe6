#include "solve/exact_lp.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"
#include "solve/basis.h"

enum { PATIENCE = 2000 }; /* changes of basis before Bland's rule takes over */

/* Rows here are local: 0 .. anchors-1 are the anchors, then the rows asked about. */
typedef struct simplex {
    const linpred__exact_question *question;
    linpred__effort *effort;
    linpred__random random;
    int32_t anchors;
    int32_t rows;
    int32_t *global; /* the row's number in the question's view */
    linpred__integral z;
    linpred__basis basis;
    linpred__integers right; /* scratch for right sides, as long as a basis can get */
    linpred__fractions w;    /* by places in J: <w, integer row b> = 1 */
    linpred__fractions alpha;
    double *estimate;   /* w by columns, times 2^-scale */
    /* To end soon, something must grow with every change of basis: the value of  minimise <c,w>  for a cost c that is a
       random positive combination of the first basis. */
    linpred__integers cost;         /* c on the integer columns */
    linpred__fractions multiplier;  /* mu with c = sum mu_b z_b */
    bool *uncertain;
    int32_t pivots;
    bool decided;
} simplex;

static void close_simplex(simplex *s)
{
    linpred__basis_close(&s->basis);
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

static void join(simplex *s, int32_t row, int32_t column)
{
    linpred__basis_grow(&s->basis, row, column);
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

static double cost_of_step(const simplex *s)
{
    return 4.0 * (s->basis.size + 1.0) * (s->basis.size + 1.0) + s->z.columns;
}

/* Anchors, then whatever is independent among the rows to start with. */
static linpred_status first_basis(simplex *s, const int32_t *local, bool *whole)
{
    *whole = true;
    for (int32_t i = 0; i < s->anchors; i++) {
        int32_t column = linpred__basis_express(&s->basis, i);
        if (column < 0) {
            *whole = false; /* dependent anchors, or a very unlucky prime */
            return LINPRED_OK;
        }
        join(s, i, column);
    }
    for (int32_t k = 0; k < s->question->starts && s->basis.size < s->basis.room; k++) {
        int32_t i = local[s->question->start[k]];
        if (i < s->anchors || s->basis.row_place[i] >= 0)
            continue;
        if (!linpred__effort_spend(s->effort, cost_of_step(s)))
            return LINPRED_OK;
        int32_t column = linpred__basis_express(&s->basis, i);
        if (column >= 0)
            join(s, i, column);
    }
    return LINPRED_OK;
}

static linpred_status open_simplex(const linpred__exact_question *question, linpred__effort *effort, simplex *s,
                                   bool *whole)
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
        status = linpred__basis_open(&s->z, &s->basis);
        if (status == LINPRED_OK) {
            s->estimate = linpred__alloc((size_t)s->z.columns, sizeof *s->estimate);
            s->uncertain = linpred__alloc((size_t)s->rows, sizeof *s->uncertain);
            if (!s->estimate || !s->uncertain || !linpred__integers_open(s->basis.room, &s->right) ||
                !linpred__integers_open(s->z.columns, &s->cost))
                status = LINPRED_ERROR_MEMORY;
        }
    }
    if (status == LINPRED_OK)
        status = first_basis(s, local, whole);
    linpred__release(local);
    return status;
}

/* Solves with s->right into *x, which is opened anew to the size of the basis. */
static linpred_status solve(simplex *s, bool transposed, linpred__fractions *x, bool *solved)
{
    if (x->numerator.value)
        linpred__fractions_close(x);
    memset(x, 0, sizeof *x);
    if (!linpred__fractions_open(s->basis.size, x)) {
        x->numerator.value = NULL;
        return LINPRED_ERROR_MEMORY;
    }
    int32_t room = s->right.count;
    s->right.count = s->basis.size;
    linpred_status status = linpred__basis_solve(&s->basis, transposed, &s->right, x, s->effort, solved);
    s->right.count = room;
    return status;
}

static linpred_status solve_for_w(simplex *s, bool *solved)
{
    for (int32_t b = 0; b < s->basis.size; b++)
        mpz_set_ui(s->right.value[b], s->basis.row[b] >= s->anchors);
    return solve(s, false, &s->w, solved);
}

static linpred_status solve_for_alpha(simplex *s, int32_t row, bool *solved)
{
    for (int32_t j = 0; j < s->basis.size; j++)
        mpz_set_ui(s->right.value[j], 0);
    for (int64_t e = s->z.start[row]; e < s->z.start[row + 1]; e++) {
        int32_t j = s->basis.column_place[s->z.index[e]];
        if (j >= 0)
            linpred__integral_get(&s->z, e, s->right.value[j]);
    }
    return solve(s, true, &s->alpha, solved);
}

static linpred_status solve_for_multiplier(simplex *s, bool *solved)
{
    for (int32_t j = 0; j < s->basis.size; j++)
        mpz_set(s->right.value[j], s->cost.value[s->basis.column[j]]);
    return solve(s, true, &s->multiplier, solved);
}

/* ---- which row does w violate? ------------------------------------------------------------------------------------ */

/* estimate_j = w_j 2^(column_top_j - column_exponent_j - scale), to 4 units in the last place; answers scale. */
static long estimate_w(simplex *s)
{
    long below, scale = -1000000;
    double denominator = linpred__integer_fraction(s->w.denominator, &below);
    for (int32_t j = 0; j < s->z.columns; j++)
        s->estimate[j] = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t k = 0; k < s->basis.size; k++) {
            long exponent;
            int32_t j = s->basis.column[k];
            double fraction = linpred__integer_fraction(s->w.numerator.value[k], &exponent);
            exponent += s->z.column_top[j] - s->z.column_exponent[j] - below;
            if (fraction == 0)
                continue;
            if (pass == 0)
                scale = exponent > scale ? exponent : scale;
            else if (exponent - scale > -2000)
                s->estimate[j] = ldexp(fraction / denominator, (int)(exponent - scale));
        }
    return scale;
}

/* Whether <w, integer row> < 1, in integers. */
static bool violates_exactly(simplex *s, int32_t row, mpz_t sum, mpz_t scratch)
{
    mpz_neg(sum, s->w.denominator);
    for (int64_t e = s->z.start[row]; e < s->z.start[row + 1]; e++) {
        int32_t j = s->basis.column_place[s->z.index[e]];
        if (j >= 0)
            linpred__integral_add_multiple(&s->z, e, s->w.numerator.value[j], scratch, sum);
    }
    linpred__effort_spend(s->effort, (double)(s->z.start[row + 1] - s->z.start[row]) *
                                         (20 + (double)mpz_size(s->w.denominator)));
    return mpz_sgn(sum) < 0;
}

/* -1: none. `least`: the first in order (Bland); otherwise the most violated for its size. */
static int32_t find_violated(simplex *s, bool least)
{
    long scale = estimate_w(s);
    int32_t worst = -1;
    double most = 0;
    mpz_t sum, scratch;
    mpz_init(sum);
    mpz_init(scratch);
    for (int32_t i = s->anchors; i < s->rows; i++) {
        s->uncertain[i] = false;
        if (s->basis.row_place[i] >= 0)
            continue;
        long exponent = s->z.row_exponent[i] - scale;
        double one = exponent < -1100 ? 0 : ldexp(1, exponent > 900 ? 900 : (int)exponent);
        double value = 0, size = one;
        int64_t entries = s->z.start[i + 1] - s->z.start[i];
        for (int64_t e = s->z.start[i]; e < s->z.start[i + 1]; e++) {
            double product = s->z.scaled[e] * s->estimate[s->z.index[e]];
            value += product;
            size += fabs(product);
        }
        double bound = size * ((double)entries + 8) * 0x1p-52 + ((double)entries + 2) * 0x1p-1050;
        double missing = one - value;
        bool violated = missing > bound;
        if (!violated && missing >= -bound) {
            if (least)
                violated = violates_exactly(s, i, sum, scratch);
            else
                s->uncertain[i] = true;
        }
        if (!violated)
            continue;
        if (least) {
            worst = i;
            break;
        }
        double measure = missing / (s->z.size[i] + 0x1p-1000);
        if (worst < 0 || measure > most) {
            most = measure;
            worst = i;
        }
    }
    for (int32_t i = s->anchors; i < s->rows && worst < 0 && !least && !s->effort->over; i++)
        if (s->uncertain[i] && violates_exactly(s, i, sum, scratch))
            worst = i;
    mpz_clear(sum);
    mpz_clear(scratch);
    linpred__effort_spend(s->effort, 2.0 * (double)s->z.start[s->rows]);
    return worst;
}

/* ---- the row as a combination of the basis ------------------------------------------------------------------------- */

/* Whether z_row = sum alpha_b z_b on the columns outside J too: there the lifting has not looked. */
static linpred_status combination_holds(simplex *s, int32_t row, bool *holds)
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
        if (b == 0) /* the row itself counts negative from here on: rest = den z_row, then minus the combination */
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

static bool none_positive(const simplex *s)
{
    for (int32_t b = 0; b < s->basis.size; b++)
        if (s->basis.row[b] >= s->anchors && mpz_sgn(s->alpha.numerator.value[b]) > 0)
            return false;
    return true;
}

/* The place in B to leave. The least mu_b / alpha_b keeps all mu >= 0, so that the value grows; on ties, and with
   `least`, the first row. -1: no alpha_b is positive. */
static int32_t choose_leaving(const simplex *s, bool least)
{
    int32_t leaving = -1;
    mpz_t here, there;
    mpz_init(here);
    mpz_init(there);
    for (int32_t b = 0; b < s->basis.size; b++) {
        if (s->basis.row[b] < s->anchors || mpz_sgn(s->alpha.numerator.value[b]) <= 0)
            continue;
        int order = -1;
        if (leaving >= 0 && !least) {
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

/* ---- answers ------------------------------------------------------------------------------------------------------- */

/* w with more room at the tight rows: <w,z_b> = 1 + 2^-slack sum_j |w_j z_bj| instead of 1, so that rounding each w_j to
   53 bits cannot undo it. Where other rows bear it, this is the point to round. */
static linpred_status round_with_slack(simplex *s, const int32_t *order, int slack, double *rounded, bool *good)
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
        mpz_mul_2exp(scratch, s->w.denominator, (mp_bitcnt_t)slack);
        mpz_fdiv_q(s->right.value[b], sum, scratch);
        mpz_add_ui(s->right.value[b], s->right.value[b], 1);
        if (i < s->anchors)
            mpz_set_ui(s->right.value[b], 0);
    }
    mpz_clear(sum);
    mpz_clear(scratch);
    bool solved;
    linpred_status status = solve(s, false, &s->alpha, &solved);
    linpred__integers w;
    if (status != LINPRED_OK || !solved)
        return status;
    if (!linpred__integers_open(s->question->rows->columns, &w))
        return LINPRED_ERROR_MEMORY;
    linpred__basis_direction(&s->basis, &s->alpha, &w);
    *good = linpred__round_separating(s->question->rows, order, s->rows - s->anchors, &w, rounded);
    linpred__integers_close(&w);
    return LINPRED_OK;
}

static linpred_status round_w(simplex *s, const linpred__integers *w, double **rounded)
{
    static const int slack[] = {50, 47, 44, 40, 34, 26, 18, 10};
    double *try = linpred__alloc((size_t)s->question->rows->columns, sizeof *try);
    int32_t *order = linpred__alloc((size_t)s->rows, sizeof *order);
    linpred_status status = try && order ? LINPRED_OK : LINPRED_ERROR_MEMORY;
    bool good = false;
    if (status == LINPRED_OK) {
        int32_t n = 0;
        for (int pass = 0; pass < 2; pass++) /* tight rows first */
            for (int32_t i = s->anchors; i < s->rows; i++)
                if ((s->basis.row_place[i] >= 0) == (pass == 0))
                    order[n++] = s->global[i];
        good = linpred__round_separating(s->question->rows, order, n, w, try);
        for (size_t k = 0; k < sizeof slack / sizeof slack[0] && !good && status == LINPRED_OK; k++)
            status = round_with_slack(s, order, slack[k], try, &good);
    }
    linpred__release(order);
    if (good)
        *rounded = try;
    else
        linpred__release(try);
    return status;
}

static linpred_status answer_separated(simplex *s, linpred__exact_answer *answer)
{
    if (!linpred__integers_open(s->question->rows->columns, &answer->w))
        return LINPRED_ERROR_MEMORY;
    linpred__basis_direction(&s->basis, &s->w, &answer->w);
    answer->verdict = LINPRED__SEPARATED;
    return s->question->round ? round_w(s, &answer->w, &answer->rounded) : LINPRED_OK;
}

/* lambda_i 2^-row_exponent_i on the doubles, for lambda on the integer rows; the common divisor goes. */
static linpred_status answer_inseparable(simplex *s, int32_t row, linpred__exact_answer *answer)
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
            /* Rows may have been asked about in any order. */
            int32_t at = answer->count++;
            for (; at > 0 && answer->row[at - 1] > s->global[i]; at--) {
                answer->row[at] = answer->row[at - 1];
                mpz_swap(answer->weight.value[at], answer->weight.value[at - 1]);
            }
            answer->row[at] = s->global[i];
            mpz_swap(answer->weight.value[at], all.value[i]);
        }
    linpred__integers_close(&all);
    answer->verdict = LINPRED__INSEPARABLE;
    return LINPRED_OK;
}

static linpred_status hand_out_basis(const simplex *s, linpred__exact_answer *answer)
{
    answer->basis = linpred__alloc((size_t)s->basis.size, sizeof *answer->basis);
    if (!answer->basis)
        return LINPRED_ERROR_MEMORY;
    for (int32_t b = 0; b < s->basis.size; b++)
        if (s->basis.row[b] >= s->anchors)
            answer->basis[answer->basis_rows++] = s->global[s->basis.row[b]];
    return LINPRED_OK;
}

/* alpha for a row, exactly; or the row joins the basis, because it is independent (*depends false; also if the effort ran
   out). */
static linpred_status express(simplex *s, int32_t row, bool *depends)
{
    *depends = false;
    for (;;) {
        if (!linpred__effort_spend(s->effort, cost_of_step(s)))
            return LINPRED_OK;
        int32_t column = linpred__basis_express(&s->basis, row);
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
        if (!linpred__basis_change_prime(&s->basis))
            return LINPRED_ERROR_INTERNAL;
    }
}

/* The rows of a ray are as a rule a basis and one more row: then alpha alone decides, w need not be known. */
static linpred_status try_single_row(simplex *s, linpred__exact_answer *answer)
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
    return answer_inseparable(s, row, answer);
}

/* One round: the answer, or a change of basis. */
static linpred_status step(simplex *s, linpred__exact_answer *answer)
{
    bool solved;
    bool least = s->pivots > PATIENCE + 20 * s->basis.size;
    linpred_status status = solve_for_w(s, &solved);
    if (status != LINPRED_OK || !solved)
        return status;
    int32_t row = find_violated(s, least);
    if (s->effort->over)
        return LINPRED_OK;
    if (row < 0) {
        s->decided = true;
        return answer_separated(s, answer);
    }
    bool depends;
    status = express(s, row, &depends);
    if (status != LINPRED_OK || !depends)
        return status;
    if (none_positive(s)) {
        s->decided = true;
        return answer_inseparable(s, row, answer);
    }
    if (!least) {
        status = solve_for_multiplier(s, &solved);
        if (status != LINPRED_OK || !solved)
            return status;
    }
    int32_t leaving = choose_leaving(s, least);
    s->pivots++;
    return linpred__basis_replace(&s->basis, leaving, row) ? LINPRED_OK : LINPRED_ERROR_INTERNAL;
}

linpred_status linpred__exact_lp(const linpred__exact_question *question, linpred__effort *effort,
                                 linpred__exact_answer *answer, linpred_error *error)
{
    linpred__exact_answer found;
    memset(&found, 0, sizeof found);
    simplex s;
    bool whole = false;
    linpred_status status = open_simplex(question, effort, &s, &whole);
    bool too_large = status == LINPRED_ERROR_USAGE;
    if (too_large)
        status = LINPRED_OK;
    else if (status == LINPRED_OK && whole)
        status = try_single_row(&s, &found);
    while (status == LINPRED_OK && !too_large && whole && !s.decided && !effort->over &&
           (question->most_pivots == 0 || s.pivots < question->most_pivots))
        status = step(&s, &found);
    found.pivots = s.pivots;
    if (status == LINPRED_OK && !too_large)
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
