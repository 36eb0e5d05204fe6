/* CSV and LIBSVM: every kind of cell, and the same answer in any pieces on any number of threads. */
#include "reader_support.h"

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static void reads_cells_names_and_levels(void **state)
{
    (void)state;
    linpred__table *t =
        must_read(save_text("a.csv", "y, \"a \"\"b\"\"\" ,c,d\n1,0.5,red,NA\r\n\n-1.5e2,\"2\", blue ,?\r"
                                     "+3,.25,\"red\",7\n4,,\"\",\"\""),
                  NULL);
    assert_int_equal(t->rows, 4);
    assert_int_equal(t->columns, 4);
    assert_true(t->has_names);
    assert_string_equal(t->column[1].name, "a \"b\"");
    assert_string_equal(t->column[3].name, "d");
    assert_int_equal(t->column[0].type, LINPRED_COLUMN_NUMBER);
    assert_int_equal(t->column[2].type, LINPRED_COLUMN_TEXT);
    assert_int_equal(t->column[2].levels, 2);
    assert_string_equal(t->column[2].level[0], "red");
    assert_string_equal(t->column[2].level[1], "blue");
    ROW(t, 0, 1, 0.5, 0, NAN);
    ROW(t, 1, -150, 2, 1, NAN);
    ROW(t, 2, 3, 0.25, 0, 7);
    ROW(t, 3, 4, NAN, NAN, NAN);
    assert_int_equal(t->column[3].missing, 3);
    assert_int_equal(t->column[3].first_missing_line, 2);
    assert_int_equal(t->column[1].first_missing_line, 6);
    assert_int_equal(t->column[0].missing, 0);
    assert_int_equal(t->block[0].rows, 4);
    assert_string_equal(t->format, "CSV, separated by ',', with names in line 1");
    linpred__table_free(t);
}

static void finds_separators_and_headers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *format;
        int rows;
        int columns;
    } cases[] = {
        {"a\tb c\n1\t2\n", "CSV, separated by tabs, with names in line 1", 1, 2},
        {"a;b\n1;2\n", "CSV, separated by ';', with names in line 1", 1, 2},
        {"  a   b\t c \n 1  2 3\n\n4 5 6   \n", "CSV, separated by blanks, with names in line 1", 2, 3},
        {"\n \na,b\n1,2\n", "CSV, separated by ',', with names in line 3", 1, 2},
        {"1,2\n3,4", "CSV, separated by ',', without names", 2, 2},
        {"1,NA\n3,4", "CSV, separated by ',', without names", 2, 2},
        {"name\nJohn Smith\nMary", "CSV, one column, with names in line 1", 2, 1},
        {"y\n1\n\n2\n", "CSV, one column, with names in line 1", 2, 1},
        {"5\n1\n2\n", "CSV, one column, without names", 3, 1},
        {"first name,last name\nA B,C D\n", "CSV, separated by ',', with names in line 1", 1, 2},
        {"when,y\n2024-01-01 12:30:00,1\n", "CSV, separated by ',', with names in line 1", 1, 2},
        {"\"a;b\",c\n1,2\n", "CSV, separated by ',', with names in line 1", 1, 2},
        {"a,b\n\t\n1,\n", "CSV, separated by ',', with names in line 1", 1, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        linpred__table *t = must_read(save_text("s.csv", cases[i].text), NULL);
        assert_string_equal(t->format, cases[i].format);
        assert_int_equal(t->rows, cases[i].rows);
        assert_int_equal(t->columns, cases[i].columns);
        linpred__table_free(t);
    }
    linpred__table *t = must_read(save_text("s.csv", "1,NA\n3,4"), NULL);
    assert_false(t->has_names);
    assert_string_equal(t->column[1].name, "x2");
    linpred__table_free(t);
}

