#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "silt.h"

static bool unfinished(const char *text)
{
    return silt_script_unfinished(text, strlen(text));
}

static void a_statement_ends_at_its_semicolon(void **state)
{
    (void)state;
    assert_true(unfinished("SELECT 1"));
    assert_false(unfinished("SELECT 1;"));
    assert_false(unfinished("SELECT 1; \n"));
    assert_true(unfinished("SELECT 1; SELECT"));
    assert_false(unfinished("SELECT 1; -- done"));
}

static void blanks_and_comments_are_no_statement(void **state)
{
    (void)state;
    assert_false(unfinished(""));
    assert_false(unfinished("  \n"));
    assert_false(unfinished("-- only words"));
    assert_false(unfinished("/* a /* nested */ one */"));
}

static void quotes_and_comments_hide_a_semicolon(void **state)
{
    (void)state;
    assert_true(unfinished("SELECT ';"));
    assert_true(unfinished("SELECT 'it\\';"));
    assert_false(unfinished("SELECT r'\\';"));
    assert_true(unfinished("SELECT `a;"));
    assert_true(unfinished("SELECT 1 /* ;"));
    assert_true(unfinished("SELECT 1 -- ;"));
    assert_false(unfinished("SELECT \"a;b\", 'c'';';"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_statement_ends_at_its_semicolon),
        cmocka_unit_test(blanks_and_comments_are_no_statement),
        cmocka_unit_test(quotes_and_comments_hide_a_semicolon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
