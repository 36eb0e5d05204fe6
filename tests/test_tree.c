/* The tree of a pass: its shape is that of a plain recursion, whoever does the work; few states are alive at a time. */
#include "support.h"

#include <sched.h>
#include <stdatomic.h>

#include "core/threads.h"
#include "data/tree.h"

/* ---- a state that remembers its shape ------------------------------------------------------------------------------
 */

/* The hash of a leaf depends on its blocks in order, the hash of a merge on left and right in order. The sum is one
   that rounds, so that another order of additions would show in its bits. */
struct shape {
    uint64_t hash;
    double sum;
    int64_t rows;
    char *held; /* something to free */
};

static _Atomic int alive, peak, granted;

static uint64_t mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * 0x9E3779B97F4A7C15u;
    return a ^ (a >> 29);
}

static bool shape_init(void *context, void *state)
{
    (void)context;
    struct shape *shape = state;
    assert_true(shape->hash == 0 && shape->sum == 0.0 && shape->rows == 0 && shape->held == NULL);
    if (atomic_fetch_sub(&granted, 1) <= 0)
        return false;
    int now = atomic_fetch_add(&alive, 1) + 1, seen = atomic_load(&peak);
    while (now > seen && !atomic_compare_exchange_weak(&peak, &seen, now))
        ;
    shape->held = malloc(8);
    return true;
}

static void shape_clear(void *context, void *state)
{
    (void)context;
    free(((struct shape *)state)->held);
    atomic_fetch_sub(&alive, 1);
}

static void add_block(struct shape *shape, const linpred__block *block)
{
    shape->hash = mix(shape->hash, (uint64_t)block->first_row + 1);
    shape->rows += block->rows;
    for (int32_t r = 0; r < block->rows; r++)
        shape->sum += block->values[r * block->stride];
}

static void shape_block(void *context, void *state, const linpred__block *block)
{
    const int *slow = context; /* every so many blocks a thread is late */
    if (*slow > 0 && block->first_row / 16 % *slow == 0)
        sched_yield();
    add_block(state, block);
}

static void shape_merge(void *context, void *into, const void *from)
{
    (void)context;
    struct shape *a = into;
    const struct shape *b = from;
    a->hash = mix(mix(a->hash, 77), b->hash);
    a->sum += b->sum;
    a->rows += b->rows;
}

/* ---- the reference -------------------------------------------------------------------------------------------------
 */

/* The counter: digit[l] holds a node of 2^l segments. A new segment is carried up through the digits that are taken; at
   the end the digits are merged from the lowest up. */
static struct shape by_counter(const linpred_data *data, int64_t blocks)
{
    struct shape digit[64] = {{0}};
    bool taken[64] = {false};
    int64_t segments = data->blocks > 0 ? (data->blocks - 1) / blocks + 1 : 1;
    for (int64_t s = 0; s < segments; s++) {
        struct shape node = {0};
        for (int64_t i = s * blocks; i < (s + 1) * blocks && i < data->blocks; i++)
            add_block(&node, &data->block[i]);
        int level = 0;
        for (; taken[level]; level++) {
            shape_merge(NULL, &digit[level], &node);
            node = digit[level];
            taken[level] = false;
        }
        digit[level] = node;
        taken[level] = true;
    }
    struct shape total = {0};
    bool any = false;
    for (int level = 0; level < 64; level++)
        if (taken[level] && any) {
            shape_merge(NULL, &digit[level], &total);
            total = digit[level];
        } else if (taken[level]) {
            total = digit[level];
            any = true;
        }
    return total;
}

static int levels_of(int64_t segments)
{
    int levels = 0;
    while (((int64_t)1 << levels) < segments)
        levels++;
    return levels;
}

static linpred_data *rows_of_noise(linpred__random *random, int64_t rows, sample *s)
{
    *s = sample_new(rows, 2048); /* blocks of 16 rows */
    for (int64_t i = 0; i < rows * s->columns; i += 64)
        s->values[i] = (double)linpred__random_below(random, 1000003) / 977.0 - 500.0;
    return sample_data(s, false);
}

/* ---- the tests -----------------------------------------------------------------------------------------------------
 */

