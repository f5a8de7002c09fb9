/* flow/flow.c - what all kinds of flows share: session, target, analysis anew */
#include "flow/internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void flow_query_free(FlowQuery *query)
{
    if (!query)
        return;
    for (int i = 0; i < query->input_count; i++) {
        if (query->owns_sources)
            source_free(query->inputs[i]->source);
        delta_table_free(query->inputs[i]->table);
    }
    if (query->owns_sources && query->free_host)
        query->free_host(query->host);
    arena_free(query->arena);
}

Flow *flow_new(const FlowEnv *env, const FlowOptions *options, FlowQuery *query)
{
    Flow *flow = silt_alloc(sizeof *flow);

    flow->env = *env;
    flow->options = *options;
    flow->query = query;
    flow->arena = arena_new();
    flow->view_version = -1;
    io_uuid(env->io, flow->run_id);
    return flow;
}

/* A clean stop, or the end of a run: what others go on from is complete. */
static void finish_sources(const Flow *flow)
{
    for (int i = 0; flow->opened && flow->query && i < flow->query->input_count; i++) {
        const PlanInput *input = flow->query->inputs[i];
        SiltErr err;
        if (input->streaming && input->kind == PLAN_INPUT_SOURCE && input->source && source_finish(input->source, &err) < 0)
            flow__warn(flow, "the checkpoint \"%s\" is sealed, but not ready for Spark: %s", flow->options.checkpoint_root, err.message);
    }
    if (flow->opened && flow->query)
        flow__warn_of_remarks(flow);
}

void flow_free(Flow *flow)
{
    if (!flow)
        return;
    finish_sources(flow);
    delta_table_free(flow->target);
    sink_free(flow->sink);
    checkpoint_free(flow->checkpoint);
    flow_query_free(flow->query);
    duck_session_close(flow->session);
    arena_free(flow->arena);
    free(flow);
}

const FlowQuery *flow_query(const Flow *flow)
{
    return flow->query;
}

const char *flow__table_word(const Flow *flow)
{
    return strrchr(flow->query->want->name, '.') + 1;
}

bool flow__stopping(const Flow *flow)
{
    return flow->env.stop && atomic_load(flow->env.stop);
}

static bool is_stopping(void *self)
{
    return flow__stopping(self);
}

SourceWake flow__source_wake(const Flow *flow)
{
    return (SourceWake){flow->env.news, flow->env.self, flow->env.news_within_ms};
}

SourceStop flow__source_stop(Flow *flow)
{
    return (SourceStop){is_stopping, flow};
}

void flow__place(SiltErr *err, SiltPos pos)
{
    if (!err->line)
        silt_place(err, pos);
}

void flow__warn(const Flow *flow, const char *fmt, ...)
{
    char message[1024];
    va_list args;

    if (!flow->env.warn)
        return;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    flow->env.warn(flow->env.self, message);
}

void flow__warn_of_remarks(const Flow *flow)
{
    for (int i = 0; i < flow->query->input_count; i++) {
        PlanInput *input = flow->query->inputs[i];
        const char *remark;
        while (input->kind == PLAN_INPUT_SOURCE && input->source && (remark = source_take_remark(input->source)))
            flow__warn(flow, "%s", remark);
    }
}

static void delta_warning(void *self, const char *message)
{
    flow__warn(self, "%s", message);
}

int flow__commit(DeltaTxn *txn, int64_t *version, SiltErr *err)
{
    int r = delta_txn_commit(txn, version, err);

    if (r != DELTA_CONFLICT)
        return r;
    err->kind = SILT_TRANSIENT;
    return -1;
}

DeltaEnv flow__delta_env(const Flow *flow)
{
    return (DeltaEnv){.io = flow->env.io, .engine = flow->env.engine, .session = NULL, .warn = delta_warning, .warn_self = (void *)flow};
}

const char *flow__compression(const Flow *flow)
{
    const char *codec = conf_get(flow->options.conf, "spark.sql.parquet.compression.codec");
    return codec && !strcasecmp(codec, "zstd") ? "zstd" : "snappy";
}

