/* delta/mapping.c - column mapping: the names of columns in files beside their names in SQL */
#include "delta/mapping.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "delta/internal.h"
#include "duck/quote.h"

#define ID_KEY "delta.columnMapping.id"
#define NAME_KEY "delta.columnMapping.physicalName"

bool delta_mapping_on(const DeltaMetadata *metadata)
{
    const char *mode = delta__property(metadata->configuration, metadata->configuration_count, "delta.columnMapping.mode");

    return mode && strcasecmp(mode, "none") != 0;
}

bool delta_mapping_by_id(const DeltaMetadata *metadata)
{
    const char *mode = delta__property(metadata->configuration, metadata->configuration_count, "delta.columnMapping.mode");

    return mode && strcasecmp(mode, "id") == 0;
}

int64_t delta_mapping_max_id(const DeltaMetadata *metadata)
{
    const char *text = delta__property(metadata->configuration, metadata->configuration_count, "delta.columnMapping.maxColumnId");
    int64_t id;

    return text && str_to_int64(str_of(text), &id) && id > 0 ? id : 0;
}

/* Metadata of a field as a document; NULL: none. */
static const Json *metadata_of(Arena *arena, const TypeField *field)
{
    const Json *document = NULL;

    return field->metadata_json && json_parse(arena, str_of(field->metadata_json), &document, NULL) == 0 ? document : NULL;
}

static const char *physical_name(Arena *arena, const TypeField *field)
{
    if (!field->metadata_json || !strstr(field->metadata_json, NAME_KEY)) /* quick, and right for nearly all tables */
        return field->name;
    return json_cstr(json_get(metadata_of(arena, field), NAME_KEY), field->name);
}

const char *delta_mapping_name(Arena *arena, const DeltaMetadata *table, const TypeField *field)
{
    return delta_mapping_on(table) ? physical_name(arena, field) : field->name;
}

int64_t delta_mapping_id(const TypeField *field)
{
    silt_auto(arena_freep) Arena *arena = NULL;

    if (!field->metadata_json || !strstr(field->metadata_json, ID_KEY))
        return -1;
    arena = arena_new();
    return json_int(json_get(metadata_of(arena, field), ID_KEY), -1);
}

/* ---- physical names ---- */

static const Type *physical_struct(Arena *arena, const Type *schema);

static const Type *physical_type(Arena *arena, const Type *type)
{
    const Type *inner, *key;

    switch (type->kind) {
    case TYPE_STRUCT:
        return physical_struct(arena, type);
    case TYPE_ARRAY:
        inner = physical_type(arena, type->element);
        return inner == type->element ? type : type_array(arena, inner, type->element_nullable);
    case TYPE_MAP:
        key = physical_type(arena, type->key);
        inner = physical_type(arena, type->element);
        return key == type->key && inner == type->element ? type : type_map(arena, key, inner, type->element_nullable);
    default:
        return type;
    }
}

static const Type *physical_struct(Arena *arena, const Type *schema)
{
    TypeField *fields = ARENA_ARRAY(arena, TypeField, schema->field_count + 1);
    bool changed = false;

    for (int i = 0; i < schema->field_count; i++) {
        fields[i] = schema->fields[i];
        fields[i].name = physical_name(arena, &schema->fields[i]);
        fields[i].type = physical_type(arena, schema->fields[i].type);
        changed |= fields[i].type != schema->fields[i].type || strcmp(fields[i].name, schema->fields[i].name) != 0;
    }
    return changed ? type_struct(arena, fields, schema->field_count) : schema;
}

const Type *delta_mapping_physical(Arena *arena, const DeltaMetadata *table)
{
    return delta_mapping_on(table) ? physical_struct(arena, table->schema) : table->schema;
}

/* ---- ids and names for new fields ---- */

typedef struct Assign {
    Arena *arena;
    Io *io;
    int64_t given_id; /* the greatest of the table's */
    int64_t max_id;
} Assign;

/* The field's metadata with these two members, the others as they were. */
static const char *with_mapping(Arena *arena, const TypeField *field, int64_t id, const char *name)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    const Json *old = metadata_of(arena, field);
    JsonWriter w = {.out = &text};

    json_object(&w);
    for (int i = 0; i < json_size(old); i++) {
        Str key = json_member_key(old, i);
        if (str_is(key, ID_KEY) || str_is(key, NAME_KEY))
            continue;
        json_key_str(&w, key);
        json_value(&w, json_member_value(old, i));
    }
    json_member_int(&w, ID_KEY, id);
    json_member(&w, NAME_KEY, name);
    json_object_end(&w);
    return arena_strdup(arena, str_buf_text(&text));
}

static const Type *assign_struct(Assign *a, const Type *table, const Type *wanted);

/* table: the type that this field has in the table, NULL: none. */
static const Type *assign_type(Assign *a, const Type *table, const Type *wanted)
{
    if (table && table->kind != wanted->kind)
        table = NULL;
    switch (wanted->kind) {
    case TYPE_STRUCT:
        return assign_struct(a, table, wanted);
    case TYPE_ARRAY:
        return type_array(a->arena, assign_type(a, table ? table->element : NULL, wanted->element), wanted->element_nullable);
    case TYPE_MAP: {
        const Type *key = assign_type(a, table ? table->key : NULL, wanted->key);
        return type_map(a->arena, key, assign_type(a, table ? table->element : NULL, wanted->element), wanted->element_nullable);
    }
    default:
        return wanted;
    }
}

