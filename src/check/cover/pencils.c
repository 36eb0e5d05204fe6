/* Sweeps pencils of hyperplanes (see pencils.h).
 *
 * With f and g orthogonal to the rows that are fixed, row z is the vector (<f,z>, <g,z>) of the plane. Vectors below
 * the first axis are turned round; `flipped` remembers it. Then the line through 0 at angle φ has on its left the
 * vectors whose angle is larger. If the rows on the left are to be right, the flipped ones among them are wrong, and so
 * are the others on the right.
 */
#include "check/cover/pencils.h"

#include <math.h>
#include <stdatomic.h>

#include "check/limits.h"
#include "core/memory.h"
#include "num/dd.h"

/* A row as a vector of the plane. */
struct vector {
    int32_t row; /* number of the row in `whole` */
    bool flipped;
    bool exact;          /* x and y are exact */
    double x, y;         /* as computed; of a flipped row they have the opposite sign */
    double off_x, off_y; /* bounds: their errors are at most half of them */
};

enum { NUMBERS = 4 };

/* A pencil, and what it is swept with. */
struct pencil {
    const linpred__row_set *set;
    int32_t *through;       /* the columns - 2 rows that are fixed */
    int32_t last;           /* the last of them; -1: none is */
    mpz_t *f, *g;           /* orthogonal to these rows */
    double *fd, *gd;        /* the same, rounded */
    struct vector *vector;  /* of the rows that do not depend on those that are fixed */
    struct vector *scratch; /* for sorting */
    int32_t vectors;
    int32_t *on; /* rows on the hyperplane; first those that depend on the rows that are fixed */
    int32_t dependent;
    mpz_t *number; /* scratch: NUMBERS of them */
    int64_t best;  /* the smallest cost so far, at most the limit */
    bool failed;   /* memory ran out */
};

/* ---- vectors ---- */

/* Sets number to <f,z> exactly. */
static void find_exactly(const struct pencil *pencil, const mpz_t *f, int32_t row, mpz_t number)
{
    const linpred__row_set *set = pencil->set;
    mpz_set_ui(number, 0);
    for (int32_t j = 0; j < set->columns; j++)
        mpz_addmul(number, f[j], set->whole->z[(int64_t)row * set->whole->columns + set->column[j]]);
}

/* Makes the vector of a row. Returns false if it is 0. */
static bool make_vector(struct pencil *pencil, int32_t row, struct vector *vector)
{
    const linpred__row_set *set = pencil->set;
    const double *z = set->whole->value + (int64_t)row * set->whole->columns;
    double x = 0.0, y = 0.0, size_x = 0.0, size_y = 0.0;
    for (int32_t j = 0; j < set->columns; j++) {
        double a = pencil->fd[j] * z[set->column[j]], b = pencil->gd[j] * z[set->column[j]];
        x += a;
        y += b;
        size_x += fabs(a);
        size_y += fabs(b);
    }
    bool exact = size_x < 0x1p52 && size_y < 0x1p52; /* integers: nothing was rounded, but for factors of a 0 */
    double unit = exact ? 0.0 : (set->columns + 4.0) * 0x1p-52, off_x = unit * size_x, off_y = unit * size_y;
    int side = (y > off_y) - (y < -off_y);
    *vector = (struct vector){.row = row, .exact = exact, .x = x, .y = y, .off_x = off_x, .off_y = off_y};
    if (side == 0 && !exact) {
        find_exactly(pencil, pencil->g, row, pencil->number[0]);
        side = mpz_sgn(pencil->number[0]);
    }
    if (side == 0) {
        vector->y = vector->off_y = 0.0;
        find_exactly(pencil, pencil->f, row, pencil->number[0]);
        side = mpz_sgn(pencil->number[0]);
    }
    vector->flipped = side < 0;
    if (vector->flipped) {
        vector->x = -vector->x;
        vector->y = -vector->y;
    }
    return side != 0;
}

