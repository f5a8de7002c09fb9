/* duck/avro_type.c - schemas of Avro, and the types that Spark gives them; see avro.h */
#include "duck/avro.h"

#include <string.h>

enum { DEPTH_MAX = 64 };

static const char *const kinds[] = {"null", "boolean", "int", "long", "float", "double", "bytes", "string",
                                    "fixed", "enum", "array", "map", "union", "record"};

typedef struct Names {
    Arena *arena;
    AvroType **types;
    int count, capacity;
} Names;

static AvroType *find_name(const Names *names, const char *name)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->types[i]->name, name) == 0)
            return names->types[i];
    return NULL;
}

static const char *full_name(Arena *arena, const char *name, const char *space)
{
    return strchr(name, '.') || !*space ? arena_strdup(arena, name) : arena_printf(arena, "%s.%s", space, name);
}

static const char *space_of(Arena *arena, const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? arena_strndup(arena, name, (size_t)(dot - name)) : "";
}

static void take_logical(AvroType *type, const Json *json)
{
    const char *logical = json_cstr(json_get(json, "logicalType"), "");
    if (strcmp(logical, "decimal") == 0 && (type->kind == AVRO_BYTES || type->kind == AVRO_FIXED)) {
        int64_t precision = json_int(json_get(json, "precision"), 0), scale = json_int(json_get(json, "scale"), 0);
        if (precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision) {
            type->logical = AVRO_DECIMAL;
            type->precision = (int)precision;
            type->scale = (int)scale;
        } /* else, as the specification says, it is plain bytes */
    } else if (type->kind == AVRO_INT && strcmp(logical, "date") == 0) {
        type->logical = AVRO_DATE;
    } else if (type->kind == AVRO_LONG) {
        type->logical = strcmp(logical, "timestamp-millis") == 0         ? AVRO_MILLIS
                        : strcmp(logical, "timestamp-micros") == 0       ? AVRO_MICROS
                        : strcmp(logical, "local-timestamp-millis") == 0 ? AVRO_LOCAL_MILLIS
                        : strcmp(logical, "local-timestamp-micros") == 0 ? AVRO_LOCAL_MICROS
                                                                         : AVRO_PLAIN;
    }
}

static int parse(Names *names, const Json *json, const char *space, int depth, AvroType **out, SiltErr *err);

static int parse_children(Names *names, AvroType *type, const Json *list, const char *space, int depth, SiltErr *err)
{
    type->count = json_size(list);
    type->children = ARENA_ARRAY(names->arena, AvroType *, type->count + 1);
    for (int i = 0; i < type->count; i++) {
        SILT_TRY(parse(names, json_at(list, i), space, depth + 1, &type->children[i], err));
        if (type->children[i]->kind == AVRO_UNION)
            return silt_fail(err, SILT_INPUT, "an Avro union is a branch of another");
    }
    return 0;
}

static int parse_record(Names *names, AvroType *type, const Json *json, const char *space, int depth, SiltErr *err)
{
    const Json *fields = json_get(json, "fields");
    if (json_kind(fields) != JSON_ARRAY)
        return silt_fail(err, SILT_INPUT, "Avro record \"%s\" has no fields", type->name);
    type->count = json_size(fields);
    type->names = ARENA_ARRAY(names->arena, const char *, type->count + 1);
    type->children = ARENA_ARRAY(names->arena, AvroType *, type->count + 1);
    type->field_aliases = ARENA_ARRAY(names->arena, const Json *, type->count + 1);
    type->field_defaults = ARENA_ARRAY(names->arena, const Json *, type->count + 1);
    type->open = true;
    for (int i = 0; i < type->count; i++) {
        type->names[i] = arena_strdup(names->arena, json_cstr(json_get(json_at(fields, i), "name"), ""));
        type->field_aliases[i] = json_get(json_at(fields, i), "aliases");
        type->field_defaults[i] = json_get(json_at(fields, i), "default");
        SILT_TRY(parse(names, json_get(json_at(fields, i), "type"), space, depth + 1, &type->children[i], err));
    }
    type->open = false;
    return 0;
}

