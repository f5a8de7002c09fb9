/* source/parquet_value.c - see parquet_value.h */
#include "source/parquet_value.h"

#include "base/json.h"
#include "duck/parquet_read.h"
#include "duck/quote.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

int parquet_match(const Type *in, const char *name, bool by_case)
{
    int found = -1;
    for (int i = 0; i < in->field_count; i++) {
        if (strcmp(in->fields[i].name, name) == 0)
            return i;
        if (!by_case && found < 0 && strcasecmp(in->fields[i].name, name) == 0)
            found = i;
    }
    return found;
}

static bool is_instant(const Type *type)
{
    return type->kind == TYPE_TIMESTAMP || type->kind == TYPE_TIMESTAMP_NTZ;
}

/* Of types without parts. */
static bool scalar_fits(const Type *from, const Type *to)
{
    static const int digits[] = {[TYPE_BYTE] = 3, [TYPE_SHORT] = 5, [TYPE_INT] = 10, [TYPE_LONG] = 19};

    if (from->kind == TYPE_VOID || type_equal(from, to, false) || (is_instant(from) && is_instant(to)))
        return true;
    if (type_is_integral(from) && type_is_integral(to))
        return from->kind <= to->kind;
    if (type_is_integral(from) && to->kind == TYPE_DECIMAL)
        return to->precision - to->scale >= digits[from->kind];
    if (from->kind == TYPE_DECIMAL && to->kind == TYPE_DECIMAL)
        return to->scale >= from->scale && to->precision - to->scale >= from->precision - from->scale;
    if (to->kind == TYPE_DOUBLE)
        return from->kind == TYPE_FLOAT || (type_is_integral(from) && from->kind <= TYPE_INT);
    return from->kind == TYPE_DATE && to->kind == TYPE_TIMESTAMP_NTZ;
}

static bool has_parts(const Type *type)
{
    return type->kind == TYPE_ARRAY || type->kind == TYPE_MAP || type->kind == TYPE_STRUCT;
}

/* fits, as parquet_fits; lossless: and has `to` a place for all of it? */
static bool holds(const Type *from, const Type *to, bool by_case, bool lossless)
{
    if (!has_parts(from))
        return scalar_fits(from, to);
    if (from->kind != to->kind)
        return to->kind == TYPE_VARIANT && type_is_parquet_variant(from);
    if (from->kind == TYPE_ARRAY)
        return holds(from->element, to->element, by_case, lossless);
    if (from->kind == TYPE_MAP)
        return holds(from->key, to->key, by_case, lossless) && holds(from->element, to->element, by_case, lossless);
    int matched = 0;
    for (int i = 0; i < to->field_count; i++) {
        int at = parquet_match(from, to->fields[i].name, by_case);
        if (at >= 0 && !holds(from->fields[at].type, to->fields[i].type, by_case, lossless))
            return false;
        matched += at >= 0;
    }
    return !lossless || matched == from->field_count;
}

bool parquet_fits(const Type *from, const Type *to, bool by_case)
{
    return holds(from, to, by_case, false);
}

/* ---- values ---- */

static bool has_twins(const Type *type)
{
    for (int i = 0; i < type->field_count; i++)
        for (int k = 0; k < i; k++)
            if (strcasecmp(type->fields[i].name, type->fields[k].name) == 0)
                return true;
    return false;
}

/*
 * Does DuckDB's cast alone do? Not for instants, which it moves by the session's zone where a file has them without one (as INT96 has them, which is
 * no type of ours), nor for structs whose fields it would match otherwise than we do.
 */
static bool cast_does(const Type *from, const Type *to, bool by_case)
{
    if (!has_parts(from))
        return scalar_fits(from, to) && !is_instant(from) && from->kind != TYPE_VARIANT;
    if (from->kind != to->kind)
        return false;
    if (from->kind == TYPE_ARRAY)
        return cast_does(from->element, to->element, by_case);
    if (from->kind == TYPE_MAP)
        return cast_does(from->key, to->key, by_case) && cast_does(from->element, to->element, by_case);
    bool any = false;
    for (int i = 0; i < to->field_count; i++) {
        int at = parquet_match(from, to->fields[i].name, by_case);
        if (at != parquet_match(from, to->fields[i].name, false) ||
            (at >= 0 && !cast_does(from->fields[at].type, to->fields[i].type, by_case)))
            return false;
        any |= at >= 0;
    }
    return any && !has_twins(from);
}

static void put_null(StrBuf *out, const Type *type)
{
    str_buf_puts(out, "CAST(NULL AS ");
    type_print_duck(out, type);
    str_buf_putc(out, ')');
}

