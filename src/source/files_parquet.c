/*
 * source/files_parquet.c - Parquet files as FROM text for DuckDB
 *
 * Each file's own schema is read first: columns are matched by name (parquet_value.h), what a file lacks is NULL, and a file that is no Parquet is
 * found before the query runs, by its name. Files of one schema share a read_parquet.
 */
#include "source/files_internal.h"

#include "base/json.h"
#include "base/uri.h"
#include "duck/parquet_read.h"
#include "duck/quote.h"
#include "source/parquet_value.h"

#include <stdio.h>
#include <string.h>

enum { FILES_A_CALL_MAX = 2000, SCHEMAS_A_CALL_MAX = 500 };

/* 0, IO_ABSENT, < 0; *damaged: for the file's bytes, not for the world or a type that we do not read. */
static int one_schema(Source *source, const char *path, Arena *arena, const Type **out, bool *damaged, SiltErr *err)
{
    Files *files = source->self;
    const char *local;
    *damaged = false;
    int r = io_local_path(files->context.io, path, arena, &local, err);
    if (r != 0)
        return r;
    DuckSession *session;
    silt_assert(files->context.session != NULL);
    SILT_TRY(files->context.session(files->context.session_self, &session, err));
    if (duck_session_parquet_schema(session, arena, local, out, err) < 0) {
        SiltErr inner = *err;
        IoStat stat = {0};
        *damaged = inner.kind == SILT_INPUT;
        if (inner.kind == SILT_CANCELLED) {
            *err = inner;
            return -1;
        }
        if (io_stat(files->context.io, path, &stat, err) == 0 && stat.size_bytes < 12) {
            *damaged = true;
            return silt_fail(err, SILT_INPUT, "could not read \"%s\": it is no Parquet file, its %lld bytes are too few", path, (long long)stat.size_bytes);
        }
        *err = inner;
        err->kind = inner.kind == SILT_TRANSIENT ? SILT_TRANSIENT : SILT_INPUT;
        if (strcmp(local, path) == 0 && strstr(inner.message, path))
            return -1; /* it names the file by itself */
        return silt_fail(err, inner.kind == SILT_TRANSIENT ? SILT_TRANSIENT : SILT_INPUT, "could not read \"%s\": %s", path, inner.message);
    }
    return 0;
}

/* Where a file cannot be read in the company of others, they are asked one by one, and the error names it. */
int files__parquet_schemas(Source *source, const char *const *paths, int count, Arena *arena, const Type **out, const char **damage, SiltErr *err)
{
    Files *files = source->self;
    DuckSession *session;
    SILT_TRY(files->context.session(files->context.session_self, &session, err));
    const char *locals[SCHEMAS_A_CALL_MAX];
    const Type *found[SCHEMAS_A_CALL_MAX];
    int from[SCHEMAS_A_CALL_MAX];
    for (int next = 0; next < count;) {
        int asked = 0;
        for (; next < count && asked < SCHEMAS_A_CALL_MAX; next++) {
            if (!utf8_valid(str_of(paths[next]))) {
                silt_fail(err, SILT_INPUT, "cannot read \"%s\": the name of a Parquet file or of its folder is not UTF-8", uri_from_path(arena, paths[next]));
                return silt_hint(err, "Rename it; pathGlobFilter leaves such files out.");
            }
            int r = io_local_path(files->context.io, paths[next], arena, &locals[asked], err);
            out[next] = NULL;
            if (damage)
                damage[next] = NULL;
            if (r < 0)
                return r;
            if (r == 0)
                from[asked++] = next;
        }
        SiltErr inner;
        bool together = asked > 1 && duck_session_parquet_schemas(session, arena, locals, asked, found, &inner) == 0;
        for (int i = 0; i < asked; i++) {
            if (together) {
                out[from[i]] = found[i];
                continue;
            }
            bool damaged;
            int r = one_schema(source, paths[from[i]], arena, &out[from[i]], &damaged, &inner);
            if (r < 0 && damage && damaged) {
                damage[from[i]] = arena_strdup(arena, inner.message);
                out[from[i]] = NULL;
            } else if (r < 0) {
                *err = inner;
                return r;
            }
        }
    }
    return 0;
}

/* A list that put_pick takes, item by item. */
typedef struct PickList {
    StrBuf text;
    JsonWriter w;
} PickList;

static void pick_begin(PickList *list)
{
    *list = (PickList){0};
    list->w.out = &list->text;
    json_array(&list->w);
}

/* What differs from file to file, as SQL; ends the list. */
static void put_pick(StrBuf *out, const char *function, PickList *list)
{
    json_array_end(&list->w);
    str_buf_printf(out, "%s(CAST(file_index AS BIGINT), ", function);
    quote_text(out, str_buf_view(&list->text));
    str_buf_putc(out, ')');
    str_buf_fini(&list->text);
}

