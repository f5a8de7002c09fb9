/*
 * pipeline/trial_rows.c - files of rows as queries: what Silt reads everywhere else reads them here too
 */
#include "base/json.h"
#include "base/uri.h"
#include "duck/render.h"
#include "pipeline/trial.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int add(SqlErrors *errors, const SiltErr *err)
{
    sql_errors_add(errors, err);
    return -1;
}

/* ---- places ---- */

static SiltPos place_of_byte(const char *name, Str text, size_t byte)
{
    SiltPos pos = {.file = name, .line = 1, .column = 1};

    for (size_t i = 0; i < byte && i < text.size; i++) {
        pos.column += ((unsigned char)text.ptr[i] & 0xC0) != 0x80;
        if (text.ptr[i] == '\n') {
            pos.line++;
            pos.column = 1;
        }
    }
    return pos;
}

void trial_place(const TrialWorld *world, const TrialFile *file, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const char *prefix = arena_printf(arena, "%s, byte ", uri_from_path(arena, file->target));
    const char *reader = arena_printf(arena, "read_files('%s')", file->target);
    char *at = strstr(err->message, prefix), *rest = NULL, *named = strstr(err->message, reader);
    SiltErr ignored;
    Str text;

    if (named) { /* of the file as a whole, and of a statement that nobody has written: no place, no advice about options */
        memcpy(named, "the file", strlen("the file"));
        memmove(named + strlen("the file"), named + strlen(reader), strlen(named + strlen(reader)) + 1);
        snprintf(err->file, sizeof err->file, "%s", file->name);
        err->line = err->column = err->length = 0;
        if (strstr(err->hint, " => "))
            *err->hint = 0;
        return;
    }
    if (!at || io_read(world->io, file->target, arena, &text, &ignored))
        return;
    SiltPos pos = place_of_byte(file->name, text, strtoull(at + strlen(prefix), &rest, 10));
    if (!str_starts(str_of(rest), ": "))
        return;
    memmove(err->message, rest + 2, strlen(rest + 2) + 1);
    snprintf(err->file, sizeof err->file, "%s", file->name);
    err->line = pos.line;
    err->column = pos.column;
    err->length = 0;
}

/* Where the file names a column: a word of the header, a quoted member. */
static SiltPos place_of_name(const TrialWorld *world, Arena *arena, const TrialRows *rows, const char *column)
{
    SiltPos pos = {.file = rows->file.name, .line = 1, .column = 1};
    const char *wanted = rows->format == TRIAL_JSON ? arena_printf(arena, "\"%s\"", column) : column;
    SiltErr ignored;
    Str text;

    if (rows->format == TRIAL_PARQUET || io_read(world->io, rows->file.target, arena, &text, &ignored))
        return (SiltPos){.file = rows->file.name};
    const char *at = strstr(text.ptr, wanted); /* NUL behind the text */
    if (at) {
        pos = place_of_byte(rows->file.name, text, (size_t)(at - text.ptr));
        pos.length = (int)strlen(wanted);
    }
    return pos;
}

/* ---- queries ---- */

void trial_put_name(StrBuf *out, const char *name)
{
    str_buf_putc(out, '`');
    for (; *name; name++)
        str_buf_printf(out, *name == '`' ? "``" : "%c", *name);
    str_buf_putc(out, '`');
}

