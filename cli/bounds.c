/* linpred bounds vc|sample-size|updates|generalization: each bound with its formula, its numbers and its source. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli.h"

/* ---- one bound --------------------------------------------------------------------------------------------------- */

/* Prints a bound: `left` in the left column, then `value` with formula, numbers, meaning and source. */
static void print_bound(const linpred_bound *bound, const char *left, const char *value)
{
    printf("%-12s %s = %s\n", left, value, bound->formula);
    printf("             = %s\n", bound->numbers);
    printf("             %s\n", bound->says);
    printf("source       %s\n", bound->source);
}

static json_t *bound_to_json(const linpred_bound *bound, const char *key)
{
    json_t *object = json_object();
    cli_set_text(object, "name", bound->name);
    cli_set_number(object, key, bound->value);
    cli_set_text(object, "formula", bound->formula);
    cli_set_text(object, "numbers", bound->numbers);
    cli_set_text(object, "says", bound->says);
    cli_set_text(object, "source", bound->source);
    return object;
}

static linpred_bound bound_of(const linpred_bounds *bounds, size_t index)
{
    linpred_bound bound = {.struct_size = sizeof bound};
    linpred_bounds_get(bounds, index, &bound);
    return bound;
}

static json_t *bounds_to_json(const linpred_bounds *bounds, const char *key)
{
    json_t *list = json_array();
    for (size_t k = 0; k < linpred_bounds_count(bounds); k++) {
        linpred_bound bound = bound_of(bounds, k);
        json_array_append_new(list, bound_to_json(&bound, key));
    }
    return list;
}

static linpred_class class_asked(const cli_invocation *cli)
{
    return (linpred_class)linpred_options_get_choice(cli->options, "class");
}

static bool through_origin(const cli_invocation *cli)
{
    return linpred_options_get_switch(cli->options, "no-intercept");
}

static const char *class_name(const cli_invocation *cli)
{
    return class_asked(cli) == LINPRED_CLASS_BALL ? "balls"
           : through_origin(cli)                  ? "halfspaces through the origin"
                                                  : "halfspaces";
}

/* ---- vc, sample-size --------------------------------------------------------------------------------------------- */

