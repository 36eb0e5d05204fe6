/* What the tests of instances share: one by name, its signed rows, its truth, a fit of it. */
#ifndef LINPRED_TESTS_INSTANCES_H
#define LINPRED_TESTS_INSTANCES_H

#include <jansson.h>

#include "num/exact_sum.h"
#include "support.h"

typedef struct made {
    linpred_instance *instance;
    int64_t rows;
    int32_t columns;
    const double *x;
    const double *y;
    json_t *truth;
} made;

static inline linpred_options usual_options(void)
{
    linpred_options options;
    linpred__options_init(&options);
    return options;
}

static inline made make(const char *name, const linpred_options *options)
{
    linpred_options usual = usual_options();
    linpred_error error;
    made m = {0};
    if (linpred_generate(name, options ? options : &usual, &m.instance, &error) != LINPRED_OK)
        fail_msg("%s: %s", name, error.message);
    linpred_arrays arrays = {.struct_size = sizeof arrays};
    assert_true(linpred_instance_arrays(m.instance, &arrays));
    m.rows = arrays.rows;
    m.columns = arrays.columns;
    m.x = arrays.values;
    m.y = arrays.labels;
    m.truth = json_loads(linpred_instance_truth(m.instance), JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(m.truth);
    assert_string_equal(json_string_value(json_object_get(m.truth, "instance")), name);
    assert_int_equal(json_integer_value(json_object_get(m.truth, "rows")), m.rows);
    assert_int_equal(json_integer_value(json_object_get(m.truth, "columns")), m.columns);
    return m;
}

static inline void made_free(made *m)
{
    json_decref(m->truth);
    linpred_instance_free(m->instance);
}

static inline double truth_number(const made *m, const char *key)
{
    json_t *value = json_object_get(m->truth, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

/* The planted w (columns long) and b; the caller frees w. */
static inline double *truth_vector(const made *m, const char *key, double *b)
{
    json_t *object = json_object_get(m->truth, key);
    double *w = calloc((size_t)m->columns, sizeof *w);
    assert_int_equal(json_object_size(object), m->columns + 1);
    for (int32_t j = 0; j < m->columns; j++) {
        char name[16];
        snprintf(name, sizeof name, "x%d", j + 1);
        w[j] = json_number_value(json_object_get(object, name));
    }
    *b = json_number_value(json_object_get(object, "(intercept)"));
    return w;
}

/* The exact sign of y_i(<w,x_i> + b) - least. */
static inline int exact_sign(const made *m, int64_t row, const double *w, double b, double bound)
{
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int32_t j = 0; j < m->columns; j++)
        linpred__exact_add(&sum, m->y[row] * w[j], m->x[row * m->columns + j]);
    linpred__exact_add(&sum, m->y[row], b);
    linpred__exact_add(&sum, -1.0, bound);
    return linpred__exact_sign(&sum);
}

static inline linpred_result *fit_made(const made *m, const linpred_options *options)
{
    linpred_arrays arrays = {.struct_size = sizeof arrays};
    assert_true(linpred_instance_arrays(m->instance, &arrays));
    linpred_data *data = NULL;
    linpred_result *result = NULL;
    linpred_error error;
    if (linpred_data_from_arrays(&arrays, &data, &error) != LINPRED_OK ||
        linpred_fit(data, options, &result, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    linpred_data_free(data);
    return result;
}

#endif
