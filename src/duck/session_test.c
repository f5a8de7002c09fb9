/* duck/session_test.c - sessions, chunks in and out, failures on their way */
#include "duck/duck_test.h"

#include <pthread.h>
#include <unistd.h>

/* A reader over chunks made beforehand; gives out one more reference each time. */
typedef struct Feed {
    Chunk *chunks[8];
    int count, next;
    const SiltErr *fail_with; /* after the chunks */
} Feed;

static int feed_next(void *self, Chunk **out, SiltErr *err)
{
    Feed *feed = self;
    *out = NULL;
    if (feed->next < feed->count) {
        *out = chunk_ref(feed->chunks[feed->next++]);
    } else if (feed->fail_with) {
        *err = *feed->fail_with;
        return -1;
    }
    return 0;
}

static void feed_free(Feed *feed)
{
    for (int i = 0; i < feed->count; i++)
        chunk_unref(feed->chunks[i]);
}

static ChunkReader feed_reader(Feed *feed)
{
    return (ChunkReader){.self = feed, .next = feed_next, .rows_estimate = -1};
}

static void try_call(int r, const SiltErr *err)
{
    if (r < 0)
        fail_msg("%s", err->message);
}

/* a BIGINT, b STRING, c ARRAY<INT>, d STRUCT<x INT, y STRING>, e MAP<STRING, DECIMAL(20,2)>: row i has NULLs where i % 5 == 4 */
static Chunk *nested_chunk(const Type *const *types, int column_count, int rows)
{
    Chunk *chunk = chunk_new(types, column_count);
    Column *a = chunk_column_mut(chunk, 0), *b = chunk_column_mut(chunk, 1), *c = chunk_column_mut(chunk, 2);
    Column *d = chunk_column_mut(chunk, 3), *e = chunk_column_mut(chunk, 4);
    uint64_t c_used = 0, e_used = 0;
    for (int row = 0; row < rows; row++) {
        chunk_origins_mut(chunk)[row] = (ChunkOrigin){.source = 7, .position = row * 100};
        ((ChunkList *)c->data)[row] = (ChunkList){c_used, 0};
        ((ChunkList *)e->data)[row] = (ChunkList){e_used, 0};
        if (row % 5 == 4) {
            for (int i = 0; i < 5; i++)
                column_set_null(chunk_column_mut(chunk, i), (uint64_t)row);
            continue;
        }
        char text[64];
        ((int64_t *)a->data)[row] = row;
        int size = snprintf(text, sizeof text, row % 2 ? "%d" : "a long string that does not fit in place: %d", row);
        column_set_string(b, (uint64_t)row, text, (size_t)size);
        column_list_reserve(c, c_used + 3);
        for (int i = 0; i < 3; i++)
            ((int32_t *)c->children[0].data)[c_used + (uint64_t)i] = row + i;
        column_set_null(&c->children[0], c_used + 1);
        ((ChunkList *)c->data)[row].length = 3;
        c_used += 3;
        ((int32_t *)d->children[0].data)[row] = -row;
        column_set_string(&d->children[1], (uint64_t)row, text, (size_t)size);
        column_list_reserve(e, e_used + 1);
        column_set_string(&e->children[0], e_used, "key", 3);
        ((__int128 *)e->children[1].data)[e_used] = row * 100 + 25;
        ((ChunkList *)e->data)[row].length = 1;
        e_used++;
    }
    chunk_seal(chunk, rows);
    return chunk;
}

static const char nested_ddl[] = "a BIGINT, b STRING, c ARRAY<INT>, d STRUCT<x INT, y STRING>, e MAP<STRING, DECIMAL(20,2)>";

