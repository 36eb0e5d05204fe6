/* Instances: named data sets. Each has a property that holds for certain, not just probably, and its truth as JSON.
 *
 * This file holds their list and what they share; the other files of this folder make the rows. The same name and
 * options give the same bits on every machine, because only operations that IEEE 754 rounds correctly are used.
 */
#include "theory/instances.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

static const struct {
    const char *name;
    linpred__maker *make;
    struct {
        int64_t usual, low, high; /* the default size and its limits; usual = 0: as many rows as columns */
    } rows, columns;
    const char *flags[LINPRED__MAX_INSTANCE_FLAGS + 1]; /* the options of this instance; NULL after the last */
    const char *shows;                                  /* what the instance is for */
    const char *promises;                               /* the property that holds for certain */
} table[] = {
    {"basis",
     linpred__make_basis,
     {5, 2, 10000},
     {0, 0, 0},
     {"rows", "seed"},
     "the unit vectors e_1 .. e_m with any labels: the perceptron's bound is met, at the price of m dimensions",
     "with --no-intercept: R = 1, B^2 = m, exactly m updates"},
    {"tight",
     linpred__make_tight,
     {5, 2, 4000},
     {3, 3, 3},
     {"rows"},
     "three dimensions are enough for the bound to be met, whatever m is (here up to 4000, by the precision of "
     "doubles)",
     "with --no-intercept, order cyclic: (0,0,1) has margin 1, floor((RB)^2) = m, exactly m updates, all in pass 1"},
    {"shrinking",
     linpred__make_shrinking,
     {0, 0, 0},
     {4, 2, 500},
     {"columns"},
     "separable, but the margin halves with each column: the perceptron takes for ever where a linear program is quick",
     "with --no-intercept, order cyclic: B^2 = sum of (2^k-1)^2, (RB)^2 = 5 B^2, exactly B^2 updates"},
    {"undershoot",
     linpred__make_undershoot,
     {2, 2, 2},
     {2, 2, 2},
     {NULL},
     "an update that is not enough: the row is still wrong after it",
     "row 2 has y<w,x> = -3 and |x|^2 = 2 when it is first visited with --no-intercept: 2 updates for it, 3 in all"},
    {"offset",
     linpred__make_offset,
     {4, 4, 4},
     {2, 2, 2},
     {NULL},
     "separable with an intercept, not through the origin",
     "x1 + x2 > 3 separates; 2 z_1 + z_3 = 0 proves that nothing does through the origin"},
    {"two-updates",
     linpred__make_two_updates,
     {6, 6, 6},
     {2, 2, 2},
     {NULL},
     "two updates suffice where the bound allows ten: it is the worst case, not a forecast",
     "with --no-intercept, order cyclic: (RB)^2 = 10, exactly 2 updates, w = (1,1)"},
    {"xor",
     linpred__make_xor,
     {4, 4, 4},
     {2, 2, 2},
     {NULL},
     "the classic set that no halfspace gets right",
     "z_1 + z_2 + z_3 + z_4 = 0; the best halfspace makes 1 mistake"},
    {"separable",
     linpred__make_separable,
     {100, 2, LINPRED__MAX_INSTANCE_ROWS},
     {2, 1, LINPRED__MAX_INSTANCE_COLUMNS},
     {"rows", "columns", "margin", "seed"},
     "random rows (standard normal, moved apart) on both sides of a planted halfspace; no logistic minimiser",
     "y(<w,x>+b) >= margin |(w,b)| on every row for the planted w, b; half of the rows are positive"},
    {"noisy",
     linpred__make_noisy,
     {100, 2, LINPRED__MAX_INSTANCE_ROWS},
     {2, 1, LINPRED__MAX_INSTANCE_COLUMNS},
     {"rows", "columns", "margin", "flip", "seed"},
     "the same with some labels flipped",
     "the planted halfspace makes exactly as many mistakes as labels were flipped, so the best makes no more"},
    {"quasi-separated",
     linpred__make_quasi_separated,
     {100, 3, LINPRED__MAX_INSTANCE_ROWS},
     {2, 1, LINPRED__MAX_INSTANCE_COLUMNS},
     {"rows", "columns", "seed"},
     "nothing separates strictly, and yet logistic regression has no minimiser",
     "y(<w,x>+b) >= 0 on every row and > 0 on some for the planted w, b, and for no other direction"},
    {"logistic",
     linpred__make_logistic,
     {100, 4, LINPRED__MAX_INSTANCE_ROWS},
     {2, 1, LINPRED__MAX_INSTANCE_COLUMNS},
     {"rows", "columns", "seed"},
     "labels drawn by the logistic model with planted w, b; the classes overlap",
     "a minimiser exists and is unique: rows 1 .. 2(d+1) are 0, e_1, .. e_d, each with both labels"},
    {"rank-deficient",
     linpred__make_rank_deficient,
     {100, 2, LINPRED__MAX_INSTANCE_ROWS},
     {5, 2, LINPRED__MAX_INSTANCE_COLUMNS},
     {"rows", "columns", "rank", "seed"},
     "regression with columns that are sums of other columns, y = <w,x> + b + normal noise",
     "the columns have exactly this rank, one more with the intercept; each dependency holds without rounding"},
    {"heavy-tailed",
     linpred__make_heavy_tailed,
     {100, 1, LINPRED__MAX_INSTANCE_ROWS},
     {2, 1, LINPRED__MAX_INSTANCE_COLUMNS},
     {"rows", "columns", "seed"},
     "regression with rare huge errors, where the absolute loss stays calm",
     "y = <w,x> + b + noise of median 0 and infinite variance (Student's t, two degrees of freedom)"},
};

