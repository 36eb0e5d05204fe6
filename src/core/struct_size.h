/* Structs that the caller allocates begin with `size_t struct_size`: their size in the caller's header.
 *
 * A program compiled against another version of the header has a shorter or a longer struct. The library fills or reads
 * the part that both know.
 */
#ifndef LINPRED_CORE_STRUCT_SIZE_H
#define LINPRED_CORE_STRUCT_SIZE_H

#include "linpred/linpred.h"

/* Copies `made`, a struct of `known` bytes, into the caller's *out, which says its size itself. What only the caller
   knows becomes 0. False, and nothing is written: out is NULL or its struct_size was not set. */
bool linpred__struct_fill(void *out, const void *made, size_t known);

/* Copies the caller's *from into *into, a struct of `known` bytes. What only the library knows becomes 0. What only the
   caller knows must be 0: else the caller asks for something that this version cannot do. */
linpred_status linpred__struct_read(void *into, size_t known, const void *from, const char *name, linpred_error *error);

/* Before work is done for *out: whether its struct_size was set. */
linpred_status linpred__struct_check(const void *out, const char *name, linpred_error *error);

#endif
