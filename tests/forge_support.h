/* Forging model files: every number of a saved model is changed in turn, and taken away; the file is then refused, or
 * the verifier refutes it. */
#ifndef LINPRED_TESTS_FORGE_SUPPORT_H
#define LINPRED_TESTS_FORGE_SUPPORT_H

#include <jansson.h>

#include "fit_support.h"

typedef struct forgery_state {
    const linpred_data *data;
    const char *const *exempt; /* keys that are no claims about the rows, closed by NULL */
    double change;             /* of a number, relative */
    bool nulls;                /* numbers are also taken away, and stated where there are none */
    json_t *root;
    char key[64]; /* of the number at hand, for messages */
    int64_t tried;
} forgery_state;

static inline bool forgery_is_exempt(const forgery_state *forgery, const char *key)
{
    for (int i = 0; forgery->exempt[i]; i++)
        if (strcmp(forgery->exempt[i], key) == 0)
            return true;
    return false;
}

/* The model as it is now must be refused or refuted. */
static inline void forgery_try(forgery_state *forgery)
{
    linpred_result *result = NULL;
    char *text = json_dumps(forgery->root, JSON_INDENT(1) | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY);
    assert_non_null(text);
    linpred_status status = linpred_result_from_text(text, strlen(text), true, &result, NULL);
    forgery->tried++;
    if (status == LINPRED_OK) {
        checked check;
        linpred_error error = {.message = ""};
        if (verify_result(result, forgery->data, 1, &check, &error) != LINPRED_OK)
            fail_msg("%s: %s", forgery->key, error.message);
        if (check.verdict != LINPRED_REFUTED) {
            print_message("%s\n", text);
            fail_msg("%s: %s: %s", forgery->key, linpred_verdict_name(check.verdict), check.finding);
        }
    } else {
        assert_int_equal(status, LINPRED_ERROR_INPUT);
    }
    linpred_result_free(result);
    free(text);
}

/* Other values in place of one; each is tried. `other` is filled, the count answered. */
static inline int forgery_others(const forgery_state *forgery, const json_t *value, json_t *other[3])
{
    int count = 0;
    bool gap = strcmp(forgery->key, "gap") == 0; /* a bound: a slightly larger one is true as well */
    if (gap && json_is_number(value)) {
        other[count++] = json_real(-1e-3);
        other[count++] = json_real(0.5);
    }
    bool bound = strstr(forgery->key, "margin_bound") != NULL; /* only a smaller bound is a lie */
    double factor = bound ? 1.0 - forgery->change : 1.0 + forgery->change;
    if (json_is_real(value) && !gap)
        other[count++] = json_real(json_real_value(value) * factor + (json_real_value(value) == 0.0 ? 0.5 : 0.0));
    if (json_is_integer(value) && !gap) {
        other[count++] = json_integer(json_integer_value(value) + 1);
        other[count++] = json_integer(json_integer_value(value) - 1);
    }
    if (json_is_number(value) && forgery->nulls)
        other[count++] = json_null();
    if (json_is_null(value) && forgery->nulls)
        other[count++] = json_integer(1);
    if (json_is_boolean(value))
        other[count++] = json_boolean(!json_is_true(value));
    return count;
}

/* States each figure that a claim does not state. */
static inline void forge_more_figures(forgery_state *forgery, json_t *figures)
{
    static const char *const names[] = {
#define LINPRED_FIGURE_NUMBER(name, claims, meaning) sizeof(claims) == 1 ? NULL : #name,
#define LINPRED_FIGURE_COUNT(name, claims, meaning) sizeof(claims) == 1 ? NULL : #name,
#include "linpred/figures.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!names[i] || json_object_get(figures, names[i]) || forgery_is_exempt(forgery, names[i]))
            continue;
        snprintf(forgery->key, sizeof forgery->key, "%s", names[i]);
        json_object_set_new(figures, names[i], json_integer(1));
        forgery_try(forgery);
        json_object_del(figures, names[i]);
    }
}

static inline void forge_inside(forgery_state *forgery, json_t *node, const char *key)
{
    const char *name;
    json_t *value, *other[3];
    size_t i;
    snprintf(forgery->key, sizeof forgery->key, "%s", key);
    if (json_is_array(node))
        json_array_foreach(node, i, value)
        {
            int count = forgery_others(forgery, value, other);
            json_incref(value);
            for (int k = 0; k < count; k++) {
                json_array_set_new(node, i, other[k]);
                forgery_try(forgery);
            }
            json_array_set_new(node, i, value);
            forge_inside(forgery, value, key);
        }
    if (json_is_object(node))
        json_object_foreach(node, name, value)
        {
            if (forgery_is_exempt(forgery, name))
                continue;
            snprintf(forgery->key, sizeof forgery->key, "%s", name);
            int count = forgery_others(forgery, value, other);
            json_incref(value);
            for (int k = 0; k < count; k++) {
                json_object_set_new(node, name, other[k]);
                forgery_try(forgery);
            }
            json_object_set_new(node, name, value);
            forge_inside(forgery, value, name);
            if (strcmp(name, "figures") == 0 && forgery->nulls)
                forge_more_figures(forgery, value);
        }
}

/* All numbers of the result's file; answers how many forgeries were tried. */
static inline int64_t forge_every_number(const linpred_result *result, const linpred_data *data,
                                         const char *const *exempt, double change, bool nulls)
{
    forgery_state forgery = {.data = data, .exempt = exempt, .change = change, .nulls = nulls};
    char *text = NULL;
    size_t bytes = 0;
    assert_int_equal(linpred_result_to_text(result, &text, &bytes, NULL), LINPRED_OK);
    forgery.root = json_loadb(text, bytes, 0, NULL);
    assert_non_null(forgery.root);
    linpred_text_free(text);
    forge_inside(&forgery, forgery.root, "");
    json_decref(forgery.root);
    return forgery.tried;
}

#endif
