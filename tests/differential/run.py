#!/usr/bin/env python3
"""The recorded queries through parser, analyzer, printer and DuckDB, compared with the answers of a real Spark.

usage: run.py SQLCHECK [-v] [AREA ...]

corpus.py says what the files hold. not-yet.txt names the queries that Silt does not answer as Spark does, as they stand in their file: a query
that is not named there and fails is an error; one that is named there and works is told, so that it can be taken out.
"""
import json
import re
import struct
import subprocess
import sys
from datetime import date
from decimal import Decimal

import corpus

TOOL_FAULTS = re.compile(r"fault of Silt|INTERNAL|(Binder|Catalog|Conversion|Parser|Invalid Input|Out of Range|Not implemented) Error", re.I)
# Errors to which Spark has given no class yet, and faults of its own: any refusal does.
NO_CLASS = re.compile(r"_LEGACY_ERROR|INTERNAL_ERROR|[A-Z][a-z]|[A-Za-z]+Exception$")


def parts(text):
    """The pieces of "a:int,b:map<string,int>" between its outer commas."""
    depth, start, found = 0, 0, []
    for n, letter in enumerate(text):
        depth += (letter in "<(") - (letter in ">)")
        if letter == "," and not depth:
            found.append(text[start:n])
            start = n + 1
    return found + [text[start:]] if text else []


def number(x):
    return float(str(x).replace("Infinity", "inf"))


