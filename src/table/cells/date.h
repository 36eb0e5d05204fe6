/* Dates as numbers of days. */
#ifndef LINPRED_TABLE_DATE_H
#define LINPRED_TABLE_DATE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a date as days since 1970-01-01; false if the text is none. */
bool linpred__date_read(const char *text, size_t bytes, double *days);
/* Writes days as 2024-01-31, with a time if there is one, such as 2024-01-31 13:45:30. Returns false if the year is
   beyond 1 … 9999. */
enum { LINPRED__DATE_BYTES = 32 };
bool linpred__date_write(double days, char text[LINPRED__DATE_BYTES]);
/* Whether the text is such a date, or looks like one that linpred__date_read does not take: 1/2/2024, whose order
   cannot be told, 31.01.24, Jan 31, 2024-01. */
bool linpred__looks_like_date(const char *text, size_t bytes);
/* Why linpred__date_read does not take a text, and what to write: "is not a date such as …". */
const char *linpred__date_refusal(const char *text, size_t bytes);
/* Whether a number is a day of the years 1900 to 2099, written as 20240131. */
bool linpred__looks_like_day_number(double value);

#endif
