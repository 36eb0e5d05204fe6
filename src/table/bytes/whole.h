/* All bytes of a file at once, for formats that are not read from their beginning to their end. A file is mapped; a
 * stream or a packed file is read into memory. */
#ifndef LINPRED_TABLE_WHOLE_H
#define LINPRED_TABLE_WHOLE_H

#include "table/bytes/source.h"

typedef struct linpred__whole {
    const unsigned char *data;
    size_t bytes;
    bool mapped; /* `data` is a mapping of the file; else it is allocated */
} linpred__whole;

/* Takes all bytes of the source, also those that it holds already. The file must not shrink while it is mapped. */
linpred_status linpred__whole_open(linpred__source *source, linpred__whole *whole, linpred_error *error);
void linpred__whole_close(linpred__whole *whole);

#endif