int cli_run_bounds_vc(cli_invocation *cli)
{
    linpred_error error;
    linpred_bound bound = {.struct_size = sizeof bound};
    int64_t dimension = linpred_options_get_count(cli->options, "dimension");
    char value[80];
    if (linpred_vc_dimension(class_asked(cli), dimension, !through_origin(cli), &bound, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, NULL);
    if (cli->json) {
        json_t *object = json_object(), *list = json_array();
        cli_set_text(object, "class", class_asked(cli) == LINPRED_CLASS_BALL ? "ball" : "halfspace");
        json_object_set_new(object, "intercept", json_boolean(!through_origin(cli)));
        cli_set_count(object, "dimension", dimension);
        cli_set_number(object, "vc_dimension", bound.value);
        json_array_append_new(list, bound_to_json(&bound, "vc_dimension"));
        json_object_set_new(object, "bounds", list);
        return cli_print_json(object);
    }
    printf("class        %s in %" PRId64 " dimension%s\n", class_name(cli), dimension, cli_plural(dimension, "s"));
    snprintf(value, sizeof value, "%.0f", bound.value);
    print_bound(&bound, "VC dimension", value);
    return EXIT_HOLDS;
}

static void print_class(const cli_invocation *cli)
{
    int64_t dimension = linpred_options_get_count(cli->options, "dimension");
    int64_t vc = linpred_options_get_count(cli->options, "vc"), bits = linpred_options_get_count(cli->options, "bits");
    double hypotheses = linpred_options_get_number(cli->options, "hypotheses");
    linpred_bound bound = {.struct_size = sizeof bound};
    if (vc > 0)
        printf("class        any of VC dimension D = %" PRId64 "\n", vc);
    else if (hypotheses > 0)
        printf("class        any of |H| = %.15g predictors\n", hypotheses);
    else if (bits > 0)
        printf("class        linear regression on d = %" PRId64 " features%s, b = %" PRId64 " bits a coefficient\n",
               dimension, through_origin(cli) ? " through the origin" : "", bits);
    else if (linpred_vc_dimension(class_asked(cli), dimension, !through_origin(cli), &bound, NULL) == LINPRED_OK)
        printf("class        %s in %" PRId64 " dimension%s: VC dimension D = %.0f\n", class_name(cli), dimension,
               cli_plural(dimension, "s"), bound.value);
}

static int print_sizes(const cli_invocation *cli, const linpred_bounds *bounds)
{
    if (cli->json) {
        json_t *object = json_object();
        cli_set_number(object, "epsilon", linpred_options_get_number(cli->options, "epsilon"));
        cli_set_number(object, "delta", linpred_options_get_number(cli->options, "delta"));
        json_object_set_new(object, "bounds", bounds_to_json(bounds, "rows"));
        return cli_print_json(object);
    }
    print_class(cli);
    for (size_t k = 0; k < linpred_bounds_count(bounds); k++) {
        linpred_bound bound = bound_of(bounds, k);
        char value[60];
        snprintf(value, sizeof value, bound.value < 0x1p53 ? "%.0f row%s" : "%.6g row%s", bound.value,
                 bound.value == 1.0 ? "" : "s");
        print_bound(&bound, bound.name, value);
    }
    return EXIT_HOLDS;
}

int cli_run_bounds_sample_size(cli_invocation *cli)
{
    linpred_error error;
    linpred_bounds *bounds = NULL;
    if (linpred_sample_size(cli->options, &bounds, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, NULL);
    int code = print_sizes(cli, bounds);
    linpred_bounds_free(bounds);
    return code;
}

/* ---- updates ----------------------------------------------------------------------------------------------------- */

static const char updates_formula[] = "(RB)², R = max |x|, B = min |w| with y<w,x> >= 1 on all rows";
static const char updates_form[] = "; x with 1 appended, b in w"; /* is added if there is an intercept */
static const char updates_source[] = "Novikoff 1962";

static void print_updates(const cli_session *session)
{
    const cli_figures *stated = &session->figures;
    cli_print_data(session);
    if (isnan(stated->update_bound)) {
        printf("no bound     %s\n", stated->outcome == LINPRED_OUTCOME_INSEPARABLE
                                        ? "the rows are not separable, so the perceptron never ends: linpred separable "
                                          "shows the rows that prove it"
                                        : stated->reason);
        return;
    }
    printf("updates      at most %.0f = floor %s%s\n", linpred_result_number(session->result, "updates_at_most"),
           updates_formula, through_origin(session->cli) ? "" : updates_form);
    printf("             = %.9g = (%.9g * %.9g)²\n", stated->update_bound, stated->radius, stated->norm);
    puts("             from w = 0 the perceptron makes no more updates, in any order of the rows");
    printf("source       %s\n", updates_source);
}

static void updates_to_json(json_t *object, const cli_session *session)
{
    if (isnan(session->figures.update_bound))
        return;
    char formula[160];
    snprintf(formula, sizeof formula, "floor %s%s", updates_formula, through_origin(session->cli) ? "" : updates_form);
    cli_set_number(object, "updates_at_most", linpred_result_number(session->result, "updates_at_most"));
    cli_set_text(object, "formula", formula);
    cli_set_text(object, "source", updates_source);
}

int cli_run_bounds_updates(cli_invocation *cli)
{
    int code = cli_choose(cli, "method", LINPRED_METHOD_MARGIN);
    if (code)
        return code;
    return cli_learn(cli,
                     &(cli_presentation){
                         .text = print_updates, .json = updates_to_json, .promised = cli_reached, .or_nothing = true});
}

/* ---- generalization ---------------------------------------------------------------------------------------------- */

static int print_generalization(const cli_invocation *cli, const linpred_generalization *g,
                                const linpred_bounds *bounds)
{
    if (cli->json) {
        json_t *object = json_object();
        cli_set_number(object, "rows", g->rows);
        cli_set_number(object, "error_rate", g->error);
        cli_set_count(object, "vc_dimension", g->vc_dimension);
        cli_set_number(object, "delta", linpred_options_get_number(cli->options, "delta"));
        json_object_set_new(object, "same_data", json_boolean(g->same_data));
        cli_notices_to_json(cli, object);
        json_object_set_new(object, "bounds", bounds_to_json(bounds, "error_bound"));
        return cli_print_json(object);
    }
    printf("error        %.6g on m = %.0f row%s%s, VC dimension D = %" PRId64 "\n", g->error, g->rows,
           g->rows == 1.0 ? "" : "s", g->same_data ? ", those of the fit" : "", g->vc_dimension);
    for (size_t k = 0; k < linpred_bounds_count(bounds); k++) {
        linpred_bound bound = bound_of(bounds, k);
        char value[120];
        bool fresh = strcmp(bound.name, "fresh") == 0;
        snprintf(value, sizeof value, "%strue error <= %.6g%s",
                 fresh ? "IF none of these rows was used in the fit: " : "", bound.value,
                 bound.value >= 1.0 ? ", which says nothing," : "");
        print_bound(&bound, bound.name, value);
    }
    return 0;
}

int cli_run_bounds_generalization(cli_invocation *cli)
{
    linpred_error error;
    linpred_result *result = NULL;
    linpred_data *data = NULL;
    linpred_generalization generalization = {.struct_size = sizeof generalization};
    linpred_bounds *bounds = NULL;
    if (linpred_result_load(cli->positional[0], cli->own[OWN_ACCEPT_EDITED] != NULL, &result, &error) != LINPRED_OK)
        return cli_fail_status(cli, &error, cli->positional[0]);
    linpred_status status =
        cli_data_load_for(linpred_result_model(result), cli->positional[1], true, cli->options, &data, &error);
    if (status == LINPRED_OK)
        cli_warn_of_data(cli, data);
    if (status == LINPRED_OK)
        status = linpred_generalize(result, data, cli->options, &generalization, &bounds, &error);
    int code = status == LINPRED_OK ? print_generalization(cli, &generalization, bounds)
                                    : cli_fail_status(cli, &error, cli->positional[1]);
    linpred_bounds_free(bounds);
    linpred_data_free(data);
    linpred_result_free(result);
    return code;
}
