/*
 * flow/sidetable.c - rows set aside: <t>_dead_letters and <t>_quarantine
 *
 * Each is a Delta table of its own beside the target. A batch commits them before the target, with the flow's query id as txn,
 * so that a batch that runs again finds them done.
 */
#include "flow/internal.h"
#include "delta/mapping.h"
#include "sql/functions.h"
#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS_MAX = 20 };

/* ---- tables ---- */

const char *const flow_side_suffixes[FLOW_SIDES] = {"_dead_letters", "_quarantine"};

static const Type *dead_schema(Arena *arena)
{
    TypeField fields[] = {
        {"file", type_simple(TYPE_STRING), true, "where the record stands", NULL},
        {"position", type_simple(TYPE_LONG), true, "byte of its start in the (unpacked) file", NULL},
        {"line", type_simple(TYPE_LONG), true, "counted from 1, 0 when unknown", NULL},
        {"reason", type_simple(TYPE_STRING), true, NULL, NULL},
        {"record", type_simple(TYPE_BINARY), true, "its bytes, at most the first MB; of a message the value", NULL},
        {"topic", type_simple(TYPE_STRING), true, "of a message: where it stands, instead of file, position and line", NULL},
        {"partition", type_simple(TYPE_INT), true, NULL, NULL},
        {"offset", type_simple(TYPE_LONG), true, NULL, NULL},
        {"timestamp", type_simple(TYPE_TIMESTAMP), true, "of the message", NULL},
        {"key", type_simple(TYPE_BINARY), true, "of the message, at most the first MB", NULL},
        {"flow", type_simple(TYPE_STRING), true, NULL, NULL},
        {"batch", type_simple(TYPE_LONG), true, NULL, NULL},
        {"time", type_simple(TYPE_TIMESTAMP), true, "of the batch", NULL},
    };
    return type_struct(arena, fields, sizeof fields / sizeof fields[0]);
}

const Type *flow_side_schema(Arena *arena, FlowSide side, const Type *schema)
{
    return side == FLOW_DEAD_LETTERS ? dead_schema(arena) : flow__quarantine_schema(arena, schema);
}

void flow__tail_columns(const Batch *batch, StrBuf *out, int first)
{
    str_buf_puts(out, ", ");
    sql_duck_text(out, str_of(batch->flow->options.name));
    str_buf_printf(out, " AS c%d, CAST(%lld AS BIGINT) AS c%d, silt_now() AS c%d", first, (long long)batch->id, first + 1, first + 2);
}

/* A side table, made or grown. The caller frees *out, also on failure. */
static int prepare_table(const Flow *flow, Arena *arena, const char *suffix, const Type *schema, DeltaTable **out, SiltErr *err)
{
    const TargetWant *target = flow->query->want;
    DeltaEnv env = flow__delta_env(flow);
    DeltaProperty properties[TARGET_SHAPE_PROPERTIES];
    /* the quarantine has the target's columns, whatever their names and types become; those of the others are ours */
    bool alike = strcmp(suffix, "_quarantine") == 0;
    TargetWant want = {
        .name = arena_printf(arena, "%s%s", target->name, suffix),
        .path = arena_printf(arena, "%s%s", target->path, suffix),
        .schema = schema,
        .properties = properties,
        .property_count = alike ? target_shape_properties(target, flow->target ? delta_table_snapshot(flow->target) : NULL, properties) : 0,
        .pos = target->pos,
    };

    *out = delta_table_new(&env, want.path);
    return target_prepare(flow->env.io, *out, &want, err);
}

int flow__prepare_target(Flow *flow, SiltErr *err)
{
    static const char *const settings[FLOW_SIDES][3] = {{"silt.deadLetters", "table", "table"}, {"silt.quarantine", "table", "count"}};

    SILT_TRY(target_prepare(flow->env.io, flow->target, flow->query->want, err));
    for (int side = 0; side < FLOW_SIDES; side++) {
        if (!flow->options.side_is_read[side] || !flow__setting_is(flow, settings[side][0], settings[side][1], settings[side][2]))
            continue;
        silt_auto(arena_freep) Arena *arena = arena_new();
        silt_auto(delta_table_freep) DeltaTable *table = NULL;
        SILT_TRY(prepare_table(flow, arena, flow_side_suffixes[side], flow_side_schema(arena, side, flow->query->want->schema), &table, err));
    }
    return 0;
}

int flow__side_table_files(const Batch *batch, const char *suffix, const Type *schema, const Type **out, SiltErr *err)
{
    silt_auto(delta_table_freep) DeltaTable *table = NULL;

    *out = schema;
    if (!target_mapping(batch->flow->query->want))
        return 0;
    SILT_TRY(prepare_table(batch->flow, batch->arena, suffix, schema, &table, err));
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

    SILT_TRY(prepare_table(batch->flow, batch->arena, suffix, schema, &table, err));
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
    return flow__commit(txn, &version, err);
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
    silt_auto(str_buf_fini) StrBuf sql = {0};
    const char *const *names;
    const Type *const *types = field_types(batch->arena, schema, &names);
    DuckCopyOptions options = {.compression = flow__compression(flow), .column_names = names, .column_count = schema->field_count};
    int64_t count = flow__dead_letters_count(batch->dead);
    DuckSession *session;
    int slot = batch->input_count; /* behind the query's own */
    int64_t rows;

    ChunkReader chunks = flow__dead_letters_read(batch->dead, &options.row_group_rows);
    SILT_TRY(flow__session(flow, &session, err));
    SILT_TRY(duck_session_bind_input(session, slot, types, DEAD_COLUMNS, err));
    duck_session_set_reader(session, slot, &chunks);
    SILT_TRY(io_staging_directory(flow->env.io, arena_printf(batch->arena, "%s/%s.dead_letters", flow->env.staging, flow->options.name), batch->arena,
                                  &options.directory, err));
    str_buf_puts(&sql, "SELECT c1, c2, c3, c4, c5, c6, c7, c8, c9, c10");
    flow__tail_columns(batch, &sql, DEAD_COLUMNS + 1);
    str_buf_printf(&sql, " FROM silt_input(%d)", slot);
    int r = duck_session_copy(session, str_buf_text(&sql), types, &options, batch->arena, files, file_count, &rows, err);
    duck_session_set_reader(session, slot, NULL);
    if (r == 0 && rows != count)
        return silt_fail(err, SILT_CORRUPT, "%lld of %lld dead letters were written", (long long)rows, (long long)count);
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
