/* Counts regions by the recursion of regions.h. A hyperplane depends only on the line that its normal spans, so each
 * level of the recursion keeps distinct lines, each as its shortest integer vector. */
#include "theory/regions.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "num/gmp64.h"
#include "num/modular.h"

typedef struct vector {
    mpz_t *entry;
    int32_t width;
} vector;

/* The lines of one level: at depth k the vectors modulo k others, in which they have width - k entries. */
typedef struct recursion_level {
    linpred__integers store;
    vector *line;
    int32_t lines;
} recursion_level;

typedef struct work {
    int32_t width;          /* entries of a vector at depth 0 */
    int32_t count;          /* of vectors at depth 0; no level has more lines */
    recursion_level *level; /* level[depth] */
    uint64_t *residue;      /* scratch for are_independent: the lines modulo a prime */
    linpred__effort *effort;
    mpz_t divisor; /* scratch for one integer */
    bool no_memory;
} work;

static bool going(const work *w)
{
    return !w->no_memory && !w->effort->over;
}

/* Counts the work for one vector of a quotient; the constants include the common divisor and the sorting. */
static void spend(work *w, const mpz_t *entry, int32_t width)
{
    double limbs = 1.0;
    for (int32_t j = 0; j < width; j++)
        limbs += (double)mpz_size(entry[j]);
    linpred__effort_spend(w->effort, 240.0 * width + 80.0 * limbs);
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* Replaces a vector by the shortest integer vector on the same line whose first nonzero entry is positive. False if the
   vector is 0. */
static bool make_primitive(work *w, mpz_t *entry, int32_t width)
{
    int sign = 0;
    mpz_set_ui(w->divisor, 0);
    for (int32_t j = 0; j < width; j++) {
        mpz_gcd(w->divisor, w->divisor, entry[j]);
        sign = sign ? sign : mpz_sgn(entry[j]);
    }
    if (sign < 0)
        mpz_neg(w->divisor, w->divisor);
    if (sign != 0 && mpz_cmp_ui(w->divisor, 1) != 0)
        for (int32_t j = 0; j < width; j++)
            mpz_divexact(entry[j], entry[j], w->divisor);
    return sign != 0;
}

static int by_entries(const void *a, const void *b)
{
    const vector *x = a, *y = b;
    int order = 0;
    for (int32_t j = 0; j < x->width && order == 0; j++)
        order = mpz_cmp(x->entry[j], y->entry[j]);
    return order;
}

/* Sorts the lines and removes duplicates. */
static void keep_distinct(recursion_level *level)
{
    qsort(level->line, (size_t)level->lines, sizeof *level->line, by_entries);
    int32_t kept = 0;
    for (int32_t i = 0; i < level->lines; i++)
        if (kept == 0 || by_entries(&level->line[kept - 1], &level->line[i]) != 0)
            level->line[kept++] = level->line[i];
    level->lines = kept;
}

/* Allocates a level on first use; false if out of memory. */
static bool open_level(work *w, int32_t depth)
{
    recursion_level *level = &w->level[depth];
    if (level->line)
        return true;
    level->line = linpred__alloc((size_t)w->count, sizeof *level->line);
    if (!level->line || !linpred__integers_open(w->count * (w->width - depth), &level->store)) {
        w->no_memory = true;
        return false;
    }
    return true;
}

/* Makes the next level from the lines 0 … i-1 modulo line i, v. With a column c in which v_c != 0, u becomes v_c u -
   u_c v without column c. The result is never 0, because the lines differ. */
static void make_quotient(work *w, int32_t depth, int32_t i)
{
    const recursion_level *from = &w->level[depth];
    recursion_level *to = &w->level[depth + 1];
    int32_t width = w->width - depth, c = 0;
    mpz_t *v = from->line[i].entry;
    while (mpz_sgn(v[c]) == 0)
        c++;
    to->lines = 0;
    for (int32_t k = 0; k < i && going(w); k++) {
        mpz_t *u = from->line[k].entry, *made = to->store.value + (size_t)k * (size_t)(width - 1);
        for (int32_t j = 0, at = 0; j < width; j++)
            if (j != c) {
                mpz_mul(made[at], v[c], u[j]);
                mpz_submul(made[at++], u[c], v[j]);
            }
        spend(w, made, width - 1);
        make_primitive(w, made, width - 1);
        to->line[to->lines++] = (vector){made, width - 1};
    }
    keep_distinct(to);
}

/* ---- counting ---------------------------------------------------------------------------------------------------- */

/* Tries to prove by elimination modulo a prime that the lines are independent. False means that they may be either. */
static bool are_independent(work *w, const recursion_level *level, int32_t width)
{
    uint64_t p = linpred__prime(0);
    if (level->lines > width)
        return false;
    for (int32_t i = 0; i < level->lines; i++) {
        uint64_t *row = w->residue + (size_t)i * (size_t)width;
        for (int32_t j = 0; j < width; j++)
            row[j] = linpred__mpz_mod_uint64(level->line[i].entry[j], p);
        for (int32_t k = 0; k < i; k++) { /* the first nonzero entry of row k is its pivot, and is 1 */
            const uint64_t *pivot = w->residue + (size_t)k * (size_t)width;
            int32_t c = 0;
            while (pivot[c] == 0)
                c++;
            linpred__mod_subtract_multiple(row, row[c], pivot, width, p);
        }
        int32_t c = 0;
        while (c < width && row[c] == 0)
            c++;
        if (c == width)
            return false;
        linpred__mod_factor by = linpred__mod_prepare(linpred__mod_inverse(row[c], p), p);
        for (int32_t j = c; j < width; j++)
            row[j] = linpred__mod_times(by, row[j], p);
    }
    linpred__effort_spend(w->effort, 3.0 * level->lines * level->lines * width);
    return true;
}

/* Adds the regions of the lines at `depth` to the count: 2^n for n independent lines, 2n for n lines in a plane, else
   by the recursion. */
static void add_regions(work *w, int32_t depth, mpz_t count)
{
    const recursion_level *level = &w->level[depth];
    int32_t n = level->lines, width = w->width - depth;
    if (n <= 2 || are_independent(w, level, width)) {
        mpz_set_ui(w->divisor, 0);
        mpz_setbit(w->divisor, (mp_bitcnt_t)n);
        mpz_add(count, count, w->divisor);
        return;
    }
    if (width == 2) {
        linpred__mpz_add_uint64(count, count, 2 * (uint64_t)n);
        return;
    }
    if (!open_level(w, depth + 1))
        return;
    for (int32_t i = n - 1; i >= 0 && going(w); i--) {
        make_quotient(w, depth, i);
        if (i == n - 1 && w->level[depth + 1].lines == 1) { /* all lines lie in one plane */
            linpred__mpz_add_uint64(count, count, 2 * (uint64_t)n);
            return;
        }
        add_regions(w, depth + 1, count);
    }
    mpz_add_ui(count, count, 1); /* no hyperplane is left: the whole space is one region */
}

linpred_status linpred__count_regions(linpred__integers *vectors, int32_t n, int32_t width, linpred__effort *effort,
                                      mpz_t count, bool *counted)
{
    work w = {.width = width, .count = n, .effort = effort};
    size_t square = (size_t)(n < width ? n : width);
    w.level = linpred__calloc((size_t)width + 1, sizeof *w.level);
    w.residue = linpred__alloc(square * (size_t)width, sizeof *w.residue);
    mpz_init(w.divisor);
    mpz_set_ui(count, 0);
    w.no_memory = !w.level || !w.residue;
    bool zero = false;
    if (!w.no_memory) {
        recursion_level *first = &w.level[0];
        first->line = linpred__alloc((size_t)n, sizeof *first->line);
        w.no_memory = !first->line;
        for (int32_t i = 0; i < n && !w.no_memory; i++) {
            mpz_t *entry = vectors->value + (size_t)i * (size_t)width;
            zero = !make_primitive(&w, entry, width) || zero;
            first->line[first->lines++] = (vector){entry, width};
        }
        if (!w.no_memory && !zero) { /* if v_i = 0, <w,v_i> is 0 for every w, and the count is 0 */
            keep_distinct(first);
            add_regions(&w, 0, count);
        }
    }
    for (int32_t depth = 0; w.level && depth <= width; depth++) {
        linpred__integers_close(&w.level[depth].store);
        linpred__release(w.level[depth].line);
    }
    linpred__release(w.level);
    linpred__release(w.residue);
    mpz_clear(w.divisor);
    *counted = !effort->over;
    return w.no_memory ? LINPRED_ERROR_MEMORY : LINPRED_OK;
}
