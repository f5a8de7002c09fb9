/*
 * pipeline/table_write.c - statements of `silt sql` that make, fill and change Delta tables: CREATE TABLE, INSERT, ALTER TABLE
 *
 * Values are stored as Delta's writer does it: cast to the column's type in ANSI mode, so that one that does not fit fails the statement.
 * Each statement is one commit, or none.
 */
#include "delta/mapping.h"
#include "pipeline/internal.h"
#include "pipeline/open_table.h"
#include "pipeline/resolve.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { ATTEMPTS_MAX = 20 };

typedef struct Write {
    PipelineSession *session;
    const PipelineStatement *text;
    Arena *arena;
    SqlErrors *errors;
    TargetWant want;
    const Type *has; /* the table's schema */
    int *columns;    /* INSERT: of the table, by column of the query */
    int column_count;
} Write;

static int failed_at(const Write *write, SiltErr *err, SiltPos pos)
{
    if (!err->line)
        silt_place(err, pos);
    return pipeline__fail(write->errors, err);
}

/* ---- shared with COPY INTO ---- */

int pipeline__fail(SqlErrors *errors, const SiltErr *err)
{
    sql_errors_add(errors, err);
    return -1;
}

static bool is_managed(const PipelineSession *session, const char *path)
{
    const Graph *graph = session->pipeline->graph;

    for (int i = 0; graph && i < graph->dataset_count; i++)
        if (graph->datasets[i]->path && !strcmp(graph->datasets[i]->path, path))
            return true;
    return false;
}

int pipeline__written_table(const PipelineSession *session, const SqlName *name, const char *verb, bool managed_writes, TargetWant *want, SqlErrors *errors)
{
    const AnalysisOptions options = pipeline__analysis_options(session->pipeline);
    const GraphScope scope = pipeline__session_scope(session);
    const Dataset *dataset;
    SiltErr err;

    int r = resolve_table(&options, &scope, session->arena, name, &dataset, &want->path, &want->name, &err);
    if (r < 0) {
        sql_errors_add(errors, &err);
        return -1;
    }
    want->pos = name->pos;
    if (r == SQL_NO_TABLE)
        graph_refuse(errors, name->pos, NULL, "Name a Delta table: delta.`/path/of/table`, or a table of the project.", "%s goes into Delta tables", verb);
    else if (!want->path)
        graph_refuse(errors, name->pos, NULL, NULL, "\"%s\" is a view: %s cannot write to it", want->name, verb);
    else if (is_managed(session, want->path) && !managed_writes)
        graph_refuse(errors, name->pos, NULL, "Its flows fill it. To write to it all the same: silt sql --allow-managed-writes.",
                     "table \"%s\" belongs to the pipeline", want->name);
    else
        return 0;
    return -1;
}

void pipeline__session_busy(void *self, DuckSession *duck)
{
    PipelineSession *session = self;

    atomic_store(&session->busy, duck);
}

static DeltaTable *open_table(const Write *write)
{
    DeltaEnv env = open_table_env(write->session->pipeline->io, write->session->pipeline->engine);

    return delta_table_new(&env, write->want.path);
}

static int no_table(const Write *write)
{
    graph_refuse(write->errors, write->want.pos, "TABLE_OR_VIEW_NOT_FOUND", "CREATE TABLE makes one.", "there is no Delta table \"%s\"", write->want.name);
    return -1;
}

/*
 * delta.minReaderVersion = 2, delta.minWriterVersion = 5 beside a switched on column mapping, as Delta's documents tell to write it: the protocol that the
 * mapping brings by itself. Delta does not store them either; any other use is refused as an unknown property.
 */
static bool is_mapping_protocol(const Statement *statement, const SqlOption *option)
{
    bool reader = !strcasecmp(option->key, "delta.minReaderVersion") && !strcmp(option->value, "2");
    bool writer = !strcasecmp(option->key, "delta.minWriterVersion") && !strcmp(option->value, "5");

    for (int i = 0; (reader || writer) && i < statement->property_count; i++)
        if (!strcasecmp(statement->properties[i].key, "delta.columnMapping.mode") && strcasecmp(statement->properties[i].value, "none"))
            return true;
    return false;
}

/* ---- CREATE TABLE ---- */

