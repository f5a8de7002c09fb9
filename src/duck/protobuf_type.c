/* duck/protobuf_type.c - messages of Protobuf as types of Spark, as its SchemaConverters makes them: the plan of a message */
#include "duck/protobuf.h"

#include <string.h>

/* Messages that lie around the one that is looked at. */
typedef struct Around {
    const ProtoMessage *message;
    const struct Around *outer;
} Around;

typedef struct Planner {
    Arena *arena;
    const ProtoOptions *options;
    SiltErr *err;
} Planner;

enum { NO_FIELDS = 1, RECURSION_MAX = 10, NESTED_MAX = 200, FLAG_ENUMS = 1, FLAG_DEFAULTS = 2, FLAG_UPCAST = 4, FLAG_UNWRAP = 8, FLAG_RETAIN = 16, DEPTH_SHIFT = 8 };

int64_t proto_options_pack(const ProtoOptions *o)
{
    int flags = (o->enums_as_ints ? FLAG_ENUMS : 0) | (o->emit_defaults ? FLAG_DEFAULTS : 0) | (o->upcast_unsigned ? FLAG_UPCAST : 0) |
                (o->unwrap_wrappers ? FLAG_UNWRAP : 0) | (o->retain_empty ? FLAG_RETAIN : 0);

    return flags | (int64_t)(o->depth_max + 1) << DEPTH_SHIFT;
}

ProtoOptions proto_options_unpack(int64_t packed)
{
    return (ProtoOptions){.enums_as_ints = packed & FLAG_ENUMS,
                          .emit_defaults = packed & FLAG_DEFAULTS,
                          .upcast_unsigned = packed & FLAG_UPCAST,
                          .unwrap_wrappers = packed & FLAG_UNWRAP,
                          .retain_empty = packed & FLAG_RETAIN,
                          .depth_max = (int)(packed >> DEPTH_SHIFT) - 1};
}

static const Type *scalar_type(const ProtoField *field, const ProtoOptions *options)
{
    switch (field->kind) {
    case PROTO_DOUBLE:
        return type_simple(TYPE_DOUBLE);
    case PROTO_FLOAT:
        return type_simple(TYPE_FLOAT);
    case PROTO_UINT64:
        return options->upcast_unsigned ? type_decimal(20, 0) : type_simple(TYPE_LONG);
    case PROTO_INT64:
    case PROTO_FIXED64:
    case PROTO_SFIXED64:
    case PROTO_SINT64:
        return type_simple(TYPE_LONG);
    case PROTO_BOOL:
        return type_simple(TYPE_BOOLEAN);
    case PROTO_STRING:
        return type_simple(TYPE_STRING);
    case PROTO_BYTES:
        return type_simple(TYPE_BINARY);
    case PROTO_ENUM:
        return type_simple(options->enums_as_ints ? TYPE_INT : TYPE_STRING);
    case PROTO_UINT32:
        return type_simple(options->upcast_unsigned ? TYPE_LONG : TYPE_INT);
    default:
        return type_simple(TYPE_INT);
    }
}

/* Seconds and nanoseconds, under this name. */
static bool is_time(const ProtoMessage *message, const char *name)
{
    return !strcmp(message->name, name) && message->count == 2 && !strcmp(message->fields[0].name, "seconds") && !strcmp(message->fields[1].name, "nanos") &&
           message->fields[0].kind == PROTO_INT64 && message->fields[1].kind == PROTO_INT32 && !message->fields[0].repeated && !message->fields[1].repeated;
}

static bool is_wrapper(const ProtoMessage *message)
{
    static const char *const names[] = {"BoolValue", "BytesValue", "DoubleValue", "FloatValue", "Int32Value", "Int64Value", "StringValue", "UInt32Value", "UInt64Value"};
    static const char package[] = "google.protobuf.";
    size_t size = sizeof package - 1;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(message->full_name, package, size) && !strcmp(message->full_name + size, names[i]) && message->count == 1 && !message->fields[0].repeated)
            return true;
    return false;
}

static int plan_message(Planner *p, const ProtoMessage *message, const Around *outer, ProtoPlan *out);

static int recursion(const Planner *p, const ProtoField *field)
{
    silt_fail(p->err, SILT_CONFIG, "message \"%s\" holds itself in field \"%s\"", field->message->full_name, field->name);
    silt_hint(p->err, "With recursive.fields.max.depth, from 1 to 10, it is followed so deep, and what lies deeper is left out.");
    return silt_code(p->err, "RECURSIVE_PROTOBUF_SCHEMA");
}

