/* source/kafka_mirror.c - see kafka_mirror.h */
#include "source/kafka_mirror.h"

#include "base/clock.h"
#include "source/kafka_library.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* All who end within SILENT_MS of one that got no answer do not wait: a hundred flows end as fast as one. */
enum { APART_MS = 5000, ANSWER_MS = 10000, AGAIN_MS = 30000, SETTLE_MS = 2000, SILENT_MS = 10000, PASSING_MAX = 10, BREATH_MS = 50 };

struct KafkaMirror {
    KafkaClient *client;
    char *group;
    rd_kafka_queue_t *answers;
    Arena *arena; /* of the positions */
    KafkaPositions positions;
    bool due;     /* positions that were not sent */
    bool asked;   /* an answer is to come */
    bool refused; /* for good */
    bool said;
    int passing;  /* failures in a row that may pass: not told before there are PASSING_MAX */
    int64_t not_before_ms;
    char why[512];
};

static _Atomic int64_t silent_until_ms;

KafkaMirror *kafka_mirror_new(KafkaClient *client, const char *group)
{
    KafkaMirror *mirror = silt_alloc(sizeof *mirror);

    *mirror = (KafkaMirror){.client = client, .group = silt_strdup(group), .arena = arena_new()};
    mirror->answers = rdk.queue_new(kafka_client_handle(client));
    return mirror;
}

void kafka_mirror_free(KafkaMirror *mirror)
{
    if (!mirror)
        return;
    rdk.queue_destroy(mirror->answers);
    arena_free(mirror->arena);
    free(mirror->group);
    free(mirror);
}

void kafka_mirror_set(KafkaMirror *mirror, const KafkaPositions *positions)
{
    arena_free(mirror->arena);
    mirror->arena = arena_new();
    mirror->positions = (KafkaPositions){0};
    for (int i = 0; i < positions->count; i++)
        if (positions->items[i].offset >= 0)
            kafka_positions_add(mirror->arena, &mirror->positions, arena_strdup(mirror->arena, positions->items[i].topic), positions->items[i].partition,
                                positions->items[i].offset);
    mirror->due = mirror->positions.count > 0;
}

static void send_positions(KafkaMirror *mirror)
{
    rd_kafka_t *handle = kafka_client_handle(mirror->client);
    rd_kafka_topic_partition_list_t *list = rdk.topic_partition_list_new(mirror->positions.count);
    char text[256];

    for (int i = 0; i < mirror->positions.count; i++)
        rdk.topic_partition_list_add(list, mirror->positions.items[i].topic, mirror->positions.items[i].partition)->offset = mirror->positions.items[i].offset;
    rd_kafka_AlterConsumerGroupOffsets_t *wanted = rdk.AlterConsumerGroupOffsets_new(mirror->group, list);
    rd_kafka_AdminOptions_t *options = rdk.AdminOptions_new(handle, RD_KAFKA_ADMIN_OP_ALTERCONSUMERGROUPOFFSETS);
    rdk.AdminOptions_set_request_timeout(options, ANSWER_MS, text, sizeof text);
    rdk.AlterConsumerGroupOffsets(handle, &wanted, 1, options, mirror->answers);
    rdk.AdminOptions_destroy(options);
    rdk.AlterConsumerGroupOffsets_destroy(wanted);
    rdk.topic_partition_list_destroy(list);
    mirror->due = false;
    mirror->asked = true;
    mirror->not_before_ms = clock_ms() + APART_MS;
}

/* A topic that is gone has no offsets to be shown: nobody watches its lag. */
static bool is_failure(rd_kafka_resp_err_t code)
{
    return code && code != RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
}

