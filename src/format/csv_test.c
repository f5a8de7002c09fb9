/* format/csv_test.c - CSV records decoded and inferred: the shared cases, Spark's rules, bad input */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format/decode_test.h"

#define ROWS(b, ddl, text, expected) assert_string_equal(bench_decode(b, ddl, STR(text)), expected)
#define BAD(b, expected)             assert_string_equal(str_buf_text(&(b)->bad), expected)
#define INFERS(b, text, expected)    assert_string_equal(bench_infer(b, STR(text)), expected)

static int set_up(void **state)
{
    bench_set_up(state);
    Bench *b = *state;
    b->format = &format_csv;
    b->options.header = true;
    return 0;
}

static void a_mark_is_no_part_of_the_first_name(void **state) /* csv-01 */
{
    Bench *b = *state;
    ROWS(b, "id INT, name STRING", "\xef\xbb\xbfid,name\r\n1,ann\r\n2,bo\r\n", "1|ann\n2|bo\n");
    INFERS(b, "\xef\xbb\xbfid,name\r\n1,ann\r\n", "struct<id:bigint,name:string>");
    b->options.header = false;
    ROWS(b, "id INT, name STRING", "\xef\xbb\xbf" "1,ann\n", "1|ann\n");
}

static void quotes_protect_line_ends(void **state) /* csv-02 */
{
    Bench *b = *state;
    const char *want = "1|line one\n|NULL\n2|a\n\nb|9\n3|say \"hi\", ok|7\n";
    ROWS(b, "id INT, note STRING, n INT", "id,note,n\n1,\"line one\n\",\n2,\"a\n\nb\",9\n3,\"say \"\"hi\"\", ok\",7\n", want);
    ROWS(b, "id INT, note STRING, n INT", "id,note,n\r\n1,\"line one\n\",\r\n2,\"a\n\nb\",9\r\n3,\"say \"\"hi\"\", ok\",7", want);
    assert_int_equal(b->counts.records, 3);
    assert_int_equal(b->counts.misfit_fields, 0);
}

static void lines_end_where_lineSep_says(void **state)
{
    Bench *b = *state;
    static const char *const seps[] = {"|", "\x1e", "@@", "\r\n--"};
    for (size_t i = 0; i < sizeof seps / sizeof seps[0]; i++) {
        const char *s = b->options.line_sep = seps[i];
        const char *text = arena_printf(b->arena, "id,n%s1,a\nb%s%s2,\"c%sd\"%s3,e", s, s, s, s, s);
        assert_string_equal(bench_decode(b, "id INT, n STRING", str_of(text)), arena_printf(b->arena, "1|a\nb\n2|c%sd\n3|e\n", s));
    }
    b->options.line_sep = NULL;
}

static void columns_are_matched_by_the_head(void **state) /* csv-03 */
{
    Bench *b = *state;
    ROWS(b, "a INT, b INT, c INT", "c,b,a\n30,20,10\n", "10|20|30\n");
    ROWS(b, "a INT, b INT, c INT", "a,c\n100,300\n", "100|NULL|300\n");
    b->options.case_sensitive = false;
    ROWS(b, "a INT", "A\n1\n", "1\n"); /* as Spark: without case */
    b->options.case_sensitive = true;
    b->collect = b->rescue = true;
    ROWS(b, "a INT", "a,d,e\n1,40,\n2,x,\"\"\n", "1\t{\"d\":\"40\",\"_file_path\":\"file:///in/a\"}\n2\t{\"d\":\"x\",\"e\":\"\",\"_file_path\":\"file:///in/a\"}\n");
    assert_string_equal(b->widened, "struct<a:int,d:string,e:string>");
    ROWS(b, "a INT, b INT", "b,A\n1,2\n", "NULL|1\t{\"A\":\"2\",\"_file_path\":\"file:///in/a\"}\n");
}

static const Type *to_decimal(const Type *known, const Type *found)
{
    return known->kind == TYPE_LONG && found->kind == TYPE_DECIMAL ? found : NULL;
}

