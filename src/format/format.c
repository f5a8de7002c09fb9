/* format/format.c - the formats and their options; adding one is a row here and a file of its own */
#include "format/format.h"

#include "format/csv_format.h"
#include "format/infer.h"
#include "format/json_format.h"
#include "format/json_records.h"
#include "format/local_zone.h"
#include "format/time_pattern.h"

#include <string.h>
#include <strings.h>

#define AT(field) offsetof(FormatOptions, field)
#define LATER(name, help) {name, OPTION_LATER, 0, 0, NULL, help}
#define IGNORED(name, why) {name, OPTION_IGNORED, 0, 0, NULL, why}

#define TEXT_OPTIONS \
    {"mode", OPTION_TEXT, AT(mode_text), 0, "PERMISSIVE|DROPMALFORMED|FAILFAST", "what a record that cannot be read makes of the read; without it such records go to the dead letters"}, \
    {"columnNameOfCorruptRecord", OPTION_TEXT, AT(corrupt_record_column), 0, NULL, "column of the schema that takes the text of a corrupt record"}, \
    {"rescuedDataColumn", OPTION_TEXT, AT(rescued_data_column), 0, NULL, "name of the column that takes fields that are unknown or do not fit; _rescued_data when the schema is inferred"}, \
    {"encoding", OPTION_TEXT, AT(encoding), 0, NULL, "UTF-8"}, \
    {"charset", OPTION_TEXT, AT(encoding), 0, NULL, "the same as encoding"}, \
    {"dateFormat", OPTION_TEXT, AT(date_format), 0, NULL, "pattern of dates, such as dd/MM/yyyy"}, \
    {"timestampFormat", OPTION_TEXT, AT(timestamp_format), 0, NULL, "pattern of timestamps"}, \
    {"timestampNTZFormat", OPTION_TEXT, AT(timestamp_ntz_format), 0, NULL, "pattern of timestamps without a zone"}, \
    {"timeZone", OPTION_TEXT, AT(time_zone), 0, NULL, "zone of timestamps that name none; the session's"}, \
    {"multiLine", OPTION_BOOL, AT(multi_line), 0, NULL, "records may span lines"}, \
    {"lineSep", OPTION_TEXT, AT(line_sep), 0, NULL, "only \\n (with or without \\r) for now"}, \
    {"maxRecordSize", OPTION_BYTES, AT(record_bytes_max), 1, NULL, "a longer record is undecodable; 128m"}, \
    IGNORED("samplingRatio", "the sample of the inference is bounded by files, records and bytes"), \
    IGNORED("ignoreNullFields", "for writing"), \
    LATER("locale", "only en-US"), \
    LATER("badRecordsPath", "not transactional: see the dead letters"), \
    LATER("singleVariantColumn", "")

static const OptionRow json_options[] = {
    TEXT_OPTIONS,
    {"allowSingleQuotes", OPTION_BOOL, AT(allow_single_quotes), 0, NULL, "text in single quotes (true)"},
    {"allowComments", OPTION_BOOL, AT(allow_comments), 0, NULL, "comments of Java and C (false)"},
    {"allowUnquotedFieldNames", OPTION_BOOL, AT(allow_unquoted_names), 0, NULL, "bare names of members (false)"},
    {"allowNonNumericNumbers", OPTION_BOOL, AT(allow_non_numeric), 0, NULL, "NaN, Infinity and the like, bare or in quotes (true)"},
    {"allowUnquotedControlChars", OPTION_BOOL, AT(allow_control_chars), 0, NULL, "control characters in text (false)"},
    {"allowNumericLeadingZeros", OPTION_BOOL, AT(allow_leading_zeros), 0, NULL, "007 (false)"},
    {"allowBackslashEscapingAnyCharacter", OPTION_BOOL, AT(allow_backslash_any), 0, NULL, "a backslash before any character (false)"},
    {"primitivesAsString", OPTION_BOOL, AT(primitives_as_string), 0, NULL, "infer STRING for all that is no object or array (false)"},
    {"prefersDecimal", OPTION_BOOL, AT(prefers_decimal), 0, NULL, "infer DECIMAL for fractions (false)"},
    {"inferTimestamp", OPTION_BOOL, AT(infer_timestamp), 0, NULL, "infer TIMESTAMP for text that is one (false)"},
    {"dropFieldIfAllNull", OPTION_BOOL, AT(drop_field_if_all_null), 0, NULL, "no column for fields that are NULL all over the sample (false)"},
    LATER("readerCaseSensitive", "names are compared exactly; others are rescued"),
    {0},
};

