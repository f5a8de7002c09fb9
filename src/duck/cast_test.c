/* duck/cast_test.c - casts as Spark's, from data */
#include "duck/duck_test.h"
#include "duck/parse.h"
#include "duck/print.h"

typedef struct Case {
    const char *sql, *expected;
} Case;

static void check_all(Fixture *f, const Case *cases, size_t count)
{
    duck_session_set_clock(f->session, INT64_C(1767225600000000)); /* 2026-01-01 */
    for (size_t i = 0; i < count; i++)
        check(f, cases[i].sql, cases[i].expected);
}
#define CHECK_ALL(f, cases) check_all(f, cases, sizeof(cases) / sizeof *(cases))

/* text -> value, by way of Spark's text of the value */
#define FROM(type, text) "SELECT silt_to_string(\"silt_cast:" type "\"('" text "', 0))"

static void text_to_boolean_and_integers(void **state)
{
    static const Case cases[] = {
        {FROM("boolean", "true"), "true"},
        {FROM("boolean", " T\t"), "true"},
        {FROM("boolean", "yes"), "true"},
        {FROM("boolean", "0"), "false"},
        {FROM("boolean", "N"), "false"},
        {FROM("boolean", "maybe"), "error CAST_INVALID_INPUT"},
        {FROM("boolean", ""), "error CAST_INVALID_INPUT"},
        {FROM("int", " 12 "), "12"},
        {FROM("int", "+5"), "5"},
        {FROM("int", "-2147483648"), "-2147483648"},
        {FROM("int", "2147483648"), "error CAST_INVALID_INPUT"},
        {FROM("int", "12.5"), "error CAST_INVALID_INPUT"},
        {FROM("int", "1e3"), "error CAST_INVALID_INPUT"},
        {FROM("int", "+-5"), "error CAST_INVALID_INPUT"},
        {FROM("int", "+"), "error CAST_INVALID_INPUT"},
        {FROM("int", ""), "error CAST_INVALID_INPUT"},
        {FROM("tinyint", "-128"), "-128"},
        {FROM("tinyint", "128"), "error CAST_INVALID_INPUT"},
        {FROM("smallint", "32767"), "32767"},
        {FROM("bigint", "-9223372036854775808"), "-9223372036854775808"},
        {FROM("bigint", "9223372036854775808"), "error CAST_INVALID_INPUT"},
        {"SELECT \"silt_try_cast:int\"('abc')::VARCHAR", "NULL"},
        {"SELECT \"silt_try_cast:int\"('7')::VARCHAR", "7"},
        {"SELECT \"silt_cast:int\"(NULL, 0)::VARCHAR", "NULL"},
        {"SELECT sum(\"silt_cast:int\"(i::VARCHAR, 0))::VARCHAR FROM range(5000) t(i)", "12497500"},
    };
    CHECK_ALL(*state, cases);
}

static void text_to_floating_point(void **state)
{
    static const Case cases[] = {
        {FROM("double", " 1.5 "), "1.5"},
        {FROM("double", "1d"), "1.0"},
        {FROM("double", "1e10F"), "1.0E10"},
        {FROM("double", ".5"), "0.5"},
        {FROM("double", "5."), "5.0"},
        {FROM("double", "0x1p3"), "8.0"},
        {FROM("double", "NaN"), "NaN"},
        {FROM("double", "nan"), "NaN"},
        {FROM("double", "Infinity"), "Infinity"},
        {FROM("double", "-INF"), "-Infinity"},
        {FROM("double", "+inf"), "Infinity"},
        {FROM("double", "1e999"), "Infinity"},
        {FROM("double", "-0"), "-0.0"},
        {FROM("double", "0x10"), "error CAST_INVALID_INPUT"},
        {FROM("double", "1dd"), "error CAST_INVALID_INPUT"},
        {FROM("double", "."), "error CAST_INVALID_INPUT"},
        {FROM("double", "1e"), "error CAST_INVALID_INPUT"},
        {FROM("double", "abc"), "error CAST_INVALID_INPUT"},
        {FROM("double", "1,5"), "error CAST_INVALID_INPUT"},
        {FROM("float", "0.1"), "0.1"},
        {FROM("float", "16777217"), "1.6777216E7"},
        {"SELECT \"silt_try_cast:double\"('x')::VARCHAR", "NULL"},
    };
    CHECK_ALL(*state, cases);
}

