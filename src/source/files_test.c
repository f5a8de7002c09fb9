/* source/files_test.c - folders as a stream: each file once, Spark's log, limits, crashes, what files may look like */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/uri.h"
#include "io/memory.h"
#include "source/files_internal.h"
#include "source/seen_set.h"
#include "sql/sql.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

typedef struct World {
    Io *io;
    char scratch[64];
    Arena *arena;
    Source *source;
    SiltErr err;
    const char *offset;
    StrBuf rows; /* of the last batch: lines, fields joined by | */
    StrBuf bad;
    FormatCounts counts;
    const char *schema_text;
    const char *zone;
    bool drift;
    DuckEngine *engine;
    DuckSession *session;
} World;

static int set_up(void **state)
{
    World *w = silt_alloc(sizeof *w);
    strcpy(w->scratch, "/tmp/silt-files-test-XXXXXX");
    assert_non_null(mkdtemp(w->scratch));
    w->io = io_new_memory(w->scratch, 7);
    w->arena = arena_new();
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    World *w = *state;
    source_free(w->source);
    io_free(w->io);
    duck_session_close(w->session);
    if (w->engine)
        duck_engine_free(w->engine);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", w->scratch);
    assert_int_equal(system(command), 0);
    arena_free(w->arena);
    str_buf_fini(&w->rows);
    str_buf_fini(&w->bad);
    free(w);
    return 0;
}

static int get_session(void *self, DuckSession **out, SiltErr *err)
{
    World *w = self;
    if (!w->session) {
        w->engine = duck_engine_new(&(DuckOptions){.threads = 2});
        SILT_TRY(duck_session_open(w->engine, &w->session, err));
    }
    *out = w->session;
    return 0;
}

static void put(World *w, const char *path, const char *text)
{
    if (io_put(w->io, path, str_of(text), &w->err) < 0)
        fail_msg("%s", w->err.message);
}

static void put_bytes(World *w, const char *path, const void *bytes, size_t size)
{
    if (io_put(w->io, path, (Str){bytes, size}, &w->err) < 0)
        fail_msg("%s", w->err.message);
}

static const char *content(World *w, const char *path)
{
    Str text;
    int r = io_read(w->io, path, w->arena, &text, &w->err);
    return r == 0 ? text.ptr : "ABSENT";
}

/* Open the source of SELECT * FROM <relation>; 0 or < 0 with w->err. */
static int try_open(World *w, const char *relation)
{
    source_freep(&w->source);
    Query *query;
    char *sql = arena_printf(w->arena, "SELECT * FROM %s", relation);
    if (sql_parse_query(w->arena, "q.sql", str_of(sql), &query, &w->err) < 0)
        fail_msg("%s: %s", sql, w->err.message);
    SourceContext context = {.io = w->io,
                             .base_directory = "/",
                             .time_zone = w->zone,
                             .threads = 1,
                             .session = get_session,
                             .session_self = w,
                             .schema_text = w->schema_text};
    return source_from_relation(&context, query->from, &w->source, &w->err);
}

static void open_source(World *w, const char *relation)
{
    if (try_open(w, relation) != 0)
        fail_msg("%s: %s", relation, w->err.message);
}

static void open_stream(World *w, const char *relation)
{
    open_source(w, relation);
    if (source_attach(w->source, "/c/sources/0", &w->err) < 0)
        fail_msg("%s", w->err.message);
}

static const char *columns(World *w)
{
    const SourceSchema *schema = source_schema(w->source);
    StrBuf out = {0};
    for (int i = 0; i < schema->column_count; i++)
        str_buf_printf(&out, "%s%s %s", i ? ", " : "", schema->names[i], strcmp(schema->names[i], "_metadata") ? type_text(w->arena, schema->types[i]) : "..");
    const char *text = arena_strdup(w->arena, str_buf_text(&out));
    str_buf_fini(&out);
    return text;
}

static int put_bad(void *self, const FormatBadRecord *record, SiltErr *err)
{
    World *w = self;
    (void)err;
    str_buf_printf(&w->bad, "%d:%lld+%lld %s: %.*s\n", record->source, (long long)record->position, (long long)record->length, record->reason,
                   (int)(record->bytes.size > 60 ? 60 : record->bytes.size), record->bytes.ptr);
    return 0;
}

static void print_field(StrBuf *out, const Column *column, uint64_t row)
{
    if (column_is_null(column, row)) {
        str_buf_puts(out, "NULL");
        return;
    }
    switch (column->type->kind) {
    case TYPE_STRING:
    case TYPE_BINARY:
        str_buf_str(out, chunk_string(&((ChunkString *)column->data)[row]));
        break;
    case TYPE_INT:
    case TYPE_DATE:
        str_buf_printf(out, "%d", ((int32_t *)column->data)[row]);
        break;
    case TYPE_DOUBLE:
        str_buf_printf(out, "%g", ((double *)column->data)[row]);
        break;
    case TYPE_STRUCT:
        for (int i = 0; i < column->child_count; i++) {
            if (i)
                str_buf_putc(out, ';');
            print_field(out, &column->children[i], row);
        }
        break;
    default:
        str_buf_printf(out, "%lld", (long long)((int64_t *)column->data)[row]);
    }
}

static int drain(World *w, SourceBatch *batch, bool metadata)
{
    const SourceSchema *schema = source_schema(w->source);
    ChunkReader *reader = source_batch_reader(batch);
    ChunkReader own;
    int columns_shown = schema->column_count - !metadata;
    if (!reader) {
        DuckStatement *stmt;
        DuckSession *session;
        if (get_session(w, &session, &w->err) < 0 ||
            duck_session_prepare(session, arena_printf(w->arena, "SELECT * EXCLUDE (silt_source, silt_position) FROM %s ORDER BY silt_source, silt_position", source_batch_sql(batch)), &stmt, &w->err) < 0 ||
            duck_statement_read(stmt, schema->types, schema->column_count, &own, &w->err) < 0)
            return -1;
        reader = &own;
    }
    for (;;) {
        Chunk *chunk;
        if (reader->next(reader->self, &chunk, &w->err) < 0)
            return -1;
        if (!chunk)
            break;
        for (int row = 0; row < chunk_row_count(chunk); row++) {
            for (int c = 0; c < columns_shown; c++) {
                if (c)
                    str_buf_putc(&w->rows, '|');
                print_field(&w->rows, chunk_column(chunk, c), (uint64_t)row);
            }
            str_buf_putc(&w->rows, '\n');
        }
        chunk_unref(chunk);
    }
    if (reader == &own && own.close)
        own.close(own.self);
    w->counts = source_batch_counts(batch);
    w->drift = source_batch_drift(batch);
    if (w->counts.records >= 0)
        assert_int_equal(w->counts.records, w->counts.rows + w->counts.undecodable + w->counts.dropped);
    return 0;
}

static int read_range(World *w, const char *start, const char *end, bool metadata)
{
    str_buf_clear(&w->rows);
    str_buf_clear(&w->bad);
    SourceBatch *batch;
    SourceReadOptions options = {.sink = {w, put_bad}};
    int r = end ? source_open_batch(w->source, start, end, &options, &batch, &w->err) : source_open_snapshot(w->source, &options, &batch, &w->err);
    if (r < 0)
        return r;
    r = drain(w, batch, metadata);
    source_batch_close(batch);
    return r;
}

/* Plan and read one batch: its rows, "IDLE", or the error's text. */
static const char *next_batch(World *w)
{
    const char *end;
    int r = source_plan(w->source, w->offset, w->arena, &end, &w->err);
    if (r == SOURCE_IDLE)
        return "IDLE";
    if (r < 0 || read_range(w, w->offset, end, false) < 0)
        return w->err.message;
    w->offset = end;
    return str_buf_text(&w->rows);
}

static const char *snapshot(World *w)
{
    return read_range(w, NULL, NULL, false) < 0 ? w->err.message : str_buf_text(&w->rows);
}

/* ---- each file once ---- */

static void a_file_is_taken_once_whatever_its_name_sorts_like(void **state) /* file-01 */
{
    World *w = *state;
    put(w, "/in/b.json", "{\"id\":2}\n");
    open_stream(w, "STREAM read_files('/in/', format => 'json')");
    assert_string_equal(columns(w), "id bigint, _rescued_data string, _metadata ..");
    assert_string_equal(next_batch(w), "2|NULL\n");
    assert_string_equal(next_batch(w), "IDLE");
    put(w, "/in/a.json", "{\"id\":1}\n");
    put(w, "/in/sub/c.json", "{\"id\":3}\n");
    put(w, "/in/b.json", "{\"id\":99}\n"); /* changed: not again */
    assert_string_equal(next_batch(w), "1|NULL\n3|NULL\n");
    assert_string_equal(next_batch(w), "IDLE");
    /* and after a restart */
    open_stream(w, "STREAM read_files('/in/', format => 'json')");
    assert_string_equal(next_batch(w), "IDLE");
}

