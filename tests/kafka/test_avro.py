"""read_kafka(..., format => 'avro'): each value by the schema that it was written with, from a registry or without."""
import base64
import io
import json
import struct
import subprocess
import time

import fastavro
import pytest

from registry import Registry
from test_formats import letters
from test_read_kafka import source

ONE = {"type": "record", "name": "R", "fields": [{"name": "id", "type": "long"}, {"name": "name", "type": "string"}]}
TWO = {"type": "record", "name": "R", "fields": ONE["fields"] + [{"name": "brand", "type": ["null", "string"], "default": None}, {"name": "tags", "type": {"type": "array", "items": "string"}, "default": []}]}


def datum(schema, value, number=None):
    out = io.BytesIO()
    fastavro.schemaless_writer(out, fastavro.parse_schema(schema), value)
    return (b"" if number is None else struct.pack(">bI", 0, number)) + out.getvalue()


@pytest.fixture
def registry():
    made = Registry()
    yield made
    made.close()


def avro(broker, topic, **options):
    return source(broker, topic, format="avro", **options)


def define(project, broker, topic, columns="*", **options):
    project.define(f"CREATE OR REFRESH STREAMING TABLE raw AS SELECT {columns} FROM STREAM {avro(broker, topic, **options)}")


def wait_for(project, rows):
    """Until the table has these rows, or for a minute."""
    end = time.monotonic() + 60
    while project.sql("SELECT * FROM raw ORDER BY id").out.splitlines() != [json.dumps(dict(zip(["id", "name"], row)), separators=(",", ":")) for row in rows]:
        assert time.monotonic() < end, (project.folder / "run.log").read_text()
        time.sleep(0.2)


def test_each_value_is_read_by_the_schema_of_its_number(project, broker, registry):
    topic = broker.topic()
    registry.add(7, ONE, f"{topic}-value")
    registry.add(1_000_000, TWO, f"{topic}-value")
    one, two = datum(ONE, {"id": 1, "name": "a"}, 7), datum(TWO, {"id": 2, "name": "b", "brand": "x", "tags": ["t", "u"]}, 1_000_000)
    broker.produce(topic, [{"value": one, "key": "k"}, two, None, datum(ONE, {"id": 3, "name": "c"}, 7), {"value": b"\1" + one[1:], "key": "bad"}, struct.pack(">bI", 0, 99) + one[5:],
                           one[:-1], two[:-1], one + b"!", b"", b"\0\0", two])
    define(project, broker, topic, "*, _metadata.offset AS o", schemaRegistryAddress=registry.url)
    project.run().ok()
    rows = [[1, "a", None, [], 0], [2, "b", "x", ["t", "u"], 1], [None, None, None, None, 2], [3, "c", None, [], 3], [2, "b", "x", ["t", "u"], 11]]
    project.expect("SELECT * FROM raw", rows)
    assert letters(project, "offset, reason") == [
        (4, "it begins with the byte 1, and the wire format of the schema registry with 0"), (5, "the schema registry has no schema of the number 99"),
        (6, "a record is not as the schema says"), (7, "a record is not as the schema says"), (8, "bytes behind the value"),
        (9, "shorter than the number of its schema"), (10, "shorter than the number of its schema")]
    ((topic_, partition, offset, key, record),) = letters(project, "topic, partition, offset, CAST(key AS STRING), hex(record)")[:1]
    assert (topic_, partition, offset, key, bytes.fromhex(record)) == (topic, 0, 4, "bad", b"\1" + one[1:])
    assert sorted(set(registry.asked)) == [f"/schemas/ids/7", "/schemas/ids/99", f"/subjects/{topic}-value/versions/latest"]  # the newest one was known


def test_an_outage_loses_nothing(project, broker, registry):
    topic = broker.topic()
    registry.add(1, ONE, f"{topic}-value")
    define(project, broker, topic, schemaRegistryAddress=registry.url)
    broker.produce(topic, [datum(ONE, {"id": 1, "name": "a"}, 1)])
    project.run().ok()
    registry.add(2, TWO, f"{topic}-value")  # the columns stay those of the first run
    registry.down = True
    broker.produce(topic, [datum(ONE, {"id": 2, "name": "b"}, 1)])
    project.run().ok()  # all that is needed lies with the checkpoint
    project.expect("SELECT * FROM raw", [[1, "a"], [2, "b"]])
    broker.produce(topic, [datum(ONE, {"id": 3, "name": "c"}, 1), datum(TWO, {"id": 4, "name": "d", "brand": None, "tags": []}, 2)])
    run = project.run(timeout=120)
    assert run.code != 0 and "answered 503" in run.out + run.err, run
    project.expect("SELECT * FROM raw", [[1, "a"], [2, "b"]])
    registry.down = False
    project.run().ok()
    project.expect("SELECT * FROM raw", [[1, "a"], [2, "b"], [3, "c"], [4, "d"]])
    project.sql("SELECT * FROM raw_dead_letters").refused("TABLE_OR_VIEW_NOT_FOUND|no table", code=2)


