/* sql/testing.c - see testing.h; linked into tests and the fuzz target only */
#include "sql/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sql__samples(Arena *arena, SqlSample **out)
{
    FILE *file = fopen(SQL_TESTDATA "/statements.txt", "r");
    silt_assert(file);
    int count = 0, capacity = 0;
    char *line = NULL;
    size_t size = 0;
    *out = NULL;
    for (ssize_t length; (length = getline(&line, &size, file)) > 0;) {
        char *tab = memchr(line, '\t', (size_t)length);
        if (*line == '#' || !tab)
            continue;
        if (line[length - 1] == '\n')
            length--;
        SqlSample sample = {.outcome = arena_strndup(arena, line, (size_t)(tab - line)),
                            .text = arena_str(arena, (Str){tab + 1, (size_t)(line + length - tab - 1)})};
        ARENA_PUSH(arena, *out, count, capacity, sample);
    }
    free(line);
    fclose(file);
    return count;
}

/* A line of a corpus file without what corpus.py calls marks; empty: no query. */
static Str corpus_query(Str line)
{
    while (line.size && strchr(" \n", line.ptr[line.size - 1]))
        line.size--;
    if (str_starts(line, "-- "))
        return (Str){0};
    while (line.size && strchr("!^~&@", *line.ptr)) {
        const char *blank = *line.ptr == '@' ? memchr(line.ptr, ' ', line.size) : line.ptr;
        silt_assert(blank);
        line = (Str){blank + 1, (size_t)(line.ptr + line.size - blank - 1)};
    }
    return line;
}

int sql__corpus(Arena *arena, Str **out)
{
    static const char *const names[] = {"probes", "grammar", "functions", "collations", "generated"};
    int count = 0, capacity = 0;
    char *line = NULL;
    size_t size = 0;
    *out = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        FILE *file = fopen(arena_printf(arena, SQL_CORPUS "/%s.sql", names[i]), "r");
        silt_assert(file);
        for (ssize_t length; (length = getline(&line, &size, file)) > 0;) {
            Str query = corpus_query((Str){line, (size_t)length});
            if (query.size) {
                Str kept = arena_str(arena, query);
                ARENA_PUSH(arena, *out, count, capacity, kept);
            }
        }
        fclose(file);
    }
    free(line);
    return count;
}

uint32_t sql__random(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % below);
}

/* ---- random queries ---- */

static const char *pick(uint64_t *state, const char *const *words, size_t count)
{
    return words[sql__random(state, (uint32_t)count)];
}
#define PICK(state, words) pick(state, words, sizeof(words) / sizeof *(words))

static void random_expr(uint64_t *s, StrBuf *out, int depth);

static void random_leaf(uint64_t *s, StrBuf *out)
{
    static const char *const leaves[] = {
        "a", "b.c", "t.x.y", "`odd name`", "`back``tick`", "date", "order", "1", "-7", "1.50", "1e3", "2L", "-3.5BD", "4Y", "0.5F", "'text'", "'it''s'", "'\\n\\\\%\\''", "\"dq\"",
        "r'\\d+'", "NULL", "TRUE", "false", "X'1f'", "DATE '2026-01-01'", "TIMESTAMP_NTZ '2026-01-01 00:00:00'", "INTERVAL 1 DAY", "INTERVAL '1-2' YEAR TO MONTH",
        "INTERVAL '3 hours 2 minutes'", "current_date", "'\\u00e9\\t'", "v:a[0].b", "v:['x y']", "count(*)", "m['k']", "CAST(NULL AS INT)"};
    str_buf_puts(out, PICK(s, leaves));
}

static void random_list(uint64_t *s, StrBuf *out, int depth, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            str_buf_puts(out, ", ");
        random_expr(s, out, depth);
    }
}

/* before ( expr ) between ( expr ) after */
static void random_pair(uint64_t *s, StrBuf *out, int depth, const char *between)
{
    str_buf_putc(out, '(');
    random_expr(s, out, depth);
    str_buf_printf(out, ") %s (", between);
    random_expr(s, out, depth);
    str_buf_putc(out, ')');
}

static void random_wrapped(uint64_t *s, StrBuf *out, int depth, const char *before, const char *after)
{
    str_buf_puts(out, before);
    random_expr(s, out, depth);
    str_buf_puts(out, after);
}

static void random_subquery(uint64_t *s, StrBuf *out, int depth, const char *before)
{
    str_buf_printf(out, "%s(", before);
    sql__random_query(s, out, depth);
    str_buf_putc(out, ')');
}

