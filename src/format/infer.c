/* format/infer.c - see infer.h */
#include "format/infer.h"

#include "duck/zone.h"
#include "format/json_format.h"
#include "format/json_records.h"
#include "format/value.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

FormatInference *inference_new(void)
{
    Arena *arena = arena_new();
    FormatInference *inference = ARENA_NEW(arena, FormatInference);
    inference->arena = arena;
    inference->records_left = INT64_MAX;
    return inference;
}

void inference_free(FormatInference *inference)
{
    if (inference)
        arena_free(inference->arena);
}

/* ---- shapes ---- */

void shape_note(Shape *shape, ShapeKind kind)
{
    shape->kinds |= kind;
    shape->seen++;
}

void shape_note_number(Shape *shape, Str text, bool integral)
{
    const char *p = text.ptr, *end = p + text.size;
    p += p < end && (*p == '-' || *p == '+');
    while (p < end && *p == '0')
        p++;
    int whole = 0, scale = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++)
        whole++;
    if (p < end && *p == '.')
        for (p++; p < end && *p >= '0' && *p <= '9'; p++)
            scale++;
    int64_t ignored;
    __int128 wide;
    if (!integral) {
        shape_note(shape, SHAPE_FRACTION);
    } else if (value_integer(text, INT64_MIN, INT64_MAX, &ignored)) {
        shape_note(shape, SHAPE_INTEGER);
    } else if (value_decimal(text, 38, 0, true, &wide)) {
        shape_note(shape, SHAPE_BIG);
    } else {
        shape_note(shape, SHAPE_STRING); /* more digits than any number type holds */
        return;
    }
    if (p < end) {
        shape->exponent = true;
        return;
    }
    if (whole > shape->whole_digits)
        shape->whole_digits = whole;
    if (scale > shape->scale)
        shape->scale = scale;
}

void shape_note_text(Shape *shape, Str text, const FormatOptions *options, bool csv)
{
    int32_t days;
    int64_t us;
    if (csv && text.size == 10 && text.ptr[4] == '-' && value_date(text, &days))
        shape_note(shape, SHAPE_DATE);
    else if ((csv || options->infer_timestamp) && text.size >= 10 && text.ptr[4] == '-' &&
             value_timestamp(text, zone_find(STR("UTC")), &us))
        shape_note(shape, SHAPE_TIMESTAMP);
    else
        shape_note(shape, SHAPE_STRING);
}

static unsigned hash_text(Str text)
{
    unsigned h = 2166136261u;
    for (size_t i = 0; i < text.size; i++)
        h = (h ^ (unsigned char)text.ptr[i]) * 16777619u;
    return h ^ h >> 15;
}

static void slots_put(Shape *shape, int member)
{
    unsigned slot = hash_text(str_of(shape->names[member])) & (unsigned)(shape->slot_count - 1);
    while (shape->slots[slot])
        slot = (slot + 1) & (unsigned)(shape->slot_count - 1);
    shape->slots[slot] = member + 1;
}

static bool is_member(const Shape *object, int member, Str name)
{
    return object->name_sizes[member] == name.size && memcmp(object->names[member], name.ptr, name.size) == 0;
}

static Shape *find_member(Shape *object, Str name)
{
    if (object->guess < object->member_count && is_member(object, object->guess, name))
        return object->members[object->guess++];
    int found = -1;
    if (object->slot_count == 0) {
        for (int i = 0; i < object->member_count && found < 0; i++)
            if (is_member(object, i, name))
                found = i;
    } else {
        for (unsigned slot = hash_text(name) & (unsigned)(object->slot_count - 1); object->slots[slot] && found < 0;
             slot = (slot + 1) & (unsigned)(object->slot_count - 1))
            if (is_member(object, object->slots[slot] - 1, name))
                found = object->slots[slot] - 1;
    }
    if (found < 0)
        return NULL;
    object->guess = found + 1;
    return object->members[found];
}

