/* The model file: exact round trips, and files that are whole or not there. */
#include "model_support.h"

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
    for (int method = LINPRED_METHOD_AUTO; method <= LINPRED_METHOD_MARGIN; method++) {
        round_trip(fitted_by((linpred_method)method, true));
        round_trip(fitted_by((linpred_method)method, false));
    }
    round_trip(odd());
    linpred_result *through_origin = fitted();
    linpred__release(through_origin->option[0].flag);
    linpred__release(through_origin->option[0].text);
    through_origin->option[0] = (linpred__option_record){copy("no-intercept"), copy("yes")};
    through_origin->model.has_intercept = false;
    through_origin->model.b = 0.0;
    through_origin->model.recipe->index_base = 0; /* as if from a LIBSVM file: its notes say so */
    while (through_origin->model.recipe->notes > 0)
        linpred__release(through_origin->model.recipe->note[--through_origin->model.recipe->notes]);
    assert_true(linpred__recipe_write_notes(through_origin->model.recipe));
    round_trip(through_origin);
    linpred_result *bare = linpred__calloc(1, sizeof *bare); /* the intercept alone, no column at all */
    bare->model.recipe = linpred__recipe_of_arrays(0, &(linpred__array_names){0}, false, 1);
    bare->model.has_intercept = true;
    bare->model.b = 5e-324;
    linpred__figures_clear(&bare->figures);
    bare->figures.rows = bare->figures.columns = 0;
    bare->figures.total_weight = 0;
    bare->figures.outcome = LINPRED_OUTCOME_UNDECIDED;
    bare->figures.errors = bare->figures.objective = 1.0;
    linpred__claims_add(&bare->claims, LINPRED_CLAIM_ERRORS, true);
    linpred__claims_add(&bare->claims, LINPRED_CLAIM_OBJECTIVE, false);
    linpred__claims_add(&bare->claims, LINPRED_CLAIM_DATA, true);
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
    assert_memory_equal(bytes, "{\n  \"format\": \"linpred model\",\n  \"version\": 2,\n", 47);
    free(bytes);
    linpred_result_free(result);
    empty_folder();
}

/* The example in docs/model-file.md is a real file, to the byte. */
static void the_documented_example_loads(void **state)
{
    (void)state;
    size_t length;
    char *page = get(LINPRED_SOURCE_DIR "/docs/model-file.md", &length);
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

/* In memory it is the same text as in a file. */
static void text_in_memory_is_the_file(void **state)
{
    (void)state;
    linpred_result *result = fitted(), *back = NULL;
    char *text = NULL;
    size_t length, written;
    linpred_error error;
    assert_int_equal(linpred_result_save(result, in_folder("model.json"), NULL), LINPRED_OK);
    char *file = get(in_folder("model.json"), &written);
    assert_int_equal(linpred_result_to_text(result, &text, &length, NULL), LINPRED_OK);
    assert_int_equal(length, written);
    assert_memory_equal(text, file, length);
    assert_int_equal(linpred_result_from_text(text, length, false, &back, NULL), LINPRED_OK);
    same_result(result, back);
    linpred_result_free(back);
    assert_int_equal(linpred_result_from_text(text, length - 9, false, &back, &error), LINPRED_ERROR_INPUT);
    says(error.message, "'the text' is cut short or damaged");
    assert_int_equal(linpred_result_from_text("", 0, false, &back, &error), LINPRED_ERROR_INPUT);
    says(error.message, "it is empty");
    linpred_text_free(text);
    free(file);
    linpred_result_free(result);
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
    result->model.recipe->target[0] = 'l';
    result->figures.deviance = 1.0; /* a figure without its claim would be lost */
    assert_int_equal(linpred_result_save(result, in_folder("file"), &error), LINPRED_ERROR_INTERNAL);
    says(error.message, "'deviance' is stated, but no claim states it");
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
    linpred_allocator allocator = {sizeof(linpred_allocator), scarce, give_back, NULL};
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

/* No witness needs integers longer than its columns explain; GMP is not asked to hold them. */
static void endless_integers_are_refused(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        linpred_result *result = odd();
        linpred_result *back = NULL;
        linpred_error error;
        linpred__claim *direction = linpred__claims_add(&result->claims, LINPRED_CLAIM_SEPARATES, true),
                       *combination = linpred__claims_add(&result->claims, LINPRED_CLAIM_INSEPARABLE, true);
        char **text = which ? &direction->by.direction.entry[1] : &combination->by.combination.weight[1];
        for (size_t digits = 14000; digits <= 14001; digits++) { /* 7 columns */
            linpred__release(*text);
            *text = linpred__alloc(digits + 1, 1);
            memset(*text, '7', digits);
            (*text)[digits] = '\0';
            assert_int_equal(linpred_result_save(result, in_folder("long.json"), NULL), LINPRED_OK);
            linpred_status status = load(in_folder("long.json"), false, &back, &error);
            assert_int_equal(status, digits == 14000 ? LINPRED_OK : LINPRED_ERROR_INPUT);
        }
        says(error.message, "no longer than witnesses of these columns can be");
        linpred_result_free(back);
        linpred_result_free(result);
    }
    assert_int_equal(empty_folder(), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_to_the_bit),        cmocka_unit_test(checksum_is_as_documented),
        cmocka_unit_test(the_documented_example_loads), cmocka_unit_test(a_failed_write_leaves_nothing),
        cmocka_unit_test(text_in_memory_is_the_file),   cmocka_unit_test(runs_out_of_memory_cleanly),
        cmocka_unit_test(endless_integers_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
