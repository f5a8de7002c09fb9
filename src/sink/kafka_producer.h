#pragma once
/*
 * sink/kafka_producer.h - batches of records into Kafka, each visible as a whole and once
 *
 * A batch is one transaction of Kafka. In it goes a mark besides the records: the offset of a consumer group that has the batch's number, so
 * that the broker itself knows which batches it has (KIP-98; the mark is what a consumer would commit behind its input).
 *
 *   P1  Records and mark become visible together, or neither does.
 *   P2  A producer that is opened ends what another one of the same name has begun (fencing): its open transaction is aborted, it can write no more.
 *   P3  Therefore whoever has opened it may ask for the mark, and the answer holds until he writes himself.
 */
#include "base/str.h"
#include "source/kafka_settings.h"

typedef struct KafkaProducer KafkaProducer;

typedef struct KafkaMessageHeader {
    const char *name;
    Str value; /* ptr NULL: a header without a value */
} KafkaMessageHeader;

/* One to be sent; all is borrowed for the call. */
typedef struct KafkaMessage {
    const char *topic;
    int32_t partition; /* -1: by the key */
    Str key, value;    /* ptr NULL: none (a tombstone is a value of none) */
    const KafkaMessageHeader *headers;
    int header_count;
} KafkaMessage;

/*
 * settings are complete (kafka_settings_complete_producer), and copied. group NULL: no transactions, and no marks; each record is sent once by the broker's own
 * numbering, but a batch that is given again is written again. Waits until the broker has answered: TRANSIENT when it does not.
 */
int kafka_producer_open(const KafkaSettings *settings, const char *group, KafkaProducer **out, SiltErr *err);
/* What is begun and not committed is taken back. NULL allowed. */
void kafka_producer_close(KafkaProducer *producer);

/* Was this batch, or a later one, committed with a record for `topic`? */
int kafka_producer_has(KafkaProducer *producer, const char *topic, int64_t batch, bool *out, SiltErr *err);

/* After an error of the three below: close it, and open another one; kafka_producer_has tells what has become of the batch. */
int kafka_producer_begin(KafkaProducer *producer, SiltErr *err);
/* Blocks while too much is on its way. CONFIG: a record that Kafka will never take (too large), no such topic, not allowed; else TRANSIENT. */
int kafka_producer_put(KafkaProducer *producer, const KafkaMessage *record, SiltErr *err);
/* The batch leaves its mark at each of these topics: all that got a record. Returns when it is durable. */
int kafka_producer_commit(KafkaProducer *producer, const char *const *topics, int topic_count, int64_t batch, SiltErr *err);
