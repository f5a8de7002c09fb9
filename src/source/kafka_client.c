/*
 * source/kafka_client.c - see kafka_client.h
 *
 * librdkafka can fetch a partition once per handle. A second reader of the same partition (another flow at another position) gets a further handle
 * of the same client, so that most processes have one. Questions have a handle of their own: a broker answers one connection in order, and one that
 * holds a fetch until records come would answer half a second late.
 */
#include "source/kafka_client.h"

#include "base/clock.h"
#include "source/kafka_library.h"
#include "source/kafka_trouble.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS_AT_ONCE = 4096, LOOK_MS = 100, ANSWER_MS = 500 };

typedef struct Handle Handle;
struct Handle {
    Handle *next;
    rd_kafka_t *client;
    KafkaCursor *cursors; /* open on it; under the client's lock */
};

struct KafkaClient {
    KafkaClient *next; /* of all; under `registry` */
    int users;         /* under `registry` */
    char *key;
    KafkaSettings settings;
    Arena *arena; /* of the settings */
    pthread_mutex_t lock;
    Handle *asker;   /* for questions; nothing is fetched on it */
    Handle *handles; /* for cursors; the last one was made first */
    KafkaTrouble trouble; /* the opaque of its handles */
};

struct KafkaCursor {
    KafkaCursor *next; /* of the handle */
    KafkaClient *client;
    Handle *handle;
    char *topic_name;
    int32_t partition;
    rd_kafka_topic_t *topic;
    rd_kafka_queue_t *queue;
    int64_t position;
    rd_kafka_message_t *records[RECORDS_AT_ONCE];
    int count, given; /* records[0..given) were got by the last kafka_cursor_read, the rest is for the next one */
    int taken;        /* records[0..taken) of these were taken */
    int outcome;       /* KAFKA_LOST or KAFKA_MISSING came behind the records that are there; 0 */
    int64_t end_seen;  /* the broker has said that there was no record before this offset that was not given; -1 */
};

static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static KafkaClient *clients;

/* ---- handles ---- */

static int make_handle(KafkaClient *client, Handle **out, SiltErr *err)
{
    char text[512];
    rd_kafka_conf_t *conf = kafka_settings_conf(&client->settings, err);

    if (!conf)
        return -1;
    kafka_trouble_follow(&client->trouble, conf);
    rdk.conf_enable_sasl_queue(conf, 1); /* what the background is to serve, below */
    rd_kafka_t *made = rdk.new(RD_KAFKA_CONSUMER, conf, text, sizeof text);
    if (!made) {
        rdk.conf_destroy(conf);
        return silt_fail(err, SILT_CONFIG, "Kafka's client cannot be started: %s", text);
    }
    /* A token is renewed by time, not by traffic: nobody polls a quiet topic. Not an error where there is no such callback. */
    rdk.error_destroy(rdk.sasl_background_callbacks_enable(made));
    Handle *handle = silt_alloc(sizeof *handle);
    handle->client = made;
    *out = handle;
    return 0;
}

static void free_handle(Handle *handle)
{
    if (!handle)
        return;
    rdk.destroy(handle->client);
    free(handle);
}

static void free_client(KafkaClient *client)
{
    while (client->handles) {
        Handle *next = client->handles->next;
        free_handle(client->handles);
        client->handles = next;
    }
    free_handle(client->asker);
    pthread_mutex_destroy(&client->lock);
    pthread_mutex_destroy(&client->trouble.lock);
    arena_free(client->arena);
    free(client->key);
    free(client);
}

static int new_client(const KafkaSettings *settings, const char *key, KafkaClient **out, SiltErr *err)
{
    KafkaClient *client = silt_alloc(sizeof *client);

    client->arena = arena_new();
    client->key = silt_strdup(key);
    client->settings = kafka_settings_copy(client->arena, settings);
    pthread_mutex_init(&client->lock, NULL);
    pthread_mutex_init(&client->trouble.lock, NULL);
    if (make_handle(client, &client->asker, err) < 0) {
        free_client(client);
        return -1;
    }
    *out = client;
    return 0;
}

int kafka_client_acquire(const KafkaSettings *settings, KafkaClient **out, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf key = {0};
    int r = 0;

    SILT_TRY(kafka_library_load(err));
    for (int i = 0; i < settings->count; i++)
        str_buf_printf(&key, "%zu:%s=%zu:%s;", strlen(settings->items[i].name), settings->items[i].name, strlen(settings->items[i].value), settings->items[i].value);
    pthread_mutex_lock(&registry);
    KafkaClient *client = clients;
    while (client && strcmp(client->key, str_buf_text(&key)) != 0)
        client = client->next;
    if (!client && (r = new_client(settings, str_buf_text(&key), &client, err)) == 0) {
        client->next = clients;
        clients = client;
    }
    if (r == 0) {
        client->users++;
        *out = client;
    }
    pthread_mutex_unlock(&registry);
    return r;
}