/*
 * A partition column: the text of the folder's name, taken by DuckDB's cast. That it fits has been checked; where DuckDB sees it otherwise, an error
 * is better than NULL.
 */
static void put_partition(Source *source, const SourceBatch *batch, StrBuf *out, const int *parts, int count, const char *name, const Type *want)
{
    const FilesBatch *fb = batch->self;
    const char *first = NULL;
    bool alike = true;
    PickList list;
    pick_begin(&list);
    for (int i = 0; i < count; i++) {
        const char *value = files__partition_value(source->self, batch->arena, fb->paths[parts[i]], name, NULL);
        if (i == 0)
            first = value;
        alike &= (value == NULL) == (first == NULL) && (!value || strcmp(value, first) == 0);
        json_text(&list.w, value);
    }
    str_buf_puts(out, "CAST(");
    if (!alike)
        put_pick(out, "silt_pick_text", &list);
    else if (first)
        quote_text(out, str_of(first));
    else
        str_buf_puts(out, "NULL");
    str_buf_fini(&list.text);
    str_buf_puts(out, " AS ");
    type_print_duck(out, want);
    str_buf_putc(out, ')');
}

/* A fact of each file that `fact` gives as a number, or as a text. */
static void put_number(StrBuf *out, const SourceBatch *batch, const int *parts, int count, int64_t (*fact)(const SourcePart *part))
{
    PickList list;
    pick_begin(&list);
    for (int i = 0; i < count; i++)
        json_integer(&list.w, fact(&batch->parts[parts[i]]));
    put_pick(out, "silt_pick_long", &list);
}

static int64_t size_of(const SourcePart *part)
{
    return part->size_bytes;
}

static int64_t modified_of(const SourcePart *part)
{
    return part->modified_ms * 1000;
}

static void put_metadata(StrBuf *out, const SourceBatch *batch, const int *parts, int count)
{
    const FilesBatch *fb = batch->self;
    PickList list;

    str_buf_puts(out, "struct_pack(file_path := ");
    pick_begin(&list);
    for (int i = 0; i < count; i++)
        json_text(&list.w, batch->parts[parts[i]].name);
    put_pick(out, "silt_pick_text", &list);
    str_buf_puts(out, ", file_name := ");
    pick_begin(&list);
    for (int i = 0; i < count; i++)
        json_text(&list.w, files__name_text(batch->arena, fb->paths[parts[i]]).ptr);
    put_pick(out, "silt_pick_text", &list);
    str_buf_puts(out, ", file_size := ");
    put_number(out, batch, parts, count, size_of);
    str_buf_puts(out, ", file_block_start := CAST(0 AS BIGINT), file_block_length := ");
    put_number(out, batch, parts, count, size_of);
    str_buf_puts(out, ", file_modification_time := make_timestamptz(");
    put_number(out, batch, parts, count, modified_of);
    str_buf_puts(out, "))");
}

static void put_rescued(StrBuf *out, const SourceBatch *batch, const Type *schema, const int *parts, int count)
{
    const Files *files = batch->source->self;
    silt_auto(str_buf_fini) StrBuf path = {0};
    silt_auto(str_buf_fini) StrBuf json = {0};
    PickList list;

    pick_begin(&list);
    for (int i = 0; i < count; i++) {
        str_buf_clear(&json);
        json_put_str(&json, str_of(batch->parts[parts[i]].name));
        json_text(&list.w, str_buf_text(&json));
    }
    put_pick(&path, "silt_pick_text", &list);
    parquet_put_rescued(out, "f", schema, files->data, files__by_case(files), str_buf_text(&path));
}

static void put_files(const Source *source, Arena *arena, StrBuf *out, const Type *schema, const char *const *locals, int count, const bool *needed)
{
    const Files *files = source->self;
    ParquetFiles table = {.paths = locals, .count = count, .options = ", hive_partitioning=false", .marked = type_has_marks(schema), .schema = schema,
                          .column_count = -1};
    if (!table.marked) {
        table.options = ", hive_partitioning=false, file_row_number=true";
    } else if (needed && (files->rescued_column < 0 || !needed[files->rescued_column])) {
        const char **names = ARENA_ARRAY(arena, const char *, files->data->field_count + 1);
        table.columns = names;
        table.column_count = 0;
        for (int c = 0; c < files->data->field_count; c++) {
            int at = needed[c] ? parquet_match(schema, files->data->fields[c].name, files__by_case(files)) : -1;
            if (at >= 0)
                names[table.column_count++] = schema->fields[at].name;
        }
    }
    parquet_put_files(out, &table);
}

