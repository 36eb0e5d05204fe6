/* How much memory this process may still take. */
#ifndef LINPRED_CORE_FREE_MEMORY_H
#define LINPRED_CORE_FREE_MEMORY_H

/* The bytes that the system could hand out without swapping, and that the control groups of the process, as those of a
   container, leave it; infinite if the system does not tell. `root` stands before the names of the system's files: ""
   but in tests. */
double linpred__free_memory(const char *root);

#endif
