/* The matrix X'VX of the normal equations times a vector, without the matrix: V are the weights of the rows. One pass.
 *
 * With an intercept the coordinate 1 stands behind the columns. The rows are those of the data, or what `expand` makes
 * of them.
 */
#ifndef LINPRED_PASS_NORMAL_PRODUCT_H
#define LINPRED_PASS_NORMAL_PRODUCT_H

#include "core/threads.h"
#include "data/data.h"

typedef struct linpred__normal_matrix {
    int32_t width; /* entries of a row, the 1 of the intercept included */
    bool has_intercept;
    /* NULL: rows are those of the data. Else it fills the `width` entries of a row, leading and trailing parts. Only
       the leading parts count here. */
    void (*expand)(const void *context, const linpred__block *block, int32_t r, double *hi, double *lo);
    const void *context; /* of `expand` */
} linpred__normal_matrix;

/* out = X'VX v, or the diagonal of X'VX if v is NULL; both are `width` long. */
linpred_status linpred__normal_product(const linpred_data *data, linpred__pool *pool,
                                       const linpred__normal_matrix *matrix, const double *v, double *out,
                                       linpred_error *error);

#endif