static int take_columns(Write *write, const Statement *statement)
{
    Arena *arena = write->arena;
    int count = statement->column_count;
    TypeField *fields = ARENA_ARRAY(arena, TypeField, count + 1);
    const char **names = ARENA_ARRAY(arena, const char *, count + 1);
    const Type **types = ARENA_ARRAY(arena, const Type *, count + 1);
    SiltPos *positions = ARENA_ARRAY(arena, SiltPos, count + 1);
    bool mapped = false;

    for (int i = 0; i < statement->property_count; i++) {
        const SqlOption *option = &statement->properties[i];
        mapped |= !strcasecmp(option->key, "delta.columnMapping.mode") && strcasecmp(option->value, "none") != 0;
    }
    for (int i = 0; i < count; i++) {
        const ColumnDef *column = &statement->columns[i];
        names[i] = column->name;
        types[i] = column->type;
        positions[i] = column->pos;
        fields[i] = (TypeField){.name = column->name, .type = column->type, .nullable = !column->not_null, .comment = column->comment};
        if (column->default_sql || column->generated_sql)
            graph_refuse(write->errors, column->pos, "UNSUPPORTED_FEATURE", NULL, "column \"%s\": %s is not supported", column->name,
                         column->default_sql ? "DEFAULT" : "GENERATED");
    }
    if (!count)
        graph_refuse(write->errors, statement->name.pos, NULL, "CREATE TABLE t (id BIGINT, ...).", "a table needs columns");
    write->want.schema = type_struct(arena, fields, count);
    return write->errors->count || target_check_declared(names, types, positions, count, mapped, write->errors) < 0 ? -1 : 0;
}

static int take_clauses(Write *write, const Statement *statement)
{
    TargetWant *want = &write->want;
    Arena *arena = write->arena;

    if (statement->using_format && strcasecmp(statement->using_format, "delta"))
        graph_refuse(write->errors, statement->using_pos, NULL, "Write USING DELTA, or leave it out.", "a table cannot be of format \"%s\"", statement->using_format);
    if (statement->location)
        graph_refuse(write->errors, statement->name.pos, NULL, "Name the place instead: CREATE TABLE delta.`/path/of/table`.", "LOCATION is not supported");
    if (statement->cluster_count)
        graph_refuse(write->errors, statement->cluster_by[0].pos, NULL, NULL, "CLUSTER BY is not supported here");
    if (statement->expectation_count)
        graph_refuse(write->errors, statement->expectations[0].pos, NULL, "They belong to the tables of a pipeline.", "a plain table has no expectations");
    want->comment = statement->comment;
    want->partition_columns = ARENA_ARRAY(arena, const char *, statement->partition_count + 1);
    for (int i = 0; i < statement->partition_count; i++) {
        const char *name = statement->partition_by[i].parts[0];
        int at = type_field_index(want->schema, name, NULL);
        if (at < 0)
            graph_refuse(write->errors, statement->partition_by[i].pos, "UNRESOLVED_COLUMN.WITH_SUGGESTION", NULL, "no column \"%s\" to partition by", name);
        else
            want->partition_columns[want->partition_count++] = want->schema->fields[at].name;
    }
    want->properties = ARENA_ARRAY(arena, DeltaProperty, statement->property_count + 1);
    for (int i = 0; i < statement->property_count; i++)
        if (!is_mapping_protocol(statement, &statement->properties[i]))
            want->properties[want->property_count++] = (DeltaProperty){statement->properties[i].key, statement->properties[i].value};
    return write->errors->count ? -1 : 0;
}

static int create(Write *write, const Statement *statement)
{
    silt_auto(delta_table_freep) DeltaTable *table = NULL;
    SiltErr err;

    SILT_TRY(take_columns(write, statement));
    SILT_TRY(take_clauses(write, statement));
    table = open_table(write);
    Io *io = write->session->pipeline->io;
    bool made = false;
    int r = delta_table_refresh(table, &err);
    if (r == DELTA_ABSENT) {
        r = target_create(io, table, &write->want, &err);
        made = r == 0;
    }
    if (r == DELTA_CONFLICT && (r = delta_table_refresh(table, &err)) == DELTA_ABSENT)
        r = silt_fail(&err, SILT_TRANSIENT, "another program has made table \"%s\" and taken it away again meanwhile", write->want.name);
    if (r == 0 && !made && statement->if_not_exists)
        r = target_sync(io, table, &err); /* what was found is told to be there */
    if (r < 0)
        return failed_at(write, &err, write->want.pos);
    if (made || statement->if_not_exists)
        return 0;
    graph_refuse(write->errors, write->want.pos, "TABLE_OR_VIEW_ALREADY_EXISTS", "CREATE TABLE IF NOT EXISTS leaves it as it is.",
                 "table \"%s\" is there already", write->want.name);
    return -1;
}

