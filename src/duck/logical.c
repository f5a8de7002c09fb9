/* duck/logical.c - our types as DuckDB's logical types, and back */
#include "duck/internal.h"

#include <stdlib.h>
#include <string.h>

static duckdb_logical_type struct_logical_type(const Type *type)
{
    silt_assert(type->field_count > 0); /* DuckDB has no empty struct */
    size_t count = (size_t)type->field_count;
    duckdb_logical_type *types = silt_alloc(count * sizeof *types);
    const char **names = silt_alloc(count * sizeof *names);
    for (int i = 0; i < type->field_count; i++) {
        types[i] = duck__logical_type(type->fields[i].type);
        names[i] = type->fields[i].name;
    }
    duckdb_logical_type logical = duckdb_create_struct_type(types, names, count);
    for (int i = 0; i < type->field_count; i++)
        duckdb_destroy_logical_type(&types[i]);
    free(types);
    free(names);
    return logical;
}

static const TypeField variant_fields[2] = {
    {.name = "metadata", .type = &(const Type){.kind = TYPE_BINARY}},
    {.name = "value", .type = &(const Type){.kind = TYPE_BINARY}},
};
static const Type variant_type = {.kind = TYPE_STRUCT, .fields = variant_fields, .field_count = 2};

static const duckdb_type plain_ids[TYPE_STRUCT + 1] = {
    [TYPE_VOID] = DUCKDB_TYPE_SQLNULL,
    [TYPE_BOOLEAN] = DUCKDB_TYPE_BOOLEAN,
    [TYPE_BYTE] = DUCKDB_TYPE_TINYINT,
    [TYPE_SHORT] = DUCKDB_TYPE_SMALLINT,
    [TYPE_INT] = DUCKDB_TYPE_INTEGER,
    [TYPE_LONG] = DUCKDB_TYPE_BIGINT,
    [TYPE_FLOAT] = DUCKDB_TYPE_FLOAT,
    [TYPE_DOUBLE] = DUCKDB_TYPE_DOUBLE,
    [TYPE_STRING] = DUCKDB_TYPE_VARCHAR,
    [TYPE_BINARY] = DUCKDB_TYPE_BLOB,
    [TYPE_DATE] = DUCKDB_TYPE_DATE,
    [TYPE_TIMESTAMP] = DUCKDB_TYPE_TIMESTAMP_TZ,
    [TYPE_TIMESTAMP_NTZ] = DUCKDB_TYPE_TIMESTAMP,
    [TYPE_TIME] = DUCKDB_TYPE_TIME,
    [TYPE_INTERVAL_YM] = DUCKDB_TYPE_INTEGER,
    [TYPE_INTERVAL_DT] = DUCKDB_TYPE_BIGINT,
    [TYPE_INTERVAL] = DUCKDB_TYPE_INTERVAL,
};

duckdb_logical_type duck__logical_type(const Type *type)
{
    switch (type->kind) {
    case TYPE_DECIMAL:
        return duckdb_create_decimal_type(type->precision, type->scale);
    case TYPE_ARRAY: {
        duckdb_logical_type element = duck__logical_type(type->element);
        duckdb_logical_type logical = duckdb_create_list_type(element);
        duckdb_destroy_logical_type(&element);
        return logical;
    }
    case TYPE_MAP: {
        duckdb_logical_type key = duck__logical_type(type->key), value = duck__logical_type(type->element);
        duckdb_logical_type logical = duckdb_create_map_type(key, value);
        duckdb_destroy_logical_type(&key);
        duckdb_destroy_logical_type(&value);
        return logical;
    }
    case TYPE_STRUCT:
        return struct_logical_type(type);
    case TYPE_VARIANT:
        return struct_logical_type(&variant_type);
    default:
        return duckdb_create_logical_type(plain_ids[type->kind]);
    }
}

static const char *foreign_name(duckdb_type id)
{
    static const struct {
        duckdb_type id;
        const char *name;
    } names[] = {
        {DUCKDB_TYPE_HUGEINT, "HUGEINT"},
        {DUCKDB_TYPE_UHUGEINT, "UHUGEINT"},
        {DUCKDB_TYPE_UTINYINT, "UTINYINT"},
        {DUCKDB_TYPE_USMALLINT, "USMALLINT"},
        {DUCKDB_TYPE_UINTEGER, "UINTEGER"},
        {DUCKDB_TYPE_UBIGINT, "UBIGINT"},
        {DUCKDB_TYPE_TIMESTAMP_S, "TIMESTAMP_S"},
        {DUCKDB_TYPE_TIMESTAMP_MS, "TIMESTAMP_MS"},
        {DUCKDB_TYPE_TIMESTAMP_NS, "TIMESTAMP_NS"},
        {DUCKDB_TYPE_ENUM, "ENUM"},
        {DUCKDB_TYPE_UUID, "UUID"},
        {DUCKDB_TYPE_UNION, "UNION"},
        {DUCKDB_TYPE_BIT, "BIT"},
        {DUCKDB_TYPE_TIME_TZ, "TIME WITH TIME ZONE"},
        {DUCKDB_TYPE_ARRAY, "ARRAY of fixed size"},
        {DUCKDB_TYPE_BIGNUM, "BIGNUM"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].id == id)
            return names[i].name;
    return "another type of DuckDB";
}

