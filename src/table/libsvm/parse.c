/* Reads a piece of a LIBSVM file into sparse rows, fast.
 *
 * A line is a label and entries index:value with blanks between them; '#' begins a comment. The indices of a line
 * ascend. An entry with the value 0 is not stored, but its index counts for the number of columns.
 */
#include "core/digits.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/libsvm/libsvm.h"

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline bool ends_token(char c)
{
    return is_blank(c) || c == '\n' || c == '\r' || c == '#';
}

/* Reads a number of any form, and counts it if it is rounded. NULL if it is not a number. */
static const char *read_slowly(const char *at, linpred__libsvm_piece *piece, double *value)
{
    const char *from = at;
    while (!ends_token(*at) && *at != '\0')
        at++;
    size_t bytes = (size_t)(at - from);
    if (*at == '\0' || linpred__number_read(from, bytes, value) != LINPRED__NUMBER)
        return NULL;
    bool altered = linpred__number_altered(from, bytes, *value);
    if (altered && piece->altered++ == 0)
        piece->altered_line = piece->lines;
    piece->long_numbers = piece->long_numbers || altered || linpred__number_is_long(from, bytes);
    return at;
}

static inline const char *read_value(const char *at, linpred__libsvm_piece *piece, double *value)
{
    unsigned digit = (unsigned)(unsigned char)*at - '0';
    if (digit < 10 && ends_token(at[1])) { /* many files hold indicators and small counts only */
        *value = digit;
        return at + 1;
    }
    const char *end = linpred__everyday_number(at, value);
    if (end && ends_token(*end))
        return end;
    end = linpred__number_scan(at, value);
    if (!end || !ends_token(*end))
        return read_slowly(at, piece, value);
    if (end - at > 15 && !piece->long_numbers)
        piece->long_numbers = linpred__number_is_long(at, (size_t)(end - at));
    return end;
}

/* Reads an index and its colon; NULL if there are no digits, more than 10, or no colon after them. */
static inline const char *read_index(const char *at, int64_t *index)
{
    uint64_t word = linpred__word(at);
    /* Marks the bytes that are not digits: their high nibble is not 3, or adding 6 to the low nibble carries. */
    uint64_t others = ((word & 0xF0F0F0F0F0F0F0F0u) ^ 0x3030303030303030u) |
                      (((word & 0x0F0F0F0F0F0F0F0Fu) + 0x0606060606060606u) & 0xF0F0F0F0F0F0F0F0u);
    int digits = others ? __builtin_ctzll(others) / 8 : 8;
    if (digits == 8)
        digits = linpred__digits_ahead(at);
    if (digits == 0 || digits > 10 || at[digits] != ':')
        return NULL;
    *index = (int64_t)(digits < 8 ? linpred__eight_digits((word << (64 - 8 * digits)) & 0x0F0F0F0F0F0F0F0Fu)
                                  : linpred__digits(at, digits));
    return at + digits + 1;
}

static const char *skip_line(const char *at, const char *end)
{
    while (at < end && *at != '\n' && *at != '\r')
        at++;
    return at;
}

/* Reads the entries of a row and returns where its line ends; NULL at an error. */
static inline const char *read_entries(const char *at, const char *end, linpred_index_base base,
                                       linpred__libsvm_piece *piece)
{
    int64_t before = base == LINPRED_INDEX_ONE ? 0 : -1;
    int64_t entries = piece->entries;
    double *values = piece->values;
    int32_t *indices = piece->indices;
    for (;;) {
        while (is_blank(*at))
            at++;
        int64_t index;
        double value;
        const char *next = read_index(at, &index);
        if (!next)
            break;
        at = read_value(next, piece, &value);
        if (!at || index <= before || index > INT32_MAX)
            return NULL;
        if (index == 0)
            piece->zero = true;
        before = index;
        values[entries] = value;
        indices[entries] = (int32_t)(index - 1);
        entries += value != 0.0;
    }
    if (before > piece->largest)
        piece->largest = (int32_t)before;
    piece->entries = entries;
    if (*at == '#')
        at = skip_line(at, end);
    return *at == '\n' || *at == '\r' ? at : NULL;
}

static bool reserve_entries(size_t bytes, linpred__libsvm_piece *piece)
{
    /* A row takes at least 2 bytes and an entry 4. The last row may lack its line end. An entry is written before it is
       counted, so that a value 0 at the end needs memory too. */
    size_t rows = bytes / 2 + 2;
    size_t entries = bytes / 4 + 2;
    if (rows <= piece->row_capacity && entries <= piece->entry_capacity)
        return true;
    rows += rows / 8; /* the next piece may be a little longer, and shall not need new memory */
    entries += entries / 8;
    linpred__release(piece->label);
    linpred__release(piece->start);
    linpred__release(piece->values);
    linpred__release(piece->indices);
    piece->label = linpred__alloc(rows, sizeof *piece->label);
    piece->start = linpred__alloc(rows + 1, sizeof *piece->start);
    piece->values = linpred__alloc(entries, sizeof *piece->values);
    piece->indices = linpred__alloc(entries, sizeof *piece->indices);
    bool made = piece->label && piece->start && piece->values && piece->indices;
    piece->row_capacity = made ? rows : 0;
    piece->entry_capacity = made ? entries : 0;
    return made;
}

void linpred__libsvm_parse(const linpred__piece_text *text, linpred_index_base base, linpred__libsvm_piece *piece)
{
    const char *at = text->text;
    const char *end = at + text->bytes;
    piece->has_error = false;
    piece->rows = 0;
    piece->lines = 0;
    piece->row_lines.jumps = 0;
    piece->entries = 0;
    piece->altered = 0;
    piece->long_numbers = false;
    piece->largest = -1;
    piece->zero = false;
    piece->no_memory = !reserve_entries(text->bytes, piece);
    if (piece->no_memory)
        return;
    piece->start[0] = 0;
    while (at < end) {
        while (is_blank(*at))
            at++;
        if (*at == '#')
            at = skip_line(at, end);
        if (*at != '\n' && *at != '\r') {
            piece->no_memory = !linpred__row_begins(&piece->row_lines, piece->rows, piece->lines);
            if (piece->no_memory)
                return;
            at += *at == '+' && at[1] >= '0' && at[1] <= '9';
            at = read_value(at, piece, &piece->label[piece->rows]);
            at = at ? read_entries(at, end, base, piece) : NULL;
            if (!at) {
                piece->has_error = true;
                return;
            }
            piece->start[++piece->rows] = piece->entries;
        }
        piece->lines++;
        at += 1 + (at[0] == '\r' && at + 1 < end && at[1] == '\n');
    }
}
