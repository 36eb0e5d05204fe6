/* The two ways in which Parquet packs whole numbers.
 *
 * Runs: a run is one number repeated, or a sequence of bit-packed numbers of one width. Deltas: the first number, then
 * blocks of differences above the least of the block, bit-packed in miniblocks that have a width each.
 *
 * Both are read in batches; false means that the bytes are damaged or too few.
 */
#ifndef LINPRED_TABLE_PARQUET_RUNS_H
#define LINPRED_TABLE_PARQUET_RUNS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct linpred__runs {
    const unsigned char *at; /* the next run */
    const unsigned char *end;
    unsigned width;            /* bits of a number, 0 to 32 */
    int64_t left;              /* numbers left in the current run */
    bool packed;               /* the current run is bit-packed */
    uint32_t value;            /* of a run of equal numbers */
    const unsigned char *bits; /* of a bit-packed run, up to bits_end */
    const unsigned char *bits_end;
    int64_t bit; /* of the next number, from `bits` */
} linpred__runs;

void linpred__runs_open(const unsigned char *at, const unsigned char *end, unsigned width, linpred__runs *runs);
bool linpred__runs_next(linpred__runs *runs, int64_t count, uint32_t *numbers);

typedef struct linpred__deltas {
    const unsigned char *at; /* what is not read yet */
    const unsigned char *end;
    uint64_t total; /* numbers that are still to come */
    uint64_t last;  /* the number before the next one, modulo 2^64 */
    bool first;     /* the next number is the first, which is no difference */
    uint64_t least; /* the least difference of the block */
    uint32_t miniblocks;
    uint32_t miniblock_values;
    const unsigned char *widths; /* of the miniblocks of the block */
    uint32_t miniblock;          /* which one is next */
    const unsigned char *bits;   /* of the current miniblock */
    uint32_t index;              /* of the next number in it */
    unsigned width;
} linpred__deltas;

bool linpred__deltas_open(const unsigned char *at, const unsigned char *end, linpred__deltas *deltas);
bool linpred__deltas_next(linpred__deltas *deltas, int64_t count, int64_t *numbers);
/* Where the bytes of all deltas end; the deltas themselves stay where they are. NULL if they are damaged. */
const unsigned char *linpred__deltas_end(const linpred__deltas *deltas);

#endif
