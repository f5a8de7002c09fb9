"""A topic that is deleted and made anew is told from the old one by its id, however long it is when it is looked at again."""
import ctypes
import json
import os
import random
import shutil
import signal
import time

import pytest
from test_read_kafka import checkpoint, define, offsets, source, until


def again(broker, topic, records, partitions=1, **config):
    broker.drop(topic)
    broker.topic(partitions, name=topic, **config)
    broker.produce(topic, records)


def topic_id(broker, topic):
    from confluent_kafka import TopicCollection
    admin = broker.admin()  # must live until the answer is there
    (future,) = admin.describe_topics(TopicCollection([topic])).values()
    return str(future.result(30).topic_id)


def kept(project):
    version, text = (checkpoint(project) / "sources/0/_topics").read_text().split("\n")
    assert version == "v1"
    return json.loads(text)


def counts(project, table="raw"):
    """How many rows and how many different ones begin with each word."""
    return {word: (rows, values) for word, rows, values in project.rows(f"SELECT split(v, ' ')[0] AS w, count(*), count(DISTINCT v) FROM {table} GROUP BY w")}


def words(word, count, begin=0):
    return [f"{word} {n}" for n in range(begin, begin + count)]


def unsealed(project):
    """As a kill between the batch's plan and its commit leaves it: offsets/N is there, commits/N and the table's commit are not."""
    place, log = checkpoint(project), project.table("raw") / "_delta_log"
    newest = max(int(path.name) for path in (place / "commits").iterdir() if path.name.isdigit())
    (place / "commits" / str(newest)).unlink()
    versions = sorted(path for path in log.glob("*.json") if path.name[0] != "_")
    versions[-1].unlink()
    for path in log.glob(versions[-1].stem + "*"):
        path.unlink()


# ---- while silt is down ----

@pytest.mark.parametrize("length", [4, 10, 30])
def test_a_topic_made_anew_is_noticed_however_long_it_is(project, broker, length):
    topic = broker.topic()
    broker.produce(topic, words("old", 10))
    define(project, broker, topic)
    project.run().ok()
    old = topic_id(broker, topic)
    assert kept(project) == {topic: old}
    again(broker, topic, words("new", length))
    new = topic_id(broker, topic)
    assert new != old
    for _ in range(2):
        project.run().refused(f'topic "{topic}" was made anew', old, new, f'{{"{topic}":{{"0":10}}}}', "failOnDataLoss => false", code=1)
    assert offsets(project) == {topic: {"0": 10}} and kept(project) == {topic: old}
    define(project, broker, topic, failOnDataLoss=False)
    run = project.run().ok()
    assert run.err.count("was made anew") == 1 and old in run.err and new in run.err
    assert counts(project) == {"old": (10, 10), "new": (length, length)}
    assert kept(project) == {topic: new} and offsets(project) == {topic: {"0": length}}
    broker.produce(topic, words("later", 5))
    define(project, broker, topic)
    assert "made anew" not in project.run().ok().err
    assert counts(project) == {"old": (10, 10), "new": (length, length), "later": (5, 5)}


def test_other_topics_of_the_flow_are_not_set_back(project, broker):
    changed, same = (broker.topic(2, name=f"anew{project.folder.parent.name[-20:]}.{name}") for name in "ab")
    for topic in (changed, same):
        broker.produce(topic, [{"value": value, "partition": n % 2} for n, value in enumerate(words(topic[-1] + "1", 20))])
    define(project, broker, f"{changed},{same}", failOnDataLoss=False)
    project.run().ok()
    again(broker, changed, [{"value": value, "partition": n % 3} for n, value in enumerate(words("a2", 90))], partitions=3)
    broker.produce(same, words("b2", 7))
    run = project.run().ok()
    assert run.err.count("made anew") == 1 and "not there any more" not in run.err
    assert counts(project) == {"a1": (20, 20), "b1": (20, 20), "a2": (90, 90), "b2": (7, 7)}


def test_a_topic_that_was_begun_at_its_end_and_is_made_anew_before_anything_is_read(project, broker):
    topic = broker.topic()
    broker.produce(topic, words("old", 10))
    define(project, broker, topic, startingOffsets="latest")
    project.run().ok()
    again(broker, topic, words("new", 30))
    project.run().refused("was made anew", '"0":10', code=1)
    define(project, broker, topic, startingOffsets="latest", failOnDataLoss=False)
    project.run().ok()
    assert counts(project) == {"new": (30, 30)}


