/* flow/ranges.c - readSources of a commit: written by a batch, read by recover and audit. The format is in ranges.h */
#include "flow/ranges.h"
#include "base/json.h"
#include "base/uri.h"
#include "flow/internal.h"
#include <string.h>

enum { FILES_INLINE_MAX = 100 };

/* ---- writing ---- */

const char *flow__describe(Batch *batch, const BatchInput *in)
{
    if (in->input->kind == PLAN_INPUT_SOURCE)
        return source_description(in->input->source);
    return arena_printf(batch->arena, "DeltaSource[%s]", uri_from_path(batch->arena, in->input->path));
}

void flow__put_offset(JsonWriter *w, const char *key, const char *offset)
{
    json_key(w, key);
    if (offset)
        json_raw(w, str_of(offset));
    else
        json_null(w);
}

static void put_parts(JsonWriter *w, const SourcePart *parts, int count)
{
    bool gone = false;

    json_key(w, "files");
    json_array(w);
    for (int i = 0; i < count; i++) {
        json_text(w, parts[i].name);
        gone |= parts[i].missing;
    }
    json_array_end(w);
    json_key(w, "modified");
    json_array(w);
    for (int i = 0; i < count; i++)
        json_integer(w, parts[i].planned_ms);
    json_array_end(w);
    if (!gone)
        return;
    json_key(w, "gone"); /* by index */
    json_array(w);
    for (int i = 0; i < count; i++)
        if (parts[i].missing)
            json_integer(w, i);
    json_array_end(w);
}

static const char *manifest_of(const Batch *batch)
{
    if (batch->manifest)
        return batch->manifest;
    return arena_printf(batch->arena, "_silt_sources/%s/%lld.json", checkpoint_id(batch->flow->checkpoint), (long long)batch->id);
}

static void put_source(Batch *batch, const BatchInput *in, JsonWriter *w, bool all_files)
{
    int count = 0;
    const SourcePart *parts = in->source && source_names_parts(in->input->source) ? source_batch_parts(in->source, &count) : NULL;

    json_object(w);
    json_member(w, "source", flow__describe(batch, in));
    if (in->input->streaming) {
        const char *start = in->start || in->input->kind != PLAN_INPUT_SOURCE ? in->start : source_began(in->input->source, batch->arena);
        flow__put_offset(w, "startOffset", start);
        flow__put_offset(w, "endOffset", in->end);
    }
    if (in->input->kind == PLAN_INPUT_DELTA && !in->input->streaming) {
        json_member(w, "tableId", in->table_id);
        json_member_int(w, "version", in->version);
    }
    if (parts) {
        json_member_int(w, "numFiles", count);
        if (all_files || count <= FILES_INLINE_MAX)
            put_parts(w, parts, count);
        else
            json_member(w, "manifest", manifest_of(batch));
    }
    json_object_end(w);
}

static void put_batch(Batch *batch, StrBuf *out, bool all_files)
{
    JsonWriter w = {.out = out};

    json_object(&w);
    json_member(&w, "flow", batch->flow->options.name);
    json_member(&w, "query", batch->flow->query->fingerprint);
    json_member_int(&w, "batchTimestampMs", batch->timestamp_ms);
    json_member_int(&w, "batchWatermarkMs", batch->watermark_ms);
    if (batch->limit_left >= 0)
        json_member_int(&w, "limitPassed", batch->flow->query->limit - batch->limit_left + batch->rows_limited);
    json_key(&w, "sources");
    json_array(&w);
    for (int i = 0; i < batch->input_count; i++)
        put_source(batch, &batch->inputs[i], &w, all_files);
    json_array_end(&w);
    json_object_end(&w);
}

void flow__batch_ranges(Batch *batch, StrBuf *out)
{
    put_batch(batch, out, false);
}

int flow__batch_manifest(Batch *batch, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    bool large = false;

    for (int i = 0; i < batch->input_count; i++) {
        int count = 0;
        if (batch->inputs[i].source)
            source_batch_parts(batch->inputs[i].source, &count);
        large |= count > FILES_INLINE_MAX;
    }
    if (!large)
        return 0;
    put_batch(batch, &text, true);
    return io_put(batch->flow->env.io, arena_printf(batch->arena, "%s/%s", batch->flow->query->want->path, manifest_of(batch)), str_buf_view(&text),
                  err);
}

/* ---- reading ---- */

