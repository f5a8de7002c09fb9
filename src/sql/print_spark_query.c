/* sql/print_spark_query.c - queries and relations as Spark SQL text */
#include "sql/print_spark.h"

/* ---- relations ---- */

static void print_alias(StrBuf *out, const Relation *relation)
{
    if (!relation->alias)
        return;
    str_buf_puts(out, " AS ");
    sql__spark_name(out, relation->alias);
    if (relation->column_alias_count) {
        str_buf_putc(out, '(');
        sql__spark_names(out, relation->column_aliases, relation->column_alias_count);
        str_buf_putc(out, ')');
    }
}

void sql__spark_options(StrBuf *out, const SqlOption *options, int count)
{
    str_buf_putc(out, '(');
    for (int i = 0; i < count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        sql__spark_string(out, str_of(options[i].key));
        str_buf_puts(out, " = ");
        sql__spark_string(out, str_of(options[i].value));
    }
    str_buf_putc(out, ')');
}

static void print_call(StrBuf *out, const Relation *relation)
{
    sql__spark_qualified(out, relation->name);
    str_buf_putc(out, '(');
    if (relation->table_arg.count) {
        str_buf_puts(out, "TABLE(");
        sql__spark_qualified(out, relation->table_arg);
        str_buf_putc(out, ')');
    }
    sql__spark_exprs(out, relation->args, relation->arg_count);
    str_buf_putc(out, ')');
}

static void print_sample(StrBuf *out, const Sample *sample)
{
    str_buf_puts(out, " TABLESAMPLE (");
    switch (sample->kind) {
    case SAMPLE_PERCENT:
        str_buf_printf(out, "%s PERCENT", sample->percent);
        break;
    case SAMPLE_ROWS:
        sql_print_spark_expr(out, sample->rows);
        str_buf_puts(out, " ROWS");
        break;
    case SAMPLE_BUCKET:
        str_buf_printf(out, "BUCKET %lld OUT OF %lld", (long long)sample->bucket, (long long)sample->buckets);
        break;
    }
    str_buf_putc(out, ')');
    if (sample->seed_given)
        str_buf_printf(out, " REPEATABLE (%lld)", (long long)sample->seed);
}

static void print_modifiers(StrBuf *out, const Relation *relation)
{
    if (relation->version_as_of) {
        str_buf_puts(out, " VERSION AS OF ");
        sql_print_spark_expr(out, relation->version_as_of);
    }
    if (relation->timestamp_as_of) {
        str_buf_puts(out, " TIMESTAMP AS OF ");
        sql__spark_value(out, relation->timestamp_as_of);
    }
    if (relation->option_count) {
        str_buf_puts(out, " WITH ");
        sql__spark_options(out, relation->options, relation->option_count);
    }
    if (relation->sample)
        print_sample(out, relation->sample);
    if (relation->watermark) {
        str_buf_puts(out, " WATERMARK ");
        sql_print_spark_expr(out, relation->watermark);
        if (relation->watermark_name) {
            str_buf_puts(out, " AS ");
            sql__spark_name(out, relation->watermark_name);
        }
        str_buf_puts(out, " DELAY OF ");
        sql_print_spark_expr(out, relation->watermark_delay);
    }
    if (relation->dedup_count) {
        str_buf_printf(out, " DROP DUPLICATES %sON (", relation->dedup_within_watermark ? "WITHIN WATERMARK " : "");
        sql__spark_exprs(out, relation->dedup, relation->dedup_count);
        str_buf_putc(out, ')');
    }
    print_alias(out, relation);
}

static void print_relation(StrBuf *out, const Relation *relation);

static void print_view(StrBuf *out, const Relation *view)
{
    str_buf_puts(out, view->outer_view ? " LATERAL VIEW OUTER " : " LATERAL VIEW ");
    print_call(out, view);
    str_buf_putc(out, ' ');
    sql__spark_name(out, view->alias);
    if (view->column_alias_count) {
        str_buf_puts(out, " AS ");
        sql__spark_names(out, view->column_aliases, view->column_alias_count);
    }
}

