/* base/json_test.c - documents read and written back, with json-c as a second opinion */
/* json-c has types of these names */
#define json_bool   json_c_bool
#define json_object json_c_object
#include <json-c/json.h>
#undef json_bool
#undef json_object

#include "base/json.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after setjmp.h */
#include <cmocka.h>

typedef struct World {
    Arena *arena;
    StrBuf out;
} World;

static int set_up(void **state)
{
    World *w = silt_alloc(sizeof *w);
    w->arena = arena_new();
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    World *w = *state;
    arena_free(w->arena);
    str_buf_fini(&w->out);
    free(w);
    return 0;
}

static const Json *parse(World *w, const char *text)
{
    const Json *json = NULL;
    SiltErr err = {0};
    if (json_parse(w->arena, str_of(text), &json, &err) != 0)
        fail_msg("%s: %s", text, err.message);
    return json;
}

static const char *written(World *w, const Json *json)
{
    str_buf_clear(&w->out);
    json_put(&w->out, json);
    return str_buf_text(&w->out);
}

static void every_number_keeps_its_text(void **state)
{
    static const char *const numbers[] = {"0",
                                          "-0",
                                          "0.0",
                                          "-0.0",
                                          "1.50",
                                          "1e400",
                                          "-1E-400",
                                          "1E+05",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "18446744073709551616",
                                          "123456789012345678901234567890",
                                          "-99999999999999999999999999999999999999",
                                          "12345678901234567890123456789012345678",
                                          "0.12345678901234567890123456789012345678",
                                          "0e0",
                                          "100"};
    World *w = *state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const Json *json = parse(w, numbers[i]);
        assert_int_equal(json_kind(json), JSON_NUMBER);
        assert_true(str_is(json_number_text(json), numbers[i]));
        assert_string_equal(written(w, json), numbers[i]);
        assert_string_equal(written(w, parse(w, arena_printf(w->arena, " [ %s , %s ] ", numbers[i], numbers[i]))),
                            arena_printf(w->arena, "[%s,%s]", numbers[i], numbers[i]));
    }
}

static void conversions_never_guess(void **state)
{
    World *w = *state;
    assert_int_equal(json_int(parse(w, "9223372036854775807"), -1), INT64_MAX);
    assert_int_equal(json_int(parse(w, "-9223372036854775808"), -1), INT64_MIN);
    assert_int_equal(json_int(parse(w, "9223372036854775808"), -1), -1);
    assert_int_equal(json_int(parse(w, "1.0"), -1), -1);
    assert_int_equal(json_int(parse(w, "1e2"), -1), -1);
    assert_int_equal(json_int(parse(w, "\"7\""), -1), -1);
    assert_int_equal(json_int(NULL, 5), 5);
    assert_true(json_double(parse(w, "1e2"), 0) == 100.0);
    assert_true(json_double(parse(w, "0.1"), 0) == 0.1);
    assert_true(json_double(parse(w, "true"), 7) == 7);
    assert_true(json_bool(parse(w, "true"), false));
    assert_false(json_bool(parse(w, "false"), true));
    assert_true(json_bool(parse(w, "1"), true));
    assert_null(json_cstr(parse(w, "null"), NULL));
    assert_true(json_is_null(parse(w, "null")));
}

static void lookups_chain_over_what_is_absent(void **state)
{
    World *w = *state;
    const Json *json = parse(w, "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}");
    assert_string_equal(json_cstr(json_get(json_at(json_get(json, "a"), 1), "b"), NULL), "x");
    assert_null(json_get(json_at(json_get(json, "nope"), 1), "b"));
    assert_null(json_at(json_get(json, "a"), 2));
    assert_null(json_at(json_get(json, "a"), -1));
    assert_null(json_at(json, 0));
    assert_null(json_get(json_get(json, "a"), "b"));
    assert_non_null(json_get(json, "c"));
    assert_int_equal(json_size(json), 2);
    assert_int_equal(json_size(json_get(json, "a")), 2);
    assert_int_equal(json_size(parse(w, "\"abc\"")), 0);
    assert_int_equal(json_size(parse(w, "true")), 0);
    assert_true(str_is(json_member_key(json, 1), "c"));
    assert_int_equal(json_member_key(json, 2).size, 0);
    assert_null(json_member_value(json, 2));
}

