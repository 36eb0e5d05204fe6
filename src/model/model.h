/* What a fit returns: a model, what was found, and a certificate. */
#ifndef LINPRED_MODEL_MODEL_H
#define LINPRED_MODEL_MODEL_H

#include "core/options.h"
#include "data/data.h"
#include "model/dependency.h"
#include "model/figures.h"
#include "model/regression.h"
#include "proof/claim.h"
#include "table/recipe/recipe.h"

struct linpred_model {
    linpred_task task;
    linpred__recipe *recipe;
    int32_t columns;
    double *w; /* in the units of the file; of a ball its centre v */
    double b;  /* of a ball its radius², ρ: 0 or less is the empty ball */
    bool has_intercept;
    bool outside; /* ball: the label +1 is outside, the score ||x-v||² - ρ; else inside, ρ - ||x-v||² */
    linpred__regression *regression; /* NULL for other tasks */
};

typedef enum linpred__certificate_claim {
    LINPRED__CLAIM_SEPARATES,      /* y(<w,x>+b) > 0 on every row */
    LINPRED__CLAIM_ERRORS,         /* y(<w,x>+b) <= 0 on rows of this total weight; not that fewer are impossible */
    LINPRED__CLAIM_INSEPARABLE,    /* no halfspace separates: by the witness alone */
    LINPRED__CLAIM_LARGEST_MARGIN, /* w separates, and no halfspace has a homogeneous margin above `bound`: by the
                                      support */
    LINPRED__CLAIM_LARGEST_USUAL_MARGIN, /* the same of the margin with b left out of the norm */
    LINPRED__CLAIM_MARGIN_AT_MOST, /* no halfspace has a homogeneous margin above `bound`: by the support; nothing of w
                                    */
    LINPRED__CLAIM_LOGISTIC_OPTIMUM, /* the logistic objective has a minimum, and w is within the relative gap `bound`
                                        of it */
    LINPRED__CLAIM_NO_MINIMISER,     /* the direction v has y(<v,x>+v_b) >= 0 on every row, > 0 on some */
    LINPRED__CLAIM_OVERLAPPING,      /* the witness combines rows to zero that span all rows */
    LINPRED__CLAIM_FEWEST_ERRORS, /* errors as above, and no halfspace's mistakes cost less than `bound`: by the search
                                   */
    LINPRED__CLAIM_LEAST_SQUARES, /* w minimises the mean squared error (plus penalty): by model.regression */
    LINPRED__CLAIM_LEAST_ABSOLUTE /* w minimises the absolute or quantile loss: the support holds the duals */
} linpred__certificate_claim;

/* Of a ball the claims separates, errors and inseparable speak of balls: score > 0 in place of <w,x>+b > 0; its witness
   has Σ λ y x = 0, Σ λ y = 0 and Σ λ y ||x||² >= 0 (<= 0 if +1 is outside), its direction is of (x, ||x||², 1). */
/* Rows are those of the file, 1-based, ascending. Any claim may bring a witness that nothing separates the rows. */
typedef struct linpred__certificate {
    linpred__certificate_claim claim;
    double errors; /* mistakes of the model by weight, NaN: none claimed */
    double bound;  /* of the margin, or of the gap; NaN: none */
    double l2;     /* logistic: the objective is the weighted mean loss + (l2/2)||w||² */
    double
        class_weight[2];  /* what multiplies the weights of rows labelled -1 and +1: logistic, and costs of mistakes */
    uint64_t fingerprint; /* of the data the claim speaks of */
    int64_t witnesses;
    int64_t *witness_row;
    char **witness_weight; /* positive integers λ, decimal: Σ λ z = 0 */
    int64_t supports;
    int64_t *support_row;
    double *multiplier; /* α_i = multiplier_i + tail_i >= 0 */
    double *tail;
    int32_t directions;          /* 0, or columns (+ 1 with an intercept; + 2 of a ball) */
    char **direction;            /* integers, decimal: a w (and b last) that separates where no w of doubles does */
    linpred__cover_proof search; /* that no mistakes cost less than `bound` */
} linpred__certificate;

void linpred__certificate_clear(linpred__certificate *certificate);
/* Make room for so many entries, numbers 0 and texts NULL; false if out of memory. */

/* One option as it was used, for the record. */
typedef struct linpred__option_record {
    char *flag;
    char *text;
} linpred__option_record;

struct linpred_result {
    linpred_model model;
    linpred_info info;
    linpred__claims claims;
    linpred__certificate certificate;
    double *standard_error;             /* columns + 1 long, or NULL */
    double confidence;                  /* of the intervals made from them */
    linpred__dependencies dependencies; /* of a logistic fit; a regression has its own */
    linpred__option_record *option;
    size_t options;
};

/* An empty result with room for all weights, all zero; takes a share of the data's recipe, or makes a plain one for
   the task of the options. */
linpred_status linpred__result_new(const linpred_data *data, const linpred_options *options, linpred_result **result,
                                   linpred_error *error);

/* For tests, which look inside. */
const linpred_info *linpred__result_info(const linpred_result *result);

/* Those of a regression stand in its model, where prediction intervals need them. */
linpred__dependencies *linpred__result_dependencies(const linpred_result *result);

/* Keeps a record of the options that mattered to the fit. */
linpred_status linpred__record_options(linpred_result *result, const linpred_options *options, linpred_error *error);

/* Writes the sentence of each claim, once the result is complete. False: out of memory. */
bool linpred__write_sentences(linpred_result *result);

/* "y = out inside and the rest outside": what a ball is asked to do, as words. */
enum { LINPRED__SIDES = 120 };
void linpred__ball_sides(const linpred_model *model, char text[LINPRED__SIDES]);

#endif
