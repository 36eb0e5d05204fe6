/* For programs around the library: whole files, numbers as text, words nearly right, memory. Part of linpred.h. */
#ifndef LINPRED_TOOLS_H
#define LINPRED_TOOLS_H

#include "linpred/base.h"
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- files that are whole or not there --------------------------------------------------------------------------- */

/* Whether a file can be written there: asked before a long fit. */
LINPRED_API linpred_status linpred_path_writable(const char *path, linpred_error *error);
/* Any other file, written in the same way: at once, or piece by piece. Commit and discard free the output. */
typedef struct linpred_output linpred_output;
LINPRED_API linpred_status linpred_write_file(const char *path, const void *text, size_t bytes, linpred_error *error);
LINPRED_API linpred_status linpred_output_open(const char *path, linpred_output **output, linpred_error *error);
LINPRED_API FILE *linpred_output_stream(linpred_output *output); /* the library's to close */
LINPRED_API linpred_status linpred_output_commit(linpred_output *output, linpred_error *error);
LINPRED_API void linpred_output_discard(linpred_output *output);

/* ---- text -------------------------------------------------------------------------------------------------------- */

/* The shortest of 15, 16 and 17 significant digits that reads back to the same double, whatever the locale. Returns the
   length. */
LINPRED_API size_t linpred_number_text(double value, char buffer[32]);
/* Which of the words was meant by `text`, allowing one slip for every three letters; NULL if none is near. */
LINPRED_API const char *linpred_nearest(const char *text, const char *const *words, size_t count);

/* ---- memory: for hosts that bring their own ---------------------------------------------------------------------- */

typedef struct linpred_allocator {
    size_t struct_size;
    /* Like realloc: memory NULL allocates, and NULL is returned if there is no memory. */
    void *(*reallocate)(void *context, void *memory, size_t bytes);
    void (*release)(void *context, void *memory);
    void *context;
} linpred_allocator;

/* Before any other call; NULL goes back to the C library's. False, and nothing changes: struct_size is not set. */
LINPRED_API bool linpred_set_allocator(const linpred_allocator *allocator);

#ifdef __cplusplus
}
#endif
#endif
