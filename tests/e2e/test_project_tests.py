"""`silt test`: a project's own tests. What passes, what does not and what is said of it, and that nothing of the project is touched."""
import json
import re

import pytest
from driver import silt

ORDERS = """CREATE STREAMING TABLE orders (CONSTRAINT has_item EXPECT (item IS NOT NULL) ON VIOLATION DROP ROW)
AS SELECT id, item, pieces FROM STREAM read_files('in/orders', format => 'json', schema => 'id BIGINT, item STRING, pieces INT')"""
SALES = "CREATE MATERIALIZED VIEW sales AS SELECT item, sum(pieces) AS pieces FROM orders GROUP BY item"


def order(number, item, pieces):
    return json.dumps({"id": number, "item": item, "pieces": pieces}) + "\n"


@pytest.fixture
def shop(project):
    project.define(ORDERS, SALES)
    return project


def passes(project, *names):
    done = project.silt("test", *names).ok()
    assert done.err == "", done
    return done


def fails(project, *patterns, tests=1):
    """One test failed; each pattern is in what stdout says of it."""
    done = project.silt("test")
    assert done.code == 1 and done.out.splitlines()[-1] == f"{tests - 1} passed, 1 failed", done
    for pattern in patterns:
        assert re.search(pattern, done.out), f"no /{pattern}/ in\n{done!r}"
    return done


# ---- what passes ----

def test_a_made_project_has_a_test_that_passes(tmp_path):
    silt("init", "--name", "shop", cwd=tmp_path).ok()
    done = silt("test", cwd=tmp_path / "shop").ok()
    assert re.fullmatch(r"ok +two_days +\d+ ms\n1 passed, 0 failed\n", done.out) and done.err == ""


def test_input_and_expected_rows_are_all_that_a_test_needs(shop):
    shop.file("tests/sums/in/orders/a.json", order(1, "lamp", 2) + order(2, "lamp", 3) + order(3, None, 1))
    shop.file("tests/sums/expect/sales.csv", "item,pieces\nlamp,5\n")
    assert re.match(r"ok +sums +\d+ ms\n1 passed, 0 failed\n", passes(shop).out)


def test_nothing_of_the_project_is_read_or_written(shop):
    shop.file("in/orders/real.json", order(7, "real", 1))
    shop.file("tests/sums/in/orders/a.json", order(1, "lamp", 2))
    shop.file("tests/sums/expect/sales.csv", "item,pieces\nlamp,2\n")
    before = sorted(shop.folder.rglob("*"))
    passes(shop)
    assert sorted(shop.folder.rglob("*")) == before
    shop.run().ok()
    passes(shop)
    shop.expect("SELECT item, pieces FROM sales", [["real", 1]])


def test_numbered_folders_are_updates_one_after_the_other(shop):
    shop.file("tests/days/1/in/orders/a.json", order(1, "lamp", 2))
    shop.file("tests/days/1/expect/sales.csv", "item,pieces\nlamp,2\n")
    shop.file("tests/days/2/in/orders/b.json", order(2, "lamp", 3) + order(3, "rug", 1))
    shop.file("tests/days/2/expect/sales.csv", "pieces,item\n1,rug\n5,lamp\n")
    shop.file("tests/days/3/expect/orders.json", order(3, "rug", 1) + order(1, "lamp", 2) + order(2, "lamp", 3))
    passes(shop)


def test_what_stands_beside_the_numbers_comes_first_and_is_expected_last(shop):
    shop.file("tests/days/in/orders/a.json", order(1, "lamp", 2))
    shop.file("tests/days/2/in/orders/b.json", order(2, "lamp", 3))
    shop.file("tests/days/1/expect/sales.csv", "item,pieces\nlamp,2\n")
    shop.file("tests/days/expect/sales.csv", "item,pieces\nlamp,5\n")
    passes(shop)


