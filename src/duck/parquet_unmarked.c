/*
 * duck/parquet_unmarked.c - silt_read_unmarked(paths, options, columns, types): read_parquet over files with marked VARIANT columns (parquet_marks.h)
 *
 * paths: local, no patterns. options: text that read_parquet takes behind the paths, ", schema=MAP {...}". columns: names of those columns of the files
 * that are looked at, NULL: all. types: DuckDB's text of each column's type, '' where it stays; NULL: all stay. The result has read_parquet's columns,
 * with the groups of VARIANTs as structs, then file_row_number and file_index.
 *
 *   U1  A copy of one file is on the disk at a time, in which only the columns are that are looked at, and it goes with the last row of it.
 *   U2  Rows come in the order of the files.
 *   U3  Each file gives the types that the first one was bound with: this is checked, since DuckDB would not notice.
 */
#include "duck/internal.h"

#include "duck/parquet_marks.h"
#include "duck/quote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATHS, OPTIONS, COLUMNS, TYPES, PARAMETERS };

/* Made when a statement is prepared. */
typedef struct Bound {
    DuckEngine *engine;
    Arena *arena;
    const char **paths;
    int path_count;
    const char *options;
    const char **columns; /* NULL: all */
    int column_count;     /* < 0: all */
    const char **casts;   /* NULL: none */
    duckdb_logical_type *types;
    int type_count; /* of the files; file_row_number and file_index follow */
} Bound;

/* Made for each execution. */
typedef struct Scan {
    const Bound *bound;
    duckdb_connection connection;
    duckdb_prepared_statement prepared;
    duckdb_result result;
    bool reading;
    Arena *arena; /* of the file */
    const char *copy_path;
    int file; /* that is read, or the next */
    int projected_count;
    idx_t projected[];
} Scan;

static void bound_free(void *data)
{
    Bound *bound = data;
    for (int i = 0; i < bound->type_count; i++)
        duckdb_destroy_logical_type(&bound->types[i]);
    arena_free(bound->arena);
    free(bound);
}

/* ---- one file ---- */

/* What DuckDB says of the copy is said of the file. */
static int fail_copy(Scan *scan, duckdb_error_type type, const char *text, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf out = {0};
    const char *real = scan->bound->paths[scan->file], *at;
    while (text && scan->copy_path && (at = strstr(text, scan->copy_path))) {
        str_buf_add(&out, text, (size_t)(at - text));
        str_buf_puts(&out, real);
        text = at + strlen(scan->copy_path);
    }
    str_buf_puts(&out, text ? text : "unknown error");
    duck__fail(err, type, str_buf_text(&out), NULL);
    if (err->kind == SILT_INPUT && !strstr(err->message, real)) {
        SiltErr inner = *err;
        silt_fail(err, SILT_INPUT, "could not read \"%s\": %s", real, inner.message);
        silt_code(err, inner.code);
        silt_hint(err, "%s", inner.hint);
    }
    return -1;
}

static void close_file(Scan *scan)
{
    if (scan->reading)
        duckdb_destroy_result(&scan->result);
    scan->reading = false;
    if (scan->prepared)
        duckdb_destroy_prepare(&scan->prepared);
    if (scan->copy_path)
        unlink(scan->copy_path);
    scan->copy_path = NULL;
    arena_reset(scan->arena);
}

/* The columns that the query asks for; all of them while binding. */
static void print_select(const Scan *scan, bool binding, StrBuf *sql)
{
    const Bound *bound = scan->bound;
    str_buf_puts(sql, "SELECT ");
    if (binding && !bound->casts) {
        str_buf_puts(sql, "*");
    } else {
        int count = 0;
        for (int i = 0; i < (binding ? bound->type_count : scan->projected_count); i++) {
            int column = binding ? i : (int)scan->projected[i];
            if (column >= bound->type_count)
                continue;
            str_buf_puts(sql, count++ ? ", " : "");
            const char *type = bound->casts ? bound->casts[column] : "";
            str_buf_printf(sql, *type ? "CAST(x%d AS %s)" : "x%d", column + 1, type);
        }
        str_buf_puts(sql, count ? ", file_row_number" : "file_row_number");
    }
    str_buf_puts(sql, " FROM read_parquet(");
    quote_path(sql, scan->copy_path);
    str_buf_puts(sql, bound->options);
    str_buf_puts(sql, ")");
    for (int i = 0; i < bound->type_count; i++)
        str_buf_printf(sql, i ? ", x%d" : " AS t(x%d", i + 1);
    str_buf_puts(sql, bound->type_count ? ")" : "");
}