static void rows_come_out_as_they_went_in(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    int count;
    const Type **types = column_types(f->arena, nested_ddl, &count);
    Feed feed = {.count = 3};
    for (int i = 0; i < 3; i++)
        feed.chunks[i] = nested_chunk(types, count, i == 1 ? 0 : CHUNK_ROWS_MAX);
    ChunkReader source = feed_reader(&feed), reader;
    try_call(duck_session_bind_input(f->session, 0, types, count, &err), &err);
    duck_session_set_reader(f->session, 0, &source);
    DuckStatement *stmt;
    try_call(duck_session_prepare(f->session, "SELECT * EXCLUDE (silt_source, silt_position) FROM silt_input(0)", &stmt, &err), &err);
    try_call(duck_statement_read(stmt, types, count, &reader, &err), &err);

    int rows = 0;
    Chunk *chunk;
    for (;;) {
        try_call(reader.next(reader.self, &chunk, &err), &err);
        if (!chunk)
            break;
        const Column *a = chunk_column(chunk, 0), *b = chunk_column(chunk, 1), *c = chunk_column(chunk, 2), *d = chunk_column(chunk, 3);
        const Column *e = chunk_column(chunk, 4);
        for (uint64_t i = 0; i < (uint64_t)chunk_row_count(chunk); i++, rows++) {
            int row = rows % CHUNK_ROWS_MAX;
            for (int k = 0; k < 5; k++)
                assert_int_equal(column_is_null(chunk_column(chunk, k), i), row % 5 == 4);
            if (row % 5 == 4)
                continue;
            char text[64];
            snprintf(text, sizeof text, row % 2 ? "%d" : "a long string that does not fit in place: %d", row);
            assert_int_equal(((int64_t *)a->data)[i], row);
            assert_true(str_is(chunk_string((ChunkString *)b->data + i), text));
            ChunkList list = ((ChunkList *)c->data)[i];
            assert_int_equal(list.length, 3);
            assert_int_equal(((int32_t *)c->children[0].data)[list.offset + 2], row + 2);
            assert_true(column_is_null(&c->children[0], list.offset + 1));
            assert_int_equal(((int32_t *)d->children[0].data)[i], -row);
            assert_true(str_is(chunk_string((ChunkString *)d->children[1].data + i), text));
            ChunkList map = ((ChunkList *)e->data)[i];
            assert_true(str_is(chunk_string((ChunkString *)e->children[0].data + map.offset), "key"));
            assert_true(((__int128 *)e->children[1].data)[map.offset] == row * 100 + 25);
        }
        chunk_unref(chunk);
    }
    assert_int_equal(rows, 2 * CHUNK_ROWS_MAX);
    reader.close(reader.self);
    feed_free(&feed);
}

/* They share stretches of the heap up to a size, and lie alone beyond it. */
static void strings_of_all_sizes_keep_their_bytes(void **state)
{
    static char text[200000];
    (void)state;
    const Type *types[] = {type_simple(TYPE_STRING)};
    Chunk *chunk = chunk_new(types, 1);
    Column *column = chunk_column_mut(chunk, 0);
    for (int row = 0; row < CHUNK_ROWS_MAX; row++) {
        size_t size = row % 500 == 499 ? sizeof text : row % 50 == 49 ? (size_t)row * 31 : (size_t)row % 40;
        memset(text, 'a' + row % 26, size);
        column_set_string(column, (uint64_t)row, text, size);
    }
    chunk_seal(chunk, CHUNK_ROWS_MAX);
    for (int row = 0; row < CHUNK_ROWS_MAX; row++) {
        size_t size = row % 500 == 499 ? sizeof text : row % 50 == 49 ? (size_t)row * 31 : (size_t)row % 40;
        Str is = chunk_string((const ChunkString *)chunk_column(chunk, 0)->data + row);
        memset(text, 'a' + row % 26, size);
        assert_true(str_equal(is, (Str){text, size}));
    }
    chunk_unref(chunk);
}

