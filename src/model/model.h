/* What a fit returns: a model, what was found, and what is claimed. */
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

/* One option as it was used, for the record. */
typedef struct linpred__option_record {
    char *flag;
    char *text;
} linpred__option_record;

struct linpred_result {
    linpred_model model;
    linpred__figures figures;
    linpred__claims claims;
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
const linpred__figures *linpred__result_figures(const linpred_result *result);

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
