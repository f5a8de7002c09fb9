"""A Delta table as the source of a stream: it is the one that was read so far, or the run says so."""
import shutil

import pytest

SOURCE = "CREATE STREAMING TABLE t AS SELECT * FROM STREAM delta.`spark-warehouse/src`"


def make(project, *rows):
    project.sql("CREATE TABLE src(id INT)").ok()
    for row in rows:
        project.sql(f"INSERT INTO src VALUES ({row})").ok()


@pytest.mark.parametrize("again", [(100,), (100, 101), (100, 101, 102)], ids=["fewer versions", "as many", "more"])
def test_a_source_that_was_made_anew_is_never_taken_for_one_without_news(project, again):
    project.define(SOURCE)
    make(project, 1, 2)
    project.run().ok()
    shutil.rmtree(project.table("src"))
    make(project, *again)
    project.run().refused("the stream has read another table", "full refresh", code=1)
    project.expect("SELECT id FROM t", [[1], [2]])
    project.run("--full-refresh", "t").ok()
    project.expect("SELECT id FROM t", [[row] for row in again])


def test_a_source_that_is_gone_is_told(project):
    project.define(SOURCE)
    make(project, 1)
    project.run().ok()
    shutil.move(project.table("src"), project.folder / "aside")
    result = project.run()
    assert result.code and "src" in result.err
    shutil.move(project.folder / "aside", project.table("src"))
    project.sql("INSERT INTO src VALUES (2)").ok()
    project.run().ok()
    project.expect("SELECT id FROM t", [[1], [2]])