void kafka_client_release(KafkaClient *client)
{
    if (!client)
        return;
    pthread_mutex_lock(&registry);
    bool last = --client->users == 0;
    if (last) {
        KafkaClient **at = &clients;
        while (*at != client)
            at = &(*at)->next;
        *at = client->next;
    }
    pthread_mutex_unlock(&registry);
    if (last)
        free_client(client);
}

const char *kafka_client_servers(const KafkaClient *client)
{
    for (int i = 0; i < client->settings.count; i++)
        if (!strcmp(client->settings.items[i].name, "bootstrap.servers"))
            return client->settings.items[i].value;
    return "";
}

struct rd_kafka_s *kafka_client_handle(const KafkaClient *client)
{
    return client->asker->client;
}

/* TRANSIENT, with the last complaint of librdkafka if it is a fresh one; `doing` is "list topics". */
static int unreachable(KafkaClient *client, const char *doing, const char *why, SiltErr *err)
{
    char trouble[KAFKA_TROUBLE_SIZE + 2];

    kafka_trouble_tell(&client->trouble, trouble);
    silt_fail(err, SILT_TRANSIENT, "could not %s at Kafka's %s: %s%s", doing, kafka_client_servers(client), why, trouble);
    return silt_hint(err, "Is the broker up, and are its advertised listeners reachable from here? Settings of the client are given as `kafka.security.protocol` => '...'.");
}

static bool may_pass(rd_kafka_resp_err_t failed)
{
    return failed == RD_KAFKA_RESP_ERR__TIMED_OUT || failed == RD_KAFKA_RESP_ERR__TRANSPORT || failed == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN ||
           failed == RD_KAFKA_RESP_ERR__WAIT_COORD || failed == RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE || failed == RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION ||
           failed == RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT || failed == RD_KAFKA_RESP_ERR_BROKER_NOT_AVAILABLE || failed == RD_KAFKA_RESP_ERR_OFFSET_NOT_AVAILABLE;
}

int kafka_client_ask_again(KafkaClient *client, const KafkaWait *wait, int64_t started_ms, const char *doing, int failed, SiltErr *err)
{
    if (wait->stop.asked && wait->stop.asked(wait->stop.self))
        return silt_fail(err, SILT_CANCELLED, "stopped");
    if (!may_pass(failed) || clock_ms() - started_ms > wait->timeout_ms)
        return unreachable(client, doing, rdk.err2str(failed), err);
    return 0;
}

/* ---- what is there ---- */

static void take_partitions(const rd_kafka_metadata_topic_t *found, Arena *arena, KafkaPositions *out)
{
    const char *name = arena_strdup(arena, found->topic);

    for (int i = 0; i < found->partition_cnt; i++)
        kafka_positions_add(arena, out, name, found->partitions[i].id, 0);
}

static int ask_metadata(KafkaClient *client, rd_kafka_topic_t *only, const KafkaWait *wait, const struct rd_kafka_metadata **out, SiltErr *err)
{
    for (int64_t started = clock_ms();;) {
        rd_kafka_resp_err_t failed = rdk.metadata(client->asker->client, !only, only, out, ANSWER_MS);
        if (!failed)
            return 0;
        SILT_TRY(kafka_client_ask_again(client, wait, started, "list topics", failed, err));
    }
}

int kafka_client_list(KafkaClient *client, const char *topic, bool (*wants)(void *self, const char *topic), void *self, const KafkaWait *wait, Arena *arena,
                      KafkaPositions *out, SiltErr *err)
{
    rd_kafka_topic_t *only = topic ? rdk.topic_new(client->asker->client, topic, NULL) : NULL;
    const struct rd_kafka_metadata *metadata = NULL;
    int r = 0;

    if (topic && !only)
        return silt_fail(err, SILT_CONFIG, "topic \"%s\" has no possible name: %s", topic, rdk.err2str(rdk.last_error()));
    r = ask_metadata(client, only, wait, &metadata, err);
    for (int i = 0; r == 0 && i < metadata->topic_cnt; i++) {
        const rd_kafka_metadata_topic_t *found = &metadata->topics[i];
        if (topic ? strcmp(found->topic, topic) != 0 : !wants(self, found->topic))
            continue;
        if (found->err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART || found->err == RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION)
            r = topic ? KAFKA_ABSENT : 0;
        else if (found->err == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED)
            r = silt_fail(err, SILT_CONFIG, "Kafka does not let this user read topic \"%s\": %s", found->topic, rdk.err2str(found->err));
        else if (found->err)
            r = silt_fail(err, SILT_TRANSIENT, "topic \"%s\" cannot be read at the moment: %s", found->topic, rdk.err2str(found->err));
        else
            take_partitions(found, arena, out);
    }
    if (metadata)
        rdk.metadata_destroy(metadata);
    if (only)
        rdk.topic_destroy(only);
    return r;
}

