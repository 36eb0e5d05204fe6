/* Axes of dates: features that are days since 1970-01-01, shown as people write them. */
#ifndef CLI_DRAW_DATES_H
#define CLI_DRAW_DATES_H

#include "axes.h"
#include "linpred/linpred.h"

/* Whether the model reads this column as dates, and ticks of the scale can be dates: some days apart, in years of four
   digits. */
bool dates_in(const linpred_model *model, const char *column, const axes_scale *scale);
/* Beginnings of days, weeks, months or years between low and high, `wanted` of them at most; their number. *step is the
   least number of days between two. */
int dates_ticks(double low, double high, int wanted, double tick[AXES_TICKS], double *step);
/* "2024-01-31"; with a step of months "2024-01", with one of years "2024". */
void dates_label(double days, double step, char text[40]);

#endif
