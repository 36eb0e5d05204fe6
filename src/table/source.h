/* A text file as a sequence of pieces, each of whole records, so that different threads can read different pieces.
 *
 * Where the pieces are cut depends on the text and the piece size alone. The text of a piece, and the text that is
 * held, is followed by a line feed and LINPRED__NUMBER_AHEAD zero bytes. So a last line without a line end needs no
 * special case, and reading a number may look that many bytes ahead.
 */
#ifndef LINPRED_TABLE_SOURCE_H
#define LINPRED_TABLE_SOURCE_H

#include "core/input.h"

typedef struct linpred__source {
    linpred__input *input;
    const char *path;   /* as the caller gave it */
    const char *name;   /* of the file, for messages */
    size_t piece_bytes; /* the length of a piece, longer only if one record is longer. 0: the reader chooses it. */
    bool quotes;        /* a line end between double quotes does not end a record */
    bool ended;         /* all bytes of the input are read */
    char *held;         /* bytes that are read, but not yet part of a piece */
    size_t held_bytes;
    size_t held_capacity;
} linpred__source;

typedef struct linpred__piece_text {
    char *text;
    size_t bytes;
    size_t capacity;
    bool last; /* this piece ends the file */
} linpred__piece_text;

/* `seconds` limits how long a pipe or device may be read: see linpred__input_open. */
linpred_status linpred__source_open(const char *path, double seconds, linpred__source *source, linpred_error *error);
void linpred__source_close(linpred__source *source);

/* Reads until at least `bytes` are held or the input ends. */
linpred_status linpred__source_hold(linpred__source *source, size_t bytes, linpred_error *error);
/* Reads until a whole record is held. *bytes is its length with its line end; 0 at the end of the file. */
linpred_status linpred__source_record(linpred__source *source, size_t *bytes, linpred_error *error);
/* Drops the first `bytes` of what is held. */
void linpred__source_skip(linpred__source *source, size_t bytes);
/* Cuts the next piece into `piece`, whose memory is used again. piece->bytes is 0 at the end of the file. */
linpred_status linpred__source_piece(linpred__source *source, linpred__piece_text *piece, linpred_error *error);

#endif
