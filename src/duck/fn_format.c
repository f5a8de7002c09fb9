/*
 * duck/fn_format.c - numbers and values as text by a format: format_number, format_string, to_char; and back: to_number
 *
 * format_number rounds as Java's DecimalFormat, exact and half to even; format_string as Java's Formatter, which rounds half up the
 * shortest digits that tell the number.
 */
#include "duck/fn_text.h"
#include "duck/number_format.h"
#include "duck/print.h"
#include "duck/regex_class.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A number as decimal digits: whole part, then fraction. */
typedef struct Digits {
    bool negative;
    char text[400];  /* digits without a point; at least one before it */
    int whole, size; /* digits before the point, digits in all */
} Digits;

enum { FRACTION_MAX = 60 };

/* "-123.45" taken apart. */
static void digits_from(Digits *d, const char *text)
{
    *d = (Digits){.negative = *text == '-', .whole = -1};
    for (text += *text == '-'; *text && d->size < (int)sizeof d->text - 1; text++)
        if (*text == '.')
            d->whole = d->size;
        else
            d->text[d->size++] = *text;
    if (d->whole < 0)
        d->whole = d->size;
}

static void add_one_at(Digits *d, int at)
{
    for (; at >= 0 && d->text[at] == '9'; at--)
        d->text[at] = '0';
    if (at >= 0) {
        d->text[at]++;
        return;
    }
    memmove(d->text + 1, d->text, (size_t)d->size);
    d->text[0] = '1';
    d->size++;
    d->whole++;
}

/* To `places` digits behind the point, with zeros if there are fewer. */
static void digits_round(Digits *d, int places, bool half_even)
{
    int keep = d->whole + places;
    if (keep < d->size && keep >= 0) {
        char next = d->text[keep];
        bool more = false;
        for (int i = keep + 1; i < d->size; i++)
            more |= d->text[i] != '0';
        bool odd = keep > 0 && (d->text[keep - 1] - '0') % 2;
        d->size = keep;
        if (next > '5' || (next == '5' && (!half_even || more || odd))) {
            if (keep == 0) { /* .5 becomes 1 */
                d->text[0] = '1';
                d->size = d->whole = 1;
            } else {
                add_one_at(d, keep - 1);
            }
        }
    }
    while (d->size < d->whole + places && d->size < (int)sizeof d->text - 1)
        d->text[d->size++] = '0';
}

static int64_t whole_number(const Column *column, int row)
{
    switch (column->type->kind) {
    case TYPE_BOOLEAN:
    case TYPE_BYTE:
        return ((const int8_t *)column->data)[row];
    case TYPE_SHORT:
        return ((const int16_t *)column->data)[row];
    case TYPE_INT:
    case TYPE_DATE:
    case TYPE_INTERVAL_YM:
        return int_at(column, row);
    default:
        return long_at(column, row);
    }
}

static bool is_floating(const Type *type)
{
    return type->kind == TYPE_DOUBLE || type->kind == TYPE_FLOAT;
}

static double floating(const Column *column, int row)
{
    return column->type->kind == TYPE_FLOAT ? (double)((const float *)column->data)[row] : ((const double *)column->data)[row];
}

