-- Functions, one query a line; answers of Spark 4.2.0 in functions.expected.json. "!": must be refused, with Spark's class; "^": rows in this order; "~": doubles nearly.

-- session_window
^SELECT session_window, count(*), sum(v) FROM VALUES (timestamp'2026-01-01 00:00:00', 1), (timestamp'2026-01-01 00:04:59.999999', 2), (timestamp'2026-01-01 00:20:00', 3), (NULL, 4) t(ts, v) GROUP BY session_window(ts, '5 minutes') ORDER BY session_window.start
SELECT session_window(ts, '5 minutes') AS w, count(*) FROM VALUES (timestamp'2026-01-01 00:00:00'), (timestamp'2026-01-01 00:05:00'), (timestamp'2026-01-01 00:10:00.000001') t(ts) GROUP BY session_window(ts, '5 minutes')
SELECT k, session_window.start, session_window.end, count(*) FROM VALUES ('a', timestamp'2026-01-01 00:00:00'), ('b', timestamp'2026-01-01 00:03:00'), ('a', timestamp'2026-01-01 00:04:00'), ('a', timestamp'2026-01-01 00:30:00'), (NULL, timestamp'2026-01-01 00:01:00') t(k, ts) GROUP BY k, session_window(ts, '5 minutes')
SELECT k, session_window, count(*), max(ts) FROM VALUES ('a', timestamp'2026-01-01 00:00:00'), ('a', timestamp'2026-01-01 00:04:00'), ('b', timestamp'2026-01-01 00:00:00'), ('b', timestamp'2026-01-01 00:04:00') t(k, ts) GROUP BY k, session_window(ts, CASE WHEN k = 'a' THEN '5 minutes' ELSE '1 minute' END)
SELECT session_window, count(*) FROM VALUES (timestamp'2026-01-01 00:00:00', 10), (timestamp'2026-01-01 00:01:00', 1), (timestamp'2026-01-01 00:09:00', 1), (timestamp'2026-01-01 00:12:00', 0), (timestamp'2026-01-01 00:13:00', -5) t(ts, m) GROUP BY session_window(ts, make_interval(0, 0, 0, 0, 0, m, 0))
SELECT session_window, count(*) FROM VALUES (timestamp'2026-01-01 00:00:00', 10), (timestamp'2026-01-01 00:01:00', NULL), (timestamp'2026-01-01 00:09:00', 1) t(ts, m) GROUP BY session_window(ts, CASE WHEN m IS NOT NULL THEN concat(m, ' minutes') END)
!SELECT session_window, count(*) FROM VALUES (timestamp_ntz'2026-01-01 00:00:00'), (timestamp_ntz'2026-01-01 00:01:00') t(ts) GROUP BY session_window(ts, INTERVAL 2 MINUTES)
!SELECT session_window, count(*) FROM VALUES (date'2026-01-01'), (date'2026-01-02'), (date'2026-01-05') t(ts) GROUP BY session_window(ts, INTERVAL 2 DAYS)
SELECT session_window, count(*) FROM VALUES ('2026-01-01 00:00:00'), ('2026-01-01 00:01:00') t(ts) GROUP BY session_window(ts, '2 minutes')
SELECT session_window.end, count(DISTINCT v), collect_set(v) FROM VALUES (timestamp'2026-01-01 00:00:00', 1), (timestamp'2026-01-01 00:01:00', 1), (timestamp'2026-01-01 00:02:00', 2) t(ts, v) GROUP BY session_window(ts, '5 minutes')
SELECT session_window, count(*) FROM VALUES (timestamp'2026-01-01 00:00:00'), (timestamp'2026-01-01 00:01:00'), (timestamp'2026-01-01 01:00:00') t(ts) GROUP BY session_window(ts, '5 minutes') HAVING count(*) > 1
SELECT session_window, count(*) FROM VALUES (timestamp'2026-01-01 00:00:00'), (timestamp'2026-01-01 00:00:00') t(ts) GROUP BY session_window(ts, '5 minutes')
SELECT session_window, count(*) FROM (SELECT timestamp'2026-01-01 00:00:00' AS ts WHERE false) GROUP BY session_window(ts, '5 minutes')
!SELECT window_time(session_window), count(*) FROM VALUES (timestamp'2026-01-01 00:00:00') t(ts) GROUP BY session_window(ts, '5 minutes')
SELECT session_window, count(*) FROM VALUES (timestamp'2026-01-01 00:00:00') t(ts) GROUP BY session_window(ts, '1 month')
SELECT session_window, count(*) FROM VALUES (timestamp'2026-01-01 00:00:00') t(ts) GROUP BY session_window(ts, 'soon')
!SELECT session_window, count(*) FROM VALUES (timestamp'2026-01-01 00:00:00') t(ts) GROUP BY session_window(ts, 5)
!SELECT session_window, count(*) FROM VALUES (1) t(ts) GROUP BY session_window(ts, '5 minutes')
!SELECT session_window, count(*) FROM VALUES (timestamp'2026-01-01 00:00:00') t(ts) GROUP BY session_window(ts)
SELECT session_window(ts, '5 minutes') FROM VALUES (timestamp'2026-01-01 00:00:00') t(ts)
SELECT session_window, count(*) FROM VALUES (timestamp'2026-01-01 00:00:00') t(ts) GROUP BY session_window(ts, '0 seconds')
SELECT session_window, count(*) FROM VALUES (timestamp'2026-01-01 00:00:00') t(ts) GROUP BY session_window(ts, '-1 seconds')
!SELECT count(*) FROM VALUES (timestamp'2026-01-01 00:00:00') t(ts) GROUP BY session_window(ts, '5 minutes'), session_window(ts, '6 minutes')
!SELECT count(*) FROM VALUES (timestamp'2026-01-01 00:00:00') t(ts) GROUP BY session_window(ts, '5 minutes'), window(ts, '6 minutes')

