/*
 * format/avro_decode.c - Avro blocks into columns
 *
 * The file's schema is resolved against the columns once per file, by name: a Plan says for each place of the file's schema which column it
 * goes to and whether its values fit there at all. What has no column, or does not fit, is skipped, counted and rescued as JSON.
 *
 *   V1  A block is decoded whole or the read fails with the file's name: bytes that are out of step cannot be told from records.
 *   V2  A row's position is that of its block in the file.
 */
#include "format/avro.h"

#include "base/json.h"
#include "format/infer.h"
#include "format/json_scan.h"
#include "format/rescue.h"
#include "format/value.h"

#include <snappy-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>
#include <zstd.h>

/* One place of the file's schema. */
typedef struct Plan Plan;
struct Plan {
    const AvroType *from;
    const Type *to; /* NULL: nobody wants it */
    bool fits;      /* a value of this kind has its like in `to` (a union: its branches say) */
    Plan *children; /* as from->children */
    int *fields;    /* RECORD: index in `to` for each of the file's fields, -1: none; UNION as a struct: the same for its branches */
    int *missing;   /* RECORD: fields of `to` that the file lacks */
    int missing_count;
    bool as_struct; /* UNION that is STRUCT(member0, ...) */
    Column *column;
    uint64_t used, reserved; /* ARRAY, MAP: rows of the children in this chunk */
};

typedef struct AvroDecoder {
    const FormatOptions *options;
    const FormatTarget *target;
    FormatSink sink;
    Arena *arena;
    FormatCounts counts;
    FormatBlock block;
    const AvroHead *head;
    Arena *plan_arena;
    Plan root;
    const Type *met; /* STRUCT: all that the files' schemas have */
    Arena *met_arena;
    Chunk *chunk;
    /* In the format block */
    const char *next, *end;
    /* In the Avro block */
    const char *p, *stop;
    int64_t left;     /* records */
    int64_t position; /* of the Avro block */
    StrBuf bytes;     /* decompressed */
    int64_t misfits, unknowns;
    Rescue rescue;
    bool rescue_wanted;
    StrBuf value; /* of a rescued field */
    bool failed;  /* behind the rows of the last chunk */
    SiltErr failure;
} AvroDecoder;

/* ---- resolution ---- */

static int find_field(const Type *type, const char *name)
{
    for (int i = 0; i < type->field_count; i++)
        if (strcmp(type->fields[i].name, name) == 0)
            return i;
    for (int i = 0; i < type->field_count; i++)
        if (strcasecmp(type->fields[i].name, name) == 0)
            return i;
    return -1;
}

static bool scalar_fits(const AvroType *from, const Type *to)
{
    switch (from->kind) {
    case AVRO_NULL:
        return true;
    case AVRO_BOOLEAN:
        return to->kind == TYPE_BOOLEAN;
    case AVRO_INT:
        if (from->logical == AVRO_DATE)
            return to->kind == TYPE_DATE;
        return to->kind == TYPE_INT || to->kind == TYPE_LONG || to->kind == TYPE_DOUBLE || (to->kind == TYPE_DECIMAL && to->precision - to->scale >= 10);
    case AVRO_LONG:
        if (from->logical == AVRO_MILLIS || from->logical == AVRO_MICROS)
            return to->kind == TYPE_TIMESTAMP;
        if (from->logical != AVRO_PLAIN)
            return to->kind == TYPE_TIMESTAMP_NTZ;
        return to->kind == TYPE_LONG || (to->kind == TYPE_DECIMAL && to->precision - to->scale >= 19);
    case AVRO_FLOAT:
        return to->kind == TYPE_FLOAT || to->kind == TYPE_DOUBLE;
    case AVRO_DOUBLE:
        return to->kind == TYPE_DOUBLE;
    case AVRO_BYTES:
    case AVRO_FIXED:
        if (from->logical == AVRO_DECIMAL)
            return to->kind == TYPE_DECIMAL && to->scale >= from->scale && to->precision - to->scale >= from->precision - from->scale;
        return to->kind == TYPE_BINARY;
    case AVRO_STRING:
        return to->kind == TYPE_STRING || to->kind == TYPE_BINARY;
    case AVRO_ENUM:
        return to->kind == TYPE_STRING;
    default:
        return false;
    }
}

