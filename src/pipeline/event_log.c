/*
 * pipeline/event_log.c - the table of events: appended to, and kept small by itself
 *
 *   E1  A flush is one commit, or none. Events of a flush that failed wait for the next one; beyond BUFFER_BYTES_MAX new ones are counted and
 *       dropped, and the count becomes an event of its own.
 *   E2  Rows leave the table only as whole files: all of a file's events are older than the retention. So that this comes to pass, files are
 *       joined only within a SPAN, a sixteenth of the retention; an event lives at most that much longer.
 *   E3  The number of live files is bounded: TIDY_EVERY new ones, SMALL_FILES_MAX of each size below FILE_BYTES_MAX, one a closed span.
 *   E4  Replaced files and old log entries go after KEEP_MS: a reader of an older version finds it gone, all others are served.
 *
 * One process writes (the pipeline's lock); others may read, and rearrange or delete: their commits are stepped over.
 */
#include "pipeline/event_log.h"
#include "base/json.h"
#include "delta/clean.h"
#include "delta/scan.h"
#include "duck/lines.h"
#include "duck/quote.h"
#include "format/value.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUFFER_BYTES_MAX = 8 << 20,
    TIDY_EVERY = 64, /* commits */
    SPANS = 16,      /* of the retention */
    SMALL_FILES_MAX = 8,
    KEEP_MS = 12 * 3600 * 1000,
    ATTEMPTS_MAX = 5,
};

static const int64_t FILE_BYTES_MAX = 32 << 20;  /* larger files are left alone */
static const int64_t MERGE_BYTES_MAX = 64 << 20; /* read at once */

typedef struct Buffer {
    DuckLines lines;
    int64_t bytes, lost;
} Buffer;

struct EventLog {
    EventLogOptions options;
    Arena *arena;
    const Type *schema;
    const char *path;
    const char *id;
    DeltaTable *table;
    DuckSession *session; /* opened by the first flush */
    pthread_mutex_t lock; /* of buffer */
    Buffer buffer;
    int64_t version; /* that was seen last, -1 */
    bool troubled;   /* a warning was given */
};

/* ---- the schema ---- */

static TypeField field(const char *name, const Type *type)
{
    return (TypeField){.name = name, .type = type, .nullable = true};
}

#define STRUCT_OF(arena, ...)                                                                                                              \
    type_struct((arena), (const TypeField[]){__VA_ARGS__}, (int)(sizeof((const TypeField[]){__VA_ARGS__}) / sizeof(TypeField)))

const char *event_log_path(Arena *arena, const char *storage)
{
    return arena_printf(arena, "%s/_silt/events", storage);
}

/* As Lakeflow's pipelines API has PipelineEvent, Sequencing, Origin and ErrorDetail; what Silt has no value for is there, and NULL. */
const Type *event_log_schema(Arena *arena)
{
    const Type *text = type_simple(TYPE_STRING), *number = type_simple(TYPE_LONG);
    const Type *data_plane = STRUCT_OF(arena, field("instance", text), field("seq_no", number));
    const Type *sequence = STRUCT_OF(arena, field("data_plane_id", data_plane), field("control_plane_seq_no", number));
    const Type *origin = STRUCT_OF(arena, field("cloud", text), field("region", text), field("org_id", number), field("user_id", number),
                                   field("pipeline_id", text), field("pipeline_type", text), field("pipeline_name", text), field("cluster_id", text),
                                   field("update_id", text), field("maintenance_id", text), field("table_id", text), field("table_name", text),
                                   field("dataset_name", text), field("sink_name", text), field("flow_id", text), field("flow_name", text),
                                   field("batch_id", number), field("request_id", text), field("uc_resource_id", text), field("host", text),
                                   field("materialization_name", text));
    const Type *frame = STRUCT_OF(arena, field("declaring_class", text), field("method_name", text), field("file_name", text),
                                  field("line_number", number));
    const Type *exception = STRUCT_OF(arena, field("class_name", text), field("message", text), field("stack", type_array(arena, frame, true)));
    const Type *error = STRUCT_OF(arena, field("fatal", type_simple(TYPE_BOOLEAN)), field("exceptions", type_array(arena, exception, true)));

    return STRUCT_OF(arena, field("id", text), field("sequence", sequence), field("origin", origin), field("timestamp", type_simple(TYPE_TIMESTAMP)),
                     field("message", text), field("level", text), field("maturity_level", text), field("error", error), field("details", text),
                     field("event_type", text));
}

