/* source/files_options.c - path and options of read_files(...) and fmt.`path` */
#include "source/files_internal.h"

#include "format/value.h"
#include "source/arguments.h"
#include "source/inflate.h"
#include "source/transcode.h"

#include <string.h>
#include <strings.h>

#define AT(field) offsetof(FilesOptions, field)
#define LATER(name, help) {name, OPTION_LATER, 0, 0, NULL, NULL, help}
#define IGNORED(name, why) {name, OPTION_IGNORED, 0, 0, NULL, NULL, why}
#define QUEUES(name) LATER(name, "Files are found by listing folders: leave the options of queues out.")
#define EVOLUTIONS "addNewColumns|addNewColumnsWithTypeWidening|rescue|failOnNewColumns|none"

static const OptionRow files_options[] = {
    {"format", OPTION_TEXT, AT(format), 0, NULL, NULL, "json, csv, parquet, avro, text or binaryFile; told by the file names when it is left out"},
    {"schema", OPTION_TEXT, AT(schema), 0, NULL, NULL, "columns as in CREATE TABLE; inferred when it is left out"},
    {"schemaHints", OPTION_TEXT, AT(schema_hints), 0, NULL, NULL, "types of some columns of an inferred schema"},
    {"inferColumnTypes", OPTION_BOOL, AT(infer_column_types), 0, NULL, "true", "types of columns by their values; false: all are STRING"},
    {"partitionColumns", OPTION_TEXT, AT(partition_columns), 0, NULL, NULL, "comma-separated keys of key=value folders that are columns; empty: none; all when it is left out"},
    {"pathGlobFilter", OPTION_TEXT, AT(name_filter), 0, NULL, NULL, "glob for file names"},
    {"fileNamePattern", OPTION_TEXT, AT(name_filter), 0, NULL, NULL, "the same as pathGlobFilter"},
    {"maxFilesPerTrigger", OPTION_COUNT, AT(files_per_trigger), 1, NULL, "1000", "files a batch"},
    {"maxBytesPerTrigger", OPTION_BYTES, AT(bytes_per_trigger), 1, NULL, NULL, "bytes a batch, of the files as they are; at least one file"},
    {"includeExistingFiles", OPTION_BOOL, AT(include_existing), 0, NULL, "true", "whether files that are there when a stream begins are read"},
    {"recursiveFileLookup", OPTION_BOOL, AT(recursive), 0, NULL, "true", "folders below the path too"},
    {"ignoreMissingFiles", OPTION_BOOL, AT(ignore_missing), 0, NULL, "true", "a file that is gone when it is to be read is an empty one, with a warning"},
    {"useStrictGlobber", OPTION_CHOICE, AT(strict), 0, "true", NULL, "globs are strict: * does not match a slash"},
    IGNORED("useNotifications", "local folders are watched and listed"),
    IGNORED("useManagedFileEvents", "local folders are watched and listed"),
    IGNORED("useIncrementalListing", "folders that have not changed are not listed again"),
    {"schemaEvolutionMode", OPTION_CHOICE, AT(evolution), 0, EVOLUTIONS, NULL, "what becomes of columns that the schema lacks; addNewColumns when it is inferred, else none"},
    {"schemaLocation", OPTION_TEXT, AT(schema_location), 0, NULL, NULL, "folder for the inferred schemas, numbered; by default they are kept with the checkpoint only"},
    {"allowOverwrites", OPTION_BOOL, AT(allow_overwrites), 0, NULL, "false", "a file with another modification time is a new one"},
    {"latestFirst", OPTION_BOOL, AT(latest_first), 0, NULL, "false", "the newest files of a look first"},
    {"modifiedAfter", OPTION_TEXT, AT(modified_after_text), 0, NULL, NULL, "only files modified after this time"},
    {"modifiedBefore", OPTION_TEXT, AT(modified_before_text), 0, NULL, NULL, "only files modified before this time"},
    {"maxFileAge", OPTION_DURATION, AT(age_us_max), 0, NULL, NULL, "files that are this much older than the newest one taken are left alone: 90 days; not with latestFirst"},
    {"backfillInterval", OPTION_DURATION, AT(backfill_us), 0, NULL, NULL, "after this time all folders are listed, also those that have not changed: 1 day"},
    {"ignoreCorruptFiles", OPTION_BOOL, AT(ignore_corrupt), 0, NULL, "false", "what cannot be read on of a file is left out, with a warning"},
    {"cleanSource", OPTION_CHOICE, AT(cleaning), 0, "OFF|DELETE|MOVE|ARCHIVE", "OFF", "what becomes of files once their batch is sealed"},
    {"cleanSource.retentionDuration", OPTION_DURATION, AT(retention_us), 0, NULL, "30 days", "how long after that"},
    {"cleanSource.moveDestination", OPTION_TEXT, AT(clean_destination), 0, NULL, NULL, "folder for MOVE, outside of the path"},
    {"sourceArchiveDir", OPTION_TEXT, AT(clean_destination), 0, NULL, NULL, "the same, as Spark calls it (with cleanSource => 'archive')"},
    IGNORED("validateOptions", "options are always checked"),
    QUEUES("queueUrl"),
    QUEUES("fetchParallelism"),
    QUEUES("pathRewrites"),
    QUEUES("resourceTag"),
    LATER("fileNameOnly", "Two files of one name in two folders would be one: give each a name of its own instead."),
    {0},
};

