/*
 * format/csv_text.c - CSV text as records and fields
 *
 * Quotes protect separators and line ends, whatever multiLine says. Inside of quotes two quotes are one (RFC 4180), and so is the escape
 * character before a quote or before itself (Spark's default is a backslash); any other use of it is text.
 */
#include "format/csv_text.h"

#include "format/csv_format.h"
#include "format/json_scan.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

int csv_check(FormatOptions *options, Arena *arena, SiltErr *err)
{
    StrBuf sep = {0};
    for (const char *p = options->sep; *p; p++) { /* \t as people write it */
        if (*p == '\\' && p[1] == 't') {
            str_buf_putc(&sep, '\t');
            p++;
        } else if (*p == '\\' && p[1] == '\\') {
            str_buf_putc(&sep, '\\');
            p++;
        } else if (*p == '\\' && strncmp(p, "\\u0001", 6) == 0) {
            str_buf_putc(&sep, '\1');
            p += 5;
        } else {
            str_buf_putc(&sep, *p);
        }
    }
    options->sep = arena_strdup(arena, str_buf_text(&sep));
    str_buf_fini(&sep);
    if (!*options->sep || strpbrk(options->sep, "\r\n"))
        return silt_fail(err, SILT_CONFIG, "sep must be at least one character, and no line end");
    if (options->line_sep && (strchr(options->line_sep, options->sep[0]) || (*options->quote && strchr(options->line_sep, *options->quote))))
        return silt_fail(err, SILT_CONFIG, "lineSep must have nothing in common with sep and quote");
    if (*options->quote && strchr(options->sep, *options->quote))
        return silt_fail(err, SILT_CONFIG, "sep and quote must differ");
    return 0;
}

void csv_text_init(CsvText *text, const FormatOptions *options)
{
    *text = (CsvText){.sep = str_of(options->sep),
                      .sep_first = options->sep[0],
                      .quote = options->quote && *options->quote ? (unsigned char)*options->quote : -1,
                      .escape = options->escape && *options->escape ? (unsigned char)*options->escape : -1,
                      .comment = options->comment && *options->comment ? (unsigned char)*options->comment : -1,
                      .trim_left = options->ignore_leading_space,
                      .trim_right = options->ignore_trailing_space};
    text->ends_field[(unsigned char)text->sep_first] = true;
    if (options->line_sep) {
        text->line = str_of(options->line_sep);
        text->ends_field[(unsigned char)text->line.ptr[0]] = true;
    } else {
        text->ends_field['\n'] = text->ends_field['\r'] = true;
    }
}

static inline bool at_sep(const CsvText *text, const char *p, const char *end)
{
    return *p == text->sep_first && (text->sep.size == 1 || ((size_t)(end - p) >= text->sep.size && memcmp(p, text->sep.ptr, text->sep.size) == 0));
}

/* Move behind the separator or line end at p. */
static void finish(const CsvText *text, const char **p, const char *at, const char *end, CsvField *out)
{
    if (at >= end) {
        out->last = true;
        *p = end;
    } else if (at_sep(text, at, end)) {
        out->last = false;
        *p = at + text->sep.size;
    } else {
        out->last = true;
        *p = at + csv_line_end(text, at, end);
    }
}

static const char *bare_end(const CsvText *text, const char *p, const char *end)
{
    for (;; p++) {
        while (p < end && !text->ends_field[(unsigned char)*p])
            p++;
        if (p >= end || at_sep(text, p, end) || csv_line_end(text, p, end) > 0)
            return p;
    }
}

/* What an escape character inside of quotes makes one with. */
static inline bool is_escaped(const CsvText *text, char c)
{
    return (unsigned char)c == text->quote || (unsigned char)c == text->escape;
}

/* From behind the opening quote to the closing one; end if there is none. *plain: nothing has to be taken out. */
static const char *closing_quote(const CsvText *text, const char *p, const char *end, bool *plain)
{
    *plain = true;
    for (; p < end; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == text->quote) {
            if (p + 1 < end && (unsigned char)p[1] == text->quote) {
                *plain = false;
                p++;
                continue;
            }
            return p;
        }
        if (c == text->escape && p + 1 < end && is_escaped(text, p[1])) {
            *plain = false;
            p++;
        }
    }
    return end;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