static void a_repeated_key_keeps_its_place_and_its_last_value(void **state)
{
    World *w = *state;
    assert_string_equal(written(w, parse(w, "{\"a\":1,\"b\":2,\"a\":3}")), "{\"a\":3,\"b\":2}");

    /* the same in an object large enough for an index, with few and with nearly only repeated keys */
    for (int distinct = 3; distinct <= 300; distinct *= 10) {
        StrBuf text = {0};
        str_buf_putc(&text, '{');
        for (int i = 0; i < 1000; i++)
            str_buf_printf(&text, "%s\"k%d\":%d", i ? "," : "", i % distinct, i);
        str_buf_putc(&text, '}');
        const Json *json = parse(w, str_buf_text(&text));
        assert_int_equal(json_size(json), distinct);
        for (int i = 0; i < distinct; i++) {
            const char *key = arena_printf(w->arena, "k%d", i);
            assert_true(str_is(json_member_key(json, i), key));
            assert_int_equal(json_int(json_get(json, key), -1) % distinct, i);
            assert_true(json_int(json_get(json, key), -1) >= 1000 - distinct);
        }
        assert_null(json_get(json, "k"));
        assert_null(json_get(json, "k1000"));
        str_buf_fini(&text);
    }
}

static void strings_are_decoded_and_written_back(void **state)
{
    World *w = *state;
    Str text = json_str(parse(w, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20AC\\ud83d\\uDE00 \xC3\xBC\""), "");
    assert_true(str_is(text, "\"\\/\b\f\n\r\tA\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 \xC3\xBC"));

    const Json *nul = parse(w, "{\"a\\u0000b\":\"x\\u0000y\\u001f\"}");
    assert_true(str_equal(json_member_key(nul, 0), STR("a\0b")));
    assert_true(str_equal(json_str(json_member_value(nul, 0), ""), STR("x\0y\x1f")));
    assert_string_equal(json_cstr(json_member_value(nul, 0), ""), "x");
    assert_string_equal(written(w, nul), "{\"a\\u0000b\":\"x\\u0000y\\u001F\"}");

    /* half a surrogate pair, in every wrong position */
    assert_true(str_is(json_str(parse(w, "\"\\ud83d\""), ""), "\xEF\xBF\xBD"));
    assert_true(str_is(json_str(parse(w, "\"\\ude00x\""), ""), "\xEF\xBF\xBDx"));
    assert_true(str_is(json_str(parse(w, "\"\\ud83d\\u0041\""), ""), "\xEF\xBF\xBD"
                                                                     "A"));
    assert_true(str_is(json_str(parse(w, "\"\\ud83d\\ud83d\\ude00\""), ""), "\xEF\xBF\xBD\xF0\x9F\x98\x80"));

    str_buf_clear(&w->out);
    json_put_str(&w->out, STR("a\xFF\xC3z\xED\xA0\x80\"\\/\x7F"));
    assert_string_equal(str_buf_text(&w->out), "\"a\xEF\xBF\xBD\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\\\"\\\\/\x7F\"");
    str_buf_clear(&w->out);
    json_put_str(&w->out, (Str){0});
    assert_string_equal(str_buf_text(&w->out), "\"\"");
}