/* The shortest digits that tell a double from its neighbours, all before any exponent. */
static void shortest_digits(Digits *d, double value, bool single)
{
    char text[400];
    int precision = 1;
    for (; precision < 17; precision++) {
        snprintf(text, sizeof text, "%.*e", precision - 1, value);
        if (single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
            break;
    }
    snprintf(text, sizeof text, "%.*e", precision - 1, value);
    char *e = strchr(text, 'e');
    int exponent = atoi(e + 1);
    *e = 0;
    digits_from(d, text);
    /* move the point */
    d->whole += exponent;
    if (d->whole <= 0) {
        int zeros = 1 - d->whole;
        if (zeros > (int)sizeof d->text - 1 - d->size)
            zeros = (int)sizeof d->text - 1 - d->size;
        memmove(d->text + zeros, d->text, (size_t)d->size);
        memset(d->text, '0', (size_t)zeros);
        d->size += zeros;
        d->whole = 1;
    }
    while (d->size < d->whole && d->size < (int)sizeof d->text - 1)
        d->text[d->size++] = '0';
}

/*
 * The digits to `places`; percent: of a hundred times as much. A double is the shortest number that tells it, as Java's DigitList has
 * it, but where digits are cut the exact value decides.
 */
static void exact_digits(Digits *d, const Column *column, int row, int places, bool percent)
{
    StrBuf buf = {0};
    if (is_floating(column->type)) {
        char text[400];
        double value = floating(column, row) * (percent ? 100 : 1);
        shortest_digits(d, value, column->type->kind == TYPE_FLOAT && !percent);
        if (d->size - d->whole > places) {
            snprintf(text, sizeof text, "%.*f", places, value);
            digits_from(d, text);
        }
        digits_round(d, places, true);
        return;
    }
    if (column->type->kind == TYPE_DECIMAL)
        print_decimal(&buf, decimal_value(column, (uint64_t)row), column->type->scale);
    else
        str_buf_printf(&buf, "%lld", (long long)whole_number(column, row));
    digits_from(d, str_buf_text(&buf));
    str_buf_fini(&buf);
    digits_round(d, places + (percent ? 2 : 0), true);
    d->whole += percent ? 2 : 0;
}

/* ---- format_number ---- */

typedef struct NumberPattern {
    Str prefix, suffix;
    int group;              /* digits between commas; 0: no commas */
    int whole_min;          /* zeros before the point */
    int places, places_min; /* most and least digits behind it */
    bool percent;
} NumberPattern;

/* #,##0.00 with text around it. False: not understood. */
static bool parse_pattern(Str text, NumberPattern *p)
{
    *p = (NumberPattern){0};
    size_t start = 0, end;
    while (start < text.size && !strchr("#0,.", text.ptr[start]))
        start++;
    int since_comma = -1, whole_digits = 0;
    bool point = false;
    for (end = start; end < text.size && strchr("#0,.", text.ptr[end]); end++) {
        char c = text.ptr[end];
        if (c == '.') {
            if (point)
                return false;
            point = true;
        } else if (c == ',') {
            if (point)
                return false;
            since_comma = 0;
        } else if (point) {
            p->places++;
            p->places_min += c == '0';
            if (c == '0' && p->places_min != p->places)
                return false;
        } else {
            whole_digits++;
            since_comma += since_comma >= 0;
            p->whole_min += c == '0';
            if (c == '#' && p->whole_min)
                return false;
        }
    }
    if (point && p->whole_min == 0 && p->places_min == 0) { /* one digit shows at least */
        p->whole_min = whole_digits > 0;
        p->places_min = whole_digits == 0;
    }
    p->prefix = (Str){text.ptr, start};
    p->suffix = (Str){text.ptr + end, text.size - end};
    p->group = since_comma > 0 ? since_comma : 0;
    p->percent = memchr(text.ptr, '%', text.size) != NULL;
    return since_comma != 0 && p->places <= FRACTION_MAX && end > start && !memchr(text.ptr, ';', text.size) &&
           !memchr(text.ptr, '\'', text.size) && !memchr(text.ptr, 'E', text.size);
}

static void put_grouped(StrBuf *out, const Digits *d, const NumberPattern *p)
{
    int first = 0, last = d->size, whole;
    while (first < d->whole && d->text[first] == '0')
        first++;
    whole = d->whole - first;
    while (last > d->whole + p->places_min && d->text[last - 1] == '0')
        last--;
    if (d->negative)
        str_buf_putc(out, '-');
    str_buf_str(out, p->prefix);
    int width = whole > p->whole_min ? whole : p->whole_min;
    if (width == 0 && last <= d->whole)
        width = 1; /* something must show */
    for (int i = width; i > 0; i--) {
        str_buf_putc(out, i > whole ? '0' : d->text[d->whole - i]);
        if (p->group && i > 1 && (i - 1) % p->group == 0)
            str_buf_putc(out, ',');
    }
    if (last > d->whole) {
        str_buf_putc(out, '.');
        str_buf_add(out, d->text + d->whole, (size_t)(last - d->whole));
    }
    str_buf_str(out, p->suffix);
}

static int format_by(FnCall *call, const Column *args, Column *out, int row, const NumberPattern *p)
{
    Digits d;
    str_buf_clear(call->scratch);
    if (is_floating(args[0].type) && !isfinite(floating(&args[0], row))) {
        double value = floating(&args[0], row);
        str_buf_puts(call->scratch, isnan(value) ? "NaN" : value < 0 ? "-\xE2\x88\x9E" : "\xE2\x88\x9E");
    } else {
        exact_digits(&d, &args[0], row, p->places, p->percent);
        put_grouped(call->scratch, &d, p);
    }
    text_put_buf(out, row, call->scratch);
    return 0;
}

static int format_number(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        int places = int_at(&args[1], row);
        if (places < 0) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        NumberPattern pattern = {.group = 3, .whole_min = 1};
        pattern.places = pattern.places_min = places < FRACTION_MAX ? places : FRACTION_MAX;
        SILT_TRY(format_by(call, args, out, row, &pattern));
    }
    return 0;
}

