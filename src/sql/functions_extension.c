/* sql/functions_extension.c - functions of the program that Silt is a part of: their types are given, not written in a signature */
#include "sql/functions.h"

static const Type *extension_type(SqlCall *call)
{
    const SqlFunction *function = call->expr->function;
    const SqlExtensionTypes *types = function->extension;

    if (call->expr->arg_count != types->argument_count)
        return sql_call_fail(call, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "%s takes %d argument%s, not %d", function->name, types->argument_count,
                             types->argument_count == 1 ? "" : "s", call->expr->arg_count);
    for (int i = 0; i < types->argument_count; i++)
        if (!sql_call_cast(call, i, types->arguments[i]))
            return NULL;
    return types->result;
}

static void print_extension(StrBuf *out, const Expr *call)
{
    str_buf_printf(out, "silt_ext_%s(", call->function->name);
    for (int i = 0; i < call->arg_count; i++) {
        sql_duck_expr(out, call->args[i]);
        str_buf_puts(out, ", ");
    }
    sql_duck_pos(out, call->pos);
    str_buf_putc(out, ')');
}

SqlFunction sql_function_extension(const char *name, const SqlExtensionTypes *types, bool random)
{
    return (SqlFunction){
        .name = name,
        .flags = FN_MAY_FAIL | FN_NULLABLE | (random ? FN_RANDOM : 0),
        .rule = extension_type,
        .print = print_extension,
        .extension = types,
    };
}