static int time_field(const EventLog *log)
{
    return type_field_index(log->schema, "timestamp", NULL);
}

/* ---- opening ---- */

static void trouble(EventLog *log, const char *what, const char *message)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    if (log->troubled || !log->options.warn)
        return;
    log->troubled = true;
    str_buf_printf(&text, "%s \"%s\": %s", what, log->path, message);
    log->options.warn(log->options.self, str_buf_text(&text));
}

static void delta_warning(void *self, const char *message)
{
    trouble(self, "the event log", message);
}

/* 0; DELTA_ABSENT; < 0. The table's columns may be in another order or more, but not of other types. */
static int look(EventLog *log, SiltErr *err)
{
    int r = delta_table_refresh(log->table, err);

    if (r)
        return r;
    const Type *schema = delta_table_snapshot(log->table)->metadata->schema;
    for (int i = 0; i < log->schema->field_count; i++) {
        int at = type_field_index(schema, log->schema->fields[i].name, NULL);
        if (at != i || !type_equal(schema->fields[at].type, log->schema->fields[i].type, false)) {
            silt_fail(err, SILT_CONFIG, "column %d is not \"%s\" as an event log has it", i + 1, log->schema->fields[i].name);
            return silt_hint(err, "Move the folder away; the next run makes a new event log.");
        }
    }
    if (schema->field_count != log->schema->field_count)
        return silt_fail(err, SILT_CONFIG, "it has columns that no event log has");
    return 0;
}

EventLog *event_log_new(const EventLogOptions *options)
{
    EventLog *log = silt_alloc(sizeof *log);
    SiltErr err;

    log->options = *options;
    log->arena = arena_new();
    log->schema = event_log_schema(log->arena);
    log->path = event_log_path(log->arena, options->storage);
    pthread_mutex_init(&log->lock, NULL);
    log->buffer.lines.arena = arena_new();
    DeltaEnv env = {
        .io = options->io,
        .engine = options->engine,
        .warn = delta_warning,
        .warn_self = log,
    };
    log->table = delta_table_new(&env, log->path);
    int r = look(log, &err);
    if (r < 0)
        trouble(log, "could not open the event log", err.message);
    log->version = r == 0 ? delta_table_snapshot(log->table)->version : -1;
    char id[37];
    io_uuid(options->io, id);
    log->id = arena_strdup(log->arena, r == 0 ? delta_table_snapshot(log->table)->metadata->id : id);
    return log;
}

static void drop(Buffer *buffer)
{
    duck_lines_fini(&buffer->lines);
    arena_free(buffer->lines.arena);
}

void event_log_free(EventLog *log)
{
    if (!log)
        return;
    drop(&log->buffer);
    delta_table_free(log->table);
    duck_session_close(log->session);
    pthread_mutex_destroy(&log->lock);
    arena_free(log->arena);
    free(log);
}

const char *event_log_pipeline_id(const EventLog *log)
{
    return log->id;
}

int64_t event_log_written_ms(const EventLog *log)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(log->table);

    return snapshot ? snapshot->timestamp_ms : -1;
}

/* ---- the buffer ---- */

static void add_line(Buffer *buffer, Str line)
{
    if (buffer->bytes + (int64_t)line.size > BUFFER_BYTES_MAX) {
        buffer->lost++; /* E1 */
        return;
    }
    duck_lines_add(&buffer->lines, line);
    buffer->bytes += (int64_t)line.size;
}

void event_log_add(EventLog *log, Str lines)
{
    pthread_mutex_lock(&log->lock);
    while (lines.size) {
        const char *end = memchr(lines.ptr, '\n', lines.size);
        silt_assert(end);
        Str line = {lines.ptr, (size_t)(end - lines.ptr)};
        add_line(&log->buffer, line);
        lines.ptr += line.size + 1;
        lines.size -= line.size + 1;
    }
    pthread_mutex_unlock(&log->lock);
}

static Buffer take(EventLog *log)
{
    pthread_mutex_lock(&log->lock);
    Buffer taken = log->buffer;
    log->buffer = (Buffer){.lines = {.arena = arena_new()}};
    pthread_mutex_unlock(&log->lock);
    return taken;
}