static void numbers_that_do_not_fit_widen_their_types(void **state)
{
    Bench *b = *state;
    b->collect = b->rescue = true;
    b->wider = to_decimal;
    ROWS(b, "a BIGINT, s BIGINT", "s,a,n\nx,1,2\n3,99999999999999999999,\n1.5,,\n",
         "1|NULL\t{\"s\":\"x\",\"n\":\"2\",\"_file_path\":\"file:///in/a\"}\nNULL|3\t{\"a\":\"99999999999999999999\",\"_file_path\":\"file:///in/a\"}\n"
         "NULL|NULL\t{\"s\":\"1.5\",\"_file_path\":\"file:///in/a\"}\n");
    assert_string_equal(b->widened, "struct<a:decimal(20,0),s:bigint,n:bigint>");
}

static void lines_before_the_head_can_be_skipped(void **state)
{
    Bench *b = *state;
    b->options.rows_skipped = 2;
    ROWS(b, "a INT, b INT", "made by \"us\n# today\na,b\n1,2\n", "1|2\n");
    ROWS(b, "a INT, b INT", "one\ntwo", "");
    b->options.header = false;
    ROWS(b, "a INT, b INT", "one\ntwo\n1,2\n", "1|2\n");
}

static void a_quoted_empty_field_is_a_text_and_a_bare_one_is_null(void **state) /* csv-04 */
{
    Bench *b = *state;
    ROWS(b, "id INT, a STRING", "id,a\n1,x\n2,\"\"\n3,\n", "1|x\n2|\n3|NULL\n");
    ROWS(b, "id INT, n INT, d DATE, t TIMESTAMP, b BOOLEAN", "id,n,d,t,b\n1,\"\",\"\",\"\",\"\"\n", "1|NULL|NULL|NULL|NULL\n");
    assert_int_equal(b->counts.misfit_fields, 0);
    b->options.null_value = "NA";
    b->options.empty_value = "(none)";
    ROWS(b, "id INT, a STRING", "id,a\nNA,NA\n2,\"\"\n3,\"NA\"\n4,\n", "NULL|NULL\n2|(none)\n3|NULL\n4|NULL\n");
}

static void values_are_read_exactly_or_not_at_all(void **state)
{
    Bench *b = *state;
    ROWS(b, "i INT, l BIGINT, d DOUBLE, n DECIMAL(10,2), b BOOLEAN, t TIMESTAMP, e DATE, x BINARY",
         "i,l,d,n,b,t,e,x\n"
         "+7,-9223372036854775808,1e3,\"1,234.565\",TRUE,2026-01-01T00:00:00Z,2026-01-01,ab\n"
         "1.0,9223372036854775808,NaN,x,yes,never,2026-13-01,\n"
         ",, -1,,,,,\n",
         "7|-9223372036854775808|1000|1234.57|true|1767225600000000|20454|6162\nNULL|NULL|nan|NULL|NULL|NULL|NULL|NULL\n"
         "NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL\n");
    assert_int_equal(b->counts.misfit_fields, 7);
    b->rescue = true;
    ROWS(b, "d DOUBLE", "d\n9007199254740993\n-Inf\n", "NULL\t{\"d\":\"9007199254740993\",\"_file_path\":\"file:///in/a\"}\n-inf\n");
}

static void short_and_long_records(void **state)
{
    Bench *b = *state;
    b->rescue = true;
    ROWS(b, "a INT, b INT", "a,b\n1\n1,2,3\n\n4,5\n", "1|NULL\n1|2\t{\"_c2\":\"3\",\"_file_path\":\"file:///in/a\"}\n4|5\n");
    assert_int_equal(b->counts.misfit_fields, 2);
    b->options.mode_text = "DROPMALFORMED";
    ROWS(b, "a INT, b INT", "a,b\n1\n1,2,3\n4,5\n", "4|5\n");
    BAD(b, "4+1 more or fewer fields than there are columns: 1\n6+5 more or fewer fields than there are columns: 1,2,3\n");
    b->options.mode_text = "FAILFAST";
    ROWS(b, "a INT, b INT", "a,b\n1\n", "file:///in/a, byte 4: a record that cannot be read: more or fewer fields than there are columns");
    b->rescue = false;
    b->options.mode_text = "PERMISSIVE";
    ROWS(b, "a INT, b INT, _corrupt_record STRING", "a,b\n1,x\n2,3\n", "1|NULL|1,x\n2|3|NULL\n");
}

