/* duck/print.c - values as Spark's CAST(... AS STRING) writes them */
#include "duck/print.h"

#include "duck/render.h"

#include "duck/calendar.h"
#include "duck/variant.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- floating point ---- */

/* Significant digits d1 d2 ... of a value d1.d2... * 10^exponent */
typedef struct Digits {
    char text[20];
    int count, exponent;
} Digits;

static void digits_of(Digits *digits, double value, int count)
{
    char text[40];
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    digits->text[0] = text[0];
    memcpy(digits->text + 1, text + 2, (size_t)(count - 1));
    digits->text[count] = 0;
    digits->count = count;
    digits->exponent = atoi(strchr(text, 'e') + 1);
}

static double digits_read(const Digits *digits, bool single)
{
    char text[40];
    snprintf(text, sizeof text, "%se%d", digits->text, digits->exponent - digits->count + 1);
    return single ? (double)strtof(text, NULL) : strtod(text, NULL);
}

/* The next decimal of the same length, away from zero. */
static void digits_increment(Digits *digits)
{
    int i = digits->count - 1;
    while (i >= 0 && digits->text[i] == '9')
        digits->text[i--] = '0';
    if (i >= 0) {
        digits->text[i]++;
    } else {
        digits->text[0] = '1';
        digits->exponent++;
    }
}

/*
 * The shortest digits, at least two, that read back as value (> 0, finite), and of these the nearest. `safe` digits are always told
 * apart by the type, so that zeros at their end can be cut; below its normal range nothing is safe.
 */
static void shortest_digits(Digits *digits, double value, bool single)
{
    int safe = single ? FLT_DIG : DBL_DIG, most = single ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
    bool normal = value >= (single ? FLT_MIN : DBL_MIN);
    for (int count = normal ? safe : 2; count <= most; count++) {
        digits_of(digits, value, count);
        if (digits_read(digits, single) == value)
            break;
        if (count < safe)
            continue;
        Digits above = *digits; /* just above a power of two the nearest may fail where its neighbour does not */
        digits_increment(&above);
        if (digits_read(&above, single) == value) {
            *digits = above;
            break;
        }
    }
    while (digits->count > 2 && digits->text[digits->count - 1] == '0')
        digits->count--;
    digits->text[digits->count] = 0;
}

static void put_zeros(StrBuf *out, int count)
{
    while (count-- > 0)
        str_buf_putc(out, '0');
}

static void print_floating(StrBuf *out, double value, bool single)
{
    if (isnan(value)) {
        str_buf_puts(out, "NaN");
        return;
    }
    if (signbit(value))
        str_buf_putc(out, '-');
    value = fabs(value);
    if (isinf(value)) {
        str_buf_puts(out, "Infinity");
        return;
    }
    if (value == 0) {
        str_buf_puts(out, "0.0");
        return;
    }
    Digits d;
    shortest_digits(&d, value, single);
    if (value >= 1e-3 && value < 1e7) {
        if (d.exponent < 0) {
            str_buf_puts(out, "0.");
            put_zeros(out, -d.exponent - 1);
            while (d.count > 1 && d.text[d.count - 1] == '0')
                d.count--;
            str_buf_add(out, d.text, (size_t)d.count);
            return;
        }
        int whole = d.exponent + 1;
        str_buf_add(out, d.text, (size_t)(whole < d.count ? whole : d.count));
        put_zeros(out, whole - d.count);
        str_buf_putc(out, '.');
        if (whole < d.count)
            str_buf_puts(out, d.text + whole);
        else
            str_buf_putc(out, '0');
        return;
    }
    str_buf_printf(out, "%c.%sE%d", d.text[0], d.text + 1, d.exponent);
}

void print_double(StrBuf *out, double value)
{
    print_floating(out, value, false);
}

void print_float(StrBuf *out, float value)
{
    print_floating(out, (double)value, true);
}

/* ---- decimals, dates, times ---- */

