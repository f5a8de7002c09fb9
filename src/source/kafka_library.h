#pragma once
/*
 * source/kafka_library.h - librdkafka, loaded when the first topic is read or written
 *
 * It is librdkafka_silt.so, made of the pinned static library (meson.build) and installed with Silt; the environment variable SILT_LIBRDKAFKA names another
 * one, by a path or a name that the system finds. It brings TLS, SASL and compression with it: linked, it would cost every start of `silt` 3 ms.
 */
#include "base/err.h"

#include <rdkafka.h>

/* Each function of librdkafka that is called here: rd_kafka_<name>. */
#define KAFKA_FUNCTIONS(F) \
    F(AdminOptions_destroy)                    \
    F(AdminOptions_new)                        \
    F(AdminOptions_set_request_timeout)        \
    F(AlterConsumerGroupOffsets)               \
    F(AlterConsumerGroupOffsets_destroy)       \
    F(AlterConsumerGroupOffsets_new)           \
    F(AlterConsumerGroupOffsets_result_groups) \
    F(abort_transaction)                       \
    F(begin_transaction)                       \
    F(commit_transaction)                      \
    F(committed)                               \
    F(conf_destroy)                            \
    F(conf_new)                                \
    F(conf_set)                                \
    F(conf_set_dr_msg_cb)                      \
    F(conf_set_log_cb)                         \
    F(conf_set_opaque)                         \
    F(consume_batch_queue)                     \
    F(consume_queue)                           \
    F(consume_start_queue)                     \
    F(consume_stop)                            \
    F(consumer_group_metadata_destroy)         \
    F(consumer_group_metadata_new)             \
    F(destroy)                                 \
    F(err2str)                                 \
    F(error_code)                              \
    F(error_destroy)                           \
    F(error_string)                            \
    F(event_AlterConsumerGroupOffsets_result)  \
    F(event_destroy)                           \
    F(event_error)                             \
    F(flush)                                   \
    F(group_result_error)                      \
    F(group_result_partitions)                 \
    F(header_add)                              \
    F(header_cnt)                              \
    F(header_get_all)                          \
    F(headers_destroy)                         \
    F(headers_new)                             \
    F(init_transactions)                       \
    F(last_error)                              \
    F(message_destroy)                         \
    F(message_headers)                         \
    F(message_timestamp)                       \
    F(metadata)                                \
    F(metadata_destroy)                        \
    F(new)                                     \
    F(offsets_for_times)                       \
    F(opaque)                                  \
    F(poll)                                    \
    F(produceva)                               \
    F(purge)                                   \
    F(queue_destroy)                           \
    F(queue_new)                               \
    F(queue_poll)                              \
    F(conf_enable_sasl_queue)                  \
    F(sasl_background_callbacks_enable)        \
    F(send_offsets_to_transaction)             \
    F(topic_destroy)                           \
    F(topic_name)                              \
    F(topic_new)                               \
    F(topic_partition_list_add)                \
    F(topic_partition_list_destroy)            \
    F(topic_partition_list_find)               \
    F(topic_partition_list_new)

/* Those that a librdkafka before 2.3 lacks: they may be NULL, and something else is done then (kafka_topics.c). */
#define KAFKA_NEWER_FUNCTIONS(F) \
    F(DescribeTopics)                          \
    F(DescribeTopics_result_topics)            \
    F(TopicCollection_destroy)                 \
    F(TopicCollection_of_topic_names)          \
    F(TopicDescription_error)                  \
    F(TopicDescription_name)                   \
    F(TopicDescription_topic_id)               \
    F(Uuid_base64str)                          \
    F(event_DescribeTopics_result)

typedef struct KafkaLibrary {
#define KAFKA_MEMBER(name) __typeof__(rd_kafka_##name) *name;
    KAFKA_FUNCTIONS(KAFKA_MEMBER)
    KAFKA_NEWER_FUNCTIONS(KAFKA_MEMBER)
#undef KAFKA_MEMBER
} KafkaLibrary;

/* Its functions, once kafka_library_load has given 0. */
extern KafkaLibrary rdk;
/* Load it, once in a process; any thread. CONFIG when it is not there, or lacks one of them. */
int kafka_library_load(SiltErr *err);
