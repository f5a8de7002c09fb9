/* io/disk_test.c - what only a real disk does: fills up, is read-only, is another one, is shared with other processes */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* after them */
#include <cmocka.h>

#include "io/testing.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int set_up(void **state)
{
    *state = world_new(true);
    return 0;
}

static int tear_down(void **state)
{
    world_free(*state);
    return 0;
}

static void append(const char *path, const char *content)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
}

static void a_directory_that_was_removed_is_made_again(void **state)
{
    World *w = *state;
    IoPutFile file = {local_file(w, "x", "moved"), at(w, "a/b/y")};
    assert_ok(io_put(w->io, at(w, "a/b/x"), STR("x"), &failure));
    assert_int_equal(io__local_remove_tree(at(w, "a")), 0);
    assert_ok(io_put(w->io, at(w, "a/b/x"), STR("again"), &failure));
    assert_string_equal(content_of(w, at(w, "a/b/x")), "again");
    assert_int_equal(io__local_remove_tree(at(w, "a")), 0);
    assert_int_equal(io_put_files(w->io, &file, 1, NULL), -1);
    assert_ok(io_put_files(w->io, &file, 1, &failure));
    assert_string_equal(content_of(w, at(w, "a/b/y")), "moved");
}

static void a_file_that_shrinks_gives_a_short_read(void **state)
{
    World *w = *state;
    silt_auto(io_file_closep) IoFile *file = NULL;
    static char big[1 << 20], back[1 << 20];
    size_t got;
    memset(big, 'x', sizeof big);
    assert_ok(io_put(w->io, at(w, "big"), (Str){big, sizeof big}, &failure));
    assert_ok(io_open(w->io, at(w, "big"), &file, &failure));
    assert_int_equal(truncate(at(w, "big"), 1000), 0);
    assert_int_equal(io_file_size(file), sizeof big);
    assert_ok(io_file_read(file, 0, back, sizeof back, &got, &failure));
    assert_int_equal(got, 1000);
    assert_ok(io_file_read(file, 500000, back, 10, &got, &failure));
    assert_int_equal(got, 0);
}

static void a_listing_follows_links_and_tells_which_lead_nowhere(void **state)
{
    World *w = *state;
    IoList list;
    assert_ok(io_put(w->io, at(w, "real/data"), STR("12345"), &failure));
    assert_ok(io_make_directory(w->io, at(w, "d"), &failure));
    assert_int_equal(symlink(at(w, "real/data"), at(w, "d/to_file")), 0);
    assert_int_equal(symlink(at(w, "real"), at(w, "d/to_folder")), 0);
    assert_int_equal(symlink(at(w, "nowhere"), at(w, "d/to_nothing")), 0);
    assert_int_equal(symlink("loop", at(w, "d/loop")), 0);
    assert_ok(io_list(w->io, at(w, "d"), w->arena, &list, &failure));
    assert_int_equal(list.count, 4);
    assert_string_equal(list.entries[0].name, "loop");
    assert_true(list.entries[0].stat.is_special);
    assert_string_equal(list.entries[1].name, "to_file");
    assert_int_equal(list.entries[1].stat.size_bytes, 5);
    assert_true(list.entries[2].stat.is_directory);
    assert_string_equal(list.entries[3].name, "to_nothing");
    assert_true(list.entries[3].stat.is_special);
}

static void what_is_no_file_is_not_waited_for(void **state)
{
    World *w = *state;
    Str content;
    assert_ok(io_make_directory(w->io, w->root, &failure));
    assert_int_equal(mkfifo(at(w, "pipe"), 0600), 0);
    assert_int_equal(io_read(w->io, at(w, "pipe"), w->arena, &content, NULL), -1);
}

static void emptying_staging_does_not_follow_links(void **state)
{
    World *w = *state;
    const char *staging;
    assert_ok(io_put(w->io, at(w, "precious/data"), STR("x"), &failure));
    assert_ok(io_staging_directory(w->io, at(w, "_silt/staging"), w->arena, &staging, &failure));
    assert_int_equal(symlink(at(w, "precious"), arena_printf(w->arena, "%s/link", staging)), 0);
    assert_ok(io_staging_directory(w->io, at(w, "_silt/staging"), w->arena, &staging, &failure));
    assert_string_equal(content_of(w, at(w, "precious/data")), "x");
    assert_int_equal(rmdir(staging), 0); /* it was empty */
}

