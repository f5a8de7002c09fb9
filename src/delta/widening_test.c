/* delta/widening_test.c - which types may become which, and what the schema says of it */
#include "delta/delta_test.h"
#include "delta/internal.h"
#include "delta/widening.h"

enum { TYPES = 16 };

static void all_types(const Type *types[TYPES])
{
    static const TypeKind simple[] = {TYPE_BOOLEAN, TYPE_BYTE,   TYPE_SHORT, TYPE_INT,       TYPE_LONG,         TYPE_FLOAT,
                                      TYPE_DOUBLE,  TYPE_STRING, TYPE_DATE,  TYPE_TIMESTAMP, TYPE_TIMESTAMP_NTZ};
    int n = 0;
    for (size_t i = 0; i < sizeof simple / sizeof simple[0]; i++)
        types[n++] = type_simple(simple[i]);
    types[n++] = type_decimal(5, 2);
    types[n++] = type_decimal(10, 0);
    types[n++] = type_decimal(12, 2);
    types[n++] = type_decimal(20, 0);
    types[n++] = type_decimal(38, 18);
    assert_int_equal(n, TYPES);
}

/* As delta-spark 4.4 answers ALTER COLUMN .. TYPE for each pair. */
static void the_table_of_the_protocol_holds(void **state)
{
    static const char *const want[] = {
        "tinyint smallint", "tinyint int", "tinyint bigint", "tinyint double", "tinyint decimal(10,0)", "tinyint decimal(12,2)", "tinyint decimal(20,0)",
        "tinyint decimal(38,18)", "smallint int", "smallint bigint", "smallint double", "smallint decimal(10,0)", "smallint decimal(12,2)",
        "smallint decimal(20,0)", "smallint decimal(38,18)", "int bigint", "int double", "int decimal(10,0)", "int decimal(12,2)", "int decimal(20,0)",
        "int decimal(38,18)", "bigint decimal(20,0)", "bigint decimal(38,18)", "float double", "date timestamp_ntz", "decimal(5,2) decimal(12,2)",
        "decimal(5,2) decimal(38,18)", "decimal(10,0) decimal(12,2)", "decimal(10,0) decimal(20,0)", "decimal(10,0) decimal(38,18)",
        "decimal(12,2) decimal(38,18)", "decimal(20,0) decimal(38,18)"};
    (void)state;
    Arena *arena = arena_new();
    const Type *types[TYPES];
    size_t found = 0;
    all_types(types);
    for (int i = 0; i < TYPES; i++)
        for (int k = 0; k < TYPES; k++)
            if (delta_type_widens(types[i], types[k])) {
                const char *pair = arena_printf(arena, "%s %s", type_text(arena, types[i]), type_text(arena, types[k]));
                assert_true(found < sizeof want / sizeof want[0]);
                assert_string_equal(pair, want[found++]);
            }
    assert_int_equal(found, sizeof want / sizeof want[0]);
    arena_free(arena);
}

static bool reaches(const Type *from, const Type *to)
{
    return type_equal(from, to, false) || delta_type_widens(from, to);
}

static void the_wider_type_takes_both_and_is_the_same_from_either_side(void **state)
{
    (void)state;
    const Type *types[TYPES];
    all_types(types);
    for (int i = 0; i < TYPES; i++)
        for (int k = 0; k < TYPES; k++) {
            const Type *wider = delta_type_wider(types[i], types[k]), *back = delta_type_wider(types[k], types[i]);
            assert_int_equal(wider == NULL, back == NULL);
            if (!wider)
                continue;
            assert_true(type_equal(wider, back, false));
            assert_true(reaches(types[i], wider) && reaches(types[k], wider));
            for (int m = 0; m < TYPES; m++) /* the narrowest */
                if (reaches(types[i], types[m]) && reaches(types[k], types[m]))
                    assert_true(reaches(wider, types[m]) || (types[m]->kind == TYPE_DECIMAL) != (wider->kind == TYPE_DECIMAL));
        }
    assert_ptr_equal(delta_type_wider(type_simple(TYPE_LONG), type_simple(TYPE_DOUBLE)), NULL);
    assert_ptr_equal(delta_type_wider(type_simple(TYPE_LONG), type_simple(TYPE_FLOAT)), NULL);
    assert_ptr_equal(delta_type_wider(type_decimal(38, 0), type_decimal(38, 1)), NULL);
    assert_ptr_equal(delta_type_wider(type_simple(TYPE_INT), type_decimal(5, 2)), type_decimal(12, 2));
    assert_ptr_equal(delta_type_wider(type_decimal(5, 2), type_simple(TYPE_LONG)), type_decimal(22, 2));
    assert_ptr_equal(delta_type_wider(type_decimal(10, 2), type_decimal(12, 0)), type_decimal(14, 2));
    assert_ptr_equal(delta_type_wider(type_simple(TYPE_SHORT), type_simple(TYPE_FLOAT)), type_simple(TYPE_DOUBLE));
}

static const Type *parsed(Arena *arena, const char *ddl)
{
    const Type *type;
    SiltErr err;
    OK(type_parse_ddl(arena, str_of(ddl), false, &type, &err));
    return type;
}

static void a_change_is_noted_behind_those_before(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const Type *was = parsed(arena, "a INT, b INT, s ARRAY<STRUCT<x: FLOAT>>"), *middle = parsed(arena, "a BIGINT, b INT, s ARRAY<STRUCT<x: DOUBLE>>, n INT");
    const Type *once = delta_widening_note(arena, was, middle);
    TypeField fields[4];
    assert_string_equal(once->fields[0].metadata_json, "{\"delta.typeChanges\":[{\"toType\":\"long\",\"fromType\":\"integer\"}]}");
    assert_null(once->fields[1].metadata_json);
    assert_string_equal(once->fields[2].type->element->fields[0].metadata_json, "{\"delta.typeChanges\":[{\"toType\":\"double\",\"fromType\":\"float\"}]}");
    assert_null(once->fields[2].metadata_json);
    memcpy(fields, once->fields, sizeof fields);
    fields[0].type = type_decimal(20, 0);
    const Type *twice = delta_widening_note(arena, once, type_struct(arena, fields, 4));
    assert_string_equal(twice->fields[0].metadata_json, "{\"delta.typeChanges\":[{\"toType\":\"long\",\"fromType\":\"integer\"},"
                                                        "{\"toType\":\"decimal(20,0)\",\"fromType\":\"long\"}]}");
    assert_true(delta__only_widened(was, twice));
    assert_false(delta__only_widened(twice, was));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_of_the_protocol_holds),
        cmocka_unit_test(the_wider_type_takes_both_and_is_the_same_from_either_side),
        cmocka_unit_test(a_change_is_noted_behind_those_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
