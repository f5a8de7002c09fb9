/* flow/checkpoint_test.c - Spark's bytes, and what is found after each way of stopping */
#include "flow/checkpoint.h"
#include "io/memory.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* As Spark 4.2 wrote it, but for shuffle.partitions (there 2). */
static const char spark_offsets[] =
    "v1\n"
    "{\"batchWatermarkMs\":0,\"batchTimestampMs\":1795967691717,\"conf\":{"
    "\"spark.sql.streaming.stateStore.providerClass\":\"org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider\","
    "\"spark.sql.streaming.stateStore.rocksdb.mergeOperatorVersion\":\"2\","
    "\"spark.sql.streaming.stateStore.rocksdb.formatVersion\":\"5\","
    "\"spark.sql.streaming.queryEvolution.enableSourceEvolution\":\"false\","
    "\"spark.sql.streaming.stateStore.encodingFormat\":\"unsaferow\","
    "\"spark.sql.streaming.statefulOperator.useStrictDistribution\":\"true\","
    "\"spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion\":\"2\","
    "\"spark.sql.streaming.multipleWatermarkPolicy\":\"min\","
    "\"spark.sql.streaming.stateStore.rowChecksum.enabled\":\"false\","
    "\"spark.sql.streaming.aggregation.stateFormatVersion\":\"2\","
    "\"spark.sql.function.protobufExtensions.enabled\":\"false\","
    "\"spark.sql.shuffle.partitions\":\"200\","
    "\"spark.sql.streaming.join.stateFormatVersion\":\"2\","
    "\"spark.sql.streaming.stateStore.compression.codec\":\"lz4\","
    "\"spark.sql.optimizer.pruneFiltersCanPruneStreamingSubplan\":\"false\"}}\n"
    "{\"logOffset\":2}\n"
    "-";

static Io *world(void)
{
    return io_new_memory(getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", 7);
}

static const char *text_of(Io *io, Arena *arena, const char *path)
{
    SiltErr err;
    Str text;

    return io_read(io, path, arena, &text, &err) == 0 ? text.ptr : NULL;
}

static CheckpointOffsets some_offsets(const char **lines, int count, int64_t time_ms)
{
    CheckpointOffsets offsets = {.batch_timestamp_ms = time_ms, .offsets = lines, .source_count = count};

    checkpoint_settings(NULL, offsets.settings);
    return offsets;
}

static void offsets_are_spark_s_bytes(void **state)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    const char *lines[] = {"{\"logOffset\":2}", NULL};
    CheckpointOffsets offsets = some_offsets(lines, 2, 1795967691717);

    (void)state;
    checkpoint_print_offsets(&text, &offsets);
    assert_string_equal(str_buf_text(&text), spark_offsets);
}

static void offsets_read_back_are_what_was_written(void **state)
{
    Arena *arena = arena_new();
    CheckpointOffsets offsets;
    SiltErr err;

    (void)state;
    assert_int_equal(checkpoint_parse_offsets(arena, str_of(spark_offsets), &offsets, &err), 0);
    assert_int_equal(offsets.source_count, 2);
    assert_string_equal(offsets.offsets[0], "{\"logOffset\":2}");
    assert_null(offsets.offsets[1]);
    assert_int_equal(offsets.batch_timestamp_ms, 1795967691717);
    silt_auto(str_buf_fini) StrBuf text = {0};
    checkpoint_print_offsets(&text, &offsets);
    assert_string_equal(str_buf_text(&text), spark_offsets);
    arena_free(arena);
}

static void offsets_by_another_hand_are_read_with_spark_s_old_defaults(void **state)
{
    Arena *arena = arena_new();
    CheckpointOffsets offsets;
    SiltErr err;
    Str text = STR("v1\n{ \"batchWatermarkMs\" : 5, \"batchTimestampMs\":7, \"extra\": 1, \"conf\":{} }\n{\"logOffset\":0}\n");

    (void)state;
    assert_int_equal(checkpoint_parse_offsets(arena, text, &offsets, &err), 0);
    assert_int_equal(offsets.source_count, 1);
    assert_int_equal(offsets.batch_watermark_ms, 5);
    assert_string_equal(offsets.settings[9], "1");     /* aggregation.stateFormatVersion */
    assert_string_equal(offsets.settings[5], "false"); /* useStrictDistribution */
    arena_free(arena);
}

static void broken_offsets_are_refused(void **state)
{
    static const char *const bad[] = {"", "v1", "v2\n{}", "v1\nnonsense", "v1\n[1]", "{\"batchWatermarkMs\":0}"};
    Arena *arena = arena_new();
    CheckpointOffsets offsets;
    SiltErr err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(checkpoint_parse_offsets(arena, str_of(bad[i]), &offsets, &err), -1);
        assert_int_equal(err.kind, SILT_CORRUPT);
    }
    assert_int_equal(checkpoint_parse_offsets(arena, STR("v1\n{}\n{\"logOffset\":2}\0\0{\"logOffset\":3}"), &offsets, &err), -1);
    assert_string_equal(err.message, "it holds zero bytes");
    arena_free(arena);
}

static void commits_are_spark_s_bytes(void **state)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    (void)state;
    checkpoint_print_commit(&text, 0);
    assert_string_equal(str_buf_text(&text), "v1\n{\"nextBatchWatermarkMs\":0}");
    assert_int_equal(text.size, 29);
}

