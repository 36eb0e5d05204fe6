/* What the tests of the model file share: a folder of their own, two results, and comparing results to the bit. */
#ifndef LINPRED_TESTS_MODEL_SUPPORT_H
#define LINPRED_TESTS_MODEL_SUPPORT_H

#include <dirent.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/memory.h"
#include "model/figures.h"
#include "model/model.h"

/* ---- a folder of our own ---- */

static char folder[64];

static inline const char *in_folder(const char *name)
{
    static char path[4][400];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static inline int make_folder(void **state)
{
    (void)state;
    /* In memory where that can be: a model is synced to disk each time it is saved. */
    strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/linpred-test-XXXXXX" : "/tmp/linpred-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

/* Removes what the test left, and answers how many files that were. */
static inline int empty_folder(void)
{
    int files = 0;
    DIR *open_folder = opendir(folder);
    for (struct dirent *entry; open_folder && (entry = readdir(open_folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        files++;
        if (unlink(in_folder(entry->d_name)) != 0)
            rmdir(in_folder(entry->d_name));
    }
    if (open_folder)
        closedir(open_folder);
    return files;
}

static inline int remove_folder(void **state)
{
    (void)state;
    empty_folder();
    return rmdir(folder);
}

static inline void put(const char *path, const char *bytes, size_t length)
{
    (void)unlink(
        path); /* a file cut to nothing and written anew is flushed by some file systems: slow, many times over */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static inline char *get(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *length = fread(bytes, 1, (1 << 20) - 1, file);
    bytes[*length] = '\0';
    fclose(file);
    return bytes;
}

/* ---- results ---- */

static inline linpred_result *fitted_by(linpred_method method, bool separable)
{
    static const double x[] = {2, 1, 1, 3, -1, -2, -3, 0.5};
    static const double signs[2][4] = {{1, -1, 1, -1}, {1, 1, -1, -1}};
    const double *y = signs[separable];
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 4, .columns = 2, .values = x, .labels = y};
    linpred_options options;
    linpred__options_init(&options);
    options.method = method;
    linpred_data *data = NULL;
    linpred_result *result = NULL;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
    linpred_data_free(data);
    return result;
}

static inline linpred_result *fitted(void)
{
    return fitted_by(LINPRED_METHOD_PERCEPTRON, true);
}

static inline char *copy(const char *text)
{
    char *mine = linpred__copy_text(text, strlen(text));
    assert_non_null(mine);
    return mine;
}

static inline void number_source(linpred__recipe_column *source, const char *name, double mean)
{
    *source = (linpred__recipe_column){.name = copy(name), .type = LINPRED_COLUMN_NUMBER, .mean = mean};
}

/* Witnesses of every shape that a halfspace can have. */
static inline void odd_claims(linpred__claims *claims)
{
    linpred__combination *combination = &linpred__claims_add(claims, LINPRED_CLAIM_INSEPARABLE, true)->by.combination;
    linpred__support *support = &linpred__claims_add(claims, LINPRED_CLAIM_LARGEST_MARGIN, false)->by.support;
    linpred__direction *direction = &linpred__claims_add(claims, LINPRED_CLAIM_SEPARATES, true)->by.direction;
    linpred__vector *weights = &linpred__claims_add(claims, LINPRED_CLAIM_UPDATE_BOUND, false)->by.weights;
    assert_true(linpred__combination_open(combination, 2) && linpred__support_open(support, 2) &&
                linpred__direction_open(direction, 8) && linpred__vector_open(weights, 8));
    support->without_intercept = true;
    for (int i = 0; i < 2; i++) {
        combination->row[i] = 1 + 7 * i;
        combination->weight[i] = copy(i ? "123456789012345678901234567890" : "1");
        support->row[i] = INT64_MAX - 1 + i;
        support->multiplier[i] = i ? DBL_MAX : 0x1p-1074;
        support->tail[i] = i ? -0.1 : 0.0;
    }
    for (int i = 0; i < 8; i++) {
        direction->entry[i] = copy(i % 2 ? "-98765432109876543210" : "0");
        weights->value[i] = i / 7.0;
    }
    linpred__claims_add(claims, LINPRED_CLAIM_ERRORS, false);
    linpred__claims_add(claims, LINPRED_CLAIM_OBJECTIVE, false);
    linpred__claims_add(claims, LINPRED_CLAIM_MEANS, false);
    linpred__claims_add(claims, LINPRED_CLAIM_DATA, true)->by.fingerprint = UINT64_C(0x00FEDCBA98765432);
}

static inline linpred__reading odd_reading(void)
{
    return (linpred__reading){.known = true,
                              .separator = '\t',
                              .decimal = ',',
                              .skip = 7,
                              .comment = copy("//"),
                              .na = copy("-999,\"a,,b\"")};
}

/* The option that goes with the form of the margin above. */
static inline void record_norm(linpred_result *result)
{
    result->options = 1;
    result->option = linpred__calloc(1, sizeof *result->option);
    assert_non_null(result->option);
    result->option[0] = (linpred__option_record){copy("norm"), copy("without-intercept")};
}

/* Everything odd at once: names with quotes, newlines and other scripts, levels, a column called like an indicator,
   the ends of the range of double, fields that do not apply. */
static inline linpred_result *odd(void)
{
    static const char *const levels[] = {"", "a\"b\\", "green\n\tgrass", "Ω≠λ"};
    static const double w[] = {0x1p-1074, DBL_MAX, -0.0, 0.1, 3.141592653589793, -DBL_MIN, 1e22, 12345678901234567.0};
    linpred_result *result = linpred__calloc(1, sizeof *result);
    linpred__recipe *recipe = linpred__recipe_new();
    assert_true(result && recipe);
    recipe->sources = 6;
    recipe->source = linpred__calloc(6, sizeof *recipe->source);
    number_source(&recipe->source[0], "plain", 0x1.5555555555555p-2);
    number_source(&recipe->source[1], "with \"quotes\", \\ and\nnewline", -2.5e300);
    recipe->source[1].days = true;
    recipe->source[1].occurrence = 2;
    recipe->target_occurrence = 3;
    recipe->reading = odd_reading();
    recipe->source[2] =
        (linpred__recipe_column){.name = copy("colour"), .type = LINPRED_COLUMN_TEXT, .levels = 4, .mean = NAN};
    recipe->source[2].level = linpred__calloc(4, sizeof(char *));
    for (int k = 0; k < 4; k++)
        recipe->source[2].level[k] = copy(levels[k]);
    number_source(&recipe->source[3], "colour=Ω≠λ", -0.0);
    recipe->source[4] =
        (linpred__recipe_column){.name = copy("one"), .type = LINPRED_COLUMN_TEXT, .levels = 1, .mean = NAN};
    recipe->source[4].level = linpred__calloc(1, sizeof(char *));
    recipe->source[4].level[0] = copy("only");
    number_source(&recipe->source[5], "größe, \x7f\x01", 5e-324);
    recipe->target = copy("Größe?");
    recipe->target_type = LINPRED_COLUMN_TEXT;
    recipe->index_base = -1;
    recipe->label_value[0] = recipe->label_value[1] = NAN;
    recipe->label[0] = copy("no \"way\"");
    recipe->label[1] = copy("да\r\n");
    recipe->weights = copy("wëight");
    recipe->missing = LINPRED_MISSING_MEAN;
    assert_true(linpred__recipe_name_features(recipe) && linpred__recipe_write_notes(recipe));
    result->model.recipe = recipe;
    result->model.columns = recipe->features;
    assert_int_equal(recipe->features, 7);
    result->model.w = linpred__calloc(7, sizeof(double));
    memcpy(result->model.w, w, 7 * sizeof(double));
    result->model.has_intercept = true;
    result->model.b = -0.0;
    linpred__figures *figures = &result->figures;
    linpred__figures_clear(figures);
    figures->outcome = LINPRED_OUTCOME_LIMIT_REACHED;
    figures->method = LINPRED_METHOD_POCKET;
    figures->rows = INT64_MAX;
    figures->columns = 7;
    figures->total_weight = DBL_MAX;
    figures->objective = 1.0 / 3.0;
    figures->errors = 2.5;
    figures->perceptron_loss = w[7];
    figures->norm = figures->radius = 0x1p-1074;
    figures->passes = 9007199254740993;
    figures->seconds = 1e-9;
    memset(figures->reason, 'r', sizeof figures->reason - 1);
    odd_claims(&result->claims);
    record_norm(result);
    return result;
}

/* ---- comparing ---- */

static inline void same_bits(double a, double b)
{
    assert_true(isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof a) == 0);
}

static inline void same_text(const char *a, const char *b)
{
    assert_true(!a == !b);
    if (a)
        assert_string_equal(a, b);
}

static inline void same_recipe(const linpred__recipe *a, const linpred__recipe *b)
{
    assert_int_equal(a->sources, b->sources);
    assert_int_equal(a->features, b->features);
    assert_int_equal(a->index_base, b->index_base);
    assert_int_equal(a->missing, b->missing);
    assert_int_equal(a->target_type, b->target_type);
    assert_int_equal(a->notes, b->notes);
    same_text(a->target, b->target);
    same_text(a->weights, b->weights);
    assert_int_equal(a->target_occurrence, b->target_occurrence);
    assert_int_equal(a->reading.known, b->reading.known);
    assert_int_equal(a->reading.separator, b->reading.separator);
    assert_int_equal(a->reading.decimal, b->reading.decimal);
    assert_int_equal(a->reading.names, b->reading.names);
    assert_int_equal(a->reading.skip, b->reading.skip);
    same_text(a->reading.comment, b->reading.comment);
    same_text(a->reading.na, b->reading.na);
    for (int sign = 0; sign < 2; sign++) {
        same_text(a->label[sign], b->label[sign]);
        same_bits(a->label_value[sign], b->label_value[sign]);
    }
    for (int32_t i = 0; i < a->notes; i++)
        same_text(a->note[i], b->note[i]);
    for (int32_t j = 0; j < a->features; j++)
        same_text(linpred__recipe_feature(a, j), linpred__recipe_feature(b, j));
    for (int32_t i = 0; i < a->sources; i++) {
        linpred__recipe_column x = linpred__recipe_source(a, i), y = linpred__recipe_source(b, i);
        same_text(x.name, y.name);
        assert_int_equal(x.type, y.type);
        assert_int_equal(x.levels, y.levels);
        same_bits(x.mean, y.mean);
        assert_int_equal(x.days, y.days);
        assert_int_equal(x.occurrence, y.occurrence);
        for (int32_t k = 0; k < x.levels; k++)
            same_text(x.level[k], y.level[k]);
    }
}

static inline void same_claim(const linpred__claim *a, const linpred__claim *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->main, b->main);
    switch (linpred_claim_witness(a->kind)) {
    case LINPRED_WITNESS_FINGERPRINT:
        assert_true(a->by.fingerprint == b->by.fingerprint);
        break;
    case LINPRED_WITNESS_COMBINATION:
        assert_true(a->by.combination.count == b->by.combination.count);
        for (int64_t i = 0; i < a->by.combination.count; i++) {
            assert_true(a->by.combination.row[i] == b->by.combination.row[i]);
            same_text(a->by.combination.weight[i], b->by.combination.weight[i]);
        }
        break;
    case LINPRED_WITNESS_SUPPORT:
        assert_true(a->by.support.count == b->by.support.count &&
                    a->by.support.without_intercept == b->by.support.without_intercept);
        for (int64_t i = 0; i < a->by.support.count; i++) {
            assert_true(a->by.support.row[i] == b->by.support.row[i]);
            same_bits(a->by.support.multiplier[i], b->by.support.multiplier[i]);
            same_bits(a->by.support.tail[i], b->by.support.tail[i]);
        }
        break;
    case LINPRED_WITNESS_DIRECTION:
        assert_int_equal(a->by.direction.count, b->by.direction.count);
        for (int32_t i = 0; i < a->by.direction.count; i++)
            same_text(a->by.direction.entry[i], b->by.direction.entry[i]);
        break;
    case LINPRED_WITNESS_WEIGHTS:
        assert_int_equal(a->by.weights.count, b->by.weights.count);
        for (int32_t i = 0; i < a->by.weights.count; i++)
            same_bits(a->by.weights.value[i], b->by.weights.value[i]);
        break;
    default: /* that of fewest_errors is saved twice and compared by its bytes; others stand elsewhere */
        break;
    }
}

static inline void same_result(const linpred_result *a, const linpred_result *b)
{
    same_recipe(a->model.recipe, b->model.recipe);
    assert_int_equal(a->model.columns, b->model.columns);
    for (int32_t j = 0; j < a->model.columns; j++)
        same_bits(a->model.w[j], b->model.w[j]);
    same_bits(a->model.b, b->model.b);
    assert_int_equal(a->model.has_intercept, b->model.has_intercept);
    assert_int_equal(a->options, b->options);
    for (size_t i = 0; i < a->options; i++) {
        same_text(a->option[i].flag, b->option[i].flag);
        same_text(a->option[i].text, b->option[i].text);
    }
    assert_int_equal(a->figures.outcome, b->figures.outcome);
    assert_int_equal(a->figures.method, b->figures.method);
    assert_int_equal(linpred_result_separation(a), linpred_result_separation(b));
#define LINPRED_FIGURE_NUMBER(name, claims, meaning) same_bits(a->figures.name, b->figures.name);
#define LINPRED_FIGURE_COUNT(name, claims, meaning) assert_true(a->figures.name == b->figures.name);
#include "linpred/figures.def"
    same_text(a->figures.reason, b->figures.reason);
    assert_int_equal(a->claims.count, b->claims.count);
    for (int32_t i = 0; i < a->claims.count; i++)
        same_claim(&a->claims.claim[i], &b->claims.claim[i]);
}

/* ---- loading ---- */

/* Loads; a refusal must say something, and leave the result alone. */
static inline linpred_status load(const char *path, bool accept_edited, linpred_result **result, linpred_error *error)
{
    linpred_result *untouched = *result;
    *error = (linpred_error){0};
    linpred_status status = linpred_result_load(path, accept_edited, result, error);
    if (status != LINPRED_OK) {
        assert_ptr_equal(*result, untouched);
        assert_int_equal(error->status, status);
        assert_true(strlen(error->message) > 10);
    }
    return status;
}

static inline void says(const char *message, const char *fragment)
{
    if (!strstr(message, fragment))
        fail_msg("'%s' is not in: %s", fragment, message);
    assert_null(strchr(message, '\n'));
}

#endif
