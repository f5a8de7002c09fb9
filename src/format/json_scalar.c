/* format/json_scalar.c - see json_scalar.h */
#include "format/json_scalar.h"

#include "duck/column_put.h"
#include "format/time_pattern.h"
#include "format/value.h"

#include <string.h>

int json_scalars_init(JsonScalars *s, const FormatOptions *options, bool exact, Arena *arena, SiltErr *err)
{
    *s = (JsonScalars){.options = options, .exact = exact};
    s->zone = zone_find(str_of(options->time_zone ? options->time_zone : "UTC"));
    if (!s->zone)
        return silt_fail(err, SILT_CONFIG, "unknown time zone \"%s\"", options->time_zone);
    return time_patterns_of(options, arena, &s->date_pattern, &s->timestamp_pattern, &s->ntz_pattern, err);
}

void json_scalars_fini(JsonScalars *s)
{
    str_buf_fini(&s->bytes);
    variant_writer_fini(&s->variant);
}

static inline bool is_number_start(char c)
{
    return c == '-' || (c >= '0' && c <= '9');
}

/* The current token as the whole number it is; MISFIT if it is another value. */
static int take_integer(JsonScalars *s, JsonWalk *w, int64_t *out)
{
    if (!is_number_start(json_char(w)))
        return JSON_MISFIT;
    Str token = json_token(w);
    bool negative = *token.ptr == '-', integral;
    Str digits = {token.ptr + negative, token.size - negative};
    if (!value_is_number(token, true, &integral) || !integral)
        return JSON_MISFIT; /* what is no value at all is found where it is skipped; -Infinity is one */
    if (!s->options->allow_leading_zeros && digits.size > 1 && digits.ptr[0] == '0')
        return json_bad(w, "a number with a leading zero");
    if (!value_integer(token, INT64_MIN, INT64_MAX, out))
        return JSON_MISFIT;
    w->at++;
    return JSON_FITS;
}

static int put_integer(JsonScalars *s, JsonWalk *w, JsonPlace *node, uint64_t row)
{
    void *data = node->column->data;
    int64_t value;
    int r = take_integer(s, w, &value);
    if (r != JSON_FITS)
        return r;
    switch (node->kind) {
    case TYPE_LONG:
        ((int64_t *)data)[row] = value;
        break;
    case TYPE_INT:
        if (value != (int32_t)value)
            return JSON_MISFIT;
        ((int32_t *)data)[row] = (int32_t)value;
        break;
    case TYPE_SHORT:
        if (value != (int16_t)value)
            return JSON_MISFIT;
        ((int16_t *)data)[row] = (int16_t)value;
        break;
    default:
        if (value != (int8_t)value)
            return JSON_MISFIT;
        ((int8_t *)data)[row] = (int8_t)value;
        break;
    }
    column_set_valid(node->column, row);
    return JSON_FITS;
}

static int take_float(JsonScalars *s, JsonWalk *w, bool single, double *out)
{
    char c = json_char(w);
    if (c == '"' || c == '\'') {
        Str text;
        if (json_string(w, &text) < 0)
            return JSON_BAD;
        if (!json_non_numeric(s->options, text, out)) {
            /* the option forbids NaN and the like bare and in quotes alike: where nothing would keep the text, both are bad records */
            if (s->options->mode == FORMAT_MODE_DEAD_LETTERS && !s->exact && json_is_non_numeric_text(text))
                return json_bad(w, "a number that allowNonNumericNumbers => false forbids");
            return JSON_MISFIT;
        }
        w->at++;
        return JSON_FITS;
    }
    Str token = json_token(w);
    bool integral, exact = true;
    if (value_is_number(token, s->options->allow_leading_zeros, &integral)) {
        *out = single ? (double)value_float(token, s->exact ? &exact : NULL) : value_double(token, s->exact ? &exact : NULL);
        if (!exact)
            return JSON_MISFIT;
    } else if (!json_non_numeric(s->options, token, out)) {
        return JSON_MISFIT; /* another kind of value, or none: the skip will see */
    }
    w->at++;
    return JSON_FITS;
}

static int put_float(JsonScalars *s, JsonWalk *w, JsonPlace *node, uint64_t row)
{
    void *data = node->column->data;
    double value;
    int r = take_float(s, w, node->kind == TYPE_FLOAT, &value);
    if (r != JSON_FITS)
        return r;
    if (node->kind == TYPE_FLOAT)
        ((float *)data)[row] = (float)value;
    else
        ((double *)data)[row] = value;
    column_set_valid(node->column, row);
    return JSON_FITS;
}

static int put_string(JsonWalk *w, JsonPlace *node, uint64_t row)
{
    char c = json_char(w);
    Str text;
    if (c == '"' || c == '\'') {
        if (json_string(w, &text) < 0)
            return JSON_BAD;
        w->at++;
    } else if (json_skip(w, &text) < 0) {
        return JSON_BAD;
    }
    column_set_valid(node->column, row);
    column_set_string(node->column, row, text.ptr, text.size);
    return JSON_FITS;
}

/* Text of the current token for types that are written as text; JSON_MISFIT if it is none, or empty. */
static int take_text(JsonWalk *w, Str *text)
{
    char c = json_char(w);
    if (c != '"' && c != '\'')
        return JSON_MISFIT;
    if (json_string(w, text) < 0)
        return JSON_BAD;
    return text->size > 0 ? JSON_FITS : JSON_MISFIT;
}

