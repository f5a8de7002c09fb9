/* flow/deadletters_test.c - what was put comes out, however much it is */
#include "flow/internal.h"
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { PATTERN_BYTES = 3 << 20 };

typedef struct World {
    Io *io;
    char folder[64], key[128];
    DeadLetters *dead;
    char *pattern;
} World;

static int setup(void **state)
{
    World *w = silt_alloc(sizeof *w);

    w->io = io_new_local();
    snprintf(w->folder, sizeof w->folder, "/tmp/silt-dead-XXXXXX");
    assert_non_null(mkdtemp(w->folder));
    snprintf(w->key, sizeof w->key, "%s/_silt/staging/f", w->folder);
    w->dead = flow__dead_letters_new(w->io, w->key);
    w->pattern = silt_alloc(PATTERN_BYTES);
    for (int i = 0; i < PATTERN_BYTES; i++)
        w->pattern[i] = (char)(i * 2654435761u >> 13);
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    World *w = *state;
    char command[128];

    flow__dead_letters_free(w->dead);
    io_free(w->io);
    snprintf(command, sizeof command, "rm -rf %s", w->folder);
    assert_int_equal(system(command), 0);
    free(w->pattern);
    free(w);
    return 0;
}

/* Record i of a series: sizes from 0 bytes to more than is kept. */
static Str record_of(const World *w, int i)
{
    size_t size = i % 1000 == 7 ? (size_t)(PATTERN_BYTES - i) : (size_t)(i * 37 % 5000);

    return (Str){w->pattern + i % 1000, size > PATTERN_BYTES - 1000 ? PATTERN_BYTES - 1000 : size};
}

/* Every third one is a message; every other of these has a key, some a large one. */
static bool is_message(int i)
{
    return i % 3 == 1;
}

static FormatMessage message_of(const World *w, int i)
{
    Str key = {w->pattern + i % 100, i % 1000 == 7 ? (size_t)PATTERN_BYTES - 100 : (size_t)(i % 50)};

    return (FormatMessage){.key = i % 2 ? key : (Str){0}, .timestamp_us = i, .has_timestamp = i % 5 != 0};
}

static void put_series(World *w, int count)
{
    BatchInput input = {0};
    FormatSink sink = flow__dead_letters_sink(w->dead, &input);
    char reason[64];
    SiltErr err;

    for (int i = 0; i < count; i++) {
        snprintf(reason, sizeof reason, "reason %d", i);
        FormatMessage message = message_of(w, i);
        FormatBadRecord record = {.source = -1, .position = (int64_t)i * 1000, .line = i, .reason = reason, .bytes = record_of(w, i)};
        if (is_message(i))
            record.message = &message;
        assert_int_equal(sink.put(sink.self, &record, &err), 0);
    }
    assert_int_equal(flow__dead_letters_count(w->dead), count);
}

static Str first_part(Str bytes)
{
    return (Str){bytes.ptr, bytes.size > 1 << 20 ? 1 << 20 : bytes.size};
}

/* A number of this row, or -1 where it is NULL. */
static int64_t number_of(const Chunk *chunk, int column, int row)
{
    return column_is_null(chunk_column(chunk, column), (uint64_t)row) ? -1 : ((const int64_t *)chunk_column(chunk, column)->data)[row];
}

static void check_place(const World *w, const Chunk *chunk, int row, int i)
{
    FormatMessage message = message_of(w, i);
    const Column *key = chunk_column(chunk, 9);

    assert_true(column_is_null(chunk_column(chunk, 0), (uint64_t)row) && column_is_null(chunk_column(chunk, 5), (uint64_t)row));
    assert_int_equal(number_of(chunk, 1, row), is_message(i) ? -1 : (int64_t)i * 1000);
    assert_int_equal(number_of(chunk, 2, row), is_message(i) ? -1 : i);
    assert_int_equal(column_is_null(chunk_column(chunk, 6), (uint64_t)row), !is_message(i));
    assert_int_equal(number_of(chunk, 7, row), is_message(i) ? (int64_t)i * 1000 : -1);
    assert_int_equal(number_of(chunk, 8, row), is_message(i) && message.has_timestamp ? i : -1);
    assert_int_equal(column_is_null(key, (uint64_t)row), !is_message(i) || !message.key.ptr);
    if (is_message(i) && message.key.ptr)
        assert_true(str_equal(column_text(key, (uint64_t)row), first_part(message.key)));
}

static void check_series(World *w, int count)
{
    int64_t group;
    ChunkReader reader = flow__dead_letters_read(w->dead, &group);
    char reason[64];
    Chunk *chunk;
    SiltErr err;
    int i = 0;

    for (;;) {
        assert_int_equal(reader.next(reader.self, &chunk, &err), 0);
        if (!chunk)
            break;
        size_t bytes = 0;
        for (int row = 0; row < chunk_row_count(chunk); row++, i++) {
            Str want = first_part(record_of(w, i)), got = chunk_string((const ChunkString *)chunk_column(chunk, 4)->data + row);
            check_place(w, chunk, row, i);
            snprintf(reason, sizeof reason, "reason %d", i);
            assert_true(str_is(chunk_string((const ChunkString *)chunk_column(chunk, 3)->data + row), reason));
            assert_true(str_equal(want, got));
            bytes += got.size;
        }
        assert_true(bytes < 10 << 20); /* a chunk is no larger than memory allows either */
        chunk_unref(chunk);
    }
    assert_int_equal(i, count);
}

static void a_few_records_stay_in_memory(void **state)
{
    World *w = *state;
    int64_t group;

    put_series(w, 500);
    check_series(w, 500);
    check_series(w, 500);
    flow__dead_letters_read(w->dead, &group);
    assert_int_equal(group, 0);
    assert_int_not_equal(access(w->key, F_OK), 0);
}

static void many_records_go_to_a_file_and_come_back_in_order(void **state)
{
    World *w = *state;
    int64_t group;

    put_series(w, 60000); /* 150 MB and 60 large ones */
    assert_int_equal(access(w->key, F_OK), 0);
    check_series(w, 60000);
    check_series(w, 60000);
    flow__dead_letters_read(w->dead, &group);
    assert_true(group >= CHUNK_ROWS_MAX && group < 60000);
    flow__dead_letters_clear(w->dead);
    assert_int_equal(flow__dead_letters_count(w->dead), 0);
    put_series(w, 10000);
    check_series(w, 10000);
}

static void a_file_that_cannot_be_made_is_an_error(void **state)
{
    World *w = *state;
    BatchInput input = {0};
    FormatSink sink = flow__dead_letters_sink(w->dead, &input);
    FormatBadRecord record = {.source = -1, .reason = "r", .bytes = {w->pattern, 1 << 20}};
    SiltErr err;
    char path[128];
    int r = 0;

    snprintf(path, sizeof path, "%s/_silt", w->folder);
    assert_int_equal(io_put(w->io, path, STR("a file where a folder has to be"), &err), 0);
    for (int i = 0; i < 20 && r == 0; i++)
        r = sink.put(sink.self, &record, &err);
    assert_true(r < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_few_records_stay_in_memory, setup, teardown),
        cmocka_unit_test_setup_teardown(many_records_go_to_a_file_and_come_back_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_that_cannot_be_made_is_an_error, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