static void the_log_is_sparks_byte_for_byte(void **state)
{
    World *w = *state;
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT', maxFilesPerTrigger => 1)");
    StrBuf all = {0};
    for (int i = 0; i < 12; i++) {
        const char *path = arena_printf(w->arena, "/in/f %d%%#\xc3\xbc+.json", i);
        put(w, path, "{\"id\":1}\n");
        IoStat stat;
        assert_int_equal(io_stat(w->io, path, &stat, &w->err), 0);
        assert_string_equal(next_batch(w), "1\n");
        assert_string_equal(w->offset, arena_printf(w->arena, "{\"logOffset\":%d}", i));
        const char *entry = arena_printf(w->arena, "\n{\"path\":\"file:///in/f%%20%d%%25%%23\xc3\xbc+.json\",\"timestamp\":%lld,\"batchId\":%d}", i,
                                         (long long)(stat.modified_us / 1000), i);
        str_buf_puts(&all, entry);
        if (i == 9) {
            assert_string_equal(content(w, "/c/sources/0/9"), "ABSENT");
            assert_string_equal(content(w, "/c/sources/0/9.compact"), arena_printf(w->arena, "v1%s", str_buf_text(&all)));
        } else {
            assert_string_equal(content(w, arena_printf(w->arena, "/c/sources/0/%d", i)), arena_printf(w->arena, "v1%s", entry));
        }
    }
    str_buf_fini(&all);
    /* a batch that went into the compact file is still found by its number */
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT')");
    assert_int_equal(read_range(w, "{\"logOffset\":4}", "{\"logOffset\":6}", false), 0);
    assert_string_equal(str_buf_text(&w->rows), "1\n1\n");
    assert_string_equal(next_batch(w), "IDLE");
}

static void a_log_of_spark_is_continued(void **state)
{
    World *w = *state;
    put(w, "/in/a b.json", "{\"id\":1}\n");
    put(w, "/in/c.json", "{\"id\":2}\n");
    put(w, "/in/d.json", "{\"id\":3}\n");
    put(w, "/c/sources/0/0", "v1\n{\"path\":\"file:///in/a%20b.json\",\"timestamp\":1,\"batchId\":0,\"unknown\":[1]}");
    put(w, "/c/sources/0/1", "v1\n{ \"path\" : \"file:///in/c.json\", \"timestamp\":2, \"batchId\":1}\n");
    put(w, "/c/sources/0/.1.crc", "x");
    put(w, "/c/sources/0/2.tmp", "x");
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT')");
    /* batch 1 is in the log, but was not finished: it is next, alone */
    w->offset = "{\"logOffset\":0}";
    assert_string_equal(next_batch(w), "2\n");
    assert_string_equal(next_batch(w), "3\n");
    assert_string_equal(w->offset, "{\"logOffset\":2}");
}

static void a_log_that_lost_a_batch_is_refused(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1}\n");
    put(w, "/c/sources/0/0", "v1\n{\"path\":\"file:///in/a.json\",\"timestamp\":1,\"batchId\":0}");
    put(w, "/c/sources/0/2", "v1\n{\"path\":\"file:///in/b.json\",\"timestamp\":1,\"batchId\":2}");
    open_source(w, "STREAM read_files('/in', format => 'json')");
    assert_true(source_attach(w->source, "/c/sources/0", &w->err) < 0);
    assert_int_equal(w->err.kind, SILT_CORRUPT);
    assert_non_null(strstr(w->err.message, "/c/sources/0/1"));
    io_delete(w->io, "/c/sources/0/2", &w->err);
    open_stream(w, "STREAM read_files('/in', format => 'json')");
    w->offset = "{\"logOffset\":5}"; /* ahead of the log */
    next_batch(w);
    assert_int_equal(w->err.kind, SILT_CORRUPT);
    w->offset = "{\"topic\":{}}";
    next_batch(w);
    assert_non_null(strstr(w->err.message, "is no offset of a file source"));
}

static void hidden_and_unfinished_names_are_left_alone(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1}\n");
    static const char *const others[] = {"/in/_x.json", "/in/.x.json", "/in/x.json.tmp", "/in/x.part", "/in/_dir/y.json", "/in/.dir/y.json", "/in/x.json._COPYING_"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        put(w, others[i], "{\"id\":2}\n");
    put(w, "/in/_p=7/z.json", "{\"id\":3}\n");
    open_stream(w, "STREAM read_files('/in', format => 'json')");
    assert_string_equal(next_batch(w), "1|NULL|NULL\n3|7|NULL\n");
}

static void limits_cut_batches(void **state)
{
    World *w = *state;
    for (int i = 0; i < 7; i++)
        put(w, arena_printf(w->arena, "/in/%d.json", i), arena_printf(w->arena, "{\"id\":%d}\n", i));
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT', maxFilesPerTrigger => 2)");
    assert_string_equal(next_batch(w), "0\n1\n");
    assert_string_equal(next_batch(w), "2\n3\n");
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT', maxBytesPerTrigger => '20b')");
    assert_string_equal(next_batch(w), "4\n5\n");
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT', maxBytesPerTrigger => 1)");
    assert_string_equal(next_batch(w), "6\n");
    assert_string_equal(next_batch(w), "IDLE");
}

static void a_bounded_source_plans_nothing_that_came_later(void **state)
{
    World *w = *state;
    put(w, "/in/1.json", "{\"id\":1}\n");
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT')");
    assert_int_equal(source_bound(w->source, &w->err), 0);
    put(w, "/in/2.json", "{\"id\":2}\n");
    assert_string_equal(next_batch(w), "1\n");
    assert_string_equal(next_batch(w), "IDLE");
    source_unbound(w->source);
    assert_string_equal(next_batch(w), "2\n");
}

static void existing_files_can_be_skipped_for_ever(void **state)
{
    World *w = *state;
    const char *relation = "STREAM read_files('/in', format => 'json', schema => 'id INT', includeExistingFiles => false)";
    put(w, "/in/1.json", "{\"id\":1}\n");
    open_stream(w, relation);
    assert_string_equal(next_batch(w), "IDLE");
    put(w, "/in/0.json", "{\"id\":2}\n");
    assert_string_equal(next_batch(w), "2\n");
    open_stream(w, relation);
    assert_string_equal(next_batch(w), "IDLE");
}

static void a_vanished_file_is_an_empty_one_or_an_error(void **state)
{
    World *w = *state;
    put(w, "/in/1.json", "{\"id\":1}\n");
    put(w, "/in/2.json", "{\"id\":2}\n");
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT', ignoreMissingFiles => false)");
    const char *end;
    assert_int_equal(source_plan(w->source, NULL, w->arena, &end, &w->err), 0);
    io_delete(w->io, "/in/1.json", &w->err);
    SourceBatch *batch;
    assert_true(source_open_batch(w->source, NULL, end, NULL, &batch, &w->err) < 0);
    assert_string_equal(w->err.message, "\"/in/1.json\" is gone before it was read");
    assert_non_null(strstr(w->err.hint, "ignoreMissingFiles => true"));
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT')");
    assert_int_equal(source_open_batch(w->source, NULL, end, NULL, &batch, &w->err), 0);
    assert_int_equal(drain(w, batch, false), 0);
    assert_string_equal(str_buf_text(&w->rows), "2\n");
    int count;
    const SourcePart *parts = source_batch_parts(batch, &count);
    assert_int_equal(count, 2);
    assert_true(parts[0].missing);
    assert_string_equal(parts[0].name, "file:///in/1.json");
    assert_false(parts[1].missing);
    source_batch_close(batch);
}

