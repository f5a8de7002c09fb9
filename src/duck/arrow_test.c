/* duck/arrow_test.c - what goes out through the Arrow interface comes back the same, and what is wrong with it is said */
#include "duck/duck_test.h"

#include "duck/arrow.h"
#include "duck/render.h"

/* Every type, NULLs at all depths, short and long strings, empty lists, edges of ranges. */
static const char every_type[] =
    "SELECT i % 3 = 0 c1, i::TINYINT c2, (i * 100)::SMALLINT c3, CASE WHEN i % 7 <> 3 THEN i - 2147483648 END::INTEGER c4, "
    "9223372036854775807 - i c5, (i / 3.0)::FLOAT c6, CASE i WHEN 1 THEN 'NaN' WHEN 2 THEN '-0.0' ELSE i::VARCHAR END::DOUBLE c7, "
    "(i / 10.0)::DECIMAL(3,1) c8, (-i)::DECIMAL(9,0) c9, (i * 1000000007)::DECIMAL(18,6) c10, "
    "CASE WHEN i % 2 = 0 THEN -99999999999999999999999999999999999999::DECIMAL(38,0) + i END::DECIMAL(38,0) c11, "
    "CASE WHEN i % 5 <> 0 THEN repeat('\u00e4b', i::INTEGER % 9) END c12, repeat('ab', i::INTEGER % 40)::BLOB c13, "
    "DATE '1969-12-30' + i::INTEGER c14, TIMESTAMPTZ '1900-01-01 00:00:00.000001+00' + to_days(i::INTEGER * 365) c15, "
    "TIMESTAMP '0001-01-01 00:00:00' + to_days(i::INTEGER) c16, i::INTEGER c17, i * 1000001 c18, "
    "CASE WHEN i % 4 > 0 THEN [x FOR x IN range(i % 5)] END::INTEGER[] c19, "
    "CASE WHEN i % 4 > 0 THEN [[NULL, 'long enough to be stored elsewhere'], [], NULL, [i::VARCHAR]] END c20, "
    "CASE WHEN i % 4 > 1 THEN MAP {i::VARCHAR: [i], 'k': NULL} ELSE MAP {} END::MAP(VARCHAR, BIGINT[]) c21, "
    "CASE WHEN i % 6 > 0 THEN {'a': i, 'b': {'c': CASE WHEN i % 2 = 0 THEN 'x' END}} END c22, "
    "to_months(i::INTEGER) + to_days(3) + to_microseconds(i) c23, NULL c24, TIME '23:59:59.999999' c25 FROM range(100) t(i)";
static const char every_type_ddl[] =
    "c1 BOOLEAN, c2 TINYINT, c3 SMALLINT, c4 INT, c5 BIGINT, c6 FLOAT, c7 DOUBLE, c8 DECIMAL(3,1), c9 DECIMAL(9,0), c10 DECIMAL(18,6), "
    "c11 DECIMAL(38,0), c12 STRING, c13 BINARY, c14 DATE, c15 TIMESTAMP, c16 TIMESTAMP_NTZ, c17 INTERVAL YEAR TO MONTH, "
    "c18 INTERVAL DAY TO SECOND, c19 ARRAY<INT>, c20 ARRAY<ARRAY<STRING>>, c21 MAP<STRING, ARRAY<BIGINT>>, "
    "c22 STRUCT<a: BIGINT, b: STRUCT<c: STRING>>, c23 INTERVAL, c24 VOID, c25 TIME(6)";

static const char **column_names(Arena *arena, int count)
{
    const char **names = ARENA_ARRAY(arena, const char *, count);

    for (int i = 0; i < count; i++)
        names[i] = arena_printf(arena, "c%d", i + 1);
    return names;
}

static void render_row(StrBuf *out, const Chunk *chunk, int row)
{
    str_buf_clear(out);
    for (int i = 0; i < chunk_column_count(chunk); i++) {
        str_buf_printf(out, " c%d=", i + 1);
        render_json(out, chunk_column(chunk, i), (uint64_t)row, NULL);
    }
}

