"""Tables with column mapping: any name for a column, and names in files that never change."""
import json

import pyarrow.parquet as pq
import readers

MAPPED = "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')"


def schema_of(table):
    _, metadata = readers.actions(table, "metaData")[-1]
    return json.loads(metadata["schemaString"])["fields"], metadata


def mapping(fields):
    """logical name -> (id, physical name), nested ones by path."""
    found = {}
    for field in fields:
        found[field["name"]] = field["metadata"]["delta.columnMapping.id"], field["metadata"]["delta.columnMapping.physicalName"]
        inner = field["type"]
        while isinstance(inner, dict) and inner["type"] == "array":
            inner = inner["elementType"]
        if isinstance(inner, dict) and inner["type"] == "struct":
            found.update({f"{field['name']}/{key}": value for key, value in mapping(inner["fields"]).items()})
    return found


def test_any_name_and_nested_fields_go_into_files_under_physical_names(project):
    project.file("in/a.json", '{"id":1,"a.b":5,"a":{"b":7,"c d":[{"e=f":1}]},"Net Total":1,"day":"2026-01-01"}\n'
                              '{"id":2,"a.b":6,"a":{"b":8,"c d":null},"Net Total":2,"day":"2026-01-02"}\n{"id":3,"a":null,"day":null}\n')
    project.define(f"CREATE STREAMING TABLE t PARTITIONED BY (`on day`) {MAPPED} AS SELECT * EXCEPT (day), CAST(day AS DATE) AS `on day` FROM STREAM "
                   "read_files('in', format => 'json', schema => 'id INT, `a.b` INT, a STRUCT<b: INT, `c d`: ARRAY<STRUCT<`e=f`: INT>>>, `Net Total` INT, day STRING')")
    project.run().ok()
    assert project.rows("SELECT id FROM t WHERE `a.b` = 6") == [(2,)]
    assert project.rows("SELECT id FROM t WHERE a.b = 7") == [(1,)]
    assert project.rows("SELECT sum(`Net Total`), a.`c d`[0].`e=f` FROM t WHERE `on day` = DATE'2026-01-01' GROUP BY ALL") == [(1, 1)]
    fields, metadata = schema_of(project.table("t"))
    names = mapping(fields)
    ids = [number for number, _ in names.values()]
    assert len(set(ids)) == len(ids) == 8 and metadata["configuration"]["delta.columnMapping.maxColumnId"] == str(max(ids))
    assert len({name for _, name in names.values()}) == 8 and all(name.startswith("col-") for _, name in names.values())
    _, protocol = readers.actions(project.table("t"), "protocol")[-1]
    assert (protocol["minReaderVersion"], protocol["minWriterVersion"]) == (2, 5)
    for path, add in readers.live(project.table("t")).items():
        assert "=" not in path and path.split("/")[0].isalnum() and len(path.split("/")[0]) == 2  # neither names nor values in folders
        assert list(add["partitionValues"]) == [names["on day"][1]]
        stats = json.loads(add["stats"])
        assert names["id"][1] in stats["minValues"] and names["a/b"][1] in stats["nullCount"][names["a"][1]]
        schema = pq.read_schema(readers.file_of(project.table("t"), path))
        by_name = {schema.field(i).name: schema.field(i) for i in range(len(schema))}
        for logical in ("id", "a.b", "a", "Net Total"):
            number, physical = names[logical]
            assert int(by_name[physical].metadata[b"PARQUET:field_id"]) == number
        inner = by_name[names["a"][1]].type.field(names["a/c d"][1])
        assert int(inner.metadata[b"PARQUET:field_id"]) == names["a/c d"][0]
        assert inner.type.value_type.field(0).name == names["a/c d/e=f"][1]
    project.run().ok()
    assert len(readers.commits(project.table("t"))) == 2  # nothing to do, nothing changed


def test_a_column_that_comes_later_gets_a_name_of_its_own(project):
    project.file("in/a.json", '{"id":1}\n')
    project.define(f"CREATE STREAMING TABLE t {MAPPED} AS SELECT * EXCEPT (_rescued_data) FROM STREAM read_files('in', format => 'json')")
    project.run().ok()
    before = mapping(schema_of(project.table("t"))[0])
    project.file("in/b.json", '{"id":2,"s":{"x":1}}\n')
    project.run().ok()
    project.file("in/c.json", '{"id":3,"s":{"x":2,"y":3}}\n')
    project.run().ok()
    after = mapping(schema_of(project.table("t"))[0])
    assert after["id"] == before["id"] and set(after) == {"id", "s", "s/x", "s/y"} and len({number for number, _ in after.values()}) == 4
    assert project.rows("SELECT id, s.x, s.y FROM t ORDER BY id") == [(1, None, None), (2, 1, None), (3, 2, 3)]


