"""Sketches in Delta tables: made by Silt and asked by Spark, made by Spark and asked by Silt, and some of each united by both."""
import pytest

# Rows of a group, and what is counted of them. From a few values, kept one by one, to many, of which only registers are kept.
GROUPS = "SELECT g, id FROM VALUES (1, 5), (2, 20), (3, 300), (4, 20000) t(g, n) LATERAL VIEW explode(sequence(0, n)) s AS id"
COUNTED = {"i": "CAST(id AS INT)", "l": "id * 1000003L", "s": "concat('key ', id)", "b": "unhex(hex(id))"}

FAMILIES = {
    # name: (makes a sketch, asks it, unites two, unites a column)
    "hll": ("hll_sketch_agg({x}, 10)", "hll_sketch_estimate({x})", "hll_union({x}, {y})", "hll_union_agg({x})"),
    "theta": ("theta_sketch_agg({x}, 10)", "theta_sketch_estimate({x})", "theta_union({x}, {y}, 10)", "theta_union_agg({x}, 10)"),
    "theta intersection": ("theta_sketch_agg({x}, 10)", "theta_sketch_estimate({x})", "theta_intersection({x}, {y})", "theta_intersection_agg({x})"),
    "theta difference": ("theta_sketch_agg({x}, 10)", "theta_sketch_estimate({x})", "theta_difference({x}, {y})", "theta_union_agg({x}, 4)"),
}


def sketches(make):
    return f"SELECT g, {', '.join(f'{make.format(x=text)} AS {name}' for name, text in COUNTED.items())} FROM ({GROUPS}) GROUP BY g"


def questions(table, ask, unite, unite_all):
    """Of each group, of groups united two by two, and of all together."""
    columns = ", ".join(ask.format(x=name) for name in COUNTED)
    pairs = ", ".join(ask.format(x=unite.format(x=f"a.{name}", y=f"b.{name}")) for name in COUNTED)
    all_of = ", ".join(ask.format(x=unite_all.format(x=name)) for name in COUNTED)
    return [f"SELECT g, {columns} FROM {table}", f"SELECT a.g * 10 + b.g, {pairs} FROM {table} a CROSS JOIN {table} b", f"SELECT -1, {all_of} FROM {table}"]


def answers(rows, table, family):
    _, *asking = FAMILIES[family]
    return sorted(tuple(map(int, row)) for text in questions(table, *asking) for row in rows(text))


def by_spark(spark):
    return lambda text: [tuple(row) for row in spark.sql(text).collect()]


def assert_counts(got):
    """Within a few hundredths of the truth, group by group."""
    truth = {1: 6, 2: 21, 3: 301, 4: 20001}
    for g, *counts in got:
        if g in truth:
            assert all(abs(count - truth[g]) <= truth[g] * 0.12 for count in counts), (g, counts)


@pytest.mark.parametrize("family", FAMILIES)
def test_spark_asks_the_sketches_of_silt(project, spark, family):
    make = FAMILIES[family][0]
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW t AS {sketches(make)}")
    project.run().ok()
    got = answers(by_spark(spark), f"delta.`{project.table('t')}`", family)
    assert got == answers(project.rows, "t", family)
    assert_counts(got)


@pytest.mark.parametrize("family", FAMILIES)
def test_silt_asks_the_sketches_of_spark(project, spark, family):
    make = FAMILIES[family][0]
    theirs = project.folder / "by-spark"
    spark.sql(sketches(make)).write.format("delta").save(str(theirs))
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW t AS SELECT * FROM delta.`{theirs}`")
    project.run().ok()
    got = answers(project.rows, "t", family)
    assert_counts(got)
    each = {row[0]: row for row in answers(by_spark(spark), f"delta.`{theirs}`", family)}
    for g, *counts in got:
        for count, other in zip(counts, each[g][1:]):
            assert abs(count - other) <= 0.05 * other + 1, (g, counts, each[g])
