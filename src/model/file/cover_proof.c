/* Writes and reads the parts "subsets" and "tree" of a claim, each entry on its own line. */
#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "model/file/file.h"

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void put_counts(linpred__text *text, const char *key, const int64_t *value, int64_t count, int64_t add)
{
    linpred__text_format(text, "\"%s\": [", key);
    for (int64_t i = 0; i < count; i++)
        linpred__text_format(text, "%s%" PRId64, i > 0 ? ", " : "", value[i] + add);
    linpred__text_add(text, "]");
}

static void put_subset(linpred__text *text, const linpred__combination *subset)
{
    linpred__text_add(text, "{");
    put_counts(text, "rows", subset->row, subset->count, 0);
    linpred__text_add(text, ", \"weights\": [");
    for (int64_t i = 0; i < subset->count; i++) {
        linpred__text_add(text, i > 0 ? ", " : "");
        linpred__text_string(text, subset->weight[i]);
    }
    linpred__text_add(text, "]}");
}

static void put_node(linpred__text *text, const linpred__node *node)
{
    if (node->row > 0)
        linpred__text_format(text, "{\"row\": %" PRId64 ", ", node->row);
    else
        linpred__text_add(text, "{\"row\": null, ");
    put_counts(text, "subsets", node->subset, node->count, 1);
    linpred__text_add(text, ", \"multipliers\": [");
    for (int64_t i = 0; i < node->count; i++) {
        linpred__text_add(text, i > 0 ? ", " : "");
        linpred__text_number(text, node->multiplier[i]);
    }
    linpred__text_add(text, "]}");
}

void linpred__file_put_cover_proof(linpred__text *text, const linpred__cover_proof *search)
{
    linpred__text_add(text, ",\n      \"subsets\": [");
    for (int64_t s = 0; s < search->subsets; s++) {
        linpred__text_add(text, s > 0 ? ",\n        " : "\n        ");
        put_subset(text, &search->subset[s]);
    }
    linpred__text_add(text, "],\n      \"tree\": [");
    for (int64_t k = 0; k < search->nodes; k++) {
        linpred__text_add(text, k > 0 ? ",\n        " : "\n        ");
        put_node(text, &search->node[k]);
    }
    linpred__text_add(text, "]");
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void read_subset(linpred__fields *fields, const json_t *object, int64_t entry, size_t digits,
                        linpred__combination *subset)
{
    static const char *const keys[] = {"rows", "weights", NULL};
    linpred__fields_enter(fields, object, "subsets", entry, keys);
    const json_t *rows = linpred__field_array(fields, "rows");
    const json_t *weights = linpred__field_array(fields, "weights");
    size_t count = json_array_size(rows);
    if (fields->status == LINPRED_OK && (count == 0 || json_array_size(weights) != count))
        linpred__fields_refuse(fields, "weights", "must be as many as 'rows', and not none");
    if (fields->status == LINPRED_OK && !linpred__combination_open(subset, (int64_t)count))
        linpred__fields_no_memory(fields);
    for (size_t i = 0; fields->status == LINPRED_OK && i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        const char *weight = json_string_value(json_array_get(weights, i));
        subset->row[i] = (int64_t)json_integer_value(row);
        if (!json_is_integer(row) || subset->row[i] <= (i > 0 ? subset->row[i - 1] : 0)) {
            linpred__fields_refuse(fields, "rows", "must be whole numbers from 1 up, ascending");
        } else if (!weight || !linpred__file_is_integer(weight, false, digits) || weight[0] == '0') {
            linpred__fields_refuse(
                fields, "weights",
                "must be positive integers in strings, no longer than witnesses of these columns can be");
        } else {
            subset->weight[i] = linpred__copy_text(weight, strlen(weight));
            if (!subset->weight[i])
                linpred__fields_no_memory(fields);
        }
    }
}

static void read_node(linpred__fields *fields, const json_t *object, int64_t entry, int64_t known, linpred__node *node)
{
    static const char *const keys[] = {"row", "subsets", "multipliers", NULL};
    linpred__fields_enter(fields, object, "tree", entry, keys);
    int64_t row = linpred__field_count(fields, "row", LINPRED__NULL_ALLOWED);
    const json_t *subsets = linpred__field_array(fields, "subsets");
    const json_t *multipliers = linpred__field_array(fields, "multipliers");
    size_t count = json_array_size(subsets);
    node->row = row < 0 ? 0 : row;
    if (row == 0)
        linpred__fields_refuse(fields, "row", "must be a row from 1 up, or null");
    if (json_array_size(multipliers) != count || (row > 0 && count > 0))
        linpred__fields_refuse(fields, "multipliers", "must be as many as 'subsets', and none where 'row' is not null");
    if (fields->status == LINPRED_OK && !linpred__node_multipliers(node, (int64_t)count))
        linpred__fields_no_memory(fields);
    for (size_t i = 0; fields->status == LINPRED_OK && i < count; i++) {
        const json_t *subset = json_array_get(subsets, i), *multiplier = json_array_get(multipliers, i);
        node->subset[i] = (int64_t)json_integer_value(subset) - 1;
        node->multiplier[i] = json_number_value(multiplier);
        if (!json_is_integer(subset) || node->subset[i] >= known ||
            node->subset[i] <= (i > 0 ? node->subset[i - 1] : -1))
            linpred__fields_refuse(fields, "subsets", "must be places in 'subsets', ascending");
        else if (!json_is_number(multiplier) || !(node->multiplier[i] > 0))
            linpred__fields_refuse(fields, "multipliers", "must be positive numbers");
    }
}

void linpred__file_cover_proof(linpred__fields *fields, const json_t *subsets, const json_t *tree, size_t digits,
                               linpred__cover_proof *search)
{
    int64_t awaited = 1; /* nodes of the present tree that must still follow */
    if (fields->status == LINPRED_OK && (!linpred__cover_proof_subsets(search, (int64_t)json_array_size(subsets)) ||
                                         !linpred__cover_proof_nodes(search, (int64_t)json_array_size(tree))))
        linpred__fields_no_memory(fields);
    for (int64_t s = 0; fields->status == LINPRED_OK && s < search->subsets; s++)
        read_subset(fields, json_array_get(subsets, (size_t)s), s + 1, digits, &search->subset[s]);
    for (int64_t k = 0; fields->status == LINPRED_OK && k < search->nodes; k++) {
        read_node(fields, json_array_get(tree, (size_t)k), k + 1, search->subsets, &search->node[k]);
        awaited += search->node[k].row > 0 ? 1 : -1;
        if (awaited > 0 && k + 1 == search->nodes)
            linpred__fields_refuse(fields, NULL, "is not where it should be: a row is followed by its two branches");
        awaited = awaited == 0 ? 1 : awaited; /* another tree begins */
    }
}