static int prepare_file(Scan *scan, bool binding, SiltErr *err)
{
    const Bound *bound = scan->bound;
    silt_auto(str_buf_fini) StrBuf sql = {0};
    ParquetMarks marks;
    SILT_TRY(parquet_marks_read(bound->paths[scan->file], scan->arena, &marks, err));
    SILT_TRY(parquet_marks_copy(bound->paths[scan->file], &marks, bound->columns, binding ? 0 : bound->column_count, scan->arena, &scan->copy_path, err));
    print_select(scan, binding, &sql);
    if (duckdb_prepare(scan->connection, str_buf_text(&sql), &scan->prepared) != DuckDBSuccess)
        return fail_copy(scan, DUCKDB_ERROR_INVALID, duckdb_prepare_error(scan->prepared), err);
    return 0;
}

static bool same_logical(duckdb_logical_type a, duckdb_logical_type b)
{
    duckdb_type id = duckdb_get_type_id(a);
    if (id != duckdb_get_type_id(b))
        return false;
    idx_t count = id == DUCKDB_TYPE_STRUCT ? duckdb_struct_type_child_count(a) : id == DUCKDB_TYPE_LIST ? 1 : id == DUCKDB_TYPE_MAP ? 2 : 0;
    bool same = id == DUCKDB_TYPE_DECIMAL ? duckdb_decimal_width(a) == duckdb_decimal_width(b) && duckdb_decimal_scale(a) == duckdb_decimal_scale(b)
              : id == DUCKDB_TYPE_STRUCT  ? count == duckdb_struct_type_child_count(b)
                                          : id != DUCKDB_TYPE_ARRAY && id != DUCKDB_TYPE_UNION && id != DUCKDB_TYPE_ENUM; /* no file has these */
    for (idx_t i = 0; i < count && same; i++) {
        duckdb_logical_type (*child)(duckdb_logical_type) = id == DUCKDB_TYPE_LIST ? duckdb_list_type_child_type
                                                          : i                      ? duckdb_map_type_value_type
                                                                                   : duckdb_map_type_key_type;
        duckdb_logical_type x = id == DUCKDB_TYPE_STRUCT ? duckdb_struct_type_child_type(a, i) : child(a);
        duckdb_logical_type y = id == DUCKDB_TYPE_STRUCT ? duckdb_struct_type_child_type(b, i) : child(b);
        same = same_logical(x, y);
        duckdb_destroy_logical_type(&x);
        duckdb_destroy_logical_type(&y);
    }
    return same;
}

static int check_types(Scan *scan, SiltErr *err) /* U3 */
{
    const Bound *bound = scan->bound;
    idx_t at = 0;
    bool same = true;
    for (int i = 0; i < scan->projected_count && same; i++)
        if (scan->projected[i] < (idx_t)bound->type_count) {
            duckdb_logical_type type = duckdb_prepared_statement_column_logical_type(scan->prepared, at++);
            same = same_logical(type, bound->types[scan->projected[i]]);
            duckdb_destroy_logical_type(&type);
        }
    return same ? 0 : silt_fail(err, SILT_INPUT, "Parquet file \"%s\" has other types than \"%s\"", bound->paths[scan->file], bound->paths[0]);
}

static int open_file(Scan *scan, SiltErr *err)
{
    SILT_TRY(prepare_file(scan, false, err));
    SILT_TRY(check_types(scan, err));
    duckdb_pending_result pending;
    if (duckdb_pending_prepared_streaming(scan->prepared, &pending) != DuckDBSuccess) {
        fail_copy(scan, DUCKDB_ERROR_INVALID, duckdb_pending_error(pending), err);
        duckdb_destroy_pending(&pending);
        return -1;
    }
    duckdb_state state = duckdb_execute_pending(pending, &scan->result);
    duckdb_destroy_pending(&pending);
    scan->reading = true;
    if (state != DuckDBSuccess)
        return fail_copy(scan, duckdb_result_error_type(&scan->result), duckdb_result_error(&scan->result), err);
    return 0;
}

