/*
 * delta/scan.c - a snapshot's rows as text for DuckDB
 *
 *   SC1  Columns are asked for by name with the table's types (read_parquet's schema parameter): a file that lacks one gives NULL,
 *        also inside of structs, and a narrower type is widened. With column mapping the names are the physical ones, at all depths; in id mode
 *        top columns are asked for by id.
 *   SC2  Partition values come from the log, by the position of the file in its list.
 *   SC3  A TIMESTAMP is an instant in UTC, also where the file says INT96 or nothing about a zone (footer.c), and whatever the
 *        session's zone is: such files are read as local times and placed in UTC here.
 *   SC4  At most FILES_MAX files a call, since a file costs twice as much among 100,000 as among 1,000; more become a UNION ALL.
 *   SC5  A VARIANT is what a file has as a group of its parts, marked as one or not, whole or shredded: duck/parquet_read.h.
 */
#include "delta/scan.h"

#include <stdio.h>
#include <string.h>

#include "base/uri.h"
#include "delta/internal.h"
#include "delta/mapping.h"
#include "duck/parquet_read.h"
#include "duck/quote.h"

enum { FILES_MAX = 2000 };

enum { TIMES_MAX = 64 }; /* columns with timestamps that are told apart; more are looked at as one */

enum { SCHEMAS_A_CALL_MAX = 500 };

/* How files have the columns in which a VARIANT is. */
typedef struct Form {
    const Type **types; /* by position in columns, as a file has them; NULL: no such column, or no VARIANT in it */
    bool marked;        /* the file marks its VARIANTs */
} Form;

struct scan {
    const DeltaSnapshot *snapshot;
    const Type *physical; /* the schema as files have it: the same, without column mapping */
    bool by_id;
    int time_columns[TIMES_MAX]; /* positions in columns whose type has a TIMESTAMP in it */
    int time_count;
    uint64_t local; /* bit per time column: the files of the current call hold it as local times */
    Form *forms;    /* that were met */
    int form_count, form_capacity;
    const Form *form; /* of the files of the current call; NULL: no VARIANT is asked for */
    const int *columns;
    int column_count;
    const char **paths; /* local, of the files of the current call */
    const DeltaFile *const *files;
    int file_count;
    Arena *arena;
    StrBuf *out;
};

static const Type *column_type(const struct scan *scan, int column)
{
    switch (column) {
    case DELTA_COLUMN_FILE_PATH:
    case DELTA_COLUMN_FILE_NAME:
        return type_simple(TYPE_STRING);
    case DELTA_COLUMN_FILE_SIZE:
    case DELTA_COLUMN_ROW_INDEX:
        return type_simple(TYPE_LONG);
    case DELTA_COLUMN_FILE_MODIFIED:
        return type_simple(TYPE_TIMESTAMP);
    default:
        silt_assert(column >= 0 && column < scan->snapshot->metadata->schema->field_count);
        return scan->snapshot->metadata->schema->fields[column].type;
    }
}

/* The same as files hold it. */
static const Type *stored_type(const struct scan *scan, int column)
{
    return scan->physical->fields[column].type;
}

/* ---- constants by file ---- */

