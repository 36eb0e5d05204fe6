/* Loops over blocks are compiled for several instruction sets and the best is taken at run time; the results are the
 * same, since nothing is contracted or reordered. Sanitizers cannot see through this, so they get the plain one. */
#ifndef LINPRED_CORE_FAST_H
#define LINPRED_CORE_FAST_H

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define LINPRED__FAST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LINPRED__FAST
#endif

#endif
