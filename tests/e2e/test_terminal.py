"""What only a terminal shows: the prompt, its history, the line of progress."""
import os
import pty
import select
import subprocess
import time

import pytest
from driver import SILT


class Terminal:
    """A program on a pseudo-terminal."""

    def __init__(self, words, folder, **env):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen([SILT, *words], cwd=folder, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
                                        env={**os.environ, "TERM": "dumb", "NO_COLOR": "1", "TZ": "UTC", "HOME": str(folder), "XDG_STATE_HOME": "", **env})
        os.close(slave)
        self.seen = ""

    def read(self, seconds):
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            return False
        self.seen += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)

    def until(self, text, seconds=20):
        deadline = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < deadline, f"no {text!r} in {self.seen!r}"
            self.read(0.2)
        head, _, self.seen = self.seen.partition(text)
        return head

    def type(self, text):
        time.sleep(0.2)  # a control character counts only once the line editor has the terminal
        os.write(self.master, text.encode())

    def end(self):
        while self.read(0.5):
            pass
        return self.process.wait(20)


def test_the_prompt_runs_a_statement_over_several_lines(tmp_path):
    terminal = Terminal(["sql"], tmp_path)
    terminal.until("silt> ")
    terminal.type("SELECT 1 AS a,\n")
    terminal.until("...> ")
    terminal.type("';' AS b;\n")
    assert "a | b" in terminal.until("(1 row)")
    terminal.until("silt> ")
    terminal.type("\\q\n")
    assert terminal.end() == 0


def test_a_mistake_does_not_end_the_prompt_and_settings_last(tmp_path):
    terminal = Terminal(["sql"], tmp_path)
    terminal.until("silt> ")
    terminal.type("SELECT nothing;\n")
    terminal.until("error: ")
    terminal.until("silt> ")
    terminal.type("SET TIME ZONE '+02:00';\n")
    terminal.until("silt> ")
    terminal.type("SELECT CAST(TIMESTAMP'2026-01-01 00:00:00Z' AS STRING) AS t;\n")
    terminal.until("2026-01-01 02:00:00")
    terminal.until("silt> ")
    terminal.type("\x04")
    assert terminal.end() == 0


def test_the_history_is_kept_for_the_next_time_and_for_nobody_else(tmp_path):
    for statement in ("SELECT 41 + 1;", "SELECT 43;"):
        terminal = Terminal(["sql"], tmp_path)
        terminal.until("silt> ")
        terminal.type(statement + "\n")
        terminal.until("(1 row)")
        terminal.until("silt> ")
        terminal.type("\\q\n")
        assert terminal.end() == 0
    history = tmp_path / ".silt_history"
    text = history.read_text()
    assert "43" in text and "41" in text
    assert history.stat().st_mode & 0o077 == 0


def test_an_interrupt_cancels_the_statement_and_not_the_prompt(tmp_path):
    terminal = Terminal(["sql"], tmp_path)
    terminal.until("silt> ")
    terminal.type("SELECT count(*) FROM range(100000000000) WHERE id % 7 = 3;\n")
    time.sleep(1)
    os.killpg(terminal.process.pid, 2)
    terminal.until("error: ")
    terminal.until("silt> ")
    terminal.type("SELECT 'still ' || 'here' AS v;\n")
    terminal.until("still here")
    terminal.until("silt> ")
    terminal.type("\x04")
    assert terminal.end() == 0


def test_an_interrupt_among_the_rows_costs_later_statements_nothing(tmp_path):
    terminal = Terminal(["sql"], tmp_path)
    terminal.until("silt> ")
    for _ in range(3):
        terminal.type("SELECT explode(sequence(1, 3000000)) AS x; SELECT 'never ' || 'seen';\n")
        terminal.until(" 3000\n")
        os.killpg(terminal.process.pid, 2)
        assert "never seen" not in terminal.until("silt> ")
        terminal.type("SELECT 'still ' || 'here' AS v;\n")
        terminal.until("still here\n(1 row)\n")
        terminal.until("silt> ")
    terminal.type("\x04")
    assert terminal.end() == 0


def test_an_interrupt_at_the_prompt_clears_what_is_typed_and_does_not_leave(tmp_path):
    terminal = Terminal(["sql"], tmp_path)
    terminal.until("silt> ")
    for unfinished in ("SELECT nosuch", "SELECT nosuch,\n", ""):
        terminal.type(unfinished)
        if unfinished.endswith("\n"):
            terminal.until("...> ")
        time.sleep(0.3)
        os.killpg(terminal.process.pid, 2)
        terminal.until("silt> ")
        terminal.type("SELECT 'still ' || 'here' AS v;\n")
        terminal.until("still here\n")
        assert "error" not in terminal.until("silt> ")
    terminal.type("\x04")
    assert terminal.end() == 0


