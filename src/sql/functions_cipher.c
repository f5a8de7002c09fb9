/* sql/functions_cipher.c - aes_encrypt and aes_decrypt */
#include <string.h>

#include "sql/analyze.h"

/* Without a vector the modes CBC and GCM take a random one: another value at each call. */
static const Type *encrypt_type(SqlCall *call)
{
    Expr *e = call->expr;
    const char *mode = e->arg_count > 2 ? sql_constant_text(call->analyzer, e->args[2]) : NULL;
    const char *given = e->arg_count > 4 && e->args[4]->kind == EXPR_CAST ? sql_constant_text(call->analyzer, e->args[4]->args[0]) : NULL;
    bool vector = e->arg_count > 4 && !(given && !*given);

    if (!vector && !(mode && !strcasecmp(mode, "ECB"))) {
        e->deterministic = false;
        e->constant = false;
    }
    return type_simple(TYPE_BINARY);
}

/* What was left out: GCM, the padding that goes with the mode, no vector, no data. */
static void cipher_print(StrBuf *out, const Expr *call)
{
    static const char *const defaults[] = {NULL, NULL, "'GCM'", "'DEFAULT'", "CAST('' AS BLOB)", "CAST('' AS BLOB)"};
    int count = !strcmp(call->function->name, "aes_encrypt") ? 6 : 5;

    str_buf_printf(out, "silt_%s(", call->function->name);
    for (int i = 0; i < count; i++) {
        str_buf_puts(out, i ? ", " : "");
        if (i < call->arg_count)
            sql_duck_expr(out, call->args[i]);
        else
            str_buf_puts(out, defaults[i]);
    }
    sql_duck_template(out, call->function->flags & FN_MAY_FAIL ? ", $pos)" : ")", call);
}

const SqlFunction sql_functions_cipher[] = {
    {"aes_encrypt", "binary, binary [, string, string, binary, binary] ->", NULL, FN_MAY_FAIL, encrypt_type, cipher_print},
    {"aes_decrypt", "binary, binary [, string, string, binary] -> binary", NULL, FN_MAY_FAIL, NULL, cipher_print},
    {"try_aes_decrypt", "binary, binary [, string, string, binary] -> binary", NULL, FN_NULLABLE, NULL, cipher_print},
    {NULL},
};
