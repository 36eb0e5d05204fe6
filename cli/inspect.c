/* linpred inspect FILE: what a data file or a model holds. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum {
    LEVELS_SHOWN = 8,
    LEVEL_WIDTH = 30,
    COLUMNS_SHOWN = 40,
    COLUMNS_FIRST = 30,
    NAME_WIDTH = 24,
    BESIDE_NAME = 28, /* characters of the other cells before the values */
    WIDE_SCREEN = 110,
    MIN_IDENTIFIERS = 10,
    DECIMALS_SHOWN = 8
};

static const char *type_name(linpred_column_type type)
{
    return type == LINPRED_COLUMN_NUMBER ? "number" : type == LINPRED_COLUMN_TEXT ? "text" : "empty";
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

static void print_levels(FILE *out, const linpred_inspection *inspection, int32_t column)
{
    int64_t count;
    const char *level;
    for (int32_t k = 0; (level = linpred_inspection_level(inspection, column, k, &count)); k++) {
        if (k == LEVELS_SHOWN) {
            fprintf(out, ", …");
            break;
        }
        fputs(k ? ", " : "", out);
        cli_print_cut(out, level, LEVEL_WIDTH);
        fprintf(out, " (%" PRId64 ")", count);
    }
}

static linpred_column_report column_report(const linpred_inspection *inspection, int32_t column)
{
    linpred_column_report report = {.struct_size = sizeof report};
    linpred_inspection_column(inspection, column, &report);
    return report;
}

static void print_numbers(FILE *out, const linpred_column_report *report)
{
    fprintf(out, "%.6g to %.6g, mean %.6g", report->low, report->high, report->mean);
    if (report->decimals > 0)
        fprintf(out, "; %d decimal%s", report->decimals, cli_plural(report->decimals, "s"));
    else if (report->decimals < 0)
        fprintf(out, "; doubles");
}

static void print_values(FILE *out, const linpred_inspection *inspection, int32_t column)
{
    linpred_column_report report = column_report(inspection, column);
    if (report.refusal)
        fprintf(out, "%s", report.refusal);
    else if (report.type == LINPRED_COLUMN_NUMBER)
        print_numbers(out, &report);
    else if (report.type == LINPRED_COLUMN_TEXT) {
        fprintf(out, "%" PRId64 " level%s: ", report.distinct, cli_plural(report.distinct, "s"));
        print_levels(out, inspection, column);
        if (report.distinct >= MIN_IDENTIFIERS &&
            report.distinct == linpred_inspection_rows(inspection) - report.missing)
            fprintf(out, "; every value differs, as in an identifier");
    } else
        fprintf(out, "no value at all");
    if (report.constant)
        fprintf(out, "; constant");
    if (report.duplicate_of >= 0)
        fprintf(out, "; same values as column %d", column_report(inspection, report.duplicate_of).number);
}

/* Prints the line of a column. Its values are folded to the screen. */
static void print_column(const linpred_inspection *inspection, int32_t column, int name_width)
{
    linpred_column_report report = column_report(inspection, column);
    char number[16] = "", *text = NULL;
    size_t bytes = 0;
    if (report.number > 0)
        snprintf(number, sizeof number, "%d", report.number);
    printf("%6s  ", number);
    cli_print_cell(*report.name ? report.name : "(no name)", name_width, false);
    printf(" %-7s %9" PRId64 "  ", report.refusal ? "refused" : type_name(report.type), report.missing);
    FILE *values = open_memstream(&text, &bytes);
    if (values) {
        print_values(values, inspection, column);
        fclose(values);
    }
    cli_print_words(stdout, text ? text : "", BESIDE_NAME + name_width, BESIDE_NAME + name_width, cli_line_width());
    putchar('\n');
    free(text);
}

/* The width of the names: less than usual where a narrow screen needs the room and they are short. */
static int choose_name_width(const linpred_inspection *inspection)
{
    int width = cli_line_width(), longest = 9; /* "(no name)" */
    for (int32_t i = 0; width > 0 && width < WIDE_SCREEN && i < linpred_inspection_columns(inspection); i++) {
        int length = cli_width(column_report(inspection, i).name);
        longest = length > longest ? length : longest;
    }
    return width > 0 && width < WIDE_SCREEN && longest < NAME_WIDTH ? longest : NAME_WIDTH;
}

static void print_table(const linpred_inspection *inspection, bool all)
{
    int32_t columns = linpred_inspection_columns(inspection);
    int width = choose_name_width(inspection);
    printf("column  %-*s %-7s %9s  %s\n", width, "name", "type", "missing", "values");
    for (int32_t i = 0; i < columns; i++)
        if (all || columns <= COLUMNS_SHOWN || i < COLUMNS_FIRST || i == columns - 1) /* the last is the usual target */
            print_column(inspection, i, width);
        else if (i == COLUMNS_FIRST)
            printf("     …  and %d more columns: --all shows them\n", columns - COLUMNS_FIRST - 1);
}

static json_t *column_to_json(const linpred_inspection *inspection, int32_t column)
{
    linpred_column_report report = column_report(inspection, column);
    json_t *object = json_object();
    cli_set_text(object, "name", report.name);
    cli_set_text(object, "type", report.refusal ? "refused" : type_name(report.type));
    if (report.refusal)
        cli_set_text(object, "refusal", report.refusal);
    cli_set_count(object, "missing", report.missing);
    cli_set_number(object, "min", report.low);
    cli_set_number(object, "max", report.high);
    cli_set_number(object, "mean", report.mean);
    if (report.type == LINPRED_COLUMN_NUMBER)
        json_object_set_new(object, "decimals", report.decimals >= 0 ? json_integer(report.decimals) : json_null());
    json_object_set_new(object, "constant", json_boolean(report.constant));
    if (report.duplicate_of >= 0)
        cli_set_text(object, "duplicate_of", column_report(inspection, report.duplicate_of).name);
    if (report.type == LINPRED_COLUMN_TEXT) {
        json_t *levels = json_object();
        int64_t count;
        const char *level;
        for (int32_t k = 0; (level = linpred_inspection_level(inspection, column, k, &count)); k++)
            cli_set_count(levels, level, count);
        json_object_set_new(object, "levels", levels);
    }
    return object;
}

static void notice_guesses(const cli_invocation *cli, const linpred_inspection *inspection)
{
    linpred_note note = {.struct_size = sizeof note};
    for (size_t i = 0; linpred_inspection_note(inspection, i, &note); i++)
        cli_notice(cli, "%s", note.sentence);
}

static int inspect_data(cli_invocation *cli)
{
    linpred_error error;
    linpred_inspection *inspection = NULL;
    if (cli_inspect_file(cli->positional[0], cli->options, &inspection, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    int32_t columns = linpred_inspection_columns(inspection);
    int code = 0;
    notice_guesses(cli, inspection);
    if (cli->json) {
        json_t *object = json_object();
        cli_set_text(object, "format", linpred_inspection_format(inspection));
        cli_set_count(object, "rows", linpred_inspection_rows(inspection));
        json_t *list = json_array();
        for (int32_t i = 0; i < columns; i++)
            json_array_append_new(list, column_to_json(inspection, i));
        json_object_set_new(object, "columns", list);
        cli_notices_to_json(cli, object);
        code = cli_print_json(object);
    } else {
        int64_t rows = linpred_inspection_rows(inspection);
        printf("%s: %s\n%" PRId64 " row%s, %d column%s\n\n", cli->positional[0], linpred_inspection_format(inspection),
               rows, cli_plural(rows, "s"), columns, cli_plural(columns, "s"));
        print_table(inspection, cli->own[OWN_ALL] != NULL);
    }
    linpred_inspection_free(inspection);
    return code;
}

/* ---- a model ----------------------------------------------------------------------------------------------------- */

/* Writes the kind of a model, such as "regression (quantile 0.25)". */
static void describe_model(const linpred_model *model, char *text, size_t bytes)
{
    double quantile = linpred_model_quantile(model);
    if (linpred_model_task(model) != LINPRED_TASK_REGRESSION)
        snprintf(text, bytes, "%s",
                 linpred_model_task(model) == LINPRED_TASK_LOGISTIC ? "logistic regression"
                                                                    : linpred_task_name(linpred_model_task(model)));
    else if (isnan(quantile) || quantile == 0.5)
        snprintf(text, bytes, "regression (%s loss)", isnan(quantile) ? "squared" : "absolute");
    else
        snprintf(text, bytes, "regression (quantile %g)", quantile);
}

static const char *level_of(const void *model, const char *column, int32_t index)
{
    return linpred_model_level(model, column, index);
}

/* The name of what has decimals, a column or the target; NULL if it has none, or was named before. */
static const char *decimal_column(const linpred_model *model, int32_t column)
{
    int32_t columns = linpred_model_columns(model);
    if (linpred_model_decimals(model, column) == 0)
        return NULL;
    if (column == columns)
        return linpred_model_target(model);
    return linpred_model_feature_power(model, column) > 1 ? NULL : linpred_model_feature(model, column);
}

static void print_decimals(const linpred_model *model)
{
    int32_t shown = 0, columns = linpred_model_columns(model);
    for (int32_t i = 0; i <= columns; i++) {
        const char *name = decimal_column(model, i);
        if (name && shown++ < DECIMALS_SHOWN) {
            fputs(shown == 1 ? "decimals     " : ", ", stdout);
            cli_print_cell(name, cli_width(name) < LEVEL_WIDTH ? cli_width(name) : LEVEL_WIDTH, false);
            printf(" %d", linpred_model_decimals(model, i));
        }
    }
    if (shown > DECIMALS_SHOWN)
        printf(", and %d more", shown - DECIMALS_SHOWN);
    bool ball = linpred_model_task(model) == LINPRED_TASK_BALL;
    if (shown > 0)
        puts(ball ? ": in the file; a ball takes all numbers as doubles"
                  : ": numbers as written; all others are doubles");
}

static void print_model(const char *path, const linpred_result *result)
{
    const cli_figures stated[1] = {cli_read_figures(result)};
    const linpred_model *model = linpred_result_model(result);
    char kind[80];
    describe_model(model, kind, sizeof kind);
    printf("%s: a %s, learned by %s from %" PRId64 " row%s of %" PRId64 " feature%s\n", path, kind,
           linpred_method_name(stated->method), stated->rows, cli_plural(stated->rows, "s"), stated->columns,
           cli_plural(stated->columns, "s"));
    linpred_note note = {.struct_size = sizeof note};
    for (size_t i = 0; linpred_model_note(model, i, &note); i++)
        cli_print_note(&note, level_of, model);
    cli_print_weights(result);
    print_decimals(model);
    printf("outcome      %s: %s\n", linpred_outcome_name(stated->outcome), stated->reason);
    if (cli_is_mere_proof(result))
        puts("             the model is a proof that nothing separates the rows: its coefficients are not meant to "
             "predict");
    switch (linpred_model_task(model)) {
    case LINPRED_TASK_HALFSPACE:
        cli_halfspace_text(result);
        break;
    case LINPRED_TASK_LOGISTIC:
        cli_logistic_text(result);
        break;
    case LINPRED_TASK_REGRESSION:
        cli_regression_text(result);
        break;
    case LINPRED_TASK_BALL:
        cli_ball_text(result);
        break;
    }
    cli_claims_to_text(result, NULL, true);
}

static void decimals_to_json(json_t *object, const linpred_model *model)
{
    json_t *decimals = json_object();
    for (int32_t i = 0; i <= linpred_model_columns(model); i++) {
        const char *name = decimal_column(model, i);
        if (name)
            cli_set_count(decimals, name, linpred_model_decimals(model, i));
    }
    if (linpred_model_task(model) == LINPRED_TASK_BALL && json_object_size(decimals) > 0)
        json_object_set_new(object, "taken_as_doubles", json_true());
    json_object_set_new(object, "decimals", decimals);
}

static int print_model_as_json(const linpred_result *result)
{
    const cli_figures stated[1] = {cli_read_figures(result)};
    const linpred_model *model = linpred_result_model(result);
    linpred_task task = linpred_model_task(model);
    json_t *object = json_object();
    cli_set_text(object, "task", linpred_task_name(task));
    cli_set_text(object, "outcome", linpred_outcome_name(stated->outcome));
    cli_set_text(object, "reason", stated->reason);
    cli_set_text(object, "method", linpred_method_name(stated->method));
    cli_set_text(object, "target", linpred_model_target(model));
    cli_set_count(object, "rows", stated->rows);
    cli_set_count(object, "columns", stated->columns);
    decimals_to_json(object, model);
    cli_about_to_json(object, result);
    cli_figures_to_json(object, stated);
    if (task == LINPRED_TASK_BALL)
        cli_ball_to_json(object, model);
    else
        json_object_set_new(object, "coefficients", cli_coefficients(model));
    if (task == LINPRED_TASK_LOGISTIC)
        cli_logistic_to_json(object, result);
    if (task == LINPRED_TASK_REGRESSION)
        cli_regression_to_json(object, result);
    cli_direction_to_json(object, result);
    cli_witness_to_json(object, result);
    cli_claims_to_json(object, result, NULL, true);
    return cli_print_json(object);
}

static int inspect_model(cli_invocation *cli)
{
    linpred_error error;
    linpred_result *result = NULL;
    if (linpred_result_load(cli->positional[0], cli->own[OWN_ACCEPT_EDITED] != NULL, &result, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    int code = 0;
    if (cli->json)
        code = print_model_as_json(result);
    else
        print_model(cli->positional[0], result);
    linpred_result_free(result);
    return code;
}

/* Whether the first character of the file that is not blank is '{': models are JSON objects, and no data file begins
   with a brace. */
static bool looks_like_model(const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    int c = ' ';
    while (file && (c == ' ' || c == '\n' || c == '\r' || c == '\t'))
        c = fgetc(file);
    if (file)
        fclose(file);
    return c == '{';
}

/* Fails if an option is given that would be ignored: the library's options are for data, --accept-edited is for
   models. */
static int refuse_ignored(const cli_invocation *cli, bool model)
{
    if (model && cli->own[OWN_ALL])
        return cli_usage(cli, "--all is for data files, and '%.300s' is a model", cli->positional[0]);
    if (!model && cli->own[OWN_ACCEPT_EDITED])
        return cli_usage(cli, "--accept-edited is for models, and '%.300s' is none", cli->positional[0]);
    linpred_option_text option = {.struct_size = sizeof option};
    for (size_t i = 0; model && linpred_options_describe(i, &option); i++)
        if (linpred_options_given(cli->options, option.name))
            return cli_usage(cli, "--%s is for data files, and '%.300s' is a model", option.name, cli->positional[0]);
    return 0;
}

int cli_run_inspect(cli_invocation *cli)
{
    bool model = looks_like_model(cli->positional[0]);
    int code = refuse_ignored(cli, model);
    if (code)
        return code;
    return model ? inspect_model(cli) : inspect_data(cli);
}
