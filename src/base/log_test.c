/* base/log_test.c - lines that stay lines */
#include "base/json.h"
#include "base/log.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after setjmp.h */
#include <cmocka.h>

static StrBuf lines;

static void keep(void *self, Str line)
{
    str_buf_str(self, line);
}

static int64_t fixed_clock(void *self)
{
    return *(int64_t *)self;
}

static int64_t now_us;

static int set_up(void **state)
{
    now_us = 1767225600123456; /* 2026-01-01T00:00:00.123456Z */
    str_buf_clear(&lines);
    log_set_sink(keep, &lines);
    log_set_clock(fixed_clock, &now_us);
    log_set_level(LOG_INFO);
    log_set_format(LOG_FORMAT_TEXT);
    return 0;
}

static int tear_down(void **state)
{
    str_buf_fini(&lines);
    log_set_sink(NULL, NULL);
    log_set_clock(NULL, NULL);
    return 0;
}

static void an_event_is_one_line_of_fields(void **state)
{
    LOG(LOG_INFO, "sink.commit", LOG_TEXT("table", "orders"), LOG_INTEGER("version", 42), LOG_NUMBER("rate", 0.25),
        LOG_BOOL("blind", true));
    LOG(LOG_WARN, "bare");
    assert_string_equal(str_buf_text(&lines), "2026-01-01T00:00:00.123Z INFO sink.commit table=orders version=42 rate=0.25 blind=true\n"
                                              "2026-01-01T00:00:00.123Z WARN bare\n");
}

static void awkward_values_are_quoted_and_never_break_the_line(void **state)
{
    now_us = -1;
    LOG(LOG_INFO, "x", LOG_TEXT("a", "two words"), LOG_TEXT("b", "k=v"), LOG_TEXT("c", "say \"hi\"\nINFO forged"), LOG_TEXT("d", ""),
        LOG_TEXT("e", NULL), LOG_STR("f", STR("\xFF")), LOG_TEXT("g", "\xC3\xBC/x:1"), LOG_NUMBER("h", 1.0 / 0.0));
    assert_string_equal(str_buf_text(&lines),
                        "1969-12-31T23:59:59.999Z INFO x a=\"two words\" b=\"k=v\" c=\"say \\\"hi\\\"\\nINFO forged\" d=\"\" e=\"\" "
                        "f=\"\xEF\xBF\xBD\" g=\xC3\xBC/x:1 h=null\n");
}

static void the_json_form_is_json(void **state)
{
    log_set_format(LOG_FORMAT_JSON);
    SiltErr err;
    silt_fail_at(&err, SILT_CONFIG, (SiltPos){.file = "a b.sql", .line = 3, .column = 7}, "no column \"x\"");
    silt_hint(&err, "Did you mean y?");
    silt_code(&err, "UNRESOLVED_COLUMN");
    LOG(LOG_ERROR, "flow.failed", LOG_TEXT("flow", "f\t1"), LOG_FAILURE(&err), LOG_INTEGER("n", INT64_MIN));
    const char *expected =
        "{\"time\":\"2026-01-01T00:00:00.123Z\",\"level\":\"ERROR\",\"event\":\"flow.failed\",\"flow\":\"f\\t1\",\"kind\":\"config\","
        "\"code\":\"UNRESOLVED_COLUMN\",\"error\":\"no column \\\"x\\\"\",\"hint\":\"Did you mean y?\",\"at\":\"a "
        "b.sql:3:7\",\"n\":-9223372036854775808}\n";
    assert_string_equal(str_buf_text(&lines), expected);
    Arena *arena = arena_new();
    const Json *json;
    assert_int_equal(json_parse(arena, str_buf_view(&lines), &json, NULL), 0);
    arena_free(arena);
}

static int evaluated;

static int64_t evaluate(void)
{
    return ++evaluated;
}

static void what_is_below_the_level_is_not_even_evaluated(void **state)
{
    LOG(LOG_DEBUG, "quiet", LOG_INTEGER("n", evaluate()));
    assert_int_equal(evaluated, 0);
    log_set_level(LOG_DEBUG);
    LOG(LOG_DEBUG, "loud", LOG_INTEGER("n", evaluate()));
    assert_int_equal(evaluated, 1);
    log_set_level(LOG_NOTHING);
    LOG(LOG_ERROR, "off", LOG_INTEGER("n", evaluate()));
    assert_int_equal(evaluated, 1);
    LogLevel level;
    assert_true(log_level_of("Warn", &level) && level == LOG_WARN);
    assert_false(log_level_of("loud", &level));
}

static void *write_many(void *self)
{
    for (int i = 0; i < 500; i++)
        LOG(LOG_INFO, "tick", LOG_TEXT("who", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), LOG_INTEGER("n", 7));
    return NULL;
}

static void lines_of_many_threads_stay_whole(void **state)
{
    pthread_t threads[4];
    LOG(LOG_INFO, "tick", LOG_TEXT("who", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), LOG_INTEGER("n", 7));
    size_t size = lines.size;
    char *line = silt_strdup(lines.ptr);
    str_buf_clear(&lines);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, write_many, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(lines.size, size * 2000);
    for (int i = 0; i < 2000; i++)
        assert_memory_equal(lines.ptr + (size_t)i * size, line, size);
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_event_is_one_line_of_fields, set_up, tear_down),
        cmocka_unit_test_setup_teardown(awkward_values_are_quoted_and_never_break_the_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_json_form_is_json, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_below_the_level_is_not_even_evaluated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lines_of_many_threads_stay_whole, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
