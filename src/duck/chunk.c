/*
 * duck/chunk.c - Chunk and Column over the vectors of a DuckDB data chunk
 *
 *   C1  Every Column's data and validity point into its vector; nothing is copied on the way in or out.
 *   C2  A vector seen through a Column is flat, and so are all below it.
 *   C3  A NULL struct has NULL children in that row, as DuckDB demands.
 *   C4  After chunk_seal nothing changes; DuckDB may share the vectors from then on, also beyond the chunk's life.
 */
#include "duck/internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct Chunk {
    atomic_int refs;
    int column_count, row_count;
    bool sealed;
    duckdb_data_chunk data; /* NULL: no columns */
    ChunkOrigin *origins;
    Column columns[]; /* column_count, then all columns below these */
};

int duck__column_count(const Type *type)
{
    int count = 1;
    switch (type->kind) {
    case TYPE_VARIANT:
        return 3;
    case TYPE_ARRAY:
        return 1 + duck__column_count(type->element);
    case TYPE_MAP:
        return 1 + duck__column_count(type->key) + duck__column_count(type->element);
    case TYPE_STRUCT:
        for (int i = 0; i < type->field_count; i++)
            count += duck__column_count(type->fields[i].type);
        return count;
    default:
        return count;
    }
}

/* data and validity may have moved: read them again, also below structs, which move with their parent. */
static void column_refresh(Column *column)
{
    TypeKind kind = column->type->kind;
    column->data = kind == TYPE_STRUCT || kind == TYPE_VARIANT || kind == TYPE_VOID ? NULL : duckdb_vector_get_data(column->vector);
    column->validity = duckdb_vector_get_validity(column->vector);
    if (kind == TYPE_STRUCT || kind == TYPE_VARIANT)
        for (int i = 0; i < column->child_count; i++)
            column_refresh(&column->children[i]);
}

static Column *take_children(Column *column, int count, Column **next)
{
    column->children = *next;
    column->child_count = count;
    *next += count;
    return column->children;
}

void duck__column_view(Column *column, const Type *type, duckdb_vector vector, Column **next)
{
    *column = (Column){.type = type, .vector = vector};
    switch (type->kind) {
    case TYPE_ARRAY:
        take_children(column, 1, next);
        duck__column_view(&column->children[0], type->element, duckdb_list_vector_get_child(vector), next);
        break;
    case TYPE_MAP: {
        duckdb_vector entries = duckdb_list_vector_get_child(vector);
        take_children(column, 2, next);
        duck__column_view(&column->children[0], type->key, duckdb_struct_vector_get_child(entries, 0), next);
        duck__column_view(&column->children[1], type->element, duckdb_struct_vector_get_child(entries, 1), next);
        break;
    }
    case TYPE_VARIANT:
        take_children(column, 2, next);
        for (int i = 0; i < 2; i++)
            duck__column_view(&column->children[i], type_simple(TYPE_BINARY), duckdb_struct_vector_get_child(vector, (idx_t)i), next);
        break;
    case TYPE_STRUCT:
        take_children(column, type->field_count, next);
        for (int i = 0; i < type->field_count; i++)
            duck__column_view(&column->children[i], type->fields[i].type, duckdb_struct_vector_get_child(vector, (idx_t)i), next);
        break;
    default:
        break;
    }
    column_refresh(column);
}

static Chunk *chunk_over(duckdb_data_chunk data, const Type *const *types, int column_count)
{
    int total = 0;
    for (int i = 0; i < column_count; i++)
        total += duck__column_count(types[i]);
    Chunk *chunk = silt_alloc(sizeof *chunk + (size_t)total * sizeof *chunk->columns);
    atomic_init(&chunk->refs, 1);
    chunk->column_count = column_count;
    chunk->data = data;
    Column *next = chunk->columns + column_count;
    for (int i = 0; i < column_count; i++)
        duck__column_view(&chunk->columns[i], types[i], duckdb_data_chunk_get_vector(data, (idx_t)i), &next);
    return chunk;
}

/* VOID has nothing but NULLs: say so for the first rows of a column that is being built. */
static void fill_void(Column *column, uint64_t rows)
{
    TypeKind kind = column->type->kind;
    if (kind == TYPE_VOID && rows) {
        duckdb_vector_ensure_validity_writable(column->vector);
        column->validity = duckdb_vector_get_validity(column->vector);
        memset(column->validity, 0, (rows + 63) / 64 * 8);
    } else if (kind == TYPE_STRUCT) {
        for (int i = 0; i < column->child_count; i++)
            fill_void(&column->children[i], rows);
    }
}

Chunk *chunk_new(const Type *const *types, int column_count)
{
    if (column_count == 0)
        return chunk_over(NULL, types, 0);
    duckdb_logical_type *logical = silt_alloc((size_t)column_count * sizeof *logical);
    for (int i = 0; i < column_count; i++)
        logical[i] = duck__logical_type(types[i]);
    duckdb_data_chunk data = duckdb_create_data_chunk(logical, (idx_t)column_count);
    for (int i = 0; i < column_count; i++)
        duckdb_destroy_logical_type(&logical[i]);
    free(logical);
    silt_assert(data != NULL);

    Chunk *chunk = chunk_over(data, types, column_count);
    for (int i = 0; i < column_count; i++)
        fill_void(&chunk->columns[i], CHUNK_ROWS_MAX);
    return chunk;
}

