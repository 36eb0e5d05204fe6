/* Axes of dates: see dates.h. Years are counted from 1 March, so that a leap day ends its year; 400 years have 146097
 * days. */
#include "dates.h"

#include <math.h>
#include <string.h>

enum { MONTH = 28, YEAR = 365, FIRST = -719162, LAST = 2932896 }; /* 0001-01-01 and 9999-12-31 */

typedef struct calendar_day {
    int year;
    int month; /* 1 to 12 */
    int day;   /* 1 to 31 */
} calendar_day;

static calendar_day day_of(double days)
{
    int from = (int)floor(days) + 719468; /* days since 0000-03-01 */
    int era = from / 146097, in_era = from % 146097;
    int year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    int in_year = in_era - (365 * year + year / 4 - year / 100), march = (5 * in_year + 2) / 153;
    int month = march < 10 ? march + 3 : march - 9;
    return (calendar_day){year + 400 * era + (month <= 2), month, in_year - (153 * march + 2) / 5 + 1};
}

/* The first of a month, counted from January of year 0. */
static double first_of(int months)
{
    int year = months / 12 - (months % 12 < 2), march = (months % 12 + 10) % 12;
    return 365.0 * year + floor(year / 4.0) - floor(year / 100.0) + floor(year / 400.0) + (153 * march + 2) / 5 -
           719468;
}

bool dates_in(const linpred_model *model, const char *column, const axes_scale *scale)
{
    bool days = false;
    linpred_note note = {.struct_size = sizeof note};
    for (size_t i = 0; !days && linpred_model_note(model, i, &note); i++)
        days = strcmp(note.kind, "days") == 0 && note.column && strcmp(note.column, column) == 0;
    return days && scale->low >= FIRST && scale->high <= LAST && scale->high - scale->low >= 2;
}

int dates_ticks(double low, double high, int wanted, double tick[AXES_TICKS], double *step)
{
    static const int days[] = {1, 2, 7, 14}, months[] = {1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000};
    int count = 0;
    for (size_t i = 0; i < sizeof days / sizeof days[0]; i++)
        if ((high - low) / days[i] <= wanted) {
            *step = days[i];
            for (double at = ceil(low); at <= high && count < AXES_TICKS; at += days[i])
                tick[count++] = at;
            return count;
        }
    size_t k = 0, last = sizeof months / sizeof months[0] - 1;
    while (k < last && (high - low) / (30.4 * months[k]) > wanted)
        k++;
    *step = months[k] < 12 ? MONTH * months[k] : YEAR * months[k] / 12.0;
    calendar_day from = day_of(low);
    int first = (12 * from.year + from.month - 1) / months[k] * months[k];
    for (int at = first; count < AXES_TICKS && first_of(at) <= high; at += months[k])
        if (first_of(at) >= low)
            tick[count++] = first_of(at);
    return count;
}

void dates_label(double days, double step, char text[40])
{
    calendar_day date = day_of(days);
    if (step >= YEAR)
        snprintf(text, 40, "%04d", date.year);
    else if (step >= MONTH)
        snprintf(text, 40, "%04d-%02d", date.year, date.month);
    else
        snprintf(text, 40, "%04d-%02d-%02d", date.year, date.month, date.day);
}
