#pragma once
/*
 * source/parquet_value.h - values of a Parquet file as the schema's, and what the schema has no place for as rescued data: SQL for DuckDB
 *
 * A file's type and the schema's are matched field by field, inside of structs, lists and maps too. Fields of files go by their place, never by
 * their name: DuckDB's names know no case, and it gives the second of two that differ by case another one.
 *
 *   V1  A value is the schema's exactly, or NULL where the types do not fit; it is never rounded, cut or moved to another zone.
 *   V2  What is not in the value is in the rescued data: a file's value is lost only if both are left out.
 *   V3  A VARIANT is what a file marks as one, and a struct of its parts where the schema wants a VARIANT.
 */
#include "duck/type.h"
#include "format/format.h"

/* Field of `in` that serves a column or field of this name, -1: none. by_case: only one of this very spelling; else also another, if there is none. */
int parquet_match(const Type *in, const char *name, bool by_case);

/* Does every value of the file's type `from` have its like in `to`, or does a part of it not fit? Fields that `to` lacks are no matter. */
bool parquet_fits(const Type *from, const Type *to, bool by_case);

/* The value that the SQL text `value` gives, of the file's type `from`, as a value of type `to`; NULL, there or inside, where it does not fit. */
void parquet_put_value(StrBuf *out, const char *value, const Type *from, const Type *to, bool by_case);

/*
 * The rescued data of a row: a JSON object with the fields of `from` (STRUCT: the file) that `to` (STRUCT: the schema) lacks or whose type does not fit,
 * nested as in the file, and _file_path; NULL if there are none. columns: the prefix of the file's columns, f1, f2 ...; path: SQL of the path as JSON.
 * An array or map is there whole if a part of it is.
 */
void parquet_put_rescued(StrBuf *out, const char *columns, const Type *from, const Type *to, bool by_case, const char *path);

/* The fields of `type`, inside too, of which no two names differ by case only: the first stays. The same pointer if there are none. */
const Type *parquet_without_twins(const Type *type, Arena *arena);

/* The fields of `type`, inside too, that have a type yet: not those of pandas' type null, nor what holds nothing else. The same pointer if all have one. */
const Type *parquet_without_void(const Type *type, Arena *arena);

/*
 * `known` with the fields that it lacks of `found`, inside too; the same pointer if there are none. Of fields that both have the type becomes what
 * wider says (NULL: it stays).
 */
const Type *parquet_add_fields(const Type *known, const Type *found, bool by_case, FormatWider wider, Arena *arena);
