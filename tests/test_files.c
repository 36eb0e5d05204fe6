/* Several files as one table: levels, types, places for messages; heads as bytes; memory that runs out at each request.
 * tests/check_files.py compares whole fits. */
#include "support.h"

#include <unistd.h>

#include "core/memory.h"
#include "failing_memory.h"
#include "table/files/files.h"

static char folder[] = "/tmp/linpred_files_XXXXXX";
static char path[4][64];

static void write_file(int number, const char *text)
{
    snprintf(path[number], sizeof path[number], "%s/part-%d.csv", folder, number);
    assert_int_equal(linpred_write_file(path[number], text, strlen(text), NULL), LINPRED_OK);
}

static int make_files(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    write_file(0, "a,c,y\n1,red,2\n2.5,green,3\n");
    write_file(1, "a,c,y\n");
    write_file(2, "a,c,y\n\n3,12,4\n,green,5\n");
    write_file(3, "a,c,y\nN/A,blue,7\n");
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        unlink(path[i]);
    return rmdir(folder);
}

static linpred_options *options_of_files(void)
{
    linpred_options *options = linpred_options_new();
    for (int i = 1; i < 4; i++)
        assert_int_equal(linpred_options_add_file(options, path[i], NULL), LINPRED_OK);
    return options;
}

static linpred__table *read_files(const linpred_options *options)
{
    linpred__table *table = NULL;
    linpred_error error;
    if (linpred__table_read(path[0], &(linpred__read_request){.options = options}, NULL, &table, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    return table;
}

static const char *level_at(const linpred__table *table, int row)
{
    return table->column[1].level[(int)table->block[0].values[row * 3 + 1]];
}

static void one_table_of_several_files(void **state)
{
    (void)state;
    linpred_options *options = options_of_files();
    linpred__table *table = read_files(options);
    const double *cells = table->block[0].values;
    char at[LINPRED__LINE_TEXT], wanted[160];
    assert_int_equal(table->rows, 5);
    assert_int_equal(table->columns, 3);
    assert_int_equal(table->column[0].type, LINPRED_COLUMN_NUMBER);
    assert_int_equal(table->column[1].type, LINPRED_COLUMN_TEXT);
    assert_int_equal(table->column[1].levels, 4);
    assert_true(cells[0] == 1.0 && cells[3] == 2.5 && cells[6] == 3.0 && isnan(cells[9]) && isnan(cells[12]));
    assert_string_equal(level_at(table, 0), "red");
    assert_string_equal(level_at(table, 2), "12");
    assert_string_equal(level_at(table, 3), "green");
    assert_string_equal(level_at(table, 4), "blue");
    assert_int_equal(table->column[0].missing, 2);
    assert_int_equal(table->column[0].first_missing_line, 4); /* the fourth row of all */
    snprintf(wanted, sizeof wanted, ", %s:4", path[2]);       /* after a blank line */
    assert_string_equal(linpred__table_place(table, 4, at), wanted);
    snprintf(wanted, sizeof wanted, ", %s:2", path[3]);
    assert_string_equal(linpred__table_place(table, 5, at), wanted);
    assert_string_equal(table->column[1].odd, "green"); /* in the third file, which holds 12 too */
    linpred__table_free(table);
    linpred_options_free(options);
}

static void heads_as_bytes(void **state)
{
    (void)state;
    linpred_options *options = options_of_files();
    linpred__table *table = read_files(options);
    linpred__bytes bytes = {0};
    assert_true(table->notes > 0); /* N/A counts as missing */
    linpred__head_put(&bytes, table);
    linpred__table *head = linpred__head_take(&bytes);
    assert_non_null(head);
    assert_int_equal(bytes.read, bytes.count);
    assert_int_equal(head->notes, table->notes);
    for (int32_t i = 0; i < head->notes; i++) {
        assert_int_equal(head->note[i].about.kind, table->note[i].about.kind);
        assert_string_equal(head->note[i].sentence, table->note[i].sentence);
    }
    for (int32_t c = 0; c < 3; c++) {
        assert_string_equal(head->column[c].name, table->column[c].name);
        assert_int_equal(head->column[c].levels, table->column[c].levels);
    }
    assert_string_equal(head->column[1].level[2], table->column[1].level[2]);
    assert_string_equal(head->column[0].marker, table->column[0].marker);
    assert_null(head->block);
    linpred__release(bytes.at);
    linpred__table_free(head);
    linpred__table_free(table);
    linpred_options_free(options);
}

static void options_own_their_files(void **state)
{
    (void)state;
    linpred_options *options = options_of_files(), *copy = linpred_options_copy(options);
    linpred_options_clear_files(options);
    assert_int_equal(options->files, 0);
    assert_int_equal(copy->files, 3);
    assert_string_equal(copy->file[2], path[3]);
    linpred_options_free(options);
    linpred_options_free(copy);
}

static void memory_runs_out(void **state)
{
    (void)state;
    linpred_options *options = options_of_files();
    read_while_memory_fails(path[0], options, 0);
    linpred_options_free(options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_table_of_several_files),
        cmocka_unit_test(heads_as_bytes),
        cmocka_unit_test(options_own_their_files),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
