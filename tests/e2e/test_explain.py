"""`silt explain` and EXPLAIN: what a project's flows do, in words that stay the same."""
import json

STREAM = """CREATE OR REFRESH STREAMING TABLE clicks (
  CONSTRAINT has_user EXPECT (user IS NOT NULL) ON VIOLATION DROP ROW,
  CONSTRAINT recent EXPECT (at > DATE'2020-01-01'))
PARTITIONED BY (day)
AS SELECT c.*, CAST(c.at AS DATE) AS day, n.name
FROM STREAM read_files('in/*.json', format => 'json', maxFilesPerTrigger => 7, schema => 'id BIGINT, user STRING, at TIMESTAMP') AS c LEFT JOIN names AS n ON n.user = c.user
WHERE c.id > 0"""
NAMES = "CREATE OR REFRESH MATERIALIZED VIEW names AS SELECT user, max(name) AS name FROM read_files('names', format => 'csv', header => 'true') GROUP BY user"
DAILY = "CREATE OR REFRESH MATERIALIZED VIEW daily AS SELECT day, count(*) AS n FROM recent GROUP BY day ORDER BY day"
VIEW = "CREATE TEMPORARY VIEW recent AS WITH all_of AS (SELECT * FROM clicks) SELECT * FROM all_of WHERE day >= current_date() - INTERVAL 7 DAY"


def facts(project, *words):
    done = project.silt("explain", *words, "--format", "json").ok()
    return [json.loads(line) for line in done.out.splitlines()]


def of(listed, table, topic):
    (detail,) = [fact["detail"] for fact in listed if fact["table"].endswith("." + table) and fact["topic"] == topic]
    return detail


def define(project):
    project.define(NAMES, STREAM, VIEW, DAILY)
    project.file("names/a.csv", "user,name\nu1,Ann\n")
    project.json_lines("in/a.json", [{"id": 1, "user": "u1", "at": "2026-01-01T00:00:00Z"}])


def test_a_whole_project(project):
    define(project)
    listed = facts(project)
    assert [fact["table"].rpartition(".")[2] for fact in listed if fact["topic"] == "kind"] == ["names", "clicks", "daily"]
    assert of(listed, "clicks", "kind") == "STREAMING TABLE"
    assert of(listed, "clicks", "mode") == "append: rows are added, in one commit a batch"
    assert of(listed, "clicks", "partitions") == "day"
    assert [fact["detail"] for fact in listed if fact["topic"] == "expects"] == [
        "has_user: user IS NOT NULL\na row for which it does not hold is dropped, and counted",
        "recent: at > DATE'2020-01-01'\na row for which it does not hold is kept, and counted"]
    assert of(listed, "clicks", "set aside") == "records that a reader cannot decode go to clicks_dead_letters"
    assert of(listed, "clicks", "plan") == (
        "Project  c.*, CAST(c.at AS date) AS day, n.name\n"
        "  Filter  c.id > 0\n"
        "    Join left outer  on n.user = c.user\n"
        "      Stream  read_files('in/*.json')\n"
        "      Scan  spark_catalog.default.names")
    stream, names = [fact["detail"] for fact in listed if fact["topic"] == "reads" and fact["table"].endswith("clicks")]
    assert stream == f"STREAM read_files('in/*.json')\njson files of file://{project.folder}/in/*.json\nschema given, new columns are left out\nat most 7 files a batch"
    assert names == f"spark_catalog.default.names\nDelta table file://{project.table('names')}\nnot made yet"
    assert of(listed, "clicks", "incremental") == "each row of a stream is read once, batch by batch\nwhat is read without STREAM is read whole at each batch"
    assert of(listed, "clicks", "state") == "none: no operator remembers rows between batches"
    assert of(listed, "clicks", "checkpoint").endswith("/_checkpoints/spark_catalog/default/clicks/clicks/0, not made yet")
    assert of(listed, "daily", "plan") == (
        "Sort  day\n"
        "  Project  day, count(*) AS n\n"
        "    Aggregate  by day\n"
        "      View  recent\n"
        "        Filter  day >= current_date() - INTERVAL 7 DAY\n"
        "          With  all_of\n"
        "            Scan  spark_catalog.default.clicks")
    assert of(listed, "daily", "incremental") == "nothing: no operator keeps state between updates yet"
    assert of(listed, "daily", "recomputed") == "as a whole, when the query or one of its inputs has changed, and when the day does: current_date()"
    assert of(listed, "daily", "now") == "due: the next update computes it"
    assert "pipeline.sql:4: Spark 4.3 refuses expectations (PARSE_SYNTAX_ERROR)\n" in of(listed, "clicks", "elsewhere")
    assert not (project.folder / "storage").exists(), "something was written"


