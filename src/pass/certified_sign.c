/* Exact signs of y(<w,x>+b) (see certified_sign.h), and norms of vectors, also where squares overflow. */
#include "pass/certified_sign.h"

#include <math.h>
#include <string.h>

#include "num/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"
#include "data/score.h"

linpred_status linpred__hyperplane_open(linpred__hyperplane *hyperplane, int32_t columns, const double *w, double b,
                                        double radius, linpred_error *error)
{
    double *memory = linpred__calloc(linpred__padded(columns) + 8, sizeof *memory);
    if (!memory)
        return linpred__no_memory(error);
    *hyperplane = (linpred__hyperplane){.w = memory, .b = b, .memory = memory};
    while ((uintptr_t)hyperplane->w % 64 != 0) /* vectors that were just stored can then be loaded without delay */
        hyperplane->w++;
    if (w && columns > 0)
        memcpy(hyperplane->w, w, (size_t)columns * sizeof *w);
    hyperplane->rounding_bound =
        linpred__rounding_bound(columns, linpred__norm_above(hyperplane->w, columns, b), radius);
    return LINPRED_OK;
}

void linpred__hyperplane_close(linpred__hyperplane *hyperplane)
{
    linpred__release(hyperplane->memory);
    *hyperplane = (linpred__hyperplane){0};
}

LINPRED__FAST static void score_padded_rows(const linpred__block *block, int32_t from, int32_t to, const double *w,
                                            double b, double *scores)
{
    for (int32_t r = from; r < to; r++)
        scores[r - from] = block->target[r] * (linpred__row_dot_padded(block, r, w) + b);
}

void linpred__signed_scores(const linpred__hyperplane *hyperplane, const linpred__block *block, int32_t from,
                            int32_t to, double *scores)
{
    score_padded_rows(block, from, to, hyperplane->w, hyperplane->b, scores);
}

int linpred__certified_sign(const linpred__hyperplane *hyperplane, const linpred__block *block, int32_t r)
{
    double score = block->target[r] * linpred__row_score(block, r, hyperplane->w, hyperplane->b);
    return (score > 0) - (score < 0);
}

double linpred__certified_score(const linpred__hyperplane *hyperplane, const linpred__block *block, int32_t r)
{
    return block->target[r] * linpred__exact_score(block, r, hyperplane->w, hyperplane->b);
}

bool linpred__is_mistake(const linpred__hyperplane *hyperplane, linpred_mistake rule, const linpred__block *block,
                         int32_t r)
{
    int sign = linpred__certified_sign(hyperplane, block, r);
    if (rule == LINPRED_MISTAKE_SIGN && sign == 0)
        return block->target[r] < 0;
    return sign <= 0;
}
