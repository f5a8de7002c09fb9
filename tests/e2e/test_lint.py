"""`silt lint`: findings with their places, in both forms, exit codes, and a page that lists every rule."""
import json
import re

import pytest
from driver import ROOT, silt

DELTA = {"spark.sql.sources.default": "delta"}


@pytest.fixture
def portable(project):
    """A project that every engine takes."""
    project.conf.update(DELTA)
    project.write_spec()
    project.define("CREATE STREAMING TABLE t AS SELECT * FROM STREAM raw", "CREATE MATERIALIZED VIEW v AS SELECT count(*) AS n FROM t")
    return project


def test_nothing_is_found_in_a_portable_project(portable):
    done = portable.silt("lint").ok()
    assert done.out == "0 refused, 0 different\n" and done.err == ""


def test_what_is_refused_is_told_with_its_place_and_the_other_spelling(portable):
    (portable.folder / "transformations/pipeline.sql").write_text("-- orders\nCREATE OR REFRESH STREAMING TABLE t AS SELECT * FROM STREAM raw;\n")
    done = portable.silt("lint", "--profile", "spark43")
    assert done.code == 1 and done.out == "1 refused, 0 different\n"
    assert done.err == ("transformations/pipeline.sql:2:8: error: Spark 4.3 refuses OR REFRESH (PARSE_SYNTAX_ERROR)\n"
                        "  2 | CREATE OR REFRESH STREAMING TABLE t AS SELECT * FROM STREAM raw;\n"
                        "    |        ^~~~~~~~~~\n"
                        "  hint: Leave it out: CREATE alone makes the table, or brings it up to date.\n")
    assert portable.silt("lint", "--profile", "lakeflow").ok().err == ""


def test_without_a_profile_all_engines_are_asked(portable):
    portable.define("CREATE PRIVATE MATERIALIZED VIEW v AS SELECT 1 AS a QUALIFY rank() OVER (ORDER BY 1) = 1")
    portable.silt("lint").refused("Spark 4.1 and Spark 4.3 refuse PRIVATE tables and views", r"error: Spark 4.1 refuses QUALIFY", code=1)


def test_what_means_something_else_is_a_warning_and_no_failure(portable):
    portable.conf["silt.memory"] = "1GB"
    portable.write_spec()
    done = portable.silt("lint", "--profile", "lakeflow").ok()
    assert done.out == "0 refused, 1 different\n"
    assert re.match(r"spark-pipeline.yml:\d+:\d+: warning: setting silt.memory has no meaning to Lakeflow\n", done.err)


def test_findings_come_as_json(portable):
    portable.define("CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json')")
    done = portable.silt("lint", "--profile", "spark41", "--log-format", "json")
    found = [json.loads(line) for line in done.err.splitlines()]
    assert [(f["level"], f["code"], f["file"], f["line"], f["column"]) for f in found] == [
        ("error", "SOURCE_FUNCTION", "transformations/pipeline.sql", 1, 50), ("warning", "RELATIVE_PATH", "transformations/pipeline.sql", 1, 61)]
    assert "read_files" in found[0]["message"] and found[0]["hint"] and found[0]["source"].startswith("CREATE")


def test_a_project_that_silt_cannot_run_can_be_looked_at(portable):
    portable.define("CREATE STREAMING TABLE t", "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM raw KEYS (id) SEQUENCE BY n")
    portable.silt("lint", "--profile", "spark41").refused(r":3:18: error: Spark 4.1 refuses AUTO CDC", code=1)
    portable.silt("lint", "--profile", "lakeflow").ok()


def test_a_file_that_cannot_be_read_is_said_and_nothing_is_looked_at(portable):
    portable.define("CREATE OR REFRESH MATERIALIZED VIEW v AS SELEC 1")
    done = portable.silt("lint").refused(r"transformations/pipeline.sql:1:\d+: error: ")
    assert done.out == "" and "OR REFRESH (" not in done.err


def test_an_unknown_profile_is_refused(portable):
    portable.silt("lint", "--profile", "spark35").refused('--profile cannot be "spark35"', r"spark41\|spark43\|lakeflow")


def test_outside_of_a_project_there_is_nothing_to_look_at(tmp_path):
    silt("lint", cwd=tmp_path).refused("spark-pipeline")


def test_the_page_lists_every_rule_with_its_engines():
    bits = {"LINT_SPARK41": {"S41"}, "LINT_SPARK43": {"S43"}, "LINT_LAKEFLOW": {"L"}, "LINT_SPARK": {"S41", "S43"}, "LINT_CDC": {"S43", "L"},
             "LINT_ALL": {"S41", "S43", "L"}}
    source = (ROOT / "src/pipeline/lint_rules.c").read_text()
    rules = {code: (bits[engines], refuses == "true") for code, engines, refuses in re.findall(r'^    \{"(\w+)", (\w+), (true|false),', source, re.M)}
    page = {}
    for code, refused, other in re.findall(r"^\| `(\w+)` \| ([SL\d ]*?) ?\| ([SL\d ]*?) ?\|", (ROOT / "docs/lint.md").read_text(), re.M):
        page[code] = (set((refused or other).split()), bool(refused))
    assert page == rules and len(rules) > 25