void csv_field(const CsvText *text, const char **p, const char *end, CsvField *out, StrBuf *scratch)
{
    const char *start = *p;
    out->quoted = false;
    if (text->trim_left)
        while (start < end && is_space(*start) && !at_sep(text, start, end))
            start++;
    if (start < end && (unsigned char)*start == text->quote) {
        bool plain;
        const char *close = closing_quote(text, start + 1, end, &plain);
        const char *behind = close < end ? close + 1 : end;
        const char *stop = behind;
        while (stop < end && is_space(*stop) && !at_sep(text, stop, end))
            stop++;
        if (close < end && (stop >= end || at_sep(text, stop, end) || csv_line_end(text, stop, end) > 0)) {
            out->quoted = true;
            out->text = (Str){start + 1, (size_t)(close - start - 1)};
            if (!plain) {
                str_buf_clear(scratch);
                for (const char *q = start + 1; q < close; q++) {
                    unsigned char c = (unsigned char)*q;
                    if (q + 1 < close && (c == text->quote ? (unsigned char)q[1] == text->quote : c == text->escape && is_escaped(text, q[1])))
                        q++;
                    str_buf_putc(scratch, *q);
                }
                out->text = str_buf_view(scratch);
            }
            finish(text, p, stop, end, out);
            return;
        }
        /* text behind the closing quote, or none: the field is as it stands, quotes included */
        stop = bare_end(text, behind, end);
        out->text = (Str){start, (size_t)(stop - start)};
        finish(text, p, stop, end, out);
        return;
    }
    const char *stop = bare_end(text, start, end);
    const char *tail = stop;
    if (text->trim_right)
        while (tail > start && is_space(tail[-1]))
            tail--;
    out->text = (Str){start, (size_t)(tail - start)};
    finish(text, p, stop, end, out);
}

const char *csv_record_end(const CsvText *text, const char *p, const char *end, bool *open)
{
    bool field_start = true, unused;
    open = open ? open : &unused;
    *open = false;
    while (p < end) {
        if (field_start && text->trim_left)
            while (p < end && is_space(*p) && !at_sep(text, p, end))
                p++;
        if (field_start && p < end && (unsigned char)*p == text->quote) {
            bool plain;
            p = closing_quote(text, p + 1, end, &plain);
            *open = p == end;
            p += p < end;
        }
        p = bare_end(text, p, end);
        if (p >= end)
            return end;
        if (at_sep(text, p, end)) {
            p += text->sep.size;
            field_start = true;
            continue;
        }
        return p + csv_line_end(text, p, end);
    }
    return end;
}

const char *csv_skip_empty(const CsvText *text, const char *p, const char *end)
{
    for (;;) {
        const char *q = p;
        while (q < end && is_space(*q) && !at_sep(text, q, end))
            q++;
        if (q < end && csv_line_end(text, q, end) > 0) {
            p = q + csv_line_end(text, q, end);
            continue;
        }
        if (q >= end)
            return end;
        if (text->comment >= 0 && (unsigned char)*p == text->comment) {
            while (p < end && csv_line_end(text, p, end) == 0)
                p++;
            if (p < end)
                p += csv_line_end(text, p, end);
            continue;
        }
        return p;
    }
}

/* ---- head ---- */

static int find_field(const Type *schema, const char *name, bool exact)
{
    for (int i = 0; schema && i < schema->field_count; i++)
        if (strcmp(schema->fields[i].name, name) == 0)
            return i;
    for (int i = 0; schema && !exact && i < schema->field_count; i++)
        if (strcasecmp(schema->fields[i].name, name) == 0)
            return i;
    return -1;
}

/*
 * The column of field i, whose name the header has more than once, at least but for case: that of the same name to the letter, if no other field has it.
 * 0 with *at, -1 for none; INPUT: there is a column of this name, and which field is meant cannot be told.
 */
static int find_repeated(const FormatOptions *options, const Type *schema, const CsvHead *raw, int i, int *at, SiltErr *err)
{
    int loose = find_field(schema, raw->names[i], options->case_sensitive);

    *at = -1;
    if (loose < 0)
        return 0;
    const char *column = schema->fields[loose].name;
    int same = 0;
    for (int k = 0; k < raw->count; k++)
        same += !strcmp(raw->names[k], column);
    if (same == 1) {
        *at = strcmp(raw->names[i], column) ? -1 : loose;
        return 0;
    }
    silt_fail(err, SILT_INPUT, "the header has several fields for column \"%s\" of the schema", column);
    return silt_hint(err, "Columns are matched by name, with or without case: correct the header, name the field as the reader does (\"%s%d\"), or match by position with enforceSchema => true.",
                     raw->names[i], i);
}

