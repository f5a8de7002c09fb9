#pragma once
/* duck/type.h - the data types of Silt: Spark's, with their physical form in a Chunk */
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"

typedef enum TypeKind {
    TYPE_VOID,          /* physical: none, all NULL        DuckDB: "NULL"                  */
    TYPE_BOOLEAN,       /* uint8_t 0 or 1                   BOOLEAN                         */
    TYPE_BYTE,          /* int8_t                           TINYINT                         */
    TYPE_SHORT,         /* int16_t                          SMALLINT                        */
    TYPE_INT,           /* int32_t                          INTEGER                         */
    TYPE_LONG,          /* int64_t                          BIGINT                          */
    TYPE_FLOAT,         /* float                            FLOAT                           */
    TYPE_DOUBLE,        /* double                           DOUBLE                          */
    TYPE_DECIMAL,       /* int16/32/64/128 by precision (4, 9, 18, 38)  DECIMAL(p,s)        */
    TYPE_STRING,        /* ChunkString, valid UTF-8         VARCHAR                         */
    TYPE_BINARY,        /* ChunkString                      BLOB                            */
    TYPE_DATE,          /* int32_t days since 1970-01-01    DATE                            */
    TYPE_TIMESTAMP,     /* int64_t microseconds UTC         TIMESTAMP WITH TIME ZONE        */
    TYPE_TIMESTAMP_NTZ, /* int64_t microseconds, no zone    TIMESTAMP                       */
    TYPE_TIME,          /* int64_t microseconds of the day  TIME                            */
    TYPE_INTERVAL_YM,   /* int32_t months                   INTEGER                         */
    TYPE_INTERVAL_DT,   /* int64_t microseconds             BIGINT                          */
    TYPE_INTERVAL,      /* Spark's calendar interval (make_interval): months, days, micros  INTERVAL */
    TYPE_VARIANT,       /* STRUCT(metadata BLOB, value BLOB) */
    TYPE_ARRAY,         /* offset and length into child 0   T[]                             */
    TYPE_MAP,           /* the same; children: key, value   MAP(K, V)                       */
    TYPE_STRUCT,        /* children: the fields             STRUCT(...)                     */
} TypeKind;

typedef struct Type Type;

typedef struct TypeField {
    const char *name;
    const Type *type;
    bool nullable;
    const char *comment; /* NULL: none */
    /* Other metadata of a Delta field as JSON object text, kept when rewritten; NULL: none */
    const char *metadata_json;
} TypeField;

/*
 * A type never changes once made, and lives in the arena it was made in (primitives: for ever), so pointers to it
 * may be shared freely within that lifetime. Equality is structural: type_equal().
 */
struct Type {
    TypeKind kind;
    uint8_t precision, scale;   /* DECIMAL; TYPE_TIME: precision */
    uint16_t collation;         /* STRING: duck/collation.h; 0 is UTF8_BINARY */
    uint8_t binding;            /* STRING: how much its collation counts beside another; no part of the type */
    uint8_t from_unit, to_unit; /* INTERVAL_YM: 0 year, 1 month; INTERVAL_DT: 0 day, 1 hour, 2 minute, 3 second */
    const Type *element;        /* ARRAY: element; MAP: value */
    bool element_nullable;      /* ARRAY: containsNull; MAP: valueContainsNull */
    const Type *key;            /* MAP */
    const TypeField *fields;    /* STRUCT; VARIANT: its parts in a Parquet file (duck/parquet_read.h), else none */
    int field_count;
};

/* Types without parameters. kind must not be DECIMAL, ARRAY, MAP or STRUCT. Intervals get their widest units. */
const Type *type_simple(TypeKind kind);
const Type *type_decimal(int precision, int scale); /* 1 <= precision <= 38, 0 <= scale <= precision; shared, lives for ever */
const Type *type_time(int precision); /* digits of a second, 0 to 6; shared, lives for ever */
/* How the collation of a string came about: by itself, by a column or a cast, by COLLATE. The stronger one holds where two meet. */
enum { COLLATION_DEFAULT, COLLATION_IMPLICIT, COLLATION_EXPLICIT };
const Type *type_collated(Arena *arena, int collation, int binding);
/* Is a string of another collation than UTF8_BINARY in it, itself or somewhere inside? */
bool type_has_collation(const Type *type);
const Type *type_array(Arena *arena, const Type *element, bool element_nullable);
const Type *type_map(Arena *arena, const Type *key, const Type *value, bool value_nullable);
const Type *type_struct(Arena *arena, const TypeField *fields, int field_count); /* fields are copied, names too */
const Type *type_interval_ym(int from_unit, int to_unit);
const Type *type_interval_dt(int from_unit, int to_unit);
enum { TYPE_DEPTH_MAX = 100 }; /* levels of a type in text and in a table; an int has 1, an array of it 2. Queries may make deeper ones */
int type_depth(const Type *type);
/* A deep copy into another arena. */
const Type *type_copy(Arena *arena, const Type *type);
/* A deep copy in which every nested part may be NULL. */
const Type *type_copy_nullable(Arena *arena, const Type *type);

/* Same type, ignoring comments and metadata; nullability of nested parts counts only when strict. Field names compare exactly. */
bool type_equal(const Type *a, const Type *b, bool strict);
/* Has it a struct without fields, itself or somewhere inside? DuckDB has none. */
bool type_has_empty_struct(const Type *type);
bool type_is_numeric(const Type *type);
bool type_is_integral(const Type *type);
/* Field by name without case, or -1; *ambiguous (NULL allowed) is set when more than one matches. */
int type_field_index(const Type *type, const char *name, bool *ambiguous);

/* Spark's text: "bigint", "decimal(10,2)", "array<struct<a:int>>" (catalogString, as SHOW and typeof print it). */
void type_print(StrBuf *out, const Type *type);
/*
 * The same as the end of a function's name ("silt_from_json:struct<A:int>~4"). DuckDB finds functions by names without case, and names of fields have one:
 * behind a ~ stand the letters that are capital ones, as bits of hexadecimal digits. Nothing stands there where all letters are small. Names that are more than
 * letters, digits and underscores are in backticks, and a double quote is written twice, for there are some around it.
 */
void type_print_in_name(StrBuf *out, const Type *type);
/* The type's text without what type_print_in_name() has put behind it. */
Str type_text_of_name(Str name);
const char *type_text(Arena *arena, const Type *type);
/* "STRUCT<a: BIGINT, b: ARRAY<DOUBLE>>": Spark's .sql, as its functions of schemas print it. */
void type_print_sql(StrBuf *out, const Type *type);
/* DuckDB's text, as used in CAST and CREATE TABLE: DECIMAL(10,2), STRUCT("a" INTEGER)[] ... */
void type_print_duck(StrBuf *out, const Type *type);
/* Is it the struct of two blobs that stands for a VARIANT inside of DuckDB? */
bool type_is_variant_parts(const Type *type);
/* The structure that DuckDB's from_json() wants for a type: an object for a struct, else DuckDB's text. */
void type_print_json_structure(JsonWriter *w, const Type *type);

/*
 * Spark DDL: "id BIGINT NOT NULL COMMENT 'x', tags ARRAY<STRING>" gives a struct, "BIGINT" the type itself when
 * allow_single is set. Errors carry line and column in text (pos.file = NULL).
 */
int type_parse_ddl(Arena *arena, Str text, bool allow_single, const Type **out, SiltErr *err);
/* Delta's and Spark's schema JSON, both ways; metadata objects are kept. */
int type_from_json(Arena *arena, Str text, const Type **out, SiltErr *err);
void type_to_json(StrBuf *out, const Type *type);
