/*
 * pipeline/lint_rules.c - the rules of `silt lint`, a row each
 *
 * What Spark does was seen by running 4.2.0 (with Delta 4.4.0) and 4.3.0; that the older one stands for 4.1 is said by its grammar, but for QUALIFY,
 * which is new in 4.2. What Lakeflow does is from its documentation. A rule needs a test (lint_test.c) and a line in docs/lint.md.
 */
#include "base/uri.h"
#include "pipeline/lint.h"
#include <string.h>
#include <strings.h>

static const char *last_part(const SqlName *name)
{
    return name->count ? name->parts[name->count - 1] : "";
}

static bool is_among(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcasecmp(word, *list))
            return true;
    return false;
}

/* ---- statements ---- */

static void or_refresh(Lint *lint, const LintRule *rule, const Statement *s)
{
    if (s->or_refresh)
        lint_find(lint, rule, lint_place(lint, s, "OR REFRESH"), NULL);
}

static void private_dataset(Lint *lint, const LintRule *rule, const Statement *s)
{
    const char *word = lint_place(lint, s, "PRIVATE").line ? "PRIVATE" : "TEMPORARY";

    if (s->is_private)
        lint_find(lint, rule, lint_place(lint, s, word), word);
}

static void live(Lint *lint, const LintRule *rule, const Statement *s)
{
    static const char *const forms[] = {"LIVE TABLE", "LIVE VIEW"};

    for (int i = 0; i < 2; i++) {
        SiltPos pos = lint_place(lint, s, forms[i]);
        bool creates = s->kind == STMT_CREATE_STREAMING_TABLE || s->kind == STMT_CREATE_MATERIALIZED_VIEW || s->kind == STMT_CREATE_TEMPORARY_VIEW;
        if (creates && pos.line && (pos.line < s->name.pos.line || (pos.line == s->name.pos.line && pos.column < s->name.pos.column)))
            lint_find(lint, rule, pos, forms[i]);
    }
}

static void expectations(Lint *lint, const LintRule *rule, const Statement *s)
{
    for (int i = 0; i < s->expectation_count; i++)
        lint_find(lint, rule, s->expectations[i].pos, s->expectations[i].name);
}

static void location(Lint *lint, const LintRule *rule, const Statement *s)
{
    if (s->location)
        lint_find(lint, rule, lint_place(lint, s, "LOCATION"), NULL);
}

static void using_format(Lint *lint, const LintRule *rule, const Statement *s)
{
    if (s->using_format && s->kind != STMT_CREATE_SINK)
        lint_find(lint, rule, s->using_pos, s->using_format);
}

static void sink(Lint *lint, const LintRule *rule, const Statement *s)
{
    if (s->kind == STMT_CREATE_SINK)
        lint_find(lint, rule, s->pos, NULL);
}

static void cluster_by(Lint *lint, const LintRule *rule, const Statement *s)
{
    if (s->cluster_count)
        lint_find(lint, rule, lint_place(lint, s, "CLUSTER BY"), NULL);
}

static void once_flow(Lint *lint, const LintRule *rule, const Statement *s)
{
    if (s->once)
        lint_find(lint, rule, lint_place(lint, s, "ONCE"), NULL);
}

static bool is_auto_cdc(const Statement *s)
{
    return s->kind == STMT_OTHER && !strcmp(s->what, "AUTO CDC");
}

/* A statement of its own: not that of a flow or a table. */
static bool stands_alone(const Statement *s)
{
    return s->what_pos.line == s->pos.line && s->what_pos.column == s->pos.column;
}

static void auto_cdc(Lint *lint, const LintRule *rule, const Statement *s)
{
    if (is_auto_cdc(s) && !stands_alone(s))
        lint_find(lint, rule, s->what_pos, NULL);
}

static void auto_cdc_alone(Lint *lint, const LintRule *rule, const Statement *s)
{
    if ((is_auto_cdc(s) && stands_alone(s)) || (s->kind == STMT_OTHER && !strcmp(s->what, "APPLY CHANGES")))
        lint_find(lint, rule, s->pos, s->what);
}

