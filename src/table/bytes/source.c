/* Cuts a text file into pieces that end where a record ends. */
#define _GNU_SOURCE
#include "table/bytes/source.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/limits.h"
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

/* Whether the path is a file that can be opened again from its beginning. */
static bool is_file(const char *path)
{
    struct stat found;
    return strcmp(path, "-") != 0 && stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

linpred_status linpred__source_open(const char *path, double seconds, linpred__source *source, linpred_error *error)
{
    linpred__source opened = {.path = path, .seconds = seconds, .keeps = !is_file(path)};
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
    linpred__release(source->held_memory);
    linpred__replay_clear(&source->replay);
    linpred__release(source->skipped);
    source->input = NULL;
    source->held = source->held_memory = source->skipped = NULL;
}

void linpred__source_forget(linpred__source *source)
{
    linpred__replay_clear(&source->replay);
    source->again = 0;
    source->keeps = false;
}

void linpred__source_report(linpred__source *source)
{
    if (!source->on_progress || linpred__seconds_since(&source->reported) < LINPRED__PROGRESS_SECONDS)
        return;
    source->reported = linpred__now();
    linpred_progress progress = {
        .stage = "reading",
        .errors = (double)NAN,
        .seconds = linpred__seconds_since(&source->opened),
        .lower_bound = (double)NAN,
        .gap = (double)NAN,
        .working_rows = -1,
        .bytes = source->read_bytes,
        .total_bytes = linpred__input_size(source->input),
    };
    source->on_progress(source->context, &progress);
}

/* Reads the input, and keeps the bytes if it cannot be opened again. */
static linpred_status read_stream(linpred__source *source, char *buffer, size_t wanted, size_t *got,
                                  linpred_error *error)
{
    linpred_status status = linpred__input_read(source->input, buffer, wanted, got, error);
    source->drained = *got < wanted;
    if (status != LINPRED_OK || !source->keeps || *got == 0)
        return status;
    if (!linpred__replay_add(&source->replay, buffer, *got))
        linpred__source_forget(source);
    source->again = source->replay.bytes;
    return LINPRED_OK;
}

/* Reads what is kept, as far as it must be read again, then the input. */
static linpred_status read_input(linpred__source *source, char *buffer, size_t wanted, size_t *got,
                                 linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    int64_t left = source->replay.bytes - source->again;
    size_t more = 0;
    *got = left < (int64_t)wanted ? (size_t)left : wanted;
    if (*got > 0 && !linpred__replay_read(&source->replay, source->again, buffer, *got))
        return linpred__fail(error, LINPRED_ERROR_FILE, "%s: what was kept of it in a temporary file cannot be read",
                             source->name);
    source->again += (int64_t)*got;
    if (*got < wanted && !source->drained)
        status = read_stream(source, buffer + *got, wanted - *got, &more, error);
    *got += more;
    source->read_bytes += (int64_t)*got;
    linpred__source_report(source);
    return status;
}

/* Makes room for `bytes` held bytes in all; false if out of memory. */
static bool reserve_held(linpred__source *source, size_t bytes)
{
    if (source->held_memory && source->held != source->held_memory)
        memmove(source->held_memory, source->held, source->held_bytes);
    bool done = reserve_text(&source->held_memory, &source->held_capacity, bytes);
    source->held = source->held_memory;
    return done;
}

linpred_status linpred__source_hold(linpred__source *source, size_t bytes, linpred_error *error)
{
    if (!reserve_held(source, bytes > source->held_bytes ? bytes : source->held_bytes))
        return linpred__no_memory(error);
    if (bytes > source->held_bytes && !source->ended) {
        size_t got;
        linpred_status status =
            read_input(source, source->held + source->held_bytes, bytes - source->held_bytes, &got, error);
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
    source->held += bytes;
    source->held_bytes -= bytes;
}

linpred_status linpred__source_put_back(linpred__source *source, size_t lines, linpred_error *error)
{
    if (!reserve_held(source, source->held_bytes + lines))
        return linpred__no_memory(error);
    memmove(source->held + lines, source->held, source->held_bytes);
    memset(source->held, '\n', lines);
    source->held_bytes += lines;
    close_text(source->held, source->held_bytes);
    return LINPRED_OK;
}

/* ---- the beginning of a text ------------------------------------------------------------------------------------- */

/* Makes all held bytes, which are UTF-16, UTF-8. Half a surrogate pair becomes the three bytes that its number has in
   UTF-8, and an odd last byte becomes 0xFF. Neither is valid UTF-8, so that a column that holds it is judged as any
   other. */
static linpred_status decode_utf16(linpred__source *source, bool big, linpred_error *error)
{
    static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0}; /* of a character of 1 + i bytes */
    const unsigned char *from = (const unsigned char *)source->held;
    size_t units = source->held_bytes / 2;
    char *text = linpred__alloc(3 * units + 1 + MARGIN, 1);
    if (!text)
        return linpred__no_memory(error);
    size_t bytes = 0;
    for (size_t i = 0; i < units; i++) {
        uint32_t c = (uint32_t)from[2 * i + !big] << 8 | from[2 * i + big];
        uint32_t low = i + 1 < units ? (uint32_t)from[2 * i + 2 + !big] << 8 | from[2 * i + 2 + big] : 0;
        if (c >= 0xD800 && c < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
            c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
            i++;
        }
        if (c < 0x80) {
            text[bytes++] = (char)c;
            continue;
        }
        int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        text[bytes++] = (char)(lead[more] | c >> 6 * more);
        for (; more > 0; more--)
            text[bytes++] = (char)(0x80 | (c >> 6 * (more - 1) & 0x3F));
    }
    if (source->held_bytes % 2 != 0)
        text[bytes++] = (char)0xFF;
    linpred__release(source->held_memory);
    source->held = source->held_memory = text;
    source->held_capacity = 3 * units + 1 + MARGIN;
    source->held_bytes = bytes;
    source->was_utf16 = true;
    close_text(text, bytes);
    return LINPRED_OK;
}

/* Skips a byte order mark. A text is UTF-16 if it begins with such a mark in UTF-16, or if every other of its first
   four bytes is 0. */
static linpred_status find_charset(linpred__source *source, linpred_error *error)
{
    const unsigned char *text = (const unsigned char *)source->held;
    size_t bytes = source->held_bytes;
    if (bytes >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF) {
        linpred__source_skip(source, 3);
        return LINPRED_OK;
    }
    bool marked = bytes >= 2 && ((text[0] == 0xFF && text[1] == 0xFE) || (text[0] == 0xFE && text[1] == 0xFF));
    bool unmarked = bytes >= 4 && ((text[0] == 0) != (text[1] == 0)) && (text[0] == 0) == (text[2] == 0) &&
                    (text[1] == 0) == (text[3] == 0);
    if (!marked && !unmarked)
        return LINPRED_OK;
    bool big = marked ? text[0] == 0xFE : text[0] == 0;
    if (marked)
        linpred__source_skip(source, 2);
    linpred_status status = LINPRED_OK;
    while (status == LINPRED_OK && !source->ended)
        status = linpred__source_hold(source, 2 * source->held_bytes + 4096, error);
    return status == LINPRED_OK ? decode_utf16(source, big, error) : status;
}

linpred_status linpred__source_begin(linpred__source *source, linpred_error *error)
{
    linpred_status status = find_charset(source, error);
    bool quotes = source->rules.quotes;
    source->rules.quotes = false; /* lines are skipped, not records */
    for (int64_t line = 0; status == LINPRED_OK && line < source->skip; line++) {
        size_t bytes = 0;
        status = linpred__source_record(source, &bytes, error);
        if (status == LINPRED_OK && bytes == 0)
            status = linpred__fail(error, LINPRED_ERROR_INPUT,
                                   "%s: the file has only %lld line%s, and --skip %lld leaves nothing of it",
                                   source->name, (long long)line, line == 1 ? "" : "s", (long long)source->skip);
        if (status == LINPRED_OK && line == 0) {
            linpred__release(source->skipped);
            source->skipped = linpred__copy_text(source->held, bytes);
            status = source->skipped ? LINPRED_OK : linpred__no_memory(error);
        }
        if (status == LINPRED_OK)
            linpred__source_skip(source, bytes);
    }
    source->rules.quotes = quotes;
    return status;
}

linpred_status linpred__source_rewind(linpred__source *source, const char *why, linpred_error *error)
{
    if (source->keeps) {
        source->again = 0;
    } else if (is_file(source->path)) {
        linpred__input *again;
        linpred_status opened = linpred__input_open(source->path, source->seconds, &again, error);
        if (opened != LINPRED_OK)
            return opened;
        linpred__input_close(source->input);
        source->input = again;
        source->name = linpred__input_name(again);
        source->drained = false;
    } else {
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: %s, and this input cannot be read twice, nor is there room to keep it in the folder "
                             "of temporary files: save it to a file, or set TMPDIR",
                             source->name, why);
    }
    source->read_bytes = 0;
    source->held_bytes = 0;
    source->ended = false;
    linpred_status status = linpred__source_hold(source, LINPRED__HEAD_BYTES, error);
    return status == LINPRED_OK ? linpred__source_begin(source, error) : status;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

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
        size_t end = linpred__first_record_end(&source->rules, source->held, source->held_bytes, source->ended);
        if (end == 0 && source->rules.quotes && linpred__quote_too_long(source->held, source->held_bytes))
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
    size_t got;
    linpred_status status = read_input(source, piece->text + *bytes, wanted - *bytes, &got, error);
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
        bool open = false;
        bool all = source->ended && from_held == source->held_bytes;
        end = all ? bytes : linpred__last_record_end(&source->rules, piece->text, bytes, &open);
        if (open && linpred__quote_too_long(piece->text, bytes))
            end = bytes; /* the reader then reports the quote that is not closed */
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
        if (!reserve_held(source, bytes - end))
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
