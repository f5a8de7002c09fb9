/* source/kafka_loss.c - what is gone: said and passed over, or the end of the flow, as failOnDataLoss has it */
#include "source/kafka_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int kafka__lost(Source *source, const char *code, SiltErr *err, const char *fmt, ...)
{
    KafkaSource *kafka = source->self;
    char text[600];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (!kafka->o.fail_on_loss) {
        const char *note = arena_printf(source->arena, "data is lost (failOnDataLoss is false): %s", text);
        ARENA_PUSH(source->arena, source->notes, source->note_count, source->note_capacity, note);
        return 0;
    }
    silt_fail_at(err, SILT_CONFIG, kafka->pos, "%s", text);
    silt_hint(err, "To go on with what is there, set failOnDataLoss => false; the loss is then said. To begin anew: silt run --full-refresh.");
    return silt_code(err, code);
}

/* Was the same said of the partition before? Now it was. */
static bool was_reported(Source *source, const KafkaPosition *there)
{
    KafkaSource *kafka = source->self;

    for (int i = 0; i < kafka->reported.count; i++) {
        KafkaPosition *at = &kafka->reported.items[i];
        if (at->partition != there->partition || strcmp(at->topic, there->topic) != 0)
            continue;
        bool same = at->offset == there->offset;
        at->offset = there->offset;
        return same;
    }
    kafka_positions_add(source->arena, &kafka->reported, arena_strdup(source->arena, there->topic), there->partition, there->offset);
    return false;
}

int kafka__lost_range(Source *source, const KafkaPosition *there, int64_t wanted, int64_t end, bool is_new, SiltErr *err)
{
    if (was_reported(source, there))
        return 0;
    if (there->offset == KAFKA_GONE)
        return kafka__lost(source, "KAFKA_DATA_LOSS.PARTITIONS_DELETED", err, "topic \"%s\", partition %d, is not there any more; it was read up to offset %lld", there->topic,
                    there->partition, (long long)wanted);
    if (there->offset <= wanted)
        return kafka__lost(source, "KAFKA_DATA_LOSS.PARTITION_OFFSET_CHANGED", err,
                    "topic \"%s\", partition %d: wanted offset %lld, but the log ends before it: the topic was made anew, or its log was cut", there->topic, there->partition,
                    (long long)wanted);
    int64_t gone = (there->offset < end ? there->offset : end) - wanted;
    return kafka__lost(source, is_new ? "KAFKA_DATA_LOSS.ADDED_PARTITION_DOES_NOT_START_FROM_OFFSET_ZERO" : "KAFKA_DATA_LOSS.START_OFFSET_RESET", err,
                "topic \"%s\", partition %d: wanted offset %lld, but the first one that is available is %lld: %lld offsets (%lld..%lld) were deleted before they were read",
                there->topic, there->partition, (long long)wanted, (long long)there->offset, (long long)gone, (long long)wanted, (long long)(wanted + gone - 1));
}
