#!/usr/bin/env python3
"""Makes random queries in Spark's SQL: over every function of docs/functions.md, every type, and every clause.

usage: generate.py [--seed N] [--each N] [AREA ...]

Prints queries as corpus.py reads them, without those that are recorded already. Each piece has dice of its own, so that a new function
changes no other query. --each is how many queries a function gets (4); other areas grow with it. Areas: the keys of AREAS.

What has no one answer is not made: chance, the clock, the order of rows where nothing settles it.
"""
import itertools
import random
import re
import sys

import corpus
from values import COLUMN_VALUES, KINDS, POOLS, SPECIAL, ZONES, literal

ROOT = corpus.HERE.parent.parent
RANDOM = {"rand", "random", "uuid", "now", "current_timestamp", "current_date", "curdate", "localtimestamp", "unix_timestamp/0", "current_timezone/0", "current_time"}
ORDER = {"first", "first_value", "last", "last_value", "any_value", "array_agg", "collect_list", "collect_set", "listagg", "string_agg"}
ESTIMATES = {"approx_count_distinct", "percentile_approx", "approx_percentile"}
NEARLY = {"corr", "covar_pop", "covar_samp", "kurtosis", "skewness", "std", "stddev", "stddev_pop", "stddev_samp", "var_pop", "var_samp", "variance", "regr_avgx",
          "regr_avgy", "regr_intercept", "regr_r2", "regr_slope", "regr_sxx", "regr_sxy", "regr_syy", "avg", "mean", "try_avg", "sum", "try_sum"}


TIME = re.compile(r"\btime\b|^time_|^(make|to|try_to)_time\(")  # Spark refuses the type TIME unless a setting lets it in