const char *files__evolution_name(Evolution mode)
{
    static const char *const names[] = {
        [EVOLVE_ADD] = "addNewColumns",
        [EVOLVE_WIDEN] = "addNewColumnsWithTypeWidening",
        [EVOLVE_RESCUE] = "rescue",
        [EVOLVE_FAIL] = "failOnNewColumns",
        [EVOLVE_NONE] = "none",
    };

    return names[mode];
}

/* A path in an option: relative to the project or a URI. Its folder in *out; globs mean nothing in it. */
static int option_path(const Source *source, const char *text, const char **out, SiltErr *err)
{
    const Files *files = source->self;
    PathGlob glob;

    SILT_TRY(path_glob_parse(source->arena, files->context.base_directory ? files->context.base_directory : "/", text, &glob, err));
    *out = glob.base;
    return 0;
}

/* ---- the format ---- */

static int no_format(SiltPos pos, const char *name, SiltErr *err)
{
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

/* As it is named, or as the file names tell. */
static int take_format(Source *source, const Arguments *arguments, SiltPos pos, SiltErr *err)
{
    const SqlOption *given = arguments_find(arguments, "format");
    Files *files = source->self;

    if (given && !(files->format = format_find(str_of(given->value))))
        return no_format(given->value_pos, given->value, err);
    return files->format ? 0 : guess_format(source, pos, err);
}

/* ---- options with a meaning of their own ---- */

static int take_time(const Files *files, const Arguments *arguments, const char *name, int64_t otherwise, int64_t *out, SiltErr *err)
{
    const Zone *zone = zone_find(str_of(files->options.time_zone));
    const SqlOption *option = arguments_find(arguments, name);

    *out = otherwise;
    if (!option || (zone && value_timestamp(str_of(option->value), zone, out)))
        return 0;
    silt_fail_at(err, SILT_CONFIG, option->value_pos, "%s takes a time, not \"%s\"", option->key, option->value);
    return silt_hint(err, "For instance '2026-01-31T12:00:00Z'.");
}

/* cleanSource: where to, and that it is not into the source itself. */
static int take_cleaning(Source *source, const Arguments *arguments, SiltErr *err)
{
    Files *files = source->self;
    const SqlOption *option = arguments_find(arguments, "cleanSource");

    if (files->o.clean_destination)
        SILT_TRY(option_path(source, files->o.clean_destination, &files->move_directory, err));
    if (files->o.cleaning == CLEAN_ARCHIVE)
        files->o.cleaning = CLEAN_MOVE; /* Spark's word */
    if (files->o.cleaning == CLEAN_MOVE && !files->move_directory) {
        silt_fail_at(err, SILT_CONFIG, option->value_pos, "cleanSource => '%s' needs a folder to move files to", option->value);
        return silt_hint(err, "Give it: `cleanSource.moveDestination` => '/archive'.");
    }
    if (files->o.cleaning == CLEAN_DELETE && files->o.retention_us <= 7 * INT64_C(86400000000)) {
        silt_fail_at(err, SILT_CONFIG, option->value_pos, "cleanSource => 'DELETE' keeps files for more than 7 days");
        return silt_hint(err, "Give a longer cleanSource.retentionDuration, or MOVE the files.");
    }
    if (files->o.cleaning != CLEAN_OFF && files->o.allow_overwrites)
        return silt_fail_at(err, SILT_CONFIG, option->pos, "cleanSource and allowOverwrites do not go together: a file that came again could be cleaned unread");
    if (files->o.cleaning != CLEAN_MOVE)
        return 0;
    size_t base = strlen(files->glob.base);
    if (strncmp(files->move_directory, files->glob.base, base) == 0 && (!files->move_directory[base] || files->move_directory[base] == '/' || base == 1))
        return silt_fail_at(err, SILT_CONFIG, option->value_pos, "cleanSource moves files into \"%s\", which is inside of the path that is read",
                            files->move_directory);
    return 0;
}

static int take_evolution(Files *files, const Arguments *arguments, SiltErr *err)
{
    bool records = files->format->decoder_unknown || files->format->decoder_met || files->format == &format_parquet;
    bool given = files->o.schema || files->options.avro_reader;
    const SqlOption *option = arguments_find(arguments, "schemaEvolutionMode");

    files->evolution = option ? (Evolution)files->o.evolution : given || files->direct || !records ? EVOLVE_NONE : EVOLVE_ADD;
    if (option && given && files__evolves(files)) {
        silt_fail_at(err, SILT_CONFIG, option->value_pos, "%s is for an inferred schema: with schema no column can be added", option->value);
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
static int check_rescue(const Files *files, const Arguments *arguments, SiltErr *err)
{
    bool named = files->options.rescued_data_column && *files->options.rescued_data_column;

    if (files->o.evolution != EVOLVE_RESCUE || named || !files->format->decoder_met)
        return 0;
    silt_fail_at(err, SILT_CONFIG, arguments_find(arguments, "schemaEvolutionMode")->value_pos, "new columns of %s files are rescued only into a column that has a name",
                 files->format->name);
    return silt_hint(err, "Add rescuedDataColumn => '_rescued_data'.");
}

/* avroSchemaUrl: the file's text, as if it had been given. */
static int read_avro_schema(Source *source, const Arguments *arguments, SiltErr *err)
{
    Files *files = source->self;
    const SqlOption *url = arguments_find(arguments, "avroSchemaUrl");
    const char *path;
    Str content;
    SiltErr inner;

    if (!url)
        return 0;
    if (arguments_find(arguments, "avroSchema"))
        return silt_fail_at(err, SILT_CONFIG, url->pos, "avroSchema and avroSchemaUrl are both given");
    SILT_TRY(option_path(source, url->value, &path, err));
    int r = io_read(files->context.io, path, source->arena, &content, &inner);
    if (r != 0)
        return silt_fail_at(err, r < 0 ? inner.kind : SILT_CONFIG, url->value_pos, "could not read the Avro schema \"%s\": %s", path,
                            r < 0 ? inner.message : "there is no such file");
    files->options.avro_schema = arena_strndup(source->arena, content.ptr, content.size);
    return 0;
}

/* Is there one schema at most? */
static int check_schema(const Files *files, SiltPos pos, SiltErr *err)
{
    if (files->o.schema && files->o.schema_hints)
        return silt_fail_at(err, SILT_CONFIG, pos, "schemaHints are for an inferred schema: with schema%s they have no use",
                            files->options.single_variant_column ? " or singleVariantColumn" : "");
    if (files->options.avro_reader && (files->o.schema || files->o.schema_hints)) {
        silt_fail_at(err, SILT_CONFIG, pos, "the columns are given twice: by %s and by the Avro schema", files->o.schema ? "schema" : "schemaHints");
        return silt_hint(err, "Leave one of them out: the Avro schema says the columns and their types.");
    }
    return 0;
}

/* ---- all of it ---- */

/* fmt.`path` or read_files(...): 0 and, for the first, format and path; SOURCE_NONE; < 0. */
static int recognise(Source *source, const Relation *relation, SiltErr *err)
{
    Files *files = source->self;

    if (relation->kind == REL_FUNCTION)
        return relation->name.count == 1 && strcasecmp(relation->name.parts[0], "read_files") == 0 ? 0 : SOURCE_NONE;
    if (relation->kind != REL_TABLE || relation->name.count != 2)
        return SOURCE_NONE;
    Str name = str_of(relation->name.parts[0]);
    files->format = format_find(name);
    if (!files->format && format_is_later(name) && strchr(relation->name.parts[1], '/'))
        return no_format(relation->name.pos, relation->name.parts[0], err);
    if (!files->format)
        return SOURCE_NONE;
    files->direct = true;
    files->path = arena_strdup(source->arena, relation->name.parts[1]);
    files->path_pos = relation->name.pos;
    return 0;
}

static int take_path(Source *source, const Arguments *arguments, SiltPos pos, SiltErr *err)
{
    Files *files = source->self;
    const char *base = files->context.base_directory;

    if (!files->direct) {
        files->path = arguments->path;
        files->path_pos = arguments->path_pos;
    }
    if (!files->path)
        return silt_fail_at(err, SILT_CONFIG, pos, "read_files needs a path");
    if (path_glob_parse(source->arena, base ? base : "/", files->path, &files->glob, err) < 0)
        return silt_place(err, files->path_pos);
    source->name = files->direct ? arena_printf(source->arena, "%s.`%s`", files->format->name, files->path) : arena_printf(source->arena, "read_files('%s')", files->path);
    return 0;
}

/* The reader's own, known before the format is. */
static int take_own_options(Source *source, const Arguments *arguments, SiltErr *err)
{
    Files *files = source->self;
    const OptionTable own[] = {{files_options, &files->o}, {0}};
    SiltPos filter_pos = {0};

    files->o.bytes_per_trigger = INT64_MAX;
    option_defaults(own, source->arena);
    for (int i = 0; i < arguments->count; i++) {
        const SqlOption *option = &arguments->options[i];
        void *field;
        if (!option_row(own, option->key, &field))
            continue;
        SILT_TRY(arguments_set(arguments, option, own, files->context.io, source->arena, err));
        if (field == &files->o.name_filter)
            filter_pos = option->value_pos;
    }
    if (files->o.name_filter && glob_check(files->o.name_filter, err) < 0)
        return silt_place(err, filter_pos);
    if (files->o.latest_first)
        files->o.age_us_max = 0; /* as Spark: with limits, old files that still wait would be left out */
    if (files->o.schema_location) {
        SILT_TRY(option_path(source, files->o.schema_location, &files->o.schema_location, err));
        files->o.schema_location = arena_printf(source->arena, "%s/_schemas", files->o.schema_location);
    }
    return 0;
}

/* All others are the format's; what they are by themselves depends on how the files are read. */
static int take_format_options(Source *source, const Arguments *arguments, SiltErr *err)
{
    Files *files = source->self;
    const OptionTable own[] = {{files_options, &files->o}, {0}}, all[] = {own[0], {files->format->options, &files->options}, {0}};

    format_options_init(&files->options);
    for (int i = 0; i < arguments->count; i++)
        if (!option_row(own, arguments->options[i].key, NULL))
            SILT_TRY(arguments_set(arguments, &arguments->options[i], all, files->context.io, source->arena, err));
    arguments_note_ignored(arguments, all, source);
    files->options.header_given = arguments_find(arguments, "header");
    if (!files->options.header_given)
        files->options.header = !files->direct && !files->o.schema;
    if (arguments_find(arguments, "inferColumnTypes"))
        files->options.infer_column_types = files->o.infer_column_types;
    else if (!arguments_find(arguments, "inferSchema"))
        files->options.infer_column_types = !files->direct || files->format != &format_csv;
    if (!files->options.time_zone)
        files->options.time_zone = files->context.time_zone ? files->context.time_zone : "UTC";
    return 0;
}

/* Where the schema's text stands, for what is wrong in it. */
static SiltPos schema_place(const Arguments *arguments)
{
    static const char *const names[] = {"schema", "schemaHints", "avroSchema", "avroSchemaUrl"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const SqlOption *option = arguments_find(arguments, names[i]);
        if (option)
            return option->value_pos;
    }
    return (SiltPos){0};
}

/* Does the format take its options together? */
static int check_format(Files *files, const Arguments *arguments, Arena *arena, SiltPos pos, SiltErr *err)
{
    const SqlOption *encoding = arguments_find(arguments, "encoding");

    if (files->format->check && files->format->check(&files->options, arena, err) < 0)
        return err && err->line == 0 ? silt_place(err, pos) : -1;
    encoding = encoding ? encoding : arguments_find(arguments, "charset");
    if (encoding && !transcode_knows(encoding->value))
        return silt_fail_at(err, SILT_CONFIG, encoding->value_pos, "cannot read text in the encoding \"%s\": it is not known", encoding->value);
    return 0;
}

int files__parse(Source *source, const Relation *relation, SiltErr *err)
{
    static const ArgumentsForm form = {.reader = "read_files", .has_path = true, .prefix = "cloudFiles."};
    Files *files = source->self;
    Arguments arguments;
    int r = recognise(source, relation, err);

    if (r != 0)
        return r;
    SILT_TRY(arguments_read(source->arena, relation, &form, &arguments, err));
    SILT_TRY(take_path(source, &arguments, relation->pos, err));
    SILT_TRY(take_own_options(source, &arguments, err));
    SILT_TRY(take_format(source, &arguments, relation->pos, err));
    SILT_TRY(take_format_options(source, &arguments, err));
    files->schema_pos = schema_place(&arguments);
    SILT_TRY(read_avro_schema(source, &arguments, err));
    SILT_TRY(check_format(files, &arguments, source->arena, relation->pos, err));
    SILT_TRY(take_time(files, &arguments, "modifiedAfter", INT64_MIN, &files->modified_after_us, err));
    SILT_TRY(take_time(files, &arguments, "modifiedBefore", INT64_MAX, &files->modified_before_us, err));
    SILT_TRY(take_cleaning(source, &arguments, err));
    SILT_TRY(take_evolution(files, &arguments, err));
    SILT_TRY(check_rescue(files, &arguments, err));
    take_single_variant(files, source->arena);
    return check_schema(files, relation->pos, err);
}