static void text_to_decimal(void **state)
{
    static const Case cases[] = {
        {FROM("decimal(10,2)", "1.235"), "1.24"},
        {FROM("decimal(10,2)", "-1.235"), "-1.24"},
        {FROM("decimal(10,2)", "1.2349999"), "1.23"},
        {FROM("decimal(10,0)", "1.9"), "2"},
        {FROM("decimal(10,0)", "0.5"), "1"},
        {FROM("decimal(10,0)", "0.05"), "0"},
        {FROM("decimal(10,3)", " +12e-1 "), "1.200"},
        {FROM("decimal(5,0)", "1.2E3"), "1200"},
        {FROM("decimal(3,2)", ".5"), "0.50"},
        {FROM("decimal(3,2)", "9.994"), "9.99"},
        {FROM("decimal(3,2)", "9.995"), "error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"},
        {FROM("decimal(4,2)", "123.456"), "error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"},
        {FROM("decimal(38,0)", "99999999999999999999999999999999999999"), "99999999999999999999999999999999999999"},
        {FROM("decimal(38,38)", "-0.00000000000000000000000000000000000001"), "-0.00000000000000000000000000000000000001"},
        {FROM("decimal(38,0)", "100000000000000000000000000000000000000"), "error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"},
        {FROM("decimal(38,0)", "1e2000000000"), "error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"},
        {FROM("decimal(38,2)", "1e-2000000000"), "0.00"},
        {FROM("decimal(38,2)", "0e99"), "0.00"},
        {FROM("decimal(38,0)", "00000000000000000000000000000000000000000000000000000007"), "7"},
        {FROM("decimal(4,2)", "1.5d"), "error CAST_INVALID_INPUT"},
        {FROM("decimal(4,2)", "-"), "error CAST_INVALID_INPUT"},
        {FROM("decimal(4,2)", "1.2.3"), "error CAST_INVALID_INPUT"},
        {FROM("decimal(4,2)", "1e"), "error CAST_INVALID_INPUT"},
        {"SELECT \"silt_try_cast:decimal(4,2)\"('123.4')::VARCHAR", "NULL"},
    };
    CHECK_ALL(*state, cases);
}

static void text_to_date(void **state)
{
    static const Case cases[] = {
        {FROM("date", "2026-01-02"), "2026-01-02"},
        {FROM("date", " 2026-1-2 "), "2026-01-02"},
        {FROM("date", "2026"), "2026-01-01"},
        {FROM("date", "2026-11"), "2026-11-01"},
        {FROM("date", "2026-01-02 10:00:00"), "2026-01-02"},
        {FROM("date", "2026-01-02Tanything"), "2026-01-02"},
        {FROM("date", "-0001-12-31"), "-0001-12-31"},
        {FROM("date", "+12026-01-02"), "+12026-01-02"},
        {FROM("date", "2024-02-29"), "2024-02-29"},
        {FROM("date", "2026-02-29"), "error CAST_INVALID_INPUT"},
        {FROM("date", "2026-13-01"), "error CAST_INVALID_INPUT"},
        {FROM("date", "2026-01-02x"), "error CAST_INVALID_INPUT"},
        {FROM("date", "2026 x"), "error CAST_INVALID_INPUT"},
        {FROM("date", "20260102"), "error CAST_INVALID_INPUT"},
        {FROM("date", "202-01-02"), "error CAST_INVALID_INPUT"},
        {FROM("date", "2026-001-02"), "error CAST_INVALID_INPUT"},
        {FROM("date", "2026-"), "error CAST_INVALID_INPUT"},
        {FROM("date", "9999999-01-01"), "error CAST_INVALID_INPUT"},
        {FROM("date", ""), "error CAST_INVALID_INPUT"},
        {"SELECT \"silt_try_cast:date\"('2026-02-30')::VARCHAR", "NULL"},
    };
    CHECK_ALL(*state, cases);
}