static void every_fault_of_a_plan_loses_and_doubles_nothing(void **state)
{
    World *w = *state;
    const IoFault faults[] = {IO_FAULT_FAIL, IO_FAULT_LIE, IO_FAULT_HALF, IO_FAULT_POWER};
    for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
        for (int at = 0;; at++) {
            Io *io = io_new_memory(w->scratch, 7);
            Io *saved = w->io;
            source_freep(&w->source);
            w->io = io;
            w->offset = NULL;
            for (int i = 0; i < 11; i++)
                put(w, arena_printf(w->arena, "/in/%02d.json", i), arena_printf(w->arena, "{\"id\":%d}\n", i));
            const char *relation = "STREAM read_files('/in', format => 'json', schema => 'id INT', maxFilesPerTrigger => 1)";
            open_stream(w, relation);
            io_memory_arm(io, at, faults[f]);
            StrBuf rows = {0};
            int taken = 0, failures = 0;
            while (taken < 11 && failures < 5) {
                const char *end = NULL;
                int r = source_plan(w->source, w->offset, w->arena, &end, &w->err);
                if (r < 0) {
                    failures++;
                    if (faults[f] == IO_FAULT_POWER) {
                        io_memory_restart(io, true);
                        open_stream(w, relation);
                    }
                    continue;
                }
                assert_int_equal(r, 0);
                assert_int_equal(read_range(w, w->offset, end, false), 0);
                str_buf_str(&rows, str_buf_view(&w->rows));
                w->offset = end;
                taken++;
            }
            assert_string_equal(str_buf_text(&rows), "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
            str_buf_fini(&rows);
            bool fired = io_memory_fault_fired(io);
            io_memory_restart(io, false);
            open_stream(w, relation);
            assert_string_equal(next_batch(w), "IDLE");
            source_freep(&w->source);
            w->io = saved;
            io_free(io);
            if (!fired)
                break;
            assert_true(at < 1000);
        }
    }
}

/* ---- paths ---- */

static void globs_choose_files(void **state)
{
    World *w = *state;
    static const char *const files[] = {"/in/a1.json", "/in/b2.json", "/in/c.txt", "/in/x/a3.json", "/in/x/y/a4.json", "/in/we[i]rd.json"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        put(w, files[i], arena_printf(w->arena, "{\"f\":\"%s\"}\n", files[i] + 4));
    static const struct {
        const char *glob, *rows;
    } cases[] = {
        {"/in/*.json", "a1.json\nb2.json\nwe[i]rd.json\n"},
        {"/in/{a,b}?.json", "a1.json\nb2.json\n"},
        {"/in/[^a]2.json", "b2.json\n"},
        {"/in/[a-b][0-9].json", "a1.json\nb2.json\n"},
        {"/in/**/a*.json", "a1.json\nx/a3.json\nx/y/a4.json\n"},
        {"/in/*/a*.json", "x/a3.json\n"},
        {"/in/x", "x/a3.json\nx/y/a4.json\n"},
        {"/in/*/y", "x/y/a4.json\n"},
        {"/in/we\\\\[i\\\\]rd.json", "we[i]rd.json\n"},
        {"in/a1.json", "a1.json\n"},
        {"file:///in/a1.json", "a1.json\n"},
        {"file:/in/%61[1].json", "a1.json\n"},
        {"/in/{x/a,b}*.json", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!cases[i].rows)
            continue;
        open_source(w, arena_printf(w->arena, "read_files('%s', format => 'json', schema => 'f STRING')", cases[i].glob));
        assert_string_equal(snapshot(w), cases[i].rows);
    }
    open_source(w, "read_files('/in', format => 'json', schema => 'f STRING', pathGlobFilter => 'a*.json', recursiveFileLookup => false)");
    assert_string_equal(snapshot(w), "a1.json\n");
    open_source(w, "json.`/in/x`");
    assert_string_equal(columns(w), "f string, _metadata ..");
    assert_string_equal(snapshot(w), "x/a3.json\nx/y/a4.json\n");
}

static void folders_make_partition_columns(void **state)
{
    World *w = *state;
    put(w, "/in/d=2026-01-02/n=7/k=a%2Fb c/x.json", "{\"id\":1}\n");
    put(w, "/in/d=2026-01-03/n=08/k=__HIVE_DEFAULT_PARTITION__/x.json", "{\"id\":2}\n");
    open_stream(w, "STREAM read_files('/in', format => 'json')");
    assert_string_equal(columns(w), "id bigint, d date, n string, k string, _rescued_data string, _metadata ..");
    assert_string_equal(next_batch(w), "1|20455|7|a/b c|NULL\n2|20456|08|NULL|NULL\n");
    open_source(w, "read_files('/in', format => 'json', schema => 'n INT, id INT', partitionColumns => 'n')");
    assert_string_equal(columns(w), "id int, n int, _metadata ..");
    assert_string_equal(snapshot(w), "1|7\n2|8\n");
    open_source(w, "read_files('/in', format => 'json', partitionColumns => '')");
    assert_string_equal(columns(w), "id bigint, _rescued_data string, _metadata ..");
}

static void metadata_tells_where_a_row_is_from(void **state)
{
    World *w = *state;
    put(w, "/in/a b.json", "{\"id\":1}\n");
    IoStat stat;
    io_stat(w->io, "/in/a b.json", &stat, &w->err);
    open_source(w, "read_files('/in', format => 'json', schema => 'id INT')");
    assert_int_equal(read_range(w, NULL, NULL, true), 0);
    assert_string_equal(str_buf_text(&w->rows),
                        arena_printf(w->arena, "1|file:///in/a%%20b.json;a b.json;9;0;9;%lld\n", (long long)(stat.modified_us / 1000 * 1000)));
}

/* ---- contents ---- */

static void put_gzip(World *w, const char *path, const char *text, size_t cut)
{
    unsigned char out[4096];
    z_stream z = {0};
    deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = (uInt)strlen(text);
    z.next_out = out;
    z.avail_out = sizeof out;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t size = z.total_out - cut;
    deflateEnd(&z);
    put_bytes(w, path, out, size);
}

static void compressed_files_are_read_by_their_content(void **state)
{
    World *w = *state;
    put_gzip(w, "/in/a.json.gz", "{\"id\":1}\n{\"id\":2}\n", 0);
    char zst[1024];
    size_t size = 12; /* a frame to be skipped, with which pzstd begins */
    memcpy(zst, "\x50\x2a\x4d\x18\4\0\0\0abcd", size);
    size += ZSTD_compress(zst + size, sizeof zst - size, "{\"id\":3}\n", 9, 3);
    size += ZSTD_compress(zst + size, sizeof zst - size, "{\"id\":4}\n", 9, 3); /* two frames */
    put_bytes(w, "/in/b.json.zst", zst, size);
    put_gzip(w, "/in/c.json", "{\"id\":5}", 0); /* no suffix */
    open_stream(w, "STREAM read_files('/in', format => 'json')");
    assert_string_equal(next_batch(w), "1|NULL\n2|NULL\n3|NULL\n4|NULL\n5|NULL\n");
}

static void other_compressions_are_read_or_refused_by_name(void **state)
{
    World *w = *state;
    char packed[256];
    uLongf size = sizeof packed;
    assert_int_equal(compress((Bytef *)packed, &size, (const Bytef *)"{\"id\":1}\n", 9), Z_OK);
    put_bytes(w, "/in/a.json.deflate", packed, size); /* Hadoop's name for zlib */
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT')");
    assert_string_equal(next_batch(w), "1\n");
    static const char *const suffixes[][2] = {{"bz2", "bzip2"}, {"snappy", "snappy"}, {"lz4", "lz4"}, {"xz", "xz"}, {"zip", "zip"}};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        put(w, arena_printf(w->arena, "/%s/a.json.%s", suffixes[i][0], suffixes[i][0]), "{\"id\":1}\n");
        open_source(w, arena_printf(w->arena, "read_files('/%s', format => 'json', schema => 'id INT')", suffixes[i][0]));
        assert_string_equal(snapshot(w), arena_printf(w->arena, "cannot read \"/%s/a.json.%s\": files compressed with %s are not unpacked", suffixes[i][0],
                                                      suffixes[i][0], suffixes[i][1]));
    }
    put(w, "/raw/a.bz2", "bytes");
    open_source(w, "read_files('/raw', format => 'binaryFile')");
    assert_non_null(strstr(snapshot(w), "file:///raw/a.bz2"));
    put(w, "/cut/a.json.deflate", "{}");
    open_source(w, "read_files('/cut', format => 'json', schema => 'id INT')");
    assert_string_equal(snapshot(w), "\"/cut/a.json.deflate\" is not compressed as its name says");
    assert_non_null(strstr(w->err.hint, "ignoreCorruptFiles"));
}

