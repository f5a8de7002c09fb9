"""The shared cases of the areas that this version covers, each a named test (tests/cases/cases.jsonl has input and answer)."""
import base64
import gzip
import os
import re
import time
from decimal import Decimal

import pyarrow
import pyarrow.parquet
import readers
from cases import Case
from driver import Project, strict_json

SOURCE = "CREATE OR REFRESH STREAMING TABLE src AS SELECT * FROM STREAM read_files('in/*.json', format => 'json')"


def text_of(project, table):
    """All that a table and its side tables hold, as text: a value that was set aside has to be in here."""
    found = ""
    for name in (table, table + "_dead_letters", table + "_quarantine"):
        done = project.sql(f"SELECT * FROM {name}")
        if done.code == 0:
            found += done.out
            for value in (value for row in done.rows() for value in row if isinstance(value, str)):
                found += value
                if re.fullmatch(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?", value):  # the record of a dead letter is binary
                    found += base64.b64decode(value).decode("utf-8", "replace")
    return found.replace('\\"', '"').replace("\\\\", "\\")


def count(project, table):
    done = project.sql(f"SELECT count(*) FROM {table}")
    return done.rows()[0][0] if done.code == 0 else 0


# ---- json


def test_json_01_a_decimal_column_keeps_whole_numbers_beside_fractions(project):
    Case(project, "json-01-int-beside-float").put().define().run().expect()


def test_json_01_a_whole_number_that_a_double_cannot_hold_is_kept_when_the_type_is_inferred(project):
    Case(project, "json-01-int-beside-float").put().define(without=r", schemaHints => '[^']*'").run()
    assert "9007199254740993" in text_of(project, "raw")


def test_json_02_a_number_beyond_bigint_becomes_a_decimal(project):
    Case(project, "json-02-uint64").put().define().run().expect()


def test_json_03_values_that_do_not_fit_the_sampled_type_are_rescued_alike(project):
    text = "".join(f'{{"id":{i},"n":{i}}}\n' for i in range(20480))
    text += '{"id":20480,"n":true}\n{"id":20481,"n":1.5}\n{"id":20482,"n":"abc"}\n'
    Case(project, "json-03-type-change-after-sample").put({"in/a.json": text}).define().run().expect()
    late = text_of(project, "raw")
    assert "true" in late and "1.5" in late and "abc" in late


def test_json_04_the_last_of_duplicate_keys_wins_everywhere(project):
    case = Case(project, "json-04-duplicate-keys").put()
    project.define(case.statements[0])
    case.run().expect(0)
    record = case.case["input"]["messages"][0]["value"]
    project.expect(f"SELECT from_json('{record}', 'id BIGINT, qty BIGINT').qty, get_json_object('{record}', '$.qty')", [[5, "5"]])


def test_json_05_text_behind_an_object_makes_a_dead_letter_with_file_and_place(project):
    Case(project, "json-05-trailing-garbage").put().define().run().expect(0)
    assert count(project, "raw") == 2 and count(project, "raw_dead_letters") == 2
    records = [base64.b64decode(record).decode() for (record,) in project.rows("SELECT record FROM raw_dead_letters ORDER BY position")]
    assert records == ['{"a":2}xyz', '{"a":']
    assert {file.rsplit("/", 1)[1] for (file,) in project.rows("SELECT file FROM raw_dead_letters")} == {"a.json"}


def test_json_06_half_a_surrogate_pair_spoils_one_text_only(project):
    Case(project, "json-06-lone-surrogate").put().define().run().expect()
    assert "cut " in text_of(project, "raw")
    assert all("\ud83d" not in (text or "") for (text,) in readers.delta_rs_rows(project.table("raw"), "s"))


def test_json_07_nan_and_infinity_are_read_bare_and_quoted(project):
    Case(project, "json-07-nan-and-infinity").put().define().run().expect()
    project.expect("SELECT id FROM raw WHERE x = CAST('Infinity' AS DOUBLE)", [[3]])
    project.expect("SELECT id FROM raw WHERE x = CAST('-Infinity' AS DOUBLE)", [[4]])
    for path in (project.table("raw") / "_delta_log").glob("*.json"):
        for line in path.read_text().splitlines():
            strict_json(line)


def test_json_07_without_the_option_the_texts_of_nan_and_infinity_are_kept(project):
    case = Case(project, "json-07-nan-and-infinity").put()
    project.define(case.statements[0].replace("schema =>", "allowNonNumericNumbers => false, rescuedDataColumn => '_rescued_data', schema =>"))
    case.run()
    project.expect("SELECT id, x FROM raw WHERE x IS NOT NULL", [[5, 1.5]])
    text = text_of(project, "raw")
    assert "NaN" in text and "Infinity" in text and "-Infinity" in text
    assert count(project, "raw") + count(project, "raw_dead_letters") == 5


def test_json_08_columns_of_nulls_and_empty_objects_get_their_type_when_it_is_known(project):
    case = Case(project, "json-08-all-null-and-empty-object").put().define().run()
    assert count(project, "raw") == 2
    case.put_next()
    case.run().expect()
    project.expect("SELECT o.k FROM raw WHERE id = 3", [[1]])


# ---- csv


def test_csv_01_a_byte_order_mark_is_no_part_of_the_first_name(project):
    Case(project, "csv-01-byte-order-mark").put().define().run().expect()


def test_csv_02_line_breaks_inside_quotes_stay_inside_the_value(project):
    Case(project, "csv-02-newline-inside-quotes").put().define().run().expect()


def test_csv_02_line_ends_of_windows_change_nothing(project):
    case = Case(project, "csv-02-newline-inside-quotes").define()
    project.file("in/a.csv", 'id,note,n\r\n1,"line one\n",\r\n2,"a\n\nb",9\r\n3,"say ""hi"", ok",7\r\n')
    case.run().expect()


def test_csv_02_a_large_file_is_cut_at_records_only(project):
    rows = '1,"line one\n",\n2,"a\n\nb",9\n3,"say ""hi"", ok",7\n'
    times = 32 * 1024 * 1024 // len(rows)
    case = Case(project, "csv-02-newline-inside-quotes").define()
    project.file("in/a.csv", "id,note,n\n" + rows * times)
    case.run()
    project.expect("SELECT count(*), sum(length(note)), sum(n), count(DISTINCT id) FROM raw", [[3 * times, 25 * times, 16 * times, 3]])


def test_csv_03_columns_are_matched_by_name_and_a_new_one_is_added(project):
    Case(project, "csv-03-header-order-and-new-column").put().define().run().expect()


def test_csv_04_a_quoted_empty_field_is_an_empty_text_and_a_bare_one_is_null(project):
    Case(project, "csv-04-quoted-empty-versus-nothing").put().define().run().expect()


# ---- timestamp


def test_ts_01_the_offset_of_a_timestamp_moves_it_to_its_instant(project):
    Case(project, "ts-01-offset-in-text").put().define().run().expect()


def test_ts_02_half_a_second_before_1970_stays_half_a_second_before(project):
    Case(project, "ts-02-before-1970-with-fraction").put().define().run().expect()
    values = {add["partitionValues"]["t"].replace("T", " ").rstrip("Z") for add in readers.live(project.table("p")).values()}
    assert {"1969-12-31 23:59:59.500000", "1970-01-01 00:00:00.500000", "1848-03-15 09:23:59.764999"} == values


def timestamps_parquet(path, **how):
    import pyarrow
    import pyarrow.parquet
    first, last = -62135596800000000, 253402300799999999
    instants = pyarrow.array([last, first, 1623207757000000], pyarrow.int64()).cast(pyarrow.timestamp("us", "UTC"))
    path.parent.mkdir(parents=True)
    pyarrow.parquet.write_table(pyarrow.table({"id": pyarrow.array([1, 2, 3], pyarrow.int32()), "t": instants}), path, **how)


def test_ts_03_the_ends_of_time_come_through_as_microseconds(project):
    case = Case(project, "ts-03-year-9999").define()
    timestamps_parquet(project.folder / "in/a.parquet")
    case.run().expect()


def test_ts_03_the_ends_of_time_come_through_as_int96(project):
    case = Case(project, "ts-03-year-9999").define()
    # written by Spark, since Arrow cannot put year 1 or 9999 into INT96 nanoseconds
    project.file("in/a.parquet", (readers.DATA / "ts-int96.parquet").read_bytes())
    case.run().expect()


def test_ts_04_the_hour_that_comes_twice_makes_two_buckets(tmp_path):
    zone = "America/Chicago"
    project = Project(tmp_path / "chicago", **{"spark.sql.session.timeZone": zone})
    Case(project, "ts-04-hour-twice").put().define().run().expect(zone=zone)


# ---- decimal


def test_dec_01_a_decimal_that_fills_its_precision_keeps_its_digits_in_the_statistics(project):
    Case(project, "dec-01-value-that-just-fits").put().define().run().expect()
    for where, rows in (("d = 1", 1), ("e = 99999999999999999999999999999999999999", 1), ("e > 99999999999999999999999999999999999998", 1),
                        ("f < 0", 1), ("f = -0.1", 1), ("f > 0", 0)):
        project.expect(f"SELECT count(*) FROM raw WHERE {where}", [[rows]])
    (add,) = readers.live(project.table("raw")).values()
    for bound in ("minValues", "maxValues"):
        text = re.search(r'"%s":(\{[^}]*\})' % bound, add["stats"])[1]
        assert "99999999999999999999999999999999999999" in text and "-0.1" in text and not re.search(r"\d[eE]", text)
    assert readers.delta_rs_rows(project.table("raw"), "d", "e", "f") == [(Decimal(1), Decimal("9" * 38), Decimal("-0.1"))]


# ---- partition


def test_part_01_partition_values_with_awkward_characters_are_true_and_stay_inside(project):
    Case(project, "part-01-special-characters").put().define().run().expect()
    want = {"a/b", "a b", "50%", "x=y", "été", "a:b", "a%2Fb", "/end/", ".."}
    table = project.table("t").resolve()
    live = readers.live(table)
    assert {add["partitionValues"]["p"] for add in live.values()} == want
    for path in live:
        file = readers.file_of(table, path).resolve()
        assert file.is_file() and table in file.parents
    for value in want:
        project.expect(f"SELECT count(*) FROM t WHERE p = '{value}'", [[1]])
    assert {value for (value,) in readers.delta_rs_rows(table, "p")} == want


def test_part_02_a_null_partition_value_is_null_and_no_row_is_lost(project):
    Case(project, "part-02-null-and-empty-string").put().define().run().expect()
    assert [add["partitionValues"] for add in readers.live(project.table("dt")).values()] == [{"d": None}]


def test_part_03_both_forms_of_a_timestamp_partition_are_one_instant(project):
    case = Case(project, "part-03-two-forms-of-a-timestamp-partition")
    table = project.folder / "foreign"
    readers.write_foreign_timestamps(table, ["2026-01-01 10:00:00", "2026-01-01T10:00:00.000000Z", "2026-01-01 10:00:00.123456"])
    for zone in ("UTC", "America/New_York"):
        for check in case.checks:
            query = re.sub(r"\s+--\s.*$", "", check["query"]).replace("FROM t", f"FROM delta.`{table}`")
            project.expect(query, check["rows"], zone=zone)
        project.expect(f"SELECT count(*) AS n FROM delta.`{table}` GROUP BY t ORDER BY n", [[1], [2]], zone=zone)


# ---- names


def test_name_01_a_quoted_name_with_a_dot_is_one_name_and_a_path_is_a_path(project):
    Case(project, "name-01-dot-in-column-name").put().define().run().expect()
    project.expect("SELECT `a.b`, count(*) FROM t GROUP BY `a.b` ORDER BY 1", [[5, 1], [6, 1]])
    project.expect("SELECT a.b FROM t WHERE `Net Total` = 2", [[8]])
    project.expect("SELECT id FROM t WHERE `a.b` = 7 OR a.b = 6", [])


# ---- schema drift


def test_drift_01_a_renamed_column_reads_older_files_and_one_added_again_does_not(project):
    case = Case(project, "drift-01-renamed-column-reads-null")
    table = project.folder / "foreign"
    (table / "_delta_log").mkdir(parents=True)
    column = '{\\"type\\":\\"struct\\",\\"fields\\":[{\\"name\\":\\"%s\\",\\"type\\":\\"integer\\",\\"nullable\\":true,\\"metadata\\":{%s}}]}'
    mapped = '\\"delta.columnMapping.id\\":1,\\"delta.columnMapping.physicalName\\":\\"id\\"'
    metadata = ('{"metaData":{"id":"00000000-0000-4000-8000-000000000001","format":{"provider":"parquet","options":{}},"schemaString":"%s",'
                '"partitionColumns":[],"configuration":{%s},"createdTime":1767225600000}}')
    configuration = '"delta.columnMapping.mode":"name","delta.columnMapping.maxColumnId":"1"'

    def add(name, first, end):
        pyarrow.parquet.write_table(pyarrow.table({"id": pyarrow.array(range(first, end), pyarrow.int32())}), table / name)
        return '{"add":{"path":"%s","partitionValues":{},"size":%d,"modificationTime":1767225600000,"dataChange":true}}' % (name, (table / name).stat().st_size)

    for version, actions in enumerate([
            ['{"protocol":{"minReaderVersion":1,"minWriterVersion":2}}', metadata % (column % ("id", ""), ""), add("a.parquet", 0, 5)],
            ['{"protocol":{"minReaderVersion":2,"minWriterVersion":5}}', metadata % (column % ("id", mapped), configuration)],
            [metadata % (column % ("id2", mapped), configuration)],
            [add("b.parquet", 5, 7)]]):
        (table / "_delta_log" / ("%020d.json" % version)).write_text("\n".join(actions) + "\n")
    by_path = f"delta.`{table}`"
    assert case.checks
    for check in case.checks:
        project.expect(re.sub(r"\bFROM t\b", f"FROM {by_path}", check["query"]), check["rows"])
    for statement in (f"ALTER TABLE {by_path} ADD COLUMNS (x INT, s STRUCT<a: INT>)", f"INSERT INTO {by_path} VALUES (7, 70, named_struct('a', 1))",
                      f"ALTER TABLE {by_path} RENAME COLUMN s.a TO b"):
        project.sql(statement).ok()
    project.expect(f"SELECT s.b FROM {by_path} WHERE id2 = 7", [[1]])
    project.sql(f"ALTER TABLE {by_path} DROP COLUMN x", f"ALTER TABLE {by_path} ADD COLUMNS (x INT)").ok()
    project.expect(f"SELECT count(*), count(x) FROM {by_path}", [[8, 0]])


# ---- files


def test_file_01_a_file_with_a_smaller_name_and_an_older_time_is_still_read(project):
    case = Case(project, "file-01-file-with-a-smaller-name-comes-later").put().define().run()
    first = case.put_next()
    os.utime(first, (time.time() - 7 * 86400,) * 2)
    case.put_next()
    case.run().expect()


def test_file_01_a_file_that_could_not_be_read_is_named_and_read_when_it_is_whole(project):
    case = Case(project, "file-01-file-with-a-smaller-name-comes-later").put().define().run()
    project.file("in/e.json.gz", b"\x1f\x8b\x08\x00broken")
    project.file("in/f.json", '{"id":6}\n')
    done = project.run()
    assert done.code in (0, 1) and "e.json.gz" in done.err, done
    project.file("in/e.json.gz", gzip.compress(b'{"id":5}\n'))
    case.run()
    project.expect("SELECT id FROM raw ORDER BY id", [[2], [5], [6]])


# ---- expectations


def test_exp_01_null_fails_an_expectation_and_every_row_is_in_one_place(tmp_path):
    project = Project(tmp_path / "p", **{"silt.quarantine": "table"})
    Case(project, "exp-01-null-falls-between-good-and-bad").put().define(before=[SOURCE]).run().expect()
    for table, kept, refused in (("clean", [1], [2, 3, 4, 5]), ("bad", [2, 4, 5], [1, 3])):
        project.expect(f"SELECT id FROM {table} ORDER BY id", [[id] for id in kept])
        project.expect(f"SELECT id FROM {table}_quarantine ORDER BY id", [[id] for id in refused])


# ---- recovery (rec-01, an unclear answer to a commit, is a test of the io floor's faulting store: src/flow, src/delta)


def test_delta_02_an_empty_or_torn_commit_is_named_and_older_versions_stay_readable(project):
    for torn in (False, True):
        table = project.table("torn" if torn else "empty")
        readers.write_foreign(table, 6)
        last = table / "_delta_log" / ("%020d.json" % 5)
        last.write_bytes(last.read_bytes()[:60] if torn else b"")
        project.sql(f"SELECT count(*) FROM delta.`{table}`").refused("00000000000000000005", code=(1, 2))
        project.expect(f"SELECT count(*) FROM delta.`{table}` VERSION AS OF 4", [[5]])