@pytest.mark.parametrize("name,text", [
    ("sales.csv", 'item,pieces\n"a ""b""",1\n,\n"",2\n'),
    ("sales.json", '{"item":"a \\"b\\"","pieces":1}\n{}\n{"pieces":2,"item":""}\n'),
    ("sales.json", '[{"item":"a \\"b\\"","pieces":1}, {"item":null},\n {"pieces":2,"item":""}]'),
    ("sales.sql", "-- as a query\nSELECT * FROM VALUES ('a \"b\"', 1L), (NULL, NULL), ('', 2L) AS t(item, pieces);\n"),
])
def test_rows_are_written_as_csv_json_or_sql(project, name, text):
    project.define("""CREATE MATERIALIZED VIEW sales AS SELECT * FROM VALUES ('a "b"', 1L), (NULL, NULL), ('', 2L) AS t(item, pieces)""")
    project.file(f"tests/rows/expect/{name}", text)
    passes(project)


def test_an_empty_file_and_a_bare_header_expect_no_rows(shop):
    shop.file("tests/none/in/orders/a.json", order(1, None, 2))
    shop.file("tests/none/expect/orders.csv", "id,item\n")
    shop.file("tests/none/expect/sales.json", "")
    shop.file("tests/none/expect/orders_dead_letters.csv", "reason\n")
    passes(shop)
    shop.file("tests/none/in/orders/a.json", order(1, "lamp", 2))
    fails(shop, r"orders: 1 row not expected \(tests/none/expect/orders.csv\)\n      id  item\n    \+ 1   \"lamp\"\n", r"sales: 1 row not expected")


def test_dead_letters_and_quarantine_are_tables_too(shop):
    shop.file("tests/bad/settings.sql", "SET silt.quarantine = 'table';\n")
    shop.file("tests/bad/in/orders/a.json", order(1, None, 2) + '{"id": 2, "item": "la\n' + order(3, "rug", 1))
    shop.file("tests/bad/expect/orders.csv", "id\n3\n")
    shop.file("tests/bad/expect/orders_quarantine.csv", "id,pieces\n1,2\n")
    shop.file("tests/bad/expect/orders_dead_letters.json", '{"reason": "a string without an end"}\n')
    passes(shop)


def test_an_update_that_must_fail(project):
    project.define("""CREATE STREAMING TABLE t (CONSTRAINT small EXPECT (a < 10) ON VIOLATION FAIL UPDATE)
                      AS SELECT a FROM STREAM read_files('in', format => 'json', schema => 'a INT')""")
    project.file("tests/limit/1/in/a.json", '{"a": 1}\n')
    project.file("tests/limit/2/in/b.json", '{"a": 2}\n{"a": 99}\n')
    project.file("tests/limit/2/expect/error.txt", "# nothing of the update is written\nEXPECTATION_FAILED\nsmall\n")
    project.file("tests/limit/2/expect/t.csv", "a\n1\n")
    passes(project)
    project.file("tests/limit/2/expect/error.txt", "large\n")
    fails(project, r'no error of the update says "large" \(tests/limit/2/expect/error.txt\)', "EXPECTATION_FAILED: ")
    project.file("tests/limit/2/expect/error.txt", "small\n")
    project.file("tests/limit/2/in/b.json", '{"a": 2}\n')
    fails(project, r"update 2 did not fail \(tests/limit/2/expect/error.txt\)")


def test_only_what_is_expected_and_what_it_reads_is_run(project):
    project.define(ORDERS, SALES, "CREATE STREAMING TABLE other AS SELECT * FROM STREAM read_files('not/there', format => 'csv')",
                   "CREATE TEMPORARY VIEW v AS SELECT item FROM sales", "CREATE MATERIALIZED VIEW w AS SELECT * FROM v")
    project.file("tests/sums/in/orders/a.json", order(1, "lamp", 2))
    project.file("tests/sums/expect/w.csv", "item\nlamp\n")
    project.file("tests/sums/expect/v.csv", "item\nlamp\n")
    passes(project)


