"""from_avro and to_avro against another writer and reader of Avro: schemas and values at random, the same ones at each run."""
import base64
import datetime
import io
import json
import random
import struct
from decimal import Decimal

import fastavro
import pytest

UTC = datetime.timezone.utc


class Maker:
    """Schemas and values of them. Unions have null and one type: those of several types cannot be written."""

    def __init__(self, seed):
        self.random, self.names = random.Random(seed), 0

    def name(self):
        self.names += 1
        return f"n{self.names}"

    def scalar(self):
        r = self.random
        precision = r.randint(1, 38)
        decimal = {"logicalType": "decimal", "precision": precision, "scale": r.randint(0, precision)}
        return r.choice(["boolean", "int", "long", "float", "double", "bytes", "string", {"type": "int", "logicalType": "date"}, {"type": "long", "logicalType": "timestamp-millis"},
                         {"type": "long", "logicalType": "timestamp-micros"}, {"type": "long", "logicalType": "local-timestamp-micros"}, {"type": "bytes", **decimal},
                         {"type": "fixed", "name": self.name(), "size": 17, **decimal}, {"type": "fixed", "name": self.name(), "size": r.randint(0, 20)},
                         {"type": "enum", "name": self.name(), "symbols": ["A", "B", "C"]}])

    def schema(self, depth=0):
        r = self.random
        kind = r.choice(["scalar", "scalar", "record", "array", "map", "null"]) if depth < 4 else "scalar"
        if kind == "record":
            return {"type": "record", "name": self.name(), "fields": [{"name": f"f{i}", "type": self.schema(depth + 1)} for i in range(r.randint(1, 5))]}
        if kind == "array":
            return {"type": "array", "items": self.schema(depth + 1)}
        if kind == "map":
            return {"type": "map", "values": self.schema(depth + 1)}
        if kind == "null":
            inner = self.schema(depth + 1)
            if not isinstance(inner, list):
                return r.choice([["null", inner], [inner, "null"]])
            return inner
        return self.scalar()

    def text(self):
        return "".join(self.random.choice("aZ 0'\"\\é€😀\n\t\x01") for _ in range(self.random.choice([0, 1, 3, 12, 13, 40])))

    def value(self, schema):
        r = self.random
        if isinstance(schema, list):
            return None if r.random() < 0.3 else self.value(next(branch for branch in schema if branch != "null"))
        kind = schema if isinstance(schema, str) else schema["type"]
        logical = None if isinstance(schema, str) else schema.get("logicalType")
        if logical == "decimal":
            return Decimal((r.random() < 0.5, tuple(r.randint(0, 9) for _ in range(r.randint(1, schema["precision"]))), -schema["scale"]))
        if logical == "date":
            return datetime.date.fromordinal(r.randint(1, 3652059))
        if logical:
            when = datetime.datetime(1, 1, 1) + datetime.timedelta(milliseconds=r.randint(0, 315537897599999), microseconds=0 if "millis" in logical else r.randint(0, 999))
            return when if logical.startswith("local") else when.replace(tzinfo=UTC)
        return {"boolean": lambda: r.random() < 0.5,
                "int": lambda: r.choice([0, -1, 1, 63, 64, -64, -65, 2**31 - 1, -2**31, r.randint(-2**31, 2**31 - 1)]),
                "long": lambda: r.choice([0, -1, 2**63 - 1, -2**63, r.randint(-2**63, 2**63 - 1), r.randint(-300, 300)]),
                "float": lambda: struct.unpack("f", struct.pack("f", r.choice([0.0, -0.0, 1.5, -1e30, r.random()])))[0],
                "double": lambda: r.choice([0.0, -0.0, 1e308, 5e-324, r.random()]),
                "bytes": lambda: r.randbytes(r.choice([0, 1, 12, 13, 50])),
                "string": self.text,
                "fixed": lambda: r.randbytes(schema["size"]),
                "enum": lambda: r.choice(schema["symbols"]),
                "array": lambda: [self.value(schema["items"]) for _ in range(r.choice([0, 1, 2, 5]))],
                "map": lambda: {f"k{i}" + self.text(): self.value(schema["values"]) for i in range(r.choice([0, 1, 3]))},
                "record": lambda: {field["name"]: self.value(field["type"]) for field in schema["fields"]}}[kind]()


