/* Cuts a text file into pieces that end where a record ends. */
#define _GNU_SOURCE
#include "table/source.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/limits.h"

/* Bytes after a text: a line feed, and zeros for reading ahead. */
enum { MARGIN = 1 + LINPRED__NUMBER_AHEAD };

static void close_text(char *text, size_t bytes)
{
    text[bytes] = '\n';
    memset(text + bytes + 1, 0, LINPRED__NUMBER_AHEAD);
}

/* Makes *text large enough for `bytes` and the margin; false if out of memory. */
static bool reserve_text(char **text, size_t *capacity, size_t bytes)
{
    size_t have = *capacity;
    if (have >= bytes + MARGIN)
        return true;
    char *grown = linpred__resize(*text, bytes + MARGIN, 1);
    if (!grown)
        return false;
    *text = grown;
    *capacity = bytes + MARGIN;
    return true;
}

linpred_status linpred__source_open(const char *path, double seconds, linpred__source *source, linpred_error *error)
{
    linpred__source opened = {.path = path};
    linpred_status status = linpred__input_open(path, seconds, &opened.input, error);
    if (status != LINPRED_OK)
        return status;
    opened.name = linpred__input_name(opened.input);
    *source = opened;
    return LINPRED_OK;
}

void linpred__source_close(linpred__source *source)
{
    linpred__input_close(source->input);
    linpred__release(source->held);
    source->input = NULL;
    source->held = NULL;
}

linpred_status linpred__source_hold(linpred__source *source, size_t bytes, linpred_error *error)
{
    if (!reserve_text(&source->held, &source->held_capacity, bytes > source->held_bytes ? bytes : source->held_bytes))
        return linpred__no_memory(error);
    if (bytes > source->held_bytes && !source->ended) {
        size_t got = 0;
        linpred_status status = linpred__input_read(source->input, source->held + source->held_bytes,
                                                    bytes - source->held_bytes, &got, error);
        if (status != LINPRED_OK)
            return status;
        source->ended = got < bytes - source->held_bytes;
        source->held_bytes += got;
    }
    close_text(source->held, source->held_bytes);
    return LINPRED_OK;
}

void linpred__source_skip(linpred__source *source, size_t bytes)
{
    memmove(source->held, source->held + bytes, source->held_bytes - bytes);
    source->held_bytes -= bytes;
    close_text(source->held, source->held_bytes);
}

static size_t count_quotes(const char *text, size_t bytes)
{
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += text[i] == '"';
    return count;
}

/* Where the last whole record of the text ends; 0 if no record ends. In a valid file quotes come in pairs, so the text
   ends inside quotes if it has an odd number of them. In a file with a misplaced quote the cuts after it may be wrong,
   but the error at the quote is reported first. A carriage return that is the last byte does not count: the line feed
   of the same line end may follow. */
static size_t last_end(const char *text, size_t bytes, bool quotes)
{
    if (!quotes || !memchr(text, '"', bytes)) {
        const char *end = memrchr(text, '\n', bytes);
        if (!end && bytes > 1)
            end = memrchr(text, '\r', bytes - 1);
        return end ? (size_t)(end - text) + 1 : 0;
    }
    bool inside = count_quotes(text, bytes) % 2 != 0;
    size_t carriage_return = 0;
    for (size_t i = bytes; i > 0; i--) {
        char c = text[i - 1];
        if (c == '"')
            inside = !inside;
        else if (!inside && c == '\n')
            return i;
        else if (!inside && c == '\r' && carriage_return == 0 && i < bytes)
            carriage_return = i;
    }
    return carriage_return;
}

/* Where the first record of the text ends; 0 if it goes on after the text. */
static size_t first_end(const char *text, size_t bytes, bool quotes, bool ended)
{
    bool inside = false;
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == '"' && quotes)
            inside = !inside;
        else if (!inside && text[i] == '\n')
            return i + 1;
        else if (!inside && text[i] == '\r' && (i + 1 < bytes || ended))
            return i + 1 + (i + 1 < bytes && text[i + 1] == '\n');
    }
    return ended ? bytes : 0;
}