/* ---- INSERT ---- */

static SiltPos column_pos(const Query *query, int column)
{
    if (query->kind == QUERY_SELECT && query->item_count == query->column_count && query->items[column].expr)
        return query->items[column].expr->pos;
    return query->pos;
}

static int arity(const Write *write, const Query *query, int wanted)
{
    graph_refuse(write->errors, query->pos,
                 query->column_count > wanted ? "INSERT_COLUMN_ARITY_MISMATCH.TOO_MANY_DATA_COLUMNS" : "INSERT_COLUMN_ARITY_MISMATCH.NOT_ENOUGH_DATA_COLUMNS",
                 "Name the columns: INSERT INTO t (a, b) .., or INSERT INTO t BY NAME SELECT ..", "the query gives %d column%s for %d of \"%s\"",
                 query->column_count, query->column_count == 1 ? "" : "s", wanted, write->want.name);
    return -1;
}

/* Would fields of structs that are taken in order be those of the same names? */
static bool same_fields(const Type *from, const Type *to)
{
    if (from->kind != to->kind)
        return true; /* the cast says what is wrong */
    if (from->kind == TYPE_ARRAY)
        return same_fields(from->element, to->element);
    if (from->kind == TYPE_MAP)
        return same_fields(from->key, to->key) && same_fields(from->element, to->element);
    if (from->kind != TYPE_STRUCT)
        return true;
    bool same = from->field_count == to->field_count;
    for (int i = 0; same && i < from->field_count; i++)
        same = !strcasecmp(from->fields[i].name, to->fields[i].name) && same_fields(from->fields[i].type, to->fields[i].type);
    return same;
}

/* Which column of the table each column of the query is. query: analyzed. Scalars that are NULL where they must not be are found in the files. */
static int match_columns(Write *write, const Statement *statement, const Query *query)
{
    const InsertInto *insert = statement->insert;
    int wanted = insert->column_count ? insert->column_count : write->has->field_count, before = write->errors->count;

    if (!statement->by_name && query->column_count != wanted)
        return arity(write, query, wanted);
    write->column_count = query->column_count;
    write->columns = ARENA_ARRAY(write->arena, int, query->column_count + 1);
    for (int i = 0; i < query->column_count; i++) {
        const char *name = statement->by_name ? query->column_names[i] : insert->column_count ? insert->columns[i] : NULL;
        SiltPos pos = statement->by_name ? column_pos(query, i) : insert->column_count ? insert->positions[i] : insert->columns_pos;
        const char *part;
        int at = write->columns[i] = name ? type_field_index(write->has, name, NULL) : i;
        for (int k = 0; k < i && at >= 0; k++)
            if (write->columns[k] == at)
                graph_refuse(write->errors, pos, "COLUMN_ALREADY_EXISTS", NULL, "column \"%s\" is given twice", name);
        if (at < 0)
            graph_refuse(write->errors, pos, "UNRESOLVED_COLUMN.WITH_SUGGESTION", NULL, "no column \"%s\" in \"%s\"", name, write->want.name);
        else if (statement->by_name && !same_fields(query->column_types[i], write->has->fields[at].type))
            graph_refuse(write->errors, column_pos(query, i), "INCOMPATIBLE_DATA_FOR_TABLE.STRUCT_MISSING_FIELDS",
                         "Select the fields as the table has them, with named_struct; without BY NAME they are taken in order.",
                         "BY NAME: column \"%s\" has other fields in \"%s\", or in another order", write->has->fields[at].name, write->want.name);
        else if (!write->has->fields[at].nullable && write->has->fields[at].type->kind >= TYPE_VARIANT && query->column_nullable[i]) /* no statistics tell */
            graph_refuse(write->errors, column_pos(query, i), "DELTA_NOT_NULL_CONSTRAINT_VIOLATED", "Use coalesce in the query.",
                         "column \"%s\" of \"%s\" is NOT NULL, but the query may give NULL", write->has->fields[at].name, write->want.name);
        else if ((part = target_forbids_null(write->arena, write->has->fields[at].name, write->has->fields[at].type, query->column_types[i], true)))
            graph_refuse(write->errors, column_pos(query, i), "DELTA_NOT_NULL_CONSTRAINT_VIOLATED", "Use coalesce in the query.",
                         "\"%s\" of \"%s\" is NOT NULL, but the query may give NULL", part, write->want.name);
    }
    for (int i = 0; i < write->has->field_count; i++) {
        bool given = write->has->fields[i].nullable;
        for (int k = 0; k < write->column_count && !given; k++)
            given = write->columns[k] == i;
        if (!given)
            graph_refuse(write->errors, query->pos, "DELTA_MISSING_NOT_NULL_COLUMN_VALUE", NULL, "column \"%s\" of \"%s\" is NOT NULL and gets no value",
                         write->has->fields[i].name, write->want.name);
    }
    return write->errors->count > before ? -1 : 0;
}

