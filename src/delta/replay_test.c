/* delta/replay_test.c - logs made by hand, checkpoints that are stale, torn or incomplete, and what is refused */
#include "delta/delta_test.h"

#include <fcntl.h>
#include <sys/stat.h>

#define PROTOCOL "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}\n"
#define METADATA                                                                                                                           \
    "{\"metaData\":{\"id\":\"m1\",\"format\":{\"provider\":\"parquet\",\"options\":{}},\"schemaString\":\"{\\\"type\\\":\\\"struct\\\","   \
    "\\\"fields\\\":[{"                                                                                                                    \
    "\\\"name\\\":\\\"id\\\",\\\"type\\\":\\\"long\\\",\\\"nullable\\\":true,\\\"metadata\\\":{\\\"k\\\":1}}]}\",\"partitionColumns\":[]," \
    "\"configuration\":{},"                                                                                                                \
    "\"createdTime\":5}}\n"

static const char *commit_path(World *w, int version)
{
    return arena_printf(w->arena, "/t/_delta_log/%020d.json", version);
}

static const char *add(World *w, const char *path)
{
    return arena_printf(w->arena,
                        "{\"add\":{\"path\":\"%s\",\"partitionValues\":{},\"size\":7,\"modificationTime\":1,\"dataChange\":true}}\n", path);
}

static const char *removed(World *w, const char *path)
{
    return arena_printf(w->arena, "{\"remove\":{\"path\":\"%s\",\"deletionTimestamp\":1,\"dataChange\":true}}\n", path);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of the live files, sorted. */
static const char *live(World *w, const DeltaSnapshot *snapshot)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    const DeltaFile *const *files;
    const char *names[64];
    int64_t count;
    SiltErr err;
    OK(delta_snapshot_files(snapshot, &files, &count, &err));
    assert_in_range(count, 0, 64);
    for (int64_t i = 0; i < count; i++)
        names[i] = files[i]->name;
    qsort(names, (size_t)count, sizeof *names, compare);
    for (int64_t i = 0; i < count; i++)
        str_buf_printf(&text, "%s%s", i ? " " : "", names[i]);
    return arena_strdup(w->arena, str_buf_text(&text));
}

static const char *live_in(World *w, const char *path)
{
    DeltaTable *table = open_table(w, path);
    const char *names = live(w, delta_table_snapshot(table));
    delta_table_free(table);
    return names;
}

static int refresh(World *w, SiltErr *err)
{
    DeltaEnv env = world_env(w);
    DeltaTable *table = delta_table_new(&env, "/t");
    int r = delta_table_refresh(table, err);
    delta_table_free(table);
    return r;
}

static void actions_are_replayed_by_path_and_deletion_vector(void **state)
{
    World *w = *state;
    put(w, commit_path(w, 0), arena_printf(w->arena, PROTOCOL METADATA "%s%s%s", add(w, "a"), add(w, "b%20c"), add(w, "d")));
    put(w, commit_path(w, 1), removed(w, "a"));
    put(w, commit_path(w, 2),
        "{\"remove\":{\"path\":\"d\",\"dataChange\":true}}\n{\"add\":{\"path\":\"d\",\"partitionValues\":{},\"size\":7,"
        "\"modificationTime\":1,"
        "\"dataChange\":true,\"deletionVector\":{\"storageType\":\"u\",\"pathOrInlineDv\":\"x\",\"offset\":1,\"sizeInBytes\":4,"
        "\"cardinality\":1}}}\n");
    put(w, commit_path(w, 3), arena_printf(w->arena, "%s{\"later\":{\"x\":1}}\n\n%s", removed(w, "never there"), add(w, "a")));
    assert_string_equal(live_in(w, "/t"), "a b c d");

    DeltaTable *table = open_table(w, "/t");
    const DeltaSnapshot *old;
    SiltErr err;
    OK(delta_table_at_version(table, 1, &old, &err));
    assert_string_equal(live(w, old), "b c d");
    delta_snapshot_unref(old);
    const DeltaSnapshot *newest = delta_table_snapshot(table);
    assert_string_equal(newest->metadata->id, "m1");
    assert_int_equal(newest->metadata->created_ms, 5);
    assert_string_equal(newest->metadata->schema->fields[0].metadata_json, "{\"k\":1}");
    assert_string_equal(live(w, newest), "a b c d");
    assert_int_equal(newest->version, 3);
    delta_table_free(table);
}

