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

-- lengths of windows
SELECT window(ts, 600000000).start FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
SELECT window(ts, 600000000L, 300000000).end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
SELECT window(ts, '10 minutes', 300000000L).end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
SELECT window(ts, 'interval 10 minutes').end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
SELECT window(ts, 'INTERVAL 1 hour 30 minutes').end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
SELECT window(ts, ' 10 minutes ').end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
SELECT window(ts, '1 day 00:00:00').end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
SELECT window(ts, '0.5 seconds').end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
SELECT window(ts, '1 week').end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, '1 month').end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, 'soon').end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, '').end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, NULL).end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, 1.5).end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, 5S).end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, 600000000 + 0).end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, -600000000).end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, '-10 minutes').end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, INTERVAL '10' MINUTE).end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, '10 minutes', INTERVAL 5 MINUTES).end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, '10 minutes', '5 minutes', INTERVAL 5 MINUTES).end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, CAST('10 minutes' AS STRING)).end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, concat('10', ' minutes')).end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, "10' minutes").end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
SELECT window(ts, '1 minute', '1 minute', '0 minutes').end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
SELECT window(ts, '3 microseconds').end FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
SELECT window(ts, '10 MINUTES').end, window(ts, '10 MINUTES').start FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
SELECT window(ts, +600000000).start FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
SELECT window(ts, X'00').start FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)

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
SELECT current_user() = user(), session_user() = current_user, user = session_user, typeof(user()), typeof(current_database())
SELECT length(current_user()) > 0, current_schema() = current_database(), current_schema(), current_database()
!SELECT current_user(1)
!SELECT current_database('a')

-- TIME
SELECT TIME'12:34:56.789012', TIME'00:00:00', TIME'23:59:59.999999', TIME'1:2:3', TIME'12:34'
SELECT TIME'12:34:56.5', TIME'10:00 PM', TIME'12:00:00 am'
!SELECT TIME'24:00:00'
!SELECT TIME'12:60:00'
!SELECT TIME'12:00:00 xm'
SELECT TIME'12:34:56.1234567'
!SELECT TIME'12'
&SELECT make_time(6, 30, 45.887), make_time(NULL, 30, 0), make_time(23, 59, 59.999999), make_time(0, 0, 0)
&!SELECT make_time(24, 0, 0)
&!SELECT make_time(1, 60, 0)
&!SELECT make_time(1, 0, 60)
&!SELECT make_time(1, 0, -1)
!SELECT make_time(1, 0)
&SELECT to_time('00:12:00'), to_time('12.10.05', 'HH.mm.ss'), to_time(NULL), to_time('12:00:00', NULL), to_time('23:59:59.999999')
&!SELECT to_time('foo')
&!SELECT to_time('12:10', 'HH.mm')
&!SELECT to_time(12)
&SELECT try_to_time('00:12:00.001'), try_to_time('12.10.05.999999', 'HH.mm.ss.SSSSSS'), try_to_time('foo', 'HH:mm:ss'), try_to_time('foo'), try_to_time(NULL)
&SELECT try_to_time('12:00', 'invalid')
&SELECT hour(TIME'13:14:15.678'), minute(TIME'13:14:15.678'), second(TIME'13:14:15.678'), extract(SECOND FROM TIME'13:14:15.678'), extract(HOUR FROM TIME'13:14:15.678'), date_part('MINUTE', TIME'13:14:15.678')
!SELECT extract(DAY FROM TIME'13:14:15.678')
&SELECT hour(CAST(NULL AS TIME)), typeof(extract(SECOND FROM TIME'13:14:15')), typeof(hour(TIME'13:14:15'))
&SELECT time_diff('HOUR', TIME'20:30:29', TIME'21:30:28'), time_diff('MINUTE', TIME'20:30:29', TIME'21:30:28'), time_diff('SECOND', TIME'20:30:29', TIME'21:30:28'), time_diff('MILLISECOND', TIME'20:30:29', TIME'20:30:28.5'), time_diff('microsecond', TIME'00:00:00', TIME'00:00:00.000001'), time_diff('hour', NULL, TIME'00:00:00')
&SELECT time_diff('HOUR', TIME'21:30:28', TIME'20:30:29'), time_diff('HOUR', TIME'21:30:29', TIME'20:30:29'), time_diff('MINUTE', TIME'00:00:59', TIME'00:00:00')
&!SELECT time_diff('DAY', TIME'20:30:29', TIME'21:30:28')
!SELECT time_diff('HOUR', '20:30:29', 1)
&SELECT time_trunc('HOUR', TIME'09:32:05.359'), time_trunc('MINUTE', TIME'09:32:05.359'), time_trunc('second', TIME'09:32:05.359'), time_trunc('MILLISECOND', TIME'09:32:05.123456'), time_trunc('MICROSECOND', TIME'09:32:05.123456'), time_trunc(NULL, TIME'09:32:05'), time_trunc('HOUR', NULL)
&!SELECT time_trunc('DAY', TIME'09:32:05.359')
&SELECT time_from_seconds(0), time_from_seconds(52200), time_from_seconds(52200.5), time_from_seconds(86399.999999), time_from_seconds(1.5D), time_from_seconds(NULL)
&!SELECT time_from_seconds(86400)
&!SELECT time_from_seconds(-1)
&SELECT time_from_millis(0), time_from_millis(52200500), time_from_millis(86399999), time_from_micros(0), time_from_micros(52200500000), time_from_micros(86399999999), time_from_micros(NULL)
&!SELECT time_from_millis(86400000)
&!SELECT time_from_micros(-1)
&SELECT time_to_seconds(TIME'14:30:00.5'), time_to_millis(TIME'14:30:00.5'), time_to_micros(TIME'23:59:59.999999'), time_to_seconds(NULL), time_to_millis(CAST(NULL AS TIME))
&SELECT typeof(time_to_seconds(TIME'14:30:00')), typeof(time_to_millis(TIME'14:30:00')), typeof(make_time(1, 2, 3)), typeof(to_time('01:02:03')), typeof(time_trunc('HOUR', TIME'01:02:03')), typeof(time_diff('HOUR', TIME'01:02:03', TIME'01:02:03'))
&SELECT TIME'12:00:00' + INTERVAL '1' HOUR, TIME'12:00:00' - INTERVAL '30' MINUTE, INTERVAL '1.5' SECOND + TIME'12:00:00', TIME'12:00:00' - TIME'10:30:15.5'
&!SELECT TIME'23:30:00' + INTERVAL '1' HOUR
&!SELECT TIME'00:30:00' - INTERVAL '1' HOUR
!SELECT TIME'12:00:00' + INTERVAL '1' MONTH
!SELECT TIME'12:00:00' + 1
&SELECT typeof(TIME'12:00:00' - TIME'10:30:15.5'), typeof(TIME'12:00:00' + INTERVAL '1' HOUR), TIME'12:00:00' - NULL
&!SELECT CAST('12:34:56' AS TIME), CAST('12:34:56.123456' AS TIME(3)), CAST(TIME'12:34:56.123456' AS TIME(0)), CAST(TIME'12:34:56.500' AS STRING), CAST(timestamp'2026-01-02 03:04:05.678' AS TIME), CAST(timestamp_ntz'2026-01-02 03:04:05.678' AS TIME(6))
SELECT CAST(TIME'01:00:01.5' AS INT), CAST(TIME'01:00:01.5' AS BIGINT), CAST(TIME'01:00:01.5' AS DECIMAL(10, 2))
!SELECT CAST(TIME'01:00:01' AS TIMESTAMP_NTZ)
&!SELECT CAST('25:00:00' AS TIME)
&SELECT TRY_CAST('25:00:00' AS TIME), TRY_CAST('x' AS TIME(3)), CAST('1:02' AS TIME), CAST(' 01:02:03 ' AS TIME)
&!SELECT CAST(1 AS TIME)
&!SELECT CAST(DATE'2026-01-01' AS TIME)
!SELECT CAST('12:00:00' AS TIME(7))
^SELECT t FROM VALUES (TIME'12:00:00'), (TIME'01:00:00'), (NULL), (TIME'23:00:00') v(t) ORDER BY t
SELECT min(t), max(t), count(DISTINCT t) FROM VALUES (TIME'12:00:00'), (TIME'01:00:00'), (NULL), (TIME'12:00:00') v(t)
SELECT TIME'12:00:00' = '12:00:00', TIME'12:00:00' < TIME'12:00:01', TIME'12:00:00' BETWEEN TIME'11:00:00' AND TIME'13:00:00', greatest(TIME'12:00:00', TIME'13:00:00')
SELECT t, count(*) FROM VALUES (TIME'12:00:00'), (TIME'12:00:00') v(t) GROUP BY t
SELECT hash(TIME'12:34:56.789'), xxhash64(TIME'12:34:56.789'), date_format(timestamp'2026-01-01 12:00:00', 'HH')
SELECT typeof(current_time()), typeof(current_time(3)), typeof(current_time), current_time() = current_time(6), typeof(localtimestamp())
!SELECT current_time(7)
!SELECT current_time(-1)

-- random
SELECT typeof(rand()), typeof(randn()), typeof(uniform(1, 10)), typeof(uniform(1L, 10)), typeof(uniform(1, 10.5)), typeof(uniform(1, 10F)), typeof(uniform(1.5, 10D)), typeof(randstr(5)), typeof(uniform(CAST(1 AS TINYINT), CAST(2 AS SMALLINT)))
SELECT uniform(5, 5), uniform(NULL, 5), uniform(1, NULL), length(randstr(0)), length(randstr(7)), randstr(3, 0) RLIKE '^[0-9A-Za-z]{3}$'
SELECT rand() >= 0, rand(1) < 1, uniform(10, 20) BETWEEN 10 AND 20, uniform(10.5, 20.5) BETWEEN 10.5 AND 20.5, randn() IS NOT NULL
SELECT rand(0), rand(42), randn(0), randn(42), uniform(10, 20, 0), uniform(10, 20.5, 0), uniform(1L, 1000000000000L, 5), randstr(5, 0), rand(NULL), randstr(3, 42)
SELECT a, rand(42), rand(7) FROM VALUES (1), (2), (3) t(a)
SELECT a, rand(7), uniform(0, 100, 7), randstr(4, 7), randn(7) FROM VALUES (1), (2), (3) t(a)
!SELECT uniform(a, 10) FROM VALUES (1) t(a)
!SELECT uniform('a', 10)
!SELECT randstr(-1)
!SELECT randstr(a) FROM VALUES (1) t(a)
!SELECT randstr('a')
!SELECT rand('a')
SELECT sort_array(shuffle(array(1, 2, 3, NULL))), shuffle(array()), shuffle(NULL), typeof(shuffle(array(1)))
SELECT shuffle(array(1, 20, 3, 5), 0), shuffle(array(1, 20, 3, 5), 42), shuffle(array('a', 'b', 'c', 'd', 'e'), 7)
!SELECT shuffle(1)
SELECT length(uuid()), length(uuid(0)), uuid(0), uuid(42)

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

-- short zone names
SELECT from_utc_timestamp(timestamp'2026-01-15 12:00:00', 'EST'), from_utc_timestamp(timestamp'2026-07-15 12:00:00', 'EST'), from_utc_timestamp(timestamp'2026-07-15 12:00:00', 'PST'), from_utc_timestamp(timestamp'2026-07-15 12:00:00', 'CST'), from_utc_timestamp(timestamp'2026-07-15 12:00:00', 'MST'), from_utc_timestamp(timestamp'2026-07-15 12:00:00', 'HST')
SELECT to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'JST'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'IST'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'CTT'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'ECT'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'ART'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'AET')
SELECT to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'ACT'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'AGT'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'AST'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'BET'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'BST'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'CAT')
SELECT to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'CNT'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'EAT'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'IET'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'MIT'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'NET'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'NST')
SELECT to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'PLT'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'PNT'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'PRT'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'SST'), to_utc_timestamp(timestamp'2026-07-15 12:00:00', 'VST')
SELECT CAST('2026-07-15 12:00:00 PST' AS TIMESTAMP), CAST('2026-01-15 12:00:00 EST' AS TIMESTAMP), CAST('2026-01-15 12:00:00 CST' AS TIMESTAMP), timestamp'2026-01-15 12:00:00 JST', to_timestamp('2026-01-15 12:00:00 IST')
SELECT convert_timezone('PST', 'EST', timestamp_ntz'2026-07-15 12:00:00'), make_timestamp(2026, 7, 15, 12, 0, 0, 'PST'), CAST('2026-07-15 12:00:00 EST5EDT' AS TIMESTAMP), CAST('2026-07-15 12:00:00 UTC+1' AS TIMESTAMP), CAST('2026-07-15 12:00:00 +01:30' AS TIMESTAMP)
!SELECT CAST('2026-07-15 12:00:00 XST' AS TIMESTAMP)
!SELECT from_utc_timestamp(timestamp'2026-01-15 12:00:00', 'XST')
!SELECT from_utc_timestamp(timestamp'2026-01-15 12:00:00', 'pst')
SELECT from_utc_timestamp(timestamp'2026-01-15 12:00:00', 'Z'), from_utc_timestamp(timestamp'2026-01-15 12:00:00', '+1'), from_utc_timestamp(timestamp'2026-01-15 12:00:00', 'GMT+02:30'), from_utc_timestamp(timestamp'2026-01-15 12:00:00', 'UT'), from_utc_timestamp(timestamp'2026-01-15 12:00:00', 'GMT0')

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

-- random
SELECT id, rand(5L), random(5), uniform(-5, 5, 3), uniform(1Y, 100Y, 3), uniform(1S, 100, 3), uniform(1.5, 9.99, 3), uniform(1F, 2F, 3), uniform(1D, 2F, 3), uniform(20, 10, 3), randstr(2S, 5), randn(5) FROM range(0, 5, 1, 1)
SELECT rand(-1), rand(9223372036854775807L), randn(-7), uuid(-1), shuffle(sequence(1, 20), 99)
SELECT a, shuffle(array(a, 2, 3, 4, 5, 6), 3), uuid(3) FROM VALUES (1), (10) t(a)
SELECT rand(1 + 1), uniform(1 + 1, 10, 1 + 2), randstr(1 + 1, 1)
!SELECT rand(a) FROM VALUES (1) t(a)
!SELECT randstr(3, a) FROM VALUES (1) t(a)
!SELECT uniform(1, 2, a) FROM VALUES (1) t(a)
!SELECT randn('x')
!SELECT randn(1, 2)
SELECT randn(NULL), random(NULL), randstr(3, NULL) IS NOT NULL, uniform(1, 1, NULL)

-- collations
SELECT 'a' COLLATE SYSTEM.BUILTIN.UTF8_BINARY
SELECT 'a' COLLATE utf8_binary = 'a', collation('x' || 'y'), collation(upper('x'))
SELECT a FROM VALUES ('b' COLLATE UTF8_BINARY), ('a') t(a) ORDER BY a

-- the session
SELECT current_catalog(), current_schema()

-- TIME
&!SELECT TIME'12:00:00' - TIME'13:30:15.5', typeof(TIME'12:00:00' - TIME'10:30:15.5'), TIME'12:00:00' + INTERVAL '1 02:03:04' DAY TO SECOND
&SELECT CAST(NULL AS TIME), CAST('23:59:59.9999999' AS TIME), CAST('12:34:56.789' AS TIME(1)), CAST(TIME'12:34:56.789' AS TIME(1)), typeof(CAST('12:34:56' AS TIME(0)))
&!SELECT time'10:00:00' = CAST('10:00:00' AS TIME(0)), coalesce(CAST('10:00:00' AS TIME(0)), TIME'10:00:00.5'), typeof(coalesce(CAST('10:00:00' AS TIME(0)), TIME'10:00:00.5'))
&!SELECT time_diff('hours', TIME'01:00:00', TIME'02:00:00')
&SELECT time(a) FROM VALUES ('10:00:00') t(a)
SELECT hour('12:34:56'), hour(timestamp'2026-01-01 10:00:00')
&SELECT make_time(1, 2, 3.4567891)
&SELECT make_time('1', '2', '3')

-- histogram_numeric
SELECT histogram_numeric(a, 2) FROM VALUES (1), (2) t(a) GROUP BY a
SELECT histogram_numeric(a, 5), typeof(histogram_numeric(a, 5)) FROM VALUES (0), (1), (2), (10) t(a)
SELECT histogram_numeric(a, 3) FROM VALUES (1), (1), (2), (4), (7), (NULL), (10), (10.0) t(a)
SELECT histogram_numeric(a, 3), typeof(histogram_numeric(a, 3)) FROM VALUES (1.5D), (2D), (4D), (7D), (10D), (11D) t(a)
SELECT histogram_numeric(id, 10) FROM range(0, 1000, 1, 1)
SELECT histogram_numeric((id * 7919) % 1000, 7) FROM range(0, 1000, 1, 1)
SELECT histogram_numeric(a, 2), typeof(histogram_numeric(a, 2)) FROM VALUES (date'2026-01-01'), (date'2026-01-02'), (date'2026-02-01') t(a)
SELECT histogram_numeric(a, 2) FROM VALUES (timestamp'2026-01-01 00:00:00'), (timestamp'2026-01-02 00:00:00'), (timestamp'2026-02-01 00:00:00') t(a)
SELECT histogram_numeric(a, 2) FROM VALUES (CAST(NULL AS INT)) t(a)
SELECT histogram_numeric(a, 2) FROM VALUES (CAST(1.5 AS FLOAT)), (2.5F), (9F) t(a)
SELECT histogram_numeric(a, 2) FROM VALUES (CAST(1 AS TINYINT)), (2Y), (9Y) t(a)
!SELECT histogram_numeric(a, 1) FROM VALUES (1) t(a)
!SELECT histogram_numeric(a, NULL) FROM VALUES (1) t(a)
!SELECT histogram_numeric(a, a) FROM VALUES (1) t(a)
!SELECT histogram_numeric('a', 3)
SELECT histogram_numeric(a, 3) FILTER (WHERE a > 2), histogram_numeric(DISTINCT a, 3) FROM VALUES (1), (1), (2), (4), (7), (9), (30) t(a)
SELECT histogram_numeric(a, 2) FROM VALUES ('1'), ('2'), ('9') t(a)
SELECT histogram_numeric(a, 2) FROM VALUES (timestamp_ntz'2026-01-01 00:00:00'), (timestamp_ntz'2026-01-02 00:00:00') t(a)
SELECT histogram_numeric(a, 2) FROM VALUES (double('NaN')), (1D), (2D), (double('Infinity')) t(a)
SELECT histogram_numeric(a, 2) FROM VALUES (1.25), (2.50), (99.99) t(a)

-- count_min_sketch
SELECT hex(count_min_sketch(a, 0.5d, 0.5d, 1)) FROM VALUES (1), (2), (1) t(a)
SELECT md5(count_min_sketch(a, 0.01d, 0.95d, 42)), length(count_min_sketch(a, 0.01d, 0.95d, 42)) FROM VALUES ('a'), ('b'), ('a'), (NULL), ('é') t(a)
SELECT hex(count_min_sketch(a, 0.5d, 0.5d, 7)) FROM VALUES (CAST(1 AS TINYINT)), (CAST(-2 AS TINYINT)) t(a)
SELECT hex(count_min_sketch(a, 0.5d, 0.5d, 7)) FROM VALUES (1L), (9000000000L), (-5L) t(a)
SELECT hex(count_min_sketch(a, 0.5d, 0.5d, 7)) FROM VALUES (X'0102'), (X'') t(a)
SELECT hex(count_min_sketch(a, 0.5d, 0.5d, 7)) FROM VALUES (CAST(NULL AS INT)) t(a)
SELECT md5(count_min_sketch(id, 0.1d, 0.9d, 13)) FROM range(0, 1000, 1, 1)
SELECT hex(count_min_sketch(a, 0.5d, 0.5d, 1L)), typeof(count_min_sketch(a, 0.5d, 0.5d, 1L)) FROM VALUES (1) t(a)
!SELECT count_min_sketch(a, 0, 0.5d, 1) FROM VALUES (1) t(a)
!SELECT count_min_sketch(a, 0.5d, 1.5d, 1) FROM VALUES (1) t(a)
!SELECT count_min_sketch(a, 0.5d, 0.5d, NULL) FROM VALUES (1) t(a)
!SELECT count_min_sketch(a, 0.5d, 0.5d, 1) FROM VALUES (1.5D) t(a)
!SELECT count_min_sketch(a, b, 0.5d, 1) FROM VALUES (1, 0.5D) t(a, b)

-- percentile_approx
SELECT percentile_approx(a, 0.5), percentile_approx(a, 0.5, 100), approx_percentile(a, array(0, 0.1, 0.5, 0.9, 1.0)), approx_percentile(a, 0.25D, 1) FROM VALUES (1), (2), (3), (4), (10), (NULL) t(a)
SELECT percentile_approx(id, 0.5, 10), percentile_approx(id, 0.5, 100), percentile_approx(id, array(0.01, 0.25, 0.75, 0.99), 50), percentile_approx(id, 0.5) FROM range(0, 10000, 1, 1)
SELECT percentile_approx(id, array(0.1, 0.5, 0.999)), percentile_approx(id, 0.333, 1000) FROM range(0, 100000, 1, 1)
SELECT percentile_approx(id, array(0.05, 0.5, 0.9, 0.95), 10), percentile_approx(id, 0.5, 100), percentile_approx(id, 0.75, 3) FROM range(0, 100000, 1, 1)
SELECT percentile_approx(id, array(0.1, 0.5, 0.99), 20), percentile_approx(id, 0.62, 5000), percentile_approx(id, 0.3, 100000) FROM range(0, 50000, 1, 1)
SELECT percentile_approx(id, array(0.1, 0.5, 0.99), 20), percentile_approx(id, 0.62, 500), percentile_approx(id, 0.3, 2) FROM range(0, 163210, 1, 1)
SELECT percentile_approx(x, array(0.01, 0.1, 0.5, 0.9), 10), percentile_approx(x, array(0.2, 0.21), 100), percentile_approx(x, 0.5) FROM (SELECT id * 7919 % 40009 AS x FROM range(0, 40009, 1, 1))
SELECT id % 7 AS k, percentile_approx(id, 0.5, 3), percentile_approx(id, array(0.5, 0.25, 0.75), 7), percentile_approx(id, 0.9, 1000) FROM range(0, 61, 1, 1) GROUP BY id % 7
SELECT percentile_approx(a, 0.5), percentile_approx(a, array(0, 1)) FROM VALUES (9007199254740993L), (9223372036854775807L), (-9223372036854775807L) t(a)
SELECT percentile_approx(a, array(0, 0.5, 1)) FROM VALUES (double('NaN')), (-0.0D), (double('-Infinity')), (NULL) t(a)
SELECT a, percentile_approx(a, 0.5) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING), percentile_approx(a, array(0.5, 0.9)) FILTER (WHERE a > 1) OVER (PARTITION BY a % 2) FROM VALUES (1), (2), (3), (4), (NULL) t(a)
SELECT percentile_approx(a, 0.5), typeof(percentile_approx(a, 0.5)) FROM VALUES (date'2026-01-01'), (date'2026-01-03'), (date'2026-01-09') t(a)
SELECT percentile_approx(a, 0.5), typeof(percentile_approx(a, array(0.5))) FROM VALUES (timestamp'2026-01-01 00:00:00'), (timestamp'2026-01-03 00:00:01') t(a)
SELECT percentile_approx(a, 0.5), typeof(percentile_approx(a, 0.5)) FROM VALUES (INTERVAL '1' DAY), (INTERVAL '3' DAY) t(a)
SELECT percentile_approx(a, 0.5), typeof(percentile_approx(a, 0.5)) FROM VALUES (1.25), (2.50), (3.75) t(a)
SELECT percentile_approx(a, 0.5), percentile_approx(a, array(0.5)) FROM VALUES (CAST(NULL AS INT)) t(a)
SELECT percentile_approx(a, 0.5), percentile_approx(a, 0.0) FROM VALUES ('1'), ('2.5') t(a)
!SELECT percentile_approx(a, 1.5) FROM VALUES (1) t(a)
!SELECT percentile_approx(a, 0.5, 0) FROM VALUES (1) t(a)
!SELECT percentile_approx(a, 0.5, -1) FROM VALUES (1) t(a)
!SELECT percentile_approx(a, NULL) FROM VALUES (1) t(a)
!SELECT percentile_approx(a, a) FROM VALUES (1) t(a)
!SELECT percentile_approx(a, 0.5) FROM VALUES (array(1)) t(a)
SELECT median(a), percentile(a, 0.5), percentile_cont(0.5) WITHIN GROUP (ORDER BY a), percentile_approx(a, 0.5) FROM VALUES (1), (2), (3), (4) t(a)
SELECT percentile_approx(a, 0.5) FROM VALUES (timestamp_ntz'2026-01-01 00:00:00'), (timestamp_ntz'2026-01-03 00:00:01') t(a)
!SELECT percentile_approx(a, array(0.5, NULL)) FROM VALUES (1) t(a)
SELECT percentile_approx(a, '0.5'), percentile_approx(a, 0.5F) FROM VALUES (1) t(a)
SELECT percentile_approx(a, array()) FROM VALUES (1) t(a)
SELECT percentile_approx(a, 0.5, 100L) FROM VALUES (1) t(a)
SELECT percentile_approx(DISTINCT a, 0.5), percentile_approx(a, 0.5) FILTER (WHERE a > 1) FROM VALUES (1), (1), (1), (2), (3) t(a)

-- approx_count_distinct
SELECT approx_count_distinct(a), approx_count_distinct(a, 0.01), approx_count_distinct(a, 0.2) FROM (SELECT id % 1000 AS a FROM range(10000))
SELECT approx_count_distinct(id), approx_count_distinct(id, 0.01), approx_count_distinct(id, 0.3), approx_count_distinct(CAST(id AS STRING)), approx_count_distinct(CAST(id AS DOUBLE)) FROM range(0, 30000, 1, 1)
SELECT approx_count_distinct(id) FROM range(0, 100, 1, 1)
SELECT approx_count_distinct(id), approx_count_distinct(id, 0.02) FROM range(0, 20, 1, 1)
SELECT approx_count_distinct(a) FROM VALUES (1), (NULL), (1) t(a)
SELECT approx_count_distinct(a) FROM VALUES (CAST(NULL AS INT)) t(a)
SELECT approx_count_distinct(a), approx_count_distinct(a, 0.05) FROM VALUES (0.0D), (-0.0D), (double('NaN')), (double('NaN')) t(a)
SELECT approx_count_distinct(s), approx_count_distinct(d), approx_count_distinct(dec), approx_count_distinct(b), approx_count_distinct(st), approx_count_distinct(arr) FROM (SELECT concat('k', id % 500) s, date_add(date'2026-01-01', CAST(id % 700 AS INT)) d, CAST(id % 300 AS DECIMAL(20,2)) dec, id % 2 = 0 b, named_struct('a', id % 50, 'b', 'x') st, array(id % 77) arr FROM range(0, 5000, 1, 1))
SELECT k, approx_count_distinct(id) FROM (SELECT id, id % 3 AS k FROM range(0, 3000, 1, 1)) GROUP BY k
!SELECT approx_count_distinct(a, 0) FROM VALUES (1) t(a)
!SELECT approx_count_distinct(a, 'x') FROM VALUES (1) t(a)
!SELECT approx_count_distinct(a, a) FROM VALUES (1) t(a)
SELECT approx_count_distinct(id) FROM range(0, 1000000, 1, 1)
SELECT approx_count_distinct(id, 0.005), approx_count_distinct(id, 0.39) FROM range(0, 200000, 1, 1)
SELECT approx_count_distinct(id % 7) OVER (PARTITION BY id % 2) AS n, id FROM range(0, 4, 1, 1)
SELECT approx_count_distinct(DISTINCT id), approx_count_distinct(id) FILTER (WHERE id > 50) FROM range(0, 100, 1, 1)
SELECT approx_count_distinct(f), approx_count_distinct(m) FROM VALUES (CAST(1.5 AS FLOAT), map(1, 2)), (float('NaN'), map(1, 3)), (-0.0F, NULL), (0.0F, map(1, 2)) t(f, m)
SELECT approx_count_distinct(ts), approx_count_distinct(n), approx_count_distinct(x), approx_count_distinct(i), approx_count_distinct(dec) FROM (SELECT timestamp_seconds(id % 900) ts, CAST(id % 100 AS SMALLINT) n, CAST(concat('é', id % 800) AS BINARY) x, make_dt_interval(CAST(id % 300 AS INT)) i, CAST(id % 600 AS DECIMAL(10,3)) dec FROM range(0, 4000, 1, 1))
!SELECT approx_count_distinct(id, 0.05D), approx_count_distinct(id, 1) FROM range(0, 100, 1, 1)
!SELECT approx_count_distinct(id, 0.5) FROM range(0, 100, 1, 1)

-- sketches in windows
SELECT count(*), count_if(x = least(id + 1, 41L)) FROM (SELECT id, CAST(conv(substring(hex(count_min_sketch(id, 0.5D, 0.5D, 1) OVER (ORDER BY id ROWS BETWEEN 40 PRECEDING AND CURRENT ROW)), 9, 16), 16, 10) AS BIGINT) x FROM range(0, 3000, 1, 1))
SELECT count(*), count_if(x = least(id + 1, 41L)) FROM (SELECT id, h[0].y + coalesce(get(h, 1).y, 0D) + coalesce(get(h, 2).y, 0D) x FROM (SELECT id, histogram_numeric(id, 3) OVER (ORDER BY id ROWS BETWEEN 40 PRECEDING AND CURRENT ROW) h FROM range(0, 3000, 1, 1)))
SELECT count(*), sum(x) FROM (SELECT id, approx_count_distinct(id) OVER (ORDER BY id ROWS BETWEEN 40 PRECEDING AND CURRENT ROW) x FROM range(0, 3000, 1, 1))
SELECT count(*), count_if(x = least(id + 1, 41L)) FROM (SELECT id, bitmap_count(bitmap_construct_agg(id) OVER (ORDER BY id ROWS BETWEEN 40 PRECEDING AND CURRENT ROW)) x FROM range(0, 3000, 1, 1))
-- TIME with and without spark.sql.timeType.enabled
SELECT TIME'12:34:56.5', TIME'10:00 PM'
!SELECT time_to_micros(time'10:11:12.123456')
!SELECT CAST('10:00:00' AS TIME)
SELECT typeof(current_time(3))
!SELECT hour(time'10:11:12')
SELECT time'10:11:12' = time'10:11:12'
SELECT max(a) FROM VALUES (time'10:11:12') t(a)
!SELECT make_time(1, 2, 3)
!SELECT to_time('01:02:03')
!SELECT try_to_time('01:02:03')
SELECT CAST(time'10:11:12' AS STRING)
SELECT * FROM VALUES (time'10:11:12') t(a) WHERE a > time'01:00:00'
SELECT array(time'10:11:12')
!SELECT time_trunc('HOUR', time'10:11:12')
!SELECT time_diff('HOUR', time'10:11:12', time'12:11:12')
!SELECT time'10:00:00' + interval 1 hour
!SELECT time'10:00:00' - time'09:00:00'
!SELECT CAST('12:34:56' AS TIME) = time'12:34:56'
SELECT hour('12:34:56'), minute('12:34:56'), second('12:34:56'), hour('2026-01-01 05:06:07'), hour('T5'), minute('5:6')
!SELECT hour('x')
SELECT extract(hour FROM '12:34:56'), date_part('minute', '12:34:56')
SELECT CAST('12:34:56' AS TIMESTAMP) > timestamp'2020-01-01'
SELECT TIME'12:34:56.5', TIME'10:00 PM', TIME'12:00:00 am', TIME'12:00 pm', TIME'1:2:3am', TIME'01:02:03.4 PM'
SELECT TIME'10:00PM'
!SELECT TIME'13:00 PM'
!SELECT TIME'0:00 AM'
!SELECT CAST('10:00 PM' AS TIME), CAST('10:00:00.5 am' AS TIME)
!SELECT CAST('10:00 PM' AS TIMESTAMP) IS NOT NULL
!SELECT TIME'1'
SELECT TIME'T10:11'
!SELECT CAST(TIME'12:34:56.789' AS TIME(2)), CAST('12:34:56.123456' AS TIME(3)), CAST(CAST('12:34:56.123456' AS TIME(3)) AS TIME(6)), typeof(CAST('12:34:56' AS TIME(3)))
!SELECT CAST(timestamp_ntz'2026-01-02 03:04:05.678' AS TIME(1))
!SELECT CAST(timestamp'2026-01-02 03:04:05.678' AS TIME)
!SELECT to_time('12:34:56.123456'), typeof(make_time(1,2,3.5)), typeof(time_trunc('HOUR', CAST('12:34:56' AS TIME(3))))
!SELECT CAST('10:00:00' AS TIME(0)) = CAST('10:00:00' AS TIME(3)), CAST('10:00:00' AS TIME(0)) = time'10:00:00'
!SELECT coalesce(CAST('10:00:00' AS TIME(0)), TIME'10:00:00.5')
!SELECT array(CAST('10:00:00' AS TIME(0)), TIME'10:00:00.5')
!SELECT CAST('10:00:00' AS TIME(0)) UNION ALL SELECT TIME'10:00:00.5'
!SELECT * FROM VALUES (CAST('10:00:00' AS TIME(0))), (TIME'10:00:00.5') t(a)
!SELECT CAST('10:00:00' AS TIME(0)) + INTERVAL '1.5' SECOND, typeof(CAST('10:00:00' AS TIME(0)) + INTERVAL '1' HOUR), typeof(CAST('10:00:00' AS TIME(0)) + INTERVAL '1.5' SECOND)
SELECT CAST(TIME'01:00:01.5' AS INT), CAST(TIME'01:00:01.9' AS SMALLINT), CAST(TIME'01:00:01.5' AS DECIMAL(10, 2)), CAST(TIME'01:00:01.999999' AS DECIMAL(10, 1))
!SELECT CAST(TIME'12:00:01.5' AS SMALLINT)
SELECT CAST(TIME'00:00:01.5' AS TINYINT)
!SELECT CAST(TIME'12:00:01.5' AS TINYINT)
!SELECT CAST(TIME'12:00:01.5' AS DECIMAL(4, 2))
SELECT TRY_CAST(TIME'12:00:01.5' AS DECIMAL(4, 2)), TRY_CAST(TIME'12:00:01.5' AS TINYINT)
!SELECT CAST(TIME'12:00:01.5' AS DOUBLE)
!SELECT CAST(TIME'12:00:01.5' AS DATE)
!SELECT hash(CAST('12:34:56' AS TIME(0))), hash(time'12:34:56'), to_json(struct(time'12:34:56' AS a))
!SELECT hour(CAST('12:34:56' AS TIME(0))), second(CAST('12:34:56.789' AS TIME(3))), extract(SECOND FROM CAST('12:34:56.789' AS TIME(3))), typeof(extract(SECOND FROM CAST('12:34:56.789' AS TIME(3))))
!SELECT CAST('23:59:59.9999999' AS TIME), TIME'23:59:59.9999999'
!SELECT CAST(variant_get(parse_json('1'), '$') AS TIME)
&SELECT time_to_micros(time'10:11:12.123456')
&SELECT CAST('10:00:00' AS TIME)
&SELECT hour(time'10:11:12')
&SELECT make_time(1, 2, 3)
&SELECT to_time('01:02:03')
&SELECT try_to_time('01:02:03')
&SELECT time_trunc('HOUR', time'10:11:12')
&SELECT time_diff('HOUR', time'10:11:12', time'12:11:12')
&SELECT time'10:00:00' + interval 1 hour
&SELECT time'10:00:00' - time'09:00:00'
&SELECT CAST('12:34:56' AS TIME) = time'12:34:56'
&SELECT CAST('10:00 PM' AS TIME), CAST('10:00:00.5 am' AS TIME)
&SELECT CAST(TIME'12:34:56.789' AS TIME(2)), CAST('12:34:56.123456' AS TIME(3)), CAST(CAST('12:34:56.123456' AS TIME(3)) AS TIME(6)), typeof(CAST('12:34:56' AS TIME(3)))
&!SELECT CAST(timestamp_ntz'2026-01-02 03:04:05.678' AS TIME(1))
&!SELECT CAST(timestamp'2026-01-02 03:04:05.678' AS TIME)
&SELECT to_time('12:34:56.123456'), typeof(make_time(1,2,3.5)), typeof(time_trunc('HOUR', CAST('12:34:56' AS TIME(3))))
&!SELECT CAST('10:00:00' AS TIME(0)) = CAST('10:00:00' AS TIME(3)), CAST('10:00:00' AS TIME(0)) = time'10:00:00'
&!SELECT coalesce(CAST('10:00:00' AS TIME(0)), TIME'10:00:00.5')
&!SELECT array(CAST('10:00:00' AS TIME(0)), TIME'10:00:00.5')
&!SELECT CAST('10:00:00' AS TIME(0)) UNION ALL SELECT TIME'10:00:00.5'
&!SELECT * FROM VALUES (CAST('10:00:00' AS TIME(0))), (TIME'10:00:00.5') t(a)
&SELECT CAST('10:00:00' AS TIME(0)) + INTERVAL '1.5' SECOND, typeof(CAST('10:00:00' AS TIME(0)) + INTERVAL '1' HOUR), typeof(CAST('10:00:00' AS TIME(0)) + INTERVAL '1.5' SECOND)
&SELECT hash(CAST('12:34:56' AS TIME(0))), hash(time'12:34:56'), to_json(struct(time'12:34:56' AS a))
&SELECT hour(CAST('12:34:56' AS TIME(0))), second(CAST('12:34:56.789' AS TIME(3))), extract(SECOND FROM CAST('12:34:56.789' AS TIME(3))), typeof(extract(SECOND FROM CAST('12:34:56.789' AS TIME(3))))
&SELECT CAST('23:59:59.9999999' AS TIME), TIME'23:59:59.9999999'
&!SELECT CAST(variant_get(parse_json('1'), '$') AS TIME)

-- ordering of nested values, collections, BINARY, NULL without a type
SELECT greatest(array(1), array(NULL)), least(array(1), NULL, array(NULL)), array(1) < array(NULL), array_max(array(array(1), array(NULL), NULL)), array(1) BETWEEN array(NULL) AND array(2)
SELECT sort_array(array(array('b', NULL), array('b'), array('')), false), array_sort(array(named_struct('a', NULL), named_struct('a', 1), NULL))
SELECT sort_array(array(named_struct('a', X'00', 'b', ''), named_struct('a', X'', 'b', 'z'), named_struct('a', X'0001', 'b', ''), named_struct('a', X'FF', 'b', '')))
SELECT array_insert(array(1, 2, 3), -5, 9), array_insert(array(1, 2, 3), -4, 9), array_insert(array(1, 2, 3), -3, 9), array_insert(array(1, 2, 3), 7, 9)
SELECT element_at(array(1, 2), '1')
SELECT array_remove(array(-0.0D, 0.0D, 1D), 0D), array_position(array(-0.0D), 0.0D), array_contains(array(-0.0D), 0.0D)
SELECT slice(NULL, 1, 1), array_distinct(NULL), sort_array(NULL), reverse(NULL), array_compact(NULL)
SELECT typeof(array_min(NULL)), typeof(flatten(NULL)), typeof(array_union(NULL, NULL)), typeof(transform(NULL, x -> 1)), typeof(filter(NULL, x -> true))
SELECT typeof(array_max(NULL))
SELECT typeof(reverse(NULL)), typeof(array_distinct(NULL)), typeof(array_repeat(NULL, 2))
SELECT trim(X'2031'), ltrim(X'2031'), rtrim(X'3120'), btrim(X'2031')
SELECT trim(X'31')
SELECT rtrim(X'31')
SELECT btrim(X'FF31FF', X'FF'), btrim(X'616261', X'61')
SELECT btrim('abc', X'61'), btrim(X'616263', 'a')
SELECT trim(BOTH X'61' FROM X'616261')
SELECT right(X'6162', 1)
SELECT upper(X'6162')
SELECT instr(X'6162', X'62')
SELECT locate(X'62', X'6162')
SELECT position(X'62' IN X'6162')
SELECT replace(X'6162', X'61', X'63')
SELECT repeat(X'61', 2)
SELECT concat_ws(X'2C', X'61', X'62')
SELECT startswith(X'6162', X'61'), endswith(X'6162', X'62'), contains(X'6162', X''), startswith(X'', X'61'), contains(X'616263', X'6263')
SELECT startswith('ab', X'61')
SELECT startswith(X'6162', 'a')
SELECT contains(X'6162', 'a')
SELECT substring_index(X'61622E63', '.', 1)
SELECT reverse(X'6162')
SELECT ascii(X'61')
SELECT split(X'612C62', ',')
SELECT lpad(X'31', 3), rpad(X'31', 3), lpad(X'313233', 2, X'00'), rpad(X'31', 4, X'0102'), lpad(X'31', 3, X''), rpad(X'', 3, X'')
SELECT lpad('a', 3, X'31')
SELECT lpad(X'31', 3, 'a')
SELECT rpad(X'31', -1)
SELECT elt(1, X'61', X'62'), elt(2, 'a', 'b'), elt(NULL, 'a'), elt(2, 'a', NULL)
SELECT elt(3, 'a', 'b')
SELECT elt(1, X'61', 'b'), typeof(elt(1, X'61', 'b'))
SELECT elt(1, 2, 3)
SELECT elt(1, 'a', 2), typeof(elt(1, NULL, X'61'))
SELECT substr(X'616263', 2), substr(X'616263', -2, 1), substr(X'616263', 0, 2), substr(X'616263', 5), substring(X'616263' FROM 2 FOR 1)
SELECT shiftleft(1, NULL), typeof(shiftleft(1L, NULL)), typeof(shiftleft(1Y, NULL)), typeof(shiftright(1L, NULL)), shiftleft(NULL, 1)
SELECT date_part(NULL, date'2026-01-01'), typeof(date_part(NULL, date'2026-01-01')), date_part('YEAR', NULL), typeof(date_part(NULL, NULL))
SELECT extract(YEAR FROM NULL)
SELECT getbit(2, 31), getbit(2L, 63), getbit(1Y, 7), getbit(-1, 31)
SELECT getbit(2, 32)
SELECT getbit(1Y, 8)
SELECT bit_get(1S, 16)
SELECT getbit(1, -1)
SELECT sort_array(array(3, 1), 1 = 1), sort_array(array(3, 1), 1 = 2)
SELECT array_intersect(array(1), NULL)
SELECT array_union(NULL, array(1))
SELECT array_except(NULL, NULL)
SELECT array_append(NULL, 1)
SELECT array_contains(NULL, 1)
SELECT array_position(NULL, 1)
SELECT array_remove(NULL, 1)
SELECT arrays_zip(NULL, array(1))
SELECT typeof(arrays_zip(NULL, array(1)))
SELECT get(array(1), NULL), get(array(1), 1L)
SELECT get(array(1), 1L)
SELECT get(array(1, 2), 1S), get(array(1), -1)
SELECT flatten(NULL)
SELECT array_join(NULL, ',')
SELECT map_keys(NULL)
SELECT map_from_entries(NULL)
SELECT map_from_arrays(NULL, array(1))
SELECT transform(NULL, x -> 1)
SELECT size(NULL), array_size(NULL)
SELECT collation(NULL)
SELECT collation(X'61')
SELECT concat(NULL, array(1))
SELECT concat(NULL, NULL), typeof(concat(NULL, NULL)), typeof(concat(NULL, 'a')), typeof(concat(array(1), array(1L)))
SELECT concat(array(1), NULL)
SELECT concat(map(1, 2))
SELECT concat(named_struct('a', 1))
SELECT concat(array(1), array('a'))
SELECT concat(1, 'a', 2.5, true, date'2026-01-01'), concat(X'61', 'b'), typeof(concat(X'61', 'b')), typeof(concat(X'61', NULL))
SELECT bround(2.5, NULL), typeof(round(2.5, NULL)), round(1, NULL), typeof(ceil(2.5, NULL)), floor(2.5D, NULL)
SELECT shuffle(array(1), NULL)
SELECT try_multiply(interval '1-2' year to month, 2147483647), try_multiply(interval '1' day, 9223372036854775807L), try_multiply(interval '1' day, 1e300D), try_divide(interval '1' day, 0), try_divide(interval '1-2' year to month, 0.0D), try_add(interval '178956970-7' year to month, interval '1' month)
SELECT try_multiply(interval '1' day, double('NaN')), try_multiply(interval '1' month, double('NaN')), try_divide(interval '1' month, 1e-300D), try_divide(interval '1' day, 1e-300D)
SELECT interval '1' day * double('NaN'), interval '3' day * 1.5D, interval '1' second * 0.0000005BD, interval '1' second * 0.0000015D, interval '5' month * 0.5D, interval '5' month * 0.5BD, interval '5' month * 0.3D
SELECT interval '1' month * double('NaN')
SELECT interval '1' day * 1e300D
SELECT interval '1' month * 1e300D
SELECT interval '1' month * 99999999999BD
SELECT interval '1' day * double('Infinity')
SELECT interval '1' day / double('NaN')
SELECT interval '1' month / 1e-300D
SELECT interval '1' day / double('Infinity'), interval '5' month / double('-Infinity')
SELECT CASE WHEN NULL THEN 1 END
SELECT CASE WHEN NULL THEN 1 WHEN true THEN 2 END
SELECT CASE NULL WHEN 1 THEN 2 ELSE 3 END, CASE 1 WHEN NULL THEN 2 ELSE 3 END
SELECT if(NULL, 1, 2)
SELECT if(NULL, 1, 'a')
SELECT iff(NULL, 1, 2)
SELECT nvl2(NULL, 1, 2)
SELECT if('true', 1, 2)
SELECT CASE WHEN 'true' THEN 1 END
SELECT if(1, 2, 3)
SELECT map(1, 2) EXCEPT SELECT map(1, 2)
SELECT to_timestamp('366', 'D')
SELECT to_timestamp('367', 'D')
SELECT to_timestamp('20', 'D')
SELECT to_timestamp('0', 'D')
SELECT to_timestamp('020', 'DDD')
SELECT to_timestamp('2025 366', 'yyyy D')
SELECT to_timestamp('13', 'M')
SELECT to_timestamp('30', 'd')
SELECT to_timestamp('32', 'd')
SELECT convert_timezone('GMT+1', timestamp'2024-02-29 00:00:00.5'), convert_timezone('UTC+2', timestamp_ntz'2024-02-29 00:00:00.5'), convert_timezone('+05:30', timestamp_ntz'2024-02-29 00:00:00'), convert_timezone('PST', timestamp_ntz'2024-02-29 00:00:00')
SELECT convert_timezone('nosuch', timestamp_ntz'2024-02-29 00:00:00')
SELECT timestamp_seconds(9223372036854775807L)
SELECT timestamp_millis(9223372036854775807L)
SELECT timestamp_seconds(1e300D)
SELECT timestamp_seconds(double('NaN')), timestamp_seconds(double('Infinity')), timestamp_seconds(1.0000005D), timestamp_seconds(1.5F)
SELECT from_unixtime(9223372036854775807L), from_unixtime(9223372036854L), from_unixtime(-9223372036855L)
SELECT try_to_binary('!!!!', 'base64'), try_to_binary('YW Jj', 'base64'), try_to_binary('YWJ', 'base64'), try_to_binary('YWJj=', 'base64'), try_to_binary('YQ', 'base64'), try_to_binary('Y', 'base64'), try_to_binary('', 'base64'), try_to_binary('YWJjZ===', 'base64'), try_to_binary('YQ==YQ==', 'base64'), try_to_binary('YQ=', 'base64'), try_to_binary(concat('YW', chr(10), 'Jj'), 'base64'), try_to_binary('YW-_', 'base64'), try_to_binary('=', 'base64'), try_to_binary('YR==', 'base64'), try_to_binary('YWJj====', 'base64')
SELECT unbase64('!!!!'), unbase64('YW Jj'), unbase64('YQ'), unbase64('YQ==YQ=='), unbase64('YW-_')
SELECT unbase64('Y')
SELECT format_string('%.2f', 1.25BD)
SELECT format_string('%.2f', 1.25D), format_string('%s', 1.25), format_string('%e', 1.25D), format_string('%10.3f|', 2.5F), format_string('%d', 5L), format_string('%s %s', 1.50BD, date'2026-01-02')
SELECT format_string('%d', 1.5BD)
SELECT format_string('%e', 1.5BD)
SELECT format_string('%x', 255), format_string('%x', -1L), format_string('%c', 65), format_string('%b', NULL), format_string('%s', NULL)
SELECT array(1, '2'), coalesce(1, '2'), greatest(1, 2L), typeof(array(1, '2'))
SELECT 1 IN ('1', 2), 1 IN (1, '2'), '1' IN (1, 2)
SELECT 1 IN (2, 'b')
SELECT 1 IN ('b', 1)
SELECT array_sort(array(5, 2147483647, -1, 3), (x, y) -> CASE WHEN x < y THEN -1 WHEN x > y THEN 1 ELSE 0 END), array_sort(array(-1, 2147483647), (x, y) -> y - x), array_sort(array(2147483647, -1), (x, y) -> x - y)
SELECT array_sort(array(2147483647, -1), (x, y) -> y - x)
SELECT array_sort(array('b', 'a', 'c', 'aa'), (x, y) -> length(x) - length(y)), array_sort(array(1, NULL, 3), (x, y) -> CASE WHEN x IS NULL THEN -1 WHEN y IS NULL THEN 1 ELSE y - x END)
SELECT to_date('20260102', 'D')
SELECT to_timestamp('20260102', 'D')
SELECT to_timestamp('2026', 'D')
@Australia/Lord_Howe SELECT to_date('20', 'D')
SELECT to_date('366', 'D')
SELECT to_date('367', 'D')
SELECT to_date('0', 'D')
SELECT try_to_timestamp('2026', 'D'), try_to_timestamp('367', 'D'), try_to_timestamp('20260102', 'D')

-- number formats
SELECT to_char(X'616263', 'utf-8'), to_char(X'616263', 'UTF8'), to_char(X'61FF', 'hex'), to_char(X'616263', 'base64'), to_varchar(X'61', 'HEX'), to_char(CAST(NULL AS BINARY), 'hex')
SELECT to_char(X'FF', 'utf-8')
SELECT to_char(X'61', 'nosuch')
SELECT to_char(c, 'base64') FROM VALUES (X'61'), (X''), (NULL) t(c)
^SELECT c, to_char(c, '999') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, 'S999') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '99.99') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '9,999') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '$99.99') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '000') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '999PR') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '999MI') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '0,000.0') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '99') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, 'S0') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '0') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '9') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '9.9') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '.99') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '.00') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '99.') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '00.00') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '990.00') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '909') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, 'S9,999.99') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '9,999.99S') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '$9,999') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '$0,000.00') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, 'S$99') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, 'MI999') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, 'MI$99.9') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '99.9MI') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '99.9S') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '9,999PR') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '$999PR') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '0,000PR') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '9G999D99') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '99D9S') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '9,99,999') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '09,999') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '90,000') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '0.0') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '99.00') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '$S99') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '9,999,999,999.99') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, 'PR99') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '99PRS') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '99$') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '9.9.9') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '9,,9') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, ',999') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '999,') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '$') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, 'S') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '9A') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, 'SS9') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '99SS') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '9.9,9') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, 'S999S') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, 's999') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '999pr') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '999mi') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '9g999d9') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, '0000000000') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, 'S0,000,000,000.000') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, 'L99') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, to_char(c, 'FM99') FROM VALUES (CAST(0 AS DECIMAL(10,2))), (CAST(1.5 AS DECIMAL(10,2))), (CAST(-1.5 AS DECIMAL(10,2))), (CAST(12 AS DECIMAL(10,2))), (CAST(-12 AS DECIMAL(10,2))), (CAST(0.05 AS DECIMAL(10,2))), (CAST(-0.5 AS DECIMAL(10,2))), (CAST(123 AS DECIMAL(10,2))), (CAST(1234.56 AS DECIMAL(10,2))), (CAST(-9999.9 AS DECIMAL(10,2))), (NULL), (CAST(12345678.91 AS DECIMAL(10,2))) t(c)
^SELECT c, try_to_number(c, '999') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, 'S999') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '99.99') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '9,999') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '$99.99') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '000') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '999PR') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '999MI') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '0,000.0') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '99') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, 'S0') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '0') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '9') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '9.9') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '99.') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '00.00') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '990.00') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '909') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, 'S9,999.99') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '9,999.99S') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '$9,999') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '$0,000.00') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, 'S$99') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, 'MI999') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, 'MI$99.9') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '99.9MI') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '99.9S') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '9,999PR') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '$999PR') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '0,000PR') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '9G999D99') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '99D9S') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '9,99,999') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '09,999') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '90,000') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '0.0') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '99.00') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '$S99') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '9,999,999,999.99') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, 'PR99') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '99PRS') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '99$') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '9.9.9') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
^SELECT c, try_to_number(c, '9,,9') FROM VALUES ('123'), ('-1'), ('12.34'), ('1,234'), ('$99.90'), ('ff'), (''), (' 12 '), ('abc'), ('<12>'), ('12-'), ('+7'), ('0'), ('99999999999999999999'), ('1.5'), ('.5'), ('12.'), ('$5'), ('-$5'), ('$-5'), ('<5>'), ('<$5>'), ('5+'), ('1234.5'), ('012'), ('00'), ('+12'), ('12+'), ('1,2'), (',123'), ('-'), ('+') t(c)
SELECT to_number('1', ',999')
SELECT to_number('1', '999,')
SELECT to_number('1', '$')
SELECT to_number('1', 'S')
SELECT to_number('1', '9A')
SELECT to_number('1', 'SS9')
SELECT to_number('1', '99SS')
SELECT to_number('1', '9.9,9')
SELECT to_number('1', 'S999S')
SELECT to_number('1', 's999')
SELECT to_number('1', '999pr')
SELECT to_number('1', '999mi')
SELECT to_number('1', '9g999d9')
SELECT to_number('1', '0000000000')
SELECT to_number('1', 'S0,000,000,000.000')
SELECT to_number('1', 'L99')
SELECT to_number('1', 'FM99')
SELECT to_char(1234567, '999'), to_char(12, '9999'), to_char(1.5D, '9.9'), to_char('1.5', '99.99'), to_char(2L, '$9'), to_char(1.25F, '9.99')
SELECT to_char(NULL, '99')
SELECT to_char(12, NULL)
SELECT to_char(12, f) FROM VALUES ('99') t(f)
SELECT to_number('12', f) FROM VALUES ('99') t(f)
SELECT to_number('12', NULL)
SELECT to_number(NULL, '99')

-- JSON, CSV and VARIANT by hand
SELECT to_variant_object(map('x', 1)), to_variant_object(named_struct('a', array(NULL)))
SELECT to_variant_object(array(NULL))
SELECT if(true, parse_json('1'), 'x'), typeof(if(true, parse_json('1'), 'x')), coalesce(parse_json('1'), 'a')
SELECT CASE WHEN true THEN parse_json('1') ELSE 2 END, typeof(coalesce(1, parse_json('1')))
SELECT array(parse_json('1'), 2)
SELECT parse_json('1') + 1
SELECT parse_json('1') = 1
SELECT parse_json('1') < 1
SELECT 1 <=> parse_json('1')
SELECT parse_json('1') IN (1, 2)
SELECT parse_json('1') BETWEEN 1 AND 2
SELECT parse_json('1') || 'x'
SELECT -parse_json('1')
SELECT nullif(parse_json('1'), 1)
SELECT greatest(parse_json('1'), 1)
SELECT parse_json('1') AND true
SELECT DISTINCT parse_json('1')
SELECT parse_json('1') UNION SELECT 1
SELECT parse_json('1') INTERSECT SELECT parse_json('1')
SELECT count(*) FROM VALUES (parse_json('1')) t(v) GROUP BY v
SELECT v FROM VALUES (parse_json('1')) t(v) ORDER BY v
SELECT map(parse_json('1'), 1)
SELECT CAST(parse_json('1.5') AS TIMESTAMP), CAST(parse_json('1') AS TIMESTAMP), CAST(parse_json('1e3') AS TIMESTAMP)
SELECT CAST(parse_json('true') AS TIMESTAMP)
SELECT TRY_CAST(parse_json('[1, "x", null, [2], 2.5, "7", true]') AS ARRAY<INT>), TRY_CAST(parse_json('{"a": "x", "b": 1}') AS MAP<STRING, INT>), TRY_CAST(parse_json('{"a": "x", "b": 1}') AS STRUCT<a: INT, b: STRING>), TRY_CAST(parse_json('[[1], ["x"]]') AS ARRAY<ARRAY<INT>>)
SELECT TRY_CAST(parse_json('[1, 2]') AS ARRAY<STRUCT<a: INT>>), TRY_CAST(parse_json('{"a": 1}') AS ARRAY<INT>), TRY_CAST(parse_json('1') AS MAP<STRING, INT>)
SELECT CAST(parse_json('[1, "x"]') AS ARRAY<INT>)
SELECT try_variant_get(parse_json('[1, "x"]'), '$', 'array<int>'), try_variant_get(parse_json('{"a": [1, "x"]}'), '$', 'struct<a: array<int>>'), variant_get(parse_json('{"a": [1, null]}'), '$', 'struct<a: array<int>>')
SELECT variant_get(parse_json('[1, "x"]'), '$', 'array<int>')
SELECT CAST(CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10)) AS VARIANT), CAST(CAST('0.00000000000000000001' AS DECIMAL(38,20)) AS VARIANT), CAST(CAST('12345678901234567890.123' AS DECIMAL(38,3)) AS VARIANT), CAST(CAST('99999999999999999999999999999999999999' AS DECIMAL(38,0)) AS VARIANT)
SELECT CAST(CAST(CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10)) AS VARIANT) AS STRING), to_json(CAST(CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10)) AS VARIANT)), CAST(CAST(CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10)) AS VARIANT) AS DECIMAL(38,10))
SELECT get_json_object('[{"a": 1}, {"a": 2}]', '$.a'), get_json_object('[{"a": 1}, {"a": 2}]', '$[*].a'), get_json_object('[{"a": 1}]', '$[*].a'), get_json_object('[[1, 2], [3]]', '$[*][*]'), get_json_object('[[1, 2], [3]]', '$[*]'), get_json_object('[[1]]', '$[*][*]')
SELECT get_json_object('{"a": [{"b": 1}, {"b": "x"}]}', '$.a.b'), get_json_object('{"a": [{"b": 1}, {"b": "x"}]}', '$.a[*].b'), get_json_object('{"a": {"b": 1, "c": "x"}}', '$.a.*'), get_json_object('{"a": [1, 2]}', '$.a[*]'), get_json_object('{"a": ["x"]}', '$.a[*]'), get_json_object('{"a": [null]}', '$.a[0]')
SELECT get_json_object('[1, 2]', '$[1 ]'), get_json_object('{"a b": 1}', '$.a b'), get_json_object('{"a.b": 1}', '$[''a.b'']'), get_json_object('{"a": 1}', '$["a"]'), get_json_object('{"a": 1}', '$a'), get_json_object('{"a": 1}', ' $.a'), get_json_object('{"a": 1}', '$.a ')
SELECT get_json_object('[1.50, 1e3, 12345678901234567890, 12345678901234567890.123, 0.1e-10, 100, -0, 1E400, -1e400]', '$'), get_json_object('{"a": 1.50}', '$.a'), get_json_object('{"a": 1e3}', '$.a'), get_json_object('{"a": 1e400}', '$.a')
SELECT get_json_object('{"a": 1}x', '$.a'), get_json_object('{"a": 1', '$.a'), get_json_object('{"a": 1, "a": 2}', '$.a'), get_json_object('{''a'': ''x''}', '$.a'), get_json_object('{"a": NaN}', '$.a'), get_json_object('{a: 1}', '$.a'), get_json_object('{"a": "\\u00e9\\/\\n"}', '$'), get_json_object('{"a": {"x": "\\u00e9\\n"}}', '$.a')
SELECT json_tuple('{"a": 1.50, "b": {"c": 1e3}, "d": [1.10]}', 'a', 'b', 'd')
SELECT json_tuple('{"a": 1, "a": 2}', 'a', 'x')
SELECT from_json('{"a": 1.50, "b": {"c": 1e3, "d": "x"}}', 'a STRING, b STRING'), from_json('{"a": [1, 2.50]}', 'a STRING'), from_json('{"a": 1e400}', 'a STRING'), from_json('{"a": 1e400}', 'a DOUBLE')
SELECT from_json('{"a": "NaN"}', 'a DOUBLE'), from_json('{"a": NaN}', 'a DOUBLE'), from_json('{"a": NaN}', 'a STRING'), from_json('{"a": "Infinity"}', 'a FLOAT'), from_json('{"a": -INF}', 'a DOUBLE'), from_json('{"a": "1.5"}', 'a DOUBLE')
SELECT from_json('{"a": "NaN"}', 'a DOUBLE', map('allowNonNumericNumbers', 'false')), from_json('{"a": NaN}', 'a DOUBLE', map('allowNonNumericNumbers', 'false')), from_json('{"a": 1, "b": NaN}', 'a INT, b DOUBLE', map('allowNonNumericNumbers', 'false'))
SELECT from_json('{''a'': 1}', 'a INT'), from_json('{''a'': 1}', 'a INT', map('allowSingleQuotes', 'false')), from_json('{"a": ''x''}', 'a STRING', map('allowSingleQuotes', 'false')), from_json('{''a'': 1}', 'a INT', map('allowSingleQuotes', 'true'))
SELECT from_json('{a: 1}', 'a INT'), from_json('{a: 1, b_2: "x"}', 'a INT, b_2 STRING', map('allowUnquotedFieldNames', 'true'))
SELECT from_json('{"a": /* x */ 1}', 'a INT'), from_json('{"a": /* x */ 1} // y', 'a INT', map('allowComments', 'true')), from_json(concat('// y', chr(10), '{"a": 1}'), 'a INT', map('allowComments', 'true'))
SELECT from_json('{"a": 001}', 'a INT'), from_json('{"a": 001}', 'a INT', map('allowNumericLeadingZeros', 'true')), from_json('{"a": -007.5}', 'a DOUBLE', map('allowNumericLeadingZeros', 'true'))
SELECT from_json('{"a": "\\$x"}', 'a STRING'), from_json('{"a": "\\$x"}', 'a STRING', map('allowBackslashEscapingAnyCharacter', 'true'))
SELECT from_json(concat('{"a": "x', chr(9), 'y"}'), 'a STRING'), from_json(concat('{"a": "x', chr(9), 'y"}'), 'a STRING', map('allowUnquotedControlChars', 'true'))
SELECT from_json('{"a": 1}', 'a INT', map('allowComments', 'x'))
SELECT from_json('{"a": 1}', 'a INT', map('mode', 'DROPMALFORMED'))
SELECT from_json('{"a": {"x": [1, "y", null]}, "b": 1.5}', 'a VARIANT, b VARIANT'), from_json('{"a": 1}', 'b VARIANT'), from_json('[1, {"a": 2}]', 'array<variant>'), from_json('{"a": "x"}', 'map<string, variant>'), from_json('{"a": null}', 'a VARIANT'), from_json('{"a": {"x": 1, "x": 2}}', 'a VARIANT')
SELECT from_json('{"a": 1}', 'VARIANT'), from_json('[1, 2]', 'variant'), from_json('bad', 'variant'), from_json('', 'variant'), from_json('{"a": 1, "a": 2}', 'variant'), from_json('1 2', 'variant')
SELECT from_json('{"a": 1}x', 'a INT'), from_json('{"a": 1} {"a": 2}', 'a INT'), from_json('[{"a": 1}, {"a": 2}]', 'a INT'), from_json('[{"a": 1}]', 'a INT'), from_json('[]', 'a INT'), from_json('[1]', 'a INT')
SELECT parse_json('1 x'), parse_json('"a"x'), parse_json('[1]]'), parse_json('null 1'), parse_json(' {"a": 1} x ')
SELECT parse_json('1x')
SELECT parse_json('truex')
SELECT try_parse_json('true-'), try_parse_json('1,'), try_parse_json('{''a'': 1}'), try_parse_json('NaN'), try_parse_json('{"a": 1,}'), try_parse_json('01'), try_parse_json('1.'), try_parse_json('.5'), try_parse_json('+1'), try_parse_json('"\\x"'), try_parse_json(''), try_parse_json(' '), try_parse_json('{"a": {"b": 1, "b": 2}}'), try_parse_json('[1 2]'), try_parse_json('1/'), try_parse_json('nullx'), try_parse_json('null,')
SELECT schema_of_json('{"a": 1, "a": "x"}'), schema_of_json('{''a'': 1}'), schema_of_json('[1, 2.5] x'), schema_of_json('{"a": NaN}'), schema_of_json('1x')
SELECT schema_of_json('{"a": 1, "a": "x", "A": 2}'), schema_of_json('[{"a": 1, "a": "x"}, {"a": 2.5}]')
SELECT schema_of_json('bad')
SELECT json_array_length('[1, 2] x'), json_array_length('[1, 2'), json_array_length('{"a": 1}'), json_array_length('[1, NaN]'), json_object_keys('{"a": 1, "a": 2} x'), json_object_keys('{"a": 1'), json_object_keys('[1]')
SELECT to_json(from_json('{"a": {"x": 1.50}}', 'a VARIANT')), to_json(parse_json('[1.50, 1e3, 12345678901234567890, 12345678901234567890.123, 0.1e-10, -0, 1e400]'))
SELECT parse_json('1e400')
SELECT parse_json('12345678901234567890123456789012345678901234567890'), parse_json('0.00000000000000000000000000000000000000000001'), parse_json('1.0'), parse_json('-0.0'), parse_json('100000000000000000000000000000000000000')
SELECT from_csv('"q""uote",1', 'a STRING'), from_csv('"q""uote",1', 'a STRING, b INT'), from_csv('"a"b,1', 'a STRING, b INT'), from_csv('a"b,1', 'a STRING, b INT'), from_csv('a""b,1', 'a STRING, b INT'), from_csv('"a\\"b",1', 'a STRING, b INT'), from_csv('"a', 'a STRING'), from_csv('"a,1', 'a STRING, b INT')
SELECT from_csv('"q""uote"', 'a STRING'), from_csv('"q""', 'a STRING'), from_csv('"""q"""', 'a STRING'), from_csv('""""', 'a STRING'), from_csv('"a""b""c",2', 'a STRING, b INT'), from_csv('"a"",2', 'a STRING, b INT'), from_csv('x,"a""b"', 'a STRING, b STRING')
SELECT schema_of_csv(' ')
SELECT e.* FROM variant_explode(parse_json('[1, 2]')) e
SELECT k, e.* FROM VALUES (1) t(k), LATERAL variant_explode(parse_json('{"a": k}')) e
SELECT pos, key, value FROM variant_explode_outer(parse_json('null'))
SELECT schema_of_variant(parse_json('{"a": [1, 2.5, "x"], "b": null, "c": {}}')), schema_of_variant(parse_json('[]')), schema_of_variant(NULL)

-- casts, tables and windows by hand
SELECT s FROM VALUES (named_struct('a', NULL, 'b', 'x')), (named_struct('a', 1, 'b', 'x')), (named_struct('a', -1, 'b', NULL)), (NULL) t(s) ORDER BY s
SELECT DISTINCT s FROM VALUES (named_struct('a', NULL, 'b', 'x')), (named_struct('a', 1, 'b', 'x')), (named_struct('a', -1, 'b', NULL)) t(s) ORDER BY s DESC
SELECT min(s), max(s), max_by(k, s), min(s) FILTER (WHERE s > array(1)) FROM VALUES (array(1, NULL), 1), (array(1), 2), (array(1, 2), 3) t(s, k)
SELECT s, row_number() OVER (ORDER BY s), max(s) OVER (ORDER BY s) FROM VALUES (array(1, NULL)), (array(1)), (array(1, 2)) t(s)
SELECT sort_array(array(array(1.5D), array(double('NaN')), array(-0.0D), array(double('-Infinity')), array(CAST(NULL AS DOUBLE))))
SELECT array_insert(a, p, 0), array_insert(a, p, NULL) FROM VALUES (array(1, 2), 3), (array(1), NULL), (NULL, 2), (array(), -1) t(a, p)
SELECT array_insert(a, p, 0) FROM VALUES (array(1, 2), 3), (array(1), 0) t(a, p)
SELECT aggregate(array(array(1, 2), array(3)), 0, (a, x) -> a + reduce(x, 0, (b, y) -> b + y + a)), reduce(CAST(NULL AS ARRAY<INT>), '', (a, x) -> a, a -> 5)
SELECT aggregate(a, named_struct('s', 0D, 'n', 0), (acc, x) -> named_struct('s', acc.s + x, 'n', acc.n + 1), acc -> acc.s / acc.n) FROM VALUES (array(1, 2, 3)), (array(5)), (NULL) t(a)
SELECT aggregate(a, CAST(0 AS BIGINT), (acc, x) -> acc + k) FROM VALUES (array(1, 2, 3), 2), (array(5), 3), (NULL, 4) t(a, k)
SELECT array_distinct(array(-0.0F, 0.0F)), array_except(array(-0.0D, 1D), array(1D)), array_intersect(array(-0.0D, 1D), array(0.0D)), sort_array(collect_set(x)) FROM VALUES (-0.0F), (1.5F) t(x)
SELECT element_at(array(1, 2), CAST(1 AS BIGINT))
SELECT try_element_at(a, p) FROM VALUES (array(1, 2), 2), (array(1), 5), (NULL, 1), (array(1), NULL) t(a, p)
SELECT lpad(X'31', NULL, X'00'), rpad(CAST(NULL AS BINARY), 3)
SELECT overlay(X'01020304' PLACING X'FF' FROM 2), overlay(X'01020304' PLACING X'FFFE' FROM 2 FOR 1), overlay(X'01020304', X'FF', 10), overlay(X'0102', X'FF', 0), overlay(X'010203', X'FF', -1)
SELECT overlay('abc' PLACING X'31' FROM 2)
SELECT overlay(X'616263' PLACING 'x' FROM 2)
SELECT elt(i, 'a', 'b') FROM VALUES (1), (2), (NULL) t(i)
SELECT elt(i, 'a', 'b') FROM VALUES (1), (0) t(i)
SELECT left(X'616263', -1), left(X'616263', 2), left(X'616263', 5), left(CAST(NULL AS BINARY), 1), left(X'61', NULL)
SELECT date_part(s, date'2026-01-01') FROM VALUES ('YEAR') t(s)
SELECT sort_array(array(1, 2), NULL), sort_array(array(1), CAST(NULL AS BOOLEAN))
SELECT sort_array(a, b) FROM VALUES (array(1), true) t(a, b)
SELECT arrays_overlap(NULL, NULL)
SELECT round(2.5, x) FROM VALUES (1) t(x)
SELECT CAST('1234567890123456789012345678.01' AS DECIMAL(38,2)) div 1BD, -CAST('1234567890123456789012345678.01' AS DECIMAL(38,2)) div 3
SELECT CAST('9223372036854775808' AS DECIMAL(20,0)) div 1
SELECT try_cast('x' AS INT) div 2, 7.5BD div 2, -7.5BD div 2
SELECT if(CAST(NULL AS BOOLEAN), 1, 2), CASE WHEN CAST(NULL AS BOOLEAN) THEN 1 ELSE 0 END
SELECT timestamp_seconds(CAST('12345678901234567890' AS DECIMAL(20,0)))
SELECT CAST(CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10)) AS TIMESTAMP), CAST(1e20D AS TIMESTAMP), CAST(-1e20D AS TIMESTAMP), CAST(1e13BD AS TIMESTAMP)
SELECT CAST(1e20D AS TIMESTAMP)
SELECT TRY_CAST(1e20D AS TIMESTAMP), TRY_CAST(1e300D AS TIMESTAMP), TRY_CAST(9223372036854D AS TIMESTAMP), TRY_CAST(9223372036854.775807D AS TIMESTAMP), TRY_CAST(-9223372036855D AS TIMESTAMP), TRY_CAST(double('NaN') AS TIMESTAMP), TRY_CAST(9223372036855F AS TIMESTAMP)
SELECT CAST(double('NaN') AS TIMESTAMP)
SELECT CAST(9223372036855L AS TIMESTAMP), CAST(-9223372036855L AS TIMESTAMP), CAST(9223372036854775807L AS TIMESTAMP)
SELECT CAST(99999999999999999999BD AS TIMESTAMP), CAST(9223372036854.775808BD AS TIMESTAMP), CAST(-9223372036854.775809BD AS TIMESTAMP)
SELECT CAST('٣' AS INT), CAST('٣.٥' AS DOUBLE)
SELECT CAST('٣' AS DECIMAL(10,2)), CAST('１２' AS DECIMAL(10,2)), CAST('-٣٫٥' AS DECIMAL(10,2))
SELECT CAST('日本' AS INTERVAL DAY TO SECOND)
SELECT CAST('x' AS INTERVAL YEAR TO MONTH)
SELECT CAST('1' AS INTERVAL YEAR TO MONTH)
SELECT CAST('x' AS INTERVAL YEAR)
SELECT CAST('x' AS INTERVAL MONTH)
SELECT CAST('1' AS INTERVAL YEAR), CAST('13' AS INTERVAL MONTH), CAST('5' AS INTERVAL DAY), CAST('5' AS INTERVAL HOUR)
SELECT CAST('x' AS INTERVAL DAY)
SELECT CAST('x' AS INTERVAL HOUR TO SECOND)
SELECT CAST('x' AS INTERVAL MINUTE)
SELECT CAST('x' AS INTERVAL SECOND)
SELECT CAST('1 25:00:00' AS INTERVAL DAY TO SECOND)
SELECT CAST('1-13' AS INTERVAL YEAR TO MONTH)
SELECT CAST('' AS INTERVAL DAY TO SECOND)
SELECT CAST('' AS INTERVAL YEAR TO MONTH)
SELECT CAST('99999999999-1' AS INTERVAL YEAR TO MONTH)
SELECT CAST('106751992 00:00:00' AS INTERVAL DAY TO SECOND)
SELECT CAST('999999999' AS INTERVAL YEAR)
SELECT CAST(interval '1' day AS DECIMAL(3,1)), CAST(interval '1' day AS DECIMAL(1,0))
SELECT CAST(interval '100' day AS DECIMAL(1,0))
SELECT CAST(interval '1 02:03:04.5' day to second AS DECIMAL(3,1))
SELECT CAST(interval '100' day AS TINYINT), CAST(interval '10' second AS INT)
SELECT CAST(interval '1000' day AS TINYINT)
SELECT CAST(interval '100' year AS TINYINT), CAST(interval '1-2' year to month AS INT), CAST(interval '100-2' year to month AS DECIMAL(3,0))
SELECT CAST(interval '10000' month AS DECIMAL(3,0))
SELECT CAST(timestamp'9999-12-31 23:59:59.999999' AS DECIMAL(20,6)), CAST(timestamp'9999-12-31 23:59:59.999999' AS DOUBLE), CAST(timestamp'0001-01-01 00:00:00.000001' AS DECIMAL(20,6)), CAST(timestamp'2026-01-01 00:00:00.123456' AS DECIMAL(12,1)), CAST(timestamp'2026-01-01 00:00:00.65' AS DECIMAL(12,1))
SELECT CAST(timestamp'9999-12-31 23:59:59.999999' AS DECIMAL(10,2))
SELECT CAST(timestamp'9999-12-31 23:59:59.999999' AS INT)
SELECT median(x) OVER (ORDER BY x) FROM VALUES (1) t(x)
SELECT median(x) OVER (PARTITION BY x), percentile(x, 0.5) OVER () FROM VALUES (1), (2) t(x)
SELECT percentile(x, 0.5) OVER (ORDER BY x) FROM VALUES (1), (2) t(x)
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) OVER (ORDER BY x) FROM VALUES (1), (2) t(x)
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) OVER (PARTITION BY x) FROM VALUES (1), (2) t(x)
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY x) OVER (ORDER BY x) FROM VALUES (1), (2) t(x)
SELECT mode(x) OVER (ORDER BY x), approx_percentile(x, 0.5) OVER (ORDER BY x) FROM VALUES (1), (2) t(x)
SELECT median(x) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM VALUES (1), (2) t(x)
SELECT median(x) OVER (ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM VALUES (1), (2) t(x)
SELECT median(x) OVER (ORDER BY x ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM VALUES (1), (2) t(x)
SELECT listagg(x, ',') WITHIN GROUP (ORDER BY x) OVER (ORDER BY x) FROM VALUES ('a'), ('b') t(x)
SELECT listagg(x, ',') OVER (ORDER BY x) FROM VALUES ('a'), ('b') t(x)
SELECT percentile_approx(d, 0.5), approx_percentile(d, array(0.1, 0.9)) FROM VALUES (date'2026-01-01'), (date'2026-01-05'), (NULL), (date'2025-01-01') t(d)
SELECT percentile_approx(d, 0.5), typeof(percentile_approx(d, 0.5)) FROM VALUES (timestamp'2026-01-01 00:00:00'), (timestamp'2026-01-05 00:00:00') t(d)
SELECT percentile_approx(d, 0.5), typeof(percentile_approx(d, array(0.5))) FROM VALUES (interval '1' day), (interval '3' day) t(d)
SELECT percentile_approx(d, 0.5) FROM VALUES (interval '1' month), (interval '3' month) t(d)
SELECT percentile(d, 0.5) FROM VALUES (date'2026-01-01') t(d)
SELECT * FROM VALUES (1), ('a') t(a)
SELECT * FROM VALUES (1), ('2') t(a)
SELECT * FROM VALUES (1.5), ('2'), (NULL) t(a)
SELECT * FROM VALUES (date'2026-01-01'), ('2026-01-02') t(a)
SELECT * FROM VALUES (true), ('false') t(a)
SELECT * FROM VALUES (1), (2.5), (3L), (4D) t(a)
SELECT * FROM VALUES (1), (true) t(a)
SELECT * FROM VALUES (date'2026-01-01'), (timestamp'2026-01-01 00:00:00') t(a)
SELECT * FROM VALUES (X'61'), ('b') t(a)
SELECT * FROM VALUES (array(1)), (array('2')) t(a)
SELECT * FROM VALUES (1S), (' ') t(a)
SELECT x IN ('b', 1) FROM VALUES (1) t(x)
SELECT x IN (1, 1 / 0) FROM VALUES (1) t(x)
SELECT try_subtract(0S, 1e20D), try_add(1S, 1e20D), try_subtract(CAST(-32768 AS SMALLINT), 1e20D), CAST(-32768 AS SMALLINT) - 1e20D
SELECT try_subtract(a, b) FROM VALUES (32767S, 1.5D), (CAST(-32768 AS SMALLINT), 1e20D) t(a, b)
SELECT try_avg(c), avg(c) FROM VALUES (CAST('123' AS DECIMAL(38,10))), (NULL) t(c)
SELECT try_avg(c) FROM VALUES (CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10))) t(c)
SELECT avg(c) FROM VALUES (CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10))) t(c)
SELECT try_sum(c) FROM VALUES (interval '178956970-7' year to month), (interval '1' month) t(c)
SELECT try_sum(c) FROM VALUES (CAST('99999999999999999999999999999999999999' AS DECIMAL(38,0))), (CAST(1 AS DECIMAL(38,0))) t(c)

-- hll sketches
SELECT hex(hll_sketch_agg(a)), hll_sketch_estimate(hll_sketch_agg(a)) FROM VALUES (1), (3), (2), (2) t(a)
SELECT hex(hll_sketch_agg(a, 5)) FROM VALUES (1), (3), (2), (2) t(a)
SELECT hex(hll_sketch_agg(a, 4)) FROM VALUES (-5L), (1L), (9000000000L) t(a)
SELECT hex(hll_sketch_agg(a, 4)) FROM VALUES ('a'), (''), ('é'), (NULL) t(a)
SELECT hex(hll_sketch_agg(a, 4)) FROM VALUES (X'61'), (X''), (X'C3A9'), (NULL) t(a)
SELECT hex(hll_sketch_agg(a)) FROM VALUES (CAST(NULL AS INT)) t(a)
!SELECT hex(hll_sketch_agg(a, 4)) FROM VALUES (CAST(1 AS TINYINT)) t(a)
!SELECT hex(hll_sketch_agg(a, 4)) FROM VALUES (CAST(1 AS SMALLINT)) t(a)
!SELECT hex(hll_sketch_agg(a, 4)) FROM VALUES (1.5) t(a)
!SELECT hex(hll_sketch_agg(a, 4)) FROM VALUES (1.5D) t(a)
!SELECT hex(hll_sketch_agg(a, 4)) FROM VALUES (true) t(a)
!SELECT hex(hll_sketch_agg(a, 4)) FROM VALUES (date'2020-01-01') t(a)
!SELECT hex(hll_sketch_agg(a, 4)) FROM VALUES (timestamp'2020-01-01') t(a)
SELECT hex(hll_sketch_agg(NULL, 4))
SELECT hex(hll_sketch_agg(NULL))
!SELECT hex(hll_sketch_agg(a, 3)) FROM VALUES (1) t(a)
!SELECT hex(hll_sketch_agg(a, 22)) FROM VALUES (1) t(a)
!SELECT hex(hll_sketch_agg(a, 4L)) FROM VALUES (1) t(a)
!SELECT hex(hll_sketch_agg(a, '4')) FROM VALUES (1) t(a)
!SELECT hex(hll_sketch_agg(a, NULL)) FROM VALUES (1) t(a)
!SELECT hex(hll_sketch_agg(a, a)) FROM VALUES (5) t(a)
!SELECT hex(hll_sketch_agg(a, 4.5)) FROM VALUES (1) t(a)
SELECT hex(hll_sketch_agg(a, 2 + 2)) FROM VALUES (1) t(a)
SELECT hex(hll_sketch_agg(a, 4)) FROM (SELECT 1 AS a WHERE false)
SELECT hex(hll_sketch_agg(DISTINCT a, 4)), hex(hll_sketch_agg(a, 4) FILTER (WHERE a > 1)) FROM VALUES (1), (2), (2) t(a)
SELECT hex(hll_sketch_agg(id, 5)) FROM range(0, 1000, 1, 2)
SELECT md5(hll_sketch_agg(id)), hll_sketch_estimate(hll_sketch_agg(id)) FROM range(0, 100000, 1, 2)
SELECT md5(hll_sketch_agg(id, 21)), hll_sketch_estimate(hll_sketch_agg(id, 21)) FROM range(0, 1000000, 1, 2)
SELECT md5(hll_sketch_agg(id, 4)), hll_sketch_estimate(hll_sketch_agg(id, 4)) FROM range(0, 1000000, 1, 2)
SELECT md5(hll_sketch_agg(id, 10)), hll_sketch_estimate(hll_sketch_agg(id, 10)) FROM range(0, 5000, 1, 2)
SELECT hll_sketch_estimate(NULL)
!SELECT hll_sketch_estimate(X'')
!SELECT hll_sketch_estimate('abc')
!SELECT hll_sketch_estimate(X'0801070C030C0000')
SELECT hll_sketch_estimate(X'0201070403000008')
SELECT hll_sketch_estimate(X'0201070403040008')
!SELECT hll_sketch_estimate(1)
SELECT hex(hll_union(s, s)), hex(hll_union(s, NULL)), hex(hll_union(NULL, s)) FROM (SELECT hll_sketch_agg(a, 4) s FROM VALUES (1), (2) t(a))
!SELECT hex(hll_union(s, t)) FROM (SELECT hll_sketch_agg(a, 4) s, hll_sketch_agg(a, 5) t FROM VALUES (1), (2) t(a))
SELECT hex(hll_union(s, t, true)) FROM (SELECT hll_sketch_agg(a, 4) s, hll_sketch_agg(a, 5) t FROM VALUES (1), (2) t(a))
SELECT hex(hll_union(s, t, NULL)) FROM (SELECT hll_sketch_agg(a, 4) s, hll_sketch_agg(a, 5) t FROM VALUES (1), (2) t(a))
!SELECT hex(hll_union(s, X'00')) FROM (SELECT hll_sketch_agg(a, 4) s FROM VALUES (1), (2) t(a))
!SELECT hex(hll_union('abc', X'00'))
SELECT hex(hll_union(s, t, true)), hll_sketch_estimate(hll_union(s, t, true)) FROM (SELECT hll_sketch_agg(id, 4) s FROM range(0, 1000, 1, 2)), (SELECT hll_sketch_agg(id, 5) t FROM range(500, 1500, 1, 2))
SELECT hex(hll_union(t, s, true)), hll_sketch_estimate(hll_union(t, s, true)) FROM (SELECT hll_sketch_agg(id, 4) s FROM range(0, 1000, 1, 2)), (SELECT hll_sketch_agg(id, 5) t FROM range(500, 1500, 1, 2))
SELECT hex(hll_union(s, t, a > 0)) FROM (SELECT hll_sketch_agg(a, 4) s, hll_sketch_agg(a, 5) t, max(a) a FROM VALUES (1), (2) t(a))
SELECT hex(hll_union_agg(s)) FROM (SELECT hll_sketch_agg(id, 5) s FROM range(0, 1000, 1, 2) UNION ALL SELECT hll_sketch_agg(id, 5) FROM range(500, 1500, 1, 2))
!SELECT hex(hll_union_agg(s)) FROM (SELECT hll_sketch_agg(id, 5) s FROM range(0, 1000, 1, 2) UNION ALL SELECT hll_sketch_agg(id, 4) FROM range(500, 1500, 1, 2))
SELECT hex(hll_union_agg(s, true)) FROM (SELECT hll_sketch_agg(id, 5) s FROM range(0, 1000, 1, 2) UNION ALL SELECT hll_sketch_agg(id, 4) FROM range(500, 1500, 1, 2))
SELECT hex(hll_union_agg(s, true)) FROM (SELECT hll_sketch_agg(id, 4) s FROM range(0, 1000, 1, 2) UNION ALL SELECT hll_sketch_agg(id, 5) FROM range(500, 1500, 1, 2))
SELECT hll_sketch_estimate(hll_union_agg(s, true)) FROM (SELECT hll_sketch_agg(id, 5) s FROM range(0, 2, 1, 2) UNION ALL SELECT hll_sketch_agg(id, 4) FROM range(1, 3, 1, 2))
SELECT hex(hll_union_agg(s, true)) FROM (SELECT hll_sketch_agg(id, 5) s FROM range(0, 2, 1, 2) UNION ALL SELECT hll_sketch_agg(id, 4) FROM range(0, 1000, 1, 2))
SELECT length(hll_union_agg(s)), hll_sketch_estimate(hll_union_agg(s)) FROM (SELECT CAST(NULL AS BINARY) s)
SELECT hex(hll_union_agg(s)) FROM (SELECT CAST(NULL AS BINARY) s WHERE false)
SELECT hex(hll_union_agg(NULL))
!SELECT hex(hll_union_agg('abc'))
!SELECT hex(hll_union_agg(X'0102'))
!SELECT hex(hll_union_agg(1))
SELECT hex(hll_union_agg(s, NULL)) FROM (SELECT hll_sketch_agg(a, 4) s FROM VALUES (1), (2) t(a))
!SELECT hex(hll_union_agg(s, 1)) FROM (SELECT hll_sketch_agg(a, 4) s FROM VALUES (1), (2) t(a))
SELECT typeof(hll_sketch_agg(a)), typeof(hll_union_agg(NULL)), typeof(hll_sketch_estimate(NULL)) FROM VALUES (1) t(a)
!SELECT hll_sketch_estimate(expr => X'00')
!SELECT hex(hll_sketch_agg(a, lgConfigK => 4)) FROM VALUES (1), (2) t(a)
SELECT a, hll_sketch_estimate(hll_sketch_agg(a, 4) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)) FROM VALUES (1), (2), (3) t(a)
SELECT hex(hll_sketch_agg(a, 4)), hll_sketch_estimate(hll_union_agg(s)) FROM (SELECT a, hll_sketch_agg(b, 4) s FROM VALUES (1, 2), (1, 3), (2, 2) t(a, b) GROUP BY a)
!SELECT hll_sketch_estimate(hll_sketch_agg(array(1)))
!SELECT hll_sketch_estimate(hll_sketch_agg(parse_json('1')))
SELECT hex(hll_union_agg(s)), hll_sketch_estimate(hll_union_agg(s)) FROM (SELECT a % 2, hll_sketch_agg(a, 4) s FROM VALUES (1), (2), (3) t(a) GROUP BY 1)
SELECT hll_sketch_estimate(hll_sketch_agg(id, 8)), length(hll_sketch_agg(id, 8)) FROM range(0, 20, 1, 1)
SELECT hll_sketch_estimate(hll_sketch_agg(id)), length(hll_sketch_agg(id)) FROM range(0, 300, 1, 1)
SELECT hex(hll_sketch_agg(s, 5)) FROM (SELECT concat('k', id) s FROM range(0, 5000, 1, 2))
SELECT id % 3 k, hex(hll_sketch_agg(id, 4)), hll_sketch_estimate(hll_sketch_agg(id, 4)) FROM range(0, 1000, 1, 2) GROUP BY id % 3
!SELECT hll_union_agg(s, a > 0) FROM (SELECT hll_sketch_agg(a, 4) s, max(a) a FROM VALUES (1), (2) t(a))
-- found by fresh queries
@Asia/Kolkata SELECT t, CAST(t AS DATE) FROM VALUES (timestamp'2026-12-31 23:59:59.999999'), (timestamp'2026-03-08 01:59:59.999999'), (timestamp'1900-01-01 00:00:00'), (timestamp'2026-03-08 02:30:00'), (timestamp'2018-11-04 00:00:00'), (timestamp'1969-12-31 23:59:59.5'), (timestamp'2011-12-30 12:00:00') v(t)
@America/Sao_Paulo SELECT t, CAST(t AS STRING) FROM VALUES (timestamp'1883-11-18 12:00:00'), (timestamp'1969-12-31 23:59:59.5'), (timestamp'2026-04-05 01:45:00'), (timestamp'2000-02-29 00:00:00'), (timestamp'2026-12-31 23:59:59.999999'), (timestamp'2026-03-08 02:30:00'), (timestamp'1900-01-01 00:00:00') v(t)
@Asia/Kolkata SELECT t, CAST(t AS TIMESTAMP_NTZ) FROM VALUES (timestamp'2024-02-29 12:34:56.789012'), (timestamp'2011-12-29 23:59:59'), (timestamp'2000-02-29 00:00:00'), (timestamp'2026-12-31 23:59:59.999999'), (timestamp'2026-03-08 02:30:00'), (timestamp'2026-04-05 01:45:00'), (timestamp'2026-01-31 10:00:00') v(t)
@America/St_Johns SELECT t, CAST(t AS BIGINT), CAST(t AS DOUBLE) FROM VALUES (timestamp'2026-04-05 01:45:00'), (timestamp'1883-11-18 12:00:00'), (timestamp'2018-11-04 00:00:00'), (timestamp'2026-11-01 01:30:00'), (timestamp'2026-12-31 23:59:59.999999'), (timestamp'2026-10-25 02:30:00'), (timestamp'2026-01-31 10:00:00') v(t)
@Asia/Kathmandu SELECT unix_timestamp(t) AS x FROM VALUES (timestamp_ntz'2018-11-04 00:00:00'), (timestamp_ntz'2026-12-31 23:59:59.999999') v(t)
!@UTC SELECT unix_micros(t) AS x FROM VALUES (timestamp_ntz'2011-12-30 12:00:00'), (timestamp_ntz'2024-02-29 12:34:56.789012') v(t)
@America/New_York SELECT from_unixtime(unix_timestamp(t), 'yyyy-MM-dd HH:mm:ss') AS x FROM VALUES (timestamp_ntz'2026-03-08 02:30:00'), (timestamp_ntz'2026-12-31 23:59:59.999999') v(t)
@America/New_York SELECT explode(sequence(timestamp'2026-03-07 12:00:00', timestamp'2026-04-07 12:00:00', INTERVAL 5 DAY)) AS s
@Europe/Berlin SELECT explode(sequence(timestamp'2026-03-07 12:00:00', timestamp'2026-04-07 12:00:00', INTERVAL 5 DAY)) AS s
@Australia/Lord_Howe SELECT explode(sequence(timestamp'2026-03-07 12:00:00', timestamp'2026-04-07 12:00:00', INTERVAL 5 DAY)) AS s
@Europe/London SELECT explode(sequence(timestamp'2026-03-07 12:00:00', timestamp'2026-04-07 12:00:00', INTERVAL 5 DAY)) AS s
@America/St_Johns SELECT explode(sequence(timestamp'2026-03-07 12:00:00', timestamp'2026-04-07 12:00:00', INTERVAL 5 DAY)) AS s
@Antarctica/Troll SELECT explode(sequence(timestamp'2026-03-07 12:00:00', timestamp'2026-04-07 12:00:00', INTERVAL 5 DAY)) AS s
@Africa/Casablanca SELECT explode(sequence(timestamp'2026-03-07 12:00:00', timestamp'2026-04-07 12:00:00', INTERVAL 5 DAY)) AS s
SELECT 123456789.123456789BD + -1BD
SELECT 123456789.123456789BD * 1.005BD
SELECT 123456789.123456789BD - 2.5BD
!SELECT 12345678901234567890123456789012345678BD DIV 0.00000000000000000001BD
SELECT round(0BD, -2), bround(0BD, 2), ceil(0BD), floor(0BD), abs(0BD), -0BD, sign(0BD), CAST(0BD AS DOUBLE), CAST(0BD AS STRING)
SELECT round(1e10BD, 5), bround(1e10BD, 2), ceil(1e10BD), floor(1e10BD), abs(1e10BD), -1e10BD, sign(1e10BD), CAST(1e10BD AS DOUBLE), CAST(1e10BD AS STRING)
SELECT s, mask(s), mask(s, 'X', 'x', 'n', '-') FROM VALUES ('a,b,,c,'), ('äöü ÄÖÜ ß'), ('tab\there'), ('ǅ ﬁ'), ('a\nb'), ('e\u0301clair'), ('x\u0000y'), ('日本語テキスト') v(s)
SELECT s, format_string('%s|%5s|%-5s|%.2s', s, s, s, s) FROM VALUES ('abc'), ('👍🏽 ok'), ('ǅ ﬁ'), ('AbC123'), ('äöü ÄÖÜ ß'), ('tab\there'), ('The Quick brown-fox'), ('  a b  ') v(s)
SELECT try_cast(s AS FLOAT) AS x, count(*) FROM VALUES ('1f'), ('12345678901234567890.5'), ('P1D'), ('+7'), ('2026-3-8'), ('-0'), ('1d'), ('NaN'), ('1e400'), ('true'), (' 1 '), ('1.5') v(s) GROUP BY 1
SELECT j, from_json(j, 'a BOOLEAN, b VARIANT') FROM VALUES ('{"a":1,"b":"x","c":[1,2,{"d":null}]}'), ('{"a":1.50,"A":2}'), ('[]'), ('[{"a":1},{"a":"2"}]'), ('{"a":{"b":{"c":"deep"}}}'), ('{bad'), (''), (NULL), ('"text"'), ('12'), ('null'), ('{"a":true,"t":"2026-03-08T10:00:00Z","d":"2026-03-08"}'), ('{"a b":1,"x.y":2,"":3}'), ('{"a":9007199254740993,"b":1e2,"c":-0.0}'), ('{"a":"\\u00e9\\ud83d\\udc4d"}') v(j)
SELECT j, to_json(from_json(j, 'a STRING, b STRING')) FROM VALUES ('{"a":1,"b":"x","c":[1,2,{"d":null}]}'), ('{"a":1.50,"A":2}'), ('[]'), ('[{"a":1},{"a":"2"}]'), ('{"a":{"b":{"c":"deep"}}}'), ('{bad'), (''), (NULL), ('"text"'), ('12'), ('null'), ('{"a":true,"t":"2026-03-08T10:00:00Z","d":"2026-03-08"}'), ('{"a b":1,"x.y":2,"":3}'), ('{"a":9007199254740993,"b":1e2,"c":-0.0}'), ('{"a":"\\u00e9\\ud83d\\udc4d"}') v(j)
SELECT to_json(map(date'2026-01-01', 1))
SELECT zip_with(a, array(1, 2), (x, y) -> coalesce(x, 0) * coalesce(y, -1)), arrays_zip(a, array('p', 'q')) FROM VALUES (array(3, 1, NULL, 2, 3)), (array()), (NULL), (array(NULL)), (array(1)) v(a)
SELECT reverse(a), concat(a, array(7)), array_append(a, 5), array_prepend(a, 0), array_insert(a, 2, 99), array_insert(a, -2, 99) FROM VALUES (array(3, 1, NULL, 2, 3)), (array()), (NULL), (array(NULL)), (array(1)) v(a)
SELECT a = array(1), a < array(3, 2), hash(a), to_json(a), CAST(a AS STRING) FROM VALUES (array(3, 1, NULL, 2, 3)), (array()), (NULL), (array(NULL)), (array(1)) v(a)
SELECT map_concat(m, map('new', 9)), map_zip_with(m, map('a', 5), (k, x, y) -> coalesce(x, 0) + coalesce(y, 0)) FROM VALUES (map('a', 1, 'b', NULL)), (map()), (NULL), (map('z', 26, 'y', 25)) v(m)
SELECT to_json(m), CAST(m AS STRING), map_from_entries(map_entries(m)) FROM VALUES (map('a', 1, 'b', NULL)), (map()), (NULL), (map('z', 26, 'y', 25)) v(m)
SELECT to_json(s), CAST(s AS STRING), hash(s) FROM VALUES (named_struct('a', 1, 'b', named_struct('c', 'x'))), (named_struct('a', NULL, 'b', NULL)), (NULL) v(s)
SELECT CAST(s AS STRUCT<p: BIGINT, q: STRUCT<r: STRING>>) FROM VALUES (named_struct('a', 1, 'b', named_struct('c', 'x'))), (named_struct('a', NULL, 'b', NULL)), (NULL) v(s)
SELECT k, s, n, max_by(s, n) OVER (PARTITION BY k ORDER BY n NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS w FROM (VALUES (1, 'a', 10, 1.5BD), (1, 'b', NULL, 2.5BD), (2, 'a', 30, NULL), (2, NULL, 40, 4.5BD), (3, 'c', 50, 5.5BD), (NULL, 'c', 60, 6.5BD), (NULL, NULL, NULL, NULL), (1, 'a', 10, 1.5BD)) t(k, s, n, d)
SELECT k, s, n, max_by(s, n) OVER (PARTITION BY k ORDER BY n DESC NULLS FIRST RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS w FROM (VALUES (1, 'a', 10, 1.5BD), (1, 'b', NULL, 2.5BD), (2, 'a', 30, NULL), (2, NULL, 40, 4.5BD), (3, 'c', 50, 5.5BD), (NULL, 'c', 60, 6.5BD), (NULL, NULL, NULL, NULL), (1, 'a', 10, 1.5BD)) t(k, s, n, d)
SELECT k, max_by(s, n) AS x FROM (VALUES (1, 'a', 10, 1.5BD), (1, 'b', NULL, 2.5BD), (2, 'a', 30, NULL), (2, NULL, 40, 4.5BD), (3, 'c', 50, 5.5BD), (NULL, 'c', 60, 6.5BD), (NULL, NULL, NULL, NULL), (1, 'a', 10, 1.5BD)) t(k, s, n, d) GROUP BY k
!SELECT k, s, corr(n, d) AS x FROM (VALUES (1, 'a', 10, 1.5BD), (1, 'b', NULL, 2.5BD), (2, 'a', 30, NULL), (2, NULL, 40, 4.5BD), (3, 'c', 50, 5.5BD), (NULL, 'c', 60, 6.5BD), (NULL, NULL, NULL, NULL), (1, 'a', 10, 1.5BD)) t(k, s, n, d) GROUP BY ROLLUP(k, s)
SELECT k, s, max_by(s, n) AS x FROM (VALUES (1, 'a', 10, 1.5BD), (1, 'b', NULL, 2.5BD), (2, 'a', 30, NULL), (2, NULL, 40, 4.5BD), (3, 'c', 50, 5.5BD), (NULL, 'c', 60, 6.5BD), (NULL, NULL, NULL, NULL), (1, 'a', 10, 1.5BD)) t(k, s, n, d) GROUP BY GROUPING SETS ((k, s), (k))
!SELECT k, corr(n, d) AS x FROM (VALUES (1, 'a', 10, 1.5BD), (1, 'b', NULL, 2.5BD), (2, 'a', 30, NULL), (2, NULL, 40, 4.5BD), (3, 'c', 50, 5.5BD), (NULL, 'c', 60, 6.5BD), (NULL, NULL, NULL, NULL), (1, 'a', 10, 1.5BD)) t(k, s, n, d) GROUP BY k WITH ROLLUP
SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (NULL, 'n'), (2, 'bb')) a(id, x) WHERE (id, x) NOT IN (SELECT id, x FROM (VALUES (1, 'P', 'a'), (2, 'Q', 'zz'), (NULL, 'N', 'n'), (4, 'R', 'r')) b(id, y, x))

-- found by fresh queries: neighbours
!@America/New_York SELECT unix_micros(date'2026-01-02')
!@America/New_York SELECT unix_micros('2026-01-02 03:04:05')
!@America/New_York SELECT unix_micros(timestamp_ntz'2026-01-02 03:04:05.678')
!@America/New_York SELECT unix_millis(date'2026-01-02')
!@America/New_York SELECT unix_millis('2026-01-02 03:04:05')
!@America/New_York SELECT unix_millis(timestamp_ntz'2026-01-02 03:04:05.678')
!@America/New_York SELECT unix_seconds(date'2026-01-02')
!@America/New_York SELECT unix_seconds('2026-01-02 03:04:05')
!@America/New_York SELECT unix_seconds(timestamp_ntz'2026-01-02 03:04:05.678')
@America/New_York SELECT unix_timestamp(timestamp_ntz'2026-01-02 03:04:05.678')
@America/New_York SELECT to_unix_timestamp(timestamp_ntz'2026-01-02 03:04:05.678')
!@America/New_York SELECT unix_date('2026-01-02 03:04:05')
!@America/New_York SELECT unix_date(timestamp_ntz'2026-01-02 03:04:05.678')
!@America/New_York SELECT unix_date(timestamp'2026-01-02 03:04:05.678')
@America/New_York SELECT extract(SECOND FROM '2026-01-02 03:04:05')
@America/New_York SELECT unix_timestamp(timestamp_ntz'2026-01-02 03:04:05.678', 'yyyy')
@America/New_York SELECT sequence(date'2026-10-24', date'2026-10-27', INTERVAL '1 2' DAY TO HOUR)
@America/New_York SELECT sequence(timestamp'2026-11-02 00:00:00', timestamp'2026-10-30 00:00:00', INTERVAL '-1 1:30' DAY TO MINUTE)
@America/New_York SELECT sequence(date'2026-11-02', date'2026-10-30', INTERVAL '-1 1:30' DAY TO MINUTE)
!@America/New_York SELECT sequence(date'2026-03-08', date'2026-03-08', INTERVAL 90 MINUTES)
@America/New_York SELECT sequence(timestamp'2026-03-07 23:00:00', timestamp'2026-03-09 23:00:00', INTERVAL 24 HOURS)
@America/New_York SELECT sequence(timestamp'2026-02-28 02:30:00', timestamp'2026-05-01 00:00:00', INTERVAL 2 WEEKS)
@Europe/Berlin SELECT sequence(timestamp'2026-03-28 02:30:00', timestamp'2026-03-31 00:00:00', INTERVAL 1 DAY)
@Europe/Berlin SELECT sequence(timestamp'2026-03-31 02:30:00', timestamp'2026-03-27 00:00:00', INTERVAL -1 DAY)
@Europe/Berlin SELECT sequence(timestamp'2026-10-24 02:30:00', timestamp'2026-10-27 00:00:00', INTERVAL '1 2' DAY TO HOUR)
@Europe/Berlin SELECT sequence(date'2026-10-24', date'2026-10-27', INTERVAL '1 2' DAY TO HOUR)
@Europe/Berlin SELECT sequence(date'2026-11-02', date'2026-10-30', INTERVAL '-1 1:30' DAY TO MINUTE)
!@Europe/Berlin SELECT sequence(date'2026-03-08', date'2026-03-08', INTERVAL 90 MINUTES)
@Europe/Berlin SELECT sequence(timestamp'2026-02-28 02:30:00', timestamp'2026-05-01 00:00:00', INTERVAL 2 WEEKS)
@Australia/Lord_Howe SELECT sequence(date'2026-10-24', date'2026-10-27', INTERVAL '1 2' DAY TO HOUR)
@Australia/Lord_Howe SELECT sequence(date'2026-11-02', date'2026-10-30', INTERVAL '-1 1:30' DAY TO MINUTE)
!@Australia/Lord_Howe SELECT sequence(date'2026-03-08', date'2026-03-08', INTERVAL 90 MINUTES)
@Australia/Lord_Howe SELECT sequence(timestamp'2026-02-28 02:30:00', timestamp'2026-05-01 00:00:00', INTERVAL 2 WEEKS)
@UTC SELECT sequence(date'2026-10-24', date'2026-10-27', INTERVAL '1 2' DAY TO HOUR)
@UTC SELECT sequence(date'2026-11-02', date'2026-10-30', INTERVAL '-1 1:30' DAY TO MINUTE)
!@UTC SELECT sequence(date'2026-03-08', date'2026-03-08', INTERVAL 90 MINUTES)
SELECT CAST(a AS INT) FROM VALUES (1, named_struct('x', 1), map('k', 2), array(3), '2026-01-01') t(a, s, m, r, d)
SELECT * FROM (SELECT CAST(a AS INT) FROM VALUES (1, named_struct('x', 1), map('k', 2), array(3), '2026-01-01') t(a, s, m, r, d))
SELECT a::int FROM VALUES (1, named_struct('x', 1), map('k', 2), array(3), '2026-01-01') t(a, s, m, r, d)
SELECT * FROM (SELECT a::int FROM VALUES (1, named_struct('x', 1), map('k', 2), array(3), '2026-01-01') t(a, s, m, r, d))
SELECT CAST(t.a AS INT) FROM VALUES (1, named_struct('x', 1), map('k', 2), array(3), '2026-01-01') t(a, s, m, r, d)
SELECT * FROM (SELECT CAST(t.a AS INT) FROM VALUES (1, named_struct('x', 1), map('k', 2), array(3), '2026-01-01') t(a, s, m, r, d))
SELECT CAST(s AS STRING) FROM VALUES (1, named_struct('x', 1), map('k', 2), array(3), '2026-01-01') t(a, s, m, r, d)
SELECT * FROM (SELECT CAST(s AS STRING) FROM VALUES (1, named_struct('x', 1), map('k', 2), array(3), '2026-01-01') t(a, s, m, r, d))
SELECT CAST(a AS DECIMAL(10,2)) FROM VALUES (1, named_struct('x', 1), map('k', 2), array(3), '2026-01-01') t(a, s, m, r, d)
SELECT * FROM (SELECT CAST(a AS DECIMAL(10,2)) FROM VALUES (1, named_struct('x', 1), map('k', 2), array(3), '2026-01-01') t(a, s, m, r, d))
SELECT CAST(a AS STRING) FROM VALUES (1) t(a) UNION ALL SELECT 'x'
SELECT a FROM (SELECT CAST(a AS STRING) FROM VALUES (1) t(a)) WHERE a = '1'
SELECT a, count(*) FROM (SELECT CAST(a AS STRING) FROM VALUES (1) t(a)) GROUP BY a
SELECT CAST(a AS STRING), CAST(a AS DOUBLE) FROM VALUES (1) t(a)
SELECT from_json('null', 'a INT')
SELECT from_json('null', 'a INT, _corrupt_record STRING')
SELECT from_json('null', 'a STRING, b INT')
SELECT from_json('null', 'a STRUCT<x: INT>, b ARRAY<INT>')
SELECT from_json('null', 'a VARIANT')
SELECT from_json('""', 'a INT, _corrupt_record STRING')
SELECT from_json('"x"', 'a INT, _corrupt_record STRING')
SELECT from_json('[]', 'a INT, _corrupt_record STRING')
SELECT from_json('[1]', 'a INT, _corrupt_record STRING')
SELECT from_json('[1]', 'ARRAY<STRUCT<a: INT>>')
SELECT from_json('12', 'a INT, _corrupt_record STRING')
SELECT from_json('true', 'a INT, _corrupt_record STRING')
SELECT from_json('1.5', 'a INT, _corrupt_record STRING')
SELECT from_json('{bad', 'a INT, _corrupt_record STRING')
SELECT from_json('{"a":1,}', 'a INT, _corrupt_record STRING')
SELECT from_json('[{"a":1}]', 'a INT, _corrupt_record STRING')
SELECT from_json('[{"a":1}]', 'ARRAY<INT>')
SELECT from_json('[{"a":1},{"a":2}]', 'a INT, _corrupt_record STRING')
SELECT from_json('[{"a":1},{"a":2}]', 'ARRAY<INT>')
SELECT from_json('[null]', 'a INT, _corrupt_record STRING')
SELECT from_json('{"a":"1"}', 'a INT, _corrupt_record STRING')
SELECT from_json('{"a":"1"}', 'MAP<STRING,INT>')
SELECT from_json('{"a":{}}', 'a INT, _corrupt_record STRING')
SELECT from_json('{"a":{}}', 'MAP<STRING,INT>')
SELECT from_json('{"a":[1]}', 'a INT, _corrupt_record STRING')
SELECT from_json('{"a":[1]}', 'MAP<STRING,INT>')
SELECT from_json('{"a":1.0}', 'a INT, _corrupt_record STRING')
SELECT from_json('{"a":1.0}', 'MAP<STRING,INT>')
SELECT from_json('{"a":1e0}', 'a INT, _corrupt_record STRING')
SELECT from_json('{"a":1e0}', 'MAP<STRING,INT>')
SELECT from_json('{"a":"x"}', 'a INT, _corrupt_record STRING')
SELECT from_json('{"a":"x"}', 'MAP<STRING,INT>')
SELECT from_json('{"a":2147483648}', 'a INT, _corrupt_record STRING')
SELECT from_json('{"a":2147483648}', 'MAP<STRING,INT>')
SELECT from_json('{a:1}', 'a INT, _corrupt_record STRING')
SELECT from_json('{"a":01}', 'a INT, _corrupt_record STRING')
SELECT from_json('{"a":+1}', 'a INT, _corrupt_record STRING')
SELECT from_json('{"a":.5}', 'a INT, _corrupt_record STRING')
SELECT from_json('//c\n{"a":1}', 'a INT, _corrupt_record STRING')
SELECT from_json('{"a":NaN}', 'a INT, _corrupt_record STRING')
SELECT from_json('{"a":NaN}', 'MAP<STRING,INT>')
SELECT from_json('{"a" 1}', 'a INT, _corrupt_record STRING')
SELECT from_json(' {"a":1}', 'a INT, _corrupt_record STRING')
!~SELECT corr(a, b) FROM VALUES (1, 1), (1, 1) t(a, b)
!~SELECT corr(a, b) FROM VALUES (1, 1), (1, 2) t(a, b)
!~SELECT corr(a, b) FROM VALUES (1, 2), (2, 2) t(a, b)
!~SELECT a, corr(a, b) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM VALUES (1, 2), (2, 2), (3, 5), (4, NULL) t(a, b)
~SELECT max_by(a, b) FROM VALUES (1, 2), (3, 4), (NULL, 9), (9, NULL) t(a, b)
SELECT a, count(*), sum(v) FROM VALUES (float('-0.0'), 1), (float(0), 2), (float('NaN'), 3), (float('NaN'), 4), (float('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v) GROUP BY a
SELECT DISTINCT a FROM VALUES (float('-0.0'), 1), (float(0), 2), (float('NaN'), 3), (float('NaN'), 4), (float('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v)
SELECT a, sum(v) OVER (PARTITION BY a) FROM VALUES (float('-0.0'), 1), (float(0), 2), (float('NaN'), 3), (float('NaN'), 4), (float('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v)
SELECT a, v, rank() OVER (ORDER BY a) FROM VALUES (float('-0.0'), 1), (float(0), 2), (float('NaN'), 3), (float('NaN'), 4), (float('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v)
SELECT struct(a), count(*) FROM VALUES (float('-0.0'), 1), (float(0), 2), (float('NaN'), 3), (float('NaN'), 4), (float('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v) GROUP BY 1
SELECT array(a), count(*) FROM VALUES (float('-0.0'), 1), (float(0), 2), (float('NaN'), 3), (float('NaN'), 4), (float('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v) GROUP BY 1
SELECT a FROM VALUES (float('-0.0'), 1), (float(0), 2), (float('NaN'), 3), (float('NaN'), 4), (float('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v) INTERSECT SELECT float(0)
SELECT a, count(*), sum(v) FROM VALUES (double('-0.0'), 1), (double(0), 2), (double('NaN'), 3), (double('NaN'), 4), (double('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v) GROUP BY a
SELECT DISTINCT a FROM VALUES (double('-0.0'), 1), (double(0), 2), (double('NaN'), 3), (double('NaN'), 4), (double('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v)
SELECT a, sum(v) OVER (PARTITION BY a) FROM VALUES (double('-0.0'), 1), (double(0), 2), (double('NaN'), 3), (double('NaN'), 4), (double('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v)
SELECT a, v, rank() OVER (ORDER BY a) FROM VALUES (double('-0.0'), 1), (double(0), 2), (double('NaN'), 3), (double('NaN'), 4), (double('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v)
SELECT struct(a), count(*) FROM VALUES (double('-0.0'), 1), (double(0), 2), (double('NaN'), 3), (double('NaN'), 4), (double('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v) GROUP BY 1
SELECT array(a), count(*) FROM VALUES (double('-0.0'), 1), (double(0), 2), (double('NaN'), 3), (double('NaN'), 4), (double('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v) GROUP BY 1
SELECT a FROM VALUES (double('-0.0'), 1), (double(0), 2), (double('NaN'), 3), (double('NaN'), 4), (double('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v) INTERSECT SELECT double(0)
SELECT greatest(a, double(1)), least(a, double(1)), nullif(a, double(0)), hash(a), CAST(a AS STRING) FROM VALUES (double('-0.0'), 1), (double(0), 2), (double('NaN'), 3), (double('NaN'), 4), (double('-Infinity'), 5), (NULL, 6), (NULL, 7) t(a, v)
SELECT to_json(map(timestamp'2026-01-01 00:00:00', 1))
SELECT to_json(map(timestamp_ntz'2026-01-01 00:00:00', 1))
SELECT to_json(map(INTERVAL 1 DAY, 1))
SELECT to_json(map(INTERVAL 1 MONTH, 1))
SELECT format_string('%s|%10s|%-10s|%.3s|%S', '👍🏽 ok', '👍🏽 ok', '👍🏽 ok', '👍🏽 ok', '👍🏽 ok')
SELECT format_string('%s|%10s|%-10s|%.3s|%S', '👍', '👍', '👍', '👍', '👍')
SELECT format_string('%10.2s|%.0s', '👍🏽 ok', '👍🏽 ok')
SELECT format_string('%10.2s|%.0s', '👍', '👍')
SELECT mask('İstanbul ß ǅ ﬁ ª º ⅷ Ⅷ'), mask('İstanbul ß ǅ ﬁ ª º ⅷ Ⅷ', 'U', 'l', '9', '.'), mask('İstanbul ß ǅ ﬁ ª º ⅷ Ⅷ', NULL, 'l'), upper('İstanbul ß ǅ ﬁ ª º ⅷ Ⅷ'), lower('İstanbul ß ǅ ﬁ ª º ⅷ Ⅷ'), initcap('İstanbul ß ǅ ﬁ ª º ⅷ Ⅷ')
SELECT mask('ΑΣ ας'), mask('ΑΣ ας', 'U', 'l', '9', '.'), mask('ΑΣ ας', NULL, 'l'), upper('ΑΣ ας'), lower('ΑΣ ας'), initcap('ΑΣ ας')
SELECT mask('1٣२'), mask('1٣२', 'U', 'l', '9', '.'), mask('1٣२', NULL, 'l'), upper('1٣२'), lower('1٣२'), initcap('1٣२')
SELECT a + b, a - b, a * b, a / b, a % b, a DIV b, pmod(a, b) FROM VALUES (CAST('0.25' AS DECIMAL(18,2)), CAST('0.1' AS DECIMAL(18,2))) t(a, b)
SELECT a + b, a - b, a * b, a / b, a % b, a DIV b, pmod(a, b) FROM VALUES (CAST('0.25' AS DECIMAL(18,2)), CAST('0.1' AS DECIMAL(9,2))) t(a, b)
SELECT a + b, a - b, a * b, a / b, a % b, a DIV b, pmod(a, b) FROM VALUES (CAST('0.25' AS DECIMAL(18,9)), CAST('0.1' AS DECIMAL(18,9))) t(a, b)
SELECT a + b, a - b, a * b, a / b, a % b, a DIV b, pmod(a, b) FROM VALUES (CAST('0.25' AS DECIMAL(18,9)), CAST('0.1' AS DECIMAL(9,2))) t(a, b)
SELECT a + b, a - b, a * b, a / b, a % b, a DIV b, pmod(a, b) FROM VALUES (CAST('0.25' AS DECIMAL(18,9)), CAST('0.1' AS DECIMAL(4,4))) t(a, b)
SELECT a + b, a - b, a * b, a / b, a % b, a DIV b, pmod(a, b) FROM VALUES (CAST('0.25' AS DECIMAL(9,2)), CAST('0.1' AS DECIMAL(18,2))) t(a, b)
SELECT a + b, a - b, a * b, a / b, a % b, a DIV b, pmod(a, b) FROM VALUES (CAST('0.25' AS DECIMAL(9,2)), CAST('0.1' AS DECIMAL(18,9))) t(a, b)
SELECT a + b, a - b, a * b, a / b, a % b, a DIV b, pmod(a, b) FROM VALUES (CAST('0.25' AS DECIMAL(4,4)), CAST('0.1' AS DECIMAL(18,9))) t(a, b)
SELECT ceil(a), floor(a), round(a), round(a, 1), bround(a, -1), abs(a), -a, a = a, sign(a), CAST(a AS STRING), CAST(a AS DOUBLE), format_number(a, 3) FROM VALUES (CAST('9999999999999999.99' AS DECIMAL(18,2))), (CAST('-0.1' AS DECIMAL(18,2))) t(a)
SELECT ceil(a), floor(a), round(a), round(a, 1), bround(a, -1), abs(a), -a, a = a, sign(a), CAST(a AS STRING), CAST(a AS DOUBLE), format_number(a, 3) FROM VALUES (CAST('999999999.999999999' AS DECIMAL(18,9))), (CAST('-0.1' AS DECIMAL(18,9))) t(a)
SELECT ceil(a), floor(a), round(a), round(a, 1), bround(a, -1), abs(a), -a, a = a, sign(a), CAST(a AS STRING), CAST(a AS DOUBLE), format_number(a, 3) FROM VALUES (CAST('99999999999999999.0' AS DECIMAL(17,0))), (CAST('-0.1' AS DECIMAL(17,0))) t(a)
SELECT ceil(a), floor(a), round(a), round(a, 1), bround(a, -1), abs(a), -a, a = a, sign(a), CAST(a AS STRING), CAST(a AS DOUBLE), format_number(a, 3) FROM VALUES (CAST('9999999.99' AS DECIMAL(9,2))), (CAST('-0.1' AS DECIMAL(9,2))) t(a)
SELECT ceil(a), floor(a), round(a), round(a, 1), bround(a, -1), abs(a), -a, a = a, sign(a), CAST(a AS STRING), CAST(a AS DOUBLE), format_number(a, 3) FROM VALUES (CAST('999999999999999.9999' AS DECIMAL(19,4))), (CAST('-0.1' AS DECIMAL(19,4))) t(a)
!SELECT sum(a), avg(a), min(a), max(a), count(DISTINCT a), try_sum(a) FROM VALUES (CAST('99999999999999999999.999999999999999999' AS DECIMAL(38,18))), (CAST('99999999999999999999.999999999999999999' AS DECIMAL(38,18))), (NULL) t(a)
!SELECT sum(a), avg(a), min(a), max(a), count(DISTINCT a), try_sum(a) FROM VALUES (CAST('99999999999999999999999999999999999999.0' AS DECIMAL(38,0))), (CAST('99999999999999999999999999999999999999.0' AS DECIMAL(38,0))), (NULL) t(a)
SELECT ceil(a), floor(a), round(a), round(a, 1), bround(a, -1), abs(a), -a, a = a, sign(a), CAST(a AS STRING), CAST(a AS DOUBLE), format_number(a, 3) FROM VALUES (CAST('0.9999' AS DECIMAL(4,4))), (CAST('-0.1' AS DECIMAL(4,4))) t(a)
!SELECT k, max(n), row_number() OVER (ORDER BY k) FROM VALUES (1, 'a', 2), (1, 'b', 3), (2, 'a', NULL) t(k, s, n) GROUP BY ALL
!SELECT k, sum(n) OVER (PARTITION BY k) FROM VALUES (1, 'a', 2), (1, 'b', 3), (2, 'a', NULL) t(k, s, n) GROUP BY ALL
-- options of CSV
SELECT from_csv('''a,b'',2', 'a STRING, b INT', map('quote', ''''))
SELECT from_csv('"a,b",2', 'a STRING, b INT', map('quote', ''))
SELECT from_csv('"a,b",2', 'a STRING, b INT', map('quote', '''')), from_csv('"a","b"', 'a STRING, b STRING', map('quote', '"'))
SELECT from_csv('"a\\"b",2', 'a STRING, b INT'), from_csv('"a!"b",2', 'a STRING, b INT', map('escape', '!')), from_csv('"a""b",2', 'a STRING, b INT', map('escape', '"'))
SELECT from_csv('"a\\\\b",2', 'a STRING, b INT'), from_csv('"a!!b",2', 'a STRING, b INT', map('escape', '!')), from_csv('"a!!"b",2', 'a STRING, b INT', map('escape', '!', 'charToEscapeQuoteEscaping', '!')), from_csv('"a#!"b",2', 'a STRING, b INT', map('escape', '!', 'charToEscapeQuoteEscaping', '#'))
SELECT from_csv('"a""b","c"', 'a STRING, b STRING', map('escape', '"', 'charToEscapeQuoteEscaping', '\\')), from_csv('"a\\""b","c"', 'a STRING, b STRING', map('escape', '"', 'charToEscapeQuoteEscaping', '\\'))
SELECT from_csv('#a,b', 'a STRING, b STRING', map('comment', '#')), from_csv('a,#b', 'a STRING, b STRING', map('comment', '#')), from_csv(' #a,b', 'a STRING, b STRING', map('comment', '#'))
SELECT from_csv('#a,b', 'a STRING, b STRING', map('comment', '#', 'mode', 'FAILFAST'))
SELECT from_csv('  a , b ', 'a STRING, b STRING'), from_csv('  a , b ', 'a STRING, b STRING', map('ignoreLeadingWhiteSpace', 'true')), from_csv('  a , b ', 'a STRING, b STRING', map('ignoreTrailingWhiteSpace', 'true')), from_csv('  a , b ', 'a STRING, b STRING', map('ignoreLeadingWhiteSpace', 'true', 'ignoreTrailingWhiteSpace', 'true'))
SELECT from_csv('  "a" , " b "', 'a STRING, b STRING'), from_csv('  "a" , " b " ', 'a STRING, b STRING', map('ignoreLeadingWhiteSpace', 'true')), from_csv('  "a" , " b " ', 'a STRING, b STRING', map('ignoreTrailingWhiteSpace', 'true')), from_csv('  "a" , " b " ', 'a STRING, b STRING', map('ignoreLeadingWhiteSpace', 'true', 'ignoreTrailingWhiteSpace', 'true'))
SELECT from_csv(' 1 , 2', 'a INT, b INT'), from_csv(' 1 , 2', 'a INT, b INT', map('ignoreLeadingWhiteSpace', 'true')), from_csv(' 1 , 2', 'a INT, b INT', map('ignoreLeadingWhiteSpace', 'true', 'ignoreTrailingWhiteSpace', 'true'))
SELECT from_csv('"",,a', 'a STRING, b STRING, c STRING', map('emptyValue', 'E')), from_csv('"",,a', 'a STRING, b STRING, c STRING', map('emptyValue', 'E', 'nullValue', 'E')), from_csv('"",,a', 'a STRING, b STRING, c STRING', map('nullValue', 'N')), from_csv('"",,N', 'a STRING, b STRING, c STRING', map('nullValue', 'N', 'emptyValue', ''))
SELECT from_csv('"",x', 'a STRING, b STRING'), from_csv('"",1', 'a INT, b INT'), from_csv('"",1', 'a INT, b INT', map('emptyValue', '7'))
SELECT from_csv('N,n,NaN', 'a DOUBLE, b DOUBLE, c DOUBLE', map('nanValue', 'N')), from_csv('Inf,-Inf,Infinity,-Infinity,NaN', 'a DOUBLE, b DOUBLE, c DOUBLE, d DOUBLE, e DOUBLE'), from_csv('UP,DOWN,Inf,x', 'a DOUBLE, b DOUBLE, c FLOAT, d FLOAT', map('positiveInf', 'UP', 'negativeInf', 'DOWN', 'nanValue', 'x'))
SELECT from_csv('1,2,3', 'a INT, b INT', map('maxColumns', '2'))
SELECT from_csv('1,2,3', 'a INT, b INT', map('maxColumns', '3')), from_csv('1,2', 'a INT, b INT', map('maxColumns', '20000'))
SELECT from_csv('abcdef,2', 'a STRING, b INT', map('maxCharsPerColumn', '3'))
SELECT from_csv('abc,2', 'a STRING, b INT', map('maxCharsPerColumn', '3')), from_csv('abc,2', 'a STRING, b INT', map('maxCharsPerColumn', '-1'))
SELECT from_csv('abcdef,2', 'a STRING, b INT', map('maxCharsPerColumn', '3', 'mode', 'FAILFAST'))
SELECT from_csv('"a" b,2', 'a STRING, b STRING', map('unescapedQuoteHandling', 'RAISE_ERROR'))
SELECT from_csv('"a" b,2', 'a STRING, b STRING', map('unescapedQuoteHandling', 'nonsense'))
SELECT from_csv('a,b|c', 'a STRING, b STRING', map('lineSep', '|')), from_csv(concat('a,b', chr(10), 'c'), 'a STRING, b STRING'), from_csv(concat('a,b', chr(10), 'c'), 'a STRING, b STRING', map('lineSep', '|')), from_csv(concat('a', chr(10), 'c,b'), 'a STRING, b STRING', map('multiLine', 'true'))
SELECT from_csv('a,b', 'a STRING, b STRING', map('lineSep', ''))
SELECT from_csv('a,b', 'a STRING, b STRING', map('lineSep', 'abc'))
SELECT from_csv('1', 'a INT', map('encoding', 'nonsense'))
SELECT from_csv('1', 'a INT', map('header', 'x'))
SELECT from_csv('1', 'a INT', map('maxColumns', 'x'))
SELECT from_csv('1', 'a INT', map('quote', 'ab'))
SELECT from_csv('1', 'a INT', map('escape', 'ab'))
SELECT from_csv('1', 'a INT', map('comment', 'ab'))
SELECT from_csv('1||2', 'a INT, b INT', map('sep', '||')), from_csv('1\t2', 'a INT, b INT', map('sep', '\\t')), from_csv('1é2', 'a INT, b INT', map('sep', 'é'))
SELECT from_csv('1', 'a INT', map('sep', ''))
SELECT from_csv('x,2', 'a INT, b INT, _corrupt_record STRING', map('columnNameOfCorruptRecord', '_corrupt_record')), from_csv('1,2', 'a INT, b INT, c STRING', map('columnNameOfCorruptRecord', 'c')), from_csv('x,2', 'a INT, b INT, c STRING', map('columnNameOfCorruptRecord', 'c')), from_csv('1,2,3', 'a INT, b INT, c STRING', map('columnNameOfCorruptRecord', 'c')), from_csv('1', 'c STRING, a INT, b INT', map('columnNameOfCorruptRecord', 'c'))
SELECT from_csv('x,2', 'a INT, b INT, _corrupt_record STRING')
SELECT from_csv('x,2', 'a INT, b INT, c INT', map('columnNameOfCorruptRecord', 'c'))
SELECT from_csv('abc,2', 'a BINARY, b INT'), from_csv('"",2', 'a BINARY, b INT')
SELECT from_csv('INTERVAL ''1'' YEAR,INTERVAL ''2'' DAY', 'a INTERVAL YEAR, b INTERVAL DAY'), from_csv('1,2', 'a INTERVAL YEAR, b INTERVAL DAY')
SELECT from_csv('INTERVAL ''1-2'' YEAR TO MONTH,INTERVAL ''1 02:03:04.5'' DAY TO SECOND', 'a INTERVAL YEAR TO MONTH, b INTERVAL DAY TO SECOND')
SELECT from_csv('1 day,x', 'a INTERVAL, b STRING')
SELECT from_csv('2026-01-02 03:04:05', 'a TIMESTAMP_NTZ', map('timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss')), from_csv('2026/01/02 03:04', 'a TIMESTAMP_NTZ', map('timestampNTZFormat', 'yyyy/MM/dd HH:mm')), from_csv('02.01.2026', 'a DATE', map('dateFormat', 'dd.MM.yyyy', 'enableDateTimeParsingFallback', 'true')), from_csv('2026-01-02', 'a DATE', map('dateFormat', 'dd.MM.yyyy', 'enableDateTimeParsingFallback', 'true')), from_csv('2026-01-02', 'a DATE', map('dateFormat', 'dd.MM.yyyy', 'enableDateTimeParsingFallback', 'false')), from_csv('2026-01-02', 'a DATE', map('dateFormat', 'dd.MM.yyyy'))
SELECT from_csv('1', 'a INT', map('enableDateTimeParsingFallback', 'x'))
SELECT from_csv('1', 'a INT', map('mode', 'DROPMALFORMED'))
SELECT from_csv('2026-01-02 03:04:05', 'a TIMESTAMP', map('timeZone', 'nonsense'))
SELECT to_csv(named_struct('a', 'x y', 'b', 1), map('quoteAll', 'true')), to_csv(named_struct('a', 'x"y', 'b', 1), map('quoteAll', 'true')), to_csv(named_struct('a', 'x"y', 'b', 1), map('escapeQuotes', 'false')), to_csv(named_struct('a', 'x"y,', 'b', 1), map('escapeQuotes', 'false')), to_csv(named_struct('a', '"', 'b', 'a"'), map('escapeQuotes', 'true'))
SELECT to_csv(named_struct('a', 'x,y', 'b', 'p''q'), map('quote', '''')), to_csv(named_struct('a', 'x,y"', 'b', 1), map('escape', '"')), to_csv(named_struct('a', 'x,y"', 'b', '!,"'), map('escape', '!')), to_csv(named_struct('a', 'x\\"y'), map('charToEscapeQuoteEscaping', '#')), to_csv(named_struct('a', 'x\\"y'))
SELECT to_csv(named_struct('a', '  x ', 'b', ' y'), map('ignoreLeadingWhiteSpace', 'false')), to_csv(named_struct('a', '  x ', 'b', ' y '), map('ignoreTrailingWhiteSpace', 'false')), to_csv(named_struct('a', '  x ', 'b', ' y '), map('ignoreLeadingWhiteSpace', 'false', 'ignoreTrailingWhiteSpace', 'false')), to_csv(named_struct('a', '  x ', 'b', ' y ')), to_csv(named_struct('a', ' ', 'b', '  ')), to_csv(named_struct('a', ' ', 'b', '  '), map('ignoreLeadingWhiteSpace', 'false', 'ignoreTrailingWhiteSpace', 'false'))
SELECT to_csv(named_struct('a', '', 'b', 1)), to_csv(named_struct('a', '', 'b', 1), map('emptyValue', 'E')), to_csv(named_struct('a', '', 'b', NULL), map('emptyValue', '', 'nullValue', 'N')), to_csv(named_struct('a', '', 'b', NULL), map('nullValue', '')), to_csv(named_struct('a', '', 'b', NULL), map('quoteAll', 'true'))
SELECT to_csv(named_struct('a', '#x', 'b', '#y')), to_csv(named_struct('a', '#x', 'b', '#y'), map('comment', '#')), to_csv(named_struct('a', 'x', 'b', '#y'), map('comment', '#'))
SELECT to_csv(named_struct('a', date'2026-01-02', 'b', timestamp'2026-01-02 03:04:05', 'c', timestamp_ntz'2026-01-02 03:04:05'), map('dateFormat', 'dd.MM.yyyy', 'timestampFormat', 'HH:mm', 'timestampNTZFormat', 'mm:HH')), to_csv(named_struct('a', 1), map('nanValue', 'x', 'positiveInf', 'y')), to_csv(named_struct('a', double('NaN'), 'b', double('Infinity'), 'c', double('-Infinity')), map('nanValue', 'x', 'positiveInf', 'y', 'negativeInf', 'z')), to_csv(named_struct('a', timestamp'2026-01-02 03:04:05'), map('timeZone', 'Europe/Berlin'))
SELECT to_csv(named_struct('a', 'x', 'b', 1), map('sep', '||')), to_csv(named_struct('a', 'x|y', 'b', '||'), map('sep', '||')), to_csv(named_struct('a', 'x\ty', 'b', 1), map('sep', '\\t'))
SELECT to_csv(named_struct('a', X'616263', 'b', 1))
SELECT to_csv(named_struct('a', array(1, 2), 'b', map('k', 1), 'c', named_struct('x', 1, 'y', 'z'))), to_csv(named_struct('a', array(NULL, 1), 'b', array('x', 'y'), 'c', named_struct('x', NULL)))
SELECT to_csv(named_struct('a', INTERVAL '1' YEAR, 'b', INTERVAL '2' DAY)), to_csv(named_struct('a', INTERVAL '1-2' YEAR TO MONTH, 'b', INTERVAL '1 02:03:04.5' DAY TO SECOND))
SELECT to_csv(named_struct('a', make_interval(1, 2, 3, 4, 5, 6, 7.5)))
SELECT to_csv(named_struct('a', NULL)), to_csv(named_struct('a', CAST(NULL AS STRING))), to_csv(named_struct('a', NULL, 'b', NULL)), to_csv(CAST(NULL AS STRUCT<a: INT>))
SELECT to_csv(NULL)
SELECT to_csv(named_struct('a', time'12:00:00'))
SELECT to_csv(named_struct('a', parse_json('{"x":1}')))
SELECT schema_of_csv('1;x', map('sep', ';')), schema_of_csv('1,N', map('nullValue', 'N')), schema_of_csv('''a,b'',1', map('quote', '''')), schema_of_csv('02.01.2026', map('dateFormat', 'dd.MM.yyyy')), schema_of_csv('02.01.2026 10:11', map('timestampFormat', 'dd.MM.yyyy HH:mm')), schema_of_csv('02.01.2026 10:11', map('timestampNTZFormat', 'dd.MM.yyyy HH:mm'))
SELECT schema_of_csv('  1 , y ', map('timestampFormat', 'yyyy-MM-dd HH:mm:ss')), schema_of_csv(' 1, 2 '), schema_of_csv(' 1, 2 ', map('ignoreLeadingWhiteSpace', 'true')), schema_of_csv(' 1, 2 ', map('ignoreLeadingWhiteSpace', 'true', 'ignoreTrailingWhiteSpace', 'true'))
SELECT schema_of_csv('NaN,Inf,-Inf,Infinity,1e5,1.50,x'), schema_of_csv('N,UP,DOWN', map('nanValue', 'N', 'positiveInf', 'UP', 'negativeInf', 'DOWN')), schema_of_csv('2026-01-02,2026-01-02 03:04:05,2026-01-02T03:04:05Z,2026,2026-01'), schema_of_csv('2026-01-02,2026-01-02 03:04:05', map('inferSchema', 'false')), schema_of_csv('2026-01-02', map('preferDate', 'false')), schema_of_csv('12345678901234567890,123456789012345678901234567890123456789,1d,true,False')
SELECT schema_of_csv('1,x', map('header', 'true')), schema_of_csv('1', map('locale', 'en-US')), schema_of_csv('#1,2', map('comment', '#'))
SELECT schema_of_csv('1,2,3', map('maxColumns', '2'))
SELECT schema_of_csv('1', map('mode', 'FAILFAST'))
SELECT to_csv(named_struct('a', 'a b', 'b', 'a\tb', 'c', '\ta')), to_csv(named_struct('a', 'x', 'b', '"')), to_csv(named_struct('a', '"', 'b', 'x"y"')), to_csv(named_struct('a', '#', 'b', 'x')), to_csv(named_struct('a', '"#"'))
SELECT to_csv(named_struct('a', '#x', 'b', '!y'), map('comment', '!')), to_csv(named_struct('a', '!x', 'b', '!y'), map('comment', '!')), to_csv(named_struct('a', 'a|b'), map('lineSep', '|')), to_csv(named_struct('a', 'x\\y', 'b', '\\')), to_csv(named_struct('a', 'x\\,y', 'b', '\\"'))
SELECT to_csv(named_struct('a', '', 'b', NULL), map('quoteAll', 'true', 'emptyValue', 'E', 'nullValue', 'N')), to_csv(named_struct('a', ' ', 'b', 'x'), map('quoteAll', 'true', 'ignoreLeadingWhiteSpace', 'false', 'ignoreTrailingWhiteSpace', 'false')), to_csv(named_struct('a', CAST(NULL AS INT)), map('nullValue', 'N')), to_csv(named_struct('a', ''), map('nullValue', 'N')), to_csv(named_struct('a', ''), map('emptyValue', ''))
SELECT to_csv(named_struct('a', X'00FF', 'b', X'')), to_csv(named_struct('a', array(X'6162'))), to_csv(named_struct('a', array(timestamp'2026-01-02 03:04:05'), 'b', array(date'2026-01-02'))), to_csv(named_struct('a', array(1.50d, NULL), 'b', array('')))
SELECT to_csv(named_struct('a', array(1)), map('nullValue', 'N')), to_csv(named_struct('a', array(CAST(NULL AS INT), 1), 'b', map('k', CAST(NULL AS INT)), 'c', named_struct('x', CAST(NULL AS INT), 'y', 1)), map('nullValue', 'N'))
SELECT to_csv(named_struct('a', array(INTERVAL '1' DAY))), to_csv(named_struct('a', array(make_interval(1)))), to_csv(named_struct('a', named_struct('b', named_struct('c', 1))))
SELECT from_csv('"a', 'a STRING, b STRING'), from_csv('"a,b', 'a STRING, b STRING'), from_csv('a"b,c', 'a STRING, b STRING'), from_csv('"a"  ,c', 'a STRING, b STRING'), from_csv('"a\\', 'a STRING')
SELECT from_csv('"a', 'a STRING, b STRING', map('unescapedQuoteHandling', 'STOP_AT_CLOSING_QUOTE')), from_csv('"a"x"  ,c', 'a STRING, b STRING', map('unescapedQuoteHandling', 'STOP_AT_CLOSING_QUOTE')), from_csv('"a"x" y,c"', 'a STRING, b STRING', map('unescapedQuoteHandling', 'STOP_AT_CLOSING_QUOTE'))
SELECT from_csv('', 'a STRING, b STRING'), from_csv(' ', 'a STRING, b STRING'), from_csv('""', 'a STRING'), from_csv(',', 'a STRING, b STRING'), from_csv('', 'a STRING', map('emptyValue', 'E')), from_csv(' ', 'a STRING', map('ignoreLeadingWhiteSpace', 'true'))
SELECT from_csv('', 'a STRING', map('mode', 'FAILFAST'))
SELECT from_csv('#', 'a STRING', map('comment', '#')), from_csv(concat('#a', chr(10), 'b'), 'a STRING', map('comment', '#')), from_csv(concat(chr(10), 'b'), 'a STRING'), from_csv(concat('a,b', chr(10)), 'a STRING, b STRING')
SELECT from_csv('1.5,1e3,0x1', 'a FLOAT, b DOUBLE, c DOUBLE'), from_csv('1,000.50', 'a DECIMAL(10,2)', map('sep', ';')), from_csv('NaN,Inf', 'a DECIMAL(5,2), b DECIMAL(5,2)'), from_csv('1e2,+5', 'a DECIMAL(5,2), b DECIMAL(5,2)'), from_csv('x', 'a DECIMAL(5,2)')
SELECT from_csv('N,1', 'a STRING, b INT', map('nullValue', 'N')), from_csv('"N",1', 'a STRING, b INT', map('nullValue', 'N')), from_csv('"",1', 'a STRING, b INT', map('nullValue', 'N', 'emptyValue', 'N')), from_csv(' N,1', 'a STRING, b INT', map('nullValue', 'N', 'ignoreLeadingWhiteSpace', 'true'))
SELECT from_csv('a,b', 'a STRING, b STRING, c STRING', map('mode', 'FAILFAST'))
SELECT from_csv('1 day', 'a INTERVAL'), from_csv('x', 'a INTERVAL'), from_csv('1 year 2 months', 'a INTERVAL')
SELECT from_csv('1-2,3', 'a INTERVAL YEAR TO MONTH, b INTERVAL MONTH'), from_csv('1 02:03:04,x', 'a INTERVAL DAY TO SECOND, b INTERVAL HOUR'), from_csv('interval ''1'' day', 'a INTERVAL DAY'), from_csv('INTERVAL ''1'' HOUR', 'a INTERVAL DAY')
SELECT schema_of_csv(concat('a,b', chr(10), '1,2')), schema_of_csv('a||1', map('sep', '||')), schema_of_csv('"a"b,1'), schema_of_csv('"a"b,1', map('unescapedQuoteHandling', 'STOP_AT_CLOSING_QUOTE')), schema_of_csv('12345678901,-0.5,+1,.5,1.,1e400')
SELECT schema_of_csv('#1,2', map('comment', '#'))
SELECT schema_of_csv('1,x', map('header', 'true')), schema_of_csv('1', map('locale', 'en-US')), schema_of_csv('1', map('encoding', 'UTF-8')), schema_of_csv('1', map('multiLine', 'true'))
SELECT schema_of_csv('abc', map('maxCharsPerColumn', '2'))
SELECT schema_of_csv('2026-01-02', map('timestampFormat', 'yyyy-MM-dd')), schema_of_csv('2026-01-02', map('dateFormat', 'dd.MM.yyyy')), schema_of_csv('2026-01-02 10:11:12', map('timestampFormat', 'dd.MM.yyyy')), schema_of_csv('02.01.2026', map('dateFormat', 'dd.MM.yyyy', 'preferDate', 'false'))
SELECT schema_of_csv('N', map('nullValue', 'N')), schema_of_csv('', map('nullValue', 'N'))
SELECT schema_of_csv('N,x', map('nullValue', 'N')), schema_of_csv(',x'), schema_of_csv(' ,x')
SELECT from_csv('"a" b,2', 'a STRING, b STRING'), from_csv('"a" b,2', 'a STRING, b STRING', map('unescapedQuoteHandling', 'STOP_AT_CLOSING_QUOTE')), from_csv('"a" b,2', 'a STRING, b STRING', map('unescapedQuoteHandling', 'SKIP_VALUE')), from_csv('"a"b"c",2', 'a STRING, b STRING'), from_csv('"a"b"c",2', 'a STRING, b STRING', map('unescapedQuoteHandling', 'STOP_AT_CLOSING_QUOTE')), from_csv('"a"b"c",2', 'a STRING, b STRING', map('unescapedQuoteHandling', 'SKIP_VALUE')), from_csv('"a"b,"c,d",2', 'a STRING, b STRING, c STRING', map('unescapedQuoteHandling', 'stop_at_closing_quote'))
SELECT from_csv('1', 'a INT', map('encoding', 'UTF-8', 'charset', 'utf-8', 'header', 'true', 'inferSchema', 'TRUE', 'enforceSchema', 'false', 'samplingRatio', '0.5', 'preferDate', 'true', 'compression', 'gzip', 'timeZone', 'UTC')), from_csv('2026-01-02 03:04:05', 'a TIMESTAMP', map('timeZone', 'Europe/Berlin'))
SELECT to_csv(named_struct('a', 'x', 'b', 'y|z'), map('lineSep', '|')), to_csv(named_struct('a', concat('x', chr(10), 'y'), 'b', concat('x', chr(13), 'y'))), to_csv(named_struct('a', concat('x', chr(10), 'y')), map('lineSep', '|')), to_csv(named_struct('a', 'x\\,y"'), map('charToEscapeQuoteEscaping', '#')), to_csv(named_struct('a', 'x\\,y"'), map('escape', '#')), to_csv(named_struct('a', 'x#,y"'), map('escape', '#'))
SELECT from_csv('#a', 'a STRING, _corrupt_record STRING', map('comment', '#')), from_csv('', 'a STRING, _corrupt_record STRING'), from_csv('a', 'a STRING, _corrupt_record STRING'), from_csv('a', '_corrupt_record STRING')
SELECT from_csv('a""b,c""', 'a STRING, b STRING'), from_csv('"a""b",""""', 'a STRING, b STRING', map('escape', '"')), from_csv('"",""""""', 'a STRING, b STRING', map('escape', '"')), from_csv('"a\\\\",b', 'a STRING, b STRING'), from_csv('"a\\x",b', 'a STRING, b STRING'), from_csv('a\\"b', 'a STRING')

-- options of JSON, and Java's text of values
SELECT from_json('{"a":1}', 'a INT', map('encoding', 'nonsense'))
SELECT from_json('{"a":1}', 'a INT', map('lineSep', ''))
SELECT from_json('{"a":"YWJj"}', 'a BINARY'), from_json('{"a":"x!"}', 'a BINARY'), from_json('{"a":""}', 'a BINARY'), from_json('{"a":1}', 'a BINARY'), from_json('{"a":null}', 'a BINARY'), from_json('{"a":"YWJjZA=="}', 'a BINARY'), from_json('{"a":"YWJjZA"}', 'a BINARY'), from_json('["YWJj", "eA=="]', 'ARRAY<BINARY>')
SELECT from_json('{"a":"x!", "b": 1}', 'a BINARY, b INT'), from_json('{"b": 1, "a":"x!"}', 'a BINARY, b INT'), from_json('{"a":"YW Jj", "b": 1}', 'a BINARY, b INT')
SELECT from_json('{"a":"INTERVAL ''1'' YEAR","b":"INTERVAL ''2'' DAY"}', 'a INTERVAL YEAR, b INTERVAL DAY'), from_json('{"a":"1","b":"2"}', 'a INTERVAL YEAR, b INTERVAL DAY'), from_json('{"a":1,"b":2}', 'a INTERVAL YEAR, b INTERVAL DAY')
SELECT from_json('{"a":"INTERVAL ''1-2'' YEAR TO MONTH","b":"INTERVAL ''1 02:03:04.5'' DAY TO SECOND"}', 'a INTERVAL YEAR TO MONTH, b INTERVAL DAY TO SECOND'), from_json('{"a":"x","b":"INTERVAL ''1 02:03:04.5'' DAY TO SECOND"}', 'a INTERVAL YEAR TO MONTH, b INTERVAL DAY TO SECOND')
SELECT from_json('{"a":"1 day","b":1}', 'a INTERVAL, b INT'), from_json('{"a":"1 year 2 days 3 seconds","b":1}', 'a INTERVAL, b INT'), from_json('{"a":"x","b":1}', 'a INTERVAL, b INT'), from_json('{"a":"interval 1 day","b":1}', 'a INTERVAL, b INT')
SELECT from_json('{"a":1}', 'a STRING', map('primitivesAsString', 'true')), from_json('{"a":1.5}', 'a STRING', map('prefersDecimal', 'true', 'dropFieldIfAllNull', 'true', 'inferTimestamp', 'true', 'samplingRatio', '1.0'))
SELECT from_json('{"a":1}', 'a INT', map('primitivesAsString', 'x'))
SELECT from_json('{"a":1}', 'a INT', map('mode', 'DROPMALFORMED'))
SELECT from_json('{"a":1}', 'a INT', map('ignoreNullFields', 'x'))
SELECT from_json('{"a":NaN}', 'a DOUBLE', map('allowNonNumericNumbers', 'false'))
SELECT schema_of_json('{a:1}', map('allowUnquotedFieldNames', 'true')), schema_of_json('{"a":01}', map('allowNumericLeadingZeros', 'true')), schema_of_json('{/*x*/"a":1}', map('allowComments', 'true')), schema_of_json('{"a":"\\q"}', map('allowBackslashEscapingAnyCharacter', 'true')), schema_of_json('{"a":NaN,"b":Infinity,"c":-INF}')
SELECT schema_of_json('{"a":NaN}', map('allowNonNumericNumbers', 'false'))
SELECT schema_of_json('{''a'':1}', map('allowSingleQuotes', 'false'))
SELECT schema_of_json('{"a":"2026-01-02 03:04:05","b":"2026-01-02","c":"2026-01-02T03:04:05Z"}', map('inferTimestamp', 'true')), schema_of_json('{"a":"2026-01-02 03:04:05","b":"x","c":""}', map('inferTimestamp', 'true')), schema_of_json('{"a":"02.01.2026 10:11","b":"2026-01-02 03:04:05"}', map('inferTimestamp', 'true', 'timestampFormat', 'dd.MM.yyyy HH:mm')), schema_of_json('{"a":"02.01.2026 10:11"}', map('inferTimestamp', 'true', 'timestampNTZFormat', 'dd.MM.yyyy HH:mm'))
SELECT schema_of_json('{"a":1', map('mode', 'PERMISSIVE'))
SELECT schema_of_json('[1, "a", true, null]', map('primitivesAsString', 'true')), schema_of_json('[]', map('primitivesAsString', 'true')), schema_of_json('1', map('primitivesAsString', 'true')), schema_of_json('{"a":{"b":1}}', map('primitivesAsString', 'true')), schema_of_json('[]', map('dropFieldIfAllNull', 'true')), schema_of_json('{}', map('dropFieldIfAllNull', 'true')), schema_of_json('{"a":null}', map('dropFieldIfAllNull', 'true')), schema_of_json('{"a":[{"b":null}],"c":[[null]],"d":1}', map('dropFieldIfAllNull', 'true'))
SELECT to_json(named_struct('a', 1, 'b', array(1, 2)), map('pretty', 'true')), to_json(array(named_struct('a', 1), named_struct('a', 2)), map('pretty', 'true')), to_json(named_struct('a', map('x', 1, 'y', 2), 'b', named_struct('c', NULL)), map('pretty', 'true')), to_json(array(), map('pretty', 'true')), to_json(map(), map('pretty', 'true'))
SELECT to_json(named_struct('a', array(array(1), array()), 'b', map(), 'c', named_struct('d', named_struct('e', 'x'))), map('pretty', 'true')), to_json(named_struct('a', NULL), map('pretty', 'true', 'ignoreNullFields', 'false')), to_json(array(1, NULL, 2), map('pretty', 'TRUE'))
SELECT to_json(named_struct('a', 1), map('pretty', 'x'))
SELECT to_json(named_struct('a', 'é\u2028/x'), map('writeNonAsciiCharacterAsCodePoint', 'true')), to_json(named_struct('a', 'é😀'), map('writeNonAsciiCharacterAsCodePoint', 'true')), to_json(named_struct('é', 'a'), map('writeNonAsciiCharacterAsCodePoint', 'true')), to_json(map('é', 'a'), map('writeNonAsciiCharacterAsCodePoint', 'true'))
SELECT to_json(named_struct('a', 1), map('timeZone', 'nonsense'))
SELECT to_json(map(named_struct('a', 1, 'b', 'x'), 1)), to_json(map(array(1, 2), 1)), to_json(map(named_struct('a', named_struct('c', date'2026-01-02'), 'b', NULL), 1)), to_json(map(array('x', 'y'), 1)), to_json(map(named_struct('a', array(1, 2)), 1))
SELECT to_json(map(1.50, 1, 2.5, 2)), to_json(map(true, 1)), to_json(map(1.5d, 1)), to_json(map(named_struct('a', 1.50, 'b', 2.5d, 'c', timestamp'2026-01-01 00:00:00', 'd', true), 1)), to_json(map(INTERVAL '1' YEAR, 1)), to_json(map(INTERVAL '1' DAY, 1)), to_json(map(time'12:00:00', 1))
SELECT to_json(map(named_struct('a', 1), named_struct('b', 2)), map('pretty', 'true'))
SELECT to_json(parse_json('{"a":[1,2]}'), map('pretty', 'true'))
SELECT signum(make_interval(1))
SELECT format_string('%s', array(1, 2)), format_string('%s', map('a', 1)), format_string('%s', named_struct('a', 1))
SELECT format_string('%s %s %s', array(1, NULL), array('x', 'y'), array(array(1)))
SELECT format_string('%s', array())
SELECT format_string('%s', map(1, 2, 3, 4)), format_string('%s', named_struct('a', 1, 'b', 'x', 'c', NULL)), format_string('%s', named_struct('a', array(1, 2))), format_string('%10s|', named_struct('a', 1)), format_string('%S', named_struct('a', 'x'))
SELECT format_string('%s %s', INTERVAL '1' YEAR, INTERVAL '1' DAY)
SELECT format_string('%s', time'12:00:00')
SELECT format_string('%s %s %s', date'2026-01-02', timestamp'2026-01-02 03:04:05', timestamp_ntz'2026-01-02 03:04:05'), format_string('%s %s %s', 1.50, 2.5d, true), format_string('%s', parse_json('{"a":1}'))
SELECT format_string('%-12g|', 1.5d), format_string('%012g', 1.5d), format_string('%+g', 1.5d), format_string('% g', 1.5d), format_string('%,g', 12345.678d), format_string('%(g', -1.5d), format_string('%g', double('NaN')), format_string('%g', double('-Infinity')), format_string('%g', float(1.1)), format_string('%g', 1.50)
SELECT format_string('%#g', 1.5d)
SELECT format_string('%g', 123456789012345678901234567890.5), format_string('%.3g', 0.00012345), format_string('%g', 0.0), format_string('%g', 1e-5BD)
SELECT format_string('%g', 1)
SELECT format_string('%a', 1.5)
SELECT format_string('%,a', 1d)
SELECT format_string('%(a', -1d)
SELECT schema_of_json('{"a":1,"b":1.5,"c":true}', map('primitivesAsString', 'true')), schema_of_json('{"a":null,"b":{"c":null},"d":[null],"e":{},"f":[]}', map('dropFieldIfAllNull', 'true')), schema_of_json('{"a":null,"b":{"c":null},"d":[null],"e":{},"f":[]}')
SELECT schema_of_json('{"c":1e-40, "d": 12345678901234567890123456789012345678901.5}', map('prefersDecimal', 'true')), schema_of_json('{"a":NaN}', map('prefersDecimal', 'true'))
SELECT format_string('%g', 123456789.5BD)
SELECT format_string('%d', array(1))
SELECT format_string('%c', named_struct('a', 1))
SELECT format_string('%b', array(1)), format_string('%.2s', array(1, 2)), format_string('%s', array(1.50, NULL)), format_string('%s', map('a', array(1), 'b', NULL)), format_string('%s', array(date'2026-01-02')), format_string('%s', array(named_struct('a', map(1, 2)))), format_string('%s', array('a b', '')), format_string('%s', array(true, false)), format_string('%s', array(1.5d, float(1.1)))
SELECT format_string('%s', make_interval(1, 2, 3))
SELECT format_string('%s', array(make_interval(1, 2, 3))), format_string('%s', array(INTERVAL '1' DAY, INTERVAL '2' DAY)), format_string('%s', named_struct('a', CAST(NULL AS INT)))
SELECT format_string('%s', array(parse_json('{"a": 1}')))
SELECT from_json('{"a":"1-2","b":"interval ''3'' month"}', 'a INTERVAL YEAR TO MONTH, b INTERVAL MONTH'), from_json('{"a":"1 02:03:04"}', 'a INTERVAL DAY TO SECOND'), from_json('["1 day", null]', 'ARRAY<INTERVAL>'), from_json('{"k":"INTERVAL ''1'' DAY"}', 'MAP<STRING, INTERVAL DAY>')
SELECT to_json(map(named_struct('a', NULL, 'b', 'x'), 1)), to_json(map(named_struct('a', X'61'), 1)) IS NOT NULL, to_json(map(array(1, NULL), 1)), to_json(map(named_struct('a', INTERVAL '1' DAY), 1)), to_json(named_struct('x', map(named_struct('a', array(date'2026-01-02')), 1)))
SELECT to_json(map(CAST(NULL AS STRING), 1))
SELECT to_json(named_struct('a', date'2026-01-02', 't', timestamp'2026-01-02 03:04:05'), map('locale', 'en-US', 'dateFormat', 'dd MMM yyyy', 'timestampFormat', 'EEE HH:mm'))
SELECT to_json(named_struct('a', '\u007f\u0080é'), map('writeNonAsciiCharacterAsCodePoint', 'true')), to_json(named_struct('a', map('x', array(named_struct('y', 1)))), map('pretty', 'true')), to_json(map('é', named_struct('ü', 'ß')), map('pretty', 'true', 'writeNonAsciiCharacterAsCodePoint', 'true'))
SELECT from_json('{"a":1}', 'a INT', map('encoding', 'UTF-8', 'lineSep', '|', 'locale', 'en-US')), from_json('{"a":"2026/01/02 03:04"}', 'a TIMESTAMP_NTZ', map('timestampNTZFormat', 'yyyy/MM/dd HH:mm')), from_json('{"a":"2026-01-02"}', 'a DATE', map('dateFormat', 'dd.MM.yyyy', 'enableDateTimeParsingFallback', 'true')), from_json('{"a":"2026-01-02"}', 'a DATE', map('dateFormat', 'dd.MM.yyyy')), from_json('{"a":"2026-01-02 03:04:05"}', 'a TIMESTAMP', map('timeZone', 'Europe/Berlin')), from_json('{"a":1}', 'a INT', map('multiLine', 'true', 'compression', 'gzip')), from_json('{"a":"1,000.5"}', 'a DECIMAL(7,2)')
SELECT schema_of_json('{"a":1.5}', map('locale', 'en-US', 'encoding', 'UTF-8', 'mode', 'PERMISSIVE', 'lineSep', '|'))
SELECT to_json(named_struct('a', timestamp_ntz'2026-01-02 03:04:05', 'b', timestamp'2026-01-02 03:04:05'), map('timestampNTZFormat', 'HH:mm', 'timestampFormat', 'mm:HH')), to_json(named_struct('b', timestamp'2026-01-02 03:04:05'), map('timeZone', 'Europe/Berlin')), to_json(named_struct('a', 1), map('locale', 'en-US', 'encoding', 'UTF-8', 'lineSep', '|'))
SELECT format_string('%s', array(1.0d, float(2.5), NULL)), format_string('%s', array(X'61')) IS NOT NULL, format_string('%5s|%-5s|', array(1), array())
SELECT to_json(map(named_struct('a', 'x,y', 'b', array('z')), 1)), to_json(map(named_struct('a', parse_json('1')), 1))
SELECT signum(INTERVAL '1' YEAR), signum(INTERVAL '-1' DAY), sign(INTERVAL '0' SECOND), signum(INTERVAL '-1-2' YEAR TO MONTH), signum(CAST(NULL AS INTERVAL DAY)), sign(a) FROM VALUES (INTERVAL '5' HOUR), (INTERVAL '-5' HOUR), (NULL) t(a)
SELECT sentences('a\u2010b c\u2011d e\u2012f g\u2013h i\u2014j'), sentences('brown-fox'), sentences('Hi! How are-you?'), sentences('-a- b'), sentences('a-1-b')
SELECT to_number('١٢', '99'), to_number('１２', '99')
SELECT to_number('1٢', '99'), try_to_number('१२.५', '99.9'), to_number('$१', '$9')
SELECT format_string('%g', 1.5d), format_string('%g', 123456789.0d), format_string('%g', 0.0001d), format_string('%g', 0.00001d), format_string('%.3g', 1234.5d), format_string('%G', 1e-10d), format_string('%g', 0d), format_string('%.0g', 5.5d), format_string('%12.4g|', 3.14159d), format_string('%g', -1e20d)
SELECT format_string('%g', 999999.5d), format_string('%g', 9.9999995d), format_string('%g', 99999.95d), format_string('%.2g', 99.9d), format_string('%.2g', 0.000099d), format_string('%.2g', 0.0000999d), format_string('%g', 1e5d), format_string('%g', 1e6d), format_string('%.10g', 1e9d), format_string('%.10g', 1e10d)
SELECT format_string('%-12g|', 1.5d), format_string('%012g', 1.5d), format_string('%+g', 1.5d), format_string('% g', 1.5d), format_string('%,g', 12345.678d), format_string('%(g', -1.5d), format_string('%g', double('NaN')), format_string('%g', double('-Infinity')), format_string('%g', float(1.1)), format_string('%,g', 123456.78d)
SELECT to_number('१२३', '999'), to_number('1２,٣00', '9,999'), try_to_number('1x', '99'), to_number('Ⅷ', '9')
SELECT try_to_number('Ⅷ', '9'), try_to_number('²', '9'), try_to_number('𝟙', '9'), try_to_number('१.५', '9.9')

-- constants that the engine computes while a query is read
SELECT date_trunc(replace('yxar', 'x', 'e'), timestamp'2026-05-06 01:02:03'), date_trunc(concat_ws('', 'ye', 'ar'), timestamp'2026-05-06 01:02:03'), date_trunc(substring('xmonth', 2), timestamp'2026-05-06 01:02:03'), date_trunc(trim(' day '), timestamp'2026-05-06 01:02:03'), date_trunc(reverse('ruoh'), timestamp'2026-05-06 01:02:03')
SELECT round(1234.5678, int(rand(1)))
SELECT from_json('{"a":1}', replace('x INT', 'x', 'a')), from_json('{"a":1}', schema_of_json('{"a":2}')), from_csv('1', schema_of_csv('2')), from_csv('1', repeat('a INT', 1)), from_json('{"a":1}', concat_ws(' ', 'a', 'INT'))
SELECT to_number('12', repeat('9', 2)), to_char(12, lpad('', 3, '9')), try_to_number('12', rpad('9', 2, '9'))
SELECT percentile_approx(a, element_at(array(0.5), 1)) FROM VALUES (1), (2), (3) t(a)
SELECT ntile(int(sqrt(4))) OVER (ORDER BY a), nth_value(a, int(pow(2, 1))) OVER (ORDER BY a) FROM VALUES (1), (2) t(a)
SELECT lag(a, int(floor(1.5))) OVER (ORDER BY a) FROM VALUES (1), (2) t(a)
SELECT approx_percentile(a, 0.5, int(pow(10, 2))), percentile(a, sqrt(0.25)), approx_count_distinct(a, sqrt(0.0001)) FROM VALUES (1), (2) t(a)
SELECT percentile_approx(a, a * 0.5) FROM VALUES (1), (2) t(a)
SELECT map_from_arrays(array('x'), array(1)).x, str_to_map(replace('aXb', 'X', ':')), from_csv('1', 'a INT', map(lower('SEP'), replace('x', 'x', ','))), from_csv('1;2', 'a INT, b INT', map_from_arrays(array('sep'), array(';'))), from_csv('1;2', 'a INT, b INT', str_to_map('sep=;', ',', '='))

-- AES
SELECT hex(aes_encrypt('Spark', '0000111122223333', 'ECB')), base64(aes_encrypt('Spark SQL', '1234567890abcdef', 'ECB', 'PKCS'))
SELECT base64(aes_encrypt('Spark', 'abcdefghijklmnop12345678ABCDEFGH', 'CBC', 'DEFAULT', unhex('00000000000000000000000000000000')))
SELECT base64(aes_encrypt('Spark', 'abcdefghijklmnop12345678ABCDEFGH', 'GCM', 'DEFAULT', unhex('000000000000000000000000'), 'This is an AAD mixed into the input'))
SELECT base64(aes_encrypt('Spark', 'abcdefghijklmnop12345678ABCDEFGH', 'GCM', 'DEFAULT', unhex('000000000000000000000000')))
SELECT hex(aes_encrypt('', '0000111122223333', 'ECB')), hex(aes_encrypt('', '000011112222333344445555', 'CBC', 'PKCS', unhex('000102030405060708090a0b0c0d0e0f'))), hex(aes_encrypt('', '0000111122223333', 'GCM', 'NONE', unhex('000102030405060708090a0b')))
SELECT k, hex(aes_encrypt('0123456789abcdef', k, 'ECB')) FROM VALUES ('0000111122223333'), ('000011112222333344445555'), ('00001111222233334444555566667777'), (NULL) t(k)
SELECT v, hex(aes_encrypt(v, '0000111122223333', 'ECB')), hex(aes_encrypt(v, '0000111122223333', 'cbc', 'default', X'000102030405060708090a0b0c0d0e0f')), hex(aes_encrypt(v, '0000111122223333', 'gcm', 'none', X'000102030405060708090a0b')) FROM VALUES (''), ('a'), ('0123456789abcde'), ('0123456789abcdef'), ('0123456789abcdef0'), ('é€😀'), (NULL) t(v)
SELECT CAST(aes_decrypt(unhex('83F16B2AA704794132802D248E6BFD4E380078182D1544813898AC97E709B28A94'), '0000111122223333') AS STRING)
SELECT CAST(aes_decrypt(unhex('6E7CA17BBB468D3084B5744BCA729FB7B2B7BCB8E4472847D02670489D95FA97DBBA7D3210'), '0000111122223333', 'GCM') AS STRING)
SELECT CAST(aes_decrypt(unbase64('3lmwu+Mw0H3fi5NDvcu9lg=='), '1234567890abcdef', 'ECB', 'PKCS') AS STRING)
SELECT CAST(aes_decrypt(unbase64('2NYmDCjgXTbbxGA3/SnJEfFC/JQ7olk2VQWReIAAFKo='), '1234567890abcdef', 'CBC') AS STRING)
SELECT CAST(aes_decrypt(unbase64('AAAAAAAAAAAAAAAAAAAAAPSd4mWyMZ5mhvjiAPQJnfg='), 'abcdefghijklmnop12345678ABCDEFGH', 'CBC', 'DEFAULT') AS STRING)
SELECT CAST(aes_decrypt(unbase64('AAAAAAAAAAAAAAAAQiYi+sTLm7KD9UcZ2nlRdYDe/PX4'), 'abcdefghijklmnop12345678ABCDEFGH', 'GCM', 'DEFAULT', 'This is an AAD mixed into the input') AS STRING)
!SELECT CAST(aes_decrypt(unbase64('AAAAAAAAAAAAAAAAQiYi+sTLm7KD9UcZ2nlRdYDe/PX4'), 'abcdefghijklmnop12345678ABCDEFGH', 'GCM', 'DEFAULT', 'another') AS STRING)
!SELECT CAST(aes_decrypt(unbase64('AAAAAAAAAAAAAAAAQiYi+sTLm7KD9UcZ2nlRdYDe/PX4'), 'abcdefghijklmnop12345678ABCDEFGH', 'GCM') AS STRING)
SELECT v, CAST(aes_decrypt(aes_encrypt(v, '0000111122223333'), '0000111122223333') AS STRING) AS g, CAST(aes_decrypt(aes_encrypt(v, '0000111122223333', 'CBC'), '0000111122223333', 'CBC') AS STRING) AS c, CAST(aes_decrypt(aes_encrypt(v, '0000111122223333', 'ECB'), '0000111122223333', 'ECB') AS STRING) AS e FROM VALUES (''), ('a'), ('0123456789abcdef'), ('é€😀 and more of it'), (NULL) t(v)
SELECT length(aes_encrypt('Spark', '0000111122223333')), length(aes_encrypt('Spark', '0000111122223333', 'CBC')), length(aes_encrypt('Spark', '0000111122223333', 'ECB'))
SELECT aes_encrypt('Spark', '0000111122223333') = aes_encrypt('Spark', '0000111122223333')
SELECT CAST(aes_decrypt(aes_encrypt('Spark', '0000111122223333', 'GCM', 'NONE'), '0000111122223333', 'GCM', 'NONE') AS STRING)
SELECT typeof(aes_encrypt('a', '0000111122223333')), typeof(aes_decrypt(X'00', '0000111122223333')), typeof(try_aes_decrypt(X'00', '0000111122223333'))
!SELECT aes_encrypt('Spark', '000011112222333')
!SELECT aes_encrypt('Spark', '')
!SELECT aes_encrypt('Spark', '00001111222233334')
!SELECT aes_decrypt(X'00', '000011112222333')
!SELECT aes_decrypt(X'00', '0000111122223333')
!SELECT aes_decrypt(X'', '0000111122223333')
!SELECT aes_decrypt(X'00', '0000111122223333', 'ECB')
SELECT aes_decrypt(X'', '0000111122223333', 'ECB')
!SELECT aes_decrypt(X'', '0000111122223333', 'CBC')
SELECT aes_decrypt(X'000102030405060708090a0b0c0d0e0f', '0000111122223333', 'CBC')
!SELECT aes_decrypt(X'000102030405060708090a0b0c0d0e0f', '0000111122223333', 'ECB')
!SELECT aes_decrypt(X'000102030405060708090a0b', '0000111122223333', 'GCM')
!SELECT aes_decrypt(X'000102030405060708090a0b0c0d0e0f', '0000111122223333', 'GCM')
!SELECT aes_decrypt(X'000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f', '0000111122223333', 'GCM')
!SELECT aes_decrypt(X'000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f', '0000111122223333', 'CBC')
!SELECT aes_encrypt('Spark', '0000111122223333', 'CTR')
!SELECT aes_encrypt('Spark', '0000111122223333', 'GCM', 'PKCS')
!SELECT aes_encrypt('Spark', '0000111122223333', 'CBC', 'NONE')
!SELECT aes_encrypt('Spark', '0000111122223333', 'ECB', 'NONE')
!SELECT aes_encrypt('Spark', '0000111122223333', '')
!SELECT aes_encrypt('Spark', '0000111122223333', 'ECB', 'OAEP')
!SELECT aes_decrypt(X'00', '0000111122223333', 'CTR')
!SELECT aes_decrypt(X'00', '0000111122223333', 'GCM', 'PKCS')
SELECT try_aes_decrypt(X'00', '0000111122223333', 'CTR')
SELECT try_aes_decrypt(X'00', '0000111122223333', 'CTR'), 1
SELECT try_aes_decrypt(X'00', '0000111122223333', 'GCM', 'PKCS')
SELECT try_aes_decrypt(X'00', '000011112222333')
SELECT try_aes_decrypt(X'00', '0000111122223333'), try_aes_decrypt(X'', '0000111122223333', 'ECB'), try_aes_decrypt(X'000102030405060708090a0b0c0d0e0f', '0000111122223333', 'ECB'), try_aes_decrypt(NULL, '0000111122223333')
SELECT CAST(try_aes_decrypt(unhex('6E7CA17BBB468D3084B5744BCA729FB7B2B7BCB8E4472847D02670489D95FA97DBBA7D3210'), '0000111122223333', 'GCM') AS STRING), try_aes_decrypt(unhex('----------468D3084B5744BCA729FB7B2B7BCB8E4472847D02670489D95FA97DBBA7D3210'), '0000111122223333', 'GCM')
SELECT v, try_aes_decrypt(v, '0000111122223333', 'CBC') FROM VALUES (X''), (X'00'), (X'000102030405060708090a0b0c0d0e0f'), (X'000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f'), (NULL) t(v)
SELECT aes_encrypt(NULL, '0000111122223333'), aes_encrypt('a', NULL), aes_encrypt('a', '0000111122223333', NULL), aes_encrypt('a', '0000111122223333', 'GCM', NULL), aes_encrypt('a', '0000111122223333', 'GCM', 'NONE', NULL), aes_encrypt('a', '0000111122223333', 'GCM', 'NONE', X'000102030405060708090a0b', NULL)
SELECT aes_decrypt(NULL, '0000111122223333'), aes_decrypt(X'00', NULL), aes_decrypt(X'00', '0000111122223333', NULL), aes_decrypt(X'00', '0000111122223333', 'GCM', NULL), aes_decrypt(X'00', '0000111122223333', 'GCM', 'NONE', NULL)
!SELECT aes_encrypt('Spark', '0000111122223333', 'GCM', 'DEFAULT', X'00')
!SELECT aes_encrypt('Spark', '0000111122223333', 'CBC', 'DEFAULT', X'000102030405060708090a0b')
!SELECT aes_encrypt('Spark', '0000111122223333', 'GCM', 'DEFAULT', X'000102030405060708090a0b0c0d0e0f')
!SELECT aes_encrypt('Spark', '0000111122223333', 'ECB', 'DEFAULT', X'000102030405060708090a0b0c0d0e0f')
!SELECT aes_encrypt('Spark', '0000111122223333', 'ECB', 'DEFAULT', X'', 'aad')
!SELECT aes_encrypt('Spark', '0000111122223333', 'CBC', 'DEFAULT', X'000102030405060708090a0b0c0d0e0f', 'aad')
SELECT hex(aes_encrypt('Spark', '0000111122223333', 'ECB', 'DEFAULT', X'', '')), length(aes_encrypt('Spark', '0000111122223333', 'GCM', 'DEFAULT', X'', '')), length(aes_encrypt('Spark', '0000111122223333', 'GCM', 'DEFAULT', '', 'aad'))
!SELECT aes_decrypt(X'000102030405060708090a0b0c0d0e0f', '0000111122223333', 'ECB', 'DEFAULT', 'aad')
!SELECT aes_decrypt(X'000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f', '0000111122223333', 'CBC', 'DEFAULT', 'aad')
!SELECT hex(aes_encrypt(12345, '0000111122223333', 'ECB'))
!SELECT hex(aes_encrypt('a', 1234567890123456L, 'ECB'))
!SELECT hex(aes_encrypt(date'2026-01-01', '0000111122223333', 'ECB'))
!SELECT hex(aes_encrypt(true, '0000111122223333', 'ECB'))
!SELECT hex(aes_encrypt(1.5, '0000111122223333', 'ECB'))
!SELECT aes_encrypt(array(1), '0000111122223333')
!SELECT aes_encrypt('a')
!SELECT aes_encrypt('a', '0000111122223333', 'ECB', 'PKCS', '', '', '')
!SELECT aes_decrypt(X'00', '0000111122223333', 'GCM', 'NONE', '', '')
!SELECT aes_decrypt(X'00')
!SELECT aes_encrypt('a', '0000111122223333', 1)
SELECT hex(aes_decrypt('0123456789abcdef', '0000111122223333', m)) FROM VALUES (CAST(NULL AS STRING)) t(m)
SELECT m, p, hex(aes_encrypt('Spark', '0000111122223333', m, p, i)) FROM VALUES ('ECB', 'PKCS', X''), ('GCM', 'NONE', X'000102030405060708090a0b'), ('CBC', 'DEFAULT', X'000102030405060708090a0b0c0d0e0f'), ('cbc', 'pkcs', X'000102030405060708090a0b0c0d0e0f') t(m, p, i)
!SELECT hex(aes_encrypt('Spark', '0000111122223333', mode => 'ECB')), hex(aes_encrypt(expr => 'a', key => '0000111122223333', mode => 'GCM', iv => X'000102030405060708090a0b'))
SELECT hex(aes_encrypt(repeat('x', 100), '0000111122223333', 'GCM', 'NONE', X'000102030405060708090a0b', repeat('aad', 50)))
SELECT CAST(aes_decrypt(aes_encrypt(repeat('abc', n), '00001111222233334444555566667777', 'CBC'), '00001111222233334444555566667777', 'CBC') AS STRING) = repeat('abc', n) FROM VALUES (0), (1), (5), (16), (1000) t(n)
SELECT try_aes_decrypt('0123456789abcdef', '0000111122223333', 'GCM'), try_aes_decrypt('0123456789abcdef', '0000111122223333', 'ECB', 'PKCS', 'aad')
SELECT aes_encrypt('Spark', '0000111122223333') FROM VALUES (1) t(a) WHERE a > 1
SELECT CAST(try_aes_decrypt(aes_encrypt('Spark', '0000111122223333', 'GCM', 'DEFAULT', '', 'x'), '0000111122223333', 'GCM', 'DEFAULT', a) AS STRING) FROM VALUES ('x'), ('y'), (''), (NULL) t(a)

-- vectors
SELECT vector_cosine_similarity(array(1.0F, 2.0F, 3.0F), array(4.0F, 5.0F, 6.0F)), vector_inner_product(array(1.0F, 2.0F, 3.0F), array(4.0F, 5.0F, 6.0F)), vector_l2_distance(array(1.0F, 2.0F, 3.0F), array(4.0F, 5.0F, 6.0F))
SELECT vector_norm(array(3.0F, 4.0F)), vector_norm(array(3.0F, 4.0F), 2.0F), vector_norm(array(3.0F, 4.0F), 1.0F), vector_norm(array(3.0F, -4.0F), float('inf'))
SELECT vector_normalize(array(3.0F, 4.0F)), vector_normalize(array(3.0F, 4.0F), 2.0F), vector_normalize(array(3.0F, 4.0F), 1.0F), vector_normalize(array(3.0F, -4.0F), float('inf'))
SELECT vector_cosine_similarity(CAST(array() AS ARRAY<FLOAT>), CAST(array() AS ARRAY<FLOAT>)), vector_inner_product(CAST(array() AS ARRAY<FLOAT>), CAST(array() AS ARRAY<FLOAT>)), vector_l2_distance(CAST(array() AS ARRAY<FLOAT>), CAST(array() AS ARRAY<FLOAT>)), vector_norm(CAST(array() AS ARRAY<FLOAT>)), vector_normalize(CAST(array() AS ARRAY<FLOAT>))
SELECT vector_cosine_similarity(array(0.0F, 0.0F), array(1.0F, 2.0F)), vector_norm(array(0.0F, 0.0F)), vector_normalize(array(0.0F, 0.0F))
SELECT vector_cosine_similarity(array(1.0F, NULL), array(1.0F, 2.0F)), vector_inner_product(array(1.0F, NULL), array(1.0F, 2.0F)), vector_l2_distance(array(1.0F, NULL), array(1.0F, 2.0F)), vector_norm(array(1.0F, NULL)), vector_normalize(array(1.0F, NULL))
!SELECT vector_cosine_similarity(NULL, array(1.0F, 2.0F)), vector_inner_product(array(1.0F), NULL), vector_l2_distance(NULL, NULL)
!SELECT vector_norm(NULL), vector_normalize(NULL), vector_norm(array(1.0F), NULL), vector_normalize(array(1.0F), NULL)
SELECT vector_cosine_similarity(CAST(NULL AS ARRAY<FLOAT>), array(1.0F, 2.0F)), vector_inner_product(array(1.0F), CAST(NULL AS ARRAY<FLOAT>)), vector_norm(CAST(NULL AS ARRAY<FLOAT>)), vector_normalize(CAST(NULL AS ARRAY<FLOAT>)), vector_norm(array(1.0F), CAST(NULL AS FLOAT)), vector_normalize(array(1.0F), CAST(NULL AS FLOAT))
!SELECT vector_cosine_similarity(array(1.0F), array(1.0F, 2.0F))
!SELECT vector_inner_product(array(1.0F), array(1.0F, 2.0F))
!SELECT vector_l2_distance(array(1.0F), array(1.0F, 2.0F))
!SELECT vector_l2_distance(array(1.0F, NULL), array(1.0F))
!SELECT vector_cosine_similarity(array(1.0D), array(1.0F))
!SELECT vector_cosine_similarity(array(1.0F), array(1.0D))
!SELECT vector_inner_product(array(1), array(1))
!SELECT vector_l2_distance(array(1.0), array(1.0))
!SELECT vector_norm(array(1.0D))
!SELECT vector_norm(array(1))
!SELECT vector_norm(1.0F)
!SELECT vector_normalize(array('a'))
!SELECT vector_norm('a')
!SELECT vector_norm(array())
!SELECT vector_cosine_similarity(array(1.0F))
!SELECT vector_norm(array(1.0F), 2.0F, 1)
!SELECT vector_norm(array(1.0F), 3.0F)
!SELECT vector_norm(array(1.0F), 0.0F)
!SELECT vector_norm(array(1.0F), -1.0F)
!SELECT vector_normalize(array(1.0F), 3.0F)
!SELECT vector_norm(array(1.0F), float('nan'))
!SELECT vector_norm(array(1.0F), float('-inf'))
!SELECT vector_norm(array(1.0F), 2)
!SELECT vector_norm(array(3.0F, 4.0F), 2.0D), vector_norm(array(3.0F, 4.0F), 1.0)
!SELECT vector_norm(array(3.0F, 4.0F), '2')
!SELECT vector_norm(array(3.0F, 4.0F), 'x')
!SELECT vector_norm(array(3.0F, 4.0F), true)
!SELECT vector_norm(array(3.0F, 4.0F), p) FROM VALUES (1.5F) t(p)
SELECT vector_norm(array(3.0F, 4.0F), p), vector_normalize(array(3.0F, 4.0F), p) FROM VALUES (1.0F), (2.0F), (float('inf')), (NULL) t(p)
SELECT vector_norm(array(float('nan'), 1.0F)), vector_norm(array(float('inf'), 1.0F)), vector_norm(array(float('nan'), 1.0F), float('inf')), vector_norm(array(1.0F, float('nan')), float('inf')), vector_norm(array(float('nan'), 1.0F), 1.0F)
SELECT vector_normalize(array(float('nan'), 1.0F)), vector_normalize(array(float('inf'), 1.0F)), vector_normalize(array(float('inf'), 1.0F), 1.0F), vector_normalize(array(float('inf'), 1.0F), float('inf'))
SELECT vector_cosine_similarity(array(float('nan'), 1.0F), array(1.0F, 1.0F)), vector_inner_product(array(float('inf'), 1.0F), array(0.0F, 1.0F)), vector_l2_distance(array(float('inf')), array(float('inf'))), vector_l2_distance(array(float('inf')), array(1.0F))
SELECT vector_cosine_similarity(array(-0.0F), array(0.0F)), vector_inner_product(array(-0.0F), array(1.0F)), vector_normalize(array(-0.0F, 1.0F)), vector_norm(array(-0.0F))
SELECT vector_norm(array(3e38F, 3e38F)), vector_norm(array(1e20F, 1e20F)), vector_inner_product(array(3e38F), array(3e38F)), vector_l2_distance(array(3e38F), array(-3e38F)), vector_norm(array(1e-40F, 1e-30F)), vector_cosine_similarity(array(1e30F), array(1e30F)), vector_normalize(array(1e30F, 1F))
SELECT vector_cosine_similarity(array(1e-30F), array(1e-30F)), vector_norm(array(1e-30F)), vector_normalize(array(1e-30F, 1e-30F)), vector_norm(array(1e-44F), 1.0F), vector_normalize(array(3e38F, 3e38F), 1.0F), vector_norm(array(3e38F, 3e38F), 1.0F)
SELECT vector_inner_product(a, b), vector_cosine_similarity(a, b), vector_l2_distance(a, b), vector_norm(a), vector_norm(a, 1.0F), vector_norm(b, float('inf')), vector_normalize(b) FROM VALUES (array(0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F, 0.9F, 1.1F), array(1.3F, -0.7F, 0.01F, 100.5F, 3.3F, -8.125F, 0.333333F, 1e-3F, 7.77F, 2.2F)), (array(0.1F), array(0.3F)), (array(0.1F, 0.7F, 1e5F, 1e-5F, 3.14159F, 2.71828F, 0.577F, 1.414F), array(9.1F, 8.2F, 7.3F, 6.4F, 5.5F, 4.6F, 3.7F, 2.8F)), (NULL, array(1.0F)), (array(1.1F, 2.2F, 3.3F, 4.4F, 5.5F, 6.6F, 7.7F, 8.8F, 9.9F, 10.1F, 11.2F, 12.3F, 13.4F, 14.5F, 15.6F, 16.7F, 17.8F), array(0.11F, 0.22F, 0.33F, 0.44F, 0.55F, 0.66F, 0.77F, 0.88F, 0.99F, 0.101F, 0.112F, 0.123F, 0.134F, 0.145F, 0.156F, 0.167F, 0.178F)) t(a, b)
SELECT vector_inner_product(a, b), vector_cosine_similarity(a, b), vector_l2_distance(a, b), vector_norm(a), vector_norm(a, 1.0F), vector_normalize(a) FROM (SELECT transform(sequence(1, n), x -> CAST(x * 0.37D % 1.0D AS FLOAT)) AS a, transform(sequence(1, n), x -> CAST(x * 1.91D % 3.0D - 1.5D AS FLOAT)) AS b FROM VALUES (1), (2), (3), (7), (8), (9), (15), (16), (17), (31), (64), (100), (257) t(n))
SELECT vector_sum(v), vector_avg(v) FROM VALUES (array(1.0F, 2.0F)), (array(3.0F, 4.0F)) t(v)
SELECT vector_sum(v), vector_avg(v) FROM VALUES (array(1.0F, 2.0F)), (NULL), (array(3.0F, 5.0F)), (array(0.1F, 0.2F)) t(v)
SELECT vector_sum(v), vector_avg(v) FROM VALUES (array(1.0F, NULL)), (array(3.0F, 4.0F)) t(v)
SELECT vector_sum(v), vector_avg(v) FROM VALUES (array(3.0F, 4.0F)), (array(1.0F, NULL)) t(v)
SELECT vector_sum(v), vector_avg(v) FROM VALUES (array(1.0F, NULL)) t(v)
SELECT vector_sum(v), vector_avg(v) FROM VALUES (CAST(NULL AS ARRAY<FLOAT>)) t(v)
SELECT vector_sum(v), vector_avg(v) FROM VALUES (array(1.0F)) t(v) WHERE false
SELECT vector_sum(v), vector_avg(v) FROM VALUES (CAST(array() AS ARRAY<FLOAT>)), (CAST(array() AS ARRAY<FLOAT>)) t(v)
!SELECT vector_sum(v) FROM VALUES (array(1.0F, 2.0F)), (array(3.0F)) t(v)
!SELECT vector_avg(v) FROM VALUES (array(1.0F, 2.0F)), (array(3.0F)) t(v)
!SELECT vector_sum(v) FROM VALUES (array(1.0F, 2.0F)), (CAST(array() AS ARRAY<FLOAT>)) t(v)
!SELECT vector_sum(v) FROM VALUES (array(1.0D)) t(v)
!SELECT vector_avg(v) FROM VALUES (array(1)) t(v)
!SELECT vector_avg(v) FROM VALUES (1.0F) t(v)
!SELECT vector_avg('a')
!SELECT vector_sum(NULL), vector_avg(NULL)
SELECT vector_sum(v), vector_avg(v) FROM VALUES (array(0.1F, 1e30F, 3e38F)), (array(0.2F, -1e30F, 3e38F)), (array(0.3F, 1.0F, 1.0F)), (array(0.7F, 2.0F, -3e38F)) t(v)
SELECT k, vector_sum(v), vector_avg(v) FROM VALUES (1, array(0.1F, float('nan'))), (1, array(0.2F, 1.0F)), (2, array(float('inf'), 1.0F)), (2, array(float('-inf'), 7.0F)), (3, NULL), (NULL, array(0.1F, -0.0F)) t(k, v) GROUP BY k
SELECT vector_sum(v) OVER (ORDER BY k), vector_avg(v) OVER (ORDER BY k ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM VALUES (1, array(0.1F, 0.5F)), (2, array(0.2F, 0.25F)), (3, array(0.3F, 0.125F)) t(k, v)
SELECT vector_avg(v), vector_sum(v) FROM (SELECT array(CAST(id * 0.37D % 1.0D AS FLOAT), CAST(id * 1.91D % 3.0D - 1.5D AS FLOAT)) AS v FROM range(0, 100, 1, 1))
SELECT typeof(vector_sum(v)), typeof(vector_avg(v)), typeof(vector_norm(first(v))), typeof(vector_normalize(first(v))) FROM VALUES (array(1.0F)) t(v)

-- more of vectors
!SELECT vector_norm(array(1.0F), NULL)
!SELECT vector_normalize(array(1.0F), NULL)
!SELECT vector_norm(NULL)
!SELECT vector_inner_product(array(1.0F), NULL)
!SELECT vector_sum(NULL)
!SELECT vector_norm(CAST(array() AS ARRAY<FLOAT>), 3.0F)
!SELECT vector_normalize(CAST(array() AS ARRAY<FLOAT>), 3.0F)
SELECT vector_norm(CAST(NULL AS ARRAY<FLOAT>), 3.0F)
!SELECT vector_norm(array(1.0F, NULL), 3.0F)
SELECT vector_norm(array(3.0F, -0.0F, 1.5F), 1.0F), vector_norm(array(float('nan')), float('inf')), vector_norm(array(float('-inf')), float('inf')), vector_normalize(array(float('nan')), float('inf')), vector_norm(array(float('-inf')), 1.0F)
SELECT vector_norm(array(1.1754944e-38F), 1.0F), vector_normalize(array(1.1754944e-38F), 1.0F), vector_normalize(array(1e-38F), 1.0F), vector_normalize(array(1e-44F), float('inf'))
SELECT vector_cosine_similarity(array(1e-19F), array(1.1e-19F)), vector_cosine_similarity(array(1.1e-19F), array(1.1e-19F))
SELECT vector_avg(v), vector_sum(v) FROM VALUES (array(-0.0F)), (NULL), (array(-0.0F)) t(v)
SELECT vector_avg(v) FROM VALUES (array(16777216F)), (array(1F)), (array(1F)), (array(3F)) t(v)
!SELECT vector_sum(a, b) FROM VALUES (array(1.0F), 1) t(a, b)
SELECT vector_avg(v) OVER (), vector_sum(v) OVER () FROM VALUES (array(1.5F)), (array(2.5F)) t(v)
!SELECT vector_avg(v) OVER (ORDER BY k) FROM VALUES (1, array(1.5F)), (2, array(2.5F, 1.0F)) t(k, v)
SELECT v, vector_norm(v) > 1, count(*) FROM VALUES (array(1.0F)), (array(2.0F)), (array(1.0F)) t(v) WHERE vector_inner_product(v, array(1.0F)) > 0 GROUP BY v
SELECT vector_inner_product(a, b) FROM VALUES (array(1.0F, 2.0F), array(3.0F, 4.0F)), (array(1.0F), array(2.0F)) t(a, b) WHERE size(a) = size(b)

-- time_bucket
SELECT time_bucket(INTERVAL '5' MINUTE, timestamp'2026-01-01 00:07:33'), time_bucket(INTERVAL '1' HOUR, timestamp'2026-01-01 05:07:33.123456'), time_bucket(INTERVAL '1' DAY, timestamp'2026-01-01 05:07:33')
SELECT time_bucket(INTERVAL '5' MINUTE, timestamp_ntz'2026-01-01 00:07:33')
!SELECT time_bucket(INTERVAL '7' DAY, date'2026-01-01')
!SELECT time_bucket(INTERVAL '1' MONTH, date'2026-01-15'), time_bucket(INTERVAL '3' MONTH, timestamp'2026-02-15 10:00:00'), time_bucket(INTERVAL '1' YEAR, timestamp_ntz'2026-02-15 10:00:00')
SELECT time_bucket(INTERVAL '5' MINUTE, timestamp'2026-01-01 00:07:33', timestamp'2026-01-01 00:01:00')
!SELECT time_bucket(INTERVAL '5' MINUTE, timestamp'2026-01-01 00:07:33', INTERVAL '1' MINUTE)
SELECT time_bucket(INTERVAL 5 MINUTES, timestamp'2026-01-01 00:07:33')
!SELECT time_bucket('5 minutes', timestamp'2026-01-01 00:07:33')
!SELECT time_bucket(INTERVAL '5' MINUTE, '2026-01-01 00:07:33')
SELECT time_bucket(INTERVAL '5' MINUTE, NULL), time_bucket(NULL, timestamp'2026-01-01 00:07:33')
!SELECT time_bucket(INTERVAL '0' MINUTE, timestamp'2026-01-01 00:07:33')
!SELECT time_bucket(INTERVAL '-5' MINUTE, timestamp'2026-01-01 00:07:33')
!SELECT time_bucket(5, timestamp'2026-01-01 00:07:33')
!SELECT time_bucket(INTERVAL '5' MINUTE, 5)
!SELECT time_bucket(INTERVAL '5' MINUTE)

-- more of time_bucket
SELECT time_bucket(INTERVAL '1' MONTH, timestamp'2026-01-15 10:11:12'), time_bucket(INTERVAL '3' MONTH, timestamp'2026-02-15 10:00:00'), time_bucket(INTERVAL '1' YEAR, timestamp_ntz'2026-02-15 10:00:00'), time_bucket(INTERVAL '1-1' YEAR TO MONTH, timestamp'1969-02-15 10:00:00')
SELECT time_bucket(INTERVAL '1' MONTH, timestamp'2026-07-20 14:30:00', timestamp'2026-06-15 09:00:00'), time_bucket(INTERVAL '1' MONTH, timestamp'2026-07-15 08:59:59.999999', timestamp'2026-06-15 09:00:00'), time_bucket(INTERVAL '1' MONTH, timestamp'2026-02-28 10:00:00', timestamp'2026-01-31 09:00:00'), time_bucket(INTERVAL '1' MONTH, timestamp'2026-02-28 08:00:00', timestamp'2026-01-31 09:00:00'), time_bucket(INTERVAL '1' MONTH, timestamp'2020-02-28 08:00:00', timestamp'2026-01-31 09:00:00')
SELECT t, time_bucket(INTERVAL '7' DAY, t), time_bucket(INTERVAL '1 12' DAY TO HOUR, t), time_bucket(INTERVAL '36' HOUR, t), time_bucket(INTERVAL '0.000007' SECOND, t), time_bucket(INTERVAL '5' MONTH, t), time_bucket(INTERVAL '7' YEAR, t) FROM VALUES (timestamp'1969-12-31 23:59:59.999999'), (timestamp'1970-01-01 00:00:00'), (timestamp'2026-03-29 02:30:00'), (timestamp'0001-01-01 00:00:00'), (timestamp'9999-12-31 23:59:59.999999'), (NULL) t(t)
@Europe/Berlin SELECT t, time_bucket(INTERVAL '1' DAY, t), time_bucket(INTERVAL '7' DAY, t), time_bucket(INTERVAL '1 12' DAY TO HOUR, t), time_bucket(INTERVAL '12' HOUR, t), time_bucket(INTERVAL '1' HOUR, t), time_bucket(INTERVAL '1' MONTH, t) FROM VALUES (timestamp'2026-03-29 00:30:00'), (timestamp'2026-03-29 01:59:59'), (timestamp'2026-03-29 03:30:00'), (timestamp'2026-03-29 23:30:00'), (timestamp'2026-03-30 00:00:00'), (timestamp'2026-10-25 00:10:00'), (timestamp'2026-10-25 02:30:00'), (timestamp'2026-10-25 23:59:59'), (timestamp'2026-10-26 00:30:00'), (timestamp'1910-01-01 00:00:00') t(t)
@America/New_York SELECT t, time_bucket(INTERVAL '1' DAY, t, timestamp'2026-03-07 02:30:00'), time_bucket(INTERVAL '1' MONTH, t, timestamp'2026-02-08 02:30:00'), time_bucket(INTERVAL '1 01' DAY TO HOUR, t, timestamp'2026-03-07 02:30:00'), time_bucket(INTERVAL '90' MINUTE, t, timestamp'2026-03-07 02:30:00') FROM VALUES (timestamp'2026-03-08 01:59:59'), (timestamp'2026-03-08 03:00:00'), (timestamp'2026-03-08 03:30:00'), (timestamp'2026-03-08 03:29:59'), (timestamp'2026-03-09 02:30:00'), (timestamp'2026-11-01 01:30:00'), (timestamp'2026-11-01 02:30:00'), (timestamp'2025-11-02 01:30:00') t(t)
@America/New_York SELECT t, time_bucket(INTERVAL '1' DAY, t), time_bucket(INTERVAL '1' MONTH, t, timestamp_ntz'2026-02-08 02:30:00') FROM VALUES (timestamp_ntz'2026-03-08 01:59:59'), (timestamp_ntz'2026-03-08 02:45:00'), (timestamp_ntz'2025-03-08 03:30:00') t(t)
!SELECT time_bucket(INTERVAL '1' HOUR, timestamp'2026-01-01 00:07:33', timestamp_ntz'2026-01-01 00:01:00')
!SELECT time_bucket(INTERVAL '1' HOUR, timestamp_ntz'2026-01-01 00:07:33', timestamp'2026-01-01 00:01:00')
!SELECT time_bucket(INTERVAL '1' HOUR, timestamp'2026-01-01 00:07:33', date'2026-01-01')
!SELECT time_bucket(INTERVAL '1' HOUR, timestamp'2026-01-01 00:07:33', '2026-01-01')
SELECT time_bucket(INTERVAL '1' HOUR, timestamp'2026-01-01 00:07:33', NULL)
SELECT time_bucket(NULL, timestamp'2026-01-01 00:07:33')
SELECT time_bucket(INTERVAL '1' HOUR, NULL)
SELECT time_bucket(NULL, NULL), typeof(time_bucket(NULL, NULL)), typeof(time_bucket(INTERVAL '1' HOUR, NULL, timestamp_ntz'2026-01-01 00:00:00'))
SELECT time_bucket(CAST(NULL AS INTERVAL HOUR), timestamp'2026-01-01 00:07:33'), time_bucket(CAST(NULL AS INTERVAL YEAR), timestamp'2026-01-01 00:07:33'), time_bucket(INTERVAL '1' HOUR, timestamp'2026-01-01 00:07:33', CAST(NULL AS TIMESTAMP))
!SELECT time_bucket(i, timestamp'2026-01-01 00:07:33') FROM VALUES (INTERVAL '1' HOUR) t(i)
!SELECT time_bucket(INTERVAL '1' HOUR, timestamp'2026-01-01 00:07:33', o) FROM VALUES (timestamp'2026-01-01 00:07:33') t(o)
!SELECT time_bucket(INTERVAL '0' MONTH, timestamp'2026-01-01 00:07:33')
!SELECT time_bucket(INTERVAL '-1' MONTH, timestamp'2026-01-01 00:07:33')
!SELECT time_bucket(make_interval(1), timestamp'2026-01-01 00:07:33')
SELECT time_bucket(INTERVAL '1' HOUR + INTERVAL '30' MINUTE, timestamp'2026-01-01 02:07:33', timestamp'2026-01-01 00:00:00' + INTERVAL '1' MINUTE)
SELECT time_bucket(make_dt_interval(0, 1), timestamp'2026-01-01 02:07:33'), time_bucket(make_ym_interval(0, 2), timestamp'2026-02-01 02:07:33')
SELECT time_bucket(INTERVAL '106751991 04:00:54.775807' DAY TO SECOND, timestamp'2026-01-01 00:00:00'), time_bucket(INTERVAL '178956970-7' YEAR TO MONTH, timestamp'2026-01-01 00:00:00')
SELECT time_bucket(INTERVAL '106751991 04:00:54.775807' DAY TO SECOND, timestamp'1960-01-01 00:00:00')
SELECT time_bucket(INTERVAL '106751990' DAY, timestamp'1960-01-01 00:00:00', timestamp'-290000-01-01 00:00:00')
!SELECT time_bucket(INTERVAL '178956970-7' YEAR TO MONTH, timestamp'1960-01-01 00:00:00')
SELECT time_bucket(INTERVAL '15' MINUTE, t) AS b, sum(v) FROM VALUES (timestamp'2026-01-01 00:01:00', 1), (timestamp'2026-01-01 00:14:00', 2), (timestamp'2026-01-01 00:15:00', 4) t(t, v) GROUP BY b
!SELECT time_bucket(bucketSize => INTERVAL '15' MINUTE, ts => timestamp'2026-01-01 00:16:00')
!SELECT time_bucket(INTERVAL '15' MINUTE, ts => timestamp'2026-01-01 00:16:00', origin => timestamp'2026-01-01 00:02:00')
!SELECT time_bucket(INTERVAL '15' MINUTE, time => timestamp'2026-01-01 00:16:00')
!SELECT time_bucket()
!SELECT time_bucket(INTERVAL '1' HOUR, timestamp'2026-01-01 00:07:33', timestamp'2026-01-01 00:07:33', 1)

-- schemas of VARIANT
SELECT is_valid_variant(parse_json('{"a":1}')), is_valid_variant(NULL), is_valid_variant(CAST(NULL AS VARIANT)), is_valid_variant(parse_json('null'))
!SELECT is_valid_variant('a')
!SELECT is_valid_variant(1)
SELECT is_valid_variant(v) FROM VALUES (parse_json('1')), (NULL), (parse_json('[1,{"b":null}]')) t(v)
!SELECT is_valid_variant()
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('1')), (parse_json('2')) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('1')), (parse_json('2.5')) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('{"foo":"bar"}')), (parse_json('{"foo":1}')), (parse_json('{"baz":true}')) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('[1]')), (parse_json('[2.5, "a"]')), (parse_json('[]')) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (CAST(NULL AS VARIANT)) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('1')) t(v) WHERE false
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('null')), (parse_json('{"a":null}')) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('null')), (NULL) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('{"a":{"b":1}}')), (parse_json('{"a":{"c":"x"}}')), (parse_json('{"a":[1]}')) t(v)
SELECT k, schema_of_variant_agg(v) FROM VALUES (1, parse_json('1')), (1, parse_json('"a"')), (2, parse_json('true')), (3, NULL) t(k, v) GROUP BY k
SELECT schema_of_variant_agg(v) FROM VALUES (CAST(date'2026-01-01' AS VARIANT)), (CAST(timestamp'2026-01-01 00:00:00' AS VARIANT)) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (CAST(date'2026-01-01' AS VARIANT)), (CAST(timestamp_ntz'2026-01-01 00:00:00' AS VARIANT)) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (CAST(1.5F AS VARIANT)), (CAST(1.25D AS VARIANT)), (CAST(1 AS VARIANT)) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (CAST(1.5 AS VARIANT)), (CAST(12345678901234567890.123 AS VARIANT)) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (CAST(12345678901234567890123456789012345678 AS VARIANT)), (CAST(0.00000000000000000000000000000000000001 AS VARIANT)) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (CAST(X'00' AS VARIANT)), (CAST('a' AS VARIANT)) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (CAST(true AS VARIANT)), (CAST(1 AS VARIANT)) t(v)
SELECT schema_of_variant_agg(v) OVER (ORDER BY k) FROM VALUES (1, parse_json('1')), (2, parse_json('1.5')), (3, parse_json('"a"')) t(k, v)
SELECT schema_of_variant_agg(v) FILTER (WHERE k > 1) FROM VALUES (1, parse_json('1')), (2, parse_json('1.5')) t(k, v)
SELECT schema_of_variant_agg(DISTINCT v) FROM VALUES (parse_json('1')) t(v)
!SELECT schema_of_variant_agg(1)
!SELECT schema_of_variant_agg('a')
SELECT schema_of_variant_agg(NULL)
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('{"b":1,"a":2}')), (parse_json('{"c":1,"a":"x"}')), (parse_json('{}')) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('{"a b":1,"é":2,"x`y":3}')) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('[[1],[2.5]]')), (parse_json('[null]')) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('1e10')), (parse_json('123456789012345678901234567890')) t(v)
SELECT schema_of_variant_agg(to_variant_object(struct(a, b))) FROM VALUES (1, 'x'), (NULL, 'y') t(a, b)
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('{"a":1}')), (parse_json('[1]')) t(v)
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('1')), (parse_json('{"a":1}')) t(v)

-- more schemas of VARIANT
SELECT schema_of_variant(parse_json('[1, 2.5]')), schema_of_variant(parse_json('[1, "a"]')), schema_of_variant(parse_json('[{"a": 1}, {"b": "x"}, {"a": 2.5}]')), schema_of_variant(parse_json('[[1], ["a"], []]')), schema_of_variant(parse_json('[1.5, 2.25, null]')), schema_of_variant(parse_json('[1e5, 1, 1.5]'))
SELECT schema_of_variant(parse_json('[123456789012345678901234567890.5, 1.123456789]')), schema_of_variant(parse_json('[12345678901234567890123456789.5, 1.123456789123]')), schema_of_variant(parse_json('[1, true]')), schema_of_variant(parse_json('[{"a":1}, 1]')), schema_of_variant(parse_json('[{}, {"a":null}, {"a":1}]'))
SELECT schema_of_variant(to_variant_object(array(1.5F, 2.5F))), schema_of_variant(to_variant_object(array(CAST(1.5F AS VARIANT), CAST(1 AS VARIANT)))), schema_of_variant(to_variant_object(array(CAST(1.5F AS VARIANT), CAST(1.5 AS VARIANT)))), schema_of_variant(to_variant_object(array(CAST(1.5D AS VARIANT), CAST(1.5 AS VARIANT)))), schema_of_variant(to_variant_object(array(CAST(date'2026-01-01' AS VARIANT), CAST(timestamp'2026-01-01 00:00:00' AS VARIANT)))), schema_of_variant(to_variant_object(array(CAST(timestamp_ntz'2026-01-01 00:00:00' AS VARIANT), CAST(timestamp'2026-01-01 00:00:00' AS VARIANT))))
SELECT schema_of_variant(to_variant_object(array(CAST(X'00' AS VARIANT), CAST('a' AS VARIANT)))), schema_of_variant(to_variant_object(array(CAST(100Y AS VARIANT), CAST(100000L AS VARIANT)))), schema_of_variant(CAST(1Y AS VARIANT)), schema_of_variant(to_variant_object(array(CAST(1.10 AS VARIANT), CAST(100 AS VARIANT))))
SELECT schema_of_variant(parse_json('{"b":1,"a":2,"B":3,"é":4,"Z":5,"_":6}')), schema_of_variant(parse_json('[{"b":1},{"a":1},{"B":2}]')), schema_of_variant(parse_json('0.0')), schema_of_variant(parse_json('100')), schema_of_variant(parse_json('1.0')), schema_of_variant(parse_json('[0.0, 0.10]'))
SELECT schema_of_variant(parse_json('0.001')), schema_of_variant(parse_json('[0.001, 10.5]')), schema_of_variant(parse_json('[0.001, 1]')), schema_of_variant(parse_json('[9223372036854775807, 0.1]')), schema_of_variant(parse_json('[9223372036854775807, 9223372036854775808]')), schema_of_variant(parse_json('[9223372036854775807, 92233720368547758080]')), schema_of_variant(parse_json('[1, 123456789012345678901234567890]'))
SELECT schema_of_variant_agg(v) FROM VALUES (parse_json('[1]')), (parse_json('null')), (parse_json('[null]')), (parse_json('[{"a":[1.5]}]')) t(v)
SELECT typeof(schema_of_variant_agg(parse_json('1'))), schema_of_variant_agg(parse_json('1')) || 'x'

-- percentiles of intervals and with frequencies
SELECT percentile(i, 0.5) FROM VALUES (interval '1' month), (interval '3' month) t(i)
SELECT percentile(i, 0.5), median(i), typeof(median(i)) FROM VALUES (interval '1' month), (interval '4' month), (NULL) t(i)
SELECT percentile(i, 0.5), median(i), typeof(median(i)) FROM VALUES (interval '1' day), (interval '3 12' day to hour), (interval '-1' day) t(i)
SELECT percentile(i, array(0.0, 0.25, 0.5, 1.0)), typeof(percentile(i, array(0.5))) FROM VALUES (interval '1' second), (interval '2.000001' second), (interval '10' second) t(i)
SELECT percentile(i, array(0.0, 0.25, 0.5, 0.3, 1.0)), typeof(percentile(i, array(0.5))) FROM VALUES (interval '1-1' year to month), (interval '2-2' year to month), (interval '-10-3' year to month) t(i)
SELECT percentile(i, 0.3, f) FROM VALUES (interval '1' month, 1), (interval '3' month, 5), (interval '30' month, 2) t(i, f)
SELECT percentile(x, 0.3, f), percentile(x, array(0.1, 0.9), f) FROM VALUES (1, 1), (3, 5), (30, 2), (7, 0), (8, NULL), (NULL, 4) t(x, f)
!SELECT percentile(x, 0.3, f) FROM VALUES (1, -1), (3, 5) t(x, f)
SELECT percentile(i, 0.5), median(i) FROM VALUES (interval '1' year) t(i) WHERE false
SELECT median(i) FROM VALUES (interval '1' year), (interval '2' year) t(i)
SELECT median(i) FROM VALUES (interval '1' hour), (interval '2' hour) t(i)
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY i), percentile_disc(0.5) WITHIN GROUP (ORDER BY i) FROM VALUES (interval '1' month), (interval '4' month) t(i)
SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY i DESC), percentile_disc(0.25) WITHIN GROUP (ORDER BY i DESC) FROM VALUES (interval '1' hour), (interval '4' hour) t(i)
!SELECT median(i) FROM VALUES (make_interval(1)) t(i)
!SELECT median(d) FROM VALUES (date'2026-01-01') t(d)
SELECT median(i) OVER (PARTITION BY k) FROM VALUES (1, interval '1' month), (1, interval '4' month), (2, interval '5' month) t(k, i)
SELECT median(DISTINCT i), median(i) FILTER (WHERE i > interval '1' month) FROM VALUES (interval '1' month), (interval '1' month), (interval '4' month) t(i)
SELECT median(i) FROM VALUES (interval '178956970-7' year to month), (interval '178956970-7' year to month) t(i)
SELECT median(i) FROM VALUES (interval '106751991 04:00:54.775807' day to second), (interval '106751991 04:00:54.775806' day to second) t(i)

-- more percentiles
!SELECT percentile(x, 0.5, 2), percentile(x, 0.5, 1L), percentile(x, 0.5, '1'), percentile(x, 0.5, 1.5) FROM VALUES (1), (2) t(x)
!SELECT percentile(x, 0.5, '1') FROM VALUES (1), (2) t(x)
!SELECT percentile(x, 0.5, 1.5) FROM VALUES (1), (2) t(x)
!SELECT percentile(x, 0.5, 1.5D), percentile(DISTINCT x, 0.5, 2), percentile(x, 0.5, 2) FILTER (WHERE x > 1), percentile(x, array(), 2), percentile(x, 0.5, NULL) FROM VALUES (1), (2) t(x)
SELECT percentile(x, 0.5, NULL) FROM VALUES (1), (2) t(x)
SELECT percentile(x, 0.5, 0), percentile(x, 0.5, CAST(NULL AS INT)) FROM VALUES (1), (2) t(x)
SELECT percentile(x, 0.5, f) OVER (ORDER BY x) FROM VALUES (1, 1), (2, 5), (3, 2) t(x, f)
SELECT k, percentile(x, array(0.25, 0.75), f) FROM VALUES ('a', 1, 1), ('a', 2, 5), ('b', 3, 2), ('b', 5, 9000000000L), ('c', 1, 0) t(k, x, f) GROUP BY k
SELECT percentile(x, 0.5, f) FROM VALUES (interval '1' day, 2), (interval '5' day, 2) t(x, f)
SELECT median(x), percentile(x, array(0.1, 0.5)) FROM VALUES (interval '1' minute), (interval '-1' minute), (interval '7' minute), (interval '8' minute) t(x)
SELECT percentile(x, 0.5) OVER (ORDER BY x) FROM VALUES (interval '1' minute), (interval '4' minute), (interval '6.000001' second) t(x)

-- functions of doubles, by their bits
^SELECT sin(x) FROM VALUES (0, 0.16812226126240248D), (1, -3.3541132691460334D), (2, 0.003298325768030849D), (3, -3.0032807794663962e+150D), (4, -2.4393359722187145e-92D), (5, -0.37589204483813266D), (6, 3.249970705232993D), (7, 8.001726380575203D), (8, 3.4941450171141172e-19D), (9, 42.36109228681328D), (10, 30.21D), (11, 924.71D), (12, -5.9785554713587485D), (13, -543.8877209776978D), (14, -0.5998171367405245D), (15, -4.832820463146148D), (16, 406.57D), (17, 3665181.340068431D), (18, 961.62D), (19, 1.9688336501719205e+245D), (20, -352.82D), (21, -0.432011514274691D), (22, 1.5926270886490565e-242D), (23, -73.83D), (24, -0.1690002275993947D), (25, 0.7539787815253147D), (26, 0.44199481114551653D), (27, 6.7498131717759975D), (28, -0.8437543957839713D), (29, -1.145038768015085e+275D), (30, 4.535349424180691D), (31, 22.0D), (32, 265.58D), (33, -243451.5042800715D), (34, 5.290155728146043e-229D), (35, -425.49D), (36, -0.6335896245665922D), (37, -0.7315349226274044D), (38, -0.27578653364549144D), (39, -31.0D), (40, 3.9154278155669946D), (41, -0.01730039070987388D), (42, 1.1671834618512789e+249D), (43, 75.0D), (44, 27.0D), (45, 6.849097377330788e+286D), (46, -80.0D), (47, 43.0D), (48, 6.52128831008471e-09D), (49, -18.0D), (50, 44.0D), (51, -1.1250729004939828D), (52, 1.391195023781106e-05D), (53, -1.0989651086050249e-10D), (54, -690.6D), (55, -0.07436600912400193D), (56, -3.880022512422252e-12D), (57, -376.39D), (58, -0.009685513288637563D), (59, 0.8015314860398386D), (60, 0.0D), (61, -0.0D), (62, 1.0D), (63, -1.0D), (64, 0.5D), (65, -0.5D), (66, 1e+300D), (67, -1e+300D), (68, 5e-324D), (69, 2.2250738585072014e-308D), (70, 709.78D), (71, -745.1D), (72, 710.4758600739439D) t(i, x) ORDER BY i
^SELECT cos(x) FROM VALUES (0, -0.9790676706777803D), (1, -849.96D), (2, 3.8036579048503363D), (3, 868.95D), (4, -0.07980884860252235D), (5, -2.5263766604435845e-14D), (6, -316.71D), (7, -1.2774427168633309e+251D), (8, 797.54D), (9, 0.9303169359670993D), (10, 3.420756503687148D), (11, -4.201208821105277D), (12, -516.49D), (13, -0.8973264691750293D), (14, -931.63D), (15, 2.5311288213859235D), (16, 411.37D), (17, 0.42678876383006337D), (18, -58.0D), (19, 4.369876693570182D), (20, 3.286320162488911e-300D), (21, 0.3312345215610659D), (22, 1.7851336518864465e-09D), (23, -18834.688876882312D), (24, 1.5295497366531652e-227D), (25, 28.0D), (26, 1.2650235257507415e+295D), (27, 42.0D), (28, -1.5878743276651655D), (29, -0.25366047793631274D), (30, 12985774939.459072D), (31, -1.6081107687021853e+72D), (32, 338.23D), (33, 0.8851708227476294D), (34, -0.12888299895256483D), (35, 0.18028769567699365D), (36, 7.651078785083391e-08D), (37, 7.943222055798607D), (38, -2.1410925822409842e-14D), (39, -7.894255738677334D), (40, -935.66D), (41, -4.49682606032516e+63D), (42, -0.9888589478943237D), (43, -0.264839553400394D), (44, -74.0D), (45, 0.5501685595350226D), (46, -0.15147012476720345D), (47, 5.5012382072086545D), (48, 2.397819955861608e-17D), (49, 5.690652348061809D), (50, -4.2144712729039435D), (51, -8165068802645.527D), (52, -1.799344162778931e-10D), (53, 6.0D), (54, -423.83D), (55, 9.71309056503538D), (56, 6.36881715935878e-14D), (57, -0.2646753611975097D), (58, -954.17D), (59, -8.4845848634357e-14D), (60, 0.0D), (61, -0.0D), (62, 1.0D), (63, -1.0D), (64, 0.5D), (65, -0.5D), (66, 1e+300D), (67, -1e+300D), (68, 5e-324D), (69, 2.2250738585072014e-308D), (70, 709.78D), (71, -745.1D), (72, 710.4758600739439D) t(i, x) ORDER BY i
^SELECT tan(x) FROM VALUES (0, 8.901151769677267e+186D), (1, 2.3382466404855813e-09D), (2, -2.913388854477772e-219D), (3, -9.584514236003753e-07D), (4, 7.344061491489324e-11D), (5, 173843.84240164977D), (6, 3.770097212886512D), (7, 0.5798713293843598D), (8, -8.198108597102685D), (9, 907.17D), (10, 6.721592137432534e-15D), (11, -0.7061714056714903D), (12, 1.1980210850710236e-05D), (13, -429.51D), (14, 1.7534578959094706e-224D), (15, -5.974664088805615e+53D), (16, -484.63D), (17, 58.0D), (18, -7.014356136153411e-17D), (19, 390.48D), (20, 8.452177164680985e+200D), (21, 0.6638704626031577D), (22, 0.06684011397050615D), (23, -5.7564204143529035e-08D), (24, 0.3781732631133281D), (25, -224.71D), (26, 0.1522025562881535D), (27, 4.9087238229798543e+86D), (28, -2.5920088040802466e-55D), (29, -3.4388898521737783D), (30, -0.059008055180787D), (31, -6.111104586112328D), (32, -1.9003535070120948e-295D), (33, 294.42D), (34, -6.451638758420093D), (35, 979.39D), (36, 9.373903505438113e-249D), (37, -6.240346977852598D), (38, 1.3988598751641952D), (39, -3.961504771031475D), (40, -0.032545548584917726D), (41, 0.00016161101874119228D), (42, -0.48917364010027464D), (43, 1.5151615946351093e-84D), (44, 0.2351937587079742D), (45, -9.17045838343818D), (46, -164.71D), (47, -0.09266185526356215D), (48, 5.942326342067351e+24D), (49, -864.35D), (50, -0.10453819366929396D), (51, 0.6057896223991897D), (52, 1.1770420892173979e-232D), (53, -3.1164715973895696D), (54, 0.3683327709077522D), (55, -981.7D), (56, 426.55D), (57, -0.5171981674948198D), (58, 0.708030586773043D), (59, -0.797019930308617D), (60, 0.0D), (61, -0.0D), (62, 1.0D), (63, -1.0D), (64, 0.5D), (65, -0.5D), (66, 1e+300D), (67, -1e+300D), (68, 5e-324D), (69, 2.2250738585072014e-308D), (70, 709.78D), (71, -745.1D), (72, 710.4758600739439D) t(i, x) ORDER BY i
^SELECT atan(x) FROM VALUES (0, -5.342254086192957D), (1, -692.48D), (2, 42.0D), (3, -8.342284479904755e-19D), (4, -0.7595164899002336D), (5, -83.11D), (6, 12.0D), (7, 4.179175304245696D), (8, 0.11278725660040378D), (9, 21.0D), (10, 0.0001539309752979864D), (11, -84.0D), (12, -95.0D), (13, -2.5506525586674866e-06D), (14, -241.45D), (15, 74.0D), (16, -0.34230363669757935D), (17, 0.36344592416088184D), (18, 0.1520757742746015D), (19, 1.4107824739380206e+209D), (20, -8.663980105083064D), (21, -6.1299404657464005e-90D), (22, 5.0D), (23, 66.0D), (24, 0.006578774444228566D), (25, 0.8773621988154054D), (26, -1.8470695699999223e+222D), (27, -785.19D), (28, 0.9814735109178745D), (29, 89.0D), (30, -92.0D), (31, 0.4858878077747646D), (32, -3.8149762558885936D), (33, -3.186095302933128e+195D), (34, -1.3988427027002213e+91D), (35, 4.759181549384477D), (36, 950.39D), (37, 0.7488407932817842D), (38, -3.091409930383888D), (39, 3.838897651239742e-129D), (40, 60.8D), (41, -2.1616272654195543e+290D), (42, -0.4554786704288112D), (43, -0.9750482087749035D), (44, -2.398625880813558e-270D), (45, -4.919441515973448e-307D), (46, 61.0D), (47, -0.8636670282323344D), (48, 2.1823477911869293e-59D), (49, -3.1712226039263376e-14D), (50, 3.2339830810568586e+82D), (51, -4.4792042563131964e-17D), (52, 773.21D), (53, -23.0D), (54, -3.097834679011468D), (55, 0.5700374768067291D), (56, 84.0D), (57, 270.3D), (58, 6.333155976382914e-20D), (59, 0.08737127184346516D), (60, 0.0D), (61, -0.0D), (62, 1.0D), (63, -1.0D), (64, 0.5D), (65, -0.5D), (66, 1e+300D), (67, -1e+300D), (68, 5e-324D), (69, 2.2250738585072014e-308D), (70, 709.78D), (71, -745.1D), (72, 710.4758600739439D) t(i, x) ORDER BY i
^SELECT sinh(x) FROM VALUES (0, -0.04774445497412794D), (1, -259.78D), (2, -2.1206697557215068e+243D), (3, 4.830203701831518D), (4, 912.64D), (5, -7.442472103316193D), (6, -2.750328589120212D), (7, -176294.72482504672D), (8, -0.017744873952000306D), (9, -55.0D), (10, 349.34D), (11, -0.08800378877670445D), (12, -66.0D), (13, -53.44D), (14, 6.288244863881221D), (15, -1.1687958712789845e+61D), (16, -1.6399184559118187e-10D), (17, -0.4982872176629416D), (18, 0.9546613899110299D), (19, 3.2152046759387524e-133D), (20, 9.269571263343035D), (21, 8.811744881659252e-19D), (22, -591.86D), (23, -4.058574458797455e+281D), (24, -3.7950249179095263e+228D), (25, 52.0D), (26, -0.19443886185741754D), (27, 1.7567397075896261e-71D), (28, -0.5285926948765582D), (29, 63.06568402326773D), (30, 33.0D), (31, 666.84D), (32, -0.46461371643590255D), (33, 15.0D), (34, -5.329385792221993e-174D), (35, 65.0D), (36, 1.254889304095167e-15D), (37, 9.03985779790758D), (38, -1.0298682551804944e-12D), (39, -637.63D), (40, 1.8908727943727082e-17D), (41, 0.5608694632401567D), (42, -9.657121884567822D), (43, -42.0D), (44, -9.451719538273993e-83D), (45, -0.359265699308009D), (46, 80.0D), (47, -0.5906016310231712D), (48, 70.0D), (49, -0.5361725343759371D), (50, 46.0D), (51, -5.732252197614676e-18D), (52, 0.6392162260651146D), (53, 45.0D), (54, -0.7811775854974996D), (55, -1.8471994176534514e-198D), (56, -6.444915603021648e-18D), (57, -1.834591750034409e-11D), (58, -0.3401484616273498D), (59, -6.366410228984218D), (60, 0.0D), (61, -0.0D), (62, 1.0D), (63, -1.0D), (64, 0.5D), (65, -0.5D), (66, 1e+300D), (67, -1e+300D), (68, 5e-324D), (69, 2.2250738585072014e-308D), (70, 709.78D), (71, -745.1D), (72, 710.4758600739439D) t(i, x) ORDER BY i
^SELECT cosh(x) FROM VALUES (0, -485.32D), (1, -88.0D), (2, -49.0D), (3, -3.5926426876736186e+289D), (4, 43.0D), (5, -92.0D), (6, 0.9350452098823911D), (7, 4.742219290879839e+272D), (8, -57.0D), (9, -0.17589594985609902D), (10, 6.506834767193002D), (11, 0.35529257988583396D), (12, -62.0D), (13, -1.9644650674920518e+111D), (14, 0.01028117121834184D), (15, 0.2616150530818424D), (16, 841.44D), (17, -0.9889106574672226D), (18, 8.51001902834404D), (19, -409.13D), (20, -0.008904927701030766D), (21, -6.1604214757209075D), (22, -79.0D), (23, -8.692501938617195D), (24, 5.582408008875925e+177D), (25, -0.21214999238251742D), (26, 4.574513070830627e-10D), (27, 0.7179938400097985D), (28, -7.970277698951034e+23D), (29, -265.62D), (30, -3.2173278536504517e-18D), (31, 0.5585962745373849D), (32, 0.25247580969277617D), (33, -45.0D), (34, 3.1883029803669633e-16D), (35, 366.73D), (36, 1.5023045950988795e-95D), (37, -18.0D), (38, -135.31D), (39, -9.375348891286663D), (40, 0.7441147532157981D), (41, -5.548655477087785e-16D), (42, -71.0D), (43, -18.0D), (44, -6.53645954532576e-17D), (45, -1.7395450640175628e-292D), (46, -0.6032520914650863D), (47, -945.94D), (48, 1.347510943709869e-15D), (49, 29.0D), (50, -1.708869791882624e-26D), (51, 80.0D), (52, -0.08089835745908136D), (53, -212.27D), (54, 0.9889619336409141D), (55, -7.129846005034373e+219D), (56, -4.846741735348621D), (57, 4.952083036213658e+131D), (58, 1.9999648173691295e-63D), (59, -968.45D), (60, 0.0D), (61, -0.0D), (62, 1.0D), (63, -1.0D), (64, 0.5D), (65, -0.5D), (66, 1e+300D), (67, -1e+300D), (68, 5e-324D), (69, 2.2250738585072014e-308D), (70, 709.78D), (71, -745.1D), (72, 710.4758600739439D) t(i, x) ORDER BY i
^SELECT tanh(x) FROM VALUES (0, 79.0D), (1, -2.318083991965791D), (2, 4.094191956952857e+276D), (3, -95.0D), (4, 3.999759410727391D), (5, -154.98D), (6, 28.0D), (7, -9.214442240646282D), (8, 66.0D), (9, 426.51D), (10, 49.0D), (11, -71.0D), (12, -86.0D), (13, -0.45390752228460696D), (14, 49.95D), (15, -17.0D), (16, -439.97D), (17, 523.31D), (18, 942.8559179399348D), (19, 9.017875483991393e+123D), (20, 85.0D), (21, 1.2037666350500884e+292D), (22, 0.35657823267135935D), (23, 0.1831341070040815D), (24, 34.0D), (25, -0.4789799631469478D), (26, -89.0D), (27, -0.8957107205903756D), (28, -99.0D), (29, -16.0D), (30, -206.66D), (31, -22.0D), (32, -34.0D), (33, 2058.2182843356254D), (34, 1.0941409681299737e-19D), (35, 44.0D), (36, 59.0D), (37, -6.186657658838026D), (38, -565.49D), (39, -1.4415035833482845e-14D), (40, 3.244297372089051e-11D), (41, 1.4822967652610863D), (42, 0.12717912091736716D), (43, -5.884055077578283D), (44, -1.4411008690936642e+209D), (45, 2.988160221704159e-18D), (46, -1.3689337792082994e+68D), (47, 68.0D), (48, 0.37269170472683943D), (49, -3.0D), (50, 9.00520365799138e+182D), (51, -8.62445857365708D), (52, 0.32782820261683665D), (53, 93.0D), (54, 8.793711793748248D), (55, 494.96D), (56, -41.0D), (57, 2.1939602703950504e-06D), (58, -104.08D), (59, -0.4622555644310683D), (60, 0.0D), (61, -0.0D), (62, 1.0D), (63, -1.0D), (64, 0.5D), (65, -0.5D), (66, 1e+300D), (67, -1e+300D), (68, 5e-324D), (69, 2.2250738585072014e-308D), (70, 709.78D), (71, -745.1D), (72, 710.4758600739439D) t(i, x) ORDER BY i
^SELECT cbrt(x) FROM VALUES (0, -5.0D), (1, -0.0020886635859835062D), (2, 528.63D), (3, -6.44085039165341e-216D), (4, 3.055328800941913e-232D), (5, 1.1451844943512647e-06D), (6, 25.0D), (7, 8.714532292894656D), (8, 0.8152431094185009D), (9, -662.31D), (10, 2.7816394929978077e-211D), (11, -10.0D), (12, -1.4692563193007302e-11D), (13, 4.818464376700894e-10D), (14, -62.0D), (15, 139.99D), (16, 339.4120462163745D), (17, 837.52D), (18, 14.0D), (19, -2.307951776383729e-70D), (20, 1.464142539230613e-37D), (21, -0.5346109956660015D), (22, 2.554421827444692D), (23, 4.000170334830839D), (24, 1.3193366146761146e-07D), (25, 1.2606066911846908e+42D), (26, -0.2174160267048697D), (27, -6.408805050903419D), (28, 1.3888161331160116e-09D), (29, 33.0D), (30, -2.2350175811255637e-303D), (31, -1.6694433715791124e-10D), (32, 709.57D), (33, -0.28548934116676716D), (34, -1.864015249069688e-160D), (35, 1.038124601921959e+128D), (36, 9.142754270805355D), (37, 819.8529730275752D), (38, -2.088326204182706e+115D), (39, 97.0D), (40, 0.9743423497809203D), (41, 571.1567630070145D), (42, -34.0D), (43, -0.15477796689634582D), (44, -18.0D), (45, 833.84D), (46, -534.77D), (47, 9.19427522797811D), (48, 1.9610416550399363e-16D), (49, 2.3473371740031846e+54D), (50, -560.71D), (51, -2.5277057518180553e-16D), (52, -5.791873913349552D), (53, 4.690938150678662D), (54, 0.7829346235384824D), (55, -63.0D), (56, -6.37503751352452D), (57, -3.298711088705291D), (58, -999.01D), (59, 692.73D), (60, 0.0D), (61, -0.0D), (62, 1.0D), (63, -1.0D), (64, 0.5D), (65, -0.5D), (66, 1e+300D), (67, -1e+300D), (68, 5e-324D), (69, 2.2250738585072014e-308D), (70, 709.78D), (71, -745.1D), (72, 710.4758600739439D) t(i, x) ORDER BY i
^SELECT expm1(x) FROM VALUES (0, -89.0D), (1, -8.307722345295207e-07D), (2, 2.256198317280818e-09D), (3, -88.0D), (4, -0.6092206724795086D), (5, -760.84D), (6, -1.5300910736806825e-14D), (7, 638.0D), (8, -49.0D), (9, 0.3224546215039319D), (10, 5362941.235274815D), (11, 3366.7777702084236D), (12, 0.2284016043129946D), (13, -10728.673706523714D), (14, -0.0021225115708420027D), (15, 6.145212516889789D), (16, -226.49677251751538D), (17, 2.0416907058757711e+133D), (18, -0.048749885519410396D), (19, -0.6433563377972318D), (20, 0.5435035804661457D), (21, -1.7658380712677947e-109D), (22, 1.649508745692925e+125D), (23, -5.030200512112173D), (24, -0.004278009899058627D), (25, 2.8323856736812587D), (26, 9.892166393659359D), (27, 0.10247446910675895D), (28, -5.0D), (29, 7.428550441749977D), (30, 0.7219719912179003D), (31, 0.2545633855152618D), (32, -3.527306768759935D), (33, -3.38638563967374e+277D), (34, 9.625801658037695D), (35, 509.85D), (36, -3.8836141679645486D), (37, -4.223061532171063e-09D), (38, -905.0D), (39, 2.901424830410061D), (40, 1.4884607583799196e+213D), (41, -0.8577556186079045D), (42, 64.0D), (43, -2.61092738421654e-06D), (44, 0.04186760938751455D), (45, 0.6646622582430037D), (46, -8.0D), (47, 340.91D), (48, -43.0D), (49, 0.31107353202730614D), (50, -6.00953521924372e+35D), (51, -1.0087946914128113e-151D), (52, -5.0D), (53, -337.1D), (54, 6.788404024266695e-96D), (55, -3.5295922405693414D), (56, 44.0D), (57, 1.628388236415409e+288D), (58, 730.14D), (59, -0.021973592347567683D), (60, 0.0D), (61, -0.0D), (62, 1.0D), (63, -1.0D), (64, 0.5D), (65, -0.5D), (66, 1e+300D), (67, -1e+300D), (68, 5e-324D), (69, 2.2250738585072014e-308D), (70, 709.78D), (71, -745.1D), (72, 710.4758600739439D) t(i, x) ORDER BY i
^SELECT exp(x) FROM VALUES (0, 1.775555700156192e-11D), (1, 9.11403262610067e-07D), (2, -1.3677077039759228e-18D), (3, -0.1818140983410168D), (4, 2.878503569038955D), (5, -47.0D), (6, -908.84D), (7, -61.0D), (8, 6.429739953774597D), (9, -757.99D), (10, 664.21D), (11, 950.8D), (12, -7.154430780610124D), (13, -648.79D), (14, 704.15D), (15, -0.913370084805101D), (16, 7.192352008995627e-09D), (17, -2.3343466931264462e-11D), (18, 71.23D), (19, -741.41D), (20, 0.4969433019943492D), (21, -1.8083815489343585e-125D), (22, -953.58D), (23, -2701579.6612766874D), (24, -2.5895428194553177e-15D), (25, 6.661023875241107e-08D), (26, -413.71D), (27, 27.0D), (28, -6.670559038739457D), (29, 0.2516620776684002D), (30, -0.02643922546114097D), (31, -7.265389114542329e-08D), (32, -0.5651783023211829D), (33, 5.666135354439916D), (34, 3.6665741377403194D), (35, 0.5473470369974511D), (36, 5.290936376821323e-257D), (37, 0.01251628811633377D), (38, -525.62D), (39, -0.22728410075834882D), (40, -3.1590446692948664D), (41, 0.0004914752287097699D), (42, -2.0253174425296861e-07D), (43, 0.6053594176810073D), (44, -1.5414429415678654D), (45, -1.974160819807896e+254D), (46, 87.0D), (47, 98.0D), (48, -6.433524282623564e+259D), (49, -0.7712706728916283D), (50, 0.6572596536292707D), (51, -8.764462596278097D), (52, -9.74302171973103e+19D), (53, 734.2956228614627D), (54, -9.376379677542157e-19D), (55, 5.568832520974336D), (56, 7.89157244802305e-13D), (57, -2.816996463038148D), (58, -319.15D), (59, 1.3618833413229054e-24D), (60, 0.0D), (61, -0.0D), (62, 1.0D), (63, -1.0D), (64, 0.5D), (65, -0.5D), (66, 1e+300D), (67, -1e+300D), (68, 5e-324D), (69, 2.2250738585072014e-308D), (70, 709.78D), (71, -745.1D), (72, 710.4758600739439D) t(i, x) ORDER BY i
^SELECT degrees(x) FROM VALUES (0, -7.347533285733585e-20D), (1, -0.13617607061271952D), (2, 5.156249402401853e-08D), (3, -4.5040143353568763e+297D), (4, -0.213410631733425D), (5, -210.04D), (6, -460.86D), (7, 2.633120220735376e-289D), (8, -6.983303927775512e-10D), (9, -7.104137594365023D), (10, 2.018258834038374e+37D), (11, -5.712176836485821e-20D), (12, -62.0D), (13, 936.28D), (14, -0.372146418644939D), (15, -44.032172047597314D), (16, 6.6418436323869265D), (17, 82.0D), (18, 1.7903528605897549e+170D), (19, -85.0D), (20, 40.0D), (21, 1.932427807507973e-19D), (22, 0.394144454530007D), (23, -49.0D), (24, 1.481862250536916e+202D), (25, -7.127192731346942e-07D), (26, -5.1816147388699286e+60D), (27, 0.006392896528890121D), (28, 9.813648435814176D), (29, 1229801.5308781767D), (30, -4.8833692484635804D), (31, -6.973076364282229D), (32, -8.17054363933146e-06D), (33, -3.300036527301733e-95D), (34, -8.95127454213024e-131D), (35, 0.31979030330745917D), (36, -0.7970092995697546D), (37, 66.0D), (38, 44.0D), (39, -2.875718041648965e+131D), (40, -3.1492685033469314D), (41, 0.25481486975244505D), (42, -0.9419220204834813D), (43, 1.9687509751755577e-20D), (44, -590.05D), (45, -513.28D), (46, -58.0D), (47, -131.29D), (48, -9.388760069059474e-05D), (49, -5.8974316554694214e-123D), (50, -9.687112705353087D), (51, 9.031159740784895e+118D), (52, -9.97605401834946D), (53, -3.427447581468194e+288D), (54, 62.432381994394795D), (55, 8.25D), (56, -28.0D), (57, 68.0D), (58, 1.2876995780957297e-19D), (59, -48.0D), (60, 0.0D), (61, -0.0D), (62, 1.0D), (63, -1.0D), (64, 0.5D), (65, -0.5D), (66, 1e+300D), (67, -1e+300D), (68, 5e-324D), (69, 2.2250738585072014e-308D), (70, 709.78D), (71, -745.1D), (72, 710.4758600739439D) t(i, x) ORDER BY i
^SELECT radians(x) FROM VALUES (0, 4.8122577046307525e+212D), (1, 1.5932558397984083e-245D), (2, -1.503086523971995D), (3, -3.9552297434965934e+58D), (4, -36.0D), (5, 9.21147025067D), (6, -0.9342534763171362D), (7, -4.357876892580381D), (8, -90.0D), (9, -965.79D), (10, 2.6801123972248764D), (11, 1.56904305858669e-20D), (12, -71279.73582968334D), (13, -435.05962660879D), (14, 1429.4278132919862D), (15, -0.29662655788302406D), (16, 1.1187698722789113e-15D), (17, 0.691255765853243D), (18, -8.993462751501845D), (19, 754.2D), (20, -0.5520760046457156D), (21, 224.1D), (22, 4.158490727570463e-276D), (23, 71.0D), (24, 91.0D), (25, -70.62D), (26, -117.42D), (27, -71.0D), (28, -4.5406034144466645D), (29, -622.94D), (30, 3.672260416508685D), (31, 0.8018131557322734D), (32, 0.19898237298713184D), (33, 5.255404056259271D), (34, -402.47D), (35, -93.0D), (36, 9.326901008757073D), (37, 18.0D), (38, -0.8413258455242263D), (39, 52.0D), (40, 3.431673579623508e-17D), (41, 142364.09416842865D), (42, -389.07D), (43, 1.7750334580647453e-19D), (44, -6.431173281393989D), (45, -3.8097817325779193D), (46, 40.0D), (47, -6.00292243487978e-18D), (48, -0.4300899636950446D), (49, 85.0D), (50, -24.0D), (51, -34.0D), (52, -8.792955267975452e-17D), (53, -4.838625230285163e+61D), (54, 0.16167468511131466D), (55, -224.68D), (56, 3.247381029872309e-16D), (57, 1.512587405535195e+257D), (58, -0.08002133815454893D), (59, -501.67D), (60, 0.0D), (61, -0.0D), (62, 1.0D), (63, -1.0D), (64, 0.5D), (65, -0.5D), (66, 1e+300D), (67, -1e+300D), (68, 5e-324D), (69, 2.2250738585072014e-308D), (70, 709.78D), (71, -745.1D), (72, 710.4758600739439D) t(i, x) ORDER BY i
^SELECT asinh(x) FROM VALUES (0, -85.0D), (1, -8.66971438389557e+279D), (2, 98.0D), (3, 30.0D), (4, 4.0D), (5, -4.833390207021746D), (6, 425.88D), (7, -0.5595441736856908D), (8, -1.142853336780729e-13D), (9, 0.35972828550676206D), (10, -95.0D), (11, 306.87D), (12, -685.05D), (13, -811.48D), (14, 0.28481526599234797D), (15, 761.47D), (16, -192.77D), (17, -5.963291951848442e-99D), (18, -82.0D), (19, 2.543214467140206e-07D), (20, 9.887490817542592e-20D), (21, 212.44D), (22, 958.97D), (23, 56.0D), (24, -7.767288859443029e+40D), (25, -0.0772744663535296D), (26, 4.189765527087477D), (27, -9.316553611220596e-12D), (28, -0.31887893089076935D), (29, -1.8292444027329466D), (30, -8.242901946246615e+108D), (31, 74.99D), (32, -3.036052484705666e-05D), (33, -0.17806138193354148D), (34, 6.352791862381545e-08D), (35, -0.5953023123936463D), (36, 32.0D), (37, -0.6585607635680355D), (38, 4.623202598390002D), (39, 0.21377511525013904D), (40, 0.01659267311230743D), (41, 2.6658973247241212e-11D), (42, -0.2670647963775048D), (43, 952.9D), (44, 0.03673271989403082D), (45, -0.09902332053358437D), (46, 5.433499079494883e-06D), (47, -0.14101346132082004D), (48, -6.19023612543722D), (49, 87.0D), (50, 1.4098888902299843e+56D), (51, 21.0D), (52, 2.0970241024216075e-56D), (53, -3.123031380413853e-08D), (54, 4.8311934554932204e+215D), (55, -85.0D), (56, 88.0D), (57, 469.35D), (58, 917.1D), (59, 838.18D), (60, 0.0D), (61, -0.0D), (62, 1.0D), (63, -1.0D), (64, 0.5D), (65, -0.5D), (66, 1e+300D), (67, -1e+300D), (68, 5e-324D), (69, 2.2250738585072014e-308D), (70, 709.78D), (71, -745.1D), (72, 710.4758600739439D) t(i, x) ORDER BY i
^SELECT asin(x) FROM VALUES (0, 2.42256738684859e-09D), (1, -0.9949161036536844D), (2, 0.9999999999999993D), (3, 0.94D), (4, 0.999999781167267D), (5, 2.4778671608724096e-16D), (6, -1.3991068063279253e-11D), (7, 0.8580428238067501D), (8, -0.9999999974692786D), (9, 0.22D), (10, -0.51D), (11, -0.61D), (12, 0.0011798393042071651D), (13, 0.87D), (14, 0.82D), (15, 6.4010963068620635e-09D), (16, 7.743716591445252e-17D), (17, -0.789452488860646D), (18, -0.2D), (19, 0.82D), (20, 0.34D), (21, -0.9999999999999936D), (22, 0.7699039042937383D), (23, 0.6705809989229432D), (24, 0.019834376637506333D), (25, -0.71D), (26, -0.82D), (27, 6.02787461657201e-17D), (28, -0.9999999999981937D), (29, -0.49D), (30, -0.999996184637661D), (31, 1.1558082853943228e-15D), (32, -0.9999999999999996D), (33, -0.87D), (34, 0.26D), (35, 1.4964533475270465e-19D), (36, 1.6820678782668888e-16D), (37, -0.2435649335044241D), (38, 2.509184033734992e-14D), (39, -0.9999999999999998D), (40, -0.99397072006704D), (41, -1.5354906229809463e-18D), (42, 0.38D), (43, 0.3919941522692223D), (44, 0.01D), (45, 3.53503993171529e-05D), (46, -0.9998005549514103D), (47, -0.15D), (48, 0.9999987359855729D), (49, 0.9991776583402991D), (50, 0.69D), (51, -0.9963834137165709D), (52, -0.32144084851104937D), (53, 0.9999999999999455D), (54, -0.9999999999999901D), (55, 0.0035993701802324684D), (56, 0.9999999999999919D), (57, -6.2567734018043405e-18D), (58, -0.99D), (59, 0.6202477902651302D) t(i, x) ORDER BY i
^SELECT acos(x) FROM VALUES (0, 0.4751134593416566D), (1, 1.3530456732647777e-05D), (2, -2.4153142108729228e-14D), (3, -0.43D), (4, -0.5237045034824062D), (5, 0.98D), (6, -0.76D), (7, 0.19861486228937508D), (8, -0.7143786668996208D), (9, 5.306218914230813e-15D), (10, 0.39D), (11, 0.6695594605985222D), (12, 0.39D), (13, -0.77D), (14, -0.5644230790640239D), (15, -4.3250072869404325e-12D), (16, -1.0406989541198485e-09D), (17, 2.3377419449013614e-06D), (18, 4.859646940636934e-18D), (19, -0.5047875875637016D), (20, 2.761194050123219e-07D), (21, -0.8937077850503583D), (22, -0.5731640469399368D), (23, 0.102024770691123D), (24, 0.003139835885166006D), (25, -0.31D), (26, 1.1145117869275441e-09D), (27, 0.19D), (28, -8.046162708733893e-11D), (29, -0.9999669367250243D), (30, 1.972575895157671e-09D), (31, -0.57D), (32, -5.057860253713604e-08D), (33, 0.999999999999999D), (34, -0.5977499110678652D), (35, -8.6506369685726e-18D), (36, -0.47D), (37, 0.16D), (38, 0.68D), (39, 0.9999930297224777D), (40, -0.9999999994222997D), (41, -2.7270353208243165e-10D), (42, -0.24D), (43, -7.080615488849382e-18D), (44, 0.699609744191946D), (45, -0.55D), (46, 0.5492360094991386D), (47, -2.4124995033432772e-06D), (48, 4.1065020294755744e-10D), (49, 0.89D), (50, -0.97D), (51, -0.00011669047533658576D), (52, -3.520018372207596e-14D), (53, -0.58D), (54, -0.7488419184709081D), (55, 0.55D), (56, 0.9999014364406078D), (57, 4.306387519431991e-14D), (58, -0.999999998954675D), (59, -0.19603128537654846D) t(i, x) ORDER BY i
^SELECT atanh(x) FROM VALUES (0, 1.444864673007385e-14D), (1, -1.2867088019773601e-13D), (2, 0.9999975216194271D), (3, -0.050643248699140386D), (4, 0.9999999999999987D), (5, -0.48D), (6, -0.98D), (7, -0.64D), (8, -0.999999855195126D), (9, 0.83D), (10, -0.47D), (11, -1.4560331399545194e-08D), (12, 0.9999994930117958D), (13, 0.9999999999987718D), (14, -0.9999999999999998D), (15, -0.09689615022986242D), (16, -0.9999999999999963D), (17, -0.2502951814064771D), (18, 1.2226182728095736e-18D), (19, -0.86D), (20, -0.93D), (21, -0.9999999844938005D), (22, -0.4996970993843246D), (23, 1.3495300634562617e-14D), (24, 0.9999999905771154D), (25, -0.9999999999997299D), (26, 0.52D), (27, 0.64D), (28, 0.9999999999999732D), (29, -1.2531548723950497e-06D), (30, 1.1162000045283157e-18D), (31, 0.5542711736481931D), (32, 0.3525871114208121D), (33, 0.45D), (34, -3.487473802753516e-11D), (35, 2.1484694180578138e-17D), (36, 2.4739537193566153e-08D), (37, 0.25D), (38, 0.2091248939085535D), (39, 2.577949469601257e-14D), (40, -0.0028422411714088725D), (41, 0.9999999973637368D), (42, 0.4128144009508925D), (43, 8.82357666463583e-20D), (44, -0.9999899810118328D), (45, 5.109712736460469e-08D), (46, -3.5484139021470067e-12D), (47, 0.02444870108877839D), (48, 0.64D), (49, -0.9966455165526241D), (50, 4.627396101850588e-05D), (51, 0.86D), (52, -0.95D), (53, 0.9999999999843758D), (54, -1.3752016830574937e-11D), (55, 0.9999999999999656D), (56, -0.021858173531660086D), (57, 0.5886400085582217D), (58, -0.9999821287736674D), (59, -0.94D) t(i, x) ORDER BY i
^SELECT log10(x) FROM VALUES (0, 0.8020004803741158D), (1, 1e-240D), (2, 1.0591733578134588e-210D), (3, 1.1217225393786813e-14D), (4, 2.8691838344970282e-301D), (5, 783.0D), (6, 1e+251D), (7, 835.0D), (8, 1e+64D), (9, 795.0D), (10, 1e-79D), (11, 2.297701081938169D), (12, 436.0D), (13, 450.0D), (14, 426.0D), (15, 1.863272103284826D), (16, 0.18217045558946254D), (17, 5.839654072606543e-226D), (18, 0.41502611490365515D), (19, 0.5179450380835515D), (20, 4.380414674705234e+75D), (21, 1.0349098316997962D), (22, 5.193076503113333e+34D), (23, 1.1720296032328162e-06D), (24, 0.16156070521896482D), (25, 319.0D), (26, 97.0D), (27, 15962.127515631399D), (28, 3.262622865298829e-246D), (29, 476.0D), (30, 70.0D), (31, 3.513932835250844e-162D), (32, 1.4161195887478945e-06D), (33, 1.818164635956662e-17D), (34, 0.4237815976715126D), (35, 326.0D), (36, 6248542234106.913D), (37, 2.1524761827943886D), (38, 2.004628797448527D), (39, 1e+273D), (40, 0.9876192727899528D), (41, 0.5869491234641474D), (42, 1e+50D), (43, 1e-100D), (44, 0.49847368246003443D), (45, 2.2621397393422873D), (46, 0.7171291278048031D), (47, 1.1382268022541767e-260D), (48, 1e-285D), (49, 507.0D), (50, 1e-12D), (51, 4.916493842621964e-301D), (52, 2.0394383987345313e-14D), (53, 1e-165D), (54, 2.8073566828982495D), (55, 18597729320958.99D), (56, 4.886632309655339e+280D), (57, 1e-170D), (58, 4.875644493987543e-208D), (59, 1e-223D) t(i, x) ORDER BY i
^SELECT ln(x) FROM VALUES (0, 56.0D), (1, 567307844526.227D), (2, 0.03248857582499709D), (3, 1e-54D), (4, 0.9592832919015561D), (5, 1e-21D), (6, 1.9600204270293409D), (7, 1.7415003583430033D), (8, 1.7667074091135717D), (9, 3.082156907634746e+23D), (10, 1e-261D), (11, 1e-145D), (12, 1.4078453102092226e-11D), (13, 7856477385289.54D), (14, 2.2042487450637914e-19D), (15, 1.9876889342132316D), (16, 561.0D), (17, 619.0D), (18, 2.632901138058587D), (19, 1e+106D), (20, 2022.9848952101174D), (21, 505.0D), (22, 0.8117908346526918D), (23, 906.0D), (24, 0.7397143802179262D), (25, 2.281180971255762e-300D), (26, 1.4984435338128323e-198D), (27, 1.7132704441428255D), (28, 19.0D), (29, 1.2735032106064226e+16D), (30, 311.0D), (31, 1e+270D), (32, 711.0D), (33, 0.9343938743735736D), (34, 1.7319462440047784D), (35, 406.0D), (36, 4.1168020488879755e-305D), (37, 1e-220D), (38, 1e+154D), (39, 287.0D), (40, 2.9903039191983636D), (41, 1e-111D), (42, 144754936.31645793D), (43, 7906723.156242253D), (44, 365.0D), (45, 130.0D), (46, 1e-170D), (47, 15153939388964.988D), (48, 1.16461788451752e-135D), (49, 5394088224699545.0D), (50, 0.49704215507363436D), (51, 608.0D), (52, 1.5771516994860534e-07D), (53, 1e+43D), (54, 1e+280D), (55, 1.8411836407269326e+206D), (56, 1e+264D), (57, 49.5805010614084D), (58, 1.0488713663675375e-11D), (59, 1e-17D) t(i, x) ORDER BY i
^SELECT log2(x) FROM VALUES (0, 6.692820374797444e+110D), (1, 1.0035842474563112e-255D), (2, 179650556542.572D), (3, 2.0308002199275688e-33D), (4, 1e+188D), (5, 390.0D), (6, 921.0D), (7, 5.673001890151101e-10D), (8, 8.507342578968885e-19D), (9, 1.5117238204985402e+88D), (10, 0.01047218759600932D), (11, 1.881682678064271e-218D), (12, 838.0D), (13, 0.27393136604170254D), (14, 1008838396851.9775D), (15, 4.4222561400280186e+279D), (16, 5105549705557729.0D), (17, 9.272725650891276D), (18, 1.6743466239885914e+53D), (19, 0.5448343477844892D), (20, 2.6034998244270696e-276D), (21, 1.4065011248796613e-11D), (22, 1e+247D), (23, 2.7544868032600345D), (24, 350.0D), (25, 1e-44D), (26, 281.0D), (27, 1.1206720969279729D), (28, 4.942407721290772e+156D), (29, 1e+122D), (30, 8.047394722780547e-05D), (31, 653.0D), (32, 104.0D), (33, 1e-286D), (34, 867.0D), (35, 2.962308925073522D), (36, 7.533028901568935e+115D), (37, 4665439731234768.0D), (38, 5.588964375474879e-17D), (39, 1.5602079539785797e-232D), (40, 1e+234D), (41, 1.3438186986021914D), (42, 1e+84D), (43, 577.0D), (44, 1.7845670464550566e-18D), (45, 2.852212173005914e-15D), (46, 1e-236D), (47, 4651315698905477.0D), (48, 1e+60D), (49, 19.0D), (50, 103501819.82239752D), (51, 2.106386387563827D), (52, 1.9674828490915939D), (53, 1.9239622251375086e-74D), (54, 304.0D), (55, 93.0D), (56, 0.614931690722165D), (57, 1.8174245023751103e-16D), (58, 1.8346580960695522e-09D), (59, 757.0D) t(i, x) ORDER BY i
^SELECT sqrt(x) FROM VALUES (0, 2461.44984699058D), (1, 1.6486361893849448D), (2, 774.0D), (3, 2.699779979094338e+273D), (4, 503296962569704.2D), (5, 1e-193D), (6, 942.0D), (7, 4.83782654161959e-274D), (8, 572.0D), (9, 1e+157D), (10, 0.48523086069098487D), (11, 1e-218D), (12, 8.304612483485754e+16D), (13, 0.6002981303793848D), (14, 159740691016.5179D), (15, 0.25254027993890316D), (16, 1e-281D), (17, 458.0D), (18, 3.1239318339587047e-90D), (19, 1e+188D), (20, 1.5853299234950196e-12D), (21, 303.0D), (22, 2.8210836992441484e+302D), (23, 0.14962776019222515D), (24, 0.7583721490093733D), (25, 0.9908954943530196D), (26, 1e-266D), (27, 3.939642940868998e+167D), (28, 1e+299D), (29, 0.5242071395610846D), (30, 7.534453553776357e-18D), (31, 1e+101D), (32, 1.697585321327523D), (33, 1.3458146667687667D), (34, 0.6285867928667866D), (35, 615.0D), (36, 1.6328358967835008D), (37, 524.0D), (38, 1e+37D), (39, 2.4676710528381056D), (40, 1.0667667090659188D), (41, 2.2314593682325636D), (42, 2.59753413335833e+73D), (43, 37607.30587650079D), (44, 1e-176D), (45, 858.0D), (46, 883.0D), (47, 1.7175903944422381e-40D), (48, 199.0D), (49, 7.593269845910802e-07D), (50, 1e-212D), (51, 4341049681.947088D), (52, 4.726270673142329e+154D), (53, 1e-149D), (54, 5.155593095229612e+256D), (55, 559.0D), (56, 8.256283633101598e-19D), (57, 2.3516413389398682e+203D), (58, 1.5083336286374277e-18D), (59, 890.0D) t(i, x) ORDER BY i
^SELECT acosh(x) FROM VALUES (0, 553.0D), (1, 1e+63D), (2, 31838677466.359734D), (3, 0.06088845888602845D), (4, 2.09782159802721D), (5, 1e+274D), (6, 2.8442456105373504D), (7, 422.0D), (8, 1.0015690585529384D), (9, 314.0D), (10, 7.44862758907117e-16D), (11, 1e+263D), (12, 1.1678054635108044D), (13, 1e-124D), (14, 0.3683071275730122D), (15, 2.557798783748269D), (16, 9.117659942330794e+239D), (17, 2.415712076722361D), (18, 69.0D), (19, 952.0D), (20, 766.0D), (21, 14.0D), (22, 104.0D), (23, 387.0D), (24, 1e+120D), (25, 2.400144572520485D), (26, 1e+197D), (27, 1e-100D), (28, 0.6970014154460855D), (29, 4.951211134827242e+41D), (30, 554.0D), (31, 1e-97D), (32, 1.4270152297987835D), (33, 1e-44D), (34, 4.620731029400801e+120D), (35, 1e-62D), (36, 2.025325315040174D), (37, 717.0D), (38, 1.0257851662875317e+117D), (39, 53.0D), (40, 2.5640821415714186D), (41, 787.0D), (42, 639.0D), (43, 403218481067.0962D), (44, 0.00027201975831115906D), (45, 6.046663085506318e-08D), (46, 0.8398753684902336D), (47, 97.0D), (48, 587.0D), (49, 0.004372143157254743D), (50, 1e+89D), (51, 2.0039699750613287e-283D), (52, 21710347.20199977D), (53, 8.042733233723665e-10D), (54, 9.681812483872123e+89D), (55, 11149.112752451063D), (56, 1.8852237515293824e-268D), (57, 2.3297025575304158e+20D), (58, 278.0D), (59, 1e+69D) t(i, x) ORDER BY i
^SELECT log1p(x) FROM VALUES (0, 1e-81D), (1, 1.6190741906417686e-194D), (2, 27727.011470397494D), (3, 5.651053431826428e+165D), (4, 1.9612625945161408D), (5, 0.13940714728220438D), (6, 2.971826679206351e+175D), (7, 0.04D), (8, 0.999999999999228D), (9, 8.327406524245809e-08D), (10, 0.11114574445138559D), (11, 2.7179554987264805D), (12, 2.4130282396509493e+87D), (13, 9665827.71568249D), (14, 0.08D), (15, 4.971475686552971e-10D), (16, 0.019735568705323458D), (17, 1e-286D), (18, 163569834174390.8D), (19, -0.08D), (20, 1e+112D), (21, 5.0093066705189214e-98D), (22, 1e+296D), (23, 2.3597982250446896D), (24, 0.48D), (25, 126.14684447984479D), (26, 2.2600181987928276D), (27, -0.7575412258952265D), (28, 0.01770672301635101D), (29, 0.9999999999999971D), (30, 0.338431148957117D), (31, 1.5339861768725796e+196D), (32, 2.2549620738691285D), (33, 3761127767.8963337D), (34, 0.9999999999980943D), (35, 0.69D), (36, 3.453241417318424e-215D), (37, -0.23535700269700666D), (38, -6.970949898884753e-12D), (39, 843.0D), (40, 1e-294D), (41, 33820655845270.125D), (42, 0.30757280786718644D), (43, 50.0D), (44, 5.940848124942811e+19D), (45, -0.6969685703499331D), (46, -0.6517710873830664D), (47, 0.24569731929495697D), (48, 8.744966110558486e+17D), (49, -0.86D), (50, 4.376854424278804e-10D), (51, 556.0777134608016D), (52, 2.4346764022208325e-294D), (53, 0.990757766270567D), (54, 0.5011188885069107D), (55, 3.077332678383473e-111D), (56, 2.3117723252815335e+120D), (57, 0.35D), (58, 0.9999999999999994D), (59, 0.13564174919494065D) t(i, x) ORDER BY i
^SELECT pow(x, y) FROM VALUES (0, 14.0D, 39.2D), (1, 1.0041414643952975D, 6.3D), (2, -5.0D, 2.0D), (3, 39.0D, 0.5D), (4, 76.0D, -11.3D), (5, 89.0D, -2.821734343764481D), (6, 8.750875680786863e-08D, 31.8D), (7, 3.078720595395362D, 2.0D), (8, 1.054265855003757e-08D, 6.0436899966095226D), (9, 9.0D, -9.606181843669045D), (10, 4.1155775211045544e-07D, -3.247675538679946D), (11, 0.992483160182551D, -9.047765689873543D), (12, 0.99035434391858D, 4.3D), (13, 0.9944255772042584D, 2.0580904106080915D), (14, 218.25753007317647D, 0.8055295112371912D), (15, 8.857139898235706D, 9.0D), (16, 0.9985661264989413D, 7.0D), (17, 0.9963567343989341D, -4.0D), (18, -10.0D, 0.3333333333333333D), (19, 1.0050894107898838D, -30.0D), (20, 0.9964224014420168D, 2.0D), (21, 1.008763447252332D, -48.2D), (22, 89.0D, 6.0D), (23, 6.499876219800187D, 0.5D), (24, 1.0006880304864587D, 9.130527344497711D), (25, 4.360531649166681D, 27.5D), (26, 724473.7295271519D, 9.551973703431024D), (27, 0.16101234240272544D, 1.5D), (28, 12.0D, 0.5D), (29, 2.9261075008104864D, 12.9D), (30, 7927959.866730303D, 1.5D), (31, -10.0D, -0.5D), (32, -2.0D, -3.423944694667755D), (33, 9.882376450870291D, 1.5D), (34, 17980288608.078316D, 1.5D), (35, 12484392905.690523D, 7.498875956603484D), (36, 1.0095735012405733D, 2.0D), (37, -4.0D, 27.4D), (38, -6.0D, -3.0D), (39, -8.0D, 36.1D), (40, -1.0D, 33.4D), (41, 78.0D, -4.922885607126137D), (42, 9.757015896316483D, -2.0D), (43, 2.295967274590547D, 0.0D), (44, 0.9988243386553163D, 19.6D), (45, 8.545025255847715D, 2.0D), (46, 5.763610729247334D, -34.2D), (47, 87.0D, -4.8D), (48, 41.0D, -1.0D), (49, 248657.99546242636D, 4.0D), (50, -4.0D, -18.4D), (51, 1.0098638065585053D, 0.3333333333333333D), (52, 40.0D, 0.5D), (53, 1.2962521064654256e-09D, 1.5D), (54, 11.0D, -0.5D), (55, -4.0D, -48.1D), (56, 2.6329194434742793e-06D, 0.3333333333333333D), (57, -4.0D, 30.8D), (58, 27.0D, 1.0D), (59, 65.0D, -8.510540269424729D) t(i, x, y) ORDER BY i
^SELECT pow(x, y) FROM VALUES (0, 3.4341037119000164e-06D, 14.5D), (1, 1.0040533965677718D, 1.5D), (2, 1.0018699684749746D, 9.435925145388367D), (3, 0.9993382963039023D, -8.75631550427367D), (4, 434292.83673357556D, -1.0D), (5, 1.2643331085124632D, -7.0D), (6, 2.7171904866646226e-09D, 4.415394922251597D), (7, 0.9965125589430752D, 3.915699262002196D), (8, 29.151842795108603D, 0.3333333333333333D), (9, 172286520.30124742D, 4.0D), (10, 7.503631490161733D, 1.5D), (11, 3.6782251957508514D, 2.0D), (12, 8.308658095752474e-08D, -6.0D), (13, 0.00024177407531756414D, 6.724926478706092D), (14, 1.0094242648469214D, 40.6D), (15, 5.791555726287022D, -3.075316020776267D), (16, 21362879096.298035D, 5.493886393391982D), (17, 0.9944143045739332D, 4.0D), (18, 0.9963315028504407D, 25.0D), (19, 0.9960372327043567D, 9.0D), (20, 3.878132906423293D, 18.4D), (21, 4.893697766091903D, 49.3D), (22, 9.789720167951648D, 35.9D), (23, 4.853432077244392e-09D, 1.5D), (24, -8.0D, -1.7D), (25, 0.9989633267655273D, 9.860811672215874D), (26, 0.9999333126990279D, 5.7322005428814276D), (27, 72.0D, 2.831608988857301D), (28, 33.0D, -14.6D), (29, 0.9947379254582048D, 10.0D), (30, 867.6703828563134D, -12.3D), (31, -8.0D, 3.0D), (32, 0.992341998193028D, 1.5D), (33, 1.000608630412972D, -9.412399430478706D), (34, -9.0D, 0.5D), (35, 40.0D, 1.8227458942328507D), (36, -9.0D, -5.618571876258747D), (37, 1.002789309285571D, 0.5D), (38, 63.0D, 28.3D), (39, -5.0D, 7.0D), (40, -7.0D, 0.0D), (41, 10.0D, -5.0D), (42, 19.0D, -0.5D), (43, 3.9823937772465037D, 6.5955662962508335D), (44, 0.9955982611895786D, -2.0D), (45, 0.9966879014884101D, 3.063957893144414D), (46, 4.0D, -0.5D), (47, 1.0070365537922417D, -7.026652834664173D), (48, -4.0D, 10.0D), (49, 1.0013217304605082D, 3.0D), (50, 4.2063228939605867e-05D, 8.799314955246885D), (51, 138130.56201857768D, -0.7074202326112875D), (52, 2.5426586406690665D, -6.615451168794825D), (53, 1.0092028595415101D, -8.0D), (54, -1.0D, 1.5D), (55, 39.0D, 2.0D), (56, 53.0D, 3.366248738795134D), (57, 1.0094442362759275D, 5.0D), (58, 1.043873081721615e-07D, 0.5D), (59, 2.297769891952872D, 6.095045132280454D) t(i, x, y) ORDER BY i
^SELECT atan2(x, y) FROM VALUES (0, 124.19D, 9.692889621159107D), (1, 587.14D, 8.0D), (2, 361.58D, -632.53D), (3, 1.2955717861498215D, 0.5014719625773505D), (4, 11.0D, -0.6405642803940765D), (5, 52.0D, 4.95692963206622D), (6, -2.8157580358833423D, -2.8396601352745584e+23D), (7, 760.25D, -0.2565973943173807D), (8, -9.359115643530437D, -91.0D), (9, -0.49681451639050556D, -1.4639721110980534e-07D), (10, 0.048122005673969515D, -22.0D), (11, 0.737902123602449D, -0.5113920993291448D), (12, 74.0D, -4.578698018117729D), (13, -0.7418751079417383D, -3.299512028283701e-84D), (14, 93.0D, 1.416971228333652e+66D), (15, 129.66D, -0.8861002084109586D), (16, 367.49D, -348.6D), (17, 0.3239127207241701D, -8.0D), (18, -0.004388315658094825D, -5.300502980016408D), (19, 3.4517291607968144D, 0.408501808699981D), (20, 1.6537977901103573e+95D, -1.2208490176255247e+205D), (21, 0.00015995318251563916D, 0.1529977291772353D), (22, 0.19784029951085413D, 303.67D), (23, -8.691527241433004D, -3.475625340597363e-11D), (24, -124411.13631412151D, -719.48D), (25, 8.33322490652624D, 8.905995719710719e-17D), (26, 81.0D, -0.4700403565660256D), (27, -65.0D, -2.014461080199646e+224D), (28, -1.5892079793184971e-140D, -2.0603638994436093e+57D), (29, -5.007870450686291D, 25.0D), (30, 46348.429998931366D, -39.043709572086065D), (31, -6.738283536159965D, 0.785935517410401D), (32, -77.0D, -0.0821573888927678D), (33, 2.967584379079895e-57D, 144.87D), (34, -1.9339446577979272e+294D, -52.78D), (35, 0.8724877852339095D, 34.0D), (36, -2.6083238108209996e+237D, 1.0729380642326046e+48D), (37, -1.1573964566673598e-08D, -95.0D), (38, 5.261314804711769e-08D, -0.45968666054561647D), (39, -9.04159636314526e-16D, -2823760.1484601162D), (40, 523.38D, -8.602770830297931D), (41, 0.6385357720550322D, 7.962480014564382e-195D), (42, 0.023312296003047406D, 1.7439571468160936e-05D), (43, 1.0256066965707828e-284D, 0.3187767932304628D), (44, -1.609733439242993e-06D, 1.0363780582324137e-11D), (45, 0.0066788124139236515D, 1679.5171711933979D), (46, -570.55D, -29.0D), (47, 95.0D, -352.2D), (48, -1797656.1599175031D, 9.607154263625152e+232D), (49, -0.7141312538484144D, 0.9711258001343634D), (50, -384.66D, -922.66D), (51, -227.57036569237425D, -34.0D), (52, 392.41803157301166D, -0.00014121099134427925D), (53, 0.3311232685355212D, 0.7493476218985313D), (54, -1.1099987305301409e-07D, 0.16594489392243394D), (55, -130.09D, -90.0D), (56, -2.75375482550863e-12D, 0.8643104417318692D), (57, -0.4932823452344801D, -569.86D), (58, 698.32D, 26.0D), (59, 2.3930395067399876e-16D, 0.5003711922947436D) t(i, x, y) ORDER BY i
^SELECT atan2(x, y) FROM VALUES (0, -0.9999191882333383D, 377.75D), (1, -472.53D, -1.9919873420638123e-17D), (2, 110.9D, 87.0D), (3, -5.459769556388494D, -90.0D), (4, -1.2130584810618892e-10D, 4.5778504817492963e+167D), (5, -2.0D, 0.6584791109184476D), (6, -584.25D, 0.7309858739234567D), (7, -7.523823223435135e-10D, 3.844425669128538e+173D), (8, 3.487506111415496e+94D, -0.9012543469426437D), (9, -0.42016496531679337D, 34.0D), (10, 642.04D, -890.45D), (11, -7.865599822724913e-178D, 0.4204135703511124D), (12, 606.59D, -0.42734144222458426D), (13, 2.3827564693297646e+274D, -98.0D), (14, 1.0759111334921501e-49D, -5.931146197523103e+271D), (15, 626.2D, -0.49076139223657567D), (16, 27.0D, -2.335957166552389e-139D), (17, 8.1818018077587D, -2.1634672873582607e-11D), (18, -3.251536451521006e-17D, 30.748352558124555D), (19, 32.0D, -3.9173476630566224D), (20, 2.3716741260117016e+296D, -0.9175590837052259D), (21, -572.79D, -3.4360826870167003e+256D), (22, 413.68D, -6.9415324266474565D), (23, 204.91D, 10.46D), (24, 8.334434646320204D, 140.9651313793492D), (25, 0.5046122748807371D, -9.723092356914922D), (26, 4.686482592109362D, -9.749871280335434e-14D), (27, -251.41D, -0.002601977555424077D), (28, -6.212066077001806e-13D, 21.0D), (29, -1.508132307636892e+264D, 68.0D), (30, 0.5555150911744311D, 2.0541786783057724e-13D), (31, 6.985068838588965D, -60.0D), (32, 0.1470108717269467D, -2.090519761527847e+188D), (33, 1.142526328163132e-17D, 5.056914592509482e-11D), (34, 2.151266610954705e-113D, -1.5694702180455578e+21D), (35, 2.244134443894099D, -0.6044271790596176D), (36, 2.0737068857947765e-11D, 7.0D), (37, -20.0D, 0.9633847043814843D), (38, 358.05D, 5.7274865166309905e+149D), (39, -447.58D, 71.0D), (40, -8.141881221204459D, 4.348430492721256D), (41, -36290.87439217756D, -850.19D), (42, -75.68D, 0.8156592958189237D), (43, 2.464819908226411e-07D, 5.345368692451176D), (44, -530.98D, -1.3081809473692464e-146D), (45, 6.653443725476304e-22D, 390.06D), (46, 1.7844220728379785e-11D, 11.0D), (47, 11.0D, -8.262808085841113e-11D), (48, 510.02D, -511.37D), (49, 3.3808334755650793e-06D, -61.0D), (50, 7.631960837554693D, -1.8517717300404589e+174D), (51, 83.34D, 89.25D), (52, 2.0212590418671013e-09D, -1.6417366028084128D), (53, -418.5D, 1.6204096125977892e-12D), (54, 4.852587073380351e-07D, 24.24D), (55, -4.190358273071155D, 7.326800088379979D), (56, 521.94D, -2.6967477112932754e-19D), (57, 2.8785776228822637e-171D, -8.994186898471536e+90D), (58, 450.59D, -0.6831629989014536D), (59, 4.054658216621924D, -44.87D) t(i, x, y) ORDER BY i
^SELECT hypot(x, y) FROM VALUES (0, 4.009601513554099e+80D, 1.8896917670249538e-17D), (1, 6.5069187628070075D, -2.5181946358178824e-176D), (2, 0.36005660545915585D, 806157.8279795762D), (3, -0.8729872207835803D, -2.968678238846839e+283D), (4, 0.556076594417992D, 0.28083857783574895D), (5, -44.0D, -1.3216150135783787e+93D), (6, 43.0D, -0.1522257187460565D), (7, 0.07687016888108489D, -859.7D), (8, 6.020054140155097e-11D, 1.930599633042514e+112D), (9, 233.74D, 10727.966703043783D), (10, -3.1055543081479904D, 184.91D), (11, 1.2945163350324028e-10D, -1.1527363110303309e-18D), (12, -57.0D, 0.0D), (13, -4.63947799676645D, -10.0D), (14, -189.46D, -3.4555285629523984e-223D), (15, -5.2962949790674866e+247D, 5.1350808221022515D), (16, -4.121977262024307e+273D, 23.0D), (17, 0.2357969810760634D, -98.0D), (18, -1.0168969960895356e-14D, 9.180879762023267e-06D), (19, 0.2750059670836753D, -0.00903548846254787D), (20, -1221060.0441144356D, 6.528562819480165D), (21, 0.5367796778644838D, 3.305634099003342D), (22, 0.14233219625582483D, -184.45D), (23, 9.882214600326719e+42D, -793.780272146812D), (24, 43.0D, -57.38D), (25, -8.023484743579878e+198D, 9.57528709471387e-07D), (26, -152.78D, 3.0D), (27, -0.9817713052646984D, -24.0D), (28, 0.498148287488537D, 6.284279188677435e-07D), (29, 96.0D, -1.1266363048743014e-114D), (30, 4.2454038670334496e+100D, 2.778917553242735D), (31, 283.45D, -814.07D), (32, 0.5820047030030964D, -1.3910499033764973e+197D), (33, 673.95D, -93.0D), (34, -5.354341218996823D, 1.170575041617264e-201D), (35, 12.0D, 4.893935066927972e+260D), (36, 74.0D, -0.02864017364089499D), (37, 53.0D, -0.007736975103590948D), (38, 1.0D, -8.192952253353314e+267D), (39, 1.5258905103510928e+154D, -0.27005667061648775D), (40, -96.0D, -1.7576992258012784e-10D), (41, -31.0D, 1.2581293604780332e+182D), (42, -34.0D, 490.38D), (43, -16.0D, -447.0D), (44, 0.9608000266498935D, 87.0D), (45, -913.7643663104076D, -32.0D), (46, -0.08930276294108538D, 0.0005059473480788953D), (47, 0.6960207369567202D, 75.0D), (48, 724.99D, -614.3D), (49, 3.6017141179983962D, 592.77D), (50, 0.48814971880836233D, 9.8318222940573D), (51, 337.06D, 1.5162232372198686e-149D), (52, 44.0D, 9.301678054932768D), (53, -39.0D, 1.0289834872339323e+109D), (54, 872.11D, -8.932803534068462D), (55, 70.0D, 1.4535200758129265e+239D), (56, 434.0693722476773D, 6.178989794711916e-17D), (57, 464.64D, -9.011688810496518e-10D), (58, -986.71D, 181.7D), (59, 5.0D, -0.017172381907603507D) t(i, x, y) ORDER BY i
^SELECT hypot(x, y) FROM VALUES (0, 0.980197046058469D, -88.82D), (1, 0.4078020493968175D, 2.0478428385008535e-112D), (2, 8.83180064555621e-279D, 1472697.2051649657D), (3, -0.00023087555020672736D, -8.084362261442292e-163D), (4, -99.0D, 79.0D), (5, -0.07444107356727026D, -603.22D), (6, 3.036236428533917e+192D, -0.8391107485444265D), (7, -0.7694507924957426D, -5.0114808936091615D), (8, 372.08D, -88.0D), (9, -6.599634889018636e-208D, 2.7458409459108797D), (10, -0.781705304508646D, -0.11566385669028434D), (11, 0.7953831120788677D, -41.13086679527144D), (12, 0.5066708064975229D, 10.0D), (13, 0.31297286006043734D, 48.0D), (14, 1.884214497120656e-263D, -280.96D), (15, 19.0D, -1.5138301115535278D), (16, 0.08533426305850034D, -452.9D), (17, -998.11D, 1.8161935369652316e-68D), (18, 74.0D, -9.535689169471056e+161D), (19, 20.0D, -5.11D), (20, 7.2678423414846485D, 840.25D), (21, -54.0D, 0.00019555629190312797D), (22, -45.0D, -63.0D), (23, -2.4095599651644275e-08D, -3.8762749751837634e+208D), (24, 0.9586494246511799D, 0.4090737594254721D), (25, -1.5924860869220197e+102D, -5.843142525064693e-17D), (26, 4.871423431955278e-17D, 967.18D), (27, -9.5241169884963D, -422.77D), (28, 162.78D, -0.30571003591097434D), (29, -0.34069642976422654D, 367.33D), (30, -4.2882057469908415e-34D, -3.3458912117768456e-304D), (31, 35.0D, -204.01D), (32, -47.0D, 4.564247542875304D), (33, 36.0D, 0.0016064842305651059D), (34, 2.2986333303022537e+142D, 97.0D), (35, -0.2854251772940686D, -4.770842123266266e-10D), (36, -201.04D, 815.02D), (37, 2.4299150136944814D, -1.5664989929297827e-08D), (38, -924.23D, 4.395582006113601D), (39, -42.0D, 92.0D), (40, 0.0D, 7.680132643001726e-255D), (41, -1524235.226090805D, 3.117446200381079e-16D), (42, 1.8460938216273615D, 323.64D), (43, -512.9D, 535.82D), (44, 0.42481646123669226D, -0.9761490759366422D), (45, 21.0D, 0.8884760420666049D), (46, 5.993215528081304e-16D, -0.00019914748743654297D), (47, -8.309600059276982e+265D, 6.210285402827683D), (48, -65.0D, -0.9705582081505046D), (49, -7.996878800061758D, 0.0008700013562644572D), (50, 62.0D, -130.59D), (51, -20.0D, 0.45608189324458137D), (52, 2.1435781870040246e+65D, 1.4856468988936276e+97D), (53, 7.125831747649534e+50D, 5.1228973908738624e+17D), (54, 9.807891042303257D, 50.0D), (55, -12.0D, -9.014215764604357e-07D), (56, -2.152558647252441D, -1.0D), (57, -41727.97212557734D, -439.63D), (58, -4.078525897428853D, 0.5463532214703228D), (59, 0.6455624658798782D, 0.06502522059202347D) t(i, x, y) ORDER BY i
^SELECT log(x, y) FROM VALUES (0, 3.1829717702582337e-239D, 1e+181D), (1, 1e-44D, 7.428055451665753e+201D), (2, 1.805573323788676e-124D, 1e-62D), (3, 1e-143D, 1.105916098935662e+16D), (4, 1e+229D, 1e+263D), (5, 0.15039746737665205D, 1e+70D), (6, 0.7391847610118318D, 744.0D), (7, 1907076824837280.2D, 0.8097142113301784D), (8, 641.0D, 129239889601559.33D), (9, 2.651756135510315D, 306.0D), (10, 1.6820138213400085e-117D, 1e-132D), (11, 3.795498562851067e-06D, 3.3322997730673766e+110D), (12, 1.5655038647091191e+29D, 6.7395933586095245D), (13, 2570128237953.3994D, 1.5061133057417584D), (14, 834.0D, 1e+125D), (15, 3.0836316787455374e-16D, 0.0017156077759346957D), (16, 1e-288D, 0.7400406010224578D), (17, 748.0D, 2.677963523024755e-73D), (18, 1.7090289534524955e+159D, 1.8721856507445298D), (19, 2.8776961640575154D, 1e-232D), (20, 1e-257D, 454.0D), (21, 3.892018616305899e+194D, 0.2964341481680829D), (22, 1e+163D, 0.14306645376747873D), (23, 0.00011990310142420936D, 6.909406078636078e-184D), (24, 1.9804073906074673D, 9.13070200177916e+72D), (25, 2.1187368637016404e+18D, 4.1838150666707804e+19D), (26, 1e-203D, 0.2582323590267009D), (27, 5.6884195057333874e+119D, 1.4410415764340123D), (28, 2725733292131230.0D, 681.0D), (29, 7.55232545331482e-17D, 1.1872760490653807e-119D), (30, 1.2280681625376904e-25D, 797.0D), (31, 47.0D, 2.698627889912605D), (32, 2.794576459466644e-127D, 0.01390442060292485D), (33, 8.53002306363145e-27D, 2.5412331242508236e+129D), (34, 1e+196D, 1e+35D), (35, 0.933560857216279D, 2.9729386754434177e+122D), (36, 701.0D, 1.9457514918819212D), (37, 687.0D, 1e-94D), (38, 0.006812375079191241D, 523.0D), (39, 1e-79D, 1.7952770036780796D), (40, 5.444948184210886e-232D, 1.8862306226913128e-14D), (41, 167.0D, 2.2702924608851167D), (42, 7.89835667915821e-132D, 2.5342214142227935D), (43, 1e-151D, 0.011394339202755191D), (44, 0.9590242034436004D, 4.0397296810935645e-113D), (45, 1.669044525968764D, 3.134427803416562e+305D), (46, 1e+127D, 1e-26D), (47, 6.254451127544329e+264D, 1.3362339345320855e-30D), (48, 132.0D, 1e+92D), (49, 2.091110157342876D, 3.539460159584678e+29D), (50, 1e+45D, 2.1096357806438757D), (51, 729.0D, 0.29970925452913566D), (52, 571.0D, 1e+19D), (53, 3.6702930184226e-161D, 1e+167D), (54, 7.972032154622954e+223D, 3.2965159577195795e+305D), (55, 3.045200906158412e+189D, 381.0D), (56, 206.0D, 2.19256794581135D), (57, 5.81159154220399e-209D, 2.476119469948459e+76D), (58, 1e-260D, 1e-136D), (59, 0.8857954447316375D, 2.327863771047241e-137D) t(i, x, y) ORDER BY i

-- computed scales, seeds, digits, quotients of NULL, intervals
SELECT round(2.55, 1 + 1), round(2.5555D, 1 + 1), round(12345, -1 - 1), bround(2.555, 3 - 1), ceil(2.555, 1 + 1), floor(2.555, 2 * 1)
SELECT round(x, 1 + 1), round(x, length('ab')), round(x, CAST('2' AS INT)), round(x, 2L), round(x, '2') FROM VALUES (2.5555) t(x)
SELECT round(2.555, CAST(NULL AS INT)), round(2.5, if(true, 1, 2)), round(2.555, abs(-2)), round(2.555, greatest(1, 2)), round(2.5, 1S), round(2.555, 2Y)
!SELECT ceil(2.5, x) FROM VALUES (1) t(x)
!SELECT ceil(2.5, CAST(NULL AS INT))
!SELECT round(2.5, 1 / 0)
!SELECT round(2.5, 2147483647 + 1)
!SELECT round(2.5, 'x')
SELECT round(2.555, 1.9), round(2.555, 1.9D), round(2.555, 2L)
!SELECT floor(2.555, 1L), ceil(2.555, '1')
!SELECT variant_explode(parse_json('[1,2]'))
!SELECT variant_explode_outer(parse_json('[1,2]'))
!SELECT * FROM VALUES (1) t(a) LATERAL VIEW variant_explode(parse_json('[1]')) e
!SELECT * FROM VALUES (1) t(a) LATERAL VIEW OUTER variant_explode_outer(parse_json('[1]')) e
!SELECT variant_explode(parse_json('null'))
!SELECT 1, variant_explode(parse_json('[1,2]'))
!SELECT variant_explode(parse_json('[1,2]')) AS (a, b, c)
!SELECT variant_explode('a')
SELECT * FROM variant_explode(parse_json('[1,2]'))
SELECT t.a, e.* FROM VALUES (parse_json('[1]')) t(a), LATERAL variant_explode(a) e
!SELECT shuffle(array(1, 2, 3), 1Y)
!SELECT shuffle(array(1, 2, 3), 1S)
SELECT size(shuffle(array(1, 2, 3), 1)), size(shuffle(array(1, 2, 3), 1L)), size(shuffle(array(1, 2, 3), NULL))
!SELECT shuffle(array(1, 2, 3), 'a')
!SELECT shuffle(array(1, 2, 3), '1')
!SELECT shuffle(array(1, 2, 3), 1.5)
!SELECT shuffle(array(1, 2, 3), x) FROM VALUES (1) t(x)
!SELECT rand(1Y)
!SELECT rand(1S)
!SELECT randn(1Y)
!SELECT uuid(1Y)
!SELECT uniform(1, 2, 1Y)
!SELECT randstr(2, 1Y)
!SELECT CAST('١٢٣' AS DECIMAL(10,2)), CAST('١٢٫٣' AS DECIMAL(10,2))
SELECT TRY_CAST('١٢٣' AS DECIMAL(10,2)), TRY_CAST('१२.३' AS DECIMAL(10,2)), TRY_CAST('１２.３' AS DECIMAL(10,2)), TRY_CAST('1٢' AS DECIMAL(10,2)), TRY_CAST('1e٢' AS DECIMAL(10,2)), TRY_CAST('-٣' AS DECIMAL(10,2)), TRY_CAST('.٣' AS DECIMAL(10,2)), TRY_CAST('٣.' AS DECIMAL(10,2)), TRY_CAST('²' AS DECIMAL(10,2)), TRY_CAST('Ⅳ' AS DECIMAL(10,2))
SELECT TRY_CAST('𝟏𝟐' AS DECIMAL(10,2)), TRY_CAST('𞥑' AS DECIMAL(10,2)), TRY_CAST('߁' AS DECIMAL(10,2)), TRY_CAST('๓' AS DECIMAL(10,2))
SELECT TRY_CAST('٣' AS INT), TRY_CAST('٣' AS BIGINT), TRY_CAST('٣' AS DOUBLE), TRY_CAST('٣' AS FLOAT), TRY_CAST('٣' AS DATE), TRY_CAST('٢٠٢٦-01-01' AS TIMESTAMP), TRY_CAST('٣' AS BOOLEAN), TRY_CAST('٣' AS TINYINT)
!SELECT CAST('²' AS DECIMAL(10,2))
SELECT from_json('{"a":"٣"}', 'a DECIMAL(10,2)'), from_csv('٣', 'a DECIMAL(10,2)'), variant_get(parse_json('"٣"'), '$', 'decimal(10,2)')
SELECT try_avg(i) FROM VALUES (interval '178956970-7' year to month), (interval '178956970-7' year to month) t(i)
SELECT try_avg(i) FROM VALUES (interval '106751991 04:00:54.775807' day to second), (interval '106751991 04:00:54.775807' day to second) t(i)
!SELECT avg(i) FROM VALUES (interval '178956970-7' year to month), (interval '178956970-7' year to month) t(i)
!SELECT avg(i) FROM VALUES (interval '106751991 04:00:54.775807' day to second), (interval '106751991 04:00:54.775807' day to second) t(i)
SELECT avg(i) FROM VALUES (interval '178956970-7' year to month), (interval '-1' month), (interval '1' month) t(i)
SELECT try_avg(i) FROM VALUES (interval '178956970-7' year to month), (NULL) t(i)
SELECT sum(i) FROM VALUES (interval '106751991 04:00:54.775807' day to second), (interval '-1' second), (interval '1' second) t(i)
SELECT k, try_avg(i), try_sum(i) FROM VALUES (1, interval '106751991' day), (1, interval '1' day), (2, interval '106751991' day), (2, interval '106751991' day) t(k, i) GROUP BY k
SELECT try_divide(NULL, 1.5), typeof(try_divide(NULL, 1.5)), typeof(try_divide(1.5, NULL)), typeof(try_divide(NULL, CAST(1 AS DECIMAL(10,2)))), typeof(try_divide(CAST(1 AS DECIMAL(10,2)), NULL))
SELECT typeof(try_divide(NULL, 1)), typeof(try_divide(NULL, 1D)), typeof(try_divide(NULL, NULL)), typeof(NULL / 1.5), typeof(1.5 / NULL), typeof(try_add(NULL, 1.5)), typeof(try_subtract(NULL, 1.5)), typeof(try_multiply(NULL, 1.5)), typeof(try_mod(NULL, 1.5)), typeof(try_mod(1.5, NULL)), typeof(try_add(1.5, NULL))
SELECT typeof(NULL + 1.5), typeof(NULL * 1.5), typeof(NULL % 1.5), typeof(1.5 % NULL), typeof(NULL - 1.5), typeof(mod(NULL, 1.5)), typeof(pmod(NULL, 1.5)), typeof(pmod(1.5, NULL))
!SELECT typeof(try_divide(NULL, interval '1' month)), typeof(try_divide('1', 1.5)), typeof(try_divide(1.5, '1')), typeof(try_divide(1L, 1.5)), typeof(try_divide(NULL, '1'))
SELECT try_to_number('.99', '.99'), try_to_number(x, '.99'), typeof(try_to_number(x, '.99')) FROM VALUES ('.99'), ('.5'), ('0.99'), ('1.5'), (NULL), (''), ('.999') t(x)
SELECT to_number('.99', '.99'), to_number('.9', '.9'), typeof(to_number('.99', '.99'))
SELECT try_to_number(x, '.99') FROM VALUES (NULL) t(x)
SELECT try_to_number(CAST(NULL AS STRING), '.99'), try_to_number('0.99', '0.99'), try_to_number('.99', '9.99'), try_to_number('-.99', 'S.99'), try_to_number('$.99', '$.99'), try_to_number('.', '.99')
SELECT to_char(0.5, '.99'), to_char(0.5, '9.99'), try_to_number('.5', '.9')
SELECT try_subtract(a, 1e20) FROM VALUES (1.5), (2.5) t(a)
SELECT try_subtract(a, b) FROM VALUES (1.5D, 1e20D), (CAST(-32768 AS SMALLINT), 1e20D) t(a, b)
SELECT try_subtract(a, 1e20), a - 1e20, typeof(try_subtract(a, 1e20)) FROM VALUES (1.5D), (1e308D), (123456789.5D) t(a)
SELECT try_subtract(1.5, 1e20), try_subtract(1.5D, 1S), try_subtract(CAST(123456.7 AS DOUBLE), CAST(1 AS SMALLINT)), try_add(1e300, 1), try_multiply(1e300, 1.5)

-- more of computed scales
!SELECT typeof(try_divide('1', 1.5)), typeof(try_divide(1.5, '1')), typeof(try_divide(1L, 1.5)), typeof(try_divide(NULL, '1'))
!SELECT try_divide(NULL, interval '1' month)
!SELECT NULL / CAST(1 AS DECIMAL(10,2)), typeof(NULL / CAST(1 AS DECIMAL(10,2))), typeof(NULL / NULL), typeof(NULL / 1), typeof(NULL / '1'), typeof(CAST(NULL AS VOID) / 1.5)
SELECT NULL DIV 1.5, typeof(NULL DIV 1.5), typeof(1.5 DIV NULL), typeof(mod(1.5, NULL)), typeof(NULL % CAST(1 AS DECIMAL(38,10))), typeof(NULL * CAST(1 AS DECIMAL(38,10))), typeof(NULL + CAST(1 AS DECIMAL(38,10)))
SELECT x / 1.5, typeof(x / 1.5) FROM VALUES (NULL) t(x)
!SELECT round(2.5, CAST(rand() AS INT))
SELECT round(2.555, 1Y + 1Y), round(1.23456D, 1 * 3), round(12345.678F, 1 - 1), bround(25, 0 - 1), round(1234567890123L, 0 - 3), round(2.5, NULL), round(2.55, 1 + NULL)
SELECT ceil(2.555, 1 + 0), floor(-2.555, 3 - 2), ceiling(12345, -1 * 2), floor(12345L, 0 - 2), ceil(1.5D, 0 * 1), floor(1.5, 5 - 5)
!SELECT round(2.5, array(1))
!SELECT round(2.5, true)
!SELECT round(2.555, (SELECT 1))
SELECT round(x, 2 - 1), bround(x, 1 + 1) FROM VALUES (1.25D), (1.35D), (-1.25D), (float('nan')), (1e300D), (NULL) t(x)
!SELECT round(2.555, '1'), round(2.555, ' 2 '), bround(2.5, true)
!SELECT round(2.5, date'2026-01-01')
SELECT round(100, -2 + 0), round(155, -1 * 1), typeof(round(155.55, -1 * 1)), round(155.55, -1 * 1)
SELECT element_at(array(1, 2), 1 + 1), substring('abc', 1 + 1), lpad('a', 1 + 2, 'x')

-- what cannot be compared: VARIANT
!SELECT hash(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT typeof(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT typeof(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT isnull(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT isnull(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT isnotnull(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT to_json(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT to_json(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT crc32(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT sha1(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT sha1(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT base64(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT base64(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT cardinality(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT cardinality(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT cardinality(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT size(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT size(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT size(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT length(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT upper(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT upper(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT upper(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT hex(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT hex(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT schema_of_variant(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT is_variant_null(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT is_variant_null(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT is_variant_null(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT is_valid_variant(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT is_valid_variant(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT is_valid_variant(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT is_valid_variant(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT to_variant_object(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT to_variant_object(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT to_variant_object(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT ascii(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT bin(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT to_csv(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT to_csv(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT array_distinct(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT array_contains(a, v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT array_position(a, v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT array_remove(a, v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT array_except(a, a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT arrays_overlap(a, a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT sort_array(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT array_max(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT array_min(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT array_insert(a, 1, v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT array_compact(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT array_repeat(v, 2) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT slice(a, 1, 1) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT flatten(array(a)) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT a[0] FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT array_join(a, ',') FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT filter(a, x -> true) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT map(v, 1) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT map_contains_key(m, 'k') FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT map_entries(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT map_concat(m, m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT greatest(v, v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT nvl2(v, v, v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT ifnull(v, v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT equal_null(v, v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT struct(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT array(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT v <=> v FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT s = s FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT s < s FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT a = a FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT a < a FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT m = m FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT v IS DISTINCT FROM v FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT zeroifnull(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT assert_true(v IS NULL) IS NULL FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT stack(1, v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT explode(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT posexplode(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT sequence(v, v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT not v FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT cast(v AS string) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT format_string('%s', v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT printf('%s', v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT array_sort(a, (x, y) -> 0) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT count(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT max(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT max(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT max(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT max(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT mode(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT mode(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT first(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT last(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT last(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT any_value(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT collect_list(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT collect_list(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT collect_set(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT collect_set(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT array_agg(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT min_by(k,v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT min_by(k,m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT max_by(k,s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT max_by(k,m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT min_by(m,k) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT max_by(v,k) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT avg(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT avg(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT approx_count_distinct(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT count_if(v IS NULL) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT listagg(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT string_agg(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT string_agg(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT percentile_approx(s,0.5) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT histogram_numeric(s,2) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT count_min_sketch(m,0.1D,0.9D,1) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT every(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT bit_or(s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT sum(DISTINCT v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT sum(DISTINCT s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT first(DISTINCT s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT first(DISTINCT a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT collect_list(DISTINCT a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT collect_list(DISTINCT m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT first_value(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT nth_value(s,1) OVER (ORDER BY k) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT nth_value(a,1) OVER (ORDER BY k) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT lag(v) OVER (ORDER BY k) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT lag(a) OVER (ORDER BY k) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT lag(m) OVER (ORDER BY k) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT lead(s) OVER (ORDER BY k) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT lead(a) OVER (ORDER BY k) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT row_number() OVER (ORDER BY s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT row_number() OVER (ORDER BY m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT row_number() OVER (PARTITION BY v ORDER BY k) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT row_number() OVER (PARTITION BY a ORDER BY k) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT sum(k) OVER (PARTITION BY v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT sum(k) OVER (PARTITION BY a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT sum(k) OVER (PARTITION BY m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT rank() OVER (ORDER BY v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT grouping(v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT grouping(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT max(k) FILTER (WHERE a IS NULL) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
SELECT max(k) FILTER (WHERE m IS NULL) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT listagg(k) WITHIN GROUP (ORDER BY s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT v, count(*) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t GROUP BY v
!SELECT count(*) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t GROUP BY CUBE(v)
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t SORT BY v
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t DISTRIBUTE BY v
!SELECT v FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t UNION SELECT v FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT v FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t INTERSECT SELECT v FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t |> AGGREGATE count(*) GROUP BY v
SELECT t.k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t GROUP BY ALL HAVING first(v) IS NULL
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t QUALIFY row_number() OVER (PARTITION BY v ORDER BY k) = 1
!SELECT DISTINCT s FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT count(*) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t GROUP BY s, k
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t ORDER BY s
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t DISTRIBUTE BY s
SELECT s FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t UNION ALL SELECT s FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT s FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t INTERSECT SELECT s FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT t.k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t JOIN (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) u USING (s)
!SELECT t.k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t LEFT JOIN (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) u USING (s)
!SELECT t.k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t JOIN (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) u ON t.s = u.s
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t WHERE EXISTS (SELECT 1 FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) u WHERE u.s = t.s)
!SELECT * FROM (SELECT s, k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t) PIVOT (count(*) FOR k IN (1))
!FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t |> AGGREGATE count(*) GROUP BY s
!SELECT count(*) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t GROUP BY a, k
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t SORT BY a
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t DISTRIBUTE BY a
!SELECT a FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t EXCEPT SELECT a FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT a FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t INTERSECT SELECT a FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT a FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t INTERSECT ALL SELECT a FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT t.k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t LEFT JOIN (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) u USING (a)
!SELECT * FROM (SELECT a, k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t) PIVOT (count(*) FOR k IN (1))
!SELECT first(a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t HAVING max(a) IS NULL
!SELECT m, count(*) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t GROUP BY m
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t SORT BY m
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t DISTRIBUTE BY m
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t CLUSTER BY m
!SELECT m FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t EXCEPT SELECT m FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT m FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t INTERSECT SELECT m FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT * FROM (SELECT m, k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t) PIVOT (sum(k) FOR m IN (parse_json('1') AS x))
SELECT t.k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t GROUP BY ALL HAVING first(m) IS NULL
!SELECT first(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t HAVING max(m) IS NULL
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t QUALIFY row_number() OVER (PARTITION BY m ORDER BY k) = 1
WITH RECURSIVE r(v, n) AS (SELECT parse_json('1'), 1 UNION ALL SELECT v, n + 1 FROM r WHERE n < 2) SELECT n FROM r
!SELECT session_window, v FROM (SELECT timestamp'2026-01-01 00:00:00' AS t, parse_json('1') AS v) GROUP BY session_window(t, '1 minute'), v
SELECT CAST(map('k', 1) AS MAP<VARIANT, INT>)
!SELECT map(named_struct('m', m), 1) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, 1 AS k) t
!SELECT from_json('{}', 'MAP<VARIANT, INT>')
!SELECT nullif(parse_json('1'), '1')

-- what cannot be compared: MAP
!SELECT hash(1, m) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT nullif(m, m) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT equal_null(m, m) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT m IN (m) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT sum(k) OVER (PARTITION BY m) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
SELECT to_csv(struct(m)) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
SELECT count(DISTINCT m) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
SELECT approx_count_distinct(m) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT array_distinct(array(m)) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT array_contains(array(m), m) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT array_remove(array(m), m) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT array_sort(array(m)) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT map_from_entries(array(struct(m, 1))) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT min_by(k, m) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT k FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t SORT BY m
!SELECT k FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t CLUSTER BY m
!SELECT k FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t ORDER BY m
!SELECT DISTINCT m FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
SELECT count(*) FROM (SELECT m, k FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t) PIVOT (count(*) FOR k IN (1))
!SELECT k FROM (SELECT m, k FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t) x NATURAL JOIN (SELECT m FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t) y
!SELECT hash(a) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT xxhash64(a) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT max(a) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT collect_set(a) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT equal_null(a, a) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT a <=> a FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT a IN (a) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT map(a, 1) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
SELECT to_csv(struct(a)) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT greatest(a, a) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT array_distinct(array(a)) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT array_contains(array(a), a) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT array_remove(array(a), a) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT array_except(array(a), array(a)) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT array_intersect(array(a), array(a)) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT array_sort(array(a)) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT sort_array(array(a)) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
SELECT first(a) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT k FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t CLUSTER BY a
SELECT count(*) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t GROUP BY a
!SELECT k FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t WHERE (k, a) IN (SELECT k, a FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t)
SELECT count(*) FROM (SELECT a, k FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t) PIVOT (count(*) FOR k IN (1))
!SELECT xxhash64(s) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT min(s) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT s IN (s) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT map(s, 1) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
SELECT to_csv(struct(s)) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
SELECT approx_count_distinct(s) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT array_contains(array(s), s) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT array_position(array(s), s) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT array_intersect(array(s), array(s)) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT array_sort(array(s)) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT sort_array(array(s)) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
SELECT first(s) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
SELECT format_string('%s', s) IS NULL FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT histogram_numeric(s, 2) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
SELECT array_repeat(s, 1) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
SELECT k FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t DISTRIBUTE BY s
!SELECT k FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t CLUSTER BY s
!SELECT DISTINCT s FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT k FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t WHERE (k, s) IN (SELECT k, s FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t)
SELECT approx_count_distinct(o) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT hash(1, v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t WHERE (k, v) IN (SELECT k, v FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) u)
!SELECT to_csv(struct(v)) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT rank() OVER (ORDER BY v) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT 1 FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t WHERE EXISTS (SELECT 1 FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) u WHERE u.v = t.v)
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t WHERE a NOT IN (SELECT a FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) u)
!SELECT to_csv(struct(a)) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT rank() OVER (ORDER BY a) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT 1 FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t WHERE EXISTS (SELECT 1 FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) u WHERE u.a = t.a)
SELECT array_sort(array(a), (x, y) -> 0) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT array_sort(array(a)) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT hash(1, s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t WHERE (k, s) IN (SELECT k, s FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) u)
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t WHERE s NOT IN (SELECT s FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) u)
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t DISTRIBUTE BY s
!SELECT max_by(k, s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT rank() OVER (ORDER BY s) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT array_join(array(s), ',') FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
SELECT array_sort(array(s), (x, y) -> 0) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT hash(1, m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t WHERE (k, m) IN (SELECT k, m FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) u)
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t WHERE m NOT IN (SELECT m FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) u)
!SELECT m FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t UNION SELECT m FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k)
!SELECT max_by(k, m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT collect_set(m) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT to_csv(struct(m)) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT 1 FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t WHERE EXISTS (SELECT 1 FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) u WHERE u.m = t.m)
SELECT array_sort(array(m), (x, y) -> 0) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT array_sort(array(m)) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT k FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t WHERE b NOT IN (SELECT b FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) u)
!SELECT max_by(k, b) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
SELECT array_sort(array(b), (x, y) -> 0) FROM (SELECT parse_json('[1]') AS v, array(parse_json('1')) AS a, named_struct('x', parse_json('1')) AS s, map('k', parse_json('1')) AS m, named_struct('m', map(1, 2), 'v', parse_json('1')) AS b, 1 AS k) t
!SELECT from_json('{}', 'a MAP<INT, INT>')
!SELECT from_json('{}', 'MAP<STRUCT<a: INT>, INT>')
!SELECT nullifzero(true)
!SELECT nullifzero(array(1))
!SELECT equal_null(1, date'2026-01-01')
!SELECT nullif(array(map(1,2)), array(map(1,2)))
!SELECT array_remove(array(1), true)
!SELECT array_contains(array(1), array(1))
-- fractions, names of casts, times without a zone
SELECT try_to_timestamp('2026-03-08 10:11:12.5', 'yyyy-MM-dd HH:mm:ss.SSS')
SELECT to_timestamp_ntz('2026-03-08 10:11:12.5', 'yyyy-MM-dd HH:mm:ss.SSS')
SELECT date_format(timestamp'2026-03-08 10:11:12.5', 'yyyy-MM-dd HH:mm:ss.SSS'), from_json('{"a":"2026-03-08 10:11:12.5"}', 'a TIMESTAMP', map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSS')), from_csv('2026-03-08 10:11:12.5', 'a TIMESTAMP', map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSS')), unix_timestamp('2026-03-08 10:11:12.5', 'yyyy-MM-dd HH:mm:ss.SSS')
SELECT try_to_timestamp('2026-03-08 10:11:12.5', 'yyyy-MM-dd HH:mm:ss[.SSS]')
SELECT to_timestamp_ntz('2026-03-08 10:11:12.5', 'yyyy-MM-dd HH:mm:ss[.SSS]')
SELECT date_format(timestamp'2026-03-08 10:11:12.5', 'yyyy-MM-dd HH:mm:ss[.SSS]'), from_json('{"a":"2026-03-08 10:11:12.5"}', 'a TIMESTAMP', map('timestampFormat', 'yyyy-MM-dd HH:mm:ss[.SSS]')), from_csv('2026-03-08 10:11:12.5', 'a TIMESTAMP', map('timestampFormat', 'yyyy-MM-dd HH:mm:ss[.SSS]')), unix_timestamp('2026-03-08 10:11:12.5', 'yyyy-MM-dd HH:mm:ss[.SSS]')
SELECT try_to_timestamp('2026-03-08 10:11:12.5+01:00', 'yyyy-MM-dd HH:mm:ss[.SSSSSS][XXX]')
SELECT to_timestamp_ntz('2026-03-08 10:11:12.5+01:00', 'yyyy-MM-dd HH:mm:ss[.SSSSSS][XXX]')
SELECT date_format(timestamp'2026-03-08 10:11:12.5', 'yyyy-MM-dd HH:mm:ss[.SSSSSS][XXX]'), from_json('{"a":"2026-03-08 10:11:12.5+01:00"}', 'a TIMESTAMP', map('timestampFormat', 'yyyy-MM-dd HH:mm:ss[.SSSSSS][XXX]')), from_csv('2026-03-08 10:11:12.5+01:00', 'a TIMESTAMP', map('timestampFormat', 'yyyy-MM-dd HH:mm:ss[.SSSSSS][XXX]')), unix_timestamp('2026-03-08 10:11:12.5+01:00', 'yyyy-MM-dd HH:mm:ss[.SSSSSS][XXX]')
SELECT try_to_timestamp('20260308101112123', 'yyyyMMddHHmmssSSS')
!SELECT to_timestamp_ntz('20260308101112123', 'yyyyMMddHHmmssSSS')
!SELECT date_format(timestamp'2026-03-08 10:11:12.5', 'yyyyMMddHHmmssSSS'), from_json('{"a":"20260308101112123"}', 'a TIMESTAMP', map('timestampFormat', 'yyyyMMddHHmmssSSS')), from_csv('20260308101112123', 'a TIMESTAMP', map('timestampFormat', 'yyyyMMddHHmmssSSS')), unix_timestamp('20260308101112123', 'yyyyMMddHHmmssSSS')
SELECT try_to_timestamp('20260308101112.12', 'yyyyMMddHHmmss.SSS')
SELECT to_timestamp_ntz('20260308101112.12', 'yyyyMMddHHmmss.SSS')
SELECT date_format(timestamp'2026-03-08 10:11:12.5', 'yyyyMMddHHmmss.SSS'), from_json('{"a":"20260308101112.12"}', 'a TIMESTAMP', map('timestampFormat', 'yyyyMMddHHmmss.SSS')), from_csv('20260308101112.12', 'a TIMESTAMP', map('timestampFormat', 'yyyyMMddHHmmss.SSS')), unix_timestamp('20260308101112.12', 'yyyyMMddHHmmss.SSS')
SELECT try_to_timestamp('1011121', 'HHmmssSSS')
SELECT to_timestamp_ntz('1011121', 'HHmmssSSS')
SELECT try_to_timestamp('5', 'SSS')
SELECT to_timestamp_ntz('5', 'SSS')
SELECT date_format(timestamp'2026-03-08 10:11:12.5', 'SSS'), from_json('{"a":"5"}', 'a TIMESTAMP', map('timestampFormat', 'SSS')), from_csv('5', 'a TIMESTAMP', map('timestampFormat', 'SSS')), unix_timestamp('5', 'SSS')
SELECT try_to_timestamp('1', 'SSSSSSSSS')
SELECT to_timestamp_ntz('1', 'SSSSSSSSS')
SELECT try_to_timestamp('2026-03-08T10:11:12.5S', 'yyyy-MM-dd\'T\'HH:mm:ss.SSS\'S\'')
SELECT to_timestamp_ntz('2026-03-08T10:11:12.5S', 'yyyy-MM-dd\'T\'HH:mm:ss.SSS\'S\'')
SELECT date_format(timestamp'2026-03-08 10:11:12.5', 'yyyy-MM-dd\'T\'HH:mm:ss.SSS\'S\''), from_json('{"a":"2026-03-08T10:11:12.5S"}', 'a TIMESTAMP', map('timestampFormat', 'yyyy-MM-dd\'T\'HH:mm:ss.SSS\'S\'')), from_csv('2026-03-08T10:11:12.5S', 'a TIMESTAMP', map('timestampFormat', 'yyyy-MM-dd\'T\'HH:mm:ss.SSS\'S\'')), unix_timestamp('2026-03-08T10:11:12.5S', 'yyyy-MM-dd\'T\'HH:mm:ss.SSS\'S\'')
SELECT try_to_timestamp('05.1234567', 'ss.SSSSSSSSS')
SELECT to_timestamp_ntz('05.1234567', 'ss.SSSSSSSSS')
SELECT date_format(timestamp'2026-03-08 10:11:12.5', 'ss.SSSSSSSSS'), from_json('{"a":"05.1234567"}', 'a TIMESTAMP', map('timestampFormat', 'ss.SSSSSSSSS')), from_csv('05.1234567', 'a TIMESTAMP', map('timestampFormat', 'ss.SSSSSSSSS')), unix_timestamp('05.1234567', 'ss.SSSSSSSSS')
SELECT try_to_timestamp('101', 'mmSSS')
SELECT to_timestamp_ntz('101', 'mmSSS')
SELECT try_to_timestamp('2026-03-08 10:11:12,7', 'yyyy-MM-dd HH:mm:ss,SSS')
SELECT to_timestamp_ntz('2026-03-08 10:11:12,7', 'yyyy-MM-dd HH:mm:ss,SSS')
SELECT date_format(timestamp'2026-03-08 10:11:12.5', 'yyyy-MM-dd HH:mm:ss,SSS'), from_json('{"a":"2026-03-08 10:11:12,7"}', 'a TIMESTAMP', map('timestampFormat', 'yyyy-MM-dd HH:mm:ss,SSS')), from_csv('2026-03-08 10:11:12;7', 'a TIMESTAMP', map('timestampFormat', 'yyyy-MM-dd HH:mm:ss,SSS')), unix_timestamp('2026-03-08 10:11:12,7', 'yyyy-MM-dd HH:mm:ss,SSS')
SELECT try_to_timestamp('08/03/2026 10:11:12.4', 'dd/MM/yyyy[ HH:mm[:ss[.SSS]]]')
SELECT to_timestamp_ntz('08/03/2026 10:11:12.4', 'dd/MM/yyyy[ HH:mm[:ss[.SSS]]]')
SELECT format_string('%.2s|%5.3s|%-6s|%S', NULL, NULL, NULL, NULL)
SELECT mask('👍🏽 aB1𝐀𝟏'), mask('👍x', 'X', 'x', 'n', '-')
SELECT * FROM (SELECT string(binary(a)) FROM VALUES ('1', '2026-01-01') t(a, s))
SELECT string(binary(a)) FROM VALUES ('1', '2026-01-01') t(a, s)
SELECT * FROM (SELECT string(int(a)) FROM VALUES ('1', '2026-01-01') t(a, s))
SELECT string(int(a)) FROM VALUES ('1', '2026-01-01') t(a, s)
@Australia/Lord_Howe SELECT to_json(named_struct('t', timestamp'1883-11-18 12:00:00')), to_csv(named_struct('t', timestamp'1883-11-18 12:00:00')), date_format(timestamp'1883-11-18 12:00:00', 'XXX x XXXXX'), CAST(timestamp'1883-11-18 12:00:00' AS STRING)
@Asia/Kathmandu SELECT to_json(named_struct('t', timestamp'1883-11-18 12:00:00')), to_csv(named_struct('t', timestamp'1883-11-18 12:00:00')), date_format(timestamp'1883-11-18 12:00:00', 'XXX x XXXXX'), CAST(timestamp'1883-11-18 12:00:00' AS STRING)
@Europe/Amsterdam SELECT to_json(named_struct('t', timestamp'1883-11-18 12:00:00')), to_csv(named_struct('t', timestamp'1883-11-18 12:00:00')), date_format(timestamp'1883-11-18 12:00:00', 'XXX x XXXXX'), CAST(timestamp'1883-11-18 12:00:00' AS STRING)
SELECT from_json('{"a":"2026-01-02T03:04:05+05:30"}', 'a TIMESTAMP_NTZ'), from_csv('2026-01-02T03:04:05+05:30', 'a TIMESTAMP_NTZ'), try_cast('2026-01-02T03:04:05+05:30' AS TIMESTAMP_NTZ), to_timestamp_ntz('2026-01-02T03:04:05+05:30'), variant_get(parse_json('"2026-01-02T03:04:05+05:30"'), '$', 'timestamp_ntz')
SELECT from_json('{"a":"2026-01-02T03:04:05Z"}', 'a TIMESTAMP_NTZ'), from_csv('2026-01-02T03:04:05Z', 'a TIMESTAMP_NTZ'), try_cast('2026-01-02T03:04:05Z' AS TIMESTAMP_NTZ), to_timestamp_ntz('2026-01-02T03:04:05Z'), variant_get(parse_json('"2026-01-02T03:04:05Z"'), '$', 'timestamp_ntz')
SELECT from_json('{"a":"2026-01-02 03:04:05 Europe/Berlin"}', 'a TIMESTAMP_NTZ'), from_csv('2026-01-02 03:04:05 Europe/Berlin', 'a TIMESTAMP_NTZ'), try_cast('2026-01-02 03:04:05 Europe/Berlin' AS TIMESTAMP_NTZ), to_timestamp_ntz('2026-01-02 03:04:05 Europe/Berlin'), variant_get(parse_json('"2026-01-02 03:04:05 Europe/Berlin"'), '$', 'timestamp_ntz')

-- found by fresh queries: third
SELECT from_json('{"a":[1,2]}', 'a ARRAY<ARRAY<INT>>')
SELECT from_json('{"a":["x",1]}', 'a ARRAY<ARRAY<INT>>')
SELECT from_json('{"a":{"k":"x"}}', 'MAP<STRING, ARRAY<INT>>')
SELECT from_json('{"a":[null,1]}', 'a ARRAY<STRUCT<b: INT>>')
SELECT from_json('{"a":""}', 'MAP<STRING, ARRAY<INT>>')
SELECT from_json('{"a":[[1],["x"]]}', 'a ARRAY<ARRAY<INT>>')
SELECT from_json('{"a":["x",1]}', 'MAP<STRING, ARRAY<INT>>')
SELECT from_json('{"a":[null,1]}', 'a ARRAY<ARRAY<INT>>')
SELECT from_json('[{"a":1},2]', 'a VARIANT, _corrupt_record STRING')
SELECT from_json('{"a":"2026-01-02T03:04:05.678+05:30"}', 'a TIMESTAMP_NTZ')
SELECT from_json('{"a":[{"b":"x"},{"b":1}]}', 'a ARRAY<INT>')
SELECT from_json('{"a":{"k":"x"}}', 'a MAP<STRING, INT>')
SELECT from_json('[{"a":1},2]', 'ARRAY<STRUCT<a: INT>>')
SELECT from_json('{"a":"2026-01-02"}', 'MAP<STRING, ARRAY<INT>>')
SELECT from_json('{"a":["x",1]}', 'a ARRAY<STRUCT<b: INT>>')
SELECT from_json('{"a":"NaN"}', 'MAP<STRING, ARRAY<INT>>')
SELECT from_json('{"a":"\\ud83d"}', 'MAP<STRING, ARRAY<INT>>')
SELECT from_json('{"a":[{"b":"x"},{"b":1}]}', 'a ARRAY<ARRAY<INT>>')
SELECT from_json('{"a":[[1],["x"]]}', 'MAP<STRING, ARRAY<INT>>')
SELECT from_json('{"a":true}', 'MAP<STRING, ARRAY<INT>>')
SELECT from_json('{"a":1767225600}', 'MAP<STRING, ARRAY<INT>>')
SELECT from_json('[{"a":"x"},{"a":1}]', 'a VARIANT, _corrupt_record STRING')
!SELECT from_json('null', 'a INT, _corrupt_record STRING', map('mode', 'FAILFAST'))
!SELECT from_json('null', 'a INT, bad STRING', map('mode', 'FAILFAST', 'columnNameOfCorruptRecord', 'bad'))
SELECT from_json('null', 'a INT, _corrupt_record STRING', map('mode', 'PERMISSIVE'))
SELECT from_json('null', 'a INT, bad STRING', map('mode', 'PERMISSIVE', 'columnNameOfCorruptRecord', 'bad'))
SELECT from_json('[]', 'a INT, _corrupt_record STRING', map('mode', 'PERMISSIVE'))
SELECT from_json('{"a":"x"}', 'a INT, _corrupt_record STRING', map('mode', 'PERMISSIVE'))
SELECT from_json('12', 'a INT, _corrupt_record STRING', map('mode', 'PERMISSIVE'))
SELECT from_json('{bad', 'a INT, _corrupt_record STRING', map('mode', 'PERMISSIVE'))
SELECT from_json('{"a":[1]}', 'a INT, _corrupt_record STRING', map('mode', 'PERMISSIVE'))
SELECT max_by(s, n), min_by(s, n), max_by(n, s) FROM (VALUES (1, 'a', 10, date'2026-01-01'), (1, 'b', 20, date'2026-02-01'), (2, 'a', 30, NULL), (2, NULL, 40, date'2026-03-01'), (NULL, 'c', NULL, date'2026-01-01')) t(k, s, n, d) GROUP BY k
SELECT try_avg(a), try_sum(a) FROM VALUES (CAST('99999999999999999999.999999999999999999' AS DECIMAL(38,18))), (CAST('99999999999999999999.999999999999999999' AS DECIMAL(38,18))) t(a)
SELECT CAST(a AS DOUBLE) FROM VALUES (CAST('99999999999999999999.999999999999999999' AS DECIMAL(38,18))) t(a)
SELECT try_avg(a), try_sum(a) FROM VALUES (CAST('99999999999999999999999999999999999999' AS DECIMAL(38,0))), (CAST('99999999999999999999999999999999999999' AS DECIMAL(38,0))) t(a)
SELECT CAST(a AS DOUBLE) FROM VALUES (CAST('99999999999999999999999999999999999999' AS DECIMAL(38,0))) t(a)
SELECT CAST(i AS STRING) FROM VALUES (INTERVAL '1' SECOND) t(i)
SELECT CAST(i AS BIGINT) FROM VALUES (INTERVAL '1' SECOND) t(i)
SELECT CAST(i AS INT) FROM VALUES (INTERVAL '1' SECOND) t(i)
SELECT CAST(i AS STRING) FROM VALUES (INTERVAL '1-2' YEAR TO MONTH) t(i)
SELECT CAST(i AS BIGINT) FROM VALUES (INTERVAL '1-2' YEAR TO MONTH) t(i)
SELECT CAST(i AS INT) FROM VALUES (INTERVAL '1-2' YEAR TO MONTH) t(i)
SELECT CAST(i AS STRING) FROM VALUES (INTERVAL '1 02:03:04.5' DAY TO SECOND) t(i)
SELECT CAST(i AS BIGINT) FROM VALUES (INTERVAL '1 02:03:04.5' DAY TO SECOND) t(i)
SELECT CAST(i AS INT) FROM VALUES (INTERVAL '1 02:03:04.5' DAY TO SECOND) t(i)
SELECT CAST(i AS STRING) FROM VALUES (INTERVAL '-1' DAY) t(i)
SELECT CAST(i AS BIGINT) FROM VALUES (INTERVAL '-1' DAY) t(i)
SELECT CAST(i AS INT) FROM VALUES (INTERVAL '-1' DAY) t(i)
SELECT CAST(i AS STRING) FROM VALUES (INTERVAL 3 MONTHS) t(i)
SELECT CAST(i AS BIGINT) FROM VALUES (INTERVAL 3 MONTHS) t(i)
SELECT CAST(i AS INT) FROM VALUES (INTERVAL 3 MONTHS) t(i)
@America/Sao_Paulo SELECT t, CAST(t AS DATE) FROM VALUES (timestamp'2026-11-01 01:30:00'), (timestamp'2000-02-29 00:00:00'), (timestamp'1883-11-18 12:00:00'), (timestamp'1969-12-31 23:59:59.5'), (timestamp'2026-03-08 02:30:00'), (timestamp'2011-12-29 23:59:59'), (timestamp'2026-03-29 02:30:00') v(t)
@Asia/Kolkata SELECT t, CAST(t AS STRING) FROM VALUES (timestamp'2026-03-08 02:30:00'), (timestamp'2026-03-08 01:59:59.999999'), (timestamp'1900-01-01 00:00:00'), (timestamp'2011-12-29 23:59:59'), (timestamp'2024-02-29 12:34:56.789012'), (timestamp'2000-02-29 00:00:00'), (timestamp'2026-03-29 02:30:00') v(t)
@America/St_Johns SELECT t, CAST(t AS TIMESTAMP_NTZ) FROM VALUES (timestamp'2026-10-25 02:30:00'), (timestamp'2026-01-31 10:00:00'), (timestamp'2018-11-04 00:00:00'), (timestamp'2026-04-05 01:45:00'), (timestamp'2024-02-29 12:34:56.789012'), (timestamp'2026-11-01 01:30:00'), (timestamp'2026-03-08 01:59:59.999999') v(t)
@Australia/Lord_Howe SELECT t, to_json(named_struct('t', t)) FROM VALUES (timestamp'2026-03-08 02:30:00'), (timestamp'2026-04-05 01:45:00'), (timestamp'2011-12-29 23:59:59'), (timestamp'2011-12-30 12:00:00'), (timestamp'1883-11-18 12:00:00'), (timestamp'2026-10-25 02:30:00'), (timestamp'2018-11-04 00:00:00') v(t)
@Asia/Kathmandu SELECT t, from_json(to_json(named_struct('t', t)), 't TIMESTAMP').t FROM VALUES (timestamp'2011-12-29 23:59:59'), (timestamp'2011-12-30 12:00:00'), (timestamp'2026-01-31 10:00:00'), (timestamp'2026-12-31 23:59:59.999999'), (timestamp'2026-03-08 01:59:59.999999'), (timestamp'1883-11-18 12:00:00'), (timestamp'2000-02-29 00:00:00') v(t)
!@America/New_York SELECT unix_micros(t) AS x FROM VALUES (timestamp_ntz'2026-04-05 01:45:00'), (timestamp_ntz'2024-02-29 12:34:56.789012') v(t)
@Europe/Berlin SELECT from_unixtime(unix_timestamp(t), 'yyyy-MM-dd HH:mm:ss') AS x FROM VALUES (timestamp_ntz'2011-12-29 23:59:59'), (timestamp_ntz'2026-12-31 23:59:59.999999') v(t)
SELECT s, try_to_timestamp(s, 'yyyy-MM-dd HH:mm:ss[.SSS]'), try_to_date(s, 'yyyy-MM-dd HH:mm:ss[.SSS]') FROM VALUES ('20260230'), (' 2026/03/08'), ('03/08/2026 10:11:12'), ('2026/13/08'), ('2026/3/8'), (''), ('2026-03-08 10:11:12.5'), ('08.03.2026'), ('Mar 8, 2026') v(s)
SELECT 123456789.123456789BD - 1.005BD
SELECT round(0BD, 5), bround(0BD, 2), ceil(0BD), floor(0BD), abs(0BD), -0BD, sign(0BD), CAST(0BD AS DOUBLE), CAST(0BD AS STRING)
SELECT round(1e10BD, 0), bround(1e10BD, -1), ceil(1e10BD), floor(1e10BD), abs(1e10BD), -1e10BD, sign(1e10BD), CAST(1e10BD AS DOUBLE), CAST(1e10BD AS STRING)
SELECT s, mask(s), mask(s, 'X', 'x', 'n', '-') FROM VALUES ('a\nb'), ('Σίσυφος ΟΔΟΣ'), ('%_\\%'), ('AbC123'), ('日本語テキスト'), (NULL), ('👍🏽 ok'), ('a,b,,c,') v(s)
SELECT s, mask(s), mask(s, 'X', 'x', 'n', '-') FROM VALUES ('%_\\%'), ('İstanbul'), (''), ('äöü ÄÖÜ ß'), ('tab\there'), ('The Quick brown-fox'), (NULL), ('ǅ ﬁ') v(s)
SELECT s, string(binary(s)), CAST(s AS BINARY), substr(CAST(s AS BINARY), 2, 2), length(CAST(s AS BINARY)) FROM VALUES ('%_\\%'), ('日本語テキスト'), ('x\u0000y'), ('ǅ ﬁ'), ('a,b,,c,'), ('a\nb'), ('abc'), ('e\u0301clair') v(s)
SELECT s, string(binary(s)), CAST(s AS BINARY), substr(CAST(s AS BINARY), 2, 2), length(CAST(s AS BINARY)) FROM VALUES ('a,b,,c,'), (NULL), ('The Quick brown-fox'), ('AbC123'), ('e\u0301clair'), ('äöü ÄÖÜ ß'), ('日本語テキスト'), ('abc') v(s)
SELECT s, format_string('%s|%5s|%-5s|%.2s', s, s, s, s) FROM VALUES ('AbC123'), ('abc'), ('äöü ÄÖÜ ß'), ('The Quick brown-fox'), ('a\nb'), ('tab\there'), ('x\u0000y'), (NULL) v(s)
SELECT s, format_string('%s|%5s|%-5s|%.2s', s, s, s, s) FROM VALUES ('  a b  '), ('Σίσυφος ΟΔΟΣ'), ('tab\there'), ('The Quick brown-fox'), ('x\u0000y'), ('İstanbul'), ('👍🏽 ok'), ('ǅ ﬁ') v(s)
SELECT try_cast(s AS DOUBLE) AS x, count(*) FROM VALUES ('2026-3-8'), ('2026-03-08 10:11:12'), ('abc'), ('1d'), ('1 day'), ('-0'), ('1_000'), ('  '), ('1.5'), ('0x10'), ('10:11:12'), ('12345678901234567890.5') v(s) GROUP BY 1
SELECT k, s, n, max_by(s, n) OVER (PARTITION BY k ORDER BY n NULLS LAST ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS w FROM (VALUES (1, 'a', 10, 1.5BD), (1, 'b', NULL, 2.5BD), (2, 'a', 30, NULL), (2, NULL, 40, 4.5BD), (3, 'c', 50, 5.5BD), (NULL, 'c', 60, 6.5BD), (NULL, NULL, NULL, NULL), (1, 'a', 10, 1.5BD)) t(k, s, n, d)
SELECT k, s, n, max_by(s, n) OVER (PARTITION BY k ORDER BY n RANGE BETWEEN 10 PRECEDING AND CURRENT ROW) AS w FROM (VALUES (1, 'a', 10, 1.5BD), (1, 'b', NULL, 2.5BD), (2, 'a', 30, NULL), (2, NULL, 40, 4.5BD), (3, 'c', 50, 5.5BD), (NULL, 'c', 60, 6.5BD), (NULL, NULL, NULL, NULL), (1, 'a', 10, 1.5BD)) t(k, s, n, d)
SELECT k, s, n, max_by(s, n) OVER (PARTITION BY k ORDER BY n DESC NULLS FIRST ROWS 2 PRECEDING) AS w FROM (VALUES (1, 'a', 10, 1.5BD), (1, 'b', NULL, 2.5BD), (2, 'a', 30, NULL), (2, NULL, 40, 4.5BD), (3, 'c', 50, 5.5BD), (NULL, 'c', 60, 6.5BD), (NULL, NULL, NULL, NULL), (1, 'a', 10, 1.5BD)) t(k, s, n, d)
!SELECT k, s, corr(n, d) AS x FROM (VALUES (1, 'a', 10, 1.5BD), (1, 'b', NULL, 2.5BD), (2, 'a', 30, NULL), (2, NULL, 40, 4.5BD), (3, 'c', 50, 5.5BD), (NULL, 'c', 60, 6.5BD), (NULL, NULL, NULL, NULL), (1, 'a', 10, 1.5BD)) t(k, s, n, d) GROUP BY k, s
!SELECT k, s, corr(n, d) AS x FROM (VALUES (1, 'a', 10, 1.5BD), (1, 'b', NULL, 2.5BD), (2, 'a', 30, NULL), (2, NULL, 40, 4.5BD), (3, 'c', 50, 5.5BD), (NULL, 'c', 60, 6.5BD), (NULL, NULL, NULL, NULL), (1, 'a', 10, 1.5BD)) t(k, s, n, d) GROUP BY GROUPING SETS ((k), (s), ())
!SELECT k, s, corr(n, d) AS x FROM (VALUES (1, 'a', 10, 1.5BD), (1, 'b', NULL, 2.5BD), (2, 'a', 30, NULL), (2, NULL, 40, 4.5BD), (3, 'c', 50, 5.5BD), (NULL, 'c', 60, 6.5BD), (NULL, NULL, NULL, NULL), (1, 'a', 10, 1.5BD)) t(k, s, n, d) GROUP BY GROUPING SETS ((k, s), (k))
!SELECT k, s, corr(n, d) AS x FROM (VALUES (1, 'a', 10, 1.5BD), (1, 'b', NULL, 2.5BD), (2, 'a', 30, NULL), (2, NULL, 40, 4.5BD), (3, 'c', 50, 5.5BD), (NULL, 'c', 60, 6.5BD), (NULL, NULL, NULL, NULL), (1, 'a', 10, 1.5BD)) t(k, s, n, d) GROUP BY k, ROLLUP(s)

-- theta sketches
SELECT hex(theta_sketch_agg(a)), theta_sketch_estimate(theta_sketch_agg(a)) FROM VALUES (1), (2), (3), (2) t(a)
SELECT hex(theta_sketch_agg(a)) FROM VALUES (1) t(a)
SELECT hex(theta_sketch_agg(a)), hex(theta_sketch_agg(CAST(a AS BIGINT))) FROM VALUES (5), (7) t(a)
SELECT hex(theta_sketch_agg(a)) FROM VALUES (1.5D), (-0.0D), (0.0D), (double('NaN')), (double('inf')) t(a)
SELECT hex(theta_sketch_agg(a)) FROM VALUES (float('1.5')), (float('-0.0')), (float('NaN')), (float('0.1')) t(a)
SELECT hex(theta_sketch_agg(a)) FROM VALUES ('a'), (''), ('é'), (NULL) t(a)
SELECT hex(theta_sketch_agg(a)) FROM VALUES (X'61'), (X''), (X'C3A9'), (NULL) t(a)
SELECT hex(theta_sketch_agg(a)) FROM VALUES (array(1, 2)), (array(3)), (array()), (NULL), (array(1, 2, 3, 4, 5)) t(a)
SELECT hex(theta_sketch_agg(a)) FROM VALUES (array(1L, 2L)), (array(3L)), (NULL), (array(1L, 2L, 3L, 4L, 5L)) t(a)
SELECT hex(theta_sketch_agg(a)) FROM VALUES (array(1, NULL)) t(a)
SELECT hex(theta_sketch_agg(a)) FROM VALUES (array(1L, NULL)) t(a)
!SELECT hex(theta_sketch_agg(a)) FROM VALUES (array('a')) t(a)
!SELECT hex(theta_sketch_agg(array()))
!SELECT hex(theta_sketch_agg(a)) FROM VALUES (array(1.5D)) t(a)
SELECT hex(theta_sketch_agg(a)) FROM VALUES (CAST(NULL AS INT)) t(a)
!SELECT hex(theta_sketch_agg(a)) FROM VALUES (CAST(1 AS TINYINT)) t(a)
!SELECT hex(theta_sketch_agg(a)) FROM VALUES (CAST(1 AS SMALLINT)) t(a)
!SELECT hex(theta_sketch_agg(a)) FROM VALUES (1.5) t(a)
!SELECT hex(theta_sketch_agg(a)) FROM VALUES (true) t(a)
!SELECT hex(theta_sketch_agg(a)) FROM VALUES (date'2020-01-01') t(a)
SELECT hex(theta_sketch_agg(NULL))
!SELECT hex(theta_sketch_agg(a, 3)) FROM VALUES (1) t(a)
!SELECT hex(theta_sketch_agg(a, 27)) FROM VALUES (1) t(a)
!SELECT hex(theta_sketch_agg(a, 4L)) FROM VALUES (1) t(a)
!SELECT hex(theta_sketch_agg(a, '4')) FROM VALUES (1) t(a)
!SELECT hex(theta_sketch_agg(a, NULL)) FROM VALUES (1) t(a)
!SELECT hex(theta_sketch_agg(a, a)) FROM VALUES (5) t(a)
SELECT hex(theta_sketch_agg(a, 2 + 2)) FROM VALUES (1) t(a)
SELECT hex(theta_sketch_agg(a)) FROM (SELECT 1 AS a WHERE false)
SELECT hex(theta_sketch_agg(DISTINCT a)), hex(theta_sketch_agg(a) FILTER (WHERE a > 1)) FROM VALUES (1), (2), (2) t(a)
SELECT hex(theta_sketch_agg(id, 4)), theta_sketch_estimate(theta_sketch_agg(id, 4)) FROM range(0, 16, 1, 1)
SELECT hex(theta_sketch_agg(id, 4)), theta_sketch_estimate(theta_sketch_agg(id, 4)) FROM range(0, 17, 1, 1)
SELECT hex(theta_sketch_agg(id, 4)), theta_sketch_estimate(theta_sketch_agg(id, 4)) FROM range(0, 30, 1, 1)
SELECT hex(theta_sketch_agg(id, 4)), theta_sketch_estimate(theta_sketch_agg(id, 4)) FROM range(0, 1000, 1, 1)
SELECT hex(theta_sketch_agg(id, 4)), theta_sketch_estimate(theta_sketch_agg(id, 4)) FROM range(0, 1000, 1, 2)
SELECT hex(theta_sketch_agg(id, 5)), theta_sketch_estimate(theta_sketch_agg(id, 5)) FROM range(0, 33, 1, 1)
SELECT hex(theta_sketch_agg(id, 5)), theta_sketch_estimate(theta_sketch_agg(id, 5)) FROM range(0, 1000, 1, 1)
SELECT hex(theta_sketch_agg(id, 5)), theta_sketch_estimate(theta_sketch_agg(id, 5)) FROM range(0, 1000, 1, 2)
SELECT md5(theta_sketch_agg(id)), theta_sketch_estimate(theta_sketch_agg(id)) FROM range(0, 100000, 1, 1)
SELECT md5(theta_sketch_agg(id)), theta_sketch_estimate(theta_sketch_agg(id)) FROM range(0, 100000, 1, 2)
SELECT md5(theta_sketch_agg(id, 26)), theta_sketch_estimate(theta_sketch_agg(id, 26)) FROM range(0, 10000, 1, 2)
SELECT theta_sketch_estimate(NULL)
!SELECT theta_sketch_estimate(X'')
!SELECT theta_sketch_estimate(X'01')
!SELECT theta_sketch_estimate('abc')
!SELECT theta_sketch_estimate(1)
!SELECT theta_sketch_estimate(X'0201070403040008')
!SELECT theta_sketch_estimate(hll_sketch_agg(a)) FROM VALUES (1) t(a)
!SELECT hll_sketch_estimate(theta_sketch_agg(a)) FROM VALUES (1) t(a)
SELECT hex(theta_union(s, t)), hex(theta_intersection(s, t)), hex(theta_difference(s, t)), hex(theta_difference(t, s)) FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5)), (SELECT theta_sketch_agg(id) t FROM range(3, 7))
SELECT hex(theta_union(s, t)), hex(theta_intersection(s, t)), hex(theta_difference(s, t)), hex(theta_difference(t, s)) FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5)), (SELECT theta_sketch_agg(id) t FROM range(5, 7))
SELECT hex(theta_union(s, s)), hex(theta_intersection(s, s)), hex(theta_difference(s, s)) FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5))
SELECT hex(theta_union(s, t)), hex(theta_intersection(s, t)), hex(theta_difference(s, t)), hex(theta_difference(t, s)) FROM (SELECT theta_sketch_agg(id, 5) s FROM range(0, 500, 1, 2)), (SELECT theta_sketch_agg(id, 5) t FROM range(300, 700, 1, 2))
!SELECT hex(theta_union(s, t, 4)), hex(theta_intersection(s, t, 4)), hex(theta_difference(s, t, 4)), hex(theta_difference(t, s, 4)) FROM (SELECT theta_sketch_agg(id, 4) s FROM range(0, 500, 1, 2)), (SELECT theta_sketch_agg(id, 5) t FROM range(300, 700, 1, 2))
SELECT hex(theta_union(s, t)), hex(theta_intersection(s, t)), hex(theta_difference(s, t)), hex(theta_difference(t, s)) FROM (SELECT theta_sketch_agg(id, 5) s FROM range(0, 500, 1, 2)), (SELECT theta_sketch_agg(id, 5) t FROM range(0, 0, 1, 2))
SELECT hex(theta_intersection(s, t)), hex(theta_difference(s, t)), theta_sketch_estimate(theta_intersection(s, t)), theta_sketch_estimate(theta_difference(s, t)) FROM (SELECT theta_sketch_agg(id, 5) s FROM range(0, 500, 1, 2)), (SELECT theta_sketch_agg(id, 5) t FROM range(1000, 2000, 1, 2))
SELECT theta_union(s, NULL), theta_union(NULL, s), theta_union(s, s, NULL), theta_intersection(NULL, s), theta_difference(s, NULL) FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5))
!SELECT theta_union(s, s, 3) FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5))
!SELECT theta_intersection(s, s, 27) FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5))
!SELECT theta_difference(s, s, 0) FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5))
!SELECT theta_union(s, s, 5L) FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5))
SELECT hex(theta_union(s, s, n)) FROM (SELECT theta_sketch_agg(id) s, max(CAST(id AS INT)) n FROM range(0, 6))
!SELECT theta_union(s, X'0102') FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5))
!SELECT theta_union('a', s) FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5))
!SELECT theta_intersection(s, X'') FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5))
SELECT hex(theta_union_agg(s)), hex(theta_intersection_agg(s)) FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5) UNION ALL SELECT theta_sketch_agg(id) FROM range(3, 7))
!SELECT hex(theta_union_agg(s, 5)), hex(theta_intersection_agg(s, 5)) FROM (SELECT theta_sketch_agg(id, 6) s FROM range(0, 500) UNION ALL SELECT theta_sketch_agg(id, 5) FROM range(200, 700))
!SELECT hex(theta_union_agg(s, 4)), hex(theta_intersection_agg(s, 4)) FROM (SELECT theta_sketch_agg(id, 6) s FROM range(0, 500) UNION ALL SELECT theta_sketch_agg(id, 5) FROM range(200, 700))
SELECT hex(theta_union_agg(s)) FROM (SELECT CAST(NULL AS BINARY) s)
!SELECT hex(theta_intersection_agg(s)) FROM (SELECT CAST(NULL AS BINARY) s)
!SELECT hex(theta_intersection_agg(s)) FROM (SELECT CAST(NULL AS BINARY) s WHERE false)
SELECT hex(theta_union_agg(s)) FROM (SELECT CAST(NULL AS BINARY) s WHERE false)
SELECT g, hex(theta_union_agg(s)), hex(theta_intersection_agg(s)) FROM (SELECT id % 2 g, theta_sketch_agg(id DIV 4) s FROM range(0, 20) GROUP BY id % 2, id % 3) GROUP BY g
!SELECT theta_union_agg('a')
!SELECT theta_union_agg(X'01')
!SELECT theta_intersection_agg(X'01')
!SELECT theta_union_agg(s, 3) FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5))
!SELECT theta_intersection_agg(s, 27) FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5))
!SELECT theta_union_agg(s, NULL) FROM (SELECT theta_sketch_agg(id) s FROM range(0, 5))
!SELECT theta_union_agg(s, n) FROM (SELECT theta_sketch_agg(id) s, max(CAST(id AS INT)) n FROM range(0, 6))
SELECT typeof(theta_sketch_agg(a)), typeof(theta_union_agg(NULL)), typeof(theta_sketch_estimate(NULL)), typeof(theta_union(NULL, NULL)) FROM VALUES (1) t(a)
SELECT a, hex(theta_sketch_agg(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)) FROM VALUES (1), (2), (3) t(a)
SELECT theta_sketch_estimate(theta_sketch_agg(s, 12)), hex(theta_sketch_agg(s, 5)) FROM (SELECT concat('k', id) s FROM range(0, 5000, 1, 2))
!SELECT theta_sketch_estimate(X'0103FF00001E0000')
!SELECT theta_sketch_estimate(X'0103000000001E00')
!SELECT theta_sketch_estimate(X'0103010000001E00')
!SELECT theta_sketch_estimate(X'01030300003ACC9315F97DCBBD86A1')
!SELECT theta_sketch_estimate(X'01070300003ACC9315F97DCBBD86A105')
!SELECT theta_sketch_estimate(X'0104033D011ACC93022D0C35EE5BEFC8AE3EFA70D1DF')
SELECT hex(theta_union_agg(s, 5)), hex(theta_intersection_agg(s)) FROM (SELECT theta_sketch_agg(id, 6) s FROM range(0, 500) UNION ALL SELECT theta_sketch_agg(id, 5) FROM range(200, 700))
SELECT hex(theta_union(s, t, 4)), hex(theta_intersection(s, t)), hex(theta_difference(s, t)), hex(theta_difference(t, s)) FROM (SELECT theta_sketch_agg(id, 4) s FROM range(0, 500, 1, 2)), (SELECT theta_sketch_agg(id, 5) t FROM range(300, 700, 1, 2))
SELECT hex(theta_intersection_agg(s)), hex(theta_union_agg(s)) FROM (SELECT theta_sketch_agg(id) s FROM range(0, 0) UNION ALL SELECT theta_sketch_agg(id) FROM range(0, 5))
!SELECT theta_union_agg(hll_sketch_agg) FROM (SELECT hll_sketch_agg(1) hll_sketch_agg)
!SELECT theta_intersection_agg(s) FROM (SELECT hll_sketch_agg(1) s)
!SELECT theta_union(s, s) FROM (SELECT hll_sketch_agg(1) s)
SELECT theta_sketch_estimate(theta_union(s, t, 8)), theta_sketch_estimate(theta_intersection(s, t)), theta_sketch_estimate(theta_difference(s, t)) FROM (SELECT theta_sketch_agg(id, 10) s FROM range(0, 50000)), (SELECT theta_sketch_agg(id, 9) t FROM range(30000, 70000))

-- computed constants
SELECT nth_value(x, 1 + 1) OVER (ORDER BY x ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM VALUES (1), (2), (3) t(x)
SELECT ntile(1 + 1) OVER (ORDER BY x) FROM VALUES (1), (2), (3) t(x)
SELECT lag(x, 1 + 1) OVER (ORDER BY x), lead(x, 2 - 1, 5 * 2) OVER (ORDER BY x) FROM VALUES (1), (2), (3) t(x)
!SELECT percentile(x, 0.25 + 0.25), percentile(x, array(0.5 / 2, 1 - 0.25)) FROM VALUES (1), (2), (3) t(x)
SELECT percentile(x, 0.25D + 0.25D), median(x) FROM VALUES (1), (2), (3) t(x)
SELECT percentile_approx(x, 0.25 + 0.25, 10 * 10) FROM VALUES (1), (2), (3) t(x)
!SELECT approx_count_distinct(x, 0.01D * 5) FROM VALUES (1), (2), (3) t(x)
SELECT histogram_numeric(x, 1 + 4) FROM VALUES (1), (2), (3) t(x)
SELECT hex(count_min_sketch(x, 0.25D * 2, 0.25D + 0.25D, 1 + 0)) FROM VALUES (1), (2), (1) t(x)
SELECT stack(1 + 1, 1, 2, 3, 4)
SELECT x FROM VALUES (1), (2), (3) t(x) ORDER BY x LIMIT 1 + 1
SELECT x FROM VALUES (1), (2), (3) t(x) ORDER BY x LIMIT length('ab') OFFSET 2 - 1
SELECT rand(1 + 1) = rand(2), randn(2 * 3) = randn(6), length(randstr(2 + 3, 1 + 1)), uniform(1 + 1, 2 * 5, 3 + 4) BETWEEN 2 AND 10
!SELECT size(shuffle(array(1, 2), 1 + 1)), length(uuid(1 + 1))
!SELECT first_value(x, 1 = 1) OVER (ORDER BY x), last(x, NOT false) FROM VALUES (NULL), (2) t(x) GROUP BY x
!SELECT first(x, 1 = 1), any_value(x, true OR false), last_value(x, NOT false) FROM VALUES (NULL), (2) t(x)
SELECT mode(x, 1 = 1) FROM VALUES (3), (2) t(x)
!SELECT window(ts, concat('10 ', 'minutes')).start FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
!SELECT window(ts, INTERVAL '5' MINUTE + INTERVAL '5' MINUTE).start FROM VALUES (timestamp'2026-01-01 00:07:00') t(ts)
SELECT from_json('{"a":1}', concat('a ', 'INT')), from_csv('1', 'a ' || 'INT')
SELECT schema_of_json(concat('{"a":', '1}')), schema_of_csv(concat('1', ',2'))
SELECT variant_get(parse_json('{"a":1}'), '$.a', concat('in', 't'))
SELECT sum(x) OVER (ORDER BY x ROWS BETWEEN 1 + 0 PRECEDING AND 2 - 1 FOLLOWING) FROM VALUES (1), (2), (3) t(x)
SELECT sum(x) OVER (ORDER BY x RANGE BETWEEN 0.5 + 0.5 PRECEDING AND CURRENT ROW) FROM VALUES (1), (2), (3) t(x)
SELECT * FROM range(1 + 1, 2 * 3, 1 + 1)
!SELECT count(*) FROM (SELECT * FROM range(100)) TABLESAMPLE (50 + 50 PERCENT)
SELECT listagg(x, concat(',', ' ')) FROM VALUES ('a'), ('b') t(x)
SELECT split_part('a,b', ',', 1 + 1), substring_index('a.b.c', '.', 1 + 1), date_trunc(concat('ye', 'ar'), timestamp'2026-05-05 00:00:00'), trunc(date'2026-05-05', 'm' || 'm'), sha2('a', 128 * 2) = sha2('a', 256)
SELECT make_decimal, 1 FROM VALUES (1) t(make_decimal)
SELECT json_tuple('{"a":1}', concat('a', ''))
SELECT get_json_object('{"a":1}', concat('$.', 'a')), xpath_string IS NULL FROM VALUES (1) t(xpath_string)
SELECT extract(year FROM date'2026-01-01'), date_part(concat('YE', 'AR'), date'2026-01-01')
SELECT date_part('YE' || 'AR', date'2026-01-01')
SELECT time_bucket(INTERVAL '1' HOUR * 2, timestamp'2026-01-01 03:00:00'), time_bucket(INTERVAL '4' HOUR / 2, timestamp'2026-01-01 03:00:00')
SELECT bit_get(5, 1 + 1), shiftleft(1, 1 + 1), element_at(array(1, 2), 2 - 1), conv('11', 1 + 1, 5 * 2), lpad('a', 1 + 1), repeat('a', 1 + 2)
-- months and days over a change of clocks
@Europe/Berlin SELECT timestamp'2026-10-25 02:30:00' + INTERVAL -2 MONTHS AS b, timestamp'2026-10-25 02:30:00' + INTERVAL -2 MONTHS + INTERVAL 2 MONTHS AS c, timestamp'2026-10-25 02:30:00' + INTERVAL 2 MONTHS - INTERVAL 2 MONTHS AS d
@Europe/Berlin SELECT sequence(timestamp'2026-10-23 02:30:00', timestamp'2026-10-27 02:30:00', INTERVAL 1 DAY), sequence(timestamp'2026-10-27 02:30:00', timestamp'2026-10-23 02:30:00', INTERVAL -1 DAY), sequence(timestamp'2026-10-27 02:30:00', timestamp'2026-10-23 02:30:00', INTERVAL '-1 1' DAY TO HOUR)
@Europe/Berlin SELECT sequence(timestamp'2026-10-25 02:30:00' - INTERVAL 2 MONTH, timestamp'2026-10-25 02:30:00' + INTERVAL 2 MONTH, INTERVAL 1 MONTH), sequence(timestamp'2026-10-25 02:30:00' + INTERVAL 2 MONTH, timestamp'2026-10-25 02:30:00' - INTERVAL 2 MONTH, INTERVAL -1 MONTH)
@Europe/Berlin SELECT convert_timezone('Asia/Tokyo', timestamp_ntz'2026-10-25 02:30:00'), convert_timezone('Asia/Tokyo', timestamp_ntz'2026-03-29 02:30:00'), convert_timezone('Europe/Berlin', 'UTC', timestamp_ntz'2026-10-25 02:30:00'), to_utc_timestamp(timestamp_ntz'2026-10-25 02:30:00', 'Europe/Berlin'), to_utc_timestamp(timestamp_ntz'2026-03-29 02:30:00', 'Europe/Berlin')
@America/New_York SELECT sequence(t, t + INTERVAL 2 DAY, INTERVAL 1 DAY), sequence(t, t + INTERVAL 2 MONTH, INTERVAL 1 MONTH), sequence(t, t + INTERVAL 2 HOUR, INTERVAL 1 HOUR) FROM (VALUES (timestamp'2026-11-01 05:30:00Z'), (timestamp'2026-11-01 06:30:00Z')) t(t)
@America/New_York SELECT timestamp'2026-11-01 01:30:00' + INTERVAL -2 MONTHS AS b, timestamp'2026-11-01 01:30:00' + INTERVAL -2 MONTHS + INTERVAL 2 MONTHS AS c, timestamp'2026-11-01 01:30:00' + INTERVAL 2 MONTHS - INTERVAL 2 MONTHS AS d
@America/New_York SELECT sequence(timestamp'2026-10-30 01:30:00', timestamp'2026-11-03 01:30:00', INTERVAL 1 DAY), sequence(timestamp'2026-11-03 01:30:00', timestamp'2026-10-30 01:30:00', INTERVAL -1 DAY), sequence(timestamp'2026-11-03 01:30:00', timestamp'2026-10-30 01:30:00', INTERVAL '-1 1' DAY TO HOUR)
@America/New_York SELECT sequence(timestamp'2026-11-01 01:30:00' - INTERVAL 2 MONTH, timestamp'2026-11-01 01:30:00' + INTERVAL 2 MONTH, INTERVAL 1 MONTH), sequence(timestamp'2026-11-01 01:30:00' + INTERVAL 2 MONTH, timestamp'2026-11-01 01:30:00' - INTERVAL 2 MONTH, INTERVAL -1 MONTH)
@America/New_York SELECT convert_timezone('Asia/Tokyo', timestamp_ntz'2026-11-01 01:30:00'), convert_timezone('Asia/Tokyo', timestamp_ntz'2026-03-08 02:30:00'), convert_timezone('America/New_York', 'UTC', timestamp_ntz'2026-11-01 01:30:00'), to_utc_timestamp(timestamp_ntz'2026-11-01 01:30:00', 'America/New_York'), to_utc_timestamp(timestamp_ntz'2026-03-08 02:30:00', 'America/New_York')
@Australia/Lord_Howe SELECT timestamp'2026-04-05 01:45:00' + INTERVAL -2 MONTHS AS b, timestamp'2026-04-05 01:45:00' + INTERVAL -2 MONTHS + INTERVAL 2 MONTHS AS c, timestamp'2026-04-05 01:45:00' + INTERVAL 2 MONTHS - INTERVAL 2 MONTHS AS d
@Australia/Lord_Howe SELECT sequence(timestamp'2026-04-03 01:45:00', timestamp'2026-04-07 01:45:00', INTERVAL 1 DAY), sequence(timestamp'2026-04-07 01:45:00', timestamp'2026-04-03 01:45:00', INTERVAL -1 DAY), sequence(timestamp'2026-04-07 01:45:00', timestamp'2026-04-03 01:45:00', INTERVAL '-1 1' DAY TO HOUR)
@Australia/Lord_Howe SELECT sequence(timestamp'2026-04-05 01:45:00' - INTERVAL 2 MONTH, timestamp'2026-04-05 01:45:00' + INTERVAL 2 MONTH, INTERVAL 1 MONTH), sequence(timestamp'2026-04-05 01:45:00' + INTERVAL 2 MONTH, timestamp'2026-04-05 01:45:00' - INTERVAL 2 MONTH, INTERVAL -1 MONTH)
@Australia/Lord_Howe SELECT convert_timezone('Asia/Tokyo', timestamp_ntz'2026-04-05 01:45:00'), convert_timezone('Asia/Tokyo', timestamp_ntz'2026-10-04 02:15:00'), convert_timezone('Australia/Lord_Howe', 'UTC', timestamp_ntz'2026-04-05 01:45:00'), to_utc_timestamp(timestamp_ntz'2026-04-05 01:45:00', 'Australia/Lord_Howe'), to_utc_timestamp(timestamp_ntz'2026-10-04 02:15:00', 'Australia/Lord_Howe')

-- keys to look for in a map
SELECT element_at(map(1, 2), 1L)
SELECT element_at(map(1L, 2), 1)
!SELECT element_at(map(1, 2), '1')
!SELECT element_at(map('1', 2), 1)
!SELECT element_at(map(1, 2), 1.5)
!SELECT element_at(map(1.5, 2), 1)
!SELECT element_at(map(date'2026-01-01', 2), '2026-01-01')
SELECT element_at(map(1, 2), NULL)
SELECT try_element_at(map(1, 2), 1L)
SELECT map_contains_key(map(1, 2), 1L)
!SELECT map_contains_key(map(1, 2), '1')
!SELECT map_contains_key(map('1', 2), 1)
!SELECT map_contains_key(map(1, 2), NULL)
SELECT map(1, 2)[1L]
SELECT map(1, 2)['1']
SELECT map('1', 2)[1]
!SELECT map(1, 2)[true]
!SELECT element_at(map(1, 2), true)

-- keys of nested types
!SELECT map_contains_key(map(1, 2), m) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT element_at(map(1, 2), m) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT map_contains_key(map(1, 2), a) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT element_at(map(1, 2), a) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT map_contains_key(map(1, 2), s) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t
!SELECT element_at(map(1, 2), s) FROM (SELECT map('k', 1) AS m, array(map('k', 1)) AS a, named_struct('x', map('k', 1)) AS s, array(1) AS o, struct(1) AS p, 1 AS k) t

-- kll sketches
SELECT hex(kll_sketch_agg_bigint(a)) FROM VALUES (7) t(a)
SELECT hex(kll_sketch_agg_bigint(a)) FROM VALUES (CAST(NULL AS INT)) t(a)
SELECT hex(kll_sketch_agg_bigint(a)) FROM (SELECT 1 a WHERE false)
SELECT hex(kll_sketch_agg_bigint(a)) FROM VALUES (CAST(1 AS TINYINT)), (CAST(2 AS TINYINT)) t(a)
SELECT hex(kll_sketch_agg_bigint(a)) FROM VALUES (CAST(1 AS SMALLINT)), (CAST(2 AS SMALLINT)) t(a)
!SELECT hex(kll_sketch_agg_bigint(a)) FROM VALUES ('1') t(a)
!SELECT hex(kll_sketch_agg_bigint(a)) FROM VALUES (1.5) t(a)
SELECT hex(kll_sketch_agg_bigint(NULL))
SELECT hex(kll_sketch_agg_bigint(a, 8)) FROM VALUES (1), (2) t(a)
!SELECT hex(kll_sketch_agg_bigint(a, 7)) FROM VALUES (1), (2) t(a)
SELECT hex(kll_sketch_agg_bigint(a, 65535)) FROM VALUES (1), (2) t(a)
!SELECT hex(kll_sketch_agg_bigint(a, 65536)) FROM VALUES (1), (2) t(a)
!SELECT hex(kll_sketch_agg_bigint(a, NULL)) FROM VALUES (1), (2) t(a)
!SELECT hex(kll_sketch_agg_bigint(a, a)) FROM VALUES (10), (20) t(a)
!SELECT hex(kll_sketch_agg_bigint(a, '200')) FROM VALUES (10), (20) t(a)
!SELECT hex(kll_sketch_agg_bigint(a, 200L)) FROM VALUES (10), (20) t(a)
SELECT hex(kll_sketch_agg_float(a)) FROM VALUES (float('1.5')), (float('NaN')), (float('inf')) t(a)
!SELECT hex(kll_sketch_agg_float(a)) FROM VALUES (1) t(a)
!SELECT hex(kll_sketch_agg_float(a)) FROM VALUES (1.5D) t(a)
!SELECT hex(kll_sketch_agg_double(a)) FROM VALUES (1) t(a)
!SELECT hex(kll_sketch_agg_double(a)) FROM VALUES (1.5) t(a)
SELECT kll_sketch_to_string_bigint(kll_sketch_agg_bigint(a)) FROM VALUES (1), (2), (3), (2) t(a)
SELECT kll_sketch_to_string_double(kll_sketch_agg_double(a)) FROM VALUES (1.5D), (2D) t(a)
SELECT kll_sketch_to_string_float(kll_sketch_agg_float(a)) FROM VALUES (float('1.5')) t(a)
SELECT kll_sketch_to_string_bigint(kll_sketch_agg_bigint(id)) FROM range(0, 0)
SELECT kll_sketch_to_string_bigint(kll_sketch_agg_bigint(id)) FROM range(0, 200, 1, 1)
SELECT kll_sketch_to_string_bigint(kll_sketch_agg_bigint(id, 8)) FROM range(0, 1000, 1, 1)
SELECT kll_sketch_to_string_double(kll_sketch_agg_bigint(id, 8)) FROM range(0, 10, 1, 1)
SELECT kll_sketch_to_string_bigint(NULL)
!SELECT kll_sketch_to_string_bigint(X'')
!SELECT kll_sketch_to_string_bigint(X'01')
!SELECT kll_sketch_to_string_bigint('abc')
!SELECT kll_sketch_to_string_bigint(1)
SELECT hex(kll_sketch_agg_bigint(id, 8)) FROM range(0, 8, 1, 1)
SELECT length(kll_sketch_agg_bigint(id, 8)), kll_sketch_get_n_bigint(kll_sketch_agg_bigint(id, 8)) FROM range(0, 1000, 1, 1)
SELECT length(kll_sketch_agg_bigint(id)), kll_sketch_get_n_bigint(kll_sketch_agg_bigint(id)) FROM range(0, 100000, 1, 1)
SELECT kll_sketch_get_n_double(kll_sketch_agg_double(double(id))), kll_sketch_get_n_float(kll_sketch_agg_float(float(id))) FROM range(0, 100)
SELECT kll_sketch_get_n_double(kll_sketch_agg_bigint(id)) FROM range(0, 100)
SELECT kll_sketch_get_n_bigint(NULL), kll_sketch_get_rank_bigint(NULL, 1), kll_sketch_get_quantile_bigint(NULL, 0.5)
!SELECT kll_sketch_get_n_bigint(X'01')
SELECT kll_sketch_get_quantile_bigint(s, 0.0D), kll_sketch_get_quantile_bigint(s, 0.25D), kll_sketch_get_quantile_bigint(s, 0.5), kll_sketch_get_quantile_bigint(s, 1), kll_sketch_get_quantile_bigint(s, array(0.1D, 0.9D)) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(1, 101, 1, 1))
!SELECT kll_sketch_get_quantile_bigint(s, 1.5D) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(1, 101, 1, 1))
!SELECT kll_sketch_get_quantile_bigint(s, -0.5D) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(1, 101, 1, 1))
SELECT kll_sketch_get_quantile_bigint(s, double('NaN')) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(1, 101, 1, 1))
SELECT kll_sketch_get_quantile_bigint(s, NULL) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(1, 101, 1, 1))
SELECT kll_sketch_get_quantile_bigint(s, array(0.5D, NULL)) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(1, 101, 1, 1))
SELECT kll_sketch_get_quantile_bigint(s, array()) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(1, 101, 1, 1))
!SELECT kll_sketch_get_quantile_bigint(s, n) FROM (SELECT kll_sketch_agg_bigint(id) s, max(id) / 200D n FROM range(1, 101, 1, 1))
SELECT kll_sketch_get_quantile_bigint(s, '0.5') FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(1, 101, 1, 1))
!SELECT kll_sketch_get_quantile_bigint(s, 0.5D) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(0, 0, 1, 1))
SELECT kll_sketch_get_quantile_double(s, array(0.1D, 0.5D)), kll_sketch_get_rank_double(s, 2.5D), kll_sketch_get_rank_double(s, array(1D, 3D)) FROM (SELECT kll_sketch_agg_double(double(id)) s FROM range(1, 5, 1, 1))
SELECT kll_sketch_get_quantile_float(s, array(0.1D, 0.5D)), kll_sketch_get_rank_float(s, float('2.5')), kll_sketch_get_rank_float(s, array(float('1'), float('3'))) FROM (SELECT kll_sketch_agg_float(float(id)) s FROM range(1, 5, 1, 1))
SELECT kll_sketch_get_rank_bigint(s, 1.5D) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(1, 101, 1, 1))
SELECT kll_sketch_get_rank_bigint(s, '5') FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(1, 101, 1, 1))
!SELECT kll_sketch_get_rank_bigint(s, 5) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(0, 0, 1, 1))
SELECT kll_sketch_get_rank_double(s, 5) FROM (SELECT kll_sketch_agg_double(double(id)) s FROM range(0, 10, 1, 1))
SELECT typeof(kll_sketch_get_rank_bigint(s, 5)), typeof(kll_sketch_get_quantile_float(s, 0.5D)), typeof(kll_sketch_get_quantile_double(s, array(0.5D))), typeof(kll_sketch_get_rank_bigint(s, array(5L))), typeof(kll_sketch_get_n_float(s)), typeof(kll_sketch_to_string_float(s)) FROM (SELECT CAST(NULL AS BINARY) s)
SELECT kll_sketch_merge_bigint(s, NULL), kll_sketch_merge_bigint(NULL, s) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(0, 3, 1, 1))
!SELECT kll_sketch_merge_bigint(s, X'01') FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(0, 3, 1, 1))
SELECT hex(kll_merge_agg_bigint(s, 100)) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(0, 3, 1, 1) UNION ALL SELECT kll_sketch_agg_bigint(id, 50) FROM range(5, 8, 1, 1))
SELECT hex(kll_merge_agg_bigint(s)) FROM (SELECT CAST(NULL AS BINARY) s)
SELECT hex(kll_merge_agg_bigint(s, 100)) FROM (SELECT CAST(NULL AS BINARY) s)
!SELECT hex(kll_merge_agg_bigint(X'01'))
!SELECT hex(kll_merge_agg_bigint('abc'))
SELECT hex(kll_sketch_agg_bigint(a)) FROM VALUES (1L), (2L), (2L), (3L) t(a)
SELECT hex(kll_sketch_agg_float(a)) FROM VALUES (float('-0.0')), (float('1.5')), (float('2')) t(a)
SELECT hex(kll_sketch_agg_double(a)) FROM VALUES (double('-inf')), (-0.0D), (1.5D), (double('NaN')) t(a)
SELECT hex(kll_sketch_agg_double(a)) FROM VALUES (float('0.1')), (float('1.5')) t(a)
SELECT kll_sketch_get_n_bigint(m), kll_sketch_get_rank_bigint(m, array(0L, 2L, 5L, 6L, 9L)), kll_sketch_get_quantile_bigint(m, array(0D, 0.5D, 0.51D, 1D)) FROM (SELECT kll_sketch_merge_bigint(s, t) m FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(0, 3, 1, 1)), (SELECT kll_sketch_agg_bigint(id, 50) t FROM range(5, 8, 1, 1)))
SELECT kll_sketch_to_string_bigint(kll_sketch_merge_bigint(s, t)) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(0, 3, 1, 1)), (SELECT kll_sketch_agg_bigint(id, 50) t FROM range(5, 8, 1, 1))
SELECT kll_sketch_to_string_bigint(kll_merge_agg_bigint(s)) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(0, 3, 1, 1) UNION ALL SELECT kll_sketch_agg_bigint(id) FROM range(5, 8, 1, 1))
SELECT kll_sketch_to_string_double(kll_merge_agg_double(s)), kll_sketch_to_string_float(kll_merge_agg_float(t)) FROM (SELECT kll_sketch_agg_double(double(id)) s, kll_sketch_agg_float(float(id)) t FROM range(0, 3, 1, 1))
SELECT kll_sketch_get_rank_bigint(s, 50), kll_sketch_get_rank_bigint(s, 0L), kll_sketch_get_rank_bigint(s, 1000), kll_sketch_get_rank_bigint(s, array(1L, 50L)), kll_sketch_get_rank_bigint(s, array(1, 51)) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(1, 101, 1, 1))
SELECT abs(kll_sketch_get_quantile_bigint(s, 0.5D) - 50000) < 4000, abs(kll_sketch_get_rank_bigint(s, 25000) - 0.25D) < 0.04D, kll_sketch_get_quantile_bigint(s, array(0D, 1D)), kll_sketch_get_n_bigint(s) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(0, 100000, 1, 2))
SELECT abs(kll_sketch_get_quantile_double(s, 0.9D) - 0.9D) < 0.04D, abs(kll_sketch_get_rank_double(s, 0.1D) - 0.1D) < 0.04D FROM (SELECT kll_merge_agg_double(s) s FROM (SELECT kll_sketch_agg_double(id / 100000D) s FROM range(0, 100000, 1, 2) GROUP BY id % 7))
SELECT kll_sketch_get_n_bigint(kll_sketch_agg_bigint(DISTINCT a)), kll_sketch_get_n_bigint(kll_sketch_agg_bigint(a) FILTER (WHERE a > 1)) FROM VALUES (1), (2), (2) t(a)
SELECT a, kll_sketch_get_quantile_bigint(kll_sketch_agg_bigint(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), 1D) FROM VALUES (1), (2), (3) t(a)
!SELECT kll_merge_agg_bigint(s, 7) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(0, 3, 1, 1))
!SELECT kll_merge_agg_bigint(s, NULL) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(0, 3, 1, 1))
SELECT kll_sketch_get_rank_bigint(s, array(1L, NULL)) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(0, 3, 1, 1))
!SELECT kll_sketch_get_rank_bigint(s, n) FROM (SELECT kll_sketch_agg_bigint(id) s, max(id) n FROM range(0, 3, 1, 1))
SELECT kll_sketch_get_rank_bigint(s, 2 + 1), kll_sketch_get_quantile_bigint(s, 1D / 2D) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(0, 10, 1, 1))
!SELECT kll_sketch_get_quantile_bigint(s, true) FROM (SELECT kll_sketch_agg_bigint(id) s FROM range(0, 10, 1, 1))
!SELECT kll_sketch_get_rank_double(s, double('NaN')), kll_sketch_get_rank_double(s, double('inf')) FROM (SELECT kll_sketch_agg_double(double(id)) s FROM range(0, 10, 1, 1))
!SELECT kll_sketch_get_n_bigint(hll_sketch_agg(a)) FROM VALUES (1) t(a)
SELECT g, kll_sketch_get_n_bigint(s), kll_sketch_get_quantile_bigint(s, array(0.25D, 0.75D)) FROM (SELECT id % 3 g, kll_sketch_agg_bigint(id) s FROM range(0, 300, 1, 2) GROUP BY id % 3)
SELECT kll_sketch_get_n_double(kll_sketch_merge_double(s, s)), kll_sketch_get_rank_double(kll_sketch_merge_double(s, s), array(0D, 0.5D, 2D)), kll_sketch_to_string_double(kll_sketch_merge_double(s, s)) FROM (SELECT kll_sketch_agg_double(double(id)) s FROM range(0, 3, 1, 1))
SELECT kll_sketch_merge_double(s, NULL), kll_sketch_merge_double(NULL, s) FROM (SELECT kll_sketch_agg_double(double(id)) s FROM range(0, 3, 1, 1))
!SELECT kll_sketch_merge_double(s, X'05') FROM (SELECT kll_sketch_agg_double(double(id)) s FROM range(0, 3, 1, 1))
SELECT kll_sketch_get_n_float(kll_sketch_merge_float(s, s)), kll_sketch_get_rank_float(kll_sketch_merge_float(s, s), array(float('0'), float('0.5'), float('2'))), kll_sketch_to_string_float(kll_sketch_merge_float(s, s)) FROM (SELECT kll_sketch_agg_float(float(id)) s FROM range(0, 3, 1, 1))
SELECT kll_sketch_merge_float(s, NULL), kll_sketch_merge_float(NULL, s) FROM (SELECT kll_sketch_agg_float(float(id)) s FROM range(0, 3, 1, 1))
!SELECT kll_sketch_merge_float(s, X'05') FROM (SELECT kll_sketch_agg_float(float(id)) s FROM range(0, 3, 1, 1))
SELECT kll_sketch_get_n_float(kll_merge_agg_float(s)), kll_sketch_get_quantile_float(kll_merge_agg_float(s), 0.5D) FROM (SELECT kll_sketch_agg_float(float(id)) s FROM range(0, 9, 1, 1) GROUP BY id % 2)
!SELECT kll_merge_agg_float(X'01')
SELECT kll_sketch_get_n_double(kll_merge_agg_double(s, 20)), kll_sketch_get_quantile_double(kll_merge_agg_double(s, 20), 0.5D) FROM (SELECT kll_sketch_agg_double(double(id)) s FROM range(0, 9, 1, 1) GROUP BY id % 2)
!SELECT kll_sketch_get_rank_float(s, 3), kll_sketch_get_rank_float(s, NULL), kll_sketch_get_quantile_float(s, 2D) FROM (SELECT kll_sketch_agg_float(float(id)) s FROM range(0, 9, 1, 1))
SELECT kll_sketch_get_rank_float(s, 3), kll_sketch_get_rank_float(s, NULL), kll_sketch_get_quantile_float(s, 1) FROM (SELECT kll_sketch_agg_float(float(id)) s FROM range(0, 9, 1, 1))

-- avro
SELECT to_avro(1)
SELECT to_avro(CAST(NULL AS INT))
SELECT to_avro(CAST(NULL AS INT), '["null","int"]')
SELECT to_avro(1, '["null","int"]')
SELECT hex(to_avro(c)) FROM VALUES (1),(NULL) AS t(c)
SELECT to_avro('ab')
SELECT to_avro(named_struct('a', 1, 'b', 'x'))
SELECT hex(to_avro(s)) FROM (SELECT named_struct('a', a, 'b', 'x') AS s FROM VALUES (1),(NULL) AS t(a))
SELECT to_avro(1.5BD)
SELECT to_avro(CAST(-1.5 AS DECIMAL(20,3)))
SELECT to_avro(DATE'2020-01-02')
SELECT to_avro(TIMESTAMP'2020-01-02 00:00:00')
SELECT to_avro(TIMESTAMP_NTZ'2020-01-02 00:00:00')
SELECT to_avro(array(1,2))
SELECT to_avro(array(1,NULL))
SELECT to_avro(map('a',1))
SELECT to_avro(1.5D)
SELECT to_avro(CAST(1.5 AS FLOAT))
SELECT to_avro(true)
SELECT to_avro(X'0102')
SELECT to_avro(CAST(3 AS TINYINT))
SELECT to_avro(CAST(3 AS SMALLINT))
SELECT to_avro(3L)
SELECT to_avro(array())
SELECT to_avro(NULL)
SELECT to_avro(named_struct('a', 1), '{"type":"record","name":"r","fields":[{"name":"a","type":"int"}]}')
SELECT to_avro(named_struct('a', 1), '{"type":"record","name":"r","fields":[{"name":"A","type":"int"}]}')
SELECT to_avro(named_struct('a', 1), '{"type":"record","name":"r","fields":[{"name":"a","type":"int"},{"name":"b","type":["null","int"],"default":null}]}')
SELECT to_avro(named_struct('b', 1, 'a', 'x'), '{"type":"record","name":"r","fields":[{"name":"a","type":"string"},{"name":"b","type":["int","null"]}]}')
SELECT to_avro('A', '{"type":"enum","name":"e","symbols":["A","B"]}')
SELECT to_avro(X'0102', '{"type":"fixed","name":"f","size":2}')
SELECT to_avro(1.25BD, '{"type":"fixed","name":"f","size":5,"logicalType":"decimal","precision":3,"scale":2}')
SELECT to_avro(TIMESTAMP'2020-01-02 00:00:00', '{"type":"long","logicalType":"timestamp-millis"}')
SELECT to_avro(TIMESTAMP'2020-01-02 00:00:00', '"long"')
SELECT to_avro(3, concat('"in','t"'))
!SELECT to_avro(3, c) FROM VALUES ('"int"') AS t(c)
SELECT to_avro(3, NULL)
SELECT from_avro(X'02', '"int"')
SELECT from_avro(X'0204', '"int"')
SELECT from_avro(CAST(NULL AS BINARY), '"int"')
SELECT from_avro(X'', '"int"', map('mode','PERMISSIVE'))
!SELECT from_avro(X'', '"int"', map('mode','DROPMALFORMED'))
!SELECT from_avro(X'02', c) FROM VALUES ('"int"') AS t(c)
SELECT from_avro(X'02', concat('"in','t"'))
SELECT from_avro(X'0202', '"int"', NULL)
!SELECT from_avro(X'02', '"int"', map(c,'x')) FROM VALUES ('mode') AS t(c)
SELECT from_avro(X'020278', '{"type":"record","name":"r","fields":[{"name":"a","type":"int"},{"name":"b","type":"string"}]}')
SELECT from_avro(X'02', '{"type":"record","name":"r","fields":[{"name":"a","type":"int"},{"name":"b","type":"string"}]}', map('mode','PERMISSIVE'))
SELECT from_avro(X'02', '{"type":"record","name":"r","fields":[{"name":"a","type":"int"}]}', map('avroSchema','{"type":"record","name":"r","fields":[{"name":"a","type":"long"},{"name":"b","type":"string","default":"d"}]}'))
SELECT from_avro(X'0202', '["null","int"]')
SELECT from_avro(X'0202', '["int","long"]')
SELECT from_avro(X'00', '"null"')
SELECT from_avro(X'02', '{"type":"enum","name":"e","symbols":["A","B"]}')
SELECT from_avro(X'0102', '{"type":"fixed","name":"e","size":2}')
SELECT from_avro(X'0102', '{"type":"fixed","name":"e","size":2,"logicalType":"decimal","precision":4,"scale":1}')
SELECT from_avro(X'0202610600', '{"type":"map","values":"int"}')
SELECT from_avro(X'02', '{"type":"int","logicalType":"date"}')
SELECT from_avro(X'02', '{"type":"long","logicalType":"timestamp-millis"}')
SELECT from_avro(X'02', '{"type":"long","logicalType":"timestamp-micros"}')
SELECT from_avro(X'02', '{"type":"long","logicalType":"timestamp-nanos"}')
SELECT from_avro(X'02', '{"type":"long","logicalType":"local-timestamp-millis"}')
SELECT from_avro(X'02', '{"type":"int","logicalType":"time-millis"}')
SELECT from_avro(X'0261', '{"type":"string","logicalType":"uuid"}')
SELECT schema_of_avro('"int"')
SELECT schema_of_avro('{"type":"record","name":"r","fields":[{"name":"a","type":"int"},{"name":"b","type":["null","string"]},{"name":"u","type":["int","string"]}]}')
!SELECT schema_of_avro(c) FROM VALUES ('"int"') AS t(c)
SELECT from_avro(to_avro(named_struct('i', 1, 'l', 2L, 'f', CAST(1.5 AS FLOAT), 'd', 2.5D, 's', 'é', 'b', X'00FF', 't', true, 'a', array(1, 2), 'm', map('k', 1), 'n', CAST(NULL AS INT), 'r', named_struct('x', 'y'))), '{"type":"record","name":"r","fields":[{"name":"i","type":"int"},{"name":"l","type":"long"},{"name":"f","type":"float"},{"name":"d","type":"double"},{"name":"s","type":"string"},{"name":"b","type":"bytes"},{"name":"t","type":"boolean"},{"name":"a","type":{"type":"array","items":"int"}},{"name":"m","type":{"type":"map","values":"int"}},{"name":"n","type":["int","null"]},{"name":"r","type":{"type":"record","name":"q","fields":[{"name":"x","type":"string"}]}}]}')
SELECT hex(to_avro(v)) FROM VALUES (array(1, NULL)), (array()), (NULL) AS t(v)
SELECT hex(to_avro(v)) FROM VALUES (map('a', 1.25BD)), (map('b', NULL)), (map()) AS t(v)
SELECT hex(to_avro(named_struct('a', named_struct('b', v, 'c', array(v))))) FROM VALUES ('x'), ('é'), (NULL) AS t(v)
SELECT hex(to_avro(v)) FROM VALUES (0BD), (-1BD), (99999999999999999999999999999999999999BD), (-99999999999999999999999999999999999999BD) AS t(v)
SELECT hex(to_avro(v)) FROM VALUES (TIMESTAMP'1969-12-31 23:59:59.9999'), (TIMESTAMP'0001-01-01'), (TIMESTAMP'9999-12-31') AS t(v)
SELECT hex(to_avro(v, '["null",{"type":"long","logicalType":"timestamp-millis"}]')) FROM VALUES (TIMESTAMP'1969-12-31 23:59:59.9999'), (TIMESTAMP'0001-01-01'), (NULL) AS t(v)
SELECT hex(to_avro(v, '["null",{"type":"bytes","logicalType":"decimal","precision":10,"scale":2}]')) FROM VALUES (CAST(1.5 AS DECIMAL(10,2))), (CAST(-128 AS DECIMAL(10,2))), (CAST(1.28 AS DECIMAL(10,2))), (NULL) AS t(v)
SELECT from_avro(v, '["null","string"]', map('mode', 'PERMISSIVE')) FROM VALUES (X'020278'), (X'02'), (X''), (X'04'), (NULL) AS t(v)
SELECT from_avro(v, '{"type":"record","name":"r","fields":[{"name":"a","type":"int"}]}', map('mode', 'PERMISSIVE', 'avroSchema', '{"type":"record","name":"r","fields":[{"name":"b","type":"string","default":"x"},{"name":"c","type":"double","aliases":["a"]}]}')) FROM VALUES (X'02'), (X''), (NULL) AS t(v)
SELECT schema_of_avro('{"type":"record","name":"r","fields":[{"name":"a","type":{"type":"array","items":["null","long"]}},{"name":"m","type":["null",{"type":"map","values":"double"}]},{"name":"d","type":{"type":"bytes","logicalType":"decimal","precision":10,"scale":2}},{"name":"t","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"l","type":{"type":"long","logicalType":"local-timestamp-micros"}},{"name":"e","type":{"type":"enum","name":"e","symbols":["A"]}},{"name":"x","type":{"type":"fixed","name":"f","size":2}},{"name":"n","type":"null"},{"name":"il","type":["int","long"]},{"name":"fd","type":["float","double","null"]}]}')
SELECT schema_of_avro('["null","string"]'), schema_of_avro('{"type":"array","items":"int"}'), schema_of_avro('"bytes"')
-- xpath
SELECT xpath('<a><b>b1</b><b>b2</b><b>b3</b><c>c1</c><c>c2</c></a>', 'a/b/text()'), xpath('<a><b>b1</b></a>', 'a/b'), xpath('<a><b>b1</b></a>', 'a/x'), xpath('<a b="1"><c b="2"/></a>', '//@b')
SELECT xpath_string('<a><b>b</b><c>cc</c></a>', 'a/c'), xpath_string('<a><b>b</b><c>cc</c></a>', 'a'), xpath_string('<a><b>b1</b><b>b2</b></a>', '//b'), xpath_string('<a/>', 'a/b'), xpath_string('<a b="x"/>', 'a/@b')
SELECT xpath_boolean('<a><b>1</b></a>', 'a/b'), xpath_boolean('<a><b>1</b></a>', 'a/c'), xpath_boolean('<a><b>1</b></a>', 'a/b = 2'), xpath_boolean('<a/>', '''x'''), xpath_boolean('<a/>', '0'), xpath_boolean('<a/>', 'number("x")')
SELECT xpath_double('<a><b>1</b><b>2</b></a>', 'sum(a/b)'), xpath_double('<a><b>1.5e3</b></a>', 'a/b'), xpath_double('<a><b>x</b></a>', 'a/b'), xpath_double('<a/>', 'a/b'), xpath_number('<a><b>-0.25</b></a>', 'a/b'), xpath_double('<a><b> 12.50 </b></a>', 'a/b')
SELECT xpath_int('<a><b>1</b><b>2</b></a>', 'sum(a/b)'), xpath_int('<a>x</a>', 'a'), xpath_int('<a>1e3</a>', 'a'), xpath_int('<a>99999999999</a>', 'a'), xpath_int('<a>-99999999999</a>', 'a'), xpath_int('<a>2.9</a>', 'a'), xpath_int('<a>-2.9</a>', 'a')
SELECT xpath_long('<a>99999999999</a>', 'a'), xpath_long('<a>99999999999999999999</a>', 'a'), xpath_long('<a>-99999999999999999999</a>', 'a'), xpath_long('<a/>', 'a'), xpath_long('<a>9007199254740993</a>', 'a')
SELECT xpath_short('<a>32768</a>', 'a'), xpath_short('<a>-32769</a>', 'a'), xpath_short('<a>70000</a>', 'a'), xpath_short('<a>99999999999</a>', 'a'), xpath_short('<a>x</a>', 'a')
SELECT xpath_float('<a>1.1</a>', 'a'), xpath_float('<a>3.4e38</a>', 'a'), xpath_float('<a>x</a>', 'a'), xpath_float('<a>16777217</a>', 'a'), xpath_double('<a>123.456</a>', 'a'), xpath_double('<a>0.1</a>', 'a + 0.2')
SELECT xpath('', 'a'), xpath('<a/>', ''), xpath(NULL, 'a'), xpath('<a/>', NULL), xpath_string('', 'a'), xpath_int('', 'a'), xpath_boolean('', 'a'), xpath_double('<a/>', ''), xpath_boolean('<a/>', CAST(NULL AS STRING))
SELECT xpath('<a>', 'a')
SELECT xpath_string('no xml', 'a')
SELECT xpath_int('<a></b>', 'a')
SELECT xpath_boolean('<a/><b/>', 'a')
SELECT xpath('<a/>', 'a[')
SELECT xpath_string('<a/>', '!!')
SELECT xpath_string('<a/>', 'nosuch(a)')
SELECT xpath_string('<a/>', 'p:b')
SELECT xpath_string('<a/>', '$v')
SELECT xpath('<a/>', '1')
SELECT xpath('<a/>', '''x''')
SELECT xpath('<a/>', 'count(a)')
SELECT xpath('<a/>', 'true()')
SELECT xpath_string('<a/>', p) FROM VALUES ('a') t(p)
SELECT xpath(x, 'r/v/text()'), xpath_string(x, 'r/v'), xpath_int(x, 'r/v'), xpath_long(x, 'r/v'), xpath_short(x, 'r/v'), xpath_boolean(x, 'r/v'), xpath_double(x, 'r/v'), xpath_float(x, 'r/v'), xpath_number(x, 'r/v') FROM VALUES ('<r><v>1</v></r>'), (NULL), (''), ('<r/>'), ('<r><v>a</v><v>2</v></r>') t(x)
SELECT xpath_string('<p:a xmlns:p="urn:x"><p:b q="1" p:q="2">v</p:b></p:a>', 'name(/*)'), xpath_string('<p:a xmlns:p="urn:x"><p:b>v</p:b></p:a>', 'local-name(/*/*)'), xpath_string('<p:a xmlns:p="urn:x"><p:b>v</p:b></p:a>', 'namespace-uri(/*)'), xpath_string('<p:a xmlns:p="urn:x"><p:b>v</p:b></p:a>', '/*[local-name() = "a"]/*'), xpath_string('<p:a xmlns:p="urn:x"><p:b>v</p:b></p:a>', 'a/b')
SELECT xpath_string('<a xmlns="urn:x"><b>v</b></a>', 'a/b'), xpath_string('<a xmlns="urn:x"><b>v</b></a>', 'namespace-uri(a)'), xpath('<a xmlns="urn:x" xmlns:q="y" z="1" q:w="2"/>', 'a/@*'), xpath_int('<a xmlns="urn:x" xmlns:q="y" z="1"/>', 'count(a/@*)'), xpath_string('<a q:w="2" xmlns:q="y"/>', 'name(a/@*)'), xpath_string('<a q:w="2" xmlns:q="y"/>', 'local-name(a/@*)')
SELECT xpath_string('<q:a>v</q:a>', 'name(*)'), xpath_string('<q:a>v</q:a>', '*'), xpath_string('<a q:b="1" c:b="2"/>', 'a/@*[2]')
SELECT xpath_string('<a/>', 'string(1)'), xpath_string('<a/>', '1 div 3')
SELECT xpath_string('<a/>', '100000000000000000000000'), xpath_string('<a/>', '0.12345678901234567')
SELECT xpath_string('<a/>', '1e3')
SELECT xpath_string('<a/>', '1.5E3')
SELECT xpath_string('<a1e3>x</a1e3>', 'a1e3'), xpath_string('<a/>', '"1e3"')
SELECT xpath_string('<p:b xmlns:p="u">v</p:b>', 'p:b'), xpath_string('<p:b>v</p:b>', 'q:b'), xpath_string('<p:b>v</p:b>', '//p:*'), xpath_string('<a q:b="1" c:b="2"/>', 'a/@b'), xpath_string('<a q:b="1" c:b="2"/>', 'a/@q:b'), xpath_string('<a xml:lang="en"/>', 'a/@xml:lang'), xpath_string('<a xml:lang="en"/>', 'a/@lang'), xpath_string('<b>v</b>', 'p:b')
SELECT xpath_string('<a/>', 'x:f(1)')
SELECT xpath_string('<a/>', 'false() and $v')
SELECT xpath('<a><b z="1" a="2" m="3"/></a>', '//@*'), xpath_string('<a z="1" B="2" b="3"/>', 'a/@*[1]'), xpath('<a>x<![CDATA[y]]>z<b/>w</a>', 'a/text()'), xpath('<a><![CDATA[y]]>z</a>', 'a/text()'), xpath_string('<a>x<![CDATA[y]]>z</a>', 'a/text()'), xpath_boolean('<a>x<![CDATA[y]]>z</a>', 'a/text() = "xyz"'), xpath_int('<a>x<![CDATA[y]]>z</a>', 'count(a/text())'), xpath('<a>  <b/>  </a>', 'a/text()')
SELECT xpath_string('<a>é😀x</a>', 'translate(a, "x", "y")'), xpath_string('<a>é😀x</a>', 'substring-after(a, "é")'), xpath_string('<a>é😀x</a>', 'substring(a, 4)'), xpath_int('<a>é😀x</a>', 'string-length()'), xpath_string('<a>é😀x</a>', 'substring(a, 1, 3)')
SELECT xpath_string('<a>é😀x</a>', 'substring(a, 3)'), xpath_string('<a>é😀x</a>', 'substring(a, 1, 2)')
SELECT xpath_double('<a><b>1.1</b><c>2.2</c></a>', 'a/b + a/c'), xpath_boolean('<a><b>0.1</b></a>', 'a/b = 0.1'), xpath_double('<a/>', '3.3 * 3'), xpath_double('<a/>', '0.1'), xpath_double('<a/>', '123456.789'), xpath_double('<a><b>123456.789</b></a>', 'a/b + 0'), xpath_double('<a><b>9007199254740993</b></a>', 'a/b - 1'), xpath_double('<a><b>.000000000000000000000000012345</b></a>', 'a/b'), xpath_string('<a><b>1</b><b>2</b></a>', 'sum(a/b) div count(a/b)')
SELECT xpath_string('<a><b/></a>', 'name(a/*)'), xpath_string('<a><b/></a>', 'name()'), xpath_string('<a><?p d?></a>', 'name(a/processing-instruction())'), xpath_string('<a>x</a>', 'name(a/text())'), xpath_string('<a/>', 'string(true())'), xpath_string('<a/>', 'string(a)'), xpath_string('<a>5</a>', 'string(a + 1)'), xpath_boolean('<a/>', '"1" = 1.0'), xpath_boolean('<a/>', '"1" < "2"'), xpath_string('<a> b  c </a>', 'normalize-space(a)'), xpath_string('<a> b  c </a>', 'normalize-space()'), xpath_string('<a><b>1</b><b>3</b></a>', 'a/b[. > 2]'), xpath_string('<a><b>1</b><b>3</b></a>', 'a/b[. = "3"][1]')
SELECT xpath_string('<a/>', '1 div 0'), xpath_string('<a/>', '-1 div 0'), xpath_string('<a/>', '0 div 0'), xpath_string('<a/>', '-0'), xpath_string('<a/>', '0.1 + 0.2'), xpath_string('<a/>', '1000000 * 1000000'), xpath_string('<a/>', '1 div 1000000'), xpath_string('<a/>', '1 div 3000000000'), xpath_string('<a/>', 'concat(1.0, "-", 2.50, "-", true())')
SELECT xpath_string('<a/>', '123456789.125'), xpath_string('<a/>', '99999999 * 99999999 * 10'), xpath_string('<a/>', '0.000001'), xpath_string('<a/>', '0.0000001234'), xpath_string('<a/>', '10000000'), xpath_string('<a/>', '-12345678.5'), xpath_string('<a/>', '1 div -0'), xpath_string('<a/>', '5 mod -3'), xpath_string('<a/>', '-5 mod 3'), xpath_string('<a/>', '5.5 mod 2')
SELECT xpath_string('<a/>', 'substring("12345", 2, 3)'), xpath_string('<a/>', 'substring("12345", 1.5, 2.6)'), xpath_string('<a/>', 'substring("12345", 0, 3)'), xpath_string('<a/>', 'substring("12345", 0 div 0, 3)'), xpath_string('<a/>', 'substring("12345", -42, 1 div 0)'), xpath_string('<a/>', 'substring("12345", 2)'), xpath_string('<a/>', 'substring-before("1999/04/01","/")'), xpath_string('<a/>', 'substring-after("1999/04/01","/")'), xpath_string('<a/>', 'translate("--aaa--","abc-","ABC")'), xpath_string('<a/>', 'normalize-space("  a   b  ")'), xpath_int('<a/>', 'string-length("héé")'), xpath_string('<a/>', 'substring("héé", 2, 1)')
SELECT xpath_boolean('<a/>', 'contains("abc", "b")'), xpath_boolean('<a/>', 'starts-with("abc", "b")'), xpath_boolean('<a xml:lang="en"/>', 'a[lang("en")]'), xpath_boolean('<a/>', 'not(true())'), xpath_boolean('<a><b>1</b><b>2</b></a>', 'a/b > 1'), xpath_boolean('<a><b>1</b><b>2</b></a>', 'a/b != a/b'), xpath_boolean('<a/>', '"a" < "b"'), xpath_boolean('<a/>', '1 = true()'), xpath_boolean('<a/>', 'a = true()'), xpath_boolean('<a><b>1.0</b></a>', 'a/b = 1'), xpath_boolean('<a><b>1.0</b></a>', 'a/b = "1"')
SELECT xpath_int('<a/>', 'floor(-1.5)'), xpath_int('<a/>', 'ceiling(1.2)'), xpath_double('<a/>', 'round(2.5)'), xpath_double('<a/>', 'round(-2.5)'), xpath_double('<a/>', 'round(-0.2)'), xpath_double('<a/>', 'ceiling(-0.5)'), xpath_double('<a/>', 'number(true())'), xpath_double('<a/>', 'number("")'), xpath_double('<a/>', 'number("+1")'), xpath_double('<a/>', 'number(" 1 ")'), xpath_double('<a/>', 'number("1e2")'), xpath_double('<a/>', 'number(".5")'), xpath_double('<a/>', 'number("5.")'), xpath_double('<a/>', 'number("0x1F")'), xpath_double('<a/>', 'number("-")')
SELECT xpath('<a><b i="1">x</b><b i="2">y</b><c><b i="3">z</b></c></a>', 'a/b[@i=2]/text()'), xpath('<a><b i="1">x</b><b i="2">y</b><c><b i="3">z</b></c></a>', '//b/@i'), xpath('<a><b i="1">x</b><b i="2">y</b><c><b i="3">z</b></c></a>', 'a/b[last()]/text() | a/c/b/@i'), xpath('<a><b i="1">x</b><b i="2">y</b></a>', 'a/b[position() < 2]/@i'), xpath('<a><b i="1">x</b><b i="2">y</b></a>', '//b[2]/preceding-sibling::b/text()'), xpath('<a><b>x</b><c/><b>y</b></a>', 'a/c/following::b/text()'), xpath('<a><b>x</b></a>', '//text()/..'), xpath('<a><b i="1">x</b></a>', '//@i/parent::b/text()'), xpath('<a><b><c>1</c></b></a>', '//c/ancestor::*')
SELECT xpath('<a><!-- note --><?pi some data?>text<![CDATA[<raw>]]></a>', 'a/comment()'), xpath('<a><!-- note --><?pi some data?>text<![CDATA[<raw>]]></a>', 'a/processing-instruction()'), xpath('<a><!-- note --><?pi some data?>text<![CDATA[<raw>]]></a>', 'a/text()'), xpath('<a><!-- note --><?pi some data?>text<![CDATA[<raw>]]></a>', 'a/node()'), xpath_string('<a><!-- note -->text<![CDATA[<raw>]]></a>', 'a'), xpath('<a>x<!-- n -->y</a>', 'a/text()'), xpath('<a><?pi d?><?po e?></a>', 'a/processing-instruction("po")')
SELECT xpath_string('<a>&lt;&amp;&#65;&#x42;&quot;&apos;&gt;</a>', 'a'), xpath_string('<a b="&lt;&#10;x"/>', 'a/@b'), xpath('<a b=" x&#9;y\n z"/>', 'a/@b'), xpath_string('<a>\r\nx\r</a>', 'a'), xpath_string('<a>é😀</a>', 'a'), xpath_int('<a>é😀</a>', 'string-length(a)'), xpath_string('<a>é😀x</a>', 'substring(a, 2, 1)'), xpath_string('<a> x  </a>', 'a')
SELECT xpath_string('<!DOCTYPE a [<!ENTITY e "exp">]><a>&e;-&e;</a>', 'a'), xpath('<!DOCTYPE a [<!ENTITY e "exp">]><a>x&e;</a>', 'a/text()'), xpath_string('<!DOCTYPE a [<!ATTLIST a d CDATA "dflt">]><a/>', 'a/@d'), xpath_string('<!DOCTYPE a [<!ENTITY e "<b>in</b>">]><a>&e;</a>', 'a/b')
SELECT xpath_string('<!DOCTYPE a [<!ENTITY e SYSTEM "file:///nonexistent/e">]><a>x&e;y</a>', 'a')
SELECT xpath_string('<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/hostname">]><a b="&e;">x</a>', 'a')
SELECT xpath_string('<!DOCTYPE a SYSTEM "file:///nonexistent.dtd"><a>x</a>', 'a')
SELECT xpath_string('<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;]><a>x</a>', 'a')
SELECT xpath_string('<a>&nosuch;</a>', 'a')
SELECT xpath_string('<?xml version="1.0" encoding="UTF-8"?><a>x</a>', 'a'), xpath_string('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'a'), xpath_string('<?xml version="1.0" encoding="UTF-16"?><a>é</a>', 'a'), xpath_string('<a>x</a>  <!-- c --> ', 'a')
SELECT xpath_string(' <?xml version="1.0"?><a>x</a>', 'a')
SELECT xpath_string('<?xml version="1.1"?><a>x&#1;</a>', 'a')
SELECT xpath_string('<a>&#1;</a>', 'a')
SELECT xpath_string('<a b="1" b="2"/>', 'a/@b')
SELECT xpath_string('<a b=1/>', 'a/@b')
SELECT xpath_string('<a><b>1</b></a>', '/'), xpath_string('<a><b>1</b></a>', '.'), xpath_string('<a><b>1</b></a>', 'b'), xpath_string('<a><b>1</b></a>', 'self::node()/a/b'), xpath_int('<a><b/><b/></a>', 'count(//b)'), xpath_int('<a><b/><b/></a>', 'count(descendant-or-self::node())'), xpath_boolean('<a id="x"/>', 'id("x")'), xpath_string('<!DOCTYPE a [<!ATTLIST a i ID #IMPLIED>]><a i="x">v</a>', 'id("x")')
SELECT xpath_int('<a xmlns:q="u"/>', 'count(a/namespace::*)'), xpath('<a xmlns:q="u"/>', 'a/namespace::q')
SELECT xpath_string('<a xmlns="u"/>', 'a/@xmlns'), xpath_string('<a xmlns:q="u"/>', 'a/@q'), xpath_int('<a xmlns="u"/>', 'count(//@*)')
SELECT xpath_double('<a>1e3</a>', 'a * 2'), xpath_boolean('<a>1e3</a>', 'a > 2')
SELECT xpath_double('<a>1e3</a>', 'number(a) * 2'), xpath_boolean('<a>1e3</a>', 'number(a) > 2')
SELECT xpath_double('<a><b>1</b><b>x</b></a>', 'sum(a/b)'), xpath_double('<a><b>1</b></a>', 'sum(a/c)'), xpath_double('<a><b>3</b><b>4</b></a>', 'a/b * 2'), xpath_double('<a><b>0.1</b><b>0.2</b><b>0.7</b></a>', 'sum(a/b)'), xpath_double('<a>0.7</a>', 'a * 3'), xpath_double('<a>0.30000000000000004</a>', 'a'), xpath_double('<a>179769313486231570000000000000000000000</a>', 'a')
SELECT typeof(xpath('<a/>', 'a')), typeof(xpath_boolean('<a/>', 'a')), typeof(xpath_double('<a/>', 'a')), typeof(xpath_number('<a/>', 'a')), typeof(xpath_float('<a/>', 'a')), typeof(xpath_int('<a/>', 'a')), typeof(xpath_long('<a/>', 'a')), typeof(xpath_short('<a/>', 'a')), typeof(xpath_string('<a/>', 'a'))
SELECT xpath_string(1, 'a')
SELECT xpath_string(1, 2)
SELECT xpath('<a>x</a>', concat('a', '/text()')), xpath_string(concat('<a>', 'y', '</a>'), upper('A')), xpath_string('<A>y</A>', upper('a'))
SELECT xpath('<a/>')
SELECT xpath_string('<a/>', 'a', 'b')
SELECT xpath_string('<a/>', true)
SELECT xpath_string('<a><b>1</b></a>', 'a/b ') , xpath_string('<a><b>1</b></a>', ' a / b'), xpath_string('<a><b>1</b></a>', 'child::a/child::b'), xpath_string('<a><b>1</b></a>', '(a/b)[1]'), xpath_string('<a><div>6</div><mod>4</mod></a>', 'a/div div a/mod'), xpath_string('<a><b>1</b></a>', 'a/b or x'), xpath_string('<a><b-c>1</b-c></a>', 'a/b-c'), xpath_string('<a><b>5</b><c>3</c></a>', 'a/b -a/c')
SELECT count(*), sum(xpath_int(concat('<r><v>', id, '</v></r>'), 'r/v')) FROM range(0, 5000, 1, 1)
SELECT xpath_string('<a/>', 'position()'), xpath_string('<a/>', 'last()'), xpath_string('<a><b/></a>', 'current()')
SELECT xpath_string('<a/>', 'a//'), 1
SELECT xpath_string('<a/>', 'a b')
SELECT xpath_string('<a/>', '"open')
SELECT xpath_string('<a/>', 'concat("x")')
SELECT xpath_string('<a/>', 'count("x")')
SELECT xpath_string('<a/>', 'foo::a')
SELECT xpath_string('<a/>', '@')
SELECT xpath_string('<a/>', 'string(1, 2)')
SELECT xpath_string('<a>]]></a>', 'a')
SELECT xpath_string('<a><b></a></b>', 'a')
SELECT xpath_string('<a>x</a>y', 'a')
SELECT xpath_string('x<a>x</a>', 'a')
SELECT xpath_string('<a>a < b</a>', 'a')
SELECT xpath_string('<a>a & b</a>', 'a')
SELECT xpath_string('<a><!-- a -- b --></a>', 'a')
SELECT xpath_string('   ', 'a')
SELECT xpath_string('<1a/>', '*')
SELECT xpath_string('<a:b:c/>', 'name(*)'), xpath_string('<:a/>', 'name(*)'), xpath_string('<a:/>', 'name(*)')
SELECT CASE WHEN x LIKE '<%' THEN xpath_int(x, 'a') END FROM VALUES ('<a>1</a>'), ('no') t(x) ORDER BY 1
-- approx_top_k
SELECT approx_top_k_accumulate(a) FROM VALUES (1), (2), (2), (NULL) t(a)
SELECT approx_top_k_accumulate(a, 10) FROM VALUES (1), (2), (2) t(a) WHERE a > 5
SELECT approx_top_k_accumulate(a, 10) FROM VALUES ('a'), ('bc'), ('a'), ('dé€😀') t(a)
SELECT approx_top_k_accumulate(a, 10) FROM VALUES (true), (false), (true) t(a)
SELECT approx_top_k_accumulate(a, 10) FROM VALUES (1Y), (-2Y) t(a)
SELECT approx_top_k_accumulate(a, 10) FROM VALUES (1S), (-2S) t(a)
SELECT approx_top_k_accumulate(a, 10) FROM VALUES (1L), (-2L) t(a)
SELECT approx_top_k_accumulate(a, 10) FROM VALUES (1.5F), (-2F) t(a)
SELECT approx_top_k_accumulate(a, 10) FROM VALUES (1.5D), (-2D) t(a)
SELECT approx_top_k_accumulate(a, 10) FROM VALUES (DATE '2020-01-01'), (DATE '1960-01-01') t(a)
SELECT approx_top_k_accumulate(a, 10) FROM VALUES (TIMESTAMP '2020-01-01 00:00:00') t(a)
SELECT approx_top_k_accumulate(a, 10) FROM VALUES (TIMESTAMP_NTZ '2020-01-01 00:00:00') t(a)
SELECT approx_top_k_accumulate(a, 10) FROM VALUES (1.5), (-22.5) t(a)
SELECT approx_top_k_accumulate(a, 10) FROM VALUES (CAST(1.5 AS DECIMAL(12,3))), (-2.5) t(a)
SELECT approx_top_k_accumulate(a, 10) FROM VALUES (CAST(1.5 AS DECIMAL(38,10))), (CAST(-123456789012345678901234567.5 AS DECIMAL(38,10))) t(a)
SELECT approx_top_k_accumulate(a, 10) FROM VALUES (1), (NULL), (NULL) t(a)
SELECT approx_top_k_combine(s) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a) UNION ALL SELECT approx_top_k_accumulate(a, 10) FROM VALUES (1), (3) t(a))
!SELECT approx_top_k_combine(s) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a) UNION ALL SELECT approx_top_k_accumulate(a, 11) FROM VALUES (1), (3) t(a))
SELECT approx_top_k_combine(s, 20) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a) UNION ALL SELECT approx_top_k_accumulate(a, 11) FROM VALUES (1), (3) t(a))
!SELECT approx_top_k_combine(s, 20) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a)) WHERE s IS NULL
!SELECT approx_top_k_combine(s) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a)) WHERE s.maxItemsTracked > 10
!SELECT approx_top_k_combine(CASE WHEN b THEN s END) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a)), VALUES (true), (false) u(b)
!SELECT approx_top_k_combine(s) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a) UNION ALL SELECT approx_top_k_accumulate(a, 10) FROM VALUES (1L), (3L) t(a))
!SELECT approx_top_k_combine(s) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a) UNION ALL SELECT approx_top_k_accumulate(a, 10) FROM VALUES ('x') t(a))
SELECT approx_top_k_estimate(s), approx_top_k_estimate(s, 1) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a))
!SELECT approx_top_k_estimate(s, 11) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a))
!SELECT approx_top_k_estimate(s, 0) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a))
!SELECT approx_top_k_estimate(s, NULL) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a))
SELECT approx_top_k_estimate(s, 3+1) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a))
!SELECT approx_top_k_estimate(s, s.maxItemsTracked) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a))
!SELECT approx_top_k_estimate(CAST(NULL AS STRUCT<sketch: BINARY, maxItemsTracked: INT, itemDataType: INT, itemDataTypeDDL: STRING>))
!SELECT approx_top_k_estimate(named_struct('sketch', X'0104', 'maxItemsTracked', 10, 'itemDataType', 1, 'itemDataTypeDDL', 'item int not null'))
!SELECT approx_top_k_estimate(named_struct('sketch', X'', 'maxItemsTracked', 10, 'itemDataType', 1, 'itemDataTypeDDL', 'item int not null'))
!SELECT approx_top_k_estimate(named_struct('sketch', CAST(NULL AS BINARY), 'maxItemsTracked', 10, 'itemDataType', 1, 'itemDataTypeDDL', 'item int not null'))
!SELECT approx_top_k_estimate(named_struct('a', X'', 'b', 10, 'c', 1))
!SELECT approx_top_k_estimate(named_struct('a', 'x', 'b', 10, 'c', 1, 'd', 'x'))
!SELECT approx_top_k_estimate(named_struct('a', X'', 'b', 10L, 'c', 1, 'd', 'x'))
!SELECT approx_top_k_estimate(named_struct('a', X'', 'b', 10, 'c', X'', 'd', 'x'))
!SELECT approx_top_k_estimate(named_struct('a', X'', 'b', 10, 'c', 1, 'd', 1))
!SELECT approx_top_k_estimate(1)
!SELECT approx_top_k_combine(1)
!SELECT approx_top_k_combine(s, 0) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a))
!SELECT approx_top_k_combine(s, NULL) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a))
!SELECT approx_top_k_combine(s, -1) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a))
!SELECT approx_top_k_combine(s, 1000001) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a))
!SELECT approx_top_k_combine(s, s.maxItemsTracked) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (NULL), (NULL) t(a)) GROUP BY s.maxItemsTracked
!SELECT approx_top_k_accumulate(a, 0) FROM VALUES (1) t(a)
!SELECT approx_top_k_accumulate(a, NULL) FROM VALUES (1) t(a)
!SELECT approx_top_k_accumulate(a, 1000001) FROM VALUES (1) t(a)
!SELECT approx_top_k_accumulate(a, a) FROM VALUES (1) t(a)
SELECT approx_top_k_accumulate(a, '10') FROM VALUES (1) t(a)
SELECT approx_top_k_accumulate(a, 10.5) FROM VALUES (1) t(a)
!SELECT approx_top_k_accumulate(array(a), 10) FROM VALUES (1) t(a)
!SELECT approx_top_k_accumulate(NULL, 10) FROM VALUES (1) t(a)
!SELECT approx_top_k(a, 0) FROM VALUES (1) t(a)
!SELECT approx_top_k(a, -3) FROM VALUES (1) t(a)
!SELECT approx_top_k(a, NULL) FROM VALUES (1) t(a)
!SELECT approx_top_k(a, a) FROM VALUES (1) t(a)
SELECT approx_top_k(a, 2L) FROM VALUES (1) t(a)
SELECT approx_top_k(a, '2') FROM VALUES (1) t(a)
!SELECT approx_top_k(a, 'x') FROM VALUES (1) t(a)
SELECT approx_top_k(a, 2.7) FROM VALUES (1), (2), (3) t(a)
!SELECT approx_top_k(a, true) FROM VALUES (1), (2), (3) t(a)
!SELECT approx_top_k(a, 5, 4) FROM VALUES (1) t(a)
!SELECT approx_top_k(a, 5, NULL) FROM VALUES (1) t(a)
!SELECT approx_top_k(a, 5, a) FROM VALUES (1) t(a)
!SELECT approx_top_k(a, 5, 1000001) FROM VALUES (1) t(a)
!SELECT approx_top_k(a, 1000001, 1000001) FROM VALUES (1) t(a)
!SELECT approx_top_k(a, 5, 0) FROM VALUES (1) t(a)
!SELECT approx_top_k(a, 5, 0) FROM VALUES (1) t(a) WHERE a > 1
SELECT approx_top_k(a) FROM VALUES (1) t(a) WHERE a > 1
!SELECT approx_top_k(a) FROM VALUES (X'01') t(a)
!SELECT approx_top_k(a) FROM VALUES (array(1)) t(a)
!SELECT approx_top_k(NULL) FROM VALUES (1) t(a)
!SELECT approx_top_k(a) FROM VALUES (INTERVAL '1' DAY) t(a)
SELECT approx_top_k(a) FROM VALUES (1), (NULL), (NULL), (2), (2), (NULL) t(a)
SELECT approx_top_k(a) FROM VALUES (1), (NULL), (NULL), (2), (2) t(a)
SELECT approx_top_k(a, 1) FROM VALUES (1), (NULL), (NULL), (2), (2) t(a)
SELECT approx_top_k(a) FROM VALUES (CAST(NULL AS INT)) t(a)
SELECT approx_top_k(DISTINCT a) FROM VALUES (1), (1), (2) t(a)
SELECT approx_top_k(a) FILTER (WHERE a > 1) FROM VALUES (1), (1), (2) t(a)
SELECT approx_top_k(a) OVER () FROM VALUES (1), (1), (2) t(a)
SELECT approx_top_k(a) OVER (ORDER BY a) FROM VALUES (1), (1), (2), (NULL) t(a)
SELECT approx_top_k(a, 20) FROM VALUES (0.0D), (-0.0D), (double('NaN')), (1D), (1D), (double('Infinity')), (1e300D), (0.0D) t(a)
SELECT approx_top_k(a, 20) FROM VALUES (float('0.0')), (float('-0.0')), (float('NaN')), (1F) t(a)
SELECT approx_top_k(a, 20) FROM VALUES (1.0), (2.0), (1.50), (3.25), (-7.125), (100), (1e2BD), (0.1) t(a)
SELECT approx_top_k(a, 20) FROM VALUES (CAST('12345678901234567890.5' AS DECIMAL(38,5))), (2.0), (1.50), (3.25), (CAST('99999999999999999999999' AS DECIMAL(38,5))), (100), (0.1) t(a)
SELECT approx_top_k(a, 20) FROM VALUES ('a'), ('B'), (''), ('hello world'), ('é'), ('😀'), ('zz'), ('AaAa'), ('BBBB'), ('AaBB') t(a)
SELECT approx_top_k(id % 40, 50) FROM range(300)
SELECT approx_top_k(id % 7, 7, 7) FROM range(100)
SELECT approx_top_k(id, 5, 5) FROM range(100)
SELECT approx_top_k(id * id % 17, 5, 5) FROM range(1000)
SELECT approx_top_k(CAST(id * id % 17 AS STRING), 20) FROM range(1000)
SELECT approx_top_k(DATE '2020-01-01' + CAST(id * id % 17 AS INT), 20) FROM range(1000)
SELECT approx_top_k(TIMESTAMP '2020-01-01 00:00:00' + make_dt_interval(CAST(id * id % 17 AS INT)), 20) FROM range(1000)
SELECT approx_top_k(CAST(id AS DECIMAL(12,2)) / 4, 20) FROM range(30)
SELECT approx_top_k(expr) FROM VALUES (0), (0), (1), (1), (2), (3), (4), (4) AS tab(expr)
SELECT approx_top_k(expr, 2) FROM VALUES 'a', 'b', 'c', 'c', 'c', 'c', 'd', 'd' AS tab(expr)
SELECT approx_top_k(expr, 10, 100) FROM VALUES (0), (1), (1), (2), (2), (2) AS tab(expr)
SELECT approx_top_k(a) FROM VALUES (true), (false), (NULL), (true) t(a)
SELECT approx_top_k(a, 3) FROM VALUES (1Y), (-2Y), (1Y), (3Y), (4Y) t(a)
SELECT approx_top_k(a, 3) FROM VALUES (1S), (-2S), (1S), (300S), (4S) t(a)
SELECT g, approx_top_k(a, 2) FROM VALUES (1, 'x'), (1, 'y'), (1, 'x'), (2, NULL), (2, 'z'), (2, NULL) t(g, a) GROUP BY g ORDER BY g
SELECT g, approx_top_k_estimate(approx_top_k_accumulate(a)) FROM VALUES (1, 'x'), (1, 'y'), (1, 'x'), (2, NULL), (2, 'z'), (2, NULL) t(g, a) GROUP BY g ORDER BY g
SELECT g, sum(x.count) FROM (SELECT g, explode(approx_top_k(a, 2)) x FROM VALUES (1, 'x'), (1, 'y'), (1, 'x'), (2, NULL), (2, 'z') t(g, a) GROUP BY g) GROUP BY g ORDER BY g
SELECT approx_top_k(a, 3)[0].item, approx_top_k(a, 3)[0].count FROM VALUES (timestamp_ntz'2026-01-01 00:00:00'), (timestamp_ntz'2026-01-02 03:04:05.678'), (timestamp_ntz'2026-01-02 03:04:05.678') t(a)
SELECT approx_top_k_estimate(approx_top_k_accumulate(expr)) FROM VALUES (0), (0), (1), (1), (2), (3), (4), (4) AS tab(expr)
SELECT approx_top_k_estimate(approx_top_k_accumulate(expr, 100), 2) FROM VALUES 'a', 'b', 'c', 'c', 'c', 'c', 'd', 'd' tab(expr)
SELECT approx_top_k_estimate(approx_top_k_combine(sketch, 10000), 5) FROM (SELECT approx_top_k_accumulate(expr) AS sketch FROM VALUES (0), (0), (1), (1) AS tab(expr) UNION ALL SELECT approx_top_k_accumulate(expr) AS sketch FROM VALUES (2), (3), (4), (4) AS tab(expr))
SELECT approx_top_k_accumulate(id % 100, 100) FROM range(1000)
SELECT md5(approx_top_k_accumulate(CAST(id % 1000 AS STRING)).sketch) FROM range(3000)
SELECT md5(approx_top_k_accumulate(id % 9000).sketch) FROM range(9500)
SELECT md5(approx_top_k_accumulate(CAST(id % 500 AS DECIMAL(20, 3)) / 8).sketch) FROM range(1000)
SELECT md5(approx_top_k_accumulate(CAST(id % 500 AS DOUBLE) / 8).sketch) FROM range(1000)
SELECT md5(CAST(approx_top_k(id % 9000, 9000) AS STRING)) FROM range(9500)
SELECT approx_top_k_accumulate(a) FROM VALUES (CAST(NULL AS STRING)), (NULL) t(a)
SELECT approx_top_k_accumulate(a, 1), approx_top_k_accumulate(a, 6), approx_top_k_accumulate(a, 12), approx_top_k_accumulate(a, 13), approx_top_k_accumulate(a, 1000000) FROM VALUES (1), (1) t(a)
!SELECT typeof(approx_top_k_accumulate(a)), typeof(approx_top_k_combine(approx_top_k_accumulate(a))) FROM VALUES (1) t(a)
SELECT typeof(approx_top_k_accumulate(a)) FROM VALUES (CAST(1 AS DECIMAL(7, 2))) t(a)
SELECT approx_top_k_combine(s) FROM (SELECT approx_top_k_accumulate(id % 7, 100) s FROM range(50) GROUP BY id % 3)
SELECT approx_top_k_estimate(approx_top_k_combine(s, 50), 20) FROM (SELECT id % 3, approx_top_k_accumulate(id * id % 23, 100) s FROM range(500) GROUP BY id % 3)
SELECT approx_top_k_estimate(approx_top_k_combine(s), 4) FROM (SELECT approx_top_k_accumulate(a, 100) s FROM VALUES ('x'), ('y') t(a) UNION ALL SELECT approx_top_k_accumulate(a, 100) FROM VALUES ('y'), (NULL), (NULL), (NULL) t(a))
SELECT approx_top_k_estimate(approx_top_k_combine(s), 4) FROM (SELECT approx_top_k_accumulate(a, 100) s FROM VALUES (1.5), (2.25) t(a) UNION ALL SELECT approx_top_k_accumulate(a, 100) FROM VALUES (2.25), (1.75) t(a))
SELECT approx_top_k_estimate(named_struct('a', X'04010A04030000000200000000000000020000000000000000000000000000000100000000000000010000000000000003FEFF0301000000000000000000', 'b', 10, 'c', 1S, 'd', 'x'))
!SELECT approx_top_k_estimate(named_struct('a', X'04010A04030000000200000000000000020000000000000000000000000000000100000000000000010000000000000003FEFF0301000000000000000000', 'b', 0, 'c', 1S, 'd', 'x'))
!SELECT approx_top_k_estimate(named_struct('a', X'04010A04030000000200000000000000020000000000000000000000000000000100000000000000010000000000000003FEFF0301000000000000000000', 'b', 1000001, 'c', 1S, 'd', 'x'))
!SELECT approx_top_k_estimate(named_struct('a', X'04010A04030000000200000000000000020000000000000000000000000000000100000000000000010000000000000003FEFF0301000000000000000000', 'b', 10, 'c', '1', 'd', 'x'))
SELECT approx_top_k_combine(named_struct('a', X'04010A04030000000200000000000000020000000000000000000000000000000100000000000000010000000000000003FEFF0301000000000000000000', 'b', 10, 'c', 1S, 'd', 'x smallint'))
!SELECT approx_top_k_combine(named_struct('a', X'04010A04030000000200000000000000020000000000000000000000000000000100000000000000010000000000000003FEFF0301000000000000000000', 'b', 10, 'c', 1S, 'd', 'nonsense ,'))
!SELECT approx_top_k_estimate(NULL)
!SELECT approx_top_k_combine(NULL)
!SELECT approx_top_k()
!SELECT approx_top_k(1, 2, 3, 4)
!SELECT approx_top_k_accumulate(1, 2, 3)
!SELECT approx_top_k_combine(1, 2, 3)
!SELECT approx_top_k_estimate(1, 2, 3)
!SELECT approx_top_k(a) FROM VALUES (parse_json('1')) t(a)
!SELECT approx_top_k(a) FROM VALUES (named_struct('x', 1)) t(a)
!SELECT approx_top_k(a) FROM VALUES (map(1, 2)) t(a)
!SELECT approx_top_k_accumulate(a) FROM VALUES (interval '1' month) t(a)
!SELECT approx_top_k(expr => a, k => 1) FROM VALUES (1), (1), (2) t(a)
SELECT approx_top_k_estimate(approx_top_k_accumulate(a), 1 + 1) FROM VALUES (1), (1), (2), (NULL), (NULL), (NULL), (3) t(a)
SELECT approx_top_k_estimate(s) FROM (SELECT approx_top_k_accumulate(id, 6) s FROM range(6))
SELECT approx_top_k_estimate(s, 3) FROM (SELECT approx_top_k_accumulate(a, 10) s FROM VALUES (1), (2) t(a)) WHERE s.maxItemsTracked > 100
!SELECT approx_top_k(a, k) FROM VALUES (1, 2) t(a, k)
SELECT approx_top_k(a, 2 * 2, 10 + 10) FROM VALUES (1), (2), (2), (3) t(a)
!SELECT approx_top_k(a, 99999999999) FROM VALUES (1), (2), (2), (3) t(a)
!SELECT approx_top_k(id, 1 + CAST(rand(1) AS INT)) FROM range(3)

-- JSON, CSV and VARIANT
SELECT from_json(CAST(v AS STRING), 'a INT, t STRING, _corrupt_record STRING') FROM VALUES (X'7B2261223A312C2274223A2278227D'), (X'7B2261223A312C2274223A22FFFE227D'), (X'7B2261223A312C2274223A22C3A9C3227D'), (X'EFBBBF7B2261223A317D'), (X''), (X'2020'), (X'7B2261223A22F09F227D'), (X'7B22FF223A312C2261223A327D'), (X'7B2261223A317DFF'), (X'00'), (X'7B2261223A312C2274223A22610062227D'), (X'7B2274223A226C6F6E6720656E6F75676820666F7220746865206865617020E4F6FC227D'), (X'7B2274223A22EDA080227D'), (NULL) AS t(v)
SELECT from_json(CAST(v AS STRING), 'ARRAY<STRUCT<a INT>>'), from_json(TRY_CAST(v AS STRING), 'MAP<STRING, STRING>') FROM VALUES (X'7B2261223A317D'), (X'5B7B2261223A317D2C7B7D5D'), (X'7B22FF223A317D'), (NULL) AS t(v)
SELECT from_json(CAST(X'7B2261223A78' AS STRING), 'a INT', map('mode', 'FAILFAST'))
SELECT from_json('{"a":1}', 'a INT, a INT')
SELECT from_json('{"a":1,"A":2}', 'a INT'), from_json('{"a":1,"A":2}', 'A INT')
SELECT from_csv('1,2', 'a INT, b INT'), from_csv('1,2', 'A INT, b INT'), from_csv('1,2', 'a INT, B INT')
SELECT CAST(named_struct('x', '1') AS STRUCT<a: INT>), CAST(named_struct('x', '1') AS STRUCT<A: INT>), variant_get(parse_json('{"a":1,"A":2}'), '$', 'STRUCT<a: INT>'), variant_get(parse_json('{"a":1,"A":2}'), '$', 'STRUCT<A: INT>')
SELECT from_json(v, 'a INT') FROM VALUES ('\t'), ('\n \r'), ('\u0001'), (' \u00a0'), ('/**/') AS t(v)
SELECT from_json(v, 'a INT, o STRUCT<x: INT, y: STRING>, m MAP<STRING, INT>, t STRING, b BOOLEAN, _corrupt_record STRING') FROM VALUES ('{"a":1,"o":{"x":1,"y":'), ('{"a":1,"o":{"x":1,"y'), ('{"a":1,"o":{"x":1,"y":"z'), ('{"a":1,"o":{"x":1'), ('{"a":1,"o":{"x":x,"y":"z"},"t":"u"}'), ('{"a":1,"o":{"q":x}}'), ('{"a":1,"o":{"x" 1}}'), ('{"a":1,"m":{"x":'), ('{"a":1,"m":{"x":1'), ('{"a":1,"t":{"x":[{"y":'), ('{"a":1,"t":{"x":[1,'), ('{"a":1,"q":{"x":') AS t(v)
SELECT from_json(v, 'a INT, o STRUCT<x: INT, y: STRING>, l ARRAY<INT>, t STRING, _corrupt_record STRING') FROM VALUES ('{"a":1,"a":"x"}'), ('{"a":"x","a":1}'), ('{"a":1,"a":null}'), ('{"a":1,"a":2,"a":"x"}'), ('{"o":{"x":1},"o":{"y":"z"}}'), ('{"o":{"x":1},"o":7}'), ('{"o":{"x":1,"x":"y"}}'), ('{"l":[1],"l":["x"]}'), ('{"l":[1,2],"l":[3]}'), ('{"t":"u","t":1.50}') AS t(v)
