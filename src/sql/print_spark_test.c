/* sql/print_spark_test.c - what is printed parses to the same tree; and no text whatever breaks the parser */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sql/testing.h"

static void check(Arena *arena, Str text)
{
    const char *wrong = sql__check_text(arena, text);
    if (wrong)
        fail_msg("%s\n  of: %.*s", wrong, (int)text.size, text.ptr);
}

static void recorded_statements_come_out_as_recorded(void **state)
{
    Arena *arena = arena_new();
    SqlSample *samples;
    int count = sql__samples(arena, &samples);
    assert_true(count > 1200);
    for (int i = 0; i < count; i++) {
        Arena *inner = arena_new();
        Statement **statements;
        int parsed;
        SqlErrors errors = {.arena = inner};
        sql_parse_file(inner, "sample", samples[i].text, &statements, &parsed, &errors);
        const char *outcome = errors.count ? errors.items[0].code : "ok";
        if (strcmp(outcome, samples[i].outcome))
            fail_msg("%s: expected %s, found %s %s", samples[i].text.ptr, samples[i].outcome, outcome, errors.count ? errors.items[0].message : "");
        arena_free(inner);
    }
    arena_free(arena);
}

static void recorded_statements_print_to_equal_trees(void **state)
{
    Arena *arena = arena_new();
    SqlSample *samples;
    int count = sql__samples(arena, &samples);
    for (int i = 0; i < count; i++) {
        Arena *inner = arena_new();
        check(inner, samples[i].text);
        arena_free(inner);
    }
    arena_free(arena);
}

static void queries_of_the_corpus_print_to_equal_trees(void **state)
{
    Arena *arena = arena_new();
    Str *queries;
    int count = sql__corpus(arena, &queries);
    assert_true(count > 6000);
    for (int i = 0; i < count; i++) {
        Arena *inner = arena_new();
        check(inner, queries[i]);
        arena_free(inner);
    }
    arena_free(arena);
}

static void random_trees_print_to_equal_trees(void **state)
{
    int parsed = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        Arena *arena = arena_new();
        silt_auto(str_buf_fini) StrBuf text = {0};
        uint64_t random = seed;
        Statement *statement;
        SiltErr err;
        sql__random_query(&random, &text, 1 + (int)(seed % 5));
        if (sql_parse_statement(arena, "random", str_buf_view(&text), &statement, &err) == 0)
            parsed++;
        else
            fail_msg("seed %llu: %s at %d: %s", (unsigned long long)seed, err.message, err.column, str_buf_text(&text));
        check(arena, str_buf_view(&text));
        arena_free(arena);
    }
    assert_int_equal(parsed, 4000);
}

/* Cut, double, swap or replace some bytes or words. */
static void mutate(uint64_t *random, const SqlSample *samples, int count, StrBuf *text)
{
    static const char *const words[] = {"(", ")", "'", "\"", "`", "/*", "*/", "--", ";", ",", ".", "::", "->", "=>", "SELECT", "FROM", "NOT", "CASE", "END", "AS", "INTERVAL", "STREAM",
                                        "1", "\\", "\xC3", "\xE2\x80\x9C", "é", "|>", ">>", "<", "BY", "GROUPING SETS (", "VALUES", "LATERAL VIEW", "WITH", "\n", ":", "[", "OVER (", "CREATE FLOW f AS INSERT INTO"};
    Str source = samples[sql__random(random, (uint32_t)count)].text;
    str_buf_str(text, source);
    for (uint32_t i = 0, edits = 1 + sql__random(random, 4); i < edits; i++) {
        silt_auto(str_buf_fini) StrBuf next = {0};
        uint32_t at = sql__random(random, (uint32_t)text->size + 1), to = at + sql__random(random, 12);
        to = to > text->size ? (uint32_t)text->size : to;
        str_buf_add(&next, str_buf_text(text), at);
        switch (sql__random(random, 4)) {
        case 0: /* cut */
            break;
        case 1: /* double */
            str_buf_add(&next, str_buf_text(text) + at, to - at);
            to = at;
            break;
        case 2: { /* put in a piece of another */
            Str other = samples[sql__random(random, (uint32_t)count)].text;
            uint32_t from = sql__random(random, (uint32_t)other.size), size = sql__random(random, (uint32_t)other.size - from);
            str_buf_add(&next, other.ptr + from, size);
            to = at;
            break;
        }
        default:
            str_buf_puts(&next, words[sql__random(random, (uint32_t)(sizeof words / sizeof *words))]);
        }
        str_buf_add(&next, str_buf_text(text) + to, text->size - to);
        str_buf_clear(text);
        str_buf_str(text, str_buf_view(&next));
    }
}

static void mutated_statements_never_break_the_parser(void **state)
{
    Arena *arena = arena_new();
    SqlSample *samples;
    int count = sql__samples(arena, &samples);
    for (uint64_t seed = 1; seed <= 40000; seed++) {
        Arena *inner = arena_new();
        silt_auto(str_buf_fini) StrBuf text = {0};
        uint64_t random = seed * 7919;
        mutate(&random, samples, count, &text);
        const char *wrong = sql__check_text(inner, str_buf_view(&text));
        if (wrong)
            fail_msg("seed %llu: %s\n  of: %s", (unsigned long long)seed, wrong, str_buf_text(&text));
        arena_free(inner);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_statements_come_out_as_recorded),
        cmocka_unit_test(recorded_statements_print_to_equal_trees),
        cmocka_unit_test(queries_of_the_corpus_print_to_equal_trees),
        cmocka_unit_test(random_trees_print_to_equal_trees),
        cmocka_unit_test(mutated_statements_never_break_the_parser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
