/* Householder QR in double-double, and the least-squares solution from its triangle. The header has the formulas. */
#include "solve/dense/dd_qr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solve/limits.h"

static const linpred__dd zero = {0.0, 0.0};

/* sum + a b */
static inline linpred__dd add_product(linpred__dd sum, linpred__dd a, linpred__dd b)
{
    return linpred__dd_add(sum, linpred__dd_multiply(a, b));
}

static linpred__dd dot_dd(int32_t n, const linpred__dd *a, const linpred__dd *b)
{
    linpred__dd sum = zero;
    for (int32_t i = 0; i < n; i++)
        sum = add_product(sum, a[i], b[i]);
    return sum;
}

/* Finds the reflection I - v v'/beta, with v = (lead, x), that maps (head, x) to (norm, 0). `below` is <x, x>. Returns
   false if x is zero. */
static bool reflection(linpred__dd head, linpred__dd below, linpred__dd *lead, linpred__dd *beta, linpred__dd *norm)
{
    if (below.hi <= 0.0)
        return false;
    linpred__dd length = linpred__dd_square_root(add_product(below, head, head));
    if (head.hi > 0.0)
        length = linpred__dd_negate(length);
    *norm = length;
    *lead = linpred__dd_add(head, linpred__dd_negate(length));
    *beta = linpred__dd_negate(linpred__dd_multiply(length, *lead)); /* v'v / 2 */
    return beta->hi > 0.0;
}

/* Brings numbers whose squares leave the range of doubles to a size of about 1, by a power of two. `head` is one more
   of them. Returns its exponent; 0: they are left as they are. */
static int bring_in_range(int32_t n, linpred__dd *x, linpred__dd *head)
{
    double largest = fabs(head->hi);
    for (int32_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i].hi));
    int exponent = largest > 0.0 && isfinite(largest) ? ilogb(largest) : 0;
    if (abs(exponent) < LINPRED__QR_FAR_EXPONENT)
        return 0;
    for (int32_t i = 0; i < n; i++)
        x[i] = (linpred__dd){ldexp(x[i].hi, -exponent), ldexp(x[i].lo, -exponent)};
    *head = (linpred__dd){ldexp(head->hi, -exponent), ldexp(head->lo, -exponent)};
    return exponent;
}

void linpred__dd_qr_absorb(int32_t n, linpred__dd *r, int32_t rows, int64_t stride, linpred__dd *b)
{
    for (int32_t j = 0; j < n; j++) {
        linpred__dd *head = r + (size_t)j * (size_t)n, *x = b + j * stride, first = head[j], lead, beta, norm;
        int exponent = bring_in_range(rows, x, &first); /* no other column is multiplied by it */
        if (!reflection(first, dot_dd(rows, x, x), &lead, &beta, &norm))
            continue;
        head[j] = exponent != 0 ? (linpred__dd){ldexp(norm.hi, exponent), ldexp(norm.lo, exponent)} : norm;
        for (int32_t k = j + 1; k < n; k++) {
            linpred__dd *y = b + k * stride;
            linpred__dd s = add_product(dot_dd(rows, x, y), lead, head[k]);
            s = linpred__dd_negate(linpred__dd_divide(s, beta));
            head[k] = add_product(head[k], s, lead);
            for (int32_t i = 0; i < rows; i++)
                y[i] = add_product(y[i], s, x[i]);
        }
    }
}

void linpred__dd_solution_clear(linpred__dd_solution *solution)
{
    linpred__release(solution->order);
    linpred__release(solution->w);
    linpred__release(solution->factor);
    linpred__release(solution->null);
    *solution = (linpred__dd_solution){0};
}

/* Fills a, by columns, with the columns of R scaled to length 1, and z last. `length` gets the length of each
   column. */
static void scale_columns(int32_t p, const linpred__dd *r, linpred__dd *a, linpred__dd *length)
{
    size_t n = (size_t)p + 1;
    for (size_t j = 0; j < n; j++) {
        linpred__dd *column = a + j * (size_t)p;
        for (size_t i = 0; i < (size_t)p; i++)
            column[i] = i <= j ? r[i * n + j] : zero;
        if (j == (size_t)p)
            continue;
        linpred__dd none = zero;
        int exponent = bring_in_range(p, column, &none);
        linpred__dd whole = linpred__dd_square_root(dot_dd(p, column, column));
        for (size_t i = 0; whole.hi > 0.0 && i <= j; i++)
            column[i] = linpred__dd_divide(column[i], whole);
        length[j] = (linpred__dd){ldexp(whole.hi, exponent), ldexp(whole.lo, exponent)};
    }
}

/* Chooses column `now` as number k. The reflection that makes it zero below row k is applied to it, to the `lefts`
   columns in `left`, and to z. */
