/* format/json_test.c - JSON records decoded and inferred: the shared cases, Spark's rules, bad input */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format/decode_test.h"

#define ROWS(b, ddl, text, expected) assert_string_equal(bench_decode(b, ddl, STR(text)), expected)
#define BAD(b, expected)             assert_string_equal(str_buf_text(&(b)->bad), expected)
#define INFERS(b, text, expected)    assert_string_equal(bench_infer(b, STR(text)), expected)

/* ---- values ---- */

static void scalars_go_to_their_types(void **state)
{
    Bench *b = *state;
    ROWS(b, "a BIGINT, b INT, c SMALLINT, d TINYINT, e BOOLEAN, f DOUBLE, g FLOAT, h STRING",
         "{\"a\":-9223372036854775808,\"b\":2147483647,\"c\":-32768,\"d\":127,\"e\":true,\"f\":1.5,\"g\":-2.5e1,\"h\":\"x\"}\n"
         "{\"h\":\"\",\"g\":0,\"f\":-0.0,\"e\":false,\"d\":0,\"c\":0,\"b\":0,\"a\":9223372036854775807}\n"
         "{}\n",
         "-9223372036854775808|2147483647|-32768|127|true|1.5|-25|x\n9223372036854775807|0|0|0|false|-0|0|\n"
         "NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL\n");
}

/* The usual spelling is compared by words of 8 bytes: names of all lengths around them, and everything that is not the usual one. */
static void a_member_is_found_however_it_is_written(void **state)
{
    Bench *b = *state;
    ROWS(b, "a INT, abcde INT, abcdef INT, abcdefghijklm INT, `n\"q` INT, `b\\s` INT",
         "{\"a\":1,\"abcde\":2,\"abcdef\":3,\"abcdefghijklm\":4,\"n\\\"q\":5,\"b\\\\s\":6}\n"
         "{ \"a\" :1, \"abcde\"\t: 2 , \"abcdef\":\t3,\"abcdefghijklm\"  :4,\"n\\u0022q\":5,\"b\\u005cs\":6}\n"
         "{\"b\\\\s\":6,\"abcdefghijklm\":4,\"abcdef\":3,\"abcde\":2,\"a\":1,\"n\\\"q\":5}\n"
         "{\"a\":9,\"\\u0061\":1,\"abcdX\":0,\"abcde\":2,\"abcdefghijklX\":0,\"abcdefghijklm\":7,\"abcdefghijklm\":4}\n"
         "{\"a\":1}",
         "1|2|3|4|5|6\n1|2|3|4|5|6\n1|2|3|4|5|6\n1|2|NULL|4|NULL|NULL\n1|NULL|NULL|NULL|NULL|NULL\n");
    assert_int_equal(b->counts.unknown_fields, 2);
    assert_int_equal(b->counts.undecodable, 0);
}

/* Where a member was found last is where it is looked for first: records that differ in that from one to the next. */
static void members_may_come_in_any_order_and_be_left_out(void **state)
{
    Bench *b = *state;
    ROWS(b, "a INT, b INT, a_name_of_many_letters INT, a_name_of_many_words INT, s STRUCT<x: INT, y: INT>",
         "{\"a\":1,\"b\":2,\"a_name_of_many_letters\":3,\"a_name_of_many_words\":4,\"s\":{\"x\":5,\"y\":6}}\n"
         "{\"s\":{\"y\":6,\"x\":5},\"a_name_of_many_words\":4,\"a_name_of_many_letters\":3,\"b\":2,\"a\":1}\n"
         "{\"s\":{\"y\":7},\"b\":2}\n"
         "{\"b\":2,\"u\":[],\"s\":{},\"a\":1}\n"
         "{\"a\":0,\"a\":1,\"b\":\"no\",\"b\":2,\"a_name_of_many_words\":4,\"a_name_of_many_letters\":3}\n"
         "{\"a_name_of_many_words\":4,\"a_name_of_many_letters\":3,\"a_name_of_many_words\":\"no\"}\n"
         "{}\n",
         "1|2|3|4|{5,6}\n1|2|3|4|{5,6}\nNULL|2|NULL|NULL|{NULL,7}\n1|2|NULL|NULL|{NULL,NULL}\n1|2|3|4|NULL\nNULL|NULL|3|4|NULL\n"
         "NULL|NULL|NULL|NULL|NULL\n");
    assert_int_equal(b->counts.unknown_fields, 1);
    assert_int_equal(b->counts.misfit_fields, 2);
}

static void a_value_that_does_not_fit_is_null_and_counted(void **state)
{
    Bench *b = *state;
    ROWS(b, "a INT, b TINYINT, c BOOLEAN, d DOUBLE, e BIGINT",
         "{\"a\":2147483648,\"b\":200,\"c\":1,\"d\":\"1.5\",\"e\":1.5}\n{\"a\":\"1\",\"b\":1.0,\"c\":\"true\",\"d\":true,\"e\":9223372036854775808}\n",
         "NULL|NULL|NULL|NULL|NULL\nNULL|NULL|NULL|NULL|NULL\n");
    assert_int_equal(b->counts.misfit_fields, 10);
    assert_int_equal(b->counts.undecodable, 0);
}

static void a_string_field_takes_any_value_as_it_stands(void **state)
{
    Bench *b = *state;
    ROWS(b, "a STRING",
         "{\"a\":1.50}\n{\"a\":{ \"b\" : [1, 2] }}\n{\"a\":[ 1,{\"x\":\"\\u00e9\"} ]}\n{\"a\":true}\n{\"a\":null}\n{\"a\":1e400}\n{\"a\":\"t\\tb\\u00e9\\ud83d\\ude00\"}\n",
         "1.50\n{ \"b\" : [1, 2] }\n[ 1,{\"x\":\"\\u00e9\"} ]\ntrue\nNULL\n1e400\nt\tb\xc3\xa9\xf0\x9f\x98\x80\n");
}

