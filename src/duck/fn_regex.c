/*
 * duck/fn_regex.c - patterns: RLIKE, regexp_*, split, LIKE with escapes
 *
 * A constant pattern is compiled when the statement is prepared; a wrong one fails only when a row is asked, as in Spark. Patterns
 * that differ from row to row are compiled again where they change.
 */
#include "duck/fn_text.h"
#include "duck/java_regex.h"

/* What prepare leaves in call->data. */
typedef struct ConstantPattern {
    const JavaRegex *regex; /* NULL: wrong, see message */
    const char *message;
} ConstantPattern;

/* While one chunk is worked on. */
typedef struct Matcher {
    FnCall *call;
    const Column *patterns;
    Arena *arena;
    Str pattern; /* in arena */
    const JavaRegex *regex;
    JavaMatch match;
} Matcher;

static int prepare_pattern(FnCall *call, SiltErr *err)
{
    const Column *pattern = &call->constants[1];
    if (!pattern->type || column_is_null(pattern, 0))
        return 0;
    ConstantPattern *constant = ARENA_NEW(call->arena, ConstantPattern);
    SiltErr wrong;
    if (java_regex_new(call->arena, text_at(pattern, 0), &constant->regex, &wrong) < 0)
        constant->message = arena_strdup(call->arena, wrong.message);
    call->data = constant;
    (void)err;
    return 0;
}

static Matcher matcher_of(FnCall *call, const Column *args)
{
    return (Matcher){.call = call, .patterns = &args[1]};
}

static void matcher_fini(Matcher *matcher)
{
    java_match_fini(&matcher->match);
    arena_free(matcher->arena);
}

static int fail_pattern(FnCall *call, int row, Str pattern, const char *message)
{
    return fn_fail(call, row, "INVALID_PARAMETER_VALUE.PATTERN", "\"%.*s\" is no pattern: %s", FN_SHOW(pattern), message);
}

/* The pattern of this row in matcher->regex. */
static int matcher_aim(Matcher *matcher, int row)
{
    const ConstantPattern *constant = matcher->call->data;
    Str pattern = text_at(matcher->patterns, row);
    if (constant) {
        matcher->regex = constant->regex;
        return constant->regex ? 0 : fail_pattern(matcher->call, row, pattern, constant->message);
    }
    if (matcher->regex && str_equal(pattern, matcher->pattern))
        return 0;
    SiltErr wrong;
    if (matcher->arena)
        arena_reset(matcher->arena);
    else
        matcher->arena = arena_new();
    matcher->pattern = arena_str(matcher->arena, pattern);
    matcher->regex = NULL;
    if (java_regex_new(matcher->arena, matcher->pattern, &matcher->regex, &wrong) < 0)
        return fail_pattern(matcher->call, row, pattern, wrong.message);
    return 0;
}

enum { NOT_FOUND = 1 };

/* The next match at or after *at, which moves on. NOT_FOUND: there is none. */
static int matcher_next(Matcher *matcher, int row, Str text, size_t *at)
{
    SiltErr wrong;
    if (*at > text.size)
        return NOT_FOUND;
    int r = java_regex_find(matcher->regex, text, *at, &matcher->match, &wrong);
    if (r < 0)
        return fn_fail(matcher->call, row, "FAILED_EXECUTE_UDF", "%s: \"%.*s\"", wrong.message, FN_SHOW(text_at(matcher->patterns, row)));
    *at = r ? java_match_next(&matcher->match, text) : *at;
    return r ? 0 : NOT_FOUND;
}

static int check_group(FnCall *call, int row, int group, int count)
{
    if (group < 0 || group > count)
        return fn_fail(call, row, "INVALID_PARAMETER_VALUE.REGEX_GROUP_INDEX", "group %d does not exist: the pattern has groups 0 to %d",
                       group, count);
    return 0;
}

/* Runs one function's work over the rows; what fails ends it. */
typedef int (*RowWork)(Matcher *matcher, const Column *args, Column *out, int row);

static int over_rows(FnCall *call, const Column *args, Column *out, int rows, RowWork work)
{
    Matcher matcher = matcher_of(call, args);
    int r = 0;
    FN_ROWS(row, out, rows)
    {
        if ((r = matcher_aim(&matcher, row)) < 0 || (r = work(&matcher, args, out, row)) < 0)
            break;
    }
    matcher_fini(&matcher);
    return r;
}

/* ---- found or not ---- */

