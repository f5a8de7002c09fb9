/* delta/txn_test.c - tables made, written and read again */
#include "delta/delta_test.h"

#include <pthread.h>

static void a_new_table_is_there_with_version_0(void **state)
{
    World *w = *state;
    SiltErr err;
    DeltaEnv env = world_env(w);
    DeltaTable *table = delta_table_new(&env, "/t");
    assert_int_equal(delta_table_refresh(table, &err), DELTA_ABSENT);
    delta_table_free(table);

    delta_table_free(create_table(w, "/t", &(Create){.columns = "id BIGINT NOT NULL, s STRING COMMENT 'words'"}));
    table = open_table(w, "/t");
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    assert_int_equal(snapshot->version, 0);
    assert_int_equal(snapshot->protocol->min_reader, 1);
    assert_int_equal(snapshot->protocol->min_writer, 2);
    assert_int_equal(snapshot->metadata->schema->field_count, 2);
    assert_false(snapshot->metadata->schema->fields[0].nullable);
    assert_string_equal(snapshot->metadata->schema->fields[1].comment, "words");
    assert_string_equal(ask_table(w, table, "c1"), "");
    delta_table_free(table);
}

static void rows_that_are_appended_are_read_by_another_handle(void **state)
{
    World *w = *state;
    SiltErr err;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT, s STRING"});
    DeltaTable *other = open_table(w, "/t");
    assert_int_equal(append(w, table, "SELECT 1::BIGINT AS c1, 'a' AS c2 UNION ALL SELECT 2, NULL"), 1);
    assert_string_equal(ask_table(w, table, "string_agg(c1 || coalesce(c2, '-'), ' ' ORDER BY c1)"), "1a 2-");
    assert_string_equal(ask_table(w, other, "count(*)"), "0");
    OK(delta_table_refresh(other, &err));
    assert_int_equal(delta_table_snapshot(other)->version, 1);
    assert_string_equal(ask_table(w, other, "count(*)"), "2");
    delta_table_free(other);
    delta_table_free(table);
}

static void partition_values_come_back_as_they_were(void **state)
{
    World *w = *state;
    DeltaTable *table =
        create_table(w, "/t", &(Create){.columns = "id BIGINT, p STRING, d DATE, t TIMESTAMP", .partition_by = {"p", "d", "t"}});
    append(w, table,
           "SELECT * FROM (VALUES (1::BIGINT, 'a/b', DATE '2026-01-01', TIMESTAMPTZ '2026-01-01 10:00:00Z'), (2, 'a b', NULL, NULL),"
           " (3, '50%', NULL, TIMESTAMPTZ '1969-12-31 23:59:59.123456Z'), (4, 'x=y', NULL, NULL), (5, 'ete', NULL, NULL), (6, 'a:b', NULL, "
           "NULL),"
           " (7, 'a%2Fb', NULL, NULL), (8, '/end/', NULL, NULL), (9, '..', NULL, NULL), (10, NULL, NULL, NULL), (11, '', NULL, NULL),"
           " (12, '\xc3\xa9t\xc3\xa9', NULL, NULL), (13, '[*?]', NULL, NULL), (14, '\xf0\x9f\x98\x80''\"', NULL, NULL)) t(c1, c2, c3, c4)");
    DeltaTable *again = open_table(w, "/t");
    assert_string_equal(ask_table(w, again, "string_agg(c1 || '=' || coalesce(c2, 'NULL'), ' ' ORDER BY c1)"),
                        "1=a/b 2=a b 3=50% 4=x=y 5=ete 6=a:b 7=a%2Fb 8=/end/ 9=.. 10=NULL 11=NULL 12=\xc3\xa9t\xc3\xa9 13=[*?] "
                        "14=\xf0\x9f\x98\x80'\"");
    assert_string_equal(ask_table(w, again, "string_agg(epoch_us(c4)::VARCHAR, ' ' ORDER BY c1)"), "1767261600000000 -876544");
    delta_table_free(again);
    delta_table_free(table);
}

