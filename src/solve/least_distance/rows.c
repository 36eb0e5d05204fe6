/* The rows of a least-distance problem: memory, units, copies of rows, and products with rows. state.h has the
   units. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "solve/least_distance/state.h"

static bool vector_alloc(linpred__dd_vector *vector, int64_t n)
{
    vector->hi = linpred__calloc((size_t)n, sizeof(double));
    vector->lo = linpred__calloc((size_t)n, sizeof(double));
    return vector->hi && vector->lo;
}

static void vector_free(linpred__dd_vector vector)
{
    linpred__release(vector.hi);
    linpred__release(vector.lo);
}

linpred_status linpred__least_distance_open(int32_t columns, linpred__margin_form form,
                                            linpred__least_distance **problem, linpred_error *error)
{
    linpred__least_distance *p = linpred__calloc(1, sizeof *p);
    if (!p)
        return linpred__no_memory(error);
    p->form = form;
    p->columns = columns;
    p->width = columns + (form == LINPRED__FORM_ORIGIN ? 0 : 1);
    p->weights = linpred__calloc((size_t)columns, sizeof(double));
    if (!vector_alloc(&p->w, p->width) || !vector_alloc(&p->d, p->width) || !vector_alloc(&p->axis, p->width) ||
        !vector_alloc(&p->best_w, p->width) || !p->weights || !linpred__distance_reserve(p, 1)) {
        linpred__least_distance_close(p);
        return linpred__no_memory(error);
    }
    *problem = p;
    return LINPRED_OK;
}

void linpred__least_distance_close(linpred__least_distance *p)
{
    if (!p)
        return;
    linpred__triangle_free(&p->r);
    linpred__dd_vector vectors[] = {p->w, p->d,    p->axis, p->best_w, p->alpha,
                                    p->c, p->step, p->g,    p->border, p->best_alpha};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        vector_free(vectors[i]);
    linpred__release(p->products);
    linpred__release(p->start);
    linpred__release(p->row);
    linpred__release(p->values);
    linpred__release(p->indices);
    linpred__release(p->member);
    linpred__release(p->best_member);
    linpred__release(p->weights);
    linpred__release(p->support_rows);
    linpred__release(p->multipliers);
    linpred__release(p->tails);
    linpred__release(p);
}

bool linpred__distance_reserve(linpred__least_distance *p, int64_t active)
{
    if (active < p->active_capacity)
        return true;
    size_t capacity = (size_t)(active + active / 2 + 16);
    double **array[] = {&p->alpha.hi,      &p->alpha.lo,      &p->c.hi,        &p->c.lo,      &p->step.hi,
                        &p->step.lo,       &p->g.hi,          &p->g.lo,        &p->border.hi, &p->border.lo,
                        &p->best_alpha.hi, &p->best_alpha.lo, &p->multipliers, &p->tails};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
        double *grown = linpred__resize(*array[i], capacity, sizeof(double));
        if (!grown)
            return false;
        *array[i] = grown;
    }
    int64_t **numbers[] = {&p->member, &p->best_member, &p->support_rows};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int64_t *grown = linpred__resize(*numbers[i], capacity, sizeof(int64_t));
        if (!grown)
            return false;
        *numbers[i] = grown;
    }
    p->active_capacity = (int64_t)capacity;
    return true;
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

static bool has_intercept(const linpred__least_distance *p)
{
    return p->form != LINPRED__FORM_ORIGIN;
}

static double scale_down(double x, int k)
{
    return ldexp(x, -k);
}

/* to = factor x 2^-k for each x, factor 1 or -1. A product with a power of two is rounded as ldexp rounds. */
static void scale_numbers(int64_t n, const double *from, int k, double factor, double *to)
{
    if (abs(k) > 1000) { /* the power may be no normal double */
        for (int64_t i = 0; i < n; i++)
            to[i] = factor * scale_down(from[i], k);
        return;
    }
    double power = factor * ldexp(1.0, -k);
    for (int64_t i = 0; i < n; i++)
        to[i] = power * from[i];
}

