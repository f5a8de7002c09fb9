/* pipeline/event_log_test.c - the table of events: what is in it, and that it stays small */
#include "pipeline/event_log.h"
#include "delta/scan.h"
#include "io/memory.h"
#include "pipeline/testkit.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const int64_t DAY_US = INT64_C(86400) * 1000000;

typedef struct World {
    Io *io;
    DuckEngine *engine;
    Arena *arena;
    int warnings;
    char warning[1024];
    int added; /* lines so far */
} World;

static int setup(void **state)
{
    World *w = silt_alloc(sizeof *w);

    w->io = io_new_memory(test_scratch(), 5);
    w->engine = duck_engine_new(&(DuckOptions){.threads = 1});
    w->arena = arena_new();
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    World *w = *state;

    duck_engine_free(w->engine);
    io_free(w->io);
    arena_free(w->arena);
    free(w);
    return 0;
}

static void warn(void *self, const char *message)
{
    World *w = self;

    w->warnings++;
    snprintf(w->warning, sizeof w->warning, "%s", message);
}

static EventLog *open_log(World *w, int64_t retention_us)
{
    EventLogOptions options = {.io = w->io, .engine = w->engine, .storage = "/s", .retention_us = retention_us, .warn = warn, .self = w};

    return event_log_new(&options);
}

static void add(World *w, EventLog *log, const char *message)
{
    event_log_add(log, str_of(arena_printf(w->arena, "{\"id\":\"%d\",\"origin\":{\"flow_name\":\"f\"},\"time\":%lld,\"message\":\"%s\",\"level\":\"INFO\"}\n",
                                           w->added++, (long long)io_now_us(w->io), message)));
}

