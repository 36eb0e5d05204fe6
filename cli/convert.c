/* linpred convert DATA -o FILE: writes the rows of a file as NumPy's npz archive, or as an npy matrix. */
#include <inttypes.h>
#include <sys/stat.h>

#include "cli.h"

int cli_run_convert(cli_invocation *cli)
{
    const char *output = cli->own[OWN_OUTPUT];
    linpred_shape shape = {.struct_size = sizeof shape};
    linpred_error error;
    struct stat about;
    if (!output)
        return cli_usage(cli, "say with -o where the rows go: linpred convert DATA -o FILE.npz");
    int code = cli_check_output(cli, OWN_OUTPUT, cli->positional[0]);
    if (code)
        return code;
    double began = cli_now();
    linpred_status status = cli_convert_file(cli->positional[0], cli->options, output, &shape, &error);
    if (status == LINPRED_ERROR_FILE)
        return cli_fail_written(cli, &error, output);
    if (status != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    int64_t bytes = stat(output, &about) == 0 ? (int64_t)about.st_size : -1;
    if (!cli->json) {
        if (!cli->quiet)
            printf("wrote:       %" PRId64 " row%s of %" PRId32 " feature%s%s to %s\n", shape.rows,
                   shape.rows == 1 ? "" : "s", shape.columns, shape.columns == 1 ? "" : "s",
                   shape.sparse ? ", sparse," : "", output);
        return EXIT_HOLDS;
    }
    json_t *object = json_object();
    cli_set_count(object, "rows", shape.rows);
    cli_set_count(object, "columns", shape.columns);
    cli_set_count(object, "entries", shape.entries);
    json_object_set_new(object, "sparse", json_boolean(shape.sparse));
    json_object_set_new(object, "weighted", json_boolean(shape.weighted));
    cli_set_count(object, "bytes", bytes);
    cli_set_text(object, "output", output);
    cli_notices_to_json(cli, object);
    cli_set_number(object, "seconds", cli_now() - began);
    return cli_print_json(object);
}
