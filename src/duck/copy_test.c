/* duck/copy_test.c - Parquet out and in */
#include "duck/duck_test.h"

#include <dirent.h>
#include <time.h>
#include <unistd.h>

typedef struct Written {
    char directory[256];
    DuckWrittenFile *files;
    int count;
    int64_t rows;
    SiltErr err;
} Written;

static void make_directory(Written *w)
{
    const char *base = getenv("TMPDIR");
    snprintf(w->directory, sizeof w->directory, "%s/silt-copy-XXXXXX", base ? base : P_tmpdir);
    assert_non_null(mkdtemp(w->directory));
}

static void remove_directory(const Written *w)
{
    DIR *dir = opendir(w->directory);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", w->directory, entry->d_name);
        if (entry->d_name[0] != '.')
            assert_int_equal(unlink(path), 0);
    }
    closedir(dir);
    assert_int_equal(rmdir(w->directory), 0);
}

/* Names and types come from ddl; the rest of the options from base. */
static int copy(Fixture *f, const char *select, const char *ddl, DuckCopyOptions options, Written *w)
{
    const Type *schema;
    assert_int_equal(type_parse_ddl(f->arena, str_of(ddl), false, &schema, &w->err), 0);
    const Type **types = ARENA_ARRAY(f->arena, const Type *, schema->field_count);
    const char **names = ARENA_ARRAY(f->arena, const char *, schema->field_count);
    for (int i = 0; i < schema->field_count; i++) {
        types[i] = schema->fields[i].type;
        names[i] = schema->fields[i].name;
    }
    options.directory = w->directory;
    options.compression = options.compression ? options.compression : "zstd";
    options.column_names = names;
    options.column_count = schema->field_count;
    return duck_session_copy(f->session, select, types, &options, f->arena, &w->files, &w->count, &w->rows, &w->err);
}

static void copy_ok(Fixture *f, const char *select, const char *ddl, DuckCopyOptions options, Written *w)
{
    if (copy(f, select, ddl, options, w) < 0)
        fail_msg("%s", w->err.message);
}

static const DuckColumnStats *stats_of(const DuckWrittenFile *file, const char *path)
{
    for (int i = 0; i < file->stats_count; i++)
        if (strcmp(file->stats[i].path, path) == 0)
            return &file->stats[i];
    return NULL;
}

static void check_bounds(const DuckWrittenFile *file, const char *path, const char *min, const char *max, int64_t nulls)
{
    const DuckColumnStats *stats = stats_of(file, path);
    assert_non_null(stats);
    assert_int_equal(stats->null_count, nulls);
    assert_int_equal(stats->has_bounds, min != NULL);
    if (min) {
        assert_string_equal(stats->min, min);
        assert_string_equal(stats->max, max);
    }
}

static const char all_ddl[] =
    "`a b` TINYINT, `q\"o` STRING, bo BOOLEAN, d4 DECIMAL(4,1), d9 DECIMAL(9,2), d18 DECIMAL(18,2), d38 DECIMAL(38,2), "
    "da DATE, ts TIMESTAMP, nt TIMESTAMP_NTZ, db DOUBLE, bi BINARY, st STRUCT<`x.y`: INT, z: STRUCT<w: BIGINT>>, "
    "ar ARRAY<INT>, ma MAP<STRING, INT>";
static const char all_select[] =
    "SELECT 1::TINYINT + i::TINYINT c1, 'v' || i c2, i = 0 c3, 1.5::DECIMAL(4,1) c4, 2.25::DECIMAL(9,2) c5, -3::DECIMAL(18,2) c6, "
    "4::DECIMAL(38,2) c7, "
    "DATE '2026-01-02' c8, TIMESTAMPTZ '2026-01-02 03:04:05.678901+00' c9, TIMESTAMP '2026-01-02 03:04:05' c10, 0.5::DOUBLE c11, "
    "'ab'::BLOB c12, "
    "CASE WHEN i = 0 THEN NULL ELSE {'x.y': 7, 'z': {'w': 8::BIGINT}} END c13, [1, NULL, 3] c14, MAP {'k': 1} c15 FROM range(2) t(i)";