static void text_to_timestamp(void **state)
{
    static const Case cases[] = {
        {FROM("timestamp", "2026-01-02T03:04:05.678901Z"), "2026-01-02 03:04:05.678901"},
        {FROM("timestamp", "2026-01-02 03:04"), "2026-01-02 03:04:00"},
        {FROM("timestamp", "2026-01-02 3"), "2026-01-02 03:00:00"},
        {FROM("timestamp", "2026-1-2"), "2026-01-02 00:00:00"},
        {FROM("timestamp", "2026-1"), "2026-01-01 00:00:00"},
        {FROM("timestamp", "2026"), "2026-01-01 00:00:00"},
        {FROM("timestamp", "2026-01-02 03:04:05+02:00"), "2026-01-02 01:04:05"},
        {FROM("timestamp", "2026-01-02 03:04:05.5 -1:30"), "2026-01-02 04:34:05.5"},
        {FROM("timestamp", "2026-01-02 03:04:05 Europe/Berlin"), "2026-01-02 02:04:05"},
        {FROM("timestamp", "2026-07-02 03:04:05Europe/Berlin"), "2026-07-02 01:04:05"},
        {FROM("timestamp", "2026-01-02 03:04:05.123456789"), "2026-01-02 03:04:05.123456"},
        {FROM("timestamp", "2026-01-02 03:04:05.1"), "2026-01-02 03:04:05.1"},
        {FROM("timestamp", "2026-01-02 03:04:05."), "2026-01-02 03:04:05"},
        {FROM("timestamp", "2026-01-02 03:04:05.12Z"), "2026-01-02 03:04:05.12"},
        {FROM("timestamp", "03:04:05"), "2026-01-01 03:04:05"},
        {FROM("timestamp", "T03:04"), "2026-01-01 03:04:00"},
        {FROM("timestamp", "-0001-01-01 00:00:00"), "-0001-01-01 00:00:00"},
        {FROM("timestamp", "+12026-01-02 00:00:00"), "+12026-01-02 00:00:00"},
        {FROM("timestamp", "2026-01-02 25:00:00"), "error CAST_INVALID_INPUT"},
        {FROM("timestamp", "2026-01-02 03:60:00"), "error CAST_INVALID_INPUT"},
        {FROM("timestamp", "2026-02-30 00:00:00"), "error CAST_INVALID_INPUT"},
        {FROM("timestamp", "2026-01-02 03:04Z"), "error CAST_INVALID_INPUT"},
        {FROM("timestamp", "2026-01-02T"), "error CAST_INVALID_INPUT"},
        {FROM("timestamp", "2026-01-02 03:04:05 Nowhere/Land"), "error CAST_INVALID_INPUT"},
        {FROM("timestamp", "2026-01-02 03:04:05+19:00"), "error CAST_INVALID_INPUT"},
        {FROM("timestamp", "2026-01-02 03:04:05+130"), "error CAST_INVALID_INPUT"},
        {FROM("timestamp", "999999-01-01 00:00:00"), "error CAST_INVALID_INPUT"},
        {FROM("timestamp", "x"), "error CAST_INVALID_INPUT"},
        {FROM("timestamp_ntz", "2026-01-02T03:04:05.6+05:00"), "2026-01-02 03:04:05.6"},
        {FROM("timestamp_ntz", "03:04:05"), "error CAST_INVALID_INPUT"},
        {"SELECT \"silt_try_cast:timestamp\"('2026-13-01')::VARCHAR", "NULL"},
    };
    CHECK_ALL(*state, cases);
}

