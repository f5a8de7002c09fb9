/* pipeline/trial_test.c - a project's own tests, on a disk whose operations are counted */
#include "pipeline/testkit.h"
#include "pipeline/trial.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct World {
    TestProject project;
    Arena *arena;
    PipelineOutcome outcome;
    int passed, failed;
    char said[8192]; /* reports and errors of the last call */
} World;

static int setup(void **state)
{
    World *world = silt_alloc(sizeof *world);

    world->project.io = io_new_memory(NULL, 5);
    world->project.directory = "/p";
    world->arena = arena_new();
    test_project(&world->project, NULL,
                 "CREATE STREAMING TABLE t AS SELECT a, b FROM STREAM read_files('in', format => 'json', schema => 'a INT, b STRING');\n"
                 "CREATE MATERIALIZED VIEW n AS SELECT count(*) AS n FROM t");
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

static void say_errors(World *world, const SqlErrors *errors)
{
    for (int i = 0; i < errors->count; i++) {
        const SiltErr *err = &errors->items[i];
        size_t used = strlen(world->said);
        snprintf(world->said + used, sizeof world->said - used, "%s:%d:%d: %s\n", err->file, err->line, err->column, err->message);
    }
}

static void take_result(void *self, const PipelineTestResult *result)
{
    World *world = self;
    size_t used = strlen(world->said);

    world->passed += result->passed;
    world->failed += !result->passed;
    snprintf(world->said + used, sizeof world->said - used, "%s", result->report);
    say_errors(world, result->errors);
}

static void test(World *world)
{
    PipelineOptions options = {.io = world->project.io, .directory = world->project.directory, .threads = 1};
    PipelineTestOptions tests = {.self = world, .result = take_result};
    SqlErrors errors = {.arena = world->arena};
    Pipeline *pipeline;

    world->passed = world->failed = world->said[0] = 0;
    assert_int_equal(pipeline_open(&options, &pipeline, &errors), 0);
    world->outcome = pipeline_test(pipeline, &tests, &errors);
    say_errors(world, &errors);
    pipeline_close(pipeline);
}

static void a_test_changes_nothing_on_the_disk_of_its_project(void **state)
{
    World *world = *state;

    test_put(&world->project, "tests/a/in/1.json", "{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2}\n");
    test_put(&world->project, "tests/a/expect/t.csv", "b,a\n,2\nx,1\n");
    test_put(&world->project, "tests/a/expect/n.json", "{\"n\": 2}");
    io_memory_arm(world->project.io, -1, IO_FAULT_NONE);
    test(world);
    assert_string_equal(world->said, "");
    assert_int_equal(world->outcome, PIPELINE_DONE);
    assert_int_equal(world->passed, 1);
    assert_int_equal(io_memory_operations(world->project.io), 0); /* T1 */
}

static void rows_that_are_there_twice_count_twice(void **state)
{
    World *world = *state;

    test_put(&world->project, "tests/a/in/1.json", "{\"a\": 1}\n{\"a\": 1}\n{\"a\": 2}\n");
    test_put(&world->project, "tests/a/expect/t.csv", "a\n1\n2\n2\n");
    test(world);
    assert_int_equal(world->outcome, PIPELINE_FAILED);
    assert_string_equal(world->said, "  t: 1 row missing, 1 row not expected (tests/a/expect/t.csv)\n"
                                     "      a\n"
                                     "    - 2\n"
                                     "    + 1\n");
}

static void widths_and_columns_are_counted_in_characters(void **state)
{
    World *world = *state;

    test_put(&world->project, "tests/a/in/1.json", "{\"a\": 1, \"b\": \"\xc3\xa4\xc3\xb6\"}\n{\"a\": 2, \"b\": \"abcd\"}\n");
    test_put(&world->project, "tests/a/expect/t.csv", "b,a\n");
    test(world);
    assert_string_equal(world->said, "  t: 2 rows not expected (tests/a/expect/t.csv)\n"
                                     "      b       a\n"
                                     "    + \"abcd\"  2\n"
                                     "    + \"\xc3\xa4\xc3\xb6\"    1\n");
    test_put(&world->project, "tests/a/expect/t.csv", "\"\xc3\xa4\",a\n1,1\n");
    test(world);
    assert_string_equal(world->said, "tests/a/expect/t.csv:1:2: \"t\" has no column \"\xc3\xa4\"\n");
    test_put(&world->project, "tests/a/expect/t.csv", "b,aa\n1,1\n");
    test(world);
    assert_string_equal(world->said, "tests/a/expect/t.csv:1:3: \"t\" has no column \"aa\"\n");
}

static void a_column_without_a_name_is_refused(void **state)
{
    World *world = *state;

    test_put(&world->project, "tests/a/in/1.json", "{\"a\": 1}\n");
    test_put(&world->project, "tests/a/expect/t.csv", "a,\n1,\n");
    test(world);
    assert_string_equal(world->said, "tests/a/expect/t.csv:1:1: column 2 has no name\n");
}

static void a_missing_number_is_refused_before_anything_runs(void **state)
{
    World *world = *state;

    test_put(&world->project, "tests/a/2/in/1.json", "{\"a\": 1}\n");
    test_put(&world->project, "tests/b/0/in/1.json", "{\"a\": 1}\n");
    test(world);
    assert_int_equal(world->outcome, PIPELINE_REFUSED);
    assert_int_equal(world->passed + world->failed, 0);
    assert_string_equal(world->said, "tests/a:0:0: has a folder 2, but only 0 of those before it\n"
                                     "tests/b/0:0:0: is no number of an update\n");
}

static void a_stopped_clock_moves_by_sleeping_only(void **state)
{
    World *world = *state;
    Io *io = world->project.io;
    IoStat stat;
    SiltErr err;

    io_memory_stop_clock(io, 77000000);
    assert_int_equal(io_now_us(io), 77000000);
    test_put(&world->project, "x", "y");
    assert_int_equal(io_stat(io, "/p/x", &stat, &err), 0);
    assert_int_equal(stat.modified_us, 77000000);
    io_sleep_ms(io, 5);
    assert_int_equal(io_now_us(io), 77005000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_test_changes_nothing_on_the_disk_of_its_project, setup, teardown),
        cmocka_unit_test_setup_teardown(rows_that_are_there_twice_count_twice, setup, teardown),
        cmocka_unit_test_setup_teardown(widths_and_columns_are_counted_in_characters, setup, teardown),
        cmocka_unit_test_setup_teardown(a_column_without_a_name_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_missing_number_is_refused_before_anything_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(a_stopped_clock_moves_by_sleeping_only, setup, teardown),
    };

    return cmocka_run_group_tests_name("trial", tests, NULL, NULL);
}
