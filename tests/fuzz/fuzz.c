/* One input for one reader, chosen by FUZZ_FORMAT ("csv", "libsvm", "npy", "npz", "sqlite", "model", or "compressed": a
 * CSV file packed by gzip or zstd): any bytes must be read or refused with a message, without a crash, a leak or a
 * hang. Clang links this with libFuzzer, everybody with replay.c.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "linpred/linpred.h"
#include "table/npz/zip.h"

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

/* Replaces the checksums of an npz archive by the right ones: else nearly every change would end there. */
static void mend_checksums(int file, char *text, size_t bytes)
{
    linpred__zip zip = {.descriptor = file, .name = "fuzz"};
    if (linpred__zip_open(&zip, bytes, NULL) != LINPRED_OK && zip.members == 0)
        return;
    int member = 0;
    for (size_t at = 0; at + 20 <= bytes && member < zip.members; at++)
        if (memcmp(text + at, "PK\001\002", 4) == 0) {
            const linpred__zip_member *found = &zip.member[member++];
            uLong sum = crc32_z(0, (const unsigned char *)text + found->begins, (size_t)found->bytes);
            for (int i = 0; i < 4; i++)
                text[at + 16 + (size_t)i] = (char)(sum >> 8 * i & 255);
        }
    demand(pwrite(file, text, bytes, 0) == (ssize_t)bytes, "no file in memory");
}

/* An archive that is larger than memory is read in another way; its rows may have to be encoded first. */
static void read_beyond(const char *path, linpred_options *options)
{
    linpred_error error = {.message = ""};
    linpred_data *data = NULL;
    linpred_result *result = NULL;
    demand(linpred_options_set(options, "memory", "1", &error) == LINPRED_OK, error.message);
    linpred_status status = linpred_data_load(path, options, &data, &error);
    demand(status == LINPRED_OK || error.message[0] != '\0', "a file beyond memory is refused without a message");
    if (status == LINPRED_OK) /* whatever it says: reading rows must not fail in other ways */
        (void)linpred_fit(data, options, &result, &error);
    linpred_result_free(result);
    linpred_data_free(data);
}

static void read_table(char *text, size_t bytes)
{
    char path[64];
    int file = memfd_create("fuzz", 0);
    demand(file >= 0 && write(file, text, bytes) == (ssize_t)bytes, "no file in memory");
    if (strcmp(FUZZ_FORMAT, "npz") == 0)
        mend_checksums(file, text, bytes);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    linpred_error error = {.message = ""};
    linpred_data *data = NULL;
    linpred_options *options = linpred_options_new();
    const char *format = strcmp(FUZZ_FORMAT, "compressed") == 0 ? "csv" : FUZZ_FORMAT;
    demand(options && linpred_options_set(options, "format", format, &error) == LINPRED_OK, error.message);
    linpred_status status = linpred_data_load(path, options, &data, &error);
    demand(status == LINPRED_OK || error.message[0] != '\0', "a file is refused without a message");
    linpred_data_free(data);
    if (strcmp(FUZZ_FORMAT, "npz") == 0)
        read_beyond(path, options);
    linpred_options_free(options);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    setenv("TMPDIR", "/tmp", 0);    /* a file in memory has no folder */
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
