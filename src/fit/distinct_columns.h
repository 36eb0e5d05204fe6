/* Columns that are distinct from others, though little of their length is left beside them. */
#ifndef LINPRED_FIT_DISTINCT_COLUMNS_H
#define LINPRED_FIT_DISTINCT_COLUMNS_H

#include "fit/design.h"
#include "solve/dense/dd_qr.h"

/* Tries the null vectors of the solution on every row. Columns whose vector does not hold in some row are distinct:
   their length hides what is left of them, for instance where rows weigh little, or where one row has a large entry.
   *found says whether there are new ones. For columns without powers. */
linpred_status linpred__find_distinct_columns(const linpred__design *design, const linpred__dd_solution *s,
                                              bool *distinct, bool *found, linpred_error *error);

/* The same for columns that lie far from 0, beside an intercept: a dependency of theirs may hold to rounding of their
   offsets and say nothing about what varies, so it is tried on what rows differ from the first by. A column that
   depends on the intercept alone stays as it is. Nothing is found where rows are too many. */
linpred_status linpred__find_distinct_about_first(const linpred__design *design, const linpred__dd_solution *s,
                                                  bool *distinct, bool *found, linpred_error *error);

#endif
