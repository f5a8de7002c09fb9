/* base/str.c - strings */
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Str str_of(const char *text)
{
    return (Str){text ? text : "", text ? strlen(text) : 0};
}

bool str_equal(Str a, Str b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.ptr, b.ptr, a.size) == 0);
}

bool str_is(Str a, const char *b)
{
    return str_equal(a, str_of(b));
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

bool str_is_nocase(Str a, const char *b)
{
    for (size_t i = 0; i < a.size; i++)
        if (b[i] == '\0' || lower(a.ptr[i]) != lower(b[i]))
            return false;
    return b[a.size] == '\0';
}

bool str_starts(Str text, const char *prefix)
{
    size_t size = strlen(prefix);
    return text.size >= size && memcmp(text.ptr, prefix, size) == 0;
}

bool str_ends(Str text, const char *suffix)
{
    size_t size = strlen(suffix);
    return text.size >= size && memcmp(text.ptr + text.size - size, suffix, size) == 0;
}

Str str_trim(Str text)
{
    while (text.size && (unsigned char)text.ptr[0] <= ' ')
        text.ptr++, text.size--;
    while (text.size && (unsigned char)text.ptr[text.size - 1] <= ' ')
        text.size--;
    return text;
}

bool str_to_int64(Str text, int64_t *out)
{
    bool negative = text.size && text.ptr[0] == '-';
    size_t i = text.size && (text.ptr[0] == '-' || text.ptr[0] == '+') ? 1 : 0;
    if (i == text.size)
        return false;
    int64_t value = 0;
    for (; i < text.size; i++) {
        int digit = text.ptr[i] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(value, (int64_t)10, &value) ||
            __builtin_sub_overflow(value, (int64_t)digit, &value))
            return false;
    }
    if (!negative && value == INT64_MIN)
        return false;
    *out = negative ? value : -value;
    return true;
}

void str_buf_fini(StrBuf *buf)
{
    free(buf->ptr);
    *buf = (StrBuf){0};
}

void str_buf_clear(StrBuf *buf)
{
    buf->size = 0;
    if (buf->ptr)
        buf->ptr[0] = '\0';
}

void str_buf_reserve(StrBuf *buf, size_t more)
{
    size_t need = buf->size + more + 1;
    if (need <= buf->capacity)
        return;
    size_t capacity = buf->capacity ? buf->capacity : 64;
    while (capacity < need)
        capacity *= 2;
    buf->ptr = silt_realloc(buf->ptr, capacity);
    buf->capacity = capacity;
    buf->ptr[buf->size] = '\0'; /* also when nothing is added after a reserve */
}

void str_buf_add(StrBuf *buf, const char *ptr, size_t size)
{
    str_buf_reserve(buf, size);
    if (size)
        memcpy(buf->ptr + buf->size, ptr, size);
    buf->size += size;
    buf->ptr[buf->size] = '\0';
}

void str_buf_puts(StrBuf *buf, const char *text)
{
    str_buf_add(buf, text, strlen(text));
}

void str_buf_putc(StrBuf *buf, char c)
{
    str_buf_add(buf, &c, 1);
}

void str_buf_str(StrBuf *buf, Str text)
{
    str_buf_add(buf, text.ptr, text.size);
}

void str_buf_printf(StrBuf *buf, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    silt_assert(fmt != NULL); /* gcc believes it may be, under -fsanitize */
    int size = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    silt_assert(size >= 0);
    str_buf_reserve(buf, (size_t)size);
    vsnprintf(buf->ptr + buf->size, (size_t)size + 1, fmt, again);
    va_end(again);
    buf->size += (size_t)size;
}

const char *str_buf_text(const StrBuf *buf)
{
    return buf->ptr ? buf->ptr : "";
}

Str str_buf_view(const StrBuf *buf)
{
    return (Str){str_buf_text(buf), buf->size};
}

