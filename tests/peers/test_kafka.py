"""A checkpoint over Kafka goes to real Spark and back; what Silt reads of a topic is what Spark reads."""
import json
import os
import sys
from pathlib import Path

import pytest
import readers

sys.path.insert(0, str(Path(__file__).parents[1] / "kafka"))
from broker import Broker  # noqa: E402


@pytest.fixture(scope="module")
def broker(tmp_path_factory):
    made = Broker(tmp_path_factory.mktemp("kafka") / "broker", os.environ["SILT_KAFKA_JARS"])
    made.start()
    yield made
    made.stop()


class Stream:
    """A topic into a table, by a flow of Silt or a query of Spark, over one checkpoint."""

    def __init__(self, project, spark, broker, topic, limit):
        self.project, self.spark, self.broker, self.topic, self.limit, self.sent = project, spark, broker, topic, limit, 0
        project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT partition, offset, CAST(value AS STRING) AS v FROM STREAM read_kafka("
                       f"bootstrapServers => '{broker.bootstrap}', subscribe => '{topic}', startingOffsets => 'earliest', maxOffsetsPerTrigger => {limit})")
        self.place, self.table = project.folder / "storage/_checkpoints/spark_catalog/default/raw/raw/0", project.table("raw")

    def more(self, count, partitions):
        self.broker.produce(self.topic, [{"value": str(n), "partition": n % partitions} for n in range(self.sent, self.sent + count)])
        self.sent += count

    def silt(self):
        self.project.run().ok()

    def by_spark(self):
        query = (self.spark.readStream.format("kafka").option("kafka.bootstrap.servers", self.broker.bootstrap).option("subscribe", self.topic)
                 .option("startingOffsets", "earliest").option("maxOffsetsPerTrigger", self.limit).load().selectExpr("partition", "offset", "CAST(value AS STRING) AS v")
                 .writeStream.format("delta").option("checkpointLocation", str(self.place)).trigger(availableNow=True).start(str(self.table)))
        assert query.awaitTermination(180)
        assert query.exception() is None


@pytest.mark.parametrize("first", ["Silt", "Spark"])
def test_a_topic_goes_back_and_forth(project, spark, broker, first):
    topic = broker.topic(2)
    stream = Stream(project, spark, broker, topic, limit=40)
    for turn in range(4):
        stream.more(100, partitions=2 if turn < 2 else 3)
        if turn == 1:
            broker.partitions(topic, 3)
        if (turn % 2 == 0) == (first == "Silt"):
            stream.silt()
        else:
            stream.by_spark()
        rows = readers.delta_rs_rows(stream.table, "partition", "offset", "v")
        assert sorted(int(v) for _, _, v in rows) == list(range(stream.sent))
        assert len({(partition, offset) for partition, offset, _ in rows}) == stream.sent
    last = max(stream.place.glob("offsets/[0-9]*"), key=lambda path: int(path.name)).read_text().splitlines()[-1]
    assert sum(json.loads(last)[topic].values()) == stream.sent


def test_a_topic_made_anew_behind_spark_is_noticed(project, spark, broker):
    """Spark lets the ids of topics stand, and goes on; back in Silt they still hold for the topic that Spark has read. So do those of a checkpoint that Spark has begun, from Silt's first run on."""
    topic = broker.topic(2)
    stream = Stream(project, spark, broker, topic, limit=40)
    stream.more(100, partitions=2)
    stream.silt()
    ids = (stream.place / "sources/0/_topics").read_bytes()
    stream.more(100, partitions=2)
    stream.by_spark()
    assert (stream.place / "sources/0/_topics").read_bytes() == ids
    stream.more(10, partitions=2)
    stream.silt()
    broker.drop(topic)
    broker.topic(2, name=topic)
    stream.more(400, partitions=2)  # beyond the offsets that were read
    project.run().refused(f'topic "{topic}" was made anew', f'{{"{topic}":{{"0":105,"1":105}}}}', code=1)
    assert len(readers.delta_rs_rows(stream.table, "v")) == 210


def test_a_record_is_the_same_to_both(project, spark, broker):
    topic = broker.topic(2)
    broker.produce(topic, [{"value": b"\xff\x00a", "key": "k", "headers": [("h", b"1"), ("h", None)], "timestamp": 1700000000001}, {"value": None, "timestamp": 5},
                           {"value": "", "key": "", "partition": 1, "timestamp": 6}])
    broker.transactions(topic, (["committed"], True), (["aborted"], False))
    texts = ["partition", "offset", "hex(key) AS k", "hex(value) AS v", "topic", "CAST(timestamp AS STRING) AS t", "timestampType", "to_json(headers) AS h"]
    theirs = (spark.read.format("kafka").option("kafka.bootstrap.servers", broker.bootstrap).option("subscribe", topic).option("includeHeaders", "true")
              .option("kafka.isolation.level", "read_committed").load())
    want = sorted((tuple(row) for row in theirs.selectExpr(*texts).collect()), key=lambda row: row[:2])
    got = project.rows(f"SELECT {', '.join(texts)} FROM read_kafka(bootstrapServers => '{broker.bootstrap}', subscribe => '{topic}', includeHeaders => true) ORDER BY 1, 2")
    assert [tuple(row) for row in got] == want
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT * FROM read_kafka(bootstrapServers => '{broker.bootstrap}', subscribe => '{topic}', includeHeaders => true)")
    project.run().ok()
    assert spark.read.format("delta").load(str(project.table("v"))).dtypes == theirs.dtypes