static void one_file_has_one_name_however_it_is_spelled(void **state)
{
    World *w = *state;
    put(w, commit_path(w, 0), arena_printf(w->arena, PROTOCOL METADATA "%s%s%s", add(w, "/far/x"), add(w, "file:///t/y%20z"), add(w, "q")));
    put(w, commit_path(w, 1), arena_printf(w->arena, "%s%s", removed(w, "file:/far/x"), removed(w, "y%20z")));
    assert_string_equal(live_in(w, "/t"), "q");
}

static void an_open_table_reads_only_what_is_new(void **state)
{
    World *w = *state;
    SiltErr err;
    put(w, commit_path(w, 0), arena_printf(w->arena, PROTOCOL METADATA "%s", add(w, "a")));
    DeltaTable *table = open_table(w, "/t");
    assert_string_equal(live(w, delta_table_snapshot(table)), "a");
    const DeltaSnapshot *before = delta_snapshot_ref(delta_table_snapshot(table));
    put(w, commit_path(w, 0), "gone"); /* would be noticed if it were read again */
    put(w, commit_path(w, 1), arena_printf(w->arena, "%s%s{\"txn\":{\"appId\":\"q\",\"version\":4}}\n", removed(w, "a"), add(w, "b")));
    OK(delta_table_refresh(table, &err));
    assert_string_equal(live(w, delta_table_snapshot(table)), "b");
    assert_int_equal(delta_snapshot_txn(delta_table_snapshot(table), "q"), 4);
    assert_string_equal(live(w, before), "a");
    assert_int_equal(delta_snapshot_txn(before, "q"), -1);
    delta_snapshot_unref(before);
    delta_table_free(table);
}

static void a_gap_is_an_error(void **state)
{
    World *w = *state;
    SiltErr err;
    put(w, commit_path(w, 0), PROTOCOL METADATA);
    put(w, commit_path(w, 2), add(w, "a"));
    assert_int_equal(refresh(w, &err), -1);
    assert_int_equal(err.kind, SILT_CORRUPT);
    assert_string_equal(err.code, "DELTA_VERSIONS_NOT_CONTIGUOUS");
    assert_non_null(strstr(err.message, "version 1 is missing"));
}

static void a_log_without_protocol_or_metadata_is_refused_by_name(void **state)
{
    World *w = *state;
    SiltErr err;
    put(w, commit_path(w, 0), METADATA);
    assert_int_equal(refresh(w, &err), -1);
    assert_non_null(strstr(err.message, "no protocol action"));
    put(w, commit_path(w, 0), PROTOCOL);
    assert_int_equal(refresh(w, &err), -1);
    assert_non_null(strstr(err.message, "no metaData action"));
}

static void an_empty_or_torn_commit_is_an_error_that_names_it(void **state)
{
    World *w = *state;
    SiltErr err;
    static const char *const contents[] = {"", "\n", "{\"commitInfo\":{\"timestamp\":1790000000000,\"operation\":\"WRI", "[1]\n"};
    put(w, commit_path(w, 0), PROTOCOL METADATA);
    put(w, commit_path(w, 1), add(w, "a"));
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        put(w, commit_path(w, 2), contents[i]);
        assert_int_equal(refresh(w, &err), -1);
        assert_int_equal(err.kind, SILT_CORRUPT);
        assert_non_null(strstr(err.message, "commit 2 (/t/_delta_log/00000000000000000002.json)"));
        assert_non_null(strstr(err.hint, "version"));

        DeltaEnv env = world_env(w);
        DeltaTable *table = delta_table_new(&env, "/t");
        const DeltaSnapshot *old;
        OK(delta_table_at_version(table, 1, &old, &err));
        assert_string_equal(live(w, old), "a");
        delta_snapshot_unref(old);
        delta_table_free(table);
    }
}

