/* pipeline/lint_test.c - each rule: what it finds, where, for which engines, and what it leaves alone */
#include "io/memory.h"
#include "pipeline/lint.h"
#include "sql/functions.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char delta[] = "  spark.sql.sources.default: delta\n";

/* found: SQL in which the rule finds something, at `place`, saying `message` for one engine; left: SQL in which it must find nothing. */
static const struct sample {
    const char *code, *found, *place, *message, *left;
    const char *found_conf, *left_conf; /* lines of configuration; NULL: that tables are Delta */
} samples[] = {
    {"OR_REFRESH", "CREATE OR REFRESH STREAMING TABLE t AS SELECT 1", "a.sql:1:8", "refuses OR REFRESH (PARSE_SYNTAX_ERROR)",
     "CREATE STREAMING TABLE t COMMENT 'OR REFRESH' AS SELECT 1; CREATE OR REPLACE VIEW v AS SELECT 1"},
    {"PRIVATE", "-- two\nCREATE PRIVATE MATERIALIZED VIEW t AS SELECT 1", "a.sql:2:8", "refuses PRIVATE tables and views", "CREATE TEMPORARY VIEW private AS SELECT 1"},
    {"LIVE", "CREATE STREAMING LIVE TABLE t AS SELECT 1", "a.sql:1:18", "refuses the older spelling LIVE TABLE", "CREATE STREAMING TABLE live AS SELECT live FROM table"},
    {"EXPECT", "CREATE STREAMING TABLE t (\n  CONSTRAINT ok EXPECT (a > 0) ON VIOLATION DROP ROW) AS SELECT 1 AS a", "a.sql:2:3", "refuses expectations",
     "CREATE STREAMING TABLE t (a INT) AS SELECT 1 AS a"},
    {"LOCATION", "CREATE STREAMING TABLE t LOCATION '/x' AS SELECT 1", "a.sql:1:26", "refuses LOCATION", "CREATE STREAMING TABLE location AS SELECT location FROM x"},
    {"LOCATION_HIVE", "CREATE STREAMING TABLE t LOCATION '/x' AS SELECT 1", "a.sql:1:26", "LOCATION works only with tables of the Hive metastore", "CREATE STREAMING TABLE t AS SELECT 1"},
    {"USING", "CREATE STREAMING TABLE t USING delta AS SELECT 1", "a.sql:1:32", "USING delta makes the second run fail", "CREATE STREAMING TABLE t AS SELECT * FROM a JOIN b USING (c)"},
    {"USING", "CREATE MATERIALIZED VIEW t USING delta AS SELECT 1", "a.sql:1:34", "USING delta makes the second run fail", "CREATE SINK s USING delta"},
    {"SINK", "SET a = 1; CREATE SINK s USING lines", "a.sql:1:12", "refuses CREATE SINK", "CREATE FLOW sink AS INSERT INTO t BY NAME SELECT 1"},
    {"CLUSTER_BY", "CREATE STREAMING TABLE t CLUSTER BY (a) AS SELECT 1 AS a", "a.sql:1:26", "CLUSTER BY makes a partitioned table", "CREATE MATERIALIZED VIEW t AS SELECT a FROM x CLUSTER BY a"},
    {"ONCE", "CREATE FLOW f AS INSERT INTO ONCE t BY NAME SELECT 1", "a.sql:1:30", "refuses INSERT ONCE", "CREATE FLOW once AS INSERT INTO t BY NAME SELECT 1"},
    {"AUTO_CDC", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k) SEQUENCE BY n", "a.sql:1:18", "refuses AUTO CDC", "AUTO CDC INTO t FROM STREAM s KEYS (k) SEQUENCE BY n"},
    {"AUTO_CDC_DELTA", "CREATE STREAMING TABLE t FLOW AUTO CDC FROM STREAM s KEYS (k) SEQUENCE BY n", "a.sql:1:31", "AUTO CDC is understood, but does not run on Delta tables",
     "CREATE STREAMING TABLE t AS SELECT 1"},
    {"AUTO_CDC_ALONE", "AUTO CDC INTO t FROM STREAM s KEYS (k) SEQUENCE BY n", "a.sql:1:1", "refuses AUTO CDC INTO as a statement of its own",
     "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k) SEQUENCE BY n"},
    {"AUTO_CDC_ALONE", "APPLY CHANGES INTO t FROM STREAM s KEYS (k) SEQUENCE BY n", "a.sql:1:1", "refuses APPLY CHANGES INTO as a statement of its own", "CREATE VIEW v AS SELECT 1"},
    {"AUTO_CDC_CLAUSE", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k)\n  IGNORE NULL UPDATES SEQUENCE BY n", "a.sql:2:3", "refuses IGNORE NULL UPDATES",
     "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k) APPLY AS DELETE WHEN op = 'APPLY AS TRUNCATE' SEQUENCE BY n"},
    {"AUTO_CDC_CLAUSE", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k) APPLY AS TRUNCATE WHEN a SEQUENCE BY n", "a.sql:1:57", "refuses APPLY AS TRUNCATE", "SET a = 1"},
    {"AUTO_CDC_CLAUSE", "CREATE FLOW f AS AUTO CDC INTO t FROM SNAPSHOT (s) KEYS (k)", "a.sql:1:34", "refuses FROM SNAPSHOT", "CREATE VIEW v AS SELECT 1"},
    {"AUTO_CDC_ORDER", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k) SEQUENCE BY n\nAPPLY AS DELETE WHEN d", "a.sql:2:1",
     "APPLY AS DELETE behind SEQUENCE BY (PARSE_SYNTAX_ERROR)", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k) APPLY AS DELETE WHEN d SEQUENCE BY n STORED AS SCD TYPE 2 TRACK HISTORY ON (a)"},
    {"AUTO_CDC_ORDER", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k) SEQUENCE BY n TRACK HISTORY ON (a) STORED AS SCD TYPE 2", "a.sql:1:92",
     "STORED AS behind TRACK HISTORY", "CREATE VIEW v AS SELECT 1"},
    {"AUTO_CDC_MISSING", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k)", "a.sql:1:18", "AUTO CDC without SEQUENCE BY", "CREATE FLOW f AS AUTO CDC INTO t FROM SNAPSHOT (s) KEYS (k)"},
    {"AUTO_CDC_MISSING", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s SEQUENCE BY n", "a.sql:1:18", "AUTO CDC without KEYS", "CREATE VIEW v AS SELECT 1"},
    {"AUTO_CDC_BATCH", "CREATE FLOW f AS AUTO CDC INTO t FROM read_files('/x') KEYS (k) SEQUENCE BY n", "a.sql:1:34", "AUTO CDC over what is no stream",
     "CREATE FLOW f AS AUTO CDC INTO t FROM (SELECT * FROM STREAM(s)) KEYS (k) SEQUENCE BY n"},
    {"AUTO_CDC_HISTORY", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k) SEQUENCE BY n STORED AS SCD TYPE 1 TRACK HISTORY ON (a)", "a.sql:1:92",
     "TRACK HISTORY without SCD TYPE 2", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k) SEQUENCE BY n STORED AS SCD TYPE 2 TRACK HISTORY ON (a)"},
    {"AUTO_CDC_TRUNCATE", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k) APPLY AS TRUNCATE WHEN d SEQUENCE BY n STORED AS SCD TYPE 2", "a.sql:1:57",
     "APPLY AS TRUNCATE with SCD TYPE 2", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k) APPLY AS TRUNCATE WHEN d SEQUENCE BY n"},
    {"AUTO_CDC_ARRIVAL", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k) SEQUENCE BY current_timestamp()", "a.sql:1:57",
     "SEQUENCE BY current_timestamp lets the change that arrives last win", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (k) SEQUENCE BY changed_at"},
    {"USE", "USE other", "a.sql:1:1", "refuses USE other", "USE SCHEMA other; USE DATABASE other"},
    {"USE_CATALOG", "SET CATALOG c", "a.sql:1:1", "refuses USE CATALOG and SET CATALOG", "USE SCHEMA c"},
    {"SET", "SET TIME ZONE 'Europe/Berlin'", "a.sql:1:15", "SET spark.sql.session.timeZone holds while a query is checked", "SET other.key = 1"},
    {"SILT_SETTING", "SET silt.quarantine = 'table'", "a.sql:1:5", "setting silt.quarantine has no meaning to", "SET spark.x = 1"},
    {"SILT_SETTING", "CREATE STREAMING TABLE t TBLPROPERTIES ('a' = 'b', 'silt.freshness' = '1 second') AS SELECT 1", "a.sql:1:52", "setting silt.freshness has no meaning to",
     "CREATE STREAMING TABLE t TBLPROPERTIES ('a' = 'silt.freshness') AS SELECT 1"},
    {"SILT_SETTING", "", "spark-pipeline.yml:5:16", "setting silt.memory has no meaning to", "", "  spark.sql.sources.default: delta\n  silt.memory: 1GB\n", NULL},
    {"FORMAT", "", "spark-pipeline.yml:1:1", "a table without a format is written as Parquet", "", "  a: b\n", NULL},
    {"NEW_FUNCTION", "CREATE MATERIALIZED VIEW v AS SELECT time_to_seconds(t) AS s FROM t", "a.sql:1:38", "refuses time_to_seconds(...)",
     "CREATE MATERIALIZED VIEW v AS SELECT hour(t) AS time_to_seconds FROM t"},
    {"QUALIFY", "CREATE MATERIALIZED VIEW v AS SELECT a FROM (SELECT a FROM t\nQUALIFY row_number() OVER (ORDER BY a) = 1)", "a.sql:2:9", "refuses QUALIFY",
     "CREATE MATERIALIZED VIEW v AS SELECT a AS qualify FROM t"},
    {"SOURCE_FUNCTION", "CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('/x', format => 'json')", "a.sql:1:50", "refuses read_files(...) (UNRESOLVABLE_TABLE_VALUED_FUNCTION)",
     "CREATE MATERIALIZED VIEW t AS SELECT * FROM json.`/x`, range(3)"},
    {"SOURCE_FUNCTION", "CREATE MATERIALIZED VIEW t AS SELECT (SELECT count(*) FROM read_kafka(subscribe => 't'))", "a.sql:1:60", "refuses read_kafka(...)",
     "CREATE MATERIALIZED VIEW t AS SELECT * FROM read_files"},
    {"STREAM_PATH", "CREATE STREAMING TABLE t AS SELECT * FROM STREAM delta.`/x`", "a.sql:1:50", "refuses STREAM delta.`path`", "CREATE STREAMING TABLE t AS SELECT * FROM STREAM default.x"},
    {"STREAM_OPTIONS", "CREATE STREAMING TABLE t AS SELECT * FROM STREAM x WITH ('maxFilesPerTrigger' = '1')", "a.sql:1:58", "option maxFilesPerTrigger of a streamed table is dropped",
     "CREATE STREAMING TABLE t AS SELECT * FROM STREAM x"},
    {"DROP_DUPLICATES", "CREATE STREAMING TABLE t AS SELECT * FROM STREAM x DROP DUPLICATES ON (a)", "a.sql:1:43", "refuses DROP DUPLICATES", "CREATE STREAMING TABLE t AS SELECT DISTINCT a FROM STREAM x"},
    {"NAME_CASE", "CREATE MATERIALIZED VIEW Orders AS SELECT 1; CREATE MATERIALIZED VIEW v AS SELECT * FROM default.orders", "a.sql:1:90", "refuses a table's name in other letters",
     "CREATE MATERIALIZED VIEW Orders AS SELECT 1; CREATE MATERIALIZED VIEW v AS SELECT * FROM default.Orders, ORDER_S"},
    {"RELATIVE_PATH", "CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in/x', format => 'json')", "a.sql:1:61", "path 'in/x' is not taken from the project's folder",
     "CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('/in/x', format => 'json')"},
    {"RELATIVE_PATH", "CREATE MATERIALIZED VIEW t AS SELECT * FROM json.`in/x`", "a.sql:1:45", "path 'in/x' is not taken from the project's folder",
     "CREATE MATERIALIZED VIEW t AS SELECT * FROM json.`s3://in/x`, default.x"},
    {"LATERAL_VALUES", "CREATE MATERIALIZED VIEW t AS SELECT * FROM x, LATERAL (VALUES (a), (b)) AS v(c)", "a.sql:1:65", "refuses column \"a\" in VALUES",
     "CREATE MATERIALIZED VIEW t AS SELECT * FROM x, LATERAL (VALUES (1), (2)) AS v(c)"},
    {"COUNT_STAR", "CREATE MATERIALIZED VIEW t AS SELECT count(x.*) FROM x", "a.sql:1:44", "refuses count(x.*)", "CREATE MATERIALIZED VIEW t AS SELECT count(*), count(x.a) FROM x"},
    {"RANDOM_VALUES", "CREATE MATERIALIZED VIEW t AS VALUES (1), (1 + rand())", "a.sql:1:48", "refuses rand() in VALUES", "CREATE MATERIALIZED VIEW t AS SELECT rand() FROM VALUES (1) AS v(a)"},
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static const char *const profiles[] = {"spark41", "spark43", "lakeflow"};

