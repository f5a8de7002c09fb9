"""read_kafka(..., format => 'protobuf'): values of one message to columns, by its descriptors."""
import json

import pytest

from proto_messages import SET, close, message_class, messages, row
from test_formats import letters
from test_read_kafka import source


def protobuf(broker, topic, message="Inner", **options):
    return source(broker, topic, format="protobuf", messageName=message, descFilePath="all.desc", **options)


def define(project, broker, topic, message="Inner", columns="*", **options):
    (project.folder / "all.desc").write_bytes(SET.SerializeToString())
    project.define(f"CREATE OR REFRESH STREAMING TABLE raw AS SELECT {columns} FROM STREAM {protobuf(broker, topic, message, **options)}")


def test_values_are_rows_and_what_is_none_is_a_dead_letter(project, broker):
    inner, topic = message_class("a.b.Inner"), broker.topic()
    good = inner(id=1, names=["x", "y"]).SerializeToString()
    broker.produce(topic, [{"value": good, "key": "k"}, None, b"", {"value": good[:-1], "key": "bad"}, b"\x0a\x01x", b"\x12\x01\xff", inner(id=2).SerializeToString()])
    define(project, broker, topic, columns="*, _metadata.offset AS o")
    project.run().ok()
    project.expect("SELECT * FROM raw", [[1, ["x", "y"], 0], [None, None, 1], [None, [], 2], [2, [], 6]])
    assert letters(project, "topic, partition, offset, CAST(key AS STRING), hex(record), reason") == [
        (topic, 0, 3, "bad", good[:-1].hex().upper(), "it ends in the middle of a field"), (topic, 0, 4, None, "0A0178", "a field is of another type than the descriptor says"),
        (topic, 0, 5, None, "1201FF", "a text is not UTF-8")]
    project.expect(f"SELECT _metadata.offset, id FROM {protobuf(broker, topic, mode='PERMISSIVE')} WHERE names IS NULL", [[1, None], [3, None], [4, None], [5, None]])
    project.sql(f"SELECT id FROM {protobuf(broker, topic, mode='FAILFAST')}").refused("offset 3: a record that cannot be read", code=1)
    project.expect(f"SELECT count(*) FROM {protobuf(broker, topic, mode='DROPMALFORMED')}", [[4]])


def test_random_messages_are_the_rows_that_the_library_reads(project, broker):
    topic, made = broker.topic(), messages("a.b.Outer", 3000, seed=5)
    broker.produce(topic, [message.SerializeToString() for message in made])
    options = {"upcast.unsigned.ints": "true", "unwrap.primitive.wrapper.types": "true"}
    (project.folder / "all.desc").write_bytes(SET.SerializeToString())
    lines = project.sql(f"SELECT * FROM {protobuf(broker, topic, 'a.b.Outer', **options)}").ok().out.splitlines()
    for message, line in zip(made, lines, strict=True):
        wanted, found = json.loads(json.dumps(row(message, options))), json.loads(line)
        assert list(wanted) == list(found)
        assert all(close(wanted[key], found[key]) for key in wanted)


@pytest.mark.parametrize("options,said", [
    ({"messageName": "Gone"}, "no message \"Gone\""), ({"descFilePath": "gone.desc"}, "no file"), ({"schema": "id INT"}, "schema is not for"),
    ({"messageName": "Tree"}, "holds itself"), ({"schemaEvolutionMode": "rescue"}, "no fields to rescue"), ({"rescuedDataColumn": "_r"}, "rescuedDataColumn"),
])
def test_what_is_refused(project, broker, options, said):
    given = {"messageName": "Inner", "descFilePath": "all.desc", **options}
    (project.folder / "all.desc").write_bytes(SET.SerializeToString())
    project.sql(f"SELECT * FROM {source(broker, 't', format='protobuf', **given)}").refused(said)
    project.sql(f"SELECT * FROM {source(broker, 't', format='protobuf', messageName='Inner')}").refused("needs descFilePath")
