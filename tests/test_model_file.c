/* The model file: exact round trips, one clear refusal for every kind of damage, and files that are whole or not there. */
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
#include "model/model.h"

/* ---- a folder of our own ---- */

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[4][400];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/linpred-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

/* Removes what the test left, and answers how many files that were. */
static int empty_folder(void)
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

static int remove_folder(void **state)
{
    (void)state;
    empty_folder();
    return rmdir(folder);
}

static void put(const char *path, const char *bytes, size_t length)
{
    (void)unlink(path); /* a file cut to nothing and written anew is flushed by some file systems: slow, many times over */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static char *get(const char *path, size_t *length)
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

static linpred_result *fitted(void)
{
    static const double x[] = {2, 1, 1, 3, -1, -2, -3, 0.5};
    static const double y[] = {1, 1, -1, -1};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 4, .columns = 2, .values = x, .labels = y};
    linpred_options options;
    linpred_options_init(&options);
    options.method = LINPRED_METHOD_PERCEPTRON;
    linpred_data *data = NULL;
    linpred_result *result = NULL;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
    linpred_data_free(data);
    return result;
}

static char *copy(const char *text)
{
    char *mine = linpred__copy_text(text, strlen(text));
    assert_non_null(mine);
    return mine;
}

static void number_source(linpred__source *source, const char *name, double mean)
{
    *source = (linpred__source){.name = copy(name), .type = LINPRED_COLUMN_NUMBER, .mean = mean};
}

/* Everything odd at once: names with quotes, newlines and other scripts, levels, a column called like an indicator,
   the ends of the range of double, fields that do not apply. */
static linpred_result *odd(void)
{
    static const char *const levels[] = {"", "a\"b\\", "green\n\tgrass", "Ω≠λ"};
    static const double w[] = {0x1p-1074, DBL_MAX, -0.0, 0.1, 3.141592653589793, -DBL_MIN, 1e22, 12345678901234567.0};
    linpred_result *result = linpred__calloc(1, sizeof *result);
    linpred__recipe *recipe = linpred__recipe_new();
    assert_true(result && recipe);
    recipe->sources = 6;
    recipe->source = linpred__calloc(6, sizeof *recipe->source);
    number_source(&recipe->source[0], "plain", 0x1.5555555555555p-2);
    number_source(&recipe->source[1], "with \"quotes\", \\ and\nnewline", NAN);
    recipe->source[2] = (linpred__source){.name = copy("colour"), .type = LINPRED_COLUMN_TEXT, .levels = 4, .mean = NAN};
    recipe->source[2].level = linpred__calloc(4, sizeof(char *));
    for (int k = 0; k < 4; k++)
        recipe->source[2].level[k] = copy(levels[k]);
    number_source(&recipe->source[3], "colour=Ω≠λ", -0.0);
    recipe->source[4] = (linpred__source){.name = copy("one"), .type = LINPRED_COLUMN_TEXT, .levels = 1, .mean = NAN};
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
    result->info = (linpred_info){.outcome = LINPRED_OUTCOME_LIMIT_REACHED,
                                  .method = LINPRED_METHOD_POCKET,
                                  .rows = INT64_MAX,
                                  .columns = 7,
                                  .objective = 1.0 / 3.0,
                                  .errors = 2.5,
                                  .margin = NAN,
                                  .margin_without_intercept = NAN,
                                  .perceptron_loss = w[7],
                                  .updates = -1,
                                  .passes = 9007199254740993,
                                  .seconds = 1e-9};
    memset(result->info.reason, 'r', sizeof result->info.reason - 1);
    linpred__certificate *certificate = &result->certificate;
    *certificate = (linpred__certificate){
        .claim = LINPRED__CLAIM_ERRORS, .errors = 2.5, .bound = NAN, .fingerprint = UINT64_C(0x00FEDCBA98765432)};
    assert_true(linpred__certificate_witnesses(certificate, 2) && linpred__certificate_supports(certificate, 2) &&
                linpred__certificate_directions(certificate, 8));
    for (int i = 0; i < 2; i++) {
        certificate->witness_row[i] = 1 + 7 * i;
        certificate->witness_weight[i] = copy(i ? "123456789012345678901234567890" : "1");
        certificate->support_row[i] = INT64_MAX - 1 + i;
        certificate->multiplier[i] = i ? DBL_MAX : 0x1p-1074;
        certificate->tail[i] = i ? -0.1 : 0.0;
    }
    for (int i = 0; i < 8; i++)
        certificate->direction[i] = copy(i % 2 ? "-98765432109876543210" : "0");
    return result;
}

