/* source/file_log_test.c - the log of files against a plain list of what was put into it: long, damaged, and with every operation failing */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/memory.h"
#include "source/file_log.h"
#include "source/seen_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct World {
    Io *io;
    char scratch[64];
    Arena *arena;
    SiltErr err;
} World;

static int set_up(void **state)
{
    World *w = silt_alloc(sizeof *w);
    strcpy(w->scratch, "/tmp/silt-file-log-test-XXXXXX");
    assert_non_null(mkdtemp(w->scratch));
    w->io = io_new_memory(w->scratch, 7);
    w->arena = arena_new();
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    World *w = *state;
    io_free(w->io);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", w->scratch);
    assert_int_equal(system(command), 0);
    arena_free(w->arena);
    free(w);
    return 0;
}

/* File number i of a batch, always the same; one name in a hundred has to be escaped. */
static LogFile file_of(World *w, int64_t batch, int i)
{
    return (LogFile){arena_printf(w->arena, "file:///in/%lld-%d%s", (long long)batch, i, batch % 100 == 55 ? "\\\"" : ""), 1000 * batch + i, batch};
}

static FileLog *open_log(World *w, const FileLogOptions *options)
{
    FileLog *log;
    if (file_log_open(w->io, "/log", options, &log, &w->err) < 0)
        fail_msg("%s", w->err.message);
    return log;
}

static int add(World *w, FileLog *log, int64_t batch, int count)
{
    LogFile files[8];
    for (int i = 0; i < count; i++)
        files[i] = file_of(w, batch, i);
    return file_log_add(log, files, count, &w->err);
}

static bool has(World *w, FileLog *log, LogFile file)
{
    bool known;
    if (file_log_known(log, &file, 1, &known, &w->err) < 0)
        fail_msg("%s", w->err.message);
    return known;
}

/* The log holds batches 0..last of `count` files each, and nothing else. */
static void check(World *w, FileLog *log, int64_t last, int count)
{
    assert_int_equal(file_log_latest(log), last);
    assert_int_equal(file_log_count(log), (last + 1) * count);
    assert_int_equal(file_log_newest_ms(log), 1000 * last + count - 1);
    int asked_count = (int)(last + 3) * count, found;
    LogFile *asked = ARENA_ARRAY(w->arena, LogFile, asked_count), *range;
    bool *known = ARENA_ARRAY(w->arena, bool, asked_count);
    for (int i = 0; i < asked_count; i++)
        asked[i] = file_of(w, i / count - (i / count > last + 1 ? 10000 : 0), i % count);
    assert_int_equal(file_log_known(log, asked, asked_count, known, &w->err), 0);
    for (int i = 0; i < asked_count; i++)
        assert_int_equal(known[i], i / count <= last);
    for (int64_t start = -1; start < last; start += last / 5 + 1)
        for (int64_t end = start; end <= last; end += last / 3 + 1) {
            assert_int_equal(file_log_range(log, start, end, w->arena, &range, &found, &w->err), 0);
            assert_int_equal(found, (end - start) * count);
            for (int i = 0; i < found; i++) {
                LogFile want = file_of(w, start + 1 + i / count, i % count);
                assert_string_equal(range[i].uri, want.uri);
                assert_int_equal(range[i].timestamp_ms, want.timestamp_ms);
                assert_int_equal(range[i].batch, want.batch);
            }
        }
}

static const char *content(World *w, const char *path)
{
    Str text;
    int r = io_read(w->io, path, w->arena, &text, &w->err);
    return r == 0 ? text.ptr : "ABSENT";
}

static int count_names(World *w, const char *suffix)
{
    IoList list;
    int count = 0;
    assert_int_equal(io_list(w->io, "/log", w->arena, &list, &w->err), 0);
    for (int i = 0; i < list.count; i++)
        count += str_ends(str_of(list.entries[i].name), suffix);
    return count;
}

static int lines(const char *text)
{
    int count = 0;
    for (const char *p = text; (p = strchr(p, '\n')) != NULL; p++)
        count++;
    return count;
}

