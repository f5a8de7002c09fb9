/* flow/target.c - making, growing and emptying the table that flows write to */
#include "flow/target.h"
#include "base/json.h"
#include "delta/widening.h"
#include <string.h>
#include <strings.h>

enum { ATTEMPTS_MAX = 20 };

/* ---- schemas ---- */

static int merge_types(Arena *arena, const Type *base, const Type *more, bool widen, const Type **out, const char **column)
{
    const Type *inner, *key;

    if (type_equal(base, more, false)) {
        *out = base;
        return 0;
    }
    if (widen && (*out = delta_type_wider(base, more)))
        return 0;
    if (base->kind != more->kind)
        return TARGET_CONFLICT;
    switch (base->kind) {
    case TYPE_STRUCT:
        return target_merge_schema(arena, base, more, widen, out, column);
    case TYPE_ARRAY:
        if (merge_types(arena, base->element, more->element, widen, &inner, column))
            return TARGET_CONFLICT;
        *out = type_array(arena, inner, base->element_nullable || more->element_nullable);
        return 0;
    case TYPE_MAP:
        if (widen ? merge_types(arena, base->key, more->key, true, &key, column) : !type_equal(base->key, more->key, false))
            return TARGET_CONFLICT;
        if (merge_types(arena, base->element, more->element, widen, &inner, column))
            return TARGET_CONFLICT;
        *out = type_map(arena, widen ? key : base->key, inner, base->element_nullable || more->element_nullable);
        return 0;
    default:
        return TARGET_CONFLICT;
    }
}

int target_merge_schema(Arena *arena, const Type *base, const Type *more, bool widen, const Type **out, const char **column)
{
    TypeField *fields = ARENA_ARRAY(arena, TypeField, base->field_count + more->field_count + 1);
    int count = base->field_count;
    bool changed = false;

    for (int i = 0; i < count; i++)
        fields[i] = base->fields[i];
    for (int i = 0; i < more->field_count; i++) {
        const TypeField *field = &more->fields[i];
        int at = type_field_index(base, field->name, NULL);
        if (at < 0) {
            for (at = base->field_count; at < count && strcasecmp(fields[at].name, field->name); at++)
                ;
            if (at == count) {
                fields[count] = *field;
                fields[count++].nullable = true;
                changed = true;
                continue;
            }
        }
        const Type *merged;
        const char *inner = NULL;
        if (merge_types(arena, fields[at].type, field->type, widen, &merged, &inner)) {
            *column = inner ? arena_printf(arena, "%s.%s", field->name, inner) : field->name;
            return TARGET_CONFLICT;
        }
        changed |= merged != fields[at].type;
        fields[at].type = merged;
    }
    *out = changed ? type_struct(arena, fields, count) : base;
    return 0;
}

const Type *target_fill_void(Arena *arena, const Type *type, const Type *table)
{
    if (type->kind == TYPE_VOID)
        return table;
    if (type->kind != table->kind)
        return type;
    switch (type->kind) {
    case TYPE_STRUCT: {
        TypeField *fields = ARENA_ARRAY(arena, TypeField, type->field_count + 1);
        for (int i = 0; i < type->field_count; i++) {
            int at = type_field_index(table, type->fields[i].name, NULL);
            fields[i] = type->fields[i];
            if (at >= 0)
                fields[i].type = target_fill_void(arena, fields[i].type, table->fields[at].type);
        }
        return type_struct(arena, fields, type->field_count);
    }
    case TYPE_ARRAY:
        return type_array(arena, target_fill_void(arena, type->element, table->element), type->element_nullable);
    case TYPE_MAP: {
        const Type *key = target_fill_void(arena, type->key, table->key);
        return type_map(arena, key, target_fill_void(arena, type->element, table->element), type->element_nullable);
    }
    default:
        return type;
    }
}

