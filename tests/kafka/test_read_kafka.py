"""read_kafka against a real broker: what is a row, where a stream begins, what limits and losses do, what is kept in the checkpoint."""
import json
import os
import random
import shutil
import signal
import threading
import time
from collections import Counter
from pathlib import Path

import pytest


def source(broker, topic, **options):
    words = {"bootstrapServers": broker.bootstrap, "subscribe": topic, "startingOffsets": "earliest", **options}
    text = {True: "true", False: "false"}
    return "read_kafka(%s)" % ", ".join(f"`{name}` => {text[value] if isinstance(value, bool) else repr(value)}" for name, value in words.items() if value is not None)


def define(project, broker, topic, columns="offset, CAST(value AS STRING) AS v", **options):
    project.define(f"CREATE OR REFRESH STREAMING TABLE raw AS SELECT {columns} FROM STREAM {source(broker, topic, **options)}")


def checkpoint(project):
    (offsets,) = project.folder.rglob("offsets")
    return offsets.parent


def offsets(project):
    """The newest offset in the checkpoint."""
    folder = checkpoint(project) / "offsets"
    newest = max((path for path in folder.iterdir() if path.name.isdigit()), key=lambda path: int(path.name))
    return json.loads(newest.read_text().splitlines()[-1])


def test_every_column_is_what_spark_would_give(project, broker):
    topic = broker.topic(2)
    broker.produce(topic, [{"value": "a", "key": "k", "timestamp": 1700000000123, "headers": [("h", b"x"), ("h", None), ("é", b"\xff")]},
                           {"value": None, "key": b"\x00\xff", "timestamp": 1}, {"value": b"", "timestamp": 2}, {"value": b"\xff\xfe", "partition": 1, "timestamp": 5}])
    define(project, broker, topic, "*", includeHeaders=True)
    project.run().ok()
    project.expect("SELECT partition, offset, hex(key), hex(value), topic, timestamp, timestampType, headers IS NULL FROM raw ORDER BY partition, offset", [
        [0, 0, "6B", "61", topic, "2023-11-14T22:13:20.123000Z", 0, False], [0, 1, "00FF", None, topic, "1970-01-01T00:00:00.001000Z", 0, True],
        [0, 2, None, "", topic, "1970-01-01T00:00:00.002000Z", 0, True], [1, 0, None, "FFFE", topic, "1970-01-01T00:00:00.005000Z", 0, True]])
    project.expect("SELECT h.key, hex(h.value) FROM (SELECT explode(headers) AS h FROM raw)", [["h", "78"], ["h", None], ["é", "FF"]])


def test_log_append_time_is_told_apart(project, broker):
    topic = broker.topic(message_timestamp_type="LogAppendTime")
    broker.produce(topic, ["a"])
    define(project, broker, topic, "timestampType, timestamp > timestamp'2026-01-01' AS recent")
    project.run().ok()
    project.expect("SELECT * FROM raw", [[1, True]])


def test_each_record_once_over_runs(project, broker):
    topic = broker.topic(3)
    define(project, broker, topic, "partition, offset")
    for run in range(4):
        broker.produce(topic, [{"value": str(n), "partition": n % 3} for n in range(1000 * run, 1000 * (run + 1))])
        project.run().ok()
        project.expect("SELECT count(*), count(DISTINCT partition, offset) FROM raw", [[1000 * (run + 1)] * 2])
    assert offsets(project) == {topic: {"0": 1334, "1": 1333, "2": 1333}}
    before = sorted(path.name for path in (checkpoint(project) / "offsets").iterdir())
    project.run().ok()
    assert sorted(path.name for path in (checkpoint(project) / "offsets").iterdir()) == before, "nothing new: no batch"


def test_the_beginning_is_kept_in_sparks_bytes(project, broker):
    topic = broker.topic(2)
    broker.produce(topic, ["a", "b", {"value": "c", "partition": 1}])
    define(project, broker, topic)
    project.run().ok()
    (log,) = checkpoint(project).glob("sources/0/0")
    assert log.read_bytes() == b"\0v1\n" + json.dumps({topic: {"0": 0, "1": 0}}, separators=(",", ":")).encode()
    assert (checkpoint(project) / "offsets/0").read_text().splitlines()[-1] == json.dumps({topic: {"0": 2, "1": 1}}, separators=(",", ":"))


