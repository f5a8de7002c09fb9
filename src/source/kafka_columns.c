/* source/kafka_columns.c - records of Kafka into Spark's columns */
#include "source/kafka_internal.h"

#include <string.h>

const char *kafka__column_name(int column)
{
    static const char *const names[KAFKA_COLUMNS] = {"key", "value", "topic", "partition", "offset", "timestamp", "timestampType", "headers"};

    return names[column];
}

const Type *kafka__column_type(int column, Arena *arena)
{
    static const TypeKind kinds[KAFKA_HEADERS] = {TYPE_BINARY, TYPE_BINARY, TYPE_STRING, TYPE_INT, TYPE_LONG, TYPE_TIMESTAMP, TYPE_INT};
    const TypeField header[] = {{"key", type_simple(TYPE_STRING), true, NULL, NULL}, {"value", type_simple(TYPE_BINARY), true, NULL, NULL}};

    return column < KAFKA_HEADERS ? type_simple(kinds[column]) : type_array(arena, type_struct(arena, header, 2), true);
}

static void put_bytes(Column *column, uint64_t row, Str bytes)
{
    if (bytes.ptr)
        column_set_string(column, row, bytes.ptr, bytes.size);
    else
        column_set_null(column, row);
}

static void put_header_name(Column *names, uint64_t row, const char *name)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    const char *end = name + strlen(name);

    if (utf8_valid(str_of(name))) {
        column_set_string(names, row, name, strlen(name));
        return;
    }
    for (const char *at = name; at < end;) {
        int size = utf8_length(at, end);
        if (size)
            str_buf_add(&text, at, (size_t)size);
        else
            utf8_put(&text, 0xFFFD);
        at += size ? size : 1;
    }
    column_set_string(names, row, str_buf_text(&text), text.size);
}

/* NULL where there are none, as in Spark. */
static void put_headers(Column *column, const KafkaRecord *records, int rows)
{
    uint64_t used = 0, total = 0;

    for (int i = 0; i < rows; i++)
        total += kafka_record_header_count(&records[i]);
    column_list_reserve(column, total);
    ChunkList *lists = column->data;
    Column *fields = column->children[0].children;
    for (int i = 0; i < rows; i++) {
        size_t count = kafka_record_header_count(&records[i]);
        lists[i] = (ChunkList){used, count};
        if (!count)
            column_set_null(column, (uint64_t)i);
        for (size_t k = 0; k < count; k++, used++) {
            KafkaHeader header = kafka_record_header(&records[i], k);
            put_header_name(&fields[0], used, header.name);
            put_bytes(&fields[1], used, header.value);
        }
    }
}

static void put_topic(Column *column, const char *topic, int rows)
{
    size_t size = strlen(topic);

    for (int i = 0; i < rows; i++)
        column_set_string(column, (uint64_t)i, topic, size);
}

static void put_timestamps(Column *column, const KafkaRecord *records, int rows)
{
    int64_t *times = column->data;

    for (int i = 0; i < rows; i++)
        if (__builtin_mul_overflow(records[i].timestamp_ms, INT64_C(1000), &times[i]))
            column_set_null(column, (uint64_t)i); /* a producer may write anything */
}

void kafka__put_columns(Column *const columns[KAFKA_COLUMNS], const KafkaPosition *partition, const KafkaRecord *records, int rows)
{
    for (int i = 0; i < rows && columns[KAFKA_KEY]; i++)
        put_bytes(columns[KAFKA_KEY], (uint64_t)i, records[i].key);
    for (int i = 0; i < rows && columns[KAFKA_VALUE]; i++)
        put_bytes(columns[KAFKA_VALUE], (uint64_t)i, records[i].value);
    if (columns[KAFKA_TOPIC])
        put_topic(columns[KAFKA_TOPIC], partition->topic, rows);
    for (int i = 0; i < rows && columns[KAFKA_PARTITION]; i++)
        ((int32_t *)columns[KAFKA_PARTITION]->data)[i] = partition->partition;
    for (int i = 0; i < rows && columns[KAFKA_OFFSET]; i++)
        ((int64_t *)columns[KAFKA_OFFSET]->data)[i] = records[i].offset;
    if (columns[KAFKA_TIMESTAMP])
        put_timestamps(columns[KAFKA_TIMESTAMP], records, rows);
    for (int i = 0; i < rows && columns[KAFKA_TIMESTAMP_TYPE]; i++)
        ((int32_t *)columns[KAFKA_TIMESTAMP_TYPE]->data)[i] = records[i].timestamp_type;
    if (columns[KAFKA_HEADERS])
        put_headers(columns[KAFKA_HEADERS], records, rows);
}
