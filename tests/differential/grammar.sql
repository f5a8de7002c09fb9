-- Queries over the whole query grammar, one a line; answers of Spark 4.2.0 in grammar.expected.json. "!": must be refused, with Spark's class; "^": rows in this order.

-- LATERAL
SELECT * FROM VALUES (1), (2) t(a) JOIN LATERAL (SELECT a * 2 AS b)
SELECT * FROM VALUES (1), (2) t(a), LATERAL (SELECT a * 2 AS b, a + 1 AS c)
SELECT * FROM VALUES (1), (2) t(a), LATERAL (SELECT a * 2 AS b) AS s
SELECT * FROM VALUES (1), (2) t(a), LATERAL (SELECT a * 2) AS s(x)
SELECT a, b, c FROM VALUES (1), (2) t(a), LATERAL (SELECT a * 2 AS b), LATERAL (SELECT b + a AS c)
SELECT * FROM VALUES (1), (2) t(a) LEFT JOIN LATERAL (SELECT x FROM VALUES (2, 'p'), (2, 'q') u(k, x) WHERE k = a)
SELECT * FROM VALUES (1), (2) t(a) LEFT JOIN LATERAL (SELECT k, x FROM VALUES (2, 'p'), (1, 'q') u(k, x)) s ON s.k = t.a AND s.x <> 'q'
SELECT * FROM VALUES (1), (2) t(a) CROSS JOIN LATERAL (SELECT sum(x) AS s FROM VALUES (1, 10), (1, 20), (3, 5) u(k, x) WHERE k = a)
SELECT * FROM VALUES (1), (2) t(a), LATERAL (SELECT count(*) AS n FROM VALUES (1, 10), (1, 20) u(k, x) WHERE k = a)
SELECT * FROM VALUES (1), (2) t(a), LATERAL (SELECT x FROM VALUES (1, 10), (1, 20), (2, 5) u(k, x) WHERE k = a ORDER BY x DESC LIMIT 1)
SELECT * FROM VALUES (1), (2) t(a), LATERAL (SELECT a UNION ALL SELECT a + 10) AS s(v)
SELECT * FROM VALUES (1), (3) t(a), LATERAL (SELECT k FROM VALUES (1), (2), (3) u(k) WHERE k < a)
SELECT * FROM VALUES (1, 2) t(a, b), LATERAL (SELECT a, b AS a2)
!SELECT * FROM VALUES (1, 2) t(a, b), LATERAL (VALUES (a), (b)) AS v(x)
SELECT * FROM VALUES (1), (2) t(a), LATERAL (SELECT * FROM VALUES (1), (2) u(b) WHERE b = a) s, LATERAL (SELECT s.b + t.a AS c)
!SELECT * FROM VALUES (1, 2) t(a, b) JOIN LATERAL (SELECT a AS a, 5 AS z) s USING (a)
!SELECT * FROM VALUES (1, 2) t(a, b) NATURAL JOIN LATERAL (SELECT 1 AS a, 5 AS z) s
!SELECT * FROM VALUES (1) t(a) RIGHT JOIN LATERAL (SELECT a * 2 AS b)
!SELECT * FROM VALUES (1) t(a) FULL JOIN LATERAL (SELECT a * 2 AS b)
!SELECT * FROM VALUES (1) t(a) LEFT SEMI JOIN LATERAL (SELECT a * 2 AS b)
!SELECT * FROM VALUES (1) t(a), (SELECT a * 2 AS b)
!SELECT * FROM VALUES (1) t(a), LATERAL (SELECT nosuch AS b)
!SELECT * FROM LATERAL (SELECT a) s, VALUES (1) t(a)
!SELECT * FROM VALUES (1) t(a), LATERAL t
SELECT * FROM LATERAL (SELECT 1 AS a)
SELECT * FROM VALUES (array(1, 2)), (array()) t(a), LATERAL explode(a)
SELECT * FROM VALUES (array(1, 2)), (array()) t(a), LATERAL explode(a) AS e(x)
SELECT * FROM VALUES (array(1, 2)), (array()) t(a) LEFT JOIN LATERAL explode(a) AS e(x)
SELECT t.a, e.x FROM VALUES (1, array(1, 2)) t(a, r) JOIN LATERAL explode(r) AS e(x) ON e.x > 1
SELECT t.a, e.x FROM VALUES (1, array(1, 2)), (2, array(1)) t(a, r) LEFT JOIN LATERAL explode(r) AS e(x) ON e.x > 1
SELECT * FROM VALUES (map('k', 1)) t(m), LATERAL explode(m)
!SELECT * FROM VALUES (2) t(a), LATERAL range(a)
SELECT * FROM VALUES (1) t(a), LATERAL stack(2, a, a + 1) AS s(x)
SELECT * FROM explode(array(1, 2))
SELECT * FROM explode(array(1, 2)) AS t(x)
SELECT * FROM explode(map('a', 1, 'b', 2))
SELECT * FROM posexplode(array('a', 'b')) p
SELECT * FROM inline(array(struct(1, 'a'), struct(2, 'b')))
SELECT * FROM inline(array(named_struct('p', 1, 'q', 'a'))) AS t(x, y)
SELECT * FROM stack(2, 1, 'a', 2, 'b')
SELECT * FROM json_tuple('{"a":1,"b":"x"}', 'a', 'b')
SELECT * FROM explode(collection => array(1, 2))
SELECT * FROM explode_outer(array())
!SELECT * FROM explode(1)
!SELECT * FROM explode(array(1)) AS t(x, y)
!SELECT * FROM nosuchfunction(1)

-- LATERAL VIEW and generators
SELECT * FROM VALUES (1, array(1, 2)), (2, array()) t(a, r) LATERAL VIEW explode(r) e AS x
SELECT * FROM VALUES (1, array(1, 2)), (2, array()) t(a, r) LATERAL VIEW OUTER explode(r) e AS x
SELECT * FROM VALUES (1, array('x', 'y')) t(a, r) LATERAL VIEW posexplode(r) e AS p, v
SELECT * FROM VALUES (1, array('x', 'y')) t(a, r) LATERAL VIEW posexplode(r) e
SELECT * FROM VALUES (1, array()), (2, NULL) t(a, r) LATERAL VIEW OUTER posexplode(r) e AS p, v
SELECT * FROM VALUES (1, map('k', 5)) t(a, m) LATERAL VIEW explode(m) e
SELECT * FROM VALUES (1, map('k', 5)) t(a, m) LATERAL VIEW explode(m) e AS kk, vv
SELECT a, i.p FROM VALUES (1, array(named_struct('p', 1, 'q', 'a'), named_struct('p', 2, 'q', 'b'))) t(a, s) LATERAL VIEW inline(s) i
SELECT a, x, y FROM VALUES (1) t(a) LATERAL VIEW stack(2, a, 'x', a + 1, 'y') s AS x, y
SELECT a, c0, c1 FROM VALUES ('{"k":1,"l":"z"}') t(a) LATERAL VIEW json_tuple(a, 'k', 'l') j
SELECT a, k, l FROM VALUES ('{"k":1,"l":"z"}') t(a) LATERAL VIEW json_tuple(a, 'k', 'l') j AS k, l
SELECT t.a, x, y FROM VALUES (1, array(array(1, 2), array(3))) t(a, r) LATERAL VIEW explode(r) e AS x LATERAL VIEW explode(x) f AS y
SELECT e.* FROM VALUES (1, array(1, 2)) t(a, r) LATERAL VIEW explode(r) e AS x
SELECT count(*), sum(x) FROM VALUES (1, array(1, 2)) t(a, r) LATERAL VIEW explode(r) e AS x
SELECT a, sum(x) s FROM VALUES (1, array(1, 2)), (2, array(3)) t(a, r) LATERAL VIEW explode(r) e AS x WHERE x > 1 GROUP BY a
SELECT explode(array(1, 2))
SELECT explode(array(1, 2)) AS x
SELECT 7 AS k, explode(array(1, 2)) AS x, 8 AS l
SELECT explode(map('a', 1)) AS (k, v)
SELECT explode(map('a', 1))
SELECT posexplode(array('a', 'b')) AS (p, v)
SELECT posexplode(array('a', 'b'))
SELECT explode_outer(array())
SELECT posexplode_outer(CAST(NULL AS ARRAY<INT>))
SELECT inline(array(struct(1, 'a'), struct(2, 'b')))
SELECT inline(array(named_struct('p', 1, 'q', 'a'))) AS (x, y)
SELECT inline_outer(CAST(NULL AS ARRAY<STRUCT<a: INT, b: STRING>>))
SELECT stack(2, 1, 2, 3)
SELECT stack(2, 1, 'a', 2, 'b') AS (n, s)
SELECT json_tuple('{"a":1}', 'a', 'b')
SELECT a, explode(r) FROM VALUES (1, array(1, 2)), (2, NULL) t(a, r)
!SELECT a, explode(r) + 1 FROM VALUES (1, array(1, 2)) t(a, r)
SELECT explode(collect_list(a)) FROM VALUES (1), (2) t(a)
SELECT a, explode(collect_list(b)) FROM VALUES (1, 5), (1, 6), (2, 7) t(a, b) GROUP BY a
SELECT explode(array(1)), explode(array(2))
!SELECT explode(1)
!SELECT explode(explode(array(array(1))))
!SELECT 1 FROM VALUES (array(1)) t(r) WHERE explode(r) = 1
!SELECT explode(r) AS (a, b) FROM VALUES (array(1)) t(r)
!SELECT * FROM VALUES (1, array(1)) t(a, r) LATERAL VIEW explode(r) e AS x, y
!SELECT * FROM VALUES (1, array(1)) t(a, r) LATERAL VIEW upper(r) e AS x
!SELECT stack(0, 1)
!SELECT a FROM VALUES (array(1)) t(a) ORDER BY explode(a)