static void unknown_features_are_refused_by_name(void **state)
{
    World *w = *state;
    SiltErr err;
    static const struct {
        const char *protocol;
        bool reads;
        const char *named;
    } cases[] = {
        {"\"minReaderVersion\":3,\"minWriterVersion\":7,\"readerFeatures\":[\"timeTravelMachine\"],\"writerFeatures\":["
         "\"timeTravelMachine\"]",
         false, "timeTravelMachine"},
        {"\"minReaderVersion\":4,\"minWriterVersion\":7", false, "minReaderVersion 4"},
        {"\"minReaderVersion\":4294967297,\"minWriterVersion\":7", false, "minReaderVersion 2147483647"}, /* not 1 */
        {"\"minReaderVersion\":1,\"minWriterVersion\":7,\"writerFeatures\":[\"appendOnly\",\"newWriterThing\"]", true, "newWriterThing"},
        {"\"minReaderVersion\":1,\"minWriterVersion\":8", true, "minWriterVersion 8"},
        {"\"minReaderVersion\":3,\"minWriterVersion\":7,\"readerFeatures\":[\"catalogManaged\"],\"writerFeatures\":[\"catalogManaged\"]",
         false, "catalogManaged"},
        {"\"minReaderVersion\":1,\"minWriterVersion\":7,\"writerFeatures\":[\"rowTracking\",\"domainMetadata\"]", true, "rowTracking"},
        {"\"minReaderVersion\":3,\"minWriterVersion\":7,\"readerFeatures\":[\"timestampNtz\"],\"writerFeatures\":[\"timestampNtz\"]", true,
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(w, commit_path(w, 0), arena_printf(w->arena, "{\"protocol\":{%s}}\n" METADATA, cases[i].protocol));
        err.message[0] = 0;
        assert_int_equal(refresh(w, &err), cases[i].reads ? 0 : -1);
        if (cases[i].reads) {
            DeltaTable *table = open_table(w, "/t");
            DeltaTxn *txn = NULL;
            assert_int_equal(delta_txn_begin(table, &txn, &err), cases[i].named ? -1 : 0);
            delta_txn_free(txn);
            delta_table_free(table);
        }
        if (cases[i].named) {
            assert_int_equal(err.kind, SILT_CONFIG);
            assert_non_null(strstr(err.message, cases[i].named));
        }
    }
}

static void a_column_of_a_struct_without_fields_is_refused_by_name(void **state)
{
    World *w = *state;
    SiltErr err;
    put(w, commit_path(w, 0),
        PROTOCOL "{\"metaData\":{\"id\":\"m1\",\"format\":{\"provider\":\"parquet\",\"options\":{}},\"schemaString\":\"{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[{"
                 "\\\"name\\\":\\\"odd\\\",\\\"type\\\":{\\\"type\\\":\\\"array\\\",\\\"elementType\\\":{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[]},\\\"containsNull\\\":true},"
                 "\\\"nullable\\\":true,\\\"metadata\\\":{}}]}\",\"partitionColumns\":[],\"configuration\":{}}}\n");
    assert_int_equal(refresh(w, &err), -1);
    assert_int_equal(err.kind, SILT_CONFIG);
    assert_non_null(strstr(err.message, "column \"odd\" of the table has a struct without fields"));
}

/* ---- checkpoints ---- */

/* A table with 25 versions, one row each, and checkpoints at 10 and 20. */
static void make_long_table(World *w)
{
    SiltErr err;
    int64_t version;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT, p STRING", .partition_by = {"p"}});
    for (int i = 1; i <= 25; i++)
        OK(append_as(w, table, arena_printf(w->arena, "SELECT %d::BIGINT AS c1, 'p%d' AS c2", i, i % 3), "q", i, &version, &err));
    delta_table_free(table);
}

static void check_long_table(World *w, int warnings)
{
    w->warnings = 0;
    DeltaTable *table = open_table(w, "/t");
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    assert_int_equal(snapshot->version, 25);
    assert_int_equal(delta_snapshot_txn(snapshot, "q"), 25);
    assert_string_equal(ask_table(w, table, "count(*) || ' ' || sum(c1) || ' ' || count(DISTINCT c2)"), "25 325 3");
    if (w->warnings != warnings)
        fail_msg("%d warnings, expected %d; the last: %s", w->warnings, warnings, w->last_warning);
    delta_table_free(table);
}

static void the_hint_is_only_a_hint(void **state)
{
    World *w = *state;
    SiltErr err;
    static const char *const hints[] = {"{\"version\":10,\"size\":13}", "{\"version\":7,\"size\":13}", "{\"version\":99,\"size\":13}",
                                        "garbage {", ""};
    make_long_table(w);
    assert_int_equal(w->warnings, 0);
    assert_non_null(get(w, "/t/_delta_log/00000000000000000020.checkpoint.parquet"));
    assert_memory_equal(get(w, "/t/_delta_log/_last_checkpoint"), "{\"version\":20,\"size\":23,",
                        24); /* protocol, metaData, txn, 20 adds */
    check_long_table(w, 0);
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        put(w, "/t/_delta_log/_last_checkpoint", hints[i]);
        check_long_table(w, 0);
    }
    OK(io_delete(w->io, "/t/_delta_log/_last_checkpoint", &err));
    check_long_table(w, 0);
}

