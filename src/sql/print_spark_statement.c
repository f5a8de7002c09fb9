/* sql/print_spark_statement.c - statements as SQL text, in Lakeflow's spelling where Spark has none */
#include "sql/print_spark.h"

static void print_columns(StrBuf *out, const Statement *s)
{
    const char *comma = " (";
    for (int i = 0; i < s->column_count; i++, comma = ", ") {
        const ColumnDef *column = &s->columns[i];
        str_buf_puts(out, comma);
        sql__spark_name(out, column->name);
        if (column->type) {
            str_buf_putc(out, ' ');
            sql__spark_type(out, column->type);
        }
        if (column->not_null)
            str_buf_puts(out, " NOT NULL");
        if (column->default_sql)
            str_buf_printf(out, " DEFAULT %s", column->default_sql);
        if (column->generated_sql)
            str_buf_printf(out, " %s", column->generated_sql);
        if (column->comment) {
            str_buf_puts(out, " COMMENT ");
            sql__spark_string(out, str_of(column->comment));
        }
    }
    for (int i = 0; i < s->expectation_count; i++, comma = ", ") {
        static const char *const actions[] = {[EXPECT_WARN] = "", [EXPECT_DROP_ROW] = " ON VIOLATION DROP ROW", [EXPECT_FAIL_UPDATE] = " ON VIOLATION FAIL UPDATE"};
        str_buf_printf(out, "%sCONSTRAINT ", comma);
        sql__spark_name(out, s->expectations[i].name);
        str_buf_puts(out, " EXPECT (");
        sql_print_spark_expr(out, s->expectations[i].condition);
        str_buf_printf(out, ")%s", actions[s->expectations[i].action]);
    }
    if (s->column_count || s->expectation_count)
        str_buf_putc(out, ')');
}

static void print_names(StrBuf *out, const char *words, const SqlName *names, int count)
{
    if (!count)
        return;
    str_buf_printf(out, " %s (", words);
    for (int i = 0; i < count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        sql__spark_qualified(out, names[i]);
    }
    str_buf_putc(out, ')');
}

static void print_text(StrBuf *out, const char *word, const char *text)
{
    if (text) {
        str_buf_printf(out, " %s ", word);
        sql__spark_string(out, str_of(text));
    }
}

static void print_dataset(StrBuf *out, const Statement *s)
{
    static const char *const kinds[] = {[STMT_CREATE_STREAMING_TABLE] = "STREAMING TABLE", [STMT_CREATE_MATERIALIZED_VIEW] = "MATERIALIZED VIEW",
                                        [STMT_CREATE_VIEW] = "VIEW", [STMT_CREATE_TEMPORARY_VIEW] = "TEMPORARY VIEW"};
    str_buf_printf(out, "CREATE %s%s%s%s ", s->or_refresh ? "OR REFRESH " : s->or_replace ? "OR REPLACE " : "", s->is_private ? "PRIVATE " : "", kinds[s->kind],
                   s->if_not_exists ? " IF NOT EXISTS" : "");
    sql__spark_qualified(out, s->name);
    print_columns(out, s);
    if (s->using_format) {
        str_buf_puts(out, " USING ");
        sql__spark_name(out, s->using_format);
    }
    print_names(out, "PARTITIONED BY", s->partition_by, s->partition_count);
    print_names(out, "CLUSTER BY", s->cluster_by, s->cluster_count);
    print_text(out, "COMMENT", s->comment);
    print_text(out, "LOCATION", s->location);
    if (s->property_count) {
        str_buf_puts(out, " TBLPROPERTIES ");
        sql__spark_options(out, s->properties, s->property_count);
    }
    if (s->query) {
        str_buf_puts(out, " AS ");
        sql_print_spark_query(out, s->query);
    }
}

static void print_flow(StrBuf *out, const Statement *s)
{
    str_buf_puts(out, "CREATE FLOW ");
    sql__spark_qualified(out, s->name);
    print_text(out, "COMMENT", s->comment);
    str_buf_puts(out, s->once ? " AS INSERT ONCE INTO " : " AS INSERT INTO ");
    sql__spark_qualified(out, s->target);
    str_buf_puts(out, " BY NAME ");
    sql_print_spark_query(out, s->query);
}

static void print_sink(StrBuf *out, const Statement *s)
{
    str_buf_printf(out, "CREATE %sSINK %s", s->or_refresh ? "OR REFRESH " : "", s->if_not_exists ? "IF NOT EXISTS " : "");
    sql__spark_qualified(out, s->name);
    str_buf_puts(out, " USING ");
    sql__spark_name(out, s->using_format);
    if (s->option_count) {
        str_buf_puts(out, " OPTIONS ");
        sql__spark_options(out, s->options, s->option_count);
    }
    print_text(out, "COMMENT", s->comment);
}

