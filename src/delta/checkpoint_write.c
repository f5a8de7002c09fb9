/*
 * delta/checkpoint_write.c - a checkpoint of a version, made from the checkpoint before it and the commits since
 *
 * DuckDB streams the old checkpoint through, without the files that the commits touched, and adds what they left: so memory does
 * not grow with the table. Every column that some reader looks for is there.
 *
 *   W1  Written only after the commit of its version exists, under a temporary name, then moved; the hint comes last.
 *   W2  A file (path and deletion vector) stands in it at most once, as an add or as a tombstone.
 */
#include "delta/internal.h"

#include "duck/lines.h"
#include "duck/quote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOT_ACTIONS = 1000, /* inputs of the session that no one else uses */
    SLOT_KEYS = 1001,
    COLUMN_COUNT = 6,
};

static const int64_t week_ms = 7 * 86400000LL;

/* ---- the columns ---- */

static TypeField field(const char *name, const Type *type)
{
    return (TypeField){.name = name, .type = type, .nullable = true};
}

#define STRUCT_OF(arena, ...)                                                                                                              \
    type_struct((arena), (const TypeField[]){__VA_ARGS__}, (int)(sizeof((const TypeField[]){__VA_ARGS__}) / sizeof(TypeField)))

static void column_types(Arena *arena, const Type *types[COLUMN_COUNT])
{
    const Type *text = type_simple(TYPE_STRING), *number = type_simple(TYPE_LONG), *small = type_simple(TYPE_INT),
               *flag = type_simple(TYPE_BOOLEAN);
    const Type *map = type_map(arena, text, text, true), *list = type_array(arena, text, true);
    const Type *vector = STRUCT_OF(arena, field("storageType", text), field("pathOrInlineDv", text), field("offset", small),
                                   field("sizeInBytes", small), field("cardinality", number));
    types[0] = STRUCT_OF(arena, field("appId", text), field("version", number), field("lastUpdated", number));
    types[1] =
        STRUCT_OF(arena, field("path", text), field("partitionValues", map), field("size", number), field("modificationTime", number),
                  field("dataChange", flag), field("tags", map), field("deletionVector", vector), field("baseRowId", number),
                  field("defaultRowCommitVersion", number), field("clusteringProvider", text), field("stats", text));
    types[2] = STRUCT_OF(arena, field("path", text), field("deletionTimestamp", number), field("dataChange", flag),
                         field("extendedFileMetadata", flag), field("partitionValues", map), field("size", number),
                         field("deletionVector", vector), field("baseRowId", number), field("defaultRowCommitVersion", number));
    types[3] = STRUCT_OF(arena, field("id", text), field("name", text), field("description", text),
                         field("format", STRUCT_OF(arena, field("provider", text), field("options", map))), field("schemaString", text),
                         field("partitionColumns", list), field("configuration", map), field("createdTime", number));
    types[4] = STRUCT_OF(arena, field("minReaderVersion", small), field("minWriterVersion", small), field("readerFeatures", list),
                         field("writerFeatures", list));
    types[5] = STRUCT_OF(arena, field("domain", text), field("configuration", text), field("removed", flag));
}

static const char *const column_names[COLUMN_COUNT] = {"txn", "add", "remove", "metaData", "protocol", "domainMetadata"};

/* ---- the old checkpoint, cast to these columns ---- */