def test_latest_is_the_default_of_a_stream_and_fixed_by_its_first_run(project, broker):
    topic = broker.topic(2)
    broker.produce(topic, ["old", {"value": "old", "partition": 1}])
    define(project, broker, topic, "partition, CAST(value AS STRING) AS v", startingOffsets=None)
    project.run().ok()
    project.expect("SELECT * FROM raw", [])
    broker.produce(topic, ["new"])
    broker.partitions(topic, 3)
    broker.produce(topic, [{"value": "n", "partition": 2}] * 5)
    project.run().ok()
    broker.produce(topic, [{"value": "n", "partition": 2}] * 5)
    project.run().ok()
    project.expect("SELECT partition, v, count(*) FROM raw GROUP BY ALL", [[0, "new", 1], [2, "n", 10]])


def test_where_to_begin(project, broker):
    topic = broker.topic(2)
    broker.produce(topic, [{"value": str(n), "timestamp": 1000 * n + 1000, "partition": n % 2} for n in range(10)])  # partition 0: 0 2 4 6 8
    cases = [({"startingOffsets": json.dumps({topic: {"0": 3, "1": -2}})}, [6, 8, 1, 3, 5, 7, 9]), ({"startingOffsets": json.dumps({topic: {"0": -1, "1": 4}})}, [9]),
             ({"startingTimestamp": 7000}, [6, 8, 7, 9]), ({"startingOffsetsByTimestamp": json.dumps({topic: {"0": 8000, "1": 10000}})}, [8, 9]),
             ({"startingTimestamp": 10000, "startingOffsetsByTimestampStrategy": "latest"}, [9])]
    for number, (options, want) in enumerate(cases):
        project.define(f"CREATE OR REFRESH STREAMING TABLE t{number} AS SELECT CAST(CAST(value AS STRING) AS INT) AS v FROM STREAM {source(broker, topic, **options)}",
                       file=f"t{number}.sql")
    project.run().ok()
    for number, (options, want) in enumerate(cases):
        project.expect(f"SELECT v FROM t{number}", [[v] for v in want])
    for options, words in [({"startingTimestamp": 10000}, "no record at or after"), ({"startingOffsets": json.dumps({topic: {"0": 1}})}, "partition 1"),
                           ({"startingOffsets": json.dumps({topic: {"0": 1, "1": 1, "2": 1}})}, "partition 2")]:
        define(project, broker, topic, **options)
        project.run("--refresh", "raw").refused(words, r"pipeline.sql:1:\d+", code=1)


def test_a_batch_reads_between_two_ends(project, broker):
    topic = broker.topic(2)
    broker.produce(topic, [{"value": str(n), "timestamp": 1000 * n + 1000, "partition": n % 2} for n in range(10)])
    count = "SELECT count(*), min(CAST(CAST(value AS STRING) AS INT)), max(CAST(CAST(value AS STRING) AS INT)) FROM "
    project.expect(count + source(broker, topic, startingOffsets=None), [[10, 0, 9]])
    project.expect(count + source(broker, topic, endingOffsets=json.dumps({topic: {"0": 2, "1": -1}})), [[7, 0, 9]])
    project.expect(count + source(broker, topic, startingTimestamp=4000, endingTimestamp=8000), [[4, 3, 6]])
    project.expect(count + source(broker, topic, startingTimestamp=4000, endingTimestamp=99000), [[7, 3, 9]])
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT count(*) AS n FROM {source(broker, topic)}")
    project.run().ok()
    broker.produce(topic, ["99"])
    project.run().ok()
    project.expect("SELECT n FROM v", [[11]])


def test_limits_are_shared_as_partitions_have_more(project, broker):
    topic = broker.topic(3)
    broker.produce(topic, [{"value": "x", "partition": 0}] * 90 + [{"value": "x", "partition": 1}] * 10 + [{"value": "x", "partition": 2}])
    define(project, broker, topic, "partition, offset", maxOffsetsPerTrigger=10)
    project.run().ok()
    folder = checkpoint(project) / "offsets"
    first, second = (json.loads((folder / name).read_text().splitlines()[-1])[topic] for name in ("0", "1"))
    assert first == {"0": 8, "1": 1, "2": 1}  # as Spark: 10 * 90/101, rounded down, but one at least
    assert second["0"] == 8 + 9 and second["2"] == 1
    project.expect("SELECT partition, count(*) FROM raw GROUP BY ALL", [[0, 90], [1, 10], [2, 1]])


