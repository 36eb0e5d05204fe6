/* Data: rows of arrays, of tables in memory, of files. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *data_type;

static data_object *new_data(void)
{
    data_object *self = PyObject_New(data_object, data_type);
    if (self) {
        self->data = NULL;
        self->views = 0;
    }
    return self;
}

static void data_dealloc(PyObject *object)
{
    data_object *self = (data_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    linpred_data_free(self->data);
    while (self->views > 0)
        PyBuffer_Release(&self->view[--self->views]);
    PyObject_Free(object);
    Py_DECREF(type);
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

/* Borrows an array of `dimensions`, whose items have this format and stand side by side in a row. NULL: an exception is
   set. */
static Py_buffer *borrow(data_object *self, PyObject *array, const char *formats, int dimensions, const char *what)
{
    Py_buffer *view = &self->view[self->views];
    if (PyObject_GetBuffer(array, view, PyBUF_STRIDES | PyBUF_FORMAT) != 0)
        return NULL;
    self->views++;
    const char *format = view->format ? view->format : "B";
    if (strchr("@=", *format) && *format)
        format++;
    if (strlen(format) != 1 || !strchr(formats, *format) || view->ndim != dimensions) {
        PyErr_Format(PyExc_ValueError, "%s must be an array of %d dimension(s) of another type", what, dimensions);
        return NULL;
    }
    Py_ssize_t last = dimensions - 1;
    if (view->shape[last] > 1 && view->strides[last] != view->itemsize) {
        PyErr_Format(PyExc_ValueError, "%s must hold its items side by side", what);
        return NULL;
    }
    return view;
}

/* Names as an array of pointers into the strs of a list, to be freed; NULL: None was given, or an exception is set. */
static const char **names_of(PyObject *list, Py_ssize_t expected)
{
    if (list == Py_None)
        return NULL;
    Py_ssize_t count = PyList_Check(list) ? PyList_Size(list) : -1;
    if (count < 0 || (expected >= 0 && count != expected)) {
        PyErr_SetString(PyExc_ValueError, "a list with a name for each column is needed");
        return NULL;
    }
    const char **names = malloc((size_t)count * sizeof *names + 1);
    for (Py_ssize_t i = 0; names && i < count; i++) {
        names[i] = text_of(PyList_GetItem(list, i));
        if (!names[i]) {
            free(names);
            return NULL;
        }
    }
    if (!names)
        PyErr_NoMemory();
    return names;
}

/* Borrows labels or weights, one for each row; None: there are none. False: an exception is set. */
static bool borrow_column(data_object *self, PyObject *array, int64_t rows, const char *what, const double **out)
{
    if (array == Py_None)
        return true;
    Py_buffer *view = borrow(self, array, "d", 1, what);
    if (!view)
        return false;
    if (view->shape[0] != rows) {
        PyErr_Format(PyExc_ValueError, "%s has %zd entries, but there are %lld rows", what, view->shape[0],
                     (long long)rows);
        return false;
    }
    *out = view->buf;
    return true;
}

/* What people call the columns, the target and the labels, in a tuple (names, target, negative, positive). */
static bool take_names(PyObject *called, linpred_arrays *arrays, const char ***names)
{
    PyObject *columns, *text[3];
    if (!PyArg_ParseTuple(called, "OOOO", &columns, &text[0], &text[1], &text[2]))
        return false;
    const char *texts[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++)
        if (text[i] != Py_None && !(texts[i] = text_of(text[i])))
            return false;
    *names = names_of(columns, arrays->columns);
    if (PyErr_Occurred())
        return false;
    arrays->names = *names;
    arrays->target = texts[0];
    arrays->label[0] = texts[1];
    arrays->label[1] = texts[2];
    return true;
}

static linpred_status run_from_arrays(job_work *work, linpred_error *error)
{
    return linpred_data_from_arrays(work->input[0], &work->data, error);
}

/* Makes the data; takes `self` over, also on failure. The check of all values is quick work. */
static PyObject *finish_arrays(data_object *self, linpred_arrays *arrays, PyObject *labels, PyObject *weights,
                               PyObject *called)
{
    const char **names = NULL;
    job_work work = {.run = run_from_arrays, .input = {arrays}};
    bool ok = borrow_column(self, labels, arrays->rows, "y", &arrays->labels) &&
              borrow_column(self, weights, arrays->rows, "sample_weight", &arrays->weights) &&
              take_names(called, arrays, &names) && run_job(&work, true, NULL);
    free(names);
    if (!ok) {
        Py_DECREF((PyObject *)self);
        return NULL;
    }
    self->data = work.data;
    return (PyObject *)self;
}

