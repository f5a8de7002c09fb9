"""Real Spark as a peer in tests: a small local session with Delta.

SILT_SPARK_JARS names the folder with the jars that pom.xml lists; `make test-peers` sets it.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession

os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")

JARS_VAR = "SILT_SPARK_JARS"

# The settings that Spark needs to read and write Delta tables, and to make
# every table one.  A pipeline's table declared USING delta fails from its
# second run on ("'provider' is a reserved table property").
DELTA = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog":
        "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.sources.default": "delta",
}

# The settings that keep a test's session small and its results the same on
# every machine.
SMALL = {
    "spark.master": "local[2]",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    "spark.databricks.delta.snapshotPartitions": "2",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.driver.host": "localhost",
    "spark.driver.bindAddress": "127.0.0.1",
}


def jars():
    """The jars to add to pyspark's own, sorted."""
    found = sorted(Path(os.environ[JARS_VAR]).glob("*.jar"))
    if not found:
        raise FileNotFoundError(f"no jar in ${JARS_VAR}")
    return [str(jar) for jar in found]


def settings(warehouse, **conf):
    """Every setting of a session whose tables lie under the warehouse.

    In conf a double underscore stands for a dot:
    spark__sql__ansi__enabled="false".
    """
    warehouse = Path(warehouse).absolute()
    return {
        **SMALL,
        **DELTA,
        "spark.driver.extraClassPath": os.pathsep.join(jars()),
        "spark.sql.warehouse.dir": str(warehouse),
        **{key.replace("__", "."): str(value) for key, value in conf.items()},
    }


def session(app, warehouse="spark-warehouse", **conf):
    """A local session.  Stop it before asking for one with other settings."""
    builder = SparkSession.builder.appName(app)
    for key, value in settings(warehouse, **conf).items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("FATAL")
    return spark


def pipelines(*args, cwd, warehouse="spark-warehouse", lasting=True,
              timeout=300, **conf):
    """Runs spark-pipelines in the project at cwd and returns the finished
    process.  All that it says, tracebacks too, is in stdout.

    Unless the catalog is lasting (Derby files in the project), no second run
    of a project succeeds, as the tables it finds are unknown to it.
    The settings go through a spark-defaults.conf: of those given as --conf,
    spark-pipelines loses all but the last few when they are more than ten.
    """
    env = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    command = [str(Path(sys.executable).parent / "spark-pipelines")]
    with tempfile.TemporaryDirectory() as folder:
        conf = settings(Path(cwd, warehouse), **conf)
        if lasting:
            conf["spark.sql.catalogImplementation"] = "hive"
        command += ["--remote", conf.pop("spark.master"), *args]
        Path(folder, "spark-defaults.conf").write_text(
            "".join(f"{key} {value}\n" for key, value in conf.items()))
        env["SPARK_CONF_DIR"] = folder
        return subprocess.run(command, cwd=cwd, env=env, text=True,
                              capture_output=True, timeout=timeout)
