/* linpred report MODEL DATA -o FILE.html: one page about a model on rows, with the check of every claim. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "page/page.h"

static int write_report(cli_invocation *cli, const page_subject *subject)
{
    linpred_error error;
    char *text = NULL;
    size_t bytes = 0;
    const char *path = cli->own[OWN_OUTPUT];
    int code = cli_check_code(subject->check);
    if (page_to_text(subject, &text, &bytes, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[1]);
    if (linpred_write_file(path, text, bytes, &error) != LINPRED_OK)
        code = cli_fail_written(cli, &error, path);
    free(text);
    if (code != EXIT_HOLDS && code != EXIT_NO)
        return code;
    if (cli->json) {
        json_t *object = json_object();
        cli_set_text(object, "report", path);
        cli_set_text(object, "verdict", linpred_verdict_name(linpred_check_verdict(subject->check)));
        cli_notices_to_json(cli, object);
        int failed = cli_print_json(object);
        return failed ? failed : code;
    }
    char verdict[40];
    if (code == EXIT_NO)
        cli_notice(cli, "the page '%.300s' is written; its verdict is %s", path,
                   cli_verdict_text(subject->check, linpred_check_verdict(subject->check), verdict));
    return code;
}

/* Whether a name ends as a page should; one without an ending may be anything. */
static bool names_page(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return !dot || strcasecmp(dot, ".html") == 0 || strcasecmp(dot, ".htm") == 0;
}

int cli_run_report(cli_invocation *cli)
{
    linpred_error error;
    linpred_result *result = NULL;
    linpred_data *data = NULL;
    linpred_check *check = NULL;
    if (!cli->own[OWN_OUTPUT])
        return cli_usage(cli, "say where the page goes: linpred report MODEL DATA -o report.html");
    int code = 0;
    for (int i = 0; i < 2 && code == 0; i++)
        code = cli_check_output(cli, OWN_OUTPUT, cli->positional[i]);
    if (code == 0 && !names_page(cli->own[OWN_OUTPUT]))
        code = cli_usage(cli, "'%.300s': a report is a page, so its name ends in .html", cli->own[OWN_OUTPUT]);
    if (code == 0)
        code = cli_load_pair(cli, &result, &data);
    if (code == 0 && linpred_verify(result, data, cli_threads(cli), &check, &error) != LINPRED_OK)
        code = cli_fail_status(cli, &error, cli->positional[1]);
    if (code == 0) {
        page_subject subject = {
            .drawn = {.result = result,
                      .data = data,
                      .project = linpred_data_columns(data) > 2, /* a page shows all features rather than two */
                      .same_data = linpred_check_same_data(check),
                      .threads = cli_threads(cli)},
            .check = check,
            .model_path = cli->positional[0],
            .data_path = cli->positional[1],
        };
        code = write_report(cli, &subject);
    }
    linpred_check_free(check);
    linpred_data_free(data);
    linpred_result_free(result);
    return code;
}
