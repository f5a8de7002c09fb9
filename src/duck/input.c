/*
 * duck/input.c - silt_input(slot): a table that is pulled from a ChunkReader
 *
 *   I1  A reader is read once per execution: a query that names a slot twice must do so through a materialized CTE.
 *   I2  Chunks have exactly the types that the statement was prepared for; this is checked for each, since DuckDB would not notice.
 */
#include "duck/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARALLEL_ROWS_MIN = 100000 /* below, more threads cost more than they give */ };

/* Made when a statement is prepared. */
typedef struct Bound {
    DuckSession *session;
    int slot, column_count;
    char *signature;
} Bound;

/* Made for each execution. */
typedef struct Scan {
    ChunkReader *reader;
    const DuckInput *input;
    int projected_count;
    idx_t projected[]; /* column_count: silt_source, column_count + 1: silt_position */
} Scan;

static void bound_free(void *data)
{
    Bound *bound = data;
    free(bound->signature);
    free(bound);
}

static void add_column(duckdb_bind_info info, const char *name, const Type *type)
{
    duckdb_logical_type logical = duck__logical_type(type);
    duckdb_bind_add_result_column(info, name, logical);
    duckdb_destroy_logical_type(&logical);
}

static void input_bind(duckdb_bind_info info)
{
    DuckEngine *engine = duckdb_bind_get_extra_info(info);
    duckdb_client_context context;
    duckdb_table_function_get_client_context(info, &context);
    DuckSession *session = duck__session_of(engine, context);
    duckdb_destroy_client_context(&context);

    duckdb_value parameter = duckdb_bind_get_parameter(info, 0);
    int slot = duckdb_is_null_value(parameter) ? -1 : duckdb_get_int32(parameter);
    duckdb_destroy_value(&parameter);
    if (!session || slot < 0 || slot >= session->input_count || !session->inputs[slot]) {
        duckdb_bind_set_error(info, "silt_input: the slot is not bound");
        return;
    }
    const DuckInput *input = session->inputs[slot];
    for (int i = 0; i < input->column_count; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i + 1);
        add_column(info, name, input->types[i]);
    }
    add_column(info, "silt_source", type_simple(TYPE_INT));
    add_column(info, "silt_position", type_simple(TYPE_LONG));
    if (input->reader && input->reader->rows_estimate >= 0)
        duckdb_bind_set_cardinality(info, (idx_t)input->reader->rows_estimate, false);

    Bound *bound = silt_alloc(sizeof *bound);
    *bound = (Bound){.session = session, .slot = slot, .column_count = input->column_count, .signature = silt_strdup(input->signature)};
    duckdb_bind_set_bind_data(info, bound, bound_free);
}

int64_t duck__input_threads(const DuckSession *session, const DuckInput *input)
{
    if (!input->reader || !input->reader->parallel)
        return 1;
    int64_t most = duck__thread_count(session->engine), rows = input->reader->rows_estimate;
    return rows < 0 || rows / PARALLEL_ROWS_MIN + 1 > most ? most : rows / PARALLEL_ROWS_MIN + 1;
}

static void input_init(duckdb_init_info info)
{
    const Bound *bound = duckdb_init_get_bind_data(info);
    DuckSession *session = bound->session;
    DuckInput *input = session->inputs[bound->slot];
    if (strcmp(input->signature, bound->signature) != 0) {
        duckdb_init_set_error(info, "silt_input: the statement was prepared for other types of this slot");
        return;
    }
    if (!input->reader) {
        duckdb_init_set_error(info, "silt_input: the slot has no reader");
        return;
    }
    if (input->opened_in == session->execution) { /* I1 */
        duckdb_init_set_error(info, "silt_input: the slot is read twice by one query");
        return;
    }
    input->opened_in = session->execution;

    int count = (int)duckdb_init_get_column_count(info);
    Scan *scan = silt_alloc(sizeof *scan + (size_t)count * sizeof *scan->projected);
    scan->reader = input->reader;
    scan->input = input;
    scan->projected_count = count;
    for (int i = 0; i < count; i++)
        scan->projected[i] = duckdb_init_get_column_index(info, (idx_t)i);
    duckdb_init_set_init_data(info, scan, free);
    if (scan->reader->project) {
        bool *used = silt_alloc((size_t)input->column_count + 1);
        for (int i = 0; i < count; i++)
            if (scan->projected[i] < (idx_t)input->column_count)
                used[scan->projected[i]] = true;
        scan->reader->project(scan->reader->self, used);
        free(used);
    }
    duckdb_init_set_max_threads(info, (idx_t)duck__input_threads(session, input));
}

