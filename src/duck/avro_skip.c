/*
 * duck/avro_skip.c - stepping over values in Avro's binary form, and what they are as JSON
 */
#include "duck/avro_value.h"

#include "base/json.h"
#include "duck/print.h"
#include "duck/render.h"

#include <string.h>

static bool skip_list(AvroCursor *c, const AvroType *from, StrBuf *out)
{
    bool map = from->kind == AVRO_MAP, first = true;
    if (out)
        str_buf_putc(out, map ? '{' : '[');
    for (;;) {
        int64_t count, size;
        if (!avro_long(&c->p, c->stop, &count))
            return false;
        if (count == 0)
            break;
        if (count < 0 && (count == INT64_MIN || (count = -count, !avro_long(&c->p, c->stop, &size))))
            return false;
        if (count > c->stop - c->p && from->children[0]->kind != AVRO_NULL)
            return false; /* more items than bytes */
        for (; count > 0; count--) {
            if (out && !first)
                str_buf_putc(out, ',');
            first = false;
            if (map) {
                Str key;
                if (!avro_bytes(c, from, &key))
                    return false;
                if (out) {
                    json_put_str(out, key);
                    str_buf_putc(out, ':');
                }
            }
            if (!avro_skip(c, from->children[0], out))
                return false;
        }
    }
    if (out)
        str_buf_putc(out, map ? '}' : ']');
    return true;
}

/* Numbers by their logical type, as exact JSON. */
static void put_long_json(StrBuf *out, const AvroType *from, int64_t number)
{
    bool millis = from->logical == AVRO_MILLIS || from->logical == AVRO_LOCAL_MILLIS;
    int64_t us = number;
    if (from->logical == AVRO_DATE) {
        str_buf_putc(out, '"');
        print_date(out, number);
        str_buf_putc(out, '"');
    } else if (from->logical == AVRO_PLAIN || (millis && __builtin_mul_overflow(number, INT64_C(1000), &us))) {
        str_buf_printf(out, "%lld", (long long)number);
    } else if (from->logical == AVRO_MILLIS || from->logical == AVRO_MICROS) {
        render_instant(out, us, NULL);
    } else {
        render_local_time(out, us);
    }
}

static bool skip_fraction(AvroCursor *c, const AvroType *from, StrBuf *out)
{
    size_t size = from->kind == AVRO_FLOAT ? 4 : 8;
    float single = 0;
    double number;

    if ((size_t)(c->stop - c->p) < size)
        return false;
    if (size == 4) {
        memcpy(&single, c->p, 4);
        number = (double)single;
    } else {
        memcpy(&number, c->p, 8);
    }
    c->p += size;
    if (out && number - number != 0)
        str_buf_puts(out, number != number ? "\"NaN\"" : number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    else if (out && size == 4)
        print_float(out, single);
    else if (out)
        print_double(out, number);
    return true;
}

static bool skip_record(AvroCursor *c, const AvroType *from, StrBuf *out)
{
    if (out)
        str_buf_putc(out, '{');
    for (int i = 0; i < from->count; i++) {
        if (out) {
            if (i)
                str_buf_putc(out, ',');
            json_put_str(out, str_of(from->names[i]));
            str_buf_putc(out, ':');
        }
        if (!avro_skip(c, from->children[i], out))
            return false;
    }
    if (out)
        str_buf_putc(out, '}');
    return true;
}

bool avro_skip(AvroCursor *c, const AvroType *from, StrBuf *out)
{
    int64_t number;
    Str bytes;
    switch (from->kind) {
    case AVRO_NULL:
        if (out)
            str_buf_puts(out, "null");
        return true;
    case AVRO_BOOLEAN:
        if (c->p == c->stop)
            return false;
        if (out)
            str_buf_puts(out, *c->p ? "true" : "false");
        c->p++;
        return true;
    case AVRO_INT:
    case AVRO_LONG:
        if (!avro_long(&c->p, c->stop, &number))
            return false;
        if (out)
            put_long_json(out, from, number);
        return true;
    case AVRO_FLOAT:
    case AVRO_DOUBLE:
        return skip_fraction(c, from, out);
    case AVRO_BYTES:
    case AVRO_FIXED:
        if (!avro_bytes(c, from, &bytes))
            return false;
        __int128 decimal;
        if (out && from->logical == AVRO_DECIMAL && avro_decimal(bytes, from, type_decimal(38, from->scale), &decimal))
            print_decimal(out, decimal, from->scale);
        else if (out)
            render_base64(out, bytes);
        return true;
    case AVRO_STRING:
        if (!avro_bytes(c, from, &bytes))
            return false;
        if (out)
            json_put_str(out, bytes);
        return true;
    case AVRO_ENUM:
        if (!avro_long(&c->p, c->stop, &number) || number < 0 || number >= from->count)
            return false;
        if (out)
            json_put_str(out, str_of(from->names[number]));
        return true;
    case AVRO_ARRAY:
    case AVRO_MAP:
        return skip_list(c, from, out);
    case AVRO_UNION:
        return avro_long(&c->p, c->stop, &number) && number >= 0 && number < from->count && avro_skip(c, from->children[number], out);
    case AVRO_RECORD:
        return skip_record(c, from, out);
    }
    return false;
}
