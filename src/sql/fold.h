#pragma once
/* sql/fold.h - constants that must be known while a query is read; private to this folder */
#include "sql/sql.h"

/* The STRING that the expression (analyzed or not) computes from literals by ||, concat, lower, upper and casts of it or of an INT to STRING, put behind out; false: another
 * expression, and out holds a part at most. */
bool sql__fold_text(const Expr *expr, StrBuf *out);

/* The INT that it computes from literals by +, - and *; false: another expression, or one out of range. */
bool sql__fold_int(const Expr *expr, int64_t *out);
