/* What the writer and the reader of the model file share. docs/model-file.md describes the format. */
#ifndef LINPRED_MODEL_FILE_FILE_H
#define LINPRED_MODEL_FILE_FILE_H

#include <jansson.h>

#include "core/text.h"
#include "model/file/fields.h"
#include "model/model.h"

#define LINPRED__FILE_FORMAT "linpred model"
enum { LINPRED__FILE_OLDEST = 2, LINPRED__FILE_VERSION = 2 }; /* versions that are read; the last is written */

/* The checksum is 64-bit FNV-1a over all bytes of the file, its own 16 digits taken as '0'. Any change of one byte
   changes it for certain (each step is a bijection of the state); it guards against accidents, not forgers. */
#define LINPRED__FILE_CHECKSUM_KEY "\"checksum\": \""
enum { LINPRED__FILE_CHECKSUM_DIGITS = 16 };

/* Returns the 16 digits after the first LINPRED__FILE_CHECKSUM_KEY, or NULL if there are not as many. `bytes` must end
   with a NUL. */
char *linpred__file_checksum_at(char *bytes);
/* Writes the checksum as 16 lower case hexadecimal digits and a NUL. */
void linpred__file_checksum(const char *bytes, size_t length, const char *digits_at,
                            char checksum[LINPRED__FILE_CHECKSUM_DIGITS + 1]);

/* Words of the format, by the number of the enum; "unknown" past the last. */
const char *linpred__file_missing_word(int missing);
const char *linpred__file_type_word(int type);
const char *linpred__file_side_word(int outside); /* for a ball: the side on which the label +1 is */

/* Makes the result that the parsed file describes, and checks every field. `path` is for messages. */
linpred_status linpred__file_result(const json_t *root, const char *path, linpred_result **result,
                                    linpred_error *error);

/* Read the parts "target" and "recipe". `weights` are the coefficients of the file; there must be one for each feature
   of the recipe. */
void linpred__file_target(linpred__fields *fields, const json_t *object, linpred__recipe *recipe);
void linpred__file_recipe(linpred__fields *fields, const json_t *object, const json_t *weights,
                          linpred__recipe *recipe);

/* Whether the file has a confidence level: it does if models of this kind may have standard errors. */
bool linpred__file_has_confidence(const linpred_model *model);

/* The part "regression". The reader makes model->regression; recipe and coefficients must have been read. What depends
   on figures and dependencies is read by _finish_, after the claims. */
void linpred__file_put_regression(linpred__text *text, const linpred__regression *regression);
void linpred__file_regression(linpred__fields *fields, const json_t *object, linpred_model *model);
void linpred__file_finish_regression(linpred__fields *fields, const json_t *object, linpred_result *result);

/* The part "run": how the fit went. */
void linpred__file_put_run(linpred__text *text, const linpred_result *result);
void linpred__file_run(linpred__fields *fields, const json_t *object, linpred__figures *figures);

/* The part "claims". The model, the run and the options must have been read. */
void linpred__file_put_claims(linpred__text *text, const linpred_result *result);
void linpred__file_claims(linpred__fields *fields, const json_t *list, linpred_result *result);
/* Refuses claims, figures and options that are not those of one fit. */
void linpred__file_check_claims(linpred__fields *fields, const linpred_result *result);
void linpred__file_check_figures(linpred__fields *fields, const linpred_result *result);
void linpred__file_check_options(linpred__fields *fields, const linpred_result *result);
const char *linpred__file_form_word(int without_intercept); /* of a largest margin */

/* The parts "subsets" and "tree" of a claim. Integers with more than `digits` digits are refused. */
void linpred__file_put_cover_proof(linpred__text *text, const linpred__cover_proof *search);
void linpred__file_cover_proof(linpred__fields *fields, const json_t *subsets, const json_t *tree, size_t digits,
                               linpred__cover_proof *search);
/* Whether the text is a decimal integer of at most `max` digits; `signed_too` allows a minus sign. */
bool linpred__file_is_integer(const char *text, bool signed_too, size_t max);

#endif
