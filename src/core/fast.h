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

/* Before a loop: its turns do not depend on each other, so that they may be done side by side. */
#ifdef __clang__
#define LINPRED__INDEPENDENT_TURNS _Pragma("clang loop vectorize(assume_safety)")
#else
#define LINPRED__INDEPENDENT_TURNS _Pragma("GCC ivdep")
#endif

#endif