static void a_broken_compressed_file_fails_by_name_and_is_read_when_repaired(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1}\n");
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT')");
    assert_string_equal(next_batch(w), "1\n");
    put_bytes(w, "/in/e.json.gz", "\x1f\x8b\x08\x00" "broken", 10);
    put(w, "/in/f.json", "{\"id\":6}\n");
    assert_string_equal(next_batch(w), "could not decompress \"/in/e.json.gz\": the file ends too early");
    assert_int_equal(w->err.kind, SILT_INPUT);
    put_gzip(w, "/in/e.json.gz", "{\"id\":5}\n", 0);
    assert_string_equal(next_batch(w), "5\n6\n");
    put_gzip(w, "/in/g.json.gz", "{\"id\":7}\n", 4);
    assert_string_equal(next_batch(w), "could not decompress \"/in/g.json.gz\": the file ends too early");
    put(w, "/in/g.json.gz", "plain");
    assert_string_equal(next_batch(w), "\"/in/g.json.gz\" is not compressed as its name says");
    put(w, "/in/g.json.gz", "");
    assert_string_equal(next_batch(w), "");
}

static void text_of_other_encodings_is_read_as_utf8(void **state)
{
    World *w = *state;
    put_bytes(w, "/in/a.json", "\xff\xfe{\0\"\0s\0\"\0:\0\"\0\xe9\0\"\0}\0\n\0", 22);
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 's STRING')");
    assert_string_equal(next_batch(w), "\xc3\xa9\n");
    put(w, "/latin/a.csv", "s\nd\xe9j\xe0\n");
    open_source(w, "read_files('/latin', format => 'csv', encoding => 'ISO-8859-1')");
    assert_string_equal(snapshot(w), "d\xc3\xa9j\xc3\xa0|NULL\n");
    put_bytes(w, "/cut/a.json", "\xff\xfe{\0}", 5);
    open_source(w, "read_files('/cut', format => 'json', schema => 's STRING')");
    assert_string_equal(snapshot(w), "\"/cut/a.json\", byte 2: this is no text in UTF-16LE");
    assert_true(try_open(w, "read_files('/in', format => 'json', encoding => 'klingon')") < 0);
    assert_string_equal(w->err.message, "cannot read text in the encoding \"klingon\": it is not known");
}

static void lines_of_text_are_rows(void **state)
{
    World *w = *state;
    put(w, "/in/a.txt", "one\n\ntwo\r\nthree\rfour");
    open_source(w, "read_files('/in', format => 'text')");
    assert_string_equal(columns(w), "value string, _metadata ..");
    assert_string_equal(snapshot(w), "one\n\ntwo\nthree\nfour\n");
    put(w, "/in/b.txt", "");
    open_source(w, "read_files('/in', format => 'text', wholetext => true)");
    assert_string_equal(snapshot(w), "one\n\ntwo\r\nthree\rfour\n\n");
    put(w, "/sep/a.txt", "a||b|||");
    open_source(w, "text.`/sep` WITH ('lineSep' = '||')");
    assert_string_equal(snapshot(w), "a\nb\n|\n");
    put(w, "/bad/a.txt", "good\n\xff\nalso good\n");
    open_stream(w, "STREAM read_files('/bad', format => 'text')");
    assert_string_equal(next_batch(w), "good\nalso good\n");
    assert_int_equal(w->counts.undecodable, 1);
}

static void files_are_rows_byte_for_byte(void **state)
{
    World *w = *state;
    put_gzip(w, "/in/a.gz", "packed", 0);
    put(w, "/in/empty", "");
    put_bytes(w, "/in/mark", "\xff\xfe \n", 4);
    open_source(w, "read_files('/in', format => 'binaryFile')");
    assert_string_equal(columns(w), "path string, modificationTime timestamp, length bigint, content binary, _metadata ..");
    snapshot(w);
    assert_int_equal(w->counts.rows, 3);
    assert_non_null(memmem(w->rows.ptr, w->rows.size, "file:///in/empty|", 17));
    assert_non_null(memmem(w->rows.ptr, w->rows.size, "|4|\xff\xfe \n", 7));
    assert_non_null(memmem(w->rows.ptr, w->rows.size, "|\x1f\x8b", 3));
}

static void dead_letters_name_file_and_byte(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1}\n");
    put(w, "/in/b.json", "{\"id\":2}\nnot json\n{\"id\":3}\n");
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT')");
    assert_string_equal(next_batch(w), "1\n2\n3\n");
    assert_string_equal(str_buf_text(&w->bad), "1:9+8 a record that is no object: not json\n");
}

static void a_record_beyond_the_limit_is_a_dead_letter_and_the_next_is_read(void **state)
{
    World *w = *state;
    StrBuf text = {0};
    str_buf_puts(&text, "{\"id\":1}\n{\"id\":2,\"s\":\"");
    for (int i = 0; i < 3000000; i++)
        str_buf_putc(&text, 'x');
    str_buf_puts(&text, "\"}\n{\"id\":3}\n");
    put(w, "/in/a.json", str_buf_text(&text));
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT', maxRecordSize => '1m')");
    assert_string_equal(next_batch(w), "1\n3\n");
    assert_memory_equal(str_buf_text(&w->bad), "0:9+3000015 a record longer than maxRecordSize: {\"id\":2", 50);
    str_buf_fini(&text);
}

static void empty_files_have_no_rows(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "");
    put(w, "/in/b.json", "\n\n");
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT')");
    assert_string_equal(next_batch(w), "");
    assert_string_equal(next_batch(w), "IDLE");
}

/* ---- threads ---- */

typedef struct Puller {
    ChunkReader *reader;
    int64_t rows, sum;
    int result;
} Puller;

static void *pull(void *self)
{
    Puller *p = self;
    SiltErr err;
    Chunk *chunk;
    while ((p->result = p->reader->next(p->reader->self, &chunk, &err)) == 0 && chunk) {
        const int64_t *ids = chunk_column(chunk, 0)->data;
        for (int row = 0; row < chunk_row_count(chunk); row++)
            p->sum += ids[row];
        p->rows += chunk_row_count(chunk);
        chunk_unref(chunk);
    }
    return NULL;
}

static void any_number_of_threads_read_each_row_once(void **state)
{
    World *w = *state;
    StrBuf text = {0};
    int64_t id = 0, bad = 0;
    for (int file = 0; file < 12; file++) { /* small ones, and one of many blocks */
        str_buf_clear(&text);
        for (int i = 0; i < (file == 5 ? 120000 : 500); i++, id++) {
            str_buf_printf(&text, "{\"id\":%lld,\"s\":\"some text that is not short\",\"new\":%d}\n", (long long)id, i);
            if (i % 400 == 0)
                bad += (str_buf_puts(&text, "{broken\n"), 1);
        }
        put(w, arena_printf(w->arena, "/in/%02d.json", file), str_buf_text(&text));
    }
    str_buf_fini(&text);
    open_source(w, "read_files('/in', format => 'json', schemaHints => 's STRING')");
    SourceBatch *batch;
    SourceReadOptions options = {.sink = {w, put_bad}};
    assert_int_equal(source_open_snapshot(w->source, &options, &batch, &w->err), 0);
    Puller pullers[5];
    pthread_t threads[5];
    for (int i = 0; i < 5; i++) {
        pullers[i] = (Puller){.reader = source_batch_reader(batch)};
        assert_int_equal(pthread_create(&threads[i], NULL, pull, &pullers[i]), 0);
    }
    int64_t rows = 0, sum = 0;
    for (int i = 0; i < 5; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(pullers[i].result, 0);
        rows += pullers[i].rows;
        sum += pullers[i].sum;
    }
    assert_int_equal(rows, id);
    assert_int_equal(sum, id * (id - 1) / 2);
    FormatCounts counts = source_batch_counts(batch);
    assert_int_equal(counts.rows, id);
    assert_int_equal(counts.undecodable, bad);
    assert_int_equal(counts.records, id + bad);
    int64_t letters = 0;
    for (const char *p = str_buf_text(&w->bad); (p = strchr(p, '\n')) != NULL; p++)
        letters++;
    assert_int_equal(letters, bad);
    source_batch_close(batch);
}

/* ---- schema ---- */

