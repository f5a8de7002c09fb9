#pragma once
/* duck/fn_text.h - what functions over text share */
#include "duck/functions.h"
#include "duck/unicode_case.h"

#include <string.h>

static inline Str text_at(const Column *column, int row)
{
    return chunk_string((const ChunkString *)column->data + row);
}

static inline int32_t int_at(const Column *column, int row)
{
    return ((const int32_t *)column->data)[row];
}

static inline int64_t long_at(const Column *column, int row)
{
    return ((const int64_t *)column->data)[row];
}

static inline void text_put(Column *out, int row, Str text)
{
    column_set_string(out, (uint64_t)row, text.ptr ? text.ptr : "", text.size);
}

static inline void text_put_buf(Column *out, int row, const StrBuf *buf)
{
    column_set_string(out, (uint64_t)row, str_buf_text(buf), buf->size);
}

/* Code points in valid UTF-8. */
static inline int64_t text_chars(Str text)
{
    int64_t count = 0;
    for (size_t i = 0; i < text.size; i++)
        count += ((unsigned char)text.ptr[i] & 0xC0) != 0x80;
    return count;
}

/* Byte at which code point number `chars` starts; the size of the text if it has fewer. Negative: 0. */
static inline size_t text_byte_of(Str text, int64_t chars)
{
    size_t i = 0;
    for (; i < text.size && chars > 0; chars--)
        do
            i++;
        while (i < text.size && ((unsigned char)text.ptr[i] & 0xC0) == 0x80);
    return i;
}

/* Code points first..until-1, both from 0. */
static inline Str text_slice(Str text, int64_t first, int64_t until)
{
    if (until <= first || first >= (int64_t)text.size)
        return STR("");
    size_t from = text_byte_of(text, first), to = text_byte_of(text, until);
    return (Str){text.ptr + from, to - from};
}

/* As SQL counts: from 1, from the end if negative, 0 is the start. */
static inline Str text_substring(Str text, int64_t pos, int64_t length)
{
    int64_t first = pos > 0 ? pos - 1 : pos < 0 ? text_chars(text) + pos : 0;
    int64_t until = first + length;
    return text_slice(text, first, until > INT32_MAX ? INT32_MAX : until);
}

/* Byte of the first place of `what` at or after `from`, or -1. */
static inline int64_t text_find(Str text, Str what, size_t from)
{
    if (from > text.size || what.size > text.size - from)
        return -1;
    const char *at = memmem(text.ptr + from, text.size - from, what.ptr, what.size);
    return at ? at - text.ptr : -1;
}