Chunk *duck__chunk_wrap(duckdb_data_chunk data, const Type *const *types, int column_count)
{
    Chunk *chunk = chunk_over(data, types, column_count);
    chunk->row_count = (int)duckdb_data_chunk_get_size(data);
    chunk->sealed = true;
    return chunk;
}

duckdb_vector duck__chunk_vector(const Chunk *chunk, int column)
{
    silt_assert(column >= 0 && column < chunk->column_count);
    return chunk->columns[column].vector;
}

Chunk *chunk_ref(Chunk *chunk)
{
    atomic_fetch_add_explicit(&chunk->refs, 1, memory_order_relaxed);
    return chunk;
}

void chunk_unref(Chunk *chunk)
{
    if (!chunk || atomic_fetch_sub_explicit(&chunk->refs, 1, memory_order_acq_rel) > 1)
        return;
    if (chunk->data)
        duckdb_destroy_data_chunk(&chunk->data);
    free(chunk->origins);
    free(chunk);
}

void chunk_unrefp(Chunk **chunk)
{
    chunk_unref(*chunk);
    *chunk = NULL;
}

int chunk_column_count(const Chunk *chunk)
{
    return chunk->column_count;
}

int chunk_row_count(const Chunk *chunk)
{
    return chunk->row_count;
}

const Column *chunk_column(const Chunk *chunk, int column)
{
    silt_assert(column >= 0 && column < chunk->column_count);
    return &chunk->columns[column];
}

Column *chunk_column_mut(Chunk *chunk, int column)
{
    silt_assert(!chunk->sealed); /* C4 */
    silt_assert(column >= 0 && column < chunk->column_count);
    return &chunk->columns[column];
}

void column_set_null(Column *column, uint64_t row)
{
    if (!column->validity) {
        duckdb_vector_ensure_validity_writable(column->vector);
        column->validity = duckdb_vector_get_validity(column->vector);
    }
    column->validity[row >> 6] &= ~(UINT64_C(1) << (row & 63));
    if (column->type->kind == TYPE_STRUCT || column->type->kind == TYPE_VARIANT) /* C3 */
        for (int i = 0; i < column->child_count; i++)
            column_set_null(&column->children[i], row);
}

enum { ROOM_FIRST = 1024, ROOM_LAST = 64 * 1024 };

/*
 * The vector's heap takes one string at a time, by a call that costs more than the copy. So a long stretch of it is asked for
 * as if it were the string of this row, and cut up here. False for strings that better go the plain way.
 */
static bool get_room(Column *column, uint64_t row, size_t size)
{
    static const char nothing[ROOM_LAST];
    size_t room = column->room_next ? column->room_next : ROOM_FIRST;
    column->room_next = room * 2 < ROOM_LAST ? room * 2 : ROOM_LAST;
    if (size > room / 2)
        return false;
    duckdb_unsafe_vector_assign_string_element_len(column->vector, row, nothing, room);
    column->room = (char *)((ChunkString *)column->data)[row].far.ptr;
    column->room_left = room;
    return true;
}

void column_set_string(Column *column, uint64_t row, const char *ptr, size_t size)
{
    ChunkString *slot = (ChunkString *)column->data + row;
    if (size <= sizeof slot->near.bytes) { /* in place; the rest must be zero, since DuckDB compares all 16 bytes */
        *slot = (ChunkString){0};
        slot->near.size = (uint32_t)size;
        if (size)
            memcpy(slot->near.bytes, ptr, size);
        return;
    }
    silt_assert(size <= UINT32_MAX);
    if (size > column->room_left && !get_room(column, row, size)) {
        duckdb_unsafe_vector_assign_string_element_len(column->vector, row, ptr, size);
        return;
    }
    memcpy(column->room, ptr, size);
    slot->far.size = (uint32_t)size;
    memcpy(slot->far.prefix, ptr, sizeof slot->far.prefix);
    slot->far.ptr = column->room;
    column->room += size;
    column->room_left -= size;
}

void column_list_reserve(Column *column, uint64_t rows)
{
    duckdb_state state = duckdb_list_vector_reserve(column->vector, rows);
    silt_assert(state == DuckDBSuccess);
    duckdb_list_vector_set_size(column->vector, rows);
    for (int i = 0; i < column->child_count; i++) {
        column_refresh(&column->children[i]);
        fill_void(&column->children[i], rows);
    }
}

ChunkOrigin *chunk_origins_mut(Chunk *chunk)
{
    silt_assert(!chunk->sealed); /* C4 */
    if (!chunk->origins)
        chunk->origins = silt_alloc(CHUNK_ROWS_MAX * sizeof *chunk->origins);
    return chunk->origins;
}

void chunk_seal(Chunk *chunk, int row_count)
{
    silt_assert(!chunk->sealed);
    silt_assert(row_count >= 0 && row_count <= CHUNK_ROWS_MAX);
    if (chunk->data)
        duckdb_data_chunk_set_size(chunk->data, (idx_t)row_count);
    chunk->row_count = row_count;
    chunk->sealed = true;
}

const ChunkOrigin *chunk_origins(const Chunk *chunk)
{
    return chunk->origins;
}
