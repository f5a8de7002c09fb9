/*
 * api/result.c - rows, one at a time, as text or as JSON
 *
 *   R1  A cell is rendered at most once per row and form, into a buffer of its column.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "api/project.h"
#include "api/result.h"
#include "base/json.h"
#include "duck/arrow.h"
#include "duck/print.h"
#include "duck/render.h"

/* One column's rendered value of the current row. */
typedef struct Cell {
    StrBuf text, json;
    bool has_text, has_json;
} Cell;

struct SiltResult {
    Arena *arena;
    const char **names;
    const char **types; /* Spark's text */
    const Type **stream_types; /* of an Arrow stream over the rows */
    int column_count;
    int64_t row; /* of the chunk or of `values`; -1 before the first */
    Cell *cells;

    /* a running query */
    PipelineResult *query;
    const ApiText *text;
    Chunk *chunk;

    /* rows made here: values in row order, NULL = NULL */
    TypeKind *kinds;
    const char **values;
    int value_count, value_capacity, kind_capacity, name_capacity, type_capacity;
};

static SiltResult *result_new(void)
{
    SiltResult *result = silt_alloc(sizeof(*result));

    result->arena = arena_new();
    result->row = -1;
    return result;
}

SiltResult *api__result_nothing(void)
{
    return result_new();
}

SiltResult *api__result_of_query(PipelineResult *query, const ApiText *text)
{
    SiltResult *result = result_new();

    result->query = query;
    result->text = text;
    result->column_count = query->column_count;
    result->names = query->column_names;
    result->types = ARENA_ARRAY(result->arena, const char *, query->column_count);
    for (int i = 0; i < query->column_count; i++)
        result->types[i] = type_text(result->arena, query->column_types[i]);
    return result;
}

void silt_result_free(SiltResult *result)
{
    if (!result)
        return;
    for (int i = 0; result->cells && i < result->column_count; i++) {
        str_buf_fini(&result->cells[i].text);
        str_buf_fini(&result->cells[i].json);
    }
    chunk_unref(result->chunk);
    pipeline_result_free(result->query);
    arena_free(result->arena);
    free(result);
}

int silt_result_column_count(const SiltResult *result)
{
    return result->column_count;
}

const char *silt_result_column_name(const SiltResult *result, int column)
{
    return result->names[column];
}

const char *silt_result_column_type(const SiltResult *result, int column)
{
    return result->types[column];
}

SiltStatus silt_result_next(SiltResult *result, SiltProblems **problems)
{
    *problems = NULL;
    if (!result->cells)
        result->cells = ARENA_ARRAY(result->arena, Cell, result->column_count + 1);
    for (int i = 0; i < result->column_count; i++)
        result->cells[i].has_text = result->cells[i].has_json = false;
    result->row++;
    if (!result->query)
        return result->column_count > 0 && result->row < result->value_count / result->column_count ? SILT_DONE : SILT_END;
    while (!result->chunk || result->row >= chunk_row_count(result->chunk)) {
        SiltErr err;
        chunk_unref(result->chunk);
        result->chunk = NULL;
        result->row = 0;
        if (result->query->reader.next(result->query->reader.self, &result->chunk, &err) < 0)
            return api__fail(problems, &err, true, result->text, NULL);
        if (!result->chunk)
            return SILT_END;
    }
    return SILT_DONE;
}

static const char *made_value(const SiltResult *result, int column)
{
    return result->values[result->row * result->column_count + column];
}

const char *silt_result_text(SiltResult *result, int column, size_t *size)
{
    Cell *cell = &result->cells[column];

    *size = 0;
    if (!result->query) {
        const char *value = made_value(result, column);
        *size = value ? strlen(value) : 0;
        return value;
    }
    const Column *data = chunk_column(result->chunk, column);
    if (column_is_null(data, (uint64_t)result->row) || data->type->kind == TYPE_VOID)
        return NULL;
    if (!cell->has_text) { /* R1 */
        str_buf_clear(&cell->text);
        value_print(&cell->text, data, (uint64_t)result->row, result->query->zone);
        cell->has_text = true;
    }
    *size = cell->text.size;
    return str_buf_text(&cell->text);
}

