/*
 * flow/view.c - a materialized view: its whole content anew, as one commit, or nothing
 *
 * Each content bears in commitInfo.readSources what it was computed from: fingerprint of the query, versions of its tables,
 * fingerprints of its files. If the newest content of the table was made from the same, there is nothing to do. The txn
 * "silt-view" numbers the contents, and tells a view's table from a streaming table's.
 */
#include "flow/internal.h"
#include "base/json.h"
#include "duck/zone.h"
#include <stdio.h>
#include <string.h>

static const char app_id[] = "silt-view";
enum { COMMITS_LOOKED_AT = 50 };

/* ---- what a content was computed from ---- */

static void put_head(JsonWriter *w, const Flow *flow, PlanTraits traits, int64_t now_ms, bool timed)
{
    json_object(w);
    json_member(w, "flow", flow->options.name);
    json_member(w, "query", flow->query->fingerprint);
    if (traits.date) {
        const Zone *zone = zone_find(str_of(conf_sql_settings(flow->options.conf).time_zone));
        int64_t seconds = now_ms / 1000;
        json_member_int(w, "day", (seconds + (zone ? zone_offset_seconds(zone, seconds * 1000000) : 0)) / 86400);
    }
    if (timed)
        json_member_int(w, "batchTimestampMs", now_ms);
    json_key(w, "inputs");
    json_array(w);
}

static void put_table(JsonWriter *w, const char *path, const char *id, int64_t version)
{
    json_object(w);
    json_member(w, "table", path);
    json_member(w, "tableId", id);
    json_member_int(w, "version", version);
    json_object_end(w);
}

static void put_files(JsonWriter *w, const char *name, const char *fingerprint)
{
    json_object(w);
    json_member(w, "source", name);
    json_member(w, "fingerprint", fingerprint);
    json_object_end(w);
}

static void put_tail(JsonWriter *w)
{
    json_array_end(w);
    json_object_end(w);
}

/* The same without the time of the batch, which says when a content was computed, not from what. */
static void put_without_time(StrBuf *out, const Json *ranges)
{
    JsonWriter w = {.out = out};

    json_object(&w);
    for (int i = 0; i < json_size(ranges); i++) {
        if (str_is(json_member_key(ranges, i), "batchTimestampMs"))
            continue;
        json_key_str(&w, json_member_key(ranges, i));
        json_value(&w, json_member_value(ranges, i));
    }
    json_object_end(&w);
}

/* As the inputs are now, without reading any row. */
static int identify(Flow *flow, PlanTraits traits, int64_t now_ms, StrBuf *out, SiltErr *err)
{
    JsonWriter w = {.out = out};

    put_head(&w, flow, traits, now_ms, false);
    for (int i = 0; i < flow->query->input_count; i++) {
        PlanInput *input = flow->query->inputs[i];
        if (input->kind == PLAN_INPUT_SOURCE) {
            silt_auto(source_batch_closep) SourceBatch *batch = NULL;
            SourceReadOptions options = {0};
            SILT_TRY(source_open_snapshot(input->source, &options, &batch, err));
            put_files(&w, source_name(input->source), source_batch_fingerprint(batch));
            continue;
        }
        if (!input->table) {
            DeltaEnv env = flow__delta_env(flow);
            input->table = delta_table_new(&env, input->path);
        }
        int r = delta_table_refresh(input->table, err);
        if (r < 0)
            return r;
        const DeltaSnapshot *snapshot = r == 0 ? delta_table_snapshot(input->table) : NULL;
        bool newest = input->version < 0 && input->timestamp_us == INT64_MIN;
        /* a version that is named stays what it is; a time may come to mean a later version, once */
        int64_t version = input->version;
        if (newest) {
            version = snapshot ? snapshot->version : -1;
        } else if (input->version < 0 && snapshot) {
            silt_auto(delta_snapshot_unrefp) const DeltaSnapshot *at = NULL;
            r = delta_table_at_time(input->table, input->timestamp_us, &at, err);
            if (r < 0)
                return r;
            version = at ? at->version : -1;
        }
        put_table(&w, input->path, snapshot ? snapshot->metadata->id : "", version);
    }
    put_tail(&w);
    return 0;
}

/* As the batch has read them. */
static void identify_batch(Batch *batch, PlanTraits traits, StrBuf *out)
{
    JsonWriter w = {.out = out};

    put_head(&w, batch->flow, traits, batch->timestamp_ms, true);
    for (int i = 0; i < batch->input_count; i++) {
        const BatchInput *in = &batch->inputs[i];
        if (in->input->kind == PLAN_INPUT_SOURCE)
            put_files(&w, source_name(in->input->source), in->source ? source_batch_fingerprint(in->source) : "");
        else
            put_table(&w, in->input->path, in->table_id ? in->table_id : "", in->version);
    }
    put_tail(&w);
}

