/* Structs that the caller allocates begin with `size_t struct_size`: their size in the caller's header.
 *
 * A program that was compiled with another version of the header has a shorter or longer struct. The library fills or
 * reads the part that both versions have.
 */
#ifndef LINPRED_CORE_STRUCT_SIZE_H
#define LINPRED_CORE_STRUCT_SIZE_H

#include "linpred/linpred.h"

/* Copies `made`, a struct of `known` bytes, to the caller's *out, whose first member is its size. Members that only the
   caller's version has become 0. Returns false and writes nothing if out is NULL or its struct_size was not set. */
bool linpred__struct_fill(void *out, const void *made, size_t known);

/* Copies the caller's *from to *into, a struct of `known` bytes. Members that only the library's version has become 0.
   Members that only the caller's version has must be 0; otherwise the caller asks for something that this version
   cannot do, which is an error. */
linpred_status linpred__struct_read(void *into, size_t known, const void *from, const char *name, linpred_error *error);

/* Returns an error if struct_size of *out was not set. It is called before the work whose result *out will hold. */
linpred_status linpred__struct_check(const void *out, const char *name, linpred_error *error);

#endif
