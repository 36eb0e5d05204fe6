/* Damaged, edited and foreign model files: one clear refusal for every kind. */
#include "model_support.h"

/* Whatever loads can be asked everything and be saved; what was saved loads. */
static void look_over(linpred_result *result, bool reload)
{
    for (int32_t j = 0; j < linpred_model_columns(&result->model); j++) {
        assert_non_null(linpred_model_feature(&result->model, j));
        assert_true(isfinite(linpred_model_coefficients(&result->model)[j]));
    }
    linpred_note note = {.struct_size = sizeof note};
    for (size_t i = 0; linpred_model_note(&result->model, i, &note); i++)
        assert_true(strlen(note.sentence) > 0 && strlen(note.kind) > 0);
    assert_true(isfinite(linpred_model_intercept(&result->model)));
    assert_int_equal(linpred_result_save(result, reload ? in_folder("again.json") : "/dev/null", NULL), LINPRED_OK);
    if (!reload)
        return;
    linpred_result *again = NULL;
    assert_int_equal(linpred_result_load(in_folder("again.json"), false, &again, NULL), LINPRED_OK);
    same_result(result, again);
    linpred_result_free(again);
}

/* Answers whether it loads once the checksum is not insisted upon. Unchanged bytes aside, it is always refused with it.
 */
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
        /* Only the checksum, a figure of the run, an option of the record, a column that gives no feature, and an entry
           of a witness (which the verifier would miss) can be done without. */
        bool may = strncmp(line, "  \"checksum\"", 12) == 0 || strncmp(line, "        {\"row\"", 14) == 0 ||
                   strncmp(line, "      {\"name\": \"one\"", 20) == 0 ||
                   (line > strstr(bytes, "\"figures\"") && line < strstr(bytes, "\"claims\""));
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

