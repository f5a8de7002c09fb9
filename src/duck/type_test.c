/* duck/type_test.c - types: DDL, schema JSON, both texts, equality */
#include "duck/type.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

static int make_arena(void **state)
{
    *state = arena_new();
    return 0;
}

static int free_arena(void **state)
{
    arena_free(*state);
    return 0;
}

static const Type *parse(Arena *arena, const char *ddl)
{
    const Type *type;
    SiltErr err;
    if (type_parse_ddl(arena, str_of(ddl), true, &type, &err) < 0)
        fail_msg("%s: %d:%d: %s", ddl, err.line, err.column, err.message);
    return type;
}

static void check_text(Arena *arena, const char *ddl, const char *expected)
{
    assert_string_equal(type_text(arena, parse(arena, ddl)), expected);
}

static void every_spark_name_is_understood(void **state)
{
    static const char *const cases[][2] = {
        {"INT", "int"},
        {"integer", "int"},
        {"BIGINT", "bigint"},
        {"long", "bigint"},
        {"tinyint", "tinyint"},
        {"byte", "tinyint"},
        {"SHORT", "smallint"},
        {"smallint", "smallint"},
        {"real", "float"},
        {"FLOAT", "float"},
        {"double", "double"},
        {"STRING", "string"},
        {"varchar(10)", "string"},
        {"CHAR(3)", "string"},
        {"character(3)", "string"},
        {"dec", "decimal(10,0)"},
        {"numeric(5)", "decimal(5,0)"},
        {"DECIMAL( 38 , 18 )", "decimal(38,18)"},
        {"timestamp", "timestamp"},
        {"TIMESTAMP_LTZ", "timestamp"},
        {"timestamp_ntz", "timestamp_ntz"},
        {"date", "date"},
        {"time", "time(6)"},
        {"boolean", "boolean"},
        {"binary", "binary"},
        {"variant", "variant"},
        {"void", "void"},
        {"interval", "interval"},
        {"INTERVAL YEAR", "interval year"},
        {"interval year to month", "interval year to month"},
        {"interval day to second", "interval day to second"},
        {"interval hour TO minute", "interval hour to minute"},
        {"array<array<int>>", "array<array<int>>"},
        {"MAP<STRING, ARRAY<BIGINT>>", "map<string,array<bigint>>"},
        {"struct<a: int, `b c` STRING>", "struct<a:int,b c:string>"},
        {"a INT, b: struct<c: date NOT NULL COMMENT 'x'>", "struct<a:int,b:struct<c:date>>"},
        {"date date, struct struct<interval: interval, array array<int>>",
         "struct<date:date,struct:struct<interval:interval,array:array<int>>>"},
        {"`a``b` INT", "struct<a`b:int>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_text(*state, cases[i][0], cases[i][1]);
}

static void a_column_keeps_nullability_comment_and_declared_length(void **state)
{
    const Type *type = parse(*state, "id BIGINT NOT NULL COMMENT 'it\\'s \"so\"', name VARCHAR( 10 )");
    assert_int_equal(type->field_count, 2);
    assert_false(type->fields[0].nullable);
    assert_string_equal(type->fields[0].comment, "it's \"so\"");
    assert_null(type->fields[0].metadata_json);
    assert_true(type->fields[1].nullable);
    assert_string_equal(type->fields[1].metadata_json, "{\"__CHAR_VARCHAR_TYPE_STRING\":\"varchar(10)\"}");
}

static void check_error(Arena *arena, const char *ddl, int line, int column, const char *message)
{
    const Type *type = NULL;
    SiltErr err;
    assert_int_equal(type_parse_ddl(arena, str_of(ddl), true, &type, &err), -1);
    assert_null(type);
    assert_string_equal(err.message, message);
    assert_int_equal(err.line, line);
    assert_int_equal(err.column, column);
    assert_int_equal(err.kind, SILT_CONFIG);
}

static void what_is_wrong_is_named_with_its_place(void **state)
{
    check_error(*state, "a INT, b BIGNIT", 1, 10, "data type \"BIGNIT\" is not supported");
    check_error(*state, "strng", 1, 1, "data type \"strng\" is not supported");
    check_error(*state, "a INT,\n  b ARRAY<INT", 2, 14, "expected \">\", found the end of the type");
    check_error(*state, "\xC3\xA9\xC3\xA9 INT x", 1, 8, "expected \",\" or the end of the columns, found \"x\"");
    check_error(*state, "decimal(39, 2)", 1, 9, "decimal precision 39 exceeds the greatest, 38");
    check_error(*state, "a ARRAY<STRUCT<>>", 1, 9, "a struct without fields is not supported");
    check_error(*state, "decimal(3, 4)", 1, 9, "decimal scale 4 does not fit precision 3");
    check_error(*state, "interval day to month", 1, 17, "expected a smaller unit of time, found \"month\"");
    check_error(*state, "a INT NOT, b INT", 1, 10, "expected NULL, found \",\"");
    check_error(*state, "a INT COMMENT 'open", 1, 15, "expected a string, found \"'open\"");
    check_error(*state, "", 1, 1, "expected a data type, found the end of the type");
    char deep[2001];
    memset(deep, 0, sizeof deep);
    for (int i = 0; i < 200; i++)
        strcat(deep, "array<");
    check_error(*state, deep, 1, 601, "the type is nested deeper than 100 levels");
}

static void duckdb_gets_quoted_names(void **state)
{
    silt_auto(str_buf_fini) StrBuf out = {0};
    type_print_duck(&out, parse(*state, "struct<`a\"b`: int, m: map<string, array<decimal(10,2)>>, t: timestamp, n: timestamp_ntz>"));
    assert_string_equal(str_buf_text(&out),
                        "STRUCT(\"a\"\"b\" INTEGER, \"m\" MAP(VARCHAR, DECIMAL(10,2)[]), \"t\" TIMESTAMP WITH TIME ZONE, \"n\" TIMESTAMP)");
}

static void strictness_decides_about_nullability(void **state)
{
    const Type *a = parse(*state, "struct<a: int NOT NULL COMMENT 'x'>"), *b = parse(*state, "struct<a: int>"),
               *c = parse(*state, "struct<A: int>");
    assert_true(type_equal(a, b, false));
    assert_false(type_equal(a, b, true));
    assert_false(type_equal(b, c, false));
    assert_true(type_decimal(10, 2) == type_decimal(10, 2));
    assert_false(type_equal(type_decimal(10, 2), type_decimal(10, 3), false));
    bool ambiguous;
    assert_int_equal(type_field_index(parse(*state, "a int, B int, b int"), "b", &ambiguous), 1);
    assert_true(ambiguous);
    assert_int_equal(type_field_index(b, "nope", &ambiguous), -1);
}

static void a_schema_goes_through_json_and_back_unchanged(void **state)
{
    static const char schema[] =
        "{\"type\":\"struct\",\"fields\":["
        "{\"name\":\"id\",\"type\":\"long\",\"nullable\":false,\"metadata\":{\"comment\":\"the \\\"key\\\"\",\"delta.columnMapping.id\":1,"
        "\"delta.columnMapping.physicalName\":\"col-1\"}},"
        "{\"name\":\"d\",\"type\":\"decimal(10,2)\",\"nullable\":true,\"metadata\":{}},"
        "{\"name\":\"o\",\"type\":\"integer\",\"nullable\":true,\"metadata\":{\"deep\":{\"x\":[1,2.50,null]}}},"
        "{\"name\":\"c\",\"type\":\"binary\",\"nullable\":true,\"metadata\":{\"comment\":\"only\"}},"
        "{\"name\":\"i\",\"type\":\"interval day to second\",\"nullable\":true,\"metadata\":{}},"
        "{\"name\":\"m\",\"type\":{\"type\":\"map\",\"keyType\":\"string\",\"valueType\":{\"type\":\"array\",\"elementType\":\"timestamp_"
        "ntz\","
        "\"containsNull\":false},\"valueContainsNull\":true},\"nullable\":true,\"metadata\":{}},"
        "{\"name\":\"s\",\"type\":{\"type\":\"struct\",\"fields\":[]},\"nullable\":true,\"metadata\":{}}]}";
    const Type *type;
    SiltErr err;
    if (type_from_json(*state, STR(schema), &type, &err) < 0)
        fail_msg("%s", err.message);
    assert_string_equal(type_text(*state, type), "struct<id:bigint,d:decimal(10,2),o:int,c:binary,i:interval day to second,"
                                                 "m:map<string,array<timestamp_ntz>>,s:struct<>>");
    assert_string_equal(type->fields[0].comment, "the \"key\"");
    assert_false(type->fields[5].type->element->element_nullable);
    silt_auto(str_buf_fini) StrBuf out = {0};
    type_to_json(&out, type);
    assert_string_equal(str_buf_text(&out), schema);
}

static void every_kind_survives_json_and_a_copy(void **state)
{
    static const char ddl[] =
        "a boolean, b tinyint, c smallint, d int, e bigint, f float, g double, h decimal(38,38), i string, j binary, k date, "
        "l timestamp, m timestamp_ntz, n time, o interval year, p interval hour to second, q interval, r variant, s void, "
        "t array<map<int, struct<x: int NOT NULL>>>";
    const Type *type = parse(*state, ddl), *back;
    silt_auto(str_buf_fini) StrBuf out = {0};
    type_to_json(&out, type);
    SiltErr err;
    assert_int_equal(type_from_json(*state, str_buf_view(&out), &back, &err), 0);
    assert_true(type_equal(type, back, true));
    silt_auto(arena_freep) Arena *other = arena_new();
    assert_true(type_equal(type, type_copy(other, type), true));
}

static void a_schema_that_is_not_one_is_refused(void **state)
{
    static const char *const cases[][2] = {
        {"\"geometry(4326)\"", "data type \"geometry(4326)\" in a schema is not supported"},
        {"\"decimal(99,1)\"", "data type \"decimal(99,1)\" in a schema is not supported"},
        {"\"interval, x int\"", "data type \"interval, x int\" in a schema is not supported"},
        {"{\"type\":\"struct\"}", "the schema is malformed: a struct has no fields"},
        {"{\"type\":\"struct\",\"fields\":[{\"type\":\"long\"}]}", "the schema is malformed: a field has no name"},
        {"{\"type\":\"array\"}", "the schema is malformed: a type is neither a name nor an object"},
        {"{\"type\":\"matrix\"}", "data type \"matrix\" in a schema is not supported"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Type *type;
        SiltErr err;
        assert_int_equal(type_from_json(*state, str_of(cases[i][0]), &type, &err), -1);
        assert_string_equal(err.message, cases[i][1]);
    }
}

/* DuckDB takes "f:struct<a:int>" and "f:struct<A:int>" for one function. */
static void names_of_functions_tell_capital_letters_apart(void **state)
{
    static const char *const types[] = {"struct<a:int>", "struct<A:int>", "struct<aB:int,Ab:string>", "struct<Ab:int,aB:string>", "array<struct<ID:bigint>>", "decimal(10,2)", "int"};
    Arena *arena = arena_new();
    SiltErr err;

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const Type *type;
        silt_auto(str_buf_fini) StrBuf name = {0};

        assert_int_equal(type_parse_ddl(arena, str_of(types[i]), true, &type, &err), 0);
        type_print_in_name(&name, type);
        assert_string_equal(type_text(arena, type), arena_strndup(arena, name.ptr, type_text_of_name(str_buf_view(&name)).size));
        for (size_t k = 0; k < i; k++) {
            silt_auto(str_buf_fini) StrBuf other = {0};

            assert_int_equal(type_parse_ddl(arena, str_of(types[k]), true, &type, &err), 0);
            type_print_in_name(&other, type);
            assert_true(strcasecmp(name.ptr, other.ptr) != 0);
        }
    }
    arena_free(arena);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_arena, free_arena)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_functions_tell_capital_letters_apart),
        TEST(every_spark_name_is_understood),        TEST(a_column_keeps_nullability_comment_and_declared_length),
        TEST(what_is_wrong_is_named_with_its_place), TEST(duckdb_gets_quoted_names),
        TEST(strictness_decides_about_nullability),  TEST(a_schema_goes_through_json_and_back_unchanged),
        TEST(every_kind_survives_json_and_a_copy),   TEST(a_schema_that_is_not_one_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
