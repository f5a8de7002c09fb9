/*
 * pipeline/analysis.c - each flow's query analyzed, checked against what its target is, merged into the target's columns
 *
 *   A1  A dataset's columns are known once its flows were analyzed; they only grow.
 *   A2  One error is reported once, however many flows run into it.
 *   A3  A table that was made and never written to has the shape that its flows want now, not the one that it was made with.
 */
#include "pipeline/analysis.h"
#include "flow/ranges.h"
#include "pipeline/open_table.h"
#include "pipeline/resolve.h"
#include "pipeline/unused.h"
#include "sql/functions.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct DatasetState {
    const TargetWant *want; /* NULL: not analyzed, or failed */
    const Type *schema;     /* before expectations: as far as its flows are known */
    bool failed, fresh;
    bool starts_over; /* A3 */
    const DeltaMetadata *table; /* of a streaming table that is there and keeps its shape: its partition columns only; else NULL */
    bool widens; /* delta.enableTypeWidening, of the table or of what it will be */
    int64_t stamp;
} DatasetState;

struct Analysis {
    AnalysisOptions options;
    Arena *arena;
    pthread_mutex_t lock;
    DatasetState *states; /* by number of the dataset in the graph */
    int64_t stamp;
};

Analysis *analysis_new(const AnalysisOptions *options)
{
    Analysis *analysis = silt_alloc(sizeof *analysis);

    analysis->options = *options;
    analysis->arena = arena_new();
    analysis->states = silt_alloc(sizeof *analysis->states * (size_t)((options->graph ? options->graph->dataset_count : 0) + 1));
    pthread_mutex_init(&analysis->lock, NULL);
    return analysis;
}

void analysis_free(Analysis *analysis)
{
    if (!analysis)
        return;
    pthread_mutex_destroy(&analysis->lock);
    free(analysis->states);
    arena_free(analysis->arena);
    free(analysis);
}

static DatasetState *state_of(const Analysis *analysis, const Dataset *dataset)
{
    for (int i = 0; i < analysis->options.graph->dataset_count; i++)
        if (analysis->options.graph->datasets[i] == dataset)
            return &analysis->states[i];
    silt_assert(!"a dataset of another graph");
    return NULL;
}

const char *analysis_checkpoint_root(Arena *arena, const PipelineSpec *spec, const GraphFlow *flow)
{
    const Dataset *target = flow->target;
    return arena_printf(arena, "%s/_checkpoints/%s/%s/%s/%s", spec->storage_path, target->catalog, target->schema, target->table, flow->label);
}

void analysis_refresh_fully(Analysis *analysis, const Dataset *dataset)
{
    state_of(analysis, dataset)->fresh = true;
}

/* ---- errors ---- */

/* A2 */
static void drop_repeats(SqlErrors *errors, int from)
{
    int kept = from;

    for (int i = from; i < errors->count; i++) {
        const SiltErr *e = &errors->items[i];
        bool seen = false;
        for (int j = 0; j < kept && !seen; j++) {
            const SiltErr *other = &errors->items[j];
            seen = e->line && e->line == other->line && e->column == other->column && !strcmp(e->file, other->file) &&
                   !strcmp(e->message, other->message);
        }
        if (!seen)
            errors->items[kept++] = *e;
    }
    errors->count = kept;
}

/* ---- the columns of a query ---- */

static SiltPos column_pos(const Query *query, int column)
{
    while (query->kind == QUERY_SET && query->left)
        query = query->left;
    if (query->kind == QUERY_SELECT && query->item_count == query->column_count && query->items[column].expr)
        return query->items[column].alias ? query->items[column].alias_pos.line ? query->items[column].alias_pos : query->items[column].expr->pos
                                          : query->items[column].expr->pos;
    return query->pos;
}

/* The column as its statement declares it; NULL: it does not. */
static const ColumnDef *declared_column(const Dataset *dataset, const char *name)
{
    const Statement *statement = dataset->statement;

    for (int i = 0; i < statement->column_count; i++)
        if (!strcasecmp(statement->columns[i].name, name))
            return &statement->columns[i];
    return NULL;
}

/* The column's type as the table will have it: a NULL without a type takes the one that is declared. In arena. */
static const Type *column_type(Arena *arena, const Dataset *dataset, const Query *query, int column)
{
    const ColumnDef *declared = declared_column(dataset, query->column_names[column]);

    return declared ? target_fill_void(arena, query->column_types[column], declared->type) : query->column_types[column];
}

