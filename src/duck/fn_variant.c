/*
 * duck/fn_variant.c - VARIANT values made of JSON or of other values, looked into and cast
 *
 * A part that is taken out keeps the whole metadata, as in Spark.
 */
#include "duck/calendar.h"
#include "duck/column_put.h"
#include "duck/fn_text.h"
#include "duck/internal.h"
#include "duck/json_node.h"
#include "duck/parse.h"
#include "duck/print.h"
#include "duck/variant.h"
#include "duck/variant_value.h"
#include "duck/variant_writer.h"

#include <math.h>
#include <stdlib.h>

static Variant variant_of(const Column *column, uint64_t row)
{
    return (Variant){column_text(&column->children[0], row), column_text(&column->children[1], row)};
}

static void variant_put(Column *out, uint64_t row, Str metadata, Str value)
{
    column_set_string(&out->children[0], row, metadata.ptr, metadata.size);
    column_set_string(&out->children[1], row, value.ptr, value.size);
}

static int broken(FnCall *call, int row)
{
    return fn_fail(call, row, "MALFORMED_VARIANT", "the bytes of a VARIANT make no sense");
}

/* ---- from JSON ---- */

/* The value that the writer holds, whole. */
static void put_written(Column *out, int row, const VariantWriter *writer, StrBuf *metadata)
{
    str_buf_clear(metadata);
    variant_writer_metadata(writer, metadata);
    variant_put(out, (uint64_t)row, str_buf_view(metadata), str_buf_view(&writer->value));
}

static int parse_json_or(FnCall *call, const Column *args, Column *out, int rows, bool null)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(variant_writer_fini) VariantWriter writer = {0};
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        arena_reset(arena);
        variant_writer_clear(&writer);
        const Node *node = node_read(arena, text, NODE_STRICT);
        VariantTaken taken = node ? variant_put_json(&writer, node) : VARIANT_TAKEN;
        if (node && taken == VARIANT_TAKEN) {
            put_written(out, row, &writer, call->scratch);
        } else if (null) {
            column_set_null(out, (uint64_t)row);
        } else {
            return fn_fail(call, row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "\"%.*s\" is %s", FN_SHOW(text),
                           taken == VARIANT_NAME_TWICE ? "no VARIANT: an object has a key twice" : taken == VARIANT_HALF_PAIR
                               ? "no VARIANT: a text has half a surrogate pair" : "no JSON");
        }
    }
    return 0;
}

static int parse_json(FnCall *call, const Column *args, Column *out, int rows)
{
    return parse_json_or(call, args, out, rows, false);
}

static int try_parse_json(FnCall *call, const Column *args, Column *out, int rows)
{
    return parse_json_or(call, args, out, rows, true);
}

/* ---- from other values ---- */

/* NAME_TWICE: an object would have one; SENSELESS: a VARIANT inside is none. */
static VariantTaken put_value(VariantWriter *w, const Column *column, uint64_t row);

/* Items of an array or map, fields of a struct. */
static VariantTaken put_nested(VariantWriter *w, const Column *column, uint64_t row)
{
    const Type *type = column->type;
    bool list = type->kind != TYPE_STRUCT;
    ChunkList range = list ? ((const ChunkList *)column->data)[row] : (ChunkList){0, (uint64_t)type->field_count};
    VariantOpen open = variant_open(w);
    for (uint64_t i = 0; i < range.length; i++) {
        const Column *value = !list ? &column->children[i] : &column->children[type->kind == TYPE_MAP];
        if (type->kind == TYPE_STRUCT)
            variant_name(w, str_of(type->fields[i].name));
        else if (type->kind == TYPE_MAP)
            variant_name(w, chunk_string((const ChunkString *)column->children[0].data + range.offset + i));
        else
            variant_item(w);
        VariantTaken taken = put_value(w, value, list ? range.offset + i : row);
        if (taken != VARIANT_TAKEN)
            return taken;
    }
    if (type->kind != TYPE_ARRAY)
        return variant_close_object(w, open) ? VARIANT_TAKEN : VARIANT_NAME_TWICE;
    variant_close_array(w, open);
    return VARIANT_TAKEN;
}