static void local_times_that_are_skipped_or_repeated_are_read_as_spark_does(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    assert_int_equal(duck_session_set_time_zone(f->session, "Europe/Berlin", &err), 0);
    static const Case cases[] = {
        {FROM("timestamp", "2026-03-29 02:30:00"), "2026-03-29 03:30:00"},
        {"SELECT epoch_us(\"silt_cast:timestamp\"('2026-03-29 02:30:00', 0))::VARCHAR", "1774747800000000"},
        {"SELECT epoch_us(\"silt_cast:timestamp\"('2026-10-25 02:30:00', 0))::VARCHAR", "1792888200000000"},
        {"SELECT epoch_us(\"silt_cast:timestamp\"('2026-10-25 03:00:00', 0))::VARCHAR", "1792893600000000"},
        {"SELECT silt_to_string(\"silt_cast:timestamp\"(DATE '2026-03-29', 0))", "2026-03-29 00:00:00"},
        {"SELECT (\"silt_cast:timestamp\"(TIMESTAMP '2026-01-02 03:04:05', 0) = TIMESTAMPTZ '2026-01-02 02:04:05+00')::VARCHAR", "true"},
        {"SELECT silt_to_string(\"silt_cast:timestamp_ntz\"(TIMESTAMPTZ '2026-07-01 23:30:00+00', 0))", "2026-07-02 01:30:00"},
        {"SELECT silt_to_string(\"silt_cast:date\"(TIMESTAMPTZ '2026-07-01 23:30:00+00', 0))", "2026-07-02"},
        {FROM("timestamp", "1800-01-01 00:00:00"), "1800-01-01 00:00:00"},
        {"SELECT epoch_us(\"silt_cast:timestamp\"('1880-01-01 00:00:00', 0))::VARCHAR", "-2840144008000000"}, /* local mean time +0:53:28 */
        /* far years follow the last rules: summer time from the last Sunday of March */
        {"SELECT epoch_us(\"silt_cast:timestamp\"('2537-07-01 12:00:00', 0) - TIMESTAMP '2537-07-01 12:00:00' AT TIME ZONE 'UTC')::VARCHAR",
         "-7200000000"},
        {"SELECT epoch_us(\"silt_cast:timestamp\"('2537-12-01 12:00:00', 0) - TIMESTAMP '2537-12-01 12:00:00' AT TIME ZONE 'UTC')::VARCHAR",
         "-3600000000"},
    };
    CHECK_ALL(f, cases);
}

/* In C and in SQL the same, on every change of offset that there is. */
static void zones_agree_with_the_engine(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    static const char *const zones[] = {"Europe/Berlin",     "America/New_York", "Asia/Kolkata",     "Australia/Lord_Howe",
                                        "Africa/Casablanca", "Pacific/Apia",     "America/St_Johns", "Asia/Tehran"};
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
        assert_int_equal(duck_session_set_time_zone(f->session, zones[i], &err), 0);
        check(f,
              "SELECT count(*)::VARCHAR || ' ' || count_if(\"silt_cast:timestamp_ntz\"(t, 0) <> t::TIMESTAMP) FROM "
              "(SELECT make_timestamptz(i * 5400000000 + 123456) t FROM range(-980000, 720000, 3) r(i))",
              "566667 0");
    }
}

#define TO(value) "SELECT silt_to_string(" value ")"

