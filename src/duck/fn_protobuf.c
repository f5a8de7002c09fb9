/* duck/fn_protobuf.c - from_protobuf: messages of Protobuf in a column. A call names its set of descriptors by the number that it has in this process. */
#include "duck/avro_value.h"
#include "duck/fn_text.h"
#include "duck/protobuf.h"

enum { ARG_VALUE, ARG_SET, ARG_NAME, ARG_OPTIONS, ARG_PERMISSIVE };

typedef struct Reading {
    const ProtoPlan *plan;
    bool permissive;
} Reading;

/* The message that arguments 1 and 2 name. */
static int find_message(const FnCall *call, const ProtoMessage **out, SiltErr *err)
{
    const Column *number = &call->constants[ARG_SET], *name = &call->constants[ARG_NAME];

    if (!number->type || column_is_null(number, 0) || !name->type || column_is_null(name, 0))
        return silt_fail(err, SILT_CONFIG, "the descriptors of %s must be constant", call->function->name);
    const ProtoSet *set = proto_set_of_number(int_at(number, 0));
    *out = set ? proto_set_find(set, arena_str(call->arena, text_at(name, 0)).ptr) : NULL;
    return *out ? 0 : silt_fail(err, SILT_CONFIG, "%s names a message that this process does not know", call->function->name);
}

/* ---- silt_from_protobuf:TYPE(bytes, set, message, options, permissive) ---- */

static int prepare_from(FnCall *call, SiltErr *err)
{
    Reading *reading = ARENA_NEW(call->arena, Reading);
    const ProtoMessage *message;

    call->data = reading;
    SILT_TRY(find_message(call, &message, err));
    ProtoOptions options = proto_options_unpack(long_at(&call->constants[ARG_OPTIONS], 0));
    reading->permissive = ((const bool *)call->constants[ARG_PERMISSIVE].data)[0];
    return proto_plan(call->arena, message, &options, &reading->plan, err);
}

static int from_protobuf(FnCall *call, const Column *args, Column *out, int rows)
{
    const Reading *reading = call->data;
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(arena_freep) Arena *scratch = arena_new(); /* of one message */
    AvroPlace *place = avro_place_new(arena, out->type);

    avro_place_bind(place, out);
    FN_ROWS(row, out, rows)
    {
        const char *why = NULL;
        arena_reset(scratch);
        const ProtoNode *node = proto_read(scratch, reading->plan->message, text_at(&args[ARG_VALUE], row), &why);
        avro_place_mark(place);
        if (node && proto_put(scratch, reading->plan, node, place, (uint64_t)row, &why))
            continue;
        avro_place_undo(place);
        if (!reading->permissive)
            return fn_fail(call, row, "MALFORMED_PROTOBUF_MESSAGE", "from_protobuf: the bytes are no message \"%s\": %s; with map('mode', 'PERMISSIVE') such a value is NULL",
                           reading->plan->message->full_name, why);
        avro_set_nothing(out, (uint64_t)row);
    }
    avro_place_settle(place);
    return 0;
}

const DuckFunction fn_protobuf[] = {
    {.name = "silt_from_protobuf", .args = "binary, int, string, bigint, boolean", .result = NULL, .flags = FN_FAILS, .eval = from_protobuf, .prepare = prepare_from},
    {0},
};
