/* duck/type.c - making, comparing and printing data types */
#include "duck/type.h"

#include "duck/collation.h"
#include "duck/quote.h"

#include <pthread.h>
#include <string.h>

enum { DECIMAL_PRECISION_MAX = 38, TIME_PRECISION = 6 };

static const Type simple_types[TYPE_STRUCT + 1] = {
    [TYPE_VOID] = {.kind = TYPE_VOID},
    [TYPE_BOOLEAN] = {.kind = TYPE_BOOLEAN},
    [TYPE_BYTE] = {.kind = TYPE_BYTE},
    [TYPE_SHORT] = {.kind = TYPE_SHORT},
    [TYPE_INT] = {.kind = TYPE_INT},
    [TYPE_LONG] = {.kind = TYPE_LONG},
    [TYPE_FLOAT] = {.kind = TYPE_FLOAT},
    [TYPE_DOUBLE] = {.kind = TYPE_DOUBLE},
    [TYPE_STRING] = {.kind = TYPE_STRING},
    [TYPE_BINARY] = {.kind = TYPE_BINARY},
    [TYPE_DATE] = {.kind = TYPE_DATE},
    [TYPE_TIMESTAMP] = {.kind = TYPE_TIMESTAMP},
    [TYPE_TIMESTAMP_NTZ] = {.kind = TYPE_TIMESTAMP_NTZ},
    [TYPE_TIME] = {.kind = TYPE_TIME, .precision = TIME_PRECISION},
    [TYPE_INTERVAL_YM] = {.kind = TYPE_INTERVAL_YM, .from_unit = 0, .to_unit = 1},
    [TYPE_INTERVAL_DT] = {.kind = TYPE_INTERVAL_DT, .from_unit = 0, .to_unit = 3},
    [TYPE_INTERVAL] = {.kind = TYPE_INTERVAL},
    [TYPE_VARIANT] = {.kind = TYPE_VARIANT},
};

const Type *type_simple(TypeKind kind)
{
    silt_assert(kind < TYPE_ARRAY && kind != TYPE_DECIMAL);
    return &simple_types[kind];
}

/* Types that have numbers as parameters are few enough to exist once each. */
static Type decimal_types[DECIMAL_PRECISION_MAX + 1][DECIMAL_PRECISION_MAX + 1];
static Type time_types[TIME_PRECISION + 1];
static Type interval_ym_types[2][2], interval_dt_types[4][4];
static pthread_once_t shared_types_once = PTHREAD_ONCE_INIT;

static void make_shared_types(void)
{
    for (int p = 1; p <= DECIMAL_PRECISION_MAX; p++)
        for (int s = 0; s <= p; s++)
            decimal_types[p][s] = (Type){.kind = TYPE_DECIMAL, .precision = (uint8_t)p, .scale = (uint8_t)s};
    for (int p = 0; p <= TIME_PRECISION; p++)
        time_types[p] = (Type){.kind = TYPE_TIME, .precision = (uint8_t)p};
    for (int to = 0; to < 4; to++)
        for (int from = 0; from <= to; from++) {
            if (to < 2)
                interval_ym_types[from][to] = (Type){.kind = TYPE_INTERVAL_YM, .from_unit = (uint8_t)from, .to_unit = (uint8_t)to};
            interval_dt_types[from][to] = (Type){.kind = TYPE_INTERVAL_DT, .from_unit = (uint8_t)from, .to_unit = (uint8_t)to};
        }
}

const Type *type_time(int precision)
{
    silt_assert(precision >= 0 && precision <= TIME_PRECISION);
    pthread_once(&shared_types_once, make_shared_types);
    return &time_types[precision];
}

const Type *type_decimal(int precision, int scale)
{
    silt_assert(precision >= 1 && precision <= DECIMAL_PRECISION_MAX);
    silt_assert(scale >= 0 && scale <= precision);
    pthread_once(&shared_types_once, make_shared_types);
    return &decimal_types[precision][scale];
}

const Type *type_interval_ym(int from_unit, int to_unit)
{
    silt_assert(from_unit >= 0 && from_unit <= to_unit && to_unit < 2);
    pthread_once(&shared_types_once, make_shared_types);
    return &interval_ym_types[from_unit][to_unit];
}

