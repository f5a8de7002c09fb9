/* format/given_test.c - records whose bounds are given: one is a row or a bad record, whatever stands in it and beside it (F4, J2) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format/decode_test.h"

/* Decode records as they are given (ptr NULL: one of NULLs), at the positions 100, 110, 120 ..; `together` of them in a block. */
static void decode_records(Bench *b, const Str *records, int count, int together)
{
    FormatSink sink = {b, bench_put_bad};
    FormatDecoder *decoder = bench_decoder(b, &sink);
    size_t consumed;
    if (!decoder)
        return;
    for (int first = 0; first < count && b->result == 0; first += together) {
        silt_auto(str_buf_fini) StrBuf text = {0};
        int end = first + together < count ? first + together : count;
        FormatGiven *given = ARENA_ARRAY(b->arena, FormatGiven, together);
        for (int i = first; i < end; i++) {
            if (records[i].ptr)
                str_buf_str(&text, records[i]);
            given[i - first] = (FormatGiven){100 + 10 * i, (uint32_t)text.size, !records[i].ptr};
            str_buf_putc(&text, '\n');
        }
        size_t size = text.size;
        for (int i = 0; i < FORMAT_PADDING; i++)
            str_buf_putc(&text, 0);
        FormatBlock block = {.ptr = str_buf_text(&text), .size = size, .source = 3, .source_name = "orders-0", .given = given, .given_count = (uint32_t)(end - first)};
        if (b->format->head)
            assert_int_equal(b->format->head(&b->options, b->schema, b->arena, STR(""), true, &block.head, &consumed, &b->err), 0);
        bench_decode_block(b, decoder, &block);
    }
    b->counts = *b->format->decoder_counts(decoder);
    b->format->decoder_free(decoder);
}

/* All in one block, then in blocks of two and each alone: the same must come out. */
static void decode(Bench *b, const char *ddl, const Str *records, int count)
{
    b->schema = bench_ddl(b, ddl);
    decode_records(b, records, count, count);
    char *rows = silt_strdup(str_buf_text(&b->out)), *bad = silt_strdup(str_buf_text(&b->bad));
    int result = b->result;
    for (int together = 1; together <= 2; together++) {
        decode_records(b, records, count, together);
        assert_int_equal(b->result, result);
        if (result < 0)
            continue;
        assert_string_equal(str_buf_text(&b->out), rows);
        assert_string_equal(str_buf_text(&b->bad), bad);
        assert_int_equal(b->counts.records, count);
        assert_int_equal(b->counts.rows + b->counts.undecodable + b->counts.dropped, count);
    }
    free(rows);
    free(bad);
}

#define DECODE(b, ddl, ...)                                                 \
    do {                                                                    \
        const Str records[] = {__VA_ARGS__};                                \
        decode(b, ddl, records, (int)(sizeof records / sizeof records[0])); \
    } while (0)
#define ROWS(b, expected) assert_string_equal(str_buf_text(&(b)->out), expected)
#define BAD(b, expected)  assert_string_equal(str_buf_text(&(b)->bad), expected)
#define NONE              ((Str){0})

static void a_record_is_one_row_whatever_line_ends_it_has(void **state)
{
    Bench *b = *state;
    DECODE(b, "a INT, b STRING", STR("{\"a\":1}"), STR("\n {\n\"a\" : 2,\r\n\"b\":\"x\"}\r\n\n"), NONE, STR("{\"b\":\"y\",\"a\":3}\r"));
    ROWS(b, "100: 1|NULL\n110: 2|x\n120: NULL|NULL\n130: 3|y\n");
    BAD(b, "");
}

static void nothing_vanishes_and_nothing_is_several_records(void **state)
{
    Bench *b = *state;
    DECODE(b, "a INT", STR("{\"a\":1}"), STR(""), STR(" \n\t"), STR("{\"a\":2}{\"a\":3}"), STR("{\"a\":2}\n{\"a\":3}"), STR("{\"a\":2}\r{\"a\":3}"),
           STR("[{\"a\":4},{\"a\":5}]"), STR("[]"), STR("null"), STR("7"), STR("\xEF\xBB\xBF{\"a\":6}"), STR("{\"a\":9}"));
    ROWS(b, "100: 1\n210: 9\n");
    BAD(b, "110+0 an empty record: \n120+3 an empty record:  \n\t\n130+14 text behind the value: {\"a\":2}{\"a\":3}\n"
           "140+15 text behind the value: {\"a\":2}\n{\"a\":3}\n150+15 text behind the value: {\"a\":2}\r{\"a\":3}\n"
           "160+17 an array, where a record is one object: [{\"a\":4},{\"a\":5}]\n170+2 an array, where a record is one object: []\n"
           "180+4 a record that is no object: null\n190+1 a record that is no object: 7\n"
           "200+10 a record that is no object: \xEF\xBB\xBF{\"a\":6}\n");
}

