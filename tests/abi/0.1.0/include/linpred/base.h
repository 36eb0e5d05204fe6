/* What every call uses: statuses, errors, handles. Part of linpred.h, whose rules hold for all parts. */
#ifndef LINPRED_BASE_H
#define LINPRED_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LINPRED_API __attribute__((visibility("default")))
#else
#define LINPRED_API
#endif

/* ---- status and errors ------------------------------------------------------------------------------------------ */

typedef enum linpred_status {
#define LINPRED_STATUS(name, text) LINPRED_##name,
#include "linpred/status.def"
#undef LINPRED_STATUS
} linpred_status;

/* What went wrong. It need not be set up before a call. */
typedef struct linpred_error {
    linpred_status status;
    int64_t line;        /* where an input error is: the 1-based line of a file, or row of an array; 0 = unknown */
    int64_t column;      /* the 1-based column; 0 = unknown */
    int64_t reserved[4]; /* 0 */
    char message[512];   /* one sentence, with the file's name, the place, the offending text and what to do */
} linpred_error;

/* "ERROR_INPUT", and what it means as a phrase: see status.def. Of a value that is no status "UNKNOWN" and "unknown
   status". */
LINPRED_API const char *linpred_status_name(linpred_status status);
LINPRED_API const char *linpred_status_text(linpred_status status);

/* ---- handles ---------------------------------------------------------------------------------------------------- */

/* Options say what is asked for. Data is rows. A model is a predictor. A result is a model, what was found, and what is
   claimed. A check is what an independent checker found of the claims. */
typedef struct linpred_options linpred_options;
typedef struct linpred_data linpred_data;
typedef struct linpred_model linpred_model;
typedef struct linpred_result linpred_result;
typedef struct linpred_check linpred_check;

#ifdef __cplusplus
}
#endif
#endif
