/* duck/xml_style.c - see xml_style.h */
#include "duck/xml_style.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum OptionKind { TEXT, TAG, NULL_TEXT, TRUTH, MODE, RATIO, LOCALE, IDLE, IDLE_TAG, IDLE_TRUTH, MISSING } OptionKind;

#define AT(field) offsetof(XmlStyle, field)

static const struct {
    const char *name;
    OptionKind kind;
    size_t at;
} rows[] = {
    {"attributePrefix", TEXT, AT(attribute_prefix)},
    {"valueTag", TAG, AT(value_tag)},
    {"wildcardColName", TEXT, AT(wildcard)},
    {"columnNameOfCorruptRecord", TEXT, AT(corrupt)},
    {"nullValue", NULL_TEXT, AT(null_text)},
    {"ignoreSurroundingSpaces", TRUTH, AT(trim)},
    {"mode", MODE, 0},
    {"excludeAttribute", TRUTH, AT(no_attributes)},
    {"ignoreNamespace", TRUTH, AT(no_namespace)},
    {"inferSchema", TRUTH, AT(infer)},
    {"preferDate", TRUTH, AT(prefer_date)},
    {"prefersDecimal", TRUTH, AT(prefer_decimal)},
    {"timestampFormat", TEXT, AT(timestamp_format)},
    {"timestampNTZFormat", TEXT, AT(ntz_format)},
    {"dateFormat", TEXT, AT(date_format)},
    {"timeZone", TEXT, AT(time_zone)},
    {"rowTag", TAG, AT(row_tag)},
    {"arrayElementName", TEXT, AT(element_name)},
    {"indent", TEXT, AT(indent)},
    {"validateName", TRUTH, AT(check_names)},
    {"locale", LOCALE, 0},
    /* how a file is cut, written around its records, or its schema found: nothing to one text */
    {"rootTag", IDLE_TAG, 0},
    {"declaration", IDLE_TAG, 0},
    {"samplingRatio", RATIO, 0},
    {"multiLine", IDLE_TRUTH, 0},
    {"compression", IDLE, 0},
    {"codec", IDLE, 0},
    {"encoding", IDLE, 0},
    {"charset", IDLE, 0},
    /* which Spark reads and does not heed */
    {"treatEmptyValuesAsNulls", IDLE_TRUTH, 0},
    {"enableDateTimeParsingFallback", IDLE_TRUTH, 0},
    {"rowValidationXSDPath", MISSING, 0},
    {"singleVariantColumn", MISSING, 0},
    {"timeFormat", MISSING, 0},
};

void xml_style_init(XmlStyle *style)
{
    *style = (XmlStyle){
        .attribute_prefix = STR("_"),
        .value_tag = STR("_VALUE"),
        .wildcard = STR("xs_any"),
        .corrupt = STR("_corrupt_record"),
        .null_text = STR(""),
        .trim = true,
        .infer = true,
        .prefer_date = true,
        .timestamp_format = STR(""),
        .ntz_format = STR(""),
        .date_format = STR(""),
        .time_zone = STR(""),
        .row_tag = STR("ROW"),
        .element_name = STR("item"),
        .indent = STR("    "),
        .check_names = true,
    };
}

static int refuse(SiltErr *err, const char *code, Str name, Str value, const char *why)
{
    silt_fail(err, SILT_CONFIG, "the option %.*s = \"%.*s\": %s", (int)name.size, name.ptr, (int)value.size, value.ptr, why);
    return silt_code(err, code);
}

static bool has_brackets(Str value)
{
    return value.size && (value.ptr[0] == '<' || value.ptr[value.size - 1] == '>');
}

static int set_mode(XmlStyle *style, Str name, Str value, SiltErr *err)
{
    style->fail_fast = str_is_nocase(value, "FAILFAST");
    if (style->fail_fast || str_is_nocase(value, "PERMISSIVE"))
        return 0;
    return refuse(err, "PARSE_MODE_UNSUPPORTED", name, value, "it is PERMISSIVE or FAILFAST");
}

int xml_style_set(XmlStyle *style, Str name, Str value, SiltErr *err)
{
    size_t i = 0, count = sizeof rows / sizeof *rows;
    char number[32];

    while (i < count && !str_is_nocase(name, rows[i].name))
        i++;
    if (i == count)
        return refuse(err, "UNSUPPORTED_FEATURE.XML_OPTION", name, value, "there is no such option");
    void *field = (char *)style + rows[i].at;

    switch (rows[i].kind) {
    case NULL_TEXT:
        style->has_null = true;
        *(Str *)field = value;
        return 0;
    case TAG:
    case IDLE_TAG:
        if ((rows[i].kind == TAG && !value.size) || has_brackets(value))
            return refuse(err, "INVALID_PARAMETER_VALUE", name, value, "it is a name without angle brackets");
        if (rows[i].kind == TAG)
            *(Str *)field = value;
        return 0;
    case TEXT:
        *(Str *)field = value;
        return 0;
    case TRUTH:
    case IDLE_TRUTH:
        if (!str_is_nocase(value, "true") && !str_is_nocase(value, "false"))
            return refuse(err, "INVALID_PARAMETER_VALUE.BOOLEAN", name, value, "it is true or false");
        if (rows[i].kind == TRUTH)
            *(bool *)field = str_is_nocase(value, "true");
        return 0;
    case MODE:
        return set_mode(style, name, value, err);
    case RATIO:
        snprintf(number, sizeof number, "%.*s", (int)(value.size < 31 ? value.size : 31), value.ptr);
        return strtod(number, NULL) > 0 ? 0 : refuse(err, "INVALID_PARAMETER_VALUE", name, value, "it is a number above 0");
    case LOCALE:
        if (!str_is_nocase(value, "en-US") && !str_is_nocase(value, "en"))
            return refuse(err, "UNSUPPORTED_FEATURE.LOCALE", name, value,
                          "numbers and names of months are read and written as in en-US only");
        return 0;
    case MISSING:
        return refuse(err, "UNSUPPORTED_FEATURE.XML_OPTION", name, value, "it is not there yet");
    default:
        return 0;
    }
}

int xml_style_finish(const XmlStyle *style, SiltErr *err)
{
    if (str_equal(style->value_tag, style->attribute_prefix))
        return refuse(err, "INVALID_PARAMETER_VALUE", STR("valueTag"), style->value_tag, "it is not the attributePrefix");
    return 0;
}

Str xml_style_name(const XmlStyle *style, Str name)
{
    const char *colon = style->no_namespace ? memrchr(name.ptr, ':', name.size) : NULL;

    return colon ? (Str){colon + 1, (size_t)(name.ptr + name.size - colon - 1)} : name;
}

static Str trim(Str text)
{
    while (text.size && (unsigned char)text.ptr[0] <= ' ')
        text = (Str){text.ptr + 1, text.size - 1};
    while (text.size && (unsigned char)text.ptr[text.size - 1] <= ' ')
        text.size--;
    return text;
}

Str xml_style_text(const XmlStyle *style, Str text)
{
    return style->trim ? trim(text) : text;
}

bool xml_style_is_null(const XmlStyle *style, Str text)
{
    return style->has_null && str_equal(text, style->null_text);
}

bool xml_is_blank(Str text)
{
    return !trim(text).size;
}
