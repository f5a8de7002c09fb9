/* sql/functions_protobuf.c - from_protobuf */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "duck/protobuf.h"
#include "sql/analyze.h"
#include "sql/constant.h"

typedef struct ProtobufCall {
    int set; /* its number in this process */
    const char *message;
    ProtoOptions options;
    bool permissive;
} ProtobufCall;

static bool is_null(const Expr *e)
{
    while (e->kind == EXPR_CAST && e->implicit)
        e = e->args[0];
    return e->type && e->type->kind == TYPE_VOID;
}

/* Record a failure at an argument. */
static void fail_at_argument(SqlCall *call, const Expr *argument, const SiltErr *err)
{
    SiltErr placed = *err;

    if (!placed.line)
        silt_place(&placed, argument->pos);
    sql_errors_add(call->analyzer->errors, &placed);
}

/* ---- options ---- */

static bool take_bool(SqlCall *call, const char *key, const char *value, bool *out)
{
    *out = !strcasecmp(value, "true");
    if (*out || !strcasecmp(value, "false"))
        return true;
    sql_call_fail(call, "INVALID_OPTIONS.NON_STRING_TYPE", "%s of %s is true or false, not \"%s\"", key, call->expr->function->name, value);
    return false;
}

static bool take_option(SqlCall *call, ProtobufCall *o, const char *key, const char *value)
{
    const struct {
        const char *name;
        bool *out;
    } flags[] = {
        {"emit.default.values", &o->options.emit_defaults},          {"enums.as.ints", &o->options.enums_as_ints},
        {"upcast.unsigned.ints", &o->options.upcast_unsigned},       {"unwrap.primitive.wrapper.types", &o->options.unwrap_wrappers},
        {"retain.empty.message.types", &o->options.retain_empty},
    };
    const char *name = call->expr->function->name;
    char *end;
    bool refused;

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcasecmp(key, flags[i].name))
            return take_bool(call, key, value, flags[i].out);
    if (!strcasecmp(key, "mode")) {
        o->permissive = strcasecmp(value, "FAILFAST") && strcasecmp(value, "DROPMALFORMED"); /* which any other word is for Spark */
        if (strcasecmp(value, "DROPMALFORMED"))
            return true;
        sql_call_fail(call, "PARSE_MODE_UNSUPPORTED", "%s does not know the mode DROPMALFORMED: it is PERMISSIVE or FAILFAST", name);
        return false;
    }
    if (!strcasecmp(key, "recursive.fields.max.depth")) {
        long depth = strtol(value, &end, 10);
        o->options.depth_max = depth < 1 || depth > 10 ? -1 : (int)depth; /* recursion is refused, as in Spark */
        if (*value && !*end)
            return true;
        sql_call_fail(call, "INVALID_OPTIONS.NON_STRING_TYPE", "recursive.fields.max.depth of %s is a number, not \"%s\"", name, value);
        return false;
    }
    if (!strcasecmp(key, "convert.any.fields.to.json") && take_bool(call, key, value, &refused) && !refused)
        return true;
    sql_call_fail(call, "UNSUPPORTED_FEATURE", "%s does not know the option %s = \"%s\"", name, key, value);
    return false;
}

/* ---- descriptors ---- */