static void print_join(StrBuf *out, const Relation *join)
{
    static const char *const words[] = {[JOIN_INNER] = "JOIN",      [JOIN_LEFT] = "LEFT JOIN",           [JOIN_RIGHT] = "RIGHT JOIN",         [JOIN_FULL] = "FULL JOIN",
                                        [JOIN_CROSS] = "CROSS JOIN", [JOIN_LEFT_SEMI] = "LEFT SEMI JOIN", [JOIN_LEFT_ANTI] = "LEFT ANTI JOIN"};
    if (join->left)
        print_relation(out, join->left);
    if (join->right->view) {
        print_view(out, join->right);
        return;
    }
    if (join->comma) {
        str_buf_puts(out, ", ");
        print_relation(out, join->right);
        return;
    }
    str_buf_printf(out, join->left ? " %s%s " : "%s%s ", join->natural ? "NATURAL " : "", words[join->join]);
    bool parentheses = join->right->kind >= REL_JOIN;
    if (parentheses)
        str_buf_putc(out, '(');
    print_relation(out, join->right);
    if (parentheses)
        str_buf_putc(out, ')');
    if (join->on) {
        str_buf_puts(out, " ON ");
        sql_print_spark_expr(out, join->on);
    }
    if (join->using_count) {
        str_buf_puts(out, " USING (");
        sql__spark_names(out, join->using_columns, join->using_count);
        str_buf_putc(out, ')');
    }
}

static void print_rows(StrBuf *out, const Relation *values)
{
    str_buf_puts(out, "VALUES ");
    for (int i = 0; i < values->arg_count; i++) {
        str_buf_puts(out, i ? ", (" : "(");
        sql__spark_exprs(out, values->args[i]->args, values->args[i]->arg_count);
        str_buf_putc(out, ')');
    }
}

/* ---- PIVOT, UNPIVOT ---- */

static void print_aliased(StrBuf *out, const SelectItem *items, int count)
{
    for (int i = 0; i < count; i++) {
        const SelectItem *item = &items[i];
        if (i)
            str_buf_puts(out, ", ");
        sql_print_spark_expr(out, item->expr);
        if (item->alias) {
            str_buf_puts(out, " AS ");
            sql__spark_name(out, item->alias);
        } else if (item->multi_alias_count) {
            str_buf_puts(out, " AS (");
            sql__spark_names(out, item->multi_alias, item->multi_alias_count);
            str_buf_putc(out, ')');
        }
    }
}

static void print_pivot(StrBuf *out, const Pivot *pivot)
{
    str_buf_puts(out, "PIVOT (");
    print_aliased(out, pivot->aggregates, pivot->aggregate_count);
    str_buf_puts(out, pivot->column_count > 1 ? " FOR (" : " FOR ");
    sql__spark_exprs(out, pivot->columns, pivot->column_count);
    str_buf_puts(out, pivot->column_count > 1 ? ") IN (" : " IN (");
    print_aliased(out, pivot->values, pivot->value_count);
    str_buf_puts(out, "))");
}

static void print_unpivot(StrBuf *out, const Unpivot *unpivot)
{
    str_buf_puts(out, unpivot->include_nulls ? "UNPIVOT INCLUDE NULLS (" : "UNPIVOT (");
    str_buf_puts(out, unpivot->several ? "(" : "");
    sql__spark_names(out, unpivot->values, unpivot->value_count);
    str_buf_puts(out, unpivot->several ? ") FOR " : " FOR ");
    sql__spark_name(out, unpivot->name_column);
    str_buf_puts(out, " IN (");
    for (int i = 0; i < unpivot->group_count; i++) {
        const UnpivotGroup *group = &unpivot->groups[i];
        str_buf_puts(out, i ? ", " : "");
        str_buf_puts(out, unpivot->several ? "(" : "");
        sql__spark_exprs(out, group->columns, group->column_count);
        str_buf_puts(out, unpivot->several ? ")" : "");
        if (group->alias) {
            str_buf_puts(out, " AS ");
            sql__spark_name(out, group->alias);
        }
    }
    str_buf_puts(out, "))");
}