def test_after_runs(project):
    define(project)
    project.run().ok()
    listed = facts(project, "clicks")
    assert of(listed, "clicks", "checkpoint").endswith("/clicks/0\nnext batch: 1")
    assert {fact["table"] for fact in listed} == {"spark_catalog.default.clicks"}
    assert of(facts(project, "daily"), "daily", "now") == "up to date"
    project.json_lines("in/b.json", [{"id": 2, "user": "u1", "at": "2026-01-02T00:00:00Z"}])
    assert of(facts(project, "daily"), "daily", "now") == "up to date"  # its own input has not changed yet
    project.run("--refresh", "clicks").ok()
    assert of(facts(project, "daily"), "daily", "now") == "due: the next update computes it"
    for file in project.folder.rglob("_checkpoints/*/*/clicks/clicks/0/metadata"):
        file.unlink()
    assert "damaged: " in (checkpoint := of(facts(project, "clicks"), "clicks", "checkpoint")) and "silt recover clicks builds it again" in checkpoint


def test_why_a_view_is_computed_at_every_update(project):
    project.define("CREATE MATERIALIZED VIEW a AS SELECT now() AS t", "CREATE MATERIALIZED VIEW b AS SELECT rand() AS r", "CREATE MATERIALIZED VIEW c AS SELECT 1 AS x")
    project.run().ok()
    listed = facts(project)
    assert of(listed, "a", "recomputed") == "as a whole, at every update: now() gives another value each time"
    assert of(listed, "b", "recomputed") == "as a whole, at every update: rand() gives another value each time"
    assert of(listed, "c", "recomputed") == "as a whole, when the query or one of its inputs has changed"
    assert [of(listed, name, "now") for name in "abc"] == ["due: the next update computes it"] * 2 + ["up to date"]


def test_as_text(project):
    project.define("CREATE OR REFRESH STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT') LIMIT 3")
    (project.folder / "in").mkdir()
    out = project.silt("explain").ok().out
    assert out == f"""spark_catalog.default.t
  kind         STREAMING TABLE
  path         {project.table("t")}
  mode         append: rows are added, in one commit a batch
  set aside    records that a reader cannot decode go to t_dead_letters
  elsewhere    transformations/pipeline.sql:1: Spark 4.3 refuses OR REFRESH (PARSE_SYNTAX_ERROR)
               transformations/pipeline.sql:1: Spark 4.3 refuses read_files(...) (UNRESOLVABLE_TABLE_VALUED_FUNCTION)
               transformations/pipeline.sql:1: path 'in' is not taken from the project's folder by Spark 4.3
  flow spark_catalog.default.t
    plan         Limit  3
                   Stream  read_files('in')
    reads        STREAM read_files('in')
                 json files of file://{project.folder}/in
                 schema given, new columns are left out
                 at most 1000 files a batch
    incremental  each row of a stream is read once, batch by batch
    recomputed   nothing, but by --full-refresh
    state        how many rows have passed the LIMIT, of 3
    checkpoint   {project.folder}/storage/_checkpoints/spark_catalog/default/t/t/0, not made yet
"""


