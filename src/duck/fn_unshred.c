/*
 * duck/fn_unshred.c - VARIANTs that a Parquet file holds in typed columns put together again
 *
 * The group of such a VARIANT is a struct of `metadata`, `value` and `typed_value`; below it fields and items are groups of `value` and `typed_value`.
 * A scalar is in one of the two, a missing field in none; of an object those fields are in `value` that `typed_value` has no place for.
 * https://github.com/apache/parquet-format/blob/master/VariantShredding.md
 */
#include "duck/functions.h"
#include "duck/internal.h"
#include "duck/print.h"
#include "duck/variant_writer.h"

#include <string.h>

/* One group. value, typed: NULL where it has no such part, or the part is NULL in this row. */
typedef struct Group {
    const Column *value, *typed;
} Group;

static const Column *part(const Column *column, uint64_t row, const char *name)
{
    for (int i = 0; i < column->type->field_count; i++)
        if (strcmp(column->type->fields[i].name, name) == 0)
            return column_is_null(&column->children[i], row) ? NULL : &column->children[i];
    return NULL;
}

static Group group_at(const Column *column, uint64_t row)
{
    if (column_is_null(column, row))
        return (Group){0};
    return (Group){part(column, row, "value"), part(column, row, "typed_value")};
}

static bool is_missing(Group group)
{
    return !group.value && !group.typed;
}

/* The functions below are false where the parts contradict each other, or the bytes make no sense. */
static bool put_group(VariantWriter *w, Group group, uint64_t row, Str metadata);

/* What an object has beside its typed fields. */
static bool put_rest(VariantWriter *w, const Variant *rest)
{
    int64_t count = variant_count(rest);
    if (variant_read(rest, NULL) != VARIANT_KIND_OBJECT || count < 0)
        return false;
    for (int64_t i = 0; i < count; i++) {
        Variant item;
        Str name;
        if (!variant_at(rest, i, &name, &item))
            return false;
        variant_name(w, name);
        if (variant_put_again(w, &item) != VARIANT_TAKEN)
            return false;
    }
    return true;
}

static bool put_object(VariantWriter *w, Group group, uint64_t row, Str metadata)
{
    const Column *typed = group.typed;
    VariantOpen open = variant_open(w);
    for (int i = 0; i < typed->type->field_count; i++) {
        Group field = group_at(&typed->children[i], row);
        if (is_missing(field))
            continue;
        variant_name(w, str_of(typed->type->fields[i].name));
        if (!put_group(w, field, row, metadata))
            return false;
    }
    if (group.value) {
        Variant rest = {metadata, column_text(group.value, row)};
        if (!put_rest(w, &rest))
            return false;
    }
    return variant_close_object(w, open);
}

static bool put_array(VariantWriter *w, Group group, uint64_t row, Str metadata)
{
    ChunkList range = ((const ChunkList *)group.typed->data)[row];
    if (group.value)
        return false;
    VariantOpen open = variant_open(w);
    for (uint64_t i = 0; i < range.length; i++) {
        variant_item(w);
        if (!put_group(w, group_at(&group.typed->children[0], range.offset + i), range.offset + i, metadata))
            return false;
    }
    variant_close_array(w, open);
    return true;
}

static void put_scalar(StrBuf *out, const Column *column, uint64_t row)
{
    const void *data = column->data;
    switch (column->type->kind) {
    case TYPE_BOOLEAN:
        variant_put_boolean(out, ((const uint8_t *)data)[row]);
        break;
    case TYPE_BYTE:
        variant_put_long(out, ((const int8_t *)data)[row]);
        break;
    case TYPE_SHORT:
        variant_put_long(out, ((const int16_t *)data)[row]);
        break;
    case TYPE_INT:
        variant_put_long(out, ((const int32_t *)data)[row]);
        break;
    case TYPE_LONG:
        variant_put_long(out, ((const int64_t *)data)[row]);
        break;
    case TYPE_FLOAT:
        variant_put_float(out, ((const float *)data)[row]);
        break;
    case TYPE_DOUBLE:
        variant_put_double(out, ((const double *)data)[row]);
        break;
    case TYPE_DECIMAL:
        variant_put_decimal(out, decimal_value(column, row), column->type->scale);
        break;
    case TYPE_DATE:
        variant_put_date(out, ((const int32_t *)data)[row]);
        break;
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        variant_put_timestamp(out, ((const int64_t *)data)[row], column->type->kind == TYPE_TIMESTAMP_NTZ);
        break;
    case TYPE_STRING:
        variant_put_text(out, column_text(column, row));
        break;
    case TYPE_BINARY:
        variant_put_binary(out, column_text(column, row));
        break;
    default:
        silt_assert(!"refused in prepare");
    }
}

