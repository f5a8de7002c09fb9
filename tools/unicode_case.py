#!/usr/bin/env python3
"""Writes the tables of src/duck/unicode_case.c from Python's own Unicode data: tools/unicode_case.py > src/duck/unicode_case_tables.h"""
import sys
import unicodedata

def simple(method):
    pairs = []
    for c in range(0x110000):
        if 0xD800 <= c < 0xE000:
            continue
        m = getattr(chr(c), method)()
        if len(m) == 1 and ord(m) != c:
            pairs.append((c, ord(m) - c))
    return pairs

def runs(pairs):
    """[first, last, stride, delta]: neighbours with one delta, every code point or every second."""
    out = []
    for c, d in pairs:
        if out and out[-1][3] == d:
            first, last, stride, _ = out[-1]
            step = c - last
            if step in (1, 2) and (stride == 0 or stride == step):
                out[-1][1], out[-1][2] = c, step
                continue
        out.append([c, c, 0, d])
    return out

def table(name, method):
    print(f'static const CaseRun {name}[] = {{')
    line = '   '
    for first, last, stride, delta in runs(simple(method)):
        item = f' {{0x{first:X}, 0x{last:X}, {stride or 1}, {delta}}},'
        if len(line) + len(item) > 138:
            print(line)
            line = '   '
        line += item
    print(line)
    print('};\n')

print('/* Made by tools/unicode_case.py, Unicode ' + unicodedata.unidata_version + '. */')
table('to_upper', 'upper')
table('to_lower', 'lower')
table('to_title', 'title')
print('/* One letter that becomes several. */')
print('static const CaseSpecial specials[] = {')
def c_text(text):
    return '"' + ''.join(f'\\x{b:02x}' for b in text.encode()) + '"'
for c in range(0x110000):
    if 0xD800 <= c < 0xE000:
        continue
    u, t = chr(c).upper(), chr(c).title()
    if len(u) > 1 or len(t) > 1:
        print(f'    {{0x{c:X}, {c_text(u)}, {c_text(t)}}},')
print('};')