static void a_long_log_is_silts_own_until_spark_needs_it(void **state)
{
    World *w = *state;
    FileLogOptions options = {.spark_files_max = 40};
    FileLog *log = open_log(w, &options), *again;
    for (int batch = 0; batch < 100; batch++)
        assert_int_equal(add(w, log, batch, 3), 0);
    assert_string_not_equal(content(w, "/log/9.compact"), "ABSENT");
    assert_string_not_equal(content(w, "/log/19.silt"), "ABSENT");
    assert_string_equal(content(w, "/log/99.compact"), "ABSENT");
    assert_false(file_log_is_sparks(log));
    for (int finished = 0; finished < 2; finished++) {
        again = open_log(w, &options);
        check(w, again, 99, 3);
        file_log_close(again);
        assert_int_equal(file_log_finish(log, &w->err), 0); /* this process has added all of it, so that is cheap */
    }
    assert_true(file_log_is_sparks(log));
    assert_int_equal(lines(content(w, "/log/99.compact")), 300); /* what Spark reads */
    file_log_close(log);

    log = open_log(w, &options);
    for (int batch = 100; batch < 110; batch++)
        assert_int_equal(add(w, log, batch, 3), 0);
    assert_int_equal(file_log_finish(log, &w->err), 0); /* 30 of 330 files: to write them all again is left to an export */
    assert_string_equal(content(w, "/log/109.compact"), "ABSENT");
    assert_false(file_log_is_sparks(log));
    assert_int_equal(file_log_export(log, &w->err), 0);
    assert_true(file_log_is_sparks(log));
    assert_int_equal(lines(content(w, "/log/109.compact")), 330);
    check(w, log, 109, 3);
    file_log_close(log);
}

static void what_is_behind_the_seen_files_is_little(void **state)
{
    World *w = *state;
    FileLogOptions options = {.spark_files_max = 40, .held_files_max = 64};
    FileLog *log = open_log(w, &options);
    for (int batch = 0; batch < 500; batch++) {
        assert_int_equal(add(w, log, batch, 3), 0);
        io_sleep_ms(w->io, 2000);
        if (batch % 7 != 6)
            continue;
        assert_int_equal(file_log_finish(log, &w->err), 0);
        file_log_close(log);
        log = open_log(w, &options);
        assert_in_range(file_log_bytes(log), 0, 256 * 16);
    }
    check(w, log, 499, 3);
    assert_in_range(count_names(w, ".seen"), 1, 8);
    io_sleep_ms(w->io, 11 * 60 * 1000);
    for (int batch = 500; batch < 520; batch++)
        assert_int_equal(add(w, log, batch, 3), 0);
    assert_int_equal(file_log_finish(log, &w->err), 0);
    assert_in_range(count_names(w, ""), 1, 40); /* batches that are in a seen file are gone */
    check(w, log, 519, 3);
    assert_int_equal(file_log_export(log, &w->err), 0);
    assert_int_equal(lines(content(w, "/log/519.compact")), 520 * 3);
    file_log_close(log);
}

static void batches_of_spark_are_found_behind_ours(void **state)
{
    World *w = *state;
    FileLogOptions options = {.spark_files_max = 10, .held_files_max = 32};
    FileLog *log = open_log(w, &options);
    for (int batch = 0; batch < 45; batch++)
        assert_int_equal(add(w, log, batch, 2), 0);
    assert_int_equal(file_log_export(log, &w->err), 0);
    file_log_close(log);
    silt_auto(str_buf_fini) StrBuf text = {0}; /* Spark does 45 to 60, and its plain files are gone, as are ours */
    str_buf_puts(&text, "v1");
    for (int batch = 0; batch < 60; batch++)
        for (int i = 0; i < 2; i++) {
            LogFile file = file_of(w, batch, i);
            log_text_put(&text, str_of(file.uri), file.timestamp_ms, batch);
        }
    assert_int_equal(io_put(w->io, "/log/59.compact", str_buf_view(&text), &w->err), 0);
    for (int batch = 0; batch < 50; batch++)
        assert_int_equal(io_delete(w->io, arena_printf(w->arena, "/log/%d", batch), &w->err), 0);
    log = open_log(w, &options);
    check(w, log, 59, 2);
    assert_int_equal(add(w, log, 60, 2), 0);
    assert_int_equal(file_log_finish(log, &w->err), 0);
    check(w, log, 60, 2);
    file_log_close(log);
}

static void a_time_makes_another_file_when_it_should(void **state)
{
    World *w = *state;
    FileLogOptions options = {.held_files_max = 32};
    FileLog *log = open_log(w, &options);
    for (int batch = 0; batch < 30; batch++)
        assert_int_equal(add(w, log, batch, 3), 0);
    for (int by_time = 0; by_time < 2; by_time++) {
        assert_int_equal(file_log_finish(log, &w->err), 0);
        file_log_close(log);
        options.by_time = by_time;
        log = open_log(w, &options);
        for (int batch = 0; batch < 30; batch++) {
            LogFile file = file_of(w, batch, 1);
            assert_true(has(w, log, file));
            file.timestamp_ms += 1;
            assert_int_equal(has(w, log, file), !by_time);
        }
    }
    file_log_close(log);
}

