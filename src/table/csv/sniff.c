/* Finds the separator, row names and the decimal mark of a CSV file by looking at its beginning.
 *
 * The separator is the first of tab, semicolon, comma, | and blank that cuts each of the first LINPRED__HEAD_LINES
 * lines into the same number of fields, and into more than one. If there is none, it is the one that cuts the first
 * line into the most fields (blanks only if no other cuts it), so that the reader reports the line whose number of
 * fields differs.
 *
 * R's write.table leaves the name of the row names out: the first line has one field less than each other line. So that
 * a stray separator is not taken for this, the first field of each line must be quoted, no number, or the number of the
 * row. The first line has also one field less where each other line ends with a separator and it does not; then the
 * last field of each other line is empty. Where both may be, nobody decides.
 */
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/number.h"
#include "table/csv/csv.h"
#include "table/limits.h"

static const char candidates[] = {'\t', ';', ',', '|', ' '};

linpred_status linpred__csv_named_separator(const char *word, char *separator, linpred_error *error)
{
    static const struct {
        const char *word;
        char separator;
    } known[] = {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"space", ' '}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(word, known[i].word) == 0) {
            *separator = known[i].separator;
            return LINPRED_OK;
        }
    bool one = strlen(word) == 1 && ((word[0] >= ' ' && word[0] < 0x7F) || word[0] == '\t');
    if (!one || strspn(word, "\"+-.#0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") > 0) {
        char buffer[LINPRED__EXCERPT];
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "'%s' cannot separate fields: say comma, semicolon, tab, space, or one character that is "
                             "not part of a number or word",
                             linpred__excerpt(word, strlen(word), buffer));
    }
    *separator = word[0];
    return LINPRED_OK;
}

linpred_status linpred__csv_named_decimal(const char *word, char *decimal, linpred_error *error)
{
    bool comma = strcmp(word, ",") == 0 || strcmp(word, "comma") == 0;
    char buffer[LINPRED__EXCERPT];
    if (!comma && strcmp(word, ".") != 0 && strcmp(word, "point") != 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--decimal takes , or . (or comma, point), not '%s'",
                             linpred__excerpt(word, strlen(word), buffer));
    *decimal = comma ? ',' : '.';
    return LINPRED_OK;
}

/* A walk over the lines that are held. */
typedef struct lines {
    linpred__dialect dialect;
    const linpred__source *source;
    const char *at;
    const char *end;
    linpred__scratch *scratch;
} lines;

static lines begin_lines(const linpred__csv *csv, char separator, linpred__scratch *scratch)
{
    lines walk = {.dialect = csv->dialect, .source = csv->source, .scratch = scratch};
    linpred__dialect_set(&walk.dialect, separator);
    walk.at = csv->source->held;
    walk.end = walk.at + csv->source->held_bytes;
    return walk;
}

/* The number of fields of the next line. 0: a blank line or a comment; -1: a quote is not closed, or there is a NUL. */
static int64_t count_fields(lines *walk)
{
    linpred__line_kind kind = linpred__line_begin(&walk->dialect, &walk->at, walk->end, false);
    if (kind == LINPRED__LINE_BLANK || kind == LINPRED__LINE_SKIPPED)
        return 0;
    for (int64_t fields = 1;; fields++) {
        linpred__field field = linpred__field_read_loosely(&walk->dialect, walk->at, walk->end, walk->scratch);
        if (field.end > LINPRED__ENDS_LINE)
            return -1;
        walk->at = field.next;
        if (field.end == LINPRED__ENDS_LINE)
            return fields;
    }
}

/* Whether the last line read may go on after what is held. */
static bool may_go_on(const lines *walk, int64_t fields)
{
    return !walk->source->ended && (fields < 0 || (fields != 0 && walk->at >= walk->end));
}

typedef struct field_counts {
    int64_t first;  /* fields of the first line; 0 if there is none */
    int64_t others; /* fields of each other line; 0 if there is none, -1 if they differ */
} field_counts;

