/*
 * duck/arrow_import.c - Arrow arrays as chunks
 *
 *   A2  Nothing that comes in is trusted but the lengths of buffers, which the interface does not tell.
 */
#include "duck/arrow_internal.h"

#include <string.h>

/* ---- schemas, in ---- */

/* Formats with 32-bit and 64-bit offsets are both fine. */
static bool format_fits(const Type *type, const char *format)
{
    silt_auto(str_buf_fini) StrBuf scratch = {0};

    switch (type->kind) {
    case TYPE_STRING:
        return !strcmp(format, "u") || !strcmp(format, "U");
    case TYPE_BINARY:
        return !strcmp(format, "z") || !strcmp(format, "Z");
    case TYPE_ARRAY:
        return !strcmp(format, "+l") || !strcmp(format, "+L");
    case TYPE_TIMESTAMP: /* an instant, whatever zone it is shown in */
        return !strncmp(format, "tsu:", 4) && format[4];
    case TYPE_DECIMAL: /* the width may be spelled out */
        return !strcmp(format, duck__arrow_format(type, &scratch)) ||
               (!strncmp(format, str_buf_text(&scratch), scratch.size) && !strcmp(format + scratch.size, ",128"));
    default:
        return !strcmp(format, duck__arrow_format(type, &scratch));
    }
}

static int check_type(const struct ArrowSchema *schema, const Type *type, const char *path, SiltErr *err);

static int check_children(const struct ArrowSchema *schema, int64_t count, const char *path, SiltErr *err)
{
    if (schema->n_children == count)
        return 0;
    return silt_fail(err, SILT_CONFIG, "column \"%s\" has %lld children instead of %lld", path, (long long)schema->n_children, (long long)count);
}

static int check_field(const struct ArrowSchema *schema, const char *name, const Type *type, const char *path, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf inner = {0};

    str_buf_printf(&inner, "%s%s%s", path, *path ? "." : "", name);
    if (!schema->name || strcmp(schema->name, name) != 0)
        return silt_fail(err, SILT_CONFIG, "column \"%s\" is named \"%s\"", str_buf_text(&inner), schema->name ? schema->name : "");
    return check_type(schema, type, str_buf_text(&inner), err);
}

static int check_type(const struct ArrowSchema *schema, const Type *type, const char *path, SiltErr *err)
{
    if (schema->dictionary || !schema->format || !format_fits(type, schema->format)) {
        silt_auto(str_buf_fini) StrBuf scratch = {0}, text = {0};
        type_print(&text, type);
        return silt_fail(err, SILT_CONFIG, "column \"%s\" comes in Arrow's format \"%s\"%s instead of \"%s\", that of %s", path,
                         schema->format ? schema->format : "", schema->dictionary ? " with a dictionary" : "", duck__arrow_format(type, &scratch),
                         str_buf_text(&text));
    }
    switch (type->kind) {
    case TYPE_ARRAY:
        SILT_TRY(check_children(schema, 1, path, err));
        return check_type(schema->children[0], type->element, path, err);
    case TYPE_MAP:
        SILT_TRY(check_children(schema, 1, path, err));
        SILT_TRY(check_children(schema->children[0], 2, path, err));
        SILT_TRY(check_type(schema->children[0]->children[0], type->key, path, err));
        return check_type(schema->children[0]->children[1], type->element, path, err);
    case TYPE_STRUCT:
        SILT_TRY(check_children(schema, type->field_count, path, err));
        for (int i = 0; i < type->field_count; i++)
            SILT_TRY(check_field(schema->children[i], type->fields[i].name, type->fields[i].type, path, err));
        return 0;
    case TYPE_VARIANT:
        SILT_TRY(check_children(schema, 2, path, err));
        SILT_TRY(check_field(schema->children[0], "metadata", type_simple(TYPE_BINARY), path, err));
        return check_field(schema->children[1], "value", type_simple(TYPE_BINARY), path, err);
    default:
        return 0;
    }
}

int arrow_check_schema(const struct ArrowSchema *schema, const char *const *names, const Type *const *types, int count, SiltErr *err)
{
    if (!schema->format || strcmp(schema->format, "+s") != 0)
        return silt_fail(err, SILT_CONFIG, "rows come in Arrow's format \"%s\" instead of a struct, \"+s\"", schema->format ? schema->format : "");
    if (schema->n_children != count)
        return silt_fail(err, SILT_CONFIG, "rows have %lld columns instead of %d", (long long)schema->n_children, count);
    for (int i = 0; i < count; i++)
        SILT_TRY(check_field(schema->children[i], names[i], types[i], "", err));
    return 0;
}

