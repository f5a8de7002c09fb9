/* format/format.c - the formats and their options; adding one is a row here and a file of its own */
#include "format/format.h"

#include "duck/avro_plan.h"
#include "duck/zone.h"
#include "format/avro.h"
#include "format/csv_format.h"
#include "format/infer.h"
#include "format/json_format.h"
#include "format/json_records.h"
#include "format/text_format.h"
#include "format/time_pattern.h"

#include <string.h>
#include <strings.h>

#define AT(field) offsetof(FormatOptions, field)
#define LATER(name, help) {name, OPTION_LATER, 0, 0, NULL, NULL, help}
#define IGNORED(name, why) {name, OPTION_IGNORED, 0, 0, NULL, NULL, why}

#define TEXT_OPTIONS \
    {"mode", OPTION_TEXT, AT(mode_text), 0, "PERMISSIVE|DROPMALFORMED|FAILFAST", NULL, "what a record that cannot be read makes of the read; without it such records go to the dead letters"}, \
    {"columnNameOfCorruptRecord", OPTION_TEXT, AT(corrupt_record_column), 0, NULL, NULL, "column of the schema that takes the text of a corrupt record"}, \
    {"rescuedDataColumn", OPTION_TEXT, AT(rescued_data_column), 0, NULL, NULL, "name of the column that takes fields that are unknown or do not fit; _rescued_data when the schema is inferred"}, \
    {"encoding", OPTION_TEXT, AT(encoding), 0, NULL, NULL, "of the text (UTF-8; UTF-16 and UTF-32 are told by their byte order mark)"}, \
    {"charset", OPTION_TEXT, AT(encoding), 0, NULL, NULL, "the same as encoding"}, \
    {"dateFormat", OPTION_TEXT, AT(date_format), 0, NULL, NULL, "pattern of dates, such as dd/MM/yyyy"}, \
    {"timestampFormat", OPTION_TEXT, AT(timestamp_format), 0, NULL, NULL, "pattern of timestamps"}, \
    {"timestampNTZFormat", OPTION_TEXT, AT(timestamp_ntz_format), 0, NULL, NULL, "pattern of timestamps without a zone"}, \
    {"timeZone", OPTION_TEXT, AT(time_zone), 0, NULL, NULL, "zone of timestamps that name none; the session's"}, \
    {"multiLine", OPTION_BOOL, AT(multi_line), 0, NULL, NULL, "records may span lines"}, \
    {"lineSep", OPTION_TEXT, AT(line_sep), 0, NULL, NULL, "between records (JSON: line feeds; CSV: \\n, \\r\\n and \\r)"}, \
    {"maxRecordSize", OPTION_BYTES, AT(record_bytes_max), 1, NULL, NULL, "a longer record is undecodable; 128m"}, \
    IGNORED("samplingRatio", "the sample of the inference is bounded by files, records and bytes"), \
    IGNORED("ignoreNullFields", "for writing"), \
    {"locale", OPTION_TEXT, AT(locale), 0, "en-US|en_US|en", NULL, "of names of months and days: en-US"}, \
    {"readerCaseSensitive", OPTION_BOOL, AT(case_sensitive), 0, NULL, NULL, "a field whose name differs by case is another field (true)"}, \
    {"parserCaseSensitive", OPTION_BOOL, AT(case_sensitive), 0, NULL, NULL, "the older name of readerCaseSensitive"}, \
    IGNORED("mergeSchema", "columns are matched by name over all files"), \
    LATER("badRecordsPath", "Files beside the table would not be part of its transaction: what cannot be read is in <table>_dead_letters.")