static void a_kept_schema_is_not_inferred_again(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1,\"p\":\"x\"}\n");
    open_stream(w, "STREAM read_files('/in', format => 'json')");
    w->schema_text = source_schema_text(w->source, w->arena);
    assert_string_equal(w->schema_text,
                        "v1\n{\"dataSchemaJson\":\"{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[{\\\"name\\\":\\\"id\\\",\\\"type\\\":\\\"long\\\",\\\"nullable\\\":true,"
                        "\\\"metadata\\\":{}},{\\\"name\\\":\\\"p\\\",\\\"type\\\":\\\"string\\\",\\\"nullable\\\":true,\\\"metadata\\\":{}}]}\","
                        "\"partitionSchemaJson\":\"{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[]}\"}");
    assert_int_equal(source_schema_store(w->io, "/c/_schemas/0", w->schema_text, &w->err), 0);
    assert_int_equal(source_schema_store(w->io, "/c/_schemas/0", w->schema_text, &w->err), 0);
    const char *text;
    assert_int_equal(source_schema_load(w->io, "/c/_schemas/0", w->arena, &text, &w->err), 0);
    assert_string_equal(text, w->schema_text);
    assert_int_equal(source_schema_load(w->io, "/c/_schemas/1", w->arena, &text, &w->err), IO_ABSENT);
    assert_string_equal(next_batch(w), "1|x|NULL\n");
    io_delete(w->io, "/in/a.json", &w->err);
    put(w, "/in/b.json", "{\"id\":\"late\"}\n");
    open_stream(w, "STREAM read_files('/in', format => 'json')");
    assert_string_equal(columns(w), "id bigint, p string, _rescued_data string, _metadata ..");
    assert_string_equal(next_batch(w), "NULL|NULL|{\"id\":\"late\",\"_file_path\":\"file:///in/b.json\"}\n");
}

static void new_columns_are_drift_and_the_batch_is_read_again(void **state)
{
    World *w = *state;
    put(w, "/in/1.json", "{\"id\":1,\"g\":null,\"o\":{}}\n"); /* json-08 */
    open_stream(w, "STREAM read_files('/in', format => 'json')");
    next_batch(w);
    assert_false(w->drift);
    put(w, "/in/2.json", "{\"id\":3,\"g\":\"x\",\"o\":{\"k\":1}}\n");
    const char *end;
    assert_int_equal(source_plan(w->source, w->offset, w->arena, &end, &w->err), 0);
    SourceBatch *batch;
    assert_int_equal(source_open_batch(w->source, w->offset, end, NULL, &batch, &w->err), 0);
    assert_int_equal(drain(w, batch, false), 0);
    assert_true(w->drift);
    assert_int_equal(source_widen(w->source, batch, &w->err), 0);
    source_batch_close(batch);
    assert_string_equal(columns(w), "g string, id bigint, o struct<k:bigint>, _rescued_data string, _metadata ..");
    assert_int_equal(read_range(w, w->offset, end, false), 0);
    assert_string_equal(str_buf_text(&w->rows), "x|3|1|NULL\n");
    assert_false(w->drift);
}

static void a_field_called_like_a_partition_column_stays_rescued(void **state)
{
    World *w = *state;
    put(w, "/in/p=1/a.json", "{\"id\":1,\"p\":5,\"_metadata\":1}\n");
    open_stream(w, "STREAM read_files('/in', format => 'json', schemaHints => 'id INT')");
    assert_string_equal(next_batch(w), "1|1|{\"p\":5,\"_metadata\":1,\"_file_path\":\"file:///in/p=1/a.json\"}\n");
    assert_false(w->drift);
}

static void without_files_a_schema_must_be_given(void **state)
{
    World *w = *state;
    assert_true(try_open(w, "STREAM read_files('/in', format => 'json')") < 0);
    assert_string_equal(w->err.message, "could not infer the schema of read_files('/in'): there is no \"/in\"");
    assert_int_equal(w->err.column, 33);
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT')"); /* waits */
    assert_string_equal(next_batch(w), "IDLE");
    put(w, "/in/_hidden", "");
    assert_true(try_open(w, "STREAM read_files('/in', format => 'json')") < 0);
    assert_string_equal(w->err.message, "could not infer the schema of read_files('/in'): there are no files yet");
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT')");
    assert_string_equal(next_batch(w), "IDLE");
}

static void a_folder_that_held_files_and_is_gone_is_an_error(void **state)
{
    World *w = *state;
    put(w, "/c/sources/0/0", "v1\n{\"path\":\"file:///mount/a.json\",\"timestamp\":1,\"batchId\":0}");
    open_stream(w, "STREAM read_files('/mount', format => 'json', schema => 'id INT')");
    w->offset = "{\"logOffset\":0}";
    assert_string_equal(next_batch(w), "read_files('/mount'): \"/mount\", which held files, is not there any more");
    assert_int_equal(w->err.kind, SILT_CONFIG);
}

/* ---- options ---- */

static void options_are_checked_where_they_stand(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1}\n");
    static const struct {
        const char *relation, *message, *hint;
        int column;
    } cases[] = {
        {"read_files('/in', format => 'json', multiline2 => true)", "read_files does not know the option \"multiline2\"", "Did you mean multiLine?", 51},
        {"read_files('/in', format => 'jsn')", "unknown file format \"jsn\"", "json, csv, parquet, avro, text and binaryFile are known.", 43},
        {"read_files('/in', format => 'xml')", "cannot read files of format \"xml\"", "", 43},
        {"read_files('/in', format => 'orc')", "cannot read files of format \"orc\"", "", 43},
        {"read_files('/in', format => 'json', badRecordsPath => '/bad')", "read_files cannot do \"badRecordsPath\"",
         "Files beside the table would not be part of its transaction: what cannot be read is in <table>_dead_letters.", 51},
        {"read_files('/in', format => 'json', maxFileAge => 'long')", "maxFileAge takes a time span, not \"long\"", "For instance '7 days' or '12 hours'.", 65},
        {"read_files('/in', format => 'json', cleanSource => 'MOVE')", "cleanSource => 'MOVE' needs a folder to move files to", "", 66},
        {"read_files('/in', format => 'json', cleanSource => 'DELETE', `cleanSource.retentionDuration` => '7 days')",
         "cleanSource => 'DELETE' keeps files for more than 7 days", "", 66},
        {"read_files('/in', format => 'json', cleanSource => 'MOVE', `cleanSource.moveDestination` => '/in/done')",
         "cleanSource moves files into \"/in/done\", which is inside of the path that is read", "", 66},
        {"read_files('/in', format => 'json', schema => 'id INT', schemaEvolutionMode => 'addNewColumns')",
         "addNewColumns is for an inferred schema: with schema no column can be added", "", 94},
        {"read_files('/in', format => 'json', schemaHints => 'id.x INT')", "schemaHints cannot be applied: \"id.x INT\"", "", 66},
        {"read_files('/in', format => 'json', maxFilesPerTrigger => 0)", "maxFilesPerTrigger takes a whole number of at least 1, not \"0\"", "", 73},
        {"read_files('/in', format => 'json', maxBytesPerTrigger => 'much')", "maxBytesPerTrigger takes a size (such as 10m) of at least 1, not \"much\"", "", 73},
        {"read_files('/in', format => 'json', multiLine => 'yes')", "multiLine takes true or false, not \"yes\"", "", 64},
        {"read_files('/in', format => 'json', mode => 'LENIENT')", "\"LENIENT\" is no value for mode: one of PERMISSIVE|DROPMALFORMED|FAILFAST is expected", "", 59},
        {"read_files('/in', '/in2')", "read_files takes one path; further arguments are named: name => value", "", 33},
        {"read_files(format => 'json')", "read_files needs a path", "", 15},
        {"read_files('/in', format => 'json', format => 'csv')", "\"format\" is given twice", "", 51},
        {"read_files('/in', format => 'csv', sep => ',', delimiter => ';')", "\"sep\" and \"delimiter\" are two names of one option: give it once", "", 62},
        {"read_files('/in', format => 'json', pathGlobFilter => 'a*', fileNamePattern => 'b*')",
         "\"pathGlobFilter\" and \"fileNamePattern\" are two names of one option: give it once", "", 75},
        {"read_files('/in', format => 'json', schema => 'id INTT')", "schema => 'id INTT': data type \"INTT\" is not supported", "", 61},
        {"read_files('/in', format => 'json', schema => 'id INT, ID INT')", "the schema of read_files('/in') has the column \"ID\" twice", "", 61},
        {"read_files('/in', format => 'csv', schema => 'a ARRAY<INT>')", "cannot read CSV into column \"a\" of type array<int>", "", 60},
        {"read_files('/in', format => 'json', timestampFormat => 'qqq')", "", "", 15},
        {"read_files('/in', format => 'json', timeZone => 'Mars/Base')", "unknown time zone \"Mars/Base\"", "", 15},
        {"read_files('/in', format => 'json', quote => 'x')", "read_files does not know the option \"quote\"", "", 51},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (try_open(w, cases[i].relation) >= 0)
            fail_msg("%s was accepted", cases[i].relation);
        if (*cases[i].message)
            assert_string_equal(w->err.message, cases[i].message);
        if (*cases[i].hint)
            assert_string_equal(w->err.hint, cases[i].hint);
        assert_int_equal(w->err.column, cases[i].column);
        assert_int_equal(w->err.kind, SILT_CONFIG);
        assert_string_equal(w->err.file, "q.sql");
    }
    assert_int_equal(try_open(w, "orders"), SOURCE_NONE);
    assert_int_equal(try_open(w, "delta.`/x`"), SOURCE_NONE);
    assert_int_equal(try_open(w, "range(5)"), SOURCE_NONE);
}

