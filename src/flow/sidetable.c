/*
 * flow/sidetable.c - rows set aside: <t>_dead_letters and <t>_quarantine
 *
 * Each is a Delta table of its own beside the target. A batch commits them before the target, with the flow's query id as txn,
 * so that a batch that runs again finds them done.
 */
#include "flow/internal.h"
#include "delta/mapping.h"
#include "sql/functions.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_BYTES_MAX = 1 << 20, ATTEMPTS_MAX = 20 };

struct DeadLetters {
    pthread_mutex_t lock; /* decoders run side by side */
    Arena *arena;
    DeadLetter *items;
    int count, capacity;
};

/* What a source's decoders are given: lives in the arena of the dead letters. */
typedef struct LetterSink {
    DeadLetters *dead;
    const BatchInput *input;
} LetterSink;

DeadLetters *flow__dead_letters_new(void)
{
    DeadLetters *dead = silt_alloc(sizeof *dead);

    pthread_mutex_init(&dead->lock, NULL);
    dead->arena = arena_new();
    return dead;
}

void flow__dead_letters_free(DeadLetters *dead)
{
    if (!dead)
        return;
    pthread_mutex_destroy(&dead->lock);
    arena_free(dead->arena);
    free(dead);
}

void flow__dead_letters_clear(DeadLetters *dead)
{
    arena_reset(dead->arena);
    dead->items = NULL;
    dead->count = dead->capacity = 0;
}

int64_t flow__dead_letters_count(const DeadLetters *dead)
{
    return dead->count;
}

static int put_record(void *self, const FormatBadRecord *record, SiltErr *err)
{
    const LetterSink *sink = self;
    DeadLetters *dead = sink->dead;
    int part_count = 0;
    const SourcePart *parts = sink->input->source ? source_batch_parts(sink->input->source, &part_count) : NULL;
    Str bytes = record->bytes;

    (void)err;
    if (bytes.size > RECORD_BYTES_MAX)
        bytes.size = RECORD_BYTES_MAX;
    pthread_mutex_lock(&dead->lock);
    DeadLetter letter = {
        .file = record->source >= 0 && record->source < part_count ? arena_strdup(dead->arena, parts[record->source].name) : NULL,
        .position = record->position,
        .line = record->line,
        .reason = arena_strdup(dead->arena, record->reason),
        .bytes = arena_str(dead->arena, bytes),
    };
    ARENA_PUSH(dead->arena, dead->items, dead->count, dead->capacity, letter);
    pthread_mutex_unlock(&dead->lock);
    return 0;
}

FormatSink flow__dead_letters_sink(DeadLetters *dead, const BatchInput *input)
{
    LetterSink *sink = ARENA_NEW(dead->arena, LetterSink);

    *sink = (LetterSink){dead, input};
    return (FormatSink){sink, put_record};
}

/* ---- rows of the dead letters ---- */

enum { DEAD_FILE, DEAD_POSITION, DEAD_LINE, DEAD_REASON, DEAD_RECORD, DEAD_COLUMNS };

typedef struct DeadReader {
    const DeadLetters *dead;
    const Type *types[DEAD_COLUMNS];
    int at;
} DeadReader;

static void put_text(Chunk *chunk, int column, int row, const char *text)
{
    Column *c = chunk_column_mut(chunk, column);

    if (text && utf8_valid(str_of(text)))
        column_set_string(c, (uint64_t)row, text, strlen(text));
    else
        column_set_null(c, (uint64_t)row);
}

static int dead_next(void *self, Chunk **out, SiltErr *err)
{
    DeadReader *reader = self;
    int rows = 0;

    (void)err;
    *out = NULL;
    if (reader->at == reader->dead->count)
        return 0;
    Chunk *chunk = chunk_new(reader->types, DEAD_COLUMNS);
    for (; rows < CHUNK_ROWS_MAX && reader->at < reader->dead->count; rows++, reader->at++) {
        const DeadLetter *letter = &reader->dead->items[reader->at];
        put_text(chunk, DEAD_FILE, rows, letter->file);
        ((int64_t *)chunk_column_mut(chunk, DEAD_POSITION)->data)[rows] = letter->position;
        ((int64_t *)chunk_column_mut(chunk, DEAD_LINE)->data)[rows] = letter->line;
        put_text(chunk, DEAD_REASON, rows, letter->reason);
        column_set_string(chunk_column_mut(chunk, DEAD_RECORD), (uint64_t)rows, letter->bytes.ptr, letter->bytes.size);
    }
    chunk_seal(chunk, rows);
    *out = chunk;
    return 0;
}

