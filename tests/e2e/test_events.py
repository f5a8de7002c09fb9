"""The event log: a Delta table with Lakeflow's columns and words, asked by Silt and by others."""
import json
import os
import signal
import time

from driver import silt
from readers import delta_rs, delta_rs_rows
from test_run import wait_for

ORDERS = ("CREATE OR REFRESH STREAMING TABLE orders (CONSTRAINT sold EXPECT (n > 0) ON VIOLATION DROP ROW, CONSTRAINT small EXPECT (n < 100))"
          " AS SELECT id, n FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT, n INT')")
TOTAL = "CREATE OR REFRESH MATERIALIZED VIEW total AS SELECT sum(n) AS n FROM orders"


def log_of(project):
    return project.folder / "storage/_silt/events"


def events(project):
    """All events in order, as seen by delta-rs: dicts, details parsed."""
    rows = delta_rs(log_of(project)).to_pylist()
    rows.sort(key=lambda row: row["sequence"]["data_plane_id"]["seq_no"])
    for row in rows:
        row["details"] = json.loads(row["details"])
    return rows


def told(rows):
    found = []
    for row in rows:
        detail = row["details"][row["event_type"]]
        found.append((row["event_type"], row["level"], row["origin"]["flow_name"], detail.get("status") or detail.get("state")))
    return found


O, T = "spark_catalog.default.orders", "spark_catalog.default.total"


def test_an_update_leaves_lakeflow_s_events(project):
    project.define(ORDERS, TOTAL)
    project.json_lines("in/1.json", [{"id": 1, "n": 5}, {"id": 2, "n": -1}, {"id": 3, "n": 200}, {"id": 4, "n": None}])
    project.run().ok()
    rows = events(project)
    assert [column for column in rows[0]] == ["id", "sequence", "origin", "timestamp", "message", "level", "maturity_level", "error", "details", "event_type"]
    assert told(rows) == [
        ("create_update", "INFO", None, None), ("user_action", "INFO", None, None), ("update_progress", "INFO", None, "INITIALIZING"),
        ("dataset_definition", "INFO", None, None), ("dataset_definition", "INFO", None, None),
        ("flow_definition", "INFO", O, None), ("flow_definition", "INFO", T, None),
        ("flow_progress", "INFO", O, "QUEUED"), ("flow_progress", "INFO", T, "QUEUED"), ("update_progress", "INFO", None, "RUNNING"),
        ("flow_progress", "INFO", O, "STARTING"), ("flow_progress", "INFO", O, "RUNNING"), ("flow_progress", "INFO", O, "COMPLETED"),
        ("stream_progress", "METRICS", O, None),
        ("flow_progress", "INFO", T, "PLANNING"), ("flow_progress", "INFO", T, "STARTING"), ("flow_progress", "INFO", T, "RUNNING"),
        ("planning_information", "INFO", T, None), ("flow_progress", "INFO", T, "COMPLETED"), ("update_progress", "INFO", None, "COMPLETED")]
    assert len({row["id"] for row in rows}) == len(rows)
    assert len({row["origin"]["update_id"] for row in rows}) == len({row["origin"]["pipeline_id"] for row in rows}) == 1
    done = next(row for row in rows if row["details"].get("flow_progress", {}).get("metrics"))["details"]["flow_progress"]
    assert {key: done["metrics"][key] for key in ("num_output_rows", "num_input_rows", "num_undecodable_rows")} == {
        "num_output_rows": 2, "num_input_rows": 4, "num_undecodable_rows": 0}
    assert done["data_quality"] == {"dropped_records": 2, "expectations": [
        {"name": "sold", "dataset": O, "passed_records": 2, "failed_records": 2},
        {"name": "small", "dataset": O, "passed_records": 2, "failed_records": 2}]}
    lineage = {row["details"]["flow_definition"]["output_dataset"]: row["details"]["flow_definition"]["input_datasets"]
               for row in rows if row["event_type"] == "flow_definition"}
    assert lineage == {O: [], T: [O]}
    definition = next(row for row in rows if row["event_type"] == "dataset_definition")["details"]["dataset_definition"]
    assert [(column["name"], column["data_type"]) for column in definition["schema"]] == [("id", "bigint"), ("n", "int")]
    assert [(e["name"], e["expression"], e["action"]) for e in definition["expectations"]] == [("sold", "n > 0", "DROP"), ("small", "n < 100", "ALLOW")]
    stream = json.loads(next(row for row in rows if row["event_type"] == "stream_progress")["details"]["stream_progress"]["progress_json"])
    assert stream["numInputRows"] == 4 and stream["batchId"] == 0


