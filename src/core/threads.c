/* The pool of threads.
 *
 * A round of work is a gate that the caller opens. Helpers enter while the gate is open and are counted. The caller
 * works too, shuts the gate when no task is left, and waits until all helpers inside have left. It does not wait for a
 * helper that has not woken up. `work`, `context` and `tasks` change only while the gate is shut and no helper is
 * inside.
 */
#define _GNU_SOURCE
#include "core/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/memory.h"

enum {
    OPEN = 1 << 30 /* the bit of `gate` that is set while the gate is open; the lower bits count the helpers inside */
};

struct linpred__pool {
    int threads;                               /* threads asked for, with the caller */
    bool asked;                                /* helpers were asked for: they start with the first work for them */
    int started;                               /* helpers that were started */
    pthread_t *thread;                         /* these helpers */
    void (*work)(void *context, int64_t task); /* the work of this round */
    void *context;                             /* the first argument of `work` */
    int64_t tasks;                             /* number of tasks of this round */
    _Atomic int64_t next;                      /* the next task to hand out */
    _Atomic int gate;                          /* OPEN or 0, plus the number of helpers inside */
    _Atomic uint64_t round;                    /* number of the round, so that a helper enters each round only once */
    _Atomic bool closing;                      /* helpers must end */
    _Atomic int sleepers;                      /* number of helpers that wait for `wake` */
    pthread_mutex_t mutex;                     /* protects waiting for `wake` */
    pthread_cond_t wake;                       /* signalled when a round is opened or the pool closes */
};

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void take_tasks(linpred__pool *pool)
{
    for (;;) {
        int64_t task = atomic_fetch_add(&pool->next, 1);
        if (task >= pool->tasks)
            return;
        pool->work(pool->context, task);
    }
}

/* Whether a helper that took part in round `seen` last has to act: the pool closes, or another round is open. */
static bool called(linpred__pool *pool, uint64_t seen)
{
    return atomic_load(&pool->closing) || (atomic_load(&pool->round) != seen && (atomic_load(&pool->gate) & OPEN));
}

static void wait_for_call(linpred__pool *pool, uint64_t seen)
{
    for (int spin = 0; spin < LINPRED__SPINS; spin++) {
        if (called(pool, seen))
            return;
        relax();
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleepers, 1);
    while (!called(pool, seen))
        pthread_cond_wait(&pool->wake, &pool->mutex);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
}

static void *helper(void *argument)
{
    linpred__pool *pool = argument;
    uint64_t seen = 0;
    for (;;) {
        wait_for_call(pool, seen);
        if (atomic_load(&pool->closing))
            return NULL;
        int gate = atomic_load(&pool->gate);
        if (!(gate & OPEN) || !atomic_compare_exchange_strong(&pool->gate, &gate, gate + 1))
            continue;
        seen = atomic_load(&pool->round);
        take_tasks(pool);
        atomic_fetch_sub(&pool->gate, 1);
    }
}

static void wake_all(linpred__pool *pool)
{
    if (atomic_load(&pool->sleepers) > 0) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_broadcast(&pool->wake);
        pthread_mutex_unlock(&pool->mutex);
    }
}

/* Starts the helpers. Small work never needs them, and starting takes longer than a small fit. */
static void start_helpers(linpred__pool *pool)
{
    if (pool->asked)
        return;
    pool->asked = true;
    for (int i = 1; i < pool->threads; i++) {
        if (pthread_create(&pool->thread[pool->started], NULL, helper, pool) != 0)
            break; /* with fewer threads the results are the same */
        pool->started++;
    }
}

void linpred__pool_run(linpred__pool *pool, int64_t tasks, void (*work)(void *context, int64_t task), void *context)
{
    if (pool && tasks > 1)
        start_helpers(pool);
    if (!pool || pool->started == 0 || tasks <= 1) {
        for (int64_t task = 0; task < tasks; task++)
            work(context, task);
        return;
    }
    pool->work = work;
    pool->context = context;
    pool->tasks = tasks;
    atomic_store(&pool->next, 0);
    atomic_fetch_add(&pool->round, 1);
    atomic_store(&pool->gate, OPEN);
    wake_all(pool);
    take_tasks(pool);
    atomic_fetch_sub(&pool->gate, OPEN);
    for (int spin = 0; atomic_load(&pool->gate) != 0; spin++) {
        if (spin < LINPRED__SPINS)
            relax();
        else
            sched_yield();
    }
}

static int processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
    return 1;
}

linpred_status linpred__pool_open(int threads, linpred__pool **out, linpred_error *error)
{
    if (threads < 0 || threads > LINPRED__MAX_THREADS)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "there can be 1 to %d threads (0: one for each processor), not %d", LINPRED__MAX_THREADS,
                             threads);
    linpred__pool *pool = linpred__calloc(1, sizeof *pool);
    if (!pool)
        return linpred__no_memory(error);
    pool->threads = threads > 0 ? threads : processors();
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pool->thread = linpred__alloc((size_t)pool->threads, sizeof *pool->thread);
    if (!pool->thread) {
        linpred__pool_close(pool);
        return linpred__no_memory(error);
    }
    *out = pool;
    return LINPRED_OK;
}

void linpred__pool_close(linpred__pool *pool)
{
    if (!pool)
        return;
    atomic_store(&pool->closing, true);
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 0; i < pool->started; i++)
        pthread_join(pool->thread[i], NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    linpred__release(pool->thread);
    linpred__release(pool);
}

int linpred__pool_threads(linpred__pool *pool)
{
    if (pool)
        start_helpers(pool);
    return pool ? pool->started + 1 : 1;
}