int utf8_length(const char *ptr, const char *end)
{
    const unsigned char *p = (const unsigned char *)ptr;
    size_t left = (size_t)(end - ptr);
    if (left == 0)
        return 0;
    if (p[0] < 0x80)
        return 1;
    if (p[0] < 0xC2)
        return 0;
    if (left < 2 || (p[1] & 0xC0) != 0x80)
        return 0;
    if (p[0] < 0xE0)
        return 2;
    if (left < 3 || (p[2] & 0xC0) != 0x80)
        return 0;
    if (p[0] < 0xF0) {
        if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F))
            return 0;
        return 3;
    }
    if (p[0] > 0xF4 || left < 4 || (p[3] & 0xC0) != 0x80)
        return 0;
    if ((p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F))
        return 0;
    return 4;
}

bool utf8_valid(Str text)
{
    const char *end = text.ptr + text.size;
    for (const char *p = text.ptr; p < end;) {
        uint64_t eight;
        if (end - p >= 8 && (memcpy(&eight, p, 8), !(eight & UINT64_C(0x8080808080808080)))) { /* eight of ASCII */
            p += 8;
            continue;
        }
        int length = utf8_length(p, end);
        if (length == 0)
            return false;
        p += length;
    }
    return true;
}

void utf8_put(StrBuf *buf, uint32_t code_point)
{
    if (code_point < 0x80) {
        str_buf_putc(buf, (char)code_point);
    } else if (code_point < 0x800) {
        str_buf_putc(buf, (char)(0xC0 | code_point >> 6));
        str_buf_putc(buf, (char)(0x80 | (code_point & 0x3F)));
    } else if (code_point < 0x10000) {
        str_buf_putc(buf, (char)(0xE0 | code_point >> 12));
        str_buf_putc(buf, (char)(0x80 | (code_point >> 6 & 0x3F)));
        str_buf_putc(buf, (char)(0x80 | (code_point & 0x3F)));
    } else {
        str_buf_putc(buf, (char)(0xF0 | code_point >> 18));
        str_buf_putc(buf, (char)(0x80 | (code_point >> 12 & 0x3F)));
        str_buf_putc(buf, (char)(0x80 | (code_point >> 6 & 0x3F)));
        str_buf_putc(buf, (char)(0x80 | (code_point & 0x3F)));
    }
}

int str_distance(Str a, Str b, int limit)
{
    enum { SIZE_MAX_COMPARED = 128 };
    if (a.size > SIZE_MAX_COMPARED || b.size > SIZE_MAX_COMPARED)
        return str_equal(a, b) ? 0 : limit + 1;
    /* rows of the table of distances: of this character of a, the one before, and the one before that */
    int rows[3][SIZE_MAX_COMPARED + 1];
    int *row = rows[0], *above = rows[1], *above_that = rows[2];
    for (size_t j = 0; j <= b.size; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= a.size; i++) {
        int *spare = above_that;
        above_that = above;
        above = row;
        row = spare;
        row[0] = (int)i;
        for (size_t j = 1; j <= b.size; j++) {
            bool same = lower(a.ptr[i - 1]) == lower(b.ptr[j - 1]);
            int best = above[j - 1] + !same;
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            bool swapped = i > 1 && j > 1 && lower(a.ptr[i - 1]) == lower(b.ptr[j - 2]) && lower(a.ptr[i - 2]) == lower(b.ptr[j - 1]);
            if (swapped && above_that[j - 2] + 1 < best)
                best = above_that[j - 2] + 1;
            row[j] = best;
        }
    }
    return row[b.size] > limit ? limit + 1 : row[b.size];
}

const char *str_nearest(Str name, const char *const *candidates, int count)
{
    int limit = name.size <= 3 ? 1 : name.size <= 7 ? 2 : 3;
    const char *best = NULL;
    for (int i = 0; i < count; i++) {
        int distance = str_distance(name, str_of(candidates[i]), limit);
        if (distance <= limit) {
            best = candidates[i];
            limit = distance - 1;
            if (limit < 0)
                break;
        }
    }
    return best;
}
