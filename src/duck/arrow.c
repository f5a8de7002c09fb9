/*
 * duck/arrow.c - chunks to and from the Arrow C data interface
 *
 *   A1  Every array that goes out owns its buffers and its children each own theirs, so that a consumer may move a child away and
 *       release it alone, as the interface allows.
 *   A2  Nothing that comes in is trusted but the lengths of buffers, which the interface does not tell.
 *
 * Values are copied both ways: lists and strings lie otherwise in DuckDB's vectors (offset and length per row, inlined short strings), and
 * one way for all types is easier to trust than two.
 */
#include "duck/arrow.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

typedef __int128 int128;

/* ---- schemas, out ---- */

typedef struct SchemaOwned {
    char *format, *name;
    struct ArrowSchema *children;
    struct ArrowSchema **pointers;
} SchemaOwned;

void arrow_release_array(struct ArrowArray *array)
{
    if (array->release)
        array->release(array);
}

void arrow_release_schema(struct ArrowSchema *schema)
{
    if (schema->release)
        schema->release(schema);
}

static void release_schema(struct ArrowSchema *schema)
{
    SchemaOwned *owned = schema->private_data;

    for (int64_t i = 0; i < schema->n_children; i++)
        arrow_release_schema(schema->children[i]);
    free(owned->format);
    free(owned->name);
    free(owned->children);
    free(owned->pointers);
    free(owned);
    schema->release = NULL;
}

static void schema_begin(struct ArrowSchema *out, const char *format, const char *name, bool nullable, int children)
{
    SchemaOwned *owned = silt_alloc(sizeof *owned);

    owned->format = silt_strdup(format);
    owned->name = silt_strdup(name);
    if (children) {
        owned->children = silt_alloc((size_t)children * sizeof *owned->children);
        owned->pointers = silt_alloc((size_t)children * sizeof *owned->pointers);
        for (int i = 0; i < children; i++)
            owned->pointers[i] = &owned->children[i];
    }
    *out = (struct ArrowSchema){
        .format = owned->format,
        .name = owned->name,
        .flags = nullable ? ARROW_FLAG_NULLABLE : 0,
        .n_children = children,
        .children = owned->pointers,
        .release = release_schema,
        .private_data = owned,
    };
}

/* The format of the types that need no more than a word. */
static const char *const formats[] = {
    [TYPE_VOID] = "n",          [TYPE_BOOLEAN] = "b",       [TYPE_BYTE] = "c",          [TYPE_SHORT] = "s",
    [TYPE_INT] = "i",           [TYPE_LONG] = "l",          [TYPE_FLOAT] = "f",         [TYPE_DOUBLE] = "g",
    [TYPE_STRING] = "U",        [TYPE_BINARY] = "Z",        [TYPE_DATE] = "tdD",        [TYPE_TIMESTAMP] = "tsu:UTC",
    [TYPE_TIMESTAMP_NTZ] = "tsu:", [TYPE_TIME] = "ttu",     [TYPE_INTERVAL_YM] = "tiM", [TYPE_INTERVAL_DT] = "tDu",
    [TYPE_INTERVAL] = "tin",    [TYPE_VARIANT] = "+s",      [TYPE_ARRAY] = "+l",        [TYPE_MAP] = "+m",
    [TYPE_STRUCT] = "+s",
};

static const char *format_of(const Type *type, StrBuf *scratch)
{
    if (type->kind != TYPE_DECIMAL)
        return formats[type->kind];
    str_buf_clear(scratch);
    str_buf_printf(scratch, "d:%d,%d", type->precision, type->scale);
    return str_buf_text(scratch);
}

