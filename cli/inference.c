/* The table of coefficients of a regression or logistic regression, fitted now or saved: estimate, standard error, t (z
 * for logistic regression), p and confidence interval. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli.h"

enum { SHOWN = 25 }; /* coefficients that fit into a screen */

static const char no_residuals[] = "the residuals are all 0";

static bool is_logistic(const linpred_result *result)
{
    return linpred_model_task(linpred_result_model(result)) == LINPRED_TASK_LOGISTIC;
}

static int32_t count_of(const linpred_result *result)
{
    const linpred_model *model = linpred_result_model(result);
    return linpred_model_columns(model) + linpred_model_has_intercept(model);
}

bool cli_has_inference(const linpred_result *result)
{
    bool any = false;
    for (int32_t j = 0; linpred_result_standard_errors(result) && !any && j < count_of(result); j++)
        any = !isnan(cli_coefficient(result, j).low);
    return any;
}

void cli_format_p(double p, char text[16])
{
    snprintf(text, 16, p < 1e-300 ? "<1e-300" : "%.3g", p);
}

/* Whether there are standard errors but no tests: all residuals are 0, and so is every standard error. */
static bool has_no_tests(const linpred_result *result)
{
    if (!cli_has_inference(result))
        return false;
    bool any = false;
    for (int32_t j = 0; !any && j < count_of(result); j++)
        any = !isnan(cli_coefficient(result, j).t);
    return !any;
}

/* Whether the column of coefficient j was dropped. */
static bool is_dropped(const linpred_result *result, int32_t j)
{
    for (size_t i = 0; linpred_result_drops_dependent(result) && i < linpred_result_dependency_count(result); i++)
        if (linpred_result_dependency_gives(result, i) == j)
            return true;
    return false;
}

/* The widths of a table: names, and whether the interval stands in a line of its own because the screen is narrow. */
typedef struct table_widths {
    int name;
    bool folded;
} table_widths;

static void print_row(const linpred_result *result, int32_t j, table_widths widths, bool inference)
{
    linpred_coefficient c = cli_coefficient(result, j);
    char t[32] = "-", p[16] = "-";
    if (!isnan(c.t)) {
        snprintf(t, sizeof t, "%.3f", c.t);
        cli_format_p(c.p, p);
    }
    fputs("  ", stdout);
    cli_print_name(linpred_result_model(result), j, widths.name);
    if (is_dropped(result, j)) {
        printf(" %16s  dropped: its column depends on those before it\n", "-");
        return;
    }
    printf(" %16.9g", c.value + 0.0); /* -0 is printed as 0 */
    if (inference && isnan(c.standard_error))
        printf("  cannot be estimated: its column depends on others");
    else if (inference)
        printf(" %12.5g %9s %9s%s%*s[%.6g, %.6g]", c.standard_error, t, p, widths.folded ? "\n" : "",
               widths.folded ? widths.name + 3 : 2, "", c.low, c.high);
    putchar('\n');
}

/* Names take what they need, if the screen has it; then the interval goes below, and names are cut. */
static table_widths find_widths(const linpred_model *model, bool inference)
{
    enum { NUMBERS = 51, INTERVAL = 28, SHORTEST = 11, LONGEST = 40 };
    int screen = cli_line_width(), need = SHORTEST;
    for (int32_t j = 0; j < linpred_model_columns(model) && j < SHOWN; j++) {
        int length = cli_width(linpred_model_feature(model, j));
        need = length > need ? length < LONGEST ? length : LONGEST : need;
    }
    table_widths widths = {need, inference && screen > 0 && 2 + need + NUMBERS + INTERVAL > screen};
    int most = screen - 2 - (inference ? NUMBERS : 17);
    if (screen > 0 && widths.name > most)
        widths.name = most > SHORTEST ? most : SHORTEST;
    return widths;
}

/* Why there are no standard errors; NULL if there are some, or if none were asked for. */
static const char *why_none(const linpred_result *result)
{
    const char *reason = linpred_result_no_standard_errors(result);
    bool squared = linpred_model_loss(linpred_result_model(result)) == LINPRED_LOSS_SQUARED;
    return reason ? reason
           : squared && linpred_result_dependency_sentence(result, 0) && !cli_has_inference(result)
               ? "no coefficient can be estimated, since the column of each depends on others"
               : NULL;
}

/* Prints which column to drop, or which --degree to lower, so that the coefficients can be estimated. */
static void print_remedy(const linpred_result *result)
{
    const linpred_model *model = linpred_result_model(result);
    const char *column = linpred_result_dependency_column(result, 0);
    int32_t given = linpred_result_dependency_gives(result, 0);
    bool several = linpred_result_dependency_column(result, 1), alone = linpred_model_columns(model) == 1;
    if (linpred_result_no_standard_errors(result) || alone) /* a model cannot do without its only column */
        return;
    if (linpred_model_feature_power(model, given) > 1)
        printf("             a lower --degree %s\n", several ? "ends the first" : "makes the others estimable");
    else if (several)
        printf("             leave columns out until none depends on others, and all can be estimated: --drop %s ends "
               "the first\n",
               column);
    else
        printf("             --drop %s makes the others estimable\n", column);
}