-- window_time and sliding windows
!SELECT window_time(window), window.end, count(*) FROM (SELECT window, 1 FROM VALUES (timestamp'2026-01-01 00:05:00') t(ts) GROUP BY window(ts, '10 minutes')) GROUP BY window
SELECT window_time(window) FROM (SELECT window, count(*) c FROM VALUES (timestamp'2026-01-01 00:05:00') t(ts) GROUP BY window(ts, '10 minutes'))
SELECT window_time(w) FROM (SELECT window(ts, '10 minutes') AS w, count(*) c FROM VALUES (timestamp'2026-01-01 00:05:00'), (timestamp'2026-01-01 00:15:00') t(ts) GROUP BY window(ts, '10 minutes'))
SELECT window(window_time(window), '1 hour') AS w, sum(c) FROM (SELECT window, count(*) c FROM VALUES (timestamp'2026-01-01 00:05:00'), (timestamp'2026-01-01 00:15:00') t(ts) GROUP BY window(ts, '10 minutes')) GROUP BY window(window_time(window), '1 hour')
SELECT window(window, '1 hour') AS w, sum(c) FROM (SELECT window, count(*) c FROM VALUES (timestamp'2026-01-01 00:05:00'), (timestamp'2026-01-01 00:15:00') t(ts) GROUP BY window(ts, '10 minutes')) GROUP BY window(window, '1 hour')
!SELECT window_time(ts) FROM VALUES (timestamp'2026-01-01 00:05:00') t(ts)
!SELECT window_time(s) FROM VALUES (named_struct('start', timestamp'2026-01-01 00:05:00', 'end', timestamp'2026-01-01 00:10:00')) t(s)
SELECT window, count(*) FROM VALUES (timestamp'2026-01-01 00:05:00'), (timestamp'2026-01-01 00:07:00'), (NULL) t(ts) GROUP BY window(ts, '10 minutes', '3 minutes')
SELECT window(ts, '10 minutes', '5 minutes') FROM VALUES (timestamp'2026-01-01 00:05:00'), (timestamp'2026-01-01 00:07:00') t(ts)
SELECT k, window.start, sum(v) FROM VALUES ('a', timestamp'2026-01-01 00:05:00', 1), ('b', timestamp'2026-01-01 00:07:00', 2) t(k, ts, v) GROUP BY k, window(ts, '10 minutes', '5 minutes', '1 minute')
SELECT window(timestamp'2026-01-01 00:05:00', '10 minutes', '5 minutes')
!SELECT window(ts, '5 minutes', '10 minutes') FROM VALUES (timestamp'2026-01-01 00:05:00') t(ts)
!SELECT window(ts, '0 minutes') FROM VALUES (timestamp'2026-01-01 00:05:00') t(ts)
!SELECT window(ts, '5 minutes', '5 minutes', '5 minutes') FROM VALUES (timestamp'2026-01-01 00:05:00') t(ts)
SELECT window(ts, '5 minutes', '5 minutes', '-2 minutes') FROM VALUES (timestamp'2026-01-01 00:05:00') t(ts)
!SELECT window(ts, '10 minutes', '5 minutes'), window(ts, '10 minutes', '2 minutes') FROM VALUES (timestamp'2026-01-01 00:05:00') t(ts)