def functions():
    """(name, signature's arguments, kind) of each row of the function table."""
    kind = None
    for line in (ROOT / "docs/functions.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            kind = line[3:].split(" ")[0]
        found = re.match(r"\| (\w+) \| `\w+\((.*?)\)(?: -> .*)?` \|", line)
        if found and not TIME.search(found[1] + "(" + found[2] + ")"):
            yield found[1], found[2], kind


def arguments(dice, signature):
    """Some arguments' types that fit a signature: those left out are sometimes left out."""
    optional, repeated = signature.partition("[")[::2] if re.search(r"\[(?!\])", signature.replace("[]", "")) else (signature, "")
    # a small parser: pieces between commas; "[" (not "[]") opens what may be left out
    pieces, depth, wanted = [], 0, True
    for token in re.findall(r"[A-Za-z_]+(?:\[\])?(?:\.\.\.)?|\[|\]|,", signature):
        if token == "[":
            depth += 1
            wanted = wanted and dice.random() < 0.6
        elif token != "]" and token != "," and wanted:
            name = token.removesuffix("...")
            pieces += [name] * (dice.randrange(1, 4) if token.endswith("...") else 1)
    return pieces


def concrete(dice, pieces):
    """Types for the classes of a signature; letters mean one type throughout."""
    letters = {}
    made = []
    for piece in pieces:
        base = piece.removesuffix("[]")
        if len(base) == 1:
            base = letters.setdefault(base, dice.choice(["int", "string", "double", "date", "decimal(10,2)", "bigint", "timestamp", "boolean"]))
        elif base in KINDS:
            base = dice.choice(KINDS[base])
        made.append(f"array<{base}>" if piece.endswith("[]") else base)
    return made


def operand(dice, kind):
    return dice.choice(POOLS[kind]) if kind in POOLS else literal(dice, kind)


def call(name, texts):
    return f"{name}({', '.join(texts)})"


def over_columns(dice, kinds, make, rows=None):
    """make(names) over a table whose columns have these types: the FROM included."""
    names = [f"c{n}" for n in range(len(kinds))]
    rows = rows or dice.randrange(2, 6)
    values = [", ".join("NULL" if dice.random() < 0.12 else operand(dice, kind) for kind in kinds) for _ in range(rows)]
    for n, kind in enumerate(kinds):  # the first row settles each type
        if kind not in POOLS and all(re.fullmatch(r"NULL", row.split(", ")[n]) for row in values if len(row.split(", ")) == len(kinds)):
            return None
    return f"SELECT {make(names)} FROM VALUES {', '.join(f'({row})' for row in values)} t({', '.join(names)})"


def zone_mark(dice, often=0.15):
    return f"@{dice.choice(ZONES)} " if dice.random() < often else ""


def scalar(dice, name, signature):
    if name in RANDOM or name in ("session_window", "raise_error"):
        return None
    if name in SPECIAL:
        form = dice.choice(SPECIAL[name])
        if isinstance(form, str):
            return zone_mark(dice) + re.sub(r"\{([^{}]+)\}", lambda m: operand(dice, m[1]), "SELECT " + form)
        kinds = list(form)
    else:
        kinds = concrete(dice, arguments(dice, signature))
    mark = zone_mark(dice, 0.3 if any("timestamp" in kind for kind in kinds) else 0.03)
    if dice.random() < 0.45 and kinds and not any(kind.startswith("!") for kind in kinds):
        # constant arguments (patterns, units, options) stay literals, the others become columns
        fixed = {n for n, kind in enumerate(kinds) if kind in POOLS and kind.isupper()}
        columns = [kind for n, kind in enumerate(kinds) if n not in fixed]
        if columns:
            def make(names):
                left = iter(names)
                return call(name, [operand(dice, kind) if n in fixed else next(left) for n, kind in enumerate(kinds)])
            text = over_columns(dice, columns, make)
            if text:
                return mark + text
    return mark + "SELECT " + call(name, ["NULL" if dice.random() < 0.05 and len(kinds) > 1 else operand(dice, kind.lstrip("!")) for kind in kinds])


def group(dice):
    return dice.choice(["", "GROUP BY k", "GROUP BY k", "GROUP BY ROLLUP (k)", "GROUP BY CUBE (k, b)", "GROUP BY GROUPING SETS ((k), (b), ())", "GROUP BY k, b", "GROUP BY ALL"])


def aggregate(dice, name, signature):
    if name in ESTIMATES and name == "approx_count_distinct":
        return "SELECT approx_count_distinct(c0) FROM VALUES (%s), (NULL) t(c0)" % literal(dice, dice.choice(KINDS["any"]))
    if name in ("grouping", "grouping_id"):
        inside = "k" if name == "grouping" else dice.choice(["", "k, b"])
        return f"SELECT k, b, {name}({inside}), count(*) FROM VALUES (1, true), (1, false), (2, NULL), (NULL, true) t(k, b) GROUP BY {dice.choice(['ROLLUP (k, b)', 'CUBE (k, b)', 'GROUPING SETS ((k, b), (k), (b))'])}"
    kinds = SPECIAL.get(name)
    kinds = list(dice.choice(kinds)) if kinds else concrete(dice, arguments(dice, signature))
    if not kinds:
        kinds = ["int"]
    fixed = {n for n, kind in enumerate(kinds) if kind in POOLS and kind.isupper()}
    columns = [kind for n, kind in enumerate(kinds) if n not in fixed]
    left = iter(f"c{n}" for n in range(len(columns)))
    texts = [operand(dice, kind) if n in fixed else next(left) for n, kind in enumerate(kinds)]
    distinct = "DISTINCT " if name in ("count", "sum", "avg", "collect_set", "min", "max", "bit_xor", "count_if") and dice.random() < 0.2 and name != "count_if" else ""
    expression = f"{name}({distinct}{', '.join(texts)})"
    if name in ("percentile_cont", "percentile_disc"):
        expression = f"{name}({dice.choice(['0.5', '0.25', '0.9', '0', '1'])}) WITHIN GROUP (ORDER BY c0{dice.choice(['', ' DESC'])})"
        columns = [dice.choice(["int", "double", "bigint", "decimal(10,2)"])]
    elif name in ("listagg", "string_agg"):
        expression += " WITHIN GROUP (ORDER BY c0)"
    if dice.random() < 0.2:
        expression += f" FILTER (WHERE {dice.choice(['b', 'k > 1', 'c0 IS NOT NULL', 'NOT b'])})"
    if name in ("collect_list", "collect_set", "array_agg"):
        expression = f"sort_array({expression})"
    rows = dice.randrange(1, 7)
    values = []
    for row in range(rows):
        cells = ["NULL" if dice.random() < 0.15 and row else (dice.choice(COLUMN_VALUES[kind]) if kind in COLUMN_VALUES else operand(dice, kind)) for kind in columns]
        if name in ORDER and name not in ("collect_list", "collect_set", "array_agg", "listagg", "string_agg") and row:
            cells[:len(columns)] = values[0][0] if dice.random() < 2 else cells
        values.append((cells, str(dice.choice([1, 1, 2, 3, "NULL"])) if row else "1", dice.choice(["true", "false", "NULL"]) if row else "true"))
    clause = group(dice)
    where = dice.choice(["", "", "", "WHERE k < 3", "WHERE false"])
    keys = {"GROUP BY k": "k, ", "GROUP BY ROLLUP (k)": "k, ", "GROUP BY CUBE (k, b)": "k, b, ", "GROUP BY GROUPING SETS ((k), (b), ())": "k, b, ", "GROUP BY k, b": "k, b, ",
            "GROUP BY ALL": "b, "}.get(clause, "")
    table = ", ".join("(" + ", ".join([*cells, k, b]) + ")" for cells, k, b in values)
    names = ", ".join([f"c{n}" for n in range(len(columns))] + ["k", "b"])
    mark = "~" if name in NEARLY else ""
    return f"{mark}SELECT {keys}{expression} FROM VALUES {table} t({names}) {where} {clause}".rstrip().replace("  ", " ")


FRAMES = ["", "", "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", "ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING", "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
          "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", "RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING", "ROWS 2 PRECEDING", "ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING",
          "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", "RANGE BETWEEN 2 PRECEDING AND 1 PRECEDING", "ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING"]


def window(dice, name, signature):
    own = {"lag": ["x", "x, 1", "x, 2, 0", "s, 1, 'none'", "x, -1"], "lead": ["x", "x, 1", "x, 2, 0", "s, 1, 'none'", "x, 0"], "nth_value": ["x, 1", "x, 2", "s, 3"],
           "ntile": ["1", "2", "3", "10"]}
    aggregates = {"sum": ["x", "d", "f"], "avg": ["x", "d"], "count": ["*", "x", "s"], "min": ["x", "s", "t"], "max": ["x", "d", "t"], "first": ["x", "s"], "last": ["x", "s"],
                  "first_value": ["x"], "last_value": ["s"], "any_value": ["k"], "collect_list": ["x"], "stddev": ["x"], "bool_and": ["x > 2"], "max_by": ["s, o"],
                  "count_if": ["x > 2"], "var_pop": ["x"], "median": ["x"], "array_agg": ["s"], "try_sum": ["x"], "bit_or": ["o"], "mode": ["k"]}
    if name is None:
        name = dice.choice(list(aggregates))
        inside = dice.choice(aggregates[name])
        frame = dice.choice(FRAMES)
    else:
        inside = dice.choice(own.get(name, [""]))
        frame = dice.choice(FRAMES[:5]) if name == "nth_value" else ""
    by = dice.choice(["o", "o DESC", "o ASC NULLS LAST"])
    nulls = dice.choice(["", "", " IGNORE NULLS"]) if name in ("lag", "lead", "nth_value", "first_value", "last_value", "first", "last") else ""
    mark = "~" if name in NEARLY else ""
    rows = ", ".join(f"({dice.choice(['1', '1', '2', 'NULL'])}, {n}, {dice.choice(['1', '2', '5', 'NULL', '-3', '2147483647'])}, {dice.choice(COLUMN_VALUES['decimal(10,2)'])}, "
                     f"{dice.choice(COLUMN_VALUES['double'])}, {literal(dice, 'string')}, {literal(dice, 'timestamp')})" for n in range(1, dice.randrange(3, 7)))
    return (f"{mark}SELECT k, o, {name}({inside}){nulls} OVER ({dice.choice(['PARTITION BY k ', ''])}ORDER BY {by} {frame}".rstrip() + f") AS w FROM VALUES {rows} t(k, o, x, d, f, s, t)")


GENERATOR_ARGUMENTS = {
    "explode": ["array<int>", "array<string>", "map<string,int>"], "posexplode": ["array<date>", "map<int,string>"], "inline": ["array<struct>"], "stack": None,
    "json_tuple": None, "variant_explode": ["variant"],
}


def generator(dice, name, signature):
    base = name.removesuffix("_outer")
    if base == "stack":
        inside = dice.choice(["2, 1, 2, 3, 4", "1, 'a', 2.5", "3, 1, 2, 3, 4", "2, 'x', NULL, 'y', 1", "2, date'2026-01-01', NULL"])
    elif base == "json_tuple":
        inside = f"{operand(dice, 'JSON')}, {dice.choice(ARG_FIELDS)}"
    else:
        inside = literal(dice, dice.choice(GENERATOR_ARGUMENTS[base]))
    shape = dice.randrange(3)
    if shape == 0:
        return f"SELECT {name}({inside})"
    if shape == 1:
        return f"SELECT k, e.* FROM VALUES (1), (2) t(k) LATERAL VIEW {dice.choice(['', 'OUTER '])}{name}({inside}) e"
    return f"SELECT * FROM VALUES (1), (NULL) t(k), LATERAL {name}({inside}) AS e"


ARG_FIELDS = ["'a'", "'a', 'b'", "'b', 'missing'", "'A'", "'a.b', 'a'", "''"]


def all_functions(seed, each):
    seen = {}
    for name, signature, kind in functions():
        number = seen[name] = seen.get(name, 0) + 1
        make = {"Scalar": scalar, "Aggregate": aggregate, "Window": window, "Generators": generator}[kind]
        yield f"{kind.lower()} functions", None
        for n in range(each if number == 1 else max(1, each // 2)):
            dice = random.Random(f"{seed} {name} {signature} {n}")
            yield None, make(dice, name, signature)


TYPES = ["boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal(10,2)", "decimal(38,10)", "string", "binary", "date", "timestamp", "timestamp_ntz",
         "interval day to second", "interval year to month", "array<int>", "map<string,int>", "struct", "variant"]
CAST_TYPES = [t for t in TYPES if t != "struct"] + ["struct<a:int,b:string>", "array<string>", "decimal(3,1)"]


def casts(seed, each):
    yield "casts", None
    for source, target in itertools.product(TYPES, CAST_TYPES):
        dice = random.Random(f"{seed} cast {source} {target}")
        zone = zone_mark(dice, 0.4) if "timestamp" in source + target or source == "date" else ""
        pool = COLUMN_VALUES.get(source) or [literal(dice, source) for _ in range(4)]
        for n in range(max(1, each // 3)):
            yield None, f"{zone}SELECT CAST({dice.choice(pool)} AS {target})"
        chosen = dice.sample(pool, min(len(pool), 8))
        yield None, f"{zone}SELECT TRY_CAST(c AS {target}) FROM VALUES {', '.join(f'({x})' for x in chosen)}, (NULL) t(c)"
    texts = POOLS["number text"] + POOLS["date text"] + POOLS["time text"]
    for target in ["boolean", "tinyint", "int", "bigint", "float", "double", "decimal(10,2)", "decimal(38,18)", "date", "timestamp", "timestamp_ntz", "binary",
                   "interval day to second", "interval year to month", "interval hour to second", "interval day", "interval month"]:
        for n in range(0, len(texts), 12):
            dice = random.Random(f"{seed} text {target} {n}")
            yield None, zone_mark(dice, 0.2) + f"SELECT c, TRY_CAST(c AS {target}) FROM VALUES {', '.join(f'({x})' for x in texts[n:n + 12])} t(c)"


NUMBERS = ["tinyint", "smallint", "int", "bigint", "float", "double", "decimal(5,2)", "decimal(10,2)", "decimal(20,0)", "decimal(38,10)", "decimal(38,38)", "string"]


def arithmetic(seed, each):
    yield "arithmetic", None
    for x, y in itertools.product(NUMBERS, NUMBERS):
        dice = random.Random(f"{seed} arithmetic {x} {y}")
        small = {k: [v for v in COLUMN_VALUES[k] if not re.search(r"\d{9}|[Ii]n|Na|E30|38,38|127|128|327|e30", v)] or COLUMN_VALUES[k] for k in (x, y)}
        if x == "string" and y == "string":
            continue
        a, b = dice.choice(small[x]), dice.choice(small[y])
        yield None, f"SELECT a + b, a - b, a * b FROM VALUES ({a}, {b}), ({dice.choice(small[x])}, {dice.choice(small[y])}) t(a, b)"
        yield None, f"SELECT a / b, a % b, pmod(a, b) FROM VALUES ({a}, {dice.choice([v for v in small[y] if re.search('[1-9]', v)] or small[y])}), ({a}, NULL) t(a, b)"
        op = dice.choice(["+", "-", "*", "/", "%", "div"])
        yield None, f"SELECT {dice.choice(COLUMN_VALUES[x])} {op} {dice.choice(COLUMN_VALUES[y])}"
        form = dice.choice(["try_add(a, b)", "try_subtract(a, b)", "try_multiply(a, b)", "try_divide(a, b)", "try_mod(a, b)"])
        yield None, f"SELECT {form} FROM VALUES {', '.join(f'({dice.choice(COLUMN_VALUES[x])}, {dice.choice(COLUMN_VALUES[y])})' for _ in range(4))} t(a, b)"


MIXED = ["SELECT {a} {op} {b}", "SELECT {a} {op} {b}", "SELECT coalesce({a}, {b})", "SELECT CASE WHEN {c} THEN {a} ELSE {b} END", "SELECT {a} IN ({b}, NULL)", "SELECT {a} IN ({b}, {a})",
         "SELECT {a} BETWEEN {b} AND {a}", "SELECT {a} UNION ALL SELECT {b}", "SELECT * FROM VALUES ({a}), ({b}) t(c)", "SELECT array({a}, {b})", "SELECT if({c}, {a}, {b})",
         "SELECT nvl({a}, {b}), nullif({a}, {b})", "SELECT greatest({a}, {b}), least({b}, {a})", "SELECT map({a}, {b})", "SELECT CASE {a} WHEN {b} THEN 1 ELSE 2 END",
         "SELECT {a} UNION SELECT {b}", "SELECT {a} INTERSECT SELECT {b}", "SELECT {a} EXCEPT SELECT {b}", "SELECT {a} || {b}", "SELECT count(*) FROM VALUES ({a}) t(x) JOIN VALUES ({b}) u(y) ON x = y",
         "SELECT concat({a}, {b})", "SELECT {a} + {b}", "SELECT {a} - {b}", "SELECT {a} <=> {b}"]


def mixed(seed, each):
    yield "mixed types", None
    for x, y in itertools.product(TYPES, TYPES):
        for n in range(max(1, each // 2)):
            dice = random.Random(f"{seed} mixed {x} {y} {n}")
            form = dice.choice(MIXED)
            text = form.format(a=literal(dice, x), b=literal(dice, y), op=dice.choice(["=", "<", ">=", "<>", "<=>", "!="]), c=dice.choice(["true", "false", "NULL"]))
            yield None, zone_mark(dice, 0.1 if "timestamp" not in x + y else 0.4) + text


TIME_FORMS = ["{date} + {dt}", "{date} - {dt}", "{date} + {ym}", "{date} - {ym}", "{timestamp} + {dt}", "{timestamp} - {dt}", "{timestamp} + {ym}", "{timestamp_ntz} + {dt}", "{timestamp_ntz} - {ym}",
              "{timestamp} - {timestamp}", "{date} - {date}", "{timestamp} - {date}", "{timestamp_ntz} - {timestamp_ntz}", "{timestamp_ntz} - {timestamp}", "{date} + {tinyint}", "{date} - {smallint}",
              "extract({FIELD} FROM {timestamp})", "extract({FIELD} FROM {date})", "extract({FIELD} FROM {timestamp_ntz})", "extract({IFIELD} FROM {dt})", "extract({YFIELD} FROM {ym})",
              "date_trunc({UNIT}, {timestamp})", "trunc({date}, {UNIT})", "date_trunc({UNIT}, {timestamp_ntz})", "{dt} * {int}", "{dt} / {int}", "{ym} * {double}", "{ym} / {int}", "{dt} + {dt}", "{ym} - {ym}", "-{dt}",
              "abs({ym})", "{dt} = {dt}", "{ym} < {ym}", "timestampadd({TUNIT}, {tinyint}, {timestamp})", "timestampdiff({TUNIT}, {timestamp}, {timestamp})", "dateadd({TUNIT}, {tinyint}, {date})",
              "datediff({TUNIT}, {date}, {timestamp})", "CAST({timestamp} AS STRING)", "CAST({timestamp} AS DATE)", "CAST({date} AS TIMESTAMP)", "CAST({timestamp_ntz} AS TIMESTAMP)", "CAST({timestamp} AS TIMESTAMP_NTZ)",
              "date_format({timestamp}, {PATTERN})", "date_format({timestamp}, {PATTERN})", "to_timestamp({TIMETEXT}, {PATTERN})", "to_date({TIMETEXT}, {PATTERN})", "try_to_timestamp({TIMETEXT}, {PATTERN})",
              "from_utc_timestamp({timestamp}, {ZONE})", "to_utc_timestamp({timestamp}, {ZONE})", "hour({timestamp}), minute({timestamp}), day({timestamp})", "last_day({date}), next_day({date}, {DAYNAME})",
              "months_between({timestamp}, {timestamp})", "add_months({date}, {tinyint})", "make_timestamp({YEAR}, {MONTH}, {DAY}, {HOUR}, {MINUTE}, {SECOND})", "unix_timestamp({TIMETEXT}, {PATTERN})",
              "from_unixtime({bigint}, {PATTERN})", "window({timestamp}, '1 hour')", "sequence({date}, {date}, interval 1 year)", "{timestamp} BETWEEN {timestamp} AND {timestamp}",
              "CAST({TIMETEXT} AS TIMESTAMP)", "TRY_CAST({TIMETEXT} AS DATE)", "convert_timezone({ZONE}, {ZONE}, {timestamp_ntz})", "to_char({timestamp}, {PATTERN})",
              "CAST({timestamp} AS DECIMAL(20,6)), CAST({timestamp} AS BIGINT)", "{timestamp} = {timestamp_ntz}", "{date} < {timestamp}", "weekofyear({date}), dayofweek({date}), weekday({date}), quarter({date})"]


def times(seed, each):
    yield "dates and times", None
    for number, form in enumerate(TIME_FORMS):
        for n in range(each + 1):
            dice = random.Random(f"{seed} time {form} {n}")
            yield None, zone_mark(dice, 0.6) + "SELECT " + re.sub(r"\{([^{}]+)\}", lambda m: operand(dice, {"dt": "interval day to second", "ym": "interval year to month"}.get(m[1], m[1])), form)


TEXT_FORMS = ["regexp_replace({TEXT}, {REGEX}, {REPLACEMENT})", "regexp_extract({TEXT}, {REGEX}, {GROUP})", "regexp_extract_all({TEXT}, {REGEX}, {GROUP})", "{TEXT} RLIKE {REGEX}", "regexp_count({TEXT}, {REGEX})",
              "regexp_instr({TEXT}, {REGEX})", "regexp_substr({TEXT}, {REGEX})", "split({TEXT}, {REGEX})", "split({TEXT}, {REGEX}, {LIMIT})", "{TEXT} LIKE {LIKE}", "{TEXT} ILIKE {LIKE}", "{TEXT} LIKE {LIKE} ESCAPE '!'",
              "{TEXT} LIKE ANY ({LIKE}, {LIKE})", "{TEXT} NOT LIKE ALL ({LIKE}, {LIKE})", "format_string({FORMAT}, {FORMATARG})", "to_number({NUMTEXT}, {NUMFORMAT})", "try_to_number({NUMTEXT}, {NUMFORMAT})",
              "to_char({decimal(10,2)}, {NUMFORMAT})", "format_number({double}, {PLACES})", "format_number({decimal(10,2)}, {PLACES})", "conv({NUMTEXT}, {BASE}, {BASE})", "trim(BOTH {TEXT} FROM {TEXT})",
              "trim(LEADING {TEXT} FROM {TEXT})", "translate({TEXT}, {TEXT}, {TEXT})", "overlay({TEXT} PLACING {TEXT} FROM {GROUP})", "substring({TEXT} FROM {OFFSET} FOR {LIMIT})", "substring_index({TEXT}, {TEXT}, {OFFSET})",
              "split_part({TEXT}, {TEXT}, {OFFSET})", "initcap({TEXT}), upper({TEXT}), lower({TEXT})", "levenshtein({TEXT}, {TEXT}), soundex({TEXT})", "lpad({TEXT}, {LIMIT}, {TEXT}), rpad({TEXT}, {LIMIT}, {TEXT})",
              "position({TEXT} IN {TEXT})", "{TEXT} < {TEXT}, {TEXT} = {TEXT}", "parse_url({URL}, {URLPART})", "url_decode({URL})", "reverse({TEXT}), length({TEXT}), char_length({TEXT}), octet_length({TEXT})",
              "decode(encode({TEXT}, {CHARSET}), {CHARSET})", "hash({TEXT}, {int}), xxhash64({TEXT}, {double})", "hash({date}, {timestamp}, {decimal(10,2)}, {binary})", "xxhash64({array<int>}, {struct}, {boolean})"]
JSON_FORMS = ["from_json({JSON}, {SCHEMA})", "from_json({JSON}, {SCHEMA})", "from_json({JSON}, {SCHEMA}, {JSONOPTION})", "get_json_object({JSON}, {PATH})", "get_json_object({JSON}, {PATH})", "json_array_length({JSON})",
              "json_object_keys({JSON})", "schema_of_json({JSON})", "to_json({struct})", "to_json({array<int>})", "to_json({map<string,int>})", "to_json(named_struct('a', {double}, 'b', {timestamp}, 'c', {date}))",
              "to_json(named_struct('a', {decimal(10,2)}, 'b', {binary}, 'c', {string}))", "parse_json({JSON})", "try_parse_json({JSON})", "variant_get(parse_json({JSON}), {PATH}, {VTYPE})",
              "try_variant_get(parse_json({JSON}), {PATH}, {VTYPE})", "try_variant_get(try_parse_json({JSON}), {PATH}, {VTYPE})",
              "CAST(parse_json({JSON}) AS STRING)", "schema_of_variant(try_parse_json({JSON}))", "try_parse_json({JSON}):a",
              "try_parse_json({JSON}):a.b::string", "to_json(try_parse_json({JSON}))", "is_variant_null(try_parse_json({JSON}))", "from_csv({CSV}, {CSVSCHEMA})", "from_csv({CSV}, {CSVSCHEMA}, {CSVOPTION})",
              "to_csv({struct})", "to_csv(named_struct('a', {string}, 'b', {date}, 'c', {double}))", "schema_of_csv({CSV})", "to_json(from_json({JSON}, {SCHEMA}))", "CAST({array<int>} AS VARIANT)", "CAST({struct} AS VARIANT)",
              "CAST({timestamp} AS VARIANT)", "CAST(CAST({decimal(10,2)} AS VARIANT) AS STRING)", "schema_of_variant_agg(x) FROM VALUES (parse_json('1')), (parse_json('1.5')) t(x)"]


def forms(area, table):
    def make(seed, each):
        yield area, None
        for form in table:
            for n in range(each + 1):
                dice = random.Random(f"{seed} {area} {form} {n}")
                yield None, zone_mark(dice, 0.05) + "SELECT " + re.sub(r"\{([^{}]+)\}", lambda m: operand(dice, m[1]), form)
    return make


COLLECTION_FORMS = [
    "transform({array<int>}, x -> x + 1)", "transform({array<string>}, (x, i) -> concat(x, i))", "filter({array<int>}, x -> x > 1)", "filter({array<string>}, (x, i) -> i % 2 = 0)", "exists({array<int>}, x -> x IS NULL)",
    "forall({array<int>}, x -> x > 0)", "aggregate({array<int>}, 0L, (acc, x) -> acc + coalesce(x, 0))", "reduce({array<int>}, '', (acc, x) -> concat(acc, ',', coalesce(x, 'null')), acc -> length(acc))",
    "zip_with({array<int>}, {array<string>}, (x, y) -> concat(x, y))", "map_filter({map<string,int>}, (k, v) -> v > 1)", "transform_keys({map<string,int>}, (k, v) -> concat(k, 'x'))",
    "transform_values({map<string,int>}, (k, v) -> v * 2)", "map_zip_with({map<string,int>}, {map<string,int>}, (k, a, b) -> coalesce(a, 0) + coalesce(b, 0))",
    "array_sort({array<int>}, (x, y) -> CASE WHEN x IS NULL THEN 1 WHEN y IS NULL THEN -1 ELSE y - x END)", "array_sort({array<string>})", "sort_array({array<double>}, false)", "sort_array({array<date>})",
    "transform(sequence(1, 4), x -> transform(sequence(1, x), y -> x * y))", "array_distinct({array<double>})", "array_union({array<int>}, {array<int>})", "array_except({array<string>}, {array<string>})",
    "array_intersect({array<int>}, {array<bigint>})", "arrays_overlap({array<int>}, {array<int>})", "array_position({array<string>}, {string})", "array_remove({array<int>}, 1)", "array_insert({array<int>}, {OFFSET}, 9)",
    "slice({array<int>}, {OFFSET}, {LIMIT})", "element_at({array<int>}, {OFFSET})", "try_element_at({array<int>}, {OFFSET})", "{array<int>}[{GROUP}]", "{map<string,int>}['a']", "element_at({map<string,int>}, 'a')",
    "flatten(array({array<int>}, {array<int>}))", "array_join({array<string>}, ',', 'null')", "arrays_zip({array<int>}, {array<string>})", "map_from_arrays(array('a', 'b'), array({int}, {int}))", "map_entries({map<string,int>})",
    "map_concat({map<string,int>}, map('zz', 1))", "array_repeat({string}, {GROUP})", "array_min({array<double>}), array_max({array<double>})",
    "array_min({array<string>}), array_max({array<date>})", "size({map<string,int>}), cardinality({array<int>})",
    "sequence({tinyint}, {tinyint})", "sequence({date}, date'2026-01-05', interval 1 day)", "sequence(timestamp'2026-03-28 00:00:00', timestamp'2026-03-30 00:00:00', interval 12 hours)", "array_contains({array<double>}, double('NaN'))",
    "struct({int}, {string}).col1", "named_struct('a', {array<int>}, 'b', {map<string,int>})", "str_to_map({TEXT}, ',', ':')", "array_append({array<int>}, {int}), array_prepend({array<string>}, {string})", "reverse({array<string>})",
    "concat({array<int>}, {array<int>})", "array_compact({array<int>})", "inline(array({struct}, {struct}))",
    "array({struct}, {struct}) = array({struct}, {struct})", "{array<int>} < {array<int>}", "{struct} = {struct}, {struct} < {struct}",
    "sort_array(array({struct}, {struct}))", "array_max(array({timestamp}, {timestamp}))", "array_sort(array({decimal(10,2)}, {decimal(10,2)}, NULL))",
    "get({array<string>}, {GROUP})", "map_keys({map<string,int>}), map_values({map<string,int>})",
]


def relation(dice, name):
    """A small table with a key (NULLs and doubles among them), a number, a text."""
    rows = ", ".join(f"({dice.choice(['1', '1', '2', '3', 'NULL'])}, {dice.choice(['10', '20', '-5', 'NULL', '0'])}, {dice.choice(POOLS['TEXT'])})" for _ in range(dice.randrange(1, 5)))
    return f"VALUES (1, 10, 'a'), {rows} {name}(k, v, s)"


def condition(dice, x="t", y="u"):
    return dice.choice([f"{x}.k = {y}.k", f"{x}.k <=> {y}.k", f"{x}.k = {y}.k AND {x}.v > {y}.v", f"{x}.k < {y}.k", f"{x}.k = {y}.k OR {x}.s = {y}.s", f"{x}.s = {y}.s", f"{x}.k = {y}.k + 1", "true", f"{x}.k = {y}.k AND {x}.k > 1"])


def whole_query(dice, depth=0):
    t, u = relation(dice, "t"), relation(dice, "u")
    kind = dice.randrange(14)
    if kind == 0:
        join = dice.choice(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "INNER JOIN", "LEFT OUTER JOIN"])
        return f"SELECT t.k, t.v, u.v, u.s FROM {t} {join} {u} ON {condition(dice)}"
    if kind == 1:
        return f"SELECT * FROM {t} LEFT {dice.choice(['SEMI', 'ANTI'])} JOIN {u} ON {condition(dice)}"
    if kind == 2:
        return f"SELECT * FROM {t} {dice.choice(['', 'LEFT ', 'RIGHT ', 'FULL '])}JOIN {u} USING ({dice.choice(['k', 'k, v', 's'])})"
    if kind == 3:
        return f"SELECT * FROM {t} {dice.choice(['NATURAL JOIN', 'CROSS JOIN', 'NATURAL LEFT JOIN'])} {u}"
    if kind == 4:
        op = dice.choice(["UNION", "UNION ALL", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL", "MINUS", "UNION DISTINCT"])
        return f"SELECT {dice.choice(['k, v', 's, v', 'k, s'])} FROM {t} {op} SELECT {dice.choice(['k, v', 'v, k', 's, k'])} FROM {u}"
    if kind == 5:
        return f"SELECT * FROM {t} WHERE {dice.choice(['', 'NOT '])}k {dice.choice(['', 'NOT '])}IN (SELECT k FROM {u} {dice.choice(['', 'WHERE u.k IS NOT NULL', 'WHERE u.v > t.v'])})"
    if kind == 6:
        return f"SELECT * FROM {t} WHERE {dice.choice(['', 'NOT '])}EXISTS (SELECT 1 FROM {u} WHERE {condition(dice)})"
    if kind == 7:
        return f"SELECT k, (SELECT {dice.choice(['max(v)', 'count(*)', 'sum(v)', 'min(s)', 'count(v)'])} FROM {u} WHERE u.k = t.k) AS x FROM {t}"
    if kind == 8:
        return f"SELECT * FROM {t}, LATERAL (SELECT {dice.choice(['t.v + u.v AS w', 'max(u.v) AS w', 'u.s AS w'])} FROM {u} WHERE {dice.choice(['u.k = t.k', 'u.k > t.k', 'true'])})"
    if kind == 9:
        having = dice.choice(["", " HAVING count(*) > 1", " HAVING sum(v) > 0", " HAVING max(s) IS NOT NULL"])
        return f"SELECT k, count(*), sum(v), max(s), count(DISTINCT v) FROM {t} GROUP BY {dice.choice(['k', 'ROLLUP (k)', 'CUBE (k)', 'k', 'ALL'])}{having}"
    if kind == 10:
        return f"WITH t AS (SELECT * FROM {t}), u AS (SELECT k, sum(v) AS v FROM t GROUP BY k) SELECT t.k, t.s, u.v FROM t {dice.choice(['JOIN', 'LEFT JOIN'])} u ON t.k <=> u.k"
    if kind == 11:
        order = dice.choice(["k NULLS LAST, v, s", "v DESC, k, s", "s, k, v", "k DESC NULLS FIRST, v DESC NULLS LAST, s DESC"])
        return f"^SELECT k, v, s FROM {t} ORDER BY {order} {dice.choice(['', 'LIMIT 2', 'LIMIT 2 OFFSET 1', 'OFFSET 1'])}".rstrip()
    if kind == 12:
        return f"SELECT * FROM {t} PIVOT ({dice.choice(['sum(v)', 'max(v) AS m, count(*) AS n', 'max(s)'])} FOR k IN ({dice.choice(['1, 2', '1 AS one, 3', '2, 9'])}))"
    where = ["k > 1 OR v IS NULL", "s LIKE concat(chr(37), chr(97), chr(37))", "v BETWEEN 0 AND 15", "k IN (1, 2) AND NOT v = 20", "v IS DISTINCT FROM 10", "length(s) > 1"]
    return f"SELECT DISTINCT {dice.choice(['k', 'v, k', 's'])} FROM {t} WHERE {dice.choice(where)}"


def whole_queries(seed, each):
    yield "whole queries", None
    for n in range(60 * each):
        yield None, whole_query(random.Random(f"{seed} query {n}"))


def windows(seed, each):
    yield "windows over aggregates", None
    for n in range(25 * each):
        yield None, window(random.Random(f"{seed} window {n}"), None, "")


RECORD_SCHEMA = ("id BIGINT, n INT, s SMALLINT, d DOUBLE, f FLOAT, p DECIMAL(8,3), t STRING, b BOOLEAN, at TIMESTAMP, day DATE, o STRUCT<x: INT, y: STRING>, "
                 "l ARRAY<INT>, m MAP<STRING, INT>, _corrupt_record STRING")
RECORD_VALUES = ['1', '-7', '0', '9223372036854775807', '9223372036854775808', '2147483648', '32768', '1.5', '-0.0', '0.1', '1e3', '1E400', '12345678901234567.5',
                 '0.30000000000000004', 'null', 'true', 'false', '"text"', '""', '"1"', '"1.5"', '"NaN"', 'NaN', '"a\\"b"', '"\\u00e9\\n"', '"\\ud83d\\ude00"', '"\\ud83d"', '"longer than twelve bytes of text"',
                 '"2026-01-02T03:04:05Z"', '"2026-01-02T03:04:05.123456Z"', '"2026-01-02 03:04:05"', '"2026-01-02T03:04:05+02:00"', '"2026-02-30T00:00:00Z"', '"2026-01-02"', '1767323045',
                 '{"x":1,"y":"z"}', '{"x":"1"}', '{"y":null,"q":[{}]}', '{}', '[1,2,3]', '[1,"2"]', '[]', '{"k":1,"k":2}', '{"k":"v"}', "'single'", '日本語']


def damaged_records(seed, each):
    """from_json over records that were damaged at random: names and values that do not belong together, bytes lost, doubled and changed."""
    yield "JSON, CSV and VARIANT", None
    names = [field.split()[0] for field in re.sub(r"<[^>]*>", "", RECORD_SCHEMA).split(", ")][:-1] + ["unknown"]
    for n in range(each * 10):
        dice = random.Random(f"{seed} damaged {n}")
        records = []
        for _ in range(6):
            members = [(dice.choice(names), dice.choice(RECORD_VALUES)) for _ in range(dice.randrange(1, 6))]
            text = list("{" + ("," + dice.choice(["", " "])).join(f'"{name}":{value}' for name, value in members) + "}")
            for _ in range(dice.choice([0, 0, 1, 1, 2, 3])):
                at, way = dice.randrange(len(text)), dice.randrange(4)
                if way == 0:
                    del text[at]
                elif way == 1:
                    text.insert(at, text[at])
                elif way == 2:
                    text[at] = dice.choice('{}[]",:\\ 0129.-+eE\'ntfuNaN/*\t\x01é')
                else:
                    del text[at:]
                if not text:
                    break
            literal_text = "".join(text).replace("\\", "\\\\").replace("'", "\\'").replace("\t", "\\t").replace("\x01", "\\u0001")
            records.append(f"('{literal_text}')")
        yield None, f"SELECT from_json(v, '{RECORD_SCHEMA}') FROM VALUES {', '.join(records)} AS t(v)"


AREAS = {"functions": all_functions, "casts": casts, "arithmetic": arithmetic, "mixed": mixed, "times": times, "texts": forms("texts", TEXT_FORMS), "json": forms("JSON, CSV and VARIANT", JSON_FORMS),
         "collections": forms("collections", COLLECTION_FORMS), "windows": windows, "queries": whole_queries, "records": damaged_records}


def main():
    options = {"--seed": 1, "--each": 4}
    rest = sys.argv[1:]
    for option in options:
        if option in rest:
            at = rest.index(option)
            options[option] = int(rest[at + 1])
            del rest[at:at + 2]
    unknown = [area for area in rest if area not in AREAS]
    if unknown:
        sys.exit(f"generate.py: no area {unknown[0]}; there are {', '.join(AREAS)}")
    known = {corpus.query(line).text for name in corpus.FILES for line in (q.line for q in corpus.queries(name))}
    last = None
    for area in rest or AREAS:
        for heading, text in AREAS[area](options["--seed"], options["--each"]):
            if heading:
                last = heading if heading != last else last
                pending = heading
            elif text and corpus.query(text).text not in known:
                known.add(corpus.query(text).text)
                if pending:
                    if pending != getattr(main, "told", None):
                        print(f"\n-- {pending}")
                        main.told = pending
                    pending = None
                print(text)


if __name__ == "__main__":
    main()