/* ---- tables ---- */

static const Type *dead_schema(Arena *arena)
{
    TypeField fields[] = {
        {"file", type_simple(TYPE_STRING), true, "where the record stands", NULL},
        {"position", type_simple(TYPE_LONG), true, "byte of its start in the (unpacked) file", NULL},
        {"line", type_simple(TYPE_LONG), true, "counted from 1, 0 when unknown", NULL},
        {"reason", type_simple(TYPE_STRING), true, NULL, NULL},
        {"record", type_simple(TYPE_BINARY), true, "its bytes, at most the first MB", NULL},
        {"flow", type_simple(TYPE_STRING), true, NULL, NULL},
        {"batch", type_simple(TYPE_LONG), true, NULL, NULL},
        {"time", type_simple(TYPE_TIMESTAMP), true, "of the batch", NULL},
    };
    return type_struct(arena, fields, sizeof fields / sizeof fields[0]);
}

void flow__tail_columns(const Batch *batch, StrBuf *out, int first)
{
    str_buf_puts(out, ", ");
    sql_duck_text(out, str_of(batch->flow->options.name));
    str_buf_printf(out, " AS c%d, CAST(%lld AS BIGINT) AS c%d, silt_now() AS c%d", first, (long long)batch->id, first + 1, first + 2);
}

/* A side table, made or grown. The caller frees *out, also on failure. */
static int prepare_table(const Batch *batch, const char *suffix, const Type *schema, DeltaTable **out, SiltErr *err)
{
    Flow *flow = batch->flow;
    const TargetWant *target = flow->query->want;
    DeltaEnv env = flow__delta_env(flow);
    /* the quarantine has the target's columns, whatever their names; those of the others are ours */
    DeltaProperty *mapping = strcmp(suffix, "_quarantine") == 0 ? target_mapping(target) : NULL;
    TargetWant want = {
        .name = arena_printf(batch->arena, "%s%s", target->name, suffix),
        .path = arena_printf(batch->arena, "%s%s", target->path, suffix),
        .schema = schema,
        .properties = mapping,
        .property_count = mapping ? 1 : 0,
        .pos = target->pos,
    };

    *out = delta_table_new(&env, want.path);
    return target_prepare(flow->env.io, *out, &want, err);
}

int flow__side_table_files(const Batch *batch, const char *suffix, const Type *schema, const Type **out, SiltErr *err)
{
    silt_auto(delta_table_freep) DeltaTable *table = NULL;

    *out = schema;
    if (!target_mapping(batch->flow->query->want))
        return 0;
    SILT_TRY(prepare_table(batch, suffix, schema, &table, err));
    *out = delta_mapping_files(batch->arena, batch->flow->env.io, delta_table_snapshot(table)->metadata, schema, NULL);
    return 0;
}

/* One table: made or grown, then one commit with the files of this batch. */
static int commit_files(Batch *batch, const char *suffix, const Type *schema, const DuckWrittenFile *files, int file_count, const char *app_id,
                        bool replace, SiltErr *err)
{
    Flow *flow = batch->flow;
    silt_auto(delta_table_freep) DeltaTable *table = NULL;
    silt_auto(delta_txn_freep) DeltaTxn *txn = NULL;
    silt_auto(str_buf_fini) StrBuf ranges = {0};
    int64_t version;

    SILT_TRY(prepare_table(batch, suffix, schema, &table, err));
    if (delta_snapshot_txn(delta_table_snapshot(table), app_id) >= batch->id)
        return target_sync(flow->env.io, table, err); /* done before a crash */
    SILT_TRY(delta_txn_begin(table, &txn, err));
    if (replace)
        SILT_TRY(delta_txn_remove_all(txn, err));
    SILT_TRY(delta_txn_add_files(txn, files, file_count, flow__compression(flow), err));
    delta_txn_set_txn(txn, app_id, batch->id);
    delta_txn_operation(txn, "STREAMING UPDATE");
    delta_txn_parameter(txn, "outputMode", replace ? "Complete" : "Append");
    delta_txn_parameter(txn, "queryId", app_id);
    delta_txn_parameter(txn, "epochId", arena_printf(batch->arena, "%lld", (long long)batch->id));
    if (flow->checkpoint) { /* a batch that got no further than here can be begun again, over the same ranges */
        flow__batch_ranges(batch, &ranges);
        delta_txn_read_sources(txn, str_buf_view(&ranges));
    }
    int r = delta_txn_commit(txn, &version, err);
    if (r == DELTA_CONFLICT)
        err->kind = SILT_TRANSIENT; /* the batch runs again, over the same offsets */
    return r ? -1 : 0;
}

