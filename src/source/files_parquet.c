/*
 * source/files_parquet.c - Parquet files as FROM text for DuckDB
 *
 * Each file's own schema is read first: columns are matched by name (without case, as Spark), what a file lacks is NULL, and a file that is no
 * Parquet is found before the query runs, by its name. Files of one schema share a read_parquet.
 */
#include "source/files_internal.h"

#include "base/uri.h"
#include "duck/quote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FILES_A_CALL_MAX = 2000 };

int files__parquet_schema(Source *source, const char *path, Arena *arena, const Type **out, SiltErr *err)
{
    Files *files = source->self;
    const char *local;
    int r = io_local_path(files->context.io, path, arena, &local, err);
    if (r != 0)
        return r;
    DuckSession *session;
    silt_assert(files->context.session != NULL);
    SILT_TRY(files->context.session(files->context.session_self, &session, err));
    if (duck_session_parquet_schema(session, arena, local, out, err) < 0) {
        SiltErr inner = *err;
        IoStat stat = {0};
        if (io_stat(files->context.io, path, &stat, err) == 0 && stat.size_bytes < 12)
            return silt_fail(err, SILT_INPUT, "could not read \"%s\": it is no Parquet file, its %lld bytes are too few", path, (long long)stat.size_bytes);
        err->kind = inner.kind == SILT_TRANSIENT ? SILT_TRANSIENT : SILT_INPUT;
        if (strcmp(local, path) == 0 && strstr(inner.message, path))
            return -1; /* it names the file by itself */
        return silt_fail(err, inner.kind == SILT_TRANSIENT ? SILT_TRANSIENT : SILT_INPUT, "could not read \"%s\": %s", path, inner.message);
    }
    return 0;
}

static int field_index(const Type *type, const char *name)
{
    int found = -1;
    for (int i = 0; i < type->field_count; i++) {
        if (strcmp(type->fields[i].name, name) == 0)
            return i;
        if (found < 0 && strcasecmp(type->fields[i].name, name) == 0)
            found = i;
    }
    return found;
}

static void put_null(StrBuf *out, const Type *type)
{
    str_buf_puts(out, "CAST(NULL AS ");
    type_print_duck(out, type);
    str_buf_putc(out, ')');
}

static bool is_instant(const Type *type)
{
    return type->kind == TYPE_TIMESTAMP || type->kind == TYPE_TIMESTAMP_NTZ;
}

/* Does an instant with a zone become one without, or the reverse, somewhere inside? DuckDB's cast would take the session's zone for it. */
static bool changes_instant(const Type *from, const Type *to)
{
    if (is_instant(from) && is_instant(to))
        return from->kind != to->kind;
    if (from->kind != to->kind)
        return false;
    if (from->kind == TYPE_ARRAY)
        return changes_instant(from->element, to->element);
    if (from->kind == TYPE_MAP)
        return changes_instant(from->key, to->key) || changes_instant(from->element, to->element);
    for (int i = 0; from->kind == TYPE_STRUCT && i < from->field_count; i++) {
        int at = field_index(to, from->fields[i].name);
        if (at >= 0 && changes_instant(from->fields[i].type, to->fields[at].type))
            return true;
    }
    return false;
}

static void put_field(StrBuf *out, const char *value, const char *name)
{
    str_buf_printf(out, "(%s).", value);
    quote_name(out, name);
}

/*
 * A value of a file's type, given as text, as the schema's type. Instants go by their microseconds, so that no session zone takes part;
 * structs and lists that hold such ones are taken apart for it. The cast is there even where our types are equal: unsigned integers are
 * wider types to us than to DuckDB, for which a cast to the same type costs nothing. depth: of lambdas around, for their names.
 */
