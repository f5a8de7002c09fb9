/*
 * pipeline/trial_compare.c - what a table holds against what is expected of it, and against one batch over the same input
 *
 * Rows are compared as multisets, each value by its exact JSON. Of an expected file only the columns that it names count.
 */
#include "pipeline/trial.h"
#include <string.h>
#include <strings.h>

enum { ROWS_SHOWN = 20 }; /* of each sign */

/* ---- rows that differ ---- */

static int text_columns(const char *text)
{
    int count = 0;

    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

static void put_line(StrBuf *out, char sign, const char *const *cells, const int *widths, int count)
{
    str_buf_printf(out, "    %c ", sign);
    for (int i = 0; i < count; i++) {
        str_buf_printf(out, "%s%s", i ? "  " : "", cells[i]);
        for (int pad = i + 1 < count ? widths[i] - text_columns(cells[i]) : 0; pad > 0; pad--)
            str_buf_putc(out, ' ');
    }
    str_buf_putc(out, '\n');
}

/* Walk both sorted sets; rows that are in one only go to `missing` (of want) and `extra` (of have), as far as they are shown. */
static void tell_apart(const RowSet *want, const RowSet *have, const char **shown[2][ROWS_SHOWN], int counts[2])
{
    int i = 0, j = 0;

    counts[0] = counts[1] = 0;
    while (i < want->row_count || j < have->row_count) {
        int order = i == want->row_count ? 1 : j == have->row_count ? -1 : trial_row_order(want->rows[i], have->rows[j], want->column_count);
        int side = order > 0;
        if (order && counts[side]++ < ROWS_SHOWN)
            shown[side][counts[side] - 1] = order < 0 ? want->rows[i] : have->rows[j];
        i += order <= 0;
        j += order >= 0;
    }
}

static const char *rows_of(int count)
{
    return count == 1 ? "row" : "rows";
}

/* Nothing when the rows are the same. title, behind: the words before and after the counts. */
static void report_rows(StrBuf *out, Arena *arena, const RowSet *want, const RowSet *have, const char *title, const char *missing, const char *extra, const char *behind)
{
    const char **shown[2][ROWS_SHOWN];
    int counts[2];
    int *widths = ARENA_ARRAY(arena, int, want->column_count + 1);

    tell_apart(want, have, shown, counts);
    if (!counts[0] && !counts[1])
        return;
    str_buf_printf(out, "  %s: ", title);
    if (counts[0])
        str_buf_printf(out, "%d %s %s", counts[0], rows_of(counts[0]), missing);
    if (counts[1])
        str_buf_printf(out, "%s%d %s %s", counts[0] ? ", " : "", counts[1], rows_of(counts[1]), extra);
    str_buf_printf(out, "%s\n", behind);
    for (int i = 0; i < want->column_count; i++) {
        widths[i] = text_columns(want->names[i]);
        for (int side = 0; side < 2; side++)
            for (int j = 0; j < counts[side] && j < ROWS_SHOWN; j++)
                widths[i] = text_columns(shown[side][j][i]) > widths[i] ? text_columns(shown[side][j][i]) : widths[i];
    }
    put_line(out, ' ', want->names, widths, want->column_count);
    for (int side = 0; side < 2; side++) {
        for (int j = 0; j < counts[side] && j < ROWS_SHOWN; j++)
            put_line(out, "-+"[side], shown[side][j], widths, want->column_count);
        if (counts[side] > ROWS_SHOWN)
            str_buf_printf(out, "    %c ... and %d more\n", "-+"[side], counts[side] - ROWS_SHOWN);
    }
}

/* ---- tables ---- */

/* The name by which a session of the project finds a table, a view or a side table. */
static const char *table_name(Arena *arena, const Dataset *dataset, const char *suffix)
{
    silt_auto(str_buf_fini) StrBuf name = {0};

    if (dataset->kind == DATASET_TEMPORARY_VIEW) {
        trial_put_name(&name, dataset->table);
    } else if (*suffix) { /* beside its owner, wherever that is */
        str_buf_puts(&name, "delta.");
        trial_put_name(&name, arena_printf(arena, "%s%s", dataset->path, suffix));
    } else {
        const char *parts[] = {dataset->catalog, dataset->schema, dataset->table};
        for (int i = 0; i < 3; i++) {
            str_buf_puts(&name, i ? "." : "");
            trial_put_name(&name, parts[i]);
        }
    }
    return arena_strdup(arena, str_buf_text(&name));
}

enum { TABLE_ABSENT = 1 };
/* All rows of a table. 0, TABLE_ABSENT, or -1 with errors. */
static int read_table(const TrialWorld *world, Arena *arena, const Dataset *dataset, const char *suffix, const char *columns, RowSet *out, SqlErrors *errors)
{
    const char *sql = arena_printf(arena, "SELECT %s FROM %s", columns, table_name(arena, dataset, suffix));
    int before = errors->count;
    int r = trial_read_rows(world, arena, "the test's own query", sql, out, errors);

    if (r == 0 || errors->count != before + 1 || strcmp(errors->items[before].code, "TABLE_OR_VIEW_NOT_FOUND"))
        return r;
    errors->count = before;
    return TABLE_ABSENT;
}

/* ---- expected rows ---- */

/* SQL and Parquet files say types; those of JSON and CSV are the table's. */
static bool same_types(const RowSet *want, const RowSet *have, const char *title, StrBuf *report)
{
    bool same = true;

    for (int i = 0; i < want->column_count; i++) {
        silt_auto(arena_freep) Arena *arena = arena_new();
        if (type_equal(want->types[i], have->types[i], false))
            continue;
        str_buf_printf(report, "  %s: column \"%s\" is %s in the expected rows and %s in the table\n", title, want->names[i], type_text(arena, want->types[i]),
                       type_text(arena, have->types[i]));
        same = false;
    }
    return same;
}

/* Columns of the table in the order of the file, quoted; all of them for a file without any. */
static const char *wanted_columns(Arena *arena, const char *const *names, int count)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    if (!count)
        return "*";
    for (int i = 0; i < count; i++) {
        str_buf_puts(&text, i ? ", " : "");
        trial_put_name(&text, names[i]);
    }
    return arena_strdup(arena, str_buf_text(&text));
}

