#pragma once
/* duck/duck_test.h - one engine and session per test, and rows as text */
#include "duck/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Fixture {
    DuckEngine *engine;
    DuckSession *session;
    Arena *arena;
} Fixture;

static inline int fixture_make(void **state)
{
    Fixture *f = silt_alloc(sizeof *f);
    SiltErr err;
    f->arena = arena_new();
    f->engine = duck_engine_new(&(DuckOptions){.threads = 2});
    if (duck_session_open(f->engine, &f->session, &err) < 0)
        fail_msg("%s", err.message);
    *state = f;
    return 0;
}

static inline int fixture_free(void **state)
{
    Fixture *f = *state;
    duck_session_close(f->session);
    duck_engine_free(f->engine);
    arena_free(f->arena);
    free(f);
    return 0;
}

#define FIXTURE_TEST(name) cmocka_unit_test_setup_teardown(name, fixture_make, fixture_free)

/* Types of a DDL column list. */
static inline const Type **column_types(Arena *arena, const char *ddl, int *count)
{
    const Type *type;
    SiltErr err;
    if (type_parse_ddl(arena, str_of(ddl), false, &type, &err) < 0)
        fail_msg("%s", err.message);
    const Type **types = ARENA_ARRAY(arena, const Type *, type->field_count);
    for (int i = 0; i < type->field_count; i++)
        types[i] = type->fields[i].type;
    *count = type->field_count;
    return types;
}

/* First column of the only row as text, "NULL" or "error CODE". The SQL must give a VARCHAR. */
static inline const char *ask(Fixture *f, const char *sql, SiltErr *err)
{
    DuckStatement *stmt;
    ChunkReader reader;
    const Type *types[] = {type_simple(TYPE_STRING)};
    if (duck_session_prepare(f->session, sql, &stmt, err) < 0 || duck_statement_read(stmt, types, 1, &reader, err) < 0)
        return arena_printf(f->arena, "error %s", *err->code ? err->code : err->message);
    StrBuf out = {0};
    Chunk *chunk;
    int r;
    while ((r = reader.next(reader.self, &chunk, err)) == 0 && chunk) {
        for (int row = 0; row < chunk_row_count(chunk); row++) {
            const Column *column = chunk_column(chunk, 0);
            if (out.size)
                str_buf_putc(&out, '\n');
            if (column_is_null(column, (uint64_t)row))
                str_buf_puts(&out, "NULL");
            else
                str_buf_str(&out, chunk_string((const ChunkString *)column->data + row));
        }
        chunk_unref(chunk);
    }
    reader.close(reader.self);
    const char *text =
        r < 0 ? arena_printf(f->arena, "error %s", *err->code ? err->code : err->message) : arena_strdup(f->arena, str_buf_text(&out));
    str_buf_fini(&out);
    return text;
}

static inline void check(Fixture *f, const char *sql, const char *expected)
{
    SiltErr err = {0};
    const char *got = ask(f, sql, &err);
    if (strcmp(got, expected) != 0)
        fail_msg("%s\n  gave     %s\n  expected %s\n  (%s)", sql, got, expected, err.message);
}