static void heeds_options(void **state)
{
    (void)state;
    linpred_options options = defaults();
    options.header = LINPRED_HEADER_YES;
    linpred__table *t = must_read(save_text("o.csv", "2019,2020\n1,2\n"), &options);
    assert_string_equal(t->column[0].name, "2019");
    assert_int_equal(t->rows, 1);
    linpred__table_free(t);

    options.header = LINPRED_HEADER_NO;
    t = must_read(save_text("o.csv", "red,2020\nblue,2\n"), &options);
    assert_int_equal(t->rows, 2);
    assert_int_equal(t->column[0].levels, 2);
    linpred__table_free(t);

    options = defaults();
    options.separator = "|";
    t = must_read(save_text("o.csv", "a|b,c\n1|2\n"), &options);
    assert_int_equal(t->columns, 2);
    assert_string_equal(t->column[1].name, "b,c");
    linpred__table_free(t);
    options.separator = "5";
    must_fail(path, &options, 0, 0, "cannot separate");

    options = defaults();
    options.as_text = "zip,3";
    t = must_read(save_text("o.csv", "y,zip,code\n1,0123,7\n2,123,x\n3,0123,NA\n"), &options);
    assert_int_equal(t->column[1].type, LINPRED_COLUMN_TEXT);
    assert_string_equal(t->column[1].level[0], "0123");
    assert_string_equal(t->column[1].level[1], "123");
    assert_string_equal(t->column[2].level[0], "7");
    ROW(t, 2, 3, 0, NAN);
    linpred__table_free(t);
    options.as_text = "zap";
    must_fail(path, &options, 0, 0, "there is no column 'zap'");
    options.as_text = "4";
    must_fail(path, &options, 0, 0, "--text names column 4, but there are 3 columns");
    options = defaults();
    options.index_base = LINPRED_INDEX_ONE;
    must_fail(path, &options, 0, 0, "--index-base");
}