static void put_value(StrBuf *out, const char *value, const Type *from, const Type *to, bool by_case, int depth);

static void put_struct(StrBuf *out, const char *value, const Type *from, const Type *to, bool by_case, int depth)
{
    str_buf_printf(out, "CASE WHEN %s IS NOT NULL THEN struct_pack(", value);
    for (int i = 0; i < to->field_count; i++) {
        int at = parquet_match(from, to->fields[i].name, by_case);
        str_buf_puts(out, i ? ", " : "");
        quote_name(out, to->fields[i].name);
        str_buf_puts(out, " := ");
        if (at < 0) {
            put_null(out, to->fields[i].type);
            continue;
        }
        silt_auto(str_buf_fini) StrBuf inner = {0};
        str_buf_printf(&inner, "struct_extract_at(%s, %d)", value, at + 1);
        put_value(out, str_buf_text(&inner), from->fields[at].type, to->fields[i].type, by_case, depth);
    }
    str_buf_puts(out, ") END");
}

static void put_list(StrBuf *out, const char *list, const Type *from, const Type *to, bool by_case, int depth)
{
    char item[16];
    snprintf(item, sizeof item, "x%d", depth);
    str_buf_printf(out, "list_transform(%s, lambda %s: ", list, item);
    put_value(out, item, from, to, by_case, depth + 1);
    str_buf_putc(out, ')');
}

/*
 * Instants go by their microseconds, so that no session zone takes part. The cast is there even where our types are equal: unsigned integers are wider
 * types to us than to DuckDB, for which a cast to the same type costs nothing. depth: of lambdas around, for their names.
 */
static void put_value(StrBuf *out, const char *value, const Type *from, const Type *to, bool by_case, int depth)
{
    if (is_instant(from) && is_instant(to)) {
        str_buf_printf(out, to->kind == TYPE_TIMESTAMP ? "make_timestamptz(epoch_us(%s))" : "make_timestamp(epoch_us(%s))", value);
        return;
    }
    if (to->kind == TYPE_VARIANT && type_is_parquet_variant(from)) {
        parquet_put_variant(out, value, from);
        return;
    }
    bool parts = has_parts(from) && from->kind == to->kind;
    if ((!parts && !scalar_fits(from, to)) || (from->kind == TYPE_MAP && parts && !holds(from->key, to->key, by_case, true))) {
        put_null(out, to); /* a map whose keys do not fit is none */
        return;
    }
    str_buf_puts(out, "CAST(");
    if (!parts || cast_does(from, to, by_case)) {
        str_buf_puts(out, value);
    } else if (from->kind == TYPE_ARRAY) {
        put_list(out, value, from->element, to->element, by_case, depth);
    } else if (from->kind == TYPE_MAP) {
        silt_auto(str_buf_fini) StrBuf list = {0};
        str_buf_printf(out, "CASE WHEN %s IS NOT NULL THEN map(", value);
        str_buf_printf(&list, "map_keys(%s)", value);
        put_list(out, str_buf_text(&list), from->key, to->key, by_case, depth);
        str_buf_puts(out, ", ");
        str_buf_clear(&list);
        str_buf_printf(&list, "map_values(%s)", value);
        put_list(out, str_buf_text(&list), from->element, to->element, by_case, depth);
        str_buf_puts(out, ") END");
    } else {
        put_struct(out, value, from, to, by_case, depth);
    }
    str_buf_puts(out, " AS ");
    type_print_duck(out, to);
    str_buf_putc(out, ')');
}

void parquet_put_value(StrBuf *out, const char *value, const Type *from, const Type *to, bool by_case)
{
    put_value(out, value, from, to, by_case, 0);
}

/* ---- rescued data ---- */

/* The name of a member, as SQL text: '"name":'. */
static void put_member_name(StrBuf *out, const char *name, const char *behind)
{
    silt_auto(str_buf_fini) StrBuf json = {0};

    json_put_str(&json, str_of(name));
    str_buf_putc(&json, ':');
    str_buf_puts(&json, behind);
    quote_text(out, str_buf_view(&json));
}

static bool has_twins_inside(const Type *type)
{
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
        return has_twins_inside(type->element) || (type->kind == TYPE_MAP && has_twins_inside(type->key));
    if (type->kind != TYPE_STRUCT)
        return false;
    for (int i = 0; i < type->field_count; i++)
        if (has_twins_inside(type->fields[i].type))
            return true;
    return has_twins(type);
}