static void an_empty_string_and_null_are_one_partition_in_the_log(void **state)
{
    World *w = *state;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT, p STRING", .partition_by = {"P"}});
    append(w, table, "SELECT 1::BIGINT AS c1, '' AS c2 UNION ALL SELECT 2, NULL");
    const char *log = get(w, "/t/_delta_log/00000000000000000001.json");
    assert_null(strstr(log, "\"partitionValues\":{\"p\":\"\"}"));
    assert_non_null(strstr(log, "\"partitionValues\":{\"p\":null}"));
    assert_non_null(strstr(log, "\"path\":\"p=__HIVE_DEFAULT_PARTITION__/part-00000-"));
    delta_table_free(table);
}

static void the_commit_reads_like_spark_s(void **state)
{
    World *w = *state;
    SiltErr err;
    int64_t version;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "k INT, v BIGINT", .partition_by = {"k"}});
    DeltaTxn *txn;
    OK(delta_txn_begin(table, &txn, &err));
    delta_txn_operation(txn, "STREAMING UPDATE");
    delta_txn_parameter(txn, "outputMode", "Append");
    delta_txn_parameter(txn, "queryId", "q");
    delta_txn_parameter(txn, "epochId", "0");
    delta_txn_set_txn(txn, "q", 0);
    delta_txn_read_sources(txn, STR("[{\"files\":[0,3]}]"));
    OK(write_rows(w, txn, "SELECT 7 AS c1, 5::BIGINT AS c2", &err));
    OK(delta_txn_commit(txn, &version, &err));
    delta_txn_free(txn);

    silt_auto(arena_freep) Arena *arena = arena_new();
    const DeltaCommit *commit;
    OK(delta_commit_read(table, 1, arena, &commit, &err));
    assert_string_equal(commit->operation, "STREAMING UPDATE");
    assert_true(commit->is_blind_append);
    assert_int_equal(commit->txn_count, 1);
    assert_int_equal(commit->add_count, 1);
    assert_string_equal(commit->adds[0].stats,
                        "{\"numRecords\":1,\"minValues\":{\"v\":5},\"maxValues\":{\"v\":5},\"nullCount\":{\"v\":0}}");
    assert_memory_equal(commit->adds[0].path, "k=7/part-00000-", 15);
    assert_string_equal(commit->adds[0].path + strlen(commit->adds[0].path) - 20, ".c000.snappy.parquet");
    const char *log = get(w, "/t/_delta_log/00000000000000000001.json");
    assert_memory_equal(log, "{\"commitInfo\":{\"timestamp\":", 27);
    assert_non_null(strstr(
        log, "\"operation\":\"STREAMING UPDATE\",\"operationParameters\":{\"outputMode\":\"Append\",\"queryId\":\"q\",\"epochId\":\"0\"},"
             "\"readVersion\":0,\"isolationLevel\":\"Serializable\",\"isBlindAppend\":true,\"operationMetrics\":{\"numRemovedFiles\":"
             "\"0\",\"numAddedFiles\":\"1\",\"numOutputRows\":\"1\",\"numOutputBytes\":\""));
    assert_non_null(strstr(log, "\"readSources\":[{\"files\":[0,3]}]}}\n{\"txn\":{\"appId\":\"q\",\"version\":0,\"lastUpdated\":"));
    assert_int_equal(delta_snapshot_txn(delta_table_snapshot(table), "q"), 0);
    assert_int_equal(delta_snapshot_txn(delta_table_snapshot(table), "other"), -1);
    delta_table_free(table);
}