/* ---- rows, in ---- */

/* One array on its way in: its rows from `first` on, its own offset included. */
typedef struct Incoming {
    const struct ArrowSchema *schema; /* NULL: formats as they go out */
    const struct ArrowArray *array;
    int64_t first;
} Incoming;

static bool has_row(Incoming in, int64_t row)
{
    const uint8_t *bits = in.array->n_buffers ? in.array->buffers[0] : NULL;
    int64_t at = in.first + row;

    return !bits || (bits[at / 8] >> at % 8 & 1);
}

static Incoming incoming(const struct ArrowSchema *schema, const struct ArrowArray *array, int64_t first)
{
    return (Incoming){schema, array, array->offset + first};
}

static Incoming child_of(Incoming in, int i, int64_t first)
{
    return incoming(in.schema ? in.schema->children[i] : NULL, in.array->children[i], first);
}

static bool has_wide_offsets(Incoming in, const Type *type)
{
    if (type->kind == TYPE_MAP)
        return false;
    if (!in.schema)
        return type->kind != TYPE_ARRAY;
    const char *format = in.schema->format;
    return !strcmp(format, "U") || !strcmp(format, "Z") || !strcmp(format, "+L");
}

static int64_t offset_at(Incoming in, bool wide, int64_t row)
{
    int64_t at = in.first + row;

    return wide ? ((const int64_t *)in.array->buffers[1])[at] : ((const int32_t *)in.array->buffers[1])[at];
}

static int import_strings(Incoming in, Column *out, int64_t rows, SiltErr *err)
{
    bool wide = has_wide_offsets(in, out->type), text = out->type->kind == TYPE_STRING;
    const char *bytes = in.array->buffers[2];

    for (int64_t i = 0; i < rows; i++) {
        if (!has_row(in, i))
            continue;
        int64_t from = offset_at(in, wide, i), to = offset_at(in, wide, i + 1);
        if (from < 0 || to < from || to - from > INT32_MAX)
            return silt_fail(err, SILT_INPUT, "offsets of a string go from %lld to %lld", (long long)from, (long long)to);
        Str value = {bytes ? bytes + from : "", (size_t)(to - from)};
        if (text && !utf8_valid(value))
            return silt_fail(err, SILT_INPUT, "a string is not valid UTF-8");
        column_set_string(out, (uint64_t)i, value.ptr, value.size);
    }
    return 0;
}

static void import_booleans(Incoming in, Column *out, int64_t rows)
{
    const uint8_t *bits = in.array->buffers[1];
    uint8_t *to = out->data;

    for (int64_t i = 0; i < rows; i++)
        if (has_row(in, i))
            to[i] = bits[(in.first + i) / 8] >> (in.first + i) % 8 & 1;
}

static int import_decimals(Incoming in, Column *out, int64_t rows, SiltErr *err)
{
    const char *from = in.array->buffers[1];
    int precision = out->type->precision;
    int128 bound = 1;

    for (int i = 0; i < precision; i++)
        bound *= 10;
    for (int64_t i = 0; i < rows; i++) {
        int128 value;
        if (!has_row(in, i))
            continue;
        memcpy(&value, from + (size_t)(in.first + i) * sizeof value, sizeof value);
        if (value >= bound || value <= -bound)
            return silt_fail(err, SILT_INPUT, "a decimal has more than %d digits", precision);
        if (precision <= 4)
            ((int16_t *)out->data)[i] = (int16_t)value;
        else if (precision <= 9)
            ((int32_t *)out->data)[i] = (int32_t)value;
        else if (precision <= 18)
            ((int64_t *)out->data)[i] = (int64_t)value;
        else
            memcpy((char *)out->data + (size_t)i * sizeof value, &value, sizeof value);
    }
    return 0;
}

static int import_intervals(Incoming in, Column *out, int64_t rows, SiltErr *err)
{
    const ArrowInterval *from = in.array->buffers[1];
    ChunkInterval *to = out->data;

    for (int64_t i = 0; i < rows; i++) {
        const ArrowInterval *value = from + in.first + i;
        if (!has_row(in, i))
            continue;
        if (value->ns % 1000)
            return silt_fail(err, SILT_INPUT, "an interval of %lld nanoseconds is no whole number of microseconds", (long long)value->ns);
        to[i] = (ChunkInterval){value->months, value->days, value->ns / 1000};
    }
    return 0;
}

