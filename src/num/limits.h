/* Limits of src/num, each with its reason. */
#ifndef LINPRED_NUM_LIMITS_H
#define LINPRED_NUM_LIMITS_H

/* The largest denominator of a vector that is nearly proportional to whole numbers. With larger ones, more vectors are
   near whole numbers by chance. The number 16 was not measured. */
enum { LINPRED__MAX_DENOMINATOR = 16 };

/* Exchanges of rows of a tableau. Each doubles a volume, so that some dozens are usual even in extreme units. */
enum { LINPRED__MAX_EXCHANGES = 1000 };

#endif
