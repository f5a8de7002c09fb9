#!/usr/bin/env python3
"""Asks a real Spark for the answers to the recorded queries.

usage: tools/run-tests answers [--all] [--seconds N] [NAME ...]

Without --all only the queries are asked that have no answer yet; after N seconds it ends with what it has. The answers go to NAME.expected.json (corpus.py says what stands there).
Each query is asked twice, compiled and interpreted; one to which Spark gives two answers is told and gets none.
"""
import json
import math
import re
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent / "peers")]
import corpus  # noqa: E402

DAY_US = 86_400_000_000


def civil(days):
    """Year, month, day of a day since 1970, in the proleptic Gregorian calendar, for any year."""
    era, of_era = divmod(days + 719468, 146097)
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    return year + era * 400 + (month >= 10), month + 3 - 12 * (month >= 10), of_year - (153 * month + 2) // 5 + 1


def date_text(days):
    year, month, day = civil(days)
    return "%s%04d-%02d-%02d" % ("-" if year < 0 else "+" if year > 9999 else "", abs(year), month, day)


def instant_text(us):
    days, us = divmod(us, DAY_US)
    return "%sT%02d:%02d:%02d.%06dZ" % (date_text(days), us // 3_600_000_000, us // 60_000_000 % 60, us // 1_000_000 % 60, us % 1_000_000)


def plain(kind):
    """Can Python hold every value of the type?"""
    from pyspark.sql import types as t
    if isinstance(kind, t.ArrayType):
        return plain(kind.elementType)
    if isinstance(kind, t.StructType):
        return all(plain(field.dataType) for field in kind.fields)
    return isinstance(kind, (t.NumericType, t.StringType, t.BooleanType, t.BinaryType, t.NullType))


def portable(column, kind):
    """An expression for the same value in types that Python can hold."""
    from pyspark.sql import functions as f, types as t
    if plain(kind):
        return column
    if isinstance(kind, t.DateType):
        return f.unix_date(column)
    if isinstance(kind, t.TimestampType):
        return f.unix_micros(column)
    if isinstance(kind, t.VariantType):
        return f.to_json(column)
    if isinstance(kind, t.ArrayType):
        return f.transform(column, lambda x: portable(x, kind.elementType))
    if isinstance(kind, t.MapType):
        return f.transform(f.map_entries(column), lambda x: f.struct(portable(x["key"], kind.keyType).alias("k"), portable(x["value"], kind.valueType).alias("v")))
    if isinstance(kind, t.StructType):
        return f.when(column.isNotNull(), f.struct(*(portable(column[field.name], field.dataType).alias(f"f{n}") for n, field in enumerate(kind.fields))))
    return column.cast("string")


def text_of(value, kind):
    """The JSON of one portable value."""
    from pyspark.sql import types as t
    if value is None:
        return "null"
    if isinstance(kind, t.BooleanType):
        return "true" if value else "false"
    if isinstance(kind, (t.FloatType, t.DoubleType)):
        return repr(value) if math.isfinite(value) else '"NaN"' if value != value else '"Infinity"' if value > 0 else '"-Infinity"'
    if isinstance(kind, t.DecimalType):
        return format(value, "f")
    if isinstance(kind, t.NumericType):
        return str(value)
    if isinstance(kind, t.BinaryType):
        import base64
        return json.dumps(base64.b64encode(bytes(value)).decode())
    if isinstance(kind, t.DateType):
        return json.dumps(date_text(value))
    if isinstance(kind, t.TimestampType):
        return json.dumps(instant_text(value))
    if isinstance(kind, t.TimestampNTZType):
        day, clock = value.split(" ")
        return json.dumps("%sT%s.%s" % (day, clock[:8], (clock[9:] + "000000")[:6]))
    if isinstance(kind, t.VariantType):
        return value
    if isinstance(kind, t.ArrayType):
        return "[" + ", ".join(text_of(x, kind.elementType) for x in value) + "]"
    if isinstance(kind, t.MapType):
        def key(x):
            text = text_of(x, kind.keyType)
            return text if text.startswith('"') else json.dumps(text, ensure_ascii=False)
        return "{" + ", ".join(key(x[0]) + ": " + text_of(x[1], kind.valueType) for x in value) + "}"
    if isinstance(kind, t.StructType):
        return "{" + ", ".join(json.dumps(field.name, ensure_ascii=False) + ": " + text_of(x, field.dataType) for x, field in zip(value, kind.fields)) + "}"
    return json.dumps(value, ensure_ascii=False)


def error_class(error):
    """The class of the first error that has one, else Java's name of the error."""
    try:
        condition = error.getCondition()
    except Exception:  # noqa: BLE001 - not an error of Spark's
        condition = None
    if condition:
        return condition
    java = getattr(error, "_origin", None) or getattr(error, "java_exception", None)
    name = None
    while java is not None:
        try:
            condition = java.getCondition()
        except Exception:  # noqa: BLE001 - no such method
            condition = None
        if condition:
            return condition
        name = java.getClass().getSimpleName()
        java = java.getCause()
    return name or type(error).__name__


class Spark:
    """A session that answers queries."""

    def __init__(self, folder):
        import logging
        import spark
        logging.disable()  # each error that is an answer would be told at length
        # one thread: sums of doubles come in the order of the rows
        self.session = spark.session("silt answers", Path(folder) / "warehouse", spark__master="local[1]", spark__sql__shuffle__partitions=1)
        self.zone, self.time_type = None, False

    def set(self, key, value):
        self.session.conf.set(key, value)

    def ask(self, zone, text, ordered=True, time_type=False):
        """The answer as JSON text; rows without an order are sorted, so that the same answer is the same text."""
        if zone != self.zone:
            self.set("spark.sql.session.timeZone", zone)
            self.zone = zone
        if time_type != self.time_type:
            self.set("spark.sql.timeType.enabled", str(time_type).lower())
            self.time_type = time_type
        try:
            frame = self.session.sql(text)
            names, kinds = frame.columns, [field.dataType for field in frame.schema.fields]
            types = [field.dataType().catalogString() for field in frame._jdf.schema().fields()]
            if not all(plain(kind) for kind in kinds):
                frame = frame.toDF(*(f"c{n}" for n in range(len(names))))
                frame = frame.select(*(portable(frame[f"c{n}"], kind).alias(f"c{n}") for n, kind in enumerate(kinds)))
            rows = frame.collect()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the answer
            return json.dumps({"error": error_class(error)})
        lines = ["[" + ", ".join(text_of(x, kind) for x, kind in zip(row, kinds)) + "]" for row in rows]
        names = [name if re.fullmatch(corpus.PLAIN_NAME, name) else "" for name in names]
        return '{"names": %s, "types": %s, "rows": [%s]}' % (json.dumps(names, ensure_ascii=False), json.dumps(types, ensure_ascii=False),
                                                             ", ".join(lines if ordered else sorted(lines)))

    def sure(self, q):
        """The answer, or None when compiled and interpreted code differ; for an error they may have other classes."""
        found = []
        for compiled in ("true", "false"):
            self.set("spark.sql.codegen.wholeStage", compiled)
            self.set("spark.sql.codegen.factoryMode", "FALLBACK" if compiled == "true" else "NO_CODEGEN")
            found.append(self.ask(q.zone, q.text, "^" in q.marks, "&" in q.marks))
        return found[0] if found[0] == found[1] or all(answer.startswith('{"error"') for answer in found) else None


def main():
    import tempfile
    import time
    arguments = sys.argv[1:]
    seconds, everything = math.inf, "--all" in arguments
    if "--seconds" in arguments:
        at = arguments.index("--seconds")
        seconds = float(arguments[at + 1])
        del arguments[at:at + 2]
    names = [name for name in arguments if not name.startswith("--")] or corpus.FILES
    begin, asked, unsure = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        spark = Spark(folder)
        for name in names:
            old = {} if everything else corpus.answers(name)
            path = corpus.HERE / (name + ".expected.json")
            found = {}
            if old:  # as they stand, not read and written again
                for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n")[1:-1]:
                    key, end = json.JSONDecoder().raw_decode(line)
                    found[key] = line[end + 2:].removesuffix(",")
            for q in corpus.queries(name):
                if q.line in found:
                    continue
                if time.monotonic() - begin > seconds:
                    break
                asked += 1
                answer = spark.sure(q)
                if answer is None:
                    unsure += 1
                    print("two answers: " + q.line)
                    continue
                if ("!" in q.marks) and '{"error"' not in answer[:9]:
                    print("not refused: " + q.line)
                found[q.line] = answer
            corpus.write_answers(name, found)
        spark.session.stop()
    print("%d asked in %.0f s, %d without one answer" % (asked, time.monotonic() - begin, unsure))


if __name__ == "__main__":
    main()