-- PIVOT
SELECT * FROM VALUES (1, 'x', 5), (1, 'y', 6), (2, 'x', 7) t(a, b, c) PIVOT (sum(c) FOR b IN ('x', 'y'))
SELECT * FROM VALUES (1, 'x', 5), (1, 'y', 6), (2, 'x', 7) t(a, b, c) PIVOT (sum(c) AS s FOR b IN ('x', 'y'))
SELECT * FROM VALUES (1, 'x', 5), (1, 'y', 6), (2, 'x', 7) t(a, b, c) PIVOT (sum(c), max(c) FOR b IN ('x', 'y'))
SELECT * FROM VALUES (1, 'x', 5), (1, 'y', 6), (2, 'x', 7) t(a, b, c) PIVOT (sum(c) AS s, max(c) AS m FOR b IN ('x' AS ex, 'y' why))
SELECT * FROM VALUES (1, 'x', 5), (1, 'y', 6), (2, 'x', 7) t(a, b, c) PIVOT (count(*) FOR b IN ('x', 'y'))
SELECT * FROM VALUES (1, 'x', 5), (1, 'y', 6), (2, 'x', 7) t(a, b, c) PIVOT (count(c) AS n, collect_list(c) AS l FOR b IN ('x', 'y'))
SELECT * FROM VALUES (1, 'x', 5), (2, 'x', 7) t(a, b, c) PIVOT (count(c) AS n, max(b) AS l FOR b IN ('x', 'y'))
SELECT * FROM VALUES (1, 'x', 5), (1, 'y', 6), (2, 'x', 7) t(a, b, c) PIVOT (collect_list(c) FOR b IN ('x', 'y'))
SELECT * FROM VALUES (1, 'x', 5), (1, 'y', 6), (2, 'x', 7) t(a, b, c) PIVOT (sum(c) + 1 FOR b IN ('x', 'y'))
SELECT * FROM VALUES (1, 'x', 5), (1, 'y', 6), (2, 'x', 7) t(a, b, c) PIVOT (first(c) FOR (a, b) IN ((1, 'x'), (2, 'x') AS two))
SELECT * FROM (SELECT b, c FROM VALUES (1, 'x', 5), (1, 'y', 6) t(a, b, c)) PIVOT (sum(c) FOR b IN ('x', 'z'))
SELECT * FROM (SELECT 'x' b, 1 c WHERE false) PIVOT (sum(c) FOR b IN ('x'))
SELECT * FROM VALUES (1, 5), (2, 6), (NULL, 7) t(a, c) PIVOT (sum(c) FOR a IN (1, NULL, 3))
SELECT * FROM VALUES (1, 5), (2, 6) t(a, c) PIVOT (sum(c) FOR a IN (1, '2', 3L))
SELECT * FROM VALUES (date'2026-01-01', 5) t(a, c) PIVOT (sum(c) FOR a IN (date'2026-01-01', '2026-01-02'))
SELECT * FROM VALUES (1.5, 5) t(a, c) PIVOT (sum(c) FOR a IN (1.5, 1 + 1))
SELECT * FROM VALUES ('ab', 5) t(a, c) PIVOT (sum(c) FOR a IN (upper('ab'), concat('a', 'b'), CAST(12 AS STRING)))
SELECT * FROM VALUES (2, 5) t(a, c) PIVOT (sum(c) AS s, max(c) FOR a IN (1 + 1, -(3), 2 * 4 - 1))
SELECT * FROM VALUES (true, 5) t(a, c) PIVOT (sum(c) FOR a IN (true, false))
SELECT * FROM VALUES (1, 'x', 5) t(a, b, c) PIVOT (sum(c) FOR b IN ('x')) WHERE a = 1 ORDER BY x
SELECT x FROM VALUES (1, 'x', 5) t(a, b, c) PIVOT (sum(c) FOR b IN ('x')) GROUP BY x
SELECT * FROM VALUES (1, 'x', 5) t(a, b, c) PIVOT (sum(c) FOR b IN ('x')) JOIN VALUES (1, 'z') u(a, d) USING (a)
SELECT * FROM VALUES (1, 'x', 5) t(a, b, c) JOIN VALUES (1, 'z') u(a2, d) ON a = a2 PIVOT (sum(c) FOR b IN ('x'))
SELECT t.a FROM VALUES (1, 'x', 5) t(a, b, c) PIVOT (sum(c) FOR b IN ('x'))
SELECT * FROM VALUES ('a', 'x', 'v') t(a, b, c) PIVOT (max(c) FOR b IN ('x', 'y'))
!SELECT * FROM VALUES (1, 'x', 5) t(a, b, c) PIVOT (sum(c * 2) AS s, count(*) FOR upper(b) IN ('X'))
SELECT * FROM VALUES (1, 'x', 5), (1, 'X', 6) t(a, b, c) PIVOT (sum(c) FOR b IN ('x', 'X'))
SELECT * FROM VALUES (1, 'x', 5), (1, 'x', NULL) t(a, b, c) PIVOT (sum(c) FILTER (WHERE c > 1) FOR b IN ('x', 'y'))
SELECT * FROM VALUES (1, 'x', 5), (1, 'x', 6) t(a, b, c) PIVOT (count(DISTINCT c) FOR b IN ('x', 'y'))
SELECT * FROM VALUES (1, 'x', 5) t(a, b, c) PIVOT (sum(c) FOR b IN ('x')) AS p
!SELECT * FROM VALUES (1, 'x', 5) t(a, b, c) PIVOT (c FOR b IN ('x'))
!SELECT * FROM VALUES (1, 'x', 5) t(a, b, c) PIVOT (sum(c) FOR b IN (a))
!SELECT * FROM VALUES (1, 'x', 5) t(a, b, c) PIVOT (sum(c) FOR nosuch IN ('x'))
!SELECT * FROM VALUES (1, 'x', 5) t(a, b, c) PIVOT (sum(c) FOR a IN (array(1)))
!SELECT * FROM VALUES (map(1, 2), 5) t(a, c) PIVOT (sum(c) FOR a IN (map(1, 2)))
!SELECT * FROM VALUES (1, 'x', 5) t(a, b, c) PIVOT (sum(c) FOR b IN ())
!SELECT * FROM VALUES (1, 'x', 5) t(a, b, c) PIVOT (sum(sum(c)) FOR b IN ('x'))
!SELECT * FROM VALUES (1, 'x', 5) t(a, b, c) PIVOT (sum(c) FOR a IN ('q'))