static void decimals_are_exact(void **state)
{
    Bench *b = *state;
    ROWS(b, "d DECIMAL(1,0), e DECIMAL(38,0), f DECIMAL(1,1), g DECIMAL(20,2)",
         "{\"d\":1,\"e\":99999999999999999999999999999999999999,\"f\":-0.1,\"g\":9007199254740993}\n"
         "{\"d\":10,\"e\":100000000000000000000000000000000000000,\"f\":1,\"g\":\"1,234.5\"}\n"
         "{\"d\":1e0,\"e\":1e37,\"f\":0.5e0,\"g\":2.5}\n"
         "{\"d\":0.6,\"e\":-0,\"f\":0.04,\"g\":-883406386745030.3}\n",
         "1|99999999999999999999999999999999999999|-0.1|9007199254740993.00\n"
         "NULL|NULL|NULL|1234.50\n"
         "1|10000000000000000000000000000000000000|0.5|2.50\n"
         "1|0|0.0|-883406386745030.30\n");
    assert_int_equal(b->counts.misfit_fields, 3);
    b->rescue = true; /* then rounding is no fit */
    ROWS(b, "g DECIMAL(20,2)", "{\"g\":2.555}\n{\"g\":2.550}\n", "NULL\t{\"g\":2.555,\"_file_path\":\"file:///in/a\"}\n2.55\n");
}

static void timestamps_of_every_offset_are_one_instant(void **state) /* ts-01 */
{
    Bench *b = *state;
    ROWS(b, "t TIMESTAMP",
         "{\"t\":\"2026-04-29T14:38:00+02:00\"}\n{\"t\":\"2026-04-29T12:38:00Z\"}\n{\"t\":\"2026-04-29T07:38:00-0500\"}\n{\"t\":\"2026-04-29 12:38:00\"}\n"
         "{\"t\":\"2026-04-29T12:38:00.000\"}\n{\"t\":1777466280}\n{\"t\":\"2026-4-29 14:38:0 Europe/Berlin\"}\n",
         "1777466280000000\n1777466280000000\n1777466280000000\n1777466280000000\n1777466280000000\n1777466280000000\n1777466280000000\n");
}

static void timestamps_before_1970_keep_their_fraction(void **state) /* ts-02 */
{
    Bench *b = *state;
    ROWS(b, "t TIMESTAMP", "{\"t\":\"1969-12-31T23:59:59.500Z\"}\n{\"t\":\"1970-01-01T00:00:00.500Z\"}\n{\"t\":\"1848-03-15T09:23:59.764999Z\"}\n",
         "-500000\n500000\n-3843556560235001\n");
}

static void the_ends_of_time_are_kept(void **state) /* ts-03 */
{
    Bench *b = *state;
    ROWS(b, "t TIMESTAMP, d DATE", "{\"t\":\"9999-12-31 23:59:59.999999\",\"d\":\"9999-12-31\"}\n{\"t\":\"0001-01-01 00:00:00\",\"d\":\"0001-01-01\"}\n",
         "253402300799999999|2932896\n-62135596800000000|-719162\n");
}

static void a_session_zone_reads_local_text(void **state)
{
    Bench *b = *state;
    b->options.time_zone = "Europe/Berlin";
    /* in the gap of spring, twice in autumn, far in the future by the rule */
    ROWS(b, "t TIMESTAMP", "{\"t\":\"2026-03-29 02:30:00\"}\n{\"t\":\"2026-10-25 02:30:00\"}\n{\"t\":\"2126-07-01 12:00:00\"}\n{\"t\":\"2126-01-01 12:00:00\"}\n",
         "1774747800000000\n1792888200000000\n4938573600000000\n4922938800000000\n");
}

static void dates_and_times_without_zone(void **state)
{
    Bench *b = *state;
    ROWS(b, "d DATE, n TIMESTAMP_NTZ",
         "{\"d\":\"2026-01-02\",\"n\":\"2026-01-02T03:04:05\"}\n{\"d\":\"2026-02-30\",\"n\":\"2026-01-02T03:04:05Z\"}\n{\"d\":\"2026-1-2T10:00\",\"n\":\"2026\"}\n"
         "{\"d\":\"\",\"n\":\"12:00:00\"}\n{\"d\":20260102,\"n\":1}\n",
         "20455|1767323045000000\nNULL|NULL\n20455|1767225600000000\nNULL|NULL\nNULL|NULL\n");
    assert_int_equal(b->counts.misfit_fields, 6);
}

static void patterns_of_the_user(void **state)
{
    Bench *b = *state;
    b->options.timestamp_format = "dd/MM/yyyy HH:mm[:ss][ XXX]";
    b->options.date_format = "d MMM yyyy";
    ROWS(b, "t TIMESTAMP, d DATE", "{\"t\":\"02/01/2026 03:04\",\"d\":\"2 Jan 2026\"}\n{\"t\":\"02/01/2026 03:04:05 +01:00\",\"d\":\"31 dec 1999\"}\n{\"t\":\"2/1/2026 03:04\",\"d\":\"2026-01-02\"}\n",
         "1767323040000000|20455\n1767319445000000|10956\nNULL|NULL\n");
}

static void nan_and_infinity_bare_and_quoted(void **state) /* json-07 */
{
    Bench *b = *state;
    const char *text = "{\"id\":1,\"x\":NaN}\n{\"id\":2,\"x\":\"NaN\"}\n{\"id\":3,\"x\":Infinity}\n{\"id\":4,\"x\":\"-Infinity\"}\n{\"id\":5,\"x\":1.5}\n";
    assert_string_equal(bench_decode(b, "id INT, x DOUBLE", str_of(text)), "1|nan\n2|nan\n3|inf\n4|-inf\n5|1.5\n");
    ROWS(b, "id INT, x BIGINT, l ARRAY<INT>", "{\"id\":1,\"x\":-Infinity}\n{\"id\":2,\"x\":NaN}\n{\"id\":3,\"l\":[-Infinity]}\n{\"id\":4,\"x\":-1x}\n",
         "1|NULL|NULL\n2|NULL|NULL\n3|NULL|NULL\n"); /* fits no integer, but is a value */
    b->options.allow_non_numeric = false;
    /* nothing keeps the text: all four are dead letters */
    assert_string_equal(bench_decode(b, "id INT, x DOUBLE", str_of(text)), "5|1.5\n");
    BAD(b, "0+16 a value was expected: {\"id\":1,\"x\":NaN}\n"
           "17+18 a number that allowNonNumericNumbers => false forbids: {\"id\":2,\"x\":\"NaN\"}\n"
           "36+21 a value was expected: {\"id\":3,\"x\":Infinity}\n"
           "58+24 a number that allowNonNumericNumbers => false forbids: {\"id\":4,\"x\":\"-Infinity\"}\n");
    b->rescue = true;
    assert_string_equal(bench_decode(b, "id INT, x DOUBLE", str_of(text)),
                        "2|NULL\t{\"x\":\"NaN\",\"_file_path\":\"file:///in/a\"}\n4|NULL\t{\"x\":\"-Infinity\",\"_file_path\":\"file:///in/a\"}\n5|1.5\n");
}

