/* delta/compare.c - see compare.h */
#include "delta/compare.h"
#include "delta/scan.h"
#include <string.h>

enum { GROUPS = 4096 };

/* ---- what tells rows apart ---- */

static bool has_inner_values(const Type *type)
{
    return type->kind == TYPE_ARRAY || type->kind == TYPE_MAP || type->kind == TYPE_STRUCT || type->kind == TYPE_VARIANT;
}

/*
 * Beside the value itself what DuckDB's equality and hash do not see: the sign of a zero; in nested values, whether they are NULL or empty, and
 * signs of zeros.
 */
static void put_keys(StrBuf *out, const Type *schema)
{
    for (int i = 0; i < schema->field_count; i++) {
        const Type *type = schema->fields[i].type;
        str_buf_printf(out, "%sc%d", i ? ", " : "", i + 1);
        if (type->kind == TYPE_DOUBLE || type->kind == TYPE_FLOAT)
            str_buf_printf(out, ", (c%d = 0 AND signbit(c%d))", i + 1, i + 1);
        else if (has_inner_values(type))
            str_buf_printf(out, ", CAST(c%d AS VARCHAR)", i + 1);
    }
}

/* Hashed twice: sums of what one hash gives for several columns could cancel out. */
static void put_hash(StrBuf *out, const Type *schema)
{
    str_buf_puts(out, "hash(hash(");
    put_keys(out, schema);
    str_buf_puts(out, "))");
}

static int put_scan(StrBuf *out, const DeltaSnapshot *snapshot, const Type *schema, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    int *columns = ARENA_ARRAY(arena, int, schema->field_count + 1);

    for (int i = 0; i < schema->field_count; i++) {
        const TypeField *field = &schema->fields[i];
        columns[i] = type_field_index(snapshot->metadata->schema, field->name, NULL);
        if (columns[i] < 0 || !type_equal(snapshot->metadata->schema->fields[columns[i]].type, field->type, false))
            return silt_fail(err, SILT_CONFIG, "column \"%s\" of type %s is not the same in both tables", field->name, type_text(arena, field->type));
    }
    return delta_scan_snapshot_sql(snapshot, NULL, 0, columns, schema->field_count, out, NULL, err);
}

/* ---- sums ---- */

static int read_all(DuckSession *session, const char *sql, const Type *const *types, int count, void (*take)(void *self, const Chunk *chunk, int row),
                    void *self, SiltErr *err)
{
    DuckStatement *statement;
    ChunkReader reader = {0};
    Chunk *chunk = NULL;

    SILT_TRY(duck_session_prepare(session, sql, &statement, err));
    SILT_TRY(duck_statement_read(statement, types, count, &reader, err));
    int r = reader.next(reader.self, &chunk, err);
    while (r == 0 && chunk) {
        for (int row = 0; row < chunk_row_count(chunk); row++)
            take(self, chunk, row);
        chunk_unref(chunk);
        r = reader.next(reader.self, &chunk, err);
    }
    if (reader.close)
        reader.close(reader.self);
    return r;
}

static int64_t long_at(const Chunk *chunk, int column, int row)
{
    return ((const int64_t *)chunk_column(chunk, column)->data)[row];
}

typedef struct Sums {
    DeltaDifference *out;
    StrBuf groups; /* of those that differ, parted by commas */
} Sums;

static void take_group(void *self, const Chunk *chunk, int row)
{
    Sums *sums = self;

    sums->out->left_rows += long_at(chunk, 1, row);
    sums->out->right_rows += long_at(chunk, 2, row);
    if (long_at(chunk, 3, row))
        str_buf_printf(&sums->groups, "%s%lld", sums->groups.size ? "," : "", (long long)long_at(chunk, 0, row));
}

static int sum_groups(DuckSession *session, const char *left, const char *right, const Type *schema, Sums *sums, SiltErr *err)
{
    const Type *types[] = {type_simple(TYPE_LONG), type_simple(TYPE_LONG), type_simple(TYPE_LONG), type_simple(TYPE_LONG)};
    silt_auto(str_buf_fini) StrBuf sql = {0}, hash = {0};

    put_hash(&hash, schema);
    str_buf_printf(&sql, "SELECT CAST(h %% %d AS BIGINT), CAST(count(*) FILTER (w > 0) AS BIGINT), CAST(count(*) FILTER (w < 0) AS BIGINT), "
                         "CAST(sum(w) <> 0 OR sum(w * CAST(h AS HUGEINT)) <> 0 AS BIGINT) FROM "
                         "(SELECT %s AS h, 1 AS w FROM %s AS l UNION ALL SELECT %s, -1 FROM %s AS r) AS u GROUP BY h %% %d",
                   GROUPS, str_buf_text(&hash), left, str_buf_text(&hash), right, GROUPS);
    return read_all(session, str_buf_text(&sql), types, 4, take_group, sums, err);
}

