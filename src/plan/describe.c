/* plan/describe.c - see describe.h */
#include "plan/describe.h"
#include "plan/walk.h"
#include "sql/functions.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { TEXT_MAX = 160 };

/* Names of common tables in force: the first `count` of this query's, then those around it. */
typedef struct Names {
    const struct Names *outer;
    const Query *query;
    int count;
} Names;

typedef struct Describe {
    StrBuf *out;
    const PlanDescription *description;
    const Names *names;
    const Query *before_pipe; /* what the innermost left of a relation behind |> is */
} Describe;

/* ---- expressions ---- */

/* A quoted name that could stand without quotes: its size with both quotes, else 0. */
static size_t plain_name(const char *text)
{
    size_t size = 1;

    if (!isalpha((unsigned char)text[1]) && text[1] != '_')
        return 0;
    while (isalnum((unsigned char)text[size]) || text[size] == '_')
        size++;
    return text[size] == '`' ? size + 1 : 0;
}

/* Names without needless quotes, texts as they are, and not too long: it is read by people. */
static void put_tidy(StrBuf *out, const char *text)
{
    silt_auto(str_buf_fini) StrBuf tidy = {0};
    char quote = 0;

    for (const char *c = text; *c; c++) {
        size_t name = !quote && *c == '`' ? plain_name(c) : 0;
        if (name) {
            str_buf_add(&tidy, c + 1, name - 2);
            c += name - 1;
            continue;
        }
        if (quote && *c == '\\' && c[1])
            str_buf_putc(&tidy, *c++);
        else if (*c == quote)
            quote = 0;
        else if (!quote && (*c == '\'' || *c == '"' || *c == '`'))
            quote = *c;
        str_buf_putc(&tidy, *c == '\n' ? ' ' : *c);
    }
    size_t size = tidy.size;
    if (size > TEXT_MAX)
        for (size = TEXT_MAX; size && ((unsigned char)tidy.ptr[size] & 0xC0) == 0x80; size--)
            ;
    str_buf_add(out, str_buf_text(&tidy), size);
    if (size < tidy.size)
        str_buf_puts(out, " ...");
}

void plan_describe_expr(StrBuf *out, const Expr *expr)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    sql_print_spark_expr(&text, expr);
    put_tidy(out, str_buf_text(&text));
}

static void put_name(StrBuf *out, const char *name)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    str_buf_printf(&text, "`%s`", name);
    put_tidy(out, str_buf_text(&text));
}

static void put_exprs(StrBuf *out, Expr *const *exprs, int count)
{
    for (int i = 0; i < count; i++) {
        str_buf_puts(out, i ? ", " : "");
        plan_describe_expr(out, exprs[i]);
    }
}

static void put_items(StrBuf *out, const SelectItem *items, int count)
{
    for (int i = 0; i < count; i++) {
        str_buf_puts(out, i ? ", " : "");
        plan_describe_expr(out, items[i].expr);
        if (items[i].alias) {
            str_buf_puts(out, " AS ");
            put_name(out, items[i].alias);
        }
    }
}

static void put_sort(StrBuf *out, const SortItem *items, int count)
{
    for (int i = 0; i < count; i++) {
        str_buf_puts(out, i ? ", " : "");
        plan_describe_expr(out, items[i].expr);
        str_buf_puts(out, items[i].descending ? " DESC" : "");
    }
}

/* ---- lines ---- */

static void begin(const Describe *d, int depth, const char *operator)
{
    str_buf_printf(d->out, "%*s%s", depth, "", operator);
}

static void end(const Describe *d)
{
    str_buf_putc(d->out, '\n');
}

static void put_query(Describe *d, const Query *query, int depth);
static void put_relation(Describe *d, const Relation *relation, int depth);