-- UNPIVOT
SELECT * FROM VALUES (1, 5, 6) t(a, x, y) UNPIVOT (v FOR n IN (x, y))
SELECT * FROM VALUES (1, 5, NULL) t(a, x, y) UNPIVOT (v FOR n IN (x, y))
SELECT * FROM VALUES (1, 5, NULL) t(a, x, y) UNPIVOT INCLUDE NULLS (v FOR n IN (x, y))
SELECT * FROM VALUES (1, 5, NULL) t(a, x, y) UNPIVOT EXCLUDE NULLS (v FOR n IN (x, y))
SELECT * FROM VALUES (1, 5, 6) t(a, x, y) UNPIVOT (v FOR n IN (x AS ex, y why))
SELECT * FROM VALUES (1, 5, 6) t(a, x, y) UNPIVOT (v FOR n IN (x, y)) AS u
SELECT u.n, u.v FROM VALUES (1, 5, 6) t(a, x, y) UNPIVOT (v FOR n IN (x, y)) u
SELECT * FROM VALUES (1, 1, 2, 3, 4) t(a, x1, y1, x2, y2) UNPIVOT ((x, y) FOR n IN ((x1, y1), (x2, y2)))
SELECT * FROM VALUES (1, 1, 2, 3, 4) t(a, x1, y1, x2, y2) UNPIVOT ((x, y) FOR n IN ((x1, y1) AS one, (x2, y2) AS two))
SELECT * FROM VALUES (1, 1, NULL, NULL, NULL) t(a, x1, y1, x2, y2) UNPIVOT ((x, y) FOR n IN ((x1, y1) AS one, (x2, y2) AS two))
SELECT * FROM VALUES (1, 1, NULL, NULL, NULL) t(a, x1, y1, x2, y2) UNPIVOT INCLUDE NULLS ((x, y) FOR n IN ((x1, y1) AS one, (x2, y2) AS two))
SELECT * FROM VALUES (1, 5, 6L) t(a, x, y) UNPIVOT (v FOR n IN (x, y))
SELECT * FROM VALUES (1, 5, 6.5) t(a, x, y) UNPIVOT (v FOR n IN (x, y))
SELECT * FROM VALUES (1, 5, 6) t(a, x, y) UNPIVOT (v FOR n IN (a, x, y))
SELECT n, sum(v) FROM VALUES (1, 5, 6), (2, 7, 8) t(a, x, y) UNPIVOT (v FOR n IN (x, y)) GROUP BY n
SELECT * FROM VALUES (1, 5, 6) t(a, x, y) UNPIVOT (v FOR n IN (t.x, t.y))
SELECT * FROM VALUES (1, 5, 6) t(a, x, y) JOIN VALUES (1, 9) u(b, z) ON a = b UNPIVOT (v FOR n IN (x, y, z))
SELECT * FROM VALUES (1, 5, 6) t(a, x, y) UNPIVOT (v FOR n IN (x, y)) JOIN VALUES (1, 9) u(a, z) USING (a)
SELECT a FROM VALUES (1, 5, 6) t(a, x, y) UNPIVOT (v FOR n IN (x, y)) WHERE v > 5
SELECT t.a FROM VALUES (1, 5, 6) t(a, x, y) UNPIVOT (v FOR n IN (x, y))
!SELECT * FROM VALUES (named_struct('p', 1, 'q', 2)) t(s) UNPIVOT (v FOR n IN (s.p, s.q))
!SELECT * FROM VALUES (1, 5, 'z') t(a, x, y) UNPIVOT (v FOR n IN (x, y))
!SELECT * FROM VALUES (1, 5, array(1)) t(a, x, y) UNPIVOT (v FOR n IN (x, y))
!SELECT * FROM VALUES (1, 5, 6) t(a, x, y) UNPIVOT (v FOR n IN (x, nosuch))
!SELECT * FROM VALUES (1, 5, 6) t(a, x, y) UNPIVOT ((v, w) FOR n IN (x, y))
!SELECT * FROM VALUES (1, 5, 6) t(a, x, y) UNPIVOT (v FOR n IN ())
!SELECT * FROM VALUES (1, 5, 6) t(a, x, y) UNPIVOT (v FOR n IN (x + 1))

-- TABLESAMPLE
!SELECT count(*) FROM range(100) TABLESAMPLE (100 PERCENT)
SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (100 PERCENT)
SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (0 PERCENT)
SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (100.0 PERCENT) AS s
SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (7 ROWS)
SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (0 ROWS)
SELECT count(s.id) FROM (SELECT * FROM range(100)) TABLESAMPLE (3 + 4 ROWS) s
!SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (4 OUT OF 4)
SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (BUCKET 4 OUT OF 4)
SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (100 PERCENT) REPEATABLE (42)
SELECT * FROM (SELECT * FROM range(0, 30, 1, 1)) TABLESAMPLE (30 PERCENT) REPEATABLE (42)
SELECT * FROM (SELECT * FROM range(0, 30, 1, 1)) TABLESAMPLE (50 PERCENT) REPEATABLE (7)
SELECT * FROM (SELECT * FROM range(0, 30, 1, 1)) TABLESAMPLE (BUCKET 1 OUT OF 4) REPEATABLE (7)
SELECT count(*) FROM (range(0, 30, 1, 1)) TABLESAMPLE (BUCKET 1 OUT OF 4) REPEATABLE (7)
SELECT count(*) <= 100 FROM (SELECT * FROM range(100)) TABLESAMPLE (50 PERCENT)
WITH t AS (SELECT * FROM range(100)) SELECT count(*) FROM t TABLESAMPLE (100 PERCENT) AS u
WITH t AS (SELECT * FROM range(100)) SELECT count(t.id) FROM t TABLESAMPLE (5 ROWS)
!SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (150 PERCENT)
!SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (-1 PERCENT)
!SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (-1 ROWS)
!SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE ()
!SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (100M)
!SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (BUCKET 1 OUT OF 4 ON id)
!SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (BUCKET 1 OUT OF 4 ON rand())
!SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (BUCKET 5 OUT OF 4)
!SELECT * FROM VALUES (1), (2), (3) t(a) TABLESAMPLE (100 PERCENT)
!SELECT count(*) FROM (SELECT * FROM range(100)) s TABLESAMPLE (100 PERCENT)