/* `expression`, of type `have`, as `want`: members by name, missing ones NULL. */
static void print_adapted(StrBuf *sql, const Type *want, const Type *have, const char *expression)
{
    if (!have) {
        str_buf_puts(sql, "NULL");
        return;
    }
    if (want->kind != TYPE_STRUCT) {
        str_buf_printf(sql, "CAST(%s AS ", expression);
        type_print_duck(sql, want);
        str_buf_putc(sql, ')');
        return;
    }
    str_buf_printf(sql, "CASE WHEN %s IS NOT NULL THEN struct_pack(", expression);
    for (int i = 0; i < want->field_count; i++) {
        silt_auto(str_buf_fini) StrBuf inner = {0};
        const char *name = want->fields[i].name;
        str_buf_printf(&inner, "struct_extract(%s, '%s')", expression, name);
        if (i)
            str_buf_puts(sql, ", ");
        quote_name(sql, name);
        str_buf_puts(sql, " := ");
        if (strcmp(name, "dataChange") == 0)
            str_buf_puts(sql, "false");
        else if (strcmp(name, "stats") == 0 && delta__member(have, "stats_parsed"))
            delta__checkpoint_stats(sql, have);
        else
            print_adapted(sql, want->fields[i].type, delta__member(have, name), str_buf_text(&inner));
    }
    str_buf_puts(sql, ") END");
}

/* What tells files apart: path and deletion vector, as text. */
static void print_key(StrBuf *sql, const Type *action, const char *column)
{
    if (!delta__member(action, "path")) {
        str_buf_puts(sql, "CAST(NULL AS VARCHAR)");
        return;
    }
    str_buf_printf(sql, "struct_extract(\"%s\", 'path')", column);
    const Type *vector = delta__member(action, "deletionVector");
    if (!vector)
        return;
    str_buf_printf(sql,
                   " || coalesce('\x01' || struct_extract(struct_extract(\"%s\", 'deletionVector'), 'storageType') || "
                   "struct_extract(struct_extract(\"%s\", 'deletionVector'), 'pathOrInlineDv')",
                   column, column);
    if (delta__member(vector, "offset"))
        str_buf_printf(
            sql, " || '@' || coalesce(CAST(struct_extract(struct_extract(\"%s\", 'deletionVector'), 'offset') AS VARCHAR), '-1')", column);
    else
        str_buf_puts(sql, " || '@-1'");
    str_buf_puts(sql, ", '')");
}

static void print_old(StrBuf *sql, const CheckpointParts *parts, const Type *const *types, int64_t oldest_tombstone_ms)
{
    const Type *add = delta__member(parts->schema, "add"), *remove = delta__member(parts->schema, "remove");

    str_buf_puts(sql, " UNION ALL SELECT ");
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (i)
            str_buf_puts(sql, ", ");
        str_buf_puts(sql, "CAST(");
        if (i == 1)
            print_adapted(sql, types[i], add, "\"add\"");
        else if (i == 2)
            print_adapted(sql, types[i], remove, "\"remove\"");
        else
            str_buf_puts(sql, "NULL");
        str_buf_puts(sql, " AS ");
        type_print_duck(sql, types[i]);
        str_buf_printf(sql, ") AS c%d", i + 1);
    }
    str_buf_puts(sql, " FROM (SELECT *, coalesce(");
    print_key(sql, add, "add");
    str_buf_puts(sql, ", ");
    print_key(sql, remove, "remove");
    str_buf_puts(sql, ") AS silt_key FROM read_parquet(");
    quote_paths(sql, parts->paths, parts->count);
    str_buf_printf(sql, "%s)) WHERE silt_key IS NOT NULL AND silt_key NOT IN (SELECT c1 FROM silt_input(%d))",
                   delta__checkpoint_options(parts), SLOT_KEYS);
    if (delta__member(remove, "path")) {
        str_buf_puts(sql, " AND (struct_extract(\"remove\", 'path') IS NULL");
        if (delta__member(remove, "deletionTimestamp"))
            str_buf_printf(sql, " OR struct_extract(\"remove\", 'deletionTimestamp') > %lld", (long long)oldest_tombstone_ms);
        str_buf_puts(sql, ")");
    }
}

/* ---- what the commits since left ---- */

