/* source/given.c - see given.h */
#include "source/given.h"

#include <strings.h>

int given_parse(Arena *arena, const char *what, const char *shown, const char *ddl, SiltPos pos, const Type **out, SiltErr *err)
{
    SiltErr inner;

    if (type_parse_ddl(arena, str_of(ddl), false, out, &inner) == 0)
        return 0;
    silt_fail_at(err, SILT_CONFIG, pos, "%s => '%s': %s", what, shown, inner.message);
    return inner.hint[0] ? silt_hint(err, "%s", inner.hint) : -1;
}

/* One name in two spellings: DuckDB's structs and Spark's tables cannot tell them apart. */
int given_check_names(const Source *source, const Type *schema, const char *rescued, SiltPos pos, SiltErr *err)
{
    for (int i = 0; i < schema->field_count; i++) {
        const char *name = schema->fields[i].name;
        bool taken = !strcasecmp(name, "_metadata") || (rescued && !strcasecmp(name, rescued));
        for (int k = 0; k < i && !taken; k++)
            taken = !strcasecmp(name, schema->fields[k].name);
        if (taken)
            return silt_fail_at(err, SILT_CONFIG, pos, "the schema of %s has the column \"%s\" twice", source->name, name);
    }
    return 0;
}

int given_check_types(const FormatOps *format, const FormatOptions *options, const Type *schema, SiltPos pos, SiltErr *err)
{
    FormatTarget target = {.schema = schema, .rescued_column = -1, .corrupt_column = -1};
    FormatDecoder *decoder;
    SiltErr inner;

    if (!format->decoder_new) /* Parquet */
        return 0;
    if (format->decoder_new(options, &target, NULL, &decoder, &inner) < 0)
        return silt_fail_at(err, inner.kind, pos, "%s", inner.message);
    format->decoder_free(decoder);
    return 0;
}
