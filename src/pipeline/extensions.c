/* pipeline/extensions.c - functions of the program that Silt is a part of, for the analyzer and for the engine */
#include "pipeline/extensions.h"

#include "duck/extension.h"

static const Type *type_of(Arena *arena, const char *text)
{
    const Type *type = NULL;
    SiltErr err;

    int r = type_parse_ddl(arena, str_of(text), true, &type, &err);
    silt_assert(r == 0); /* checked when it was added */
    return type;
}

ExtensionFunctions extensions_functions(Arena *arena, const PipelineExtensions *extensions)
{
    SqlFunction *sql = ARENA_ARRAY(arena, SqlFunction, extensions->function_count + 1);
    const DuckFunction **duck = ARENA_ARRAY(arena, const DuckFunction *, extensions->function_count + 1);

    for (int i = 0; i < extensions->function_count; i++) {
        const SiltFunction *function = extensions->functions[i];
        SqlExtensionTypes *types = ARENA_NEW(arena, SqlExtensionTypes);
        const Type **arguments = ARENA_ARRAY(arena, const Type *, function->argument_count + 1);
        for (int j = 0; j < function->argument_count; j++)
            arguments[j] = type_of(arena, function->argument_types[j]);
        *types = (SqlExtensionTypes){arguments, function->argument_count, type_of(arena, function->result_type)};
        sql[i] = sql_function_extension(function->name, types, function->random);
        duck[i] = duck_extension_function(arena, function);
    }
    return (ExtensionFunctions){sql, duck};
}
