/* The scaled linear program in CLP's form: w_j = x_2j - x_(2j+1) with x >= 0, so that Σ x is Σ |w_j|. */
#include "solve/lp/lp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "solve/lp/clp.h"

enum { UNTOUCHED = INT32_MIN };        /* exponent of a column in which no row has an entry */
static const double unbounded = 1e300; /* CLP takes a bound of this size as infinite */

struct linpred__lp {
    int32_t columns;          /* of w; CLP has twice as many */
    int32_t rows;             /* rows added so far */
    int32_t *column_exponent; /* scaled column j = column j times 2^-column_exponent[j], or UNTOUCHED */
    int32_t *row_exponent;    /* scaled row i = row i times 2^-row_exponent[i], after the columns are scaled */
    unsigned char *kind;      /* linpred__lp_kind of each row */
    size_t capacity;          /* allocated length of row_exponent */
    size_t kind_capacity;     /* allocated length of kind */
    void *model;              /* CLP's model */
};

linpred_status linpred__lp_open(int32_t columns, const int32_t *column_exponent, linpred__lp **out,
                                linpred_error *error)
{
    if (columns > INT32_MAX / 4)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "too many columns for the linear program");
    linpred__lp *lp = linpred__calloc(1, sizeof *lp);
    if (!lp)
        return linpred__no_memory(error);
    lp->columns = columns;
    lp->column_exponent = linpred__alloc((size_t)columns, sizeof *lp->column_exponent);
    lp->model = lp->column_exponent ? linpred__clp_open(2 * columns) : NULL;
    if (!lp->model) {
        linpred__lp_close(lp);
        return linpred__no_memory(error);
    }
    for (int32_t j = 0; j < columns; j++)
        lp->column_exponent[j] = column_exponent ? column_exponent[j] : UNTOUCHED;
    *out = lp;
    return LINPRED_OK;
}

void linpred__lp_close(linpred__lp *lp)
{
    if (!lp)
        return;
    linpred__clp_close(lp->model);
    linpred__release(lp->column_exponent);
    linpred__release(lp->row_exponent);
    linpred__release(lp->kind);
    linpred__release(lp);
}

int32_t linpred__lp_rows(const linpred__lp *lp)
{
    return linpred__clp_rows(lp->model);
}

/* Sets the exponent of each UNTOUCHED column to the largest exponent that the new rows have there. `fresh` is scratch,
   one byte for each column. */
static void scale_columns(linpred__lp *lp, const linpred__rows *rows, int32_t first, int32_t count,
                          unsigned char *fresh)
{
    for (int32_t j = 0; j < lp->columns; j++)
        fresh[j] = lp->column_exponent[j] == UNTOUCHED;
    for (int32_t i = first; i < first + count; i++) {
        linpred__entries row = linpred__row_of(rows, i);
        for (int32_t k = 0; k < row.count; k++) {
            int32_t j = linpred__entry_column(&row, k);
            int exponent;
            if (!fresh[j] || row.values[k] == 0.0)
                continue;
            frexp(row.values[k], &exponent);
            exponent += linpred__entry_exponent(rows, i, k);
            if (exponent > lp->column_exponent[j])
                lp->column_exponent[j] = exponent;
        }
    }
}

/* Writes one scaled row: each entry for x_2j, and negated for x_(2j+1). Returns the number of entries written. */
static int32_t write_row(linpred__lp *lp, const linpred__rows *rows, int32_t i, int32_t *row_exponent, int32_t *index,
                         double *value)
{
    linpred__entries row = linpred__row_of(rows, i);
    int32_t top = INT32_MIN;
    for (int32_t k = 0; k < row.count; k++)
        if (row.values[k] != 0.0) {
            int exponent;
            frexp(row.values[k], &exponent);
            exponent += linpred__entry_exponent(rows, i, k) - lp->column_exponent[linpred__entry_column(&row, k)];
            top = exponent > top ? exponent : top;
        }
    *row_exponent = top == INT32_MIN ? 0 : top;
    int32_t n = 0;
    for (int32_t k = 0; k < row.count; k++) {
        int32_t j = linpred__entry_column(&row, k);
        if (row.values[k] == 0.0)
            continue;
        int down = lp->column_exponent[j] + *row_exponent;
        double scaled = ldexp(row.values[k], linpred__entry_exponent(rows, i, k) - down);
        for (; k + 1 < row.count && linpred__entry_column(&row, k + 1) == j; k++)
            scaled += ldexp(row.values[k + 1], linpred__entry_exponent(rows, i, k + 1) - down);
        if (fabs(scaled) < 1e-30) /* CLP's tolerances are 1e-9, so it cannot tell this from zero */
            continue;
        index[n] = 2 * j;
        value[n++] = scaled;
        index[n] = 2 * j + 1;
        value[n++] = -scaled;
    }
    return n;
}