/* The newest commit that put a content here, and nothing that changed rows since. */
static int last_content(Flow *flow, StrBuf *sources, SiltErr *err)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(flow->target);
    int64_t oldest = snapshot->version - COMMITS_LOOKED_AT;

    for (int64_t version = snapshot->version; version >= 0 && version > oldest; version--) {
        Arena *arena = arena_new();
        const DeltaCommit *commit;
        const Json *info;
        int r = delta_commit_read(flow->target, version, arena, &commit, err);
        bool stop = r != 0, changed = false;
        if (r == 0) {
            for (int i = 0; i < commit->txn_count && !stop; i++)
                stop = !strcmp(commit->txns[i].app_id, app_id);
            for (int i = 0; i < commit->add_count && !changed; i++)
                changed = commit->adds[i].data_change;
            for (int i = 0; i < commit->remove_count && !changed; i++)
                changed = commit->removes[i].data_change;
            if (stop && commit->commit_info && json_parse(arena, str_of(commit->commit_info), &info, err) == 0)
                put_without_time(sources, json_get(info, "readSources"));
        }
        arena_free(arena);
        if (stop || changed)
            return r < 0 ? r : 0;
    }
    return 0;
}

/* ---- the new content ---- */

static int commit_content(Batch *batch, PlanTraits traits, SiltErr *err)
{
    Flow *flow = batch->flow;
    silt_auto(delta_txn_freep) DeltaTxn *txn = NULL;
    silt_auto(str_buf_fini) StrBuf sources = {0};
    int64_t version;

    int r = delta_table_refresh(flow->target, err);
    if (r == DELTA_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "table \"%s\" has vanished", flow->query->want->name);
    SILT_TRY(r);
    SILT_TRY(delta_txn_begin(flow->target, &txn, err));
    TargetWant want = *flow->query->want;
    want.schema = batch->mapped_schema;
    SILT_TRY(target_reshape(txn, batch->arena, &want, delta_table_snapshot(flow->target)->metadata, err));
    SILT_TRY(delta_txn_remove_all(txn, err));
    SILT_TRY(delta_txn_add_files(txn, batch->files, batch->file_count, flow__compression(flow), err));
    delta_txn_set_txn(txn, app_id, batch->id);
    delta_txn_operation(txn, "WRITE");
    delta_txn_parameter(txn, "mode", "Overwrite");
    flow__batch_metrics(batch, txn);
    identify_batch(batch, traits, &sources);
    delta_txn_read_sources(txn, str_buf_view(&sources));
    return flow__commit(txn, &version, err);
}

static int compute(Flow *flow, PlanTraits traits, Batch *batch, SiltErr *err)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(flow->target);

    batch->flow = flow;
    batch->limit_left = -1;
    batch->id = delta_snapshot_txn(snapshot, app_id) + 1;
    batch->timestamp_ms = io_now_us(flow->env.io) / 1000;
    batch->started_us = batch->planned_us = batch->logged_us = io_monotonic_us(flow->env.io);
    SILT_TRY(flow__run_whole(batch, flow__analyze_again, err));
    SILT_TRY(flow__side_tables_commit(batch, app_id, true, err));
    SILT_TRY(commit_content(batch, traits, err));
    batch->committed_us = io_monotonic_us(flow->env.io);
    flow__batch_report(batch);
    return 0;
}

/* The table may have been something else before: its rows are then not ours to replace. */
static int check_kind(Flow *flow, SiltErr *err)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(flow->target);

    if (!snapshot || !snapshot->txn_count || delta_snapshot_txn(snapshot, app_id) >= 0 || flow->options.force)
        return 0;
    silt_fail_at(err, SILT_CONFIG, flow->query->want->pos, "table \"%s\" was a streaming table and is now defined as a materialized view",
                 flow->query->want->name);
    return silt_hint(err, "Give the view another name. Or replace the table's rows by the view's: silt run --full-refresh %s.",
                     flow__table_word(flow));
}

int flow_view_due(Flow *flow, bool *due, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf now = {0}, then = {0};
    PlanTraits traits = plan_traits(flow->query->query);

    *due = true;
    SILT_TRY(flow__open_target(flow, err));
    if (flow->options.force || traits.clock || traits.random || !delta_table_snapshot(flow->target))
        return 0;
    SILT_TRY(identify(flow, traits, io_now_us(flow->env.io) / 1000, &now, err));
    SILT_TRY(last_content(flow, &then, err));
    *due = !str_equal(str_buf_view(&now), str_buf_view(&then));
    return 0;
}

int flow__view_run(Flow *flow, SiltErr *err)
{
    bool due;
    PlanTraits traits = plan_traits(flow->query->query);

    if (flow__stopping(flow))
        return silt_fail(err, SILT_CANCELLED, "stopped");
    SILT_TRY(flow__open_target(flow, err));
    SILT_TRY(check_kind(flow, err));
    SILT_TRY(flow__prepare_target(flow, err));
    if (flow->options.again)
        SILT_TRY(target_sync(flow->env.io, flow->target, err));
    SILT_TRY(flow_view_due(flow, &due, err));
    if (!due)
        return 0;
    Batch batch = {.arena = arena_new()};
    int r = compute(flow, traits, &batch, err);
    flow__batch_close(&batch);
    arena_free(batch.arena);
    if (r == 0)
        flow->options.force = false; /* once */
    return r < 0 ? silt_context(err, "flow \"%s\": ", flow->options.name) : 0;
}
