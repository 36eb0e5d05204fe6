/* Runs the library's work in a thread of its own, without the interpreter's lock.
 *
 * The calling thread waits, and looks every few milliseconds whether Ctrl-C was pressed. Then it asks the work to stop
 * and waits a moment. A fit ends by itself; reading and verifying cannot be asked, so the work is left behind, and the
 * thread that does it throws its result away. The objects it uses are held until then. They are released by a pending
 * call, because that needs the interpreter's lock.
 */
#include "core.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOK_EVERY_MS = 20, /* how often the waiting thread looks for signals: 0.2 s are promised */
    GRACE_MS = 100,     /* how long a fit that was asked to stop may take to end by itself */
    PENDING_RETRY_US = 5000
};

struct job {
    job_work work;
    linpred_status status;
    linpred_error error;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    bool done;
    bool left_behind; /* the waiting thread has gone: the worker cleans up */
    bool news;        /* `progress` is new */
    linpred_progress progress;
    char stage[64];
    atomic_bool stop;
};

static atomic_int left_behind_jobs;

static void clear_results(job_work *work)
{
    linpred_check_free(work->check);
    linpred_result_free(work->result);
    linpred_data_free(work->data);
    work->check = NULL;
    work->result = NULL;
    work->data = NULL;
}

static void free_job(job *j)
{
    linpred_options_free(j->work.options);
    free(j->work.owned);
    pthread_cond_destroy(&j->changed);
    pthread_mutex_destroy(&j->lock);
    free(j);
}

/* The end of a job that was left behind, with the interpreter's lock. */
static int release_left_behind(void *context)
{
    job *j = context;
    for (int i = 0; i < JOB_HOLDS; i++)
        Py_XDECREF(j->work.hold[i]);
    free_job(j);
    return 0;
}

static bool on_progress(void *context, const linpred_progress *progress)
{
    job *j = context;
    pthread_mutex_lock(&j->lock);
    j->progress = *progress;
    strncpy(j->stage, progress->stage ? progress->stage : "", sizeof j->stage - 1);
    j->news = true;
    pthread_mutex_unlock(&j->lock);
    return !atomic_load(&j->stop);
}

static void *run_worker(void *context)
{
    job *j = context;
    j->status = j->work.run(&j->work, &j->error);
    pthread_mutex_lock(&j->lock);
    j->done = true;
    bool left_behind = j->left_behind;
    pthread_cond_signal(&j->changed);
    pthread_mutex_unlock(&j->lock);
    if (left_behind) {
        clear_results(&j->work);
        while (Py_AddPendingCall(release_left_behind, j) != 0)
            usleep(PENDING_RETRY_US);
        atomic_fetch_sub(&left_behind_jobs, 1);
    }
    return NULL;
}

/* Waits until the job is done, or until so many milliseconds have passed. Returns whether it is done. */
static bool wait_for(job *j, int milliseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += milliseconds * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    bool done;
    Py_BEGIN_ALLOW_THREADS pthread_mutex_lock(&j->lock);
    int code = 0;
    while (!j->done && code == 0)
        code = pthread_cond_timedwait(&j->changed, &j->lock, &until);
    done = j->done;
    pthread_mutex_unlock(&j->lock);
    Py_END_ALLOW_THREADS return done;
}

/* Tells Python how the fit goes. False: an exception is set. A callback that answers False stops the fit. */
static bool report(job *j, PyObject *callback)
{
    pthread_mutex_lock(&j->lock);
    bool news = j->news;
    linpred_progress progress = j->progress;
    char stage[sizeof j->stage];
    memcpy(stage, j->stage, sizeof stage);
    j->news = false;
    pthread_mutex_unlock(&j->lock);
    if (!news || callback == Py_None || atomic_load(&j->stop))
        return true;
    PyObject *answer = PyObject_CallFunction(callback, "sLLdd", stage, (long long)progress.updates,
                                             (long long)progress.passes, progress.errors, progress.seconds);
    if (!answer)
        return false;
    if (answer == Py_False)
        atomic_store(&j->stop, true);
    Py_DECREF(answer);
    return true;
}

/* Makes the job stop; leaves it behind if it does not. Returns whether it has ended. */
static bool end_job(job *j)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    atomic_store(&j->stop, true);
    bool done = wait_for(j, GRACE_MS);
    if (!done) {
        pthread_mutex_lock(&j->lock);
        done = j->done;
        j->left_behind = !done;
        if (!done)
            atomic_fetch_add(&left_behind_jobs, 1);
        pthread_mutex_unlock(&j->lock);
    }
    PyErr_Restore(type, value, trace);
    return done;
}

static job *new_job(const job_work *work)
{
    job *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->work = *work;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (work->options)
        linpred_options_on_progress(work->options, on_progress, j);
    return j;
}

/* The job has ended: hands over what was found, and frees the job. */
static int take_results(job *j, job_work *work, bool failed)
{
    for (int i = 0; i < JOB_HOLDS; i++)
        Py_XDECREF(j->work.hold[i]);
    if (!failed && j->status != LINPRED_OK) {
        fail_with(j->status, &j->error);
        failed = true;
    }
    if (failed)
        clear_results(&j->work);
    *work = j->work;
    free_job(j);
    return !failed;
}

int run_job(job_work *work, bool quick, PyObject *progress)
{
    job *j = new_job(work);
    pthread_t thread;
    if (!j) {
        linpred_options_free(work->options);
        free(work->owned);
        PyErr_NoMemory();
        return 0;
    }
    for (int i = 0; i < JOB_HOLDS; i++)
        Py_XINCREF(work->hold[i]);
    if (quick || pthread_create(&thread, NULL, run_worker, j) != 0) {
        Py_BEGIN_ALLOW_THREADS j->status = j->work.run(&j->work, &j->error);
        Py_END_ALLOW_THREADS return take_results(j, work, false);
    }
    bool failed = false;
    while (!failed && !wait_for(j, LOOK_EVERY_MS))
        failed = PyErr_CheckSignals() != 0 || !report(j, progress ? progress : Py_None);
    if (failed && !end_job(j)) {
        pthread_detach(thread);
        return 0; /* the worker frees the job */
    }
    pthread_join(thread, NULL);
    return take_results(j, work, failed);
}

PyObject *wait_for_jobs(PyObject *module, PyObject *nothing)
{
    (void)module;
    (void)nothing;
    Py_BEGIN_ALLOW_THREADS while (atomic_load(&left_behind_jobs) > 0) usleep(PENDING_RETRY_US);
    Py_END_ALLOW_THREADS Py_RETURN_NONE;
}
