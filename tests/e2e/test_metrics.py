"""Numbers of a run: what Prometheus gets, what statsd is told, and clients that do not behave."""
import http.client
import re
import signal
import socket
import time

import pytest
from driver import free_port, numbers, scrape
from test_run import wait_for

TYPES = {"counter", "gauge", "histogram"}
FLOW = 'flow="spark_catalog.default.raw"'


@pytest.fixture
def running(project):
    """A continuous run over files that has sealed one batch: two rows, one dead letter, one row refused."""
    project.file("in/1.json", '{"id":1}\n{"id":2}\n{"id":-3}\nnot json\n')
    project.define("""CREATE OR REFRESH STREAMING TABLE raw (CONSTRAINT positive EXPECT (id > 0) ON VIOLATION DROP ROW) AS
                      SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')""")
    port = free_port()
    process = project.start("--continuous", "--metrics-listen", f":{port}")
    wait_for(lambda: len(project.progress()) == 1)
    yield project, port
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 143


def test_prometheus_gets_the_numbers_of_a_flow(running):
    project, port = running
    wait_for(lambda: numbers(port)[f"silt_flow_batches_total{{{FLOW}}}"] == 1)
    got = numbers(port)
    want = {"input_rows_total": 4, "rows_total": 2, "dead_letters_total": 1, "refused_rows_total": 1, "failures_total": 0, "batch_duration_seconds_count": 1,
            "commit_duration_seconds_count": 1}
    assert {name: got[f"silt_flow_{name}{{{FLOW}}}"] for name in want} == want
    assert 0 < got[f"silt_flow_commit_duration_seconds_sum{{{FLOW}}}"] < got[f"silt_flow_batch_duration_seconds_sum{{{FLOW}}}"] < 60
    assert abs(got[f"silt_flow_last_commit_timestamp_seconds{{{FLOW}}}"] - time.time()) < 60
    assert got[f"silt_flow_written_bytes_total{{{FLOW}}}"] > 100
    project.json_lines("in/2.json", [{"id": 4}])
    wait_for(lambda: numbers(port)[f"silt_flow_rows_total{{{FLOW}}}"] == 3)


def test_the_text_is_prometheus_own(running):
    """Each family has HELP and TYPE once, before its samples; buckets rise; no sample is there twice."""
    project, port = running
    wait_for(lambda: "silt_flow_last_commit" in scrape(port))
    family, seen, samples, last = None, set(), set(), {}
    for line in scrape(port).splitlines():
        if line.startswith("# HELP "):
            family = line.split()[2]
            assert family not in seen and re.fullmatch("[a-z_]+", family)
            seen.add(family)
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            assert name == family and kind in TYPES
            assert (kind == "counter") == name.endswith("_total")
        else:
            found = re.fullmatch(r'([a-z_]+)\{((?:[a-z]+="(?:[^"\\\n]|\\.)*",?)+)\} ([0-9.]+)', line)
            assert found and found[1].startswith(family), line
            assert (found[1], found[2]) not in samples
            samples.add((found[1], found[2]))
            if found[1].endswith("_bucket"):
                key = re.sub(',le=.*', '', found[2])
                assert float(found[3]) >= last.get((found[1], key), 0)
                last[found[1], key] = float(found[3])
    assert len(seen) >= 10 and last


def ask(port, text, half_close=False):
    with socket.create_connection(("127.0.0.1", port), 10) as s:
        s.sendall(text if isinstance(text, bytes) else text.encode())
        if half_close:
            s.shutdown(socket.SHUT_WR)
        got = b""
        while chunk := s.recv(65536):
            got += chunk
        return got.decode()


