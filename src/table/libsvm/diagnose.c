/* Words the first error of a LIBSVM piece, in a sentence that begins with FILE:LINE. The piece is read again, token by
 * token. */
#include <string.h>

#include "core/error.h"
#include "core/number.h"
#include "table/libsvm/libsvm.h"

typedef struct place {
    const char *name; /* of the file */
    int64_t line;     /* 1-based line of the file */
    linpred_index_base base;
    linpred_error *error;
} place;

static linpred_status fail(const place *p, const char *token, size_t bytes, const char *what)
{
    char buffer[LINPRED__EXCERPT];
    return linpred__fail_at(p->error, LINPRED_ERROR_INPUT, p->line, 0, "%s:%lld: '%s' %s", p->name, (long long)p->line,
                            linpred__excerpt(token, bytes, buffer), what);
}

static const char *wrong_number(linpred__number answer, const char *otherwise)
{
    switch (answer) {
    case LINPRED__TOO_LARGE:
        return "has a value beyond the range of double";
    case LINPRED__NOT_FINITE:
        return "has a value that is not a finite number";
    default:
        return otherwise;
    }
}

static bool signed_number(const char *text, size_t bytes)
{
    double value;
    return bytes > 0 && linpred__number_read(text, bytes, &value) != LINPRED__NOT_NUMBER;
}

static linpred_status check_label(const place *p, const char *token, size_t bytes, const char *line_end)
{
    double value;
    linpred__number answer = linpred__number_read(token, bytes, &value);
    if (answer == LINPRED__NUMBER)
        return LINPRED_OK;
    if (answer != LINPRED__NOT_NUMBER)
        return fail(p, token, bytes, wrong_number(answer, ""));
    if (memchr(token, '\0', bytes))
        return fail(p, token, bytes, "holds a NUL byte: is this a text file?");
    if (memchr(token, ':', bytes))
        return fail(p, token, bytes, "is where the label should be; a line begins with its label");
    bool entries = memchr(token, ':', (size_t)(line_end - token)) != NULL;
    if (!entries && (memchr(token, ',', bytes) || memchr(token, ';', bytes)))
        return fail(p, token, bytes, "is not a label; the file looks like CSV, so say --format csv");
    const char *comma = memchr(token, ',', bytes);
    if (comma && signed_number(token, (size_t)(comma - token)))
        return fail(p, token, bytes, "is more than one label, and rows with several labels are not read");
    return fail(p, token, bytes, "is not a number, and the labels of a LIBSVM file must be numbers");
}

/* `before` is the index of the entry before this one in the same row, -1 if there is none. */
static linpred_status check_index(const place *p, const char *token, size_t bytes, const char *colon, int64_t *before)
{
    size_t digits = (size_t)(colon - token);
    int64_t index;
    if (digits == 0)
        return fail(p, token, bytes, "has no index before its colon");
    if (digits == 3 && memcmp(token, "qid", 3) == 0)
        return fail(p, token, bytes, "is a query number, and ranking data (qid) is not read");
    if (token[0] == '-' && signed_number(token, digits))
        return fail(p, token, bytes, "has a negative index");
    if (strspn(token, "0123456789") < digits)
        return fail(p, token, bytes, "has an index that is not a whole number");
    if (!linpred__whole_read(token, digits, &index) || index > INT32_MAX || digits > 10)
        return fail(p, token, bytes, "has an index above 2147483647, the largest there is");
    if (index == 0 && p->base == LINPRED_INDEX_ONE)
        return fail(p, token, bytes, "has the index 0, but indices begin with 1 (--index-base 1)");
    if (index == *before)
        return fail(p, token, bytes, "has the same index as the entry before it");
    if (index < *before)
        return fail(p, token, bytes, "has a smaller index than the entry before it; indices must ascend");
    *before = index;
    return LINPRED_OK;
}

static linpred_status check_entry(const place *p, const char *token, size_t bytes, int64_t *before)
{
    if (memchr(token, '\0', bytes))
        return fail(p, token, bytes, "holds a NUL byte: is this a text file?");
    const char *colon = memchr(token, ':', bytes);
    if (!colon)
        return fail(p, token, bytes, "is not of the form index:value");
    linpred_status status = check_index(p, token, bytes, colon, before);
    if (status != LINPRED_OK)
        return status;
    size_t rest = bytes - (size_t)(colon + 1 - token);
    if (rest == 0)
        return fail(p, token, bytes, "has no value after its colon");
    double value;
    linpred__number answer = linpred__number_read(colon + 1, rest, &value);
    return answer == LINPRED__NUMBER ? LINPRED_OK
                                     : fail(p, token, bytes, wrong_number(answer, "has a value that is not a number"));
}

static linpred_status check_line(const place *p, const char *at, const char *end)
{
    int64_t before = -1;
    for (int token = 0;; token++) {
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        const char *from = at;
        while (at < end && *at != ' ' && *at != '\t')
            at++;
        if (at == from)
            return LINPRED_OK;
        size_t bytes = (size_t)(at - from);
        linpred_status status = token == 0 ? check_label(p, from, bytes, end) : check_entry(p, from, bytes, &before);
        if (status != LINPRED_OK)
            return status;
    }
}

linpred_status linpred__libsvm_diagnose(const char *name, const linpred__piece_text *text, linpred_index_base base,
                                        int64_t lines_before, linpred_error *error)
{
    place p = {name, lines_before + 1, base, error};
    const char *end = text->text + text->bytes;
    for (const char *at = text->text; at < end; p.line++) {
        const char *line_end = at;
        while (line_end < end && *line_end != '\n' && *line_end != '\r')
            line_end++;
        const char *comment = memchr(at, '#', (size_t)(line_end - at));
        linpred_status status = check_line(&p, at, comment ? comment : line_end);
        if (status != LINPRED_OK)
            return status;
        at = line_end + 1 + (*line_end == '\r' && line_end + 1 < end && line_end[1] == '\n');
    }
    return linpred__fail(error, LINPRED_ERROR_INTERNAL, "%s: a piece was refused, but nothing is wrong with it", name);
}
