/* What the writer and the reader of the model file share. docs/model-file.md describes the format. */
#ifndef LINPRED_MODEL_FILE_H
#define LINPRED_MODEL_FILE_H

#include <jansson.h>

#include "core/text.h"
#include "model/file_fields.h"
#include "model/model.h"

#define LINPRED__FILE_FORMAT "linpred model"
enum { LINPRED__FILE_VERSION = 1 };

/* The checksum is 64-bit FNV-1a over all bytes of the file, its own 16 digits taken as '0'. Any change of one byte
   changes it for certain (each step is a bijection of the state); it guards against accidents, not forgers. */
#define LINPRED__FILE_CHECKSUM_KEY "\"checksum\": \""
enum { LINPRED__FILE_CHECKSUM_DIGITS = 16 };

/* Where the 16 digits start: behind the first LINPRED__FILE_CHECKSUM_KEY. NULL if there is no room for them.
   `bytes` is closed by a NUL. */
char *linpred__file_checksum_at(char *bytes);
/* Answers in 16 lower case hexadecimal digits and a NUL. */
void linpred__file_checksum(const char *bytes, size_t length, const char *digits_at,
                            char checksum[LINPRED__FILE_CHECKSUM_DIGITS + 1]);

/* Words of the format, by the number of the enum; "unknown" past the last. */
const char *linpred__file_missing_word(int missing);
const char *linpred__file_type_word(int type);
const char *linpred__file_side_word(int outside); /* of a ball: where the label +1 is */

/* Makes the result that the parsed file describes, every field checked; `path` is for messages. */
linpred_status linpred__file_result(const json_t *root, const char *path, linpred_result **result,
                                    linpred_error *error);

/* The part "regression": model.regression is written, or made; recipe and coefficients are read before. */
void linpred__file_put_regression(linpred__text *text, const linpred_result *result);
void linpred__file_regression(linpred__fields *fields, const json_t *object, linpred_result *result);

/* What stands in the file itself of a logistic fit alone. */
void linpred__file_put_logistic(linpred__text *text, const linpred_result *result);
void linpred__file_logistic(linpred__fields *fields, linpred_result *result);
/* Whether its parts agree, once all are read. */
void linpred__file_logistic_agrees(linpred__fields *fields, const linpred_result *result);

/* The parts "subsets" and "tree" of a certificate. `digits`: no integer is longer. */
void linpred__file_put_cover_proof(linpred__text *text, const linpred__cover_proof *search);
void linpred__file_cover_proof(linpred__fields *fields, const json_t *subsets, const json_t *tree, size_t digits,
                               linpred__cover_proof *search);
/* A decimal integer as certificates carry them, of at most so many digits; `signed_too` allows a minus. */
bool linpred__file_is_integer(const char *text, bool signed_too, size_t most);

/* Fills result->certificate; the model and info are read before. */
void linpred__file_certificate(linpred__fields *fields, const json_t *object, linpred_result *result);

#endif
