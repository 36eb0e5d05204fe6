/* Limits of src/table. */
#ifndef LINPRED_TABLE_LIMITS_H
#define LINPRED_TABLE_LIMITS_H

enum {
    /* Bytes of a CSV piece: its text and its numbers fit into the second cache. A LIBSVM piece of this size holds a few
       whole blocks, so that few rows are copied to fill a block. */
    LINPRED__PIECE_BYTES = 1 << 18,
    /* Lines at the head of a CSV file from which separator and header are told. */
    LINPRED__HEAD_LINES = 200,
    /* Bytes of an npy header. Real ones have about a hundred; a damaged length must not ask for gigabytes. */
    LINPRED__NPY_HEADER_BYTES = 1 << 20,
    /* Levels of a text column that becomes features. A column with more is a name or a date, and is refused. */
    LINPRED__MAX_LEVELS = 1000,
    /* Labels that a message lists. */
    LINPRED__LABELS_SHOWN = 4
};

#endif
