/*
 * format/json_records.c - a block of JSON as records
 *
 * The whole block is scanned at once (fast), and only if the scanner refuses it is each record scanned alone, so that a bad
 * record costs its neighbours some speed and nothing else.
 *
 *   J1  Each byte that is no blank (nor a comma or bracket between multi-line records) belongs to exactly one record.
 *   J2  A record's outcome does not depend on its neighbours in the block.
 *
 * Given records have a line feed between them, so that a string that is not closed makes the scanner refuse the block, as with lines.
 */
#include "format/json_records.h"

#include <string.h>

void json_records_init(JsonRecords *r, const FormatOptions *options)
{
    *r = (JsonRecords){.options = options, .scanner = json_scanner_new()};
    r->walk.options = options;
    r->split = !options->single_variant_column;
    if (options->line_sep && !options->multi_line)
        r->sep = str_of(options->line_sep);
}

void json_records_fini(JsonRecords *r)
{
    json_scanner_free(r->scanner);
    json_tokens_fini(&r->tokens);
    str_buf_fini(&r->walk.scratch);
    str_buf_fini(&r->copy);
    *r = (JsonRecords){0};
}

/* The scanner must not see what stands between lines: a line feed there ends strings that are not closed, and is a blank elsewhere. */
static void copy_lines(JsonRecords *r)
{
    r->own = r->text.ptr;
    str_buf_clear(&r->copy);
    str_buf_add(&r->copy, r->text.ptr, r->text.size);
    for (int i = 0; i < FORMAT_PADDING; i++)
        str_buf_putc(&r->copy, 0);
    char *end = r->copy.ptr + r->text.size;
    for (char *p = r->copy.ptr; (p = memmem(p, (size_t)(end - p), r->sep.ptr, r->sep.size)) != NULL; p += r->sep.size) {
        memset(p, ' ', r->sep.size);
        *p = '\n';
    }
    r->text.ptr = r->copy.ptr;
}

void json_records_begin(JsonRecords *r, const FormatBlock *block)
{
    r->text = (Str){block->ptr, block->size};
    r->position = block->position;
    r->given = block->given;
    r->given_count = block->given_count;
    r->given_next = 0;
    if (!block->given && block->position == 0 && block->size >= 3 && memcmp(block->ptr, "\xEF\xBB\xBF", 3) == 0) {
        r->text = (Str){block->ptr + 3, block->size - 3};
        r->position = 3;
    }
    r->in_array = r->lenient = r->rescan = false;
    r->next = 0;
    silt_assert(!r->given || (!r->sep.size && !r->options->multi_line));
    if (r->sep.size)
        copy_lines(r);
    const uint32_t *index;
    uint32_t count;
    r->by_record = json_scan(r->scanner, r->text.ptr, r->text.size, &index, &count) != 0;
    if (!r->by_record)
        json_walk_set(&r->walk, r->text.ptr, r->text.size, index, count);
}

static Str trim_right(const char *start, const char *end)
{
    while (end > start && json_is_blank(end[-1]))
        end--;
    return (Str){start, (size_t)(end - start)};
}

static bool walk_ended(const JsonRecords *r)
{
    return r->walk.at >= r->walk.count;
}

static const char *walk_place(const JsonRecords *r)
{
    return r->walk.text + r->walk.index[r->walk.at];
}

/* Whatever comes behind the record, the reason is the same (J2). */
static const char ends_in_value[] = "the record ends in the middle of a value";

static int bad(JsonRecords *r, const char *reason)
{
    r->reason = reason;
    return JSON_RECORD_BAD;
}

static const char *scan_reason(int code)
{
    return code == JSON_SCAN_UTF8      ? "bytes that are not UTF-8"
           : code == JSON_SCAN_CONTROL ? "a control character in a string"
                                       : "a string without an end";
}

static bool has_lenient_reading(const JsonRecords *r)
{
    const FormatOptions *o = r->options;
    return o->allow_comments || o->allow_control_chars ||
           (o->allow_single_quotes && memchr(r->record.ptr, '\'', r->record.size) != NULL);
}

