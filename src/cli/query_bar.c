/*
 * cli/query_bar.c - how far a query has come, on stderr where that is a terminal, once it has taken a second
 *
 *   [==============>                         ]  37 %  4.2 s
 *
 * A thread draws, since the query holds the one that asked. It is there only while a query runs.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "cli/cli.h"

enum { PATIENCE_MS = 1000, INTERVAL_MS = 100, WIDTH = 40 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t thread;
    SiltSession *session;
    bool running, hidden, shown;
    struct timespec begin;
} bar = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static int64_t since_begin_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)(now.tv_sec - bar.begin.tv_sec) * 1000 + (now.tv_nsec - bar.begin.tv_nsec) / 1000000;
}

static void erase(void)
{
    if (bar.shown)
        fputs("\r\033[K", stderr);
    fflush(stderr);
    bar.shown = false;
}

static void draw(void)
{
    double percent = silt_session_progress(bar.session), seconds = (double)since_begin_ms() / 1000;
    char line[WIDTH + 1];

    if (percent < 0 || percent > 100) {
        fprintf(stderr, "\r%.1f s\033[K", seconds);
    } else {
        int done = (int)(percent * WIDTH / 100);
        memset(line, ' ', WIDTH);
        memset(line, '=', (size_t)done);
        if (done < WIDTH)
            line[done] = '>';
        line[WIDTH] = 0;
        fprintf(stderr, "\r[%s] %3.0f %%  %.1f s\033[K", line, percent, seconds);
    }
    fflush(stderr);
    bar.shown = true;
}

static void *run(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&bar.lock);
    while (bar.running && !bar.hidden) {
        struct timespec until;
        int64_t gone = since_begin_ms();
        if (gone >= PATIENCE_MS)
            draw();
        clock_gettime(CLOCK_REALTIME, &until);
        int64_t ns = until.tv_nsec + (gone < PATIENCE_MS ? PATIENCE_MS - gone : INTERVAL_MS) * 1000000;
        until.tv_sec += (time_t)(ns / 1000000000);
        until.tv_nsec = ns % 1000000000;
        pthread_cond_timedwait(&bar.wake, &bar.lock, &until);
    }
    pthread_mutex_unlock(&bar.lock);
    return NULL;
}

void query_bar_begin(SiltSession *session)
{
    if (!isatty(STDERR_FILENO))
        return;
    silt_session_watch(session);
    bar.session = session;
    bar.hidden = bar.shown = false;
    bar.running = true;
    clock_gettime(CLOCK_REALTIME, &bar.begin);
    if (pthread_create(&bar.thread, NULL, run, NULL) != 0)
        bar.running = false;
}

void query_bar_hide(void)
{
    if (!bar.running || bar.hidden) /* only this thread writes them */
        return;
    pthread_mutex_lock(&bar.lock);
    bar.hidden = true;
    erase();
    pthread_cond_signal(&bar.wake);
    pthread_mutex_unlock(&bar.lock);
}

void query_bar_end(void)
{
    if (!bar.running)
        return;
    query_bar_hide();
    pthread_join(bar.thread, NULL);
    bar.running = false;
}
