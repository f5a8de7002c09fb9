/*
 * delta/checkpoint_read.c - checkpoints back into heads and file lists, through DuckDB
 *
 * Classic, multi-part and V2 checkpoints (Parquet or JSON top file, with sidecars). The cheap actions are asked for as JSON, so
 * that one parser knows them; file actions come as columns. A column that a writer left out reads as null.
 *
 *   C1  Whatever is wrong with the bytes is reported as CORRUPT: the caller then tries another way to the same state.
 */
#include "delta/internal.h"

#include "duck/quote.h"

#include <string.h>

/* The failure of a query over a checkpoint: C1, unless the machine or a person is to blame. */
static int broken(SiltErr *err)
{
    if (err && err->kind != SILT_CANCELLED && err->kind != SILT_TRANSIENT)
        err->kind = SILT_CORRUPT;
    return -1;
}

/* ---- running a query ---- */

struct query {
    ChunkReader reader;
    Chunk *chunk;
    int row;
};

static int query_open(DuckSession *session, const char *sql, const Type *const *types, int count, struct query *q, SiltErr *err)
{
    DuckStatement *statement;
    *q = (struct query){0};
    if (duck_session_prepare(session, sql, &statement, err) < 0 || duck_statement_read(statement, types, count, &q->reader, err) < 0)
        return broken(err);
    q->row = -1;
    return 0;
}

/* Step to the next row; *has says whether there is one. */
static int query_next(struct query *q, bool *has, SiltErr *err)
{
    q->row++;
    while (!q->chunk || q->row >= chunk_row_count(q->chunk)) {
        chunk_unref(q->chunk);
        q->chunk = NULL;
        q->row = 0;
        if (q->reader.next(q->reader.self, &q->chunk, err) < 0)
            return broken(err);
        if (!q->chunk) {
            *has = false;
            return 0;
        }
    }
    *has = true;
    return 0;
}

static void query_close(struct query *q)
{
    chunk_unref(q->chunk);
    if (q->reader.close)
        q->reader.close(q->reader.self);
}

static bool text_at(const struct query *q, int column, Str *out)
{
    const Column *c = chunk_column(q->chunk, column);
    if (column_is_null(c, (uint64_t)q->row))
        return false;
    *out = chunk_string((const ChunkString *)c->data + q->row);
    return true;
}

static int64_t integer_at(const struct query *q, int column, int64_t fallback)
{
    const Column *c = chunk_column(q->chunk, column);
    return column_is_null(c, (uint64_t)q->row) ? fallback : ((const int64_t *)c->data)[q->row];
}

/* ---- which files there are ---- */

static int sidecar_path(DeltaTable *table, Arena *arena, Str path, const char **out, SiltErr *err)
{
    const char *name = delta__path_name(arena, table->root, path);
    const char *full = strchr(name, '/') ? name : arena_printf(arena, "%s/_sidecars/%s", table->log_directory, name);
    int r = io_local_path(table->env.io, full, arena, out, err);
    if (r == IO_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "the sidecar %s of a checkpoint is missing", full);
    return r;
}

/* Names of sidecars in a JSON top file. */
static int json_sidecars(DeltaTable *table, Arena *arena, Str text, CheckpointParts *out, SiltErr *err)
{
    int capacity = 0;
    while (text.size) {
        const char *newline = memchr(text.ptr, '\n', text.size);
        Str line = {text.ptr, newline ? (size_t)(newline - text.ptr) : text.size};
        const Json *action;
        text.ptr += line.size + (newline ? 1 : 0);
        text.size -= line.size + (newline ? 1 : 0);
        if (!str_trim(line).size)
            continue;
        if (json_parse(arena, line, &action, err) < 0)
            return broken(err);
        if (json_get(action, "add") || json_get(action, "remove"))
            out->inline_json = true;
        const Json *sidecar = json_get(action, "sidecar");
        if (!json_is_null(sidecar)) {
            const char *path;
            SILT_TRY(sidecar_path(table, arena, json_str(json_get(sidecar, "path"), ""), &path, err));
            ARENA_PUSH(arena, out->paths, out->count, capacity, path);
        }
    }
    return 0;
}

static int local_path(DeltaTable *table, Arena *arena, const char *name, const char **out, SiltErr *err)
{
    int r = io_local_path(table->env.io, delta__log_path(arena, table, name), arena, out, err);
    if (r == IO_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "the checkpoint %s is missing", name);
    return r;
}