/* DuckDB knows a VARIANT by its two parts only. */
static bool is_variant(const Type *type)
{
    return type->kind == TYPE_VARIANT || type_is_variant_parts(type);
}

static VariantTaken put_value(VariantWriter *w, const Column *column, uint64_t row)
{
    StrBuf *out = &w->value;
    const Type *type = column->type;
    const void *data = column->data;
    if (type->kind == TYPE_VOID || column_is_null(column, row)) {
        variant_put_null(out);
        return VARIANT_TAKEN;
    }
    if (is_variant(type)) {
        Variant inner = variant_of(column, row);
        return variant_put_again(w, &inner);
    }
    switch (type->kind) {
    case TYPE_BOOLEAN:
        variant_put_boolean(out, ((const uint8_t *)data)[row]);
        return VARIANT_TAKEN;
    case TYPE_BYTE:
        variant_put_long(out, ((const int8_t *)data)[row]);
        return VARIANT_TAKEN;
    case TYPE_SHORT:
        variant_put_long(out, ((const int16_t *)data)[row]);
        return VARIANT_TAKEN;
    case TYPE_INT:
        variant_put_long(out, ((const int32_t *)data)[row]);
        return VARIANT_TAKEN;
    case TYPE_LONG:
        variant_put_long(out, ((const int64_t *)data)[row]);
        return VARIANT_TAKEN;
    case TYPE_FLOAT:
        variant_put_float(out, ((const float *)data)[row]);
        return VARIANT_TAKEN;
    case TYPE_DOUBLE:
        variant_put_double(out, ((const double *)data)[row]);
        return VARIANT_TAKEN;
    case TYPE_DECIMAL:
        variant_put_decimal(out, decimal_value(column, row), type->scale);
        return VARIANT_TAKEN;
    case TYPE_DATE:
        variant_put_date(out, ((const int32_t *)data)[row]);
        return VARIANT_TAKEN;
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        variant_put_timestamp(out, ((const int64_t *)data)[row], type->kind == TYPE_TIMESTAMP_NTZ);
        return VARIANT_TAKEN;
    case TYPE_STRING:
        variant_put_text(out, chunk_string((const ChunkString *)data + row));
        return VARIANT_TAKEN;
    case TYPE_BINARY:
        variant_put_binary(out, chunk_string((const ChunkString *)data + row));
        return VARIANT_TAKEN;
    case TYPE_ARRAY:
    case TYPE_MAP:
    case TYPE_STRUCT:
        return put_nested(w, column, row);
    default:
        silt_assert(!"refused in prepare");
        return VARIANT_SENSELESS;
    }
}

static bool fits_variant(const Type *type)
{
    switch (type->kind) {
    case TYPE_TIME:
    case TYPE_INTERVAL:
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
        return false;
    case TYPE_ARRAY:
        return fits_variant(type->element);
    case TYPE_MAP:
        return type->key->kind == TYPE_STRING && fits_variant(type->element);
    case TYPE_STRUCT:
        for (int i = 0; i < type->field_count; i++)
            if (!fits_variant(type->fields[i].type))
                return false;
        return true;
    default:
        return true;
    }
}

static int prepare_to_variant(FnCall *call, SiltErr *err)
{
    StrBuf text = {0};
    if (fits_variant(call->arg_types[0]))
        return 0;
    type_print(&text, call->arg_types[0]);
    int r = silt_fail(err, SILT_CONFIG, "a VARIANT cannot hold a value of type %s", str_buf_text(&text));
    str_buf_fini(&text);
    return r;
}

