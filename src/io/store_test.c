/* io/store_test.c - what io.h promises, of the real disk and of the simulated one */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* after them */
#include <cmocka.h>

#include "io/testing.h"

#include <unistd.h>

static int real_set_up(void **state)
{
    *state = world_new(true);
    return 0;
}

static int memory_set_up(void **state)
{
    *state = world_new(false);
    return 0;
}

static int tear_down(void **state)
{
    world_free(*state);
    return 0;
}

static void assert_only(World *w, const char *directory, const char *names)
{
    IoList list;
    StrBuf found = {0};
    assert_ok(io_list(w->io, directory, w->arena, &list, &failure));
    for (int i = 0; i < list.count; i++)
        str_buf_printf(&found, "%s%s", i ? " " : "", list.entries[i].name);
    assert_string_equal(str_buf_text(&found), names);
    str_buf_fini(&found);
}

static void what_was_put_is_read_back(void **state)
{
    World *w = *state;
    const char *path = at(w, "a/b/c.txt");
    Str content;
    IoStat stat;
    assert_ok(io_put(w->io, path, STR("first"), &failure));
    assert_string_equal(content_of(w, path), "first");
    assert_ok(io_put(w->io, path, STR("the\0second"), &failure));
    assert_ok(io_read(w->io, path, w->arena, &content, &failure));
    assert_true(str_equal(content, STR("the\0second")));
    assert_ok(io_stat(w->io, path, &stat, &failure));
    assert_int_equal(stat.size_bytes, 10);
    assert_false(stat.is_directory);
    assert_true(stat.modified_us > 1577836800000000); /* after 2020 */
    assert_ok(io_put(w->io, path, (Str){0}, &failure));
    assert_string_equal(content_of(w, path), "");
    assert_ok(io_stat(w->io, at(w, "a"), &stat, &failure));
    assert_true(stat.is_directory);
    assert_only(w, at(w, "a/b"), "c.txt");
}

static void a_put_if_absent_never_replaces(void **state)
{
    World *w = *state;
    const char *path = at(w, "log/0.json");
    assert_ok(io_put_if_absent(w->io, path, STR("mine"), &failure));
    assert_int_equal(io_put_if_absent(w->io, path, STR("yours"), NULL), IO_EXISTS);
    assert_string_equal(content_of(w, path), "mine");
    assert_only(w, at(w, "log"), "0.json");
    assert_ok(io_delete(w->io, path, &failure));
    assert_ok(io_put_if_absent(w->io, path, STR("yours"), &failure));
    assert_string_equal(content_of(w, path), "yours");
}

static void what_is_absent_is_an_outcome(void **state)
{
    World *w = *state;
    Str content;
    IoStat stat;
    IoFile *file;
    IoList list;
    const char *local;
    assert_ok(io_put(w->io, at(w, "file"), STR("x"), &failure));
    const char *paths[] = {at(w, "no"), at(w, "no/such/folder"), at(w, "file/below")};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(io_stat(w->io, paths[i], &stat, NULL), IO_ABSENT);
        assert_int_equal(io_read(w->io, paths[i], w->arena, &content, NULL), IO_ABSENT);
        assert_int_equal(io_open(w->io, paths[i], &file, NULL), IO_ABSENT);
        assert_int_equal(io_local_path(w->io, paths[i], w->arena, &local, NULL), IO_ABSENT);
        assert_int_equal(io_sync(w->io, paths[i], NULL), IO_ABSENT);
        assert_ok(io_delete(w->io, paths[i], &failure));
    }
    assert_int_equal(io_list(w->io, at(w, "no"), w->arena, &list, NULL), IO_ABSENT);
}

static void what_cannot_be_is_an_error_that_names_the_path(void **state)
{
    World *w = *state;
    SiltErr err;
    Str content;
    IoList list;
    assert_ok(io_put(w->io, at(w, "folder/file"), STR("x"), &failure));
    assert_int_equal(io_put(w->io, at(w, "folder"), STR("x"), &err), -1);
    assert_non_null(strstr(err.message, at(w, "folder")));
    assert_int_equal(io_put(w->io, at(w, "folder/file/below"), STR("x"), &err), -1);
    assert_int_equal(err.kind, SILT_CONFIG);
    assert_int_equal(io_put_if_absent(w->io, at(w, "folder/file/below"), STR("x"), &err), -1);
    assert_int_equal(io_read(w->io, at(w, "folder"), w->arena, &content, &err), -1);
    assert_int_equal(io_list(w->io, at(w, "folder/file"), w->arena, &list, &err), -1);
    assert_int_equal(io_delete(w->io, at(w, "folder"), &err), -1);
    assert_int_equal(io_make_directory(w->io, at(w, "folder/file"), &err), -1);
    assert_string_equal(content_of(w, at(w, "folder/file")), "x");
    assert_only(w, at(w, "folder"), "file");
    assert_int_equal(io_put(w->io, "relative/path", STR("x"), &err), -1);
    assert_int_equal(err.kind, SILT_CONFIG);
    assert_int_equal(io_put(w->io, "s3://bucket/x", STR("x"), &err), -1);
    assert_non_null(strstr(err.message, "s3:"));
}

