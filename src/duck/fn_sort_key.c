/*
 * duck/fn_sort_key.c - values of any type as bytes that compare as Spark orders them
 *
 * DuckDB takes a NULL inside of a struct or an array for the greatest value, Spark for the smallest. Where such values are ordered, their keys
 * are: silt_sort_key(x) < silt_sort_key(y) exactly where x < y, with equal keys where x = y (NaN is one value and the greatest, 0.0 equals -0.0).
 *
 *   S1  Every value below the top has a byte before it: 0 for NULL, else 1.
 *   S2  The key of a value is never the beginning of another's of its type, so that keys can stand behind each other.
 */
#include "duck/fn_text.h"

#include <math.h>

static void put_big_endian(StrBuf *out, unsigned __int128 bits, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--)
        str_buf_putc(out, (char)(unsigned char)(bits >> (8 * i)));
}

/* The sign's bit is turned around, so that negative numbers come first. */
static void put_signed(StrBuf *out, __int128 value, int bytes)
{
    put_big_endian(out, (unsigned __int128)value ^ (unsigned __int128)1 << (8 * bytes - 1), bytes);
}

static void put_double(StrBuf *out, double value)
{
    uint64_t bits;

    if (isnan(value))
        value = (double)NAN;
    else if (value == 0)
        value = 0;
    memcpy(&bits, &value, sizeof bits);
    put_big_endian(out, bits >> 63 ? ~bits : bits | (uint64_t)1 << 63, 8);
}

/* A zero byte is followed by 255, the end is two zero bytes. */
static void put_bytes(StrBuf *out, Str bytes)
{
    for (size_t i = 0; i < bytes.size; i++) {
        str_buf_putc(out, bytes.ptr[i]);
        if (!bytes.ptr[i])
            str_buf_putc(out, (char)255);
    }
    str_buf_putc(out, 0);
    str_buf_putc(out, 0);
}

static void put_key(StrBuf *out, const Column *column, uint64_t row);

static void put_inner(StrBuf *out, const Column *column, uint64_t row)
{
    bool null = column->type->kind == TYPE_VOID || column_is_null(column, row);

    str_buf_putc(out, !null);
    if (!null)
        put_key(out, column, row);
}

static void put_decimal(StrBuf *out, const Column *column, uint64_t row)
{
    int precision = column->type->precision;

    if (precision <= 4)
        put_signed(out, ((const int16_t *)column->data)[row], 2);
    else if (precision <= 9)
        put_signed(out, ((const int32_t *)column->data)[row], 4);
    else if (precision <= 18)
        put_signed(out, ((const int64_t *)column->data)[row], 8);
    else
        put_signed(out, ((const __int128 *)column->data)[row], 16);
}

static void put_key(StrBuf *out, const Column *column, uint64_t row)
{
    switch (column->type->kind) {
    case TYPE_BOOLEAN:
        str_buf_putc(out, (char)((const uint8_t *)column->data)[row]);
        return;
    case TYPE_BYTE:
        put_signed(out, ((const int8_t *)column->data)[row], 1);
        return;
    case TYPE_SHORT:
        put_signed(out, ((const int16_t *)column->data)[row], 2);
        return;
    case TYPE_INT:
    case TYPE_DATE:
    case TYPE_INTERVAL_YM:
        put_signed(out, ((const int32_t *)column->data)[row], 4);
        return;
    case TYPE_FLOAT:
        put_double(out, (double)((const float *)column->data)[row]);
        return;
    case TYPE_DOUBLE:
        put_double(out, ((const double *)column->data)[row]);
        return;
    case TYPE_DECIMAL:
        put_decimal(out, column, row);
        return;
    case TYPE_STRING:
    case TYPE_BINARY:
        put_bytes(out, text_at(column, (int)row));
        return;
    case TYPE_ARRAY: {
        ChunkList list = ((const ChunkList *)column->data)[row];

        for (uint64_t i = 0; i < list.length; i++) {
            str_buf_putc(out, 1);
            put_inner(out, &column->children[0], list.offset + i);
        }
        str_buf_putc(out, 0);
        return;
    }
    case TYPE_STRUCT:
        for (int i = 0; i < column->child_count; i++)
            put_inner(out, &column->children[i], row);
        return;
    default: /* TIMESTAMP, TIMESTAMP_NTZ, TIME, INTERVAL_DT, LONG: the analyzer lets nothing else be ordered */
        put_signed(out, ((const int64_t *)column->data)[row], 8);
    }
}

static int sort_key(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        str_buf_clear(call->scratch);
        put_key(call->scratch, &args[0], (uint64_t)row);
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

const DuckFunction fn_sort_key[] = {
    {.name = "silt_sort_key", .args = "any", .result = "binary", .eval = sort_key},
    {0},
};
