"""Folders named key=value: their text becomes a typed column, whole or with an error, never NULL without a word."""
import os

import pyarrow
import pyarrow.parquet
import pytest


def load(project, form="json", columns="*", table="t", **options):
    given = "".join(f", {name} => '{value}'" for name, value in options.items())
    project.define(f"CREATE OR REFRESH STREAMING TABLE {table} AS SELECT {columns} FROM STREAM read_files('in', format => '{form}'{given})")


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


def test_of_a_key_and_a_field_that_come_at_once_the_field_makes_the_column(project):
    project.json_lines("in/a.json", [{"id": 1}])
    load(project)
    project.run().ok()
    project.json_lines("in/region=eu/b.json", [{"id": 2, "region": 7}])
    project.json_lines("in/region=us/c.json", [{"id": 3}])
    project.run().ok()
    project.expect("SELECT id, region FROM t ORDER BY id", [(1, None), (2, 7), (3, None)])


def test_a_key_that_is_called_as_a_column_of_silt_makes_none(project):
    for name in ("_metadata=1", "_rescued_data=2", "Kept=3"):
        project.json_lines(f"in/{name}/a.json", [{"id": 1}])
    load(project)
    project.run().ok()
    project.expect("SELECT count(*), max(kept), count(_rescued_data) FROM t", [(3, 3, 0)])
    load(project, rescuedDataColumn="kept", table="u")
    project.run().ok()
    project.expect("SELECT count(*), count(kept) FROM u", [(3, 0)])


@pytest.mark.parametrize("form", ["json", "csv"])
def test_files_whose_names_are_no_utf8_are_read_each_once(project, form):
    record = b'{"id": %d}\n' if form == "json" else b"id\n%d\n"
    folder = os.fsencode(project.folder / "in")
    os.makedirs(folder + b"/d\xfe")
    os.makedirs(folder + b"/k\xfe=1")  # no key that a column could be called by
    for number, name in enumerate([b"ok", b"bad\xff", b"d\xfe/x", b"k\xfe=1/x"]):
        with open(folder + b"/" + name + b"." + form.encode(), "wb") as file:
            file.write(record % number)
    load(project, form=form, columns="id, _metadata.file_name AS name, _metadata.file_path AS path")
    for _ in range(2):
        project.run().ok()
        base = f"file://{project.folder}/in/"
        project.expect("SELECT id, name, path FROM t ORDER BY id",
                       [(0, "ok." + form, base + "ok." + form), (1, f"bad\ufffd.{form}", base + "bad%FF." + form),
                        (2, "x." + form, base + "d%FE/x." + form), (3, "x." + form, base + f"k%FE=1/x.{form}")])
    project.silt("audit", "t").ok()


def test_a_parquet_file_whose_name_is_no_utf8_is_refused_by_it(project):
    (project.folder / "in").mkdir()
    pyarrow.parquet.write_table(pyarrow.table({"id": [1]}), project.folder / "in/a.parquet")
    load(project, form="parquet")
    project.run().ok()
    os.rename(os.fsencode(project.folder) + b"/in/a.parquet", os.fsencode(project.folder) + b"/in/bad\xff.parquet")
    project.run().refused("in/bad%FF.parquet", "not UTF-8", "Rename it", code=1)


@pytest.mark.parametrize("value, seen", [(b"a%00b", "k=a%2500b"), (b"a\xfe", "k=a%FE")])
def test_a_folders_value_that_is_no_text_is_refused_and_not_cut(project, value, seen):
    os.makedirs(os.fsencode(project.folder) + b"/in/k=" + value)
    with open(os.fsencode(project.folder) + b"/in/k=" + value + b"/a.json", "w") as file:
        file.write('{"id": 1}\n')
    load(project)
    project.run().refused(seen, 'partition column "k" is not UTF-8 or has a NUL', code=1)
