/* linpred plot MODEL DATA: a picture of a model over rows. What there is to draw stands in draw/picture.c. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "draw/picture.h"

svg_theme cli_picture_theme(const cli_invocation *cli)
{
    const char *word = cli->own[OWN_THEME] ? cli->own[OWN_THEME] : "auto", *path = cli->own[OWN_OUTPUT];
    bool alone = path && cli_picture_format(path) != CLI_SVG;
    return strcmp(word, "dark") == 0 ? SVG_DARK : strcmp(word, "light") == 0 || alone ? SVG_LIGHT : SVG_AUTO;
}

/* Lists the kinds of pictures of a task: "fit, residuals or qq". */
static void list_kinds(linpred_task task, char *list, size_t bytes)
{
    size_t used = 0;
    *list = '\0';
    for (size_t i = 0; i < draw_kind_count && used < bytes; i++)
        if (draw_kinds[i].tasks & (1u << task))
            used += (size_t)snprintf(list + used, bytes - used, "%s%s", used ? ", " : "", draw_kinds[i].name);
}

/* Sets the kind of --kind, or the first one of the model's task. */
static int choose_kind(const cli_invocation *cli, linpred_task task, const draw_kind **kind)
{
    const char *words[32], *asked = cli->own[OWN_KIND];
    size_t n = 0;
    char list[200];
    bool known = false;
    for (size_t i = 0; i < draw_kind_count; i++) {
        bool of_task = (draw_kinds[i].tasks & (1u << task)) != 0;
        bool named = asked && strcmp(draw_kinds[i].name, asked) == 0;
        known = known || named;
        if (of_task && (!asked || named)) {
            *kind = &draw_kinds[i];
            return 0;
        }
        if (of_task)
            words[n++] = draw_kinds[i].name;
    }
    list_kinds(task, list, sizeof list);
    const char *near = known ? NULL : linpred_nearest(asked, words, n);
    return cli_usage(cli, "%s '%.60s' of a model of fit %s; there is: %s%s%s%s",
                     known ? "there is no picture" : "--kind: there is no picture", asked, linpred_task_name(task),
                     list, near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

/* Options that the picture would ignore. */
static int check_flags(const cli_invocation *cli, const draw_kind *kind)
{
    if (cli->own[OWN_AXES] && cli->own[OWN_PROJECT])
        return cli_usage(cli, "--axes and --project exclude each other");
    if (cli->own[OWN_AXES] && !kind->plane)
        return cli_usage(cli, "--axes is not for --kind %s, which does not lie in two features", kind->name);
    if (cli->own[OWN_PROJECT] && !kind->normal)
        return cli_usage(cli, "--project is not for --kind %s, which has no normal", kind->name);
    if (cli->own[OWN_WITH] && strcmp(kind->name, "fit") != 0)
        return cli_usage(cli, "--with is for --kind fit: two regressions in one picture");
    return 0;
}

/* Loads the model of --with, which must be a regression of the one feature that the picture is over. */
static int load_with(const cli_invocation *cli, const linpred_data *data, linpred_result **with)
{
    linpred_error error;
    const char *path = cli->own[OWN_WITH], *feature = linpred_data_feature(data, 0);
    if (linpred_data_columns(data) != 1)
        return cli_usage(cli, "--with is for a picture over one feature, but '%.200s' has %d", cli->positional[0],
                         linpred_data_columns(data));
    if (linpred_result_load(path, cli->own[OWN_ACCEPT_EDITED] != NULL, with, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, path);
    const linpred_model *model = linpred_result_model(*with);
    int degree = linpred_model_degree(model), columns = linpred_model_columns(model);
    if (linpred_model_task(model) != LINPRED_TASK_REGRESSION)
        return cli_usage(cli, "--with takes a second regression, but '%.200s' is a model of fit %s", path,
                         linpred_task_name(linpred_model_task(model)));
    if (columns != (degree > 1 ? degree : 1) || strcmp(linpred_model_feature(model, 0), feature) != 0)
        return cli_usage(cli,
                         "--with: '%.200s' is not a regression on '%.60s' alone, which '%.200s' is; fit it with "
                         "--features '%.60s'",
                         path, feature, cli->positional[0], feature);
    return 0;
}

int cli_write_picture(const cli_invocation *cli, const char *kind, const char *text, size_t bytes)
{
    linpred_error error;
    const char *path = cli->own[OWN_OUTPUT];
    if (!path) {
        fwrite(text, 1, bytes, stdout);
        return 0;
    }
    if (cli_picture_format(path) == CLI_SVG) {
        if (linpred_write_file(path, text, bytes, &error) != LINPRED_OK)
            return cli_fail_written(cli, &error, path);
    } else {
        int code = cli_render(cli, path, text, bytes);
        if (code)
            return code;
    }
    if (cli->json) {
        json_t *object = json_object();
        cli_set_text(object, "picture", path);
        cli_set_text(object, "kind", kind);
        cli_notices_to_json(cli, object);
        return cli_print_json(object);
    }
    return 0;
}

static int draw_and_write(cli_invocation *cli, const draw_subject *subject, const draw_kind *kind)
{
    linpred_error error;
    char *text = NULL;
    size_t bytes = 0;
    if (draw_to_text(kind, subject, cli_picture_theme(cli), 1, &text, &bytes, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[1]);
    int code = cli_write_picture(cli, kind->name, text, bytes);
    free(text);
    return code;
}

int cli_check_picture(const cli_invocation *cli)
{
    const char *theme = cli->own[OWN_THEME];
    if (theme && strcmp(theme, "light") != 0 && strcmp(theme, "dark") != 0 && strcmp(theme, "auto") != 0)
        return cli_usage(cli, "--theme takes light, dark or auto, not '%.60s'", theme);
    for (int i = 0; i < cli->command->positionals; i++) {
        int code = cli_check_output(cli, OWN_OUTPUT, cli->positional[i]);
        if (code)
            return code;
    }
    if (cli->own[OWN_OUTPUT])
        return cli_check_render(cli, cli->own[OWN_OUTPUT]);
    if (cli->json)
        return cli_usage(cli, "with --json the picture goes to a file: -o FILE");
    if (isatty(STDOUT_FILENO))
        return cli_usage(cli, "say where the picture goes: -o FILE.svg, .png or .pdf");
    return 0;
}

int cli_load_pair(const cli_invocation *cli, linpred_result **result, linpred_data **data)
{
    linpred_error error;
    if (linpred_result_load(cli->positional[0], cli->own[OWN_ACCEPT_EDITED] != NULL, result, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    if (cli_data_load_for(linpred_result_model(*result), cli->positional[1], true, cli->options, data, &error) !=
        LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[1]);
    cli_notice_rows(cli, *data, "left out");
    return 0;
}

int cli_run_plot(cli_invocation *cli)
{
    linpred_error error;
    linpred_result *result = NULL, *with = NULL;
    linpred_data *data = NULL;
    const draw_kind *kind = NULL;
    int code = cli_check_picture(cli);
    if (code == 0)
        code = cli_load_pair(cli, &result, &data);
    if (code == 0)
        code = choose_kind(cli, linpred_model_task(linpred_result_model(result)), &kind);
    if (code == 0 && kind)
        code = check_flags(cli, kind);
    if (code == 0 && cli->own[OWN_WITH])
        code = load_with(cli, data, &with);
    if (code == 0 && kind) {
        draw_subject subject = {.result = result,
                                .data = data,
                                .with = with,
                                .axes = cli->own[OWN_AXES],
                                .project = cli->own[OWN_PROJECT] != NULL,
                                .threads = cli_threads(cli)};
        if (linpred_result_same_data(result, data, subject.threads, &subject.same_data, &error) != LINPRED_OK)
            code = cli_fail_status(cli, &error, cli->positional[1]);
        else
            code = draw_and_write(cli, &subject, kind);
    }
    linpred_data_free(data);
    linpred_result_free(with);
    linpred_result_free(result);
    return code;
}