/* A flush has failed: its events go before those that came meanwhile. */
static void put_back(EventLog *log, Buffer *taken)
{
    pthread_mutex_lock(&log->lock);
    Buffer newer = log->buffer;
    log->buffer = *taken;
    for (int64_t i = 0; i < newer.lines.count; i++)
        add_line(&log->buffer, newer.lines.items[i]);
    log->buffer.lost += newer.lost;
    pthread_mutex_unlock(&log->lock);
    drop(&newer);
}

/* E1: what was lost while the table could not be written, once it can be. */
static void put_lost(EventLog *log, Buffer *buffer)
{
    silt_auto(str_buf_fini) StrBuf line = {0};
    JsonWriter w = {.out = &line};
    char id[37];

    io_uuid(log->options.io, id);
    json_object(&w);
    json_member(&w, "id", id);
    json_key(&w, "origin");
    json_object(&w);
    json_member(&w, "pipeline_id", log->id);
    json_object_end(&w);
    json_member_int(&w, "time", io_now_us(log->options.io));
    json_member(&w, "message", arena_printf(buffer->lines.arena, "%lld events were lost while the event log could not be written.", (long long)buffer->lost));
    json_member(&w, "level", "WARN");
    json_member(&w, "maturity_level", "STABLE");
    json_member(&w, "details", arena_printf(buffer->lines.arena, "{\"lost_events\":{\"count\":%lld}}", (long long)buffer->lost));
    json_member(&w, "event_type", "lost_events");
    json_object_end(&w);
    duck_lines_add(&buffer->lines, str_buf_view(&line));
}

/* ---- appending ---- */

static int session(EventLog *log, DuckSession **out, SiltErr *err)
{
    if (!log->session)
        SILT_TRY(duck_session_open(log->options.engine, &log->session, err));
    *out = log->session;
    return 0;
}

/* The rows of a select with columns c1..cn, as files in the staging folder. */
static int copy(EventLog *log, const char *select, Arena *arena, DuckWrittenFile **files, int *file_count, SiltErr *err)
{
    int count = log->schema->field_count;
    const Type **types = ARENA_ARRAY(arena, const Type *, count);
    const char **names = ARENA_ARRAY(arena, const char *, count);
    DuckCopyOptions options = {.compression = "zstd", .column_names = names, .column_count = count};
    int64_t rows;

    for (int i = 0; i < count; i++) {
        types[i] = log->schema->fields[i].type;
        names[i] = log->schema->fields[i].name;
    }
    SILT_TRY(io_staging_directory(log->options.io, arena_printf(arena, "%s/_silt/staging/_events", log->options.storage), arena, &options.directory, err));
    int r = duck_session_copy(log->session, select, types, &options, arena, files, file_count, &rows, err);
    silt_assert(r <= 0); /* no floating point column */
    return r;
}

/* Silt's `time` is the column `timestamp`; all other members are columns as they are. */
static void print_select(EventLog *log, StrBuf *sql)
{
    silt_auto(str_buf_fini) StrBuf structure = {0};
    JsonWriter w = {.out = &structure};

    json_object(&w);
    for (int i = 0; i < log->schema->field_count; i++) {
        if (i == time_field(log)) {
            json_member(&w, "time", "BIGINT");
            continue;
        }
        json_key(&w, log->schema->fields[i].name);
        type_print_json_structure(&w, log->schema->fields[i].type);
    }
    json_object_end(&w);
    str_buf_puts(sql, "SELECT ");
    for (int i = 0; i < log->schema->field_count; i++)
        str_buf_printf(sql, i == time_field(log) ? "%stimezone('UTC', make_timestamp(struct_extract(a, '%s'))) AS c%d" : "%sstruct_extract(a, '%s') AS c%d",
                       i ? ", " : "", i == time_field(log) ? "time" : log->schema->fields[i].name, i + 1);
    str_buf_puts(sql, " FROM (SELECT from_json(c1, ");
    quote_text(sql, str_buf_view(&structure));
    str_buf_puts(sql, ") AS a FROM silt_input(0))");
}

static int make_table(EventLog *log, DeltaTxn *txn, SiltErr *err)
{
    DeltaProperty properties[] = {
        {"delta.checkpointInterval", "32"},
        {"delta.dataSkippingStatsColumns", "timestamp,level,event_type"},
        {"delta.deletedFileRetentionDuration", "interval 12 hours"}, /* KEEP_MS */
        {"delta.logRetentionDuration", "interval 12 hours"},
    };
    DeltaMetadata metadata = {
        .id = log->id,
        .description = "events of the pipeline, written by Silt",
        .schema = log->schema,
        .configuration = properties,
        .configuration_count = sizeof properties / sizeof properties[0],
    };

    return delta_txn_create(txn, &metadata, err);
}