/* One action as a line: `print` writes the object below its name. */
#define ACTION(actions, name, print)                                                                                                       \
    do {                                                                                                                                   \
        silt_auto(str_buf_fini) StrBuf action_text = {0};                                                                                  \
        JsonWriter w = {.out = &action_text};                                                                                              \
        json_object(&w);                                                                                                                   \
        json_key(&w, name);                                                                                                                \
        print;                                                                                                                             \
        json_object_end(&w);                                                                                                               \
        duck_lines_add(actions, str_buf_view(&action_text));                                                                               \
    } while (0)

/* The key of print_key() in each spelling that a log may have for the file: as given, relative, absolute, as a file: URI. */
static void add_keys(DuckLines *keys, Arena *arena, const DeltaTable *table, const char *path, const char *name, const DeltaVector *vector)
{
    const char *suffix =
        vector ? arena_printf(arena, "\x01%c%s@%lld", vector->storage, vector->path_or_inline, (long long)vector->offset) : "";
    const char *relative = delta__path_encode(arena, str_of(name)), *root = delta__path_encode(arena, str_of(table->root));
    const char *absolute = name[0] == '/' ? relative : arena_printf(arena, "%s/%s", root, relative);
    const char *spellings[] = {path, relative, absolute, arena_printf(arena, "file:%s", absolute),
                               arena_printf(arena, "file://%s", absolute)};

    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (i == 0 || strcmp(spellings[i], path) != 0)
            duck_lines_add(keys, str_of(arena_printf(arena, "%s%s", spellings[i], suffix)));
}

/* A remove that can stand in a FileSet. */
typedef struct Tombstone {
    DeltaFile file; /* first: its key */
    DeltaRemove remove;
} Tombstone;

/* What the commits left of each file, as live or as tombstone (W2). */
struct tail {
    Arena *arena;
    FileSet *adds, *tombstones;
};

static void tail_apply(struct tail *tail, const DeltaCommit *commit)
{
    int64_t version = commit->version;
    delta__fileset_apply(tail->adds, commit);
    for (int i = 0; i < commit->remove_count; i++) {
        const DeltaRemove *remove = &commit->removes[i];
        Tombstone *stone = ARENA_NEW(tail->arena, Tombstone);
        stone->remove = *remove;
        stone->remove.path = arena_strdup(tail->arena, remove->path);
        stone->remove.name = arena_strdup(tail->arena, remove->name);
        DeltaFile copy = {.path = remove->path,
                          .name = remove->name,
                          .partition_values = remove->partition_values,
                          .partition_count = remove->partition_count,
                          .vector = remove->vector};
        delta__file_copy(tail->arena, &copy, &stone->file);
        stone->remove.partition_values = stone->file.partition_values;
        stone->remove.vector = stone->file.vector;
        delta__fileset_add(tail->tombstones, &stone->file, version);
    }
    for (int i = 0; i < commit->add_count; i++)
        delta__fileset_remove(tail->tombstones, commit->adds[i].name, commit->adds[i].vector, version);
    delta__fileset_set_version(tail->tombstones, version);
}

static int read_tail(DeltaTable *table, int64_t base, int64_t version, struct tail *tail, DuckLines *keys, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    for (int64_t at = base + 1; at <= version; at++) {
        const DeltaCommit *commit;
        arena_reset(scratch);
        int r = delta_commit_read(table, at, scratch, &commit, err);
        if (r == DELTA_ABSENT)
            return silt_fail(err, SILT_CORRUPT, "the commit of version %lld is missing", (long long)at);
        SILT_TRY(r);
        tail_apply(tail, commit);
        for (int i = 0; i < commit->remove_count && base >= 0; i++) /* without a checkpoint there is nothing to leave out */
            add_keys(keys, scratch, table, commit->removes[i].path, commit->removes[i].name, commit->removes[i].vector);
        for (int i = 0; i < commit->add_count && base >= 0; i++)
            add_keys(keys, scratch, table, commit->adds[i].path, commit->adds[i].name, commit->adds[i].vector);
    }
    return 0;
}

