/* The certificate of a model file: every witness of its kind, and all that the claim rests on is there. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "model/file.h"
#include "model/file_fields.h"

static const char *claim_word(int claim)
{
    return linpred__certificate_claim_name((linpred__certificate_claim)claim);
}

/* The longest integers that a certificate can need: determinants of columns + 2 rows of doubles, each worth 632 digits
   beside those of the sum, twice that for sums of witnesses. GMP must not be handed what no memory can hold. */
static size_t most_digits(const linpred_model *model)
{
    size_t digits = 1400 * ((size_t)model->columns + 3);
    return digits < 4000000 ? digits : 4000000;
}

bool linpred__file_is_integer(const char *text, bool signed_too, size_t most)
{
    text += signed_too && *text == '-';
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= most && text[digits] == '\0' && (text[0] != '0' || digits == 1);
}

/* The row of an entry: ascending, from 1 up. */
static int64_t read_row(linpred__fields *fields, int64_t before)
{
    int64_t row = linpred__field_count(fields, "row", LINPRED__REQUIRED);
    if (fields->status == LINPRED_OK && row <= before)
        linpred__fields_refuse(fields, "row", "must be above the one before");
    return row;
}

static void read_witness(linpred__fields *fields, const json_t *list, const linpred_model *model,
                         linpred__certificate *certificate)
{
    static const char *const keys[] = {"row", "weight", NULL};
    if (fields->status == LINPRED_OK && !linpred__certificate_witnesses(certificate, (int64_t)json_array_size(list)))
        linpred__fields_no_memory(fields);
    for (int64_t i = 0; fields->status == LINPRED_OK && i < certificate->witnesses; i++) {
        linpred__fields_enter(fields, json_array_get(list, (size_t)i), "witness", i + 1, keys);
        certificate->witness_row[i] = read_row(fields, i > 0 ? certificate->witness_row[i - 1] : 0);
        certificate->witness_weight[i] = linpred__field_copy(fields, "weight", LINPRED__REQUIRED);
        const char *weight = certificate->witness_weight[i];
        if (fields->status == LINPRED_OK &&
            (!linpred__file_is_integer(weight, false, most_digits(model)) || weight[0] == '0'))
            linpred__fields_refuse(
                fields, "weight",
                "must be a positive integer in a string, no longer than certificates of these columns can be");
    }
}

static void read_support(linpred__fields *fields, const json_t *list, linpred__certificate *certificate)
{
    static const char *const keys[] = {"row", "multiplier", "tail", NULL};
    bool duals = certificate->claim == LINPRED__CLAIM_LEAST_ABSOLUTE; /* these may have any sign */
    if (fields->status == LINPRED_OK && !linpred__certificate_supports(certificate, (int64_t)json_array_size(list)))
        linpred__fields_no_memory(fields);
    for (int64_t i = 0; fields->status == LINPRED_OK && i < certificate->supports; i++) {
        linpred__fields_enter(fields, json_array_get(list, (size_t)i), "support", i + 1, keys);
        certificate->support_row[i] = read_row(fields, i > 0 ? certificate->support_row[i - 1] : 0);
        certificate->multiplier[i] = linpred__field_number(fields, "multiplier", LINPRED__REQUIRED);
        certificate->tail[i] = linpred__field_number(fields, "tail", LINPRED__REQUIRED);
        if (fields->status == LINPRED_OK && !duals && !(certificate->multiplier[i] > 0))
            linpred__fields_refuse(fields, "multiplier", "must be positive");
    }
}

