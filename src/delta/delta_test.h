#pragma once
/* delta/delta_test.h - a table in memory or in a temporary folder, written and read as a user of this folder would */
#include "delta/scan.h"
#include "delta/stream.h"
#include "delta/txn.h"
#include "io/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct World {
    Io *io;
    DuckEngine *engine;
    DuckSession *session;
    Arena *arena;
    char directory[64]; /* scratch of the memory store, or the parent of real tables */
    int warnings;
    char last_warning[1024];
    int checkpoint_interval;
} World;

static inline void world_warn(void *self, const char *message)
{
    World *w = self;
    w->warnings++;
    snprintf(w->last_warning, sizeof w->last_warning, "%s", message);
}

static inline DeltaEnv world_env(World *w)
{
    return (DeltaEnv){.io = w->io,
                      .engine = w->engine,
                      .session = w->session,
                      .warn = world_warn,
                      .warn_self = w,
                      .checkpoint_interval = w->checkpoint_interval};
}

static inline World *world_make(bool memory)
{
    World *w = silt_alloc(sizeof *w);
    SiltErr err;
    snprintf(w->directory, sizeof w->directory, "/tmp/silt-delta-XXXXXX");
    assert_non_null(mkdtemp(w->directory));
    w->io = memory ? io_new_memory(w->directory, 1) : io_new_local();
    w->engine = duck_engine_new(&(DuckOptions){.threads = 1});
    w->arena = arena_new();
    if (duck_session_open(w->engine, &w->session, &err) < 0)
        fail_msg("%s", err.message);
    return w;
}

static inline int world_memory(void **state)
{
    *state = world_make(true);
    return 0;
}

static inline int world_local(void **state)
{
    *state = world_make(false);
    return 0;
}

static inline int world_free(void **state)
{
    World *w = *state;
    char command[128];
    duck_session_close(w->session);
    duck_engine_free(w->engine);
    io_free(w->io);
    arena_free(w->arena);
    snprintf(command, sizeof command, "rm -rf %s", w->directory);
    assert_int_equal(system(command), 0);
    free(w);
    return 0;
}

#define MEMORY_TEST(name) cmocka_unit_test_setup_teardown(name, world_memory, world_free)
#define LOCAL_TEST(name)  cmocka_unit_test_setup_teardown(name, world_local, world_free)