static void random_call(uint64_t *s, StrBuf *out, int depth)
{
    static const char *const tails[] = {"", "", "", " FILTER (WHERE a > 1)", " OVER w", " OVER (PARTITION BY a, b ORDER BY c DESC NULLS LAST)", " IGNORE NULLS OVER (ORDER BY a)",
                                        " OVER (ORDER BY x ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)", " OVER (ORDER BY x RANGE UNBOUNDED PRECEDING)",
                                        " WITHIN GROUP (ORDER BY b DESC)"};
    static const char *const names[] = {"f", "s.g", "left", "`odd f`", "struct", "if", "sum"};
    const char *name = PICK(s, names);
    str_buf_printf(out, "%s(%s", name, sql__random(s, 8) ? "" : "DISTINCT ");
    random_list(s, out, depth, 1 + (int)sql__random(s, 3));
    if (!strcmp(name, "struct"))
        str_buf_puts(out, " AS field");
    else if (!sql__random(s, 6))
        str_buf_puts(out, ", key => 'v'");
    str_buf_printf(out, ")%s", PICK(s, tails));
}

static void random_expr(uint64_t *s, StrBuf *out, int depth)
{
    static const char *const binary[] = {"AND", "OR", "=", "<=>", "<>", "<", ">=", "|", "^", "&", "<<", ">>", ">>>", "+", "-", "||", "*", "/", "%", "DIV",
                                         "IS DISTINCT FROM", "IS NOT DISTINCT FROM", "LIKE", "NOT ILIKE", "RLIKE"};
    static const char *const before[] = {"NOT (", "- (", "+ (", "~ (", "((", "CAST(", "TRY_CAST(", "EXTRACT(YEAR FROM (", "f(x -> ", "f((x, y) -> ", "TRIM(BOTH FROM (", "("};
    static const char *const after[] = {")", ")", ")", ")", "))", " AS ARRAY<STRUCT<a: INT, b: MAP<STRING, DECIMAL(3, 1)>>>)", " AS BIGINT)", "))", ")", ")", "))", ").field"};
    static const char *const suffix[] = {") IS NULL", ") IS NOT TRUE", ")[0]", ")::STRING", "):path", ") COLLATE UTF8_BINARY", ") IN (1, 2)", ") NOT IN (SELECT 1)", ") LIKE ANY ('a', 'b')",
                                         ") BETWEEN 1 AND 2", ") LIKE 'a#%' ESCAPE '#'"};
    if (depth <= 0) {
        random_leaf(s, out);
        return;
    }
    uint32_t i = sql__random(s, (uint32_t)(sizeof before / sizeof *before));
    switch (sql__random(s, 12)) {
    case 0:
    case 1:
    case 2:
    case 3:
        random_pair(s, out, depth - 1, PICK(s, binary));
        break;
    case 4:
    case 5:
        random_wrapped(s, out, depth - 1, before[i], after[i]);
        break;
    case 6:
        random_wrapped(s, out, depth - 1, "(", PICK(s, suffix));
        break;
    case 7:
    case 8:
        random_call(s, out, depth - 1);
        break;
    case 9:
        str_buf_puts(out, sql__random(s, 2) ? "CASE " : "CASE a ");
        random_wrapped(s, out, depth - 1, "WHEN ", " THEN ");
        random_wrapped(s, out, depth - 1, "", sql__random(s, 2) ? " ELSE b END" : " END");
        break;
    case 10:
        random_subquery(s, out, depth - 2, sql__random(s, 3) ? "" : sql__random(s, 2) ? "EXISTS " : "NOT EXISTS ");
        break;
    default:
        str_buf_puts(out, "(a, ");
        random_expr(s, out, depth - 1);
        str_buf_putc(out, ')');
    }
}