Shape *shape_member(FormatInference *inference, Shape *object, Str name)
{
    Shape *member = find_member(object, name);
    if (member || inference->member_total >= SHAPE_MEMBERS_MAX)
        return member;
    inference->member_total++;
    if (object->member_count == object->member_capacity) {
        int capacity = object->member_capacity ? object->member_capacity * 2 : 8;
        const char **names = ARENA_ARRAY(inference->arena, const char *, capacity);
        Shape **members = ARENA_ARRAY(inference->arena, Shape *, capacity);
        uint32_t *sizes = ARENA_ARRAY(inference->arena, uint32_t, capacity);
        if (object->member_count) {
            memcpy(names, object->names, sizeof *names * (size_t)object->member_count);
            memcpy(members, object->members, sizeof *members * (size_t)object->member_count);
            memcpy(sizes, object->name_sizes, sizeof *sizes * (size_t)object->member_count);
        }
        object->names = names;
        object->members = members;
        object->name_sizes = sizes;
        object->member_capacity = capacity;
        if (capacity > 8) {
            object->slot_count = capacity * 2;
            object->slots = ARENA_ARRAY(inference->arena, int, object->slot_count);
            for (int i = 0; i < object->member_count; i++)
                slots_put(object, i);
        }
    }
    member = ARENA_NEW(inference->arena, Shape);
    object->name_sizes[object->member_count] = (uint32_t)name.size;
    object->names[object->member_count] = arena_strndup(inference->arena, name.ptr, name.size);
    object->members[object->member_count++] = member;
    if (object->slot_count)
        slots_put(object, object->member_count - 1);
    return member;
}

Shape *shape_element(FormatInference *inference, Shape *array)
{
    if (!array->element)
        array->element = ARENA_NEW(inference->arena, Shape);
    return array->element;
}

static void shape_merge(FormatInference *into, Shape *shape, const Shape *from)
{
    shape->kinds |= from->kinds;
    shape->seen += from->seen;
    if (from->whole_digits > shape->whole_digits)
        shape->whole_digits = from->whole_digits;
    if (from->scale > shape->scale)
        shape->scale = from->scale;
    shape->exponent |= from->exponent;
    for (int i = 0; i < from->member_count; i++) {
        Shape *member = shape_member(into, shape, str_of(from->names[i]));
        if (member)
            shape_merge(into, member, from->members[i]);
    }
    if (from->element)
        shape_merge(into, shape_element(into, shape), from->element);
}

void inference_merge(FormatInference *into, const FormatInference *from)
{
    shape_merge(into, &into->root, &from->root);
    into->records += from->records;
}

/* ---- from JSON ---- */

/* Note the value at the walk, which is at JSON that may still turn out bad: -1. Recursion is bounded by JSON_DEPTH_MAX. */
static int note_value(FormatInference *inference, Shape *shape, JsonWalk *w, int depth)
{
    char c = json_char(w);
    Str text;
    if (depth > JSON_DEPTH_MAX)
        return json_bad(w, "nested deeper than 1000 levels");
    if (!shape)
        return json_skip(w, NULL);
    if (c == '{' || c == '[') {
        char close = c == '{' ? '}' : ']';
        if (depth >= TYPE_DEPTH_MAX) { /* no type says what is in there; it is kept as the text that it is */
            shape_note(shape, SHAPE_STRING);
            return json_skip(w, NULL);
        }
        shape_note(shape, c == '{' ? SHAPE_OBJECT : SHAPE_ARRAY);
        shape->guess = 0;
        w->at++;
        if (json_char(w) == close) {
            w->at++;
            return 0;
        }
        for (;;) {
            Shape *part;
            if (c == '{') {
                if (json_walk_key(w, &text) < 0)
                    return -1;
                part = shape_member(inference, shape, text);
                w->at++;
                if (json_char(w) != ':')
                    return json_bad(w, "a colon was expected");
                w->at++;
            } else {
                part = shape_element(inference, shape);
            }
            if (note_value(inference, part, w, depth + 1) < 0)
                return -1;
            char next = json_char(w);
            w->at++;
            if (next == close)
                return 0;
            if (next != ',')
                return json_bad(w, "a comma or the closing bracket was expected");
        }
    }
    if (c == '"' || c == '\'') {
        if (json_string(w, &text) < 0)
            return -1;
        if (w->options->primitives_as_string)
            shape_note(shape, SHAPE_STRING);
        else
            shape_note_text(shape, text, w->options, false);
        w->at++;
        return 0;
    }
    if (json_skip(w, &text) < 0)
        return -1;
    if (str_is(text, "null"))
        shape_note(shape, SHAPE_NULL);
    else if (w->options->primitives_as_string)
        shape_note(shape, SHAPE_STRING);
    else if (str_is(text, "true") || str_is(text, "false"))
        shape_note(shape, SHAPE_BOOLEAN);
    else if (json_is_non_numeric(w, text))
        shape_note(shape, SHAPE_FRACTION);
    else
        shape_note_number(shape, text, !memchr(text.ptr, '.', text.size) && !memchr(text.ptr, 'e', text.size) && !memchr(text.ptr, 'E', text.size));
    return 0;
}

