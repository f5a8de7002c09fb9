#pragma once
/*
 * format/json_quick.h - the values that nearly all records are made of, in a few instructions each (this folder only)
 *
 * Only what is certain from the bytes up to the next token is taken: whole numbers and doubles of few digits, strings without escapes, no blanks
 * behind. json_scalar.h takes the rest, and says what is wrong. FORMAT_PADDING bytes behind the text are readable.
 */
#include "duck/column_put.h"
#include "duck/digits.h"
#include "duck/parse.h"
#include "format/json_scalar.h"
#include "format/value.h"

_Static_assert((int)FORMAT_PADDING >= (int)CHUNK_TEXT_SLACK, "behind a text of a block there are bytes to copy along");

/* A whole number of at most 16 digits. */
static inline bool json_quick_integer(const char *value, size_t size, int64_t *out)
{
    uint64_t digits;
    int64_t negative = *value == '-';
    value += negative;
    size -= (size_t)negative;
    if (size - 1 >= 16 || !digits_16(value, size, &digits) || (*value == '0' && size > 1))
        return false;
    *out = ((int64_t)digits ^ -negative) + negative;
    return true;
}

/* A double of at most 15 digits without an exponent: one correctly rounded division gives the nearest. */
static inline bool json_quick_double(const char *value, size_t size, double *out)
{
    static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
    bool negative = *value == '-';
    uint64_t points, whole, fraction = 0;
    value += negative;
    size -= negative;
    if (size - 1 >= 16)
        return false;
    memcpy(&points, value, sizeof points);
    points ^= UINT64_C(0x2E2E2E2E2E2E2E2E);
    points = (points - UINT64_C(0x0101010101010101)) & ~points & UINT64_C(0x8080808080808080); /* the lowest bit is the first point's */
    size_t point = points ? (size_t)__builtin_ctzll(points) / 8 : size, places = 0;
    if (point < size) {
        places = size - point - 1;
        if (!point || !places || !digits_8(value, point, &whole) || !digits_16(value + point + 1, places, &fraction))
            return false;
    } else {
        point = size;
        if (size == 16 || !digits_16(value, size, &whole))
            return false;
    }
    if (*value == '0' && point > 1)
        return false;
    *out = ((double)whole * powers[places] + (double)fraction) / powers[places];
    *out = negative ? -*out : *out;
    return true;
}

/* The value whose bytes up to the next token these are into this row; false: nothing was put. */
static inline __attribute__((always_inline)) bool json_quick_put(const JsonScalars *s, JsonWalk *w, JsonPlace *node, const char *value, size_t size, uint64_t row)
{
    Column *column = node->column;
    int64_t integer;
    switch (node->kind) {
    case TYPE_STRING:
        if (size < 2 || *value != '"' || value[size - 1] != '"' || json_has_escape(w, (Str){value + 1, size - 2}))
            return false;
        column_set_text(column, row, value + 1, size - 2);
        break;
    case TYPE_LONG:
        if (!json_quick_integer(value, size, &integer))
            return false;
        ((int64_t *)column->data)[row] = integer;
        break;
    case TYPE_INT:
        if (!json_quick_integer(value, size, &integer) || integer != (int32_t)integer)
            return false;
        ((int32_t *)column->data)[row] = (int32_t)integer;
        break;
    case TYPE_SHORT:
        if (!json_quick_integer(value, size, &integer) || integer != (int16_t)integer)
            return false;
        ((int16_t *)column->data)[row] = (int16_t)integer;
        break;
    case TYPE_BYTE:
        if (!json_quick_integer(value, size, &integer) || integer != (int8_t)integer)
            return false;
        ((int8_t *)column->data)[row] = (int8_t)integer;
        break;
    case TYPE_DOUBLE:
        if (!json_quick_double(value, size, (double *)column->data + row))
            return false;
        break;
    case TYPE_TIMESTAMP: /* of the form that machines write: there is no escape in it */
        if (s->timestamp_pattern || *value != '"' || value[size - 1] != '"' || !parse_utc((Str){value + 1, size - 2}, (int64_t *)column->data + row))
            return false;
        break;
    case TYPE_BOOLEAN:
        if ((size != 4 || memcmp(value, "true", 4) != 0) && (size != 5 || memcmp(value, "false", 5) != 0))
            return false;
        ((uint8_t *)column->data)[row] = size == 4;
        break;
    default:
        return false;
    }
    column_set_valid(column, row);
    return true;
}
