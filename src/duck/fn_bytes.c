/* duck/fn_bytes.c - bytes as text: base64, hex, URLs, character sets */
#include "duck/fn_text.h"

/* ---- base64 ---- */

static int to_base64(FnCall *call, const Column *args, Column *out, int rows)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    FN_ROWS(row, out, rows)
    {
        Str bytes = text_at(&args[0], row);
        str_buf_clear(call->scratch);
        for (size_t i = 0; i < bytes.size; i += 3) {
            size_t left = bytes.size - i;
            uint32_t bits = (uint32_t)(unsigned char)bytes.ptr[i] << 16;
            bits |= left > 1 ? (uint32_t)(unsigned char)bytes.ptr[i + 1] << 8 : 0;
            bits |= left > 2 ? (uint32_t)(unsigned char)bytes.ptr[i + 2] : 0;
            str_buf_putc(call->scratch, digits[bits >> 18]);
            str_buf_putc(call->scratch, digits[bits >> 12 & 63]);
            str_buf_putc(call->scratch, left > 1 ? digits[bits >> 6 & 63] : '=');
            str_buf_putc(call->scratch, left > 2 ? digits[bits & 63] : '=');
        }
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

static int base64_digit(unsigned char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Digits of a text, four to three bytes; false where a single one is left over. */
typedef struct Base64 {
    StrBuf *out;
    uint32_t bits;
    int count;
} Base64;

static void put_base64_digit(Base64 *b, int digit)
{
    b->bits = b->bits << 6 | (uint32_t)digit;
    if (++b->count % 4 == 0) {
        str_buf_putc(b->out, (char)(b->bits >> 16));
        str_buf_putc(b->out, (char)(b->bits >> 8));
        str_buf_putc(b->out, (char)b->bits);
    }
}

static bool end_base64(const Base64 *b)
{
    if (b->count % 4 == 2) {
        str_buf_putc(b->out, (char)(b->bits >> 4));
    } else if (b->count % 4 == 3) {
        str_buf_putc(b->out, (char)(b->bits >> 10));
        str_buf_putc(b->out, (char)(b->bits >> 2));
    }
    return b->count % 4 != 1;
}

/* As MIME reads it: other characters are skipped; behind a padding no digit may follow. */
static bool from_base64(StrBuf *out, Str text)
{
    Base64 b = {.out = out};
    bool padded = false;

    for (size_t i = 0; i < text.size; i++) {
        int digit = base64_digit((unsigned char)text.ptr[i]);

        padded = padded || text.ptr[i] == '=';
        if (digit >= 0 && padded)
            return false;
        if (digit >= 0)
            put_base64_digit(&b, digit);
    }
    return end_base64(&b);
}

/* As to_binary reads it: blanks are skipped, nothing else may stand there, and a padding is whole. */
static bool from_strict_base64(StrBuf *out, Str text)
{
    Base64 b = {.out = out};
    int padding = 0;

    for (size_t i = 0; i < text.size; i++) {
        char c = text.ptr[i];
        int digit = base64_digit((unsigned char)c);

        if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            continue;
        if (c == '=')
            padding++;
        else if (digit < 0 || padding)
            return false;
        else
            put_base64_digit(&b, digit);
    }
    return (!padding || (padding <= 2 && (b.count + padding) % 4 == 0)) && end_base64(&b);
}

static int unbase64_or(FnCall *call, const Column *args, Column *out, int rows, bool (*read)(StrBuf *out, Str text), bool null)
{
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        str_buf_clear(call->scratch);
        if (read(call->scratch, text))
            text_put_buf(out, row, call->scratch);
        else if (null)
            column_set_null(out, (uint64_t)row);
        else
            return fn_fail(call, row, "CONVERSION_INVALID_INPUT", "\"%.*s\" is no base64", FN_SHOW(text));
    }
    return 0;
}

static int unbase64(FnCall *call, const Column *args, Column *out, int rows)
{
    return unbase64_or(call, args, out, rows, from_base64, false);
}

static int to_binary_base64(FnCall *call, const Column *args, Column *out, int rows)
{
    return unbase64_or(call, args, out, rows, from_strict_base64, false);
}

static int try_to_binary_base64(FnCall *call, const Column *args, Column *out, int rows)
{
    return unbase64_or(call, args, out, rows, from_strict_base64, true);
}

/* ---- hex ---- */

static void put_hex(StrBuf *out, Str bytes)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < bytes.size; i++) {
        str_buf_putc(out, digits[(unsigned char)bytes.ptr[i] >> 4]);
        str_buf_putc(out, digits[(unsigned char)bytes.ptr[i] & 15]);
    }
}

