/* Inside of shattering: theory/shatter.c decides and finds witnesses, theory/labellings.c counts, and api/shatter.c
 * asks for a labelling that a class realises.
 */
#ifndef LINPRED_THEORY_SHATTER_H
#define LINPRED_THEORY_SHATTER_H

#include "data/data.h"
#include "solve/effort.h"
#include "num/integers.h"

enum { LINPRED__LABELLINGS = 3 };

struct linpred_shattering {
    linpred_shatter_info info;
    int64_t witnesses;
    int64_t *row; /* of the file, 1-based */
    signed char *sign;
    char **weight; /* decimal */
    linpred_result *result;
    linpred_check *check;
    char *count[LINPRED__LABELLINGS];
};

typedef struct linpred__shatter_question {
    const linpred_data *points;
    linpred_data *labelled; /* the same rows with the labels below */
    double *labels;
    linpred_shattering *answer;
    linpred__effort effort;
} linpred__shatter_question;

/* Are the points shattered? Fills shattered, rank and the witness of the answer; the labels become +1. */
linpred_status linpred__decide_shattering(linpred__shatter_question *question, linpred_error *error);

/* Coordinates as integers, exactly: x = integer 2^exponent with one exponent, the lowest of all, for the first `rows`
   points. `row` is scratch for one point. */
int linpred__lowest_exponent(const linpred_data *points, int64_t rows, double *row);
void linpred__set_scaled(mpz_t integer, double x, int lowest);
/* Fills count and general_position of the shattering, or the reason why not. */
linpred_status linpred__count_labellings(const linpred_data *points, linpred_shattering *shattering,
                                         linpred__effort *effort, linpred_error *error);

#endif
