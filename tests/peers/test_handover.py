"""A checkpoint made by Silt is continued by real Spark and then by Silt again, and the other way round: nothing lost, nothing read twice."""
import json

import readers

FILES = "CREATE OR REFRESH STREAMING TABLE raw AS SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')"
SECOND = "CREATE OR REFRESH STREAMING TABLE doubled AS SELECT id, 2 * id AS twice FROM STREAM raw"


def checkpoint(project, table):
    """<storage>/_checkpoints/<catalog>/<schema>/<table>/<flow>/<n>"""
    (found,) = (project.folder / "storage/_checkpoints").glob(f"*/*/{table}/*/0")
    return found


def spark_takes_files(spark, project, place, table):
    query = (spark.readStream.schema("id BIGINT").json(str(project.folder / "in")).writeStream.format("delta")
             .option("checkpointLocation", str(place)).trigger(availableNow=True).start(str(table)))
    assert query.awaitTermination(120)
    assert query.exception() is None


def ids(table):
    return sorted(id for (id,) in readers.delta_rs_rows(table, "id"))


def test_files_go_from_silt_to_spark_and_back(project, spark):
    project.define(FILES)
    written = 0

    def more(count=2):
        nonlocal written
        for _ in range(count):
            # names fall while numbers rise: order of names must not matter
            project.json_lines(f"in/{999 - written:03}.json", [{"id": written}])
            written += 1

    for turn in range(3):
        more()
        project.run().ok()
        assert ids(project.table("raw")) == list(range(written)), f"Silt, turn {turn}"
        more()
        spark_takes_files(spark, project, checkpoint(project, "raw"), project.table("raw"))
        assert ids(project.table("raw")) == list(range(written)), f"Spark, turn {turn}"


def test_files_go_from_silt_to_spark_in_the_middle_of_many_batches(project, spark):
    """Batches of one file each, past Spark's compaction of the file log every ten."""
    project.define(FILES.replace("format =>", "maxFilesPerTrigger => 1, format =>"))
    for number in range(13):
        project.json_lines(f"in/{number:03}.json", [{"id": number}])
    project.run().ok()
    place = checkpoint(project, "raw")
    assert list((place / "sources/0").glob("*.compact"))
    for number in range(13, 25):
        project.json_lines(f"in/{number:03}.json", [{"id": number}])
    spark_takes_files(spark, project, place, project.table("raw"))
    project.json_lines("in/099.json", [{"id": 25}])
    project.run().ok()
    assert ids(project.table("raw")) == list(range(26))


def test_a_checkpoint_that_spark_began_is_continued_by_silt(project, spark):
    project.define(FILES)
    project.json_lines("in/a.json", [{"id": 0}])
    project.run().ok()
    place = checkpoint(project, "raw")
    import shutil
    shutil.rmtree(place)
    shutil.rmtree(project.table("raw"))
    project.json_lines("in/b.json", [{"id": 1}])
    spark_takes_files(spark, project, place, project.table("raw"))
    assert ids(project.table("raw")) == [0, 1]
    project.json_lines("in/c.json", [{"id": 2}])
    project.run().ok()
    assert ids(project.table("raw")) == [0, 1, 2]


def test_a_delta_source_goes_from_silt_to_spark_and_back(project, spark):
    project.define(FILES, SECOND)
    written = 0
    for turn in range(2):
        project.json_lines(f"in/{written}.json", [{"id": written}])
        written += 1
        project.run().ok()
        project.json_lines(f"in/{written}.json", [{"id": written}])
        written += 1
        project.run("--refresh", "raw").ok()
        query = (spark.readStream.format("delta").load(str(project.table("raw"))).selectExpr("id", "2 * id AS twice").writeStream.format("delta")
                 .option("checkpointLocation", str(checkpoint(project, "doubled"))).trigger(availableNow=True).start(str(project.table("doubled"))))
        assert query.awaitTermination(120)
        assert ids(project.table("doubled")) == list(range(written)), f"turn {turn}"
    project.run().ok()
    assert ids(project.table("doubled")) == list(range(written))


def test_a_batch_that_silt_began_is_finished_by_spark(project, spark):
    """offsets/N without commits/N: Spark runs that batch over the same files, and the table's txn keeps it from doubling."""
    project.define(FILES)
    for number in range(2):
        project.json_lines(f"in/{number}.json", [{"id": number}])
        project.run().ok()
    place = checkpoint(project, "raw")
    last = max((path for path in (place / "commits").iterdir() if path.name.isdigit()), key=lambda path: int(path.name))
    last.unlink()
    (place / "commits" / f".{last.name}.crc").unlink(missing_ok=True)
    project.json_lines("in/2.json", [{"id": 2}])
    spark_takes_files(spark, project, place, project.table("raw"))
    assert ids(project.table("raw")) == [0, 1, 2]


def test_both_write_the_same_query_id_into_the_table(project, spark):
    project.define(FILES)
    project.json_lines("in/0.json", [{"id": 0}])
    project.run().ok()
    project.json_lines("in/1.json", [{"id": 1}])
    place = checkpoint(project, "raw")
    spark_takes_files(spark, project, place, project.table("raw"))
    query = json.loads((place / "metadata").read_text())["id"]
    txns = [txn for _, txn in readers.actions(project.table("raw"), "txn")]
    assert {txn["appId"] for txn in txns} == {query}
    assert [int(txn["version"]) for txn in txns] == list(range(len(txns)))
