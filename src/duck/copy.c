/*
 * duck/copy.c - the rows of a query as Parquet files with statistics
 *
 * The query has columns c1..cn; real names appear here, at the edge. Partition values become text as a Delta log holds it, and are
 * not written into the files. DuckDB's folders for partitions are not used: the files lie flat, with names of no meaning.
 *
 *   X1  Statistics are given for leaves that are reached through structs only: below arrays and maps DuckDB counts elements, not rows.
 *       A VARIANT is one leaf, and has a null count only.
 *   X2  Bounds of FLOAT and DOUBLE are given only for files of one row group: DuckDB reports NaN for the last row group alone.
 *   X3  A -0.0 is never written by way of a dictionary, where it would become the 0.0 beside it (DUCK_COPY_AGAIN).
 */
#include "duck/internal.h"

#include "duck/quote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the statement ---- */

static int partition_index(const DuckCopyOptions *options, const char *name)
{
    for (int i = 0; i < options->partition_count; i++)
        if (strcmp(options->partition_columns[i], name) == 0)
            return i;
    return -1;
}

static bool has_floating(const Type *type, bool in_lists)
{
    switch (type->kind) {
    case TYPE_STRUCT:
        for (int i = 0; i < type->field_count; i++)
            if (has_floating(type->fields[i].type, in_lists))
                return true;
        return false;
    case TYPE_ARRAY:
        return in_lists && has_floating(type->element, true);
    case TYPE_MAP:
        return in_lists && (has_floating(type->key, true) || has_floating(type->element, true));
    default:
        return type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE;
    }
}

static void print_zero_watch(StrBuf *sql, const Type *const *types, const DuckCopyOptions *options)
{
    bool any = false;
    for (int i = 0; i < options->column_count; i++)
        if (partition_index(options, options->column_names[i]) < 0 && has_floating(types[i], true)) {
            str_buf_printf(sql, any ? ", c%d" : " WHERE silt_see_zeros(c%d", i + 1);
            any = true;
        }
    if (any)
        str_buf_putc(sql, ')');
}

static void print_copy(StrBuf *sql, const char *select, const Type *const *types, const DuckCopyOptions *options)
{
    str_buf_puts(sql, "COPY (SELECT ");
    for (int i = 0; i < options->column_count; i++) {
        bool partition = partition_index(options, options->column_names[i]) >= 0;
        str_buf_printf(sql, partition ? "%ssilt_partition_text(c%d) AS " : "%sc%d AS ", i ? ", " : "", i + 1);
        quote_name(sql, options->column_names[i]);
    }
    str_buf_printf(sql, " FROM (%s)", select);
    if (!options->plain)
        print_zero_watch(sql, types, options);
    str_buf_puts(sql, ") TO ");

    silt_auto(str_buf_fini) StrBuf target = {0};
    bool one_file = options->partition_count == 0 && options->file_size_bytes_max == 0;
    str_buf_printf(&target, one_file ? "%s/data.parquet" : "%s", options->directory);
    quote_text(sql, str_buf_view(&target));
    str_buf_puts(sql, " (FORMAT parquet, RETURN_STATS true, COMPRESSION ");
    quote_text(sql, str_of(options->compression));
    if (options->plain)
        str_buf_puts(sql, ", DICTIONARY_SIZE_LIMIT 0");
    if (options->row_group_rows)
        str_buf_printf(sql, ", ROW_GROUP_SIZE %lld", (long long)options->row_group_rows);
    if (options->partition_count) {
        str_buf_puts(sql, ", HIVE_FILE_PATTERN false, FILENAME_PATTERN 'data_{uuid}', PARTITION_BY (");
        for (int i = 0; i < options->partition_count; i++) {
            str_buf_puts(sql, i ? ", " : "");
            quote_name(sql, options->partition_columns[i]);
        }
        str_buf_putc(sql, ')');
    } else {
        str_buf_puts(sql, ", WRITE_EMPTY_FILE false");
        if (options->file_size_bytes_max)
            str_buf_printf(sql, ", FILENAME_PATTERN 'data_{i}', FILE_SIZE_BYTES %lld", (long long)options->file_size_bytes_max);
    }
    if (options->field_ids)
        str_buf_printf(sql, ", FIELD_IDS %s", options->field_ids);
    str_buf_putc(sql, ')');
}

/* ---- what may be written ---- */

