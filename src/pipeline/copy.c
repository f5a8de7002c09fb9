/*
 * pipeline/copy.c - COPY INTO: the statement as a query over files and a table that it goes into
 *
 * Without a SELECT, files are read with the columns that the table has, so that every value is read as the type it will be stored as;
 * a column that the table lacks is an error, or with COPY_OPTIONS ('mergeSchema' = 'true') a new column of the table.
 * A SELECT is read as any query; its columns go to the table's by name.
 *
 * Everything is loaded or nothing: a record that cannot be read, or a field that does not fit, fails the statement, unless FORMAT_OPTIONS says
 * what becomes of it (mode, rescuedDataColumn).
 */
#include "delta/mapping.h"
#include "delta/widening.h"
#include "pipeline/internal.h"
#include "pipeline/open_table.h"
#include "source/listing.h"
#include "pipeline/resolve.h"
#include "base/uri.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct Copy {
    PipelineSession *session;
    const PipelineStatement *text;
    Arena *arena;
    SqlErrors *errors;
    bool merge, force;
    bool has_mode; /* the statement says what becomes of bad records */
    TargetWant want; /* schema: as the table will be */
    const char **partition_columns;
    const Type *has; /* the table's schema now; NULL: it is not there */
    bool mapped; /* the table has column mapping */
    bool widens; /* mergeSchema may give its columns wider types */
} Copy;

/* ---- the table ---- */

static int read_target(Copy *copy, LoadedFiles **loaded)
{
    DeltaEnv env = open_table_env(copy->session->pipeline->io, copy->session->pipeline->engine);
    silt_auto(delta_table_freep) DeltaTable *table = delta_table_new(&env, copy->want.path);
    SiltErr err;

    int r = delta_table_refresh(table, &err);
    if (r < 0)
        return pipeline__fail(copy->errors, &err);
    if (r == DELTA_ABSENT && !copy->merge)
        return graph_refuse(copy->errors, copy->want.pos, NULL, "COPY_OPTIONS ('mergeSchema' = 'true') makes it with the columns that the files have.",
                      "there is no Delta table \"%s\"", copy->want.name);
    if (r == DELTA_ABSENT) {
        r = target_folder(env.io, copy->want.path, &err);
        if (r == TARGET_OCCUPIED)
            return graph_refuse(copy->errors, copy->want.pos, NULL, "Move what is in it, or give the table another place.", "folder \"%s\" is not empty and holds no Delta table",
                          copy->want.path);
        if (r < 0)
            return pipeline__fail(copy->errors, &err);
    } else {
        const DeltaMetadata *metadata = delta_table_snapshot(table)->metadata;
        copy->has = type_copy(copy->arena, metadata->schema);
        copy->mapped = delta_mapping_on(metadata);
        copy->widens = copy->merge && delta_widening_on(metadata);
        copy->want.partition_columns = ARENA_ARRAY(copy->arena, const char *, metadata->partition_count + 1);
        copy->want.partition_count = metadata->partition_count;
        for (int i = 0; i < metadata->partition_count; i++)
            copy->want.partition_columns[i] = arena_strdup(copy->arena, metadata->partition_columns[i]);
        if (!copy->has->field_count)
            copy->has = NULL; /* CREATE TABLE t: the first files say what it holds */
    }
    if (!copy->has && !copy->merge)
        return graph_refuse(copy->errors, copy->want.pos, NULL, "Give COPY_OPTIONS ('mergeSchema' = 'true'): it gets those of the files.", "table \"%s\" has no columns", copy->want.name);
    if (loaded && loaded_files_open(env.io, table, loaded, &err) < 0)
        return pipeline__fail(copy->errors, &err);
    return 0;
}

/* ---- options ---- */

static const OptionRow copy_options[] = {
    {"mergeSchema", OPTION_BOOL, offsetof(Copy, merge), 0, NULL, NULL, "columns that the table lacks become columns of it"},
    {"force", OPTION_BOOL, offsetof(Copy, force), 0, NULL, NULL, "files that are loaded already are loaded again"},
    {0},
};

static int take_copy_options(Copy *copy, const CopyInto *into)
{
    const OptionTable tables[] = {{copy_options, copy}, {0}};
    SiltErr err;

    for (int i = 0; i < into->copy_option_count; i++)
        if (option_set(tables, copy->arena, &into->copy_options[i], "COPY_OPTIONS", &err) < 0)
            return pipeline__fail(copy->errors, &err);
    return 0;
}