static void print_function(StrBuf *out, const Statement *s)
{
    const Routine *routine = s->routine;
    str_buf_printf(out, "CREATE %s%sFUNCTION %s", s->or_replace ? "OR REPLACE " : "", s->temporary ? "TEMPORARY " : "", s->if_not_exists ? "IF NOT EXISTS " : "");
    sql__spark_qualified(out, s->name);
    str_buf_putc(out, '(');
    for (int i = 0; i < routine->parameter_count; i++) {
        const Parameter *parameter = &routine->parameters[i];
        str_buf_puts(out, i ? ", " : "");
        sql__spark_name(out, parameter->name);
        str_buf_putc(out, ' ');
        sql__spark_type(out, parameter->type);
        if (parameter->fallback) {
            str_buf_puts(out, " DEFAULT ");
            sql_print_spark_expr(out, parameter->fallback);
        }
        print_text(out, "COMMENT", parameter->comment);
    }
    str_buf_putc(out, ')');
    if (routine->is_table) {
        str_buf_puts(out, " RETURNS TABLE");
        print_columns(out, s);
    } else if (routine->returns) {
        str_buf_puts(out, " RETURNS ");
        sql__spark_type(out, routine->returns);
    }
    if (routine->determinism_given)
        str_buf_puts(out, routine->deterministic ? " DETERMINISTIC" : " NOT DETERMINISTIC");
    if (routine->data_access)
        str_buf_printf(out, " %s", routine->data_access);
    print_text(out, "COMMENT", s->comment);
    str_buf_puts(out, " RETURN ");
    if (routine->body)
        sql_print_spark_expr(out, routine->body);
    else
        sql_print_spark_query(out, s->query);
}

static void print_variable_names(StrBuf *out, const VariableList *list)
{
    for (int i = 0; i < list->name_count; i++) {
        str_buf_puts(out, i ? ", " : "");
        sql__spark_qualified(out, list->names[i]);
    }
}

static void print_variables(StrBuf *out, const Statement *s)
{
    const VariableList *list = s->variables;
    switch (s->kind) {
    case STMT_DECLARE_VARIABLE:
        str_buf_printf(out, "DECLARE %sVARIABLE ", s->or_replace ? "OR REPLACE " : "");
        print_variable_names(out, list);
        if (list->type) {
            str_buf_putc(out, ' ');
            sql__spark_type(out, list->type);
        }
        if (list->value_count) {
            str_buf_puts(out, " DEFAULT ");
            sql_print_spark_expr(out, list->values[0]);
        }
        break;
    case STMT_SET_VARIABLE:
        str_buf_puts(out, s->query ? "SET VARIABLE (" : "SET VARIABLE ");
        for (int i = 0; i < list->value_count; i++) {
            str_buf_puts(out, i ? ", " : "");
            sql__spark_qualified(out, list->names[i]);
            str_buf_puts(out, " = ");
            sql_print_spark_expr(out, list->values[i]);
        }
        if (s->query) {
            print_variable_names(out, list);
            str_buf_puts(out, ") = (");
            sql_print_spark_query(out, s->query);
            str_buf_putc(out, ')');
        }
        break;
    case STMT_DROP_VARIABLE:
        str_buf_printf(out, "DROP %sVARIABLE %s", s->temporary ? "TEMPORARY " : "", s->if_exists ? "IF EXISTS " : "");
        print_variable_names(out, list);
        break;
    default:
        str_buf_puts(out, "EXECUTE IMMEDIATE ");
        sql_print_spark_expr(out, list->values[0]);
        str_buf_puts(out, list->name_count ? " INTO " : "");
        print_variable_names(out, list);
    }
}

void sql_print_spark_statement(StrBuf *out, const Statement *s)
{
    switch (s->kind) {
    case STMT_QUERY:
        sql_print_spark_query(out, s->query);
        break;
    case STMT_EXPLAIN:
        str_buf_printf(out, "EXPLAIN %s%s", s->what, *s->what ? " " : "");
        sql_print_spark_query(out, s->query);
        break;
    case STMT_CREATE_STREAMING_TABLE:
    case STMT_CREATE_MATERIALIZED_VIEW:
    case STMT_CREATE_VIEW:
    case STMT_CREATE_TEMPORARY_VIEW:
        print_dataset(out, s);
        break;
    case STMT_CREATE_FLOW:
        print_flow(out, s);
        break;
    case STMT_CREATE_SINK:
        print_sink(out, s);
        break;
    case STMT_SET:
        str_buf_puts(out, s->set_verbose ? "SET -v" : s->name.count ? "SET " : "SET");
        if (s->name.count)
            sql__spark_name(out, s->name.parts[0]);
        if (s->set_value) {
            str_buf_puts(out, " = ");
            sql__spark_string(out, str_of(s->set_value));
        }
        break;
    case STMT_RESET:
        str_buf_puts(out, s->name.count ? "RESET " : "RESET");
        if (s->name.count)
            sql__spark_name(out, s->name.parts[0]);
        break;
    case STMT_CREATE_FUNCTION:
        print_function(out, s);
        break;
    case STMT_DROP_FUNCTION:
        str_buf_printf(out, "DROP %sFUNCTION %s", s->temporary ? "TEMPORARY " : "", s->if_exists ? "IF EXISTS " : "");
        sql__spark_qualified(out, s->name);
        break;
    case STMT_DECLARE_VARIABLE:
    case STMT_SET_VARIABLE:
    case STMT_DROP_VARIABLE:
    case STMT_EXECUTE:
        print_variables(out, s);
        break;
    case STMT_USE:
        str_buf_puts(out, s->use_catalog ? "USE CATALOG " : "USE ");
        sql__spark_qualified(out, s->name);
        break;
    case STMT_COPY: /* Databricks', not Spark's: there is no one spelling to print */
    case STMT_CREATE_TABLE:
    case STMT_INSERT:
    case STMT_ALTER: /* no part of a project: nobody prints them */
    case STMT_OTHER:
        str_buf_str(out, s->text);
        break;
    }
}
