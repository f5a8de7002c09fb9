/* duck/fn_binary.c - the functions of text over BINARY: they count bytes, not characters */
#include "duck/fn_text.h"

/* Bytes as SQL counts: from 1, from the end if negative, 0 is the start. */
static Str slice(Str bytes, int64_t pos, int64_t length)
{
    int64_t size = (int64_t)bytes.size, first = pos > 0 ? pos - 1 : pos < 0 ? size + pos : 0, until = first + length;

    if (first < 0)
        first = 0;
    if (until > size)
        until = size;
    return first < until ? (Str){bytes.ptr + first, (size_t)(until - first)} : STR("");
}

static int substring(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    text_put(out, row, slice(text_at(&args[0], row), int_at(&args[1], row), int_at(&args[2], row)));
    return 0;
}

static int reverse(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        Str bytes = text_at(&args[0], row);

        str_buf_clear(call->scratch);
        for (size_t i = bytes.size; i > 0; i--)
            str_buf_putc(call->scratch, bytes.ptr[i - 1]);
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

static int overlay(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        Str bytes = text_at(&args[0], row), by = text_at(&args[1], row);
        int64_t pos = int_at(&args[2], row), length = int_at(&args[3], row);

        if (length < 0)
            length = (int64_t)by.size;
        str_buf_clear(call->scratch);
        str_buf_str(call->scratch, slice(bytes, 1, pos - 1));
        str_buf_str(call->scratch, by);
        str_buf_str(call->scratch, slice(bytes, pos + length, INT32_MAX));
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

static int pad(FnCall *call, const Column *args, Column *out, int rows, bool before)
{
    enum { RESULT_BYTES_MAX = INT32_MAX / 8 };

    FN_ROWS(row, out, rows) {
        Str bytes = text_at(&args[0], row), by = text_at(&args[2], row);
        int64_t length = int_at(&args[1], row), missing = length - (int64_t)bytes.size;

        if (length < 0)
            return fn_fail(call, row, "NegativeArraySizeException", "bytes cannot be padded to a length of %lld", (long long)length);
        if (missing <= 0 || !by.size) {
            text_put(out, row, slice(bytes, 1, length));
            continue;
        }
        if (missing > RESULT_BYTES_MAX)
            return fn_fail(call, row, "COLLECTION_SIZE_LIMIT_EXCEEDED.FUNCTION", "%lld bytes are too many", (long long)length);
        str_buf_clear(call->scratch);
        if (!before)
            str_buf_str(call->scratch, bytes);
        for (; missing > 0; missing -= (int64_t)by.size)
            str_buf_str(call->scratch, slice(by, 1, missing));
        if (before)
            str_buf_str(call->scratch, bytes);
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

static int lpad(FnCall *call, const Column *args, Column *out, int rows)
{
    return pad(call, args, out, rows, true);
}

static int rpad(FnCall *call, const Column *args, Column *out, int rows)
{
    return pad(call, args, out, rows, false);
}

static int contains(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    ((uint8_t *)out->data)[row] = text_find(text_at(&args[0], row), text_at(&args[1], row), 0) >= 0;
    return 0;
}

static int starts_with(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        Str bytes = text_at(&args[0], row), with = text_at(&args[1], row);

        ((uint8_t *)out->data)[row] = with.size <= bytes.size && str_equal((Str){bytes.ptr, with.size}, with);
    }
    return 0;
}

static int ends_with(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        Str bytes = text_at(&args[0], row), with = text_at(&args[1], row);

        ((uint8_t *)out->data)[row] = with.size <= bytes.size && str_equal((Str){bytes.ptr + bytes.size - with.size, with.size}, with);
    }
    return 0;
}

const DuckFunction fn_binary[] = {
    {.name = "silt_substring_binary", .args = "binary, int, int", .result = "binary", .eval = substring},
    {.name = "silt_reverse_binary", .args = "binary", .result = "binary", .eval = reverse},
    {.name = "silt_overlay_binary", .args = "binary, binary, int, int", .result = "binary", .eval = overlay},
    {.name = "silt_lpad_binary", .args = "binary, int, binary", .result = "binary", .flags = FN_FAILS, .eval = lpad},
    {.name = "silt_rpad_binary", .args = "binary, int, binary", .result = "binary", .flags = FN_FAILS, .eval = rpad},
    {.name = "silt_contains_binary", .args = "binary, binary", .result = "boolean", .eval = contains},
    {.name = "silt_starts_with_binary", .args = "binary, binary", .result = "boolean", .eval = starts_with},
    {.name = "silt_ends_with_binary", .args = "binary, binary", .result = "boolean", .eval = ends_with},
    {0},
};