void shape_note_json(FormatInference *inference, Shape *shape, Str json, const FormatOptions *options)
{
    JsonTokens tokens = {0};
    JsonWalk w = {.options = options};
    const char *reason;
    if (json_tokens(&tokens, json, options, &reason) == 0) {
        json_walk_set(&w, tokens.copy.ptr, json.size, tokens.index, tokens.count);
        note_value(inference, shape, &w, 0);
    }
    str_buf_fini(&w.scratch);
    json_tokens_fini(&tokens);
}

int json_infer(const FormatOptions *options, FormatInference *inference, const FormatBlock *block, SiltErr *err)
{
    (void)err;
    if (block->unusable)
        return 0;
    JsonRecords records;
    json_records_init(&records, options);
    json_records_begin(&records, block);
    int kind;
    while (inference->records_left > 0 && (kind = json_records_next(&records)) != JSON_RECORD_END) {
        inference->records_left--;
        if (kind == JSON_RECORD_BAD)
            continue;
        /* A record that turns out bad half-way must not leave traces: check it first. */
        JsonWalk *w = &records.walk;
        for (;;) {
            uint32_t start = w->at;
            int result = json_char(w) == '{' ? json_skip(w, NULL) : json_bad(w, "a record that is no object");
            if (result == 0) {
                w->at = start;
                result = note_value(inference, &inference->root, w, 0);
            }
            if (json_records_done(&records, result)) {
                inference->records++;
                break;
            }
            if (!json_records_retry(&records))
                break;
        }
    }
    json_records_fini(&records);
    return 0;
}

/* ---- to a schema ---- */

static const Type *shape_struct(const Shape *shape, const FormatOptions *options, Arena *arena, bool sorted);

/* NULL: nothing is known of it (only NULLs, empty objects). */
static const Type *shape_type(const Shape *shape, const FormatOptions *options, Arena *arena, bool sorted)
{
    unsigned kinds = shape->kinds & ~(unsigned)SHAPE_NULL;
    unsigned numbers = SHAPE_INTEGER | SHAPE_BIG | SHAPE_FRACTION;
    if (kinds == 0)
        return NULL;
    if (kinds == SHAPE_OBJECT) {
        const Type *type = shape_struct(shape, options, arena, sorted);
        return type->field_count ? type : NULL;
    }
    if (kinds == SHAPE_ARRAY) {
        const Type *element = shape->element ? shape_type(shape->element, options, arena, sorted) : NULL;
        if (!element) {
            if (options->drop_field_if_all_null || (shape->element && shape->element->kinds & SHAPE_OBJECT))
                return NULL; /* of nothing but NULLs, or of empty objects */
            element = type_simple(TYPE_STRING);
        }
        return type_array(arena, element, true);
    }
    if (kinds == SHAPE_BOOLEAN)
        return type_simple(TYPE_BOOLEAN);
    if (kinds == SHAPE_INTEGER)
        return type_simple(TYPE_LONG);
    if (kinds == SHAPE_DATE)
        return type_simple(TYPE_DATE);
    if (kinds == SHAPE_TIMESTAMP || kinds == (SHAPE_DATE | SHAPE_TIMESTAMP))
        return type_simple(TYPE_TIMESTAMP);
    if ((kinds & ~numbers) == 0) {
        int whole = shape->whole_digits;
        if (!(kinds & SHAPE_FRACTION)) /* BIG: as Spark, at least as wide as a BIGINT */
            return type_decimal(whole < 20 ? 20 : whole, 0);
        if (options->prefers_decimal && !shape->exponent && whole + shape->scale <= 38) {
            int precision = whole + shape->scale;
            return type_decimal(precision < 1 ? 1 : precision, shape->scale);
        }
        return type_simple(TYPE_DOUBLE);
    }
    return type_simple(TYPE_STRING);
}

