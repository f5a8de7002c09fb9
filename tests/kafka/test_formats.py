"""read_kafka(..., format => ...): values straight to columns; what is no record goes to the dead letters, with its place."""
import base64
import json
import os
import random
import re
import shutil
import signal
import time

import pytest

from test_read_kafka import checkpoint, source


def formatted(broker, topic, schema="id INT, s STRING", **options):
    return source(broker, topic, **{"format": "json", "schema": schema, **options})


def define(project, broker, topic, columns="*", schema="id INT, s STRING", **options):
    project.define(f"CREATE OR REFRESH STREAMING TABLE raw AS SELECT {columns} FROM STREAM {formatted(broker, topic, schema, **options)}")


def letters(project, columns="partition, offset, hex(record), reason", table="raw"):
    return project.rows(f"SELECT {columns} FROM {table}_dead_letters ORDER BY topic, partition, offset")


# ---- rows ----

def test_columns_of_the_schema_and_the_rest_of_the_record(project, broker):
    topic = broker.topic(2)
    broker.produce(topic, [{"value": '{"id":1,"s":"a"}', "key": "k", "timestamp": 1700000000123, "headers": [("h", b"x")]},
                           {"value": '\n{\n "s":"two\\nlines",\r\n "id" : 2}\n', "timestamp": 1}, {"value": '{"id":3,"new":[1]}', "partition": 1, "timestamp": 2}])
    define(project, broker, topic, "*, _metadata.offset AS o, _metadata", includeHeaders=True, rescuedDataColumn="_rescued_data")
    project.run().ok()
    project.expect("SELECT id, s, _rescued_data, o FROM raw", [[1, "a", None, 0], [2, "two\nlines", None, 1], [3, None, '{"new":[1]}', 0]])
    project.expect("SELECT hex(_metadata.key), _metadata.topic, _metadata.partition, _metadata.offset, _metadata.timestamp, _metadata.timestampType, _metadata.headers[0].key FROM raw",
                   [["6B", topic, 0, 0, "2023-11-14T22:13:20.123000Z", 0, "h"], [None, topic, 0, 1, "1970-01-01T00:00:00.001000Z", 0, None],
                    [None, topic, 1, 0, "1970-01-01T00:00:00.002000Z", 0, None]])
    project.expect(f"SELECT * FROM {formatted(broker, topic)}", [[1, "a"], [2, "two\nlines"], [3, None]])  # without _metadata
    project.expect(f"SELECT _metadata.offset FROM {formatted(broker, topic)} WHERE id = 2", [[1]])


def test_one_message_is_one_row_or_one_dead_letter(project, broker):
    """Tombstones are rows of NULLs; nothing vanishes, nothing becomes several rows."""
    values = ['{"id":1}', None, b"", " \n", '{"id":2}{"id":3}', '{"id":2}\n{"id":3}', '[{"id":4},{"id":5}]', "[]", "null", "not json", '{"id":004}', b'{"id":3,"s":"\xff\xfe"}',
              '{"id":6,"s":"open', '{"id":7}', '{"id":8,"s":"\n"}', "\ufeff{\"id\":9}", '{"id":10}']
    topic = broker.topic(2)
    broker.produce(topic, [{"value": value, "key": f"k{n}" if n % 2 else None, "timestamp": 1000 + n} for n, value in enumerate(values)] + [{"value": "{", "partition": 1}])
    define(project, broker, topic, "id, s, _metadata.offset AS o, _metadata.key AS k")
    for turn in range(2):  # the second finds nothing new
        project.run().ok()
        project.expect("SELECT id, o, CAST(k AS STRING) FROM raw", [[1, 0, None], [None, 1, "k1"], [7, 13, "k13"], [10, 16, None]])
        got = letters(project)
        assert [(partition, offset) for partition, offset, *_ in got] == [(0, n) for n in range(len(values)) if n not in (0, 1, 13, 16)] + [(1, 0)]
        for partition, offset, record, reason in got:
            value = values[offset] if partition == 0 else "{"
            assert bytes.fromhex(record) == (value if isinstance(value, bytes) else value.encode()), offset
            assert reason
    reasons = {offset: reason for _, offset, _, reason in got[:-1]}
    assert reasons[2] == reasons[3] == "an empty record" and reasons[4] == reasons[5] == "text behind the value"
    assert reasons[6] == reasons[7] == "an array, where a record is one object" and reasons[11] == "bytes that are not UTF-8"
    project.expect("SELECT topic, CAST(unix_millis(timestamp) AS BIGINT), CAST(key AS STRING), file, position, line, flow, batch FROM raw_dead_letters WHERE partition = 0 AND offset = 3",
                   [[topic, 1003, "k3", None, None, None, "spark_catalog.default.raw", 0]])
    (progress,) = project.progress()
    assert progress["numInputRows"] == len(values) + 1 and progress["sources"][0]["metrics"]["numRowsUndecodable"] == str(len(got))
    counts = project.rows("SELECT details:flow_progress.metrics.num_undecodable_rows::INT FROM event_log(TABLE(raw)) WHERE event_type = 'flow_progress'")
    assert (len(got),) in counts
    assert re.search(rf"raw_dead_letters.*\b{len(got)}\b", project.silt("show", "tables").ok().out)