/* Prints the dependencies between columns, one per line. */
static void print_dependencies(const linpred_result *result)
{
    if (!linpred_result_dependency_sentence(result, 0))
        return;
    for (size_t i = 0; linpred_result_dependency_sentence(result, i); i++)
        printf("%-12s %s\n", i == 0 ? "dependent" : "", linpred_result_dependency_sentence(result, i));
    bool drops = linpred_result_drops_dependent(result);
    if (drops)
        printf("             dropped: the columns before %s do as well\n",
               linpred_result_dependency_count(result) == 1 ? "it" : "them");
    else
        puts("             so the coefficients are not unique: these have the smallest norm");
    if (!drops && linpred_model_loss(linpred_result_model(result)) == LINPRED_LOSS_SQUARED)
        print_remedy(result);
}

void cli_print_rank(const linpred_result *result)
{
    const linpred_model *model = linpred_result_model(result);
    const cli_figures stated[1] = {cli_read_figures(result)};
    if (stated->rank < 0)
        return;
    printf("rank         %" PRId64 " of %d%s", stated->rank, count_of(result),
           stated->l2 > 0 ? " with the penalty" : "");
    if (!isnan(stated->condition))
        printf(", condition about %.2g%s", stated->condition,
               linpred_model_degree(model) > 1 ? " (of the orthogonal polynomials, in which it is solved)" : "");
    putchar('\n');
}

void cli_inference_table(const linpred_result *result)
{
    const linpred_model *model = linpred_result_model(result);
    int32_t columns = linpred_model_columns(model);
    bool inference = cli_has_inference(result);
    table_widths widths = find_widths(model, inference);
    print_dependencies(result);
    printf("coefficients");
    if (inference)
        printf("%*s %16s %12s %9s %9s%s%*s%g %% interval", widths.name - 10, "", "", "std. error",
               is_logistic(result) ? "z" : "t", "p", widths.folded ? "\n" : "", widths.folded ? widths.name + 3 : 2, "",
               100.0 * linpred_result_confidence(result));
    putchar('\n');
    for (int32_t j = 0; j < columns && j < SHOWN; j++)
        print_row(result, j, widths, inference);
    if (columns > SHOWN)
        printf("  … and %d more: in the model (-o) and with --json\n", columns - SHOWN);
    if (linpred_model_has_intercept(model))
        print_row(result, columns, widths, inference);
    if (why_none(result))
        printf("  no standard errors: %s\n", why_none(result));
    if (has_no_tests(result))
        printf("  no tests: %s\n", no_residuals);
}

void cli_inference_to_json(json_t *object, const linpred_result *result)
{
    json_t *dependencies = json_array();
    for (size_t i = 0; linpred_result_dependency_sentence(result, i); i++)
        json_array_append_new(dependencies, json_string(linpred_result_dependency_sentence(result, i)));
    json_object_set_new(object, "dependencies", dependencies);
    if (linpred_result_drops_dependent(result)) {
        const linpred_model *model = linpred_result_model(result);
        json_t *dropped = json_array();
        for (int32_t j = 0; j < linpred_model_columns(model); j++)
            if (is_dropped(result, j))
                json_array_append_new(dropped, json_string(linpred_model_feature(model, j)));
        json_object_set_new(object, "dropped", dropped);
    }
    if (why_none(result))
        cli_set_text(object, "no_standard_errors", why_none(result));
    if (!cli_has_inference(result))
        return;
    json_t *errors = json_object(), *t = json_object(), *p = json_object(), *intervals = json_object();
    for (int32_t j = 0; j < count_of(result); j++) {
        linpred_coefficient c = cli_coefficient(result, j);
        cli_set_number(errors, c.name, c.standard_error);
        cli_set_number(t, c.name, c.t);
        cli_set_number(p, c.name, c.p);
        if (!isnan(c.low))
            json_object_set_new(intervals, c.name, json_pack("[f, f]", c.low, c.high));
    }
    json_object_set_new(object, "standard_errors", errors);
    if (has_no_tests(result)) {
        cli_set_text(object, "no_tests", no_residuals);
        json_decref(t);
        json_decref(p);
    } else {
        json_object_set_new(object, is_logistic(result) ? "z" : "t", t);
        json_object_set_new(object, "p", p);
    }
    cli_set_number(object, "confidence", linpred_result_confidence(result));
    json_object_set_new(object, "confidence_intervals", intervals);
}
