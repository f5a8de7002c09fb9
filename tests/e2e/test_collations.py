"""Collations where tables are: conditions and keys of pipelines go by them, a table keeps plain strings."""
import pytest
from driver import silt


@pytest.fixture
def people(project):
    project.sql("CREATE TABLE people (id INT, name STRING)", "INSERT INTO people VALUES (1, 'Zoë'), (2, 'ZOE'), (3, 'adam'), (4, 'Äsa'), (5, NULL)").ok()
    return project


def test_a_table_is_read_by_a_collation(people):
    assert people.rows("SELECT id FROM people WHERE name COLLATE UNICODE_CI_AI = 'zoe' ORDER BY id") == [(1,), (2,)]
    assert people.rows("SELECT id FROM people WHERE name IS NOT NULL ORDER BY name COLLATE sv, id") == [(3,), (2,), (1,), (4,)]


def test_a_key_has_one_row_for_all_its_spellings(people):
    assert people.rows("SELECT count(*), min(id) FROM people GROUP BY name COLLATE UNICODE_CI_AI ORDER BY 2") == [(2, 1), (1, 3), (1, 4), (1, 5)]


def test_a_materialized_view_groups_by_a_collation(people):
    people.define("CREATE MATERIALIZED VIEW names AS SELECT upper(name) COLLATE UTF8_BINARY AS name, count(*) AS n "
                  "FROM (SELECT translate(name, 'ë', 'E') COLLATE UTF8_LCASE AS name FROM people) GROUP BY name")
    people.run().ok()
    assert people.rows("SELECT name, n FROM names ORDER BY name") == [(None, 1), ("ADAM", 1), ("ZOE", 2), ("ÄSA", 1)]


@pytest.mark.parametrize("statement", [
    "CREATE TABLE t (a STRING COLLATE UTF8_LCASE)",
    "CREATE TABLE t (a ARRAY<STRING COLLATE UNICODE>)",
    "CREATE TABLE t (a STRING) DEFAULT COLLATION UNICODE_CI",
    "ALTER TABLE people ADD COLUMN b STRING COLLATE UNICODE",
])
def test_a_table_does_not_take_a_column_with_a_collation(people, statement):
    people.sql(statement).refused("(?i)collation", code=(1, 2))
    people.sql("SELECT * FROM t").refused("no table")


def test_a_view_of_the_pipeline_keeps_no_column_with_a_collation(people):
    people.define("CREATE MATERIALIZED VIEW names AS SELECT name COLLATE UTF8_LCASE AS name FROM people")
    people.run().refused("DELTA_UNSUPPORTED_DATA_TYPES|string collate UTF8_LCASE", code=(1, 2))


def test_a_collated_string_goes_into_a_plain_column(people):
    people.sql("INSERT INTO people SELECT 6, 'x' COLLATE UNICODE_CI").ok()
    assert people.rows("SELECT name = 'X', typeof(name) FROM people WHERE id = 6") == [(False, "string")]


def test_a_character_that_has_moved_since_is_an_error_not_another_order(tmp_path):
    def ask(query):
        return silt("sql", "--format", "json", "-c", query, cwd=tmp_path)

    ask("SELECT '\u1ac1' COLLATE UNICODE = 'a'").refused("U\\+1AC1", code=(1, 2))
    assert ask("SELECT '\u1ac1' COLLATE UTF8_LCASE = '\u1ac1'").rows() == [(True,)]