/*
 * A value as exact JSON. No type of DuckDB has two fields whose names differ by case, nor is one a VARIANT: with such ones the JSON is put together here.
 * (In a map the second has the name that DuckDB gives it.)
 */
static void put_json(StrBuf *out, const char *value, const Type *from, int depth)
{
    silt_auto(str_buf_fini) StrBuf inner = {0};

    if (from->kind == TYPE_VARIANT) {
        str_buf_puts(out, "silt_variant_json(");
        parquet_put_variant(out, value, from);
        str_buf_puts(out, ", 0)");
    } else if (from->kind == TYPE_MAP && type_has_marks(from)) {
        str_buf_printf(&inner, "struct_extract(y%d, 'value')", depth);
        str_buf_printf(out, "'{' || array_to_string(list_transform(map_entries(%s), lambda y%d: silt_exact_json(CAST(struct_extract(y%d, 'key') AS VARCHAR)) || ':' || coalesce(",
                       value, depth, depth);
        put_json(out, str_buf_text(&inner), from->element, depth + 1);
        str_buf_puts(out, ", 'null')), ',') || '}'");
    } else if (from->kind == TYPE_MAP || !(has_twins_inside(from) || type_has_marks(from))) {
        str_buf_puts(out, "silt_exact_json(");
        if (has_twins_inside(from))
            str_buf_puts(out, value);
        else
            parquet_put_value(out, value, from, from, true);
        str_buf_putc(out, ')');
    } else if (from->kind == TYPE_ARRAY) {
        str_buf_printf(&inner, "y%d", depth);
        str_buf_printf(out, "'[' || array_to_string(list_transform(%s, lambda %s: coalesce(", value, str_buf_text(&inner));
        put_json(out, str_buf_text(&inner), from->element, depth + 1);
        str_buf_puts(out, ", 'null')), ',') || ']'");
    } else {
        str_buf_printf(out, "CASE WHEN %s IS NOT NULL THEN '{' || ", value);
        for (int i = 0; i < from->field_count; i++) {
            put_member_name(out, from->fields[i].name, "");
            str_buf_puts(out, " || coalesce(");
            str_buf_clear(&inner);
            str_buf_printf(&inner, "struct_extract_at(%s, %d)", value, i + 1);
            put_json(out, str_buf_text(&inner), from->fields[i].type, depth);
            str_buf_puts(out, i + 1 < from->field_count ? ", 'null') || ',' || " : ", 'null') || '}' END");
        }
    }
}

static bool put_members(StrBuf *out, const char *value, bool top, const Type *from, const Type *to, bool by_case);

/* A file's value as a member's. False: nothing of it is wanted. */
static bool put_member(StrBuf *out, const char *value, const TypeField *field, const Type *to, bool by_case)
{
    const Type *from = field->type;

    if (from->kind == TYPE_VOID || (to && holds(from, to, by_case, true)))
        return false;
    if (from->kind == TYPE_STRUCT && to && to->kind == TYPE_STRUCT) {
        silt_auto(str_buf_fini) StrBuf members = {0};
        if (!put_members(&members, value, false, from, to, by_case))
            return false;
        put_member_name(out, field->name, "{");
        str_buf_printf(out, " || NULLIF(%s, '') || '}'", str_buf_text(&members));
        return true;
    }
    put_member_name(out, field->name, "");
    str_buf_puts(out, " || ");
    put_json(out, value, from, 0);
    return true;
}

/* Members of an object, as SQL: concat_ws(',', member, ...), each NULL where there is nothing. False and nothing printed: there never is. */
static bool put_members(StrBuf *out, const char *value, bool top, const Type *from, const Type *to, bool by_case)
{
    bool any = false;
    for (int i = 0; i < from->field_count; i++) {
        const Type *want = NULL;
        for (int k = 0; k < to->field_count && !want; k++)
            if (parquet_match(from, to->fields[k].name, by_case) == i)
                want = to->fields[k].type;
        silt_auto(str_buf_fini) StrBuf inner = {0};
        silt_auto(str_buf_fini) StrBuf member = {0};
        str_buf_printf(&inner, top ? "%s%d" : "struct_extract_at(%s, %d)", value, i + 1);
        if (!put_member(&member, str_buf_text(&inner), &from->fields[i], want, by_case))
            continue;
        str_buf_printf(out, "%s%s", any ? ", " : "concat_ws(',', ", str_buf_text(&member));
        any = true;
    }
    str_buf_puts(out, any ? ")" : "");
    return any;
}