static int to_variant(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(variant_writer_fini) VariantWriter writer = {0};
    FN_ROWS(row, out, rows)
    {
        variant_writer_clear(&writer);
        VariantTaken taken = put_value(&writer, &args[0], (uint64_t)row);
        if (taken == VARIANT_SENSELESS)
            return broken(call, row);
        if (taken != VARIANT_TAKEN)
            return fn_fail(call, row, "VARIANT_DUPLICATE_KEY", "two fields are called \"%.*s\", which a VARIANT cannot hold", FN_SHOW(variant_twice(&writer)));
        put_written(out, row, &writer, call->scratch);
    }
    return 0;
}

/* ---- paths ---- */

typedef enum PathStep { PATH_END, PATH_FIELD, PATH_ITEM, PATH_WRONG } PathStep;

/* The next step of $.a['b'][0] behind its "$". */
static PathStep next_step(Str path, size_t *at, Str *name, int64_t *index)
{
    size_t i = *at;
    if (i >= path.size)
        return PATH_END;
    if (path.ptr[i] == '.') {
        size_t start = ++i;
        while (i < path.size && path.ptr[i] != '.' && path.ptr[i] != '[')
            i++;
        *name = (Str){path.ptr + start, i - start};
        *at = i;
        return i > start ? PATH_FIELD : PATH_WRONG;
    }
    if (path.ptr[i] != '[' || i + 1 >= path.size)
        return PATH_WRONG;
    char quote = path.ptr[++i];
    if (quote == '\'' || quote == '"') {
        const char *end = memchr(path.ptr + i + 1, quote, path.size - i - 1);
        if (!end || (size_t)(end - path.ptr) + 1 >= path.size || end[1] != ']')
            return PATH_WRONG;
        *name = (Str){path.ptr + i + 1, (size_t)(end - path.ptr) - i - 1};
        *at = (size_t)(end - path.ptr) + 2;
        return PATH_FIELD;
    }
    const char *end = memchr(path.ptr + i, ']', path.size - i);
    if (!end || !str_to_int64((Str){path.ptr + i, (size_t)(end - path.ptr) - i}, index) || *index < 0)
        return PATH_WRONG;
    *at = (size_t)(end - path.ptr) + 1;
    return PATH_ITEM;
}

enum { NOT_THERE = 1, WRONG_PATH = 2, BROKEN = 3 };

static int follow(Variant *variant, Str path)
{
    size_t at = 1;
    if (!path.size || path.ptr[0] != '$')
        return WRONG_PATH;
    VariantFound found = VARIANT_FOUND;
    for (;;) {
        Str name = {0};
        int64_t index = 0;
        Variant next;
        switch (next_step(path, &at, &name, &index)) {
        case PATH_END:
            return found == VARIANT_BROKEN || variant_read(variant, NULL) == VARIANT_KIND_BAD ? BROKEN : found == VARIANT_ABSENT ? NOT_THERE : 0;
        case PATH_WRONG:
            return WRONG_PATH;
        case PATH_FIELD:
            found = found == VARIANT_FOUND ? variant_field(variant, name, &next) : found;
            break;
        case PATH_ITEM:
            found = found == VARIANT_FOUND ? variant_item_at(variant, index, &next) : found;
            break;
        }
        if (found == VARIANT_FOUND)
            *variant = next;
    }
}

/* ---- casts ---- */

typedef struct Caster {
    FnCall *call;
    const Zone *zone;
    bool null; /* what does not fit is NULL: a part of a value by itself */
} Caster;

static bool cast_into(const Caster *caster, const Variant *variant, Column *out, uint64_t row);

static void set_null(Column *out, uint64_t row)
{
    column_set_null(out, row);
    if (out->type->kind == TYPE_ARRAY || out->type->kind == TYPE_MAP)
        ((ChunkList *)out->data)[row].length = 0;
}

/* An item or a field of a larger value. */
static bool cast_part(const Caster *caster, const Variant *variant, Column *out, uint64_t row)
{
    if (cast_into(caster, variant, out, row))
        return true;
    if (caster->null)
        set_null(out, row);
    return caster->null;
}

