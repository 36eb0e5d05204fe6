/* Seconds that a logistic fit takes on rows x columns dense doubles in memory, or on a data file.
 *
 *   bench_logistic dense ROWS COLUMNS L2 THREADS TIMES [FILE]
 *   bench_logistic file DATA L2 TOLERANCE THREADS TIMES
 *
 * Dense: features are normal, labels drawn from a planted model. With FILE the matrix and the labels are written there
 * (rows of doubles, label last) for a peer to read. Prints one line a run: seconds, objective, gap, passes, outcome.
 */
#include <string.h>

#include "linpred/linpred.h"
#include "measure.h"

static int run(const linpred_data *data, linpred_options *options, int times)
{
    linpred_error error = {0};
    for (int k = 0; k < times; k++) {
        linpred_result *result = NULL;
        double began = now();
        if (linpred_fit(data, options, &result, &error) != LINPRED_OK)
            return fprintf(stderr, "%s\n", error.message), 1;
        printf("%.4f s, objective %.15g, gap %.2g, %lld passes, %s by %s\n", now() - began,
               linpred_result_number(result, "objective"), linpred_result_number(result, "gap"),
               (long long)linpred_result_count(result, "passes"), linpred_outcome_name(linpred_result_outcome(result)),
               linpred_method_name(linpred_result_method(result)));
        fflush(stdout);
        linpred_result_free(result);
    }
    return 0;
}

static linpred_data *make(int64_t rows, int32_t columns, const char *path)
{
    double *x = malloc((size_t)rows * (size_t)columns * sizeof(double));
    double *y = malloc((size_t)rows * sizeof(double));
    double *w = malloc((size_t)columns * sizeof(double));
    for (int32_t j = 0; j < columns; j++)
        w[j] = normal() / sqrt(columns);
    for (int64_t i = 0; i < rows; i++) {
        double s = -0.5;
        for (int32_t j = 0; j < columns; j++) {
            x[i * columns + j] = normal();
            s += 2.0 * w[j] * x[i * columns + j];
        }
        y[i] = uniform() < 1.0 / (1.0 + exp(-s)) ? 1.0 : -1.0;
    }
    if (path)
        write_rows(path, x, y, rows, columns);
    free(w);
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = rows, .columns = columns, .values = x, .labels = y};
    linpred_data *data = NULL;
    linpred_error error = {0};
    if (linpred_data_from_arrays(&arrays, &data, &error) != LINPRED_OK)
        fprintf(stderr, "%s\n", error.message);
    return data; /* the arrays live as long as the program */
}

static linpred_options *make_options(const char *l2, const char *threads)
{
    linpred_options *options = linpred_options_new();
    if (!options || linpred_options_set(options, "task", "logistic", NULL) != LINPRED_OK ||
        linpred_options_set(options, "l2", l2, NULL) != LINPRED_OK ||
        linpred_options_set(options, "threads", threads, NULL) != LINPRED_OK)
        exit(2);
    return options;
}

int main(int argc, char **argv)
{
    linpred_options *options = NULL;
    linpred_data *data = NULL;
    linpred_error error = {0};
    int times = 0;
    if (argc >= 7 && strcmp(argv[1], "dense") == 0) {
        options = make_options(argv[4], argv[5]);
        times = atoi(argv[6]);
        data = make(atoll(argv[2]), atoi(argv[3]), argc > 7 ? argv[7] : NULL);
    } else if (argc == 7 && strcmp(argv[1], "file") == 0) {
        options = make_options(argv[3], argv[5]);
        if (linpred_options_set(options, "tolerance", argv[4], &error) != LINPRED_OK)
            return fprintf(stderr, "%s\n", error.message), 2;
        times = atoi(argv[6]);
        double began = now();
        if (linpred_data_load(argv[2], options, &data, &error) != LINPRED_OK)
            fprintf(stderr, "%s\n", error.message);
        printf("%.4f s to read\n", now() - began);
    } else {
        fprintf(stderr, "usage: bench_logistic dense ROWS COLUMNS L2 THREADS TIMES [FILE]\n"
                        "       bench_logistic file DATA L2 TOLERANCE THREADS TIMES\n");
        return 2;
    }
    int code = data ? run(data, options, times) : 1;
    linpred_data_free(data);
    linpred_options_free(options);
    return code;
}