static bool can_write(const Type *type)
{
    switch (type->kind) {
    case TYPE_VOID:
    case TYPE_INTERVAL:
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
        return false;
    case TYPE_ARRAY:
        return can_write(type->element);
    case TYPE_MAP:
        return can_write(type->key) && can_write(type->element);
    case TYPE_STRUCT:
        for (int i = 0; i < type->field_count; i++)
            if (!can_write(type->fields[i].type))
                return false;
        return type->field_count > 0;
    default:
        return true;
    }
}

/* The query must give these types, with these names inside of structs, since the names go into the file. */
static int check_query(DuckSession *session, const char *select, const Type *const *types, const DuckCopyOptions *options, SiltErr *err)
{
    int partitions_found = 0;
    for (int i = 0; i < options->column_count; i++) {
        partitions_found += partition_index(options, options->column_names[i]) >= 0;
        if (can_write(types[i]))
            continue;
        silt_auto(str_buf_fini) StrBuf text = {0};
        type_print(&text, types[i]);
        silt_fail(err, SILT_CONFIG, "column \"%s\" of type %s cannot be written to Parquet", options->column_names[i], text.ptr);
        return silt_code(err, "UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE");
    }
    silt_assert(partitions_found == options->partition_count);
    if (options->partition_count && options->partition_count == options->column_count) {
        silt_fail(err, SILT_CONFIG, "all columns are partition columns: nothing would be left for the files");
        return silt_code(err, "ALL_PARTITION_COLUMNS_NOT_ALLOWED");
    }
    silt_assert(!(options->partition_count && options->file_size_bytes_max)); /* DuckDB refuses it */

    DuckStatement *stmt;
    SILT_TRY(duck_session_prepare(session, select, &stmt, err));
    SILT_TRY(duck__check_types(stmt, types, options->column_count, err));
    for (int i = 0; i < options->column_count; i++)
        if (!duck__same_names(types[i], duck_statement_column_type(stmt, i)))
            return silt_fail(err, SILT_CORRUPT, "column %d of the query has other names inside than its type", i + 1);
    return 0;
}

/* ---- reading what COPY returns ---- */

/*
 * "a"."b""c" as parts joined by \x1f; NULL when it does not follow types through structs to a leaf (X1). Of the two parts of a VARIANT, which
 * are null together, the first stands for it.
 */
static const char *stats_path(Arena *arena, Str key, const Type *const *types, const DuckCopyOptions *options, const Type **leaf)
{
    silt_auto(str_buf_fini) StrBuf path = {0}, part = {0};
    const Type *type = NULL;
    bool in_variant = false;
    const char *p = key.ptr, *end = key.ptr + key.size;
    while (p < end && *p == '"') {
        str_buf_clear(&part);
        for (p++; p < end && (*p != '"' || (p + 1 < end && p[1] == '"')); p++) {
            if (*p == '"')
                p++;
            str_buf_putc(&part, *p);
        }
        p += p < end; /* the closing quote */
        p += p < end && *p == '.';
        in_variant = type && type->kind == TYPE_VARIANT && str_is(str_buf_view(&part), "metadata");
        if (in_variant)
            break;
        const Type *next = NULL;
        if (!type) {
            for (int i = 0; i < options->column_count && !next; i++)
                if (strcmp(options->column_names[i], str_buf_text(&part)) == 0)
                    next = types[i];
        } else if (type->kind == TYPE_STRUCT) {
            for (int i = 0; i < type->field_count && !next; i++)
                if (strcmp(type->fields[i].name, str_buf_text(&part)) == 0)
                    next = type->fields[i].type;
        }
        if (!next)
            return NULL;
        if (type)
            str_buf_putc(&path, '\x1f');
        str_buf_str(&path, str_buf_view(&part));
        type = next;
    }
    if (!type || (type->kind >= TYPE_VARIANT && !in_variant))
        return NULL;
    *leaf = type;
    return arena_strndup(arena, str_buf_text(&path), path.size);
}

static Str string_at(const Column *column, uint64_t row)
{
    return chunk_string((const ChunkString *)column->data + row);
}

