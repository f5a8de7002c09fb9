/*
 * duck/extension.c - calls of the program's own functions: arguments go out as Arrow arrays, an array comes back
 *
 * The function sees rows with NULL arguments too. It counts as one that may fail, so that DuckDB does not run it on rows that WHERE or CASE
 * leaves out, nor folds it.
 */
#include "duck/extension.h"

#include "duck/arrow.h"

static int call_extension(FnCall *call, const Column *args, Column *out, int rows)
{
    const SiltFunction *function = call->function->self;
    struct ArrowArray arguments, result = {0};
    char message[SILT_MESSAGE_SIZE] = "";
    SiltErr err;

    if (arrow_export_columns(args, call->arg_count, rows, &arguments, &err) < 0)
        return fn_fail(call, 0, "FAILED_EXECUTE_UDF", "function \"%s\" cannot be called: %s", function->name, err.message);
    SiltStatus status = function->call(function->self, &arguments, &result, message);
    arrow_release_array(&arguments);
    message[SILT_MESSAGE_SIZE - 1] = 0;
    if (status != SILT_DONE)
        return fn_fail(call, 0, "FAILED_EXECUTE_UDF", "function \"%s\" failed: %s", function->name, *message ? message : "it does not say why");
    if (!result.release)
        return fn_fail(call, 0, "FAILED_EXECUTE_UDF", "function \"%s\" gave no result", function->name);
    int r = arrow_import_column(&result, out, rows, &err);
    arrow_release_array(&result);
    return r < 0 ? fn_fail(call, 0, "FAILED_EXECUTE_UDF", "result of function \"%s\": %s", function->name, err.message) : 0;
}

const DuckFunction *duck_extension_function(Arena *arena, const SiltFunction *function)
{
    DuckFunction *row = ARENA_NEW(arena, DuckFunction);
    silt_auto(str_buf_fini) StrBuf arguments = {0};

    for (int i = 0; i < function->argument_count; i++)
        str_buf_printf(&arguments, "%s%s", i ? ", " : "", function->argument_types[i]);
    *row = (DuckFunction){
        .name = arena_printf(arena, "silt_ext_%s", function->name),
        .args = arena_strdup(arena, str_buf_text(&arguments)),
        .result = function->result_type,
        .flags = FN_NULLS | FN_FAILS,
        .eval = call_extension,
        .self = function,
    };
    return row;
}
