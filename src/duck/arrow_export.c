/*
 * duck/arrow_export.c - chunks as Arrow arrays
 *
 *   A1  Every array that goes out owns its buffers and its children each own theirs, so that a consumer may move a child away and
 *       release it alone, as the interface allows.
 *
 * Values are copied: lists and strings lie otherwise in DuckDB's vectors (offset and length per row, inlined short strings), and
 * one way for all types is easier to trust than two.
 */
#include "duck/arrow_internal.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

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

const char *duck__arrow_format(const Type *type, StrBuf *scratch)
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
    const char *format = duck__arrow_format(type, &scratch);

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

static void export_fixed(const Column *column, Rows rows, ArrayOwned *owned)
{
    size_t width = duck__arrow_width(column->type);
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