static void a_variant_has_a_null_count_and_no_bounds(void **state)
{
    Fixture *f = *state;
    Written w;
    make_directory(&w);
    copy_ok(f,
            "SELECT CASE WHEN i = 0 THEN {'metadata': '\\x01\\x00\\x00'::BLOB, 'value': '\\x0C\\x05'::BLOB} END c1, "
            "{'v': {'metadata': '\\x01\\x00\\x00'::BLOB, 'value': '\\x00'::BLOB}} c2, [NULL::STRUCT(metadata BLOB, value BLOB)] c3 FROM range(3) t(i)",
            "v VARIANT, s STRUCT<v: VARIANT>, l ARRAY<VARIANT>", (DuckCopyOptions){0}, &w);
    const DuckWrittenFile *file = &w.files[0];
    assert_int_equal(file->stats_count, 2);
    check_bounds(file, "v", NULL, NULL, 2);
    check_bounds(file, "s\x1fv", NULL, NULL, 0);
}

static void every_type_is_written_with_its_real_name_and_bounds(void **state)
{
    Fixture *f = *state;
    Written w;
    make_directory(&w);
    copy_ok(f, all_select, all_ddl, (DuckCopyOptions){0}, &w);
    assert_int_equal(w.count, 1);
    assert_int_equal(w.rows, 2);
    assert_true(w.files[0].size_bytes > 500);
    const DuckWrittenFile *file = &w.files[0];
    check_bounds(file, "a b", "1", "2", 0);
    check_bounds(file, "q\"o", "v0", "v1", 0);
    check_bounds(file, "d4", "1.5", "1.5", 0);
    check_bounds(file, "d38", "4.00", "4.00", 0);
    check_bounds(file, "da", "2026-01-02", "2026-01-02", 0);
    check_bounds(file, "ts", "2026-01-02 03:04:05.678901+00", "2026-01-02 03:04:05.678901+00", 0);
    check_bounds(file, "nt", "2026-01-02 03:04:05", "2026-01-02 03:04:05", 0);
    check_bounds(file, "db", "0.5", "0.5", 0);
    check_bounds(file, "st\x1fx.y", "7", "7", 1);
    check_bounds(file, "st\x1fz\x1fw", "8", "8", 1);
    assert_null(stats_of(file, "ar\x1f"
                               "element"));
    assert_null(stats_of(file, "ma\x1fkey"));

    const Type *schema, *expected;
    SiltErr err;
    if (duck_session_parquet_schema(f->session, f->arena, file->local_path, &schema, &err) < 0)
        fail_msg("%s", err.message);
    assert_int_equal(type_parse_ddl(f->arena, str_of(all_ddl), false, &expected, &err), 0);
    assert_string_equal(type_text(f->arena, schema), type_text(f->arena, expected));
    check(
        f,
        arena_printf(
            f->arena,
            "SELECT string_agg(name || ' ' || type || ' ' || coalesce(logical_type, ''), ';' ORDER BY column_id) FROM parquet_schema('%s') "
            "WHERE name IN ('d4', 'd9', 'd18', 'd38', 'nt', 'ts')",
            file->local_path),
        "d4 INT32 DecimalType(scale=1, precision=4);d9 INT32 DecimalType(scale=2, precision=9);d18 INT64 DecimalType(scale=2, "
        "precision=18);"
        "d38 FIXED_LEN_BYTE_ARRAY DecimalType(scale=2, precision=38);"
        "ts INT64 TimestampType(isAdjustedToUTC=1, unit=TimeUnit(MILLIS=<null>, MICROS=MicroSeconds(), NANOS=<null>));"
        "nt INT64 TimestampType(isAdjustedToUTC=0, unit=TimeUnit(MILLIS=<null>, MICROS=MicroSeconds(), NANOS=<null>))");
    check(f, arena_printf(f->arena, "SELECT string_agg(st::VARCHAR || ar::VARCHAR) FROM read_parquet('%s')", file->local_path),
          "{'x.y': 7, 'z': {'w': 8}}[1, NULL, 3]");
    remove_directory(&w);
}

static void no_rows_make_no_file(void **state)
{
    Fixture *f = *state;
    Written w;
    make_directory(&w);
    copy_ok(f, "SELECT 1 c1, 2 c2 WHERE false", "a INT, b INT", (DuckCopyOptions){0}, &w);
    assert_int_equal(w.count, 0);
    assert_int_equal(w.rows, 0);
    copy_ok(f, "SELECT 1 c1, 2 c2 WHERE false", "a INT, b INT", (DuckCopyOptions){.file_size_bytes_max = 1000}, &w);
    assert_int_equal(w.count, 0);
    copy_ok(f, "SELECT 1 c1, 2 c2 WHERE false", "a INT, b INT",
            (DuckCopyOptions){.partition_columns = (const char *[]){"a"}, .partition_count = 1}, &w);
    assert_int_equal(w.count, 0);
    remove_directory(&w);
}

