/*
 * duck/variant.c - the binary form of VARIANT
 *
 *   metadata   1 byte: version (1) in bits 0-3, size of offsets - 1 in bits 6-7; count of names; count + 1 offsets; the names' bytes
 *   value      1 byte: basic type in bits 0-1, the rest says more; then
 *              primitive (type id in the rest), short string (length in the rest),
 *              object (count, ids of names, count + 1 offsets, values), array (count, count + 1 offsets, values)
 *
 * All numbers are little-endian. The bytes come from files that others wrote: every read is checked against its end.
 */
#include "duck/variant.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "duck/calendar.h"
#include "duck/print.h"
#include "duck/render.h"
#include "duck/variant_layout.h"

/* What is left to read. */
typedef struct Bytes {
    const uint8_t *ptr, *end;
} Bytes;

typedef struct Names {
    Bytes offsets, texts;
    uint64_t count;
    int offset_size;
} Names;

static bool take(Bytes *bytes, uint64_t size, Bytes *out)
{
    if (size > (uint64_t)(bytes->end - bytes->ptr))
        return false;
    *out = (Bytes){bytes->ptr, bytes->ptr + size};
    bytes->ptr += size;
    return true;
}

static uint64_t number_at(const uint8_t *ptr, int size)
{
    uint64_t value = 0;

    for (int i = size - 1; i >= 0; i--)
        value = value << 8 | ptr[i];
    return value;
}

static bool take_number(Bytes *bytes, int size, uint64_t *out)
{
    Bytes part;

    if (!take(bytes, (uint64_t)size, &part))
        return false;
    *out = number_at(part.ptr, size);
    return true;
}

/* Sign of a number of `size` bytes carried up. */
static int64_t signed_of(uint64_t value, int size)
{
    int shift = 64 - 8 * size;
    return (int64_t)(value << shift) >> shift;
}

static bool read_names(Str metadata, Names *out)
{
    Bytes bytes = {(const uint8_t *)metadata.ptr, (const uint8_t *)metadata.ptr + metadata.size};
    uint64_t head;

    if (!take_number(&bytes, 1, &head) || (head & 15) != VARIANT_VERSION)
        return false;
    out->offset_size = (int)(head >> 6) + 1;
    if (!take_number(&bytes, out->offset_size, &out->count) || out->count > metadata.size)
        return false;
    if (!take(&bytes, (out->count + 1) * (uint64_t)out->offset_size, &out->offsets))
        return false;
    out->texts = bytes;
    return true;
}

/* The part between offsets `index` and `index` + 1, of `area`. */
static bool part_at(Bytes offsets, int offset_size, uint64_t index, Bytes area, Bytes *out)
{
    const uint8_t *at = offsets.ptr + index * (uint64_t)offset_size;
    uint64_t from = number_at(at, offset_size), to = number_at(at + offset_size, offset_size);

    if (from > to || to > (uint64_t)(area.end - area.ptr))
        return false;
    *out = (Bytes){area.ptr + from, area.ptr + to};
    return true;
}

/* The names of a value, and how many values may still come: each has a byte of its own, though an object may name one twice. */
typedef struct Walk {
    Names names;
    const Zone *zone;
    uint64_t values_left;
} Walk;

static bool put_value(StrBuf *out, Walk *walk, Bytes bytes, int depth);

static void put_text(StrBuf *out, Bytes text)
{
    json_put_str(out, (Str){(const char *)text.ptr, (size_t)(text.end - text.ptr)});
}

static void put_time_text(StrBuf *out, int64_t local_us, const int32_t *offset)
{
    str_buf_putc(out, '"');
    print_timestamp_ntz(out, local_us);
    if (offset) {
        int size = *offset < 0 ? -*offset : *offset;
        str_buf_printf(out, "%c%02d:%02d", *offset < 0 ? '-' : '+', size / 3600, size / 60 % 60);
    }
    str_buf_putc(out, '"');
}

static void put_timestamp(StrBuf *out, int64_t us, const Zone *zone)
{
    int32_t offset = zone ? zone_offset_seconds(zone, us) : 0;
    put_time_text(out, zone ? zone_to_local_us(zone, us) : us, &offset);
}