const Type *target_take_comments(Arena *arena, const Type *base, const Type *more)
{
    bool changed = false;

    if (base->kind != more->kind)
        return base;
    if (base->kind == TYPE_STRUCT) {
        TypeField *fields = ARENA_ARRAY(arena, TypeField, base->field_count + 1);
        for (int i = 0; i < base->field_count; i++) {
            int at = type_field_index(more, base->fields[i].name, NULL);
            fields[i] = base->fields[i];
            if (at < 0)
                continue;
            const char *comment = more->fields[at].comment;
            if (comment && (!fields[i].comment || strcmp(comment, fields[i].comment)))
                fields[i].comment = comment;
            fields[i].type = target_take_comments(arena, fields[i].type, more->fields[at].type);
            changed |= fields[i].comment != base->fields[i].comment || fields[i].type != base->fields[i].type;
        }
        return changed ? type_struct(arena, fields, base->field_count) : base;
    }
    if (base->kind != TYPE_ARRAY && base->kind != TYPE_MAP)
        return base;
    const Type *element = target_take_comments(arena, base->element, more->element);
    const Type *key = base->key ? target_take_comments(arena, base->key, more->key) : NULL;
    if (element == base->element && key == base->key)
        return base;
    return key ? type_map(arena, key, element, base->element_nullable) : type_array(arena, element, base->element_nullable);
}

bool target_widens(const DeltaProperty *properties, int count, const DeltaMetadata *table)
{
    for (int i = 0; i < count; i++)
        if (!strcasecmp(properties[i].key, "delta.enableTypeWidening"))
            return properties[i].value && !strcasecmp(properties[i].value, "true");
    return table && delta_widening_on(table);
}

const Type *target_stored_type(Arena *arena, const Type *wanted, const Type *table)
{
    if (delta_type_widens(wanted, table))
        return table;
    if (wanted->kind != table->kind)
        return wanted;
    switch (wanted->kind) {
    case TYPE_STRUCT: {
        TypeField *fields = ARENA_ARRAY(arena, TypeField, wanted->field_count + 1);
        for (int i = 0; i < wanted->field_count; i++) {
            int at = type_field_index(table, wanted->fields[i].name, NULL);
            fields[i] = wanted->fields[i];
            if (at >= 0)
                fields[i].type = target_stored_type(arena, fields[i].type, table->fields[at].type);
        }
        return type_struct(arena, fields, wanted->field_count);
    }
    case TYPE_ARRAY:
        return type_array(arena, target_stored_type(arena, wanted->element, table->element), wanted->element_nullable);
    case TYPE_MAP: {
        const Type *key = target_stored_type(arena, wanted->key, table->key);
        return type_map(arena, key, target_stored_type(arena, wanted->element, table->element), wanted->element_nullable);
    }
    default:
        return wanted;
    }
}

bool target_takes(const Type *table, const Type *files)
{
    if (table->kind != files->kind)
        return false;
    switch (table->kind) {
    case TYPE_STRUCT:
        for (int i = 0; i < files->field_count; i++) {
            int at = type_field_index(table, files->fields[i].name, NULL);
            if (at >= 0 && !target_takes(table->fields[at].type, files->fields[i].type))
                return false;
        }
        return true;
    case TYPE_ARRAY:
        return target_takes(table->element, files->element);
    case TYPE_MAP:
        return target_takes(table->key, files->key) && target_takes(table->element, files->element);
    default:
        return type_equal(table, files, false);
    }
}

/* NULL: Delta can store it. */
static const char *cannot_store(const Type *type)
{
    const char *found;

    switch (type->kind) {
    case TYPE_VOID:
        return "void";
    case TYPE_TIME:
        return "time";
    case TYPE_INTERVAL:
    case TYPE_INTERVAL_YM:
    case TYPE_INTERVAL_DT:
        return "interval";
    case TYPE_STRING:
        return type_has_collation(type) ? "collated" : NULL;
    case TYPE_ARRAY:
        return cannot_store(type->element);
    case TYPE_MAP:
        found = cannot_store(type->key);
        return found ? found : cannot_store(type->element);
    case TYPE_STRUCT:
        for (int i = 0; i < type->field_count; i++)
            if ((found = cannot_store(type->fields[i].type)))
                return found;
        return NULL;
    default:
        return NULL;
    }
}