static int rlike_row(Matcher *matcher, const Column *args, Column *out, int row)
{
    size_t at = 0;
    int r = matcher_next(matcher, row, text_at(&args[0], row), &at);
    ((uint8_t *)out->data)[row] = r == 0;
    return r < 0 ? r : 0;
}

static int rlike(FnCall *call, const Column *args, Column *out, int rows)
{
    return over_rows(call, args, out, rows, rlike_row);
}

static int count_row(Matcher *matcher, const Column *args, Column *out, int row)
{
    size_t at = 0;
    int32_t count = 0;
    int r;
    while ((r = matcher_next(matcher, row, text_at(&args[0], row), &at)) == 0)
        count++;
    ((int32_t *)out->data)[row] = count;
    return r < 0 ? r : 0;
}

static int count(FnCall *call, const Column *args, Column *out, int rows)
{
    return over_rows(call, args, out, rows, count_row);
}

static int instr_row(Matcher *matcher, const Column *args, Column *out, int row)
{
    Str text = text_at(&args[0], row);
    size_t at = 0;
    int r = matcher_next(matcher, row, text, &at);
    ((int32_t *)out->data)[row] = r == 0 ? (int32_t)text_chars((Str){text.ptr, (size_t)matcher->match.groups[0]}) + 1 : 0;
    return r < 0 ? r : 0;
}

static int instr(FnCall *call, const Column *args, Column *out, int rows)
{
    return over_rows(call, args, out, rows, instr_row);
}

/* ---- parts ---- */

static int extract_row(Matcher *matcher, const Column *args, Column *out, int row)
{
    Str text = text_at(&args[0], row);
    int group = int_at(&args[2], row);
    size_t at = 0;
    int r = matcher_next(matcher, row, text, &at);
    if (r < 0)
        return r;
    if (r == 0)
        SILT_TRY(check_group(matcher->call, row, group, java_regex_group_count(matcher->regex)));
    text_put(out, row, r == 0 ? java_match_group(&matcher->match, text, group) : STR(""));
    return 0;
}

static int extract(FnCall *call, const Column *args, Column *out, int rows)
{
    return over_rows(call, args, out, rows, extract_row);
}

/* NULL where nothing, or only the empty string, is found. */
static int substr_row(Matcher *matcher, const Column *args, Column *out, int row)
{
    Str text = text_at(&args[0], row);
    size_t at = 0;
    int r = matcher_next(matcher, row, text, &at);
    Str found = r == 0 ? java_match_group(&matcher->match, text, 0) : (Str){0};
    if (found.size)
        text_put(out, row, found);
    else
        column_set_null(out, (uint64_t)row);
    return r < 0 ? r : 0;
}

static int substr(FnCall *call, const Column *args, Column *out, int rows)
{
    return over_rows(call, args, out, rows, substr_row);
}

/* Arrays are appended one after the other; the child's rows in use are where the last one ended. */
static uint64_t list_end(const Column *out, int row)
{
    const ChunkList *lists = out->data;
    for (int before = row; before-- > 0;)
        if (!column_is_null(out, (uint64_t)before))
            return lists[before].offset + lists[before].length;
    return 0;
}

static void list_add_text(Column *out, int row, Str text)
{
    ChunkList *list = (ChunkList *)out->data + row;
    column_list_reserve(out, list->offset + list->length + 1);
    text_put(&out->children[0], (int)(list->offset + list->length), text);
    list->length++;
}

static int extract_all_row(Matcher *matcher, const Column *args, Column *out, int row)
{
    Str text = text_at(&args[0], row);
    int group = int_at(&args[2], row), r;
    size_t at = 0;
    ((ChunkList *)out->data)[row] = (ChunkList){list_end(out, row), 0};
    while ((r = matcher_next(matcher, row, text, &at)) == 0) {
        SILT_TRY(check_group(matcher->call, row, group, java_regex_group_count(matcher->regex))); /* as Spark: of a match only */
        list_add_text(out, row, java_match_group(&matcher->match, text, group));
    }
    return r < 0 ? r : 0;
}

static int extract_all(FnCall *call, const Column *args, Column *out, int rows)
{
    return over_rows(call, args, out, rows, extract_all_row);
}

/* A pattern of "" splits into characters; the limit's last part keeps the rest. */
static void split_characters(Column *out, int row, Str text, int64_t limit)
{
    int64_t chars = text_chars(text);
    if (limit <= 0 || limit > chars)
        limit = chars;
    for (size_t at = 0; limit > 0; limit--) {
        size_t end = limit == 1 ? text.size : at + text_byte_of((Str){text.ptr + at, text.size - at}, 1);
        list_add_text(out, row, (Str){text.ptr + at, end - at});
        at = end;
    }
}