static void put(Io *io, const char *path, const char *text)
{
    SiltErr err;
    assert_int_equal(io_put(io, path, str_of(text), &err), 0);
}

static void look(Arena *arena, const char *sql, const char *conf, const char *profile, LintFindings *out)
{
    Io *io = io_new_memory(NULL, 3);
    SqlErrors errors = {.arena = arena};

    put(io, "/p/spark-pipeline.yml",
        arena_printf(arena, "name: test\nstorage: file:///p/storage\nconfiguration:\n%slibraries:\n- glob: {include: a.sql}\n", conf ? conf : delta));
    put(io, "/p/a.sql", sql);
    if (lint_project(io, "/p/spark-pipeline.yml", profile, out, &errors) < 0)
        fail_msg("%s: %s", sql, errors.items[0].message);
    io_free(io);
}

static const LintFinding *find(const LintFindings *findings, const char *code, const char *place)
{
    for (int i = 0; i < findings->count; i++) {
        char at[600];
        snprintf(at, sizeof at, "%s:%d:%d", findings->items[i].error.file, findings->items[i].error.line, findings->items[i].error.column);
        if (!strcmp(findings->items[i].error.code, code) && (!place || !strcmp(at, place)))
            return &findings->items[i];
    }
    return NULL;
}

static void say(Arena *arena, StrBuf *out, const LintFindings *findings)
{
    (void)arena;
    for (int i = 0; i < findings->count; i++)
        str_buf_printf(out, "  %s %s:%d:%d %s\n", findings->items[i].error.code, findings->items[i].error.file, findings->items[i].error.line,
                       findings->items[i].error.column, findings->items[i].error.message);
}

