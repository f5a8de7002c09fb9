/*
 * flow/audit.c - a batch computed once more, from what its commit says it has read (flow/ranges.h)
 *
 * The same code runs as for the batch itself (flow/batch.c); only the inputs are opened by name instead of by offset, so that no checkpoint is
 * needed, and the rows go into a shadow table that the caller compares and throws away.
 */
#include "flow/internal.h"
#include <string.h>

enum { GONE_SHOWN = 5 };

int flow_repeatable(const Flow *flow, SiltErr *err)
{
    const Query *query = flow->query->query;

    if (plan_traits(query).random)
        return silt_fail_at(err, SILT_CONFIG, query->pos, "flow \"%s\" uses a function that gives another value at each call", flow->options.name);
    if (flow->query->limit >= 0)
        return silt_fail_at(err, SILT_CONFIG, query->pos, "flow \"%s\" has a LIMIT: which rows came first cannot be told any more", flow->options.name);
    return 0;
}

const char *flow_fingerprint(const Flow *flow)
{
    return flow->query->fingerprint;
}

/* ---- inputs as they were read ---- */

static int refuse_gone(const BatchInput *in, const SourcePart *parts, int count, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf names = {0};
    int gone = 0;

    for (int i = 0; i < count; i++)
        if (parts[i].missing && gone++ < GONE_SHOWN)
            str_buf_printf(&names, "%s%s", gone > 1 ? ", " : "", parts[i].name);
    if (!gone)
        return 0;
    if (gone > GONE_SHOWN)
        str_buf_printf(&names, " and %d more", gone - GONE_SHOWN);
    silt_fail_at(err, SILT_CONFIG, in->input->pos, "files that were read are gone: %s", str_buf_text(&names));
    return silt_hint(err, "Put them back to compute their rows again.");
}

int flow__open_as_read(Batch *batch, BatchInput *in, const SourceReadOptions *options, SiltErr *err)
{
    const RangeSource *from = in->from;
    SourcePart *parts = ARENA_ARRAY(batch->arena, SourcePart, from->part_count + 1);
    int count = 0;

    if (from->fingerprint) { /* a view's: its files are not named, but it can be told whether they are the same */
        SILT_TRY(source_open_snapshot(in->input->source, options, &in->source, err));
        if (!strcmp(source_batch_fingerprint(in->source), from->fingerprint))
            return 0;
        silt_fail_at(err, SILT_CONFIG, in->input->pos, "the files of %s have changed since the view was computed", source_name(in->input->source));
        return silt_hint(err, "Bring the view up to date first: silt run.");
    }
    if (from->streaming && from->end && !source_names_parts(in->input->source))
        return source_open_batch(in->input->source, from->start, from->end, options, &in->source, err);
    if (!from->has_parts)
        return silt_fail_at(err, SILT_CONFIG, in->input->pos, "the commit does not name the files of %s", source_name(in->input->source));
    for (int i = 0; i < from->part_count; i++)
        if (!from->parts[i].missing) /* else it was read as empty then, and is now */
            parts[count++] = from->parts[i];
    int r = source_open_parts(in->input->source, parts, count, options, &in->source, err);
    if (r == SOURCE_NONE)
        return silt_fail_at(err, SILT_CONFIG, in->input->pos, "%s cannot be read a second time", source_name(in->input->source));
    SILT_TRY(r);
    const SourcePart *opened = source_batch_parts(in->source, &count);
    return refuse_gone(in, opened, count, err);
}