def test_rows_given_to_a_table_replace_its_query(project):
    project.define("CREATE STREAMING TABLE orders AS SELECT CAST(id AS BIGINT) AS id, item, pieces FROM STREAM read_files('elsewhere', format => 'csv')",
                   SALES, "CREATE STREAMING TABLE copy AS SELECT * FROM STREAM orders")
    project.file("tests/given/1/given/orders.csv", "id,item,pieces\n1,lamp,2\n")
    project.file("tests/given/1/expect/sales.csv", "item,pieces\nlamp,2\n")
    project.file("tests/given/2/given/orders.sql", "SELECT * FROM VALUES (2L, 'rug', 4) AS t(id, item, pieces)")
    project.file("tests/given/2/expect/sales.csv", "item,pieces\nlamp,2\nrug,4\n")
    project.file("tests/given/2/expect/copy.csv", "id\n1\n2\n")
    passes(project)


def test_given_rows_have_the_types_that_the_table_has_in_the_project(shop):
    shop.define("CREATE MATERIALIZED VIEW copy AS SELECT * FROM orders", file="copy.sql")
    shop.file("tests/types/given/orders.sql", "SELECT 1 AS id, 'lamp' AS item, '7' AS pieces")
    shop.file("tests/types/expect/copy.sql", "SELECT 1L AS id, 'lamp' AS item, 7 AS pieces")
    passes(shop)


def test_given_rows_of_a_materialized_view_are_all_that_it_holds(project):
    project.define(ORDERS, SALES, "CREATE MATERIALIZED VIEW best AS SELECT max(pieces) AS pieces FROM sales")
    project.file("tests/best/1/given/sales.csv", "item,pieces\nlamp,9\nrug,1\n")
    project.file("tests/best/1/expect/best.csv", "pieces\n9\n")
    project.file("tests/best/2/given/sales.csv", "item,pieces\nrug,3\n")
    project.file("tests/best/2/expect/best.csv", "pieces\n3\n")
    passes(project)


def test_tables_from_outside_of_the_project_are_given_by_name_or_path(project):
    project.define("CREATE STREAMING TABLE a AS SELECT n FROM STREAM raw", "CREATE MATERIALIZED VIEW b AS SELECT sum(n) AS n FROM delta.`lake/numbers`",
                   "CREATE MATERIALIZED VIEW c AS SELECT n FROM other.raw")
    project.file("tests/outside/given/raw.json", '{"n": 1}\n{"n": 2}\n')
    project.file("tests/outside/given/lake/numbers.csv", "n\n10\n20\n")
    project.file("tests/outside/given/other.raw.csv", "n\n5\n")
    project.file("tests/outside/expect/a.csv", "n\n1\n2\n")
    project.file("tests/outside/expect/b.csv", "n\n30\n")
    project.file("tests/outside/expect/c.csv", "n\n5\n")
    passes(project)


def test_absolute_paths_are_found_below_root(project):
    project.define("CREATE STREAMING TABLE t AS SELECT a FROM STREAM read_files('/no/such/folder', format => 'csv', header => true, schema => 'a INT')")
    project.file("tests/abs/root/no/such/folder/x.csv", "a\n4\n")
    project.file("tests/abs/expect/t.csv", "a\n4\n")
    passes(project)


def test_the_clock_stands_where_the_test_puts_it(project):
    project.define("CREATE MATERIALIZED VIEW now AS SELECT current_timestamp() AS t")
    project.file("tests/clock/settings.sql", "SET test.clock = '2027-05-06T07:08:09Z';")
    project.file("tests/clock/1/expect/now.csv", "t\n2027-05-06T07:08:09Z\n")
    project.file("tests/clock/2/expect/now.csv", "t\n2027-05-06T08:08:09Z\n")
    project.file("tests/clock/3/settings.sql", "SET test.clock = '2028-01-01T00:00:00Z'")
    project.file("tests/clock/3/expect/now.csv", "t\n2028-01-01T00:00:00Z\n")
    passes(project)
    project.file("tests/other/expect/now.csv", "t\n2026-01-01T00:00:00Z\n")
    passes(project, "other")