static int take_answer(KafkaClient *client, const rd_kafka_topic_partition_t *answer, KafkaPosition *out, SiltErr *err)
{
    switch (answer->err) {
    case RD_KAFKA_RESP_ERR_NO_ERROR:
        out->offset = answer->offset;
        return 0;
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
        out->offset = KAFKA_GONE;
        return 0;
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
        return silt_fail(err, SILT_CONFIG, "Kafka does not let this user read topic \"%s\"", out->topic);
    default: {
        silt_auto(str_buf_fini) StrBuf doing = {0};
        str_buf_printf(&doing, "ask for offsets of \"%s\", partition %d,", out->topic, out->partition);
        return unreachable(client, str_buf_text(&doing), rdk.err2str(answer->err), err);
    }
    }
}

/* One question for all. 0, KAFKA_AGAIN with *failed when the answer was that there is none yet, < 0. */
enum { KAFKA_AGAIN = 1 };
static int ask_offsets(KafkaClient *client, KafkaPositions *out, const KafkaPositions *asked, int64_t at, rd_kafka_resp_err_t *failed, SiltErr *err)
{
    rd_kafka_topic_partition_list_t *list = rdk.topic_partition_list_new(asked->count);
    int r = 0;

    for (int i = 0; i < asked->count; i++)
        rdk.topic_partition_list_add(list, asked->items[i].topic, asked->items[i].partition)->offset = at == KAFKA_EACH ? asked->items[i].offset : at;
    *failed = rdk.offsets_for_times(client->asker->client, list, ANSWER_MS);
    if (may_pass(*failed))
        r = KAFKA_AGAIN;
    for (int i = 0; r == 0 && i < asked->count; i++) {
        /* The call fails as a whole for what one item says: only items count. */
        const rd_kafka_topic_partition_t *answer = rdk.topic_partition_list_find(list, asked->items[i].topic, asked->items[i].partition);
        silt_assert(answer);
        if (may_pass(answer->err)) {
            *failed = answer->err;
            r = KAFKA_AGAIN;
        } else {
            r = take_answer(client, answer, &out->items[i], err);
        }
    }
    rdk.topic_partition_list_destroy(list);
    return r;
}

int kafka_client_offsets(KafkaClient *client, KafkaPositions *positions, int64_t at, const KafkaWait *wait, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    KafkaPositions asked = {.items = ARENA_ARRAY(arena, KafkaPosition, positions->count + 1), .count = positions->count};
    rd_kafka_resp_err_t failed;

    if (positions->count == 0)
        return 0;
    memcpy(asked.items, positions->items, sizeof *asked.items * (size_t)asked.count);
    for (int64_t started = clock_ms();;) {
        int r = ask_offsets(client, positions, &asked, at, &failed, err);
        if (r != KAFKA_AGAIN)
            return r;
        SILT_TRY(kafka_client_ask_again(client, wait, started, "ask for offsets", failed, err));
    }
}

/* ---- cursors ---- */

static bool is_open_on(const Handle *handle, const char *topic, int32_t partition)
{
    for (const KafkaCursor *cursor = handle->cursors; cursor; cursor = cursor->next)
        if (kafka_cursor_is_of(cursor, topic, partition))
            return true;
    return false;
}

/* A handle on which nobody reads that partition, with the cursor entered. */
static int enter(KafkaClient *client, KafkaCursor *cursor, SiltErr *err)
{
    int r = 0;

    pthread_mutex_lock(&client->lock);
    Handle *handle = client->handles;
    while (handle && is_open_on(handle, cursor->topic_name, cursor->partition))
        handle = handle->next;
    pthread_mutex_unlock(&client->lock);
    if (!handle && (r = make_handle(client, &handle, err)) == 0) {
        pthread_mutex_lock(&client->lock);
        Handle **last = &client->handles;
        while (*last)
            last = &(*last)->next;
        *last = handle;
        pthread_mutex_unlock(&client->lock);
    }
    if (r < 0)
        return r;
    pthread_mutex_lock(&client->lock);
    bool taken = is_open_on(handle, cursor->topic_name, cursor->partition); /* by another thread, in between */
    if (!taken) {
        cursor->handle = handle;
        cursor->next = handle->cursors;
        handle->cursors = cursor;
    }
    pthread_mutex_unlock(&client->lock);
    return taken ? enter(client, cursor, err) : 0;
}