static int parquet_schema(DuckSession *session, Arena *arena, const char *path, const Type **out, SiltErr *err)
{
    return duck_session_parquet_schema(session, arena, path, out, err) < 0 ? broken(err) : 0;
}

/* Sidecars that a Parquet top file names, added to the parts. */
static int parquet_sidecars(DeltaTable *table, DuckSession *session, Arena *arena, CheckpointParts *out, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf sql = {0};
    const Type *types[] = {type_simple(TYPE_STRING)};
    struct query q;
    bool has;
    int capacity = 0, count = 0;
    const char **paths = NULL;

    str_buf_puts(&sql, "SELECT struct_extract(\"sidecar\", 'path') AS c1 FROM read_parquet(");
    quote_paths(&sql, out->paths, out->count);
    str_buf_puts(&sql, ", hive_partitioning=false) WHERE struct_extract(\"sidecar\", 'path') IS NOT NULL");
    SILT_TRY(query_open(session, str_buf_text(&sql), types, 1, &q, err));
    int r = 0;
    while (r == 0 && (r = query_next(&q, &has, err)) == 0 && has) {
        Str name;
        const char *path;
        if (text_at(&q, 0, &name) && (r = sidecar_path(table, arena, name, &path, err)) == 0)
            ARENA_PUSH(arena, paths, count, capacity, path);
    }
    query_close(&q);
    SILT_TRY(r);
    if (count) { /* then no file action stands in the top file */
        out->paths = paths;
        out->count = count;
        SILT_TRY(parquet_schema(session, arena, paths[0], &out->schema, err));
    }
    return 0;
}

static bool same_parts(const Type *a, const Type *b)
{
    return !a || !b || (delta__only_widened(a, b) && delta__only_widened(b, a));
}

/* Parts of before and after a column became wider have statistics of other types as structs: those are then left aside. */
static int settle_types(DuckSession *session, Arena *arena, CheckpointParts *out, SiltErr *err)
{
    const Type *add = delta__member(out->schema, "add"), *parsed = delta__member(add, "stats_parsed");
    const Type **all = ARENA_ARRAY(arena, const Type *, out->count + 1);

    if (out->count < 2 || !parsed)
        return 0;
    if (duck_session_parquet_schemas(session, arena, out->paths, out->count, all, err) < 0)
        return broken(err);
    for (int i = 1; i < out->count; i++)
        out->mixed |= !same_parts(parsed, delta__member(delta__member(all[i], "add"), "stats_parsed"));
    if (!out->mixed)
        return 0;
    TypeField *fields = ARENA_ARRAY(arena, TypeField, add->field_count), *tops = ARENA_ARRAY(arena, TypeField, out->schema->field_count);
    int count = 0;
    for (int i = 0; i < add->field_count; i++)
        if (strcmp(add->fields[i].name, "stats_parsed") != 0)
            fields[count++] = add->fields[i];
    for (int i = 0; i < out->schema->field_count; i++) {
        tops[i] = out->schema->fields[i];
        if (tops[i].type == add)
            tops[i].type = type_struct(arena, fields, count);
    }
    out->schema = type_struct(arena, tops, out->schema->field_count);
    return 0;
}

static int find_parts(DeltaTable *table, const CheckpointFiles *files, Arena *arena, CheckpointParts *out, SiltErr *err)
{
    DuckSession *session;
    *out = (CheckpointParts){0};
    SILT_TRY(delta__session(table, &session, err));
    if (files->is_json) {
        Str text;
        int r = io_read(table->env.io, delta__log_path(arena, table, files->names[0]), arena, &text, err);
        if (r == IO_ABSENT)
            return silt_fail(err, SILT_CORRUPT, "the checkpoint %s is missing", files->names[0]);
        SILT_TRY(r);
        SILT_TRY(json_sidecars(table, arena, text, out, err));
        return out->count ? parquet_schema(session, arena, out->paths[0], &out->schema, err) : 0;
    }
    out->count = files->name_count;
    out->paths = ARENA_ARRAY(arena, const char *, out->count);
    for (int i = 0; i < out->count; i++)
        SILT_TRY(local_path(table, arena, files->names[i], &out->paths[i], err));
    SILT_TRY(parquet_schema(session, arena, out->paths[0], &out->schema, err));
    if (files->may_have_sidecars && delta__member(out->schema, "sidecar"))
        return parquet_sidecars(table, session, arena, out, err);
    return 0;
}

