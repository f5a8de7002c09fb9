/*
 * flow/batch.c - one execution of a flow's query: inputs bound, rows copied to staging, books balanced
 *
 * Nothing here is visible to others: files lie in the staging directory until the commit takes them.
 */
#include "flow/internal.h"
#include "base/json.h"
#include "base/uri.h"
#include "delta/mapping.h"
#include "delta/scan.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

static int empty_next(void *self, Chunk **out, SiltErr *err)
{
    (void)self, (void)err;
    *out = NULL;
    return 0;
}

static ChunkReader empty_reader = {.next = empty_next};

/* ---- inputs ---- */

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

/* Of a flow that takes all of its input or nothing. */
static int refuse_record(void *self, const FormatBadRecord *record, SiltErr *err)
{
    const Batch *batch = self;
    const char *file = "its input";
    int count;

    for (int i = 0; i < batch->input_count; i++) {
        const SourcePart *parts = batch->inputs[i].source ? source_batch_parts(batch->inputs[i].source, &count) : NULL;
        if (parts && record->source >= 0 && record->source < count)
            file = parts[record->source].name;
    }
    silt_fail(err, SILT_INPUT, "%s, byte %lld: a record that cannot be read: %s", file, (long long)record->position, record->reason);
    return silt_code(err, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION");
}

static int open_source(Batch *batch, BatchInput *in, SiltErr *err)
{
    Source *source = in->input->source;
    const SourceSchema *schema = source_schema(source);
    SourceReadOptions options = {0};
    bool nothing = in->input->streaming && (!in->end || (in->start && !strcmp(in->start, in->end)));

    in->counter = -1;
    if (nothing)
        return bind_reader(batch, in, &empty_reader, schema->types, schema->column_count, err);
    source_set_stop(source, flow__source_stop(batch->flow));
    options.take = batch->take;
    options.take_self = batch->take_self;
    if (batch->flow->options.refuse_bad)
        options.sink = (FormatSink){batch, refuse_record};
    else if (!flow__setting_is(batch->flow, "silt.deadLetters", "count", "table"))
        options.sink = flow__dead_letters_sink(batch->dead, in);
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

static int open_delta(Batch *batch, BatchInput *in, SiltErr *err)
{
    Flow *flow = batch->flow;
    PlanInput *input = in->input;
    silt_auto(str_buf_fini) StrBuf sql = {0};
    silt_auto(delta_snapshot_unrefp) const DeltaSnapshot *at = NULL;
    const DeltaSnapshot *snapshot;
    const int *columns = NULL;
    int count = input->relation.column_count;

    if (!input->table) {
        DeltaEnv env = flow__delta_env(flow);
        input->table = delta_table_new(&env, input->path);
    }
    int r = delta_table_refresh(input->table, err);
    if (r == DELTA_ABSENT) {
        silt_fail_at(err, SILT_CONFIG, input->pos, "table \"%s\" has not been made yet", input->relation.name);
        silt_code(err, "TABLE_OR_VIEW_NOT_FOUND");
        return silt_hint(err, "Run the flow that fills it first: leave --refresh out, or name both tables.");
    }
    SILT_TRY(r);
    snapshot = delta_table_snapshot(input->table);
    int64_t pinned = input->streaming || in->version < 0 ? input->version : in->version; /* the second look of a batch sees what the first saw */
    if (pinned >= 0) {
        r = delta_table_at_version(input->table, pinned, &at, err);
        if (r == DELTA_ABSENT) {
            silt_fail_at(err, SILT_CONFIG, input->pos, "table \"%s\" has no version %lld", input->relation.name, (long long)pinned);
            return silt_code(err, "DELTA_VERSION_NOT_FOUND");
        }
        SILT_TRY(r);
        snapshot = at;
    } else if (input->timestamp_us != INT64_MIN) {
        SILT_TRY(delta_table_at_time(input->table, input->timestamp_us, &at, err) < 0 ? -1 : 0);
        snapshot = at;
    }
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
    if (in->end && !(in->start && !strcmp(in->start, in->end))) {
        DeltaOffset start, end;
        if (in->start)
            SILT_TRY(delta_offset_parse(str_of(in->start), &start, err));
        SILT_TRY(delta_offset_parse(str_of(in->end), &end, err));
        r = delta_stream_range(input->table, in->start ? &start : NULL, &end, &input->stream, batch->arena, files, err);
        if (r == DELTA_ABSENT)
            return silt_fail_at(err, SILT_CORRUPT, input->pos, "table \"%s\" has vanished", input->relation.name);
        if (r < 0)
            return r;
    }
    in->files = files;
    SILT_TRY(delta_scan_sql(snapshot, files->files, files->file_count, columns, count, &sql, err));
    in->sql = counted(batch, in, str_buf_text(&sql));
    return 0;
}

static int open_inputs(Batch *batch, SiltErr *err)
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

static void close_inputs(Batch *batch)
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

void flow__batch_close(Batch *batch)
{
    close_inputs(batch);
    flow__dead_letters_free(batch->dead);
    batch->dead = NULL;
}

/* ---- the books ---- */

static int unbalanced(const Batch *batch, SiltErr *err, const char *what, int64_t left, int64_t right)
{
    silt_fail(err, SILT_CORRUPT, "the books of batch %lld do not balance: %s, %lld against %lld", (long long)batch->id, what, (long long)left,
              (long long)right);
    return silt_hint(err, "Nothing was written. This is a mistake in Silt: please report it with the query.");
}

/* F3 */
static int balance(Batch *batch, SiltErr *err)
{
    const FlowQuery *query = batch->flow->query;
    int64_t entered = -1, refused_most = 0, refused_sum = 0;

    batch->input_rows = 0;
    for (int i = 0; i < batch->input_count; i++) {
        BatchInput *in = &batch->inputs[i];
        if (in->counter >= 0) {
            in->rows = duck_session_counter(batch->flow->session, in->counter).passed;
        } else if (in->source) {
            FormatCounts counts = source_batch_counts(in->source);
            in->rows = counts.rows < 0 ? 0 : counts.rows;
            in->undecodable = counts.undecodable;
            in->dropped = counts.dropped;
            in->misfit_fields = counts.misfit_fields;
            in->unknown_fields = counts.unknown_fields;
            in->repaired = counts.repaired;
            if (counts.records >= 0 && counts.records != counts.rows + counts.undecodable + counts.dropped)
                return unbalanced(batch, err, "records of the reader", counts.records, counts.rows + counts.undecodable + counts.dropped);
        }
        batch->input_rows += in->rows + in->undecodable + in->dropped;
    }
    batch->dead_count = flow__dead_letters_count(batch->dead);
    for (int i = 0; i < query->expectation_count; i++) {
        DuckCounter counter = batch->counters[i];
        if (entered >= 0 && entered != counter.passed + counter.failed)
            return unbalanced(batch, err, "rows that expectations have seen", counter.passed + counter.failed, entered);
        entered = counter.passed + counter.failed;
        if (query->expectations[i].action == EXPECT_DROP_ROW) {
            refused_sum += counter.failed;
            if (counter.failed > refused_most)
                refused_most = counter.failed;
        }
    }
    batch->rows_limited = entered >= 0 ? entered : batch->rows_written;
    if (entered >= 0) {
        batch->rows_refused = entered - batch->rows_written;
        if (batch->rows_refused < refused_most || batch->rows_refused > refused_sum)
            return unbalanced(batch, err, "rows refused by expectations", batch->rows_refused, refused_sum);
    }
    return 0;
}

/* ---- running ---- */

static int reopen_inputs(Batch *batch, SiltErr *err)
{
    close_inputs(batch); /* first: decoders may still put records into the dead letters */
    flow__dead_letters_clear(batch->dead);
    SILT_TRY(open_inputs(batch, err));
    duck_session_reset_counters(batch->flow->session);
    return 0;
}

static int copy_once(Batch *batch, SelectMode mode, const char *kind, const Type *schema, const char *const *partitions, int partition_count,
                     bool plain, DuckWrittenFile **files, int *file_count, int64_t *rows, SiltErr *err)
{
    Flow *flow = batch->flow;
    silt_auto(str_buf_fini) StrBuf sql = {0};
    silt_auto(str_buf_fini) StrBuf ids = {0};
    const Type **types = ARENA_ARRAY(batch->arena, const Type *, schema->field_count + 1);
    const char **names = ARENA_ARRAY(batch->arena, const char *, schema->field_count + 1);
    DuckCopyOptions options = {
        .compression = flow__compression(flow),
        .partition_columns = partitions,
        .partition_count = partition_count,
        .column_names = names,
        .column_count = schema->field_count,
        .plain = plain,
    };

    for (int i = 0; i < schema->field_count; i++) {
        types[i] = schema->fields[i].type;
        names[i] = schema->fields[i].name;
    }
    delta_mapping_print_ids(&ids, schema, partitions, partition_count);
    options.field_ids = ids.size ? str_buf_text(&ids) : NULL;
    flow__select(&sql, flow->query, batch->inputs, batch->limit_left, mode);
    if (mode == SELECT_REFUSED) { /* behind the columns, the reasons and the place: who and when */
        silt_auto(str_buf_fini) StrBuf more = {0};
        str_buf_puts(&more, "SELECT x.*");
        flow__tail_columns(batch, &more, schema->field_count - 2);
        str_buf_printf(&more, " FROM (%s) AS x", str_buf_text(&sql));
        str_buf_clear(&sql);
        str_buf_puts(&sql, str_buf_text(&more));
    }
    silt_auto(str_buf_fini) StrBuf rows_sql = {0};
    delta_mapping_print_rows(&rows_sql, str_buf_text(&sql), mode == SELECT_ROWS ? flow->query->want->schema : batch->quarantine_schema, schema);
    SILT_TRY(io_staging_directory(flow->env.io, arena_printf(batch->arena, "%s/%s.%s", flow->env.staging, flow->options.name, kind), batch->arena,
                                  &options.directory, err));
    if (flow->env.busy)
        flow->env.busy(flow->env.self, flow->session);
    int r = duck_session_copy(flow->session, str_buf_text(&rows_sql), types, &options, batch->arena, files, file_count, rows, err);
    if (flow->env.busy)
        flow->env.busy(flow->env.self, NULL);
    if (r < 0 && err->kind != SILT_TRANSIENT && err->kind != SILT_CANCELLED && !err->code[0])
        for (int i = 0; i < batch->input_count; i++)
            if (batch->inputs[i].source)
                source_batch_blame(batch->inputs[i].source, err);
    if (r < 0 && batch->input_count == 1)
        flow__tell_place(&batch->inputs[0], err);
    if (r < 0)
        plan_place(flow->query->query, err);
    return r;
}

/* The rows of the batch as files. Twice over the same input when a -0.0 was among them (DUCK_COPY_AGAIN). */
static int copy_rows(Batch *batch, SelectMode mode, const char *kind, const Type *schema, const char *const *partitions, int partition_count,
                     DuckWrittenFile **files, int *file_count, int64_t *rows, SiltErr *err)
{
    int r = copy_once(batch, mode, kind, schema, partitions, partition_count, false, files, file_count, rows, err);
    if (r != DUCK_COPY_AGAIN)
        return r;
    SILT_TRY(reopen_inputs(batch, err));
    return copy_once(batch, mode, kind, schema, partitions, partition_count, true, files, file_count, rows, err);
}

const Type *flow__quarantine_schema(Arena *arena, const Type *schema)
{
    TypeField *fields = ARENA_ARRAY(arena, TypeField, schema->field_count + 6);
    int count = schema->field_count;

    for (int i = 0; i < count; i++) {
        fields[i] = schema->fields[i];
        fields[i].nullable = true;
    }
    fields[count++] = (TypeField){"_silt_reasons", type_array(arena, type_simple(TYPE_STRING), true), true, "expectations that refused the row", NULL};
    fields[count++] = (TypeField){"_silt_file", type_simple(TYPE_STRING), true, "file that the row was read from", NULL};
    fields[count++] = (TypeField){"_silt_position", type_simple(TYPE_LONG), true, "byte of the record in the file; Parquet: its row", NULL};
    fields[count++] = (TypeField){"_silt_flow", type_simple(TYPE_STRING), true, NULL, NULL};
    fields[count++] = (TypeField){"_silt_batch", type_simple(TYPE_LONG), true, NULL, NULL};
    fields[count++] = (TypeField){"_silt_time", type_simple(TYPE_TIMESTAMP), true, NULL, NULL};
    return type_struct(arena, fields, count);
}

/* The schema that the batch's files have: that of the table, but for column mapping. partitions: names of the partition columns in it. */
static const Type *file_schema(Batch *batch, const char *const **partitions)
{
    Flow *flow = batch->flow;
    const TargetWant *want = flow->query->want;
    const char **names = ARENA_ARRAY(batch->arena, const char *, want->partition_count + 1);
    const DeltaSnapshot *snapshot = flow->target ? delta_table_snapshot(flow->target) : NULL;

    const Type *schema = want->schema;
    if (snapshot && flow->options.kind != FLOW_VIEW) /* of other flows' rows, or another program's, a column may have become wider */
        schema = target_stored_type(batch->arena, schema, snapshot->metadata->schema);
    batch->mapped_schema = schema;
    if (snapshot) /* NULL: a sink, or a table that is not made yet */
        schema = delta_mapping_files(batch->arena, flow->env.io, snapshot->metadata, schema, &batch->mapped_schema);
    for (int i = 0; i < want->partition_count; i++)
        names[i] = schema->fields[type_field_index(want->schema, want->partition_columns[i], NULL)].name;
    *partitions = names;
    return schema;
}

/* The same input once more, for the rows that were refused: only when there are any. */
static int copy_refused(Batch *batch, SiltErr *err)
{
    const TargetWant *want = batch->flow->query->want;
    const Type *files;

    SILT_TRY(reopen_inputs(batch, err));
    batch->quarantine_schema = flow__quarantine_schema(batch->arena, want->schema);
    SILT_TRY(flow__side_table_files(batch, "_quarantine", batch->quarantine_schema, &files, err));
    SILT_TRY(copy_rows(batch, SELECT_REFUSED, "quarantine", files, NULL, 0, &batch->quarantine_files,
                       &batch->quarantine_file_count, &batch->quarantine_rows, err));
    if (batch->quarantine_rows != batch->rows_refused)
        return unbalanced(batch, err, "rows in quarantine", batch->quarantine_rows, batch->rows_refused);
    return 0;
}

int flow__fits_table(const Batch *batch, const Type *schema, SiltErr *err)
{
    if (target_takes(schema, batch->mapped_schema))
        return 0;
    return silt_fail(err, SILT_TRANSIENT, "another program has changed the types of columns of table \"%s\" meanwhile", batch->flow->query->want->name);
}

static bool has_drift(const Batch *batch)
{
    for (int i = 0; i < batch->input_count; i++)
        if (batch->inputs[i].source && source_batch_drift(batch->inputs[i].source))
            return true;
    return false;
}

static int widen(Batch *batch, SiltErr *err)
{
    batch->drift = true;
    for (int i = 0; i < batch->input_count; i++) {
        BatchInput *in = &batch->inputs[i];
        int count = 0;
        if (!in->source || !source_batch_drift(in->source))
            continue;
        const SourcePart *parts = source_batch_parts(in->source, &count);
        batch->drift_file = count ? arena_strdup(batch->arena, parts[0].name) : source_name(in->input->source);
        batch->drift_files = count;
        SILT_TRY(source_widen(in->input->source, in->source, err));
    }
    close_inputs(batch);
    return 0;
}

int flow__batch_run(Batch *batch, SiltErr *err)
{
    Flow *flow = batch->flow;
    FlowQuery *query = flow->query;
    const TargetWant *want = query->want;
    DuckSession *session;

    if (!batch->dead)
        batch->dead = flow__dead_letters_new(flow->env.io, arena_printf(batch->arena, "%s/%s.set_aside", flow->env.staging, flow->options.name));
    flow__dead_letters_clear(batch->dead);
    batch->drift = false;
    SILT_TRY(flow__session(flow, &session, err));
    duck_session_set_clock(session, batch->timestamp_ms * 1000);
    duck_session_set_source(session, flow->options.file);
    SILT_TRY(duck_session_set_time_zone(session, conf_sql_settings(flow->options.conf).time_zone, err));
    SILT_TRY(open_inputs(batch, err));
    duck_session_reset_counters(session);
    const char *const *partitions;
    const Type *schema = file_schema(batch, &partitions);
    SILT_TRY(copy_rows(batch, SELECT_ROWS, "rows", schema, partitions, want->partition_count, &batch->files, &batch->file_count,
                       &batch->rows_written, err));
    if (has_drift(batch))
        return widen(batch, err);
    flow__warn_of_remarks(flow);
    batch->counters = ARENA_ARRAY(batch->arena, DuckCounter, query->expectation_count + 1);
    for (int i = 0; i < query->expectation_count; i++)
        batch->counters[i] = duck_session_counter(session, i);
    SILT_TRY(balance(batch, err));
    for (int i = 0; i < batch->input_count; i++) {
        int count = 0;
        const SourcePart *parts = batch->inputs[i].source ? source_batch_parts(batch->inputs[i].source, &count) : NULL;
        for (int j = 0; j < count; j++)
            if (parts[j].missing)
                flow__warn(flow, "\"%s\" was planned for batch %lld but is gone: it is read as empty", parts[j].name, (long long)batch->id);
            else if (parts[j].corrupt)
                flow__warn(flow, "the rest of \"%s\" was left out of batch %lld (ignoreCorruptFiles): %s", parts[j].name, (long long)batch->id,
                           parts[j].corrupt);
    }
    bool audit = batch->input_count && batch->inputs[0].from;
    if (batch->rows_refused && !audit && flow__setting_is(flow, "silt.quarantine", "table", "count"))
        SILT_TRY(copy_refused(batch, err));
    batch->read_us = io_monotonic_us(flow->env.io);
    return 0;
}

int flow__run_whole(Batch *batch, int (*analyze)(Flow *flow, SiltErr *err), SiltErr *err)
{
    Flow *flow = batch->flow;

    do {
        batch->input_count = flow->query->input_count;
        batch->inputs = ARENA_ARRAY(batch->arena, BatchInput, batch->input_count + 1);
        for (int i = 0; i < batch->input_count; i++)
            batch->inputs[i] = (BatchInput){.input = flow->query->inputs[i], .version = -1, .counter = -1};
        SILT_TRY(flow__batch_run(batch, err));
        if (batch->drift)
            SILT_TRY(analyze(flow, err));
    } while (batch->drift);
    return 0;
}

/* ---- progress ---- */

static void put_time(JsonWriter *w, const char *key, int64_t ms)
{
    char text[96];
    time_t seconds = (time_t)(ms >= 0 ? ms / 1000 : (ms - 999) / 1000);
    struct tm tm;

    gmtime_r(&seconds, &tm);
    snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
             (int)(ms - (int64_t)seconds * 1000));
    json_member(w, key, text);
}

static void put_rate(JsonWriter *w, const char *key, int64_t rows, int64_t us)
{
    char text[64];

    snprintf(text, sizeof text, "%.1f", us > 0 ? (double)rows * 1e6 / (double)us : 0.0);
    json_key(w, key);
    json_raw(w, str_of(text));
}

static void put_durations(JsonWriter *w, const Batch *batch)
{
    json_key(w, "durationMs");
    json_object(w);
    json_member_int(w, "addBatch", (batch->read_us - batch->logged_us) / 1000);
    json_member_int(w, "commitBatch", (batch->committed_us - batch->read_us) / 1000);
    json_member_int(w, "latestOffset", (batch->planned_us - batch->started_us) / 1000);
    json_member_int(w, "triggerExecution", (batch->committed_us - batch->started_us) / 1000);
    json_member_int(w, "walCommit", (batch->logged_us - batch->planned_us) / 1000);
    json_object_end(w);
}

FlowReading flow__batch_reading(const Batch *batch)
{
    FlowReading sum = {0};

    for (int i = 0; i < batch->input_count; i++) {
        const BatchInput *in = &batch->inputs[i];
        sum.undecodable += in->undecodable;
        sum.dropped += in->dropped;
        sum.misfit_fields += in->misfit_fields;
        sum.unknown_fields += in->unknown_fields;
        sum.repaired += in->repaired;
    }
    return sum;
}

void flow__batch_metrics(const Batch *batch, DeltaTxn *txn)
{
    FlowReading reading = flow__batch_reading(batch);

    delta_txn_metric(txn, "numRowsUndecodable", reading.undecodable);
    delta_txn_metric(txn, "numRowsDroppedByReader", reading.dropped);
    delta_txn_metric(txn, "numFieldsMisfit", reading.misfit_fields);
    delta_txn_metric(txn, "numFieldsUnknown", reading.unknown_fields);
    delta_txn_metric(txn, "numStringsRepaired", reading.repaired);
}

/* Of one source: texts, as Structured Streaming has them in sources[].metrics. */
static void put_metric(Batch *batch, JsonWriter *w, const char *key, int64_t value)
{
    json_member(w, key, arena_printf(batch->arena, "%lld", (long long)value));
}

static void put_metrics(Batch *batch, JsonWriter *w, const BatchInput *in)
{
    json_key(w, "metrics");
    json_object(w);
    put_metric(batch, w, "numRowsUndecodable", in->undecodable);
    put_metric(batch, w, "numRowsDroppedByReader", in->dropped);
    put_metric(batch, w, "numFieldsMisfit", in->misfit_fields);
    put_metric(batch, w, "numFieldsUnknown", in->unknown_fields);
    put_metric(batch, w, "numStringsRepaired", in->repaired);
    json_object_end(w);
}

static void put_observed(JsonWriter *w, const Batch *batch)
{
    const FlowQuery *query = batch->flow->query;

    json_key(w, "observedMetrics");
    json_object(w);
    for (int i = 0; i < query->expectation_count; i++) {
        json_key(w, query->expectations[i].name);
        json_object(w);
        json_member_int(w, "passed_records", batch->counters[i].passed);
        json_member_int(w, "failed_records", batch->counters[i].failed);
        json_member_int(w, "null_records", batch->counters[i].nulls); /* of the failed ones */
        json_object_end(w);
    }
    json_key(w, "silt");
    json_object(w);
    FlowReading reading = flow__batch_reading(batch);
    json_member_int(w, "numRowsUndecodable", reading.undecodable);
    json_member_int(w, "numRowsDroppedByReader", reading.dropped);
    json_member_int(w, "numFieldsMisfit", reading.misfit_fields);
    json_member_int(w, "numFieldsUnknown", reading.unknown_fields);
    json_member_int(w, "numStringsRepaired", reading.repaired);
    json_member_int(w, "numRowsRefused", batch->rows_refused);
    json_object_end(w);
    json_object_end(w);
}

/* Structured Streaming's record, one line. */
static const char *progress_json(Batch *batch, StrBuf *out)
{
    Flow *flow = batch->flow;
    JsonWriter w = {.out = out};
    int64_t us = batch->committed_us - batch->started_us;

    json_object(&w);
    json_member(&w, "id", flow->checkpoint ? checkpoint_id(flow->checkpoint) : flow->options.name);
    json_member(&w, "runId", flow->run_id);
    json_member(&w, "name", flow->options.name);
    put_time(&w, "timestamp", batch->timestamp_ms);
    json_member_int(&w, "batchId", batch->id);
    json_member_int(&w, "batchDuration", us / 1000);
    json_member_int(&w, "numInputRows", batch->input_rows);
    put_rate(&w, "inputRowsPerSecond", batch->input_rows, us);
    put_rate(&w, "processedRowsPerSecond", batch->input_rows, us);
    put_durations(&w, batch);
    json_key(&w, "stateOperators");
    json_array(&w);
    json_array_end(&w);
    json_key(&w, "sources");
    json_array(&w);
    for (int i = 0; i < batch->input_count; i++) {
        const BatchInput *in = &batch->inputs[i];
        json_object(&w);
        json_member(&w, "description", flow__describe(batch, in));
        if (in->input->streaming) {
            flow__put_offset(&w, "startOffset", in->start);
            flow__put_offset(&w, "endOffset", in->end);
            flow__put_offset(&w, "latestOffset", in->end);
        }
        json_member_int(&w, "numInputRows", in->rows + in->undecodable + in->dropped);
        put_rate(&w, "inputRowsPerSecond", in->rows, us);
        put_rate(&w, "processedRowsPerSecond", in->rows, us);
        if (in->input->kind == PLAN_INPUT_SOURCE)
            put_metrics(batch, &w, in);
        json_object_end(&w);
    }
    json_array_end(&w);
    json_key(&w, "sink");
    json_object(&w);
    const TargetWant *want = flow->query->want;
    json_member(&w, "description", want->sink ? arena_printf(batch->arena, "Sink[%s]", want->sink->kind)
                                              : arena_printf(batch->arena, "DeltaSink[%s]", uri_from_path(batch->arena, want->path)));
    json_member_int(&w, "numOutputRows", batch->rows_written);
    json_object_end(&w);
    put_observed(&w, batch);
    json_object_end(&w);
    return str_buf_text(out);
}

void flow__batch_report(Batch *batch)
{
    const Flow *flow = batch->flow;
    const FlowQuery *query = flow->query;
    silt_auto(str_buf_fini) StrBuf json = {0};

    if (!flow->env.progress)
        return;
    FlowExpected *expected = ARENA_ARRAY(batch->arena, FlowExpected, query->expectation_count + 1);
    for (int i = 0; i < query->expectation_count; i++)
        expected[i] = (FlowExpected){query->expectations[i].name, batch->counters[i].passed, batch->counters[i].failed};
    FlowProgress progress = {
        .batch_id = batch->id,
        .input_rows = batch->input_rows,
        .output_rows = batch->rows_written,
        .set_aside_rows = batch->dead_count + batch->rows_refused,
        .refused_rows = batch->rows_refused,
        .reading = flow__batch_reading(batch),
        .expectations = expected,
        .expectation_count = query->expectation_count,
        .duration_ms = (batch->committed_us - batch->started_us) / 1000,
        .json = progress_json(batch, &json),
    };
    for (int i = 0; i < batch->file_count; i++)
        progress.output_bytes += batch->files[i].size_bytes;
    flow->env.progress(flow->env.self, &progress);
}