static const Type *struct_from_logical(Arena *arena, duckdb_logical_type logical, const char **name)
{
    int count = (int)duckdb_struct_type_child_count(logical);
    TypeField *fields = ARENA_ARRAY(arena, TypeField, count);
    for (int i = 0; i < count; i++) {
        duckdb_logical_type child = duckdb_struct_type_child_type(logical, (idx_t)i);
        char *child_name = duckdb_struct_type_child_name(logical, (idx_t)i);
        fields[i] =
            (TypeField){.name = arena_strdup(arena, child_name), .type = duck__type_from_logical(arena, child, name), .nullable = true};
        duckdb_free(child_name);
        duckdb_destroy_logical_type(&child);
        if (!fields[i].type)
            return NULL;
    }
    return type_struct(arena, fields, count);
}

const Type *duck__type_from_logical(Arena *arena, duckdb_logical_type logical, const char **name)
{
    duckdb_type id = duckdb_get_type_id(logical);
    switch (id) {
    case DUCKDB_TYPE_DECIMAL:
        return type_decimal(duckdb_decimal_width(logical), duckdb_decimal_scale(logical));
    case DUCKDB_TYPE_LIST: {
        duckdb_logical_type child = duckdb_list_type_child_type(logical);
        const Type *element = duck__type_from_logical(arena, child, name);
        duckdb_destroy_logical_type(&child);
        return element ? type_array(arena, element, true) : NULL;
    }
    case DUCKDB_TYPE_MAP: {
        duckdb_logical_type child = duckdb_map_type_key_type(logical);
        const Type *key = duck__type_from_logical(arena, child, name);
        duckdb_destroy_logical_type(&child);
        child = duckdb_map_type_value_type(logical);
        const Type *value = key ? duck__type_from_logical(arena, child, name) : NULL;
        duckdb_destroy_logical_type(&child);
        return value ? type_map(arena, key, value, true) : NULL;
    }
    case DUCKDB_TYPE_STRUCT:
        return struct_from_logical(arena, logical, name);
    default:
        for (int kind = 0; kind <= TYPE_TIME; kind++)
            if (plain_ids[kind] == id && kind != TYPE_DECIMAL)
                return type_simple((TypeKind)kind);
        if (id == DUCKDB_TYPE_INTERVAL)
            return type_simple(TYPE_INTERVAL);
        *name = foreign_name(id);
        return NULL;
    }
}

/* What a type is stored as: the type that duck__type_from_logical would give for it. */
static const Type *stored_as(const Type *type)
{
    switch (type->kind) {
    case TYPE_INTERVAL_YM:
        return type_simple(TYPE_INT);
    case TYPE_INTERVAL_DT:
        return type_simple(TYPE_LONG);
    case TYPE_VARIANT:
        return &variant_type;
    default:
        return type;
    }
}

bool duck__type_fits(const Type *type, const Type *from_duck)
{
    const Type *a = stored_as(type), *b = stored_as(from_duck);
    if (a->kind == TYPE_VOID) /* DuckDB gives a result column of NULLs the type INTEGER */
        return b->kind == TYPE_VOID || b->kind == TYPE_INT;
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case TYPE_DECIMAL:
        return a->precision == b->precision && a->scale == b->scale;
    case TYPE_ARRAY:
        return duck__type_fits(a->element, b->element);
    case TYPE_MAP:
        return duck__type_fits(a->key, b->key) && duck__type_fits(a->element, b->element);
    case TYPE_STRUCT:
        if (a->field_count != b->field_count)
            return false;
        for (int i = 0; i < a->field_count; i++)
            if (!duck__type_fits(a->fields[i].type, b->fields[i].type))
                return false;
        return true;
    default:
        return true;
    }
}

bool duck__same_names(const Type *a, const Type *b)
{
    switch (a->kind) {
    case TYPE_ARRAY:
        return duck__same_names(a->element, b->element);
    case TYPE_MAP:
        return duck__same_names(a->key, b->key) && duck__same_names(a->element, b->element);
    case TYPE_STRUCT:
        for (int i = 0; i < a->field_count; i++)
            if (strcmp(a->fields[i].name, b->fields[i].name) != 0 || !duck__same_names(a->fields[i].type, b->fields[i].type))
                return false;
        return true;
    default:
        return true;
    }
}
