/* sql/value.c - a value of a result as an expression that computes it again, exactly */
#include "sql/analyze.h"
#include "duck/print.h"

static Expr *literal(Analyzer *a, const Type *type, SiltPos pos)
{
    Expr *e = ARENA_NEW(a->arena, Expr);

    *e = (Expr){.kind = EXPR_LITERAL, .pos = pos, .type = type, .constant = true, .deterministic = true};
    return e;
}

static Expr *null_of(Analyzer *a, const Type *type, SiltPos pos)
{
    Expr *e = sql__null(a, pos);

    sql__cast(a, &e, type);
    return e;
}

static int64_t whole(const Column *column, uint64_t row)
{
    switch (column->type->kind) {
    case TYPE_BOOLEAN:
    case TYPE_BYTE:
        return ((const int8_t *)column->data)[row];
    case TYPE_SHORT:
        return ((const int16_t *)column->data)[row];
    case TYPE_INT:
    case TYPE_DATE:
    case TYPE_INTERVAL_YM:
        return ((const int32_t *)column->data)[row];
    default:
        return ((const int64_t *)column->data)[row];
    }
}

static Expr *value(Analyzer *a, const Column *column, uint64_t row, SiltPos pos);

/* array(..), map(..), named_struct(..) of these arguments, with exactly this type. */
static Expr *build(Analyzer *a, const char *name, Expr **args, int count, const Type *type, SiltPos pos)
{
    Scope nothing = {0};
    Expr *call = sql__call_new(a, pos, name, count);

    for (int i = 0; i < count; i++)
        call->args[i] = args[i];
    sql__expr(a, &nothing, &call);
    sql__cast(a, &call, type);
    return call;
}

static Expr *container(Analyzer *a, const Column *column, uint64_t row, SiltPos pos)
{
    const Type *type = type_copy(a->arena, column->type);
    bool is_struct = type->kind == TYPE_STRUCT, is_map = type->kind == TYPE_MAP;
    ChunkList list = is_struct ? (ChunkList){row, 1} : ((const ChunkList *)column->data)[row];
    int columns = is_struct ? type->field_count : 1, each = is_struct || is_map ? 2 : 1, count = 0;
    Expr **args = ARENA_ARRAY(a->arena, Expr *, (uint64_t)columns * (uint64_t)each * list.length + 1);

    for (uint64_t i = list.offset; i < list.offset + list.length; i++)
        for (int c = 0; c < columns; c++) {
            if (is_struct)
                args[count++] = sql__literal_text(a, pos, type->fields[c].name);
            if (is_map)
                args[count++] = value(a, &column->children[0], i, pos);
            args[count++] = value(a, &column->children[is_map ? 1 : c], i, pos);
        }
    return build(a, is_struct ? "named_struct" : is_map ? "map" : "array", args, count, type, pos);
}

static Expr *value(Analyzer *a, const Column *column, uint64_t row, SiltPos pos)
{
    const Type *type = type_copy(a->arena, column->type); /* the result's dies with it */
    silt_auto(str_buf_fini) StrBuf digits = {0};
    Expr *e;

    if (type->kind == TYPE_VOID || column_is_null(column, row))
        return type->kind == TYPE_VOID ? sql__null(a, pos) : null_of(a, type, pos);
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP || type->kind == TYPE_STRUCT)
        return container(a, column, row, pos);
    e = literal(a, type, pos);
    switch (type->kind) {
    case TYPE_STRING:
    case TYPE_BINARY:
        e->literal = arena_str(a->arena, chunk_string(&((const ChunkString *)column->data)[row]));
        break;
    case TYPE_DECIMAL:
        print_decimal(&digits, decimal_value(column, row), type->scale);
        e->literal = arena_str(a->arena, str_buf_view(&digits));
        break;
    case TYPE_FLOAT:
        e->literal_double = ((const float *)column->data)[row];
        break;
    case TYPE_DOUBLE:
        e->literal_double = ((const double *)column->data)[row];
        break;
    default:
        e->literal_int = whole(column, row);
    }
    return e;
}

static bool can_hold(const Type *type)
{
    switch (type->kind) {
    case TYPE_VARIANT:
    case TYPE_INTERVAL:
        return false;
    case TYPE_ARRAY:
        return can_hold(type->element);
    case TYPE_MAP:
        return can_hold(type->key) && can_hold(type->element);
    case TYPE_STRUCT:
        for (int i = 0; i < type->field_count; i++)
            if (!can_hold(type->fields[i].type))
                return false;
        return true;
    default:
        return true;
    }
}

int sql_value_expr(Arena *arena, const Column *column, uint64_t row, SiltPos pos, Expr **out, SiltErr *err)
{
    SqlErrors errors = {.arena = arena};
    SqlSettings settings = {.time_zone = "UTC", .ansi = true};
    Analyzer a = {.arena = arena, .settings = &settings, .errors = &errors};

    if (!can_hold(column->type)) {
        silt_fail_at(err, SILT_CONFIG, pos, "cannot keep a value of type %s in a variable", sql__type_name(&a, column->type));
        return silt_code(err, "UNSUPPORTED_FEATURE");
    }
    *out = value(&a, column, row, pos);
    silt_assert(!errors.count && (*out)->type);
    return 0;
}
