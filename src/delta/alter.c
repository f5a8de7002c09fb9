/*
 * delta/alter.c - one column of a schema added, renamed, dropped (protocol, "Column Mapping") or given a wider type ("Type Widening")
 *
 * Files are never touched: with column mapping they know physical names and ids only, which stay with a field as long as it lives. A name that is
 * given again belongs to another field then, and old files have nothing for it.
 */
#include "delta/internal.h"
#include "delta/mapping.h"
#include "delta/widening.h"

#include <string.h>
#include <strings.h>

typedef enum EditKind { EDIT_ADD, EDIT_RENAME, EDIT_DROP } EditKind;

typedef struct Edit {
    EditKind kind;
    Arena *arena;
    const char *const *path;
    int count;
    const TypeField *field; /* ADD */
    const char *name;       /* RENAME */
    const char *had;        /* RENAME, DROP: as the schema spells the column */
    bool nullable;          /* may the column whose type changes be NULL? */
    SiltErr *err;
} Edit;

static const char *path_text(const Edit *edit)
{
    const char *text = edit->path[0];

    for (int i = 1; i < edit->count; i++)
        text = arena_printf(edit->arena, "%s.%s", text, edit->path[i]);
    return text;
}

static int no_column(const Edit *edit)
{
    silt_fail(edit->err, SILT_CONFIG, "no column \"%s\"", path_text(edit));
    return silt_code(edit->err, "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA");
}

static int is_there(const Edit *edit, const char *name)
{
    silt_fail(edit->err, SILT_CONFIG, "a column \"%s\" is there already", name);
    return silt_code(edit->err, "FIELD_ALREADY_EXISTS");
}

/* The struct that holds the column: what it becomes. */
static int edit_holder(Edit *edit, const Type *type, const Type **out)
{
    TypeField *fields = ARENA_ARRAY(edit->arena, TypeField, type->field_count + 1);
    int count = 0, at = edit->kind == EDIT_ADD ? -1 : type_field_index(type, edit->path[edit->count - 1], NULL);

    if (edit->kind != EDIT_ADD && at < 0)
        return no_column(edit);
    const char *name = edit->kind == EDIT_ADD ? edit->field->name : edit->name;
    if (edit->kind != EDIT_DROP) {
        int other = type_field_index(type, name, NULL);
        if (other >= 0 && other != at)
            return is_there(edit, type->fields[other].name);
    }
    for (int i = 0; i < type->field_count; i++) {
        if (i == at)
            edit->had = type->fields[i].name;
        if (i == at && edit->kind == EDIT_DROP)
            continue;
        fields[count] = type->fields[i];
        if (i == at)
            fields[count].name = name;
        count++;
    }
    if (edit->kind == EDIT_ADD)
        fields[count++] = *edit->field;
    if (!count) {
        silt_fail(edit->err, SILT_CONFIG, "\"%s\" is the last column: it cannot be dropped", path_text(edit));
        return silt_code(edit->err, "DELTA_DROP_COLUMN_ON_SINGLE_FIELD_SCHEMA");
    }
    *out = type_struct(edit->arena, fields, count);
    return 0;
}

/* depth: names of the path that are behind us. */
static int edit_struct(Edit *edit, const Type *type, int depth, const Type **out)
{
    int holder = edit->kind == EDIT_ADD ? edit->count : edit->count - 1;
    const Type *inner;

    if (depth == holder)
        return edit_holder(edit, type, out);
    int at = type_field_index(type, edit->path[depth], NULL);
    if (at < 0)
        return no_column(edit);
    if (type->fields[at].type->kind != TYPE_STRUCT) {
        silt_fail(edit->err, SILT_CONFIG, "column \"%s\" is no struct", type->fields[at].name);
        return silt_hint(edit->err, "Fields within arrays and maps cannot be changed.");
    }
    SILT_TRY(edit_struct(edit, type->fields[at].type, depth + 1, &inner));
    TypeField *fields = ARENA_ARRAY(edit->arena, TypeField, type->field_count);
    for (int i = 0; i < type->field_count; i++)
        fields[i] = type->fields[i];
    fields[at].type = inner;
    *out = type_struct(edit->arena, fields, type->field_count);
    return 0;
}

/* ---- another type ---- */

