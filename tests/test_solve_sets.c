/* Real data by constraint generation: working rows, a scan for rows that refute the proposal, again. What the scan
   leaves standing is checked on all rows in rationals, against the known answers. */
#include "solve_sets.h"
#include "solve/row_signs.h"
#include "solve/exact_lp/span.h"

enum { PORTION = 100 };

typedef struct violation {
    double measure;
    int32_t row;
} violation;

static int worse(const void *a, const void *b)
{
    const violation *x = a, *y = b;
    return x->measure != y->measure ? (x->measure < y->measure ? -1 : 1) : x->row - y->row;
}

/* Moves the worst rows of the list into the working rows. */
static void add_worst(linpred__working_rows *s, const linpred__rows *all, violation *list, int32_t count,
                      int32_t *number, bool *working)
{
    qsort(list, (size_t)count, sizeof *list, worse);
    int32_t count_max = PORTION > 2 * all->columns ? PORTION : 2 * all->columns;
    count_max = count_max > 500 ? 500 : count_max;
    for (int32_t k = 0; k < count && k < count_max; k++) {
        int32_t i = list[k].row;
        assert_false(working[i]);
        working[i] = true;
        number[linpred__working_rows_view(s)->rows] = i;
        assert_int_equal(linpred__working_rows_add(s, all, i, 1, NULL), LINPRED_OK);
    }
}

static double score(const linpred__rows *rows, int32_t i, const double *w)
{
    double sum = 0, size = 1e-300;
    linpred__entries z = linpred__row_of(rows, i);
    for (int32_t e = 0; e < z.count; e++) {
        double p = z.values[e] * w[linpred__entry_column(&z, e)];
        sum += p;
        size += fabs(z.values[e]);
    }
    return sum / size;
}

static int32_t start_rows(const linpred__rows *all)
{
    return all->rows < 300 ? all->rows : 300;
}

/* A separation under way, with rows spread over all of them to begin with. */
typedef struct rounds_of {
    linpred__working_rows *s;
    int32_t *number;
    bool *working;
    violation *list;
    int32_t listed;
} rounds_of;

static rounds_of begin(const linpred__rows *all)
{
    size_t n = (size_t)all->rows;
    rounds_of r = {.number = malloc(n * sizeof *r.number), .working = calloc(n, 1), .list = malloc(n * sizeof *r.list)};
    assert_int_equal(linpred__working_rows_open(all->columns, NULL, &r.s, NULL), LINPRED_OK);
    for (int32_t k = 0; k < start_rows(all); k++)
        r.list[r.listed++] = (violation){0, (int32_t)((int64_t)k * all->rows / start_rows(all))};
    return r;
}

static void end(rounds_of *r, int32_t *held)
{
    *held = linpred__working_rows_view(r->s)->rows;
    linpred__working_rows_close(r->s);
    free(r->number);
    free(r->working);
    free(r->list);
}

static linpred_separation two_ways(const linpred__rows *all, int32_t *rounds, int32_t *held, int32_t *count)
{
    rounds_of r = begin(all);
    linpred__effort effort = {0};
    linpred_separation kind = LINPRED_SEPARATION_UNDECIDED;
    linpred__exact_answer answer;
    for (*rounds = 0; r.listed > 0; (*rounds)++) {
        add_worst(r.s, all, r.list, r.listed, r.number, r.working);
        assert_int_equal(linpred__lp_rows(linpred__working_rows_lp(r.s)), linpred__working_rows_view(r.s)->rows);
        assert_int_equal(linpred__working_rows_certify(r.s, &effort, &answer, NULL), LINPRED_OK);
        kind = check_answer(linpred__working_rows_view(r.s), &answer);
        r.listed = 0;
        if (kind == LINPRED_SEPARATION_SEPARATED) {
            assert_non_null(answer.rounded);
            for (int32_t i = 0; i < all->rows; i++)
                if (!r.working[i] && linpred__row_sign(all, i, answer.rounded) <= 0)
                    r.list[r.listed++] = (violation){score(all, i, answer.rounded), i};
            if (r.listed == 0)
                for (int32_t i = 0; i < all->rows; i++)
                    assert_int_equal(sign_of(all, i, answer.rounded), 1);
        }
        *count = answer.count;
        linpred__exact_answer_close(&answer);
    }
    end(&r, held);
    return kind;
}