/* What a table for its rows is made with: as with Delta's writer everything may be NULL, whatever these rows hold. */
static const Type *query_schema(Arena *arena, const Dataset *dataset, const Query *query)
{
    TypeField *fields = ARENA_ARRAY(arena, TypeField, query->column_count + 1);

    for (int i = 0; i < query->column_count; i++)
        fields[i] = (TypeField){.name = query->column_names[i], .type = type_copy_nullable(arena, column_type(arena, dataset, query, i)), .nullable = true};
    return type_struct(arena, fields, query->column_count);
}

/* Does its statement ask for column mapping? */
static bool is_mapped(const Dataset *dataset)
{
    const char *mode = dataset_property(dataset, "delta.columnMapping.mode");

    return mode && strcasecmp(mode, "none") != 0;
}

static int check_columns(const Dataset *dataset, const Query *query, SqlErrors *errors)
{
    SiltPos *positions = ARENA_ARRAY(errors->arena, SiltPos, query->column_count + 1);

    const Type **types = ARENA_ARRAY(errors->arena, const Type *, query->column_count + 1);
    for (int i = 0; i < query->column_count; i++) {
        positions[i] = column_pos(query, i);
        types[i] = column_type(errors->arena, dataset, query, i);
    }
    return target_check_columns(query->column_names, types, positions, query->column_count, is_mapped(dataset), errors);
}

/* Declared columns: exact types, nothing beyond them (USER_SPECIFIED_AND_INFERRED_SCHEMA_NOT_COMPATIBLE). */
static void check_declared(const Dataset *dataset, const Query *query, SqlErrors *errors)
{
    static const char code[] = "USER_SPECIFIED_AND_INFERRED_SCHEMA_NOT_COMPATIBLE";
    const Statement *statement = dataset->statement;

    for (int i = 0; i < query->column_count; i++) {
        const char *name = query->column_names[i];
        const Type *type = column_type(errors->arena, dataset, query, i);
        const ColumnDef *declared = declared_column(dataset, name);
        const char *part;
        if (!declared)
            graph_refuse(errors, column_pos(query, i), code, "Declare it too, or leave it out of the query.",
                 "column \"%s\" is not among the declared columns of \"%s\"", name, dataset->name);
        else if (!type_equal(declared->type, type, false))
            graph_refuse(errors, column_pos(query, i), code, arena_printf(errors->arena, "Cast it: CAST(... AS %s).", type_text(errors->arena, declared->type)),
                 "column \"%s\" is %s here and declared as %s", name, type_text(errors->arena, query->column_types[i]),
                 type_text(errors->arena, declared->type));
        else if (declared->not_null && query->column_nullable[i])
            graph_refuse(errors, column_pos(query, i), code, "Use coalesce, or leave NOT NULL out and add an expectation.",
                 "column \"%s\" is declared NOT NULL, but the query may give NULL", name);
        else if ((part = target_forbids_null(errors->arena, declared->name, declared->type, type, false)))
            graph_refuse(errors, column_pos(query, i), code, "Use coalesce, or leave NOT NULL out and add an expectation.",
                 "\"%s\" is declared NOT NULL, but the query may give NULL", part);
    }
    for (int j = 0; j < statement->column_count; j++) {
        bool given = !statement->columns[j].not_null;
        for (int i = 0; i < query->column_count && !given; i++)
            given = !strcasecmp(statement->columns[j].name, query->column_names[i]);
        if (!given)
            graph_refuse(errors, statement->columns[j].pos, code, NULL, "column \"%s\" is declared NOT NULL, but the query does not give it",
                 statement->columns[j].name);
    }
}

/* ---- the columns of a dataset ---- */

static const Type *declared_schema(Arena *arena, const Statement *statement)
{
    TypeField *fields = ARENA_ARRAY(arena, TypeField, statement->column_count + 1);

    for (int i = 0; i < statement->column_count; i++) {
        const ColumnDef *column = &statement->columns[i];
        fields[i] = (TypeField){.name = column->name, .type = column->type, .nullable = !column->not_null, .comment = column->comment};
    }
    return type_struct(arena, fields, statement->column_count);
}

/* delta.enableTypeWidening, as its statement says, else as the table (NULL: none) has it. */
static bool wants_widening(const Dataset *dataset, const DeltaMetadata *table)
{
    const char *value = dataset_property(dataset, "delta.enableTypeWidening");
    DeltaProperty property = {"delta.enableTypeWidening", value};

    return target_widens(&property, value ? 1 : 0, table);
}