static void partition_values_are_those_of_a_delta_log(void **state)
{
    Fixture *f = *state;
    Written w;
    make_directory(&w);
    copy_ok(f,
            "SELECT i::BIGINT c1, s c2, t c3, d c4, b c5 FROM (VALUES (1, 'a/b c=\xC3\xA9', TIMESTAMPTZ '2026-01-02 03:04:05.6+00', "
            "1e10::DOUBLE, true), "
            "(2, '', NULL, NULL, NULL), (3, NULL, NULL, NULL, NULL), (4, '__HIVE_DEFAULT_PARTITION__', NULL, 'nan'::DOUBLE, false)) v(i, "
            "s, t, d, b)",
            "v BIGINT, `s s` STRING, t TIMESTAMP, d DOUBLE, b BOOLEAN",
            (DuckCopyOptions){.partition_columns = (const char *[]){"t", "s s", "d", "b"}, .partition_count = 4}, &w);
    assert_int_equal(w.rows, 4);
    assert_int_equal(w.count, 3);
    int seen = 0;
    for (int i = 0; i < w.count; i++) {
        const char **values = w.files[i].partition_values;
        int64_t first = strtoll(stats_of(&w.files[i], "v")->min, NULL, 10);
        seen |= 1 << first;
        if (first == 1) {
            assert_string_equal(values[0], "2026-01-02T03:04:05.6Z");
            assert_string_equal(values[1], "a/b c=\xC3\xA9");
            assert_string_equal(values[2], "1.0E10");
            assert_string_equal(values[3], "true");
        } else if (first == 2) { /* the empty string is NULL in a log */
            assert_int_equal(w.files[i].rows, 2);
            for (int k = 0; k < 4; k++)
                assert_null(values[k]);
        } else {
            assert_string_equal(values[1], "__HIVE_DEFAULT_PARTITION__");
            assert_string_equal(values[2], "NaN");
            assert_string_equal(values[3], "false");
        }
    }
    assert_int_equal(seen, 1 << 1 | 1 << 2 | 1 << 4);
    check(f, arena_printf(f->arena, "SELECT string_agg(DISTINCT name ORDER BY name) FROM parquet_schema('%s/*.parquet')", w.directory),
          "duckdb_schema,v");
    remove_directory(&w);
}

static void a_nan_never_hides_behind_bounds(void **state)
{
    Fixture *f = *state;
    Written w;
    make_directory(&w);
    /* two row groups, the NaN in the first: DuckDB says has_nan = false */
    copy_ok(f, "SELECT CASE WHEN i = 5 THEN 'nan'::DOUBLE ELSE i::DOUBLE END c1, {'x': 1.5::FLOAT} c2, i::BIGINT c3 FROM range(10000) t(i)",
            "d DOUBLE, s STRUCT<x: FLOAT>, i BIGINT", (DuckCopyOptions){.row_group_rows = 4096}, &w);
    check_bounds(&w.files[0], "d", NULL, NULL, 0);
    check_bounds(&w.files[0], "s\x1fx", NULL, NULL, 0);
    check_bounds(&w.files[0], "i", "0", "9999", 0);
    copy_ok(f, "SELECT 'nan'::DOUBLE c1, 1.5::FLOAT c2, 'inf'::DOUBLE c3", "d DOUBLE, e FLOAT, g DOUBLE", (DuckCopyOptions){0}, &w);
    check_bounds(&w.files[0], "d", NULL, NULL, 0);
    assert_true(stats_of(&w.files[0], "d")->has_nan);
    check_bounds(&w.files[0], "e", "1.5", "1.5", 0);
    check_bounds(&w.files[0], "g", "inf", "inf", 0);
    remove_directory(&w);
}

static void bounds_of_floating_point_are_trusted_in_one_row_group(void **state)
{
    Fixture *f = *state;
    Written w;
    make_directory(&w); /* more rows than a chunk: the footers are asked */
    copy_ok(f, "SELECT i::DOUBLE c1, i % 3 c2 FROM range(10000) t(i)", "d DOUBLE, k BIGINT",
            (DuckCopyOptions){.partition_columns = (const char *[]){"k"}, .partition_count = 1}, &w);
    assert_int_equal(w.count, 3);
    for (int i = 0; i < 3; i++) {
        int key = atoi(w.files[i].partition_values[0]);
        check_bounds(&w.files[i], "d", arena_printf(f->arena, "%d.0", key), arena_printf(f->arena, "%d.0", key == 0 ? 9999 : 9996 + key),
                     0);
    }
    remove_directory(&w);
}

