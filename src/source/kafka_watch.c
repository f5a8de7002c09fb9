/* source/kafka_watch.c - see kafka_watch.h */
#include "source/kafka_watch.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BUSY_MS = 10, QUIET_MS = 100, QUIET_AFTER_MS = 2000, SELDOM_MS = 1000, TROUBLE_MS = 1000, ANSWER_MS = 5000, LAG_MS = 1000 };

typedef struct KafkaWatch KafkaWatch;

struct KafkaWaiter {
    KafkaWaiter *next; /* of the watch */
    KafkaWatch *watch;
    SourceWake wake;
    SourceLagged lagged;
    Arena *sealed_arena;   /* NULL: not known */
    KafkaPositions sealed; /* for lagged */
    int64_t lagged_ms;
    Arena *arena; /* of the positions */
    KafkaPositions positions;
    int64_t news;
    uint64_t asks; /* questions that were under way, or answered, when it said where it is: they say nothing of it */
};

struct KafkaWatch {
    KafkaWatch *next; /* of all; under `registry` */
    KafkaClient *client;
    int joined; /* under `registry` */
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    bool quit;
    uint64_t asks;
    KafkaWaiter *waiters;
};

static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static KafkaWatch *watches;

/* ---- the thread ---- */

/* Until the time is over, or the watch is to end. Lock held. */
static void sleep_for(KafkaWatch *watch, int64_t ms)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += ms % 1000 * 1000000;
    until.tv_sec += ms / 1000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (!watch->quit && pthread_cond_timedwait(&watch->changed, &watch->lock, &until) == 0)
        ;
}

/* All partitions that somebody waits on, each once, sorted. Lock held. */
static KafkaPositions gather(const KafkaWatch *watch, Arena *arena)
{
    KafkaPositions all = {0};
    int kept = 0;

    for (const KafkaWaiter *waiter = watch->waiters; waiter; waiter = waiter->next)
        for (int i = 0; i < waiter->positions.count; i++)
            kafka_positions_add(arena, &all, waiter->positions.items[i].topic, waiter->positions.items[i].partition, 0);
    kafka_positions_sort(&all);
    for (int i = 0; i < all.count; i++)
        if (!kept || all.items[i].partition != all.items[kept - 1].partition || strcmp(all.items[i].topic, all.items[kept - 1].topic) != 0)
            all.items[kept++] = all.items[i];
    all.count = kept;
    for (int i = 0; i < kept; i++) /* waiters may leave while the brokers are asked */
        if (!i || strcmp(all.items[i].topic, all.items[i - 1].topic) != 0)
            all.items[i].topic = arena_strdup(arena, all.items[i].topic);
        else
            all.items[i].topic = all.items[i - 1].topic;
    return all;
}

static int64_t news_of(const KafkaWaiter *waiter, const KafkaPositions *ends)
{
    int64_t news = 0;

    for (int i = 0; i < waiter->positions.count; i++) {
        const KafkaPosition *at = &waiter->positions.items[i], *end = kafka_positions_find(ends, at->topic, at->partition);
        if (!end) /* joined since */
            continue;
        if (end->offset < at->offset)
            return -1;
        news += end->offset - at->offset;
    }
    return news;
}

void kafka_tell_lag(const SourceLagged *lagged, const KafkaPositions *sealed, const KafkaPositions *ends)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    SourceLag *items = ARENA_ARRAY(arena, SourceLag, sealed->count + 1);
    int count = 0;

    for (int i = 0; i < sealed->count; i++) {
        const KafkaPosition *at = &sealed->items[i], *end = kafka_positions_find(ends, at->topic, at->partition);
        if (end && end->offset >= 0 && at->offset >= 0)
            items[count++] = (SourceLag){at->topic, at->partition, at->offset, end->offset};
    }
    lagged->call(lagged->self, items, count);
}

/* Lock held. */
static void tell_lag(KafkaWaiter *waiter, const KafkaPositions *ends)
{
    int64_t now = clock_ms();

    if (!waiter->lagged.call || !waiter->sealed_arena || now - waiter->lagged_ms < LAG_MS)
        return;
    waiter->lagged_ms = now;
    kafka_tell_lag(&waiter->lagged, &waiter->sealed, ends);
}

/* Lock held. Whether anybody has news. */
static bool tell(KafkaWatch *watch, const KafkaPositions *ends)
{
    bool any = false;

    for (KafkaWaiter *waiter = watch->waiters; waiter; waiter = waiter->next) {
        tell_lag(waiter, ends);
        if (waiter->asks == watch->asks)
            continue;
        int64_t before = waiter->news;
        waiter->news = news_of(waiter, ends);
        any |= waiter->news != 0;
        if (waiter->news && !before)
            waiter->wake.call(waiter->wake.self);
    }
    return any;
}

/* How long until the next question: as the most eager of those who wait wants it. Lock held. */
static int64_t pause_ms(const KafkaWatch *watch, bool quiet)
{
    int64_t pause = SELDOM_MS, least = quiet ? QUIET_MS : BUSY_MS;

    for (const KafkaWaiter *waiter = watch->waiters; waiter; waiter = waiter->next)
        if (waiter->wake.within_ms < pause)
            pause = waiter->wake.within_ms;
    return pause > least ? pause : least;
}

static bool is_to_quit(void *self)
{
    KafkaWatch *watch = self;

    pthread_mutex_lock(&watch->lock);
    bool quit = watch->quit;
    pthread_mutex_unlock(&watch->lock);
    return quit;
}