linpred_status linpred__lp_add(linpred__lp *lp, const linpred__rows *rows, int32_t first, int32_t count,
                               linpred_error *error)
{
    int64_t entries = 0;
    for (int32_t i = first; i < first + count; i++)
        entries += linpred__row_of(rows, i).count;
    if (entries > INT32_MAX / 2 || count > INT32_MAX - lp->rows)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "too many working rows for the linear program");
    size_t n = (size_t)count;
    unsigned char *fresh = linpred__alloc((size_t)lp->columns, 1);
    double *lower = linpred__alloc(n, sizeof *lower);
    double *upper = linpred__alloc(n, sizeof *upper);
    int32_t *start = linpred__alloc(n + 1, sizeof *start);
    int32_t *index = linpred__alloc(2 * (size_t)entries, sizeof *index);
    double *value = linpred__alloc(2 * (size_t)entries, sizeof *value);
    bool good = fresh && lower && upper && start && index && value &&
                linpred__grow(&lp->row_exponent, &lp->capacity, (size_t)lp->rows + n, sizeof *lp->row_exponent) &&
                linpred__grow(&lp->kind, &lp->kind_capacity, (size_t)lp->rows + n, 1);
    if (good) {
        scale_columns(lp, rows, first, count, fresh);
        start[0] = 0;
        for (int32_t i = 0; i < count; i++) {
            start[i + 1] = start[i] + write_row(lp, rows, first + i, lp->row_exponent + lp->rows + i, index + start[i],
                                                value + start[i]);
            lp->kind[lp->rows + i] = LINPRED__LP_POSITIVE;
            lower[i] = 1;
            upper[i] = unbounded;
        }
        good = linpred__clp_add_rows(lp->model, count, lower, upper, start, index, value);
    }
    if (good)
        lp->rows += count;
    linpred__release(fresh);
    linpred__release(lower);
    linpred__release(upper);
    linpred__release(start);
    linpred__release(index);
    linpred__release(value);
    return good ? LINPRED_OK : linpred__no_memory(error);
}

linpred_status linpred__lp_set_kind(linpred__lp *lp, int32_t row, linpred__lp_kind kind, linpred_error *error)
{
    double lower = kind == LINPRED__LP_POSITIVE ? 1 : 0;
    double upper = kind == LINPRED__LP_ZERO ? 0 : unbounded;
    lp->kind[row] = (unsigned char)kind;
    return linpred__clp_set_bounds(lp->model, row, lower, upper) ? LINPRED_OK : linpred__no_memory(error);
}

linpred_status linpred__lp_solve(linpred__lp *lp, bool (*stop)(void *context), void *context,
                                 linpred__lp_answer *answer, linpred_error *error)
{
    /* If the dual simplex fails, it is tried again without the old basis. If that fails, the primal simplex is
       tried. */
    enum { DUAL, DUAL_ANEW, PRIMAL, ATTEMPTS };
    int attempt = DUAL;
    for (int slice = 0; slice < LINPRED__LP_MAX_SLICES; slice++) {
        int status;
        if (!linpred__clp_solve(lp->model, attempt == PRIMAL, LINPRED__LP_SLICE, &status))
            return linpred__no_memory(error);
        if (status == 0 || status == 1) {
            *answer = status == 0 ? LINPRED__LP_FEASIBLE : LINPRED__LP_INFEASIBLE;
            return LINPRED_OK;
        }
        if (stop && stop(context)) {
            *answer = LINPRED__LP_STOPPED;
            return LINPRED_OK;
        }
        if (status != 3) {
            if (++attempt == ATTEMPTS)
                break;
            if (!linpred__clp_forget_basis(lp->model))
                return linpred__no_memory(error);
        }
    }
    *answer = LINPRED__LP_FAILED;
    return LINPRED_OK;
}

void linpred__lp_point(const linpred__lp *lp, double *w)
{
    const double *x = linpred__clp_point(lp->model);
    /* `down` is the exponent of a common factor. It is 0 unless the exponents of w would leave [-500, 1000], as with
       columns of size 2^-1000. */
    int top = INT32_MIN;
    for (int32_t j = 0; j < lp->columns; j++) {
        w[j] = x[2 * j] - x[2 * j + 1];
        int exponent;
        if (w[j] == 0.0 || lp->column_exponent[j] == UNTOUCHED) {
            w[j] = 0;
            continue;
        }
        frexp(w[j], &exponent);
        exponent -= lp->column_exponent[j];
        top = exponent > top ? exponent : top;
    }
    int down = top > 1000 ? top - 1000 : top != INT32_MIN && top < -500 ? top + 500 : 0;
    for (int32_t j = 0; j < lp->columns; j++)
        if (w[j] != 0.0)
            w[j] = ldexp(w[j], -lp->column_exponent[j] - down);
}

typedef struct weighted {
    double weight;
    int32_t row;
} weighted;

static int heavier(const void *a, const void *b)
{
    const weighted *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

bool linpred__lp_ray(linpred__lp *lp, double *lambda, int32_t *support, int32_t *supported)
{
    int32_t n = lp->rows;
    weighted *order = linpred__alloc((size_t)n, sizeof *order);
    if (!order || !linpred__clp_ray(lp->model, lambda)) {
        linpred__release(order);
        return false;
    }
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        if (lp->kind[i] == LINPRED__LP_POSITIVE)
            sum += lambda[i];
    /* The sign of CLP's ray is arbitrary, so it is chosen to make Σ lambda positive. What is still negative on a
       POSITIVE row is rounding noise and becomes 0. */
    int top = INT32_MIN;
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++) {
        if (sum < 0)
            lambda[i] = -lambda[i];
        if (lp->kind[i] == LINPRED__LP_POSITIVE && lambda[i] < 0)
            lambda[i] = 0;
        if (lambda[i] == 0.0)
            continue;
        order[count++] = (weighted){fabs(lambda[i]), i};
        int exponent;
        frexp(lambda[i], &exponent);
        exponent -= lp->row_exponent[i];
        top = exponent > top ? exponent : top;
    }
    qsort(order, (size_t)count, sizeof *order, heavier);
    for (int32_t k = 0; k < count; k++) {
        int32_t i = order[k].row;
        lambda[i] = ldexp(lambda[i], -lp->row_exponent[i] - top);
        if (support)
            support[k] = i;
    }
    if (supported)
        *supported = count;
    linpred__release(order);
    return true;
}

int32_t linpred__lp_tight_rows(const linpred__lp *lp, int32_t *rows)
{
    int32_t count = 0;
    for (int32_t i = 0; i < lp->rows; i++)
        if (!linpred__clp_row_is_basic(lp->model, i))
            rows[count++] = i;
    return count;
}
