/*
 * flow/select.c - the SQL text of a batch: the query, mapped to the target's columns, past the expectations
 *
 *   SELECT e.c1, ... FROM (SELECT q.c2 AS c1, CAST(NULL AS ...) AS c2, ... FROM (query) AS q) AS e WHERE least(...)
 *
 * All conditions stand as arguments of one function, not joined by AND, so that each is computed on every row and its counter
 * is right whatever the others say.
 */
#include "flow/internal.h"
#include "sql/functions.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void print_mapping(StrBuf *out, const Query *query, const Type *schema)
{
    for (int i = 0; i < schema->field_count; i++) {
        const TypeField *field = &schema->fields[i];
        int at = 0;
        while (at < query->column_count && strcasecmp(query->column_names[at], field->name))
            at++;
        str_buf_puts(out, i ? ", " : "");
        if (at < query->column_count && type_equal(query->column_types[at], field->type, false)) {
            str_buf_printf(out, "q.c%d", at + 1);
        } else { /* missing, or a struct that has grown: fields go by name */
            str_buf_puts(out, "CAST(");
            if (at < query->column_count)
                str_buf_printf(out, "q.c%d", at + 1);
            else
                str_buf_puts(out, "NULL");
            str_buf_puts(out, " AS ");
            type_print_duck(out, field->type);
            str_buf_putc(out, ')');
        }
        str_buf_printf(out, " AS c%d", i + 1);
    }
}

static void print_mapped(StrBuf *out, const FlowQuery *query, const BatchInput *inputs, const SelectOptions *options, bool origins)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    const char **texts = ARENA_ARRAY(scratch, const char *, query->input_count + 1);

    for (int i = 0; i < query->input_count; i++)
        texts[i] = inputs[i].sql;
    str_buf_puts(out, "(SELECT ");
    print_mapping(out, query->query, query->want->schema);
    if (origins)
        str_buf_puts(out, ", q.silt_source, q.silt_position");
    str_buf_puts(out, " FROM (");
    plan_print(out, query->query, texts, query->input_count, origins || options->set_aside, options->set_aside);
    str_buf_puts(out, ") AS q");
    if (options->limit_left >= 0)
        str_buf_printf(out, " LIMIT %lld", (long long)options->limit_left);
    str_buf_puts(out, ") AS e");
}

static void print_columns(StrBuf *out, int count)
{
    for (int i = 0; i < count; i++)
        str_buf_printf(out, "%se.c%d AS c%d", i ? ", " : "", i + 1, i + 1);
}

static void print_literal(StrBuf *out, const char *text)
{
    sql_duck_text(out, str_of(text));
}

/* The row as text, {'id': 1, 'name': x}, at most SHOWN_MAX characters: for messages. */
static void print_row(StrBuf *out, const Type *schema)
{
    enum { SHOWN_MAX = 500 };

    str_buf_puts(out, "substring(CAST({");
    for (int i = 0; i < schema->field_count; i++) {
        str_buf_puts(out, i ? ", " : "");
        print_literal(out, schema->fields[i].name);
        str_buf_printf(out, ": e.c%d", i + 1);
    }
    str_buf_printf(out, "} AS VARCHAR), 1, %d)", SHOWN_MAX);
}

/* origins: a failing row tells its place behind FLOW_PLACE_MARK, for flow__tell_place: file names in the text would make each batch's its own. */
static void print_conditions(StrBuf *out, const FlowQuery *query, bool origins)
{
    for (int i = 0; i < query->expectation_count; i++) {
        const FlowExpectation *expectation = &query->expectations[i];
        silt_auto(str_buf_fini) StrBuf condition = {0};
        sql_print_duck_expr(&condition, expectation->condition, "e.");
        str_buf_puts(out, i ? ", " : "");
        switch (expectation->action) {
        case EXPECT_DROP_ROW:
            str_buf_printf(out, "silt_pass(%d, %s)", i, str_buf_text(&condition));
            break;
        case EXPECT_WARN: /* counted, and true for the filter */
            str_buf_printf(out, "(silt_pass(%d, %s) IS NOT NULL)", i, str_buf_text(&condition));
            break;
        case EXPECT_FAIL_UPDATE:
            str_buf_printf(out, "silt_fail_unless(%d, %s, CASE WHEN (%s) IS TRUE THEN NULL ELSE ", i, str_buf_text(&condition),
                           str_buf_text(&condition));
            silt_auto(str_buf_fini) StrBuf message = {0};
            str_buf_printf(&message, "expectation \"%s\" of table \"%s\" does not hold for the row ", expectation->name, query->want->name);
            print_literal(out, str_buf_text(&message));
            str_buf_puts(out, " || ");
            print_row(out, query->want->schema);
            if (origins)
                str_buf_printf(out, " || coalesce(chr(%d) || CAST(e.silt_source AS VARCHAR) || '@' || CAST(e.silt_position AS VARCHAR), '')", FLOW_PLACE_MARK);
            str_buf_puts(out, " END, ");
            sql_duck_pos(out, expectation->condition->pos);
            str_buf_putc(out, ')');
            break;
        }
    }
}

static void print_reasons(StrBuf *out, const FlowQuery *query)
{
    str_buf_puts(out, "(CAST([] AS VARCHAR[])");
    for (int i = 0; i < query->expectation_count; i++) {
        if (query->expectations[i].action != EXPECT_DROP_ROW)
            continue;
        str_buf_puts(out, " || CASE WHEN (");
        sql_print_duck_expr(out, query->expectations[i].condition, "e.");
        str_buf_puts(out, ") IS TRUE THEN CAST([] AS VARCHAR[]) ELSE [");
        print_literal(out, query->expectations[i].name);
        str_buf_puts(out, "] END");
    }
    str_buf_putc(out, ')');
}