static const char *const join_names[] = {
    [JOIN_INNER] = "Join",         [JOIN_LEFT] = "Join left outer",     [JOIN_RIGHT] = "Join right outer",     [JOIN_FULL] = "Join full outer",
    [JOIN_CROSS] = "Join cross",   [JOIN_LEFT_SEMI] = "Join left semi", [JOIN_LEFT_ANTI] = "Join left anti",
};

static bool is_generator(const Relation *relation)
{
    const SqlFunction *function = relation->kind == REL_FUNCTION && relation->name.count == 1 ? sql_function_find(relation->name.parts[0]) : NULL;

    return function && function->flags & FN_GENERATOR;
}

static void put_call(const Describe *d, const Relation *relation)
{
    put_name(d->out, relation->name.parts[relation->name.count - 1]);
    str_buf_putc(d->out, '(');
    put_exprs(d->out, relation->args, relation->arg_count);
    str_buf_putc(d->out, ')');
}

static void put_left(Describe *d, const Relation *relation, int depth)
{
    if (relation->left)
        put_relation(d, relation->left, depth);
    else if (d->before_pipe)
        put_query(d, d->before_pipe, depth);
}

static void put_join(Describe *d, const Relation *join, int depth)
{
    if (is_generator(join->right)) { /* LATERAL VIEW, LATERAL f(..) */
        begin(d, depth, join->right->outer_view ? "Generate outer  " : "Generate  ");
        put_call(d, join->right);
        end(d);
        put_left(d, join, depth + 2);
        return;
    }
    begin(d, depth, join->natural ? "Join natural" : join_names[join->join]);
    if (join->on) {
        str_buf_puts(d->out, "  on ");
        plan_describe_expr(d->out, join->on);
    }
    for (int i = 0; i < join->using_count; i++) {
        str_buf_puts(d->out, i ? ", " : "  using ");
        put_name(d->out, join->using_columns[i]);
    }
    end(d);
    put_left(d, join, depth + 2);
    put_relation(d, join->right, depth + 2);
}

/* A name that the query defines itself: its query in the place of the name, with the names in force where it stands. */
static bool put_common_table(Describe *d, const Relation *relation, int depth)
{
    const Names *kept = d->names;

    if (relation->kind != REL_TABLE || relation->name.count != 1)
        return false;
    for (const Names *names = kept; names; names = names->outer) {
        for (int i = names->count - 1; i >= 0; i--) {
            const CommonTable *table = &names->query->with[i];
            if (strcasecmp(table->name, relation->name.parts[0]) != 0)
                continue;
            /* it sees those before it; a recursive one that names itself reads a table of the rows so far */
            Names inside = {names->outer, names->query, i};
            begin(d, depth, "With  ");
            put_name(d->out, table->name);
            end(d);
            d->names = &inside;
            put_query(d, table->query, depth + 2);
            d->names = kept;
            return true;
        }
    }
    return false;
}

static void put_leaf(Describe *d, const Relation *relation, int depth)
{
    PlanLeaf leaf = d->description->leaf(d->description->self, relation);

    if (leaf.text) {
        for (const char *line = leaf.text; *line;) {
            size_t size = strcspn(line, "\n");
            str_buf_printf(d->out, "%*s%.*s\n", depth, "", (int)size, line);
            line += size + (line[size] == '\n');
        }
        return;
    }
    begin(d, depth, leaf.view ? "View  " : relation->kind == REL_FUNCTION ? "Generate  " : "Rows of  ");
    if (relation->kind == REL_FUNCTION)
        put_call(d, relation);
    else
        put_name(d->out, relation->name.parts[relation->name.count - 1]);
    end(d);
    if (leaf.view) {
        const Names *kept = d->names;
        d->names = NULL; /* names of the query mean nothing in a view */
        put_query(d, leaf.view, depth + 2);
        d->names = kept;
    }
}

