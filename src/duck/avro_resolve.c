/* duck/avro_resolve.c - see avro_plan.h */
#include "duck/avro_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- places ---- */

static void place_init(Arena *arena, AvroPlace *place, const Type *type)
{
    *place = (AvroPlace){.type = type};
    place->count = type->kind == TYPE_STRUCT ? type->field_count : type->kind == TYPE_ARRAY ? 1 : type->kind == TYPE_MAP ? 2 : 0;
    place->children = ARENA_ARRAY(arena, AvroPlace, place->count + 1);
    for (int i = 0; i < place->count; i++)
        place_init(arena, &place->children[i],
                   type->kind == TYPE_STRUCT                    ? type->fields[i].type
                   : type->kind == TYPE_MAP && i == 0 ? type->key
                                                                : type->element);
    place->has_lists = type->kind == TYPE_ARRAY || type->kind == TYPE_MAP;
    for (int i = 0; i < place->count; i++)
        place->has_lists |= place->children[i].has_lists;
}

AvroPlace *avro_place_new(Arena *arena, const Type *type)
{
    AvroPlace *place = ARENA_NEW(arena, AvroPlace);
    place_init(arena, place, type);
    return place;
}

void avro_place_bind(AvroPlace *place, Column *column)
{
    place->column = column;
    place->used = place->reserved = 0;
    for (int i = 0; i < place->count; i++)
        avro_place_bind(&place->children[i], column ? &column->children[i] : NULL);
}

void avro_place_settle(AvroPlace *place)
{
    if (!place->column)
        return;
    if (place->type->kind == TYPE_ARRAY || place->type->kind == TYPE_MAP)
        column_list_reserve(place->column, place->used);
    for (int i = 0; i < place->count; i++)
        avro_place_settle(&place->children[i]);
}

void avro_place_mark(AvroPlace *place)
{
    if (!place->has_lists)
        return;
    place->marked = place->used;
    for (int i = 0; i < place->count; i++)
        avro_place_mark(&place->children[i]);
}

void avro_place_undo(AvroPlace *place)
{
    if (!place->has_lists)
        return;
    place->used = place->marked;
    for (int i = 0; i < place->count; i++)
        avro_place_undo(&place->children[i]);
}

/* ---- defaults ---- */

static void put_long(StrBuf *out, int64_t value)
{
    uint64_t v = (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
    for (; v >= 0x80; v >>= 7)
        str_buf_putc(out, (char)(v | 0x80));
    str_buf_putc(out, (char)v);
}

/* Bytes as JSON has them: the code points 0 to 255. */
static bool put_bytes(StrBuf *out, Str text, int64_t size)
{
    StrBuf bytes = {0};
    bool good = true;
    for (size_t i = 0; i < text.size && good; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c >= 0x80) {
            good = (c == 0xC2 || c == 0xC3) && i + 1 < text.size;
            c = good ? (unsigned char)((c & 3) << 6 | (text.ptr[++i] & 0x3F)) : 0;
        }
        str_buf_putc(&bytes, (char)c);
    }
    good &= size < 0 || (int64_t)bytes.size == size;
    if (size < 0)
        put_long(out, (int64_t)bytes.size);
    str_buf_add(out, str_buf_text(&bytes), bytes.size);
    str_buf_fini(&bytes);
    return good;
}

static bool put_integer(StrBuf *out, const Json *json, int64_t least, int64_t most)
{
    int64_t value = json_int(json, 0);
    if (json_kind(json) != JSON_NUMBER || value != json_int(json, 1) || value < least || value > most)
        return false;
    put_long(out, value);
    return true;
}

static bool put_floating(StrBuf *out, const Json *json, bool is_double)
{
    Str text = json_str(json, "");
    double value = str_is(text, "NaN") ? __builtin_nan("") : str_is(text, "Infinity") ? __builtin_inf() : str_is(text, "-Infinity") ? -__builtin_inf() : json_double(json, 0);
    float narrow = (float)value;
    if (json_kind(json) != JSON_NUMBER && (json_kind(json) != JSON_STRING || value - value == 0))
        return false;
    str_buf_add(out, is_double ? (const char *)&value : (const char *)&narrow, is_double ? sizeof value : sizeof narrow);
    return true;
}