@pytest.mark.parametrize("format, schema, rows, bad", [
    ("csv", "id INT, s STRING", [[1, "a"], [2, "two\nlines"], [None, None], [3, None]],
     {3: "an empty record", 4: "more than one record", 5: "bytes that are not UTF-8", 6: "a quote is not closed"}),
    ("text", None, [["1,a"], ['2,"two\nlines"\r\n'], [None], [""], ["4,x\n5,y"], ['6,"open'], ["3"]], {5: "bytes that are not UTF-8"}),
])
def test_other_formats(project, broker, format, schema, rows, bad):
    topic = broker.topic()
    broker.produce(topic, ["1,a", '2,"two\nlines"\r\n', None, b"", "4,x\n5,y", b"7,\xff", '6,"open', "3"])
    define(project, broker, topic, schema=schema, format=format)
    project.run().ok()
    project.expect("SELECT * FROM raw", rows)
    assert {offset: reason for _, offset, _, reason in letters(project)} == bad


def test_options_of_the_format(project, broker):
    topic = broker.topic()
    broker.produce(topic, ["1;'a;b';31.12.2025 10:00;-", "2;x;01.02.2026 11:30;NULL"])
    define(project, broker, topic, schema="id INT, s STRING, t TIMESTAMP, n STRING", format="csv", sep=";", quote="\\'", timestampFormat="dd.MM.yyyy HH:mm", timeZone="Europe/Berlin",
           nullValue="NULL")
    other = broker.topic()
    broker.produce(other, ['{a:1, /* c */ "s":\'x\', "d":"31/12/2025"}', '[1,{"a":2}]'])
    project.define(f"CREATE OR REFRESH STREAMING TABLE j AS SELECT * FROM STREAM {formatted(broker, other, 'a INT, s STRING, d DATE', allowComments=True, allowUnquotedFieldNames=True, dateFormat='dd/MM/yyyy')}",
                   f"CREATE OR REFRESH STREAMING TABLE v AS SELECT v:[1].a::INT AS a FROM STREAM {formatted(broker, other, None, singleVariantColumn='v')}", file="j.sql")
    project.run().ok()
    project.expect("SELECT * FROM raw", [[1, "a;b", "2025-12-31T09:00:00.000000Z", "-"], [2, "x", "2026-02-01T10:30:00.000000Z", None]])
    project.expect("SELECT * FROM j", [[1, "x", "2025-12-31"]])
    project.expect("SELECT * FROM v", [[2]])
    assert len(letters(project, table="j")) == 1 and len(letters(project, table="v")) == 1


# ---- policies ----

