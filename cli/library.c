/* What the library fills into structs of the caller, as values. */
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

int cli_threads(const cli *cli)
{
    return (int)linpred_options_get_count(cli->options, "threads");
}

int cli_choose(cli *cli, const char *option, int choice)
{
    linpred_error error;
    if (linpred_options_set_choice(cli->options, option, choice, &error) != LINPRED_OK)
        return cli_fail(cli, EXIT_FAULT, &error, NULL);
    return 0;
}