def test_another_registry_has_numbers_of_its_own(project, broker, registry):
    """The columns stay, and what the number of the kept schema means is asked for anew."""
    topic, other = broker.topic(), Registry()
    registry.add(1, ONE, f"{topic}-value")
    swapped = {**ONE, "fields": ONE["fields"][::-1]}
    other.add(1, swapped, f"{topic}-value")
    broker.produce(topic, [datum(ONE, {"id": 1, "name": "a"}, 1)])
    define(project, broker, topic, schemaRegistryAddress=registry.url)
    project.run().ok()
    for n in range(2, 4):
        broker.produce(topic, [datum(swapped, {"id": n, "name": "b"}, 1)])
        define(project, broker, topic, schemaRegistryAddress=other.url)
        project.run().ok()
    project.expect("SELECT * FROM raw", [[1, "a"], [2, "b"], [3, "b"]])
    assert all("/subjects" not in path for path in other.asked)
    other.close()


def test_columns_of_the_readers_choice(project, broker, registry):
    topic = broker.topic()
    registry.add(1, ONE)
    registry.add(2, TWO)
    registry.add(3, '"long"')
    broker.produce(topic, [datum(ONE, {"id": 1, "name": "a"}, 1), datum(TWO, {"id": 2, "name": "b", "brand": "x", "tags": []}, 2), datum("long", 5, 3)])
    reader = {"type": "record", "name": "Other", "fields": [{"name": "label", "type": "string", "aliases": ["name"]}, {"name": "id", "type": "double"}, {"name": "brand", "type": ["null", "string"], "default": None}]}
    options = {"schemaRegistryAddress": registry.url}
    project.expect(f"SELECT * FROM {avro(broker, topic, avroSchema=json.dumps({**reader, 'aliases': ['R']}), mode='PERMISSIVE', **options)}", [["a", 1.0, None], ["b", 2.0, "x"], [None, None, None]])
    project.expect(f"SELECT * FROM {avro(broker, topic, schema='brand STRING, id BIGINT', rescuedDataColumn='_rescued', **options)} WHERE id IS NOT NULL",
                   [[None, 1, '{"name":"a"}'], ["x", 2, '{"name":"b","tags":[]}']])
    project.sql(f"SELECT * FROM {avro(broker, topic, **options)}").refused(f'no subject "{topic}-value"', code=2)
    project.sql(f"SELECT * FROM {avro(broker, topic, schema='a INT')}").refused("what values of format avro were written with is not known", code=2)
    project.sql(f"SELECT * FROM {avro(broker, topic, schemaRegistryAddress='http://me:secret@localhost')}").refused("holds a password", code=2)


def test_schemas_that_refer_to_others(project, broker, registry):
    topic = broker.topic()
    inner = {"type": "record", "name": "Inner", "namespace": "x", "fields": [{"name": "a", "type": "int"}]}
    registry.add(1, inner, "inner")
    middle = {"type": "record", "name": "Middle", "namespace": "x", "fields": [{"name": "i", "type": "x.Inner"}]}
    registry.add(2, middle, "middle", references=[{"name": "x.Inner", "subject": "inner", "version": 1}])
    outer = {"type": "record", "name": "Outer", "fields": [{"name": "m", "type": "x.Middle"}, {"name": "i", "type": "x.Inner"}]}
    registry.add(3, outer, f"{topic}-value", references=[{"name": "x.Middle", "subject": "middle", "version": 1}, {"name": "x.Inner", "subject": "inner", "version": 1}])
    registry.add(4, outer, None, references=[{"name": "x.Middle", "subject": "gone", "version": 1}])
    registry.add(5, "{}", None, schemaType="JSON")
    broker.produce(topic, [struct.pack(">bI", 0, 3) + b"\2\4", struct.pack(">bI", 0, 4) + b"\2\4", struct.pack(">bI", 0, 5) + b"\2\4"])
    define(project, broker, topic, "m.i.a, i.a AS b", schemaRegistryAddress=registry.url)
    project.run().ok()
    project.expect("SELECT * FROM raw", [[1, 2]])
    assert letters(project, "offset, reason") == [(1, 'its schema refers to "gone", which the schema registry does not have'), (2, "its schema is not one of Avro")]


