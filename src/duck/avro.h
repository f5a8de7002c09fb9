#pragma once
/* duck/avro.h - schemas of Avro, and the types that Spark gives them */
#include "base/json.h"
#include "duck/type.h"

typedef enum AvroKind {
    AVRO_NULL,
    AVRO_BOOLEAN,
    AVRO_INT,
    AVRO_LONG,
    AVRO_FLOAT,
    AVRO_DOUBLE,
    AVRO_BYTES,
    AVRO_STRING,
    AVRO_FIXED,
    AVRO_ENUM,
    AVRO_ARRAY,
    AVRO_MAP,
    AVRO_UNION,
    AVRO_RECORD,
} AvroKind;

typedef enum AvroLogical {
    AVRO_PLAIN,
    AVRO_DECIMAL,
    AVRO_DATE,
    AVRO_MILLIS, /* instant */
    AVRO_MICROS,
    AVRO_LOCAL_MILLIS, /* without a zone */
    AVRO_LOCAL_MICROS,
} AvroLogical;

typedef struct AvroType AvroType;
struct AvroType {
    AvroKind kind;
    AvroLogical logical;
    int precision, scale; /* AVRO_DECIMAL */
    int64_t size;         /* FIXED */
    const char *name;     /* full name of what has one; else NULL */
    const char **names;   /* RECORD: fields; ENUM: symbols */
    AvroType **children;  /* RECORD, UNION; ARRAY, MAP: one */
    int count;            /* of names or children */
    /* What matters in a reader's schema only. JSON of the schema, which lives as long as the type. */
    const Json *aliases;         /* other names of what has one; NULL: none */
    const Json **field_aliases;  /* RECORD: per field; NULL: none */
    const Json **field_defaults; /* RECORD: per field; NULL: none. A default of null is a value */
    const char *enum_default;    /* ENUM: for symbols that it lacks; NULL: none */
    bool open;            /* still being read: a use of it is a recursion */
};

/* An Avro schema as JSON text. Fails as INPUT. */
int avro_type_parse(Arena *arena, Str json, const AvroType **out, SiltErr *err);
/* A record of one field `value` for a type that is none, whose bytes are the same; else the type itself. In arena. */
const AvroType *avro_as_record(Arena *arena, const AvroType *type);
/* Spark's type of it; NULL for a plain null. */
const Type *avro_type_spark(const AvroType *type, Arena *arena);
/* The branch of a union that is not null when there is just one; else -1. */
int avro_only_branch(const AvroType *type);
/* Is this union STRUCT<member0, member1, ...> in Spark? */
bool avro_is_struct_union(const AvroType *type);
/* "int", "record \"a.R\"": for messages. */
const char *avro_type_text(const AvroType *type, Arena *arena);

/* A zigzag number at *p: false when it does not end before `end`. */
static inline bool avro_long(const char **p, const char *end, int64_t *out)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 70 && *p < end; shift += 7) {
        unsigned char c = (unsigned char)*(*p)++;
        value |= shift < 64 ? (uint64_t)(c & 0x7f) << shift : 0;
        if (c < 0x80) {
            *out = (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
            return true;
        }
    }
    return false;
}
