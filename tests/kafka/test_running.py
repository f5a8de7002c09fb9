"""What a run shows to others, and how it ends: consumer groups, metrics, a second process, failing flows, shutdown."""
import json
import re
import signal
import socket
import time

from driver import free_port, numbers, scrape
from test_read_kafka import checkpoint, define, source, until


# ---- the consumer group that shows what was read ----

def committed(broker, group, topic, partitions):
    from confluent_kafka import Consumer, TopicPartition
    consumer = Consumer({"bootstrap.servers": broker.bootstrap, "group.id": group, "log_level": 0})
    try:
        return [at.offset for at in consumer.committed([TopicPartition(topic, n) for n in range(partitions)], 30)]
    finally:
        consumer.close()


def test_sealed_offsets_are_shown_as_those_of_a_group(project, broker):
    topic = broker.topic(2)
    broker.produce(topic, [{"value": str(n), "partition": n % 2} for n in range(9)])
    define(project, broker, topic)
    project.run().ok()
    query = json.loads((checkpoint(project) / "metadata").read_text())["id"]
    group = f"silt-raw-{query[:8]}"
    assert committed(broker, group, topic, 2) == [5, 4]
    broker.produce(topic, ["a"])
    run = project.start("--continuous")
    until(lambda: committed(broker, group, topic, 2) == [6, 4])
    broker.produce(topic, [{"value": "b", "partition": 1}])
    until(lambda: len(project.progress()) == 3)
    run.send_signal(signal.SIGTERM)
    assert run.wait(30) == 143
    assert committed(broker, group, topic, 2) == [6, 5], "the last word comes with the end of the run"
    assert "WARN" not in (project.folder / "run.log").read_text()


def test_a_group_can_be_named_or_left_out_and_is_never_read(project, broker):
    topic = broker.topic()
    broker.produce(topic, ["a", "b", "c"])
    for name, options in (("named", {"groupId": "lag_" + topic}), ("spark", {"kafka.group.id": "spark_" + topic}), ("off", {"commitOffsets": False, "groupId": "off_" + topic})):
        project.define(f"CREATE OR REFRESH STREAMING TABLE {name} AS SELECT offset FROM STREAM {source(broker, topic, **options)}", file=f"{name}.sql")
    project.run().ok()
    assert [committed(broker, prefix + topic, topic, 1) for prefix in ("lag_", "spark_", "off_")] == [[3], [3], [-1001]]
    from confluent_kafka import Consumer, TopicPartition
    consumer = Consumer({"bootstrap.servers": broker.bootstrap, "group.id": "lag_" + topic})
    consumer.commit(offsets=[TopicPartition(topic, 0, 1)], asynchronous=False)
    consumer.close()
    broker.produce(topic, ["d"])
    project.run().ok()
    project.expect("SELECT offset FROM named", [[0], [1], [2], [3]])
    assert committed(broker, "lag_" + topic, topic, 1) == [4]


def test_a_group_that_cannot_be_written_is_one_warning(project, broker):
    from confluent_kafka import Consumer
    topic = broker.topic()
    broker.produce(topic, ["a", "b", "c"])
    member = Consumer({"bootstrap.servers": broker.bootstrap, "group.id": "busy_" + topic})
    member.subscribe([topic])
    until(lambda: member.poll(0.2) is None and member.assignment())
    define(project, broker, topic, groupId="busy_" + topic, maxOffsetsPerTrigger=1)
    run = project.run().ok()
    member.close()
    assert len(re.findall("consumers have joined the group", run.err)) == 1, run
    project.expect("SELECT offset FROM raw", [[0], [1], [2]])


# ---- metrics ----

def samples(port, name):
    """{"topic/partition": value} of one flow."""
    found = re.findall(name + r'\{flow="spark_catalog.default.raw",topic="([^"]+)",partition="(\d+)"\} (\d+)', scrape(port))
    return {f"{topic}/{partition}": int(value) for topic, partition, value in found}


def test_lag_messages_and_bytes_are_told_by_partition(project, broker):
    topic, port = broker.topic(2), free_port()
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 0))
    server.settimeout(20)
    broker.produce(topic, [{"value": "12345", "key": "k", "partition": n % 2} for n in range(5)] + [{"value": None}])
    define(project, broker, topic, maxOffsetsPerTrigger=2)
    run = project.start("--continuous", "--metrics-listen", f":{port}", "--statsd", f"127.0.0.1:{server.getsockname()[1]}")
    until(lambda: samples(port, "silt_kafka_lag") == {f"{topic}/0": 0, f"{topic}/1": 0})
    assert samples(port, "silt_kafka_messages_total") == {f"{topic}/0": 4, f"{topic}/1": 2}
    assert samples(port, "silt_kafka_bytes_total") == {f"{topic}/0": 18, f"{topic}/1": 12}
    assert samples(port, "silt_kafka_offset") == {f"{topic}/0": 4, f"{topic}/1": 2}
    lines = set()
    while f"silt.spark_catalog_default_raw.{topic}.0.lag:0|g" not in lines:
        lines |= set(server.recv(65536).decode().splitlines())
    assert f"silt.spark_catalog_default_raw.{topic}.1.messages:1|c" in lines
    # the flow that can read no more falls behind, and is seen to
    run.send_signal(signal.SIGTERM)
    assert run.wait(30) == 143
    project.define("CREATE OR REFRESH STREAMING TABLE raw (CONSTRAINT never EXPECT (v <> 'poison') ON VIOLATION FAIL UPDATE) AS "
                   f"SELECT offset, CAST(value AS STRING) AS v FROM STREAM {source(broker, topic)}",
                   "CREATE OR REFRESH STREAMING TABLE other AS SELECT offset FROM STREAM " + source(broker, topic))
    broker.produce(topic, ["poison"] * 3)
    project.start("--continuous", "--metrics-listen", f":{port}")
    until(lambda: numbers(port)['silt_flow_failures_total{flow="spark_catalog.default.raw"}'] > 0)
    assert samples(port, "silt_kafka_lag") == {f"{topic}/0": 3, f"{topic}/1": 0}
    until(lambda: 'flow="spark_catalog.default.other",topic="%s",partition="0"} 7' % topic in scrape(port))
