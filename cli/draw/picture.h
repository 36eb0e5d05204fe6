/* The pictures: each is a function from a subject to SVG. It knows the public header only and writes to a stream. */
#ifndef CLI_DRAW_PICTURE_H
#define CLI_DRAW_PICTURE_H

#include "linpred/linpred.h"
#include "svg.h"

/* What is drawn. */
typedef struct draw_subject {
    const linpred_result *result;
    const linpred_data *data;
    const linpred_result *with; /* a second regression on the only feature of the first; NULL: none */
    const char *axes;           /* two features, "A,B"; NULL: chosen by the picture */
    bool project;               /* a halfspace: along its normal, and across */
    bool same_data;             /* the rows are those of the fit */
    int threads;
    struct draw_rows *read; /* the rows, which pictures of one page share; NULL: each reads them */
} draw_subject;

/* The size in pixels of most pictures. */
enum { DRAW_WIDTH = 640, DRAW_HEIGHT = 470 };

typedef struct draw_kind {
    const char *name;
    const char *help; /* as a phrase */
    unsigned tasks;   /* bits 1 << linpred_task */
    linpred_status (*draw)(const svg_document *svg, const draw_subject *subject, linpred_error *error);
    bool plane;                                 /* it lies in two features: --axes */
    bool normal;                                /* it has a normal: --project */
    bool (*suits)(const draw_subject *subject); /* whether a report shows it; NULL: always */
} draw_kind;

/* The kinds of pictures of a model; the first one of its task is what a user gets who asks for none. */
extern const draw_kind draw_kinds[];
extern const size_t draw_kind_count;
/* Writes the picture to memory, which is the caller's to free. */
linpred_status draw_to_text(const draw_kind *kind, const draw_subject *subject, svg_theme theme, int id, char **text,
                            size_t *bytes, linpred_error *error);

/* One line a picture. */
linpred_status draw_halfspace(const svg_document *svg, const draw_subject *subject, linpred_error *error);
linpred_status draw_regression(const svg_document *svg, const draw_subject *subject, linpred_error *error);
linpred_status draw_residuals(const svg_document *svg, const draw_subject *subject, linpred_error *error);
linpred_status draw_qq(const svg_document *svg, const draw_subject *subject, linpred_error *error);
linpred_status draw_leverage(const svg_document *svg, const draw_subject *subject, linpred_error *error);
linpred_status draw_sigmoid(const svg_document *svg, const draw_subject *subject, linpred_error *error);
linpred_status draw_calibration(const svg_document *svg, const draw_subject *subject, linpred_error *error);
linpred_status draw_roc(const svg_document *svg, const draw_subject *subject, linpred_error *error);
linpred_status draw_ball(const svg_document *svg, const draw_subject *subject, linpred_error *error);
linpred_status draw_forest(const svg_document *svg, const draw_subject *subject, linpred_error *error);

/* Pictures that are made by fits of their own. The options are those of the fit; draw_perceptron sets their callback.
 */
linpred_status draw_perceptron(const svg_document *svg, const linpred_data *data, linpred_options *options,
                               linpred_error *error);
linpred_status draw_shattering(const svg_document *svg, const linpred_data *data, const linpred_options *options,
                               linpred_error *error);
/* The result is that of linpred_find_separation on this data. */
linpred_status draw_separation(const svg_document *svg, const draw_subject *subject, linpred_error *error);

/* Sets the error to the formatted text and returns the status. */
linpred_status draw_fail(linpred_error *error, linpred_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static inline linpred_status draw_no_memory(linpred_error *error)
{
    draw_fail(error, LINPRED_ERROR_MEMORY, "out of memory");
    return LINPRED_ERROR_MEMORY;
}

#endif