const Type *type_interval_dt(int from_unit, int to_unit)
{
    silt_assert(from_unit >= 0 && from_unit <= to_unit && to_unit < 4);
    pthread_once(&shared_types_once, make_shared_types);
    return &interval_dt_types[from_unit][to_unit];
}

const Type *type_collated(Arena *arena, int collation, int binding)
{
    static const Type binary[] = {
        [COLLATION_DEFAULT] = {.kind = TYPE_STRING},
        [COLLATION_IMPLICIT] = {.kind = TYPE_STRING, .binding = COLLATION_IMPLICIT},
        [COLLATION_EXPLICIT] = {.kind = TYPE_STRING, .binding = COLLATION_EXPLICIT},
    };

    if (collation == COLLATION_UTF8_BINARY)
        return binding == COLLATION_DEFAULT ? type_simple(TYPE_STRING) : &binary[binding];
    Type *type = ARENA_NEW(arena, Type);
    *type = (Type){.kind = TYPE_STRING, .collation = (uint16_t)collation, .binding = (uint8_t)binding};
    return type;
}

bool type_has_collation(const Type *type)
{
    switch (type->kind) {
    case TYPE_STRING:
        return type->collation != COLLATION_UTF8_BINARY;
    case TYPE_MAP:
        return type_has_collation(type->key) || type_has_collation(type->element);
    case TYPE_ARRAY:
        return type_has_collation(type->element);
    case TYPE_STRUCT:
        for (int i = 0; i < type->field_count; i++)
            if (type_has_collation(type->fields[i].type))
                return true;
        return false;
    default:
        return false;
    }
}

const Type *type_array(Arena *arena, const Type *element, bool element_nullable)
{
    Type *type = ARENA_NEW(arena, Type);
    *type = (Type){.kind = TYPE_ARRAY, .element = element, .element_nullable = element_nullable};
    return type;
}

const Type *type_map(Arena *arena, const Type *key, const Type *value, bool value_nullable)
{
    Type *type = ARENA_NEW(arena, Type);
    *type = (Type){.kind = TYPE_MAP, .key = key, .element = value, .element_nullable = value_nullable};
    return type;
}

const Type *type_struct(Arena *arena, const TypeField *fields, int field_count)
{
    TypeField *copy = ARENA_ARRAY(arena, TypeField, field_count);
    for (int i = 0; i < field_count; i++) {
        copy[i] = fields[i];
        copy[i].name = arena_strdup(arena, fields[i].name);
        copy[i].comment = arena_strdup(arena, fields[i].comment);
        copy[i].metadata_json = arena_strdup(arena, fields[i].metadata_json);
    }
    Type *type = ARENA_NEW(arena, Type);
    *type = (Type){.kind = TYPE_STRUCT, .fields = copy, .field_count = field_count};
    return type;
}

int type_depth(const Type *type)
{
    int most = 0;

    if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
        most = type_depth(type->element);
    if (type->kind == TYPE_MAP) {
        int key = type_depth(type->key);
        most = key > most ? key : most;
    }
    for (int i = 0; type->kind == TYPE_STRUCT && i < type->field_count; i++) {
        int field = type_depth(type->fields[i].type);
        most = field > most ? field : most;
    }
    return most + 1;
}

bool type_has_empty_struct(const Type *type)
{
    if (type->kind == TYPE_MAP && type_has_empty_struct(type->key))
        return true;
    if (type->kind == TYPE_MAP || type->kind == TYPE_ARRAY)
        return type_has_empty_struct(type->element);
    for (int i = 0; type->kind == TYPE_STRUCT && i < type->field_count; i++)
        if (type_has_empty_struct(type->fields[i].type))
            return true;
    return type->kind == TYPE_STRUCT && type->field_count == 0;
}