static void resolve(AvroDecoder *d, Plan *plan, const AvroType *from, const Type *to)
{
    Arena *arena = d->plan_arena;
    *plan = (Plan){.from = from, .to = to, .fits = to && scalar_fits(from, to)};
    if (from->kind < AVRO_ARRAY)
        return;
    plan->children = ARENA_ARRAY(arena, Plan, from->count + 1);
    plan->fields = ARENA_ARRAY(arena, int, from->count + 1);
    bool record = from->kind == AVRO_RECORD;
    int only = from->kind == AVRO_UNION ? avro_only_branch(from) : -1;
    plan->as_struct = from->kind == AVRO_UNION && only < 0 && to && to->kind == TYPE_STRUCT;
    plan->fits = to && (record ? to->kind == TYPE_STRUCT
                        : from->kind == AVRO_ARRAY ? to->kind == TYPE_ARRAY
                        : from->kind == AVRO_MAP   ? to->kind == TYPE_MAP && to->key->kind == TYPE_STRING
                                                   : true);
    const Type *inner = plan->fits ? to : NULL;
    for (int i = 0, member = 0; i < from->count; i++) {
        const Type *want = NULL;
        plan->fields[i] = -1;
        if (inner && (record || plan->as_struct)) {
            char name[24];
            snprintf(name, sizeof name, "member%d", member);
            if (record || from->children[i]->kind != AVRO_NULL) {
                plan->fields[i] = find_field(inner, record ? from->names[i] : name);
                member++;
            }
            want = plan->fields[i] < 0 ? NULL : inner->fields[plan->fields[i]].type;
        } else if (inner) {
            want = from->kind == AVRO_UNION ? inner : inner->element;
        }
        resolve(d, &plan->children[i], from->children[i], want);
    }
    if (!inner || !(record || plan->as_struct))
        return;
    plan->missing = ARENA_ARRAY(arena, int, inner->field_count + 1);
    for (int f = 0; f < inner->field_count; f++) {
        bool there = false;
        for (int i = 0; i < from->count; i++) {
            if (plan->fields[i] == f && there)
                plan->fields[i] = -1; /* two names that differ by case: the first has it, the other is unknown */
            there |= plan->fields[i] == f;
        }
        if (!there || plan->as_struct)
            plan->missing[plan->missing_count++] = f; /* of a union: all are missing, then one is set */
    }
}

static void bind(Plan *plan, Column *column)
{
    plan->column = column;
    plan->used = plan->reserved = 0;
    for (int i = 0; i < (plan->children ? plan->from->count : 0); i++) {
        Column *child = NULL;
        if (column && plan->fits) {
            if (plan->from->kind == AVRO_RECORD || plan->as_struct)
                child = plan->fields[i] < 0 ? NULL : &column->children[plan->fields[i]];
            else if (plan->from->kind == AVRO_UNION)
                child = column;
            else
                child = &column->children[plan->from->kind == AVRO_MAP ? 1 : 0];
        }
        bind(&plan->children[i], child);
    }
}

/* ---- values ---- */

static inline void set_valid(Column *column, uint64_t row)
{
    if (column->validity)
        column->validity[row >> 6] |= UINT64_C(1) << (row & 63);
}

static void set_null(Column *column, uint64_t row)
{
    column_set_null(column, row);
    if (column->type->kind == TYPE_ARRAY || column->type->kind == TYPE_MAP)
        ((ChunkList *)column->data)[row] = (ChunkList){0};
}

static bool take_bytes(AvroDecoder *d, const AvroType *from, Str *out)
{
    int64_t size = from->size;
    if (from->kind != AVRO_FIXED && !avro_long(&d->p, d->stop, &size))
        return false;
    if (size < 0 || d->stop - d->p < size)
        return false;
    *out = (Str){d->p, (size_t)size};
    d->p += size;
    return true;
}

/* Walk over a value; out (NULL allowed) gets it as JSON. False: the bytes are no such value. */
static bool skip(AvroDecoder *d, const AvroType *from, StrBuf *out);