static void binary_is_base64(void **state)
{
    Bench *b = *state;
    ROWS(b, "b BINARY", "{\"b\":\"B1M=\"}\n{\"b\":\"/h3A\"}\n{\"b\":\"\"}\n{\"b\":\"A\"}\n{\"b\":\"====\"}\n", "0753\nfe1dc0\n\nNULL\nNULL\n");
}

static void a_double_that_would_round_a_whole_number_is_rescued(void **state) /* json-01 */
{
    Bench *b = *state;
    INFERS(b, "{\"id\":1,\"amount\":9007199254740993}\n{\"id\":2,\"amount\":2.5}\n", "struct<amount:double,id:bigint>");
    b->rescue = true;
    ROWS(b, "id BIGINT, amount DOUBLE", "{\"id\":1,\"amount\":9007199254740993}\n{\"id\":2,\"amount\":2.5}\n{\"id\":3,\"amount\":9007199254740992}\n",
         "1|NULL\t{\"amount\":9007199254740993,\"_file_path\":\"file:///in/a\"}\n2|2.5\n3|9007199254740992\n");
}

/* ---- containers ---- */

static void nested_values(void **state)
{
    Bench *b = *state;
    ROWS(b, "s STRUCT<x: INT, y: STRUCT<z: STRING>>, a ARRAY<INT>, m MAP<STRING, ARRAY<BIGINT>>",
         "{\"s\":{\"x\":1,\"y\":{\"z\":\"q\"}},\"a\":[1,null,3],\"m\":{\"k\":[1,2],\"l\":null,\"k\":[9]}}\n"
         "{\"a\":[],\"m\":{},\"s\":{}}\n{\"s\":null,\"a\":null}\n{\"s\":{\"y\":null,\"x\":7}}\n",
         "{1,{q}}|[1,NULL,3]|<k=[9],l=NULL>\n{NULL,NULL}|[]|<>\nNULL|NULL|NULL\n{7,NULL}|NULL|NULL\n");
}

static void a_list_with_one_misfit_does_not_fit_but_a_struct_keeps_the_rest(void **state)
{
    Bench *b = *state;
    b->rescue = true;
    ROWS(b, "a ARRAY<INT>, s STRUCT<x: INT, y: INT>, l ARRAY<STRUCT<x: INT>>",
         "{\"a\":[1,\"x\",3],\"s\":{\"x\":\"no\",\"y\":2},\"l\":[{\"x\":1},{\"x\":\"bad\",\"u\":1}]}\n{\"a\":[4]}\n",
         "NULL|{NULL,2}|[{1},{NULL}]\t{\"a\":[1,\"x\",3],\"s\":{\"x\":\"no\"},\"l\":[{\"x\":1},{\"x\":\"bad\",\"u\":1}],\"_file_path\":\"file:///in/a\"}\n"
         "[4]|NULL|NULL\n");
    assert_int_equal(b->counts.misfit_fields, 3);
    assert_int_equal(b->counts.unknown_fields, 1);
}

static void the_last_of_equal_keys_wins(void **state) /* json-04 */
{
    Bench *b = *state;
    ROWS(b, "id INT, qty INT", "{\"id\":1,\"qty\":2,\"qty\":5}\n{\"id\":2,\"qty\":3}\n{\"qty\":1,\"qty\":null}\n{\"qty\":1,\"qty\":\"x\"}\n{\"qty\":null,\"qty\":4}\n",
         "1|5\n2|3\nNULL|NULL\nNULL|1\nNULL|4\n");
}

static void names_match_exactly_and_others_are_rescued(void **state)
{
    Bench *b = *state;
    b->rescue = true;
    ROWS(b, "a INT, `a.b` INT, `Net Total` INT, `\xc3\xa9` INT",
         "{\"a\":1,\"A\":2,\"a.b\":3,\"Net Total\":4,\"\\u00e9\":5,\"n\\\"w\":{\"k\": [1 ,2]},\"gone\":null}\n",
         "1|3|4|5\t{\"A\":2,\"n\\\"w\":{\"k\": [1 ,2]},\"_file_path\":\"file:///in/a\"}\n");
}

static void five_hundred_keys_in_any_order(void **state)
{
    Bench *b = *state;
    StrBuf ddl = {0}, text = {0}, want = {0};
    for (int i = 0; i < 500; i++) {
        str_buf_printf(&ddl, "%sk%d BIGINT", i ? ", " : "", i);
        str_buf_printf(&want, "%s%lld", i ? "|" : "", 9007199254740993LL + i);
    }
    str_buf_putc(&want, '\n');
    str_buf_putc(&text, '{');
    for (int i = 0; i < 500; i++) {
        int k = i * 263 % 500;
        str_buf_printf(&text, "%s\"k%d\":%lld", i ? "," : "", k, 9007199254740993LL + k);
    }
    str_buf_puts(&text, "}\n");
    assert_string_equal(bench_decode(b, str_buf_text(&ddl), str_buf_view(&text)), str_buf_text(&want));
    str_buf_fini(&ddl);
    str_buf_fini(&text);
    str_buf_fini(&want);
}

/* ---- records ---- */