static void put_value(StrBuf *out, const char *value, const Type *from, const Type *to, int depth)
{
    if (is_instant(from) && is_instant(to)) {
        str_buf_printf(out, to->kind == TYPE_TIMESTAMP ? "make_timestamptz(epoch_us(%s))" : "make_timestamp(epoch_us(%s))", value);
        return;
    }
    str_buf_puts(out, "CAST(");
    if (!changes_instant(from, to)) {
        str_buf_puts(out, value);
    } else if (from->kind == TYPE_ARRAY) {
        char item[16];
        snprintf(item, sizeof item, "x%d", depth);
        str_buf_printf(out, "list_transform(%s, lambda %s: ", value, item);
        put_value(out, item, from->element, to->element, depth + 1);
        str_buf_putc(out, ')');
    } else if (from->kind == TYPE_MAP) {
        str_buf_printf(out, "CASE WHEN %s IS NOT NULL THEN map(list_transform(map_keys(%s), lambda x%d: ", value, value, depth);
        char item[16];
        snprintf(item, sizeof item, "x%d", depth);
        put_value(out, item, from->key, to->key, depth + 1);
        str_buf_printf(out, "), list_transform(map_values(%s), lambda %s: ", value, item);
        put_value(out, item, from->element, to->element, depth + 1);
        str_buf_puts(out, ")) END");
    } else {
        const char *comma = "";
        str_buf_printf(out, "CASE WHEN %s IS NOT NULL THEN struct_pack(", value);
        for (int i = 0; i < to->field_count; i++) {
            int at = field_index(from, to->fields[i].name);
            if (at < 0)
                continue; /* the cast around adds it, as NULL */
            silt_auto(str_buf_fini) StrBuf inner = {0};
            put_field(&inner, value, from->fields[at].name);
            str_buf_puts(out, comma);
            quote_name(out, to->fields[i].name);
            str_buf_puts(out, " := ");
            put_value(out, str_buf_text(&inner), from->fields[at].type, to->fields[i].type, depth);
            comma = ", ";
        }
        str_buf_puts(out, ") END");
    }
    str_buf_puts(out, " AS ");
    type_print_duck(out, to);
    str_buf_putc(out, ')');
}

/* A file's column as the schema's type. */
static void put_column(StrBuf *out, const TypeField *in, const Type *want)
{
    silt_auto(str_buf_fini) StrBuf name = {0};

    quote_name(&name, in->name);
    put_value(out, str_buf_text(&name), in->type, want, 0);
}

/* Does a value of one type always have its like in the other? */
static bool is_safe(const Type *from, const Type *to)
{
    if (type_equal(from, to, false))
        return true;
    if (is_instant(from) && is_instant(to))
        return true;
    if (type_is_integral(from) && type_is_integral(to))
        return from->kind <= to->kind;
    if (type_is_integral(from) && to->kind == TYPE_DECIMAL) {
        static const int digits[] = {[TYPE_BYTE] = 3, [TYPE_SHORT] = 5, [TYPE_INT] = 10, [TYPE_LONG] = 19};
        return to->precision - to->scale >= digits[from->kind];
    }
    if (from->kind == TYPE_DECIMAL && to->kind == TYPE_DECIMAL)
        return to->scale >= from->scale && to->precision - to->scale >= from->precision - from->scale;
    if (to->kind == TYPE_DOUBLE)
        return from->kind == TYPE_FLOAT || (type_is_integral(from) && from->kind <= TYPE_INT);
    if (from->kind == TYPE_DATE)
        return to->kind == TYPE_TIMESTAMP_NTZ;
    if (from->kind == TYPE_ARRAY && to->kind == TYPE_ARRAY)
        return is_safe(from->element, to->element);
    if (from->kind == TYPE_MAP && to->kind == TYPE_MAP)
        return is_safe(from->key, to->key) && is_safe(from->element, to->element);
    if (from->kind == TYPE_STRUCT && to->kind == TYPE_STRUCT) {
        for (int i = 0; i < from->field_count; i++) {
            int at = field_index(to, from->fields[i].name);
            if (at >= 0 && !is_safe(from->fields[i].type, to->fields[at].type))
                return false;
        }
        return true;
    }
    return to->kind == TYPE_STRING && from->kind == TYPE_STRING;
}

/* What differs from file to file is picked from a constant list: a CASE would look at every file for each row. */
static void put_pick(StrBuf *out, const char *list)
{
    str_buf_printf(out, "list_extract([%s], CAST(file_index AS BIGINT) + 1)", list);
}

/*
 * A partition column: the text of the folder's name, taken by DuckDB's cast. That it fits has been checked; where DuckDB sees it otherwise, an error
 * is better than NULL.
 */
