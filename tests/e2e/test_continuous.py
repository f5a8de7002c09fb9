"""--continuous on a project that never ran: what depends on a table waits until it is there, and follows it. Stopping in the midst of a batch."""
import gzip
import signal
import time

import pytest
from test_run import wait_for


def test_a_view_waits_for_tables_that_are_not_there_yet(project):
    project.file("in/.keep", "")
    chain = [f"CREATE OR REFRESH STREAMING TABLE t{n} AS SELECT id FROM STREAM t{n - 1}" for n in range(1, 6)]
    project.define("CREATE OR REFRESH MATERIALIZED VIEW a_total AS SELECT count(*) AS n FROM t5", *chain,
                   "CREATE OR REFRESH STREAMING TABLE t0 AS SELECT id FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')")
    process = project.start("--continuous")
    for number in range(1, 4):
        project.json_lines(f"in/{number}.json", [{"id": number}])
        wait_for(lambda: project.silt("sql", "--format", "json", "-c", "SELECT n FROM a_total").out.strip() == f'{{"n":{number}}}')
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 143, process.communicate()


@pytest.mark.parametrize("more", [[], ["CREATE OR REFRESH MATERIALIZED VIEW other AS SELECT 1 AS n"]], ids=["one flow", "two flows"])
def test_a_signal_ends_a_batch_that_would_take_hours(project, more):
    project.define("CREATE OR REFRESH MATERIALIZED VIEW big AS SELECT count(*) AS n FROM range(10000000) a JOIN range(10000000) b ON a.id * 3 < b.id", *more)
    process = project.start()
    time.sleep(1.5)
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 143
    assert project.silt("sql", "-q", "-c", "SELECT n FROM big").out == ""


def test_a_file_caught_half_copied_is_read_once_it_is_whole_and_stops_no_other_flow(project):
    content = gzip.compress(b"".join(b'{"id":%d}\n' % n for n in range(20000)))
    project.file("in/a.json.gz", content[:len(content) // 2])
    project.file("other/.keep", "")
    for name, folder in (("raw", "in"), ("fine", "other")):
        project.define(f"CREATE OR REFRESH STREAMING TABLE {name} AS SELECT id FROM STREAM read_files('{folder}', format => 'json', schema => 'id BIGINT')",
                       file=f"{name}.sql")
    process = project.start("--continuous")
    for number in range(2):  # the other flow goes on while this one fails
        project.json_lines(f"other/{number}.json", [{"id": number}])
        wait_for(lambda: project.silt("sql", "--format", "json", "-c", "SELECT count(*) AS n FROM fine").out.strip() == f'{{"n":{number + 1}}}')
    time.sleep(2.5)
    project.file("in/a.json.gz", content)
    wait_for(lambda: project.silt("sql", "--format", "json", "-c", "SELECT count(*) AS n FROM raw").out.strip() == '{"n":20000}')
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 143
    assert (project.folder / "run.log").read_text().count("has FAILED and will be tried again") == 1
