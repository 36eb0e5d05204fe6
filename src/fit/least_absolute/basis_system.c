/* The equations X_h w = y_h and X_h' a = s of a basis, solved by QR in double-double. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "fit/least_absolute/proof.h"
#include "fit/least_absolute/row.h"
#include "solve/dense/dd_qr.h"

/* A column nearer than this to the span of others would make the basis singular at 32 digits. */
static const double singular = 0x1p-90;

void linpred__basis_rows(const linpred__deviations *question, const linpred__deviation_span *span, const int64_t *basis,
                         linpred__dd *matrix, linpred__dd *target)
{
    size_t n = (size_t)span->rank;
    int32_t width = question->design.width;
    for (size_t i = 0; i < n; i++) {
        int32_t at;
        const linpred__block *block = linpred__deviations_fetch(question, basis[i], &at);
        for (size_t k = 0; k < n; k++) {
            int32_t j = span->column[k];
            matrix[i * n + k] = (linpred__dd){question->scratch[j], question->scratch[width + j]};
        }
        target[i] = (linpred__dd){ldexp(block->target[at], -question->design.target_exponent), 0.0};
    }
}

bool linpred__basis_solve(const linpred__dd *matrix, int32_t rank, bool transposed, const linpred__dd *rhs,
                          linpred__dd *solution)
{
    size_t n = (size_t)rank, entries = n + 1;
    linpred__dd *r = linpred__calloc(entries * entries, sizeof *r);
    linpred__dd *row = linpred__alloc(entries, sizeof *row);
    int32_t *turn = linpred__alloc(n, sizeof *turn);
    linpred__dd_solution s = {0};
    bool complete = r && row && turn;
    for (size_t i = 0; complete && i < n; i++) {
        for (size_t j = 0; j < n; j++)
            row[j] = transposed ? matrix[j * n + i] : matrix[i * n + j];
        row[n] = rhs[i];
        turn[i] = (int32_t)i;
        linpred__dd_qr_absorb((int32_t)entries, r, 1, 1, row);
    }
    complete = complete && linpred__dd_solve(rank, r, turn, singular, &s);
    if (complete)
        memcpy(solution, s.w, n * sizeof *solution);
    linpred__dd_solution_clear(&s);
    linpred__release(r);
    linpred__release(row);
    linpred__release(turn);
    return complete;
}

bool linpred__basis_weights(const linpred__deviation_span *span, const linpred__dd *matrix, const linpred__dd *target,
                            linpred__dd *w)
{
    size_t n = (size_t)span->rank;
    if (n == 0)
        return true;
    linpred__dd *solution = linpred__alloc(n, sizeof *solution);
    if (!solution || !linpred__basis_solve(matrix, span->rank, false, target, solution)) {
        linpred__release(solution);
        return false;
    }
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(target[i].hi));
    for (size_t k = 0; k < n; k++) {
        double size = 0.0;
        for (size_t i = 0; i < n; i++)
            size = fmax(size, fabs(matrix[i * n + k].hi));
        bool zero = !(fabs(solution[k].hi) * size > 0x1p-95 * largest);
        w[span->column[k]] = zero ? (linpred__dd){0.0, 0.0} : linpred__dd_without_noise(solution[k]);
    }
    linpred__release(solution);
    return true;
}
