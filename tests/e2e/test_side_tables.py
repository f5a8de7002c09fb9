"""Tables of rows set aside as inputs of other flows: they belong to the graph, and are there before they have rows."""
import pytest

TABLE = """CREATE STREAMING TABLE t (CONSTRAINT small EXPECT (id < 100) ON VIOLATION DROP ROW) {more}
           AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id INT')"""


@pytest.mark.parametrize("more", ["", "LOCATION '{folder}/elsewhere/t'"], ids=["warehouse", "location"])
def test_a_view_and_a_stream_over_rows_set_aside_see_those_of_the_same_run(project, more):
    project.conf["silt.quarantine"] = "table"
    project.write_spec()
    project.define("CREATE MATERIALIZED VIEW a_letters AS SELECT count(*) AS n FROM t_dead_letters", file="a.sql")  # before t by name
    project.define("CREATE MATERIALIZED VIEW a_refused AS SELECT count(*) AS n, max(id) AS id FROM default.t_quarantine", file="b.sql")
    project.define("CREATE STREAMING TABLE again AS SELECT id, _silt_file IS NOT NULL AS named FROM STREAM t_quarantine", file="c.sql")
    project.define(TABLE.format(more=more.format(folder=project.folder)))
    project.file("in/0.json", '{"id":1}\n')
    project.run().ok()  # nothing was set aside yet
    project.expect("SELECT n FROM a_letters", [[0]])
    project.expect("SELECT n, id FROM a_refused", [[0, None]])
    project.expect("SELECT id FROM again", [])
    for turn in (1, 2):
        project.file(f"in/{turn}.json", '{"id":%d}\n{bad\n{"id":%d}\n' % (turn, 100 + turn))
        project.run().ok()
        project.expect("SELECT n FROM a_letters", [[turn]])
        project.expect("SELECT n, id FROM a_refused", [[turn, 100 + turn]])
        project.expect("SELECT * FROM again", [[100 + n, True] for n in range(1, turn + 1)])


def test_what_is_not_kept_cannot_be_read(project):
    """silt.quarantine is `count` unless asked for: an empty table would look as if nothing had been refused."""
    project.define("CREATE MATERIALIZED VIEW v AS SELECT count(*) AS n FROM t_quarantine", file="a.sql")
    project.define(TABLE.format(more=""))
    project.file("in/0.json", '{"id":100}\n')
    result = project.run()
    assert result.code and "t_quarantine" in result.err