def test_modes(project, broker):
    topic = broker.topic()
    broker.produce(topic, ['{"id":1}', "broken", None, '{"id":"x"}', "[1]"])
    schema, place = "id INT, _corrupt_record STRING", "_metadata.offset AS o"
    project.define(f"CREATE OR REFRESH STREAMING TABLE p AS SELECT *, {place} FROM STREAM {formatted(broker, topic, schema, mode='PERMISSIVE')}",
                   f"CREATE OR REFRESH STREAMING TABLE d AS SELECT *, {place} FROM STREAM {formatted(broker, topic, 'id INT', mode='DROPMALFORMED')}")
    project.run().ok()
    project.expect("SELECT * FROM p", [[1, None, 0], [None, "broken", 1], [None, None, 2], [None, '{"id":"x"}', 3], [None, "[1]", 4]])
    project.expect("SELECT * FROM d", [[1, 0], [None, 2]])
    define(project, broker, topic, mode="FAILFAST")
    project.run().refused(f"{topic}-0, offset 1: a record that cannot be read", code=1)
    project.conf["silt.deadLetters"] = "spark"
    project.write_spec()
    project.define(f"CREATE OR REFRESH STREAMING TABLE s AS SELECT * FROM STREAM {formatted(broker, topic, 'id INT')}",
                   f"CREATE OR REFRESH STREAMING TABLE bytes AS SELECT offset FROM STREAM {source(broker, topic)}",
                   "CREATE OR REFRESH MATERIALIZED VIEW numbers AS SELECT * FROM range(3)")
    project.run().ok()
    project.expect("SELECT * FROM s", [[1], [None], [None], [None], [None]])
    project.expect("SELECT count(*) FROM bytes", [[5]])
    project.conf["silt.deadLetters"] = "count"
    project.write_spec()
    project.define(f"CREATE OR REFRESH STREAMING TABLE c AS SELECT * FROM STREAM {formatted(broker, topic, 'id INT')}")
    project.run().ok()
    project.expect("SELECT * FROM c", [[1], [None], [None]])
    project.sql("SELECT * FROM c_dead_letters").refused("TABLE_OR_VIEW_NOT_FOUND|no table", code=2)


def test_a_long_message_is_a_dead_letter(project, broker):
    topic = broker.topic()
    long = '{"id":2,"s":"%s"}' % ("x" * 200_000)
    broker.produce(topic, ['{"id":1,"s":"a"}', long, '{"id":3,"s":"b"}', {"value": None}, '{"id":4,"s":"%s"}' % ("y" * 900)])
    define(project, broker, topic, maxRecordSize="100k")
    project.run().ok()
    project.expect("SELECT id, length(s) FROM raw", [[1, 1], [3, 1], [None, None], [4, 900]])
    assert letters(project, "offset, CAST(record AS STRING), reason") == [(1, long, "a record longer than maxRecordSize")]


def test_refused_rows_say_where_they_come_from(project, broker):
    topic = broker.topic(2)
    broker.produce(topic, [{"value": json.dumps({"id": n}), "partition": n % 2} for n in range(6)])
    project.conf["silt.quarantine"] = "table"
    project.write_spec()
    project.define(f"CREATE OR REFRESH STREAMING TABLE raw (CONSTRAINT low EXPECT (id < 4) ON VIOLATION DROP ROW) AS SELECT * FROM STREAM {formatted(broker, topic, 'id INT')}")
    project.run().ok()
    project.expect("SELECT id, _silt_file, _silt_position, _silt_topic, _silt_partition, _silt_offset FROM raw_quarantine", [[4, None, None, topic, 0, 2], [5, None, None, topic, 1, 2]])
    project.define(f"CREATE OR REFRESH STREAMING TABLE f (CONSTRAINT low EXPECT (id < 5) ON VIOLATION FAIL UPDATE) AS SELECT * FROM STREAM {formatted(broker, topic, 'id INT')}")
    project.run().refused(f'of topic "{topic}", partition 1, offset 2', code=1)


