/* Verifying a regression: what its files share. Nothing of fit/ or solve/. */
#ifndef LINPRED_CHECK_REGRESSION_H
#define LINPRED_CHECK_REGRESSION_H

#include "check/check.h"

/* All that linpred_verify does for a regression. */
linpred_status linpred__check_regression(const linpred_result *result, const linpred_data *data, int threads,
                                         linpred_check *check, linpred_error *error);

/* The claims. check->same_data is set before; claim, finding, verdict and gap are set here, and the error bounds of
   model.regression. */
linpred_status linpred__check_least_squares(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                            linpred_check *check, linpred_error *error);
linpred_status linpred__check_least_absolute(const linpred_result *result, const linpred_data *data,
                                             linpred__pool *pool, linpred_check *check, linpred_error *error);

/* The coordinates in which a fit is judged. Powers that are independent, without a penalty: the fit's own polynomials,
   which span the same functions, for plain powers would lose what is to be judged in rounding. Else plain powers: what
   least norm and a penalty speak of. `w` is 2 width long, leading and trailing parts. False: out of memory. */
bool linpred__check_in_basis(const linpred_result *result);
bool linpred__check_coordinates(const linpred_result *result, linpred__polynomial_basis *basis, double *w);

/* basis_form.c: how far the form that predict uses is from the coefficients, relative to the targets. */
typedef struct linpred__polynomial_basis_form {
    double apart;
    double doubt;        /* rounding may hide this much more */
    double dependencies; /* the same of the dependencies, */
    double dependencies_doubt;
    double *off; /* of each coefficient, how far it may be from the basis form in plain powers; NULL: no powers */
} linpred__polynomial_basis_form;

linpred_status linpred__check_basis_form(const linpred_result *result, const linpred_data *data,
                                         linpred__polynomial_basis_form *form, linpred_error *error);
void linpred__check_basis_form_clear(linpred__polynomial_basis_form *form);

/* ||row j of T S|| for S (width x rank by rows) in the basis, rounding of its arithmetic included, and answers how much
   of one of them the rounding of S itself may be at most, relative; -1: out of memory. */
double linpred__check_plain_lengths(const linpred__polynomial_basis *basis, const double *factor, size_t rank,
                                    double *length);

/* figures.c: what the verifier measured, sums of the residuals in units of 2^unit. */
typedef struct linpred__figures {
    int64_t rows;
    double weight;
    double squares;    /* Σ weight r² */
    double noise;      /* rounding of the square root of that */
    double absolute;   /* Σ weight |r| */
    double loss;       /* absolute loss: that of the quantile */
    double around;     /* Σ weight (y - mean y)², without intercept Σ weight y²; NaN: not measured */
    double around_off; /* what the rounding of the mean may have made of that */
    int unit;
    int32_t rank;         /* -1: not known */
    const double *length; /* ||row j of S|| in plain powers; NULL: no S */
    double factor_off;    /* ||I - S'GS|| as measured, */
    double factor_usual;  /* what making S in doubles makes of it, */
    double factor_doubt;  /* and what rounding may have added */
    double length_doubt;  /* what the rounding of S may be of a length, relative */
} linpred__figures;

/* Refutes, or says in the finding what was verified. */
void linpred__check_figures(const linpred_result *result, const linpred__figures *figures, linpred_check *check);
void linpred__check_forms(const linpred__polynomial_basis_form *form, linpred_check *check);

#endif
