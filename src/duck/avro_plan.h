#pragma once
/*
 * duck/avro_plan.h - how a file's Avro schema serves the columns, found once for each file
 *
 * A plan says for each place of the schema that a file was written with where its values go, and whether they fit there. Where the user has given a schema to
 * read with (avroSchema), the two are resolved as the Avro specification says, with what Java does where it leaves room: names of records need not be
 * equal; of a union the branch of the same type is taken, and only then one that a value can be promoted to.
 */
#include "duck/avro.h"

#include "duck/chunk.h"

/* One place of the columns; what is written there is counted there, for several branches of a union may write to one list. */
typedef struct AvroPlace AvroPlace;
struct AvroPlace {
    const Type *type;
    Column *column; /* in the chunk that is being filled; NULL: nobody wants it */
    uint64_t used, reserved; /* ARRAY, MAP: rows of the children */
    uint64_t marked;         /* of used */
    bool has_lists;          /* it, or one below */
    AvroPlace *children;     /* STRUCT: fields; ARRAY: one; MAP: keys, values */
    int count;
};

typedef struct AvroPlan AvroPlan;

/* A field that the file lacks. */
typedef struct AvroMissing {
    int field;              /* in the place's struct */
    const AvroPlan *plan;   /* of its default; NULL: there is none, it is NULL */
    Str bytes;              /* the default, as Avro */
} AvroMissing;

struct AvroPlan {
    const AvroType *from;
    AvroPlace *to;        /* NULL: nobody wants it */
    bool fits;            /* a value of this kind has its like in `to` (a union: its branches say) */
    bool as_struct;       /* a union that is STRUCT(member0, ...) */
    bool implied;         /* no union, but one branch of the union that the reader has: children[0] */
    const char *refused;  /* a value here fails the read: why; NULL: it does not */
    AvroPlan *children;   /* as from->children */
    int count;            /* of them */
    int *fields;          /* RECORD: index in `to` for each of the file's fields, -1: none */
    AvroMissing *missing; /* RECORD: fields of `to` that the file lacks; as_struct: all members */
    int missing_count;
};

/* The places below a type, in arena. */
AvroPlace *avro_place_new(Arena *arena, const Type *type);
void avro_place_bind(AvroPlace *place, Column *column); /* to the columns of a new chunk; NULL: to none */
/* The children of lists hold exactly what was put there. */
void avro_place_settle(AvroPlace *place);
/* Remember what lists hold now, and go back to that: a value that turned out broken in the middle. */
void avro_place_mark(AvroPlace *place);
void avro_place_undo(AvroPlace *place);

/*
 * Fill in a plan, in arena, for values of type `from` that are to be read as `as` (NULL: as what they are) into `to` (NULL: into nothing). Fails as INPUT where the
 * two schemas do not resolve, with the field in the message.
 */
int avro_plan(Arena *arena, const AvroType *from, const AvroType *as, AvroPlace *to, AvroPlan *out, SiltErr *err);

/* Is each default of the schema a value of its field? Fails as INPUT. */
int avro_check_defaults(Arena *arena, const AvroType *type, SiltErr *err);
