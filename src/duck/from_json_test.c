/* Records read straight into columns give what trees of them give: R1 to R3 of fn_from_json.c, with damaged records by the thousand. */
#include "duck/duck_test.h"

#define FIELDS "id bigint, n int, s smallint, d double, f float, p decimal(8,3), t string, b boolean, at timestamp, day date, o struct<x int, y string>, l array<int>, m map<string, int>"

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed * UINT64_C(2685821657736338717) >> 32;
}

static const char *pick(uint64_t *seed, const char *const *of, size_t count)
{
    return of[next_random(seed) % count];
}

/* A record that begins with a brace: members that fit the fields or not, then some bytes lost, doubled or changed. */
static void make_record(StrBuf *out, uint64_t *seed)
{
    static const char *const names[] = {"id", "n", "s", "d", "f", "p", "t", "b", "at", "day", "o", "l", "m", "unknown", "\\u0069d"};
    static const char *const values[] = {
        "1", "-7", "0", "-0", "007", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "123456789012345678", "1234567890123456789", "2147483648", "32768", "-32768",
        "1.5", "-0.0", "0.1", "1e3", "1E400", "12345678901234567.5", "123456789.123456", "0.30000000000000004", "123456789012345.6", "1.", ".5", "00.5", "-", "null", "nul", "true", "false", "falsehood",
        "\"text\"", "\"\"", "\"1\"", "\"1.5\"", "\"NaN\"", "NaN", "-Infinity", "\"a\\\"b\"", "\"\\u00e9\\n\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"longer than twelve bytes of text\"", "\"\t\"",
        "\"2026-01-02T03:04:05Z\"", "\"2026-01-02T03:04:05.123456Z\"", "\"2026-01-02 03:04:05\"", "\"2026-01-02T03:04:05+02:00\"", "\"2026-02-30T00:00:00Z\"", "\"2026-01-02\"", "1767323045",
        "{\"x\":1,\"y\":\"z\"}", "{\"x\":\"1\"}", "{\"y\":null,\"q\":[{}]}", "{\"x\":1,\"x\":2}", "{}", "{ }", "[1,2,3]", "[1,\"2\"]", "[]", "{\"k\":1,\"k\":2}", "{\"k\":\"v\"}", "'single'",
        "/* comment */ 1", "\xe6\x97\xa5",
    };
    /* what fits, in the order of names */
    static const char *const fitting[] = {"7", "-7", "300", "1.5", "0.25", "12.345", "\"some text that is long\"", "true", "\"2026-01-02T03:04:05.5Z\"", "\"2026-01-02\"", "{\"x\":1,\"y\":\"z\"}", "[1,null]",
                                          "{\"k\":1}", "[{\"a\":{}}]", "null"};
    static const char letters[] = "{}[]\",:\\ 0129.-+eE'ntfuNaN/*\t\x01\xc3\xff";
    size_t start = out->size;

    str_buf_putc(out, '{');
    for (uint64_t left = next_random(seed) % 6; left; left--) {
        size_t field = next_random(seed) % (sizeof names / sizeof *names);
        const char *name = names[field], *value = next_random(seed) % 4 ? fitting[field] : pick(seed, values, sizeof values / sizeof *values);

        str_buf_printf(out, next_random(seed) % 8 ? "\"%s\":%s" : " %s : %s ", name, value);
        str_buf_puts(out, left > 1 ? "," : "");
    }
    str_buf_putc(out, '}');
    for (uint64_t left = next_random(seed) % 2 * (next_random(seed) % 4); left && out->size > start + 1; left--) {
        size_t at = start + 1 + next_random(seed) % (out->size - start - 1);
        char letter = letters[next_random(seed) % (sizeof letters - 1)];

        switch (next_random(seed) % 4) {
        case 0:
            memmove(out->ptr + at, out->ptr + at + 1, out->size - at - 1);
            out->size--;
            break;
        case 1:
            str_buf_putc(out, ' ');
            memmove(out->ptr + at + 1, out->ptr + at, out->size - at - 1);
            break;
        case 2:
            out->ptr[at] = letter;
            break;
        default:
            if (next_random(seed) % 4 == 0)
                out->size = at;
        }
    }
}

