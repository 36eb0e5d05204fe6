/* Quickselect: expected time linear in the count. */
#include "num/select.h"

double linpred__select_number(double *number, int64_t count, int64_t want)
{
    int64_t from = 0, end = count;
    while (end - from > 1) {
        double pivot = number[from + (end - from) / 2];
        int64_t low = from, high = end - 1;
        while (low <= high) {
            while (number[low] < pivot)
                low++;
            while (number[high] > pivot)
                high--;
            if (low <= high) {
                double held = number[low];
                number[low++] = number[high];
                number[high--] = held;
            }
        }
        if (want <= high)
            end = high + 1;
        else if (want >= low)
            from = low;
        else
            break;
    }
    return number[want < count ? want : count - 1];
}
