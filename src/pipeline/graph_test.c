/* pipeline/graph_test.c - datasets, flows, who reads whom, and the order that follows (faults: run_test.c) */
#include "pipeline/graph.h"
#include "io/memory.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct World {
    Io *io;
    Arena *arena;
    SqlErrors errors;
    PipelineSpec *spec;
    Graph *graph;
} World;

static int setup(void **state)
{
    World *world = silt_alloc(sizeof *world);

    world->io = io_new_memory(getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", 1);
    world->arena = arena_new();
    world->errors.arena = world->arena;
    *state = world;
    return 0;
}

static int teardown(void **state)
{
    World *world = *state;

    io_free(world->io);
    arena_free(world->arena);
    free(world);
    return 0;
}

static void put(World *world, const char *path, const char *text)
{
    SiltErr err;
    assert_int_equal(io_put(world->io, path, str_of(text), &err), 0);
}

static void build(World *world)
{
    put(world, "/p/spark-pipeline.yml", "name: n\nstorage: file:///s\nlibraries:\n- glob: {include: t/**}\n");
    assert_int_equal(spec_load(world->io, world->arena, "/p/spark-pipeline.yml", NULL, 0, &world->spec, &world->errors), 0);
    if (graph_build(world->io, world->arena, world->spec, &world->graph, &world->errors) < 0)
        fail_msg("%s %s", world->errors.items[0].code, world->errors.items[0].message);
}

static void expect_order(World *world, const char *names)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    for (int i = 0; i < world->graph->flow_count; i++) {
        assert_int_equal(world->graph->flows[i]->index, i);
        str_buf_printf(&text, "%s%s", i ? " " : "", world->graph->flows[i]->label);
    }
    assert_string_equal(str_buf_text(&text), names);
}

static void a_flow_stands_behind_those_that_it_reads(void **state)
{
    World *world = *state;

    put(world, "/p/t/1.sql", "CREATE MATERIALIZED VIEW c AS SELECT * FROM v;\nCREATE TEMPORARY VIEW v AS SELECT * FROM (SELECT * FROM b WHERE id IN (SELECT id FROM d));\n");
    put(world, "/p/t/2.sql", "CREATE STREAMING TABLE b AS SELECT * FROM STREAM a;\nCREATE MATERIALIZED VIEW d AS SELECT 1 AS id;\n");
    put(world, "/p/t/3.sql", "CREATE STREAMING TABLE a AS SELECT * FROM STREAM delta.`/x`;\n");
    build(world);
    expect_order(world, "a b d c");
    assert_int_equal(world->graph->flows[3]->read_count, 2);
}

static void a_common_table_expression_hides_a_table_of_its_name(void **state)
{
    World *world = *state;

    put(world, "/p/t/1.sql", "CREATE MATERIALIZED VIEW x AS WITH y AS (SELECT 1 AS a) SELECT * FROM y;\nCREATE MATERIALIZED VIEW y AS SELECT * FROM x;\n");
    build(world);
    expect_order(world, "x y");
    assert_int_equal(world->graph->flows[0]->read_count, 0);
}

static void set_and_use_reach_to_the_end_of_their_file(void **state)
{
    World *world = *state;

    put(world, "/p/t/1.sql",
        "CREATE MATERIALIZED VIEW a AS SELECT 1 AS x;\nSET TIME ZONE 'Asia/Tokyo';\nUSE SCHEMA other;\nCREATE MATERIALIZED VIEW b AS SELECT 1 AS x;\n");
    put(world, "/p/t/2.sql", "CREATE MATERIALIZED VIEW c AS SELECT * FROM other.b;\n");
    build(world);
    Dataset *a = graph_dataset(world->graph, "a"), *b = graph_dataset(world->graph, "b"), *c = graph_dataset(world->graph, "default.c");
    assert_string_equal(a->name, "spark_catalog.default.a");
    assert_string_equal(b->name, "spark_catalog.other.b");
    assert_string_equal(b->path, "/p/spark-warehouse/other.db/b");
    assert_string_equal(c->path, "/p/spark-warehouse/c");
    assert_null(conf_get(a->scope.conf, "spark.sql.session.timeZone"));
    assert_string_equal(conf_get(b->scope.conf, "spark.sql.session.timeZone"), "Asia/Tokyo");
    assert_null(conf_get(c->scope.conf, "spark.sql.session.timeZone"));
    assert_ptr_equal(c->flows[0]->reads[0], b);
}

static void names_of_tables_count_without_case(void **state)
{
    World *world = *state;

    put(world, "/p/t/1.sql", "CREATE MATERIALIZED VIEW t AS SELECT * FROM tAB;\nCREATE MATERIALIZED VIEW Tab AS SELECT 1 AS x;\n");
    build(world);
    expect_order(world, "Tab t");
    assert_string_equal(graph_dataset(world->graph, "TAB")->path, "/p/spark-warehouse/tab");
}

static void a_statement_parsed_again_keeps_its_places(void **state)
{
    World *world = *state;
    Statement *again;
    SiltErr err;

    put(world, "/p/t/1.sql", "-- \xc3\xa4\nSET TIME ZONE 'UTC'; /* \xc3\xa4\xc3\xb6 */ CREATE MATERIALIZED VIEW a AS\n  SELECT 1 AS x;\n");
    build(world);
    const GraphFlow *flow = world->graph->flows[0];
    assert_int_equal(sql_parse_again(world->arena, flow->statement, &again, &err), 0);
    assert_int_equal(again->name.pos.line, flow->statement->name.pos.line);
    assert_int_equal(again->name.pos.column, flow->statement->name.pos.column);
    assert_int_equal(again->query->pos.line, 3);
    assert_int_equal(again->query->pos.column, 3);
    assert_true(sql_query_equal(again->query, flow->statement->query));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_flow_stands_behind_those_that_it_reads),   TEST(a_common_table_expression_hides_a_table_of_its_name),
        TEST(set_and_use_reach_to_the_end_of_their_file), TEST(names_of_tables_count_without_case),
        TEST(a_statement_parsed_again_keeps_its_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