/* ---- binding ---- */

static const char *text_of(Arena *arena, duckdb_value value)
{
    if (!value || duckdb_is_null_value(value))
        return "";
    char *text = duckdb_get_varchar(value);
    const char *copy = arena_strdup(arena, text);
    duckdb_free(text);
    return copy;
}

static const char **texts_of(duckdb_bind_info info, int parameter, Arena *arena, int *count)
{
    duckdb_value list = duckdb_bind_get_parameter(info, (idx_t)parameter);
    const char **texts = NULL;
    *count = -1;
    if (!duckdb_is_null_value(list)) {
        *count = (int)duckdb_get_list_size(list);
        texts = ARENA_ARRAY(arena, const char *, *count + 1);
        for (int i = 0; i < *count; i++) {
            duckdb_value item = duckdb_get_list_child(list, (idx_t)i);
            texts[i] = text_of(arena, item);
            duckdb_destroy_value(&item);
        }
    }
    duckdb_destroy_value(&list);
    return texts;
}

static void add_simple(duckdb_bind_info info, const char *name, duckdb_type id)
{
    duckdb_logical_type type = duckdb_create_logical_type(id);
    duckdb_bind_add_result_column(info, name, type);
    duckdb_destroy_logical_type(&type);
}

static int bind_types(duckdb_bind_info info, Bound *bound, Scan *scan, int cast_count, SiltErr *err)
{
    bound->type_count = cast_count > 0 ? cast_count : 0; /* so many names are given */
    int r = prepare_file(scan, true, err);
    bound->type_count = 0;
    SILT_TRY(r);
    int count = (int)duckdb_prepared_statement_column_count(scan->prepared) - (cast_count > 0);
    bound->types = ARENA_ARRAY(bound->arena, duckdb_logical_type, count + 1);
    for (int i = 0; i < count; i++) {
        const char *name = duckdb_prepared_statement_column_name(scan->prepared, (idx_t)i);
        bound->types[bound->type_count++] = duckdb_prepared_statement_column_logical_type(scan->prepared, (idx_t)i);
        duckdb_bind_add_result_column(info, name, bound->types[i]);
        duckdb_free((void *)name);
    }
    add_simple(info, "file_row_number", DUCKDB_TYPE_BIGINT);
    add_simple(info, "file_index", DUCKDB_TYPE_UBIGINT);
    return 0;
}

static void unmarked_bind(duckdb_bind_info info)
{
    Bound *bound = silt_alloc(sizeof *bound);
    bound->engine = duckdb_bind_get_extra_info(info);
    bound->arena = arena_new();
    int cast_count;
    bound->paths = texts_of(info, PATHS, bound->arena, &bound->path_count);
    bound->columns = texts_of(info, COLUMNS, bound->arena, &bound->column_count);
    bound->casts = texts_of(info, TYPES, bound->arena, &cast_count);
    duckdb_value options = duckdb_bind_get_parameter(info, OPTIONS);
    bound->options = text_of(bound->arena, options);
    duckdb_destroy_value(&options);
    silt_assert(bound->path_count > 0);

    SiltErr err;
    Scan scan = {.bound = bound, .arena = arena_new()};
    int r = duck__connect(bound->engine, &scan.connection, &err);
    if (r == 0)
        r = bind_types(info, bound, &scan, cast_count, &err);
    close_file(&scan);
    arena_free(scan.arena);
    if (scan.connection)
        duckdb_disconnect(&scan.connection);
    if (r < 0) {
        char text[DUCK_FAILURE_BYTES];
        duckdb_bind_set_error(info, duck__pack_failure(text, &err));
        bound_free(bound);
        return;
    }
    duckdb_bind_set_bind_data(info, bound, bound_free);
}

/* ---- running ---- */

static void scan_free(void *data)
{
    Scan *scan = data;
    close_file(scan);
    arena_free(scan->arena);
    if (scan->connection)
        duckdb_disconnect(&scan->connection);
    free(scan);
}