static void a_chunk_of_results_can_be_fed_again(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    int count;
    const Type **types = column_types(f->arena, nested_ddl, &count);
    Feed feed = {.count = 1, .chunks = {nested_chunk(types, count, 100)}};
    ChunkReader source = feed_reader(&feed), reader;
    try_call(duck_session_bind_input(f->session, 0, types, count, &err), &err);
    duck_session_set_reader(f->session, 0, &source);
    DuckStatement *stmt;
    try_call(duck_session_prepare(f->session, "SELECT c1, c2, c3, c4, c5 FROM silt_input(0) WHERE c1 >= 50", &stmt, &err), &err);
    try_call(duck_statement_read(stmt, types, count, &reader, &err), &err);
    Feed second = {.count = 1};
    try_call(reader.next(reader.self, &second.chunks[0], &err), &err);
    reader.close(reader.self);
    ChunkReader again = feed_reader(&second);
    duck_session_set_reader(f->session, 0, &again);
    check(f, "SELECT string_agg(c2 || c3::VARCHAR || c4::VARCHAR || c5::VARCHAR) FROM silt_input(0) WHERE c1 BETWEEN 97 AND 98",
          "97[97, NULL, 99]{'x': -97, 'y': 97}{key=97.25},"
          "a long string that does not fit in place: 98[98, NULL, 100]{'x': -98, 'y': 'a long string that does not fit in place: "
          "98'}{key=98.25}");
    feed_free(&second);
    feed_free(&feed);
}

static void only_named_columns_are_asked_for_and_origins_come_along(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    int count;
    const Type **types = column_types(f->arena, nested_ddl, &count);
    Feed feed = {.count = 1, .chunks = {nested_chunk(types, count, 100)}};
    ChunkReader source = feed_reader(&feed);
    try_call(duck_session_bind_input(f->session, 3, types, count, &err), &err);
    static const char *const cases[][2] = {
        {"SELECT count(*)::VARCHAR FROM silt_input(3)", "100"},
        {"SELECT (sum(silt_position) + sum(silt_source))::VARCHAR FROM silt_input(3)", "495700"},
        {"SELECT sum(c4.x)::VARCHAR FROM silt_input(3) WHERE silt_position < 300", "-3"},
    };
    for (int i = 0; i < 3; i++) {
        feed.next = 0;
        duck_session_set_reader(f->session, 3, &source);
        check(f, cases[i][0], cases[i][1]);
    }
    feed_free(&feed);
}

static void an_input_can_be_read_once_per_run_only(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    int count;
    const Type **types = column_types(f->arena, nested_ddl, &count);
    Feed feed = {.count = 1, .chunks = {nested_chunk(types, count, 10)}};
    ChunkReader source = feed_reader(&feed);
    try_call(duck_session_bind_input(f->session, 0, types, count, &err), &err);
    duck_session_set_reader(f->session, 0, &source);
    check(f, "WITH i AS MATERIALIZED (SELECT c1 FROM silt_input(0)) SELECT count(*)::VARCHAR FROM i a JOIN i b USING (c1)", "8");
    feed.next = 0;
    duck_session_set_reader(f->session, 0, &source);
    check(f, "SELECT count(*)::VARCHAR FROM silt_input(0) a JOIN silt_input(0) b USING (c1)",
          "error Invalid Input Error: silt_input: the slot is read twice by one query");
    feed_free(&feed);
}

static void other_input_types_make_another_statement(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    DuckStatement *first, *second, *third;
    const Type *int_type[] = {type_simple(TYPE_INT)}, *string_type[] = {type_simple(TYPE_STRING)};
    static const char sql[] = "SELECT c1 FROM silt_input(0)";
    try_call(duck_session_bind_input(f->session, 0, int_type, 1, &err), &err);
    try_call(duck_session_prepare(f->session, sql, &first, &err), &err);
    try_call(duck_session_prepare(f->session, sql, &second, &err), &err);
    assert_ptr_equal(first, second);
    try_call(duck_session_bind_input(f->session, 0, string_type, 1, &err), &err);
    try_call(duck_session_prepare(f->session, sql, &second, &err), &err);
    assert_ptr_not_equal(first, second);
    assert_int_equal(duck_statement_column_type(first, 0)->kind, TYPE_INT);
    assert_int_equal(duck_statement_column_type(second, 0)->kind, TYPE_STRING);
    try_call(duck_session_set_time_zone(f->session, "Europe/Berlin", &err), &err);
    try_call(duck_session_prepare(f->session, sql, &third, &err), &err);
    assert_ptr_not_equal(second, third);

    /* the statement of the old types is refused, not run on memory of another shape */
    Feed feed = {0};
    ChunkReader source = feed_reader(&feed);
    duck_session_set_reader(f->session, 0, &source);
    assert_int_equal(duck_statement_run(first, NULL, &err), -1);
    assert_non_null(strstr(err.message, "prepared for other types"));
}