-- pipes
FROM VALUES (1), (2) t(a) |> WHERE a > 1 |> EXTEND a * 2 AS b
VALUES (1), (2) |> WHERE col1 > 1
SELECT 1 AS a |> SELECT a + 1 AS b
(SELECT 1 AS a) |> SELECT a + 1 AS b
FROM VALUES (1), (2) t(a) |> SELECT a, a + 1
FROM VALUES (1), (2) t(a) |> SELECT *
FROM VALUES (1), (2) t(a) |> SELECT t.a
FROM VALUES (1), (2) t(a) |> SELECT DISTINCT a % 1 AS z
FROM VALUES (1), (2) t(a) |> WHERE t.a > 1
FROM VALUES (1), (2) t(a) |> WHERE a > 0 |> SELECT a
FROM VALUES (1), (2) t(a) |> WHERE a > 0 |> WHERE t.a > 1
FROM VALUES (1), (2) t(a) |> WHERE a > 0 |> SELECT t.a
FROM VALUES (1), (2) t(a) |> EXTEND a + 1 AS b |> SELECT t.a, b
FROM VALUES (1), (2) t(a) |> EXTEND a + 1 AS b, b + 1 AS c
FROM VALUES (1), (2) t(a) |> EXTEND a + 1
FROM VALUES (1), (2) t(a) |> EXTEND row_number() OVER (ORDER BY a DESC) AS rn
FROM VALUES (array(1, 2)) t(a) |> EXTEND explode(a) AS x
FROM VALUES (1), (2) t(a) |> EXTEND 5 AS a
FROM VALUES (1, 5), (2, 6) t(a, b) |> SET a = a * 10
FROM VALUES (1, 5), (2, 6) t(a, b) |> SET a = a * 10, b = a + b
FROM VALUES (1, 5), (2, 6) t(a, b) |> SET a = 'x' |> SELECT t.b, a
!FROM VALUES (1, 5) t(a, b) |> SET c = 1
!FROM VALUES (1, 5) t(a, b) |> SET t.a = 1
FROM VALUES (1, 5), (2, 6) t(a, b) |> DROP b
FROM VALUES (1, 5, 9) t(a, b, c) |> DROP b, c
!FROM VALUES (1, 5) t(a, b) |> DROP c
FROM VALUES (1, 5) t(a, b) |> DROP t.b
FROM VALUES (1, 5) t(a, b) |> DROP a, b
FROM VALUES (1), (2) t(a) |> AS u |> WHERE u.a = 2
!FROM VALUES (1), (2) t(a) |> AS u |> WHERE t.a = 2
^FROM VALUES (1), (3), (2) t(a) |> ORDER BY a DESC
^FROM VALUES (1), (3), (2) t(a) |> ORDER BY a DESC |> LIMIT 2
!FROM VALUES (1), (3), (2) t(a) |> ORDER BY a LIMIT 1 OFFSET 1
^FROM VALUES (1), (3), (2) t(a) |> ORDER BY a |> LIMIT 2 OFFSET 1
FROM VALUES (1), (3), (2) t(a) |> SORT BY a
FROM VALUES (1, 5), (1, 6), (2, 7) t(a, b) |> AGGREGATE sum(b) AS s, count(*) AS n GROUP BY a
FROM VALUES (1, 5), (1, 6), (2, 7) t(a, b) |> AGGREGATE sum(b) AS s
FROM VALUES (1, 5), (1, 6), (2, 7) t(a, b) |> AGGREGATE sum(b)
FROM VALUES (1, 5), (1, 6), (2, 7) t(a, b) |> AGGREGATE GROUP BY a
FROM VALUES (1, 5), (1, 6), (2, 7) t(a, b) |> AGGREGATE sum(b) GROUP BY a + 1 AS k
FROM VALUES (1, 5), (1, 6), (2, 7) t(a, b) |> AGGREGATE sum(b) AS s GROUP BY a % 2 AS odd, 'c' AS k
FROM VALUES (1, 5), (1, 6), (2, 7) t(a, b) |> AGGREGATE sum(b) AS s GROUP BY 1
FROM VALUES (1, 5), (1, 6), (2, 7) t(a, b) |> AGGREGATE sum(b) + 1 AS s GROUP BY t.a |> WHERE s > 8
FROM VALUES (1, 5), (1, 6), (2, 7) t(a, b) |> AGGREGATE sum(b) AS s GROUP BY a |> SELECT t.a, s
!FROM VALUES (1, 5) t(a, b) |> AGGREGATE a GROUP BY a
!FROM VALUES (1, 5) t(a, b) |> AGGREGATE a
!FROM VALUES (1, 5) t(a, b) |> AGGREGATE sum(a) OVER ()
!FROM VALUES (1, 5) t(a, b) |> AGGREGATE
!FROM VALUES (1, 5) t(a, b) |> AGGREGATE sum(b) GROUP BY ALL
!FROM VALUES (1, 5), (1, 6), (2, 7) t(a, b) |> AGGREGATE sum(b) AS s GROUP BY ROLLUP (a)
!FROM VALUES (1, 5), (1, 6), (2, 7) t(a, b) |> AGGREGATE sum(b) AS s GROUP BY GROUPING SETS ((a), ())
!FROM VALUES (1, 5), (1, 6), (2, 7) t(a, b) |> AGGREGATE sum(b) AS s GROUP BY a WITH ROLLUP
!FROM VALUES (1, 5), (1, 6), (2, 7) t(a, b) |> AGGREGATE sum(b) AS s GROUP BY CUBE (a, b)
FROM VALUES (1, 5) t(a, b) |> SELECT sum(b)
!FROM VALUES (1, 5) t(a, b) |> EXTEND sum(b) AS s
FROM VALUES (1, 5) t(a, b) |> SELECT a, sum(b) GROUP BY a
FROM VALUES (1, 5), (2, 6) t(a, b) |> SELECT a, sum(b) OVER (ORDER BY a) AS s
FROM VALUES (1, 5), (2, 6) t(a, b) |> SELECT a, sum(b) OVER w AS s WINDOW w AS (ORDER BY a)
FROM VALUES (1), (2) t(a) |> JOIN VALUES (2, 'x') u(b, c) ON a = b
FROM VALUES (1), (2) t(a) |> JOIN VALUES (2, 'x') u(b, c) ON t.a = u.b |> SELECT u.c, t.a
FROM VALUES (1), (2) t(a) |> LEFT JOIN VALUES (2, 'x') u(a, c) USING (a)
FROM VALUES (1), (2) t(a) |> CROSS JOIN VALUES ('x') u(c)
FROM VALUES (1), (2) t(a) |> NATURAL JOIN VALUES (2, 'x') u(a, c)
FROM VALUES (1), (2) t(a) |> LEFT SEMI JOIN VALUES (2, 'x') u(b, c) ON a = b
FROM VALUES (1), (2) t(a) |> EXTEND a + 1 AS b |> JOIN VALUES (2, 'x') u(k, c) ON t.a = u.k
FROM VALUES (1), (2) t(a) |> WHERE a > 0 |> JOIN VALUES (2, 'x') u(k, c) ON t.a = u.k
FROM VALUES (1), (2) t(a) |> SELECT a |> AS s |> JOIN VALUES (2, 'x') u(k, c) ON s.a = u.k
FROM VALUES (1), (2) t(a) |> JOIN LATERAL (SELECT a * 2 AS b)
FROM VALUES (1), (2) t(a) |> UNION ALL VALUES (3)
FROM VALUES (1), (2) t(a) |> UNION VALUES (2)
FROM VALUES (1), (2) t(a) |> EXCEPT VALUES (2)
FROM VALUES (1), (2) t(a) |> INTERSECT VALUES (2)
FROM VALUES (1), (2) t(a) |> MINUS ALL VALUES (2)
FROM VALUES (1), (2) t(a) |> UNION ALL (SELECT 3 |> SELECT 4) |> WHERE a > 1
FROM VALUES (1), (2) t(a) |> UNION ALL SELECT 3 |> WHERE a > 1
FROM VALUES (1, 'x', 5), (1, 'y', 6) t(a, b, c) |> PIVOT (sum(c) FOR b IN ('x', 'y'))
FROM VALUES (1, 5, 6) t(a, x, y) |> UNPIVOT (v FOR n IN (x, y))
FROM VALUES (1, 5, 6) t(a, x, y) |> UNPIVOT (v FOR n IN (x, y)) u |> SELECT u.v
FROM VALUES (1), (2) t(a) |> TABLESAMPLE (100 PERCENT)
FROM VALUES (1), (2) t(a) |> TABLESAMPLE (1 ROWS) |> AGGREGATE count(*) AS n
SELECT * FROM (FROM VALUES (1), (2) t(a) |> WHERE a > 1) s
SELECT * FROM VALUES (1), (2) t(a) WHERE a IN (VALUES (1) |> SELECT col1)
WITH c AS (VALUES (1), (2) |> WHERE col1 > 1) FROM c |> EXTEND 1 AS z
WITH c(x) AS (VALUES (1), (2)) TABLE c |> WHERE x = 1
WITH c(x) AS (VALUES (1), (2)) TABLE c |> SELECT c.x |> UNION ALL TABLE c
!SELECT * FROM VALUES (1), (2) t(a) ORDER BY a DESC LIMIT 1 |> SELECT a
SELECT 1 AS a UNION ALL SELECT 2 |> WHERE a > 1
FROM VALUES (1) t(a) |> SELECT (SELECT max(b) FROM VALUES (1, 5) u(k, b) WHERE k = a) AS m
FROM VALUES (1), (2) t(a) |> WHERE EXISTS (FROM VALUES (2) u(b) |> WHERE b = a)
FROM VALUES (1) t(a), VALUES (2) u(b) |> WHERE t.a < u.b
FROM VALUES (1, 2) t(a, a) |> SELECT 1 AS x
!FROM VALUES (1, 2) t(a, a) |> SET a = 3
!FROM VALUES (1) t(a) |> NOSUCH 1
!FROM VALUES (1) t(a) |> WHERE sum(a) > 1
!FROM VALUES (1) t(a) |> WHERE nosuch > 1
!FROM VALUES (1) t(a) |> GROUP BY a
!FROM VALUES (1) t(a) |> HAVING a > 1
FROM VALUES (1) t(a) |>
!FROM VALUES (1) t(a) |> LIMIT a
!FROM VALUES (1) t(a) |> UNION ALL VALUES (1, 2)
!FROM VALUES (1) t(a) |> SELECT a AS b WHERE b > 1

-- recursive CTE
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r
WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT sum(n) FROM r
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 100) SELECT max(n) FROM r
!WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 101) SELECT max(n) FROM r
!WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 102) SELECT max(n) FROM r
!WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 1000) SELECT max(n) FROM r
!WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r LIMIT 5
WITH RECURSIVE r(n) MAX RECURSION LEVEL 200 AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 150) SELECT max(n) FROM r
!WITH RECURSIVE r(n) MAX RECURSION LEVEL 5 AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT max(n) FROM r
!WITH RECURSIVE r(n) MAX RECURSION LEVEL 9 AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT max(n) FROM r
WITH RECURSIVE r(n) MAX RECURSION LEVEL 10 AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT max(n) FROM r
!WITH RECURSIVE r(n) MAX RECURSION LEVEL 0 AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT max(n) FROM r
WITH RECURSIVE r(n, f) AS (SELECT 1, 1L UNION ALL SELECT n + 1, f * (n + 1) FROM r WHERE n < 10) SELECT * FROM r
WITH RECURSIVE r(n, s) AS (SELECT 1, 'a' UNION ALL SELECT n + 1, s || 'b' FROM r WHERE n < 3) SELECT * FROM r
WITH RECURSIVE e(a, b) AS (VALUES (1, 2), (2, 3), (3, 4)), r(x) AS (SELECT 1 UNION ALL SELECT b FROM r JOIN e ON r.x = e.a) SELECT * FROM r
WITH RECURSIVE e(a, b) AS (VALUES (1, 2), (2, 3), (3, 4)), r(x, d) AS (SELECT 1, 0 UNION ALL SELECT b, d + 1 FROM e, r WHERE r.x = e.a) SELECT * FROM r ORDER BY d DESC
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT m FROM (SELECT n + 1 AS m FROM r WHERE n < 4) q) SELECT * FROM r
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL (SELECT n + 1 FROM r WHERE n < 3)) SELECT * FROM r a JOIN r b ON a.n = b.n + 1
!WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1L FROM r WHERE n < 3) SELECT * FROM r
!WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 0.5 FROM r WHERE n < 3) SELECT * FROM r
!WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT 'x' FROM r WHERE n < 3) SELECT * FROM r
WITH RECURSIVE r(n) AS (SELECT CAST(1 AS DOUBLE) UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r
!WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r
!WITH RECURSIVE r(n) AS (SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r
!WITH RECURSIVE r(n) AS (SELECT n + 1 FROM r UNION ALL SELECT 1) SELECT * FROM r
!WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT max(n) + 1 FROM r WHERE n < 3) SELECT * FROM r
!WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r GROUP BY n) SELECT * FROM r
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT DISTINCT n + 1 FROM r WHERE n < 3) SELECT * FROM r
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3 AND n IN (SELECT n FROM r)) SELECT * FROM r
!WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT (SELECT max(n) FROM r) + 1) SELECT * FROM r
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT a.n + 1 FROM r a JOIN r b ON a.n = b.n WHERE a.n < 3) SELECT * FROM r
!WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT a FROM VALUES (1) t(a) LEFT JOIN r ON a = n) SELECT * FROM r
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r INTERSECT SELECT 2) SELECT * FROM r
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LEFT JOIN VALUES (1) t(a) ON a = n WHERE n < 3) SELECT * FROM r
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT n + 2 FROM r WHERE n < 4) SELECT * FROM r
!WITH r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r
WITH RECURSIVE r(n) AS (SELECT 1) SELECT * FROM r
WITH RECURSIVE a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM b
SELECT * FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r) q WHERE n > 1
!WITH RECURSIVE r(n, w) AS (SELECT 1, 0L UNION ALL SELECT n + 1, row_number() OVER (ORDER BY n) FROM r WHERE n < 3) SELECT * FROM r
WITH t(a, b) AS (SELECT 1, 2) SELECT * FROM t
!WITH t(a, b) AS (SELECT 1) SELECT * FROM t
!WITH t AS (SELECT 1), t AS (SELECT 2) SELECT * FROM t
WITH t AS (SELECT 1 AS a), u AS (WITH t AS (SELECT 2 AS a) SELECT * FROM t) SELECT * FROM t, u
WITH t AS (SELECT 1 AS a) SELECT * FROM (SELECT * FROM t) x, t y
SELECT (WITH t AS (SELECT 5 AS a) SELECT a FROM t) AS s
!WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3 LIMIT 10) SELECT * FROM r