static void random_relation(uint64_t *s, StrBuf *out, int depth)
{
    static const char *const tables[] = {"t", "db.t AS x", "json.`/data/in`", "STREAM t", "STREAM(t) WITH ('k' = 'v') WATERMARK ts DELAY OF INTERVAL 10 MINUTES AS s",
                                         "read_files('/in', format => 'json') r", "STREAM read_files('/in') WATERMARK ts AS e DELAY OF INTERVAL 1 HOUR DROP DUPLICATES ON (id)", "range(3) AS r(id)", "event_log(TABLE(a.`b c`)) e",
                                         "t VERSION AS OF 3", "t TIMESTAMP AS OF '2026-01-01' v", "t TABLESAMPLE (12.5 PERCENT) REPEATABLE (7) AS s", "t TABLESAMPLE (BUCKET 1 OUT OF 4)",
                                         "LATERAL explode(a) AS e(x)", "LATERAL (SELECT a + 1 AS b) l", "VALUES (1, 'a'), (2, NULL) AS v(a, b)", "stream"};
    static const char *const joins[] = {" JOIN ", " LEFT JOIN ", " RIGHT OUTER JOIN ", " FULL JOIN ", " LEFT SEMI JOIN ", " LEFT ANTI JOIN ", " CROSS JOIN ", " NATURAL JOIN ", ", "};
    if (depth <= 0 || !sql__random(s, 3)) {
        str_buf_puts(out, PICK(s, tables));
    } else if (!sql__random(s, 3)) {
        random_subquery(s, out, depth - 1, "");
        str_buf_puts(out, " AS q(m, n)");
    } else {
        bool parentheses = !sql__random(s, 3);
        const char *join = PICK(s, joins);
        str_buf_puts(out, parentheses ? "(" : "");
        random_relation(s, out, depth - 1);
        str_buf_puts(out, parentheses ? ")" : "");
        str_buf_puts(out, parentheses && *join == ',' ? " JOIN " : *join == ',' ? " CROSS JOIN " : join);
        str_buf_puts(out, PICK(s, tables));
        if (!strstr(join, "NATURAL") && *join != ',' && !strstr(join, "CROSS")) {
            if (sql__random(s, 2))
                random_wrapped(s, out, depth - 1, " ON ", "");
            else
                str_buf_puts(out, " USING (a, `b c`)");
        }
    }
}

static void random_select(uint64_t *s, StrBuf *out, int depth)
{
    static const char *const groups[] = {"", "", " GROUP BY a, b + 1", " GROUP BY ALL", " GROUP BY ROLLUP (a, (b + 1) * 2)", " GROUP BY CUBE (a, b)", " GROUP BY a WITH ROLLUP",
                                         " GROUP BY GROUPING SETS ((a, b), a, ())", " GROUP BY a, ROLLUP (b, (c, d)), CUBE (e)", " GROUP BY a, b GROUPING SETS ((b), ())"};
    static const char *const views[] = {"", "", "", " PIVOT (sum(a) AS s, max(b) FOR (c, d) IN ((1, 'x') AS one, (2, NULL)))", " PIVOT (sum(a) FOR c IN (1, 2 two)) AS p",
                                        " UNPIVOT (v FOR n IN (a, t.b AS bee)) u", " UNPIVOT INCLUDE NULLS ((v, w) FOR n IN ((a, b) AS one, (c, d)))", " LATERAL VIEW explode(a) e AS x",
                                        " LATERAL VIEW OUTER posexplode(a) p AS i, x LATERAL VIEW explode(x) f"};
    str_buf_puts(out, sql__random(s, 6) ? "SELECT " : "SELECT DISTINCT ");
    if (!sql__random(s, 6))
        str_buf_puts(out, sql__random(s, 2) ? "*, t.* EXCEPT (a, b), " : "* EXCEPT (a), ");
    random_list(s, out, depth, 1 + (int)sql__random(s, 2));
    if (sql__random(s, 2))
        str_buf_puts(out, " AS c");
    if (sql__random(s, 4)) {
        str_buf_puts(out, " FROM ");
        random_relation(s, out, depth);
        str_buf_puts(out, PICK(s, views));
    }
    if (sql__random(s, 2))
        random_wrapped(s, out, depth, " WHERE ", "");
    str_buf_puts(out, PICK(s, groups));
    if (!sql__random(s, 4))
        random_wrapped(s, out, depth - 1, " HAVING ", "");
    if (!sql__random(s, 6))
        random_wrapped(s, out, depth - 1, " QUALIFY ", " WINDOW w AS (ORDER BY a)");
}

