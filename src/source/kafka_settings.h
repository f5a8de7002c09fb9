#pragma once
/*
 * source/kafka_settings.h - settings of Kafka's client: given in the words of the Java client (as Spark's options are), kept in librdkafka's
 *
 * Values may be secrets: no message shows one.
 */
#include "base/arena.h"
#include "base/err.h"

/* As librdkafka calls them. Sorted by name by kafka_settings_complete. */
typedef struct KafkaSetting {
    const char *name, *value;
    SiltPos pos; /* where the user has given it; of defaults: unknown */
} KafkaSetting;

typedef struct KafkaSettings {
    KafkaSetting *items;
    int count, capacity;
} KafkaSettings;

/*
 * Add a setting in the words of Java's client (kafka.sasl.jaas.config without "kafka."), translated where librdkafka has another; what cannot be
 * honoured is refused as CONFIG at pos. Into arena.
 */
int kafka_settings_add(Arena *arena, KafkaSettings *settings, const char *name, const char *value, SiltPos pos, SiltErr *err);
/* Fill in what Silt wants different from librdkafka's defaults of a consumer, and check all of them without connecting. CONFIG at the setting's position. */
int kafka_settings_complete(Arena *arena, KafkaSettings *settings, SiltErr *err);
/* The same for a producer; transactional_id NULL: one without transactions. */
int kafka_settings_complete_producer(Arena *arena, KafkaSettings *settings, const char *transactional_id, SiltErr *err);

/* A copy in arena, without positions. */
KafkaSettings kafka_settings_copy(Arena *arena, const KafkaSettings *settings);
/* What was complete for a producer, for a consumer that asks what a group has committed. */
void kafka_settings_for_group(Arena *arena, KafkaSettings *settings, const char *group);

/* Can a client be made of them? Without connecting. CONFIG at the position of the setting that cannot be used. */
int kafka_settings_check(const KafkaSettings *settings, SiltErr *err);

/* As librdkafka takes them: the caller gives it to rd_kafka_new, or destroys it. NULL with err (CONFIG). The library is loaded. */
struct rd_kafka_conf_s *kafka_settings_conf(const KafkaSettings *settings, SiltErr *err);
