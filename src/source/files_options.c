/* source/files_options.c - path and options of read_files(...) and fmt.`path` */
#include "source/files_internal.h"

#include "format/value.h"
#include "source/arguments.h"
#include "source/inflate.h"
#include "source/transcode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define AT(field) offsetof(FilesOptions, field)
#define LATER(name, help) {name, OPTION_LATER, 0, 0, NULL, help}
#define IGNORED(name, why) {name, OPTION_IGNORED, 0, 0, NULL, why}

static const OptionRow files_options[] = {
    {"format", OPTION_TEXT, AT(format), 0, NULL, "json, csv, parquet, avro, text or binaryFile; told by the file names when it is left out"},
    {"schema", OPTION_TEXT, AT(schema), 0, NULL, "columns as in CREATE TABLE; inferred when it is left out"},
    {"schemaHints", OPTION_TEXT, AT(schema_hints), 0, NULL, "types of some columns of an inferred schema"},
    {"partitionColumns", OPTION_TEXT, AT(partition_columns), 0, NULL, "comma-separated keys of key=value folders that are columns; empty: none; all when it is left out"},
    {"pathGlobFilter", OPTION_TEXT, AT(name_filter), 0, NULL, "glob for file names"},
    {"fileNamePattern", OPTION_TEXT, AT(name_filter), 0, NULL, "the same as pathGlobFilter"},
    {"maxFilesPerTrigger", OPTION_COUNT, AT(files_per_trigger), 1, NULL, "files a batch (1000)"},
    {"maxBytesPerTrigger", OPTION_BYTES, AT(bytes_per_trigger), 1, NULL, "bytes a batch, of the files as they are; at least one file"},
    {"includeExistingFiles", OPTION_BOOL, AT(include_existing), 0, NULL, "whether files that are there when a stream begins are read (true)"},
    {"recursiveFileLookup", OPTION_BOOL, AT(recursive), 0, NULL, "folders below the path too (true)"},
    {"ignoreMissingFiles", OPTION_BOOL, AT(ignore_missing), 0, NULL, "a file that is gone when it is to be read is an empty one, with a warning (true)"},
    {"useStrictGlobber", OPTION_TEXT, AT(strict_text), 0, "true", "globs are strict: * does not match a slash"},
    IGNORED("useNotifications", "local folders are watched and listed"),
    IGNORED("useManagedFileEvents", "local folders are watched and listed"),
    IGNORED("useIncrementalListing", "folders that have not changed are not listed again"),
    {"schemaEvolutionMode", OPTION_TEXT, AT(evolution_text), 0, "addNewColumns|addNewColumnsWithTypeWidening|rescue|failOnNewColumns|none", "what becomes of columns that the schema lacks; addNewColumns when it is inferred, else none"},
    {"schemaLocation", OPTION_TEXT, AT(schema_location), 0, NULL, "folder for the inferred schemas, numbered; by default they are kept with the checkpoint only"},
    {"allowOverwrites", OPTION_BOOL, AT(allow_overwrites), 0, NULL, "a file with another modification time is a new one (false)"},
    {"latestFirst", OPTION_BOOL, AT(latest_first), 0, NULL, "the newest files of a look first (false)"},
    {"modifiedAfter", OPTION_TEXT, AT(modified_after_text), 0, NULL, "only files modified after this time"},
    {"modifiedBefore", OPTION_TEXT, AT(modified_before_text), 0, NULL, "only files modified before this time"},
    {"maxFileAge", OPTION_TEXT, AT(age_text), 0, NULL, "files that are this much older than the newest one taken are left alone: 90 days; not with latestFirst"},
    {"backfillInterval", OPTION_TEXT, AT(backfill_text), 0, NULL, "after this time all folders are listed, also those that have not changed: 1 day"},
    {"ignoreCorruptFiles", OPTION_BOOL, AT(ignore_corrupt), 0, NULL, "what cannot be read on of a file is left out, with a warning (false)"},
    {"cleanSource", OPTION_TEXT, AT(clean_text), 0, "OFF|DELETE|MOVE|ARCHIVE", "what becomes of files once their batch is sealed (OFF)"},
    {"cleanSource.retentionDuration", OPTION_TEXT, AT(clean_retention_text), 0, NULL, "how long after that: 30 days"},
    {"cleanSource.moveDestination", OPTION_TEXT, AT(clean_destination), 0, NULL, "folder for MOVE, outside of the path"},
    {"sourceArchiveDir", OPTION_TEXT, AT(clean_destination), 0, NULL, "the same, as Spark calls it (with cleanSource => 'archive')"},
    IGNORED("validateOptions", "options are always checked"),
    LATER("queueUrl", "Files are found by listing folders: leave the options of queues out."),
    LATER("fetchParallelism", "Files are found by listing folders: leave the options of queues out."),
    LATER("pathRewrites", "Files are found by listing folders: leave the options of queues out."),
    LATER("resourceTag", "Files are found by listing folders: leave the options of queues out."),
    LATER("fileNameOnly", "Two files of one name in two folders would be one: give each a name of its own instead."),
    {0},
};

