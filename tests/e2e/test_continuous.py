"""--continuous on a project that never ran: what depends on a table waits until it is there, and follows it. Stopping in the midst of a batch."""
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
