/* Limits of src/theory, each with its reason. */
#ifndef LINPRED_THEORY_LIMITS_H
#define LINPRED_THEORY_LIMITS_H

enum {
    /* Options that an instance can list; the longest list has five. */
    LINPRED__MAX_INSTANCE_FLAGS = 6,
    /* Rows and columns of a random instance. An instance is made in memory; larger sizes are most likely typing
       errors. */
    LINPRED__MAX_INSTANCE_ROWS = 100000000,
    LINPRED__MAX_INSTANCE_COLUMNS = 100000,
    /* Grid of values 1/1024: sums of such numbers, with whole weights up to 9 and up to 100,000 terms, are exact in
       doubles. */
    LINPRED__DYADIC = 1024,
    /* Numbers (points x coordinates) for which labellings are counted. Each level of the recursion keeps about as many
       big integers. */
    LINPRED__MAX_COUNTED_NUMBERS = 20000
};

/* Multiplications for counting labellings: about ten seconds. */
#define LINPRED__COUNT_EFFORT 1e10

#endif
