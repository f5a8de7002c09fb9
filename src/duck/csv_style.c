/* duck/csv_style.c - see csv_style.h */
#include "duck/csv_style.h"

#include <stddef.h>
#include <string.h>

typedef enum OptionKind { TEXT, TRUTH, BYTE, COUNT, SEPARATOR, MODE, QUIRK, LOCALE, ENCODING, IDLE_TRUTH, IDLE } OptionKind;

#define AT(field) offsetof(CsvStyle, field)

static const struct {
    const char *name;
    OptionKind kind;
    size_t at;
} rows[] = {
    {"sep", SEPARATOR, 0},
    {"delimiter", SEPARATOR, 0},
    {"quote", BYTE, AT(quote)},
    {"escape", BYTE, AT(escape)},
    {"charToEscapeQuoteEscaping", BYTE, AT(quote_escape)},
    {"comment", BYTE, AT(comment)},
    {"ignoreLeadingWhiteSpace", TRUTH, AT(trim_left)},
    {"ignoreTrailingWhiteSpace", TRUTH, AT(trim_right)},
    {"unescapedQuoteHandling", QUIRK, 0},
    {"maxColumns", COUNT, AT(columns_max)},
    {"maxCharsPerColumn", COUNT, AT(chars_max)},
    {"nullValue", TEXT, AT(null_text)},
    {"emptyValue", TEXT, AT(empty_text)},
    {"nanValue", TEXT, AT(nan)},
    {"positiveInf", TEXT, AT(positive_infinity)},
    {"negativeInf", TEXT, AT(negative_infinity)},
    {"mode", MODE, 0},
    {"columnNameOfCorruptRecord", TEXT, AT(corrupt)},
    {"timestampFormat", TEXT, AT(timestamp_format)},
    {"timestampNTZFormat", TEXT, AT(ntz_format)},
    {"dateFormat", TEXT, AT(date_format)},
    {"timeZone", TEXT, AT(time_zone)},
    {"enableDateTimeParsingFallback", TRUTH, AT(fallback)},
    {"preferDate", TRUTH, AT(prefer_date)},
    {"quoteAll", TRUTH, AT(quote_all)},
    {"escapeQuotes", TRUTH, AT(escape_quotes)},
    {"lineSep", TEXT, AT(line_end)}, /* a text that is read is one record, whatever ends lines */
    {"locale", LOCALE, 0},
    {"encoding", ENCODING, 0},
    {"charset", ENCODING, 0},
    /* how a file is cut or its schema found: nothing to one text */
    {"header", IDLE_TRUTH, 0},
    {"inferSchema", IDLE_TRUTH, 0},
    {"enforceSchema", IDLE_TRUTH, 0},
    {"samplingRatio", IDLE, 0},
    {"multiLine", IDLE_TRUTH, 0},
    {"compression", IDLE, 0},
};

void csv_style_init(CsvStyle *style, bool writing)
{
    *style = (CsvStyle){
        .separator = STR(","),
        .quote = '"',
        .escape = '\\',
        .quote_escape = -2, /* not given: csv_style_finish */
        .comment = writing ? '#' : -1,
        .trim_left = writing,
        .trim_right = writing,
        .columns_max = 20480,
        .chars_max = -1,
        .null_text = STR(""),
        .empty_text = writing ? STR("\"\"") : STR(""),
        .nan = STR("NaN"),
        .positive_infinity = STR("Inf"),
        .negative_infinity = STR("-Inf"),
        .prefer_date = true,
        .corrupt = STR("_corrupt_record"),
        .escape_quotes = true,
        .timestamp_format = STR(""),
        .ntz_format = STR(""),
        .date_format = STR(""),
        .time_zone = STR(""),
        .line_end = STR("\n"),
    };
}

static int refuse(SiltErr *err, const char *code, Str name, Str value, const char *why)
{
    silt_fail(err, SILT_CONFIG, "the option %.*s = \"%.*s\": %s", (int)name.size, name.ptr, (int)value.size, value.ptr, why);
    return silt_code(err, code);
}