static void take_counts(void *self, const Chunk *chunk, int row)
{
    DeltaDifference *out = self;

    out->left_only = long_at(chunk, 0, row);
    out->right_only = long_at(chunk, 1, row);
}

/* The rows of these groups that are not as often on both sides, into the temporary table. */
static int keep_rows(DuckSession *session, const char *left, const char *right, const Type *schema, const char *groups, DeltaDifference *out,
                     SiltErr *err)
{
    const Type *types[] = {type_simple(TYPE_LONG), type_simple(TYPE_LONG)};
    silt_auto(str_buf_fini) StrBuf sql = {0}, hash = {0}, keys = {0}, columns = {0};

    put_hash(&hash, schema);
    put_keys(&keys, schema);
    for (int i = 0; i < schema->field_count; i++)
        str_buf_printf(&columns, "c%d, ", i + 1);
    str_buf_printf(&sql, "CREATE OR REPLACE TEMP TABLE silt_differences AS SELECT %sCAST(sum(w) AS BIGINT) AS n FROM "
                         "(SELECT *, 1 AS w FROM %s AS l WHERE %s %% %d IN (%s) UNION ALL SELECT *, -1 FROM %s AS r WHERE %s %% %d IN (%s)) AS u "
                         "GROUP BY %s HAVING sum(w) <> 0",
                   str_buf_text(&columns), left, str_buf_text(&hash), GROUPS, groups, right, str_buf_text(&hash), GROUPS, groups, str_buf_text(&keys));
    SILT_TRY(duck_session_execute(session, str_buf_text(&sql), err));
    return read_all(session, "SELECT CAST(coalesce(sum(n) FILTER (n > 0), 0) AS BIGINT), CAST(coalesce(-sum(n) FILTER (n < 0), 0) AS BIGINT) "
                             "FROM silt_differences", types, 2, take_counts, out, err);
}

int delta_compare(DuckSession *session, const DeltaSnapshot *left, const DeltaSnapshot *right, DeltaDifference *out, SiltErr *err)
{
    const Type *schema = left->metadata->schema;
    silt_auto(str_buf_fini) StrBuf left_sql = {0}, right_sql = {0};
    Sums sums = {.out = out};

    *out = (DeltaDifference){0};
    SILT_TRY(put_scan(&left_sql, left, schema, err));
    SILT_TRY(put_scan(&right_sql, right, schema, err));
    int r = sum_groups(session, str_buf_text(&left_sql), str_buf_text(&right_sql), schema, &sums, err);
    if (r == 0 && sums.groups.size)
        r = keep_rows(session, str_buf_text(&left_sql), str_buf_text(&right_sql), schema, str_buf_text(&sums.groups), out, err);
    str_buf_fini(&sums.groups);
    return r;
}

void delta_difference_sql(const DeltaSnapshot *left, const char *left_name, const char *right_name, int rows_max, StrBuf *out)
{
    int count = left->metadata->schema->field_count;
    silt_auto(str_buf_fini) StrBuf row = {0};

    for (int i = 0; i < count; i++)
        str_buf_printf(&row, "%sc%d", i ? ", " : "", i + 1);
    for (int side = 0; side < 2; side++) {
        str_buf_printf(out, "%s(SELECT CAST('%s' AS VARCHAR) AS c1, abs(n) AS c2", side ? " UNION ALL " : "", side ? right_name : left_name);
        for (int i = 0; i < count; i++)
            str_buf_printf(out, ", c%d AS c%d", i + 1, i + 3);
        str_buf_printf(out, " FROM silt_differences WHERE n %s 0 ORDER BY CAST(row(%s) AS VARCHAR), n LIMIT %d)", side ? "<" : ">",
                       str_buf_text(&row), rows_max);
    }
}
