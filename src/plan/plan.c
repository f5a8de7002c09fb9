/* plan/plan.c - which streaming queries can run batch by batch with no memory between batches */
#include "plan/plan.h"
#include "plan/walk.h"
#include "sql/analyze.h" /* QueryInfo: after analysis, aggregates stand there and no longer in the select list */
#include <stdio.h>
#include <string.h>

typedef struct Check {
    SqlErrors *errors;
    int found;
    const Query *top; /* whose LIMIT may count over all batches */
} Check;

static void refuse(Check *check, SiltPos pos, const char *code, const char *message, const char *hint)
{
    SiltErr err;

    silt_fail_at(&err, SILT_CONFIG, pos, "%s", message);
    if (code)
        silt_code(&err, code);
    if (hint)
        silt_hint(&err, "%s", hint);
    sql_errors_add(check->errors, &err);
    check->found++;
}

static const char legacy[] = "_LEGACY_ERROR_TEMP_3102";
static const char view_hint[] = "A MATERIALIZED VIEW computes it over the whole table.";

/* ---- is it a stream ---- */

static bool query_streams(const Query *query);

static bool relation_streams(const Relation *relation)
{
    if (!relation)
        return false;
    switch (relation->kind) {
    case REL_JOIN:
        return relation_streams(relation->left) || relation_streams(relation->right);
    case REL_QUERY:
        return query_streams(relation->query);
    case REL_TABLE:
    case REL_FUNCTION:
        if (relation->resolved)
            return relation->resolved->view ? query_streams(relation->resolved->view) : relation->resolved->streaming;
        return relation->streaming; /* a common table expression */
    default: /* VALUES; the analyzer leaves nothing else behind that reads a stream */
        return false;
    }
}

static bool query_streams(const Query *query)
{
    if (!query)
        return false;
    return query->streaming || relation_streams(query->from) || query_streams(query->left) || query_streams(query->right);
}

bool plan_is_streaming(const Query *query)
{
    return query_streams(query);
}

/* ---- operators inside of expressions of one query level ---- */

typedef struct Found {
    const Expr *aggregate, *window;
    Check *check;
} Found;

static bool look_expr(void *self, Expr *expr)
{
    Found *found = self;

    if (expr->kind == EXPR_CALL && expr->window) {
        if (!found->window)
            found->window = expr;
    } else if (expr->kind == EXPR_CALL && expr->function && (expr->function->flags & FN_AGGREGATE)) {
        if (!found->aggregate)
            found->aggregate = expr;
    }
    return true;
}

static bool look_query(void *self, Query *query)
{
    Found *found = self;

    if (query_streams(query))
        refuse(found->check, query->pos, legacy, "a subquery in an expression reads a stream",
               "Read the table without STREAM there, or join the two.");
    return false;
}

static Found look(Check *check, const Query *query)
{
    Found found = {.check = check};
    WalkVisitor visitor = {.self = &found, .expr = look_expr, .query = look_query};

    for (int i = 0; i < query->item_count; i++)
        walk_expr(&visitor, query->items[i].expr);
    walk_expr(&visitor, query->where);
    walk_expr(&visitor, query->having);
    walk_expr(&visitor, query->qualify);
    for (int i = 0; i < query->order_count; i++)
        walk_expr(&visitor, query->order_by[i].expr);
    return found;
}

static bool has_watermark(const Relation *relation)
{
    if (!relation)
        return false;
    if (relation->watermark)
        return true;
    if (relation->kind == REL_JOIN)
        return has_watermark(relation->left) || has_watermark(relation->right);
    if (relation->kind == REL_QUERY && relation->query)
        return has_watermark(relation->query->from);
    return false;
}

static void refuse_aggregation(Check *check, const Query *query, SiltPos pos, const char *what)
{
    char message[256];

    if (has_watermark(query->from)) {
        snprintf(message, sizeof message, "cannot run %s over a stream yet", what);
        refuse(check, pos, NULL, message, view_hint);
        return;
    }
    snprintf(message, sizeof message, "%s over a stream without a watermark cannot append to a streaming table", what);
    refuse(check, pos, "STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION", message, view_hint);
}

static bool is_aggregated(const Query *query)
{
    const QueryInfo *info = query->extra;

    return query->kind == QUERY_SELECT && info && info->aggregate;
}

/* ---- the shape ---- */

static void check_query(Check *check, const Query *query);