/* "interval 1 week", "7 days", ... as milliseconds; the fallback when it is none. */
static int64_t interval_ms(const char *text, int64_t fallback)
{
    static const struct {
        const char *unit;
        int64_t ms;
    } units[] = {{"week", 604800000}, {"day", 86400000}, {"hour", 3600000}, {"minute", 60000}, {"second", 1000}, {"millisecond", 1}};
    int64_t total = 0;
    bool any = false;
    if (!text)
        return fallback;
    if (strncasecmp(text, "interval ", 9) == 0)
        text += 9;
    while (*text) {
        char *end;
        long long number = strtoll(text, &end, 10);
        if (end == text)
            return fallback;
        text = end + strspn(end, " ");
        size_t size = strcspn(text, " ");
        size_t i = 0;
        while (i < sizeof units / sizeof *units &&
               !(strncasecmp(text, units[i].unit, strlen(units[i].unit)) == 0 && size <= strlen(units[i].unit) + 1))
            i++;
        if (i == sizeof units / sizeof *units)
            return fallback;
        total += number * units[i].ms;
        any = true;
        text += size;
        text += strspn(text, " ");
    }
    return any ? total : fallback;
}

static void collect_head(const DeltaSnapshot *snapshot, DuckLines *actions, int64_t now_ms)
{
    int64_t keep_ms = interval_ms(delta_snapshot_property(snapshot, "delta.setTransactionRetentionDuration"), -1);
    ACTION(actions, "protocol", delta__print_protocol(&w, snapshot->protocol));
    ACTION(actions, "metaData", delta__print_metadata(&w, snapshot->metadata));
    for (int i = 0; i < snapshot->txn_count; i++) {
        int64_t last_ms = snapshot->txns[i].last_updated_ms;
        if (keep_ms >= 0 && last_ms >= 0 && last_ms < now_ms - keep_ms)
            continue;
        ACTION(actions, "txn", delta__print_txn(&w, &snapshot->txns[i]));
    }
    for (int i = 0; i < snapshot->domain_count; i++)
        ACTION(actions, "domainMetadata", delta__print_domain(&w, &snapshot->domains[i]));
}

static void collect_tail(const struct tail *tail, int64_t version, int64_t oldest_tombstone_ms, DuckLines *actions, Arena *arena)
{
    int64_t count;
    const DeltaFile **files = delta__fileset_live(tail->adds, version, arena, &count);
    for (int64_t i = 0; i < count; i++)
        ACTION(actions, "add", delta__print_add(&w, files[i], false));
    files = delta__fileset_live(tail->tombstones, version, arena, &count);
    for (int64_t i = 0; i < count; i++) {
        const DeltaRemove *remove = &((const Tombstone *)(const void *)files[i])->remove;
        if (remove->deletion_ms > oldest_tombstone_ms) /* without a time: expired */
            ACTION(actions, "remove", delta__print_tombstone(&w, remove));
    }
}

/* ---- writing ---- */

static CheckpointFiles file_of_version(Arena *arena, int64_t version)
{
    const char **name = ARENA_NEW(arena, const char *);

    *name = arena_printf(arena, "%020lld.checkpoint.parquet", (long long)version);
    return (CheckpointFiles){.version = version, .names = name, .name_count = 1, .may_have_sidecars = true};
}

static int write_hint(const DeltaSnapshot *snapshot, int64_t action_count, int64_t size_bytes, int64_t file_count, Arena *arena,
                      SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    JsonWriter w = {.out = &text};
    json_object(&w);
    json_member_int(&w, "version", snapshot->version);
    json_member_int(&w, "size", action_count);
    json_member_int(&w, "sizeInBytes", size_bytes);
    json_member_int(&w, "numOfAddFiles", file_count);
    json_object_end(&w);
    return io_put(snapshot->table->env.io, delta__log_path(arena, snapshot->table, "_last_checkpoint"), str_buf_view(&text), err);
}