def written(schema, value):
    out = io.BytesIO()
    fastavro.schemaless_writer(out, schema, value)
    return out.getvalue()


def printed(schema, value):
    """A value as Silt prints it as JSON, numbers as Python has them."""
    if value is None:
        return None
    if isinstance(schema, list):
        return printed(next(branch for branch in schema if branch != "null"), value)
    kind = schema if isinstance(schema, str) else schema["type"]
    if isinstance(value, datetime.datetime):
        text = "%04d-%02d-%02dT%02d:%02d:%02d.%06d" % (value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond)
        return text + ("Z" if value.tzinfo else "")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if kind == "record":
        return {field["name"]: printed(field["type"], value[field["name"]]) for field in schema["fields"]}
    if kind == "array":
        return [printed(schema["items"], item) for item in value]
    if kind == "map":
        return {key: printed(schema["values"], item) for key, item in value.items()}
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value


def read_back(schema, json_value):
    """What Silt printed, with floats as narrow as the schema says."""
    if isinstance(schema, list) and json_value is not None:
        return read_back(next(branch for branch in schema if branch != "null"), json_value)
    kind = schema if isinstance(schema, (str, list)) else schema["type"]
    if json_value is None:
        return None
    if kind == "float":
        return struct.unpack("f", struct.pack("f", float(json_value)))[0]
    if kind == "double":
        return float(json_value)
    if kind == "record":
        return {field["name"]: read_back(field["type"], json_value[field["name"]]) for field in schema["fields"]}
    if kind == "array":
        return [read_back(schema["items"], item) for item in json_value]
    if kind == "map":
        return {key: read_back(schema["values"], item) for key, item in json_value.items()}
    return json_value


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


@pytest.mark.parametrize("seed", range(6))
def test_values_are_read_and_written_as_another_library_does(project, seed):
    maker = Maker(seed)
    for _ in range(12):
        schema = maker.schema()
        parsed, text = fastavro.parse_schema(schema), quoted(json.dumps(schema))
        values = [maker.value(schema) for _ in range(12)]
        data = [written(parsed, value) for value in values]
        rows = ", ".join(f"({n}, X'{item.hex()}')" for n, item in enumerate(data))
        query = f"SELECT n, v, hex(to_avro(v, {text})) AS w FROM (SELECT n, from_avro(b, {text}) AS v FROM VALUES {rows} AS t(n, b)) ORDER BY n"
        got = [json.loads(line, parse_float=Decimal) for line in project.sql(query).ok().out.splitlines()]
        assert len(got) == len(values)
        for row, value, item in zip(got, values, data):
            back = fastavro.schemaless_reader(io.BytesIO(item), parsed)
            assert read_back(schema, row["v"]) == printed(schema, back), (schema, item.hex())
            if back is None:
                assert row["w"] is None
            else:
                assert fastavro.schemaless_reader(io.BytesIO(bytes.fromhex(row["w"])), parsed) == back, (schema, item.hex(), row["w"])
                assert row["w"] == item.hex().upper(), (schema, item.hex())


@pytest.mark.parametrize("seed", range(3))
def test_bytes_of_no_schema_are_null_or_refused(project, seed):
    """Mutated values: no crash, no row too many, and what is left of a broken value is in none of its neighbours."""
    maker = Maker(100 + seed)
    for _ in range(6):
        schema = maker.schema()
        parsed, text = fastavro.parse_schema(schema), quoted(json.dumps(schema))
        rows = []
        for n in range(40):
            good = written(parsed, maker.value(schema))
            bad = bytearray(good)
            for _ in range(maker.random.randint(1, 4)):
                if bad:
                    bad[maker.random.randrange(len(bad))] = maker.random.randrange(256)
            rows += [good, bytes(bad[:maker.random.randint(0, len(bad))])]
        table = ", ".join(f"({n}, X'{item.hex()}')" for n, item in enumerate(rows))
        query = f"SELECT n, from_avro(b, {text}, map('mode', 'PERMISSIVE')) AS w FROM VALUES {table} AS t(n, b) ORDER BY n"
        run = project.sql(query).ok()
        got = [json.loads(line, parse_float=Decimal) for line in run.out.splitlines()]
        assert [row["n"] for row in got] == list(range(80))
        for row, item in list(zip(got, rows))[::2]:
            assert read_back(schema, row["w"]) == printed(schema, fastavro.schemaless_reader(io.BytesIO(item), parsed)), schema