static bool skip_list(AvroDecoder *d, const AvroType *from, StrBuf *out)
{
    bool map = from->kind == AVRO_MAP, first = true;
    if (out)
        str_buf_putc(out, map ? '{' : '[');
    for (;;) {
        int64_t count, size;
        if (!avro_long(&d->p, d->stop, &count))
            return false;
        if (count == 0)
            break;
        if (count < 0 && (count == INT64_MIN || (count = -count, !avro_long(&d->p, d->stop, &size))))
            return false;
        if (count > d->stop - d->p && from->children[0]->kind != AVRO_NULL)
            return false; /* more items than bytes */
        for (; count > 0; count--) {
            if (out && !first)
                str_buf_putc(out, ',');
            first = false;
            if (map) {
                Str key;
                if (!take_bytes(d, from, &key))
                    return false;
                if (out) {
                    json_put_str(out, key);
                    str_buf_putc(out, ':');
                }
            }
            if (!skip(d, from->children[0], out))
                return false;
        }
    }
    if (out)
        str_buf_putc(out, map ? '}' : ']');
    return true;
}

static void put_base64(StrBuf *out, Str bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    str_buf_putc(out, '"');
    for (size_t i = 0; i < bytes.size; i += 3) {
        size_t left = bytes.size - i;
        unsigned v = (unsigned)(unsigned char)bytes.ptr[i] << 16;
        v |= left > 1 ? (unsigned)(unsigned char)bytes.ptr[i + 1] << 8 : 0;
        v |= left > 2 ? (unsigned char)bytes.ptr[i + 2] : 0;
        str_buf_putc(out, digits[v >> 18]);
        str_buf_putc(out, digits[v >> 12 & 63]);
        str_buf_putc(out, left > 1 ? digits[v >> 6 & 63] : '=');
        str_buf_putc(out, left > 2 ? digits[v & 63] : '=');
    }
    str_buf_putc(out, '"');
}

static bool skip(AvroDecoder *d, const AvroType *from, StrBuf *out)
{
    int64_t number;
    Str bytes;
    switch (from->kind) {
    case AVRO_NULL:
        if (out)
            str_buf_puts(out, "null");
        return true;
    case AVRO_BOOLEAN:
        if (d->p == d->stop)
            return false;
        if (out)
            str_buf_puts(out, *d->p ? "true" : "false");
        d->p++;
        return true;
    case AVRO_INT:
    case AVRO_LONG:
        if (!avro_long(&d->p, d->stop, &number))
            return false;
        if (out)
            str_buf_printf(out, "%lld", (long long)number);
        return true;
    case AVRO_FLOAT:
    case AVRO_DOUBLE: {
        size_t size = from->kind == AVRO_FLOAT ? 4 : 8;
        if ((size_t)(d->stop - d->p) < size)
            return false;
        float f;
        double v;
        if (size == 4) {
            memcpy(&f, d->p, 4);
            v = (double)f;
        } else {
            memcpy(&v, d->p, 8);
        }
        d->p += size;
        if (out && v - v != 0)
            str_buf_puts(out, v != v ? "\"NaN\"" : v > 0 ? "\"Infinity\"" : "\"-Infinity\"");
        else if (out)
            str_buf_printf(out, size == 4 ? "%.9g" : "%.17g", v);
        return true;
    }
    case AVRO_BYTES:
    case AVRO_FIXED:
        if (!take_bytes(d, from, &bytes))
            return false;
        if (out)
            put_base64(out, bytes);
        return true;
    case AVRO_STRING:
        if (!take_bytes(d, from, &bytes))
            return false;
        if (out)
            json_put_str(out, bytes);
        return true;
    case AVRO_ENUM:
        if (!avro_long(&d->p, d->stop, &number) || number < 0 || number >= from->count)
            return false;
        if (out)
            json_put_str(out, str_of(from->names[number]));
        return true;
    case AVRO_ARRAY:
    case AVRO_MAP:
        return skip_list(d, from, out);
    case AVRO_UNION:
        return avro_long(&d->p, d->stop, &number) && number >= 0 && number < from->count && skip(d, from->children[number], out);
    case AVRO_RECORD:
        if (out)
            str_buf_putc(out, '{');
        for (int i = 0; i < from->count; i++) {
            if (out) {
                if (i)
                    str_buf_putc(out, ',');
                json_put_str(out, str_of(from->names[i]));
                str_buf_putc(out, ':');
            }
            if (!skip(d, from->children[i], out))
                return false;
        }
        if (out)
            str_buf_putc(out, '}');
        return true;
    }
    return false;
}

