/* linpred verify MODEL DATA: checks every claim of a model against data. */
#include "cli.h"

int cli_run_verify(cli_invocation *cli)
{
    linpred_error error;
    linpred_result *result = NULL;
    linpred_data *data = NULL;
    linpred_check *check = NULL;
    int code;
    double read = 0.0, began = cli_now();
    if (linpred_result_load(cli->positional[0], cli->own[OWN_ACCEPT_EDITED] != NULL, &result, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    linpred_status status =
        cli_data_load_for(linpred_result_model(result), cli->positional[1], true, cli->options, &data, &error);
    if (status == LINPRED_OK) {
        read = cli_now() - began;
        cli_warn_of_data(cli, data);
        began = cli_now();
        status = linpred_verify(result, data, cli_threads(cli), &check, &error);
    }
    if (status == LINPRED_OK)
        cli_notice_respecting(cli, result, check);
    if (status != LINPRED_OK) {
        code = cli_fail_status(cli, &error, cli->positional[1]);
    } else if (cli->json) {
        json_t *object = json_object();
        cli_check_to_json(object, result, check, true);
        cli_claims_to_json(object, result, check, true);
        cli_set_count(object, "rows", linpred_data_rows(data));
        cli_set_count(object, "columns", linpred_model_columns(linpred_result_model(result)));
        cli_notices_to_json(cli, object);
        json_object_set_new(object, "seconds", json_pack("{s:f, s:f}", "read", read, "verify", cli_now() - began));
        code = cli_print_json(object);
        code = code ? code : cli_check_code(check);
    } else {
        cli_claims_to_text(result, check, true);
        if (!linpred_check_same_data(check))
            puts("             how well a model does on other rows: linpred evaluate MODEL DATA");
        code = cli_check_code(check);
    }
    linpred_check_free(check);
    linpred_data_free(data);
    linpred_result_free(result);
    return code;
}