/* The options of a relation as a list, and its path. */
static int collect(Arena *arena, const Relation *relation, const char **path, SiltPos *path_pos, SqlOption **options, int *count, SiltErr *err)
{
    int capacity = 0;
    for (int i = 0; relation->kind == REL_FUNCTION && i < relation->arg_count; i++) {
        const Expr *arg = relation->args[i];
        const Expr *value = arg->kind == EXPR_NAMED_ARG ? arg->args[0] : arg;
        const char *text = source_literal_text(arena, value);
        if (!text) {
            silt_fail_at(err, SILT_CONFIG, value->pos, "read_files takes constants only");
            return silt_hint(err, "Text, a number, true or false is expected here.");
        }
        if (arg->kind != EXPR_NAMED_ARG || strcasecmp(arg->text, "path") == 0) {
            if (*path)
                return silt_fail_at(err, SILT_CONFIG, value->pos, "read_files takes one path; further arguments are named: name => value");
            *path = text;
            *path_pos = value->pos;
            continue;
        }
        const char *key = arg->text;
        if (strncasecmp(key, "cloudFiles.", 11) == 0)
            key += 11;
        SqlOption option = {.key = key, .value = text, .pos = arg->pos, .value_pos = value->pos};
        for (int k = 0; k < *count; k++)
            if (strcasecmp((*options)[k].key, key) == 0)
                return silt_fail_at(err, SILT_CONFIG, arg->pos, "\"%s\" is given twice", key);
        ARENA_PUSH(arena, *options, *count, capacity, option);
    }
    for (int i = 0; i < relation->option_count; i++)
        ARENA_PUSH(arena, *options, *count, capacity, relation->options[i]);
    return 0;
}

static int no_format(const Relation *relation, SiltPos pos, const char *name, SiltErr *err)
{
    (void)relation;
    if (format_is_later(str_of(name)))
        return silt_fail_at(err, SILT_CONFIG, pos, "cannot read files of format \"%s\"", name);
    silt_fail_at(err, SILT_CONFIG, pos, "unknown file format \"%s\"", name);
    return silt_hint(err, "json, csv, parquet, avro, text and binaryFile are known.");
}

/* The format that most of the names below the path have. */
static int guess_format(Source *source, SiltPos pos, SiltErr *err)
{
    Files *files = source->self;
    static const FormatOps *const all[] = {&format_json, &format_csv, &format_parquet, &format_avro, &format_text};
    enum { COUNT = sizeof all / sizeof all[0] };
    int votes[COUNT] = {0}, sum = 0, best = 0;
    silt_auto(arena_freep) Arena *arena = arena_new();
    Listing listing;
    ListingOptions options = {.name_filter = files->o.name_filter, .recursive = files->o.recursive};
    SILT_TRY(listing_read(files->context.io, &files->glob, &options, arena, &listing, err));
    for (int i = 0; i < listing.count; i++) {
        Str name = str_of(listing.files[i].path);
        inflate_suffix(&name);
        for (int f = 0; f < COUNT; f++)
            for (const char *const *suffix = all[f]->suffixes; *suffix; suffix++)
                votes[f] += str_ends(name, *suffix);
    }
    for (int f = 0; f < COUNT; f++) {
        sum += votes[f];
        best = votes[f] > votes[best] ? f : best;
    }
    if (sum == 0 || sum != votes[best]) {
        silt_fail_at(err, SILT_CONFIG, pos, "cannot tell the format of the files in \"%s\"", files->path);
        return silt_hint(err, "Give it: format => 'json' (or csv, parquet, avro, text, binaryFile).");
    }
    files->format = all[best];
    return 0;
}

