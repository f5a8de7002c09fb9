/* delta/stream_test.c - a table as a streaming source */
#include "delta/delta_test.h"

static const DeltaStreamOptions whole = {.starting_version = -1};

static const char *print(World *w, const DeltaOffset *offset)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    delta_offset_print(&text, offset);
    return arena_strdup(w->arena, str_buf_text(&text));
}

static void offsets_are_spark_s_byte_for_byte(void **state)
{
    World *w = *state;
    static const char *const texts[] = {
        "{\"sourceVersion\":1,\"reservoirId\":\"6574ee5c\",\"reservoirVersion\":3,\"index\":-1,\"isStartingVersion\":false}",
        "{\"sourceVersion\":1,\"reservoirId\":\"6574ee5c\",\"reservoirVersion\":2,\"index\":0,\"isStartingVersion\":true}",
    };
    static const char *const wrong[] = {
        "",
        "-",
        "{}",
        "[1]",
        "{\"sourceVersion\":9,\"reservoirId\":\"x\",\"reservoirVersion\":3,\"index\":-1}",
        "{\"sourceVersion\":3,\"reservoirId\":\"x\",\"reservoirVersion\":3,\"index\":-20,\"isStartingVersion\":false}"};
    DeltaOffset offset;
    SiltErr err;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        OK(delta_offset_parse(str_of(texts[i]), &offset, &err));
        assert_string_equal(print(w, &offset), texts[i]);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(delta_offset_parse(str_of(wrong[i]), &offset, &err), -1);
}

/* "v:i" for the end and the count of files */
static const char *step(World *w, DeltaTable *table, DeltaOffset *at, bool first, const DeltaStreamOptions *options)
{
    DeltaStreamBatch batch, again;
    SiltErr err;
    OK(delta_stream_next(table, first ? NULL : at, options, w->arena, &batch, &err));
    OK(delta_stream_range(table, first ? NULL : at, &batch.end, options, w->arena, &again, &err));
    assert_int_equal(again.file_count, batch.file_count); /* O2 */
    for (int64_t i = 0; i < batch.file_count; i++)
        assert_string_equal(again.files[i]->path, batch.files[i]->path);
    *at = batch.end;
    return arena_printf(w->arena, "%lld:%lld%s %lld%s", (long long)batch.end.version, (long long)batch.end.index,
                        batch.end.is_starting ? "s" : "", (long long)batch.file_count, batch.more ? "+" : "");
}

static void a_stream_reads_the_snapshot_first_and_then_what_is_added(void **state)
{
    World *w = *state;
    DeltaOffset at;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    append(w, table, "SELECT 1::BIGINT AS c1");
    append(w, table, "SELECT 2::BIGINT AS c1");
    DeltaTable *source = open_table(w, "/t");
    assert_string_equal(step(w, source, &at, true, &whole), "3:-1 2");
    assert_string_equal(step(w, source, &at, false, &whole), "3:-1 0");
    append(w, table, "SELECT 3::BIGINT AS c1");
    append(w, table, "SELECT 4::BIGINT AS c1");
    assert_string_equal(step(w, source, &at, false, &whole), "5:-1 2");
    delta_table_free(source);
    delta_table_free(table);
}

static void limits_cut_within_the_snapshot_and_within_a_commit(void **state)
{
    World *w = *state;
    DeltaOffset at;
    const DeltaStreamOptions by_two = {.starting_version = -1, .files_max = 2}, by_bytes = {.starting_version = -1, .bytes_max = 1};
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT, p BIGINT", .partition_by = {"p"}});
    append(w, table, "SELECT range AS c1, range AS c2 FROM range(3)");
    DeltaTable *source = open_table(w, "/t");
    assert_string_equal(step(w, source, &at, true, &by_two), "1:1s 2+");
    append(w, table, "SELECT range AS c1, range AS c2 FROM range(5)");
    assert_string_equal(step(w, source, &at, false, &by_two), "2:0 2+");
    assert_string_equal(step(w, source, &at, false, &by_two), "2:2 2+");
    assert_string_equal(step(w, source, &at, false, &by_bytes), "2:3 1+");
    assert_string_equal(step(w, source, &at, false, &by_bytes), "3:-1 1");
    delta_table_free(source);
    delta_table_free(table);
}

static void a_stream_may_start_at_a_version(void **state)
{
    World *w = *state;
    DeltaOffset at;
    const DeltaStreamOptions from_two = {.starting_version = 2};
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    append(w, table, "SELECT 1::BIGINT AS c1");
    append(w, table, "SELECT 2::BIGINT AS c1");
    append(w, table, "SELECT 3::BIGINT AS c1");
    assert_string_equal(step(w, table, &at, true, &from_two), "4:-1 2");
    delta_table_free(table);
}