/* A decimal's big-endian bytes, brought to another scale: false when it does not fit the precision. */
static bool decimal_value(Str bytes, const AvroType *from, const Type *to, __int128 *out)
{
    static const __int128 one = 1;
    size_t at = 0;
    bool negative = bytes.size && (bytes.ptr[0] & 0x80);
    while (bytes.size - at > 16 && (unsigned char)bytes.ptr[at] == (negative ? 0xff : 0)) /* sign only */
        at++;
    if (bytes.size - at > 16)
        return false;
    unsigned __int128 raw = negative ? ~(unsigned __int128)0 : 0;
    for (; at < bytes.size; at++)
        raw = raw << 8 | (unsigned char)bytes.ptr[at];
    __int128 value = (__int128)raw, limit = one;
    if ((value < 0) != negative)
        return false;
    for (int i = from->logical == AVRO_DECIMAL ? from->scale : 0; i < to->scale; i++)
        if (__builtin_mul_overflow(value, (__int128)10, &value))
            return false;
    for (int i = 0; i < to->precision; i++)
        limit *= 10;
    if (value >= limit || value <= -limit)
        return false;
    *out = value;
    return true;
}

static bool put(AvroDecoder *d, Plan *plan, uint64_t row, bool *fits);

static bool put_fields(AvroDecoder *d, Plan *plan, uint64_t row)
{
    set_valid(plan->column, row);
    for (int i = 0; i < plan->missing_count; i++)
        set_null(&plan->column->children[plan->missing[i]], row);
    for (int i = 0; i < plan->from->count; i++) {
        Plan *child = &plan->children[i];
        const char *start = d->p;
        bool fits = true;
        if (!child->to) {
            if (!skip(d, child->from, NULL))
                return false;
            d->unknowns += d->p - start > (child->from->kind == AVRO_UNION); /* more than the branch of a NULL */
        } else if (!put(d, child, row, &fits)) {
            return false;
        }
    }
    return true;
}

static void list_room(Plan *plan)
{
    if (plan->used < plan->reserved)
        return;
    plan->reserved = plan->reserved ? plan->reserved * 2 : CHUNK_ROWS_MAX;
    column_list_reserve(plan->column, plan->reserved);
}

static bool put_list(AvroDecoder *d, Plan *plan, uint64_t row, bool *fits)
{
    uint64_t first = plan->used;
    bool map = plan->from->kind == AVRO_MAP;
    for (;;) {
        int64_t count, size;
        if (!avro_long(&d->p, d->stop, &count))
            return false;
        if (count == 0)
            break;
        if (count < 0 && (count == INT64_MIN || (count = -count, !avro_long(&d->p, d->stop, &size))))
            return false;
        if (count > d->stop - d->p)
            return false; /* also of lists of nothing but NULLs, which nobody writes by the billion */
        for (; count > 0; count--) {
            list_room(plan);
            uint64_t at = plan->used++;
            if (map) {
                Str key;
                if (!take_bytes(d, plan->from, &key) || !json_utf8_valid(key.ptr, key.size))
                    return false;
                Column *keys = &plan->column->children[0];
                column_set_string(keys, at, key.ptr, key.size);
                set_valid(keys, at);
            }
            plan->children[0].column = &plan->column->children[map ? 1 : 0];
            bool one = true;
            if (!put(d, &plan->children[0], at, &one))
                return false;
            *fits &= one;
        }
    }
    set_valid(plan->column, row);
    ((ChunkList *)plan->column->data)[row] = (ChunkList){first, plan->used - first};
    return true;
}

static bool put_union(AvroDecoder *d, Plan *plan, uint64_t row, bool *fits)
{
    int64_t branch;
    if (!avro_long(&d->p, d->stop, &branch) || branch < 0 || branch >= plan->from->count)
        return false;
    Plan *child = &plan->children[branch];
    if (child->from->kind == AVRO_NULL) {
        set_null(plan->column, row);
        return true;
    }
    if (!plan->as_struct)
        return put(d, child, row, fits);
    set_valid(plan->column, row);
    for (int i = 0; i < plan->missing_count; i++)
        set_null(&plan->column->children[plan->missing[i]], row);
    if (child->to)
        return put(d, child, row, fits);
    *fits = false;
    return skip(d, child->from, NULL);
}