def test_values_without_a_number(project, broker):
    topic, plain = broker.topic(), broker.topic()
    broker.produce(topic, [datum(TWO, {"id": n, "name": f"n{n}", "brand": None, "tags": ["x"] * n}) for n in range(3)] + [b"\2", None])
    broker.produce(plain, [datum("string", "a"), datum("string", "b")])
    define(project, broker, topic, schema=json.dumps(TWO))
    project.run().ok()
    project.expect("SELECT * FROM raw", [[0, "n0", None, []], [1, "n1", None, ["x"]], [2, "n2", None, ["x", "x"]], [None] * 4])
    assert letters(project, "offset, reason") == [(3, "a record is not as the schema says")]
    project.expect(f"SELECT id FROM {avro(broker, topic, schema=json.dumps(TWO), avroSchema=json.dumps({**ONE, 'fields': ONE['fields'][:1]}))} WHERE id > 0", [[1], [2]])
    project.expect(f"SELECT value FROM {avro(broker, plain, schema=json.dumps('string'))}", [["a"], ["b"]])


def test_the_registry_wants_to_know_who_asks(project, broker, monkeypatch):
    topic = broker.topic()
    registry = Registry("Basic " + base64.b64encode(b"me:secret").decode())
    registry.add(1, ONE, f"{topic}-value")
    broker.produce(topic, [datum(ONE, {"id": 1, "name": "a"}, 1)])
    options = {"schema.registry.url": registry.url + "/"}
    project.sql(f"SELECT * FROM {avro(broker, topic, **options)}").refused("answered 401", code=2)
    options["confluent.schema.registry.basic.auth.user.info"] = "me:secret"
    project.expect(f"SELECT id FROM {avro(broker, topic, **options)}", [[1]])
    registry.password = "Bearer abc"
    options["confluent.schema.registry.bearer.auth.token"] = "abc"
    project.expect(f"SELECT id FROM {avro(broker, topic, **options)}", [[1]])
    registry.close()


def test_a_registry_behind_tls(project, broker, tmp_path):
    topic, pem = broker.topic(), tmp_path / "registry.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", pem,
                    "-out", tmp_path / "certificate.pem"], check=True, capture_output=True)
    pem.write_text(pem.read_text() + (tmp_path / "certificate.pem").read_text())
    registry = Registry(certificate=pem)
    registry.add(1, ONE, f"{topic}-value")
    broker.produce(topic, [datum(ONE, {"id": 1, "name": "a"}, 1)])
    options = {"schemaRegistryAddress": registry.url}
    project.sql(f"SELECT * FROM {avro(broker, topic, **options)}").refused("certificate", code=2)
    options["confluent.schema.registry.ssl.ca.location"] = str(tmp_path / "certificate.pem")
    project.expect(f"SELECT * FROM {avro(broker, topic, **options)}", [[1, "a"]])
    registry.close()


def test_new_schemas_are_asked_for_while_it_runs(project, broker, registry):
    """A number that comes while the registry is away stops nothing for good: the rows behind it come when it is back, none is lost or there twice."""
    topic = broker.topic()
    registry.add(1, ONE, f"{topic}-value")
    define(project, broker, topic, "id, name", schemaRegistryAddress=registry.url)
    broker.produce(topic, [datum(ONE, {"id": 1, "name": "a"}, 1)])
    running = project.start("--continuous")
    wait_for(project, [[1, "a"]])
    registry.add(2, TWO)
    broker.produce(topic, [datum(TWO, {"id": 2, "name": "b", "brand": None, "tags": []}, 2)])
    wait_for(project, [[1, "a"], [2, "b"]])
    registry.add(3, TWO)
    registry.down = True
    broker.produce(topic, [datum(ONE, {"id": 3, "name": "c"}, 1), datum(TWO, {"id": 4, "name": "d", "brand": "x", "tags": ["t"]}, 3)])
    while registry.asked.count("/schemas/ids/3") < 2:
        time.sleep(0.1)
    registry.down = False
    wait_for(project, [[1, "a"], [2, "b"], [3, "c"], [4, "d"]])
    assert running.poll() is None
    assert registry.asked.count("/schemas/ids/2") == 1