/* ---- times ---- */

static int take_duration(const SqlOption *option, int64_t *out, SiltErr *err)
{
    if (source_duration_parse(option->value, out))
        return 0;
    silt_fail_at(err, SILT_CONFIG, option->value_pos, "%s takes a time span, not \"%s\"", option->key, option->value);
    return silt_hint(err, "For instance '7 days' or '12 hours'.");
}

static int take_time(const Files *files, const SqlOption *option, int64_t *out, SiltErr *err)
{
    const Zone *zone = zone_find(str_of(files->options.time_zone));
    if (zone && value_timestamp(str_of(option->value), zone, out))
        return 0;
    silt_fail_at(err, SILT_CONFIG, option->value_pos, "%s takes a time, not \"%s\"", option->key, option->value);
    return silt_hint(err, "For instance '2026-01-31T12:00:00Z'.");
}

/* cleanSource: where to, and that it is not into the source itself. */
static int check_cleaning(Files *files, const SqlOption *option, SiltErr *err)
{
    files->cleaning = str_is_nocase(str_of(files->o.clean_text), "OFF")      ? CLEAN_OFF
                      : str_is_nocase(str_of(files->o.clean_text), "DELETE") ? CLEAN_DELETE
                                                                             : CLEAN_MOVE;
    if (files->cleaning == CLEAN_MOVE && !files->o.clean_destination) {
        silt_fail_at(err, SILT_CONFIG, option->value_pos, "cleanSource => '%s' needs a folder to move files to", option->value);
        return silt_hint(err, "Give it: `cleanSource.moveDestination` => '/archive'.");
    }
    if (files->cleaning == CLEAN_DELETE && files->retention_us <= 7 * INT64_C(86400000000)) {
        silt_fail_at(err, SILT_CONFIG, option->value_pos, "cleanSource => 'DELETE' keeps files for more than 7 days");
        return silt_hint(err, "Give a longer cleanSource.retentionDuration, or MOVE the files.");
    }
    if (files->cleaning != CLEAN_OFF && files->o.allow_overwrites)
        return silt_fail_at(err, SILT_CONFIG, option->pos, "cleanSource and allowOverwrites do not go together: a file that came again could be cleaned unread");
    if (files->cleaning != CLEAN_MOVE)
        return 0;
    size_t base = strlen(files->glob.base);
    if (strncmp(files->move_directory, files->glob.base, base) == 0 && (!files->move_directory[base] || files->move_directory[base] == '/' || base == 1))
        return silt_fail_at(err, SILT_CONFIG, option->value_pos, "cleanSource moves files into \"%s\", which is inside of the path that is read",
                            files->move_directory);
    return 0;
}

