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
    from confluent_kafka import Consumer, KafkaException, TopicPartition
    consumer = Consumer({"bootstrap.servers": broker.bootstrap, "group.id": group, "log_level": 0})
    try:
        while True:
            try:
                return [at.offset for at in consumer.committed([TopicPartition(topic, n) for n in range(partitions)], 30)]
            except KafkaException:  # the first group of a broker
                time.sleep(0.2)
    finally:
        consumer.close()


def test_sealed_offsets_are_shown_as_those_of_a_group(project, broker):
    topic = broker.topic(2)
    broker.produce(topic, [{"value": str(n), "partition": n % 2} for n in range(9)])
    assert committed(broker, "first_" + topic, topic, 2) == [-1001] * 2  # makes the broker ready for groups, which takes seconds the first time
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


def test_a_group_without_the_right_to_it_is_one_warning(project, broker):
    from confluent_kafka.admin import AclBinding, AclOperation, AclPermissionType, ResourcePatternType, ResourceType
    topic, admin = broker.topic(), broker.admin()
    denied = AclBinding(ResourceType.GROUP, "denied_" + topic, ResourcePatternType.LITERAL, "User:*", "*", AclOperation.READ, AclPermissionType.DENY)
    for future in admin.create_acls([denied]).values():
        future.result(30)
    broker.produce(topic, ["a", "b", "c"])
    define(project, broker, topic, groupId="denied_" + topic, maxOffsetsPerTrigger=1)
    run = project.run().ok()
    assert len(re.findall("Group authorization failed", run.err)) == 1, run
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


# ---- a second process ----

def test_a_second_process_takes_over_and_never_runs_beside_the_first(project, broker):
    """Kill -9 of whoever runs, five times, while messages come; the lock's file and folder are deleted in between."""
    topic, sent = broker.topic(3), 0
    define(project, broker, topic, "partition, offset, CAST(value AS STRING) AS v", maxOffsetsPerTrigger=100)
    processes = [project.start("--continuous", "--standby") for _ in range(2)]
    lock = project.folder / "storage/_silt/lock"

    def holder():
        found = re.search(r"pid (\d+)", lock.read_text()) if lock.exists() else None
        return next((process for process in processes if found and process.pid == int(found[1])), None)

    until(holder)
    for turn in range(5):
        running = holder()
        broker.produce(topic, [{"value": str(n), "partition": n % 3} for n in range(sent, sent + 1000)])
        sent += 1000
        until(lambda: len(project.progress()) > 2 * turn)
        if turn == 2:
            lock.unlink()
        if turn == 3:
            lock.parent.rename(project.folder / "storage/moved")
        if turn in (2, 3):
            time.sleep(0.5)
            project.run().refused("being run by another process")
            assert project.run().code == 2, "also when it has made the file anew"
        running.kill()
        running.wait()
        processes.remove(running)
        processes.append(project.start("--continuous", "--standby"))
        until(lambda: holder() and holder() is not running)
    until(lambda: project.value("SELECT count(*) FROM raw") >= sent)
    for process in processes:
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 143, "the one that waits, too"
    project.expect("SELECT count(*), count(DISTINCT partition, offset), count(DISTINCT v) FROM raw", [[sent] * 3])


# ---- shutdown ----

def test_a_stop_seals_or_gives_up_within_five_seconds(project, broker):
    """A backlog of many batches; a batch that takes for ever; a topic in which nothing comes: all of them in one process."""
    topic, quiet = broker.topic(2), broker.topic()
    broker.produce(topic, [{"value": str(n), "partition": n % 2} for n in range(20000)], **{"linger.ms": 50})
    project.define(f"CREATE OR REFRESH STREAMING TABLE raw AS SELECT partition, offset FROM STREAM {source(broker, topic, maxOffsetsPerTrigger=200)}",
                   f"CREATE OR REFRESH STREAMING TABLE quiet AS SELECT offset FROM STREAM {source(broker, quiet)}")
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW big AS SELECT count(*) AS n FROM range(10000000) a JOIN range(10000000) b ON a.id * 3 < b.id", file="big.sql")
    for turn, words in enumerate((["--continuous"], [], ["--continuous"])):
        before = len(project.progress())
        run = project.start(*words)
        until(lambda: len(project.progress()) > before + 2)
        begin = time.monotonic()
        run.send_signal(signal.SIGTERM)
        assert run.wait(30) == 143
        assert time.monotonic() - begin < 5, f"turn {turn}"
        sealed = sum(batch["numInputRows"] for batch in project.progress() if batch["name"].endswith(".raw"))
        project.expect("SELECT count(*), count(DISTINCT partition, offset) FROM raw", [[sealed] * 2])
    (project.folder / "transformations/big.sql").unlink()
    project.run().ok()
    project.expect("SELECT count(*), count(DISTINCT partition, offset) FROM raw", [[20000] * 2])


