/* Passes per second of the perceptron over rows x columns dense doubles in memory, beside the time of merely reading them.
 *
 *   bench_perceptron ROWS COLUMNS NOISE PASSES THREADS [FILE]
 *
 * Labels come from a planted halfspace, a fraction NOISE of them flipped, so that about that fraction (and what it costs)
 * are mistakes in every pass. With FILE the matrix and labels are written there (rows of doubles, label last) for a peer
 * to read. Prints milliseconds a pass and mistakes a pass.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "linpred/linpred.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t bits = 88172645463325252u;

static double uniform(void)
{
    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    return (double)(bits >> 11) * 0x1p-53;
}

static double read_all(const double *x, size_t n)
{
    double best = INFINITY;
    for (int k = 0; k < 5; k++) {
        double began = now();
        double sum[8] = {0};
        for (size_t i = 0; i + 8 <= n; i += 8)
            for (size_t l = 0; l < 8; l++)
                sum[l] += x[i + l];
        double took = now() - began;
        if (sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7] != 0.123 && took < best)
            best = took;
    }
    return best;
}

int main(int argc, char **argv)
{
    if (argc < 6)
        return fprintf(stderr, "usage: bench_perceptron ROWS COLUMNS NOISE PASSES THREADS [FILE]\n"), 2;
    int64_t rows = atoll(argv[1]);
    int32_t columns = atoi(argv[2]);
    double noise = atof(argv[3]);
    int64_t passes = atoll(argv[4]);
    double *x = malloc((size_t)rows * (size_t)columns * sizeof(double));
    double *y = malloc((size_t)rows * sizeof(double));
    double *w = malloc((size_t)columns * sizeof(double));
    for (int32_t j = 0; j < columns; j++)
        w[j] = uniform() - 0.5;
    for (int64_t i = 0; i < rows; i++) {
        double s;
        do {
            s = 0;
            for (int32_t j = 0; j < columns; j++) {
                x[i * columns + j] = uniform() - 0.5;
                s += w[j] * x[i * columns + j];
            }
        } while (fabs(s) < 0.02);
        y[i] = (s > 0) == (uniform() >= noise) ? 1.0 : -1.0;
    }
    if (argc > 6) {
        FILE *file = fopen(argv[6], "wb");
        for (int64_t i = 0; i < rows; i++) {
            fwrite(x + i * columns, sizeof(double), (size_t)columns, file);
            fwrite(y + i, sizeof(double), 1, file);
        }
        fclose(file);
    }
    linpred_arrays arrays = {
        .struct_size = sizeof arrays, .rows = rows, .columns = columns, .values = x, .labels = y};
    linpred_data *data = NULL;
    linpred_error error = {0};
    if (linpred_data_from_arrays(&arrays, &data, &error) != LINPRED_OK)
        return fprintf(stderr, "%s\n", error.message), 1;
    linpred_options options;
    linpred_options_init(&options);
    options.method = LINPRED_METHOD_PERCEPTRON;
    options.threads = atoi(argv[5]);
    double best[2] = {INFINITY, INFINITY};
    int64_t updates = 0, done = 0;
    /* Two lengths of run: their difference leaves out what is done once (the radius, the report, the fingerprint). */
    for (int k = 0; k < 3; k++) {
        for (int which = 0; which < 2; which++) {
            options.max_passes = which ? 1 + passes : 1;
            linpred_result *result = NULL;
            double began = now();
            if (linpred_fit(data, &options, &result, &error) != LINPRED_OK)
                return fprintf(stderr, "%s\n", error.message), 1;
            double took = now() - began;
            if (took < best[which])
                best[which] = took;
            int64_t sign = which ? 1 : -1;
            updates = which ? updates + linpred_result_info(result)->updates : -linpred_result_info(result)->updates;
            done = which ? done + linpred_result_info(result)->passes : -linpred_result_info(result)->passes;
            (void)sign;
            linpred_result_free(result);
        }
    }
    double read = read_all(x, (size_t)rows * (size_t)columns);
    printf("%.2f ms a pass, %.0f mistakes a pass, %.2f ms to read the matrix on one core, %lld passes\n",
           1e3 * (best[1] - best[0]) / (double)done, (double)updates / (double)done, 1e3 * read, (long long)done);
    linpred_data_free(data);
    free(x);
    free(y);
    free(w);
    return 0;
}
