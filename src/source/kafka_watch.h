#pragma once
/*
 * source/kafka_watch.h - who waits for new records: one thread for each client asks for the ends of all partitions that anybody waits on, with one
 * question to each broker
 *
 * So a hundred topics in which little happens cost what one costs. It asks every 10 ms while records come, and every 100 ms otherwise; more seldom, up to
 * once a second, where nobody who waits wants to know so soon.
 */
#include "source/kafka_client.h"

typedef struct KafkaWaiter KafkaWaiter;

/* Positions and ends of the same partitions, told as lag; what is gone is left out. */
void kafka_tell_lag(const SourceLagged *lagged, const KafkaPositions *sealed, const KafkaPositions *ends);

/*
 * wake: called from the watch's thread when there is news after there was none; it must not block, nor call kafka_watch_leave. Of no use before
 * kafka_watch_expect. The client outlives it.
 * lagged: called likewise, once a second at most, from kafka_watch_sealed on. TRANSIENT: there is no thread to be had.
 */
int kafka_watch_join(KafkaClient *client, SourceWake wake, SourceLagged lagged, KafkaWaiter **out, SiltErr *err);
void kafka_watch_leave(KafkaWaiter *waiter); /* NULL allowed */

/*
 * It has read up to here: what comes behind these positions is news, and so is a partition that has gone or is shorter. Copied; those without an
 * offset are left out.
 */
void kafka_watch_expect(KafkaWaiter *waiter, const KafkaPositions *positions);
/* Batches are sealed up to here; of use with `lagged` only. Copied. */
void kafka_watch_sealed(KafkaWaiter *waiter, const KafkaPositions *positions);
/* Offsets that were behind the positions when it was asked last; 0: none; -1: something is not as it was, a plan will tell what. */
int64_t kafka_watch_news(KafkaWaiter *waiter);