static PyObject *data_from_arrays(PyObject *type, PyObject *arguments)
{
    PyObject *values, *labels, *weights, *called;
    (void)type;
    if (!PyArg_ParseTuple(arguments, "OOOO", &values, &labels, &weights, &called))
        return NULL;
    data_object *self = new_data();
    Py_buffer *view = self ? borrow(self, values, "d", 2, "X") : NULL;
    if (!view) {
        Py_XDECREF((PyObject *)self);
        return NULL;
    }
    linpred_arrays arrays = {.struct_size = sizeof arrays,
                             .rows = view->shape[0],
                             .columns = (int32_t)view->shape[1],
                             .values = view->buf,
                             .stride = view->shape[0] > 1 ? view->strides[0] / view->itemsize : 0};
    if (view->shape[1] > INT32_MAX || (view->shape[0] > 1 && view->strides[0] % view->itemsize != 0)) {
        PyErr_SetString(PyExc_ValueError, "X has too many columns, or its rows are not aligned");
        Py_DECREF((PyObject *)self);
        return NULL;
    }
    return finish_arrays(self, &arrays, labels, weights, called);
}

static PyObject *data_from_sparse(PyObject *type, PyObject *arguments)
{
    PyObject *values, *indices, *start, *labels, *weights, *called;
    int columns;
    (void)type;
    if (!PyArg_ParseTuple(arguments, "OOOiOOO", &values, &indices, &start, &columns, &labels, &weights, &called))
        return NULL;
    data_object *self = new_data();
    Py_buffer *value = self ? borrow(self, values, "d", 1, "the values of X") : NULL;
    Py_buffer *index = value ? borrow(self, indices, "i", 1, "the indices of X") : NULL;
    Py_buffer *from = index ? borrow(self, start, "ql", 1, "the row starts of X") : NULL;
    bool ok = from && from->shape[0] > 0;
    if (ok) {
        const int64_t *starts = from->buf;
        ok = starts[from->shape[0] - 1] <= value->shape[0] && value->shape[0] <= index->shape[0];
    }
    if (!ok) {
        if (from)
            PyErr_SetString(PyExc_ValueError, "the arrays of the sparse X do not fit together");
        Py_XDECREF((PyObject *)self);
        return NULL;
    }
    linpred_arrays arrays = {.struct_size = sizeof arrays,
                             .rows = from->shape[0] - 1,
                             .columns = columns,
                             .values = value->buf,
                             .start = from->buf,
                             .indices = index->buf};
    return finish_arrays(self, &arrays, labels, weights, called);
}

/* ---- tables in memory -------------------------------------------------------------------------------------------- */

/* A table as the library wants it, in one piece of memory apart from its levels. */
typedef struct memory_table {
    linpred_frame table;
    const linpred_frame_column **pointer;
    linpred_frame_column *column;
    const char ***levels;
    Py_buffer *view;
    Py_ssize_t columns;
    Py_ssize_t views;
} memory_table;

static void clear_table(memory_table *made)
{
    for (Py_ssize_t c = 0; made->levels && c < made->columns; c++)
        free(made->levels[c]);
    for (Py_ssize_t c = 0; c < made->views; c++)
        PyBuffer_Release(&made->view[c]);
    free(made->levels);
    free(made->pointer);
    free(made->column);
    free(made->view);
}

/* A column of the list: (name, array of doubles, levels or None). */
static bool take_column(memory_table *made, Py_ssize_t c, PyObject *item)
{
    PyObject *name, *array, *levels;
    linpred_frame_column *column = &made->column[c];
    if (!PyArg_ParseTuple(item, "OOO", &name, &array, &levels) || !(column->name = text_of(name)) ||
        PyObject_GetBuffer(array, &made->view[c], PyBUF_STRIDES | PyBUF_FORMAT) != 0)
        return false;
    const Py_buffer *view = &made->view[made->views++];
    column->struct_size = sizeof *column;
    made->pointer[c] = column;
    if (view->ndim != 1 || !view->format || strcmp(view->format, "d") != 0 || view->shape[0] != made->table.rows ||
        (view->shape[0] > 1 && (view->strides[0] <= 0 || view->strides[0] % view->itemsize != 0))) {
        PyErr_SetString(PyExc_ValueError, "a column of a table must be an array of doubles, one for each row");
        return false;
    }
    column->values = view->buf;
    column->stride = view->shape[0] > 1 ? view->strides[0] / view->itemsize : 1;
    if (levels == Py_None)
        return true;
    made->levels[c] = names_of(levels, -1);
    column->levels = made->levels[c];
    column->level_count = made->levels[c] ? (int32_t)PyList_Size(levels) : 0;
    return made->levels[c] != NULL;
}

