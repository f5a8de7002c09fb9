/* sink/kafka_producer.c - see kafka_producer.h */
#include "sink/kafka_producer.h"

#include "base/arena.h"
#include "source/kafka_library.h"
#include "source/kafka_trouble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_MS = 30000, LOOK_MS = 100 };

struct KafkaProducer {
    KafkaTrouble trouble; /* the opaque of its handles */
    KafkaSettings settings;
    Arena *arena;   /* of the settings */
    char *group;    /* NULL: no transactions */
    rd_kafka_t *handle;
    bool begun;     /* a transaction is open */
    /* the first record that could not be delivered; set by reports, which come inside of our own calls */
    rd_kafka_resp_err_t failure;
    char failed_topic[256];
};

static const char *servers(const KafkaProducer *producer)
{
    for (int i = 0; i < producer->settings.count; i++)
        if (!strcmp(producer->settings.items[i].name, "bootstrap.servers"))
            return producer->settings.items[i].value;
    return "";
}

/* ---- errors ---- */

static bool needs_a_person(rd_kafka_resp_err_t code)
{
    switch (code) {
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_INVALID_TRANSACTION_TIMEOUT:
    case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
    case RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION:
    case RD_KAFKA_RESP_ERR__FENCED:
    case RD_KAFKA_RESP_ERR_PRODUCER_FENCED:
    case RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH:
        return true;
    default:
        return false;
    }
}

static const char *hint_for(rd_kafka_resp_err_t code)
{
    switch (code) {
    case RD_KAFKA_RESP_ERR__FENCED:
    case RD_KAFKA_RESP_ERR_PRODUCER_FENCED:
    case RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH:
        return "Another process writes for the same flow, with a copy of its checkpoint. Stop one of them.";
    case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
        return "Raise `kafka.max.request.size` of the sink and `max.message.bytes` of the topic, or send less.";
    case RD_KAFKA_RESP_ERR_INVALID_TRANSACTION_TIMEOUT:
        return "Set `kafka.transaction.timeout.ms` to at most what the broker allows (transaction.max.timeout.ms).";
    case RD_KAFKA_RESP_ERR_TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED:
        return "The sink needs WRITE on the transactional id and READ on the group that begin with `silt-`, or the option 'exactlyOnce' = 'false'.";
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
        return "Silt makes no topics: make it with Kafka's own tools first.";
    default:
        return needs_a_person(code) ? NULL : "Is the broker up, and are its advertised listeners reachable from here? The batch is sent again, whole.";
    }
}

static int refuse(KafkaProducer *producer, const char *doing, rd_kafka_resp_err_t code, const char *why, SiltErr *err)
{
    bool lasting = needs_a_person(code);
    char trouble[KAFKA_TROUBLE_SIZE + 2] = "";

    if (!lasting)
        kafka_trouble_tell(&producer->trouble, trouble);
    silt_fail(err, lasting ? SILT_CONFIG : SILT_TRANSIENT, "could not %s at Kafka's %s: %s%s", doing, servers(producer), why, trouble);
    if (hint_for(code))
        silt_hint(err, "%s", hint_for(code));
    return -1;
}

static int refuse_record(KafkaProducer *producer, SiltErr *err)
{
    char doing[sizeof producer->failed_topic + 64];

    snprintf(doing, sizeof doing, "send a record to topic \"%s\"", producer->failed_topic);
    return refuse(producer, doing, producer->failure, rdk.err2str(producer->failure), err);
}

/* Takes error; NULL: 0. A record that was refused says more than the transaction that failed because of it. */
static int answer(KafkaProducer *producer, const char *doing, rd_kafka_error_t *error, SiltErr *err)
{
    if (!error)
        return 0;
    if (producer->failure)
        refuse_record(producer, err);
    else
        refuse(producer, doing, rdk.error_code(error), rdk.error_string(error), err);
    rdk.error_destroy(error);
    return -1;
}

static void on_delivery(rd_kafka_t *handle, const rd_kafka_message_t *record, void *opaque)
{
    KafkaTrouble *trouble = opaque;
    KafkaProducer *producer = (KafkaProducer *)((char *)trouble - offsetof(KafkaProducer, trouble));

    (void)handle;
    if (!record->err || producer->failure || record->err == RD_KAFKA_RESP_ERR__PURGE_QUEUE || record->err == RD_KAFKA_RESP_ERR__PURGE_INFLIGHT)
        return;
    producer->failure = record->err;
    snprintf(producer->failed_topic, sizeof producer->failed_topic, "%s", rdk.topic_name(record->rkt));
}