static void a_file_uri_is_decoded_once_and_a_path_never(void **state)
{
    World *w = *state;
    assert_ok(io_put(w->io, arena_printf(w->arena, "file://%s/a%%20b%%2525", w->root), STR("uri"), &failure));
    assert_string_equal(content_of(w, at(w, "a b%25")), "uri");
    assert_ok(io_put(w->io, at(w, "p%20q"), STR("path"), &failure));
    assert_string_equal(content_of(w, arena_printf(w->arena, "file:%s/p%%2520q", w->root)), "path");
    assert_only(w, w->root, "a b%25 p%20q");
}

static void a_directory_is_listed_in_order_without_its_children(void **state)
{
    World *w = *state;
    assert_ok(io_put(w->io, at(w, "d/b"), STR("22"), &failure));
    assert_ok(io_put(w->io, at(w, "d/a"), STR("1"), &failure));
    assert_ok(io_put(w->io, at(w, "d/B"), STR(""), &failure));
    assert_ok(io_put(w->io, at(w, "d/\xC3\xBC x%"), STR(""), &failure));
    assert_ok(io_put(w->io, at(w, "d/sub/deep"), STR(""), &failure));
    assert_ok(io_make_directory(w->io, at(w, "d/empty/"), &failure));
    assert_only(w, at(w, "d/"), "B a b empty sub \xC3\xBC x%");
    assert_only(w, at(w, "d/empty"), "");
    IoList list;
    assert_ok(io_list(w->io, at(w, "d"), w->arena, &list, &failure));
    assert_int_equal(list.entries[2].stat.size_bytes, 2);
    assert_true(list.entries[3].stat.is_directory);
    assert_false(list.entries[0].stat.is_directory);
}

static void a_file_is_read_in_pieces(void **state)
{
    World *w = *state;
    silt_auto(io_file_closep) IoFile *file = NULL;
    char buffer[8];
    size_t got;
    assert_ok(io_put(w->io, at(w, "f"), STR("0123456789"), &failure));
    assert_ok(io_open(w->io, at(w, "f"), &file, &failure));
    assert_int_equal(io_file_size(file), 10);
    assert_ok(io_file_read(file, 3, buffer, 4, &got, &failure));
    assert_int_equal(got, 4);
    assert_memory_equal(buffer, "3456", 4);
    assert_ok(io_file_read(file, 7, buffer, 8, &got, &failure));
    assert_int_equal(got, 3);
    assert_ok(io_file_read(file, 10, buffer, 8, &got, &failure));
    assert_int_equal(got, 0);
    assert_ok(io_file_read(file, 1000, buffer, 8, &got, &failure));
    assert_int_equal(got, 0);
    /* what is open stays readable when the name gets other content */
    assert_ok(io_put(w->io, at(w, "f"), STR("other"), &failure));
    assert_ok(io_file_read(file, 0, buffer, 3, &got, &failure));
    assert_memory_equal(buffer, "012", 3);
}

static void files_are_moved_from_the_local_disk(void **state)
{
    World *w = *state;
    enum { COUNT = 40 };
    IoPutFile files[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const char *name = arena_printf(w->arena, "staged-%d", i);
        files[i].local_path = local_file(w, name, name);
        files[i].path = at(w, arena_printf(w->arena, "t/k=%d a%%3Ab/part-%d.parquet", i % 7, i));
    }
    assert_ok(io_put_files(w->io, files, COUNT, &failure));
    for (int i = 0; i < COUNT; i++) {
        assert_string_equal(content_of(w, files[i].path), arena_printf(w->arena, "staged-%d", i));
        assert_int_equal(access(files[i].local_path, F_OK), -1);
    }
    assert_only(w, at(w, "t/k=6 a%3Ab"), "part-13.parquet part-20.parquet part-27.parquet part-34.parquet part-6.parquet");
    assert_ok(io_put_files(w->io, NULL, 0, &failure));

    /* one is missing: an error, and no file without content */
    files[0] = (IoPutFile){local_file(w, "there", "there"), at(w, "u/0")};
    files[1] = (IoPutFile){arena_printf(w->arena, "%s/missing", w->scratch.ptr), at(w, "u/1")};
    assert_int_equal(io_put_files(w->io, files, 2, NULL), -1);
    assert_string_equal(content_of(w, at(w, "u/1")), "(absent)");
    assert_only(w, at(w, "u"), "");
}