static void put_number(Column *column, uint64_t row, int64_t number)
{
    switch (column->type->kind) {
    case TYPE_INT:
    case TYPE_DATE:
        ((int32_t *)column->data)[row] = (int32_t)number;
        break;
    case TYPE_DOUBLE:
        ((double *)column->data)[row] = (double)number;
        break;
    case TYPE_DECIMAL: {
        __int128 value = number;
        for (int i = 0; i < column->type->scale; i++)
            value *= 10;
        value_store_decimal(column->data, row, column->type->precision, value);
        break;
    }
    default:
        ((int64_t *)column->data)[row] = number;
    }
}

/* The value at d->p. False: the bytes are broken. *fits = false: it was stepped over and is NULL. */
static bool put(AvroDecoder *d, Plan *plan, uint64_t row, bool *fits)
{
    const AvroType *from = plan->from;
    Column *column = plan->column;
    int64_t number;
    Str bytes;
    if (!plan->fits || from->kind == AVRO_NULL) {
        *fits = plan->fits;
        d->misfits += !plan->fits;
        set_null(column, row);
        return skip(d, from, NULL);
    }
    switch (from->kind) {
    case AVRO_BOOLEAN:
        if (d->p == d->stop)
            return false;
        ((uint8_t *)column->data)[row] = *d->p++ != 0;
        break;
    case AVRO_INT:
    case AVRO_LONG:
        if (!avro_long(&d->p, d->stop, &number))
            return false;
        if ((from->kind == AVRO_INT && (number < INT32_MIN || number > INT32_MAX)))
            return false;
        if ((from->logical == AVRO_MILLIS || from->logical == AVRO_LOCAL_MILLIS) && __builtin_mul_overflow(number, INT64_C(1000), &number))
            goto misfit;
        put_number(column, row, number);
        break;
    case AVRO_FLOAT: {
        float value;
        if (d->stop - d->p < 4)
            return false;
        memcpy(&value, d->p, 4);
        d->p += 4;
        if (column->type->kind == TYPE_FLOAT)
            ((float *)column->data)[row] = value;
        else
            ((double *)column->data)[row] = (double)value;
        break;
    }
    case AVRO_DOUBLE:
        if (d->stop - d->p < 8)
            return false;
        memcpy((double *)column->data + row, d->p, 8);
        d->p += 8;
        break;
    case AVRO_BYTES:
    case AVRO_FIXED:
        if (!take_bytes(d, from, &bytes))
            return false;
        if (from->logical == AVRO_DECIMAL) {
            __int128 value;
            if (!decimal_value(bytes, from, column->type, &value))
                goto misfit;
            value_store_decimal(column->data, row, column->type->precision, value);
        } else {
            column_set_string(column, row, bytes.ptr, bytes.size);
        }
        break;
    case AVRO_STRING:
        if (!take_bytes(d, from, &bytes))
            return false;
        if (column->type->kind == TYPE_STRING && !json_utf8_valid(bytes.ptr, bytes.size))
            goto misfit;
        column_set_string(column, row, bytes.ptr, bytes.size);
        break;
    case AVRO_ENUM:
        if (!avro_long(&d->p, d->stop, &number) || number < 0 || number >= from->count)
            return false;
        column_set_string(column, row, from->names[number], strlen(from->names[number]));
        break;
    case AVRO_ARRAY:
    case AVRO_MAP:
        return put_list(d, plan, row, fits);
    case AVRO_UNION:
        return put_union(d, plan, row, fits);
    case AVRO_RECORD:
        return put_fields(d, plan, row);
    default:
        return false;
    }
    set_valid(column, row);
    return true;
misfit:
    set_null(column, row);
    d->misfits++;
    *fits = false;
    return true;
}

/* ---- records to rows ---- */

