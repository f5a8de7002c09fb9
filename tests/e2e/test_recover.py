"""`silt recover`: a checkpoint that is gone or damaged is built again from the table's log, and the next run neither loses nor doubles a row."""
import json
import random
import shutil
import time

import pytest
import readers

RAW = "CREATE OR REFRESH STREAMING TABLE raw AS SELECT id, id % 3 AS part FROM STREAM read_files('in', format => 'json', maxFilesPerTrigger => 2, schema => 'id BIGINT')"


def checkpoint(project, flow="raw", table="raw"):
    return project.folder / "storage/_checkpoints/spark_catalog/default" / table / flow


def ids(project, table="raw"):
    return sorted(id for (id,) in readers.delta_rs_rows(project.table(table), "id"))


def feed(project, first, count):
    for number in range(first, first + count):
        project.json_lines(f"in/{number:04}.json", [{"id": 10 * number + k} for k in range(10)])


def recovered(project, table="raw"):
    done = project.silt("recover", table, "--format", "json").ok()
    return [json.loads(line) for line in done.out.splitlines()]


def test_a_removed_checkpoint_comes_back_as_spark_wrote_it(project):
    project.define(RAW)
    for first in range(0, 26, 3):
        feed(project, first, 3)
        project.run().ok()
    root = checkpoint(project)
    def of_spark():  # what Spark looks at: not Silt's own set of files seen
        return {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file() and path.suffix != ".seen"}

    before = of_spark()
    shutil.rmtree(root)
    done = project.run()
    done.refused("has filled table .*raw.* up to batch 17 .*checkpoint .* is lost", "silt recover raw", code=1)
    assert ids(project) == list(range(270))

    (flow,) = recovered(project)
    assert flow["rebuilt"] and flow["damage"] == "it is gone" and flow["last_batch"] == 17 and not flow["pending"] and flow["files"] == 27
    after = of_spark()
    assert set(after) <= set(before)
    for name, content in after.items():
        if name.parts[1] in ("sources", "commits") or name.parts[1] == "metadata":
            assert content == before[name], name
        elif name.parts[1] == "offsets":
            assert content.splitlines()[2:] == before[name].splitlines()[2:], name
    assert {name.name for name in after if name.parts[1] == "offsets"} == {"16", "17"}
    feed(project, 27, 2)
    project.run().ok()
    assert ids(project) == list(range(290))


@pytest.mark.parametrize("victim, way", [(victim, "missing") for victim in ("metadata", "offsets/1", "offsets", "commits", "sources/0/1", "sources")] +
                         [(victim, "garbage") for victim in ("metadata", "offsets/1", "sources/0/1")])
def test_every_kind_of_damage_is_repaired(project, victim, way):
    project.define(RAW)
    feed(project, 0, 4)
    project.run().ok()
    path = checkpoint(project) / "0" / victim
    if path.is_dir():
        shutil.rmtree(path)
    elif way == "missing":
        path.unlink()
    else:
        path.write_bytes(b"\xff\x00garbage")
    done = project.silt("recover", "raw", "--format", "json")
    if done.code == 2:  # harmless damage: the next run mends it by itself
        done.refused("no checkpoint of table .* is lost")
        assert victim == "commits" or (victim == "sources/0/1" and way == "garbage"), done
        return
    assert json.loads(done.ok().out)["checkpoint"].endswith("/1")
    feed(project, 4, 2)
    project.run().ok()
    assert ids(project) == list(range(60))


def test_a_whole_checkpoint_is_left_alone(project):
    project.define(RAW)
    feed(project, 0, 1)
    project.run().ok()
    project.silt("recover", "raw").refused("no checkpoint of table .*raw.* is lost")
    project.silt("recover", "rwa").refused('no table "rwa"', "Did you mean .raw")
    assert [path.name for path in checkpoint(project).iterdir()] == ["0"]


def test_a_view_has_nothing_to_recover(project):
    project.define("CREATE MATERIALIZED VIEW v AS SELECT 1 AS id")
    project.run().ok()
    project.silt("recover", "v").refused("v.* is a materialized view: it has no checkpoint")