/* One inner map: min, max, null_count, has_nan, ... */
static void read_stats(Arena *arena, const Column *map, uint64_t row, const Type *leaf, bool trust_floating, DuckColumnStats *stats)
{
    ChunkList list = ((const ChunkList *)map->data)[row];
    bool floating = leaf->kind == TYPE_FLOAT || leaf->kind == TYPE_DOUBLE;
    stats->null_count = -1;
    for (uint64_t i = list.offset; i < list.offset + list.length; i++) {
        Str key = string_at(&map->children[0], i), value = string_at(&map->children[1], i);
        int64_t number;
        if (column_is_null(&map->children[1], i))
            continue;
        if ((str_is(key, "min") || str_is(key, "max")) && value.size && memchr(value.ptr, 0, value.size))
            continue; /* a bound is NUL-terminated: cut at an inner NUL, a maximum would be too small */
        if (str_is(key, "min"))
            stats->min = arena_str(arena, value).ptr;
        else if (str_is(key, "max"))
            stats->max = arena_str(arena, value).ptr;
        else if (str_is(key, "null_count") && str_to_int64(value, &number))
            stats->null_count = number;
        else if (str_is(key, "has_nan"))
            stats->has_nan = str_is(value, "true");
    }
    stats->has_bounds = stats->min && stats->max && leaf->kind != TYPE_VARIANT && (!floating || (trust_floating && !stats->has_nan));
    if (!stats->has_bounds)
        stats->min = stats->max = NULL;
}

static int read_partition_values(Arena *arena, const Column *map, uint64_t row, const DuckCopyOptions *options, DuckWrittenFile *file, SiltErr *err)
{
    file->partition_values = ARENA_ARRAY(arena, const char *, options->partition_count);
    if (options->partition_count == 0 || column_is_null(map, row))
        return 0;
    ChunkList list = ((const ChunkList *)map->data)[row];
    for (uint64_t i = list.offset; i < list.offset + list.length; i++) {
        const char *name = arena_str(arena, string_at(&map->children[0], i)).ptr;
        int index = partition_index(options, name);
        silt_assert(index >= 0);
        if (column_is_null(&map->children[1], i))
            continue;
        Str value = string_at(&map->children[1], i);
        if (value.size && memchr(value.ptr, 0, value.size)) { /* no folder can be named so, Spark fails as well; cut, it would be another value */
            silt_fail(err, SILT_INPUT, "a value of partition column \"%s\" has a character NUL, which no name of a folder can have", name);
            return silt_hint(err, "Take it out: replace(%s, chr(0), ''); or leave the column out of PARTITIONED BY.", name);
        }
        file->partition_values[index] = arena_str(arena, value).ptr;
    }
    return 0;
}

typedef struct Copying {
    DuckSession *session;
    const Type *const *types;
    const DuckCopyOptions *options;
    Arena *arena;
    bool floating; /* some leaf is */
    DuckWrittenFile *files;
    int count, capacity;
    int64_t rows;
    bool any_order;     /* groups are not cut in order */
    bool *single_group; /* per file */
} Copying;

/*
 * X2: which files surely have one row group. DuckDB cuts a single file into groups of row_group_rows in order; into partitions, and in any
 * order, every thread writes groups of its own, unless there is only one chunk of rows. For the rest their footers are asked.
 */
static int find_single_groups(Copying *copying, SiltErr *err)
{
    enum { ROW_GROUP_ROWS_DEFAULT = 122880 };
    const DuckCopyOptions *options = copying->options;
    int64_t certain = options->partition_count || copying->any_order ? CHUNK_ROWS_MAX
                      : options->row_group_rows                      ? options->row_group_rows
                                                                     : ROW_GROUP_ROWS_DEFAULT;
    copying->single_group = ARENA_ARRAY(copying->arena, bool, copying->count);
    if (!copying->floating || copying->rows <= certain) {
        memset(copying->single_group, true, (size_t)copying->count);
        return 0;
    }
    silt_auto(str_buf_fini) StrBuf sql = {0};
    str_buf_puts(&sql, "SELECT file_name, num_row_groups::BIGINT FROM parquet_file_metadata([");
    for (int i = 0; i < copying->count; i++) {
        str_buf_puts(&sql, i ? ", " : "");
        quote_path(&sql, copying->files[i].local_path);
    }
    str_buf_puts(&sql, "])");
    const Type *const types[] = {type_simple(TYPE_STRING), type_simple(TYPE_LONG)};
    silt_auto(duck__rows_fini) DuckRows found = {0};
    SILT_TRY(duck__query_rows(copying->session, sql.ptr, types, 2, &found, err));
    int file = 0; /* DuckDB answers in the order of the list */
    for (int i = 0; i < found.count; i++)
        for (uint64_t row = 0; row < (uint64_t)chunk_row_count(found.chunks[i]); row++, file++) {
            silt_assert(str_is(string_at(chunk_column(found.chunks[i], 0), row), copying->files[file].local_path));
            copying->single_group[file] = ((const int64_t *)chunk_column(found.chunks[i], 1)->data)[row] == 1;
        }
    silt_assert(file == copying->count);
    return 0;
}