static void the_corrupt_record_column_takes_no_field(void **state)
{
    Bench *b = *state;
    b->options.header = false;
    b->options.mode_text = "PERMISSIVE";
    ROWS(b, "a INT, b INT, _corrupt_record STRING", "1,2\n3\n4,5,6\n", "1|2|NULL\n3|NULL|3\n4|5|4,5,6\n");
    ROWS(b, "a INT, _corrupt_record STRING, b INT", "1,2\nx,3\n", "1|NULL|2\nNULL|x,3|3\n");
    ROWS(b, "_corrupt_record STRING, a INT", "1\n1,2\n", "NULL|1\n1,2|1\n");
    b->options.mode_text = "FAILFAST";
    ROWS(b, "a INT, b INT, _corrupt_record STRING", "1,2\n", "1|2|NULL\n");
}

static void separators_quotes_and_escapes_of_the_user(void **state)
{
    Bench *b = *state;
    b->options.sep = "\\t";
    ROWS(b, "a STRING, b STRING", "a\tb\nx,y\t\"p\tq\"\n", "x,y|p\tq\n");
    b->options.sep = "||";
    b->options.quote = "'";
    ROWS(b, "a STRING, b STRING", "a||b\nx|y||'p||q'\n", "x|y|p||q\n");
    b->options.sep = ";";
    b->options.quote = "";
    ROWS(b, "a STRING, b STRING", "a;b\n\"x;y\"\n", "\"x|y\"\n");
}

static void a_backslash_escapes_a_quote_and_itself_inside_of_quotes(void **state)
{
    Bench *b = *state;
    ROWS(b, "a STRING, b STRING", "a,b\n\"x\\\"y\",\"p\\q\"\nC:\\dir,\\\n", "x\"y|p\\q\nC:\\dir|\\\n");
    ROWS(b, "a STRING, b STRING", "a,b\n\"x\\\\\",1\n\"C:\\\\d\\\\\\\"e\",2\nC:\\\\d,3\n", "x\\|1\nC:\\d\\\"e|2\nC:\\\\d|3\n");
    b->options.escape = "\"";
    ROWS(b, "a STRING", "a\n\"C:\\\"\n", "C:\\\n");
}

static void text_behind_a_closing_quote_is_kept_as_it_stands(void **state)
{
    Bench *b = *state;
    ROWS(b, "a STRING, b STRING", "a,b\n\"x\"y,\"z\" \np\"q\"r,1\n", "\"x\"y|z\np\"q\"r|1\n");
}

static void a_quote_that_is_not_closed_is_a_dead_letter(void **state)
{
    Bench *b = *state;
    ROWS(b, "a INT, b STRING", "a,b\n1,x\n2,\"open\n3,y\n", "1|x\n");
    BAD(b, "8+12 a quote is not closed: 2,\"open\n3,y\n\n");
}

static void blanks_comments_and_blank_lines(void **state)
{
    Bench *b = *state;
    b->options.comment = "#";
    ROWS(b, "a STRING, b STRING", "# about\na,b\n\n# more\n x , y \n   \n", " x | y \n");
    b->options.ignore_leading_space = b->options.ignore_trailing_space = true;
    ROWS(b, "a STRING, b STRING", "a,b\n x , \"y\" \n", "x|y\n");
}

static void bytes_that_are_no_utf8_spoil_their_record_only(void **state)
{
    Bench *b = *state;
    ROWS(b, "a STRING", "a\nx\n\xff\n\xc3\xa9\n", "x\n\xc3\xa9\n");
    BAD(b, "4+1 bytes that are not UTF-8: \xff\n");
}

