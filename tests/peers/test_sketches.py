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


# of the kind, how it is made of a group's rows
KLL = {"bigint": "kll_sketch_agg_bigint(id, 100)", "float": "kll_sketch_agg_float(CAST(id AS FLOAT), 100)", "double": "kll_sketch_agg_double(id / 4D, 100)"}
KLL_TABLE = f"SELECT g, {', '.join(f'{make} AS k_{kind}' for kind, make in KLL.items())} FROM ({GROUPS}) GROUP BY g"


def kll_answers(rows, table):
    """Of each sketch how many values it has seen, quantiles, ranks and its description."""
    found = []
    for kind in KLL:
        asked = (f"kll_sketch_get_n_{kind}(k_{kind})", *(f"CAST(kll_sketch_get_quantile_{kind}(k_{kind}, {share}D) AS DOUBLE)" for share in (0, 0.1, 0.5, 0.99, 1)),
                 *(f"kll_sketch_get_rank_{kind}(k_{kind}, {value})" for value in (0, 5, 100, 15000)), f"kll_sketch_to_string_{kind}(k_{kind})")
        found += [(kind, int(row[0]), int(row[1]), *map(float, row[2:-1]), row[-1]) for row in rows(f"SELECT g, {', '.join(asked)} FROM {table}")]
    return sorted(found)


def kll_together(rows, table):
    """Of all groups merged into one: the share of values up to the median of the largest, and how many there are."""
    text = ", ".join(f"kll_sketch_get_n_{kind}(kll_merge_agg_{kind}(k_{kind})), kll_sketch_get_rank_{kind}(kll_merge_agg_{kind}(k_{kind}), {10000 / (4 if kind == 'double' else 1)}D)"
                     for kind in KLL)
    return [float(x) for x in rows(f"SELECT {text} FROM {table}")[0]]


def assert_kll(ours, theirs):
    assert ours == theirs
    for kind, g, count, least, *_ in ours:
        assert (count, least) == ({1: 6, 2: 21, 3: 301, 4: 20001}[g], 0.0), (kind, g)


def assert_kll_together(got):
    for count, rank in zip(got[::2], got[1::2]):
        assert count == 6 + 21 + 301 + 20001
        assert abs(rank - 10329 / 20329) < 0.08


def test_both_read_the_quantiles_of_silt(project, spark):
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW t AS {KLL_TABLE}")
    project.run().ok()
    table = f"delta.`{project.table('t')}`"
    assert_kll(kll_answers(project.rows, "t"), kll_answers(by_spark(spark), table))
    assert_kll_together(kll_together(project.rows, "t"))
    assert_kll_together(kll_together(by_spark(spark), table))


def test_both_read_the_quantiles_of_spark(project, spark):
    theirs = project.folder / "by-spark"
    spark.sql(KLL_TABLE).write.format("delta").save(str(theirs))
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW t AS SELECT * FROM delta.`{theirs}`")
    project.run().ok()
    assert_kll(kll_answers(project.rows, "t"), kll_answers(by_spark(spark), f"delta.`{theirs}`"))
    assert_kll_together(kll_together(project.rows, "t"))


# Of the items with the same count Spark's order depends on its partitions where they met in the table, so each answer is sorted here.
TOP_K = {"l": "id % 40", "i": "CAST(id % 7 AS INT)", "s": "concat('key ', id % 40)", "d": "CAST(id % 40 AS DECIMAL(25, 2)) / 8", "f": "CAST(id % 40 AS FLOAT) / 8", "b": "id % 3 = 0",
         "t": "CASE WHEN id % 4 > 0 THEN DATE '2026-01-01' + CAST(id % 40 AS INT) END"}
TOP_K_TABLE = f"SELECT g, {', '.join(f'approx_top_k_accumulate({text}, 100) AS k_{name}' for name, text in TOP_K.items())} FROM ({GROUPS}) GROUP BY g"


def top_k_answers(rows, table):
    found = []
    for name in TOP_K:
        asked = f"CAST(sort_array(approx_top_k_estimate(k_{name}, 50)) AS STRING)"
        found += [(name, int(g), text) for g, text in rows(f"SELECT g, {asked} FROM {table}")]
        for size in ("", ", 200"):
            found += [(name, size, rows(f"SELECT CAST(sort_array(approx_top_k_estimate(approx_top_k_combine(k_{name}{size}), 50)) AS STRING) FROM {table}")[0][0])]
    return sorted(found, key=str)


