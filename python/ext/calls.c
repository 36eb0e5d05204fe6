/* The calls that work on all rows: fit, separation, verify, score, intervals. */
#include "core.h"

enum {
    QUICK_ENTRIES = 1000000, /* scoring so many values takes milliseconds */
    SMALL_ENTRIES = 10000    /* a regression on so many, or its check, takes about as long as starting a thread */
};

static linpred_data *data_handle(PyObject *object)
{
    return ((data_object *)object)->data;
}

static linpred_result *result_handle(PyObject *object)
{
    return ((result_object *)object)->result;
}

static bool is_small(PyObject *data)
{
    linpred_shape shape = {.struct_size = sizeof shape};
    linpred_data_shape(data_handle(data), &shape);
    return shape.entries <= SMALL_ENTRIES;
}

/* ---- fits -------------------------------------------------------------------------------------------------------- */

static linpred_status run_fit(job_work *work, linpred_error *error)
{
    return linpred_fit(work->input[0], work->options, &work->result, error);
}

static linpred_status run_separation(job_work *work, linpred_error *error)
{
    return linpred_find_separation(work->input[0], work->options, &work->result, error);
}

/* (data, options, progress or None) */
static PyObject *fit_by(PyObject *arguments, linpred_status (*run)(job_work *, linpred_error *))
{
    PyObject *data, *options, *progress;
    if (!PyArg_ParseTuple(arguments, "O!O!O", data_type, &data, &PyDict_Type, &options, &progress))
        return NULL;
    job_work work = {.run = run, .hold = {data}, .options = make_options(options), .input = {data_handle(data)}};
    if (!work.options)
        return NULL;
    bool squares =
        linpred_options_get_task(work.options) == LINPRED_TASK_REGRESSION && !PyDict_GetItemString(options, "loss");
    if (!run_job(&work, squares && progress == Py_None && is_small(data), progress))
        return NULL;
    return new_result(work.result);
}

static PyObject *call_fit(PyObject *module, PyObject *arguments)
{
    (void)module;
    return fit_by(arguments, run_fit);
}

static PyObject *call_separation(PyObject *module, PyObject *arguments)
{
    (void)module;
    return fit_by(arguments, run_separation);
}

/* ---- the check --------------------------------------------------------------------------------------------------- */

static linpred_status run_verify(job_work *work, linpred_error *error)
{
    return linpred_verify(work->input[0], work->input[1], work->threads, &work->check, error);
}

/* A list of (kind, main, verdict, finding). */
static PyObject *answers(const linpred_check *check)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < linpred_check_claim_count(check); i++) {
        PyObject *answer = Py_BuildValue("(sOss)", linpred_claim_name(linpred_check_claim_kind(check, i)),
                                         linpred_check_claim_is_main(check, i) ? Py_True : Py_False,
                                         linpred_verdict_name(linpred_check_claim_verdict(check, i)),
                                         linpred_check_claim_finding(check, i));
        if (!answer || PyList_Append(list, answer) != 0)
            Py_CLEAR(list);
        Py_XDECREF(answer);
    }
    return list;
}

static PyObject *check_as_dict(const linpred_check *check)
{
    static const char *const numbers[] = {"errors", "gap", "lower_bound_proved", "worst_row", "settled_exactly"};
    PyObject *dict = PyDict_New();
    bool ok = dict && put(dict, "verdict", text_or_none(linpred_verdict_name(linpred_check_verdict(check)))) &&
              put(dict, "summary", text_or_none(linpred_check_summary(check))) &&
              put(dict, "same_data", PyBool_FromLong(linpred_check_same_data(check))) &&
              put(dict, "respecting", PyBool_FromLong(linpred_check_is_respecting(check))) &&
              put(dict, "claims", answers(check));
    for (size_t i = 0; ok && i < sizeof numbers / sizeof *numbers; i++)
        ok = put(dict, numbers[i], PyFloat_FromDouble(linpred_check_number(check, numbers[i])));
    if (!ok)
        Py_CLEAR(dict);
    return dict;
}

/* (result, data, threads) */
static PyObject *call_verify(PyObject *module, PyObject *arguments)
{
    PyObject *result, *data;
    int threads;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!i", result_type, &result, data_type, &data, &threads))
        return NULL;
    job_work work = {.run = run_verify,
                     .hold = {result, data},
                     .input = {result_handle(result), data_handle(data)},
                     .threads = threads};
    bool regression = linpred_model_task(linpred_result_model(result_handle(result))) == LINPRED_TASK_REGRESSION;
    if (!run_job(&work, regression && is_small(data), NULL))
        return NULL;
    PyObject *dict = check_as_dict(work.check);
    linpred_check_free(work.check);
    return dict;
}