/* Tokenize r->record leniently; 0 with the walk at its start. */
static int read_leniently(JsonRecords *r)
{
    const char *reason = NULL;
    if (!utf8_valid(r->record)) {
        r->reason = scan_reason(JSON_SCAN_UTF8);
        return -1;
    }
    if (json_tokens(&r->tokens, r->record, r->options, &reason) < 0) {
        r->reason = reason;
        return -1;
    }
    if (!r->by_record) {
        r->block_index = r->walk.index;
        r->block_count = r->walk.count;
        r->block_at = r->walk.at;
    }
    r->lenient = true;
    json_walk_set(&r->walk, r->tokens.copy.ptr, r->record.size, r->tokens.index, r->tokens.count);
    r->window_end = r->tokens.copy.ptr + r->record.size;
    r->start = 0;
    return 0;
}

/* Scan r->record alone: by_record. */
static int scan_record(JsonRecords *r)
{
    const uint32_t *index;
    uint32_t count;
    int code = json_scan(r->scanner, r->record.ptr, r->record.size, &index, &count);
    if (code == 0) {
        r->lenient = false;
        json_walk_set(&r->walk, r->record.ptr, r->record.size, index, count);
        r->window_end = r->record.ptr + r->record.size;
        r->start = 0;
        return JSON_RECORD_VALUE;
    }
    if (code != JSON_SCAN_UTF8 && has_lenient_reading(r) && read_leniently(r) == 0)
        return JSON_RECORD_VALUE;
    return bad(r, scan_reason(code));
}

/* ---- lines ---- */

static const char *line_end(const JsonRecords *r, const char *start, const char *end)
{
    const char *found;
    if (r->sep.size) { /* looked for in the block's own bytes: a line feed there is a blank */
        found = memmem(r->own + (start - r->text.ptr), (size_t)(end - start), r->sep.ptr, r->sep.size);
        return found ? r->text.ptr + (found - r->own) : end;
    }
    found = memchr(start, '\n', (size_t)(end - start));
    return found ? found : end;
}

/* Back from the lenient copy of a record to the tokens of the block. */
static void leave_copy(JsonRecords *r)
{
    if (r->lenient && !r->by_record) {
        json_walk_set(&r->walk, r->text.ptr, r->text.size, r->block_index, r->block_count);
        r->walk.at = r->block_at;
    }
    r->lenient = false;
}

/* The line is used up, however far it was read. */
static void pass_line(JsonRecords *r)
{
    r->in_array = false;
    leave_copy(r);
    if (r->by_record)
        return;
    const char *end = r->record.ptr + r->record.size;
    while (!walk_ended(r) && walk_place(r) < end)
        r->walk.at++;
    /* a value that its line cuts off was read on into the lines below: they are records of their own (J2) */
    while (r->walk.at > 0 && r->walk.text + r->walk.index[r->walk.at - 1] >= end)
        r->walk.at--;
}

static int next_element(JsonRecords *r)
{
    JsonWalk *w = &r->walk;
    if (json_char(w) == ']') { /* only commas and this can be here: the line was checked */
        w->at++;
        pass_line(r);
        return JSON_RECORD_END;
    }
    if (json_char(w) == ',')
        w->at++;
    r->start = w->at;
    return JSON_RECORD_VALUE;
}

/* The value of the line was read with this result: is it all that the line holds? */
static bool line_is_whole(JsonRecords *r, int result)
{
    JsonWalk *w = &r->walk;
    if ((w->at > 0 && w->text + w->index[w->at - 1] >= r->window_end) || (result < 0 && walk_place(r) >= r->window_end)) {
        r->reason = ends_in_value;
        return false;
    }
    if (result < 0) {
        r->reason = w->reason;
        return false;
    }
    if (walk_ended(r) || walk_place(r) >= r->window_end)
        return true;
    /* more on the line: an old Mac's line end, something that Spark does not look at, or a bad record */
    const char *last = w->text + w->index[w->at - 1];
    const char *mac = r->sep.size || r->given ? NULL : memchr(last, '\r', (size_t)(walk_place(r) - last));
    if (mac && !r->lenient) {
        r->record.size = (size_t)(last + 1 - r->record.ptr);
        r->window_end = mac;
        if (r->by_record)
            r->next = (size_t)(mac - r->text.ptr);
    } else if (r->options->mode == FORMAT_MODE_DEAD_LETTERS) {
        r->reason = "text behind the value";
        return false;
    }
    return true;
}