static void values_to_text(void **state)
{
    static const Case cases[] = {
        {TO("1::TINYINT"), "1"},
        {TO("true"), "true"},
        {TO("1.50::DECIMAL(10,2)"), "1.50"},
        {TO("-0.05::DECIMAL(4,2)"), "-0.05"},
        {TO("0.0000001::DECIMAL(20,10)"), "0.0000001000"},
        {TO("100::DECIMAL(20,0)"), "100"},
        {TO("-99999999999999999999999999999999999999::DECIMAL(38,0)"), "-99999999999999999999999999999999999999"},
        {TO("1::DOUBLE"), "1.0"},
        {TO("1e10::DOUBLE"), "1.0E10"},
        {TO("1e7::DOUBLE"), "1.0E7"},
        {TO("9999999::DOUBLE"), "9999999.0"},
        {TO("1e-4::DOUBLE"), "1.0E-4"},
        {TO("0.001::DOUBLE"), "0.001"},
        {TO("0.0015::DOUBLE"), "0.0015"},
        {TO("100::DOUBLE"), "100.0"},
        {TO("120::DOUBLE"), "120.0"},
        {TO("123456789.123::DOUBLE"), "1.23456789123E8"},
        {TO("-0.0::DOUBLE"), "-0.0"},
        {TO("0.1::DOUBLE + 0.2::DOUBLE"), "0.30000000000000004"},
        {TO("4.9e-324::DOUBLE"), "4.9E-324"},
        {TO("2.2250738585072014e-308::DOUBLE"), "2.2250738585072014E-308"},
        {TO("1.7976931348623157e308::DOUBLE"), "1.7976931348623157E308"},
        {TO("5.684341886080802e-14::DOUBLE"), "5.684341886080802E-14"},
        {TO("9007199254740993::DOUBLE"), "9.007199254740992E15"},
        {TO("2e23::DOUBLE"), "2.0E23"},
        {TO("'nan'::DOUBLE"), "NaN"},
        {TO("'-inf'::DOUBLE"), "-Infinity"},
        {TO("1.1::FLOAT"), "1.1"},
        {TO("3.4028235e38::FLOAT"), "3.4028235E38"},
        {TO("1.4e-45::FLOAT"), "1.4E-45"},
        {TO("1.1::FLOAT::DOUBLE"), "1.100000023841858"},
        {TO("DATE '2026-01-02'"), "2026-01-02"},
        {TO("DATE '10000-01-01'"), "+10000-01-01"},
        {TO("TIMESTAMPTZ '2026-01-02 03:04:05.100+00'"), "2026-01-02 03:04:05.1"},
        {TO("TIMESTAMPTZ '2026-01-02 03:04:05.000001+00'"), "2026-01-02 03:04:05.000001"},
        {TO("TIMESTAMP '1969-12-31 23:59:59.9'"), "1969-12-31 23:59:59.9"},
        {TO("'AB'::BLOB"), "AB"},
        {TO("'\\xC3\\xA9\\xFF'::BLOB"), "\xC3\xA9\xEF\xBF\xBD"},
        {TO("[1, 2, NULL]"), "[1, 2, null]"},
        {TO("MAP {'a': 1}"), "{a -> 1}"},
        {TO("{'a': 1, 'b': 'x', 'c': NULL::DOUBLE, 'd': [{'e': 1.5::DOUBLE}]}"), "{1, x, null, [{1.5}]}"},
        {TO("INTERVAL '14 months 3 days 01:02:03.5'"), "1 years 2 months 3 days 1 hours 2 minutes 3.5 seconds"},
        {TO("NULL::INTEGER"), "NULL"},
    };
    CHECK_ALL(*state, cases);
}

static void a_printed_double_reads_back_and_no_shorter_text_does(void **state)
{
    (void)state;
    uint64_t bits = 88172645463325252u;
    silt_auto(str_buf_fini) StrBuf text = {0};
    for (int i = 0; i < 200000; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double value;
        memcpy(&value, &bits, sizeof value);
        if (value != value || value - value != 0)
            continue;
        str_buf_clear(&text);
        print_double(&text, value);
        assert_true(strtod(text.ptr, NULL) == value);
        int digits = 0;
        for (const char *p = text.ptr; *p && *p != 'E'; p++)
            digits += *p >= (digits ? '0' : '1') && *p <= '9'; /* zeros in front do not count */
        char shorter[40];
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
        if (digits > 2)
            assert_true(strtod(shorter, NULL) != value);
    }
}

static void a_plain_number_is_read_as_strtod_reads_it(void **state)
{
    (void)state;
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        char text[40];
        int digits = (int)(bits % 16) + 1, point = (int)(bits >> 8 & 15);
        int size = snprintf(text, sizeof text, "%s%0*llu", bits >> 12 & 1 ? "-" : "", digits,
                            (unsigned long long)(bits >> 13) % 10000000000000000u);
        if (point < size) {
            memmove(text + point + 1, text + point, (size_t)(size - point + 1));
            text[point] = '.';
        }
        double value;
        if (parse_double(str_of(text), &value))
            assert_true(value == strtod(text, NULL));
        else
            assert_non_null(strstr(text, ".-"));
    }
}

#define NUMBER(type, value) "SELECT silt_to_string(\"silt_cast:" type "\"(" value ", 0))"