static void an_overwrite_replaces_all_rows_and_keeps_the_old_version(void **state)
{
    World *w = *state;
    SiltErr err;
    int64_t version;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    append(w, table, "SELECT range AS c1 FROM range(10)");
    append(w, table, "SELECT range AS c1 FROM range(5)");
    DeltaTxn *txn;
    OK(delta_txn_begin(table, &txn, &err));
    OK(delta_txn_remove_all(txn, &err));
    delta_txn_parameter(txn, "mode", "Overwrite");
    OK(write_rows(w, txn, "SELECT 42::BIGINT AS c1", &err));
    OK(delta_txn_commit(txn, &version, &err));
    delta_txn_free(txn);
    assert_string_equal(ask_table(w, table, "c1"), "42");
    DeltaTable *again = open_table(w, "/t");
    assert_string_equal(ask_table(w, again, "c1"), "42");
    const DeltaSnapshot *old;
    OK(delta_table_at_version(again, 2, &old, &err));
    assert_string_equal(ask(w, old, NULL, 0, "count(*)"), "15");
    delta_snapshot_unref(old);
    assert_int_equal(delta_table_at_version(again, 9, &old, &err), -1);
    assert_string_equal(err.code, "DELTA_VERSION_NOT_FOUND");
    delta_table_free(again);
    delta_table_free(table);
}

static void an_append_only_table_is_not_overwritten(void **state)
{
    World *w = *state;
    SiltErr err;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT", .properties = {{"DELTA.appendonly", "true"}}});
    assert_string_equal(delta_snapshot_property(delta_table_snapshot(table), "delta.appendOnly"), "true");
    append(w, table, "SELECT 1::BIGINT AS c1");
    DeltaTxn *txn;
    OK(delta_txn_begin(table, &txn, &err));
    assert_int_equal(delta_txn_remove_all(txn, &err), -1);
    assert_string_equal(err.code, "DELTA_CANNOT_MODIFY_APPEND_ONLY");
    delta_txn_free(txn);
    delta_table_free(table);
}

static void columns_that_are_added_read_as_null_in_old_files(void **state)
{
    World *w = *state;
    SiltErr err;
    int64_t version;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT, s STRUCT<a INT>"});
    append(w, table, "SELECT 1::BIGINT AS c1, {'a': 1::INTEGER} AS c2");
    DeltaTxn *txn;
    const Type *more = ddl(w, "n INT, l ARRAY<STRUCT<x: INT>>");
    OK(delta_txn_begin(table, &txn, &err));
    OK(delta_txn_add_columns(txn, more->fields, more->field_count, &err));
    OK(write_rows(w, txn, "SELECT 2::BIGINT AS c1, NULL::STRUCT(a INTEGER) AS c2, 5 AS c3, [{'x': 1::INTEGER}] AS c4", &err));
    OK(delta_txn_commit(txn, &version, &err));
    delta_txn_free(txn);
    assert_string_equal(
        ask_table(w, table, "string_agg(c1 || ':' || coalesce(c3::VARCHAR, '-') || coalesce(c4::VARCHAR, '-'), ' ' ORDER BY c1)"),
        "1:-- 2:5[{'x': 1}]");
    TypeField required = {.name = "r", .type = type_simple(TYPE_INT), .nullable = false};
    OK(delta_txn_begin(table, &txn, &err));
    assert_int_equal(delta_txn_add_columns(txn, &required, 1, &err), -1);
    delta_txn_free(txn);
    delta_table_free(table);
}