static int format_number_by(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        NumberPattern pattern = {.group = 3};
        Str text = text_at(&args[1], row);
        if (text.size && !parse_pattern(text, &pattern))
            return fn_fail(call, row, "INVALID_FORMAT.UNSUPPORTED", "the number format \"%.*s\" is not understood", FN_SHOW(text));
        SILT_TRY(format_by(call, args, out, row, &pattern));
    }
    return 0;
}

/* ---- format_string ---- */

typedef struct Spec {
    int index, width, precision; /* precision < 0: none */
    bool minus, zero, plus, blank, comma, paren, alternate;
    char conversion;
} Spec;

/* One % specification; NULL or what is wrong. */
static const char *parse_spec(Str format, size_t *at, Spec *spec)
{
    size_t i = *at;
    int number = 0;
    *spec = (Spec){.precision = -1};
    while (i < format.size && format.ptr[i] >= '0' && format.ptr[i] <= '9' && number < 100000)
        number = number * 10 + (format.ptr[i++] - '0');
    if (i < format.size && format.ptr[i] == '$' && number) {
        spec->index = number;
        i++;
    } else {
        i = *at; /* it was flags or a width */
    }
    for (; i < format.size && strchr("-0+ ,(#", format.ptr[i]); i++) {
        char c = format.ptr[i];
        spec->minus |= c == '-';
        spec->zero |= c == '0';
        spec->plus |= c == '+';
        spec->blank |= c == ' ';
        spec->comma |= c == ',';
        spec->paren |= c == '(';
        spec->alternate |= c == '#';
    }
    while (i < format.size && format.ptr[i] >= '0' && format.ptr[i] <= '9' && spec->width < 100000)
        spec->width = spec->width * 10 + (format.ptr[i++] - '0');
    if (i < format.size && format.ptr[i] == '.') {
        size_t start = ++i;
        for (spec->precision = 0; i < format.size && format.ptr[i] >= '0' && format.ptr[i] <= '9' && spec->precision < 1000;)
            spec->precision = spec->precision * 10 + (format.ptr[i++] - '0');
        if (i == start)
            return "a precision has no digits";
    }
    if (i >= format.size)
        return "a % stands at the end";
    spec->conversion = format.ptr[i++];
    *at = i;
    return NULL;
}

/* Sign, zeros, commas round the digits of a magnitude. */
static void put_number(StrBuf *out, const Spec *spec, bool negative, Str digits)
{
    silt_auto(str_buf_fini) StrBuf body = {0};
    const char *point = digits.size ? memchr(digits.ptr, '.', digits.size) : NULL;
    size_t whole = point ? (size_t)(point - digits.ptr) : digits.size;
    for (size_t i = 0; i < digits.size; i++) {
        str_buf_putc(&body, digits.ptr[i]);
        if (spec->comma && i + 1 < whole && (whole - 1 - i) % 3 == 0)
            str_buf_putc(&body, ',');
    }
    const char *before = negative      ? (spec->paren ? "(" : "-")
                         : spec->plus  ? "+"
                         : spec->blank ? " "
                                       : "",
               *after = negative && spec->paren ? ")" : "";
    str_buf_puts(out, before);
    for (size_t width = strlen(before) + body.size + strlen(after); spec->zero && width < (size_t)spec->width; width++)
        str_buf_putc(out, '0');
    str_buf_str(out, str_buf_view(&body));
    str_buf_puts(out, after);
}

