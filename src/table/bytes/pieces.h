/* Reads a text file piece by piece on all threads. The result and the reported error do not depend on the number of
 * threads.
 *
 * Each piece goes through four steps:
 *   cut    the next piece of the file is read; one thread at a time
 *   parse  any thread turns the text into numbers, without looking at other pieces
 *   merge  types, levels, row numbers and errors are decided; one piece at a time, in the order of the file, so that
 *          the first error of the file is reported
 *   store  any thread copies the numbers into the table
 * A thread takes whichever step can be done next. All pieces are read even if the pool starts fewer threads than asked.
 */
#ifndef LINPRED_TABLE_PIECES_H
#define LINPRED_TABLE_PIECES_H

#include "core/threads.h"
#include "table/bytes/source.h"

typedef struct linpred__piece {
    linpred__piece_text text;
    void *parsed; /* what `parse` made of the text, in the reader's own type. NULL before the first parse; a slot keeps
                     it for the next piece, so that its memory is used again. */
} linpred__piece;

/* What a reader implements. */
typedef struct linpred__piece_work {
    void *context; /* of the reader; `parse` and `store` must not change what other threads read */
    void (*parse)(void *context, linpred__piece *piece);
    linpred_status (*merge)(void *context, linpred__piece *piece, linpred_error *error);
    void (*store)(void *context, linpred__piece *piece);
    void (*release)(void *parsed); /* frees piece->parsed; called at the end, for every slot in which it is not NULL */
} linpred__piece_work;

/* Runs the four steps for all pieces of the source. */
linpred_status linpred__pieces_run(linpred__source *source, linpred__pool *pool, const linpred__piece_work *work,
                                   linpred_error *error);

#endif
