/* linpred separable DATA: a hyperplane, or a handful of rows that prove there is none. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { COLUMNS_SHOWN = 6, ROWS_SHOWN = 40, WIDTH = 12 };

/* ---- the rows that prove "no" -------------------------------------------------------------------------------------- */

/* The columns worth showing: those in which some row of the witness is not zero, the first few of them. */
static int columns_to_show(const session *session, double *values, int32_t *shown, bool *more)
{
    const int64_t *row;
    int64_t rows = linpred_result_witness(session->result, &row);
    int32_t columns = linpred_data_shape(session->data).columns;
    bool *touched = calloc((size_t)columns, sizeof *touched);
    int count = 0;
    double label;
    *more = false;
    for (int64_t i = 0; touched && i < rows; i++)
        if (linpred_data_row(session->data, row[i], values, &label))
            for (int32_t j = 0; j < columns; j++)
                touched[j] = touched[j] || values[j] != 0.0 || columns <= COLUMNS_SHOWN;
    for (int32_t j = 0; touched && j < columns; j++) {
        if (touched[j] && count < COLUMNS_SHOWN)
            shown[count++] = j;
        else
            *more = *more || touched[j];
    }
    free(touched);
    return count;
}

/* Which of the proof's integers are cut in the table, and where they stand in full. */
static void print_long_weights(const linpred_result *result, int64_t rows)
{
    for (int64_t i = 0; i < rows && i < ROWS_SHOWN; i++)
        if (strlen(linpred_result_witness_weight(result, i)) > WIDTH) {
            puts("  the weights are whole numbers, exact for the doubles that the file's numbers become; … cuts their digits:\n"
                 "  --json has them in full");
            return;
        }
}

static void print_witness(const session *session)
{
    const int64_t *row;
    int64_t rows = linpred_result_witness(session->result, &row);
    double *values = malloc(((size_t)linpred_data_shape(session->data).columns + 1) * sizeof *values);
    int32_t shown[COLUMNS_SHOWN];
    bool more;
    if (!values)
        return;
    int count = columns_to_show(session, values, shown, &more);
    printf("\n%8s %*s %*.*s", "row", WIDTH, "weight", WIDTH, WIDTH, linpred_data_target(session->data));
    for (int k = 0; k < count; k++)
        printf(" %*.*s", WIDTH, WIDTH, linpred_data_feature(session->data, shown[k]));
    puts(more ? " …" : "");
    for (int64_t i = 0; i < rows && i < ROWS_SHOWN; i++) {
        const char *weight = linpred_result_witness_weight(session->result, i);
        double label = 0.0;
        linpred_data_row(session->data, row[i], values, &label);
        printf("%8" PRId64 " %*.*s%s %*.*s", row[i], WIDTH, WIDTH, weight, strlen(weight) > WIDTH ? "…" : "", WIDTH, WIDTH,
               linpred_data_label(session->data, label > 0 ? 1 : -1));
        for (int k = 0; k < count; k++)
            printf(" %*.7g", WIDTH, values[shown[k]]);
        puts(more ? " …" : "");
    }
    if (rows > ROWS_SHOWN)
        printf("  … and %" PRId64 " more: all of them with --json\n", rows - ROWS_SHOWN);
    print_long_weights(session->result, rows);
    free(values);
}

static void print_no(const session *session)
{
    const int64_t *row;
    int64_t rows = linpred_result_witness(session->result, &row);
    bool intercept = linpred_model_has_intercept(linpred_result_model(session->result));
    const char *through = intercept ? "" : " through the origin";
    printf("NOT SEPARABLE: %s %" PRId64 " row%s cannot be separated by any hyperplane%s, so the file cannot be either.\n",
           rows == 1 ? "this" : "these", rows, rows == 1 ? "" : "s", through);
    print_witness(session);
    if (intercept)
        printf("\nWeighted by these whole numbers, the rows labelled %s and the rows labelled %s have the same average, exactly:\n"
               "no hyperplane can have it on both of its sides.\n",
               linpred_data_label(session->data, 1), linpred_data_label(session->data, -1));
    else
        printf("\nWeighted by these whole numbers%s%s%s, the rows sum to zero exactly:\n"
               "no halfspace through the origin can have them all strictly inside.\n",
               *linpred_data_label(session->data, -1) ? ", and those labelled " : "", linpred_data_label(session->data, -1),
               *linpred_data_label(session->data, -1) ? " turned around" : "");
}

/* ---- all answers ------------------------------------------------------------------------------------------------------ */

static void print_text(const session *session)
{
    const linpred_info *info = session->info;
    switch (info->outcome) {
    case LINPRED_OUTCOME_SEPARATED:
        printf("SEPARABLE: a hyperplane has each of the %" PRId64 " rows strictly on its side.\n", info->rows);
        for (size_t i = 0; i < 1 && linpred_data_note(session->data, i); i++)
            printf("%s\n", linpred_data_note(session->data, i));
        if (!isnan(info->margin))
            printf("margin       %.9g (intercept in the norm), %.9g (usual); linpred fit halfspace finds the largest\n",
                   info->margin, info->margin_without_intercept);
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
        printf("UNDECIDED: %s.\n", info->reason);
        if (!isnan(info->margin_bound))
            printf("no halfspace has a margin above %.6g\n", info->margin_bound);
        break;
    }
}

static bool promised(const session *session)
{
    return session->info->outcome == LINPRED_OUTCOME_SEPARATED;
}

int run_separable(cli *cli)
{
    cli->options.method = LINPRED_METHOD_LP;
    cli->options.one_class = true;
    return cli_learn(cli, &(learner){.text = print_text, .promised = promised, .or_nothing = true});
}