static void skipped_files_are_known(void **state)
{
    World *w = *state;
    FileLogOptions options = {.held_files_max = 32};
    FileLog *log = open_log(w, &options);
    LogFile skipped[40];
    for (int i = 0; i < 40; i++)
        skipped[i] = (LogFile){arena_printf(w->arena, "file:///in/old-%d", i), i, -1};
    assert_int_equal(file_log_skip(log, skipped, 40, &w->err), 0);
    assert_int_equal(count_names(w, "-1to-1.seen"), 1);
    for (int run = 0; run < 12; run++) {
        assert_true(file_log_has_skipped(log));
        assert_int_equal(file_log_count(log), 40 + 2 * run);
        for (int i = 0; i < 40; i++)
            assert_true(has(w, log, skipped[i]));
        assert_int_equal(add(w, log, run, 2), 0);
        assert_int_equal(file_log_finish(log, &w->err), 0);
        file_log_close(log);
        log = open_log(w, &options);
    }
    assert_int_equal(file_log_export(log, &w->err), 0);
    assert_int_equal(lines(content(w, "/log/9.compact")), 20); /* Spark never hears of them */
    file_log_close(log);
}

/* ---- damage ---- */

/* Batches 0..39 in one seen file, and for plain files deleted nothing but it. */
static Str make_seen_only(World *w, const FileLogOptions *options, const char **path)
{
    FileLog *log = open_log(w, options);
    for (int batch = 0; batch < 40; batch++)
        assert_int_equal(add(w, log, batch, 6), 0);
    io_sleep_ms(w->io, 11 * 60 * 1000);
    assert_int_equal(file_log_finish(log, &w->err), 0);
    file_log_close(log);
    *path = "/log/-1to39.seen";
    Str bytes;
    assert_int_equal(io_read(w->io, *path, w->arena, &bytes, &w->err), 0);
    return bytes;
}

static void damage_is_mended_or_told_but_never_believed(void **state)
{
    World *w = *state;
    FileLogOptions options = {.spark_files_max = 1, .held_files_max = 300};
    const char *path;
    Str good = make_seen_only(w, &options, &path);
    int mended = 0, told = 0;
    for (size_t at = 0; at < good.size + 3; at += at < good.size - 120 ? 61 : 1) {
        char *bytes = arena_strndup(w->arena, good.ptr, good.size);
        Str bad = {bytes, good.size};
        if (at < good.size)
            bytes[at] ^= 0x10;
        else
            bad.size = at == good.size ? good.size - 1 : at == good.size + 1 ? 7 : 0; /* cut */
        assert_int_equal(io_put(w->io, path, bad, &w->err), 0);
        FileLog *log;
        int r = file_log_open(w->io, "/log", &options, &log, &w->err), found;
        if (r == 0) {
            LogFile *range, asked = file_of(w, 7, 3), other = file_of(w, 50, 1);
            bool known[2];
            r = file_log_known(log, (LogFile[]){asked, other}, 2, known, &w->err);
            if (r == 0)
                assert_true(known[0] && !known[1]);
            if (r == 0)
                r = file_log_range(log, -1, 39, w->arena, &range, &found, &w->err);
            if (r == 0)
                r = file_log_finish(log, &w->err);
            if (r == 0)
                check(w, log, 39, 6);
            file_log_close(log);
        }
        if (r == 0) {
            log = open_log(w, &options); /* by another process, too */
            check(w, log, 39, 6);
            file_log_close(log);
            mended++;
        } else {
            assert_int_equal(w->err.kind, SILT_CORRUPT);
            told++;
        }
    }
    assert_in_range(mended, 50, 5000);
    assert_in_range(told, 50, 5000);
}

static void damage_costs_nothing_while_sparks_files_are_there(void **state)
{
    World *w = *state;
    FileLogOptions options = {.held_files_max = 300};
    const char *path;
    Str good = make_seen_only(w, &options, &path);
    for (size_t at = 0; at < good.size; at += 40) {
        char *bytes = arena_strndup(w->arena, good.ptr, good.size);
        bytes[good.size - 1 - at % 80] ^= 1; /* the foot */
        assert_int_equal(io_put(w->io, path, (Str){bytes, good.size}, &w->err), 0);
        FileLog *log = open_log(w, &options);
        check(w, log, 39, 6);
        assert_int_equal(file_log_finish(log, &w->err), 0);
        file_log_close(log);
        SeenFile *mended;
        assert_int_equal(seen_file_open(w->io, path, &mended, &w->err), 0);
        assert_int_equal(seen_file_range(mended)->count, 240);
        seen_file_close(mended);
    }
}

