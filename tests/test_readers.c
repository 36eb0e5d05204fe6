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
        {"y\n1\n\n2\n\n \n", "CSV, one column, with names in line 1", 3, 1},
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
        {"a,b\n1,2\n1,2,3\n", 3, 0, "e.csv:3: the line '1,2,3' has 3 fields, but the header has 2"},
        {"1,2\n1\n", 2, 0, "the line '1' has 1 field, but the first line has 2"},
        {"a,b\n1,x\n1,y\n3,z,5\n3,4\n", 4, 0, "3 fields"},
        {"a,b\n1,x,1\n1,nan\n", 2, 0, "3 fields"},
        {"a,b\n1,nan\n1,2,3\n", 3, 0, "3 fields"},
        {"a,b\n1,nan\n1,\xE9\n", 3, 2, "UTF-8"},
        {"a,b\n1,\"2\n3\n", 2, 2, "the quote that opens here"},
        {"a,b\n1,\"x\ny\"\n# c\n", 4, 0, "begins with '#'"},
        {"a,b\n1,\xE9t\xE9\n", 2, 2, "not valid UTF-8"},
        {"a,b\n1;2\n", 2, 0, "1 field"},
        {"a,b,5\n1,2,3\n", 1, 3, "--header yes or --header no"},
        {"a,b\n\n", 0, 0, "no rows"},
        {" ", 0, 0, "nothing in the file but blank lines"},
        {"a,b\n1,2\"3\n", 2, 2, "quote stands inside"},
        {"a,b\n1,\"2\"3\n", 2, 2, "text follows the closing quote"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        must_fail(save_text("e.csv", cases[i].text), NULL, cases[i].line, cases[i].column, cases[i].says);
    must_fail(save("e.csv", "a,b\n1,\"2\0\"\n", 11), NULL, 2, 2, "NUL");
    must_fail(save("e.csv", "a\0,\0b\0\n\0", 8), NULL, 0, 0, "no rows");
    must_fail(folder, NULL, 0, 0, "Is a directory");
    snprintf(path, sizeof path, "%s/nothing-here", folder);
    must_fail(path, NULL, 0, 0, "nothing-here': No such file");
}

/* ---- files as people have them ---- */

static void text_where_a_cell_is_no_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int column;
        int line;
        const char *odd;
        const char *why;
        int levels;
    } cases[] = {
        {"a,b\n1,2\n1,x\n3,2.0\n", 1, 3, "x", "is not a number", 3},
        {"a,b\n1,x\n1,y\n\n3,4\n", 1, 2, "x", "is not a number", 3},
        {"a,b\n\"x\r\ny\",1\n2,3\n", 0, 2, "x\r\ny", "is not a number", 2},
        {"a,b\n\"x\n\n\",1\n\"y\",-1e999\n", 1, 5, "-1e999", "beyond the range", 2},
        {"a,b\n1,$5\n2,$6\n", 1, 2, "$5", "unit", 2},
        {"a,b\n1,x\n2,5 \xE2\x82\xAC\n", 1, 3, "5 \xE2\x82\xAC", "unit", 2},
        {"a,b\n1,x\n2,\"1,5,5\"\n", 1, 3, "1,5,5", "comma", 2},
        {"a,b\n1,5\n2,inf\n3,nan\n", 1, 3, "inf", "finite", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        linpred__table *t = must_read(save_text("t.csv", cases[i].text), NULL);
        const linpred__column *column = &t->column[cases[i].column];
        assert_int_equal(column->type, LINPRED_COLUMN_TEXT);
        assert_string_equal(column->odd, cases[i].odd);
        assert_int_equal(column->odd_line, cases[i].line);
        assert_non_null(strstr(column->odd_why, cases[i].why));
        assert_int_equal(column->levels, cases[i].levels);
        linpred__table_free(t);
    }
    /* The spelling of the numbers is kept. A marker among words is a word. */
    linpred__table *t = must_read(save_text("t.csv", "a,b\n007,NULL\n7,w\nx,NA\n7.0,NULL\n"), NULL);
    assert_int_equal(t->column[0].levels, 4);
    assert_string_equal(t->column[0].level[0], "007");
    assert_int_equal(t->column[1].missing, 1);
    assert_int_equal(t->column[1].levels, 2);
    assert_true(cell(t, 0, 1) == cell(t, 3, 1) && cell(t, 0, 1) != cell(t, 1, 1));
    linpred__table_free(t);
}

