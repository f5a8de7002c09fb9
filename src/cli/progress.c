/*
 * cli/progress.c - events as lines on stderr, and one line of progress below them where stderr is a terminal
 *
 * An event is printed as spark-pipelines prints it: `2026-11-29T10:00:00.123Z: Flow orders is RUNNING.`
 * With --log-format json it is an object: {"level":"info","timestamp":...,"flow":...,"status":...,"message":...}.
 */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "cli/cli.h"

static struct {
    bool terminal, shown;
    int64_t rows, batches, begin_ms, drawn_ms;
    char last_flow[64];
} line;

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void erase(void)
{
    if (line.shown)
        fputs("\r\033[K", stderr);
    line.shown = false;
}

/* "1234567" as "1,234,567" */
static void grouped(char *out, size_t size, int64_t number)
{
    char digits[32];
    int n = snprintf(digits, sizeof(digits), "%lld", (long long)number);
    size_t at = 0;

    for (int i = 0; i < n && at + 2 < size; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = 0;
}

static void draw(bool force)
{
    struct winsize size;
    char rows[48], text[256];
    int64_t now = now_ms();

    if (!line.terminal || (!force && now - line.drawn_ms < 100))
        return;
    int columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10 ? size.ws_col : 80;
    double seconds = (double)(now - line.begin_ms) / 1000.0;
    grouped(rows, sizeof(rows), line.rows);
    snprintf(text, sizeof(text), "%s row%s in %lld batch%s, %.0f rows/s, %.1f s%s%s", rows, line.rows == 1 ? "" : "s",
             (long long)line.batches, line.batches == 1 ? "" : "es", seconds > 0 ? (double)line.rows / seconds : 0.0, seconds,
             line.last_flow[0] ? "  last: " : "", line.last_flow);
    erase();
    fprintf(stderr, "%.*s", columns - 1, text);
    fflush(stderr);
    line.shown = true;
    line.drawn_ms = now;
}

void progress_begin(bool continuous)
{
    (void)continuous;
    memset(&line, 0, sizeof(line));
    line.terminal = isatty(STDERR_FILENO);
    line.begin_ms = now_ms();
}

void progress_end(void)
{
    erase();
    line.terminal = false;
}

void progress_event(void *self, const SiltEvent *event)
{
    (void)self;
    erase();
    event_print(event);
    draw(true);
}

void progress_batch(void *self, const SiltProgress *progress)
{
    (void)self;
    line.rows += progress->input_rows;
    line.batches++;
    snprintf(line.last_flow, sizeof(line.last_flow), "%s", progress->flow ? progress->flow : "");
    draw(false);
}
