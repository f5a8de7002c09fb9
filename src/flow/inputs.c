/*
 * flow/inputs.c - what a batch reads, opened and bound to the places of its query
 */
#include "flow/internal.h"
#include "delta/scan.h"
#include <string.h>

static int empty_next(void *self, Chunk **out, SiltErr *err)
{
    (void)self, (void)err;
    *out = NULL;
    return 0;
}

static ChunkReader empty_reader = {.next = empty_next};

/* Count the rows that a FROM text gives; every input has a counter behind those of the expectations. */
static const char *counted(Batch *batch, BatchInput *in, const char *sql)
{
    in->counter = batch->flow->query->expectation_count + in->input->relation.slot;
    return arena_printf(batch->arena, "(SELECT * FROM %s AS t WHERE silt_pass(%d, TRUE))", sql, in->counter);
}

static int bind_reader(Batch *batch, BatchInput *in, ChunkReader *reader, const Type *const *types, int column_count, SiltErr *err)
{
    DuckSession *session;
    int slot = in->input->relation.slot;

    SILT_TRY(flow__session(batch->flow, &session, err));
    SILT_TRY(duck_session_bind_input(session, slot, types, column_count, err));
    duck_session_set_reader(session, slot, reader);
    in->reader = reader;
    in->sql = arena_printf(batch->arena, "silt_input(%d)", slot);
    return 0;
}

/* ---- sources ---- */

