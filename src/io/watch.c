/* io/watch.c - news from directories, by inotify */
#include "base/clock.h"
#include "base/uri.h"
#include "io/internal.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

struct IoWatch {
    int inotify, wake;
    int newest; /* descriptor; a higher one is of a directory not watched before */
    bool fresh; /* such a directory was added: what came before the watch makes no event */
};

int io_watch_new(Io *io, IoWatch **out, SiltErr *err)
{
    *out = NULL;
    if (!io->fs->ops->watches)
        return 0;
    int inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (inotify < 0) {
        silt_fail_errno(err, errno, "could not watch directories");
        if (errno == EMFILE)
            silt_hint(err, "Raise fs.inotify.max_user_instances, or the limit of open files.");
        return -1;
    }
    int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake < 0) {
        int error = errno;
        close(inotify);
        return silt_fail_errno(err, error, "could not watch directories");
    }
    IoWatch *watch = silt_alloc(sizeof *watch);
    *watch = (IoWatch){.inotify = inotify, .wake = wake, .newest = -1};
    *out = watch;
    return 0;
}

int io_watch_add(IoWatch *watch, const char *directory, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const char *path;
    SILT_TRY(uri_to_path(arena, directory, &path, err));
    /* IN_CREATE is for folders; of a file it comes before its content */
    uint32_t events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
    int added = inotify_add_watch(watch->inotify, path, events);
    if (added >= 0) {
        watch->fresh |= added > watch->newest;
        watch->newest = added > watch->newest ? added : watch->newest;
        return 0;
    }
    if (errno == ENOSPC) {
        silt_fail(err, SILT_CONFIG, "could not watch \"%s\": too many directories are watched", path);
        return silt_hint(err, "Raise fs.inotify.max_user_watches.");
    }
    return silt_fail_errno(err, errno, "could not watch \"%s\"", path);
}

/* Take all events that are there; whether one of them is news. */
static bool drain(int inotify)
{
    _Alignas(struct inotify_event) char buffer[1 << 14];
    bool news = false;
    ssize_t n;
    while ((n = read(inotify, buffer, sizeof buffer)) > 0) {
        for (char *at = buffer; at < buffer + n;) {
            const struct inotify_event *event = (const struct inotify_event *)at;
            if (!(event->mask & IN_CREATE) || (event->mask & IN_ISDIR))
                news = true; /* also IN_Q_OVERFLOW: then there was more than fits */
            at += sizeof *event + event->len;
        }
    }
    return news;
}

int io_watch_wait(IoWatch *watch, int timeout_ms, bool *changed, SiltErr *err)
{
    int64_t deadline = clock_ms() + timeout_ms;
    *changed = watch->fresh;
    watch->fresh = false;
    if (*changed)
        return 0;
    for (;;) {
        struct pollfd fds[] = {{.fd = watch->inotify, .events = POLLIN}, {.fd = watch->wake, .events = POLLIN}};
        int64_t left = timeout_ms < 0 ? -1 : deadline - clock_ms();
        if (timeout_ms >= 0 && left < 0)
            left = 0;
        int ready = poll(fds, 2, (int)left);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready < 0)
            return silt_fail_errno(err, errno, "could not wait for changes of directories");
        if (fds[0].revents)
            *changed = drain(watch->inotify);
        uint64_t wakes;
        bool woken = fds[1].revents && read(watch->wake, &wakes, sizeof wakes) > 0;
        if (ready == 0 || *changed || woken)
            return 0;
    }
}

void io_watch_wake(IoWatch *watch)
{
    if (!watch)
        return;
    int saved = errno; /* may be called by a signal handler */
    uint64_t one = 1;
    ssize_t ignored = write(watch->wake, &one, sizeof one);
    (void)ignored;
    errno = saved;
}

void io_watch_free(IoWatch *watch)
{
    if (!watch)
        return;
    close(watch->inotify);
    close(watch->wake);
    free(watch);
}