static const OptionRow csv_options[] = {
    TEXT_OPTIONS,
    {"header", OPTION_BOOL, AT(header), 0, NULL, "the first record names the columns (read_files: true when the schema is inferred, else false)"},
    {"sep", OPTION_TEXT, AT(sep), 0, NULL, "between the fields (,)"},
    {"delimiter", OPTION_TEXT, AT(sep), 0, NULL, "the same as sep"},
    {"quote", OPTION_CHAR, AT(quote), 0, NULL, "around fields (\"); empty: none"},
    {"escape", OPTION_CHAR, AT(escape), 0, NULL, "before a quote inside of quotes (\\); two quotes are one in any case"},
    {"comment", OPTION_CHAR, AT(comment), 0, NULL, "records that begin with it are skipped"},
    {"nullValue", OPTION_TEXT, AT(null_value), 0, NULL, "text that is NULL (empty)"},
    {"emptyValue", OPTION_TEXT, AT(empty_value), 0, NULL, "what \"\" reads as (empty)"},
    {"nanValue", OPTION_TEXT, AT(nan_value), 0, NULL, "NaN"},
    {"positiveInf", OPTION_TEXT, AT(positive_inf), 0, NULL, "Inf"},
    {"negativeInf", OPTION_TEXT, AT(negative_inf), 0, NULL, "-Inf"},
    {"ignoreLeadingWhiteSpace", OPTION_BOOL, AT(ignore_leading_space), 0, NULL, "(false)"},
    {"ignoreTrailingWhiteSpace", OPTION_BOOL, AT(ignore_trailing_space), 0, NULL, "(false)"},
    {"enforceSchema", OPTION_BOOL, AT(enforce_schema), 0, NULL, "with a schema: match columns by position, whatever the header says; read_files matches by name (false)"},
    {"maxColumns", OPTION_COUNT, AT(columns_max), 1, NULL, "a record with more is undecodable (20480)"},
    {"maxCharsPerColumn", OPTION_COUNT, AT(chars_per_column_max), -1, NULL, "a record with a longer field is undecodable (-1: no limit)"},
    {"inferSchema", OPTION_BOOL, AT(infer_column_types), 0, NULL, "the same as inferColumnTypes"},
    IGNORED("mergeSchema", "columns are matched by name over all files"),
    IGNORED("preferDate", "dates are inferred as dates"),
    IGNORED("columnPruning", "columns that nobody reads are skipped"),
    LATER("charToEscapeQuoteEscaping", ""),
    LATER("unescapedQuoteHandling", ""),
    LATER("skipRows", ""),
    LATER("readerCaseSensitive", ""),
    {0},
};

static const OptionRow parquet_options[] = {
    {"rescuedDataColumn", OPTION_TEXT, AT(rescued_data_column), 0, NULL, ""},
    IGNORED("mergeSchema", "columns are matched by name over all files"),
    IGNORED("int96RebaseMode", "files of all writers read as they were written since Spark 3"),
    IGNORED("datetimeRebaseMode", "as int96RebaseMode"),
    LATER("readerCaseSensitive", ""),
    {0},
};

void format_options_init(FormatOptions *options)
{
    *options = (FormatOptions){
        .mode = FORMAT_MODE_DEAD_LETTERS,
        .corrupt_record_column = "_corrupt_record",
        .record_bytes_max = INT64_C(128) << 20,
        .allow_single_quotes = true,
        .allow_non_numeric = true,
        .quote = "\"",
        .escape = "\\",
        .sep = ",",
        .null_value = "",
        .empty_value = "",
        .nan_value = "NaN",
        .positive_inf = "Inf",
        .negative_inf = "-Inf",
        .comment = "",
        .columns_max = 20480,
        .chars_per_column_max = -1,
        .infer_column_types = true,
    };
}