/* Compares x_b y_a with x_a y_b in integers. */
static int compare_exactly(struct pencil *pencil, const struct vector *a, const struct vector *b)
{
    mpz_t *n = pencil->number;
    find_exactly(pencil, pencil->f, a->row, n[0]);
    find_exactly(pencil, pencil->g, b->row, n[1]);
    find_exactly(pencil, pencil->f, b->row, n[2]);
    find_exactly(pencil, pencil->g, a->row, n[3]);
    mpz_mul(n[0], n[0], n[1]);
    mpz_mul(n[2], n[2], n[3]);
    int sign = mpz_cmp(n[2], n[0]);
    return a->flipped == b->flipped ? sign : -sign;
}

/* Compares the angles of two vectors: negative, 0 or positive. That of a is the smaller one if x_a y_b > x_b y_a. */
static inline int compare_angles(struct pencil *pencil, const struct vector *a, const struct vector *b)
{
    double p = a->x * b->y, q = b->x * a->y;
    if (a->exact && b->exact) { /* if the products are equal as doubles, what they were rounded by decides */
        double first = p != q ? q - p : linpred__two_product(b->x, a->y).lo - linpred__two_product(a->x, b->y).lo;
        return (first > 0) - (first < 0);
    }
    double off = a->off_x * (fabs(b->y) + b->off_y) + b->off_y * fabs(a->x) + b->off_x * (fabs(a->y) + a->off_y) +
                 a->off_y * fabs(b->x);
    if (isfinite(q - p) && fabs(q - p) > off) /* nearly half of it is room for the rounding of p and q */
        return q > p ? 1 : -1;
    return compare_exactly(pencil, a, b);
}

/* ---- sorting ---- */

/* Sorts the vectors by their angles: merges runs of doubled length. */
static void sort_vectors(struct pencil *pencil)
{
    int32_t n = pencil->vectors;
    for (int32_t length = 1; length < n; length *= 2) {
        for (int32_t from = 0; from < n; from += 2 * length) {
            int32_t middle = from + length < n ? from + length : n, end = middle + length < n ? middle + length : n;
            int32_t a = from, b = middle;
            for (int32_t to = from; to < end; to++) {
                bool left =
                    b == end || (a < middle && compare_angles(pencil, &pencil->vector[a], &pencil->vector[b]) <= 0);
                pencil->scratch[to] = pencil->vector[left ? a++ : b++];
            }
        }
        struct vector *other = pencil->vector;
        pencil->vector = pencil->scratch;
        pencil->scratch = other;
    }
}

/* ---- one pencil ---- */

/* Whether the rows that are fixed are the first independent rows of their span: then no other pencil need be swept.
   Where rows of the set are not in ascending order, more pencils pass, but never is the first one left out. */
static bool is_first(struct pencil *pencil)
{
    int32_t fixed = pencil->set->columns - 2, *column = pencil->on + pencil->dependent, *some = column + fixed + 2;
    for (int32_t i = 0; i < pencil->dependent && pencil->on[i] < pencil->last; i++) {
        linpred__row_set before = *pencil->set;
        bool among = false;
        before.rows = 0;
        for (int32_t l = 0; l < fixed; l++) {
            among = among || pencil->through[l] == pencil->on[i];
            if (pencil->through[l] < pencil->on[i])
                some[before.rows++] = pencil->through[l];
        }
        if (among)
            continue;
        some[before.rows++] = pencil->on[i];
        before.row = some;
        int32_t rank = linpred__row_set_rank(&before, column);
        pencil->failed = pencil->failed || rank < 0;
        if (rank == before.rows)
            return false;
    }
    return true;
}

/* Takes a hyperplane into account: its rows are the vectors from .. to - 1 and those that depend on the fixed ones;
   those off it that are wrong cost `wrong`. */
