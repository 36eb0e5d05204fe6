/* Judges many model files in one process, for tests/tamper. `judge separation DATA MODEL` and `judge logistic DATA
 * MODEL` write the model file of a result that the program does not write, such as that of a loss without a minimum.
 *
 * Standard input holds requests: a line with the length of a model file in bytes and the path of the data, then the
 * bytes. For each of them one line goes out: the verdict of the whole (or "unusable"), a tab, and why; then after a tab
 * each claim with its verdict and finding, and each number of the check. The checksum is not looked at; all other rules
 * of a model file hold. `judge scarce` also judges each model while memory runs out after 0, 1, 2, ... requests, until
 * there is enough: that must end as out of memory, or in the same answer.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linpred/linpred.h"

static void put_field(const char *text)
{
    putchar('\t');
    for (; text && *text; text++)
        putchar(*text == '\n' || *text == '\t' ? ' ' : *text);
}

/* All that the checker says of each claim, and its numbers. */
static void put_details(const linpred_check *check, int32_t columns)
{
    static const char *const names[] = {"errors", "gap", "lower_bound_proved", "worst_row", "settled_exactly", "none"};
    for (size_t i = 0; i < linpred_check_claim_count(check); i++) {
        char text[900];
        snprintf(text, sizeof text, "%s: %s: %s", linpred_claim_name(linpred_check_claim_kind(check, i)),
                 linpred_verdict_name(linpred_check_claim_verdict(check, i)), linpred_check_claim_finding(check, i));
        put_field(text);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!isnan(linpred_check_number(check, names[i])))
            printf("\t%s: %.3g", names[i], linpred_check_number(check, names[i]));
    if (linpred_check_is_respecting(check))
        printf("\trespecting");
    for (int32_t j = 0; j <= columns; j++)
        if (!isnan(linpred_check_error_bound(check, j)))
            printf("\terror_bound %d: %.3g", (int)j, linpred_check_error_bound(check, j));
}

/* ---- scarce memory ---- */

static bool scarce;
static int64_t requests_left;

static void *scarce_reallocate(void *context, void *memory, size_t bytes)
{
    (void)context;
    return requests_left-- > 0 ? realloc(memory, bytes) : NULL;
}

static void scarce_release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

/* Whether the answer is the same, or that memory is out, however much of it there is. */
static bool holds_when_scarce(const linpred_result *result, const linpred_data *data, const linpred_check *enough)
{
    static const linpred_allocator allocator = {sizeof allocator, scarce_reallocate, scarce_release, NULL};
    linpred_status status = LINPRED_ERROR_MEMORY;
    bool same = true;
    for (int64_t k = 0; same && status == LINPRED_ERROR_MEMORY; k++) {
        linpred_check *check = NULL;
        requests_left = k;
        linpred_set_allocator(&allocator);
        status = linpred_verify(result, data, 1, &check, NULL);
        linpred_set_allocator(NULL);
        if (status == LINPRED_OK)
            same = linpred_check_verdict(check) == linpred_check_verdict(enough) &&
                   strcmp(linpred_check_summary(check), linpred_check_summary(enough)) == 0;
        linpred_check_free(check);
    }
    return same && status == LINPRED_OK;
}

static void judge(const char *text, size_t length, const char *path)
{
    linpred_error error;
    linpred_result *result = NULL;
    linpred_data *data = NULL;
    linpred_check *check = NULL;
    linpred_status status = linpred_result_from_text(text, length, true, &result, &error);
    if (status == LINPRED_OK)
        status = linpred_data_load_for(linpred_result_model(result), path, true, NULL, &data, &error);
    if (status == LINPRED_OK)
        status = linpred_verify(result, data, 1, &check, &error);
    if (status == LINPRED_OK && scarce && !holds_when_scarce(result, data, check))
        printf("with little memory another answer than ");
    printf("%s", status == LINPRED_OK ? linpred_verdict_name(linpred_check_verdict(check)) : "unusable");
    put_field(status == LINPRED_OK ? linpred_check_summary(check) : error.message);
    if (status == LINPRED_OK)
        put_details(check, linpred_model_columns(linpred_result_model(result)));
    putchar('\n');
    fflush(stdout);
    linpred_check_free(check);
    linpred_data_free(data);
    linpred_result_free(result);
}

/* Writes the result of a question that the program answers without a file. */
static int write_result(const char *question, const char *path, const char *model)
{
    linpred_error error;
    linpred_options *options = linpred_options_new();
    linpred_data *data = NULL;
    linpred_result *result = NULL;
    bool separation = strcmp(question, "separation") == 0;
    linpred_options_set_task(options, separation ? LINPRED_TASK_HALFSPACE : LINPRED_TASK_LOGISTIC);
    linpred_status status = linpred_data_load(path, options, &data, &error);
    if (status == LINPRED_OK)
        status = separation ? linpred_find_separation(data, options, &result, &error)
                            : linpred_fit(data, options, &result, &error);
    if (status == LINPRED_OK)
        status = linpred_result_save(result, model, &error);
    if (status != LINPRED_OK)
        fprintf(stderr, "%s\n", error.message);
    linpred_result_free(result);
    linpred_data_free(data);
    linpred_options_free(options);
    return status == LINPRED_OK ? 0 : 2;
}

int main(int count, char **arguments)
{
    if (count == 4)
        return write_result(arguments[1], arguments[2], arguments[3]);
    scarce = count == 2 && strcmp(arguments[1], "scarce") == 0;
    char line[4200], path[4096];
    size_t length;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%zu %4095[^\n]", &length, path) != 2)
            return 2;
        char *text = malloc(length + 1);
        if (!text || fread(text, 1, length, stdin) != length)
            return 2;
        judge(text, length, path);
        free(text);
    }
    return 0;
}
