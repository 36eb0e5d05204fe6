/* Hints to the compiler for loops over rows.
 *
 * LINPRED__FAST compiles a function for several instruction sets; the best one is chosen at run time. The results are
 * the same, because the compiler neither contracts nor reorders floating-point operations. The sanitizers do not
 * support this, so their builds have one version only. LINPRED__INDEPENDENT_ITERATIONS before a loop promises that its
 * iterations do not depend on each other.
 *
 * LINPRED__VERSIONS(name, parameters, arguments) makes the function `name` from the inlined `name_body`, once for each
 * of several instruction sets with fused multiply-add and once without; there fma() is a library call. The best one is
 * chosen at run time. Unlike LINPRED__FAST it works with every compiler, and under the sanitizers.
 */
#ifndef LINPRED_CORE_FAST_H
#define LINPRED_CORE_FAST_H

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define LINPRED__FAST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LINPRED__FAST
#endif

#if defined(__x86_64__)
#define LINPRED__VERSIONS(name, parameters, arguments)                                                                 \
    __attribute__((target("avx512f,avx512dq,avx512vl,fma"))) static void name##_avx512 parameters                      \
    {                                                                                                                  \
        name##_body arguments;                                                                                         \
    }                                                                                                                  \
    __attribute__((target("avx2,fma"))) static void name##_avx2 parameters                                             \
    {                                                                                                                  \
        name##_body arguments;                                                                                         \
    }                                                                                                                  \
    static void name parameters                                                                                        \
    {                                                                                                                  \
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&                                 \
            __builtin_cpu_supports("avx512vl"))                                                                        \
            name##_avx512 arguments;                                                                                   \
        else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))                                      \
            name##_avx2 arguments;                                                                                     \
        else                                                                                                           \
            name##_body arguments;                                                                                     \
    }
#else
#define LINPRED__VERSIONS(name, parameters, arguments)                                                                 \
    static void name parameters                                                                                        \
    {                                                                                                                  \
        name##_body arguments;                                                                                         \
    }
#endif
#define LINPRED__INLINED static inline __attribute__((always_inline))

#if defined(__clang__)
#define LINPRED__INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#else
#define LINPRED__INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif

#endif