const char *silt_result_json(SiltResult *result, int column, size_t *size)
{
    Cell *cell = &result->cells[column];

    if (!cell->has_json) { /* R1 */
        str_buf_clear(&cell->json);
        if (result->query) {
            render_json(&cell->json, chunk_column(result->chunk, column), (uint64_t)result->row, result->query->zone);
        } else {
            const char *value = made_value(result, column);
            if (!value || result->kinds[column] != TYPE_STRING)
                str_buf_puts(&cell->json, value ? value : "null");
            else
                json_put_str(&cell->json, str_of(value));
        }
        cell->has_json = true;
    }
    *size = cell->json.size;
    return str_buf_text(&cell->json);
}

/* ---- as an Arrow stream ---- */

/* The rows that were made here, as chunks like those of a query. */
static int next_made(SiltResult *result, Chunk **out)
{
    int64_t total = result->column_count ? result->value_count / result->column_count : 0;
    int rows = 0;

    *out = NULL;
    if (result->row + 1 >= total)
        return 0;
    Chunk *chunk = chunk_new(result->stream_types, result->column_count);
    while (rows < CHUNK_ROWS_MAX && result->row + 1 < total) {
        result->row++;
        for (int i = 0; i < result->column_count; i++) {
            const char *value = made_value(result, i);
            Column *column = chunk_column_mut(chunk, i);
            if (!value)
                column_set_null(column, (uint64_t)rows);
            else if (result->kinds[i] == TYPE_STRING)
                column_set_string(column, (uint64_t)rows, value, strlen(value));
            else if (result->kinds[i] == TYPE_BOOLEAN)
                ((uint8_t *)column->data)[rows] = *value == 't';
            else
                silt_assert(str_to_int64(str_of(value), (int64_t *)column->data + rows));
        }
        rows++;
    }
    chunk_seal(chunk, rows);
    *out = chunk;
    return 0;
}

static int next_chunk(void *self, Chunk **out, SiltErr *err)
{
    SiltResult *result = self;

    return result->query ? result->query->reader.next(result->query->reader.self, out, err) : next_made(result, out);
}

static void free_result(void *self)
{
    silt_result_free(self);
}

void silt_result_to_arrow(SiltResult *result, struct ArrowArrayStream *out)
{
    ChunkReader reader = {.self = result, .next = next_chunk, .close = free_result};

    silt_assert(result->row < 0); /* no row was taken yet */
    result->stream_types = ARENA_ARRAY(result->arena, const Type *, result->column_count + 1);
    for (int i = 0; i < result->column_count; i++)
        result->stream_types[i] = result->query ? result->query->column_types[i] : type_simple(result->kinds[i]);
    arrow_export_stream(&reader, result->names, result->stream_types, result->query ? result->query->column_nullable : NULL,
                        result->column_count, out);
}

/* ---- rows made here ---- */

SiltStatus api__no_rows(SiltResult *result, const SiltProject *project, const SqlErrors *errors, SiltProblems **problems)
{
    SiltStatus status = api__fail_many(problems, errors, false, NULL, api__project_directory(project));

    silt_result_free(result);
    return status;
}

SiltResult *api__rows_new(void)
{
    return result_new();
}

Arena *api__rows_arena(SiltResult *result)
{
    return result->arena;
}

void api__rows_column(SiltResult *result, const char *name, TypeKind kind)
{
    int count = result->column_count, count_of_types = count, count_of_kinds = count;
    const char *type = type_text(result->arena, type_simple(kind));

    ARENA_PUSH(result->arena, result->names, result->column_count, result->name_capacity, name);
    ARENA_PUSH(result->arena, result->types, count_of_types, result->type_capacity, type);
    ARENA_PUSH(result->arena, result->kinds, count_of_kinds, result->kind_capacity, kind);
}

void api__rows_text(SiltResult *result, const char *text)
{
    ARENA_PUSH(result->arena, result->values, result->value_count, result->value_capacity, text);
}

void api__rows_count(SiltResult *result, int64_t number)
{
    api__rows_text(result, number < 0 ? NULL : arena_printf(result->arena, "%lld", (long long)number));
}

void api__rows_bool(SiltResult *result, bool value)
{
    api__rows_text(result, value ? "true" : "false");
}

void api__rows_time(SiltResult *result, int64_t time_ms)
{
    time_t seconds = (time_t)(time_ms / 1000);
    struct tm parts;
    char text[40] = "";

    gmtime_r(&seconds, &parts);
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
    api__rows_text(result, time_ms < 0 ? NULL : arena_printf(result->arena, "%s.%03dZ", text, (int)(time_ms % 1000)));
}