static const OptionRow json_options[] = {
    TEXT_OPTIONS,
    {"singleVariantColumn", OPTION_TEXT, AT(single_variant_column), 0, NULL, NULL, "name of the only column, a VARIANT that takes whole records"},
    {"allowSingleQuotes", OPTION_BOOL, AT(allow_single_quotes), 0, NULL, NULL, "text in single quotes (true)"},
    {"allowComments", OPTION_BOOL, AT(allow_comments), 0, NULL, NULL, "comments of Java and C (false)"},
    {"allowUnquotedFieldNames", OPTION_BOOL, AT(allow_unquoted_names), 0, NULL, NULL, "bare names of members (false)"},
    {"allowNonNumericNumbers", OPTION_BOOL, AT(allow_non_numeric), 0, NULL, NULL, "NaN, Infinity and the like, bare or in quotes (true)"},
    {"allowUnquotedControlChars", OPTION_BOOL, AT(allow_control_chars), 0, NULL, NULL, "control characters in text (false)"},
    {"allowNumericLeadingZeros", OPTION_BOOL, AT(allow_leading_zeros), 0, NULL, NULL, "007 (false)"},
    {"allowBackslashEscapingAnyCharacter", OPTION_BOOL, AT(allow_backslash_any), 0, NULL, NULL, "a backslash before any character (false)"},
    {"primitivesAsString", OPTION_BOOL, AT(primitives_as_string), 0, NULL, NULL, "infer STRING for all that is no object or array (false)"},
    {"prefersDecimal", OPTION_BOOL, AT(prefers_decimal), 0, NULL, NULL, "infer DECIMAL for fractions (false)"},
    {"inferTimestamp", OPTION_BOOL, AT(infer_timestamp), 0, NULL, NULL, "infer TIMESTAMP for text that is one (false)"},
    {"dropFieldIfAllNull", OPTION_BOOL, AT(drop_field_if_all_null), 0, NULL, NULL, "no column for fields that are NULL all over the sample (false)"},
    {0},
};

static const OptionRow csv_options[] = {
    TEXT_OPTIONS,
    {"header", OPTION_BOOL, AT(header), 0, NULL, NULL, "the first record names the columns (read_files: true when the schema is inferred, else false)"},
    {"sep", OPTION_TEXT, AT(sep), 0, NULL, NULL, "between the fields (,)"},
    {"delimiter", OPTION_TEXT, AT(sep), 0, NULL, NULL, "the same as sep"},
    {"quote", OPTION_CHAR, AT(quote), 0, NULL, NULL, "around fields (\"); empty: none"},
    {"escape", OPTION_CHAR, AT(escape), 0, NULL, NULL, "before a quote inside of quotes (\\); two quotes are one in any case"},
    {"comment", OPTION_CHAR, AT(comment), 0, NULL, NULL, "records that begin with it are skipped"},
    {"nullValue", OPTION_TEXT, AT(null_value), 0, NULL, NULL, "text that is NULL (empty)"},
    {"emptyValue", OPTION_TEXT, AT(empty_value), 0, NULL, NULL, "what \"\" reads as (empty)"},
    {"nanValue", OPTION_TEXT, AT(nan_value), 0, NULL, NULL, "NaN"},
    {"positiveInf", OPTION_TEXT, AT(positive_inf), 0, NULL, NULL, "Inf"},
    {"negativeInf", OPTION_TEXT, AT(negative_inf), 0, NULL, NULL, "-Inf"},
    {"ignoreLeadingWhiteSpace", OPTION_BOOL, AT(ignore_leading_space), 0, NULL, NULL, "(false)"},
    {"ignoreTrailingWhiteSpace", OPTION_BOOL, AT(ignore_trailing_space), 0, NULL, NULL, "(false)"},
    {"enforceSchema", OPTION_BOOL, AT(enforce_schema), 0, NULL, NULL, "with a schema: match columns by position, whatever the header says; read_files matches by name (false)"},
    {"maxColumns", OPTION_COUNT, AT(columns_max), 1, NULL, NULL, "a record with more is undecodable (20480)"},
    {"maxCharsPerColumn", OPTION_COUNT, AT(chars_per_column_max), -1, NULL, NULL, "a record with a longer field is undecodable (-1: no limit)"},
    {"inferSchema", OPTION_BOOL, AT(infer_column_types), 0, NULL, NULL, "the same as inferColumnTypes"},
    IGNORED("preferDate", "dates are inferred as dates"),
    IGNORED("columnPruning", "columns that nobody reads are skipped"),
    {"skipRows", OPTION_COUNT, AT(rows_skipped), 0, NULL, NULL, "lines at the start of each file that are no records, before the header (0)"},
    {"charToEscapeQuoteEscaping", OPTION_CHAR, AT(escape_escape), 0, NULL, NULL, "before an escape character inside of quotes: the escape character itself"},
    {"unescapedQuoteHandling", OPTION_TEXT, AT(quote_handling), 0, NULL, NULL, "STOP_AT_DELIMITER: a quote inside of a bare field is text"},
    {0},
};