static bool covers(const char *code, unsigned engine, bool *refuses)
{
    for (const LintRule *rule = lint_rules; rule->code; rule++) {
        if (!strcmp(rule->code, code) && rule->engines & engine) {
            *refuses = rule->refuses;
            return true;
        }
    }
    return false;
}

static void each_rule_finds_what_it_is_for_and_nothing_else(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES; i++) {
        const struct sample *s = &samples[i];
        silt_auto(arena_freep) Arena *arena = arena_new();
        LintFindings findings;
        for (int j = 0; j < 3; j++) {
            silt_auto(str_buf_fini) StrBuf said = {0};
            bool refuses = false, covered = covers(s->code, 1u << j, &refuses);
            look(arena, s->found, s->found_conf, profiles[j], &findings);
            const LintFinding *found = find(&findings, s->code, covered ? s->place : NULL);
            say(arena, &said, &findings);
            if (covered != (found != NULL))
                fail_msg("%s, %s: \"%s\" gave\n%s", s->code, profiles[j], s->found, str_buf_text(&said));
            if (found && (!strstr(found->error.message, s->message) || found->refused != refuses || !found->error.hint[0] || strstr(found->error.hint, "%s")))
                fail_msg("%s, %s: \"%s\" gave\n%s", s->code, profiles[j], s->found, str_buf_text(&said));
        }
        look(arena, s->left, s->left_conf, NULL, &findings);
        if (find(&findings, s->code, NULL))
            fail_msg("%s: \"%s\" gave a finding", s->code, s->left);
    }
}