static bool cast_whole(VariantKind kind, const VariantScalar *v, Column *out, uint64_t row)
{
    int64_t whole;
    switch (kind) {
    case VARIANT_KIND_LONG:
    case VARIANT_KIND_BOOLEAN:
        return column_set_whole(out, row, v->whole);
    case VARIANT_KIND_TIMESTAMP:
        return column_set_whole(out, row, floor_div(v->whole, 1000000));
    case VARIANT_KIND_DECIMAL:
        return column_set_whole(out, row, v->unscaled / decimal_power(v->scale));
    case VARIANT_KIND_DOUBLE:
    case VARIANT_KIND_FLOAT:
        return fabs(v->number) < 0x1p63 && column_set_whole(out, row, (int64_t)v->number);
    case VARIANT_KIND_STRING:
        return parse_integer(v->text, INT64_MIN, INT64_MAX, &whole) && column_set_whole(out, row, whole);
    default:
        return false;
    }
}

static bool as_double(VariantKind kind, const VariantScalar *v, double *out)
{
    switch (kind) {
    case VARIANT_KIND_LONG:
    case VARIANT_KIND_BOOLEAN:
        *out = (double)v->whole;
        return true;
    case VARIANT_KIND_TIMESTAMP:
        *out = (double)v->whole / 1e6;
        return true;
    case VARIANT_KIND_DOUBLE:
    case VARIANT_KIND_FLOAT:
        *out = v->number;
        return true;
    case VARIANT_KIND_DECIMAL: {
        StrBuf text = {0};
        print_decimal(&text, v->unscaled, v->scale);
        *out = strtod(str_buf_text(&text), NULL);
        str_buf_fini(&text);
        return true;
    }
    case VARIANT_KIND_STRING:
        return parse_double(v->text, out);
    default:
        return false;
    }
}

static bool cast_decimal(VariantKind kind, const VariantScalar *v, Column *out, uint64_t row)
{
    int precision = out->type->precision, scale = out->type->scale;
    __int128 value = 0;
    bool fits = false;
    if (kind == VARIANT_KIND_LONG || kind == VARIANT_KIND_BOOLEAN) {
        fits = decimal_rescale(v->whole, 0, precision, scale, &value);
    } else if (kind == VARIANT_KIND_DECIMAL) {
        fits = decimal_rescale(v->unscaled, v->scale, precision, scale, &value);
    } else if (kind == VARIANT_KIND_STRING) {
        fits = parse_decimal(v->text, precision, scale, &value) == 0;
    } else if (kind == VARIANT_KIND_DOUBLE || kind == VARIANT_KIND_FLOAT) {
        silt_auto(str_buf_fini) StrBuf text = {0};
        print_double(&text, v->number);
        fits = parse_decimal(str_buf_view(&text), precision, scale, &value) == 0;
    }
    if (fits)
        decimal_put(out, row, value);
    return fits;
}

static bool parse_time(const Caster *caster, Str text, bool ntz, int64_t *us)
{
    ParsedTimestamp parsed;
    SiltErr err;
    const Zone *zone = caster->zone;
    if (!parse_timestamp(text, &parsed) || parsed.just_time)
        return false;
    if (parsed.zone.size && !ntz && !(zone = duck__zone_by_name(parsed.zone, &err)))
        return false;
    *us = ntz ? parsed.local_us : zone_to_utc_us(zone, parsed.local_us);
    return true;
}

static bool cast_time(const Caster *caster, VariantKind kind, const VariantScalar *v, Column *out, uint64_t row)
{
    int64_t *us = (int64_t *)out->data + row;
    bool ntz = out->type->kind == TYPE_TIMESTAMP_NTZ;
    switch (kind) {
    case VARIANT_KIND_DATE:
        *us = ntz ? v->whole * DAY_US : zone_to_utc_us(caster->zone, v->whole * DAY_US);
        return true;
    case VARIANT_KIND_TIMESTAMP:
        *us = ntz ? zone_to_local_us(caster->zone, v->whole) : v->whole;
        return true;
    case VARIANT_KIND_TIMESTAMP_NTZ:
        *us = ntz ? v->whole : zone_to_utc_us(caster->zone, v->whole);
        return true;
    case VARIANT_KIND_LONG:
        return !ntz && !__builtin_mul_overflow(v->whole, INT64_C(1000000), us);
    case VARIANT_KIND_DECIMAL:
        *us = decimal_seconds_to_us(v->unscaled, v->scale);
        return !ntz;
    case VARIANT_KIND_DOUBLE:
    case VARIANT_KIND_FLOAT:
        if (!(fabs(v->number * 1e6) < 0x1p63))
            return false;
        *us = (int64_t)(v->number * 1e6);
        return !ntz;
    case VARIANT_KIND_STRING:
        return parse_time(caster, v->text, ntz, us);
    default:
        return false;
    }
}

