/* Notices about rows: those that were left out or filled in, and those whose prediction the training data do not
 * determine. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli.h"

void cli_notice_rows(const cli_invocation *cli, const linpred_data *data, const char *left_out)
{
    linpred_shape shape = cli_shape(data);
    cli_warn_of_data(cli, data);
    if (shape.dropped_missing > 0)
        cli_notice(cli, "%" PRId64 " row%s with missing values: %s", shape.dropped_missing,
                   cli_plural(shape.dropped_missing, "s"), left_out);
    if (shape.dropped_unknown > 0)
        cli_notice(cli, "%" PRId64 " row%s with levels that the fit did not see: %s", shape.dropped_unknown,
                   cli_plural(shape.dropped_unknown, "s"), left_out);
    if (shape.filled_missing > 0)
        cli_notice(cli, "%" PRId64 " row%s with missing values: the means of the fit stand for them",
                   shape.filled_missing, cli_plural(shape.filled_missing, "s"));
}

int cli_notice_broken(const cli_invocation *cli, const linpred_result *result, const linpred_data *data)
{
    enum { NAMED = 3 };
    linpred_error error = {.status = LINPRED_ERROR_MEMORY, .message = "out of memory"};
    size_t count = linpred_result_dependency_count(result), broken = 0;
    if (count == 0)
        return 0;
    int64_t *rows = calloc(2 * count, sizeof *rows), *first = rows + count;
    linpred_status status =
        rows ? linpred_broken_dependencies(result, data, cli_threads(cli), rows, first, &error) : LINPRED_ERROR_MEMORY;
    for (size_t k = 0; status == LINPRED_OK && k < count; k++)
        if (rows[k] > 0 && broken++ < NAMED)
            cli_notice(cli,
                       "%" PRId64 " row%s (the first is row %" PRId64
                       ") break%s a dependency that held between the columns of the training data, %s: the training "
                       "data do not determine %s",
                       rows[k], cli_plural(rows[k], "s"), first[k], rows[k] == 1 ? "s" : "",
                       linpred_result_dependency_sentence(result, k),
                       rows[k] == 1 ? "its prediction" : "their predictions");
    if (broken > NAMED)
        cli_notice(cli, "rows break %zu more dependenc%s of the training columns", broken - NAMED,
                   broken - NAMED == 1 ? "y" : "ies");
    free(rows);
    return status == LINPRED_OK ? 0 : cli_fail_status(cli, &error, cli->positional[1]);
}