enum { FILENAME, COUNT, SIZE, FOOTER, STATS, KEYS };

static int read_files(Copying *copying, const Chunk *chunk, SiltErr *err)
{
    Arena *arena = copying->arena;
    for (uint64_t row = 0; row < (uint64_t)chunk_row_count(chunk); row++) {
        DuckWrittenFile file = {.local_path = arena_str(arena, string_at(chunk_column(chunk, FILENAME), row)).ptr};
        file.rows = ((const int64_t *)chunk_column(chunk, COUNT)->data)[row];
        file.size_bytes = ((const int64_t *)chunk_column(chunk, SIZE)->data)[row];
        SILT_TRY(read_partition_values(arena, chunk_column(chunk, KEYS), row, copying->options, &file, err));
        copying->rows += file.rows;
        ARENA_PUSH(arena, copying->files, copying->count, copying->capacity, file);
    }
    return 0;
}

static void read_file_stats(Copying *copying, const Column *stats, uint64_t row, DuckWrittenFile *file, bool single_group)
{
    ChunkList list = ((const ChunkList *)stats->data)[row];
    file->stats = ARENA_ARRAY(copying->arena, DuckColumnStats, list.length);
    for (uint64_t i = list.offset; i < list.offset + list.length; i++) {
        const Type *leaf;
        const char *path = stats_path(copying->arena, string_at(&stats->children[0], i), copying->types, copying->options, &leaf);
        if (!path)
            continue;
        DuckColumnStats *out = &file->stats[file->stats_count++];
        out->path = path;
        read_stats(copying->arena, &stats->children[1], i, leaf, single_group, out);
    }
}

/* Is one of the inputs so large that several threads read it? Then nothing has an order that could be kept. */
static bool is_large(const DuckSession *session)
{
    for (int i = 0; i < session->input_count; i++)
        if (session->inputs[i] && duck__input_threads(session, session->inputs[i]) > 1)
            return true;
    return false;
}

int duck_session_copy(DuckSession *session, const char *select, const Type *const *types, const DuckCopyOptions *options, Arena *arena,
                      DuckWrittenFile **files, int *file_count, int64_t *rows, SiltErr *err)
{
    SILT_TRY(check_query(session, select, types, options, err));
    silt_auto(str_buf_fini) StrBuf sql = {0};
    print_copy(&sql, select, types, options);
    DuckStatement *stmt;
    bool any_order = is_large(session);
    SILT_TRY(duck__prepare(session, str_buf_text(&sql), any_order, &stmt, err));

    /* filename, count, size, footer size, column statistics, partition keys: the counts are unsigned, but never that large */
    const Type *string = type_simple(TYPE_STRING), *number = type_simple(TYPE_LONG);
    Type strings = {.kind = TYPE_MAP, .key = string, .element = string, .element_nullable = true};
    Type stats = {.kind = TYPE_MAP, .key = string, .element = &strings, .element_nullable = true};
    const Type *const returned[] = {string, number, number, number, &stats, &strings};

    Copying copying = {.session = session, .types = types, .options = options, .arena = arena, .any_order = any_order};
    for (int i = 0; i < options->column_count; i++)
        copying.floating |= partition_index(options, options->column_names[i]) < 0 && has_floating(types[i], false);
    silt_auto(duck__rows_fini) DuckRows written = {0};
    session->negative_zero = false;
    SILT_TRY(duck__statement_rows(stmt, returned, 6, &written, err));
    if (session->negative_zero)
        return DUCK_COPY_AGAIN;
    for (int i = 0; i < written.count; i++)
        SILT_TRY(read_files(&copying, written.chunks[i], err));
    SILT_TRY(find_single_groups(&copying, err));
    int file = 0;
    for (int i = 0; i < written.count; i++)
        for (uint64_t row = 0; row < (uint64_t)chunk_row_count(written.chunks[i]); row++, file++)
            read_file_stats(&copying, chunk_column(written.chunks[i], STATS), row, &copying.files[file], copying.single_group[file]);
    *files = copying.files;
    *file_count = copying.count;
    *rows = copying.rows;
    return 0;
}