static void take_hyperplane(struct pencil *pencil, int32_t from, int32_t to, int64_t wrong)
{
    int32_t fixed = pencil->set->columns - 2, on = pencil->dependent + to - from;
    for (int32_t i = from; i < to; i++) {
        if (pencil->vector[i].row < pencil->last)
            return; /* the pencil of the first rows on this hyperplane takes it into account */
        pencil->on[pencil->dependent + i - from] = pencil->vector[i].row;
    }
    int64_t least = 0;
    if (on > fixed + 1) { /* else the rows are independent, and all of them can be right */
        linpred__row_set set = *pencil->set;
        set.rows = on;
        set.row = pencil->on;
        least = linpred__least_cost(&set, NULL, pencil->best - wrong);
    }
    if (least >= 0)
        pencil->best = wrong + least; /* which is no more than it was */
    else
        pencil->failed = true;
}

/* Takes all hyperplanes of the pencil into account. */
static void sweep_pencil(struct pencil *pencil)
{
    const linpred__row_set *set = pencil->set;
    int64_t ahead[2] = {0, 0}, behind[2] = {0, 0}; /* cost of the vectors not reached yet, and passed: not flipped,
                                                      flipped */
    pencil->vectors = pencil->dependent = 0;
    for (int32_t i = 0; i < set->rows; i++) {
        struct vector *vector = &pencil->vector[pencil->vectors];
        if (make_vector(pencil, set->row[i], vector)) {
            ahead[vector->flipped] += set->cost[set->row[i]];
            pencil->vectors++;
        } else {
            pencil->on[pencil->dependent++] = set->row[i];
        }
    }
    if (!is_first(pencil))
        return;
    sort_vectors(pencil);
    for (int32_t from = 0, to; from < pencil->vectors; from = to) {
        int64_t here[2] = {0, 0};
        for (to = from; to < pencil->vectors &&
                        (to == from || compare_angles(pencil, &pencil->vector[from], &pencil->vector[to]) == 0);
             to++)
            here[pencil->vector[to].flipped] += set->cost[pencil->vector[to].row];
        for (int k = 0; k < 2; k++)
            ahead[k] -= here[k];
        int64_t left = ahead[1] + behind[0], right = ahead[0] + behind[1], wrong = left < right ? left : right;
        if (wrong < pencil->best)
            take_hyperplane(pencil, from, to, wrong);
        for (int k = 0; k < 2; k++)
            behind[k] += here[k];
    }
}

/* ---- all pencils ---- */

static bool open_pencil(const linpred__row_set *set, int64_t limit, struct pencil *pencil)
{
    size_t rows = (size_t)set->rows, columns = (size_t)set->columns;
    *pencil = (struct pencil){.set = set, .best = limit};
    pencil->through = linpred__calloc(columns, sizeof *pencil->through);
    pencil->f = linpred__alloc(2 * columns + NUMBERS, sizeof *pencil->f);
    pencil->fd = linpred__calloc(2 * columns, sizeof *pencil->fd);
    pencil->vector = linpred__alloc(rows, sizeof *pencil->vector);
    pencil->scratch = linpred__alloc(rows, sizeof *pencil->scratch);
    pencil->on = linpred__alloc(rows + 2 * columns, sizeof *pencil->on);
    for (size_t j = 0; pencil->f && j < 2 * columns + NUMBERS; j++)
        mpz_init(pencil->f[j]);
    pencil->g = pencil->f ? pencil->f + columns : NULL;
    pencil->number = pencil->f ? pencil->g + columns : NULL;
    pencil->gd = pencil->fd ? pencil->fd + columns : NULL;
    return pencil->through && pencil->f && pencil->fd && pencil->vector && pencil->scratch && pencil->on;
}

static void close_pencil(struct pencil *pencil)
{
    for (int32_t j = 0; pencil->f && j < 2 * pencil->set->columns + NUMBERS; j++)
        mpz_clear(pencil->f[j]);
    linpred__release(pencil->through);
    linpred__release(pencil->f);
    linpred__release(pencil->fd);
    linpred__release(pencil->vector);
    linpred__release(pencil->scratch);
    linpred__release(pencil->on);
}