static void bad_lines_are_dead_letters_and_their_neighbours_are_not(void **state) /* json-05 */
{
    Bench *b = *state;
    ROWS(b, "a INT", "{\"a\":1}\n{\"a\":2}xyz\n{\"a\":3}\n{\"a\":\n", "1\n3\n");
    BAD(b, "8+10 text behind the value: {\"a\":2}xyz\n27+5 the record ends in the middle of a value: {\"a\":\n");
    ROWS(b, "a INT", "nonsense\n{\"a\":1\n{\"a\" 1}\n{\"a\":1,}\n{\"a\":01}\n{\"a\":[1}\n{\"b\":[1,]}\n{,}\n{\"a\":1}\n1\n\"x\"\nnull\n{\"a\":tru}\n{\"a\":\"x}\n{\"a\":4}", "1\n4\n");
    assert_int_equal(b->counts.undecodable, 13);
    assert_int_equal(b->counts.records, 15);
}

static void a_value_that_its_line_cuts_off_takes_nothing_of_the_next(void **state)
{
    Bench *b = *state;
    ROWS(b, "id INT, s STRING", "{\"id\":1,\"s\":\"a\"}\n{\"id\":2,\"s\":\n{\"id\":3,\"s\":\"c\"}\nnot json\n[1,\n{\"id\":4}\n", "1|a\n3|c\n4|NULL\n");
    BAD(b, "17+12 the record ends in the middle of a value: {\"id\":2,\"s\":\n47+8 a record that is no object: not json\n56+3 the record ends in the middle of a value: [1,\n");
}

static void bytes_that_are_no_utf8_spoil_their_line_only(void **state)
{
    Bench *b = *state;
    ROWS(b, "a STRING", "{\"a\":\"x\"}\n{\"a\":\"\xff\"}\n{\"a\":\"\xc3\xa9\"}\n{\"\xed\xa0\x80\":1}\n", "x\n\xc3\xa9\n");
    assert_int_equal(b->counts.undecodable, 2);
}

static void half_a_surrogate_pair_is_repaired_and_counted(void **state) /* json-06 */
{
    Bench *b = *state;
    ROWS(b, "id INT, s STRING", "{\"id\":1,\"s\":\"plain\"}\n{\"id\":2,\"s\":\"cut \\ud83d end\"}\n{\"id\":3,\"s\":\"whole \\ud83d\\ude00\"}\n{\"id\":4,\"s\":\"\\ude00\\ud83d\"}\n",
         "1|plain\n2|cut \xef\xbf\xbd end\n3|whole \xf0\x9f\x98\x80\n4|\xef\xbf\xbd\xef\xbf\xbd\n");
    assert_int_equal(b->counts.repaired, 3);
}

static void blank_lines_carriage_returns_and_marks_are_no_records(void **state) /* csv-01, the JSON part */
{
    Bench *b = *state;
    ROWS(b, "id INT", "\xef\xbb\xbf{\"id\":1}\r\n\r\n   \n\t{\"id\":2}  \r\n{\"id\":3}", "1\n2\n3\n");
    assert_int_equal(b->counts.records, 3);
    ROWS(b, "id INT", "", "");
    ROWS(b, "id INT", "\n\n", "");
    ROWS(b, "id INT", "{\"id\":1}\r{\"id\":2}\r{\"id\":3}\r", "1\n2\n3\n"); /* an old Mac */
}

static void a_line_with_an_array_is_a_row_an_element(void **state)
{
    Bench *b = *state;
    ROWS(b, "a INT", "[{\"a\":1},{\"a\":2}]\n{\"a\":3}\n[]\n[{\"a\":4},5,{\"a\":6}]\n[{\"a\":7},{\"a\":]\n[{\"a\":8}", "1\n2\n3\n4\n6\n");
    assert_int_equal(b->counts.undecodable, 3);
}

static void single_quotes_and_comments_when_allowed(void **state)
{
    Bench *b = *state;
    ROWS(b, "a STRING, b INT", "{'a':'it''s'}\n{'a':'say \"hi\"','b':1}\n{\"a\":\"it's\",\"b\":2}\n{'a':'x\\'y, {','b':3}\n{\"a\":\"z\"}\n", "say \"hi\"|1\nit's|2\nx'y, {|3\nz|NULL\n");
    assert_int_equal(b->counts.undecodable, 1);
    b->options.allow_comments = true;
    b->options.allow_unquoted_names = true;
    b->options.allow_leading_zeros = true;
    ROWS(b, "a STRING, b INT", "{a:\"x\"/* one */,b:007} // two\n{\"a\":\"/* text */\"}\n", "x|7\n/* text */|NULL\n");
    assert_int_equal(b->counts.undecodable, 0);
    b->options.allow_single_quotes = false;
    ROWS(b, "a STRING", "{'a':'x'}\n", "");
    assert_int_equal(b->counts.undecodable, 1);
}

static void control_characters_only_when_allowed(void **state)
{
    Bench *b = *state;
    ROWS(b, "a STRING", "{\"a\":\"x\ty\"}\n{\"a\":\"z\"}\n", "z\n");
    assert_int_equal(b->counts.undecodable, 1);
    b->options.allow_control_chars = true;
    ROWS(b, "a STRING", "{\"a\":\"x\ty\"}\n{\"a\":\"z\"}\n", "x\ty\nz\n");
}

static void ten_thousand_levels_are_a_dead_letter(void **state)
{
    Bench *b = *state;
    StrBuf text = {0};
    for (int kind = 0; kind < 2; kind++) {
        str_buf_clear(&text);
        str_buf_puts(&text, "{\"a\":1}\n{\"deep\":");
        for (int i = 0; i < 10000; i++)
            str_buf_puts(&text, kind ? "[" : "{\"x\":");
        str_buf_puts(&text, "1");
        for (int i = 0; i < 10000; i++)
            str_buf_puts(&text, kind ? "]" : "}");
        str_buf_puts(&text, "}\n{\"a\":2}\n");
        assert_string_equal(bench_decode(b, "a INT", str_buf_view(&text)), "1\n2\n");
        assert_int_equal(b->counts.undecodable, 1);
        assert_non_null(strstr(str_buf_text(&b->bad), "nested deeper than 1000 levels"));
        assert_string_equal(bench_infer(b, str_buf_view(&text)), "struct<a:bigint>");
    }
    str_buf_fini(&text);
}

