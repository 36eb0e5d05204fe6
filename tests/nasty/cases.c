/* The cases: columns of several families, targets, weights and options, all from the number of the case. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "core/random.h"
#include "nasty.h"

const nasty_way nasty_ways[] = {{LINPRED_TASK_HALFSPACE, "halfspace", NULL, NULL},
                                {LINPRED_TASK_HALFSPACE, "halfspace", "method", "perceptron"},
                                {LINPRED_TASK_HALFSPACE, "halfspace", "method", "pocket"},
                                {LINPRED_TASK_HALFSPACE, "halfspace", "method", "lp"},
                                {LINPRED_TASK_HALFSPACE, "halfspace", "method", "margin"},
                                {LINPRED_TASK_HALFSPACE, "halfspace", "method", "exact"},
                                {LINPRED_TASK_LOGISTIC, "logistic", "method", "newton"},
                                {LINPRED_TASK_LOGISTIC, "logistic", "method", "newton-cg"},
                                {LINPRED_TASK_REGRESSION, "regression", NULL, NULL},
                                {LINPRED_TASK_REGRESSION, "regression", "loss", "absolute"},
                                {LINPRED_TASK_BALL, "ball", NULL, NULL},
                                {LINPRED_TASK_BALL, "ball", "method", "exact"}};

int nasty_way_count(void)
{
    return sizeof nasty_ways / sizeof *nasty_ways;
}

static int below(linpred__random *random, int bound)
{
    return (int)linpred__random_below(random, (uint64_t)bound);
}

static double pick(linpred__random *random, const double *from, int count)
{
    return from[below(random, count)];
}

enum family {
    WHOLE,
    TENTHS,
    NORMAL,
    OFFSET,
    FAR_OFFSET,
    LAST_BITS,
    UNIT,
    MIXED_UNITS,
    DENORMAL,
    EXTREME,
    COPY,
    NEAR_COPY,
    SUM,
    NEAR_SUM,
    CONSTANT,
    TIES,
    FAMILIES
};

/* What a column is made of. */
struct recipe {
    enum family family;
    double offset, unit, near;
};

static struct recipe make_recipe(linpred__random *random, int column)
{
    static const double offsets[] = {1e3, 1e6, 1e9, 1e12, 1e15, -1e15, 1.7e9, 2000.0, -7e5};
    static const double constants[] = {0.1, 1.0, 3.7, 1e15, -2.0, 1e-5, 0.7310585786300049};
    static const double units[] = {1e-300, 1e-150, 1e-60, 1e-20, 1e-10, 1e10, 1e20, 1e25, 1e60, 1e150, 1e300};
    static const double nears[] = {0x1p-53, 0x1p-52, 0x1p-50, 0x1p-45, 0x1p-40, 0x1p-30, 0x1p-26, 0x1p-20};
    struct recipe r = {.family = (enum family)below(random, FAMILIES)};
    if (column == 0 && (r.family == COPY || r.family == NEAR_COPY || r.family == SUM || r.family == NEAR_SUM))
        r.family = WHOLE;
    r.offset = r.family == LAST_BITS ? pick(random, constants, 7) : pick(random, offsets, 9);
    r.unit = below(random, 4) == 0 ? pick(random, units, 11) : 1.0;
    if (r.family == UNIT || r.family == MIXED_UNITS)
        r.unit = pick(random, units, 11);
    r.near = pick(random, nears, 8);
    if (r.family == CONSTANT)
        r.offset = pick(random, constants, 7);
    return r;
}

static double number(linpred__random *random, const struct recipe *r, const double *before, int column)
{
    static const double extremes[] = {0.0,  1.0, -1.0,   DBL_MIN, 0x1p-1074, 1e300,  -1e300, 1e-300, 1e150, -1e150,
                                      1e16, 0.1, 0x1p53, 1e-20,   1e20,      1e-310, 3.0,    1e154,  1e-154};
    double whole = below(random, 7) - 3.0, normal = linpred__random_normal(random);
    switch (r->family) {
    case WHOLE:
        return whole * r->unit;
    case TENTHS:
        return whole / 10.0 * r->unit;
    case NORMAL:
    case UNIT:
        return normal * r->unit;
    case OFFSET:
        return r->offset + whole;
    case FAR_OFFSET:
        return r->offset * (1.0 + r->near * whole);
    case LAST_BITS:
        return r->offset * (1.0 + 0x1p-52 * whole);
    case MIXED_UNITS:
        return below(random, 2) ? whole * r->unit : whole;
    case DENORMAL:
        return whole * 0x1p-1074;
    case EXTREME:
        return pick(random, extremes, 19);
    case COPY:
        return isfinite(3.0 * before[column - 1]) ? 3.0 * before[column - 1] : before[column - 1];
    case NEAR_COPY:
        return before[column - 1] * (1.0 + r->near * whole);
    case SUM:
    case NEAR_SUM: {
        double sum = before[0] + before[column - 1];
        sum = isfinite(sum) ? sum : 0.0;
        return r->family == SUM ? sum : sum + r->near * whole * fabs(sum);
    }
    case CONSTANT:
        return r->offset;
    default:
        return below(random, 2) ? 1.0 : 0.0;
    }
}