static int make_inputs(Batch *batch, const Ranges *ranges, SiltErr *err)
{
    const FlowQuery *query = batch->flow->query;

    if (ranges->source_count != query->input_count)
        return silt_fail_at(err, SILT_CONFIG, query->query->pos, "the batch read [%d] inputs, and the query reads [%d] now", ranges->source_count,
                            query->input_count);
    batch->input_count = query->input_count;
    batch->inputs = ARENA_ARRAY(batch->arena, BatchInput, batch->input_count + 1);
    for (int i = 0; i < batch->input_count; i++) {
        const RangeSource *from = &ranges->sources[i];
        PlanInput *input = query->inputs[i];
        bool table = from->table_id != NULL;
        if (from->streaming != input->streaming || (!input->streaming && table != (input->kind == PLAN_INPUT_DELTA)))
            return silt_fail_at(err, SILT_CONFIG, input->pos, "the batch read %s here, and the query reads %s now", from->description,
                                input->relation.name);
        batch->inputs[i] = (BatchInput){
            .input = input, .start = from->start, .end = from->end, .version = from->version, .counter = -1, .from = from};
    }
    return 0;
}

/* ---- the shadow ---- */

int flow_shadow(Flow *flow, const char *shadow, SiltErr *err)
{
    DeltaEnv env = flow__delta_env(flow);
    TargetWant want = *flow->query->want;

    if (flow->target && strcmp(delta_table_path(flow->target), shadow) != 0) {
        delta_table_free(flow->target);
        flow->target = NULL;
    }
    env.checkpoint_interval = -1;
    if (!flow->target)
        flow->target = delta_table_new(&env, shadow);
    want.path = shadow;
    DeltaProperty properties[TARGET_SHAPE_PROPERTIES];
    want.property_count = target_shape_properties(&want, NULL, properties);
    want.properties = properties;
    want.is_view = false;
    return target_prepare(flow->env.io, flow->target, &want, err);
}

static int commit_shadow(Batch *batch, SiltErr *err)
{
    Flow *flow = batch->flow;
    silt_auto(delta_txn_freep) DeltaTxn *txn = NULL;
    int64_t version;

    if (!batch->file_count)
        return 0;
    SILT_TRY(delta_table_refresh(flow->target, err));
    SILT_TRY(delta_txn_begin(flow->target, &txn, err));
    SILT_TRY(delta_txn_add_files(txn, batch->files, batch->file_count, flow__compression(flow), err));
    delta_txn_operation(txn, "WRITE");
    return delta_txn_commit(txn, &version, err) ? -1 : 0;
}

static void look_for_changes(const Batch *batch, Arena *arena, FlowRecomputed *sum)
{
    for (int i = 0; i < batch->input_count; i++) {
        int count = 0;
        const SourcePart *parts = batch->inputs[i].source ? source_batch_parts(batch->inputs[i].source, &count) : NULL;
        for (int j = 0; j < count; j++) {
            if (parts[j].missing || parts[j].planned_ms == parts[j].modified_ms)
                continue;
            if (!sum->changed_files++)
                sum->changed_file = arena_strdup(arena, parts[j].name);
        }
    }
}

static int recompute(Batch *batch, const char *shadow, const Ranges *ranges, SiltErr *err)
{
    do {
        SILT_TRY(flow_shadow(batch->flow, shadow, err));
        SILT_TRY(make_inputs(batch, ranges, err));
        SILT_TRY(flow__batch_run(batch, err));
        if (batch->drift)
            SILT_TRY(flow__analyze_again(batch->flow, err));
    } while (batch->drift);
    return commit_shadow(batch, err);
}

int flow_recompute(Flow *flow, const char *shadow, int64_t batch, const Ranges *ranges, Arena *arena, FlowRecomputed *sum, SiltErr *err)
{
    Batch once = {
        .flow = flow,
        .arena = arena_new(),
        .id = batch,
        .timestamp_ms = ranges->timestamp_ms,
        .watermark_ms = ranges->watermark_ms,
        .limit_left = -1,
    };
    int r = recompute(&once, shadow, ranges, err);

    if (r == 0) {
        sum->batches++;
        sum->rows += once.rows_written;
        sum->undecodable += flow__batch_reading(&once).undecodable;
        sum->refused += once.rows_refused;
        look_for_changes(&once, arena, sum);
    }
    flow__batch_close(&once);
    arena_free(once.arena);
    return r < 0 ? silt_context(err, "flow \"%s\", batch %lld (version %lld): ", flow->options.name, (long long)batch, (long long)ranges->version) : 0;
}