static void a_line_of_fifty_megabytes_is_a_row(void **state)
{
    Bench *b = *state;
    StrBuf text = {0};
    str_buf_puts(&text, "{\"id\":1,\"s\":\"");
    size_t size = 50u << 20;
    str_buf_reserve(&text, size + 100);
    memset(text.ptr + text.size, 'x', size);
    text.size += size;
    str_buf_puts(&text, "\"}\n{\"id\":2}\n");
    b->schema = bench_ddl(b, "id INT, s STRING");
    bench_decode_cut(b, str_buf_view(&text), text.size + 1);
    assert_int_equal(b->counts.rows, 2);
    assert_int_equal(b->out.size, 2 + size + 1 + 7);
    str_buf_fini(&text);
}

static void multi_line_records_in_every_wrapping(void **state)
{
    Bench *b = *state;
    b->options.multi_line = true;
    ROWS(b, "a INT, s STRING", "[\n  {\"a\": 1,\n   \"s\": \"x]}\"},\n  {\"a\": 2}\n]\n", "1|x]}\n2|NULL\n");
    ROWS(b, "a INT", "{\n\"a\":\n1\n}", "1\n");
    ROWS(b, "a INT", "{\"a\":1}\n{\n\"a\":2}{\"a\":3}\n", "1\n2\n3\n");
    ROWS(b, "a INT", "\xef\xbb\xbf[]", "");
    ROWS(b, "a INT", "[{\"a\":1},{\"a\":},{\"a\":3}]", "1\n3\n");
    BAD(b, "9+6 a value was expected: {\"a\":}\n");
    ROWS(b, "a INT", "[{\"a\":1},{\"a\":2}", "1\n2\n");
    assert_int_equal(b->counts.undecodable, 1);
    ROWS(b, "a INT", "[{\"a\":1},{\"a\":", "1\n");
    assert_int_equal(b->counts.undecodable, 1);
    ROWS(b, "a INT", "[{\"a\":1},7,{'a':3},{\"a\":\"\xff\"},{\"a\":4}]", "1\n3\n4\n");
    assert_int_equal(b->counts.undecodable, 2);
}

/* The scanner of the whole block takes an escaped quote for none, and an odd number of quotes in a single-quoted text for the start of a string. */
static void quotes_of_a_bad_record_do_not_reach_the_next(void **state)
{
    Bench *b = *state;
    b->options.multi_line = true;
    ROWS(b, "a INT", "{\\\"\"}\\\"\"", "");
    BAD(b, "0+5 a string without an end: {\\\"\"}\n5+3 a string without an end: \\\"\"\n");
    ROWS(b, "a INT", "[{\"a\":1},{'a\"b':1},{\"a\":2},{'c\"d':3},{\"a\":4}]", "1\nNULL\n2\nNULL\n4\n");
    ROWS(b, "a INT", "[{\"a\":1},{x\\\"},{\"a\":2}]\"},{y\\\"},{\"a\":4}]\"}]", "1\n");
    assert_int_equal(b->counts.undecodable, 2);
}

static void a_variant_takes_any_value(void **state)
{
    Bench *b = *state;
    ROWS(b, "id INT, v VARIANT, l ARRAY<VARIANT>, m MAP<STRING, VARIANT>, s STRUCT<v: VARIANT, i INT>",
         "{\"id\":1,\"v\":{\"b\":[1, 2.50,null,true],\"a\":\"x\\n\\u00e9\"},\"l\":[1,null,{\"k\":[]}],\"m\":{\"x\":1,\"y\":null},\"s\":{\"v\":{},\"i\":7}}\n"
         "{\"id\":2,\"v\":null,\"l\":null,\"s\":{\"i\":1}}\n"
         "{\"id\":3}\n"
         "{\"id\":4,\"v\":9223372036854775808,\"l\":[-9223372036854775808,1e5,-0.0,1E400,0.10,12345678901234567890123456789012345678.5]}\n"
         "{\"v\":1,\"id\":5,\"v\":{\"z\":2}}\n",
         "1|{\"a\":\"x\\n\xc3\xa9\",\"b\":[1,2.5,null,true]}|[1,null,{\"k\":[]}]|<x=1,y=null>|{{},7}\n"
         "2|null|NULL|NULL|{NULL,1}\n" /* a VARIANT that is null, as Spark has it */
         "3|NULL|NULL|NULL|NULL\n"
         "4|9223372036854775808|[-9223372036854775808,100000.0,0,\"Infinity\",0.1,1.2345678901234568E37]|NULL|NULL\n"
         "5|{\"z\":2}|NULL|NULL|NULL\n");
    assert_int_equal(b->counts.misfit_fields, 0);
    ROWS(b, "v VARIANT", "{\"v\":NaN}\n{'v':{'a':'b'}}\n{\"v\":[1,]}\n{\"v\":{\"a\" 1}}\n{\"v\":01}\n{\"v\":tru}\n", "\"NaN\"\n{\"a\":\"b\"}\n");
    assert_int_equal(b->counts.undecodable, 4);
    ROWS(b, "v VARIANT", "{\"v\":{\"a\":\n2}}\n{\"v\":1}\n", "1\n");
}

static void a_key_that_is_there_twice_does_not_fit_a_variant(void **state)
{
    Bench *b = *state;
    b->rescue = true;
    ROWS(b, "id INT, v VARIANT, l ARRAY<VARIANT>",
         "{\"v\":{\"a\":1,\"b\":{\"c\":1,\"c\":2}},\"id\":1}\n{\"id\":2,\"l\":[1,{\"x\":1,\"\\u0078\":2}]}\n{\"id\":3,\"v\":{\"a\":{\"c\":1},\"b\":{\"c\":1}}}\n",
         "1|NULL|NULL\t{\"v\":{\"a\":1,\"b\":{\"c\":1,\"c\":2}},\"_file_path\":\"file:///in/a\"}\n"
         "2|NULL|NULL\t{\"l\":[1,{\"x\":1,\"\\u0078\":2}],\"_file_path\":\"file:///in/a\"}\n"
         "3|{\"a\":{\"c\":1},\"b\":{\"c\":1}}|NULL\n");
    assert_int_equal(b->counts.misfit_fields, 2);
    ROWS(b, "s STRING, v VARIANT", "{\"s\":\"\\ud800\",\"v\":\"\\ud800\"}\n", "\xef\xbf\xbd|NULL\t{\"v\":\"\\ud800\",\"_file_path\":\"file:///in/a\"}\n");
    assert_int_equal(b->counts.repaired, 1);
}

