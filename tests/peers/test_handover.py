"""A checkpoint made by Silt is continued by real Spark and then by Silt again, and the other way round: nothing lost, nothing read twice."""
import json
import shutil

import pytest
import readers

SCHEMA = "id BIGINT, text STRING"


def checkpoint(project, table, flow=None):
    """<storage>/_checkpoints/<catalog>/<schema>/<table>/<flow>/<n>, also before it is there."""
    return project.folder / "storage/_checkpoints/spark_catalog/default" / table / (flow or table) / "0"


def ids(table):
    return sorted(id for (id,) in readers.delta_rs_rows(table, "id"))


def batches(place, log):
    """The batch numbers in offsets/ or commits/."""
    return sorted(int(path.name) for path in (place / log).iterdir() if path.name.isdigit())


class Files:
    """A folder of files of one format, read by a flow of Silt or a query of Spark."""

    def __init__(self, project, spark, format="json", per_batch=1):
        self.project, self.spark, self.format, self.per_batch, self.written = project, spark, format, per_batch, 0
        (project.folder / "in").mkdir()
        header = ", header => true" if format == "csv" else ""
        project.define(f"CREATE OR REFRESH STREAMING TABLE raw AS SELECT id, text FROM STREAM read_files('in', format => '{format}'{header}, "
                       f"maxFilesPerTrigger => {per_batch}, schema => '{SCHEMA}')")
        self.place, self.table = checkpoint(project, "raw"), project.table("raw")

    def more(self, count, names="{:03}"):
        """Files of one row each. Their names fall while their numbers rise: the order of names must not matter."""
        for _ in range(count):
            id, name = self.written, f"in/{names.format(999 - self.written)}.{self.format}"
            text = f"é\t{id}"
            if self.format == "json":
                self.project.json_lines(name, [{"id": id, "text": text}])
            elif self.format == "csv":
                self.project.file(name, f"id,text\n{id},{text}\n")
            else:
                import io
                import pyarrow
                import pyarrow.parquet
                data = io.BytesIO()
                pyarrow.parquet.write_table(pyarrow.table({"id": pyarrow.array([id], pyarrow.int64()), "text": [text]}), data)
                self.project.file(name, data.getvalue())
            self.written += 1

    def silt(self):
        self.project.run().ok()

    def by_spark(self):
        query = (self.spark.readStream.schema(SCHEMA).format(self.format).option("header", "true").option("maxFilesPerTrigger", self.per_batch)
                 .load(str(self.project.folder / "in")).select("id", "text").writeStream.format("delta").option("checkpointLocation", str(self.place))
                 .trigger(availableNow=True).start(str(self.table)))
        assert query.awaitTermination(120)
        assert query.exception() is None

    def turn(self, who):
        {"Silt": self.silt, "Spark": self.by_spark}[who]()

    def complete(self):
        got = sorted(readers.delta_rs_rows(self.table, "id", "text"))
        assert got == [(id, f"é\t{id}") for id in range(self.written)]
        assert batches(self.place, "offsets") == batches(self.place, "commits")


# who takes how many files, one a batch; the file log is compacted at batches 9 and 19
SPARK_COMPACTS = [("Silt", 8), ("Spark", 3), ("Silt", 8), ("Spark", 2), ("Silt", 1)]
SILT_COMPACTS = [("Spark", 2), ("Silt", 9), ("Spark", 2), ("Silt", 9), ("Spark", 1)]


@pytest.mark.parametrize("turns, format", [(SPARK_COMPACTS, "json"), (SILT_COMPACTS, "json"), (SILT_COMPACTS, "csv"), (SPARK_COMPACTS, "parquet")],
                         ids=["Spark-compacts-json", "Silt-compacts-json", "Silt-compacts-csv", "Spark-compacts-parquet"])
def test_files_go_back_and_forth_past_the_compaction_of_the_file_log(project, spark, turns, format):
    files = Files(project, spark, format)
    for who, count in turns:
        files.more(count)
        files.turn(who)
        files.complete()
    assert batches(files.place, "commits") == list(range(files.written))
    assert {"9.compact", "19.compact"} <= {path.name for path in (files.place / "sources/0").iterdir()}


def rewind(place, table, batch, until):
    """Checkpoint and table as a crash within this batch leaves them.

    until: "sources" - the file log knows the batch; "offsets" - offsets/N too; "table" - the Delta commit too; nobody has written commits/N.
    """
    for log, keep in (("commits", False), ("offsets", until != "sources")):
        for number in batches(place, log):
            if number > batch or (number == batch and not keep):
                (place / log / str(number)).unlink()
                (place / log / f".{number}.crc").unlink(missing_ok=True)
    if (place / "sources/0").exists():
        for path in list((place / "sources/0").iterdir()):
            name = path.name.removeprefix(".").split(".")[0]
            if int(name) > batch:
                path.unlink()
    id = json.loads((place / "metadata").read_text())["id"]
    log = table / "_delta_log"
    keep = batch if until == "table" else batch - 1
    later = [version for version, txn in readers.actions(table, "txn") if txn["appId"] == id and int(txn["version"]) > keep]
    assert later == list(range(later[0], later[0] + len(later)))
    for version in later:
        for pattern in (f"{version:020d}.*", f".{version:020d}.*"):
            for path in log.glob(pattern):
                path.unlink()