static int copy_out(const DeltaSnapshot *snapshot, DuckSession *session, const char *sql, const Type *const *types, DuckLines *actions,
                    DuckLines *keys, Arena *arena, DuckWrittenFile **files, int64_t *rows, SiltErr *err)
{
    const Type *text = type_simple(TYPE_STRING);
    ChunkReader action_reader = duck_lines_reader(actions), key_reader = duck_lines_reader(keys);
    DuckCopyOptions options = {.compression = "snappy", .column_names = column_names, .column_count = COLUMN_COUNT};
    /* of this handle: two flows may write to one table at once */
    const char *key = arena_printf(arena, "checkpoint-%p-%s", (void *)snapshot->table, snapshot->table->root);
    int file_count;

    SILT_TRY(io_staging_directory(snapshot->table->env.io, key, arena, &options.directory, err));
    SILT_TRY(duck_session_bind_input(session, SLOT_ACTIONS, &text, 1, err));
    SILT_TRY(duck_session_bind_input(session, SLOT_KEYS, &text, 1, err));
    duck_session_set_reader(session, SLOT_ACTIONS, &action_reader);
    duck_session_set_reader(session, SLOT_KEYS, &key_reader);
    int r = duck_session_copy(session, sql, types, &options, arena, files, &file_count, rows, err);
    duck_session_set_reader(session, SLOT_ACTIONS, NULL);
    duck_session_set_reader(session, SLOT_KEYS, NULL);
    SILT_TRY(r);
    if (file_count != 1)
        return silt_fail(err, SILT_CORRUPT, "the checkpoint came out as %d files", file_count);
    return 0;
}

/* Live files and their bytes, from the checkpoint itself. */
static int count_files(DuckSession *session, const char *local_path, int64_t *file_count, int64_t *size_bytes, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf sql = {0};
    const Type *types[] = {type_simple(TYPE_LONG), type_simple(TYPE_LONG)};
    DuckStatement *statement;
    ChunkReader reader;
    Chunk *chunk = NULL;

    str_buf_puts(
        &sql, "SELECT count(struct_extract(\"add\", 'path')) AS c1, CAST(coalesce(sum(struct_extract(\"add\", 'size')), 0) AS BIGINT) AS c2"
              " FROM read_parquet(");
    quote_path(&sql, local_path);
    str_buf_puts(&sql, ")");
    SILT_TRY(duck_session_prepare(session, str_buf_text(&sql), &statement, err));
    SILT_TRY(duck_statement_read(statement, types, 2, &reader, err));
    int r = reader.next(reader.self, &chunk, err);
    if (r == 0) {
        silt_assert(chunk && chunk_row_count(chunk) == 1);
        *file_count = *(const int64_t *)chunk_column(chunk, 0)->data;
        *size_bytes = *(const int64_t *)chunk_column(chunk, 1)->data;
    }
    chunk_unref(chunk);
    if (reader.close)
        reader.close(reader.self);
    return r;
}

