/* pipeline/run_test.c - whole projects on a simulated disk, without crashes (tests/fault has those) */
#include "pipeline/testkit.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct World {
    TestProject project;
    Arena *arena;
} World;

static int setup(void **state)
{
    World *world = silt_alloc(sizeof *world);

    world->project.io = io_new_memory(test_scratch(), 11);
    world->project.directory = "/p";
    world->arena = arena_new();
    *state = world;
    return 0;
}

static int teardown(void **state)
{
    World *world = *state;

    io_free(world->project.io);
    arena_free(world->arena);
    free(world);
    return 0;
}

static void run(World *world)
{
    if (test_run(&world->project, NULL) != PIPELINE_DONE)
        fail_msg("%s", world->project.errors);
}

static void expect(World *world, const char *sql, const char *rows)
{
    assert_string_equal(test_query(&world->project, world->arena, sql), rows);
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no \"%s\" in: %s", part, text);
}

static void a_view_of_values_is_made_once(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL, "CREATE MATERIALIZED VIEW v AS SELECT 1 AS id, 'x' AS s UNION ALL SELECT 2, NULL");
    run(world);
    assert_int_equal(world->project.batches, 1);
    has(world->project.events, "Flow spark_catalog.default.v is QUEUED.\nFlow spark_catalog.default.v is PLANNING.\n");
    has(world->project.events, "Flow spark_catalog.default.v has COMPLETED.\nRun is COMPLETED.\n");
    expect(world, "SELECT * FROM v", "1|\"x\"\n2|null");
    run(world);
    assert_int_equal(world->project.batches, 0); /* nothing has changed */
}

static void a_view_may_have_many_common_table_expressions(void **state)
{
    World *world = *state;
    silt_auto(str_buf_fini) StrBuf sql = {0};

    str_buf_puts(&sql, "CREATE TEMPORARY VIEW v AS WITH c0 AS (SELECT 1 AS n)");
    for (int i = 1; i < 100; i++)
        str_buf_printf(&sql, ", c%d AS (SELECT n + 1 AS n FROM c%d)", i, i - 1);
    str_buf_puts(&sql, " SELECT n FROM c99;\nCREATE MATERIALIZED VIEW t AS SELECT n FROM v;");
    test_project(&world->project, NULL, str_buf_text(&sql));
    run(world);
    expect(world, "SELECT * FROM t", "100");
}

static void a_stream_of_a_view_takes_its_rows_once(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL,
                 "CREATE MATERIALIZED VIEW v AS SELECT 1 AS id, 'x' AS s UNION ALL SELECT 2, NULL;\n"
                 "CREATE STREAMING TABLE t AS SELECT id + 1 AS id, s FROM STREAM v;\n"
                 "CREATE MATERIALIZED VIEW n AS SELECT count(*) AS n, sum(id) AS s FROM t;\n");
    run(world);
    expect(world, "SELECT * FROM t", "2|\"x\"\n3|null");
    expect(world, "SELECT * FROM n", "2|5");
    run(world);
    assert_int_equal(world->project.batches, 0);
    expect(world, "SELECT * FROM t", "2|\"x\"\n3|null");
}


/* A table that grows by flows that run once: batches without files. */
static void source_rows(StrBuf *sql, int flows)
{
    str_buf_puts(sql, "CREATE STREAMING TABLE src (id INT, k STRING);\n");
    for (int i = 0; i < flows; i++)
        str_buf_printf(sql, "CREATE FLOW f%d AS INSERT INTO ONCE src BY NAME SELECT %d AS id, '%c' AS k UNION ALL SELECT %d, NULL;\n", i, i * 2, 'a' + i,
                       i * 2 + 1);
}

static void project_over_source(World *world, int flows, const char *configuration, const char *rest)
{
    silt_auto(str_buf_fini) StrBuf sql = {0};

    source_rows(&sql, flows);
    str_buf_puts(&sql, rest);
    test_project(&world->project, configuration, str_buf_text(&sql));
}

/* Each attempt says STARTING and RUNNING; a failure that is made up for is a warning. */
static void an_attempt_that_is_not_the_last_is_a_warning(void **state)
{
    World *world = *state;
    bool retried = false;

    for (int64_t at = 0; !retried && at < 200; at++) {
        silt_auto(str_buf_fini) StrBuf sql = {0};
        str_buf_printf(&sql, "CREATE MATERIALIZED VIEW v AS SELECT %d AS id", (int)at);
        test_project(&world->project, NULL, str_buf_text(&sql));
        io_memory_arm(world->project.io, at, IO_FAULT_FAIL);
        retried = test_run(&world->project, NULL) == PIPELINE_DONE && strstr(world->project.events, "has FAILED.");
        io_memory_arm(world->project.io, -1, IO_FAULT_NONE);
    }
    assert_true(retried);
    expect(world,
           "SELECT level || ' ' || details:flow_progress.status FROM event_log(TABLE(v)) e WHERE e.event_type = 'flow_progress' AND e.origin.update_id ="
           " (SELECT max_by(origin.update_id, timestamp) FROM event_log(TABLE(v)))",
           "\"INFO COMPLETED\"\n\"INFO PLANNING\"\n\"INFO PLANNING\"\n\"INFO QUEUED\"\n\"INFO RUNNING\"\n\"INFO RUNNING\"\n\"INFO STARTING\"\n"
           "\"INFO STARTING\"\n\"WARN FAILED\"");
}

static void a_once_flow_runs_once(void **state)
{
    World *world = *state;

    project_over_source(world, 1, NULL, "");
    run(world);
    run(world);
    assert_int_equal(world->project.batches, 0);
    expect(world, "SELECT * FROM src", "0|\"a\"\n1|null");
    project_over_source(world, 2, NULL, "");
    run(world);
    expect(world, "SELECT id FROM src", "0\n1\n2\n3");
}