static const char *offset_of(Arena *arena, const Json *json)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    if (json_is_null(json))
        return NULL;
    json_put(&text, json);
    return arena_strdup(arena, str_buf_text(&text));
}

static int read_parts(Arena *arena, const Json *json, RangeSource *out, SiltErr *err)
{
    const Json *files = json_get(json, "files"), *modified = json_get(json, "modified"), *gone = json_get(json, "gone");

    if (json_kind(files) != JSON_ARRAY)
        return 0;
    out->has_parts = true;
    out->part_count = json_size(files);
    if (json_size(modified) != out->part_count)
        return silt_fail(err, SILT_CORRUPT, "it names %d files and %d times", out->part_count, json_size(modified));
    out->parts = ARENA_ARRAY(arena, SourcePart, out->part_count + 1);
    for (int i = 0; i < out->part_count; i++) {
        int64_t time = json_int(json_at(modified, i), 0);
        out->parts[i] = (SourcePart){.name = json_cstr(json_at(files, i), ""), .size_bytes = -1, .modified_ms = time, .planned_ms = time};
    }
    for (int i = 0; i < json_size(gone); i++) {
        int64_t at = json_int(json_at(gone, i), -1);
        if (at < 0 || at >= out->part_count)
            return silt_fail(err, SILT_CORRUPT, "it marks file %lld of %d", (long long)at, out->part_count);
        out->parts[at].missing = true;
    }
    return 0;
}

/* *manifest: where the files are named, NULL: here. */
static int read_text(Arena *arena, const Json *json, Ranges *out, const char **manifest, SiltErr *err)
{
    const Json *sources = json_get(json, "sources"), *list = sources ? sources : json_get(json, "inputs");

    *manifest = NULL;
    out->flow = json_cstr(json_get(json, "flow"), NULL);
    if (!out->flow || json_kind(list) != JSON_ARRAY)
        return RANGES_NONE;
    out->query = json_cstr(json_get(json, "query"), "");
    out->timestamp_ms = json_int(json_get(json, "batchTimestampMs"), 0);
    out->watermark_ms = json_int(json_get(json, "batchWatermarkMs"), 0);
    out->limit_passed = json_int(json_get(json, "limitPassed"), -1);
    out->source_count = json_size(list);
    out->sources = ARENA_ARRAY(arena, RangeSource, out->source_count + 1);
    for (int i = 0; i < out->source_count; i++) {
        const Json *item = json_at(list, i);
        RangeSource *source = &out->sources[i];
        *source = (RangeSource){
            .description = json_cstr(json_get(item, sources ? "source" : json_get(item, "table") ? "table" : "source"), ""),
            .streaming = json_get(item, "endOffset") != NULL,
            .start = offset_of(arena, json_get(item, "startOffset")),
            .end = offset_of(arena, json_get(item, "endOffset")),
            .table_id = json_cstr(json_get(item, "tableId"), NULL),
            .version = json_int(json_get(item, "version"), -1),
            .fingerprint = json_cstr(json_get(item, "fingerprint"), NULL),
        };
        if (json_get(item, "manifest"))
            *manifest = json_cstr(json_get(item, "manifest"), "");
        SILT_TRY(read_parts(arena, item, source, err));
    }
    return 0;
}

static int read_manifest(Io *io, const DeltaTable *table, const char *name, Arena *arena, Ranges *out, SiltErr *err)
{
    const char *path = arena_printf(arena, "%s/%s", delta_table_path(table), name), *manifest;
    const Json *json;
    Str text;
    int r = io_read(io, path, arena, &text, err);

    if (r == IO_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "\"%s\", which names the files of the batch, is gone", path);
    SILT_TRY(r);
    if (json_parse(arena, text, &json, err) < 0)
        return silt_context(err, "could not read \"%s\": ", path);
    r = read_text(arena, json, out, &manifest, err);
    if (r == RANGES_NONE || (r == 0 && manifest))
        r = silt_fail(err, SILT_CORRUPT, "it is no list of files");
    return r < 0 ? silt_context(err, "could not read \"%s\": ", path) : 0;
}

