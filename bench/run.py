"""The measured workloads: seeded input, Silt and DuckDB interleaved, digest first, medians and ratios last (bench/README.md).

    bench/run.py --silt build/silt [--scale 0.1] [--runs 3] [start decode one many small idle rest latency discover]

--scale 1 is 2 GB in one file, 2,000 files of 1 MB, 100,000 files of 20 KB. Input is made once and kept in --work.
"""
import argparse
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROW_BYTES = 267  # of the generator's lines, about
# A web request of ten fields. hash() of DuckDB is fixed for a version, and the version is pinned.
GENERATE = """SELECT i AS id, strftime(TIMESTAMP '2026-01-01' + to_microseconds(i * 1000), '%Y-%m-%dT%H:%M:%S.%fZ') AS at,
    ['GET','POST','PUT','DELETE'][(1 + hash(i, 1) % 4)::INT] AS method,
    'https://host' || (hash(i, 2) % 200) || '.example/path/' || (hash(i, 3) % 1000) || '?q=' || (hash(i, 4) % 100000) AS url,
    [200, 201, 204, 301, 304, 404, 500][(1 + hash(i, 5) % 7)::INT] AS status, (hash(i, 6) % 1000000)::BIGINT AS bytes, round((hash(i, 7) % 1000000) / 1000, 3) AS millis,
    md5((hash(i, 8) % 50000)::VARCHAR) AS session, 'Mozilla/5.0 (X11; Linux x86_64) Agent/' || (hash(i, 9) % 50) AS agent, hash(i, 10) % 2 = 0 AS cached
    FROM range({first}, {last}) t(i)"""
SCHEMA = "id BIGINT, at TIMESTAMP, method STRING, url STRING, status INT, bytes BIGINT, millis DOUBLE, session STRING, agent STRING, cached BOOLEAN"
DUCK_COLUMNS = ("{id:'BIGINT', 'at':'TIMESTAMPTZ', method:'VARCHAR', url:'VARCHAR', status:'INTEGER', bytes:'BIGINT', millis:'DOUBLE', session:'VARCHAR', "
                "agent:'VARCHAR', cached:'BOOLEAN'}")
DIGEST = "SELECT count(*), sum(hash(id, epoch_us(\"at\"), method, url, status, bytes, millis, session, agent, cached)) FROM "


def ask(*statements):
    """
    The row that DuckDB answers to the last statement. In a process of its own: a process counts the memory of the one that started it into its
    peak, so this one has to stay small.
    """
    script = ("import duckdb, json, sys; duckdb.execute('SET enable_progress_bar = false'); "
              "rows = [duckdb.execute(sql).fetchone() for sql in json.load(sys.stdin)]; print(json.dumps(rows[-1]))")
    return json.loads(subprocess.run([sys.executable, "-c", script], input=json.dumps(statements), stdout=subprocess.PIPE, text=True, check=True).stdout)