/* One SELECT over files[0..count) that share a schema. The files' columns are f1, f2 ... there, for DuckDB has other names than the files where two differ by case. */
static void put_select(Source *source, const SourceBatch *batch, StrBuf *out, const Type *schema, const int *parts, const char *const *locals, int count,
                       const bool *needed)
{
    Files *files = source->self;
    str_buf_puts(out, "SELECT ");
    for (int c = 0; c < source->schema.column_count; c++) {
        const Type *want = source->schema.types[c];
        const char *name = source->schema.names[c];
        if (c)
            str_buf_puts(out, ", ");
        bool data = c < files->data->field_count;
        int at = data ? parquet_match(schema, name, files__by_case(files)) : -1;
        if ((needed && !needed[c]) || (data && at < 0)) {
            str_buf_puts(out, "CAST(NULL AS ");
            type_print_duck(out, want);
            str_buf_putc(out, ')');
        } else if (data) {
            char column[16];
            snprintf(column, sizeof column, "f%d", at + 1);
            parquet_put_value(out, column, schema->fields[at].type, want, files__by_case(files));
        } else if (c == files->metadata_column) {
            put_metadata(out, batch, parts, count);
        } else if (c == files->rescued_column) {
            put_rescued(out, batch, schema, parts, count);
        } else {
            put_partition(source, batch, out, parts, count, name, want);
        }
        str_buf_printf(out, " AS c%d", c + 1);
    }
    str_buf_puts(out, ", CAST(");
    if (count == 1) {
        str_buf_printf(out, "%d", parts[0]);
    } else {
        PickList list;
        pick_begin(&list);
        for (int i = 0; i < count; i++)
            json_integer(&list.w, parts[i]);
        put_pick(out, "silt_pick_long", &list);
    }
    str_buf_puts(out, " AS INTEGER) AS silt_source, CAST(file_row_number AS BIGINT) AS silt_position FROM ");
    put_files(source, batch->arena, out, schema, locals, count, needed);
    str_buf_puts(out, " AS t(");
    for (int i = 0; i < schema->field_count; i++)
        str_buf_printf(out, "%sf%d", i ? ", " : "", i + 1);
    str_buf_putc(out, ')');
}

/* Can all of a file be unpacked? Failures of the world are passed up, too. */
static int unpack(DuckSession *session, const char *local, const Type *schema, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf sql = {0};

    str_buf_puts(&sql, "SELECT count(hash(t)) FROM "); /* of all columns: each page is unpacked */
    parquet_put_files(&sql, &(ParquetFiles){.paths = &local, .count = 1, .options = ", hive_partitioning=false", .marked = type_has_marks(schema),
                                            .schema = schema, .column_count = -1});
    str_buf_puts(&sql, " AS t");
    return duck_session_execute(session, str_buf_text(&sql), err);
}

/*
 * ignoreCorruptFiles: *out says why this file must be left out, NULL: it is whole. DuckDB's query over many files cannot go on behind a damaged one, so
 * each is read through before. That a file cannot be read at all is known by `damage`.
 */
static int look_for_damage(Source *source, Arena *arena, const char *local, const Type *schema, const char *damage, const char **out, SiltErr *err)
{
    Files *files = source->self;
    DuckSession *session;

    *out = damage;
    if (damage)
        return 0;
    SILT_TRY(files->context.session(files->context.session_self, &session, err));
    if (unpack(session, local, schema, err) == 0)
        return 0;
    if (err->kind != SILT_INPUT)
        return -1;
    *out = arena_strdup(arena, err->message);
    return 0;
}

/* Without rescued data there is no place for what does not fit. */
static int check_types(Source *source, const Type *wanted, const Type *schema, const char *path, SiltErr *err)
{
    Files *files = source->self;
    for (int i = 0; i < wanted->field_count; i++) {
        int at = parquet_match(schema, wanted->fields[i].name, files__by_case(files));
        if (at < 0 || parquet_fits(schema->fields[at].type, wanted->fields[i].type, files__by_case(files)))
            continue;
        silt_auto(arena_freep) Arena *arena = arena_new();
        silt_fail(err, SILT_INPUT, "column \"%s\" of \"%s\" is %s, and %s was expected", schema->fields[at].name, path,
                  type_text(arena, schema->fields[at].type), type_text(arena, wanted->fields[i].type));
        return silt_hint(err, "Give the column a type that holds both (schemaHints), or a column for what does not fit: rescuedDataColumn => '_rescued_data'.");
    }
    return 0;
}