def test_topics_by_list_pattern_and_partition(project, broker):
    one, two = broker.topic(name="pat.one"), broker.topic(2, name="pat.two")
    broker.produce(one, ["1"])
    broker.produce(two, ["2", {"value": "3", "partition": 1}])
    columns = "topic, CAST(value AS STRING) AS v"
    project.define(f"CREATE OR REFRESH STREAMING TABLE l AS SELECT {columns} FROM STREAM {source(broker, f' {one} ,{two}')}",
                   f"CREATE OR REFRESH STREAMING TABLE p AS SELECT {columns} FROM STREAM {source(broker, None, subscribePattern='pat[.](?!x).*')}",
                   f"CREATE OR REFRESH STREAMING TABLE a AS SELECT {columns} FROM STREAM {source(broker, None, assign=json.dumps({two: [1]}))}")
    project.run().ok()
    broker.produce(broker.topic(name="pat.three"), ["4"])
    broker.produce(broker.topic(name="pat.x"), ["no"])
    project.run().ok()
    project.expect("SELECT * FROM l", [[one, "1"], [two, "2"], [two, "3"]])
    project.expect("SELECT * FROM p", [[one, "1"], [two, "2"], [two, "3"], ["pat.three", "4"]])
    project.expect("SELECT * FROM a", [[two, "3"]])


def test_a_topic_named_twice_is_read_once(project, broker):
    topic = broker.topic()
    broker.produce(topic, ["a"])
    define(project, broker, f"{topic}, {topic}")
    for _ in range(2):
        project.run().ok()
        project.expect("SELECT v FROM raw", [["a"]])
    project.expect(f"SELECT count(*) FROM {source(broker, f'{topic},{topic}')}", [[1]])


def test_a_pattern_does_not_find_kafkas_own_topics(project, broker):
    topic = broker.topic(name="own.topic")
    broker.transactions(topic, (["a"], True))
    project.expect(f"SELECT count(*) FROM {source(broker, None, subscribePattern='__.*|own.topic')} WHERE topic LIKE '\\\\_\\\\_%'", [[0]])
    project.expect(f"SELECT CAST(value AS STRING) FROM {source(broker, None, subscribePattern='__.*|own.topic')}", [["a"]])


def test_a_partition_that_is_not_there_is_said(project, broker):
    topic = broker.topic(2)
    broker.produce(topic, ["a"])
    define(project, broker, None, assign=json.dumps({topic: [0, 7]}))
    project.conf["spark.sql.pipelines.maxFlowRetryAttempts"] = 0
    project.write_spec()
    project.run().refused(f'topic "{topic}" has no partition 7', r"pipeline.sql:1:\d+", code=1)
    project.sql(f"SELECT * FROM {source(broker, None, assign=json.dumps({topic: [7]}))}").refused("no partition 7", code=1)


def test_latest_while_records_come(project, broker):
    topic = broker.topic(2)
    broker.produce(topic, ["old"] * 100)
    define(project, broker, topic, "partition, offset", startingOffsets=None)
    stop = threading.Event()

    def keep_on():
        while not stop.is_set():
            broker.produce(topic, [{"value": "new", "partition": n % 2} for n in range(20)])
    thread = threading.Thread(target=keep_on)
    thread.start()
    try:
        for _ in range(3):
            project.run().ok()
    finally:
        stop.set()
        thread.join()
    project.run().ok()
    begin = json.loads((checkpoint(project) / "sources/0/0").read_bytes()[4:])[topic]
    assert begin["0"] >= 100
    sent = sum(broker.ends(topic, partition)[1] - begin[str(partition)] for partition in (0, 1))
    project.expect("SELECT count(*), count(DISTINCT partition, offset) FROM raw", [[sent, sent]])


# ---- what is no record ----

def test_only_what_was_committed_is_read(project, broker):
    topic = broker.topic()
    broker.transactions(topic, (["tx1"], True), (["tx2"], False), (["tx3"], True))
    define(project, broker, topic)
    for _ in range(2):
        project.run().ok()
        project.expect("SELECT v FROM raw ORDER BY offset", [["tx1"], ["tx3"]])
        assert offsets(project) == {topic: {"0": 6}}, "behind the last marker"
    broker.transactions(topic, (["tx4", "tx5"], False))
    project.run().ok()
    assert offsets(project) == {topic: {"0": 9}}
    project.expect("SELECT count(*) FROM raw", [[2]])