def test_a_topic_of_which_nothing_was_read_is_made_anew(project, broker):
    topic = broker.topic()
    define(project, broker, topic)
    project.run().ok()
    again(broker, topic, words("new", 3))
    project.run().refused("was made anew", '"0":0', code=1)
    define(project, broker, topic, failOnDataLoss=False)
    assert "was made anew" in project.run().ok().err
    assert counts(project) == {"new": (3, 3)}
    assert "made anew" not in project.run().ok().err


def test_a_topic_of_a_pattern_goes_and_comes_back(project, broker):
    prefix = f"comes{project.folder.parent.name[-20:]}"
    stays, goes = broker.topic(name=prefix + ".a"), broker.topic(name=prefix + ".b")
    broker.produce(goes, words("old", 10))
    define(project, broker, None, subscribePattern=prefix + "[.].", failOnDataLoss=False)
    project.run().ok()
    broker.drop(goes)
    broker.produce(stays, words("other", 1))
    assert "not there any more" in project.run().ok().err
    broker.topic(name=goes)
    broker.produce(goes, words("new", 30))
    assert "made anew" not in project.run().ok().err  # that it had gone was said
    assert counts(project) == {"old": (10, 10), "other": (1, 1), "new": (30, 30)}


def test_a_checkpoint_without_ids_takes_the_topic_that_is_there(project, broker):
    topic = broker.topic()
    broker.produce(topic, words("old", 10))
    define(project, broker, topic)
    project.run().ok()
    (checkpoint(project) / "sources/0/_topics").unlink()
    broker.produce(topic, words("more", 5))
    project.run().ok()
    assert kept(project) == {topic: topic_id(broker, topic)}
    again(broker, topic, words("new", 30))
    project.run().refused("was made anew", code=1)
    (checkpoint(project) / "sources/0/_topics").write_text("v2\n{}")
    project.run().refused("_topics", "does not hold the ids of topics", code=1)


# ---- crashes ----

def test_a_batch_that_was_planned_of_the_old_topic_reads_nothing_of_the_new_one(project, broker):
    topic = broker.topic()
    broker.produce(topic, words("old", 10))
    define(project, broker, topic)
    project.run().ok()
    broker.produce(topic, words("gone", 10))
    project.run().ok()
    unsealed(project)
    again(broker, topic, words("new", 40))
    project.run().refused("was made anew", code=1)
    assert counts(project) == {"old": (10, 10)}
    define(project, broker, topic, failOnDataLoss=False)
    assert "was made anew" in project.run().ok().err
    assert counts(project) == {"old": (10, 10), "new": (40, 40)}


@pytest.mark.parametrize("died", ["before the seal", "before the id was taken"])
def test_a_position_that_was_set_back_is_so_after_a_crash(project, broker, died):
    topic = broker.topic()
    broker.produce(topic, words("old", 10))
    define(project, broker, topic, failOnDataLoss=False)
    project.run().ok()
    ids = (checkpoint(project) / "sources/0/_topics").read_bytes()
    broker.drop(topic)
    broker.topic(name=topic)
    project.run().ok()
    assert offsets(project) == {topic: {"0": 0}}
    (checkpoint(project) / "sources/0/_topics").write_bytes(ids)
    if died == "before the seal":
        unsealed(project)
    broker.produce(topic, words("new", 30))
    assert "was made anew" in project.run().ok().err
    assert counts(project) == {"old": (10, 10), "new": (30, 30)}
    assert kept(project) == {topic: topic_id(broker, topic)}


def test_killed_at_any_moment_while_topics_are_made_anew(project, broker):
    kills, rng = int(os.environ.get("SILT_KAFKA_KILLS", "12")), random.Random(int(os.environ.get("SILT_SEED", "1")))
    topic, whole = broker.topic(2), []
    define(project, broker, topic, "CAST(value AS STRING) AS v", maxOffsetsPerTrigger=50, failOnDataLoss=False)
    for turn in range(kills):
        records = [{"value": value, "partition": n % 2} for n, value in enumerate(words(f"t{turn}", 100 + 40 * turn))]
        if turn:
            again(broker, topic, records, partitions=2)
        else:
            broker.produce(topic, records)
        for _ in range(rng.randrange(3)):
            running = project.start()
            time.sleep(rng.uniform(0.05, 0.5))
            running.send_signal(signal.SIGKILL)
            running.wait()
        if rng.random() < 0.4:
            project.run().ok()
            whole.append(turn)
    project.run().ok()
    whole.append(kills - 1)
    got = counts(project)
    assert all(rows == values for rows, values in got.values()), "doubled"
    for turn in whole:
        assert got[f"t{turn}"] == (100 + 40 * turn,) * 2, "of a topic that stood while a run ended nothing is left out"