static void a_format_is_told_by_the_names(void **state)
{
    World *w = *state;
    put(w, "/in/a.csv.gz", "");
    put_gzip(w, "/in/a.csv.gz", "id,n\n1,x\n", 0);
    open_source(w, "read_files('/in')");
    assert_string_equal(columns(w), "id bigint, n string, _rescued_data string, _metadata ..");
    assert_string_equal(snapshot(w), "1|x|NULL\n");
    put(w, "/in/sub/b.json", "{}");
    assert_true(try_open(w, "read_files('/in')") < 0);
    assert_string_equal(w->err.message, "cannot tell the format of the files in \"/in\"");
    open_source(w, "read_files('/in', recursiveFileLookup => false)"); /* only what is read tells */
    assert_string_equal(snapshot(w), "1|x|NULL\n");
    put(w, "/in/b.json", "{}");
    assert_true(try_open(w, "read_files('/in', recursiveFileLookup => false)") < 0);
    assert_string_equal(w->err.message, "cannot tell the format of the files in \"/in\"");
}

/* ---- CSV through files ---- */

static void csv_columns_are_matched_by_name_and_new_ones_are_drift(void **state) /* csv-03 */
{
    World *w = *state;
    put(w, "/in/1.csv", "a,b,c\n1,2,3\n");
    open_stream(w, "STREAM read_files('/in/*.csv', format => 'csv', header => true)");
    assert_string_equal(next_batch(w), "1|2|3|NULL\n");
    put(w, "/in/2.csv", "c,b,a,d\n30,20,10,40\n");
    put(w, "/in/3.csv", "a,c\n100,300\n");
    const char *end;
    assert_int_equal(source_plan(w->source, w->offset, w->arena, &end, &w->err), 0);
    SourceBatch *batch;
    assert_int_equal(source_open_batch(w->source, w->offset, end, NULL, &batch, &w->err), 0);
    str_buf_clear(&w->rows);
    assert_int_equal(drain(w, batch, false), 0);
    assert_string_equal(str_buf_text(&w->rows), "10|20|30|{\"d\":\"40\",\"_file_path\":\"file:///in/2.csv\"}\n100|NULL|300|NULL\n");
    assert_true(w->drift);
    assert_int_equal(source_widen(w->source, batch, &w->err), 0);
    source_batch_close(batch);
    assert_string_equal(columns(w), "a bigint, b bigint, c bigint, d bigint, _rescued_data string, _metadata ..");
    assert_int_equal(read_range(w, w->offset, end, false), 0);
    assert_string_equal(str_buf_text(&w->rows), "10|20|30|40|NULL\n100|NULL|300|NULL|NULL\n");
}

static void a_csv_file_as_spark_names_it(void **state)
{
    World *w = *state;
    put(w, "/in/1.csv", "a,b\n1,2\n");
    open_source(w, "csv.`/in/1.csv`");
    assert_string_equal(columns(w), "_c0 string, _c1 string, _metadata ..");
    assert_string_equal(snapshot(w), "a|b\n1|2\n");
}

/* ---- Parquet ---- */

static void write_parquet(World *w, const char *path, const char *select)
{
    DuckSession *session;
    assert_int_equal(get_session(w, &session, &w->err), 0);
    const char *local = arena_printf(w->arena, "%s/out.parquet", w->scratch);
    if (duck_session_execute(session, arena_printf(w->arena, "COPY (%s) TO '%s' (FORMAT parquet)", select, local), &w->err) < 0)
        fail_msg("%s", w->err.message);
    FILE *file = fopen(local, "rb");
    char bytes[65536];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    put_bytes(w, path, bytes, size);
}

static void parquet_files_are_matched_by_name(void **state)
{
    World *w = *state;
    write_parquet(w, "/in/p=1/a.parquet", "SELECT 1::INT AS id, 'x' AS s");
    write_parquet(w, "/in/p=2/b.parquet", "SELECT 'y' AS s, 2::SMALLINT AS id, 1.5::DOUBLE AS extra UNION ALL SELECT 'z', 3, 2.5");
    open_stream(w, "STREAM read_files('/in', format => 'parquet')");
    assert_string_equal(columns(w), "id int, s string, extra double, p int, _rescued_data string, _metadata ..");
    assert_string_equal(next_batch(w), "1|x|NULL|1|NULL\n2|y|1.5|2|NULL\n3|z|2.5|2|NULL\n");
    assert_false(w->drift);
    write_parquet(w, "/in/c.parquet", "SELECT 4::INT AS id, 'Z' AS S, 7 AS more");
    const char *end;
    assert_int_equal(source_plan(w->source, w->offset, w->arena, &end, &w->err), 0);
    SourceBatch *batch;
    assert_int_equal(source_open_batch(w->source, w->offset, end, NULL, &batch, &w->err), 0);
    assert_true(source_batch_drift(batch));
    assert_int_equal(source_widen(w->source, batch, &w->err), 0);
    source_batch_close(batch);
    assert_int_equal(read_range(w, w->offset, end, false), 0);
    assert_string_equal(columns(w), "id int, s string, extra double, more int, p int, _rescued_data string, _metadata ..");
    assert_string_equal(str_buf_text(&w->rows), "4|NULL|NULL|7|NULL|{\"S\":\"Z\",\"_file_path\":\"file:///in/c.parquet\"}\n");
}

