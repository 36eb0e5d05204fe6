/* Tries all hyperplanes of the data, most of them in floating point (see hyperplanes.h).
 *
 * The rows that span a hyperplane are chosen one after another. Each choice eliminates one column from all rows. When
 * two columns (a, b) are left, row i is on the side of the sign of a_i b_t - b_i a_t of the hyperplane through the
 * chosen rows and row t. The elimination also bounds the rounding error of its entries. A sign is certain if its value
 * exceeds the bound. Rows with uncertain signs count as right, so the cost is a lower bound. If it is below the limit,
 * the hyperplane is computed again in integers (hyperplanes_exact.c). So are hyperplanes through rows that are nearly
 * dependent.
 */
#include "pass/hyperplanes.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/fast.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "pass/limits.h"

enum {
    AT_A_TIME = 32 /* rows that are summed before the sums are compared with the limit */
};

struct hyperplane_tasks {
    linpred__grid grid;
    int32_t n;         /* rows, padded to a multiple of AT_A_TIME by rows of cost 0 */
    int32_t d;         /* independent columns */
    int32_t *row;      /* 0, 1, ...: all rows, as hyperplanes_exact.c wants them */
    int32_t *column;   /* d independent columns */
    double *z;         /* the independent columns as doubles below 1, n values each; rows are scaled by powers of two */
    double *cost;      /* of a mistake on each of the n rows */
    int64_t limit;     /* a halfspace must cost less than this to be of interest */
    int32_t first;     /* the first row of task 0 of those that run now */
    int64_t *min_cost; /* the smallest cost that each task found, or the limit */
    bool *failed;      /* of each task: memory ran out */
};

/* The state of one task. A level is the number of rows chosen. */
struct hyperplane_walk {
    const struct hyperplane_tasks *search;
    double *level[LINPRED__HYPERPLANES_MAX_COLUMNS]; /* for each level: the columns that are left, n values each */
    double error[LINPRED__HYPERPLANES_MAX_COLUMNS];  /* for each level: a bound of the rounding error of these values */
    int32_t chosen[LINPRED__HYPERPLANES_MAX_COLUMNS]; /* the rows chosen, ascending */
    int64_t min_cost;
    bool failed;
};

/* wrong[0], wrong[1]: the cost of the rows that are certainly on the wrong side, for either orientation. The loop ends
   early once both reach the limit. */
LINPRED__FAST static void weigh_sides(const double *a, const double *b, const double *cost, int32_t n, double at,
                                      double bt, double tolerance, double limit, double wrong[2])
{
    double below[4] = {0, 0, 0, 0}, above[4] = {0, 0, 0, 0};
    for (int32_t i = 0; i < n; i += AT_A_TIME) {
        for (int32_t k = i; k < i + AT_A_TIME; k += 4)
            for (int32_t l = 0; l < 4; l++) {
                double s = a[k + l] * bt - b[k + l] * at;
                below[l] += s < -tolerance ? cost[k + l] : 0.0;
                above[l] += s > tolerance ? cost[k + l] : 0.0;
            }
        wrong[0] = (below[0] + below[1]) + (below[2] + below[3]);
        wrong[1] = (above[0] + above[1]) + (above[2] + above[3]);
        if (wrong[0] >= limit && wrong[1] >= limit)
            return;
    }
}

static void find_cost_exactly(struct hyperplane_walk *walk)
{
    const struct hyperplane_tasks *s = walk->search;
    bool failed = false;
    walk->min_cost = linpred__grid_hyperplane_cost(&s->grid, s->row, s->grid.rows, walk->chosen, s->column, s->d,
                                                   walk->min_cost, &failed);
    walk->failed = walk->failed || failed;
}

/* All hyperplanes through chosen[0 .. count-1] and later rows, in integers. */
static void complete_exactly(struct hyperplane_walk *walk, int32_t count)
{
    const struct hyperplane_tasks *s = walk->search;
    if (count == s->d - 1) {
        find_cost_exactly(walk);
        return;
    }
    for (int32_t t = walk->chosen[count - 1] + 1; t < s->grid.rows && !walk->failed; t++) {
        walk->chosen[count] = t;
        complete_exactly(walk, count + 1);
    }
}

static bool are_independent(struct hyperplane_walk *walk, int32_t count)
{
    const struct hyperplane_tasks *s = walk->search;
    int32_t chosen[LINPRED__HYPERPLANES_MAX_COLUMNS];
    int32_t rank = linpred__grid_columns(&s->grid, walk->chosen, count, s->column, s->d, chosen);
    walk->failed = walk->failed || rank < 0;
    return rank == count;
}