def without_columns(table, *names):
    """A table as it was before it had these columns."""
    log = table / "_delta_log/00000000000000000000.json"
    actions = [json.loads(line) for line in log.read_text().splitlines()]
    (metadata,) = (action["metaData"] for action in actions if "metaData" in action)
    schema = json.loads(metadata["schemaString"])
    schema["fields"] = [field for field in schema["fields"] if field["name"] not in names]
    metadata["schemaString"] = json.dumps(schema)
    log.write_text("".join(json.dumps(action) + "\n" for action in actions))
    for crc in log.parent.glob("*.crc"):
        crc.unlink()


def test_side_tables_of_files_grow_when_a_topic_comes(project, broker):
    topic = broker.topic()
    broker.produce(topic, ['{"id":2}', "bad", '{"id":8}'])
    project.file("in/a.json", '{"id":1}\nbroken\n{"id":7}\n')
    project.conf["silt.quarantine"] = "table"
    project.write_spec()
    target = "CREATE OR REFRESH STREAMING TABLE t (CONSTRAINT low EXPECT (id < 5) ON VIOLATION DROP ROW)"
    files = "CREATE FLOW files AS INSERT INTO t BY NAME SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id INT')"
    project.define(target, files)
    project.run().ok()
    without_columns(project.table("t_dead_letters"), "topic", "partition", "offset", "timestamp", "key")
    without_columns(project.table("t_quarantine"), "_silt_topic", "_silt_partition", "_silt_offset")
    project.expect("SELECT reason FROM t_dead_letters", [["a record that is no object"]])
    project.define(target, files, f"CREATE FLOW messages AS INSERT INTO t BY NAME SELECT id FROM STREAM {formatted(broker, topic, 'id INT')}")
    project.file("in/b.json", '{"id":3}\nbroken too\n')
    project.run().ok()
    project.expect("SELECT id FROM t", [[1], [2], [3]])
    project.expect("SELECT file IS NOT NULL, position, topic, partition, offset, CAST(record AS STRING) FROM t_dead_letters",
                   [[True, 9, None, None, None, "broken"], [True, 9, None, None, None, "broken too"], [False, None, topic, 0, 1, "bad"]])
    project.expect("SELECT id, _silt_file IS NOT NULL, _silt_position, _silt_topic, _silt_partition, _silt_offset FROM t_quarantine",
                   [[7, True, 16, None, None, None], [8, False, None, topic, 0, 2]])


def test_a_view_has_the_dead_letters_of_its_content(project, broker):
    topic = broker.topic()
    broker.produce(topic, ['{"id":1}', "bad"])
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT count(*) AS n, max(_metadata.offset) AS o FROM {formatted(broker, topic)}")
    for turn in range(2):
        project.run().ok()
        project.expect("SELECT * FROM v", [[1 + turn, 2 * turn]])
        assert letters(project, "offset, reason", "v") == [(1, "a record that is no object")]
        broker.produce(topic, ['{"id":2}'])


# ---- exactly once ----