static const char *put_fixed(StrBuf *out, const Spec *spec, const Column *arg, int row)
{
    int places = spec->precision < 0 ? 6 : spec->precision < FRACTION_MAX ? spec->precision : FRACTION_MAX;
    Digits d;
    if (is_floating(arg->type)) {
        double value = floating(arg, row);
        if (!isfinite(value)) {
            str_buf_puts(out, isnan(value) ? "NaN"
                              : value < 0  ? (spec->paren ? "(Infinity)" : "-Infinity")
                              : spec->plus ? "+Infinity"
                                           : "Infinity");
            return NULL;
        }
        shortest_digits(&d, value, arg->type->kind == TYPE_FLOAT);
    } else if (arg->type->kind == TYPE_DECIMAL) {
        StrBuf text = {0};
        print_decimal(&text, decimal_value(arg, (uint64_t)row), arg->type->scale);
        digits_from(&d, str_buf_text(&text));
        str_buf_fini(&text);
    } else {
        return "f needs a floating point number";
    }
    digits_round(&d, places, false);
    silt_auto(str_buf_fini) StrBuf digits = {0};
    str_buf_add(&digits, d.text, (size_t)d.whole);
    if (places)
        str_buf_putc(&digits, '.');
    str_buf_add(&digits, d.text + d.whole, (size_t)(d.size - d.whole));
    put_number(out, spec, d.negative, str_buf_view(&digits));
    return NULL;
}

static const char *put_scientific(StrBuf *out, const Spec *spec, const Column *arg, int row);

/* %g: as %f where a number of that many digits is from 0.0001 to all digits before the point, else as %e. */
static const char *put_general(StrBuf *out, const Spec *spec, const Column *arg, int row)
{
    int digits = spec->precision < 0 ? 6 : spec->precision ? spec->precision : 1, exponent = 0;
    Spec as = *spec;

    if (!is_floating(arg->type))
        return "g needs a floating point number";
    if (spec->alternate)
        return "g takes no #";
    double value = floating(arg, row);

    if (isfinite(value) && value != 0) {
        silt_auto(str_buf_fini) StrBuf text = {0};

        put_scientific(&text, &(Spec){.precision = digits - 1}, arg, row);
        exponent = atoi(strchr(str_buf_text(&text), 'e') + 1);
    }
    bool fixed = exponent >= -4 && exponent < digits;

    as.precision = fixed ? digits - 1 - exponent : digits - 1;
    return fixed ? put_fixed(out, &as, arg, row) : put_scientific(out, &as, arg, row);
}