static int compare_expected(const TrialWorld *world, const TrialRows *expected, int update, StrBuf *report, SqlErrors *errors)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf sql = {0};
    const char *title = world->trial->update_count > 1 ? arena_printf(arena, "%s after update %d", expected->table, update + 1) : expected->table;
    const char *behind = arena_printf(arena, " (%s)", expected->file.name);
    int before = errors->count, count;
    const char *const *names;
    RowSet want = {0}, have = {0}, table = {0};

    int absent = read_table(world, arena, expected->dataset, expected->suffix, "*", &table, errors);
    if (absent < 0)
        return -1;
    if (trial_rows_query(world, arena, expected, absent ? NULL : trial_schema(arena, &table), false, &sql, &names, &count, errors) < 0)
        return -1;
    if (sql.size && trial_read_rows(world, arena, expected->file.name, str_buf_text(&sql), &want, errors) < 0) {
        for (int i = before; i < errors->count; i++)
            trial_place(world, &expected->file, &errors->items[i]);
        return -1;
    }
    if (absent) {
        if (want.row_count)
            str_buf_printf(report, "  %s: has not been made, %d %s expected%s\n", title, want.row_count, rows_of(want.row_count), behind);
        return 0;
    }
    if (!sql.size) { /* an empty file: no rows */
        want = (RowSet){.names = table.names, .types = table.types, .column_count = table.column_count};
        have = table;
    } else if (read_table(world, arena, expected->dataset, expected->suffix, wanted_columns(arena, names, count), &have, errors) != 0) {
        return -1;
    }
    if (same_types(&want, &have, title, report))
        report_rows(report, arena, &want, &have, title, "missing", "not expected", behind);
    return 0;
}

int trial_compare(const TrialWorld *world, int update, StrBuf *report, SqlErrors *errors)
{
    const TrialUpdate *u = &world->trial->updates[update];
    int before = errors->count;

    for (int i = 0; i < u->expected_count; i++)
        compare_expected(world, &u->expected[i], update, report, errors);
    return errors->count > before ? -1 : 0;
}

/* ---- T3 ---- */

/*
 * Which tables must be what one batch gives: not those over functions of time or chance, over a join of a stream with a table that may have
 * changed since, over a flow that runs once, or over a stream told to leave changes out; nor what reads such a table.
 */
static bool *steady_tables(const TrialWorld *world, Arena *arena, SqlErrors *errors)
{
    const Graph *graph = world->pipeline->graph;
    AnalysisOptions options = pipeline__analysis_options(world->pipeline);
    Analysis *analysis = analysis_new(&options);
    FlowQuery **queries = ARENA_ARRAY(arena, FlowQuery *, graph->flow_count + 1);
    bool *steady = ARENA_ARRAY(arena, bool, graph->dataset_count + 1);

    analysis_graph(analysis, queries, errors);
    for (int i = 0; i < graph->dataset_count; i++)
        steady[i] = true;
    for (int i = 0; i < graph->flow_count; i++) { /* in an order that respects who reads whom */
        const GraphFlow *flow = graph->flows[i];
        const FlowQuery *query = queries[i];
        PlanTraits traits = query ? plan_traits(query->query) : (PlanTraits){0};
        bool *target = NULL, streams = flow->target->kind == DATASET_STREAMING_TABLE, fine = query && !flow->once && !traits.clock && !traits.date && !traits.random;
        for (int j = 0; query && j < query->input_count; j++)
            fine &= query->inputs[j]->streaming == streams && !query->inputs[j]->stream.skip_change_commits && !query->inputs[j]->stream.ignore_deletes;
        for (int j = 0; j < graph->dataset_count; j++) {
            if (graph->datasets[j] == flow->target)
                target = &steady[j];
            for (int k = 0; k < flow->read_count; k++)
                fine &= graph->datasets[j] != flow->reads[k] || steady[j];
        }
        *target &= fine;
    }
    for (int i = 0; i < graph->flow_count; i++)
        flow_query_free(queries[i]);
    analysis_free(analysis);
    return steady;
}

int trial_compare_with_batch(const TrialWorld *world, const TrialWorld *batch, int update, StrBuf *report, SqlErrors *errors)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const Graph *graph = world->pipeline->graph;
    int before = errors->count;
    const bool *steady = steady_tables(world, arena, errors);

    for (int i = 0; i < graph->dataset_count && errors->count == before; i++) {
        const Dataset *dataset = graph->datasets[i];
        RowSet want, have;
        if (!dataset->path || !steady[i] || read_table(batch, arena, dataset, "", "*", &want, errors) != 0)
            continue;
        const char *title = arena_printf(arena, "%s after update %d is not what one batch over the same input gives", dataset->table, update + 1);
        if (read_table(world, arena, dataset, "", wanted_columns(arena, want.names, want.column_count), &have, errors) == 0)
            report_rows(report, arena, &want, &have, title, "of the batch missing", "not in the batch", "");
    }
    return errors->count > before ? -1 : 0;
}
