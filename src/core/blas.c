#include "core/blas.h"

#include <cblas.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static int before;

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