int delta__checkpoint_parts(DeltaTable *table, const CheckpointFiles *files, Arena *arena, CheckpointParts *out, SiltErr *err)
{
    DuckSession *session;

    SILT_TRY(find_parts(table, files, arena, out, err));
    SILT_TRY(delta__session(table, &session, err));
    return settle_types(session, arena, out, err);
}

const char *delta__checkpoint_options(const CheckpointParts *parts)
{
    return parts->mixed ? ", hive_partitioning=false, union_by_name=true" : ", hive_partitioning=false";
}

/* ---- the head ---- */

static int head_row(const struct query *q, Arena *scratch, Head *head, SiltErr *err)
{
    const Json *json;
    Str text;
    if (text_at(q, 0, &text)) {
        if (json_parse(scratch, text, &json, err) < 0)
            return broken(err);
        SILT_TRY(delta__check_nul(json, text, "protocol", err));
        SILT_TRY(delta__parse_protocol(head->arena, json, &head->protocol, err));
    }
    if (text_at(q, 1, &text)) {
        if (json_parse(scratch, text, &json, err) < 0)
            return broken(err);
        SILT_TRY(delta__check_nul(json, text, "metaData", err));
        SILT_TRY(delta__parse_metadata(head->arena, json, &head->metadata, err));
    }
    if (text_at(q, 2, &text)) {
        DeltaTxnVersion txn;
        if (json_parse(scratch, text, &json, err) < 0)
            return broken(err);
        SILT_TRY(delta__check_nul(json, text, "txn", err));
        delta__parse_txn(scratch, json, &txn);
        delta__head_txn(head, &txn);
    }
    if (text_at(q, 3, &text)) {
        if (json_parse(scratch, text, &json, err) < 0)
            return broken(err);
        SILT_TRY(delta__check_nul(json, text, "domainMetadata", err));
        if (!json_bool(json_get(json, "removed"), false))
            delta__head_domain(head, json_cstr(json_get(json, "domain"), ""), json_cstr(json_get(json, "configuration"), ""));
    }
    return 0;
}

static int head_from_json(DeltaTable *table, const CheckpointFiles *files, Head *head, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    DeltaCommit actions;
    Str text;
    const char *path = delta__log_path(scratch, table, files->names[0]);
    int r = io_read(table->env.io, path, scratch, &text, err);
    if (r == IO_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "the checkpoint %s is missing", path);
    SILT_TRY(r);
    SILT_TRY(delta__parse_commit(scratch, table->root, text, path, files->version, &actions, err));
    if (actions.protocol)
        head->protocol = delta__protocol_copy(head->arena, actions.protocol);
    if (actions.metadata)
        head->metadata = delta__metadata_copy(head->arena, actions.metadata);
    for (int i = 0; i < actions.txn_count; i++)
        delta__head_txn(head, &actions.txns[i]);
    for (int i = 0; i < actions.domain_count; i++)
        if (actions.domains[i].configuration)
            delta__head_domain(head, actions.domains[i].domain, actions.domains[i].configuration);
    return 0;
}