static void a_bad_record_takes_nothing_of_the_next(void **state)
{
    Bench *b = *state;
    DECODE(b, "a INT, s STRING", STR("{\"a\":1,\"s\":\"open"), STR("{\"a\":2}"), STR("{\"a\":"), STR("{\"a\":3}"), STR("{\"a\":4,\"s\":\"\\"), STR("{\"a\":5}"), STR("[1,"),
           STR("{\"a\":6}"), STR("{\"a\":7,\"s\":\"\xff\"}"), STR("{\"a\":8}\xc3"), STR("{\"a\":9,\"s\":\"two\nlines\"}"), STR("{\"a\":10}"));
    ROWS(b, "110: 2|NULL\n130: 3|NULL\n150: 5|NULL\n170: 6|NULL\n210: 10|NULL\n");
    assert_int_equal(b->counts.undecodable, 7);
}

/* No record of the block is one that the scanner refuses, so that all of it is read at once. */
static void a_record_that_ends_too_early_takes_nothing_of_the_next(void **state)
{
    Bench *b = *state;
    DECODE(b, "a INT, s STRING", STR("{\"a\":"), STR("{\"a\":3}"), STR("[1,"), STR("{\"a\":6"), STR(","), STR("\"s\":1}"), STR("{\"a\":7}"), STR("["), STR(""), STR("{\"a\":8}"));
    ROWS(b, "110: 3|NULL\n160: 7|NULL\n190: 8|NULL\n");
    assert_int_equal(b->counts.undecodable, 7);
}

static void lenient_readings_stay_inside_their_record(void **state)
{
    Bench *b = *state;
    b->options.allow_comments = b->options.allow_control_chars = true;
    DECODE(b, "a INT, s STRING", STR("{'a':1,'s':'it is'}"), STR("/* c */ {\"a\":2}"), STR("{\"a\":3} // behind"), STR("{\"a\":4,\"s\":\"two\nlines\"}"), STR("/* open {\"a\":5}"),
           STR("// {\"a\":6}"), STR("/* c */[{\"a\":7}]"), STR("{\"a\":8}"));
    ROWS(b, "100: 1|it is\n110: 2|NULL\n120: 3|NULL\n130: 4|two\nlines\n170: 8|NULL\n");
    assert_int_equal(b->counts.undecodable, 3);
}

static void a_variant_takes_arrays_and_scalars(void **state)
{
    Bench *b = *state;
    b->options.single_variant_column = "v";
    DECODE(b, "v VARIANT", STR("[1,{\"a\":2}]"), STR("7"), NONE, STR("\"x\""), STR("1 2"));
    ROWS(b, "100: [1,{\"a\":2}]\n110: 7\n120: NULL\n130: \"x\"\n");
    assert_int_equal(b->counts.undecodable, 1);
}

static void modes_speak_of_offsets_and_leave_nulls_alone(void **state)
{
    Bench *b = *state;
    b->options.mode_text = "PERMISSIVE";
    DECODE(b, "a INT, _corrupt_record STRING", NONE, STR("{\"a\":1}"), STR(" [1]\n"), STR("{\"a\":\"x\"}"), STR(""));
    ROWS(b, "100: NULL|NULL\n110: 1|NULL\n120: NULL| [1]\n\n130: NULL|{\"a\":\"x\"}\n140: NULL|\n");
    b->options.mode_text = "DROPMALFORMED";
    DECODE(b, "a INT", NONE, STR("{\"a\":1}"), STR("{\"a\":\"x\"}"), STR("x"));
    ROWS(b, "100: NULL\n110: 1\n");
    assert_int_equal(b->counts.dropped, 1);
    b->options.mode_text = "FAILFAST";
    DECODE(b, "a INT", NONE, STR("{\"a\":1}"), STR("[1]"));
    assert_string_equal(b->err.message, "orders-0, offset 120: a record that cannot be read: an array, where a record is one object");
    DECODE(b, "a INT", STR("{\"a\":\"x\"}"));
    assert_string_equal(b->err.message, "orders-0, offset 100: a record that cannot be read: a field that does not fit its type");
}

static void rescued_data_of_a_message_names_no_file(void **state)
{
    Bench *b = *state;
    b->rescue = true;
    DECODE(b, "a INT", STR("{\"a\":\"x\",\"b\":[1]}"), NONE, STR("{\"a\":2}"));
    ROWS(b, "100: NULL\t{\"a\":\"x\",\"b\":[1]}\n110: NULL\n120: 2\n");
}

