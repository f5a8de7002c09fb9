"""One project, two engines: `silt run` and `spark-pipelines run` take turns on the same tables, from the same offsets."""
import subprocess
import sys
from pathlib import Path

import readers

REGISTER = """
import sys
sys.path.insert(0, sys.argv[1])
import spark
session = spark.session("register", "spark-warehouse", spark__sql__catalogImplementation="hive")
for table in sys.argv[2:]:
    session.sql(f"CREATE TABLE {table.rsplit('/', 1)[1]} USING delta LOCATION '{table}'")
"""


def test_spark_pipelines_runs_the_project_on_the_tables_and_offsets_of_silt_and_back(project, without_spark):
    """Spark wants the tables in its catalog: they are registered there once, at the place where Silt keeps them."""
    import pyarrow
    import spark as peer
    from deltalake import write_deltalake
    written = 0

    def more():
        nonlocal written
        ids = [written, written + 1, written + 2]
        written += 3
        write_deltalake(str(project.table("ext")), pyarrow.table({"id": pyarrow.array(ids, pyarrow.int64()), "k": [f"k{id % 2}" for id in ids]}), mode="append")

    def complete():
        ids = list(range(written))
        assert sorted(readers.delta_rs_rows(project.table("raw"), "id", "k")) == [(id, f"k{id % 2}") for id in ids]
        assert sorted(readers.delta_rs_rows(project.table("odd"), "id", "twice")) == [(id, 2 * id) for id in ids if id % 2]
        assert sorted(readers.delta_rs_rows(project.table("per_k"), "k", "n")) == [("k0", len(ids[::2])), ("k1", len(ids[1::2]))]

    project.define("CREATE STREAMING TABLE raw AS SELECT * FROM STREAM ext",
                   "CREATE STREAMING TABLE odd AS SELECT id, id * 2 AS twice FROM STREAM raw WHERE id % 2 = 1",
                   "CREATE MATERIALIZED VIEW per_k AS SELECT k, count(*) AS n FROM raw GROUP BY k")
    more()
    more()
    project.run().ok()
    complete()
    tables = [str(project.table(name)) for name in ("ext", "raw", "odd", "per_k")]
    done = subprocess.run([sys.executable, "-c", REGISTER, str(Path(__file__).parent), *tables], cwd=project.folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    for _ in range(2):
        more()
        done = peer.pipelines("run", cwd=project.folder)
        assert done.returncode == 0, done.stdout[-4000:]
        complete()
        more()
        project.run().ok()
        complete()