/* SELECT CAST(`1` AS type) AS name, .. FROM (query) AS `insert`(`1`, ..) */
static Query *stored(const Write *write, Query *inner)
{
    Arena *arena = write->arena;
    Query *query = ARENA_NEW(arena, Query);
    Relation *from = ARENA_NEW(arena, Relation);

    *from = (Relation){.kind = REL_QUERY, .pos = inner->pos, .query = inner, .alias = "insert", .alias_pos = inner->pos};
    from->column_aliases = ARENA_ARRAY(arena, const char *, write->column_count + 1);
    from->column_alias_count = write->column_count;
    *query = (Query){.kind = QUERY_SELECT, .pos = inner->pos, .from = from, .item_count = write->column_count, .height = inner->height + 1};
    query->items = ARENA_ARRAY(arena, SelectItem, write->column_count + 1);
    for (int i = 0; i < write->column_count; i++) {
        const TypeField *field = &write->has->fields[write->columns[i]];
        Expr *column = ARENA_NEW(arena, Expr), *cast = ARENA_NEW(arena, Expr);
        SiltPos pos = inner->kind == QUERY_SELECT && inner->item_count == write->column_count && inner->items[i].expr ? inner->items[i].expr->pos : inner->pos;
        from->column_aliases[i] = arena_printf(arena, "%d", i + 1);
        *column = (Expr){.kind = EXPR_COLUMN, .pos = pos, .name = {&from->column_aliases[i], 1, pos}};
        *cast = (Expr){.kind = EXPR_CAST, .pos = pos, .op = "CAST", .cast_type = field->type, .arg_count = 1, .height = 1};
        cast->args = ARENA_ARRAY(arena, Expr *, 1);
        cast->args[0] = column;
        query->items[i] = (SelectItem){.expr = cast, .alias = field->name, .alias_pos = pos};
    }
    return query;
}

static int parse(const Write *write, Statement **out)
{
    Statement **statements;
    int count;

    SILT_TRY(sql_parse_file(write->arena, write->text->file, write->text->text, &statements, &count, write->errors));
    *out = statements[write->text->index];
    return 0;
}

/* FlowOptions.analyze */
static int analyze(void *self, FlowQuery *old, FlowQuery **out, SqlErrors *errors)
{
    Write *write = self;
    GraphScope scope = pipeline__session_scope(write->session);
    Statement *statement;

    write->errors = errors;
    SILT_TRY(parse(write, &statement));
    SILT_TRY(analysis_query(write->session->analysis, stored(write, statement->query), &scope, &write->session->defined, old, out, errors));
    (*out)->want = &write->want;
    return 0;
}