static void a_stream_goes_on_where_it_stopped(void **state)
{
    World *world = *state;
    static const char rest[] = "CREATE STREAMING TABLE t PARTITIONED BY (k) AS SELECT id * 10 AS id, k FROM STREAM src WHERE id <> 2;\n";

    project_over_source(world, 1, NULL, rest);
    run(world);
    expect(world, "SELECT * FROM t", "0|\"a\"\n10|null");
    project_over_source(world, 3, NULL, rest);
    run(world);
    expect(world, "SELECT * FROM t", "0|\"a\"\n10|null\n30|null\n40|\"c\"\n50|null");
    run(world);
    assert_int_equal(world->project.batches, 0);
}

static const char constrained[] =
    "CREATE STREAMING TABLE t (CONSTRAINT low EXPECT (id < 3) ON VIOLATION DROP ROW, CONSTRAINT named EXPECT (k IS NOT NULL) ON VIOLATION DROP ROW,"
    " CONSTRAINT even EXPECT (id % 2 = 0)) AS SELECT * FROM STREAM src;\n";

static void expectations_count_every_row_for_each(void **state)
{
    World *world = *state;

    project_over_source(world, 3, NULL, constrained); /* ids 0..5, odd ones without k */
    run(world);
    has(world->project.progress, "\"low\":{\"passed_records\":3,\"failed_records\":3,\"null_records\":0}");
    has(world->project.progress, "\"named\":{\"passed_records\":3,\"failed_records\":3,\"null_records\":0}");
    has(world->project.progress, "\"even\":{\"passed_records\":3,\"failed_records\":3,\"null_records\":0}");
    has(world->project.progress, "\"numRowsRefused\":4");
    expect(world, "SELECT id FROM t", "0\n2");
}

static void refused_rows_go_to_quarantine_when_asked_for(void **state)
{
    World *world = *state;

    project_over_source(world, 3, "  silt.quarantine: table\n", constrained);
    run(world);
    expect(world, "SELECT id FROM t", "0\n2");
    expect(world, "SELECT id, _silt_reasons FROM t_quarantine", "1|[\"named\"]\n3|[\"low\",\"named\"]\n4|[\"low\"]\n5|[\"low\",\"named\"]");
}