static void a_whole_record_is_one_variant(void **state)
{
    Bench *b = *state;
    const char *text = "{\"a\":1}\n\n[1,2]\n5\n\"x\"\nnull\n{\"a\":1,\"a\":2}\n{\"a\":1\n{'q':[]}\n[{\"a\":1}] 7\n";
    b->options.single_variant_column = "v";
    assert_string_equal(bench_decode(b, "v VARIANT", str_of(text)), "{\"a\":1}\n[1,2]\n5\n\"x\"\nnull\n{\"q\":[]}\n");
    BAD(b, "26+13 an object that has a key twice, which a VARIANT cannot hold: {\"a\":1,\"a\":2}\n"
           "40+6 the record ends in the middle of a value: {\"a\":1\n"
           "56+11 text behind the value: [{\"a\":1}] 7\n");
    ROWS(b, "v VARIANT", "{\"a\":\n1}\n[1,\n2]\n7\n", "7\n");
    assert_int_equal(b->counts.undecodable, 4); /* a value ends with its line */
    b->options.mode_text = "PERMISSIVE";
    assert_string_equal(bench_decode(b, "v VARIANT, _corrupt_record STRING", str_of(text)),
                        "{\"a\":1}|NULL\n[1,2]|NULL\n5|NULL\n\"x\"|NULL\nnull|NULL\nNULL|{\"a\":1,\"a\":2}\nNULL|{\"a\":1\n{\"q\":[]}|NULL\n[{\"a\":1}]|NULL\n");
    b->options.mode_text = NULL;
    ROWS(b, "v VARIANT", "[\"\\udc00x\"]\n[\"\\ud83d\\ude00\"]\n", "[\"\xf0\x9f\x98\x80\"]\n");
    BAD(b, "0+11 half a surrogate pair, which a VARIANT cannot hold: [\"\\udc00x\"]\n");
    b->options.multi_line = true;
    ROWS(b, "v VARIANT", "[{\"a\":1},\n{\"a\":2}]\n", "[{\"a\":1},{\"a\":2}]\n");
    ROWS(b, "v VARIANT", "{\n\"a\":1}{\"a\":[2]}\n7", "{\"a\":1}\n{\"a\":[2]}\n7\n");
    ROWS(b, "v VARIANT", "{\"a\":1},{\"a\":2}", "{\"a\":1}\n{\"a\":2}\n");
    assert_int_equal(b->counts.undecodable, 1); /* the comma */
    ROWS(b, "v VARIANT", "1 2\n{\"a\":1}", "{\"a\":1}\n");
    assert_int_equal(b->counts.undecodable, 1);
    ROWS(b, "v VARIANT", "[1,2", "");
    assert_int_equal(b->counts.undecodable, 1);
}

