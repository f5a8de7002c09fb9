"""CREATE SINK ... USING kafka: rows become records, a batch becomes visible once and as a whole, whatever dies in between."""
import json
import os
import random
import signal
import time

import pytest


def sink(broker, topic=None, **options):
    words = {"kafka.bootstrap.servers": broker.bootstrap, **({"topic": topic} if topic else {}), **options}
    return "CREATE SINK out USING kafka OPTIONS (%s)" % ", ".join(f"'{name}' = '{value}'" for name, value in words.items())


def define(project, broker, query, topic=None, **options):
    project.define(sink(broker, topic, **options), f"CREATE FLOW f AS INSERT INTO out BY NAME {query}")


NUMBERS = "read_files('in', format => 'json', schema => 'id BIGINT, name STRING')"


def consumed(broker, topic, isolation="read_committed"):
    """All records of a topic, as a consumer sees them: lists by partition."""
    from confluent_kafka import Consumer, TopicPartition
    consumer = Consumer({"bootstrap.servers": broker.bootstrap, "group.id": "look", "isolation.level": isolation, "enable.partition.eof": True,
                         "auto.offset.reset": "earliest", "log_level": 0})
    count = len(consumer.list_topics(topic, timeout=30).topics[topic].partitions)
    consumer.assign([TopicPartition(topic, partition, 0) for partition in range(count)])
    found, open_ends = [[] for _ in range(count)], set(range(count))
    until = time.monotonic() + 60
    while open_ends:
        assert time.monotonic() < until
        record = consumer.poll(1)
        if record is None:
            continue
        if record.error():
            open_ends.discard(record.partition())
        else:
            found[record.partition()].append(record)
    consumer.close()
    return found


def values(broker, topic, **more):
    return [record.value() for partition in consumed(broker, topic, **more) for record in partition]


def test_each_column_is_what_a_consumer_gets(project, broker):
    topic = broker.topic(3)
    project.json_lines("in/a.json", [{"id": 1, "name": "é"}, {"id": 2, "name": ""}, {"id": 3}])
    define(project, broker, "SELECT CAST(id AS STRING) AS key, CAST(name AS BINARY) AS value, 2 AS partition, "
           "array(named_struct('key', 'h', 'value', CAST('x' AS BINARY)), named_struct('key', 'none', 'value', CAST(NULL AS BINARY)), "
           f"named_struct('key', 'h', 'value', X'00FF')) AS headers FROM STREAM {NUMBERS}", topic)
    project.run().ok()
    first, second, third = consumed(broker, topic)
    assert first == second == []
    assert [(record.key(), record.value()) for record in third] == [(b"1", "é".encode()), (b"2", b""), (b"3", None)]
    assert third[0].headers() == [("h", b"x"), ("none", None), ("h", b"\x00\xff")]


def test_rows_say_their_topic_and_the_option_says_it_for_all(project, broker):
    topics = [broker.topic() for _ in range(3)]
    project.json_lines("in/a.json", [{"id": n, "name": topics[n % 2]} for n in range(1000)])
    define(project, broker, f"SELECT name AS topic, CAST(id AS STRING) AS value FROM STREAM {NUMBERS}")
    project.run().ok()
    for n in range(2):
        assert values(broker, topics[n]) == [str(i).encode() for i in range(n, 1000, 2)]
    define(project, broker, f"SELECT name AS topic, CAST(id AS STRING) AS value FROM STREAM {NUMBERS}", topics[2])
    project.json_lines("in/b.json", [{"id": 5, "name": topics[0]}])
    project.run().ok()
    assert values(broker, topics[2]) == [b"5"] and len(values(broker, topics[0])) == 500