static void same_row(const Chunk *a, int row_a, const Chunk *b, int row_b)
{
    silt_auto(str_buf_fini) StrBuf left = {0}, right = {0};

    render_row(&left, a, row_a);
    render_row(&right, b, row_b);
    assert_string_equal(str_buf_text(&left), str_buf_text(&right));
}

static ChunkReader query(Fixture *f, const char *sql, const Type *const *types, int count)
{
    DuckStatement *statement;
    ChunkReader reader = {0};
    SiltErr err;

    if (duck_session_prepare(f->session, sql, &statement, &err) < 0 || duck_statement_read(statement, types, count, &reader, &err) < 0)
        fail_msg("%s", err.message);
    return reader;
}

/* Also from the middle of an array: `first` rows are left out on the way in. */
static void every_type_comes_back_as_it_went_out(void **state)
{
    Fixture *f = *state;
    int count, rows = 0;
    const Type **types = column_types(f->arena, every_type_ddl, &count);
    const char **names = column_names(f->arena, count);
    ChunkReader reader = query(f, every_type, types, count);
    struct ArrowSchema schema;
    Chunk *chunk;
    SiltErr err;

    arrow_export_schema(names, types, NULL, count, &schema);
    if (arrow_check_schema(&schema, names, types, count, &err) < 0)
        fail_msg("%s", err.message);
    while (reader.next(reader.self, &chunk, &err) == 0 && chunk) {
        struct ArrowArray array;
        assert_int_equal(arrow_export_chunk(chunk, &array, &err), 0);
        for (int first = 0; first < chunk_row_count(chunk); first += 37) {
            int take = chunk_row_count(chunk) - first < 60 ? chunk_row_count(chunk) - first : 60;
            Chunk *back;
            if (arrow_import_rows(&schema, &array, types, count, first, take, &back, &err) < 0)
                fail_msg("%s", err.message);
            assert_int_equal(chunk_row_count(back), take);
            for (int row = 0; row < take; row++)
                same_row(chunk, first + row, back, row);
            chunk_unref(back);
        }
        rows += chunk_row_count(chunk);
        arrow_release_array(&array);
        chunk_unref(chunk);
    }
    assert_int_equal(rows, 100);
    reader.close(reader.self);
    arrow_release_schema(&schema);
}

static void formats_are_those_of_the_interface(void **state)
{
    static const char *const wanted[] = {"b",   "c",   "s", "i",   "l",       "f",    "g",   "d:3,1", "d:9,0", "d:18,6", "d:38,0", "U", "Z",
                                         "tdD", "tsu:UTC", "tsu:", "tiM", "tDu", "+l",    "+l",    "+m",     "+s",     "tin", "n", "ttu"};
    Fixture *f = *state;
    struct ArrowSchema schema;
    int count;
    const Type **types = column_types(f->arena, every_type_ddl, &count);
    bool *nullable = ARENA_ARRAY(f->arena, bool, count);

    nullable[1] = true;
    arrow_export_schema(column_names(f->arena, count), types, nullable, count, &schema);
    for (int i = 0; i < count; i++) {
        assert_string_equal(schema.children[i]->format, wanted[i]);
        assert_int_equal(schema.children[i]->flags, i == 1 ? ARROW_FLAG_NULLABLE : 0);
    }
    assert_string_equal(schema.children[20]->children[0]->children[0]->name, "key");
    arrow_release_schema(&schema);
}

/* A1: a consumer may move a child and release the rest. */
static void a_child_outlives_its_parent(void **state)
{
    Fixture *f = *state;
    const Type *types[] = {type_simple(TYPE_STRING)};
    ChunkReader reader = query(f, "SELECT 'longer than twelve bytes' c1", types, 1);
    struct ArrowArray array, child;
    Chunk *chunk;
    SiltErr err;

    assert_int_equal(reader.next(reader.self, &chunk, &err), 0);
    assert_int_equal(arrow_export_chunk(chunk, &array, &err), 0);
    chunk_unref(chunk);
    reader.close(reader.self);
    child = *array.children[0];
    array.children[0]->release = NULL;
    arrow_release_array(&array);
    assert_memory_equal(child.buffers[2], "longer than twelve bytes", 24);
    arrow_release_array(&child);
}

