/* Which dependencies of columns hold without any rounding? */
#ifndef LINPRED_FIT_EXACT_DEPENDENCIES_H
#define LINPRED_FIT_EXACT_DEPENDENCIES_H

#include "core/run.h"
#include "model/dependency.h"
#include "pass/problem.h"

/* `dependencies` come in as vectors n with <n,(x,1)> = 0 as far as rounding can tell. Those that hold in exact
   arithmetic on every row are marked as exact, and are replaced by the multiple for which they hold. Columns must be
   those of the data, without powers. */
linpred_status linpred__find_exact_dependencies(linpred__run *run, const linpred__problem *problem,
                                                const linpred__recipe *recipe, linpred__dependencies *dependencies,
                                                linpred_error *error);

#endif