def test_one_of_two_flows(project):
    """Neither the run nor recover takes the checkpoint that is there for that of the flow that has lost its own."""
    project.define("CREATE OR REFRESH STREAMING TABLE raw",
                   "CREATE FLOW a AS INSERT INTO raw BY NAME SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')",
                   "CREATE FLOW b AS INSERT INTO raw BY NAME SELECT id FROM STREAM read_files('other', format => 'json', schema => 'id BIGINT')")
    feed(project, 0, 2)
    project.json_lines("other/x.json", [{"id": 1000}])
    project.run().ok()
    shutil.rmtree(checkpoint(project, "b"))
    project.run().refused("flow .*b.* has filled table", code=1)
    assert ids(project) == [*range(20), 1000]
    a, b = sorted(recovered(project), key=lambda flow: flow["flow"])
    assert not a["rebuilt"] and b["rebuilt"]
    project.json_lines("other/y.json", [{"id": 1001}])
    project.run().ok()
    assert ids(project) == [*range(20), 1000, 1001]


def test_many_files_are_found_in_the_manifest(project):
    project.define(RAW.replace("maxFilesPerTrigger => 2", "maxFilesPerTrigger => 1000"))
    feed(project, 0, 130)
    project.run().ok()
    assert list((project.table("raw") / "_silt_sources").rglob("0.json"))
    shutil.rmtree(checkpoint(project))
    assert recovered(project)[0]["files"] == 130
    project.run().ok()
    assert ids(project) == list(range(1300))


def test_an_inferred_schema_comes_back_too(project):
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json')")
    project.json_lines("in/a.json", [{"id": 1, "x": 1}])
    project.run().ok()
    project.json_lines("in/b.json", [{"id": 2, "x": 2, "y": "new"}])
    project.run().ok()
    shutil.rmtree(checkpoint(project))
    (project.folder / "in/a.json").unlink()
    (project.folder / "in/b.json").unlink()
    project.json_lines("in/c.json", [{"id": "three"}])  # what would be inferred now is of another type
    recovered(project)
    project.run().ok()
    project.expect("SELECT id, x, y, _rescued_data IS NULL FROM raw", [(1, 1, None, True), (2, 2, "new", True), (None, None, None, False)])


def test_a_stream_of_a_table(project):
    project.define(RAW, "CREATE OR REFRESH STREAMING TABLE twice AS SELECT id, 2 * id AS twice FROM STREAM raw WITH ('maxFilesPerTrigger' = '1')")
    feed(project, 0, 6)
    project.run().ok()
    shutil.rmtree(checkpoint(project, "twice", "twice"))
    recovered(project, "twice")
    feed(project, 6, 3)
    project.run().ok()
    assert ids(project, "twice") == list(range(90))


def test_after_a_full_refresh_with_nothing_read_since(project):
    project.define(RAW)
    feed(project, 0, 2)
    project.run().ok()
    for path in (project.folder / "in").iterdir():
        path.unlink()
    project.run("--full-refresh", "raw").ok()
    assert ids(project) == []
    shutil.rmtree(checkpoint(project))
    (flow,) = recovered(project)
    assert flow["rebuilt"] and flow["last_batch"] is None
    feed(project, 0, 3)
    project.run().ok()
    assert ids(project) == list(range(30))


def test_a_limit_is_not_counted_anew(project):
    project.define(RAW + " LIMIT 25")
    feed(project, 0, 2)
    project.run().ok()
    shutil.rmtree(checkpoint(project))
    recovered(project)
    feed(project, 2, 3)
    project.run().ok()
    assert len(ids(project)) == 25


