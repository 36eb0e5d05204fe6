/* Reading a text file piece by piece on all threads, with one outcome whatever their number.
 *
 * A piece goes through four steps: it is cut from the file (one at a time), parsed (each by any thread, knowing nothing
 * of the others), merged (in the order of the file, one at a time: types, levels, row numbers and errors are settled
 * here, so that the first error of the file is the one reported), and stored (by any thread). A thread takes whatever
 * step is due; none waits for a thread that was never started.
 */
#ifndef LINPRED_TABLE_PIECES_H
#define LINPRED_TABLE_PIECES_H

#include "core/threads.h"
#include "table/source.h"

typedef struct linpred__piece {
    linpred__piece_text text;
    void *parsed; /* the reader's own, kept from piece to piece */
} linpred__piece;

typedef struct linpred__piece_work {
    void *context;
    void (*parse)(void *context, linpred__piece *piece);
    linpred_status (*merge)(void *context, linpred__piece *piece, linpred_error *error);
    void (*store)(void *context, linpred__piece *piece);
    void (*release)(void *parsed); /* once at the end, for every piece that was parsed into */
} linpred__piece_work;

linpred_status linpred__pieces_run(linpred__source *source, linpred__pool *pool, const linpred__piece_work *work,
                                   linpred_error *error);

#endif
