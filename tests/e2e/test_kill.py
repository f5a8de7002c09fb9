"""kill -9 at random moments of the real program on a real disk, while files arrive; others count."""
import os
import random
import time
from collections import Counter

import readers

KILLS = int(os.environ.get("SILT_KILLS", "100"))
SQL = ("""CREATE OR REFRESH STREAMING TABLE raw PARTITIONED BY (part) AS
SELECT id, id % 3 AS part, _metadata.file_name AS file FROM STREAM read_files('in', format => 'json', maxFilesPerTrigger => 3, schema => 'id BIGINT')""",
       "CREATE OR REFRESH STREAMING TABLE doubled AS SELECT id, 2 * id AS twice FROM STREAM raw",
       "CREATE OR REFRESH MATERIALIZED VIEW parts AS SELECT part, count(*) AS n, sum(id) AS total FROM raw GROUP BY part")


def test_a_hundred_kills_lose_no_row_and_double_none(project):
    seed = int(os.environ.get("SILT_SEED", "1"))
    dice = random.Random(seed)
    project.define(*SQL)
    written, killed = 0, 0

    def more_files():
        nonlocal written
        for _ in range(dice.randrange(1, 4)):
            project.json_lines(f"in/{dice.randrange(10**9):09}-{written}.json", [{"id": written + k} for k in range(50)])
            written += 50

    more_files()
    begin = time.monotonic()
    project.run().ok()
    usual = time.monotonic() - begin
    while killed < KILLS:
        more_files()
        process = project.start()
        time.sleep(dice.uniform(0, 1.2 * usual))
        if dice.random() < 0.3:
            more_files()
        if process.poll() is None:
            process.kill()
            killed += 1
        process.wait()
    project.run().ok()

    want = Counter(range(written))
    for counted_by in (readers.delta_rs_rows, readers.duckdb_rows):
        assert Counter(id for (id,) in counted_by(project.table("raw"), "id")) == want, f"seed {seed}"
        assert Counter(counted_by(project.table("doubled"), "id", "twice")) == Counter((id, 2 * id) for id in range(written)), f"seed {seed}"
    parts = {part: (n, total) for part, n, total in readers.delta_rs_rows(project.table("parts"), "part", "n", "total")}
    assert parts == {part: (len(ids), sum(ids)) for part in range(3) if (ids := [id for id in range(written) if id % 3 == part])}
    for table in ("raw", "doubled", "parts"):
        for path in (project.table(table) / "_delta_log").glob("*.json"):
            assert path.read_bytes().endswith(b"}\n"), path
        for version, txn in readers.actions(project.table(table), "txn"):
            assert txn["version"] >= 0
    numbers = [txn["version"] for _, txn in readers.actions(project.table("raw"), "txn")]
    assert numbers == sorted(set(numbers)), "a batch was committed twice"
