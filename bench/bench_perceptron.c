/* Milliseconds a pass of the perceptron over dense doubles in memory, beside merely reading them.
 *
 *     bench_perceptron make ROWS COLUMNS NOISE FILE    writes rows of doubles, the label last; a fraction NOISE of
 * labels flipped bench_perceptron run ROWS COLUMNS FILE THREADS PASSES
 *
 * Prints: milliseconds a pass (median over passes 2, 3, …), mistakes a pass, milliseconds to read the matrix on one
 * thread and on THREADS.
 */
#include <string.h>

#include "core/options.h"
#include "core/random.h"
#include "pass/row_extents.h"
#include "separate/walk/walk.h"
#include "measure.h"
#include "reading.h"

static int make(int64_t rows, int32_t columns, double noise, const char *path)
{
    FILE *file = fopen(path, "wb");
    double *x = malloc(((size_t)columns + 1) * sizeof *x);
    double *w = malloc((size_t)columns * sizeof *w);
    linpred__random random;
    linpred__random_seed(&random, 1);
    for (int32_t j = 0; j < columns; j++)
        w[j] = linpred__random_normal(&random);
    for (int64_t i = 0; i < rows; i++) {
        double s;
        do {
            s = 0;
            for (int32_t j = 0; j < columns; j++) {
                x[j] = linpred__random_uniform(&random) - 0.5;
                s += w[j] * x[j];
            }
        } while (fabs(s) < 0.02 * sqrt(columns));
        x[columns] = (s > 0) == (linpred__random_uniform(&random) >= noise) ? 1.0 : -1.0;
        fwrite(x, sizeof *x, (size_t)columns + 1, file);
    }
    free(x);
    free(w);
    return fclose(file) == 0 ? 0 : 1;
}

static double read_all(const linpred_data *data, linpred__pool *pool)
{
    double took[5];
    for (int k = 0; k < 5; k++)
        took[k] = read_once(data, pool);
    return median(took, 5);
}

static int measure(int64_t rows, int32_t columns, const char *path, int threads, int passes)
{
    double *all = malloc((size_t)rows * ((size_t)columns + 1) * sizeof *all);
    double *x = malloc((size_t)rows * (size_t)columns * sizeof *x);
    double *y = malloc((size_t)rows * sizeof *y);
    FILE *file = fopen(path, "rb");
    if (!file ||
        fread(all, sizeof *all, (size_t)rows * ((size_t)columns + 1), file) != (size_t)rows * ((size_t)columns + 1))
        return fprintf(stderr, "cannot read %s\n", path), 1;
    fclose(file);
    for (int64_t i = 0; i < rows; i++) {
        memcpy(x + i * columns, all + i * (columns + 1), (size_t)columns * sizeof *x);
        y[i] = all[i * (columns + 1) + columns];
    }
    free(all);
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = rows, .columns = columns, .values = x, .labels = y};
    linpred_data *data;
    linpred__run run = {0};
    linpred__walk walk;
    linpred__walk_rules rules = {.max_updates = INT64_MAX, .eager = true};
    linpred__problem problem = {.has_intercept = true};
    if (linpred_data_from_arrays(&arrays, &data, NULL) || linpred__pool_open(threads, &run.pool, NULL) ||
        linpred__find_row_extents(data, run.pool, true, false, &problem.extents, NULL))
        return 1;
    problem.data = data;
    if (linpred__walk_open(&walk, &run, &problem, &rules, NULL, 0.0, NULL))
        return 1;
    double took[1000];
    int64_t first_updates = 0;
    int done = 0;
    for (int pass = 0; pass < passes + 1 && pass < 1000; pass++) {
        double began = now();
        while (linpred__walk_advance(&walk) != LINPRED__WALK_PASS_END)
            ;
        linpred__walk_next_pass(&walk);
        if (pass == 0)
            first_updates = walk.updates;
        else
            took[done++] = 1e3 * (now() - began);
    }
    printf("%.2f %.0f %.2f %.2f\n", median(took, done), (double)(walk.updates - first_updates) / done,
           read_all(data, NULL), read_all(data, run.pool));
    linpred__walk_close(&walk);
    linpred__row_extents_clear(&problem.extents);
    linpred__pool_close(run.pool);
    linpred_data_free(data);
    free(x);
    free(y);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 6 && strcmp(argv[1], "make") == 0)
        return make(atoll(argv[2]), atoi(argv[3]), atof(argv[4]), argv[5]);
    if (argc == 7 && strcmp(argv[1], "run") == 0)
        return measure(atoll(argv[2]), atoi(argv[3]), argv[4], atoi(argv[5]), atoi(argv[6]));
    fprintf(stderr, "usage: bench_perceptron make ROWS COLUMNS NOISE FILE | run ROWS COLUMNS FILE THREADS PASSES\n");
    return 2;
}
