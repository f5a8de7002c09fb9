"""Workloads over a Kafka broker of their own: digest first, ratios last (bench/README.md).

    bench/kafka.py --silt build/silt --jars FOLDER [--scale 0.1] [--runs 3] [topic rate topics]

--jars: the broker's, as tools/run-tests kafka fetches them. --scale 1 is 2,000,000 messages, 60 s of a steady rate, 60 s of a hundred topics.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests/kafka"))
from broker import Broker  # noqa: E402
from run import GENERATE, ask, cpu_of, measured  # noqa: E402

SCHEMA = "id BIGINT, at TIMESTAMP, method STRING, url STRING, status INT, bytes BIGINT, millis DOUBLE, session STRING, agent STRING, cached BOOLEAN"
DIGEST = ("SELECT count(*), sum(hash(id, epoch_us(\"at\"), method, url, status, bytes, millis, session, agent, cached, offset_)) FROM ")

# What a Python team writes: a batch API, a fast parser, appends; not exactly once. Nothing of it is slow by choice.
LOOP = """
import sys, pyarrow as pa, pyarrow.compute as pc, pyarrow.json as pj
from confluent_kafka import Consumer, TopicPartition, OFFSET_BEGINNING
from deltalake import write_deltalake
servers, topic, table, total = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
schema = pa.schema([("id", pa.int64()), ("at", pa.timestamp("us", "UTC")), ("method", pa.string()), ("url", pa.string()), ("status", pa.int32()), ("bytes", pa.int64()),
                    ("millis", pa.float64()), ("session", pa.string()), ("agent", pa.string()), ("cached", pa.bool_())])