/* The record in hand goes to the end of its line. */
static void find_line_end(JsonRecords *r)
{
    if (r->window_end)
        return;
    r->window_end = line_end(r, r->record.ptr, r->text.ptr + r->text.size);
    r->record = trim_right(r->record.ptr, r->window_end);
}

/* Was the value read without a line feed, and comes one right behind it? So it is with nearly all, and no line end has to be looked for. */
static bool line_is_plain(JsonRecords *r)
{
    const JsonWalk *w = &r->walk;
    const char *end = w->text + w->index[w->at - 1] + 1;
    if (r->window_end || w->gaps || r->sep.size || end[*end == '\r'] != '\n')
        return false;
    r->record.size = (size_t)(end - r->record.ptr);
    return true;
}

/* The line's value is an array: check all of it, then its elements are the records. */
static int open_array(JsonRecords *r)
{
    JsonWalk *w = &r->walk;
    for (;;) {
        w->reason = NULL;
        if (line_is_whole(r, json_skip(w, NULL)))
            break;
        if (!json_records_retry(r))
            return JSON_RECORD_BAD;
    }
    w->at = r->start + 1;
    r->in_array = true;
    return JSON_RECORD_VALUE;
}

static int next_line(JsonRecords *r)
{
    for (;;) {
        if (r->in_array) {
            if (next_element(r) == JSON_RECORD_VALUE)
                return JSON_RECORD_VALUE;
            continue;
        }
        if (r->by_record) {
            const char *end = r->text.ptr + r->text.size, *start = r->text.ptr + r->next;
            while (start < end && json_is_blank(*start))
                start++;
            if (start == end)
                return JSON_RECORD_END;
            const char *stop = line_end(r, start, end);
            r->next = (size_t)(stop - r->text.ptr);
            r->record = trim_right(start, stop);
            if (scan_record(r) == JSON_RECORD_BAD)
                return JSON_RECORD_BAD;
        } else {
            if (walk_ended(r))
                return JSON_RECORD_END;
            r->record = (Str){walk_place(r), 0};
            r->window_end = NULL;
            r->start = r->walk.at;
            r->walk.gaps = false;
        }
        if (json_char(&r->walk) != '[' || !r->split)
            return JSON_RECORD_VALUE;
        find_line_end(r);
        if (open_array(r) == JSON_RECORD_BAD)
            return JSON_RECORD_BAD;
    }
}

/* ---- given ---- */

static int next_given(JsonRecords *r)
{
    if (r->given_next == r->given_count)
        return JSON_RECORD_END;
    const FormatGiven *given = &r->given[r->given_next++];
    const char *start = r->text.ptr + r->next, *stop = r->text.ptr + given->end;
    r->next = given->end + 1u;
    r->record = (Str){start, (size_t)(stop - start)};
    if (given->is_null)
        return JSON_RECORD_NULL;
    r->window_end = stop;
    if (r->by_record) {
        if (trim_right(start, stop).size == 0)
            return bad(r, "an empty record");
        if (scan_record(r) == JSON_RECORD_BAD)
            return JSON_RECORD_BAD;
    } else {
        if (walk_ended(r) || walk_place(r) >= stop)
            return bad(r, "an empty record");
        r->start = r->walk.at;
    }
    if (json_char(&r->walk) != '[' || !r->split)
        return JSON_RECORD_VALUE;
    pass_line(r);
    return bad(r, "an array, where a record is one object");
}

/* ---- multi-line ---- */

/* What stands in a value's place at the top goes on to one of these. */
static bool ends_scalar(char c)
{
    return c == '{' || c == '[' || c == ']' || c == ',';
}

static bool is_separator(const JsonRecords *r, char c)
{
    return r->split && (c == ',' || c == '[' || c == ']');
}