static void refused_rows_say_where_they_came_from(void **state)
{
    static const struct {
        const char *sql, *rows;
    } cases[] = {
        /* straight from files, through a view and a common table expression; then queries whose rows have no one place */
        {"CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a > 2) ON VIOLATION DROP ROW) AS\n"
         "SELECT a FROM STREAM read_files('in', format => 'json', schema => 'a INT, b STRING') WHERE b <> 'no';\n",
         "1|\"a.json\"|0\n2|\"b.json\"|18"},
        {"CREATE TEMPORARY VIEW v AS SELECT a + 1 AS x, b FROM STREAM read_files('in', format => 'json', schema => 'a INT, b STRING');\n"
         "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a > 2) ON VIOLATION DROP ROW) AS\n"
         "WITH w AS (SELECT x - 1 AS a FROM STREAM v WHERE b <> 'no') SELECT a FROM w;\n",
         "1|\"a.json\"|0\n2|\"b.json\"|18"},
        {"CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a > 2) ON VIOLATION DROP ROW) AS\n"
         "SELECT a FROM STREAM read_files('in', format => 'json', schema => 'a INT, b STRING') LATERAL VIEW explode(array(1)) e AS n WHERE b <> 'no';\n",
         "1|null|null\n2|null|null"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (i) { /* each case in a world of its own */
            teardown(state);
            setup(state);
        }
        World *world = *state;
        test_put(&world->project, "in/a.json", "{\"a\":1,\"b\":\"\"}\n");
        test_put(&world->project, "in/b.json", "{\"a\":3,\"b\":\"yes\"}\n{\"a\":2,\"b\":\"\"}\n{\"a\":0,\"b\":\"no\"}\n");
        test_project(&world->project, "  silt.quarantine: table\n", cases[i].sql);
        run(world);
        expect(world, "SELECT a FROM t", "3");
        expect(world, "SELECT a, split_part(_silt_file, '/', -1), _silt_position FROM t_quarantine", cases[i].rows);
    }
}

static void a_failed_expectation_fails_the_flow_and_writes_nothing(void **state)
{
    World *world = *state;

    project_over_source(world, 1, NULL,
                        "CREATE STREAMING TABLE t (CONSTRAINT named EXPECT (k IS NOT NULL) ON VIOLATION FAIL UPDATE) AS SELECT * FROM STREAM src;\n"
                        "CREATE MATERIALIZED VIEW d AS SELECT count(*) AS n FROM t;\nCREATE MATERIALIZED VIEW e AS SELECT count(*) AS n FROM src;\n");
    assert_int_equal(test_run(&world->project, NULL), PIPELINE_FAILED);
    has(world->project.errors, "named");
    has(world->project.errors, "all.sql:3:");
    has(world->project.events, "Flow 'spark_catalog.default.t' has FAILED.\n");
    has(world->project.events, "Flow 'spark_catalog.default.d' SKIPPED due to upstream failure(s).\n");
    has(world->project.events, "Flow spark_catalog.default.e has COMPLETED.\n");
    has(world->project.events, "Run is FAILED");
    expect(world, "SELECT * FROM t", "");
    expect(world, "SELECT n FROM e", "2");
}

static void a_full_refresh_reads_everything_again(void **state)
{
    World *world = *state;
    static const char rest[] = "CREATE STREAMING TABLE t AS SELECT id FROM STREAM src;\n";
    const char *name = "t";
    PipelineRunOptions options = {.full_refresh = &name, .full_refresh_count = 1};

    project_over_source(world, 2, NULL, rest);
    run(world);
    assert_int_equal(test_run(&world->project, &options), PIPELINE_DONE);
    has(world->project.events, "Flow 'spark_catalog.default.f0' is EXCLUDED.\n");
    expect(world, "SELECT * FROM t", "0\n1\n2\n3");
    run(world);
    assert_int_equal(world->project.batches, 0);
    options = (PipelineRunOptions){.full_refresh_all = true};
    assert_int_equal(test_run(&world->project, &options), PIPELINE_DONE);
    expect(world, "SELECT * FROM src", "0|\"a\"\n1|null\n2|\"b\"\n3|null");
    expect(world, "SELECT * FROM t", "0\n1\n2\n3");
}

static void an_unknown_table_to_refresh_is_refused(void **state)
{
    World *world = *state;
    const char *name = "srcs";
    PipelineRunOptions options = {.refresh = &name, .refresh_count = 1};

    project_over_source(world, 1, NULL, "");
    assert_int_equal(test_run(&world->project, &options), PIPELINE_REFUSED);
    has(world->project.errors, "\"srcs\"");
    has(world->project.errors, "Did you mean \"src\"?");
}

static void a_table_that_may_not_be_reset_is_spared(void **state)
{
    World *world = *state;
    static const char rest[] = "CREATE STREAMING TABLE t TBLPROPERTIES ('pipelines.reset.allowed' = 'false') AS SELECT id FROM STREAM src;\n";
    const char *name = "t";
    PipelineRunOptions options = {.full_refresh = &name, .full_refresh_count = 1};

    project_over_source(world, 1, NULL, rest);
    run(world);
    assert_int_equal(test_run(&world->project, &options), PIPELINE_REFUSED);
    has(world->project.errors, "TABLE_NOT_RESETTABLE");
}

static void a_renamed_flow_is_refused(void **state)
{
    World *world = *state;

    project_over_source(world, 1, NULL, "CREATE STREAMING TABLE t;\nCREATE FLOW one AS INSERT INTO t BY NAME SELECT id FROM STREAM src;\n");
    run(world);
    project_over_source(world, 1, NULL, "CREATE STREAMING TABLE t;\nCREATE FLOW two AS INSERT INTO t BY NAME SELECT id FROM STREAM src;\n");
    assert_int_equal(test_run(&world->project, NULL), PIPELINE_FAILED);
    has(world->project.errors, "no longer has flow \"one\"");
    expect(world, "SELECT * FROM t", "0\n1");
}

static void a_table_that_changes_its_kind_is_refused(void **state)
{
    World *world = *state;

    project_over_source(world, 1, NULL, "CREATE STREAMING TABLE t AS SELECT id FROM STREAM src;\nCREATE MATERIALIZED VIEW v AS SELECT id FROM src;\n");
    run(world);
    project_over_source(world, 1, NULL, "CREATE MATERIALIZED VIEW t AS SELECT id FROM src;\nCREATE STREAMING TABLE v AS SELECT id FROM STREAM src;\n");
    assert_int_equal(test_run(&world->project, NULL), PIPELINE_FAILED);
    has(world->project.errors, "\"spark_catalog.default.t\" was a streaming table");
    has(world->project.errors, "It was a materialized view");
    expect(world, "SELECT * FROM t", "0\n1");
    expect(world, "SELECT * FROM v", "0\n1");
}

static void a_new_column_of_the_query_is_added(void **state)
{
    World *world = *state;

    project_over_source(world, 1, NULL, "CREATE STREAMING TABLE t AS SELECT id FROM STREAM src;\nCREATE MATERIALIZED VIEW v AS SELECT * FROM t;\n");
    run(world);
    project_over_source(world, 2, NULL,
                        "CREATE STREAMING TABLE t AS SELECT id, k AS name FROM STREAM src;\nCREATE MATERIALIZED VIEW v AS SELECT * FROM t;\n");
    run(world);
    expect(world, "SELECT * FROM t", "0|null\n1|null\n2|\"b\"\n3|null");
    expect(world, "SELECT * FROM v", "0|null\n1|null\n2|\"b\"\n3|null");
    project_over_source(world, 3, NULL, "CREATE STREAMING TABLE t AS SELECT k AS name FROM STREAM src;\n"); /* one less: it stays, NULL */
    run(world);
    expect(world, "SELECT * FROM t WHERE name = 'c'", "null|\"c\"");
    project_over_source(world, 3, NULL, "CREATE STREAMING TABLE t AS SELECT k AS id FROM STREAM src;\n");
    assert_int_equal(test_run(&world->project, NULL), PIPELINE_REFUSED);
    has(world->project.errors, "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE transformations/all.sql:5:41");
}

static void two_flows_fill_one_table_by_name(void **state)
{
    World *world = *state;

    project_over_source(world, 1, NULL,
                        "CREATE STREAMING TABLE t;\nCREATE FLOW a AS INSERT INTO t BY NAME SELECT id FROM STREAM src;\n"
                        "CREATE FLOW b AS INSERT INTO t BY NAME SELECT k, id + 100 AS id FROM STREAM src;\n");
    run(world);
    expect(world, "SELECT id, k FROM t", "0|null\n100|\"a\"\n101|null\n1|null");
}

static void a_view_with_another_query_is_computed_again(void **state)
{
    World *world = *state;

    project_over_source(world, 1, NULL, "CREATE MATERIALIZED VIEW v AS SELECT id FROM src;\n");
    run(world);
    project_over_source(world, 1, NULL, "CREATE MATERIALIZED VIEW v AS SELECT 'n' || CAST(id AS STRING) AS id, 1 AS one FROM src;\n");
    run(world);
    expect(world, "SELECT * FROM v", "\"n0\"|1\n\"n1\"|1");
}

static void a_streaming_view_is_put_in_its_place(void **state)
{
    World *world = *state;

    project_over_source(world, 1, NULL,
                        "CREATE TEMPORARY VIEW w AS SELECT id + 1 AS id FROM STREAM src;\nCREATE VIEW b AS SELECT max(id) AS m FROM src;\n"
                        "CREATE STREAMING TABLE t AS SELECT w.id, b.m FROM STREAM w CROSS JOIN b;\n");
    run(world);
    expect(world, "SELECT * FROM t", "1|1\n2|1");
    expect(world, "SELECT * FROM b", "1");
}

static void every_fault_of_a_project_is_told_at_once(void **state)
{
    static const struct {
        const char *sql, *code;
    } faults[] = {
        {"CREATE STREAMING TABLE t AS SELECT * FROM nosuch", "TABLE_OR_VIEW_NOT_FOUND"},
        {"CREATE STREAMING TABLE t AS SELECT * FROM s", "INVALID_FLOW_QUERY_TYPE.BATCH_RELATION_FOR_STREAMING_TABLE"},
        {"CREATE MATERIALIZED VIEW t AS SELECT * FROM STREAM s", "INVALID_FLOW_QUERY_TYPE.STREAMING_RELATION_FOR_MATERIALIZED_VIEW"},
        {"CREATE VIEW t AS SELECT * FROM STREAM s", "INVALID_FLOW_QUERY_TYPE.STREAMING_RELATION_FOR_PERSISTED_VIEW"},
        {"CREATE STREAMING TABLE t", "PIPELINE_DATASET_WITHOUT_FLOW"},
        {"CREATE MATERIALIZED VIEW s AS SELECT 1 a", "PIPELINE_DUPLICATE_IDENTIFIERS.OUTPUT"},
        {"CREATE MATERIALIZED VIEW t AS SELECT 1 a; CREATE FLOW f AS INSERT INTO t BY NAME SELECT * FROM STREAM s", "MATERIALIZED_VIEW_WITH_MULTIPLE_QUERIES"},
        {"CREATE STREAMING TABLE t; CREATE FLOW f AS INSERT INTO t BY NAME SELECT 1 a; CREATE FLOW f AS INSERT INTO t BY NAME SELECT 2 a",
         "PIPELINE_DUPLICATE_IDENTIFIERS.FLOW"},
        {"CREATE MATERIALIZED VIEW a AS SELECT * FROM b; CREATE MATERIALIZED VIEW b AS SELECT * FROM a", "PIPELINE_GRAPH_CYCLE"},
        {"CREATE TEMPORARY VIEW w AS SELECT * FROM STREAM s; CREATE STREAMING TABLE t AS SELECT * FROM w", "INCOMPATIBLE_STREAMING_VIEW_READ"},
        {"CREATE TEMPORARY VIEW w AS SELECT * FROM s; CREATE STREAMING TABLE t AS SELECT * FROM STREAM w", "INCOMPATIBLE_BATCH_VIEW_READ"},
        {"CREATE STREAMING TABLE t AS SELECT k, count(*) AS n FROM STREAM s GROUP BY k", "STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION"},
        {"CREATE STREAMING TABLE t AS SELECT count(*) AS n FROM STREAM s", "STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION"},
        {"CREATE STREAMING TABLE t AS SELECT DISTINCT k FROM STREAM s", "STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION"},
        {"CREATE STREAMING TABLE t AS SELECT k FROM STREAM s ORDER BY k", "_LEGACY_ERROR_TEMP_3102"},
        {"CREATE STREAMING TABLE t AS SELECT row_number() OVER (PARTITION BY k ORDER BY id) AS n FROM STREAM s", "NON_TIME_WINDOW_NOT_SUPPORTED_IN_STREAMING"},
        {"CREATE STREAMING TABLE t AS SELECT x.id FROM STREAM s x JOIN STREAM s y ON x.id = y.id", "cannot join two streams yet"},
        {"CREATE MATERIALIZED VIEW t AS SELECT 1 a, 2 A", "DELTA_DUPLICATE_COLUMNS_FOUND.METADATA_UPDATE"},
        {"CREATE MATERIALIZED VIEW t AS SELECT count(*) FROM s", "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES"},
        {"CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'a INT', rescuedDataColumn => 'a b')",
         "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES"},
        {"CREATE MATERIALIZED VIEW t AS SELECT NULL AS a", "DELTA_UNSUPPORTED_DATA_TYPES"},
        {"CREATE STREAMING TABLE t (id BIGINT) AS SELECT id FROM STREAM s", "USER_SPECIFIED_AND_INFERRED_SCHEMA_NOT_COMPATIBLE"},
        {"CREATE STREAMING TABLE t (id INT) AS SELECT id, k FROM STREAM s", "USER_SPECIFIED_AND_INFERRED_SCHEMA_NOT_COMPATIBLE"},
        {"CREATE MATERIALIZED VIEW t USING parquet AS SELECT 1 a", "cannot write tables of format"},
        {"SELECT 1", "PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR"},
        {"SET spark.sql.ansi.enabled = false", "cannot run with spark.sql.ansi.enabled"},
        {"CREATE STREAMING TABLE t PARTITIONED BY (nosuch) AS SELECT id FROM STREAM s", "UNRESOLVED_COLUMN"},
        {"CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (id + 1)) AS SELECT id FROM STREAM s", "all.sql:2:"},
    };
    World *world = *state;

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        silt_auto(str_buf_fini) StrBuf sql = {0};
        str_buf_printf(&sql, "CREATE MATERIALIZED VIEW s AS SELECT 1 AS id, 'a' AS k;\n%s;\n", faults[i].sql);
        test_project(&world->project, NULL, str_buf_text(&sql));
        if (test_check(&world->project) == 0)
            fail_msg("accepted: %s", faults[i].sql);
        if (!strstr(world->project.errors, faults[i].code) || !strstr(world->project.errors, "all.sql:"))
            fail_msg("%s\n gave: %s", faults[i].sql, world->project.errors);
    }
}

