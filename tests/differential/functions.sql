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
