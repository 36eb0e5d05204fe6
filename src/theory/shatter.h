/* Shattering: shatter.c decides it and finds the witness, labellings.c counts labellings, and api/shatter.c joins both
 * and asks whether one labelling is realised. */
#ifndef LINPRED_THEORY_SHATTER_H
#define LINPRED_THEORY_SHATTER_H

#include "data/data.h"
#include "solve/effort.h"
#include "num/integers.h"

/* The counts of linpred_labellings: realised, general position, Sauer. */
enum { LINPRED__LABELLINGS = 3 };

struct linpred_shattering {
    linpred_shatter_info info;
    int64_t witnesses;                /* points of the witness; the next three arrays have this length */
    int64_t *row;                     /* 1-based row of the file of each point */
    signed char *sign;                /* the label of each point in a labelling that is not realised: -1 or +1 */
    char **weight;                    /* |a_i| of the dependency Σ a_i z_i = 0, a positive integer in decimal */
    linpred_result *result;           /* the fit to the labelling that was asked about; NULL if none was */
    linpred_check *check;             /* the check of that result; NULL if there is none */
    char *count[LINPRED__LABELLINGS]; /* the counts in decimal; NULL if not counted */
};

typedef struct linpred__shatter_question {
    const linpred_data *points;
    linpred_data *labelled; /* the same rows, with `labels` as targets */
    double *labels;         /* one for each row; may be changed */
    linpred_shattering *answer;
    linpred__effort effort;
} linpred__shatter_question;

/* Decides whether the points are shattered. Fills `shattered`, `rank` and the witness of the answer, and sets the
   labels of the points that it looks at to +1. */
linpred_status linpred__decide_shattering(linpred__shatter_question *question, linpred_error *error);

/* Coordinates as exact integers with one scale for all: linpred__lowest_exponent is the lowest binary exponent of the
   first `rows` points, times 10^K if they have decimals. linpred__add_scaled adds the integer 10^K x 2^(53 - lowest).
   `row` is scratch for one point. */
int linpred__lowest_exponent(const linpred_data *points, int64_t rows, double *row);
void linpred__add_scaled(mpz_t sum, const linpred_data *points, int32_t column, double x, int lowest);
/* Fills `count` and info.general_position, or info.reason_no_count if the labellings are too many to count. */
linpred_status linpred__count_labellings(const linpred_data *points, linpred_shattering *shattering,
                                         linpred__effort *effort, linpred_error *error);

#endif
