/*
 * duck/avro_put.c - values in Avro's binary form into columns, by a plan
 */
#include "duck/avro_value.h"

#include "duck/column_put.h"
#include "duck/print.h"

#include <string.h>

void avro_set_null(Column *column, uint64_t row)
{
    column_set_null(column, row);
    if (column->type->kind == TYPE_ARRAY || column->type->kind == TYPE_MAP)
        ((ChunkList *)column->data)[row] = (ChunkList){0};
}

void avro_set_nothing(Column *column, uint64_t row)
{
    if (column->type->kind != TYPE_STRUCT) {
        avro_set_null(column, row);
        return;
    }
    column_set_valid(column, row);
    for (int i = 0; i < column->child_count; i++)
        avro_set_null(&column->children[i], row);
}

/* A decimal's big-endian bytes, brought to another scale: false when it does not fit the precision. */
bool avro_decimal(Str bytes, const AvroType *from, const Type *to, __int128 *out)
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

/* A field that the file lacks: its default, or NULL. */
bool avro_put_missing(AvroCursor *c, const AvroMissing *missing, Column *column, uint64_t row)
{
    const char *p = c->p, *stop = c->stop;
    bool fits = true;
    if (!missing->plan) {
        avro_set_null(column, row);
        return true;
    }
    c->p = missing->bytes.ptr;
    c->stop = c->p + missing->bytes.size;
    bool done = avro_put(c, missing->plan, row, &fits);
    c->p = p;
    c->stop = stop;
    return done;
}

static bool put_all_missing(AvroCursor *c, const AvroPlan *plan, uint64_t row)
{
    for (int i = 0; i < plan->missing_count; i++)
        if (!avro_put_missing(c, &plan->missing[i], plan->to->children[plan->missing[i].field].column, row))
            return false;
    return true;
}

static bool put_fields(AvroCursor *c, const AvroPlan *plan, uint64_t row)
{
    column_set_valid(plan->to->column, row);
    if (!put_all_missing(c, plan, row))
        return false;
    for (int i = 0; i < plan->from->count; i++) {
        const AvroPlan *child = &plan->children[i];
        const char *start = c->p;
        bool fits = true;
        if (!child->to) {
            if (!avro_skip(c, child->from, NULL))
                return false;
            c->unknowns += c->p - start > (child->from->kind == AVRO_UNION); /* more than the branch of a NULL */
        } else if (!avro_put(c, child, row, &fits)) {
            return false;
        }
    }
    return true;
}

static void list_room(AvroPlace *place)
{
    if (place->used < place->reserved)
        return;
    place->reserved = place->reserved ? place->reserved * 2 : CHUNK_ROWS_MAX;
    column_list_reserve(place->column, place->reserved);
}

static bool put_list(AvroCursor *c, const AvroPlan *plan, uint64_t row, bool *fits)
{
    AvroPlace *place = plan->to;
    uint64_t first = place->used;
    bool map = plan->from->kind == AVRO_MAP;
    for (;;) {
        int64_t count, size;
        if (!avro_long(&c->p, c->stop, &count))
            return false;
        if (count == 0)
            break;
        if (count < 0 && (count == INT64_MIN || (count = -count, !avro_long(&c->p, c->stop, &size))))
            return false;
        if (count > c->stop - c->p)
            return false; /* also of lists of nothing but NULLs, which nobody writes by the billion */
        for (; count > 0; count--) {
            list_room(place);
            uint64_t at = place->used++;
            if (map) {
                Str key;
                if (!avro_bytes(c, plan->from, &key) || !utf8_valid(key))
                    return false;
                Column *keys = &place->column->children[0];
                column_set_string(keys, at, key.ptr, key.size);
                column_set_valid(keys, at);
            }
            place->children[map].column = &place->column->children[map];
            bool one = true;
            if (!avro_put(c, &plan->children[0], at, &one))
                return false;
            *fits &= one;
        }
    }
    column_set_valid(place->column, row);
    ((ChunkList *)place->column->data)[row] = (ChunkList){first, place->used - first};
    return true;
}

/* A union that is a struct: one member of it. */
static bool put_member(AvroCursor *c, const AvroPlan *plan, const AvroPlan *child, uint64_t row, bool *fits)
{
    column_set_valid(plan->to->column, row);
    if (!put_all_missing(c, plan, row))
        return false;
    if (child->to)
        return avro_put(c, child, row, fits);
    *fits = false;
    return avro_skip(c, child->from, NULL);
}