#define OK(call)                                                                                                                           \
    do {                                                                                                                                   \
        SiltErr *ok_err = &err;                                                                                                            \
        if ((call) != 0)                                                                                                                   \
            fail_msg("%s:%d: %s: %s", __FILE__, __LINE__, #call, ok_err->message);                                                         \
    } while (0)

static inline const Type *ddl(World *w, const char *text)
{
    const Type *type;
    SiltErr err;
    if (type_parse_ddl(w->arena, str_of(text), false, &type, &err) < 0)
        fail_msg("%s", err.message);
    return type;
}

/* A file put into the store as it is. */
static inline void put(World *w, const char *path, const char *content)
{
    SiltErr err;
    if (io_put(w->io, path, str_of(content), &err) < 0)
        fail_msg("%s", err.message);
}

static inline const char *get(World *w, const char *path)
{
    Str text;
    SiltErr err;
    if (io_read(w->io, path, w->arena, &text, &err) != 0)
        return NULL;
    return text.ptr;
}

/* Rows of `select` (columns c1..cn in the schema's order) added to the transaction. */
static inline int write_rows(World *w, DeltaTxn *txn, const char *select, SiltErr *err)
{
    const DeltaMetadata *metadata = delta_txn_metadata(txn);
    int count = metadata->schema->field_count;
    const Type **types = ARENA_ARRAY(w->arena, const Type *, count);
    const char **names = ARENA_ARRAY(w->arena, const char *, count);
    DuckCopyOptions options = {.compression = "snappy",
                               .column_names = names,
                               .column_count = count,
                               .partition_columns = metadata->partition_columns,
                               .partition_count = metadata->partition_count};
    DuckWrittenFile *files;
    int file_count;
    int64_t rows;

    for (int i = 0; i < count; i++) {
        types[i] = metadata->schema->fields[i].type;
        names[i] = metadata->schema->fields[i].name;
    }
    SILT_TRY(io_staging_directory(w->io, "delta-test", w->arena, &options.directory, err));
    SILT_TRY(duck_session_copy(w->session, select, types, &options, w->arena, &files, &file_count, &rows, err));
    return delta_txn_add_files(txn, files, file_count, "snappy", err);
}

typedef struct Create {
    const char *columns; /* DDL */
    const char *partition_by[4];
    DeltaProperty properties[8];
} Create;

static inline DeltaMetadata create_metadata(World *w, const Create *create)
{
    DeltaMetadata metadata = {.schema = ddl(w, create->columns)};
    metadata.partition_columns = (const char **)(uintptr_t)create->partition_by;
    while (metadata.partition_count < 4 && create->partition_by[metadata.partition_count])
        metadata.partition_count++;
    metadata.configuration = (DeltaProperty *)(uintptr_t)create->properties;
    while (metadata.configuration_count < 8 && create->properties[metadata.configuration_count].key)
        metadata.configuration_count++;
    return metadata;
}

static inline DeltaTable *create_table(World *w, const char *path, const Create *create)
{
    DeltaEnv env = world_env(w);
    DeltaTable *table = delta_table_new(&env, path);
    DeltaMetadata metadata = create_metadata(w, create);
    DeltaTxn *txn;
    SiltErr err;
    int64_t version;
    OK(delta_txn_begin(table, &txn, &err));
    OK(delta_txn_create(txn, &metadata, &err));
    OK(delta_txn_commit(txn, &version, &err));
    assert_int_equal(version, 0);
    delta_txn_free(txn);
    return table;
}

/* 0, DELTA_CONFLICT or < 0; app NULL: no txn */
static inline int append_as(World *w, DeltaTable *table, const char *select, const char *app, int64_t app_version, int64_t *version,
                            SiltErr *err)
{
    DeltaTxn *txn;
    int r = delta_txn_begin(table, &txn, err);
    if (r < 0)
        return r;
    r = write_rows(w, txn, select, err);
    if (app)
        delta_txn_set_txn(txn, app, app_version);
    if (r == 0)
        r = delta_txn_commit(txn, version, err);
    delta_txn_free(txn);
    return r;
}

static inline int64_t append(World *w, DeltaTable *table, const char *select)
{
    SiltErr err;
    int64_t version = -1;
    OK(append_as(w, table, select, NULL, 0, &version, &err));
    return version;
}

static inline DeltaTable *open_table(World *w, const char *path)
{
    DeltaEnv env = world_env(w);
    DeltaTable *table = delta_table_new(&env, path);
    SiltErr err;
    OK(delta_table_refresh(table, &err));
    return table;
}

/* `SELECT expression FROM the snapshot`, all rows joined by newlines; the expression sees columns c1..cn of the whole schema and must be
 * text. */
static inline const char *ask(World *w, const DeltaSnapshot *snapshot, const DeltaPredicate *predicates, int predicate_count,
                              const char *expression)
{
    silt_auto(str_buf_fini) StrBuf sql = {0};
    silt_auto(str_buf_fini) StrBuf out = {0};
    const Type *types[] = {type_simple(TYPE_STRING)};
    int count = snapshot->metadata->schema->field_count;
    int *columns = ARENA_ARRAY(w->arena, int, count);
    DuckStatement *statement;
    ChunkReader reader;
    SiltErr err;
    Chunk *chunk;

    for (int i = 0; i < count; i++)
        columns[i] = i;
    str_buf_printf(&sql, "SELECT CAST(%s AS VARCHAR) AS c1 FROM ", expression);
    OK(delta_scan_snapshot_sql(snapshot, predicates, predicate_count, columns, count, &sql, NULL, &err));
    OK(duck_session_prepare(w->session, str_buf_text(&sql), &statement, &err));
    OK(duck_statement_read(statement, types, 1, &reader, &err));
    for (;;) {
        OK(reader.next(reader.self, &chunk, &err));
        if (!chunk)
            break;
        const Column *column = chunk_column(chunk, 0);
        for (int row = 0; row < chunk_row_count(chunk); row++) {
            if (out.size)
                str_buf_putc(&out, '\n');
            if (column_is_null(column, (uint64_t)row))
                str_buf_puts(&out, "NULL");
            else
                str_buf_str(&out, chunk_string((const ChunkString *)column->data + row));
        }
        chunk_unref(chunk);
    }
    if (reader.close)
        reader.close(reader.self);
    return arena_strdup(w->arena, str_buf_text(&out));
}

static inline const char *ask_table(World *w, DeltaTable *table, const char *expression)
{
    return ask(w, delta_table_snapshot(table), NULL, 0, expression);
}
