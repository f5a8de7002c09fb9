/*
 * pipeline/extension_test.c - functions, sources and sinks of a program in whole projects, also crashed at every operation
 *
 * The source gives the numbers 1..until, two a batch. The sink keeps what it got by batch, as a system outside would: it outlives crashes, and
 * checks that a batch that comes again has the same rows.
 */
#include "pipeline/testkit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "duck/arrow.h"
#include "silt.h"

enum { BATCHES_MAX = 32 };

typedef struct Outside {
    long long until;
    bool broken_offsets;
    char batches[BATCHES_MAX][256]; /* what the sink holds, by batch id; "": nothing */
    char query_id[64];
    int fail_before, fail_after; /* the sink's calls that fail: before it has the rows, and with them safe; -1: none */
    int calls;
    char trouble[256]; /* a rule that was broken */
} Outside;

static void trouble(Outside *outside, const char *text)
{
    if (!outside->trouble[0])
        snprintf(outside->trouble, sizeof outside->trouble, "%s", text);
}

/* ---- source ---- */

/* One opened source: of one flow. */
typedef struct Opened {
    Outside *outside;
    long long committed;
} Opened;

static long long number_of(const char *offset)
{
    return offset ? atoll(offset + strlen("{\"n\":")) : 0;
}

static SiltStatus offset_of(long long n, char **out)
{
    char text[64];

    snprintf(text, sizeof text, "{\"n\":%lld}", n);
    *out = silt_strdup(text);
    return SILT_DONE;
}

static SiltStatus numbers_open(void *self, const SiltOption *options, int count, void **instance, char **schema, char message[SILT_MESSAGE_SIZE])
{
    for (int i = 0; i < count; i++) {
        if (!strcmp(options[i].name, "unknown")) {
            snprintf(message, SILT_MESSAGE_SIZE, "there is no option \"unknown\"");
            return SILT_REFUSED;
        }
    }
    Opened *opened = silt_alloc(sizeof *opened);
    opened->outside = self;
    *instance = opened;
    *schema = silt_strdup("n BIGINT, text STRING");
    return SILT_DONE;
}

static SiltStatus numbers_latest(void *instance, char **offset, char message[SILT_MESSAGE_SIZE])
{
    const Outside *outside = ((Opened *)instance)->outside;

    (void)message;
    if (outside->broken_offsets) {
        *offset = silt_strdup("seven");
        return SILT_DONE;
    }
    return outside->until ? offset_of(outside->until, offset) : SILT_END;
}

static SiltStatus numbers_next(void *instance, const char *start, const char *latest, char **end, char message[SILT_MESSAGE_SIZE])
{
    long long from = number_of(start), to = number_of(latest);

    (void)instance, (void)message;
    return offset_of(to - from > 2 ? from + 2 : to, end);
}

typedef struct Numbers {
    long long from, to;
} Numbers;

static const char *const number_names[] = {"n", "text"};
static const Type *number_types[2];

static int numbers_chunk(void *self, Chunk **out, SiltErr *err)
{
    Numbers *numbers = self;
    int rows = 0;

    (void)err;
    *out = NULL;
    if (numbers->from == numbers->to)
        return 0;
    Chunk *chunk = chunk_new(number_types, 2);
    for (; numbers->from < numbers->to; rows++) {
        char text[64];
        numbers->from++;
        snprintf(text, sizeof text, "number %lld, a text that is not short", numbers->from);
        ((int64_t *)chunk_column_mut(chunk, 0)->data)[rows] = numbers->from;
        column_set_string(chunk_column_mut(chunk, 1), (uint64_t)rows, text, strlen(text));
    }
    chunk_seal(chunk, rows);
    *out = chunk;
    return 0;
}