/* ---- a producer ---- */

static int start(KafkaProducer *producer, SiltErr *err)
{
    char text[512];
    rd_kafka_conf_t *conf = kafka_settings_conf(&producer->settings, err);

    if (!conf)
        return -1;
    kafka_trouble_follow(&producer->trouble, conf);
    rdk.conf_set_dr_msg_cb(conf, on_delivery);
    rdk.conf_enable_sasl_queue(conf, 1); /* as for reading: a token is renewed by librdkafka's own thread */
    producer->handle = rdk.new(RD_KAFKA_PRODUCER, conf, text, sizeof text);
    if (!producer->handle) {
        rdk.conf_destroy(conf);
        return silt_fail(err, SILT_CONFIG, "Kafka's client cannot be started: %s", text);
    }
    rdk.error_destroy(rdk.sasl_background_callbacks_enable(producer->handle));
    return producer->group ? answer(producer, "open transactions", rdk.init_transactions(producer->handle, ANSWER_MS), err) : 0;
}

int kafka_producer_open(const KafkaSettings *settings, const char *group, KafkaProducer **out, SiltErr *err)
{
    SILT_TRY(kafka_library_load(err));
    KafkaProducer *producer = silt_alloc(sizeof *producer);

    pthread_mutex_init(&producer->trouble.lock, NULL);
    producer->arena = arena_new();
    producer->settings = kafka_settings_copy(producer->arena, settings);
    producer->group = group ? silt_strdup(group) : NULL;
    if (start(producer, err) < 0) {
        kafka_producer_close(producer);
        return -1;
    }
    *out = producer;
    return 0;
}