/* ---- other processes ---- */

static void a_lock_dies_with_its_process(void **state)
{
    World *w = *state;
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        IoLock *lock;
        Io *io = io_new_local();
        byte = io_lock(io, at(w, "lock"), &lock, w->arena, NULL, NULL) == 0 ? 'y' : 'n';
        if (write(ready[1], &byte, 1) == 1)
            pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    IoLock *lock = NULL;
    const char *holder = NULL;
    assert_int_equal(io_lock(w->io, at(w, "lock"), &lock, w->arena, &holder, NULL), IO_BUSY);
    assert_non_null(strstr(holder, arena_printf(w->arena, "pid %d on ", (int)child)));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_ok(io_lock(w->io, at(w, "lock"), &lock, w->arena, &holder, &failure));
    io_unlock(lock);
    close(ready[0]);
    close(ready[1]);
}

/* A process is killed in the middle of puts, a hundred times: what is under the name is always whole. */
static void a_killed_writer_leaves_whole_files(void **state)
{
    World *w = *state;
    enum { ROUNDS = 100, SIZE = 300000 };
    static char content[SIZE];
    for (int round = 0; round < ROUNDS; round++) {
        pid_t child = fork();
        if (child == 0) {
            Io *io = io_new_local();
            for (int i = 0;; i++) {
                memset(content, 'a' + i % 26, SIZE);
                if (io_put(io, at(w, "f"), (Str){content, SIZE}, NULL) != 0)
                    _exit(1);
            }
        }
        usleep((useconds_t)(round % 10) * 700);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        Str found;
        int r = io_read(w->io, at(w, "f"), w->arena, &found, NULL);
        if (r == IO_ABSENT)
            continue; /* killed before the first */
        assert_int_equal(r, 0);
        assert_int_equal(found.size, SIZE);
        for (size_t i = 1; i < SIZE; i++)
            if (found.ptr[i] != found.ptr[0])
                fail_msg("round %d: torn at byte %zu", round, i);
        arena_reset(w->arena);
        w->root = arena_printf(w->arena, "%s/root", w->scratch.ptr);
    }
}

/* ---- other file systems, in a mount namespace of a child ---- */

enum { SKIPPED = 77, TMPFS_BYTES = 1 << 20 };

static void write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY);
    if (fd >= 0) {
        ssize_t ignored = write(fd, text, strlen(text));
        (void)ignored;
        close(fd);
    }
}

/* Mount a small tmpfs over root for this process alone; exits as skipped where that is not permitted. */
static void mount_small_disk(World *w)
{
    uid_t uid = getuid();
    gid_t gid = getgid();
    mkdir(w->root, 0777);
    if (unshare(CLONE_NEWNS) != 0) {
        if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
            _exit(SKIPPED);
        write_text("/proc/self/setgroups", "deny");
        write_text("/proc/self/uid_map", arena_printf(w->arena, "0 %u 1", uid));
        write_text("/proc/self/gid_map", arena_printf(w->arena, "0 %u 1", gid));
    }
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("small", w->root, "tmpfs", 0, arena_printf(w->arena, "size=%d", TMPFS_BYTES)) != 0)
        _exit(SKIPPED);
}

#define CHECK(cond)                                                                                                                        \
    do {                                                                                                                                   \
        if (!(cond)) {                                                                                                                     \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #cond, failure.message);                                                \
            _exit(1);                                                                                                                      \
        }                                                                                                                                  \
    } while (0)