static SiltStatus numbers_read(void *instance, const char *start, const char *end, struct ArrowArrayStream *rows, char message[SILT_MESSAGE_SIZE])
{
    Opened *opened = instance;
    Outside *outside = opened->outside;
    Numbers *numbers = silt_alloc(sizeof *numbers);
    ChunkReader reader = {.self = numbers, .next = numbers_chunk, .close = free};

    (void)message;
    *numbers = (Numbers){number_of(start), number_of(end)};
    if (numbers->from < opened->committed)
        trouble(outside, "rows were asked for again that are in the table");
    if (numbers->to > outside->until)
        trouble(outside, "rows were asked for that are not there");
    arrow_export_stream(&reader, number_names, number_types, NULL, 2, rows);
    return SILT_DONE;
}

static SiltStatus numbers_committed(void *instance, const char *end, char message[SILT_MESSAGE_SIZE])
{
    Opened *opened = instance;

    (void)message;
    opened->committed = number_of(end);
    return SILT_DONE;
}

/* ---- sink ---- */

static SiltStatus keep_batch(void *instance, const SiltBatch *batch, struct ArrowArrayStream *rows, char message[SILT_MESSAGE_SIZE])
{
    Outside *outside = instance;
    char text[256] = "";
    struct ArrowArray array;
    int call = outside->calls++, error;

    if (call == outside->fail_before) {
        snprintf(message, SILT_MESSAGE_SIZE, "nobody is at home");
        return SILT_FAILED;
    }
    while ((error = rows->get_next(rows, &array)) == 0 && array.release) {
        for (int64_t i = 0; i < array.length; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%lld ", (long long)((const int64_t *)array.children[0]->buffers[1])[i]);
        array.release(&array);
    }
    if (error)
        return SILT_FAILED;
    if (outside->query_id[0] && strcmp(outside->query_id, batch->query_id) != 0)
        trouble(outside, "the query has another id");
    snprintf(outside->query_id, sizeof outside->query_id, "%s", batch->query_id);
    if (batch->id >= BATCHES_MAX || (batch->id > 0 && !outside->batches[batch->id - 1][0]))
        trouble(outside, "a batch came before its predecessor");
    else if (outside->batches[batch->id][0] && strcmp(outside->batches[batch->id], text) != 0)
        trouble(outside, "a batch came again with other rows");
    else
        memcpy(outside->batches[batch->id], text, sizeof text);
    if (call == outside->fail_after) {
        snprintf(message, SILT_MESSAGE_SIZE, "the line went dead");
        return SILT_FAILED;
    }
    return SILT_DONE;
}

static void sunk(const Outside *outside, StrBuf *out)
{
    for (int i = 0; i < BATCHES_MAX; i++)
        str_buf_puts(out, outside->batches[i]);
}

/* ---- function ---- */

/* twice(bigint): fails at 13. */
static SiltStatus twice(void *self, struct ArrowArray *arguments, struct ArrowArray *result, char message[SILT_MESSAGE_SIZE])
{
    const int64_t *in = arguments->children[0]->buffers[1];
    const Type *type = type_simple(TYPE_LONG);
    Chunk *chunk = chunk_new(&type, 1);
    struct ArrowArray rows;
    SiltErr err;

    (void)self;
    for (int64_t i = 0; i < arguments->length; i++) {
        if (in[i] == 13) {
            snprintf(message, SILT_MESSAGE_SIZE, "13 cannot be doubled");
            chunk_unref(chunk);
            return SILT_FAILED;
        }
        ((int64_t *)chunk_column_mut(chunk, 0)->data)[i] = in[i] * 2;
        if (arguments->children[0]->buffers[0] && !(((const uint8_t *)arguments->children[0]->buffers[0])[i / 8] >> i % 8 & 1))
            column_set_null(chunk_column_mut(chunk, 0), (uint64_t)i);
    }
    chunk_seal(chunk, (int)arguments->length);
    assert_int_equal(arrow_export_chunk(chunk, &rows, &err), 0);
    chunk_unref(chunk);
    *result = *rows.children[0];
    rows.children[0]->release = NULL;
    arrow_release_array(&rows);
    return SILT_DONE;
}

static const SiltFunction twice_function = {
    .name = "twice", .argument_types = (const char *const[]){"bigint"}, .argument_count = 1, .result_type = "bigint", .call = twice};

/* ---- the world ---- */

typedef struct World {
    TestProject project;
    Arena *arena;
    Outside outside;
    SiltSource source;
    SiltSink sink;
    const SiltSource *sources[1];
    const SiltSink *sinks[1];
    PipelineExtensions extensions;
} World;

static DuckEngine *engine; /* one for all worlds; it knows the function */
static const SiltFunction *const functions[] = {&twice_function};

static World *world_new(long long until)
{
    World *world = silt_alloc(sizeof *world);

    number_types[0] = type_simple(TYPE_LONG);
    number_types[1] = type_simple(TYPE_STRING);
    world->arena = arena_new();
    world->outside = (Outside){.until = until, .fail_before = -1, .fail_after = -1};
    world->source = (SiltSource){.name = "numbers", .self = &world->outside, .open = numbers_open, .close = free, .latest = numbers_latest, .next = numbers_next,
                                 .read = numbers_read, .committed = numbers_committed};
    world->sink = (SiltSink){.name = "keep", .self = &world->outside, .batch = keep_batch};
    world->sources[0] = &world->source;
    world->sinks[0] = &world->sink;
    world->extensions = (PipelineExtensions){functions, 1, world->sources, 1, world->sinks, 1};
    world->project = (TestProject){.io = io_new_memory(test_scratch(), 7), .directory = "/p", .engine = engine, .extensions = &world->extensions};
    return world;
}

static void world_free(World *world)
{
    io_free(world->project.io);
    arena_free(world->arena);
    free(world);
}

static int setup(void **state)
{
    *state = world_new(5);
    return 0;
}

static int teardown(void **state)
{
    world_free(*state);
    return 0;
}

static void run(World *world)
{
    if (test_run(&world->project, NULL) != PIPELINE_DONE)
        fail_msg("%s", world->project.errors);
    assert_string_equal(world->outside.trouble, "");
}

static void expect(World *world, const char *sql, const char *rows)
{
    assert_string_equal(test_query(&world->project, world->arena, sql), rows);
}

static void expect_sunk(const World *world, const char *rows)
{
    silt_auto(str_buf_fini) StrBuf got = {0};

    sunk(&world->outside, &got);
    assert_string_equal(str_buf_text(&got), rows);
}

static void fails(World *world, const char *error)
{
    assert_int_not_equal(test_run(&world->project, NULL), PIPELINE_DONE);
    if (!strstr(world->project.errors, error))
        fail_msg("no \"%s\" in: %s", error, world->project.errors);
}

static void a_source_is_read_in_its_own_batches(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL, "CREATE STREAMING TABLE t AS SELECT n, text FROM STREAM numbers(any => 1)");
    run(world);
    assert_int_equal(world->project.batches, 3);
    expect(world, "SELECT n FROM t", "1\n2\n3\n4\n5");
    expect(world, "SELECT text FROM t WHERE n = 5", "\"number 5, a text that is not short\"");
    run(world);
    assert_int_equal(world->project.batches, 0);
    world->outside.until = 6;
    run(world);
    assert_int_equal(world->project.batches, 1);
    expect(world, "SELECT count(*), sum(n) FROM t", "6|21");
}

