"""Silt's JSON and CSV decoders against Python's json and csv over mutated records: the same records are good, with the same values.

Each case is a file of its own, so that its name tells which rows are its; thousands of them are one query. What the two mean to differ in is left
out here and stands in src/format/README.md: text behind a JSON value, text behind a closing quote in CSV, a quote that is not closed.
"""
import csv
import io
import json
import random

import pytest
from driver import silt

COUNT = 2500
MARKS = list(' \t",:{}[]\\/0123456789.eE+-tfnu\'') + ["\\u", "null", "true", "\\n", '""', "é", "😀", "\x01", "1e5", "-0", "00", "{}", "[]", '{"a":1}']


def mutated(dice, text, marks):
    for _ in range(dice.choice([0, 1, 1, 1, 2, 3])):
        at = dice.randrange(len(text) + 1)
        how = dice.randrange(4)
        if how == 0:
            text = text[:at] + dice.choice(marks) + text[at:]
        elif how == 1:
            text = text[:at] + text[at + dice.randrange(1, 4):]
        elif how == 2:
            text = text[:at] + dice.choice(marks) + text[at + 1:]
        else:
            text = text[:at] + text[dice.randrange(len(text) + 1):]
    return text


def json_value(dice, depth=0):
    kind = dice.randrange(7 if depth < 3 else 5)
    if kind == 5:
        return [json_value(dice, depth + 1) for _ in range(dice.randrange(3))]
    if kind == 6:
        return {dice.choice("abc"): json_value(dice, depth + 1) for _ in range(dice.randrange(3))}
    return [None, True, dice.randrange(-10**12, 10**12), dice.uniform(-1e6, 1e6), dice.choice(["", "x", "a\"b\\c", "日本", "\u0007", "\ud83d\ude00"])][kind]


def refuse_constant(word):
    raise ValueError(word)


def write(folder, cases, suffix):
    (folder / "in").mkdir()
    for number, data in enumerate(cases):
        (folder / f"in/{number}.{suffix}").write_bytes(data)


@pytest.mark.parametrize("seed", [1, 2])
def test_json_is_what_pythons_json_says(tmp_path, seed):
    dice = random.Random(seed)
    cases = []
    while len(cases) < COUNT:
        text = mutated(dice, json.dumps({"a": json_value(dice), "b": json_value(dice)}, ensure_ascii=dice.random() < 0.5), MARKS)
        data = text.encode("utf-8", "surrogatepass")
        if dice.random() < 0.05:
            data = data[:3] + bytes([dice.randrange(128, 256)]) + data[3:]
        if data.strip(b" \t") and b"\n" not in data and b"\r" not in data:
            cases.append(data)
    write(tmp_path, cases, "json")
    query = ("SELECT _metadata.file_name, a, b, bad FROM read_files('in', format => 'json', schema => 'a STRING, b STRING, bad STRING', mode => 'PERMISSIVE', "
             "columnNameOfCorruptRecord => 'bad', allowSingleQuotes => false, allowNonNumericNumbers => false)")
    found = {int(row[0].split(".")[0]): row[1:] for row in silt("sql", "--format", "json", "-c", query, cwd=tmp_path).rows()}
    good = bad = 0
    for number, data in enumerate(cases):
        try:
            text = data.decode()
            value, end = json.JSONDecoder(parse_constant=refuse_constant).raw_decode(text.strip(" \t"))
            if text.strip(" \t")[end:]:
                continue  # Spark, and PERMISSIVE here, take the value
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, list):
            continue  # as many records as it has elements
        if not isinstance(value, dict):
            assert found[number][2] is not None, (data, found[number])
            bad += 1
            continue
        good += 1
        assert found[number][2] is None, (data, found[number])
        for name, got in zip("ab", found[number]):
            want = value.get(name)
            if isinstance(want, str):
                assert got == want.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), (data, got)
            elif want is None:
                assert got is None, (data, got)
            else:
                assert json.loads(got) == want, (data, got)
    assert good > COUNT / 5 and bad > COUNT / 5, (good, bad)


@pytest.mark.parametrize("seed", [1, 2])
def test_csv_is_what_pythons_csv_says(tmp_path, seed):
    dice = random.Random(seed)
    marks = list(',"\n') + ["\r\n", '""', '","', "x", " ", "é", ',"', '",']
    cases = []
    while len(cases) < COUNT:
        out = io.StringIO()
        csv.writer(out, lineterminator="\n", quoting=dice.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])).writerows(
            [[dice.choice(["", "x", "a b", "q\"q", "l\nl", "c,c", "日本"]) for _ in range(3)] for _ in range(2)])
        cases.append(mutated(dice, out.getvalue(), marks).encode())
    write(tmp_path, cases, "csv")
    query = ("SELECT _metadata.file_name, c1, c2, c3 FROM read_files('in', format => 'csv', schema => 'c1 STRING, c2 STRING, c3 STRING', header => false, escape => '', "
             "mode => 'PERMISSIVE')")
    found = {number: [] for number in range(COUNT)}
    for row in silt("sql", "--format", "json", "-c", query, cwd=tmp_path).rows():
        found[int(row[0].split(".")[0])].append(tuple(value or "" for value in row[1:]))
    compared = 0
    for number, data in enumerate(cases):
        try:
            rows = list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True))
        except csv.Error:
            continue
        if any(len(row) == 1 and not row[0].strip(" \t") for row in rows):
            continue  # a line of blanks is no record here
        compared += 1
        want = [tuple((row + ["", "", ""])[:3]) for row in rows if row]
        assert found[number] == want, (data, found[number], want)
    assert compared > COUNT / 2, compared