static void export_type(const Type *type, const char *name, bool nullable, struct ArrowSchema *out)
{
    silt_auto(str_buf_fini) StrBuf scratch = {0};
    const char *format = format_of(type, &scratch);

    switch (type->kind) {
    case TYPE_ARRAY:
        schema_begin(out, format, name, nullable, 1);
        export_type(type->element, "element", type->element_nullable, out->children[0]);
        break;
    case TYPE_MAP:
        schema_begin(out, format, name, nullable, 1);
        schema_begin(out->children[0], "+s", "entries", false, 2);
        export_type(type->key, "key", false, out->children[0]->children[0]);
        export_type(type->element, "value", type->element_nullable, out->children[0]->children[1]);
        break;
    case TYPE_STRUCT:
        schema_begin(out, format, name, nullable, type->field_count);
        for (int i = 0; i < type->field_count; i++)
            export_type(type->fields[i].type, type->fields[i].name, type->fields[i].nullable, out->children[i]);
        break;
    case TYPE_VARIANT:
        schema_begin(out, format, name, nullable, 2);
        export_type(type_simple(TYPE_BINARY), "metadata", false, out->children[0]);
        export_type(type_simple(TYPE_BINARY), "value", false, out->children[1]);
        break;
    default:
        schema_begin(out, format, name, nullable, 0);
    }
}

void arrow_export_schema(const char *const *names, const Type *const *types, const bool *nullable, int count, struct ArrowSchema *out)
{
    schema_begin(out, "+s", "", false, count);
    for (int i = 0; i < count; i++)
        export_type(types[i], names[i], !nullable || nullable[i], out->children[i]);
}

/* ---- rows, out ---- */

enum { BUFFERS_MAX = 3 };

typedef struct ArrayOwned {
    void *buffers[BUFFERS_MAX];
    struct ArrowArray *children;
    struct ArrowArray **pointers;
} ArrayOwned;

static void release_array(struct ArrowArray *array)
{
    ArrayOwned *owned = array->private_data;

    for (int64_t i = 0; i < array->n_children; i++)
        arrow_release_array(array->children[i]);
    for (int i = 0; i < BUFFERS_MAX; i++)
        free(owned->buffers[i]);
    free(owned->children);
    free(owned->pointers);
    free(owned);
    array->release = NULL;
}

/* A1. Children are left empty: nothing to release. */
static ArrayOwned *array_begin(struct ArrowArray *out, int64_t length, int buffers, int children)
{
    ArrayOwned *owned = silt_alloc(sizeof *owned);

    if (children) {
        owned->children = silt_alloc((size_t)children * sizeof *owned->children);
        owned->pointers = silt_alloc((size_t)children * sizeof *owned->pointers);
        for (int i = 0; i < children; i++)
            owned->pointers[i] = &owned->children[i];
    }
    *out = (struct ArrowArray){
        .length = length,
        .n_buffers = buffers,
        .n_children = children,
        .buffers = (const void **)owned->buffers,
        .children = owned->pointers,
        .release = release_array,
        .private_data = owned,
    };
    return owned;
}

/* Rows of a column, in order: those that index lists, or first, first + 1, ... */
typedef struct Rows {
    const uint64_t *index;
    uint64_t first, count;
} Rows;

static uint64_t row_at(Rows rows, uint64_t i)
{
    return rows.index ? rows.index[i] : rows.first + i;
}

/* Buffer 0: a bit a row, none where no row is NULL. */
static void export_validity(const Column *column, Rows rows, struct ArrowArray *out, ArrayOwned *owned)
{
    uint8_t *bits = NULL;

    for (uint64_t i = 0; column->validity && i < rows.count; i++) {
        if (!column_is_null(column, row_at(rows, i)))
            continue;
        if (!bits) {
            bits = silt_alloc((rows.count + 7) / 8);
            memset(bits, 0xff, (rows.count + 7) / 8);
        }
        bits[i / 8] &= (uint8_t) ~(1u << i % 8);
        out->null_count++;
    }
    owned->buffers[0] = bits;
}

static void *buffer_new(size_t size)
{
    return silt_alloc(size ? size : 1); /* consumers do not like a NULL buffer, even of no bytes */
}

static void export_booleans(const Column *column, Rows rows, ArrayOwned *owned)
{
    const uint8_t *from = column->data;
    uint8_t *bits = buffer_new((rows.count + 7) / 8);

    for (uint64_t i = 0; i < rows.count; i++) {
        uint64_t row = row_at(rows, i);
        if (!column_is_null(column, row) && from[row])
            bits[i / 8] |= (uint8_t)(1u << i % 8);
    }
    owned->buffers[1] = bits;
}