static bool cast_date(const Caster *caster, VariantKind kind, const VariantScalar *v, int32_t *days)
{
    switch (kind) {
    case VARIANT_KIND_DATE:
        *days = (int32_t)v->whole;
        return true;
    case VARIANT_KIND_TIMESTAMP:
        *days = (int32_t)floor_div(zone_to_local_us(caster->zone, v->whole), DAY_US);
        return true;
    case VARIANT_KIND_TIMESTAMP_NTZ:
        *days = (int32_t)floor_div(v->whole, DAY_US);
        return true;
    case VARIANT_KIND_STRING:
        return parse_date(v->text, days);
    default:
        return false;
    }
}

static bool cast_string(const Caster *caster, const Variant *variant, VariantKind kind, const VariantScalar *v, Column *out, uint64_t row)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    if (kind == VARIANT_KIND_STRING) {
        text_put(out, (int)row, v->text);
        return true;
    }
    if (kind == VARIANT_KIND_BINARY) {
        str_buf_str(&text, v->text);
        if (!utf8_valid(v->text))
            return false;
    } else {
        if (!variant_json(&text, variant->metadata, variant->value, caster->zone))
            return false;
        Str json = str_buf_view(&text);
        if (kind != VARIANT_KIND_OBJECT && kind != VARIANT_KIND_ARRAY && json.size >= 2 && json.ptr[0] == '"') { /* times, NaN */
            text_put(out, (int)row, (Str){json.ptr + 1, json.size - 2});
            return true;
        }
    }
    text_put_buf(out, (int)row, &text);
    return true;
}

static bool cast_boolean(VariantKind kind, const VariantScalar *v, uint8_t *out)
{
    bool value = false;
    bool known = true;
    if (kind == VARIANT_KIND_BOOLEAN || kind == VARIANT_KIND_LONG)
        value = v->whole != 0;
    else if (kind == VARIANT_KIND_DECIMAL)
        value = v->unscaled != 0;
    else if (kind == VARIANT_KIND_DOUBLE || kind == VARIANT_KIND_FLOAT)
        value = v->number != 0;
    else
        known = kind == VARIANT_KIND_STRING && parse_boolean(v->text, &value);
    *out = value;
    return known;
}

/* Rows of the child in use: where the last list before `row` that is not NULL ends. */
static uint64_t list_end(const Column *out, uint64_t row)
{
    const ChunkList *lists = out->data;
    while (row-- > 0)
        if (!column_is_null(out, row))
            return lists[row].offset + lists[row].length;
    return 0;
}

static bool cast_list(const Caster *caster, const Variant *variant, VariantKind kind, Column *out, uint64_t row)
{
    bool map = out->type->kind == TYPE_MAP;
    int64_t count = variant_count(variant);
    if (kind != (map ? VARIANT_KIND_OBJECT : VARIANT_KIND_ARRAY) || count < 0 || (map && out->type->key->kind != TYPE_STRING))
        return false;
    uint64_t start = list_end(out, row);
    column_list_reserve(out, start + (uint64_t)count);
    ((ChunkList *)out->data)[row] = (ChunkList){start, (uint64_t)count};
    for (int64_t i = 0; i < count; i++) {
        Str name;
        Variant item;
        if (!variant_at(variant, i, map ? &name : NULL, &item))
            return false;
        if (map)
            text_put(&out->children[0], (int)(start + (uint64_t)i), name);
        if (!cast_part(caster, &item, &out->children[map], start + (uint64_t)i))
            return false;
    }
    return true;
}

