"""from_protobuf, against Google's library for Python: random messages, and messages that are none."""
import base64
import json

import pytest

from driver import Project
from proto_messages import FILES, SET, close, descriptor_pb2, message_class, messages, row


@pytest.fixture
def project(tmp_path):
    made = Project(tmp_path / "project")
    (made.folder / "all.desc").write_bytes(SET.SerializeToString())
    return made


def read(project, name, values, options=None, select="m"):
    (project.folder / "in").mkdir(exist_ok=True)
    lines = [json.dumps({"i": i, "b": base64.b64encode(value).decode()}) for i, value in enumerate(values)]
    (project.folder / "in" / "a.json").write_text("\n".join(lines) + "\n")
    more = "" if options is None else ", map(%s)" % ", ".join("'%s', '%s'" % item for item in options.items())
    return project.sql(f"SELECT {select} FROM (SELECT i, from_protobuf(unbase64(b), '{name}', 'all.desc'{more}) AS m FROM json.`in`) ORDER BY i")


def rows_of(done):
    return [json.loads(line)["m"] for line in done.ok().out.splitlines()]


OPTIONS = [{}, {"enums.as.ints": "true", "emit.default.values": "true"}, {"upcast.unsigned.ints": "true", "unwrap.primitive.wrapper.types": "true"}]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: "+".join(o) or "plain")
@pytest.mark.parametrize("name", ["a.b.Outer", "c.Old"])
def test_random_messages_are_read_as_by_the_library(project, name, options):
    made = messages(name, 300, seed=len(options) * 10 + len(name))
    got = rows_of(read(project, name, [message.SerializeToString() for message in made], options))
    flags = {key: True for key in options}
    for message, found in zip(made, got, strict=True):
        wanted = json.loads(json.dumps(row(message, flags)))
        for key in wanted:
            assert close(wanted[key], found[key]), (key, wanted[key], found[key])
        assert list(wanted) == list(found)


def test_broken_messages(project):
    good = message_class("a.b.Inner")(id=5, names=["x"]).SerializeToString()
    outer = message_class("a.b.Outer")
    bad = [good[:-1], b"\x00", b"\x0b", b"\x0c", b"\x0f\x00", b"\xff" * 11, b"\x0a\x01x", b"\x12\x01\xff", b"\x12\xff\xff\xff\xff\x0f"]
    for value in bad:
        failed = read(project, "a.b.Inner", [value])
        failed.refused("no message \"a.b.Inner\"", code=1)
    rows = rows_of(read(project, "Inner", [good, *bad, b""], {"mode": "PERMISSIVE"}))
    assert rows == [{"id": 5, "names": ["x"]}] + [{"id": None, "names": None}] * len(bad) + [{"id": None, "names": []}]
    # of another wire type, but deeper: left out, as Java's library does; unknown fields and groups are stepped over
    deep = outer()
    deep.inner.SetInParent()
    deep = deep.SerializeToString()[:-1] + b"\x03\x0a\x01x" + b"\xf8\x3f\x01" + b"\xfb\x3f\x08\x01\xfc\x3f"
    assert rows_of(read(project, "Outer", [deep], select="m.inner AS m")) == [{"id": None, "names": []}]
    # merged, last one wins, packed and not
    merged = b"\x08\x01\x08\x02"
    assert rows_of(read(project, "Inner", [merged, b"\x08\x01\x08\x00"])) == [{"id": 2, "names": []}, {"id": None, "names": []}]
    parts = b"".join(message_class("a.b.Outer")(inner=dict(names=[n])).SerializeToString() for n in "ab") + b"\xca\x06\x02\x01\x02\xc8\x06\x03"
    assert rows_of(read(project, "Outer", [parts], select="named_struct('n', m.inner.names, 'r', m.r_int32) AS m")) == [{"n": ["a", "b"], "r": [1, 2, 3]}]
    # a required field that is missing; a number that a closed enum lacks; text of proto2 that is no UTF-8
    read(project, "Old", [b"\x10\x01"]).refused("a required field is missing", code=1)
    read(project, "Old", [b"\x08\x01\x38\x63"]).refused("another type", code=1)
    assert rows_of(read(project, "Old", [b"\x08\x01\x22\x02a\xff"], select="m.s AS m")) == ["a\ufffd"]
    # nested as deep as Java's library goes
    tree = b""
    for depth in range(101):
        read_ok = read(project, "Tree", [tree], {"recursive.fields.max.depth": "2"}, select="1 AS m") if depth == 100 else None
        if read_ok:
            assert rows_of(read_ok) == [1]
        size = len(tree)
        tree = b"\x12" + (bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])) + tree
    read(project, "Tree", [tree], {"recursive.fields.max.depth": "2"}).refused("nested deeper", code=1)