/* The bytes of a constant: a file's, by its path, or what a BINARY holds. False with an error recorded. */
static bool take_descriptors(SqlCall *call, const Expr *argument, Str *out)
{
    const SqlCatalog *catalog = call->analyzer->catalog;
    const char *name = call->expr->function->name;
    SiltErr err = {0};

    if (argument->type && argument->type->kind == TYPE_BINARY) {
        Constant constant = sql__constant(call->analyzer, argument);
        if (constant.kind == CONSTANT_BYTES) {
            *out = constant.text;
            return true;
        }
    }
    const char *path = argument->type && argument->type->kind == TYPE_STRING ? sql_constant_text(call->analyzer, argument) : NULL;
    if (!path) {
        sql_call_fail(call, "DATATYPE_MISMATCH.TYPE_CHECK_FAILURE", "the third argument of %s must be a constant: the path of a descriptor file, or its bytes", name);
        return false;
    }
    if (!catalog || !catalog->file) {
        sql_call_fail(call, "PROTOBUF_DESCRIPTOR_FILE_NOT_FOUND", "there are no files here");
        return false;
    }
    if (catalog->file(catalog->self, sql_call_arena(call), path, out, &err) == 0)
        return true;
    silt_code(&err, "PROTOBUF_DESCRIPTOR_FILE_NOT_FOUND");
    fail_at_argument(call, argument, &err);
    return false;
}

/* What the arguments behind the value say. NULL with an error recorded. */
static const ProtoMessage *take_message(SqlCall *call, ProtobufCall *o)
{
    Expr *e = call->expr;
    const Expr *map = NULL;
    const ProtoSet *set;
    SiltErr err = {0};
    Str bytes;

    o->message = sql_constant_text(call->analyzer, e->args[1]);
    if (!o->message) {
        sql_call_fail(call, "DATATYPE_MISMATCH.TYPE_CHECK_FAILURE", "the second argument of %s must be a constant string, the name of a message", e->function->name);
        return NULL;
    }
    if (e->arg_count > 3 && is_null(e->args[3]))
        e->arg_count = 3;
    if (!take_descriptors(call, e->args[2], &bytes) || !sql_call_options(call, 3, &map))
        return NULL;
    for (int i = 0; map && i + 1 < map->arg_count; i += 2) {
        const char *key, *value;
        if (!sql_call_option(call, map, i, &key, &value) || !take_option(call, o, key, value))
            return NULL;
    }
    if (call->analyzer->catalog && call->analyzer->catalog->depends)
        call->analyzer->catalog->depends(call->analyzer->catalog->self, bytes);
    if (proto_set_open(bytes, &set, &err) < 0) {
        fail_at_argument(call, e->args[2], &err);
        return NULL;
    }
    const ProtoMessage *message = proto_set_find(set, o->message);
    if (!message)
        sql_call_fail(call, "PROTOBUF_MESSAGE_NOT_FOUND", "the descriptors have no message \"%s\"", o->message);
    o->set = set->number;
    return message;
}

/* ---- from_protobuf ---- */

static const Type *from_protobuf_type(SqlCall *call)
{
    ProtobufCall *o = ARENA_NEW(sql_call_arena(call), ProtobufCall);
    Expr *e = call->expr;
    const ProtoPlan *plan;
    SiltErr err = {0};

    *o = (ProtobufCall){.options.depth_max = -1};
    const ProtoMessage *message = take_message(call, o);
    if (!message)
        return NULL;
    if (proto_plan(sql_call_arena(call), message, &o->options, &plan, &err) < 0) {
        fail_at_argument(call, e, &err);
        return NULL;
    }
    e->arg_count = 1;
    e->extra = o;
    e->nullable = true;
    return o->permissive ? type_copy_nullable(sql_call_arena(call), plan->type) : plan->type;
}

static void from_protobuf_print(StrBuf *out, const Expr *call)
{
    const ProtobufCall *o = call->extra;

    sql_duck_template(out, "\"silt_from_protobuf:$T\"($1", call);
    str_buf_printf(out, ", %d, ", o->set);
    sql_duck_text(out, str_of(o->message));
    str_buf_printf(out, ", %lld, %s", (long long)proto_options_pack(&o->options), o->permissive ? "true" : "false");
    sql_duck_template(out, ", $pos)", call);
}

const SqlFunction sql_functions_protobuf[] = {
    {"from_protobuf", "binary, string, any [, any] ->", NULL, FN_MAY_FAIL | FN_NULLABLE, from_protobuf_type, from_protobuf_print},
    {NULL},
};