/* The first failure in an answer: as a whole, of the group, of a partition. */
static rd_kafka_resp_err_t failure_of(rd_kafka_event_t *answer)
{
    const rd_kafka_AlterConsumerGroupOffsets_result_t *result = rdk.event_AlterConsumerGroupOffsets_result(answer);
    size_t count = 0;
    rd_kafka_resp_err_t failed = rdk.event_error(answer);

    if (is_failure(failed) || !result)
        return failed;
    const rd_kafka_group_result_t **groups = rdk.AlterConsumerGroupOffsets_result_groups(result, &count);
    for (size_t i = 0; i < count; i++) {
        const rd_kafka_error_t *error = rdk.group_result_error(groups[i]);
        const rd_kafka_topic_partition_list_t *parts = rdk.group_result_partitions(groups[i]);
        if (error && is_failure(rdk.error_code(error)))
            return rdk.error_code(error);
        for (int j = 0; parts && j < parts->cnt; j++)
            if (is_failure(parts->elems[j].err))
                return parts->elems[j].err;
    }
    return RD_KAFKA_RESP_ERR_NO_ERROR;
}

/* What to tell, the first time. */
static const char *say(KafkaMirror *mirror, const char *what)
{
    if (mirror->said)
        return NULL;
    mirror->said = true;
    snprintf(mirror->why, sizeof mirror->why, "the offsets that were read cannot be shown in consumer group \"%s\" at Kafka's %s: %s (the table is complete; "
             "commitOffsets => false turns this off)", mirror->group, kafka_client_servers(mirror->client), what);
    return mirror->why;
}

/* The group moves from one broker to another, or a broker is away. */
static bool may_pass(rd_kafka_resp_err_t failed)
{
    switch (failed) {
    case RD_KAFKA_RESP_ERR_NOT_COORDINATOR:
    case RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS:
    case RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT:
    case RD_KAFKA_RESP_ERR__TIMED_OUT:
    case RD_KAFKA_RESP_ERR__TRANSPORT:
        return true;
    default:
        return false;
    }
}

static const char *note_failure(KafkaMirror *mirror, rd_kafka_resp_err_t failed)
{
    mirror->refused = failed == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED || failed == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED;
    mirror->due = true;
    if (may_pass(failed) && ++mirror->passing < PASSING_MAX) {
        mirror->not_before_ms = clock_ms() + APART_MS;
        return NULL;
    }
    mirror->not_before_ms = clock_ms() + AGAIN_MS;
    return say(mirror, failed == RD_KAFKA_RESP_ERR_UNKNOWN_MEMBER_ID ? "consumers have joined the group" : rdk.err2str(failed));
}

/* The answer, if it comes within wait_ms. */
static const char *take_answer(KafkaMirror *mirror, int wait_ms)
{
    rd_kafka_event_t *answer = mirror->asked ? rdk.queue_poll(mirror->answers, wait_ms) : NULL;

    if (!answer)
        return NULL;
    mirror->asked = false;
    rd_kafka_resp_err_t failed = failure_of(answer);
    rdk.event_destroy(answer);
    if (!failed)
        mirror->passing = 0;
    return failed ? note_failure(mirror, failed) : NULL;
}

const char *kafka_mirror_turn(KafkaMirror *mirror)
{
    const char *why = take_answer(mirror, 0);

    if (mirror->due && !mirror->asked && !mirror->refused && clock_ms() >= mirror->not_before_ms)
        send_positions(mirror);
    return why;
}

const char *kafka_mirror_settle(KafkaMirror *mirror)
{
    int64_t until_ms = clock_ms() + SETTLE_MS;
    const char *why = NULL;

    if (clock_ms() < atomic_load(&silent_until_ms))
        return take_answer(mirror, 0);
    while (!why && !mirror->said && (mirror->due || mirror->asked) && clock_ms() < until_ms) {
        if (!mirror->asked && mirror->passing)
            nanosleep(&(struct timespec){.tv_nsec = BREATH_MS * 1000000}, NULL);
        if (!mirror->asked)
            send_positions(mirror);
        why = take_answer(mirror, (int)(until_ms - clock_ms()));
    }
    if (mirror->said || !(mirror->due || mirror->asked))
        return why;
    atomic_store(&silent_until_ms, clock_ms() + SILENT_MS);
    return say(mirror, "no answer came before the end");
}