def test_an_open_transaction_is_waited_for_by_later_runs(project, broker):
    topic = broker.topic()
    broker.produce(topic, ["before"])
    open_one = broker.transactions(topic, (["in"], None))
    broker.produce(topic, ["after"])
    define(project, broker, topic)
    project.run().ok()
    project.expect("SELECT v FROM raw", [["before"]])
    open_one.commit_transaction(60)
    project.run().ok()
    project.expect("SELECT v FROM raw ORDER BY offset", [["before"], ["in"], ["after"]])


def test_read_uncommitted_when_asked_for(project, broker):
    topic = broker.topic()
    broker.transactions(topic, (["tx1"], True), (["tx2"], False))
    define(project, broker, topic, **{"kafka.isolation.level": "read_uncommitted"})
    project.run().ok()
    project.expect("SELECT v FROM raw ORDER BY offset", [["tx1"], ["tx2"]])


def test_limits_that_cut_inside_of_transactions(project, broker):
    topic = broker.topic()
    broker.transactions(topic, *((([f"{n}a", f"{n}b", f"{n}c"]), n % 3 != 1) for n in range(20)))
    define(project, broker, topic, maxOffsetsPerTrigger=2)
    project.run().ok()
    project.expect("SELECT v FROM raw ORDER BY offset", [[f"{n}{c}"] for n in range(20) if n % 3 != 1 for c in "abc"])


def test_holes_of_compaction_are_no_loss(project, broker):
    topic = broker.topic(cleanup_policy="compact", segment_ms=500, min_cleanable_dirty_ratio=0.01, delete_retention_ms=100)
    for turn in range(4):
        broker.produce(topic, [{"value": f"{turn}-{n}", "key": f"k{n % 5}"} for n in range(200)])
        time.sleep(0.7)
    until = time.monotonic() + 60
    while True:
        broker.produce(topic, [{"value": "roll", "key": "roll"}])
        time.sleep(1.5)
        got = sum(1 for _ in project_rows(project, broker, topic))
        if got < 700:
            break
        assert time.monotonic() < until, f"no compaction in sight: {got}"
    define(project, broker, topic, "CAST(key AS STRING) AS k, offset", maxOffsetsPerTrigger=50)
    project.run().ok()
    project.expect("SELECT count(DISTINCT k) FROM raw", [[6]])
    assert offsets(project)[topic]["0"] == broker.ends(topic)[1]


def project_rows(project, broker, topic):
    return project.rows(f"SELECT offset FROM {source(broker, topic)}")


# ---- losses ----

def test_retention_that_has_passed_us_by(project, broker):
    for keep_going in (False, True):
        topic, name = broker.topic(), f"t{keep_going:d}"
        broker.produce(topic, [str(n) for n in range(100)])
        project.define(f"CREATE OR REFRESH STREAMING TABLE {name} AS SELECT offset FROM STREAM {source(broker, topic, failOnDataLoss=not keep_going)}")
        project.run().ok()
        broker.produce(topic, [str(n) for n in range(100, 900)])
        broker.cut(topic, 0, 500)
        run = project.run()
        if keep_going:
            run.ok()
            assert "400 offsets (100..499)" in run.err, run
            project.expect(f"SELECT count(*), min(offset), max(offset) FROM {name} WHERE offset >= 100", [[400, 500, 899]])
        else:
            run.refused(topic, "wanted offset 100", "500", code=1)
            project.expect(f"SELECT count(*) FROM {name}", [[100]])
            assert offsets(project) == {topic: {"0": 100}}
            project.silt("run", "--full-refresh", name).ok()
            project.expect(f"SELECT count(*), min(offset) FROM {name}", [[400, 500]])
        for folder in ("storage", "spark-warehouse"):
            shutil.rmtree(project.folder / folder)