static void a_checkpoint_replaces_the_commits_before_it(void **state)
{
    World *w = *state;
    SiltErr err;
    make_long_table(w);
    for (int i = 0; i < 20; i++)
        OK(io_delete(w->io, commit_path(w, i), &err));
    check_long_table(w, 0);
}

static void a_broken_checkpoint_is_passed_over_with_a_warning(void **state)
{
    World *w = *state;
    Str bytes;
    SiltErr err;
    make_long_table(w);
    OK(io_read(w->io, "/t/_delta_log/00000000000000000020.checkpoint.parquet", w->arena, &bytes, &err));
    bytes.size /= 2;
    OK(io_put(w->io, "/t/_delta_log/00000000000000000020.checkpoint.parquet", bytes, &err));
    check_long_table(w, 1); /* for the files; the head stands in the checksum */
    OK(io_delete(w->io, "/t/_delta_log/00000000000000000020.crc", &err));
    check_long_table(w, 2);
    OK(io_delete(w->io, "/t/_delta_log/00000000000000000010.crc", &err));
    check_long_table(w, 2); /* one for the head, one for the files */
    OK(io_put(w->io, "/t/_delta_log/00000000000000000010.checkpoint.parquet", STR("nothing"), &err));
    check_long_table(w, 4);
}

static void a_checksum_of_another_writer_is_not_believed(void **state)
{
    World *w = *state;
    SiltErr err;
    make_long_table(w);
    const char *path = "/t/_delta_log/00000000000000000020.crc", *text = get(w, path);
    assert_non_null(strstr(text, "\"numFiles\":20,"));
    char *wrong = arena_strdup(w->arena, text);
    memcpy(strstr(wrong, "{\"appId\":\"q\""), "{\"appId\":\"r\"", 12);
    OK(io_put(w->io, path, str_of(wrong), &err));
    DeltaTable *table = open_table(w, "/t");
    assert_int_equal(delta_snapshot_txn(delta_table_snapshot(table), "r"), 20); /* ours is the shortcut that it should be */
    delta_table_free(table);
    memcpy(strstr(wrong, "Silt/"), "Salt/", 5);
    OK(io_put(w->io, path, str_of(wrong), &err));
    table = open_table(w, "/t");
    assert_int_equal(delta_snapshot_txn(delta_table_snapshot(table), "r"), -1);
    delta_table_free(table);
    OK(io_put(w->io, path, STR("{\"torn"), &err));
    check_long_table(w, 0);
}

static void a_multi_part_checkpoint_counts_only_when_it_is_complete(void **state)
{
    World *w = *state;
    Str bytes;
    SiltErr err;
    make_long_table(w);
    OK(io_read(w->io, "/t/_delta_log/00000000000000000020.checkpoint.parquet", w->arena, &bytes, &err));
    /* part 2 of 2 would hide that part 1 is missing: all files would be there, but the reader cannot know */
    OK(io_put(w->io, "/t/_delta_log/00000000000000000024.checkpoint.0000000002.0000000002.parquet", bytes, &err));
    check_long_table(w, 0);
    for (int i = 0; i <= 20; i++)
        OK(io_delete(w->io, commit_path(w, i), &err));
    OK(io_delete(w->io, "/t/_delta_log/00000000000000000020.checkpoint.parquet", &err));
    OK(io_delete(w->io, "/t/_delta_log/00000000000000000010.checkpoint.parquet", &err));
    assert_int_equal(refresh(w, &err), -1);
    assert_int_equal(err.kind, SILT_CORRUPT);
}

