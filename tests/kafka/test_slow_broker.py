"""A broker that answers slowly, pauses in the middle of an answer, or breaks off: records come late, once, and a stop is obeyed meanwhile."""
import os
import signal
import time

import pytest

from broker import Broker
from proxy import Proxy
from test_read_kafka import define, wait_for


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """A broker that is reached through a proxy only: its own words send clients there."""
    proxy = Proxy()
    made = Broker(tmp_path_factory.mktemp("slow") / "broker", os.environ["SILT_KAFKA_JARS"], advertised_port=proxy.port)
    proxy.target = made.port
    made.start()
    made.bootstrap = f"127.0.0.1:{proxy.port}"
    made.proxy = proxy
    yield made
    made.stop()
    proxy.close()


@pytest.fixture(autouse=True)
def quick_again(slow):
    yield
    slow.proxy.bytes_per_second, slow.proxy.held = None, False


def fill(broker, records=400):
    topic = broker.topic(2)
    broker.produce(topic, [{"value": os.urandom(600).hex(), "partition": n % 2} for n in range(records)])  # 1,200 bytes that do not shrink
    return topic


def expect_once(project, records=400):
    project.expect("SELECT partition, count(*), count(DISTINCT offset), min(offset), max(offset) FROM raw GROUP BY partition",
                   [[n, records // 2, records // 2, 0, records // 2 - 1] for n in range(2)])


def test_a_trickle_with_pauses_and_breaks_gives_each_record_once(project, slow):
    topic = fill(slow)
    define(project, slow, topic, "partition, offset", maxOffsetsPerTrigger=100)
    slow.proxy.bytes_per_second = 60_000  # half a megabyte: some 8 s
    running = project.start("--continuous")
    try:
        for pause in range(4):
            time.sleep(1)
            slow.proxy.held = True
            time.sleep(1.5)
            if pause % 2:
                slow.proxy.cut()
            slow.proxy.held = False
        wait_for(lambda: project.value("SELECT count(*) FROM raw") >= 400)
        assert running.poll() is None, (project.folder / "run.log").read_text()[-3000:]
    finally:
        running.send_signal(signal.SIGTERM)
    assert running.wait(30) == 143
    expect_once(project)


@pytest.mark.parametrize("words", [["--continuous"], []])
@pytest.mark.parametrize("when", ["trickling", "held", "held from the beginning"])
def test_a_stop_is_obeyed_within_five_seconds(project, slow, when, words):
    topic = fill(slow)
    define(project, slow, topic, "partition, offset")
    if when == "held from the beginning":
        slow.proxy.held = True
    else:
        slow.proxy.bytes_per_second = 5_000
    running = project.start(*words)
    time.sleep(3)
    slow.proxy.held = when != "trickling"
    time.sleep(1)
    assert running.poll() is None, (project.folder / "run.log").read_text()[-3000:]
    begin = time.monotonic()
    running.send_signal(signal.SIGTERM)
    assert running.wait(60) == 143
    assert time.monotonic() - begin < 5
    slow.proxy.bytes_per_second, slow.proxy.held = None, False
    project.run().ok()
    expect_once(project)