static int hex_bytes(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        str_buf_clear(call->scratch);
        put_hex(call->scratch, text_at(&args[0], row));
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

static int hex_long(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        str_buf_clear(call->scratch);
        str_buf_printf(call->scratch, "%llX", (unsigned long long)long_at(&args[0], row));
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* An odd first digit stands alone; anything that is no digit gives NULL, or fails. */
static int unhex_or(FnCall *call, const Column *args, Column *out, int rows, bool null)
{
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        bool valid = true;
        str_buf_clear(call->scratch);
        for (size_t i = 0; i < text.size && valid;) {
            int high = 0, low;
            if ((text.size - i) % 2 == 0)
                high = hex_digit(text.ptr[i++]);
            low = hex_digit(text.ptr[i++]);
            valid = high >= 0 && low >= 0;
            if (valid)
                str_buf_putc(call->scratch, (char)(high << 4 | low));
        }
        if (valid)
            text_put_buf(out, row, call->scratch);
        else if (null)
            column_set_null(out, (uint64_t)row);
        else
            return fn_fail(call, row, "CONVERSION_INVALID_INPUT", "\"%.*s\" is not made of hex digits", FN_SHOW(text));
    }
    return 0;
}

static int unhex(FnCall *call, const Column *args, Column *out, int rows)
{
    return unhex_or(call, args, out, rows, true);
}

static int to_binary_hex(FnCall *call, const Column *args, Column *out, int rows)
{
    return unhex_or(call, args, out, rows, false);
}

/* ---- URLs ---- */

static int url_encode(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        str_buf_clear(call->scratch);
        for (size_t i = 0; i < text.size; i++) {
            char c = text.ptr[i];
            if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr(".-*_", c))) {
                str_buf_putc(call->scratch, c);
            } else if (c == ' ') {
                str_buf_putc(call->scratch, '+');
            } else {
                str_buf_putc(call->scratch, '%');
                put_hex(call->scratch, (Str){&c, 1});
            }
        }
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

/* Append valid UTF-8, U+FFFD for each byte that is none. */
static void put_utf8(StrBuf *out, Str bytes)
{
    for (const char *p = bytes.ptr, *end = p + bytes.size; p < end;) {
        int size = utf8_length(p, end);
        if (size)
            str_buf_add(out, p, (size_t)size);
        else
            utf8_put(out, 0xFFFD);
        p += size ? size : 1;
    }
}

static bool decode_url(StrBuf *out, Str text)
{
    for (size_t i = 0; i < text.size; i++) {
        if (text.ptr[i] != '%') {
            str_buf_putc(out, text.ptr[i] == '+' ? ' ' : text.ptr[i]);
            continue;
        }
        int high = i + 2 < text.size ? hex_digit(text.ptr[i + 1]) : -1, low = high >= 0 ? hex_digit(text.ptr[i + 2]) : -1;
        if (low < 0)
            return false;
        str_buf_putc(out, (char)(high << 4 | low));
        i += 2;
    }
    return true;
}

static int url_decode_or(FnCall *call, const Column *args, Column *out, int rows, bool null)
{
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row);
        silt_auto(str_buf_fini) StrBuf bytes = {0};
        str_buf_clear(call->scratch);
        if (decode_url(&bytes, text)) {
            put_utf8(call->scratch, str_buf_view(&bytes));
            text_put_buf(out, row, call->scratch);
        } else if (null) {
            column_set_null(out, (uint64_t)row);
        } else {
            return fn_fail(call, row, "CANNOT_DECODE_URL", "\"%.*s\" cannot be decoded: a %% needs two hex digits behind it",
                           FN_SHOW(text));
        }
    }
    return 0;
}

static int url_decode(FnCall *call, const Column *args, Column *out, int rows)
{
    return url_decode_or(call, args, out, rows, false);
}

static int try_url_decode(FnCall *call, const Column *args, Column *out, int rows)
{
    return url_decode_or(call, args, out, rows, true);
}