static void choose_distance_units(linpred__least_distance *p, double largest)
{
    int exponent = 0;
    p->largest = largest;
    if (largest > 0.0)
        frexp(largest, &exponent);
    p->scaled = largest > 0.0;
    p->scale = p->scaled ? exponent - 1 : 0; /* largest / 2^k is in [1, 2) */
    p->phi = 0.0;
    p->bordered = p->form == LINPRED__FORM_WITHOUT_INTERCEPT;
    if (p->form == LINPRED__FORM_HOMOGENEOUS && p->scale < 0) {
        p->bordered = true;
        p->phi = ldexp(1.0, 2 * p->scale);
    }
}

static double intercept_entry(const linpred__least_distance *p)
{
    return p->bordered ? 1.0 : scale_down(1.0, p->scale);
}

static void measure_row(linpred__least_distance *p, linpred__distance_row *row)
{
    const double *values = p->values + row->values;
    row->length = sqrt(linpred__dot(row->count, values, values));
}

static void clear_vector(linpred__dd_vector vector, int64_t n)
{
    memset(vector.hi, 0, (size_t)n * sizeof(double));
    memset(vector.lo, 0, (size_t)n * sizeof(double));
}

void linpred__distance_restart(linpred__least_distance *p)
{
    for (int64_t i = 0; i < p->active; i++)
        p->row[p->member[i]].active = false;
    p->active = 0;
    p->r.size = 0;
    p->border_current = false;
    p->careful = false;
    p->best_active = 0;
    p->last_step = 0;
    clear_vector(p->w, p->width);
    clear_vector(p->best_w, p->width);
}

/* Converts all rows to new units and gives up the active set. The next solve starts from w = 0, which is always
   valid. */
static void change_units(linpred__least_distance *p, double largest)
{
    int before = p->scale;
    choose_distance_units(p, largest);
    if (p->scale != before)
        p->products_rows = 0; /* they are in the old units */
    for (int64_t i = 0; i < p->rows; i++) {
        linpred__distance_row *row = &p->row[i];
        double *values = p->values + row->values;
        int64_t count = row->count - (has_intercept(p) ? 1 : 0);
        scale_numbers(count, values, p->scale - before, 1.0, values);
        if (has_intercept(p))
            values[count] = copysign(intercept_entry(p), values[count]);
        measure_row(p, row);
    }
    linpred__distance_restart(p);
}

void linpred__least_distance_change_form(linpred__least_distance *p, linpred__margin_form form)
{
    p->form = form;
    p->solved = false;
    p->outcome = LINPRED__DISTANCE_LIMIT;
    change_units(p, p->largest);
}

/* Keeps the units of the first rows, unless a new entry is so large that its square could overflow. */
static void fit_units(linpred__least_distance *p, double largest)
{
    if (!p->scaled || scale_down(largest, p->scale) > 0x1p200)
        change_units(p, largest);
}

/* ---- adding rows ------------------------------------------------------------------------------------------------- */

static double largest_of(int64_t n, const double *values)
{
    double largest = 0.0;
    for (int64_t i = 0; i < n; i++)
        largest = fabs(values[i]) > largest ? fabs(values[i]) : largest;
    return largest;
}

static bool reserve_rows(linpred__least_distance *p, int64_t rows, size_t values, size_t indices)
{
    return linpred__grow(&p->row, &p->rows_capacity, (size_t)(p->rows + rows), sizeof *p->row) &&
           linpred__grow(&p->values, &p->values_capacity, p->values_used + values, sizeof *p->values) &&
           linpred__grow(&p->indices, &p->indices_capacity, p->indices_used + indices, sizeof *p->indices);
}

linpred_status linpred__least_distance_reserve(linpred__least_distance *p, int64_t rows, int64_t entries, bool sparse,
                                               linpred_error *error)
{
    size_t values = (size_t)entries + (size_t)rows; /* one more for each intercept */
    return reserve_rows(p, rows, values, sparse ? values : 0) ? LINPRED_OK : linpred__no_memory(error);
}