/* Delta inputs give no position: their rows are found in the table that they come from. */
static bool has_origins(const FlowQuery *query, const BatchInput *inputs)
{
    return query->input_count == 1 && inputs[0].input->kind == PLAN_INPUT_SOURCE && sql_query_has_origin(query->query);
}

bool flow__sets_aside(const Batch *batch)
{
    const Flow *flow = batch->flow;

    return flow->options.kind == FLOW_STREAM && !flow->options.refuse_bad && has_origins(flow->query, batch->inputs) &&
           batch->inputs[0].input->streaming && sql_query_sets_aside(flow->query->query) &&
           !flow__setting_is(flow, "silt.deadLetters", "spark", "table");
}

static bool may_fail(const FlowQuery *query)
{
    for (int i = 0; i < query->expectation_count; i++)
        if (query->expectations[i].action == EXPECT_FAIL_UPDATE)
            return true;
    return false;
}

/* Of the part that a row comes from: its topic, or name. */
static void print_part_name(StrBuf *out, const SourcePart *parts, int count)
{
    str_buf_puts(out, "list_extract([");
    for (int i = 0; i < count; i++) {
        str_buf_puts(out, i ? ", " : "");
        print_literal(out, parts[i].topic ? parts[i].topic : parts[i].name);
    }
    str_buf_puts(out, "], CAST(e.silt_source AS BIGINT) + 1)");
}

static void print_partition(StrBuf *out, const SourcePart *parts, int count)
{
    str_buf_puts(out, "CAST(list_extract([");
    for (int i = 0; i < count; i++)
        str_buf_printf(out, "%s%d", i ? ", " : "", parts[i].partition);
    str_buf_puts(out, "], CAST(e.silt_source AS BIGINT) + 1) AS INTEGER)");
}

/* File and byte of a row, or topic, partition and offset, as five columns; NULL where a row has no one place that it comes from. */
static void print_origin(StrBuf *out, const BatchInput *inputs, bool origins, int first)
{
    int count = 0;
    const SourcePart *parts = origins && inputs[0].source ? source_batch_parts(inputs[0].source, &count) : NULL;
    silt_auto(str_buf_fini) StrBuf name = {0};
    silt_auto(str_buf_fini) StrBuf partition = {0};
    const char *text = "CAST(NULL AS VARCHAR)", *number = "CAST(NULL AS BIGINT)", *at = "e.silt_position";

    if (count)
        print_part_name(&name, parts, count);
    if (count && parts[0].topic) { /* a source has one kind of parts */
        print_partition(&partition, parts, count);
        str_buf_printf(out, "%s AS c%d, %s AS c%d, %s AS c%d, %s AS c%d, %s AS c%d", text, first, number, first + 1, str_buf_text(&name), first + 2,
                       str_buf_text(&partition), first + 3, at, first + 4);
    } else {
        str_buf_printf(out, "%s AS c%d, %s AS c%d, %s AS c%d, CAST(NULL AS INTEGER) AS c%d, %s AS c%d", count ? str_buf_text(&name) : text, first,
                       count ? at : number, first + 1, text, first + 2, first + 3, number, first + 4);
    }
}

void flow__select(StrBuf *out, const FlowQuery *query, const BatchInput *inputs, const SelectOptions *options)
{
    int count = query->want->schema->field_count;

    if (options->mode == SELECT_REFUSED) {
        str_buf_puts(out, "SELECT * FROM (SELECT ");
        print_columns(out, count);
        str_buf_puts(out, ", ");
        print_reasons(out, query);
        bool origins = has_origins(query, inputs);
        str_buf_printf(out, " AS c%d, ", count + 1);
        print_origin(out, inputs, origins, count + 2);
        str_buf_puts(out, " FROM ");
        print_mapped(out, query, inputs, options, origins);
        str_buf_printf(out, ") AS r WHERE len(r.c%d) > 0", count + 1);
        return;
    }
    bool origins = may_fail(query) && has_origins(query, inputs);
    str_buf_puts(out, "SELECT ");
    print_columns(out, count);
    str_buf_puts(out, " FROM ");
    print_mapped(out, query, inputs, options, origins);
    if (query->expectation_count) {
        str_buf_puts(out, query->expectation_count > 1 ? " WHERE least(" : " WHERE (");
        print_conditions(out, query, origins);
        str_buf_putc(out, ')');
    }
}

void flow__tell_place(const BatchInput *input, SiltErr *err)
{
    char *mark = strrchr(err->message, FLOW_PLACE_MARK), place[24];
    const char *at = strchr(mark ? mark : "", '@');
    int64_t source, position;
    int count = 0;

    if (!mark)
        return;
    const SourcePart *parts = input->source ? source_batch_parts(input->source, &count) : NULL;
    bool known = at && str_to_int64((Str){mark + 1, (size_t)(at - mark - 1)}, &source) && str_to_int64(str_of(at + 1), &position);
    *mark = 0;
    if (!known || source < 0 || source >= count)
        return;
    snprintf(place, sizeof place, "%lld", (long long)position);
    size_t left = sizeof err->message - (size_t)(mark - err->message);
    if (parts[source].topic)
        snprintf(mark, left, " of topic \"%s\", partition %d, offset %s", parts[source].topic, parts[source].partition, place);
    else /* where DuckDB reads the file itself, the position is that of the row */
        snprintf(mark, left, " of \"%s\", %s %s", parts[source].name, source_batch_sql(input->source) ? "row" : "byte", place);
}