static field_counts try_separator(const linpred__csv *csv, char separator, linpred__scratch *scratch)
{
    lines walk = begin_lines(csv, separator, scratch);
    field_counts counts = {0, 0};
    for (int line = 0; line < LINPRED__HEAD_LINES && walk.at < walk.end; line++) {
        int64_t fields = count_fields(&walk);
        if (counts.first != 0 && may_go_on(&walk, fields))
            break;
        if (fields < 0) {
            counts.others = -1;
            return counts;
        }
        if (counts.first == 0)
            counts.first = fields;
        else if (fields != 0 && counts.others == 0)
            counts.others = fields;
        else if (fields != 0 && fields != counts.others)
            counts.others = -1;
    }
    return counts;
}

/* What each line after the first, which has one field less, has too much: a row name at its beginning, an empty field
   at its end, or either. */
static linpred__extra_field find_extra(const linpred__csv *csv, char separator, linpred__scratch *scratch)
{
    lines walk = begin_lines(csv, separator, scratch);
    int64_t rows = -1; /* lines with fields, without the first */
    bool named = true, open = true;
    for (int line = 0; line < LINPRED__HEAD_LINES && walk.at < walk.end; line++) {
        lines before = walk;
        int64_t fields = count_fields(&walk);
        if (may_go_on(&walk, fields))
            break;
        if (fields == 0 || rows++ < 0)
            continue;
        while (*before.at == ' ')
            before.at++;
        bool quoted = *before.at == '"';
        linpred__field field = linpred__field_read_loosely(&before.dialect, before.at, before.end, scratch);
        double value;
        bool number = linpred__number_read(field.text, field.bytes, &value) == LINPRED__NUMBER;
        named = named && field.bytes > 0 && (quoted || !number || value == (double)rows);
        for (int64_t i = 1; i < fields; i++)
            field = linpred__field_read_loosely(&before.dialect, field.next, before.end, scratch);
        open = open && field.bytes == 0;
    }
    if (rows <= 0 || (!named && !open))
        return LINPRED__EXTRA_NONE;
    return !open ? LINPRED__EXTRA_ROW_NAME : named ? LINPRED__EXTRA_EITHER : LINPRED__EXTRA_EMPTY;
}

char linpred__csv_find_separator(const linpred__csv *csv, char like, linpred__scratch *scratch,
                                 linpred__extra_field *extra)
{
    char best = '\0', longer = '\0';
    int64_t max_fields = 1;
    *extra = LINPRED__EXTRA_NONE;
    for (size_t i = 0; i <= sizeof candidates; i++) {
        char candidate = i == 0 ? like : candidates[i - 1];
        if (candidate == '\0')
            continue;
        field_counts counts = try_separator(csv, candidate, scratch);
        if (counts.first > 1 && (counts.others == counts.first || counts.others == 0)) {
            *extra = LINPRED__EXTRA_NONE;
            return candidate;
        }
        if (counts.first > 1 && counts.others == counts.first + 1 && *extra == LINPRED__EXTRA_NONE) {
            *extra = find_extra(csv, candidate, scratch);
            longer = candidate;
        }
        if (counts.first > max_fields && (candidate != ' ' || best == '\0')) {
            best = candidate;
            max_fields = counts.first;
        }
    }
    return *extra != LINPRED__EXTRA_NONE ? longer : best;
}

/* The number of lines before the first from which on each line that is held has the same number of fields, more than
   one; 0 if there are fewer than three such lines, or if they begin with the first. */
static int64_t lines_before_table(const linpred__csv *csv, char separator, linpred__scratch *scratch)
{
    lines walk = begin_lines(csv, separator, scratch);
    int64_t width = 0, begin = 0, rows = 0, first = 0;
    for (int64_t line = 0; line < LINPRED__HEAD_LINES && walk.at < walk.end; line++) {
        int64_t fields = count_fields(&walk);
        if (may_go_on(&walk, fields))
            break;
        if (fields < 0)
            return 0;
        if (fields > 0 && fields != width) {
            width = fields;
            begin = line;
            rows = 0;
        }
        rows += fields > 0;
        first = first > 0 ? first : fields;
    }
    /* The first line alone has one field less, or more than half of the fields: it holds names, of which some are
       missing, or the rows end with separators. */
    bool names = begin == 1 && (width == first + 1 || 2 * first > width);
    return width > 1 && rows > 2 && !names ? begin : 0;
}

/* Whether this separator cuts the second line and more than half of those that are held into as many fields as the
   first, more than one: then the table begins with the first, whatever another mark, such as a decimal comma, makes of
   the lines. */