def forget_tables(spark):
    """Spark remembers logs that a test has cut."""
    spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()


OTHER = {"Silt": "Spark", "Spark": "Silt"}


@pytest.mark.parametrize("until", ["sources", "offsets", "table"])
@pytest.mark.parametrize("first", ["Silt", "Spark"])
def test_a_batch_that_one_began_over_files_is_finished_by_the_other(project, spark, first, until):
    files = Files(project, spark)
    files.more(4)
    files.turn(first)
    rewind(files.place, files.table, 2, until)
    forget_tables(spark)
    before = len(ids(files.table))
    assert before == (3 if until == "table" else 2)
    files.more(1)
    files.turn(OTHER[first])
    files.complete()
    files.more(1)
    files.turn(first)
    files.complete()


class Tail:
    """A Delta table that grows, copied by a flow of Silt or a query of Spark, two files a batch."""

    def __init__(self, project, spark):
        self.project, self.spark, self.written = project, spark, 0
        self.source, self.place, self.table = project.table("ext"), checkpoint(project, "copy"), project.table("copy")
        project.define("CREATE OR REFRESH STREAMING TABLE copy AS SELECT id, 2 * id AS twice FROM STREAM ext WITH ('maxFilesPerTrigger' = '2')")

    def more(self, commits, files=1):
        """Commits of several files each."""
        import pyarrow
        from deltalake import write_deltalake
        for _ in range(commits):
            numbers = list(range(self.written, self.written + files))
            self.written += files
            # a file per partition value
            write_deltalake(str(self.source), pyarrow.table({"id": pyarrow.array(numbers, pyarrow.int64()), "part": pyarrow.array(numbers, pyarrow.int64())}),
                            mode="append", partition_by=["part"])

    def turn(self, who):
        if who == "Silt":
            self.project.run().ok()
            return
        query = (self.spark.readStream.format("delta").option("maxFilesPerTrigger", "2").load(str(self.source)).selectExpr("id", "2 * id AS twice")
                 .writeStream.format("delta").option("checkpointLocation", str(self.place)).trigger(availableNow=True).start(str(self.table)))
        assert query.awaitTermination(120)
        assert query.exception() is None

    def complete(self):
        assert sorted(readers.delta_rs_rows(self.table, "id", "twice")) == [(id, 2 * id) for id in range(self.written)]
        assert batches(self.place, "offsets") == batches(self.place, "commits")


@pytest.mark.parametrize("until", ["offsets", "table"])
@pytest.mark.parametrize("first", ["Silt", "Spark"])
def test_the_first_snapshot_of_a_delta_source_is_cut_by_one_and_finished_by_the_other(project, spark, first, until):
    tail = Tail(project, spark)
    tail.more(2, files=3)
    tail.turn(first)
    tail.complete()
    rewind(tail.place, tail.table, 1, until)
    forget_tables(spark)
    last = json.loads((tail.place / "offsets/1").read_text().split("\n")[2])
    assert last["isStartingVersion"] is True and last["index"] == 3
    assert len(ids(tail.table)) == (4 if until == "table" else 2)
    tail.turn(OTHER[first])
    tail.complete()


@pytest.mark.parametrize("until", ["offsets", "table"])
@pytest.mark.parametrize("first", ["Silt", "Spark"])
def test_a_version_of_a_delta_source_is_cut_by_one_and_finished_by_the_other(project, spark, first, until):
    """Five files in one commit, two of them a batch: the offset stands inside of a version."""
    tail = Tail(project, spark)
    tail.more(1, files=1)
    tail.turn(OTHER[first])
    tail.more(1, files=5)
    tail.turn(first)
    tail.complete()
    rewind(tail.place, tail.table, 2, until)
    forget_tables(spark)
    last = json.loads((tail.place / "offsets/2").read_text().split("\n")[2])
    assert last["isStartingVersion"] is False and last["index"] >= 0
    tail.more(1, files=2)
    tail.turn(OTHER[first])
    tail.complete()
    tail.more(1)
    tail.turn(first)
    tail.complete()


def test_a_delta_source_goes_back_and_forth(project, spark):
    tail = Tail(project, spark)
    for who in ["Spark", "Silt", "Spark", "Silt"]:
        tail.more(2)
        tail.turn(who)
        tail.complete()


