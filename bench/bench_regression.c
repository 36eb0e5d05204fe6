/* Seconds of a regression over rows x columns dense doubles in memory, best of several, and of its verification.
 *
 *   bench_regression squared|absolute ROWS COLUMNS THREADS [shuffled|sorted|ties] [REPEATS] [FILE]
 *
 * Columns are normal, y a planted combination of them plus noise: normal for squared loss, Student-t(2) for absolute.
 * `sorted` puts the rows in the order of y, `ties` rounds y so that about 30 % of the rows share theirs. With FILE the
 * rows are written there as raw doubles, y last, for a peer to read.
 */
#include <string.h>

#include "linpred/linpred.h"
#include "measure.h"

/* t with 2 degrees of freedom, from its distribution function. */
static double student(void)
{
    double u = uniform();
    return (2.0 * u - 1.0) / sqrt(2.0 * u * (1.0 - u));
}

static double *targets;

static int by_target(const void *a, const void *b)
{
    double x = targets[*(const int64_t *)a], y = targets[*(const int64_t *)b];
    return (x > y) - (x < y);
}

static void sort_rows(double *x, double *y, int64_t rows, int32_t columns)
{
    int64_t *order = malloc((size_t)rows * sizeof *order);
    double *copy = malloc((size_t)rows * (size_t)(columns + 1) * sizeof *copy);
    for (int64_t i = 0; i < rows; i++)
        order[i] = i;
    targets = y;
    qsort(order, (size_t)rows, sizeof *order, by_target);
    for (int64_t i = 0; i < rows; i++) {
        memcpy(copy + i * columns, x + order[i] * columns, (size_t)columns * sizeof *x);
        copy[rows * columns + i] = y[order[i]];
    }
    memcpy(x, copy, (size_t)rows * (size_t)columns * sizeof *x);
    memcpy(y, copy + rows * columns, (size_t)rows * sizeof *y);
    free(copy);
    free(order);
}

/* Normal x and a linear target; its errors are normal, or have heavy tails. With ties, many targets are whole. */
static void make_rows(double *x, double *y, int64_t rows, int32_t columns, bool normal_errors, bool ties)
{
    for (int64_t i = 0; i < rows; i++) {
        double score = 1.0;
        for (int32_t j = 0; j < columns; j++) {
            x[i * columns + j] = normal();
            score += x[i * columns + j] * (1.0 + j % 3);
        }
        y[i] = score + (normal_errors ? normal() : student());
        if (ties && uniform() < 0.3)
            y[i] = round(y[i]);
    }
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return fprintf(stderr, "usage: bench_regression squared|absolute ROWS COLUMNS THREADS [shuffled|sorted|ties] "
                               "[REPEATS] [FILE]\n"),
               2;
    bool squared = strcmp(argv[1], "squared") == 0;
    int64_t rows = atoll(argv[2]);
    int32_t columns = atoi(argv[3]);
    const char *kind = argc > 5 ? argv[5] : "shuffled";
    int repeats = argc > 6 ? atoi(argv[6]) : 3;
    double *x = malloc((size_t)rows * (size_t)columns * sizeof(double));
    double *y = malloc((size_t)rows * sizeof(double));
    make_rows(x, y, rows, columns, squared, strcmp(kind, "ties") == 0);
    if (strcmp(kind, "sorted") == 0)
        sort_rows(x, y, rows, columns);
    if (argc > 7)
        write_rows(argv[7], x, y, rows, columns);
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = rows, .columns = columns, .values = x, .labels = y};
    linpred_data *data = NULL;
    linpred_error error = {.message = ""};
    linpred_options *options = linpred_options_new();
    if (!options || linpred_options_set(options, "task", "regression", NULL) != LINPRED_OK ||
        linpred_options_set(options, "loss", squared ? "squared" : "absolute", NULL) != LINPRED_OK ||
        linpred_options_set(options, "threads", argv[4], NULL) != LINPRED_OK)
        return 2;
    if (linpred_data_from_arrays(&arrays, &data, &error) != LINPRED_OK)
        return fprintf(stderr, "%s\n", error.message), 1;
    double best = INFINITY, verify = INFINITY, processor = INFINITY;
    for (int k = 0; k < repeats; k++) {
        linpred_result *result = NULL;
        linpred_check *check = NULL;
        double began = now();
        clock_t spent = clock();
        if (linpred_fit(data, options, &result, &error) != LINPRED_OK)
            return fprintf(stderr, "%s\n", error.message), 1;
        best = fmin(best, now() - began);
        processor = fmin(processor, (double)(clock() - spent) / CLOCKS_PER_SEC);
        began = now();
        if (linpred_verify(result, data, atoi(argv[4]), &check, &error) != LINPRED_OK)
            return fprintf(stderr, "%s\n", error.message), 1;
        verify = fmin(verify, now() - began);
        if (k == repeats - 1)
            printf(
                "%s %lldx%d %s: fit %.3f s (%.3f s of processor), verify %.3f s, objective %.17g, %s, %s\n  %s\n  %s\n",
                argv[1], (long long)rows, columns, kind, best, processor, verify,
                linpred_result_number(result, "objective"), linpred_method_name(linpred_result_method(result)),
                linpred_verdict_name(linpred_check_verdict(check)), linpred_result_reason(result),
                linpred_check_summary(check));
        linpred_check_free(check);
        linpred_result_free(result);
    }
    linpred_data_free(data);
    linpred_options_free(options);
    free(x);
    free(y);
    return 0;
}
