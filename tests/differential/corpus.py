"""The recorded queries and their answers, as files.

NAME.sql holds one query a line under headings (`-- area`). Marks stand before a query: "@Zone " its session time zone (UTC without), "^" its rows
come in this order, "~" doubles may differ in their last digits, "&" spark.sql.timeType.enabled is set, "!" Spark refuses it (for the reader; the answer says so too).
NAME.expected.json holds one answer a line, found by the whole line of its query: {"names", "types", "rows"}, or {"error": class}. A name that
Spark has made up from an expression is "" there.
Rows are JSON as `silt sql` writes it, but instants are always in UTC.
"""
import json
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
FILES = ("probes", "grammar", "functions", "collations", "generated")
PLAIN_NAME = r"[A-Za-z_]\w*"


class Query(NamedTuple):
    area: str
    line: str  # as it stands in the file: the key of its answer
    marks: set
    zone: str
    text: str


def query(line, area=None):
    marks, text, zone = set(), line, "UTC"
    while text[0] in "!^~&@":
        if text[0] == "@":
            zone, text = text[1:].split(" ", 1)
        else:
            marks.add(text[0])
            text = text[1:]
    return Query(area, line, marks, zone, text)


def queries(name):
    area = None
    for line in (HERE / (name + ".sql")).read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if line.startswith("-- "):
            area = line[3:]
        elif line:
            yield query(line, area)


def answers(name):
    path = HERE / (name + ".expected.json")
    return json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal) if path.exists() else {}


def write_answers(name, found):
    """One answer a line, in the order of the queries; one that has no query any more goes."""
    lines = [json.dumps(q.line, ensure_ascii=False) + ": " + found[q.line] for q in queries(name) if q.line in found]
    (HERE / (name + ".expected.json")).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