static void take_column(int32_t p, linpred__dd *a, int32_t now, int32_t k, const int32_t *left, int32_t lefts)
{
    linpred__dd *x = a + (size_t)now * (size_t)p, lead, beta, norm;
    if (!reflection(x[k], dot_dd(p - k - 1, x + k + 1, x + k + 1), &lead, &beta, &norm))
        return;
    for (int32_t l = 0; l <= lefts; l++) {
        linpred__dd *y = a + (size_t)(l < lefts ? left[l] : p) * (size_t)p;
        linpred__dd s = add_product(dot_dd(p - k - 1, x + k + 1, y + k + 1), lead, y[k]);
        s = linpred__dd_negate(linpred__dd_divide(s, beta));
        y[k] = add_product(y[k], s, lead);
        for (int32_t i = k + 1; i < p; i++)
            y[i] = add_product(y[i], s, x[i]);
    }
    x[k] = norm;
    for (int32_t i = k + 1; i < p; i++)
        x[i] = zero;
}

/* x <- R11^-1 x, where R11 is the triangle of the first `rank` columns chosen. */
static void solve_taken(int32_t p, const linpred__dd *a, const int32_t *order, int32_t rank, linpred__dd *x)
{
    for (int32_t i = rank - 1; i >= 0; i--) {
        linpred__dd sum = x[i];
        for (int32_t j = i + 1; j < rank; j++)
            sum = add_product(sum, linpred__dd_negate(a[(size_t)order[j] * (size_t)p + (size_t)i]), x[j]);
        x[i] = linpred__dd_divide(sum, a[(size_t)order[i] * (size_t)p + (size_t)i]);
    }
}

/* The triangle while its solution is read off. */
struct triangle {
    int32_t p;
    linpred__dd *a;      /* by columns, each scaled to length 1, and z last */
    linpred__dd *length; /* of the columns before they were scaled */
    linpred__dd *x;      /* scratch, p long */
    double *left;        /* of each column, the part that is beside the span of those chosen before it */
    double *reach;       /* of each row of R11^-1, its length */
    int32_t *few;        /* scratch: some of the columns chosen */
    linpred__dd *q;      /* scratch: LINPRED__NULL_VECTOR_PARTS + 1 columns, and a triangle of them */
};

/* Lists in t->few the columns chosen, by their number, on which a column depends by more than its rounding error. x_i
   is the part of column number i. Its error is about `left` times `reach`. Returns their number. */
static int32_t list_parts(const struct triangle *t, int32_t column, int32_t rank)
{
    double unit = 64.0 * sqrt((double)t->p) * fmax(t->left[column], LINPRED__DD_QR_ROUNDING);
    int32_t count = 0;
    for (int32_t i = 0; i < rank; i++)
        if (fabs(t->x[i].hi) > unit * t->reach[i])
            t->few[count++] = i;
    return count;
}

/* x <- the least-squares parts of a column by the columns t->few alone, by Gram-Schmidt on them. Returns the length of
   what is left of the column. The others' parts become 0. */
static double solve_few(const struct triangle *t, int32_t column, int32_t count, const linpred__dd_solution *s)
{
    size_t n = (size_t)t->p, rank = (size_t)s->rank, few = (size_t)count;
    linpred__dd *x = t->x, *q = t->q, *y = q + few * rank, *r = y + rank;
    memcpy(y, t->a + (size_t)column * n, rank * sizeof *y);
    for (size_t i = 0; i < few; i++)
        memcpy(q + i * rank, t->a + (size_t)s->order[t->few[i]] * n, rank * sizeof *q);
    for (size_t i = 0; i < few; i++) {
        linpred__dd *qi = q + i * rank, square = dot_dd(s->rank, qi, qi);
        for (size_t k = i; k <= few; k++) { /* the last is y; r_ik is how much of q_i column k has */
            linpred__dd *to = q + k * rank, along = linpred__dd_divide(dot_dd(s->rank, qi, to), square);
            r[i * (few + 1) + k] = along;
            for (size_t j = 0; k > i && j < rank; j++)
                to[j] = add_product(to[j], linpred__dd_negate(along), qi[j]);
        }
    }
    for (size_t i = 0; i < rank; i++)
        x[i] = zero;
    for (size_t i = few; i-- > 0;) {
        linpred__dd sum = r[i * (few + 1) + few];
        for (size_t k = i + 1; k < few; k++)
            sum = add_product(sum, linpred__dd_negate(r[i * (few + 1) + k]), x[t->few[k]]);
        x[t->few[i]] = sum;
    }
    return sqrt(dot_dd(s->rank, y, y).hi);
}

/* Writes the null vector of a column that depends on those chosen: 1 in its own place, -R11^-1 times the column in
   theirs. If a few of them do as well, the others' places are 0: their parts are rounding. */