/* `SELECT expression` over the table as it is now, one text; and how many files are live. */
static const char *ask(World *w, const char *expression, int64_t *files)
{
    DeltaEnv env = {.io = w->io, .engine = w->engine};
    silt_auto(delta_table_freep) DeltaTable *table = delta_table_new(&env, "/s/_silt/events");
    silt_auto(duck_session_closep) DuckSession *session = NULL;
    silt_auto(str_buf_fini) StrBuf sql = {0};
    int columns[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const Type *types[] = {type_simple(TYPE_STRING)};
    DuckStatement *statement;
    ChunkReader reader;
    Chunk *chunk = NULL;
    SiltErr err;

    assert_int_equal(delta_table_refresh(table, &err), 0);
    str_buf_printf(&sql, "SELECT CAST(%s AS VARCHAR) AS c1 FROM ", expression);
    assert_int_equal(delta_scan_snapshot_sql(delta_table_snapshot(table), NULL, 0, columns, 10, &sql, files, &err), 0);
    assert_int_equal(duck_session_open(w->engine, &session, &err), 0);
    if (duck_session_prepare(session, str_buf_text(&sql), &statement, &err) < 0 || duck_statement_read(statement, types, 1, &reader, &err) < 0 ||
        reader.next(reader.self, &chunk, &err) < 0)
        fail_msg("%s", err.message);
    Str text = column_is_null(chunk_column(chunk, 0), 0) ? STR("NULL") : chunk_string((const ChunkString *)chunk_column(chunk, 0)->data);
    const char *answer = arena_str(w->arena, text).ptr;
    chunk_unref(chunk);
    reader.close(reader.self);
    return answer;
}

static int names_in(World *w, const char *folder)
{
    IoList list;
    SiltErr err;

    assert_int_equal(io_list(w->io, folder, w->arena, &list, &err), 0);
    return list.count;
}

static void events_come_out_as_they_went_in(void **state)
{
    World *w = *state;
    EventLog *log = open_log(w, 30 * DAY_US);
    int64_t files;

    event_log_flush(log); /* nothing: no table is made */
    SiltErr err;
    IoStat stat;
    assert_int_equal(io_stat(w->io, "/s/_silt/events", &stat, &err), IO_ABSENT);
    event_log_add(log, STR("{\"id\":\"a\",\"sequence\":{\"data_plane_id\":{\"instance\":\"u\",\"seq_no\":7}},\"origin\":{\"flow_name\":\"f\",\"batch_id\":3},"
                           "\"time\":1767225600123456,\"message\":\"it's \\\"so\\\"\\n\\u00e9\",\"level\":\"ERROR\",\"maturity_level\":\"STABLE\","
                           "\"error\":{\"fatal\":true,\"exceptions\":[{\"class_name\":\"C\",\"message\":\"m\",\"stack\":[{\"file_name\":\"a.sql\",\"line_number\":4}]}]},"
                           "\"details\":\"{\\\"x\\\":[1]}\",\"event_type\":\"t\"}\n"
                           "{\"id\":\"b\",\"time\":1767225600123457}\n"));
    event_log_flush(log);
    assert_int_equal(w->warnings, 0);
    assert_string_equal(ask(w, "string_agg(c1 || ' ' || epoch_us(c4), ' ' ORDER BY c1)", &files), "a 1767225600123456 b 1767225600123457");
    assert_string_equal(ask(w, "any_value(c5)", NULL), "it's \"so\"\n\xc3\xa9");
    assert_string_equal(ask(w, "list(c2.data_plane_id.seq_no ORDER BY c1)", NULL), "[7, NULL]");
    assert_string_equal(ask(w, "list(c3.batch_id ORDER BY c1)", NULL), "[3, NULL]");
    assert_string_equal(ask(w, "count(c8) || ' ' || any_value(c8.exceptions[1].stack[1].file_name || c8.exceptions[1].stack[1].line_number)", NULL), "1 a.sql4");
    assert_string_equal(ask(w, "any_value(c9)", NULL), "{\"x\":[1]}");

    const char *id = arena_strdup(w->arena, event_log_pipeline_id(log));
    event_log_free(log);
    log = open_log(w, 30 * DAY_US); /* the id stays */
    assert_string_equal(event_log_pipeline_id(log), id);
    event_log_free(log);
}

/* 60 days of an update an hour, a new process every 16th; events live 10 days. */
static void it_stays_small_by_itself(void **state)
{
    World *w = *state;
    int64_t files, most_files = 0, begin_us = io_now_us(w->io);
    int most_log = 0, most_folder = 0;

    EventLog *log = open_log(w, 10 * DAY_US);
    for (int i = 0; i < 60 * 24; i++) {
        add(w, log, "m");
        event_log_flush(log);
        if (i % 16 == 15) {
            event_log_free(log);
            log = open_log(w, 10 * DAY_US);
        }
        io_sleep_ms(w->io, 60 * 60 * 1000);
        if (i % 63)
            continue;
        arena_reset(w->arena);
        ask(w, "count(*)", &files);
        int in_log = names_in(w, "/s/_silt/events/_delta_log"), in_folder = names_in(w, "/s/_silt/events");
        most_files = files > most_files ? files : most_files;
        most_log = in_log > most_log ? in_log : most_log;
        most_folder = in_folder > most_folder ? in_folder : most_folder;
    }
    event_log_free(log);
    assert_int_equal(w->warnings, 0);
    if (most_files > 110 || most_log > 220 || most_folder > 240)
        fail_msg("%lld live files, %d names in the log, %d in the folder", (long long)most_files, most_log, most_folder);
    int64_t now_us = io_now_us(w->io);
    /* no event is lost before its time, none stays longer than a span and a half beyond (tidied up every 64 versions) */
    int64_t oldest = strtoll(ask(w, "epoch_us(min(c4))", NULL), NULL, 10), count = strtoll(ask(w, "count(*)", NULL), NULL, 10);
    assert_true(oldest > begin_us && now_us - oldest >= 10 * DAY_US && now_us - oldest < 14 * DAY_US);
    assert_int_equal(count, strtoll(ask(w, "count(DISTINCT c1)", NULL), NULL, 10));
    assert_int_equal(count, w->added - strtoll(ask(w, "min(CAST(c1 AS BIGINT))", NULL), NULL, 10)); /* all since the oldest */
}

static void joining_files_changes_no_row(void **state)
{
    World *w = *state;
    EventLog *log = open_log(w, 30 * DAY_US);
    int64_t files;

    for (int i = 0; i < 200; i++) {
        add(w, log, "m");
        event_log_flush(log);
    }
    event_log_free(log);
    assert_string_equal(ask(w, "count(*) || ' ' || count(DISTINCT c1) || ' ' || sum(CAST(c1 AS BIGINT))", &files), "200 200 19900");
    assert_true(files < 100);
    assert_int_equal(w->warnings, 0);
}

/* Whatever operation fails: nothing else than a warning, and the next flush brings what this one did not. */
static void a_flush_that_fails_is_made_up_for(void **state)
{
    static const IoFault faults[] = {IO_FAULT_FAIL, IO_FAULT_LIE, IO_FAULT_HALF};
    World *w = *state;

    for (size_t kind = 0; kind < sizeof faults / sizeof faults[0]; kind++) {
        EventLog *log = open_log(w, 30 * DAY_US);
        bool fired = true;
        for (int64_t at = 0; fired; at++) {
            int warnings = w->warnings;
            io_memory_arm(w->io, at, faults[kind]);
            add(w, log, "m");
            event_log_flush(log);
            fired = io_memory_fault_fired(w->io);
            io_memory_arm(w->io, -1, IO_FAULT_NONE);
            assert_true(w->warnings - warnings <= 1);
            add(w, log, "n");
            event_log_flush(log);
            assert_string_equal(ask(w, "count(*) || ' ' || count(DISTINCT c1)", NULL), arena_printf(w->arena, "%d %d", w->added, w->added));
        }
        event_log_free(log);
    }
    assert_true(w->warnings > 3);
    assert_non_null(strstr(w->warning, "the event log \"/s/_silt/events\""));
}

static void what_does_not_fit_is_counted(void **state)
{
    World *w = *state;
    EventLog *log = open_log(w, 30 * DAY_US);
    char *text = silt_alloc((3 << 20) + 1);

    memset(text, 'x', 3 << 20);
    io_memory_arm(w->io, 0, IO_FAULT_FAIL);
    for (int i = 0; i < 5; i++) /* 3 MB each, 8 fit */
        add(w, log, text);
    event_log_flush(log);
    assert_int_equal(w->warnings, 1);
    event_log_flush(log);
    assert_string_equal(ask(w, "count(*) || ' ' || string_agg(c5, '|' ORDER BY c1) FILTER (length(c5) < 100)", NULL),
                        "3 3 events were lost while the event log could not be written.");
    event_log_flush(log);
    assert_string_equal(ask(w, "count(*)", NULL), "3");
    event_log_free(log);
    free(text);
}

static void a_foreign_table_is_left_alone(void **state)
{
    World *w = *state;
    SiltErr err;

    assert_int_equal(io_put(w->io, "/s/_silt/events/_delta_log/00000000000000000000.json", STR("{\"torn"), &err), 0);
    EventLog *log = open_log(w, 30 * DAY_US);
    assert_int_equal(w->warnings, 1);
    add(w, log, "m");
    event_log_flush(log);
    event_log_flush(log);
    assert_int_equal(w->warnings, 1);
    assert_int_equal(names_in(w, "/s/_silt/events/_delta_log"), 1);
    event_log_free(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(events_come_out_as_they_went_in, setup, teardown),
        cmocka_unit_test_setup_teardown(joining_files_changes_no_row, setup, teardown),
        cmocka_unit_test_setup_teardown(it_stays_small_by_itself, setup, teardown),
        cmocka_unit_test_setup_teardown(a_flush_that_fails_is_made_up_for, setup, teardown),
        cmocka_unit_test_setup_teardown(what_does_not_fit_is_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(a_foreign_table_is_left_alone, setup, teardown),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    test_scratch_remove();
    return failed;
}
