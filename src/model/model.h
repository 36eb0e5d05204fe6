/* What a fit returns: a model, what was found, and a certificate. */
#ifndef LINPRED_MODEL_MODEL_H
#define LINPRED_MODEL_MODEL_H

#include "data/data.h"
#include "table/recipe.h"

struct linpred_model {
    linpred__recipe *recipe;
    int32_t columns;
    double *w; /* in the units of the file */
    double b;
    bool has_intercept;
};

typedef enum linpred__claim {
    LINPRED__CLAIM_SEPARATES, /* y(<w,x>+b) > 0 on every row */
    LINPRED__CLAIM_ERRORS     /* y(<w,x>+b) <= 0 on rows of this total weight; no claim that fewer are impossible */
} linpred__claim;

typedef struct linpred__certificate {
    linpred__claim claim;
    double errors;
    uint64_t fingerprint; /* of the data the claim speaks of */
} linpred__certificate;

/* One option as it was used, for the record. */
typedef struct linpred__option_record {
    char *flag;
    char *text;
} linpred__option_record;

struct linpred_result {
    linpred_model model;
    linpred_info info;
    linpred__certificate certificate;
    linpred__option_record *option;
    size_t options;
};

/* An empty result with room for `columns` weights, all zero; takes a share of the data's recipe, or makes a plain one. */
linpred_status linpred__result_new(const linpred_data *data, linpred_result **result, linpred_error *error);

/* Keeps a record of the options that mattered to the fit. */
linpred_status linpred__record_options(linpred_result *result, const linpred_options *options, linpred_error *error);

const char *linpred__claim_name(linpred__claim claim);

#endif