int target_check_columns(const char *const *names, const Type *const *types, const SiltPos *positions, int count, bool mapped, SqlErrors *errors)
{
    int before = errors->count;

    for (int i = 0; i < count; i++) {
        SiltPos pos = positions ? positions[i] : (SiltPos){0};
        SiltErr err;
        for (int j = 0; j < i; j++) {
            if (strcasecmp(names[i], names[j]))
                continue;
            silt_fail_at(&err, SILT_CONFIG, pos, "there are two columns \"%s\"", names[i]);
            silt_code(&err, "DELTA_DUPLICATE_COLUMNS_FOUND.METADATA_UPDATE");
            silt_hint(&err, "Give one of them another name with AS. Names that differ only in case are the same.");
            sql_errors_add(errors, &err);
            break;
        }
        if (!*names[i] || (!mapped && strpbrk(names[i], " ,;{}()\n\t="))) {
            silt_fail_at(&err, SILT_CONFIG, pos, "a column of a table cannot be named \"%s\"", names[i]);
            silt_code(&err, "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES");
            silt_hint(&err, "Give it a name with AS: none of the characters ,;{}()= and no blank, tab or newline; or give the table the property "
                      "'delta.columnMapping.mode' = 'name'.");
            sql_errors_add(errors, &err);
        }
        if (type_depth(types[i]) > TYPE_DEPTH_MAX) {
            silt_fail_at(&err, SILT_CONFIG, pos, "a table cannot hold column \"%s\": its type is nested deeper than %d levels", names[i], TYPE_DEPTH_MAX);
            silt_hint(&err, "Keep what is so deep as text: to_json(...).");
            sql_errors_add(errors, &err);
        }
        const char *kind = cannot_store(types[i]);
        if (kind) {
            silt_fail_at(&err, SILT_CONFIG, pos, "a table cannot hold column \"%s\" of type %s", names[i], type_text(errors->arena, types[i]));
            silt_code(&err, "DELTA_UNSUPPORTED_DATA_TYPES");
            silt_hint(&err, !strcmp(kind, "void")       ? "Give it a type: CAST(NULL AS STRING)."
                            : !strcmp(kind, "collated") ? "Store it without its collation: x COLLATE UTF8_BINARY; say COLLATE where it is read."
                                                        : "Cast it to a type that Delta stores.");
            sql_errors_add(errors, &err);
        }
    }
    return errors->count > before ? -1 : 0;
}

/* The type, or what is in it, has a NOT NULL inside of an array or map. */
static bool has_buried_not_null(const Type *type, bool buried)
{
    bool found = false;

    if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
        found = has_buried_not_null(type->element, true) || (type->key && has_buried_not_null(type->key, true));
    for (int i = 0; type->kind == TYPE_STRUCT && i < type->field_count && !found; i++)
        found = (buried && !type->fields[i].nullable) || has_buried_not_null(type->fields[i].type, buried);
    return found;
}

int target_check_declared(const char *const *names, const Type *const *types, const SiltPos *positions, int count, bool mapped, SqlErrors *errors)
{
    int r = target_check_columns(names, types, positions, count, mapped, errors);

    for (int i = 0; i < count; i++) {
        SiltErr err;
        if (!has_buried_not_null(types[i], false))
            continue;
        silt_fail_at(&err, SILT_CONFIG, positions[i], "column \"%s\": NOT NULL inside of arrays and maps is not supported", names[i]);
        silt_code(&err, "DELTA_NESTED_NOT_NULL_CONSTRAINT");
        silt_hint(&err, "Leave NOT NULL out there.");
        sql_errors_add(errors, &err);
        r = -1;
    }
    return r;
}

const char *target_forbids_null(Arena *arena, const char *name, const Type *to, const Type *from, bool scalars_later)
{
    const char *found = NULL;

    if (to->kind != from->kind)
        return NULL; /* scalars, or a cast says what is wrong */
    switch (to->kind) {
    case TYPE_MAP:
        found = target_forbids_null(arena, arena_printf(arena, "%s.key", name), to->key, from->key, false);
        if (found)
            return found;
        /* fall through */
    case TYPE_ARRAY:
        name = arena_printf(arena, "%s.%s", name, to->kind == TYPE_MAP ? "value" : "element");
        return !to->element_nullable && from->element_nullable ? name : target_forbids_null(arena, name, to->element, from->element, false);
    case TYPE_STRUCT:
        for (int i = 0; i < to->field_count && i < from->field_count && !found; i++) {
            const TypeField *field = &to->fields[i];
            const char *path = arena_printf(arena, "%s.%s", name, field->name);
            bool told = scalars_later && field->type->kind < TYPE_VARIANT;
            found = !field->nullable && from->fields[i].nullable && !told ? path
                                                                        : target_forbids_null(arena, path, field->type, from->fields[i].type, scalars_later);
        }
        return found;
    default:
        return NULL;
    }
}

