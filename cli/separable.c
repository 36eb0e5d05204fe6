/* linpred separable DATA: a hyperplane, or a handful of rows that prove there is none. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { COLUMNS_SHOWN = 6, ROWS_SHOWN = 40, WIDTH = 12 };

struct answer {
    cli *cli;
    const linpred_data *data;
    const linpred_result *result;
    linpred_check check;
    bool verified;
    double read_seconds, verify_seconds;
};

/* ---- the rows that prove "no" -------------------------------------------------------------------------------------- */

/* The columns worth showing: those in which some row of the witness is not zero, the first few of them. */
static int columns_to_show(const struct answer *answer, double *values, int32_t *shown, bool *more)
{
    const int64_t *row;
    int64_t rows = linpred_result_witness(answer->result, &row);
    int32_t columns = linpred_data_shape(answer->data).columns;
    bool *touched = calloc((size_t)columns, sizeof *touched);
    int count = 0;
    double label;
    *more = false;
    for (int64_t i = 0; touched && i < rows; i++)
        if (linpred_data_row(answer->data, row[i], values, &label))
            for (int32_t j = 0; j < columns; j++)
                touched[j] = touched[j] || values[j] != 0.0 || columns <= COLUMNS_SHOWN;
    for (int32_t j = 0; touched && j < columns; j++) {
        if (touched[j] && count < COLUMNS_SHOWN)
            shown[count++] = j;
        else
            *more = *more || touched[j];
    }
    free(touched);
    return count;
}

static void print_witness(const struct answer *answer)
{
    const int64_t *row;
    int64_t rows = linpred_result_witness(answer->result, &row);
    double *values = malloc(((size_t)linpred_data_shape(answer->data).columns + 1) * sizeof *values);
    int32_t shown[COLUMNS_SHOWN];
    bool more;
    if (!values)
        return;
    int count = columns_to_show(answer, values, shown, &more);
    printf("\n%8s %*s %*.*s", "row", WIDTH, "weight", WIDTH, WIDTH, linpred_data_target(answer->data));
    for (int k = 0; k < count; k++)
        printf(" %*.*s", WIDTH, WIDTH, linpred_data_feature(answer->data, shown[k]));
    puts(more ? " …" : "");
    for (int64_t i = 0; i < rows && i < ROWS_SHOWN; i++) {
        const char *weight = linpred_result_witness_weight(answer->result, i);
        double label = 0.0;
        linpred_data_row(answer->data, row[i], values, &label);
        printf("%8" PRId64 " %*.*s%s %*.*s", row[i], WIDTH, WIDTH, weight, strlen(weight) > WIDTH ? "…" : "", WIDTH, WIDTH,
               linpred_data_label(answer->data, label > 0 ? 1 : -1));
        for (int k = 0; k < count; k++)
            printf(" %*.7g", WIDTH, values[shown[k]]);
        puts(more ? " …" : "");
    }
    if (rows > ROWS_SHOWN)
        printf("  … and %" PRId64 " more: all of them with --json\n", rows - ROWS_SHOWN);
    free(values);
}

static void print_no(const struct answer *answer)
{
    const int64_t *row;
    int64_t rows = linpred_result_witness(answer->result, &row);
    bool intercept = linpred_model_has_intercept(linpred_result_model(answer->result));
    const char *through = intercept ? "" : " through the origin";
    printf("NOT SEPARABLE: %s %" PRId64 " row%s cannot be separated by any hyperplane%s, so the file cannot be either.\n",
           rows == 1 ? "this" : "these", rows, rows == 1 ? "" : "s", through);
    print_witness(answer);
    if (intercept)
        printf("\nWeighted by these whole numbers, the rows labelled %s and the rows labelled %s have the same average, exactly:\n"
               "no hyperplane can have it on both of its sides.\n",
               linpred_data_label(answer->data, 1), linpred_data_label(answer->data, -1));
    else
        printf("\nWeighted by these whole numbers%s%s%s, the rows sum to zero exactly:\n"
               "no halfspace through the origin can have them all strictly inside.\n",
               *linpred_data_label(answer->data, -1) ? ", and those labelled " : "", linpred_data_label(answer->data, -1),
               *linpred_data_label(answer->data, -1) ? " turned around" : "");
}

