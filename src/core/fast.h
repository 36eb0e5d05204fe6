/* Hints to the compiler for loops over rows.
 *
 * LINPRED__FAST compiles a function for several instruction sets; the best one is chosen at run time. The results are
 * the same, because the compiler neither contracts nor reorders floating-point operations. The sanitizers do not
 * support this, so their builds have one version only. LINPRED__INDEPENDENT_ITERATIONS before a loop promises that its
 * iterations do not depend on each other.
 */
#ifndef LINPRED_CORE_FAST_H
#define LINPRED_CORE_FAST_H

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define LINPRED__FAST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LINPRED__FAST
#endif

#if defined(__clang__)
#define LINPRED__INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#else
#define LINPRED__INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif

#endif