static void import_fixed(Incoming in, Column *out, int64_t rows)
{
    size_t width = duck__arrow_width(out->type);

    if (rows)
        memcpy(out->data, (const char *)in.array->buffers[1] + (size_t)in.first * width, (size_t)rows * width);
}

static int import_column(Incoming in, Column *out, int64_t rows, SiltErr *err);

static int import_lists(Incoming in, Column *out, int64_t rows, SiltErr *err)
{
    bool wide = has_wide_offsets(in, out->type);
    int64_t first = rows ? offset_at(in, wide, 0) : 0, last = rows ? offset_at(in, wide, rows) : 0;
    ChunkList *lists = out->data;

    if (first < 0 || last < first || last > in.array->children[0]->length)
        return silt_fail(err, SILT_INPUT, "offsets of lists go from %lld to %lld, of %lld elements", (long long)first, (long long)last,
                         (long long)in.array->children[0]->length);
    for (int64_t i = 0; i < rows; i++) {
        int64_t from = offset_at(in, wide, i), to = offset_at(in, wide, i + 1);
        if (from < first || to < from || to > last)
            return silt_fail(err, SILT_INPUT, "offsets of a list go from %lld to %lld", (long long)from, (long long)to);
        lists[i] = (ChunkList){(uint64_t)(from - first), (uint64_t)(to - from)};
    }
    column_list_reserve(out, (uint64_t)(last - first));
    Incoming inner = child_of(in, 0, first);
    if (out->type->kind == TYPE_ARRAY)
        return import_column(inner, &out->children[0], last - first, err);
    Incoming key = child_of(inner, 0, inner.first);
    for (int64_t i = 0; i < last - first; i++)
        if (!has_row(inner, i) || !has_row(key, i))
            return silt_fail(err, SILT_INPUT, "a key of a map is NULL");
    SILT_TRY(import_column(key, &out->children[0], last - first, err));
    return import_column(child_of(inner, 1, inner.first), &out->children[1], last - first, err);
}

/* `rows` rows from in.first on become the column's rows from 0 on. */
static int import_column(Incoming in, Column *out, int64_t rows, SiltErr *err)
{
    TypeKind kind = out->type->kind;

    if (in.array->length < in.first - in.array->offset + rows)
        return silt_fail(err, SILT_INPUT, "an array of %lld rows where %lld were announced", (long long)in.array->length,
                         (long long)(in.first - in.array->offset + rows));
    switch (kind) {
    case TYPE_VOID:
        return 0;
    case TYPE_STRUCT:
    case TYPE_VARIANT:
        for (int i = 0; i < out->child_count; i++)
            SILT_TRY(import_column(child_of(in, i, in.first), &out->children[i], rows, err));
        break;
    case TYPE_ARRAY:
    case TYPE_MAP:
        SILT_TRY(import_lists(in, out, rows, err));
        break;
    case TYPE_STRING:
    case TYPE_BINARY:
        SILT_TRY(import_strings(in, out, rows, err));
        break;
    case TYPE_BOOLEAN:
        import_booleans(in, out, rows);
        break;
    case TYPE_DECIMAL:
        SILT_TRY(import_decimals(in, out, rows, err));
        break;
    case TYPE_INTERVAL:
        SILT_TRY(import_intervals(in, out, rows, err));
        break;
    default:
        import_fixed(in, out, rows);
    }
    for (int64_t i = 0; i < rows; i++)
        if (!has_row(in, i))
            column_set_null(out, (uint64_t)i);
    return 0;
}

int arrow_import_rows(const struct ArrowSchema *schema, const struct ArrowArray *array, const Type *const *types, int count, int64_t first,
                      int rows, Chunk **out, SiltErr *err)
{
    Incoming in = incoming(schema, array, first);

    if (array->n_children != count)
        return silt_fail(err, SILT_INPUT, "an array of %lld columns instead of %d", (long long)array->n_children, count);
    Chunk *chunk = chunk_new(types, count);
    for (int i = 0; i < count; i++) {
        if (import_column(child_of(in, i, in.first), chunk_column_mut(chunk, i), rows, err) < 0) {
            chunk_unref(chunk);
            return -1;
        }
    }
    chunk_seal(chunk, rows);
    *out = chunk;
    return 0;
}

int arrow_import_column(const struct ArrowArray *array, Column *out, int rows, SiltErr *err)
{
    if (array->length != rows)
        return silt_fail(err, SILT_INPUT, "an array of %lld rows instead of %d", (long long)array->length, rows);
    return import_column(incoming(NULL, array, 0), out, rows, err);
}
