"""Every command in the pages is run, in the order of the page, in a folder of its own; what the page shows has to come out.

Blocks between lines of three backticks:
  console          lines that begin with "$ " are typed into one bash of the page (a line that ends with \\ goes on); the lines after one are
                   what it prints, stdout and stderr. "..." stands for anything, alone on a line for any lines.
  <any> file=PATH  the block is written to that file, below the folder where bash is just then
  sql              a script of its own for `silt sql`: it has to run
Blocks of other kinds are looked at only.
"""
import os
import re
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest
from driver import ROOT, SILT

PAGES = ["README.md"] + sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md"))
FENCE = re.compile(r"^```(.*)$")
BLANKS = re.compile(r"[ \t]+")


def blocks(text):
    """(line number, info string, lines) of each fenced block."""
    info, lines, begin = None, [], 0
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if fence and info is None:
            info, lines, begin = fence[1].strip(), [], number
        elif fence:
            yield begin, info, lines
            info = None
        elif info is not None:
            lines.append(line)
    assert info is None, f"the block of line {begin} does not end"


class Shell:
    """One bash; what a command prints is parted from the next one's by a mark."""

    def __init__(self, folder):
        env = {**os.environ, "PATH": f"{Path(SILT).parent}:{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(folder), "PS1": "", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(["bash", "--norc", "--noprofile"], cwd=folder, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, start_new_session=True)

    def run(self, command):
        mark = f"mark-{uuid.uuid4()}"
        self.process.stdin.write(f"{command}\necho; echo {mark} $? $PWD\n")
        self.process.stdin.flush()
        out = []
        for line in self.process.stdout:
            if line.startswith(mark):
                _, code, folder = line.split(" ", 2)
                return int(code), "".join(out).rstrip("\n"), Path(folder.strip())
            out.append(line)
        raise AssertionError(f"bash ended at {command}: {''.join(out)}")

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(20)
        finally:
            try:
                os.killpg(self.process.pid, 9)
            except ProcessLookupError:
                pass


def pattern_of(lines):
    """A regular expression for the lines that the page shows. Amounts of blanks do not count: widths of tables follow their values."""
    out = ""
    for line in lines:
        line = BLANKS.sub(" ", line).strip()
        if line == "...":
            out += r"(?:.*\n)*"
            continue
        out += r".*".join(re.escape(part) for part in line.split("...")) + r"\n"
    return re.compile(out)


def normal(text):
    lines = [BLANKS.sub(" ", line).strip() for line in text.splitlines()]
    return "".join(re.sub(r"-+\+", "-+", re.sub(r"(\+|^)-+", r"\1-", line)) + "\n" for line in lines if line)


def commands(lines):
    """(line offset, command, lines that it prints)"""
    i = 0
    while i < len(lines):
        assert lines[i].startswith("$ "), f"a console block begins with a command, not {lines[i]!r}"
        begin, command = i, lines[i][2:]
        while command.endswith("\\"):
            i += 1
            command += "\n" + lines[i]
        i += 1
        shown = []
        while i < len(lines) and not lines[i].startswith("$ "):
            shown.append(lines[i])
            i += 1
        yield begin, command, shown


def check_command(shell, where, command, shown):
    wanted = pattern_of(normal("\n".join(shown)).splitlines())
    deadline = time.monotonic() + 20
    while True:
        code, out, folder = shell.run(command)
        if wanted.fullmatch(normal(out)):
            return folder
        # what runs in the background needs a moment: a question may be asked again, nothing else
        if not command.startswith("silt sql") or time.monotonic() > deadline or "INSERT" in command:
            raise AssertionError(f"{where}: $ {command}\nprinted (exit {code})\n{out}\nand the page shows\n" + "\n".join(shown))
        time.sleep(0.2)


@pytest.mark.parametrize("page", PAGES)
def test_what_the_page_shows_comes_out(page, tmp_path):
    text = (ROOT / page).read_text()
    if not any(info.split(" ")[0] in ("console", "sql") or "file=" in info for _, info, _ in blocks(text)):
        pytest.skip("no commands in it")
    shell, folder = Shell(tmp_path), tmp_path
    try:
        for line, info, lines in blocks(text):
            where = f"{page}:{line}"
            if "file=" in info:
                target = folder / info.split("file=")[1]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text("\n".join(lines).replace("$PWD", str(folder)) + "\n")
            elif info == "console":
                for offset, command, shown in commands(lines):
                    folder = check_command(shell, f"{page}:{line + 1 + offset}", command, shown)
            elif info == "sql":
                (folder / ".page.sql").write_text("\n".join(lines) + "\n")
                code, out, _ = shell.run("silt sql -f .page.sql")
                assert code == 0, f"{where}: {out}"
    finally:
        shell.end()