static void numbers_to_numbers(void **state)
{
    static const Case cases[] = {
        {NUMBER("int", "1.9::DOUBLE"), "1"},
        {NUMBER("int", "-1.9::DOUBLE"), "-1"},
        {NUMBER("int", "2147483647.9::DOUBLE"), "2147483647"},
        {NUMBER("int", "2147483648::DOUBLE"), "error CAST_OVERFLOW"},
        {NUMBER("int", "'nan'::DOUBLE"), "error CAST_OVERFLOW"},
        {NUMBER("bigint", "1e20::DOUBLE"), "error CAST_OVERFLOW"},
        {NUMBER("bigint", "9223372036854775808::DOUBLE"), "9223372036854775807"},
        {NUMBER("tinyint", "300"), "error CAST_OVERFLOW"},
        {NUMBER("int", "3000000000"), "error CAST_OVERFLOW"},
        {NUMBER("int", "1.99::DECIMAL(10,2)"), "1"},
        {NUMBER("tinyint", "-128.99::DECIMAL(38,2)"), "-128"},
        {NUMBER("int", "true"), "1"},
        {NUMBER("boolean", "2"), "true"},
        {NUMBER("boolean", "0.00::DECIMAL(4,2)"), "false"},
        {NUMBER("decimal(10,2)", "1.005::DECIMAL(10,3)"), "1.01"},
        {NUMBER("decimal(10,2)", "-1.005::DECIMAL(10,3)"), "-1.01"},
        {NUMBER("decimal(4,2)", "123.456::DECIMAL(6,3)"), "error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"},
        {NUMBER("decimal(38,38)", "1"), "error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"},
        {NUMBER("decimal(38,10)", "9223372036854775807"), "9223372036854775807.0000000000"},
        {NUMBER("decimal(10,2)", "1.005::DOUBLE"), "1.01"},
        {NUMBER("decimal(10,2)", "'nan'::DOUBLE"), "NULL"},
        {NUMBER("decimal(10,2)", "1e30::DOUBLE"), "error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"},
        {NUMBER("double", "0.1::DECIMAL(38,20)"), "0.1"},
        {NUMBER("double", "12345678901234567890.12345678::DECIMAL(38,8)"), "1.2345678901234567E19"},
        {NUMBER("float", "0.1::DOUBLE"), "0.1"},
        {NUMBER("timestamp", "0"), "1970-01-01 00:00:00"},
        {NUMBER("timestamp", "1.5::DECIMAL(2,1)"), "1970-01-01 00:00:01.5"},
        {NUMBER("timestamp", "1.5::DOUBLE"), "1970-01-01 00:00:01.5"},
        {NUMBER("timestamp", "'nan'::DOUBLE"), "error CAST_INVALID_INPUT"},
        {NUMBER("double", "TIMESTAMPTZ '2026-01-01 00:00:01.5+00'"), "1.7672256015E9"},
        {NUMBER("bigint", "TIMESTAMPTZ '2026-01-01 00:00:01.5+00'"), "1767225601"},
        {NUMBER("bigint", "TIMESTAMPTZ '1969-12-31 23:59:59.5+00'"), "-1"},
        {NUMBER("int", "TIMESTAMPTZ '2100-01-01 00:00:00+00'"), "error CAST_OVERFLOW"},
        {NUMBER("decimal(20,6)", "TIMESTAMPTZ '2026-01-01 00:00:01.5+00'"), "1767225601.500000"},
        {"SELECT \"silt_try_cast:tinyint\"(300)::VARCHAR", "NULL"},
        {NUMBER("date", "1"), "error DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION"},
        {NUMBER("binary", "'x'"), "x"},
    };
    CHECK_ALL(*state, cases);
}