/* It applies to all that stands before it, joins and views too. */
static void print_pivoted(StrBuf *out, const Relation *relation)
{
    if (relation->left) {
        print_relation(out, relation->left);
        str_buf_putc(out, ' ');
    }
    if (relation->kind == REL_PIVOT)
        print_pivot(out, relation->pivot);
    else
        print_unpivot(out, relation->unpivot);
    print_alias(out, relation);
}

static void print_relation(StrBuf *out, const Relation *relation)
{
    if (relation->kind == REL_JOIN) {
        print_join(out, relation);
        return;
    }
    if (relation->kind == REL_PIVOT || relation->kind == REL_UNPIVOT) {
        print_pivoted(out, relation);
        return;
    }
    if (relation->stream)
        str_buf_puts(out, "STREAM ");
    if (relation->lateral)
        str_buf_puts(out, "LATERAL ");
    switch (relation->kind) {
    case REL_TABLE:
        sql__spark_qualified(out, relation->name);
        break;
    case REL_FUNCTION:
        print_call(out, relation);
        break;
    case REL_QUERY:
        str_buf_putc(out, '(');
        sql_print_spark_query(out, relation->query);
        str_buf_putc(out, ')');
        break;
    case REL_VALUES:
        print_rows(out, relation);
        break;
    case REL_JOIN:
    case REL_PIVOT:
    case REL_UNPIVOT:
        break;
    }
    print_modifiers(out, relation);
}

/* ---- the clauses of SELECT ---- */

static void print_items(StrBuf *out, const Query *query)
{
    str_buf_puts(out, query->distinct ? "SELECT DISTINCT " : "SELECT ");
    print_aliased(out, query->items, query->item_count);
}

/* (a), (b), ...: each in its own parentheses, for (a, b) means both as one element */
static void print_elements(StrBuf *out, Expr *const *exprs, int count)
{
    for (int i = 0; i < count; i++) {
        str_buf_puts(out, i ? ", (" : "(");
        sql_print_spark_expr(out, exprs[i]);
        str_buf_putc(out, ')');
    }
}

/* Do the sets alone give the expressions, in the order in which they first stand there? Else GROUP BY a, b GROUPING SETS (..) does. */
static bool sets_tell_all(const Query *query)
{
    int found = 0;
    for (int i = 0; i < query->grouping_set_count; i++) {
        for (int k = 0; k < query->grouping_set_sizes[i]; k++) {
            int at = 0;
            while (at < found && query->group_by[at] != query->grouping_sets[i][k])
                at++;
            if (at == found && query->group_by[found++] != query->grouping_sets[i][k])
                return false;
        }
    }
    return found == query->group_count;
}

static void print_group_by(StrBuf *out, const Query *query)
{
    switch (query->grouping) {
    case GROUP_PLAIN:
        if (query->group_count) {
            str_buf_puts(out, " GROUP BY ");
            sql__spark_exprs(out, query->group_by, query->group_count);
        }
        break;
    case GROUP_ALL:
        str_buf_puts(out, " GROUP BY ALL");
        break;
    case GROUP_ROLLUP:
    case GROUP_CUBE:
        str_buf_puts(out, query->grouping == GROUP_ROLLUP ? " GROUP BY ROLLUP (" : " GROUP BY CUBE (");
        print_elements(out, query->group_by, query->group_count);
        str_buf_putc(out, ')');
        break;
    case GROUP_SETS:
        str_buf_puts(out, " GROUP BY ");
        if (!sets_tell_all(query)) {
            sql__spark_exprs(out, query->group_by, query->group_count);
            str_buf_putc(out, ' ');
        }
        str_buf_puts(out, "GROUPING SETS (");
        for (int i = 0; i < query->grouping_set_count; i++) {
            str_buf_puts(out, i ? ", (" : "(");
            sql__spark_exprs(out, query->grouping_sets[i], query->grouping_set_sizes[i]);
            str_buf_putc(out, ')');
        }
        str_buf_putc(out, ')');
        break;
    }
}