static bool put_union(AvroCursor *c, const AvroPlan *plan, uint64_t row, bool *fits)
{
    int64_t branch;
    if (!avro_long(&c->p, c->stop, &branch) || branch < 0 || branch >= plan->from->count)
        return false;
    const AvroPlan *child = &plan->children[branch];
    if (child->refused) {
        c->refusal = child->refused;
        return false;
    }
    if (child->from->kind == AVRO_NULL) {
        avro_set_null(plan->to->column, row);
        return true;
    }
    return plan->as_struct ? put_member(c, plan, child, row, fits) : avro_put(c, child, row, fits);
}

static void put_number(Column *column, uint64_t row, int64_t number)
{
    switch (column->type->kind) {
    case TYPE_INT:
    case TYPE_DATE:
        ((int32_t *)column->data)[row] = (int32_t)number;
        break;
    case TYPE_FLOAT:
        ((float *)column->data)[row] = (float)number;
        break;
    case TYPE_DOUBLE:
        ((double *)column->data)[row] = (double)number;
        break;
    case TYPE_DECIMAL: {
        __int128 value = number;
        for (int i = 0; i < column->type->scale; i++)
            value *= 10;
        decimal_put(column, row, value);
        break;
    }
    default:
        ((int64_t *)column->data)[row] = number;
    }
}

/* The value at c->p. False: the bytes are broken. *fits = false: it was stepped over and is NULL. */
bool avro_put(AvroCursor *c, const AvroPlan *plan, uint64_t row, bool *fits)
{
    const AvroType *from = plan->from;
    Column *column = plan->to->column;
    int64_t number;
    Str bytes;
    if (plan->implied)
        return put_member(c, plan, &plan->children[0], row, fits);
    if (!plan->fits || from->kind == AVRO_NULL) {
        *fits = plan->fits;
        c->misfits += !plan->fits;
        avro_set_null(column, row);
        return avro_skip(c, from, NULL);
    }
    switch (from->kind) {
    case AVRO_BOOLEAN:
        if (c->p == c->stop)
            return false;
        ((uint8_t *)column->data)[row] = *c->p++ != 0;
        break;
    case AVRO_INT:
    case AVRO_LONG:
        if (!avro_long(&c->p, c->stop, &number))
            return false;
        if ((from->kind == AVRO_INT && (number < INT32_MIN || number > INT32_MAX)))
            return false;
        if ((from->logical == AVRO_MILLIS || from->logical == AVRO_LOCAL_MILLIS) && __builtin_mul_overflow(number, INT64_C(1000), &number))
            goto misfit;
        put_number(column, row, number);
        break;
    case AVRO_FLOAT: {
        float value;
        if (c->stop - c->p < 4)
            return false;
        memcpy(&value, c->p, 4);
        c->p += 4;
        if (column->type->kind == TYPE_FLOAT)
            ((float *)column->data)[row] = value;
        else
            ((double *)column->data)[row] = (double)value;
        break;
    }
    case AVRO_DOUBLE:
        if (c->stop - c->p < 8)
            return false;
        memcpy((double *)column->data + row, c->p, 8);
        c->p += 8;
        break;
    case AVRO_BYTES:
    case AVRO_FIXED:
        if (!avro_bytes(c, from, &bytes))
            return false;
        if (from->logical == AVRO_DECIMAL) {
            __int128 value;
            if (!avro_decimal(bytes, from, column->type, &value))
                goto misfit;
            decimal_put(column, row, value);
        } else if (column->type->kind == TYPE_STRING && !utf8_valid(bytes)) {
            goto misfit; /* bytes that are read as text */
        } else {
            column_set_string(column, row, bytes.ptr, bytes.size);
        }
        break;
    case AVRO_STRING:
        if (!avro_bytes(c, from, &bytes))
            return false;
        if (column->type->kind == TYPE_STRING && !utf8_valid(bytes))
            goto misfit;
        column_set_string(column, row, bytes.ptr, bytes.size);
        break;
    case AVRO_ENUM:
        if (!avro_long(&c->p, c->stop, &number) || number < 0 || number >= from->count)
            return false;
        if (!from->names[number]) {
            c->refusal = "a symbol of an enum that the schema to read with lacks, and gives no default for";
            return false;
        }
        column_set_string(column, row, from->names[number], strlen(from->names[number]));
        break;
    case AVRO_ARRAY:
    case AVRO_MAP:
        return put_list(c, plan, row, fits);
    case AVRO_UNION:
        return put_union(c, plan, row, fits);
    case AVRO_RECORD:
        return put_fields(c, plan, row);
    default:
        return false;
    }
    column_set_valid(column, row);
    return true;
misfit:
    avro_set_null(column, row);
    c->misfits++;
    *fits = false;
    return true;
}