int delta__checkpoint_head(DeltaTable *table, const CheckpointFiles *files, Head *head, SiltErr *err)
{
    static const struct {
        const char *column, *probe; /* probe: a member that is never null where the action is there */
    } actions[] = {{"protocol", "minReaderVersion"}, {"metaData", "id"}, {"txn", "appId"}, {"domainMetadata", "domain"}};
    silt_auto(arena_freep) Arena *scratch = arena_new();
    silt_auto(str_buf_fini) StrBuf sql = {0};
    silt_auto(str_buf_fini) StrBuf where = {0};
    const Type *types[4], *schema;
    DuckSession *session;
    struct query q;
    bool has;

    if (files->is_json)
        return head_from_json(table, files, head, err);
    SILT_TRY(delta__session(table, &session, err));
    const char **paths = ARENA_ARRAY(scratch, const char *, files->name_count);
    for (int i = 0; i < files->name_count; i++)
        SILT_TRY(local_path(table, scratch, files->names[i], &paths[i], err));
    SILT_TRY(parquet_schema(session, scratch, paths[0], &schema, err));

    str_buf_puts(&sql, "SELECT ");
    for (int i = 0; i < 4; i++) {
        bool present = delta__member(delta__member(schema, actions[i].column), actions[i].probe) != NULL;
        types[i] = type_simple(TYPE_STRING);
        if (i)
            str_buf_puts(&sql, ", ");
        if (present) {
            str_buf_printf(&sql, "CASE WHEN struct_extract(\"%s\", '%s') IS NOT NULL THEN CAST(to_json(\"%s\") AS VARCHAR) END AS c%d",
                           actions[i].column, actions[i].probe, actions[i].column, i + 1);
            str_buf_printf(&where, "%sstruct_extract(\"%s\", '%s') IS NOT NULL", where.size ? " OR " : "", actions[i].column,
                           actions[i].probe);
        } else {
            str_buf_printf(&sql, "CAST(NULL AS VARCHAR) AS c%d", i + 1);
        }
    }
    str_buf_puts(&sql, " FROM read_parquet(");
    quote_paths(&sql, paths, files->name_count);
    str_buf_printf(&sql, ", hive_partitioning=false) WHERE %s", where.size ? str_buf_text(&where) : "false");
    SILT_TRY(query_open(session, str_buf_text(&sql), types, 4, &q, err));
    int r = 0;
    while (r == 0 && (r = query_next(&q, &has, err)) == 0 && has) {
        r = head_row(&q, scratch, head, err);
        if (arena_size(scratch) > 1 << 20)
            arena_reset(scratch);
    }
    query_close(&q);
    return r;
}

/* ---- the files ---- */

/* Statistics as a struct, made JSON text again; decimals and times as text, so that no digit is lost. */
static void print_parsed(StrBuf *sql, const Type *type, const char *expression)
{
    if (type->kind != TYPE_STRUCT) {
        bool as_text =
            type->kind == TYPE_DECIMAL || type->kind == TYPE_TIMESTAMP || type->kind == TYPE_TIMESTAMP_NTZ || type->kind == TYPE_DATE;
        str_buf_printf(sql, as_text ? "CAST(%s AS VARCHAR)" : "%s", expression);
        return;
    }
    str_buf_puts(sql, "struct_pack(");
    for (int i = 0; i < type->field_count; i++) {
        silt_auto(str_buf_fini) StrBuf inner = {0};
        str_buf_printf(&inner, "struct_extract(%s, ", expression);
        quote_text(&inner, str_of(type->fields[i].name));
        str_buf_putc(&inner, ')');
        if (i)
            str_buf_puts(sql, ", ");
        quote_name(sql, type->fields[i].name);
        str_buf_puts(sql, " := ");
        print_parsed(sql, type->fields[i].type, str_buf_text(&inner));
    }
    str_buf_putc(sql, ')');
}

static void print_member(StrBuf *sql, const Type *add, const char *name, const char *cast, const char *wrap)
{
    if (!delta__member(add, name))
        str_buf_printf(sql, "CAST(NULL AS %s)", cast);
    else if (wrap)
        str_buf_printf(sql, "CASE WHEN struct_extract(\"add\", '%s') IS NOT NULL THEN CAST(%s(struct_extract(\"add\", '%s')) AS %s) END",
                       name, wrap, name, cast);
    else
        str_buf_printf(sql, "CAST(struct_extract(\"add\", '%s') AS %s)", name, cast);
}

void delta__checkpoint_stats(StrBuf *sql, const Type *add)
{
    const Type *parsed = delta__member(add, "stats_parsed");
    if (!parsed || parsed->kind != TYPE_STRUCT) {
        print_member(sql, add, "stats", "VARCHAR", NULL);
        return;
    }
    str_buf_puts(sql, "coalesce(");
    print_member(sql, add, "stats", "VARCHAR", NULL);
    str_buf_puts(sql, ", CASE WHEN struct_extract(\"add\", 'stats_parsed') IS NOT NULL THEN CAST(to_json(");
    print_parsed(sql, parsed, "struct_extract(\"add\", 'stats_parsed')");
    str_buf_puts(sql, ") AS VARCHAR) END)");
}

