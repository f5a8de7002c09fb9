"""from_avro(value, 'subject', 'http://registry'): each value by the schema of its number, as an expression."""
import base64
import time

import pytest

from registry import Registry
from test_avro import ONE, TWO, datum, registry  # noqa: F401: a fixture
from test_formats import letters
from test_read_kafka import source


def call(registry, subject, options=None, value="value"):
    more = "" if options is None else ", map(%s)" % ", ".join("'%s', '%s'" % item for item in options.items())
    return f"from_avro({value}, '{subject}', '{registry.url}'{more})"


def define(project, broker, topic, call, columns="v.id, v.name, v.brand, offset", where=""):
    project.define(f"CREATE OR REFRESH STREAMING TABLE raw AS SELECT {columns} FROM (SELECT {call} AS v, offset FROM STREAM {source(broker, topic)}{where})")


def test_each_value_is_read_by_the_schema_of_its_number_and_dead_letters_keep_what_has_none(project, broker, registry):
    topic = broker.topic()
    registry.add(1, ONE, "t-value")
    registry.add(256, TWO, "t-value")
    one, two = datum(ONE, {"id": 1, "name": "a"}, 1), datum(TWO, {"id": 2, "name": "b", "brand": "x", "tags": []}, 256)
    broker.produce(topic, [one, two, None, datum(ONE, {"id": 3, "name": "c"}, 1), b"\1" + one[1:], b"\0\0\0\0\x63" + one[5:], one[:-1], one + b"!", b"", two])
    define(project, broker, topic, call(registry, "t-value"))
    project.run().ok()
    project.expect("SELECT * FROM raw", [[1, "a", None, 0], [2, "b", "x", 1], [None, None, None, 2], [3, "c", None, 3], [2, "b", "x", 9]])
    assert letters(project, "topic, partition, offset, reason, hex(record)") == [
        (topic, 0, 4, "it begins with the byte 1, and the wire format of the schema registry with 0", "01" + one[1:].hex().upper()),
        (topic, 0, 5, "the schema registry has no schema of the number 99", "0000000063" + one[5:].hex().upper()),
        (topic, 0, 6, "a record is not as the schema says", one[:-1].hex().upper()), (topic, 0, 7, "bytes behind the value", (one + b"!").hex().upper()),
        (topic, 0, 8, "shorter than the number of its schema", "")]
    assert registry.asked.count("/schemas/ids/1") == 1  # and 256 was known as the newest


def test_an_outage_makes_no_rows_of_null(project, broker, registry):
    topic = broker.topic()
    registry.add(1, ONE, "t-value")
    registry.add(2, TWO)
    broker.produce(topic, [datum(ONE, {"id": 1, "name": "a"}, 1)])
    reader = '{"type":"record","name":"R","fields":[{"name":"id","type":"long"},{"name":"name","type":"string"},{"name":"brand","type":["null","string"],"default":null}]}'
    define(project, broker, topic, call(registry, "t-value"))
    registry.down = True
    down = project.run()
    assert down.code == 2 and "answered 503" in down.err and "avroSchema" in down.err, down.err
    define(project, broker, topic, call(registry, "unknown", {"avroSchema": reader}))  # not asked for what is read with
    down = project.run(timeout=120)
    assert down.code == 1 and "answered 503" in down.err, down.err
    registry.down = False
    project.run().ok()
    registry.down = True
    broker.produce(topic, [datum(ONE, {"id": 2, "name": "b"}, 1), datum(TWO, {"id": 3, "name": "c", "brand": "x", "tags": []}, 2)])
    assert project.run(timeout=120).code == 1
    project.expect("SELECT * FROM raw", [[1, "a", None, 0]])
    registry.down = False
    project.run().ok()
    project.expect("SELECT * FROM raw", [[1, "a", None, 0], [2, "b", None, 1], [3, "c", "x", 2]])
    project.sql("SELECT * FROM raw_dead_letters").refused("TABLE_OR_VIEW_NOT_FOUND|no table", code=2)


def test_new_numbers_while_it_runs(project, broker, registry):
    topic = broker.topic()
    registry.add(1, ONE, "t-value")
    define(project, broker, topic, call(registry, "t-value"), "v.id, v.name, offset")
    broker.produce(topic, [datum(ONE, {"id": 1, "name": "a"}, 1)])
    project.start("--continuous")
    wait(project, 1)
    registry.add(2, TWO)
    registry.down = True
    broker.produce(topic, [datum(TWO, {"id": 2, "name": "b", "brand": None, "tags": []}, 2)])
    while "/schemas/ids/2" not in registry.asked:
        time.sleep(0.05)
    registry.down = False
    wait(project, 2)
    project.stop_all()
    project.expect("SELECT * FROM raw", [[1, "a", 0], [2, "b", 1]])


