/* What a fit returns: the model, its figures and its claims. */
#ifndef LINPRED_MODEL_MODEL_H
#define LINPRED_MODEL_MODEL_H

#include "core/options.h"
#include "data/data.h"
#include "model/dependency.h"
#include "model/figures.h"
#include "model/regression.h"
#include "data/score.h"
#include "proof/claim.h"
#include "table/recipe/recipe.h"

struct linpred_model {
    linpred_task task;
    linpred__recipe *recipe;
    int32_t columns;
    double *w; /* the weights in the units of the file; for a ball its centre v */
    double b;  /* the intercept; for a ball the squared radius ρ, where 0 or less means the empty ball */
    bool has_intercept;
    linpred__tails tails; /* of a halfspace or a logistic model: coefficients with their tails are meant. A regression
                             has its own */
    bool outside; /* for a ball: the label +1 is outside, so the score is ||x-v||² - ρ instead of ρ - ||x-v||² */
    linpred__regression *regression; /* NULL for other tasks */
    const linpred__figures *figures; /* of the result that holds the model: intervals need some of them */
};

/* One option with the value that the fit used. */
typedef struct linpred__option_record {
    char *flag;
    char *text;
} linpred__option_record;

struct linpred_result {
    linpred_model model;
    linpred__figures figures;
    linpred__claims claims;
    double *standard_error;             /* columns + 1 long, the intercept last; NULL: there are none */
    double confidence;                  /* the confidence level of intervals */
    linpred__dependencies dependencies; /* of a logistic fit; a regression keeps them in the model */
    linpred__option_record *option;
    size_t options;
};

/* Makes an empty result with all weights 0. It shares the recipe of the data; if there is none it makes one for the
   task. */
linpred_status linpred__result_new(const linpred_data *data, linpred_task task, const linpred_options *options,
                                   linpred_result **result, linpred_error *error);

/* The dependencies of the result. A regression keeps them in its model, because prediction intervals need them. */
linpred__dependencies *linpred__result_dependencies(const linpred_result *result);

/* Fails unless the data have as many features as the model. */
linpred_status linpred__model_suits(const linpred_model *model, const linpred_data *data, linpred_error *error);

/* The factor of ||w||²/2 in the objective; 0 where none is stated. */
double linpred__model_l2(const linpred_model *model);

/* Records the options that a fit by this method used, and the method itself. */
linpred_status linpred__record_options(linpred_result *result, linpred_method method, const linpred_options *options,
                                       linpred_error *error);

/* Writes the sentence of each claim, once the result is complete. False: out of memory. */
bool linpred__write_sentences(linpred_result *result);

/* Writes what a ball is asked to do: "y = out inside and the rest outside". */
enum { LINPRED__SIDES = 120 };
void linpred__ball_sides(const linpred_model *model, char text[LINPRED__SIDES]);

#endif
