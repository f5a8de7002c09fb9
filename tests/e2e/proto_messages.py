"""Descriptors and random messages by Google's library, and what Spark makes of them (its SchemaConverters and ProtobufDeserializer, spelled out here)."""
import base64
import math
import random
import struct

from google.protobuf import descriptor_pb2, descriptor_pool, duration_pb2, message_factory, timestamp_pb2, wrappers_pb2
from google.protobuf.descriptor import FieldDescriptor as F

NUMBERS = {"double": 1, "float": 2, "int64": 3, "uint64": 4, "int32": 5, "fixed64": 6, "fixed32": 7, "bool": 8, "string": 9, "group": 10, "bytes": 12, "uint32": 13,
           "sfixed32": 15, "sfixed64": 16, "sint32": 17, "sint64": 18}
SCALARS = [name for name in NUMBERS if name != "group"]


def field(message, name, number, kind, repeated=False, required=False, **more):
    """kind: a scalar's name, or enum:.full.Name, message:.full.Name, group:.full.Name"""
    made = message.field.add(name=name, number=number, label=3 if repeated else 2 if required else 1, **more)
    kind, _, named = kind.partition(":")
    made.type = {"enum": 14, "message": 11}.get(kind) or NUMBERS[kind]
    if named:
        made.type_name = named
    return made


def make_files():
    """proto3 and proto2, the one importing the other, with everything that a message may hold."""
    known = []
    for module in (timestamp_pb2, duration_pb2, wrappers_pb2):
        known.append(descriptor_pb2.FileDescriptorProto.FromString(module.DESCRIPTOR.serialized_pb))
    three = descriptor_pb2.FileDescriptorProto(name="three.proto", package="a.b", syntax="proto3", dependency=[one.name for one in known])
    color = three.enum_type.add(name="Color")
    for name, number in (("RED", 0), ("GREEN", 1), ("BLUE", -5)):
        color.value.add(name=name, number=number)
    inner = three.message_type.add(name="Inner")
    field(inner, "id", 1, "int32")
    field(inner, "names", 2, "string", repeated=True)
    outer = three.message_type.add(name="Outer")
    for i, kind in enumerate(SCALARS):
        field(outer, f"f_{kind}", 40 - i, kind)  # not in the order of their numbers
        field(outer, f"r_{kind}", 101 + i, kind, repeated=True)
    field(outer, "color", 50, "enum:.a.b.Color")
    field(outer, "colors", 51, "enum:.a.b.Color", repeated=True)
    field(outer, "inner", 52, "message:.a.b.Inner")
    field(outer, "inners", 53, "message:.a.b.Inner", repeated=True)
    field(outer, "at", 54, "message:.google.protobuf.Timestamp")
    field(outer, "took", 55, "message:.google.protobuf.Duration")
    field(outer, "times", 56, "message:.google.protobuf.Timestamp", repeated=True)
    field(outer, "maybe", 57, "int32", oneof_index=1, proto3_optional=True)
    field(outer, "one_id", 58, "int64", oneof_index=0)
    field(outer, "one_text", 59, "string", oneof_index=0)
    field(outer, "one_inner", 60, "message:.a.b.Inner", oneof_index=0)
    outer.oneof_decl.add(name="one")
    outer.oneof_decl.add(name="_maybe")
    for name, number, key, value in (("texts", 61, "string", "string"), ("inner_by_id", 62, "int32", "message:.a.b.Inner"), ("colors_by_flag", 63, "bool", "enum:.a.b.Color")):
        entry = outer.nested_type.add(name="".join(word.capitalize() for word in name.split("_")) + "Entry")
        entry.options.map_entry = True
        field(entry, "key", 1, key)
        field(entry, "value", 2, value)
        field(outer, name, number, f"message:.a.b.Outer.{entry.name}", repeated=True)
    for i, wrapper in enumerate(("BoolValue", "Int32Value", "UInt32Value", "Int64Value", "UInt64Value", "FloatValue", "DoubleValue", "StringValue", "BytesValue")):
        field(outer, f"w_{wrapper}", 70 + i, f"message:.google.protobuf.{wrapper}")
    three.message_type.add(name="Nothing")
    tree = three.message_type.add(name="Tree")
    field(tree, "v", 1, "int32")
    field(tree, "left", 2, "message:.a.b.Tree")
    field(tree, "children", 3, "message:.a.b.Tree", repeated=True)
    field(tree, "empty", 4, "message:.a.b.Nothing")
    two = descriptor_pb2.FileDescriptorProto(name="two.proto", package="c", syntax="proto2", dependency=["three.proto"])
    size = two.enum_type.add(name="Size")
    size.value.add(name="SMALL", number=3)
    size.value.add(name="LARGE", number=4)
    old = two.message_type.add(name="Old")
    field(old, "id", 1, "int64", required=True)
    field(old, "n", 2, "int32", default_value="-7")
    field(old, "x", 3, "double", default_value="inf")
    field(old, "s", 4, "string", default_value="hé")
    field(old, "b", 5, "bytes", default_value="a\\001\\n\\\\")
    field(old, "flag", 6, "bool", default_value="true")
    field(old, "size", 7, "enum:.c.Size", default_value="LARGE")
    field(old, "sizes", 8, "enum:.c.Size", repeated=True)
    field(old, "plain", 9, "uint32")
    field(old, "packed", 10, "sint32", repeated=True).options.packed = True
    field(old, "inner", 11, "message:.a.b.Inner")
    part = old.nested_type.add(name="Part")
    field(part, "a", 1, "int32")
    field(old, "part", 12, "group:.c.Old.Part", repeated=True)
    return known + [three, two]


