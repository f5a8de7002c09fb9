/*
 * duck/fn_collation.c - strings on their way to a key of their collation
 *
 * Spark 4.2 compares by the weights of Unicode 17, the ICU within DuckDB by those of Unicode 13. A string with a character that has another weight there, or none, has no
 * key here: it is an error, never an answer that Spark would not give.
 */
#include "duck/collation_tables.h"
#include "duck/fn_text.h"

/* Letters of Unicode 15 to 17, which Spark's UTF8_LCASE knows and unicode_case.c, of 14, does not. */
static uint32_t newer_lower(uint32_t c)
{
    static const struct {
        uint32_t first, last;
        int delta;
    } newer[] = {{0x1C89, 0x1C89, 1},      {0xA7CB, 0xA7CB, 0x264 - 0xA7CB}, {0xA7CC, 0xA7CC, 1}, {0xA7CE, 0xA7CE, 1},    {0xA7D2, 0xA7D2, 1},
                 {0xA7D4, 0xA7D4, 1},      {0xA7DA, 0xA7DA, 1},              {0xA7DC, 0xA7DC, 0x19B - 0xA7DC}, {0x10D50, 0x10D65, 32}, {0x16EA0, 0x16EB8, 27}};

    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++)
        if (c >= newer[i].first && c <= newer[i].last)
            return (uint32_t)((int)c + newer[i].delta);
    return c;
}

/* What UTF8_LCASE compares: code points one by one in lower case, wherever they stand; the two lower sigmas are one. */
static void put_lower_key(StrBuf *out, Str text)
{
    enum { CAPITAL_I_WITH_DOT = 0x130, FINAL_SIGMA = 0x3C2, SIGMA = 0x3C3 };

    for (size_t i = 0; i < text.size;) {
        int size;
        uint32_t c = utf8_get(text.ptr + i, &size);

        i += (size_t)size;
        if (c == CAPITAL_I_WITH_DOT)
            str_buf_puts(out, "i\xCC\x87");
        else
            utf8_put(out, c == FINAL_SIGMA ? SIGMA : c < 0x1C89 ? unicode_lower(c) : newer_lower(unicode_lower(c)));
    }
}

static int lower_key(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        str_buf_clear(call->scratch);
        put_lower_key(call->scratch, text_at(&args[0], row));
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

/* ---- parts of a text that are equal by UTF8_LCASE ---- */

/* Where the text that is equal to the key and begins at `at` ends, or -1. It ends between characters: not within the two that a capital I with a dot becomes. */
static int64_t match_at(StrBuf *scratch, Str text, size_t at, Str key)
{
    size_t done = 0;

    while (done < key.size && at < text.size) {
        int size;

        utf8_get(text.ptr + at, &size);
        str_buf_clear(scratch);
        put_lower_key(scratch, (Str){text.ptr + at, (size_t)size});
        if (scratch->size > key.size - done || memcmp(scratch->ptr, key.ptr + done, scratch->size) != 0)
            return -1;
        done += scratch->size;
        at += (size_t)size;
    }
    return done == key.size ? (int64_t)at : -1;
}

static int lower_starts(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(str_buf_fini) StrBuf key = {0};
    FN_ROWS(row, out, rows)
    {
        str_buf_clear(&key);
        put_lower_key(&key, text_at(&args[1], row));
        ((uint8_t *)out->data)[row] = match_at(call->scratch, text_at(&args[0], row), 0, (Str){str_buf_text(&key), key.size}) >= 0;
    }
    return 0;
}

/* The next character, or the end. */
static size_t step_over(Str text, size_t at)
{
    int size;

    utf8_get(text.ptr + at, &size);
    return at + (size_t)size;
}

static int lower_ends(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(str_buf_fini) StrBuf key = {0};
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        bool found = false;

        str_buf_clear(&key);
        put_lower_key(&key, text_at(&args[1], row));
        for (size_t i = 0; i < text.size && !found; i = step_over(text, i))
            found = match_at(call->scratch, text, i, (Str){str_buf_text(&key), key.size}) == (int64_t)text.size;
        ((uint8_t *)out->data)[row] = found || !key.size;
    }
    return 0;
}

/* The character, from 1, at which the first part that is equal begins; 0: there is none. */
static int lower_find(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(str_buf_fini) StrBuf key = {0};
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        int32_t at = 1, found = 0;

        str_buf_clear(&key);
        put_lower_key(&key, text_at(&args[1], row));
        for (size_t i = 0; i < text.size && !found; i = step_over(text, i), at++)
            if (match_at(call->scratch, text, i, (Str){str_buf_text(&key), key.size}) >= 0)
                found = at;
        ((int32_t *)out->data)[row] = key.size ? found : 1;
    }
    return 0;
}

/* ---- weights ---- */

static bool has_other_weight(uint32_t c)
{
    size_t low = 0, high = sizeof other_weights / sizeof *other_weights;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (c > other_weights[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sizeof other_weights / sizeof *other_weights && c >= other_weights[low].first;
}

static int collated(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);

        for (size_t i = 0; i < text.size;) {
            int size = 1;
            uint32_t c = (unsigned char)text.ptr[i] < 0x80 ? (unsigned char)text.ptr[i] : utf8_get(text.ptr + i, &size);

            if (c >= OTHER_WEIGHTS_FROM && has_other_weight(c))
                return fn_fail(call, row, "UNSUPPORTED_FEATURE.COLLATION_CHARACTER", "cannot compare \"%.*s\" by its collation: the order of U+%04X has changed since Unicode 13",
                               FN_SHOW(text), (unsigned)c);
            i += (size_t)size;
        }
        text_put(out, row, text);
    }
    return 0;
}

const DuckFunction fn_collation[] = {
    {.name = "silt_lower_key", .args = "string", .result = "string", .eval = lower_key},
    {.name = "silt_lower_starts", .args = "string, string", .result = "boolean", .eval = lower_starts},
    {.name = "silt_lower_ends", .args = "string, string", .result = "boolean", .eval = lower_ends},
    {.name = "silt_lower_find", .args = "string, string", .result = "int", .eval = lower_find},
    {.name = "silt_collated", .args = "string", .result = "string", .flags = FN_FAILS, .eval = collated},
    {0},
};