/* Of names that differ by case only: the one seen most, of equals the last by bytes (lower case). */
static bool is_spelling_of_choice(const Shape *shape, int member)
{
    for (int i = 0; i < shape->member_count; i++) {
        if (i == member || strcasecmp(shape->names[i], shape->names[member]) != 0)
            continue;
        int64_t mine = shape->members[member]->seen, other = shape->members[i]->seen;
        if (other > mine || (other == mine && strcmp(shape->names[i], shape->names[member]) > 0))
            return false;
    }
    return true;
}

static int compare_fields(const void *a, const void *b)
{
    return strcmp(((const TypeField *)a)->name, ((const TypeField *)b)->name);
}

static const Type *shape_struct(const Shape *shape, const FormatOptions *options, Arena *arena, bool sorted)
{
    TypeField *fields = ARENA_ARRAY(arena, TypeField, shape->member_count + 1);
    int count = 0;
    for (int i = 0; i < shape->member_count; i++) {
        if (!is_spelling_of_choice(shape, i))
            continue;
        const Shape *member = shape->members[i];
        const Type *type = shape_type(member, options, arena, sorted);
        if (!type && (member->kinds & (SHAPE_OBJECT | SHAPE_ARRAY)) == 0 && member->kinds && !options->drop_field_if_all_null)
            type = type_simple(TYPE_STRING); /* only NULLs: as Spark */
        if (!type)
            continue;
        fields[count++] = (TypeField){.name = shape->names[i], .type = type, .nullable = true};
    }
    if (sorted && count > 1)
        qsort(fields, (size_t)count, sizeof *fields, compare_fields);
    return type_struct(arena, fields, count);
}

const Type *inference_schema(const FormatInference *inference, const FormatOptions *options, Arena *arena, bool sorted)
{
    return shape_struct(&inference->root, options, arena, sorted);
}

/* ---- wider ---- */

static int find_field(const Type *type, const char *name)
{
    for (int i = 0; i < type->field_count; i++)
        if (strcasecmp(type->fields[i].name, name) == 0)
            return i;
    return -1;
}

/* A number's type with room for the numbers of the shape, as far as wider can make it. */
static const Type *widen_number(const Type *known, const Shape *shape, const FormatOptions *options, FormatWider wider)
{
    int whole = shape->whole_digits < 20 ? 20 : shape->whole_digits > 38 ? 38 : shape->whole_digits; /* those of fractions may be more */
    int digits = shape->whole_digits + shape->scale;
    const Type *found[] = {
        shape->kinds & SHAPE_INTEGER ? type_simple(TYPE_LONG) : NULL,
        shape->kinds & SHAPE_BIG ? type_decimal(whole, 0) : NULL,
        !(shape->kinds & SHAPE_FRACTION)                       ? NULL
        : options->prefers_decimal && digits && digits <= 38 ? type_decimal(digits, shape->scale)
                                                               : type_simple(TYPE_DOUBLE),
    };
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        const Type *type = found[i] && type_is_numeric(known) ? wider(known, found[i]) : NULL;
        known = type ? type : known;
    }
    return known;
}

static const Type *widen(const Type *known, const Shape *shape, const FormatOptions *options, FormatWider wider, Arena *arena, bool sorted)
{
    if (known->kind == TYPE_ARRAY && shape->element) {
        const Type *element = widen(known->element, shape->element, options, wider, arena, sorted);
        return element == known->element ? known : type_array(arena, element, known->element_nullable);
    }
    if (known->kind != TYPE_STRUCT)
        return wider ? widen_number(known, shape, options, wider) : known;
    TypeField *fields = ARENA_ARRAY(arena, TypeField, known->field_count + shape->member_count + 1);
    int count = 0;
    bool changed = false;
    for (int i = 0; i < known->field_count; i++) {
        fields[count] = known->fields[i];
        for (int m = 0; m < shape->member_count; m++)
            if (strcmp(shape->names[m], known->fields[i].name) == 0)
                fields[count].type = widen(known->fields[i].type, shape->members[m], options, wider, arena, sorted);
        changed |= fields[count].type != known->fields[i].type;
        count++;
    }
    int old = count;
    for (int m = 0; m < shape->member_count; m++) {
        if (find_field(known, shape->names[m]) >= 0 || !is_spelling_of_choice(shape, m))
            continue; /* known, or known with other case: rescued */
        const Type *type = shape_type(shape->members[m], options, arena, sorted);
        if (!type)
            continue;
        fields[count++] = (TypeField){.name = shape->names[m], .type = type, .nullable = true};
        changed = true;
    }
    if (!changed)
        return known;
    if (sorted && count - old > 1)
        qsort(fields + old, (size_t)(count - old), sizeof *fields, compare_fields);
    return type_struct(arena, fields, count);
}