static void put_watermark(Describe *d, const Relation *relation, int *depth)
{
    if (relation->dedup_count) {
        begin(d, *depth, relation->dedup_within_watermark ? "Deduplicate within watermark  by " : "Deduplicate  by ");
        put_exprs(d->out, relation->dedup, relation->dedup_count);
        end(d);
        *depth += 2;
    }
    if (relation->watermark) {
        begin(d, *depth, "Watermark  ");
        plan_describe_expr(d->out, relation->watermark);
        str_buf_puts(d->out, " delayed by ");
        plan_describe_expr(d->out, relation->watermark_delay);
        end(d);
        *depth += 2;
    }
}

static void put_relation(Describe *d, const Relation *relation, int depth)
{
    if (relation->sample) {
        begin(d, depth, "Sample");
        end(d);
        depth += 2;
    }
    put_watermark(d, relation, &depth);
    switch (relation->kind) {
    case REL_JOIN:
        put_join(d, relation, depth);
        break;
    case REL_QUERY:
        put_query(d, relation->query, depth);
        break;
    case REL_VALUES:
        begin(d, depth, "Values  ");
        str_buf_printf(d->out, "%d row%s", relation->arg_count, relation->arg_count == 1 ? "" : "s");
        end(d);
        break;
    case REL_PIVOT:
    case REL_UNPIVOT:
        begin(d, depth, relation->kind == REL_PIVOT ? "Pivot" : "Unpivot");
        end(d);
        put_left(d, relation, depth + 2);
        break;
    case REL_TABLE:
    case REL_FUNCTION:
        if (!put_common_table(d, relation, depth))
            put_leaf(d, relation, depth);
        break;
    }
}

/* ---- queries ---- */

typedef struct Calls {
    bool aggregate, window;
} Calls;

static bool look_at(void *self, Expr *expr)
{
    Calls *calls = self;
    const SqlFunction *function = expr->kind == EXPR_CALL && expr->name.count == 1 ? sql_function_find(expr->name.parts[0]) : NULL;

    if (expr->window) {
        calls->window = true;
        return true;
    }
    calls->aggregate |= function && function->flags & FN_AGGREGATE;
    return true;
}

static bool stay_out(void *self, Query *query)
{
    return false; /* what a subquery computes is not of this query */
}

static Calls calls_of(const Query *query)
{
    Calls calls = {0};
    WalkVisitor visitor = {.self = &calls, .expr = look_at, .query = stay_out};

    for (int i = 0; i < query->item_count; i++)
        walk_expr(&visitor, query->items[i].expr);
    walk_expr(&visitor, query->having);
    return calls;
}

static void put_condition(Describe *d, const char *operator, const Expr *condition, int *depth)
{
    if (!condition)
        return;
    begin(d, *depth, operator);
    plan_describe_expr(d->out, condition);
    end(d);
    *depth += 2;
}

static void put_ends(Describe *d, const Query *query, int *depth)
{
    put_condition(d, "Limit  ", query->limit, depth);
    put_condition(d, "Offset  ", query->offset, depth);
    if (query->order_count) {
        begin(d, *depth, "Sort  ");
        put_sort(d->out, query->order_by, query->order_count);
        end(d);
        *depth += 2;
    }
}

static void put_grouping(Describe *d, const Query *query, int *depth)
{
    static const char *const words[] = {[GROUP_PLAIN] = "Aggregate  by ", [GROUP_ROLLUP] = "Aggregate  by rollup of ", [GROUP_CUBE] = "Aggregate  by cube of ",
                                        [GROUP_SETS] = "Aggregate  by grouping sets of ", [GROUP_ALL] = "Aggregate  by all other columns"};

    if (!query->group_count && query->grouping == GROUP_PLAIN && !calls_of(query).aggregate)
        return;
    begin(d, *depth, query->group_count || query->grouping != GROUP_PLAIN ? words[query->grouping] : "Aggregate  all rows");
    put_exprs(d->out, query->group_by, query->group_count);
    end(d);
    *depth += 2;
}

static bool is_star(const Query *query)
{
    const Expr *only = query->item_count == 1 ? query->items[0].expr : NULL;

    return query->bare || (only && only->kind == EXPR_STAR && !only->except_count && !only->name.count);
}