static int take_times(Source *source, const SourceContext *context, const SqlOption *options, int count, SiltErr *err)
{
    Files *files = source->self;
    const SqlOption *clean = NULL;
    files->modified_after_us = INT64_MIN;
    files->modified_before_us = INT64_MAX;
    files->retention_us = 30 * INT64_C(86400000000);
    for (int i = 0; i < count; i++) {
        const SqlOption *option = &options[i];
        if (strcasecmp(option->key, "modifiedAfter") == 0)
            SILT_TRY(take_time(files, option, &files->modified_after_us, err));
        else if (strcasecmp(option->key, "modifiedBefore") == 0)
            SILT_TRY(take_time(files, option, &files->modified_before_us, err));
        else if (strcasecmp(option->key, "maxFileAge") == 0)
            SILT_TRY(take_duration(option, &files->age_us_max, err));
        else if (strcasecmp(option->key, "backfillInterval") == 0)
            SILT_TRY(take_duration(option, &files->backfill_us, err));
        else if (strcasecmp(option->key, "cleanSource.retentionDuration") == 0)
            SILT_TRY(take_duration(option, &files->retention_us, err));
        else if (strcasecmp(option->key, "cleanSource") == 0)
            clean = option;
    }
    if (files->o.latest_first)
        files->age_us_max = 0; /* as Spark: with limits, old files that still wait would be left out */
    if (files->o.clean_destination) {
        PathGlob glob;
        SILT_TRY(path_glob_parse(source->arena, context->base_directory ? context->base_directory : "/", files->o.clean_destination, &glob, err));
        files->move_directory = glob.base;
    }
    if (clean)
        SILT_TRY(check_cleaning(files, clean, err));
    if (files->o.schema_location) {
        PathGlob glob;
        SILT_TRY(path_glob_parse(source->arena, context->base_directory ? context->base_directory : "/", files->o.schema_location, &glob, err));
        files->o.schema_location = arena_printf(source->arena, "%s/_schemas", glob.base);
    }
    return 0;
}

static int take_evolution(Files *files, const SqlOption *options, int count, SiltErr *err)
{
    static const struct {
        const char *name;
        Evolution mode;
    } modes[] = {{"addNewColumns", EVOLVE_ADD},
                 {"addNewColumnsWithTypeWidening", EVOLVE_WIDEN},
                 {"rescue", EVOLVE_RESCUE},
                 {"failOnNewColumns", EVOLVE_FAIL},
                 {"none", EVOLVE_NONE}};
    bool records = files->format->decoder_unknown || files->format->decoder_met || files->format == &format_parquet;
    bool given = files->o.schema || files->options.avro_reader;
    files->evolution = given || files->direct || !records ? EVOLVE_NONE : EVOLVE_ADD;
    for (size_t i = 0; files->o.evolution_text && i < sizeof modes / sizeof modes[0]; i++)
        if (strcasecmp(files->o.evolution_text, modes[i].name) == 0)
            files->evolution = modes[i].mode;
    for (int i = 0; i < count; i++)
        if (strcasecmp(options[i].key, "schemaEvolutionMode") == 0 && given && files__evolves(files)) {
            silt_fail_at(err, SILT_CONFIG, options[i].value_pos, "%s is for an inferred schema: with schema no column can be added", options[i].value);
            return silt_hint(err, "Use schemaHints instead of schema, or a mode of rescue, failOnNewColumns, none.");
        }
    return 0;
}

/* With singleVariantColumn the schema is known. It has no columns to come. */
static void take_single_variant(Files *files, Arena *arena)
{
    const char *name = files->options.single_variant_column;
    StrBuf ddl = {0};
    if (!name || files->o.schema)
        return;
    str_buf_putc(&ddl, '`');
    for (; *name; name++)
        str_buf_puts(&ddl, *name == '`' ? "``" : (const char[]){*name, 0});
    str_buf_puts(&ddl, "` VARIANT");
    files->o.schema = arena_strdup(arena, str_buf_text(&ddl));
    files->evolution = EVOLVE_NONE;
    str_buf_fini(&ddl);
}

/* What is not kept must not be asked for: a format whose rescued data has no name by itself needs one. */
static int check_rescue(const Files *files, const SqlOption *options, int count, SiltErr *err)
{
    bool named = files->options.rescued_data_column && *files->options.rescued_data_column;

    for (int i = 0; i < count; i++) {
        if (strcasecmp(options[i].key, "schemaEvolutionMode") || strcasecmp(options[i].value, "rescue") || named || !files->format->decoder_met)
            continue;
        silt_fail_at(err, SILT_CONFIG, options[i].value_pos, "new columns of %s files are rescued only into a column that has a name", files->format->name);
        return silt_hint(err, "Add rescuedDataColumn => '_rescued_data'.");
    }
    return 0;
}