static bool begins_with_first(const linpred__csv *csv, char separator, linpred__scratch *scratch)
{
    lines walk = begin_lines(csv, separator, scratch);
    int64_t first = 0, rows = 0, alike = 0;
    for (int64_t line = 0; line < LINPRED__HEAD_LINES && walk.at < walk.end; line++) {
        int64_t fields = count_fields(&walk);
        if (fields < 0 || may_go_on(&walk, fields))
            break;
        first = first > 0 ? first : fields;
        rows += fields > 0;
        alike += fields > 0 && fields == first;
        if (rows == 2 && alike < 2)
            return false;
    }
    return first > 1 && 2 * alike > rows;
}

int64_t linpred__csv_find_preamble(const linpred__csv *csv, char separator, linpred__scratch *scratch)
{
    if (separator != '\0' && begins_with_first(csv, separator, scratch))
        return 0;
    for (size_t i = 0; i < sizeof candidates; i++) {
        int64_t before = candidates[i] == ' ' ? 0 : lines_before_table(csv, candidates[i], scratch);
        if (before > 0)
            return csv->lines + before;
    }
    return 0;
}

/* What the fields of a line are, for a look at titles. */
typedef struct title_fields {
    int64_t fields;
    int64_t filled;
    int64_t numbers; /* fields that begin with a digit */
    bool first;      /* the first is filled */
} title_fields;

static title_fields look_at_fields(lines *walk)
{
    title_fields found = {0};
    lines before = *walk;
    found.fields = count_fields(walk);
    for (int64_t i = 0; i < found.fields; i++) {
        linpred__field field = linpred__field_read_loosely(&before.dialect, before.at, before.end, before.scratch);
        size_t sign = field.bytes > 1 && field.text[0] == '-';
        found.filled += field.bytes > 0;
        found.numbers += field.bytes > 0 && field.text[sign] >= '0' && field.text[sign] <= '9';
        found.first = found.first || (i == 0 && field.bytes > 0);
        before.at = field.next;
    }
    return found;
}

/* Half of the fields of a title at most are filled, the first among them. Titles and lines of separators alone come
   first, then names in all fields, then a line with a number. */
int64_t linpred__csv_find_title(const linpred__csv *csv, char separator, linpred__scratch *scratch)
{
    lines walk = begin_lines(csv, separator, scratch);
    int64_t width = 0, names = 0;
    for (int64_t line = 0; line < LINPRED__HEAD_LINES && walk.at < walk.end; line++) {
        title_fields found = look_at_fields(&walk);
        if (found.fields == 0)
            continue;
        width = width > 0 ? width : found.fields;
        if (may_go_on(&walk, found.fields) || found.fields != width || width < 2)
            return 0;
        if (names > 0)
            return found.numbers > 0 ? csv->lines + names : 0;
        if (found.filled == width && found.numbers == 0 && line > 0)
            names = line;
        else if (2 * found.filled > width || (found.filled > 0 && !found.first))
            return 0;
    }
    return 0;
}

/* ---- the decimal mark -------------------------------------------------------------------------------------------- */

/* What the numbers tell that have a point or a comma, by linpred__decimal_hint: how many, and the first. */
typedef struct decimal_evidence {
    int64_t count[LINPRED__DECIMAL_NEITHER + 1];
    linpred__csv_place first[LINPRED__DECIMAL_NEITHER + 1];
} decimal_evidence;

/* Takes the fields of one line as evidence. False if out of memory. */
static bool take_marks(lines *walk, int64_t line, decimal_evidence *evidence)
{
    for (;;) {
        linpred__field field = linpred__field_read_loosely(&walk->dialect, walk->at, walk->end, walk->scratch);
        if (field.end > LINPRED__ENDS_LINE) {
            walk->at = walk->end;
            return true;
        }
        linpred__decimal_hint hint = linpred__cell_decimal(field.text, field.bytes);
        linpred__csv_place *first = &evidence->first[hint];
        if (evidence->count[hint]++ == 0 && hint != LINPRED__DECIMAL_ANY) {
            *first = (linpred__csv_place){linpred__copy_text(field.text, field.bytes), line};
            if (!first->text)
                return false;
        }
        walk->at = field.next;
        if (field.end == LINPRED__ENDS_LINE)
            return true;
    }
}

/* Which mark the evidence tells. Of 1,234 and 1.234 each may be either: the model decides, and without one a comma in a
   file that semicolons separate is a decimal comma, and so is one where thousands are grouped by blanks. */