static void unmarked_init(duckdb_init_info info)
{
    const Bound *bound = duckdb_init_get_bind_data(info);
    int count = (int)duckdb_init_get_column_count(info);
    Scan *scan = silt_alloc(sizeof *scan + (size_t)count * sizeof *scan->projected);
    SiltErr err;
    scan->bound = bound;
    scan->arena = arena_new();
    scan->projected_count = count;
    for (int i = 0; i < count; i++)
        scan->projected[i] = duckdb_init_get_column_index(info, (idx_t)i);
    duckdb_init_set_init_data(info, scan, scan_free);
    duckdb_init_set_max_threads(info, 1); /* U2 */
    if (duck__connect(bound->engine, &scan->connection, &err) < 0) {
        char text[DUCK_FAILURE_BYTES];
        duckdb_init_set_error(info, duck__pack_failure(text, &err));
    }
}

/* Rows of the next chunk into *out, which the caller destroys; NULL: the last file has been read. */
static int next_chunk(Scan *scan, duckdb_data_chunk *out, SiltErr *err)
{
    for (*out = NULL; !*out && scan->file < scan->bound->path_count;) {
        if (!scan->reading)
            SILT_TRY(open_file(scan, err));
        *out = duckdb_fetch_chunk(scan->result);
        const char *error = *out ? NULL : duckdb_result_error(&scan->result);
        if (error)
            return fail_copy(scan, duckdb_result_error_type(&scan->result), error, err);
        if (*out && duckdb_data_chunk_get_size(*out))
            return 0;
        if (*out) {
            duckdb_destroy_data_chunk(out);
            continue;
        }
        close_file(scan);
        scan->file++;
    }
    return 0;
}

static void unmarked_scan(duckdb_function_info info, duckdb_data_chunk output)
{
    Scan *scan = duckdb_function_get_init_data(info);
    duckdb_data_chunk chunk;
    SiltErr err;
    if (next_chunk(scan, &chunk, &err) < 0) {
        char text[DUCK_FAILURE_BYTES];
        duckdb_function_set_error(info, duck__pack_failure(text, &err));
        return;
    }
    if (!chunk) {
        duckdb_data_chunk_set_size(output, 0);
        return;
    }
    idx_t rows = duckdb_data_chunk_get_size(chunk), columns = duckdb_data_chunk_get_column_count(chunk), at = 0;
    for (int i = 0; i < scan->projected_count; i++) {
        duckdb_vector vector = duckdb_data_chunk_get_vector(output, (idx_t)i);
        idx_t column = scan->projected[i], files = (idx_t)scan->bound->type_count;
        if (column < files) {
            duckdb_vector_reference_vector(vector, duckdb_data_chunk_get_vector(chunk, at++));
        } else if (column == files) {
            duckdb_vector_reference_vector(vector, duckdb_data_chunk_get_vector(chunk, columns - 1));
        } else if (column == files + 1) {
            uint64_t *data = duckdb_vector_get_data(vector);
            for (idx_t row = 0; row < rows; row++)
                data[row] = (uint64_t)scan->file;
        }
    }
    duckdb_data_chunk_set_size(output, rows);
    duckdb_destroy_data_chunk(&chunk); /* the vectors live on as long as DuckDB needs them */
}

int duck__register_unmarked(DuckEngine *engine, duckdb_connection connection, SiltErr *err)
{
    duckdb_table_function function = duckdb_create_table_function();
    duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR), texts = duckdb_create_list_type(text);
    duckdb_table_function_set_name(function, "silt_read_unmarked");
    for (int i = 0; i < PARAMETERS; i++)
        duckdb_table_function_add_parameter(function, i == OPTIONS ? text : texts);
    duckdb_table_function_set_extra_info(function, engine, NULL);
    duckdb_table_function_set_bind(function, unmarked_bind);
    duckdb_table_function_set_init(function, unmarked_init);
    duckdb_table_function_set_function(function, unmarked_scan);
    duckdb_table_function_supports_projection_pushdown(function, true);
    duckdb_state state = duckdb_register_table_function(connection, function);
    duckdb_destroy_logical_type(&texts);
    duckdb_destroy_logical_type(&text);
    duckdb_destroy_table_function(&function);
    return state == DuckDBSuccess ? 0 : silt_fail(err, SILT_CONFIG, "could not register silt_read_unmarked");
}