/* A field of the record; what was not taken of it is rescued whole. */
static bool put_top(AvroDecoder *d, int field, uint64_t row)
{
    Plan *plan = &d->root.children[field];
    const char *start = d->p;
    int64_t before = d->misfits + d->unknowns;
    bool fits = true;
    int at = d->root.fields[field];
    bool needed = at >= 0 && (!d->target->needed || d->target->needed[at]);
    if (at < 0) {
        if (!skip(d, plan->from, NULL))
            return false;
        d->unknowns += d->p - start > (plan->from->kind == AVRO_UNION); /* more than the branch of a NULL */
    } else if (!needed) {
        set_null(chunk_column_mut(d->chunk, at), row);
        return skip(d, plan->from, NULL);
    } else if (!put(d, plan, row, &fits)) {
        return false;
    }
    if (d->misfits + d->unknowns == before || !d->rescue_wanted)
        return true;
    const char *behind = d->p;
    d->p = start;
    str_buf_clear(&d->value);
    if (!skip(d, plan->from, &d->value))
        return false;
    silt_assert(d->p == behind);
    Str name = str_of(d->head->type->names[field]);
    rescue_put(&d->rescue, &name, 1, str_buf_view(&d->value));
    return true;
}

static int broken(AvroDecoder *d, const char *what, SiltErr *err)
{
    return silt_fail(err, SILT_INPUT, "could not read the Avro block at byte %lld of %s: %s", (long long)d->position, d->block.source_name, what);
}

/* ROW_MADE, ROW_NONE, < 0 */
enum { ROW_MADE, ROW_NONE };

static int next_row(AvroDecoder *d, uint64_t row, SiltErr *err)
{
    d->misfits = d->unknowns = 0;
    if (d->rescue.any)
        rescue_clear(&d->rescue);
    const char *start = d->p;
    d->left--;
    for (int i = 0; i < d->head->type->count; i++)
        if (!put_top(d, i, row)) {
            d->left = 0; /* where the next record begins is not known: the rest of the block is lost */
            return broken(d, "a record is not as the schema says", err);
        }
    for (int i = 0; i < d->root.missing_count; i++)
        set_null(chunk_column_mut(d->chunk, d->root.missing[i]), row);
    d->counts.records++;
    d->counts.misfit_fields += d->misfits;
    d->counts.unknown_fields += d->unknowns;
    if (!d->misfits)
        return ROW_MADE;
    if (d->options->mode == FORMAT_MODE_FAIL) {
        broken(d, "a field that does not fit its type", err);
        return silt_code(err, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION");
    }
    if (d->options->mode != FORMAT_MODE_DROP)
        return ROW_MADE;
    d->counts.dropped++;
    FormatBadRecord bad = {.source = d->block.source,
                           .position = d->position,
                           .length = d->p - start,
                           .reason = "a field that does not fit its type",
                           .bytes = {start, (size_t)(d->p - start)}};
    return d->sink.put && d->sink.put(d->sink.self, &bad, err) < 0 ? -1 : ROW_NONE;
}

/* ---- blocks ---- */

static uint32_t crc_at(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3];
}

static char *room(AvroDecoder *d, size_t size)
{
    str_buf_clear(&d->bytes);
    str_buf_reserve(&d->bytes, size);
    return d->bytes.ptr;
}

static int inflate_block(AvroDecoder *d, Str in, SiltErr *err)
{
    size_t size = in.size * 4 + 1024, got = 0;
    char *out = room(d, size);
    z_stream z = {0};
    silt_assert(inflateInit2(&z, -15) == Z_OK);
    z.next_in = (Bytef *)(uintptr_t)in.ptr;
    z.avail_in = (uInt)in.size;
    int r;
    for (;;) {
        z.next_out = (Bytef *)out + got;
        z.avail_out = (uInt)(size - got);
        r = inflate(&z, Z_NO_FLUSH);
        got = size - z.avail_out;
        if (r != Z_OK || z.avail_out > 0 || (int64_t)size > d->options->record_bytes_max)
            break;
        d->bytes.size = got;
        str_buf_reserve(&d->bytes, size);
        out = d->bytes.ptr;
        size *= 2;
    }
    inflateEnd(&z);
    if (r != Z_STREAM_END)
        return broken(d, "its deflated bytes are broken", err);
    d->p = out;
    d->stop = out + got;
    return 0;
}

