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

    world->project.io = io_new_memory(getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", 11);
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

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_view_of_values_is_made_once),
        TEST(a_stream_of_a_view_takes_its_rows_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
