/* duck/top_k.c - values of approx_top_k and the bytes of its sketches */
#include "duck/top_k.h"

#include "duck/print.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AT_WORDS, AT_VERSION, AT_FAMILY, AT_LG_MOST, AT_LG_NOW, AT_FLAGS, AT_ITEMS = 8, AT_WEIGHT = 16, AT_OFFSET = 24, AT_COUNTS = 32, SIZE_EMPTY = 8 };
enum { VERSION = 1, FAMILY = 10, FLAG_EMPTY = 5, WORDS = 4, NULLS_SIZE = 8 };
enum { CODE_BYTE = 2, CODE_SHORT = 3, CODE_FLOAT = 6, CODE_INT = 9 }; /* kinds of numbers */
enum { DIGITS_INT = 9, DIGITS_LONG = 18, DECIMAL_BYTES_MOST = 16 };

bool top_k_counts(const Type *type)
{
    return (type_is_numeric(type) || type->kind == TYPE_BOOLEAN || type->kind == TYPE_STRING || type->kind == TYPE_DATE || type->kind == TYPE_TIMESTAMP ||
            type->kind == TYPE_TIMESTAMP_NTZ);
}

void top_k_put_ddl(StrBuf *out, const Type *type)
{
    if (type->kind == TYPE_STRING) { /* so that its collation does not show */
        str_buf_puts(out, "item string not null");
        return;
    }
    str_buf_puts(out, "item ");
    size_t first = out->size;
    type_print(out, type);
    for (size_t i = first; i < out->size; i++)
        if (out->ptr[i] >= 'a' && out->ptr[i] <= 'z')
            out->ptr[i] = (char)(out->ptr[i] - 'a' + 'A');
    str_buf_puts(out, " NOT NULL");
}

int top_k_slots_lg(int items)
{
    int slots = (int)ceil(items / 0.75), lg = 0;

    while (1 << lg < slots)
        lg++;
    return lg;
}

/* ---- items ---- */

TopKItem top_k_item(const Column *column, uint64_t row)
{
    switch (column->type->kind) {
    case TYPE_BOOLEAN:
        return (TopKItem){.whole = ((const uint8_t *)column->data)[row]};
    case TYPE_BYTE:
        return (TopKItem){.whole = ((const int8_t *)column->data)[row]};
    case TYPE_SHORT:
        return (TopKItem){.whole = ((const int16_t *)column->data)[row]};
    case TYPE_INT:
    case TYPE_DATE:
        return (TopKItem){.whole = ((const int32_t *)column->data)[row]};
    case TYPE_FLOAT:
        return (TopKItem){.real = ((const float *)column->data)[row]};
    case TYPE_DOUBLE:
        return (TopKItem){.real = ((const double *)column->data)[row]};
    case TYPE_DECIMAL:
        return (TopKItem){.whole = decimal_value(column, row)};
    case TYPE_STRING:
        return (TopKItem){.text = column_text(column, row)};
    default: /* BIGINT, timestamps */
        return (TopKItem){.whole = ((const int64_t *)column->data)[row]};
    }
}

void top_k_item_set(Column *column, uint64_t row, const TopKItem *item)
{
    switch (column->type->kind) {
    case TYPE_BOOLEAN:
    case TYPE_BYTE:
        ((int8_t *)column->data)[row] = (int8_t)item->whole;
        break;
    case TYPE_SHORT:
        ((int16_t *)column->data)[row] = (int16_t)item->whole;
        break;
    case TYPE_INT:
    case TYPE_DATE:
        ((int32_t *)column->data)[row] = (int32_t)item->whole;
        break;
    case TYPE_FLOAT:
        ((float *)column->data)[row] = (float)item->real;
        break;
    case TYPE_DOUBLE:
        ((double *)column->data)[row] = item->real;
        break;
    case TYPE_DECIMAL:
        decimal_put(column, row, item->whole);
        break;
    case TYPE_STRING:
        column_set_string(column, row, item->text.ptr, item->text.size);
        break;
    default:
        ((int64_t *)column->data)[row] = (int64_t)item->whole;
    }
}

/* How values of a type are written: so many bytes, behind a code unless that is 0; 0 bytes: their size stands before them. */
typedef struct Form {
    int size;
    char code;
} Form;

static Form form_of(const Type *type)
{
    switch (type->kind) {
    case TYPE_BOOLEAN:
        return (Form){1, 0};
    case TYPE_BYTE:
        return (Form){1, CODE_BYTE};
    case TYPE_SHORT:
        return (Form){2, CODE_SHORT};
    case TYPE_INT:
    case TYPE_DATE:
        return (Form){4, CODE_INT};
    case TYPE_FLOAT:
        return (Form){4, CODE_FLOAT};
    case TYPE_STRING:
        return (Form){0, 0};
    case TYPE_DECIMAL:
        return type->precision <= DIGITS_INT ? (Form){4, CODE_INT} : type->precision <= DIGITS_LONG ? (Form){8, 0} : (Form){0, 0};
    default:
        return (Form){8, 0};
    }
}

