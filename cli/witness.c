/* The rows of a witness as a table: row, integer, label, and the first columns that are not 0 in all of them. What is
 * too wide for the screen comes in further tables, as R prints data frames. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum {
    COLUMNS_SHOWN = 6, /* columns that fit into a terminal of 100 characters */
    ROWS_SHOWN = 40,   /* rows that fit into a screen */
    WIDTH = 12         /* characters of a cell */
};

/* Chooses the first COLUMNS_SHOWN columns in which some row of the witness is not 0. *more says that there are others.
   Returns their number. `values` is scratch for one row. */
static int columns_to_show(const linpred_data *data, const cli_witness *witness, double *values, int32_t *shown,
                           bool *more)
{
    int32_t columns = linpred_data_columns(data);
    bool *touched = calloc((size_t)columns, sizeof *touched);
    int count = 0;
    double label;
    *more = false;
    for (int64_t i = 0; touched && i < witness->rows; i++)
        if (linpred_data_row(data, witness->row[i], values, &label))
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

/* Prints an integer as a cell: 154, or rounded to 4.82081e+56 if it has more than WIDTH digits. */
static void print_weight(const char *weight)
{
    size_t digits = strlen(weight);
    if (digits <= WIDTH) {
        printf(" %*s", WIDTH, weight);
        return;
    }
    char first[12], text[40];
    snprintf(first, sizeof first, "%.9s",
             weight); /* nine digits decide the rounding to six, except if digits 7 to 9 are exactly 500 */
    snprintf(text, sizeof text, "%.5e", strtod(first, NULL));
    size_t more = strtoul(strchr(text, 'e') + 1, NULL, 10) - 8;
    snprintf(strchr(text, 'e'), 24, "e+%zu", digits - 1 + more);
    printf(" %*s", WIDTH, text);
}

/* If an integer is shown rounded, says so and where it stands in full. */
static void print_long_weights(const cli_witness *witness)
{
    for (int64_t i = 0; i < witness->rows && i < ROWS_SHOWN; i++)
        if (strlen(witness->weight(witness->from, i)) > WIDTH) {
            puts("  the weights are whole numbers; long ones are shown rounded: --json shows them in full");
            return;
        }
}

/* The columns from `from` to `to` of those that are shown. */
typedef struct column_range {
    const int32_t *shown;
    int from, to;
    bool more; /* others follow that are not shown */
} column_range;

static void print_part(const linpred_data *data, const cli_witness *witness, column_range part, double *values)
{
    bool first = part.from == 0;
    printf("\n%8s", "row");
    if (first)
        printf(" %*s %*.*s", WIDTH, "weight", WIDTH, WIDTH, linpred_data_target(data));
    for (int k = part.from; k < part.to; k++)
        printf(" %*.*s", WIDTH, WIDTH, linpred_data_feature(data, part.shown[k]));
    puts(part.more ? " …" : "");
    for (int64_t i = 0; i < witness->rows && i < ROWS_SHOWN; i++) {
        double label = 0.0;
        linpred_data_row(data, witness->row[i], values, &label);
        if (witness->sign)
            label = witness->sign[i];
        printf("%8" PRId64, witness->row[i]);
        if (first) {
            print_weight(witness->weight(witness->from, i));
            printf(" %*.*s", WIDTH, WIDTH, linpred_data_label(data, label > 0 ? 1 : -1));
        }
        for (int k = part.from; k < part.to; k++)
            printf(" %*.7g", WIDTH, values[part.shown[k]]);
        puts(part.more ? " …" : "");
    }
}

void cli_witness_table(const linpred_data *data, const cli_witness *witness)
{
    double *values = malloc(((size_t)linpred_data_columns(data) + 1) * sizeof *values);
    int32_t shown[COLUMNS_SHOWN];
    int screen = cli_line_width(), room = screen > 0 ? (screen - 8) / (WIDTH + 1) : COLUMNS_SHOWN + 2;
    bool more;
    if (!values)
        return;
    int count = columns_to_show(data, witness, values, shown, &more);
    int from = 0, to = 0;
    do {
        to = from + (from == 0 ? room - 2 : room); /* weight and label stand in the first part */
        to = to < count ? to : count;
        print_part(data, witness, (column_range){shown, from, to, more && to == count}, values);
        from = to;
    } while (to < count);
    if (witness->rows > ROWS_SHOWN)
        printf("  … and %" PRId64 " more: all of them with --json\n", witness->rows - ROWS_SHOWN);
    print_long_weights(witness);
    free(values);
}