/* Chooses the last row of each hyperplane, with two columns left. */
static void choose_last_row(struct hyperplane_walk *walk)
{
    const struct hyperplane_tasks *s = walk->search;
    int32_t level = s->d - 2;
    const double *a = walk->level[level], *b = a + s->n;
    double error = walk->error[level],
           size = ldexp(1.0, level); /* entries are below 2^level: a choice can double them */
    for (int32_t t = level > 0 ? walk->chosen[level - 1] + 1 : 0; t < s->grid.rows && !walk->failed; t++) {
        double wrong[2], longest = fmax(fabs(a[t]), fabs(b[t]));
        walk->chosen[level] = t;
        if (longest <= 256.0 * error) {
            if (are_independent(walk, level + 1))
                find_cost_exactly(walk);
            continue;
        }
        double tolerance = 4.0 * error * (size + longest) + 8.0 * DBL_EPSILON * size * longest;
        weigh_sides(a, b, s->cost, s->n, a[t], b[t], tolerance, (double)walk->min_cost, wrong);
        /* NOLINTNEXTLINE(clang-analyzer-core*): level and chosen are set on the way down */
        if (fmin(wrong[0], wrong[1]) < (double)walk->min_cost)
            find_cost_exactly(walk);
    }
}

/* Makes level + 1 from level: eliminates from all rows the column in which row t is largest. */
static void eliminate(struct hyperplane_walk *walk, int32_t level, int32_t t, int32_t pivot)
{
    const struct hyperplane_tasks *s = walk->search;
    int32_t n = s->n, columns = s->d - level;
    const double *from = walk->level[level], *p = from + (int64_t)pivot * n;
    double *to = walk->level[level + 1], size = ldexp(1.0, level), error = walk->error[level];
    for (int32_t j = 0; j < columns; j++) {
        if (j == pivot)
            continue;
        const double *f = from + (int64_t)j * n;
        double ratio = f[t] / p[t];
        for (int32_t i = 0; i < n; i++)
            to[i] = f[i] - p[i] * ratio;
        to += n;
    }
    /* |ratio| <= 1, off by at most 2 error / (|p_t| - error) and its rounding. */
    double off = 2.0 * error / (fabs(p[t]) - error) + DBL_EPSILON;
    walk->error[level + 1] = 2.0 * (2.0 * error + (size + error) * off + 4.0 * DBL_EPSILON * size);
}

static void descend(struct hyperplane_walk *walk, int32_t level)
{
    const struct hyperplane_tasks *s = walk->search;
    if (level == s->d - 2) {
        choose_last_row(walk);
        return;
    }
    for (int32_t t = walk->chosen[level - 1] + 1; t < s->grid.rows && !walk->failed; t++) {
        int32_t pivot = 0;
        const double *from = walk->level[level];
        for (int32_t j = 1; j < s->d - level; j++)
            if (fabs(from[(int64_t)j * s->n + t]) > fabs(from[(int64_t)pivot * s->n + t]))
                pivot = j;
        walk->chosen[level] = t;
        /* NOLINTNEXTLINE(clang-analyzer-core*): level and chosen are set on the way down */
        if (fabs(from[(int64_t)pivot * s->n + t]) > 256.0 * walk->error[level]) {
            eliminate(walk, level, t, pivot);
            descend(walk, level + 1);
        } else if (are_independent(walk, level + 1)) {
            complete_exactly(walk, level + 1);
        }
    }
}

/* Tries all hyperplanes whose first row is that of the task. */
static void task(void *context, int64_t number)
{
    struct hyperplane_tasks *s = context;
    int64_t first = s->first + number;
    struct hyperplane_walk walk = {.search = s, .min_cost = s->limit, .error = {DBL_EPSILON}};
    for (int32_t level = 1; level <= s->d - 2; level++) {
        walk.level[level] = linpred__alloc((size_t)s->n * (size_t)(s->d - level), sizeof(double));
        walk.failed = walk.failed || !walk.level[level];
    }
    walk.level[0] = s->z;
    walk.chosen[0] = (int32_t)first;
    if (!walk.failed && s->d == 2) {
        find_cost_exactly(&walk);
    } else if (!walk.failed) {
        int32_t pivot = 0;
        for (int32_t j = 1; j < s->d; j++)
            if (fabs(s->z[(int64_t)j * s->n + first]) > fabs(s->z[(int64_t)pivot * s->n + first]))
                pivot = j;
        if (s->z[(int64_t)pivot * s->n + first] != 0.0) { /* a row of zeros determines no hyperplane */
            eliminate(&walk, 0, (int32_t)first, pivot);
            descend(&walk, 1);
        }
    }
    for (int32_t level = 1; level <= s->d - 2; level++)
        linpred__release(walk.level[level]);
    s->min_cost[first] = walk.min_cost;
    s->failed[first] = walk.failed;
}