int csv_head(const FormatOptions *options, const Type *schema, Arena *arena, Str bytes, bool at_end, const void **out, size_t *consumed, SiltErr *err)
{
    static const CsvHead positional = {.positional = true};
    if (bytes.size < 3 && !at_end)
        return FORMAT_MORE;
    size_t mark = bytes.size >= 3 && memcmp(bytes.ptr, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    const char *end = bytes.ptr + bytes.size, *begin = bytes.ptr + mark;
    for (int64_t skipped = 0; skipped < options->rows_skipped && begin < end; skipped++) { /* lines, whatever is in them */
        const char *stop = memchr(begin, '\n', (size_t)(end - begin));
        if (!stop && !at_end)
            return FORMAT_MORE;
        begin = stop ? stop + 1 : end;
    }
    if (begin == end && options->rows_skipped && !at_end)
        return FORMAT_MORE;
    *consumed = (size_t)(begin - bytes.ptr);
    if (!options->header) {
        *out = &positional;
        return 0;
    }
    CsvText text;
    csv_text_init(&text, options);
    const char *p = csv_skip_empty(&text, begin, end);
    const char *stop = csv_record_end(&text, p, end, NULL);
    if (stop == end && !at_end)
        return FORMAT_MORE;
    CsvHead *head = ARENA_NEW(arena, CsvHead);
    *out = head;
    *consumed = (size_t)(stop - bytes.ptr);
    if (p == end)
        return 0;
    if (!json_utf8_valid(p, (size_t)(stop - p)))
        return silt_fail(err, SILT_INPUT, "the header is not UTF-8");
    silt_auto(str_buf_fini) StrBuf scratch = {0};
    int capacity = 0;
    CsvField field = {0};
    while (!field.last) {
        csv_field(&text, &p, stop, &field, &scratch);
        const char *name = arena_strndup(arena, field.text.ptr, field.text.size);
        ARENA_PUSH(arena, head->names, head->count, capacity, name);
    }
    /* as Spark: an empty name is _c<i>, and names that are there twice get their number */
    const char **names = ARENA_ARRAY(arena, const char *, head->count);
    for (int i = 0; i < head->count; i++) {
        bool twice = false;
        for (int k = 0; k < head->count && !twice; k++)
            twice = k != i && strcasecmp(head->names[k], head->names[i]) == 0;
        names[i] = !*head->names[i] ? arena_printf(arena, "_c%d", i) : twice ? arena_printf(arena, "%s%d", head->names[i], i) : head->names[i];
    }
    CsvHead raw = *head;
    head->names = names;
    head->fields = ARENA_ARRAY(arena, int, head->count);
    for (int i = 0; i < head->count; i++) {
        head->fields[i] = options->enforce_schema ? (schema && i < schema->field_count ? i : -1) : find_field(schema, names[i], options->case_sensitive);
        if (!options->enforce_schema && head->fields[i] < 0 && names[i] != raw.names[i] && *raw.names[i])
            SILT_TRY(find_repeated(options, schema, &raw, i, &head->fields[i], err));
    }
    return 0;
}

/* ---- cutting ---- */

/*
 * state->quote: inside of quotes. state->depth: 0 at the start of a field, 1 inside of a bare one, 2 behind a quote that may have
 * been the closing one, 3 behind the escape character inside of quotes.
 */
size_t csv_cut(const FormatOptions *options, FormatCut *state, Str bytes, bool at_end, bool first)
{
    CsvText text;
    csv_text_init(&text, options);
    const char *p = bytes.ptr + state->seen, *end = bytes.ptr + bytes.size;
    size_t done = 0;
    if (!text.line.size && !state->quote && state->depth < 2 && !first && p < end && (text.quote < 0 || !memchr(p, text.quote, (size_t)(end - p)))) {
        /* no quotes: line ends are ends of records */
        const char *found = memrchr(p, '\n', (size_t)(end - p));
        if (at_end || found) { /* what is behind it is short: it is looked at again from the start of its record */
            state->seen = 0;
            state->depth = 0;
            return at_end ? bytes.size : (size_t)(found - bytes.ptr) + 1;
        }
    }
    for (; p < end; p++) {
        unsigned char c = (unsigned char)*p;
        if (state->quote) {
            if (state->depth == 3) {
                state->depth = 1;
                if (is_escaped(&text, (char)c))
                    continue;
            }
            if (c == text.quote) {
                state->quote = 0;
                state->depth = 2;
            } else if (c == text.escape) {
                state->depth = 3;
            }
            continue;
        }
        if (c == text.quote && (state->depth == 0 || state->depth == 2)) {
            state->quote = (char)c; /* opening, or the second of two */
            state->depth = 1;
            continue;
        }
        bool half_line = text.line.size ? *p == text.line.ptr[0] && (size_t)(end - p) < text.line.size : c == '\r' && p + 1 == end;
        if (!at_end && (half_line || (*p == text.sep_first && (size_t)(end - p) < text.sep.size)))
            break; /* what is to come decides */
        if (csv_line_end(&text, p, end) > 0) {
            p += csv_line_end(&text, p, end) - 1;
            done = (size_t)(p + 1 - bytes.ptr);
            state->depth = 0;
            if (first) {
                state->seen = 0;
                return done;
            }
        } else if (at_sep(&text, p, end)) {
            p += text.sep.size - 1;
            state->depth = 0;
        } else if (!(state->depth == 0 && text.trim_left && is_space(*p))) {
            state->depth = 1;
        }
    }
    if (at_end) {
        if (state->quote) {
            state->complaint = "a quote is not closed";
        } else {
            done = bytes.size;
        }
    }
    state->seen = (size_t)(p - bytes.ptr) - done;
    return done;
}