void parquet_put_rescued(StrBuf *out, const char *columns, const Type *from, const Type *to, bool by_case, const char *path)
{
    silt_auto(str_buf_fini) StrBuf members = {0};

    if (put_members(&members, columns, true, from, to, by_case))
        str_buf_printf(out, "'{' || NULLIF(%s, '') || ',\"_file_path\":' || %s || '}'", str_buf_text(&members), path);
    else
        put_null(out, type_simple(TYPE_STRING));
}

/* ---- types ---- */

const Type *parquet_without_twins(const Type *type, Arena *arena)
{
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP) {
        const Type *element = parquet_without_twins(type->element, arena);
        if (element == type->element)
            return type;
        return type->kind == TYPE_ARRAY ? type_array(arena, element, type->element_nullable) : type_map(arena, type->key, element, type->element_nullable);
    }
    if (type->kind != TYPE_STRUCT)
        return type;
    TypeField *fields = ARENA_ARRAY(arena, TypeField, type->field_count + 1);
    int count = 0;
    bool changed = false;
    for (int i = 0; i < type->field_count; i++) {
        bool twin = false;
        for (int k = 0; k < i && !twin; k++)
            twin = strcasecmp(type->fields[i].name, type->fields[k].name) == 0;
        if (twin)
            continue;
        fields[count] = type->fields[i];
        fields[count].type = parquet_without_twins(fields[count].type, arena);
        changed |= fields[count].type != type->fields[i].type;
        count++;
    }
    return changed || count < type->field_count ? type_struct(arena, fields, count) : type;
}

/* NULL: nothing is left. A VARIANT is whole. */
static const Type *typed_part(const Type *type, Arena *arena)
{
    const Type *element = type->kind == TYPE_ARRAY || type->kind == TYPE_MAP ? typed_part(type->element, arena) : NULL;

    switch (type->kind) {
    case TYPE_VOID:
        return NULL;
    case TYPE_ARRAY:
        return !element || element == type->element ? (element ? type : NULL) : type_array(arena, element, type->element_nullable);
    case TYPE_MAP:
        if (!element || typed_part(type->key, arena) != type->key)
            return NULL;
        return element == type->element ? type : type_map(arena, type->key, element, type->element_nullable);
    case TYPE_STRUCT: {
        const Type *typed = parquet_without_void(type, arena);
        return typed->field_count || !type->field_count ? typed : NULL;
    }
    default:
        return type;
    }
}

const Type *parquet_without_void(const Type *type, Arena *arena)
{
    TypeField *fields = ARENA_ARRAY(arena, TypeField, type->field_count + 1);
    int count = 0;
    bool changed = false;

    for (int i = 0; i < type->field_count; i++) {
        const Type *typed = typed_part(type->fields[i].type, arena);

        changed |= typed != type->fields[i].type;
        if (!typed)
            continue;
        fields[count] = type->fields[i];
        fields[count++].type = typed;
    }
    return changed ? type_struct(arena, fields, count) : type;
}

const Type *parquet_add_fields(const Type *known, const Type *found, bool by_case, FormatWider wider, Arena *arena)
{
    const Type *type = wider ? wider(known, found) : NULL;
    if (type)
        return type;
    if (known->kind != found->kind)
        return known;
    if (known->kind == TYPE_ARRAY || known->kind == TYPE_MAP) {
        const Type *element = parquet_add_fields(known->element, found->element, by_case, wider, arena);
        if (element == known->element)
            return known;
        return known->kind == TYPE_ARRAY ? type_array(arena, element, true) : type_map(arena, known->key, element, true);
    }
    if (known->kind != TYPE_STRUCT)
        return known;
    TypeField *fields = ARENA_ARRAY(arena, TypeField, known->field_count + found->field_count + 1);
    int count = known->field_count;
    bool changed = false;
    for (int i = 0; i < count; i++)
        fields[i] = known->fields[i];
    for (int i = 0; i < found->field_count; i++) {
        const Type so_far = {.kind = TYPE_STRUCT, .fields = fields, .field_count = count};
        int at = parquet_match(&so_far, found->fields[i].name, by_case);
        if (at >= 0) {
            fields[at].type = parquet_add_fields(fields[at].type, found->fields[i].type, by_case, wider, arena);
        } else if (parquet_match(&so_far, found->fields[i].name, false) < 0) { /* else it is rescued: no table can have them both */
            fields[count] = found->fields[i];
            fields[count].type = parquet_without_twins(fields[count].type, arena);
            fields[count++].nullable = true;
        }
    }
    for (int i = 0; i < count; i++)
        changed |= i >= known->field_count || fields[i].type != known->fields[i].type;
    return changed ? type_struct(arena, fields, count) : known;
}
