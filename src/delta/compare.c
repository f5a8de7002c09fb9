/* delta/compare.c - see compare.h */
#include "delta/compare.h"
#include "delta/scan.h"
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 4096, SLICES_MAX = 64, SLICE_ROWS = 250000 };

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

/* What is compared: texts of both scans, and the groups that differ with the rows that they have on both sides. */
typedef struct Comparison {
    DuckSession *session;
    const Type *schema;
    const char *left, *right, *hash;
    int rows_max;
    DeltaDifference *out;
    int64_t groups[GROUPS], rows[GROUPS];
    int group_count;
    int64_t differing_rows;
} Comparison;

static void take_group(void *self, const Chunk *chunk, int row)
{
    Comparison *c = self;
    int64_t left = long_at(chunk, 1, row), right = long_at(chunk, 2, row);

    c->out->left_rows += left;
    c->out->right_rows += right;
    if (!long_at(chunk, 3, row))
        return;
    silt_assert(c->group_count < GROUPS);
    c->groups[c->group_count] = long_at(chunk, 0, row);
    c->rows[c->group_count++] = left + right;
    c->differing_rows += left + right;
}

static int sum_groups(Comparison *c, SiltErr *err)
{
    const Type *types[] = {type_simple(TYPE_LONG), type_simple(TYPE_LONG), type_simple(TYPE_LONG), type_simple(TYPE_LONG)};
    silt_auto(str_buf_fini) StrBuf sql = {0};

    str_buf_printf(&sql, "SELECT CAST(h %% %d AS BIGINT), CAST(count(*) FILTER (w > 0) AS BIGINT), CAST(count(*) FILTER (w < 0) AS BIGINT), "
                         "CAST(sum(w) <> 0 OR sum(w * CAST(h AS HUGEINT)) <> 0 AS BIGINT) FROM "
                         "(SELECT %s AS h, 1 AS w FROM %s AS l UNION ALL SELECT %s, -1 FROM %s AS r) AS u GROUP BY h %% %d",
                   GROUPS, c->hash, c->left, c->hash, c->right, GROUPS);
    return read_all(c->session, str_buf_text(&sql), types, 4, take_group, c, err);
}

/* ---- rows of the groups that differ ---- */

static void take_counts(void *self, const Chunk *chunk, int row)
{
    DeltaDifference *out = self;

    out->left_only += long_at(chunk, 0, row);
    out->right_only += long_at(chunk, 1, row);
}

static void put_row(StrBuf *out, const char *table, int count)
{
    for (int i = 0; i < count; i++)
        str_buf_printf(out, "%s%sc%d", i ? ", " : "", table, i + 1);
}

/* The first rows_max rows of one side, in an order that depends on nothing but the rows. */
static void put_first_rows(StrBuf *out, const char *what, const char *table, int count, bool left, int rows_max)
{
    str_buf_printf(out, "(SELECT %s FROM %s AS s WHERE s.n %s 0 ORDER BY CAST(row(", what, table, left ? ">" : "<");
    put_row(out, "s.", count);
    str_buf_printf(out, ") AS VARCHAR), s.n LIMIT %d)", rows_max);
}