/* The reader's options: those of the statement, then what follows from it. */
typedef struct Options {
    Copy *copy;
    SqlOption *items;
    int count, capacity;
} Options;

static const SqlOption *given(const Options *options, const char *key)
{
    for (int i = 0; i < options->count; i++)
        if (!strcasecmp(options->items[i].key, key))
            return &options->items[i];
    return NULL;
}

static void add(Options *options, const char *key, const char *value, SiltPos pos)
{
    SqlOption option = {.key = key, .value = value, .pos = pos, .value_pos = pos};

    if (!given(options, key))
        ARENA_PUSH(options->copy->arena, options->items, options->count, options->capacity, option);
}

static void put_name(StrBuf *out, const char *name)
{
    str_buf_putc(out, '`');
    for (; *name; name++)
        str_buf_puts(out, *name == '`' ? "``" : (char[]){*name, 0});
    str_buf_putc(out, '`');
}

/* The table's columns as the reader's schema, but for that of rescued data (NULL: none); those of the statement's list, when it has one. */
static const char *columns_text(const Copy *copy, const CopyInto *into, const SqlOption *rescued)
{
    silt_auto(str_buf_fini) StrBuf out = {0};
    int count = into->column_count ? into->column_count : copy->has->field_count;

    for (int i = 0; i < count; i++) {
        int at = into->column_count ? type_field_index(copy->has, into->columns[i], NULL) : i;
        if (at < 0) {
            graph_refuse(copy->errors, into->positions[i], NULL, NULL, "no column \"%s\" in \"%s\"", into->columns[i], copy->want.name);
            return NULL;
        }
        if (rescued && !strcasecmp(copy->has->fields[at].name, rescued->value))
            continue;
        str_buf_puts(&out, out.size ? ", " : "");
        put_name(&out, copy->has->fields[at].name);
        str_buf_printf(&out, " %s", type_text(copy->arena, copy->has->fields[at].type));
    }
    return arena_strdup(copy->arena, str_buf_text(&out));
}

static const char *escaped(Arena *arena, const char *text)
{
    silt_auto(str_buf_fini) StrBuf out = {0};

    for (; *text; text++) {
        if (strchr("*?[]{},\\", *text))
            str_buf_putc(&out, '\\');
        str_buf_putc(&out, *text);
    }
    return arena_strdup(arena, str_buf_text(&out));
}

/* The path with FILES or PATTERN behind it. */
static const char *whole_path(const Copy *copy, const CopyInto *into)
{
    size_t size = strlen(into->path);
    const char *slash = size && into->path[size - 1] == '/' ? "" : "/";
    silt_auto(str_buf_fini) StrBuf out = {0};

    if (into->pattern)
        return arena_printf(copy->arena, "%s%s%s", into->path, slash, into->pattern);
    if (!into->file_count)
        return into->path;
    str_buf_printf(&out, "%s%s%s", into->path, slash, into->file_count > 1 ? "{" : "");
    for (int i = 0; i < into->file_count; i++)
        str_buf_printf(&out, "%s%s", i ? "," : "", escaped(copy->arena, into->files[i]));
    str_buf_puts(&out, into->file_count > 1 ? "}" : "");
    return arena_strdup(copy->arena, str_buf_text(&out));
}

/* FILES are named one by one: that one is missing is a mistake, not an empty set. */
static int check_files(const Copy *copy, const CopyInto *into)
{
    const char *folder = into->path;
    SiltErr err;

    if (strpbrk(folder, "*?[{\\"))
        return 0;
    if (uri_scheme(str_of(folder)).size) {
        if (uri_to_path(copy->arena, folder, &folder, &err) < 0)
            return pipeline__fail(copy->errors, &err);
    } else {
        folder = path_join(copy->arena, copy->session->pipeline->directory, folder);
    }
    for (int i = 0; i < into->file_count; i++) {
        IoStat stat;
        int r = io_stat(copy->session->pipeline->io, path_join(copy->arena, folder, into->files[i]), &stat, &err);
        if (r < 0)
            return pipeline__fail(copy->errors, &err);
        if (r == IO_ABSENT)
            return graph_refuse(copy->errors, into->files_pos, NULL, "Names in FILES are relative to the path behind FROM.", "there is no \"%s\" in \"%s\"", into->files[i], into->path);
    }
    return 0;
}