/* Of a flow that takes all of its input or nothing. */
static int refuse_record(void *self, const FormatBadRecord *record, SiltErr *err)
{
    const Batch *batch = self;
    const char *place = "its input";
    bool is_topic = false;
    int count;

    for (int i = 0; i < batch->input_count; i++) {
        const SourcePart *parts = batch->inputs[i].source ? source_batch_parts(batch->inputs[i].source, &count) : NULL;
        if (parts && record->source >= 0 && record->source < count)
            place = parts[record->source].name, is_topic = parts[record->source].topic;
    }
    silt_fail(err, SILT_INPUT, "%s, %s %lld: a record that cannot be read: %s", place, is_topic ? "offset" : "byte", (long long)record->position, record->reason);
    return silt_code(err, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION");
}

static int open_source(Batch *batch, BatchInput *in, SiltErr *err)
{
    Source *source = in->input->source;
    const SourceSchema *schema = source_schema(source);
    SourceReadOptions options = {0};
    bool nothing = in->input->streaming && (!in->end || (in->start && !strcmp(in->start, in->end)));

    in->counter = -1;
    in->set_aside = 0;
    if (nothing)
        return bind_reader(batch, in, &empty_reader, schema->types, schema->column_count, err);
    source_set_stop(source, flow__source_stop(batch->flow));
    options.take = batch->take;
    options.take_self = batch->take_self;
    if (batch->flow->options.refuse_bad)
        options.sink = (FormatSink){batch, refuse_record};
    else if (!flow__setting_is(batch->flow, "silt.deadLetters", "count", "table"))
        options.sink = flow__dead_letters_sink(batch->dead, in);
    in->aside = options.sink;
    if (in->from)
        SILT_TRY(flow__open_as_read(batch, in, &options, err));
    else if (in->input->streaming)
        SILT_TRY(source_open_batch(source, in->start, in->end, &options, &in->source, err));
    else
        SILT_TRY(source_open_snapshot(source, &options, &in->source, err));
    if (source_batch_sql(in->source)) {
        in->sql = counted(batch, in, source_batch_sql(in->source));
        return 0;
    }
    return bind_reader(batch, in, source_batch_reader(in->source), schema->types, schema->column_count, err);
}

/* ---- Delta tables ---- */

/* Columns of the relation as fields of the table's schema. */
static int delta_columns(Batch *batch, const BatchInput *in, const DeltaSnapshot *snapshot, const int **out, SiltErr *err)
{
    const SqlRelation *relation = &in->input->relation;
    int *columns = ARENA_ARRAY(batch->arena, int, relation->column_count + 1);

    for (int i = 0; i < relation->column_count; i++) {
        columns[i] = type_field_index(snapshot->metadata->schema, relation->column_names[i], NULL);
        if (columns[i] < 0 || !type_equal(snapshot->metadata->schema->fields[columns[i]].type, relation->column_types[i], false)) {
            silt_fail_at(err, SILT_TRANSIENT, in->input->pos, "column \"%s\" of table \"%s\" has changed meanwhile", relation->column_names[i],
                         relation->name);
            return silt_hint(err, "Another program changed the table's schema. The next run takes it up.");
        }
    }
    *out = columns;
    return 0;
}

/* The table as it is now; what a flow reads must be there. */
static int refresh_table(Batch *batch, PlanInput *input, SiltErr *err)
{
    if (!input->table) {
        DeltaEnv env = flow__delta_env(batch->flow);
        input->table = delta_table_new(&env, input->path);
    }
    int r = delta_table_refresh(input->table, err);
    if (r != DELTA_ABSENT)
        return r;
    silt_fail_at(err, SILT_CONFIG, input->pos, "table \"%s\" has not been made yet", input->relation.name);
    silt_code(err, "TABLE_OR_VIEW_NOT_FOUND");
    return silt_hint(err, "Run the flow that fills it first: leave --refresh out, or name both tables.");
}

/* The version that is read: a named one (*out, to be released), or (NULL) the newest. */
static int named_version(const BatchInput *in, const DeltaSnapshot **out, SiltErr *err)
{
    PlanInput *input = in->input;
    int64_t pinned = input->streaming || in->version < 0 ? input->version : in->version; /* the second look of a batch sees what the first saw */

    *out = NULL;
    if (pinned < 0)
        return input->timestamp_us == INT64_MIN ? 0 : delta_table_at_time(input->table, input->timestamp_us, out, err) < 0 ? -1 : 0;
    int r = delta_table_at_version(input->table, pinned, out, err);
    if (r != DELTA_ABSENT)
        return r;
    silt_fail_at(err, SILT_CONFIG, input->pos, "table \"%s\" has no version %lld", input->relation.name, (long long)pinned);
    return silt_code(err, "DELTA_VERSION_NOT_FOUND");
}

/* The files of [start, end) of a streamed table; none when these are the same. */
static int stream_files(Batch *batch, BatchInput *in, DeltaStreamBatch *out, SiltErr *err)
{
    PlanInput *input = in->input;
    DeltaOffset start, end;

    if (!in->end || (in->start && !strcmp(in->start, in->end)))
        return 0;
    if (in->start)
        SILT_TRY(delta_offset_parse(str_of(in->start), &start, err));
    SILT_TRY(delta_offset_parse(str_of(in->end), &end, err));
    int r = delta_stream_range(input->table, in->start ? &start : NULL, &end, &input->stream, batch->arena, out, err);
    return r == DELTA_ABSENT ? silt_fail_at(err, SILT_CORRUPT, input->pos, "table \"%s\" has vanished", input->relation.name) : r;
}

static int open_delta(Batch *batch, BatchInput *in, SiltErr *err)
{
    PlanInput *input = in->input;
    silt_auto(str_buf_fini) StrBuf sql = {0};
    silt_auto(delta_snapshot_unrefp) const DeltaSnapshot *named = NULL;
    const int *columns = NULL;
    int count = input->relation.column_count;

    SILT_TRY(refresh_table(batch, input, err));
    SILT_TRY(named_version(in, &named, err));
    const DeltaSnapshot *snapshot = named ? named : delta_table_snapshot(input->table);
    if (in->from && in->from->table_id && strcmp(in->from->table_id, snapshot->metadata->id) != 0)
        return silt_fail_at(err, SILT_CONFIG, input->pos, "table \"%s\" has been replaced by another one since", input->relation.name);
    /* an audit sees an old version with the columns of today: they were only added */
    const DeltaSnapshot *shape = in->from ? delta_table_snapshot(input->table) : snapshot;
    SILT_TRY(delta_columns(batch, in, shape, &columns, err));
    in->version = snapshot->version;
    in->table_id = arena_strdup(batch->arena, snapshot->metadata->id);
    if (!input->streaming) {
        const DeltaFile *const *live;
        int64_t live_count;
        SILT_TRY(delta_snapshot_files(snapshot, &live, &live_count, err));
        SILT_TRY(delta_scan_sql(shape, live, live_count, columns, count, &sql, err));
        in->sql = arena_strdup(batch->arena, str_buf_text(&sql));
        in->counter = -1;
        return 0;
    }
    DeltaStreamBatch *files = ARENA_NEW(batch->arena, DeltaStreamBatch);
    SILT_TRY(stream_files(batch, in, files, err));
    in->files = files;
    SILT_TRY(delta_scan_sql(snapshot, files->files, files->file_count, columns, count, &sql, err));
    in->sql = counted(batch, in, str_buf_text(&sql));
    return 0;
}

/* ---- all of them ---- */

int flow__inputs_open(Batch *batch, SiltErr *err)
{
    for (int i = 0; i < batch->input_count; i++) {
        BatchInput *in = &batch->inputs[i];
        if (in->input->kind == PLAN_INPUT_SOURCE)
            SILT_TRY(open_source(batch, in, err));
        else
            SILT_TRY(open_delta(batch, in, err));
    }
    return 0;
}

void flow__inputs_close(Batch *batch)
{
    for (int i = 0; i < batch->input_count; i++) {
        BatchInput *in = &batch->inputs[i];
        if (in->reader && batch->flow->session)
            duck_session_set_reader(batch->flow->session, in->input->relation.slot, NULL);
        in->reader = NULL;
        source_batch_close(in->source);
        in->source = NULL;
    }
}