/*
 * Each record as a struct, as the only element of an array, which makes a tree of it, and as bytes: three answers that are one, but where R2 keeps fields.
 */
static void damaged_records(void **state)
{
    enum { STATEMENTS = 60, RECORDS = 200 };
    static const char *const options[] = {"", "'allowComments', 'true', 'allowUnquotedFieldNames', 'true', ", "'allowNumericLeadingZeros', 'true', 'allowUnquotedControlChars', 'true', ",
                                          "'allowSingleQuotes', 'false', 'allowNonNumericNumbers', 'false', 'allowBackslashEscapingAnyCharacter', 'true', "};
    static const char shown[] = "struct_pack(id := r.id, n := r.n, s := r.s, d := r.d, f := r.f, p := r.p, t := r.t, b := r.b, at := r.at, day := r.day, o := r.o, l := r.l, m := r.m)::VARCHAR";
    Fixture *f = *state;
    uint64_t seed = 20261130;
    int good = 0, bad = 0, cut = 0;

    for (int i = 0; i < STATEMENTS; i++) {
        silt_auto(str_buf_fini) StrBuf sql = {0}, record = {0};
        const char *more = options[i % 4];
        SiltErr err = {0};

        str_buf_puts(&sql, "WITH v AS MATERIALIZED (SELECT unhex(h) AS bytes, silt_to_string(unhex(h)) AS text FROM (VALUES ");
        for (int k = 0; k < RECORDS; k++) {
            str_buf_clear(&record);
            make_record(&record, &seed);
            str_buf_puts(&sql, k ? ", ('" : "('");
            for (size_t at = 0; at < record.size; at++)
                str_buf_printf(&sql, "%02X", (unsigned char)record.ptr[at]);
            str_buf_puts(&sql, "')");
        }
        str_buf_printf(&sql,
                       ") t(h)), made AS (SELECT text, \"silt_from_json:struct<" FIELDS ", _corrupt_record string>\"(text, %s0::BIGINT) AS straight, "
                       "\"silt_from_json:array<struct<" FIELDS ", _corrupt_record string>>\"(text, %s0::BIGINT)[1] AS tree, "
                       "\"silt_from_json_bytes:struct<" FIELDS ", _corrupt_record string>\"(bytes, %s0::BIGINT) AS bytes FROM v), "
                       "said AS (SELECT text, (SELECT %s FROM (SELECT straight AS r)) AS a, (SELECT %s FROM (SELECT tree AS r)) AS b, (SELECT %s FROM (SELECT bytes AS r)) AS c, "
                       "straight._corrupt_record AS x, bytes._corrupt_record AS y, tree FROM made) "
                       "SELECT CASE WHEN a IS DISTINCT FROM c OR x IS DISTINCT FROM y THEN text || ' gives ' || a || ', as bytes ' || c WHEN a IS DISTINCT FROM b AND tree IS NULL AND x = text THEN 'cut' "
                       "WHEN a IS DISTINCT FROM b THEN text || ' gives ' || a || ', as a tree ' || b WHEN x IS NULL THEN 'good' ELSE 'bad' END FROM said",
                       more, more, more, shown, shown, shown);
        const char *answer = ask(f, str_buf_text(&sql), &err);
        for (const char *line = answer; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
            size_t size = strcspn(line, "\n");

            if (size == 3 && !strncmp(line, "bad", size))
                bad++;
            else if (size == 3 && !strncmp(line, "cut", size))
                cut++;
            else if (size == 4 && !strncmp(line, "good", size))
                good++;
            else
                fail_msg("%.*s (%s)", (int)size, line, err.message);
        }
        arena_reset(f->arena);
    }
    assert_int_equal(good + bad + cut, STATEMENTS * RECORDS);
    print_message("%d records fit, %d do not, %d end early\n", good, bad, cut);
    assert_true(good > STATEMENTS * RECORDS / 10 && bad > STATEMENTS * RECORDS / 10 && cut < STATEMENTS * RECORDS / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {FIXTURE_TEST(damaged_records)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