def test_documented_queries_of_lakeflow_work(project):
    project.define(ORDERS, TOTAL)
    project.json_lines("in/1.json", [{"id": 1, "n": 5}, {"id": 2, "n": -1}])
    project.run().ok()
    project.expect("""
        SELECT e.name, e.dataset, sum(e.passed_records) AS passed, sum(e.failed_records) AS failed
        FROM (SELECT explode(from_json(details:flow_progress.data_quality.expectations,
                     'array<struct<name: string, dataset: string, passed_records: bigint, failed_records: bigint>>')) AS e
              FROM event_log(TABLE(orders)) WHERE event_type = 'flow_progress') GROUP BY ALL""",
                   [("sold", O, 1, 1), ("small", O, 2, 0)])
    project.expect("""
        WITH latest_update AS (SELECT origin.update_id AS id FROM event_log(TABLE(total)) WHERE event_type = 'create_update' ORDER BY timestamp DESC LIMIT 1)
        SELECT details:flow_definition.output_dataset, details:flow_definition.input_datasets FROM event_log(TABLE(total)), latest_update
        WHERE event_type = 'flow_definition' AND origin.update_id = latest_update.id""", [(O, "[]"), (T, f'["{O}"]')])
    pipeline_id = project.value("SELECT DISTINCT origin.pipeline_id FROM event_log(TABLE(orders))")
    project.expect(f"SELECT count(*) > 10 FROM event_log('{pipeline_id}')", [(True,)])
    project.silt("sql", "-c", "SELECT * FROM event_log('other')").refused("another id", pipeline_id)
    project.silt("sql", "-c", "SELECT * FROM event_log(TABLE(order))").refused('no table "order"', 'mean "orders"')
    project.silt("sql", "-c", "SELECT * FROM event_log(1)").refused("needs a table or the id")


def test_event_log_is_for_asking_only(project, tmp_path):
    project.define(ORDERS, "CREATE OR REFRESH MATERIALIZED VIEW e AS SELECT * FROM event_log(TABLE(orders))")
    project.run().refused("not in a project's own queries")
    (tmp_path / "elsewhere").mkdir()
    silt("sql", "-c", "SELECT * FROM event_log('x')", cwd=tmp_path / "elsewhere").refused("outside of a project")


def test_an_update_without_work_leaves_nothing_but_a_sign_of_life(project):
    project.define(ORDERS, TOTAL)
    project.json_lines("in/1.json", [{"id": 1, "n": 5}])
    project.run().ok()
    before = len(events(project))
    project.run().ok()
    assert len(events(project)) == before
    newest = max(log_of(project).glob("_delta_log/*.json"))
    os.utime(newest, (time.time() - 3600,) * 2)
    project.run().ok()
    assert told(events(project)[before:]) == [("update_progress", "INFO", None, "COMPLETED")]
    project.run().ok()
    assert len(events(project)) == before + 1


def test_of_flows_without_work_only_definition_and_end_are_told(project):
    project.define(ORDERS, "CREATE OR REFRESH STREAMING TABLE quiet AS SELECT id FROM STREAM read_files('none', format => 'json', schema => 'id BIGINT')")
    project.json_lines("in/1.json", [{"id": 1, "n": 5}])
    project.run().ok()
    quiet = [row for row in told(events(project)) if row[2] == "spark_catalog.default.quiet"]
    assert quiet == [("flow_definition", "INFO", "spark_catalog.default.quiet", None), ("flow_progress", "INFO", "spark_catalog.default.quiet", "COMPLETED")]


