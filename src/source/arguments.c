/* source/arguments.c - arguments of a table function that reads data, as options */
#include "source/arguments.h"

const char *source_literal_text(Arena *arena, const Expr *expr)
{
    if (expr->kind != EXPR_LITERAL || !expr->type)
        return NULL;
    switch (expr->type->kind) {
    case TYPE_STRING:
        return arena_strndup(arena, expr->literal.ptr, expr->literal.size);
    case TYPE_BOOLEAN:
        return expr->literal_int ? "true" : "false";
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
        return arena_printf(arena, "%lld", (long long)expr->literal_int);
    case TYPE_DECIMAL:
    case TYPE_DOUBLE:
    case TYPE_FLOAT:
        return expr->text;
    default:
        return NULL;
    }
}