static void make_options(linpred__random *random, nasty_case *c)
{
    static const char *const penalties[] = {"0.5", "1e-10", "1e-3", "100", "1e-300", "1e10"};
    bool absolute = c->way->word && c->way->word[0] == 'a';
    c->through_origin = c->way->task != LINPRED_TASK_BALL && below(random, 3) == 0;
    c->sparse = below(random, 5) == 0;
    c->weighted =
        below(random, 3) == 0 && !(c->way->word && c->way->word[0] == 'p' && c->way->word[1] == 'e'); /* perceptron */
    if (c->way->task == LINPRED_TASK_LOGISTIC || (c->way->task == LINPRED_TASK_REGRESSION && !absolute))
        c->l2 = below(random, 3) == 0 ? penalties[below(random, 6)] : NULL;
    if (c->way->task == LINPRED_TASK_LOGISTIC && below(random, 4) == 0)
        c->class_weights = below(random, 2) ? "balanced" : "0.1:0.7";
    if (c->way->word && c->way->word[0] == 'e' && below(random, 3) == 0)
        c->cost = below(random, 2) ? "0.1:0.7" : "1:3";
    if (absolute && below(random, 4) == 0)
        c->quantile = below(random, 2) ? "0.3" : "0.9";
    if (c->way->task == LINPRED_TASK_REGRESSION && !c->sparse && below(random, 6) == 0)
        c->degree = below(random, 2) ? "2" : "3";
}

void nasty_make(uint64_t n, nasty_case *c)
{
    static const double weights[] = {1.0, 2.0, 0.0, 0.1, 3.0, 1e10, 1e-10, 0.7, 5.0, 1e20, 1e-20, 100.0};
    linpred__random random;
    linpred__random_seed(&random, n);
    *c = (nasty_case){.number = n, .way = &nasty_ways[below(&random, nasty_way_count())]};
    c->rows = 1 + below(&random, MAX_ROWS);
    c->columns = 1 + below(&random, below(&random, 2) ? 2 : MAX_COLUMNS);
    make_options(&random, c);
    int mild_weights = below(&random, 2) ? 12 : 5;
    bool real = c->way->task == LINPRED_TASK_REGRESSION;
    struct recipe columns[MAX_COLUMNS + 1];
    for (int j = 0; j <= c->columns; j++)
        columns[j] = make_recipe(&random, j);
    if (below(&random, 2)) /* half of the targets are plain numbers */
        columns[c->columns] = (struct recipe){.family = below(&random, 2) ? WHOLE : NORMAL, .unit = 1.0};
    for (int i = 0; i < c->rows; i++) {
        double *x = c->x + i * c->columns;
        for (int j = 0; j < c->columns; j++)
            x[j] = number(&random, &columns[j], x, j);
        c->target[i] = real ? number(&random, &columns[c->columns], x, c->columns) : below(&random, 2) ? 1.0 : -1.0;
        c->weight[i] = pick(&random, weights, mild_weights);
    }
}

void nasty_print(const nasty_case *c)
{
    printf("linpred fit %s nasty.csv -t y%s", c->way->task_word, c->weighted ? " --weights wt" : " --drop wt");
    const char *const options[][2] = {{c->way->option, c->way->word},      {"l2", c->l2},
                                      {"class-weights", c->class_weights}, {"cost", c->cost},
                                      {"quantile", c->quantile},           {"degree", c->degree}};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (options[k][0] && options[k][1])
            printf(" --%s %s", options[k][0], options[k][1]);
    printf("%s%s\n", c->through_origin ? " --no-intercept" : "", c->sparse ? " (sparse)" : "");
    for (int j = 0; j < c->columns; j++)
        printf("v%d,", j);
    printf("wt,y\n");
    for (int i = 0; i < c->rows; i++) {
        for (int j = 0; j < c->columns; j++)
            printf("%.17g,", c->x[i * c->columns + j]);
        printf("%.17g,%.17g\n", c->weight[i], c->target[i]);
    }
}
