/* The file of --trace: one CSV row for each update of the perceptron. */
#include <inttypes.h>
#include <math.h>

#include "cli.h"

bool cli_trace_update(void *context, const linpred_update *update)
{
    FILE *trace = linpred_output_stream(((cli_session *)context)->trace);
    char number[40];
    fprintf(trace, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%d", update->update, update->pass, update->row,
            update->label > 0 ? 1 : -1);
    const double values[] = {update->score,        update->loss,   update->norm_squared, update->norm_limit,
                             update->star_product, update->cosine, update->cosine_limit, update->intercept};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        cli_format_number(values[i], number);
        fprintf(trace, ",%s", isnan(values[i]) ? "" : number);
    }
    for (int32_t j = 0; j < update->columns; j++) {
        cli_format_number(update->weights[j], number);
        fprintf(trace, ",%s", number);
    }
    fputc('\n', trace);
    return !cli_interrupted() && !ferror(trace);
}

int cli_trace_open(cli_session *session)
{
    const char *path = session->cli->own[OWN_TRACE];
    linpred_error error;
    if (!path)
        return 0;
    if (linpred_output_open(path, &session->trace, &error) != LINPRED_OK)
        return cli_fail(session->cli, EXIT_FAULT, &error, path);
    FILE *trace = linpred_output_stream(session->trace);
    fputs("update,pass,row,label,score,loss,norm_squared,norm_limit,star_product,cosine,cosine_limit,(intercept)",
          trace);
    for (int32_t j = 0; j < linpred_data_columns(session->data); j++) {
        fputc(',', trace);
        cli_print_field(trace, linpred_data_feature(session->data, j));
    }
    fputc('\n', trace);
    return 0;
}

int cli_trace_write(cli_session *session)
{
    linpred_error error;
    linpred_output *trace = session->trace;
    session->trace = NULL;
    if (trace && linpred_output_commit(trace, &error) != LINPRED_OK)
        return cli_fail(session->cli, EXIT_FAULT, &error, session->cli->own[OWN_TRACE]);
    return 0;
}