static void put(StrBuf *out, uint64_t value, int size)
{
    value = htole64(value);
    str_buf_add(out, (const char *)&value, (size_t)size);
}

/* Java's bits of a number: there is one NaN. */
static uint64_t bits_of(const Type *type, double real)
{
    if (type->kind == TYPE_FLOAT) {
        float value = (float)real;
        uint32_t bits = UINT32_C(0x7fc00000);
        if (!isnan(value))
            memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    uint64_t bits = UINT64_C(0x7ff8000000000000);
    if (!isnan(real))
        memcpy(&bits, &real, sizeof bits);
    return bits;
}

/* Highest byte first, no more of them than the sign needs, as Java's BigInteger. */
static void put_decimal(StrBuf *out, __int128 value)
{
    char bytes[DECIMAL_BYTES_MOST];
    int size = DECIMAL_BYTES_MOST, first = 0;

    for (int i = size; i-- > 0;) {
        bytes[i] = (char)(uint8_t)value;
        value >>= 8;
    }
    while (first < size - 1 && bytes[first] == (bytes[first + 1] & 0x80 ? (char)-1 : 0))
        first++;
    put(out, (uint64_t)(size - first), 4);
    str_buf_add(out, bytes + first, (size_t)(size - first));
}

void top_k_item_write(StrBuf *out, const Type *type, const TopKItem *item)
{
    Form form = form_of(type);

    if (form.code)
        str_buf_putc(out, form.code);
    if (form.size > 0) {
        put(out, type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE ? bits_of(type, item->real) : (uint64_t)item->whole, form.size);
    } else if (type->kind == TYPE_DECIMAL) {
        put_decimal(out, item->whole);
    } else {
        put(out, item->text.size, 4);
        str_buf_str(out, item->text);
    }
}

static uint64_t get(const char *at, int size)
{
    uint64_t value = 0;

    memcpy(&value, at, (size_t)size);
    return le64toh(value);
}

static bool take(Str *rest, size_t size, Str *out)
{
    if (rest->size < size)
        return false;
    *out = (Str){rest->ptr, size};
    *rest = (Str){rest->ptr + size, rest->size - size};
    return true;
}

static bool decimal_fits(const Type *type, __int128 value)
{
    __int128 most = 1;

    for (int i = 0; i < type->precision; i++)
        most *= 10;
    return value < most && value > -most;
}

static double real_of(const Type *type, uint64_t bits)
{
    float narrow;
    double wide;

    if (type->kind == TYPE_FLOAT) {
        uint32_t half = (uint32_t)bits;
        memcpy(&narrow, &half, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, &bits, sizeof wide);
    return wide;
}

static bool read_sized(const Type *type, Str *rest, TopKItem *out)
{
    Str size, bytes;

    if (!take(rest, 4, &size) || !take(rest, get(size.ptr, 4), &bytes))
        return false;
    if (type->kind == TYPE_STRING) {
        out->text = bytes;
        return utf8_valid(bytes);
    }
    if (bytes.size < 1 || bytes.size > DECIMAL_BYTES_MOST)
        return false;
    unsigned __int128 value = bytes.ptr[0] & 0x80 ? ~(unsigned __int128)0 : 0;
    for (size_t i = 0; i < bytes.size; i++)
        value = value << 8 | (uint8_t)bytes.ptr[i];
    out->whole = (__int128)value;
    return decimal_fits(type, out->whole);
}

bool top_k_item_read(const Type *type, Str *rest, TopKItem *out)
{
    Form form = form_of(type);
    Str bytes;

    *out = (TopKItem){0};
    if (form.code && (!take(rest, 1, &bytes) || bytes.ptr[0] != form.code))
        return false;
    if (form.size == 0)
        return read_sized(type, rest, out);
    if (!take(rest, (size_t)form.size, &bytes))
        return false;
    uint64_t bits = get(bytes.ptr, form.size);
    if (type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE) {
        out->real = real_of(type, bits);
        return true;
    }
    int unused = 64 - 8 * form.size;
    out->whole = (int64_t)(bits << unused) >> unused;
    return (type->kind != TYPE_BOOLEAN || bits <= 1) && (type->kind != TYPE_DECIMAL || decimal_fits(type, out->whole));
}

/* ---- Java's hashCode ---- */

static int32_t hash_long(int64_t value)
{
    return (int32_t)(uint32_t)((uint64_t)value ^ (uint64_t)value >> 32);
}

/* Over the halves of UTF-16. */
static int32_t hash_text(Str text)
{
    uint32_t hash = 0;

    for (size_t i = 0; i < text.size;) {
        const uint8_t *at = (const uint8_t *)text.ptr + i;
        uint32_t point = at[0];
        int size = point < 0x80 ? 1 : point < 0xe0 ? 2 : point < 0xf0 ? 3 : 4;
        point &= size == 1 ? 0x7fu : 0xffu >> (size + 1);
        for (int k = 1; k < size; k++)
            point = point << 6 | (at[k] & 0x3fu);
        if (point > 0xffff) {
            hash = 31 * hash + (0xd7c0 + (point >> 10));
            point = 0xdc00 | (point & 0x3ff);
        }
        hash = 31 * hash + point;
        i += (size_t)size;
    }
    return (int32_t)hash;
}

/* Java's of a BigInteger. */
static uint32_t hash_big(__int128 value)
{
    unsigned __int128 size = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
    uint32_t hash = 0;

    for (int shift = 96; shift >= 0; shift -= 32)
        hash = 31 * hash + (uint32_t)(size >> shift); /* words that are not there leave it 0 */
    return value < 0 ? -hash : hash;
}

/* Scala's of a whole number: an INT is itself, a BIGINT as Java's Long, others as Java's BigInteger. */
static int32_t hash_whole(__int128 value)
{
    if (value >= INT32_MIN && value <= INT32_MAX)
        return (int32_t)value;
    if (value >= INT64_MIN && value <= INT64_MAX)
        return hash_long((int64_t)value);
    return (int32_t)hash_big(value);
}

/* Scala's of a DOUBLE with a fraction. */
static int32_t hash_fraction(double value)
{
    float narrow = (float)value;

    if ((double)narrow == value)
        return (int32_t)(uint32_t)bits_of(type_simple(TYPE_FLOAT), value);
    return hash_long((int64_t)bits_of(type_simple(TYPE_DOUBLE), value));
}

/* The value of a number in the text of print_double or print_decimal: its digits without zeros at the end, times 10^exponent. */
static void digits_of(const char *text, char *digits, int *exponent)
{
    int count = 0, fraction = 0;
    bool point = false;

    for (; *text && *text != 'E'; text++) {
        if (*text == '.')
            point = true;
        else if (*text != '-' && (count > 0 || *text != '0')) {
            digits[count++] = *text;
            fraction += point;
        } else if (*text == '0') {
            fraction += point;
        }
    }
    *exponent = (*text ? atoi(text + 1) : 0) - fraction;
    for (; count > 0 && digits[count - 1] == '0'; count--)
        ++*exponent;
    digits[count] = 0;
}

/* Is it what the text of the nearest DOUBLE says? */
static bool is_double(const char *text, double nearest)
{
    silt_auto(str_buf_fini) StrBuf printed = {0};
    char digits[64], other[64];
    int exponent, other_exponent;

    print_double(&printed, nearest);
    digits_of(text, digits, &exponent);
    digits_of(str_buf_text(&printed), other, &other_exponent);
    return exponent == other_exponent && !strcmp(digits, other);
}

static int32_t hash_decimal(__int128 value, int scale)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    for (; scale > 0 && value % 10 == 0; scale--)
        value /= 10;
    if (scale == 0)
        return hash_whole(value);
    print_decimal(&text, value, scale);
    double nearest = strtod(str_buf_text(&text), NULL);
    if (is_double(str_buf_text(&text), nearest))
        return hash_fraction(nearest);
    uint32_t more = (uint32_t)scale * 0xcc9e2d51u; /* MurmurHash3 of the digits and the scale */
    return (int32_t)(hash_big(value) ^ (more << 15 | more >> 17) * 0x1b873593u);
}

int32_t top_k_item_hash(const Type *type, const TopKItem *item)
{
    switch (type->kind) {
    case TYPE_BOOLEAN:
        return item->whole ? 1231 : 1237;
    case TYPE_FLOAT:
        return (int32_t)(uint32_t)bits_of(type, item->real);
    case TYPE_DOUBLE:
        return hash_long((int64_t)bits_of(type, item->real));
    case TYPE_STRING:
        return hash_text(item->text);
    case TYPE_DECIMAL:
        return hash_decimal(item->whole, type->scale);
    case TYPE_LONG:
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        return hash_long((int64_t)item->whole);
    default:
        return (int32_t)item->whole;
    }
}

int top_k_item_order(const Type *type, const TopKItem *a, const TopKItem *b)
{
    if (type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE) {
        if (isnan(a->real) || isnan(b->real))
            return isnan(a->real) - isnan(b->real);
        return a->real == b->real ? !!signbit(b->real) - !!signbit(a->real) : a->real < b->real ? -1 : 1;
    }
    if (type->kind == TYPE_STRING) {
        size_t size = a->text.size < b->text.size ? a->text.size : b->text.size;
        int order = size ? memcmp(a->text.ptr, b->text.ptr, size) : 0;
        return order ? order : (a->text.size > b->text.size) - (a->text.size < b->text.size);
    }
    return (a->whole > b->whole) - (a->whole < b->whole);
}

/* ---- sketches ---- */

void top_k_write(StrBuf *out, const Type *type, const Frequent *table, int64_t nulls)
{
    uint64_t count = frequent_size(table), after = htobe64((uint64_t)nulls);
    const char head[] = {count ? WORDS : 1, VERSION, FAMILY, (char)frequent_lg_most(table), (char)frequent_lg_now(table), count ? 0 : FLAG_EMPTY, 0, 0};
    FrequentItem *items = silt_alloc(count * sizeof *items + 1);

    frequent_in_slots(table, items);
    str_buf_add(out, head, sizeof head);
    if (count) {
        put(out, count, 8);
        put(out, (uint64_t)frequent_weight(table), 8);
        put(out, (uint64_t)frequent_offset(table), 8);
    }
    for (uint64_t i = 0; i < count; i++)
        put(out, (uint64_t)items[i].count, 8);
    if (type->kind == TYPE_BOOLEAN && count) {
        char bits = 0;
        for (uint64_t i = 0; i < count; i++)
            bits = (char)(bits | items[i].bytes.ptr[0] << i);
        str_buf_putc(out, bits);
    } else {
        for (uint64_t i = 0; i < count; i++)
            str_buf_str(out, items[i].bytes);
    }
    str_buf_add(out, (const char *)&after, sizeof after);
    free(items);
}

/* The items behind the counts, into the table; all bytes are used, and the counts together are at most so many. */
static bool read_items(const Type *type, const char *counts, uint64_t count, int64_t most, Str rest, Frequent *table)
{
    silt_auto(str_buf_fini) StrBuf bytes = {0};

    if (type->kind == TYPE_BOOLEAN && (count > 2 || rest.size != 1))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        TopKItem item;
        int64_t times = (int64_t)get(counts + 8 * i, 8);

        if (type->kind == TYPE_BOOLEAN)
            item = (TopKItem){.whole = rest.ptr[0] >> i & 1};
        else if (!top_k_item_read(type, &rest, &item))
            return false;
        if (times <= 0 || times > most - frequent_weight(table))
            return false;
        str_buf_clear(&bytes);
        top_k_item_write(&bytes, type, &item);
        frequent_add(table, str_buf_view(&bytes), top_k_item_hash(type, &item), times);
    }
    return frequent_size(table) == count && (type->kind == TYPE_BOOLEAN || rest.size == 0);
}

