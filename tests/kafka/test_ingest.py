"""`silt ingest TOPIC TABLE`: a table from a topic in one command, with the engine and the state of a project."""
import json
import os
import signal
import subprocess
import time

import pytest
from driver import SILT, silt, strict_json
from test_read_kafka import until

SCHEMA = "id BIGINT, item STRING, time TIMESTAMP"


def rows(table, query="SELECT * FROM t"):
    return [list(row) for row in silt("sql", "--format", "json", "-c", query.replace("t", f"delta.`{table}`", 1) if query == "t" else query.replace("FROM t", f"FROM delta.`{table}`")).rows()]


def message(n):
    return json.dumps({"id": n, "item": f"i{n}", "time": f"2026-03-0{1 + n % 2}T10:00:00Z"})


@pytest.fixture
def table(tmp_path):
    return tmp_path / "lake" / "orders"


def test_a_table_is_made_filled_and_gone_on_with(broker, table):
    topic = broker.topic(2)
    broker.produce(topic, [{"value": message(n), "partition": n % 2} for n in range(6)] + ["not json"])
    flags = [topic, table, "-k", broker.bootstrap, "--schema", SCHEMA, "-t", "day=to_date(time)", "-t", "at=struct(_metadata.partition, _metadata.offset)",
             "--partition-by", "day", "--where", "id <> 3"]
    silt("ingest", *flags, "--once").ok()
    assert rows(table, "SELECT id, item, day, at.partition, at.offset FROM t ORDER BY id") == [[n, f"i{n}", f"2026-03-0{1 + n % 2}", n % 2, n // 2] for n in (0, 1, 2, 4, 5)]
    assert (table / "day=2026-03-01").is_dir()
    assert rows(f"{table}_dead_letters", "SELECT topic, partition, offset, CAST(record AS STRING) FROM t") == [[topic, 0, 3, "not json"]]
    broker.produce(topic, [message(7)])
    silt("ingest", *flags, "--once").ok()
    broker.produce(topic, [message(8)])
    # the schema is the table's from now on; without --once it goes on until it is stopped
    flags = [topic, table, "-k", broker.bootstrap, *flags[6:]]
    with open(table.parent / "log", "w") as log:
        running = subprocess.Popen([SILT, "ingest", *map(str, flags)], stdout=log, stderr=log)
    until(lambda: rows(table, "SELECT count(*) FROM t") == [[7]])
    running.send_signal(signal.SIGTERM)
    assert running.wait(20) == 143
    assert rows(table, "SELECT count(*), count(DISTINCT at) FROM t") == [[7, 7]]


def test_it_is_a_project(broker, table):
    topic = broker.topic()
    broker.produce(topic, [message(n) for n in range(3)])
    flags = ["ingest", topic, table, "-k", broker.bootstrap, "--schema", SCHEMA]
    printed = silt(*flags, "--print").ok().out
    assert not table.exists() and f"  subscribe => '{topic}',\n" in printed
    silt(*flags, "--once").ok()
    project = ["--spec", table / "_silt_ingest/spark-pipeline.yml"]
    broker.produce(topic, [message(3)])
    silt("run", *project).ok()
    assert rows(table, "SELECT count(*) FROM t") == [[4]]
    assert "4 rows: equal" in silt("audit", "orders", *project).ok().err
    (table / "_silt_ingest/transformations/ingest.sql").unlink()
    silt(*flags, "--once").ok()
    assert rows(table, "SELECT count(*) FROM t") == [[4]], "the files come from the flags, what was read from the checkpoint"


def test_a_table_of_others_is_filled_from_given_offsets(broker, table):
    """As one comes from kafka-delta-ingest: its table is there, and says in txn which offsets it holds."""
    from deltalake import DeltaTable, write_deltalake
    import pyarrow
    topic = broker.topic()
    broker.produce(topic, [message(n) for n in range(5)])
    write_deltalake(str(table), pyarrow.table({"id": pyarrow.array([0, 1], pyarrow.int64()), "item": ["i0", "i1"]}))
    log = table / "_delta_log/00000000000000000001.json"
    log.write_text(json.dumps({"commitInfo": {"timestamp": 1, "operation": "WRITE"}}) + "\n" + json.dumps({"txn": {"appId": "kafka_delta_ingest-0", "version": 1}}) + "\n")
    silt("ingest", topic, table, "-k", broker.bootstrap, "--from", json.dumps({topic: {"0": 2}}), "--once").ok()
    assert rows(table, "SELECT id, item FROM t ORDER BY id") == [[n, f"i{n}"] for n in range(5)]
    assert DeltaTable(str(table)).version() >= 2


def test_avro_brings_its_columns(broker, table):
    topic = broker.topic()
    broker.produce(topic, [b"\x02", b"\x05"])  # zigzag
    schema = json.dumps({"type": "record", "name": "r", "fields": [{"name": "id", "type": "long"}]})
    silt("ingest", topic, table, "-k", broker.bootstrap, "--format", "avro", "--schema", schema, "--once").ok()
    assert rows(table, "SELECT id FROM t ORDER BY id") == [[-3], [1]]
    registry = silt("ingest", topic, table, "--format", "avro", "--option", "schemaRegistryAddress=http://r:8081", "--print").ok().out
    assert "schemaRegistryAddress => 'http://r:8081'" in registry and "schema =>" not in registry


@pytest.mark.parametrize("flags, said", [
    (["--format", "json"], "its columns are not known"), (["--schema", "id BIGINT", "-K", "sasl.password=letmein"], "would be kept in a file"), (["--schema", "id BIGINT", "-K", "x"], "sets nothing"),
    (["--schema", "id NUMBER"], "NUMBER"), (["--schema", "id BIGINT", "-t", "x=nope(id)"], "nope"), (["--schema", "id BIGINT", "--from", "begin"], "offset for each partition"),
    (["--schema", "id BIGINT", "--freshness", "soon"], "silt.freshness"), (["--schema", "id BIGINT", "--option", "no.such=1"], "no.such")])
def test_mistakes_start_nothing(table, flags, said):
    silt("ingest", "t", table, "-k", "127.0.0.1:1", *flags, "--once").refused(said)
    assert not (table / "_delta_log").exists()
