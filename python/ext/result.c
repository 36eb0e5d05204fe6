/* A result: model, figures, claims, file. */
#include "core.h"

#include <math.h>

PyTypeObject *result_type;

PyObject *new_result(linpred_result *result)
{
    result_object *self = PyObject_New(result_object, result_type);
    if (self)
        self->result = result;
    else
        linpred_result_free(result);
    return (PyObject *)self;
}

static void result_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    linpred_result_free(((result_object *)object)->result);
    PyObject_Free(object);
    Py_DECREF(type);
}

static const linpred_result *handle(PyObject *self)
{
    return ((result_object *)self)->result;
}

/* ---- what it says ------------------------------------------------------------------------------------------------ */

static PyObject *result_info(PyObject *self, PyObject *nothing)
{
    const linpred_result *result = handle(self);
    const linpred_model *model = linpred_result_model(result);
    PyObject *dict = PyDict_New();
    (void)nothing;
    bool ok = dict && put(dict, "task", text_or_none(linpred_task_name(linpred_model_task(model)))) &&
              put(dict, "outcome", text_or_none(linpred_outcome_name(linpred_result_outcome(result)))) &&
              put(dict, "method", text_or_none(linpred_method_name(linpred_result_method(result)))) &&
              put(dict, "separation", text_or_none(linpred_separation_name(linpred_result_separation(result)))) &&
              put(dict, "reason", text_or_none(linpred_result_reason(result))) &&
              put(dict, "columns", PyLong_FromLong(linpred_model_columns(model))) &&
              put(dict, "has_intercept", PyBool_FromLong(linpred_model_has_intercept(model))) &&
              put(dict, "intercept", PyFloat_FromDouble(linpred_model_intercept(model))) &&
              put(dict, "target", text_or_none(linpred_model_target(model))) &&
              put(dict, "negative", text_or_none(linpred_model_label(model, -1))) &&
              put(dict, "positive", text_or_none(linpred_model_label(model, +1))) &&
              put(dict, "weights", text_or_none(linpred_model_weights(model))) &&
              put(dict, "absolute", PyBool_FromLong(linpred_model_loss(model) == LINPRED_LOSS_ABSOLUTE)) &&
              put(dict, "quantile", PyFloat_FromDouble(linpred_model_quantile(model))) &&
              put(dict, "degree", PyLong_FromLong(linpred_model_degree(model))) &&
              put(dict, "radius_squared", PyFloat_FromDouble(linpred_model_radius_squared(model))) &&
              put(dict, "inside", PyLong_FromLong(linpred_model_inside(model))) &&
              put(dict, "confidence", PyFloat_FromDouble(linpred_result_confidence(result))) &&
              put(dict, "no_standard_errors", text_or_none(linpred_result_no_standard_errors(result)));
    if (!ok)
        Py_CLEAR(dict);
    return dict;
}

/* The figures that are stated. */
static PyObject *result_figures(PyObject *self, PyObject *nothing)
{
    PyObject *dict = PyDict_New();
    (void)nothing;
    for (size_t i = 0; dict && i < linpred_figure_count(); i++) {
        const char *name = linpred_figure_name(i);
        double number = linpred_result_number(handle(self), name);
        if (isnan(number))
            continue;
        PyObject *value = linpred_figure_is_count(name) ? PyLong_FromLongLong(linpred_result_count(handle(self), name))
                                                        : PyFloat_FromDouble(number);
        if (!put(dict, name, value))
            Py_CLEAR(dict);
    }
    return dict;
}

static PyObject *result_coefficients(PyObject *self, PyObject *nothing)
{
    const linpred_model *model = linpred_result_model(handle(self));
    (void)nothing;
    return doubles(linpred_model_coefficients(model), linpred_model_columns(model));
}