static char decide_mark(const linpred__csv *csv, const decimal_evidence *evidence)
{
    const linpred__reading *like = csv->request->like;
    const int64_t *count = evidence->count;
    if (count[LINPRED__DECIMAL_COMMA] > count[LINPRED__DECIMAL_POINT])
        return ',';
    if (count[LINPRED__DECIMAL_POINT] > 0)
        return '.';
    if (like && like->known && csv->dialect.separator != ',')
        return like->decimal;
    bool likely = csv->dialect.separator == ';' || count[LINPRED__DECIMAL_NEITHER] > 0;
    return likely && count[LINPRED__DECIMAL_EITHER] > 0 ? ',' : '.';
}

/* The kind of number that must be shown, because it is read with a mark that may surprise: a comma, a mark unlike that
   of the model's fit, or 1.234 where semicolons separate and nothing else tells the mark. LINPRED__DECIMAL_ANY: none.
 */
static linpred__decimal_hint surprising_mark(const linpred__csv *csv, const decimal_evidence *evidence, char decimal)
{
    const linpred__reading *like = csv->request->like;
    const int64_t *count = evidence->count;
    bool known = like && like->known;
    if (known && like->decimal == decimal)
        return LINPRED__DECIMAL_ANY;
    if (decimal == ',')
        return count[LINPRED__DECIMAL_COMMA] > 0 ? LINPRED__DECIMAL_COMMA : LINPRED__DECIMAL_EITHER;
    if (known && count[LINPRED__DECIMAL_POINT] > 0 && count[LINPRED__DECIMAL_GROUPS] == 0)
        return LINPRED__DECIMAL_POINT;
    if (known) /* 1.234 may be either, and is the one to show */
        return count[LINPRED__DECIMAL_GROUPS] > 0 ? LINPRED__DECIMAL_GROUPS : LINPRED__DECIMAL_ANY;
    bool unclear = csv->dialect.separator == ';' && count[LINPRED__DECIMAL_POINT] == 0;
    return unclear && count[LINPRED__DECIMAL_GROUPS] > 0 ? LINPRED__DECIMAL_GROUPS : LINPRED__DECIMAL_ANY;
}

linpred_status linpred__csv_find_decimal(const linpred__csv *csv, char *decimal, linpred__csv_place *found,
                                         linpred_error *error)
{
    linpred__scratch scratch = {0};
    lines walk = begin_lines(csv, csv->dialect.separator, &scratch);
    const linpred__reading *like = csv->request->like;
    size_t held = csv->source->held_bytes;
    decimal_evidence evidence = {{0}, {{NULL, 0}}};
    linpred_status status = LINPRED_OK;
    bool semicolons = csv->dialect.separator == ';', commas = csv->dialect.separator == ',';
    *found = (linpred__csv_place){NULL, 0};
    *decimal = like && like->known && !commas ? like->decimal : '.';
    /* Where commas separate, only a quoted number can hold one. */
    bool may_have_comma = memchr(walk.at, ',', held) && (!commas || memchr(walk.at, '"', held));
    bool unlike = like && like->known && like->decimal == ',';
    if (*decimal == '.' && !may_have_comma && !((semicolons || unlike) && memchr(walk.at, '.', held)))
        return LINPRED_OK;
    for (int64_t line = csv->lines + 1; status == LINPRED_OK && walk.at < walk.end; line++) {
        const char *from = walk.at;
        linpred__line_kind kind = linpred__line_begin(&walk.dialect, &walk.at, walk.end, false);
        if ((kind == LINPRED__LINE_BLANK || kind == LINPRED__LINE_SKIPPED) && walk.at > from)
            continue;
        if (!take_marks(&walk, line, &evidence))
            status = linpred__no_memory(error);
    }
    linpred__release(scratch.text);
    *decimal = decide_mark(csv, &evidence);
    linpred__decimal_hint shown = surprising_mark(csv, &evidence, *decimal);
    *found = evidence.first[shown];
    for (int i = 0; i <= LINPRED__DECIMAL_NEITHER; i++)
        if (i != (int)shown || status != LINPRED_OK)
            linpred__release(evidence.first[i].text);
    if (status != LINPRED_OK)
        *found = (linpred__csv_place){NULL, 0};
    return status;
}
