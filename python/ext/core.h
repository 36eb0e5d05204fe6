/* What the files of the extension share. It uses the public interface of linpred and CPython's limited API alone, so
 * that one binary serves every Python from 3.11 on.
 *
 * The extension does no more than translate: handles become objects, statuses become exceptions, arrays are borrowed
 * through the buffer protocol. Everything that a user meets is written in Python on top of it.
 */
#ifndef LINPRED_PYTHON_CORE_H
#define LINPRED_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <linpred/linpred.h>

/* ---- objects ----------------------------------------------------------------------------------------------------- */

enum { DATA_VIEWS = 5 }; /* values, indices, starts, labels, weights */

/* Rows. The arrays that the rows lie in are borrowed as long as the object lives. */
typedef struct data_object {
    PyObject ob_base;
    linpred_data *data;
    Py_buffer view[DATA_VIEWS];
    int views; /* how many of them are held */
} data_object;

typedef struct result_object {
    PyObject ob_base;
    linpred_result *result;
} result_object;

extern PyTypeObject *data_type, *result_type;
/* Make the types; NULL with an exception on failure. */
PyTypeObject *make_data_type(PyObject *module);
PyTypeObject *make_result_type(PyObject *module);
/* An object that takes the result over, also on failure. */
PyObject *new_result(linpred_result *result);

extern PyMethodDef data_look_methods[]; /* what is in the data */
extern PyMethodDef call_methods[];      /* fit, verify, score, … */

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

typedef struct job job;

enum { JOB_HOLDS = 4 };

/* What a job works on, and what it finds. */
typedef struct job_work {
    linpred_status (*run)(struct job_work *work, linpred_error *error);
    PyObject *hold[JOB_HOLDS]; /* objects whose handles and memory are used; the job holds a reference while it runs */
    linpred_options *options;
    linpred_data *data;
    linpred_result *result;
    linpred_check *check;
    const void *input[2]; /* arguments of `run`, parts of an object in `hold` or of `owned` */
    void *owned;          /* memory that `run` uses, released by free */
    double number;
    double *out[2]; /* the caller's memory, of an object in `hold` */
    int threads;
    bool flag;
} job_work;

/* Runs work without the interpreter's lock. Takes `options` and `owned` over. On success the caller finds what was made
   in *work; on failure, or if Python's user interrupts, an exception is set and 0 is returned. `quick` work runs in the
   calling thread and cannot be interrupted. `progress` is called from time to time unless it is NULL; it stops a fit by
   returning False. */
int run_job(job_work *work, bool quick, PyObject *progress);
/* Waits for jobs that an interrupt left behind; called before the interpreter ends. */
PyObject *wait_for_jobs(PyObject *module, PyObject *nothing);

/* ---- translations ------------------------------------------------------------------------------------------------ */

/* Sets the exception for a status; always NULL. */
PyObject *fail_with(linpred_status status, const linpred_error *error);
/* Options from a dict of texts; NULL with an exception on failure. */
linpred_options *make_options(PyObject *dict);
/* UTF-8 text of a str; NULL with an exception if it is none. It lives as long as the str. */
const char *text_of(PyObject *text);
PyObject *text_or_none(const char *text);
/* Bytes of doubles or of 64-bit integers, for numpy.frombuffer. */
PyObject *doubles(const double *numbers, Py_ssize_t count);
PyObject *integers(const int64_t *numbers, Py_ssize_t count);
/* Sets a dict's entry and takes the value over; false with an exception on failure, also if the value is NULL. */
bool put(PyObject *dict, const char *key, PyObject *value);
/* The claims of a result as a list of dicts. */
PyObject *claims_of(const linpred_result *result);

#endif