static void check_join(Check *check, const Relation *join)
{
    bool left = relation_streams(join->left), right = relation_streams(join->right);

    if (left && right) {
        if (join->join == JOIN_LEFT_ANTI)
            refuse(check, join->pos, legacy, "an anti join of two streams is not possible", NULL);
        else if (join->join != JOIN_INNER && join->join != JOIN_CROSS && !has_watermark(join))
            refuse(check, join->pos, legacy, "an outer join of two streams needs a watermark in the join keys, or on the nullable side with a time range",
                   view_hint);
        else
            refuse(check, join->pos, NULL, "cannot join two streams yet", "Read one side without STREAM: it is then read whole at each batch.");
        return;
    }
    if (!left && !right)
        return;
    switch (join->join) {
    case JOIN_FULL:
        refuse(check, join->pos, legacy, "a full outer join of a stream with a table is not possible", view_hint);
        break;
    case JOIN_LEFT:
    case JOIN_LEFT_SEMI:
    case JOIN_LEFT_ANTI:
        if (right)
            refuse(check, join->pos, legacy, "a left outer, semi or anti join with the stream on the right is not possible",
                   "Put the stream on the left side.");
        break;
    case JOIN_RIGHT:
        if (left)
            refuse(check, join->pos, legacy, "a right outer join with the stream on the left is not possible", "Put the stream on the right side.");
        break;
    case JOIN_INNER:
    case JOIN_CROSS:
        break;
    }
}

static void check_relation(Check *check, const Relation *relation)
{
    if (!relation || !relation_streams(relation))
        return;
    if (relation->watermark)
        refuse(check, relation->watermark->pos, NULL, "cannot use WATERMARK yet",
               "It has no effect on a query that keeps no state: leave the clause out.");
    if (relation->dedup_count)
        refuse(check, relation->dedup[0]->pos, NULL, "cannot run DROP DUPLICATES yet", view_hint);
    switch (relation->kind) {
    case REL_JOIN:
        check_join(check, relation);
        check_relation(check, relation->left);
        check_relation(check, relation->right);
        break;
    case REL_QUERY:
        check_query(check, relation->query);
        break;
    case REL_TABLE:
    case REL_FUNCTION:
        if (relation->resolved && relation->resolved->view)
            check_query(check, relation->resolved->view);
        break;
    default:
        break;
    }
}

static void check_set(Check *check, const Query *query)
{
    bool left = query_streams(query->left), right = query_streams(query->right);

    if (query->set_op == SET_INTERSECT)
        refuse(check, query->pos, legacy, "INTERSECT over a stream is not possible", NULL);
    else if (query->set_op == SET_EXCEPT)
        refuse(check, query->pos, legacy, "EXCEPT over a stream is not possible", NULL);
    else if (!query->set_all)
        refuse_aggregation(check, query->left, query->pos, "UNION without ALL");
    else if (left != right)
        refuse(check, query->pos, legacy, "a union of a stream and a table is not possible",
               "Write two flows into one streaming table: CREATE FLOW ... AS INSERT INTO ONCE ... for the table.");
    check_query(check, query->left);
    check_query(check, query->right);
}

static void check_query(Check *check, const Query *query)
{
    if (!query || !query_streams(query))
        return;
    for (int i = 0; i < query->with_count; i++)
        check_query(check, query->with[i].query);
    if (query->kind == QUERY_SET) {
        check_set(check, query);
    } else {
        Found found = look(check, query);
        if (query->group_count || query->grouping != GROUP_PLAIN)
            refuse_aggregation(check, query, query->group_count ? query->group_by[0]->pos : query->pos, "GROUP BY");
        else if (found.aggregate || is_aggregated(query))
            refuse_aggregation(check, query, found.aggregate ? found.aggregate->pos : query->pos, "an aggregate");
        if (query->distinct)
            refuse_aggregation(check, query, query->pos, "SELECT DISTINCT");
        if (found.window)
            refuse(check, found.window->pos, "NON_TIME_WINDOW_NOT_SUPPORTED_IN_STREAMING", "a window function over a stream is not possible", view_hint);
    }
    if (query->order_count)
        refuse(check, query->order_by[0].expr->pos, legacy, "sorting a stream is not possible", "Leave ORDER BY out: a table has no order.");
    if (query->offset)
        refuse(check, query->offset->pos, legacy, "OFFSET over a stream is not possible", NULL);
    if (query->limit && query != check->top)
        refuse(check, query->limit->pos, NULL, "cannot run LIMIT inside of a streaming query yet", "At its end it is possible.");
    check_relation(check, query->from);
}

int plan_check_stream(const Query *query, SqlErrors *errors)
{
    Check check = {.errors = errors, .top = query};

    check_query(&check, query);
    return check.found ? -1 : 0;
}