static void a_batch_read_takes_all_that_is_there(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL, "CREATE MATERIALIZED VIEW v AS SELECT sum(n) AS s FROM numbers()");
    run(world);
    expect(world, "SELECT s FROM v", "15");
    run(world);
    assert_int_equal(world->project.batches, 0); /* its offset is the same: nothing to compute */
    world->outside.until = 0;
    expect(world, "SELECT count(*) FROM numbers()", "0");
}

static void a_function_is_called_like_any_other(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL, "CREATE STREAMING TABLE t AS SELECT twice(n) AS d FROM STREAM numbers() WHERE twice(n) > 4");
    run(world);
    expect(world, "SELECT d FROM t", "10\n6\n8");
    expect(world, "SELECT twice(CAST(x AS INT)) FROM VALUES ('4'), (NULL) AS v(x)", "8\nnull");
    expect(world, "SELECT twice(1, 2)", "ERROR WRONG_NUM_ARGS.WITHOUT_SUGGESTION twice takes 1 argument, not 2");
    expect(world, "SELECT twice(array(1))", "ERROR DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE argument 1 of twice must be BIGINT, not ARRAY<INT>");
    expect(world, "SELECT twice(13)", "ERROR FAILED_EXECUTE_UDF function \"twice\" failed: 13 cannot be doubled");
    expect(world, "SELECT CASE WHEN x = 13 THEN 0 ELSE twice(x) END FROM VALUES (13), (1) AS v(x)", "0\n2"); /* not run where it is not asked */
}

