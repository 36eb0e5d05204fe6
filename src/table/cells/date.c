/* Reads dates as days since 1970-01-01, which is day 0, by the Gregorian calendar.
 *
 * A date is 2024-01-31, 2024/01/31, 20240131, 31.01.2024, or has the English name of its month: 31-Jan-2024,
 * 31 January 2024, Jan 31, 2024. A time may follow it after a blank or a T: 13:45, 13:45:30 or 13:45:30.25; it becomes
 * the fraction of the day. Z or an offset such as +02:00 may follow the time; the offset is taken off, so that the time
 * is that of Greenwich. 1/2/2024 is the first of February to some and the second of January to others, so it is no date
 * here, and neither is 31.01.24, whose century is not said.
 */
#include "table/cells/date.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads from `least` to `most` digits; -1 if there are fewer. */
static int take_digits(cursor *c, int least, int most)
{
    int value = 0, digits = 0;
    for (; digits < most && c->at < c->end && is_digit(*c->at); digits++)
        value = 10 * value + (*c->at++ - '0');
    return digits < least ? -1 : value;
}

static bool take(cursor *c, char wanted)
{
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Days from 1970-01-01 to a day of the Gregorian calendar; false if there is no such day. The year begins in March, so
   that a leap day is its last. */
static bool count_days(int year, int month, int day, int64_t *days)
{
    static const int length[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > length[month - 1] + (month == 2 && is_leap(year)))
        return false;
    int64_t y = month > 2 ? year : year - 1;
    int64_t in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    *days = 365 * y + y / 4 - y / 100 + y / 400 + in_year - 719468;
    return true;
}

static bool all_digits(const char *text, int count)
{
    int found = 0;
    while (found < count && is_digit(text[found]))
        found++;
    return found == count;
}

/* Reads an offset from the time of Greenwich in minutes: Z, +02, +0200 or +02:00. False if it is wrong. */
static bool read_offset(cursor *c, int *minutes)
{
    *minutes = 0;
    if (c->at == c->end || take(c, 'Z'))
        return true;
    int sign = take(c, '+') ? 1 : take(c, '-') ? -1 : 0;
    int hour = sign != 0 ? take_digits(c, 2, 2) : -1, minute = 0;
    if (hour < 0 || hour > 14)
        return false;
    if (c->at < c->end) {
        take(c, ':');
        minute = take_digits(c, 2, 2);
    }
    *minutes = sign * (60 * hour + minute);
    return minute >= 0 && minute < 60;
}

/* Reads a time of day as a number of seconds, up to the end of the text. */
static bool read_time(cursor *c, double *seconds)
{
    int hour = take_digits(c, 1, 2), offset;
    if (hour < 0 || hour > 23 || !take(c, ':'))
        return false;
    int minute = take_digits(c, 2, 2), second = 0;
    if (minute < 0 || minute > 59)
        return false;
    double fraction = 0.0;
    if (take(c, ':')) {
        second = take_digits(c, 2, 2);
        if (second < 0 || second > 59)
            return false;
        if (take(c, '.')) {
            double unit = 0.1;
            if (c->at == c->end || !is_digit(*c->at))
                return false;
            for (; c->at < c->end && is_digit(*c->at); c->at++, unit /= 10.0)
                fraction += unit * (*c->at - '0');
        }
    }
    if (!read_offset(c, &offset))
        return false;
    *seconds = 3600.0 * hour + 60.0 * (minute - offset) + second + fraction;
    return c->at == c->end;
}

/* Reads the English name of a month, or its first three letters; 0 if there is none. */
static int take_month(cursor *c)
{
    static const char *const name[] = {"january", "february", "march",     "april",   "may",      "june",
                                       "july",    "august",   "september", "october", "november", "december"};
    size_t bytes = 0;
    while (c->at + bytes < c->end && ((c->at[bytes] | 0x20) >= 'a' && (c->at[bytes] | 0x20) <= 'z'))
        bytes++;
    for (int i = 0; i < 12; i++)
        if ((bytes == 3 || bytes == strlen(name[i])) && strncasecmp(c->at, name[i], bytes) == 0) {
            c->at += bytes;
            return i + 1;
        }
    return 0;
}

/* Skips what stands between a day, a named month and a year. */
static void skip_marks(cursor *c)
{
    while (c->at < c->end && strchr(" -/.,", *c->at))
        c->at++;
}

/* A day and the cursor behind it. */
typedef struct calendar_day {
    int year, month, day;
} calendar_day;

/* Reads a date with the name of its month. */
static bool read_named(cursor *c, calendar_day *date)
{
    date->month = take_month(c);
    if (date->month > 0) {
        skip_marks(c);
        date->day = take_digits(c, 1, 2);
        skip_marks(c);
    } else {
        date->day = take_digits(c, 1, 2);
        skip_marks(c);
        date->month = take_month(c);
        skip_marks(c);
    }
    date->year = take_digits(c, 4, 4);
    return date->day > 0 && date->month > 0;
}

/* Reads a date of numbers alone. */
static bool read_numbers(cursor *c, calendar_day *date)
{
    const char *text = c->at;
    if (c->end - text >= 8 && all_digits(text, 8) && (c->end - text == 8 || !is_digit(text[8]))) {
        date->year = take_digits(c, 4, 4);
        date->month = take_digits(c, 2, 2);
        date->day = take_digits(c, 2, 2);
        return true;
    }
    int first = take_digits(c, 1, 4);
    bool year_first = c->at - text == 4;
    if (first < 0 || c->at == c->end)
        return false;
    char mark = *c->at;
    if (year_first ? mark != '-' && mark != '/' : mark != '.' || c->at - text > 2)
        return false;
    c->at++;
    date->month = take_digits(c, 1, 2);
    if (date->month < 0 || !take(c, mark))
        return false;
    int last = year_first ? take_digits(c, 1, 2) : take_digits(c, 4, 4);
    date->year = year_first ? first : last;
    date->day = year_first ? last : first;
    return last >= 0;
}

bool linpred__date_read(const char *text, size_t bytes, double *days)
{
    cursor c = {text, text + bytes};
    calendar_day date;
    if (!read_numbers(&c, &date)) {
        c.at = text;
        if (!read_named(&c, &date))
            return false;
    }
    int64_t whole;
    if (!count_days(date.year, date.month, date.day, &whole))
        return false;
    double seconds = 0.0;
    if (c.at < c.end && ((!take(&c, 'T') && !take(&c, ' ')) || !read_time(&c, &seconds)))
        return false;
    *days = (double)whole + seconds / 86400.0;
    return true;
}

bool linpred__date_write(double days, char text[LINPRED__DATE_BYTES])
{
    double day = floor(days);
    int64_t micros = llround((days - day) * 86400e6);
    if (micros == 86400000000) { /* the last half microsecond of a day */
        day += 1.0;
        micros = 0;
    }
    if (!(day >= -719162.0 && day <= 2932896.0)) /* 0001-01-01 and 9999-12-31 */
        return false;
    int64_t since = (int64_t)day + 719468, era = since / 146097, of_era = since % 146097;
    int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * of_year + 2) / 153;
    int length = snprintf(text, LINPRED__DATE_BYTES, "%04d-%02d-%02d", (int)(era * 400 + year_of_era + (month >= 10)),
                          (int)(month < 10 ? month + 3 : month - 9), (int)(of_year - (153 * month + 2) / 5 + 1));
    if (micros == 0)
        return true;
    int64_t seconds = micros / 1000000;
    length += snprintf(text + length, LINPRED__DATE_BYTES - (size_t)length, " %02d:%02d:%02d", (int)(seconds / 3600),
                       (int)(seconds / 60 % 60), (int)(seconds % 60));
    if (micros % 1000000 == 0)
        return true;
    length += snprintf(text + length, LINPRED__DATE_BYTES - (size_t)length, ".%06d", (int)(micros % 1000000));
    while (text[length - 1] == '0')
        text[--length] = '\0';
    return true;
}