/* A step of the path into a type; -1: it leads nowhere. */
static int step_index(const Type *type, const char *name)
{
    switch (type->kind) {
    case TYPE_STRUCT:
        return type_field_index(type, name, NULL);
    case TYPE_ARRAY:
        return strcasecmp(name, "element") == 0 ? 0 : -1;
    case TYPE_MAP:
        return strcasecmp(name, "key") == 0 ? 0 : strcasecmp(name, "value") == 0 ? 1 : -1;
    default:
        return -1;
    }
}

/* Spark's rule for a type that takes all values of another, however near: what is not one is refused before Delta is asked. */
static bool can_up_cast(const Type *from, const Type *to)
{
    static const int digits[] = {[TYPE_BYTE] = 3, [TYPE_SHORT] = 5, [TYPE_INT] = 10, [TYPE_LONG] = 20};

    if (type_is_integral(from) && to->kind == TYPE_DECIMAL)
        return to->precision - to->scale >= digits[from->kind];
    if (from->kind == TYPE_DECIMAL && to->kind == TYPE_DECIMAL)
        return delta_type_widens(from, to);
    if (type_is_numeric(from) && type_is_numeric(to))
        return from->kind < to->kind; /* in the order of the kinds */
    return to->kind == TYPE_STRING || (from->kind == TYPE_DATE && (to->kind == TYPE_TIMESTAMP || to->kind == TYPE_TIMESTAMP_NTZ));
}

static int refuse_type(const Edit *edit, const Type *from, const Type *to, bool enabled)
{
    bool widens = delta_type_widens(from, to);

    silt_fail(edit->err, SILT_CONFIG, "cannot change the type of column \"%s\" from %s to %s", path_text(edit), type_text(edit->arena, from),
              type_text(edit->arena, to));
    silt_code(edit->err, widens || can_up_cast(from, to) ? "DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP" : "NOT_SUPPORTED_CHANGE_COLUMN");
    if (widens && !enabled)
        return silt_hint(edit->err, "First ALTER TABLE .. SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true').");
    return silt_hint(edit->err, "Types become wider only: TINYINT, SMALLINT, INT, BIGINT, DECIMAL(20,0); INT, FLOAT, DOUBLE; DECIMAL with more digits on both sides "
                                "of the point; DATE, TIMESTAMP_NTZ.");
}

/* *out is `from` itself where nothing differs. Arrays and maps may be named whole, structs by their fields only. */
static int change_type(const Edit *edit, const Type *from, const Type *to, bool enabled, const Type **out)
{
    const Type *key, *element;

    *out = from;
    if (type_equal(from, to, false))
        return 0;
    if (from->kind == TYPE_STRUCT && to->kind == TYPE_STRUCT) {
        silt_fail(edit->err, SILT_CONFIG, "cannot change the type of column \"%s\": it has a struct", path_text(edit));
        silt_code(edit->err, "CANNOT_UPDATE_FIELD.STRUCT_TYPE");
        return silt_hint(edit->err, "Change its fields, one by one: ALTER COLUMN a.field TYPE .., or a.element.field in an array.");
    }
    if (from->kind == TYPE_ARRAY && to->kind == TYPE_ARRAY) {
        SILT_TRY(change_type(edit, from->element, to->element, enabled, &element));
        *out = type_array(edit->arena, element, from->element_nullable);
        return 0;
    }
    if (from->kind == TYPE_MAP && to->kind == TYPE_MAP) {
        SILT_TRY(change_type(edit, from->key, to->key, enabled, &key));
        SILT_TRY(change_type(edit, from->element, to->element, enabled, &element));
        *out = type_map(edit->arena, key, element, from->element_nullable);
        return 0;
    }
    if (!enabled || !delta_type_widens(from, to))
        return refuse_type(edit, from, to, enabled);
    *out = to;
    return 0;
}