static size_t width_of(const Type *type)
{
    switch (type->kind) {
    case TYPE_BYTE:
        return 1;
    case TYPE_SHORT:
        return 2;
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_DATE:
    case TYPE_INTERVAL_YM:
        return 4;
    default:
        return 8;
    }
}

static void export_fixed(const Column *column, Rows rows, ArrayOwned *owned)
{
    size_t width = width_of(column->type);
    char *to = buffer_new(rows.count * width);

    for (uint64_t i = 0; i < rows.count; i++)
        if (!column_is_null(column, row_at(rows, i))) /* what lies below a NULL is not shown */
            memcpy(to + i * width, (const char *)column->data + row_at(rows, i) * width, width);
    owned->buffers[1] = to;
}

static int128 decimal_at(const Column *column, uint64_t row)
{
    int precision = column->type->precision;

    if (precision <= 4)
        return ((const int16_t *)column->data)[row];
    if (precision <= 9)
        return ((const int32_t *)column->data)[row];
    if (precision <= 18)
        return ((const int64_t *)column->data)[row];
    int128 value;
    memcpy(&value, (const char *)column->data + row * sizeof value, sizeof value);
    return value;
}

static void export_decimals(const Column *column, Rows rows, ArrayOwned *owned)
{
    int128 *to = buffer_new(rows.count * sizeof *to);

    for (uint64_t i = 0; i < rows.count; i++)
        if (!column_is_null(column, row_at(rows, i)))
            to[i] = decimal_at(column, row_at(rows, i));
    owned->buffers[1] = to;
}

/* Arrow's month_day_nano. */
typedef struct ArrowInterval {
    int32_t months, days;
    int64_t ns;
} ArrowInterval;

static int export_intervals(const Column *column, Rows rows, ArrayOwned *owned, SiltErr *err)
{
    ArrowInterval *to = buffer_new(rows.count * sizeof *to);

    owned->buffers[1] = to;
    for (uint64_t i = 0; i < rows.count; i++) {
        uint64_t row = row_at(rows, i);
        if (column_is_null(column, row))
            continue;
        const ChunkInterval *from = (const ChunkInterval *)column->data + row;
        to[i].months = from->months;
        to[i].days = from->days;
        if (__builtin_mul_overflow(from->us, INT64_C(1000), &to[i].ns))
            return silt_fail(err, SILT_INPUT, "an interval of %lld microseconds does not fit into Arrow's nanoseconds", (long long)from->us);
    }
    return 0;
}

static void export_strings(const Column *column, Rows rows, ArrayOwned *owned)
{
    const ChunkString *from = column->data;
    int64_t *offsets = buffer_new((rows.count + 1) * sizeof *offsets);

    for (uint64_t i = 0; i < rows.count; i++) {
        uint64_t row = row_at(rows, i);
        offsets[i + 1] = offsets[i] + (column_is_null(column, row) ? 0 : from[row].near.size);
    }
    char *bytes = buffer_new((size_t)offsets[rows.count]);
    for (uint64_t i = 0; i < rows.count; i++)
        if (offsets[i + 1] > offsets[i])
            memcpy(bytes + offsets[i], chunk_string(&from[row_at(rows, i)]).ptr, (size_t)(offsets[i + 1] - offsets[i]));
    owned->buffers[1] = offsets;
    owned->buffers[2] = bytes;
}

static int export_column(const Column *column, Rows rows, struct ArrowArray *out, SiltErr *err);