/* A file in which nearly everything turns up late: words among numbers, quotes in the wrong place, comments with
   quotes. The answer is the same in any pieces, on any number of threads, from a file and from a stream. */
static linpred_status choose_some(void *context, const linpred__table *head, linpred__use *use, linpred_error *error)
{
    (void)error;
    for (int32_t c = 0; c < head->columns; c++)
        use[c] = c == *(const int32_t *)context ? LINPRED__UNUSED : LINPRED__USED;
    return LINPRED_OK;
}

static void late_words_are_the_same_in_any_pieces(void **state)
{
    (void)state;
    growing g = {0};
    int32_t unused = 2;
    add(&g, "n,late,junk,marked\n");
    for (int i = 0; i < 3000; i++) {
        if (i % 97 == 5)
            add(&g, "%% a, \"comment %d\n", i);
        add(&g, "%d,", i);
        add(&g, i == 2800 ? "<%d," : "0%d,", i % 50);
        add(&g, i % 7 == 3 ? "%d\" x \"\"\"," : i % 7 == 4 ? "\"a,\nb\"%d," : "%d,", i);
        add(&g, i % 11 == 2 ? "NULL\n" : "%d.5\n", i);
    }
    save("late.csv", g.text, g.bytes);
    free(g.text);
    linpred_options options = defaults();
    options.comment = "%";
    linpred__read_request request = {.options = &options, .choose = choose_some, .context = &unused};
    static const size_t sizes[] = {(size_t)1 << 30, 1, 61, 300, 5000};
    linpred__table *whole = NULL;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int threads = 1; threads <= 4; threads *= 2) {
            linpred__pool *pool = NULL;
            linpred__table *cut = NULL;
            linpred_error error = {0};
            assert_int_equal(linpred__pool_open(threads, &pool, NULL), LINPRED_OK);
            if (linpred__table_read_pieces(path, &request, pool, sizes[i], &cut, &error) != LINPRED_OK)
                fail_msg("%s", error.message);
            linpred__pool_close(pool);
            assert_int_equal(cut->rows, 3000);
            assert_int_equal(cut->column[0].type, LINPRED_COLUMN_NUMBER);
            assert_int_equal(cut->column[1].levels, 51);
            assert_string_equal(cut->column[1].odd, "<0");
            assert_int_equal(cut->column[2].type, LINPRED_COLUMN_EMPTY);
            assert_int_equal(cut->column[3].missing, 273);
            for (int64_t r = 0; r < 3000; r++)
                assert_true(cell(cut, r, 0) == (double)r && cell(cut, r, 2) == 0.0);
            if (whole) {
                assert_int_equal(cut->column[1].odd_line, whole->column[1].odd_line);
                assert_string_equal(cut->note[0].sentence, whole->note[0].sentence);
                linpred__table_free(cut);
            } else {
                whole = cut;
            }
        }
    linpred__table_free(whole);
}