static const Type *const *field_types(Arena *arena, const Type *schema, const char *const **names)
{
    const Type **types = ARENA_ARRAY(arena, const Type *, schema->field_count + 1);
    const char **texts = ARENA_ARRAY(arena, const char *, schema->field_count + 1);

    for (int i = 0; i < schema->field_count; i++) {
        types[i] = schema->fields[i].type;
        texts[i] = schema->fields[i].name;
    }
    *names = texts;
    return types;
}

static int copy_dead_letters(Batch *batch, const Type *schema, DuckWrittenFile **files, int *file_count, SiltErr *err)
{
    Flow *flow = batch->flow;
    DeadReader reader = {.dead = batch->dead};
    ChunkReader chunks = {.self = &reader, .next = dead_next, .rows_estimate = batch->dead->count};
    silt_auto(str_buf_fini) StrBuf sql = {0};
    const char *const *names;
    const Type *const *types = field_types(batch->arena, schema, &names);
    DuckCopyOptions options = {.compression = flow__compression(flow), .column_names = names, .column_count = schema->field_count};
    DuckSession *session;
    int slot = batch->input_count; /* behind the query's own */
    int64_t rows;

    for (int i = 0; i < DEAD_COLUMNS; i++)
        reader.types[i] = types[i];
    SILT_TRY(flow__session(flow, &session, err));
    SILT_TRY(duck_session_bind_input(session, slot, reader.types, DEAD_COLUMNS, err));
    duck_session_set_reader(session, slot, &chunks);
    SILT_TRY(io_staging_directory(flow->env.io, arena_printf(batch->arena, "%s/%s.dead_letters", flow->env.staging, flow->options.name), batch->arena,
                                  &options.directory, err));
    str_buf_puts(&sql, "SELECT c1, c2, c3, c4, c5");
    flow__tail_columns(batch, &sql, DEAD_COLUMNS + 1);
    str_buf_printf(&sql, " FROM silt_input(%d)", slot);
    int r = duck_session_copy(session, str_buf_text(&sql), types, &options, batch->arena, files, file_count, &rows, err);
    duck_session_set_reader(session, slot, NULL);
    if (r == 0 && rows != batch->dead->count)
        return silt_fail(err, SILT_CORRUPT, "%lld of %d dead letters were written", (long long)rows, batch->dead->count);
    return r;
}

/* Whether a view's side table of earlier contents has to be emptied. */
static int is_stale(Batch *batch, const char *suffix, bool *stale, SiltErr *err)
{
    DeltaEnv env = flow__delta_env(batch->flow);
    silt_auto(delta_table_freep) DeltaTable *table =
        delta_table_new(&env, arena_printf(batch->arena, "%s%s", batch->flow->query->want->path, suffix));
    int r = delta_table_refresh(table, err);

    *stale = r == 0;
    return r < 0 ? r : 0;
}

int flow__side_tables_commit(Batch *batch, const char *app_id, bool replace, SiltErr *err)
{
    Flow *flow = batch->flow;

    if (replace && !batch->dead_count) {
        bool stale;
        SILT_TRY(is_stale(batch, "_dead_letters", &stale, err));
        if (stale)
            SILT_TRY(commit_files(batch, "_dead_letters", dead_schema(batch->arena), NULL, 0, app_id, true, err));
    }
    if (replace && !batch->quarantine_rows) {
        bool stale;
        SILT_TRY(is_stale(batch, "_quarantine", &stale, err));
        if (stale)
            SILT_TRY(commit_files(batch, "_quarantine", flow__quarantine_schema(batch->arena, flow->query->want->schema), NULL, 0, app_id, true, err));
    }
    if (batch->dead_count && flow__setting_is(flow, "silt.deadLetters", "table", "table")) {
        const Type *schema = dead_schema(batch->arena);
        DuckWrittenFile *files;
        int file_count;
        SILT_TRY(copy_dead_letters(batch, schema, &files, &file_count, err));
        SILT_TRY(commit_files(batch, "_dead_letters", schema, files, file_count, app_id, replace, err));
    }
    if (batch->quarantine_rows)
        SILT_TRY(commit_files(batch, "_quarantine", batch->quarantine_schema, batch->quarantine_files, batch->quarantine_file_count, app_id, replace,
                              err));
    return 0;
}