static void in_child(World *w, void (*body)(World *w))
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        mount_small_disk(w);
        body(w);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) {
        print_message("skipped: mounting is not permitted here\n");
        skip();
    }
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void fill_up(World *w)
{
    static char content[300000];
    int written = 0;
    CHECK(io_put(w->io, at(w, "d/old"), STR("old"), &failure) == 0);
    for (;; written++) {
        int r = io_put_if_absent(w->io, at(w, arena_printf(w->arena, "d/%d", written)), (Str){content, sizeof content}, &failure);
        if (r < 0)
            break;
        CHECK(r == 0 && written < 10);
    }
    CHECK(written == 3);
    CHECK(failure.kind == SILT_TRANSIENT && strstr(failure.message, "No space left") && failure.hint[0]);
    CHECK(io_put(w->io, at(w, "d/old"), (Str){content, sizeof content}, &failure) < 0);
    CHECK(strcmp(content_of(w, at(w, "d/old")), "old") == 0);
    IoPutFile files[2] = {{local_file(w, "small", "small"), at(w, "d/moved")}, {local_file(w, "large", "x"), at(w, "e/moved")}};
    CHECK(io__local_write(files[1].local_path, (Str){content, sizeof content}) == 0);
    CHECK(io_put_files(w->io, files, 2, &failure) < 0);
    CHECK(access(files[0].local_path, F_OK) == 0 && access(files[1].local_path, F_OK) == 0); /* the caller may try again */
    IoList list;
    CHECK(io_list(w->io, at(w, "d"), w->arena, &list, &failure) == 0);
    CHECK(list.count == 4); /* no half file, no temporary one */
    CHECK(io_list(w->io, at(w, "e"), w->arena, &list, &failure) == 0 && list.count == 0);

    CHECK(io_delete(w->io, at(w, "d/0"), &failure) == 0);
    CHECK(io_put(w->io, at(w, "d/old"), STR("new"), &failure) == 0);
    CHECK(io_put_files(w->io, files, 2, &failure) == 0); /* from another file system: copied */
    CHECK(strcmp(content_of(w, at(w, "d/moved")), "small") == 0);
    CHECK(access(files[0].local_path, F_OK) != 0 && access(files[1].local_path, F_OK) != 0);
    IoStat stat;
    CHECK(io_stat(w->io, at(w, "e/moved"), &stat, &failure) == 0 && stat.size_bytes == sizeof content);
}

static void a_full_disk_is_an_error_and_leaves_nothing_half(void **state)
{
    in_child(*state, fill_up);
}

static void write_protected(World *w)
{
    Str content;
    IoLock *lock;
    CHECK(io_put(w->io, at(w, "d/old"), STR("old"), &failure) == 0);
    CHECK(mount(NULL, w->root, NULL, MS_REMOUNT | MS_RDONLY, NULL) == 0);
    CHECK(io_put(w->io, at(w, "d/old"), STR("new"), &failure) < 0);
    CHECK(failure.kind == SILT_CONFIG && failure.hint[0]);
    CHECK(io_put_if_absent(w->io, at(w, "d/x"), STR("new"), &failure) < 0 && failure.kind == SILT_CONFIG);
    CHECK(io_put(w->io, at(w, "new/x"), STR("new"), &failure) < 0 && failure.kind == SILT_CONFIG);
    CHECK(io_lock(w->io, at(w, "lock"), &lock, w->arena, NULL, &failure) < 0);
    CHECK(io_read(w->io, at(w, "d/old"), w->arena, &content, &failure) == 0 && str_is(content, "old"));
}

static void a_read_only_disk_can_be_read_and_says_why_no_more(void **state)
{
    in_child(*state, write_protected);
}

/* ---- the clock ---- */

static void the_clock_stands_where_the_environment_says(void **state)
{
    static const struct {
        const char *text;
        int64_t us;
    } good[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"2026-01-31T12:34:56Z", 1769862896000000},
        {"2026-01-31T12:34:56.5Z", 1769862896500000},
        {"2026-01-31t13:34:56.123456789+01:00", 1769862896123456},
        {"2026-01-31 04:04:56-08:30", 1769862896000000},
        {"1969-12-31T23:59:59.999999Z", -1},
        {"2024-02-29T00:00:00Z", 1709164800000000},
    };
    static const char *const bad[] = {"now",
                                      "2026-01-31",
                                      "2026-01-31T12:34:56",
                                      "2026-13-01T00:00:00Z",
                                      "2025-02-29T00:00:00Z",
                                      "2026-01-31T24:00:00Z",
                                      "2026-01-31T12:34:56.Z",
                                      "2026-01-31T12:34:56Zx",
                                      "2026-01-31T12:34:56+25:00",
                                      "2026-1-31T12:34:56Z"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        setenv("SILT_CLOCK", good[i].text, 1);
        Io *io = io_new_local();
        assert_ok(io_check(io, &failure));
        assert_int_equal(io_now_us(io), good[i].us);
        assert_int_equal(io_now_us(io), good[i].us);
        assert_true(io_monotonic_us(io) > 0);
        io_free(io);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv("SILT_CLOCK", bad[i], 1);
        Io *io = io_new_local();
        SiltErr err;
        if (io_check(io, &err) != -1)
            fail_msg("%s was taken", bad[i]);
        assert_int_equal(err.kind, SILT_CONFIG);
        io_free(io);
    }
    unsetenv("SILT_CLOCK");
}

