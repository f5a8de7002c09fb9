/* format/option_test.c - options by their tables: every kind, its default, and what is refused where */
#include "format/option.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

typedef struct Things {
    const char *text, *letter;
    int choice;
    bool yes;
    int64_t count, bytes, span_us;
} Things;

#define AT(field) offsetof(Things, field)

static const OptionRow rows[] = {
    {"text", OPTION_TEXT, AT(text), 0, NULL, "none", ""},
    {"letter", OPTION_CHAR, AT(letter), 0, NULL, NULL, ""},
    {"kind", OPTION_CHOICE, AT(choice), 0, "red|green", "green", ""},
    {"yes", OPTION_BOOL, AT(yes), 0, NULL, "true", ""},
    {"count", OPTION_COUNT, AT(count), 1, NULL, "7", ""},
    {"bytes", OPTION_BYTES, AT(bytes), 1, NULL, "1k", ""},
    {"span", OPTION_DURATION, AT(span_us), 0, NULL, "2 minutes", ""},
    {"elsewhere", OPTION_LATER, 0, 0, NULL, NULL, "Do it there."},
    {"nothing", OPTION_IGNORED, 0, 0, NULL, NULL, "it has none"},
    {0},
};

static int set(Things *things, Arena *arena, const char *key, const char *value, SiltErr *err)
{
    const OptionTable tables[] = {{rows, things}, {0}};
    SqlOption option = {.key = key, .value = value, .pos = {"q.sql", 1, 10, 3}, .value_pos = {"q.sql", 1, 20, 3}};

    return option_set(tables, arena, &option, "reader", err);
}

static void what_is_not_given_is_as_the_table_says(void **state)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Things things = {.letter = "x"};
    const OptionTable tables[] = {{rows, &things}, {0}};

    (void)state;
    option_defaults(tables, arena);
    assert_string_equal(things.text, "none");
    assert_string_equal(things.letter, "x"); /* the table says nothing of it */
    assert_int_equal(things.choice, 2);
    assert_true(things.yes);
    assert_int_equal(things.count, 7);
    assert_int_equal(things.bytes, 1024);
    assert_int_equal(things.span_us, 120000000);
}

static void every_kind_is_read(void **state)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Things things = {0};
    SiltErr err;

    (void)state;
    assert_int_equal(set(&things, arena, "TEXT", "a b", &err), 0);
    assert_string_equal(things.text, "a b");
    assert_int_equal(set(&things, arena, "letter", "\\t", &err), 0);
    assert_string_equal(things.letter, "\t");
    assert_int_equal(set(&things, arena, "kind", "RED", &err), 0);
    assert_int_equal(things.choice, 1);
    assert_int_equal(set(&things, arena, "yes", "True", &err), 0);
    assert_true(things.yes);
    assert_int_equal(set(&things, arena, "count", "12", &err), 0);
    assert_int_equal(things.count, 12);
    assert_int_equal(set(&things, arena, "bytes", "2 mb", &err), 0);
    assert_int_equal(things.bytes, 2 << 20);
    assert_int_equal(set(&things, arena, "span", "1 hour 30 minutes", &err), 0);
    assert_int_equal(things.span_us, INT64_C(5400000000));
    assert_int_equal(set(&things, arena, "nothing", "any", &err), 0);
}

static void what_is_wrong_is_told_at_its_place(void **state)
{
    static const struct {
        const char *key, *value, *message, *hint;
        int column;
    } cases[] = {
        {"textt", "a", "reader does not know the option \"textt\"", "Did you mean text?", 10},
        {"zzzzzzzz", "a", "reader does not know the option \"zzzzzzzz\"", "", 10},
        {"elsewhere", "a", "reader cannot do \"elsewhere\"", "Do it there.", 10},
        {"letter", "ab", "letter takes one character, not \"ab\"", "", 20},
        {"kind", "blue", "\"blue\" is no value for kind: one of red|green is expected", "", 20},
        {"kind", "", "\"\" is no value for kind: one of red|green is expected", "", 20},
        {"yes", "1", "yes takes true or false, not \"1\"", "", 20},
        {"count", "0", "count takes a whole number of at least 1, not \"0\"", "", 20},
        {"bytes", "much", "bytes takes a size (such as 10m) of at least 1, not \"much\"", "", 20},
        {"span", "long", "span takes a time span, not \"long\"", "For instance '7 days' or '12 hours'.", 20},
    };
    silt_auto(arena_freep) Arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Things things = {0};
        SiltErr err;
        assert_int_equal(set(&things, arena, cases[i].key, cases[i].value, &err), -1);
        assert_string_equal(err.message, cases[i].message);
        assert_string_equal(err.hint, cases[i].hint);
        assert_int_equal(err.column, cases[i].column);
        assert_int_equal(err.kind, SILT_CONFIG);
    }
}

static void a_short_table_is_told_whole(void **state)
{
    static const OptionRow few[] = {{"one", OPTION_TEXT, 0, 0, NULL, NULL, ""}, {"two", OPTION_TEXT, 0, 0, NULL, NULL, ""}, {0}};
    silt_auto(arena_freep) Arena *arena = arena_new();
    const char *text = NULL;
    const OptionTable tables[] = {{few, &text}, {0}};
    SqlOption option = {.key = "quite another", .value = ""};
    SiltErr err;

    (void)state;
    assert_int_equal(option_set(tables, arena, &option, "reader", &err), -1);
    assert_string_equal(err.hint, "Known are one, two.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_given_is_as_the_table_says),
        cmocka_unit_test(every_kind_is_read),
        cmocka_unit_test(what_is_wrong_is_told_at_its_place),
        cmocka_unit_test(a_short_table_is_told_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