static void check_types(const DuckInput *input, const Chunk *chunk) /* I2 */
{
    silt_assert(chunk_column_count(chunk) == input->column_count);
    for (int i = 0; i < input->column_count; i++)
        silt_assert(duck__type_fits(chunk_column(chunk, i)->type, input->types[i]));
}

static void put_origin(duckdb_vector vector, const ChunkOrigin *origins, int rows, bool position)
{
    if (!origins) {
        duckdb_vector_ensure_validity_writable(vector);
        memset(duckdb_vector_get_validity(vector), 0, (size_t)(rows + 63) / 64 * 8);
        return;
    }
    void *data = duckdb_vector_get_data(vector);
    for (int row = 0; row < rows; row++)
        if (position)
            ((int64_t *)data)[row] = origins[row].position;
        else
            ((int32_t *)data)[row] = origins[row].source;
}

static void input_scan(duckdb_function_info info, duckdb_data_chunk output)
{
    Scan *scan = duckdb_function_get_init_data(info);
    Chunk *chunk = NULL;
    SiltErr err;
    do { /* an empty chunk would be taken for the end */
        chunk_unref(chunk);
        chunk = NULL;
        if (scan->reader->next(scan->reader->self, &chunk, &err) < 0) {
            char text[DUCK_FAILURE_BYTES];
            duckdb_function_set_error(info, duck__pack_failure(text, &err));
            return;
        }
    } while (chunk && chunk_row_count(chunk) == 0);
    if (!chunk) {
        duckdb_data_chunk_set_size(output, 0);
        return;
    }
    check_types(scan->input, chunk);
    int rows = chunk_row_count(chunk);
    for (int i = 0; i < scan->projected_count; i++) {
        duckdb_vector vector = duckdb_data_chunk_get_vector(output, (idx_t)i);
        idx_t column = scan->projected[i];
        idx_t count = (idx_t)scan->input->column_count;
        if (column < count)
            duckdb_vector_reference_vector(vector, duck__chunk_vector(chunk, (int)column));
        else if (column <= count + 1)
            put_origin(vector, chunk_origins(chunk), rows, column == count + 1);
    }
    duckdb_data_chunk_set_size(output, (idx_t)rows);
    chunk_unref(chunk); /* the vectors live on as long as DuckDB needs them */
}

int duck__register_input(DuckEngine *engine, duckdb_connection connection, SiltErr *err)
{
    duckdb_table_function function = duckdb_create_table_function();
    duckdb_logical_type integer = duckdb_create_logical_type(DUCKDB_TYPE_INTEGER);
    duckdb_table_function_set_name(function, "silt_input");
    duckdb_table_function_add_parameter(function, integer);
    duckdb_table_function_set_extra_info(function, engine, NULL);
    duckdb_table_function_set_bind(function, input_bind);
    duckdb_table_function_set_init(function, input_init);
    duckdb_table_function_set_function(function, input_scan);
    duckdb_table_function_supports_projection_pushdown(function, true);
    duckdb_state state = duckdb_register_table_function(connection, function);
    duckdb_destroy_logical_type(&integer);
    duckdb_destroy_table_function(&function);
    return state == DuckDBSuccess ? 0 : silt_fail(err, SILT_CONFIG, "could not register silt_input");
}