static const Type *assign_struct(Assign *a, const Type *table, const Type *wanted)
{
    TypeField *fields = ARENA_ARRAY(a->arena, TypeField, wanted->field_count + 1);

    for (int i = 0; i < wanted->field_count; i++) {
        int at = table ? type_field_index(table, wanted->fields[i].name, NULL) : -1;
        const TypeField *had = at >= 0 ? &table->fields[at] : NULL;
        int64_t id = had ? delta_mapping_id(had) : -1;
        const char *name = NULL;
        fields[i] = wanted->fields[i];
        if (had) { /* M2 */
            name = physical_name(a->arena, had);
        } else if (delta_mapping_id(&fields[i]) > a->given_id) { /* was given one on its way here */
            id = delta_mapping_id(&fields[i]);
            name = physical_name(a->arena, &fields[i]);
        }
        if (id < 0) /* M1 */
            id = a->max_id + 1;
        a->max_id = id > a->max_id ? id : a->max_id;
        if (!name) {
            char uuid[37];
            io_uuid(a->io, uuid);
            name = arena_printf(a->arena, "col-%s", uuid);
        }
        fields[i].metadata_json = with_mapping(a->arena, &fields[i], id, name);
        fields[i].type = assign_type(a, had ? had->type : NULL, wanted->fields[i].type);
    }
    return type_struct(a->arena, fields, wanted->field_count);
}

const Type *delta_mapping_assign(Arena *arena, Io *io, const Type *table, const Type *wanted, int64_t *max_id)
{
    Assign assign = {arena, io, *max_id, *max_id};
    const Type *assigned = assign_struct(&assign, table, wanted);

    *max_id = assign.max_id;
    return assigned;
}

const Type *delta_mapping_files(Arena *arena, Io *io, const DeltaMetadata *table, const Type *wanted, const Type **assigned)
{
    int64_t max_id = delta_mapping_max_id(table);
    const Type *mapped = delta_mapping_on(table) ? delta_mapping_assign(arena, io, table->schema, wanted, &max_id) : wanted;

    if (assigned)
        *assigned = mapped;
    return delta_mapping_on(table) ? physical_struct(arena, mapped) : wanted;
}

/* ---- ids for the files ---- */

static void print_inner_ids(StrBuf *out, const Type *type);

static void print_fields(StrBuf *out, const Type *type, const char *const *skipped, int skipped_count)
{
    const char *comma = "";

    for (int i = 0; i < type->field_count; i++) {
        const TypeField *field = &type->fields[i];
        int64_t id = delta_mapping_id(field);
        bool skip = id < 0;
        for (int j = 0; j < skipped_count && !skip; j++)
            skip = strcasecmp(skipped[j], field->name) == 0;
        if (skip)
            continue;
        str_buf_puts(out, comma);
        comma = ", ";
        quote_text(out, str_of(field->name));
        if (field->type->kind < TYPE_ARRAY) {
            str_buf_printf(out, ": %lld", (long long)id);
            continue;
        }
        str_buf_printf(out, ": {__duckdb_field_id: %lld", (long long)id);
        print_inner_ids(out, field->type);
        str_buf_putc(out, '}');
    }
}

static bool has_ids(const Type *type)
{
    if (type->kind == TYPE_ARRAY)
        return has_ids(type->element);
    if (type->kind == TYPE_MAP)
        return has_ids(type->key) || has_ids(type->element);
    return type->kind == TYPE_STRUCT && type->field_count && delta_mapping_id(&type->fields[0]) >= 0;
}

/* `, name: {...}` for what lies below a nested type. Elements, keys and values have no ids themselves. */
static void print_part_ids(StrBuf *out, const char *name, const Type *type)
{
    silt_auto(str_buf_fini) StrBuf inner = {0};

    if (!has_ids(type))
        return;
    print_inner_ids(&inner, type);
    str_buf_printf(out, ", %s: {%s}", name, str_buf_text(&inner) + 2);
}

static void print_inner_ids(StrBuf *out, const Type *type)
{
    if (type->kind == TYPE_ARRAY) {
        print_part_ids(out, "element", type->element);
    } else if (type->kind == TYPE_MAP) {
        print_part_ids(out, "key", type->key);
        print_part_ids(out, "value", type->element);
    } else if (has_ids(type)) {
        str_buf_puts(out, ", ");
        print_fields(out, type, NULL, 0);
    }
}

void delta_mapping_print_ids(StrBuf *out, const Type *files, const char *const *skipped, int skipped_count)
{
    if (!has_ids(files))
        return;
    str_buf_putc(out, '{');
    print_fields(out, files, skipped, skipped_count);
    str_buf_putc(out, '}');
}

/* ---- rows for the files ---- */

void delta_mapping_print_rows(StrBuf *out, const char *sql, const Type *wanted, const Type *files)
{
    bool same = true;

    for (int i = 0; i < wanted->field_count; i++)
        same = same && type_equal(wanted->fields[i].type, files->fields[i].type, false);
    if (same) {
        str_buf_puts(out, sql);
        return;
    }
    str_buf_puts(out, "SELECT ");
    for (int i = 0; i < wanted->field_count; i++) {
        char column[16];
        snprintf(column, sizeof column, "c%d", i + 1);
        str_buf_puts(out, i ? ", " : "");
        delta__print_adapted(out, wanted->fields[i].type, files->fields[i].type, column, 0);
        str_buf_printf(out, " AS %s", column);
    }
    str_buf_printf(out, " FROM (%s) AS x", sql);
}
