/* Memory that lies in a file: for tables that are larger than memory.
 *
 * The file has no name, so nothing stays of it, however the process ends. Its space is reserved before it is mapped, so
 * that a full disk is an error and not a signal, and no other process can shorten it. A thread of its own gives pages
 * back to the system whenever the process holds more than its limit; their contents stay in the file, and come back
 * when they are touched. So whoever uses the memory need not know.
 */
#ifndef LINPRED_CORE_SPILL_H
#define LINPRED_CORE_SPILL_H

#include <stddef.h>

#include "linpred/linpred.h"

typedef struct linpred__spill linpred__spill;

/* Opens a spill in the folder of `path`. The process may hold `resident` bytes more than now before pages are given
   back. */
linpred_status linpred__spill_open(const char *path, size_t resident, linpred__spill **spill, linpred_error *error);
/* Opens another one in the same folder, with the same limit. */
linpred_status linpred__spill_open_beside(const linpred__spill *other, linpred__spill **spill, linpred_error *error);
void linpred__spill_close(linpred__spill *spill);
/* `count` times `size` bytes, aligned for any type; not initialised. NULL if the disk is full or memory ran out. It is
   freed by _rewind or _close only. */
void *linpred__spill_alloc(linpred__spill *spill, size_t count, size_t size);
/* Gives pages back if the process holds more than its limit. The thread does so every few milliseconds, if it gets a
   turn; whoever touches much memory calls this now and then. */
void linpred__spill_trim(linpred__spill *spill);
/* Frees all memory of the spill, or all since _keep, so that its space is used again. */
void linpred__spill_rewind(linpred__spill *spill);
/* Keeps what was allocated so far, whoever calls _rewind. */
void linpred__spill_keep(linpred__spill *spill);
/* If the last failure was the disk's, replaces the error by a sentence about it. Returns the status. */
linpred_status linpred__spill_failure(const linpred__spill *spill, linpred_status status, linpred_error *error);

#endif