/* Whether the rest of the text is nothing, or a time in any of the usual forms. */
static bool ends_date(const cursor *c)
{
    if (c->at == c->end)
        return true;
    if (*c->at != ' ' && *c->at != 'T')
        return false;
    bool digits = false;
    for (const char *at = c->at + 1; at < c->end; at++) {
        digits = digits || is_digit(*at);
        if (!is_digit(*at) && !strchr(":.+- AaPpMmZ", *at))
            return false;
    }
    return digits;
}

bool linpred__looks_like_date(const char *text, size_t bytes)
{
    double days;
    if (linpred__date_read(text, bytes, &days))
        return true;
    cursor c = {text, text + bytes};
    int64_t whole;
    int first = take_digits(&c, 1, 4);
    bool year_first = c.at - text == 4;
    if (first < 0 || c.at == c.end || !strchr("/.-", *c.at))
        return false;
    char mark = *c.at++;
    int second = take_digits(&c, 1, 2);
    if (year_first && c.at == c.end) /* 2024-01 */
        return second >= 1 && second <= 12 && first >= 1000;
    if (second < 0 || !take(&c, mark))
        return false;
    const char *from = c.at;
    int last = take_digits(&c, year_first ? 1 : 2, 4);
    if (last < 0 || !ends_date(&c) || (!year_first && c.at - from == 3))
        return false;
    if (year_first)
        return count_days(first, second, last, &whole);
    int year = c.at - from == 2 ? 2000 + last : last; /* in some century */
    return count_days(year, first, second, &whole) || count_days(year, second, first, &whole);
}

const char *linpred__date_refusal(const char *text, size_t bytes)
{
    size_t day = 0; /* the bytes before a time */
    double days;
    while (day < bytes && text[day] != ' ' && text[day] != 'T')
        day++;
    return linpred__looks_like_date(text, day) && !linpred__date_read(text, day, &days)
               ? "is a date whose day, month or year cannot be told for certain; write it as 2024-01-31"
               : "is not a date such as 2024-01-31 or 31.01.2024; correct it";
}

bool linpred__looks_like_day_number(double value)
{
    int64_t whole;
    if (!(value >= 19000101.0 && value <= 20991231.0) || value != floor(value))
        return false;
    int digits = (int)value;
    return count_days(digits / 10000, digits / 100 % 100, digits % 100, &whole);
}