static void random_pipe(uint64_t *s, StrBuf *out, int depth)
{
    static const char *const operators[] = {"SET a = b, c = 1", "DROP a, `b c`", "AS p", "ORDER BY a DESC", "LIMIT 2 OFFSET 1", "AGGREGATE sum(a) AS s, count(*) GROUP BY b AS k, c",
                                            "AGGREGATE GROUP BY a", "LEFT JOIN t USING (a)", "JOIN LATERAL (SELECT a) l ON true", "UNION ALL TABLE t",
                                            "EXCEPT VALUES (1)", "PIVOT (sum(a) FOR b IN (1, 2))", "UNPIVOT (v FOR n IN (a, b)) u", "TABLESAMPLE (5 ROWS)",
                                            "SELECT DISTINCT a, sum(b) OVER w WINDOW w AS (ORDER BY a)", "SELECT a, sum(b) GROUP BY ROLLUP (a, c)"};
    switch (sql__random(s, 6)) {
    case 0:
        random_wrapped(s, out, depth, " |> WHERE ", "");
        break;
    case 1:
        random_wrapped(s, out, depth, " |> EXTEND ", " AS e");
        break;
    case 2:
        random_wrapped(s, out, depth, " |> SELECT *, ", " AS e");
        break;
    case 3:
        random_subquery(s, out, depth - 1, sql__random(s, 2) ? " |> UNION ALL " : " |> INTERSECT ");
        break;
    default:
        str_buf_printf(out, " |> %s", PICK(s, operators));
    }
}

void sql__random_query(uint64_t *s, StrBuf *out, int depth)
{
    static const char *const sets[] = {" UNION ", " UNION ALL ", " INTERSECT ", " EXCEPT ", " MINUS ALL "};
    static const char *const tails[] = {"", "", "", " ORDER BY a DESC NULLS LAST, b", " ORDER BY ALL", " CLUSTER BY a", " DISTRIBUTE BY a SORT BY b DESC", " LIMIT 3", " ORDER BY 1 LIMIT 1 OFFSET 2"};
    const char *tail = PICK(s, tails);
    if (depth > 0 && !sql__random(s, 5))
        random_subquery(s, out, depth - 1, sql__random(s, 3) ? sql__random(s, 2) ? "WITH q AS " : "WITH q(m) AS " : "WITH RECURSIVE q(m) MAX RECURSION LEVEL 9 AS ");
    str_buf_putc(out, ' ');
    if (depth > 0 && !sql__random(s, 3)) {
        for (int i = 0, count = 2 + (int)sql__random(s, 3); i < count; i++) {
            if (i)
                str_buf_puts(out, PICK(s, sets));
            random_subquery(s, out, depth - 1, "");
        }
    } else if (!sql__random(s, 12)) {
        str_buf_puts(out, sql__random(s, 2) ? "VALUES (1, 'a'), (2, 'b') AS v(x, y)" : "TABLE db.t");
    } else {
        random_select(s, out, depth);
    }
    while (depth > 0 && tail == tails[0] && !sql__random(s, 4))
        random_pipe(s, out, depth - 1);
    str_buf_puts(out, tail);
}

/* ---- what holds for any text ---- */

static int count_lines(Str text)
{
    int lines = 1;
    for (size_t i = 0; i < text.size; i++)
        lines += text.ptr[i] == '\n';
    return lines;
}

static const char *check_statement(Arena *arena, const Statement *statement)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    silt_auto(str_buf_fini) StrBuf again = {0};
    Statement *other;
    SiltErr err;
    sql_print_spark_statement(&text, statement);
    if (sql_parse_statement(arena, "printed", str_buf_view(&text), &other, &err) < 0) {
        if (strstr(err.message, "levels") || strstr(err.message, "nested deeper"))
            return NULL; /* printing may add a level of parentheses to a tree at the limit */
        return arena_printf(arena, "printed text does not parse: %s: %s", err.message, str_buf_text(&text));
    }
    if (other->kind != statement->kind || !sql_query_equal(statement->query, other->query))
        return arena_printf(arena, "printed text is another tree: %s", str_buf_text(&text));
    sql_print_spark_statement(&again, other);
    if (strcmp(str_buf_text(&text), str_buf_text(&again)))
        return arena_printf(arena, "printed text prints otherwise: %s / %s", str_buf_text(&text), str_buf_text(&again));
    return NULL;
}

const char *sql__check_text(Arena *arena, Str text)
{
    Statement **statements;
    int count, lines = count_lines(text);
    SqlErrors errors = {.arena = arena};
    sql_parse_file(arena, "text", text, &statements, &count, &errors);
    for (int i = 0; i < errors.count; i++) {
        const SiltErr *err = &errors.items[i];
        if (err->line < 1 || err->line > lines || err->column < 1 || err->length < 0 || !err->code[0] || !err->message[0])
            return arena_printf(arena, "error without place or code: %d:%d %s", err->line, err->column, err->message);
    }
    for (int i = 0; i < count; i++) {
        const char *wrong = check_statement(arena, statements[i]);
        if (wrong)
            return wrong;
    }
    return NULL;
}