FILES = make_files()
SET = descriptor_pb2.FileDescriptorSet(file=FILES)
POOL = descriptor_pool.DescriptorPool()
for one in FILES:
    POOL.Add(one)


def message_class(name):
    return message_factory.GetMessageClass(POOL.FindMessageTypeByName(name))


# ---- random messages ----

def random_scalar(rng, f):
    kind = f.type
    if kind in (F.TYPE_DOUBLE, F.TYPE_FLOAT):
        value = rng.choice([0.0, -0.0, 1.5, -2.25, 1e30, float("nan"), float("inf"), rng.random()])
        return struct.unpack("<f", struct.pack("<f", value))[0] if kind == F.TYPE_FLOAT else value
    if kind == F.TYPE_BOOL:
        return rng.random() < 0.5
    if kind == F.TYPE_STRING:
        return rng.choice(["", "a", "ünïcode ☃", "x" * rng.randrange(200)])
    if kind == F.TYPE_BYTES:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(20)))
    if kind == F.TYPE_ENUM:
        numbers = [value.number for value in f.enum_type.values]
        return rng.choice(numbers + ([] if f.enum_type.is_closed else [77]))
    bits = 32 if f.cpp_type in (F.CPPTYPE_INT32, F.CPPTYPE_UINT32) else 64
    signed = f.cpp_type in (F.CPPTYPE_INT32, F.CPPTYPE_INT64)
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return rng.choice([0, 1, least, most, rng.randrange(least, most + 1)])


def is_entry(f):
    return f.type == F.TYPE_MESSAGE and f.message_type.GetOptions().map_entry


def fill(rng, message, depth=0):
    if message.DESCRIPTOR.name in ("Timestamp", "Duration"):
        message.seconds, message.nanos = rng.choice([0, 1, -1, 1_700_000_000, -62_000_000_000]), rng.choice([0, 999, 1000, 999_999_999])
        return message
    for f in message.DESCRIPTOR.fields:
        if not getattr(f, "is_required", False) and rng.random() < 0.4:
            continue
        if is_entry(f):
            key, value = f.message_type.fields_by_name["key"], f.message_type.fields_by_name["value"]
            for _ in range(rng.randrange(3)):
                if value.message_type:
                    fill(rng, getattr(message, f.name)[random_scalar(rng, key)], depth + 1)
                else:
                    getattr(message, f.name)[random_scalar(rng, key)] = random_scalar(rng, value)
        elif f.is_repeated:
            for _ in range(rng.randrange(4)):
                if f.message_type:
                    fill(rng, getattr(message, f.name).add(), depth + 1)
                else:
                    getattr(message, f.name).append(random_scalar(rng, f))
        elif f.message_type:
            inner = getattr(message, f.name)
            inner.SetInParent()
            if depth < 4:
                fill(rng, inner, depth + 1)
        else:
            setattr(message, f.name, random_scalar(rng, f))
    return message