static void a_sink_gets_each_batch(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL,
                 "CREATE SINK s USING keep OPTIONS ('a' = 'b');\n"
                 "CREATE FLOW f AS INSERT INTO s BY NAME SELECT n * 10 AS n FROM STREAM numbers();\n");
    run(world);
    expect_sunk(world, "10 20 30 40 50 ");
    run(world);
    assert_int_equal(world->project.batches, 0);
    world->outside.until = 7;
    run(world);
    expect_sunk(world, "10 20 30 40 50 60 70 ");
    expect(world, "SELECT * FROM s", "ERROR  \"spark_catalog.default.s\" is a sink: its rows cannot be read here");
}

static void a_sink_that_fails_gets_the_batch_again(void **state)
{
    World *world = *state;

    test_project(&world->project, "  spark.sql.pipelines.maxFlowRetryAttempts: \"0\"\n",
                 "CREATE SINK s USING keep;\nCREATE FLOW f AS INSERT INTO s BY NAME SELECT n FROM STREAM numbers();\n");
    world->outside.fail_before = 1;
    fails(world, "could not take a batch: nobody is at home");
    expect_sunk(world, "1 2 ");
    world->outside.fail_after = world->outside.calls;
    fails(world, "could not take a batch: the line went dead");
    expect_sunk(world, "1 2 3 4 ");
    run(world);
    expect_sunk(world, "1 2 3 4 5 ");
}

static void a_full_refresh_gives_a_sink_everything_again(void **state)
{
    World *world = *state;
    static const char *const sinks[] = {"s"};

    test_project(&world->project, NULL, "CREATE SINK s USING keep;\nCREATE FLOW f AS INSERT INTO s BY NAME SELECT n FROM STREAM numbers();\n");
    run(world);
    memset(world->outside.batches, 0, sizeof world->outside.batches);
    world->outside.query_id[0] = 0; /* a new checkpoint is a new query */
    assert_int_equal(test_run(&world->project, &(PipelineRunOptions){.full_refresh = sinks, .full_refresh_count = 1}), PIPELINE_DONE);
    assert_string_equal(world->outside.trouble, "");
    expect_sunk(world, "1 2 3 4 5 ");
}