def test_settings_hold_for_the_test_that_has_them(project):
    project.define("CREATE MATERIALIZED VIEW d AS SELECT CAST(TIMESTAMP '2026-01-01T02:00:00Z' AS DATE) AS day")
    project.file("tests/here/settings.sql", "SET TIME ZONE 'America/New_York'")
    project.file("tests/here/expect/d.csv", "day\n2025-12-31\n")
    project.file("tests/there/expect/d.csv", "day\n2026-01-01\n")
    assert passes(project).out.endswith("2 passed, 0 failed\n")


def test_a_continuous_project_is_tested_update_by_update(shop):
    shop.conf["silt.continuous"] = "true"
    shop.write_spec()
    shop.file("tests/sums/in/orders/a.json", order(1, "lamp", 2))
    shop.file("tests/sums/expect/sales.csv", "item,pieces\nlamp,2\n")
    passes(shop)


def test_sinks_are_not_run(shop):
    shop.define("CREATE SINK lines USING lines", "CREATE FLOW out AS INSERT INTO lines BY NAME SELECT * FROM STREAM orders", file="sink.sql")
    shop.file("tests/sums/1/in/orders/a.json", order(1, "lamp", 2))
    shop.file("tests/sums/2/in/orders/b.json", order(2, "lamp", 2))
    passes(shop)
    shop.file("tests/sums/2/expect/lines.csv", "id\n")
    refused(shop, 'tests/sums/2/expect/lines.csv: error: "lines" is a sink, and a test runs none')


def test_named_tests_alone_are_run(shop):
    for name in "abc":
        shop.file(f"tests/{name}/in/orders/a.json", order(1, "lamp", 2))
        shop.file(f"tests/{name}/expect/sales.csv", "item\nlamp\n")
    out = passes(shop, "c", "a").out
    assert [line.split()[1] for line in out.splitlines()[:-1]] == ["a", "c"] and out.endswith("2 passed, 0 failed\n")


# ---- what does not pass ----

def test_missing_and_surplus_rows_are_shown_under_their_columns(shop):
    shop.file("tests/sums/in/orders/a.json", order(1, "lamp", 2) + order(2, "rug", 30))
    shop.file("tests/sums/expect/sales.csv", "item,pieces\nlamp,3\nrug,30\nlamp,3\n")
    done = fails(shop)
    assert re.fullmatch(r"""FAILED  sums  \d+ ms
  sales: 2 rows missing, 1 row not expected \(tests/sums/expect/sales.csv\)
      item    pieces
    - "lamp"  3
    - "lamp"  3
    \+ "lamp"  2
0 passed, 1 failed
""", done.out), done


def test_of_many_rows_some_are_shown(project):
    project.define("CREATE MATERIALIZED VIEW t AS SELECT id FROM range(100)")
    project.file("tests/many/expect/t.csv", "id\n")
    out = fails(project, "100 rows not expected", r"\+ \.\.\. and 80 more").out
    assert len(re.findall(r"^    \+ \d", out, re.M)) == 20


def test_a_type_that_differs_is_named(shop):
    shop.file("tests/types/in/orders/a.json", order(1, "lamp", 2))
    shop.file("tests/types/expect/sales.sql", "SELECT 'lamp' AS item, 2 AS pieces")
    fails(shop, 'column "pieces" is int in the expected rows and bigint in the table')


def test_a_table_that_was_not_made_lacks_its_rows(shop):
    shop.file("tests/dead/in/orders/a.json", order(1, "lamp", 2))
    shop.file("tests/dead/expect/orders_dead_letters.csv", "reason\nbecause\n")
    fails(shop, "orders_dead_letters: has not been made, 1 row expected")