def test_a_run_on_a_terminal_shows_a_line_of_progress(project):
    project.json_lines("in/a.json", [{"id": 1}])
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')")
    terminal = Terminal(["run"], project.folder)
    assert terminal.end() == 0
    assert "1 row in 1 batch" in terminal.seen
    assert terminal.seen.endswith("\r\x1b[K"), "the line is gone at the end"
    assert "Run is COMPLETED." in terminal.seen


def test_a_run_elsewhere_shows_none(project):
    project.json_lines("in/a.json", [{"id": 1}])
    project.define("CREATE OR REFRESH STREAMING TABLE raw AS SELECT * FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT')")
    done = project.run().ok()
    assert "rows/s" not in done.err and "\r" not in done.err


@pytest.fixture
def shop(project):
    """A project with tables that hold something."""
    project.json_lines("in/a.json", [{"id": 1, "quantity": 2}])
    project.define("CREATE OR REFRESH STREAMING TABLE orders AS SELECT id, quantity FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT, quantity INT')",
                   "CREATE OR REFRESH MATERIALIZED VIEW totals AS SELECT sum(quantity) AS pieces FROM orders")
    project.run().ok()
    return project


@pytest.mark.parametrize("typed, answer", [
    ("SELECT quantity AS q FROM ord\t;", "q\n2\n"),                           # a table; ORDER cannot stand here
    ("SELECT id AS i FROM orders WHERE quan\t= 2;", "i\n1\n"),               # a column of a table that is named
    ("SELECT orders.quan\tFROM orders;", "quantity\n2\n"),
    ("SELECT pie\tFROM totals;", 'no column "pieFROM"'),                       # nothing is named yet
    ("SELECT 3 AS p FROM totals WHERE pie\t> 0;", "p\n3\n"),
    ("selec\t1 AS one;", "one\n1\n"),
    ("SELECT array_contai\t(array(1), 1) AS a;", "a\ntrue\n"),
], ids=["table", "column", "qualified", "unnamed", "view", "keyword", "function"])
def test_tab_completes(shop, typed, answer):
    terminal = Terminal(["sql", "--format", "csv"], shop.folder)
    terminal.until("silt> ")
    terminal.type(typed + "\n")
    terminal.until(answer)
    terminal.type("\x04")
    assert terminal.end() == 0


def test_tab_completes_a_column_on_the_next_line(shop):
    terminal = Terminal(["sql", "--format", "csv"], shop.folder)
    terminal.until("silt> ")
    terminal.type("SELECT max(t.id) AS m FROM orders t\n")
    terminal.until("...> ")
    terminal.type("WHERE quan\t= 2;\n")
    terminal.until("m\n1\n")
    terminal.type("\x04")
    assert terminal.end() == 0


def test_commands_of_the_prompt(shop):
    terminal = Terminal(["sql"], shop.folder)
    terminal.until("silt> ")
    for typed, *wanted in ((".help", ".tables", ".schema TABLE", "ctrl-C"), (".tables", "\norders\ntotals\n"), (".schema orders", "id bigint\nquantity int\n"),
                           (".schema totals;", "pieces bigint\n"), (".schema", "of which table?"), (".schema nosuch", 'no table or view "nosuch"'),
                           (".format xml", 'no format "xml"'), (".tabels", "Did you mean .tables?"), (".format json", "\n"),
                           ("SELECT pieces FROM totals;", '\n{"pieces":2}\n'), (".format jsonarray", "\n"), ("SELECT 1 AS a;", '[{"a":1}]'),
                           (".format tsv", "\n"), ("SELECT 1 AS a, 'x' AS b;", "a\tb\n1\tx\n"), (".format table", "\n"), ("SELECT 1 AS a;", "(1 row)")):
        terminal.type(typed + "\n")
        seen = terminal.until("silt> ")
        for text in wanted:
            assert text in seen, (typed, seen)
    terminal.type(".sch\ttotals\n")
    terminal.until("pieces bigint\n")
    terminal.type(".quit\n")
    assert terminal.end() == 0


def test_without_a_project_there_are_no_tables(tmp_path):
    terminal = Terminal(["sql"], tmp_path)
    terminal.until("silt> ")
    terminal.type(".tables\n")
    assert "no project here" in terminal.until("silt> ")
    terminal.type(".exit\n")
    assert terminal.end() == 0


def test_a_long_query_shows_how_far_it_is(tmp_path):
    terminal = Terminal(["sql", "-c", "SELECT count(*) AS n FROM range(100000000000) WHERE id % 7 = 3"], tmp_path)
    terminal.until("1.0 s\x1b[K")
    assert "(1 row)" not in terminal.seen
    os.killpg(terminal.process.pid, 2)
    assert terminal.end() == 130
    assert "\r\x1b[K" in terminal.seen  # the bar is gone before the error


def test_a_short_query_shows_no_bar(tmp_path):
    terminal = Terminal(["sql", "-c", "SELECT 1 AS n"], tmp_path)
    assert terminal.end() == 0
    assert "%" not in terminal.seen and "\x1b" not in terminal.seen