static void each_rule_has_a_sample(void **state)
{
    (void)state;
    for (const LintRule *rule = lint_rules; rule->code; rule++) {
        bool has = false;
        for (int i = 0; i < SAMPLES; i++)
            has |= !strcmp(samples[i].code, rule->code);
        if (!has)
            fail_msg("no sample of %s", rule->code);
        assert_true(rule->refuses != (rule->effect != NULL));
    }
}

static void engines_are_told_together(void **state)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    LintFindings findings;

    (void)state;
    look(arena, "CREATE STREAMING TABLE t AS SELECT * FROM STREAM x DROP DUPLICATES ON (a);\nUSE x", NULL, NULL, &findings);
    assert_int_equal(findings.count, 2);
    assert_string_equal(findings.items[0].error.message, "Spark 4.1, Spark 4.3 and Lakeflow refuse DROP DUPLICATES (PARSE_SYNTAX_ERROR)");
    assert_string_equal(findings.items[1].error.message, "Spark 4.1 and Spark 4.3 refuse USE x (PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR)");
    assert_string_equal(findings.items[1].error.hint, "Write USE SCHEMA x.");
    assert_int_equal(findings.items[1].error.line, 2);
}

static void places_are_counted_in_characters_behind_other_statements(void **state)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    LintFindings findings;

    (void)state;
    look(arena, "SET a = '\xc3\xa4\xc3\xb6'; /* OR REFRESH */ CREATE /* \xc3\xbc */ OR\n REFRESH MATERIALIZED VIEW t AS SELECT 1", NULL, "spark43", &findings);
    assert_int_equal(findings.count, 1);
    assert_int_equal(findings.items[0].error.line, 1);
    assert_int_equal(findings.items[0].error.column, 47);
    assert_int_equal(findings.items[0].error.length, 2);
}

