/* The arena that rows of tables lie in: its pieces are apart, and its memory goes back. */
#include "core/arena.h"

#include <malloc.h>
#include <string.h>

#include "core/memory.h"
#include "core/random.h"
#include "core/threads.h"
#include "support.h"

enum { PIECES = 400, LINE = 64 };

static int64_t held, left = INT64_MAX; /* bytes in use; requests until one fails */

static void *counted(void *context, void *memory, size_t bytes)
{
    (void)context;
    int64_t before = (int64_t)malloc_usable_size(memory);
    if (--left < 0)
        return NULL;
    void *made = realloc(memory, bytes);
    held += made ? (int64_t)malloc_usable_size(made) - before : 0;
    return made;
}

static void give_back(void *context, void *memory)
{
    (void)context;
    held -= (int64_t)malloc_usable_size(memory);
    free(memory);
}

static int open_counted(void **state)
{
    (void)state;
    const linpred_allocator counting = {sizeof(linpred_allocator), counted, give_back, NULL};
    held = 0;
    left = INT64_MAX;
    return linpred_set_allocator(&counting) ? 0 : 1;
}

static int close_counted(void **state)
{
    (void)state;
    return linpred_set_allocator(NULL) && held == 0 ? 0 : 1;
}

static void fill(unsigned char *piece, size_t bytes, int number)
{
    for (size_t i = 0; i < bytes; i++)
        piece[i] = (unsigned char)(i * 7 + (size_t)number);
}

static bool is_filled(const unsigned char *piece, size_t bytes, int number)
{
    for (size_t i = 0; i < bytes; i++)
        if (piece[i] != (unsigned char)(i * 7 + (size_t)number))
            return false;
    return true;
}

/* Pieces of all sizes, 40 MB together, released in another order than they were made in. */
static void pieces_are_apart(void **state)
{
    (void)state;
    linpred__arena arena = {0};
    unsigned char *piece[PIECES];
    size_t bytes[PIECES];
    linpred__random random;
    linpred__random_seed(&random, 5);
    for (int k = 0; k < PIECES; k++) {
        bytes[k] = (size_t)linpred__random_below(&random, k % 3 == 0 ? 300000 : 100000);
        piece[k] = linpred__arena_alloc(&arena, bytes[k], 1);
        assert_non_null(piece[k]);
        assert_true((uintptr_t)piece[k] % LINE == 0);
        fill(piece[k], bytes[k], k);
    }
    for (int k = 0; k < PIECES; k += 2) {
        assert_true(is_filled(piece[k], bytes[k], k));
        linpred__arena_release(&arena, piece[k]);
        piece[k] = linpred__arena_alloc(&arena, bytes[k], 1);
        assert_non_null(piece[k]);
        fill(piece[k], bytes[k], k + 1);
    }
    for (int k = PIECES - 1; k >= 0; k--) {
        assert_true(is_filled(piece[k], bytes[k], k % 2 == 0 ? k + 1 : k));
        linpred__arena_release(&arena, piece[k]);
    }
    linpred__arena_release(&arena, NULL);
    linpred__arena_close(&arena);
    assert_int_equal(held, 0);
}

/* While blocks are encoded, old pieces go as new ones come: memory must not grow to both. */
static void memory_goes_back_on_the_way(void **state)
{
    (void)state;
    enum { BYTES = 200000 };
    linpred__arena arena = {0};
    void *piece[PIECES];
    for (int k = 0; k < PIECES; k++)
        piece[k] = linpred__arena_alloc(&arena, BYTES, 1);
    int64_t all = (int64_t)PIECES * BYTES, most = held;
    assert_in_range(held, all, all + all / 8 + (8 << 20));
    for (int k = 0; k < PIECES; k++) {
        void *made = linpred__arena_alloc(&arena, BYTES, 1);
        assert_non_null(made);
        linpred__arena_release(&arena, piece[k]);
        piece[k] = made;
        most = held > most ? held : most;
    }
    assert_in_range(most, all, all + all / 2);
    for (int k = 0; k < PIECES; k++)
        linpred__arena_release(&arena, piece[k]);
    linpred__arena_close(&arena);
}

static void a_shorter_piece_keeps_its_bytes(void **state)
{
    (void)state;
    linpred__arena arena = {0};
    unsigned char *alone = linpred__arena_alloc(&arena, 1 << 18, 1);
    fill(alone, 1 << 18, 1);
    alone = linpred__arena_shorten(&arena, alone, 10, 100);
    assert_true(is_filled(alone, 1000, 1));
    assert_true(held < 4096); /* a small file takes little */
    unsigned char *many[PIECES];
    for (int k = 0; k < PIECES; k++) {
        many[k] = linpred__arena_alloc(&arena, 50000, 1);
        fill(many[k], 50000, k);
        if (k % 2 == 0)
            many[k] = linpred__arena_shorten(&arena, many[k], 30000, 1);
    }
    for (int k = 0; k < PIECES; k++) {
        assert_true(is_filled(many[k], k % 2 == 0 ? 30000 : 50000, k));
        linpred__arena_release(&arena, many[k]);
    }
    assert_true(is_filled(alone, 1000, 1));
    linpred__arena_release(&arena, alone);
    linpred__arena_close(&arena);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    linpred__arena arena = {0};
    (void)linpred__memory_refused();
    assert_null(linpred__arena_alloc(&arena, SIZE_MAX / 4, 8));
    assert_true(linpred__memory_refused() == SIZE_MAX);
    assert_null(linpred__arena_alloc(&arena, SIZE_MAX, 1));
    assert_true(linpred__memory_refused() == SIZE_MAX);
    void *piece = linpred__arena_alloc(&arena, 1000, 1);
    left = 0;
    assert_null(linpred__arena_alloc(&arena, 100000, 1));
    assert_true(linpred__memory_refused() >= 100000);
    left = INT64_MAX;
    linpred__arena_release(&arena, piece); /* the chunk that was left is given back all the same */
    linpred__arena_close(&arena);
}

/* ---- threads ---- */

struct shared_arena {
    linpred__arena arena;
    unsigned char *piece[PIECES];
};

static void cut_piece(void *context, int64_t k)
{
    struct shared_arena *shared = context;
    for (int round = 0; round < 20; round++) {
        linpred__arena_release(&shared->arena, shared->piece[k]);
        shared->piece[k] = linpred__arena_alloc(&shared->arena, 20000, 1);
        if (shared->piece[k])
            fill(shared->piece[k], 20000, (int)k);
    }
}

static void threads_may_share_it(void **state)
{
    (void)state;
    static struct shared_arena shared;
    linpred__pool *pool;
    linpred_set_allocator(NULL); /* the counting one is for one thread */
    assert_int_equal(linpred__pool_open(4, &pool, NULL), LINPRED_OK);
    linpred__pool_run(pool, PIECES, cut_piece, &shared);
    for (int k = 0; k < PIECES; k++) {
        assert_true(is_filled(shared.piece[k], 20000, k));
        linpred__arena_release(&shared.arena, shared.piece[k]);
    }
    linpred__arena_close(&shared.arena);
    linpred__pool_close(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pieces_are_apart, open_counted, close_counted),
        cmocka_unit_test_setup_teardown(memory_goes_back_on_the_way, open_counted, close_counted),
        cmocka_unit_test_setup_teardown(a_shorter_piece_keeps_its_bytes, open_counted, close_counted),
        cmocka_unit_test_setup_teardown(memory_may_run_out, open_counted, close_counted),
        cmocka_unit_test(threads_may_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