def test_flows_of_a_table_stand_below_it(project):
    project.define("CREATE OR REFRESH STREAMING TABLE raw",
                   "CREATE FLOW a AS INSERT INTO raw BY NAME SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')",
                   "CREATE FLOW c AS INSERT INTO ONCE raw BY NAME SELECT id FROM read_files('old', format => 'json', schema => 'id BIGINT')")
    for folder in ("in", "old"):
        project.json_lines(f"{folder}/x.json", [{"id": 1}])
    listed = facts(project, "raw")
    assert [fact["detail"] for fact in listed if fact["topic"] == "incremental"] == [
        "each row of a stream is read once, batch by batch", "runs once: its rows are written by the first run, and by the first after a full refresh"]
    project.silt("explain", "rw").refused('no table "rw"', "Did you mean .raw")


def test_an_error_of_the_project_is_shown(project):
    project.define("CREATE MATERIALIZED VIEW v AS SELECT nope FROM json.`in`")
    project.json_lines("in/x.json", [{"id": 1}])
    project.silt("explain").refused('no column "nope"')


def plan(project, query):
    ((text,),) = project.rows(query)
    return text


def test_explain_in_sql(project):
    define(project)
    project.run().ok()
    text = plan(project, "EXPLAIN SELECT c.id, n FROM clicks AS c JOIN daily USING (day) WHERE id IN (1, 2) ORDER BY id DESC LIMIT 5")
    assert text.startswith("== Plan ==\nLimit  5\n  Sort  id DESC\n    Project  c.id, n\n      Filter  id IN (1, 2)\n        Join  using day\n"
                           "          Scan  spark_catalog.default.clicks\n          Scan  spark_catalog.default.daily\n\n== Inputs ==\nspark_catalog.default.clicks\n  Delta table file://")
    assert text.count("\n  version 1: ") == 2
    assert plan(project, "EXPLAIN FORMATTED SELECT 1") == plan(project, "explain cost SELECT 1") == "== Plan ==\nProject  1\n  One row"
    extended = plan(project, "EXPLAIN EXTENDED SELECT 1 AS x, 'a' AS `b c`")
    assert "\n\n== Output ==\nx: int\nb c: string\n\n== DuckDB ==\nSELECT " in extended
    pipes = plan(project, "EXPLAIN FROM clicks |> WHERE id > 1 |> AGGREGATE count(*) AS n GROUP BY user |> JOIN names USING (user) |> SELECT n")
    assert pipes.startswith("== Plan ==\nProject  n\n  Join  using user\n    Aggregate  count(*) AS n by user\n      Filter  id > 1\n        Scan  spark_catalog.default.clicks\n"
                            "    Scan  spark_catalog.default.names\n")
    project.sql("EXPLAIN SELECT nope FROM clicks").refused("-c:1:16: error: no column .nope")
    project.sql("EXPLAIN CODEGEN SELECT 1").refused("EXPLAIN CODEGEN cannot be run here")
    project.sql("EXPLAIN CREATE VIEW v AS SELECT 1").refused("EXPLAIN of anything but a query cannot be run here")
    lines = project.silt("sql", "--format", "table", "-c", "EXPLAIN SELECT 1").ok().out.splitlines()
    assert lines == [" plan", "-" * 12, " == Plan ==", " Project  1", "   One row", "(1 row)", ""]


def test_names_of_common_tables_mean_what_they_mean_where_they_stand(project):
    text = plan(project, "EXPLAIN WITH a AS (SELECT 1 AS x), b AS (WITH a AS (SELECT 2 AS x) SELECT * FROM a), c AS (SELECT * FROM a) SELECT * FROM b UNION ALL SELECT * FROM c")
    assert text == ("== Plan ==\nUnion all\n  With  b\n    With  a\n      Project  2 AS x\n        One row\n"
                    "  With  c\n    With  a\n      Project  1 AS x\n        One row")