/* Whether the text ends inside quotes that opened more than LINPRED__MAX_QUOTED_BYTES before its end. */
static bool quote_too_long(const linpred__source *source, const char *text, size_t bytes)
{
    const char *mark = source->quotes ? memrchr(text, '"', bytes) : NULL;
    return mark && text + bytes - mark > LINPRED__MAX_QUOTED_BYTES && count_quotes(text, bytes) % 2 != 0;
}

/* Decides what to do when no record ends in the text. If it holds a NUL, *end is set to its length: the reader then
   reports the NUL. If it is too long for a record, the call fails. Else *end stays 0 and more must be read. */
static linpred_status no_end_yet(const linpred__source *source, const char *text, size_t bytes, size_t *end,
                                 linpred_error *error)
{
    if (memchr(text, '\0', bytes))
        *end = bytes;
    else if (bytes >= LINPRED__MAX_RECORD_BYTES)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: a line is longer than %d MiB: is this a text file, with line ends?", source->name,
                             LINPRED__MAX_RECORD_BYTES >> 20);
    return LINPRED_OK;
}

linpred_status linpred__source_record(linpred__source *source, size_t *bytes, linpred_error *error)
{
    for (;;) {
        size_t end = first_end(source->held, source->held_bytes, source->quotes, source->ended);
        if (end == 0 && quote_too_long(source, source->held, source->held_bytes))
            end = source->held_bytes; /* the reader then reports the quote that is not closed */
        linpred_status status =
            end > 0 ? LINPRED_OK : no_end_yet(source, source->held, source->held_bytes, &end, error);
        if (status != LINPRED_OK)
            return status;
        if (end > 0 || source->ended) {
            *bytes = end;
            return LINPRED_OK;
        }
        status = linpred__source_hold(source, 2 * source->held_bytes + 4096, error);
        if (status != LINPRED_OK)
            return status;
    }
}

/* Extends the piece from *bytes to `wanted` bytes: first from what is held, of which *from_held bytes are used already,
   then from the input. */
static linpred_status read_on(linpred__source *source, linpred__piece_text *piece, size_t *bytes, size_t wanted,
                              size_t *from_held, linpred_error *error)
{
    if (!reserve_text(&piece->text, &piece->capacity, wanted))
        return linpred__no_memory(error);
    size_t more = source->held_bytes - *from_held;
    if (more > wanted - *bytes)
        more = wanted - *bytes;
    if (more > 0)
        memcpy(piece->text + *bytes, source->held + *from_held, more);
    *from_held += more;
    *bytes += more;
    if (source->ended || *bytes == wanted)
        return LINPRED_OK;
    size_t got = 0;
    linpred_status status = linpred__input_read(source->input, piece->text + *bytes, wanted - *bytes, &got, error);
    source->ended = got < wanted - *bytes;
    *bytes += got;
    return status;
}

linpred_status linpred__source_piece(linpred__source *source, linpred__piece_text *piece, linpred_error *error)
{
    size_t bytes = 0;
    size_t from_held = 0;
    size_t end = 0;
    for (size_t wanted = source->piece_bytes; end == 0; wanted = 2 * bytes) {
        linpred_status status = read_on(source, piece, &bytes, wanted, &from_held, error);
        if (status != LINPRED_OK)
            return status;
        bool all = source->ended && from_held == source->held_bytes;
        if (all || quote_too_long(source, piece->text, bytes))
            end = bytes;
        else
            end = last_end(piece->text, bytes, source->quotes);
        if (all)
            break;
        if (end == 0)
            status = no_end_yet(source, piece->text, bytes, &end, error);
        if (status != LINPRED_OK)
            return status;
    }
    /* The bytes after the cut are held for the next piece. If the piece came from held bytes alone, they are still
       there and only the cut ones are dropped. Else everything held was used, and the rest is copied back. */
    if (from_held < source->held_bytes || bytes == from_held) {
        linpred__source_skip(source, end);
    } else {
        source->held_bytes = 0;
        if (!reserve_text(&source->held, &source->held_capacity, bytes - end))
            return linpred__no_memory(error);
        memcpy(source->held, piece->text + end, bytes - end);
        source->held_bytes = bytes - end;
        close_text(source->held, source->held_bytes);
    }
    close_text(piece->text, end);
    piece->bytes = end;
    piece->last = source->ended && source->held_bytes == 0;
    return LINPRED_OK;
}