static void auto_cdc_clauses(Lint *lint, const LintRule *rule, const Statement *s)
{
    static const char *const clauses[] = {"IGNORE NULL UPDATES", "APPLY AS TRUNCATE", "FROM SNAPSHOT", "SYSTEM SEQUENCE BY", "BITEMPORAL"};

    for (size_t i = 0; i < sizeof clauses / sizeof clauses[0] && is_auto_cdc(s) && !stands_alone(s); i++) {
        SiltPos pos = lint_place(lint, s, clauses[i]);
        if (pos.line)
            lint_find(lint, rule, pos, clauses[i]);
    }
}

static bool is_before(SiltPos a, SiltPos b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

/* Clauses whose words stand in no other; COLUMNS and KEYS may be names in the query. */
static void auto_cdc_order(Lint *lint, const LintRule *rule, const Statement *s)
{
    static const char *const order[] = {"APPLY AS DELETE", "SEQUENCE BY", "STORED AS", "TRACK HISTORY ON"};
    static const char *const found[] = {"APPLY AS DELETE behind SEQUENCE BY", "SEQUENCE BY behind STORED AS", "STORED AS behind TRACK HISTORY"};

    for (int i = 0; i < 3 && is_auto_cdc(s); i++) {
        SiltPos pos = lint_place(lint, s, order[i]), next = lint_place(lint, s, order[i + 1]);
        if (pos.line && next.line && is_before(next, pos))
            lint_find(lint, rule, pos, found[i]);
    }
}

static bool is_snapshot(Lint *lint, const Statement *s)
{
    return lint_place(lint, s, "FROM SNAPSHOT").line != 0;
}

static void auto_cdc_missing(Lint *lint, const LintRule *rule, const Statement *s)
{
    static const char *const clauses[] = {"KEYS", "SEQUENCE BY"};

    for (int i = 0; i < 2 && is_auto_cdc(s); i++)
        if (!lint_place(lint, s, clauses[i]).line && !(i == 1 && is_snapshot(lint, s)))
            lint_find(lint, rule, s->what_pos, clauses[i]);
}

static void auto_cdc_batch(Lint *lint, const LintRule *rule, const Statement *s)
{
    SiltPos from = lint_place(lint, s, "FROM");

    if (is_auto_cdc(s) && !lint_place(lint, s, "STREAM").line && !lint_place(lint, s, "AUTO CDC ONCE").line && !is_snapshot(lint, s))
        lint_find(lint, rule, from, NULL);
}

static void auto_cdc_history(Lint *lint, const LintRule *rule, const Statement *s)
{
    SiltPos pos = lint_place(lint, s, "TRACK HISTORY");

    if (is_auto_cdc(s) && pos.line && !lint_place(lint, s, "SCD TYPE 2").line && !lint_place(lint, s, "BITEMPORAL").line)
        lint_find(lint, rule, pos, NULL);
}

static void auto_cdc_truncate(Lint *lint, const LintRule *rule, const Statement *s)
{
    SiltPos pos = lint_place(lint, s, "APPLY AS TRUNCATE");

    if (is_auto_cdc(s) && pos.line && lint_place(lint, s, "SCD TYPE 2").line)
        lint_find(lint, rule, pos, NULL);
}

/* The order of arrival, which is another one at the next full refresh. */
static void auto_cdc_arrival(Lint *lint, const LintRule *rule, const Statement *s)
{
    static const char *const ways[] = {"SEQUENCE BY current_timestamp", "SEQUENCE BY now", "SEQUENCE BY _metadata"};

    for (int i = 0; i < 3 && is_auto_cdc(s); i++) {
        SiltPos pos = lint_place(lint, s, ways[i]);
        if (pos.line)
            lint_find(lint, rule, pos, ways[i] + strlen("SEQUENCE BY "));
    }
}

static void use_bare(Lint *lint, const LintRule *rule, const Statement *s)
{
    bool worded = lint_place(lint, s, "USE SCHEMA").line || lint_place(lint, s, "USE DATABASE").line || lint_place(lint, s, "USE NAMESPACE").line;

    if (s->kind == STMT_USE && !s->use_catalog && !worded)
        lint_find(lint, rule, s->pos, last_part(&s->name));
}

static void use_catalog(Lint *lint, const LintRule *rule, const Statement *s)
{
    if (s->kind == STMT_USE && s->use_catalog)
        lint_find(lint, rule, s->pos, last_part(&s->name));
}

static void set_in_file(Lint *lint, const LintRule *rule, const Statement *s)
{
    if (s->kind == STMT_SET && str_starts(str_of(s->name.parts[0]), "spark."))
        lint_find(lint, rule, s->name.pos, s->name.parts[0]);
}

static void silt_set(Lint *lint, const LintRule *rule, const Statement *s)
{
    if (s->kind == STMT_SET && str_starts(str_of(s->name.parts[0]), "silt."))
        lint_find(lint, rule, s->name.pos, s->name.parts[0]);
    for (int i = 0; i < s->property_count; i++)
        if (str_starts(str_of(s->properties[i].key), "silt."))
            lint_find(lint, rule, s->properties[i].pos, s->properties[i].key);
}

/* ---- the spec ---- */

static void silt_configuration(Lint *lint, const LintRule *rule, const PipelineSpec *spec)
{
    for (int i = 0; i < spec->conf->count; i++)
        if (str_starts(str_of(spec->conf->entries[i].key), "silt."))
            lint_find(lint, rule, spec->conf->entries[i].pos, spec->conf->entries[i].key);
}

static void default_format(Lint *lint, const LintRule *rule, const PipelineSpec *spec)
{
    const char *format = conf_get(spec->conf, "spark.sql.sources.default");

    if (!format || strcasecmp(format, "delta"))
        lint_find(lint, rule, (SiltPos){path_name(spec->path), 1, 1, 0}, NULL);
}

/* ---- queries ---- */

static void qualify(Lint *lint, const LintRule *rule, const Query *q)
{
    if (q->qualify)
        lint_find(lint, rule, q->qualify->pos, NULL);
}

/* ---- relations ---- */

static bool is_path(const Relation *r)
{
    static const char *const formats[] = {"delta", "json", "csv", "parquet", "avro", "text", "binaryFile", "orc", NULL};
    return r->kind == REL_TABLE && r->name.count == 2 && is_among(r->name.parts[0], formats);
}

static void source_function(Lint *lint, const LintRule *rule, const Relation *r)
{
    static const char *const functions[] = {"read_files", "read_kafka", "cloud_files_state", "event_log", NULL};

    if (r->kind == REL_FUNCTION && is_among(last_part(&r->name), functions))
        lint_find(lint, rule, r->name.pos, last_part(&r->name));
}

static void stream_of_path(Lint *lint, const LintRule *rule, const Relation *r)
{
    if (r->stream && is_path(r))
        lint_find(lint, rule, r->name.pos, r->name.parts[0]);
}

static void stream_options(Lint *lint, const LintRule *rule, const Relation *r)
{
    if (r->kind == REL_TABLE && r->stream && !is_path(r) && r->option_count)
        lint_find(lint, rule, r->options[0].pos, r->options[0].key);
}

static void drop_duplicates(Lint *lint, const LintRule *rule, const Relation *r)
{
    if (r->dedup_count)
        lint_find(lint, rule, r->pos, NULL);
}

static void other_case(Lint *lint, const LintRule *rule, const Relation *r)
{
    const char *meant = r->kind == REL_TABLE ? lint_other_case(lint, last_part(&r->name)) : NULL;

    if (meant)
        lint_find(lint, rule, r->name.pos, meant);
}

static void relative_path(Lint *lint, const LintRule *rule, const Relation *r)
{
    const char *path = is_path(r) ? r->name.parts[1] : NULL;
    SiltPos pos = r->name.pos;

    if (r->kind == REL_FUNCTION && !strcasecmp(last_part(&r->name), "read_files") && r->arg_count && r->args[0]->kind == EXPR_LITERAL) {
        path = r->args[0]->literal.ptr;
        pos = r->args[0]->pos;
    }
    if (path && *path && *path != '/' && !uri_scheme(str_of(path)).size)
        lint_find(lint, rule, pos, path);
}

/* Columns of the tables before it; rows of constants alone are fine. */
static void lateral_values(Lint *lint, const LintRule *rule, const Relation *r)
{
    const Relation *values = r->kind == REL_QUERY && r->query && r->query->kind == QUERY_VALUES ? r->query->from : r;

    for (int i = 0; r->lateral && values->kind == REL_VALUES && i < values->arg_count; i++) {
        const Expr *row = values->args[i];
        for (int j = 0; j < row->arg_count; j++) {
            if (row->args[j]->kind == EXPR_COLUMN) {
                lint_find(lint, rule, row->args[j]->pos, last_part(&row->args[j]->name));
                return;
            }
        }
    }
}

/* ---- expressions ---- */

static void count_of_table(Lint *lint, const LintRule *rule, const Expr *e)
{
    bool counts = e->kind == EXPR_CALL && !strcasecmp(last_part(&e->name), "count") && e->arg_count == 1;

    if (counts && e->args[0]->kind == EXPR_STAR && e->args[0]->name.count)
        lint_find(lint, rule, e->args[0]->pos, last_part(&e->args[0]->name));
}

static void random_in_values(Lint *lint, const LintRule *rule, const Expr *e)
{
    static const char *const functions[] = {"rand", "random", "randn", "uuid", NULL};

    if (e->kind == EXPR_CALL && lint_in_values(lint) && is_among(last_part(&e->name), functions))
        lint_find(lint, rule, e->pos, last_part(&e->name));
}

static void new_function(Lint *lint, const LintRule *rule, const Expr *e)
{
    static const char *const functions[] = {"time_from_seconds", "time_from_millis", "time_from_micros", "time_to_seconds", "time_to_millis", "time_to_micros", "time_bucket",
                                            "is_valid_variant", "vector_avg", "vector_cosine_similarity", "vector_inner_product", "vector_l2_distance", "vector_norm",
                                            "vector_normalize", "vector_sum", NULL};

    if (e->kind != EXPR_CALL)
        return;
    const char *name = last_part(&e->name);
    if (is_among(name, functions) || !strncasecmp(name, "tuple_", 6)) /* all sketches of tuples are */
        lint_find(lint, rule, e->pos, name);
}

/* ---- the table ---- */

const LintRule lint_rules[] = {
    {"OR_REFRESH", LINT_SPARK, true, "OR REFRESH", NULL, "PARSE_SYNTAX_ERROR", "Leave it out: CREATE alone makes the table, or brings it up to date.",
     .statement = or_refresh},
    {"PRIVATE", LINT_SPARK, true, "%s tables and views", NULL, "PARSE_SYNTAX_ERROR", "Make it an ordinary one, or a TEMPORARY VIEW.", .statement = private_dataset},
    {"LIVE", LINT_SPARK, true, "the older spelling %s", NULL, "PARSE_SYNTAX_ERROR", "Write STREAMING TABLE, MATERIALIZED VIEW or TEMPORARY VIEW.", .statement = live},
    {"EXPECT", LINT_SPARK, true, "expectations", NULL, "PARSE_SYNTAX_ERROR", "What \"%s\" is to keep out, a WHERE in the query keeps out too.", .statement = expectations},
    {"LOCATION", LINT_SPARK, true, "LOCATION", NULL, "_LEGACY_ERROR_TEMP_0035", "Leave it out: the table then lies in the warehouse folder.", .statement = location},
    {"LOCATION_HIVE", LINT_LAKEFLOW, false, "LOCATION", "works only with tables of the Hive metastore, not of Unity Catalog, in", NULL,
     "Leave it out: the catalog then chooses the place.", .statement = location},
    {"USING", LINT_SPARK, false, "USING %s", "makes the second run fail (DELTA_CANNOT_CHANGE_PROVIDER) in", NULL,
     "Leave it out, and put spark.sql.sources.default: delta into `configuration`.", .statement = using_format},
    {"SINK", LINT_ALL, true, "CREATE SINK", NULL, "PARSE_SYNTAX_ERROR", "Python has it: dp.create_sink, and an append_flow into it.", .statement = sink},
    {"CLUSTER_BY", LINT_SPARK, false, "CLUSTER BY", "makes a partitioned table, with a folder for each value, in", NULL,
     "Write PARTITIONED BY if that is what you want, or leave it out.", .statement = cluster_by},
    {"ONCE", LINT_SPARK, true, "INSERT ONCE", NULL, "PARSE_SYNTAX_ERROR", "Fill the table once by hand, or read the source as a stream: INSERT INTO t BY NAME SELECT .. FROM STREAM ..",
     .statement = once_flow},
    {"AUTO_CDC", LINT_SPARK41, true, "AUTO CDC", NULL, "PARSE_SYNTAX_ERROR", "It is new in Spark 4.3; before, Python's create_auto_cdc_flow does it for SCD type 1.", .statement = auto_cdc},
    {"AUTO_CDC_DELTA", LINT_SPARK43, false, "AUTO CDC", "is understood, but does not run on Delta tables (AUTOCDC_TARGET_DOES_NOT_SUPPORT_MERGE), in", NULL,
     "There is no other spelling; MERGE INTO outside of the pipeline does it.", .statement = auto_cdc},
    {"AUTO_CDC_ALONE", LINT_SPARK, true, "%s INTO as a statement of its own", NULL, "PARSE_SYNTAX_ERROR", "Write CREATE FLOW name AS AUTO CDC INTO .. (from Spark 4.3 on).",
     .statement = auto_cdc_alone},
    {"AUTO_CDC_CLAUSE", LINT_SPARK43, true, "%s", NULL, "PARSE_SYNTAX_ERROR", "Put it into the query that the flow reads, as a filter or with coalesce.", .statement = auto_cdc_clauses},
    {"AUTO_CDC_ORDER", LINT_CDC, true, "%s", NULL, "PARSE_SYNTAX_ERROR",
     "The order is KEYS, APPLY AS DELETE, SEQUENCE BY, COLUMNS, STORED AS, TRACK HISTORY ON.", .statement = auto_cdc_order},
    {"AUTO_CDC_MISSING", LINT_CDC, true, "AUTO CDC without %s", NULL, "PARSE_SYNTAX_ERROR",
     "KEYS says which rows are the same one, SEQUENCE BY which change of it is the last.", .statement = auto_cdc_missing},
    {"AUTO_CDC_BATCH", LINT_CDC, true, "AUTO CDC over what is no stream", NULL, NULL, "Write FROM STREAM t, or FROM STREAM read_files(..).",
     .statement = auto_cdc_batch},
    {"AUTO_CDC_HISTORY", LINT_CDC, true, "TRACK HISTORY without SCD TYPE 2", NULL, NULL, "Put STORED AS SCD TYPE 2 before it.", .statement = auto_cdc_history},
    {"AUTO_CDC_TRUNCATE", LINT_LAKEFLOW, true, "APPLY AS TRUNCATE with SCD TYPE 2", NULL, NULL, "It is for SCD TYPE 1 only.", .statement = auto_cdc_truncate},
    {"AUTO_CDC_ARRIVAL", LINT_CDC, false, "SEQUENCE BY %s", "lets the change that arrives last win, not the one that was made last, in", NULL,
     "Take a number or a time that the source of the changes gives them, with a second column for ties: SEQUENCE BY STRUCT(changed_at, number).",
     .statement = auto_cdc_arrival},
    {"USE", LINT_SPARK, true, "USE %s", NULL, "PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR", "Write USE SCHEMA %s.", .statement = use_bare},
    {"USE_CATALOG", LINT_SPARK, true, "USE CATALOG and SET CATALOG", NULL, NULL, "Put catalog: %s into the spec file, or write names with all three parts.", .statement = use_catalog},
    {"SET", LINT_SPARK, false, "SET %s", "holds while a query is checked, not while it runs, in", NULL, "Put it under `configuration` in the spec file.", .statement = set_in_file},
    {"SILT_SETTING", LINT_ALL, false, "setting %s", "has no meaning to", NULL, "It can stay: it is passed over there. What it does here, it does not do there.", .statement = silt_set},
    {"SILT_SETTING", LINT_ALL, false, "setting %s", "has no meaning to", NULL, "It can stay: it is passed over there. What it does here, it does not do there.", .spec = silt_configuration},
    {"FORMAT", LINT_SPARK, false, "a table without a format", "is written as Parquet, not as Delta, by", NULL, "Put spark.sql.sources.default: delta into `configuration`.",
     .spec = default_format},
    {"QUALIFY", LINT_SPARK41, true, "QUALIFY", NULL, "PARSE_SYNTAX_ERROR", "Compute the window function in a subquery, and filter it with WHERE outside.", .query = qualify},
    {"SOURCE_FUNCTION", LINT_SPARK, true, "%s(...)", NULL, "UNRESOLVABLE_TABLE_VALUED_FUNCTION",
     "SQL has no way to stream files or topics there: define the table in Python, or read a Delta table that something else fills. A batch query may read json.`path`.",
     .relation = source_function},
    {"STREAM_PATH", LINT_SPARK, true, "STREAM %s.`path`", NULL, "INVALID_FLOW_QUERY_TYPE.BATCH_RELATION_FOR_STREAMING_TABLE",
     "Define the table in Python, or read a table of the catalog by its name.", .relation = stream_of_path},
    {"STREAM_OPTIONS", LINT_SPARK, false, "option %s of a streamed table", "is dropped without a word by", NULL, "Only Python can give it there: spark.readStream.option(..).table(..).",
     .relation = stream_options},
    {"DROP_DUPLICATES", LINT_ALL, true, "DROP DUPLICATES", NULL, "PARSE_SYNTAX_ERROR", "Spark has it in Python only: dropDuplicates and dropDuplicatesWithinWatermark.",
     .relation = drop_duplicates},
    {"NAME_CASE", LINT_SPARK, true, "a table's name in other letters", NULL, "TABLE_OR_VIEW_NOT_FOUND", "Write it as where it is defined: %s.", .relation = other_case},
    {"RELATIVE_PATH", LINT_ALL, false, "path '%s'", "is not taken from the project's folder by", NULL, "Write the whole path.", .relation = relative_path},
    {"LATERAL_VALUES", LINT_SPARK, true, "column \"%s\" in VALUES", NULL, "INVALID_INLINE_TABLE.CANNOT_EVALUATE_EXPRESSION_IN_INLINE_TABLE", "Write LATERAL (SELECT .. UNION ALL SELECT ..).", .relation = lateral_values},
    {"COUNT_STAR", LINT_SPARK, true, "count(%s.*)", NULL, "INVALID_USAGE_OF_STAR_WITH_TABLE_IDENTIFIER_IN_COUNT", "Write count(*), or count of the columns by their names.",
     .expr = count_of_table},
    {"RANDOM_VALUES", LINT_SPARK, true, "%s() in VALUES", NULL, "INVALID_INLINE_TABLE.CANNOT_EVALUATE_EXPRESSION_IN_INLINE_TABLE", "Write SELECT .. UNION ALL SELECT ..", .expr = random_in_values},
    {"NEW_FUNCTION", LINT_SPARK41, true, "%s(...)", NULL, "UNRESOLVED_ROUTINE", "It is new in Spark 4.2.", .expr = new_function},
    {0},
};