/* ---- comparing ---- */

static void same_bits(double a, double b)
{
    assert_true(isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof a) == 0);
}

static void same_text(const char *a, const char *b)
{
    assert_true(!a == !b);
    if (a)
        assert_string_equal(a, b);
}

static void same_recipe(const linpred__recipe *a, const linpred__recipe *b)
{
    assert_int_equal(a->sources, b->sources);
    assert_int_equal(a->features, b->features);
    assert_int_equal(a->index_base, b->index_base);
    assert_int_equal(a->missing, b->missing);
    assert_int_equal(a->target_type, b->target_type);
    assert_int_equal(a->notes, b->notes);
    same_text(a->target, b->target);
    same_text(a->weights, b->weights);
    for (int sign = 0; sign < 2; sign++) {
        same_text(a->label[sign], b->label[sign]);
        same_bits(a->label_value[sign], b->label_value[sign]);
    }
    for (int32_t i = 0; i < a->notes; i++)
        same_text(a->note[i], b->note[i]);
    for (int32_t j = 0; j < a->features; j++)
        same_text(linpred__recipe_feature(a, j), linpred__recipe_feature(b, j));
    for (int32_t i = 0; i < a->sources; i++) {
        same_text(a->source[i].name, b->source[i].name);
        assert_int_equal(a->source[i].type, b->source[i].type);
        assert_int_equal(a->source[i].levels, b->source[i].levels);
        same_bits(a->source[i].mean, b->source[i].mean);
        for (int32_t k = 0; k < a->source[i].levels; k++)
            same_text(a->source[i].level[k], b->source[i].level[k]);
    }
}

static void same_result(const linpred_result *a, const linpred_result *b)
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
    assert_int_equal(a->info.outcome, b->info.outcome);
    assert_int_equal(a->info.method, b->info.method);
    assert_true(a->info.rows == b->info.rows && a->info.columns == b->info.columns);
    assert_int_equal(a->info.separation, b->info.separation);
#define LINPRED_INFO_NUMBER(name) same_bits(a->info.name, b->info.name);
#define LINPRED_INFO_COUNT(name) assert_true(a->info.name == b->info.name);
#include "linpred/info.def"
#undef LINPRED_INFO_NUMBER
#undef LINPRED_INFO_COUNT
    same_bits(a->info.seconds, b->info.seconds);
    same_text(a->info.reason, b->info.reason);
    assert_int_equal(a->certificate.claim, b->certificate.claim);
    same_bits(a->certificate.errors, b->certificate.errors);
    same_bits(a->certificate.bound, b->certificate.bound);
    assert_true(a->certificate.witnesses == b->certificate.witnesses);
    for (int64_t i = 0; i < a->certificate.witnesses; i++) {
        assert_true(a->certificate.witness_row[i] == b->certificate.witness_row[i]);
        same_text(a->certificate.witness_weight[i], b->certificate.witness_weight[i]);
    }
    assert_true(a->certificate.supports == b->certificate.supports);
    for (int64_t i = 0; i < a->certificate.supports; i++) {
        assert_true(a->certificate.support_row[i] == b->certificate.support_row[i]);
        same_bits(a->certificate.multiplier[i], b->certificate.multiplier[i]);
        same_bits(a->certificate.tail[i], b->certificate.tail[i]);
    }
    assert_int_equal(a->certificate.directions, b->certificate.directions);
    for (int32_t i = 0; i < a->certificate.directions; i++)
        same_text(a->certificate.direction[i], b->certificate.direction[i]);
    assert_true(a->certificate.fingerprint == b->certificate.fingerprint);
}

