/* The claims of a result with the checker's verdicts, as text and as JSON: the same in fit, verify, inspect and
 * shatter.
 *
 *     verified     WITHIN TOLERANCE
 *       PROVED           the halfspace has every row on its right side — all 4 rows are on their right side, …
 *       WITHIN TOLERANCE the halfspace has the largest margin: none is above 2.1 — its margin is 2.1, …
 *     details
 *       PROVED           the halfspace makes 0 mistakes — …
 *
 * The verdict of the whole is that of the weakest main claim; the other claims are details. Each claim is one line. On
 * a terminal, or if COLUMNS is set, long lines are broken between words.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli.h"

enum { INDENT = 2, VERDICT_WIDTH = 16 };

/* Whether a claim speaks of the coefficients, which some commands do not show. */
static bool is_about_model(const linpred_result *result, size_t index)
{
    linpred_claim_kind kind = linpred_result_claim_kind(result, index);
    return kind == LINPRED_CLAIM_ERRORS || kind == LINPRED_CLAIM_OBJECTIVE || kind == LINPRED_CLAIM_MARGIN;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

/* Writes the sentences of the main claims in one line, without that about the rows. */
static void main_sentences(const linpred_result *result, bool model_shown, char *text, size_t bytes)
{
    text[0] = '\0';
    for (size_t i = 0; i < linpred_result_claim_count(result); i++)
        if (linpred_result_claim_is_main(result, i) && linpred_result_claim_kind(result, i) != LINPRED_CLAIM_DATA &&
            (model_shown || !is_about_model(result, i)))
            snprintf(text + strlen(text), bytes - strlen(text), "%s%s", text[0] ? "; " : "",
                     linpred_result_claim_sentence(result, i));
}

void cli_claims_to_json(json_t *object, const linpred_result *result, const linpred_check *check, bool model_shown)
{
    json_t *claims = json_array();
    for (size_t i = 0; i < linpred_result_claim_count(result); i++) {
        if (!model_shown && is_about_model(result, i))
            continue;
        json_t *claim = json_object();
        cli_set_text(claim, "claim", linpred_claim_name(linpred_result_claim_kind(result, i)));
        json_object_set_new(claim, "main", json_boolean(linpred_result_claim_is_main(result, i)));
        cli_set_text(claim, "sentence", linpred_result_claim_sentence(result, i));
        if (check) {
            cli_set_text(claim, "verdict", linpred_verdict_name(linpred_check_claim_verdict(check, i)));
            cli_set_text(claim, "finding", linpred_check_claim_finding(check, i));
        }
        json_array_append_new(claims, claim);
    }
    json_object_set_new(object, "claims", claims);
}

static int64_t count_of(const linpred_check *check, const char *name)
{
    double number = linpred_check_number(check, name);
    return isnan(number) ? -1 : (int64_t)number;
}

void cli_check_to_json(json_t *object, const linpred_result *result, const linpred_check *check, bool model_shown)
{
    char claim[1000];
    double gap = linpred_check_number(check, "gap");
    main_sentences(result, model_shown, claim, sizeof claim);
    cli_set_text(object, "verdict", linpred_verdict_name(linpred_check_verdict(check)));
    if (*claim) { /* nothing is claimed if the model is not shown and nothing else was found */
        cli_set_text(object, "claim", claim);
        cli_set_text(object, "finding", linpred_check_summary(check));
    }
    if (model_shown)
        cli_set_number(object, "errors_found", linpred_check_number(check, "errors"));
    if (isfinite(gap))
        cli_set_number(object, "gap_found", gap);
    cli_set_number(object, "lower_bound_proved", linpred_check_number(check, "lower_bound_proved"));
    if (model_shown)
        cli_set_count(object, "worst_row", count_of(check, "worst_row"));
    cli_set_count(object, "settled_exactly", count_of(check, "settled_exactly"));
    json_object_set_new(object, "same_data", json_boolean(linpred_check_same_data(check)));
    if (linpred_check_is_respecting(check))
        json_object_set_new(object, "respecting_dependencies", json_true());
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

const char *cli_verdict_text(const linpred_check *check, linpred_verdict verdict, char text[40])
{
    bool judged = verdict != LINPRED_PARTLY_PROVED || linpred_check_same_data(check);
    snprintf(text, 40, "%s", judged ? linpred_verdict_name(verdict) : "not_judged");
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : (char)toupper((unsigned char)*c);
    return text;
}

static cli_colour colour_of(linpred_verdict verdict)
{
    return verdict == LINPRED_REFUTED ? CLI_RED : verdict == LINPRED_PARTLY_PROVED ? CLI_YELLOW : CLI_GREEN;
}

/* Whether no claim was judged, because these are other rows than those of the fit. */
static bool is_unjudged(const linpred_check *check)
{
    return !linpred_check_same_data(check) && linpred_check_verdict(check) == LINPRED_PARTLY_PROVED;
}

static void print_claim(const linpred_result *result, const linpred_check *check, size_t index, int width)
{
    char verdict[40];
    int indent = INDENT;
    printf("%*s", INDENT, "");
    if (check) {
        linpred_verdict found = linpred_check_claim_verdict(check, index);
        cli_print_coloured(cli_verdict_text(check, found, verdict), colour_of(found));
        printf("%*s ", VERDICT_WIDTH - (int)strlen(verdict), "");
        indent += VERDICT_WIDTH + 1;
    }
    int at = cli_print_words(stdout, linpred_result_claim_sentence(result, index), indent, indent, width);
    if (check) {
        at = cli_print_words(stdout, "—", at, indent, width);
        cli_print_words(stdout, linpred_check_claim_finding(check, index), at, indent, width);
    }
    putchar('\n');
}

/* Prints the main claims, or those details that are shown, under `title` if there are any. On other rows than those of
   the fit only the sentences are printed, but not that these are its rows. */
static void print_claims(const linpred_result *result, const linpred_check *check, bool main, bool model_shown)
{
    int width = cli_line_width();
    const char *title = main ? NULL : "details";
    bool other_rows = check && is_unjudged(check);
    for (size_t i = 0; i < linpred_result_claim_count(result); i++) {
        if (linpred_result_claim_is_main(result, i) != main || (!model_shown && is_about_model(result, i)) ||
            (other_rows && linpred_result_claim_kind(result, i) == LINPRED_CLAIM_DATA))
            continue;
        if (title)
            puts(title);
        title = NULL;
        print_claim(result, other_rows ? NULL : check, i, width);
    }
}

static void print_settled(const linpred_check *check)
{
    int64_t settled = count_of(check, "settled_exactly");
    if (settled > 0)
        printf("             settled in exact arithmetic: the sign of %" PRId64 " row%s\n", settled,
               cli_plural(settled, "s"));
}

void cli_claims_to_text(const linpred_result *result, const linpred_check *check, bool model_shown)
{
    char verdict[40];
    if (!check) {
        puts("claims       stated, not checked");
    } else {
        bool refuted = linpred_check_verdict(check) == LINPRED_REFUTED;
        fputs("verified     ", stdout);
        cli_print_coloured(cli_verdict_text(check, linpred_check_verdict(check), verdict),
                           colour_of(linpred_check_verdict(check)));
        printf("%s%s\n", refuted ? ": " : "",
               refuted                          ? linpred_check_summary(check)
               : linpred_check_same_data(check) ? ""
                                                : ": these are not the rows of the fit, or not in its order");
        print_settled(check);
        if (is_unjudged(check))
            puts("claims       stated of the rows of the fit, and checked against those alone");
    }
    print_claims(result, check, true, model_shown);
    print_claims(result, check, false, model_shown);
}

void cli_notice_respecting(const cli_invocation *cli, const linpred_result *result, const linpred_check *check)
{
    size_t count = 0, first = 0;
    for (size_t k = linpred_result_dependency_count(result); k-- > 0;)
        if (!linpred_result_dependency_is_exact(result, k)) {
            first = k;
            count++;
        }
    if (linpred_check_is_respecting(check) && count > 0)
        cli_notice(cli,
                   "%zu dependenc%s of the columns hold%s to rounding only (%s%s): the fit is proved the best among "
                   "coefficients that %s",
                   count, count == 1 ? "y" : "ies", count == 1 ? "s" : "",
                   count == 1 ? "" : "the first: ", linpred_result_dependency_sentence(result, first),
                   linpred_result_drops_dependent(result) ? "leave out the dropped columns"
                   : count == 1                           ? "respect it"
                                                          : "respect them");
}

int cli_check_code(const linpred_check *check)
{
    bool holds = linpred_check_verdict(check) <= LINPRED_RECOMPUTED || linpred_check_is_respecting(check);
    return holds ? EXIT_HOLDS : EXIT_NO;
}
