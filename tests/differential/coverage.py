#!/usr/bin/env python3
"""Is every function of docs/functions.md (made from the function table) asked for by at least three recorded queries, and does every type come out?

usage: coverage.py
"""
import re
import sys
from collections import Counter

import corpus

LEAST = 3
# Functions of a module of Spark that no mirror at hand had: Google's library answers for them, with Spark's rules spelled out (tests/e2e/test_protobuf.py).
ELSEWHERE = {"from_protobuf", "to_protobuf"}
TYPES = ["boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal", "string", "binary", "date", "timestamp", "timestamp_ntz", "interval day to second",
         "interval year to month", "array", "map", "struct", "variant", "void"]


def main():
    page = (corpus.HERE.parent.parent / "docs/functions.md").read_text(encoding="utf-8")
    names = {name for name in re.findall(r"^\| (\w+) \| `", page, re.M)}
    asked, types, queries = Counter(), Counter(), 0
    for name in corpus.FILES:
        answers = corpus.answers(name)
        for q in corpus.queries(name):
            queries += 1
            asked.update(set(re.findall(r"\b(\w+)\s*\(", q.text.lower())) & names)
            types.update({re.match(r"[a-z_ ]+", kind)[0] for kind in answers.get(q.line, {}).get("types", [])})
    rare = sorted((asked[name], name) for name in names - ELSEWHERE if asked[name] < LEAST)
    missing = [kind for kind in TYPES if types[kind] < LEAST]
    print("%d queries over %d functions and %d types" % (queries, len(names), len(types)))
    for count, name in rare:
        print("only %d queries with %s: at least %d (README.md says how to add one)" % (count, name, LEAST))
    for kind in missing:
        print("fewer than %d answers of type %s" % (LEAST, kind))
    return 1 if rare or missing else 0


if __name__ == "__main__":
    sys.exit(main())