static const char *put_scientific(StrBuf *out, const Spec *spec, const Column *arg, int row)
{
    int places = spec->precision < 0 ? 6 : spec->precision;
    if (!is_floating(arg->type))
        return "e needs a floating point number";
    double value = floating(arg, row);
    if (!isfinite(value))
        return put_fixed(out, spec, arg, row);
    Digits d;
    shortest_digits(&d, value, arg->type->kind == TYPE_FLOAT);
    int first = 0, exponent;
    while (first < d.size - 1 && d.text[first] == '0')
        first++;
    exponent = value == 0 ? 0 : d.whole - 1 - first;
    memmove(d.text, d.text + first, (size_t)(d.size - first));
    d.size -= first;
    d.whole = 1;
    digits_round(&d, places < FRACTION_MAX ? places : FRACTION_MAX, false);
    exponent += d.whole - 1; /* 9.99 became 10.0 */
    silt_auto(str_buf_fini) StrBuf digits = {0};
    str_buf_putc(&digits, d.text[0]);
    if (places)
        str_buf_putc(&digits, '.');
    str_buf_add(&digits, d.text + 1, (size_t)places);
    str_buf_printf(&digits, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    put_number(out, spec, d.negative, str_buf_view(&digits));
    return NULL;
}

static const char *put_whole(StrBuf *out, const Spec *spec, const Column *arg, int row)
{
    static const char wrong[] = "d, o and x need an integer";
    char digits[32];
    if (!type_is_integral(arg->type) && arg->type->kind != TYPE_DATE && arg->type->kind != TYPE_TIMESTAMP &&
        arg->type->kind != TYPE_TIMESTAMP_NTZ)
        return wrong;
    int64_t value = whole_number(arg, row);
    if (spec->conversion == 'd') {
        snprintf(digits, sizeof digits, "%llu", value < 0 ? -(unsigned long long)value : (unsigned long long)value);
        put_number(out, spec, value < 0, str_of(digits));
        return NULL;
    }
    int bits = arg->type->kind == TYPE_BYTE                                  ? 8
               : arg->type->kind == TYPE_SHORT                               ? 16
               : arg->type->kind == TYPE_INT || arg->type->kind == TYPE_DATE ? 32
                                                                             : 64;
    unsigned long long raw = (unsigned long long)value & (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1);
    snprintf(digits, sizeof digits,
             spec->conversion == 'o' ? (spec->alternate ? "0%llo" : "%llo")
             : spec->alternate       ? "0x%llx"
                                     : "%llx",
             raw);
    put_number(out, &(Spec){.zero = spec->zero, .width = spec->width}, false, str_of(digits));
    return NULL;
}

/* Java's length of a text: a character beyond U+FFFF counts twice. */
static int64_t utf16_units(Str text)
{
    int64_t units = 0;
    for (size_t i = 0; i < text.size; i++)
        units += ((unsigned char)text.ptr[i] & 0xC0) != 0x80 ? 1 + ((unsigned char)text.ptr[i] >= 0xF0) : 0;
    return units;
}

/* The first `most` units (< 0: all); half of a character is a question mark, as in Java. */
static void put_units(StrBuf *out, Str text, int most)
{
    int64_t units = 0;
    for (size_t i = 0; i < text.size && (most < 0 || units < most);) {
        int size;
        utf8_get(text.ptr + i, &size);
        units += 1 + (size == 4);
        if (most >= 0 && units > most)
            str_buf_putc(out, '?');
        else
            str_buf_add(out, text.ptr + i, (size_t)size);
        i += (size_t)size;
    }
}

static const char *put_conversion(StrBuf *out, const Spec *spec, const Column *arg, int row)
{
    bool null = arg->type->kind == TYPE_VOID || column_is_null(arg, (uint64_t)row);
    silt_auto(str_buf_fini) StrBuf text = {0};
    if (null && spec->conversion != 'b' && spec->conversion != 'B') {
        put_units(out, STR("null"), spec->precision);
        return NULL;
    }
    if (arg->type->kind == TYPE_DECIMAL && strchr("doxfecg", spec->conversion))
        return "a DECIMAL is shown by %s only; cast it to DOUBLE or BIGINT for numbers";
    switch (spec->conversion) {
    case 'd':
    case 'o':
    case 'x':
        return put_whole(out, spec, arg, row);
    case 'f':
        return put_fixed(out, spec, arg, row);
    case 'e':
        return put_scientific(out, spec, arg, row);
    case 'g':
        return put_general(out, spec, arg, row);
    case 'b':
        str_buf_puts(out, null || (arg->type->kind == TYPE_BOOLEAN && !((const uint8_t *)arg->data)[row]) ? "false" : "true");
        return NULL;
    case 'c':
        if (!type_is_integral(arg->type) || whole_number(arg, row) < 0 || whole_number(arg, row) > 0x10FFFF)
            return "c needs the number of a character";
        utf8_put(out, (uint32_t)whole_number(arg, row));
        return NULL;
    case 's':
        print_java_object(&text, arg, (uint64_t)row);
        put_units(out, str_buf_view(&text), spec->precision);
        return NULL;
    default:
        return "unknown conversion";
    }
}

static const char *put_formatted(StrBuf *out, FnCall *call, const Column *args, int row)
{
    Str format = text_at(&args[0], row);
    int next = 1;
    for (size_t i = 0; i < format.size;) {
        Spec spec;
        if (format.ptr[i] != '%') {
            str_buf_putc(out, format.ptr[i++]);
            continue;
        }
        i++;
        const char *wrong = parse_spec(format, &i, &spec);
        silt_auto(str_buf_fini) StrBuf one = {0}, cased = {0};
        if (wrong)
            return wrong;
        if (spec.conversion == 'n' || spec.conversion == '%') {
            str_buf_putc(&one, spec.conversion == 'n' ? '\n' : '%');
        } else {
            int index = spec.index ? spec.index : next++;
            bool upper = spec.conversion && strchr("SBXECHG", spec.conversion);
            if (index >= call->arg_count)
                return "there are not as many arguments";
            if (upper)
                spec.conversion = (char)(spec.conversion + 32);
            wrong = put_conversion(&one, &spec, &args[index], row);
            if (wrong)
                return wrong;
            if (upper) {
                unicode_put_upper(&cased, str_buf_view(&one));
                str_buf_clear(&one);
                str_buf_str(&one, str_buf_view(&cased));
            }
        }
        int64_t missing = spec.width - utf16_units(str_buf_view(&one));
        for (; !spec.minus && missing > 0; missing--)
            str_buf_putc(out, ' ');
        str_buf_str(out, str_buf_view(&one));
        for (; missing > 0; missing--)
            str_buf_putc(out, ' ');
    }
    return NULL;
}

static int format_string(FnCall *call, const Column *args, Column *out, int rows)
{
    for (int row = 0; row < rows; row++) {
        if (column_is_null(&args[0], (uint64_t)row)) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        str_buf_clear(call->scratch);
        const char *wrong = put_formatted(call->scratch, call, args, row);
        if (wrong)
            return fn_fail(call, row, "INVALID_PARAMETER_VALUE.FORMAT_STRING", "the format \"%.*s\" does not fit: %s",
                           FN_SHOW(text_at(&args[0], row)), wrong);
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

/* ---- to_char and to_number ---- */

static int fail_number_format(FnCall *call, int row, const char *code, Str format)
{
    return fn_fail(call, row, code, "the number format \"%.*s\" is not understood", FN_SHOW(format));
}

static int to_char(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        NumberFormat format;
        Str pattern = text_at(&args[1], row);
        silt_auto(str_buf_fini) StrBuf decimal = {0};
        const char *wrong = number_format_parse(pattern, &format);

        if (wrong)
            return fail_number_format(call, row, wrong, pattern);
        print_decimal(&decimal, decimal_value(&args[0], (uint64_t)row), args[0].type->scale);
        str_buf_clear(call->scratch);
        number_format_put(call->scratch, &format, str_buf_view(&decimal));
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

/* Digits of other scripts become 0 to 9, as Java takes them (which knows no character beyond U+FFFF as a digit). */
static Str plain_digits(Str text, StrBuf *out)
{
    str_buf_clear(out);
    for (size_t i = 0; i < text.size;) {
        int size;
        uint32_t c = utf8_get(text.ptr + i, &size), zero = c;

        if (c >= 0x80 && c <= 0xFFFF && unicode_has_category(c, "Nd")) {
            while (c - zero < 9 && unicode_has_category(zero - 1, "Nd"))
                zero--;
            str_buf_putc(out, (char)('0' + (c - zero)));
        } else {
            str_buf_add(out, text.ptr + i, (size_t)size);
        }
        i += (size_t)size;
    }
    return str_buf_view(out);
}

static int to_number_or(FnCall *call, const Column *args, Column *out, int rows, bool null)
{
    FN_ROWS(row, out, rows) {
        NumberFormat format;
        __int128 value;
        Str text = text_at(&args[0], row), pattern = text_at(&args[1], row);
        const char *wrong = number_format_parse(pattern, &format);

        if (wrong)
            return fail_number_format(call, row, wrong, pattern);
        if (number_format_read(&format, plain_digits(text, call->scratch), &value))
            decimal_put(out, (uint64_t)row, value);
        else if (null)
            column_set_null(out, (uint64_t)row);
        else
            return fn_fail(call, row, "INVALID_FORMAT.MISMATCH_INPUT", "\"%.*s\" is not of the format \"%.*s\"", FN_SHOW(text), FN_SHOW(pattern));
    }
    return 0;
}

static int to_number(FnCall *call, const Column *args, Column *out, int rows)
{
    return to_number_or(call, args, out, rows, false);
}

static int try_to_number(FnCall *call, const Column *args, Column *out, int rows)
{
    return to_number_or(call, args, out, rows, true);
}

const DuckFunction fn_format[] = {
    {.name = "silt_format_number", .args = "any, int", .result = "string", .eval = format_number},
    {.name = "silt_format_number_by", .args = "any, string", .result = "string", .flags = FN_FAILS, .eval = format_number_by},
    {.name = "silt_format_string", .args = "string, any...", .result = "string", .flags = FN_FAILS | FN_NULLS, .eval = format_string},
    {.name = "silt_to_char", .args = "any, string", .result = "string", .flags = FN_FAILS, .eval = to_char},
    {.name = "silt_to_number", .args = "string, string", .result = NULL, .flags = FN_FAILS, .eval = to_number},
    {.name = "silt_try_to_number", .args = "string, string", .result = NULL, .flags = FN_VOLATILE, .eval = try_to_number},
    {0},
};