static bool cast_struct(const Caster *caster, const Variant *variant, VariantKind kind, Column *out, uint64_t row)
{
    if (kind != VARIANT_KIND_OBJECT)
        return false;
    for (int i = 0; i < out->child_count; i++) {
        Variant item;
        switch (variant_field(variant, str_of(out->type->fields[i].name), &item)) {
        case VARIANT_FOUND:
            if (!cast_part(caster, &item, &out->children[i], row))
                return false;
            break;
        case VARIANT_ABSENT:
            column_set_null(&out->children[i], row);
            break;
        case VARIANT_BROKEN:
            return false;
        }
    }
    return true;
}

/* False: the value cannot be of that type. */
static bool cast_into(const Caster *caster, const Variant *variant, Column *out, uint64_t row)
{
    VariantScalar v;
    VariantKind kind = variant_read(variant, &v);
    double number;
    if (out->type->kind == TYPE_VARIANT) {
        variant_put(out, row, variant->metadata, (Str){variant->value.ptr, variant_size(variant)});
        return kind != VARIANT_KIND_BAD;
    }
    if (kind == VARIANT_KIND_NULL) {
        column_set_null(out, row);
        return true;
    }
    switch (out->type->kind) {
    case TYPE_BOOLEAN:
        return cast_boolean(kind, &v, (uint8_t *)out->data + row);
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
        return cast_whole(kind, &v, out, row);
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        if (!as_double(kind, &v, &number))
            return false;
        if (out->type->kind == TYPE_FLOAT)
            ((float *)out->data)[row] = (float)number;
        else
            ((double *)out->data)[row] = number;
        return true;
    case TYPE_DECIMAL:
        return cast_decimal(kind, &v, out, row);
    case TYPE_STRING:
        return cast_string(caster, variant, kind, &v, out, row);
    case TYPE_BINARY:
        if (kind == VARIANT_KIND_BINARY || kind == VARIANT_KIND_STRING)
            text_put(out, (int)row, v.text);
        return kind == VARIANT_KIND_BINARY || kind == VARIANT_KIND_STRING;
    case TYPE_DATE:
        return cast_date(caster, kind, &v, (int32_t *)out->data + row);
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        return cast_time(caster, kind, &v, out, row);
    case TYPE_ARRAY:
    case TYPE_MAP:
        return cast_list(caster, variant, kind, out, row);
    case TYPE_STRUCT:
        return cast_struct(caster, variant, kind, out, row);
    default:
        return false;
    }
}

/* silt_variant_get:type(variant, path) */
static int variant_get_or(FnCall *call, const Column *args, Column *out, int rows, bool null)
{
    SiltErr err;
    Caster caster = {call, duck__session_zone(call->session, &err), null};
    if (!caster.zone)
        return fn_fail(call, 0, err.code, "%s", err.message);
    FN_ROWS(row, out, rows)
    {
        Variant variant = variant_of(&args[0], (uint64_t)row);
        Str path = text_at(&args[1], row);
        int r = follow(&variant, path);
        if (r == WRONG_PATH)
            return fn_fail(call, row, "INVALID_VARIANT_GET_PATH", "\"%.*s\" is no path into a VARIANT, like $.a[0]['b c']", FN_SHOW(path));
        if (r == BROKEN && !null)
            return broken(call, row);
        if (r == NOT_THERE || r == BROKEN) {
            column_set_null(out, (uint64_t)row);
        } else if (!cast_into(&caster, &variant, out, (uint64_t)row)) {
            silt_auto(str_buf_fini) StrBuf text = {0}, type = {0};
            if (null) {
                set_null(out, (uint64_t)row);
                continue;
            }
            if (!variant_json(&text, variant.metadata, variant.value, caster.zone))
                return broken(call, row);
            type_print(&type, out->type);
            return fn_fail(call, row, "INVALID_VARIANT_CAST", "%.*s of a VARIANT cannot be cast to %s", FN_SHOW(str_buf_view(&text)),
                           str_buf_text(&type));
        }
    }
    return 0;
}