int ranges_read(Io *io, DeltaTable *table, int64_t version, Arena *arena, Ranges *out, SiltErr *err)
{
    const DeltaCommit *commit;
    const Json *info;
    const char *manifest;
    int r = delta_commit_read(table, version, arena, &commit, err);

    *out = (Ranges){.version = version, .limit_passed = -1};
    if (r)
        return r == DELTA_ABSENT ? RANGES_ABSENT : r;
    if (!commit->commit_info || json_parse(arena, str_of(commit->commit_info), &info, err) < 0)
        return RANGES_NONE;
    r = read_text(arena, json_get(info, "readSources"), out, &manifest, err);
    if (r == 0 && manifest)
        r = read_manifest(io, table, manifest, arena, out, err);
    if (r < 0)
        return silt_context(err, "version %lld of \"%s\": ", (long long)version, delta_table_path(table));
    return r;
}

/* ---- history ---- */

/* The same few texts come again and again. */
static const char *intern(Arena *arena, const History *history, const char *text, const char *(*of)(const HistoryEntry *))
{
    for (int i = history->count - 1; text && i >= 0 && i >= history->count - 8; i--)
        if (of(&history->entries[i]) && !strcmp(of(&history->entries[i]), text))
            return of(&history->entries[i]);
    return arena_strdup(arena, text);
}

static const char *flow_of(const HistoryEntry *entry)
{
    return entry->flow;
}

static const char *app_of(const HistoryEntry *entry)
{
    return entry->app_id;
}

static const char *operation_of(const HistoryEntry *entry)
{
    return entry->operation;
}

static const char *engine_of(const HistoryEntry *entry)
{
    return entry->engine;
}

static bool changes_rows(const DeltaCommit *commit)
{
    for (int i = 0; i < commit->add_count; i++)
        if (commit->adds[i].data_change)
            return true;
    for (int i = 0; i < commit->remove_count; i++)
        if (commit->removes[i].data_change)
            return true;
    return false;
}

static void note(History *history, Arena *arena, const DeltaCommit *commit)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    const Json *info = NULL, *ranges;
    SiltErr ignored;
    HistoryEntry entry = {.kind = HISTORY_OTHER, .version = commit->version, .batch = -1};

    if (commit->commit_info && json_parse(scratch, str_of(commit->commit_info), &info, &ignored) < 0)
        info = NULL;
    ranges = json_get(info, "readSources");
    const char *operation = commit->operation ? commit->operation : "", *flow = json_cstr(json_get(ranges, "flow"), NULL);
    if (commit->txn_count && json_get(ranges, "inputs"))
        entry.kind = HISTORY_CONTENT;
    else if (commit->txn_count && !strcmp(operation, "STREAMING UPDATE"))
        entry.kind = HISTORY_BATCH;
    else if (commit->txn_count && !strcmp(operation, "TRUNCATE"))
        entry.kind = HISTORY_EMPTIED;
    else if (!changes_rows(commit))
        return;
    if (entry.kind == HISTORY_BATCH || entry.kind == HISTORY_CONTENT) {
        entry.flow = intern(arena, history, flow, flow_of);
        entry.app_id = intern(arena, history, commit->txns[0].app_id, app_of);
        entry.batch = commit->txns[0].version;
    }
    entry.operation = intern(arena, history, commit->operation, operation_of);
    entry.engine = intern(arena, history, json_cstr(json_get(info, "engineInfo"), NULL), engine_of);
    ARENA_PUSH(arena, history->entries, history->count, history->capacity, entry);
    history->complete = entry.kind == HISTORY_EMPTIED || entry.kind == HISTORY_CONTENT;
}

int history_read(DeltaTable *table, Arena *arena, History *out, SiltErr *err)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    Arena *scratch = arena_new();
    int r = 0;

    *out = (History){.oldest = snapshot->version + 1};
    for (int64_t version = snapshot->version; version >= 0 && !out->complete; version--) {
        const DeltaCommit *commit;
        arena_reset(scratch);
        r = delta_commit_read(table, version, scratch, &commit, err);
        if (r)
            break; /* DELTA_ABSENT: the log was cleaned up to here */
        note(out, arena, commit);
        out->oldest = version;
    }
    out->complete |= out->oldest == 0;
    arena_free(scratch);
    return r < 0 ? r : 0;
}

const HistoryEntry *history_newest(const History *history, const char *flow)
{
    for (int i = 0; i < history->count; i++)
        if (history->entries[i].kind == HISTORY_BATCH && history->entries[i].flow && !strcmp(history->entries[i].flow, flow))
            return &history->entries[i];
    return NULL;
}