static bool has_records(const char *format)
{
    return !strcasecmp(format, "json") || !strcasecmp(format, "csv") || !strcasecmp(format, "avro") || !strcasecmp(format, "parquet");
}

static int give_options(Copy *copy, const Statement *statement)
{
    static const char *const own[] = {"format", "schema", "path", "schemaEvolutionMode", "cleanSource", "schemaLocation"};
    const CopyInto *into = statement->copy;
    Relation *source = into->source;
    Options options = {.copy = copy};
    SiltPos pos = into->format_pos;
    bool csv = !strcasecmp(into->format, "csv"), text = !strcasecmp(into->format, "text") || !strcasecmp(into->format, "binaryFile");

    for (int i = 0; i < into->format_option_count; i++) {
        const SqlOption *option = &into->format_options[i];
        for (size_t k = 0; k < sizeof own / sizeof own[0]; k++)
            if (!strcasecmp(option->key, own[k]))
                return graph_refuse(copy->errors, option->pos, NULL, NULL, "FORMAT_OPTIONS of COPY INTO takes no \"%s\"", option->key);
        add(&options, option->key, option->value, option->pos);
        options.items[options.count - 1].value_pos = option->value_pos;
    }
    add(&options, "format", into->format, pos);
    if (csv) { /* Databricks' defaults, which are not those of read_files */
        add(&options, "header", "false", pos);
        if (!given(&options, "inferSchema"))
            add(&options, "inferColumnTypes", "false", pos);
    }
    const SqlOption *header = given(&options, "header"), *rescued = given(&options, "rescuedDataColumn");
    bool positional = csv && !strcasecmp(header->value, "false");
    if ((into->by_position || into->column_count) && (!positional || into->selected))
        return graph_refuse(copy->errors, into->columns_pos, NULL, "Elsewhere columns go by name; with a SELECT, name them by AS.",
                      "columns by position are for CSV without a header");
    copy->has_mode = given(&options, "mode") != NULL;
    if (!text && !rescued) {
        if (strcasecmp(into->format, "parquet") != 0) /* whose values have types of their own */
            add(&options, "mode", "FAILFAST", pos);
        add(&options, "rescuedDataColumn", "", pos);
    }
    if (has_records(into->format) && !into->selected && copy->has && (!copy->merge || positional)) {
        const char *schema = columns_text(copy, into, rescued);
        if (!schema)
            return -1;
        add(&options, "schema", schema, pos);
        add(&options, "schemaEvolutionMode", "failOnNewColumns", pos);
    } else if (has_records(into->format) && !into->selected && copy->has) {
        const char *hints = columns_text(copy, into, rescued);
        if (!hints)
            return -1;
        add(&options, "schemaHints", hints, pos);
    }
    Expr *path = source->args[0];
    SiltErr wrong;
    if (into->pattern && glob_check(into->pattern, &wrong) < 0)
        return graph_refuse(copy->errors, into->files_pos, NULL, wrong.hint, "%s", wrong.message);
    if (check_files(copy, into) < 0)
        return -1;
    const char *whole = whole_path(copy, into);
    path->literal = str_of(whole);
    path->text = whole;
    source->options = options.items;
    source->option_count = options.count;
    return 0;
}

/* ---- the query ---- */

static int parse(Copy *copy, Arena *arena, Statement **out)
{
    Statement **statements;
    int count;

    if (sql_parse_file(arena, copy->text->file, copy->text->text, &statements, &count, copy->errors) < 0)
        return -1;
    *out = statements[copy->text->index];
    return give_options(copy, *out);
}

/* Is every value of one type one of the other too, written the same? Then the writer's cast does it. */
static bool is_wider(const Type *from, const Type *to)
{
    static const int digits[] = {[TYPE_BYTE] = 3, [TYPE_SHORT] = 5, [TYPE_INT] = 10, [TYPE_LONG] = 19};

    if (type_is_integral(from) && type_is_integral(to))
        return from->kind <= to->kind;
    if (type_is_integral(from) && to->kind == TYPE_DECIMAL)
        return to->precision - to->scale >= digits[from->kind];
    if (from->kind == TYPE_DECIMAL && to->kind == TYPE_DECIMAL)
        return to->scale >= from->scale && to->precision - to->scale >= from->precision - from->scale;
    return from->kind == TYPE_FLOAT && to->kind == TYPE_DOUBLE;
}