static void a_second_process_is_told_and_leaves(void **state)
{
    World *world = *state;
    IoLock *lock;
    SiltErr err;

    project_over_source(world, 1, NULL, "");
    assert_int_equal(io_lock(world->project.io, "/p/storage/_silt/lock", &lock, world->arena, NULL, &err), 0);
    assert_int_equal(test_run(&world->project, NULL), PIPELINE_REFUSED);
    has(world->project.errors, "run by another process");
    io_unlock(lock);
    run(world);
}

static void a_checkpoint_of_another_table_is_refused(void **state)
{
    World *world = *state;
    SiltErr err;

    project_over_source(world, 1, NULL, "CREATE STREAMING TABLE t AS SELECT id FROM STREAM src;\n");
    run(world);
    /* the checkpoint is put under another table, as by a careless copy */
    static const char *const names[] = {"metadata", "offsets/0", "commits/0"};
    for (int i = 0; i < 3; i++) {
        Str text;
        const char *from = arena_printf(world->arena, "/p/storage/_checkpoints/spark_catalog/default/t/t/0/%s", names[i]);
        assert_int_equal(io_read(world->project.io, from, world->arena, &text, &err), 0);
        test_put(&world->project, arena_printf(world->arena, "storage/_checkpoints/spark_catalog/default/u/u/0/%s", names[i]), text.ptr);
    }
    project_over_source(world, 1, NULL,
                        "CREATE STREAMING TABLE t AS SELECT id FROM STREAM src;\nCREATE STREAMING TABLE u AS SELECT id FROM STREAM src;\n");
    assert_int_equal(test_run(&world->project, NULL), PIPELINE_FAILED);
    has(world->project.errors, "says that batch 0 is done");
}