static void csv_records(void **state)
{
    Bench *b = *state;
    b->format = &format_csv;
    DECODE(b, "a INT, b STRING", STR("1,x"), STR("2,\"two\nlines\"\r\n"), STR("\n3,z\n\n"), NONE, STR("4,x\n5,y"), STR(""), STR(" \n"), STR("6,\"open"), STR("7,\xff"),
           STR("8"), STR("x,9"));
    ROWS(b, "100: 1|x\n110: 2|two\nlines\n120: 3|z\n130: NULL|NULL\n190: 8|NULL\n200: NULL|9\n");
    BAD(b, "140+7 more than one record: 4,x\n5,y\n150+0 an empty record: \n160+2 an empty record:  \n\n170+7 a quote is not closed: 6,\"open\n"
           "180+3 bytes that are not UTF-8: 7,\xff\n");
    b->options.mode_text = "FAILFAST";
    DECODE(b, "a INT", STR("1,2"));
    assert_string_equal(b->err.message, "orders-0, offset 100: a record that cannot be read: more or fewer fields than there are columns");
}

static void text_records(void **state)
{
    Bench *b = *state;
    b->format = &format_text;
    DECODE(b, "value STRING", STR("a"), STR(""), NONE, STR("\xEF\xBB\xBF two\r\nlines\n"), STR("\xff"), STR("b"));
    ROWS(b, "100: a\n110: \n120: NULL\n130: \xEF\xBB\xBF two\r\nlines\n\n150: b\n");
    BAD(b, "140+1 bytes that are not UTF-8: \xff\n");
    b->options.mode_text = "FAILFAST";
    DECODE(b, "value STRING", STR("a"), STR("\xff"));
    assert_string_equal(b->err.message, "orders-0, offset 110: a record that cannot be read: bytes that are not UTF-8");
}

/* A record that its source does not give whole: a block of its own. */
static void an_unusable_record_stands_at_its_offset(void **state)
{
    Bench *b = *state;
    const FormatOps *formats[] = {&format_json, &format_csv, &format_text};
    char text[8 + FORMAT_PADDING] = "{\"a\":1}";
    FormatGiven given = {.position = 77, .end = 7};
    FormatBlock block = {.ptr = text, .size = 7, .source = 3, .source_name = "orders-0", .given = &given, .given_count = 1, .unusable = "too long", .unusable_length = 900};
    size_t consumed;
    for (int i = 0; i < 6; i++) {
        FormatSink sink = {b, bench_put_bad};
        b->format = formats[i % 3];
        b->options.mode_text = i < 3 ? NULL : "PERMISSIVE";
        b->schema = bench_ddl(b, i % 3 == 2 ? "value STRING" : "a INT");
        FormatDecoder *decoder = bench_decoder(b, &sink);
        if (b->format->head)
            assert_int_equal(b->format->head(&b->options, b->schema, b->arena, STR(""), true, &block.head, &consumed, &b->err), 0);
        bench_decode_block(b, decoder, &block);
        ROWS(b, i < 3 || i == 5 ? "" : "77: NULL\n");
        BAD(b, i < 3 || i == 5 ? "77+900 too long: {\"a\":1}\n" : "");
        assert_int_equal(b->format->decoder_counts(decoder)->records, 1);
        b->format->decoder_free(decoder);
    }
}

/* More than a chunk, bad ones and NULLs among them. */
static void many_records_keep_their_positions(void **state)
{
    Bench *b = *state;
    enum { COUNT = 5000 };
    Str *records = ARENA_ARRAY(b->arena, Str, COUNT);
    silt_auto(str_buf_fini) StrBuf want = {0};
    for (int i = 0; i < COUNT; i++) {
        records[i] = i % 7 == 3 ? NONE : str_of(i % 5 == 4 ? "{\"a\"" : arena_printf(b->arena, "{\"a\":%d}", i));
        if (i % 7 == 3)
            str_buf_printf(&want, "%d: NULL\n", 100 + 10 * i);
        else if (i % 5 != 4)
            str_buf_printf(&want, "%d: %d\n", 100 + 10 * i, i);
    }
    b->schema = bench_ddl(b, "a INT");
    decode_records(b, records, COUNT, COUNT);
    ROWS(b, str_buf_text(&want));
    assert_int_equal(b->counts.records, COUNT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_record_is_one_row_whatever_line_ends_it_has),
        TEST(nothing_vanishes_and_nothing_is_several_records),
        TEST(a_bad_record_takes_nothing_of_the_next),
        TEST(a_record_that_ends_too_early_takes_nothing_of_the_next),
        TEST(lenient_readings_stay_inside_their_record),
        TEST(a_variant_takes_arrays_and_scalars),
        TEST(modes_speak_of_offsets_and_leave_nulls_alone),
        TEST(rescued_data_of_a_message_names_no_file),
        TEST(csv_records),
        TEST(text_records),
        TEST(an_unusable_record_stands_at_its_offset),
        TEST(many_records_keep_their_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
