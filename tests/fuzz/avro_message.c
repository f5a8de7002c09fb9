/*
 * tests/fuzz/avro_message.c - bytes of others as Avro values of messages
 *
 * The first byte says whether values have numbers of schemas in front, and what becomes of bad ones; 0xFE ends a message. Nothing may crash or read
 * outside; each message is a row or is bad (F4), and lists hold what their rows say.
 */
#include "duck/avro.h"
#include "format/format.h"
#include "fuzz.h"

static const char *const texts[] = {
    "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"},{\"name\":\"tags\",\"type\":{\"type\":\"array\",\"items\":\"string\"}},"
    "{\"name\":\"m\",\"type\":{\"type\":\"map\",\"values\":[\"null\",{\"type\":\"array\",\"items\":\"int\"}]}},{\"name\":\"u\",\"type\":[\"int\",\"string\"]}]}",
    "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"tags\",\"type\":[\"null\",{\"type\":\"array\",\"items\":\"bytes\"}]},{\"name\":\"id\",\"type\":\"int\"},"
    "{\"name\":\"d\",\"type\":{\"type\":\"fixed\",\"name\":\"F\",\"size\":3,\"logicalType\":\"decimal\",\"precision\":5,\"scale\":2}},{\"name\":\"e\",\"type\":{\"type\":\"enum\",\"name\":\"E\","
    "\"symbols\":[\"A\",\"B\"]}}]}",
    "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"},{\"name\":\"tags\",\"type\":{\"type\":\"array\",\"items\":\"string\"},\"default\":[\"none\"]},"
    "{\"name\":\"f\",\"type\":[\"null\",\"double\"],\"default\":null}]}",
    "\"string\"",
};
enum { SCHEMAS = sizeof texts / sizeof texts[0], MESSAGES = 300 };

static int find(void *self, uint32_t number, Arena *arena, const AvroType **out, const char **why, SiltErr *err)
{
    const AvroType **types = self;

    (void)arena, (void)err;
    *why = "unknown";
    if (number >= SCHEMAS)
        return FORMAT_NO_SCHEMA;
    *out = types[number];
    return 0;
}

/* What a row has in its list is behind what the row before it has: of values that broke nothing is left. */
static void check_lists(const Column *column, int rows)
{
    const ChunkList *lists = column->data;
    uint64_t end = 0;

    for (int i = 0; i < rows; i++) {
        if (column_is_null(column, (uint64_t)i))
            continue;
        silt_assert(lists[i].offset == end);
        end += lists[i].length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    Arena *arena = arena_new();
    const AvroType *types[SCHEMAS], *reader;
    FormatOptions options;
    FormatGiven given[MESSAGES];
    FormatDecoder *decoder;
    SiltErr err;
    uint32_t count = 0;

    format_options_init(&options);
    for (int i = 0; i < SCHEMAS; i++)
        silt_assert(avro_type_parse(arena, str_of(texts[i]), &types[i], &err) == 0);
    reader = types[data[0] & 2 ? 2 : 0];
    FormatSchemas schemas = {types, find};
    options.avro_is_record = true;
    options.avro_reader = data[0] & 4 ? reader : NULL;
    options.avro_schemas = data[0] & 1 ? &schemas : NULL;
    options.avro_written = types[data[0] >> 3 & 1];
    options.mode_text = data[0] & 16 ? "PERMISSIVE" : data[0] & 32 ? "DROPMALFORMED" : NULL;
    silt_assert(format_avro_message.check(&options, arena, &err) == 0);
    const Type *schema = avro_type_spark(reader, arena), **columns = ARENA_ARRAY(arena, const Type *, schema->field_count + 1);
    for (int i = 0; i < schema->field_count; i++)
        columns[i] = schema->fields[i].type;
    columns[schema->field_count] = type_simple(TYPE_STRING);
    FormatTarget target = {.schema = schema,
                           .rescued_column = data[0] & 64 ? schema->field_count : -1, .corrupt_column = -1, .types = columns, .column_count = schema->field_count + 1};
    char *copy = malloc(size + FORMAT_PADDING);
    memcpy(copy, data + 1, size - 1);
    memset(copy + size - 1, 0, FORMAT_PADDING + 1);
    for (uint32_t i = 0; i < size && count < MESSAGES; i++)
        if ((unsigned char)copy[i] == 0xFE || i == size - 1) {
            given[count] = (FormatGiven){count, i, false};
            count++;
        }
    FormatBlock block = {.ptr = copy, .size = given[count - 1].end, .source_name = "t-0", .given = given, .given_count = count};
    silt_assert(format_avro_message.decoder_new(&options, &target, NULL, &decoder, &err) == 0);
    format_avro_message.decoder_begin(decoder, &block);
    for (;;) {
        Chunk *chunk;
        int rows;
        silt_assert(format_avro_message.decoder_next(decoder, &chunk, &rows, &err) == 0);
        if (!chunk)
            break;
        chunk_seal(chunk, rows);
        for (int i = 0; i < schema->field_count; i++)
            if (schema->fields[i].type->kind == TYPE_ARRAY || schema->fields[i].type->kind == TYPE_MAP)
                check_lists(chunk_column(chunk, i), rows);
        chunk_unref(chunk);
    }
    const FormatCounts *counts = format_avro_message.decoder_counts(decoder);
    silt_assert(counts->records == count && counts->records == counts->rows + counts->undecodable + counts->dropped); /* F1, F4 */
    format_avro_message.decoder_free(decoder);
    free(copy);
    arena_free(arena);
    return 0;
}
