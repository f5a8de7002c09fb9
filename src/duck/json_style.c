/* duck/json_style.c - see json_style.h */
#include "duck/json_style.h"

#include <stddef.h>

typedef enum OptionKind { TEXT, TRUTH, FLAG, MODE, LOCALE, ENCODING, LINE_END, IDLE_TRUTH, IDLE } OptionKind;

#define AT(field) offsetof(JsonStyle, field)

static const struct {
    const char *name;
    OptionKind kind;
    size_t at; /* FLAG: which of NodeFlags */
} rows[] = {
    {"mode", MODE, 0},
    {"columnNameOfCorruptRecord", TEXT, AT(corrupt)},
    {"timestampFormat", TEXT, AT(timestamp_format)},
    {"timestampNTZFormat", TEXT, AT(ntz_format)},
    {"dateFormat", TEXT, AT(date_format)},
    {"timeZone", TEXT, AT(time_zone)},
    {"enableDateTimeParsingFallback", TRUTH, AT(fallback)},
    {"allowSingleQuotes", FLAG, NODE_SINGLE_QUOTES},
    {"allowNonNumericNumbers", FLAG, NODE_NON_NUMBERS},
    {"allowComments", FLAG, NODE_COMMENTS},
    {"allowUnquotedFieldNames", FLAG, NODE_UNQUOTED_NAMES},
    {"allowNumericLeadingZeros", FLAG, NODE_LEADING_ZEROS},
    {"allowBackslashEscapingAnyCharacter", FLAG, NODE_ANY_ESCAPE},
    {"allowUnquotedControlChars", FLAG, NODE_CONTROLS},
    {"ignoreNullFields", TRUTH, AT(drop_nulls)},
    {"pretty", TRUTH, AT(pretty)},
    {"writeNonAsciiCharacterAsCodePoint", TRUTH, AT(ascii)},
    {"primitivesAsString", TRUTH, AT(text_only)},
    {"prefersDecimal", TRUTH, AT(decimals)},
    {"dropFieldIfAllNull", TRUTH, AT(drop_empty)},
    {"inferTimestamp", TRUTH, AT(timestamps)},
    {"locale", LOCALE, 0},
    {"encoding", ENCODING, 0},
    {"charset", ENCODING, 0},
    /* how a file is cut: nothing to one text */
    {"lineSep", LINE_END, 0},
    {"multiLine", IDLE_TRUTH, 0},
    {"samplingRatio", IDLE, 0},
    {"compression", IDLE, 0},
};

void json_style_init(JsonStyle *style)
{
    *style = (JsonStyle){
        .reading = NODE_DEFAULT,
        .corrupt = STR("_corrupt_record"),
        .timestamp_format = STR(""),
        .ntz_format = STR(""),
        .date_format = STR(""),
        .time_zone = STR(""),
        .drop_nulls = true,
    };
}

static int refuse(SiltErr *err, const char *code, Str name, Str value, const char *why)
{
    silt_fail(err, SILT_CONFIG, "the option %.*s = \"%.*s\": %s", (int)name.size, name.ptr, (int)value.size, value.ptr, why);
    return silt_code(err, code);
}

int json_style_set(JsonStyle *style, Str name, Str value, SiltErr *err)
{
    size_t i = 0, count = sizeof rows / sizeof *rows;
    bool yes = str_is_nocase(value, "true");

    while (i < count && !str_is_nocase(name, rows[i].name))
        i++;
    if (i == count)
        return refuse(err, "UNSUPPORTED_FEATURE.JSON_OPTION", name, value, "there is no such option");
    bool truth = rows[i].kind == TRUTH || rows[i].kind == FLAG || rows[i].kind == IDLE_TRUTH;

    if (truth && !yes && !str_is_nocase(value, "false"))
        return refuse(err, "INVALID_PARAMETER_VALUE.BOOLEAN", name, value, "it is true or false");
    switch (rows[i].kind) {
    case TEXT:
        *(Str *)((char *)style + rows[i].at) = value;
        return 0;
    case TRUTH:
        *((bool *)style + rows[i].at) = yes;
        return 0;
    case FLAG:
        style->reading = yes ? style->reading | (unsigned)rows[i].at : style->reading & ~(unsigned)rows[i].at;
        return 0;
    case MODE:
        style->fail_fast = str_is_nocase(value, "FAILFAST");
        if (!style->fail_fast && !str_is_nocase(value, "PERMISSIVE"))
            return refuse(err, "PARSE_MODE_UNSUPPORTED", name, value, "it is PERMISSIVE or FAILFAST");
        return 0;
    case LOCALE:
        if (!str_is_nocase(value, "en-US") && !str_is_nocase(value, "en"))
            return refuse(err, "UNSUPPORTED_FEATURE.LOCALE", name, value, "numbers and names of months are read and written as in en-US only");
        return 0;
    case ENCODING:
        return str_is_nocase(value, "UTF-8") || str_is_nocase(value, "UTF8") ? 0 : refuse(err, "INVALID_PARAMETER_VALUE.CHARSET", name, value, "a STRING is UTF-8");
    case LINE_END:
        return value.size ? 0 : refuse(err, "INVALID_PARAMETER_VALUE.LINE_SEPARATOR", name, value, "it is not empty");
    default:
        return 0;
    }
}
