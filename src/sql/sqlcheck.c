/*
 * sql/sqlcheck.c - a tool for tests: queries through parser, analyzer, printer and DuckDB, without a project
 *
 *   sqlcheck [--print | --spark] QUERY     rows as JSON objects, the DuckDB text, or the query as Spark SQL
 *   sqlcheck [--spark] --batch             lines "time zone<TAB>query" from stdin, an & behind the zone sets spark.sql.timeType.enabled; one JSON object each:
 *                                {"names":[..],"types":[..],"rows":[[..],..]} or {"error":class,"message":text,"line":n,"column":n};
 *                                with --spark {"text":..}
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "duck/render.h"
#include "duck/session.h"
#include "sql/sql.h"

typedef struct Check {
    DuckSession *session;
    const char *zone;
    bool time_type;
    bool print; /* DuckDB's text */
    bool spark; /* Spark's */
    bool batch;
} Check;

static const char *no_relation(void *self, const SqlRelation *relation)
{
    return NULL;
}

static void put_error(StrBuf *out, const SiltErr *err)
{
    JsonWriter w = {.out = out};

    json_object(&w);
    json_member(&w, "error", err->code);
    json_member(&w, "message", err->message);
    json_member(&w, "hint", err->hint);
    json_member_int(&w, "line", err->line);
    json_member_int(&w, "column", err->column);
    json_object_end(&w);
}

static int put_row(StrBuf *out, const Check *check, const Query *q, const Chunk *chunk, int row, const Zone *zone)
{
    str_buf_putc(out, check->batch ? '[' : '{');
    for (int i = 0; i < q->column_count; i++) {
        if (i)
            str_buf_putc(out, ',');
        if (!check->batch) {
            json_put_str(out, str_of(q->column_names[i]));
            str_buf_putc(out, ':');
        }
        render_json(out, chunk_column(chunk, i), (uint64_t)row, zone);
    }
    str_buf_puts(out, check->batch ? "]" : "}\n");
    return 0;
}

static int run_query(Check *check, Arena *arena, Query *q, StrBuf *out, SiltErr *err)
{
    SqlErrors errors = {.arena = arena};
    SqlSettings settings = {.time_zone = check->zone, .ansi = true, .time_type = check->time_type};
    SqlPrintOptions options = {.relation_sql = no_relation};
    silt_auto(str_buf_fini) StrBuf text = {0};
    DuckStatement *stmt;
    ChunkReader reader;
    const Zone *zone;
    int rows = 0;

    if (sql_analyze_query(arena, q, NULL, &settings, &errors) < 0) {
        *err = errors.items[0];
        return -1;
    }
    sql_print_duck_query(&text, q, &options);
    if (check->print) {
        str_buf_printf(out, "%s\n", str_buf_text(&text));
        return 0;
    }
    SILT_TRY(duck_session_set_time_zone(check->session, check->zone, err));
    duck_session_set_clock(check->session, 1767323045123456); /* 2026-01-02 03:04:05.123456 UTC: what is asked does not depend on it */
    SILT_TRY(duck_session_zone(check->session, &zone, err));
    SILT_TRY(duck_session_prepare(check->session, str_buf_text(&text), &stmt, err));
    SILT_TRY(duck_statement_read(stmt, q->column_types, q->column_count, &reader, err));
    if (check->batch) {
        JsonWriter w = {.out = out};

        json_object(&w);
        json_key(&w, "names");
        json_array(&w);
        for (int i = 0; i < q->column_count; i++)
            json_text(&w, q->column_names[i]);
        json_array_end(&w);
        json_key(&w, "types");
        json_array(&w);
        for (int i = 0; i < q->column_count; i++)
            json_text(&w, type_text(arena, q->column_types[i]));
        json_array_end(&w);
        str_buf_puts(out, ",\"rows\":[");
    }
    int r;
    for (;;) {
        Chunk *chunk;

        r = reader.next(reader.self, &chunk, err);
        if (r < 0 || !chunk)
            break;
        for (int i = 0; i < chunk_row_count(chunk); i++) {
            if (check->batch && rows++)
                str_buf_putc(out, ',');
            put_row(out, check, q, chunk, i, zone);
        }
        chunk_unref(chunk);
    }
    if (reader.close)
        reader.close(reader.self);
    if (r >= 0 && check->batch)
        str_buf_puts(out, "]}");
    return r;
}

static void put_spark(StrBuf *out, const Check *check, const Query *q)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    sql_print_spark_query(&text, q);
    if (check->batch) {
        JsonWriter w = {.out = out};

        json_object(&w);
        json_member(&w, "text", str_buf_text(&text));
        json_object_end(&w);
    } else {
        str_buf_printf(out, "%s\n", str_buf_text(&text));
    }
}

static int run_text(Check *check, const char *sql, StrBuf *out, SiltErr *err)
{
    Arena *arena = arena_new();
    Query *q;
    int r = sql_parse_query(arena, "query", str_of(sql), &q, err);

    if (r == 0 && check->spark)
        put_spark(out, check, q);
    else if (r == 0)
        r = run_query(check, arena, q, out, err);
    arena_free(arena);
    return r;
}

int main(int argc, char **argv)
{
    DuckOptions options = {.threads = 1};
    DuckEngine *engine = duck_engine_new(&options);
    Check check = {.zone = "UTC"};
    SiltErr err = {0};
    int failed = 0;

    if (duck_session_open(engine, &check.session, &err) < 0) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--print")) {
            check.print = true;
        } else if (!strcmp(argv[i], "--spark")) {
            check.spark = true;
        } else if (!strcmp(argv[i], "--batch")) {
            char *line = NULL;
            size_t capacity = 0;
            ssize_t size;

            check.batch = true;
            while ((size = getline(&line, &capacity, stdin)) > 0) {
                silt_auto(str_buf_fini) StrBuf out = {0};
                char *tab = strchr(line, '\t');

                if (!tab)
                    continue;
                if (line[size - 1] == '\n')
                    line[size - 1] = 0;
                check.time_type = tab > line && tab[-1] == '&';
                tab[check.time_type ? -1 : 0] = 0;
                check.zone = line;
                memset(&err, 0, sizeof err);
                if (run_text(&check, tab + 1, &out, &err) < 0) {
                    str_buf_clear(&out);
                    put_error(&out, &err);
                }
                puts(str_buf_text(&out));
                fflush(stdout);
            }
            free(line);
        } else {
            silt_auto(str_buf_fini) StrBuf out = {0};

            if (run_text(&check, argv[i], &out, &err) < 0) {
                fprintf(stderr, "%s:%d:%d: error: %s [%s]\n%s%s", "query", err.line, err.column, err.message, err.code, err.hint, *err.hint ? "\n" : "");
                failed = 1;
            }
            fputs(str_buf_text(&out), stdout);
        }
    }
    duck_session_close(check.session);
    duck_engine_free(engine);
    return failed;
}