static void round_trip(linpred_result *result)
{
    linpred_result *back = NULL;
    size_t first_length;
    size_t second_length;
    assert_int_equal(linpred_result_save(result, in_folder("first.json"), NULL), LINPRED_OK);
    linpred_error error = {0};
    if (linpred_result_load(in_folder("first.json"), false, &back, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    same_result(result, back);
    assert_int_equal(linpred_result_save(back, in_folder("second.json"), NULL), LINPRED_OK);
    char *first = get(in_folder("first.json"), &first_length);
    char *second = get(in_folder("second.json"), &second_length);
    assert_int_equal(first_length, second_length);
    assert_memory_equal(first, second, first_length);
    free(first);
    free(second);
    linpred_result_free(back);
    linpred_result_free(result);
    assert_int_equal(empty_folder(), 2); /* and no temporary file */
}

static void comes_back_to_the_bit(void **state)
{
    (void)state;
    round_trip(fitted());
    round_trip(odd());
    linpred_result *through_origin = fitted();
    through_origin->model.has_intercept = false;
    through_origin->model.b = 0.0;
    through_origin->model.recipe->index_base = 0; /* as if from a LIBSVM file: its notes say so */
    while (through_origin->model.recipe->notes > 0)
        linpred__release(through_origin->model.recipe->note[--through_origin->model.recipe->notes]);
    assert_true(linpred__recipe_write_notes(through_origin->model.recipe));
    round_trip(through_origin);
    linpred_result *bare = linpred__calloc(1, sizeof *bare); /* the intercept alone, no column at all */
    bare->model.recipe = linpred__recipe_plain(0);
    bare->model.has_intercept = true;
    bare->model.b = 5e-324;
    round_trip(bare);
}

/* The rule of docs/model-file.md, written a second time. */
static void checksum_is_as_documented(void **state)
{
    (void)state;
    linpred_result *result = fitted();
    assert_int_equal(linpred_result_save(result, in_folder("model.json"), NULL), LINPRED_OK);
    size_t length;
    char *bytes = get(in_folder("model.json"), &length);
    char *digits = strstr(bytes, "\"checksum\": \"") + 13;
    char said[17] = "";
    char mine[17] = "";
    memcpy(said, digits, 16);
    memset(digits, '0', 16);
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    snprintf(mine, sizeof mine, "%016" PRIx64, hash);
    assert_string_equal(said, mine);
    assert_memory_equal(bytes, "{\n  \"format\": \"linpred model\",\n  \"version\": 1,\n", 47);
    free(bytes);
    linpred_result_free(result);
    empty_folder();
}

/* The example in docs/model-file.md is a real file, to the byte. */
static void the_documented_example_loads(void **state)
{
    (void)state;
    size_t length;
    char path[1024];
    const char *slash = strrchr(__FILE__, '/');
    snprintf(path, sizeof path, "%.*s../docs/model-file.md", (int)(slash ? slash + 1 - __FILE__ : 0), __FILE__);
    char *page = get(path, &length);
    char *from = strstr(page, "```json\n") + 8;
    char *to = strstr(from, "```\n");
    put(in_folder("example.json"), from, (size_t)(to - from));
    linpred_result *result = NULL;
    linpred_error error = {0};
    if (linpred_result_load(in_folder("example.json"), false, &result, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    assert_string_equal(linpred_model_feature(&result->model, 2), "colour=red");
    assert_string_equal(linpred_model_label(&result->model, 1), "plum");
    linpred_result_free(result);
    free(page);
    empty_folder();
}

/* ---- damage ---- */

/* Loads; a refusal must say something, and leave the result alone. */
static linpred_status load(const char *path, bool accept_edited, linpred_result **result, linpred_error *error)
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

/* Whatever loads can be asked everything and be saved; what was saved loads. */
static void look_over(linpred_result *result, bool reload)
{
    for (int32_t j = 0; j < linpred_model_columns(&result->model); j++) {
        assert_non_null(linpred_model_feature(&result->model, j));
        assert_true(isfinite(linpred_model_coefficients(&result->model)[j]));
    }
    for (size_t i = 0; linpred_model_note(&result->model, i); i++)
        assert_true(strlen(linpred_model_note(&result->model, i)) > 0);
    assert_true(isfinite(linpred_model_intercept(&result->model)));
    assert_int_equal(linpred_result_save(result, reload ? in_folder("again.json") : "/dev/null", NULL), LINPRED_OK);
    if (!reload)
        return;
    linpred_result *again = NULL;
    assert_int_equal(linpred_result_load(in_folder("again.json"), false, &again, NULL), LINPRED_OK);
    same_result(result, again);
    linpred_result_free(again);
}

/* Answers whether it loads once the checksum is not insisted upon. Unchanged bytes aside, it is always refused with it. */
static bool damaged(const char *bytes, size_t length, bool reload)
{
    const char *path = in_folder("damaged.json");
    linpred_result *result = NULL;
    linpred_error error;
    put(path, bytes, length);
    assert_int_equal(load(path, false, &result, &error), LINPRED_ERROR_INPUT);
    linpred_status status = load(path, true, &result, &error);
    assert_true(status == LINPRED_OK || status == LINPRED_ERROR_INPUT);
    if (status != LINPRED_OK)
        return false;
    look_over(result, reload);
    linpred_result_free(result);
    return true;
}

static void every_damage(linpred_result *result)
{
    size_t length;
    assert_int_equal(linpred_result_save(result, in_folder("model.json"), NULL), LINPRED_OK);
    linpred_result_free(result);
    char *bytes = get(in_folder("model.json"), &length);
    for (size_t cut = 0; cut < length; cut++)
        assert_int_equal(damaged(bytes, cut, true), cut == length - 1); /* without its last newline it is still JSON */
    static const unsigned char flips[] = {0x01, 0x04, 0x20, 0x80};
    for (size_t i = 0; i < length; i++)
        for (size_t k = 0; k < sizeof flips; k++) {
            bytes[i] = (char)(bytes[i] ^ (char)flips[k]);
            (void)damaged(bytes, length, (i * sizeof flips + k) % 997 == 0);
            bytes[i] = (char)(bytes[i] ^ (char)flips[k]);
        }
    /* A line left out, and a line written twice: never a model with something missing. */
    char *edited = malloc(2 * length);
    for (char *line = bytes; *line; line = strchr(line, '\n') + 1) {
        size_t before = (size_t)(line - bytes);
        size_t after = (size_t)(strchr(line, '\n') + 1 - bytes);
        memcpy(edited, bytes, before);
        memcpy(edited + before, bytes + after, length - after);
        /* Only the checksum, an option of the record, a column that gives no feature, and an entry of a certificate (which
           the verifier would miss) can be done without. */
        bool may = strncmp(line, "  \"checksum\"", 12) == 0 || strncmp(line, "      {\"row\"", 12) == 0 || strncmp(line, "      {\"name\": \"one\"", 20) == 0 ||
                   (line > strstr(bytes, "\"options\"") && line < strstr(bytes, "\"info\""));
        assert_true(!damaged(edited, length - (after - before), false) || may);
        memcpy(edited, bytes, after);
        memcpy(edited + after, bytes + before, length - before);
        assert_false(damaged(edited, length + (after - before), false));
    }
    free(edited);
    free(bytes);
    empty_folder();
}

static void no_damage_goes_unnoticed(void **state)
{
    (void)state;
    every_damage(fitted());
    every_damage(odd());
}

/* Replaces the first `from` by `to` in a fresh model of arrays; answers the message. */
static const char *edited(const char *from, const char *to, bool accept_edited, linpred_status expected)
{
    static linpred_error error;
    size_t length;
    linpred_result *result = fitted();
    if (access(in_folder("model.json"), F_OK) != 0) /* once a test: a save waits for the disk */
        assert_int_equal(linpred_result_save(result, in_folder("model.json"), NULL), LINPRED_OK);
    linpred_result_free(result);
    char *bytes = get(in_folder("model.json"), &length);
    char *at = strstr(bytes, from);
    if (!at)
        fail_msg("no %s in %s", from, bytes);
    char *changed = malloc(length + strlen(to) + 1);
    memcpy(changed, bytes, (size_t)(at - bytes));
    strcpy(changed + (at - bytes), to);
    strcat(changed, at + strlen(from));
    put(in_folder("edited.json"), changed, strlen(changed));
    result = NULL;
    assert_int_equal(load(in_folder("edited.json"), accept_edited, &result, &error), expected);
    linpred_result_free(result);
    free(changed);
    free(bytes);
    return error.message;
}

static void says(const char *message, const char *fragment)
{
    if (!strstr(message, fragment))
        fail_msg("'%s' is not in: %s", fragment, message);
    assert_null(strchr(message, '\n'));
}

static void an_edit_is_noticed_and_can_be_accepted(void **state)
{
    (void)state;
    says(edited("\"rows\": 4", "\"rows\": 4.0e0", false, LINPRED_ERROR_INPUT), "was changed after it was written");
    says(edited("\"intercept\": ", "\"intercept\":  ", false, LINPRED_ERROR_INPUT), "--accept-edited");
    says(edited("\n}\n", "\n}\n\n", false, LINPRED_ERROR_INPUT), "checksum differs");
    says(edited("\"checksum\": \"", "\"checksum\": \"0", false, LINPRED_ERROR_INPUT), "checksum differs");
    says(edited("\"checksum\"", "\"checksums\"", false, LINPRED_ERROR_INPUT), "checksum is missing");
    edited("\n}\n", "\n}\n\n", true, LINPRED_OK);
    edited("\"seed\": \"1\"", "\"seed\": \"2\"", true, LINPRED_OK);
    edited("\"weight\": ", "\"weight\": 1", true, LINPRED_OK);
    empty_folder();
}

static void other_files_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *fragment;
        int64_t line;
    } files[] = {
        {"", "is empty", 0},
        {"x1,x2,y\n1,2,a\n", "does not begin with '{'", 0},
        {"[1, 2]", "does not begin with '{'", 0},
        {" \n\t \n", "not a linpred model", 3},
        {"{}", "no \"format\": \"linpred model\"", 0},
        {"{\"format\": \"other\"}", "no \"format\": \"linpred model\"", 0},
        {"{\"format\": \"linpred model\"}", "'version' must be", 0},
        {"{\"format\": \"linpred model\", \"version\": 2, \"new\": []}", "reads up to version 1: use a newer linpred", 0},
        {"{\n\"format\": \"linpred model\",\n\"version\": 1, ", "cut short or damaged at line 3", 3},
        {"{\n\"format\": \"linpred model\",\n\"format\": 1}", "line 3: duplicate object key", 3},
        {"{\n\"format\": \"linpred model\",\n\"version\": 1e999}", "line 3: real number overflow", 3},
        {"{\n\"format\": \"linpred model\",\n\"version\": \"\xff\"}", "cut short or damaged at line 3", 3},
        {"{\n\"some", "not a linpred model, or is cut short", 2},
    };
    linpred_result *result = NULL;
    linpred_error error;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        put(in_folder("file.json"), files[i].bytes, strlen(files[i].bytes));
        assert_int_equal(load(in_folder("file.json"), i % 2, &result, &error), LINPRED_ERROR_INPUT);
        says(error.message, files[i].fragment);
        assert_int_equal(error.line, files[i].line);
    }
    assert_int_equal(load(in_folder("nowhere.json"), false, &result, &error), LINPRED_ERROR_FILE);
    says(error.message, "No such file");
    assert_int_equal(load(folder, false, &result, &error), LINPRED_ERROR_FILE);
    assert_int_equal(load("/dev/zero", false, &result, &error), LINPRED_ERROR_INPUT);
    assert_int_equal(load("/dev/null", true, &result, &error), LINPRED_ERROR_INPUT);
    put(in_folder("huge.json"), "{", 1);
    assert_int_equal(truncate(in_folder("huge.json"), (1 << 30) + 1), 0);
    assert_int_equal(load(in_folder("huge.json"), false, &result, &error), LINPRED_ERROR_INPUT);
    says(error.message, "larger than 1 GiB");
    char *deep = malloc(100000);
    memset(deep, '[', 100000);
    memcpy(deep, "{\"a\": ", 6);
    put(in_folder("deep.json"), deep, 100000);
    assert_int_equal(load(in_folder("deep.json"), false, &result, &error), LINPRED_ERROR_INPUT);
    free(deep);
    empty_folder();
}

static void fields_are_checked_one_by_one(void **state)
{
    (void)state;
    static const char *const edits[][3] = {
        {"\"task\": \"halfspace\"", "\"task\": \"ball\"", "'task' is 'ball', which this linpred does not know"},
        {"\"method\": \"perceptron\"", "\"method\": \"unknown\"", "'method' is 'unknown'"},
        {"\"method\": \"perceptron\"", "\"method\": 3", "'method' must be a text"},
        {"\"written_by\": \"", "\"written_by\": null, \"by\": \"", "'by' is not a key of this format"},
        {"\"intercept\": ", "\"intercept\": \"\", \"i\": ", "'i' is not a key of this format"},
        {"\"intercept\": ", "\"intercepts\": ", "'intercept' is missing"},
        {"\"column\": \"label\"", "\"column\": null", "'column' of 'target' must be a text"},
        {"\"type\": \"number\"", "\"type\": \"empty\"", "'type' of 'target' must be \"number\" or \"text\""},
        {"\"type\": \"number\"", "\"type\": \"text\"", "'value' of 'negative' must be null"},
        {"\"value\": -1}", "\"value\": null}", "'value' of 'negative' must be a number"},
        {"\"text\": \"-1\", \"value\": -1", "\"text\": \"1.0\", \"value\": 1", "same label"},
        {"\"value\": 1}", "\"value\": 2}", "'text' of 'positive' must be the same number as 'value'"},
        {"\"positive\": {", "\"positive\": 1, \"p\": {", "'p' of 'target' is not a key"},
        {"\"missing\": \"fail\"", "\"missing\": \"ignore\"", "'missing' of 'recipe' is 'ignore'"},
        {"\"weights\": null", "\"weights\": 1", "'weights' of 'recipe' must be a text"},
        {"\"index_base\": null", "\"index_base\": 2", "'index_base' of 'recipe' must be 0, 1 or null"},
        {"\"index_base\": null", "\"index_base\": false", "'index_base' of 'recipe' must be a whole number"},
        {"\"index_base\": null,\n    \"columns\": [\n      {\"name\": \"x1\"",
         "\"index_base\": 1,\n    \"columns\": [\n      {\"name\": \"x2\"", "'name' in entry 2 of 'columns' must be x1, x2, …"},
        {"\"index_base\": null,\n    \"columns\": [\n      {\"name\": \"x1\"",
         "\"index_base\": 1,\n    \"columns\": [\n      {\"name\": \"x01\"", "'name' in entry 1 of 'columns' must be x1, x2, …"},
        {"\"columns\": [", "\"columns\": 7, \"c\": [", "'c' of 'recipe' is not a key"},
        {"\"columns\": [", "\"columns\": [7, ", "entry 1 of 'columns' must be an object"},
        {"\"name\": \"x2\"", "\"name\": \"x1\"", "'columns' must differ in name"},
        {"\"weights\": null", "\"weights\": \"label\"", "weights columns: not 'label'"},
        {"\"mean\": null", "\"mean\": 0.5", "'mean' in entry 1 of 'columns' must be null"},
        {"\"type\": \"number\", \"mean\": null", "\"type\": \"text\", \"levels\": []", "at least one level"},
        {"\"type\": \"number\", \"mean\": null", "\"type\": \"text\", \"levels\": [\"b\", \"a\"]", "must be sorted"},
        {"\"type\": \"number\", \"mean\": null", "\"type\": \"text\", \"levels\": [\"b\", 1]", "texts in quotes"},
        {"\"type\": \"number\", \"mean\": null", "\"type\": \"text\", \"levels\": [\"a\", \"b\"]",
         "'feature' in entry 1 of 'coefficients' must be the name"},
        {"\"type\": \"number\", \"mean\": null", "\"type\": \"text\", \"levels\": [\"a\"]",
         "'coefficients' has 2 entries, but the recipe gives 1 features"},
        {"\"coefficients\": [", "\"coefficients\": [1, ", "'coefficients' has 3 entries"},
        {"\"feature\": \"x2\"", "\"feature\": \"x3\"", "'feature' in entry 2 of 'coefficients' must be the name"},
        {"\"weight\": ", "\"weight\": null, \"w\": ", "'w' in entry 1 of 'coefficients' is not a key"},
        {"\"options\": {", "\"options\": {\"a\": 1, ", "'a' of 'options' must be a text"},
        {"\"outcome\": \"", "\"outcome\": \"very ", "'outcome' of 'info' is 'very separated'"},
        {"\"rows\": 4", "\"rows\": -4", "'rows' of 'info' must be a whole number, 0 or more"},
        {"\"rows\": 4", "\"rows\": 4.5", "'rows' of 'info' must be a whole number, 0 or more"},
        {"\"columns\": 2", "\"columns\": 3", "'columns' of 'info' is 3, but there are 2 coefficients"},
        {"\"errors\": 0", "\"errors\": 1", "must be the same as 'errors' of 'info'"},
        {"\"seconds\": ", "\"seconds\": true, \"s\": ", "'s' of 'info' is not a key"},
        {"\"claim\": \"separates\",\n    \"errors\": 0", "\"claim\": \"separates\",\n    \"errors\": 1", "must be 0, since"},
        {"\"claim\": \"separates\",\n    \"errors\": 0", "\"claim\": \"errors\",\n    \"errors\": -1", "must be 0 or more"},
        {"\"claim\": \"separates\"", "\"claim\": \"moves\"", "'claim' of 'certificate' is 'moves'"},
        {"\"fingerprint\": \"", "\"fingerprint\": \"0", "'fingerprint' of 'certificate' must be 16 digits"},
        {"\"claim\": \"separates\"", "\"claim\": \"inseparable\"", "'witness' of 'certificate' must not be empty"},
        {"\"claim\": \"separates\"", "\"claim\": \"largest_margin\"", "'support' of 'certificate' must not be empty"},
        {"\"witness\": [", "\"witness\": [{\"row\": 1, \"weight\": \"0\"}", "'weight' in entry 1 of 'witness' must be a positive"},
        {"\"witness\": [", "\"witness\": [{\"row\": 0, \"weight\": \"1\"}", "'row' in entry 1 of 'witness' must be above"},
        {"\"support\": [", "\"support\": [{\"row\": 1, \"multiplier\": -1, \"tail\": 0}", "'multiplier' in entry 1 of 'support' must be positive"},
        {"\"direction\": [", "\"direction\": [\"1\"", "'direction' of 'certificate' must be empty, or have"},
        {"\"direction\": [", "\"direction\": [\"1\", \"2\", \"x\"", "'direction' of 'certificate' must hold integers"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++)
        says(edited(edits[i][0], edits[i][1], true, LINPRED_ERROR_INPUT), edits[i][2]);
    empty_folder();
}

/* ---- writing that fails ---- */

static void a_failed_write_leaves_nothing(void **state)
{
    (void)state;
    linpred_result *result = fitted();
    linpred_error error;
    put(in_folder("file"), "kept", 4);
    assert_int_equal(linpred_result_save(result, in_folder("missing/model.json"), &error), LINPRED_ERROR_FILE);
    says(error.message, "No such file");
    assert_int_equal(linpred_result_save(result, in_folder("file/model.json"), &error), LINPRED_ERROR_FILE);
    says(error.message, "Not a directory");
    assert_int_equal(mkdir(in_folder("taken"), 0700), 0);
    assert_int_equal(linpred_result_save(result, in_folder("taken"), &error), LINPRED_ERROR_FILE);
    result->model.w[1] = INFINITY; /* what cannot be read back is not written over what can */
    assert_int_equal(linpred_result_save(result, in_folder("file"), &error), LINPRED_ERROR_INPUT);
    says(error.message, "the weight of 'x2' is beyond the range");
    result->model.w[1] = 1.0;
    result->model.b = NAN;
    assert_int_equal(linpred_result_save(result, in_folder("file"), &error), LINPRED_ERROR_INPUT);
    result->model.b = 1.0;
    result->model.recipe->target[0] = '\xff';
    assert_int_equal(linpred_result_save(result, in_folder("file"), &error), LINPRED_ERROR_INPUT);
    says(error.message, "UTF-8");
    linpred_result_free(result);
    size_t length;
    char *kept = get(in_folder("file"), &length);
    assert_string_equal(kept, "kept");
    free(kept);
    assert_int_equal(empty_folder(), 2);
}

static int64_t allocations_left;

static void *scarce(void *context, void *memory, size_t bytes)
{
    (void)context;
    return allocations_left-- > 0 ? realloc(memory, bytes) : NULL;
}

static void give_back(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static void runs_out_of_memory_cleanly(void **state)
{
    (void)state;
    linpred_allocator allocator = {scarce, give_back, NULL};
    linpred_result *result = odd();
    linpred_result *back = NULL;
    linpred_error error;
    assert_int_equal(linpred_result_save(result, in_folder("whole.json"), NULL), LINPRED_OK);
    linpred_set_allocator(&allocator);
    linpred_status status = LINPRED_ERROR_MEMORY;
    for (int64_t k = 0; status == LINPRED_ERROR_MEMORY; k++) {
        allocations_left = k;
        status = linpred_result_save(result, in_folder("saved.json"), &error);
        assert_true(status == LINPRED_OK || access(in_folder("saved.json"), F_OK) != 0);
    }
    assert_int_equal(status, LINPRED_OK);
    status = LINPRED_ERROR_MEMORY;
    for (int64_t k = 0; status == LINPRED_ERROR_MEMORY; k++) {
        allocations_left = k;
        status = load(in_folder("whole.json"), false, &back, &error);
    }
    assert_int_equal(status, LINPRED_OK);
    linpred_set_allocator(NULL);
    same_result(result, back);
    linpred_result_free(back);
    linpred_result_free(result);
    assert_int_equal(empty_folder(), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_to_the_bit),
        cmocka_unit_test(checksum_is_as_documented),
        cmocka_unit_test(the_documented_example_loads),
        cmocka_unit_test(no_damage_goes_unnoticed),
        cmocka_unit_test(an_edit_is_noticed_and_can_be_accepted),
        cmocka_unit_test(other_files_are_told_apart),
        cmocka_unit_test(fields_are_checked_one_by_one),
        cmocka_unit_test(a_failed_write_leaves_nothing),
        cmocka_unit_test(runs_out_of_memory_cleanly),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