static void large_results_are_cut_into_files(void **state)
{
    Fixture *f = *state;
    Written w;
    make_directory(&w);
    copy_ok(f, "SELECT i c1, i * 7 % 1000003 c2 FROM range(600000) t(i)", "a BIGINT, b BIGINT",
            (DuckCopyOptions){.file_size_bytes_max = 1000000, .compression = "snappy"}, &w);
    assert_true(w.count > 1);
    assert_int_equal(w.rows, 600000);
    int64_t next = 0;
    for (int i = 0; i < w.count; i++) { /* order is kept */
        assert_int_equal(strtoll(stats_of(&w.files[i], "a")->min, NULL, 10), next);
        next = strtoll(stats_of(&w.files[i], "a")->max, NULL, 10) + 1;
    }
    assert_int_equal(next, 600000);
    remove_directory(&w);
}

static void field_ids_are_written(void **state)
{
    Fixture *f = *state;
    Written w;
    make_directory(&w);
    copy_ok(f, "SELECT 1 c1, 2 c2, 3 c3", "a INT, `p'\"` INT, z INT",
            (DuckCopyOptions){.field_ids = "{'a': 11, 'p''\"': 12}", .partition_columns = (const char *[]){"z"}, .partition_count = 1},
            &w);
    check(f,
          arena_printf(f->arena, "SELECT string_agg(name || field_id, ',' ORDER BY field_id) FROM parquet_schema('%s')",
                       w.files[0].local_path),
          "a11,p'\"12");
    remove_directory(&w);
}

static void what_cannot_be_written_is_refused_by_name(void **state)
{
    Fixture *f = *state;
    Written w;
    make_directory(&w);
    assert_int_equal(copy(f, "SELECT 1 c1, NULL c2", "a INT, b STRUCT<c: ARRAY<VOID>>", (DuckCopyOptions){0}, &w), -1);
    assert_string_equal(w.err.message, "column \"b\" of type struct<c:array<void>> cannot be written to Parquet");
    assert_int_equal(
        copy(f, "SELECT 1 c1", "a INT", (DuckCopyOptions){.partition_columns = (const char *[]){"a"}, .partition_count = 1}, &w), -1);
    assert_string_equal(w.err.code, "ALL_PARTITION_COLUMNS_NOT_ALLOWED");
    assert_int_equal(copy(f, "SELECT sum(1) c1", "a BIGINT", (DuckCopyOptions){0}, &w), -1);
    assert_string_equal(w.err.message, "column 1 of the query (c1) is HUGEINT where BIGINT was expected");
    assert_int_equal(copy(f, "SELECT {'f1': 1} c1", "a STRUCT<x: INT>", (DuckCopyOptions){0}, &w), -1);
    assert_int_equal(w.err.kind, SILT_CORRUPT);
    assert_int_equal(copy(f, "SELECT 1 c1 WHERE silt_fail_unless(0, false, 'no', 3 << 20)", "a INT", (DuckCopyOptions){0}, &w), -1);
    assert_string_equal(w.err.code, "EXPECTATION_FAILED");
    assert_int_equal(w.err.line, 3);
    remove_directory(&w);
}

static void a_schema_is_read_anew_each_time(void **state)
{
    Fixture *f = *state;
    Written w;
    const Type *schema;
    make_directory(&w);
    for (int i = 0; i < 2; i++) {
        copy_ok(f, i ? "SELECT 'x' c1, 2 c2" : "SELECT 1 c1, 2 c2", i ? "s STRING, b INT" : "a INT, b INT", (DuckCopyOptions){0}, &w);
        assert_int_equal(duck_session_parquet_schema(f->session, f->arena, w.files[0].local_path, &schema, &w.err), 0);
        assert_string_equal(type_text(f->arena, schema), i ? "struct<s:string,b:int>" : "struct<a:int,b:int>");
    }
    assert_int_equal(duck_session_parquet_schema(f->session, f->arena, "/nowhere/it's.parquet", &schema, &w.err), -1);
    assert_non_null(strstr(w.err.message, "No files found that match the pattern \"/nowhere/it's.parquet\""));
    remove_directory(&w);
}

