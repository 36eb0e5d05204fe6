/* The thread count of OpenBLAS, and the memory that OpenBLAS needs for each thread. */
#include "core/blas.h"

#include <cblas.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "core/error.h"

enum { BUFFER_MB = 128 }; /* address space that OpenBLAS takes for each thread that calls it */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* protects the three variables below */
static int inside;                                        /* calls of enter minus calls of leave, in all threads */
static int before;                                        /* the host's thread count */
static int checked; /* the buffers of this many threads are known to fit into the address space */

void linpred__blas_enter(void)
{
    pthread_mutex_lock(&mutex);
    if (inside++ == 0) {
        before = openblas_get_num_threads();
        openblas_set_num_threads(1);
    }
    pthread_mutex_unlock(&mutex);
}

void linpred__blas_leave(void)
{
    pthread_mutex_lock(&mutex);
    if (--inside == 0)
        openblas_set_num_threads(before);
    pthread_mutex_unlock(&mutex);
}

void linpred__blas_run(linpred__pool *pool, int64_t tasks, void (*work)(void *context, int64_t task), void *context)
{
    linpred__blas_enter();
    linpred__pool_run(openblas_get_parallel() != OPENBLAS_SEQUENTIAL ? pool : NULL, tasks, work, context);
    linpred__blas_leave();
}

/* ---- limited address space --------------------------------------------------------------------------------------- */

enum { PRODUCT = 160 }; /* a product of this size uses a buffer in every build of OpenBLAS */

struct meeting {
    int threads;
    _Atomic int begun;
};

/* Multiplies two matrices while all other threads do so too: then OpenBLAS has a buffer for each, and keeps it. */
static void take_buffer(void *context, int64_t task)
{
    static const double zero[PRODUCT * PRODUCT];
    struct meeting *meeting = context;
    double product[PRODUCT * PRODUCT];
    (void)task;
    atomic_fetch_add(&meeting->begun, 1);
    while (atomic_load(&meeting->begun) < meeting->threads)
        sched_yield();
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, PRODUCT, PRODUCT, PRODUCT, 1.0, zero, PRODUCT, zero, PRODUCT,
                0.0, product, PRODUCT);
}

linpred_status linpred__blas_check_memory(linpred__pool *pool, linpred_error *error)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return LINPRED_OK;
    int threads = linpred__pool_threads(pool);
    pthread_mutex_lock(&mutex);
    if (checked < threads) {
        size_t bytes = (size_t)threads * BUFFER_MB << 20;
        void *memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory != MAP_FAILED) {
            munmap(memory, bytes);
            struct meeting meeting = {.threads = openblas_get_parallel() != OPENBLAS_SEQUENTIAL ? threads : 1};
            linpred__pool_run(meeting.threads > 1 ? pool : NULL, meeting.threads, take_buffer, &meeting);
            checked = threads;
        }
    }
    bool enough = checked >= threads;
    pthread_mutex_unlock(&mutex);
    return enough
               ? LINPRED_OK
               : linpred__fail(
                     error, LINPRED_ERROR_MEMORY,
                     "the limit on address space is too low: linear algebra takes %d MB for each of %d thread%s; raise "
                     "the limit (ulimit -v)%s",
                     BUFFER_MB, threads, linpred__plural(threads), threads == 1 ? "" : ", or take --threads 1");
}