static bool make_table(memory_table *made, const char *name, Py_ssize_t rows, PyObject *columns)
{
    made->columns = PyList_Size(columns);
    size_t count = made->columns > 0 ? (size_t)made->columns : 1;
    made->pointer = calloc(count, sizeof *made->pointer);
    made->column = calloc(count, sizeof *made->column);
    made->levels = calloc(count, sizeof *made->levels);
    made->view = calloc(count, sizeof *made->view);
    made->table = (linpred_frame){.struct_size = sizeof made->table,
                                  .name = name,
                                  .rows = rows,
                                  .columns = (int32_t)made->columns,
                                  .column = made->pointer};
    if (!made->pointer || !made->column || !made->levels || !made->view) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t c = 0; c < made->columns; c++)
        if (!take_column(made, c, PyList_GetItem(columns, c)))
            return false;
    return true;
}

static linpred_status run_from_table(job_work *work, linpred_error *error)
{
    const linpred_model *model = work->input[1];
    return model ? linpred_data_from_frame_for(model, work->input[0], work->flag, work->options, &work->data, error)
                 : linpred_data_from_frame(work->input[0], work->options, &work->data, error);
}

/* The model of a result, or NULL for None. */
static const linpred_model *model_of(PyObject *result)
{
    return result == Py_None ? NULL : linpred_result_model(((result_object *)result)->result);
}

static bool is_result(PyObject *result)
{
    if (result == Py_None || PyObject_TypeCheck(result, result_type))
        return true;
    PyErr_SetString(PyExc_TypeError, "a result is needed");
    return false;
}

static PyObject *data_from_table(PyObject *type, PyObject *arguments)
{
    PyObject *columns, *options, *result;
    const char *name;
    Py_ssize_t rows;
    int labels;
    (void)type;
    if (!PyArg_ParseTuple(arguments, "snO!O!Op", &name, &rows, &PyList_Type, &columns, &PyDict_Type, &options, &result,
                          &labels) ||
        !is_result(result))
        return NULL;
    memory_table made = {0};
    data_object *self = new_data();
    job_work work = {.run = run_from_table, .hold = {result}, .flag = labels, .input = {&made.table, model_of(result)}};
    /* The work is quick: it cannot be left behind, so the table may live here. */
    bool ok = self && make_table(&made, name, rows, columns) && (work.options = make_options(options)) != NULL &&
              run_job(&work, true, NULL);
    clear_table(&made);
    if (!ok) {
        Py_XDECREF((PyObject *)self);
        return NULL;
    }
    self->data = work.data;
    return (PyObject *)self;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static linpred_status run_load(job_work *work, linpred_error *error)
{
    const linpred_model *model = work->input[1];
    return model ? linpred_data_load_for(model, work->owned, work->flag, work->options, &work->data, error)
                 : linpred_data_load(work->owned, work->options, &work->data, error);
}

static PyObject *data_load(PyObject *type, PyObject *arguments)
{
    PyObject *options, *result;
    const char *path;
    int labels;
    (void)type;
    if (!PyArg_ParseTuple(arguments, "sO!Op", &path, &PyDict_Type, &options, &result, &labels) || !is_result(result))
        return NULL;
    data_object *self = new_data();
    job_work work = {.run = run_load, .hold = {result}, .flag = labels, .input = {NULL, model_of(result)}};
    work.options = self ? make_options(options) : NULL;
    work.owned = work.options ? strdup(path) : NULL;
    if (!work.options || !run_job(&work, false, NULL)) {
        Py_XDECREF((PyObject *)self);
        return NULL;
    }
    self->data = work.data;
    return (PyObject *)self;
}

/* ---- the type ---------------------------------------------------------------------------------------------------- */

static PyMethodDef makers[] = {
    {"data_from_arrays", data_from_arrays, METH_VARARGS, "Rows of a C-order array, borrowed."},
    {"data_from_sparse", data_from_sparse, METH_VARARGS, "Rows in compressed form, borrowed."},
    {"data_from_table", data_from_table, METH_VARARGS, "Columns of numbers and text, copied."},
    {"data_load", data_load, METH_VARARGS, "Rows of a file."},
    {NULL, NULL, 0, NULL}};

PyTypeObject *make_data_type(PyObject *module)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, data_dealloc}, {Py_tp_methods, data_look_methods}, {0, NULL}};
    PyType_Spec spec = {"linpred._core.Data", sizeof(data_object), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    data_type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (!data_type || PyModule_AddObjectRef(module, "Data", (PyObject *)data_type) != 0)
        return NULL;
    return PyModule_AddFunctions(module, makers) == 0 ? data_type : NULL;
}