def generate(folder, rows, files):
    """The input, once: `files` files of rows/files rows each."""
    done = folder / f".rows-{rows}-{files}"
    if done.exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print(f"making {rows} rows in {files} file(s) in {folder}", file=sys.stderr)
    bounds = [rows * number // files for number in range(files + 1)]
    step = max(1, files * 250_000 // rows)  # so many files by one COPY, which costs as much as thousands of rows
    groups = [(first, min(first + step, files)) for first in range(0, files, step)]
    ask(*(f"COPY ({GENERATE.format(first=bounds[first], last=bounds[last])}) TO '{folder}/.group-{first}' (FORMAT json)" for first, last in groups))
    for first, last in groups:
        with open(folder / f".group-{first}", "rb") as lines:
            for number in range(first, last):
                (folder / f"part-{number:05}.json").write_bytes(b"".join(itertools.islice(lines, bounds[number + 1] - bounds[number])))
        (folder / f".group-{first}").unlink()
    done.touch()


def measured(command, **how):
    """(wall s, CPU s, peak MB) of a process."""
    begin = time.monotonic()
    process = subprocess.Popen(command, **how)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begin
    if status:
        sys.exit(f"{command[0]} ended with {status}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Project:
    def __init__(self, silt, folder, source, tables=1):
        self.silt, self.folder = silt, folder
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "transformations").mkdir(parents=True)
        (folder / "spark-pipeline.yml").write_text(
            f"name: bench\nstorage: file://{folder}/storage\ndatabase: default\nconfiguration:\n  spark.sql.session.timeZone: UTC\n"
            "libraries:\n  - glob:\n      include: transformations/**\n")
        for number in range(tables):
            (folder / f"transformations/t{number}.sql").write_text(
                f"CREATE OR REFRESH STREAMING TABLE t{number} AS SELECT * FROM STREAM read_files('{source}', format => 'json', schema => '{SCHEMA}', "
                "rescuedDataColumn => '_rescued_data');\n")

    def run(self, *words):
        return measured([self.silt, "run", *words], cwd=self.folder, stderr=subprocess.DEVNULL)

    def parquet(self, table="t0"):
        """Live files, by the log."""
        live = set()
        for path in sorted((self.folder / "spark-warehouse" / table / "_delta_log").glob("*.json")):
            for line in path.read_text().splitlines():
                action = json.loads(line)
                live |= {action["add"]["path"]} if "add" in action else set()
                live -= {action["remove"]["path"]} if "remove" in action else set()
        return [str(self.folder / "spark-warehouse" / table / path) for path in sorted(live)]


def duck_copy(source, target):
    """
    DuckDB's own COPY over the same bytes and codec, in a process of its own: wall and CPU time of the statement alone, without Python's start,
    but the memory of the whole process.
    """
    script = ("import duckdb, os, sys; c = duckdb.connect(); c.execute(\"SET TimeZone = 'UTC'\"); c.execute('SET enable_progress_bar = false'); "
              "a = os.times(); c.execute(sys.argv[1]); b = os.times(); print(b.elapsed - a.elapsed, b.user + b.system - a.user - a.system)")
    query = f"COPY (SELECT * FROM read_json('{source}/*.json', format = 'newline_delimited', columns = {DUCK_COLUMNS})) TO '{target}' (FORMAT parquet, CODEC snappy)"
    read, write = os.pipe()
    _, _, memory = measured([sys.executable, "-c", script, query], stdout=write)
    os.close(write)
    with open(read) as answer:
        wall, cpu = map(float, answer.read().split())
    return wall, cpu, memory


def ingest(options, name, rows, files):
    source = options.work / f"input-{name}"
    generate(source, rows, files)
    size = sum(path.stat().st_size for path in source.glob("*.json"))
    want = ask(DIGEST + f"read_json('{source}/*.json', format = 'newline_delimited', columns = {DUCK_COLUMNS})")
    ours, theirs = [], []
    for _ in range(options.runs):
        project = Project(options.silt, options.work / "project", source)
        ours.append(project.run())
        got = ask(DIGEST + f"read_parquet({project.parquet()})")
        if got != want:
            sys.exit(f"{name}: wrong digest {got}, wanted {want}")
        theirs.append(duck_copy(source, options.work / "duck.parquet"))
    middle = [statistics.median(column) for column in zip(*ours)], [statistics.median(column) for column in zip(*theirs)]
    (wall, cpu, memory), (duck_wall, duck_cpu, duck_memory) = middle
    ratios = [a[1] / b[1] for a, b in zip(ours, theirs)]  # of neighbours in time: the machine's speed drifts
    print(f"{name}: {size / 1e6:.0f} MB, {rows} rows, {files} files; silt: {files / wall:.0f} files a second, {files / cpu:.0f} a CPU second")
    print(f"  silt    {wall:8.2f} s wall  {cpu:8.2f} s CPU  {memory:6.0f} MB")
    print(f"  duckdb  {duck_wall:8.2f} s wall  {duck_cpu:8.2f} s CPU  {duck_memory:6.0f} MB")
    print(f"  ratio   {wall / duck_wall:8.2f}         {statistics.median(ratios):8.2f}            (of CPU: {min(ratios):.2f} to {max(ratios):.2f}; "
          "goal: CPU at most 1.3, memory below 500 MB)")


def decode(options):
    """JSON records to columns on one thread, and nothing else (bench/decode.c)."""
    source = options.work / "input-decode"
    generate(source, 100_000, 1)
    build = Path(options.silt).parent
    subprocess.run(["ninja", "-C", build, "bench/decode"], stdout=subprocess.DEVNULL, check=True)
    passes = []
    for _ in range(options.runs):
        done = subprocess.run([build / "bench/decode", SCHEMA, source / "part-00000.json"], stdout=subprocess.PIPE, text=True, check=True)
        size, rows, _, *spent = map(int, done.stdout.split())
        passes += spent
    if rows != 100_000:
        sys.exit(f"decode: {rows} rows, wanted 100000")
    best, median = size / min(passes), size / statistics.median(passes)
    print(f"decode: {size / 1e6:.0f} MB, {rows} rows, {len(passes)} passes: {best:.2f} GB a CPU second at best, {median:.2f} at the median (goal: 1.2)")


def idle(options):
    source = options.work / "input-idle"
    generate(source, 100, 1)
    for tables, goal in ((1, 80), (100, 600)):
        project = Project(options.silt, options.work / "project", source, tables)
        project.run()
        walls = sorted(project.run()[0] * 1000 for _ in range(max(5, options.runs)))
        print(f"idle, {tables} table(s): {statistics.median(walls):.0f} ms (least {walls[0]:.0f}, most {walls[-1]:.0f}; goal: below {goal})")


def rest(options):
    """What a continuous run takes while nothing comes: CPU from the second second on, memory."""
    source = options.work / "input-idle"
    generate(source, 100, 1)
    for tables in (1, 100):
        project = Project(options.silt, options.work / "project", source, tables)
        project.run()
        process = subprocess.Popen([options.silt, "run", "--continuous"], cwd=project.folder, stderr=subprocess.DEVNULL)
        try:
            time.sleep(2)
            used = [cpu_of(process.pid)]
            time.sleep(5)
            used.append(cpu_of(process.pid))
            memory = next(int(line.split()[1]) / 1024 for line in open(f"/proc/{process.pid}/status") if line.startswith("VmRSS"))
        finally:
            process.terminate()
            process.wait()
        print(f"at rest, {tables} table(s): {(used[1] - used[0]) / 5 * 1000:.1f} ms of CPU a second, {memory:.0f} MB")


def cpu_of(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start(options):
    for words in (["version"], ["sql", "-c", "select 1"]):
        runs = [measured([options.silt, *words], stdout=subprocess.DEVNULL) for _ in range(max(9, options.runs))]
        wall, cpu, memory = (statistics.median(column) for column in zip(*runs))
        print(f"start, silt {' '.join(words)}: {wall * 1000:.0f} ms wall, {cpu * 1000:.0f} ms CPU, {memory:.0f} MB")


def latency(options):
    """From the rename that makes a file visible to the moment when the table's log has its rows."""
    source = options.work / "input-latency"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    line = json.dumps({"id": 1, "method": "GET"}) + "\n"
    (source / "first.json").write_text(line)
    project = Project(options.silt, options.work / "project", source)
    project.run()
    process = subprocess.Popen([options.silt, "run", "--continuous"], cwd=project.folder, stderr=subprocess.DEVNULL)
    log = project.folder / "spark-warehouse/t0/_delta_log"
    try:
        time.sleep(1)
        waits = []
        for number in range(200):
            version = len(list(log.glob("*.json")))
            hidden = source / f".{number}"
            hidden.write_text(line * 100)
            begin = time.monotonic()
            hidden.rename(source / f"{number}.json")
            while not (log / f"{version:020}.json").exists():
                if time.monotonic() - begin > 20:
                    sys.exit("latency: the file did not come through within 20 s")
                time.sleep(0.0005)
            waits.append((time.monotonic() - begin) * 1000)
            time.sleep(0.02)
    finally:
        process.terminate()
        process.wait()
    waits.sort()
    print(f"latency: median {statistics.median(waits):.0f} ms, 99 % {waits[int(len(waits) * 0.99)]:.0f} ms, most {waits[-1]:.0f} ms (goal: 99 % within 100 ms)")


def listings(command, source, **how):
    """How many folders below source a run lists; None where there is no strace."""
    if not shutil.which("strace"):
        return None
    traced = subprocess.run(["strace", "-f", "-qq", "-e", "trace=openat", "-o", "/dev/stdout", *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **how)
    return sum(f'"{source}' in line and "O_DIRECTORY" in line for line in traced.stdout.splitlines())


def discover(options):
    """A new run that finds one new file beside many that were taken, in folders by day of a thousand files each."""
    clock = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 7200))  # by which all folders are quiet
    how = {"env": {**os.environ, "SILT_CLOCK": clock}, "stderr": subprocess.DEVNULL}
    projects = []
    for days in (1, max(1, int(1000 * options.scale))):
        source = options.work / f"input-discover-{days}"
        shutil.rmtree(source, ignore_errors=True)
        print(f"making {days * 1000} files in {source}", file=sys.stderr)
        for day in range(days):
            folder = source / f"{2020 + day // 336}/{day // 28 % 12 + 1:02}/{day % 28 + 1:02}"
            folder.mkdir(parents=True)
            (folder / "0000.json").write_text(json.dumps({"id": day}) + "\n")
            for number in range(1, 1000):
                os.link(folder / "0000.json", folder / f"{number:04}.json")
        project = Project(options.silt, options.work / f"project-discover-{days}", source)
        (project.folder / "transformations/t0.sql").write_text(
            f"CREATE STREAMING TABLE t0 AS SELECT id FROM STREAM read_files('{source}', format => 'json', schema => 'id BIGINT', maxFilesPerTrigger => 10000);\n")
        measured([options.silt, "run"], cwd=project.folder, **how)
        projects.append((project, source, folder, days * 1000, []))
    runs = max(9, options.runs)
    for number in range(runs + 2):
        for project, source, folder, files, results in projects:
            (folder / ".new").write_text('{"id":-1}\n')
            (folder / ".new").rename(folder / f"new-{number}.json")
            if number == 0:  # not measured: log files of the first run are deleted now
                measured([options.silt, "run"], cwd=project.folder, **how)
            elif number <= runs:
                results.append(measured([options.silt, "run"], cwd=project.folder, **how))
            else:
                listed = listings([options.silt, "run"], source, cwd=project.folder, env=how["env"])
                got = ask(f"SELECT count(*)::BIGINT FROM read_parquet({project.parquet()})")[0]
                if got != files + number + 1:
                    sys.exit(f"discover: {got} rows, wanted {files + number + 1}")
                results[:] = [*map(statistics.median, zip(*results))]
                print(f"discover, one file beside {files:7}: {results[0] * 1000:4.0f} ms wall, {results[1] * 1000:4.0f} ms CPU, {results[2]:3.0f} MB, "
                      f"folders listed: {listed}")
    few, many = projects[0][4], projects[1][4]
    print(f"  ratio {many[0] / few[0]:.2f} of wall time, {many[1] / few[1]:.2f} of CPU, {many[2] / few[2]:.2f} of memory (goal: about 1)")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--silt", default="build/silt")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--work", type=Path, default=Path("build/bench"))
    parser.add_argument("what", nargs="*")
    options = parser.parse_args()
    options.silt, options.work = os.path.abspath(options.silt), options.work.resolve()
    workloads = {
        "start": start,
        "decode": decode,
        "one": lambda o: ingest(o, "one", int(2e9 * o.scale / ROW_BYTES), 1),
        "many": lambda o: ingest(o, "many", int(2e9 * o.scale / ROW_BYTES), max(1, int(2000 * o.scale))),
        "small": lambda o: ingest(o, "small", int(2e9 * o.scale / ROW_BYTES), max(1, int(100_000 * o.scale))),
        "idle": idle,
        "rest": rest,
        "latency": latency,
        "discover": discover,
    }
    for what in options.what or workloads:
        if what not in workloads:
            sys.exit(f'no workload "{what}"; there are {", ".join(workloads)}')
        workloads[what](options)


if __name__ == "__main__":
    main()