static linpred_separation three_ways(const linpred__rows *all, int32_t *rounds, int32_t *held, int32_t *count)
{
    rounds_of r = begin(all);
    linpred__effort effort = {0};
    linpred__working_separation answer = {0};
    linpred_separation kind = LINPRED_SEPARATION_UNDECIDED;
    for (*rounds = 0; r.listed > 0; (*rounds)++) {
        linpred__working_separation_close(&answer);
        add_worst(r.s, all, r.list, r.listed, r.number, r.working);
        assert_int_equal(linpred__working_rows_three_way(r.s, &effort, &answer, NULL), LINPRED_OK);
        kind = answer.kind;
        assert_int_not_equal(kind, LINPRED_SEPARATION_UNDECIDED);
        r.listed = 0;
        linpred__span *span = NULL;
        if (kind == LINPRED_SEPARATION_OVERLAPPING)
            assert_int_equal(
                linpred__span_open(linpred__working_rows_view(r.s), answer.carrier, answer.carriers, 99, &span, NULL),
                LINPRED_OK);
        for (int32_t i = 0; i < all->rows; i++) {
            if (r.working[i])
                continue;
            linpred__entries row = linpred__row_of(all, i);
            bool refutes = kind == LINPRED_SEPARATION_OVERLAPPING ? !linpred__span_may_hold(span, &row)
                           : answer.rounded                       ? linpred__row_sign(all, i, answer.rounded) <= 0
                           : kind == LINPRED_SEPARATION_SEPARATED
                               ? linpred__row_sign_integers(all, i, &answer.direction) <= 0
                               : linpred__row_sign_integers(all, i, &answer.direction) < 0;
            if (refutes)
                r.list[r.listed++] = (violation){answer.rounded ? score(all, i, answer.rounded) : 0, i};
        }
        linpred__span_close(span);
        if (getenv("LINPRED_TEST_TRACE"))
            printf("  round %d: %d working rows, kind %d, rank %d, %d refute\n", *rounds,
                   linpred__working_rows_view(r.s)->rows, (int)kind, answer.rank, r.listed);
    }
    check_three_way(linpred__working_rows_view(r.s), &answer);
    *count = answer.carriers;
    linpred__working_separation_close(&answer);
    end(&r, held);
    return kind;
}

static void known_answers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        char kind; /* s, q, o */
    } known[] = {
        {"iris_setosa.csv", 's'},
        {"iris_versicolor.csv", 'o'},
        {"wdbc.csv", 's'},
        {"breast_w.csv", 'o'},
        {"pima.csv", 'o'},
        {"bupa.csv", 'o'},
        {"haberman.csv", 'o'},
        {"sonar.csv", 's'},
        {"ionosphere.csv", 'q'},
        {"banknote.csv", 'o'},
        {"heart_scale", 'o'},
        {"a1a", 'q'},
        {"agaricus.train", 's'},
        {"ijcnn1", 'o'},
        {"a9a", 'q'},
        {"rcv1_small", 's'},
        {"mnist_3v8", 's'},
        {"w8a", 'q'},
    };
    const char *only = getenv("LINPRED_TEST_SET");
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        set s;
        if (only && strcmp(only, known[k].name) != 0)
            continue;
        if (!set_read(known[k].name, &s))
            continue;
        int32_t rounds = 0, held = 0, count = 0;
        double t = seconds_now();
        linpred_separation two = two_ways(&s.rows, &rounds, &held, &count);
        printf("%-20s %6d x %5d: %s, %d rounds, %d working rows, witness %d, %.3f s; ", known[k].name, s.rows.rows,
               s.rows.columns, two == LINPRED_SEPARATION_SEPARATED ? "separated  " : "inseparable", rounds, held, count,
               seconds_now() - t);
        fflush(stdout);
        assert_int_equal(two, known[k].kind == 's' ? LINPRED_SEPARATION_SEPARATED : LINPRED_SEPARATION_INSEPARABLE);
        if (s.rows.columns > 10000) { /* no different from two ways where nothing overlaps, and slow */
            printf("\n");
            set_free(&s);
            continue;
        }
        t = seconds_now();
        linpred_separation three = three_ways(&s.rows, &rounds, &held, &count);
        printf("three-way %d: %d rounds, %d working rows, %d carriers, %.3f s\n", (int)three, rounds, held, count,
               seconds_now() - t);
        assert_int_equal(three, known[k].kind == 's'   ? LINPRED_SEPARATION_SEPARATED
                                : known[k].kind == 'q' ? LINPRED_SEPARATION_QUASI_SEPARATED
                                                       : LINPRED_SEPARATION_OVERLAPPING);
        set_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