/* avroSchemaUrl: the file's text, as if it had been given. */
static int read_avro_schema(Source *source, const SourceContext *context, const SqlOption *options, int count, SiltErr *err)
{
    Files *files = source->self;
    const SqlOption *url = NULL, *text = NULL;
    for (int i = 0; i < count; i++) {
        url = strcasecmp(options[i].key, "avroSchemaUrl") == 0 ? &options[i] : url;
        text = strcasecmp(options[i].key, "avroSchema") == 0 ? &options[i] : text;
    }
    if (!url)
        return 0;
    if (text)
        return silt_fail_at(err, SILT_CONFIG, url->pos, "avroSchema and avroSchemaUrl are both given");
    PathGlob glob;
    SILT_TRY(path_glob_parse(source->arena, context->base_directory ? context->base_directory : "/", url->value, &glob, err));
    Str content;
    SiltErr inner;
    int r = io_read(context->io, glob.base, source->arena, &content, &inner);
    if (r != 0)
        return silt_fail_at(err, r < 0 ? inner.kind : SILT_CONFIG, url->value_pos, "could not read the Avro schema \"%s\": %s", glob.base,
                            r < 0 ? inner.message : "there is no such file");
    files->options.avro_schema = arena_strndup(source->arena, content.ptr, content.size);
    return 0;
}