def test_killed_at_any_moment_rows_and_dead_letters_are_there_once(project, broker):
    kills, rng = int(os.environ.get("SILT_KAFKA_KILLS", "6")), random.Random(int(os.environ.get("SILT_SEED", "1")))
    topic, sent = broker.topic(3), 0
    define(project, broker, topic, "id, _metadata.partition AS p, _metadata.offset AS o", maxOffsetsPerTrigger=150)
    for kill in range(kills):
        broker.produce(topic, [{"value": f'{{"id":{n}}}' if n % 5 else f"bad {n}", "partition": n % 3} for n in range(sent, sent + 300)])
        sent += 300
        running = project.start()
        time.sleep(rng.uniform(0.0, 0.4))
        running.send_signal(signal.SIGKILL)
        running.wait()
    project.run().ok()
    project.expect("SELECT count(*), count(DISTINCT id), count(DISTINCT p, o) FROM raw", [[sent - sent // 5] * 3])
    project.expect("SELECT count(*), count(DISTINCT partition, offset), count(DISTINCT record) FROM raw_dead_letters", [[sent // 5] * 3])


def test_a_table_is_computed_again_and_its_checkpoint_built_again(project, broker):
    topic = broker.topic(2)
    define(project, broker, topic, "*, _metadata.timestamp AS t", maxOffsetsPerTrigger=4)
    for turn in range(2):
        broker.produce(topic, [{"value": f'{{"id":{n}}}' if n % 3 else "bad", "partition": n % 2} for n in range(10)])
        project.run().ok()
    audit = project.silt("audit", "raw").ok()
    assert "12 rows: equal" in audit.out + audit.err, audit.out + audit.err
    shutil.rmtree(project.folder / "storage/_checkpoints")
    project.silt("recover", "raw").ok()
    broker.produce(topic, ["last"])
    project.run().ok()
    project.expect("SELECT count(*) FROM raw", [[12]])
    assert len(letters(project)) == 9


# ---- the same as files ----

def mutated(rng):
    """JSON that something has happened to: what a message may be, in one line."""
    value = {name: rng.choice([1, -7, 2**40, 1.5, True, None, "x", "é\u00a0", "a\\b\"c", "2026-01-01", [1, 2], {"y": 3}, {"id": [{}]}, "NaN"]) for name in
             rng.sample(["id", "s", "d", "t", "o", "z"], rng.randrange(5))}
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5).encode()
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        at = rng.randrange(len(text) + 1)
        what = rng.randrange(4)
        if what == 0:
            text = text[:at] + text[at + 1:]
        elif what == 1:
            text = text[:at] + bytes([rng.choice(b'{}[]:,"\'\\ 0e\x00\x01\t\xff\xc3/*')]) + text[at:]
        elif what == 2:
            text = text[:at] + text[at + rng.randrange(9):]
        else:
            text = text[:at]
    return text.replace(b"\r", b"").replace(b"\n", b"")


def test_a_message_is_read_as_a_line_of_a_file_is(project, broker):
    rng = random.Random(int(os.environ.get("SILT_SEED", "1")))
    values = [value for value in (mutated(rng) for _ in range(4000)) if value.strip(b" \t") and not value.lstrip(b" \t").startswith(b"[")]  # an array is several lines' worth
    topic = broker.topic()
    broker.produce(topic, values)
    project.file("in/a.json", b"\n" + b"\n".join(values) + b"\n")  # the first line is blank: a byte order mark at the top of a file is none of the record
    schema = "id BIGINT, s STRING, d DOUBLE, t DATE, o STRUCT<y: INT>"
    reader = f"format => 'json', schema => '{schema}', rescuedDataColumn => '_rescued_data'"
    project.define(f"CREATE OR REFRESH STREAMING TABLE f AS SELECT * FROM STREAM read_files('in', {reader})",
                   f"CREATE OR REFRESH STREAMING TABLE k AS SELECT *, _metadata.offset AS at FROM STREAM {formatted(broker, topic, schema, rescuedDataColumn='_rescued_data')}")
    project.run().ok()
    columns = "id, s, CAST(d AS STRING), t, o"
    lines = [(*row, rescued and re.sub(r',"_file_path":"[^"]*"}$', "}", rescued)) for *row, rescued in project.rows(f"SELECT {columns}, _rescued_data FROM f")]
    messages = project.rows(f"SELECT {columns}, _rescued_data FROM k ORDER BY at")
    assert len(messages) > 1000 and sorted(map(repr, lines)) == sorted(map(repr, messages))
    bad = project.rows("SELECT hex(record), reason FROM f_dead_letters ORDER BY line")
    assert len(bad) > 300
    stripped = [(bytes.fromhex(record).strip(b" \t").hex(), reason) for record, reason in letters(project, "hex(record), reason", "k")]
    assert [(bytes.fromhex(record).strip(b" \t").hex(), reason) for record, reason in bad] == stripped


# ---- mistakes ----

@pytest.mark.parametrize("options, words", [
    ("format => 'json'", r"needs a schema"),
    ("format => 'csv'", r"needs a schema"),
    ("schema => 'id INT'", "schema says how values are decoded, and there is no format"),
    ("mode => 'FAILFAST'", "mode says how values are decoded"),
    ("schemaEvolutionMode => 'rescue'", "schemaEvolutionMode says how"),
    ("format => 'parquet', schema => 'id INT'", 'values of format "parquet"'),
    ("format => 'orc', schema => 'id INT'", 'values of format "orc"'),
    ("format => 'json', schema => 'id INT', schemaEvolutionMode => 'addNewColumns'", "addNewColumns is for an inferred schema"),
    ("format => 'json', schema => 'id INT', schemaEvolutionMode => 'failOnNewColumns'", "failOnNewColumns is for an inferred schema"),
    ("format => 'json', schema => 'id INT', header => true", 'header'),
    ("format => 'csv', schema => 'id INT', header => true", 'header'),
    ("format => 'csv', schema => 'id INT', skipRows => 1", 'skipRows'),
    ("format => 'csv', schema => 'id INT', comment => '#'", 'comment'),
    ("format => 'json', schema => 'id INT', lineSep => '|'", 'lineSep'),
    ("format => 'json', schema => 'id INT', schemaHints => 'id INT'", 'schemaHints'),
    ("format => 'json', schema => 'id INT', encoding => 'UTF-16'", 'encoding'),
    ("format => 'json', schema => 'id INT, ID STRING'", '"ID" twice'),
    ("format => 'json', schema => 'id INT, _metadata STRING'", '"_metadata" twice'),
    ("format => 'json', schema => 'id INTT'", "id INTT"),
    ("format => 'json', schema => 'id INT', mode => 'LENIENT'", "PERMISSIVE"),
    ("format => 'json', schema => 'id INT', timestampFormat => 'bbb'", "timestampFormat|pattern"),
    ("format => 'text', schema => 'line STRING'", 'value STRING'),
    ("format => 'text', schemaEvolutionMode => 'rescue'", 'no fields to rescue'),
    ("format => 'json', schema => 'id INT', noSuchOption => 1", 'noSuchOption'),
])
def test_a_mistake_is_told_before_anything_is_reached(project, options, words):
    project.define(f"CREATE OR REFRESH STREAMING TABLE t AS SELECT * FROM STREAM read_kafka(bootstrapServers => 'h:1', subscribe => 't', {options})")
    project.silt("dry-run").refused(words, r"pipeline.sql:1:\d+")


def test_values_that_are_gzip_themselves(project, broker):
    """Whole members only; what is no gzip, cut, changed, or too long when unpacked is a dead letter with the bytes that came."""
    import gzip
    pack = lambda text: gzip.compress(text.encode(), mtime=0)  # noqa: E731
    good = pack('{"id":1,"s":"a"}')
    long = pack(json.dumps({"id": 2, "s": "x" * 300000}))
    members = pack('{"id":3,') + pack('"s":"two members"}')
    changed = good[:-6] + bytes([good[-6] ^ 1]) + good[-5:]  # of its checksum
    values = [good, None, long, members, b"", b'{"id":9}', good[:-1], good[:5], changed, good + b"x", pack(""), pack("no json"), pack(json.dumps({"s": "y" * 3000000})), good]
    topic = broker.topic()
    broker.produce(topic, [{"value": value} for value in values])
    define(project, broker, topic, "id, length(s) AS n, _metadata.offset AS o", compression="gzip", maxRecordSize="1m")
    project.run().ok()
    project.expect("SELECT id, n, o FROM raw", [[1, 1, 0], [None, None, 1], [2, 300000, 2], [3, 11, 3], [1, 1, 13]])
    got = letters(project)
    assert [(offset, bytes.fromhex(record)) for _, offset, record, _ in got if offset != 12] == [(n, values[n]) for n in (4, 5, 6, 7, 8, 9, 10, 11)]
    reasons = {offset: reason for _, offset, _, reason in got}
    assert all("no gzip, or damaged" in reasons[n] for n in range(4, 10)) and "maxRecordSize" in reasons[12] and "gzip" not in reasons[11]
    project.define(f"CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM {source(broker, topic, compression='gzip')}")
    project.silt("dry-run").refused("compression says how values are decoded, and there is no format")