static void a_failing_reader_is_heard_word_for_word(void **state)
{
    Fixture *f = *state;
    SiltErr told = {.kind = SILT_TRANSIENT,
                    .code = "SOME.CODE",
                    .message = "could not read \"a\tb\": \xC3\xA9 100%",
                    .hint = "Try again.\nLater.",
                    .file = "in/orders.json",
                    .line = 17,
                    .column = 4,
                    .length = 3};
    const Type *types[] = {type_simple(TYPE_INT)};
    Feed feed = {.fail_with = &told};
    ChunkReader source = feed_reader(&feed);
    SiltErr err;
    try_call(duck_session_bind_input(f->session, 0, types, 1, &err), &err);
    duck_session_set_reader(f->session, 0, &source);
    check(f, "SELECT c1::VARCHAR FROM silt_input(0)", "error SOME.CODE");
    ask(f, "SELECT c1::VARCHAR FROM silt_input(0)", &err);
    duck_session_set_reader(f->session, 0, &source);
    ask(f, "SELECT c1::VARCHAR FROM silt_input(0)", &err);
    assert_int_equal(err.kind, SILT_TRANSIENT);
    assert_string_equal(err.message, told.message);
    assert_string_equal(err.hint, told.hint);
    assert_string_equal(err.file, told.file);
    assert_int_equal(err.line * 10000 + err.column * 100 + err.length, 170403);
}

static void failures_of_the_database_are_told_in_our_words(void **state)
{
    static const struct {
        const char *sql, *message, *hint;
    } rows[] = {
        {"SELECT (SELECT i FROM range(2) t(i)) AS c1", "more than one row came out of a subquery", ""},
        {"SELECT count(*) AS c1 FROM range(0, 1, 0)", "the step of range is 0", ""},
        {"SELECT ntile(0) OVER (ORDER BY i) AS c1 FROM range(3) t(i)", "ntile needs a number above 0", ""},
        {"SELECT nosuch AS c1", "nosuch", "This is a fault of Silt"},
    };
    Fixture *f = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SiltErr err = {0};
        int count, r;
        const Type **types = column_types(f->arena, "a BIGINT", &count);
        DuckStatement *stmt;
        ChunkReader reader;
        Chunk *chunk = NULL;
        r = duck_session_prepare(f->session, rows[i].sql, &stmt, &err);
        if (r == 0)
            r = duck_statement_read(stmt, types, count, &reader, &err);
        if (r == 0)
            r = reader.next(reader.self, &chunk, &err);
        assert_int_equal(r, -1);
        if (!strstr(err.message, rows[i].message) || !strstr(err.hint, rows[i].hint) || (!*rows[i].hint && *err.hint))
            fail_msg("%s: %s (%s)", rows[i].sql, err.message, err.hint);
    }
}

static void expectations_are_counted_and_can_fail_with_their_place(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    duck_session_set_source(f->session, "transformations/a.sql");
    check(f, "SELECT count(*)::VARCHAR FROM (SELECT i FROM range(10) t(i) WHERE silt_pass(2, CASE WHEN i <> 5 THEN i < 7 END))", "6");
    assert_int_equal(duck_session_counter(f->session, 2).passed, 6);
    assert_int_equal(duck_session_counter(f->session, 2).failed, 4);
    assert_int_equal(duck_session_counter(f->session, 2).nulls, 1);
    char sql[200];
    snprintf(sql, sizeof sql, "SELECT count(*)::VARCHAR FROM range(10) t(i) WHERE silt_fail_unless(1, i < 7, 'violated', %lld)",
             (long long)duck_pos_pack((SiltPos){.line = 12, .column = 8, .length = 300}));
    check(f, sql, "error EXPECTATION_FAILED");
    ask(f, sql, &err);
    assert_string_equal(err.message, "violated");
    assert_string_equal(err.file, "transformations/a.sql");
    assert_int_equal(err.kind, SILT_INPUT);
    assert_int_equal(err.line * 10000 + err.column * 1000 + err.length, 128255);
    duck_session_reset_counters(f->session);
    assert_int_equal(duck_session_counter(f->session, 2).passed, 0);
}

