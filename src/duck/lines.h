#pragma once
/* duck/lines.h - texts kept in memory, to be read by DuckDB as one column of strings */
#include "base/arena.h"
#include "duck/chunk.h"

/* Zero-initialise with .arena set: the texts live in it. */
typedef struct DuckLines {
    Arena *arena;
    Str *items;
    int64_t count, capacity, next;
} DuckLines;

void duck_lines_add(DuckLines *lines, Str text); /* copied */
void duck_lines_fini(DuckLines *lines);          /* the list; not the arena */
/* All texts, from the first on. lines is borrowed, and must not grow while it is read. */
ChunkReader duck_lines_reader(DuckLines *lines);