void kafka_producer_close(KafkaProducer *producer)
{
    if (!producer)
        return;
    if (producer->begun)
        rdk.error_destroy(rdk.abort_transaction(producer->handle, ANSWER_MS)); /* else the broker does it, when its time is over */
    if (producer->handle) {
        rdk.purge(producer->handle, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
        rdk.destroy(producer->handle);
    }
    pthread_mutex_destroy(&producer->trouble.lock);
    arena_free(producer->arena);
    free(producer->group);
    free(producer);
}

/* ---- marks ---- */

/* A consumer of the group, for one question. NULL with err. */
static rd_kafka_t *asker(KafkaProducer *producer, SiltErr *err)
{
    char text[512];
    Arena *arena = arena_new();
    KafkaSettings settings = kafka_settings_copy(arena, &producer->settings);
    rd_kafka_t *made = NULL;

    kafka_settings_for_group(arena, &settings, producer->group);
    rd_kafka_conf_t *conf = kafka_settings_conf(&settings, err);
    if (conf) {
        kafka_trouble_follow(&producer->trouble, conf);
        made = rdk.new(RD_KAFKA_CONSUMER, conf, text, sizeof text);
        if (!made) {
            rdk.conf_destroy(conf);
            silt_fail(err, SILT_CONFIG, "Kafka's client cannot be started: %s", text);
        }
    }
    arena_free(arena);
    return made;
}

int kafka_producer_has(KafkaProducer *producer, const char *topic, int64_t batch, bool *out, SiltErr *err)
{
    *out = false;
    if (!producer->group)
        return 0;
    rd_kafka_t *consumer = asker(producer, err);
    if (!consumer)
        return -1;
    rd_kafka_topic_partition_list_t *list = rdk.topic_partition_list_new(1);
    rd_kafka_topic_partition_t *item = rdk.topic_partition_list_add(list, topic, 0);
    rd_kafka_resp_err_t code = rdk.committed(consumer, list, ANSWER_MS);
    code = code ? code : item->err;
    *out = !code && item->offset > batch; /* no mark: a negative offset */
    rdk.topic_partition_list_destroy(list);
    rdk.destroy(consumer);
    return code ? refuse(producer, "ask which batches are there", code, rdk.err2str(code), err) : 0;
}

static int mark(KafkaProducer *producer, const char *const *topics, int topic_count, int64_t batch, SiltErr *err)
{
    rd_kafka_topic_partition_list_t *list = rdk.topic_partition_list_new(topic_count);
    rd_kafka_consumer_group_metadata_t *group = rdk.consumer_group_metadata_new(producer->group);

    for (int i = 0; i < topic_count; i++)
        rdk.topic_partition_list_add(list, topics[i], 0)->offset = batch + 1;
    rd_kafka_error_t *error = rdk.send_offsets_to_transaction(producer->handle, list, group, ANSWER_MS);
    rdk.consumer_group_metadata_destroy(group);
    rdk.topic_partition_list_destroy(list);
    return answer(producer, "mark a batch", error, err);
}

/* ---- a batch ---- */

int kafka_producer_begin(KafkaProducer *producer, SiltErr *err)
{
    producer->failure = 0;
    if (!producer->group)
        return 0;
    SILT_TRY(answer(producer, "begin a transaction", rdk.begin_transaction(producer->handle), err));
    producer->begun = true;
    return 0;
}

static rd_kafka_error_t *produce(KafkaProducer *producer, const KafkaMessage *record)
{
    enum { FIELDS = 6 };
    rd_kafka_headers_t *headers = NULL;
    rd_kafka_vu_t fields[FIELDS] = {
        {.vtype = RD_KAFKA_VTYPE_TOPIC, .u.cstr = record->topic},
        {.vtype = RD_KAFKA_VTYPE_PARTITION, .u.i32 = record->partition < 0 ? RD_KAFKA_PARTITION_UA : record->partition},
        {.vtype = RD_KAFKA_VTYPE_MSGFLAGS, .u.i = RD_KAFKA_MSG_F_COPY},
        {.vtype = RD_KAFKA_VTYPE_KEY, .u.mem = {(void *)record->key.ptr, record->key.size}},
        {.vtype = RD_KAFKA_VTYPE_VALUE, .u.mem = {(void *)record->value.ptr, record->value.size}},
    };

    if (record->header_count) {
        headers = rdk.headers_new((size_t)record->header_count);
        for (int i = 0; i < record->header_count; i++)
            rdk.header_add(headers, record->headers[i].name, -1, record->headers[i].value.ptr, (ssize_t)record->headers[i].value.size);
        fields[FIELDS - 1] = (rd_kafka_vu_t){.vtype = RD_KAFKA_VTYPE_HEADERS, .u.headers = headers};
    }
    rd_kafka_error_t *error = rdk.produceva(producer->handle, fields, headers ? FIELDS : FIELDS - 1);
    if (error && headers)
        rdk.headers_destroy(headers); /* else they are the record's */
    return error;
}

int kafka_producer_put(KafkaProducer *producer, const KafkaMessage *record, SiltErr *err)
{
    char doing[320];

    for (;;) {
        rdk.poll(producer->handle, 0);
        rd_kafka_error_t *error = produce(producer, record);
        if (!error)
            return 0;
        if (rdk.error_code(error) != RD_KAFKA_RESP_ERR__QUEUE_FULL || producer->failure) {
            snprintf(doing, sizeof doing, "send a record of %zu bytes to topic \"%s\"", record->key.size + record->value.size, record->topic);
            return answer(producer, doing, error, err);
        }
        rdk.error_destroy(error);
        rdk.poll(producer->handle, LOOK_MS); /* its end is delivery.timeout.ms: then there is a failure */
    }
}

/* Wait until the brokers have all records, or have refused one; delivery.timeout.ms bounds it. */
static int deliver(KafkaProducer *producer, SiltErr *err)
{
    rd_kafka_resp_err_t code;

    do
        code = rdk.flush(producer->handle, LOOK_MS);
    while (code == RD_KAFKA_RESP_ERR__TIMED_OUT && !producer->failure);
    if (producer->failure)
        return refuse_record(producer, err);
    return code ? refuse(producer, "send records", code, rdk.err2str(code), err) : 0;
}

int kafka_producer_commit(KafkaProducer *producer, const char *const *topics, int topic_count, int64_t batch, SiltErr *err)
{
    SILT_TRY(deliver(producer, err));
    if (!producer->group)
        return 0;
    SILT_TRY(mark(producer, topics, topic_count, batch, err));
    SILT_TRY(answer(producer, "commit a transaction", rdk.commit_transaction(producer->handle, -1), err));
    producer->begun = false;
    return 0;
}
