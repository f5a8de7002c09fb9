/* base/uri.c - the spellings of a file's name */
#include "base/uri.h"

#include <string.h>

static const char hex_digits[] = "0123456789ABCDEF";

static int hex_value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte written as the two digits at `at`, or -1. */
static int hex_pair(const char *at, const char *end)
{
    int high = end - at >= 2 ? hex_value(at[0]) : -1, low = high >= 0 ? hex_value(at[1]) : -1;
    return low < 0 ? -1 : high * 16 + low;
}

static void put_percent(StrBuf *out, unsigned char byte)
{
    char text[3] = {'%', hex_digits[byte >> 4], hex_digits[byte & 15]};
    str_buf_add(out, text, sizeof text);
}

/* Java's Character.isSpaceChar and isISOControl beyond ASCII; the sequence is 2 or 3 bytes long. */
static bool is_foreign_blank(const char *ptr, int length)
{
    const unsigned char *p = (const unsigned char *)ptr;
    unsigned c = length == 2 ? (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu) : (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
    return c <= 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
           c == 0x3000;
}

void uri_encode(StrBuf *out, Str path)
{
    static const char kept[] = "-_.!~*'()/:@&=+$,;"; /* besides letters and digits */
    const char *end = path.ptr + path.size;
    str_buf_reserve(out, path.size);
    for (const char *p = path.ptr; p < end;) {
        unsigned char c = (unsigned char)*p;
        if (c < 0x80) {
            bool keep = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c && strchr(kept, c));
            if (keep)
                str_buf_putc(out, (char)c);
            else
                put_percent(out, c);
            p++;
            continue;
        }
        int length = utf8_length(p, end);
        bool keep = length == 4 || (length > 0 && !is_foreign_blank(p, length));
        for (int i = 0; i < (length ? length : 1); i++, p++) {
            if (keep)
                str_buf_putc(out, *p);
            else
                put_percent(out, (unsigned char)*p);
        }
    }
}

int uri_decode(Arena *arena, Str text, Str *out, SiltErr *err)
{
    char *decoded = arena_alloc(arena, text.size + 1);
    size_t size = 0;
    for (size_t i = 0; i < text.size; i++) {
        int byte = (unsigned char)text.ptr[i];
        if (byte == '%') {
            byte = hex_pair(text.ptr + i + 1, text.ptr + text.size);
            if (byte <= 0)
                return silt_fail(err, SILT_INPUT, "broken percent-encoding at byte %zu of \"%.*s\"", i, (int)text.size, text.ptr);
            i += 2;
        }
        decoded[size++] = (char)byte;
    }
    *out = (Str){decoded, size};
    return 0;
}

Str uri_scheme(Str text)
{
    for (size_t i = 0; i < text.size; i++) {
        char c = text.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (c == ':')
            return (Str){text.ptr, i};
        if (!letter && !(i && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.')))
            break;
    }
    return STR("");
}

const char *uri_from_path(Arena *arena, const char *path)
{
    silt_assert(path[0] == '/');
    StrBuf out = {0};
    str_buf_puts(&out, "file://");
    uri_encode(&out, str_of(path_clean(arena, path)));
    const char *uri = arena_strndup(arena, out.ptr, out.size);
    str_buf_fini(&out);
    return uri;
}

int uri_to_path(Arena *arena, const char *text, const char **out, SiltErr *err)
{
    if (text[0] == '/') {
        *out = text;
        return 0;
    }
    Str scheme = uri_scheme(str_of(text));
    if (scheme.size == 0)
        return silt_fail(err, SILT_CONFIG, "\"%s\" is not an absolute path", text);
    if (!str_is_nocase(scheme, "file"))
        return silt_fail(err, SILT_CONFIG, "cannot reach \"%s\": no store serves \"%.*s:\"", text, (int)scheme.size, scheme.ptr);
    Str path = str_of(text + scheme.size + 1);
    if (str_starts(path, "//")) {
        path.ptr += 2;
        path.size -= 2;
        const char *slash = memchr(path.ptr, '/', path.size);
        Str host = {path.ptr, slash ? (size_t)(slash - path.ptr) : path.size};
        if (host.size && !str_is_nocase(host, "localhost")) {
            silt_fail(err, SILT_CONFIG, "cannot reach \"%s\": files of the host \"%.*s\"", text, (int)host.size, host.ptr);
            return silt_hint(err, "An absolute path has three slashes: file:///%s.", path.ptr);
        }
        path.ptr += host.size;
        path.size -= host.size;
    }
    if (!str_starts(path, "/"))
        return silt_fail(err, SILT_CONFIG, "\"%s\" is not an absolute path", text);
    Str decoded;
    int r = uri_decode(arena, path, &decoded, err);
    if (r < 0) {
        if (err)
            err->kind = SILT_CONFIG;
        return r;
    }
    *out = decoded.ptr;
    return 0;
}

const char *path_clean(Arena *arena, const char *path)
{
    bool absolute = path[0] == '/';
    char *out = arena_alloc(arena, strlen(path) + 2);
    size_t size = 0, floor = 0; /* ".." goes no lower than floor */
    for (const char *part = path; *part;) {
        size_t length = strcspn(part, "/");
        bool up = length == 2 && part[0] == '.' && part[1] == '.';
        if (up && size > floor) {
            while (size > floor && out[--size] != '/')
                continue;
        } else if (length && !(length == 1 && part[0] == '.') && !(up && absolute)) {
            if (size || absolute)
                out[size++] = '/';
            memcpy(out + size, part, length);
            size += length;
            if (up)
                floor = size;
        }
        part += length;
        part += *part == '/';
    }
    if (size == 0)
        out[size++] = absolute ? '/' : '.';
    out[size] = '\0';
    return out;
}

const char *path_join(Arena *arena, const char *directory, const char *name)
{
    if (name[0] == '/' || directory[0] == '\0')
        return arena_strdup(arena, name);
    bool slash = directory[strlen(directory) - 1] == '/';
    return arena_printf(arena, "%s%s%s", directory, slash ? "" : "/", name);
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_parent(Arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return "";
    return slash == path ? "/" : arena_strndup(arena, path, (size_t)(slash - path));
}

void partition_escape(StrBuf *out, Str text)
{
    static const char escaped[] = "\"#%'*/:=?[\\]^{\x7F";
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c < 0x20 || strchr(escaped, c))
            put_percent(out, c);
        else
            str_buf_putc(out, (char)c);
    }
}

void partition_folder(StrBuf *out, Str column, const Str *value)
{
    partition_escape(out, column);
    str_buf_putc(out, '=');
    if (value && value->size)
        partition_escape(out, *value);
    else
        str_buf_puts(out, PARTITION_NULL);
}

Str partition_unescape(Arena *arena, Str text)
{
    StrBuf out = {0};
    for (size_t i = 0; i < text.size; i++) {
        int byte = text.ptr[i] == '%' ? hex_pair(text.ptr + i + 1, text.ptr + text.size) : -1;
        if (byte < 0) {
            str_buf_putc(&out, text.ptr[i]);
            continue;
        }
        utf8_put(&out, (uint32_t)byte);
        i += 2;
    }
    Str copy = arena_str(arena, str_buf_view(&out));
    str_buf_fini(&out);
    return copy;
}