static void a_lock_has_one_owner(void **state)
{
    World *w = *state;
    IoLock *first = NULL, *second = NULL;
    const char *holder = NULL;
    assert_ok(io_lock(w->io, at(w, "_silt/lock"), &first, w->arena, NULL, &failure));
    assert_int_equal(io_lock(w->io, at(w, "_silt/lock"), &second, w->arena, &holder, NULL), IO_BUSY);
    assert_non_null(holder);
    assert_true(strlen(holder) > 5);
    assert_null(second);
    io_unlock(first);
    assert_ok(io_lock(w->io, at(w, "_silt/lock"), &second, w->arena, &holder, &failure));
    io_unlock(second);
    io_unlock(NULL);
}

static void a_lock_with_its_folder_holds_when_its_file_is_deleted(void **state)
{
    World *w = *state;
    IoLock *first = NULL, *second = NULL;
    const char *holder = NULL;
    assert_ok(io_lock_folder(w->io, at(w, "s/_silt/lock"), at(w, "s"), &first, w->arena, NULL, &failure));
    assert_ok(io_delete(w->io, at(w, "s/_silt/lock"), &failure));
    for (int i = 0; i < 2; i++) { /* the first try makes the file anew */
        assert_int_equal(io_lock_folder(w->io, at(w, "s/_silt/lock"), at(w, "s"), &second, w->arena, &holder, NULL), IO_BUSY);
        assert_non_null(strstr(holder, "deleted"));
    }
    io_unlock(first);
    assert_ok(io_lock_folder(w->io, at(w, "s/_silt/lock"), at(w, "s"), &second, w->arena, NULL, &failure));
    io_unlock(second);
}

static void a_local_path_shows_the_content(void **state)
{
    World *w = *state;
    const char *local, *again;
    StrBuf content = {0};
    assert_ok(io_put(w->io, at(w, "x.parquet"), STR("one"), &failure));
    assert_ok(io_local_path(w->io, at(w, "x.parquet"), w->arena, &local, &failure));
    assert_ok(io_local_path(w->io, at(w, "x.parquet"), w->arena, &again, &failure));
    assert_string_equal(local, again);
    assert_true(str_ends(str_of(local), "x.parquet"));
    assert_ok(io_put(w->io, at(w, "x.parquet"), STR("two"), &failure));
    assert_ok(io_local_path(w->io, at(w, "x.parquet"), w->arena, &again, &failure));
    assert_int_equal(io__local_read(again, &content), 0);
    assert_string_equal(content.ptr, "two");
    str_buf_fini(&content);
    assert_int_equal(io_local_path(w->io, w->root, w->arena, &local, NULL), -1);
}

static void staging_is_emptied_and_nothing_else_ever(void **state)
{
    World *w = *state;
    const char *first, *second, *third,
        *keys[] = {"flow a", at(w, "_silt/staging/flow a"), arena_printf(w->arena, "file://%s/_silt/staging/b", w->root)};
    SiltErr err;
    for (int i = 0; i < 3; i++) {
        assert_ok(io_staging_directory(w->io, keys[i], w->arena, &first, &failure));
        const char *deep = arena_printf(w->arena, "%s/deep/er", first), *file = arena_printf(w->arena, "%s/f", deep);
        assert_int_equal(io__local_make_directories(deep), 0);
        assert_int_equal(io__local_write(file, STR("x")), 0);
        assert_ok(io_staging_directory(w->io, "another", w->arena, &third, &failure));
        assert_string_not_equal(first, third);
        assert_int_equal(access(file, F_OK), 0);
        assert_ok(io_staging_directory(w->io, keys[i], w->arena, &second, &failure));
        assert_string_equal(first, second);
        assert_int_equal(access(deep, F_OK), -1);
        assert_int_equal(access(first, W_OK), 0);
    }
    assert_int_equal(io_staging_directory(w->io, w->root, w->arena, &first, &err), -1);
    assert_int_equal(err.kind, SILT_CONFIG);
}