static void dates_are_days(void **state)
{
    (void)state;
    linpred_options options = defaults();
    options.date = "d";
    linpred__table *t =
        must_read(save_text("d.csv", "d,y\n1970-01-01,1\n2000-02-29,1\n01.03.2000,1\n1969/12/31 06:00,1\n"
                                     "2400-02-29T23:59:59.5Z,2\n0001-01-01,1\nNULL,2\n1900-03-01,3\n"
                                     "20240101,4\n1-Jan-2024,4\n\"January 1, 2024\",4\n01JAN2024 06:00,4\n"
                                     "2024-01-01 02:00+02:00,4\n2023-12-31T19:30:00-0430,4\n"),
                  &options);
    for (int64_t row = 8; row < 14; row++)
        ROW(t, row, row == 11 ? 19723.25 : 19723, 4);
    ROW(t, 0, 0, 1);
    ROW(t, 1, 11016, 1);
    ROW(t, 2, 11017, 1);
    ROW(t, 3, -0.75, 1);
    ROW(t, 5, -719162, 1);
    ROW(t, 6, NAN, 2);
    ROW(t, 7, -25508, 3);
    assert_true(fabs(cell(t, 4, 0) - (157113 + 86399.5 / 86400)) < 1e-9);
    linpred__table_free(t);
    static const char *const wrong[] = {"1900-02-29",
                                        "2024-13-01",
                                        "2024-01-01x",
                                        "2024-01-01 24:00",
                                        "202401010",
                                        "20241301",
                                        "31.04.2024",
                                        "2024-01/01",
                                        "31-Foo-2024",
                                        "31-Apr-2024",
                                        "Jan 2024",
                                        "2024-01-01 10:00+2",
                                        "2024-01-01 10:00+15:00"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[80];
        snprintf(text, sizeof text, "d,y\n2024-01-01,1\n%s,1\n", wrong[i]);
        must_fail(save_text("d.csv", text), &options, 3, 1, "is not a date");
    }
    static const char *const unclear[] = {"1/2/2024", "1.2.24", "2024-1", "1/2/2024 10:00"};
    for (size_t i = 0; i < sizeof unclear / sizeof unclear[0]; i++) {
        char text[80];
        snprintf(text, sizeof text, "d,y\n2024-01-01,1\n%s,1\n", unclear[i]);
        must_fail(save_text("d.csv", text), &options, 3, 1, "cannot be told for certain; write it as 2024-01-31");
    }
}

static void numbers_as_written(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *decimal;
        double value; /* of the first cell; NAN: the column is text */
    } cases[] = {
        {"a;b\n1,5;1\n", NULL, 1.5},        {"a;b\n-0,125;1\n", NULL, -0.125},
        {"a;b\n1.234,5;1\n", NULL, 1234.5}, {"a;b\n1,234;1\n", NULL, 1.234},
        {"a;b\n1,234;1\n", ".", 1234},      {"a;b\n1,234;1\n2.5;1\n", NULL, 1234},
        {"a;b\n1,234.5;1\n", NULL, 1234.5}, {"a\tb\n1,234\t1\n", NULL, 1234},
        {"a\tb\n1,234\t1\n", ",", 1.234},   {"a,b\n\"1,234\",1\n", NULL, 1234},
        {"a,b\n\"1,5\",1\n", NULL, 1.5},    {"a,b\n\"1,2345\",1\n", ".", NAN},
        {"a;b\n1.5;1\n", ",", NAN},         {"a;b\n12.345.678;1\n", ",", 12345678},
        {"a;b\n1234.567,5;1\n", ",", NAN},  {"a;b\n1,5e-1;1\n", NULL, 0.15},
        {"a;b\n,5;1\n", ",", 0.5},          {"a;b\n1,2,3;1\n", ",", NAN},
        {"a;b\n1.23,4;1\n", ",", NAN},      {"a;b\n0,123;1\n", NULL, 0.123},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        linpred_options options = defaults();
        options.decimal = cases[i].decimal;
        linpred__table *t = must_read(save_text("w.csv", cases[i].text), &options);
        bool text = isnan(cases[i].value);
        if (t->column[0].type != (text ? LINPRED_COLUMN_TEXT : LINPRED_COLUMN_NUMBER) ||
            (!text && cell(t, 0, 0) != cases[i].value))
            fail_msg("%s: type %d, %g", cases[i].text, (int)t->column[0].type, cell(t, 0, 0));
        linpred__table_free(t);
    }
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
    static const char *const wrong[] = {"1,2,word,3,4\n", "1,2,\xE9,4\n",   "1,2\n",      "1,2,3,\"4\n",
                                        "1,\"2\"3,w,4\n", "1,2\"3\",w,4\n", "1,2,w,5,\n", "# 1,2,w,3\n"};
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
        cmocka_unit_test(text_where_a_cell_is_no_number),
        cmocka_unit_test(late_words_are_the_same_in_any_pieces),
        cmocka_unit_test(dates_are_days),
        cmocka_unit_test(numbers_as_written),
        cmocka_unit_test(csv_is_the_same_in_any_pieces),
        cmocka_unit_test(the_first_error_wins_in_any_pieces),
        cmocka_unit_test(libsvm_is_the_same_in_any_pieces),
        cmocka_unit_test(reads_libsvm),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