static bool put_group(VariantWriter *w, Group group, uint64_t row, Str metadata)
{
    if (!group.typed && !group.value) { /* a value is needed here: the format has it that this is a null */
        variant_put_null(&w->value);
        return true;
    }
    if (!group.typed) {
        Variant value = {metadata, column_text(group.value, row)};
        return variant_put_again(w, &value) == VARIANT_TAKEN;
    }
    if (group.typed->type->kind == TYPE_STRUCT)
        return put_object(w, group, row, metadata);
    if (group.typed->type->kind == TYPE_ARRAY)
        return put_array(w, group, row, metadata);
    put_scalar(&w->value, group.typed, row);
    return group.value == NULL;
}

static int unshred(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(variant_writer_fini) VariantWriter writer = {0};
    FN_ROWS(row, out, rows)
    {
        uint64_t at = (uint64_t)row;
        const Column *metadata = part(&args[0], at, "metadata");
        Str names = metadata ? column_text(metadata, at) : (Str){0};
        Group group = group_at(&args[0], at);
        Str value = group.value ? column_text(group.value, at) : (Str){0};
        if (group.typed || !group.value) {
            variant_writer_clear(&writer);
            if (!put_group(&writer, group, at, names))
                return fn_fail(call, row, "MALFORMED_VARIANT", "the parts of a shredded VARIANT make no sense");
            str_buf_clear(call->scratch);
            variant_writer_metadata(&writer, call->scratch);
            names = str_buf_view(call->scratch);
            value = str_buf_view(&writer.value);
        }
        column_set_string(&out->children[0], at, names.ptr ? names.ptr : "", names.size);
        column_set_string(&out->children[1], at, value.ptr ? value.ptr : "", value.size);
    }
    return 0;
}

/* ---- types ---- */

static const Type *field_type(const Type *type, const char *name)
{
    for (int i = 0; i < type->field_count; i++)
        if (strcmp(type->fields[i].name, name) == 0)
            return type->fields[i].type;
    return NULL;
}

static bool typed_fits(const Type *type);

static bool group_fits(const Type *type)
{
    const Type *value = type->kind == TYPE_STRUCT ? field_type(type, "value") : NULL;
    const Type *typed = type->kind == TYPE_STRUCT ? field_type(type, "typed_value") : NULL;
    return (value || typed) && (!value || value->kind == TYPE_BINARY) && (!typed || typed_fits(typed));
}

static bool typed_fits(const Type *type)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        return group_fits(type->element);
    case TYPE_STRUCT:
        for (int i = 0; i < type->field_count; i++)
            if (!group_fits(type->fields[i].type))
                return false;
        return true;
    case TYPE_VOID:
    case TYPE_TIME:
    case TYPE_INTERVAL:
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
    case TYPE_VARIANT:
    case TYPE_MAP:
        return false;
    default:
        return true;
    }
}

static int prepare_unshred(FnCall *call, SiltErr *err)
{
    const Type *type = call->arg_types[0];
    const Type *metadata = type->kind == TYPE_STRUCT ? field_type(type, "metadata") : NULL;
    silt_auto(str_buf_fini) StrBuf text = {0};
    if (metadata && metadata->kind == TYPE_BINARY && group_fits(type))
        return 0;
    type_print(&text, type);
    silt_fail(err, SILT_CONFIG, "a VARIANT that is shredded as %s is not supported", str_buf_text(&text));
    return silt_code(err, "PARQUET_TYPE_ILLEGAL");
}

const DuckFunction fn_unshred[] = {
    {.name = "silt_unshred", .args = "any", .result = "variant", .flags = FN_FAILS, .eval = unshred, .prepare = prepare_unshred},
    {0},
};
