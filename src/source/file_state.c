/*
 * source/file_state.c - see file_state.h
 *
 * Columns: learn.microsoft.com, "cloud_files_state table-valued function". What Silt does not keep is NULL: the size, and what cleanSource did.
 */
#include "source/file_state.h"

#include "source/file_log.h"

#include <string.h>

typedef struct FileStates {
    Io *io;
    FileStateLog *logs;
    int count;
} FileStates;

enum { PATH, SIZE, CREATE_TIME, DISCOVERY_TIME, PROCESSED_TIME, COMMIT_TIME, ARCHIVE_TIME, ARCHIVE_MODE, MOVE_LOCATION, SOURCE_ID, FLOW_NAME, INGESTION_STATE, COLUMNS };

static const struct {
    const char *name;
    TypeKind kind;
} columns[COLUMNS] = {
    [PATH] = {"path", TYPE_STRING},
    [SIZE] = {"size", TYPE_LONG},
    [CREATE_TIME] = {"create_time", TYPE_TIMESTAMP},
    [DISCOVERY_TIME] = {"discovery_time", TYPE_TIMESTAMP},
    [PROCESSED_TIME] = {"processed_time", TYPE_TIMESTAMP},
    [COMMIT_TIME] = {"commit_time", TYPE_TIMESTAMP},
    [ARCHIVE_TIME] = {"archive_time", TYPE_TIMESTAMP},
    [ARCHIVE_MODE] = {"archive_mode", TYPE_STRING},
    [MOVE_LOCATION] = {"move_location", TYPE_STRING},
    [SOURCE_ID] = {"source_id", TYPE_STRING},
    [FLOW_NAME] = {"flow_name", TYPE_STRING},
    [INGESTION_STATE] = {"ingestion_state", TYPE_STRING},
};

/* ---- rows ---- */

/* One log at a time is in memory, as its files' names. */
typedef struct Rows {
    const Source *source;
    int log; /* the next one to be read */
    Arena *arena; /* of files */
    LogFile *files;
    int count, capacity, next;
    const FileStateLog *of; /* whose files these are */
    int step;
    int64_t row_count;
} Rows;

static int take_file(void *self, Str uri, int64_t timestamp_ms, int64_t batch, SiltErr *err)
{
    Rows *rows = self;
    LogFile file = {arena_strndup(rows->arena, uri.ptr, uri.size), timestamp_ms, batch};

    (void)err;
    ARENA_PUSH(rows->arena, rows->files, rows->count, rows->capacity, file);
    return 0;
}

static int read_log(Rows *rows, SiltErr *err)
{
    const FileStates *states = rows->source->self;
    FileLog *log;

    rows->of = &states->logs[rows->log++];
    arena_reset(rows->arena);
    rows->files = NULL;
    rows->count = rows->capacity = rows->next = rows->step = 0;
    SILT_TRY(file_log_open(states->io, rows->of->directory, &(FileLogOptions){0}, &log, err));
    int r = file_log_each(log, -1, file_log_latest(log), &(EntrySink){rows, take_file}, err);
    file_log_close(log);
    return r;
}

/* Times of files come from a clock of the kernel that lags by up to a tick behind the one that batches are stamped with. */
static int64_t not_before(int64_t us, int64_t earlier_us)
{
    return us != INT64_MIN && us < earlier_us ? earlier_us : us;
}

static void put_time(Chunk *chunk, int column, uint64_t row, int64_t us)
{
    Column *to = chunk_column_mut(chunk, column);

    if (us == INT64_MIN)
        column_set_null(to, row);
    else
        ((int64_t *)to->data)[row] = us;
}

static void put_text(Chunk *chunk, int column, uint64_t row, const char *text)
{
    if (text)
        column_set_string(chunk_column_mut(chunk, column), row, text, strlen(text));
    else
        column_set_null(chunk_column_mut(chunk, column), row);
}