static void the_clock_moves_without_preparing_again(void **state)
{
    Fixture *f = *state;
    static const char sql[] = "SELECT epoch_us(silt_now())::VARCHAR";
    check(f, sql, "error INTERNAL_ERROR");
    duck_session_set_clock(f->session, 1234567);
    check(f, sql, "1234567");
    duck_session_set_clock(f->session, 42);
    check(f, sql, "42");
}

static void sums_stay_bigint_and_overflow_is_told(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    check(f, "SELECT silt_sum_long(i, 0)::VARCHAR FROM range(1000) t(i)", "499500");
    check(f, "SELECT silt_sum_long(NULL::BIGINT, 0)::VARCHAR", "NULL");
    check(f, "SELECT string_agg(s::VARCHAR, ',') FROM (SELECT silt_sum_long(i, 0) s FROM range(9) t(i) GROUP BY i % 3 ORDER BY i % 3)",
          "9,12,15");
    ask(f, "SELECT silt_sum_long(9223372036854775807, 5 << 20)::VARCHAR FROM range(2)", &err);
    assert_string_equal(err.code, "ARITHMETIC_OVERFLOW");
    assert_int_equal(err.line, 5);
}

static void an_open_result_is_never_cut_short(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    DuckStatement *stmt;
    ChunkReader reader;
    Chunk *chunk;
    const Type *types[] = {type_simple(TYPE_LONG)};
    try_call(duck_session_prepare(f->session, "SELECT i FROM range(500000) t(i)", &stmt, &err), &err);
    try_call(duck_statement_read(stmt, types, 1, &reader, &err), &err);
    int64_t rows = 0;
    for (;;) {
        try_call(reader.next(reader.self, &chunk, &err), &err);
        if (!chunk)
            break;
        rows += chunk_row_count(chunk);
        chunk_unref(chunk);
        if (rows < 10000)
            check(f, "SELECT 'x'", "error another result of this session is still being read");
    }
    assert_int_equal(rows, 500000);
    check(f, "SELECT 'x'", "x"); /* read to its end, though not closed yet */
    reader.close(reader.self);

    try_call(duck_statement_read(stmt, types, 1, &reader, &err), &err);
    reader.close(reader.self); /* not read at all */
    check(f, "SELECT 'y'", "y");
}

static void foreign_types_are_named(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    DuckStatement *stmt;
    ChunkReader reader;
    const Type *types[] = {type_simple(TYPE_LONG)};
    try_call(duck_session_prepare(f->session, "SELECT 1::HUGEINT AS h", &stmt, &err), &err);
    assert_int_equal(duck_statement_column_type(stmt, 0)->kind, TYPE_VOID);
    assert_string_equal(duck_statement_foreign_type(stmt, 0), "HUGEINT");
    assert_int_equal(duck_statement_read(stmt, types, 1, &reader, &err), -1);
    assert_string_equal(err.message, "column 1 of the query (h) is HUGEINT where BIGINT was expected");
}

static void *interrupt_soon(void *session)
{
    for (int i = 0; i < 50; i++) {
        usleep(20000);
        duck_session_interrupt(session);
    }
    return NULL;
}

static void an_interrupt_ends_running_work(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    pthread_t thread;
    pthread_create(&thread, NULL, interrupt_soon, f->session);
    const char *text = ask(f, "SELECT count(*)::VARCHAR FROM range(100000) a, range(100000) b WHERE (a.range * b.range) % 3 = 1", &err);
    pthread_join(thread, NULL);
    assert_string_equal(text, "error cancelled");
    assert_int_equal(err.kind, SILT_CANCELLED);
    check(f, "SELECT 'still alive'", "still alive");
}

enum { FLOWS = 100, FLOW_ROUNDS = 10 };

