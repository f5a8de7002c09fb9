/*
 * pipeline/metrics.c - see metrics.h
 *
 * One table says what there is of a flow, one what there is of a partition of a topic: name, kind, help, field. Counters begin at 0 with the process.
 * statsd has no labels: there a name is <prefix>.<flow>.<metric> and <prefix>.<flow>.<topic>.<partition>.<metric>, and counters are told as what came
 * since the last time.
 */
#include "pipeline/metrics.h"

#include "base/log.h"
#include "io/http.h"
#include "io/net.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 14, DATAGRAM_SIZE = 1400 };
static const double bucket_ends[BUCKETS] = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300}; /* seconds */

typedef struct Histogram {
    int64_t counts[BUCKETS]; /* each alone; beyond the last: in count only */
    int64_t count, sum_us;
} Histogram;

typedef struct PartitionNumbers {
    const char *topic;
    int32_t partition;
    bool has_lag;
    int64_t lag, offset, messages, bytes;
} PartitionNumbers;

typedef struct FlowNumbers {
    int64_t batches, input_rows, rows, bytes, dead_letters, refused, failures, given_up, last_commit_us;
    Histogram batch_time, commit_time;
    PartitionNumbers *partitions;
    int partition_count, partition_capacity;
} FlowNumbers;

struct Metrics {
    MetricsOptions options;
    pthread_mutex_t lock; /* of all numbers */
    Arena *arena;
    FlowNumbers *flows; /* by index */
    HttpServer *server;
    NetSender *sender;
};

/* ---- what there is ---- */

typedef struct Row {
    const char *name, *kind, *help;
    size_t offset; /* int64_t in FlowNumbers or PartitionNumbers */
} Row;

static const Row flow_rows[] = {
    {"silt_flow_batches_total", "counter", "Batches that were sealed.", offsetof(FlowNumbers, batches)},
    {"silt_flow_input_rows_total", "counter", "Rows, records and messages that were read.", offsetof(FlowNumbers, input_rows)},
    {"silt_flow_rows_total", "counter", "Rows that were written to the target.", offsetof(FlowNumbers, rows)},
    {"silt_flow_written_bytes_total", "counter", "Size of the data files that were written.", offsetof(FlowNumbers, bytes)},
    {"silt_flow_dead_letters_total", "counter", "Records that could not be decoded.", offsetof(FlowNumbers, dead_letters)},
    {"silt_flow_refused_rows_total", "counter", "Rows that expectations with DROP ROW refused; with silt.quarantine they are in the quarantine.", offsetof(FlowNumbers, refused)},
    {"silt_flow_failures_total", "counter", "Attempts that failed, those that are tried again too.", offsetof(FlowNumbers, failures)},
    {"silt_flow_failed", "gauge", "1: the flow has failed and is not tried again before the next run.", offsetof(FlowNumbers, given_up)},
};

static const Row partition_rows[] = {
    {"silt_kafka_messages_total", "counter", "Messages in sealed batches.", offsetof(PartitionNumbers, messages)},
    {"silt_kafka_bytes_total", "counter", "Bytes of their keys and values.", offsetof(PartitionNumbers, bytes)},
};

static const Row lag_rows[] = {
    {"silt_kafka_lag", "gauge", "Offsets behind the last message that can be read.", offsetof(PartitionNumbers, lag)},
    {"silt_kafka_offset", "gauge", "Offset of the first message that is not in a sealed batch.", offsetof(PartitionNumbers, offset)},
};

static int64_t number_at(const void *numbers, const Row *row)
{
    return *(const int64_t *)((const char *)numbers + row->offset);
}

/* ---- for Prometheus ---- */

#define EACH_ROW(row, rows) (const Row *row = rows; row < rows + sizeof rows / sizeof rows[0]; row++)

static void put_head(StrBuf *out, const char *name, const char *kind, const char *help)
{
    str_buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind);
}

static void put_label(StrBuf *out, const char *name, const char *value)
{
    str_buf_printf(out, "%s=\"", name);
    for (; *value; value++) {
        if (*value == '\\' || *value == '"')
            str_buf_putc(out, '\\');
        if (*value == '\n')
            str_buf_puts(out, "\\n");
        else
            str_buf_putc(out, *value);
    }
    str_buf_putc(out, '"');
}