/* all_nullable: NOT NULL of nested parts is left out. */
static const Type *copy_type(Arena *arena, const Type *type, bool all_nullable)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        return type_array(arena, copy_type(arena, type->element, all_nullable), all_nullable || type->element_nullable);
    case TYPE_MAP:
        return type_map(arena, copy_type(arena, type->key, all_nullable), copy_type(arena, type->element, all_nullable),
                        all_nullable || type->element_nullable);
    case TYPE_STRUCT: {
        const Type *copy = type_struct(arena, type->fields, type->field_count);
        for (int i = 0; i < type->field_count; i++) { /* the fresh copy is still ours to write */
            TypeField *field = (TypeField *)&copy->fields[i];
            field->type = copy_type(arena, type->fields[i].type, all_nullable);
            field->nullable |= all_nullable;
        }
        return copy;
    }
    case TYPE_VARIANT: /* the parts are a file's */
        return type_simple(TYPE_VARIANT);
    case TYPE_STRING:
        return type_collated(arena, type->collation, type->binding);
    default: /* lives for ever */
        return type;
    }
}

const Type *type_copy(Arena *arena, const Type *type)
{
    return copy_type(arena, type, false);
}

const Type *type_copy_nullable(Arena *arena, const Type *type)
{
    return copy_type(arena, type, true);
}

bool type_equal(const Type *a, const Type *b, bool strict)
{
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case TYPE_STRING:
        return a->collation == b->collation;
    case TYPE_DECIMAL:
        return a->precision == b->precision && a->scale == b->scale;
    case TYPE_TIME:
        return a->precision == b->precision;
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
        return a->from_unit == b->from_unit && a->to_unit == b->to_unit;
    case TYPE_ARRAY:
        return (!strict || a->element_nullable == b->element_nullable) && type_equal(a->element, b->element, strict);
    case TYPE_MAP:
        return (!strict || a->element_nullable == b->element_nullable) && type_equal(a->key, b->key, strict) &&
               type_equal(a->element, b->element, strict);
    case TYPE_STRUCT:
        if (a->field_count != b->field_count)
            return false;
        for (int i = 0; i < a->field_count; i++) {
            const TypeField *x = &a->fields[i], *y = &b->fields[i];
            if (strcmp(x->name, y->name) != 0 || (strict && x->nullable != y->nullable) || !type_equal(x->type, y->type, strict))
                return false;
        }
        return true;
    default:
        return true;
    }
}

bool type_is_integral(const Type *type)
{
    return type->kind >= TYPE_BYTE && type->kind <= TYPE_LONG;
}

bool type_is_numeric(const Type *type)
{
    return type->kind >= TYPE_BYTE && type->kind <= TYPE_DECIMAL;
}

int type_field_index(const Type *type, const char *name, bool *ambiguous)
{
    int found = -1;
    if (ambiguous)
        *ambiguous = false;
    for (int i = 0; i < type->field_count; i++) {
        if (!str_is_nocase(str_of(type->fields[i].name), name))
            continue;
        if (found < 0)
            found = i;
        else if (ambiguous)
            *ambiguous = true;
    }
    return found;
}

/* ---- Spark's text ---- */

static const char *const ym_units[] = {"year", "month"};
static const char *const dt_units[] = {"day", "hour", "minute", "second"};

static void print_interval(StrBuf *out, const Type *type, const char *const *units)
{
    str_buf_printf(out, "interval %s", units[type->from_unit]);
    if (type->to_unit != type->from_unit)
        str_buf_printf(out, " to %s", units[type->to_unit]);
}