-- the session
SELECT current_catalog(), typeof(current_catalog())
!SELECT current_catalog
!SELECT current_schema
!SELECT current_database
SELECT current_timezone()
@Europe/Berlin SELECT current_timezone()
!SELECT current_user(1)
!SELECT current_database('a')

-- bitmaps
SELECT bitmap_bit_position(0), bitmap_bit_position(1), bitmap_bit_position(123), bitmap_bit_position(32768), bitmap_bit_position(32769), bitmap_bit_position(-1), bitmap_bit_position(-32768), bitmap_bit_position(NULL), bitmap_bit_position('7')
SELECT bitmap_bucket_number(0), bitmap_bucket_number(1), bitmap_bucket_number(32768), bitmap_bucket_number(32769), bitmap_bucket_number(-1), bitmap_bucket_number(-32768), bitmap_bucket_number(-32769), bitmap_bucket_number(NULL)
SELECT bitmap_count(X'1010'), bitmap_count(X'FFFF'), bitmap_count(X'0'), bitmap_count(X''), bitmap_count(CAST(NULL AS BINARY))
!SELECT bitmap_count(NULL)
!SELECT bitmap_count('a')
!SELECT bitmap_count(1)
SELECT length(bitmap_construct_agg(bitmap_bit_position(a))), substring(hex(bitmap_construct_agg(bitmap_bit_position(a))), 0, 6), bitmap_count(bitmap_construct_agg(bitmap_bit_position(a))) FROM VALUES (1), (2), (3), (NULL) t(a)
SELECT md5(bitmap_construct_agg(a)) FROM VALUES (0), (32767), (9) t(a)
SELECT bitmap_count(bitmap_construct_agg(a)), length(bitmap_construct_agg(a)) FROM VALUES (CAST(NULL AS BIGINT)) t(a)
!SELECT bitmap_construct_agg(a) FROM VALUES (32768) t(a)
!SELECT bitmap_construct_agg(a) FROM VALUES (-1) t(a)
!SELECT bitmap_construct_agg('a') FROM VALUES (1) t(a)
SELECT length(bitmap_or_agg(a)), substring(hex(bitmap_or_agg(a)), 0, 6), substring(hex(bitmap_and_agg(a)), 0, 6) FROM VALUES (X'10'), (X'30'), (X'50'), (NULL) t(a)
SELECT hex(substring(bitmap_and_agg(a), 1, 3)), hex(substring(bitmap_or_agg(a), 1, 3)) FROM VALUES (X'F0F0'), (X'70') t(a)
SELECT length(bitmap_or_agg(a)), bitmap_count(bitmap_or_agg(a)), length(bitmap_and_agg(a)), bitmap_count(bitmap_and_agg(a)) FROM VALUES (CAST(NULL AS BINARY)) t(a)
!SELECT bitmap_or_agg(a) FROM VALUES (1) t(a)
SELECT bitmap_bucket_number(a) b, bitmap_count(bitmap_construct_agg(bitmap_bit_position(a))) FROM VALUES (1), (40000), (2), (40000), (-3) t(a) GROUP BY bitmap_bucket_number(a)

-- listagg, mode
SELECT listagg(a) WITHIN GROUP (ORDER BY a), listagg(a, ',') WITHIN GROUP (ORDER BY a DESC), string_agg(a, NULL) WITHIN GROUP (ORDER BY a), listagg(DISTINCT a, '-') WITHIN GROUP (ORDER BY a) FROM VALUES ('b'), ('a'), (NULL), ('b') t(a)
!SELECT listagg(a, X'2C') WITHIN GROUP (ORDER BY a) FROM VALUES ('b', 1) t(a, b)
SELECT listagg(a, ',') WITHIN GROUP (ORDER BY b DESC, a) FROM VALUES ('b', 1), ('a', 1), ('c', 2) t(a, b)
SELECT listagg(a, X'2C') WITHIN GROUP (ORDER BY a), typeof(listagg(a)) FROM VALUES (X'61'), (X'62') t(a)
SELECT listagg(a), string_agg(a, ',') FROM VALUES (CAST(NULL AS STRING)) t(a)
SELECT listagg(a, ',') WITHIN GROUP (ORDER BY a) FROM VALUES (3), (1), (20) t(a)
!SELECT listagg(a, b) FROM VALUES ('b', ',') t(a, b)
!SELECT listagg(DISTINCT a, ',') WITHIN GROUP (ORDER BY b) FROM VALUES ('b', 1) t(a, b)
!SELECT listagg(a) WITHIN GROUP (ORDER BY a) OVER (ORDER BY a) FROM VALUES ('b') t(a)
SELECT mode() WITHIN GROUP (ORDER BY a), mode() WITHIN GROUP (ORDER BY a DESC) FROM VALUES (0), (10), (10), (20), (20) t(a)
SELECT mode(a, true), mode(a) FROM VALUES (0), (10), (10), (10), (20) t(a)
SELECT mode(a, true) FROM VALUES (20), (10), (10), (20) t(a)
SELECT mode(a, true), mode() WITHIN GROUP (ORDER BY a) FROM VALUES (CAST(NULL AS INT)) t(a)
SELECT mode(a) FROM VALUES (map(1, 2)) t(a)
!SELECT mode() FROM VALUES (1) t(a)
!SELECT mode(a) WITHIN GROUP (ORDER BY a) FROM VALUES (1) t(a)
SELECT any_value(a), any_value(a, true), any_value(a) IGNORE NULLS, first(a) IGNORE NULLS FROM VALUES (NULL), (5), (20) t(a)

