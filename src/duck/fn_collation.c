/*
 * duck/fn_collation.c - strings on their way to a key of their collation
 *
 * Spark 4.2 compares by the weights of Unicode 17, the ICU within DuckDB by those of Unicode 13. A string with a character that has another weight there, or none, has no
 * key here: it is an error, never an answer that Spark would not give.
 */
#include "duck/collation_tables.h"
#include "duck/fn_text.h"

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
            utf8_put(out, c == FINAL_SIGMA ? SIGMA : unicode_lower(c));
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
    {.name = "silt_collated", .args = "string", .result = "string", .flags = FN_FAILS, .eval = collated},
    {0},
};