static void a_checkpoint_of_a_checkpoint_keeps_what_lives_and_forgets_what_died(void **state)
{
    World *w = *state;
    SiltErr err;
    int64_t version;
    w->checkpoint_interval = 2;
    DeltaTable *table =
        create_table(w, "/t", &(Create){.columns = "id BIGINT", .properties = {{"delta.deletedFileRetentionDuration", "interval 1 week"}}});
    append(w, table, "SELECT 1::BIGINT AS c1");
    append(w, table, "SELECT 2::BIGINT AS c1");
    append(w, table, "SELECT 3::BIGINT AS c1");
    DeltaTxn *txn;
    OK(delta_txn_begin(table, &txn, &err));
    OK(delta_txn_remove_all(txn, &err));
    OK(write_rows(w, txn, "SELECT 4::BIGINT AS c1", &err));
    OK(delta_txn_commit(txn, &version, &err));
    delta_txn_free(txn);
    append(w, table, "SELECT 5::BIGINT AS c1");
    assert_int_equal(append(w, table, "SELECT 6::BIGINT AS c1"), 6);
    assert_int_equal(w->warnings, 0);
    /* protocol, metaData, 3 live, 3 tombstones */
    assert_memory_equal(get(w, "/t/_delta_log/_last_checkpoint"), "{\"version\":6,\"size\":8,", 22);
    for (int i = 0; i <= 6; i++)
        OK(io_delete(w->io, commit_path(w, i), &err));
    delta_table_free(table);
    table = open_table(w, "/t");
    assert_string_equal(ask_table(w, table, "string_agg(c1::VARCHAR, ' ' ORDER BY c1)"), "4 5 6");
    delta_table_free(table);
}

static void a_checkpoint_that_cannot_be_written_fails_no_commit(void **state)
{
    World *w = *state;
    SiltErr err;
    w->checkpoint_interval = 1;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    OK(io_make_directory(w->io, "/t/_delta_log/00000000000000000001.checkpoint.parquet", &err));
    assert_int_equal(append(w, table, "SELECT 1::BIGINT AS c1"), 1);
    assert_int_equal(w->warnings, 1);
    assert_non_null(strstr(w->last_warning, "checkpoint of version 1"));
    delta_table_free(table);
}

static bool has_checkpoint(World *w, int version)
{
    IoStat stat;
    SiltErr err;

    return io_stat(w->io, arena_printf(w->arena, "/t/_delta_log/%020d.checkpoint.parquet", version), &stat, &err) == 0;
}

/* A handle starts from the checkpoint that it has written last, unless that or the commits behind it are no more: then from what the listing shows. */
static void a_checkpoint_starts_from_one_that_is_still_there(void **state)
{
    World *w = *state;
    Str bytes;
    SiltErr err;
    w->checkpoint_interval = 4;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    for (int i = 1; i <= 5; i++)
        append(w, table, arena_printf(w->arena, "SELECT %d::BIGINT AS c1", i));
    OK(io_read(w->io, "/t/_delta_log/00000000000000000004.checkpoint.parquet", w->arena, &bytes, &err));
    OK(io_put(w->io, "/t/_delta_log/00000000000000000004.checkpoint.parquet", STR("nothing"), &err));
    for (int i = 6; i <= 8; i++)
        append(w, table, arena_printf(w->arena, "SELECT %d::BIGINT AS c1", i));
    assert_int_equal(w->warnings, 0);
    assert_true(has_checkpoint(w, 8));

    w->checkpoint_interval = 3; /* another process, which writes one at 9 and cleans away what is before */
    DeltaTable *other = open_table(w, "/t");
    append(w, other, "SELECT 9::BIGINT AS c1");
    delta_table_free(other);
    for (int i = 0; i < 9; i++)
        OK(io_delete(w->io, commit_path(w, i), &err));
    OK(io_delete(w->io, "/t/_delta_log/00000000000000000004.checkpoint.parquet", &err));
    OK(delta_table_refresh(table, &err));
    for (int i = 10; i <= 12; i++)
        append(w, table, arena_printf(w->arena, "SELECT %d::BIGINT AS c1", i));
    delta_table_free(table);
    assert_int_equal(w->warnings, 0);
    assert_true(has_checkpoint(w, 12));
    for (int i = 9; i <= 12; i++)
        OK(io_delete(w->io, commit_path(w, i), &err));
    table = open_table(w, "/t");
    assert_string_equal(ask_table(w, table, "count(*) || ' ' || sum(c1)"), "12 78");
    delta_table_free(table);
}