/* How far the value, or what stands in its place, goes that starts here. */
static Str value_extent(const JsonRecords *r, const char *start)
{
    FormatCut cut = {0};
    const char *end = r->text.ptr + r->text.size;
    size_t size = json_cut(r->options, &cut, (Str){start, (size_t)(end - start)}, true, true);
    return trim_right(start, size ? start + size : end);
}

static int next_value(JsonRecords *r)
{
    JsonWalk *w = &r->walk;
    if (!r->by_record) {
        while (!walk_ended(r) && is_separator(r, json_char(w)))
            w->at++;
        if (walk_ended(r))
            return JSON_RECORD_END;
        r->start = w->at;
        r->record = (Str){walk_place(r), 0};
        r->window_end = r->text.ptr + r->text.size;
        return JSON_RECORD_VALUE;
    }
    const char *end = r->text.ptr + r->text.size, *start = r->text.ptr + r->next;
    while (start < end && (json_is_blank(*start) || is_separator(r, *start)))
        start++;
    if (start == end)
        return JSON_RECORD_END;
    r->record = value_extent(r, start);
    r->next = (size_t)(r->record.ptr + r->record.size - r->text.ptr);
    return scan_record(r);
}

/*
 * The record that starts at r->start is none as the block was scanned: it goes as far as the cutting of blocks would say (J2). What the scanner takes
 * for strings from here on may depend on quotes and backslashes in it, so it and the rest of the block are scanned record by record.
 */
static void leave_block(JsonRecords *r)
{
    r->record = value_extent(r, r->text.ptr + r->walk.index[r->start]);
    r->next = (size_t)(r->record.ptr + r->record.size - r->text.ptr);
    r->by_record = r->rescan = true;
}

/* ---- both ---- */

int json_records_next(JsonRecords *r)
{
    r->reason = NULL;
    r->walk.reason = NULL;
    return r->given ? next_given(r) : r->options->multi_line ? next_value(r) : next_line(r);
}

/* Is the value that was read in the block's tokens a scalar that the cutting of blocks goes on with (J2)? */
static bool goes_on(const JsonRecords *r)
{
    const JsonWalk *w = &r->walk;
    char first = w->text[w->index[r->start]];
    return first != '{' && first != '[' && !walk_ended(r) && !ends_scalar(json_char(w));
}

static bool done_value(JsonRecords *r, int result)
{
    JsonWalk *w = &r->walk;
    if (!r->by_record) {
        if (result < 0 || goes_on(r)) {
            leave_block(r);
            return false;
        }
        w->at--;
        Str last = json_token(w);
        w->at++;
        r->record.size = (size_t)(last.ptr + last.size - r->record.ptr);
        return true;
    }
    if (result == 0 && walk_ended(r)) {
        r->lenient = false;
        return true;
    }
    r->reason = result == 0 ? "text behind the value" : walk_place(r) >= r->window_end ? ends_in_value : w->reason;
    return false;
}

bool json_records_done(JsonRecords *r, int result)
{
    if (r->options->multi_line)
        return done_value(r, result);
    if (r->in_array) { /* the text of its elements was checked: only an element that is no object is bad */
        if (result < 0)
            r->reason = r->walk.reason;
        return result == 0;
    }
    if (result == 0 && line_is_plain(r))
        return true;
    find_line_end(r);
    if (!line_is_whole(r, result))
        return false;
    pass_line(r);
    return true;
}

bool json_records_retry(JsonRecords *r)
{
    const char *reason = r->reason;
    if (r->rescan) {
        r->rescan = false;
        r->walk.reason = NULL;
        return scan_record(r) == JSON_RECORD_VALUE;
    }
    if (!r->lenient && !r->in_array && has_lenient_reading(r) && read_leniently(r) == 0) {
        r->walk.reason = NULL;
        return true;
    }
    r->reason = reason;
    if (r->in_array) {
        r->walk.at = r->start;
        json_skip(&r->walk, NULL);
    } else if (r->options->multi_line) {
        r->lenient = false;
    } else {
        pass_line(r);
    }
    return false;
}