static int put_decimal(JsonScalars *s, JsonWalk *w, JsonPlace *node, uint64_t row)
{
    Str text;
    char c = json_char(w);
    char plain[64];
    if (c == '"' || c == '\'') {
        int r = take_text(w, &text);
        if (r != JSON_FITS)
            return r;
        if (memchr(text.ptr, ',', text.size)) { /* as Spark: grouping commas are dropped */
            size_t size = 0;
            for (size_t i = 0; i < text.size && size < sizeof plain; i++)
                if (text.ptr[i] != ',')
                    plain[size++] = text.ptr[i];
            text = (Str){plain, size};
        }
    } else {
        text = json_token(w);
        bool integral;
        if (!value_is_number(text, s->options->allow_leading_zeros, &integral))
            return JSON_MISFIT;
    }
    __int128 value;
    if (!value_decimal(text, node->type->precision, node->type->scale, s->exact, &value))
        return JSON_MISFIT;
    column_set_valid(node->column, row);
    value_store_decimal(node->column->data, row, node->type->precision, value);
    w->at++;
    return JSON_FITS;
}

static int put_time(JsonScalars *s, JsonWalk *w, JsonPlace *node, uint64_t row)
{
    if (node->kind == TYPE_TIMESTAMP && is_number_start(json_char(w))) { /* as Spark: whole seconds */
        int64_t seconds;
        int r = take_integer(s, w, &seconds);
        if (r != JSON_FITS)
            return r;
        if (seconds < INT64_MIN / 1000000 || seconds > INT64_MAX / 1000000)
            return JSON_MISFIT;
        column_set_valid(node->column, row);
        ((int64_t *)node->column->data)[row] = seconds * 1000000;
        return JSON_FITS;
    }
    Str text;
    int r = take_text(w, &text);
    if (r != JSON_FITS)
        return r;
    bool fits;
    int64_t us;
    int32_t days;
    if (node->kind == TYPE_DATE)
        fits = s->date_pattern ? time_pattern_date(s->date_pattern, text, &days) : value_date(text, &days);
    else if (node->kind == TYPE_TIMESTAMP)
        fits = s->timestamp_pattern ? time_pattern_timestamp(s->timestamp_pattern, text, s->zone, &us) : value_timestamp(text, s->zone, &us);
    else
        fits = s->ntz_pattern ? time_pattern_ntz(s->ntz_pattern, text, &us) : value_timestamp_ntz(text, &us);
    if (!fits)
        return JSON_MISFIT;
    column_set_valid(node->column, row);
    if (node->kind == TYPE_DATE)
        ((int32_t *)node->column->data)[row] = days;
    else
        ((int64_t *)node->column->data)[row] = us;
    w->at++;
    return JSON_FITS;
}

int json_scalar_variant(JsonScalars *s, JsonWalk *w, JsonPlace *node, uint64_t row)
{
    int r = json_variant(w, &s->variant);
    if (r)
        return r;
    Column *parts = node->column->children;
    str_buf_clear(&s->bytes);
    variant_writer_metadata(&s->variant, &s->bytes);
    column_set_valid(node->column, row);
    for (int i = 0; i < 2; i++) {
        const StrBuf *part = i ? &s->variant.value : &s->bytes;
        column_set_valid(&parts[i], row);
        column_set_string(&parts[i], row, part->ptr, part->size);
    }
    return JSON_FITS;
}

int json_scalar_put(JsonScalars *s, JsonWalk *w, JsonPlace *node, uint64_t row)
{
    if (node->kind == TYPE_VARIANT) { /* its null is a value */
        int r = json_scalar_variant(s, w, node, row);
        return r > 0 ? JSON_MISFIT : r;
    }
    if (json_char(w) == 'n') {
        SILT_TRY(json_walk_null(w));
        json_place_set_null(node, row);
        return JSON_FITS;
    }
    Column *column = node->column;
    switch (node->kind) {
    case TYPE_STRING:
        return put_string(w, node, row);
    case TYPE_LONG:
    case TYPE_INT:
    case TYPE_SHORT:
    case TYPE_BYTE:
        return put_integer(s, w, node, row);
    case TYPE_DOUBLE:
    case TYPE_FLOAT:
        return put_float(s, w, node, row);
    case TYPE_BOOLEAN: {
        Str token = json_token(w);
        bool value;
        if (!value_boolean(token, false, &value))
            return JSON_MISFIT;
        ((uint8_t *)column->data)[row] = value;
        column_set_valid(node->column, row);
        w->at++;
        return JSON_FITS;
    }
    case TYPE_DECIMAL:
        return put_decimal(s, w, node, row);
    case TYPE_DATE:
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        return put_time(s, w, node, row);
    case TYPE_BINARY: {
        Str text;
        char c = json_char(w);
        if (c != '"' && c != '\'')
            return JSON_MISFIT;
        if (json_string(w, &text) < 0)
            return JSON_BAD;
        str_buf_clear(&s->bytes);
        if (!value_base64(text, &s->bytes))
            return JSON_MISFIT;
        column_set_valid(node->column, row);
        column_set_string(column, row, str_buf_text(&s->bytes), s->bytes.size);
        w->at++;
        return JSON_FITS;
    }
    default:
        return JSON_MISFIT; /* VOID: only null fits */
    }
}