static void a_lost_checkpoint_is_refused(void **state)
{
    World *world = *state;
    SiltErr err;

    project_over_source(world, 1, NULL, "CREATE STREAMING TABLE t AS SELECT id FROM STREAM src;\n");
    run(world);
    static const char *const names[] = {"metadata", "offsets/0", "commits/0"};
    for (int i = 0; i < 3; i++)
        assert_int_equal(io_delete(world->project.io, arena_printf(world->arena, "/p/storage/_checkpoints/spark_catalog/default/t/t/0/%s", names[i]), &err), 0);
    assert_int_equal(test_run(&world->project, NULL), PIPELINE_FAILED);
    has(world->project.errors, "build it again from the table's log: silt recover t");
    expect(world, "SELECT * FROM t", "0\n1");
}

static void flows_side_by_side_give_the_same(void **state)
{
    World *world = *state;
    silt_auto(str_buf_fini) StrBuf sql = {0};

    for (int i = 0; i < 12; i++)
        str_buf_printf(&sql, "CREATE STREAMING TABLE t%d AS SELECT id + %d AS id FROM STREAM src;\nCREATE MATERIALIZED VIEW v%d AS SELECT sum(id) AS s FROM t%d;\n",
                       i, i, i, i);
    world->project.threads = 6;
    project_over_source(world, 3, NULL, str_buf_text(&sql));
    run(world);
    for (int i = 0; i < 12; i++)
        expect(world, arena_printf(world->arena, "SELECT s FROM v%d", i), arena_printf(world->arena, "%d", 15 + 6 * i));
}

/* ---- files ---- */

static void a_new_field_in_the_files_becomes_a_column_in_the_same_run(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL,
                 "CREATE STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json');\n"
                 "CREATE STREAMING TABLE next AS SELECT * FROM STREAM raw;\n"
                 "CREATE MATERIALIZED VIEW v AS SELECT * EXCEPT (_rescued_data) FROM next;\n");
    test_put(&world->project, "in/a.json", "{\"id\":1}\n");
    run(world);
    test_put(&world->project, "in/b.json", "{\"id\":2,\"name\":\"x\"}\n");
    run(world);
    expect(world, "SELECT id, name FROM raw", "1|null\n2|\"x\"");
    expect(world, "SELECT id, name FROM next", "1|null\n2|\"x\"");
    expect(world, "SELECT id, name FROM v", "1|null\n2|\"x\"");
    run(world);
    assert_int_equal(world->project.batches, 0);
}

static void a_view_of_files_is_computed_again_only_when_they_change(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL,
                 "CREATE MATERIALIZED VIEW v AS SELECT id, count(*) AS n FROM read_files('in', format => 'json', schema => 'id INT') GROUP BY id;\n");
    test_put(&world->project, "in/a.json", "{\"id\":1}\n{\"id\":1}\nbroken\n");
    run(world);
    expect(world, "SELECT * FROM v", "1|2");
    run(world);
    assert_int_equal(world->project.batches, 0);
    expect(world, "SELECT count(*) FROM v_dead_letters", "1");
    test_put(&world->project, "in/b.json", "{\"id\":2}\n");
    run(world);
    expect(world, "SELECT * FROM v", "1|2\n2|1");
    expect(world, "SELECT count(*) FROM v_dead_letters", "1"); /* of this content, not of all so far */
    test_put(&world->project, "in/a.json", "{\"id\":1}\n");
    run(world);
    expect(world, "SELECT * FROM v", "1|1\n2|1");
    expect(world, "SELECT count(*) FROM v_dead_letters", "0");
}

static void undecodable_records_are_counted_or_kept_as_the_setting_says(void **state)
{
    static const char sql[] = "CREATE STREAMING TABLE t AS SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id INT');\n";
    World *world = *state;

    test_put(&world->project, "in/a.json", "{\"id\":1}\nbroken\n");
    test_project(&world->project, "  silt.deadLetters: count\n", sql);
    run(world);
    has(world->project.progress, "\"numInputRows\":2");
    has(world->project.progress, "\"numRowsUndecodable\":1");
    expect(world, "SELECT * FROM t", "1");
    has(test_query(&world->project, world->arena, "SELECT * FROM t_dead_letters"), "TABLE_OR_VIEW_NOT_FOUND");
    test_project(&world->project, "  silt.deadLetters: spark\n", sql);
    test_put(&world->project, "in/b.json", "{\"id\":2}\nbroken\n");
    run(world);
    expect(world, "SELECT * FROM t", "1\n2\nnull");
}

static void a_stream_is_joined_with_what_a_table_holds_now(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL,
                 "CREATE MATERIALIZED VIEW names AS SELECT 1 AS id, 'one' AS name UNION ALL SELECT 2, 'two';\n"
                 "CREATE STREAMING TABLE t AS SELECT r.id, n.name FROM STREAM read_files('in', format => 'json', schema => 'id INT') r\n"
                 "LEFT JOIN names n ON n.id = r.id;\n");
    test_put(&world->project, "in/a.json", "{\"id\":1}\n{\"id\":3}\n");
    run(world);
    expect(world, "SELECT * FROM t", "1|\"one\"\n3|null");
}