static int unpack(AvroDecoder *d, Str in, SiltErr *err)
{
    switch (d->head->codec) {
    case AVRO_CODEC_NULL:
        d->p = in.ptr;
        d->stop = in.ptr + in.size;
        return 0;
    case AVRO_CODEC_DEFLATE:
        return inflate_block(d, in, err);
    case AVRO_CODEC_SNAPPY: { /* with the CRC-32 of what was compressed behind it */
        size_t size;
        if (in.size < 4 || snappy_uncompressed_length(in.ptr, in.size - 4, &size) != SNAPPY_OK || (int64_t)size > d->options->record_bytes_max)
            return broken(d, "its snappy bytes are broken", err);
        char *out = room(d, size + 1);
        if (snappy_uncompress(in.ptr, in.size - 4, out, &size) != SNAPPY_OK)
            return broken(d, "its snappy bytes are broken", err);
        if (crc_at(in.ptr + in.size - 4) != (uint32_t)crc32(0, (const Bytef *)out, (uInt)size))
            return broken(d, "its checksum does not match", err);
        d->p = out;
        d->stop = out + size;
        return 0;
    }
    case AVRO_CODEC_ZSTD: {
        ZSTD_inBuffer input = {in.ptr, in.size, 0};
        ZSTD_DStream *stream = ZSTD_createDStream();
        size_t r = 1, size = 0;
        room(d, 1);
        while (!ZSTD_isError(r) && (input.pos < input.size || size == d->bytes.size) && (int64_t)d->bytes.size <= d->options->record_bytes_max) {
            str_buf_reserve(&d->bytes, ZSTD_DStreamOutSize());
            ZSTD_outBuffer output = {d->bytes.ptr + d->bytes.size, ZSTD_DStreamOutSize(), 0};
            r = ZSTD_decompressStream(stream, &output, &input);
            d->bytes.size += output.pos;
            if (input.pos == input.size && output.pos < output.size)
                break;
        }
        ZSTD_freeDStream(stream);
        if (r != 0)
            return broken(d, "its zstd bytes are broken", err);
        d->p = d->bytes.ptr;
        d->stop = d->p + d->bytes.size;
        return 0;
    }
    }
    return -1;
}

/* The next Avro block of the format block: 1, 0 at the end, < 0. */
static int next_block(AvroDecoder *d, SiltErr *err)
{
    if (d->next == d->end)
        return 0;
    const char *p = d->next;
    int64_t count, size;
    d->position = d->block.position + (p - d->block.ptr);
    d->next = d->end; /* until it is known where the next one begins */
    silt_assert(avro_long(&p, d->end, &count) && avro_long(&p, d->end, &size) && size <= d->end - p - 16); /* cut has seen it */
    if (count < 0)
        return broken(d, "a number of records below zero", err);
    if (memcmp(p + size, d->head->sync, 16) != 0)
        return broken(d, "the marker behind it is not that of the file", err);
    d->next = p + size + 16;
    SILT_TRY(unpack(d, (Str){p, (size_t)size}, err));
    if (count > d->stop - d->p && d->head->type->count > 0)
        return broken(d, "more records than bytes", err);
    d->left = count;
    return 1;
}

/* ---- FormatOps ---- */

int avro_decoder_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err)
{
    (void)err;
    Arena *arena = arena_new();
    AvroDecoder *d = ARENA_NEW(arena, AvroDecoder);
    *d = (AvroDecoder){.options = options, .target = target, .arena = arena, .rescue_wanted = target->rescued_column >= 0};
    if (sink)
        d->sink = *sink;
    *out = (FormatDecoder *)d;
    return 0;
}

void avro_decoder_free(FormatDecoder *decoder)
{
    AvroDecoder *d = (AvroDecoder *)decoder;
    if (!d)
        return;
    str_buf_fini(&d->bytes);
    str_buf_fini(&d->value);
    rescue_fini(&d->rescue);
    chunk_unref(d->chunk);
    arena_free(d->plan_arena);
    arena_free(d->met_arena);
    arena_free(d->arena);
}

void avro_decoder_begin(FormatDecoder *decoder, const FormatBlock *block)
{
    AvroDecoder *d = (AvroDecoder *)decoder;
    d->block = *block;
    d->next = block->ptr;
    d->end = block->ptr + block->size;
    d->left = 0;
    if (block->unusable || d->head == block->head)
        return;
    d->head = block->head;
    if (!d->plan_arena)
        d->plan_arena = arena_new();
    arena_reset(d->plan_arena);
    resolve(d, &d->root, d->head->type, d->target->schema);
    if (d->target->collect_unknown) {
        if (!d->met_arena)
            d->met_arena = arena_new();
        d->met = d->met ? schema_add(d->met, d->head->schema, d->met_arena) : type_copy(d->met_arena, d->head->schema);
    }
}