static void read_direction(linpred__fields *fields, const json_t *list, const linpred_model *model,
                           linpred__certificate *certificate)
{
    size_t count = json_array_size(list);
    size_t whole = (size_t)model->columns + (model->task == LINPRED_TASK_BALL ? 2 : model->has_intercept);
    if (fields->status == LINPRED_OK && count != 0 && count != whole)
        linpred__fields_refuse(fields, "direction", "must be empty, or have an entry for each coefficient");
    if (fields->status == LINPRED_OK && count > 0 && !linpred__certificate_directions(certificate, (int32_t)count))
        linpred__fields_no_memory(fields);
    for (int32_t i = 0; fields->status == LINPRED_OK && i < certificate->directions; i++) {
        const char *text = json_string_value(json_array_get(list, (size_t)i));
        if (!text || !linpred__file_is_integer(text, true, most_digits(model))) {
            linpred__fields_refuse(
                fields, "direction",
                "must hold integers in strings, no longer than certificates of these columns can be");
            return;
        }
        certificate->direction[i] = linpred__copy_text(text, strlen(text));
        if (!certificate->direction[i])
            linpred__fields_no_memory(fields);
    }
}

static void read_class_weights(linpred__fields *fields, linpred__certificate *certificate)
{
    const json_t *list = linpred__field_array(fields, "class_weights");
    for (size_t i = 0; i < 2; i++) {
        certificate->class_weight[i] = json_number_value(json_array_get(list, i));
        if (fields->status == LINPRED_OK && (json_array_size(list) != 2 || !json_is_number(json_array_get(list, i))))
            linpred__fields_refuse(fields, "class_weights", "must hold two numbers");
    }
}

/* Whether the parts of a certificate are those its claim needs. */
static void check_claim(linpred__fields *fields, const linpred_result *result)
{
    const linpred__certificate *certificate = &result->certificate;
    bool largest = certificate->claim == LINPRED__CLAIM_LARGEST_MARGIN ||
                   certificate->claim == LINPRED__CLAIM_LARGEST_USUAL_MARGIN;
    bool bounded = largest || certificate->claim == LINPRED__CLAIM_MARGIN_AT_MOST;
    bool separates = largest || certificate->claim == LINPRED__CLAIM_SEPARATES;
    bool regression =
        certificate->claim == LINPRED__CLAIM_LEAST_SQUARES || certificate->claim == LINPRED__CLAIM_LEAST_ABSOLUTE;
    bool fewest = certificate->claim == LINPRED__CLAIM_FEWEST_ERRORS;
    bool of_ball = certificate->claim == LINPRED__CLAIM_SEPARATES || certificate->claim == LINPRED__CLAIM_ERRORS ||
                   certificate->claim == LINPRED__CLAIM_INSEPARABLE || fewest;
    bool same = isnan(result->info.errors) ? isnan(certificate->errors) : result->info.errors == certificate->errors;
    if (regression != (result->model.task == LINPRED_TASK_REGRESSION) ||
        (result->model.task == LINPRED_TASK_BALL && !of_ball))
        linpred__fields_refuse(fields, "claim", "does not fit the task");
    else if (certificate->errors < 0)
        linpred__fields_refuse(fields, "errors", "must be 0 or more");
    else if ((certificate->claim == LINPRED__CLAIM_ERRORS || fewest) && isnan(certificate->errors))
        linpred__fields_refuse(fields, "errors", "must be a number, since it is claimed");
    else if (separates && certificate->directions == 0 && certificate->errors != 0)
        linpred__fields_refuse(fields, "errors", "must be 0, since the claim is that the model separates");
    else if (!same)
        linpred__fields_refuse(fields, "errors", "must be the same as 'errors' of 'info'");
    else if (certificate->directions > 0 && certificate->claim != LINPRED__CLAIM_SEPARATES &&
             certificate->claim != LINPRED__CLAIM_NO_MINIMISER)
        linpred__fields_refuse(fields, "direction", "must be empty, since the claim does not speak of it");
    else if (certificate->claim == LINPRED__CLAIM_INSEPARABLE && certificate->witnesses == 0)
        linpred__fields_refuse(fields, "witness", "must not be empty, since the claim rests on it");
    else if (regression && certificate->l2 != 0)
        linpred__fields_refuse(fields, "l2", "must be 0, since the claim does not speak of it");
    else if (regression && (certificate->class_weight[0] != 1 || certificate->class_weight[1] != 1))
        linpred__fields_refuse(fields, "class_weights", "must be [1, 1], since the claim does not speak of them");
    else if (!(certificate->l2 >= 0))
        linpred__fields_refuse(fields, "l2", "must be 0 or more");
    else if ((certificate->claim == LINPRED__CLAIM_LOGISTIC_OPTIMUM || fewest) &&
             !(certificate->class_weight[0] > 0 && certificate->class_weight[1] > 0))
        linpred__fields_refuse(fields, "class_weights", "must be positive, since the claim speaks of them");
    else if ((certificate->claim == LINPRED__CLAIM_LOGISTIC_OPTIMUM || fewest) && !(certificate->bound >= 0))
        linpred__fields_refuse(fields, "bound", "must be 0 or more, since it is claimed");
    else if (!fewest && certificate->search.subsets + certificate->search.nodes > 0)
        linpred__fields_refuse(fields, "subsets", "and 'tree' must be empty, since the claim does not speak of them");
    else if (fewest && !(result->info.lower_bound == certificate->bound && result->info.cost >= certificate->bound))
        linpred__fields_refuse(fields, "bound", "must be the same as 'lower_bound' of 'info', and not above 'cost'");
    else if (fewest && result->info.outcome == LINPRED_OUTCOME_OPTIMAL &&
             certificate->bound < result->info.cost * (1.0 - LINPRED__COST_TOLERANCE))
        linpred__fields_refuse(fields, "bound", "must be the 'cost' of 'info', since that is said to be optimal");
    else if (certificate->claim == LINPRED__CLAIM_NO_MINIMISER && certificate->directions == 0)
        linpred__fields_refuse(fields, "direction", "must not be empty, since the claim rests on it");
    else if (certificate->claim == LINPRED__CLAIM_OVERLAPPING && certificate->witnesses == 0)
        linpred__fields_refuse(fields, "witness", "must not be empty, since the claim rests on it");
    else if (bounded && ((largest && certificate->supports == 0) || !(certificate->bound >= 0)))
        linpred__fields_refuse(fields, "support",
                               "must not be empty and 'bound' a number, since the claim rests on them");
}