DeltaProperty *target_mapping(const TargetWant *want)
{
    for (int i = 0; i < want->property_count; i++)
        if (!strcmp(want->properties[i].key, "delta.columnMapping.mode") && strcasecmp(want->properties[i].value, "none"))
            return &want->properties[i];
    return NULL;
}

int target_shape_properties(const TargetWant *want, const DeltaSnapshot *table, DeltaProperty *out)
{
    const DeltaProperty *mapping = target_mapping(want);
    int count = 0;

    if (mapping)
        out[count++] = *mapping;
    if (target_widens(want->properties, want->property_count, table ? table->metadata : NULL))
        out[count++] = (DeltaProperty){"delta.enableTypeWidening", "true"};
    return count;
}

/* ---- the folder ---- */

int target_folder(Io *io, const char *path, SiltErr *err)
{
    Arena *arena = arena_new();
    IoList list = {0};
    int r = io_list(io, path, arena, &list, err);

    if (r == IO_ABSENT)
        r = 0;
    for (int i = 0; r == 0 && i < list.count; i++)
        if (list.entries[i].name[0] != '.' && list.entries[i].name[0] != '_')
            r = TARGET_OCCUPIED;
    arena_free(arena);
    return r;
}

/* ---- commits ---- */

static void properties_text(StrBuf *out, const DeltaProperty *properties, int count)
{
    JsonWriter w = {.out = out};

    json_object(&w);
    for (int i = 0; i < count; i++)
        json_member(&w, properties[i].key, properties[i].value);
    json_object_end(&w);
}

static void names_text(StrBuf *out, const char *const *names, int count)
{
    JsonWriter w = {.out = out};

    json_array(&w);
    for (int i = 0; i < count; i++)
        json_text(&w, names[i]);
    json_array_end(&w);
}

int target_create(Io *io, DeltaTable *table, const TargetWant *want, SiltErr *err)
{
    silt_auto(delta_txn_freep) DeltaTxn *txn = NULL;
    silt_auto(str_buf_fini) StrBuf partitions = {0}, properties = {0};
    DeltaMetadata metadata = {
        .description = want->comment,
        .schema = want->schema,
        .partition_columns = want->partition_columns,
        .partition_count = want->partition_count,
        .configuration = want->properties,
        .configuration_count = want->property_count,
    };
    int64_t version;

    int r = target_folder(io, want->path, err);
    if (r == TARGET_OCCUPIED && delta_table_refresh(table, err) == 0)
        return DELTA_CONFLICT; /* made, and filled, since the caller has looked */
    if (r == TARGET_OCCUPIED) {
        silt_fail_at(err, SILT_CONFIG, want->pos, "folder \"%s\" of table \"%s\" is not empty and holds no Delta table", want->path, want->name);
        silt_code(err, "DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION");
        return silt_hint(err, "Move what is in it, or give the table another name.");
    }
    SILT_TRY(r);
    SILT_TRY(delta_txn_begin(table, &txn, err));
    SILT_TRY(delta_txn_create(txn, &metadata, err));
    delta_txn_operation(txn, "CREATE TABLE");
    names_text(&partitions, want->partition_columns, want->partition_count);
    properties_text(&properties, want->properties, want->property_count);
    delta_txn_parameter(txn, "partitionBy", str_buf_text(&partitions));
    delta_txn_parameter(txn, "clusterBy", "[]");
    delta_txn_parameter(txn, "description", want->comment);
    delta_txn_parameter(txn, "isManaged", "true");
    delta_txn_parameter(txn, "properties", str_buf_text(&properties));
    return delta_txn_commit(txn, &version, err);
}

static bool same_partitions(const TargetWant *want, const DeltaMetadata *metadata)
{
    if (want->partition_count != metadata->partition_count)
        return false;
    for (int i = 0; i < want->partition_count; i++)
        if (strcasecmp(want->partition_columns[i], metadata->partition_columns[i]))
            return false;
    return true;
}

static bool same_properties(const TargetWant *want, const DeltaSnapshot *snapshot)
{
    const char *description = snapshot->metadata->description;

    for (int i = 0; i < want->property_count; i++) {
        const char *value = delta_snapshot_property(snapshot, want->properties[i].key);
        if (!value || strcmp(value, want->properties[i].value))
            return false;
    }
    return !want->comment || (description && !strcmp(want->comment, description));
}

