/* source/kafka_topics.c - see kafka_topics.h */
#include "source/kafka_topics.h"

#include "base/clock.h"
#include "base/json.h"
#include "source/kafka_library.h"

#include <string.h>

enum { LOOK_MS = 100, ANSWER_MS = 5000 };

/* ---- lists ---- */

/* Where it is, or is to be. */
static int place_of(const KafkaTopics *topics, const char *name)
{
    int low = 0, high = topics->count;

    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(topics->items[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const KafkaTopic *kafka_topics_find(const KafkaTopics *topics, const char *name)
{
    int at = place_of(topics, name);

    return at < topics->count && !strcmp(topics->items[at].name, name) ? &topics->items[at] : NULL;
}

void kafka_topics_set(Arena *arena, KafkaTopics *topics, const char *name, const char *id)
{
    int at = place_of(topics, name);

    if (at == topics->count || strcmp(topics->items[at].name, name) != 0) {
        ARENA_PUSH(arena, topics->items, topics->count, topics->capacity, ((KafkaTopic){0}));
        memmove(&topics->items[at + 1], &topics->items[at], sizeof *topics->items * (size_t)(topics->count - 1 - at));
    }
    topics->items[at] = (KafkaTopic){name, id};
}

int kafka_topics_parse(Arena *arena, Str text, KafkaTopics *out, SiltErr *err)
{
    const Json *json;
    SiltErr why;
    bool fits = json_parse(arena, text, &json, &why) == 0 && json_kind(json) == JSON_OBJECT;

    *out = (KafkaTopics){0};
    for (int i = 0; fits && i < json_size(json); i++) {
        const char *id = json_cstr(json_member_value(json, i), "");
        fits = *id != 0;
        if (fits)
            kafka_topics_set(arena, out, arena_str(arena, json_member_key(json, i)).ptr, id);
    }
    if (!fits)
        return silt_fail(err, SILT_CONFIG, "JSON with an id for each topic, as {\"orders\":\"pVdvHOlmSLmXWN2XiLq0Ng\"}, is expected, but found %.*s",
                         (int)(text.size < 200 ? text.size : 200), text.ptr);
    return 0;
}

void kafka_topics_print(StrBuf *out, const KafkaTopics *topics)
{
    JsonWriter w = {.out = out};

    json_object(&w);
    for (int i = 0; i < topics->count; i++)
        if (topics->items[i].id)
            json_member(&w, topics->items[i].name, topics->items[i].id);
    json_object_end(&w);
}

/* ---- asking ---- */

static void send_question(rd_kafka_t *handle, const KafkaTopics *topics, rd_kafka_queue_t *answers)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const char **names = ARENA_ARRAY(arena, const char *, topics->count);
    char text[256];

    for (int i = 0; i < topics->count; i++)
        names[i] = topics->items[i].name;
    rd_kafka_TopicCollection_t *asked = rdk.TopicCollection_of_topic_names(names, (size_t)topics->count);
    rd_kafka_AdminOptions_t *options = rdk.AdminOptions_new(handle, RD_KAFKA_ADMIN_OP_DESCRIBETOPICS);
    rdk.AdminOptions_set_request_timeout(options, ANSWER_MS, text, sizeof text);
    rdk.DescribeTopics(handle, asked, options, answers);
    rdk.AdminOptions_destroy(options);
    rdk.TopicCollection_destroy(asked);
}

/* Brokers that give no ids say 0. */
static bool is_id(const char *text)
{
    return text && text[strspn(text, "A")];
}

static void take_ids(const rd_kafka_DescribeTopics_result_t *result, KafkaTopics *topics, Arena *arena, bool *any_there, bool *any_id)
{
    size_t count;
    const rd_kafka_TopicDescription_t **found = rdk.DescribeTopics_result_topics(result, &count);

    for (size_t i = 0; i < count; i++) {
        if (rdk.error_code(rdk.TopicDescription_error(found[i])))
            continue;
        const char *id = rdk.Uuid_base64str(rdk.TopicDescription_topic_id(found[i]));
        *any_there = true;
        if (!is_id(id))
            continue;
        *any_id = true;
        int at = place_of(topics, rdk.TopicDescription_name(found[i]));
        silt_assert(at < topics->count && !strcmp(topics->items[at].name, rdk.TopicDescription_name(found[i])));
        topics->items[at].id = arena_strdup(arena, id);
    }
}

/* The answer to one question; NULL: it is to stop. */
static rd_kafka_event_t *wait_for_answer(rd_kafka_queue_t *answers, const KafkaWait *wait)
{
    rd_kafka_event_t *answer = NULL;

    while (!answer && !(wait->stop.asked && wait->stop.asked(wait->stop.self)))
        answer = rdk.queue_poll(answers, LOOK_MS); /* one comes: the question has an end of its own */
    return answer;
}

static bool can_ask(void)
{
#define KAFKA_IS_THERE(name) &&rdk.name
    return true KAFKA_NEWER_FUNCTIONS(KAFKA_IS_THERE);
#undef KAFKA_IS_THERE
}

int kafka_topics_ask(KafkaClient *client, KafkaTopics *topics, const KafkaWait *wait, Arena *arena, SiltErr *err)
{
    bool any_there = false, any_id = false;
    int r = 0;

    for (int i = 0; i < topics->count; i++)
        topics->items[i].id = NULL;
    if (!can_ask())
        return KAFKA_NO_IDS;
    if (!topics->count)
        return 0;
    rd_kafka_queue_t *answers = rdk.queue_new(kafka_client_handle(client));
    for (int64_t started = clock_ms(); r == 0;) {
        send_question(kafka_client_handle(client), topics, answers);
        rd_kafka_event_t *answer = wait_for_answer(answers, wait);
        rd_kafka_resp_err_t failed = answer ? rdk.event_error(answer) : RD_KAFKA_RESP_ERR__TIMED_OUT;
        if (!failed)
            take_ids(rdk.event_DescribeTopics_result(answer), topics, arena, &any_there, &any_id);
        if (answer)
            rdk.event_destroy(answer);
        if (!failed)
            break;
        r = failed == RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE ? KAFKA_NO_IDS : kafka_client_ask_again(client, wait, started, "ask for the ids of topics", failed, err);
    }
    rdk.queue_destroy(answers);
    return r == 0 && any_there && !any_id ? KAFKA_NO_IDS : r;
}