static void an_unknown_profile_is_refused_with_the_nearest(void **state)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    SqlErrors errors = {.arena = arena};
    LintFindings findings;
    Io *io = io_new_memory(NULL, 3);

    (void)state;
    assert_int_equal(lint_project(io, "/p/spark-pipeline.yml", "spark42", &findings, &errors), -1);
    assert_string_equal(errors.items[0].message, "there is no profile \"spark42\"");
    assert_string_equal(errors.items[0].hint, "Did you mean \"spark41\"?");
    io_free(io);
}

/* Functions that are new in Spark 4.2 are told to spark41 as soon as Silt knows them. */
static void functions_that_are_newer_than_the_oldest_profile_are_told(void **state)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    LintFindings findings;
    static const char *const newer[] = {"time_bucket", "is_valid_variant", "vector_avg", "vector_cosine_similarity", "vector_inner_product", "vector_l2_distance", "vector_norm",
                                        "vector_normalize", "vector_sum", "tuple_union_double", "tuple_sketch_agg_double", "current_path"};

    (void)state;
    for (size_t i = 0; i < sizeof newer / sizeof newer[0]; i++) {
        if (!sql_function_find(newer[i]))
            continue;
        look(arena, arena_printf(arena, "CREATE MATERIALIZED VIEW v AS SELECT %s(a) AS s FROM t", newer[i]), NULL, "spark41", &findings);
        if (findings.count != 1)
            fail_msg("%s is new in Spark 4.2: lint_rules.c needs it", newer[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_what_it_is_for_and_nothing_else),
        cmocka_unit_test(each_rule_has_a_sample),
        cmocka_unit_test(engines_are_told_together),
        cmocka_unit_test(places_are_counted_in_characters_behind_other_statements),
        cmocka_unit_test(an_unknown_profile_is_refused_with_the_nearest),
        cmocka_unit_test(functions_that_are_newer_than_the_oldest_profile_are_told),
    };

    return cmocka_run_group_tests_name("lint", tests, NULL, NULL);
}
