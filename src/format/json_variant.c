/*
 * format/json_variant.c - see json_variant.h
 *
 * Spark's rules (VariantBuilder.parseJson): a number is a BIGINT, else a DECIMAL if it is digits and a point and 38 digits are enough, else a DOUBLE; a null is
 * a VARIANT's own null; the reader's options decide what is JSON.
 */
#include "format/json_variant.h"

#include "format/value.h"

static int put_value(JsonWalk *w, VariantWriter *writer, int depth);

static int put_scalar(JsonWalk *w, StrBuf *out)
{
    char c = json_char(w);
    Str text;
    bool integral;
    double number;

    if (c == '"' || c == '\'') {
        if (json_string(w, &text) < 0)
            return -1;
        variant_put_text(out, text);
        w->at++;
        return 0;
    }
    if (w->at >= w->count)
        return json_bad(w, "the record ends in the middle of a value");
    text = json_token(w);
    if (str_is(text, "null"))
        variant_put_null(out);
    else if (str_is(text, "true") || str_is(text, "false"))
        variant_put_boolean(out, c == 't');
    else if (json_non_numeric(w->options, text, &number))
        variant_put_double(out, number);
    else if (!value_is_number(text, w->options->allow_leading_zeros, &integral))
        return json_bad(w, "a value was expected");
    else if (!variant_put_number(out, text))
        variant_put_double(out, value_double(text, NULL));
    w->at++;
    return 0;
}

static int put_object(JsonWalk *w, VariantWriter *writer, int depth)
{
    VariantOpen open = variant_open(writer);
    w->at++;
    for (bool first = true; !first || json_char(w) != '}'; first = false) {
        Str name;
        if (json_walk_key(w, &name) < 0)
            return -1;
        variant_name(writer, name);
        w->at++;
        if (json_char(w) != ':')
            return json_bad(w, "a colon was expected");
        w->at++;
        int r = put_value(w, writer, depth + 1);
        if (r)
            return r;
        if (json_char(w) == '}')
            break;
        if (json_char(w) != ',')
            return json_bad(w, "a comma or } was expected");
        w->at++;
    }
    if (!variant_close_object(writer, open))
        return JSON_VARIANT_TWICE;
    w->at++;
    return 0;
}

static int put_array(JsonWalk *w, VariantWriter *writer, int depth)
{
    VariantOpen open = variant_open(writer);
    w->at++;
    for (bool first = true; !first || json_char(w) != ']'; first = false) {
        variant_item(writer);
        int r = put_value(w, writer, depth + 1);
        if (r)
            return r;
        if (json_char(w) == ']')
            break;
        if (json_char(w) != ',')
            return json_bad(w, "a comma or ] was expected");
        w->at++;
    }
    variant_close_array(writer, open);
    w->at++;
    return 0;
}

static int put_value(JsonWalk *w, VariantWriter *writer, int depth)
{
    char c = json_char(w);
    if (c != '{' && c != '[')
        return put_scalar(w, &writer->value);
    if (depth == JSON_DEPTH_MAX)
        return json_bad(w, "nested deeper than 1000 levels");
    return c == '{' ? put_object(w, writer, depth) : put_array(w, writer, depth);
}

int json_variant(JsonWalk *walk, VariantWriter *writer)
{
    int64_t repaired = walk->repaired;
    walk->gaps = true; /* nobody looks for line feeds between the tokens here */
    variant_writer_clear(writer);
    int r = put_value(walk, writer, 0);
    if (r == 0 && walk->repaired != repaired)
        r = JSON_VARIANT_HALF_PAIR;
    if (r)
        walk->repaired = repaired;
    return r;
}
