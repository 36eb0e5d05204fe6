/* What is in data: its shape, its names, remarks about it, its rows as arrays. */
#include "core.h"

static const linpred_data *handle(PyObject *self)
{
    return ((data_object *)self)->data;
}

static PyObject *data_shape(PyObject *self, PyObject *nothing)
{
    linpred_shape shape = {.struct_size = sizeof shape};
    (void)nothing;
    linpred_data_shape(handle(self), &shape);
    return Py_BuildValue(
        "{s:L,s:i,s:L,s:O,s:L,s:L,s:L,s:d,s:d,s:O,s:O,s:L,s:L,s:L}", "rows", (long long)shape.rows, "columns",
        (int)shape.columns, "entries", (long long)shape.entries, "sparse", shape.sparse ? Py_True : Py_False,
        "rows_in_file", (long long)shape.rows_in_file, "dropped_missing", (long long)shape.dropped_missing,
        "dropped_weightless", (long long)shape.dropped_weightless, "weight", shape.weight, "positive", shape.positive,
        "weighted", shape.weighted ? Py_True : Py_False, "whole_weights", shape.whole_weights ? Py_True : Py_False,
        "dropped_unknown", (long long)shape.dropped_unknown, "filled_missing", (long long)shape.filled_missing,
        "unknown_as_zero", (long long)shape.unknown_as_zero);
}

static PyObject *data_features(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    PyObject *list = PyList_New(0);
    for (int32_t j = 0; list && j < linpred_data_columns(handle(self)); j++) {
        PyObject *name = text_or_none(linpred_data_feature(handle(self), j));
        if (!name || PyList_Append(list, name) != 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

/* (target, label -1, label +1); the labels of a regression are None. */
static PyObject *data_names(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return Py_BuildValue("(NNN)", text_or_none(linpred_data_target(handle(self))),
                         text_or_none(linpred_data_label(handle(self), -1)),
                         text_or_none(linpred_data_label(handle(self), +1)));
}

/* A list of (kind, sentence, column, count, line). */
static PyObject *remarks(const linpred_data *data, bool (*get)(const linpred_data *, size_t, linpred_note *))
{
    linpred_note note = {.struct_size = sizeof note};
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && get(data, i, &note); i++) {
        PyObject *remark = Py_BuildValue("(sszLL)", note.kind, note.sentence, note.column, (long long)note.count,
                                         (long long)note.line);
        if (!remark || PyList_Append(list, remark) != 0)
            Py_CLEAR(list);
        Py_XDECREF(remark);
    }
    return list;
}

static PyObject *data_notes(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return remarks(handle(self), linpred_data_note);
}

static PyObject *data_warnings(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return remarks(handle(self), linpred_data_warning);
}

/* Fills an array of rows x columns doubles, one of the labels, and one of 64-bit integers with the 1-based row of the
   file that each row is. */
static PyObject *data_fill(PyObject *self, PyObject *arguments)
{
    PyObject *arrays[3];
    Py_buffer view[3];
    int held = 0;
    const linpred_data *data = handle(self);
    int64_t rows = linpred_data_rows(data), columns = linpred_data_columns(data);
    const int64_t bytes[3] = {rows * columns * 8, rows * 8, rows * 8};
    if (!PyArg_ParseTuple(arguments, "OOO", &arrays[0], &arrays[1], &arrays[2]))
        return NULL;
    while (held < 3 && PyObject_GetBuffer(arrays[held], &view[held], PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) == 0)
        held++;
    for (int i = 0; i < held && !PyErr_Occurred(); i++)
        if (view[i].len != bytes[i])
            PyErr_SetString(PyExc_ValueError, "the arrays do not have the shape of the data");
    if (!PyErr_Occurred()) {
        double *values = view[0].buf, *labels = view[1].buf;
        int64_t *source = view[2].buf;
        Py_BEGIN_ALLOW_THREADS for (int64_t i = 0; i < rows; i++)
        {
            source[i] = linpred_data_source_row(data, i);
            linpred_data_row(data, source[i], values + i * columns, labels + i);
        }
        Py_END_ALLOW_THREADS
    }
    while (held > 0)
        PyBuffer_Release(&view[--held]);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef data_look_methods[] = {{"shape", data_shape, METH_NOARGS, "Counts of rows and columns, as a dict."},
                                   {"features", data_features, METH_NOARGS, "The names of the features."},
                                   {"names", data_names, METH_NOARGS, "The names of target and labels."},
                                   {"notes", data_notes, METH_NOARGS, "How features and labels are made."},
                                   {"warnings", data_warnings, METH_NOARGS, "What is probably not meant."},
                                   {"fill", data_fill, METH_VARARGS, "Copy rows, labels and row numbers into arrays."},
                                   {NULL, NULL, 0, NULL}};