-- names, stars, VALUES
SELECT * EXCEPT (b) FROM VALUES (1, 2, 3) t(a, b, c)
SELECT * EXCEPT (b, a) FROM VALUES (1, 2, 3) t(a, b, c)
SELECT t.* EXCEPT (b), 9 FROM VALUES (1, 2, 3) t(a, b, c)
SELECT * EXCEPT (t.b) FROM VALUES (1, 2, 3) t(a, b, c)
SELECT * EXCEPT (s.p) FROM VALUES (named_struct('p', 1, 'q', 2)) t(s)
!SELECT * EXCEPT (z) FROM VALUES (1, 2, 3) t(a, b, c)
!SELECT * EXCEPT (b, b) FROM VALUES (1, 2, 3) t(a, b, c)
SELECT s.* FROM VALUES (named_struct('p', 1, 'q', 2)) t(s)
SELECT t.s.* FROM VALUES (named_struct('p', 1, 'q', 2)) t(s)
SELECT inline(array(s)) FROM VALUES (named_struct('p', 1, 'q', 2)) t(s)
SELECT struct(*) FROM VALUES (1, 2) t(a, b)
SELECT array(*) FROM VALUES (1, 2) t(a, b)
SELECT coalesce(*) FROM VALUES (1, 2) t(a, b)
!SELECT count(t.*) FROM VALUES (1, 2), (NULL, 1) t(a, b)
SELECT greatest(t.*) FROM VALUES (1, 2), (7, 1) t(a, b)
SELECT * FROM VALUES (1, 2) t(a, b) WHERE 2 IN (*)
SELECT * FROM VALUES (1, 2), (3, 4) t(a, b) JOIN VALUES (2), (5) u(c) WHERE c NOT IN (t.*)
SELECT * FROM VALUES (1, 2), (3, 4) t(a, b) WHERE 4 IN (0, t.*, 9)
SELECT col1, col2 FROM VALUES (1, 'x'), (2, 'y')
SELECT * FROM VALUES 1, 2
SELECT * FROM VALUES (1), (2.5), (3e0) t(a)
SELECT * FROM VALUES (1, NULL), (NULL, 'x') t(a, b)
!SELECT * FROM VALUES (struct(1, 2)), (named_struct('col1', 3, 'col2', 4)) t(s)
SELECT * FROM VALUES (struct(1, 2)), struct(3 AS x, 4 AS y), (5, 6) t(a, b)
SELECT * FROM VALUES (named_struct('x', 1)), (named_struct('x', 2)) t(s)
!SELECT * FROM VALUES (uuid()) t(a)
SELECT a IS NOT NULL FROM VALUES (current_timestamp()) t(a)
!SELECT * FROM VALUES (1) t(a) WHERE EXISTS (SELECT * FROM VALUES (a + 1) u(b))
SELECT * FROM VALUES (array(1)), (array(2L)) t(a)
!SELECT * FROM VALUES (1, 2), (3) t(a, b)
!SELECT * FROM VALUES (1), (array(1)) t(a)
!SELECT * FROM VALUES (1, 2) t(a)
!SELECT * FROM VALUES (sum(1)) t(a)
!SELECT * FROM VALUES (a) t(a)
!SELECT * FROM VALUES (rand() < 2) t(a)
SELECT IDENTIFIER('a') FROM VALUES (1) t(a)
SELECT IDENTIFIER('t.a') FROM VALUES (1) t(a)
SELECT IDENTIFIER('a') AS x, IDENTIFIER('abs')(-1) FROM VALUES (1) t(a)
!SELECT IDENTIFIER('t') . a FROM VALUES (1) t(a)
WITH t AS (SELECT 1 AS a) SELECT * FROM IDENTIFIER('t')
WITH t AS (SELECT 1 AS a) SELECT * FROM IDENTIFIER('t') AS u WHERE IDENTIFIER('u.a') = 1
WITH t AS (SELECT 1 AS a) SELECT * FROM IDENTIFIER('ran' || 'ge')(2)
SELECT IDENTIFIER('a' || 'b') FROM VALUES (1) t(ab)
SELECT IDENTIFIER(lower('A')) FROM VALUES (1) t(a)
SELECT IDENTIFIER(concat('t.', 'a')), IDENTIFIER(upper('abs'))(-1) FROM VALUES (1) t(a)
SELECT a FROM IDENTIFIER(CAST('range' AS STRING))(1) t(a)
!SELECT IDENTIFIER(lower(a)) FROM VALUES ('a') t(a)
!SELECT IDENTIFIER(lower('A B')) FROM VALUES (1) t(a)
SELECT IDENTIFIER('`x y`') FROM VALUES (1) t(`x y`)
SELECT * FROM VALUES (1) t(a) ORDER BY IDENTIFIER('a')
SELECT max(a) FROM VALUES (1) t(a) GROUP BY IDENTIFIER('a')
!SELECT IDENTIFIER(a) FROM VALUES ('b') t(a)
!SELECT IDENTIFIER(NULL) FROM VALUES ('b') t(a)
!SELECT IDENTIFIER('a b') FROM VALUES ('b') t(a)
!SELECT IDENTIFIER(1) FROM VALUES ('b') t(a)
!SELECT IDENTIFIER('nosuch') FROM VALUES ('b') t(a)
SELECT /*+ BROADCAST(t) */ * FROM VALUES (1) t(a)
SELECT /*+ NOSUCH(t), COALESCE(1) */ a FROM VALUES (1) t(a)
SELECT /*+ REPARTITION(3, a) */ /*+ MERGE(t) */ a FROM VALUES (1) t(a)
!SELECT /*+ BROADCAST( */ a FROM VALUES (1) t(a)
WITH t AS (SELECT 1 AS a) TABLE t
WITH t AS (SELECT 1 AS a) TABLE t UNION ALL TABLE t
WITH t AS (SELECT 1 AS a) SELECT * FROM (TABLE t)
SELECT * FROM range(3)
SELECT * FROM range(1, 4)
SELECT * FROM range(1, 10, 3)
SELECT * FROM range(5, 1, -2)
SELECT * FROM range(0, 4, 1, 2) AS r(x)
!SELECT range.id FROM range(2)
SELECT r.id FROM range(1 + 1) r
!SELECT * FROM range('x')
!SELECT * FROM range(1, 2, 0)
!SELECT * FROM range()
!SELECT * FROM range(1, 2, 3, 4, 5)
!SELECT * FROM range(NULL)
SELECT a AS b, b + 1 AS c, c * 2 AS d FROM VALUES (1) t(a)
SELECT a AS b, b + 1 AS a2 FROM VALUES (1, 10) t(a, b)
SELECT sum(a) AS s, s + 1 AS s1 FROM VALUES (1), (2) t(a)
SELECT a + 1 AS k, sum(a) AS s, k + s FROM VALUES (1), (2) t(a) GROUP BY a
SELECT row_number() OVER (ORDER BY a) AS rn, rn + 1 AS rn1 FROM VALUES (5), (6) t(a)
SELECT a AS x, (SELECT max(b) FROM VALUES (1) u(b)) + x AS y FROM VALUES (1) t(a)
SELECT named_struct('p', a) AS s, s.p + 1 AS q FROM VALUES (1) t(a)
!SELECT 1 AS x, 2 AS x, x + 1 AS y
!SELECT x + 1 AS y, 1 AS x
!SELECT 1 AS x, sum(x) OVER () AS y, y AS z, nosuch
!SELECT a AS x FROM VALUES (1) t(a) WHERE x = 1
SELECT a AS x, count(*) FROM VALUES (1) t(a) GROUP BY x
!SELECT a AS x FROM VALUES (1), (2) t(a) HAVING x > 1
SELECT a x, sum(a) FROM VALUES (1), (2) t(a) GROUP BY a HAVING x > 1 AND sum(a) > 1
^SELECT a AS x FROM VALUES (1), (2) t(a) ORDER BY x DESC
^SELECT a AS x FROM VALUES (1), (2) t(a) ORDER BY a DESC
^SELECT sum(b) FROM VALUES (1, 2), (2, 9) t(a, b) GROUP BY a ORDER BY a DESC
^SELECT a FROM VALUES (1, 2), (2, 1) t(a, b) ORDER BY b
!SELECT DISTINCT a FROM VALUES (1, 2), (2, 1) t(a, b) ORDER BY b
^SELECT a % 2 AS a FROM VALUES (1), (2), (4) t(a) ORDER BY a
!SELECT a FROM VALUES (1) t(a) ORDER BY 2
!SELECT a FROM VALUES (1) t(a) ORDER BY nosuch
^SELECT a, b FROM VALUES (2, 1), (1, 2), (1, 1) t(a, b) ORDER BY ALL
^SELECT a, b FROM VALUES (2, 1), (1, 2), (1, 1) t(a, b) ORDER BY ALL DESC
^SELECT a, b FROM VALUES (2, 1), (NULL, 2), (1, 1) t(a, b) ORDER BY ALL NULLS LAST
^SELECT a FROM VALUES (2), (1) t(a) UNION ALL SELECT 0 ORDER BY ALL
^SELECT a FROM VALUES (2), (1) t(a) UNION ALL SELECT 0 ORDER BY a DESC LIMIT 2
^SELECT a FROM VALUES (2), (1) t(a) UNION ALL SELECT 0 ORDER BY a + 1