def test_failures_are_there_with_their_reason(project):
    project.define("CREATE OR REFRESH STREAMING TABLE t (CONSTRAINT sold EXPECT (n > 0) ON VIOLATION FAIL UPDATE)"
                   " AS SELECT id, n FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT, n INT')",
                   "CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT count(*) AS n FROM t")
    project.json_lines("in/1.json", [{"id": 1, "n": -5}])
    assert project.run().code == 1
    rows = events(project)
    failed = [row for row in rows if row["level"] == "ERROR"]
    assert told(failed) == [("flow_progress", "ERROR", "spark_catalog.default.t", "FAILED"), ("update_progress", "ERROR", None, "FAILED")]
    assert ("flow_progress", "WARN", "spark_catalog.default.v", "SKIPPED") in told(rows)
    error = failed[0]["error"]
    assert error["fatal"] and error["exceptions"][0]["class_name"] == "EXPECTATION_FAILED"
    assert 'expectation "sold" of table' in error["exceptions"][0]["message"]
    assert error["exceptions"][0]["stack"][0]["file_name"].endswith("pipeline.sql") and error["exceptions"][0]["stack"][0]["line_number"] == 1
    assert next(row for row in rows if row["level"] == "INFO")["error"] is None


def test_a_project_with_a_mistake_says_so_in_the_log(project):
    project.define("CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT nosuch FROM range(3)")
    project.run().refused("nosuch")
    last = events(project)[-1]
    assert told([last]) == [("update_progress", "ERROR", None, "FAILED")]
    assert last["error"]["exceptions"][0]["class_name"].startswith("UNRESOLVED_COLUMN") or "nosuch" in last["error"]["exceptions"][0]["message"]


def test_stopping_flushes_and_a_long_update_tells_meanwhile(project):
    project.define(ORDERS, TOTAL)
    project.json_lines("in/1.json", [{"id": 1, "n": 5}])
    process = project.start("--continuous")
    wait_for(lambda: project.silt("sql", "--format", "json", "-c", "SELECT n FROM total").out.strip() == '{"n":5}')
    wait_for(lambda: any(log_of(project).glob("_delta_log/*.json")) and ("flow_progress", "METRICS", O, "RUNNING") in told(events(project)), 30)
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 143
    assert told(events(project))[-1] == ("update_progress", "INFO", None, "CANCELED")
    rows = [row["details"]["flow_progress"]["metrics"]["num_output_rows"] for row in events(project)
            if row["origin"]["flow_name"] == O and row["details"].get("flow_progress", {}).get("metrics")]
    assert sum(rows) == 1


def test_an_event_log_that_cannot_be_written_fails_no_flow(project):
    project.define(ORDERS, TOTAL)
    project.json_lines("in/1.json", [{"id": 1, "n": 5}])
    project.file("storage/_silt/events/_delta_log/00000000000000000000.json", "{torn")
    result = project.run().ok()
    assert result.err.count("event_log.warning") == 1
    project.expect("SELECT n FROM total", [(5,)])


def test_the_event_log_can_be_switched_off_and_its_settings_are_checked(project):
    project.define(ORDERS, TOTAL)
    project.json_lines("in/1.json", [{"id": 1, "n": 5}])
    project.run("--conf", "silt.events=off").ok()
    assert not log_of(project).exists()
    project.silt("sql", "-c", "SELECT * FROM event_log(TABLE(orders))").refused("has not been made yet")
    project.run("--conf", "silt.events.retention=soon").refused("silt.events.retention", "5 minutes")


def test_secrets_do_not_enter_the_log(project):
    project.define(ORDERS)
    project.json_lines("in/1.json", [{"id": 1, "n": 5}])
    project.run("--conf", "my.api.token=abc123").ok()
    created = next(row for row in events(project) if row["event_type"] == "create_update")["details"]["create_update"]
    assert created["config"]["configuration"]["my.api.token"] == "*********(redacted)"
    assert delta_rs_rows(log_of(project), "id")