enum { INSTANCES = sizeof table / sizeof table[0] };

/* ---- the truth --------------------------------------------------------------------------------------------------- */

void linpred__truth_key(linpred_instance *instance, const char *key)
{
    linpred__text_add(&instance->truth, ",\n  ");
    linpred__text_string(&instance->truth, key);
    linpred__text_add(&instance->truth, ": ");
}

void linpred__truth_count(linpred_instance *instance, const char *key, int64_t value)
{
    linpred__truth_key(instance, key);
    linpred__text_format(&instance->truth, "%" PRId64, value);
}

void linpred__truth_number(linpred_instance *instance, const char *key, double value)
{
    linpred__truth_key(instance, key);
    linpred__text_number(&instance->truth, value);
}

void linpred__truth_vector(linpred_instance *instance, const double *w, double b, bool zeros)
{
    const char *before = "{";
    for (int32_t j = 0; j <= instance->columns; j++) {
        double entry = j < instance->columns ? w[j] : b;
        if (entry == 0.0 && !zeros)
            continue;
        if (j < instance->columns)
            linpred__text_format(&instance->truth, "%s\"x%d\": ", before, j + 1);
        else
            linpred__text_format(&instance->truth, "%s\"(intercept)\": ", before);
        linpred__text_number(&instance->truth, entry);
        before = ", ";
    }
    linpred__text_add(&instance->truth, "}");
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

double linpred__random_whole(linpred__random *random, int max)
{
    uint64_t k = linpred__random_below(random, 2 * (uint64_t)max);
    return k < (uint64_t)max ? (double)k + 1.0 : (double)max - (double)k - 1.0;
}

bool linpred__random_chosen(linpred__random *random, int64_t *left, int64_t *of)
{
    bool chosen = linpred__random_below(random, (uint64_t)(*of)--) < (uint64_t)*left;
    *left -= chosen;
    return chosen;
}

double linpred__to_grid(double value, double per_unit)
{
    return floor(value * per_unit + 0.5) / per_unit;
}

/* ---- public calls ------------------------------------------------------------------------------------------------ */

size_t linpred_instances_count(void)
{
    return INSTANCES;
}

bool linpred_instances_describe(size_t index, linpred_instance_text *text)
{
    if (!text)
        return false;
    linpred_instance_text made = {0};
    if (index >= INSTANCES)
        return false;
    made.name = table[index].name;
    made.shows = table[index].shows;
    made.promises = table[index].promises;
    made.options = table[index].flags;
    made.rows = table[index].rows.usual ? table[index].rows.usual : table[index].columns.usual;
    made.columns = (int32_t)(table[index].columns.usual ? table[index].columns.usual : table[index].rows.usual);
    return linpred__struct_fill(text, &made, sizeof made);
}

static linpred_status find_instance(const char *name, size_t *index, linpred_error *error)
{
    char excerpt[LINPRED__EXCERPT];
    for (*index = 0; *index < INSTANCES; ++*index)
        if (strcmp(table[*index].name, name) == 0)
            return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_USAGE, "there is no instance '%s'",
                         linpred__excerpt(name, strlen(name), excerpt));
}