/* scheme://user@host:port/path?query#fragment, taken apart */
typedef struct Url {
    Str protocol, authority, userinfo, host, path, query, ref;
    bool has_protocol, has_authority, has_userinfo, has_host, has_query, has_ref;
} Url;

static void split_url(Str text, Url *url)
{
    *url = (Url){0};
    const char *p = text.ptr, *end = p + text.size, *hash = memchr(p, '#', text.size);
    if (hash) {
        url->ref = (Str){hash + 1, (size_t)(end - hash - 1)};
        url->has_ref = true;
        end = hash;
    }
    const char *mark = memchr(p, '?', (size_t)(end - p));
    if (mark) {
        url->query = (Str){mark + 1, (size_t)(end - mark - 1)};
        url->has_query = true;
        end = mark;
    }
    const char *colon = memchr(p, ':', (size_t)(end - p)), *slash = memchr(p, '/', (size_t)(end - p));
    if (colon && (!slash || colon < slash)) {
        url->protocol = (Str){p, (size_t)(colon - p)};
        url->has_protocol = true;
        p = colon + 1;
    }
    if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
        p += 2;
        slash = memchr(p, '/', (size_t)(end - p));
        const char *stop = slash ? slash : end, *at = memrchr(p, '@', (size_t)(stop - p));
        url->authority = (Str){p, (size_t)(stop - p)};
        url->has_authority = stop > p;
        if (at) {
            url->userinfo = (Str){p, (size_t)(at - p)};
            url->has_userinfo = true;
            p = at + 1;
        }
        const char *port = memrchr(p, ':', (size_t)(stop - p)), *bracket = memrchr(p, ']', (size_t)(stop - p));
        if (port && bracket && port < bracket)
            port = NULL;
        url->host = (Str){p, (size_t)((port ? port : stop) - p)};
        url->has_host = url->host.size > 0;
        p = stop;
    }
    url->path = (Str){p, (size_t)(end - p)};
}

/* What java.net.URI refuses: blanks, controls and a few signs, and a % without two digits. */
static bool is_url(Str text)
{
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c <= ' ' || c == 0x7F || strchr("\"<>\\^`{|}", c))
            return false;
        if (c == '%' && (i + 2 >= text.size || hex_digit(text.ptr[i + 1]) < 0 || hex_digit(text.ptr[i + 2]) < 0))
            return false;
    }
    return true;
}

static bool query_value(Str query, Str key, Str *value)
{
    for (size_t start = 0; start <= query.size;) {
        const char *amp = memchr(query.ptr + start, '&', query.size - start);
        size_t end = amp ? (size_t)(amp - query.ptr) : query.size;
        if (end - start > key.size && memcmp(query.ptr + start, key.ptr, key.size) == 0 && query.ptr[start + key.size] == '=') {
            *value = (Str){query.ptr + start + key.size + 1, end - start - key.size - 1};
            return true;
        }
        start = end + 1;
    }
    return false;
}

/* parse_url(url, part [, key]) */
static int parse_url_or(FnCall *call, const Column *args, Column *out, int rows, bool null)
{
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row), part = text_at(&args[1], row), value = {0};
        bool has = true;
        Url url;
        if (!is_url(text)) {
            if (!null)
                return fn_fail(call, row, "INVALID_URL", "\"%.*s\" is no URL", FN_SHOW(text));
            column_set_null(out, (uint64_t)row);
            continue;
        }
        split_url(text, &url);
        if (call->arg_count > 2) {
            has = str_is(part, "QUERY") && url.has_query && query_value(url.query, text_at(&args[2], row), &value);
        } else if (str_is(part, "HOST")) {
            has = url.has_host;
            value = url.host;
        } else if (str_is(part, "PATH")) {
            value = url.path;
        } else if (str_is(part, "QUERY")) {
            has = url.has_query;
            value = url.query;
        } else if (str_is(part, "REF")) {
            has = url.has_ref;
            value = url.ref;
        } else if (str_is(part, "PROTOCOL")) {
            has = url.has_protocol;
            value = url.protocol;
        } else if (str_is(part, "AUTHORITY")) {
            has = url.has_authority;
            value = url.authority;
        } else if (str_is(part, "USERINFO")) {
            has = url.has_userinfo;
            value = url.userinfo;
        } else if (str_is(part, "FILE")) {
            value = (Str){url.path.ptr, url.path.size + (url.has_query ? url.query.size + 1 : 0)};
        } else {
            has = false;
        }
        if (has)
            text_put(out, row, value);
        else
            column_set_null(out, (uint64_t)row);
    }
    return 0;
}

