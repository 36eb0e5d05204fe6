/* A text file as a sequence of pieces, each of whole records, so that different threads can read different pieces.
 *
 * Where the pieces are cut depends on the text and the piece size alone. The text of a piece, and the text that is
 * held, is followed by a line feed and LINPRED__NUMBER_AHEAD zero bytes. So a last line without a line end needs no
 * special case, and reading a number may look that many bytes ahead.
 */
#ifndef LINPRED_TABLE_SOURCE_H
#define LINPRED_TABLE_SOURCE_H

#include <time.h>

#include "core/input.h"
#include "table/bytes/replay.h"
#include "table/bytes/record_ends.h"

typedef struct linpred__source {
    linpred__input *input;
    const char *path;
    double seconds;                                                       /* see linpred__input_open */
    const char *name;                                                     /* of the file, for messages */
    bool (*on_progress)(void *context, const linpred_progress *progress); /* of the options; NULL: not called */
    void *context;                                                        /* the argument of on_progress */
    struct timespec opened;                                               /* when reading began */
    struct timespec reported;                                             /* when on_progress was last called */
    int64_t read_bytes;                                                   /* so far, of the text that is read now */
    size_t piece_bytes; /* the length of a piece, longer only if one record is longer. 0: the reader chooses it. */
    linpred__record_rules rules;
    bool was_utf16;         /* linpred__source_begin has made the text UTF-8 */
    int64_t skip;           /* lines that linpred__source_begin skips */
    char *skipped;          /* the first of these lines; NULL if there is none */
    linpred__replay replay; /* a stream that cannot be opened again: the bytes that were read so far */
    int64_t again;          /* of these, how many were read since linpred__source_rewind; all, if it was not called */
    bool keeps;   /* `replay` holds all bytes; false if the file can be opened again, or if they were too many */
    bool drained; /* all bytes of the input are read */
    bool ended;   /* and those that are kept are read again */
    char *held;   /* bytes that are read, but not yet part of a piece; inside held_memory */
    size_t held_bytes;
    char *held_memory;
    size_t held_capacity; /* of held_memory */
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

/* Prepares a text: skips a byte order mark, makes UTF-16 UTF-8, and skips the first
   source->skip lines. The first bytes must be held. */
linpred_status linpred__source_begin(linpred__source *source, linpred_error *error);
/* Begins the text again, as linpred__source_begin left it. Fails if the stream cannot be read twice; `why` says in the
   message why that would be needed. */
linpred_status linpred__source_rewind(linpred__source *source, const char *why, linpred_error *error);

/* Says that linpred__source_rewind will not be called, so that nothing must be kept for it. */
void linpred__source_forget(linpred__source *source);

/* Reads until at least `bytes` are held or the input ends. */
linpred_status linpred__source_hold(linpred__source *source, size_t bytes, linpred_error *error);
/* Reads until a whole record is held. *bytes is its length with its line end; 0 at the end of the file. */
linpred_status linpred__source_record(linpred__source *source, size_t *bytes, linpred_error *error);
/* Shows progress, if it was not shown a moment ago: read_bytes of the file are read. */
void linpred__source_report(linpred__source *source);
/* Drops the first `bytes` of what is held. */
void linpred__source_skip(linpred__source *source, size_t bytes);
/* Puts so many blank lines before what is held. */
linpred_status linpred__source_put_back(linpred__source *source, size_t lines, linpred_error *error);
/* Cuts the next piece into `piece`, whose memory is used again. piece->bytes is 0 at the end of the file. */
linpred_status linpred__source_piece(linpred__source *source, linpred__piece_text *piece, linpred_error *error);

#endif
