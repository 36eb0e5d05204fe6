/* The oracle beside merely reading the rows: how much time it takes beyond its linear programs.
 *
 *     bench_separable FILE THREADS RUNS
 *
 * Prints the median over RUNS of milliseconds a fit, of those in linear programs and exact work, of the rest, and of
 * one reading of the matrix on THREADS; then searching passes, rounds, working rows and the outcome. Fits and readings
 * alternate.
 */
#include <stdio.h>

#include "measure.h"
#include "reading.h"

enum { MOST = 99 };

int main(int argc, char **argv)
{
    if (argc != 4 || atoi(argv[3]) < 1 || atoi(argv[3]) > MOST)
        return fprintf(stderr, "usage: bench_separable FILE THREADS RUNS\n"), 2;
    linpred_options *options = linpred_options_new();
    if (!options || linpred_options_set(options, "method", "lp", NULL) != LINPRED_OK ||
        linpred_options_set(options, "threads", argv[2], NULL) != LINPRED_OK)
        return 2;
    int runs = atoi(argv[3]);
    linpred_data *data;
    linpred__pool *pool;
    linpred_error error;
    if (linpred_data_load(argv[1], options, &data, &error) || linpred__pool_open(atoi(argv[2]), &pool, &error))
        return fprintf(stderr, "%s\n", error.message), 1;
    double fit[MOST], solver[MOST], rest[MOST], reading[MOST];
    int64_t passes = 0, rounds = 0, working = 0;
    linpred_outcome outcome = LINPRED_OUTCOME_UNDECIDED;
    for (int run = 0; run < runs; run++) {
        double reads[5];
        for (int k = 0; k < 5; k++)
            reads[k] = read_once(data, pool);
        reading[run] = median(reads, 5);
        linpred_result *result;
        double began = now();
        if (linpred_fit(data, options, &result, &error))
            return fprintf(stderr, "%s\n", error.message), 1;
        fit[run] = 1e3 * (now() - began);
        passes = linpred_result_count(result, "passes");
        rounds = linpred_result_count(result, "rounds");
        working = linpred_result_count(result, "working_rows");
        outcome = linpred_result_outcome(result);
        solver[run] = 1e3 * linpred_result_number(result, "solver_seconds");
        rest[run] = fit[run] - solver[run];
        linpred_result_free(result);
    }
    printf("%.2f %.2f %.2f %.2f %lld %lld %lld %s\n", median(fit, runs), median(solver, runs), median(rest, runs),
           median(reading, runs), (long long)passes, (long long)rounds, (long long)working,
           linpred_outcome_name(outcome));
    linpred__pool_close(pool);
    linpred_data_free(data);
    linpred_options_free(options);
    return 0;
}