def test_retention_that_has_taken_everything_is_said_once(project, broker):
    topic = broker.topic()
    broker.produce(topic, ["a"] * 10)
    define(project, broker, topic, failOnDataLoss=False)
    project.run().ok()
    broker.produce(topic, ["b"] * 10)
    broker.cut(topic, 0, 20)
    assert project.run().ok().err.count("10 offsets (10..19)") == 1
    assert offsets(project) == {topic: {"0": 20}}
    broker.produce(topic, ["c"])
    assert "lost" not in project.run().ok().err
    project.expect("SELECT v, count(*) FROM raw GROUP BY v", [["a", 10], ["c", 1]])


def test_a_topic_made_anew_is_noticed(project, broker):
    topic = broker.topic()
    broker.produce(topic, ["a"] * 10)
    define(project, broker, topic)
    project.run().ok()
    broker.drop(topic)
    project.run().refused(f'no topic "{topic}"', r"pipeline.sql:1:\d+", code=1)
    broker.topic(name=topic)
    broker.produce(topic, ["b"] * 4)
    project.run().refused("made anew", code=1)
    define(project, broker, topic, failOnDataLoss=False)
    run = project.run().ok()
    assert "made anew" in run.err
    project.expect("SELECT v, count(*) FROM raw GROUP BY v", [["a", 10], ["b", 4]])
    broker.produce(topic, ["c"])
    project.run().ok()
    project.expect("SELECT v, count(*) FROM raw GROUP BY v", [["a", 10], ["b", 4], ["c", 1]])


def test_a_topic_made_anew_is_read_from_its_beginning_though_it_was_empty_when_that_was_said(project, broker):
    topic = broker.topic()
    broker.produce(topic, ["a"] * 10)
    define(project, broker, topic, failOnDataLoss=False)
    project.run().ok()
    broker.drop(topic)
    broker.topic(name=topic)
    assert "made anew" in project.run().ok().err
    assert offsets(project) == {topic: {"0": 0}}
    broker.produce(topic, ["b"] * 30)  # beyond the old offset
    project.run().ok()
    project.expect("SELECT v, count(*) FROM raw GROUP BY v", [["a", 10], ["b", 30]])


def test_a_topic_of_a_pattern_that_is_gone(project, broker):
    stays, goes = broker.topic(name="going.a"), broker.topic(name="going.b")
    broker.produce(stays, ["a1"])
    broker.produce(goes, ["b1"])
    define(project, broker, None, subscribePattern="going[.].")
    project.run().ok()
    broker.drop(goes)
    broker.produce(stays, ["a2"])
    project.run().refused("going.b", "not there any more", code=1)
    define(project, broker, None, subscribePattern="going[.].", failOnDataLoss=False)
    run = project.run().ok()
    assert run.err.count("not there any more") == 1, run
    project.expect("SELECT v FROM raw", [["a1"], ["b1"], ["a2"]])


# ---- brokers that are not there ----

def test_a_broker_that_is_not_there_is_said(project):
    class Nowhere:
        bootstrap = "127.0.0.1:1"
    define(project, Nowhere, "t", **{"kafka.default.api.timeout.ms": 2000})
    began = time.monotonic()
    done = project.run(timeout=60).refused("127.0.0.1:1", "Connection refused", "more than 2 times", code=1)
    assert 6 < time.monotonic() - began < 30, "it is asked for as long as was said, three times"
    assert done.err.count("could not list topics") == 3
    project.run("--conf", "spark.sql.pipelines.maxFlowRetryAttempts=0", timeout=20).refused("Connection refused", code=1)
    define(project, Nowhere, "t", **{"kafka.default.api.timeout.ms": "soon"})
    project.run().refused("a number of milliseconds", "soon")


def test_a_stop_is_obeyed_while_nothing_comes(project, own_broker):
    topic = own_broker.topic()
    own_broker.produce(topic, ["a"])
    define(project, own_broker, topic)
    running = project.start("--continuous")
    wait_for(lambda: project.value("SELECT count(*) FROM raw") == 1)
    own_broker.stop(signal.SIGKILL)
    time.sleep(1)
    running.send_signal(signal.SIGTERM)
    began = time.monotonic()
    running.wait(60)
    assert time.monotonic() - began < 15


def wait_for(holds, seconds=60):
    until = time.monotonic() + seconds
    while True:
        try:
            if holds():
                return
        except Exception:
            if time.monotonic() > until:
                raise
        assert time.monotonic() < until
        time.sleep(0.2)