static void put_select(Describe *d, const Query *query, int depth)
{
    if (query->distinct) {
        begin(d, depth, "Distinct");
        end(d);
        depth += 2;
    }
    put_condition(d, "Filter  ", query->qualify, &depth);
    if (!is_star(query)) {
        begin(d, depth, calls_of(query).window ? "Window  " : "Project  ");
        put_items(d->out, query->items, query->item_count);
        end(d);
        depth += 2;
    }
    put_condition(d, "Filter  ", query->having, &depth);
    put_grouping(d, query, &depth);
    put_condition(d, "Filter  ", query->where, &depth);
    if (query->from) {
        put_relation(d, query->from, depth);
    } else {
        begin(d, depth, "One row");
        end(d);
    }
}

static void put_set(Describe *d, const Query *query, int depth)
{
    static const char *const names[] = {[SET_UNION] = "Union", [SET_INTERSECT] = "Intersect", [SET_EXCEPT] = "Except"};

    begin(d, depth, names[query->set_op]);
    str_buf_puts(d->out, query->set_all ? " all" : "");
    str_buf_puts(d->out, query->set_by_name ? " by name" : "");
    end(d);
    put_query(d, query->left, depth + 2);
    put_query(d, query->right, depth + 2);
}

/* One step of a |> chain, above what it reads. */
static void put_pipe(Describe *d, const Query *query, int depth)
{
    switch (query->pipe) {
    case PIPE_SELECT:
    case PIPE_EXTEND:
    case PIPE_SET:
        begin(d, depth, query->pipe == PIPE_SELECT ? "Project  " : query->pipe == PIPE_EXTEND ? "Extend  " : "Set  ");
        put_items(d->out, query->items, query->item_count);
        break;
    case PIPE_DROP:
    case PIPE_AS:
        begin(d, depth, query->pipe == PIPE_DROP ? "Drop  " : "As  ");
        for (int i = 0; i < query->pipe_name_count; i++) {
            str_buf_puts(d->out, i ? ", " : "");
            for (int k = 0; k < query->pipe_names[i].count; k++) {
                str_buf_puts(d->out, k ? "." : "");
                put_name(d->out, query->pipe_names[i].parts[k]);
            }
        }
        break;
    case PIPE_WHERE:
        begin(d, depth, "Filter  ");
        plan_describe_expr(d->out, query->where);
        break;
    case PIPE_ORDER:
        put_ends(d, query, &depth);
        put_query(d, query->left, depth);
        return;
    case PIPE_AGGREGATE:
        begin(d, depth, "Aggregate  ");
        put_items(d->out, query->items, query->item_count);
        str_buf_puts(d->out, query->group_item_count ? " by " : "");
        put_items(d->out, query->group_items, query->group_item_count);
        break;
    case PIPE_RELATION:
        d->before_pipe = query->left;
        put_relation(d, query->from, depth);
        return;
    case PIPE_SAMPLE:
        begin(d, depth, "Sample");
        break;
    case PIPE_UNION:
        put_set(d, query, depth);
        return;
    }
    end(d);
    put_query(d, query->left, depth + 2);
}

static void put_query(Describe *d, const Query *query, int depth)
{
    Names names = {d->names, query, query->with_count};

    d->names = &names;
    if (query->kind == QUERY_PIPE) {
        put_pipe(d, query, depth);
    } else {
        put_ends(d, query, &depth);
        if (query->kind == QUERY_SET)
            put_set(d, query, depth);
        else if (query->kind == QUERY_SELECT)
            put_select(d, query, depth);
        else if (query->from) /* VALUES, TABLE t */
            put_relation(d, query->from, depth);
    }
    d->names = names.outer;
}

void plan_describe(StrBuf *out, const Query *query, const PlanDescription *description, int indent)
{
    Describe d = {.out = out, .description = description};

    put_query(&d, query, indent);
}
