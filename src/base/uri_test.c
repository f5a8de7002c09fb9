/* base/uri_test.c - awkward names through every spelling */
#include "base/uri.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after setjmp.h */
#include <cmocka.h>

static Arena *arena;

static int set_up(void **state)
{
    arena = arena_new();
    return 0;
}

static int tear_down(void **state)
{
    arena_free(arena);
    return 0;
}

static const char *encoded(Str path)
{
    StrBuf out = {0};
    uri_encode(&out, path);
    const char *text = arena_strdup(arena, str_buf_text(&out));
    str_buf_fini(&out);
    return text;
}

static const char *escaped(Str value)
{
    StrBuf out = {0};
    partition_escape(&out, value);
    const char *text = arena_strdup(arena, str_buf_text(&out));
    str_buf_fini(&out);
    return text;
}

static void a_path_is_encoded_as_java_encodes_it(void **state)
{
    static const char *const cases[][2] = {
        {"/data/f2.json", "/data/f2.json"},
        {"a b", "a%20b"},
        {"100%", "100%25"},
        {"a%20b", "a%2520b"},
        {"a#b?c", "a%23b%3Fc"},
        {"a+b&c=d,e;f:g@h$i", "a+b&c=d,e;f:g@h$i"},
        {"(a)!~*'-_.", "(a)!~*'-_."},
        {"[a]{b}|\\^`<>\"", "%5Ba%5D%7Bb%7D%7C%5C%5E%60%3C%3E%22"},
        {"\x01\t\n\x1F\x7F", "%01%09%0A%1F%7F"},
        {"\xC3\xBC \xE2\x82\xAC \xE6\xB1\x89 \xF0\x9F\x98\x80", "\xC3\xBC%20\xE2\x82\xAC%20\xE6\xB1\x89%20\xF0\x9F\x98\x80"},
        {"\xC2\xA0\xC2\x85\xE2\x80\xA8\xE3\x80\x80\xE2\x80\x87", "%C2%A0%C2%85%E2%80%A8%E3%80%80%E2%80%87"},
        {"\xC2\xA1\xE2\x80\x8B", "\xC2\xA1\xE2\x80\x8B"}, /* neighbours that are no blanks */
        {"part=a%3Acolon/x", "part=a%253Acolon/x"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(encoded(str_of(cases[i][0])), cases[i][1]);
        Str decoded;
        assert_int_equal(uri_decode(arena, str_of(cases[i][1]), &decoded, NULL), 0);
        assert_true(str_is(decoded, cases[i][0]));
    }
    assert_string_equal(encoded(STR("a\xFF\xC3")), "a%FF%C3"); /* a name need not be UTF-8 */
}

static void decoding_undoes_encoding_for_every_byte(void **state)
{
    for (int a = 1; a < 256; a++) {
        for (int b = 1; b < 256; b++) {
            char name[] = {(char)a, (char)b};
            Str decoded;
            assert_int_equal(uri_decode(arena, str_of(encoded((Str){name, 2})), &decoded, NULL), 0);
            assert_true(str_equal(decoded, (Str){name, 2}));
        }
    }
}

static void broken_percent_signs_are_refused(void **state)
{
    static const char *const cases[] = {"%", "a%2", "%zz", "%2", "%-1", "%00", "a%0"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Str decoded;
        SiltErr err;
        assert_int_equal(uri_decode(arena, str_of(cases[i]), &decoded, &err), -1);
        assert_int_equal(err.kind, SILT_INPUT);
    }
}

static void a_file_uri_and_its_path_are_one_file(void **state)
{
    const char *path;
    assert_string_equal(uri_from_path(arena, "/data/f 2%#\xC3\xBC+.json"), "file:///data/f%202%25%23\xC3\xBC+.json");
    assert_string_equal(uri_from_path(arena, "//data/./x/..//f/"), "file:///data/f");
    assert_int_equal(uri_to_path(arena, "file:///data/f%202%25.json", &path, NULL), 0);
    assert_string_equal(path, "/data/f 2%.json");
    assert_int_equal(uri_to_path(arena, "file:/data/x", &path, NULL), 0);
    assert_string_equal(path, "/data/x");
    assert_int_equal(uri_to_path(arena, "FILE://localhost/data/x y", &path, NULL), 0);
    assert_string_equal(path, "/data/x y");
    assert_int_equal(uri_to_path(arena, "/data/100%25", &path, NULL), 0);
    assert_string_equal(path, "/data/100%25"); /* a path is decoded already */

    static const char *const refused[] = {"data/x", "",   "s3://bucket/x", "file://host/x", "file:x", "file://", "file:///a%zz",
                                          "C:/x",   "a:b"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        SiltErr err = {0};
        assert_int_equal(uri_to_path(arena, refused[i], &path, &err), -1);
        assert_int_equal(err.kind, SILT_CONFIG);
    }
    assert_true(str_is(uri_scheme(STR("s3a://x")), "s3a"));
    assert_int_equal(uri_scheme(STR("/a:b")).size, 0);
    assert_int_equal(uri_scheme(STR("k=v:w")).size, 0);
}

static void paths_are_cleaned_without_asking_the_disk(void **state)
{
    static const char *const cases[][2] = {
        {"/", "/"},
        {"//", "/"},
        {"/a/", "/a"},
        {"/a//b///c", "/a/b/c"},
        {"/a/./b/.", "/a/b"},
        {"/a/../b", "/b"},
        {"/../a", "/a"},
        {"/a/..", "/"},
        {"a/../..", ".."},
        {"../../a", "../../a"},
        {"../a/../b", "../b"},
        {".", "."},
        {"", "."},
        {"a/..", "."},
        {"/a/..b/...", "/a/..b/..."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(path_clean(arena, cases[i][0]), cases[i][1]);
    assert_string_equal(path_join(arena, "/a", "b"), "/a/b");
    assert_string_equal(path_join(arena, "/", "b"), "/b");
    assert_string_equal(path_join(arena, "/a", "/b"), "/b");
    assert_string_equal(path_name("/a/b"), "b");
    assert_string_equal(path_name("b"), "b");
    assert_string_equal(path_parent(arena, "/a/b"), "/a");
    assert_string_equal(path_parent(arena, "/a"), "/");
    assert_string_equal(path_parent(arena, "a"), "");
}

static void partition_values_become_folders_as_in_spark(void **state)
{
    static const char *const cases[][2] = {
        {"a:colon", "a%3Acolon"},
        {"A/A", "A%2FA"},
        {"with blank", "with blank"},
        {"a+b", "a+b"},
        {"100%", "100%25"},
        {"\"#%'*/:=?\\{[]^", "%22%23%25%27%2A%2F%3A%3D%3F%5C%7B%5B%5D%5E"},
        {"}|<>~`!@$&(),;-_.", "}|<>~`!@$&(),;-_."},
        {"\x01\x1F\x7F\t\n", "%01%1F%7F%09%0A"},
        {"\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80", "\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80"},
        {"2026-01-01 00:00:00", "2026-01-01 00%3A00%3A00"},
        {"..", ".."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(escaped(str_of(cases[i][0])), cases[i][1]);
        assert_true(str_is(partition_unescape(arena, str_of(cases[i][1])), cases[i][0]));
    }
    assert_string_equal(escaped(STR("a\0b")), "a%00b");
    assert_true(str_is(partition_unescape(arena, STR("50%")), "50%"));
    assert_true(str_is(partition_unescape(arena, STR("%zz%4")), "%zz%4"));
    assert_true(str_is(partition_unescape(arena, STR("a%20b")), "a b"));
    assert_true(str_is(partition_unescape(arena, STR("%e9")), "\xC3\xA9"));

    StrBuf out = {0};
    partition_folder(&out, STR("k=1"), &STR("a b"));
    str_buf_putc(&out, '/');
    partition_folder(&out, STR("n"), NULL);
    str_buf_putc(&out, '/');
    partition_folder(&out, STR("e"), &STR(""));
    assert_string_equal(str_buf_text(&out), "k%3D1=a b/n=__HIVE_DEFAULT_PARTITION__/e=__HIVE_DEFAULT_PARTITION__");
    str_buf_fini(&out);
}

static void the_folder_of_a_value_is_encoded_once_more_in_a_log(void **state)
{
    StrBuf out = {0};
    partition_folder(&out, STR("part"), &STR("a:colon and %"));
    assert_string_equal(encoded(str_buf_view(&out)), "part=a%253Acolon%20and%20%2525");
    str_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_path_is_encoded_as_java_encodes_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(decoding_undoes_encoding_for_every_byte, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_percent_signs_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_uri_and_its_path_are_one_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(paths_are_cleaned_without_asking_the_disk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(partition_values_become_folders_as_in_spark, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_folder_of_a_value_is_encoded_once_more_in_a_log, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
