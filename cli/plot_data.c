/* linpred plot perceptron, plot pocket, plot search, plot separable and plot shatter: pictures that are made from data,
 * by fits of their own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "draw/picture.h"
#include "draw/search.h"

/* What is drawn of the data; the picture goes to `svg`. */
typedef linpred_status drawing(const svg_document *svg, cli_invocation *cli, const linpred_data *data,
                               linpred_error *error);

static linpred_status draw_run(const svg_document *svg, cli_invocation *cli, const linpred_data *data,
                               linpred_error *error)
{
    linpred_status status = linpred_options_set_switch(cli->options, "bound", true, error);
    return status == LINPRED_OK ? draw_perceptron(svg, data, cli->options, error) : status;
}

static linpred_status draw_answer(const svg_document *svg, cli_invocation *cli, const linpred_data *data,
                                  linpred_error *error)
{
    linpred_result *result = NULL;
    linpred_status status = linpred_find_separation(data, cli->options, &result, error);
    draw_subject subject = {.result = result,
                            .data = data,
                            .axes = cli->own[OWN_AXES],
                            .project = cli->own[OWN_PROJECT] != NULL,
                            .same_data = true,
                            .threads = cli_threads(cli)};
    if (status == LINPRED_OK)
        status = draw_separation(svg, &subject, error);
    linpred_result_free(result);
    return status;
}

static bool note_search(void *context, const linpred_progress *progress)
{
    search_note(context, progress->seconds, progress->errors, progress->lower_bound);
    return cli_on_progress(NULL, progress);
}

static linpred_status draw_mistakes(const svg_document *svg, cli_invocation *cli, const linpred_data *data,
                                    linpred_error *error)
{
    linpred_result *result = NULL;
    search_record record;
    search_init(&record);
    search_note(&record, 0, NAN, 0); /* no halfspace makes fewer than 0 */
    linpred_options_on_progress(cli->options, note_search, &record);
    linpred_status status = linpred_fit(data, cli->options, &result, error);
    linpred_options_on_progress(cli->options, cli_on_progress, NULL);
    if (status == LINPRED_OK) {
        double cost = linpred_result_number(result, "cost");
        record.last = true;
        search_note(&record, linpred_result_number(result, "seconds"),
                    isnan(cost) ? linpred_result_number(result, "errors") : cost,
                    linpred_result_number(result, "lower_bound"));
        draw_search(svg, &record, result);
    }
    search_clear(&record);
    linpred_result_free(result);
    return status;
}

static bool note_update(void *context, const linpred_update *update)
{
    search_note(context, (double)update->update, update->best_errors, NAN);
    return true;
}

static linpred_status draw_best(const svg_document *svg, cli_invocation *cli, const linpred_data *data,
                                linpred_error *error)
{
    linpred_result *result = NULL;
    search_record record;
    search_init(&record);
    linpred_options_on_update(cli->options, note_update, &record);
    linpred_status status = linpred_fit(data, cli->options, &result, error);
    linpred_options_on_update(cli->options, NULL, NULL);
    if (status == LINPRED_OK) {
        record.last = true;
        search_note(&record, linpred_result_number(result, "updates"), linpred_result_number(result, "errors"), NAN);
        draw_pocket(svg, &record, result);
    }
    search_clear(&record);
    linpred_result_free(result);
    return status;
}

static linpred_status draw_points(const svg_document *svg, cli_invocation *cli, const linpred_data *data,
                                  linpred_error *error)
{
    return draw_shattering(svg, data, cli->options, error);
}

static linpred_status draw_in_memory(cli_invocation *cli, drawing *draw, const linpred_data *data, char **text,
                                     size_t *bytes, linpred_error *error)
{
    svg_document svg = {.id = 1, .width = DRAW_WIDTH, .height = DRAW_HEIGHT, .theme = cli_picture_theme(cli)};
    svg.out = open_memstream(text, bytes);
    if (!svg.out)
        return draw_no_memory(error);
    cli_watch(cli);
    linpred_status status = draw(&svg, cli, data, error);
    cli_unwatch();
    bool lost = ferror(svg.out) != 0;
    if ((fclose(svg.out) != 0 || lost) && status == LINPRED_OK)
        status = draw_no_memory(error);
    return status;
}

/* Reads the file of the only argument, draws, writes. */
static int plot_data(cli_invocation *cli, drawing *draw, const char *kind)
{
    linpred_error error;
    linpred_data *data = NULL;
    char *text = NULL;
    size_t bytes = 0;
    const char *path = cli->positional[0];
    int code = cli_check_picture(cli);
    if (code)
        return code;
    linpred_status status = draw == draw_points ? cli_points_load(path, cli->options, &data, &error)
                                                : cli_data_load(path, cli->options, &data, &error);
    if (status == LINPRED_OK && draw != draw_points)
        cli_warn_of_data(cli, data);
    if (status == LINPRED_OK)
        status = draw_in_memory(cli, draw, data, &text, &bytes, &error);
    code = status == LINPRED_OK ? cli_write_picture(cli, kind, text, bytes) : cli_fail_status(cli, &error, path);
    free(text);
    linpred_data_free(data);
    return code;
}

int cli_run_plot_perceptron(cli_invocation *cli)
{
    int code = cli_choose(cli, "method", LINPRED_METHOD_PERCEPTRON);
    return code ? code : plot_data(cli, draw_run, "perceptron");
}

int cli_run_plot_separable(cli_invocation *cli)
{
    if (cli->own[OWN_AXES] && cli->own[OWN_PROJECT])
        return cli_usage(cli, "--axes and --project exclude each other");
    linpred_options_allow_one_class(cli->options, true);
    return plot_data(cli, draw_answer, "separable");
}

int cli_run_plot_search(cli_invocation *cli)
{
    int code = cli_choose(cli, "method", LINPRED_METHOD_EXACT);
    return code ? code : plot_data(cli, draw_mistakes, "search");
}

int cli_run_plot_pocket(cli_invocation *cli)
{
    int code = cli_choose(cli, "method", LINPRED_METHOD_POCKET);
    return code ? code : plot_data(cli, draw_best, "pocket");
}

int cli_run_plot_shatter(cli_invocation *cli)
{
    return plot_data(cli, draw_points, "shatter");
}
