#!/usr/bin/env python3
"""Queries with the answers of a real Spark 4.2, through parser, analyzer, printer and DuckDB.

usage: run.py SQLCHECK [-v] [AREA ...]

probes.sql holds one query a line ("!": must be refused, "@Zone ": session time zone, "^": in this order, "~": doubles nearly), probes.expected.json
Spark's names, types and rows. grammar.sql holds the query grammar, functions.sql the functions, where the error class counts too. not-yet.txt names
the queries that Silt does not answer yet, as they stand in probes.sql: a query that is not named there and fails is an error; one that is
named there and works is told, so that it can be taken out.
"""
import json
import re
import struct
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILES = ("probes", "grammar", "functions")


def probes(name):
    area = None
    for line in (HERE / (name + ".sql")).read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if line.startswith("-- "):
            area = line[3:]
        elif line:
            marks, text, zone = set(), line, "UTC"
            while text[0] in "!^~@":
                if text[0] == "@":
                    zone, text = text[1:].split(" ", 1)
                else:
                    marks.add(text[0])
                    text = text[1:]
            yield area, line, marks, zone, text


def number(x):
    return float(str(x).replace("Infinity", "inf"))


def same(got, want, type_name, nearly):
    if type_name in ("double", "float") and got is not None and want is not None:
        a, b = number(got), number(want)
        if nearly and a == a and abs(a) != float("inf"):
            return abs(a - b) <= 1e-12 * max(abs(a), abs(b), 1e-300)
        form = ">f" if type_name == "float" else ">d"
        return struct.pack(form, a) == struct.pack(form, b)
    if isinstance(got, dict) and isinstance(want, dict):
        return got.keys() == want.keys() and all(same(got[k], want[k], "", nearly) for k in got)
    if isinstance(got, list) and isinstance(want, list):
        return len(got) == len(want) and all(same(a, b, "", nearly) for a, b in zip(got, want))
    return type(got) is type(want) and got == want if isinstance(got, bool) or isinstance(want, bool) else got == want


def order(row):
    return json.dumps(row, default=str, sort_keys=True)


def difference(got, want, marks, classes=False):
    """None, or what differs."""
    if "error" in want:
        if "error" not in got:
            return "must be refused: " + want["error"]
        free = not classes or want["error"].startswith("_LEGACY_ERROR_TEMP_")  # Spark has not named these yet
        return None if free or got["error"] == want["error"] else "refused as %s, Spark: %s" % (got["error"], want["error"])
    if "error" in got:
        return "refused: %s %s" % (got["error"], got["message"])
    if got["types"] != want["types"]:
        return "types %s, Spark has %s" % (got["types"], want["types"])
    for a, b in zip(got["names"], want["names"]):  # names made up from an expression are not compared
        if re.fullmatch(r"[A-Za-z_]\w*", b) and a.lower() != b.lower():
            return "column %s, Spark has %s" % (a, b)
    if len(got["rows"]) != len(want["rows"]):
        return "%d rows, Spark has %d" % (len(got["rows"]), len(want["rows"]))
    a, b = got["rows"], want["rows"]
    if "^" not in marks:
        a, b = sorted(a, key=order), sorted(b, key=order)
    for x, y in zip(a, b):
        for p, q, t in zip(x, y, want["types"]):
            if not same(p, q, t, "~" in marks):
                return "%s, Spark has %s (%s)" % (p, q, t)
    return None


class Runner:
    """The tool in batch mode; started again when it dies."""

    def __init__(self, program):
        self.program, self.process = program, None

    def ask(self, zone, text):
        if not self.process or self.process.poll() is not None:
            self.process = subprocess.Popen([self.program, "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdin.write(("%s\t%s\n" % (zone, text)).encode())
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            return {"error": "CRASH", "message": "exit code %d" % self.process.wait(), "crash": True}
        return json.loads(line, parse_float=Decimal)


def main():
    program, areas = sys.argv[1], [a for a in sys.argv[2:] if a != "-v"]
    not_yet = set((HERE / "not-yet.txt").read_text(encoding="utf-8").splitlines())
    runner, passed, failed, skipped = Runner(program), 0, 0, 0
    want = {name: json.loads((HERE / (name + ".expected.json")).read_text(encoding="utf-8"), parse_float=Decimal) for name in FILES}
    for name, (area, line, marks, zone, text) in ((name, probe) for name in FILES for probe in probes(name)):
        if areas and not any(a in area for a in areas):
            continue
        got = runner.ask(zone, text)
        bad = "crashed" if got.get("crash") else difference(got, want[name][line], marks, classes=name != "probes")
        if bad and line in not_yet and bad != "crashed":
            skipped += 1
        elif bad:
            failed += 1
            print("DIFFERS [%s] %s\n    %s" % (area, line, bad))
        else:
            passed += 1
            if line in not_yet:
                print("works now, take it out of not-yet.txt: %s" % line)
            if "-v" in sys.argv:
                print("equal   [%s] %s" % (area, line))
    print("%d passed, %d failed, %d not yet" % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
