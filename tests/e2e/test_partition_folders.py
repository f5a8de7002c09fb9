"""Folders named key=value: their text becomes a typed column, whole or with an error, never NULL without a word."""
import pytest


@pytest.mark.parametrize("folder", ["day=x", "day=99999999999", "day=1.5"])
@pytest.mark.parametrize("rest", ["", ", schema => 'id BIGINT, day INT'"])
def test_a_folder_that_does_not_fit_its_column_is_named_and_loses_nothing(project, folder, rest):
    project.define(f"CREATE OR REFRESH STREAMING TABLE raw AS SELECT id, day FROM STREAM read_files('in', format => 'json'{rest})")
    project.json_lines("in/day=1/a.json", [{"id": 1}])
    project.run().ok()
    project.json_lines(f"in/{folder}/b.json", [{"id": 2}])
    project.run().refused(f'{folder}/b.json": the folder\'s "{folder}" does not fit partition column "day" of type int', code=1)
    assert project.rows("SELECT id, day FROM raw") == [(1, 1)]
    (project.folder / f"in/{folder}").rename(project.folder / "elsewhere")
    assert "is gone" in project.run().ok().err
    (project.folder / "elsewhere").rename(project.folder / "in/day=2")
    project.run().ok()
    assert project.rows("SELECT id, day FROM raw ORDER BY id") == [(1, 1), (2, 2)]