int files__parquet_open(Source *source, SourceBatch *batch, const SourceReadOptions *read, SiltErr *err)
{
    Files *files = source->self;
    FilesBatch *fb = batch->self;
    Arena *arena = batch->arena;
    const Type **schemas = ARENA_ARRAY(arena, const Type *, batch->part_count + 1);
    const char **locals = ARENA_ARRAY(arena, const char *, batch->part_count + 1);
    fb->widened = files->data;
    const char **paths = ARENA_ARRAY(arena, const char *, batch->part_count + 1);
    const Type **found = ARENA_ARRAY(arena, const Type *, batch->part_count + 1);
    const char **damage = files->o.ignore_corrupt ? ARENA_ARRAY(arena, const char *, batch->part_count + 1) : NULL;
    int there = 0, next = 0;
    for (int i = 0; i < batch->part_count; i++)
        if (!batch->parts[i].missing)
            paths[there++] = fb->paths[i];
    SILT_TRY(files__parquet_schemas(source, paths, there, arena, found, damage, err));
    for (int i = 0; i < batch->part_count; i++) {
        if (batch->parts[i].missing)
            continue;
        const char *damaged = damage ? damage[next] : NULL;
        schemas[i] = found[next++];
        if (!schemas[i] && !damaged) {
            SILT_TRY(files__missing(batch, i, err));
            continue;
        }
        int r = io_local_path(files->context.io, fb->paths[i], arena, &locals[i], err);
        if (r == IO_ABSENT) {
            SILT_TRY(files__missing(batch, i, err));
            continue;
        }
        SILT_TRY(r);
        if (files->o.ignore_corrupt)
            SILT_TRY(look_for_damage(source, arena, locals[i], schemas[i], damaged, &damaged, err));
        if (damaged) {
            schemas[i] = NULL;
            if (!batch->parts[i].corrupt)
                batch->parts[i].corrupt = silt_strdup(damaged);
            continue;
        }
        if (files__wants_unknown(files))
            fb->widened = files__hinted(source, parquet_add_fields(fb->widened, parquet_without_void(schemas[i], arena), files__by_case(files),
                                                                   files__wider(files), arena));
        if (files->rescued_column < 0)
            SILT_TRY(check_types(source, fb->widened, schemas[i], fb->paths[i], err));
    }
    silt_auto(str_buf_fini) StrBuf out = {0};
    bool *done = ARENA_ARRAY(arena, bool, batch->part_count + 1);
    int *group = ARENA_ARRAY(arena, int, batch->part_count + 1);
    const char **group_locals = ARENA_ARRAY(arena, const char *, batch->part_count + 1);
    str_buf_putc(&out, '(');
    for (int i = 0; i < batch->part_count; i++) {
        if (done[i] || !schemas[i])
            continue;
        int count = 0;
        for (int k = i; k < batch->part_count && count < FILES_A_CALL_MAX; k++)
            if (!done[k] && schemas[k] && (k == i || type_equal_parts(schemas[i], schemas[k]))) {
                done[k] = true;
                group[count] = k;
                group_locals[count++] = locals[k];
            }
        if (out.size > 1)
            str_buf_puts(&out, " UNION ALL ");
        put_select(source, batch, &out, schemas[i], group, group_locals, count, read->needed);
    }
    if (out.size == 1) { /* no file at all */
        str_buf_puts(&out, "SELECT ");
        for (int c = 0; c < source->schema.column_count; c++) {
            str_buf_puts(&out, "CAST(NULL AS ");
            type_print_duck(&out, source->schema.types[c]);
            str_buf_printf(&out, ") AS c%d, ", c + 1);
        }
        str_buf_puts(&out, "CAST(NULL AS INTEGER) AS silt_source, CAST(NULL AS BIGINT) AS silt_position WHERE false");
    }
    str_buf_putc(&out, ')');
    batch->sql = arena_strdup(arena, str_buf_text(&out));
    return 0;
}

void files__parquet_blame(SourceBatch *batch, SiltErr *err)
{
    Files *files = batch->source->self;
    const FilesBatch *fb = batch->self;
    DuckSession *session;
    SiltErr inner;
    if (files->format != &format_parquet || files->context.session(files->context.session_self, &session, &inner) < 0)
        return;
    for (int i = 0; i < batch->part_count; i++) {
        const char *local;
        if (batch->parts[i].missing || io_local_path(files->context.io, fb->paths[i], batch->arena, &local, &inner) != 0)
            continue;
        const Type *schema;
        int r = duck_session_parquet_schema(session, batch->arena, local, &schema, &inner);
        if (r == 0)
            r = unpack(session, local, schema, &inner);
        if (r == 0 || inner.kind == SILT_TRANSIENT || inner.kind == SILT_CANCELLED)
            continue;
        silt_fail(err, SILT_INPUT, "could not read \"%s\": it is damaged: %s", fb->paths[i], inner.message);
        silt_code(err, "FAILED_READ_FILE.NO_HINT");
        silt_hint(err, "Replace it by a whole copy, and it is read then; or take it away.");
        return;
    }
}