/* A partition value as a literal of its type. Text that is not one is an error: better than a NULL that nobody sees. */
static int print_partition(struct scan *scan, const TypeField *field, const DeltaFile *file, SiltErr *err)
{
    const char *text = delta__partition_value(file, delta_mapping_name(scan->arena, scan->snapshot->metadata, field));
    const Type *type = field->type;
    StrBuf *out = scan->out;

    if (!text || (!*text && type->kind != TYPE_STRING && type->kind != TYPE_BINARY)) {
        str_buf_puts(out, "NULL");
        return 0;
    }
    if (type->kind == TYPE_STRING) {
        quote_text(out, str_of(text));
        return 0;
    }
    if (type->kind == TYPE_BINARY) { /* bytes as characters U+0000 to U+00FF */
        str_buf_puts(out, "unhex('");
        for (const char *p = text, *end = text + strlen(text); p < end;) {
            int length = utf8_length(p, end);
            unsigned byte = length == 2 ? ((unsigned char)p[0] & 0x1fu) << 6 | ((unsigned char)p[1] & 0x3fu) : (unsigned char)p[0];
            str_buf_printf(out, "%02X", byte & 0xff);
            p += length ? length : 1;
        }
        str_buf_puts(out, "')");
        return 0;
    }
    DeltaValue value = delta__value_parse(type, str_of(text));
    if (value.kind == VALUE_NONE)
        return silt_fail(err, SILT_CORRUPT, "partition value '%s' of column \"%s\" in \"%s\" is not a %s", text, field->name,
                         scan->snapshot->table->root, type_text(scan->arena, type));
    switch (type->kind) {
    case TYPE_BOOLEAN:
        str_buf_puts(out, value.integer ? "true" : "false");
        break;
    case TYPE_DATE:
        str_buf_printf(out, "(DATE '1970-01-01' + CAST(%lld AS INTEGER))", (long long)value.integer);
        break;
    case TYPE_TIMESTAMP:
        str_buf_printf(out, "make_timestamptz(CAST(%lld AS BIGINT))", (long long)value.integer);
        break;
    case TYPE_TIMESTAMP_NTZ:
        str_buf_printf(out, "make_timestamp(CAST(%lld AS BIGINT))", (long long)value.integer);
        break;
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        quote_text(out, str_of(text)); /* the cast knows NaN and Infinity */
        break;
    default:
        str_buf_puts(out, "CAST(");
        quote_text(out, str_of(text));
        str_buf_puts(out, " AS ");
        type_print_duck(out, type);
        str_buf_putc(out, ')');
        break;
    }
    return 0;
}

static int print_file_value(struct scan *scan, int column, const DeltaFile *file, SiltErr *err)
{
    const char *path;
    switch (column) {
    case DELTA_COLUMN_FILE_PATH:
        path = delta_file_path(scan->arena, scan->snapshot->table, file);
        quote_text(scan->out, str_of(path[0] == '/' ? uri_from_path(scan->arena, path) : path));
        return 0;
    case DELTA_COLUMN_FILE_NAME:
        quote_text(scan->out, str_of(path_name(file->name)));
        return 0;
    case DELTA_COLUMN_FILE_SIZE:
        str_buf_printf(scan->out, "CAST(%lld AS BIGINT)", (long long)file->size_bytes);
        return 0;
    case DELTA_COLUMN_FILE_MODIFIED:
        str_buf_printf(scan->out, "make_timestamptz(CAST(%lld AS BIGINT))", (long long)file->modified_ms * 1000);
        return 0;
    default:
        return print_partition(scan, &scan->snapshot->metadata->schema->fields[column], file, err);
    }
}

static bool same_partition(const struct scan *scan, int column)
{
    const char *name = scan->physical->fields[column].name;
    const char *first = delta__partition_value(scan->files[0], name);
    for (int i = 1; i < scan->file_count; i++) {
        const char *value = delta__partition_value(scan->files[i], name);
        if (!first != !value || (value && strcmp(first, value) != 0))
            return false;
    }
    return true;
}

/* SC2: one literal when it is the same for all files, else a list of literals by position of the file. */
static int print_constants(struct scan *scan, int column, SiltErr *err)
{
    bool same = scan->file_count == 1 || (column >= 0 && same_partition(scan, column));
    str_buf_puts(scan->out, same ? "CAST(" : "CAST(list_extract([");
    for (int i = 0; i < (same ? 1 : scan->file_count); i++) {
        if (i)
            str_buf_putc(scan->out, ',');
        SILT_TRY(print_file_value(scan, column, scan->files[i], err));
    }
    str_buf_puts(scan->out, same ? " AS " : "], CAST(file_index AS BIGINT) + 1) AS ");
    type_print_duck(scan->out, column_type(scan, column));
    str_buf_putc(scan->out, ')');
    return 0;
}

/* ---- one call ---- */

static bool is_stored(const struct scan *scan, int column)
{
    return column >= 0 && delta_snapshot_partition_index(scan->snapshot, column) < 0 &&
           scan->snapshot->metadata->schema->fields[column].type->kind != TYPE_VOID;
}

static bool contains(const Type *type, TypeKind kind)
{
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
        return contains(type->element, kind) || (type->key && contains(type->key, kind));
    for (int i = 0; type->kind == TYPE_STRUCT && i < type->field_count; i++)
        if (contains(type->fields[i].type, kind))
            return true;
    return type->kind == kind;
}