typedef struct Rival {
    World *w;
    const char *path;
    char content[16];
    int result;
    pthread_t thread;
    pthread_barrier_t *start;
} Rival;

static void *put_as_rival(void *arg)
{
    Rival *rival = arg;
    pthread_barrier_wait(rival->start);
    rival->result = io_put_if_absent(rival->w->io, rival->path, str_of(rival->content), NULL);
    return NULL;
}

static void of_eight_rivals_exactly_one_wins(void **state)
{
    enum { RIVALS = 8, ROUNDS = 40 };
    World *w = *state;
    for (int round = 0; round < ROUNDS; round++) {
        Rival rivals[RIVALS];
        pthread_barrier_t start;
        pthread_barrier_init(&start, NULL, RIVALS);
        const char *path = at(w, arena_printf(w->arena, "log/%020d.json", round)), *winner = NULL;
        for (int i = 0; i < RIVALS; i++) {
            rivals[i] = (Rival){.w = w, .path = path, .start = &start};
            snprintf(rivals[i].content, sizeof rivals[i].content, "rival %d", i);
            assert_int_equal(pthread_create(&rivals[i].thread, NULL, put_as_rival, &rivals[i]), 0);
        }
        for (int i = 0; i < RIVALS; i++)
            pthread_join(rivals[i].thread, NULL);
        for (int i = 0; i < RIVALS; i++) {
            if (rivals[i].result == 0) {
                assert_null(winner);
                winner = rivals[i].content;
            } else {
                assert_int_equal(rivals[i].result, IO_EXISTS);
            }
        }
        assert_non_null(winner);
        assert_string_equal(content_of(w, path), winner);
        pthread_barrier_destroy(&start);
    }
    IoList list;
    assert_ok(io_list(w->io, at(w, "log"), w->arena, &list, &failure));
    assert_int_equal(list.count, ROUNDS); /* no temporary file stayed */
}

static void a_name_may_be_as_long_as_the_disk_allows(void **state)
{
    World *w = *state;
    char name[257];
    memset(name, 'n', 256);
    name[255] = '\0';
    assert_ok(io_put(w->io, at(w, name), STR("x"), &failure));
    assert_ok(io_delete(w->io, at(w, name), &failure));
    assert_ok(io_put_if_absent(w->io, at(w, name), STR("x"), &failure));
    name[255] = 'n';
    name[256] = '\0';
    assert_int_equal(io_put(w->io, at(w, name), STR("x"), NULL), -1);
}

static void identifiers_are_random_and_time_moves_on(void **state)
{
    World *w = *state;
    char a[37], b[37];
    io_uuid(w->io, a);
    io_uuid(w->io, b);
    assert_string_not_equal(a, b);
    assert_int_equal(strlen(a), 36);
    assert_int_equal(strspn(a, "0123456789abcdef-"), 36);
    assert_int_equal(a[14], '4');
    assert_non_null(strchr("89ab", a[19]));
    int64_t wall = io_now_us(w->io), start = io_monotonic_us(w->io);
    io_sleep_ms(w->io, 20);
    assert_true(io_now_us(w->io) - wall >= 19000);
    assert_true(io_monotonic_us(w->io) - start >= 20000);
    assert_ok(io_check(w->io, &failure));
}

#define TEST(name)                                                                                                                         \
    {#name " (real)", name, real_set_up, tear_down, NULL},                                                                                 \
    {                                                                                                                                      \
#name " (memory)", name, memory_set_up, tear_down, NULL                                                                            \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_was_put_is_read_back),
        TEST(a_put_if_absent_never_replaces),
        TEST(what_is_absent_is_an_outcome),
        TEST(what_cannot_be_is_an_error_that_names_the_path),
        TEST(a_file_uri_is_decoded_once_and_a_path_never),
        TEST(a_directory_is_listed_in_order_without_its_children),
        TEST(a_file_is_read_in_pieces),
        TEST(files_are_moved_from_the_local_disk),
        TEST(a_lock_has_one_owner),
        TEST(a_lock_with_its_folder_holds_when_its_file_is_deleted),
        TEST(a_local_path_shows_the_content),
        TEST(staging_is_emptied_and_nothing_else_ever),
        TEST(of_eight_rivals_exactly_one_wins),
        TEST(a_name_may_be_as_long_as_the_disk_allows),
        TEST(identifiers_are_random_and_time_moves_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
