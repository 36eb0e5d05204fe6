/* Processes that share a pass: the state has the bits of one process, whatever the cut and the number of processes. */
#include "process_support.h"

#include "data/checkpoint.h"
#include "data/tree.h"

/* ---- a state that remembers its order ---------------------------------------------------------------------------- */

struct order {
    uint64_t hash;
    double *sum; /* of each column, in memory of its own */
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * 0x9E3779B97F4A7C15u;
    return a ^ (a >> 29);
}

static bool init_order(void *context, void *state)
{
    ((struct order *)state)->sum = calloc((size_t)((const linpred_data *)context)->columns, sizeof(double));
    return true;
}

static void clear_order(void *context, void *state)
{
    (void)context;
    free(((struct order *)state)->sum);
}

static void visit_order(void *context, void *state, const linpred__block *block)
{
    (void)context;
    struct order *order = state;
    order->hash = mix(order->hash, (uint64_t)block->first_row + 1);
    for (int32_t r = 0; r < block->rows; r++)
        for (int32_t j = 0; j < block->columns; j++)
            order->sum[j] += block->values[r * block->stride + j];
}

static void merge_order(void *context, void *into, const void *from)
{
    struct order *a = into;
    const struct order *b = from;
    a->hash = mix(mix(a->hash, 77), b->hash);
    for (int32_t j = 0; j < ((const linpred_data *)context)->columns; j++)
        a->sum[j] += b->sum[j];
}

static void list_order(void *context, void *state, linpred__state_pieces *pieces)
{
    struct order *order = state;
    linpred__state_piece(pieces, &order->hash, sizeof order->hash);
    linpred__state_piece(pieces, order->sum, (size_t)((const linpred_data *)context)->columns * sizeof(double));
}

static uint64_t hash_pass(const linpred_data *data, linpred__cut cut)
{
    linpred__visitor visitor = {sizeof(struct order), init_order,   visit_order, merge_order,
                                clear_order,          (void *)data, list_order};
    struct order total;
    linpred_error error;
    if (linpred__pass_all(data, NULL, &visitor, (void *[]){&total}, 1, cut, &error) != LINPRED_OK)
        _exit(93);
    uint64_t hash = total.hash, bits;
    for (int32_t j = 0; j < data->columns; j++) {
        memcpy(&bits, &total.sum[j], sizeof bits);
        hash = mix(hash, bits);
    }
    clear_order(NULL, &total);
    return hash;
}

/* What one process finds: three passes, and an array of which each fills its share. */
static uint64_t find_answer(const linpred_data *data, linpred__cut cut)
{
    uint64_t hash = hash_pass(data, cut), *rows = calloc((size_t)data->rows + 1, sizeof *rows);
    linpred__share share = linpred__own_blocks(data, cut);
    for (int64_t i = share.from * data->block_rows; i < share.to * data->block_rows && i < data->rows; i++)
        rows[i] = mix(hash, (uint64_t)i);
    linpred__share_rows(data, cut, rows, sizeof *rows);
    for (int64_t i = 0; i < data->rows; i++)
        hash = mix(hash, rows[i]);
    free(rows);
    hash = mix(hash, hash_pass(data, linpred__cut_small(data)));
    return mix(hash, hash_pass(data, linpred__cut_vector(data, 1e5)));
}

/* ---- processes --------------------------------------------------------------------------------------------------- */

struct asked_pass {
    const linpred_data *data;
    linpred__cut cut;
    uint64_t wanted;
    const char *path; /* a checkpoint, or NULL */
};

static int answer_pass(void *context)
{
    const struct asked_pass *asked = context;
    bool resume = true;
    if (asked->path && linpred__checkpoint_open(asked->path, &resume, 5, NULL) != LINPRED_OK)
        return 94;
    return find_answer(asked->data, asked->cut) == asked->wanted ? 0 : 1;
}

static linpred_data *make_rows(int64_t rows, sample *s)
{
    *s = sample_new(rows, 2048); /* blocks of 16 rows */
    for (int64_t i = 0; i < rows * s->columns; i += 64)
        s->values[i] = sin((double)i) / 3.0;
    return sample_data(s, false);
}

static void any_number_of_processes_gives_the_same_bits(void **state)
{
    (void)state;
    static const int64_t rows[] = {1, 16, 17, 100, 257, 700};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        sample s;
        linpred_data *data = make_rows(rows[k], &s);
        for (int64_t blocks = 1; blocks <= 7; blocks += 3) {
            linpred__cut cut = {blocks, 0.0};
            uint64_t wanted = find_answer(data, cut);
            for (int processes = 1; processes <= MOST_PROCESSES; processes++)
                ask_processes(processes, answer_pass, &(struct asked_pass){data, cut, wanted, NULL});
        }
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* A file that is cut anywhere, also in the middle of a record, gives the same bits, and grows to the same length. */
static void a_checkpoint_cut_anywhere_gives_the_same_bits(void **state)
{
    (void)state;
    char path[] = "/tmp/linpred-passes-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    sample s;
    linpred_data *data = make_rows(300, &s);
    linpred__cut cut = {2, 0.0};
    uint64_t wanted = find_answer(data, cut);
    struct asked_pass asked = {data, cut, wanted, path};
    ask_processes(3, answer_pass, &asked);
    off_t whole = lseek(descriptor, 0, SEEK_END);
    assert_true(whole > 0);
    for (int k = 0; k <= 12; k++) {
        assert_int_equal(ftruncate(descriptor, whole * k / 12 - (k == 12)), 0);
        ask_processes(1 + k % 4, answer_pass, &asked);
        assert_int_equal(lseek(descriptor, 0, SEEK_END), whole);
    }
    close(descriptor);
    unlink(path);
    linpred_data_free(data);
    sample_free(&s);
}

static void shares_cover_everything_once(void **state)
{
    (void)state;
    for (int64_t count = 0; count < 40; count++)
        for (int processes = 1; processes < 12; processes++) {
            int64_t at = 0;
            for (int p = 0; p < processes; p++) {
                linpred__share share = linpred__share_of(count, processes, p);
                assert_int_equal(share.from, at);
                for (at = share.from; at < share.to; at++)
                    assert_int_equal(linpred__sharer(count, processes, at), p);
            }
            assert_int_equal(at, count);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_cover_everything_once),
        cmocka_unit_test(any_number_of_processes_gives_the_same_bits),
        cmocka_unit_test(a_checkpoint_cut_anywhere_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
