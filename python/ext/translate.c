/* Statuses, options, texts and numbers from one language to the other. */
#include "core.h"

#include <string.h>

/* linpred._errors makes the exception: its type and its wording are Python's business. */
PyObject *fail_with(linpred_status status, const linpred_error *error)
{
    PyObject *errors = PyImport_ImportModule("linpred._errors");
    PyObject *made = errors ? PyObject_CallMethod(errors, "make", "ssLL", linpred_status_name(status), error->message,
                                                  (long long)error->line, (long long)error->column)
                            : NULL;
    if (made)
        PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    Py_XDECREF(made);
    Py_XDECREF(errors);
    return NULL;
}

const char *text_of(PyObject *text)
{
    Py_ssize_t bytes;
    const char *utf8 = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &bytes) : NULL;
    if (!utf8 && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "a str is needed");
    if (utf8 && (size_t)bytes != strlen(utf8)) {
        PyErr_SetString(PyExc_ValueError, "a text with a NUL character cannot be a name or an option");
        return NULL;
    }
    return utf8;
}

PyObject *text_or_none(const char *text)
{
    if (text)
        return PyUnicode_FromString(text);
    Py_RETURN_NONE;
}

PyObject *doubles(const double *numbers, Py_ssize_t count)
{
    return PyBytes_FromStringAndSize((const char *)numbers, count * (Py_ssize_t)sizeof *numbers);
}

PyObject *integers(const int64_t *numbers, Py_ssize_t count)
{
    return PyBytes_FromStringAndSize((const char *)numbers, count * (Py_ssize_t)sizeof *numbers);
}

bool put(PyObject *dict, const char *key, PyObject *value)
{
    int code = value ? PyDict_SetItemString(dict, key, value) : -1;
    Py_XDECREF(value);
    return code == 0;
}

linpred_options *make_options(PyObject *dict)
{
    linpred_options *options = linpred_options_new();
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (!options) {
        PyErr_NoMemory();
        return NULL;
    }
    while (PyDict_Next(dict, &at, &key, &value)) {
        const char *name = text_of(key), *text = name ? text_of(value) : NULL;
        linpred_error error;
        linpred_status status = text ? linpred_options_set(options, name, text, &error) : LINPRED_OK;
        if (text && status == LINPRED_OK)
            continue;
        if (text)
            fail_with(status, &error);
        linpred_options_free(options);
        return NULL;
    }
    return options;
}
