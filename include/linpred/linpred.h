/* linpred: linear predictors that prove their answers.
 *
 * This header is the whole public interface. It includes its parts in the order in which they are best read: what most
 * programs need comes first. Each part includes what it needs and may be included alone. docs/c-api.md is the guide.
 * The shortest working program is
 *
 *     linpred_options *options = linpred_options_new();
 *     linpred_data *data = NULL;
 *     linpred_result *result = NULL;
 *     if (linpred_data_load("flowers.csv", options, &data, NULL) == LINPRED_OK &&
 *         linpred_fit(data, options, &result, NULL) == LINPRED_OK)
 *         linpred_result_save(result, "flowers.json", NULL);
 *     linpred_result_free(result);
 *     linpred_data_free(data);
 *     linpred_options_free(options);
 *
 * Rules that hold for every call of every part:
 *  - A call that can fail returns a linpred_status: did the call work? What was found is another question: see
 *    linpred_outcome.
 *  - Out-parameters stay untouched unless the call returns LINPRED_OK. There is never anything half-built to free.
 *  - `linpred_error *` belongs to the caller and may be NULL everywhere. Every call checks what else it is given:
 *    a NULL, or a value out of range, is LINPRED_ERROR_USAGE with a sentence, unless the call says what NULL means. A
 *    call without a status answers NULL with the empty value of its type: NULL, false, 0 or -1, NaN; the verdict on no
 *    check is LINPRED_REFUTED. Freeing NULL is fine.
 *  - The library never prints, exits, aborts, or touches the locale, signals or global random state.
 *    (GNU MP aborts when memory is exhausted: sizes are bounded before it is called.)
 *  - A const handle may be used by any number of threads at once: no call changes what it takes as const. A handle that
 *    a call changes or frees is used by one thread at a time.
 *  - Strings are UTF-8. Strings and arrays handed out live as long as the handle they were asked of.
 *  - A double that does not apply is NaN, a count that does not apply is -1.
 *
 * How the interface grows: a program compiled against this header runs with every later library of the same major
 * version, without being compiled again.
 *  - Functions, options, scopes, figures and enumerators are added, never removed or changed. A program must be ready
 *    for values of an enumeration that it does not know.
 *  - A struct that the caller allocates begins with struct_size. The caller sets it to the sizeof of the struct; the
 *    library reads or fills only the members that both know. New members come at the end. Members that only the caller
 *    knows are filled with 0, and must be 0 where the library reads.
 *  - A struct that the library allocates (linpred_progress, linpred_update, linpred_shatter_info) gets new members at
 *    its end.
 *  - linpred_error has reserved members and no struct_size: its layout is final.
 */
#ifndef LINPRED_LINPRED_H
#define LINPRED_LINPRED_H

#include "linpred/base.h"    /* statuses, errors, handles */
#include "linpred/options.h" /* what is asked for */
#include "linpred/data.h"    /* rows, from files and arrays */
#include "linpred/fit.h"     /* fits, and what a result says */
#include "linpred/claims.h"  /* what it claims: kinds, figures, witnesses */
#include "linpred/model.h"   /* the predictor, its predictions, its file */
#include "linpred/check.h"   /* an independent check of the claims */
/* For experts. */
#include "linpred/instances.h" /* data that shows what the theory says */
#include "linpred/theory.h"    /* shattering, counts, bounds */
#include "linpred/tools.h"     /* whole files, numbers as text, memory */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version ----------------------------------------------------------------------------------------------------- */

/* Of this header. CMake reads the project's version here. */
#define LINPRED_VERSION_MAJOR 0
#define LINPRED_VERSION_MINOR 1
#define LINPRED_VERSION_PATCH 0
#define LINPRED_VERSION_NUMBER (LINPRED_VERSION_MAJOR * 1000000 + LINPRED_VERSION_MINOR * 1000 + LINPRED_VERSION_PATCH)

/* Of the library that runs: "0.1.0", and the number as LINPRED_VERSION_NUMBER, which can be compared. */
LINPRED_API const char *linpred_version(void);
LINPRED_API int linpred_version_number(void);

#ifdef __cplusplus
}
#endif
#endif
