/* delta/widening.c - see widening.h */
#include "delta/widening.h"

#include <string.h>
#include <strings.h>

#include "delta/internal.h"

#define CHANGES_KEY "delta.typeChanges"

/* ---- types ---- */

/* Whole digits of a decimal that holds all of an integer type: those of its form in Parquet, INT32 or INT64. */
static int whole_digits(const Type *type)
{
    return type->kind == TYPE_LONG ? 20 : 10;
}

bool delta_type_widens(const Type *from, const Type *to)
{
    if (type_is_integral(from)) {
        if (type_is_integral(to))
            return from->kind < to->kind;
        if (to->kind == TYPE_DECIMAL)
            return to->precision - to->scale >= whole_digits(from);
        return to->kind == TYPE_DOUBLE && from->kind != TYPE_LONG;
    }
    if (from->kind == TYPE_DECIMAL && to->kind == TYPE_DECIMAL)
        return to->scale >= from->scale && to->precision - to->scale >= from->precision - from->scale && !type_equal(from, to, false);
    return (from->kind == TYPE_FLOAT && to->kind == TYPE_DOUBLE) || (from->kind == TYPE_DATE && to->kind == TYPE_TIMESTAMP_NTZ);
}

static const Type *wider_decimal(const Type *a, const Type *b)
{
    int a_whole = a->kind == TYPE_DECIMAL ? a->precision - a->scale : whole_digits(a);
    int b_whole = b->kind == TYPE_DECIMAL ? b->precision - b->scale : whole_digits(b);
    int whole = a_whole > b_whole ? a_whole : b_whole, scale = a->scale > b->scale ? a->scale : b->scale;

    return whole + scale <= 38 ? type_decimal(whole + scale, scale) : NULL;
}

static bool is_exact(const Type *type)
{
    return type_is_integral(type) || type->kind == TYPE_DECIMAL;
}

const Type *delta_type_wider(const Type *a, const Type *b)
{
    const Type *real = type_simple(TYPE_DOUBLE);

    if (type_equal(a, b, false) || delta_type_widens(b, a))
        return a;
    if (delta_type_widens(a, b))
        return b;
    if (is_exact(a) && is_exact(b)) /* one of them is a decimal: of two whole numbers one is wider */
        return wider_decimal(a, b);
    return delta_type_widens(a, real) && delta_type_widens(b, real) ? real : NULL;
}

bool delta_widening_on(const DeltaMetadata *metadata)
{
    const char *on = delta__property(metadata->configuration, metadata->configuration_count, "delta.enableTypeWidening");

    return on && strcasecmp(on, "true") == 0;
}

/* ---- what the schema says ---- */

/* Changes within one field: path leads from its type to the part ("element", "key", "value", dotted). */
typedef struct Noting {
    Arena *arena;
    JsonWriter *changes;
    int count;
} Noting;

static const Type *note_struct(Arena *arena, const Type *table, const Type *wanted);

void delta__print_type(JsonWriter *w, const Type *type)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    type_to_json(&text, type);
    json_raw(w, str_buf_view(&text));
}

static void note_change(Noting *noting, const Type *from, const Type *to, const char *path)
{
    JsonWriter *w = noting->changes;

    silt_assert(delta_type_widens(from, to)); /* TW1 */
    noting->count++;
    json_object(w);
    json_key(w, "toType");
    delta__print_type(w, to);
    json_key(w, "fromType");
    delta__print_type(w, from);
    if (*path)
        json_member(w, "fieldPath", path);
    json_object_end(w);
}

static const char *joined(Arena *arena, const char *path, const char *part)
{
    return *path ? arena_printf(arena, "%s.%s", path, part) : part;
}

static const Type *note_type(Noting *noting, const Type *from, const Type *to, const char *path)
{
    Arena *arena = noting->arena;

    if (from->kind == TYPE_STRUCT && to->kind == TYPE_STRUCT)
        return note_struct(arena, from, to);
    if (from->kind == TYPE_ARRAY && to->kind == TYPE_ARRAY)
        return type_array(arena, note_type(noting, from->element, to->element, joined(arena, path, "element")), to->element_nullable);
    if (from->kind == TYPE_MAP && to->kind == TYPE_MAP) {
        const Type *key = note_type(noting, from->key, to->key, joined(arena, path, "key"));
        return type_map(arena, key, note_type(noting, from->element, to->element, joined(arena, path, "value")), to->element_nullable);
    }
    if (!type_equal(from, to, false))
        note_change(noting, from, to, path);
    return to;
}

