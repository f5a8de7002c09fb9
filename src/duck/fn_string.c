/* duck/fn_string.c - text functions where DuckDB's own count, map or pad otherwise than Spark's */
#include "duck/fn_text.h"
#include "duck/regex_class.h"

#include <ctype.h>

/* ---- case ---- */

static int upper(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        str_buf_clear(call->scratch);
        unicode_put_upper(call->scratch, text_at(&args[0], row));
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

static int lower(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        str_buf_clear(call->scratch);
        unicode_put_lower(call->scratch, text_at(&args[0], row));
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

/* Words are what blanks separate. */
static int initcap(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(str_buf_fini) StrBuf head = {0}, word = {0};
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        str_buf_clear(call->scratch);
        for (size_t i = 0; i < text.size;) {
            size_t end = i;
            while (end < text.size && text.ptr[end] != ' ')
                end++;
            if (end > i) { /* what follows the first letter is lower as it is behind it: a sigma may be the last of its word */
                int size;
                str_buf_clear(&head);
                str_buf_clear(&word);
                unicode_put_title(call->scratch, utf8_get(text.ptr + i, &size));
                unicode_put_lower(&head, (Str){text.ptr + i, (size_t)size});
                unicode_put_lower(&word, (Str){text.ptr + i, end - i});
                str_buf_add(call->scratch, str_buf_text(&word) + head.size, word.size - head.size);
            }
            if (end < text.size)
                str_buf_putc(call->scratch, ' ');
            i = end + 1;
        }
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

/* ---- parts ---- */

static int substring(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call;
    FN_ROWS(row, out, rows)
    text_put(out, row, text_substring(text_at(&args[0], row), int_at(&args[1], row), int_at(&args[2], row)));
    return 0;
}

static int left(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call;
    FN_ROWS(row, out, rows)
    text_put(out, row, text_slice(text_at(&args[0], row), 0, int_at(&args[1], row)));
    return 0;
}

static int right(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call;
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        int64_t count = int_at(&args[1], row);
        text_put(out, row, count <= 0 ? STR("") : text_substring(text, -count, count));
    }
    return 0;
}

static int overlay(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row), by = text_at(&args[1], row);
        int64_t pos = int_at(&args[2], row), length = int_at(&args[3], row);
        if (length < 0)
            length = text_chars(by);
        str_buf_clear(call->scratch);
        str_buf_str(call->scratch, text_substring(text, 1, pos - 1));
        str_buf_str(call->scratch, by);
        str_buf_str(call->scratch, text_substring(text, pos + length, INT32_MAX));
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

static int substring_index(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call;
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row), mark = text_at(&args[1], row);
        int64_t count = int_at(&args[2], row), at = -1;
        if (mark.size == 0 || count == 0) {
            text_put(out, row, STR(""));
            continue;
        }
        if (count > 0) {
            while (count > 0 && (at = text_find(text, mark, (size_t)(at + 1))) >= 0)
                count--;
            text_put(out, row, at < 0 ? text : (Str){text.ptr, (size_t)at});
            continue;
        }
        at = (int64_t)text.size - (int64_t)mark.size + 1;
        while (count < 0 && at >= 0)
            for (at--; at >= 0; at--)
                if (memcmp(text.ptr + at, mark.ptr, mark.size) == 0) {
                    count++;
                    break;
                }
        text_put(out, row, at < 0 ? text : (Str){text.ptr + at + mark.size, text.size - (size_t)at - mark.size});
    }
    return 0;
}

static int split_part(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row), mark = text_at(&args[1], row);
        int64_t part = int_at(&args[2], row);
        if (part == 0)
            return fn_fail(call, row, "INVALID_INDEX_OF_ZERO", "part 0 does not exist: parts are counted from 1, or from the end with -1");
        int64_t count = 1, at = 0;
        if (mark.size)
            for (; (at = text_find(text, mark, (size_t)at)) >= 0; at += (int64_t)mark.size)
                count++;
        int64_t index = part > 0 ? part - 1 : count + part;
        size_t start = 0;
        if (index < 0 || index >= count) {
            text_put(out, row, STR(""));
            continue;
        }
        for (; index > 0; index--)
            start = (size_t)text_find(text, mark, start) + mark.size;
        int64_t end = mark.size ? text_find(text, mark, start) : -1;
        text_put(out, row, (Str){text.ptr + start, (end < 0 ? text.size : (size_t)end) - start});
    }
    return 0;
}

/* ---- padding and joining ---- */