static void put_flow_rows(const Metrics *m, StrBuf *out)
{
    for EACH_ROW (row, flow_rows) {
        put_head(out, row->name, row->kind, row->help);
        for (int i = 0; i < m->options.graph->flow_count; i++) {
            str_buf_printf(out, "%s{", row->name);
            put_label(out, "flow", m->options.graph->flows[i]->name);
            str_buf_printf(out, "} %lld\n", (long long)number_at(&m->flows[i], row));
        }
    }
}

static void put_partition_row(const Metrics *m, const Row *row, bool of_lag, StrBuf *out)
{
    bool any = false;

    for (int i = 0; i < m->options.graph->flow_count; i++)
        for (int j = 0; j < m->flows[i].partition_count; j++) {
            const PartitionNumbers *at = &m->flows[i].partitions[j];
            if (of_lag && !at->has_lag)
                continue;
            if (!any)
                put_head(out, row->name, row->kind, row->help);
            any = true;
            str_buf_printf(out, "%s{", row->name);
            put_label(out, "flow", m->options.graph->flows[i]->name);
            str_buf_putc(out, ',');
            put_label(out, "topic", at->topic);
            str_buf_printf(out, ",partition=\"%d\"} %lld\n", at->partition, (long long)number_at(at, row));
        }
}

static void put_last_commit(const Metrics *m, StrBuf *out)
{
    static const char name[] = "silt_flow_last_commit_timestamp_seconds";
    bool any = false;

    for (int i = 0; i < m->options.graph->flow_count; i++) {
        if (!m->flows[i].last_commit_us)
            continue;
        if (!any)
            put_head(out, name, "gauge", "When a batch was sealed last.");
        any = true;
        str_buf_printf(out, "%s{", name);
        put_label(out, "flow", m->options.graph->flows[i]->name);
        str_buf_printf(out, "} %.6f\n", (double)m->flows[i].last_commit_us / 1e6);
    }
}

static void put_histogram(const Metrics *m, const char *name, const char *help, size_t offset, StrBuf *out)
{
    put_head(out, name, "histogram", help);
    for (int i = 0; i < m->options.graph->flow_count; i++) {
        const Histogram *histogram = (const Histogram *)((const char *)&m->flows[i] + offset);
        silt_auto(str_buf_fini) StrBuf flow = {0};
        int64_t below = 0;
        put_label(&flow, "flow", m->options.graph->flows[i]->name);
        for (int j = 0; j < BUCKETS; j++) {
            below += histogram->counts[j];
            str_buf_printf(out, "%s_bucket{%s,le=\"%g\"} %lld\n", name, str_buf_text(&flow), bucket_ends[j], (long long)below);
        }
        str_buf_printf(out, "%s_bucket{%s,le=\"+Inf\"} %lld\n", name, str_buf_text(&flow), (long long)histogram->count);
        str_buf_printf(out, "%s_sum{%s} %.6f\n", name, str_buf_text(&flow), (double)histogram->sum_us / 1e6);
        str_buf_printf(out, "%s_count{%s} %lld\n", name, str_buf_text(&flow), (long long)histogram->count);
    }
}

static void put_all(const Metrics *m, StrBuf *out)
{
    put_flow_rows(m, out);
    put_last_commit(m, out);
    put_histogram(m, "silt_flow_batch_duration_seconds", "Time of a batch from its plan to its seal.", offsetof(FlowNumbers, batch_time), out);
    put_histogram(m, "silt_flow_commit_duration_seconds", "Of that, time from the last row read to the seal.", offsetof(FlowNumbers, commit_time), out);
    for EACH_ROW (row, partition_rows)
        put_partition_row(m, row, false, out);
    for EACH_ROW (row, lag_rows)
        put_partition_row(m, row, true, out);
}