static void *run_flow(void *arg)
{
    DuckEngine *engine = arg;
    DuckSession *session;
    SiltErr err;
    const Type *types[] = {type_simple(TYPE_LONG)};
    if (duck_session_open(engine, &session, &err) < 0 || duck_session_bind_input(session, 0, types, 1, &err) < 0)
        return "could not open";
    const char *wrong = NULL;
    for (int round = 0; round < FLOW_ROUNDS && !wrong; round++) {
        Chunk *chunk = chunk_new(types, 1);
        for (int i = 0; i < 10; i++)
            ((int64_t *)chunk_column_mut(chunk, 0)->data)[i] = i + round;
        chunk_seal(chunk, 10);
        Feed feed = {.count = 1, .chunks = {chunk}};
        ChunkReader source = feed_reader(&feed), reader;
        DuckStatement *stmt;
        Chunk *result = NULL, *end = NULL;
        duck_session_set_reader(session, 0, &source);
        if (duck_session_prepare(session, "SELECT silt_sum_long(c1, 0) FROM silt_input(0) WHERE silt_pass(0, c1 % 2 = 0)", &stmt, &err) <
                0 ||
            duck_statement_read(stmt, types, 1, &reader, &err) < 0)
            wrong = "could not run";
        if (!wrong) {
            if (reader.next(reader.self, &result, &err) < 0 || !result || reader.next(reader.self, &end, &err) < 0 || end)
                wrong = "could not read";
            else if (*(int64_t *)chunk_column(result, 0)->data != (round % 2 ? 5 * round + 25 : 5 * round + 20))
                wrong = "wrong sum";
            chunk_unref(result);
            reader.close(reader.self);
        }
        feed_free(&feed);
    }
    if (!wrong && duck_session_counter(session, 0).passed != 5 * FLOW_ROUNDS)
        wrong = "wrong count";
    duck_session_close(session);
    return (void *)wrong;
}

static void a_hundred_sessions_run_side_by_side(void **state)
{
    Fixture *f = *state;
    pthread_t threads[FLOWS];
    for (int i = 0; i < FLOWS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_flow, f->engine), 0);
    for (int i = 0; i < FLOWS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        if (wrong)
            fail_msg("flow %d: %s", i, (char *)wrong);
    }
}

static void options_reach_the_engine(void **state)
{
    (void)state;
    SiltErr err;
    Fixture f = {.arena = arena_new(), .engine = duck_engine_new(&(DuckOptions){.memory_bytes_max = 64 << 20, .threads = 1})};
    try_call(duck_session_open(f.engine, &f.session, &err), &err);
    check(&f, "SELECT current_setting('memory_limit') || ' ' || current_setting('threads')::VARCHAR", "64.0 MiB 1");
    /* more than fits, and no place to spill to */
    ask(&f, "SELECT count(*)::VARCHAR FROM (SELECT DISTINCT repeat(i::VARCHAR, 20) FROM range(5000000) t(i))", &err);
    assert_int_equal(err.kind, SILT_TRANSIENT);
    check(&f, "SELECT 'still alive'", "still alive");
    duck_session_close(f.session);
    duck_engine_free(f.engine);
    arena_free(f.arena);

    DuckEngine *never_used = duck_engine_new(&(DuckOptions){0});
    duck_engine_free(never_used);
}

/* Hands out one chunk again and again, from any thread. */
typedef struct Pump {
    Chunk *chunk;
    int left;
} Pump;

static int pump_next(void *self, Chunk **out, SiltErr *err)
{
    Pump *pump = self;
    (void)err;
    *out = __atomic_fetch_sub(&pump->left, 1, __ATOMIC_RELAXED) > 0 ? chunk_ref(pump->chunk) : NULL;
    return 0;
}

static void a_parallel_reader_loses_and_doubles_nothing(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    const Type *types[] = {type_simple(TYPE_LONG), type_simple(TYPE_STRING)};
    Pump pump = {.chunk = chunk_new(types, 2)};
    for (int i = 0; i < CHUNK_ROWS_MAX; i++) {
        ((int64_t *)chunk_column_mut(pump.chunk, 0)->data)[i] = i;
        column_set_string(chunk_column_mut(pump.chunk, 1), (uint64_t)i, i % 2 ? "odd" : "not odd, and longer than that", i % 2 ? 3 : 29);
    }
    chunk_seal(pump.chunk, CHUNK_ROWS_MAX);
    ChunkReader reader = {.self = &pump, .next = pump_next, .parallel = true, .rows_estimate = 400 * CHUNK_ROWS_MAX};
    try_call(duck_session_bind_input(f->session, 0, types, 2, &err), &err);
    for (int round = 0; round < 3; round++) {
        pump.left = 400;
        duck_session_set_reader(f->session, 0, &reader);
        check(f,
              "SELECT string_agg(n::VARCHAR || ' ' || s::VARCHAR || ' ' || c2, ', ' ORDER BY c2) FROM "
              "(SELECT count(*) n, silt_sum_long(c1, 0) s, c2 FROM silt_input(0) WHERE silt_pass(0, c1 >= 0) GROUP BY c2)",
              "409600 419020800 not odd, and longer than that, 409600 419430400 odd");
    }
    assert_int_equal(duck_session_counter(f->session, 0).passed, 3 * 400 * CHUNK_ROWS_MAX);
    chunk_unref(pump.chunk);
}