def test_a_continuous_run_goes_on_behind_a_broker_that_was_away(project, own_broker):
    topic = own_broker.topic(2)
    define(project, own_broker, topic, "partition, offset")
    running = project.start("--continuous")
    for turn in range(1, 4):
        own_broker.produce(topic, [{"value": "x", "partition": n % 2} for n in range(100)])
        wait_for(lambda: project.value("SELECT count(*) FROM raw") == 100 * turn)
        own_broker.stop(signal.SIGKILL if turn == 1 else signal.SIGTERM)
        own_broker.start()
    assert running.poll() is None, (project.folder / "run.log").read_text()[-2000:]
    running.send_signal(signal.SIGTERM)
    assert running.wait(30) == 143
    project.expect("SELECT count(*), count(DISTINCT partition, offset) FROM raw", [[300, 300]])


# ---- crashes ----

def test_killed_at_any_moment_nothing_is_lost_or_doubled(project, broker):
    kills, rng = int(os.environ.get("SILT_KAFKA_KILLS", "12")), random.Random(int(os.environ.get("SILT_SEED", "1")))
    topic, sent = broker.topic(3), 0
    define(project, broker, topic, "partition, offset, CAST(value AS STRING) AS v", maxOffsetsPerTrigger=150)
    for kill in range(kills):
        broker.produce(topic, [{"value": str(n), "partition": n % 3} for n in range(sent, sent + 300)])
        sent += 300
        running = project.start()
        time.sleep(rng.uniform(0.0, 0.4))
        running.send_signal(signal.SIGKILL)
        running.wait()
    project.run().ok()
    project.expect("SELECT count(*), count(DISTINCT partition, offset), count(DISTINCT v) FROM raw", [[sent] * 3])
    project.expect("SELECT partition, max(offset) - min(offset) + 1 - count(*) FROM raw GROUP BY partition", [[0, 0], [1, 0], [2, 0]])


# ---- mistakes ----

@pytest.mark.parametrize("arguments, words", [
    ("subscribe => 't'", "brokers' addresses"),
    ("bootstrapServers => 'h:1'", "which topics"),
    ("bootstrapServers => 'h:1', subscribe => 't', assign => '{}'", "one of subscribe"),
    ("bootstrapServers => 'h:1', subscribe => 't', subscribeTopics => 'x'", "subscribeTopics"),
    ("bootstrapServers => 'h:1', subscribe => 't', startingOffsets => '{\"t\":1}'", "offset for each partition"),
    ("bootstrapServers => 'h:1', subscribe => 't', startingOffsets => 'begin'", "offset for each partition"),
    ("bootstrapServers => 'h:1', subscribe => 't', endingOffsets => 'latest'", "a stream has no end"),
    ("bootstrapServers => 'h:1', subscribePattern => 'a('", r"a\("),
    ("bootstrapServers => 'h:1', subscribe => 't', maxOffsetsPerTrigger => 'x'", "maxOffsetsPerTrigger"),
    ("bootstrapServers => 'h:1', subscribe => 't', `kafka.no.such` => 'x'", 'no setting "no.such"'),
    ("bootstrapServers => 'h:1', subscribe => 't', `kafka.auto.offset.reset` => 'latest'", "cannot be set"),
    ("bootstrapServers => 'h:1', subscribe => 't', `kafka.security.protocol` => 'TLS'", "security.protocol"),
    ("bootstrapServers => 'h:1', subscribe => 't', `kafka.sasl.password` => '{{secrets/env/NO_SUCH_VARIABLE}}'", "NO_SUCH_VARIABLE"),
    ("bootstrapServers => 'h:1', subscribe => 't', `kafka.ssl.truststore.location` => '/x/trust.jks'", "PEM"),
])
def test_a_mistake_is_told_before_anything_is_reached(project, arguments, words):
    project.define(f"CREATE OR REFRESH STREAMING TABLE t AS SELECT value FROM STREAM read_kafka({arguments})")
    project.silt("dry-run").refused(words, r"pipeline.sql:1:\d+")