static int variant_get(FnCall *call, const Column *args, Column *out, int rows)
{
    return variant_get_or(call, args, out, rows, false);
}

static int try_variant_get(FnCall *call, const Column *args, Column *out, int rows)
{
    return variant_get_or(call, args, out, rows, true);
}

/* ---- what it is ---- */

static int is_variant_null(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call;
    for (int row = 0; row < rows; row++) {
        Variant variant = column_is_null(&args[0], (uint64_t)row) ? (Variant){0} : variant_of(&args[0], (uint64_t)row);
        ((uint8_t *)out->data)[row] = variant_read(&variant, NULL) == VARIANT_KIND_NULL;
    }
    return 0;
}

/* variant_explode: position, key (NULL in an array) and value of each part; none of a scalar. */
static int variant_entries(FnCall *call, const Column *args, Column *out, int rows)
{
    uint64_t used = 0;
    FN_ROWS(row, out, rows)
    {
        Variant variant = variant_of(&args[0], (uint64_t)row);
        VariantKind kind = variant_read(&variant, NULL);
        bool object = kind == VARIANT_KIND_OBJECT;
        int64_t count = variant_count(&variant);
        if (kind == VARIANT_KIND_BAD || (count < 0 && (object || kind == VARIANT_KIND_ARRAY)))
            return broken(call, row);
        uint64_t start = used;
        column_list_reserve(out, used + (uint64_t)(count > 0 ? count : 0));
        Column *fields = out->children[0].children;
        for (int64_t i = 0; i < count; i++) {
            Variant item;
            Str name;
            if (!variant_at(&variant, i, object ? &name : NULL, &item))
                return broken(call, row);
            ((int32_t *)fields[0].data)[used] = (int32_t)i;
            if (object)
                text_put(&fields[1], (int)used, name);
            else
                column_set_null(&fields[1], used);
            variant_put(&fields[2], used, item.metadata, (Str){item.value.ptr, variant_size(&item)});
            used++;
        }
        ((ChunkList *)out->data)[row] = (ChunkList){start, used - start};
    }
    return 0;
}

/* to_json of a VARIANT */
static int variant_text(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const Zone *zone = duck__session_zone(call->session, &err);
    if (!zone)
        return fn_fail(call, 0, err.code, "%s", err.message);
    FN_ROWS(row, out, rows)
    {
        Variant variant = variant_of(&args[0], (uint64_t)row);
        str_buf_clear(call->scratch);
        if (!variant_json(call->scratch, variant.metadata, variant.value, zone))
            return broken(call, row);
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

const DuckFunction fn_variant[] = {
    {.name = "silt_variant_entries", .args = "any", .result = "array<struct<pos:int,key:string,value:variant>>", .flags = FN_FAILS, .eval = variant_entries},
    {.name = "silt_variant_json", .args = "any", .result = "string", .flags = FN_FAILS, .eval = variant_text},
    {.name = "silt_parse_json", .args = "string", .result = "variant", .flags = FN_FAILS, .eval = parse_json},
    {.name = "silt_try_parse_json", .args = "string", .result = "variant", .eval = try_parse_json},
    {.name = "silt_to_variant", .args = "any", .result = "variant", .flags = FN_FAILS, .eval = to_variant, .prepare = prepare_to_variant},
    {.name = "silt_variant_get", .args = "any, string", .result = NULL, .flags = FN_FAILS, .eval = variant_get},
    {.name = "silt_try_variant_get", .args = "any, string", .result = NULL, .flags = FN_VOLATILE, .eval = try_variant_get},
    {.name = "silt_is_variant_null", .args = "any", .result = "boolean", .flags = FN_NULLS, .eval = is_variant_null},
    {0},
};