/* The query by itself: so its faults stand at their places, and its columns are known. Its sources go on to the query that is run. */
static int look_at_query(Write *write, FlowQuery **out)
{
    GraphScope scope = pipeline__session_scope(write->session);
    Statement *statement;
    FlowQuery *query;

    SILT_TRY(parse(write, &statement));
    SILT_TRY(analysis_query(write->session->analysis, statement->query, &scope, &write->session->defined, NULL, &query, write->errors));
    int r = match_columns(write, statement, statement->query);
    for (int i = 0; i < query->input_count; i++)
        if (query->inputs[i]->kind == PLAN_INPUT_SOURCE && source_reaches(query->inputs[i]->source, write->want.path)) {
            graph_refuse(write->errors, query->inputs[i]->pos, NULL, "Read it as a table: its name, or delta.`path`.",
                         "the files lie in the folder of the table \"%s\"", write->want.name);
            r = -1;
        }
    if (r < 0)
        flow_query_free(query);
    *out = query;
    return r;
}

static int read_table(Write *write)
{
    silt_auto(delta_table_freep) DeltaTable *table = open_table(write);
    SiltErr err;

    int r = delta_table_refresh(table, &err);
    if (r < 0)
        return pipeline__fail(write->errors, &err);
    if (r == DELTA_ABSENT)
        return no_table(write);
    const DeltaMetadata *metadata = delta_table_snapshot(table)->metadata;
    write->has = write->want.schema = type_copy(write->arena, metadata->schema);
    write->want.partition_columns = ARENA_ARRAY(write->arena, const char *, metadata->partition_count + 1);
    for (int i = 0; i < metadata->partition_count; i++)
        write->want.partition_columns[write->want.partition_count++] = arena_strdup(write->arena, metadata->partition_columns[i]);
    return 0;
}

static int insert(Write *write, const Statement *statement)
{
    Pipeline *pipeline = write->session->pipeline;
    Conf *conf = conf_copy(write->arena, write->session->conf);
    FlowEnv env = {.io = pipeline->io,
                   .engine = pipeline->engine,
                   .self = write->session,
                   .busy = pipeline__session_busy};
    FlowOptions options = {.name = "insert",
                           .kind = FLOW_ONCE,
                           .file = write->text->file,
                           .conf = conf,
                           .refuse_bad = true,
                           .analyze = analyze,
                           .analyze_self = write};
    FlowQuery *looked, *query;
    SiltErr err;

    conf_set(conf, "silt.deadLetters", "count", write->want.pos); /* all or nothing: no side table */
    SILT_TRY(read_table(write));
    SILT_TRY(look_at_query(write, &looked));
    int r = analyze(write, looked, &query, write->errors);
    looked->owns_sources = r < 0; /* else handed over */
    flow_query_free(looked);
    SILT_TRY(r);
    Flow *flow = flow_new(&env, &options, query);
    r = flow_insert(flow, statement->insert->overwrite, &err);
    flow_free(flow);
    return r < 0 ? failed_at(write, &err, write->want.pos) : 0;
}

/* ---- ALTER TABLE ---- */

static int change_columns(Write *write, DeltaTxn *txn, const Statement *statement)
{
    const AlterTable *alter = statement->alter;
    SiltErr err;

    for (int i = 0; i < alter->path_count; i++) {
        const SqlName *path = &alter->paths[i];
        int r;
        if (alter->kind == ALTER_ADD_COLUMNS) {
            const ColumnDef *column = &statement->columns[i];
            TypeField field = {.name = column->name, .type = column->type, .nullable = !column->not_null, .comment = column->comment};
            if (target_check_declared(&column->name, &column->type, &column->pos, 1, delta_mapping_on(delta_txn_metadata(txn)), write->errors) < 0)
                return -1;
            r = delta_txn_add_column(txn, path->parts, path->count - 1, &field, &err);
        } else if (alter->kind == ALTER_RENAME_COLUMN) {
            if (target_check_columns(&alter->new_name, (const Type *[]){type_simple(TYPE_STRING)}, &path->pos, 1, true, write->errors) < 0)
                return -1;
            r = delta_txn_rename_column(txn, path->parts, path->count, alter->new_name, &err);
        } else if (alter->kind == ALTER_COLUMN_TYPES) {
            r = delta_txn_change_type(txn, path->parts, path->count, alter->types[i], &err);
        } else {
            r = delta_txn_drop_column(txn, path->parts, path->count, &err);
            if (r < 0 && alter->if_exists && !strcmp(err.code, "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA"))
                r = 0;
        }
        if (r < 0)
            return failed_at(write, &err, path->pos);
    }
    return 0;
}