def test_a_batch_that_the_log_does_not_tell_is_named(project):
    project.define(RAW)
    feed(project, 0, 8)
    project.run().ok()
    log = project.table("raw") / "_delta_log"
    path = log / f"{2:020}.json"
    lines = path.read_text().splitlines()
    commit = json.loads(lines[0])
    assert commit["commitInfo"].pop("readSources")
    path.write_text("\n".join([json.dumps(commit), *lines[1:]]) + "\n")
    shutil.rmtree(checkpoint(project))
    project.silt("recover", "raw").refused("version 2 of table .*raw.* holds batch 1, but does not say what it read", "--full-refresh raw")
    for version in range(3):
        (log / f"{version:020}.json").unlink()
    # cleaned up to the checkpoint: the folder then has a Delta checkpoint to start from
    if list(log.glob("*.checkpoint.parquet")):
        project.silt("recover", "raw").refused("batch [01] is no longer in the log|does not say")


def test_existing_files_that_were_left_out_stay_so(project):
    feed(project, 0, 2)
    project.define(RAW.replace("format =>", "includeExistingFiles => false, format =>"))
    project.run().ok()
    feed(project, 2, 2)
    project.run().ok()
    assert ids(project) == list(range(20, 40))
    shutil.rmtree(checkpoint(project))
    recovered(project)
    feed(project, 4, 1)
    project.run().ok()
    assert ids(project) == list(range(20, 50))

    shutil.rmtree(checkpoint(project))
    (skipped,) = (project.table("raw") / "_silt_sources").rglob("skipped")
    skipped.unlink()
    project.silt("recover", "raw").refused("includeExistingFiles => false")


def test_refused_while_the_pipeline_runs(project):
    project.define(RAW)
    feed(project, 0, 1)
    project.run().ok()
    process = project.start("--continuous")
    deadline = time.monotonic() + 60
    while "is RUNNING" not in (project.folder / "run.log").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    project.silt("recover", "raw").refused("being run by another process")
    process.kill()
    process.wait()


def test_after_random_kills(project):
    """Kill the run, lose the checkpoint, recover, go on: as if nothing had happened."""
    dice = random.Random(7)
    project.define(RAW, "CREATE OR REFRESH STREAMING TABLE odd (CONSTRAINT is_odd EXPECT (id % 2 = 1) ON VIOLATION DROP ROW) TBLPROPERTIES ('silt.quarantine' = 'table') "
                        "AS SELECT id FROM STREAM raw")
    fed = 0
    begin = time.monotonic()
    feed(project, 0, 2)
    fed += 2
    project.run().ok()
    usual = time.monotonic() - begin
    for _ in range(25):
        feed(project, fed, 5)
        fed += 5
        process = project.start()
        time.sleep(dice.uniform(0, 1.2 * usual))
        process.kill()
        process.wait()
        for table in ("raw", "odd"):
            shutil.rmtree(checkpoint(project, table, table), ignore_errors=True)
            done = project.silt("recover", table)
            assert done.code == 0 or "no checkpoint of table" in done.err, done
    project.run().ok()
    assert ids(project) == list(range(10 * fed))
    assert ids(project, "odd") == list(range(1, 10 * fed, 2))
    quarantined = sorted(id for (id,) in readers.delta_rs_rows(str(project.table("odd")) + "_quarantine", "id"))
    assert quarantined == list(range(0, 10 * fed, 2))


@pytest.mark.parametrize("content, words", [(b"", "is empty"), (b"v9\n{}", "is of another version"), (b"v1\n{", "cannot be read")])
def test_a_kept_schema_that_is_none_is_named_with_what_mends_it(project, content, words):
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json')")
    project.json_lines("in/a.json", [{"id": 1, "x": 1}])
    project.run().ok()
    (checkpoint(project) / "0/_schemas/0/0").write_bytes(content)
    project.json_lines("in/b.json", [{"id": 2}])
    for words_given in (["run"], ["recover", "raw"]):
        project.silt(*words_given).refused("/0/_schemas/0", words, "/0/metadata\" away", "silt recover", code=(1, 2))
    (checkpoint(project) / "0/metadata").unlink()
    recovered(project)
    project.run().ok()
    project.expect("SELECT id, x FROM raw ORDER BY id", [(1, 1), (2, None)])