/* An array of `rows` rows over buffers that belong to the test. */
static struct ArrowArray borrowed(int64_t rows, const void **buffers, int count)
{
    return (struct ArrowArray){.length = rows, .n_buffers = count, .buffers = buffers};
}

static int import_one(const char *format, const Type *type, struct ArrowArray *column, int rows, SiltErr *err)
{
    struct ArrowSchema field = {.format = format, .name = "v"}, *fields[] = {&field};
    struct ArrowSchema schema = {.format = "+s", .n_children = 1, .children = fields};
    const void *none[] = {NULL};
    struct ArrowArray *columns[] = {column}, array = {.length = rows, .n_buffers = 1, .buffers = none, .n_children = 1, .children = columns};
    const char *name = "v";
    Chunk *chunk;

    SILT_TRY(arrow_check_schema(&schema, &name, &type, 1, err));
    SILT_TRY(arrow_import_rows(&schema, &array, &type, 1, 0, rows, &chunk, err));
    chunk_unref(chunk);
    return 0;
}

static void what_is_wrong_with_an_array_is_said(void **state)
{
    int32_t backwards[] = {0, 3, 1}, bad_text[] = {0, 1, 2};
    __int128 large[] = {1000};
    const void *strings[] = {NULL, backwards, "abc"}, *bytes[] = {NULL, bad_text, "\xff\xfe"}, *decimals[] = {NULL, large};
    struct ArrowArray array = borrowed(2, strings, 3);
    SiltErr err;

    (void)state;
    assert_int_equal(import_one("u", type_simple(TYPE_STRING), &array, 2, &err), -1);
    assert_string_equal(err.message, "offsets of a string go from 3 to 1");
    array = borrowed(2, bytes, 3);
    assert_int_equal(import_one("u", type_simple(TYPE_STRING), &array, 2, &err), -1);
    assert_string_equal(err.message, "a string is not valid UTF-8");
    assert_int_equal(import_one("z", type_simple(TYPE_BINARY), &array, 2, &err), 0);
    assert_int_equal(import_one("z", type_simple(TYPE_BINARY), &array, 3, &err), -1);
    assert_string_equal(err.message, "an array of 2 rows where 3 were announced");
    array = borrowed(1, decimals, 2);
    assert_int_equal(import_one("d:3,0", type_decimal(3, 0), &array, 1, &err), -1);
    assert_string_equal(err.message, "a decimal has more than 3 digits");
    assert_int_equal(import_one("d:4,0,128", type_decimal(4, 0), &array, 1, &err), 0);
    assert_int_equal(import_one("i", type_simple(TYPE_LONG), &array, 1, &err), -1);
    assert_string_equal(err.message, "column \"v\" comes in Arrow's format \"i\" instead of \"l\", that of bigint");
}

static void an_interval_beyond_nanoseconds_is_refused(void **state)
{
    Fixture *f = *state;
    const Type *types[] = {type_simple(TYPE_INTERVAL)};
    ChunkReader reader = query(f, "SELECT to_microseconds(9223372036854776) c1", types, 1);
    struct ArrowArray array;
    Chunk *chunk;
    SiltErr err;

    assert_int_equal(reader.next(reader.self, &chunk, &err), 0);
    assert_int_equal(arrow_export_chunk(chunk, &array, &err), -1);
    assert_string_equal(err.message, "an interval of 9223372036854776 microseconds does not fit into Arrow's nanoseconds");
    chunk_unref(chunk);
    reader.close(reader.self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(every_type_comes_back_as_it_went_out), FIXTURE_TEST(formats_are_those_of_the_interface),
        FIXTURE_TEST(a_child_outlives_its_parent),          cmocka_unit_test(what_is_wrong_with_an_array_is_said),
        FIXTURE_TEST(an_interval_beyond_nanoseconds_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