static const DeltaMetadata *partitions_of(Arena *arena, const DeltaMetadata *table)
{
    DeltaMetadata *made = ARENA_NEW(arena, DeltaMetadata);
    const char **columns = ARENA_ARRAY(arena, const char *, table->partition_count + 1);

    for (int i = 0; i < table->partition_count; i++)
        columns[i] = arena_strdup(arena, table->partition_columns[i]);
    *made = (DeltaMetadata){.partition_columns = columns, .partition_count = table->partition_count};
    return made;
}

/* What the dataset starts from: the columns the table has, then those declared. 0, or -1 with errors. */
static int base_schema(Analysis *analysis, const Dataset *dataset, const Type **out, SqlErrors *errors)
{
    Arena *arena = analysis->arena;
    const Statement *statement = dataset->statement;
    const Type *declared = declared_schema(arena, statement), *existing = NULL;
    const char *column;
    SiltErr err;

    state_of(analysis, dataset)->widens = wants_widening(dataset, NULL);

    if (statement->column_count) {
        const char **names = ARENA_ARRAY(arena, const char *, statement->column_count);
        const Type **types = ARENA_ARRAY(arena, const Type *, statement->column_count);
        SiltPos *positions = ARENA_ARRAY(arena, SiltPos, statement->column_count);
        for (int i = 0; i < statement->column_count; i++) {
            names[i] = statement->columns[i].name;
            types[i] = statement->columns[i].type;
            positions[i] = statement->columns[i].pos;
        }
        if (target_check_declared(names, types, positions, statement->column_count, is_mapped(dataset), errors) < 0)
            return -1;
    }
    if (dataset->kind == DATASET_STREAMING_TABLE && !state_of(analysis, dataset)->fresh) { /* else its rows go, and its shape with them */
        DeltaEnv env = open_table_env(analysis->options.io, analysis->options.engine);
        silt_auto(delta_table_freep) DeltaTable *table = delta_table_new(&env, dataset->path);
        int r = delta_table_refresh(table, &err);
        if (r < 0) {
            silt_context(&err, "table \"%s\": ", dataset->name);
            sql_errors_add(errors, &err);
            return -1;
        }
        if (r == 0) {
            existing = type_copy(arena, delta_table_snapshot(table)->metadata->schema);
            state_of(analysis, dataset)->table = partitions_of(arena, delta_table_snapshot(table)->metadata);
        }
        state_of(analysis, dataset)->widens = wants_widening(dataset, r == 0 ? delta_table_snapshot(table)->metadata : NULL);
    }
    *out = declared;
    bool widens = state_of(analysis, dataset)->widens;
    if (existing && target_merge_schema(arena, existing, declared, widens, out, &column)) {
        bool could = !widens && target_merge_schema(arena, existing, declared, true, out, &column) == 0;
        graph_refuse(errors, statement->name.pos, "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE",
             could ? TARGET_WIDENING_HINT : "The type of a column cannot be changed. Give it another name.",
             "column \"%s\" of \"%s\" is declared with another type than the table has", column, dataset->name);
        return -1;
    }
    *out = target_take_comments(arena, *out, declared);
    return 0;
}

/* An unknown kind is told by graph_check_sinks. */
static void check_sink(const TargetWant *want, SqlErrors *errors)
{
    const Type *schema = want->schema;
    const char **names = ARENA_ARRAY(errors->arena, const char *, schema->field_count + 1);
    const Type **types = ARENA_ARRAY(errors->arena, const Type *, schema->field_count + 1);
    SinkColumns columns = {names, types, schema->field_count};
    SiltErr err;

    for (int i = 0; i < schema->field_count; i++) {
        names[i] = schema->fields[i].name;
        types[i] = schema->fields[i].type;
    }
    if (sink_known(&want->sinks, want->sink->kind) && sink_check(&want->sinks, want->sink, &columns, errors->arena, &err) < 0)
        sql_errors_add(errors, &err);
}

