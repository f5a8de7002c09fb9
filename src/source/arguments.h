#pragma once
/* source/arguments.h - arguments of a table function that reads data, as options */
#include "base/arena.h"
#include "sql/ast.h"

/* Text of a literal argument, in arena: text as it is, numbers and booleans as they print. NULL if it is none. */
const char *source_literal_text(Arena *arena, const Expr *expr);
