/* Reads a file while one request for memory fails: the first, the second, and so on until none is left to fail. */
#ifndef LINPRED_TESTS_FAILING_MEMORY_H
#define LINPRED_TESTS_FAILING_MEMORY_H

#include <stdint.h>
#include <stdlib.h>

#include "table/readers.h"

static _Atomic int64_t until_failure;

static inline void *failing_reallocate(void *context, void *memory, size_t bytes)
{
    (void)context;
    return --until_failure == 0 ? NULL : realloc(memory, bytes);
}

static inline void failing_release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

/* Reads in pieces of so many bytes (0: as usual), and gives the number of trials. A request may fail without harm,
   since the last block need not be made to fit; then the trials end early. */
static inline int64_t read_while_memory_fails(const char *file, const linpred_options *options, size_t piece_bytes)
{
    const linpred_allocator failing = {sizeof(linpred_allocator), failing_reallocate, failing_release, NULL};
    const linpred__read_request request = {.options = options};
    linpred_status status = LINPRED_ERROR_MEMORY;
    int64_t trials = 0;
    while (status == LINPRED_ERROR_MEMORY) {
        linpred__table *table = NULL;
        linpred_set_allocator(&failing);
        until_failure = ++trials;
        status = options->files > 0 ? linpred__table_read(file, &request, NULL, &table, NULL)
                                    : linpred__table_read_pieces(file, &request, NULL, piece_bytes, &table, NULL);
        bool failed = until_failure <= 0;
        linpred__table_free(table);
        linpred_set_allocator(NULL);
        if (status != LINPRED_OK && !(status == LINPRED_ERROR_MEMORY && failed))
            fail_msg("%s, request %lld: status %d", file, (long long)trials, (int)status);
    }
    return trials;
}

#endif