consumer = Consumer({"bootstrap.servers": servers, "group.id": "loop", "enable.auto.commit": False, "queued.min.messages": 400000})
consumer.assign([TopicPartition(topic, partition, OFFSET_BEGINNING) for partition in consumer.list_topics(topic, 10).topics[topic].partitions])
values, offsets, rows = [], [], 0
while rows < total:
    for record in consumer.consume(10000, 1.0):
        values.append(record.value()); offsets.append(record.offset()); rows += 1
    if len(values) >= 100000 or rows >= total:
        table_of = pj.read_json(pa.BufferReader(b"\\n".join(values)), read_options=pj.ReadOptions(block_size=16 << 20),
                                parse_options=pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"))
        table_of = table_of.append_column("offset_", pa.array(offsets, pa.int64())).append_column("day", pc.strftime(table_of["at"], "%Y-%m-%d"))
        write_deltalake(table, table_of, mode="append", partition_by=["day"])
        values, offsets = [], []
"""


class Project:
    def __init__(self, silt, folder, *statements, **conf):
        self.silt, self.folder = silt, folder
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "transformations").mkdir(parents=True)
        words = "".join(f"  {key}: {json.dumps(value)}\n" for key, value in {"spark.sql.session.timeZone": "UTC", **conf}.items())
        (folder / "spark-pipeline.yml").write_text(f"name: bench\nstorage: file://{folder}/storage\ndatabase: default\nconfiguration:\n{words}"
                                                   "libraries:\n  - glob:\n      include: transformations/**\n")
        (folder / "transformations/all.sql").write_text(";\n".join(statements) + ";\n")

    def table(self, name):
        return self.folder / "spark-warehouse" / name


def live_files(table):
    from deltalake import DeltaTable
    return [path.removeprefix("file://") for path in DeltaTable(table).file_uris()]


def fill(broker, options, rows):
    """A topic of four partitions with the messages of bench/run.py's generator; message n in partition n % 4."""
    from confluent_kafka import Producer
    lines = options.work / f"messages-{rows}.json"
    if not lines.exists():
        ask(f"COPY ({GENERATE.format(first=0, last=rows)}) TO '{lines}' (FORMAT json)")
    topic = broker.topic(4)
    producer = Producer({"bootstrap.servers": broker.bootstrap, "enable.idempotence": True, "linger.ms": 50, "compression.type": "lz4", "queue.buffering.max.messages": 200000})
    with open(lines, "rb") as text:
        for number, line in enumerate(text):
            while True:
                try:
                    producer.produce(topic, line.rstrip(b"\n"), partition=number % 4)
                    break
                except BufferError:
                    producer.poll(0.1)
    producer.flush(300)
    want = ask(DIGEST + f"(SELECT *, id // 4 AS offset_ FROM read_json('{lines}', format = 'newline_delimited', columns = {{id: 'BIGINT', 'at': 'TIMESTAMPTZ', method: 'VARCHAR', "
               "url: 'VARCHAR', status: 'INTEGER', bytes: 'BIGINT', millis: 'DOUBLE', session: 'VARCHAR', agent: 'VARCHAR', cached: 'BOOLEAN'}))")
    return topic, want


def check(name, table, want):
    got = ask(DIGEST + f"read_parquet({live_files(table)}, hive_partitioning = false)")
    if got != want:
        sys.exit(f"{name}: wrong digest {got}, wanted {want}")


def topic(options, broker):
    """W-a: a topic that was filled before, into a Delta table partitioned by day, by `silt run` in two spellings and by a loop in Python."""
    rows = int(2_000_000 * options.scale)
    name, want = fill(broker, options, rows)
    source = f"STREAM read_kafka(bootstrapServers => '{broker.bootstrap}', subscribe => '{name}', startingOffsets => 'earliest'"
    table = "CREATE OR REFRESH STREAMING TABLE t PARTITIONED BY (day) AS SELECT *, CAST(at AS DATE) AS day FROM "
    spellings = {
        "format => 'json'": f"{table}(SELECT *, _metadata.offset AS offset_ FROM {source}, format => 'json', schema => '{SCHEMA}'))",
        "from_json(value)": f"{table}(SELECT v.*, offset AS offset_ FROM (SELECT from_json(CAST(value AS STRING), '{SCHEMA}') AS v, offset FROM {source})))",
    }
    results = {what: [] for what in [*spellings, "python loop"]}
    for _ in range(options.runs):
        for what, statement in spellings.items():
            project = Project(options.silt, options.work / "project", statement)
            results[what].append(measured([options.silt, "run"], cwd=project.folder, stderr=subprocess.DEVNULL))
            check(what, project.table("t"), want)
        loop = options.work / "loop"
        shutil.rmtree(loop, ignore_errors=True)
        results["python loop"].append(measured([sys.executable, "-c", LOOP, broker.bootstrap, name, str(loop), str(rows)]))
        check("python loop", loop, want)
    print(f"topic: {rows} messages in 4 partitions into a table partitioned by day")
    for what, runs in results.items():
        wall, cpu, memory = (statistics.median(column) for column in zip(*runs))
        ratios = [a[1] / b[1] for a, b in zip(runs, results["python loop"])]
        print(f"  {what:18} {wall:7.2f} s wall {cpu:7.2f} s CPU {memory:6.0f} MB {rows / cpu / 1000:6.0f} k messages a CPU second; "
              f"ratio of CPU {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}; goal: 0.33, below 300 MB)")


class Arrivals(threading.Thread):
    """When each version of a table came to be seen, by a thread that looks every 2 ms."""

    def __init__(self, table):
        super().__init__(daemon=True)
        self.log, self.seen, self.done = table / "_delta_log", {}, False

    def run(self):
        version = 0
        while not self.done:
            if (self.log / f"{version:020}.json").exists():
                self.seen[version] = time.time()
                version += 1
            else:
                time.sleep(0.002)


def send(servers, names, rate, seconds):
    """In a process of its own: messages that say when they were meant to be sent, at a fixed rate over the topics in turn."""
    script = ("import json, sys, time; from confluent_kafka import Producer\n"
              "servers, names, rate, seconds = json.loads(sys.argv[1])\n"
              "producer = Producer({'bootstrap.servers': servers, 'linger.ms': 1, 'acks': 1}); begin = time.time(); total = int(rate * seconds)\n"
              "for n in range(total):\n"
              "    due = begin + n / rate; wait = due - time.time()\n"
              "    if wait > 0.001: time.sleep(wait)\n"
              "    producer.produce(names[n % len(names)], json.dumps({'id': n, 'sent': due, 'text': 'x' * 400}).encode()); producer.poll(0)\n"
              "producer.flush(60)\n")
    return subprocess.Popen([sys.executable, "-c", script, json.dumps([servers, names, rate, seconds])])


def rate(options, broker):
    """W-i: messages at a fixed rate; from when each was to be sent until a version of the table that has it is there."""
    seconds = max(5, int(60 * options.scale))
    for per_second, freshness in ((1000, "50 ms"), (10_000, "50 ms"), (10_000, "1 second")):
        name = broker.topic(12)
        project = Project(options.silt, options.work / "project", "CREATE OR REFRESH STREAMING TABLE t AS SELECT id, sent, text FROM STREAM "
                          f"read_kafka(bootstrapServers => '{broker.bootstrap}', subscribe => '{name}', startingOffsets => 'earliest', format => 'json', "
                          "schema => 'id BIGINT, sent DOUBLE, text STRING')", **{"silt.freshness": freshness})
        arrivals = Arrivals(project.table("t"))
        arrivals.start()
        process = subprocess.Popen([options.silt, "run", "--continuous"], cwd=project.folder, stderr=subprocess.DEVNULL)
        time.sleep(3)
        used = cpu_of(process.pid)
        sender = send(broker.bootstrap, [name], per_second, seconds)
        sender.wait()
        time.sleep(3)
        used = cpu_of(process.pid) - used
        process.terminate()
        process.wait()
        arrivals.done = True
        waits = []
        for version, seen in arrivals.seen.items():
            for line in (project.table("t") / f"_delta_log/{version:020}.json").read_text().splitlines():
                action = json.loads(line)
                if "add" in action:
                    from pyarrow.parquet import read_table
                    waits += [seen - sent for sent in read_table(project.table("t") / action["add"]["path"], columns=["sent"]).column(0).to_pylist()]
        if len(waits) != per_second * seconds:
            sys.exit(f"rate: {len(waits)} rows, wanted {per_second * seconds}")
        waits.sort()
        late = [waits[int(len(waits) * part)] * 1000 for part in (0.5, 0.9, 0.99, 0.999)]
        print(f"rate, {per_second} messages a second for {seconds} s, freshness {freshness}: median {late[0]:.0f} ms, 90 % {late[1]:.0f}, 99 % {late[2]:.0f}, "
              f"99.9 % {late[3]:.0f}, most {waits[-1] * 1000:.0f}; {len(arrivals.seen)} commits, {used / seconds * 100:.1f} % of a core (goal: 99 % within 100 ms)")


def topics(options, broker):
    """W-j: a hundred topics, a message a second each, into a table each."""
    seconds = max(10, int(60 * options.scale))
    names = [broker.topic() for _ in range(100)]
    project = Project(options.silt, options.work / "project", *(
        f"CREATE OR REFRESH STREAMING TABLE t{n} AS SELECT id, sent, text FROM STREAM read_kafka(bootstrapServers => '{broker.bootstrap}', subscribe => '{name}', "
        "startingOffsets => 'earliest', format => 'json', schema => 'id BIGINT, sent DOUBLE, text STRING')" for n, name in enumerate(names)), **{"silt.freshness": "60 seconds"})
    process = subprocess.Popen([options.silt, "run", "--continuous"], cwd=project.folder, stderr=subprocess.DEVNULL)
    time.sleep(5)
    sender = send(broker.bootstrap, names, 100, seconds + 5)
    time.sleep(5)
    used = cpu_of(process.pid)
    time.sleep(seconds)
    used = cpu_of(process.pid) - used
    memory = sum(int(line.split()[1]) for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines() if line.startswith("Pss:")) / 1024
    tasks, files = len(list(Path(f"/proc/{process.pid}/task").iterdir())), len(list(Path(f"/proc/{process.pid}/fd").iterdir()))
    sender.wait()
    process.terminate()
    process.wait()
    measured([options.silt, "run"], cwd=project.folder, stderr=subprocess.DEVNULL)
    rows = ask("SELECT count(*)::BIGINT FROM read_parquet(%s)" % [path for n in range(100) for path in live_files(project.table(f"t{n}"))])[0]
    if rows != 100 * (seconds + 5):
        sys.exit(f"topics: {rows} rows, wanted {100 * (seconds + 5)}")
    print(f"topics: 100 topics, a message a second each: {used / seconds * 100:.1f} % of a core, {memory:.0f} MB (PSS), {tasks} threads, {files} open files "
          "(goal: 2 %, 150 MB)")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--silt", default="build/silt")
    parser.add_argument("--jars", required=True)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--work", type=Path, default=Path("build/bench-kafka"))
    parser.add_argument("what", nargs="*")
    options = parser.parse_args()
    options.silt, options.work = os.path.abspath(options.silt), options.work.resolve()
    workloads = {"topic": topic, "rate": rate, "topics": topics}
    for what in options.what:
        if what not in workloads:
            sys.exit(f'no workload "{what}"; there are {", ".join(workloads)}')
    options.work.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(options.work / "broker", ignore_errors=True)
    broker = Broker(options.work / "broker", options.jars)
    broker.start()
    try:
        for what in options.what or workloads:
            workloads[what](options, broker)
    finally:
        broker.stop()


if __name__ == "__main__":
    main()