-- grouping
SELECT a, sum(b) FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY ALL
SELECT a + 1, sum(b) FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY ALL
SELECT a, a + sum(b) FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY ALL
!SELECT a + sum(b) FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY ALL
!SELECT b, a + sum(b) FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY ALL
SELECT a, a + sum(b) FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY ALL
SELECT sum(b) FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY ALL
SELECT a FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY ALL
SELECT * FROM VALUES (1, 2), (1, 2) t(a, b) GROUP BY ALL
SELECT 1, sum(b) FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY ALL
SELECT a, b, count(*), grouping(a), grouping(b), grouping_id(a, b) FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY CUBE (a, b)
!SELECT a, b, count(*), grouping_id(b, a) FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY ROLLUP (a, b)
!SELECT a, b, grouping_id(a) FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY ROLLUP (a, b)
SELECT a, b, grouping_id(b, a), grouping_id() FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY GROUPING SETS ((b), (b, a))
SELECT a, b, grouping_id() FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY GROUPING SETS ((a, b), a, b, ())
SELECT a, b, c, count(*) FROM VALUES (1, 2, 3) t(a, b, c) GROUP BY ROLLUP ((a, b), c)
SELECT a, b, c, count(*) FROM VALUES (1, 2, 3) t(a, b, c) GROUP BY a, ROLLUP (b), CUBE (c)
SELECT a, b, count(*) FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY a, b WITH CUBE
SELECT a, b, count(*) FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY a, b GROUPING SETS ((a), (b))
SELECT a, b, count(*) FROM VALUES (1, 2), (1, 3) t(a, b) GROUP BY GROUPING SETS (ROLLUP (a, b), (b))
SELECT a, sum(b) FROM VALUES (1, 2), (2, 3) t(a, b) GROUP BY ROLLUP (a) HAVING grouping(a) = 1
SELECT a, sum(b) FROM VALUES (1, 2), (2, 3) t(a, b) GROUP BY CUBE (a) ORDER BY grouping(a), a
SELECT a + 1 AS k, sum(b) FROM VALUES (1, 2), (2, 3) t(a, b) GROUP BY ROLLUP (a + 1)
SELECT sum(a) FROM VALUES (1, 2), (2, 3) t(a, b) GROUP BY GROUPING SETS ((a), ())
SELECT a, count(*) FROM VALUES (1), (1) t(a) GROUP BY GROUPING SETS ((a), (a))
SELECT count(*) FROM (SELECT 1 AS a WHERE false) GROUP BY ROLLUP (a)
SELECT count(*) FROM (SELECT 1 AS a WHERE false) GROUP BY GROUPING SETS ((a), ())
SELECT a, b, count(*) FROM VALUES (1, 2) t(a, b) GROUP BY ROLLUP (1, 2)
!SELECT grouping(a) FROM VALUES (1), (2) t(a) GROUP BY a
!SELECT a, grouping(b) FROM VALUES (1, 2) t(a, b) GROUP BY CUBE (a)
!SELECT a, grouping_id(b) FROM VALUES (1, 2) t(a, b) GROUP BY CUBE (a)
!SELECT a, b FROM VALUES (1, 2) t(a, b) GROUP BY a
!SELECT a, sum(b) FROM VALUES (1, 2) t(a, b)
!SELECT a FROM VALUES (1, 2) t(a, b) GROUP BY 3
!SELECT sum(a) FROM VALUES (1, 2) t(a, b) GROUP BY 1
!SELECT a FROM VALUES (1, 2) t(a, b) GROUP BY sum(b)
!SELECT a FROM VALUES (1, 2) t(a, b) WHERE sum(b) > 1
!SELECT sum(sum(a)) FROM VALUES (1, 2) t(a, b)
!SELECT sum(row_number() OVER (ORDER BY a)) FROM VALUES (1, 2) t(a, b)
SELECT sum(sum(b)) OVER (ORDER BY a) FROM VALUES (1, 2), (2, 3) t(a, b) GROUP BY a
SELECT 1 FROM VALUES (1, 2) t(a, b) HAVING count(*) > 0
SELECT a FROM VALUES (1), (2) t(a) GROUP BY a HAVING max(a) > 1
SELECT a, count(*) FROM VALUES (1), (2) t(a) GROUP BY a HAVING count(*) = 1 ORDER BY count(*), a
!SELECT a AS b, sum(b) FROM VALUES (1, 2), (3, 2) t(a, b) GROUP BY b
SELECT upper(a) AS a, count(*) FROM VALUES ('x'), ('X') t(a) GROUP BY a
SELECT map(1, 2) AS m, count(*) GROUP BY m
SELECT m, count(*) FROM VALUES (map('b', 1, 'a', 2)), (map('a', 2, 'b', 1)), (map('a', 2)), (map()), (NULL), (NULL) t(m) GROUP BY m
SELECT m, a, sum(a) FROM VALUES (map('b', 1, 'a', 2), 1), (map('a', 2, 'b', 1), 2) t(m, a) GROUP BY CUBE (m, a)
SELECT m['a'] + 1, max(size(m)) FROM VALUES (map('b', 1, 'a', 2)), (map('a', 2, 'b', 1)) t(m) GROUP BY m HAVING count(*) > 1
SELECT count(*) FROM VALUES (map(1, map(2, 3, 4, 5))), (map(1, map(4, 5, 2, 3))) t(m) GROUP BY m
SELECT count(*) FROM VALUES (array(map(2, 3, 4, 5))), (array(map(4, 5, 2, 3))) t(m) GROUP BY m
SELECT first(a) FROM VALUES (1), (2) t(a) GROUP BY 'const'

-- windows
SELECT a, sum(a) OVER w FROM VALUES (1), (2) t(a) WINDOW w AS (ORDER BY a)
SELECT a, sum(a) OVER w1, count(*) OVER w2 FROM VALUES (1), (2) t(a) WINDOW w1 AS (ORDER BY a), w2 AS (PARTITION BY a)
SELECT a, sum(a) OVER (w) FROM VALUES (1), (2) t(a) WINDOW w AS (ORDER BY a)
SELECT a, sum(a) OVER w2 FROM VALUES (1), (2) t(a) WINDOW w1 AS (ORDER BY a), w2 AS w1
!SELECT a, sum(a) OVER nosuch FROM VALUES (1), (2) t(a)
!SELECT a FROM VALUES (1), (2) t(a) WHERE row_number() OVER (ORDER BY a) = 1
!SELECT row_number() OVER () FROM VALUES (1) t(a)
SELECT a, sum(a) OVER (ORDER BY a ROWS BETWEEN CURRENT ROW AND 1 PRECEDING) FROM VALUES (1) t(a)
!SELECT a, upper(a) OVER (ORDER BY a) FROM VALUES ('x') t(a)
SELECT a, b FROM VALUES (1, 1), (1, 2), (2, 1) t(a, b) QUALIFY row_number() OVER (PARTITION BY a ORDER BY b DESC) = 1
SELECT a, rank() OVER (ORDER BY b) AS r FROM VALUES (1, 1), (1, 2), (2, 1) t(a, b) QUALIFY r = 1
!SELECT a, sum(b) AS s FROM VALUES (1, 1), (1, 2), (2, 1) t(a, b) GROUP BY a QUALIFY rank() OVER (ORDER BY sum(b)) = 1
SELECT a, sum(b) AS s FROM VALUES (1, 1), (1, 2), (2, 1) t(a, b) GROUP BY a HAVING sum(b) > 0 QUALIFY rank() OVER (ORDER BY s DESC) = 1
SELECT a FROM VALUES (1), (2) t(a) QUALIFY count(*) OVER w > 1 WINDOW w AS (PARTITION BY 1)
!SELECT a FROM VALUES (1), (2) t(a) QUALIFY a = 1