static void print_clause(StrBuf *out, const char *word, const Expr *expr)
{
    if (expr) {
        str_buf_printf(out, " %s ", word);
        sql_print_spark_expr(out, expr);
    }
}

static void print_windows(StrBuf *out, const Query *query);

static void print_select(StrBuf *out, const Query *query)
{
    print_items(out, query);
    if (query->from) {
        str_buf_puts(out, " FROM ");
        print_relation(out, query->from);
    }
    print_clause(out, "WHERE", query->where);
    print_group_by(out, query);
    print_clause(out, "HAVING", query->having);
    print_clause(out, "QUALIFY", query->qualify);
    print_windows(out, query);
}

/* ---- queries ---- */

static void print_body(StrBuf *out, const Query *query);

static void print_operand(StrBuf *out, const Query *query, bool parentheses)
{
    if (parentheses)
        str_buf_putc(out, '(');
    print_body(out, query);
    if (parentheses)
        str_buf_putc(out, ')');
}

/* ---- |> ---- */

static void print_organization(StrBuf *out, const Query *query);

static void print_pipe_aggregate(StrBuf *out, const Query *query)
{
    str_buf_puts(out, "AGGREGATE");
    if (query->item_count)
        str_buf_putc(out, ' ');
    print_aliased(out, query->items, query->item_count);
    if (query->group_item_count) {
        str_buf_puts(out, " GROUP BY ");
        print_aliased(out, query->group_items, query->group_item_count);
    }
}

static void print_assignments(StrBuf *out, const Query *query)
{
    str_buf_puts(out, "SET ");
    for (int i = 0; i < query->item_count; i++) {
        str_buf_puts(out, i ? ", " : "");
        sql__spark_name(out, query->items[i].alias);
        str_buf_puts(out, " = ");
        sql_print_spark_expr(out, query->items[i].expr);
    }
}

static void print_windows(StrBuf *out, const Query *query)
{
    for (int i = 0; i < query->window_count; i++) {
        str_buf_puts(out, i ? ", " : " WINDOW ");
        sql__spark_name(out, query->windows[i].name);
        str_buf_puts(out, " AS ");
        sql__spark_window(out, query->windows[i].spec);
    }
}

static const char *set_word(SetOp op)
{
    static const char *const words[] = {[SET_UNION] = "UNION", [SET_INTERSECT] = "INTERSECT", [SET_EXCEPT] = "EXCEPT"};
    return words[op];
}

static void print_operator(StrBuf *out, const Query *query)
{
    switch (query->pipe) {
    case PIPE_SELECT:
        print_items(out, query);
        print_group_by(out, query);
        print_windows(out, query);
        break;
    case PIPE_EXTEND:
        str_buf_puts(out, "EXTEND ");
        print_aliased(out, query->items, query->item_count);
        break;
    case PIPE_SET:
        print_assignments(out, query);
        break;
    case PIPE_DROP:
    case PIPE_AS:
        str_buf_puts(out, query->pipe == PIPE_AS ? "AS " : "DROP ");
        sql__spark_qualified_list(out, query->pipe_names, query->pipe_name_count);
        break;
    case PIPE_WHERE:
        str_buf_puts(out, "WHERE ");
        sql_print_spark_expr(out, query->where);
        break;
    case PIPE_ORDER:
        break; /* printed as the end of any query is */
    case PIPE_AGGREGATE:
        print_pipe_aggregate(out, query);
        break;
    case PIPE_RELATION:
        print_relation(out, query->from);
        break;
    case PIPE_SAMPLE:
        print_sample(out, query->sample);
        break;
    case PIPE_UNION:
        str_buf_printf(out, "%s%s ", set_word(query->set_op), query->set_all ? " ALL" : "");
        print_operand(out, query->right, query->right->kind == QUERY_SET || query->right->kind == QUERY_PIPE);
        break;
    }
}