# ---- what Spark makes of a message, as `silt sql --format json` shows it ----

def number(value):
    return "NaN" if value != value else "Infinity" if value == float("inf") else "-Infinity" if value == float("-inf") else value


def timestamp(message):
    from datetime import datetime, timedelta
    us = message.seconds * 1_000_000 + (message.nanos // 1000 if message.nanos >= 0 else -(-message.nanos // 1000))
    at = datetime(1970, 1, 1) + timedelta(microseconds=us)
    return at.strftime("%Y").zfill(4) + at.strftime("-%m-%dT%H:%M:%S.%fZ")


def duration(message):
    us = message.seconds * 1_000_000 + int(message.nanos / 1000)
    sign, us = "-" if us < 0 else "", abs(us)
    days, us = divmod(us, 86_400_000_000)
    hours, us = divmod(us, 3_600_000_000)
    minutes, us = divmod(us, 60_000_000)
    seconds, us = divmod(us, 1_000_000)
    fraction = ".%06d" % us if us else ""
    return f"INTERVAL '{sign}{days} {hours:02d}:{minutes:02d}:{seconds:02d}{fraction.rstrip('0')}' DAY TO SECOND"


def scalar(f, value, o):
    if f.type in (F.TYPE_DOUBLE, F.TYPE_FLOAT):
        return number(value)
    if f.type == F.TYPE_BYTES:
        return base64.b64encode(value).decode()
    if f.type == F.TYPE_ENUM:
        known = f.enum_type.values_by_number.get(value)
        return value if o.get("enums.as.ints") else known.name if known else f"UNKNOWN_ENUM_VALUE_{f.enum_type.name}_{value}"
    upcast = o.get("upcast.unsigned.ints")
    if f.type == F.TYPE_FIXED32 or (f.type == F.TYPE_UINT32 and not upcast):
        return value - (1 << 32) if value >= 1 << 31 else value
    if f.type == F.TYPE_FIXED64 or (f.type == F.TYPE_UINT64 and not upcast):
        return value - (1 << 64) if value >= 1 << 63 else value
    return value


def one(f, value, o):
    if not f.message_type:
        return scalar(f, value, o)
    if f.message_type.name == "Timestamp":
        return timestamp(value)
    if f.message_type.name == "Duration":
        return duration(value)
    if o.get("unwrap.primitive.wrapper.types") and f.message_type.full_name.startswith("google.protobuf."):
        return scalar(f.message_type.fields[0], value.value, o)
    return row(value, o)


def text(key):
    return "true" if key is True else "false" if key is False else str(key)


def row(message, o):
    out = {}
    for f in message.DESCRIPTOR.fields:
        value = getattr(message, f.name)
        if is_entry(f):
            held = f.message_type.fields_by_name["value"]
            out[f.name] = {text(key): one(held, value[key], o) for key in value}
        elif f.is_repeated:
            out[f.name] = [one(f, element, o) for element in value]
        elif f.message_type or f.has_presence:
            out[f.name] = one(f, value, o) if message.HasField(f.name) or (f.has_default_value and not f.message_type) else None
        else:
            unset = value in (0, "", b"", False) and not (isinstance(value, float) and struct.pack("<d", value) != bytes(8))
            out[f.name] = None if unset and not o.get("emit.default.values") else scalar(f, value, o)
    return out


def messages(name, count, seed):
    rng = random.Random(seed)
    return [fill(rng, message_class(name)()) for _ in range(count)]


def close(a, b):
    """Equal; a float is shown with as few digits as tell it from other floats."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(close(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, float) or isinstance(b, float):
        return (a == b and math.copysign(1, a) == math.copysign(1, b)) or (abs(a - b) <= abs(a) * 6e-8)
    return a == b and type(a) is type(b)