static int parse_url(FnCall *call, const Column *args, Column *out, int rows)
{
    return parse_url_or(call, args, out, rows, false);
}

static int try_parse_url(FnCall *call, const Column *args, Column *out, int rows)
{
    return parse_url_or(call, args, out, rows, true);
}

/* ---- character sets ---- */

typedef enum Charset { ASCII, LATIN1, UTF8, UTF16, UTF16BE, UTF16LE, UTF32 } Charset;

static bool charset_of(Str name, Charset *charset)
{
    static const struct {
        const char *name;
        Charset charset;
    } names[] = {{"US-ASCII", ASCII},   {"ISO-8859-1", LATIN1}, {"UTF-8", UTF8},  {"UTF-16", UTF16},
                 {"UTF-16BE", UTF16BE}, {"UTF-16LE", UTF16LE},  {"UTF-32", UTF32}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_is_nocase(name, names[i].name)) {
            *charset = names[i].charset;
            return true;
        }
    return false;
}

static int fail_charset(FnCall *call, int row, Str name)
{
    return fn_fail(call, row, "INVALID_PARAMETER_VALUE.CHARSET",
                   "no character set \"%.*s\": there are US-ASCII, ISO-8859-1, UTF-8, UTF-16, UTF-16BE, UTF-16LE and UTF-32",
                   FN_SHOW(name));
}

static int fail_malformed(FnCall *call, int row, Str name)
{
    return fn_fail(call, row, "MALFORMED_CHARACTER_CODING", "these characters are not valid in %.*s", FN_SHOW(name));
}

static void put_unit(StrBuf *out, uint32_t unit, bool little)
{
    str_buf_putc(out, (char)(little ? unit : unit >> 8));
    str_buf_putc(out, (char)(little ? unit >> 8 : unit));
}

static bool encode_point(StrBuf *out, uint32_t c, Charset charset)
{
    switch (charset) {
    case ASCII:
    case LATIN1:
        if (c > (charset == ASCII ? 0x7Fu : 0xFFu))
            return false;
        str_buf_putc(out, (char)c);
        return true;
    case UTF32:
        put_unit(out, c >> 16, false);
        put_unit(out, c & 0xFFFF, false);
        return true;
    case UTF8:
        utf8_put(out, c);
        return true;
    default:
        if (c >= 0x10000) {
            put_unit(out, 0xD800 + ((c - 0x10000) >> 10), charset == UTF16LE);
            c = 0xDC00 + ((c - 0x10000) & 0x3FF);
        }
        put_unit(out, c, charset == UTF16LE);
        return true;
    }
}

static int encode(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row), name = text_at(&args[1], row);
        Charset charset;
        if (!charset_of(name, &charset))
            return fail_charset(call, row, name);
        str_buf_clear(call->scratch);
        if (charset == UTF16 && text.size)
            put_unit(call->scratch, 0xFEFF, false);
        int size;
        for (size_t i = 0; i < text.size; i += (size_t)size)
            if (!encode_point(call->scratch, utf8_get(text.ptr + i, &size), charset))
                return fail_malformed(call, row, name);
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

static uint32_t unit_at(Str bytes, size_t i, bool little)
{
    uint32_t a = (unsigned char)bytes.ptr[i], b = (unsigned char)bytes.ptr[i + 1];
    return little ? b << 8 | a : a << 8 | b;
}

static bool decode_utf16(StrBuf *out, Str bytes, Charset charset)
{
    bool little = charset == UTF16LE;
    size_t i = 0;
    if (charset == UTF16 && bytes.size >= 2 && (unit_at(bytes, 0, false) == 0xFEFF || unit_at(bytes, 0, false) == 0xFFFE)) {
        little = unit_at(bytes, 0, false) == 0xFFFE;
        i = 2;
    }
    for (; i + 2 <= bytes.size; i += 2) {
        uint32_t c = unit_at(bytes, i, little);
        if (c >= 0xD800 && c < 0xDC00 && i + 4 <= bytes.size) {
            uint32_t low = unit_at(bytes, i + 2, little);
            if (low < 0xDC00 || low > 0xDFFF)
                return false;
            c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
            i += 2;
        } else if (c >= 0xD800 && c < 0xE000) {
            return false;
        }
        utf8_put(out, c);
    }
    return i == bytes.size;
}