static const OptionRow text_options[] = {
    {"wholetext", OPTION_BOOL, AT(whole_text), 0, NULL, NULL, "a file is one row (false)"},
    {"lineSep", OPTION_TEXT, AT(line_sep), 0, NULL, NULL, "between lines (\\n, \\r\\n and \\r)"},
    {"encoding", OPTION_TEXT, AT(encoding), 0, NULL, NULL, "of the text (UTF-8; UTF-16 and UTF-32 are told by their byte order mark)"},
    {"charset", OPTION_TEXT, AT(encoding), 0, NULL, NULL, "the same as encoding"},
    {"mode", OPTION_TEXT, AT(mode_text), 0, "PERMISSIVE|DROPMALFORMED|FAILFAST", NULL, "FAILFAST: a line that is not UTF-8 fails the read; else it is a dead letter"},
    {"maxRecordSize", OPTION_BYTES, AT(record_bytes_max), 1, NULL, NULL, "a longer line or file is undecodable; 128m"},
    {0},
};

static const OptionRow binary_options[] = {
    {"maxRecordSize", OPTION_BYTES, AT(record_bytes_max), 1, NULL, NULL, "a longer file is a dead letter; 128m"},
    {0},
};

static const OptionRow avro_options[] = {
    {"rescuedDataColumn", OPTION_TEXT, AT(rescued_data_column), 0, NULL, NULL, "name of the column that takes fields that are unknown or do not fit"},
    {"mode", OPTION_TEXT, AT(mode_text), 0, "PERMISSIVE|DROPMALFORMED|FAILFAST", NULL, "what a field that does not fit makes of its record"},
    {"maxRecordSize", OPTION_BYTES, AT(record_bytes_max), 1, NULL, NULL, "a longer block is refused; 128m"},
    IGNORED("mergeSchema", "columns are matched by name over all files"),
    IGNORED("datetimeRebaseMode", "files of all writers read as they were written since Spark 3"),
    IGNORED("ignoreExtension", "files are chosen by the path and pathGlobFilter"),
    {"avroSchema", OPTION_TEXT, AT(avro_schema), 0, NULL, NULL, "Avro schema to read with, as JSON: promotions, defaults and aliases as in Avro"},
    {"avroSchemaUrl", OPTION_TEXT, AT(avro_schema_url), 0, NULL, NULL, "the same in a file"},
    {0},
};

static const OptionRow parquet_options[] = {
    {"rescuedDataColumn", OPTION_TEXT, AT(rescued_data_column), 0, NULL, NULL, "name of the column that takes fields that are unknown or do not fit; _rescued_data when the schema is inferred"},
    {"readerCaseSensitive", OPTION_BOOL, AT(case_sensitive), 0, NULL, NULL, "with rescued data: a column whose name differs by case is rescued (true)"},
    IGNORED("mergeSchema", "columns are matched by name over all files"),
    IGNORED("int96RebaseMode", "files of all writers read as they were written since Spark 3"),
    IGNORED("datetimeRebaseMode", "as int96RebaseMode"),
    {0},
};

void format_options_init(FormatOptions *options)
{
    *options = (FormatOptions){
        .mode = FORMAT_MODE_DEAD_LETTERS,
        .corrupt_record_column = "_corrupt_record",
        .record_bytes_max = FORMAT_RECORD_BYTES_USUAL,
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
        .case_sensitive = true,
    };
}

/* As people write it, \n and friends; a line feed, with or without a carriage return, is what the formats split at by themselves. */
static int check_line_sep(FormatOptions *options, SiltErr *err)
{
    static const char *const written[][2] = {{"\\n", "\n"}, {"\\r\\n", "\r\n"}, {"\\r", "\r"}, {"\\t", "\t"}};
    if (!options->line_sep)
        return 0;
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++)
        if (strcmp(options->line_sep, written[i][0]) == 0)
            options->line_sep = written[i][1];
    if (!*options->line_sep)
        return silt_fail(err, SILT_CONFIG, "lineSep must be at least one character");
    return 0;
}