enum {
    ADD_PATH,
    ADD_PARTITION,
    ADD_SIZE,
    ADD_MODIFIED,
    ADD_STATS,
    ADD_TAGS,
    ADD_VECTOR,
    ADD_ROW_ID,
    ADD_ROW_VERSION,
    ADD_CLUSTERING,
    ADD_COLUMNS
};

static void print_files_query(StrBuf *sql, const CheckpointParts *parts)
{
    const Type *add = delta__member(parts->schema, "add");

    str_buf_puts(sql, "SELECT struct_extract(\"add\", 'path') AS c1, ");
    print_member(sql, add, "partitionValues", "MAP(VARCHAR, VARCHAR)", NULL);
    str_buf_puts(sql, " AS c2, ");
    print_member(sql, add, "size", "BIGINT", NULL);
    str_buf_puts(sql, " AS c3, ");
    print_member(sql, add, "modificationTime", "BIGINT", NULL);
    str_buf_puts(sql, " AS c4, ");
    delta__checkpoint_stats(sql, add);
    str_buf_puts(sql, " AS c5, ");
    print_member(sql, add, "tags", "VARCHAR", "to_json");
    str_buf_puts(sql, " AS c6, ");
    print_member(sql, add, "deletionVector", "VARCHAR", "to_json");
    str_buf_puts(sql, " AS c7, ");
    print_member(sql, add, "baseRowId", "BIGINT", NULL);
    str_buf_puts(sql, " AS c8, ");
    print_member(sql, add, "defaultRowCommitVersion", "BIGINT", NULL);
    str_buf_puts(sql, " AS c9, ");
    print_member(sql, add, "clusteringProvider", "VARCHAR", NULL);
    str_buf_puts(sql, " AS c10 FROM read_parquet(");
    quote_paths(sql, parts->paths, parts->count);
    str_buf_printf(sql, "%s) WHERE struct_extract(\"add\", 'path') IS NOT NULL", delta__checkpoint_options(parts));
}

static const char *keep(Arena *arena, const struct query *q, int column)
{
    Str text;
    return text_at(q, column, &text) ? arena_str(arena, text).ptr : NULL;
}

static int file_row(DeltaTable *table, const struct query *q, Arena *scratch, FileSet *set, SiltErr *err)
{
    Arena *arena = delta__fileset_arena(set);
    DeltaFile *file = ARENA_NEW(arena, DeltaFile);
    Str text;

    file->path = keep(arena, q, ADD_PATH);
    file->name = delta__path_name(arena, table->root, str_of(file->path));
    const Column *map = chunk_column(q->chunk, ADD_PARTITION);
    if (!column_is_null(map, (uint64_t)q->row)) {
        const ChunkList *list = (const ChunkList *)map->data + q->row;
        const Column *keys = &map->children[0], *values = &map->children[1];
        file->partition_count = (int)list->length;
        if (list->length)
            file->partition_values = ARENA_ARRAY(arena, DeltaProperty, list->length);
        for (uint64_t i = 0; i < list->length; i++) {
            uint64_t at = list->offset + i;
            file->partition_values[i].key = arena_str(arena, chunk_string((const ChunkString *)keys->data + at)).ptr;
            if (column_is_null(values, at))
                continue;
            Str value = chunk_string((const ChunkString *)values->data + at);
            SILT_TRY(delta__no_nul(value, "partitionValues", "add", err));
            file->partition_values[i].value = arena_str(arena, value).ptr;
        }
    }
    file->size_bytes = integer_at(q, ADD_SIZE, -1);
    file->modified_ms = integer_at(q, ADD_MODIFIED, 0);
    file->stats = keep(arena, q, ADD_STATS);
    file->tags = keep(arena, q, ADD_TAGS);
    if (text_at(q, ADD_VECTOR, &text)) {
        const Json *json;
        if (json_parse(scratch, text, &json, err) < 0)
            return broken(err);
        file->vector = delta__parse_vector(arena, json);
    }
    file->base_row_id = integer_at(q, ADD_ROW_ID, -1);
    file->row_commit_version = integer_at(q, ADD_ROW_VERSION, -1);
    file->clustering_provider = keep(arena, q, ADD_CLUSTERING);
    delta__fileset_add(set, file, delta__fileset_version(set));
    return 0;
}