def assert_top_k(ours, theirs):
    assert ours == theirs
    counts = {(name, g): text for name, g, text in ours}
    assert counts["b", 1] == "[{false, 4}, {true, 2}]"
    assert "{null, 2}" in counts["t", 1] and "{key 5, 1}" in counts["s", 1]


def test_both_read_the_frequent_items_of_silt(project, spark):
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW t AS {TOP_K_TABLE}")
    project.run().ok()
    assert_top_k(top_k_answers(project.rows, "t"), top_k_answers(by_spark(spark), f"delta.`{project.table('t')}`"))


def test_both_read_the_frequent_items_of_spark(project, spark):
    theirs = project.folder / "by-spark"
    spark.sql(TOP_K_TABLE).write.format("delta").save(str(theirs))
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW t AS SELECT * FROM delta.`{theirs}`")
    project.run().ok()
    assert_top_k(top_k_answers(project.rows, "t"), top_k_answers(by_spark(spark), f"delta.`{theirs}`"))


# Sums of whole numbers and of quarters, which are the same in any order. g 4 has more keys than its sketches hold.
TUPLE_TABLE = f"""SELECT g, tuple_sketch_agg_integer(id, CAST(id % 100 AS INT), 10) AS i, tuple_sketch_agg_integer(id * 3, 5, 8, 'min') AS j, theta_sketch_agg(id * 2, 9) AS t,
tuple_sketch_agg_double(concat('key ', id), id / 4D, 10, 'max') AS d, tuple_sketch_agg_double(concat('key ', id * 2), id / 4D, 11) AS e FROM ({GROUPS}) GROUP BY g"""
TUPLE_ASKED = ["i", "j", "tuple_union_integer(i, j, 9, 'max')", "tuple_intersection_integer(i, j)", "tuple_difference_integer(i, j)", "tuple_union_theta_integer(i, t)",
               "tuple_intersection_theta_integer(i, t, 'max')", "tuple_difference_theta_integer(i, t)", "d", "e", "tuple_union_double(d, e)", "tuple_intersection_double(d, e, 'min')",
               "tuple_difference_double(e, d)"]
TUPLE_ASKED_ALL = ["tuple_union_agg_integer(i, 10)", "tuple_union_agg_integer(j, 6, 'max')", "tuple_intersection_agg_integer(i, 'min')", "tuple_union_agg_double(d, 9, 'min')",
                   "tuple_intersection_agg_double(e)"]


def tuple_answers(rows, table):
    found = []
    for key, all_asked, group in (("g", TUPLE_ASKED, "g"), ("-1", TUPLE_ASKED_ALL, "1")):
        for asked in all_asked:
            kind = "double" if "double" in asked or asked in "de" else "integer"
            ask = ", ".join(f"tuple_sketch_{what}_{kind}(x{more})" for what, more in (("estimate", ""), ("theta", ""), ("summary", ""), ("summary", ", 'max'"), ("summary", ", 'min'")))
            text = f"SELECT {key}, {ask} FROM (SELECT {key if key == 'g' else '1'} AS g, {asked} AS x FROM {table})"
            found += [(asked, *map(float, row)) for row in rows(text)]
    return sorted(found)


def assert_tuples(ours, theirs):
    assert ours == theirs
    of = {(asked, g): values for asked, g, *values in ours}
    assert of["i", 1.0] == [6, 1, 15, 5, 0] and of["e", 2.0] == [21, 1, 52.5, 5, 0]
    assert abs(of["i", 4.0][0] / 20001 - 1) < 0.12 and of["i", 4.0][1] < 1


def test_both_read_the_tuples_of_silt(project, spark):
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW t AS {TUPLE_TABLE}")
    project.run().ok()
    assert_tuples(tuple_answers(project.rows, "t"), tuple_answers(by_spark(spark), f"delta.`{project.table('t')}`"))


def test_both_read_the_tuples_of_spark(project, spark):
    theirs = project.folder / "by-spark"
    spark.sql(TUPLE_TABLE).write.format("delta").save(str(theirs))
    project.define(f"CREATE OR REFRESH MATERIALIZED VIEW t AS SELECT * FROM delta.`{theirs}`")
    project.run().ok()
    assert_tuples(tuple_answers(project.rows, "t"), tuple_answers(by_spark(spark), f"delta.`{theirs}`"))
