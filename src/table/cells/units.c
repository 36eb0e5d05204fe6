/* Texts that a person takes for a number, though they hold more than one: 70 kg, CHF 1'200.-, (70), 70-, <70.
 *
 * Such a text is a mark or the name of a currency, or none; digits with points, commas, blanks and apostrophes between
 * them; and the rest, which is a unit: letters or marks without a blank among them. Something must stand besides the
 * digits. Dates, times and ranges such as 10-20 are none of these.
 */
#include "table/cells/units.h"

#include <string.h>
#include <strings.h>

#include "table/cells/date.h"
#include "table/limits.h"
#include "table/cells/markers.h"

typedef struct unit_found {
    const char *unit; /* what stands behind the digits, within the text; "" if nothing does */
    bool apart;       /* a blank stands before it */
    const char *why;  /* why the text is no number: "has a unit" */
} unit_found;

static bool digit_at(char sign)
{
    return sign >= '0' && sign <= '9';
}

/* The length of the longest of these texts with which `text` begins, whatever its capitals; 0 if it is none. */
static size_t length_of_any(const char *text, const char *const *texts, size_t count)
{
    size_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(texts[i]);
        if (length > longest && strncasecmp(text, texts[i], length) == 0)
            longest = length;
    }
    return longest;
}

/* A blank, U+00A0, U+2009 or U+202F. */
static size_t blank_length(const char *text)
{
    static const char *const blanks[] = {" ", "\xC2\xA0", "\xE2\x80\x89", "\xE2\x80\xAF"};
    return length_of_any(text, blanks, sizeof blanks / sizeof blanks[0]);
}

/* U+2212 and the dashes that are written for it. */
static size_t long_minus(const char *text)
{
    static const char *const signs[] = {"\xE2\x88\x92", "\xE2\x80\x93", "\xE2\x80\x94"};
    return length_of_any(text, signs, sizeof signs / sizeof signs[0]);
}

/* What may stand before the digits: ~ ≈ < ≤ > ≥ ± =, words for them, and money. */
static size_t mark_before(const char *text)
{
    static const char *const marks[] = {"~", "\xE2\x89\x88", "<",  "\xE2\x89\xA4", ">",    "\xE2\x89\xA5", "\xC2\xB1",
                                        "=", "ca.",          "ca", "approx.",      "about"};
    return length_of_any(text, marks, sizeof marks / sizeof marks[0]);
}

static size_t money_before(const char *text)
{
    static const char *const money[] = {
        "$",   "\xC2\xA3", "\xC2\xA5", "\xE2\x82\xAC", "US$", "CHF", "EUR", "USD",  "GBP", "JPY", "CNY", "INR", "CAD",
        "AUD", "SEK",      "NOK",      "DKK",          "PLN", "CZK", "Fr.", "SFr.", "Rs",  "Rs.", "kr",  "kr."};
    return length_of_any(text, money, sizeof money / sizeof money[0]);
}

/* The length of digits with points, commas, blanks and apostrophes between them. */
static size_t digits_length(const char *text)
{
    size_t at = 0;
    while (digit_at(text[at])) {
        at++;
        size_t mark = blank_length(text + at);
        if (mark == 0)
            mark = strncmp(text + at, "\xE2\x80\x99", 3) == 0 ? 3 : text[at] != '\0' && strchr(".,'", text[at]) ? 1 : 0;
        if (mark > 0 && digit_at(text[at + mark]))
            at += mark;
    }
    return at;
}

/* Whether the text is a unit: kg, m², km/h, °C. Its last sign may be a digit: m2. */
static bool is_unit(const char *text)
{
    size_t bytes = strlen(text);
    bool begins = (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z') || text[0] == '%' ||
                  text[0] == '$' || (unsigned char)text[0] >= 0x80;
    if (!begins || bytes > LINPRED__UNIT_BYTES || long_minus(text) > 0)
        return false;
    for (size_t i = 0; i < bytes; i++)
        if (blank_length(text + i) > 0 || (digit_at(text[i]) && i + 1 < bytes))
            return false;
    return true;
}

/* Reads what stands behind the digits; false if it is neither a unit nor the end of an amount. */
static bool read_end(const char *at, unit_found *found)
{
    size_t dash = 0;
    if (*at == '.' || *at == ',')
        dash = at[1] == '-' ? 2 : long_minus(at + 1) > 0 ? 1 + long_minus(at + 1) : 0;
    if (dash > 0) {
        found->why = "has a unit"; /* 70,- is an amount of money */
        at += dash;
    } else if (*at == '-') {
        found->why = "has its sign behind its digits";
        at++;
    } else if (*at == ')') {
        at++;
    }
    size_t blank = blank_length(at);
    found->apart = blank > 0;
    found->unit = at + blank;
    if (*found->unit == '\0')
        return true;
    if (!is_unit(found->unit))
        return false;
    found->why = "has a unit";
    return true;
}

/* Whether the text is such a number. */
static bool find_unit(const char *text, unit_found *found)
{
    const char *at = text;
    *found = (unit_found){NULL, false, NULL};
    if (*at == '-' || *at == '+')
        at++;
    size_t mark = mark_before(at), money = mark > 0 ? 0 : money_before(at);
    at += mark + money;
    at += mark + money > 0 ? blank_length(at) : 0;
    bool bracket = *at == '(';
    at += bracket;
    size_t minus = long_minus(at);
    at += minus > 0 ? minus : *at == '-' && at > text;
    size_t digits = digits_length(at);
    if (mark > 0)
        found->why = "is not a number";
    else if (money > 0)
        found->why = "has a unit";
    else if (bracket)
        found->why = "is in parentheses, which may mean a number below 0: write -5 for (5)";
    else if (minus > 0)
        found->why = "begins with a dash that is not '-'";
    if (digits == 0 || linpred__looks_like_date(text, strlen(text)))
        return false;
    return read_end(at + digits, found) && found->why;
}

/* 1k, 2k and 1a, 2b are codes: a unit that touches the digits has two signs at least, and is the same everywhere. */
static bool fits_others(const unit_found *found, const unit_found *first)
{
    return strlen(found->unit) > 1 && (!first || strcmp(found->unit, first->unit) == 0);
}

int32_t linpred__unit_level(char *const *level, int32_t levels, const char **why)
{
    int32_t seen = 0, with = 0, first = -1;
    unit_found found, model = {NULL, false, NULL};
    for (int32_t k = 0; k < levels && seen < LINPRED__UNITS_LOOKED_AT; k++) {
        if (linpred__usual_marker(level[k], strlen(level[k])) >= 0)
            continue;
        seen++;
        bool has = find_unit(level[k], &found) &&
                   (found.apart || *found.unit == '\0' || fits_others(&found, first < 0 ? NULL : &model));
        with += has;
        if (has && first < 0) {
            first = k;
            model = found;
        }
    }
    *why = model.why;
    return with >= 2 && 4 * with >= 3 * seen ? first : -1;
}
