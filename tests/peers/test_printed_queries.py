"""What the printer writes is what was read: every query of tests/differential, printed as Spark SQL, is the same plan to Spark.

The tree keeps meaning, not spelling, so some plans are compared behind Spark's optimizer: EXTRACT(dow FROM x) is printed with DOW, SUBSTRING(x FROM 1)
as a plain call, IDENTIFIER('a') as the name.
"""
import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest
from driver import SILT

sys.path.insert(0, str(Path(__file__).parents[1] / "differential"))
import corpus  # noqa: E402

SQLCHECK = Path(SILT).resolve().parent / "src" / "sql" / "sqlcheck"


def printed(queries):
    """The text of each query as Silt prints it; None where Silt refuses to parse it."""
    lines = "".join(f"UTC\t{query.text}\n" for query in queries)
    out = subprocess.run([SQLCHECK, "--spark", "--batch"], input=lines, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    return [json.loads(line).get("text") for line in out.split("\n") if line]  # not splitlines: texts have other line ends


def plain(node):
    """A plan without what every parse makes anew (ids of expressions, addresses of byte arrays) and without hints, which Silt does not keep."""
    if isinstance(node, dict):
        return "an id" if node.get("product-class", "").endswith(".ExprId") else {key: plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [plain(x) for x in node if not (isinstance(x, dict) and x.get("class", "").endswith(".UnresolvedHint"))]
    return "bytes" if isinstance(node, str) and node.startswith("[B@") else node


class Parser:
    """Spark's parser and optimizer."""

    def __init__(self, spark):
        self.state, self.jvm = spark._jsparkSession.sessionState(), spark._jvm

    def parse(self, text):
        """The plan, or the class of the error."""
        try:
            return self.state.sqlParser().parsePlan(text)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the answer
            return condition(error)

    def optimize(self, plan):
        try:
            return self.state.executePlan(plan, self.jvm.org.apache.spark.sql.execution.CommandExecutionMode.SKIP()).optimizedPlan()
        except Exception as error:  # noqa: BLE001
            return condition(error)


def condition(error):
    return getattr(error, "getCondition", lambda: None)() or str(getattr(error, "java_exception", error)).splitlines()[0]


def difference(parser, query, text):
    """None, or what Spark makes of the printed text that it does not make of the query."""
    before, after = parser.parse(query), parser.parse(text)
    if isinstance(before, str):
        return None if before == after else f"Spark refuses the query as {before}; printed: {after}"
    if isinstance(after, str):
        return f"Spark refuses what is printed as {after}"
    if plain(json.loads(before.toJSON())) == plain(json.loads(after.toJSON())):
        return None
    before, after = parser.optimize(before), parser.optimize(after)
    if isinstance(before, str) or isinstance(after, str):
        return None if before == after else f"{before}\n{after}"
    return None if before.sameResult(after) else f"{before.toString()}{after.toString()}"


# Queries that Spark itself reads otherwise than Silt does (docs/differences.md): a hint with a mistake in it is a comment to Silt; there is no field of what
# IDENTIFIER names; a collation is no part of a type.
OTHERWISE = {
    "SELECT /*+ BROADCAST( */ a FROM VALUES (1) t(a)",
    "SELECT IDENTIFIER('t') . a FROM VALUES (1) t(a)",
    "SELECT CAST('a' AS STRING COLLATE UTF8_BINARY), typeof('a' COLLATE UTF8_BINARY), typeof(CAST('a' AS STRING COLLATE UTF8_BINARY))",
}


@pytest.fixture
def silence():
    """Each refusal that is an answer would be logged at length."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


def test_spark_reads_the_same_plan_from_every_printed_query(spark, silence):
    queries = [query for name in corpus.FILES for query in corpus.queries(name) if query.text not in OTHERWISE]
    texts = printed(queries)
    assert len(texts) == len(queries) > 6000
    pairs = [(query.text, text) for query, text in zip(queries, texts) if text]
    assert len(pairs) > 5900
    parser = Parser(spark)
    wrong = [(query, text, bad) for query, text in pairs if (bad := difference(parser, query, text))]
    assert not wrong, "\n\n".join("\n".join(entry) for entry in wrong[:50])
