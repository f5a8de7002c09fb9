/* sql/constant.c - see constant.h */
#include <stdlib.h>
#include <string.h>

#include "duck/print.h"
#include "sql/constant.h"

static const Constant unknown = {CONSTANT_UNKNOWN};

static Constant fails(const char *code)
{
    return (Constant){.kind = CONSTANT_FAILS, .code = code};
}

static Constant whole(int64_t value)
{
    return (Constant){.kind = CONSTANT_WHOLE, .whole = value};
}

static Constant number(double value)
{
    return (Constant){.kind = CONSTANT_NUMBER, .number = value};
}

static Constant truth(bool value)
{
    return (Constant){.kind = CONSTANT_TRUTH, .whole = value};
}

static Constant literal(const Expr *e)
{
    char digits[64];

    switch (e->type->kind) {
    case TYPE_VOID:
        return (Constant){.kind = CONSTANT_NULL};
    case TYPE_BOOLEAN:
        return truth(e->literal_int);
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
        return whole(e->literal_int);
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        return number(e->literal_double);
    case TYPE_DECIMAL:
        if (e->literal.size >= sizeof digits)
            return unknown;
        memcpy(digits, e->literal.ptr, e->literal.size);
        digits[e->literal.size] = '\0';
        return number(strtod(digits, NULL));
    case TYPE_STRING:
        return (Constant){.kind = CONSTANT_TEXT, .text = e->literal};
    case TYPE_BINARY:
        return (Constant){.kind = CONSTANT_BYTES, .text = e->literal};
    default:
        return unknown;
    }
}

/* ---- by the database ---- */

static bool asks_the_clock(const Expr *e)
{
    return e->kind == EXPR_CALL && e->function && e->function->flags & FN_CLOCK;
}

static bool is_extension(const Expr *e)
{
    return e->kind == EXPR_CALL && e->function && e->function->extension;
}

static int open_session(Analyzer *a, SiltErr *err)
{
    if (a->session)
        return 0;
    if (!a->engine)
        a->engine = duck_engine_new(&(DuckOptions){.threads = 1});
    SILT_TRY(duck_session_open(a->engine, &a->session, err));
    return duck_session_set_time_zone(a->session, a->settings->time_zone, err);
}

void sql__close_constants(Analyzer *a)
{
    duck_session_close(a->session);
    duck_engine_free(a->engine);
    a->session = NULL;
    a->engine = NULL;
}

/* The one value of a column of one row. */
static Constant value(Analyzer *a, const Column *column)
{
    silt_auto(str_buf_fini) StrBuf digits = {0};

    if (column_is_null(column, 0))
        return (Constant){.kind = CONSTANT_NULL};
    switch (column->type->kind) {
    case TYPE_BOOLEAN:
        return truth(*(const uint8_t *)column->data);
    case TYPE_BYTE:
        return whole(*(const int8_t *)column->data);
    case TYPE_SHORT:
        return whole(*(const int16_t *)column->data);
    case TYPE_INT:
        return whole(*(const int32_t *)column->data);
    case TYPE_LONG:
        return whole(*(const int64_t *)column->data);
    case TYPE_FLOAT:
        return number(*(const float *)column->data);
    case TYPE_DOUBLE:
        return number(*(const double *)column->data);
    case TYPE_DECIMAL:
        print_decimal(&digits, decimal_value(column, 0), column->type->scale);
        return number(strtod(str_buf_text(&digits), NULL));
    case TYPE_STRING:
    case TYPE_BINARY:
        return (Constant){.kind = column->type->kind == TYPE_STRING ? CONSTANT_TEXT : CONSTANT_BYTES,
                          .text = arena_str(a->arena, chunk_string((const ChunkString *)column->data))};
    default:
        return unknown;
    }
}

static int read_value(Analyzer *a, const Expr *e, Constant *out, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    DuckStatement *statement;
    ChunkReader reader;
    Chunk *chunk, *end = NULL;

    SILT_TRY(open_session(a, err));
    str_buf_puts(&text, "SELECT ");
    sql_print_duck_expr(&text, e, "");
    str_buf_puts(&text, " AS c1");
    SILT_TRY(duck_session_prepare(a->session, str_buf_text(&text), &statement, err));
    SILT_TRY(duck_statement_read(statement, &e->type, 1, &reader, err));
    int r = reader.next(reader.self, &chunk, err);

    if (r >= 0) {
        *out = value(a, chunk_column(chunk, 0));
        chunk_unref(chunk);
        r = reader.next(reader.self, &end, err); /* the statement has ended only when nothing follows */
        silt_assert(!end);
    }
    if (reader.close)
        reader.close(reader.self);
    return r;
}

static Constant computed(Analyzer *a, const Expr *e)
{
    Constant out = unknown;
    SiltErr err;

    if (read_value(a, e, &out, &err) >= 0)
        return out;
    return err.code[0] ? fails(arena_strdup(a->arena, err.code)) : unknown;
}

Constant sql__constant(Analyzer *a, const Expr *e)
{
    if (e->kind == EXPR_LITERAL)
        return literal(e);
    if (!e->type || !e->constant)
        return unknown;
    if (e->kind == EXPR_UNARY && !strcmp(e->op, "-") && e->args[0]->kind == EXPR_LITERAL) { /* a negative number is as plain as any */
        Constant c = literal(e->args[0]);

        if (c.kind == CONSTANT_WHOLE && e->args[0]->literal_int > INT32_MIN)
            return whole(-c.whole);
        if (c.kind == CONSTANT_NUMBER)
            return number(-c.number);
    }
    return sql__any((Expr *)e, asks_the_clock) || sql__any((Expr *)e, is_extension) ? unknown : computed(a, e);
}

bool sql_whole_value(Arena *arena, const Expr *e, const SqlSettings *settings, int64_t *out)
{
    Analyzer a = {.arena = arena, .settings = settings};
    bool known = sql_constant_int(&a, e, out);

    sql__close_constants(&a);
    return known;
}