# ---- while it stands ----

@pytest.mark.parametrize("keep_going", [False, True])
def test_a_topic_is_made_anew_behind_a_standing_run(project, broker, keep_going):
    topic = broker.topic(2)
    broker.produce(topic, [{"value": value, "partition": n % 2} for n, value in enumerate(words("old", 20))])
    define(project, broker, topic, failOnDataLoss=not keep_going)
    run = project.start("--continuous")
    until(lambda: sum(batch["numInputRows"] for batch in project.progress()) == 20)
    run.send_signal(signal.SIGSTOP)  # so that it looks again when the new one is longer
    again(broker, topic, [{"value": value, "partition": n % 2} for n, value in enumerate(words("new", 60))], partitions=2)
    run.send_signal(signal.SIGCONT)
    log = project.folder / "run.log"
    if not keep_going:
        until(lambda: "has FAILED" in log.read_text())
        assert "was made anew" in log.read_text()
        assert counts(project) == {"old": (20, 20)}
        return
    until(lambda: counts(project).get("new") == (60, 60))
    broker.produce(topic, words("later", 5))
    until(lambda: "later" in counts(project))
    run.send_signal(signal.SIGTERM)
    assert run.wait(30) == 143
    assert counts(project) == {"old": (20, 20), "new": (60, 60), "later": (5, 5)}
    assert "was made anew" in log.read_text()


def test_a_quiet_topic_made_anew_behind_a_standing_run(project, broker):
    """It is as long as the old one, so that its ends tell nothing: the next record does."""
    topic = broker.topic()
    broker.produce(topic, words("old", 10))
    define(project, broker, topic, failOnDataLoss=False)
    run = project.start("--continuous")
    until(lambda: sum(batch["numInputRows"] for batch in project.progress()) == 10)
    run.send_signal(signal.SIGSTOP)
    again(broker, topic, words("new", 10))
    run.send_signal(signal.SIGCONT)
    time.sleep(1)
    broker.produce(topic, words("later", 1))
    until(lambda: counts(project) == {"old": (10, 10), "new": (10, 10), "later": (1, 1)})


@pytest.mark.parametrize("keep_going", [False, True])
def test_a_topic_is_made_anew_while_it_is_read(project, broker, keep_going):
    """What was fetched before and what is fetched behind that never come into one batch."""
    topic, count = broker.topic(), 150000
    broker.produce(topic, words("old", count))
    define(project, broker, topic, failOnDataLoss=not keep_going)
    run = project.start()
    until(lambda: list(project.folder.rglob("offsets/0")))
    run.send_signal(signal.SIGSTOP)
    assert not list(project.folder.rglob("commits/0"))
    again(broker, topic, words("new", count + 50000))
    run.send_signal(signal.SIGCONT)
    code, log = run.wait(120), (project.folder / "run.log").read_text()
    assert "was made anew" in log, log[-3000:]
    if keep_going:
        assert code == 0, log[-3000:]
        assert counts(project) == {"new": (count + 50000,) * 2}
    else:
        assert code == 1
        assert counts(project) == {}


# ---- clients that know no ids ----

def test_with_an_older_library_only_a_shorter_topic_tells(project, broker):
    try:
        library = ctypes.CDLL("librdkafka.so.1")
    except OSError:
        pytest.skip("there is no other librdkafka")
    if hasattr(library, "rd_kafka_DescribeTopics"):
        pytest.skip("it gives ids")
    older = {"SILT_LIBRDKAFKA": "librdkafka.so.1"}
    topic = broker.topic()
    broker.produce(topic, words("old", 10))
    define(project, broker, topic)
    run = project.run(env=older).ok()
    assert run.err.count("gives no ids of topics") == 1
    assert not (checkpoint(project) / "sources/0/_topics").exists()
    again(broker, topic, words("new", 4))
    project.run(env=older).refused("made anew, or its log was cut", code=1)