static int parse(Names *names, const Json *json, const char *space, int depth, AvroType **out, SiltErr *err)
{
    if (depth > DEPTH_MAX)
        return silt_fail(err, SILT_INPUT, "Avro types nested deeper than %d", DEPTH_MAX);
    AvroType *type = ARENA_NEW(names->arena, AvroType);
    *out = type;
    if (json_kind(json) == JSON_ARRAY) {
        type->kind = AVRO_UNION;
        return parse_children(names, type, json, space, depth, err);
    }
    bool object = json_kind(json) == JSON_OBJECT;
    const Json *kind = object ? json_get(json, "type") : json;
    if (object && json_kind(kind) != JSON_STRING) /* {"type": {...}}: what is inside, with a logical type of the outside */
        return parse(names, kind, space, depth + 1, out, err);
    const char *text = json_cstr(kind, "");
    int found = -1;
    for (int i = 0; i < (int)(sizeof kinds / sizeof kinds[0]); i++)
        if (i != AVRO_UNION && strcmp(text, kinds[i]) == 0)
            found = i;
    if (found < 0) {
        const char *name = full_name(names->arena, text, space);
        AvroType *known = find_name(names, name);
        if (!known)
            known = find_name(names, text);
        if (!known)
            return silt_fail(err, SILT_INPUT, "unknown Avro type \"%s\"", text);
        if (known->open)
            return silt_fail(err, SILT_INPUT, "Avro record \"%s\" contains itself, which has no type in Spark", known->name);
        *out = known;
        return 0;
    }
    type->kind = (AvroKind)found;
    if (type->kind >= AVRO_FIXED && !object)
        return silt_fail(err, SILT_INPUT, "Avro type \"%s\" says nothing of its parts", text);
    if (type->kind == AVRO_FIXED || type->kind == AVRO_ENUM || type->kind == AVRO_RECORD) {
        const char *own = json_cstr(json_get(json, "namespace"), space);
        type->name = full_name(names->arena, json_cstr(json_get(json, "name"), ""), own);
        type->aliases = json_get(json, "aliases");
        ARENA_PUSH(names->arena, names->types, names->count, names->capacity, type);
    }
    switch (type->kind) {
    case AVRO_FIXED:
        type->size = json_int(json_get(json, "size"), -1);
        if (type->size < 0)
            return silt_fail(err, SILT_INPUT, "Avro fixed \"%s\" has no size", type->name);
        break;
    case AVRO_ENUM: {
        const Json *symbols = json_get(json, "symbols");
        type->count = json_size(symbols);
        type->names = ARENA_ARRAY(names->arena, const char *, type->count + 1);
        for (int i = 0; i < type->count; i++)
            type->names[i] = arena_strdup(names->arena, json_cstr(json_at(symbols, i), ""));
        type->enum_default = json_cstr(json_get(json, "default"), NULL);
        break;
    }
    case AVRO_ARRAY:
    case AVRO_MAP:
        type->count = 1;
        type->children = ARENA_ARRAY(names->arena, AvroType *, 1);
        return parse(names, json_get(json, type->kind == AVRO_ARRAY ? "items" : "values"), space, depth + 1, &type->children[0], err);
    case AVRO_RECORD:
        return parse_record(names, type, json, space_of(names->arena, type->name), depth, err);
    default:
        break;
    }
    if (object)
        take_logical(type, json);
    return 0;
}

int avro_type_parse(Arena *arena, Str text, const AvroType **out, SiltErr *err)
{
    Names names = {.arena = arena};
    const Json *json;
    AvroType *type;
    SILT_TRY(json_parse(arena, text, &json, err));
    SILT_TRY(parse(&names, json, "", 0, &type, err));
    *out = type;
    return 0;
}

const AvroType *avro_as_record(Arena *arena, const AvroType *type)
{
    static const char *const name = "value";

    if (type->kind == AVRO_RECORD)
        return type;
    AvroType *record = ARENA_NEW(arena, AvroType);
    *record = (AvroType){.kind = AVRO_RECORD, .name = name, .count = 1};
    record->names = ARENA_ARRAY(arena, const char *, 1);
    record->children = ARENA_ARRAY(arena, AvroType *, 1);
    record->field_aliases = ARENA_ARRAY(arena, const Json *, 1);
    record->field_defaults = ARENA_ARRAY(arena, const Json *, 1);
    record->names[0] = name;
    record->children[0] = (AvroType *)type; /* of records nobody changes a child */
    return record;
}