static void put_partition(Source *source, const SourceBatch *batch, StrBuf *out, const int *parts, int count, const char *name, const Type *want)
{
    const FilesBatch *fb = batch->self;
    const char *first = NULL;
    bool alike = true;
    silt_auto(str_buf_fini) StrBuf list = {0};
    for (int i = 0; i < count; i++) {
        const char *value = files__partition_value(source->self, batch->arena, fb->paths[parts[i]], name);
        if (i == 0)
            first = value;
        alike &= (value == NULL) == (first == NULL) && (!value || strcmp(value, first) == 0);
        str_buf_puts(&list, i ? ", " : "");
        if (value)
            quote_text(&list, str_of(value));
        else
            str_buf_puts(&list, "NULL");
    }
    if (alike && !first) {
        put_null(out, want);
        return;
    }
    str_buf_puts(out, "CAST(");
    if (alike)
        quote_text(out, str_of(first));
    else
        put_pick(out, str_buf_text(&list));
    str_buf_puts(out, " AS ");
    type_print_duck(out, want);
    str_buf_putc(out, ')');
}

/* One SELECT over files[0..count) that share a schema. */
static void put_select(Source *source, const SourceBatch *batch, StrBuf *out, const Type *schema, const int *parts, const char *const *locals, int count,
                       const bool *needed)
{
    Files *files = source->self;
    const FilesBatch *fb = batch->self;
    str_buf_puts(out, "SELECT ");
    for (int c = 0; c < source->schema.column_count; c++) {
        const Type *want = source->schema.types[c];
        const char *name = source->schema.names[c];
        if (c)
            str_buf_puts(out, ", ");
        bool skip = needed && !needed[c];
        int at = c < files->data->field_count ? field_index(schema, name) : -1;
        if (c == files->metadata_column && !skip) {
            silt_auto(str_buf_fini) StrBuf list = {0};
            for (int i = 0; i < count; i++) {
                const SourcePart *part = &batch->parts[parts[i]];
                str_buf_printf(&list, "%sstruct_pack(file_path := ", i ? ", " : "");
                quote_text(&list, str_of(part->name));
                str_buf_puts(&list, ", file_name := ");
                quote_text(&list, str_of(path_name(fb->paths[parts[i]])));
                str_buf_printf(&list, ", file_size := CAST(%lld AS BIGINT), file_block_start := CAST(0 AS BIGINT), file_block_length := CAST(%lld AS BIGINT), ",
                               (long long)part->size_bytes, (long long)part->size_bytes);
                str_buf_printf(&list, "file_modification_time := make_timestamptz(%lld))", (long long)part->modified_ms * 1000);
            }
            put_pick(out, str_buf_text(&list));
        } else if (skip || (c < files->data->field_count && at < 0) || c == files->rescued_column) {
            put_null(out, want);
        } else if (c < files->data->field_count) {
            put_column(out, &schema->fields[at], want);
        } else {
            put_partition(source, batch, out, parts, count, name, want);
        }
        str_buf_printf(out, " AS c%d", c + 1);
    }
    str_buf_puts(out, ", CAST(");
    if (count == 1) {
        str_buf_printf(out, "%d", parts[0]);
    } else {
        silt_auto(str_buf_fini) StrBuf list = {0};
        for (int i = 0; i < count; i++)
            str_buf_printf(&list, "%s%d", i ? "," : "", parts[i]);
        put_pick(out, str_buf_text(&list));
    }
    str_buf_puts(out, " AS INTEGER) AS silt_source, CAST(file_row_number AS BIGINT) AS silt_position FROM read_parquet(");
    quote_paths(out, locals, count);
    str_buf_puts(out, ", hive_partitioning=false, file_row_number=true)");
}

static int check_types(Source *source, const Type *schema, const char *path, SiltErr *err)
{
    Files *files = source->self;
    for (int i = 0; i < files->data->field_count; i++) {
        int at = field_index(schema, files->data->fields[i].name);
        if (at < 0 || is_safe(schema->fields[at].type, files->data->fields[i].type))
            continue;
        silt_auto(arena_freep) Arena *arena = arena_new();
        silt_fail(err, SILT_INPUT, "column \"%s\" of \"%s\" is %s, and %s was expected", schema->fields[at].name, path,
                  type_text(arena, schema->fields[at].type), type_text(arena, files->data->fields[i].type));
        return silt_hint(err, "Give the column a type that holds both (schemaHints), or keep the files apart.");
    }
    return 0;
}

/* Columns of the file, and fields inside of them, that the schema lacks, added. The same pointer if there are none. */
static const Type *add_columns(const Type *known, const Type *found, Arena *arena)
{
    if (known->kind != found->kind)
        return known;
    if (known->kind == TYPE_ARRAY || known->kind == TYPE_MAP) {
        const Type *element = add_columns(known->element, found->element, arena);
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
        int at = field_index(known, found->fields[i].name);
        if (at < 0) {
            fields[count] = found->fields[i];
            fields[count++].nullable = true;
        } else {
            fields[at].type = add_columns(fields[at].type, found->fields[i].type, arena);
        }
    }
    for (int i = 0; i < count; i++)
        changed |= i >= known->field_count || fields[i].type != known->fields[i].type;
    return changed ? type_struct(arena, fields, count) : known;
}