/* The same type with local times for instants. */
static const Type *local_type(Arena *arena, const Type *type)
{
    switch (type->kind) {
    case TYPE_TIMESTAMP:
        return type_simple(TYPE_TIMESTAMP_NTZ);
    case TYPE_ARRAY:
        return type_array(arena, local_type(arena, type->element), type->element_nullable);
    case TYPE_MAP:
        return type_map(arena, local_type(arena, type->key), local_type(arena, type->element), type->element_nullable);
    case TYPE_STRUCT: {
        TypeField *fields = ARENA_ARRAY(arena, TypeField, type->field_count + 1);
        for (int i = 0; i < type->field_count; i++) {
            fields[i] = type->fields[i];
            fields[i].type = local_type(arena, type->fields[i].type);
        }
        return type_struct(arena, fields, type->field_count);
    }
    default:
        return type;
    }
}

void delta__print_adapted(StrBuf *out, const Type *from, const Type *to, const char *expression, int depth)
{
    silt_auto(str_buf_fini) StrBuf inner = {0};
    if (type_equal(from, to, false)) {
        str_buf_puts(out, expression);
        return;
    }
    if (to->kind == TYPE_VARIANT && from->kind == TYPE_STRUCT) {
        parquet_put_variant(out, expression, from);
        return;
    }
    switch (to->kind) {
    case TYPE_ARRAY:
        str_buf_printf(out, "list_transform(%s, lambda e%d: ", expression, depth);
        str_buf_printf(&inner, "e%d", depth);
        delta__print_adapted(out, from->element, to->element, str_buf_text(&inner), depth + 1);
        str_buf_putc(out, ')');
        return;
    case TYPE_MAP:
        str_buf_printf(out, "map_from_entries(list_transform(map_entries(%s), lambda e%d: struct_pack(k := ", expression, depth);
        str_buf_printf(&inner, "struct_extract(e%d, 'key')", depth);
        delta__print_adapted(out, from->key, to->key, str_buf_text(&inner), depth + 1);
        str_buf_puts(out, ", v := ");
        str_buf_clear(&inner);
        str_buf_printf(&inner, "struct_extract(e%d, 'value')", depth);
        delta__print_adapted(out, from->element, to->element, str_buf_text(&inner), depth + 1);
        str_buf_puts(out, ")))");
        return;
    case TYPE_STRUCT:
        str_buf_printf(out, "CASE WHEN %s IS NOT NULL THEN struct_pack(", expression);
        for (int i = 0; i < to->field_count; i++) {
            str_buf_clear(&inner);
            str_buf_printf(&inner, "struct_extract(%s, ", expression);
            quote_text(&inner, str_of(from->fields[i].name));
            str_buf_putc(&inner, ')');
            if (i)
                str_buf_puts(out, ", ");
            quote_name(out, to->fields[i].name);
            str_buf_puts(out, " := ");
            delta__print_adapted(out, from->fields[i].type, to->fields[i].type, str_buf_text(&inner), depth);
        }
        str_buf_puts(out, ") END");
        return;
    default:
        if (from->kind == TYPE_TIMESTAMP_NTZ && to->kind == TYPE_TIMESTAMP) {
            str_buf_printf(out, "timezone('UTC', %s)", expression);
            return;
        }
        str_buf_printf(out, "CAST(%s AS ", expression);
        type_print_duck(out, to);
        str_buf_putc(out, ')');
        return;
    }
}

/* Are the times of the column at this position local ones in the files of the current call? */
static bool is_local(const struct scan *scan, int position)
{
    for (int i = 0; i < scan->time_count; i++)
        if (scan->time_columns[i] == position)
            return scan->local >> i & 1;
    return scan->local && scan->time_count == TIMES_MAX && contains(column_type(scan, scan->columns[position]), TYPE_TIMESTAMP);
}

/* The type with a struct of its parts for each VARIANT that the file has shredded; else the same. */
static const Type *shredded_type(Arena *arena, const Type *type, const Type *file)
{
    if (type->kind == TYPE_VARIANT)
        return type_is_shredded(file) ? type_struct(arena, file->fields, file->field_count) : type;
    if (type->kind != file->kind)
        return type;
    switch (type->kind) {
    case TYPE_ARRAY:
        return type_array(arena, shredded_type(arena, type->element, file->element), type->element_nullable);
    case TYPE_MAP:
        return type_map(arena, type->key, shredded_type(arena, type->element, file->element), type->element_nullable);
    case TYPE_STRUCT: {
        TypeField *fields = ARENA_ARRAY(arena, TypeField, type->field_count + 1);
        for (int i = 0; i < type->field_count; i++) {
            int at = type_field_index(file, type->fields[i].name, NULL);
            fields[i] = type->fields[i];
            if (at >= 0)
                fields[i].type = shredded_type(arena, type->fields[i].type, file->fields[at].type);
        }
        return type_struct(arena, fields, type->field_count);
    }
    default:
        return type;
    }
}

