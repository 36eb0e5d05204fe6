/* A text file as a sequence of pieces, each of whole records.
 *
 * A piece begins where a record begins and ends where one ends, so that pieces can be read by different threads. Where
 * the pieces are cut depends on the text and the piece size alone. After the text of a piece, and of what is held,
 * stand a line feed and LINPRED__NUMBER_AHEAD zero bytes: a last line without its end needs no special care, and
 * looking ahead is safe.
 */
#ifndef LINPRED_TABLE_SOURCE_H
#define LINPRED_TABLE_SOURCE_H

#include "core/input.h"

typedef struct linpred__source {
    linpred__input *input;
    const char *name;   /* for messages */
    size_t piece_bytes; /* a piece is longer only if a record is; 0: for the reader to choose */
    bool quotes;        /* a line end between double quotes ends no record */
    bool ended;         /* the input has nothing more to give */
    char *held;         /* read, but not handed out yet */
    size_t held_bytes;
    size_t held_capacity;
} linpred__source;

typedef struct linpred__piece_text {
    char *text;
    size_t bytes;
    size_t capacity;
    bool last; /* the file ends here */
} linpred__piece_text;

linpred_status linpred__source_open(const char *path, double seconds, linpred__source *source,
                                    linpred_error *error); /* see input.h */
void linpred__source_close(linpred__source *source);

/* Reads on until at least `bytes` are held, or all there is. */
linpred_status linpred__source_hold(linpred__source *source, size_t bytes, linpred_error *error);
/* Reads on until a whole record is held; *bytes is its length, line end included, 0 at the end of the file. */
linpred_status linpred__source_record(linpred__source *source, size_t *bytes, linpred_error *error);
void linpred__source_skip(linpred__source *source, size_t bytes);
/* The next piece, in memory that the piece keeps from call to call; bytes is 0 at the end of the file. */
linpred_status linpred__source_piece(linpred__source *source, linpred__piece_text *piece, linpred_error *error);

#endif