def test_a_row_that_does_not_fit_its_type_is_named_by_its_place(shop):
    shop.file("tests/typo/in/orders/a.json", order(1, "lamp", 2))
    shop.file("tests/typo/expect/sales.csv", "item,pieces\nlamp,2\nrug,twelve\n")
    assert re.search(r"^tests/typo/expect/sales.csv:3:1: error: .*\n  3 \| rug,twelve\n", fails(shop).err)
    shop.file("tests/typo/expect/sales.csv", "item,pieces\nlamp,2\n")
    shop.file("tests/typo/given/orders.json", order(1, "lamp", 2) + '{"id": 2, "pieces": \n')
    assert "tests/typo/given/orders.json:2:1: error:" in fails(shop).err


@pytest.mark.parametrize("name,text,place", [("sales.csv", "item,peices\nlamp,2\n", "1:6"), ("sales.json", '{"item": "lamp",\n"peices": 2}', "2:1")])
def test_a_column_that_the_table_has_not_is_named_with_the_nearest(shop, name, text, place):
    shop.file("tests/typo/in/orders/a.json", order(1, "lamp", 2))
    shop.file(f"tests/typo/expect/{name}", text if name.endswith("csv") else f"[{text}]".replace("[{", "[{"))
    done = fails(shop)
    assert re.search(rf'tests/typo/expect/{name}:\d+:\d+: error: "sales" has no column "peices"', done.err) and 'Did you mean "pieces"?' in done.err
    if name.endswith("csv"):
        assert f"{name}:{place}:" in done.err


def test_an_sql_error_in_a_file_of_rows_is_at_its_place(shop):
    shop.file("tests/typo/in/orders/a.json", order(1, "lamp", 2))
    shop.file("tests/typo/expect/sales.sql", "SELECT 'lamp' AS item,\n       nonsense(1) AS pieces")
    assert "tests/typo/expect/sales.sql:2:8: error: " in fails(shop).err
    shop.file("tests/typo/expect/sales.sql", "SELECT 1 AS item; SELECT 2")
    assert "tests/typo/expect/sales.sql:1:19: error: a file of rows is one query" in fails(shop).err


def test_an_update_that_fails_fails_the_test_with_its_error(project):
    project.define("CREATE STREAMING TABLE t AS SELECT CAST(s AS INT) AS a FROM STREAM read_files('in', format => 'json', schema => 's STRING')")
    project.file("tests/cast/in/a.json", '{"s": "x"}\n')
    project.file("tests/cast/expect/t.csv", "a\n")
    done = fails(project)
    assert "transformations/pipeline.sql:1:" in done.err and "CAST(s AS INT)" in done.err


def test_a_table_that_depends_on_how_its_input_was_split_is_not_what_one_batch_gives(project):
    # the first update takes the one row that LIMIT leaves, of the file that comes first; one batch takes it of the file whose name is first
    project.define("CREATE STREAMING TABLE t AS SELECT a FROM STREAM read_files('in', format => 'json', schema => 'a INT') LIMIT 1")
    project.file("tests/split/1/in/b.json", '{"a": 1}\n')
    project.file("tests/split/2/in/a.json", '{"a": 2}\n')
    project.file("tests/split/2/expect/t.csv", "a\n1\n")
    done = fails(project, "t after update 2 is not what one batch over the same input gives: 1 row of the batch missing, 1 row not in the batch")
    assert re.search(r"    - 2\n    \+ 1\n", done.out)
    project.file("tests/split/settings.sql", "SET test.compareWithBatch = 'false'")
    passes(project)


