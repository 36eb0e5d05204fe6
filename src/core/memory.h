/* Memory through the replaceable allocator. Every size is count x size, checked for overflow; NULL means out of memory.
 */
#ifndef LINPRED_CORE_MEMORY_H
#define LINPRED_CORE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

void *linpred__alloc(size_t count, size_t size);  /* not cleared */
void *linpred__calloc(size_t count, size_t size); /* cleared */
void *linpred__resize(void *memory, size_t count, size_t size);
void linpred__release(void *memory);
char *linpred__copy_text(const char *text, size_t bytes); /* adds the closing NUL */

/* Makes room for `needed` elements in *array (capacity *room), growing by half; false if out of memory. */
int linpred__grow(void *array, size_t *capacity, size_t needed, size_t size);

#endif