bool flow__setting_is(const Flow *flow, const char *key, const char *value, const char *fallback)
{
    const char *given = conf_get(flow->options.conf, key);
    return !strcasecmp(given ? given : fallback, value);
}

int flow__session(Flow *flow, DuckSession **out, SiltErr *err)
{
    if (!flow->session)
        SILT_TRY(duck_session_open(flow->env.engine, &flow->session, err));
    *out = flow->session;
    return 0;
}

int flow__open_target(Flow *flow, SiltErr *err)
{
    const TargetWant *want = flow->query->want;

    if (want->sink)
        return flow->sink ? 0 : sink_open(&want->sinks, want->sink, &flow->sink, err);
    if (!flow->target) {
        DeltaEnv env = flow__delta_env(flow);
        flow->target = delta_table_new(&env, want->path);
    }
    int r = delta_table_refresh(flow->target, err);
    return r < 0 ? r : 0;
}

int flow__streaming_count(const Flow *flow)
{
    int count = 0;

    for (int i = 0; i < flow->query->input_count; i++)
        count += flow->query->inputs[i]->streaming;
    return count;
}

int flow__analyze(Flow *flow, SiltErr *err)
{
    Arena *arena = arena_new();
    SqlErrors errors = {.arena = arena};
    FlowQuery *fresh = NULL;
    int r = flow->options.analyze(flow->options.analyze_self, flow->query, &fresh, &errors);

    if (r < 0 && errors.count)
        *err = errors.items[0];
    else if (r < 0)
        silt_fail(err, SILT_CONFIG, "could not analyze flow \"%s\" again", flow->options.name);
    if (r == 0) {
        flow->query->owns_sources = false;
        flow_query_free(flow->query);
        flow->query = fresh;
    }
    arena_free(arena);
    return r;
}

int flow__analyze_again(Flow *flow, SiltErr *err)
{
    SILT_TRY(flow__analyze(flow, err));
    return flow->sink ? 0 : flow__prepare_target(flow, err);
}

int flow_run(Flow *flow, SiltErr *err)
{
    bool more;

    if (flow->options.kind == FLOW_VIEW)
        return flow__view_run(flow, err);
    return flow__stream_run(flow, 0, true, &more, err);
}

int flow_step(Flow *flow, int batches_max, bool *more, SiltErr *err)
{
    *more = false;
    if (flow->options.kind == FLOW_VIEW)
        return flow__view_run(flow, err);
    return flow__stream_run(flow, batches_max, false, more, err);
}

int64_t flow_news(Flow *flow)
{
    int64_t all = 0;

    for (int i = 0; i < flow->query->input_count; i++) {
        const PlanInput *input = flow->query->inputs[i];
        if (input->kind != PLAN_INPUT_SOURCE || !input->streaming || !source_is_polled(input->source))
            continue;
        int64_t news = source_news(input->source);
        if (news < 0)
            return news;
        all = news > INT64_MAX - all ? INT64_MAX : all + news;
    }
    return all;
}

bool flow_is_polled(const Flow *flow)
{
    for (int i = 0; i < flow->query->input_count; i++) {
        const PlanInput *input = flow->query->inputs[i];
        if (input->kind == PLAN_INPUT_SOURCE && input->streaming && source_is_polled(input->source))
            return true;
    }
    return false;
}

const char *const *flow_watch_directories(Flow *flow, Arena *arena)
{
    const char **out = NULL;
    int count = 0, capacity = 0;

    for (int i = 0; i < flow->query->input_count; i++) {
        PlanInput *input = flow->query->inputs[i];
        if (input->kind == PLAN_INPUT_DELTA) {
            const char *log = arena_printf(arena, "%s/_delta_log", input->path);
            ARENA_PUSH(arena, out, count, capacity, log);
        } else if (input->streaming) {
            for (const char *const *at = source_watch_directories(input->source, arena); at && *at; at++)
                ARENA_PUSH(arena, out, count, capacity, *at);
        }
    }
    ARENA_PUSH(arena, out, count, capacity, NULL);
    return out;
}