static int append_once(EventLog *log, const Buffer *buffer, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(delta_txn_freep) DeltaTxn *txn = NULL;
    silt_auto(str_buf_fini) StrBuf sql = {0};
    DuckLines lines = buffer->lines;
    ChunkReader reader = duck_lines_reader(&lines);
    const Type *text = type_simple(TYPE_STRING);
    DuckWrittenFile *files;
    DuckSession *duck;
    int file_count;
    int64_t version;

    int r = look(log, err);
    if (r < 0)
        return r;
    bool absent = r == DELTA_ABSENT;
    SILT_TRY(session(log, &duck, err));
    SILT_TRY(delta_txn_begin(log->table, &txn, err));
    if (absent)
        SILT_TRY(make_table(log, txn, err));
    print_select(log, &sql);
    SILT_TRY(duck_session_bind_input(duck, 0, &text, 1, err));
    duck_session_set_reader(duck, 0, &reader);
    r = copy(log, str_buf_text(&sql), arena, &files, &file_count, err);
    duck_session_set_reader(duck, 0, NULL);
    SILT_TRY(r);
    SILT_TRY(delta_txn_add_files(txn, files, file_count, "zstd", err));
    delta_txn_operation(txn, absent ? "CREATE TABLE AS SELECT" : "WRITE");
    delta_txn_parameter(txn, "mode", "Append");
    return delta_txn_commit(txn, &version, err);
}

/* ---- keeping it small ---- */

typedef struct Piece {
    const DeltaFile *file;
    int64_t newest_us; /* its newest event */
} Piece;

/* The newest event of a file: from its statistics, which Silt writes; of a file that another wrote without them: when it was written. */
static int64_t newest_of(Arena *arena, const DeltaFile *file)
{
    const Json *stats;
    SiltErr ignored;
    int64_t us;

    if (file->stats && json_parse(arena, str_of(file->stats), &stats, &ignored) == 0 &&
        value_timestamp(json_str(json_get(json_get(stats, "maxValues"), "timestamp"), ""), zone_find(STR("UTC")), &us))
        return us + 999; /* Delta cuts bounds to milliseconds */
    return file->modified_ms * 1000;
}

static int compare_pieces(const void *left, const void *right)
{
    const Piece *a = left, *b = right;

    if (a->newest_us != b->newest_us)
        return a->newest_us < b->newest_us ? -1 : 1;
    return strcmp(a->file->name, b->file->name);
}

static int pieces_of(EventLog *log, Arena *arena, Piece **out, int64_t *count, SiltErr *err)
{
    const DeltaFile *const *files;

    SILT_TRY(delta_snapshot_files(delta_table_snapshot(log->table), &files, count, err));
    *out = ARENA_ARRAY(arena, Piece, *count + 1);
    for (int64_t i = 0; i < *count; i++)
        (*out)[i] = (Piece){files[i], newest_of(arena, files[i])};
    qsort(*out, (size_t)*count, sizeof **out, compare_pieces);
    return 0;
}

/* E2: files whose every event is older than the retention. */
static int expire(EventLog *log, int64_t now_us, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(delta_txn_freep) DeltaTxn *txn = NULL;
    Piece *pieces;
    int64_t count, old = 0, version;

    SILT_TRY(pieces_of(log, arena, &pieces, &count, err));
    const DeltaFile **files = ARENA_ARRAY(arena, const DeltaFile *, count + 1);
    while (old < count && pieces[old].newest_us < now_us - log->options.retention_us) {
        files[old] = pieces[old].file;
        old++;
    }
    if (!old)
        return 0;
    SILT_TRY(delta_txn_begin(log->table, &txn, err));
    SILT_TRY(delta_txn_remove_files(txn, files, old, err));
    delta_txn_operation(txn, "DELETE");
    return delta_txn_commit(txn, &version, err);
}