/* How a column is asked for. position: in columns, -1: none of these. */
static const Type *asked_type(const struct scan *scan, int column, int position)
{
    bool local = position >= 0 && is_local(scan, position);
    const Type *type = local ? local_type(scan->arena, stored_type(scan, column)) : stored_type(scan, column);
    const Type *file = scan->form && position >= 0 ? scan->form->types[position] : NULL;
    return file ? shredded_type(scan->arena, type, file) : type;
}

static void print_schema_entry(const struct scan *scan, StrBuf *out, int column, int position)
{
    silt_auto(str_buf_fini) StrBuf type = {0};
    type_print_duck(&type, asked_type(scan, column, position));
    if (scan->by_id)
        str_buf_printf(out, "%lld", (long long)delta_mapping_id(&scan->snapshot->metadata->schema->fields[column]));
    else
        quote_text(out, str_of(scan->physical->fields[column].name));
    str_buf_printf(out, ": {name: 'c%d', type: ", position + 1);
    quote_text(out, str_buf_view(&type));
    str_buf_puts(out, ", default_value: NULL}");
}

/* A column of the files for a scan that needs none, so that no file's own schema is looked at. */
static int any_stored(const struct scan *scan)
{
    const Type *schema = scan->snapshot->metadata->schema;
    for (int i = 0; i < schema->field_count; i++)
        if (is_stored(scan, i))
            return i;
    return -1;
}

static void print_files(const struct scan *scan)
{
    silt_auto(str_buf_fini) StrBuf options = {0};
    const char **names = ARENA_ARRAY(scan->arena, const char *, scan->column_count + 1);
    int count = 0;

    str_buf_puts(&options, ", can_have_nan=true, hive_partitioning=false");
    for (int i = 0; i < scan->column_count; i++) {
        int column = scan->columns[i];
        if (!is_stored(scan, column))
            continue;
        str_buf_puts(&options, count ? ", " : ", schema=MAP {");
        print_schema_entry(scan, &options, column, i);
        names[count++] = scan->physical->fields[column].name;
    }
    int any = count ? -1 : any_stored(scan);
    if (any >= 0) {
        str_buf_puts(&options, ", schema=MAP {");
        print_schema_entry(scan, &options, any, -1);
    }
    str_buf_puts(&options, count || any >= 0 ? "}" : "");
    parquet_put_files(scan->out, &(ParquetFiles){.paths = scan->paths, .count = scan->file_count, .options = str_buf_text(&options),
                                                 .marked = scan->form && scan->form->marked, .columns = names,
                                                 .column_count = scan->by_id ? -1 : count});
}

static int print_call(struct scan *scan, SiltErr *err)
{
    StrBuf *out = scan->out;

    str_buf_puts(out, "SELECT ");
    for (int i = 0; i < scan->column_count; i++) {
        int column = scan->columns[i];
        if (i)
            str_buf_puts(out, ", ");
        if (column == DELTA_COLUMN_ROW_INDEX) {
            str_buf_puts(out, "CAST(file_row_number AS BIGINT)");
        } else if (is_stored(scan, column)) {
            char name[16];
            snprintf(name, sizeof name, "c%d", i + 1);
            delta__print_adapted(out, asked_type(scan, column, i), column_type(scan, column), name, 0);
        } else if (column >= 0 && column_type(scan, column)->kind == TYPE_VOID) {
            str_buf_puts(out, "NULL");
        } else {
            SILT_TRY(print_constants(scan, column, err));
        }
        str_buf_printf(out, " AS c%d", i + 1);
    }
    if (!scan->column_count)
        str_buf_puts(out, "1 AS c1");
    str_buf_puts(out, " FROM ");
    print_files(scan);
    return 0;
}

static void print_empty(struct scan *scan)
{
    str_buf_puts(scan->out, "SELECT ");
    for (int i = 0; i < scan->column_count; i++) {
        str_buf_puts(scan->out, i ? ", CAST(NULL AS " : "CAST(NULL AS ");
        type_print_duck(scan->out, column_type(scan, scan->columns[i]));
        str_buf_printf(scan->out, ") AS c%d", i + 1);
    }
    str_buf_puts(scan->out, scan->column_count ? " WHERE false" : "1 AS c1 WHERE false");
}

