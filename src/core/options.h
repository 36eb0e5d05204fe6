/* Options one by one: as text, for the record that a model keeps, and whether they make sense. */
#ifndef LINPRED_CORE_OPTIONS_H
#define LINPRED_CORE_OPTIONS_H

#include "linpred/linpred.h"

/* The value of option `index` as people would type it, at most `bytes` long; false if it was left unset, off or
 * unlimited. */
bool linpred__option_text(const linpred_options *options, size_t index, char *room, size_t bytes);

/* Whether it differs from its default. */
bool linpred__option_is_set(const linpred_options *options, size_t index);
/* Whether its value, which may have been written straight into the struct, is one that options.def allows. */
linpred_status linpred__option_check_range(const linpred_options *options, size_t index, linpred_error *error);
/* Whether all options are in range and those that were set mean something to a call named `what`, which listens to
   LINPRED_FOR_… bits. Options of reading and encoding are let through: the data may have come by them. */
linpred_status linpred__options_check_for(const linpred_options *options, unsigned listens, const char *what,
                                          linpred_error *error);

#endif