static void an_aggregate_works_in_groups_windows_and_with_filters(void **state)
{
    Fixture *f = *state;
    check(f,
          "SELECT string_agg(s::VARCHAR, ',' ORDER BY i) FROM (SELECT i, silt_sum_long(i, 0) OVER (ORDER BY i ROWS 1 PRECEDING) s FROM "
          "range(5) t(i))",
          "0,1,3,5,7");
    check(f, "SELECT silt_sum_long(DISTINCT i % 3, 0)::VARCHAR || ' ' || silt_sum_long(i, 0) FILTER (i > 5)::VARCHAR FROM range(10) t(i)",
          "3 30");
}

static void time_zones_by_name_and_by_offset(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    static const char sql[] = "SELECT (TIMESTAMPTZ '2026-07-01 12:00:00+00')::VARCHAR";
    static const char *const cases[][2] = {{"UTC", "2026-07-01 12:00:00+00"},    {"Europe/Berlin", "2026-07-01 14:00:00+02"},
                                           {"+05:00", "2026-07-01 17:00:00+05"}, {"-8", "2026-07-01 04:00:00-08"},
                                           {"Z", "2026-07-01 12:00:00+00"},      {"GMT+1", "2026-07-01 13:00:00+01"}};
    for (int i = 0; i < 6; i++) {
        try_call(duck_session_set_time_zone(f->session, cases[i][0], &err), &err);
        check(f, sql, cases[i][1]);
    }
    assert_int_equal(duck_session_set_time_zone(f->session, "+05:30", &err), -1);
    assert_string_equal(err.message, "cannot use the offset \"+05:30\" as time zone: only whole hours from -12 to +14");
    assert_int_equal(duck_session_set_time_zone(f->session, "Mars/O'Hare", &err), -1);
    assert_string_equal(err.message, "time zone \"Mars/O'Hare\" is not known");
    assert_int_equal(err.kind, SILT_CONFIG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(rows_come_out_as_they_went_in),
        FIXTURE_TEST(strings_of_all_sizes_keep_their_bytes),
        FIXTURE_TEST(a_chunk_of_results_can_be_fed_again),
        FIXTURE_TEST(only_named_columns_are_asked_for_and_origins_come_along),
        FIXTURE_TEST(an_input_can_be_read_once_per_run_only),
        FIXTURE_TEST(other_input_types_make_another_statement),
        FIXTURE_TEST(a_failing_reader_is_heard_word_for_word),
        FIXTURE_TEST(expectations_are_counted_and_can_fail_with_their_place),
        FIXTURE_TEST(the_clock_moves_without_preparing_again),
        FIXTURE_TEST(sums_stay_bigint_and_overflow_is_told),
        FIXTURE_TEST(an_open_result_is_never_cut_short),
        FIXTURE_TEST(foreign_types_are_named),
        FIXTURE_TEST(an_interrupt_ends_running_work),
        FIXTURE_TEST(a_hundred_sessions_run_side_by_side),
        cmocka_unit_test(options_reach_the_engine),
        FIXTURE_TEST(failures_of_the_database_are_told_in_our_words),
        FIXTURE_TEST(a_parallel_reader_loses_and_doubles_nothing),
        FIXTURE_TEST(an_aggregate_works_in_groups_windows_and_with_filters),
        FIXTURE_TEST(time_zones_by_name_and_by_offset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