static void what_delta_refuses_is_refused_before_anything_is_written(void **state)
{
    World *w = *state;
    static const struct {
        Create create;
        const char *code;
    } cases[] = {
        {{.columns = "`a b` INT, c INT"}, "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES"},
        {{.columns = "s STRUCT<`a=b`: INT>"}, "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES"},
        {{.columns = "a INT, b INT", .partition_by = {"z"}}, "DELTA_PARTITION_COLUMN_NOT_FOUND"},
        {{.columns = "a INT", .partition_by = {"a"}}, "DELTA_CANNOT_USE_ALL_COLUMNS_FOR_PARTITION"},
        {{.columns = "a ARRAY<INT>, b INT", .partition_by = {"a"}}, "DELTA_INVALID_PARTITION_COLUMN_TYPE"},
        {{.columns = "a INT, b INT", .properties = {{"delta.appendOnyl", "true"}}}, "DELTA_UNKNOWN_CONFIGURATION"},
        {{.columns = "a INT, i INTERVAL YEAR"}, "DELTA_UNSUPPORTED_DATA_TYPES"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SiltErr err = {0};
        DeltaEnv env = world_env(w);
        DeltaTable *table = delta_table_new(&env, "/refused");
        DeltaMetadata metadata = create_metadata(w, &cases[i].create);
        DeltaTxn *txn;
        OK(delta_txn_begin(table, &txn, &err));
        assert_int_equal(delta_txn_create(txn, &metadata, &err), -1);
        assert_string_equal(err.code, cases[i].code);
        delta_txn_free(txn);
        assert_int_equal(delta_table_refresh(table, &err), DELTA_ABSENT);
        delta_table_free(table);
    }
}

static void null_in_a_not_null_column_is_refused(void **state)
{
    World *w = *state;
    SiltErr err;
    int64_t version;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT NOT NULL, p STRING NOT NULL", .partition_by = {"p"}});
    assert_int_equal(append_as(w, table, "SELECT NULL::BIGINT AS c1, 'x' AS c2", NULL, 0, &version, &err), -1);
    assert_string_equal(err.code, "DELTA_NOT_NULL_CONSTRAINT_VIOLATED");
    assert_int_equal(append_as(w, table, "SELECT 1::BIGINT AS c1, '' AS c2", NULL, 0, &version, &err), -1);
    assert_string_equal(err.code, "DELTA_NOT_NULL_CONSTRAINT_VIOLATED");
    assert_int_equal(append(w, table, "SELECT 1::BIGINT AS c1, 'y' AS c2"), 1);
    delta_table_free(table);
}

/* ---- other writers ---- */

static void a_blind_append_steps_over_another_append(void **state)
{
    World *w = *state;
    DeltaTable *a = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    DeltaTable *b = open_table(w, "/t");
    assert_int_equal(append(w, a, "SELECT 1::BIGINT AS c1"), 1);
    const char *first = get(w, "/t/_delta_log/00000000000000000001.json");
    assert_int_equal(append(w, b, "SELECT 2::BIGINT AS c1"), 2);
    assert_string_equal(get(w, "/t/_delta_log/00000000000000000001.json"), first);
    assert_string_equal(ask_table(w, b, "string_agg(c1::VARCHAR, ' ' ORDER BY c1)"), "1 2");
    delta_table_free(b);
    delta_table_free(a);
}

static void the_same_application_conflicts_with_itself(void **state)
{
    World *w = *state;
    SiltErr err;
    int64_t version;
    DeltaTable *a = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    DeltaTable *b = open_table(w, "/t");
    OK(append_as(w, a, "SELECT 1::BIGINT AS c1", "q", 3, &version, &err));
    assert_int_equal(append_as(w, b, "SELECT 2::BIGINT AS c1", "q", 3, &version, &err), DELTA_CONFLICT);
    assert_string_equal(err.code, "DELTA_CONCURRENT_TRANSACTION");
    OK(delta_table_refresh(b, &err));
    assert_int_equal(delta_snapshot_txn(delta_table_snapshot(b), "q"), 3);
    assert_string_equal(ask_table(w, b, "c1"), "1");
    delta_table_free(b);
    delta_table_free(a);
}

static void an_overwrite_conflicts_with_an_append_that_came_first(void **state)
{
    World *w = *state;
    SiltErr err;
    int64_t version;
    DeltaTable *a = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    append(w, a, "SELECT 1::BIGINT AS c1");
    DeltaTable *b = open_table(w, "/t");
    DeltaTxn *txn;
    OK(delta_txn_begin(b, &txn, &err));
    OK(delta_txn_remove_all(txn, &err));
    append(w, a, "SELECT 2::BIGINT AS c1");
    assert_int_equal(delta_txn_commit(txn, &version, &err), DELTA_CONFLICT);
    assert_string_equal(err.code, "DELTA_CONCURRENT_APPEND");
    delta_txn_free(txn);
    delta_table_free(b);
    delta_table_free(a);
}

static void two_that_make_the_table_are_told_apart(void **state)
{
    World *w = *state;
    SiltErr err;
    int64_t version;
    DeltaEnv env = world_env(w);
    DeltaTable *late = delta_table_new(&env, "/t");
    DeltaMetadata metadata = create_metadata(w, &(Create){.columns = "id BIGINT"});
    DeltaTxn *txn;
    OK(delta_txn_begin(late, &txn, &err));
    OK(delta_txn_create(txn, &metadata, &err));
    delta_table_free(create_table(w, "/t", &(Create){.columns = "id BIGINT"}));
    assert_int_equal(delta_txn_commit(txn, &version, &err), DELTA_CONFLICT);
    delta_txn_free(txn);
    delta_table_free(late);
}

enum { WRITERS = 8, COMMITS = 20 };

struct writer {
    World *w;
    const char *path;
    int number, failures;
    int64_t versions[COMMITS];
};

static void *write_many(void *self)
{
    struct writer *me = self;
    SiltErr err;
    DeltaEnv env = {.io = me->w->io, .checkpoint_interval = -1};
    DeltaTable *table = delta_table_new(&env, me->path);
    if (delta_table_refresh(table, &err) != 0) {
        fprintf(stderr, "writer %d: %s\n", me->number, err.message);
        me->failures++;
    }
    for (int i = 0; i < COMMITS && !me->failures; i++) {
        DeltaTxn *txn;
        char app[32];
        snprintf(app, sizeof app, "writer-%d", me->number);
        if (delta_txn_begin(table, &txn, &err) < 0)
            me->failures++;
        delta_txn_set_txn(txn, app, i);
        if (delta_txn_commit(txn, &me->versions[i], &err) != 0) {
            fprintf(stderr, "writer %d: %s\n", me->number, err.message);
            me->failures++;
        }
        delta_txn_free(txn);
    }
    delta_table_free(table);
    return NULL;
}

static void many_writers_get_each_commit_in_exactly_once(void **state)
{
    World *w = *state;
    SiltErr err;
    struct writer writers[WRITERS];
    pthread_t threads[WRITERS];
    bool seen[WRITERS * COMMITS + 1] = {false};
    char path[80];
    Io *local = io_new_local(), *memory = w->io;

    w->io = local; /* real files, real races */
    snprintf(path, sizeof path, "%s/t", w->directory);
    DeltaTable *table = create_table(w, path, &(Create){.columns = "id BIGINT"});
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){.w = w, .path = path, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, write_many, &writers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(writers[i].failures, 0);
        for (int j = 0; j < COMMITS; j++) {
            assert_in_range(writers[i].versions[j], 1, WRITERS * COMMITS);
            assert_false(seen[writers[i].versions[j]]);
            seen[writers[i].versions[j]] = true;
        }
    }
    OK(delta_table_refresh(table, &err));
    assert_int_equal(delta_table_snapshot(table)->version, WRITERS * COMMITS);
    for (int i = 0; i < WRITERS; i++) {
        char app[32];
        snprintf(app, sizeof app, "writer-%d", i);
        assert_int_equal(delta_snapshot_txn(delta_table_snapshot(table), app), COMMITS - 1);
    }
    delta_table_free(table);
    w->io = memory;
    io_free(local);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MEMORY_TEST(a_new_table_is_there_with_version_0),
        MEMORY_TEST(rows_that_are_appended_are_read_by_another_handle),
        MEMORY_TEST(partition_values_come_back_as_they_were),
        MEMORY_TEST(an_empty_string_and_null_are_one_partition_in_the_log),
        MEMORY_TEST(the_commit_reads_like_spark_s),
        MEMORY_TEST(an_overwrite_replaces_all_rows_and_keeps_the_old_version),
        MEMORY_TEST(an_append_only_table_is_not_overwritten),
        MEMORY_TEST(columns_that_are_added_read_as_null_in_old_files),
        MEMORY_TEST(what_delta_refuses_is_refused_before_anything_is_written),
        MEMORY_TEST(null_in_a_not_null_column_is_refused),
        MEMORY_TEST(a_blind_append_steps_over_another_append),
        MEMORY_TEST(the_same_application_conflicts_with_itself),
        MEMORY_TEST(an_overwrite_conflicts_with_an_append_that_came_first),
        MEMORY_TEST(two_that_make_the_table_are_told_apart),
        MEMORY_TEST(many_writers_get_each_commit_in_exactly_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