static void print_pipe(StrBuf *out, const Query *query)
{
    if (query->left->bare) {
        str_buf_puts(out, "FROM ");
        print_relation(out, query->left->from);
    } else {
        print_body(out, query->left);
        if (query->left->kind == QUERY_PIPE && query->left->pipe == PIPE_ORDER)
            print_organization(out, query->left);
    }
    str_buf_puts(out, query->pipe == PIPE_ORDER ? " |>" : " |> ");
    print_operator(out, query);
}

static void print_set(StrBuf *out, const Query *query)
{
    bool meet = query->set_op == SET_INTERSECT;
    const Query *left = query->left, *right = query->right;
    print_operand(out, left, left->kind == QUERY_PIPE || (left->kind == QUERY_SET && meet && left->set_op != SET_INTERSECT));
    str_buf_printf(out, " %s%s ", set_word(query->set_op), query->set_all ? " ALL" : "");
    print_operand(out, right, right->kind == QUERY_PIPE || (right->kind == QUERY_SET && (meet || right->set_op != SET_INTERSECT)));
}

static void print_body(StrBuf *out, const Query *query)
{
    switch (query->kind) {
    case QUERY_SELECT:
        print_select(out, query);
        break;
    case QUERY_SET:
        print_set(out, query);
        break;
    case QUERY_VALUES:
        print_rows(out, query->from);
        print_alias(out, query->from);
        break;
    case QUERY_TABLE:
        str_buf_puts(out, "TABLE ");
        sql__spark_qualified(out, query->from->name);
        break;
    case QUERY_PIPE:
        print_pipe(out, query);
        break;
    }
}

static void print_with(StrBuf *out, const Query *query)
{
    for (int i = 0; i < query->with_count; i++) {
        const CommonTable *table = &query->with[i];
        str_buf_puts(out, i ? ", " : query->recursive ? "WITH RECURSIVE " : "WITH ");
        sql__spark_name(out, table->name);
        if (table->column_count) {
            str_buf_putc(out, '(');
            sql__spark_names(out, table->columns, table->column_count);
            str_buf_putc(out, ')');
        }
        if (table->level_max >= 0)
            str_buf_printf(out, " MAX RECURSION LEVEL %lld", (long long)table->level_max);
        str_buf_puts(out, " AS (");
        sql_print_spark_query(out, table->query);
        str_buf_putc(out, ')');
    }
    if (query->with_count)
        str_buf_putc(out, ' ');
}

void sql_print_spark_query(StrBuf *out, const Query *query)
{
    print_with(out, query);
    print_body(out, query);
    print_organization(out, query);
}

static void print_organization(StrBuf *out, const Query *query)
{
    if (query->order_by_all) {
        const SortItem *item = &query->order_by[0];
        str_buf_printf(out, " ORDER BY ALL%s", item->descending ? " DESC" : "");
        if (item->nulls_first == item->descending)
            str_buf_puts(out, item->nulls_first ? " NULLS FIRST" : " NULLS LAST");
    } else if (query->order_count) {
        str_buf_puts(out, " ORDER BY ");
        sql__spark_sort(out, query->order_by, query->order_count);
    }
    if (query->distribute_count) {
        str_buf_puts(out, " DISTRIBUTE BY ");
        sql__spark_exprs(out, query->distribute_by, query->distribute_count);
    }
    if (query->sort_count) {
        str_buf_puts(out, " SORT BY ");
        sql__spark_sort(out, query->sort_items, query->sort_count);
    }
    print_clause(out, "LIMIT", query->limit);
    print_clause(out, "OFFSET", query->offset);
}