Str json_records_line(const JsonRecords *r)
{
    const char *start = r->record.ptr, *stop = start + r->record.size, *end = r->text.ptr + r->text.size;
    if (r->options->multi_line || r->sep.size || r->given)
        return r->record;
    while (start > r->text.ptr && json_is_blank(start[-1]) && start[-1] != '\n')
        start--;
    while (stop < end && json_is_blank(*stop) && *stop != '\n')
        stop++;
    if (stop < end && stop > start && stop[-1] == '\r') /* \r\n */
        stop--;
    return (Str){start, (size_t)(stop - start)};
}

/* ---- cutting ---- */

/* Lines that end with lineSep. It may have begun before what is new. */
static size_t cut_separated(Str sep, FormatCut *state, Str bytes, bool at_end, bool first)
{
    size_t from = state->seen > sep.size - 1 ? state->seen - (sep.size - 1) : 0, done = 0;
    const char *end = bytes.ptr + bytes.size;
    for (const char *p = bytes.ptr + from; (p = memmem(p, (size_t)(end - p), sep.ptr, sep.size)) != NULL;) {
        p += sep.size;
        done = (size_t)(p - bytes.ptr);
        if (first)
            break;
    }
    if (!done && at_end)
        done = bytes.size;
    else if (at_end && !first)
        done = bytes.size;
    state->seen = first && done ? 0 : bytes.size - done;
    return done;
}

static size_t cut_lines(FormatCut *state, Str bytes, bool at_end, bool first)
{
    const char *found = NULL;
    if (bytes.size > state->seen) {
        const char *start = bytes.ptr + state->seen;
        size_t size = bytes.size - state->seen;
        found = first ? memchr(start, '\n', size) : memrchr(start, '\n', size);
    }
    if (found) {
        size_t done = (size_t)(found - bytes.ptr) + 1;
        state->seen = first ? 0 : bytes.size - done;
        return done;
    }
    state->seen = bytes.size;
    if (at_end) {
        state->seen = 0;
        return bytes.size;
    }
    return 0;
}

static size_t cut_values(const FormatOptions *options, FormatCut *state, Str bytes, bool at_end, bool first)
{
    const char *p = bytes.ptr + state->seen, *end = bytes.ptr + bytes.size;
    size_t done = 0;
    while (p < end) {
        char c = *p++;
        if (state->quote) {
            if (state->escaped)
                state->escaped = false;
            else if (c == '\\')
                state->escaped = true;
            else if (c == state->quote)
                state->quote = 0;
            continue;
        }
        if (state->in_scalar && ends_scalar(c)) {
            state->in_scalar = false;
            done = (size_t)(p - 1 - bytes.ptr);
            if (first)
                goto out;
        }
        switch (c) {
        case '{':
            state->depth++;
            break;
        case '[':
            if (state->depth == 0 && !options->single_variant_column)
                state->arrays++;
            else
                state->depth++;
            break;
        case '}':
        case ']':
            if (state->depth > 0) {
                if (--state->depth == 0) {
                    done = (size_t)(p - bytes.ptr);
                    if (first)
                        goto out;
                }
            } else if (c == '}' || options->single_variant_column) {
                state->in_scalar = true;
            } else if (state->arrays > 0) {
                state->arrays--;
            }
            break;
        case '"':
        case '\'':
            if (c == '"' || options->allow_single_quotes) {
                state->quote = c;
                if (state->depth == 0)
                    state->in_scalar = true;
            }
            break;
        default:
            if (state->depth == 0 && !json_is_blank(c) && (c != ',' || options->single_variant_column))
                state->in_scalar = true;
        }
    }
    state->seen = bytes.size;
    if (at_end) {
        if (state->depth == 0 && !state->quote)
            done = bytes.size;
        if (state->depth > 0 || state->quote)
            state->complaint = "the file ends in the middle of a record";
        else if (state->arrays > 0)
            state->complaint = "the array that the file holds is not closed";
    }
    state->seen = bytes.size - done;
    return done;
out:
    state->seen = 0;
    return done;
}

size_t json_cut(const FormatOptions *options, FormatCut *state, Str bytes, bool at_end, bool first)
{
    if (options->multi_line)
        return cut_values(options, state, bytes, at_end, first);
    return options->line_sep ? cut_separated(str_of(options->line_sep), state, bytes, at_end, first) : cut_lines(state, bytes, at_end, first);
}
