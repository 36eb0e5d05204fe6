/* Reads dates as days since 1970-01-01, which is day 0, by the Gregorian calendar.
 *
 * A date is 2024-01-31, 2024/01/31 or 31.01.2024. A time may follow it after a blank or a T: 13:45, 13:45:30 or
 * 13:45:30.25, perhaps with a Z; it becomes the fraction of the day. 1/2/2024 is the first of February to some and the
 * second of January to others, so it is no date here.
 */
#include "table/csv/csv.h"

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

/* Reads a time of day as a number of seconds, up to the end of the text. */
static bool read_time(cursor *c, double *seconds)
{
    int hour = take_digits(c, 1, 2);
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
    take(c, 'Z');
    *seconds = 3600.0 * hour + 60.0 * minute + second + fraction;
    return c->at == c->end;
}

bool linpred__date_read(const char *text, size_t bytes, double *days)
{
    cursor c = {text, text + bytes};
    int first = take_digits(&c, 1, 4);
    bool year_first = c.at - text == 4;
    if (first < 0 || c.at == c.end)
        return false;
    char mark = *c.at;
    if (year_first ? mark != '-' && mark != '/' : mark != '.' || c.at - text > 2)
        return false;
    c.at++;
    int month = take_digits(&c, 1, 2);
    if (month < 0 || !take(&c, mark))
        return false;
    int last = year_first ? take_digits(&c, 1, 2) : take_digits(&c, 4, 4);
    int64_t whole;
    if (last < 0 || !count_days(year_first ? first : last, month, year_first ? last : first, &whole))
        return false;
    double seconds = 0.0;
    if (c.at < c.end && ((!take(&c, 'T') && !take(&c, ' ')) || !read_time(&c, &seconds)))
        return false;
    *days = (double)whole + seconds / 86400.0;
    return true;
}

bool linpred__looks_like_date(const char *text, size_t bytes)
{
    double days;
    if (linpred__date_read(text, bytes, &days))
        return true;
    cursor c = {text, text + bytes};
    int64_t whole;
    int first = take_digits(&c, 1, 2);
    if (first < 0 || !take(&c, '/'))
        return false;
    int second = take_digits(&c, 1, 2);
    if (second < 0 || !take(&c, '/'))
        return false;
    int year = take_digits(&c, 4, 4);
    return c.at == c.end && (count_days(year, first, second, &whole) || count_days(year, second, first, &whole));
}