/* ---- watching ---- */

static bool news(IoWatch *watch, int timeout_ms)
{
    bool changed;
    assert_ok(io_watch_wait(watch, timeout_ms, &changed, &failure));
    return changed;
}

static void a_watch_tells_of_finished_files_and_new_folders(void **state)
{
    World *w = *state;
    IoWatch *watch = NULL;
    assert_ok(io_make_directory(w->io, at(w, "in/sub"), &failure));
    assert_ok(io_watch_new(w->io, &watch, &failure));
    assert_non_null(watch);
    assert_ok(io_watch_add(watch, arena_printf(w->arena, "file://%s", at(w, "in")), &failure));
    assert_true(news(watch, 0)); /* what was there before the watch */
    assert_false(news(watch, 0));
    assert_ok(io_watch_add(watch, at(w, "in"), &failure));
    assert_false(news(watch, 0)); /* watched already */

    FILE *file = fopen(at(w, "in/growing"), "w");
    fputs("half", file);
    fflush(file);
    assert_false(news(watch, 30)); /* not before it is closed */
    fclose(file);
    assert_true(news(watch, 5000));
    assert_false(news(watch, 0));

    append(at(w, "outside"), "x");
    assert_int_equal(rename(at(w, "outside"), at(w, "in/moved")), 0);
    assert_true(news(watch, 5000));
    assert_int_equal(mkdir(at(w, "in/folder"), 0777), 0);
    assert_true(news(watch, 5000));
    append(at(w, "in/sub/x"), "x");
    assert_false(news(watch, 30)); /* children are not watched */
    assert_int_equal(io_watch_add(watch, at(w, "in/moved"), NULL), -1);
    assert_int_equal(io_watch_add(watch, at(w, "none"), NULL), -1);
    io_watch_free(watch);
    io_watch_free(NULL);
}

static void *wake_later(void *watch)
{
    usleep(20000);
    io_watch_wake(watch);
    return NULL;
}

static void a_wake_ends_the_wait_and_is_remembered(void **state)
{
    World *w = *state;
    IoWatch *watch = NULL;
    pthread_t thread;
    assert_ok(io_watch_new(w->io, &watch, &failure));
    int64_t start = io_monotonic_us(w->io);
    pthread_create(&thread, NULL, wake_later, watch);
    assert_false(news(watch, -1));
    pthread_join(thread, NULL);
    io_watch_wake(watch);
    io_watch_wake(watch);
    assert_false(news(watch, -1));
    assert_true(io_monotonic_us(w->io) - start < 5000000);
    start = io_monotonic_us(w->io);
    assert_false(news(watch, 30)); /* both wakes were one */
    assert_true(io_monotonic_us(w->io) - start >= 29000);
    io_watch_wake(NULL);
    io_watch_free(watch);
}

static void the_simulated_disk_cannot_be_watched(void **state)
{
    World *w = world_new(false);
    IoWatch *watch = (IoWatch *)w;
    assert_ok(io_watch_new(w->io, &watch, &failure));
    assert_null(watch);
    world_free(w);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_directory_that_was_removed_is_made_again),
        TEST(a_file_that_shrinks_gives_a_short_read),
        TEST(a_listing_follows_links_and_tells_which_lead_nowhere),
        TEST(what_is_no_file_is_not_waited_for),
        TEST(emptying_staging_does_not_follow_links),
        TEST(a_lock_dies_with_its_process),
        TEST(a_killed_writer_leaves_whole_files),
        TEST(a_full_disk_is_an_error_and_leaves_nothing_half),
        TEST(a_read_only_disk_can_be_read_and_says_why_no_more),
        cmocka_unit_test(the_clock_stands_where_the_environment_says),
        TEST(a_watch_tells_of_finished_files_and_new_folders),
        TEST(a_wake_ends_the_wait_and_is_remembered),
        cmocka_unit_test(the_simulated_disk_cannot_be_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