static const TargetWant *make_want(Analysis *analysis, const Dataset *dataset, const Type *schema, SqlErrors *errors)
{
    Arena *arena = analysis->arena;
    const Statement *statement = dataset->statement;
    TargetWant *want = ARENA_NEW(arena, TargetWant);
    int before = errors->count, capacity = 0, partition_capacity = 0;

    want->name = dataset->name;
    want->path = dataset->path;
    want->is_view = dataset->kind == DATASET_MATERIALIZED_VIEW;
    want->schema = schema;
    want->comment = statement->comment;
    want->pos = statement->name.pos;
    if (dataset->kind == DATASET_SINK) {
        SinkWant *sink = ARENA_NEW(arena, SinkWant);
        *sink = (SinkWant){statement->using_format, statement->options, statement->option_count, dataset->name, statement->using_pos};
        want->sink = sink;
        want->sinks = extensions_sinks(analysis->options.extensions, analysis->options.io);
        check_sink(want, errors);
    }
    for (int i = 0; i < statement->partition_count; i++) {
        const char *name = statement->partition_by[i].parts[0];
        int at = type_field_index(schema, name, NULL);
        if (at < 0)
            graph_refuse(errors, statement->partition_by[i].pos, "UNRESOLVED_COLUMN.WITH_SUGGESTION", NULL, "no column \"%s\" in \"%s\" to partition by", name,
                 dataset->name);
        else if (!delta_type_may_partition(schema->fields[at].type))
            graph_refuse(errors, statement->partition_by[i].pos, "INVALID_PARTITION_COLUMN_DATA_TYPE", "Cast it to a type that a folder's name can hold.",
                 "column \"%s\" of type %s cannot be a partition column", name, type_text(errors->arena, schema->fields[at].type));
        else
            ARENA_PUSH(arena, want->partition_columns, want->partition_count, partition_capacity, schema->fields[at].name);
    }
    if (want->partition_count && want->partition_count == schema->field_count)
        graph_refuse(errors, statement->partition_by[0].pos, "ALL_PARTITION_COLUMNS_NOT_ALLOWED", NULL, "a table cannot be partitioned by all of its columns");
    for (int i = 0; i < statement->property_count; i++) {
        const SqlOption *option = &statement->properties[i];
        DeltaProperty property = {option->key, option->value};
        if (!str_starts(str_of(option->key), "silt.") && !str_starts(str_of(option->key), "pipelines."))
            ARENA_PUSH(arena, want->properties, want->property_count, capacity, property);
    }
    if (errors->count == before && state_of(analysis, dataset)->table) {
        SiltErr err;
        if (target_check_partitions(want, state_of(analysis, dataset)->table, &err) < 0)
            sql_errors_add(errors, &err);
    }
    return errors->count > before ? NULL : want;
}

/* Merge one flow's columns; the error stands at the column. */
static int merge_flow(Analysis *analysis, const Dataset *dataset, const Type **schema, const Query *query, SqlErrors *errors)
{
    const Type *merged, *more = query_schema(analysis->arena, dataset, query);
    const char *column;

    /* the arena of a query dies with it */
    more = type_copy(analysis->arena, more);
    bool widens = state_of(analysis, dataset)->widens;
    if (target_merge_schema(analysis->arena, *schema, more, widens, &merged, &column)) {
        bool could = !widens && target_merge_schema(analysis->arena, *schema, more, true, &merged, &column) == 0;
        char top[256];
        snprintf(top, sizeof top, "%.*s", (int)strcspn(column, "."), column);
        int had = type_field_index(*schema, top, NULL), has = type_field_index(more, top, NULL);
        graph_refuse(errors, has >= 0 ? column_pos(query, has) : query->pos, "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE",
             could ? TARGET_WIDENING_HINT : "Cast it to the type that the table has, or give it another name.", "column \"%s\" of \"%s\" is %s here and %s in the table", column,
             dataset->name, has >= 0 ? type_text(errors->arena, more->fields[has].type) : "?",
             had >= 0 ? type_text(errors->arena, (*schema)->fields[had].type) : "?");
        return -1;
    }
    *schema = merged;
    return 0;
}

/* ---- one flow ---- */

static const TargetWant *wanted(void *self, const Dataset *dataset)
{
    return state_of(self, dataset)->want;
}

static void free_host(void *host)
{
    source_host_free(host);
}

static FlowQuery *new_query(const AnalysisOptions *options, const GraphScope *scope, FlowQuery *old)
{
    Arena *arena = arena_new();
    FlowQuery *query = ARENA_NEW(arena, FlowQuery);

    query->arena = arena;
    query->owns_sources = old == NULL;
    query->limit = -1;
    query->host = old ? old->host : source_host_new(options, conf_sql_settings(scope->conf).time_zone);
    query->free_host = free_host;
    return query;
}