int files__parse(Source *source, const SourceContext *context, const Relation *relation, SiltErr *err)
{
    Files *files = source->self;
    Arena *arena = source->arena;
    bool direct = relation->kind == REL_TABLE && relation->name.count == 2;
    bool function = relation->kind == REL_FUNCTION && relation->name.count == 1 && strcasecmp(relation->name.parts[0], "read_files") == 0;
    if (!direct && !function)
        return SOURCE_NONE;
    if (direct) {
        Str name = str_of(relation->name.parts[0]);
        if (!format_find(name)) {
            if (format_is_later(name) && strchr(relation->name.parts[1], '/'))
                return no_format(relation, relation->name.pos, relation->name.parts[0], err);
            return SOURCE_NONE;
        }
        files->path = arena_strdup(arena, relation->name.parts[1]);
        files->path_pos = relation->name.pos;
        files->format = format_find(name);
    }
    files->direct = direct;
    files->o = (FilesOptions){.files_per_trigger = 1000, .bytes_per_trigger = INT64_MAX, .include_existing = true, .recursive = true, .ignore_missing = true};
    format_options_init(&files->options);

    SqlOption *options = NULL;
    int count = 0;
    SILT_TRY(collect(arena, relation, &files->path, &files->path_pos, &options, &count, err));
    if (!files->path)
        return silt_fail_at(err, SILT_CONFIG, relation->pos, "read_files needs a path");
    if (path_glob_parse(arena, context->base_directory ? context->base_directory : "/", files->path, &files->glob, err) < 0) {
        SiltErr inner = *err;
        silt_fail_at(err, inner.kind, files->path_pos, "%s", inner.message);
        return inner.hint[0] ? silt_hint(err, "%s", inner.hint) : -1;
    }
    source->name = function ? arena_printf(arena, "read_files('%s')", files->path)
                            : arena_printf(arena, "%s.`%s`", files->format->name, files->path);

    /* the format first: it says which other options there are */
    SiltPos format_pos = relation->pos;
    for (int i = 0; i < count; i++)
        if (strcasecmp(options[i].key, "format") == 0) {
            format_pos = options[i].value_pos;
            files->o.format = options[i].value;
            files->format = format_find(str_of(options[i].value));
            if (!files->format)
                return no_format(relation, format_pos, options[i].value, err);
        }
    for (int i = 0; i < count; i++) {
        SiltErr inner;
        if ((strcasecmp(options[i].key, "pathGlobFilter") && strcasecmp(options[i].key, "fileNamePattern")) || glob_check(options[i].value, &inner) == 0)
            continue;
        silt_fail_at(err, inner.kind, options[i].value_pos, "%s", inner.message);
        return silt_hint(err, "%s", inner.hint);
    }
    for (int i = 0; i < count && !files->format; i++) /* needed for the listing that guesses */
        if (strcasecmp(options[i].key, "pathGlobFilter") == 0 || strcasecmp(options[i].key, "fileNamePattern") == 0)
            files->o.name_filter = options[i].value;
    if (!files->format)
        SILT_TRY(guess_format(source, format_pos, err));

    const OptionRow *const own[] = {files_options, NULL}, *const formats[] = {files->format->options, NULL};
    const OptionRow *const both[] = {files_options, files->format->options, NULL};
    bool header_given = false, types_given = false;
    for (int i = 0; i < count; i++) {
        if (strcasecmp(options[i].key, "schema") == 0 || strcasecmp(options[i].key, "schemaHints") == 0 ||
            strncasecmp(options[i].key, "avroSchema", 10) == 0)
            files->schema_pos = options[i].value_pos;
        header_given |= strcasecmp(options[i].key, "header") == 0;
        types_given |= strcasecmp(options[i].key, "inferSchema") == 0 || strcasecmp(options[i].key, "inferColumnTypes") == 0;
        bool mine = false;
        for (const OptionRow *row = files_options; row->name; row++)
            mine |= strcasecmp(row->name, options[i].key) == 0;
        if (strcasecmp(options[i].key, "inferColumnTypes") == 0) {
            if (!str_is_nocase(str_of(options[i].value), "true") && !str_is_nocase(str_of(options[i].value), "false"))
                return silt_fail_at(err, SILT_CONFIG, options[i].value_pos, "inferColumnTypes takes true or false, not \"%s\"", options[i].value);
            files->options.infer_column_types = str_is_nocase(str_of(options[i].value), "true");
            continue;
        }
        bool theirs = false;
        for (const OptionRow *row = files->format->options; row->name; row++)
            theirs |= strcasecmp(row->name, options[i].key) == 0;
        const OptionRow *const *tables = mine ? own : theirs ? formats : both;
        const OptionRow *row = option_row(tables, options[i].key);
        if (row && row->kind == OPTION_IGNORED) {
            const char *note = arena_printf(arena, "option \"%s\" of %s is without effect: %s", row->name, source->name, row->help);
            ARENA_PUSH(arena, source->notes, source->note_count, source->note_capacity, note);
        }
        SILT_TRY(option_set(tables, mine ? (void *)&files->o : (void *)&files->options, arena, &options[i], "read_files", err));
    }
    if (!header_given)
        files->options.header = function && !files->o.schema;
    files->options.header_given = header_given;
    if (!types_given)
        files->options.infer_column_types = function || files->format != &format_csv;
    if (!files->options.time_zone)
        files->options.time_zone = context->time_zone ? arena_strdup(arena, context->time_zone) : "UTC";
    SILT_TRY(read_avro_schema(source, context, options, count, err));
    if (files->format->check && files->format->check(&files->options, arena, err) < 0) {
        if (err && err->line == 0) {
            err->line = relation->pos.line;
            err->column = relation->pos.column;
            snprintf(err->file, sizeof err->file, "%s", relation->pos.file ? relation->pos.file : "");
        }
        return -1;
    }
    for (int i = 0; i < count; i++)
        if ((strcasecmp(options[i].key, "encoding") == 0 || strcasecmp(options[i].key, "charset") == 0) && !transcode_knows(options[i].value))
            return silt_fail_at(err, SILT_CONFIG, options[i].value_pos, "cannot read text in the encoding \"%s\": it is not known", options[i].value);
    SILT_TRY(take_times(source, context, options, count, err));
    SILT_TRY(take_evolution(files, options, count, err));
    SILT_TRY(check_rescue(files, options, count, err));
    take_single_variant(files, arena);
    if (files->o.schema && files->o.schema_hints)
        return silt_fail_at(err, SILT_CONFIG, relation->pos, "schemaHints are for an inferred schema: with schema%s they have no use",
                            files->options.single_variant_column ? " or singleVariantColumn" : "");
    if (files->options.avro_reader && (files->o.schema || files->o.schema_hints)) {
        silt_fail_at(err, SILT_CONFIG, relation->pos, "the columns are given twice: by %s and by the Avro schema", files->o.schema ? "schema" : "schemaHints");
        return silt_hint(err, "Leave one of them out: the Avro schema says the columns and their types.");
    }
    return 0;
}