static int64_t overwrite(World *w, DeltaTable *table, const char *select)
{
    SiltErr err;
    int64_t version;
    DeltaTxn *txn;
    OK(delta_txn_begin(table, &txn, &err));
    OK(delta_txn_remove_all(txn, &err));
    if (select)
        OK(write_rows(w, txn, select, &err));
    OK(delta_txn_commit(txn, &version, &err));
    delta_txn_free(txn);
    return version;
}

static void changes_stop_the_stream_unless_it_was_told_otherwise(void **state)
{
    World *w = *state;
    DeltaOffset at;
    DeltaStreamBatch batch;
    SiltErr err;
    const DeltaStreamOptions ignore_deletes = {.starting_version = -1, .ignore_deletes = true},
                             skip = {.starting_version = -1, .skip_change_commits = true};
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    append(w, table, "SELECT 1::BIGINT AS c1");
    assert_string_equal(step(w, table, &at, true, &whole), "2:-1 1");
    overwrite(w, table, NULL); /* version 2: only deletes */
    assert_int_equal(delta_stream_next(table, &at, &whole, w->arena, &batch, &err), -1);
    assert_string_equal(err.code, "DELTA_SOURCE_IGNORE_DELETE");
    append(w, table, "SELECT 2::BIGINT AS c1");    /* 3 */
    overwrite(w, table, "SELECT 3::BIGINT AS c1"); /* 4: a change */
    assert_int_equal(delta_stream_next(table, &at, &ignore_deletes, w->arena, &batch, &err), -1);
    assert_string_equal(err.code, "DELTA_SOURCE_TABLE_IGNORE_CHANGES");
    assert_string_equal(step(w, table, &at, false, &skip), "5:-1 1"); /* only version 3 */
    delta_table_free(table);
}

static void rearranged_files_are_no_new_rows(void **state)
{
    World *w = *state;
    DeltaOffset at;
    SiltErr err;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    append(w, table, "SELECT 1::BIGINT AS c1");
    assert_string_equal(step(w, table, &at, true, &whole), "2:-1 1");
    put(w, "/t/_delta_log/00000000000000000002.json",
        "{\"commitInfo\":{\"operation\":\"OPTIMIZE\"}}\n{\"remove\":{\"path\":\"x\",\"dataChange\":false}}\n"
        "{\"add\":{\"path\":\"y\",\"partitionValues\":{},\"size\":1,\"modificationTime\":1,\"dataChange\":false}}\n");
    OK(delta_table_refresh(table, &err));
    assert_string_equal(step(w, table, &at, false, &whole), "3:-1 0");
    delta_table_free(table);
}

static void another_table_in_the_same_place_is_noticed(void **state)
{
    World *w = *state;
    DeltaOffset at;
    DeltaStreamBatch batch;
    SiltErr err;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    append(w, table, "SELECT 1::BIGINT AS c1");
    assert_string_equal(step(w, table, &at, true, &whole), "2:-1 1");
    strcpy(at.table_id, "another");
    assert_int_equal(delta_stream_next(table, &at, &whole, w->arena, &batch, &err), -1);
    assert_string_equal(err.code, "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE");
    delta_table_free(table);
}

static void a_stream_of_no_table_waits(void **state)
{
    World *w = *state;
    DeltaStreamBatch batch;
    SiltErr err;
    DeltaEnv env = world_env(w);
    DeltaTable *table = delta_table_new(&env, "/nothing");
    assert_int_equal(delta_stream_next(table, NULL, &whole, w->arena, &batch, &err), DELTA_ABSENT);
    delta_table_free(table);
}

static void an_added_column_is_no_reason_to_stop(void **state)
{
    World *w = *state;
    DeltaOffset at;
    SiltErr err;
    int64_t version;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    append(w, table, "SELECT 1::BIGINT AS c1");
    assert_string_equal(step(w, table, &at, true, &whole), "2:-1 1");
    DeltaTxn *txn;
    const Type *more = ddl(w, "n INT");
    OK(delta_txn_begin(table, &txn, &err));
    OK(delta_txn_add_columns(txn, more->fields, 1, &err));
    OK(write_rows(w, txn, "SELECT 2::BIGINT AS c1, 3 AS c2", &err));
    OK(delta_txn_commit(txn, &version, &err));
    delta_txn_free(txn);
    assert_string_equal(step(w, table, &at, false, &whole), "3:-1 1");
    delta_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MEMORY_TEST(offsets_are_spark_s_byte_for_byte),
        MEMORY_TEST(a_stream_reads_the_snapshot_first_and_then_what_is_added),
        MEMORY_TEST(limits_cut_within_the_snapshot_and_within_a_commit),
        MEMORY_TEST(a_stream_may_start_at_a_version),
        MEMORY_TEST(changes_stop_the_stream_unless_it_was_told_otherwise),
        MEMORY_TEST(rearranged_files_are_no_new_rows),
        MEMORY_TEST(another_table_in_the_same_place_is_noticed),
        MEMORY_TEST(a_stream_of_no_table_waits),
        MEMORY_TEST(an_added_column_is_no_reason_to_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
