/*
 * delta/crash_test.c - every operation of a commit fails, lies, tears or loses the power, in turn
 *
 * After each the table is at the old version or the new one, whole, and a commit that was reported as done is done.
 */
#include "delta/delta_test.h"

enum { OPERATIONS_MAX = 200 };

static const char *const row_text[] = {"1", "1 2", "1 2 3"};

/* One append of row 2 with its checkpoint, with a fault at operation `at`. Whether the fault was reached. */
static bool commit_with_fault(World *w, IoFault fault, int64_t at)
{
    SiltErr err = {0};
    int64_t version = -1;

    w->checkpoint_interval = -1;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT"});
    append(w, table, "SELECT 1::BIGINT AS c1");
    delta_table_free(table);

    w->checkpoint_interval = 1;
    table = open_table(w, "/t");
    io_memory_arm(w->io, at, fault);
    int r = append_as(w, table, "SELECT 2::BIGINT AS c1", "q", 0, &version, &err);
    bool fired = io_memory_fault_fired(w->io);
    delta_table_free(table);
    io_memory_restart(w->io, fault == IO_FAULT_POWER);
    assert_in_range(r + 1, 0, 1); /* done or failed: there is no one to conflict with */
    if (r == 0)
        assert_int_equal(version, 2);

    table = open_table(w, "/t");
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    assert_in_range(snapshot->version, 1, 2);
    if (r == 0)
        assert_int_equal(snapshot->version, 2);
    assert_int_equal(delta_snapshot_txn(snapshot, "q"), snapshot->version == 2 ? 0 : -1);
    assert_string_equal(ask_table(w, table, "string_agg(c1::VARCHAR, ' ' ORDER BY c1)"), row_text[snapshot->version - 1]);

    if (snapshot->version == 1) /* as a flow does that finds no txn */
        OK(append_as(w, table, "SELECT 2::BIGINT AS c1", "q", 0, &version, &err));
    OK(append_as(w, table, "SELECT 3::BIGINT AS c1", "q", 1, &version, &err));
    assert_int_equal(version, 3);
    delta_table_free(table);
    table = open_table(w, "/t");
    assert_string_equal(ask_table(w, table, "string_agg(c1::VARCHAR, ' ' ORDER BY c1)"), row_text[2]);
    assert_int_equal(w->warnings > 0 && !fired, 0); /* a checkpoint that could not be written is the only reason to warn */
    delta_table_free(table);
    return fired;
}

static void try_all(IoFault fault)
{
    for (int64_t at = 0;; at++) {
        void *state;
        assert_true(at < OPERATIONS_MAX);
        world_memory(&state);
        bool fired = commit_with_fault(state, fault, at);
        world_free(&state);
        if (!fired) {
            assert_true(at > 8); /* data file, commit, checkpoint and hint take more than that */
            return;
        }
    }
}

static void a_power_cut_leaves_the_old_version_or_the_new(void **state)
{
    try_all(IO_FAULT_POWER);
}

static void a_failed_operation_leaves_the_old_version_or_the_new(void **state)
{
    try_all(IO_FAULT_FAIL);
}

static void a_done_operation_that_reports_failure_is_settled_by_the_log(void **state)
{
    try_all(IO_FAULT_LIE);
}

static void a_torn_write_is_never_seen(void **state)
{
    try_all(IO_FAULT_HALF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_power_cut_leaves_the_old_version_or_the_new),
        cmocka_unit_test(a_failed_operation_leaves_the_old_version_or_the_new),
        cmocka_unit_test(a_done_operation_that_reports_failure_is_settled_by_the_log),
        cmocka_unit_test(a_torn_write_is_never_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