/* Well for as long as each flow is at work, waits, or will be tried again. */
static HttpStatus answer_health(Metrics *m, StrBuf *content)
{
    pthread_mutex_lock(&m->lock);
    for (int i = 0; i < m->options.graph->flow_count; i++)
        if (m->flows[i].given_up)
            str_buf_printf(content, "flow %s has failed and is not tried again before the next run\n", m->options.graph->flows[i]->name);
    pthread_mutex_unlock(&m->lock);
    if (content->size)
        return HTTP_UNAVAILABLE;
    str_buf_puts(content, "ok\n");
    return HTTP_OK;
}

static HttpStatus answer(void *self, Str path, const char **type, StrBuf *content)
{
    Metrics *m = self;

    if (str_is(path, "/healthz"))
        return answer_health(m, content);
    if (!str_is(path, "/metrics"))
        return HTTP_NOT_FOUND;
    *type = "text/plain; version=0.0.4; charset=utf-8";
    pthread_mutex_lock(&m->lock);
    put_all(m, content);
    pthread_mutex_unlock(&m->lock);
    return HTTP_OK;
}

/* ---- for statsd ---- */

/* Lines for one datagram or more. */
typedef struct Telling {
    const Metrics *metrics;
    const GraphFlow *flow;
    StrBuf lines;
} Telling;

static void flush(Telling *telling)
{
    if (telling->lines.size)
        net_send(telling->metrics->sender, str_buf_view(&telling->lines));
    str_buf_clear(&telling->lines);
}

/* What parts a name in statsd, or means something there, becomes '_'. */
static void put_word(StrBuf *out, const char *word)
{
    for (; *word; word++)
        str_buf_putc(out, isalnum((unsigned char)*word) || *word == '-' ? *word : '_');
}

/* kind: c, g, ms. at NULL: about the flow. */
static void tell(Telling *telling, const PartitionNumbers *at, const char *name, int64_t value, const char *kind)
{
    const MetricsOptions *options = &telling->metrics->options;
    silt_auto(str_buf_fini) StrBuf line = {0};

    str_buf_printf(&line, "%s.", options->prefix ? options->prefix : "silt");
    put_word(&line, telling->flow->name);
    if (at) {
        str_buf_putc(&line, '.');
        put_word(&line, at->topic);
        str_buf_printf(&line, ".%d", at->partition);
    }
    str_buf_printf(&line, ".%s:%lld|%s", name, (long long)value, kind);
    if (telling->lines.size && telling->lines.size + 1 + line.size > DATAGRAM_SIZE)
        flush(telling);
    if (telling->lines.size)
        str_buf_putc(&telling->lines, '\n');
    str_buf_str(&telling->lines, str_buf_view(&line));
}

static void tell_batch(Metrics *m, const GraphFlow *flow, const FlowProgress *progress)
{
    Telling telling = {m, flow, {0}};

    tell(&telling, NULL, "batches", 1, "c");
    tell(&telling, NULL, "input_rows", progress->input_rows, "c");
    tell(&telling, NULL, "rows", progress->output_rows, "c");
    tell(&telling, NULL, "written_bytes", progress->output_bytes, "c");
    tell(&telling, NULL, "dead_letters", progress->reading.undecodable, "c");
    tell(&telling, NULL, "refused_rows", progress->refused_rows, "c");
    tell(&telling, NULL, "batch_duration", progress->duration_us / 1000, "ms");
    tell(&telling, NULL, "commit_duration", progress->commit_us / 1000, "ms");
    for (int i = 0; i < progress->topic_count; i++) {
        PartitionNumbers at = {.topic = progress->topics[i]->topic, .partition = progress->topics[i]->partition};
        tell(&telling, &at, "messages", progress->topics[i]->records, "c");
        tell(&telling, &at, "bytes", progress->topics[i]->bytes, "c");
    }
    flush(&telling);
    str_buf_fini(&telling.lines);
}

/* ---- numbers ---- */

static void observe(Histogram *histogram, int64_t us)
{
    int bucket = 0;

    while (bucket < BUCKETS && (double)us / 1e6 > bucket_ends[bucket])
        bucket++;
    if (bucket < BUCKETS)
        histogram->counts[bucket]++;
    histogram->count++;
    histogram->sum_us += us;
}