/* The fresh model with its two columns written out one by one, as columns with names are. */
static void write_spelt_out(void)
{
    size_t length;
    linpred_result *counted = fitted(), *result = NULL;
    assert_int_equal(linpred_result_save(counted, in_folder("counted.json"), NULL), LINPRED_OK);
    char *bytes = get(in_folder("counted.json"), &length);
    char *count = strstr(bytes, "\"columns\": 2\n  },\n  \"coefficients\": [");
    assert_non_null(count);
    char *after = strstr(count, "],\n  \"intercept\"");
    assert_non_null(after);
    FILE *file = fopen(in_folder("model.json"), "wb");
    const double *w = linpred_model_coefficients(&counted->model);
    fwrite(bytes, 1, (size_t)(count - bytes), file);
    fputs("\"columns\": [\n      {\"name\": \"x1\", \"type\": \"number\", \"mean\": null},\n"
          "      {\"name\": \"x2\", \"type\": \"number\", \"mean\": null}\n    ]\n  },\n  \"coefficients\": [",
          file);
    fprintf(file, "\n    {\"feature\": \"x1\", \"weight\": %.17g},\n    {\"feature\": \"x2\", \"weight\": %.17g}\n  ",
            w[0], w[1]);
    fputs(after, file);
    fclose(file);
    /* It is the same model, and saved again it is the same file. */
    assert_int_equal(load(in_folder("model.json"), true, &result, &(linpred_error){0}), LINPRED_OK);
    same_result(counted, result);
    assert_int_equal(linpred_result_save(result, in_folder("again.json"), NULL), LINPRED_OK);
    char *again = get(in_folder("again.json"), &(size_t){0});
    assert_string_equal(again, bytes);
    free(again);
    free(bytes);
    linpred_result_free(result);
    linpred_result_free(counted);
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
    edited("\"run\"", "\"later\": {\"rows\": 1}, \"run\"", true, LINPRED_OK); /* keys of a later linpred */
    edited("\"errors\": 0", "\"errors\": 0, \"later\": true", true, LINPRED_OK);
    edited("\"rate\": \"1\"", "\"seed\": \"2\"", true, LINPRED_OK);
    edited("\"coefficients\": [\n    ", "\"coefficients\": [\n    1", true, LINPRED_OK);
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
        {"{\"format\": \"linpred model\", \"version\": 3, \"new\": []}", "reads up to version 2: use a newer linpred",
         0},
        {"{\n\"format\": \"linpred model\",\n\"version\": 2, ", "cut short or damaged at line 3", 3},
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

/* Text of the file, what takes its place, and what the refusal says. */
static const char *const field_edits[][3] = {
    {"\"task\": \"halfspace\"", "\"task\": \"cube\"", "'task' is 'cube', which this linpred does not know"},
    {"\"method\": \"perceptron\"", "\"method\": \"unknown\"", "'method' of 'run' is 'unknown'"},
    {"\"method\": \"perceptron\"", "\"method\": 3", "'method' of 'run' must be a text"},
    {"\"written_by\": \"", "\"written_by\": null, \"by\": \"", "'written_by' must be a text"},
    {"\"intercept\": ", "\"intercept\": \"\", \"i\": ", "'intercept' must be a number or null"},
    {"\"intercept\": ", "\"intercepts\": ", "'intercept' is missing"},
    {"\"column\": \"label\"", "\"column\": null", "'column' of 'target' must be a text"},
    {"\"type\": \"number\"", "\"type\": \"empty\"", "'type' of 'target' must be \"number\" or \"text\""},
    {"\"type\": \"number\"", "\"type\": \"text\"", "'value' of 'negative' must be null"},
    {"\"value\": -1}", "\"value\": null}", "'value' of 'negative' must be a number"},
    {"\"text\": \"-1\", \"value\": -1", "\"text\": \"1.0\", \"value\": 1", "same label"},
    {"\"value\": 1}", "\"value\": 2}", "'text' of 'positive' must be the same number as 'value'"},
    {"\"positive\": {", "\"positive\": 1, \"p\": {", "'positive' must be an object"},
    {"\"missing\": \"fail\"", "\"missing\": \"ignore\"", "'missing' of 'recipe' is 'ignore'"},
    {"\"weights\": null", "\"weights\": 1", "'weights' of 'recipe' must be a text"},
    {"\"index_base\": null", "\"index_base\": 2", "'index_base' of 'recipe' must be 0, 1 or null"},
    {"\"index_base\": null", "\"index_base\": false", "'index_base' of 'recipe' must be a whole number"},
    {"\"index_base\": null,\n    \"columns\": [\n      {\"name\": \"x1\"",
     "\"index_base\": 1,\n    \"columns\": [\n      {\"name\": \"x2\"",
     "'name' in entry 2 of 'columns' must be x1, x2, …"},
    {"\"index_base\": null,\n    \"columns\": [\n      {\"name\": \"x1\"",
     "\"index_base\": 1,\n    \"columns\": [\n      {\"name\": \"x01\"",
     "'name' in entry 1 of 'columns' must be x1, x2, …"},
    {"\"columns\": [", "\"columns\": 7, \"c\": [", "'columns' of 'recipe' is 7, but there are 2 coefficients"},
    {"\"columns\": [", "\"columns\": [7, ", "entry 1 of 'columns' must be an object"},
    {"\"name\": \"x2\"", "\"name\": \"x1\"", "'columns' must differ in name"},
    {"\"weights\": null", "\"weights\": \"label\"", "weights columns: not 'label'"},
    {"\"mean\": null", "\"mean\": 0.5", "'mean' in entry 1 of 'columns' must be null"},
    {"\"missing\": \"fail\"", "\"missing\": \"mean\"", "'mean' in entry 1 of 'columns' must be a number"},
    {"\"type\": \"number\", \"mean\": null", "\"type\": \"text\", \"levels\": []", "at least one level"},
    {"\"type\": \"number\", \"mean\": null", "\"type\": \"text\", \"levels\": [\"b\", \"a\"]", "must be sorted"},
    {"\"type\": \"number\", \"mean\": null", "\"type\": \"text\", \"levels\": [\"b\", 1]", "texts in quotes"},
    {"\"type\": \"number\", \"mean\": null", "\"type\": \"text\", \"levels\": [\"a\", \"b\"]",
     "'feature' in entry 1 of 'coefficients' must be the name"},
    {"\"type\": \"number\", \"mean\": null", "\"type\": \"text\", \"levels\": [\"a\"]",
     "'coefficients' has 2 entries, but the recipe gives 1 features"},
    {"\"coefficients\": [", "\"coefficients\": [1, ", "'coefficients' has 3 entries"},
    {"\"feature\": \"x2\"", "\"feature\": \"x3\"", "'feature' in entry 2 of 'coefficients' must be the name"},
    {"\"weight\": ", "\"weight\": null, \"w\": ", "'weight' in entry 1 of 'coefficients' must be a number"},
    {"\"options\": {", "\"options\": {\"a\": 1, ", "'a' of 'options' must be a text"},
    {"\"outcome\": \"", "\"outcome\": \"very ", "'outcome' of 'run' is 'very separated'"},
    {"\"rows\": 4", "\"rows\": -4", "'rows' in entry 5 of 'claims' must be a whole number, 0 or more"},
    {"\"rows\": 4", "\"rows\": 4.5", "'rows' in entry 5 of 'claims' must be a whole number, 0 or more"},
    {"\"columns\": 2", "\"columns\": 3", "'columns' of 'claims' is 3, but there are 2 coefficients"},
    {"\"errors\": 0", "\"errors\": 1", "'errors' of 'claims' must be 0, since"},
    {"\"errors\": 0", "\"errors\": -1", "'errors' of 'claims' must be 0 or more"},
    {"\"errors\": 0", "\"errors\": null", "'errors' in entry 2 of 'claims' must be a number"},
    {"\"errors\": 0", "\"error\": 0", "'errors' of 'claims' is missing: the claim 'errors' must state it"},
    {"\"errors\": 0", "\"errors\": 0, \"rows\": 4", "'rows' in entry 2 of 'claims' is not a figure of this claim"},
    {"\"updates\": ", "\"gap\": 1, \"updates\": ", "'gap' of 'run' is not a figure of this claim"},
    {"\"main\": true", "\"main\": 1", "'main' in entry 1 of 'claims' must be true or false"},
    {"\"claim\": \"errors\"", "\"claim\": \"separates\"", "'claim' in entry 2 of 'claims' is made twice"},
    {"\"claim\": \"objective\"", "\"claim\": \"deviance\"", "'objective' in entry 3 of 'claims' is not a figure"},
    {"\"claim\": \"data\"", "\"claim\": \"means\"", "is not a figure of this claim"},
    {"\"seconds\": ", "\"seconds\": true, \"s\": ", "'seconds' of 'run' must be a number"},
    {"\"claim\": \"separates\"", "\"claim\": \"moves\"", "'claim' in entry 1 of 'claims' is 'moves'"},
    {"\"fingerprint\": \"", "\"fingerprint\": \"0", "'fingerprint' in entry 5 of 'claims' must be 16 digits"},
    {"\"claim\": \"separates\"", "\"claim\": \"inseparable\"", "'witness' in entry 1 of 'claims' must be an array"},
    {"\"claim\": \"separates\"", "\"claim\": \"largest_margin\"", "'form' in entry 1 of 'claims' must be a text"},
    {"\"claim\": \"separates\"", "\"claim\": \"no_minimiser\"", "'settled_rows' of 'claims' is missing"},
    {"\"claim\": \"separates\"", "\"claim\": \"inseparable\", \"witness\": []",
     "'witness' in entry 1 of 'claims' must not be empty"},
    {"\"claim\": \"separates\"", "\"claim\": \"inseparable\", \"witness\": [{\"row\": 1, \"weight\": \"0\"}]",
     "'weight' in entry 1 of 'witness' must be a positive"},
    {"\"claim\": \"separates\"", "\"claim\": \"inseparable\", \"witness\": [{\"row\": 0, \"weight\": \"1\"}]",
     "'row' in entry 1 of 'witness' must be above"},
    {"\"claim\": \"separates\"", "\"claim\": \"largest_margin\", \"form\": \"usual\", \"support\": []",
     "'usual_margin_bound' of 'claims' is missing"},
    {"\"claim\": \"separates\"",
     "\"claim\": \"margin_at_most\", \"support\": [{\"row\": 1, \"multiplier\": -1, \"tail\": 0}]",
     "'multiplier' in entry 1 of 'support' must be positive"},
    {"\"claim\": \"separates\"", "\"claim\": \"least_squares\"", "'claims' must not hold 'least_squares'"},
    {"\"direction\": [", "\"direction\": [\"1\"", "'direction' in entry 1 of 'claims' must be empty, or have"},
    {"\"direction\": [", "\"direction\": [\"1\", \"2\", \"x\"",
     "'direction' in entry 1 of 'claims' must hold integers"},
};

static void fields_are_checked_one_by_one(void **state)
{
    (void)state;
    write_spelt_out();
    for (size_t i = 0; i < sizeof field_edits / sizeof field_edits[0]; i++)
        says(edited(field_edits[i][0], field_edits[i][1], true, LINPRED_ERROR_INPUT), field_edits[i][2]);
    empty_folder();
}

static void counted_columns_are_checked(void **state)
{
    (void)state;
    static const char *const edits[][3] = {
        {"\"columns\": 2", "\"columns\": 3", "'columns' of 'recipe' is 3, but there are 2 coefficients"},
        {"\"columns\": 2", "\"columns\": 1", "'columns' of 'recipe' is 1, but there are 2 coefficients"},
        {"\"columns\": 2", "\"columns\": 0", "'columns' of 'recipe' is 0, but there are 2 coefficients"},
        {"\"columns\": 2", "\"columns\": -2", "'columns' of 'recipe' must be a whole number, 0 or more"},
        {"\"columns\": 2", "\"columns\": 9000000000000000000", "is 9000000000000000000, but there are 2 coefficients"},
        {"\"columns\": 2", "\"columns\": 2.0", "'columns' of 'recipe' must be an array"},
        {"\"columns\": 2", "\"columns\": \"2\"", "'columns' of 'recipe' must be an array"},
        {"\"columns\": 2", "\"columns\": []", "'coefficients' has 2 entries, but the recipe gives 0 features"},
        {"\"columns\": 2",
         "\"columns\": [{\"name\": \"x1\", \"type\": \"number\", \"mean\": null}, {\"name\": \"x2\", \"type\": "
         "\"number\", \"mean\": null}]",
         "entry 1 of 'coefficients' must be an object"},
        {"\"coefficients\": [", "\"coefficients\": [1, ", "'columns' of 'recipe' is 2, but there are 3 coefficients"},
        {"\"coefficients\": [\n    ", "\"coefficients\": [\n    null, ",
         "'columns' of 'recipe' is 2, but there are 3 coefficients"},
        {"\"coefficients\": [", "\"coefficients\": [\"1\"], \"c\": [",
         "'columns' of 'recipe' is 2, but there are 1 coefficients"},
        {"\"column\": \"label\"", "\"column\": \"x2\"", "weights columns: not 'x2'"},
        {"\"weights\": null", "\"weights\": \"x1\"", "weights columns: not 'x1'"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++)
        says(edited(edits[i][0], edits[i][1], true, LINPRED_ERROR_INPUT), edits[i][2]);
    /* Each coefficient is a number, and the first of them is changed into something else. */
    size_t length;
    char *bytes = get(in_folder("model.json"), &length), first[64];
    const char *at = strstr(bytes, "\"coefficients\": [\n    ");
    size_t head = strlen("\"coefficients\": [\n    "), whole = head + strcspn(at + head, ",");
    assert_true(whole < sizeof first);
    memcpy(first, at, whole);
    first[whole] = '\0';
    free(bytes);
    says(edited(first, "\"coefficients\": [null", true, LINPRED_ERROR_INPUT), "'coefficients' must hold numbers");
    says(edited(first, "\"coefficients\": [{\"feature\": \"x1\", \"weight\": 1}", true, LINPRED_ERROR_INPUT),
         "'coefficients' must hold numbers");
    edited(first, "\"coefficients\": [-7", true, LINPRED_OK);
    empty_folder();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_damage_goes_unnoticed),    cmocka_unit_test(an_edit_is_noticed_and_can_be_accepted),
        cmocka_unit_test(other_files_are_told_apart),  cmocka_unit_test(fields_are_checked_one_by_one),
        cmocka_unit_test(counted_columns_are_checked),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
