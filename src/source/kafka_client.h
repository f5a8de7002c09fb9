#pragma once
/*
 * source/kafka_client.h - talk to Kafka: one client per cluster and configuration for all flows of the process
 *
 * Nobody is assigned partitions by a group here: who reads says where from, and keeps the offsets. A cursor fetches one partition ahead of its
 * reader, within a bounded memory, and stays open between batches.
 *
 *   K1  A cursor gives the records of [position, end) in order, each once: those of aborted transactions and control records are left out, what
 *       compaction has taken away is not waited for.
 *   K2  Its end is reached only when a record at or behind `end` was seen or the broker says that there is none before it.
 *   K3  An offset that is not in the log any longer is never replaced by another one without its reader's will (auto.offset.reset=error).
 */
#include "source/kafka_offsets.h"
#include "source/kafka_settings.h"
#include "source/source.h"

typedef struct KafkaClient KafkaClient;

/* How long to wait for an answer, and who may end that before its time (CANCELLED). Asked a few times a second. */
typedef struct KafkaWait {
    int timeout_ms;
    SourceStop stop;
} KafkaWait;

/* The client of these settings, shared with all who have the same; release each. Does not wait for a connection. Any thread. */
int kafka_client_acquire(const KafkaSettings *settings, KafkaClient **out, SiltErr *err);
void kafka_client_release(KafkaClient *client); /* NULL allowed */
const char *kafka_client_servers(const KafkaClient *client);
/* For questions that librdkafka takes with a queue for the answer (kafka_mirror.c, kafka_topics.c); lives as long as the client. */
struct rd_kafka_s *kafka_client_handle(const KafkaClient *client);
/*
 * May a question be asked again that has failed (an rd_kafka_resp_err_t)? 0: yes; < 0: CANCELLED, or TRANSIENT with what `doing` ("list topics") was
 * refused for: it does not pass, or the time since started_ms (clock_ms) is over.
 */
int kafka_client_ask_again(KafkaClient *client, const KafkaWait *wait, int64_t started_ms, const char *doing, int failed, SiltErr *err);

/*
 * The partitions of one topic, or (topic NULL) of all that `wants` says yes to, appended with offset 0 to *out; sort afterwards. Texts in arena.
 * 0, KAFKA_ABSENT when the named topic does not exist, or < 0 (TRANSIENT: brokers cannot be reached, with why).
 */
enum { KAFKA_ABSENT = 1 };
int kafka_client_list(KafkaClient *client, const char *topic, bool (*wants)(void *self, const char *topic), void *self, const KafkaWait *wait, Arena *arena,
                      KafkaPositions *out, SiltErr *err);
/*
 * Replace each item's offset by what the broker says: `at` KAFKA_EARLIEST: the first record kept, KAFKA_LATEST: behind the last one that can be
 * read (of committed transactions only), else the first record at or after that many milliseconds (-1 when there is none); KAFKA_EACH: as the
 * item itself says. An item of a partition that does not exist becomes KAFKA_GONE.
 */
enum { KAFKA_EACH = -3, KAFKA_GONE = -4 };
int kafka_client_offsets(KafkaClient *client, KafkaPositions *positions, int64_t at, const KafkaWait *wait, SiltErr *err);

/* ---- reading ---- */

typedef struct KafkaCursor KafkaCursor; /* used by one thread at a time */

int kafka_cursor_open(KafkaClient *client, const char *topic, int32_t partition, int64_t offset, KafkaCursor **out, SiltErr *err);
void kafka_cursor_close(KafkaCursor *cursor); /* NULL allowed */
int64_t kafka_cursor_position(const KafkaCursor *cursor); /* of the next record that is not given yet */
bool kafka_cursor_is_of(const KafkaCursor *cursor, const char *topic, int32_t partition);
/*
 * Get the next records before `end`, at least one: kafka_cursor_take gives them; those that were not taken since the last call are dropped. 0;
 * *count = 0: all up to `end` were given and the position is `end`. KAFKA_LOST: the position is not in the log (any longer); KAFKA_MISSING: the
 * broker knows no such partition, which may pass. < 0: nothing came within timeout_ms (TRANSIENT, with the last trouble), the broker refuses
 * (authorization: CONFIG), or it is to end (CANCELLED).
 */
enum { KAFKA_LOST = 1, KAFKA_MISSING = 2 };
int kafka_cursor_read(KafkaCursor *cursor, int64_t end, const KafkaWait *wait, int *count, SiltErr *err);

/* Who has set a record's time; Spark's numbers are those of Java's TimestampType. */
typedef enum KafkaTimestampType { KAFKA_TIMESTAMP_NONE = -1, KAFKA_TIMESTAMP_CREATED = 0, KAFKA_TIMESTAMP_APPENDED = 1 } KafkaTimestampType;

/* Bytes are borrowed until the cursor's next kafka_cursor_read. */
typedef struct KafkaRecord {
    int64_t offset;
    int64_t timestamp_ms; /* whatever the producer has written */
    KafkaTimestampType timestamp_type;
    Str key, value;       /* ptr NULL: there is none (a tombstone); an empty one has a place but no bytes */
    void *message;        /* the client's own */
} KafkaRecord;

/* Up to `max` of the records that kafka_cursor_read got, each once, in order; returns how many. */
int kafka_cursor_take(KafkaCursor *cursor, KafkaRecord *out, int max);

typedef struct KafkaHeader {
    const char *name; /* any bytes but NUL */
    Str value;        /* ptr NULL: none */
} KafkaHeader;

size_t kafka_record_header_count(const KafkaRecord *record);
KafkaHeader kafka_record_header(const KafkaRecord *record, size_t index); /* index < count */