static bool decode_bytes(StrBuf *out, Str bytes, Charset charset)
{
    switch (charset) {
    case UTF8:
        str_buf_str(out, bytes);
        return utf8_valid(bytes);
    case ASCII:
    case LATIN1:
        for (size_t i = 0; i < bytes.size; i++) {
            if (charset == ASCII && (unsigned char)bytes.ptr[i] > 0x7F)
                return false;
            utf8_put(out, (unsigned char)bytes.ptr[i]);
        }
        return true;
    case UTF32:
        for (size_t i = 0; i + 4 <= bytes.size; i += 4) {
            uint32_t c = unit_at(bytes, i, false) << 16 | unit_at(bytes, i + 2, false);
            if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
                return false;
            if (c != 0xFEFF || i)
                utf8_put(out, c);
        }
        return bytes.size % 4 == 0;
    default:
        return decode_utf16(out, bytes, charset);
    }
}

static int decode(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Str bytes = text_at(&args[0], row), name = text_at(&args[1], row);
        Charset charset;
        if (!charset_of(name, &charset))
            return fail_charset(call, row, name);
        str_buf_clear(call->scratch);
        if (!decode_bytes(call->scratch, bytes, charset))
            return fail_malformed(call, row, name);
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

static int is_valid_utf8(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call;
    FN_ROWS(row, out, rows)
    ((uint8_t *)out->data)[row] = utf8_valid(text_at(&args[0], row));
    return 0;
}

/* The bits that are set. */
static int bitmap_count(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Str bytes = chunk_string((const ChunkString *)args[0].data + row);
        int64_t count = 0;
        for (size_t i = 0; i < bytes.size; i++)
            count += __builtin_popcount((unsigned char)bytes.ptr[i]);
        ((int64_t *)out->data)[row] = count;
    }
    return 0;
}

const DuckFunction fn_bytes[] = {
    {.name = "silt_bitmap_count", .args = "binary", .result = "bigint", .eval = bitmap_count},
    {.name = "silt_base64", .args = "binary", .result = "string", .eval = to_base64},
    {.name = "silt_unbase64", .args = "string", .result = "binary", .flags = FN_FAILS, .eval = unbase64},
    {.name = "silt_hex_long", .args = "bigint", .result = "string", .eval = hex_long},
    {.name = "silt_hex_string", .args = "string", .result = "string", .eval = hex_bytes},
    {.name = "silt_hex_binary", .args = "binary", .result = "string", .eval = hex_bytes},
    {.name = "silt_to_binary_hex", .args = "string", .result = "binary", .flags = FN_FAILS, .eval = to_binary_hex},
    {.name = "silt_to_binary_base64", .args = "string", .result = "binary", .flags = FN_FAILS, .eval = to_binary_base64},
    {.name = "silt_try_to_binary_base64", .args = "string", .result = "binary", .eval = try_to_binary_base64},
    {.name = "silt_unhex", .args = "string", .result = "binary", .eval = unhex},
    {.name = "silt_url_encode", .args = "string", .result = "string", .eval = url_encode},
    {.name = "silt_url_decode", .args = "string", .result = "string", .flags = FN_FAILS, .eval = url_decode},
    {.name = "silt_try_url_decode", .args = "string", .result = "string", .eval = try_url_decode},
    {.name = "silt_parse_url", .args = "string, string", .result = "string", .flags = FN_FAILS, .eval = parse_url},
    {.name = "silt_parse_url_key", .args = "string, string, string", .result = "string", .flags = FN_FAILS, .eval = parse_url},
    {.name = "silt_try_parse_url", .args = "string, string", .result = "string", .eval = try_parse_url},
    {.name = "silt_try_parse_url_key", .args = "string, string, string", .result = "string", .eval = try_parse_url},
    {.name = "silt_encode", .args = "string, string", .result = "binary", .flags = FN_FAILS, .eval = encode},
    {.name = "silt_decode", .args = "binary, string", .result = "string", .flags = FN_FAILS, .eval = decode},
    {.name = "silt_is_valid_utf8", .args = "string", .result = "boolean", .eval = is_valid_utf8},
    {0},
};