/* One file of several, with the same rows in the order of their time. */
static int join(EventLog *log, Arena *arena, const DeltaFile *const *files, int64_t count, SiltErr *err)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(log->table);
    silt_auto(delta_txn_freep) DeltaTxn *txn = NULL;
    silt_auto(str_buf_fini) StrBuf sql = {0};
    int *columns = ARENA_ARRAY(arena, int, log->schema->field_count);
    DuckWrittenFile *written;
    DuckSession *duck;
    int written_count;
    int64_t version;

    SILT_TRY(session(log, &duck, err));
    str_buf_puts(&sql, "SELECT ");
    for (int i = 0; i < log->schema->field_count; i++) {
        columns[i] = i;
        str_buf_printf(&sql, "%sc%d", i ? ", " : "", i + 1);
    }
    str_buf_puts(&sql, " FROM ");
    SILT_TRY(delta_scan_sql(snapshot, files, count, columns, log->schema->field_count, &sql, err));
    str_buf_printf(&sql, " ORDER BY c%d", time_field(log) + 1);
    SILT_TRY(delta_txn_begin(log->table, &txn, err));
    delta_txn_rearrange(txn);
    SILT_TRY(delta_txn_remove_files(txn, files, count, err));
    SILT_TRY(copy(log, str_buf_text(&sql), arena, &written, &written_count, err));
    SILT_TRY(delta_txn_add_files(txn, written, written_count, "zstd", err));
    delta_txn_operation(txn, "OPTIMIZE");
    return delta_txn_commit(txn, &version, err);
}

/* 0 up to 64 KB, 1 up to 1 MB, 2 up to 32 MB: files of one size are joined when there are many; the rest is let be. */
static int size_class(int64_t bytes)
{
    return bytes <= 64 << 10 ? 0 : bytes <= 1 << 20 ? 1 : bytes <= FILE_BYTES_MAX ? 2 : 3;
}

/* Join files of one span: E2, E3. *done: some were. Only one join a call, since it makes a new version. */
static int join_some(EventLog *log, int64_t now_us, bool *done, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    int64_t span_us = log->options.retention_us / SPANS + 1, count;
    Piece *pieces;

    *done = false;
    SILT_TRY(pieces_of(log, arena, &pieces, &count, err));
    const DeltaFile **files = ARENA_ARRAY(arena, const DeltaFile *, count + 1);
    for (int64_t i = 0, next; i < count; i = next) {
        bool closed = pieces[i].newest_us / span_us < now_us / span_us;
        for (next = i; next < count && pieces[next].newest_us / span_us == pieces[i].newest_us / span_us; next++)
            ;
        for (int class = 0; class < 3; class++) { /* of a closed span all at once */
            int64_t chosen = 0, bytes = 0;
            for (int64_t j = i; j < next; j++) {
                int of = size_class(pieces[j].file->size_bytes);
                if (of > 2 || (!closed && of != class) || bytes + pieces[j].file->size_bytes > MERGE_BYTES_MAX)
                    continue;
                files[chosen++] = pieces[j].file;
                bytes += pieces[j].file->size_bytes;
            }
            if (chosen < (closed ? 2 : SMALL_FILES_MAX))
                continue;
            *done = true;
            return join(log, arena, files, chosen, err);
        }
    }
    return 0;
}

/* After every TIDY_EVERY versions. */
static int tidy(EventLog *log, SiltErr *err)
{
    int64_t now_us = io_now_us(log->options.io), deleted;
    bool more = true;

    int r = expire(log, now_us, err);
    while (r == 0 && more)
        r = join_some(log, now_us, &more, err);
    if (r < 0)
        return r;
    if (r == DELTA_CONFLICT) /* another program tidied up: next time */
        return 0;
    SILT_TRY(delta_clean_files(log->table, now_us / 1000 - KEEP_MS, &deleted, err));
    return delta_clean_log(log->table, now_us / 1000 - KEEP_MS, &deleted, err);
}

void event_log_flush(EventLog *log)
{
    Buffer buffer = take(log);
    int64_t count = buffer.lines.count;
    SiltErr err;
    int r = 0;

    if (buffer.lost)
        put_lost(log, &buffer);
    for (int attempt = 0; buffer.lines.count && attempt < ATTEMPTS_MAX; attempt++) {
        r = append_once(log, &buffer, &err);
        if (r != DELTA_CONFLICT)
            break;
    }
    if (r) {
        trouble(log, "could not write the event log", err.message);
        buffer.lines.count = count;
        put_back(log, &buffer);
        return;
    }
    bool written = buffer.lines.count > 0;
    drop(&buffer);
    if (!written)
        return;
    log->troubled = false;
    int64_t version = delta_table_snapshot(log->table)->version, before = log->version;
    log->version = version;
    if (before >= 0 && version / TIDY_EVERY > before / TIDY_EVERY && tidy(log, &err) < 0)
        trouble(log, "could not tidy up the event log", err.message);
}
