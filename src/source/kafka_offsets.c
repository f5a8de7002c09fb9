/* source/kafka_offsets.c - see kafka_offsets.h */
#include "source/kafka_offsets.h"

#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_places(const char *topic, int32_t partition, const KafkaPosition *other)
{
    int order = strcmp(topic, other->topic);

    return order ? order : (partition > other->partition) - (partition < other->partition);
}

static int compare_positions(const void *a, const void *b)
{
    const KafkaPosition *left = a;

    return compare_places(left->topic, left->partition, b);
}

void kafka_positions_add(Arena *arena, KafkaPositions *positions, const char *topic, int32_t partition, int64_t offset)
{
    ARENA_PUSH(arena, positions->items, positions->count, positions->capacity, ((KafkaPosition){topic, partition, offset}));
}

void kafka_positions_sort(KafkaPositions *positions)
{
    if (positions->count)
        qsort(positions->items, (size_t)positions->count, sizeof *positions->items, compare_positions);
}

const KafkaPosition *kafka_positions_find(const KafkaPositions *positions, const char *topic, int32_t partition)
{
    int low = 0, high = positions->count;

    while (low < high) {
        int middle = low + (high - low) / 2, order = compare_places(topic, partition, &positions->items[middle]);
        if (order == 0)
            return &positions->items[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static int bad(SiltErr *err, Str text, const char *wanted)
{
    return silt_fail(err, SILT_CONFIG, "%s is expected, but found %.*s", wanted, (int)(text.size < 200 ? text.size : 200), text.ptr);
}

/* A partition number that is written as Kafka counts them. */
static bool take_partition(Str text, int32_t *out)
{
    int64_t number;

    if (!str_to_int64(text, &number) || number < 0 || number > INT32_MAX)
        return false;
    *out = (int32_t)number;
    return true;
}

static int finish(KafkaPositions *out, Str text, SiltErr *err)
{
    kafka_positions_sort(out);
    for (int i = 1; i < out->count; i++)
        if (compare_positions(&out->items[i - 1], &out->items[i]) == 0)
            return silt_fail(err, SILT_CONFIG, "partition %d of topic \"%s\" is named twice in %.*s", out->items[i].partition, out->items[i].topic,
                             (int)(text.size < 200 ? text.size : 200), text.ptr);
    return 0;
}

/* {"topic":{"0":23}}, or (only_partitions) {"topic":[0]} with offsets of 0. */
static int parse(Arena *arena, Str text, bool only_partitions, const char *wanted, KafkaPositions *out, SiltErr *err)
{
    const Json *json;
    SiltErr why;

    *out = (KafkaPositions){0};
    if (json_parse(arena, text, &json, &why) < 0 || json_kind(json) != JSON_OBJECT)
        return bad(err, text, wanted);
    for (int t = 0; t < json_size(json); t++) {
        const Json *partitions = json_member_value(json, t);
        if (json_kind(partitions) != (only_partitions ? JSON_ARRAY : JSON_OBJECT))
            return bad(err, text, wanted);
        const char *topic = arena_str(arena, json_member_key(json, t)).ptr;
        for (int p = 0; p < json_size(partitions); p++) {
            Str number = only_partitions ? json_number_text(json_at(partitions, p)) : json_member_key(partitions, p);
            int32_t partition;
            int64_t offset = 0;
            if (!take_partition(number, &partition) || (!only_partitions && !str_to_int64(json_number_text(json_member_value(partitions, p)), &offset)))
                return bad(err, text, wanted);
            kafka_positions_add(arena, out, topic, partition, offset);
        }
    }
    return finish(out, text, err);
}

int kafka_positions_parse(Arena *arena, Str text, KafkaPositions *out, SiltErr *err)
{
    return parse(arena, text, false, "JSON with an offset for each partition, as {\"topic\":{\"0\":23,\"1\":-2}},", out, err);
}

int kafka_assigned_parse(Arena *arena, Str text, KafkaPositions *out, SiltErr *err)
{
    return parse(arena, text, true, "JSON with the partitions of each topic, as {\"topic\":[0,1]},", out, err);
}

void kafka_positions_print(StrBuf *out, const KafkaPositions *positions)
{
    JsonWriter w = {.out = out};

    json_object(&w);
    for (int i = 0; i < positions->count; i++) {
        const KafkaPosition *at = &positions->items[i];
        char number[16];
        if (i == 0 || strcmp(at->topic, at[-1].topic) != 0) {
            if (i)
                json_object_end(&w);
            json_key_str(&w, str_of(at->topic));
            json_object(&w);
        }
        snprintf(number, sizeof number, "%d", at->partition);
        json_key_str(&w, str_of(number));
        json_integer(&w, at->offset);
    }
    if (positions->count)
        json_object_end(&w);
    json_object_end(&w);
}