static void put_rescued(AvroDecoder *d, uint64_t row)
{
    Column *column = chunk_column_mut(d->chunk, d->target->rescued_column);
    if (!d->rescue.any) {
        column_set_null(column, row);
        return;
    }
    Str text = rescue_finish(&d->rescue, d->block.source_name);
    set_valid(column, row);
    column_set_string(column, row, text.ptr, text.size);
}

static int put_unusable(AvroDecoder *d, SiltErr *err)
{
    FormatBadRecord bad = {.source = d->block.source,
                           .position = d->block.position,
                           .length = d->block.unusable_length,
                           .reason = d->block.unusable,
                           .bytes = {d->block.ptr, d->block.size}};
    d->position = d->block.position;
    d->next = d->end;
    if (d->options->mode == FORMAT_MODE_FAIL)
        return broken(d, d->block.unusable, err);
    d->block.unusable = NULL;
    d->counts.records++;
    d->counts.undecodable++;
    return d->sink.put ? d->sink.put(d->sink.self, &bad, err) : 0;
}

static void bind_chunk(AvroDecoder *d)
{
    d->chunk = chunk_new(d->target->types, d->target->column_count);
    for (int i = 0; i < d->head->type->count; i++)
        bind(&d->root.children[i], d->root.fields[i] < 0 ? NULL : chunk_column_mut(d->chunk, d->root.fields[i]));
}

/* The children of lists hold exactly what was put there. */
static void settle(Plan *plan)
{
    if (!plan->children || !plan->column)
        return;
    if (plan->fits && (plan->from->kind == AVRO_ARRAY || plan->from->kind == AVRO_MAP))
        column_list_reserve(plan->column, plan->used);
    for (int i = 0; i < plan->from->count; i++)
        settle(&plan->children[i]);
}

/* A failure: at once, or behind the rows that were read before it. Called again, the decoder goes on with the next Avro block. */
static int fail(AvroDecoder *d, uint64_t rows, const SiltErr *failure, SiltErr *err)
{
    d->failed = rows > 0;
    if (d->failed) {
        d->failure = *failure;
        return 0;
    }
    if (err)
        *err = *failure;
    return -1;
}

int avro_decoder_next(FormatDecoder *decoder, Chunk **out, int *rows, SiltErr *err)
{
    AvroDecoder *d = (AvroDecoder *)decoder;
    uint64_t row = 0;
    SiltErr failure = {0};
    *out = NULL;
    *rows = 0;
    if (d->failed)
        return fail(d, 0, &d->failure, err);
    if (d->block.unusable)
        SILT_TRY(put_unusable(d, err));
    while (row < CHUNK_ROWS_MAX) {
        if (d->left == 0) {
            int r = next_block(d, &failure);
            if (r < 0 && fail(d, row, &failure, err) < 0)
                return -1;
            if (r <= 0)
                break;
            continue;
        }
        if (!d->chunk)
            bind_chunk(d);
        int made = next_row(d, row, &failure);
        if (made < 0 && fail(d, row, &failure, err) < 0)
            return -1;
        if (made < 0)
            break;
        if (made == ROW_NONE)
            continue;
        chunk_origins_mut(d->chunk)[row] = (ChunkOrigin){d->block.source, d->position};
        if (d->rescue_wanted)
            put_rescued(d, row);
        row++;
    }
    if (row == 0) {
        chunk_unrefp(&d->chunk);
        return 0;
    }
    for (int i = 0; i < d->head->type->count; i++)
        settle(&d->root.children[i]);
    d->counts.rows += (int64_t)row;
    *out = d->chunk;
    *rows = (int)row;
    d->chunk = NULL;
    return 0;
}

const FormatCounts *avro_decoder_counts(const FormatDecoder *decoder)
{
    return &((const AvroDecoder *)decoder)->counts;
}

const Type *avro_decoder_met(const FormatDecoder *decoder)
{
    return ((const AvroDecoder *)decoder)->met;
}
