/* Limits of the model file. */
#ifndef LINPRED_MODEL_LIMITS_H
#define LINPRED_MODEL_LIMITS_H

enum {
    LINPRED__FILE_MAX = 1 << 30,   /* bytes; a coefficient takes some 40, so no model that fits in memory is larger */
    LINPRED__FILE_PIECE = 1 << 16, /* bytes read at a time; a data file given by mistake is noticed after the first */
    LINPRED__DIGITS_PER_COLUMN = 1400, /* a double is worth 632 decimal digits; sums of witnesses need twice that */
    LINPRED__DIGITS_MAX = 4000000,     /* of one integer of a witness; GNU MP aborts if it cannot allocate more */
    LINPRED__WORDS_MAX = 128,          /* values of an enumeration that are tried for a word, gaps included */
    LINPRED__TERMS_NAMED = 12          /* columns that the sentence of a dependency names; a line holds no more */
};

#endif