static void the_clock_of_a_batch_stands_still(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL,
                 "CREATE STREAMING TABLE t AS SELECT id, current_timestamp() AS at FROM STREAM read_files('in', format => 'json', schema => 'id INT',\n"
                 "maxFilesPerTrigger => 1);\n");
    test_put(&world->project, "in/a.json", "{\"id\":1}\n{\"id\":2}\n");
    test_put(&world->project, "in/b.json", "{\"id\":3}\n");
    run(world);
    assert_int_equal(world->project.batches, 2);
    expect(world, "SELECT count(DISTINCT at) FROM t", "2");
    expect(world, "SELECT count(DISTINCT at) FROM t WHERE id < 3", "1");
}

static void a_view_that_looks_at_the_clock_is_computed_every_time(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL, "CREATE MATERIALIZED VIEW v AS SELECT current_timestamp() AS at;\nCREATE MATERIALIZED VIEW d AS SELECT current_date() AS d;\n");
    run(world);
    run(world);
    assert_int_equal(world->project.batches, 1); /* the day is the same */
}

static void a_common_table_expression_reads_its_stream_once(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL,
                 "CREATE STREAMING TABLE t AS WITH a AS (SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id INT'))\n"
                 "SELECT id FROM a UNION ALL SELECT id + 100 FROM a;\n");
    test_put(&world->project, "in/a.json", "{\"id\":1}\n");
    run(world);
    expect(world, "SELECT * FROM t", "1\n101");
}

static void settings_of_a_file_go_with_its_flows(void **state)
{
    World *world = *state;

    test_put(&world->project, "transformations/b.sql",
             "SET TIME ZONE 'Asia/Tokyo';\nCREATE MATERIALIZED VIEW tokyo AS SELECT hour(TIMESTAMP '2026-01-01T00:00:00Z') AS h;\n");
    test_project(&world->project, NULL, "CREATE MATERIALIZED VIEW utc AS SELECT hour(TIMESTAMP '2026-01-01T00:00:00Z') AS h;\n");
    run(world);
    expect(world, "SELECT * FROM utc", "0");
    expect(world, "SELECT * FROM tokyo", "9");
}

static void a_schema_of_its_own_is_a_folder_of_its_own(void **state)
{
    World *world = *state;
    IoStat stat;
    SiltErr err;

    test_project(&world->project, NULL,
                 "CREATE MATERIALIZED VIEW gold.v AS SELECT 1 AS a;\nUSE SCHEMA gold;\nCREATE MATERIALIZED VIEW w AS SELECT a + 1 AS a FROM v;\n");
    run(world);
    expect(world, "SELECT * FROM gold.w", "2");
    assert_int_equal(io_stat(world->project.io, "/p/spark-warehouse/gold.db/w/_delta_log", &stat, &err), 0);
}

static void a_foreign_folder_is_not_taken_for_a_table(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL, "CREATE MATERIALIZED VIEW v AS SELECT 1 AS a;\n");
    test_put(&world->project, "spark-warehouse/v/notes.txt", "mine");
    assert_int_equal(test_run(&world->project, NULL), PIPELINE_FAILED);
    has(world->project.errors, "DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION");
}

static void a_limit_counts_over_all_batches(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL,
                 "CREATE STREAMING TABLE t AS SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id INT', maxFilesPerTrigger => 1) LIMIT 3;\n");
    test_put(&world->project, "in/a.json", "{\"id\":1}\n{\"id\":2}\n");
    run(world);
    test_put(&world->project, "in/b.json", "{\"id\":3}\n{\"id\":4}\n");
    test_put(&world->project, "in/c.json", "{\"id\":5}\n");
    run(world);
    assert_int_equal(world->project.batches, 2);
    expect(world, "SELECT count(*) FROM t", "3");
}

static void types_nested_and_plain_come_through(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL,
                 "CREATE STREAMING TABLE t AS SELECT * EXCEPT (_rescued_data), named_struct('a', id, 'b', array(id)) AS s, map('k', id) AS m FROM STREAM\n"
                 "read_files('in', format => 'json', schema => 'id INT, l ARRAY<STRUCT<x: INT, y: STRING>>, d DECIMAL(10,2), t TIMESTAMP, b BINARY, e DATE',\n"
                 "rescuedDataColumn => '_rescued_data');\nCREATE STREAMING TABLE u AS SELECT * FROM STREAM t;\n");
    test_put(&world->project, "in/a.json",
             "{\"id\":1,\"l\":[{\"x\":1,\"y\":\"q\"},null],\"d\":12.34,\"t\":\"2026-01-01T10:00:00Z\",\"b\":\"AQI=\",\"e\":\"2026-01-01\"}\n{}\n");
    run(world);
    static const char rows[] = "1|[{\"x\":1,\"y\":\"q\"},null]|12.34|\"2026-01-01T10:00:00.000000Z\"|\"AQI=\"|\"2026-01-01\"|{\"a\":1,\"b\":[1]}|{\"k\":1}\n"
                               "null|null|null|null|null|null|{\"a\":null,\"b\":[null]}|{\"k\":null}";
    expect(world, "SELECT * FROM t", rows);
    expect(world, "SELECT * FROM u", rows);
}

/* ---- counted, not lost ---- */

static void fields_that_go_nowhere_are_counted(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL, "CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'a INT');\n");
    test_put(&world->project, "in/a.json", "{\"a\":\"x\",\"b\":1}\n{\"a\":2}\n");
    run(world);
    has(world->project.progress, "\"numFieldsMisfit\":\"1\",\"numFieldsUnknown\":\"1\",\"numStringsRepaired\":\"0\"");
    has(world->project.progress, "\"numFieldsMisfit\":1,\"numFieldsUnknown\":1,\"numStringsRepaired\":0");
    Str log;
    SiltErr err;
    assert_int_equal(io_read(world->project.io, "/p/spark-warehouse/t/_delta_log/00000000000000000001.json", world->arena, &log, &err), 0);
    has(log.ptr, "\"numFieldsMisfit\":\"1\",\"numFieldsUnknown\":\"1\"");
}