static void limits_of_columns_and_characters(void **state)
{
    Bench *b = *state;
    b->options.columns_max = 2;
    b->options.chars_per_column_max = 3;
    ROWS(b, "a STRING, b STRING", "a,b\n1,2,3\nlong,1\n1,2\n", "1|2\n");
    assert_int_equal(b->counts.undecodable, 2);
}

static void files_without_records(void **state)
{
    Bench *b = *state;
    ROWS(b, "a INT", "", "");
    ROWS(b, "a INT", "a\n", "");
    ROWS(b, "a INT", "a", "");
    ROWS(b, "a INT", "\n\n", "");
}

static void names_of_a_head_as_spark_makes_them(void **state)
{
    Bench *b = *state;
    INFERS(b, "a,,A,\"x y\"\n1,2,3,4\n", "struct<a0:bigint,_c1:bigint,A2:bigint,x y:bigint>");
    b->options.header = false;
    INFERS(b, "1,x\n2,y,true\n", "struct<_c0:bigint,_c1:string,_c2:boolean>");
}

static void kinds_of_values_make_types(void **state)
{
    Bench *b = *state;
    INFERS(b, "i,d,b,s,t,e,m,n,z,big\n1,1.5,true,x,2026-01-01 10:00:00,2026-01-01,2026-01-01,,007,18446744073709551615\n-2,3,FALSE,1,2026-01-01T10:00:00Z,,2026-01-02 00:00,,8,1\n",
           "struct<i:bigint,d:double,b:boolean,s:string,t:timestamp,e:date,m:timestamp,n:string,z:string,big:decimal(20,0)>");
}

static void a_large_text_is_the_same_in_any_blocks(void **state)
{
    Bench *b = *state;
    StrBuf text = {0};
    str_buf_puts(&text, "id,note\n");
    for (int i = 0; i < 20000; i++)
        str_buf_printf(&text, i % 3 == 0 ? "%d,\"line %d\n\"\"q\"\", x\"\n" : i % 3 == 1 ? "%d,bare %d\n" : "%d,\"\\\"%d\"\r\n", i, i);
    b->schema = bench_ddl(b, "id INT, note STRING");
    bench_decode_cut(b, str_buf_view(&text), text.size);
    char *whole = silt_strdup(str_buf_text(&b->out));
    assert_int_equal(b->counts.rows, 20000);
    assert_int_equal(b->counts.misfit_fields, 0);
    for (size_t size = 64; size < text.size; size *= 7) {
        bench_decode_cut(b, str_buf_view(&text), size);
        assert_string_equal(str_buf_text(&b->out), whole);
    }
    free(whole);
    str_buf_fini(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, bench_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_mark_is_no_part_of_the_first_name),
        TEST(quotes_protect_line_ends),
        TEST(lines_end_where_lineSep_says),
        TEST(columns_are_matched_by_the_head),
        TEST(numbers_that_do_not_fit_widen_their_types),
        TEST(lines_before_the_head_can_be_skipped),
        TEST(a_quoted_empty_field_is_a_text_and_a_bare_one_is_null),
        TEST(values_are_read_exactly_or_not_at_all),
        TEST(short_and_long_records),
        TEST(the_corrupt_record_column_takes_no_field),
        TEST(separators_quotes_and_escapes_of_the_user),
        TEST(a_backslash_escapes_a_quote_and_itself_inside_of_quotes),
        TEST(text_behind_a_closing_quote_is_kept_as_it_stands),
        TEST(a_quote_that_is_not_closed_is_a_dead_letter),
        TEST(blanks_comments_and_blank_lines),
        TEST(bytes_that_are_no_utf8_spoil_their_record_only),
        TEST(limits_of_columns_and_characters),
        TEST(files_without_records),
        TEST(names_of_a_head_as_spark_makes_them),
        TEST(kinds_of_values_make_types),
        TEST(a_large_text_is_the_same_in_any_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
