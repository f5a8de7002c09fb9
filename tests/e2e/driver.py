"""Drives the built `silt` from outside: a project in a temporary folder, its runs, and the rows that came out.

The binary is $SILT, else build/silt of this checkout. Nothing here knows how Silt works inside; tables are read back by
`silt sql`, and independently by delta-rs and DuckDB (readers.py).
"""
import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections import Counter
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SILT = os.path.abspath(os.environ.get("SILT") or ROOT / "build/silt")


class Members(list):
    """A JSON object as (key, value) pairs: order and repeated keys stay visible."""


def strict_json(text):
    """JSON with exact numbers; bare NaN and the like are refused."""
    def refuse(word):
        raise ValueError(f"{word} is not JSON")
    return json.loads(text, parse_float=Decimal, parse_constant=refuse, object_pairs_hook=Members)


class Finished:
    """What one call of silt did."""

    def __init__(self, words, code, out, err, seconds):
        self.words, self.code, self.out, self.err, self.seconds = words, code, out, err, seconds

    def __repr__(self):
        return f"silt {' '.join(self.words)}\nexit {self.code} after {self.seconds:.2f} s\n{self.out[-2000:]}{self.err[-4000:]}"

    def ok(self):
        assert self.code == 0, self
        return self

    def refused(self, *patterns, code=2):
        """Ended with this code (or one of these), and said on stderr what each pattern asks for."""
        assert self.code in (code if isinstance(code, tuple) else (code,)), self
        for pattern in patterns:
            assert re.search(pattern, self.err), f"no /{pattern}/ in\n{self!r}"
        return self

    def rows(self):
        """Rows of --format json as tuples; numbers exact, objects as Members."""
        self.ok()
        return [tuple(value for _, value in strict_json(line)) for line in self.out.splitlines() if line]


def silt(*words, cwd=None, stdin=None, timeout=120, env=None, binary=SILT, user=None):
    words = [str(word) for word in words]
    begin = time.monotonic()
    done = subprocess.run([binary, *words], cwd=cwd, input=stdin, stdin=subprocess.DEVNULL if stdin is None else None, capture_output=True,
                          timeout=timeout, env={**os.environ, "TZ": "UTC", **(env or {})}, user=user, group=user, extra_groups=None if user is None else [])
    return Finished(words, done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"), time.monotonic() - begin)


def comparable(value):
    """Nested JSON as something hashable: objects without order, numbers by value, true apart from 1."""
    if isinstance(value, Members):
        return "{}", tuple(sorted((key, comparable(item)) for key, item in value))
    if isinstance(value, dict):
        return "{}", tuple(sorted((key, comparable(item)) for key, item in value.items()))
    if isinstance(value, (list, tuple)):
        return "[]", tuple(comparable(item) for item in value)
    if isinstance(value, bool):
        return "bool", value
    if isinstance(value, float):
        return Decimal(repr(value)).normalize()
    if isinstance(value, (int, Decimal)):
        return Decimal(value).normalize() if value else Decimal(0)
    return value


def bag(rows):
    return Counter(tuple(comparable(value) for value in row) for row in rows)


def same_rows(got, want, ordered=False):
    if ordered:
        got, want = ([tuple(map(comparable, row)) for row in rows] for rows in (got, want))
        assert got == want
        return
    got, want = bag(got), bag(want)
    missing, surplus = want - got, got - want
    assert not missing and not surplus, f"missing {list(missing.elements())[:5]}, not wanted {list(surplus.elements())[:5]}"


class Project:
    """A project folder. Paths in its SQL are relative to it."""

    def __init__(self, folder, **conf):
        self.folder = Path(folder)
        (self.folder / "transformations").mkdir(parents=True)
        self.conf = {"spark.sql.session.timeZone": "UTC", **conf}
        self.running = []
        self.binary, self.user = SILT, None
        self.write_spec()

    def write_spec(self):
        text = f"name: test\nstorage: {json.dumps('file://%s/storage' % self.folder)}\ndatabase: default\nconfiguration:\n"
        text += "".join(f"  {json.dumps(key)}: {json.dumps(str(value))}\n" for key, value in self.conf.items())
        text += "libraries:\n  - glob:\n      include: transformations/**\n"
        (self.folder / "spark-pipeline.yml").write_text(text)

    def file(self, path, content):
        """Appears complete under its name, as a careful writer makes it."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        hidden = target.parent / f".{target.name}.part"
        hidden.write_bytes(content if isinstance(content, bytes) else content.encode())
        hidden.rename(target)
        return target

    def json_lines(self, path, rows):
        return self.file(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))

    def define(self, *statements, file="pipeline.sql"):
        (self.folder / "transformations" / file).write_text("".join(text.strip().rstrip(";") + ";\n\n" for text in statements))

    def silt(self, *words, **more):
        if self.user is not None:
            self.give_to_user()
        return silt(*words, cwd=self.folder, binary=self.binary, user=self.user, **more)

    def give_to_user(self):
        for path in (self.folder, *self.folder.rglob("*")):
            os.chown(path, self.user, self.user)

    def run(self, *words, **more):
        return self.silt("run", "--progress", "progress.jsonl", *words, **more)

    def start(self, *words, env=None):
        """`silt run` in the background; its words go to run.log."""
        with open(self.folder / "run.log", "ab") as log:
            process = subprocess.Popen([self.binary, "run", "--progress", "progress.jsonl", *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                       stdout=log, stderr=log, env={**os.environ, "TZ": "UTC", **(env or {})})
        self.running.append(process)
        return process

    def stop_all(self):
        for process in self.running:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait()

    def sql(self, *statements, zone=None, **more):
        texts = ([f"SET TIME ZONE '{zone}'"] if zone else []) + list(statements)
        words = [word for text in texts for word in ("-c", text)]
        return self.silt("sql", "--format", "json", *words, **more)

    def rows(self, query, zone=None):
        return self.sql(query, zone=zone).rows()

    def value(self, query):
        (row,) = self.rows(query)
        (value,) = row
        return value

    def expect(self, query, rows, zone=None):
        ordered = bool(re.search(r"\border by\b(?![^(]*\))", query, re.I))
        same_rows(self.rows(query, zone=zone), rows, ordered)

    def progress(self):
        path = self.folder / "progress.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def table(self, name):
        """The folder of a table: W/t, or W/d.db/t."""
        database, _, name = name.rpartition(".")
        warehouse = self.folder / "spark-warehouse"
        return warehouse / f"{database}.db" / name if database and database != "default" else warehouse / name


# ---- metrics ----

def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def scrape(port):
    """What Prometheus gets; "" as long as nobody listens."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as reply:
            return reply.read().decode()
    except urllib.error.URLError:
        return ""


def numbers(port):
    """Each sample by its name and labels; 0 for what is not there."""
    samples = (line.rpartition(" ") for line in scrape(port).splitlines() if line and line[0] != "#")
    return Counter({name: float(value) for name, _, value in samples})