def test_a_key_goes_where_the_java_client_sends_it(project, broker):
    """murmur2, as in Kafka's DefaultPartitioner: a table joined by key stays co-partitioned."""
    def murmur2(data):
        h = (0x9747B28C ^ len(data)) & 0xFFFFFFFF
        for i in range(0, len(data) - len(data) % 4, 4):
            k = int.from_bytes(data[i:i + 4], "little") * 0x5BD1E995 & 0xFFFFFFFF
            k = (k ^ k >> 24) * 0x5BD1E995 & 0xFFFFFFFF
            h = h * 0x5BD1E995 & 0xFFFFFFFF ^ k
        rest = data[len(data) - len(data) % 4:]
        if rest:
            h = (h ^ int.from_bytes(rest, "little")) * 0x5BD1E995 & 0xFFFFFFFF
        h = (h ^ h >> 13) * 0x5BD1E995 & 0xFFFFFFFF
        return h ^ h >> 15

    topic = broker.topic(5)
    project.json_lines("in/a.json", [{"id": n, "name": "k" * (n % 7) + str(n)} for n in range(200)])
    define(project, broker, f"SELECT name AS key, CAST(id AS STRING) AS value FROM STREAM {NUMBERS}", topic)
    project.run().ok()
    for number, partition in enumerate(consumed(broker, topic)):
        assert partition
        for record in partition:
            assert (murmur2(record.key()) & 0x7FFFFFFF) % 5 == number


def test_a_batch_that_comes_again_is_left_alone(project, broker):
    """A crash behind the commit in Kafka and before the checkpoint's: the mark in the group tells."""
    topic = broker.topic()
    define(project, broker, f"SELECT to_json(struct(*)) AS value FROM STREAM {NUMBERS}", topic)
    project.json_lines("in/a.json", [{"id": n, "name": "a"} for n in range(3000)])
    project.run().ok()
    (commits,) = project.folder.rglob("commits")
    newest = max((path for path in commits.iterdir() if path.name.isdigit()), key=lambda path: int(path.name))
    for n in range(3):
        newest.unlink()
        for check in commits.glob(f".{newest.name}.crc"):
            check.unlink()
        project.run().ok()
        assert newest.exists() and len(values(broker, topic)) == 3000
    project.json_lines("in/b.json", [{"id": 3000, "name": "b"}])
    project.run().ok()
    assert sorted(json.loads(value)["id"] for value in values(broker, topic)) == list(range(3001))


def test_a_full_refresh_writes_everything_again(project, broker):
    topic = broker.topic()
    define(project, broker, f"SELECT CAST(id AS STRING) AS value FROM STREAM {NUMBERS}", topic)
    project.json_lines("in/a.json", [{"id": 1}])
    project.run().ok()
    project.run("--full-refresh", "out").ok()
    assert values(broker, topic) == [b"1", b"1"]


def test_without_transactions_no_transaction_is_made(project, broker):
    topic = broker.topic()
    define(project, broker, f"SELECT CAST(id AS STRING) AS value FROM STREAM {NUMBERS}", topic, exactlyOnce="false")
    project.json_lines("in/a.json", [{"id": n} for n in range(10)])
    project.run().ok()
    assert broker.ends(topic) == (0, 10)  # a transaction would have left its marker behind the records
    assert values(broker, topic) == [str(n).encode() for n in range(10)]


def test_from_topic_to_topic(project, broker):
    """Read, changed, written, read: aborted records of the first never reach the second."""
    first, second = broker.topic(), broker.topic()
    broker.transactions(first, (["1", "2"], True), (["3"], False), (["4"], True))
    project.define(sink(broker, second),
                   "CREATE FLOW f AS INSERT INTO out BY NAME SELECT CAST(CAST(CAST(value AS STRING) AS INT) * 10 AS STRING) AS value FROM STREAM "
                   f"read_kafka(bootstrapServers => '{broker.bootstrap}', subscribe => '{first}', startingOffsets => 'earliest')")
    project.run().ok()
    assert values(broker, second) == [b"10", b"20", b"40"]