/* A default's JSON as Avro of its type: false, it is no value of it. */
static bool encode(StrBuf *out, const AvroType *type, const Json *json)
{
    JsonKind kind = json_kind(json);
    Str text = json_str(json, "");
    switch (type->kind) {
    case AVRO_NULL:
        return kind == JSON_NULL;
    case AVRO_BOOLEAN:
        str_buf_putc(out, json_bool(json, false));
        return kind == JSON_BOOL;
    case AVRO_INT:
        return put_integer(out, json, INT32_MIN, INT32_MAX);
    case AVRO_LONG:
        return put_integer(out, json, INT64_MIN, INT64_MAX);
    case AVRO_FLOAT:
    case AVRO_DOUBLE:
        return put_floating(out, json, type->kind == AVRO_DOUBLE);
    case AVRO_BYTES:
        return kind == JSON_STRING && put_bytes(out, text, -1);
    case AVRO_FIXED:
        return kind == JSON_STRING && put_bytes(out, text, type->size);
    case AVRO_STRING:
        put_long(out, (int64_t)text.size);
        str_buf_str(out, text);
        return kind == JSON_STRING;
    case AVRO_ENUM:
        for (int i = 0; i < type->count; i++)
            if (kind == JSON_STRING && str_is(text, type->names[i])) {
                put_long(out, i);
                return true;
            }
        return false;
    case AVRO_ARRAY:
    case AVRO_MAP:
        if (kind != (type->kind == AVRO_ARRAY ? JSON_ARRAY : JSON_OBJECT))
            return false;
        if (json_size(json))
            put_long(out, json_size(json));
        for (int i = 0; i < json_size(json); i++) {
            if (kind == JSON_OBJECT) {
                Str key = json_member_key(json, i);
                put_long(out, (int64_t)key.size);
                str_buf_str(out, key);
            }
            if (!encode(out, type->children[0], kind == JSON_OBJECT ? json_member_value(json, i) : json_at(json, i)))
                return false;
        }
        put_long(out, 0);
        return true;
    case AVRO_UNION:
        for (int i = 0; i < type->count; i++) { /* the first branch that it is a value of */
            size_t before = out->size;
            put_long(out, i);
            if (encode(out, type->children[i], json))
                return true;
            out->size = before;
        }
        return false;
    case AVRO_RECORD:
        for (int i = 0; i < type->count; i++) {
            const Json *value = json_get(json, type->names[i]);
            if (!value)
                value = type->field_defaults[i];
            if (!value || !encode(out, type->children[i], value))
                return false;
        }
        return kind == JSON_OBJECT;
    }
    return false;
}

static int encode_default(Arena *arena, const AvroType *record, int field, Str *out, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf bytes = {0};
    silt_auto(str_buf_fini) StrBuf json = {0};
    if (encode(&bytes, record->children[field], record->field_defaults[field])) {
        *out = arena_str(arena, (Str){str_buf_text(&bytes), bytes.size});
        return 0;
    }
    json_put(&json, record->field_defaults[field]);
    return silt_fail(err, SILT_INPUT, "the default of field \"%s\" of %s is no %s: %s", record->names[field], avro_type_text(record, arena),
                     avro_type_text(record->children[field], arena), str_buf_text(&json));
}

int avro_check_defaults(Arena *arena, const AvroType *type, SiltErr *err)
{
    for (int i = 0; type->kind >= AVRO_ARRAY && i < type->count; i++) {
        Str bytes;
        SILT_TRY(avro_check_defaults(arena, type->children[i], err));
        if (type->kind == AVRO_RECORD && type->field_defaults[i])
            SILT_TRY(encode_default(arena, type, i, &bytes, err));
    }
    return 0;
}

/* ---- resolution ---- */

typedef struct Resolver {
    Arena *arena;
    const char *path[64]; /* names of the fields around */
    int depth;
    SiltErr *err;
} Resolver;

static int resolve(Resolver *r, const AvroType *from, const AvroType *as, AvroPlace *to, AvroPlan *plan);

static int mismatch(Resolver *r, const AvroType *from, const AvroType *as, const char *why)
{
    silt_auto(str_buf_fini) StrBuf path = {0};
    for (int i = 0; i < r->depth && i < 64; i++)
        str_buf_printf(&path, "%s%s", i ? "." : "", r->path[i]);
    silt_fail(r->err, SILT_INPUT, "field \"%s\" was written as %s, and cannot be read as %s%s%s", str_buf_text(&path), avro_type_text(from, r->arena),
              avro_type_text(as, r->arena), why ? ": " : "", why ? why : "");
    return silt_hint(r->err, "Give it a type that this one can be promoted to, or both types as a union.");
}

static const char *short_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

static bool has_alias(const Json *aliases, const char *name)
{
    for (int i = 0; i < json_size(aliases); i++)
        if (strcmp(short_name(json_cstr(json_at(aliases, i), "")), short_name(name)) == 0)
            return true;
    return false;
}

