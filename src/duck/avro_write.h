#pragma once
/* duck/avro_write.h - values of columns in Avro's binary form */
#include "duck/avro.h"
#include "duck/chunk.h"

/* The schema that Spark writes values of a type with, as JSON: unions with null behind where there may be one. Fails as INPUT for types that Avro lacks. */
int avro_schema_put(StrBuf *out, const Type *type, bool nullable, SiltErr *err);

typedef struct AvroWrite AvroWrite;

/*
 * How values of `type` are written as `to`, in arena, as long as both: fields by their name without case. Fails as INPUT where Spark does not write the one as the
 * other.
 */
int avro_write_new(Arena *arena, const Type *type, const AvroType *to, AvroWrite **out, SiltErr *err);
/* The value of a row, which may be NULL, behind what is in out. NULL, or why it cannot be written: one line, in arena or for ever. */
const char *avro_write(const AvroWrite *write, const Column *column, uint64_t row, Arena *arena, StrBuf *out);
