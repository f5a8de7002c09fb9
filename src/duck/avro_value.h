#pragma once
/* duck/avro_value.h - values in Avro's binary form: into columns by a plan, into JSON, or stepped over */
#include "duck/avro_plan.h"

/* A place in the bytes, and what was met on the way there. */
typedef struct AvroCursor {
    const char *p, *stop;
    int64_t misfits;     /* values that their column cannot hold: NULL there */
    int64_t unknowns;    /* fields without a column; not those that are a NULL */
    const char *refusal; /* why the value at p fails the read; NULL: its bytes are broken */
} AvroCursor;

/* The bytes of a BYTES, STRING or FIXED, borrowed. False: there are not as many. */
static inline bool avro_bytes(AvroCursor *c, const AvroType *from, Str *out)
{
    int64_t size = from->size;

    if (from->kind != AVRO_FIXED && !avro_long(&c->p, c->stop, &size))
        return false;
    if (size < 0 || c->stop - c->p < size)
        return false;
    *out = (Str){c->p, (size_t)size};
    c->p += size;
    return true;
}

/* Walk over a value; out (NULL allowed) gets it as JSON. False: the bytes are no such value. */
bool avro_skip(AvroCursor *c, const AvroType *from, StrBuf *out);

/* The value at c->p into the plan's place. False: its bytes are broken, or c->refusal. *fits = false: it was stepped over and is NULL. */
bool avro_put(AvroCursor *c, const AvroPlan *plan, uint64_t row, bool *fits);
/* A field that the written schema lacks, into its column: its default, or NULL. */
bool avro_put_missing(AvroCursor *c, const AvroMissing *missing, Column *column, uint64_t row);
void avro_set_null(Column *column, uint64_t row);
/* What stands for a value that cannot be read, as Spark has it: of a record the fields are NULL, any other value is. */
void avro_set_nothing(Column *column, uint64_t row);

/* A decimal's big-endian bytes, brought to another scale: false when it does not fit the precision. */
bool avro_decimal(Str bytes, const AvroType *from, const Type *to, __int128 *out);