static int check_text(FormatOptions *options, Arena *arena, SiltErr *err)
{
    options->mode = !options->mode_text                                            ? FORMAT_MODE_DEAD_LETTERS
                    : strcasecmp(options->mode_text, "PERMISSIVE") == 0            ? FORMAT_MODE_PERMISSIVE
                    : strcasecmp(options->mode_text, "DROPMALFORMED") == 0         ? FORMAT_MODE_DROP
                                                                                   : FORMAT_MODE_FAIL;
    if (options->encoding && strcasecmp(options->encoding, "UTF-8") != 0 && strcasecmp(options->encoding, "UTF8") != 0) {
        silt_fail(err, SILT_CONFIG, "cannot read text in the encoding \"%s\" yet", options->encoding);
        return silt_hint(err, "UTF-8 is read; convert the files with iconv.");
    }
    if (options->line_sep && strcmp(options->line_sep, "\n") != 0 && strcmp(options->line_sep, "\r\n") != 0 &&
        strcmp(options->line_sep, "\\n") != 0 && strcmp(options->line_sep, "\\r\\n") != 0)
        return silt_fail(err, SILT_CONFIG, "cannot split lines at \"%s\" yet: only at line feeds", options->line_sep);
    if (options->time_zone && !local_zone_find(str_of(options->time_zone)))
        return silt_fail(err, SILT_CONFIG, "unknown time zone \"%s\"", options->time_zone);
    const JavaTime *date, *timestamp, *ntz; /* decoders make their own: here it is for the error */
    return time_patterns_of(options, arena, &date, &timestamp, &ntz, err);
}

static const char *const json_suffixes[] = {".json", ".jsonl", ".ndjson", NULL};

const FormatOps format_json = {
    .name = "json",
    .summary = "JSON, a record a line or (multiLine) over several",
    .suffixes = json_suffixes,
    .options = json_options,
    .check = check_text,
    .cut = json_cut,
    .decoder_new = json_decoder_new,
    .decoder_begin = json_decoder_begin,
    .decoder_next = json_decoder_next,
    .decoder_counts = json_decoder_counts,
    .decoder_unknown = json_decoder_unknown,
    .decoder_free = json_decoder_free,
    .infer = json_infer,
};

static int check_csv(FormatOptions *options, Arena *arena, SiltErr *err)
{
    SILT_TRY(check_text(options, arena, err));
    return csv_check(options, arena, err);
}

static const char *const csv_suffixes[] = {".csv", ".tsv", NULL};

const FormatOps format_csv = {
    .name = "csv",
    .summary = "separated values, quoted where needed",
    .suffixes = csv_suffixes,
    .options = csv_options,
    .check = check_csv,
    .head = csv_head,
    .cut = csv_cut,
    .decoder_new = csv_decoder_new,
    .decoder_begin = csv_decoder_begin,
    .decoder_next = csv_decoder_next,
    .decoder_counts = csv_decoder_counts,
    .decoder_unknown = csv_decoder_unknown,
    .decoder_free = csv_decoder_free,
    .infer = csv_infer,
};

static const char *const parquet_suffixes[] = {".parquet", NULL};

const FormatOps format_parquet = {
    .name = "parquet",
    .summary = "Apache Parquet, read by DuckDB",
    .suffixes = parquet_suffixes,
    .options = parquet_options,
};

static const FormatOps *const formats[] = {&format_json, &format_csv, &format_parquet};

const FormatOps *format_find(Str name)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (str_is_nocase(name, formats[i]->name))
            return formats[i];
    return NULL;
}

bool format_is_later(Str name)
{
    static const char *const later[] = {"text", "binaryFile", "avro", "orc", "xml", "protobuf"};
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++)
        if (str_is_nocase(name, later[i]))
            return true;
    return false;
}