def test_each_of_two_flows_into_one_table_is_handed_over_alone(project, spark):
    project.define("CREATE OR REFRESH STREAMING TABLE both",
                   *(f"CREATE FLOW {name} AS INSERT INTO both BY NAME SELECT id FROM STREAM read_files('{name}', format => 'json', schema => 'id BIGINT')"
                     for name in ("left", "right")))
    written = 0

    def more():
        nonlocal written
        for name in ("left", "right"):
            project.json_lines(f"{name}/{written}.json", [{"id": written}])
            written += 1

    more()
    project.run().ok()
    for name in ("left", "right"):
        more()
        query = (spark.readStream.schema("id BIGINT").json(str(project.folder / name)).writeStream.format("delta")
                 .option("checkpointLocation", str(checkpoint(project, "both", name))).trigger(availableNow=True).start(str(project.table("both"))))
        assert query.awaitTermination(120) and query.exception() is None
        project.run().ok()
        assert ids(project.table("both")) == list(range(written))
    appenders = {txn["appId"] for _, txn in readers.actions(project.table("both"), "txn")}
    assert appenders == {json.loads((checkpoint(project, "both", name) / "metadata").read_text())["id"] for name in ("left", "right")}


def test_names_of_files_that_need_encoding_are_not_read_twice(project, spark):
    files = Files(project, spark, per_batch=100)
    # none with the characters of globs: the file log has each once, but Spark's batch then reads it several times
    names = ["a b-{}", "p%20c-{}", "h#-{}", "ü-{}", "日本-{}", "+-{}", "é-{}", "~a;b,c-{}", "a&b'(c)!$-{}", "100%-{}"]
    for who in ("Silt", "Spark", "Silt"):
        for name in names:
            files.more(1, names=name)
        files.turn(who)
        files.complete()


def test_partition_columns_from_paths_go_over(project, spark):
    project.define("CREATE OR REFRESH STREAMING TABLE raw PARTITIONED BY (day) AS SELECT id, day FROM "
                   "STREAM read_files('in', format => 'json', schema => 'id BIGINT, day DATE')")
    place, table = checkpoint(project, "raw"), project.table("raw")
    days = ["2026-01-31", "2026-02-01"]
    for number, who in enumerate(("Silt", "Spark", "Silt")):
        for k, day in enumerate(days):
            project.json_lines(f"in/day={day}/{number}.json", [{"id": 10 * number + k}])
        if who == "Silt":
            project.run().ok()
        else:
            query = (spark.readStream.schema("id BIGINT, day DATE").json(str(project.folder / "in")).writeStream.format("delta").partitionBy("day")
                     .option("checkpointLocation", str(place)).trigger(availableNow=True).start(str(table)))
            assert query.awaitTermination(120) and query.exception() is None
        got = sorted((id, str(day)) for id, day in readers.delta_rs_rows(table, "id", "day"))
        assert got == [(10 * n + k, day) for n in range(number + 1) for k, day in enumerate(days)]


def test_both_write_the_same_query_id_into_the_table(project, spark):
    files = Files(project, spark)
    for who in ("Silt", "Spark", "Silt"):
        files.more(1)
        files.turn(who)
    query = json.loads((files.place / "metadata").read_text())["id"]
    txns = [txn for _, txn in readers.actions(files.table, "txn")]
    assert {txn["appId"] for txn in txns} == {query}
    assert [int(txn["version"]) for txn in txns] == list(range(len(txns)))


def test_a_full_refresh_begins_a_checkpoint_that_spark_goes_on_with(project, spark):
    files = Files(project, spark)
    files.more(2)
    files.turn("Spark")
    project.run("--full-refresh", "raw").ok()
    files.place = files.place.parent / "1"
    files.complete()
    files.more(1)
    files.turn("Spark")
    files.complete()
    files.more(1)
    files.turn("Silt")
    files.complete()


def test_a_checkpoint_of_spark_without_its_metadata_is_refused_as_spark_refuses_it(project, spark):
    files = Files(project, spark)
    files.more(1)
    files.turn("Spark")
    (files.place / "metadata").unlink()
    files.more(1)
    project.run().refused("STREAMING_CHECKPOINT_MISSING_METADATA_FILE|metadata", code=(1, 2))
    assert ids(files.table) == [0]


@pytest.mark.parametrize("lost", ["folder", "metadata", "sources", "commits"])
def test_a_lost_checkpoint_with_batches_of_spark_is_not_made_up(project, spark, lost):
    """Spark's commits do not say what they have read: silt recover names the first of them, and changes nothing. Lost commits/ it does not need."""
    files = Files(project, spark)
    for who, count in (("Silt", 2), ("Spark", 3)):
        files.more(count)
        files.turn(who)
    if lost == "folder":
        shutil.rmtree(files.place)
    elif lost == "metadata":
        (files.place / "metadata").unlink()
    else:
        shutil.rmtree(files.place / lost)
    files.more(1)
    if lost == "commits":
        project.silt("recover", "raw").refused("no checkpoint of table .* is lost")
        project.run().ok()
        assert ids(files.table) == list(range(files.written))
        return
    project.silt("recover", "raw").refused(r"holds batch 4 of a query, but does not say what it read \(written by Apache-Spark", "--full-refresh raw")
    project.run().refused("silt recover|has filled table", code=1)
    assert ids(files.table) == list(range(files.written - 1))