/* ---- all answers ------------------------------------------------------------------------------------------------------ */

static void print_text(const struct answer *answer)
{
    const linpred_info *info = linpred_result_info(answer->result);
    switch (info->outcome) {
    case LINPRED_OUTCOME_SEPARATED:
        printf("SEPARABLE: a hyperplane has each of the %" PRId64 " rows strictly on its side.\n", info->rows);
        for (size_t i = 0; i < 1 && linpred_data_note(answer->data, i); i++)
            printf("%s\n", linpred_data_note(answer->data, i));
        if (!isnan(info->margin))
            printf("margin       %.9g (intercept in the norm), %.9g (usual); linpred fit halfspace finds the largest\n",
                   info->margin, info->margin_without_intercept);
        cli_print_coefficients(linpred_result_model(answer->result));
        break;
    case LINPRED_OUTCOME_INSEPARABLE:
        print_no(answer);
        break;
    default:
        printf("UNDECIDED: %s.\n", info->reason);
        if (!isnan(info->margin_bound))
            printf("no halfspace has a margin above %.6g\n", info->margin_bound);
        break;
    }
    if (answer->verified)
        cli_check_to_text(&answer->check);
}

static int print_json(const struct answer *answer)
{
    const linpred_info *info = linpred_result_info(answer->result);
    json_t *object = json_object();
    cli_set_text(object, "outcome", linpred_outcome_name(info->outcome));
    cli_set_text(object, "reason", info->reason);
    cli_set_text(object, "method", linpred_method_name(info->method));
    cli_set_count(object, "rows", info->rows);
    cli_set_count(object, "columns", info->columns);
    if (info->outcome == LINPRED_OUTCOME_SEPARATED)
        json_object_set_new(object, "coefficients", cli_coefficients(linpred_result_model(answer->result)));
    cli_info_to_json(object, info);
    cli_witness_to_json(object, answer->result);
    if (answer->verified)
        cli_check_to_json(object, &answer->check);
    cli_seconds_to_json(object, answer->read_seconds, info->seconds, answer->verified ? answer->verify_seconds : NAN);
    return cli_print_json(object);
}

static int answer_question(struct answer *answer)
{
    cli *cli = answer->cli;
    linpred_error error;
    linpred_result *result = NULL;
    if (cli_fit(cli, answer->data, &result, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    answer->result = result;
    int code = 0;
    double began = cli_now();
    if (!cli->own[OWN_NO_VERIFY]) {
        answer->verified = true;
        if (linpred_verify(result, answer->data, (int)cli->options.threads, &answer->check, &error) != LINPRED_OK)
            code = cli_fail_status(cli, &error, NULL);
    }
    answer->verify_seconds = cli_now() - began;
    if (code == 0 && cli->own[OWN_OUTPUT] && linpred_result_save(result, cli->own[OWN_OUTPUT], &error) != LINPRED_OK)
        code = cli_fail(cli, EXIT_FAULT, &error, cli->own[OWN_OUTPUT]);
    if (code == 0 && cli->json)
        code = print_json(answer);
    else if (code == 0)
        print_text(answer);
    bool holds = !answer->verified || cli_check_code(&answer->check) == EXIT_HOLDS;
    if (code == 0)
        code = holds && linpred_result_info(result)->outcome == LINPRED_OUTCOME_SEPARATED ? EXIT_HOLDS : EXIT_NO;
    linpred_result_free(result);
    return code;
}

int run_separable(cli *cli)
{
    struct answer answer = {.cli = cli};
    linpred_error error;
    linpred_data *data = NULL;
    cli->options.method = LINPRED_METHOD_LP;
    cli->options.one_class = true;
    int code = cli_check_output(cli, OWN_OUTPUT, cli->positional[0]);
    if (code)
        return code;
    double began = cli_now();
    if (linpred_data_load(cli->positional[0], &cli->options, &data, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    answer.data = data;
    answer.read_seconds = cli_now() - began;
    code = answer_question(&answer);
    linpred_data_free(data);
    return code;
}