void type_print(StrBuf *out, const Type *type)
{
    static const char *const names[] = {
        [TYPE_VOID] = "void",
        [TYPE_BOOLEAN] = "boolean",
        [TYPE_BYTE] = "tinyint",
        [TYPE_SHORT] = "smallint",
        [TYPE_INT] = "int",
        [TYPE_LONG] = "bigint",
        [TYPE_FLOAT] = "float",
        [TYPE_DOUBLE] = "double",
        [TYPE_BINARY] = "binary",
        [TYPE_DATE] = "date",
        [TYPE_TIMESTAMP] = "timestamp",
        [TYPE_INTERVAL] = "interval",
        [TYPE_VARIANT] = "variant",
        [TYPE_TIMESTAMP_NTZ] = "timestamp_ntz",
    };
    switch (type->kind) {
    case TYPE_STRING:
        str_buf_puts(out, type->collation == COLLATION_UTF8_BINARY ? "string" : "string collate ");
        if (type->collation != COLLATION_UTF8_BINARY)
            collation_print(out, type->collation);
        break;
    case TYPE_DECIMAL:
        str_buf_printf(out, "decimal(%d,%d)", type->precision, type->scale);
        break;
    case TYPE_TIME:
        str_buf_printf(out, "time(%d)", type->precision);
        break;
    case TYPE_INTERVAL_YM:
        print_interval(out, type, ym_units);
        break;
    case TYPE_INTERVAL_DT:
        print_interval(out, type, dt_units);
        break;
    case TYPE_ARRAY:
        str_buf_puts(out, "array<");
        type_print(out, type->element);
        str_buf_putc(out, '>');
        break;
    case TYPE_MAP:
        str_buf_puts(out, "map<");
        type_print(out, type->key);
        str_buf_putc(out, ',');
        type_print(out, type->element);
        str_buf_putc(out, '>');
        break;
    case TYPE_STRUCT:
        str_buf_puts(out, "struct<");
        for (int i = 0; i < type->field_count; i++) {
            if (i)
                str_buf_putc(out, ',');
            str_buf_puts(out, type->fields[i].name);
            str_buf_putc(out, ':');
            type_print(out, type->fields[i].type);
        }
        str_buf_putc(out, '>');
        break;
    default:
        str_buf_puts(out, names[type->kind]);
    }
}

const char *type_text(Arena *arena, const Type *type)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    type_print(&text, type);
    return arena_strndup(arena, str_buf_text(&text), text.size);
}

/* ---- DuckDB's text ---- */

void type_print_duck(StrBuf *out, const Type *type)
{
    static const char *const names[] = {
        [TYPE_VOID] = "\"NULL\"",
        [TYPE_BOOLEAN] = "BOOLEAN",
        [TYPE_BYTE] = "TINYINT",
        [TYPE_SHORT] = "SMALLINT",
        [TYPE_INT] = "INTEGER",
        [TYPE_LONG] = "BIGINT",
        [TYPE_FLOAT] = "FLOAT",
        [TYPE_DOUBLE] = "DOUBLE",
        [TYPE_STRING] = "VARCHAR",
        [TYPE_BINARY] = "BLOB",
        [TYPE_DATE] = "DATE",
        [TYPE_TIMESTAMP] = "TIMESTAMP WITH TIME ZONE",
        [TYPE_TIMESTAMP_NTZ] = "TIMESTAMP",
        [TYPE_TIME] = "TIME",
        [TYPE_INTERVAL_YM] = "INTEGER",
        [TYPE_INTERVAL_DT] = "BIGINT",
        [TYPE_INTERVAL] = "INTERVAL",
        [TYPE_VARIANT] = "STRUCT(\"metadata\" BLOB, \"value\" BLOB)",
    };
    switch (type->kind) {
    case TYPE_DECIMAL:
        str_buf_printf(out, "DECIMAL(%d,%d)", type->precision, type->scale);
        break;
    case TYPE_ARRAY:
        type_print_duck(out, type->element);
        str_buf_puts(out, "[]");
        break;
    case TYPE_MAP:
        str_buf_puts(out, "MAP(");
        type_print_duck(out, type->key);
        str_buf_puts(out, ", ");
        type_print_duck(out, type->element);
        str_buf_putc(out, ')');
        break;
    case TYPE_STRUCT:
        silt_assert(type->field_count > 0); /* DuckDB has no empty struct: refused by the analyzer */
        str_buf_puts(out, "STRUCT(");
        for (int i = 0; i < type->field_count; i++) {
            if (i)
                str_buf_puts(out, ", ");
            quote_name(out, type->fields[i].name);
            str_buf_putc(out, ' ');
            type_print_duck(out, type->fields[i].type);
        }
        str_buf_putc(out, ')');
        break;
    default:
        str_buf_puts(out, names[type->kind]);
    }
}

bool type_is_variant_parts(const Type *type)
{
    return type->kind == TYPE_STRUCT && type->field_count == 2 && strcmp(type->fields[0].name, "metadata") == 0 &&
           strcmp(type->fields[1].name, "value") == 0 && type->fields[0].type->kind == TYPE_BINARY &&
           type->fields[1].type->kind == TYPE_BINARY;
}

