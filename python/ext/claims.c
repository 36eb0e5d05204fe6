/* The claims of a result, each as a dict: its kind, its sentence and its witness. */
#include "core.h"

/* A list of `count` integers of any length, from decimal text. */
static PyObject *whole_numbers(const linpred_result *result, size_t claim, int64_t count)
{
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list; i++) {
        const char *text = count < 0 || i < count ? linpred_result_claim_integer(result, claim, i) : NULL;
        PyObject *number = text ? PyLong_FromString(text, NULL, 10) : NULL;
        if (!text)
            break;
        if (!number || PyList_Append(list, number) != 0)
            Py_CLEAR(list);
        Py_XDECREF(number);
    }
    return list;
}

static PyObject *multipliers(const linpred_result *result, size_t claim, int64_t count)
{
    double *numbers = PyMem_Malloc((size_t)count * sizeof *numbers + 1);
    if (!numbers)
        return PyErr_NoMemory();
    for (int64_t i = 0; i < count; i++)
        numbers[i] = linpred_result_claim_multiplier(result, claim, i, NULL);
    PyObject *bytes = doubles(numbers, (Py_ssize_t)count);
    PyMem_Free(numbers);
    return bytes;
}

/* Inseparable subsets: a list of pairs, rows and integers. */
static PyObject *subsets(const linpred_result *result, size_t claim)
{
    PyObject *list = PyList_New(0);
    for (int64_t s = 0; list && s < linpred_result_claim_subsets(result, claim); s++) {
        const int64_t *rows = NULL;
        int64_t count = linpred_result_claim_subset_rows(result, claim, s, &rows);
        PyObject *weights = PyList_New(0);
        for (int64_t i = 0; weights && i < count; i++) {
            PyObject *number = PyLong_FromString(linpred_result_claim_subset_integer(result, claim, s, i), NULL, 10);
            if (!number || PyList_Append(weights, number) != 0)
                Py_CLEAR(weights);
            Py_XDECREF(number);
        }
        PyObject *pair = weights ? Py_BuildValue("(NN)", integers(rows, (Py_ssize_t)count), weights) : NULL;
        if (!pair || PyList_Append(list, pair) != 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

/* The tree over the subsets: a list of (row, subsets, multipliers); row 0 is a leaf. */
static PyObject *nodes(const linpred_result *result, size_t claim)
{
    PyObject *list = PyList_New(0);
    for (int64_t n = 0; list && n < linpred_result_claim_nodes(result, claim); n++) {
        const int64_t *of = NULL;
        const double *multiplier = NULL;
        int64_t count = linpred_result_claim_node_subsets(result, claim, n, &of, &multiplier);
        PyObject *node = Py_BuildValue("(LNN)", (long long)linpred_result_claim_node_row(result, claim, n),
                                       integers(of, (Py_ssize_t)count), doubles(multiplier, (Py_ssize_t)count));
        if (!node || PyList_Append(list, node) != 0)
            Py_CLEAR(list);
        Py_XDECREF(node);
    }
    return list;
}

static PyObject *dependency_vectors(const linpred_result *result)
{
    PyObject *list = PyList_New(0);
    Py_ssize_t length = linpred_model_columns(linpred_result_model(result)) + 1;
    for (size_t i = 0; list && i < linpred_result_dependency_count(result); i++) {
        PyObject *vector = doubles(linpred_result_dependency_vector(result, i), length);
        if (!vector || PyList_Append(list, vector) != 0)
            Py_CLEAR(list);
        Py_XDECREF(vector);
    }
    return list;
}

/* Adds the entries that the shape of the witness has. */
static bool put_witness(PyObject *dict, const linpred_result *result, size_t claim, linpred_witness shape)
{
    const int64_t *rows = NULL;
    const double *numbers = NULL;
    bool ok = true;
    int64_t count = linpred_result_claim_rows(result, claim, &rows);
    int32_t length = linpred_result_claim_numbers(result, claim, &numbers);
    if (shape == LINPRED_WITNESS_FINGERPRINT)
        ok = put(dict, "fingerprint", PyLong_FromUnsignedLongLong(linpred_result_claim_fingerprint(result, claim)));
    if (count > 0)
        ok = ok && put(dict, "rows", integers(rows, (Py_ssize_t)count));
    if (shape == LINPRED_WITNESS_COMBINATION)
        ok = ok && put(dict, "integers", whole_numbers(result, claim, count));
    if (shape == LINPRED_WITNESS_DIRECTION)
        ok = ok && put(dict, "integers", whole_numbers(result, claim, -1));
    if (count > 0 && (shape == LINPRED_WITNESS_SUPPORT || shape == LINPRED_WITNESS_MARGIN))
        ok = ok && put(dict, "multipliers", multipliers(result, claim, count));
    if (length > 0)
        ok = ok && put(dict, "numbers", doubles(numbers, length));
    if (shape == LINPRED_WITNESS_COVER)
        ok = ok && put(dict, "subsets", subsets(result, claim)) && put(dict, "nodes", nodes(result, claim));
    if (shape == LINPRED_WITNESS_DEPENDENCIES)
        ok = ok && put(dict, "vectors", dependency_vectors(result));
    return ok;
}

PyObject *claims_of(const linpred_result *result)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < linpred_result_claim_count(result); i++) {
        linpred_claim_kind kind = linpred_result_claim_kind(result, i);
        PyObject *dict = PyDict_New();
        bool ok = dict && put(dict, "kind", text_or_none(linpred_claim_name(kind))) &&
                  put(dict, "main", PyBool_FromLong(linpred_result_claim_is_main(result, i))) &&
                  put(dict, "sentence", text_or_none(linpred_result_claim_sentence(result, i))) &&
                  put_witness(dict, result, i, linpred_claim_witness(kind));
        if (!ok || PyList_Append(list, dict) != 0)
            Py_CLEAR(list);
        Py_XDECREF(dict);
    }
    return list;
}