/* Where the table does not say how often. */
static void the_larger_a_checkpoint_the_rarer(void **state)
{
    World *w = *state;
    SiltErr err;
    int64_t version;
    silt_auto(str_buf_fini) StrBuf many = {0};
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    for (int i = 0; i < 1100; i++)
        str_buf_puts(&many, add(w, arena_printf(w->arena, "f%d.parquet", i)));
    put(w, commit_path(w, 1), str_buf_text(&many));
    OK(delta_table_refresh(table, &err));
    for (int i = 2; i <= 40; i++)
        OK(append_as(w, table, "SELECT 1::BIGINT AS c1", "q", i, &version, &err));
    assert_int_equal(w->warnings, 0);
    assert_true(has_checkpoint(w, 10) && has_checkpoint(w, 20) && !has_checkpoint(w, 30) && has_checkpoint(w, 40));
    delta_table_free(table);
}

/* ---- data files of other writers ---- */

static void times_without_a_zone_are_utc_in_any_session_zone(void **state)
{
    World *w = *state;
    SiltErr err;
    DeltaTable *table = create_table(
        w, "/t",
        &(Create){.columns =
                      "id INT, t TIMESTAMP_NTZ, l ARRAY<TIMESTAMP_NTZ>, s STRUCT<a: TIMESTAMP_NTZ, b: INT>, m MAP<STRING, TIMESTAMP_NTZ>"});
    append(w, table,
           "SELECT 1 AS c1, x AS c2, [x, NULL] AS c3, {'a': x, 'b': 2} AS c4, MAP {'k': x} AS c5 FROM (SELECT TIMESTAMP '2026-03-08 "
           "02:30:00' AS x)"
           " UNION ALL SELECT 2, NULL, NULL, NULL, NULL");
    delta_table_free(table);
    /* the same files under a schema of instants, as writers do that do not mark their times as UTC */
    silt_auto(str_buf_fini) StrBuf log = {0};
    for (const char *p = get(w, commit_path(w, 0)); *p; p++) {
        if (strncmp(p, "timestamp_ntz", 13) == 0) {
            str_buf_puts(&log, "timestamp");
            p += 12;
        } else {
            str_buf_putc(&log, *p);
        }
    }
    put(w, commit_path(w, 0), str_buf_text(&log));
    OK(duck_session_set_time_zone(w->session, "America/New_York", &err)); /* where 02:30 did not exist on that day */
    table = open_table(w, "/t");
    assert_int_equal(delta_table_snapshot(table)->metadata->schema->fields[1].type->kind, TYPE_TIMESTAMP);
    assert_string_equal(ask_table(w, table,
                                  "CASE WHEN c1 = 1 THEN epoch_us(c2) || ' ' || epoch_us(c3[1]) || ' ' || len(c3) || ' ' || epoch_us(c4.a) "
                                  "|| ' ' || c4.b || ' ' ||"
                                  " epoch_us(c5['k']) ELSE coalesce(c2::VARCHAR, c3::VARCHAR, c4::VARCHAR, c5::VARCHAR, 'all null') END"),
                        "1772937000000000 1772937000000000 2 1772937000000000 2 1772937000000000\nall null");
    delta_table_free(table);
}

static void a_data_file_that_is_gone_or_cut_is_an_error_that_names_it(void **state)
{
    World *w = *state;
    SiltErr err;
    StrBuf sql = {0};
    const DeltaFile *const *files;
    int64_t count;
    const int columns[] = {0};
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "t TIMESTAMP"});
    append(w, table, "SELECT TIMESTAMPTZ '2026-01-01 00:00:00Z' AS c1");
    OK(delta_snapshot_files(delta_table_snapshot(table), &files, &count, &err));
    const char *path = delta_file_path(w->arena, table, files[0]);
    put(w, path, "PAR1 cut off PAR1");
    assert_int_equal(delta_scan_sql(delta_table_snapshot(table), files, count, columns, 1, &sql, &err), -1);
    assert_int_equal(err.kind, SILT_CORRUPT);
    assert_non_null(strstr(err.message, path));
    OK(io_delete(w->io, path, &err));
    assert_int_equal(delta_scan_sql(delta_table_snapshot(table), files, count, columns, 1, &sql, &err), -1);
    assert_non_null(strstr(err.message, path));
    assert_int_equal(sql.size, 0);
    str_buf_fini(&sql);
    delta_table_free(table);
}

/* ---- time travel ---- */