static void modes_as_in_spark(void **state)
{
    Bench *b = *state;
    const char *text = "{\"a\":1}\nbroken\n{\"a\":\"x\",\"b\":2}\n{\"a\":3} rest\n";
    b->options.mode_text = "PERMISSIVE";
    assert_string_equal(bench_decode(b, "a INT, b INT, _corrupt_record STRING", str_of(text)),
                        "1|NULL|NULL\nNULL|NULL|broken\nNULL|2|{\"a\":\"x\",\"b\":2}\n3|NULL|NULL\n");
    assert_string_equal(bench_decode(b, "a INT, _corrupt_record STRING", str_of("{\"a\":1}\n \t{\"a\": \t \r\n\n  x  \n")),
                        "1|NULL\nNULL| \t{\"a\": \t \nNULL|  x  \n"); /* the line as it stands */
    b->options.mode_text = "DROPMALFORMED";
    assert_string_equal(bench_decode(b, "a INT, b INT", str_of(text)), "1|NULL\n3|NULL\n");
    assert_int_equal(b->counts.dropped, 1);
    b->options.mode_text = "FAILFAST";
    assert_string_equal(bench_decode(b, "a INT, b INT", str_of(text)), "file:///in/a, byte 8: a record that cannot be read: a record that is no object");
    assert_string_equal(b->err.code, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION");
}

static void lines_end_where_lineSep_says(void **state)
{
    Bench *b = *state;
    static const char *const seps[] = {"|", "\x1e", "@@", "\r\n--\r\n"};
    for (size_t i = 0; i < sizeof seps / sizeof seps[0]; i++) {
        b->options.line_sep = seps[i];
        const char *s = seps[i];
        const char *text = arena_printf(b->arena, "{\"a\":1}%s{\n \"a\": 2\n}%s%s{\"a\":\"x%sy\"}%s[{\"a\":3},{\"a\":4}]%s{\"a\":5}", s, s, s, s, s, s);
        assert_string_equal(bench_decode(b, "a INT", str_of(text)), "1\n2\n3\n4\n5\n");
        assert_int_equal(b->counts.undecodable, 2); /* it splits wherever it stands, as in Spark */
    }
    b->options.line_sep = NULL;
}

/* ---- inference ---- */

static void kinds_of_values_make_types(void **state)
{
    Bench *b = *state;
    INFERS(b, "{\"b\":true,\"a\":1,\"s\":\"x\",\"d\":1.5,\"n\":null}\n", "struct<a:bigint,b:boolean,d:double,n:string,s:string>");
    INFERS(b, "{\"a\":1}\n{\"a\":true}\n", "struct<a:string>");
    INFERS(b, "{\"a\":1}\n{\"a\":{\"x\":1}}\n", "struct<a:string>");
    INFERS(b, "{\"a\":[1,2.5]}\n{\"a\":[]}\n{\"a\":null}\n", "struct<a:array<double>>");
    INFERS(b, "{\"a\":[{\"y\":1},{\"x\":null}]}\n", "struct<a:array<struct<x:string,y:bigint>>>");
    INFERS(b, "{\"n\":18446744073709551615}\n{\"n\":7}\n{\"n\":-9223372036854775808}\n", "struct<n:decimal(20,0)>"); /* json-02 */
    INFERS(b, "{\"n\":99999999999999999999999999999999999999}\n", "struct<n:decimal(38,0)>");
    INFERS(b, "{\"n\":999999999999999999999999999999999999999}\n", "struct<n:string>");
    INFERS(b, "{\"id\":1,\"g\":null,\"o\":{}}\n", "struct<g:string,id:bigint>"); /* json-08 */
    INFERS(b, "{\"a.b\":5,\"a\":{\"b\":7},\"Net Total\":1}\n", "struct<Net Total:bigint,a:struct<b:bigint>,a.b:bigint>");
    INFERS(b, "{\"Id\":1,\"id\":2}\n{\"Id\":1}\n{\"x\":\"2026-01-01T00:00:00Z\"}\n", "struct<Id:bigint,x:string>");
    INFERS(b, "{\"a\":1}\n{\"a\":2,broken\n{\"b\":3}\n", "struct<a:bigint,b:bigint>");
    b->options.infer_timestamp = true;
    INFERS(b, "{\"x\":\"2026-01-01T00:00:00Z\"}\n", "struct<x:timestamp>");
    b->options.prefers_decimal = true;
    INFERS(b, "{\"x\":1.25}\n{\"x\":100.5}\n", "struct<x:decimal(5,2)>");
    b->options.primitives_as_string = true;
    INFERS(b, "{\"x\":1.25,\"y\":{\"z\":true}}\n", "struct<x:string,y:struct<z:string>>");
}

static void late_values_are_treated_alike(void **state) /* json-03 */
{
    Bench *b = *state;
    b->rescue = true;
    ROWS(b, "id BIGINT, n BIGINT", "{\"id\":1,\"n\":1}\n{\"id\":2,\"n\":true}\n{\"id\":3,\"n\":1.5}\n{\"id\":4,\"n\":\"abc\"}\n",
         "1|1\n2|NULL\t{\"n\":true,\"_file_path\":\"file:///in/a\"}\n3|NULL\t{\"n\":1.5,\"_file_path\":\"file:///in/a\"}\n"
         "4|NULL\t{\"n\":\"abc\",\"_file_path\":\"file:///in/a\"}\n");
    assert_int_equal(b->counts.misfit_fields, 3);
}

static void new_fields_widen_the_schema_and_known_ones_stay(void **state)
{
    Bench *b = *state;
    b->collect = b->rescue = true;
    ROWS(b, "a BIGINT, s STRUCT<x: BIGINT>, l ARRAY<STRUCT<p: STRING>>, m MAP<STRING, STRUCT<q: INT>>",
         "{\"a\":1,\"z\":1,\"b\":\"t\"}\n{\"s\":{\"y\":[1]},\"l\":[{\"r\":2.5}],\"m\":{\"k\":{\"new\":1}},\"A\":5,\"e\":{}}\n",
         "1|NULL|NULL|NULL\t{\"z\":1,\"b\":\"t\",\"_file_path\":\"file:///in/a\"}\n"
         "NULL|{NULL}|[{NULL}]|<k={NULL}>\t{\"s\":{\"y\":[1]},\"l\":[{\"r\":2.5}],\"m\":{\"k\":{\"new\":1}},\"A\":5,\"e\":{},\"_file_path\":\"file:///in/a\"}\n");
    assert_string_equal(b->widened, "struct<a:bigint,s:struct<x:bigint,y:array<bigint>>,l:array<struct<p:string,r:double>>,m:map<string,struct<q:int>>,b:string,z:bigint>");
}

/* As type widening has it: to decimals with room for both. */
static const Type *wider_decimal(const Type *known, const Type *found)
{
    int whole = known->kind == TYPE_DECIMAL ? known->precision - known->scale : known->kind == TYPE_LONG ? 20 : 0;
    if (!whole || found->kind == TYPE_DOUBLE)
        return NULL;
    if (found->kind == TYPE_LONG)
        return known;
    int scale = known->scale > found->scale ? known->scale : found->scale, more = found->precision - found->scale;
    whole = more > whole ? more : whole;
    return whole + scale > 38 ? NULL : type_equal(known, type_decimal(whole + scale, scale), false) ? known : type_decimal(whole + scale, scale);
}

static void numbers_that_do_not_fit_widen_their_types(void **state)
{
    Bench *b = *state;
    static const char text[] = "{\"a\":99999999999999999999,\"s\":{\"x\":123456789012345678901234},\"l\":[1,99999999999999999999],\"m\":{\"k\":99999999999999999999}}\n"
                               "{\"a\":\"text\",\"l\":[true],\"b\":99999999999999999999,\"z\":1}\n{\"a\":1.5,\"s\":7}\n";
    static const char schema[] = "a BIGINT, b STRING, l ARRAY<BIGINT>, m MAP<STRING, BIGINT>, s STRUCT<x: DECIMAL(20,0)>";
    b->collect = b->rescue = true;
    b->wider = wider_decimal;
    bench_decode(b, schema, str_of(text));
    assert_string_equal(b->widened, "struct<a:decimal(20,0),b:string,l:array<decimal(20,0)>,m:map<string,bigint>,s:struct<x:decimal(24,0)>,z:bigint>");
    b->options.prefers_decimal = true;
    bench_decode(b, schema, str_of(text));
    assert_string_equal(b->widened, "struct<a:decimal(21,1),b:string,l:array<decimal(20,0)>,m:map<string,bigint>,s:struct<x:decimal(24,0)>,z:bigint>");
    bench_decode(b, "a DECIMAL(21,1)", STR("{\"a\":99999999999999999999.9}\n{\"a\":\"text\"}\n{\"a\":1e400}\n{\"a\":1.23456789012345678901234567890123456789}\n"));
    assert_string_equal(b->widened, "struct<a:decimal(21,1)>"); /* what is left changes nothing: a batch that is read again comes to an end */
    b->wider = NULL;
    bench_decode(b, schema, str_of(text));
    assert_string_equal(b->widened, "struct<a:bigint,b:string,l:array<bigint>,m:map<string,bigint>,s:struct<x:decimal(20,0)>,z:bigint>");
}

static void inference_does_not_depend_on_order(void **state)
{
    Bench *b = *state;
    static const char *const lines[] = {"{\"a\":1,\"B\":1}", "{\"a\":2.5,\"b\":null}", "{\"c\":[1]}", "{\"c\":[{\"x\":1}],\"b\":1}", "{\"c\":[{\"y\":true}],\"b\":1}", "{\"d\":18446744073709551615}", "{\"d\":1}"};
    int order[7] = {0, 1, 2, 3, 4, 5, 6};
    const char *first = NULL;
    for (int round = 0; round < 200; round++) {
        StrBuf text = {0};
        for (int i = 6; i > 0; i--) { /* shuffle, from the round number */
            int k = (int)((unsigned)(round * 2654435761u + (unsigned)i * 40503u) >> 7) % (i + 1);
            int t = order[i];
            order[i] = order[k];
            order[k] = t;
        }
        for (int i = 0; i < 7; i++)
            str_buf_printf(&text, "%s\n", lines[order[i]]);
        const char *type = bench_infer(b, str_buf_view(&text));
        if (first)
            assert_string_equal(type, first);
        first = type;
        str_buf_fini(&text);
    }
    assert_string_equal(first, "struct<a:double,b:bigint,c:array<string>,d:decimal(20,0)>");
}

/* ---- round trip: text -> column -> text, or rescued (class 1) ---- */

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void every_number_comes_back_as_it_was_or_is_rescued(void **state)
{
    Bench *b = *state;
    b->rescue = true;
    uint64_t seed = 42;
    StrBuf text = {0};
    char **numbers = silt_alloc(sizeof *numbers * 4000);
    for (int i = 0; i < 4000; i++) {
        StrBuf n = {0};
        int digits = 1 + (int)(next_random(&seed) % 25), fraction = (int)(next_random(&seed) % 6);
        if (next_random(&seed) & 1)
            str_buf_putc(&n, '-');
        str_buf_putc(&n, (char)('1' + next_random(&seed) % 9));
        for (int k = 1; k < digits; k++)
            str_buf_putc(&n, (char)('0' + next_random(&seed) % 10));
        if (fraction)
            str_buf_putc(&n, '.');
        for (int k = 0; k < fraction; k++)
            str_buf_putc(&n, (char)('0' + next_random(&seed) % 10));
        numbers[i] = silt_strdup(str_buf_text(&n));
        str_buf_printf(&text, "{\"v\":%s,\"w\":%s}\n", numbers[i], numbers[i]);
        str_buf_fini(&n);
    }
    b->schema = bench_ddl(b, "v DECIMAL(24,5), w BIGINT");
    bench_decode_cut(b, str_buf_view(&text), text.size);
    const char *p = str_buf_text(&b->out);
    for (int i = 0; i < 4000; i++) {
        const char *end = strchr(p, '\n');
        Str line = {p, (size_t)(end - p)};
        const char *bar = memchr(p, '|', line.size), *tab = memchr(p, '\t', line.size);
        const char *point = strchr(numbers[i], '.');
        for (int field = 0; field < 2; field++) {
            Str value = field ? (Str){bar + 1, (size_t)((tab ? tab : end) - bar - 1)} : (Str){p, (size_t)(bar - p)};
            char rescued[64];
            snprintf(rescued, sizeof rescued, "\"%s\":%s,", field ? "w" : "v", numbers[i]);
            if (str_is(value, "NULL")) { /* kept as text */
                assert_non_null(tab);
                assert_non_null(memmem(tab, (size_t)(end - tab), rescued, strlen(rescued)));
                continue;
            }
            char want[64];
            snprintf(want, sizeof want, "%s%.*s", numbers[i], field ? 0 : 5 - (int)(point ? strlen(point + 1) : 0), "00000");
            if (!field && !point)
                snprintf(want, sizeof want, "%s.00000", numbers[i]);
            assert_true(str_is(value, want));
        }
        p = end + 1;
        free(numbers[i]);
    }
    free(numbers);
    str_buf_fini(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(scalars_go_to_their_types),
        TEST(a_member_is_found_however_it_is_written),
        TEST(members_may_come_in_any_order_and_be_left_out),
        TEST(a_value_that_does_not_fit_is_null_and_counted),
        TEST(a_string_field_takes_any_value_as_it_stands),
        TEST(decimals_are_exact),
        TEST(timestamps_of_every_offset_are_one_instant),
        TEST(timestamps_before_1970_keep_their_fraction),
        TEST(the_ends_of_time_are_kept),
        TEST(a_session_zone_reads_local_text),
        TEST(dates_and_times_without_zone),
        TEST(patterns_of_the_user),
        TEST(nan_and_infinity_bare_and_quoted),
        TEST(binary_is_base64),
        TEST(a_double_that_would_round_a_whole_number_is_rescued),
        TEST(nested_values),
        TEST(a_list_with_one_misfit_does_not_fit_but_a_struct_keeps_the_rest),
        TEST(the_last_of_equal_keys_wins),
        TEST(names_match_exactly_and_others_are_rescued),
        TEST(five_hundred_keys_in_any_order),
        TEST(bad_lines_are_dead_letters_and_their_neighbours_are_not),
        TEST(a_value_that_its_line_cuts_off_takes_nothing_of_the_next),
        TEST(bytes_that_are_no_utf8_spoil_their_line_only),
        TEST(half_a_surrogate_pair_is_repaired_and_counted),
        TEST(blank_lines_carriage_returns_and_marks_are_no_records),
        TEST(a_line_with_an_array_is_a_row_an_element),
        TEST(single_quotes_and_comments_when_allowed),
        TEST(control_characters_only_when_allowed),
        TEST(ten_thousand_levels_are_a_dead_letter),
        TEST(a_line_of_fifty_megabytes_is_a_row),
        TEST(multi_line_records_in_every_wrapping),
        TEST(quotes_of_a_bad_record_do_not_reach_the_next),
        TEST(a_variant_takes_any_value),
        TEST(a_key_that_is_there_twice_does_not_fit_a_variant),
        TEST(a_whole_record_is_one_variant),
        TEST(modes_as_in_spark),
        TEST(lines_end_where_lineSep_says),
        TEST(kinds_of_values_make_types),
        TEST(late_values_are_treated_alike),
        TEST(new_fields_widen_the_schema_and_known_ones_stay),
        TEST(numbers_that_do_not_fit_widen_their_types),
        TEST(inference_does_not_depend_on_order),
        TEST(every_number_comes_back_as_it_was_or_is_rescued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
