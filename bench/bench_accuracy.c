/* Correct digits on the NIST StRD sets, as the table of docs/regression.md:
 *
 *   bench_accuracy FOLDER      with the eleven sets as CSV files, y first; the certified figures are in
 * tests/strd_certified.txt
 *
 * Every set by the plain command: `linpred fit regression SET.csv -t y [--degree N] [--no-intercept]`.
 */
#include "../tests/strd.h"

static void print_line(const strd_score *score, const linpred_result *result, const linpred_data *data)
{
    (void)result;
    (void)data;
    char model[40];
    snprintf(model, sizeof model,
             score->degree > 1  ? "degree %d"
             : score->intercept ? "linear"
                                : "linear, no intercept",
             score->degree);
    printf("| %s | %d | %d | %s | %.1f | %.1f |\n", score->set, score->rows, score->parameters, model,
           score->coefficient, score->standard_error);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return fprintf(stderr, "usage: bench_accuracy FOLDER\n"), 2;
    puts("| set | rows | parameters | model | coefficients, worst LRE | standard errors, worst LRE |\n"
         "| --- | ---: | ---: | --- | ---: | ---: |");
    return strd_all(argv[1], "tests/strd_certified.txt", print_line) == 11 ? 0 : 1;
}