/* From a checkpoint before the version, or from the beginning of the log (NULL). CORRUPT: this one is broken, another may do. */
static int write_from(const DeltaSnapshot *snapshot, const CheckpointFiles *base, SiltErr *err)
{
    DeltaTable *table = snapshot->table;
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf sql = {0};
    silt_auto(str_buf_fini) StrBuf structure = {0};
    silt_auto(duck_lines_fini) DuckLines actions = {.arena = arena};
    silt_auto(duck_lines_fini) DuckLines keys = {.arena = arena};
    const Type *types[COLUMN_COUNT];
    int64_t base_version = base ? base->version : -1;
    CheckpointParts parts = {0};
    DuckSession *session;

    int64_t now_ms = io_now_us(table->env.io) / 1000;
    int64_t oldest_ms = now_ms - interval_ms(delta_snapshot_property(snapshot, "delta.deletedFileRetentionDuration"), week_ms);
    SILT_TRY(delta__session(table, &session, err));
    if (base)
        SILT_TRY(delta__checkpoint_parts(table, base, arena, &parts, err));

    struct tail tail = {arena, delta__fileset_new(base_version), delta__fileset_new(base_version)};
    int r = read_tail(table, base_version, snapshot->version, &tail, &keys, err);
    collect_head(snapshot, &actions, now_ms);
    if (r == 0)
        collect_tail(&tail, snapshot->version, oldest_ms, &actions, arena);
    delta__fileset_unref(tail.adds);
    delta__fileset_unref(tail.tombstones);
    SILT_TRY(r);

    column_types(arena, types);
    JsonWriter w = {.out = &structure};
    json_object(&w);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        json_key(&w, column_names[i]);
        type_print_json_structure(&w, types[i]);
    }
    json_object_end(&w);
    str_buf_puts(&sql, "SELECT ");
    for (int i = 0; i < COLUMN_COUNT; i++)
        str_buf_printf(&sql, "%sstruct_extract(a, '%s') AS c%d", i ? ", " : "", column_names[i], i + 1);
    str_buf_puts(&sql, " FROM (SELECT from_json(c1, ");
    quote_text(&sql, str_buf_view(&structure));
    str_buf_printf(&sql, ") AS a FROM silt_input(%d))", SLOT_ACTIONS);
    if (parts.count)
        print_old(&sql, &parts, types, oldest_ms);

    DuckWrittenFile *files;
    int64_t rows;
    r = copy_out(snapshot, session, str_buf_text(&sql), types, &actions, &keys, arena, &files, &rows, err);
    if (r < 0 && err->kind == SILT_INPUT) /* pages of the one that it starts from */
        err->kind = SILT_CORRUPT;
    SILT_TRY(r);
    IoPutFile put = {files[0].local_path, delta__log_path(arena, table, *file_of_version(arena, snapshot->version).names)};
    int64_t file_count = 0, size_bytes = 0;
    SILT_TRY(count_files(session, files[0].local_path, &file_count, &size_bytes, err));
    SILT_TRY(io_put_files(table->env.io, &put, 1, err));
    table->checkpoint = snapshot->version;
    table->checkpoint_rows = rows;
    SILT_TRY(delta__checksum_write(snapshot, file_count, size_bytes, err));
    return write_hint(snapshot, rows, files[0].size_bytes, file_count, arena, err);
}

/* Our last one, where the commits since are still there: these are cleaned away oldest first. */
static bool own_base(DeltaTable *table, int64_t version, Arena *arena, CheckpointFiles *out)
{
    SiltErr gone;
    IoStat stat;

    if (!table->checkpoint || table->checkpoint >= version)
        return false;
    *out = file_of_version(arena, table->checkpoint);
    return io_stat(table->env.io, delta__commit_path(arena, table, out->version + 1), &stat, &gone) == 0;
}

int delta__checkpoint_write(const DeltaSnapshot *snapshot, SiltErr *err)
{
    DeltaTable *table = snapshot->table;
    silt_auto(arena_freep) Arena *arena = arena_new();
    CheckpointFiles own;
    LogListing listing;
    int r;

    if (own_base(table, snapshot->version, arena, &own)) { /* listing a long log costs more than the commits since */
        r = write_from(snapshot, &own, err);
        if (r == 0 || err->kind != SILT_CORRUPT)
            return r;
    }
    r = delta__listing_read(table, arena, &listing, err);
    if (r == DELTA_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "the log has vanished");
    SILT_TRY(r);
    for (int i = 0; i < listing.checkpoint_count; i++) {
        const CheckpointFiles *files = &listing.checkpoints[i];
        if (files->version >= snapshot->version || files->is_json)
            continue;
        r = write_from(snapshot, files, err);
        if (r == 0 || err->kind != SILT_CORRUPT)
            return r;
    }
    if (!listing.commit_count || listing.commits[0] != 0)
        return silt_fail(err, SILT_CORRUPT, "there is no checkpoint to start from and the log does not begin at version 0");
    return write_from(snapshot, NULL, err);
}
