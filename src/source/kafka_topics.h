#pragma once
/*
 * source/kafka_topics.h - which topics names mean: the ids that brokers give to topics (KIP-516), and the JSON in which they are kept
 *
 *   {"clicks":"l4UoN9GBQ7mjmvKJ7lE3kg","orders":"pVdvHOlmSLmXWN2XiLq0Ng"}
 *
 * A topic that is deleted and made anew has another id, and no id comes back. Lists are sorted by name, without doubles.
 */
#include "source/kafka_client.h"

typedef struct KafkaTopic {
    const char *name;
    const char *id; /* NULL: unknown, as the topic is not there or its brokers give none */
} KafkaTopic;

typedef struct KafkaTopics {
    KafkaTopic *items;
    int count, capacity;
} KafkaTopics;

/* Everything lives in arena. Fails as CONFIG, with what was found. */
int kafka_topics_parse(Arena *arena, Str text, KafkaTopics *out, SiltErr *err);
/* Those that have an id. */
void kafka_topics_print(StrBuf *out, const KafkaTopics *topics);
/* The id of a topic from now on; texts are borrowed, NULL: unknown. */
void kafka_topics_set(Arena *arena, KafkaTopics *topics, const char *name, const char *id);
/* NULL: it is not in the list. */
const KafkaTopic *kafka_topics_find(const KafkaTopics *topics, const char *name);

/*
 * Ask for the ids of all in the list, at once; into arena. 0; KAFKA_NO_IDS when none can be had: librdkafka before 2.3, or brokers before 2.8; < 0:
 * TRANSIENT when brokers cannot be reached, or CANCELLED. A topic that is not there, or may not be seen, has no id.
 */
enum { KAFKA_NO_IDS = 1 };
int kafka_topics_ask(KafkaClient *client, KafkaTopics *topics, const KafkaWait *wait, Arena *arena, SiltErr *err);