/* One segment, two, odd numbers of them, powers of two and their neighbours; 1 to 9 threads. */
static void the_tree_is_the_counter(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 3);
    static const int64_t rows[] = {1, 15, 16, 17, 32, 33, 112, 113, 240, 256, 257, 700, 1025};
    static const int threads[] = {1, 2, 3, 9};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        sample s;
        linpred_data *data = rows_of_noise(&random, rows[k], &s);
        assert_int_equal(data->block_rows, 16);
        for (size_t t = 0; t < 4; t++) {
            linpred__pool *pool;
            assert_int_equal(linpred__pool_open(threads[t], &pool, NULL), LINPRED_OK);
            for (int64_t blocks = 1; blocks <= 5; blocks += 2)
                for (int slow = 0; slow < 6; slow++) {
                    linpred__visitor visitor = {sizeof(struct shape), shape_init, shape_block, shape_merge,
                                                shape_clear,          &slow,      NULL};
                    linpred__cut cut = {blocks, 0.0};
                    struct shape expected = by_counter(data, blocks), total;
                    alive = peak = 0;
                    granted = 1 << 20;
                    assert_int_equal(linpred__pass_all(data, pool, &visitor, (void *[]){&total}, 1, cut, NULL),
                                     LINPRED_OK);
                    assert_true(total.hash == expected.hash && total.sum == expected.sum);
                    assert_int_equal(total.rows, rows[k]);
                    assert_int_equal(alive, 1);
                    int64_t segments = linpred__segments(data, cut);
                    assert_int_equal(segments, ((rows[k] + 15) / 16 + blocks - 1) / blocks);
                    assert_true(peak <= threads[t] * (levels_of(segments) + 1));
                    shape_clear(NULL, &total);
                }
            linpred__pool_close(pool);
        }
        linpred_data_free(data);
        sample_free(&s);
    }
}

static void no_rows_leave_the_state_as_it_began(void **state)
{
    (void)state;
    linpred_data none = {.columns = 3, .block_rows = 16};
    int slow = 0;
    linpred__visitor visitor = {sizeof(struct shape), shape_init, shape_block, shape_merge, shape_clear, &slow, NULL};
    struct shape total;
    alive = 0;
    granted = 1;
    assert_int_equal(linpred__pass(&none, NULL, &visitor, &total, NULL), LINPRED_OK);
    assert_true(total.hash == 0 && total.rows == 0 && alive == 1);
    shape_clear(NULL, &total);
}

/* If a state cannot be made, all others are given back, and the total is not touched. */
static void nothing_is_left_if_memory_ends(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 4);
    sample s;
    linpred_data *data = rows_of_noise(&random, 500, &s);
    linpred__pool *pool;
    assert_int_equal(linpred__pool_open(3, &pool, NULL), LINPRED_OK);
    int slow = 2;
    linpred__visitor visitor = {sizeof(struct shape), shape_init, shape_block, shape_merge, shape_clear, &slow, NULL};
    linpred__cut cut = {1, 0.0};
    for (int k = 0; k < (int)linpred__segments(data, cut); k++) {
        struct shape total = {.hash = 5};
        alive = 0;
        granted = k;
        assert_int_equal(linpred__pass_all(data, pool, &visitor, (void *[]){&total}, 1, cut, NULL),
                         LINPRED_ERROR_MEMORY);
        assert_int_equal(alive, 0);
        assert_int_equal(total.hash, 5);
    }
    linpred__pool_close(pool);
    linpred_data_free(data);
    sample_free(&s);
}

/* More rows at the end change no segment: the cut depends on columns and layout alone. Large states use fewer threads,
   which changes no bit either. */
static void the_cut_does_not_depend_on_rows(void **state)
{
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++)
        for (int32_t columns = 1; columns < 3000; columns = columns * 3 + 1) {
            linpred_data few = {.layout = sparse ? LINPRED__SPARSE : LINPRED__DENSE, .rows = 10, .columns = columns};
            few.block_rows = linpred__block_rows(columns);
            few.entries = 10 * columns;
            linpred_data many = few;
            many.rows = 100000000;
            many.entries = many.rows * columns;
            many.blocks = many.rows / many.block_rows;
            assert_int_equal(linpred__cut_small(&few).blocks, linpred__cut_small(&many).blocks);
            assert_int_equal(linpred__cut_vector(&few, 50.0 * columns).blocks,
                             linpred__cut_vector(&many, 50.0 * columns).blocks);
            assert_int_equal(linpred__cut_matrix(&few, columns).blocks, linpred__cut_matrix(&many, columns).blocks);
            assert_int_equal(linpred__cut_triangle(&few, columns).blocks, linpred__cut_triangle(&many, columns).blocks);
        }
    linpred__random random;
    linpred__random_seed(&random, 5);
    sample s;
    linpred_data *data = rows_of_noise(&random, 700, &s);
    linpred__pool *pool;
    assert_int_equal(linpred__pool_open(9, &pool, NULL), LINPRED_OK);
    int slow = 3;
    linpred__visitor visitor = {sizeof(struct shape), shape_init, shape_block, shape_merge, shape_clear, &slow, NULL};
    struct shape expected = by_counter(data, 1), total;
    alive = peak = 0;
    granted = 1 << 20;
    linpred__cut cut = {1, 0x1p40};
    assert_int_equal(linpred__pass_all(data, pool, &visitor, (void *[]){&total}, 1, cut, NULL), LINPRED_OK);
    assert_true(total.hash == expected.hash);
    assert_true(peak <= 2 * (levels_of(linpred__segments(data, cut)) + 1));
    shape_clear(NULL, &total);
    linpred__pool_close(pool);
    linpred_data_free(data);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_is_the_counter),
        cmocka_unit_test(no_rows_leave_the_state_as_it_began),
        cmocka_unit_test(nothing_is_left_if_memory_ends),
        cmocka_unit_test(the_cut_does_not_depend_on_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