def test_a_secret_is_nowhere_to_be_found(project, broker):
    topic = broker.topic()
    broker.produce(topic, ["a"])
    (project.folder / "secret").write_text("correct horse\n")
    define(project, broker, topic, **{"kafka.sasl.password": "{{secrets/env/SILT_TEST_SECRET}}", "kafka.ssl.key.password": f"{{{{secrets/file{project.folder}/secret}}}}"})
    run = project.run(env={"SILT_TEST_SECRET": "battery staple"}).ok()
    (project.folder / "secret").unlink()
    for secret in (b"correct horse", b"battery staple"):
        assert secret not in (run.out + run.err).encode()
        assert not [path for path in project.folder.rglob("*") if path.is_file() and secret in path.read_bytes()]
    project.expect("SELECT v FROM raw", [["a"]])


def test_a_table_is_computed_again_and_its_checkpoint_built_again(project, broker):
    topic = broker.topic(2)
    broker.produce(topic, [{"value": str(n), "partition": n % 2} for n in range(10)])
    define(project, broker, topic, startingOffsets="latest", maxOffsetsPerTrigger=4)
    project.run().ok()
    for turn in range(2):
        broker.produce(topic, [{"value": str(n), "partition": n % 2} for n in range(10)])
        project.run().ok()
    audit = project.silt("audit", "raw").ok()
    assert "20 rows: equal" in audit.out + audit.err
    before = {path.relative_to(checkpoint(project)): path.read_bytes() for path in checkpoint(project).glob("sources/0/[0-9]*")}
    shutil.rmtree(project.folder / "storage/_checkpoints")
    project.run().refused("is lost", "silt recover raw", code=1)
    project.silt("recover", "raw").ok()
    assert {path.relative_to(checkpoint(project)): path.read_bytes() for path in checkpoint(project).glob("sources/0/[0-9]*")} == before
    broker.produce(topic, ["last"])
    project.run().ok()
    project.expect("SELECT count(*), count(DISTINCT v) FROM raw", [[21, 11]])
    broker.cut(topic, 0, 8)
    project.silt("audit", "raw").refused("wanted offset", topic, code=2)


def until(holds, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("freshness, least, most", [(None, 2, 8), ("20 ms", 12, 150)])
def test_a_trickle_is_gathered_for_as_long_as_freshness_allows(project, broker, freshness, least, most):
    topic = broker.topic()
    if freshness:
        project.conf["silt.freshness"] = freshness
        project.write_spec()
    define(project, broker, topic)
    project.start("--continuous")
    broker.produce(topic, ["first"])
    until(lambda: len(project.progress()) == 1)
    from confluent_kafka import Producer
    producer = Producer({"bootstrap.servers": broker.bootstrap, "log_level": 0, "linger.ms": 0})
    for n in range(150):
        producer.produce(topic, str(n), partition=0)
        producer.flush(30)
        time.sleep(0.015)
    until(lambda: sum(batch["numInputRows"] for batch in project.progress()) == 151)
    assert least <= len(project.progress()) - 1 <= most
    project.expect("SELECT count(DISTINCT v), count(*) FROM raw", [[151, 151]])


def test_many_flows_wait_on_one_thread_and_each_gets_its_own(project, broker):
    """Thirty topics, one of them written to at a time; a partition that is added to one of them is found."""
    topics = [broker.topic(1 + n % 3) for n in range(30)]
    project.define(*(f"CREATE OR REFRESH STREAMING TABLE t{n} AS SELECT topic, CAST(value AS STRING) AS v FROM STREAM {source(broker, topic)}"
                     for n, topic in enumerate(topics)))
    run = project.start("--continuous")
    until(lambda: (project.folder / "run.log").read_text().count("IDLE") >= 30)
    threads = Counter((path / "comm").read_text().strip().rstrip("0123456789") for path in Path(f"/proc/{run.pid}/task").iterdir())
    assert threads.total() < 25, threads
    for n in (7, 22, 7, 0):
        before = len(project.progress())
        broker.produce(topics[n], ["a", "b"])
        until(lambda: len(project.progress()) > before)
    broker.partitions(topics[3], 2)
    broker.produce(topics[3], [{"value": "new", "partition": 1}])
    until(lambda: any(batch["name"].endswith(".t3") for batch in project.progress()))
    run.send_signal(signal.SIGTERM)
    run.wait(30)
    counts = {7: 4, 22: 2, 0: 2, 3: 1}
    for n, topic in enumerate(topics):
        if n in counts or n < 5:
            project.expect(f"SELECT count(*), coalesce(max(topic), '{topic}') FROM t{n}", [[counts.get(n, 0), topic]])