const Type *schema_widen(const Type *known, const FormatInference *inference, const FormatOptions *options, FormatWider wider, Arena *arena, bool sorted)
{
    return widen(known, &inference->root, options, wider, arena, sorted);
}

const Type *schema_apply_hints(const Type *schema, const Type *hints, Arena *arena)
{
    TypeField *fields = ARENA_ARRAY(arena, TypeField, schema->field_count + hints->field_count + 1);
    int count = schema->field_count;
    for (int i = 0; i < count; i++)
        fields[i] = schema->fields[i];
    for (int h = 0; h < hints->field_count; h++) {
        int i = find_field(schema, hints->fields[h].name);
        if (i < 0) {
            fields[count++] = hints->fields[h];
            continue;
        }
        if (hints->fields[h].type->kind == TYPE_STRUCT && fields[i].type->kind == TYPE_STRUCT)
            fields[i].type = schema_apply_hints(fields[i].type, hints->fields[h].type, arena);
        else
            fields[i].type = hints->fields[h].type;
    }
    return type_struct(arena, fields, count);
}

const Type *schema_apply_hint(const Type *schema, const Str *path, int depth, const Type *hint, Arena *arena)
{
    if (depth == 0)
        return hint;
    if (!schema || schema->kind == TYPE_STRUCT) { /* NULL: a struct that is not there yet */
        int known = schema ? schema->field_count : 0, at = -1;
        TypeField *fields = ARENA_ARRAY(arena, TypeField, known + 1);
        for (int i = 0; i < known; i++) {
            fields[i] = schema->fields[i];
            if (at < 0 && str_is_nocase(path[0], fields[i].name))
                at = i;
        }
        if (at < 0) {
            at = known++;
            fields[at] = (TypeField){.name = arena_strndup(arena, path[0].ptr, path[0].size), .nullable = true};
        }
        fields[at].type = schema_apply_hint(fields[at].type, path + 1, depth - 1, hint, arena);
        return fields[at].type ? type_struct(arena, fields, known) : NULL;
    }
    if (schema->kind == TYPE_ARRAY && str_is_nocase(path[0], "element")) {
        const Type *element = schema_apply_hint(schema->element, path + 1, depth - 1, hint, arena);
        return element ? type_array(arena, element, schema->element_nullable) : NULL;
    }
    if (schema->kind == TYPE_MAP && (str_is_nocase(path[0], "key") || str_is_nocase(path[0], "value"))) {
        bool key = str_is_nocase(path[0], "key");
        const Type *part = schema_apply_hint(key ? schema->key : schema->element, path + 1, depth - 1, hint, arena);
        return !part ? NULL : key ? type_map(arena, part, schema->element, schema->element_nullable) : type_map(arena, schema->key, part, schema->element_nullable);
    }
    return NULL;
}

const Type *schema_add(const Type *known, const Type *more, FormatWider wider, Arena *arena)
{
    if (known->kind == TYPE_ARRAY && more->kind == TYPE_ARRAY) {
        const Type *element = schema_add(known->element, more->element, wider, arena);
        return element == known->element ? known : type_array(arena, element, known->element_nullable);
    }
    if (wider && known->kind == TYPE_MAP && more->kind == TYPE_MAP) {
        const Type *element = schema_add(known->element, more->element, wider, arena);
        return element == known->element ? known : type_map(arena, known->key, element, known->element_nullable);
    }
    if (known->kind != TYPE_STRUCT || more->kind != TYPE_STRUCT) {
        const Type *type = wider ? wider(known, more) : NULL;
        return type ? type : known;
    }
    TypeField *fields = ARENA_ARRAY(arena, TypeField, known->field_count + more->field_count + 1);
    int count = known->field_count;
    bool changed = false;
    for (int i = 0; i < count; i++)
        fields[i] = known->fields[i];
    for (int i = 0; i < more->field_count; i++) {
        int at = find_field(known, more->fields[i].name);
        if (at < 0) {
            fields[count++] = more->fields[i];
            changed = true;
            continue;
        }
        fields[at].type = schema_add(known->fields[at].type, more->fields[i].type, wider, arena);
        changed |= fields[at].type != known->fields[at].type;
    }
    return changed ? type_struct(arena, fields, count) : known;
}