/* Of files, into paths, which are in arena. */
static int local_paths(const struct scan *scan, const DeltaFile *const *files, int count, Arena *arena, const char **paths, SiltErr *err)
{
    for (int i = 0; i < count; i++) {
        const DeltaFile *file = files[i];
        if (file->vector) {
            silt_fail(err, SILT_CONFIG,
                      "cannot read \"%s\": file %s has a deletion vector, and the table feature deletionVectors is not supported yet",
                      scan->snapshot->table->root, file->path);
            return silt_code(err, "DELTA_UNSUPPORTED_FEATURES_FOR_READ");
        }
        const char *path = delta_file_path(arena, scan->snapshot->table, file);
        int r = io_local_path(scan->snapshot->table->env.io, path, arena, &paths[i], err);
        if (r == IO_ABSENT) {
            silt_fail(err, SILT_CORRUPT, "data file \"%s\" is listed in the log of \"%s\" (version %lld) but is not there", path,
                      scan->snapshot->table->root, (long long)scan->snapshot->version);
            silt_hint(err, "It may have been removed by VACUUM, which makes older versions unreadable, or by hand.");
            return silt_code(err, "DELTA_FILE_NOT_FOUND");
        }
        SILT_TRY(r);
    }
    return 0;
}

/* ---- which files hold which kind of time (SC3) ---- */

static void find_times(struct scan *scan)
{
    for (int i = 0; i < scan->column_count; i++) {
        if (!is_stored(scan, scan->columns[i]) || !contains(column_type(scan, scan->columns[i]), TYPE_TIMESTAMP))
            continue;
        if (scan->time_count < TIMES_MAX)
            scan->time_columns[scan->time_count++] = i;
    }
}

/* Bit per time column: the file holds it as local times. */
static int local_times(struct scan *scan, const DeltaFile *file, Arena *scratch, uint64_t *out, SiltErr *err)
{
    FooterColumn *columns;
    int count;
    *out = 0;
    SILT_TRY(delta__footer_columns(scan->snapshot->table->env.io, delta_file_path(scratch, scan->snapshot->table, file), scratch, &columns,
                                   &count, err));
    for (int i = 0; i < scan->time_count; i++) {
        const TypeField *field = &scan->snapshot->metadata->schema->fields[scan->columns[scan->time_columns[i]]];
        for (int j = 0; j < count; j++)
            if (str_is_nocase(columns[j].name, delta_mapping_name(scratch, scan->snapshot->metadata, field)) &&
                (columns[j].has_int96 || (columns[j].has_local && !contains(field->type, TYPE_TIMESTAMP_NTZ))))
                *out |= 1ull << i;
    }
    return 0;
}

/* ---- which files hold VARIANTs in which form (SC5) ---- */

static bool asks_variants(const struct scan *scan)
{
    for (int i = 0; i < scan->column_count; i++)
        if (is_stored(scan, scan->columns[i]) && contains(column_type(scan, scan->columns[i]), TYPE_VARIANT))
            return true;
    return false;
}

/* The form that a file of this schema has, in arena. */
static Form form_of(const struct scan *scan, const Type *schema, Arena *arena)
{
    Form form = {.types = ARENA_ARRAY(arena, const Type *, scan->column_count + 1), .marked = type_has_marks(schema)};
    for (int i = 0; i < scan->column_count; i++) {
        int column = scan->columns[i];
        if (!is_stored(scan, column) || !contains(column_type(scan, column), TYPE_VARIANT))
            continue;
        int at = type_field_index(schema, scan->physical->fields[column].name, NULL);
        form.types[i] = at < 0 ? NULL : schema->fields[at].type;
    }
    return form;
}

static bool same_form(const struct scan *scan, const Form *a, const Form *b)
{
    for (int i = 0; i < scan->column_count; i++)
        if (!a->types[i] != !b->types[i] || (a->types[i] && !type_equal_parts(a->types[i], b->types[i])))
            return false;
    return a->marked == b->marked;
}