/* Appends the row y (x 2^-k, u). `indices` is used for sparse rows only. */
static void append_row(linpred__least_distance *p, bool sparse, int64_t count, const double *x, const int32_t *indices,
                       double label)
{
    linpred__distance_row *row = &p->row[p->rows++];
    p->last_step = 0;
    *row = (linpred__distance_row){p->values_used, p->indices_used, count, sparse, false, 0.0};
    double *values = p->values + row->values;
    scale_numbers(count, x, p->scale, label, values);
    if (sparse && count > 0)
        memcpy(p->indices + row->indices, indices, (size_t)count * sizeof *indices);
    if (has_intercept(p)) {
        values[count] = label * intercept_entry(p);
        if (sparse)
            p->indices[row->indices + (size_t)count] = (int32_t)p->columns;
        row->count++;
    }
    p->values_used += (size_t)row->count;
    p->indices_used += sparse ? (size_t)row->count : 0;
    measure_row(p, row);
}

linpred_status linpred__least_distance_add_dense(linpred__least_distance *p, int64_t rows, const double *values,
                                                 int64_t stride, const double *labels, linpred_error *error)
{
    if (!reserve_rows(p, rows, (size_t)rows * (size_t)p->width, 0))
        return linpred__no_memory(error);
    double largest = 0.0;
    for (int64_t i = 0; i < rows; i++)
        largest = fmax(largest, largest_of(p->columns, values + i * stride));
    fit_units(p, largest);
    for (int64_t i = 0; i < rows; i++)
        append_row(p, false, p->columns, values + i * stride, NULL, labels[i]);
    p->solved = false;
    return LINPRED_OK;
}

linpred_status linpred__least_distance_add_sparse(linpred__least_distance *p, int64_t rows, const int64_t *start,
                                                  const int32_t *indices, const double *values, const double *labels,
                                                  linpred_error *error)
{
    size_t entries = (size_t)(start[rows] - start[0]) + (size_t)rows; /* one more for each intercept */
    if (!reserve_rows(p, rows, entries, entries))
        return linpred__no_memory(error);
    fit_units(p, largest_of(start[rows] - start[0], values + start[0]));
    for (int64_t i = 0; i < rows; i++)
        append_row(p, true, start[i + 1] - start[i], values + start[i], indices + start[i], labels[i]);
    p->solved = false;
    return LINPRED_OK;
}

/* ---- products with a row ----------------------------------------------------------------------------------------- */

double linpred__distance_value(const linpred__least_distance *p, int64_t i, const double *vector)
{
    const linpred__distance_row *row = &p->row[i];
    const double *values = p->values + row->values;
    return row->sparse ? linpred__dot_sparse(row->count, values, p->indices + row->indices, vector)
                       : linpred__dot(row->count, values, vector);
}

linpred__dd linpred__distance_careful_value(const linpred__least_distance *p, int64_t i, linpred__dd_vector vector)
{
    const linpred__distance_row *row = &p->row[i];
    const double *values = p->values + row->values;
    return row->sparse ? linpred__dd_dot_sparse(row->count, values, p->indices + row->indices, vector)
                       : linpred__dd_dot(row->count, values, vector);
}

double linpred__distance_magnitude(const linpred__least_distance *p, int64_t i, const double *vector)
{
    const linpred__distance_row *row = &p->row[i];
    const double *values = p->values + row->values;
    double sum[4] = {0.0};
    int64_t k = 0;
    for (; !row->sparse && k + 4 <= row->count; k += 4)
        for (int lane = 0; lane < 4; lane++)
            sum[lane] += fabs(values[k + lane] * vector[k + lane]);
    for (; k < row->count; k++)
        sum[0] += fabs(values[k] * vector[row->sparse ? p->indices[row->indices + (size_t)k] : k]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void linpred__distance_add_row(const linpred__least_distance *p, int64_t i, double multiple, linpred__dd_vector vector)
{
    const linpred__distance_row *row = &p->row[i];
    const double *values = p->values + row->values;
    if (multiple == 0.0)
        return;
    if (row->sparse)
        linpred__dd_add_multiple_sparse(row->count, multiple, values, p->indices + row->indices, vector);
    else
        linpred__dd_add_multiple(row->count, multiple, values, vector);
}

double linpred__distance_sign(const linpred__least_distance *p, int64_t i)
{
    const linpred__distance_row *row = &p->row[i];
    return copysign(1.0, p->values[row->values + (size_t)row->count - 1]);
}
