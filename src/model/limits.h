/* Limits of the model file, and what a dependency of columns is. */
#ifndef LINPRED_MODEL_LIMITS_H
#define LINPRED_MODEL_LIMITS_H

/* A column depends on others if they leave less than this part of its length. It is 2^9 ulp of a double: a smaller
   threshold would take rounding for independence, a larger one would drop columns that carry information. Likewise a
   vector n with |<n,(x,1)>| <= this times Σ|n_j x_j| on every row is taken for a dependency whose numbers were rounded
   in the file. Every fit and the checker use the same threshold. */
#define LINPRED__RANK_THRESHOLD 0x1p-44

enum {
    /* The largest file that is read, in bytes. A coefficient takes about 40 bytes, so real models are far smaller. */
    LINPRED__FILE_MAX = 1 << 30,
    /* Bytes read at a time. The first piece shows whether the file is a model, so a large data file given by mistake is
       not read to its end. */
    LINPRED__FILE_PIECE = 1 << 16,
    /* The digits that an integer of a witness may have for each column: a double has up to 632 decimal digits as an
       integer, and the sums of witnesses need about twice that. */
    LINPRED__DIGITS_PER_COLUMN = 1400,
    /* The most digits of an integer of a witness. GNU MP aborts if it cannot allocate memory, so a file must not be
       able to ask for much. */
    LINPRED__DIGITS_MAX = 4000000,
    /* The values of an enumeration, gaps included, that are compared with a word of the file. */
    LINPRED__WORDS_MAX = 128,
    /* The most columns that the sentence of a dependency names; more would not fit on a line. */
    LINPRED__TERMS_NAMED = 12,
    /* The most tails of a coefficient: a double and so many below it have all bits that doubles have places for. */
    LINPRED__MAX_TAILS = 39,
    /* The factor S of a regression is kept up to this width: 300 x 300 numbers take 2 MB of a model file. */
    LINPRED__FACTOR_MAX_WIDTH = 300
};

/* A dependency n of columns holds in a row to predict, or in a row outside of a sample, if |<n,x>| is at most this part
   of Σ|n_j x_j|. It is far above the rounding of n, and far below what a row that breaks the dependency shows. */
#define LINPRED__DEPENDENCY_TOLERANCE 1e-9
/* The same for a dependency that holds exactly in the training rows. Only the rounding of decimals is allowed for, so
   that a row is noticed where a column of 1.7e9 differs by 1. */
#define LINPRED__EXACT_DEPENDENCY_TOLERANCE LINPRED__RANK_THRESHOLD

#endif
