/*
 * duck/type_json.c - schemas as Spark and Delta write them in JSON
 *
 * A primitive is a string ("long", "decimal(10,2)"), the rest are objects. A field's metadata object is kept as text, but for
 * "comment", which is a member of TypeField; it is written first again.
 */
#include "base/json.h"
#include "duck/type.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    TypeKind kind;
} json_names[] = {
    {"void", TYPE_VOID},
    {"boolean", TYPE_BOOLEAN},
    {"byte", TYPE_BYTE},
    {"short", TYPE_SHORT},
    {"integer", TYPE_INT},
    {"long", TYPE_LONG},
    {"float", TYPE_FLOAT},
    {"double", TYPE_DOUBLE},
    {"string", TYPE_STRING},
    {"binary", TYPE_BINARY},
    {"date", TYPE_DATE},
    {"timestamp", TYPE_TIMESTAMP},
    {"timestamp_ntz", TYPE_TIMESTAMP_NTZ},
    {"interval", TYPE_INTERVAL},
    {"variant", TYPE_VARIANT},
    {"null", TYPE_VOID}, /* read only: older names */
    {"calendarinterval", TYPE_INTERVAL},
    {"timestamp_ltz", TYPE_TIMESTAMP},
};
enum { JSON_NAME_COUNT = sizeof json_names / sizeof *json_names };

static int fail_name(Str name, SiltErr *err)
{
    silt_fail(err, SILT_CONFIG, "data type \"%.*s\" in a schema is not supported", (int)(name.size < 120 ? name.size : 120), name.ptr);
    return silt_code(err, "UNSUPPORTED_DATATYPE");
}

static int primitive_from_json(Arena *arena, Str name, const Type **out, SiltErr *err)
{
    for (int i = 0; i < JSON_NAME_COUNT; i++)
        if (str_is(name, json_names[i].name)) {
            *out = type_simple(json_names[i].kind);
            return 0;
        }
    /* What has parameters is written as in DDL. */
    static const char *const with_parameters[] = {"decimal", "interval ", "time(", "char(", "varchar("};
    for (size_t i = 0; i < sizeof with_parameters / sizeof *with_parameters; i++)
        if (str_starts(name, with_parameters[i])) {
            SiltErr inner;
            const Type *type;
            if (type_parse_ddl(arena, name, true, &type, &inner) < 0 || type->kind == TYPE_STRUCT)
                return fail_name(name, err);
            *out = type;
            return 0;
        }
    return fail_name(name, err);
}

static int from_json(Arena *arena, const Json *json, const Type **out, SiltErr *err);

static int fail_shape(const char *what, SiltErr *err)
{
    return silt_fail(err, SILT_INPUT, "the schema is malformed: %s", what);
}

static int field_from_json(Arena *arena, const Json *json, TypeField *field, SiltErr *err)
{
    *field = (TypeField){.nullable = json_bool(json_get(json, "nullable"), true)};
    field->name = json_cstr(json_get(json, "name"), NULL);
    if (!field->name)
        return fail_shape("a field has no name", err);
    SILT_TRY(from_json(arena, json_get(json, "type"), &field->type, err));

    const Json *metadata = json_get(json, "metadata");
    silt_auto(str_buf_fini) StrBuf rest = {0};
    JsonWriter w = {.out = &rest};
    int kept = 0;
    json_object(&w);
    for (int i = 0; i < json_size(metadata); i++) {
        Str key = json_member_key(metadata, i);
        const Json *value = json_member_value(metadata, i);
        if (str_is(key, "comment") && json_kind(value) == JSON_STRING) {
            field->comment = json_cstr(value, NULL);
            continue;
        }
        silt_auto(str_buf_fini) StrBuf text = {0};
        json_put(&text, value);
        json_key_str(&w, key);
        json_raw(&w, str_buf_view(&text));
        kept++;
    }
    json_object_end(&w);
    if (kept)
        field->metadata_json = arena_strdup(arena, str_buf_text(&rest));
    return 0;
}

