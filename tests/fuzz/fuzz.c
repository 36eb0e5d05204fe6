/* One input for one reader, chosen by FUZZ_FORMAT ("csv", "libsvm", "npy", "sqlite", "model", or "compressed": a CSV
 * file packed by gzip or zstd): any bytes must be read or refused with a message, without a crash, a leak or a hang.
 * Clang links this with libFuzzer, everybody with replay.c.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "linpred/linpred.h"

static void demand(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

/* A model that is read must be written, and read again. */
static void read_model(const char *text, size_t bytes)
{
    linpred_error error = {.message = ""};
    linpred_result *result = NULL, *again = NULL;
    char *written = NULL;
    size_t length = 0;
    linpred_status status = linpred_result_from_text(text, bytes, true, &result, &error);
    demand(status == LINPRED_OK || error.message[0] != '\0', "a model is refused without a message");
    if (status != LINPRED_OK)
        return;
    status = linpred_result_to_text(result, &written, &length, &error);
    if (status == LINPRED_OK) {
        demand(linpred_result_from_text(written, length, false, &again, &error) == LINPRED_OK,
               "a model that was written is refused");
        linpred_result_free(again);
        linpred_text_free(written);
    }
    linpred_result_free(result);
}

static void read_table(const char *text, size_t bytes)
{
    char path[64];
    int file = memfd_create("fuzz", 0);
    demand(file >= 0 && write(file, text, bytes) == (ssize_t)bytes, "no file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    linpred_error error = {.message = ""};
    linpred_data *data = NULL;
    linpred_options *options = linpred_options_new();
    const char *format = strcmp(FUZZ_FORMAT, "compressed") == 0 ? "csv" : FUZZ_FORMAT;
    demand(options && linpred_options_set(options, "format", format, &error) == LINPRED_OK, error.message);
    linpred_status status = linpred_data_load(path, options, &data, &error);
    demand(status == LINPRED_OK || error.message[0] != '\0', "a file is refused without a message");
    linpred_data_free(data);
    linpred_options_free(options);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char *text = malloc(count + 1); /* a copy, so that reading past its end is noticed */
    demand(text != NULL, "out of memory");
    if (count > 0)
        memcpy(text, bytes, count);
    text[count] = '\0';
    if (strcmp(FUZZ_FORMAT, "model") == 0)
        read_model(text, count);
    else
        read_table(text, count);
    free(text);
    return 0;
}