/* A message as a STRUCT: 0, NO_FIELDS: it has none, or none that are not too deep; < 0. */
static int plan_struct(Planner *p, const Around *outer, ProtoMember *out)
{
    const ProtoField *field = out->field;
    int depth = 0, all = 0;

    for (const Around *a = outer; a; a = a->outer, all++)
        depth += a->message == field->message;
    if (depth && (p->options->depth_max <= 0 || p->options->depth_max > RECURSION_MAX))
        return recursion(p, field);
    if (all > NESTED_MAX)
        return silt_fail(p->err, SILT_CONFIG, "message \"%s\" is nested too deep", field->message->full_name);
    if (depth && depth >= p->options->depth_max)
        return NO_FIELDS;
    ProtoPlan *plan = ARENA_NEW(p->arena, ProtoPlan);
    int r = plan_message(p, field->message, outer, plan);
    if (r < 0)
        return r;
    out->form = plan->count ? PROTO_AS_STRUCT : PROTO_AS_EMPTY;
    out->plan = plan;
    out->type = plan->type;
    if (plan->count)
        return 0;
    if (!p->options->retain_empty)
        return NO_FIELDS;
    TypeField dummy = {.name = "__dummy_field_in_empty_struct", .type = type_simple(TYPE_STRING), .nullable = true};
    out->type = type_struct(p->arena, &dummy, 1);
    return 0;
}

/* One field: 0, NO_FIELDS: it is left out; < 0. */
static int plan_field(Planner *p, const ProtoField *field, const Around *outer, ProtoMember *out)
{
    const ProtoMessage *message = field->message;

    *out = (ProtoMember){.field = field, .form = PROTO_AS_VALUE};
    if (!message) {
        out->type = scalar_type(field, p->options);
        return 0;
    }
    if (is_time(message, "Duration")) {
        out->form = PROTO_AS_INTERVAL;
        out->type = type_interval_dt(0, 3);
        return 0;
    }
    if (is_time(message, "Timestamp")) {
        out->form = PROTO_AS_TIMESTAMP;
        out->type = type_simple(TYPE_TIMESTAMP);
        return 0;
    }
    bool wrapped = p->options->unwrap_wrappers && is_wrapper(message);
    if (!wrapped && !(field->repeated && message->is_entry))
        return plan_struct(p, outer, out);
    ProtoPlan *plan = ARENA_NEW(p->arena, ProtoPlan);
    *plan = (ProtoPlan){.message = message, .members = ARENA_ARRAY(p->arena, ProtoMember, message->count), .count = message->count, .emit_defaults = p->options->emit_defaults};
    for (int i = 0; i < message->count; i++) {
        int r = plan_field(p, &message->fields[i], outer, &plan->members[i]);
        if (r)
            return r;
        plan->members[i].index = i;
    }
    out->plan = plan;
    out->form = wrapped ? PROTO_AS_WRAPPED : PROTO_AS_MAP;
    out->type = wrapped ? plan->members[0].type : type_map(p->arena, plan->members[0].type, plan->members[1].type, false);
    return 0;
}

static int plan_message(Planner *p, const ProtoMessage *message, const Around *outer, ProtoPlan *out)
{
    Around around = {message, outer};
    TypeField *fields = ARENA_ARRAY(p->arena, TypeField, message->count + 1);

    *out = (ProtoPlan){.message = message, .members = ARENA_ARRAY(p->arena, ProtoMember, message->count + 1), .emit_defaults = p->options->emit_defaults};
    for (int i = 0; i < message->count; i++) {
        ProtoMember *member = &out->members[out->count];
        int r = plan_field(p, &message->fields[i], &around, member);
        if (r < 0)
            return r;
        if (r == NO_FIELDS)
            continue;
        bool is_array = member->field->repeated && member->form != PROTO_AS_MAP;
        const Type *type = is_array ? type_array(p->arena, member->type, false) : member->type;
        member->index = i;
        fields[out->count++] = (TypeField){.name = member->field->name, .type = type, .nullable = is_array || member->form == PROTO_AS_MAP || !member->field->required};
    }
    out->type = type_struct(p->arena, fields, out->count);
    return 0;
}

int proto_plan(Arena *arena, const ProtoMessage *message, const ProtoOptions *options, const ProtoPlan **out, SiltErr *err)
{
    Planner planner = {arena, options, err};
    ProtoPlan *plan = ARENA_NEW(arena, ProtoPlan);

    SILT_TRY(plan_message(&planner, message, NULL, plan));
    if (!plan->count) {
        silt_fail(err, SILT_CONFIG, "message \"%s\" has no fields, and a STRUCT needs one", message->full_name);
        return silt_code(err, "UNSUPPORTED_FEATURE");
    }
    *out = plan;
    return 0;
}
