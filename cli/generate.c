/* linpred generate NAME: writes an instance as CSV to standard output or a file, and its truth as JSON to another. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* ---- the list ---------------------------------------------------------------------------------------------------- */

/* Whether the instance uses this option. */
static bool listens(const linpred_instance_text *text, const char *flag)
{
    for (int k = 0; text->options[k]; k++)
        if (strcmp(text->options[k], flag) == 0)
            return true;
    return false;
}

/* The default of an option for this instance, as text. */
static const char *usual(const linpred_instance_text *text, const linpred_option_text *option, char value[32])
{
    if (strcmp(option->name, "rows") == 0)
        snprintf(value, 32, "%" PRId64, text->rows);
    else if (strcmp(option->name, "columns") == 0)
        snprintf(value, 32, "%d", text->columns);
    else if (strcmp(option->name, "rank") == 0)
        strcpy(value, "N");
    else
        snprintf(value, 32, "%s", option->initial);
    return value;
}

static void print_list(void)
{
    char value[32];
    linpred_instance_text text = {.struct_size = sizeof text};
    linpred_option_text option = {.struct_size = sizeof option};
    puts("instances, with their options, what each shows, and what is certain of it\n"
         "(z_i = y_i x_i, with a 1 appended to x_i if there is an intercept):");
    for (size_t i = 0; linpred_instances_describe(i, &text); i++) {
        printf("  %s", text.name);
        for (size_t k = 0; linpred_options_describe(k, &option); k++)
            if (listens(&text, option.name))
                printf(" [--%s %s]", option.name, usual(&text, &option, value));
        printf("\n      %s\n      %s\n", text.shows, text.promises);
    }
}

static json_t *text_to_json(const linpred_instance_text *text)
{
    json_t *object = json_object();
    cli_set_text(object, "name", text->name);
    cli_set_text(object, "shows", text->shows);
    cli_set_text(object, "promises", text->promises);
    cli_set_count(object, "rows", text->rows);
    cli_set_count(object, "columns", text->columns);
    json_t *options = json_array();
    for (int k = 0; text->options[k]; k++)
        json_array_append_new(options, json_string(text->options[k]));
    json_object_set_new(object, "options", options);
    return object;
}

int cli_list_instances(const cli_invocation *cli)
{
    if (!cli->json) {
        print_list();
        return EXIT_HOLDS;
    }
    json_t *list = json_array();
    linpred_instance_text text = {.struct_size = sizeof text};
    for (size_t i = 0; linpred_instances_describe(i, &text); i++)
        json_array_append_new(list, text_to_json(&text));
    json_t *object = json_object();
    json_object_set_new(object, "instances", list);
    return cli_print_json(object);
}

/* ---- one instance ------------------------------------------------------------------------------------------------ */

/* Fails if there is no instance of this name, or if the instance does not use an option that is given. */
static int check_arguments(const cli_invocation *cli)
{
    const char *names[64];
    size_t count = 0;
    linpred_instance_text text = {.struct_size = sizeof text};
    linpred_option_text option = {.struct_size = sizeof option};
    for (; count < sizeof names / sizeof names[0] && linpred_instances_describe(count, &text); count++) {
        names[count] = text.name;
        if (strcmp(text.name, cli->positional[0]) != 0)
            continue;
        for (size_t k = 0; linpred_options_describe(k, &option); k++)
            if (linpred_options_given(cli->options, option.name) && !listens(&text, option.name))
                return cli_usage(cli, "--%s has no meaning for %s", option.name, text.name);
        return 0;
    }
    const char *near = linpred_nearest(cli->positional[0], names, count);
    if (near)
        return cli_usage(cli, "there is no instance '%.60s'; did you mean '%s'?", cli->positional[0], near);
    return cli_usage(cli, "there is no instance '%.60s'; linpred generate lists them", cli->positional[0]);
}

static void print_csv(FILE *out, const linpred_instance *instance)
{
    linpred_arrays arrays = {.struct_size = sizeof arrays};
    linpred_instance_arrays(instance, &arrays);
    char number[40];
    for (int32_t j = 0; j < arrays.columns; j++)
        fprintf(out, "x%d,", j + 1);
    fputs("y\n", out);
    for (int64_t i = 0; i < arrays.rows && !ferror(out); i++) {
        for (int32_t j = 0; j < arrays.columns; j++) {
            cli_format_number(arrays.values[i * arrays.columns + j], number);
            fputs(number, out);
            fputc(',', out);
        }
        cli_format_number(arrays.labels[i], number);
        fputs(number, out);
        fputc('\n', out);
    }
}

static int write_csv(const cli_invocation *cli, const linpred_instance *instance)
{
    const char *path = cli->own[OWN_OUTPUT];
    linpred_output *output;
    linpred_error error;
    if (linpred_output_open(path, &output, &error) != LINPRED_OK)
        return cli_fail(cli, EXIT_FAULT, &error, path);
    print_csv(linpred_output_stream(output), instance);
    return linpred_output_commit(output, &error) == LINPRED_OK ? 0 : cli_fail(cli, EXIT_FAULT, &error, path);
}

static int write_truth(const cli_invocation *cli, const linpred_instance *instance)
{
    const char *truth = linpred_instance_truth(instance);
    linpred_error error;
    if (linpred_write_file(cli->own[OWN_TRUTH], truth, strlen(truth), &error) != LINPRED_OK)
        return cli_fail(cli, EXIT_FAULT, &error, cli->own[OWN_TRUTH]);
    return 0;
}

int cli_run_generate(cli_invocation *cli)
{
    linpred_error error;
    linpred_instance *instance = NULL;
    int code = check_arguments(cli);
    if (code)
        return code;
    if (cli->json && !cli->own[OWN_OUTPUT])
        return cli_usage(cli, "with --json the truth is printed: say where the rows go (-o FILE)");
    static const own_flag files[] = {OWN_OUTPUT, OWN_TRUTH};
    for (size_t k = 0; code == 0 && k < sizeof files / sizeof files[0]; k++)
        code = cli_check_output(cli, files[k], NULL);
    if (code)
        return code;
    if (cli->own[OWN_OUTPUT] && cli->own[OWN_TRUTH] && strcmp(cli->own[OWN_OUTPUT], cli->own[OWN_TRUTH]) == 0)
        return cli_usage(cli, "--output and --truth name the same file");
    if (linpred_generate(cli->positional[0], cli->options, &instance, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, NULL);
    if (cli->own[OWN_OUTPUT])
        code = write_csv(cli, instance);
    else
        print_csv(stdout, instance);
    fflush(stdout); /* before the truth, which may go to the same place */
    if (code == 0 && cli->own[OWN_TRUTH])
        code = write_truth(cli, instance);
    if (code == 0 && cli->json)
        fputs(linpred_instance_truth(instance), stdout);
    linpred_instance_free(instance);
    return code;
}