static void a_bad_parquet_file_is_named(void **state)
{
    World *w = *state;
    write_parquet(w, "/in/a.parquet", "SELECT 1::INT AS id");
    open_stream(w, "STREAM read_files('/in', format => 'parquet', rescuedDataColumn => '')");
    assert_string_equal(next_batch(w), "1\n");
    put(w, "/in/b.parquet", "");
    assert_string_equal(next_batch(w), "could not read \"/in/b.parquet\": it is no Parquet file, its 0 bytes are too few");
    put(w, "/in/b.parquet", "this is no Parquet file at all");
    assert_non_null(strstr(next_batch(w), "could not read \"/in/b.parquet\""));
    assert_int_equal(w->err.kind, SILT_INPUT);
    write_parquet(w, "/in/b.parquet", "SELECT 'text' AS id");
    assert_string_equal(next_batch(w), "column \"id\" of \"/in/b.parquet\" is string, and int was expected");
    write_parquet(w, "/in/b.parquet", "SELECT 2::TINYINT AS id");
    assert_string_equal(next_batch(w), "2\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* ---- many files ---- */

static int listed(const World *w)
{
    return ((const Files *)w->source->self)->seen.listed_count;
}

static void quiet_folders_are_not_listed_again(void **state)
{
    World *w = *state;
    put(w, "/in/2026/01/a.json", "{\"id\":1}\n");
    put(w, "/in/2026/02/b.json", "{\"id\":2}\n");
    io_sleep_ms(w->io, 70000);
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT')");
    assert_string_equal(next_batch(w), "1\n2\n");
    assert_int_equal(listed(w), 4);
    assert_string_equal(next_batch(w), "IDLE");
    assert_int_equal(listed(w), 0); /* nothing has changed since */
    put(w, "/in/2026/02/c.json", "{\"id\":3}\n");
    assert_string_equal(next_batch(w), "3\n");
    assert_int_equal(listed(w), 1);
    put(w, "/in/2026/02/d.json", "{\"id\":4}\n"); /* 02 was busy when it was listed */
    assert_string_equal(next_batch(w), "4\n");
    put(w, "/in/2026/03/e.json", "{\"id\":5}\n");
    assert_string_equal(next_batch(w), "5\n");
    io_sleep_ms(w->io, 70000);
    assert_string_equal(next_batch(w), "IDLE");
    assert_string_equal(next_batch(w), "IDLE");
    assert_int_equal(listed(w), 0);
    assert_int_equal(io_delete(w->io, "/in/2026/01/a.json", &w->err), 0); /* and one that changes and has nothing new */
    assert_string_equal(next_batch(w), "IDLE");
    assert_int_equal(listed(w), 1);
}

static void a_folder_with_files_that_wait_is_listed_again(void **state)
{
    World *w = *state;
    for (int i = 0; i < 5; i++)
        put(w, arena_printf(w->arena, "/in/d/%d.json", i), arena_printf(w->arena, "{\"id\":%d}\n", i));
    io_sleep_ms(w->io, 70000);
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT', maxFilesPerTrigger => 2)");
    assert_string_equal(next_batch(w), "0\n1\n");
    source_free(w->source); /* the rest is found by another process */
    w->source = NULL;
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT', maxFilesPerTrigger => 2)");
    assert_string_equal(next_batch(w), "2\n3\n");
    assert_string_equal(next_batch(w), "4\n");
    assert_string_equal(next_batch(w), "IDLE");
}

static void known_folders_are_kept_for_the_next_run(void **state)
{
    World *w = *state;
    for (int i = 0; i < 80; i++)
        put(w, arena_printf(w->arena, "/in/%02d/a.json", i), arena_printf(w->arena, "{\"id\":%d}\n", i));
    io_sleep_ms(w->io, 70000);
    const char *relation = "STREAM read_files('/in', format => 'json', schema => 'id INT')";
    for (int run = 0; run < 4; run++) {
        open_stream(w, relation);
        assert_int_equal(source_bound(w->source, &w->err), 0);
        assert_int_equal(listed(w), run == 0 ? 81 : run == 1 ? 0 : 1);
        if (run != 1)
            assert_string_not_equal(next_batch(w), "IDLE");
        assert_string_equal(next_batch(w), "IDLE");
        source_free(w->source);
        w->source = NULL;
        if (run >= 1)
            put(w, arena_printf(w->arena, "/in/41/b%d.json", run), "{\"id\":1000}\n");
    }
    assert_non_null(strstr(content(w, "/c/sources/0/1"), "/in/41/b1.json"));
    open_stream(w, "STREAM read_files('/in/*/b*', format => 'json', schema => 'id INT')"); /* other files of the same folders */
    assert_int_equal(source_bound(w->source, &w->err), 0);
    assert_int_equal(listed(w), 81);
}

static void damage_in_what_is_known_of_folders_has_all_listed(void **state)
{
    World *w = *state;
    for (int i = 0; i < 60; i++)
        put(w, arena_printf(w->arena, "/in/%02d/a.json", i), arena_printf(w->arena, "{\"id\":%d}\n", i));
    io_sleep_ms(w->io, 70000);
    const char *relation = "STREAM read_files('/in', format => 'json', schema => 'id INT')";
    open_stream(w, relation);
    assert_int_equal(source_bound(w->source, &w->err), 0);
    assert_string_not_equal(next_batch(w), "IDLE");
    assert_string_equal(next_batch(w), "IDLE"); /* which keeps it */
    Str text;
    assert_int_equal(io_read(w->io, "/c/sources/0/folders", w->arena, &text, &w->err), 0);
    assert_non_null(memmem(text.ptr, text.size, "/in/59", sizeof "/in/59"));
    for (size_t at = 0; at <= text.size; at += 61) { /* cut off there, or one bit flipped */
        char *copy = arena_strndup(w->arena, text.ptr, text.size);
        copy[at < text.size ? at : 0] ^= 4;
        for (int cut = 0; cut < 2; cut++) {
            put_bytes(w, "/c/sources/0/folders", cut ? text.ptr : copy, cut ? at : text.size);
            open_stream(w, relation);
            assert_int_equal(source_bound(w->source, &w->err), 0);
            assert_int_equal(listed(w), cut && at == text.size ? 0 : 61);
            assert_string_equal(next_batch(w), "IDLE");
        }
    }
}

static void a_backfill_is_due_in_a_later_run_too(void **state)
{
    World *w = *state;
    const char *relation = "STREAM read_files('/in', format => 'json', schema => 'id INT', backfillInterval => '1 hour')";
    for (int i = 0; i < 80; i++)
        put(w, arena_printf(w->arena, "/in/%02d/a.json", i), arena_printf(w->arena, "{\"id\":%d}\n", i));
    io_sleep_ms(w->io, 70000);
    for (int run = 0; run < 5; run++) {
        open_stream(w, relation);
        assert_int_equal(source_bound(w->source, &w->err), 0);
        assert_int_equal(listed(w), run == 0 || run == 3 ? 81 : 0);
        next_batch(w);
        assert_string_equal(next_batch(w), "IDLE");
        source_freep(&w->source);
        if (run == 2)
            io_sleep_ms(w->io, 3600 * 1000);
    }
}

static void a_backfill_lists_all(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1}\n");
    io_sleep_ms(w->io, 70000);
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT', backfillInterval => '1 hour')");
    assert_string_equal(next_batch(w), "1\n");
    assert_string_equal(next_batch(w), "IDLE");
    assert_int_equal(listed(w), 0);
    io_sleep_ms(w->io, 3600 * 1000);
    assert_string_equal(next_batch(w), "IDLE");
    assert_int_equal(listed(w), 1);
}

static void a_remembered_file_takes_forty_bytes_at_most(void **state)
{
    (void)state;
    SeenSet set = {0};
    char name[64];
    for (int i = 0; i < 200000; i++) {
        snprintf(name, sizeof name, "file:///in/2026/%02d/part-%05d.json", i % 12, i);
        seen_set_add(&set, str_of(name), 0);
        if (i > 1000)
            assert_true(seen_set_bytes(&set) <= 40 * set.count);
    }
    assert_int_equal(set.count, 200000);
    assert_true(seen_set_has(&set, STR("file:///in/2026/07/part-00007.json"), 0));
    assert_false(seen_set_has(&set, STR("file:///in/2026/07/part-00007.json"), 1));
    assert_false(seen_set_has(&set, STR("file:///in/2026/08/part-00007.json"), 0));
    seen_set_fini(&set);
}

/* ---- which files, and what becomes of them ---- */

static void files_are_chosen_by_their_times(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1}\n");
    io_sleep_ms(w->io, 3600 * 1000);
    IoStat stat;
    put(w, "/in/b.json", "{\"id\":2}\n");
    assert_int_equal(io_stat(w->io, "/in/b.json", &stat, &w->err), 0);
    io_sleep_ms(w->io, 3600 * 1000);
    put(w, "/in/c.json", "{\"id\":3}\n");
    time_t at = (time_t)(stat.modified_us / 1000000);
    struct tm tm;
    char text[64];
    gmtime_r(&at, &tm);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
    open_source(w, arena_printf(w->arena, "read_files('/in', format => 'json', schema => 'id INT', modifiedAfter => '%s')", text));
    assert_string_equal(snapshot(w), "2\n3\n");
    open_source(w, arena_printf(w->arena, "read_files('/in', format => 'json', schema => 'id INT', modifiedBefore => '%s')", text));
    assert_string_equal(snapshot(w), "1\n");
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT', maxFileAge => '90 minutes')");
    assert_string_equal(next_batch(w), "2\n3\n");
    assert_string_equal(next_batch(w), "IDLE");
    open_source(w, "read_files('/in', format => 'json', schema => 'id INT', pathGlobFilter => '[ac]*')");
    assert_string_equal(snapshot(w), "1\n3\n");
}

static void the_newest_can_come_first(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1}\n");
    put(w, "/in/b.json", "{\"id\":2}\n");
    put(w, "/in/c.json", "{\"id\":3}\n");
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT', latestFirst => true, maxFilesPerTrigger => 2)");
    assert_string_equal(next_batch(w), "3\n2\n");
    assert_string_equal(next_batch(w), "1\n");
}

static void an_overwritten_file_can_be_a_new_one(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1}\n");
    io_sleep_ms(w->io, 70000);
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT', allowOverwrites => true)");
    assert_string_equal(next_batch(w), "1\n");
    assert_string_equal(next_batch(w), "IDLE");
    put(w, "/in/a.json", "{\"id\":2}\n");
    assert_string_equal(next_batch(w), "2\n");
    assert_string_equal(next_batch(w), "IDLE");
}

