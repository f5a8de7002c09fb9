#pragma once
/* duck/chunk.h - the one container of rows: columns as plain C arrays with validity */
#include "duck/type.h"

enum { CHUNK_ROWS_MAX = 2048 }; /* DuckDB's vector size */

/* Layout of a string in a column (the same as DuckDB's string_t): up to 12 bytes inline, else a prefix and a pointer. */
typedef struct ChunkString {
    union {
        struct {
            uint32_t size;
            char prefix[4];
            const char *ptr;
        } far;
        struct {
            uint32_t size;
            char bytes[12];
        } near;
    };
} ChunkString;
_Static_assert(sizeof(ChunkString) == 16, "a string takes 16 bytes in a column");

static inline Str chunk_string(const ChunkString *s)
{
    return (Str){s->near.size <= 12 ? s->near.bytes : s->far.ptr, s->near.size};
}

/* ARRAY and MAP: a range of the child's rows. */
typedef struct ChunkList {
    uint64_t offset, length;
} ChunkList;

/* INTERVAL: Spark's calendar interval. */
typedef struct ChunkInterval {
    int32_t months, days;
    int64_t us;
} ChunkInterval;

/*
 * One column. data has the physical form that type.h names; NULL rows have undefined data. While a chunk is being
 * built, data and validity are written directly; child columns of lists grow through column_list_reserve.
 */
typedef struct Column Column;
struct Column {
    const Type *type;
    void *data;         /* STRUCT, VOID: NULL */
    uint64_t *validity; /* bit i set = row i is not NULL; NULL = no NULLs */
    Column *children;   /* ARRAY: 1, MAP: 2 (key, value), STRUCT: field_count; VARIANT: 2 */
    int child_count;
    void *vector; /* duck/ only, as the rest */
    char *room;   /* unused bytes of the vector's heap, for the strings to come */
    size_t room_left, room_next;
};

static inline bool column_is_null(const Column *column, uint64_t row)
{
    return column->validity && !(column->validity[row >> 6] >> (row & 63) & 1);
}

/* Of a STRING or BINARY column; empty where it is NULL. Borrowed from the column. */
static inline Str column_text(const Column *column, uint64_t row)
{
    return column_is_null(column, row) ? (Str){0} : chunk_string((const ChunkString *)column->data + row);
}

/* Where a decoded row came from; source is an index into the batch's list of sources (files or partitions). */
typedef struct ChunkOrigin {
    int32_t source;
    int64_t position; /* byte of the record's start in the file, or offset in the partition */
} ChunkOrigin;

typedef struct Chunk Chunk;

/*
 * An empty chunk for up to CHUNK_ROWS_MAX rows. types must live as long as the chunk. Reference count 1.
 * Building it touches no database: vectors are allocated by the linked engine but belong to no session.
 */
Chunk *chunk_new(const Type *const *types, int column_count);
Chunk *chunk_ref(Chunk *chunk);
void chunk_unref(Chunk *chunk); /* NULL allowed */
void chunk_unrefp(Chunk **chunk);
int chunk_column_count(const Chunk *chunk);
int chunk_row_count(const Chunk *chunk);
const Column *chunk_column(const Chunk *chunk, int column);

/* ---- building: only until chunk_seal() ---- */
Column *chunk_column_mut(Chunk *chunk, int column);
void column_set_null(Column *column, uint64_t row); /* makes validity writable when needed; STRUCT: children too */
/* Copies the bytes into the column's own heap. STRING must be valid UTF-8: the caller has checked. */
void column_set_string(Column *column, uint64_t row, const char *ptr, size_t size);
/*
 * Make room for `rows` rows in the child(ren) of an ARRAY or MAP column in all; moves child data: read
 * children[i].data again afterwards. Also tells the engine that the children hold `rows` rows.
 */
void column_list_reserve(Column *column, uint64_t rows);
/* Origin array of CHUNK_ROWS_MAX entries, allocated on first call. */
ChunkOrigin *chunk_origins_mut(Chunk *chunk);
/* No change after this. row_count <= CHUNK_ROWS_MAX. */
void chunk_seal(Chunk *chunk, int row_count);
/* NULL if the chunk carries none. */
const ChunkOrigin *chunk_origins(const Chunk *chunk);

/*
 * A source of chunks that is pulled. next gives 0 and *out (owned by the caller) or *out = NULL at the end, or < 0.
 * May be called from another thread than the one that made it, never from two at once unless parallel is set.
 */
typedef struct ChunkReader ChunkReader;
struct ChunkReader {
    void *self;
    int (*next)(void *self, Chunk **out, SiltErr *err);
    void (*close)(void *self); /* NULL: nothing to release */
    /* NULL: not asked for. Called at most once, before next: nobody looks at columns with used[i] false, they may hold anything. */
    void (*project)(void *self, const bool *used);
    bool parallel;             /* next may be called by several threads at once */
    int64_t rows_estimate;     /* < 0: unknown */
};