static void put_file(Rows *rows, Chunk *chunk, uint64_t row, const LogFile *file)
{
    static const FileStateStep unread = {.found_us = INT64_MIN, .begun_us = INT64_MIN, .sealed_us = INT64_MIN};
    const FileStateLog *of = rows->of;

    while (rows->step < of->step_count && of->steps[rows->step].end < file->batch) /* files come by batch */
        rows->step++;
    bool is_read = rows->step < of->step_count;
    const FileStateStep *step = is_read ? &of->steps[rows->step] : &unread;
    put_text(chunk, PATH, row, file->uri);
    column_set_null(chunk_column_mut(chunk, SIZE), row);
    put_time(chunk, CREATE_TIME, row, file->timestamp_ms * 1000);
    put_time(chunk, DISCOVERY_TIME, row, step->found_us);
    put_time(chunk, PROCESSED_TIME, row, not_before(step->begun_us, step->found_us));
    put_time(chunk, COMMIT_TIME, row, not_before(step->sealed_us, step->found_us));
    for (int i = ARCHIVE_TIME; i <= MOVE_LOCATION; i++)
        column_set_null(chunk_column_mut(chunk, i), row);
    put_text(chunk, SOURCE_ID, row, of->source_id);
    put_text(chunk, FLOW_NAME, row, of->flow_name);
    put_text(chunk, INGESTION_STATE, row, !is_read ? NULL : step->sealed ? "INGESTED" : "PROCESSING");
}

static int rows_next(void *self, Chunk **out, SiltErr *err)
{
    Rows *rows = self;
    const FileStates *states = rows->source->self;
    int count = 0;

    *out = NULL;
    while (rows->next == rows->count && rows->log < states->count)
        SILT_TRY(read_log(rows, err));
    if (rows->next == rows->count)
        return 0;
    Chunk *chunk = chunk_new(rows->source->schema.types, COLUMNS);
    for (; count < CHUNK_ROWS_MAX && rows->next < rows->count; count++)
        put_file(rows, chunk, (uint64_t)count, &rows->files[rows->next++]);
    chunk_seal(chunk, count);
    rows->row_count += count;
    *out = chunk;
    return 0;
}

/* ---- the source ---- */

static int open_snapshot(Source *source, const SourceReadOptions *options, SourceBatch **out, SiltErr *err)
{
    Arena *arena = arena_new();
    SourceBatch *batch = ARENA_NEW(arena, SourceBatch);
    Rows *rows = ARENA_NEW(arena, Rows);

    (void)options, (void)err; /* nothing is undecodable, and all columns come */
    *rows = (Rows){.source = source, .arena = arena_new()};
    *batch = (SourceBatch){.source = source, .arena = arena, .self = rows, .fingerprint = ""};
    batch->reader = (ChunkReader){.self = rows, .next = rows_next, .rows_estimate = -1};
    *out = batch;
    return 0;
}

static void batch_close(SourceBatch *batch)
{
    arena_free(((Rows *)batch->self)->arena);
}

static FormatCounts batch_counts(const SourceBatch *batch)
{
    const Rows *rows = batch->self;

    return (FormatCounts){.records = rows->row_count, .rows = rows->row_count};
}

static void close_nothing(Source *source)
{
    (void)source; /* all is in its arena */
}

/* What belongs to streams is not there: the catalog lets nobody stream from it. */
static const SourceOps ops = {
    .name = "cloud_files_state",
    .summary = "the files that streams have taken",
    .close = close_nothing,
    .open_snapshot = open_snapshot,
    .batch_close = batch_close,
    .batch_counts = batch_counts,
};

Source *source_file_state(Io *io, const FileStateLog *logs, int count)
{
    Arena *arena = arena_new();
    Source *source = ARENA_NEW(arena, Source);
    FileStates *states = ARENA_NEW(arena, FileStates);
    SourceSchema schema = {.column_count = COLUMNS};

    *states = (FileStates){io, ARENA_ARRAY(arena, FileStateLog, count + 1), count};
    for (int i = 0; i < count; i++) {
        FileStateStep *steps = ARENA_ARRAY(arena, FileStateStep, logs[i].step_count + 1);
        memcpy(steps, logs[i].steps, sizeof *steps * (size_t)logs[i].step_count);
        states->logs[i] = (FileStateLog){
            .directory = arena_strdup(arena, logs[i].directory),
            .flow_name = logs[i].flow_name ? arena_strdup(arena, logs[i].flow_name) : NULL,
            .source_id = arena_strdup(arena, logs[i].source_id),
            .steps = steps,
            .step_count = logs[i].step_count,
        };
    }
    schema.names = ARENA_ARRAY(arena, const char *, COLUMNS);
    schema.types = ARENA_ARRAY(arena, const Type *, COLUMNS);
    schema.nullable = ARENA_ARRAY(arena, bool, COLUMNS);
    for (int i = 0; i < COLUMNS; i++) {
        schema.names[i] = columns[i].name;
        schema.types[i] = type_simple(columns[i].kind);
        schema.nullable[i] = i != PATH && i != CREATE_TIME && i != SOURCE_ID;
    }
    *source = (Source){.ops = &ops, .arena = arena, .name = ops.name, .description = ops.summary, .schema = schema, .self = states};
    return source;
}
