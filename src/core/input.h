/* A stream of bytes from a file or standard input ("-"). gzip and zstd streams are unpacked; the first bytes tell what
 * a stream is, and its name does not matter.
 */
#ifndef LINPRED_CORE_INPUT_H
#define LINPRED_CORE_INPUT_H

#include <stddef.h>

#include "linpred/linpred.h"

typedef struct linpred__input linpred__input;

/* Opens a stream. Reading from a pipe or a device, which may never end, fails after `seconds`. */
linpred_status linpred__input_open(const char *path, double seconds, linpred__input **input, linpred_error *error);
/* Reads up to `capacity` bytes. *bytes is less than `capacity` only at the end of the stream. A packed stream that is
   damaged or ends too early is an error. */
linpred_status linpred__input_read(linpred__input *input, char *buffer, size_t capacity, size_t *bytes,
                                   linpred_error *error);
/* The name for messages: the path, or "standard input". */
const char *linpred__input_name(const linpred__input *input);
/* The open descriptor if this is a regular file that is not packed, so that it can be mapped; otherwise -1. */
int linpred__input_descriptor(const linpred__input *input);
/* The size of such a file in bytes, or -1 if it is not known, as for a pipe or a packed stream. */
int64_t linpred__input_size(const linpred__input *input);
void linpred__input_close(linpred__input *input);

#endif