-- joins
SELECT * FROM VALUES (1, 2) t(a, b) JOIN VALUES (1, 3) u(a, c) USING (a)
SELECT a, t.a, u.a FROM VALUES (1, 2), (5, 6) t(a, b) LEFT JOIN VALUES (1, 3) u(a, c) USING (a)
SELECT a, t.a, u.a FROM VALUES (1, 2) t(a, b) RIGHT JOIN VALUES (1, 3), (9, 9) u(a, c) USING (a)
SELECT a, t.a, u.a, b, c FROM VALUES (1, 2), (5, 6) t(a, b) FULL JOIN VALUES (1, 3), (9, 9) u(a, c) USING (a)
SELECT * FROM VALUES (1, 2), (5, 6) t(a, b) FULL JOIN VALUES (1, 3), (9, 9) u(a, c) USING (a)
SELECT t.*, u.* FROM VALUES (1, 2) t(a, b) JOIN VALUES (1, 3) u(a, c) USING (a)
SELECT * FROM VALUES (1, 2) t(a, b) JOIN VALUES (1L, 3) u(a, c) USING (a)
SELECT a FROM VALUES (1, 2) t(a, b) RIGHT JOIN VALUES (1L, 3), (2L, 4) u(a, c) USING (a)
SELECT a FROM VALUES (1, 2) t(a, b) FULL JOIN VALUES (1L, 3), (2L, 4) u(a, c) USING (a)
SELECT * FROM VALUES (1, 2) t(a, b) JOIN VALUES ('1', 3) u(a, c) USING (a)
SELECT * FROM VALUES (1, 2, 9) t(a, b, x) JOIN VALUES (1, 2, 8) u(b, a, y) USING (a, b)
SELECT * FROM VALUES (2, 1, 9) t(a, b, x) JOIN VALUES (1, 2, 8) u(b, a, y) USING (b, a)
SELECT * FROM VALUES (1, 2) t(a, b) JOIN VALUES (1, 3) u(a, c) USING (a) JOIN VALUES (1, 4) v(a, d) USING (a)
SELECT * FROM VALUES (1, 2) t(a, b) LEFT SEMI JOIN VALUES (1, 3) u(a, c) USING (a)
SELECT * FROM VALUES (1, 2) t(a, b) LEFT ANTI JOIN VALUES (2, 3) u(a, c) USING (a)
SELECT * FROM VALUES (1, 2) t(a, b) NATURAL JOIN VALUES (1, 2) u(b, a)
SELECT * FROM VALUES (1, 2) t(a, b) NATURAL JOIN VALUES (2, 1, 7) u(b, a, c)
SELECT * FROM VALUES (1, 2) t(a, b) NATURAL LEFT JOIN VALUES (1, 3) u(a, c)
SELECT * FROM VALUES (1, 2) t(a, b) NATURAL FULL OUTER JOIN VALUES (2, 3) u(a, c)
SELECT * FROM VALUES (1, 2) t(a, b) NATURAL JOIN VALUES (5, 3) u(x, c)
SELECT * FROM VALUES (1) t(a) JOIN VALUES (2) u(b)
SELECT * FROM VALUES (1) t(a) LEFT JOIN VALUES (2) u(b)
SELECT * FROM VALUES (1) t(a), VALUES (2) u(b), VALUES (3) v(c)
SELECT * FROM VALUES (1) t(a) CROSS JOIN VALUES (1) u(b) ON a = b
SELECT * FROM VALUES (1) t(a) JOIN (VALUES (1) u(b) JOIN VALUES (1) v(c) ON b = c) ON a = b
SELECT * FROM (VALUES (1) t(a) JOIN VALUES (1) u(b) ON a = b) AS j
SELECT j.a FROM (VALUES (1) t(a) JOIN VALUES (1) u(b) ON a = b) AS j(a, z)
SELECT t.a FROM (VALUES (1) t(a) JOIN VALUES (1) u(b) ON a = b)
SELECT * FROM VALUES (1) t(a) LEFT OUTER JOIN VALUES (2) u(b) ON a = b AND a IN (SELECT 1)
SELECT * FROM VALUES (1), (2) t(a) LEFT JOIN VALUES (1), (2) u(b) ON a = b AND b IN (SELECT 1)
SELECT * FROM VALUES (1), (2) t(a) FULL JOIN VALUES (1), (3) u(b) ON a = b AND EXISTS (SELECT 1 FROM VALUES (1) v(c) WHERE c = b) OR a = 2 AND b = (SELECT max(c) FROM VALUES (3) v(c))
SELECT * FROM VALUES (1), (2), (NULL) t(a) LEFT ANTI JOIN VALUES (1), (2) u(b) ON a = b AND a NOT IN (SELECT c FROM VALUES (2) v(c))
SELECT * FROM VALUES (1), (2), (NULL) t(a) LEFT SEMI JOIN VALUES (1), (2) u(b) ON a = b AND b > (SELECT min(c) FROM VALUES (1) v(c))
SELECT * FROM VALUES (1), (2) t(a) RIGHT JOIN VALUES (1), (2) u(b) ON a = b AND a + b IN (SELECT 2)
SELECT * FROM VALUES (1), (2) t(a) LEFT JOIN VALUES (1), (2) u(b) ON a = b AND EXISTS (SELECT 1 FROM VALUES (2) v(c) WHERE c = a AND c = b)
SELECT * FROM VALUES (1, 2) t(a, b) SEMI JOIN VALUES (1) u(a) ON t.a = u.a
!SELECT * FROM VALUES (1, 2) t(a, b) JOIN VALUES (1, 3) u(a, c) USING (z)
!SELECT * FROM VALUES (1, 2) t(a, b) JOIN VALUES (1, 3) u(a, c) USING (b)
SELECT * FROM VALUES (1, 2) t(a, a) JOIN VALUES (1, 3) u(a, c) USING (a)
SELECT * FROM VALUES (1, 3) u(a, c) LEFT JOIN VALUES (1, 2) t(a, a) USING (a)
!SELECT a FROM VALUES (1) t(a), VALUES (2) u(a)
!SELECT * FROM VALUES (1) t(a) JOIN VALUES (2) u(b) ON a + b
!SELECT * FROM VALUES (1) t(a) JOIN VALUES (2) u(b) ON nosuch = 1
!SELECT u.b FROM VALUES (1) t(a) LEFT SEMI JOIN VALUES (1) u(b) ON a = b
!SELECT * FROM VALUES (array(1)) t(a) JOIN VALUES (1) u(a) USING (a)
!SELECT * FROM VALUES (map(1, 2)) t(a) JOIN VALUES (map(1, 2)) u(b) ON a = b
!SELECT * FROM VALUES (1) t(a) NATURAL CROSS JOIN VALUES (1) u(a)
!SELECT * FROM VALUES (1) t(a) JOIN VALUES (2) t(b) ON t.a = t.b AND sum(a) > 1
SELECT t.a, t.b FROM VALUES (1) t(a), VALUES (2) t(b)

-- set operations
SELECT 1 UNION ALL SELECT 2L
SELECT 1 UNION ALL SELECT 2.5
!SELECT 1 UNION ALL SELECT 'x'
SELECT 1 UNION ALL SELECT '2'
SELECT date'2026-01-01' UNION ALL SELECT timestamp'2026-01-01 00:00:00'
SELECT date'2026-01-01' UNION ALL SELECT '2026-01-02'
SELECT NULL UNION ALL SELECT 1
SELECT CAST(1 AS DECIMAL(10,2)) UNION ALL SELECT CAST(1 AS DECIMAL(12,4))
SELECT CAST(1 AS FLOAT) UNION ALL SELECT 1L
SELECT array(1) UNION ALL SELECT array(2.5)
!SELECT struct(1 AS a) UNION ALL SELECT struct(2L AS b)
SELECT map('a', 1) UNION ALL SELECT map('b', 2L)
SELECT 1 AS a UNION SELECT 1 AS b
SELECT 1 AS a, NULL AS b UNION SELECT 1, NULL
SELECT 1 UNION ALL SELECT 2 UNION SELECT 2
SELECT 1 UNION SELECT 2 UNION ALL SELECT 2
SELECT 1 UNION ALL SELECT 2 INTERSECT SELECT 2
(SELECT 1 UNION ALL SELECT 2) INTERSECT SELECT 2
SELECT a FROM VALUES (1), (1), (2) t(a) INTERSECT ALL SELECT a FROM VALUES (1), (1) u(a)
SELECT a FROM VALUES (1), (1), (2) t(a) EXCEPT SELECT 2
SELECT a FROM VALUES (1), (1), (NULL), (NULL) t(a) EXCEPT ALL SELECT NULL
SELECT a FROM VALUES (1), (NULL) t(a) INTERSECT SELECT NULL
SELECT 1 INTERSECT SELECT 1L
SELECT 1.0 EXCEPT SELECT 1
(SELECT 1 AS a ORDER BY a LIMIT 1) UNION ALL (SELECT 2 LIMIT 1)
SELECT * FROM (SELECT 1 AS a UNION ALL SELECT 2) WHERE a > 1
VALUES (1) UNION ALL VALUES (2)
SELECT double('NaN') UNION SELECT double('NaN')
SELECT 0.0D UNION SELECT -0.0D
!SELECT 1 UNION ALL SELECT array(1)
!SELECT 1, 2 UNION ALL SELECT 1
!SELECT true UNION ALL SELECT 1
!SELECT map(1, 2) UNION SELECT map(1, 2)
!SELECT map(1, 2) INTERSECT SELECT map(1, 2)
!SELECT 1 EXCEPT SELECT array(1)
!SELECT 1 AS a UNION ALL SELECT 2 ORDER BY b
SELECT a FROM VALUES (1) t(a) UNION ALL SELECT b FROM VALUES (2) u(b)

