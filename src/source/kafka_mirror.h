#pragma once
/*
 * source/kafka_mirror.h - offsets of sealed batches, shown to the brokers as those of a consumer group, for the tools that watch lag
 *
 * The checkpoint is the truth: nothing is ever read from the group, and no batch waits for it. Positions are sent every 5 seconds at most, the
 * newest ones; one question is under way at a time.
 */
#include "source/kafka_client.h"

typedef struct KafkaMirror KafkaMirror; /* used by one thread at a time */

/* The client outlives it. group is copied. */
KafkaMirror *kafka_mirror_new(KafkaClient *client, const char *group);
void kafka_mirror_free(KafkaMirror *mirror); /* NULL allowed; what was not sent is dropped */

/* From now on these are the positions; copied. */
void kafka_mirror_set(KafkaMirror *mirror, const KafkaPositions *positions);
/*
 * Take the broker's answer, if there is one, and send what is due; waits for nothing. Call now and then. Returns why the group could not be written,
 * once for a mirror, else NULL; the text lives as long as the mirror. A user who has no right to write the group is not asked again.
 */
const char *kafka_mirror_turn(KafkaMirror *mirror);
/* The same at the end: what is due is sent at once, and its answer is waited for, though not for long: a broker that is away holds up nobody. */
const char *kafka_mirror_settle(KafkaMirror *mirror);