static int pad(FnCall *call, const Column *args, Column *out, int rows, bool before)
{
    enum { RESULT_BYTES_MAX = INT32_MAX / 2 };
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row), by = text_at(&args[2], row);
        int64_t length = int_at(&args[1], row), missing = length - text_chars(text);
        if (missing <= 0 || by.size == 0) {
            text_put(out, row, text_slice(text, 0, length));
            continue;
        }
        if (missing > RESULT_BYTES_MAX / 4)
            return fn_fail(call, row, "COLLECTION_SIZE_LIMIT_EXCEEDED.FUNCTION", "a text of %lld characters is too long",
                           (long long)length);
        str_buf_clear(call->scratch);
        if (!before)
            str_buf_str(call->scratch, text);
        int64_t by_chars = text_chars(by);
        for (; missing >= by_chars; missing -= by_chars)
            str_buf_str(call->scratch, by);
        str_buf_str(call->scratch, text_slice(by, 0, missing));
        if (before)
            str_buf_str(call->scratch, text);
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

/* The parts that are not NULL. */
static int concat_ws(FnCall *call, const Column *args, Column *out, int rows)
{
    const ChunkList *lists = args[1].data;
    const Column *parts = &args[1].children[0];
    FN_ROWS(row, out, rows)
    {
        bool first = true;
        str_buf_clear(call->scratch);
        for (uint64_t i = lists[row].offset; i < lists[row].offset + lists[row].length; i++) {
            if (column_is_null(parts, i))
                continue;
            if (!first)
                str_buf_str(call->scratch, text_at(&args[0], row));
            first = false;
            str_buf_str(call->scratch, text_at(parts, (int)i));
        }
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

/* array_join(array, separator, what stands for NULL) */
static int array_join(FnCall *call, const Column *args, Column *out, int rows)
{
    const ChunkList *lists = args[0].data;
    const Column *parts = &args[0].children[0];
    FN_ROWS(row, out, rows)
    {
        bool first = true;
        str_buf_clear(call->scratch);
        for (uint64_t i = lists[row].offset; i < lists[row].offset + lists[row].length; i++) {
            if (!first)
                str_buf_str(call->scratch, text_at(&args[1], row));
            first = false;
            str_buf_str(call->scratch, text_at(column_is_null(parts, i) ? &args[2] : parts, column_is_null(parts, i) ? row : (int)i));
        }
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

/* ---- places ---- */

static int locate(FnCall *call, const Column *args, Column *out, int rows)
{
    int32_t *result = out->data;
    (void)call;
    FN_ROWS(row, out, rows)
    {
        Str what = text_at(&args[0], row), text = text_at(&args[1], row);
        int64_t start = int_at(&args[2], row);
        if (start == 0 || what.size == 0) {
            result[row] = start != 0;
            continue;
        }
        int64_t at = text_find(text, what, text_byte_of(text, start - 1));
        result[row] = at < 0 ? 0 : (int32_t)text_chars((Str){text.ptr, (size_t)at}) + 1;
    }
    return 0;
}

static int find_in_set(FnCall *call, const Column *args, Column *out, int rows)
{
    int32_t *result = out->data;
    (void)call;
    FN_ROWS(row, out, rows)
    {
        Str what = text_at(&args[0], row), set = text_at(&args[1], row);
        result[row] = 0;
        if (memchr(what.ptr, ',', what.size))
            continue;
        int32_t index = 1;
        for (size_t start = 0; start <= set.size; index++) {
            const char *comma = memchr(set.ptr + start, ',', set.size - start);
            size_t end = comma ? (size_t)(comma - set.ptr) : set.size;
            if (str_equal(what, (Str){set.ptr + start, end - start})) {
                result[row] = index;
                break;
            }
            start = end + 1;
        }
    }
    return 0;
}

static int ascii(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call;
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        int size;
        ((int32_t *)out->data)[row] = text.size ? (int32_t)utf8_get(text.ptr, &size) : 0;
    }
    return 0;
}

static int chr(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        int64_t code = long_at(&args[0], row);
        str_buf_clear(call->scratch);
        if (code >= 0)
            utf8_put(call->scratch, (uint32_t)(code & 0xFF));
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

static int reverse(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        str_buf_clear(call->scratch);
        for (size_t end = text.size, start = end; end > 0; end = start) {
            do
                start--;
            while (start > 0 && ((unsigned char)text.ptr[start] & 0xC0) == 0x80);
            str_buf_add(call->scratch, text.ptr + start, end - start);
        }
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

/* ---- likeness ---- */

/* The code points of text; points has room for as many as it has bytes. */
static int decode(Str text, uint32_t *points)
{
    int count = 0, size;
    for (size_t i = 0; i < text.size; i += (size_t)size)
        points[count++] = utf8_get(text.ptr + i, &size);
    return count;
}

static int levenshtein(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Str a = text_at(&args[0], row), b = text_at(&args[1], row);
        str_buf_clear(call->scratch);
        str_buf_reserve(call->scratch, (a.size + 2 * b.size + 1) * sizeof(uint32_t));
        uint32_t *x = (uint32_t *)(void *)call->scratch->ptr, *y = x + a.size, *line = y + b.size;
        int x_count = decode(a, x), y_count = decode(b, y);
        for (int k = 0; k <= y_count; k++)
            line[k] = (uint32_t)k;
        for (int i = 1; i <= x_count; i++) {
            uint32_t diagonal = line[0];
            line[0] = (uint32_t)i;
            for (int k = 1; k <= y_count; k++) {
                uint32_t best = diagonal + (x[i - 1] != y[k - 1]);
                diagonal = line[k];
                if (line[k] + 1 < best)
                    best = line[k] + 1;
                if (line[k - 1] + 1 < best)
                    best = line[k - 1] + 1;
                line[k] = best;
            }
        }
        int32_t distance = (int32_t)line[y_count];
        if (call->arg_count > 2 && distance > int_at(&args[2], row))
            distance = -1;
        ((int32_t *)out->data)[row] = distance;
    }
    return 0;
}

/* 0: a vowel, which parts equal codes; 7: H and W, which do not. */
static int soundex(FnCall *call, const Column *args, Column *out, int rows)
{
    static const char codes[] = "01230127022455012623017202";
    (void)call;
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        if (text.size == 0 || !isalpha((unsigned char)text.ptr[0]) || (unsigned char)text.ptr[0] >= 0x80) {
            text_put(out, row, text);
            continue;
        }
        char sound[4] = {(char)toupper((unsigned char)text.ptr[0]), '0', '0', '0'};
        char last = codes[sound[0] - 'A'];
        int count = 1;
        for (size_t i = 1; i < text.size && count < 4; i++) {
            int letter = (unsigned char)text.ptr[i] < 0x80 ? toupper((unsigned char)text.ptr[i]) : 0;
            if (letter < 'A' || letter > 'Z') {
                last = '0';
                continue;
            }
            char code = codes[letter - 'A'];
            if (code == '7')
                continue;
            if (code != '0' && code != last)
                sound[count++] = code;
            last = code;
        }
        text_put(out, row, (Str){sound, sizeof sound});
    }
    return 0;
}

/* ---- checks and masks ---- */

static int luhn_check(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call;
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        int sum = 0;
        bool valid = text.size > 0, twice = false;
        for (size_t i = text.size; i-- > 0 && valid; twice = !twice) {
            int digit = text.ptr[i] - '0';
            valid = digit >= 0 && digit <= 9;
            digit *= twice ? 2 : 1;
            sum += digit > 9 ? digit - 9 : digit;
        }
        ((uint8_t *)out->data)[row] = valid && sum % 10 == 0;
    }
    return 0;
}

/* mask(text, upper, lower, digit, other): NULL keeps what is there */
static int mask(FnCall *call, const Column *args, Column *out, int rows)
{
    for (int row = 0; row < rows; row++) {
        if (column_is_null(&args[0], (uint64_t)row)) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        Str text = text_at(&args[0], row);
        str_buf_clear(call->scratch);
        for (size_t i = 0; i < text.size;) {
            int size;
            uint32_t c = utf8_get(text.ptr + i, &size);
            int by = unicode_has_category(c, "Lu") ? 1 : unicode_has_category(c, "Ll") ? 2 : unicode_has_category(c, "Nd") ? 3 : 4;
            if (c > 0xFFFF) /* two characters to Java, neither a letter nor a digit */
                by = 4;
            if (column_is_null(&args[by], (uint64_t)row))
                str_buf_add(call->scratch, text.ptr + i, (size_t)size);
            else
                for (int unit = 0; unit < 1 + (c > 0xFFFF); unit++)
                    str_buf_str(call->scratch, text_at(&args[by], row));
            i += (size_t)size;
        }
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

static int quote(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        str_buf_clear(call->scratch);
        str_buf_putc(call->scratch, '\'');
        for (size_t i = 0; i < text.size; i++) {
            if (text.ptr[i] == '\'')
                str_buf_putc(call->scratch, '\\');
            str_buf_putc(call->scratch, text.ptr[i]);
        }
        str_buf_putc(call->scratch, '\'');
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

/* A hyphen between letters: it is part of their word. */
static bool joins(Str text, size_t start, size_t at)
{
    return text.ptr[at] == '-' && at > start && at + 1 < text.size && isalpha((unsigned char)text.ptr[at - 1]) && isalpha((unsigned char)text.ptr[at + 1]);
}

/* sentences(text): words of each sentence; sentences end at . ! ? and words at whatever is no letter or digit, but for a hyphen between letters */
static int sentences(FnCall *call, const Column *args, Column *out, int rows)
{
    uint64_t sentence_count = 0, word_count = 0;
    Column *inner = &out->children[0];
    (void)call;
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        uint64_t first_sentence = sentence_count, first_word = word_count;
        for (size_t i = 0; i <= text.size;) {
            unsigned char c = i < text.size ? (unsigned char)text.ptr[i] : 0;
            if (i == text.size || c == '.' || c == '!' || c == '?') {
                if (word_count > first_word) {
                    column_list_reserve(out, sentence_count + 1);
                    inner = &out->children[0];
                    ((ChunkList *)inner->data)[sentence_count++] = (ChunkList){first_word, word_count - first_word};
                    first_word = word_count;
                }
                i++;
                continue;
            }
            size_t end = i;
            while (end < text.size &&
                   (joins(text, i, end) || isalnum((unsigned char)text.ptr[end]) || (unsigned char)text.ptr[end] >= 0x80 ||
                    (text.ptr[end] == '\'' && end > i && end + 1 < text.size && isalpha((unsigned char)text.ptr[end + 1]))))
                end++;
            if (end > i) {
                column_list_reserve(inner, word_count + 1);
                text_put(&inner->children[0], (int)word_count++, (Str){text.ptr + i, end - i});
            }
            i = end > i ? end : i + 1;
        }
        ((ChunkList *)out->data)[row] = (ChunkList){first_sentence, sentence_count - first_sentence};
    }
    return 0;
}

const DuckFunction fn_string[] = {
    {.name = "silt_upper", .args = "string", .result = "string", .eval = upper},
    {.name = "silt_lower", .args = "string", .result = "string", .eval = lower},
    {.name = "silt_initcap", .args = "string", .result = "string", .eval = initcap},
    {.name = "silt_substring", .args = "string, int, int", .result = "string", .eval = substring},
    {.name = "silt_left", .args = "string, int", .result = "string", .eval = left},
    {.name = "silt_right", .args = "string, int", .result = "string", .eval = right},
    {.name = "silt_overlay", .args = "string, string, int, int", .result = "string", .eval = overlay},
    {.name = "silt_substring_index", .args = "string, string, int", .result = "string", .eval = substring_index},
    {.name = "silt_split_part", .args = "string, string, int", .result = "string", .flags = FN_FAILS, .eval = split_part},
    {.name = "silt_lpad", .args = "string, int, string", .result = "string", .eval = lpad},
    {.name = "silt_rpad", .args = "string, int, string", .result = "string", .eval = rpad},
    {.name = "silt_concat_ws", .args = "string, array<string>", .result = "string", .eval = concat_ws},
    {.name = "silt_array_join", .args = "array<string>, string, string", .result = "string", .eval = array_join},
    {.name = "silt_locate", .args = "string, string, int", .result = "int", .eval = locate},
    {.name = "silt_find_in_set", .args = "string, string", .result = "int", .eval = find_in_set},
    {.name = "silt_ascii", .args = "string", .result = "int", .eval = ascii},
    {.name = "silt_chr", .args = "bigint", .result = "string", .eval = chr},
    {.name = "silt_reverse", .args = "string", .result = "string", .eval = reverse},
    {.name = "silt_levenshtein", .args = "string, string", .result = "int", .eval = levenshtein},
    {.name = "silt_levenshtein_within", .args = "string, string, int", .result = "int", .eval = levenshtein},
    {.name = "silt_soundex", .args = "string", .result = "string", .eval = soundex},
    {.name = "silt_luhn_check", .args = "string", .result = "boolean", .eval = luhn_check},
    {.name = "silt_mask", .args = "string, string, string, string, string", .result = "string", .flags = FN_NULLS, .eval = mask},
    {.name = "silt_quote", .args = "string", .result = "string", .eval = quote},
    {.name = "silt_sentences", .args = "string", .result = "array<array<string>>", .eval = sentences},
    {0},
};
