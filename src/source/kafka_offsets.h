#pragma once
/*
 * source/kafka_offsets.h - positions in the partitions of topics, and the JSON that Spark writes of them
 *
 *   {"clicks":{"0":23,"1":-2},"orders":{"0":7}}     one position a partition: the offset of the next record to read
 *
 * Lists are sorted by topic (bytes) and partition, without doubles, so that equal positions give equal text.
 */
#include "base/arena.h"

/* In what a user may ask for to start or end with; never in a checkpoint. */
enum { KAFKA_LATEST = -1, KAFKA_EARLIEST = -2 };

typedef struct KafkaPosition {
    const char *topic;
    int32_t partition;
    int64_t offset; /* of the next record; >= 0 or one of the above; of a list of times: milliseconds */
} KafkaPosition;

typedef struct KafkaPositions {
    KafkaPosition *items;
    int count, capacity;
} KafkaPositions;

/* Everything below lives in arena. Fails as CONFIG, with what was found. */
int kafka_positions_parse(Arena *arena, Str text, KafkaPositions *out, SiltErr *err);
/* {"clicks":[0,1]}, as the option `assign` has it; offsets are 0. */
int kafka_assigned_parse(Arena *arena, Str text, KafkaPositions *out, SiltErr *err);
void kafka_positions_print(StrBuf *out, const KafkaPositions *positions);

/* In any order, followed by kafka_positions_sort. topic is borrowed. */
void kafka_positions_add(Arena *arena, KafkaPositions *positions, const char *topic, int32_t partition, int64_t offset);
void kafka_positions_sort(KafkaPositions *positions);
/* NULL: not there. */
const KafkaPosition *kafka_positions_find(const KafkaPositions *positions, const char *topic, int32_t partition);
