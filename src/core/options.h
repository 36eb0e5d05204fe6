/* Options as text, for the record that a model keeps. */
#ifndef LINPRED_CORE_OPTIONS_H
#define LINPRED_CORE_OPTIONS_H

#include "linpred/linpred.h"

/* The value of option `index` as people would type it, at most `bytes` long; false if it was left unset, off or unlimited. */
bool linpred__option_text(const linpred_options *options, size_t index, char *room, size_t bytes);

#endif