static void *keep_watch(void *arg)
{
    KafkaWatch *watch = arg;
    KafkaWait wait = {ANSWER_MS, {is_to_quit, watch}};
    int64_t news_ms = clock_ms();
    SiltErr err;

    pthread_mutex_lock(&watch->lock);
    while (!watch->quit) {
        Arena *arena = arena_new();
        KafkaPositions ends = gather(watch, arena);
        watch->asks++;
        pthread_mutex_unlock(&watch->lock);
        /* A failure is not told here: the flows look for themselves too, though less often, and say what is wrong. */
        int r = kafka_client_offsets(watch->client, &ends, KAFKA_LATEST, &wait, &err);
        pthread_mutex_lock(&watch->lock);
        if (r == 0 && tell(watch, &ends))
            news_ms = clock_ms();
        arena_free(arena);
        sleep_for(watch, r < 0 ? TROUBLE_MS : pause_ms(watch, clock_ms() - news_ms >= QUIET_AFTER_MS));
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

/* ---- waiters ---- */

static void free_watch(KafkaWatch *watch)
{
    pthread_cond_destroy(&watch->changed);
    pthread_mutex_destroy(&watch->lock);
    free(watch);
}

static int new_watch(KafkaClient *client, KafkaWatch **out, SiltErr *err)
{
    KafkaWatch *watch = silt_alloc(sizeof *watch);
    pthread_condattr_t monotonic;

    watch->client = client;
    pthread_mutex_init(&watch->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&watch->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    int failed = pthread_create(&watch->thread, NULL, keep_watch, watch);
    if (failed) {
        free_watch(watch);
        return silt_fail_errno(err, failed, "could not start a thread that watches Kafka's %s", kafka_client_servers(client));
    }
    *out = watch;
    return 0;
}

int kafka_watch_join(KafkaClient *client, SourceWake wake, SourceLagged lagged, KafkaWaiter **out, SiltErr *err)
{
    int r = 0;

    pthread_mutex_lock(&registry);
    KafkaWatch *watch = watches;
    while (watch && watch->client != client)
        watch = watch->next;
    if (!watch && (r = new_watch(client, &watch, err)) == 0) {
        watch->next = watches;
        watches = watch;
    }
    if (r == 0) {
        KafkaWaiter *waiter = silt_alloc(sizeof *waiter);
        watch->joined++;
        *waiter = (KafkaWaiter){.watch = watch, .wake = wake, .lagged = lagged, .arena = arena_new()};
        pthread_mutex_lock(&watch->lock);
        waiter->next = watch->waiters;
        watch->waiters = waiter;
        pthread_mutex_unlock(&watch->lock);
        *out = waiter;
    }
    pthread_mutex_unlock(&registry);
    return r;
}

void kafka_watch_leave(KafkaWaiter *waiter)
{
    if (!waiter)
        return;
    KafkaWatch *watch = waiter->watch;
    pthread_mutex_lock(&registry);
    pthread_mutex_lock(&watch->lock);
    KafkaWaiter **at = &watch->waiters;
    while (*at != waiter)
        at = &(*at)->next;
    *at = waiter->next;
    bool last = --watch->joined == 0;
    watch->quit = last;
    pthread_cond_signal(&watch->changed);
    pthread_mutex_unlock(&watch->lock);
    if (last) {
        KafkaWatch **entry = &watches;
        while (*entry != watch)
            entry = &(*entry)->next;
        *entry = watch->next;
    }
    pthread_mutex_unlock(&registry);
    if (last) {
        pthread_join(watch->thread, NULL);
        free_watch(watch);
    }
    arena_free(waiter->arena);
    arena_free(waiter->sealed_arena);
    free(waiter);
}

/* Those that have an offset. */
static KafkaPositions copy_known(Arena *arena, const KafkaPositions *positions)
{
    KafkaPositions copy = {0};

    for (int i = 0; i < positions->count; i++)
        if (positions->items[i].offset >= 0)
            kafka_positions_add(arena, &copy, arena_strdup(arena, positions->items[i].topic), positions->items[i].partition, positions->items[i].offset);
    return copy;
}

void kafka_watch_expect(KafkaWaiter *waiter, const KafkaPositions *positions)
{
    Arena *arena = arena_new();
    KafkaPositions copy = copy_known(arena, positions);

    pthread_mutex_lock(&waiter->watch->lock);
    arena_free(waiter->arena);
    waiter->arena = arena;
    waiter->positions = copy;
    waiter->news = 0;
    waiter->asks = waiter->watch->asks;
    pthread_mutex_unlock(&waiter->watch->lock);
}

void kafka_watch_sealed(KafkaWaiter *waiter, const KafkaPositions *positions)
{
    Arena *arena = arena_new();
    KafkaPositions copy = copy_known(arena, positions);

    pthread_mutex_lock(&waiter->watch->lock);
    arena_free(waiter->sealed_arena);
    waiter->sealed_arena = arena;
    waiter->sealed = copy;
    pthread_mutex_unlock(&waiter->watch->lock);
}

int64_t kafka_watch_news(KafkaWaiter *waiter)
{
    pthread_mutex_lock(&waiter->watch->lock);
    int64_t news = waiter->news;
    pthread_mutex_unlock(&waiter->watch->lock);
    return news;
}