-- subqueries
SELECT (SELECT 1)
SELECT (SELECT 1 WHERE false)
SELECT a, (SELECT max(b) FROM VALUES (1, 5), (1, 7) u(k, b) WHERE k = a) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT count(*) FROM VALUES (1, 5), (1, 7) u(k, b) WHERE k = a) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT count(*) + 1 FROM VALUES (1, 5) u(k, b) WHERE k = a) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT b FROM VALUES (1, 5) u(k, b) WHERE k = a) FROM VALUES (1), (2) t(a)
!SELECT a, (SELECT b FROM VALUES (1, 5), (1, 7) u(k, b) WHERE k = a) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT b FROM VALUES (1, 5), (1, 7) u(k, b) WHERE k = a ORDER BY b LIMIT 1) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT max(b) FROM VALUES (1, 5), (3, 7) u(k, b) WHERE k < a) FROM VALUES (1), (2) t(a)
!SELECT a, (SELECT max(b + a) FROM VALUES (1, 5), (3, 7) u(k, b)) FROM VALUES (1), (2) t(a)
!SELECT a, (SELECT sum(b) + a FROM VALUES (1, 5), (3, 7) u(k, b) WHERE k = a) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT a) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT a + 1) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT max(b) FROM VALUES (1, 5), (1, 6) u(k, b) WHERE k = a GROUP BY k) FROM VALUES (1), (2) t(a)
!SELECT a, (SELECT max(b) FROM VALUES (1, 5), (1, 6) u(k, b) WHERE k = a GROUP BY b) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT max(b) FROM VALUES (1, 5), (1, 6) u(k, b) WHERE k = a HAVING max(b) > 5) FROM VALUES (1), (2) t(a)
SELECT a FROM VALUES (1), (2) t(a) WHERE a > (SELECT avg(b) FROM VALUES (1), (2) u(b))
SELECT a FROM VALUES (1), (2) t(a) WHERE a = (SELECT max(b) FROM VALUES (1), (2) u(b) WHERE b <= a)
SELECT a FROM VALUES (1), (2) t(a) WHERE EXISTS (SELECT 1 FROM VALUES (2) u(b) WHERE b = a)
SELECT a FROM VALUES (1), (2) t(a) WHERE NOT EXISTS (SELECT 1 FROM VALUES (2) u(b) WHERE b = a)
SELECT a FROM VALUES (1), (2) t(a) WHERE EXISTS (SELECT 1 FROM VALUES (2) u(b) WHERE b < a) OR a = 1
SELECT a, EXISTS (SELECT 1 FROM VALUES (2) u(b) WHERE b = a) AS e FROM VALUES (1), (2) t(a)
SELECT a, a IN (SELECT b FROM VALUES (2) u(b)) AS e FROM VALUES (1), (2) t(a)
SELECT a, a IN (SELECT b FROM VALUES (2), (NULL) u(b)) AS e FROM VALUES (1), (2), (NULL) t(a)
SELECT a FROM VALUES (1), (2) t(a) WHERE a NOT IN (SELECT b FROM VALUES (2) u(b))
SELECT a FROM VALUES (1), (2) t(a) WHERE a NOT IN (SELECT b FROM VALUES (2), (NULL) u(b))
SELECT a FROM VALUES (1), (2) t(a) WHERE a IN (SELECT b FROM VALUES (2, 2), (1, 0) u(b, k) WHERE k = a)
SELECT a FROM VALUES (1, 2), (2, 3) t(a, b) WHERE (a, b) IN (SELECT 1, 2)
SELECT a FROM VALUES (1, 2), (2, 3) t(a, b) WHERE (a, b) NOT IN (SELECT 1, 2)
SELECT a FROM VALUES (1), (2) t(a) WHERE a IN (SELECT 1L)
SELECT sum(a) FROM VALUES (1), (2) t(a) HAVING sum(a) > (SELECT 2)
SELECT a, sum(b) FROM VALUES (1, 2), (2, 3) t(a, b) GROUP BY a HAVING EXISTS (SELECT 1 FROM VALUES (1) u(k) WHERE k = a)
!SELECT a, (SELECT max(k) FROM VALUES (1), (2) u(k) WHERE k <= sum(b)) FROM VALUES (1, 2), (2, 1) t(a, b) GROUP BY a
SELECT sum((SELECT max(k) FROM VALUES (1), (2) u(k) WHERE k <= a)) FROM VALUES (1), (2) t(a)
!SELECT a FROM VALUES (1), (2) t(a) ORDER BY (SELECT max(k) FROM VALUES (1), (2) u(k) WHERE k <= a)
SELECT CASE WHEN a IN (SELECT 1) THEN 'y' ELSE 'n' END FROM VALUES (1), (2) t(a)
!SELECT a FROM VALUES (1), (2) t(a) WHERE EXISTS (SELECT 1 FROM VALUES (1) u(b) WHERE EXISTS (SELECT 1 FROM VALUES (2) v(c) WHERE c = a))
!SELECT a, (SELECT max(b) FROM VALUES (1) u(b) WHERE b = (SELECT max(c) FROM VALUES (1), (2) v(c) WHERE c = a)) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT max(x) FROM (SELECT b AS x FROM VALUES (1), (2) u(b) WHERE b = a) q) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT count(*) FROM (SELECT b FROM VALUES (1), (1) u(b) WHERE b = a UNION ALL SELECT 5) q) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT max(b) FROM VALUES (1) u(b) JOIN VALUES (1) v(c) ON b = c AND b = a) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT max(b) FROM VALUES (1) u(b) LEFT JOIN VALUES (1) v(c) ON b = c AND b = a) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT DISTINCT b FROM VALUES (1), (1) u(b) WHERE b = a) FROM VALUES (1), (2) t(a)
SELECT a, (SELECT first(b) OVER (ORDER BY b) FROM VALUES (1) u(b) WHERE b = a) FROM VALUES (1), (2) t(a)
!SELECT t.a, (SELECT sum(t.a) FROM VALUES (1) u(b)) FROM VALUES (1), (2) t(a)
!SELECT (SELECT 1, 2)
!SELECT (SELECT a FROM VALUES (1), (2) t(a))
!SELECT 1 IN (SELECT 1, 2)
!SELECT (1, 2) IN (SELECT 1)
!SELECT 1 IN (SELECT array(1))
!SELECT a FROM VALUES (1) t(a) WHERE EXISTS (SELECT nosuch)
!SELECT a FROM VALUES (1) t(a) GROUP BY (SELECT a)
!SELECT filter(array(1, 2), x -> x IN (SELECT 1))
!SELECT transform(array(1, 2), x -> (SELECT x))
!SELECT sum(a) FROM VALUES (1) t(a) HAVING EXISTS (SELECT 1 FROM VALUES (1) u(k) WHERE k = a)
!SELECT a FROM VALUES (1), (2), (3) t(a) LIMIT (SELECT 2)
SELECT a FROM VALUES (1), (2), (3) t(a) ORDER BY a LIMIT 1 + 1
SELECT a FROM VALUES (1), (2), (3) t(a) ORDER BY a LIMIT ALL
SELECT a FROM VALUES (1), (2), (3) t(a) ORDER BY a OFFSET 2
!SELECT a FROM VALUES (1), (2), (3) t(a) LIMIT -1
!SELECT a FROM VALUES (1), (2), (3) t(a) LIMIT 'x'
!SELECT a FROM VALUES (1), (2), (3) t(a) LIMIT a
!SELECT a AS x FROM VALUES (1), (2), (3) t(a) LIMIT x
!SELECT a FROM VALUES (1), (2), (3) t(a) LIMIT nosuch
!SELECT 1 AS a UNION ALL SELECT 2 LIMIT a
!SELECT a FROM VALUES (1), (2), (3) t(a) LIMIT 1 OFFSET a + 1
!SELECT a FROM VALUES (1), (2), (3) t(a) OFFSET -1
SELECT * FROM (SELECT 1 AS a), (SELECT 2 AS b)
SELECT * FROM (VALUES (1), (2)) AS t(a) WHERE a = 1
SELECT * FROM ((SELECT 1 AS a))
SELECT q.a FROM (SELECT 1 AS a) q
!SELECT t.a FROM (SELECT t.a FROM VALUES (1) t(a)) q
FROM VALUES (1) t(a) SELECT a + 1 AS b WHERE a = 1
FROM VALUES (1) t(a)