static void many_keys_are_found(void **state)
{
    World *w = *state;
    enum { FILES = 30000 };
    FileLogOptions options = {.spark_files_max = 1, .held_files_max = 10000};
    FileLog *log = open_log(w, &options);
    LogFile *files = ARENA_ARRAY(w->arena, LogFile, 2 * FILES);
    bool *known = ARENA_ARRAY(w->arena, bool, 2 * FILES);
    for (int i = 0; i < 2 * FILES; i++)
        files[i] = (LogFile){arena_printf(w->arena, "file:///in/2026/%d/part-%05d.json", i / 1000, i), i, 0};
    for (int i = 0; i < FILES; i += 1000)
        assert_int_equal(file_log_add(log, files + i, 1000, &w->err), 0);
    file_log_close(log);
    log = open_log(w, &options);
    assert_int_equal(file_log_count(log), FILES);
    assert_in_range(file_log_bytes(log), 0, 40 * 10000);
    assert_int_equal(file_log_known(log, files, 2 * FILES, known, &w->err), 0);
    for (int i = 0; i < 2 * FILES; i++)
        assert_int_equal(known[i], i < FILES);
    file_log_close(log);
}

/* The form of a seen file is kept on disks: a hash that changes would forget them all. */
static void a_key_is_what_it_was(void **state)
{
    (void)state;
    SeenKey key = seen_key(STR("file:///in/2026/11/30/part-00000.json"), 0);
    assert_true(key.a == UINT64_C(0x9cd26025f847ecf5) && key.b == UINT64_C(0xddfa19733d97015f));
}

/* ---- faults ---- */

enum { FAULT_BATCHES = 22, FAULT_FILES = 3 };
static const FileLogOptions fault_options = {.spark_files_max = 20, .held_files_max = 24};

/* Batches from where the log is on, a finish and a pause here and there. */
static int drive(World *w, FileLog *log)
{
    SILT_TRY(io_sync(w->io, "/log", &w->err) < 0 ? -1 : 0); /* flow does so before it builds on what it found */
    while (file_log_latest(log) + 1 < FAULT_BATCHES) {
        int64_t batch = file_log_latest(log) + 1;
        SILT_TRY(add(w, log, batch, FAULT_FILES));
        if (batch % 6 == 5) {
            io_sleep_ms(w->io, 11 * 60 * 1000);
            SILT_TRY(file_log_finish(log, &w->err));
        }
    }
    SILT_TRY(file_log_finish(log, &w->err));
    return file_log_export(log, &w->err);
}

/* True if the fault came. */
static bool disturb(World *w, int64_t at, IoFault fault, IoLoss loss, bool same_process)
{
    io_free(w->io);
    w->io = io_new_memory(w->scratch, 7);
    FileLog *log = open_log(w, &fault_options);
    io_memory_loss(w->io, loss);
    io_memory_arm(w->io, at, fault);
    int r = drive(w, log);
    bool fired = io_memory_fault_fired(w->io);
    if (same_process && r < 0) {
        r = file_log_settle(log, &w->err);
        if (r < 0)
            fail_msg("operation %lld: %s", (long long)at, w->err.message);
    } else {
        file_log_close(log);
        io_memory_restart(w->io, false);
        log = open_log(w, &fault_options);
    }
    if (drive(w, log) < 0)
        fail_msg("operation %lld: %s", (long long)at, w->err.message);
    check(w, log, FAULT_BATCHES - 1, FAULT_FILES);
    file_log_close(log);
    io_memory_restart(w->io, true);
    log = open_log(w, &fault_options);
    check(w, log, FAULT_BATCHES - 1, FAULT_FILES);
    assert_true(file_log_is_sparks(log));
    assert_int_equal(lines(content(w, "/log/19.compact")), 20 * FAULT_FILES);
    file_log_close(log);
    arena_reset(w->arena);
    return fired;
}

static void every_operation_may_fail(void **state)
{
    World *w = *state;
    static const struct {
        IoFault fault;
        IoLoss loss;
    } kinds[] = {{IO_FAULT_FAIL, IO_LOSS_NAMES}, {IO_FAULT_LIE, IO_LOSS_NAMES}, {IO_FAULT_HALF, IO_LOSS_NAMES}, {IO_FAULT_POWER, IO_LOSS_NAMES},
                 {IO_FAULT_POWER, IO_LOSS_CONTENTS}};
    int tried = 0;
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
        for (int same = 0; same < (kinds[kind].fault == IO_FAULT_POWER ? 1 : 2); same++)
            for (int64_t at = 0; disturb(w, at, kinds[kind].fault, kinds[kind].loss, same); at++)
                tried++;
    assert_in_range(tried, 500, 100000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_long_log_is_silts_own_until_spark_needs_it),
        TEST(what_is_behind_the_seen_files_is_little),
        TEST(batches_of_spark_are_found_behind_ours),
        TEST(a_time_makes_another_file_when_it_should),
        TEST(skipped_files_are_known),
        TEST(damage_is_mended_or_told_but_never_believed),
        TEST(damage_costs_nothing_while_sparks_files_are_there),
        TEST(many_keys_are_found),
        TEST(a_key_is_what_it_was),
        TEST(every_operation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