/* \t and \\ as people write them */
static int set_separator(CsvStyle *style, Arena *arena, Str name, Str value, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf plain = {0};

    for (size_t i = 0; i < value.size; i++) {
        char next = value.ptr[i] == '\\' && i + 1 < value.size ? value.ptr[i + 1] : 0;

        str_buf_putc(&plain, next == 't' ? '\t' : value.ptr[i]);
        i += next == 't' || next == '\\';
    }
    if (!plain.size)
        return refuse(err, "INVALID_DELIMITER_VALUE.EMPTY_STRING", name, value, "a separator has at least one character");
    style->separator = arena_str(arena, str_buf_view(&plain));
    return 0;
}

static int set_byte(int *out, Str name, Str value, SiltErr *err)
{
    if (value.size > 1)
        return refuse(err, "OPTION_VALUE_EXCEEDS_ONE_CHARACTER", name, value, "it is one ASCII character, or empty");
    *out = value.size ? (unsigned char)value.ptr[0] : -1;
    return 0;
}

static int set_quirk(CsvStyle *style, Str name, Str value, SiltErr *err)
{
    static const char *const words[] = {"STOP_AT_DELIMITER", "STOP_AT_CLOSING_QUOTE", "SKIP_VALUE", "RAISE_ERROR"}; /* as CsvQuirk */

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is_nocase(value, words[i])) {
            style->quirk = (CsvQuirk)i;
            return 0;
        }
    return refuse(err, "UNSUPPORTED_FEATURE.CSV_OPTION", name, value, "known are STOP_AT_DELIMITER, STOP_AT_CLOSING_QUOTE, SKIP_VALUE and RAISE_ERROR");
}

static bool is_utf8(Str name)
{
    return str_is_nocase(name, "UTF-8") || str_is_nocase(name, "UTF8");
}

int csv_style_set(CsvStyle *style, Arena *arena, Str name, Str value, SiltErr *err)
{
    size_t i = 0, count = sizeof rows / sizeof *rows;

    while (i < count && !str_is_nocase(name, rows[i].name))
        i++;
    if (i == count)
        return refuse(err, "UNSUPPORTED_FEATURE.CSV_OPTION", name, value, "there is no such option");
    void *field = (char *)style + rows[i].at;

    switch (rows[i].kind) {
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
    case BYTE:
        return set_byte(field, name, value, err);
    case COUNT:
        return str_to_int64(value, field) ? 0 : refuse(err, "INVALID_PARAMETER_VALUE.INTEGER", name, value, "it is a whole number");
    case SEPARATOR:
        return set_separator(style, arena, name, value, err);
    case MODE:
        style->fail_fast = str_is_nocase(value, "FAILFAST");
        if (!style->fail_fast && !str_is_nocase(value, "PERMISSIVE"))
            return refuse(err, "PARSE_MODE_UNSUPPORTED", name, value, "it is PERMISSIVE or FAILFAST");
        return 0;
    case QUIRK:
        return set_quirk(style, name, value, err);
    case LOCALE:
        if (!str_is_nocase(value, "en-US") && !str_is_nocase(value, "en"))
            return refuse(err, "UNSUPPORTED_FEATURE.LOCALE", name, value, "numbers and names of months are read and written as in en-US only");
        return 0;
    case ENCODING:
        return is_utf8(value) ? 0 : refuse(err, "INVALID_PARAMETER_VALUE.CHARSET", name, value, "a STRING is UTF-8");
    default:
        return 0;
    }
}

int csv_style_finish(CsvStyle *style, bool writing, SiltErr *err)
{
    if (style->quote_escape == -2)
        style->quote_escape = style->escape == style->quote ? -1 : style->escape;
    if (!writing || (style->quote >= 0 && style->escape >= 0))
        return 0;
    silt_fail(err, SILT_CONFIG, "to_csv needs a quote and an escape");
    return silt_code(err, "UNSUPPORTED_FEATURE.CSV_OPTION");
}