int avro_only_branch(const AvroType *type)
{
    int only = -1;
    for (int i = 0; i < type->count; i++)
        if (type->children[i]->kind != AVRO_NULL) {
            if (only >= 0)
                return -1;
            only = i;
        }
    return only;
}

static bool branches_are(const AvroType *type, AvroKind a, AvroKind b)
{
    for (int i = 0; i < type->count; i++) {
        const AvroType *t = type->children[i];
        if (t->kind != AVRO_NULL && ((t->kind != a && t->kind != b) || t->logical != AVRO_PLAIN))
            return false;
    }
    return true;
}

bool avro_is_struct_union(const AvroType *type)
{
    return type->kind == AVRO_UNION && avro_only_branch(type) < 0 && !branches_are(type, AVRO_INT, AVRO_LONG) && !branches_are(type, AVRO_FLOAT, AVRO_DOUBLE);
}

static const Type *union_type(const AvroType *type, Arena *arena)
{
    int only = avro_only_branch(type), count = 0;
    if (only >= 0)
        return avro_type_spark(type->children[only], arena);
    if (!avro_is_struct_union(type))
        return type_simple(branches_are(type, AVRO_INT, AVRO_LONG) ? TYPE_LONG : TYPE_DOUBLE);
    TypeField *fields = ARENA_ARRAY(arena, TypeField, type->count + 1); /* as Spark: member0, member1 ... */
    for (int i = 0; i < type->count; i++)
        if (type->children[i]->kind != AVRO_NULL) {
            fields[count] = (TypeField){.name = arena_printf(arena, "member%d", count), .type = avro_type_spark(type->children[i], arena), .nullable = true};
            count++;
        }
    return type_struct(arena, fields, count);
}

const char *avro_type_text(const AvroType *type, Arena *arena)
{
    static const char *const logicals[] = {"", "decimal", "date", "timestamp-millis", "timestamp-micros", "local-timestamp-millis", "local-timestamp-micros"};

    if (type->name)
        return arena_printf(arena, "%s \"%s\"", kinds[type->kind], type->name);
    if (type->logical == AVRO_DECIMAL)
        return arena_printf(arena, "decimal(%d,%d)", type->precision, type->scale);
    return type->logical == AVRO_PLAIN ? kinds[type->kind] : logicals[type->logical];
}

const Type *avro_type_spark(const AvroType *type, Arena *arena)
{
    switch (type->kind) {
    case AVRO_NULL:
        return NULL;
    case AVRO_BOOLEAN:
        return type_simple(TYPE_BOOLEAN);
    case AVRO_INT:
        return type_simple(type->logical == AVRO_DATE ? TYPE_DATE : TYPE_INT);
    case AVRO_LONG:
        return type_simple(type->logical == AVRO_MILLIS || type->logical == AVRO_MICROS               ? TYPE_TIMESTAMP
                           : type->logical == AVRO_LOCAL_MILLIS || type->logical == AVRO_LOCAL_MICROS ? TYPE_TIMESTAMP_NTZ
                                                                                                      : TYPE_LONG);
    case AVRO_FLOAT:
        return type_simple(TYPE_FLOAT);
    case AVRO_DOUBLE:
        return type_simple(TYPE_DOUBLE);
    case AVRO_BYTES:
    case AVRO_FIXED:
        return type->logical == AVRO_DECIMAL ? type_decimal(type->precision, type->scale) : type_simple(TYPE_BINARY);
    case AVRO_STRING:
    case AVRO_ENUM:
        return type_simple(TYPE_STRING);
    case AVRO_ARRAY:
    case AVRO_MAP: {
        const Type *element = avro_type_spark(type->children[0], arena);
        if (!element)
            element = type_simple(TYPE_STRING); /* only NULLs */
        return type->kind == AVRO_ARRAY ? type_array(arena, element, true) : type_map(arena, type_simple(TYPE_STRING), element, true);
    }
    case AVRO_UNION:
        return union_type(type, arena);
    case AVRO_RECORD: {
        TypeField *fields = ARENA_ARRAY(arena, TypeField, type->count + 1);
        for (int i = 0; i < type->count; i++) {
            const Type *field = avro_type_spark(type->children[i], arena);
            fields[i] = (TypeField){.name = type->names[i], .type = field ? field : type_simple(TYPE_STRING), .nullable = true};
        }
        return type_struct(arena, fields, type->count);
    }
    }
    return NULL;
}