# ---- a flow that fails ----

def test_a_failing_topic_or_table_stops_no_other(project, broker):
    """Fifty flows: the topic of one is deleted, the table of another cannot be written."""
    topics = [broker.topic(name=f"many_{project.folder.parent.name}_{n}"[-80:]) for n in range(10)]
    project.define(*(f"CREATE OR REFRESH STREAMING TABLE t{n} AS SELECT offset FROM STREAM {source(broker, topics[n % 10])}" for n in range(50)))
    for topic in topics:
        broker.produce(topic, ["a"])
    run = project.start("--continuous", "--conf", "spark.sql.pipelines.maxFlowRetryAttempts=1")
    until(lambda: len(project.progress()) >= 50)
    log = project.table("t7") / "_delta_log"
    log.rename(project.table("t7") / "hidden")  # a table that is damaged, as root can write to what it likes
    log.write_text("no folder")
    broker.drop(topics[3])
    others = [n for n in range(10) if n != 3]
    for turn in range(2):
        for n in others:
            broker.produce(topics[n], ["b"])
    until(lambda: all(len(list(project.table(f"t{n}").glob("*.parquet"))) >= 2 for n in range(50) if n % 10 != 3 and n != 7))
    words = (project.folder / "run.log").read_text()
    failed = set(re.findall(r"Flow '[^']*\.(t\d+)' has FAILED", words))
    assert "t7" in failed and failed <= {"t7", "t3", "t13", "t23", "t33", "t43"}, words[-3000:]
    assert run.poll() is None
    run.send_signal(signal.SIGTERM)
    assert run.wait(30) == 1
    log.unlink()
    (project.table("t7") / "hidden").rename(log)
    for n in (7, 49):
        project.run("--refresh", f"t{n}").ok()
        project.expect(f"SELECT offset FROM t{n}", [[0], [1], [2]])


# ---- a topic that is deleted and made again meanwhile ----

def test_a_topic_is_deleted_and_made_again_while_it_runs(project, broker):
    """With failOnDataLoss => false it is taken up again without a restart, from its beginning; a flow beside it goes on."""
    topic, other = broker.topic(2), broker.topic()
    broker.produce(topic, [{"value": f"old {n}", "partition": n % 2} for n in range(20)])
    project.define(*(f"CREATE OR REFRESH STREAMING TABLE {name} AS SELECT partition, offset, CAST(value AS STRING) AS v FROM STREAM {source(broker, of, failOnDataLoss=False)}"
                     for name, of in (("raw", topic), ("beside", other))))
    run = project.start("--continuous")
    until(lambda: project.sql("SELECT count(*) AS n FROM raw").out.strip() == '{"n":20}')
    broker.drop(topic)
    broker.produce(other, ["while it is gone"])
    until(lambda: project.sql("SELECT count(*) AS n FROM beside").out.strip() == '{"n":1}')
    broker.topic(2, name=topic)
    broker.produce(topic, [{"value": f"new {n}", "partition": n % 2} for n in range(6)])
    log = project.folder / "run.log"
    try:
        until(lambda: project.sql("SELECT count(*) AS n FROM raw").out.strip() == '{"n":26}', 90)
    finally:
        assert run.poll() is None, log.read_text()[-3000:]
    broker.produce(topic, [{"value": "later", "partition": 0}])
    until(lambda: project.sql("SELECT count(*) AS n FROM raw").out.strip() == '{"n":27}')
    run.send_signal(signal.SIGTERM)
    assert run.wait(30) == 143
    project.expect("SELECT split(v, ' ')[0] AS w, count(*), count(DISTINCT v) FROM raw GROUP BY w", [["old", 20, 20], ["new", 6, 6], ["later", 1, 1]])
    assert "made anew" in log.read_text(), log.read_text()[-3000:]
