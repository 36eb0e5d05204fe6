/* Long names, cut so that what tells them apart stays. */
#ifndef CLI_DRAW_NAMES_H
#define CLI_DRAW_NAMES_H

#include "linpred/linpred.h"

enum { NAMES_BYTES = 1024 }; /* for a name as it is shown */

/* The name as one line of text: a line end as "\n", a tab as "\t". */
void names_flat(const char *name, char text[NAMES_BYTES]);
/* How many bytes the flat name of a column shares with those beside it, at its beginning: whole characters. */
size_t names_common(const linpred_model *model, int32_t column, const char *name);
/* Copies a name in at most `most` characters, with "…" for what is left out. The character after the first `common`
   bytes stays: there the name begins to differ from others. */
void names_cut(const char *name, size_t common, int most, char text[NAMES_BYTES]);
/* The length of a UTF-8 text in characters. */
int names_length(const char *text);

#endif