static int struct_from_json(Arena *arena, const Json *json, const Type **out, SiltErr *err)
{
    const Json *list = json_get(json, "fields");
    if (json_kind(list) != JSON_ARRAY)
        return fail_shape("a struct has no fields", err);
    int count = json_size(list);
    TypeField *fields = ARENA_ARRAY(arena, TypeField, count);
    for (int i = 0; i < count; i++)
        SILT_TRY(field_from_json(arena, json_at(list, i), &fields[i], err));
    *out = type_struct(arena, fields, count);
    return 0;
}

static int from_json(Arena *arena, const Json *json, const Type **out, SiltErr *err)
{
    if (json_kind(json) == JSON_STRING)
        return primitive_from_json(arena, json_str(json, ""), out, err);
    if (json_kind(json) != JSON_OBJECT)
        return fail_shape("a type is neither a name nor an object", err);
    Str kind = json_str(json_get(json, "type"), "");
    if (str_is(kind, "struct"))
        return struct_from_json(arena, json, out, err);
    if (str_is(kind, "array")) {
        const Type *element;
        SILT_TRY(from_json(arena, json_get(json, "elementType"), &element, err));
        *out = type_array(arena, element, json_bool(json_get(json, "containsNull"), true));
        return 0;
    }
    if (str_is(kind, "map")) {
        const Type *key, *value;
        SILT_TRY(from_json(arena, json_get(json, "keyType"), &key, err));
        SILT_TRY(from_json(arena, json_get(json, "valueType"), &value, err));
        *out = type_map(arena, key, value, json_bool(json_get(json, "valueContainsNull"), true));
        return 0;
    }
    if (str_is(kind, "udt"))
        return from_json(arena, json_get(json, "sqlType"), out, err);
    return fail_name(kind, err);
}

int type_from_json(Arena *arena, Str text, const Type **out, SiltErr *err)
{
    const Json *json;
    SILT_TRY(json_parse(arena, text, &json, err));
    return from_json(arena, json, out, err);
}

static void put_type(JsonWriter *w, const Type *type);

/* {"comment": ..., the members of metadata_json} */
static void put_metadata(JsonWriter *w, const TypeField *field)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    JsonWriter own = {.out = &text};
    json_object(&own);
    if (field->comment)
        json_member(&own, "comment", field->comment);
    if (!field->metadata_json) {
        json_object_end(&own);
    } else {
        const char *members = strchr(field->metadata_json, '{') + 1;
        if (field->comment && *members != '}')
            str_buf_putc(&text, ',');
        str_buf_puts(&text, members);
    }
    json_raw(w, str_buf_view(&text));
}

static void put_struct(JsonWriter *w, const Type *type)
{
    json_object(w);
    json_member(w, "type", "struct");
    json_key(w, "fields");
    json_array(w);
    for (int i = 0; i < type->field_count; i++) {
        const TypeField *field = &type->fields[i];
        json_object(w);
        json_member(w, "name", field->name);
        json_key(w, "type");
        put_type(w, field->type);
        json_member_bool(w, "nullable", field->nullable);
        json_key(w, "metadata");
        put_metadata(w, field);
        json_object_end(w);
    }
    json_array_end(w);
    json_object_end(w);
}

static void put_type(JsonWriter *w, const Type *type)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        json_object(w);
        json_member(w, "type", "array");
        json_key(w, "elementType");
        put_type(w, type->element);
        json_member_bool(w, "containsNull", type->element_nullable);
        json_object_end(w);
        return;
    case TYPE_MAP:
        json_object(w);
        json_member(w, "type", "map");
        json_key(w, "keyType");
        put_type(w, type->key);
        json_key(w, "valueType");
        put_type(w, type->element);
        json_member_bool(w, "valueContainsNull", type->element_nullable);
        json_object_end(w);
        return;
    case TYPE_STRUCT:
        put_struct(w, type);
        return;
    default:
        break;
    }
    for (int i = 0; i < JSON_NAME_COUNT; i++)
        if (json_names[i].kind == type->kind) {
            json_text(w, json_names[i].name);
            return;
        }
    silt_auto(str_buf_fini) StrBuf text = {0};
    type_print(&text, type); /* decimals, time and intervals: as in DDL */
    json_text_str(w, str_buf_view(&text));
}

void type_to_json(StrBuf *out, const Type *type)
{
    JsonWriter w = {.out = out};
    put_type(&w, type);
}