-- UTF-8
SELECT is_valid_utf8(CAST(X'61C3A9' AS STRING)), make_valid_utf8('é'), validate_utf8('é'), try_validate_utf8('é'), is_valid_utf8(NULL), validate_utf8(NULL), try_validate_utf8(NULL), make_valid_utf8(NULL)

-- intervals
SELECT try_make_interval(100, 11, 1, 1, 12, 30, 01.001001), try_make_interval(100, NULL, 3), try_make_interval(2147483647), try_make_interval(0, 1, 0, 1, 0, 0, 100.000001)
!SELECT try_make_interval()
SELECT make_interval()
!SELECT make_interval(2147483647)
SELECT try_make_interval(0, 0, 306783379), try_make_interval(0, 0, 0, 0, 2147483647), try_make_interval(178956971)

-- collations
SELECT collation('a'), collation('a' COLLATE UTF8_BINARY), 'a' COLLATE UTF8_BINARY = 'A', collate('a', 'UTF8_BINARY'), collation(NULL)
SELECT CAST('a' AS STRING COLLATE UTF8_BINARY), typeof('a' COLLATE UTF8_BINARY), typeof(CAST('a' AS STRING COLLATE UTF8_BINARY))
!SELECT 'a' COLLATE nosuch
!SELECT 1 COLLATE UTF8_BINARY
!SELECT collate('a', NULL)
!SELECT collate('a', a) FROM VALUES ('UTF8_BINARY') t(a)

-- session_window
SELECT t.k, u.n, session_window.start s, sum(v) FILTER (WHERE v > 1) f, count(*) c, max(u.n) m FROM VALUES ('a', timestamp'2026-01-01 00:00:00', 1), ('a', timestamp'2026-01-01 00:01:00', 2), ('b', timestamp'2026-01-01 00:01:00', 2) t(k, ts, v) JOIN VALUES ('a', 'x'), ('a', 'y') u(k, n) ON t.k = u.k GROUP BY t.k, u.n, session_window(ts, '5 minutes') HAVING session_window.end > timestamp'2026-01-01'
SELECT w.start, c FROM (SELECT session_window AS w, count(*) c FROM VALUES (timestamp'2026-01-01 00:00:00'), (timestamp'2026-01-01 00:10:00') t(ts) GROUP BY session_window(ts, '5 minutes')) WHERE c = 1
SELECT session_window(ts, '5 minutes').start s, rank() OVER (ORDER BY session_window(ts, '5 minutes').start) r FROM VALUES (timestamp'2026-01-01 00:00:00'), (timestamp'2026-01-01 00:06:00') t(ts) GROUP BY session_window(ts, '5 minutes')
SELECT window_time(w), c FROM (SELECT session_window AS w, count(*) c FROM VALUES (timestamp'2026-01-01 00:00:00'), (timestamp'2026-01-01 00:04:00') t(ts) GROUP BY session_window(ts, '5 minutes'))
SELECT k, session_window, sum(v) FROM VALUES (1, timestamp'2026-01-01 00:00:00', 1D), (1, timestamp'2026-01-01 00:04:59', 2D), (1, timestamp'2026-01-01 00:02:00', 3D), (2, timestamp'2025-12-31 23:59:59', 4D) t(k, ts, v) WHERE v < 4 GROUP BY session_window(ts, '5 minutes'), k
!SELECT k, session_window, count(*) FROM VALUES (1, timestamp'2026-01-01 00:00:00') t(k, ts) GROUP BY ROLLUP (k, session_window(ts, '5 minutes'))

-- collations

-- the session