/* Numbers in scan->forms, by file. */
static int find_forms(struct scan *scan, const DeltaFile *const *files, int64_t count, int *numbers, SiltErr *err)
{
    DuckSession *session;
    const char *paths[SCHEMAS_A_CALL_MAX];
    const Type *schemas[SCHEMAS_A_CALL_MAX];

    SILT_TRY(delta__session(scan->snapshot->table, &session, err));
    for (int64_t start = 0; start < count; start += SCHEMAS_A_CALL_MAX) {
        silt_auto(arena_freep) Arena *scratch = arena_new();
        int some = count - start < SCHEMAS_A_CALL_MAX ? (int)(count - start) : SCHEMAS_A_CALL_MAX;
        SILT_TRY(local_paths(scan, files + start, some, scratch, paths, err));
        SILT_TRY(duck_session_parquet_schemas(session, scratch, paths, some, schemas, err));
        for (int i = 0; i < some; i++) {
            Form form = form_of(scan, schemas[i], scratch);
            int at = 0;
            while (at < scan->form_count && !same_form(scan, &form, &scan->forms[at]))
                at++;
            numbers[start + i] = at;
            if (at < scan->form_count)
                continue;
            const Type *kept; /* the same once more, to stay */
            SILT_TRY(duck_session_parquet_schema(session, scan->arena, paths[i], &kept, err));
            form = form_of(scan, kept, scan->arena);
            ARENA_PUSH(scan->arena, scan->forms, scan->form_count, scan->form_capacity, form);
        }
    }
    return 0;
}

/* The files in groups of one kind, each printed as calls. Usually all are of one kind. */
static int print_groups(struct scan *scan, const DeltaFile *const *files, int64_t count, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    uint64_t *kinds = ARENA_ARRAY(scan->arena, uint64_t, count + 1);
    int *forms = ARENA_ARRAY(scan->arena, int, count + 1);
    bool *done = ARENA_ARRAY(scan->arena, bool, count + 1);
    const DeltaFile **group = ARENA_ARRAY(scan->arena, const DeltaFile *, FILES_MAX);
    bool first = true;

    for (int64_t i = 0; i < count && scan->time_count; i++) {
        SILT_TRY(local_times(scan, files[i], scratch, &kinds[i], err));
        arena_reset(scratch);
    }
    if (count && asks_variants(scan))
        SILT_TRY(find_forms(scan, files, count, forms, err));
    for (int64_t start = 0; start < count; start++) {
        if (done[start])
            continue;
        scan->files = group;
        scan->file_count = 0;
        scan->local = kinds[start];
        scan->form = scan->form_count ? &scan->forms[forms[start]] : NULL;
        for (int64_t i = start; i < count && scan->file_count < FILES_MAX; i++)
            if (!done[i] && kinds[i] == kinds[start] && forms[i] == forms[start]) {
                group[scan->file_count++] = files[i];
                done[i] = true;
            }
        if (!first)
            str_buf_puts(scan->out, " UNION ALL ");
        first = false;
        SILT_TRY(local_paths(scan, scan->files, scan->file_count, scan->arena, scan->paths, err));
        SILT_TRY(print_call(scan, err));
    }
    return 0;
}

int delta_scan_sql(const DeltaSnapshot *snapshot, const DeltaFile *const *files, int64_t file_count, const int *columns, int column_count,
                   StrBuf *out, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    struct scan scan = {.snapshot = snapshot, .columns = columns, .column_count = column_count, .arena = arena, .out = out};
    size_t before = out->size;

    scan.physical = delta_mapping_physical(arena, snapshot->metadata);
    scan.by_id = delta_mapping_by_id(snapshot->metadata);
    scan.paths = ARENA_ARRAY(arena, const char *, FILES_MAX);
    find_times(&scan);
    str_buf_putc(out, '(');
    if (!file_count)
        print_empty(&scan);
    if (print_groups(&scan, files, file_count, err) < 0) {
        out->size = before; /* nothing is added on failure */
        out->ptr[before] = 0;
        return -1;
    }
    str_buf_putc(out, ')');
    return 0;
}

int delta_scan_snapshot_sql(const DeltaSnapshot *snapshot, const DeltaPredicate *predicates, int predicate_count, const int *columns,
                            int column_count, StrBuf *out, int64_t *file_count, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const DeltaFile *const *files;
    int64_t count;

    SILT_TRY(delta_snapshot_files(snapshot, &files, &count, err));
    if (predicate_count)
        delta_prune(snapshot, predicates, predicate_count, files, count, arena, &files, &count);
    if (file_count)
        *file_count = count;
    return delta_scan_sql(snapshot, files, count, columns, column_count, out, err);
}