static void write_null(const struct triangle *t, int32_t column, double threshold, const linpred__dd_solution *s,
                       linpred__dd *null)
{
    linpred__dd *x = t->x;
    null[column].hi = 1.0;
    if (t->length[column].hi == 0.0)
        return;
    memcpy(x, t->a + (size_t)column * (size_t)t->p, (size_t)t->p * sizeof *x);
    solve_taken(t->p, t->a, s->order, s->rank, x);
    int32_t count = list_parts(t, column, s->rank);
    if (count < s->rank && count <= LINPRED__NULL_VECTOR_PARTS && solve_few(t, column, count, s) > threshold) {
        memcpy(x, t->a + (size_t)column * (size_t)t->p, (size_t)t->p * sizeof *x);
        solve_taken(t->p, t->a, s->order, s->rank, x);
    }
    for (int32_t i = 0; i < s->rank; i++)
        if (x[i].hi != 0.0)
            null[s->order[i]] = linpred__dd_negate(
                linpred__dd_divide(linpred__dd_multiply(x[i], t->length[column]), t->length[s->order[i]]));
}

/* Fills w and the factor S from the triangle, and `reach`. Dividing by the lengths undoes the scaling of columns. */
static void read_off(const struct triangle *t, linpred__dd_solution *s)
{
    int32_t p = t->p, rank = s->rank;
    size_t n = (size_t)p;
    const linpred__dd *a = t->a, *length = t->length;
    linpred__dd *x = t->x;
    double inverse = 0.0, direct = 0.0;
    memcpy(x, a + n * n, n * sizeof *x);
    solve_taken(p, a, s->order, rank, x);
    for (int32_t i = 0; i < rank; i++)
        s->w[s->order[i]] = linpred__dd_divide(x[i], length[s->order[i]]);
    for (int32_t k = 0; k < rank; k++) {
        memset(x, 0, n * sizeof *x);
        x[k].hi = 1.0;
        solve_taken(p, a, s->order, k + 1, x);
        for (int32_t i = 0; i <= k; i++) {
            t->reach[i] = hypot(t->reach[i], x[i].hi);
            inverse += x[i].hi * x[i].hi;
            direct += a[(size_t)s->order[k] * n + (size_t)i].hi * a[(size_t)s->order[k] * n + (size_t)i].hi;
            s->factor[(size_t)s->order[i] * n + (size_t)k] = linpred__dd_divide(x[i], length[s->order[i]]);
        }
    }
    s->condition = rank > 0 ? sqrt(inverse) * sqrt(direct) : 1.0;
}

/* Chooses the columns in their sequence. */
static void choose(struct triangle *t, const int32_t *sequence, double threshold, const bool *distinct,
                   linpred__dd_solution *s)
{
    int32_t p = t->p, aside = p;
    size_t n = (size_t)p;
    for (int32_t i = 0; i < p; i++) {
        int32_t now = sequence[i];
        linpred__dd *column = t->a + (size_t)now * n;
        t->left[now] = sqrt(dot_dd(p - s->rank, column + s->rank, column + s->rank).hi);
        double least = distinct && distinct[now] ? 64.0 * LINPRED__DD_QR_ROUNDING : threshold;
        if (t->length[now].hi > 0.0 && t->left[now] > least) {
            take_column(p, t->a, now, s->rank, sequence + i + 1, p - i - 1);
            s->order[s->rank++] = now;
        } else { /* the column depends on those chosen; what is left of it is rounding */
            s->order[--aside] = now;
            memset(column + s->rank, 0, (n - (size_t)s->rank) * sizeof *column);
        }
    }
}

bool linpred__dd_solve(int32_t p, const linpred__dd *r, const int32_t *sequence, double threshold, const bool *distinct,
                       linpred__dd_solution *solution)
{
    size_t n = (size_t)p, parts = LINPRED__NULL_VECTOR_PARTS + 1;
    linpred__dd_solution s = {.order = linpred__alloc(n + 1, sizeof(int32_t)),
                              .w = linpred__calloc(n, sizeof(linpred__dd)),
                              .factor = linpred__calloc(n * n, sizeof(linpred__dd)),
                              .null = linpred__calloc(n * n, sizeof(linpred__dd))};
    struct triangle t = {.p = p,
                         .a = linpred__alloc(n * (n + 1), sizeof *t.a),
                         .length = linpred__alloc(n, sizeof *t.length),
                         .x = linpred__alloc(n, sizeof *t.x),
                         .left = linpred__calloc(n, sizeof *t.left),
                         .reach = linpred__calloc(n, sizeof *t.reach),
                         .few = linpred__alloc(n, sizeof *t.few),
                         .q = linpred__alloc(parts * (n + parts), sizeof *t.q)};
    bool complete = s.order && s.w && s.factor && s.null && t.a && t.length && t.x && t.left && t.reach && t.few && t.q;
    if (complete) {
        scale_columns(p, r, t.a, t.length);
        choose(&t, sequence, threshold, distinct, &s);
        read_off(&t, &s);
        for (int32_t k = s.rank; k < p; k++)
            write_null(&t, s.order[k], threshold, &s, s.null + (size_t)(k - s.rank) * n);
    }
    linpred__release(t.a);
    linpred__release(t.length);
    linpred__release(t.x);
    linpred__release(t.left);
    linpred__release(t.reach);
    linpred__release(t.few);
    linpred__release(t.q);
    if (!complete)
        linpred__dd_solution_clear(&s);
    else
        *solution = s;
    return complete;
}