/* depth: names of the path that are behind us. *out is the type itself where nothing differs. */
static int edit_type(Edit *edit, const Type *type, int depth, bool enabled, const Type *to, const Type **out)
{
    const Type *inner;

    if (depth == edit->count)
        return change_type(edit, type, to, enabled, out);
    int at = step_index(type, edit->path[depth]);
    if (at < 0)
        return no_column(edit);
    const Type *part = type->kind == TYPE_STRUCT ? type->fields[at].type : type->kind == TYPE_MAP && at == 0 ? type->key : type->element;
    edit->nullable = type->kind == TYPE_STRUCT ? type->fields[at].nullable : type->kind == TYPE_MAP && at == 0 ? false : type->element_nullable;
    SILT_TRY(edit_type(edit, part, depth + 1, enabled, to, &inner));
    *out = type;
    if (inner == part)
        return 0;
    if (type->kind == TYPE_STRUCT) {
        TypeField *fields = ARENA_ARRAY(edit->arena, TypeField, type->field_count);
        for (int i = 0; i < type->field_count; i++)
            fields[i] = type->fields[i];
        fields[at].type = inner;
        *out = type_struct(edit->arena, fields, type->field_count);
    } else if (type->kind == TYPE_ARRAY) {
        *out = type_array(edit->arena, inner, type->element_nullable);
    } else {
        *out = type_map(edit->arena, at == 0 ? inner : type->key, at == 0 ? type->element : inner, type->element_nullable);
    }
    return 0;
}

static int need_mapping(const DeltaMetadata *metadata, const char *code, const char *verb, SiltErr *err)
{
    if (delta_mapping_on(metadata))
        return 0;
    silt_fail(err, SILT_CONFIG, "cannot %s a column of a table without column mapping: its files know the column by its name", verb);
    silt_code(err, code);
    return silt_hint(err, "First ALTER TABLE .. SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name').");
}

static int partition_of(const DeltaMetadata *metadata, const char *name)
{
    int at = metadata->partition_count - 1;

    while (at >= 0 && strcasecmp(metadata->partition_columns[at], name) != 0)
        at--;
    return at;
}

/* ---- delta.dataSkippingStatsColumns: names of columns, with dots and backticks, parted by commas ---- */

static const char stats_key[] = "delta.dataSkippingStatsColumns";