static void a_negative_zero_stays_one(void **state)
{
    Fixture *f = *state;
    const char *ddl = "d DOUBLE, f FLOAT, l ARRAY<DOUBLE>, m MAP<STRING, STRUCT<x: FLOAT>>";
    static const char *const where[] = {"i = 1", "i = 2", "i = 3", "i = 4"}; /* which column has it, beside a 0.0 */
    for (int k = 0; k < 4; k++) {
        Written w;
        const char *select = arena_printf(f->arena,
                                          "SELECT CASE WHEN i = 1 THEN '-0.0' ELSE '0.0' END::DOUBLE c1, CASE WHEN i = 2 THEN '-0.0' ELSE '0.0' END::FLOAT c2, "
                                          "[0.0::DOUBLE, CASE WHEN i = 3 THEN '-0.0' ELSE '0.0' END::DOUBLE] c3, "
                                          "map {'k': {'x': CASE WHEN i = 4 THEN '-0.0' ELSE '0.0' END::FLOAT}} c4 FROM range(5) t(i) WHERE i = 0 OR %s",
                                          where[k]);
        make_directory(&w);
        assert_int_equal(copy(f, select, ddl, (DuckCopyOptions){0}, &w), DUCK_COPY_AGAIN);
        remove_directory(&w);
        make_directory(&w);
        copy_ok(f, select, ddl, (DuckCopyOptions){.plain = true}, &w);
        check(f,
              arena_printf(f->arena, "SELECT string_agg(d::VARCHAR || ' ' || f::VARCHAR || ' ' || l[2]::VARCHAR || ' ' || (m['k']).x::VARCHAR, ', ') FROM '%s'",
                           w.files[0].local_path),
              arena_printf(f->arena, "0.0 0.0 0.0 0.0, %s0.0 %s0.0 %s0.0 %s0.0", k == 0 ? "-" : "", k == 1 ? "-" : "", k == 2 ? "-" : "",
                           k == 3 ? "-" : ""));
        remove_directory(&w);
    }
    Written w;
    make_directory(&w);
    copy_ok(f, "SELECT 0.0::DOUBLE c1, NULL::FLOAT c2, []::DOUBLE[] c3, NULL::MAP(VARCHAR, STRUCT(x FLOAT)) c4", ddl, (DuckCopyOptions){0}, &w);
    remove_directory(&w);
}

/* ---- an input that several threads read ---- */

enum { LARGE_CHUNKS = 150 };

typedef struct Large {
    const Type **types;
    int next; /* chunk */
} Large;

/* Numbers from 0 up, as a BIGINT and as a DOUBLE that is NaN in the first row of all. */
static int large_next(void *self, Chunk **out, SiltErr *err)
{
    Large *large = self;
    int at = __atomic_fetch_add(&large->next, 1, __ATOMIC_RELAXED);
    (void)err;
    *out = NULL;
    if (at >= LARGE_CHUNKS)
        return 0;
    *out = chunk_new(large->types, 2);
    for (int row = 0; row < CHUNK_ROWS_MAX; row++) {
        int64_t number = (int64_t)at * CHUNK_ROWS_MAX + row;
        ((int64_t *)chunk_column_mut(*out, 0)->data)[row] = number;
        ((double *)chunk_column_mut(*out, 1)->data)[row] = number ? (double)number : __builtin_nan("");
    }
    chunk_seal(*out, CHUNK_ROWS_MAX);
    return 0;
}

static void a_large_input_is_copied_by_several_threads_whole(void **state)
{
    Fixture *f = *state;
    Written w;
    SiltErr err;
    int count;
    const int64_t rows = (int64_t)LARGE_CHUNKS * CHUNK_ROWS_MAX;
    Large large = {.types = column_types(f->arena, "n BIGINT, d DOUBLE", &count)};
    ChunkReader reader = {.self = &large, .next = large_next, .parallel = true, .rows_estimate = rows};
    assert_int_equal(duck_session_bind_input(f->session, 0, large.types, 2, &err), 0);
    duck_session_set_reader(f->session, 0, &reader);
    make_directory(&w);
    copy_ok(f, "SELECT c1, c2 FROM silt_input(0)", "n BIGINT, d DOUBLE", (DuckCopyOptions){0}, &w);
    assert_int_equal(w.count, 1);
    assert_int_equal(w.rows, rows);
    char last[32];
    snprintf(last, sizeof last, "%lld", (long long)rows - 1);
    check_bounds(&w.files[0], "n", "0", last, 0);
    check_bounds(&w.files[0], "d", NULL, NULL, 0); /* a NaN in whichever row group */
    char sql[512];
    snprintf(sql, sizeof sql, "SELECT count(DISTINCT n) || ' ' || sum(n) || ' ' || sum(CASE WHEN isnan(d) THEN 0 ELSE d END)::BIGINT FROM '%s'",
             w.files[0].local_path);
    char expected[128];
    snprintf(expected, sizeof expected, "%lld %lld %lld", (long long)rows, (long long)(rows * (rows - 1) / 2), (long long)(rows * (rows - 1) / 2));
    assert_string_equal(ask(f, sql, &err), expected);
    /* all others keep their order */
    assert_string_equal(ask(f, "SELECT current_setting('preserve_insertion_order')::VARCHAR", &err), "true");
    remove_directory(&w);
}

