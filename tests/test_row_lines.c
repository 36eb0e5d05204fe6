/* In which line a row begins: files with blank lines, comments and line ends between quotes, in any pieces. */
#include "reader_support.h"

enum { ROWS = 400 };

/* A file whose column a holds the line in which its row begins. */
static void save_lined(bool csv, uint64_t seed)
{
    linpred__random random;
    linpred__random_seed(&random, seed);
    growing g = {0};
    int64_t line = 1;
    if (csv) {
        add(&g, "a,t\n");
        line++;
    }
    for (int i = 0; i < ROWS; i++) {
        for (uint64_t k = linpred__random_below(&random, 6); k > 3; k--, line++)
            add(&g, k == 5 && !csv ? "# a note\n" : "\n");
        add(&g, csv ? "%lld," : "%lld 1:1", (long long)line++);
        if (csv && linpred__random_below(&random, 4) == 0) {
            add(&g, "\"x\ny\r\nz\"");
            line += 2;
        } else if (csv) {
            add(&g, "x");
        }
        add(&g, "\n");
    }
    save(csv ? "lined.csv" : "lined.svm", g.text, g.bytes);
    free(g.text);
}

static void check_lines(const linpred__table *table)
{
    assert_int_equal(table->rows, ROWS);
    for (int64_t i = 0; i < ROWS; i++) {
        const linpred__table_block *block = &table->block[i / table->block_rows];
        double said = table->layout == LINPRED__DENSE ? cell(table, i, 0) : block->target[i % table->block_rows];
        assert_true(said == (double)linpred__table_line(table, i));
    }
}

static void rows_know_their_lines_in_any_pieces(void **state)
{
    (void)state;
    static const size_t pieces[] = {0, 1, 9, 64, 1000};
    for (int csv = 0; csv < 2; csv++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            save_lined(csv, seed);
            for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
                linpred__table *table = NULL;
                linpred_error error = {0};
                if (read_with(path, NULL, 1 + (int)(seed % 2), pieces[i], &table, &error) != LINPRED_OK)
                    fail_msg("%s", error.message);
                check_lines(table);
                linpred__table_free(table);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_know_their_lines_in_any_pieces),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