static SiltPos column_pos(const Statement *statement, int column)
{
    const Query *query = statement->query;

    if (statement->copy->selected && query->kind == QUERY_SELECT && query->item_count == query->column_count && query->items[column].expr)
        return query->items[column].expr->pos;
    return statement->copy->path_pos;
}

/* The table as it will be: its own columns, and with mergeSchema those that only the query has. */
static int settle_schema(Copy *copy, const Statement *statement)
{
    const Query *query = statement->query;
    Arena *arena = copy->arena;
    TypeField *fields = ARENA_ARRAY(arena, TypeField, query->column_count + 1);
    SiltPos *positions = ARENA_ARRAY(arena, SiltPos, query->column_count + 1);
    const char *column;
    int before = copy->errors->count;

    for (int i = 0; i < query->column_count; i++)
        positions[i] = column_pos(statement, i);
    if (target_check_columns(query->column_names, query->column_types, positions, query->column_count, copy->mapped, copy->errors) < 0)
        return -1;
    for (int i = 0; i < query->column_count; i++) {
        const char *name = query->column_names[i];
        int at = copy->has ? type_field_index(copy->has, name, NULL) : -1;
        const TypeField *had = at >= 0 ? &copy->has->fields[at] : NULL;
        fields[i] = (TypeField){.name = arena_strdup(arena, name), .type = type_copy_nullable(arena, query->column_types[i]), .nullable = true};
        if (!had && !copy->merge)
            graph_refuse(copy->errors, positions[i], NULL, "Leave it out with a SELECT, or let the table grow: COPY_OPTIONS ('mergeSchema' = 'true').", "no column \"%s\" in \"%s\"", name,
                   copy->want.name);
        else if (had && is_wider(fields[i].type, had->type))
            fields[i].type = had->type;
        else if (had && target_merge_schema(arena, type_struct(arena, had, 1), type_struct(arena, &fields[i], 1), copy->widens, &(const Type *){0}, &column))
            graph_refuse(copy->errors, positions[i], NULL, arena_printf(arena, "Cast it in a SELECT: CAST(... AS %s).", type_text(arena, had->type)),
                   "column \"%s\" is %s here and %s in \"%s\"", name, type_text(arena, fields[i].type), type_text(arena, had->type), copy->want.name);
        if (had && !had->nullable && had->type->kind >= TYPE_VARIANT && query->column_nullable[i]) /* of scalars the files' statistics tell */
            graph_refuse(copy->errors, positions[i], NULL, "Use coalesce in a SELECT.", "column \"%s\" of \"%s\" is NOT NULL, but the files may give NULL", name, copy->want.name);
        const char *part = had ? target_forbids_null(arena, name, had->type, query->column_types[i], true) : NULL;
        if (part)
            graph_refuse(copy->errors, positions[i], NULL, "Use coalesce in a SELECT.", "\"%s\" of \"%s\" is NOT NULL, but the files may give NULL", part, copy->want.name);
    }
    for (int i = 0; copy->has && i < copy->has->field_count; i++) {
        bool found = copy->has->fields[i].nullable;
        for (int k = 0; k < query->column_count && !found; k++)
            found = !strcasecmp(copy->has->fields[i].name, query->column_names[k]);
        if (!found)
            graph_refuse(copy->errors, statement->copy->path_pos, NULL, NULL, "column \"%s\" of \"%s\" is NOT NULL, and the files do not have it", copy->has->fields[i].name,
                   copy->want.name);
    }
    if (copy->errors->count > before)
        return -1;
    const Type *more = type_struct(arena, fields, query->column_count);
    if (!copy->has)
        copy->want.schema = more;
    else
        silt_assert(target_merge_schema(arena, copy->has, more, copy->widens, &copy->want.schema, &column) == 0); /* each was looked at */
    return 0;
}

