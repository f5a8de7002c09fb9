/*
 * format/protobuf_message.c - Protobuf values of messages: each is one message of one type, whose descriptors are known (duck/protobuf.h)
 *
 *   M1  A value is a row, or is bad: as from_protobuf reads it.
 */
#include "format/format.h"

#include "duck/avro_value.h"
#include "duck/protobuf.h"
#include "format/avro_rows.h"

typedef struct ProtobufDecoder {
    const FormatOptions *options;
    const FormatTarget *target;
    FormatSink sink;
    Arena *arena, *scratch; /* scratch: of one value */
    FormatCounts counts;
    FormatBlock block;
    uint32_t given_next;
    AvroPlace *place;
    Chunk *chunk;
    Str record; /* the current one */
    int64_t position;
} ProtobufDecoder;

enum { ROW_MADE, ROW_NONE };

/* ---- rows ---- */

static int put_bad(ProtobufDecoder *d, const char *reason, SiltErr *err)
{
    FormatBadRecord bad = {.source = d->block.source,
                           .position = d->position,
                           .length = d->block.unusable ? d->block.unusable_length : (int64_t)d->record.size,
                           .reason = reason,
                           .bytes = d->record};

    return d->sink.put && d->sink.put(d->sink.self, &bad, err) < 0 ? -1 : ROW_NONE;
}

static int put_nulls(ProtobufDecoder *d, uint64_t row)
{
    for (int i = 0; i < d->target->schema->field_count; i++)
        avro_set_null(d->place->children[i].column, row);
    return ROW_MADE;
}

static int bad_record(ProtobufDecoder *d, uint64_t row, const char *reason, SiltErr *err)
{
    if (d->options->mode == FORMAT_MODE_FAIL) {
        format_refuse(&d->block, d->position, reason, err);
        return silt_code(err, "MALFORMED_PROTOBUF_MESSAGE");
    }
    if (d->options->mode == FORMAT_MODE_PERMISSIVE) { /* makes a row, so it is not counted as undecodable (F1) */
        d->counts.misfit_fields += d->target->schema->field_count;
        return put_nulls(d, row);
    }
    d->counts.undecodable++;
    return put_bad(d, reason, err);
}

static bool put_fields(ProtobufDecoder *d, const ProtoNode *node, uint64_t row, const char **why)
{
    const ProtoPlan *plan = d->options->proto_plan;

    avro_place_mark(d->place);
    for (int i = 0; i < plan->count; i++) {
        bool needed = !d->target->needed || d->target->needed[i];
        if (proto_put_member(d->scratch, plan, i, needed ? node : NULL, &d->place->children[i], row, why))
            continue;
        avro_place_undo(d->place);
        return false;
    }
    return true;
}

/* The next record into this row. ROW_MADE, ROW_NONE, or < 0. */
static int next_row(ProtobufDecoder *d, uint64_t row, SiltErr *err)
{
    const FormatGiven *given = &d->block.given[d->given_next];
    const char *start = d->given_next ? d->block.ptr + given[-1].end + 1 : d->block.ptr, *why = NULL;

    d->given_next++;
    d->position = given->position;
    d->record = (Str){start, (size_t)(d->block.ptr + given->end - start)};
    d->counts.records++;
    if (d->block.unusable)
        return bad_record(d, row, d->block.unusable, err);
    if (given->is_null)
        return put_nulls(d, row);
    arena_reset(d->scratch);
    const ProtoNode *node = proto_read(d->scratch, d->options->proto_plan->message, d->record, &why);
    return node && put_fields(d, node, row, &why) ? ROW_MADE : bad_record(d, row, why, err);
}

/* ---- FormatOps ---- */

static int decoder_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err)
{
    (void)err;
    Arena *arena = arena_new();
    ProtobufDecoder *d = ARENA_NEW(arena, ProtobufDecoder);

    *d = (ProtobufDecoder){.options = options, .target = target, .arena = arena, .scratch = arena_new(), .place = avro_place_new(arena, target->schema)};
    if (sink)
        d->sink = *sink;
    *out = (FormatDecoder *)d;
    return 0;
}

static void decoder_free(FormatDecoder *decoder)
{
    ProtobufDecoder *d = (ProtobufDecoder *)decoder;

    if (!d)
        return;
    chunk_unref(d->chunk);
    arena_free(d->scratch);
    arena_free(d->arena);
}