void type_print_json_structure(JsonWriter *w, const Type *type)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    if (type->kind != TYPE_STRUCT) {
        type_print_duck(&text, type);
        json_text_str(w, str_buf_view(&text));
        return;
    }
    json_object(w);
    for (int i = 0; i < type->field_count; i++) {
        json_key(w, type->fields[i].name);
        type_print_json_structure(w, type->fields[i].type);
    }
    json_object_end(w);
}

static void print_quoted(StrBuf *out, const char *name)
{
    bool plain = *name && !(*name >= '0' && *name <= '9');

    for (const char *c = name; *c; c++)
        plain = plain && ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_');
    if (plain) {
        str_buf_puts(out, name);
        return;
    }
    str_buf_putc(out, '`');
    for (const char *c = name; *c; c++)
        str_buf_printf(out, *c == '`' || *c == '"' ? "%c%c" : "%c", *c, *c);
    str_buf_putc(out, '`');
}

/* type_print() with names that can be read again. */
static void print_readable(StrBuf *out, const Type *type)
{
    switch ((int)type->kind) {
    case TYPE_ARRAY:
        str_buf_puts(out, "array<");
        print_readable(out, type->element);
        str_buf_putc(out, '>');
        break;
    case TYPE_MAP:
        str_buf_puts(out, "map<");
        print_readable(out, type->key);
        str_buf_putc(out, ',');
        print_readable(out, type->element);
        str_buf_putc(out, '>');
        break;
    case TYPE_STRUCT:
        str_buf_puts(out, "struct<");
        for (int i = 0; i < type->field_count; i++) {
            str_buf_puts(out, i ? "," : "");
            print_quoted(out, type->fields[i].name);
            str_buf_putc(out, ':');
            print_readable(out, type->fields[i].type);
        }
        str_buf_putc(out, '>');
        break;
    default:
        type_print(out, type);
    }
}

void type_print_in_name(StrBuf *out, const Type *type)
{
    size_t start = out->size;
    unsigned bits = 0, count = 0;
    bool capitals = false;

    print_readable(out, type);
    size_t end = out->size;
    for (size_t i = start; i < end && !capitals; i++)
        capitals = out->ptr[i] >= 'A' && out->ptr[i] <= 'Z';
    if (!capitals)
        return;
    str_buf_putc(out, '~');
    for (size_t i = start; i < end; i++) {
        char c = out->ptr[i];

        if ((c | 0x20) < 'a' || (c | 0x20) > 'z')
            continue;
        bits = bits << 1 | (c <= 'Z');
        if (++count % 4 == 0) {
            str_buf_putc(out, "0123456789abcdef"[bits]);
            bits = 0;
        }
    }
    str_buf_putc(out, "0123456789abcdef"[bits]);
}

Str type_text_of_name(Str name)
{
    size_t end = name.size;

    while (end && ((name.ptr[end - 1] >= '0' && name.ptr[end - 1] <= '9') || (name.ptr[end - 1] >= 'a' && name.ptr[end - 1] <= 'f')))
        end--;
    return end && end < name.size && name.ptr[end - 1] == '~' ? (Str){name.ptr, end - 1} : name;
}

void type_print_sql(StrBuf *out, const Type *type)
{
    if (type->kind == TYPE_ARRAY) {
        str_buf_puts(out, "ARRAY<");
        type_print_sql(out, type->element);
        str_buf_putc(out, '>');
    } else if (type->kind == TYPE_STRUCT) {
        str_buf_puts(out, "STRUCT<");
        for (int i = 0; i < type->field_count; i++) {
            const char *name = type->fields[i].name;
            bool plain = *name && !(*name >= '0' && *name <= '9');
            for (const char *c = name; *c; c++)
                plain = plain && ((*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_');
            str_buf_printf(out, plain ? "%s%s: " : "%s`%s`: ", i ? ", " : "", name);
            type_print_sql(out, type->fields[i].type);
        }
        str_buf_putc(out, '>');
    } else {
        silt_auto(str_buf_fini) StrBuf text = {0};
        type_print(&text, type);
        for (size_t i = 0; i < text.size; i++)
            str_buf_putc(out, text.ptr[i] >= 'a' && text.ptr[i] <= 'z' ? (char)(text.ptr[i] - 32) : text.ptr[i]);
    }
}