/* The rows of the child in the order of their lists. *index is the caller's to free. */
static Rows list_rows(const Column *column, Rows rows, int32_t *offsets, uint64_t **index)
{
    const ChunkList *lists = column->data;
    uint64_t total = 0;

    for (uint64_t i = 0; i < rows.count; i++) {
        uint64_t row = row_at(rows, i);
        total += column_is_null(column, row) ? 0 : lists[row].length;
        silt_assert(total <= INT32_MAX); /* of at most 2,048 rows */
        offsets[i + 1] = (int32_t)total;
    }
    *index = buffer_new(total * sizeof **index);
    uint64_t at = 0;
    for (uint64_t i = 0; i < rows.count; i++)
        for (int32_t j = 0; j < offsets[i + 1] - offsets[i]; j++)
            (*index)[at++] = lists[row_at(rows, i)].offset + (uint64_t)j;
    return (Rows){.index = *index, .count = total};
}

static int export_list(const Column *column, Rows rows, struct ArrowArray *out, SiltErr *err)
{
    ArrayOwned *owned = array_begin(out, (int64_t)rows.count, 2, 1);
    int32_t *offsets = buffer_new((rows.count + 1) * sizeof *offsets);
    uint64_t *index;
    int r;

    owned->buffers[1] = offsets;
    export_validity(column, rows, out, owned);
    Rows inner = list_rows(column, rows, offsets, &index);
    if (column->type->kind == TYPE_MAP) {
        array_begin(out->children[0], (int64_t)inner.count, 1, 2);
        r = export_column(&column->children[0], inner, out->children[0]->children[0], err);
        if (r == 0)
            r = export_column(&column->children[1], inner, out->children[0]->children[1], err);
    } else {
        r = export_column(&column->children[0], inner, out->children[0], err);
    }
    free(index);
    return r;
}

static int export_column(const Column *column, Rows rows, struct ArrowArray *out, SiltErr *err)
{
    TypeKind kind = column->type->kind;
    int64_t length = (int64_t)rows.count;
    ArrayOwned *owned;

    if (kind == TYPE_VOID) {
        array_begin(out, length, 0, 0);
        out->null_count = length;
        return 0;
    }
    if (kind == TYPE_ARRAY || kind == TYPE_MAP)
        return export_list(column, rows, out, err);
    if (kind == TYPE_STRUCT || kind == TYPE_VARIANT) {
        owned = array_begin(out, length, 1, column->child_count);
        export_validity(column, rows, out, owned);
        for (int i = 0; i < column->child_count; i++)
            SILT_TRY(export_column(&column->children[i], rows, out->children[i], err));
        return 0;
    }
    owned = array_begin(out, length, kind == TYPE_STRING || kind == TYPE_BINARY ? 3 : 2, 0);
    export_validity(column, rows, out, owned);
    if (kind == TYPE_STRING || kind == TYPE_BINARY)
        export_strings(column, rows, owned);
    else if (kind == TYPE_BOOLEAN)
        export_booleans(column, rows, owned);
    else if (kind == TYPE_DECIMAL)
        export_decimals(column, rows, owned);
    else if (kind == TYPE_INTERVAL)
        return export_intervals(column, rows, owned, err);
    else
        export_fixed(column, rows, owned);
    return 0;
}

int arrow_export_columns(const Column *columns, int count, int rows, struct ArrowArray *out, SiltErr *err)
{
    array_begin(out, rows, 1, count);
    for (int i = 0; i < count; i++) {
        if (export_column(&columns[i], (Rows){.count = (uint64_t)rows}, out->children[i], err) < 0) {
            arrow_release_array(out);
            return -1;
        }
    }
    return 0;
}

int arrow_export_chunk(const Chunk *chunk, struct ArrowArray *out, SiltErr *err)
{
    int count = chunk_column_count(chunk);

    return arrow_export_columns(count ? chunk_column(chunk, 0) : NULL, count, chunk_row_count(chunk), out, err);
}

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
        return !strcmp(format, format_of(type, &scratch)) ||
               (!strncmp(format, str_buf_text(&scratch), scratch.size) && !strcmp(format + scratch.size, ",128"));
    default:
        return !strcmp(format, formats[type->kind]);
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
                         schema->format ? schema->format : "", schema->dictionary ? " with a dictionary" : "", format_of(type, &scratch),
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
    size_t width = width_of(out->type);

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