static void a_new_checkpoint_has_an_id_and_nothing_else(void **state)
{
    Io *io = world();
    Arena *arena = arena_new();
    silt_auto(checkpoint_freep) Checkpoint *checkpoint = NULL;
    SiltErr err;

    (void)state;
    assert_int_equal(checkpoint_open(io, "/s/f", &checkpoint, &err), 0);
    assert_false(checkpoint_exists(checkpoint));
    assert_int_equal(checkpoint_create(checkpoint, &err), 0);
    assert_true(checkpoint_exists(checkpoint));
    assert_int_equal(checkpoint_last_offsets(checkpoint), -1);
    const char *text = text_of(io, arena, "/s/f/0/metadata");
    assert_int_equal(strlen(text), 45);
    assert_non_null(strstr(text, checkpoint_id(checkpoint)));
    arena_free(arena);
    checkpoint_freep(&checkpoint);
    checkpoint = NULL;
    io_free(io);
}

static void write_batches(Io *io, Checkpoint *checkpoint, int count)
{
    const char *lines[] = {"{\"logOffset\":0}"};
    SiltErr err;

    (void)io;
    for (int i = 0; i < count; i++) {
        CheckpointOffsets offsets = some_offsets(lines, 1, 1000 + i);
        assert_int_equal(checkpoint_write_offsets(checkpoint, i, &offsets, &err), 0);
        assert_int_equal(checkpoint_write_commit(checkpoint, i, 0, &err), 0);
        assert_int_equal(checkpoint_trim(checkpoint, 100, &err), 0);
    }
}

static void the_newest_hundred_batches_are_kept(void **state)
{
    Io *io = world();
    Arena *arena = arena_new();
    Checkpoint *checkpoint;
    SiltErr err;

    (void)state;
    assert_int_equal(checkpoint_open(io, "/s/f", &checkpoint, &err), 0);
    assert_int_equal(checkpoint_create(checkpoint, &err), 0);
    write_batches(io, checkpoint, 103);
    assert_null(text_of(io, arena, "/s/f/0/offsets/2"));
    assert_null(text_of(io, arena, "/s/f/0/commits/2"));
    assert_non_null(text_of(io, arena, "/s/f/0/offsets/3"));
    assert_non_null(text_of(io, arena, "/s/f/0/commits/102"));
    checkpoint_free(checkpoint);
    assert_int_equal(checkpoint_open(io, "/s/f", &checkpoint, &err), 0);
    assert_int_equal(checkpoint_last_commit(checkpoint), 102);
    checkpoint_free(checkpoint);
    arena_free(arena);
    io_free(io);
}

static void the_highest_number_is_the_checkpoint(void **state)
{
    Io *io = world();
    Checkpoint *checkpoint;
    SiltErr err;

    (void)state;
    assert_int_equal(checkpoint_create_at(io, "/s/f", 0, &err), 0);
    assert_int_equal(checkpoint_create_at(io, "/s/f", 10, &err), 0);
    assert_int_equal(checkpoint_create_at(io, "/s/f", 9, &err), 0);
    assert_int_equal(checkpoint_open(io, "/s/f", &checkpoint, &err), 0);
    assert_int_equal(checkpoint_number(checkpoint), 10);
    assert_string_equal(checkpoint_path(checkpoint), "/s/f/10");
    checkpoint_free(checkpoint);
    io_free(io);
}

static void offsets_without_metadata_are_refused(void **state)
{
    Io *io = world();
    Checkpoint *checkpoint;
    SiltErr err;

    (void)state;
    assert_int_equal(io_put(io, "/s/f/0/offsets/0", str_of(spark_offsets), &err), 0);
    assert_int_equal(checkpoint_open(io, "/s/f", &checkpoint, &err), -1);
    assert_string_equal(err.code, "STREAMING_CHECKPOINT_MISSING_METADATA_FILE");
    io_free(io);
}

static void foreign_files_are_left_alone(void **state)
{
    Io *io = world();
    Checkpoint *checkpoint;
    SiltErr err;

    (void)state;
    assert_int_equal(io_put(io, "/s/f/0/metadata", STR("{ \"id\" : \"abc\" }\n"), &err), 0);
    assert_int_equal(io_put(io, "/s/f/0/offsets/0", str_of(spark_offsets), &err), 0);
    assert_int_equal(io_put(io, "/s/f/0/offsets/.0.crc", STR("crc"), &err), 0);
    assert_int_equal(io_put(io, "/s/f/0/offsets/7.tmp", STR("x"), &err), 0);
    assert_int_equal(io_put(io, "/s/f/0/silt.json", STR("{}"), &err), 0);
    assert_int_equal(io_put(io, "/s/f/notes/0", STR("{}"), &err), 0);
    assert_int_equal(checkpoint_open(io, "/s/f", &checkpoint, &err), 0);
    assert_string_equal(checkpoint_id(checkpoint), "abc");
    assert_int_equal(checkpoint_last_offsets(checkpoint), 0);
    assert_int_equal(checkpoint_last_commit(checkpoint), -1);
    checkpoint_free(checkpoint);
    io_free(io);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_are_spark_s_bytes),
        cmocka_unit_test(offsets_read_back_are_what_was_written),
        cmocka_unit_test(offsets_by_another_hand_are_read_with_spark_s_old_defaults),
        cmocka_unit_test(broken_offsets_are_refused),
        cmocka_unit_test(commits_are_spark_s_bytes),
        cmocka_unit_test(a_new_checkpoint_has_an_id_and_nothing_else),
        cmocka_unit_test(the_newest_hundred_batches_are_kept),
        cmocka_unit_test(the_highest_number_is_the_checkpoint),
        cmocka_unit_test(offsets_without_metadata_are_refused),
        cmocka_unit_test(foreign_files_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