static void put_text(StrBuf *out, const char *text)
{
    str_buf_putc(out, '\'');
    for (; *text; text++)
        str_buf_printf(out, *text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
    str_buf_putc(out, '\'');
}

/* schema NULL: the file's own. */
static void put_reader(StrBuf *out, const TrialRows *rows, Str content, const char *schema)
{
    str_buf_puts(out, "read_files(");
    put_text(out, rows->file.target);
    if (rows->format == TRIAL_PARQUET) {
        str_buf_puts(out, ", format => 'parquet', schemaEvolutionMode => 'none')");
        return;
    }
    str_buf_puts(out, rows->format == TRIAL_CSV ? ", format => 'csv', header => true" : ", format => 'json'");
    if (rows->format == TRIAL_JSON && str_starts(str_trim(content), "["))
        str_buf_puts(out, ", multiLine => true");
    str_buf_puts(out, ", mode => 'FAILFAST'");
    if (schema) {
        str_buf_puts(out, ", schema => ");
        put_text(out, schema);
    } else {
        str_buf_puts(out, ", schemaEvolutionMode => 'none'");
    }
    str_buf_putc(out, ')');
}

/* ---- rows ---- */

static int pull_rows(Arena *arena, PipelineResult *result, RowSet *out, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf cell = {0};
    Chunk *chunk;

    for (;;) {
        SILT_TRY(result->reader.next(result->reader.self, &chunk, err));
        if (!chunk)
            return 0;
        for (int row = 0; row < chunk_row_count(chunk); row++) {
            const char **cells = ARENA_ARRAY(arena, const char *, result->column_count + 1);
            for (int i = 0; i < result->column_count; i++) {
                str_buf_clear(&cell);
                render_json(&cell, chunk_column(chunk, i), (uint64_t)row, result->zone);
                cells[i] = arena_strdup(arena, str_buf_text(&cell));
            }
            ARENA_PUSH(arena, out->rows, out->row_count, out->row_capacity, cells);
        }
        chunk_unref(chunk);
    }
}

/* Columns of a query, and its rows if they are wanted. */
static int ask(const TrialWorld *world, Arena *arena, const char *file, const char *sql, bool with_rows, RowSet *out, SqlErrors *errors)
{
    PipelineResult *result;
    Query *query;
    SiltErr err;

    *out = (RowSet){0};
    if (sql_parse_query(arena, file, str_of(sql), &query, &err) < 0)
        return add(errors, &err);
    int r = pipeline_session_query(world->session, query, &result, errors);
    if (r == 0) {
        out->column_count = result->column_count;
        out->names = ARENA_ARRAY(arena, const char *, result->column_count + 1);
        out->types = ARENA_ARRAY(arena, const Type *, result->column_count + 1);
        for (int i = 0; i < result->column_count; i++) {
            out->names[i] = arena_strdup(arena, result->column_names[i]);
            out->types[i] = type_copy(arena, result->column_types[i]);
        }
        r = with_rows ? pull_rows(arena, result, out, &err) : 0;
        if (r < 0)
            add(errors, &err);
        pipeline_result_free(result);
    }
    return r;
}

const Type *trial_schema(Arena *arena, const RowSet *rows)
{
    TypeField *fields = ARENA_ARRAY(arena, TypeField, rows->column_count + 1);

    for (int i = 0; i < rows->column_count; i++)
        fields[i] = (TypeField){.name = rows->names[i], .type = rows->types[i], .nullable = true};
    return type_struct(arena, fields, rows->column_count);
}

int trial_row_order(const char *const *a, const char *const *b, int count)
{
    int order = 0;

    for (int i = 0; i < count && !order; i++)
        order = strcmp(a[i], b[i]);
    return order;
}

static int compare_for_sort(const void *a, const void *b, void *count)
{
    return trial_row_order(*(const char *const *const *)a, *(const char *const *const *)b, *(int *)count);
}

int trial_read_rows(const TrialWorld *world, Arena *arena, const char *file, const char *sql, RowSet *out, SqlErrors *errors)
{
    int r = ask(world, arena, file, sql, true, out, errors);

    if (out->row_count)
        qsort_r(out->rows, (size_t)out->row_count, sizeof *out->rows, compare_for_sort, &out->column_count);
    return r;
}

int trial_query_schema(const TrialWorld *world, Arena *arena, const char *file, const char *sql, const Type **out, SqlErrors *errors)
{
    RowSet columns;

    if (ask(world, arena, file, sql, false, &columns, errors) < 0)
        return -1;
    *out = trial_schema(arena, &columns);
    return 0;
}

/* The header of a CSV file. *records: whether there is a record behind it. */
static int read_header(const TrialWorld *world, Arena *arena, const TrialRows *rows, RowSet *out, bool *records, SqlErrors *errors)
{
    silt_auto(str_buf_fini) StrBuf sql = {0};
    RowSet lines;
    SiltErr err;

    str_buf_puts(&sql, "SELECT * FROM read_files(");
    put_text(&sql, rows->file.target);
    str_buf_puts(&sql, ", format => 'csv', header => false, inferColumnTypes => false, schemaEvolutionMode => 'none') LIMIT 2");
    if (ask(world, arena, rows->file.name, str_buf_text(&sql), true, &lines, errors) < 0)
        return -1;
    *records = lines.row_count > 1;
    out->column_count = lines.row_count ? lines.column_count : 0;
    out->names = ARENA_ARRAY(arena, const char *, lines.column_count + 1);
    for (int i = 0; i < out->column_count; i++) {
        const Json *name;
        if (json_parse(arena, str_of(lines.rows[0][i]), &name, &err) < 0)
            return add(errors, &err);
        if (!json_cstr(name, NULL)) {
            silt_fail_at(&err, SILT_CONFIG, (SiltPos){.file = rows->file.name, .line = 1, .column = 1}, "column %d has no name", i + 1);
            return add(errors, &err);
        }
        out->names[i] = json_cstr(name, NULL);
    }
    return 0;
}

static int find_column(const Type *known, const char *name)
{
    for (int i = 0; i < known->field_count; i++)
        if (!strcasecmp(known->fields[i].name, name))
            return i;
    return -1;
}

static int unknown_column(const TrialWorld *world, Arena *arena, const TrialRows *rows, const Type *known, const char *name, SqlErrors *errors)
{
    const char **names = ARENA_ARRAY(arena, const char *, known->field_count + 1);
    SiltErr err;

    for (int i = 0; i < known->field_count; i++)
        names[i] = known->fields[i].name;
    const char *nearest = str_nearest(str_of(name), names, known->field_count);
    silt_fail_at(&err, SILT_CONFIG, place_of_name(world, arena, rows, name), "\"%s\" has no column \"%s\"", rows->table, name);
    if (nearest)
        silt_hint(&err, "Did you mean \"%s\"?", nearest);
    return add(errors, &err);
}

/* The one query of an SQL file, without its semicolon, on the lines where it stands. */
static int query_text(const TrialRows *rows, Arena *arena, Str content, StrBuf *out, SqlErrors *errors)
{
    Statement **statements;
    int count, before = errors->count;
    SiltErr err;

    if (sql_parse_file(arena, rows->file.name, content, &statements, &count, errors) < 0 || errors->count > before)
        return -1;
    if (count != 1 || statements[0]->kind != STMT_QUERY) {
        silt_fail_at(&err, SILT_CONFIG, count ? statements[count > 1]->pos : (SiltPos){.file = rows->file.name}, "a file of rows is one query");
        silt_hint(&err, "SELECT * FROM VALUES (1, 'lamp'), (2, 'rug') AS t(id, item)");
        return add(errors, &err);
    }
    str_buf_add(out, content.ptr, (size_t)(statements[0]->text.ptr + statements[0]->text.size - content.ptr));
    return 0;
}

int trial_rows_query(const TrialWorld *world, Arena *arena, const TrialRows *rows, const Type *known, bool cast, StrBuf *sql,
                     const char *const **names, int *count, SqlErrors *errors)
{
    silt_auto(str_buf_fini) StrBuf plain = {0}, schema = {0};
    bool has_types = rows->format == TRIAL_PARQUET || rows->format == TRIAL_SQL, records = true;
    int before = errors->count;
    RowSet columns = {0};
    SiltErr err;
    Str content;

    *names = NULL;
    *count = 0;
    int r = io_read(world->io, rows->file.target, arena, &content, &err);
    if (r)
        return r < 0 ? add(errors, &err) : -1;
    if (!str_trim(content).size)
        return 0;
    if (rows->format == TRIAL_SQL) {
        if (query_text(rows, arena, content, &plain, errors) < 0)
            return -1;
    } else {
        str_buf_puts(&plain, "SELECT * FROM ");
        put_reader(&plain, rows, content, NULL);
    }
    r = rows->format == TRIAL_CSV ? read_header(world, arena, rows, &columns, &records, errors)
                                  : ask(world, arena, rows->file.name, str_buf_text(&plain), false, &columns, errors);
    if (r < 0) {
        for (int i = before; i < errors->count; i++)
            trial_place(world, &rows->file, &errors->items[i]);
        return -1;
    }
    *names = columns.names;
    *count = columns.column_count;
    if (!records && !known) /* no types, and nothing to have one */
        return 0;
    str_buf_puts(sql, "SELECT ");
    for (int i = 0; i < columns.column_count; i++) {
        int at = known ? find_column(known, columns.names[i]) : -1;
        if (known && at < 0) {
            unknown_column(world, arena, rows, known, columns.names[i], errors);
            continue;
        }
        const char *type = known ? type_text(arena, known->fields[at].type) : NULL;
        str_buf_puts(sql, i ? ", " : "");
        str_buf_puts(sql, has_types && cast && known ? "CAST(" : "");
        trial_put_name(sql, columns.names[i]);
        if (has_types && cast && known) {
            str_buf_printf(sql, " AS %s) AS ", type);
            trial_put_name(sql, known->fields[at].name);
        }
        if (known && !has_types) {
            str_buf_puts(&schema, schema.size ? ", " : "");
            trial_put_name(&schema, columns.names[i]);
            str_buf_printf(&schema, " %s", type);
        }
    }
    str_buf_puts(sql, " FROM ");
    if (rows->format == TRIAL_SQL)
        str_buf_printf(sql, "(%s)", str_buf_text(&plain));
    else
        put_reader(sql, rows, content, schema.size ? str_buf_text(&schema) : NULL);
    return errors->count > before ? -1 : 0;
}
