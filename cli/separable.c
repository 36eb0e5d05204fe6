/* linpred separable DATA: a hyperplane that separates, or a few rows that prove that there is none. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char *weight_of_witness(const void *result, int64_t index)
{
    return linpred_result_witness_weight(result, index);
}

static void print_no(const cli_session *session)
{
    const int64_t *row;
    int64_t rows = linpred_result_witness(session->result, &row);
    bool intercept = linpred_model_has_intercept(linpred_result_model(session->result));
    const char *through = intercept ? "" : " through the origin";
    printf("NOT SEPARABLE: %s %" PRId64
           " row%s cannot be separated by any hyperplane%s, so the file cannot be either.\n",
           rows == 1 ? "this" : "these", rows, cli_plural(rows, "s"), through);
    cli_witness_table(session->data, &(cli_witness){rows, row, NULL, weight_of_witness, session->result});
    if (intercept)
        printf("\nWeighted by these whole numbers, the rows labelled %s and the rows labelled %s have the same "
               "average, exactly:\n"
               "no hyperplane can have it on both of its sides.\n",
               linpred_data_label(session->data, 1), linpred_data_label(session->data, -1));
    else
        printf("\nWeighted by these whole numbers%s%s%s, the rows sum to zero exactly:\n"
               "no halfspace through the origin can have them all strictly inside.\n",
               *linpred_data_label(session->data, -1) ? ", and those labelled " : "",
               linpred_data_label(session->data, -1), *linpred_data_label(session->data, -1) ? " turned around" : "");
}

/* ---- all answers ------------------------------------------------------------------------------------------------- */

static void print_separable_text(const cli_session *session)
{
    const cli_figures *stated = &session->figures;
    switch (stated->outcome) {
    case LINPRED_OUTCOME_SEPARATED:
        if (stated->rows == 1)
            puts("SEPARABLE: a hyperplane has the row strictly on its side.");
        else
            printf("SEPARABLE: a hyperplane has each of the %" PRId64 " rows strictly on its side.\n", stated->rows);
        linpred_note note = {.struct_size = sizeof note};
        if (linpred_data_note(session->data, 0, &note))
            printf("%s\n", note.sentence);
        if (!isnan(stated->margin) && !isnan(stated->margin_without_intercept))
            printf("margin       %.9g (intercept in the norm), %.9g (usual); linpred fit halfspace finds the largest\n",
                   stated->margin, stated->margin_without_intercept);
        if (linpred_result_direction(session->result, 0)) {
            puts("by whole numbers; no weights of doubles were found that do");
            cli_print_direction(session->result);
        } else {
            cli_print_coefficients(linpred_result_model(session->result));
        }
        break;
    case LINPRED_OUTCOME_INSEPARABLE:
        print_no(session);
        break;
    default:
        printf("UNDECIDED: %s.\n", stated->reason);
        if (!isnan(stated->margin_bound))
            printf("no halfspace has a margin above %.6g\n", stated->margin_bound);
        break;
    }
}

static bool promised(const cli_session *session)
{
    return session->figures.outcome == LINPRED_OUTCOME_SEPARATED;
}

int cli_run_separable(cli_invocation *cli)
{
    linpred_options_allow_one_class(cli->options, true);
    int code = cli_choose(cli, "method", LINPRED_METHOD_LP);
    if (code)
        return code;
    return cli_learn(cli, &(cli_presentation){.text = print_separable_text, .promised = promised, .or_nothing = true});
}