static void a_null_of_an_expectation_is_counted_apart(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL,
                 "CREATE STREAMING TABLE t (CONSTRAINT v_positive EXPECT (v > 0) ON VIOLATION DROP ROW, CONSTRAINT has_name EXPECT (name IS NOT NULL))\n"
                 "AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id INT, v INT, name STRING');\n");
    test_put(&world->project, "in/1.json",
             "{\"id\":1,\"v\":5,\"name\":\"a\"}\n{\"id\":2,\"v\":-1,\"name\":\"b\"}\n{\"id\":3,\"v\":null,\"name\":\"c\"}\n"
             "{\"id\":4,\"v\":7,\"name\":null}\n{\"id\":5,\"v\":null,\"name\":null}\n");
    run(world);
    has(world->project.progress, "\"v_positive\":{\"passed_records\":2,\"failed_records\":3,\"null_records\":2}");
    has(world->project.progress, "\"has_name\":{\"passed_records\":3,\"failed_records\":2,\"null_records\":0}");
}

static void a_row_that_fails_the_update_is_named(void **state)
{
    World *world = *state;

    project_over_source(world, 2, NULL, "CREATE STREAMING TABLE t (CONSTRAINT low EXPECT (id < 3) ON VIOLATION FAIL UPDATE) AS SELECT * FROM STREAM src;\n");
    assert_int_equal(test_run(&world->project, NULL), PIPELINE_FAILED);
    has(world->project.errors, "expectation \"low\" of table \"spark_catalog.default.t\" does not hold for the row {'id': 3, 'k': NULL}");
}

/* ---- a full refresh may change the shape of a table ---- */

static void full_refresh(World *world, const char *table)
{
    PipelineRunOptions options = {.full_refresh = &table, .full_refresh_count = 1};

    if (test_run(&world->project, &options) != PIPELINE_DONE)
        fail_msg("%s", world->project.errors);
}

static void a_full_refresh_takes_up_types_partitions_and_fewer_columns(void **state)
{
    World *world = *state;

    project_over_source(world, 2, "  silt.quarantine: table\n",
                        "CREATE STREAMING TABLE t (CONSTRAINT low EXPECT (id < 2) ON VIOLATION DROP ROW) AS SELECT id, k, 1 AS gone FROM STREAM src;\n");
    run(world);
    project_over_source(world, 2, "  silt.quarantine: table\n",
                        "CREATE STREAMING TABLE t (CONSTRAINT low EXPECT (id < '2') ON VIOLATION DROP ROW) PARTITIONED BY (k)\n"
                        "AS SELECT k, CAST(id AS STRING) AS id FROM STREAM src;\n");
    assert_int_not_equal(test_run(&world->project, NULL), PIPELINE_DONE); /* without, it is a mistake */
    full_refresh(world, "t");
    expect(world, "SELECT * FROM t", "\"a\"|\"0\"\nnull|\"1\"");
    expect(world, "SELECT k, id, _silt_reasons FROM t_quarantine", "\"b\"|\"2\"|[\"low\"]\nnull|\"3\"|[\"low\"]");
    run(world);
    assert_int_equal(world->project.batches, 0);
    project_over_source(world, 3, "  silt.quarantine: table\n",
                        "CREATE STREAMING TABLE t (CONSTRAINT low EXPECT (id < '2') ON VIOLATION DROP ROW) PARTITIONED BY (k)\n"
                        "AS SELECT k, CAST(id AS STRING) AS id FROM STREAM src;\n");
    run(world);
    expect(world, "SELECT count(*) FROM t_quarantine", "4");
}

static void a_refresh_that_a_crash_left_takes_up_the_query_as_it_is_then(void **state)
{
    World *world = *state;

    project_over_source(world, 1, NULL, "CREATE STREAMING TABLE t AS SELECT id, k FROM STREAM src;\n");
    run(world);
    test_put(&world->project, "storage/_silt/refresh.json",
             "{\"spark_catalog.default.t\":{\"token\":\"00000000-0000-0000-0000-000000000001\",\"number\":{\"t\":1}}}");
    project_over_source(world, 1, NULL, "CREATE STREAMING TABLE t AS SELECT CAST(id AS STRING) AS id FROM STREAM src;\n");
    run(world);
    expect(world, "SELECT * FROM t", "\"0\"\n\"1\"");
    /* the mark comes back after a power cut: it is done, and the rows stay */
    test_put(&world->project, "storage/_silt/refresh.json",
             "{\"spark_catalog.default.t\":{\"token\":\"00000000-0000-0000-0000-000000000001\",\"number\":{\"t\":1}}}");
    project_over_source(world, 1, NULL, "CREATE STREAMING TABLE t AS SELECT id FROM STREAM src;\n");
    assert_int_equal(test_run(&world->project, NULL), PIPELINE_REFUSED);
    has(world->project.errors, "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE");
    expect(world, "SELECT * FROM t", "\"0\"\n\"1\"");
    full_refresh(world, "t");
    expect(world, "SELECT * FROM t", "0\n1");
}

/* ---- what feeds itself ---- */

static void a_flow_that_would_read_its_own_table_is_refused(void **state)
{
    static const char *const refused[] = {".", "spark-warehouse", "spark-warehouse/t", "spark-warehouse/*", "*/t/", "spark-warehouse/t/k=1", "**/*.parquet",
                                          "spark-warehouse/t_quarantine"};
    static const char *const accepted[] = {"in", "spark-warehouse/*.json", "spark-warehouse/tt", "spark-warehouse/x/*", "**/*.json"};
    World *world = *state;

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        test_project(&world->project, NULL,
                     arena_printf(world->arena, "CREATE STREAMING TABLE t AS SELECT a\nFROM STREAM read_files('%s', format => 'json', schema => 'a INT');\n", refused[i]));
        assert_int_equal(test_check(&world->project), -1);
        has(world->project.errors, "all.sql:2:");
        has(world->project.errors, "the flow would feed itself");
    }
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        test_project(&world->project, NULL,
                     arena_printf(world->arena, "CREATE STREAMING TABLE t AS SELECT a\nFROM STREAM read_files('%s', format => 'json', schema => 'a INT');\n", accepted[i]));
        if (test_check(&world->project) < 0)
            fail_msg("%s: %s", accepted[i], world->project.errors);
    }
    test_project(&world->project, NULL,
                 "CREATE MATERIALIZED VIEW t AS SELECT a FROM read_files('.', format => 'json', schema => 'a INT', pathGlobFilter => '*.json');\n");
    if (test_check(&world->project) < 0)
        fail_msg("%s", world->project.errors);
}