@pytest.mark.parametrize("request_text, status", [
    ("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 200), ("GET /healthz HTTP/1.0\n\n", 200), ("HEAD /metrics HTTP/1.1\r\n\r\n", 200), ("GET /metrics?a=b HTTP/1.1\r\n\r\n", 200),
    ("GET / HTTP/1.1\r\n\r\n", 404), ("GET /metrics/ HTTP/1.1\r\n\r\n", 404), ("GET /../etc/passwd HTTP/1.1\r\n\r\n", 404), ("POST /metrics HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 405),
    ("GET /metrics\r\n\r\n", 400), ("\r\n\r\n", 400), ("GET  /metrics HTTP/1.1\r\n\r\n", 400), ("GET metrics HTTP/1.1\r\n\r\n", 400), ("GET /metrics HTTP/1.1 x\r\n\r\n", 400),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505), (b"GET /metrics\0 HTTP/1.1\r\n\r\n", 400), (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", 400),
    ("GET /" + "a" * 20000 + " HTTP/1.1\r\n\r\n", 431), ("GET /metrics HTTP/1.1\r\n" + "X: y\r\n" * 5000 + "\r\n", 431)])
def test_requests_are_answered_or_refused(shared_run, request_text, status):
    for half_close in (False, True):
        text = ask(shared_run, request_text, half_close)
        head, _, body = text.partition("\r\n\r\n")
        assert head.startswith(f"HTTP/1.1 {status} "), text[:200]
        size = int(re.search(r"Content-Length: (\d+)", head)[1])
        assert (not body and size) if (isinstance(request_text, str) and request_text.startswith("HEAD")) else len(body.encode()) == size


@pytest.fixture(scope="module")
def shared_run(tmp_path_factory):
    from driver import Project
    made = Project(tmp_path_factory.mktemp("metrics") / "project")
    made.file("in/1.json", '{"id":1}\n')
    made.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')")
    port = free_port()
    made.start("--continuous", "--metrics-listen", f"127.0.0.1:{port}")
    wait_for(lambda: made.progress())
    yield port
    made.stop_all()


def test_slow_clients_hold_up_nobody(shared_run):
    slow = []
    for n in range(100):  # more than are let in at once: the oldest go
        s = socket.create_connection(("127.0.0.1", shared_run), 10)
        s.sendall(b"GET /met"[:n % 9])
        slow.append(s)
        if n % 10 == 9:
            begin = time.monotonic()
            assert "200 OK" in ask(shared_run, "GET /healthz HTTP/1.1\r\n\r\n")
            assert time.monotonic() - begin < 1
    s = slow[-1]
    s.settimeout(20)
    begin = time.monotonic()
    assert s.recv(10) == b"" and 3 < time.monotonic() - begin < 10, "a request that does not come is not waited for"
    for s in slow:
        s.close()
    assert "200 OK" in ask(shared_run, "GET /metrics HTTP/1.1\r\n\r\n")


def test_it_listens_on_loopback_unless_told_otherwise(shared_run):
    with open("/proc/net/tcp") as table:
        listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
    assert f"0100007F:{shared_run:04X}" in listening and f"00000000:{shared_run:04X}" not in listening
    connection = http.client.HTTPConnection("127.0.0.1", shared_run)
    connection.request("GET", "/metrics")
    reply = connection.getresponse()
    assert reply.status == 200 and reply.getheader("Content-Type") == "text/plain; version=0.0.4; charset=utf-8"


@pytest.mark.parametrize("words, said", [(["--metrics-listen", "nonsense"], "is no address"), (["--metrics-listen", "h:99999"], "is no address"), (["--metrics-listen", "::1:80"], "is no address"),
                                         (["--metrics-listen", "203.0.113.1:1"], "could not listen"), (["--statsd", "no-such-host.invalid:1"], "could not find")])
def test_an_address_that_cannot_be_used_starts_nothing(project, words, said):
    project.define("CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT 1 AS one")
    project.silt("run", *words).refused(said, words[0])
    assert not project.table("v").exists()


def test_statsd_is_told_each_batch(project):
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 0))
    server.settimeout(10)
    project.file("in/1.json", '{"id":1}\n{"id":2}\nnot json\n')
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')")
    project.run("--statsd", f"127.0.0.1:{server.getsockname()[1]}", "--statsd-prefix", "mine").ok()
    lines = server.recv(65536).decode().splitlines()
    assert all(re.fullmatch(r"[a-z_.0-9]+:\d+\|(c|g|ms)", line) for line in lines)
    got = {name: value for name, value in (line.split(":") for line in lines)}
    name = "mine.spark_catalog_default_raw."
    assert {key: got[name + key] for key in ("batches", "input_rows", "rows", "dead_letters")} == {"batches": "1|c", "input_rows": "3|c", "rows": "2|c", "dead_letters": "1|c"}
    assert got[name + "batch_duration"].endswith("|ms")


def test_failures_are_counted(project):
    project.file("in/1.json", '{"id":1}\n')
    project.define("CREATE OR REFRESH STREAMING TABLE raw (CONSTRAINT never EXPECT (id > 1) ON VIOLATION FAIL UPDATE) AS SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')")
    project.define("CREATE OR REFRESH STREAMING TABLE other AS SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')", file="other.sql")
    port = free_port()
    project.start("--continuous", "--metrics-listen", str(port))
    wait_for(lambda: len(project.progress()) == 1)
    wait_for(lambda: numbers(port)[f"silt_flow_failures_total{{{FLOW}}}"] >= 1)
    assert numbers(port)['silt_flow_failures_total{flow="spark_catalog.default.other"}'] == 0
    wait_for(lambda: numbers(port)[f"silt_flow_failed{{{FLOW}}}"] == 1)
    assert numbers(port)['silt_flow_failed{flow="spark_catalog.default.other"}'] == 0
    text = ask(port, "GET /healthz HTTP/1.1\r\n\r\n")
    assert text.startswith("HTTP/1.1 503 ") and "flow spark_catalog.default.raw has failed" in text and "other" not in text
