#pragma once
/* sql/print_spark.h - shared by the files that print Spark SQL; private to this folder */
#include "sql/sql.h"

void sql__spark_name(StrBuf *out, const char *name); /* `name` */
void sql__spark_names(StrBuf *out, const char *const *names, int count);
void sql__spark_qualified(StrBuf *out, SqlName name);
void sql__spark_qualified_list(StrBuf *out, const SqlName *names, int count);
void sql__spark_string(StrBuf *out, Str text); /* 'text' */
void sql__spark_type(StrBuf *out, const Type *type);
void sql__spark_exprs(StrBuf *out, Expr *const *exprs, int count);
void sql__spark_sort(StrBuf *out, const SortItem *items, int count);
void sql__spark_window(StrBuf *out, const WindowSpec *window);
void sql__spark_value(StrBuf *out, const Expr *expr); /* where no AND, OR, NOT or predicate may stand bare */
void sql__spark_options(StrBuf *out, const SqlOption *options, int count);