/* ---- predictions ------------------------------------------------------------------------------------------------- */

static linpred_status run_score(job_work *work, linpred_error *error)
{
    return linpred_score(linpred_result_model(work->input[0]), work->input[1], work->threads, work->out[0], error);
}

static linpred_status run_interval(job_work *work, linpred_error *error)
{
    return linpred_predict_interval(linpred_result_model(work->input[0]), work->input[1], work->threads, work->number,
                                    work->out[0], work->out[1], error);
}

/* Runs work that fills arrays, one double for each row of the file. */
static PyObject *fill(job_work *work, PyObject *const *out, int count)
{
    Py_buffer view[2];
    int held = 0;
    linpred_shape shape = {.struct_size = sizeof shape};
    linpred_data_shape(work->input[1], &shape);
    while (held < count && PyObject_GetBuffer(out[held], &view[held], PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) == 0) {
        work->hold[2 + held] = out[held];
        work->out[held] = view[held].buf;
        if (view[held++].len != shape.rows_in_file * (Py_ssize_t)sizeof(double))
            PyErr_SetString(PyExc_ValueError, "an array with a double for each row is needed");
    }
    bool ok = !PyErr_Occurred() && run_job(work, shape.entries <= QUICK_ENTRIES, NULL);
    while (held > 0)
        PyBuffer_Release(&view[--held]);
    if (!ok)
        return NULL;
    Py_RETURN_NONE;
}

/* (result, data, threads, out) */
static PyObject *call_score(PyObject *module, PyObject *arguments)
{
    PyObject *result, *data, *out;
    int threads;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!iO", result_type, &result, data_type, &data, &threads, &out))
        return NULL;
    job_work work = {.run = run_score,
                     .hold = {result, data},
                     .input = {result_handle(result), data_handle(data)},
                     .threads = threads};
    return fill(&work, &out, 1);
}

/* (result, data, threads, confidence, low, high) */
static PyObject *call_interval(PyObject *module, PyObject *arguments)
{
    PyObject *result, *data, *out[2];
    int threads;
    double confidence;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!idOO", result_type, &result, data_type, &data, &threads, &confidence, &out[0],
                          &out[1]))
        return NULL;
    job_work work = {.run = run_interval,
                     .hold = {result, data},
                     .input = {result_handle(result), data_handle(data)},
                     .number = confidence,
                     .threads = threads};
    return fill(&work, out, 2);
}

/* (result, data, threads): a list of (rows that break a dependency, the first of them) for each dependency. */
static PyObject *call_broken(PyObject *module, PyObject *arguments)
{
    PyObject *result, *data;
    int threads;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!i", result_type, &result, data_type, &data, &threads))
        return NULL;
    size_t count = linpred_result_dependency_count(result_handle(result));
    int64_t *numbers = PyMem_Calloc(2 * count + 1, sizeof *numbers);
    PyObject *list = numbers ? PyList_New(0) : PyErr_NoMemory();
    linpred_error error;
    linpred_status status = LINPRED_OK;
    if (list && count > 0) {
        Py_BEGIN_ALLOW_THREADS status = linpred_broken_dependencies(result_handle(result), data_handle(data), threads,
                                                                    numbers, numbers + count, &error);
        Py_END_ALLOW_THREADS
    }
    if (status != LINPRED_OK) {
        fail_with(status, &error);
        Py_CLEAR(list);
    }
    for (size_t i = 0; list && i < count; i++) {
        PyObject *pair = Py_BuildValue("(LL)", (long long)numbers[i], (long long)numbers[count + i]);
        if (!pair || PyList_Append(list, pair) != 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    PyMem_Free(numbers);
    return list;
}

PyMethodDef call_methods[] = {
    {"fit", call_fit, METH_VARARGS, "Fit what the options ask for."},
    {"separation", call_separation, METH_VARARGS, "Separated, quasi-separated or overlapping?"},
    {"verify", call_verify, METH_VARARGS, "One verdict for each claim, as a dict."},
    {"score", call_score, METH_VARARGS, "Scores of rows."},
    {"interval", call_interval, METH_VARARGS, "Prediction intervals of rows."},
    {"broken", call_broken, METH_VARARGS, "Rows that break dependencies of the columns."},
    {"wait", wait_for_jobs, METH_NOARGS, "Wait for work that was left behind."},
    {NULL, NULL, 0, NULL}};
