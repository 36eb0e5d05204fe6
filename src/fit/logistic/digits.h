/* A small logistic fit to many digits, where doubles could not prove its gap.
 *
 * A basis B of the rows is chosen, and every row is a combination of B in exact arithmetic (num/tableau.h). The scores
 * of B are the coordinates: in them no rows are nearly dependent, whatever the columns are. With a penalty the
 * coefficients are rows too, of the loss (λW/2) w². Newton's method takes its steps in these coordinates, with losses
 * of 512 bits and Hessians of doubles. The coefficients are then rounded to a double and as many tails as it takes, and
 * the gap is that of the rounded ones.
 *
 *   gap <= Σ_B κ q² / (2 (1-q)),   q = |g| / κ <= 1/2
 *
 * for the gradient g of WF by the scores of B and the curvatures κ of their losses; docs/logistic.md derives it.
 */
#ifndef LINPRED_FIT_LOGISTIC_DIGITS_H
#define LINPRED_FIT_LOGISTIC_DIGITS_H

#include <gmp.h>

#include "minimise/logistic_problem.h"
#include "model/dependency.h"
#include "num/digits.h"
#include "num/integers.h"
#include "num/tableau.h"

/* The first `rows` rows of the tableau are those of the data, times `factor`, the others the coefficients, counted in
   units of 2^shift. */
typedef struct linpred__fine_fit {
    const linpred__logistic_problem *problem;
    int32_t rows, columns, width; /* width counts the intercept */
    double factor;
    int *shift;
    linpred__integers cells; /* rows x width, as the tableau is at first */
    linpred__tableau tableau;
    mp_bitcnt_t bits;         /* of values and entries: enough for large rows in terms of small ones */
    mpf_t *weight, *sign;     /* of each row of the data: weight times class weight, and its label */
    mpf_t *value;             /* of each row of the tableau: score, or coefficient in its unit */
    mpf_t *slope, *curvature; /* of its loss */
    mpf_t *entry; /* rows of the tableau x width: the value of the row is Σ_k entry_k (value of the row of the basis) */
    double *log2_scale;    /* log2 of sqrt(curvature), divided by factor for rows of the data */
    mpf_t mass;            /* W */
    mpf_t loss, objective; /* WF without and with its penalty */
    double gap;            /* where the last step began; INFINITY: none was proved */
    int32_t rank;
    int64_t losses; /* computed so far; the work on values of many bits is counted in losses too */
} linpred__fine_fit;

/* digits_rows.c: reads the rows. False: out of memory; to be closed in any case. */
bool linpred__fine_open(const linpred__logistic_problem *problem, linpred__fine_fit *fit);
void linpred__fine_close(linpred__fine_fit *fit);
/* Losses, slopes and curvatures at the values. */
void linpred__fine_evaluate(linpred__fine_fit *fit);
/* Values of all rows from coefficients, each a sum of `count` doubles: part p of coefficient j is parts[p width + j].
 */
void linpred__fine_take(linpred__fine_fit *fit, const double *parts, int32_t count);
/* Chooses the basis by the curvatures. False: exchanges did not end, or a row that is needed has no curvature left. */
bool linpred__fine_choose(linpred__fine_fit *fit);
/* The gradient g of WF by the value of the row of the basis that column k has. */
void linpred__fine_gradient(const linpred__fine_fit *fit, int32_t k, mpf_t g);
/* A bound of the relative gap; INFINITY: none is proved. A basis must have been chosen at these values. *largest is the
   largest q of a row of the data. */
double linpred__fine_gap(const linpred__fine_fit *fit, double *largest);

/* digits_newton.c: minimises F from the values. False: out of memory. */
bool linpred__fine_minimise(linpred__fine_fit *fit);
/* digits_round.c: coefficients of up to `count` parts near the values, which are those of a minimum, and with nothing
   along the dependencies; NAN if none were found, and with all parts INFINITY where one is beyond the range of doubles.
   `largest` is the largest coefficient of least norm: the dependencies are respected to 1e-12 of it. With `all` no
   score is far off, else those that matter. False: out of memory. */
bool linpred__fine_round(const linpred__fine_fit *fit, const linpred__dependencies *dependencies, double largest,
                         bool all, int32_t count, double *parts);
/* Standard errors of all coefficients. False: out of memory. */
bool linpred__fine_errors(const linpred__fine_fit *fit, double *standard_error);

#endif
