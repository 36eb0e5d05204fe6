/* Calls of the library that fill a struct of the caller, as functions that return the struct. */
#include <math.h>

#include "cli.h"

linpred_shape cli_shape(const linpred_data *data)
{
    linpred_shape shape = {.struct_size = sizeof shape};
    linpred_data_shape(data, &shape);
    return shape;
}

linpred_coefficient cli_coefficient(const linpred_result *result, int32_t column)
{
    linpred_coefficient coefficient = {sizeof coefficient, NULL, NAN, NAN, NAN, NAN, NAN, NAN};
    linpred_result_coefficient(result, column, &coefficient);
    return coefficient;
}

cli_figures cli_read_figures(const linpred_result *result)
{
    return (cli_figures){
        .outcome = linpred_result_outcome(result),
        .method = linpred_result_method(result),
        .separation = linpred_result_separation(result),
        .reason = linpred_result_reason(result),
        .no_standard_errors = linpred_result_no_standard_errors(result),
#define LINPRED_FIGURE_NUMBER(name, claims, meaning) .name = linpred_result_number(result, #name),
#define LINPRED_FIGURE_COUNT(name, claims, meaning) .name = linpred_result_count(result, #name),
#include "linpred/figures.def"
    };
}

int cli_threads(const cli_invocation *cli)
{
    return (int)linpred_options_get_count(cli->options, "threads");
}

int cli_choose(cli_invocation *cli, const char *option, int choice)
{
    linpred_error error;
    if (linpred_options_set_choice(cli->options, option, choice, &error) != LINPRED_OK)
        return cli_fail(cli, EXIT_FAULT, &error, NULL);
    return 0;
}