/* JSON and CSV, that split at these by themselves. */
static void drop_usual_line_sep(FormatOptions *options)
{
    if (options->line_sep && (strcmp(options->line_sep, "\n") == 0 || strcmp(options->line_sep, "\r\n") == 0))
        options->line_sep = NULL;
}

static int check_text(FormatOptions *options, Arena *arena, SiltErr *err)
{
    options->mode = !options->mode_text                                            ? FORMAT_MODE_DEAD_LETTERS
                    : strcasecmp(options->mode_text, "PERMISSIVE") == 0            ? FORMAT_MODE_PERMISSIVE
                    : strcasecmp(options->mode_text, "DROPMALFORMED") == 0         ? FORMAT_MODE_DROP
                                                                                   : FORMAT_MODE_FAIL;
    SILT_TRY(check_line_sep(options, err));
    drop_usual_line_sep(options);
    if (options->time_zone && !zone_find(str_of(options->time_zone)))
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
    .is_text = true,
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
    if (options->quote_handling && strcasecmp(options->quote_handling, "STOP_AT_DELIMITER") != 0)
        return silt_fail(err, SILT_CONFIG, "cannot do unescapedQuoteHandling \"%s\": only STOP_AT_DELIMITER", options->quote_handling);
    if (options->escape_escape && *options->escape_escape && strcmp(options->escape_escape, options->escape) != 0)
        return silt_fail(err, SILT_CONFIG, "cannot escape the escape character by \"%s\": only by itself", options->escape_escape);
    return csv_check(options, arena, err);
}

static const char *const csv_suffixes[] = {".csv", ".tsv", NULL};

