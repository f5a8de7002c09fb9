/*
 * flow/batch.c - one execution of a flow's query: inputs bound, rows copied to staging, books balanced
 *
 * Nothing here is visible to others: files lie in the staging directory until the commit takes them.
 */
#include "flow/internal.h"
#include "delta/mapping.h"

void flow__batch_close(Batch *batch)
{
    flow__inputs_close(batch);
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

/* The rows that an input gave, and what became of its other records. */
static int count_input(Batch *batch, BatchInput *in, SiltErr *err)
{
    if (in->counter >= 0) {
        in->rows = duck_session_counter(batch->flow->session, in->counter).passed;
        in->undecodable = in->set_aside;
    } else if (in->source) {
        FormatCounts counts = source_batch_counts(in->source);
        in->rows = counts.rows < 0 ? 0 : counts.rows;
        in->undecodable = counts.undecodable + in->set_aside;
        in->dropped = counts.dropped;
        in->misfit_fields = counts.misfit_fields;
        in->unknown_fields = counts.unknown_fields;
        in->repaired = counts.repaired;
        if (counts.records >= 0 && counts.records != counts.rows + counts.undecodable + counts.dropped)
            return unbalanced(batch, err, "records of the reader", counts.records, counts.rows + counts.undecodable + counts.dropped);
    }
    in->rows -= in->set_aside; /* the reader gave them */
    batch->input_rows += in->rows + in->undecodable + in->dropped;
    return 0;
}

/* All expectations see the same rows; those that one or more refuse are what does not come out. */
static int count_refused(Batch *batch, SiltErr *err)
{
    const FlowQuery *query = batch->flow->query;
    int64_t entered = -1, refused_most = 0, refused_sum = 0;

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
    if (entered < 0)
        return 0;
    batch->rows_refused = entered - batch->rows_written;
    if (batch->rows_refused < refused_most || batch->rows_refused > refused_sum)
        return unbalanced(batch, err, "rows refused by expectations", batch->rows_refused, refused_sum);
    return 0;
}

/* F3 */
static int balance(Batch *batch, SiltErr *err)
{
    batch->input_rows = 0;
    for (int i = 0; i < batch->input_count; i++)
        SILT_TRY(count_input(batch, &batch->inputs[i], err));
    batch->dead_count = flow__dead_letters_count(batch->dead);
    return count_refused(batch, err);
}

/* ---- copying ---- */

static int reopen_inputs(Batch *batch, SiltErr *err)
{
    flow__inputs_close(batch); /* first: decoders may still put records into the dead letters */
    flow__dead_letters_clear(batch->dead);
    SILT_TRY(flow__inputs_open(batch, err));
    duck_session_reset_counters(batch->flow->session);
    return 0;
}

/* A value that the query has set aside: its row is a dead letter of the only input. */
static int set_aside(void *self, int32_t source, int64_t position, Str bytes, const char *reason, SiltErr *err)
{
    BatchInput *in = ((Batch *)self)->inputs;
    FormatMessage message = {0};
    int count;
    const SourcePart *parts = source_batch_parts(in->source, &count);
    bool is_message = source >= 0 && source < count && parts[source].topic;
    FormatBadRecord bad = {.source = source,
                           .position = position,
                           .length = (int64_t)bytes.size,
                           .reason = reason,
                           .bytes = bytes,
                           .message = is_message ? &message : NULL};

    __atomic_fetch_add(&in->set_aside, 1, __ATOMIC_RELAXED);
    return in->aside.put ? in->aside.put(in->aside.self, &bad, err) : 0;
}

/* Which rows of the batch go into files, and what the files are like. */
typedef struct Copying {
    SelectMode mode;
    const char *kind; /* ends the name of the staging folder */
    const Type *schema;
    const char *const *partitions;
    int partition_count;
    /* What came of it, in the batch's arena. */
    DuckWrittenFile **files;
    int *file_count;
    int64_t *rows;
} Copying;

/* The query of the rows, as the files have them. */
static void print_rows(Batch *batch, const Copying *copying, StrBuf *out)
{
    const FlowQuery *query = batch->flow->query;
    silt_auto(str_buf_fini) StrBuf sql = {0}, more = {0};
    bool refused = copying->mode == SELECT_REFUSED;

    SelectOptions select = {.mode = copying->mode, .limit_left = batch->limit_left, .set_aside = flow__sets_aside(batch)};
    flow__select(&sql, query, batch->inputs, &select);
    if (refused) { /* behind the columns, the reasons and the place: who and when */
        str_buf_puts(&more, "SELECT x.*");
        flow__tail_columns(batch, &more, copying->schema->field_count - 2);
        str_buf_printf(&more, " FROM (%s) AS x", str_buf_text(&sql));
    }
    delta_mapping_print_rows(out, str_buf_text(refused ? &more : &sql), refused ? batch->quarantine_schema : query->want->schema, copying->schema);
}

/* A failure of the query gets the file and the place in the input that it comes from, and its own in the query's text. */
static void blame(const Batch *batch, SiltErr *err)
{
    if (err->kind != SILT_TRANSIENT && err->kind != SILT_CANCELLED && !err->code[0])
        for (int i = 0; i < batch->input_count; i++)
            if (batch->inputs[i].source)
                source_batch_blame(batch->inputs[i].source, err);
    if (batch->input_count == 1)
        flow__tell_place(&batch->inputs[0], err);
    plan_place(batch->flow->query->query, err);
}

static int copy_once(Batch *batch, const Copying *copying, bool plain, SiltErr *err)
{
    Flow *flow = batch->flow;
    const Type *schema = copying->schema;
    silt_auto(str_buf_fini) StrBuf sql = {0}, ids = {0};
    const Type **types = ARENA_ARRAY(batch->arena, const Type *, schema->field_count + 1);
    const char **names = ARENA_ARRAY(batch->arena, const char *, schema->field_count + 1);
    DuckCopyOptions options = {
        .compression = flow__compression(flow),
        .partition_columns = copying->partitions,
        .partition_count = copying->partition_count,
        .column_names = names,
        .column_count = schema->field_count,
        .plain = plain,
    };

    for (int i = 0; i < schema->field_count; i++) {
        types[i] = schema->fields[i].type;
        names[i] = schema->fields[i].name;
    }
    delta_mapping_print_ids(&ids, schema, copying->partitions, copying->partition_count);
    options.field_ids = ids.size ? str_buf_text(&ids) : NULL;
    print_rows(batch, copying, &sql);
    const char *staging = arena_printf(batch->arena, "%s/%s.%s", flow->env.staging, flow->options.name, copying->kind);
    SILT_TRY(io_staging_directory(flow->env.io, staging, batch->arena, &options.directory, err));
    if (flow->env.busy)
        flow->env.busy(flow->env.self, flow->session);
    int r = duck_session_copy(flow->session, str_buf_text(&sql), types, &options, batch->arena, copying->files, copying->file_count, copying->rows, err);
    if (flow->env.busy)
        flow->env.busy(flow->env.self, NULL);
    if (r < 0)
        blame(batch, err);
    return r;
}

/* The rows of the batch as files. Twice over the same input when a -0.0 was among them (DUCK_COPY_AGAIN). */
static int copy_rows(Batch *batch, const Copying *copying, SiltErr *err)
{
    int r = copy_once(batch, copying, false, err);

    if (r != DUCK_COPY_AGAIN)
        return r;
    SILT_TRY(reopen_inputs(batch, err));
    return copy_once(batch, copying, true, err);
}

const Type *flow__quarantine_schema(Arena *arena, const Type *schema)
{
    TypeField *fields = ARENA_ARRAY(arena, TypeField, schema->field_count + 9);
    int count = schema->field_count;

    for (int i = 0; i < count; i++) {
        fields[i] = schema->fields[i];
        fields[i].nullable = true;
    }
    fields[count++] = (TypeField){"_silt_reasons", type_array(arena, type_simple(TYPE_STRING), true), true, "expectations that refused the row", NULL};
    fields[count++] = (TypeField){"_silt_file", type_simple(TYPE_STRING), true, "file that the row was read from", NULL};
    fields[count++] = (TypeField){"_silt_position", type_simple(TYPE_LONG), true, "byte of the record in the file; Parquet: its row", NULL};
    fields[count++] = (TypeField){"_silt_topic", type_simple(TYPE_STRING), true, "topic that the row was read from, instead of a file", NULL};
    fields[count++] = (TypeField){"_silt_partition", type_simple(TYPE_INT), true, NULL, NULL};
    fields[count++] = (TypeField){"_silt_offset", type_simple(TYPE_LONG), true, NULL, NULL};
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
    Copying copying = {
        .mode = SELECT_REFUSED,
        .kind = "quarantine",
        .schema = files,
        .files = &batch->quarantine_files,
        .file_count = &batch->quarantine_file_count,
        .rows = &batch->quarantine_rows,
    };
    SILT_TRY(copy_rows(batch, &copying, err));
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

/* ---- running ---- */

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
    flow__inputs_close(batch);
    return 0;
}

/* Files that were planned, and could not be read, or not to their end. */
static void warn_of_parts(const Batch *batch)
{
    for (int i = 0; i < batch->input_count; i++) {
        int count = 0;
        const SourcePart *parts = batch->inputs[i].source ? source_batch_parts(batch->inputs[i].source, &count) : NULL;
        for (int j = 0; j < count; j++)
            if (parts[j].missing)
                flow__warn(batch->flow, "\"%s\" was planned for batch %lld but is gone: it is read as empty", parts[j].name, (long long)batch->id);
            else if (parts[j].corrupt)
                flow__warn(batch->flow, "the rest of \"%s\" was left out of batch %lld (ignoreCorruptFiles): %s", parts[j].name, (long long)batch->id,
                           parts[j].corrupt);
    }
}

int flow__batch_run(Batch *batch, SiltErr *err)
{
    Flow *flow = batch->flow;
    const FlowQuery *query = flow->query;
    DuckSession *session;

    if (!batch->dead)
        batch->dead = flow__dead_letters_new(flow->env.io, arena_printf(batch->arena, "%s/%s.set_aside", flow->env.staging, flow->options.name));
    flow__dead_letters_clear(batch->dead);
    batch->drift = false;
    SILT_TRY(flow__session(flow, &session, err));
    duck_session_set_clock(session, batch->timestamp_ms * 1000);
    duck_session_set_source(session, flow->options.file);
    SILT_TRY(duck_session_set_time_zone(session, conf_sql_settings(flow->options.conf).time_zone, err));
    SILT_TRY(flow__inputs_open(batch, err));
    duck_session_reset_counters(session);
    duck_session_set_aside(session, (DuckAside){batch, flow__sets_aside(batch) ? set_aside : NULL});
    duck_session_set_stop(session, flow__source_stop(flow).asked, flow);
    Copying copying = {
        .mode = SELECT_ROWS,
        .kind = "rows",
        .partition_count = query->want->partition_count,
        .files = &batch->files,
        .file_count = &batch->file_count,
        .rows = &batch->rows_written,
    };
    copying.schema = file_schema(batch, &copying.partitions);
    SILT_TRY(copy_rows(batch, &copying, err));
    if (has_drift(batch))
        return widen(batch, err);
    flow__warn_of_remarks(flow);
    batch->counters = ARENA_ARRAY(batch->arena, DuckCounter, query->expectation_count + 1);
    for (int i = 0; i < query->expectation_count; i++)
        batch->counters[i] = duck_session_counter(session, i);
    SILT_TRY(balance(batch, err));
    warn_of_parts(batch);
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
