/* Compares two rows, in both layouts. */
#include "data/same_row.h"

bool linpred__same_row(const linpred_data *data, int64_t row, int64_t other)
{
    const linpred__block *a = &data->block[row / data->block_rows], *b = &data->block[other / data->block_rows];
    int64_t r = row % data->block_rows, s = other % data->block_rows;
    if (a->layout == LINPRED__DENSE) {
        const double *x = a->values + r * a->stride, *y = b->values + s * b->stride;
        for (int32_t j = 0; j < a->columns; j++)
            if (x[j] != y[j])
                return false;
        return true;
    }
    /* A stored 0 is the same as no entry. */
    int64_t i = a->start[r], k = b->start[s];
    for (;; i++, k++) {
        while (i < a->start[r + 1] && a->values[i] == 0.0)
            i++;
        while (k < b->start[s + 1] && b->values[k] == 0.0)
            k++;
        if (i == a->start[r + 1] || k == b->start[s + 1])
            return i == a->start[r + 1] && k == b->start[s + 1];
        if (a->indices[i] != b->indices[k] || a->values[i] != b->values[k])
            return false;
    }
}