/* DuckDB has plain numbers for intervals: the type of the argument stands in the name. */
static void intervals_are_known_by_their_name(void **state)
{
    static const Case cases[] = {
        {"SELECT \"silt_to_string:interval day->string\"(86400000000)", "INTERVAL '1' DAY"},
        {"SELECT \"silt_cast:interval day to second->string\"(-90061000500, 0)", "INTERVAL '-1 01:01:01.0005' DAY TO SECOND"},
        {"SELECT \"silt_cast:interval hour to minute->string\"(90000000000, 0)", "INTERVAL '25:00' HOUR TO MINUTE"},
        {"SELECT \"silt_cast:interval year to month->string\"(-14::INTEGER, 0)", "INTERVAL '-1-2' YEAR TO MONTH"},
        {"SELECT \"silt_cast:interval year->int\"(36::INTEGER, 0)::VARCHAR", "3"},
        {"SELECT \"silt_cast:interval year->int\"(36::BIGINT, 0)::VARCHAR",
         "error argument 1 of silt_cast is of another type than its name says"},
        {"SELECT \"silt_cast:interval day->tinyint\"(86400000000 * 200, 0)::VARCHAR", "error CAST_OVERFLOW"},
        {"SELECT \"silt_cast:interval hour\"(3, 0)::VARCHAR", "10800000000"},
        {"SELECT \"silt_cast:interval year\"(300000000, 0)::VARCHAR", "error CAST_OVERFLOW"},
        {"SELECT \"silt_try_cast:interval year\"(300000000)::VARCHAR", "NULL"},
        {"SELECT \"silt_cast:interval day to second->interval hour\"(90061000000, 0)::VARCHAR", "90000000000"},
        {"SELECT \"silt_cast:interval day to second->decimal(20,3)\"(-1500600::BIGINT, 0)::VARCHAR", "-1.501"},
        {"SELECT \"silt_cast:interval day->decimal(4,1)\"(86400000000 * 3, 0)::VARCHAR", "3.0"},
        {"SELECT \"silt_cast:interval second\"(1.5::DECIMAL(3,1), 0)::VARCHAR", "1500000"},
        {"SELECT \"silt_cast:interval year to month\"(1.6::DECIMAL(3,1), 0)::VARCHAR", "2"},
        {"SELECT \"silt_cast:interval day\"('1', 0)::VARCHAR", "86400000000"},
        {"SELECT \"silt_cast:interval day\"('INTERVAL -''2'' DAY', 0)::VARCHAR", "-172800000000"},
        {"SELECT \"silt_cast:interval day to second\"(' -1 02:03:04.5 ', 0)::VARCHAR", "-93784500000"},
        {"SELECT \"silt_cast:interval day to second\"('1 24:00:00', 0)::VARCHAR", "error INVALID_INTERVAL_FORMAT.UNMATCHED_FORMAT_STRING_WITH_NOTICE"},
        {"SELECT \"silt_cast:interval day to second\"('1 2:3', 0)::VARCHAR", "error INVALID_INTERVAL_FORMAT.UNMATCHED_FORMAT_STRING_WITH_NOTICE"},
        {"SELECT \"silt_cast:interval second\"('1.1234567', 0)::VARCHAR", "1123456"},
        {"SELECT \"silt_cast:interval year to month\"('-1-2', 0)::VARCHAR", "-14"},
        {"SELECT \"silt_cast:interval year to month\"('interval ''1-11'' year to month', 0)::VARCHAR", "23"},
        {"SELECT \"silt_cast:interval year to month\"('1-12', 0)::VARCHAR", "error INVALID_INTERVAL_FORMAT.INTERVAL_PARSING"},
        {"SELECT \"silt_cast:interval year\"('300000000', 0)::VARCHAR", "error INVALID_INTERVAL_FORMAT.INTERVAL_PARSING"},
        {"SELECT silt_to_string(\"silt_cast:interval\"('1 day', 0))", "1 days"},
        {"SELECT silt_to_string(\"silt_cast:interval\"('interval 1 year -2 weeks 3.25 seconds', 0))", "1 years -14 days 3.25 seconds"},
        {"SELECT silt_to_string(\"silt_cast:interval\"('1.5 days', 0))", "error CAST_INVALID_INPUT"},
        {"SELECT silt_to_string(\"silt_cast:interval\"('1', 0))", "error CAST_INVALID_INPUT"},
        {"SELECT silt_to_string(\"silt_cast:interval\"('', 0))", "error CAST_INVALID_INPUT"},
    };
    CHECK_ALL(*state, cases);
}

static void a_wrong_zone_in_every_row_is_looked_up_once(void **state)
{
    Fixture *f = *state;
    check(f, "SELECT count(\"silt_try_cast:timestamp\"('2026-01-02 03:04:05 No/Where'))::VARCHAR FROM range(300000)",
          "0"); /* hours, if not */
}

/* Functions whose names differ by case are one to DuckDB: the types must still be right. */
static void types_that_differ_by_case_only_do_not_clash(void **state)
{
    static const Case cases[] = {
        {"SELECT (\"silt_try_cast:decimal(10,2)\"('1.5'))::VARCHAR", "1.50"},
        {"SELECT (\"silt_try_cast:DECIMAL(10,2)\"('1.5'))::VARCHAR", "1.50"},
    };
    CHECK_ALL(*state, cases);
}

