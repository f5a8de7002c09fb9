"""Checkpoints that are not as they were: each file of one missing, empty, cut or garbage gives the right rows or a refusal, never doubled ones."""
import json

import pytest

WAYS = {"missing": None, "empty": lambda b: b"", "cut": lambda b: b[: len(b) // 2], "garbage": lambda b: b"\xff\x00garbage"}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["metadata", "offsets/0", "offsets/1", "commits/0", "commits/1", "sources/0/0", "sources/0/1"])
def test_a_damaged_checkpoint_never_doubles_or_loses_a_row(project, name, way):
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')")
    for number in range(2):
        project.json_lines(f"in/{number}.json", [{"id": number}])
        project.run().ok()
    (metadata,) = project.folder.rglob("_checkpoints/*/*/raw/raw/0/metadata")
    file = metadata.parent / name
    content = file.read_bytes()
    if way == "missing":
        file.unlink()
    else:
        file.write_bytes(WAYS[way](content))
    project.json_lines("in/2.json", [{"id": 2}])
    done = project.run()
    rows = sorted(id for id, in project.rows("SELECT id FROM raw"))
    if done.code == 0:
        assert rows == [0, 1, 2], done
    else:
        done.refused("error: .*checkpoint|error: .*file log", code=(1, 2))
        assert rows == [0, 1], done


def test_a_checkpoint_is_shown_and_completed_for_spark(project):
    for number in range(12):
        project.json_lines(f"in/{number:02}.json", [{"id": number}])
    project.define("CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id INT', maxFilesPerTrigger => 1)",
                   "CREATE STREAMING TABLE other AS SELECT id FROM STREAM t")

    def show(*words):
        rows = [json.loads(line) for line in project.silt("checkpoint", *words, "--format", "json").ok().out.splitlines()]
        return [(row["flow"].split(".")[-1], row["last_batch"], row["source"], row["batches"], row["files"], row["spark_ready"]) for row in rows]

    assert show("show") == []
    project.run().ok()
    assert show("show", "t") == [("t", 11, 0, 12, 12, True)]
    assert show("show")[1][:1] + show("show")[1][2:] == ("other", None, None, None, True)
    (compact,) = (project.folder / "storage").rglob("sources/0/9.compact")
    lines = compact.read_text().splitlines()
    compact.unlink()  # as it is beyond 10,000 files: the tenth batch has its own files only
    compact.with_name("9.silt").write_text(f"v1\n{lines[-1]}")
    assert show("show", "default.t") == [("t", 11, 0, 12, 12, False)]
    assert show("export", "t") == [("t", 11, 0, 12, 12, True)]
    assert compact.read_text().splitlines() == lines
    project.silt("checkpoint", "export", "tt").refused('no table "tt"', 'Did you mean "t"')
    project.silt("checkpoint", "exprot").refused('Did you mean "export"')