static bool find_stream(void *self, Relation *relation)
{
    Check *check = self;

    if (relation->kind != REL_JOIN && relation->kind != REL_QUERY && relation_streams(relation)) {
        refuse(check, relation->pos, "INVALID_FLOW_QUERY_TYPE.STREAMING_RELATION_FOR_MATERIALIZED_VIEW", "a batch query reads a stream here",
               "Leave STREAM out to read the whole table.");
        return false;
    }
    return true;
}

int plan_check_batch(const Query *query, SqlErrors *errors)
{
    Check check = {.errors = errors};
    WalkVisitor visitor = {.self = &check, .relation = find_stream};

    walk_query(&visitor, (Query *)query);
    return check.found ? -1 : 0;
}

/* ---- time and chance ---- */

static bool set_name(const char **name, const SqlFunction *function)
{
    *name = *name ? *name : function->name;
    return true;
}

static bool trait_expr(void *self, Expr *expr)
{
    PlanTraits *traits = self;

    if (expr->kind != EXPR_CALL && expr->kind != EXPR_COLUMN)
        return true;
    if (expr->function && (expr->function->flags & FN_RANDOM))
        traits->random = set_name(&traits->random_name, expr->function);
    if (expr->function && (expr->function->flags & FN_CLOCK)) {
        if (!strcmp(expr->function->name, "current_date") || !strcmp(expr->function->name, "curdate"))
            traits->date = set_name(&traits->date_name, expr->function);
        else
            traits->clock = set_name(&traits->clock_name, expr->function);
    }
    return true;
}

static bool trait_relation(void *self, Relation *relation)
{
    PlanTraits *traits = self;

    if (relation->resolved && relation->resolved->view) {
        PlanTraits inner = plan_traits(relation->resolved->view);
        traits->date |= inner.date;
        traits->clock |= inner.clock;
        traits->random |= inner.random;
        traits->date_name = traits->date_name ? traits->date_name : inner.date_name;
        traits->clock_name = traits->clock_name ? traits->clock_name : inner.clock_name;
        traits->random_name = traits->random_name ? traits->random_name : inner.random_name;
    }
    return true;
}

PlanTraits plan_traits(const Query *query)
{
    PlanTraits traits = {0};
    WalkVisitor visitor = {.self = &traits, .expr = trait_expr, .relation = trait_relation};

    walk_query(&visitor, (Query *)query);
    return traits;
}

/* ---- printing ---- */

typedef struct Texts {
    const char *const *texts;
    int *uses; /* by slot */
    const char **names; /* NULL: texts as they are */
} Texts;

static const char *text_of(void *self, const SqlRelation *relation)
{
    Texts *texts = self;

    texts->uses[relation->slot]++;
    return texts->names && texts->names[relation->slot] ? texts->names[relation->slot] : texts->texts[relation->slot];
}

void plan_print(StrBuf *out, const Query *query, const char *const *texts, int count, bool origins, bool set_aside)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Texts state = {.texts = texts, .uses = ARENA_ARRAY(arena, int, count + 1)};
    SqlPrintOptions options = {.relation_sql = text_of, .self = &state, .origins = origins, .set_aside = set_aside};
    size_t start = out->size;
    bool first = true;

    sql_print_duck_query(out, query, &options);
    for (int i = 0; i < count; i++) {
        if (state.uses[i] < 2)
            continue;
        if (first) { /* print anew, with names for what is read more than once */
            out->size = start;
            state.names = ARENA_ARRAY(arena, const char *, count + 1);
            str_buf_puts(out, "WITH ");
        }
        state.names[i] = arena_printf(arena, "silt_kept_%d", i);
        str_buf_printf(out, "%s%s AS MATERIALIZED (SELECT * FROM %s AS t)", first ? "" : ", ", state.names[i], texts[i]);
        first = false;
    }
    if (first)
        return;
    str_buf_puts(out, " SELECT * FROM (");
    sql_print_duck_query(out, query, &options);
    str_buf_puts(out, ") AS q");
}

/* ---- places ---- */

static bool find_scalar(void *self, Expr *expr)
{
    SiltPos *pos = self;

    if (expr->kind == EXPR_SUBQUERY && !pos->line)
        *pos = expr->pos;
    return true;
}

void plan_place(const Query *query, SiltErr *err)
{
    SiltPos pos = {0};
    WalkVisitor visitor = {.self = &pos, .expr = find_scalar};
    bool unsupported = !strcmp(err->code, "UNSUPPORTED_FEATURE");

    if (err->line || (!unsupported && strcmp(err->code, "SCALAR_SUBQUERY_TOO_MANY_ROWS") != 0))
        return;
    if (unsupported) /* which of its subqueries it is, DuckDB does not say */
        pos = query->pos;
    else
        walk_query(&visitor, (Query *)query);
    if (pos.line)
        silt_place(err, pos);
}
