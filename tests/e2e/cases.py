"""The shared cases (tests/cases/cases.jsonl): faults that engines of this kind have had, with the answer Silt has to give."""
import base64
import json
import re

from driver import ROOT

CASES = {case["id"]: case for case in map(json.loads, (ROOT / "tests/cases/cases.jsonl").read_text(encoding="utf-8").splitlines())}


class Case:
    """One case in a project: its files, its statements, its checks."""

    def __init__(self, project, name):
        self.project, self.case = project, CASES[name]
        self.files = list(self.case["input"].get("files", []))
        self.statements = self.case["input"].get("pipeline", [])
        self.checks = self.case["checks"]

    def put(self, content=None):
        """The files that are there from the start; content by path for those that the case only describes."""
        while self.files and "when" not in self.files[0]:
            self.put_next(content)
        return self

    def put_next(self, content=None):
        file = self.files.pop(0)
        path = file["path"]
        data = (content or {}).get(path)
        if data is None:
            data = base64.b64decode(file["base64"]) if "base64" in file else file["text"]
        return self.project.file(path, data)

    def define(self, before=(), without=None):
        """The case's statements; `without` is a pattern to leave out of them."""
        self.project.define(*before, *(re.sub(without, "", text) if without else text for text in self.statements))
        return self

    def run(self):
        self.project.run().ok()
        return self

    def expect(self, *numbers, zone=None):
        """The checks that are queries: all, or those with these numbers."""
        for number, check in enumerate(self.checks):
            if "query" in check and (not numbers or number in numbers):
                self.project.expect(re.sub(r"\s+--\s.*$", "", check["query"]), check["rows"], zone=zone)
        return self
