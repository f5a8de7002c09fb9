/* delta/clean_test.c - what goes and what stays when a table is cleaned up */
#include "delta/clean.h"
#include "delta/delta_test.h"

/* Later than all that was done before. */
static int64_t now_ms(World *w)
{
    io_sleep_ms(w->io, 10);
    return io_now_us(w->io) / 1000;
}

/* Names in a folder, joined by blanks. */
static const char *names_in(World *w, const char *folder)
{
    silt_auto(str_buf_fini) StrBuf out = {0};
    IoList list;
    SiltErr err;

    OK(io_list(w->io, folder, w->arena, &list, &err));
    for (int i = 0; i < list.count; i++)
        str_buf_printf(&out, "%s%s", i ? " " : "", list.entries[i].name);
    return arena_strdup(w->arena, str_buf_text(&out));
}

static int files_in(World *w, const char *folder)
{
    IoList list;
    SiltErr err;
    int count = 0;

    OK(io_list(w->io, folder, w->arena, &list, &err));
    for (int i = 0; i < list.count; i++)
        count += !list.entries[i].stat.is_directory;
    return count;
}

/* All live files become one, with the same rows. */
static void rearrange(World *w, DeltaTable *table)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    silt_auto(str_buf_fini) StrBuf sql = {0};
    const DeltaFile *const *files;
    int64_t count, version;
    int columns[] = {0};
    DeltaTxn *txn;
    SiltErr err;

    OK(delta_snapshot_files(snapshot, &files, &count, &err));
    OK(delta_txn_begin(table, &txn, &err));
    delta_txn_rearrange(txn);
    OK(delta_txn_remove_files(txn, files, count, &err));
    OK(delta_scan_sql(snapshot, files, count, columns, 1, &sql, &err));
    OK(write_rows(w, txn, arena_printf(w->arena, "SELECT c1 FROM %s", str_buf_text(&sql)), &err));
    OK(delta_txn_commit(txn, &version, &err));
    delta_txn_free(txn);
}

static void rearranged_rows_are_the_same_and_no_change_of_data(void **state)
{
    World *w = *state;
    SiltErr err;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT", .properties = {{"delta.appendOnly", "true"}}});
    const DeltaCommit *commit;

    append(w, table, "SELECT 1::BIGINT AS c1");
    append(w, table, "SELECT 2::BIGINT AS c1");
    rearrange(w, table);
    OK(delta_commit_read(table, 3, w->arena, &commit, &err));
    assert_int_equal(commit->remove_count, 2);
    assert_int_equal(commit->add_count, 1);
    assert_false(commit->adds[0].data_change);
    assert_false(commit->removes[0].data_change || commit->removes[1].data_change);
    assert_false(commit->is_blind_append);
    DeltaTable *again = open_table(w, "/t");
    assert_string_equal(ask_table(w, again, "string_agg(c1, ' ' ORDER BY c1)"), "1 2");
    delta_table_free(again);

    const DeltaFile *const *files; /* but real removals are refused */
    int64_t count;
    DeltaTxn *txn;
    OK(delta_snapshot_files(delta_table_snapshot(table), &files, &count, &err));
    OK(delta_txn_begin(table, &txn, &err));
    assert_int_equal(delta_txn_remove_files(txn, files, count, &err), -1);
    assert_string_equal(err.code, "DELTA_CANNOT_MODIFY_APPEND_ONLY");
    delta_txn_free(txn);
    delta_table_free(table);
}