static linpred_status check_size(const char *name, const char *what, int64_t size, int64_t low, int64_t high,
                                 linpred_error *error)
{
    if (size >= low && size <= high)
        return LINPRED_OK;
    if (low == high)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s always has %" PRId64 " %s", name, low, what);
    return linpred__fail(error, LINPRED_ERROR_USAGE, "%s needs %" PRId64 " to %" PRId64 " %s, not %" PRId64, name, low,
                         high, what, size);
}

/* Sets the size: what the options ask for, else the usual size. */
static linpred_status choose_size(size_t index, const linpred_options *options, linpred_instance *instance,
                                  linpred_error *error)
{
    int64_t rows = options->instance_rows ? options->instance_rows : table[index].rows.usual;
    int64_t columns = options->instance_columns ? options->instance_columns : table[index].columns.usual;
    linpred_status status = LINPRED_OK;
    if (table[index].rows.usual == 0)
        rows = columns;
    else
        status = check_size(table[index].name, "rows", rows, table[index].rows.low, table[index].rows.high, error);
    if (table[index].columns.usual == 0)
        columns = rows;
    else if (status == LINPRED_OK)
        status = check_size(table[index].name, "columns", columns, table[index].columns.low, table[index].columns.high,
                            error);
    instance->rows = rows;
    instance->columns = (int32_t)columns;
    return status;
}

static linpred_status make_instance(size_t index, const linpred_options *options, linpred_instance *instance,
                                    linpred_error *error)
{
    if ((uint64_t)instance->rows * (uint64_t)instance->columns <= SIZE_MAX / sizeof(double)) {
        instance->values =
            linpred__calloc((size_t)instance->rows * (size_t)instance->columns, sizeof *instance->values);
        instance->targets = linpred__alloc((size_t)instance->rows, sizeof *instance->targets);
    }
    if (!instance->values || !instance->targets)
        return linpred__no_memory(error);
    linpred__text_add(&instance->truth, "{\n  \"instance\": ");
    linpred__text_string(&instance->truth, table[index].name);
    linpred__truth_count(instance, "rows", instance->rows);
    linpred__truth_count(instance, "columns", instance->columns);
    for (int k = 0; k < LINPRED__MAX_INSTANCE_FLAGS && table[index].flags[k]; k++)
        if (strcmp(table[index].flags[k], "seed") == 0)
            linpred__truth_count(instance, "seed", options->seed);
    linpred_status status = table[index].make(instance, options, error);
    linpred__text_add(&instance->truth, "\n}\n");
    return status == LINPRED_OK && instance->truth.failed ? linpred__no_memory(error) : status;
}

linpred_status linpred_generate(const char *name, const linpred_options *options, linpred_instance **instance,
                                linpred_error *error)
{
    LINPRED__NEEDS(name, options, instance);
    size_t index;
    linpred_instance made = {0};
    linpred_status status = find_instance(name, &index, error);
    if (status == LINPRED_OK)
        status = choose_size(index, options, &made, error);
    if (status != LINPRED_OK)
        return status;
    linpred_instance *kept = linpred__calloc(1, sizeof *kept);
    if (!kept)
        return linpred__no_memory(error);
    *kept = made;
    status = make_instance(index, options, kept, error);
    if (status != LINPRED_OK) {
        linpred_instance_free(kept);
        return status;
    }
    *instance = kept;
    return LINPRED_OK;
}

bool linpred_instance_arrays(const linpred_instance *instance, linpred_arrays *arrays)
{
    if (!instance || !arrays)
        return false;
    linpred_arrays made = {.struct_size = sizeof made,
                           .rows = instance->rows,
                           .columns = instance->columns,
                           .values = instance->values,
                           .labels = instance->targets};
    return linpred__struct_fill(arrays, &made, sizeof made);
}

const char *linpred_instance_truth(const linpred_instance *instance)
{
    if (!instance)
        return NULL;
    return instance->truth.bytes;
}

void linpred_instance_free(linpred_instance *instance)
{
    if (!instance)
        return;
    linpred__release(instance->values);
    linpred__release(instance->targets);
    linpred__text_clear(&instance->truth);
    linpred__release(instance);
}
