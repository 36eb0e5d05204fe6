/* Allocating and freeing witnesses. */
#include "proof/witness.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "num/integers.h"

bool linpred__combination_open(linpred__combination *combination, int64_t count)
{
    combination->row = linpred__calloc((size_t)count, sizeof *combination->row);
    combination->weight = linpred__calloc((size_t)count, sizeof *combination->weight);
    combination->count = combination->weight ? count : 0;
    return combination->row && combination->weight;
}

void linpred__combination_clear(linpred__combination *combination)
{
    for (int64_t i = 0; i < combination->count; i++)
        linpred__release(combination->weight[i]);
    linpred__release(combination->row);
    linpred__release(combination->weight);
    *combination = (linpred__combination){0};
}

bool linpred__support_open(linpred__support *support, int64_t count)
{
    support->row = linpred__calloc((size_t)count, sizeof *support->row);
    support->multiplier = linpred__calloc((size_t)count, sizeof *support->multiplier);
    support->tail = linpred__calloc((size_t)count, sizeof *support->tail);
    support->count = count;
    return support->row && support->multiplier && support->tail;
}

bool linpred__support_open_integers(linpred__support *support, int64_t count)
{
    bool opened = linpred__support_open(support, count);
    support->weight = linpred__calloc((size_t)count, sizeof *support->weight);
    return opened && support->weight;
}

/* The integer as a fraction and an exponent; 0 if it is none. */
static double take_integer(const char *text, long *exponent)
{
    mpz_t integer;
    mpz_init(integer);
    double fraction = text && mpz_set_str(integer, text, 10) == 0 ? linpred__integer_fraction(integer, exponent) : 0.0;
    mpz_clear(integer);
    return fraction;
}

void linpred__support_round(linpred__support *support)
{
    long largest = 0, exponent = 0;
    for (int64_t i = 0; i < support->count; i++)
        if (take_integer(support->weight[i], &exponent) != 0.0 && exponent > largest)
            largest = exponent;
    for (int64_t i = 0; i < support->count; i++) {
        double fraction = take_integer(support->weight[i], &exponent);
        support->multiplier[i] =
            fraction != 0.0 && exponent > largest - 1100 ? ldexp(fraction, (int)(exponent - largest)) : 0.0;
        support->tail[i] = 0.0;
    }
}

void linpred__support_clear(linpred__support *support)
{
    for (int64_t i = 0; support->weight && i < support->count; i++)
        linpred__release(support->weight[i]);
    linpred__release(support->weight);
    linpred__release(support->row);
    linpred__release(support->multiplier);
    linpred__release(support->tail);
    *support = (linpred__support){0};
}

bool linpred__direction_open(linpred__direction *direction, int32_t count)
{
    direction->entry = linpred__calloc((size_t)count, sizeof *direction->entry);
    direction->count = direction->entry ? count : 0;
    return direction->entry != NULL;
}

bool linpred__direction_copy(const linpred__direction *from, linpred__direction *to)
{
    if (!linpred__direction_open(to, from->count))
        return false;
    for (int32_t j = 0; j < from->count; j++) {
        to->entry[j] = linpred__copy_text(from->entry[j], strlen(from->entry[j]));
        if (!to->entry[j]) {
            linpred__direction_clear(to);
            return false;
        }
    }
    return true;
}

void linpred__direction_clear(linpred__direction *direction)
{
    for (int32_t j = 0; j < direction->count; j++)
        linpred__release(direction->entry[j]);
    linpred__release(direction->entry);
    *direction = (linpred__direction){0};
}

bool linpred__vector_open(linpred__vector *vector, int32_t count)
{
    vector->value = linpred__calloc((size_t)count, sizeof *vector->value);
    vector->count = vector->value ? count : 0;
    return vector->value != NULL;
}

bool linpred__vector_of_weights(const double *w, int32_t columns, const double *b, linpred__vector *vector)
{
    if (!linpred__vector_open(vector, columns + (b != NULL)))
        return false;
    memcpy(vector->value, w, (size_t)columns * sizeof *w);
    if (b)
        vector->value[columns] = *b;
    return true;
}

void linpred__vector_clear(linpred__vector *vector)
{
    linpred__release(vector->value);
    *vector = (linpred__vector){0};
}

void linpred__finite_part_clear(linpred__finite_part *part)
{
    linpred__vector_clear(&part->weights);
    linpred__vector_clear(&part->null);
}

/* ---- cover proofs ------------------------------------------------------------------------------------------------ */

void linpred__cover_proof_clear(linpred__cover_proof *search)
{
    for (int64_t s = 0; s < search->subsets; s++)
        linpred__combination_clear(&search->subset[s]);
    for (int64_t k = 0; k < search->nodes; k++) {
        linpred__release(search->node[k].subset);
        linpred__release(search->node[k].multiplier);
    }
    linpred__release(search->subset);
    linpred__release(search->node);
    linpred__direction_clear(&search->direction);
    *search = (linpred__cover_proof){0};
}

bool linpred__cover_proof_subsets(linpred__cover_proof *search, int64_t count)
{
    search->subset = linpred__calloc((size_t)count, sizeof *search->subset);
    search->subsets = search->subset ? count : 0;
    return search->subset != NULL;
}

bool linpred__cover_proof_nodes(linpred__cover_proof *search, int64_t count)
{
    search->node = linpred__calloc((size_t)count, sizeof *search->node);
    search->nodes = search->node ? count : 0;
    return search->node != NULL;
}

bool linpred__node_multipliers(linpred__node *node, int64_t count)
{
    node->subset = linpred__calloc((size_t)count, sizeof *node->subset);
    node->multiplier = linpred__calloc((size_t)count, sizeof *node->multiplier);
    node->count = count;
    return node->subset && node->multiplier;
}
