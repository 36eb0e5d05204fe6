/* Memory from the allocator that linpred_set_allocator can replace. The number of bytes is count times size, and is
 * checked for overflow. NULL means that memory ran out.
 */
#ifndef LINPRED_CORE_MEMORY_H
#define LINPRED_CORE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "linpred/tools.h"

void *linpred__alloc(size_t count, size_t size);  /* not initialised */
void *linpred__calloc(size_t count, size_t size); /* all bytes 0 */
void *linpred__resize(void *memory, size_t count, size_t size);
void linpred__release(void *memory);
char *linpred__copy_text(const char *text, size_t bytes); /* appends a NUL */

/* The bytes of the last request that failed, in any thread; 0 if none did since the last call; SIZE_MAX if they are
   more than any machine has. It is for messages. */
size_t linpred__memory_refused(void);

/* `array` is the address of a pointer to *capacity elements of `size` bytes. If `needed` is more than *capacity, the
   array is reallocated to at least one and a half times its length. Returns 0, without any change, if memory ran
   out. */
int linpred__grow(void *array, size_t *capacity, size_t needed, size_t size);

#endif