/* The actions of a JSON top file; all in arena. */
static int json_actions(DeltaTable *table, const CheckpointFiles *files, Arena *arena, DeltaCommit *out, SiltErr *err)
{
    const char *path = delta__log_path(arena, table, files->names[0]);
    Str text;

    int r = io_read(table->env.io, path, arena, &text, err);
    if (r == IO_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "the checkpoint %s is missing", path);
    SILT_TRY(r);
    return delta__parse_commit(arena, table->root, text, path, files->version, out, err);
}

static int files_from_json(DeltaTable *table, const CheckpointFiles *files, FileSet *set, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    DeltaCommit actions;

    SILT_TRY(json_actions(table, files, scratch, &actions, err));
    for (int i = 0; i < actions.add_count; i++) {
        DeltaFile *copy = ARENA_NEW(delta__fileset_arena(set), DeltaFile);
        delta__file_copy(delta__fileset_arena(set), &actions.adds[i], copy);
        delta__fileset_add(set, copy, delta__fileset_version(set));
    }
    return 0;
}

int delta__checkpoint_files(DeltaTable *table, const CheckpointFiles *files, FileSet *set, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    silt_auto(str_buf_fini) StrBuf sql = {0};
    const Type *text = type_simple(TYPE_STRING), *number = type_simple(TYPE_LONG);
    const Type *types[ADD_COLUMNS] = {text, type_map(scratch, text, text, true), number, number, text, text, text, number, number, text};
    CheckpointParts parts;
    DuckSession *session;
    struct query q;
    bool has;

    SILT_TRY(delta__checkpoint_parts(table, files, scratch, &parts, err));
    if (parts.inline_json)
        SILT_TRY(files_from_json(table, files, set, err));
    if (!parts.count || !delta__member(delta__member(parts.schema, "add"), "path"))
        return 0; /* a table without files */
    SILT_TRY(delta__session(table, &session, err));
    print_files_query(&sql, &parts);
    SILT_TRY(query_open(session, str_buf_text(&sql), types, ADD_COLUMNS, &q, err));
    Arena *row_scratch = arena_new();
    int r = 0;
    while (r == 0 && (r = query_next(&q, &has, err)) == 0 && has) {
        r = file_row(table, &q, row_scratch, set, err);
        if (arena_size(row_scratch) > 1 << 20)
            arena_reset(row_scratch);
    }
    arena_free(row_scratch);
    query_close(&q);
    return r;
}

/* ---- tombstones ---- */

int delta__checkpoint_tombstones(DeltaTable *table, const CheckpointFiles *files, int64_t after_ms, Arena *arena, const char ***names, int *count,
                                 SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf sql = {0};
    const Type *types[] = {type_simple(TYPE_STRING)};
    CheckpointParts parts;
    DuckSession *session;
    struct query q;
    int capacity = 0;
    bool has;

    *names = NULL;
    *count = 0;
    SILT_TRY(delta__checkpoint_parts(table, files, arena, &parts, err));
    if (parts.inline_json) {
        DeltaCommit actions;
        SILT_TRY(json_actions(table, files, arena, &actions, err));
        for (int i = 0; i < actions.remove_count; i++)
            if (actions.removes[i].deletion_ms > after_ms)
                ARENA_PUSH(arena, *names, *count, capacity, actions.removes[i].name);
    }
    const Type *remove = delta__member(parts.schema, "remove");
    if (!parts.count || !delta__member(remove, "path"))
        return 0;
    SILT_TRY(delta__session(table, &session, err));
    str_buf_puts(&sql, "SELECT struct_extract(\"remove\", 'path') AS c1 FROM read_parquet(");
    quote_paths(&sql, parts.paths, parts.count);
    str_buf_printf(&sql, "%s) WHERE struct_extract(\"remove\", 'path') IS NOT NULL", delta__checkpoint_options(&parts));
    if (delta__member(remove, "deletionTimestamp"))
        str_buf_printf(&sql, " AND struct_extract(\"remove\", 'deletionTimestamp') > %lld", (long long)after_ms);
    SILT_TRY(query_open(session, str_buf_text(&sql), types, 1, &q, err));
    int r = 0;
    Str path;
    while (r == 0 && (r = query_next(&q, &has, err)) == 0 && has)
        if (text_at(&q, 0, &path))
            ARENA_PUSH(arena, *names, *count, capacity, delta__path_name(arena, table->root, path));
    query_close(&q);
    return r;
}
