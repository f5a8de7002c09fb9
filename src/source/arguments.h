#pragma once
/* source/arguments.h - arguments of a table function that reads data, as options */
#include "base/arena.h"
#include "io/io.h"
#include "sql/ast.h"

/* Text of a literal argument, in arena: text as it is, numbers and booleans as they print. NULL if it is none. */
const char *source_literal_text(Arena *arena, const Expr *expr);
/* "7 days", "1 hour 30 minutes", "90d", "interval 2 weeks", in microseconds. False: no such text. */
bool source_duration_parse(const char *text, int64_t *out);
/*
 * {{secrets/env/NAME}} and {{secrets/file/PATH}} are what an environment variable or a file (without line ends behind it) holds; any other text is
 * itself. In arena. CONFIG at pos when there is no such thing. The value goes into no message, log or checkpoint: keep it so.
 */
int source_secret_expand(Io *io, Arena *arena, const char *text, SiltPos pos, const char **out, SiltErr *err);