static int split_row(Matcher *matcher, const Column *args, Column *out, int row)
{
    Str text = text_at(&args[0], row);
    int64_t limit = int_at(&args[2], row), count = 0;
    size_t at = 0, from = 0;
    int r = 0;
    ((ChunkList *)out->data)[row] = (ChunkList){list_end(out, row), 0};
    if (text.size && text_at(&args[1], row).size == 0) {
        split_characters(out, row, text, limit);
        return 0;
    }
    while ((limit <= 0 || count < limit - 1) && (r = matcher_next(matcher, row, text, &at)) == 0) {
        size_t start = (size_t)matcher->match.groups[0], end = (size_t)matcher->match.groups[1];
        if (from == 0 && start == 0 && end == 0)
            continue; /* nothing stands before an empty match at the start */
        list_add_text(out, row, (Str){text.ptr + from, start - from});
        from = end;
        count++;
    }
    if (r < 0)
        return r;
    list_add_text(out, row, (Str){text.ptr + from, text.size - from});
    return 0;
}

static int split(FnCall *call, const Column *args, Column *out, int rows)
{
    return over_rows(call, args, out, rows, split_row);
}

/* ---- replacing ---- */

/* Append `by` for the current match: $1, ${name} and \c, as Java's appendReplacement. NULL, or what is wrong. */
static const char *put_replacement(StrBuf *out, const Matcher *matcher, Str text, Str by)
{
    for (size_t i = 0; i < by.size; i++) {
        if (by.ptr[i] == '\\') {
            if (++i == by.size)
                return "a backslash stands alone at the end of the replacement";
            str_buf_putc(out, by.ptr[i]);
            continue;
        }
        if (by.ptr[i] != '$') {
            str_buf_putc(out, by.ptr[i]);
            continue;
        }
        int groups = java_regex_group_count(matcher->regex), group = 0;
        if (++i == by.size)
            return "a $ stands alone at the end of the replacement";
        if (by.ptr[i] == '{') {
            const char *close = memchr(by.ptr + i, '}', by.size - i);
            if (!close)
                return "${ is not closed in the replacement";
            group = java_regex_group_named(matcher->regex, (Str){by.ptr + i + 1, (size_t)(close - by.ptr) - i - 1});
            if (group < 0)
                return "the replacement names a group that the pattern does not have";
            i = (size_t)(close - by.ptr);
        } else {
            if (by.ptr[i] < '0' || by.ptr[i] > '9')
                return "a $ in the replacement needs a number; write \\$ for the sign itself";
            group = by.ptr[i] - '0';
            if (group > groups)
                return "the replacement names a group that the pattern does not have";
            while (i + 1 < by.size && by.ptr[i + 1] >= '0' && by.ptr[i + 1] <= '9' && group * 10 + (by.ptr[i + 1] - '0') <= groups)
                group = group * 10 + (by.ptr[++i] - '0');
        }
        str_buf_str(out, java_match_group(&matcher->match, text, group));
    }
    return NULL;
}

/* regexp_replace(text, pattern, by, position): what stands before the position, from 1, is left alone. */
static int replace_row(Matcher *matcher, const Column *args, Column *out, int row)
{
    Str whole = text_at(&args[0], row), by = text_at(&args[2], row);
    int64_t position = int_at(&args[3], row);
    StrBuf *result = matcher->call->scratch;
    if (position < 1)
        return fn_fail(matcher->call, row, "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "the position must be 1 or more, not %lld",
                       (long long)position);
    size_t skipped = text_byte_of(whole, position - 1), at = 0, from = 0;
    Str text = {whole.ptr + skipped, whole.size - skipped};
    int r;
    str_buf_clear(result);
    str_buf_add(result, whole.ptr, skipped);
    while ((r = matcher_next(matcher, row, text, &at)) == 0) {
        str_buf_add(result, text.ptr + from, (size_t)matcher->match.groups[0] - from);
        const char *wrong = put_replacement(result, matcher, text, by);
        if (wrong)
            return fn_fail(matcher->call, row, "INVALID_PARAMETER_VALUE.REGEX_REPLACEMENT", "%s", wrong);
        from = (size_t)matcher->match.groups[1];
    }
    if (r < 0)
        return r;
    str_buf_add(result, text.ptr + from, text.size - from);
    text_put_buf(out, row, result);
    return 0;
}

static int replace(FnCall *call, const Column *args, Column *out, int rows)
{
    return over_rows(call, args, out, rows, replace_row);
}