static void broken_text_is_refused_at_its_byte(void **state)
{
    static const struct {
        const char *text, *where;
    } cases[] = {
        {"", "byte 0"},
        {"  ", "byte 2"},
        {"[1,]", "byte 3"},
        {"[1 2]", "byte 3"},
        {"{\"a\" 1}", "byte 5"},
        {"{a:1}", "byte 1"},
        {"{\"a\":1,}", "byte 7"},
        {"01", "byte 1"},
        {"1.", "byte 2"},
        {"1e", "byte 2"},
        {"-", "byte 1"},
        {".5", "byte 0"},
        {"+1", "byte 0"},
        {"NaN", "byte 0"},
        {"Infinity", "byte 0"},
        {"-Infinity", "byte 1"},
        {"nul", "byte 0"},
        {"truE", "byte 0"},
        {"true x", "byte 5"},
        {"\"abc", "byte 4"},
        {"\"a\tb\"", "byte 2"},
        {"\"\\x\"", "byte 1"},
        {"\"\\u12g4\"", "byte 1"},
        {"\"\\u12", "byte 1"},
        {"\"\\", "byte 2"},
        {"\"\xFF\"", "byte 1"},
        {"\"\xED\xA0\x80\"", "byte 1"},
        {"[", "byte 1"},
        {"{", "byte 1"},
        {"'x'", "byte 0"},
        {"/**/1", "byte 0"},
        {"\xEF\xBB\xBF"
         "1",
         "byte 0"},
        {"1\f", "byte 1"},
        {"{\"a\":1]", "byte 6"},
    };
    World *w = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Json *json = NULL;
        SiltErr err = {0};
        assert_int_equal(json_parse(w->arena, str_of(cases[i].text), &json, &err), -1);
        assert_null(json);
        assert_int_equal(err.kind, SILT_INPUT);
        if (!strstr(err.message, cases[i].where))
            fail_msg("%s: %s, wanted %s", cases[i].text, err.message, cases[i].where);
    }
    const Json *json;
    assert_int_equal(json_parse(w->arena, STR("1\0"), &json, NULL), -1);
    assert_int_equal(json_parse(w->arena, (Str){0}, &json, NULL), -1);
}

static void five_hundred_and_twelve_levels_are_read_and_no_more(void **state)
{
    World *w = *state;
    char text[2 * 100000 + 1];
    memset(text, '[', 512);
    memset(text + 512, ']', 512);
    const Json *json = NULL;
    assert_int_equal(json_parse(w->arena, (Str){text, 1024}, &json, NULL), 0);
    assert_int_equal(strlen(written(w, json)), 1024);
    memset(text, '[', 100000);
    memset(text + 100000, ']', 100000);
    SiltErr err;
    assert_int_equal(json_parse(w->arena, (Str){text, 200000}, &json, &err), -1);
    assert_non_null(strstr(err.message, "byte 512"));
}

static void as_many_levels_are_written_as_can_be_read(void **state)
{
    World *w = *state;
    silt_auto(str_buf_fini) StrBuf out = {0};
    JsonWriter writer = {.out = &out};
    for (int i = 0; i < JSON_LEVELS_MAX; i++) {
        json_array(&writer);
        json_integer(&writer, i);
    }
    for (int i = 0; i < JSON_LEVELS_MAX; i++) {
        json_null(&writer);
        json_array_end(&writer);
    }
    const Json *json = parse(w, str_buf_text(&out));
    for (int i = 0; i < JSON_LEVELS_MAX; i++, json = json_at(json, 1)) {
        assert_int_equal(json_size(json), i < JSON_LEVELS_MAX - 1 ? 3 : 2);
        assert_int_equal(json_int(json_at(json, 0), -1), i);
    }
}

static void the_tree_outlives_its_text(void **state)
{
    World *w = *state;
    char *text = silt_strdup("{\"key\":[\"value\",12.50,true]}");
    const Json *json = parse(w, text);
    memset(text, '#', strlen(text));
    free(text);
    assert_string_equal(written(w, json), "{\"key\":[\"value\",12.50,true]}");
}

static void the_writer_puts_the_commas(void **state)
{
    World *w = *state;
    JsonWriter j = {.out = &w->out};
    json_object(&j);
    json_member(&j, "a", "x");
    json_member(&j, "n", NULL);
    json_member_int(&j, "i", INT64_MIN);
    json_key(&j, "list");
    json_array(&j);
    json_integer(&j, 1);
    json_object(&j);
    json_object_end(&j);
    json_array(&j);
    json_array_end(&j);
    json_raw(&j, STR("1.00"));
    json_value(&j, parse(w, "[1e400]"));
    json_value(&j, NULL);
    json_array_end(&j);
    json_member_bool(&j, "b", true);
    json_key_str(&j, STR("k\"q"));
    json_boolean(&j, false);
    json_object_end(&j);
    assert_string_equal(
        str_buf_text(&w->out),
        "{\"a\":\"x\",\"n\":null,\"i\":-9223372036854775808,\"list\":[1,{},[],1.00,[1e400],null],\"b\":true,\"k\\\"q\":false}");
    parse(w, str_buf_text(&w->out));
}