static void decoder_begin(FormatDecoder *decoder, const FormatBlock *block)
{
    ProtobufDecoder *d = (ProtobufDecoder *)decoder;

    silt_assert(block->given);
    d->block = *block;
    d->given_next = 0;
}

static int decoder_next(FormatDecoder *decoder, Chunk **out, int *rows, SiltErr *err)
{
    ProtobufDecoder *d = (ProtobufDecoder *)decoder;
    uint64_t row = 0;

    *out = NULL;
    *rows = 0;
    if (!d->chunk) { /* else the one that the last block left empty */
        d->chunk = chunk_new(d->target->types, d->target->column_count);
        avro_rows_bind(d->place, d->chunk);
    }
    while (row < CHUNK_ROWS_MAX && d->given_next < d->block.given_count) {
        int made = next_row(d, row, err);
        if (made < 0) {
            chunk_unrefp(&d->chunk);
            return -1;
        }
        if (made == ROW_NONE)
            continue;
        chunk_origins_mut(d->chunk)[row] = (ChunkOrigin){d->block.source, d->position};
        row++;
    }
    if (row == 0)
        return 0;
    avro_rows_settle(d->place);
    d->counts.rows += (int64_t)row;
    *out = d->chunk;
    *rows = (int)row;
    d->chunk = NULL;
    return 0;
}

static const FormatCounts *decoder_counts(const FormatDecoder *decoder)
{
    return &((const ProtobufDecoder *)decoder)->counts;
}

/* proto_plan is the caller's to set. */
static int check(FormatOptions *options, Arena *arena, SiltErr *err)
{
    (void)arena, (void)err;
    format_settle_mode(options);
    return 0;
}

static const Type *schema(const FormatOptions *options, const void *head)
{
    (void)head;
    return options->proto_plan->type;
}

#define AT(field) offsetof(FormatOptions, field)

static const OptionRow protobuf_options[] = {
    {"messageName", OPTION_TEXT, AT(proto_message), 0, NULL, NULL, "the message that values are, with its package or without"},
    {"descFilePath", OPTION_TEXT, AT(proto_file), 0, NULL, NULL, "its descriptors: what `protoc --include_imports --descriptor_set_out` writes"},
    {"mode", OPTION_TEXT, AT(mode_text), 0, "PERMISSIVE|DROPMALFORMED|FAILFAST", NULL, "what a value that cannot be read makes of the read; without it such values go to the dead letters"},
    {"maxRecordSize", OPTION_BYTES, AT(record_bytes_max), 1, NULL, NULL, "a longer value cannot be read; 128m"},
    {"emit.default.values", OPTION_BOOL, AT(proto_emit_defaults), 0, NULL, "false", "fields of proto3 that hold their default are that, not NULL"},
    {"enums.as.ints", OPTION_BOOL, AT(proto_enums_as_ints), 0, NULL, "false", "enums are their numbers, not their names"},
    {"upcast.unsigned.ints", OPTION_BOOL, AT(proto_upcast_unsigned), 0, NULL, "false", "uint32 is BIGINT, uint64 DECIMAL(20,0)"},
    {"unwrap.primitive.wrapper.types", OPTION_BOOL, AT(proto_unwrap_wrappers), 0, NULL, "false", "google.protobuf.Int32Value and the like are what they hold"},
    {"retain.empty.message.types", OPTION_BOOL, AT(proto_retain_empty), 0, NULL, "false", "a message without fields is a STRUCT with one that is NULL"},
    {"recursive.fields.max.depth", OPTION_COUNT, AT(proto_depth_max), 1, NULL, NULL, "how deep messages that hold themselves are followed, 1 to 10"},
    {"convert.any.fields.to.json", OPTION_LATER, 0, 0, NULL, NULL, "google.protobuf.Any is a STRUCT of type_url and value."},
    {0},
};

const FormatOps format_protobuf_message = {
    .name = "protobuf",
    .summary = "Protobuf values, by descriptors",
    .options = protobuf_options,
    .check = check,
    .decoder_new = decoder_new,
    .decoder_begin = decoder_begin,
    .decoder_next = decoder_next,
    .decoder_counts = decoder_counts,
    .decoder_free = decoder_free,
    .schema = schema,
};