/* ---- errors in our words ---- */

static void a_subquery_with_two_rows_is_shown_at_its_place(void **state)
{
    World *world = *state;

    project_over_source(world, 1, NULL, "CREATE MATERIALIZED VIEW v AS SELECT id,\n  (SELECT id FROM src) AS x FROM src;\n");
    assert_int_equal(test_run(&world->project, NULL), PIPELINE_FAILED);
    has(world->project.errors, "SCALAR_SUBQUERY_TOO_MANY_ROWS transformations/all.sql:");
    has(world->project.errors, ":3 ");
}

static void a_stream_of_a_table_that_another_changed_says_how_to_go_on(void **state)
{
    World *world = *state;

    project_over_source(world, 1, NULL, "CREATE STREAMING TABLE t AS SELECT id FROM STREAM src;\n");
    run(world);
    full_refresh(world, "src");
    assert_int_equal(test_run(&world->project, NULL), PIPELINE_FAILED);
    has(world->project.errors, "flow \"spark_catalog.default.t\", batch 1: ");
    has(world->project.errors, " at version ");
    has(world->project.errors, "STREAM spark_catalog.default.src WITH ('skipChangeCommits' = 'true')");
    has(world->project.errors, "transformations/all.sql:3:");
}

static void errors_of_meaning_are_shown_beside_those_of_grammar(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL,
                 "CREATE MATERIALIZED VIEW a AS SELEC 1 AS x;\n"
                 "CREATE MATERIALIZED VIEW b AS SELECT y FROM a;\n"
                 "CREATE MATERIALIZED VIEW c AS SELECT nosuch FROM range(3);\n");
    assert_int_equal(test_check(&world->project), -1);
    has(world->project.errors, "all.sql:1:");
    has(world->project.errors, "all.sql:3:");
    if (strstr(world->project.errors, "all.sql:2:"))
        fail_msg("b has no mistake of its own: %s", world->project.errors);
}

static void an_odd_name_in_a_later_file_is_rescued(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL, "CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json');\n");
    test_put(&world->project, "in/a.json", "{\"a\":1}\n");
    run(world);
    test_put(&world->project, "in/b.json", "{\"a\":2,\"sp ace\":7,\"b\":3}\n");
    run(world);
    expect(world, "SELECT a, b, _rescued_data FROM t", "1|null|null\n2|3|\"{\\\"sp ace\\\":7,\\\"_file_path\\\":\\\"file:///p/in/b.json\\\"}\"");
    assert_int_equal(test_check(&world->project), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_view_of_values_is_made_once),
        TEST(a_view_may_have_many_common_table_expressions),
        TEST(a_stream_of_a_view_takes_its_rows_once),
        TEST(an_attempt_that_is_not_the_last_is_a_warning),
        TEST(a_once_flow_runs_once),
        TEST(a_stream_goes_on_where_it_stopped),
        TEST(expectations_count_every_row_for_each),
        TEST(refused_rows_go_to_quarantine_when_asked_for),
        TEST(refused_rows_say_where_they_came_from),
        TEST(a_failed_expectation_fails_the_flow_and_writes_nothing),
        TEST(a_full_refresh_reads_everything_again),
        TEST(an_unknown_table_to_refresh_is_refused),
        TEST(a_table_that_may_not_be_reset_is_spared),
        TEST(a_renamed_flow_is_refused),
        TEST(a_table_that_changes_its_kind_is_refused),
        TEST(a_new_column_of_the_query_is_added),
        TEST(two_flows_fill_one_table_by_name),
        TEST(a_view_with_another_query_is_computed_again),
        TEST(a_streaming_view_is_put_in_its_place),
        TEST(every_fault_of_a_project_is_told_at_once),
        TEST(a_second_process_is_told_and_leaves),
        TEST(a_checkpoint_of_another_table_is_refused),
        TEST(a_lost_checkpoint_is_refused),
        TEST(flows_side_by_side_give_the_same),
        TEST(a_new_field_in_the_files_becomes_a_column_in_the_same_run),
        TEST(a_view_of_files_is_computed_again_only_when_they_change),
        TEST(undecodable_records_are_counted_or_kept_as_the_setting_says),
        TEST(a_stream_is_joined_with_what_a_table_holds_now),
        TEST(the_clock_of_a_batch_stands_still),
        TEST(a_view_that_looks_at_the_clock_is_computed_every_time),
        TEST(a_common_table_expression_reads_its_stream_once),
        TEST(settings_of_a_file_go_with_its_flows),
        TEST(a_schema_of_its_own_is_a_folder_of_its_own),
        TEST(a_foreign_folder_is_not_taken_for_a_table),
        TEST(a_limit_counts_over_all_batches),
        TEST(types_nested_and_plain_come_through),
        TEST(fields_that_go_nowhere_are_counted),
        TEST(a_null_of_an_expectation_is_counted_apart),
        TEST(a_row_that_fails_the_update_is_named),
        TEST(a_full_refresh_takes_up_types_partitions_and_fewer_columns),
        TEST(a_refresh_that_a_crash_left_takes_up_the_query_as_it_is_then),
        TEST(a_flow_that_would_read_its_own_table_is_refused),
        TEST(a_subquery_with_two_rows_is_shown_at_its_place),
        TEST(a_stream_of_a_table_that_another_changed_says_how_to_go_on),
        TEST(errors_of_meaning_are_shown_beside_those_of_grammar),
        TEST(an_odd_name_in_a_later_file_is_rescued),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_scratch_remove();
    return failed;
}