/* ---- a second opinion ---- */

static uint64_t seed = 42;

static unsigned roll(unsigned below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

static void random_document(StrBuf *out, int depth)
{
    static const char *const leaves[] = {
        "null", "true", "false", "0", "-1", "12.5", "1e5", "\"\"", "\"a b\"", "\"\\n\\u00e9\"", "\"\xE2\x82\xAC\"", "9007199254740993"};
    unsigned kind = depth > 5 ? 9 : roll(10);
    if (kind < 2) {
        str_buf_putc(out, '{');
        for (unsigned i = 0, n = roll(25); i < n; i++) {
            str_buf_printf(out, "%s\"k%u\":", i ? ", " : "", roll(30));
            random_document(out, depth + 1);
        }
        str_buf_putc(out, '}');
    } else if (kind < 4) {
        str_buf_putc(out, '[');
        for (unsigned i = 0, n = roll(6); i < n; i++) {
            str_buf_puts(out, i ? "," : "");
            random_document(out, depth + 1);
        }
        str_buf_putc(out, ']');
    } else {
        str_buf_puts(out, leaves[roll(sizeof leaves / sizeof *leaves)]);
    }
}

/* json-c leaves the place of a repeated key as we do, so its compact text is ours byte for byte. */
static void whole_documents_read_as_json_c_reads_them(void **state)
{
    World *w = *state;
    for (int round = 0; round < 2000; round++) {
        StrBuf text = {0};
        random_document(&text, 0);
        struct json_c_object *theirs = json_tokener_parse(str_buf_text(&text));
        const char *expected = json_object_to_json_string_ext(theirs, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
        assert_string_equal(written(w, parse(w, str_buf_text(&text))), expected);
        json_object_put(theirs);
        str_buf_fini(&text);
        arena_reset(w->arena);
    }
}

/* Break documents at random: where json-c in strict mode refuses, so do we, and nothing crashes. */
static void damaged_documents_are_never_accepted_alone(void **state)
{
    static const char bytes[] = "{}[]\",:\\0123456789eE+-.tfnu \n\x01\xC3\xFF";
    World *w = *state;
    int refused = 0;
    for (int round = 0; round < 5000; round++) {
        StrBuf text = {0};
        random_document(&text, 2);
        if (text.size)
            text.ptr[roll((unsigned)text.size)] = bytes[roll(sizeof bytes - 1)];
        struct json_tokener *tokener = json_tokener_new_ex(600);
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
        struct json_c_object *theirs = json_tokener_parse_ex(tokener, str_buf_text(&text), (int)text.size + 1);
        bool accepted = json_tokener_get_error(tokener) == json_tokener_success;
        const Json *json = NULL;
        SiltErr err;
        int r = json_parse(w->arena, str_buf_view(&text), &json, &err);
        if (r == 0 && !accepted)
            fail_msg("accepted alone: %s", str_buf_text(&text));
        refused += r != 0;
        json_object_put(theirs);
        json_tokener_free(tokener);
        str_buf_fini(&text);
        arena_reset(w->arena);
    }
    assert_true(refused > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_number_keeps_its_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(conversions_never_guess, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lookups_chain_over_what_is_absent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_repeated_key_keeps_its_place_and_its_last_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strings_are_decoded_and_written_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_text_is_refused_at_its_byte, set_up, tear_down),
        cmocka_unit_test_setup_teardown(five_hundred_and_twelve_levels_are_read_and_no_more, set_up, tear_down),
        cmocka_unit_test_setup_teardown(as_many_levels_are_written_as_can_be_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_tree_outlives_its_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_writer_puts_the_commas, set_up, tear_down),
        cmocka_unit_test_setup_teardown(whole_documents_read_as_json_c_reads_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_documents_are_never_accepted_alone, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