static void some_files_can_be_removed(void **state)
{
    World *w = *state;
    SiltErr err;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    const DeltaFile *const *files;
    const DeltaCommit *commit;
    int64_t count, version;
    DeltaTxn *txn;

    append(w, table, "SELECT 1::BIGINT AS c1");
    append(w, table, "SELECT 2::BIGINT AS c1");
    OK(delta_snapshot_files(delta_table_snapshot(table), &files, &count, &err));
    OK(delta_txn_begin(table, &txn, &err));
    OK(delta_txn_remove_files(txn, files, 1, &err));
    DeltaTable *other = open_table(w, "/t"); /* an append in between does not hinder it */
    append(w, other, "SELECT 3::BIGINT AS c1");
    OK(delta_txn_commit(txn, &version, &err));
    delta_txn_free(txn);
    assert_int_equal(version, 4);
    OK(delta_commit_read(table, 4, w->arena, &commit, &err));
    assert_true(commit->removes[0].data_change);
    assert_string_equal(ask_table(w, table, "count(*)"), "2");

    OK(delta_txn_begin(table, &txn, &err)); /* another removal of the same file does */
    OK(delta_snapshot_files(delta_table_snapshot(table), &files, &count, &err));
    OK(delta_txn_remove_files(txn, files, 1, &err));
    DeltaTxn *rival;
    OK(delta_table_refresh(other, &err));
    OK(delta_txn_begin(other, &rival, &err));
    OK(delta_txn_remove_all(rival, &err));
    OK(delta_txn_commit(rival, &version, &err));
    assert_int_equal(delta_txn_commit(txn, &version, &err), DELTA_CONFLICT);
    assert_string_equal(err.code, "DELTA_CONCURRENT_DELETE_DELETE");
    delta_txn_free(rival);
    delta_txn_free(txn);
    delta_table_free(other);
    delta_table_free(table);
}

static void files_that_no_version_needs_are_deleted(void **state)
{
    World *w = *state;
    SiltErr err;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    int64_t deleted;

    append(w, table, "SELECT 1::BIGINT AS c1");
    append(w, table, "SELECT 2::BIGINT AS c1");
    rearrange(w, table);
    put(w, "/t/part-of-a-crash.parquet", "x");
    put(w, "/t/_hidden/x", "x");
    put(w, "/t/.hidden", "x");
    put(w, "/t/p=1/part-of-a-crash.parquet", "x");
    OK(delta_clean_files(table, 0, &deleted, &err));
    assert_int_equal(deleted, 0);
    OK(delta_clean_files(table, now_ms(w), &deleted, &err));
    assert_int_equal(deleted, 4); /* two removed, two of a crash */
    assert_string_equal(ask_table(w, table, "string_agg(c1, ' ' ORDER BY c1)"), "1 2");
    assert_non_null(get(w, "/t/_hidden/x"));
    assert_non_null(get(w, "/t/.hidden"));
    assert_int_equal(files_in(w, "/t"), 2); /* the live one and .hidden */
    OK(delta_clean_files(table, now_ms(w), &deleted, &err));
    assert_int_equal(deleted, 0);
    delta_table_free(table);
}

static void a_file_stays_while_its_tombstone_is_young(void **state)
{
    World *w = *state;
    SiltErr err;
    w->checkpoint_interval = 3; /* the rearrangement is version 3: its tombstones stand in a checkpoint */
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    int64_t deleted, removed_ms;

    append(w, table, "SELECT 1::BIGINT AS c1");
    append(w, table, "SELECT 2::BIGINT AS c1");
    removed_ms = now_ms(w);
    rearrange(w, table);
    append(w, table, "SELECT 3::BIGINT AS c1");
    OK(delta_clean_files(table, removed_ms, &deleted, &err));
    assert_int_equal(deleted, 0);
    const DeltaSnapshot *old;
    OK(delta_table_at_version(table, 2, &old, &err));
    assert_string_equal(ask(w, old, NULL, 0, "count(*)"), "2");
    delta_snapshot_unref(old);
    OK(delta_clean_files(table, now_ms(w), &deleted, &err));
    assert_int_equal(deleted, 2);
    assert_string_equal(ask_table(w, table, "string_agg(c1, ' ' ORDER BY c1)"), "1 2 3");
    delta_table_free(table);
}