/* The table's metadata with the wanted comment and properties on top. */
static DeltaMetadata with_properties(Arena *arena, const TargetWant *want, const DeltaMetadata *old)
{
    DeltaMetadata metadata = *old;
    int capacity = 0;

    metadata.configuration = NULL;
    metadata.configuration_count = 0;
    for (int i = 0; i < old->configuration_count; i++)
        ARENA_PUSH(arena, metadata.configuration, metadata.configuration_count, capacity, old->configuration[i]);
    for (int i = 0; i < want->property_count; i++) {
        int at = 0;
        while (at < metadata.configuration_count && strcmp(metadata.configuration[at].key, want->properties[i].key))
            at++;
        if (at < metadata.configuration_count)
            metadata.configuration[at] = want->properties[i];
        else
            ARENA_PUSH(arena, metadata.configuration, metadata.configuration_count, capacity, want->properties[i]);
    }
    if (want->comment)
        metadata.description = want->comment;
    return metadata;
}

int target_add_columns(DeltaTxn *txn, Arena *arena, const TargetWant *want, bool *added, SiltErr *err)
{
    const DeltaMetadata *now = delta_txn_metadata(txn);
    const Type *old = now->schema, *merged;
    const char *column = NULL;

    *added = false;
    if (target_merge_schema(arena, old, want->schema, delta_widening_on(now), &merged, &column)) {
        silt_fail_at(err, SILT_CONFIG, want->pos, "column \"%s\" of table \"%s\" has another type", column, want->name);
        silt_code(err, "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE");
        if (!delta_widening_on(now) && target_merge_schema(arena, old, want->schema, true, &merged, &column) == 0)
            return silt_hint(err, TARGET_WIDENING_HINT);
        return silt_hint(err, "Cast it in the query to the table's type, or give it another name.");
    }
    if (merged == old)
        return 0;
    *added = true;
    int kept = 0;
    while (kept < old->field_count && merged->fields[kept].type == old->fields[kept].type)
        kept++;
    if (kept == old->field_count)
        return delta_txn_add_columns(txn, merged->fields + kept, merged->field_count - kept, err);
    DeltaMetadata metadata = *now; /* a struct has grown inside, or a type is wider */
    metadata.schema = delta_widening_note(arena, old, merged);
    return delta_txn_set_metadata(txn, &metadata, err);
}

int target_check_partitions(const TargetWant *want, const DeltaMetadata *table, SiltErr *err)
{
    if (same_partitions(want, table))
        return 0;
    silt_fail_at(err, SILT_CONFIG, want->pos, "table \"%s\" is partitioned otherwise", want->name);
    silt_code(err, "CANNOT_UPDATE_PARTITION_COLUMNS");
    return silt_hint(err, "Partitioning of a table cannot be changed, but by --full-refresh. Restore PARTITIONED BY, or give the table another name.");
}

static int grow_table(Arena *arena, DeltaTable *table, const TargetWant *want, SiltErr *err)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    silt_auto(delta_txn_freep) DeltaTxn *txn = NULL;
    int64_t version;
    bool added;

    SILT_TRY(target_check_partitions(want, snapshot->metadata, err));
    SILT_TRY(delta_txn_begin(table, &txn, err));
    if (!same_properties(want, snapshot)) { /* first: they say what may become of the columns */
        silt_auto(str_buf_fini) StrBuf properties = {0};
        DeltaMetadata metadata = with_properties(arena, want, snapshot->metadata);
        SILT_TRY(delta_txn_set_metadata(txn, &metadata, err));
        properties_text(&properties, want->properties, want->property_count);
        delta_txn_operation(txn, "SET TBLPROPERTIES");
        delta_txn_parameter(txn, "properties", str_buf_text(&properties));
        return delta_txn_commit(txn, &version, err);
    }
    const Type *commented = target_take_comments(arena, snapshot->metadata->schema, want->schema);
    if (commented != snapshot->metadata->schema) {
        DeltaMetadata metadata = *snapshot->metadata;
        metadata.schema = commented;
        SILT_TRY(delta_txn_set_metadata(txn, &metadata, err));
        delta_txn_operation(txn, "CHANGE COLUMN");
        return delta_txn_commit(txn, &version, err);
    }
    SILT_TRY(target_add_columns(txn, arena, want, &added, err));
    if (!added)
        return 0;
    delta_txn_operation(txn, target_takes(snapshot->metadata->schema, delta_txn_metadata(txn)->schema) ? "ADD COLUMNS" : "CHANGE COLUMN");
    return delta_txn_commit(txn, &version, err);
}

