/* linpred fit halfspace DATA: what the search did, mistakes, margin, coefficients and witness. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "cli.h"

/* Prints the limits of the method in brackets. */
static void print_limits(const linpred_options *options, linpred_method method)
{
    const char *before = " (at most ";
    int64_t passes = linpred_options_get_count(options, "max-passes");
    int64_t updates = linpred_options_get_count(options, "max-updates");
    double seconds = linpred_options_get_number(options, "max-seconds");
    if (cli_method_listens(options, method, "max-passes")) {
        printf("%s%" PRId64 " pass%s", before, passes, cli_plural(passes, "es"));
        before = ", ";
        if (updates < INT64_MAX)
            printf(", %" PRId64 " update%s", updates, cli_plural(updates, "s"));
    }
    if (seconds < 1e300) {
        printf("%s%g seconds", before, seconds);
        before = ", ";
    }
    fputs(*before == ',' ? ")" : "", stdout);
}

/* Prints the method, and for --method auto which methods it chose. A local search follows pocket, unless pocket makes
   no mistake or the fit is stopped. */
static void print_method(const cli_session *session)
{
    const cli_figures *stated = &session->figures;
    const linpred_options *options = session->cli->options;
    bool automatic = linpred_options_get_choice(options, "method") == LINPRED_METHOD_AUTO;
    bool searched = stated->outcome == LINPRED_OUTCOME_INSEPARABLE || stated->outcome == LINPRED_OUTCOME_UNDECIDED;
    printf("method       %s%s", automatic ? "auto: " : "", linpred_method_name(stated->method));
    print_limits(options, stated->method);
    puts(automatic && stated->method == LINPRED_METHOD_POCKET && searched ? ", then local search" : "");
}

void cli_print_search(const cli_session *session)
{
    const cli_figures *stated = &session->figures;
    cli_print_data(session);
    print_method(session);
    printf("outcome      %s", linpred_outcome_name(stated->outcome));
    if (stated->updates >= 0)
        printf(" after %" PRId64 " update%s", stated->updates, cli_plural(stated->updates, "s"));
    if (stated->passes >= 0)
        printf(" in %" PRId64 " pass%s", stated->passes, cli_plural(stated->passes, "es"));
    printf(": %s\n", stated->reason);
}

/* A margin is the largest if it is within this relative distance of it, as verify judges it. */
#define LARGEST_TOLERANCE 1e-9

/* Prints the margin. If the fit found the largest margin in one norm, prints the largest in the other norm too. `usual`
   says which norm the fit used. */
static void print_margin(const cli_figures *stated, bool usual)
{
    double with = stated->margin, without = stated->margin_without_intercept;
    if (isnan(stated->gap)) {
        if (!isnan(with))
            printf("margin       %.9g (intercept in the norm)", with);
        if (!isnan(without))
            printf("%s%.9g (usual)", isnan(with) ? "margin       " : ", ", without);
        fputs(isnan(with) && isnan(without) ? "" : "\n", stdout);
        return;
    }
    printf("margin       %.9g (%s), the largest there is, to a relative gap of %.2g\n", usual ? without : with,
           usual ? "usual" : "intercept in the norm", stated->gap);
    double other = usual ? stated->largest_margin : stated->largest_usual_margin, own = usual ? with : without;
    const char *form = usual ? "with the intercept in the norm" : "in the usual form";
    if (other > own * (1.0 + LARGEST_TOLERANCE))
        printf("             another halfspace has the largest %s, %.9g: --norm %s\n", form, other,
               usual ? "with-intercept" : "without-intercept");
    else if (!isnan(other))
        printf("             it is also the largest %s, %.9g\n", form, other);
}

void cli_print_witness(const linpred_result *result, const char *format, ...)
{
    const int64_t *row;
    int64_t count = linpred_result_witness(result, &row);
    enum { SHOWN = 12 }; /* rows that fit into one line */
    if (count == 0)
        return;
    printf("witness      row%s", cli_plural(count, "s"));
    for (int64_t i = 0; i < count && i < SHOWN; i++)
        printf("%s %" PRId64, i ? "," : "", row[i]);
    fputs(count > SHOWN ? ", … " : " ", stdout);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

void cli_print_lower_bound(const linpred_result *result, const char *what)
{
    const cli_figures stated[1] = {cli_read_figures(result)};
    const char *costs = linpred_result_option(result, "cost");
    char number[40];
    enum { MAX_ROWS_EXACT = 3000 }; /* beyond these rows --method exact may take long, and is not suggested */
    if (stated->method == LINPRED_METHOD_POCKET && stated->errors > 0 && stated->rows <= MAX_ROWS_EXACT)
        puts("             --method exact looks for the fewest mistakes, with proof");
    if (isnan(stated->lower_bound))
        return;
    cli_format_sum(stated->cost, number);
    if (costs)
        printf("cost         %s, by --cost %s\n", number, costs);
    cli_format_sum(stated->lower_bound, number);
    printf("lower bound  %s: no %s makes %s than %s%s%s\n", number, what, costs ? "mistakes that cost less" : "fewer",
           number, costs ? "" : " mistake", costs || stated->lower_bound == 1 ? "" : "s");
}

/* Whether the fit used this value of an option. */
static bool was_asked(const linpred_result *result, const char *flag, const char *text)
{
    const char *used = linpred_result_option(result, flag);
    return used && strcmp(used, text) == 0;
}

void cli_halfspace_text(const linpred_result *result)
{
    const cli_figures stated[1] = {cli_read_figures(result)};
    cli_print_errors(stated);
    if (!isnan(stated->perceptron_loss))
        printf(", perceptron loss %.6g (%smean of max(0, -y score))", stated->perceptron_loss,
               linpred_model_weights(linpred_result_model(result)) ? "weighted " : "");
    putchar('\n');
    cli_print_lower_bound(result, "halfspace");
    print_margin(stated, was_asked(result, "norm", "without-intercept"));
    if (isnan(stated->update_bound) && was_asked(result, "bound", "yes"))
        puts("update bound none: no halfspace is known that separates the rows");
    if (!isnan(stated->update_bound))
        printf("update bound %.10g = (RB)^2, R = %.9g, B = %.9g: the perceptron from 0 makes no more updates\n",
               stated->update_bound, stated->radius, stated->norm);
    cli_print_coefficients(linpred_result_model(result));
    if (linpred_result_direction(result, 0)) {
        puts(stated->outcome == LINPRED_OUTCOME_SEPARATED
                 ? "integers     these separate the rows; no weights of doubles were found that do"
                 : "integers     these separate the rows; the model does not");
        cli_print_direction(result);
    }
    cli_print_witness(result, "cannot be separated by any halfspace (linpred separable shows the proof)");
}

static void print_halfspace_text(const cli_session *session)
{
    cli_print_search(session);
    cli_halfspace_text(session->result);
}

bool cli_auto_promise(const cli_session *session)
{
    return cli_reached(session) || (session->figures.outcome == LINPRED_OUTCOME_INSEPARABLE &&
                                    linpred_options_get_choice(session->cli->options, "method") == LINPRED_METHOD_AUTO);
}

int cli_run_fit_halfspace(cli_invocation *cli)
{
    return cli_learn(cli, &(cli_presentation){.text = print_halfspace_text, .promised = cli_auto_promise});
}