/* ---- an input that is waited for ---- */

static int64_t cpu_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

static int64_t spent_us; /* by all threads, while the input was waited for */

/* Comes after 25 ms. */
static int slow_next(void *self, Chunk **out, SiltErr *err)
{
    int64_t before = cpu_us();
    nanosleep(&(struct timespec){.tv_nsec = 25 * 1000000}, NULL);
    spent_us += cpu_us() - before;
    return large_next(self, out, err);
}

/* Whichever of the two threads has the input, the other one has nothing to do. */
static void who_has_nothing_to_do_sleeps(void **state)
{
    Fixture *f = *state;
    Written w;
    SiltErr err;
    int count;
    Large large = {.types = column_types(f->arena, "n BIGINT, d DOUBLE", &count)};
    for (int turn = 0; turn < 16; turn++) {
        ChunkReader reader = {.self = &large, .next = slow_next, .rows_estimate = -1};
        large.next = LARGE_CHUNKS - 1;
        assert_int_equal(duck_session_bind_input(f->session, 0, large.types, 2, &err), 0);
        duck_session_set_reader(f->session, 0, &reader);
        make_directory(&w);
        copy_ok(f, "SELECT c1, c2 FROM silt_input(0)", "n BIGINT, d DOUBLE", (DuckCopyOptions){0}, &w);
        assert_int_equal(w.rows, CHUNK_ROWS_MAX);
        remove_directory(&w);
    }
    assert_true(spent_us < 50000); /* of 800,000 */
}

/* DuckDB takes a path for a pattern, and would read the file that it matches. */
static void a_file_whose_name_is_a_pattern_is_itself(void **state)
{
    Fixture *f = *state;
    Written w;
    const Type *schema;
    make_directory(&w);
    const char *odd = arena_printf(f->arena, "%s/a[1].parquet", w.directory);
    copy_ok(f, "SELECT 1 c1", "odd INT", (DuckCopyOptions){0}, &w);
    assert_int_equal(rename(w.files[0].local_path, odd), 0);
    copy_ok(f, "SELECT 1 c1", "plain INT", (DuckCopyOptions){0}, &w);
    assert_int_equal(rename(w.files[0].local_path, arena_printf(f->arena, "%s/a1.parquet", w.directory)), 0);
    assert_int_equal(duck_session_parquet_schema(f->session, f->arena, odd, &schema, &w.err), 0);
    assert_string_equal(type_text(f->arena, schema), "struct<odd:int>");
    remove_directory(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(every_type_is_written_with_its_real_name_and_bounds),
        FIXTURE_TEST(a_variant_has_a_null_count_and_no_bounds),
        FIXTURE_TEST(no_rows_make_no_file),
        FIXTURE_TEST(partition_values_are_those_of_a_delta_log),
        FIXTURE_TEST(a_nan_never_hides_behind_bounds),
        FIXTURE_TEST(bounds_of_floating_point_are_trusted_in_one_row_group),
        FIXTURE_TEST(a_negative_zero_stays_one),
        FIXTURE_TEST(a_large_input_is_copied_by_several_threads_whole),
        FIXTURE_TEST(who_has_nothing_to_do_sleeps),
        FIXTURE_TEST(large_results_are_cut_into_files),
        FIXTURE_TEST(field_ids_are_written),
        FIXTURE_TEST(what_cannot_be_written_is_refused_by_name),
        FIXTURE_TEST(a_schema_is_read_anew_each_time),
        FIXTURE_TEST(a_file_whose_name_is_a_pattern_is_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
