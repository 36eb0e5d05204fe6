/* Finds columns of texts that a person takes for numbers with something besides their digits, such as 70 kg. */
#ifndef LINPRED_TABLE_UNITS_H
#define LINPRED_TABLE_UNITS_H

#include <stdint.h>

/* The first level that is such a text, if three of four levels at least, and two, are so; else -1. *why says why it is
   no number: "has a unit". */
int32_t linpred__unit_level(char *const *level, int32_t levels, const char **why);

#endif
