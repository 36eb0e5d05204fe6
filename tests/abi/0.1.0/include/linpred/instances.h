/* Data that shows what the theory says. Part of linpred.h. */
#ifndef LINPRED_INSTANCES_H
#define LINPRED_INSTANCES_H

#include "linpred/base.h"
#include "linpred/data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct linpred_instance linpred_instance;

typedef struct linpred_instance_text {
    size_t struct_size;
    const char *name;
    const char *shows; /* as a sentence */
    /* What is certain about it, as a sentence; z_i is y_i x_i, with a 1 appended to x_i if there is an intercept. */
    const char *promises;
    const char *const *options; /* the names of the options it listens to, NULL after the last */
    int64_t rows;               /* unless the options say otherwise */
    int32_t columns;
} linpred_instance_text;

/* How many kinds of instances there are, and what each shows. */
LINPRED_API size_t linpred_instances_count(void);
LINPRED_API bool linpred_instances_describe(size_t index, linpred_instance_text *text); /* false past the last */
/* Makes an instance, which is freed by linpred_instance_free. The same name, options and seed give the same bits on
   every machine. */
LINPRED_API linpred_status linpred_generate(const char *name, const linpred_options *options,
                                            linpred_instance **instance, linpred_error *error);
/* Its rows, dense, and labels (-1 and +1, for regression real numbers), borrowed from the instance. */
LINPRED_API bool linpred_instance_arrays(const linpred_instance *instance, linpred_arrays *arrays);
/* What was planted and what is promised, as a JSON object; keys mean what they mean in the answers of fit. */
LINPRED_API const char *linpred_instance_truth(const linpred_instance *instance);
LINPRED_API void linpred_instance_free(linpred_instance *instance);

#ifdef __cplusplus
}
#endif
#endif
