/*
 * flow/progress.c - what a sealed batch tells: its numbers, and Structured Streaming's record of it
 */
#include "flow/internal.h"
#include "base/json.h"
#include "base/uri.h"
#include <stdio.h>
#include <time.h>

/* ---- numbers ---- */

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

/* ---- the record ---- */

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

static void put_sources(Batch *batch, JsonWriter *w, int64_t us)
{
    json_key(w, "sources");
    json_array(w);
    for (int i = 0; i < batch->input_count; i++) {
        const BatchInput *in = &batch->inputs[i];
        json_object(w);
        json_member(w, "description", flow__describe(batch, in));
        if (in->input->streaming) {
            flow__put_offset(w, "startOffset", in->start);
            flow__put_offset(w, "endOffset", in->end);
            flow__put_offset(w, "latestOffset", in->end);
        }
        json_member_int(w, "numInputRows", in->rows + in->undecodable + in->dropped);
        put_rate(w, "inputRowsPerSecond", in->rows, us);
        put_rate(w, "processedRowsPerSecond", in->rows, us);
        if (in->input->kind == PLAN_INPUT_SOURCE)
            put_metrics(batch, w, in);
        json_object_end(w);
    }
    json_array_end(w);
}

static void put_sink(Batch *batch, JsonWriter *w)
{
    const TargetWant *want = batch->flow->query->want;

    json_key(w, "sink");
    json_object(w);
    json_member(w, "description", want->sink ? arena_printf(batch->arena, "Sink[%s]", want->sink->kind)
                                             : arena_printf(batch->arena, "DeltaSink[%s]", uri_from_path(batch->arena, want->path)));
    json_member_int(w, "numOutputRows", batch->rows_written);
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
    put_sources(batch, &w, us);
    put_sink(batch, &w);
    put_observed(&w, batch);
    json_object_end(&w);
    return str_buf_text(out);
}

/* The partitions of topics among what was read. */
static const SourcePart *const *topics_read(const Batch *batch, int *count)
{
    const SourcePart **out = NULL;
    int capacity = 0;

    *count = 0;
    for (int i = 0; i < batch->input_count; i++) {
        int part_count = 0;
        const SourcePart *parts = batch->inputs[i].source ? source_batch_parts(batch->inputs[i].source, &part_count) : NULL;
        for (int j = 0; j < part_count && parts[j].topic; j++) {
            const SourcePart *part = &parts[j];
            ARENA_PUSH(batch->arena, out, *count, capacity, part);
        }
    }
    return out;
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
        .duration_us = batch->committed_us - batch->started_us,
        .commit_us = batch->committed_us - batch->read_us,
        .json = progress_json(batch, &json),
    };
    progress.topics = topics_read(batch, &progress.topic_count);
    for (int i = 0; i < batch->file_count; i++)
        progress.output_bytes += batch->files[i].size_bytes;
    flow->env.progress(flow->env.self, &progress);
}