static bool names_match(const AvroType *from, const AvroType *as)
{
    return strcmp(short_name(from->name), short_name(as->name)) == 0 || has_alias(as->aliases, from->name);
}

static bool can_promote(AvroKind from, AvroKind as)
{
    switch (from) {
    case AVRO_INT:
        return as == AVRO_LONG || as == AVRO_FLOAT || as == AVRO_DOUBLE;
    case AVRO_LONG:
        return as == AVRO_FLOAT || as == AVRO_DOUBLE;
    case AVRO_FLOAT:
        return as == AVRO_DOUBLE;
    case AVRO_STRING:
        return as == AVRO_BYTES;
    case AVRO_BYTES:
        return as == AVRO_STRING;
    default:
        return false;
    }
}

/* The branch of the reader's union that a value of this type is read as; -1: none. */
static int find_branch(Resolver *r, const AvroType *from, const AvroType *as)
{
    for (int i = 0; i < as->count; i++)
        if (as->children[i]->kind == from->kind && (!from->name || names_match(from, as->children[i])))
            return i;
    for (int i = 0; from->kind == AVRO_RECORD && i < as->count; i++) { /* of another name, and like it inside */
        AvroPlan plan;
        SiltErr err, *before = r->err;
        int depth = r->depth;
        r->err = &err;
        bool like = as->children[i]->kind == AVRO_RECORD && resolve(r, from, as->children[i], NULL, &plan) == 0;
        r->err = before;
        r->depth = depth;
        if (like)
            return i;
    }
    for (int i = 0; i < as->count; i++)
        if (can_promote(from->kind, as->children[i]->kind))
            return i;
    return -1;
}

/* Index in the struct of a union: the branches that are not null are counted. */
static int member_of(const AvroType *as, int branch)
{
    int member = 0;
    for (int i = 0; i < branch; i++)
        member += as->children[i]->kind != AVRO_NULL;
    return as->children[branch]->kind == AVRO_NULL ? -1 : member;
}

static int find_field(const Type *type, const char *name)
{
    for (int i = 0; i < type->field_count; i++)
        if (strcmp(type->fields[i].name, name) == 0)
            return i;
    for (int i = 0; i < type->field_count; i++)
        if (strcasecmp(type->fields[i].name, name) == 0)
            return i;
    return -1;
}

static bool scalar_fits(const AvroType *from, const Type *to)
{
    switch (from->kind) {
    case AVRO_NULL:
        return true;
    case AVRO_BOOLEAN:
        return to->kind == TYPE_BOOLEAN;
    case AVRO_INT:
        if (from->logical == AVRO_DATE)
            return to->kind == TYPE_DATE;
        return to->kind == TYPE_INT || to->kind == TYPE_LONG || to->kind == TYPE_DOUBLE || (to->kind == TYPE_DECIMAL && to->precision - to->scale >= 10);
    case AVRO_LONG:
        if (from->logical == AVRO_MILLIS || from->logical == AVRO_MICROS)
            return to->kind == TYPE_TIMESTAMP;
        if (from->logical != AVRO_PLAIN)
            return to->kind == TYPE_TIMESTAMP_NTZ;
        return to->kind == TYPE_LONG || (to->kind == TYPE_DECIMAL && to->precision - to->scale >= 19);
    case AVRO_FLOAT:
        return to->kind == TYPE_FLOAT || to->kind == TYPE_DOUBLE;
    case AVRO_DOUBLE:
        return to->kind == TYPE_DOUBLE;
    case AVRO_BYTES:
    case AVRO_FIXED:
        if (from->logical == AVRO_DECIMAL)
            return to->kind == TYPE_DECIMAL && to->scale >= from->scale && to->precision - to->scale >= from->precision - from->scale;
        return to->kind == TYPE_BINARY;
    case AVRO_STRING:
        return to->kind == TYPE_STRING || to->kind == TYPE_BINARY;
    case AVRO_ENUM:
        return to->kind == TYPE_STRING;
    default:
        return false;
    }
}