static PyObject *result_features(PyObject *self, PyObject *nothing)
{
    const linpred_model *model = linpred_result_model(handle(self));
    PyObject *list = PyList_New(0);
    (void)nothing;
    for (int32_t j = 0; list && j < linpred_model_columns(model); j++) {
        PyObject *name = text_or_none(linpred_model_feature(model, j));
        if (!name || PyList_Append(list, name) != 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

/* A list of (name, value, standard error, t, p, low, high), the intercept last. */
static PyObject *result_table(PyObject *self, PyObject *nothing)
{
    linpred_coefficient c = {.struct_size = sizeof c};
    PyObject *list = PyList_New(0);
    (void)nothing;
    for (int32_t j = 0; list && linpred_result_coefficient(handle(self), j, &c); j++) {
        PyObject *row = Py_BuildValue("(sdddddd)", c.name, c.value, c.standard_error, c.t, c.p, c.low, c.high);
        if (!row || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *result_claims(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return claims_of(handle(self));
}

/* A list of (sentence, exact, column). */
static PyObject *result_dependencies(PyObject *self, PyObject *nothing)
{
    PyObject *list = PyList_New(0);
    (void)nothing;
    for (size_t i = 0; list && i < linpred_result_dependency_count(handle(self)); i++) {
        PyObject *row = Py_BuildValue("(sOs)", linpred_result_dependency_sentence(handle(self), i),
                                      linpred_result_dependency_is_exact(handle(self), i) ? Py_True : Py_False,
                                      linpred_result_dependency_column(handle(self), i));
        if (!row || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *result_option(PyObject *self, PyObject *flag)
{
    const char *name = text_of(flag);
    return name ? text_or_none(linpred_result_option(handle(self), name)) : NULL;
}

/* ---- its file ---------------------------------------------------------------------------------------------------- */

static PyObject *result_to_text(PyObject *self, PyObject *nothing)
{
    char *text = NULL;
    size_t bytes = 0;
    linpred_error error;
    (void)nothing;
    linpred_status status = linpred_result_to_text(handle(self), &text, &bytes, &error);
    if (status != LINPRED_OK)
        return fail_with(status, &error);
    PyObject *made = PyUnicode_FromStringAndSize(text, (Py_ssize_t)bytes);
    linpred_text_free(text);
    return made;
}

static PyObject *result_from_text(PyObject *module, PyObject *arguments)
{
    const char *text;
    Py_ssize_t bytes;
    int accept_edited;
    linpred_result *result = NULL;
    linpred_error error;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "s#p", &text, &bytes, &accept_edited))
        return NULL;
    linpred_status status = linpred_result_from_text(text, (size_t)bytes, accept_edited, &result, &error);
    return status == LINPRED_OK ? new_result(result) : fail_with(status, &error);
}

static PyObject *result_save(PyObject *self, PyObject *path)
{
    const char *name = text_of(path);
    linpred_error error;
    if (!name)
        return NULL;
    linpred_status status;
    Py_BEGIN_ALLOW_THREADS status = linpred_result_save(handle(self), name, &error);
    Py_END_ALLOW_THREADS if (status != LINPRED_OK) return fail_with(status, &error);
    Py_RETURN_NONE;
}

static PyObject *result_load(PyObject *module, PyObject *arguments)
{
    const char *path;
    int accept_edited;
    linpred_result *result = NULL;
    linpred_error error;
    linpred_status status;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "sp", &path, &accept_edited))
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = linpred_result_load(path, accept_edited, &result, &error);
    Py_END_ALLOW_THREADS return status == LINPRED_OK ? new_result(result) : fail_with(status, &error);
}

/* A copy, and what pickle keeps, is the text of the model file. */
static PyObject *result_reduce(PyObject *self, PyObject *nothing)
{
    PyObject *text = result_to_text(self, nothing);
    PyObject *module = text ? PyImport_ImportModule("linpred._core") : NULL;
    PyObject *maker = module ? PyObject_GetAttrString(module, "result_from_text") : NULL;
    PyObject *made = maker ? Py_BuildValue("(O(OO))", maker, text, Py_False) : NULL;
    Py_XDECREF(maker);
    Py_XDECREF(module);
    Py_XDECREF(text);
    return made;
}

/* ---- the type ---------------------------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"info", result_info, METH_NOARGS, "What the model is and how the fit ended, as a dict."},
    {"figures", result_figures, METH_NOARGS, "The figures that are stated, as a dict."},
    {"coefficients", result_coefficients, METH_NOARGS, "Bytes of doubles."},
    {"features", result_features, METH_NOARGS, "The names of the coefficients."},
    {"table", result_table, METH_NOARGS, "Coefficients with what is known of them."},
    {"claims", result_claims, METH_NOARGS, "Claims with their witnesses, as dicts."},
    {"dependencies", result_dependencies, METH_NOARGS, "Columns that others determine."},
    {"option", result_option, METH_O, "An option as the fit used it."},
    {"to_text", result_to_text, METH_NOARGS, "The text of the model file."},
    {"save", result_save, METH_O, "Write the model file."},
    {"__reduce__", result_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyMethodDef makers[] = {
    {"result_from_text", result_from_text, METH_VARARGS, "A result from the text of its file."},
    {"result_load", result_load, METH_VARARGS, "A result from its file."},
    {NULL, NULL, 0, NULL}};

PyTypeObject *make_result_type(PyObject *module)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, result_dealloc}, {Py_tp_methods, methods}, {0, NULL}};
    PyType_Spec spec = {"linpred._core.Result", sizeof(result_object), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    result_type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (!result_type || PyModule_AddObjectRef(module, "Result", (PyObject *)result_type) != 0)
        return NULL;
    return PyModule_AddFunctions(module, makers) == 0 ? result_type : NULL;
}