int files__parquet_open(Source *source, SourceBatch *batch, const SourceReadOptions *read, SiltErr *err)
{
    Files *files = source->self;
    FilesBatch *fb = batch->self;
    Arena *arena = batch->arena;
    const Type **schemas = ARENA_ARRAY(arena, const Type *, batch->part_count + 1);
    const char **locals = ARENA_ARRAY(arena, const char *, batch->part_count + 1);
    fb->widened = files->data;
    for (int i = 0; i < batch->part_count; i++) {
        if (batch->parts[i].missing)
            continue;
        int r = files__parquet_schema(source, fb->paths[i], arena, &schemas[i], err);
        if (r == IO_ABSENT) {
            SILT_TRY(files__missing(batch, i, err));
            continue;
        }
        SILT_TRY(r);
        r = io_local_path(files->context.io, fb->paths[i], arena, &locals[i], err);
        if (r == IO_ABSENT) {
            SILT_TRY(files__missing(batch, i, err));
            continue;
        }
        SILT_TRY(r);
        SILT_TRY(check_types(source, schemas[i], fb->paths[i], err));
        if (files__wants_unknown(files))
            fb->widened = add_columns(fb->widened, schemas[i], arena);
    }
    silt_auto(str_buf_fini) StrBuf out = {0};
    bool *done = ARENA_ARRAY(arena, bool, batch->part_count + 1);
    int *group = ARENA_ARRAY(arena, int, batch->part_count + 1);
    const char **group_locals = ARENA_ARRAY(arena, const char *, batch->part_count + 1);
    str_buf_putc(&out, '(');
    for (int i = 0; i < batch->part_count; i++) {
        if (done[i] || batch->parts[i].missing)
            continue;
        int count = 0;
        for (int k = i; k < batch->part_count && count < FILES_A_CALL_MAX; k++)
            if (!done[k] && !batch->parts[k].missing && (k == i || type_equal(schemas[i], schemas[k], false))) {
                done[k] = true;
                group[count] = k;
                group_locals[count++] = locals[k];
            }
        if (out.size > 1)
            str_buf_puts(&out, " UNION ALL ");
        put_select(source, batch, &out, schemas[i], group, group_locals, count, read->needed);
    }
    if (out.size == 1) { /* no file at all */
        str_buf_puts(&out, "SELECT ");
        for (int c = 0; c < source->schema.column_count; c++) {
            put_null(&out, source->schema.types[c]);
            str_buf_printf(&out, " AS c%d, ", c + 1);
        }
        str_buf_puts(&out, "CAST(NULL AS INTEGER) AS silt_source, CAST(NULL AS BIGINT) AS silt_position WHERE false");
    }
    str_buf_putc(&out, ')');
    batch->sql = arena_strdup(arena, str_buf_text(&out));
    return 0;
}

void files__parquet_blame(SourceBatch *batch, SiltErr *err)
{
    Files *files = batch->source->self;
    const FilesBatch *fb = batch->self;
    DuckSession *session;
    SiltErr inner;
    if (files->format != &format_parquet || files->context.session(files->context.session_self, &session, &inner) < 0)
        return;
    for (int i = 0; i < batch->part_count; i++) {
        silt_auto(str_buf_fini) StrBuf sql = {0};
        const char *local;
        if (batch->parts[i].missing || io_local_path(files->context.io, fb->paths[i], batch->arena, &local, &inner) != 0)
            continue;
        str_buf_puts(&sql, "SELECT count(hash(t)) FROM read_parquet("); /* of all columns: each page is unpacked */
        quote_paths(&sql, &local, 1);
        str_buf_puts(&sql, ", hive_partitioning=false) AS t");
        if (duck_session_execute(session, str_buf_text(&sql), &inner) == 0 || inner.kind == SILT_TRANSIENT || inner.kind == SILT_CANCELLED)
            continue;
        silt_fail(err, SILT_INPUT, "could not read \"%s\": it is damaged: %s", fb->paths[i], inner.message);
        silt_code(err, "FAILED_READ_FILE.NO_HINT");
        silt_hint(err, "Replace it by a whole copy, and it is read then; or take it away.");
        return;
    }
}
