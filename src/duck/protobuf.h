#pragma once
/*
 * duck/protobuf.h - messages of Protocol Buffers: their descriptors, the types that Spark gives them, and values in their binary form
 *
 * A descriptor set (what `protoc --descriptor_set_out --include_imports` writes) is read once in the life of the process and named by a number, so that a
 * printed call holds no descriptors. How a message becomes a STRUCT is a plan, made once for a call.
 */
#include "base/arena.h"
#include "base/err.h"
#include "duck/avro_plan.h"

#include <stdbool.h>

/* ---- descriptors ---- */

/* FieldDescriptorProto.Type. */
typedef enum ProtoKind {
    PROTO_DOUBLE = 1,
    PROTO_FLOAT,
    PROTO_INT64,
    PROTO_UINT64,
    PROTO_INT32,
    PROTO_FIXED64,
    PROTO_FIXED32,
    PROTO_BOOL,
    PROTO_STRING,
    PROTO_GROUP,
    PROTO_MESSAGE,
    PROTO_BYTES,
    PROTO_UINT32,
    PROTO_ENUM,
    PROTO_SFIXED32,
    PROTO_SFIXED64,
    PROTO_SINT32,
    PROTO_SINT64,
} ProtoKind;

typedef struct ProtoEnum {
    const char *name, *full_name;
    const char **names;
    int32_t *numbers;
    int count;
    bool closed; /* proto2: a number without a name is an unknown field */
} ProtoEnum;

typedef struct ProtoMessage ProtoMessage;

/* A value of a field: numbers as 64 bits (signed ones extended, float and double as their bits), text and bytes, or a message. */
typedef union ProtoCell {
    uint64_t number;
    Str bytes;
    struct ProtoNode *node;
} ProtoCell;

typedef struct ProtoField {
    const char *name;
    int32_t number;
    ProtoKind kind;
    bool repeated, required, packed;
    bool presence;    /* whether it was set can be told from its default value */
    bool has_default; /* proto2: `initial` was given */
    bool strict_text; /* proto3: text must be UTF-8 */
    int oneof;        /* index in its message, -1: none */
    ProtoCell initial; /* what it has when it is not set; not for messages */
    const ProtoMessage *message; /* MESSAGE, GROUP */
    const ProtoEnum *symbols;    /* ENUM */
    const char *type_name;       /* while a set is read */
} ProtoField;

struct ProtoMessage {
    const char *name, *full_name;
    ProtoField *fields; /* as declared */
    int count;
    const int *by_number; /* indexes of fields, by their numbers */
    bool is_entry;        /* of a map */
};

typedef struct ProtoSet {
    int number; /* in this process */
    const ProtoMessage **tops; /* messages that are in no other, in the order of files and declarations */
    int top_count;
} ProtoSet;

/*
 * The set that these bytes are, which lives as long as the process; the same bytes are the same set. Fails as CONFIG, with Spark's class: no descriptors, a file that
 * another one imports is missing, editions.
 */
int proto_set_open(Str bytes, const ProtoSet **out, SiltErr *err);
/* The same in arena, and without a number: for a test. */
int proto_set_read(Arena *arena, Str bytes, ProtoSet *out, SiltErr *err);
const ProtoSet *proto_set_of_number(int number); /* NULL: there is none such */
/* The first message that is in no other and has this name, with its package or without. NULL: there is none. */
const ProtoMessage *proto_set_find(const ProtoSet *set, const char *name);

const ProtoField *proto_field(const ProtoMessage *message, int32_t number); /* NULL: there is none */

/* ---- types ---- */

/* Options of Spark's protobuf functions that change types or values. */
typedef struct ProtoOptions {
    bool enums_as_ints, emit_defaults, upcast_unsigned, unwrap_wrappers, retain_empty;
    int depth_max; /* recursive.fields.max.depth; -1: recursion is refused */
} ProtoOptions;

/* As one number, for a printed call; and back. */
int64_t proto_options_pack(const ProtoOptions *options);
ProtoOptions proto_options_unpack(int64_t packed);

typedef enum ProtoForm {
    PROTO_AS_VALUE,
    PROTO_AS_STRUCT,
    PROTO_AS_TIMESTAMP, /* google.protobuf.Timestamp */
    PROTO_AS_INTERVAL,  /* google.protobuf.Duration */
    PROTO_AS_MAP,       /* plan: of its entries, a STRUCT of key and value */
    PROTO_AS_WRAPPED,   /* a google.protobuf.Int32Value and the like: members[0] of plan */
    PROTO_AS_EMPTY,     /* a message without fields: a STRUCT with a field that is NULL */
} ProtoForm;

typedef struct ProtoPlan ProtoPlan;

typedef struct ProtoMember {
    const ProtoField *field;
    int index; /* of field in its message */
    ProtoForm form;
    const Type *type;      /* of one value */
    const ProtoPlan *plan; /* STRUCT, MAP, WRAPPED */
} ProtoMember;

struct ProtoPlan {
    const ProtoMessage *message;
    const Type *type; /* a STRUCT, with a field for each member */
    ProtoMember *members;
    int count;
    bool emit_defaults;
};

/* How a message becomes a STRUCT, in arena. Fails as CONFIG, with Spark's class: recursion, no fields. */
int proto_plan(Arena *arena, const ProtoMessage *message, const ProtoOptions *options, const ProtoPlan **out, SiltErr *err);

/* ---- values ---- */

typedef struct ProtoSlot {
    int count, capacity;
    ProtoCell one;   /* of a field that is not repeated */
    ProtoCell *many; /* of one that is */
} ProtoSlot;

/* A message that was read. */
typedef struct ProtoNode {
    const ProtoMessage *message;
    ProtoSlot *slots; /* per field */
} ProtoNode;

/* Read a message, in arena; texts lie in bytes. NULL with *why not, as Java's library takes it: broken bytes, a field of another type, a required field that is missing. */
ProtoNode *proto_read(Arena *arena, const ProtoMessage *message, Str bytes, const char **why);

/* A message into a row of the columns of a STRUCT. False: a value that its column cannot hold, *why; the place is to be undone. arena: for texts that are mended. */
bool proto_put(Arena *arena, const ProtoPlan *plan, const ProtoNode *node, AvroPlace *place, uint64_t row, const char **why);
/* The same of one member into its own place, as of a chunk whose columns are the members. node NULL: NULL. */
bool proto_put_member(Arena *arena, const ProtoPlan *plan, int member, const ProtoNode *node, AvroPlace *place, uint64_t row, const char **why);