static int change_properties(Write *write, DeltaTxn *txn, const Statement *statement)
{
    const AlterTable *alter = statement->alter;
    bool unset = alter->kind == ALTER_UNSET_PROPERTIES;
    DeltaMetadata made = *delta_txn_metadata(txn);
    const DeltaProperty *had = made.configuration;
    int had_count = made.configuration_count, capacity = 0;
    SiltErr err;

    made.configuration = NULL;
    made.configuration_count = 0;
    for (int i = 0; i < had_count; i++) {
        bool named = false;
        for (int k = 0; k < statement->property_count; k++)
            named |= !strcasecmp(statement->properties[k].key, had[i].key);
        if (!named)
            ARENA_PUSH(write->arena, made.configuration, made.configuration_count, capacity, had[i]);
    }
    if (unset && !alter->if_exists && made.configuration_count + statement->property_count > had_count) {
        graph_refuse(write->errors, statement->properties[0].pos, "UNSET_NONEXISTENT_PROPERTIES", "UNSET TBLPROPERTIES IF EXISTS passes over them.",
                     "not all of these properties are set on \"%s\"", write->want.name);
        return -1;
    }
    for (int i = 0; i < statement->property_count && !unset; i++) {
        DeltaProperty property = {statement->properties[i].key, statement->properties[i].value};
        if (is_mapping_protocol(statement, &statement->properties[i]))
            continue;
        if (delta_property_check(&property, &err) < 0)
            return failed_at(write, &err, statement->properties[i].pos);
        ARENA_PUSH(write->arena, made.configuration, made.configuration_count, capacity, property);
    }
    delta_txn_operation(txn, unset ? "UNSET TBLPROPERTIES" : "SET TBLPROPERTIES");
    return delta_txn_set_metadata(txn, &made, &err) < 0 ? failed_at(write, &err, statement->properties[0].pos) : 0;
}

static int alter_once(Write *write, DeltaTable *table, const Statement *statement, SiltErr *err)
{
    AlterKind kind = statement->alter->kind;
    silt_auto(delta_txn_freep) DeltaTxn *txn = NULL;
    int64_t version;

    int r = delta_table_refresh(table, err);
    if (r < 0)
        return pipeline__fail(write->errors, err);
    if (r == DELTA_ABSENT)
        return no_table(write);
    if (delta_txn_begin(table, &txn, err) < 0)
        return failed_at(write, err, write->want.pos);
    SILT_TRY(kind == ALTER_SET_PROPERTIES || kind == ALTER_UNSET_PROPERTIES ? change_properties(write, txn, statement) : change_columns(write, txn, statement));
    if (delta_txn_metadata(txn) == delta_txn_snapshot(txn)->metadata) /* all is so already */
        return 0;
    r = delta_txn_commit(txn, &version, err);
    return r < 0 ? failed_at(write, err, write->want.pos) : r;
}

static int alter(Write *write, const Statement *statement)
{
    silt_auto(delta_table_freep) DeltaTable *table = open_table(write);
    SiltErr err;

    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        int r = alter_once(write, table, statement, &err);
        if (r != DELTA_CONFLICT)
            return r;
    }
    err.kind = SILT_TRANSIENT;
    return failed_at(write, &err, write->want.pos);
}

int pipeline_session_write(PipelineSession *session, const PipelineStatement *text, bool managed_writes, SqlErrors *errors)
{
    Write write = {.session = session, .text = text, .arena = session->arena, .errors = errors};
    Statement *statement;

    SILT_TRY(parse(&write, &statement));
    if (statement->kind == STMT_CREATE_TABLE) {
        SILT_TRY(pipeline__written_table(session, &statement->name, "CREATE TABLE", managed_writes, &write.want, errors));
        return create(&write, statement);
    }
    SILT_TRY(pipeline__written_table(session, &statement->target, statement->kind == STMT_INSERT ? "INSERT" : "ALTER TABLE", managed_writes, &write.want, errors));
    return statement->kind == STMT_INSERT ? insert(&write, statement) : alter(&write, statement);
}
