"""Stream = batch = Spark: random files cut into random batches give the table that Spark gives over the same files."""
import json
import os
import random
from collections import Counter

import pytest

SCHEMA = "id BIGINT, whole INT, fraction DOUBLE, exact DECIMAL(12,3), text STRING, flag BOOLEAN, day DATE, at TIMESTAMP, list ARRAY<INT>, record STRUCT<a: INT, b: STRING>"
FIELDS = {
    "whole": [0, 1, -1, 2147483647, -2147483648, 2147483648, 1.0, 1.5, "7", "x", True, None, [1], {"a": 1}],
    "fraction": [0.0, -0.0, 1.5, 1e300, 1e-300, 3, "NaN", "Infinity", "x", None, False, [1.5]],
    "exact": [0, 1, 1.5, 123456789.123, 1234567890.5, 0.0005, 0.0015, "1.25", "x", None, True],
    "text": ["", "a", "é日本😀", "line\nbreak", 'quo"te', 5, 1.50, True, None, [1, 2], {"k": "v"}],
    "flag": [True, False, "true", "x", 1, None],
    "day": ["2026-01-31", "0001-01-01", "9999-12-31", "2026-02-30", "2026-1-1", "x", 5, None],
    "at": ["2026-01-31T10:00:00Z", "2026-01-31 10:00:00.123456", "2026-01-31T10:00:00+05:30", "2026-01-31", "x", 1767225600, None],
    "list": [[], [1], [1, None, 3], ["x"], [1.5], 5, None, {"a": 1}],
    "record": [{}, {"a": 1}, {"a": 1, "b": "x"}, {"b": None, "c": 1}, {"a": "x"}, [1], 5, None],
}


def random_record(dice, id):
    record = {"id": id}
    for name, values in FIELDS.items():
        if dice.random() < 0.8:
            record[name] = dice.choice(values)
    if dice.random() < 0.1:
        record["unknown"] = dice.choice([1, "x", {"deep": [1]}])
    items = list(record.items())
    dice.shuffle(items)
    return json.dumps(dict(items), ensure_ascii=dice.random() < 0.5)


def as_text(rows):
    return Counter(json.dumps(row, sort_keys=True) for row in rows)


@pytest.mark.parametrize("seed", range(int(os.environ.get("SILT_SEEDS", "5"))))
def test_random_json_files_give_what_spark_gives(project, spark, seed):
    dice = random.Random(seed)
    project.define(f"CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json', maxFilesPerTrigger => 2, schema => '{SCHEMA}')")
    id = 0
    for number in range(6):
        lines = []
        for _ in range(dice.randrange(1, 60)):
            lines.append(random_record(dice, id))
            id += 1
        project.file(f"in/{dice.randrange(1000):03}-{number}.json", "\n".join(lines) + ("\n" if dice.random() < 0.8 else ""))
        if dice.random() < 0.5:
            project.run().ok()
    project.run().ok()
    columns = ["id", "whole", "CAST(fraction AS STRING) AS fraction", "CAST(exact AS STRING) AS exact", "text", "flag", "CAST(day AS STRING) AS day",
               "unix_micros(at) AS at", "to_json(list) AS list", "to_json(record) AS record"]
    select = f"SELECT {', '.join(columns)} FROM "
    spark.read.schema(SCHEMA).json(str(project.folder / "in")).createOrReplaceTempView("by_spark")
    want = [list(row) for row in spark.sql(select + "by_spark").collect()]
    got = [[int(value) if not isinstance(value, (str, bool, type(None))) else value for value in row] for row in project.rows(select + "raw")]
    missing, surplus = as_text(want) - as_text(got), as_text(got) - as_text(want)
    assert not missing and not surplus, f"seed {seed}: Spark has {list(missing)[:3]}, Silt has {list(surplus)[:3]}"