int target_prepare(Io *io, DeltaTable *table, const TargetWant *want, SiltErr *err)
{
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        int64_t before;
        int r = delta_table_refresh(table, err);
        if (r < 0)
            return r;
        if (r == DELTA_ABSENT) {
            r = target_create(io, table, want, err);
        } else {
            if (want->is_view)
                return 0; /* its next content brings its own schema */
            Arena *arena = arena_new();
            before = delta_table_snapshot(table)->version;
            r = grow_table(arena, table, want, err);
            arena_free(arena);
            if (r == 0 && delta_table_snapshot(table)->version == before)
                return 0;
        }
        if (r < 0)
            return r;
        /* done or lost to another writer: look again */
    }
    return silt_fail(err, SILT_TRANSIENT, "lost the race to change table \"%s\" %d times", want->name, ATTEMPTS_MAX);
}

int target_sync(Io *io, const DeltaTable *table, SiltErr *err)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    Arena *arena;

    if (!snapshot)
        return 0;
    arena = arena_new();
    int r = io_sync(io, arena_printf(arena, "%s/_delta_log/%020lld.json", delta_table_path(table), (long long)snapshot->version), err);
    arena_free(arena);
    return r < 0 ? r : 0; /* absent: older than the log's tail, long durable */
}

/* ---- replacing the whole content ---- */

static bool same_comments(const Type *base, const Type *more)
{
    silt_auto(arena_freep) Arena *arena = arena_new();

    return target_take_comments(arena, base, more) == base;
}

bool target_same_shape(const TargetWant *want, const DeltaMetadata *metadata)
{
    if (!same_comments(metadata->schema, want->schema))
        return false;
    if (!type_equal(want->schema, metadata->schema, true) || want->partition_count != metadata->partition_count)
        return false;
    for (int i = 0; i < want->partition_count; i++)
        if (strcmp(want->partition_columns[i], metadata->partition_columns[i]))
            return false;
    for (int i = 0; i < want->property_count; i++) {
        int at = 0;
        while (at < metadata->configuration_count && strcmp(metadata->configuration[at].key, want->properties[i].key))
            at++;
        if (at == metadata->configuration_count || strcmp(metadata->configuration[at].value, want->properties[i].value))
            return false;
    }
    return !want->comment || (metadata->description && !strcmp(want->comment, metadata->description));
}

int target_reshape(DeltaTxn *txn, Arena *arena, const TargetWant *want, const DeltaMetadata *metadata, SiltErr *err)
{
    if (target_same_shape(want, metadata))
        return 0;
    DeltaMetadata made = with_properties(arena, want, metadata);
    made.schema = want->schema;
    made.partition_columns = want->partition_columns;
    made.partition_count = want->partition_count;
    return delta_txn_set_metadata(txn, &made, err);
}

static int truncate_once(Io *io, DeltaTable *table, const char *token, const TargetWant *want, bool begun, SiltErr *err)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    int64_t done = delta_snapshot_txn(snapshot, token), version;
    silt_auto(delta_txn_freep) DeltaTxn *txn = NULL;
    silt_auto(arena_freep) Arena *arena = NULL;

    if (done >= 0 && (begun || !want || target_same_shape(want, snapshot->metadata)))
        return target_sync(io, table, err);
    arena = arena_new();
    SILT_TRY(delta_txn_begin(table, &txn, err));
    if (want)
        SILT_TRY(target_reshape(txn, arena, want, snapshot->metadata, err));
    SILT_TRY(delta_txn_remove_all(txn, err));
    delta_txn_set_txn(txn, token, done + 1);
    delta_txn_operation(txn, "TRUNCATE");
    return delta_txn_commit(txn, &version, err);
}

int target_truncate(Io *io, DeltaTable *table, const char *token, const TargetWant *want, bool begun, SiltErr *err)
{
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        int r = delta_table_refresh(table, err);
        if (r == DELTA_ABSENT)
            return 0;
        SILT_TRY(r);
        r = truncate_once(io, table, token, want, begun, err);
        if (r != DELTA_CONFLICT)
            return r;
    }
    return silt_fail(err, SILT_TRANSIENT, "lost the race to empty table \"%s\" %d times", delta_table_path(table), ATTEMPTS_MAX);
}