void linpred__file_certificate(linpred__fields *fields, const json_t *object, linpred_result *result)
{
    static const char *const keys[] = {"claim",   "errors",  "bound",     "l2",      "class_weights", "fingerprint",
                                       "witness", "support", "direction", "subsets", "tree",          NULL};
    linpred__certificate *certificate = &result->certificate;
    linpred__fields_enter(fields, object, "certificate", 0, keys);
    certificate->claim = (linpred__certificate_claim)linpred__field_word(fields, "claim", claim_word);
    certificate->errors = linpred__field_number(fields, "errors", LINPRED__NULL_ALLOWED);
    certificate->bound = linpred__field_number(fields, "bound", LINPRED__NULL_ALLOWED);
    certificate->l2 = linpred__field_number(fields, "l2", LINPRED__REQUIRED);
    read_class_weights(fields, certificate);
    certificate->fingerprint = linpred__field_hexadecimal(fields, "fingerprint");
    const json_t *witness = linpred__field_array(fields, "witness");
    const json_t *support = linpred__field_array(fields, "support");
    read_direction(fields, linpred__field_array(fields, "direction"), &result->model, certificate);
    read_witness(fields, witness, &result->model, certificate);
    read_support(fields, support, certificate);
    linpred__fields_enter(fields, object, "certificate", 0, keys); /* back from the entries */
    const json_t *subsets = linpred__field_array(fields, "subsets");
    const json_t *tree = linpred__field_array(fields, "tree");
    linpred__file_cover_proof(fields, subsets, tree, most_digits(&result->model), &certificate->search);
    linpred__fields_enter(fields, object, "certificate", 0, keys);
    if (fields->status == LINPRED_OK)
        check_claim(fields, result);
}
