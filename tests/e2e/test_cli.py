"""The command line's contract: exit codes, what goes where, what a mistake is answered with."""
import json
import re

import pytest
from driver import silt

VERBS = ["init", "run", "dry-run", "sql", "show", "explain", "audit", "recover", "test", "lint", "version"]
LATER = ["serve"]


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_help_with_an_example(verb):
    done = silt(verb, "--help").ok()
    assert f"usage: silt {verb}" in done.out and "example:" in done.out and done.err == ""


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_a_manual_page(verb):
    page = silt("help", "--man", verb).ok().out
    assert page.startswith(f".TH SILT\\-{verb}") and ".SH EXAMPLE" in page


@pytest.mark.parametrize("verb", LATER)
def test_a_verb_of_a_later_version_is_refused_by_name(verb):
    silt(verb).refused(rf'"silt {verb}".* is not there yet')


def test_an_unknown_verb_is_refused_with_the_nearest():
    silt("dryrun").refused('no verb "dryrun"', 'Did you mean "silt dry-run"')


def test_an_unknown_flag_is_refused_with_the_nearest():
    silt("run", "--ful-refresh", "a").refused('no flag "--ful-refresh"', "Did you mean --full-refresh")


def test_a_flag_without_its_value_is_refused():
    silt("run", "--spec").refused("--spec needs a value")


def test_a_value_that_a_flag_does_not_know_is_refused_with_those_it_knows():
    silt("sql", "--format", "xml", "-c", "SELECT 1").refused('--format cannot be "xml"', r"table\|json\|csv\|tsv\|jsonarray")


def test_no_verb_is_wrong_usage():
    assert silt().code == 2


def test_help_goes_to_stdout_and_errors_to_stderr():
    assert silt("--help").ok().err == ""
    assert silt("nonsense").out == ""


def test_errors_come_as_json_when_asked():
    done = silt("run", "--log-format", "json", "--nonsense").refused()
    problem = json.loads(done.err)
    assert problem["level"] == "error" and "--nonsense" in problem["message"] and problem["hint"]


def test_version_names_the_commit_and_the_libraries():
    out = silt("version").ok().out
    assert re.search(r"^silt \d+\.\d+\.\d+ \(commit [0-9a-f]{7,}(-dirty)?\)$", out.splitlines()[0])
    for library in ("duckdb", "simdjson", "zstd", "zlib", "libyaml"):
        assert re.search(rf"^  {library} +\d", out, re.M)


def test_init_needs_a_name(tmp_path):
    silt("init", cwd=tmp_path).refused("needs --name")


@pytest.mark.parametrize("name", ["", ".", "../up", "a/b", "-x", "a b", "a:b"])
def test_init_refuses_a_name_that_is_no_plain_folder(tmp_path, name):
    silt("init", "--name", name, cwd=tmp_path).refused("cannot be the name")
    assert list(tmp_path.iterdir()) == []


def test_init_leaves_an_existing_folder_alone(tmp_path):
    (tmp_path / "shop").mkdir()
    silt("init", "--name", "shop", cwd=tmp_path).refused("could not make \"shop\"")
    assert list((tmp_path / "shop").iterdir()) == []


def test_init_makes_what_it_says(tmp_path):
    silt("init", "--name", "shop", cwd=tmp_path).ok()
    assert (tmp_path / "shop/spark-pipeline.yml").exists()
    assert len(list((tmp_path / "shop/transformations").glob("*.sql"))) == 2


def test_a_full_stdout_is_an_error():
    import subprocess
    from driver import SILT
    with open("/dev/full", "w") as full:
        done = subprocess.run([SILT, "help"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and "could not write to stdout" in done.stderr


@pytest.mark.parametrize("form", ["csv", "tsv", "json", "jsonarray", "table"])
def test_a_reader_that_has_seen_enough_ends_the_query_without_a_word(form):
    import subprocess
    from driver import SILT
    query = "SELECT id, repeat('x', 50) AS text FROM range(2000000)"
    with subprocess.Popen([SILT, "sql", "--format", form, "-c", query], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141