static void fingerprint(FlowQuery *query, const char *text, size_t size)
{
    uint64_t a = UINT64_C(14695981039346656037), b = UINT64_C(0x9E3779B97F4A7C15);

    for (size_t i = 0; i < size; i++) {
        a = (a ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
        b = (b ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3) + (b >> 47);
    }
    snprintf(query->fingerprint, sizeof query->fingerprint, "%016llx%016llx", (unsigned long long)a, (unsigned long long)b);
}

static int check_kind(const GraphFlow *flow, const Query *query, SqlErrors *errors)
{
    bool streams = plan_is_streaming(query);
    bool is_view = flow->target->kind == DATASET_MATERIALIZED_VIEW;

    if (streams && is_view)
        graph_refuse(errors, query->pos, "INVALID_FLOW_QUERY_TYPE.STREAMING_RELATION_FOR_MATERIALIZED_VIEW",
             "Leave STREAM out to read the whole table, or make it a STREAMING TABLE.", "materialized view \"%s\" reads a stream", flow->target->name);
    else if (streams && flow->once)
        graph_refuse(errors, query->pos, "INVALID_FLOW_QUERY_TYPE.STREAMING_RELATION_FOR_ONCE_FLOW", "Leave STREAM out.",
             "flow \"%s\" runs once and reads a stream", flow->label);
    else if (!streams && !is_view && !flow->once)
        graph_refuse(errors, query->pos, "INVALID_FLOW_QUERY_TYPE.BATCH_RELATION_FOR_STREAMING_TABLE",
             "Read it with STREAM, or use a MATERIALIZED VIEW, or CREATE FLOW ... AS INSERT INTO ONCE.", "streaming table \"%s\" reads no stream",
             flow->target->name);
    else if (streams)
        return plan_check_stream(query, errors);
    else
        return 0;
    return -1;
}

/* The copy of a flow's inferred schemas in its table's folder (flow/recover.c); NULL: none. */
static const char *schema_copy(Analysis *analysis, const GraphFlow *flow, Arena *arena)
{
    DeltaEnv env = open_table_env(analysis->options.io, analysis->options.engine);
    silt_auto(delta_table_freep) DeltaTable *table = delta_table_new(&env, flow->target->path);
    const HistoryEntry *newest;
    History history;
    SiltErr err;

    if (delta_table_refresh(table, &err) != 0 || !delta_table_snapshot(table)->txn_count || history_read(table, arena, &history, &err) < 0)
        return NULL;
    newest = history_newest(&history, flow->name);
    return newest ? arena_printf(arena, "%s/_silt_sources/%s/schemas", flow->target->path, newest->app_id) : NULL;
}

/*
 * Where the inferred schemas are that are valid for this flow: in its checkpoint, or, when that is lost, in the table's folder, so that the
 * columns stay what they are. NULL when there are none, or a full refresh will begin anew.
 */
static const char *schema_folder(Analysis *analysis, const GraphFlow *flow, Arena *arena)
{
    int64_t number;
    IoStat stat;
    SiltErr err;

    if (state_of(analysis, flow->target)->fresh || flow->target->kind == DATASET_MATERIALIZED_VIEW)
        return NULL;
    const char *root = analysis_checkpoint_root(arena, analysis->options.spec, flow);
    if (checkpoint_newest(analysis->options.io, root, &number, &err) < 0)
        return NULL;
    const char *checkpoint = arena_printf(arena, "%s/%lld", root, (long long)number);
    if (number < 0 || io_stat(analysis->options.io, arena_printf(arena, "%s/metadata", checkpoint), &stat, &err) == IO_ABSENT)
        return schema_copy(analysis, flow, arena);
    return arena_printf(arena, "%s/_schemas", checkpoint);
}

/* A table, and the side tables beside it, must not be written where the same flow reads files: it would feed itself for ever. */
static void check_own_folder(const GraphFlow *flow, const FlowQuery *query, SqlErrors *errors)
{
    static const char *const suffixes[] = {"", "_dead_letters", "_quarantine"};

    for (int i = 0; i < query->input_count; i++) {
        const PlanInput *input = query->inputs[i];
        for (size_t j = 0; input->kind == PLAN_INPUT_SOURCE && j < sizeof suffixes / sizeof suffixes[0]; j++) {
            const char *folder = arena_printf(errors->arena, "%s%s", flow->target->path, suffixes[j]);
            if (!source_reaches(input->source, folder))
                continue;
            graph_refuse(errors, input->pos, NULL, "Read from a folder of its own, or narrow it: pathGlobFilter => '*.json'.",
                 "%s reads the folder that \"%s%s\" is written to, \"%s\": the flow would feed itself", source_name(input->source),
                 flow->target->name, suffixes[j], folder);
            break;
        }
    }
}

/* The query itself: parsed anew, resolved, checked. */
static int analyze_query(Analysis *analysis, const GraphFlow *flow, FlowQuery *old, FlowQuery **out, SqlErrors *errors)
{
    FlowQuery *query = new_query(&analysis->options, &flow->scope, old);
    silt_auto(str_buf_fini) StrBuf text = {0};
    Resolver resolver = {
        .options = &analysis->options,
        .scope = flow->scope,
        .query = query,
        .old = old,
        .schemas = schema_folder(analysis, flow, query->arena),
        .views = &text,
        .want = wanted,
        .want_self = analysis,
    };
    SqlCatalog catalog = resolver_catalog(&resolver);
    SqlSettings settings = graph_scope_settings(&flow->scope);
    Statement *statement;
    SiltErr err;
    int r = sql_parse_again(query->arena, flow->statement, &statement, &err);

    if (r < 0) {
        sql_errors_add(errors, &err);
    } else {
        query->query = statement->query;
        r = sql_analyze_query(query->arena, query->query, &catalog, &settings, errors);
    }
    if (r == 0)
        r = check_kind(flow, query->query, errors);
    if (r == 0) {
        int before = errors->count;
        check_own_folder(flow, query, errors);
        r = errors->count > before ? -1 : 0;
    }
    if (r == 0)
        r = check_columns(flow->target, query->query, errors);
    if (r == 0 && flow->target->statement->column_count) {
        int before = errors->count;
        check_declared(flow->target, query->query, errors);
        r = errors->count > before ? -1 : 0;
    }
    if (r < 0) {
        flow_query_free(query);
        return -1;
    }
    if (plan_is_streaming(query->query) && query->query->limit) { /* counted over all batches, by the flow */
        if (!sql_whole_value(query->arena, query->query->limit, &settings, &query->limit) || query->limit < 0) {
            graph_refuse(errors, query->query->limit->pos, "INVALID_LIMIT_LIKE_EXPRESSION", NULL, "LIMIT over a stream takes a number");
            flow_query_free(query);
            return -1;
        }
        query->query->limit = NULL;
    }
    str_buf_str(&text, flow->statement->text);
    str_buf_printf(&text, "\n%s", settings.time_zone);
    if (flow->target->statement != flow->statement)
        str_buf_str(&text, flow->target->statement->text);
    fingerprint(query, text.ptr, text.size);
    *out = query;
    return 0;
}

/* Expectations of the target, over its columns as this flow will write them. */
static int analyze_expectations(Analysis *analysis, const GraphFlow *flow, FlowQuery *query, SqlErrors *errors)
{
    silt_auto(str_buf_fini) StrBuf opened = {0};
    Resolver resolver = {.options = &analysis->options, .scope = flow->target->scope, .query = query, .views = &opened};
    SqlCatalog all = resolver_catalog(&resolver);
    /* a condition is over one row: it reads no tables */
    SqlCatalog functions = {.self = all.self, .function = all.function, .routine = all.routine, .secret = all.secret, .file = all.file, .depends = all.depends};
    const Type *schema = query->want->schema;
    Arena *arena = query->arena;
    SqlSettings settings = graph_scope_settings(&flow->target->scope);
    const char **names = ARENA_ARRAY(arena, const char *, schema->field_count + 1);
    const Type **types = ARENA_ARRAY(arena, const Type *, schema->field_count + 1);
    bool *nullable = ARENA_ARRAY(arena, bool, schema->field_count + 1);
    Statement *statement;
    SiltErr err;
    int r = 0;

    if (!flow->target->statement->expectation_count)
        return 0;
    if (sql_parse_again(arena, flow->target->statement, &statement, &err) < 0) {
        sql_errors_add(errors, &err);
        return -1;
    }
    for (int i = 0; i < schema->field_count; i++) {
        names[i] = schema->fields[i].name;
        types[i] = schema->fields[i].type;
        nullable[i] = true;
    }
    query->expectations = ARENA_ARRAY(arena, FlowExpectation, statement->expectation_count);
    for (int i = 0; i < statement->expectation_count; i++) {
        const Expectation *from = &statement->expectations[i];
        FlowExpectation *to = &query->expectations[query->expectation_count++];
        *to = (FlowExpectation){from->name, from->condition, from->action};
        if (sql_analyze_expr(arena, to->condition, names, types, nullable, schema->field_count, &functions, &settings, errors) < 0) {
            r = -1;
            continue;
        }
        if (to->condition->type->kind != TYPE_BOOLEAN) {
            graph_refuse(errors, to->condition->pos, "EXPECTATION_TYPE_MISMATCH", NULL, "expectation \"%s\" is %s, not BOOLEAN", to->name,
                 type_text(errors->arena, to->condition->type));
            r = -1;
        }
    }
    if (opened.size) { /* the conditions' own text is in the fingerprint, the functions that they call are not yet */
        str_buf_puts(&opened, query->fingerprint);
        fingerprint(query, opened.ptr, opened.size);
    }
    return r;
}

/* Bring one flow's columns into its dataset. Lock held. */
static int grow_dataset(Analysis *analysis, const Dataset *dataset, const Query *query, bool replace, SqlErrors *errors)
{
    DatasetState *state = state_of(analysis, dataset);
    const Type *schema = state->schema;

    if (!schema || replace) {
        if (base_schema(analysis, dataset, &schema, errors) < 0)
            return -1;
    }
    if (merge_flow(analysis, dataset, &schema, query, errors) < 0)
        return -1;
    if (schema != state->schema || !state->want) {
        const TargetWant *want = make_want(analysis, dataset, schema, errors);
        if (!want)
            return -1;
        state->schema = schema;
        state->want = want;
        state->stamp = ++analysis->stamp;
    }
    return 0;
}

int analysis_flow(Analysis *analysis, const GraphFlow *flow, FlowQuery *old, FlowQuery **out, SqlErrors *errors)
{
    FlowQuery *query = NULL;

    pthread_mutex_lock(&analysis->lock);
    int r = analyze_query(analysis, flow, old, &query, errors);
    if (r == 0)
        r = grow_dataset(analysis, flow->target, query->query, flow->target->kind == DATASET_MATERIALIZED_VIEW, errors);
    if (r == 0) {
        query->want = state_of(analysis, flow->target)->want;
        r = analyze_expectations(analysis, flow, query, errors);
    }
    pthread_mutex_unlock(&analysis->lock);
    if (r < 0) {
        flow_query_free(query);
        return -1;
    }
    if (old)
        query->owns_sources = true; /* the caller lets go of old's */
    *out = query;
    return 0;
}

int64_t analysis_stamp(Analysis *analysis, const GraphFlow *flow)
{
    int64_t stamp = 0;

    pthread_mutex_lock(&analysis->lock);
    for (int i = 0; i < flow->read_count; i++)
        if (state_of(analysis, flow->reads[i])->stamp > stamp)
            stamp = state_of(analysis, flow->reads[i])->stamp;
    pthread_mutex_unlock(&analysis->lock);
    return stamp;
}

const TargetWant *analysis_want(Analysis *analysis, const Dataset *dataset)
{
    pthread_mutex_lock(&analysis->lock);
    const TargetWant *want = state_of(analysis, dataset)->want;
    pthread_mutex_unlock(&analysis->lock);
    return want;
}

/* ---- functions ---- */

int analysis_function(Analysis *analysis, const Statement *function, const GraphScope *scope, const Defined *defined, SqlErrors *errors)
{
    FlowQuery *query = new_query(&analysis->options, scope, NULL);
    Resolver resolver = {.options = &analysis->options, .scope = *scope, .query = query, .want = wanted, .want_self = analysis, .defined = defined};
    SqlCatalog catalog = resolver_catalog(&resolver);
    SqlSettings settings = conf_sql_settings(scope->conf);
    Statement *fresh;
    SiltErr err;
    int r = sql_parse_again(query->arena, function, &fresh, &err);

    if (r < 0)
        sql_errors_add(errors, &err);
    else
        r = sql_check_function(query->arena, fresh, &catalog, &settings, errors);
    if (r == 0 && fresh->query)
        r = plan_check_batch(fresh->query, errors);
    flow_query_free(query);
    return r;
}

/* ---- the whole graph ---- */

static bool upstream_failed(const Analysis *analysis, const GraphFlow *flow)
{
    for (int i = 0; i < flow->read_count; i++)
        if (state_of(analysis, flow->reads[i])->failed)
            return true;
    return false;
}

bool analysis_failed_upstream(const Analysis *analysis, const GraphFlow *flow)
{
    return upstream_failed(analysis, flow);
}

/* A view that nobody reads would otherwise never be looked at. */
static void check_view(Analysis *analysis, const Dataset *view, SqlErrors *errors)
{
    FlowQuery *query = new_query(&analysis->options, &view->scope, NULL);
    Resolver resolver = {.options = &analysis->options, .scope = view->scope, .query = query, .want = wanted, .want_self = analysis};
    SqlCatalog catalog = resolver_catalog(&resolver);
    SqlSettings settings = graph_scope_settings(&view->scope);
    Statement *statement;
    SiltErr err;

    if (sql_parse_again(query->arena, view->statement, &statement, &err) < 0)
        sql_errors_add(errors, &err);
    else
        sql_analyze_query(query->arena, statement->query, &catalog, &settings, errors);
    flow_query_free(query);
}

/* A3: the flows of the i-th one's target up to it once more, over a table without a shape. 0, or -1 with errors. */
static int start_over(Analysis *analysis, int i, FlowQuery **queries, SqlErrors *errors)
{
    const Graph *graph = analysis->options.graph;
    const Dataset *target = graph->flows[i]->target;
    DatasetState *state = state_of(analysis, target);
    int r = 0;

    *state = (DatasetState){.fresh = true, .starts_over = true, .stamp = state->stamp};
    for (int j = 0; j <= i && r == 0; j++) {
        if (graph->flows[j]->target != target)
            continue;
        flow_query_free(queries[j]);
        queries[j] = NULL;
        r = analysis_flow(analysis, graph->flows[j], NULL, &queries[j], errors);
    }
    return r;
}

static int analyze_in_turn(Analysis *analysis, int i, FlowQuery **queries, SqlErrors *errors)
{
    const GraphFlow *flow = analysis->options.graph->flows[i];
    DeltaEnv env = open_table_env(analysis->options.io, analysis->options.engine);
    int before = errors->count;

    if (upstream_failed(analysis, flow))
        return -1;
    if (analysis_flow(analysis, flow, NULL, &queries[i], errors) == 0)
        return 0;
    if (state_of(analysis, flow->target)->fresh || !table_is_unused(&env, analysis->options.spec, flow->target))
        return -1;
    errors->count = before;
    return start_over(analysis, i, queries, errors);
}

bool analysis_starts_over(const Analysis *analysis, const Dataset *dataset)
{
    return state_of(analysis, dataset)->starts_over;
}

int analysis_graph(Analysis *analysis, FlowQuery **queries, SqlErrors *errors)
{
    const Graph *graph = analysis->options.graph;
    int before = errors->count;

    SILT_TRY(graph_require_datasets(graph, errors));
    SinkContext sinks = extensions_sinks(analysis->options.extensions, analysis->options.io);
    graph_check_sinks(graph, &sinks, errors);
    for (int i = 0; i < graph->flow_count; i++) {
        queries[i] = NULL;
        if (analyze_in_turn(analysis, i, queries, errors) < 0)
            state_of(analysis, graph->flows[i]->target)->failed = true;
    }
    for (int i = 0; i < graph->dataset_count; i++) {
        const Dataset *view = graph->datasets[i];
        bool broken = false;
        for (int j = 0; j < view->read_count; j++)
            broken |= state_of(analysis, view->reads[j])->failed;
        if (!view->path && !broken && view->statement->query && !view->is_read)
            check_view(analysis, view, errors);
    }
    for (int i = 0; i < graph->function_count; i++) {
        const GraphFunction *function = &graph->functions[i];
        bool broken = false;
        for (int j = 0; j < function->read_count; j++)
            broken |= state_of(analysis, function->reads[j])->failed;
        if (!broken)
            analysis_function(analysis, function->statement, &function->scope, NULL, errors);
    }
    drop_repeats(errors, before);
    return errors->count > before ? -1 : 0;
}

/* ---- ad hoc ---- */

int analysis_query(Analysis *analysis, Query *query, const GraphScope *scope, const Defined *defined, FlowQuery *old, FlowQuery **out, SqlErrors *errors)
{
    FlowQuery *fresh = new_query(&analysis->options, scope, old);
    Resolver resolver = {.options = &analysis->options, .scope = *scope, .query = fresh, .old = old, .defined = defined};
    SqlCatalog catalog = resolver_catalog(&resolver);
    SqlSettings settings = graph_scope_settings(scope);

    fresh->query = query;
    pthread_mutex_lock(&analysis->lock);
    int r = sql_analyze_query(fresh->arena, query, &catalog, &settings, errors);
    pthread_mutex_unlock(&analysis->lock);
    if (r == 0)
        r = plan_check_batch(query, errors);
    if (r < 0) {
        flow_query_free(fresh);
        return -1;
    }
    if (old)
        fresh->owns_sources = true; /* the caller lets go of old's */
    *out = fresh;
    return 0;
}