static void cleaned_files_are_those_of_sealed_batches_and_of_their_time(void **state)
{
    World *w = *state;
    IoStat stat;
    put(w, "/in/sub/a.json", "{\"id\":1}\n");
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT', cleanSource => 'MOVE', "
                   "`cleanSource.moveDestination` => '/done', `cleanSource.retentionDuration` => '1 hour')");
    assert_string_equal(next_batch(w), "1\n");
    io_sleep_ms(w->io, 2 * 3600 * 1000);
    assert_string_equal(next_batch(w), "IDLE");
    assert_int_equal(io_stat(w->io, "/in/sub/a.json", &stat, &w->err), 0); /* read, but not sealed */
    assert_int_equal(source_committed(w->source, w->offset, &w->err), 0);
    assert_int_equal(io_stat(w->io, "/in/sub/a.json", &stat, &w->err), 0); /* sealed just now */
    put(w, "/in/b.json", "{\"id\":2}\n");
    assert_string_equal(next_batch(w), "2\n");
    io_sleep_ms(w->io, 3700 * 1000);
    source_free(w->source); /* the time runs on while there is no process */
    w->source = NULL;
    open_stream(w, "STREAM read_files('/in', format => 'json', schema => 'id INT', cleanSource => 'MOVE', "
                   "`cleanSource.moveDestination` => '/done', `cleanSource.retentionDuration` => '1 hour')");
    w->offset = "{\"logOffset\":1}";
    assert_string_equal(next_batch(w), "IDLE");
    assert_int_equal(io_stat(w->io, "/in/sub/a.json", &stat, &w->err), IO_ABSENT);
    assert_string_equal(content(w, "/done/sub/a.json"), "{\"id\":1}\n");
    assert_int_equal(io_stat(w->io, "/in/b.json", &stat, &w->err), 0);
    assert_int_equal(source_committed(w->source, w->offset, &w->err), 0);
    put(w, "/in/b.json", "{\"id\":3}\n"); /* written again after it was read: no one has read this */
    io_sleep_ms(w->io, 3700 * 1000);
    assert_string_equal(next_batch(w), "IDLE");
    assert_int_equal(io_stat(w->io, "/in/b.json", &stat, &w->err), 0);
}

static void a_corrupt_file_can_be_left_out(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1}\n");
    put_gzip(w, "/in/b.json.gz", "{\"id\":2}\n", 5);
    put(w, "/in/c.json", "{\"id\":3}\n");
    open_source(w, "read_files('/in', format => 'json', schema => 'id INT', ignoreCorruptFiles => true)");
    assert_string_equal(snapshot(w), "1\n3\n");
}

/* ---- schemas that change ---- */

static void new_columns_are_what_the_mode_says(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1}\n");
    static const char *const modes[] = {"rescue", "none", "failOnNewColumns", "addNewColumns"};
    static const char *const rows[] = {"1|NULL\n2|{\"x\":true,\"_file_path\":\"file:///new/b.json\"}\n", "1\n2\n", NULL, NULL};
    put(w, "/new/a.json", "{\"id\":1}\n");
    put(w, "/new/b.json", "{\"id\":2,\"x\":true}\n");
    for (int i = 0; i < 4; i++) {
        w->schema_text = NULL;
        open_source(w, arena_printf(w->arena, "read_files('/in', format => 'json', schemaEvolutionMode => '%s')", modes[i]));
        w->schema_text = source_schema_text(w->source, w->arena);
        open_source(w, arena_printf(w->arena, "read_files('/new', format => 'json', schemaEvolutionMode => '%s')", modes[i]));
        SourceBatch *batch;
        str_buf_clear(&w->rows);
        assert_int_equal(source_open_snapshot(w->source, NULL, &batch, &w->err), 0);
        assert_int_equal(drain(w, batch, false), 0);
        assert_int_equal(w->drift, i >= 2);
        if (rows[i])
            assert_string_equal(str_buf_text(&w->rows), rows[i]);
        if (i == 2) {
            assert_true(source_widen(w->source, batch, &w->err) < 0);
            assert_string_equal(w->err.message, "read_files('/new'): there are new columns in the files: \"x\"");
        }
        if (i == 3) {
            assert_int_equal(source_widen(w->source, batch, &w->err), 0);
            assert_string_equal(columns(w), "id bigint, x boolean, _rescued_data string, _metadata ..");
        }
        source_batch_close(batch);
    }
    w->schema_text = NULL;
}

static void hints_reach_into_columns(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1,\"a\":{\"b\":2,\"c\":\"x\"},\"l\":[{\"p\":1}],\"dot.ted\":1}\n");
    open_source(w, "read_files('/in', format => 'json', schemaHints => 'a.b DECIMAL(10,2), l.element.p STRING, `dot.ted` SMALLINT, more.deep DATE, id INT')");
    assert_string_equal(columns(w), "a struct<b:decimal(10,2),c:string>, dot.ted smallint, id int, l array<struct<p:string>>, more struct<deep:date>, "
                                    "_rescued_data string, _metadata ..");
}

static void column_types_can_be_left_to_text(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1,\"a\":{\"b\":2}}\n");
    open_source(w, "read_files('/in', format => 'json', inferColumnTypes => false, schemaHints => 'id INT')");
    assert_string_equal(snapshot(w), "{\"b\":2}|1|NULL\n");
}

static void schemas_are_kept_in_their_place(void **state)
{
    World *w = *state;
    put(w, "/in/a.json", "{\"id\":1}\n");
    const char *relation = "STREAM read_files('/in', format => 'json', schemaLocation => '/schemas')";
    open_stream(w, relation);
    assert_non_null(strstr(content(w, "/schemas/_schemas/0"), "\\\"id\\\""));
    assert_string_equal(next_batch(w), "1|NULL\n");
    put(w, "/in/b.json", "{\"x\":1}\n");
    open_stream(w, relation); /* not inferred again */
    assert_string_equal(columns(w), "id bigint, _rescued_data string, _metadata ..");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_is_taken_once_whatever_its_name_sorts_like),
        TEST(the_log_is_sparks_byte_for_byte),
        TEST(a_log_of_spark_is_continued),
        TEST(a_log_that_lost_a_batch_is_refused),
        TEST(hidden_and_unfinished_names_are_left_alone),
        TEST(limits_cut_batches),
        TEST(a_bounded_source_plans_nothing_that_came_later),
        TEST(existing_files_can_be_skipped_for_ever),
        TEST(a_vanished_file_is_an_empty_one_or_an_error),
        TEST(every_fault_of_a_plan_loses_and_doubles_nothing),
        TEST(globs_choose_files),
        TEST(folders_make_partition_columns),
        TEST(metadata_tells_where_a_row_is_from),
        TEST(compressed_files_are_read_by_their_content),
        TEST(other_compressions_are_read_or_refused_by_name),
        TEST(a_broken_compressed_file_fails_by_name_and_is_read_when_repaired),
        TEST(text_of_other_encodings_is_read_as_utf8),
        TEST(lines_of_text_are_rows),
        TEST(files_are_rows_byte_for_byte),
        TEST(dead_letters_name_file_and_byte),
        TEST(a_record_beyond_the_limit_is_a_dead_letter_and_the_next_is_read),
        TEST(empty_files_have_no_rows),
        TEST(any_number_of_threads_read_each_row_once),
        TEST(a_kept_schema_is_not_inferred_again),
        TEST(new_columns_are_drift_and_the_batch_is_read_again),
        TEST(a_field_called_like_a_partition_column_stays_rescued),
        TEST(without_files_a_schema_must_be_given),
        TEST(a_folder_that_held_files_and_is_gone_is_an_error),
        TEST(options_are_checked_where_they_stand),
        TEST(a_format_is_told_by_the_names),
        TEST(csv_columns_are_matched_by_name_and_new_ones_are_drift),
        TEST(a_csv_file_as_spark_names_it),
        TEST(parquet_files_are_matched_by_name),
        TEST(a_bad_parquet_file_is_named),
        TEST(quiet_folders_are_not_listed_again),
        TEST(a_folder_with_files_that_wait_is_listed_again),
        TEST(known_folders_are_kept_for_the_next_run),
        TEST(damage_in_what_is_known_of_folders_has_all_listed),
        TEST(a_backfill_is_due_in_a_later_run_too),
        TEST(a_backfill_lists_all),
        TEST(a_remembered_file_takes_forty_bytes_at_most),
        TEST(files_are_chosen_by_their_times),
        TEST(the_newest_can_come_first),
        TEST(an_overwritten_file_can_be_a_new_one),
        TEST(cleaned_files_are_those_of_sealed_batches_and_of_their_time),
        TEST(a_corrupt_file_can_be_left_out),
        TEST(new_columns_are_what_the_mode_says),
        TEST(hints_reach_into_columns),
        TEST(column_types_can_be_left_to_text),
        TEST(schemas_are_kept_in_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