static void the_log_is_cut_at_a_checkpoint(void **state)
{
    World *w = *state;
    SiltErr err;
    w->checkpoint_interval = 4;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    int64_t deleted, limit_ms = 0;

    for (int i = 1; i <= 9; i++) {
        append(w, table, arena_printf(w->arena, "SELECT %d::BIGINT AS c1", i));
        if (i == 6)
            limit_ms = now_ms(w);
    }
    OK(delta_clean_log(table, 0, &deleted, &err));
    assert_int_equal(deleted, 0);
    OK(delta_clean_log(table, limit_ms, &deleted, &err)); /* version 6 was current: it needs checkpoint 4 */
    assert_int_equal(deleted, 4);
    assert_string_equal(names_in(w, "/t/_delta_log"),
                        "00000000000000000004.checkpoint.parquet 00000000000000000004.crc 00000000000000000004.json 00000000000000000005.json "
                        "00000000000000000006.json 00000000000000000007.json 00000000000000000008.checkpoint.parquet 00000000000000000008.crc "
                        "00000000000000000008.json 00000000000000000009.json _last_checkpoint");
    DeltaTable *again = open_table(w, "/t");
    assert_string_equal(ask_table(w, again, "string_agg(c1, '' ORDER BY c1)"), "123456789");
    const DeltaSnapshot *old;
    OK(delta_table_at_version(again, 6, &old, &err));
    assert_string_equal(ask(w, old, NULL, 0, "count(*)"), "6");
    delta_snapshot_unref(old);
    delta_table_free(again);

    OK(delta_clean_log(table, now_ms(w), &deleted, &err));
    assert_int_equal(deleted, 6); /* 4 with checkpoint and checksum, 5, 6, 7 */
    append(w, table, "SELECT 10::BIGINT AS c1");
    again = open_table(w, "/t");
    assert_string_equal(ask_table(w, again, "count(*)"), "10");
    delta_table_free(again);
    delta_table_free(table);
}

static void the_log_is_not_cut_at_a_broken_checkpoint(void **state)
{
    World *w = *state;
    SiltErr err;
    w->checkpoint_interval = 2;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    int64_t deleted;

    for (int i = 1; i <= 5; i++)
        append(w, table, arena_printf(w->arena, "SELECT %d::BIGINT AS c1", i));
    put(w, "/t/_delta_log/00000000000000000004.checkpoint.parquet", "PAR1 is not enough");
    OK(delta_clean_log(table, now_ms(w), &deleted, &err));
    assert_int_equal(deleted, 2); /* cut at 2 */
    DeltaTable *again = open_table(w, "/t");
    assert_string_equal(ask_table(w, again, "count(*)"), "5");
    delta_table_free(again);
    delta_table_free(table);
}

/* Whatever operation fails: the table stays whole, and the next cleaning finishes. */
static void a_cleaning_may_be_cut_off_anywhere(void **state)
{
    World *w = *state;
    SiltErr err;
    int64_t deleted, fault = 0;

    w->checkpoint_interval = 3;
    for (bool more = true; more; fault++) {
        const char *path = arena_printf(w->arena, "/t%lld", (long long)fault);
        DeltaTable *table = create_table(w, path, &(Create){.columns = "id BIGINT"});
        for (int i = 1; i <= 4; i++)
            append(w, table, arena_printf(w->arena, "SELECT %d::BIGINT AS c1", i));
        rearrange(w, table);
        append(w, table, "SELECT 5::BIGINT AS c1");
        io_memory_arm(w->io, fault, IO_FAULT_FAIL);
        int r = delta_clean_log(table, now_ms(w), &deleted, &err);
        if (r == 0)
            r = delta_clean_files(table, now_ms(w), &deleted, &err);
        more = io_memory_fault_fired(w->io);
        assert_int_equal(r < 0, more);
        io_memory_arm(w->io, -1, IO_FAULT_NONE);
        DeltaTable *again = open_table(w, path);
        assert_string_equal(ask_table(w, again, "string_agg(c1, ' ' ORDER BY c1)"), "1 2 3 4 5");
        OK(delta_clean_log(again, now_ms(w), &deleted, &err));
        OK(delta_clean_files(again, now_ms(w), &deleted, &err));
        assert_string_equal(ask_table(w, again, "string_agg(c1, ' ' ORDER BY c1)"), "1 2 3 4 5");
        assert_int_equal(files_in(w, path), 2);
        delta_table_free(again);
        delta_table_free(table);
    }
    assert_true(fault > 8); /* there were operations to fail */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MEMORY_TEST(rearranged_rows_are_the_same_and_no_change_of_data),
        MEMORY_TEST(some_files_can_be_removed),
        MEMORY_TEST(files_that_no_version_needs_are_deleted),
        MEMORY_TEST(a_file_stays_while_its_tombstone_is_young),
        MEMORY_TEST(the_log_is_cut_at_a_checkpoint),
        MEMORY_TEST(the_log_is_not_cut_at_a_broken_checkpoint),
        MEMORY_TEST(a_cleaning_may_be_cut_off_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