static void mistakes_are_told_at_their_place(void **state)
{
    World *world = *state;

    test_project(&world->project, NULL, "CREATE SINK s USING nosuch;\nCREATE FLOW f AS INSERT INTO s BY NAME SELECT n FROM STREAM numbers();\n");
    fails(world, "transformations/all.sql:1:21 there is no kind of sink \"nosuch\". Known are: kafka, keep. Others are brought");
    test_project(&world->project, NULL, "CREATE SINK s USING keep");
    fails(world, "all.sql:1:13 sink \"spark_catalog.default.s\" has no flow that fills it");
    test_project(&world->project, NULL, "CREATE STREAMING TABLE t AS SELECT n FROM STREAM numbers(unknown => 1)");
    fails(world, "source \"numbers\" could not be opened: there is no option \"unknown\"");
    test_project(&world->project, NULL, "CREATE STREAMING TABLE t AS SELECT n FROM STREAM numbers(1)");
    fails(world, "all.sql:1:58 numbers takes named constants only");
    world->outside.broken_offsets = true;
    test_project(&world->project, NULL, "CREATE STREAMING TABLE t AS SELECT n FROM STREAM numbers()");
    fails(world, "gave an offset that is no JSON of one line: seven");
}

/* ---- crashes ---- */

static const char crash_sql[] = "CREATE SINK s USING keep;\n"
                                "CREATE FLOW f AS INSERT INTO s BY NAME SELECT twice(n) AS n FROM STREAM numbers();\n"
                                "CREATE STREAMING TABLE t AS SELECT n, text FROM STREAM numbers();\n";

static void check_end(World *world, const char *when)
{
    silt_auto(str_buf_fini) StrBuf got = {0};

    if (test_run(&world->project, NULL) != PIPELINE_DONE)
        fail_msg("%s: %s", when, world->project.errors);
    sunk(&world->outside, &got);
    if (strcmp(str_buf_text(&got), "2 4 6 8 10 ") != 0 || world->outside.trouble[0])
        fail_msg("%s: the sink holds %s. %s", when, str_buf_text(&got), world->outside.trouble);
    const char *rows = test_query(&world->project, world->arena, "SELECT n FROM t");
    if (strcmp(rows, "1\n2\n3\n4\n5") != 0)
        fail_msg("%s: the table holds %s", when, rows);
}

static void after_any_crash_each_batch_is_there_once(void **state)
{
    static const IoFault faults[] = {IO_FAULT_FAIL, IO_FAULT_POWER};
    int64_t operations = 1;

    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        for (int64_t at = 0; at < operations; at++) {
            World *world = world_new(5);
            char when[64];
            snprintf(when, sizeof when, "fault %d at operation %lld", (int)faults[i], (long long)at);
            test_project(&world->project, "  spark.sql.pipelines.maxFlowRetryAttempts: \"0\"\n", crash_sql);
            if (at == 0) { /* how many there are */
                io_memory_arm(world->project.io, INT64_MAX, IO_FAULT_NONE);
                check_end(world, "undisturbed");
                operations = io_memory_operations(world->project.io);
            } else {
                io_memory_arm(world->project.io, at - 1, faults[i]);
                test_run(&world->project, NULL);
                io_memory_restart(world->project.io, false);
                check_end(world, when);
            }
            world_free(world);
        }
    }
    assert_true(operations > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_source_is_read_in_its_own_batches, setup, teardown),
        cmocka_unit_test_setup_teardown(a_batch_read_takes_all_that_is_there, setup, teardown),
        cmocka_unit_test_setup_teardown(a_function_is_called_like_any_other, setup, teardown),
        cmocka_unit_test_setup_teardown(a_sink_gets_each_batch, setup, teardown),
        cmocka_unit_test_setup_teardown(a_sink_that_fails_gets_the_batch_again, setup, teardown),
        cmocka_unit_test_setup_teardown(a_full_refresh_gives_a_sink_everything_again, setup, teardown),
        cmocka_unit_test_setup_teardown(mistakes_are_told_at_their_place, setup, teardown),
        cmocka_unit_test(after_any_crash_each_batch_is_there_once),
    };
    Arena *arena = arena_new();
    PipelineExtensions known = {.functions = functions, .function_count = 1};
    engine = duck_engine_new(&(DuckOptions){.threads = 1, .functions = extensions_functions(arena, &known).duck, .function_count = 1});
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    duck_engine_free(engine);
    arena_free(arena);
    test_scratch_remove();
    return failed;
}
