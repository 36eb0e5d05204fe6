/* Polynomials of the columns that stand for their powers, in a basis in which they hardly depend on each other.
 *
 *   φ_1 = (x - a_0) 2^-e,   φ_{k+1} = (x - a_k) 2^-e φ_k - b_k φ_{k-1},   φ_0 = 1, or 0 in a model without intercept
 *
 * Any numbers a, b give a basis of the same polynomials; those of a fit make it orthogonal over the training rows.
 * Terms of other columns are the columns themselves. Coordinates have one entry for each term, and one for the
 * intercept behind them. Everything is evaluated in double-double, from x as it is in the data.
 */
#ifndef LINPRED_MODEL_BASIS_H
#define LINPRED_MODEL_BASIS_H

#include "num/dd.h"
#include "data/data.h"
#include "table/recipe/recipe.h"

typedef struct linpred__polynomial {
    int32_t feature; /* column of the data */
    int32_t term;    /* where its terms begin */
    int32_t degree;  /* above 1 */
    int exponent;    /* e */
    double *center;  /* a_0 … a_{degree-1} */
    double *step;    /* b_0 (not used), b_1 … b_{degree-1} */
} linpred__polynomial;

typedef struct linpred__polynomial_basis {
    int32_t terms;
    int32_t features;
    bool has_intercept;
    int32_t polynomials; /* 0: the terms are the columns */
    linpred__polynomial *polynomial;
    int32_t *term_of; /* for each column of the data, its first term */
} linpred__polynomial_basis;

/* With a = 0, b = 0 and e = 0, that is the plain powers. False if out of memory (then nothing is left to clear). */
bool linpred__polynomial_basis_make(linpred__polynomial_basis *basis, const linpred__recipe *recipe,
                                    bool has_intercept);
bool linpred__polynomial_basis_copy(linpred__polynomial_basis *to, const linpred__polynomial_basis *from);
void linpred__polynomial_basis_clear(linpred__polynomial_basis *basis);

/* terms + intercept */
static inline int32_t linpred__polynomial_basis_width(const linpred__polynomial_basis *basis)
{
    return basis->terms + basis->has_intercept;
}

/* The coordinates of a row: φ(x), and 1 behind them if there is an intercept; leading and trailing parts. Rows are
   dense if there are polynomials. */
void linpred__polynomial_basis_row(const linpred__polynomial_basis *basis, const linpred__block *block, int32_t r,
                                   double *hi, double *lo);

/* How far what linpred__polynomial_basis_row answered may be from the coordinates in exact arithmetic; `hi` is what it
 * answered. */
void linpred__polynomial_basis_row_error(const linpred__polynomial_basis *basis, const linpred__block *block, int32_t r,
                                         const double *hi, double *error);

/* The same function in plain powers: Σ plain_j x^j = Σ c_j φ_j(x). plain may not be c. */
void linpred__polynomial_basis_to_powers(const linpred__polynomial_basis *basis, const linpred__dd *c,
                                         linpred__dd *plain);

/* Σ c_j φ_j(x) by the recurrence, in double-double, rounded once; c in leading and trailing parts. Rows are dense. */
double linpred__polynomial_basis_score(const linpred__polynomial_basis *basis, const linpred__block *block, int32_t r,
                                       const double *c, const double *tail);

#endif