def wait(project, count):
    end = time.monotonic() + 60
    while project.sql("SELECT * FROM raw").out.count("\n") != count:
        assert time.monotonic() < end
        time.sleep(0.2)


def test_rows_that_the_query_leaves_out_are_no_dead_letters(project, broker, registry):
    topic = broker.topic()
    registry.add(1, ONE, "t-value")
    broker.produce(topic, [datum(ONE, {"id": 1, "name": "a"}, 1), b"x", b"y", datum(ONE, {"id": 2, "name": "b"}, 1)])
    define(project, broker, topic, call(registry, "t-value"), "v.id, offset", " WHERE offset <> 1")
    project.run().ok()
    project.expect("SELECT * FROM raw", [[1, 0], [2, 3]])
    assert letters(project, "offset, hex(record)") == [(2, "79")]


def test_a_mode_says_what_becomes_of_bad_values(project, broker, registry):
    topic = broker.topic()
    registry.add(1, ONE, "t-value")
    broker.produce(topic, [datum(ONE, {"id": 1, "name": "a"}, 1), b"x"])
    define(project, broker, topic, call(registry, "t-value", {"mode": "FAILFAST"}), "v.id, offset")
    failed = project.run()
    assert failed.code == 1 and "shorter than the number of its schema" in failed.err, failed.err
    define(project, broker, topic, call(registry, "t-value", {"mode": "PERMISSIVE"}), "v.id, offset")
    project.run().ok()
    project.expect("SELECT * FROM raw", [[1, 0], [None, 1]])
    # a query of values that come from no stream has nowhere to set them aside
    short = "X'78'"
    project.sql(f"SELECT {call(registry, 't-value', value=short)}").refused("shorter than the number", code=1)
    good = base64.b64encode(datum(ONE, {"id": 7, "name": "z"}, 1)).decode()
    value = "unbase64('%s')" % good
    assert project.sql(f"SELECT {call(registry, 't-value', value=value)}.name AS n").ok().out == '{"n":"z"}\n'


def test_secrets_are_seen_nowhere(project, broker, monkeypatch):
    registry = Registry("Basic " + base64.b64encode(b"me:hush-hush").decode())
    topic = broker.topic()
    registry.add(1, ONE, "t-value")
    broker.produce(topic, [datum(ONE, {"id": 1, "name": "a"}, 1), b"x"])
    define(project, broker, topic, call(registry, "t-value"), "v.id, offset")
    project.run().refused("answered 401", code=2)
    monkeypatch.setenv("REGISTRY_LOGIN", "me:hush-hush")
    define(project, broker, topic, call(registry, "t-value", {"confluent.schema.registry.basic.auth.user.info": "{{secrets/env/REGISTRY_LOGIN}}"}), "v.id, offset")
    run = project.run().ok()
    project.expect("SELECT * FROM raw", [[1, 0]])
    registry.password = "Basic other"
    broker.produce(topic, [datum(ONE, {"id": 1, "name": "a"}, 2)])
    again = project.run()
    assert again.code != 0
    kept = [run.out, run.err, again.out, again.err, project.silt("explain").out]
    kept += [path.read_bytes().decode("latin-1") for path in project.folder.rglob("*") if path.is_file()]
    assert not [text for text in kept if "hush-hush" in text]
    registry.close()


@pytest.mark.parametrize("expression,said", [
    ("from_avro(value, 't-value', 'registry:8081')", "no address of a server"),
    ("from_avro(value, 't-value', 'http://me:pw@registry')", "holds a password"),
    ("from_avro(value, 'gone', '{url}')", "no subject"),
    ("from_avro(value, 't-value', '{url}', map('confluent.schema.registry.ssl.truststore.location', 'a.jks'))", "does not know the option confluent.schema.registry.ssl.truststore.location"),
    ("from_avro(value, 't-value', '{url}', map('avroSchemaEvolutionMode', 'restart'))", "avroSchemaEvolutionMode"),
    ("from_avro(value, '\"long\"', map('confluent.schema.registry.bearer.auth.token', 'hush'))", "where no registry is given"),
])
def test_what_is_refused(project, broker, registry, expression, said):
    registry.add(1, ONE, "t-value")
    project.define(f"CREATE OR REFRESH STREAMING TABLE raw AS SELECT {expression.replace('{url}', registry.url)} AS v FROM STREAM {source(broker, 't')}")
    found = project.run()
    assert found.code == 2 and said in found.err and "hush" not in found.err.replace("'hush'", ""), found.err