static void a_failed_cast_points_at_its_place(void **state)
{
    Fixture *f = *state;
    SiltErr err;
    duck_session_set_source(f->session, "transformations/orders.sql");
    long long pos = duck_pos_pack((SiltPos){.line = 7, .column = 12, .length = 20});
    ask(f, arena_printf(f->arena, "SELECT \"silt_cast:int\"(s, %lld)::VARCHAR FROM (VALUES ('1'), (NULL), ('abc')) t(s)", pos), &err);
    assert_string_equal(err.message, "cannot cast \"abc\" to int: it is malformed or does not fit");
    assert_string_equal(err.file, "transformations/orders.sql");
    assert_int_equal(err.line, 7);
    assert_int_equal(err.column, 12);
    assert_int_equal(err.length, 20);
    assert_int_equal(err.kind, SILT_INPUT);
    ask(f, arena_printf(f->arena, "SELECT \"silt_cast:int\"(3000000000, %lld)::VARCHAR", pos), &err);
    assert_string_equal(err.message, "3000000000L (bigint) does not fit int");
    /* what WHERE or CASE leaves out is not looked at */
    check(f, "SELECT string_agg(\"silt_cast:int\"(s, 0)::VARCHAR, ',') FROM (VALUES ('1'), ('x'), ('3')) t(s) WHERE s <> 'x'", "1,3");
    check(f, "SELECT string_agg(CASE WHEN s <> 'x' THEN \"silt_cast:int\"(s, 0) END::VARCHAR, ',') FROM (VALUES ('1'), ('x'), ('3')) t(s)",
          "1,3");
}

/* Children of a struct may be constants or dictionaries inside of DuckDB: functions must see every row all the same. */
static void nested_arguments_are_flat(void **state)
{
    static const Case cases[] = {
        {"SELECT string_agg(silt_to_string({'a': 7, 'b': i}), ' ') FROM range(3) t(i)", "{7, 0} {7, 1} {7, 2}"},
        {"SELECT string_agg(silt_to_string({'a': s, 'b': [s, 'y']}), ' ' ORDER BY i) FROM (SELECT i, s FROM (VALUES (1, 'p'), (2, 'q')) "
         "l(k, s) "
         "JOIN range(4) t(i) ON k = i % 2 + 1)",
         "{p, [p, y]} {q, [q, y]} {p, [p, y]} {q, [q, y]}"},
        {"SELECT string_agg(silt_to_string([{'a': i, 'b': 5}]), ' ') FROM (SELECT i FROM range(5) t(i) WHERE i % 2 = 0)",
         "[{0, 5}] [{2, 5}] [{4, 5}]"},
        {"SELECT string_agg(silt_to_string(CASE WHEN i = 1 THEN NULL ELSE {'a': i} END), ' ') FROM range(3) t(i)", "{0} {2}"},
        {"SELECT string_agg(silt_to_string(MAP {i: {'a': 'const'}}), ' ') FROM range(2) t(i)", "{0 -> {const}} {1 -> {const}}"},
    };
    CHECK_ALL(*state, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(text_to_boolean_and_integers),
        FIXTURE_TEST(text_to_floating_point),
        FIXTURE_TEST(text_to_decimal),
        FIXTURE_TEST(text_to_date),
        FIXTURE_TEST(text_to_timestamp),
        FIXTURE_TEST(local_times_that_are_skipped_or_repeated_are_read_as_spark_does),
        FIXTURE_TEST(zones_agree_with_the_engine),
        FIXTURE_TEST(values_to_text),
        cmocka_unit_test(a_printed_double_reads_back_and_no_shorter_text_does),
        cmocka_unit_test(a_plain_number_is_read_as_strtod_reads_it),
        FIXTURE_TEST(numbers_to_numbers),
        FIXTURE_TEST(intervals_are_known_by_their_name),
        FIXTURE_TEST(a_wrong_zone_in_every_row_is_looked_up_once),
        FIXTURE_TEST(types_that_differ_by_case_only_do_not_clash),
        FIXTURE_TEST(a_failed_cast_points_at_its_place),
        FIXTURE_TEST(nested_arguments_are_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
