/* Memory of a whole fit, from the file to the verdict: it peaks near the final matrix. */
#include <malloc.h>
#include <unistd.h>

#include "support.h"

enum { ROWS = 100000, COLUMNS = 20 };

static int64_t held, peak;

static void count(int64_t change)
{
    int64_t now = __atomic_add_fetch(&held, change, __ATOMIC_RELAXED);
    int64_t seen = __atomic_load_n(&peak, __ATOMIC_RELAXED);
    while (now > seen && !__atomic_compare_exchange_n(&peak, &seen, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void *counted(void *context, void *memory, size_t bytes)
{
    (void)context;
    int64_t before = (int64_t)malloc_usable_size(memory);
    void *made = realloc(memory, bytes);
    if (made)
        count((int64_t)malloc_usable_size(made) - before);
    return made;
}

static void give_back(void *context, void *memory)
{
    (void)context;
    count(-(int64_t)malloc_usable_size(memory));
    free(memory);
}

/* Two classes that a plane separates, 0.01 in the file for each unit here; the last column is the label. */
static void write_rows(const char *path)
{
    linpred__random random;
    linpred__random_seed(&random, 1);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    for (int i = 0; i < ROWS; i++) {
        int sum = 0;
        for (int j = 0; j < COLUMNS; j++) {
            int value = (int)linpred__random_below(&random, 2001) - 1000;
            sum += value * (j % 3 - 1);
            fprintf(out, "%d.%02d,", value / 100, abs(value % 100));
        }
        fprintf(out, "%d\n", sum > 0);
    }
    assert_int_equal(fclose(out), 0);
}

static void peaks_near_the_matrix(void **state)
{
    (void)state;
    char path[] = "/tmp/linpred-peak-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    write_rows(path);
    linpred_allocator allocator = {sizeof(linpred_allocator), counted, give_back, NULL};
    linpred_set_allocator(&allocator);
    static const linpred_task tasks[] = {LINPRED_TASK_HALFSPACE, LINPRED_TASK_LOGISTIC, LINPRED_TASK_REGRESSION};
    const int64_t matrix = (int64_t)ROWS * (COLUMNS + 1) * 8;
    const int64_t peak_max = matrix + matrix / 10 + (12 << 20); /* vectors as long as the rows; the reader's pieces */
    for (int t = 0; t < 3; t++) {
        linpred_options options;
        linpred__options_init(&options);
        options.task = tasks[t];
        options.threads = 2;
        if (tasks[t] == LINPRED_TASK_LOGISTIC)
            options.l2 = 1.0;
        if (tasks[t] == LINPRED_TASK_HALFSPACE) {
            options.method = LINPRED_METHOD_POCKET;
            options.max_passes = 3;
        }
        linpred_data *data = NULL;
        linpred_result *result = NULL;
        checked answer;
        int64_t before = peak = held;
        assert_int_equal(linpred_data_load(path, &options, &data, NULL), LINPRED_OK);
        assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
        assert_int_equal(verify_result(result, data, 2, &answer, NULL), LINPRED_OK);
        if (peak - before < matrix || peak - before > peak_max)
            fail_msg("%s: a matrix of %lld bytes took %lld", linpred_task_name(tasks[t]), (long long)matrix,
                     (long long)(peak - before));
        linpred_result_free(result);
        linpred_data_free(data);
        assert_int_equal(held, before);
    }
    linpred_set_allocator(NULL);
    remove(path);
}

/* Several files lie on disk while they are joined: memory holds none of them whole. */
static void several_files_are_converted_in_little_memory(void **state)
{
    (void)state;
    char path[] = "/tmp/linpred-peak-XXXXXX", output[] = "/tmp/linpred-peak-XXXXXX.npz";
    int source = mkstemp(path), made = mkstemps(output, 4);
    assert_true(source >= 0 && made >= 0);
    close(source);
    close(made);
    write_rows(path);
    linpred_allocator allocator = {sizeof(linpred_allocator), counted, give_back, NULL};
    linpred_set_allocator(&allocator);
    linpred_options *options = linpred_options_new();
    assert_non_null(options);
    options->threads = 2;
    for (int i = 0; i < 2; i++)
        assert_int_equal(linpred_options_add_file(options, path, NULL), LINPRED_OK);
    const int64_t peak_max = 12 << 20; /* the reader's pieces; the rows of one file would be 16 MB, of all 48 MB */
    int64_t before = peak = held;
    linpred_shape shape = {.struct_size = sizeof shape};
    assert_int_equal(linpred_convert(path, options, output, &shape, NULL), LINPRED_OK);
    assert_int_equal(shape.rows, 3 * ROWS);
    if (peak - before > peak_max)
        fail_msg("converting three files took %lld bytes", (long long)(peak - before));
    assert_int_equal(held, before);
    linpred_options_free(options);
    linpred_set_allocator(NULL);
    remove(path);
    remove(output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_near_the_matrix),
        cmocka_unit_test(several_files_are_converted_in_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