static void leave(KafkaCursor *cursor)
{
    pthread_mutex_lock(&cursor->client->lock);
    KafkaCursor **at = &cursor->handle->cursors;
    while (*at != cursor)
        at = &(*at)->next;
    *at = cursor->next;
    pthread_mutex_unlock(&cursor->client->lock);
}

static void free_records(KafkaCursor *cursor, int from)
{
    for (int i = from; i < cursor->count; i++)
        rdk.message_destroy(cursor->records[i]);
    cursor->count = cursor->given = cursor->taken = 0;
}

int kafka_cursor_open(KafkaClient *client, const char *topic, int32_t partition, int64_t offset, KafkaCursor **out, SiltErr *err)
{
    KafkaCursor *cursor = silt_alloc(sizeof *cursor);
    int r;

    silt_assert(offset >= 0);
    *cursor = (KafkaCursor){.client = client, .topic_name = silt_strdup(topic), .partition = partition, .position = offset, .end_seen = -1};
    r = enter(client, cursor, err);
    if (r == 0) {
        cursor->topic = rdk.topic_new(cursor->handle->client, topic, NULL);
        cursor->queue = rdk.queue_new(cursor->handle->client);
        if (!cursor->topic || rdk.consume_start_queue(cursor->topic, partition, offset, cursor->queue) < 0)
            r = silt_fail(err, SILT_TRANSIENT, "partition %d of topic \"%s\" cannot be read: %s", partition, topic, rdk.err2str(rdk.last_error()));
    }
    if (r < 0) {
        kafka_cursor_close(cursor);
        return r;
    }
    *out = cursor;
    return 0;
}

void kafka_cursor_close(KafkaCursor *cursor)
{
    if (!cursor)
        return;
    free_records(cursor, 0);
    if (cursor->topic) {
        rdk.consume_stop(cursor->topic, cursor->partition);
        rdk.topic_destroy(cursor->topic);
    }
    if (cursor->queue)
        rdk.queue_destroy(cursor->queue);
    if (cursor->handle)
        leave(cursor);
    free(cursor->topic_name);
    free(cursor);
}

int64_t kafka_cursor_position(const KafkaCursor *cursor)
{
    return cursor->position;
}

bool kafka_cursor_is_of(const KafkaCursor *cursor, const char *topic, int32_t partition)
{
    return cursor->partition == partition && !strcmp(cursor->topic_name, topic);
}

/* Drop what was given out and move the rest to the front. */
static void forget_given(KafkaCursor *cursor)
{
    for (int i = 0; i < cursor->given; i++)
        rdk.message_destroy(cursor->records[i]);
    cursor->count -= cursor->given;
    memmove(cursor->records, cursor->records + cursor->given, sizeof cursor->records[0] * (size_t)cursor->count);
    cursor->given = cursor->taken = 0;
}

/* A message that is no record. 0 when reading can go on, an outcome of kafka_cursor_read, < 0. */
static int take_event(KafkaCursor *cursor, const rd_kafka_message_t *event, SiltErr *err)
{
    const char *why = rdk.err2str(event->err);

    switch (event->err) {
    case RD_KAFKA_RESP_ERR__PARTITION_EOF:
        cursor->end_seen = event->offset;
        return 0;
    case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
    case RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE:
        return KAFKA_LOST;
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED:
        return silt_fail(err, SILT_CONFIG, "Kafka does not let this user read topic \"%s\": %s", cursor->topic_name, why);
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
        return KAFKA_MISSING;
    case RD_KAFKA_RESP_ERR__BAD_MSG:
    case RD_KAFKA_RESP_ERR__BAD_COMPRESSION:
    case RD_KAFKA_RESP_ERR_INVALID_MSG:
    case RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE:
        silt_fail(err, SILT_CORRUPT, "topic \"%s\", partition %d, behind offset %lld: what the broker sends cannot be read: %s", cursor->topic_name, cursor->partition,
                  (long long)cursor->position, why);
        return silt_hint(err, "Is it read by other consumers? If not, the broker's log is damaged there.");
    default: /* librdkafka goes on by itself; if it cannot, the time runs out with this as the reason */
        kafka_trouble_note(&cursor->client->trouble, why);
        return 0;
    }
}