/* ---- the rows ---------------------------------------------------------------------------------------------------- */

static void fill_grid(struct hyperplane_tasks *s, const linpred_data *data, bool has_intercept)
{
    linpred__grid *grid = &s->grid;
    int lowest[LINPRED__HYPERPLANES_MAX_COLUMNS + 1];
    for (int32_t j = 0; j < grid->columns; j++)
        lowest[j] = INT32_MAX;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < grid->rows; i++) {
            int32_t r;
            const linpred__block *block = linpred__block_of(data, i, &r);
            bool dense = block->layout == LINPRED__DENSE;
            int64_t from = dense ? r * block->stride : block->start[r];
            int64_t count = dense ? block->columns : block->start[r + 1] - from;
            for (int64_t k = 0; k < count + has_intercept; k++) {
                int32_t j = k == count ? data->columns : dense ? (int32_t)k : block->indices[from + k];
                double x = k < count ? block->values[from + k] : 1.0;
                if (k < count && block->decimals && block->decimals->column[j] > 0)
                    x = rint(x * linpred__tens[block->decimals->column[j]]); /* each column in its own unit */
                int exponent;
                double fraction = frexp(x, &exponent);
                if (fraction == 0.0)
                    continue;
                if (pass == 0) {
                    /* NOLINTNEXTLINE(clang-analyzer-core*): the grid holds a number for every row */
                    lowest[j] = exponent - 53 < lowest[j] ? exponent - 53 : lowest[j];
                    continue;
                }
                mpz_t *to = &grid->z[(int64_t)i * grid->columns + j];
                mpz_set_d(*to, block->target[r] * ldexp(fraction, 53));
                /* NOLINTNEXTLINE(clang-analyzer-core*): the grid holds a number for every row */
                mpz_mul_2exp(*to, *to, (mp_bitcnt_t)(exponent - 53 - lowest[j]));
            }
        }
}

/* The integers as doubles, rounded once, with rows and columns scaled to less than 1. */
static void fill_doubles(struct hyperplane_tasks *s)
{
    long column_top[LINPRED__HYPERPLANES_MAX_COLUMNS + 1];
    for (int32_t j = 0; j < s->d; j++) {
        column_top[j] = 0;
        for (int32_t i = 0; i < s->grid.rows; i++) {
            long bits = (long)mpz_sizeinbase(s->grid.z[(int64_t)i * s->grid.columns + s->column[j]], 2);
            column_top[j] = bits > column_top[j] ? bits : column_top[j];
        }
    }
    for (int32_t i = 0; i < s->grid.rows; i++) {
        double fraction[LINPRED__HYPERPLANES_MAX_COLUMNS + 1];
        long exponent[LINPRED__HYPERPLANES_MAX_COLUMNS + 1], top = LONG_MIN;
        for (int32_t j = 0; j < s->d; j++) {
            mpz_t *z = &s->grid.z[(int64_t)i * s->grid.columns + s->column[j]];
            fraction[j] = mpz_get_d_2exp(&exponent[j], *z);
            exponent[j] -= column_top[j];
            if (fraction[j] != 0.0 && exponent[j] > top)
                top = exponent[j];
        }
        for (int32_t j = 0; j < s->d; j++)
            s->z[(int64_t)j * s->n + i] =
                fraction[j] == 0.0 ? 0.0 : ldexp(fraction[j], (int)fmax((double)(exponent[j] - top), -2000));
    }
}

double linpred__hyperplane_signs(const linpred_data *data, bool has_intercept)
{
    double count = (double)data->rows;
    int32_t columns = data->columns + has_intercept;
    if (columns > LINPRED__HYPERPLANES_MAX_COLUMNS || data->rows > LINPRED__HYPERPLANES_MAX_ROWS)
        return INFINITY;
    for (int32_t k = 0; k < columns - 1; k++)
        count *= fmax((double)data->rows - k, 1.0) / (k + 1);
    return count;
}