static bool is_bare(const char *name)
{
    bool bare = *name != 0;
    for (; *name; name++)
        bare &= (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || (*name >= '0' && *name <= '9') || *name == '_';
    return bare;
}

static void put_part(StrBuf *out, const char *name)
{
    if (is_bare(name)) {
        str_buf_puts(out, name);
        return;
    }
    str_buf_putc(out, '`');
    for (; *name; name++)
        str_buf_puts(out, *name == '`' ? "``" : (char[]){*name, 0});
    str_buf_putc(out, '`');
}

/* The parts of the item at *p; *p is then at the comma behind it, or at the end. */
static int take_item(Arena *arena, const char **p, const char ***parts)
{
    int count = 0, capacity = 0;
    silt_auto(str_buf_fini) StrBuf part = {0};
    bool quoted = false, any = false;

    *parts = NULL;
    for (;; ++*p) {
        char c = **p;
        bool end = !c || (!quoted && (c == ',' || c == '.'));
        if (end && any)
            ARENA_PUSH(arena, *parts, count, capacity, arena_strdup(arena, str_buf_text(&part)));
        if (!c || (end && c == ','))
            return count;
        if (end) {
            str_buf_clear(&part);
            any = false;
        } else if (c == '`' && quoted && (*p)[1] == '`') {
            str_buf_putc(&part, '`');
            ++*p;
        } else if (c == '`') {
            quoted = !quoted;
            any = true;
        } else if (quoted || (c != ' ' && c != '\t')) {
            str_buf_putc(&part, c);
            any = true;
        }
    }
}

/* The list after the column of this edit has its new name, or none; in edit->arena. */
static const char *edit_list(const Edit *edit, const char *list)
{
    silt_auto(str_buf_fini) StrBuf out = {0};

    for (const char *p = list;; p++) {
        const char **parts;
        int count = take_item(edit->arena, &p, &parts);
        bool about = count >= edit->count;
        for (int i = 0; about && i < edit->count; i++)
            about = strcasecmp(parts[i], edit->path[i]) == 0;
        if (about && edit->kind == EDIT_RENAME)
            parts[edit->count - 1] = edit->name;
        if (count && !(about && edit->kind == EDIT_DROP)) {
            str_buf_puts(&out, out.size ? "," : "");
            for (int i = 0; i < count; i++) {
                str_buf_puts(&out, i ? "." : "");
                put_part(&out, parts[i]);
            }
        }
        if (!*p)
            return arena_strdup(edit->arena, str_buf_text(&out));
    }
}

/* Which columns have statistics is kept by name: the list follows what becomes of the column. */
static void edit_stats_columns(const Edit *edit, DeltaMetadata *made)
{
    DeltaProperty *properties = ARENA_ARRAY(edit->arena, DeltaProperty, made->configuration_count + 1);

    for (int i = 0; i < made->configuration_count; i++) {
        properties[i] = made->configuration[i];
        if (strcmp(properties[i].key, stats_key) == 0 && properties[i].value)
            properties[i].value = edit_list(edit, properties[i].value);
    }
    made->configuration = properties;
}

int delta_txn_add_column(DeltaTxn *txn, const char *const *path, int count, const TypeField *field, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Edit edit = {.kind = EDIT_ADD, .arena = arena, .path = path, .count = count, .field = field, .err = err};
    DeltaMetadata made = *delta_txn_metadata(txn);

    if (!field->nullable || !type_equal(field->type, type_copy_nullable(arena, field->type), true)) {
        silt_fail(err, SILT_CONFIG, "cannot add column \"%s\" as NOT NULL: the rows that are there have no value for it", field->name);
        return silt_code(err, "DELTA_ADD_NOT_NULL_COLUMN");
    }
    SILT_TRY(edit_struct(&edit, made.schema, 0, &made.schema));
    delta_txn_operation(txn, "ADD COLUMNS");
    return delta_txn_set_metadata(txn, &made, err);
}

int delta_txn_rename_column(DeltaTxn *txn, const char *const *path, int count, const char *name, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Edit edit = {.kind = EDIT_RENAME, .arena = arena, .path = path, .count = count, .name = name, .err = err};
    DeltaMetadata made = *delta_txn_metadata(txn);

    SILT_TRY(need_mapping(&made, "DELTA_UNSUPPORTED_RENAME_COLUMN", "rename", err));
    SILT_TRY(edit_struct(&edit, made.schema, 0, &made.schema));
    int partition = count == 1 ? partition_of(&made, edit.had) : -1;
    if (partition >= 0) {
        const char **columns = ARENA_ARRAY(arena, const char *, made.partition_count);
        for (int i = 0; i < made.partition_count; i++)
            columns[i] = i == partition ? name : made.partition_columns[i];
        made.partition_columns = columns;
    }
    edit_stats_columns(&edit, &made);
    delta_txn_operation(txn, "RENAME COLUMN");
    delta_txn_parameter(txn, "oldColumnPath", path_text(&edit));
    edit.count--; /* of what holds it */
    delta_txn_parameter(txn, "newColumnPath", count == 1 ? name : arena_printf(arena, "%s.%s", path_text(&edit), name));
    return delta__txn_set_mapped(txn, &made, err);
}

int delta_txn_drop_column(DeltaTxn *txn, const char *const *path, int count, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Edit edit = {.kind = EDIT_DROP, .arena = arena, .path = path, .count = count, .err = err};
    DeltaMetadata made = *delta_txn_metadata(txn);

    SILT_TRY(need_mapping(&made, "DELTA_UNSUPPORTED_DROP_COLUMN", "drop", err));
    SILT_TRY(edit_struct(&edit, made.schema, 0, &made.schema));
    if (count == 1 && partition_of(&made, edit.had) >= 0) {
        silt_fail(err, SILT_CONFIG, "cannot drop partition column \"%s\"", edit.had);
        return silt_code(err, "DELTA_UNSUPPORTED_DROP_PARTITION_COLUMN");
    }
    edit_stats_columns(&edit, &made);
    delta_txn_operation(txn, "DROP COLUMNS");
    return delta_txn_set_metadata(txn, &made, err);
}

int delta_txn_change_type(DeltaTxn *txn, const char *const *path, int count, const Type *type, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf text = {0};
    Edit edit = {.arena = arena, .path = path, .count = count, .err = err};
    DeltaMetadata made = *delta_txn_metadata(txn);
    const Type *before = made.schema, *changed;

    SILT_TRY(edit_type(&edit, before, 0, delta_widening_on(&made), type, &changed));
    if (changed == before)
        return 0;
    made.schema = delta_widening_note(arena, before, changed);
    delta_txn_operation(txn, "CHANGE COLUMN");
    JsonWriter w = {.out = &text};
    json_object(&w);
    json_member(&w, "name", path_text(&edit));
    json_key(&w, "type");
    delta__print_type(&w, type);
    json_member_bool(&w, "nullable", edit.nullable);
    json_object_end(&w);
    delta_txn_parameter(txn, "column", str_buf_text(&text));
    return delta_txn_set_metadata(txn, &made, err);
}