/* Put more records behind those that are there; wait for the first one. 0 also when none came. */
static int fetch(KafkaCursor *cursor, SiltErr *err)
{
    int r = 0, kept = cursor->count;
    /* A batch is waited for until it is full or the time is over: so wait for one, and take what else is there. */
    rd_kafka_message_t *first = rdk.consume_queue(cursor->queue, LOOK_MS);

    if (!first)
        return 0;
    cursor->records[cursor->count] = first;
    ssize_t more = rdk.consume_batch_queue(cursor->queue, 0, cursor->records + cursor->count + 1, (size_t)(RECORDS_AT_ONCE - cursor->count - 1));
    ssize_t got = 1 + (more > 0 ? more : 0);

    for (ssize_t i = 0; i < got; i++) {
        rd_kafka_message_t *record = cursor->records[cursor->count + i];
        if (r == 0 && !record->err) {
            cursor->records[kept++] = record;
            continue;
        }
        if (r == 0)
            r = take_event(cursor, record, err);
        rdk.message_destroy(record);
    }
    cursor->count = kept;
    cursor->outcome = r > 0 ? r : 0;
    return r < 0 ? r : 0;
}

/* Records that are there and lie before `end`. */
static int ready(const KafkaCursor *cursor, int64_t end)
{
    int low = 0, high = cursor->count;

    while (low < high) {
        int middle = low + (high - low) / 2;
        if (cursor->records[middle]->offset < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int timed_out(KafkaCursor *cursor, int64_t end, const KafkaWait *wait, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf doing = {0};

    str_buf_printf(&doing, "read offset %lld of [.., %lld) of \"%s\", partition %d,", (long long)cursor->position, (long long)end, cursor->topic_name, cursor->partition);
    silt_auto(str_buf_fini) StrBuf why = {0};
    str_buf_printf(&why, "nothing came for %d s", wait->timeout_ms / 1000);
    return unreachable(cursor->client, str_buf_text(&doing), str_buf_text(&why), err);
}

int kafka_cursor_read(KafkaCursor *cursor, int64_t end, const KafkaWait *wait, int *count, SiltErr *err)
{
    int64_t started = clock_ms();

    *count = 0;
    forget_given(cursor);
    for (;;) {
        cursor->given = ready(cursor, end);
        if (cursor->given) {
            *count = cursor->given;
            cursor->position = cursor->records[cursor->given - 1]->offset + 1;
            return 0;
        }
        if (cursor->count || cursor->position >= end || cursor->end_seen >= end) { /* K2 */
            cursor->position = end > cursor->position ? end : cursor->position;
            return 0;
        }
        if (cursor->outcome)
            return cursor->outcome;
        if (wait->stop.asked && wait->stop.asked(wait->stop.self))
            return silt_fail(err, SILT_CANCELLED, "stopped");
        if (clock_ms() - started > wait->timeout_ms)
            return timed_out(cursor, end, wait, err);
        SILT_TRY(fetch(cursor, err));
    }
}

/* ---- records ---- */

static KafkaRecord record_of(rd_kafka_message_t *message)
{
    rd_kafka_timestamp_type_t type;
    int64_t ms = rdk.message_timestamp(message, &type);

    return (KafkaRecord){
        .offset = message->offset,
        .timestamp_ms = ms,
        .timestamp_type = type == RD_KAFKA_TIMESTAMP_CREATE_TIME       ? KAFKA_TIMESTAMP_CREATED
                          : type == RD_KAFKA_TIMESTAMP_LOG_APPEND_TIME ? KAFKA_TIMESTAMP_APPENDED
                                                                       : KAFKA_TIMESTAMP_NONE,
        .key = {message->key, message->key_len},
        .value = {message->payload, message->len},
        .message = message,
    };
}

int kafka_cursor_take(KafkaCursor *cursor, KafkaRecord *out, int max)
{
    int left = cursor->given - cursor->taken, count = left < max ? left : max;

    for (int i = 0; i < count; i++)
        out[i] = record_of(cursor->records[cursor->taken + i]);
    cursor->taken += count;
    return count;
}

size_t kafka_record_header_count(const KafkaRecord *record)
{
    rd_kafka_headers_t *headers;

    return rdk.message_headers(record->message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR ? rdk.header_cnt(headers) : 0;
}

KafkaHeader kafka_record_header(const KafkaRecord *record, size_t index)
{
    rd_kafka_headers_t *headers;
    KafkaHeader header;
    const void *value;

    rd_kafka_resp_err_t failed = rdk.message_headers(record->message, &headers);
    if (!failed)
        failed = rdk.header_get_all(headers, index, &header.name, &value, &header.value.size);
    silt_assert(!failed);
    header.value.ptr = value;
    return header;
}