def instant(text):
    """Microseconds since 1970 of what stands in an answer; the years are any."""
    sign, year, month, day, hour, minute, second, micro, offset = re.fullmatch(
        r"([+-]?)(\d{4,})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{6})(Z|[+-][\d:]+)", text).groups()
    year = int(year) * (-1 if sign == "-" else 1)
    days = date(2000 + year % 400, int(month), int(day)).toordinal() - date(1970, 1, 1).toordinal() + ((year - year % 400) // 400 - 5) * 146097
    away = 0
    if offset != "Z":
        hours, minutes, seconds = ([int(x) for x in offset[1:].split(":")] + [0])[:3]
        away = (hours * 3600 + minutes * 60 + seconds) * (-1 if offset[0] == "-" else 1)
    return ((days * 24 + int(hour)) * 3600 + int(minute) * 60 + int(second) - away) * 1_000_000 + int(micro)


def same(got, want, kind, nearly):
    if got is None or want is None:
        return got is want
    if kind in ("double", "float"):
        a, b = number(got), number(want)
        if nearly and a == a and abs(a) != float("inf"):
            return abs(a - b) <= 1e-12 * max(abs(a), abs(b), 1e-300)
        form = ">f" if kind == "float" else ">d"
        return struct.pack(form, a) == struct.pack(form, b)
    if kind == "timestamp":
        return instant(got) == instant(want)
    if kind.startswith("struct<"):
        fields = [field.split(":", 1) for field in parts(kind[7:-1])]
        return list(got) == list(want) and all(same(got[name], want[name], sub, nearly) for name, sub in fields)
    if kind.startswith("map<"):
        sub = parts(kind[4:-1])
        if sub[0] in ("double", "float", "timestamp") or "<" in sub[0]:  # keys that need a look of their own: in the order of the map
            return len(got) == len(want) and all(same(json.loads(a) if sub[0] == "float" else a, json.loads(b) if sub[0] == "float" else b, sub[0], nearly)
                                                 if "<" not in sub[0] else a.replace(" ", "") == b.replace(" ", "")
                                                 for a, b in zip(got, want)) and all(same(a, b, sub[1], nearly) for a, b in zip(got.values(), want.values()))
        return got.keys() == want.keys() and all(same(got[key], want[key], sub[1], nearly) for key in got)
    if kind.startswith("array<"):
        return len(got) == len(want) and all(same(a, b, kind[6:-1], nearly) for a, b in zip(got, want))
    return type(got) is type(want) and got == want if isinstance(got, bool) or isinstance(want, bool) else got == want


def sorting(value, kind):
    """A key by which rows of both sides come in one order."""
    if value is None:
        return "~"
    if kind in ("double", "float"):
        return "%.9g" % (struct.unpack(">f", struct.pack(">f", number(value)))[0] if kind == "float" else number(value))
    return str(instant(value)) if kind == "timestamp" else json.dumps(value, default=float, sort_keys=True)


def difference(got, want, marks=()):
    """None, or what differs."""
    if "error" in got and TOOL_FAULTS.search(got["message"] + " " + got["error"]):
        return "an error that is not for users: %s %s" % (got["error"], got["message"])
    if "error" in want:
        if "error" not in got:
            return "must be refused: %s; it gives %s" % (want["error"], json.dumps(got["rows"], default=str))
        if got["error"] == want["error"] or NO_CLASS.match(want["error"]):
            return None
        return "refused as %s (%s), Spark: %s" % (got["error"], got["message"], want["error"])
    if "error" in got:
        return "refused: %s %s, Spark has %s" % (got["error"], got["message"], json.dumps(want["rows"], default=str)[:200])
    if got["types"] != want["types"]:
        return "types %s, Spark has %s" % (got["types"], want["types"])
    for a, b in zip(got["names"], want["names"]):  # names made up from an expression are not compared
        if re.fullmatch(corpus.PLAIN_NAME, b) and a.lower() != b.lower():
            return "column %s, Spark has %s" % (a, b)
    if len(got["rows"]) != len(want["rows"]):
        return "%d rows, Spark has %d" % (len(got["rows"]), len(want["rows"]))
    a, b = got["rows"], want["rows"]
    if "^" not in marks:
        def order(row):  # doubles that differ in their last digits only are told apart last
            return ([sorting(x, kind) for x, kind in zip(row, want["types"])] +
                    [repr(number(x)) if x is not None and kind == "double" else "" for x, kind in zip(row, want["types"])])
        a, b = (sorted(rows, key=order) for rows in (a, b))
    for x, y in zip(a, b):
        for p, q, kind in zip(x, y, want["types"]):
            if not same(p, q, kind, "~" in marks):
                return "%s, Spark has %s (%s)" % (json.dumps(p, default=str, ensure_ascii=False), json.dumps(q, default=str, ensure_ascii=False), kind)
    return None


class Runner:
    """The tool in batch mode; started again when it dies."""

    def __init__(self, program):
        self.program, self.process = program, None

    def ask(self, q):
        if not self.process or self.process.poll() is not None:
            self.process = subprocess.Popen([self.program, "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdin.write(("%s%s\t%s\n" % (q.zone, "&" if "&" in q.marks else "", q.text)).encode())
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            return {"error": "CRASH", "message": "exit code %d" % self.process.wait(), "crash": True}
        return json.loads(line, parse_float=Decimal)


def main():
    program, areas = sys.argv[1], [a for a in sys.argv[2:] if a != "-v"]
    not_yet = set((corpus.HERE / "not-yet.txt").read_text(encoding="utf-8").splitlines())
    runner, passed, failed, skipped = Runner(program), 0, 0, 0
    for name in corpus.FILES:
        want = corpus.answers(name)
        for q in corpus.queries(name):
            if areas and not any(a in (q.area or name) or a == name for a in areas):
                continue
            got = runner.ask(q)
            bad = "crashed" if got.get("crash") else difference(got, want[q.line], q.marks) if q.line in want else "no answer recorded: tools/run-tests answers"
            if bad and q.line in not_yet and bad != "crashed":
                skipped += 1
            elif bad:
                failed += 1
                print("DIFFERS [%s] %s\n    %s" % (q.area, q.line, bad))
            else:
                passed += 1
                if q.line in not_yet:
                    print("works now, take it out of not-yet.txt: %s" % q.line)
                if "-v" in sys.argv:
                    print("equal   [%s] %s" % (q.area, q.line))
    print("%d passed, %d failed, %d not yet" % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