def test_a_view_keeps_the_names_of_columns_that_stay(project):
    project.define(f"CREATE MATERIALIZED VIEW v {MAPPED} AS SELECT 1 AS `a b`, 2 AS b")
    project.run().ok()
    before = mapping(schema_of(project.table("v"))[0])
    project.define(f"CREATE MATERIALIZED VIEW v {MAPPED} AS SELECT 3 AS c, named_struct('x y', 5) AS s, 4 AS `a b`")
    project.run().ok()
    after = mapping(schema_of(project.table("v"))[0])
    assert after["a b"] == before["a b"] and after["c"][0] > before["b"][0] and after["c"][1] != before["b"][1]
    assert project.rows("SELECT `a b`, c, s.`x y` FROM v") == [(4, 3, 5)]


def test_switching_it_on_keeps_the_names_that_files_have(project):
    project.file("in/a.json", '{"id":1,"v":"x"}\n')
    statement = "CREATE STREAMING TABLE t {} AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id INT, v STRING')"
    project.define(statement.format(""))
    project.run().ok()
    project.define(statement.format(MAPPED))
    project.file("in/b.json", '{"id":2,"v":"y"}\n')
    project.run().ok()
    assert project.rows("SELECT id, v FROM t ORDER BY id") == [(1, "x"), (2, "y")]
    assert {name for _, name in mapping(schema_of(project.table("t"))[0]).values()} == {"id", "v"}
    project.define(statement.format(MAPPED.replace("'name'", "'id'")))
    project.run().refused("column mapping of .* cannot be changed from 'name' to 'id'", code=(1, 2))


def test_refused_rows_and_audit_know_the_names_too(project):
    project.file("in/a.json", '{"a b":1}\n{"a b":-1}\nbroken\n')
    project.conf["silt.quarantine"] = "table"
    project.write_spec()
    project.define(f"CREATE STREAMING TABLE t (CONSTRAINT plus EXPECT (`a b` > 0) ON VIOLATION DROP ROW) {MAPPED} AS SELECT * FROM STREAM "
                   "read_files('in', format => 'json', schema => '`a b` INT')")
    project.run().ok()
    assert project.rows("SELECT `a b` FROM t") == [(1,)]
    assert project.rows("SELECT `a b`, _silt_reasons FROM delta.`spark-warehouse/t_quarantine`") == [(-1, ["plus"])]
    assert project.rows("SELECT CAST(record AS STRING) FROM delta.`spark-warehouse/t_dead_letters`") == [("broken",)]
    project.silt("audit", "t").ok()


def test_without_it_a_hint_tells_the_way(project):
    project.define("CREATE MATERIALIZED VIEW v AS SELECT 1 AS `a b`")
    project.run().refused("cannot be named \"a b\"", "'delta.columnMapping.mode' = 'name'")


def test_new_columns_of_any_name_join_a_mapped_table(project):
    project.file("in/a.json", '{"id":1}\n')
    project.define(f"CREATE STREAMING TABLE t {MAPPED} AS SELECT * FROM STREAM read_files('in', format => 'json')",
                   "CREATE STREAMING TABLE plain AS SELECT * FROM STREAM read_files('in', format => 'json')")
    project.run().ok()
    project.file("in/b.json", '{"id":2,"New Col":7,"o":{"p":1}}\n')
    told = project.run().ok()
    assert project.rows("SELECT id, `New Col`, o.p, _rescued_data FROM t ORDER BY id") == [(1, None, None, None), (2, 7, 1, None)]
    assert '"New Col":7' in project.value("SELECT _rescued_data FROM plain WHERE id = 2")  # no table without mapping can have it
    assert 'new column \\"New Col\\": without column mapping' in told.err and told.err.count("New Col") == 1
    project.file("in/c.json", '{"id":3,"New Col":8}\n')
    project.run().ok()
    assert project.rows("SELECT sum(`New Col`) FROM t") == [(15,)]
    assert "equal" in project.silt("audit", "t").ok().err