/* The field's metadata with these changes behind those that it has. */
static const char *with_changes(Arena *arena, const TypeField *field, const Json *changes)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    const Json *old = NULL;
    JsonWriter w = {.out = &text};

    if (field->metadata_json && json_parse(arena, str_of(field->metadata_json), &old, NULL) < 0)
        old = NULL;
    json_object(&w);
    for (int i = 0; i < json_size(old); i++) {
        if (str_is(json_member_key(old, i), CHANGES_KEY))
            continue;
        json_key_str(&w, json_member_key(old, i));
        json_value(&w, json_member_value(old, i));
    }
    const Json *before = json_get(old, CHANGES_KEY);
    json_key(&w, CHANGES_KEY);
    json_array(&w);
    for (int i = 0; i < json_size(before); i++)
        json_value(&w, json_at(before, i));
    for (int i = 0; i < json_size(changes); i++)
        json_value(&w, json_at(changes, i));
    json_array_end(&w);
    json_object_end(&w);
    return arena_strdup(arena, str_buf_text(&text));
}

static const Type *note_struct(Arena *arena, const Type *table, const Type *wanted)
{
    TypeField *fields = ARENA_ARRAY(arena, TypeField, wanted->field_count + 1);

    for (int i = 0; i < wanted->field_count; i++) {
        int at = type_field_index(table, wanted->fields[i].name, NULL);
        silt_auto(str_buf_fini) StrBuf text = {0};
        JsonWriter w = {.out = &text};
        Noting noting = {arena, &w, 0};
        const Json *changes;
        fields[i] = wanted->fields[i];
        if (at < 0)
            continue;
        json_array(&w);
        fields[i].type = note_type(&noting, table->fields[at].type, fields[i].type, "");
        json_array_end(&w);
        if (!noting.count)
            continue;
        silt_assert(json_parse(arena, str_buf_view(&text), &changes, NULL) == 0);
        fields[i].metadata_json = with_changes(arena, &fields[i], changes);
    }
    return type_struct(arena, fields, wanted->field_count);
}

const Type *delta_widening_note(Arena *arena, const Type *table, const Type *wanted)
{
    return note_struct(arena, table, wanted);
}

bool delta__only_widened(const Type *from, const Type *to)
{
    if (from->kind == TYPE_STRUCT && to->kind == TYPE_STRUCT) {
        for (int i = 0; i < to->field_count; i++) {
            int at = type_field_index(from, to->fields[i].name, NULL);
            if (at >= 0 && !delta__only_widened(from->fields[at].type, to->fields[i].type))
                return false;
        }
        return true;
    }
    if (from->kind == TYPE_ARRAY && to->kind == TYPE_ARRAY)
        return delta__only_widened(from->element, to->element);
    if (from->kind == TYPE_MAP && to->kind == TYPE_MAP)
        return delta__only_widened(from->key, to->key) && delta__only_widened(from->element, to->element);
    return type_equal(from, to, false) || delta_type_widens(from, to);
}

/* ---- changes of others ---- */

/* The first change of a field that is none that we know, else NULL; in arena. */
static const Json *strange_change(Arena *arena, const TypeField *field)
{
    const Json *metadata;

    if (!field->metadata_json || !strstr(field->metadata_json, "\"" CHANGES_KEY "\"") ||
        json_parse(arena, str_of(field->metadata_json), &metadata, NULL) < 0)
        return NULL;
    const Json *changes = json_get(metadata, CHANGES_KEY);
    for (int i = 0; i < json_size(changes); i++) {
        const Json *change = json_at(changes, i);
        const Type *from, *to;
        const char *from_text = arena_printf(arena, "\"%s\"", json_cstr(json_get(change, "fromType"), ""));
        const char *to_text = arena_printf(arena, "\"%s\"", json_cstr(json_get(change, "toType"), ""));
        if (type_from_json(arena, str_of(from_text), &from, NULL) < 0 || type_from_json(arena, str_of(to_text), &to, NULL) < 0 ||
            !(delta_type_widens(from, to) || type_equal(from, to, false)))
            return change;
    }
    return NULL;
}

static int check_readable(Arena *arena, const Type *type, const char *what, SiltErr *err)
{
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP) {
        if (type->kind == TYPE_MAP)
            SILT_TRY(check_readable(arena, type->key, what, err));
        return check_readable(arena, type->element, what, err);
    }
    for (int i = 0; type->kind == TYPE_STRUCT && i < type->field_count; i++) {
        const Json *change = strange_change(arena, &type->fields[i]);
        if (change) {
            silt_fail(err, SILT_CONFIG, "cannot read \"%s\": the type of its column \"%s\" was changed from %s to %s, which is no change that is supported", what,
                      type->fields[i].name, json_cstr(json_get(change, "fromType"), "?"), json_cstr(json_get(change, "toType"), "?"));
            return silt_code(err, "DELTA_UNSUPPORTED_TYPE_CHANGE_IN_SCHEMA");
        }
        SILT_TRY(check_readable(arena, type->fields[i].type, what, err));
    }
    return 0;
}

int delta__widening_readable(const DeltaMetadata *metadata, const char *what, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();

    return check_readable(arena, metadata->schema, what, err);
}