static void set_modified(const char *path, const char *clock)
{
    int hour, minute, second;
    assert_int_equal(sscanf(clock, "%d:%d:%d", &hour, &minute, &second), 3);
    struct timespec times[2] = {{1767225600 + hour * 3600 + minute * 60 + second, 0}, {1767225600 + hour * 3600 + minute * 60 + second, 0}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void times_of_commits_are_made_to_rise(void **state)
{
    World *w = *state;
    SiltErr err;
    static const char *const modified[] = {"10:00:00", "10:05:00", "9:59:00", "10:10:00"};
    static const struct {
        int second_of_day, version; /* -1: an error */
    } asked[] = {{9 * 3600 + 58 * 60, -1}, {36000, 0}, {36000 + 299, 0}, {36300, 1}, {36301, 2}, {36600, 3}, {36660, -1}};
    const char *root = arena_printf(w->arena, "%s/t", w->directory);
    for (int i = 0; i < 4; i++) {
        const char *path = arena_printf(w->arena, "%s/_delta_log/%020d.json", root, i);
        put(w, path, i ? add(w, "a") : PROTOCOL METADATA);
        set_modified(path, modified[i]);
    }
    DeltaTable *table = open_table(w, root);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const DeltaSnapshot *snapshot = NULL;
        int r = delta_table_at_time(table, (1767225600LL + asked[i].second_of_day) * 1000000, &snapshot, &err);
        assert_int_equal(r, asked[i].version < 0 ? -1 : 0);
        if (r == 0)
            assert_int_equal(snapshot->version, asked[i].version);
        delta_snapshot_unref(snapshot);
    }
    delta_table_free(table);
}

static void in_commit_times_count_where_they_are_on(void **state)
{
    World *w = *state;
    SiltErr err;
    DeltaTable *table =
        create_table(w, "/t", &(Create){.columns = "id BIGINT", .properties = {{"delta.enableInCommitTimestamps", "true"}}});
    int64_t times[4] = {delta_table_snapshot(table)->timestamp_ms};
    for (int i = 1; i < 4; i++) {
        append(w, table, "SELECT 1::BIGINT AS c1");
        times[i] = delta_table_snapshot(table)->timestamp_ms;
        assert_true(times[i] > times[i - 1]);
    }
    const char *log = get(w, commit_path(w, 2));
    assert_memory_equal(log, "{\"commitInfo\":{\"inCommitTimestamp\":", 35);
    const DeltaSnapshot *snapshot;
    OK(delta_table_at_time(table, times[2] * 1000, &snapshot, &err));
    assert_int_equal(snapshot->version, 2);
    assert_int_equal(snapshot->timestamp_ms, times[2]);
    delta_snapshot_unref(snapshot);
    delta_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MEMORY_TEST(actions_are_replayed_by_path_and_deletion_vector),
        MEMORY_TEST(one_file_has_one_name_however_it_is_spelled),
        MEMORY_TEST(an_open_table_reads_only_what_is_new),
        MEMORY_TEST(a_gap_is_an_error),
        MEMORY_TEST(a_log_without_protocol_or_metadata_is_refused_by_name),
        MEMORY_TEST(an_empty_or_torn_commit_is_an_error_that_names_it),
        MEMORY_TEST(unknown_features_are_refused_by_name),
        MEMORY_TEST(a_column_of_a_struct_without_fields_is_refused_by_name),
        MEMORY_TEST(the_hint_is_only_a_hint),
        MEMORY_TEST(a_checkpoint_replaces_the_commits_before_it),
        MEMORY_TEST(a_broken_checkpoint_is_passed_over_with_a_warning),
        MEMORY_TEST(a_checksum_of_another_writer_is_not_believed),
        MEMORY_TEST(a_multi_part_checkpoint_counts_only_when_it_is_complete),
        MEMORY_TEST(a_checkpoint_of_a_checkpoint_keeps_what_lives_and_forgets_what_died),
        MEMORY_TEST(a_checkpoint_that_cannot_be_written_fails_no_commit),
        MEMORY_TEST(a_checkpoint_starts_from_one_that_is_still_there),
        MEMORY_TEST(the_larger_a_checkpoint_the_rarer),
        MEMORY_TEST(times_without_a_zone_are_utc_in_any_session_zone),
        MEMORY_TEST(a_data_file_that_is_gone_or_cut_is_an_error_that_names_it),
        LOCAL_TEST(times_of_commits_are_made_to_rise),
        MEMORY_TEST(in_commit_times_count_where_they_are_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