/* The file's type with the reader's meaning of it: symbols, and logical types where the file has none. */
static int as_read(Resolver *r, const AvroType *from, const AvroType *as, const AvroType **out)
{
    if (from->kind != as->kind && !can_promote(from->kind, as->kind))
        return mismatch(r, from, as, NULL);
    if (from->name && !names_match(from, as))
        return mismatch(r, from, as, "another name, and no alias for it");
    if (from->kind == AVRO_FIXED && from->size != as->size)
        return mismatch(r, from, as, "of another size");
    AvroType *type = ARENA_NEW(r->arena, AvroType);
    *type = *from;
    *out = type;
    if (from->logical != AVRO_PLAIN && as->logical != AVRO_PLAIN) {
        if (from->kind != as->kind || (from->logical == AVRO_DECIMAL && (from->precision != as->precision || from->scale != as->scale)))
            return mismatch(r, from, as, NULL);
    } else {
        type->logical = as->logical;
        type->precision = as->precision;
        type->scale = as->scale;
    }
    if (from->kind != AVRO_ENUM)
        return 0;
    type->names = ARENA_ARRAY(r->arena, const char *, from->count + 1);
    for (int i = 0; i < from->count; i++) {
        type->names[i] = as->enum_default;
        for (int k = 0; k < as->count; k++)
            if (strcmp(from->names[i], as->names[k]) == 0)
                type->names[i] = from->names[i];
    }
    return 0;
}

static void add_missing(AvroPlan *plan, int field)
{
    plan->missing[plan->missing_count++] = (AvroMissing){.field = field};
}

static void all_members_missing(Resolver *r, AvroPlan *plan)
{
    plan->missing = ARENA_ARRAY(r->arena, AvroMissing, plan->to->count + 1);
    for (int f = 0; f < plan->to->count; f++)
        add_missing(plan, f); /* then one is set */
}

static AvroPlace *member_place(const AvroPlan *plan, int member)
{
    char name[24];
    snprintf(name, sizeof name, "member%d", member);
    int field = member < 0 ? -1 : find_field(plan->to->type, name);
    return field < 0 ? NULL : &plan->to->children[field];
}

static int resolve_union(Resolver *r, const AvroType *as, AvroPlace *to, AvroPlan *plan)
{
    const AvroType *from = plan->from;
    bool both = as && as->kind == AVRO_UNION;
    plan->fits = to != NULL;
    plan->as_struct = to && to->type->kind == TYPE_STRUCT && (as ? both && avro_is_struct_union(as) : avro_only_branch(from) < 0);
    if (plan->as_struct)
        all_members_missing(r, plan);
    for (int i = 0; i < from->count; i++, plan->count++) {
        AvroPlan *child = &plan->children[i];
        int branch = both ? find_branch(r, from->children[i], as) : i;
        const AvroType *want = !as ? NULL : !both ? as : branch < 0 ? NULL : as->children[branch];
        AvroPlace *place = to;
        if (plan->as_struct)
            place = branch < 0 ? NULL : member_place(plan, member_of(as ? as : from, branch));
        if (!as) {
            SILT_TRY(resolve(r, from->children[i], NULL, place, child));
            continue;
        }
        SiltErr inner, *before = r->err;
        int depth = r->depth;
        r->err = &inner;
        int failed = want ? resolve(r, from->children[i], want, place, child) : mismatch(r, from->children[i], as, "it has no such branch");
        r->err = before;
        r->depth = depth;
        if (failed < 0) /* only its values fail */
            *child = (AvroPlan){.from = from->children[i], .to = place, .refused = arena_strdup(r->arena, inner.message)};
    }
    return 0;
}

/* One type of a file as a branch of the reader's union. */
static int resolve_branch(Resolver *r, const AvroType *from, const AvroType *as, AvroPlace *to, AvroPlan *plan)
{
    int branch = find_branch(r, from, as);
    if (branch < 0)
        return mismatch(r, from, as, "it has no such branch");
    if (!to || !avro_is_struct_union(as) || from->kind == AVRO_NULL)
        return resolve(r, from, as->children[branch], to, plan);
    *plan = (AvroPlan){.from = from, .to = to, .fits = true, .as_struct = true, .implied = true};
    plan->children = ARENA_ARRAY(r->arena, AvroPlan, 1);
    all_members_missing(r, plan);
    AvroPlace *place = member_place(plan, member_of(as, branch));
    plan->count = 1;
    return resolve(r, from, as->children[branch], place, &plan->children[0]);
}

/* The reader's field that a field of the file serves: of its name, else with an alias for it; -1: none. */
static int reader_field(const AvroType *from, int field, const AvroType *as)
{
    for (int i = 0; i < as->count; i++)
        if (strcmp(as->names[i], from->names[field]) == 0)
            return i;
    for (int i = 0; i < as->count; i++) {
        bool itself = false; /* a field that the file has under its own name */
        for (int k = 0; k < from->count && !itself; k++)
            itself = strcmp(as->names[i], from->names[k]) == 0;
        if (!itself && has_alias(as->field_aliases[i], from->names[field]))
            return i;
    }
    return -1;
}