/* The rows of these groups that are not as often on both sides: counted, and the first of them kept. */
static int compare_slice(Comparison *c, const char *groups, bool first, SiltErr *err)
{
    const Type *types[] = {type_simple(TYPE_LONG), type_simple(TYPE_LONG)};
    int count = c->schema->field_count;
    silt_auto(str_buf_fini) StrBuf sql = {0};

    str_buf_puts(&sql, "CREATE OR REPLACE TEMP TABLE silt_slice AS SELECT ");
    put_row(&sql, "", count);
    str_buf_printf(&sql, ", CAST(sum(w) AS BIGINT) AS n FROM (SELECT *, 1 AS w FROM %s AS l WHERE %s %% %d IN (%s) UNION ALL "
                         "SELECT *, -1 FROM %s AS r WHERE %s %% %d IN (%s)) AS u GROUP BY ",
                   c->left, c->hash, GROUPS, groups, c->right, c->hash, GROUPS, groups);
    put_keys(&sql, c->schema);
    str_buf_puts(&sql, " HAVING sum(w) <> 0");
    SILT_TRY(duck_session_execute(c->session, str_buf_text(&sql), err));
    if (first)
        SILT_TRY(duck_session_execute(c->session, "CREATE OR REPLACE TEMP TABLE silt_differences AS SELECT * FROM silt_slice LIMIT 0", err));
    for (int side = 0; side < 2; side++) {
        str_buf_clear(&sql);
        str_buf_puts(&sql, "INSERT INTO silt_differences ");
        put_first_rows(&sql, "*", "silt_slice", count, side == 0, c->rows_max);
        SILT_TRY(duck_session_execute(c->session, str_buf_text(&sql), err));
    }
    return read_all(c->session, "SELECT CAST(coalesce(sum(n) FILTER (n > 0), 0) AS BIGINT), CAST(coalesce(-sum(n) FILTER (n < 0), 0) AS BIGINT) "
                                "FROM silt_slice", types, 2, take_counts, c->out, err);
}

/* As many groups at a time as have about SLICE_ROWS rows; more where that would read both tables too often. */
static int compare_groups(Comparison *c, SiltErr *err)
{
    int64_t most = c->differing_rows / SLICES_MAX < SLICE_ROWS ? SLICE_ROWS : c->differing_rows / SLICES_MAX;

    for (int i = 0; i < c->group_count;) {
        silt_auto(str_buf_fini) StrBuf groups = {0};
        int64_t rows = 0;
        bool first = i == 0;
        for (; i < c->group_count && (!groups.size || rows + c->rows[i] <= most); i++) {
            str_buf_printf(&groups, "%s%lld", groups.size ? "," : "", (long long)c->groups[i]);
            rows += c->rows[i];
        }
        SILT_TRY(compare_slice(c, str_buf_text(&groups), first, err));
    }
    return duck_session_execute(c->session, "DROP TABLE IF EXISTS silt_slice", err);
}

int delta_compare(DuckSession *session, const DeltaSnapshot *left, const DeltaSnapshot *right, int rows_max, DeltaDifference *out, SiltErr *err)
{
    const Type *schema = left->metadata->schema;
    silt_auto(str_buf_fini) StrBuf left_sql = {0}, right_sql = {0}, hash = {0};
    Comparison *c = silt_alloc(sizeof *c);

    *out = (DeltaDifference){0};
    put_hash(&hash, schema);
    int r = put_scan(&left_sql, left, schema, err);
    if (r == 0)
        r = put_scan(&right_sql, right, schema, err);
    if (r == 0) {
        *c = (Comparison){.session = session, .schema = schema, .left = str_buf_text(&left_sql), .right = str_buf_text(&right_sql),
                          .hash = str_buf_text(&hash), .rows_max = rows_max, .out = out};
        r = sum_groups(c, err);
    }
    if (r == 0 && c->group_count)
        r = compare_groups(c, err);
    free(c);
    return r;
}

void delta_difference_sql(const DeltaSnapshot *left, const char *left_name, const char *right_name, int rows_max, StrBuf *out)
{
    int count = left->metadata->schema->field_count;

    for (int side = 0; side < 2; side++) {
        silt_auto(str_buf_fini) StrBuf what = {0};
        str_buf_printf(&what, "CAST('%s' AS VARCHAR) AS c1, abs(s.n) AS c2", side ? right_name : left_name);
        for (int i = 0; i < count; i++)
            str_buf_printf(&what, ", s.c%d AS c%d", i + 1, i + 3);
        str_buf_puts(out, side ? " UNION ALL " : "");
        put_first_rows(out, str_buf_text(&what), "silt_differences", count, side == 0, rows_max);
    }
}