/* Sweeps the pencil of the rows that are fixed, unless they are dependent. */
static void take_pencil(struct pencil *pencil)
{
    int32_t fixed = pencil->set->columns - 2;
    int independent = linpred__row_set_orthogonal(pencil->set, pencil->through, pencil->f, pencil->g);
    pencil->failed = pencil->failed || independent < 0;
    if (independent <= 0)
        return;
    for (int32_t j = 0; j < 2 * pencil->set->columns; j++)
        pencil->fd[j] = mpz_get_d(pencil->f[j]);
    pencil->last = fixed > 0 ? pencil->through[fixed - 1] : -1;
    sweep_pencil(pencil);
}

/* Fixes rows number depth, depth + 1, … in all ways, from place `from` of the set on. */
static void sweep_all(struct pencil *pencil, int32_t depth, int32_t from)
{
    if (depth == pencil->set->columns - 2) {
        take_pencil(pencil);
        return;
    }
    for (int32_t i = from; i < pencil->set->rows && !pencil->failed; i++) {
        pencil->through[depth] = pencil->set->row[i];
        sweep_all(pencil, depth + 1, i + 1);
    }
}

struct sweep {
    const linpred__row_set *set;
    _Atomic int64_t best;
    _Atomic bool failed;
};

/* Pencils whose first fixed row is that of the task; for rank 2 there is one pencil. */
static void sweep_task(void *context, int64_t task)
{
    struct sweep *sweep = context;
    struct pencil pencil;
    bool fixes = sweep->set->columns > 2;
    bool ready = open_pencil(sweep->set, atomic_load(&sweep->best), &pencil);
    if (ready) {
        if (fixes)
            pencil.through[0] = sweep->set->row[task];
        sweep_all(&pencil, fixes ? 1 : 0, (int32_t)task + 1);
        int64_t known = atomic_load(&sweep->best);
        while (pencil.best < known && !atomic_compare_exchange_weak(&sweep->best, &known, pencil.best))
            ;
    }
    if (!ready || pencil.failed)
        atomic_store(&sweep->failed, true);
    close_pencil(&pencil);
}

/* Rank 1: a halfspace is a sign. */
static int64_t least_of_signs(const linpred__row_set *set, int32_t column)
{
    int64_t wrong[2] = {0, 0};
    for (int32_t i = 0; i < set->rows; i++) {
        int sign = mpz_sgn(set->whole->z[(int64_t)set->row[i] * set->whole->columns + column]);
        wrong[0] += sign <= 0 ? set->cost[set->row[i]] : 0;
        wrong[1] += sign >= 0 ? set->cost[set->row[i]] : 0;
    }
    return wrong[0] < wrong[1] ? wrong[0] : wrong[1];
}

int64_t linpred__least_cost(const linpred__row_set *set, linpred__pool *pool, int64_t limit)
{
    int32_t *column = linpred__alloc((size_t)set->columns, sizeof *column);
    int32_t rank = column ? linpred__row_set_rank(set, column) : -1;
    int64_t least = -1;
    if (rank == 0 || rank == 1) {
        least = 0;
        for (int32_t i = 0; rank == 0 && i < set->rows; i++)
            least += set->cost[set->row[i]]; /* all rows are 0: mistakes of every halfspace */
        if (rank == 1)
            least = least_of_signs(set, column[0]);
        least = least < limit ? least : limit;
    } else if (rank > 1) {
        linpred__row_set part = *set;
        part.columns = rank;
        part.column = column;
        struct sweep sweep = {.set = &part, .best = limit};
        linpred__pool_run(pool, rank > 2 ? set->rows : 1, sweep_task, &sweep);
        least = atomic_load(&sweep.failed) ? -1 : atomic_load(&sweep.best);
    }
    linpred__release(column);
    return least;
}

static double pencils_of(int64_t rows, int32_t rank)
{
    double pencils = 1.0;
    for (int32_t i = 0; i < rank - 2; i++)
        pencils *= (double)(rows - i) / (i + 1.0);
    return pencils;
}

double linpred__pencil_vectors(int64_t rows, int32_t rank)
{
    return pencils_of(rows, rank) * (double)rows;
}

double linpred__pencil_signs(int64_t rows, int32_t rank)
{
    return LINPRED__SIGNS_OF_A_VECTOR * pencils_of(rows, rank) * ((double)rows + (double)rank * rank * rank);
}
