#!/usr/bin/env python3
"""Writes src/duck/unicode_category_tables.h, the general categories of Unicode, from Python's own data."""
import unicodedata

ranges = {}
previous, start = None, 0
for c in range(0x110001):
    category = unicodedata.category(chr(c)) if c < 0x110000 else None
    if category != previous:
        if previous not in (None, 'Cn', 'Cs', 'Co'):
            ranges.setdefault(previous, []).append((start, c - 1))
        previous, start = category, c
print('/* Made by tools/unicode_category.py, Unicode ' + unicodedata.unidata_version + '; Cn, Co and Cs are left out. */')
for name in sorted(ranges):
    print(f'static const RegexRange category_{name}[] = {{')
    line = '   '
    for low, high in ranges[name]:
        item = f' {{0x{low:X}, 0x{high:X}}},'
        if len(line) + len(item) > 138:
            print(line)
            line = '   '
        line += item
    print(line)
    print('};')
print('''
typedef struct Category {
    char name[3];
    const RegexRange *ranges;
    int count;
} Category;

static const Category categories[] = {''')
for name in sorted(ranges):
    print(f'    {{"{name}", category_{name}, {len(ranges[name])}}},')
print('};')