/* ---- LIKE ---- */

typedef struct Wildcard {
    uint32_t *points; /* code points; ANY_ONE and ANY_MANY for _ and % */
    int count;
} Wildcard;

enum { ANY_ONE = 0x110000, ANY_MANY };

/* points has room for the bytes of the pattern. NULL, or the error class. */
static const char *parse_wildcards(Str pattern, uint32_t escape, Wildcard *w)
{
    int size;
    w->count = 0;
    for (size_t i = 0; i < pattern.size; i += (size_t)size) {
        uint32_t c = utf8_get(pattern.ptr + i, &size);
        if (c == escape) {
            i += (size_t)size;
            if (i >= pattern.size)
                return "INVALID_FORMAT.ESC_AT_THE_END";
            c = utf8_get(pattern.ptr + i, &size);
            if (c != '_' && c != '%' && c != escape)
                return "INVALID_FORMAT.ESC_IN_THE_MIDDLE";
            w->points[w->count++] = c;
        } else {
            w->points[w->count++] = c == '_' ? (uint32_t)ANY_ONE : c == '%' ? (uint32_t)ANY_MANY : c;
        }
    }
    return NULL;
}

/* Only the last % needs to be gone back to. */
static bool matches_wildcards(Str text, const Wildcard *w, bool fold)
{
    size_t at = 0, retry_at = 0;
    int p = 0, retry = -1, size;
    while (at < text.size) {
        uint32_t c = utf8_get(text.ptr + at, &size), want = p < w->count ? w->points[p] : UINT32_MAX;
        if (want == ANY_MANY) {
            retry = ++p;
            retry_at = at;
        } else if (want == ANY_ONE || want == c || (fold && want < ANY_ONE && unicode_lower(want) == unicode_lower(c))) {
            p++;
            at += (size_t)size;
        } else if (retry >= 0) {
            utf8_get(text.ptr + retry_at, &size);
            at = retry_at += (size_t)size;
            p = retry;
        } else {
            return false;
        }
    }
    while (p < w->count && w->points[p] == ANY_MANY)
        p++;
    return p == w->count;
}

/* silt_like(text, pattern, escape) */
static int like_or_ilike(FnCall *call, const Column *args, Column *out, int rows, bool fold)
{
    FN_ROWS(row, out, rows)
    {
        Str pattern = text_at(&args[1], row), escape = text_at(&args[2], row);
        int size;
        str_buf_clear(call->scratch);
        str_buf_reserve(call->scratch, (pattern.size + 1) * sizeof(uint32_t));
        Wildcard w = {.points = (uint32_t *)(void *)call->scratch->ptr};
        const char *code = parse_wildcards(pattern, escape.size ? utf8_get(escape.ptr, &size) : UINT32_MAX, &w);
        if (code)
            return fn_fail(call, row, code, "in the pattern \"%.*s\" the escape %.*s must stand before _, %% or itself", FN_SHOW(pattern),
                           FN_SHOW(escape));
        ((uint8_t *)out->data)[row] = matches_wildcards(text_at(&args[0], row), &w, fold);
    }
    return 0;
}

static int like(FnCall *call, const Column *args, Column *out, int rows)
{
    return like_or_ilike(call, args, out, rows, false);
}

static int ilike(FnCall *call, const Column *args, Column *out, int rows)
{
    return like_or_ilike(call, args, out, rows, true);
}

#define PATTERN(sql_name, arguments, type, fn)                                                                                             \
    {                                                                                                                                      \
        .name = sql_name, .args = arguments, .result = type, .flags = FN_FAILS, .eval = fn, .prepare = prepare_pattern                     \
    }

const DuckFunction fn_regex[] = {
    PATTERN("silt_rlike", "string, string", "boolean", rlike),
    PATTERN("silt_regexp_count", "string, string", "int", count),
    PATTERN("silt_regexp_instr", "string, string", "int", instr),
    PATTERN("silt_regexp_extract", "string, string, int", "string", extract),
    PATTERN("silt_regexp_extract_all", "string, string, int", "array<string>", extract_all),
    PATTERN("silt_regexp_substr", "string, string", "string", substr),
    PATTERN("silt_regexp_replace", "string, string, string, int", "string", replace),
    PATTERN("silt_split", "string, string, int", "array<string>", split),
    {.name = "silt_like", .args = "string, string, string", .result = "boolean", .flags = FN_FAILS, .eval = like},
    {.name = "silt_ilike", .args = "string, string, string", .result = "boolean", .flags = FN_FAILS, .eval = ilike},
    {0},
};