/* Runs a few tasks at a time and asks in between whether to stop. */
static linpred_status run_tasks(struct hyperplane_tasks *s, const linpred__hyperplanes_question *question,
                                linpred__hyperplanes_end *end, linpred_error *error)
{
    s->n = (s->grid.rows + AT_A_TIME - 1) / AT_A_TIME * AT_A_TIME;
    s->z = linpred__calloc((size_t)s->n * (size_t)s->d, sizeof *s->z);
    s->cost = linpred__calloc((size_t)s->n, sizeof *s->cost);
    s->min_cost = linpred__alloc((size_t)s->grid.rows, sizeof *s->min_cost);
    s->failed = linpred__calloc((size_t)s->grid.rows, sizeof *s->failed);
    if (!s->z || !s->cost || !s->min_cost || !s->failed)
        return linpred__no_memory(error);
    for (int32_t i = 0; i < s->grid.rows; i++)
        s->cost[i] = (double)s->grid.cost[i];
    fill_doubles(s);
    *end = LINPRED__HYPERPLANES_NONE_LESS;
    for (s->first = 0; s->first < s->grid.rows && *end == LINPRED__HYPERPLANES_NONE_LESS;) {
        int32_t last =
            s->first + LINPRED__HYPERPLANES_TASKS < s->grid.rows ? s->first + LINPRED__HYPERPLANES_TASKS : s->grid.rows;
        linpred__pool_run(question->pool, last - s->first, task, s);
        for (; s->first < last; s->first++) {
            if (s->failed[s->first])
                return linpred__no_memory(error);
            if (s->min_cost[s->first] < s->limit)
                *end = LINPRED__HYPERPLANES_LESS;
        }
        if (*end == LINPRED__HYPERPLANES_NONE_LESS && question->stop && question->stop(question->context))
            *end = LINPRED__HYPERPLANES_STOPPED;
    }
    return LINPRED_OK;
}

linpred_status linpred__go_through_hyperplanes(const linpred__hyperplanes_question *question,
                                               linpred__hyperplanes_end *end, linpred_error *error)
{
    const linpred_data *data = question->data;
    struct hyperplane_tasks s = {.limit = question->limit};
    int32_t columns = data->columns + question->has_intercept;
    if (linpred__hyperplane_signs(data, question->has_intercept) > question->max_signs) {
        *end = LINPRED__HYPERPLANES_TOO_MANY;
        return LINPRED_OK;
    }
    size_t rows = (size_t)data->rows, cells = rows * (size_t)columns;
    s.grid = (linpred__grid){(int32_t)rows, columns, linpred__alloc(cells, sizeof(mpz_t)), question->cost};
    s.row = linpred__alloc(rows, sizeof *s.row);
    s.column = linpred__alloc((size_t)columns + 1, sizeof *s.column);
    linpred_status status = s.grid.z && s.row && s.column ? LINPRED_OK : linpred__no_memory(error);
    for (size_t e = 0; s.grid.z && e < cells; e++)
        mpz_init(s.grid.z[e]);
    if (status == LINPRED_OK) {
        int32_t all[LINPRED__HYPERPLANES_MAX_COLUMNS + 1];
        for (int32_t i = 0; i < s.grid.rows; i++)
            s.row[i] = i;
        for (int32_t j = 0; j < columns; j++)
            all[j] = j;
        fill_grid(&s, data, question->has_intercept);
        s.d = linpred__grid_columns(&s.grid, s.row, s.grid.rows, all, columns, s.column);
        if (s.d < 0) {
            status = linpred__no_memory(error);
        } else if (s.d < 2) {
            bool failed;
            *end = linpred__grid_min_cost(&s.grid, s.row, s.grid.rows, all, columns, s.limit, &failed) < s.limit
                       ? LINPRED__HYPERPLANES_LESS
                       : LINPRED__HYPERPLANES_NONE_LESS;
            status = failed ? linpred__no_memory(error) : LINPRED_OK;
        } else {
            status = run_tasks(&s, question, end, error);
        }
    }
    for (size_t e = 0; s.grid.z && e < cells; e++)
        mpz_clear(s.grid.z[e]);
    linpred__release(s.grid.z);
    linpred__release(s.row);
    linpred__release(s.column);
    linpred__release(s.z);
    linpred__release(s.cost);
    linpred__release(s.min_cost);
    linpred__release(s.failed);
    return status;
}
