/* linpred predict MODEL DATA: one line a row, labels, scores or probabilities, to standard output or a file. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef enum what { LABEL, SCORE, PROBABILITY } what;

static const char *const words[] = {"label", "score", "probability"};

static double number_of(double score, what what)
{
    return what == PROBABILITY ? linpred_probability(score) : score;
}

static void print_rows(FILE *out, const linpred_model *model, const double *scores, int64_t rows, what what)
{
    fprintf(out, "%s\n", words[what]);
    for (int64_t i = 0; i < rows; i++) {
        char number[40];
        if (isnan(scores[i])) {
            fputs("NA", out);
        } else if (what == LABEL) {
            cli_print_field(out, linpred_model_label(model, scores[i] >= 0 ? 1 : -1)); /* sign(0) = +1 */
        } else {
            cli_format_number(number_of(scores[i], what), number);
            fputs(number, out);
        }
        fputc('\n', out);
    }
}

static int print_json(const cli *cli, const linpred_model *model, const double *scores, int64_t rows, what what)
{
    json_t *object = json_object();
    cli_set_count(object, "rows", rows);
    if (cli->own[OWN_OUTPUT]) {
        cli_set_text(object, "output", cli->own[OWN_OUTPUT]);
        return cli_print_json(object);
    }
    json_t *list = json_array();
    for (int64_t i = 0; i < rows; i++)
        json_array_append_new(list, isnan(scores[i]) ? json_null()
                                    : what == LABEL  ? json_string(linpred_model_label(model, scores[i] >= 0 ? 1 : -1))
                                                     : json_real(number_of(scores[i], what)));
    json_object_set_new(object, what == LABEL ? "labels" : what == SCORE ? "scores" : "probabilities", list);
    return cli_print_json(object);
}

static int write_file(const cli *cli, const linpred_model *model, const double *scores, int64_t rows, what what)
{
    char *text = NULL;
    size_t bytes = 0;
    linpred_error error = {.message = "out of memory"};
    FILE *out = open_memstream(&text, &bytes);
    if (out)
        print_rows(out, model, scores, rows, what);
    bool whole = out && fclose(out) == 0 && linpred_write_file(cli->own[OWN_OUTPUT], text, bytes, &error) == LINPRED_OK;
    free(text);
    return whole ? 0 : cli_fail(cli, EXIT_FAULT, &error, cli->own[OWN_OUTPUT]);
}

static int predict(const cli *cli, const linpred_model *model, const linpred_data *data, what what)
{
    linpred_error error = {.status = LINPRED_ERROR_MEMORY, .message = "out of memory"};
    linpred_shape shape = linpred_data_shape(data);
    int64_t rows = shape.rows_in_file;
    double *scores = malloc((size_t)rows * sizeof *scores);
    int code = 0;
    if (!scores || linpred_score(model, data, (int)cli->options.threads, scores, &error) != LINPRED_OK)
        code = cli_fail_status(cli, &error, cli->positional[1]);
    if (code == 0)
        cli_warn_of_data(cli, data);
    if (code == 0 && shape.dropped_missing > 0)
        cli_notice(cli, "%" PRId64 " row%s with missing values: the answer is NA", shape.dropped_missing,
                   cli_plural(shape.dropped_missing, "s"));
    if (code == 0 && cli->own[OWN_OUTPUT])
        code = write_file(cli, model, scores, rows, what);
    if (code == 0 && cli->json)
        code = print_json(cli, model, scores, rows, what);
    else if (code == 0 && !cli->own[OWN_OUTPUT])
        print_rows(stdout, model, scores, rows, what);
    free(scores);
    return code;
}

/* The linear program's question was whether a halfspace separates; without one its weights are whatever it had. */
static bool is_mere_proof(const linpred_info *info)
{
    return info->method == LINPRED_METHOD_LP && info->outcome != LINPRED_OUTCOME_SEPARATED;
}

int run_predict(cli *cli)
{
    linpred_error error;
    linpred_result *result = NULL;
    linpred_data *data = NULL;
    const char *asked = cli->own[OWN_WHAT] ? cli->own[OWN_WHAT] : words[LABEL];
    what what = LABEL;
    while (what <= PROBABILITY && strcmp(asked, words[what]) != 0)
        what++;
    if (what > PROBABILITY)
        return cli_usage(cli, "--what takes label, score or probability, not '%.60s'", asked);
    for (int i = 0; i < 2; i++) {
        int code = cli_check_output(cli, OWN_OUTPUT, cli->positional[i]);
        if (code)
            return code;
    }
    if (linpred_result_load(cli->positional[0], cli->own[OWN_ACCEPT_EDITED] != NULL, &result, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    const linpred_model *model = linpred_result_model(result);
    bool regression = linpred_model_task(model) == LINPRED_TASK_REGRESSION; /* the score is the answer */
    int code;
    if (regression && cli->own[OWN_WHAT] && what == LABEL)
        code = cli_usage(cli, "--what label has no meaning for a regression, which predicts numbers");
    else if (what == PROBABILITY && linpred_model_task(model) != LINPRED_TASK_LOGISTIC)
        code = cli_usage(cli, "only a logistic model gives probabilities: linpred fit logistic DATA -o MODEL");
    else if (linpred_data_load_for(model, cli->positional[1], false, &cli->options, &data, &error) != LINPRED_OK)
        code = cli_fail_status(cli, &error, cli->positional[1]);
    else
        code = predict(cli, model, data, regression ? SCORE : what);
    if (code == 0 && is_mere_proof(linpred_result_info(result)))
        cli_notice(cli, "'%s' answers whether a halfspace separates its data, which none was found to do: its weights were not "
                        "chosen to predict; fit with --method pocket or auto",
                   cli->positional[0]);
    linpred_data_free(data);
    linpred_result_free(result);
    return code;
}