bool top_k_read(const Type *type, Str bytes, Frequent **table, int64_t *nulls)
{
    const char *at = bytes.ptr;

    if (bytes.size < SIZE_EMPTY + NULLS_SIZE || at[AT_VERSION] != VERSION || at[AT_FAMILY] != FAMILY)
        return false;
    int lg_most = at[AT_LG_MOST], lg_now = at[AT_LG_NOW];
    bool empty = at[AT_FLAGS] & FLAG_EMPTY;
    if (lg_now < FREQUENT_LG_LEAST || lg_most < lg_now || lg_most > FREQUENT_LG_MOST || at[AT_WORDS] != (empty ? 1 : WORDS))
        return false;
    bytes.size -= NULLS_SIZE;
    memcpy(nulls, at + bytes.size, sizeof *nulls);
    *nulls = (int64_t)be64toh((uint64_t)*nulls);
    if (*nulls < 0 || (empty && bytes.size != SIZE_EMPTY) || (!empty && bytes.size < AT_COUNTS))
        return false;
    if (empty) {
        *table = frequent_new(lg_most, FREQUENT_LG_LEAST);
        return true;
    }
    uint64_t count = get(at + AT_ITEMS, 4);
    int64_t weight = (int64_t)get(at + AT_WEIGHT, 8), offset = (int64_t)get(at + AT_OFFSET, 8);
    if (count == 0 || count > (UINT64_C(3) << lg_now) / 4 || count > (bytes.size - AT_COUNTS) / 8 || weight <= 0 || offset < 0 || offset > weight)
        return false;
    Str rest = {at + AT_COUNTS + 8 * count, bytes.size - AT_COUNTS - 8 * count};
    *table = frequent_new(lg_most, lg_now);
    if (!read_items(type, at + AT_COUNTS, count, weight - offset, rest, *table)) {
        frequent_free(*table);
        return false;
    }
    frequent_set_totals(*table, weight, offset);
    return true;
}