void print_decimal(StrBuf *out, __int128 unscaled, int scale)
{
    char digits[48];
    int at = sizeof digits, count = 0;
    unsigned __int128 rest = unscaled < 0 ? -(unsigned __int128)unscaled : (unsigned __int128)unscaled;
    do {
        if (count == scale && count > 0)
            digits[--at] = '.';
        digits[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
        count++;
    } while (rest || count <= scale);
    if (unscaled < 0)
        digits[--at] = '-';
    str_buf_add(out, digits + at, sizeof digits - (size_t)at);
}

/* The last `width` digits of value, with zeros in front. */
static void put_padded(StrBuf *out, int value, int width)
{
    char digits[8];
    for (int i = width - 1; i >= 0; i--) {
        digits[i] = (char)('0' + value % 10);
        value /= 10;
    }
    str_buf_add(out, digits, (size_t)width);
}

void print_date(StrBuf *out, int64_t days)
{
    CivilDate date = calendar_date(days);
    if (date.year >= 0 && date.year <= 9999)
        put_padded(out, (int)date.year, 4);
    else
        str_buf_printf(out, "%c%04" PRId64, date.year < 0 ? '-' : '+', date.year < 0 ? -date.year : date.year);
    str_buf_putc(out, '-');
    put_padded(out, date.month, 2);
    str_buf_putc(out, '-');
    put_padded(out, date.day, 2);
}

/* ".5": microseconds without the zeros at their end; nothing for 0. */
static void put_fraction(StrBuf *out, int us)
{
    if (us == 0)
        return;
    int width = 6;
    for (; us % 10 == 0; us /= 10)
        width--;
    str_buf_putc(out, '.');
    put_padded(out, us, width);
}

static void print_time_of_day(StrBuf *out, int64_t us)
{
    int seconds = (int)(us / 1000000);
    put_padded(out, seconds / 3600, 2);
    str_buf_putc(out, ':');
    put_padded(out, seconds / 60 % 60, 2);
    str_buf_putc(out, ':');
    put_padded(out, seconds % 60, 2);
    put_fraction(out, (int)(us % 1000000));
}

void print_timestamp_ntz(StrBuf *out, int64_t local_us)
{
    int64_t days, us = calendar_split(local_us, &days);
    print_date(out, days);
    str_buf_putc(out, ' ');
    print_time_of_day(out, us);
}

/* ---- any value ---- */

__int128 decimal_value(const Column *column, uint64_t row)
{
    int precision = column->type->precision;
    if (precision <= 4)
        return ((const int16_t *)column->data)[row];
    if (precision <= 9)
        return ((const int32_t *)column->data)[row];
    if (precision <= 18)
        return ((const int64_t *)column->data)[row];
    __int128 value; /* DuckDB's vectors are aligned to 8 bytes only */
    memcpy(&value, (const char *)column->data + row * sizeof value, sizeof value);
    return value;
}

void decimal_put(Column *column, uint64_t row, __int128 unscaled)
{
    int precision = column->type->precision;
    if (precision <= 4)
        ((int16_t *)column->data)[row] = (int16_t)unscaled;
    else if (precision <= 9)
        ((int32_t *)column->data)[row] = (int32_t)unscaled;
    else if (precision <= 18)
        ((int64_t *)column->data)[row] = (int64_t)unscaled;
    else
        memcpy((char *)column->data + row * sizeof unscaled, &unscaled, sizeof unscaled);
}

/* How many bytes, which begin no UTF-8, Java's decoder takes for one character that is broken: a lead and what would belong to it, half pairs whole. */
static int broken_length(const unsigned char *p, size_t left)
{
    int wanted = p[0] >= 0xF0 && p[0] <= 0xF4 ? 4 : p[0] >= 0xE0 && p[0] <= 0xEF ? 3 : 1, length = 1;

    if (left < 2 || (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F))
        return 1;
    while (length < wanted && (size_t)length < left && (p[length] & 0xC0) == 0x80)
        length++;
    return length;
}

static void print_binary(StrBuf *out, Str bytes)
{
    const char *p = bytes.ptr, *end = p + bytes.size;
    if (utf8_valid(bytes)) {
        str_buf_str(out, bytes);
        return;
    }
    while (p < end) {
        int length = utf8_length(p, end);
        if (length)
            str_buf_add(out, p, (size_t)length);
        else
            str_buf_puts(out, "\xEF\xBF\xBD");
        p += length ? length : broken_length((const unsigned char *)p, (size_t)(end - p));
    }
}

/* Inside of brackets a NULL shows. */
static void print_inner(StrBuf *out, const Column *column, uint64_t row, const Zone *zone)
{
    if (column->type->kind == TYPE_VOID || column_is_null(column, row))
        str_buf_puts(out, "null");
    else
        value_print(out, column, row, zone);
}

static void print_interval_ym(StrBuf *out, const Type *type, int64_t months)
{
    const char *sign = months < 0 ? "-" : "";
    uint64_t size = months < 0 ? -(uint64_t)months : (uint64_t)months;
    if (type->from_unit == type->to_unit)
        str_buf_printf(out, "INTERVAL '%s%" PRIu64 "' %s", sign, type->from_unit == 0 ? size / 12 : size,
                       type->from_unit == 0 ? "YEAR" : "MONTH");
    else
        str_buf_printf(out, "INTERVAL '%s%" PRIu64 "-%" PRIu64 "' YEAR TO MONTH", sign, size / 12, size % 12);
}

static void print_interval_dt(StrBuf *out, const Type *type, int64_t us)
{
    static const char *const names[] = {"DAY", "HOUR", "MINUTE", "SECOND"};
    static const uint64_t units[] = {UINT64_C(86400000000), UINT64_C(3600000000), 60000000, 1000000};
    uint64_t rest = us < 0 ? -(uint64_t)us : (uint64_t)us;
    str_buf_printf(out, "INTERVAL '%s", us < 0 ? "-" : "");
    for (int unit = type->from_unit; unit <= type->to_unit; unit++) {
        uint64_t count = rest / units[unit];
        rest %= units[unit];
        if (unit > type->from_unit)
            str_buf_putc(out, unit == 1 ? ' ' : ':');
        str_buf_printf(out, unit == type->from_unit && unit == 0 ? "%" PRIu64 : "%02" PRIu64, count);
    }
    if (type->to_unit == 3)
        put_fraction(out, (int)rest);
    str_buf_printf(out, "' %s", names[type->from_unit]);
    if (type->to_unit != type->from_unit)
        str_buf_printf(out, " TO %s", names[type->to_unit]);
}

/* Spark's calendar interval: the units that are not zero, in words. */
static void print_interval(StrBuf *out, const ChunkInterval *interval)
{
    size_t start = out->size;
    const struct {
        int64_t count;
        const char *name;
    } parts[] = {
        {interval->months / 12, "years"},     {interval->months % 12, "months"},         {interval->days, "days"},
        {interval->us / 3600000000, "hours"}, {interval->us / 60000000 % 60, "minutes"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].count)
            str_buf_printf(out, "%s%" PRId64 " %s", out->size > start ? " " : "", parts[i].count, parts[i].name);
    int64_t rest = interval->us % 60000000;
    if (rest) {
        str_buf_printf(out, "%s%s", out->size > start ? " " : "", rest < 0 ? "-" : "");
        rest = rest < 0 ? -rest : rest;
        str_buf_printf(out, "%" PRId64, rest / 1000000);
        put_fraction(out, (int)(rest % 1000000));
        str_buf_puts(out, " seconds");
    }
    if (out->size == start)
        str_buf_puts(out, "0 seconds");
}

void value_print(StrBuf *out, const Column *column, uint64_t row, const Zone *zone)
{
    const void *data = column->data;
    switch (column->type->kind) {
    case TYPE_VOID:
        break;
    case TYPE_BOOLEAN:
        str_buf_puts(out, ((const uint8_t *)data)[row] ? "true" : "false");
        break;
    case TYPE_BYTE:
        str_buf_printf(out, "%d", ((const int8_t *)data)[row]);
        break;
    case TYPE_SHORT:
        str_buf_printf(out, "%d", ((const int16_t *)data)[row]);
        break;
    case TYPE_INT:
        str_buf_printf(out, "%d", ((const int32_t *)data)[row]);
        break;
    case TYPE_LONG:
        str_buf_printf(out, "%" PRId64, ((const int64_t *)data)[row]);
        break;
    case TYPE_FLOAT:
        print_float(out, ((const float *)data)[row]);
        break;
    case TYPE_DOUBLE:
        print_double(out, ((const double *)data)[row]);
        break;
    case TYPE_DECIMAL:
        print_decimal(out, decimal_value(column, row), column->type->scale);
        break;
    case TYPE_STRING:
        str_buf_str(out, chunk_string((const ChunkString *)data + row));
        break;
    case TYPE_BINARY:
        print_binary(out, chunk_string((const ChunkString *)data + row));
        break;
    case TYPE_DATE:
        print_date(out, ((const int32_t *)data)[row]);
        break;
    case TYPE_TIMESTAMP: {
        int64_t us = ((const int64_t *)data)[row];
        print_timestamp_ntz(out, zone ? zone_to_local_us(zone, us) : us);
        break;
    }
    case TYPE_TIMESTAMP_NTZ:
        print_timestamp_ntz(out, ((const int64_t *)data)[row]);
        break;
    case TYPE_TIME:
        print_time_of_day(out, ((const int64_t *)data)[row]);
        break;
    case TYPE_INTERVAL_YM:
        print_interval_ym(out, column->type, ((const int32_t *)data)[row]);
        break;
    case TYPE_INTERVAL_DT:
        print_interval_dt(out, column->type, ((const int64_t *)data)[row]);
        break;
    case TYPE_INTERVAL:
        print_interval(out, (const ChunkInterval *)data + row);
        break;
    case TYPE_ARRAY: {
        ChunkList list = ((const ChunkList *)data)[row];
        str_buf_putc(out, '[');
        for (uint64_t i = 0; i < list.length; i++) {
            if (i)
                str_buf_puts(out, ", ");
            print_inner(out, &column->children[0], list.offset + i, zone);
        }
        str_buf_putc(out, ']');
        break;
    }
    case TYPE_MAP: {
        ChunkList list = ((const ChunkList *)data)[row];
        str_buf_putc(out, '{');
        for (uint64_t i = 0; i < list.length; i++) {
            if (i)
                str_buf_puts(out, ", ");
            print_inner(out, &column->children[0], list.offset + i, zone);
            str_buf_puts(out, " -> ");
            print_inner(out, &column->children[1], list.offset + i, zone);
        }
        str_buf_putc(out, '}');
        break;
    }
    case TYPE_VARIANT: /* as the JSON that it holds; bytes that are no variant, as they are */
        if (variant_json(out, column_text(&column->children[0], row), column_text(&column->children[1], row), zone))
            break;
        __attribute__((fallthrough));
    case TYPE_STRUCT:
        str_buf_putc(out, '{');
        for (int i = 0; i < column->child_count; i++) {
            if (i)
                str_buf_puts(out, ", ");
            print_inner(out, &column->children[i], row, zone);
        }
        str_buf_putc(out, '}');
        break;
    }
}

static void print_java_list(StrBuf *out, const Column *element, ChunkList list)
{
    str_buf_putc(out, '[');
    for (uint64_t i = list.offset; i < list.offset + list.length; i++) {
        if (i > list.offset)
            str_buf_putc(out, ',');
        print_java_object(out, element, i);
    }
    str_buf_putc(out, ']');
}

void print_java_object(StrBuf *out, const Column *column, uint64_t row)
{
    TypeKind kind = column->type->kind;

    if (kind == TYPE_VOID || column_is_null(column, row)) {
        str_buf_puts(out, "null");
        return;
    }
    if (kind == TYPE_VARIANT || type_is_variant_parts(column->type)) {
        Column variant = *column;

        variant.type = type_simple(TYPE_VARIANT);
        render_json(out, &variant, row, NULL);
        return;
    }
    switch (kind) {
    case TYPE_DATE:
    case TYPE_INTERVAL_YM:
        str_buf_printf(out, "%d", (int)((const int32_t *)column->data)[row]);
        return;
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
    case TYPE_INTERVAL_DT:
        str_buf_printf(out, "%lld", (long long)((const int64_t *)column->data)[row]);
        return;
    case TYPE_TIME:
        str_buf_printf(out, "%lld", (long long)((const int64_t *)column->data)[row] * 1000); /* nanoseconds */
        return;
    case TYPE_ARRAY:
        print_java_list(out, &column->children[0], ((const ChunkList *)column->data)[row]);
        return;
    case TYPE_MAP:
        str_buf_puts(out, "keys: ");
        print_java_list(out, &column->children[0], ((const ChunkList *)column->data)[row]);
        str_buf_puts(out, ", values: ");
        print_java_list(out, &column->children[1], ((const ChunkList *)column->data)[row]);
        return;
    case TYPE_STRUCT:
        str_buf_putc(out, '[');
        for (int i = 0; i < column->child_count; i++) {
            if (i)
                str_buf_putc(out, ',');
            print_java_object(out, &column->children[i], row);
        }
        str_buf_putc(out, ']');
        return;
    default:
        value_print(out, column, row, NULL);
    }
}

void print_bytes(StrBuf *out, Str bytes)
{
    str_buf_putc(out, '[');
    for (size_t i = 0; i < bytes.size; i++)
        str_buf_printf(out, i ? " %02X" : "%02X", (unsigned char)bytes.ptr[i]);
    str_buf_putc(out, ']');
}