def test_what_may_differ_from_one_batch_is_not_compared_with_it(project):
    project.define("CREATE STREAMING TABLE s AS SELECT a, p FROM STREAM read_files('in', format => 'json', schema => 'a INT') JOIN prices USING (a)",
                   "CREATE MATERIALIZED VIEW after AS SELECT sum(p) AS p FROM s")
    project.file("tests/static/1/given/prices.csv", "a,p\n1,10\n")
    project.file("tests/static/1/in/a.json", '{"a": 1}\n')
    project.file("tests/static/2/given/prices.csv", "a,p\n2,20\n1,11\n")
    project.file("tests/static/2/in/b.json", '{"a": 2}\n')
    project.file("tests/static/2/expect/after.csv", "p\n30\n")
    passes(project)


# ---- what is refused before anything runs ----

def refused(project, *patterns, names=()):
    done = project.silt("test", *names).refused(*patterns)
    assert done.out == ""


def test_a_project_without_tests_is_told_how_to_write_one(shop):
    refused(shop, "the project has no tests", "tests/NAME/expect/t.csv")


def test_an_unknown_test_is_refused_with_the_nearest(shop):
    shop.file("tests/two_days/expect/sales.csv", "item\n")
    refused(shop, 'no test "two_dyas"', 'Did you mean "two_days"', names=["two_dyas"])


def test_mistakes_of_all_tests_are_told_at_once(shop):
    shop.file("tests/a/expect/slaes.csv", "item\n")
    shop.file("tests/b/expect/sales.cvs", "item\n")
    shop.file("tests/c/in/orders/a.json", "")
    shop.file("tests/d/1/expect/sales.csv", "item\n")
    shop.file("tests/d/3/expect/sales.csv", "item\n")
    shop.file("tests/e/given/order.csv", "item\n")
    shop.file("tests/f/expect/error.txt", "# nothing\n")
    shop.file("tests/g/transformations/pipeline.sql", "SELECT 1")
    shop.file("tests/h/settings.sql", "SET test.clok = '2026-01-01';\nSET silt.quarantin = 'table';\nSELECT 1")
    shop.file("tests/h/expect/sales.csv", "item\n")
    shop.file("tests/i/given/orders.csv", "item\n")
    shop.file("tests/i/expect/orders.csv", "item\n")
    refused(shop, r'tests/i/expect/orders.csv: error: "orders" is given by the test', r'tests/a/expect/slaes.csv: error: the project has no table "slaes"\n  hint: Did you mean "sales"',
            r'tests/b/expect/sales.cvs: error: is no file of rows\n  hint: Did you mean "\.csv"', r"tests/c: error: expects nothing",
            r"tests/d: error: has a folder 3", r'tests/e/given/order.csv: error: the project neither has nor reads a table "order"\n  hint: Did you mean "orders"',
            r"tests/f/expect/error.txt: error: says nothing of the error", r"tests/g/transformations/pipeline.sql: error: would replace a file of the project",
            r'tests/h/settings.sql:1:\d+: error: unknown setting "test.clok"', r"tests/h/settings.sql:2:\d+: error: .*silt.quarantin",
            r"tests/h/settings.sql:3:\d+: error: only SET")


def test_a_project_with_a_mistake_runs_no_test(shop):
    shop.define("CREATE MATERIALIZED VIEW x AS SELEC 1", file="x.sql")
    shop.file("tests/a/expect/sales.csv", "item\n")
    refused(shop, r"transformations/x.sql:1:\d+: error:")


@pytest.mark.parametrize("name, content, said", [
    ("orders.csv", "item,item\nlamp,lamp\n", r'tests/t/expect/orders.csv: error: the schema of the file has the column "item" twice$'),
    ("orders.json", "item\nlamp\n", r"tests/t/expect/orders.json: error: could not infer the schema of the file: no record in its files can be read$"),
])
def test_a_file_that_is_wrong_as_a_whole_is_named_and_no_place_made_up(shop, name, content, said):
    shop.file("tests/t/in/orders/a.json", order(1, "lamp", 1))
    shop.file("tests/t/expect/" + name, content)
    done = fails(shop)
    assert re.search(said, done.out + done.err, re.M) and "hint" not in done.out + done.err and "read_files" not in done.out + done.err, done
