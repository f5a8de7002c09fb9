"""Checkpoints that are not as they were: each file of one missing, empty, cut or garbage gives the right rows or a refusal, never doubled ones."""
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