@pytest.mark.parametrize("query, options, message", [
    ("SELECT id FROM STREAM {}", {}, 'no place for column "id"'),
    ("SELECT name AS key FROM STREAM {}", {}, 'has no column "value"'),
    ("SELECT id AS value FROM STREAM {}", {}, 'column "value" of a Kafka sink is STRING or BINARY, not bigint'),
    ("SELECT name AS value, id AS partition FROM STREAM {}", {}, 'column "partition" of a Kafka sink is INT, not bigint'),
    ("SELECT name AS value FROM STREAM {}", {"topic": None}, "nothing says to which topic"),
    ("SELECT name AS value FROM STREAM {}", {"topik": "x"}, 'topik.*\n.*\n.*topic'),
    ("SELECT name AS value FROM STREAM {}", {"kafka.nosuch": "x"}, 'Kafka\'s client has no setting "nosuch"'),
    ("SELECT name AS value FROM STREAM {}", {"kafka.transactional.id": "x"}, '"kafka.transactional.id" cannot be set'),
    ("SELECT name AS value FROM STREAM {}", {"kafka.sasl.password": "{{secrets/env/NO_SUCH_VARIABLE}}"}, "NO_SUCH_VARIABLE"),
])
def test_a_mistake_is_told_before_anything_runs(project, broker, query, options, message):
    topic = options.pop("topic", "t")
    define(project, broker, query.format(NUMBERS), topic, **options)
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.silt("dry-run").refused(r"pipeline\.sql:\d+:\d+: error: ", message)


def test_a_topic_that_is_not_there_is_named(project, broker):
    define(project, broker, f"SELECT name AS value FROM STREAM {NUMBERS}", "nosuchtopic")
    project.json_lines("in/a.json", [{"id": 1, "name": "a"}])
    project.run(timeout=180).refused("nosuchtopic", code=1)
    broker.topic(name="nosuchtopic")
    project.run().ok()
    assert values(broker, "nosuchtopic") == [b"a"]


def test_a_record_beyond_the_limit_stops_the_flow_and_leaves_nothing(project, broker):
    topic = broker.topic(max_message_bytes=1000000)
    define(project, broker, f"SELECT name AS value FROM STREAM {NUMBERS}", topic)
    project.json_lines("in/a.json", [{"id": 1, "name": "small"}, {"id": 2, "name": random.Random(1).randbytes(1000000).hex()}])
    project.run().refused(r"record of 2000000 bytes to topic", "kafka.max.request.size", code=1)
    assert values(broker, topic) == []
    define(project, broker, f"SELECT name AS value FROM STREAM {NUMBERS}", topic, **{"kafka.max.request.size": 3000000})
    project.run().refused("max.message.bytes", code=1)  # now the topic does not take it
    assert values(broker, topic) == []
    from confluent_kafka.admin import AlterConfigOpType, ConfigEntry, ConfigResource
    admin = broker.admin()
    for future in admin.incremental_alter_configs([ConfigResource("TOPIC", topic, incremental_configs=[
            ConfigEntry("max.message.bytes", "4000000", incremental_operation=AlterConfigOpType.SET)])]).values():
        future.result(30)
    project.run().ok()
    assert [len(value) for value in values(broker, topic)] == [5, 2000000]


def test_a_broker_that_is_killed_in_between_gets_each_row_once(project, own_broker):
    topic = own_broker.topic(2)
    define(project, own_broker, f"SELECT CAST(id AS STRING) AS value FROM STREAM {NUMBERS}", topic)
    for n in range(2):
        project.json_lines(f"in/{n}.json", [{"id": i} for i in range(n * 5000, (n + 1) * 5000)])
        run = project.start("run")
        time.sleep(0.05 + 0.1 * n)
        own_broker.stop(signal.SIGKILL)
        own_broker.start()
        run.wait(120)
        project.run(timeout=180).ok()
        assert sorted(int(value) for value in values(own_broker, topic)) == list(range((n + 1) * 5000))


def test_killed_30_times_each_row_is_there_once(project, broker):
    seed = int(os.environ.get("SILT_TEST_SEED", "20261130"))
    chance = random.Random(seed)
    topic = broker.topic(3)
    define(project, broker, f"SELECT CAST(id AS STRING) AS key, to_json(struct(*)) AS value FROM STREAM {NUMBERS[:-1]}, maxFilesPerTrigger => 1)", topic)
    made = 0
    for n in range(30):
        for _ in range(2):
            project.json_lines(f"in/{made}.json", [{"id": i} for i in range(made * 500, (made + 1) * 500)])
            made += 1
        run = project.start("run")
        time.sleep(chance.uniform(0.005, 0.25))
        if run.poll() is None:
            os.kill(run.pid, signal.SIGKILL)
        run.wait(60)
    project.run().ok()
    ids = sorted(json.loads(value)["id"] for value in values(broker, topic))
    assert ids == list(range(made * 500)), f"seed {seed}: {len(ids)} of {made * 500}"
