/* A stream of bytes from a file, standard input ("-"), or a .gz or .zst file, told by their first bytes, not by name.
 */
#ifndef LINPRED_CORE_INPUT_H
#define LINPRED_CORE_INPUT_H

#include <stddef.h>

#include "linpred/linpred.h"

typedef struct linpred__input linpred__input;

/* Reading what may never end, a pipe or a device, fails after so many seconds. */
linpred_status linpred__input_open(const char *path, double seconds, linpred__input **input, linpred_error *error);
/* Reads up to `capacity` bytes; *bytes is less than `capacity` only at the end. A stream that ends too early, or is
 * damaged, fails. */
linpred_status linpred__input_read(linpred__input *input, char *buffer, size_t capacity, size_t *bytes,
                                   linpred_error *error);
/* For messages: the path, "standard input" for "-". */
const char *linpred__input_name(const linpred__input *input);
/* The open descriptor if this is a plain, uncompressed regular file that can be mapped, else -1. */
int linpred__input_descriptor(const linpred__input *input);
/* The size of that plain regular file in bytes, or -1 if unknown (a pipe, a compressed stream). */
int64_t linpred__input_size(const linpred__input *input);
void linpred__input_close(linpred__input *input);

#endif