/* FlowOptions.analyze; old NULL: the first time. */
static int analyze(void *self, FlowQuery *old, FlowQuery **out, SqlErrors *errors)
{
    Copy *copy = self;
    GraphScope scope = pipeline__session_scope(copy->session);
    Statement *statement;

    copy->errors = errors;
    SILT_TRY(parse(copy, copy->arena, &statement));
    SILT_TRY(analysis_query(copy->session->analysis, statement->query, &scope, &copy->session->defined, old, out, errors));
    for (int i = 0; i < (*out)->input_count; i++)
        if ((*out)->inputs[i]->kind == PLAN_INPUT_SOURCE && source_reaches((*out)->inputs[i]->source, copy->want.path))
            graph_refuse(copy->errors, statement->copy->path_pos, NULL, "Read from a folder of its own.", "the files lie in the folder of the table \"%s\"", copy->want.name);
    if (errors->count || settle_schema(copy, statement) < 0) {
        if (old)
            (*out)->owns_sources = false;
        flow_query_free(*out);
        return -1;
    }
    (*out)->want = &copy->want;
    return 0;
}

static int run(Copy *copy, bool dry, PipelineCopied *out)
{
    Pipeline *pipeline = copy->session->pipeline;
    Conf *conf = conf_copy(copy->arena, copy->session->conf);
    FlowEnv env = {.io = pipeline->io,
                   .engine = pipeline->engine,
                   .staging = arena_printf(copy->arena, "%s/_silt_copy/_silt/staging", copy->want.path),
                   .self = copy->session,
                   .busy = pipeline__session_busy};
    FlowOptions options = {.name = "copy",
                           .kind = FLOW_ONCE,
                           .file = copy->text->file,
                           .conf = conf,
                           .force = copy->force,
                           .analyze = analyze,
                           .analyze_self = copy};
    FlowQuery *query;
    FlowCopied copied;
    SiltErr err;

    conf_set(conf, "silt.deadLetters", "count", copy->want.pos); /* all or nothing, or as the mode says: no side table */
    SILT_TRY(analyze(copy, NULL, &query, copy->errors));
    options.refuse_bad = !copy->has_mode;
    Flow *flow = flow_new(&env, &options, query);
    int r = flow_copy(flow, dry, &copied, &err);
    flow_free(flow);
    if (r < 0 && !strcmp(err.code, "UNKNOWN_FIELD_EXCEPTION.NEW_FIELDS_IN_FILE"))
        silt_hint(&err, "Leave them out with a SELECT, or let the table grow: COPY_OPTIONS ('mergeSchema' = 'true').");
    if (r < 0)
        return pipeline__fail(copy->errors, &err);
    *out = (PipelineCopied){copied.rows, copied.files_corrupt};
    return 0;
}

/* The first rows of what would be loaded. */
static int show_rows(Copy *copy, int64_t rows_max, LoadedFiles *loaded, PipelineResult **preview)
{
    Statement *statement;

    if (parse(copy, copy->arena, &statement) < 0) {
        loaded_files_free(loaded);
        return -1;
    }
    if (!statement->query->limit) {
        Expr *limit = ARENA_NEW(copy->arena, Expr);
        *limit = (Expr){.kind = EXPR_LITERAL, .pos = statement->pos, .text = arena_printf(copy->arena, "%lld", (long long)rows_max), .literal_int = rows_max,
                        .type = type_simple(TYPE_INT), .constant = true};
        statement->query->limit = limit;
    }
    return pipeline__session_query(copy->session, statement->query, loaded, preview, copy->errors);
}

int pipeline_session_copy(PipelineSession *session, const PipelineStatement *text, bool managed_writes, PipelineCopied *out, PipelineResult **preview,
                          SqlErrors *errors)
{
    enum { PREVIEW_ROWS = 50 /* as Databricks shows them */ };
    Copy copy = {.session = session, .text = text, .arena = session->arena, .errors = errors};
    Statement **statements;
    LoadedFiles *loaded = NULL;
    int count;

    *preview = NULL;
    *out = (PipelineCopied){0};
    SILT_TRY(sql_parse_file(copy.arena, text->file, text->text, &statements, &count, errors));
    const Statement *statement = statements[text->index];
    const CopyInto *into = statement->copy;
    SILT_TRY(take_copy_options(&copy, into));
    SILT_TRY(pipeline__written_table(session, &statement->target, "COPY INTO", managed_writes, &copy.want, errors));
    SILT_TRY(read_target(&copy, into->validate && !copy.force ? &loaded : NULL));
    if (into->validate && into->validate_rows >= 0)
        return show_rows(&copy, into->validate_rows, loaded, preview);
    if (run(&copy, into->validate, out) < 0) {
        loaded_files_free(loaded);
        return -1;
    }
    return into->validate ? show_rows(&copy, PREVIEW_ROWS, loaded, preview) : 0;
}
