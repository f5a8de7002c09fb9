/* source/files_options.c - path and options of read_files(...) and fmt.`path` */
#include "source/files_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define AT(field) offsetof(FilesOptions, field)
#define LATER(name, help) {name, OPTION_LATER, 0, 0, NULL, help}
#define IGNORED(name, why) {name, OPTION_IGNORED, 0, 0, NULL, why}

static const OptionRow files_options[] = {
    {"format", OPTION_TEXT, AT(format), 0, NULL, "json, csv or parquet; told by the file names when it is left out"},
    {"schema", OPTION_TEXT, AT(schema), 0, NULL, "columns as in CREATE TABLE; inferred when it is left out"},
    {"schemaHints", OPTION_TEXT, AT(schema_hints), 0, NULL, "types of some columns of an inferred schema"},
    {"partitionColumns", OPTION_TEXT, AT(partition_columns), 0, NULL, "comma-separated keys of key=value folders that are columns; empty: none; all when it is left out"},
    {"pathGlobFilter", OPTION_TEXT, AT(name_filter), 0, NULL, "glob for file names"},
    {"fileNamePattern", OPTION_TEXT, AT(name_filter), 0, NULL, "the same as pathGlobFilter"},
    {"maxFilesPerTrigger", OPTION_COUNT, AT(files_per_trigger), 1, NULL, "files a batch (1000)"},
    {"maxBytesPerTrigger", OPTION_BYTES, AT(bytes_per_trigger), 1, NULL, "bytes a batch, of the files as they are; at least one file"},
    {"includeExistingFiles", OPTION_BOOL, AT(include_existing), 0, NULL, "whether files that are there when a stream begins are read (true)"},
    {"recursiveFileLookup", OPTION_BOOL, AT(recursive), 0, NULL, "folders below the path too (true)"},
    {"ignoreMissingFiles", OPTION_BOOL, AT(ignore_missing), 0, NULL, "a file that is gone when it is to be read is no error (true)"},
    IGNORED("useStrictGlobber", "globs are strict"),
    IGNORED("useNotifications", "local folders are watched and listed"),
    IGNORED("useManagedFileEvents", "local folders are watched and listed"),
    IGNORED("useIncrementalListing", "every listing is whole"),
    IGNORED("backfillInterval", "every listing is whole"),
    IGNORED("validateOptions", "options are always checked"),
    LATER("schemaEvolutionMode", "new columns are added"),
    LATER("schemaLocation", "the schema is kept with the checkpoint"),
    LATER("allowOverwrites", ""),
    LATER("maxFileAge", ""),
    LATER("cleanSource", ""),
    LATER("cleanSource.retentionDuration", ""),
    LATER("cleanSource.moveDestination", ""),
    LATER("ignoreCorruptFiles", ""),
    LATER("modifiedAfter", ""),
    LATER("modifiedBefore", ""),
    LATER("latestFirst", ""),
    LATER("fileNameOnly", ""),
    {0},
};

/* Text of a literal argument, in arena; NULL if it is none. */
static const char *literal_text(Arena *arena, const Expr *expr)
{
    if (expr->kind != EXPR_LITERAL || !expr->type)
        return NULL;
    switch (expr->type->kind) {
    case TYPE_STRING:
        return arena_strndup(arena, expr->literal.ptr, expr->literal.size);
    case TYPE_BOOLEAN:
        return expr->literal_int ? "true" : "false";
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
        return arena_printf(arena, "%lld", (long long)expr->literal_int);
    case TYPE_DECIMAL:
    case TYPE_DOUBLE:
    case TYPE_FLOAT:
        return expr->text;
    default:
        return NULL;
    }
}

/* The options of a relation as a list, and its path. */
static int collect(Arena *arena, const Relation *relation, const char **path, SiltPos *path_pos, SqlOption **options, int *count, SiltErr *err)
{
    int capacity = 0;
    for (int i = 0; relation->kind == REL_FUNCTION && i < relation->arg_count; i++) {
        const Expr *arg = relation->args[i];
        const Expr *value = arg->kind == EXPR_NAMED_ARG ? arg->args[0] : arg;
        const char *text = literal_text(arena, value);
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
        return silt_fail_at(err, SILT_CONFIG, pos, "cannot read files of format \"%s\" yet", name);
    silt_fail_at(err, SILT_CONFIG, pos, "unknown file format \"%s\"", name);
    return silt_hint(err, "json, csv and parquet are known.");
}

/* The format that most of the names below the path have. */
static int guess_format(Source *source, SiltPos pos, SiltErr *err)
{
    Files *files = source->self;
    static const FormatOps *const all[] = {&format_json, &format_csv, &format_parquet};
    int votes[3] = {0};
    silt_auto(arena_freep) Arena *arena = arena_new();
    Listing listing;
    SILT_TRY(listing_read(files->context.io, &files->glob, files->o.name_filter, files->o.recursive, arena, &listing, err));
    for (int i = 0; i < listing.count; i++) {
        Str name = str_of(listing.files[i].path);
        if (str_ends(name, ".gz"))
            name.size -= 3;
        else if (str_ends(name, ".zst"))
            name.size -= 4;
        for (int f = 0; f < 3; f++)
            for (const char *const *suffix = all[f]->suffixes; *suffix; suffix++)
                votes[f] += str_ends(name, *suffix);
    }
    int best = votes[1] > votes[0] ? 1 : 0;
    best = votes[2] > votes[best] ? 2 : best;
    if (votes[best] == 0 || votes[0] + votes[1] + votes[2] != votes[best]) {
        silt_fail_at(err, SILT_CONFIG, pos, "cannot tell the format of the files in \"%s\"", files->path);
        return silt_hint(err, "Give it: format => 'json' (or csv, parquet).");
    }
    files->format = all[best];
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
    for (int i = 0; i < count && !files->format; i++) /* needed for the listing that guesses */
        if (strcasecmp(options[i].key, "pathGlobFilter") == 0 || strcasecmp(options[i].key, "fileNamePattern") == 0)
            files->o.name_filter = options[i].value;
    if (!files->format)
        SILT_TRY(guess_format(source, format_pos, err));

    const OptionRow *const own[] = {files_options, NULL}, *const formats[] = {files->format->options, NULL};
    const OptionRow *const both[] = {files_options, files->format->options, NULL};
    bool header_given = false, types_given = false;
    for (int i = 0; i < count; i++) {
        if (strcasecmp(options[i].key, "schema") == 0 || strcasecmp(options[i].key, "schemaHints") == 0)
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
        SILT_TRY(option_set(tables, mine ? (void *)&files->o : (void *)&files->options, arena, &options[i], "read_files", err));
    }
    if (!header_given)
        files->options.header = function && !files->o.schema;
    files->options.header_given = header_given;
    if (!types_given)
        files->options.infer_column_types = function || files->format != &format_csv;
    if (!files->options.time_zone)
        files->options.time_zone = context->time_zone ? arena_strdup(arena, context->time_zone) : "UTC";
    if (files->format->check && files->format->check(&files->options, arena, err) < 0) {
        if (err && err->line == 0) {
            err->line = relation->pos.line;
            err->column = relation->pos.column;
            snprintf(err->file, sizeof err->file, "%s", relation->pos.file ? relation->pos.file : "");
        }
        return -1;
    }
    if (files->o.schema && files->o.schema_hints)
        return silt_fail_at(err, SILT_CONFIG, relation->pos, "schemaHints are for an inferred schema: with schema they have no use");
    return 0;
}