static void says_where_it_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        int column;
        const char *says;
    } cases[] = {
        {"a,b\n1,2\n1,2,3\n", 3, 0, "e.csv:3: the line has 3 fields, but the header has 2"},
        {"1,2\n1\n", 2, 0, "the line has 1 field, but the first line has 2"},
        {"a,b\n1,2\n1,x\n3,4\n", 3, 2,
         "e.csv:3: column 2 (b): 'x' is not a number, but the column has numbers before it"},
        {"a,b\n1,x\n1,y\n\n3,4\n", 2, 2,
         "'x' is not a number, but the column has numbers after it, the first in line 5"},
        {"a,b\n1,x\n1,y\n3,z,5\n3,4\n", 4, 0, "3 fields"},
        {"a,b\n1,x,1\n1,nan\n", 2, 0, "3 fields"},
        {"a,b\n1,nan\n1,2,3\n", 2, 2, "finite"},
        {"a,b\n\"x\n\n\",1\n\"y\",-1e999\n", 5, 2, "beyond the range"},
        {"a,b\n\"x\r\ny\",1\n2,3\n", 2, 1, "the first in line 4"},
        {"a,b\n1,\"2\n3\n", 2, 2, "the quote that opens here"},
        {"a,b\n1,\"x\ny\"\n# c\n", 4, 0, "begins with '#'"},
        {"a,b\n1,\xE9t\xE9\n", 2, 2, "not valid UTF-8"},
        {"a,b\n1;2\n", 2, 0, "1 field"},
        {"a,b,5\n1,2,3\n", 1, 3, "--header yes or --header no"},
        {"a;b\nx;1,5\n", 2, 2, "decimal commas"},
        {"a,a\n1,2\n", 1, 2, "columns 1 and 2 have the same name 'a'"},
        {"a,,\n1,2,3\n", 1, 3, "columns 2 and 3 have no name"},
        {"a,b\n\n", 0, 0, "no rows"},
        {"a,b\n1,$5\n", 2, 2, "unit"},
        {"a,b\n1,5 \xE2\x82\xAC\n", 2, 2, "unit"},
        {"long name \"x\",b\n1,2\n", 1, 1, "quote inside"},
        {"\"long, name\",b\n1,2\nx,2\n", 3, 1, "--text 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        must_fail(save_text("e.csv", cases[i].text), NULL, cases[i].line, cases[i].column, cases[i].says);
    must_fail(save("e.csv", "a,b\n1,\"2\0\"\n", 11), NULL, 2, 2, "NUL");
    must_fail(save("e.csv", "a\0,\0b\0\n\0", 8), NULL, 0, 0, "UTF-16");
    must_fail(folder, NULL, 0, 0, "Is a directory");
    snprintf(path, sizeof path, "%s/nothing-here", folder);
    must_fail(path, NULL, 0, 0, "nothing-here': No such file");
}

/* ---- any number of threads, cuts everywhere ---------------------------------------------------------------------- */

static const size_t piece_sizes[] = {1, 7, 16, 61, 300, 5000};
enum { PIECE_SIZES = sizeof piece_sizes / sizeof piece_sizes[0] };

static void csv_is_the_same_in_any_pieces(void **state)
{
    (void)state;
    growing g = awkward_csv(3000, 5);
    save("pieces.csv", g.text, g.bytes);
    free(g.text);
    linpred__table *whole = NULL;
    linpred_error error = {0};
    if (read_with(path, NULL, 1, (size_t)1 << 30, &whole, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    assert_int_equal(whole->rows, 3000);
    for (int64_t i = 0; i < whole->rows; i++)
        assert_true(cell(whole, i, 3) == (double)i);
    assert_int_equal(whole->column[2].type, LINPRED_COLUMN_TEXT);
    for (size_t i = 0; i < PIECE_SIZES; i++)
        for (int threads = 1; threads <= 4; threads *= 2) {
            linpred__table *cut = NULL;
            if (read_with(path, NULL, threads, piece_sizes[i], &cut, &error) != LINPRED_OK)
                fail_msg("%s", error.message);
            assert_same_dense(whole, cut);
            linpred__table_free(cut);
        }
    linpred__table_free(whole);
}

static void the_first_error_wins_in_any_pieces(void **state)
{
    (void)state;
    static const char *const wrong[] = {"1,2,word,3,4\n", "nan,1,x,2\n",    "x,1,2,3\n",     "1,2,3,\"4\n",
                                        "1,2,5,4\n",      "1,2\"3\",w,4\n", "1,1e999,w,4\n", "# 1,2,w,3\n"};
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < 8; k++) {
            growing g = awkward_csv(60, i + 9);
            add(&g, "\n%s", wrong[i]);
            for (int r = 0; r < 40; r++)
                add(&g, "1,2,w,%d\n", r);
            add(&g, "%s1,2,w,4\n1,2,w,5\n", wrong[k]);
            save("wrong.csv", g.text, g.bytes);
            free(g.text);
            linpred_error first = {0};
            linpred__table *table = NULL;
            assert_int_equal(read_with(path, NULL, 1, (size_t)1 << 30, &table, &first), LINPRED_ERROR_INPUT);
            for (size_t p = 0; p < PIECE_SIZES; p++)
                for (int threads = 1; threads <= 4; threads *= 4) {
                    linpred_error error = {0};
                    assert_int_equal(read_with(path, NULL, threads, piece_sizes[p], &table, &error),
                                     LINPRED_ERROR_INPUT);
                    assert_int_equal(error.line, first.line);
                    assert_int_equal(error.column, first.column);
                    /* The text that is shown of an unclosed quote ends where the piece does. */
                    if (!strstr(first.message, "quote"))
                        assert_string_equal(error.message, first.message);
                }
        }
}

/* Row by row: the blocks of sparse tables depend on the first piece. */
static void assert_same_sparse(const linpred__table *a, const linpred__table *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->entries, b->entries);
    assert_int_equal(a->index_base, b->index_base);
    for (int64_t r = 0; r < a->rows; r++) {
        const linpred__table_block *x = &a->block[r / a->block_rows];
        const linpred__table_block *y = &b->block[r / b->block_rows];
        int64_t i = r % a->block_rows;
        int64_t k = r % b->block_rows;
        size_t entries = (size_t)(x->start[i + 1] - x->start[i]);
        assert_true(x->target[i] == y->target[k]);
        assert_int_equal(entries, y->start[k + 1] - y->start[k]);
        if (entries > 0) {
            assert_memory_equal(x->values + x->start[i], y->values + y->start[k], entries * sizeof(double));
            assert_memory_equal(x->indices + x->start[i], y->indices + y->start[k], entries * sizeof(int32_t));
        }
    }
    for (int64_t i = 0; i + 1 < b->blocks; i++)
        assert_int_equal(b->block[i].rows, b->block_rows);
}

static void libsvm_is_the_same_in_any_pieces(void **state)
{
    (void)state;
    for (int base = 0; base < 2; base++) {
        linpred__random random;
        linpred__random_seed(&random, 8);
        growing g = {0};
        for (int i = 0; i < 4000; i++) {
            add(&g, "%s", i % 2 ? "+1" : "-1.0");
            int index = base - 1;
            for (uint64_t k = linpred__random_below(&random, 14); k > 0; k--) {
                index += 1 + (int)linpred__random_below(&random, k == 1 ? 100000 : 30);
                add(&g, "%s%d:%.*g", k % 3 ? " " : "\t", index, (int)linpred__random_below(&random, 18),
                    linpred__random_below(&random, 9) ? linpred__random_normal(&random) : 0.0);
            }
            add(&g, "%s%s", i % 5 ? "" : "  # \"note", line_end(&random));
        }
        add(&g, "1 %d:1", base);
        save("pieces.svm", g.text, g.bytes);
        free(g.text);
        linpred__table *whole = must_read(path, NULL);
        assert_int_equal(whole->rows, 4001);
        assert_int_equal(whole->index_base, base);
        for (size_t i = 0; i < PIECE_SIZES; i++)
            for (int threads = 1; threads <= 4; threads *= 2) {
                linpred__table *cut = NULL;
                linpred_error error = {0};
                if (read_with(path, NULL, threads, piece_sizes[i], &cut, &error) != LINPRED_OK)
                    fail_msg("%s", error.message);
                assert_same_sparse(whole, cut);
                linpred__table_free(cut);
            }
        linpred__table_free(whole);
    }
}

static void reads_libsvm(void **state)
{
    (void)state;
    linpred__table *t =
        must_read(save_text("a.txt", "# head\n+1 1:0.5 3:2 # c\r\n\n-1\n 0.25\t2:0 5:-0 7:1e3#c\n2 4:+1.5"), NULL);
    assert_int_equal(t->layout, LINPRED__SPARSE);
    assert_int_equal(t->rows, 4);
    assert_int_equal(t->columns, 7);
    assert_int_equal(t->entries, 4);
    assert_int_equal(t->index_base, 1);
    assert_null(t->column);
    const linpred__table_block *b = &t->block[0];
    assert_true(b->target[0] == 1 && b->target[1] == -1 && b->target[2] == 0.25 && b->target[3] == 2);
    assert_true(b->start[0] == 0 && b->start[1] == 2 && b->start[2] == 2 && b->start[3] == 3 && b->start[4] == 4);
    assert_true(b->indices[0] == 0 && b->indices[1] == 2 && b->indices[2] == 6 && b->indices[3] == 3);
    assert_true(b->values[2] == 1000.0 && b->values[3] == 1.5);
    linpred__table_free(t);

    linpred_options options = defaults();
    options.index_base = LINPRED_INDEX_ZERO;
    t = must_read(path, &options);
    assert_int_equal(t->columns, 8);
    assert_int_equal(t->block[0].indices[0], 1);
    linpred__table_free(t);
    options.index_base = LINPRED_INDEX_ONE;
    must_fail(save_text("b.txt", "1 1:2\n1 0:1\n"), &options, 2, 0, "index 0");
    t = must_read(path, NULL);
    assert_int_equal(t->index_base, 0);
    assert_int_equal(t->columns, 2);
    linpred__table_free(t);
    must_fail(save_text("b.txt", "1 1:2\n+-1 1:1\n"), NULL, 2, 0, "labels");
    must_fail(save_text("b.txt", "1 1:2\n1 2147483647:1\n1 2147483648:1"), NULL, 3, 0, "2147483647");
    must_fail(save_text("b.txt", "1 0:2\n1 2147483647:1"), NULL, 0, 0, "too large by one");
    must_fail(save("b.txt", "1 1:2\n1 2:1\0 3:1\n", 17), NULL, 2, 0, "NUL");
    options = defaults();
    options.as_text = "1";
    must_fail(save_text("b.txt", "1 1:2\n"), &options, 0, 0, "--text");
    t = must_read(save_text("only.svm", "1\n2\n"), NULL);
    assert_int_equal(t->columns, 0);
    linpred__table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_cells_names_and_levels),
        cmocka_unit_test(finds_separators_and_headers),
        cmocka_unit_test(heeds_options),
        cmocka_unit_test(says_where_it_is_wrong),
        cmocka_unit_test(csv_is_the_same_in_any_pieces),
        cmocka_unit_test(the_first_error_wins_in_any_pieces),
        cmocka_unit_test(libsvm_is_the_same_in_any_pieces),
        cmocka_unit_test(reads_libsvm),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