const FormatOps format_csv = {
    .name = "csv",
    .summary = "separated values, quoted where needed",
    .suffixes = csv_suffixes,
    .options = csv_options,
    .is_text = true,
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

static int check_lines(FormatOptions *options, Arena *arena, SiltErr *err)
{
    (void)arena;
    options->mode = options->mode_text && strcasecmp(options->mode_text, "FAILFAST") == 0 ? FORMAT_MODE_FAIL : FORMAT_MODE_DEAD_LETTERS;
    return check_line_sep(options, err);
}

static const char *const text_suffixes[] = {".txt", ".log", NULL};

const FormatOps format_text = {
    .name = "text",
    .summary = "lines of text, or (wholetext) files as text",
    .suffixes = text_suffixes,
    .options = text_options,
    .is_text = true,
    .check = check_lines,
    .cut = text_cut,
    .whole = text_whole,
    .decoder_new = text_decoder_new,
    .decoder_begin = text_decoder_begin,
    .decoder_next = text_decoder_next,
    .decoder_counts = text_decoder_counts,
    .decoder_free = text_decoder_free,
    .schema = text_schema,
};

static const char *const no_suffixes[] = {NULL};

const FormatOps format_binary = {
    .name = "binaryFile",
    .summary = "a row a file: path, modificationTime, length, content",
    .suffixes = no_suffixes,
    .options = binary_options,
    .is_raw = true,
    .cut = binary_cut,
    .whole = binary_whole,
    .decoder_new = binary_decoder_new,
    .decoder_begin = text_decoder_begin,
    .decoder_next = text_decoder_next,
    .decoder_counts = text_decoder_counts,
    .decoder_free = text_decoder_free,
    .schema = binary_schema,
};

int avro_reader_parse(Arena *arena, Str json, const AvroType **out, SiltErr *err)
{
    SiltErr inner;
    if (avro_type_parse(arena, json, out, &inner) < 0 || avro_check_defaults(arena, *out, &inner) < 0)
        return silt_fail(err, SILT_CONFIG, "avroSchema cannot be used: %s", inner.message);
    if ((*out)->kind != AVRO_RECORD)
        return silt_fail(err, SILT_CONFIG, "avroSchema cannot be used: it is of kind %s, and files hold records", avro_type_text(*out, arena));
    return 0;
}

void format_settle_mode(FormatOptions *options)
{
    options->mode = !options->mode_text                                    ? FORMAT_MODE_DEAD_LETTERS
                    : strcasecmp(options->mode_text, "PERMISSIVE") == 0    ? FORMAT_MODE_PERMISSIVE
                    : strcasecmp(options->mode_text, "DROPMALFORMED") == 0 ? FORMAT_MODE_DROP
                                                                           : FORMAT_MODE_FAIL;
}

static int check_avro(FormatOptions *options, Arena *arena, SiltErr *err)
{
    format_settle_mode(options);
    if (!options->avro_schema)
        return 0;
    SILT_TRY(avro_reader_parse(arena, str_of(options->avro_schema), &options->avro_reader, err));
    options->avro_columns = avro_type_spark(options->avro_reader, arena);
    return 0;
}

static const OptionRow avro_message_options[] = {
    {"rescuedDataColumn", OPTION_TEXT, AT(rescued_data_column), 0, NULL, NULL, "name of the column that takes fields that are unknown or do not fit"},
    {"mode", OPTION_TEXT, AT(mode_text), 0, "PERMISSIVE|DROPMALFORMED|FAILFAST", NULL, "what a value that cannot be read makes of the read; without it such values go to the dead letters"},
    {"maxRecordSize", OPTION_BYTES, AT(record_bytes_max), 1, NULL, NULL, "a longer value cannot be read; 128m"},
    {"avroSchema", OPTION_TEXT, AT(avro_schema), 0, NULL, NULL, "Avro schema to read with, as JSON: promotions, defaults and aliases as in Avro"},
    LATER("recursiveFieldMaxDepth", "A record that contains itself has no type in SQL."),
    LATER("enableStableIdentifiersForUnionType", "Members of a union are member0, member1 and so on."),
    IGNORED("datetimeRebaseMode", "values of all writers read as they were written since Spark 3"),
    {0},
};

/* avro_reader, avro_columns and avro_written are the caller's to set. */
static int check_avro_message(FormatOptions *options, Arena *arena, SiltErr *err)
{
    (void)arena, (void)err;
    format_settle_mode(options);
    return 0;
}

static const Type *avro_message_schema(const FormatOptions *options, const void *head)
{
    (void)head;
    return options->avro_columns;
}

const FormatOps format_avro_message = {
    .name = "avro",
    .summary = "Avro values, with the number of their schema or without",
    .options = avro_message_options,
    .check = check_avro_message,
    .decoder_new = avro_message_new,
    .decoder_begin = avro_message_begin,
    .decoder_next = avro_message_next,
    .decoder_counts = avro_message_counts,
    .decoder_free = avro_message_free,
    .schema = avro_message_schema,
};

static const char *const avro_suffixes[] = {".avro", NULL};

const FormatOps format_avro = {
    .name = "avro",
    .summary = "Avro container files; null, deflate, snappy and zstandard blocks",
    .suffixes = avro_suffixes,
    .options = avro_options,
    .check = check_avro,
    .head = avro_head,
    .cut = avro_cut,
    .decoder_new = avro_decoder_new,
    .decoder_begin = avro_decoder_begin,
    .decoder_next = avro_decoder_next,
    .decoder_counts = avro_decoder_counts,
    .decoder_free = avro_decoder_free,
    .schema = avro_schema,
    .decoder_met = avro_decoder_met,
};

int format_refuse(const FormatBlock *block, int64_t position, const char *reason, SiltErr *err)
{
    silt_fail(err, SILT_INPUT, "%s, %s %lld: a record that cannot be read: %s", block->source_name, block->given ? "offset" : "byte", (long long)position, reason);
    return silt_code(err, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION");
}

bool format_may_skip(const FormatOptions *options, const FormatTarget *target)
{
    return target->rescued_column < 0 && target->corrupt_column < 0 && options->mode != FORMAT_MODE_DROP && options->mode != FORMAT_MODE_FAIL;
}

int format_corrupt_column(const FormatOptions *options, const Type *schema)
{
    for (int i = 0; options->mode_text && i < schema->field_count; i++)
        if (strcmp(schema->fields[i].name, options->corrupt_record_column) == 0 && schema->fields[i].type->kind == TYPE_STRING)
            return i;
    return -1;
}

static const FormatOps *const formats[] = {&format_json, &format_csv, &format_parquet, &format_avro, &format_text, &format_binary};

const FormatOps *format_find(Str name)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (str_is_nocase(name, formats[i]->name))
            return formats[i];
    return NULL;
}

bool format_is_later(Str name)
{
    static const char *const later[] = {"orc", "xml", "protobuf"};
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++)
        if (str_is_nocase(name, later[i]))
            return true;
    return false;
}
