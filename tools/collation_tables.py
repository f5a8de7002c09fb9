#!/usr/bin/env python3
"""Writes src/duck/collation_tables.h, the characters that two versions of ICU order otherwise.

usage: tools/collation_tables.py NEW OLD > src/duck/collation_tables.h

NEW and OLD hold a character and its key under one strength a line, "97<TAB>2A01050105", from ICU4J of Spark (Collator.getCollationKey, without its last byte) and from DuckDB
(icu_sort_key(chr(c), 'und@colStrength=...')), for every character below U+20000; further pairs of files, for other strengths, may follow. What is left out of the table is
the largest set of characters that both put into the same order and find equal alike. Which languages are in collation_locales.h as true was found with the same two keys over
43,000 characters and random strings for each language: those are, whose order was the same.
"""
import sys
from itertools import groupby

TOP, LAST = 0x20000, 0x10FFFF


def read(path):
    with open(path, encoding="ascii") as file:
        return {int(c): key for c, key in (line.replace("|", "\t").rstrip("\n").split("\t") for line in file)}


def moved(new, old):
    """The characters outside of the heaviest chain of groups of equals that rises in both orders."""
    places = {key: at for at, key in enumerate(sorted(set(old.values())), 1)}
    tree = [(0, -1)] * (len(places) + 1)  # heaviest chain that ends at a place or before, as a Fenwick tree
    groups, before, total = [], [], []
    for _, same in groupby(sorted(new, key=lambda c: (new[c], old[c])), key=lambda c: new[c]):
        ends = []
        for key, chars in groupby(same, key=lambda c: old[c]):
            chars, at, best = list(chars), places[key] - 1, (0, -1)
            while at > 0:
                best, at = max(best, tree[at]), at - (at & -at)
            ends.append((places[key], chars, best))
        for at, chars, best in ends:
            groups.append(chars)
            before.append(best[1])
            total.append(best[0] + len(chars))
            while at < len(tree):
                tree[at] = max(tree[at], (total[-1], len(groups) - 1))
                at += at & -at
    keep, at = set(), max(range(len(total)), key=lambda i: total[i])
    while at >= 0:
        keep.update(groups[at])
        at = before[at]
    return set(new) - keep


def main():
    files = sys.argv[1:]
    other = set()
    for new, old in zip(files[::2], files[1::2]):
        other |= moved(read(new), read(old))
    ranges = []
    for c in sorted(other):
        if ranges and ranges[-1][1] == c - 1:
            ranges[-1][1] = c
        else:
            ranges.append([c, c])
    if ranges[-1][1] == TOP - 1:
        ranges[-1][1] = LAST
    else:
        ranges.append([TOP, LAST])
    print("/* Made by tools/collation_tables.py: characters whose place among all others, or whose equals, are not the same in ICU 66 (within DuckDB) and ICU 78.3 (Spark 4.2) */")
    print("#pragma once\n#include <stdint.h>\n\nenum { OTHER_WEIGHTS_FROM = 0x%X };\n\nstatic const struct {\n    uint32_t first, last;\n} other_weights[] = {" % ranges[0][0])
    line = "   "
    for first, last in ranges:
        item = " {0x%X, 0x%X}," % (first, last)
        if len(line) + len(item) > 140:
            print(line)
            line = "   "
        line += item
    print(line + "\n};")


if __name__ == "__main__":
    main()