/* Lock held. */
static PartitionNumbers *partition_of(Metrics *m, FlowNumbers *flow, const char *topic, int32_t partition)
{
    for (int i = 0; i < flow->partition_count; i++)
        if (flow->partitions[i].partition == partition && !strcmp(flow->partitions[i].topic, topic))
            return &flow->partitions[i];
    PartitionNumbers fresh = {.topic = arena_strdup(m->arena, topic), .partition = partition};
    ARENA_PUSH(m->arena, flow->partitions, flow->partition_count, flow->partition_capacity, fresh);
    return &flow->partitions[flow->partition_count - 1];
}

void metrics_batch(Metrics *m, const GraphFlow *flow, const FlowProgress *progress)
{
    if (!m)
        return;
    pthread_mutex_lock(&m->lock);
    FlowNumbers *numbers = &m->flows[flow->index];
    numbers->batches++;
    numbers->input_rows += progress->input_rows;
    numbers->rows += progress->output_rows;
    numbers->bytes += progress->output_bytes;
    numbers->dead_letters += progress->reading.undecodable;
    numbers->refused += progress->refused_rows;
    numbers->last_commit_us = io_now_us(m->options.io);
    observe(&numbers->batch_time, progress->duration_us);
    observe(&numbers->commit_time, progress->commit_us);
    for (int i = 0; i < progress->topic_count; i++) {
        PartitionNumbers *at = partition_of(m, numbers, progress->topics[i]->topic, progress->topics[i]->partition);
        at->messages += progress->topics[i]->records;
        at->bytes += progress->topics[i]->bytes;
    }
    pthread_mutex_unlock(&m->lock);
    if (m->sender)
        tell_batch(m, flow, progress);
}

void metrics_failure(Metrics *m, const GraphFlow *flow, bool given_up)
{
    if (!m)
        return;
    pthread_mutex_lock(&m->lock);
    m->flows[flow->index].failures++;
    m->flows[flow->index].given_up = given_up;
    pthread_mutex_unlock(&m->lock);
    if (m->sender) {
        Telling telling = {m, flow, {0}};
        tell(&telling, NULL, "failures", 1, "c");
        flush(&telling);
        str_buf_fini(&telling.lines);
    }
}

void metrics_lag(Metrics *m, const GraphFlow *flow, const SourceLag *items, int count)
{
    Telling telling = {m, flow, {0}};

    if (!m)
        return;
    pthread_mutex_lock(&m->lock);
    for (int i = 0; i < count; i++) {
        PartitionNumbers *at = partition_of(m, &m->flows[flow->index], items[i].topic, items[i].partition);
        at->has_lag = true;
        at->offset = items[i].position;
        at->lag = items[i].end > items[i].position ? items[i].end - items[i].position : 0;
        if (m->sender)
            tell(&telling, at, "lag", at->lag, "g");
    }
    pthread_mutex_unlock(&m->lock);
    flush(&telling);
    str_buf_fini(&telling.lines);
}

/* ---- opening ---- */

int metrics_open(const MetricsOptions *options, Metrics **out, SiltErr *err)
{
    int r = 0;

    *out = NULL;
    if (!options->listen && !options->statsd)
        return 0;
    Metrics *m = silt_alloc(sizeof *m);
    m->options = *options;
    m->arena = arena_new();
    m->flows = silt_alloc(sizeof *m->flows * (size_t)(options->graph->flow_count + 1));
    pthread_mutex_init(&m->lock, NULL);
    if (options->statsd && net_sender_new(options->statsd, &m->sender, err) < 0)
        r = silt_context(err, "--statsd: ");
    if (r == 0 && options->listen && http_serve(options->listen, answer, m, &m->server, err) < 0)
        r = silt_context(err, "--metrics-listen: ");
    if (r < 0) {
        metrics_close(m);
        return r;
    }
    if (m->server)
        LOG(LOG_INFO, "metrics.listen", LOG_TEXT("address", options->listen), LOG_INTEGER("port", http_port(m->server)));
    *out = m;
    return 0;
}

void metrics_close(Metrics *m)
{
    if (!m)
        return;
    http_stop(m->server);
    net_sender_free(m->sender);
    pthread_mutex_destroy(&m->lock);
    arena_free(m->arena);
    free(m->flows);
    free(m);
}
