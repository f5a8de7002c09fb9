"""A continuous run under load that is killed again and again: what each version of its tables holds, and what there is in the end."""
import json
import os
import random
import signal
import threading
import time

import pyarrow.parquet

from test_formats import define

PARTITIONS = 4


class Load:
    """Messages into all partitions from a thread of its own, every seventh undecodable, until told to end."""

    def __init__(self, broker, topic, seed):
        self.broker, self.topic, self.rng = broker, topic, random.Random(seed)
        self.sent = [[] for _ in range(PARTITIONS)]  # by partition, of each offset: the id, or the text that is no record
        self.ended, self.thread = threading.Event(), threading.Thread(target=self.go)
        self.failure = None

    def go(self):
        from confluent_kafka import Producer
        try:
            producer = Producer({"bootstrap.servers": self.broker.bootstrap, "log_level": 0, "linger.ms": 2, "enable.idempotence": True})
            number = 0
            while not self.ended.is_set():
                for _ in range(self.rng.randrange(1, 60)):
                    partition = self.rng.randrange(PARTITIONS)
                    bad = self.rng.random() < 1 / 7
                    self.sent[partition].append(f"bad {number}" if bad else number)
                    producer.produce(self.topic, f"bad {number}" if bad else f'{{"id":{number}}}', partition=partition)
                    number += 1
                producer.poll(0)
                time.sleep(0.01)
            assert producer.flush(60) == 0
        except Exception as failure:
            self.failure = failure

    def end(self):
        self.ended.set()
        self.thread.join()
        assert self.failure is None, self.failure


def commits(table):
    """Of each version, in order: the batch that it seals (None: of none), and the rows that it brings."""
    found = []
    for number, path in enumerate(sorted((table / "_delta_log").glob("*.json"))):
        assert int(path.stem) == number, "a version is missing"
        batch, rows = None, []
        for line in path.read_text().splitlines():
            action = json.loads(line)
            batch = action["txn"]["version"] if "txn" in action else batch
            add = action.get("add")
            if add and add["dataChange"]:
                rows += pyarrow.parquet.read_table(table / add["path"], partitioning=None).to_pylist()
            assert not ("remove" in action and action["remove"]["dataChange"]), "a row was taken away"
        found.append((batch, rows))
    return found


def check_versions(sent, table, letters):
    """Each version ends a whole batch of rows and dead letters, and with these each partition is there from its first record without a gap."""
    kept = {}
    for batch, rows in commits(letters):
        assert batch is not None or not rows
        assert batch not in kept or not rows, f"batch {batch} has its dead letters twice"
        if rows:
            kept[batch] = rows
    begin, batches, versions = [0] * PARTITIONS, [], 0
    for batch, rows in commits(table):
        if batch is None:
            assert not rows
            continue
        # of a batch without rows there is a version or not: its dead letters belong before the next one
        batches.append(batch)
        assert batches == sorted(set(batches)), f"batches came as {batches[-3:]}"
        here = [(row["p"], row["o"], row["id"]) for row in rows]
        for other in sorted(other for other in kept if other <= batch):
            here += [(row["partition"], row["offset"], bytes(row["record"]).decode()) for row in kept.pop(other)]
        for partition in range(PARTITIONS):
            part = sorted((offset, content) for p, offset, content in here if p == partition)
            wanted = sent[partition][begin[partition]:begin[partition] + len(part)]
            assert part == list(enumerate(wanted, begin[partition])), f"batch {batch}, partition {partition} from offset {begin[partition]}"
            begin[partition] += len(part)
        versions += 1
    return begin, kept, versions


def test_killed_50_times_under_load_each_version_is_a_prefix_of_each_partition(project, broker):
    kills, seed = int(os.environ.get("SILT_KAFKA_KILLS", "50")), int(os.environ.get("SILT_SEED", "1"))
    rng, topic = random.Random(seed), broker.topic(PARTITIONS)
    define(project, broker, topic, "id, _metadata.partition AS p, _metadata.offset AS o", schema="id BIGINT", maxOffsetsPerTrigger=400)
    project.conf["silt.freshness"] = "50 milliseconds"
    project.write_spec()
    load = Load(broker, topic, seed)
    load.thread.start()
    try:
        for kill in range(kills):
            running = project.start("--continuous")
            time.sleep(rng.uniform(0.05, 1.2))
            assert running.poll() is None, f"kill {kill}: " + (project.folder / "run.log").read_text()[-3000:]
            running.send_signal(signal.SIGKILL)
            running.wait()
    finally:
        load.end()
    table, letters = project.table("raw"), project.table("raw_dead_letters")
    killed = check_versions(load.sent, table, letters)
    assert killed[2] >= kills, f"{killed[2]} batches in {kills} lives: too few to prove anything"
    project.run().ok()
    total = [len(part) for part in load.sent]
    begin, kept, _ = check_versions(load.sent, table, letters)
    begin = list(begin)
    for rows in kept.values():  # a last batch of dead letters only
        for row in rows:
            begin[row["partition"]] += 1
    assert begin == total
    good = sum(isinstance(one, int) for part in load.sent for one in part)
    project.expect("SELECT count(*), count(DISTINCT id), count(DISTINCT p, o) FROM raw", [[good] * 3])
    project.expect("SELECT count(*), count(DISTINCT partition, offset), count(DISTINCT record) FROM raw_dead_letters", [[sum(total) - good] * 3])