static void put_number(StrBuf *out, double value, bool single)
{
    if (!isfinite(value)) {
        str_buf_puts(out, isnan(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
        return;
    }
    if (single)
        print_float(out, (float)value);
    else
        print_double(out, value);
}

static bool put_decimal(StrBuf *out, Bytes *bytes, int size)
{
    uint64_t scale, low, high = 0;

    if (!take_number(bytes, 1, &scale) || scale > 38 || !take_number(bytes, size > 8 ? 8 : size, &low) ||
        (size > 8 && !take_number(bytes, 8, &high)))
        return false;
    __int128 unscaled = size > 8 ? (__int128)((unsigned __int128)high << 64 | low) : signed_of(low, size);
    if (!variant_decimal_fits(unscaled, scale, size))
        return false;
    for (; scale && unscaled % 10 == 0; scale--) /* as Spark writes it */
        unscaled /= 10;
    print_decimal(out, unscaled, (int)scale);
    return true;
}

static bool put_sized(StrBuf *out, Bytes *bytes, bool binary)
{
    uint64_t size;
    Bytes part;

    if (!take_number(bytes, 4, &size) || !take(bytes, size, &part))
        return false;
    if (binary)
        render_base64(out, (Str){(const char *)part.ptr, (size_t)size});
    else
        put_text(out, part);
    return true;
}

static bool put_uuid(StrBuf *out, Bytes *bytes)
{
    Bytes part;

    if (!take(bytes, 16, &part))
        return false;
    str_buf_putc(out, '"');
    for (int i = 0; i < 16; i++)
        str_buf_printf(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", part.ptr[i]);
    str_buf_putc(out, '"');
    return true;
}

static bool put_primitive(StrBuf *out, int type, Bytes bytes, const Zone *zone)
{
    static const uint8_t sizes[] = {
        [VARIANT_ID_INT8] = 1,   [VARIANT_ID_INT16] = 2, [VARIANT_ID_INT32] = 4,           [VARIANT_ID_INT64] = 8,
        [VARIANT_ID_DOUBLE] = 8, [VARIANT_ID_DATE] = 4,  [VARIANT_ID_TIMESTAMP] = 8,       [VARIANT_ID_TIMESTAMP_NTZ] = 8,
        [VARIANT_ID_FLOAT] = 4,  [VARIANT_ID_TIME] = 8,  [VARIANT_ID_TIMESTAMP_NANOS] = 8, [VARIANT_ID_TIMESTAMP_NTZ_NANOS] = 8,
        [VARIANT_ID_UUID] = 0};
    uint64_t bits = 0;

    if (type > VARIANT_ID_UUID)
        return false;
    if (sizes[type] && !take_number(&bytes, sizes[type], &bits))
        return false;
    int64_t whole = sizes[type] ? signed_of(bits, sizes[type]) : 0;
    switch (type) {
    case VARIANT_ID_NULL:
        str_buf_puts(out, "null");
        return true;
    case VARIANT_ID_TRUE:
    case VARIANT_ID_FALSE:
        str_buf_puts(out, type == VARIANT_ID_TRUE ? "true" : "false");
        return true;
    case VARIANT_ID_INT8:
    case VARIANT_ID_INT16:
    case VARIANT_ID_INT32:
    case VARIANT_ID_INT64:
        str_buf_printf(out, "%" PRId64, whole);
        return true;
    case VARIANT_ID_DOUBLE: {
        double value;
        memcpy(&value, &bits, sizeof value);
        put_number(out, value, false);
        return true;
    }
    case VARIANT_ID_FLOAT: {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        put_number(out, (double)value, true);
        return true;
    }
    case VARIANT_ID_DECIMAL4:
        return put_decimal(out, &bytes, 4);
    case VARIANT_ID_DECIMAL8:
        return put_decimal(out, &bytes, 8);
    case VARIANT_ID_DECIMAL16:
        return put_decimal(out, &bytes, 16);
    case VARIANT_ID_DATE:
        str_buf_putc(out, '"');
        print_date(out, whole);
        str_buf_putc(out, '"');
        return true;
    case VARIANT_ID_TIMESTAMP:
        put_timestamp(out, whole, zone);
        return true;
    case VARIANT_ID_TIMESTAMP_NANOS:
        put_timestamp(out, floor_div(whole, 1000), zone);
        return true;
    case VARIANT_ID_TIMESTAMP_NTZ:
        put_time_text(out, whole, NULL);
        return true;
    case VARIANT_ID_TIMESTAMP_NTZ_NANOS:
        put_time_text(out, floor_div(whole, 1000), NULL);
        return true;
    case VARIANT_ID_TIME: {
        int seconds = (int)(whole / 1000000);
        str_buf_printf(out, "\"%02d:%02d:%02d.%06d\"", seconds / 3600, seconds / 60 % 60, seconds % 60, (int)(whole % 1000000));
        return true;
    }
    case VARIANT_ID_BINARY:
        return put_sized(out, &bytes, true);
    case VARIANT_ID_STRING:
        return put_sized(out, &bytes, false);
    default:
        return put_uuid(out, &bytes);
    }
}

static bool put_object(StrBuf *out, Walk *walk, int head, Bytes bytes, int depth)
{
    int offset_size = (head & 3) + 1, id_size = (head >> 2 & 3) + 1;
    const Names *names = &walk->names;
    uint64_t count;
    Bytes ids, offsets, name;

    if (!take_number(&bytes, head >> 4 & 1 ? 4 : 1, &count) || !take(&bytes, count * (uint64_t)id_size, &ids) ||
        !take(&bytes, (count + 1) * (uint64_t)offset_size, &offsets))
        return false;
    str_buf_putc(out, '{');
    for (uint64_t i = 0; i < count; i++) {
        uint64_t id = number_at(ids.ptr + i * (uint64_t)id_size, id_size);
        /* values need not lie in the order of names: only where one begins is told */
        uint64_t from = number_at(offsets.ptr + i * (uint64_t)offset_size, offset_size);
        if (id >= names->count || !part_at(names->offsets, names->offset_size, id, names->texts, &name) ||
            from > (uint64_t)(bytes.end - bytes.ptr))
            return false;
        if (i)
            str_buf_putc(out, ',');
        put_text(out, name);
        str_buf_putc(out, ':');
        if (!put_value(out, walk, (Bytes){bytes.ptr + from, bytes.end}, depth + 1))
            return false;
    }
    str_buf_putc(out, '}');
    return true;
}

static bool put_array(StrBuf *out, Walk *walk, int head, Bytes bytes, int depth)
{
    int offset_size = (head & 3) + 1;
    uint64_t count;
    Bytes offsets, item;

    if (!take_number(&bytes, head >> 2 & 1 ? 4 : 1, &count) || !take(&bytes, (count + 1) * (uint64_t)offset_size, &offsets))
        return false;
    str_buf_putc(out, '[');
    for (uint64_t i = 0; i < count; i++) {
        if (i)
            str_buf_putc(out, ',');
        if (!part_at(offsets, offset_size, i, bytes, &item) || !put_value(out, walk, item, depth + 1))
            return false;
    }
    str_buf_putc(out, ']');
    return true;
}

static bool put_value(StrBuf *out, Walk *walk, Bytes bytes, int depth)
{
    uint64_t head;
    Bytes text;

    if (depth > VARIANT_DEPTH_MAX || walk->values_left == 0 || !take_number(&bytes, 1, &head))
        return false;
    walk->values_left--;
    int rest = (int)head >> 2;
    switch (head & 3) {
    case 0:
        return put_primitive(out, rest, bytes, walk->zone);
    case 1:
        if (!take(&bytes, (uint64_t)rest, &text))
            return false;
        put_text(out, text);
        return true;
    case 2:
        return put_object(out, walk, rest, bytes, depth);
    default:
        return put_array(out, walk, rest, bytes, depth);
    }
}

bool variant_json(StrBuf *out, Str metadata, Str value, const Zone *zone)
{
    Bytes bytes = {(const uint8_t *)value.ptr, (const uint8_t *)value.ptr + value.size};
    Walk walk = {.zone = zone, .values_left = value.size};
    size_t start = out->size;

    if (read_names(metadata, &walk.names) && put_value(out, &walk, bytes, 0))
        return true;
    out->size = start;
    if (out->ptr)
        out->ptr[start] = 0;
    return false;
}