static int add_default(Resolver *r, const AvroType *as, int field, AvroPlan *plan)
{
    int at = plan->to ? find_field(plan->to->type, as->names[field]) : -1;
    if (!as->field_defaults[field]) {
        silt_fail(r->err, SILT_INPUT, "field \"%s\" was not written, and the schema to read with has no default for it", as->names[field]);
        return silt_hint(r->err, "Give it one: {\"name\": \"%s\", \"type\": [\"null\", ...], \"default\": null}, or an alias that is its name there.",
                         as->names[field]);
    }
    if (at < 0)
        return 0; /* nobody wants it */
    AvroPlan *of = ARENA_NEW(r->arena, AvroPlan);
    AvroMissing missing = {.field = at, .plan = of};
    SILT_TRY(encode_default(r->arena, as, field, &missing.bytes, r->err));
    SILT_TRY(resolve(r, as->children[field], as->children[field], &plan->to->children[at], of));
    plan->missing[plan->missing_count++] = missing;
    return 0;
}

static int resolve_record(Resolver *r, const AvroType *as, AvroPlace *to, AvroPlan *plan)
{
    const AvroType *from = plan->from;
    plan->fields = ARENA_ARRAY(r->arena, int, from->count + 1);
    plan->fits = to && to->type->kind == TYPE_STRUCT;
    AvroPlace *inner = plan->fits ? to : NULL;
    bool *served = ARENA_ARRAY(r->arena, bool, (as ? as->count : 0) + 1);
    bool *there = ARENA_ARRAY(r->arena, bool, (inner ? inner->count : 0) + 1);
    for (int i = 0; i < from->count; i++, plan->count++) {
        int of_reader = as ? reader_field(from, i, as) : -1;
        if (of_reader >= 0 && served[of_reader])
            of_reader = -1;
        if (of_reader >= 0)
            served[of_reader] = true;
        const char *name = !as ? from->names[i] : of_reader >= 0 ? as->names[of_reader] : NULL;
        int at = inner && name ? find_field(inner->type, name) : -1;
        if (at >= 0 && there[at])
            at = -1; /* two names that differ by case: the first has it, the other is unknown */
        if (at >= 0)
            there[at] = true;
        plan->fields[i] = at;
        if (r->depth < 64)
            r->path[r->depth] = from->names[i];
        r->depth++;
        SILT_TRY(resolve(r, from->children[i], of_reader >= 0 ? as->children[of_reader] : NULL, at < 0 ? NULL : &inner->children[at], &plan->children[i]));
        r->depth--;
    }
    plan->missing = ARENA_ARRAY(r->arena, AvroMissing, (inner ? inner->count : 0) + 1);
    for (int i = 0; as && i < as->count; i++)
        if (!served[i])
            SILT_TRY(add_default(r, as, i, plan));
    for (int f = 0; inner && f < inner->count; f++) {
        bool has_default = false;
        for (int i = 0; i < plan->missing_count; i++)
            has_default |= plan->missing[i].field == f;
        if (!there[f] && !has_default)
            add_missing(plan, f);
    }
    return 0;
}

static int resolve(Resolver *r, const AvroType *from, const AvroType *as, AvroPlace *to, AvroPlan *plan)
{
    if (as && as->kind == AVRO_UNION && from->kind != AVRO_UNION)
        return resolve_branch(r, from, as, to, plan);
    *plan = (AvroPlan){.from = from, .to = to};
    if (as && as->kind != AVRO_UNION && from->kind != AVRO_UNION && (from->kind < AVRO_ARRAY || from->kind != as->kind)) {
        SILT_TRY(as_read(r, from, as, &plan->from));
        plan->fits = to != NULL; /* whose type is that of `as` */
        return 0;
    }
    plan->fits = to && scalar_fits(from, to->type);
    if (from->kind < AVRO_ARRAY)
        return 0;
    plan->children = ARENA_ARRAY(r->arena, AvroPlan, from->count + 1);
    if (from->kind == AVRO_UNION)
        return resolve_union(r, as, to, plan);
    if (from->kind == AVRO_RECORD)
        return resolve_record(r, as, to, plan);
    bool map = from->kind == AVRO_MAP;
    plan->fits = to && (map ? to->type->kind == TYPE_MAP && to->type->key->kind == TYPE_STRING : to->type->kind == TYPE_ARRAY);
    plan->count = 1;
    return resolve(r, from->children[0], as ? as->children[0] : NULL, plan->fits ? &to->children[map] : NULL, &plan->children[0]);
}

int avro_plan(Arena *arena, const AvroType *from, const AvroType *as, AvroPlace *to, AvroPlan *out, SiltErr *err)
{
    Resolver r = {.arena = arena, .err = err};
    return resolve(&r, from, as, to, out);
}