def test_recursion_and_messages_without_fields(project):
    value = message_class("a.b.Tree")(v=1, left=dict(v=2, left=dict(v=3))).SerializeToString()
    read(project, "Tree", [value]).refused("holds itself")
    assert rows_of(read(project, "Tree", [value], {"recursive.fields.max.depth": "1"})) == [{"v": 1}]
    assert rows_of(read(project, "Tree", [value], {"recursive.fields.max.depth": "2"})) == [{"v": 1, "left": {"v": 2}, "children": []}]
    retained = rows_of(read(project, "Tree", [value + b"\x22\x00"], {"recursive.fields.max.depth": "1", "retain.empty.message.types": "true"}))
    assert retained == [{"v": 1, "empty": {"__dummy_field_in_empty_struct": None}}]
    read(project, "Nothing", [value]).refused("no fields")


def test_types(project):
    assert read(project, "Old", [b"\x08\x01"], select="typeof(m) AS m").ok().out == (
        '{"m":"struct<id:bigint,n:int,x:double,s:string,b:binary,flag:boolean,size:string,sizes:array<string>,plain:int,packed:array<int>,'
        'inner:struct<id:int,names:array<string>>,part:array<struct<a:int>>>"}\n')
    wide = read(project, "Outer", [b""], {"upcast.unsigned.ints": "true", "unwrap.primitive.wrapper.types": "true"}, select="typeof(struct(m.f_uint32, m.f_uint64, m.f_fixed64, "
                "m.w_UInt64Value, m.w_BoolValue, m.took, m.at, m.inner_by_id, m.colors_by_flag)) AS m").ok().out
    assert wide == ('{"m":"struct<f_uint32:bigint,f_uint64:decimal(20,0),f_fixed64:bigint,w_UInt64Value:decimal(20,0),w_BoolValue:boolean,took:interval day to second,'
                    'at:timestamp,inner_by_id:map<int,struct<id:int,names:array<string>>>,colors_by_flag:map<boolean,string>>"}\n')


def test_descriptors(project):
    def call(argument, name="Inner", more=""):
        return project.sql(f"SELECT from_protobuf(X'0805', '{name}', {argument}{more}).id AS id")

    descriptors = SET.SerializeToString()
    assert call("X'%s'" % descriptors.hex()).ok().out == '{"id":5}\n'
    call("'gone.desc'").refused("no file", "gone.desc")
    call("'all.desc'", "Outer.TextsEntry").refused("no message")
    call("X'00'").refused("no set of Protobuf descriptors")
    call("X''").refused("no set of Protobuf descriptors")
    lone = descriptor_pb2.FileDescriptorSet(file=[FILES[-1]]).SerializeToString()
    call("X'%s'" % lone.hex(), "Old").refused("lack \"three.proto\"")
    new = descriptor_pb2.FileDescriptorSet(file=[descriptor_pb2.FileDescriptorProto(name="e.proto", syntax="editions")]).SerializeToString()
    call("X'%s'" % new.hex(), "Old").refused("edition")
    call("'all.desc'", more=", map('mode', 'DROPMALFORMED')").refused("DROPMALFORMED")
    call("'all.desc'", more=", map('convert.any.fields.to.json', 'true')").refused("convert.any.fields.to.json")
    call("'all.desc'", more=", map('enum.as.int', 'true')").refused("enum.as.int")


def test_a_view_is_computed_again_when_its_descriptors_change(project):
    value = message_class("a.b.Outer")(color="GREEN").SerializeToString().hex()
    project.define(f"CREATE MATERIALIZED VIEW v AS SELECT from_protobuf(X'{value}', 'Outer', 'all.desc').color AS c")

    def run():
        project.run().ok()
        return project.sql("SELECT c FROM v").ok().out, len(list(project.folder.glob("spark-warehouse/v/_delta_log/*.json")))

    first = run()
    assert first[0] == '{"c":"GREEN"}\n' and run() == first  # nothing to do
    (project.folder / "all.desc").write_bytes(SET.SerializeToString().replace(b"GREEN", b"LIGHT"))
    assert run() == ('{"c":"LIGHT"}\n', first[1] + 1)
