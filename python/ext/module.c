/* The module linpred._core. */
#include "core.h"

static PyObject *figure_meaning(PyObject *module, PyObject *name)
{
    const char *text = text_of(name);
    (void)module;
    return text ? text_or_none(linpred_figure_meaning(text)) : NULL;
}

static PyObject *library_version(PyObject *module, PyObject *nothing)
{
    (void)module;
    (void)nothing;
    return PyUnicode_FromString(linpred_version());
}

static PyMethodDef methods[] = {{"figure_meaning", figure_meaning, METH_O, "What a figure means, as a phrase."},
                                {"version", library_version, METH_NOARGS, "The version of the library."},
                                {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "linpred._core",
                                        .m_doc = "The library as Python sees it; linpred itself is the interface.",
                                        .m_size = -1, .m_methods = methods};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (!module || PyModule_AddFunctions(module, call_methods) != 0 || !make_data_type(module) ||
        !make_result_type(module))
        Py_CLEAR(module);
    return module;
}
