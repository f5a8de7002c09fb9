/*
 * source/kafka_anew.c - topics that were deleted and made anew under their names, told by their ids
 *
 * <checkpoint>/sources/<i>/_topics, beside what Spark keeps there and does not look at, says which topics the positions of the stream belong to:
 *
 *   v1
 *   {"orders":"pVdvHOlmSLmXWN2XiLq0Ng"}
 *
 *   N1  The id of a topic is durable before the first offset that belongs to it, and was asked for before that offset.
 *   N2  Of a topic made anew, position 0 is sealed in a batch that reads nothing of it; then its id takes the place of the old one. A crash in
 *       between says the loss once more, and neither loses nor doubles a record.
 *   N3  Behind the last record of a batch the topics are asked for again, and it is not sealed if one is another than before: as no id comes back,
 *       all that was read came from the topic that the positions belong to, whenever it was fetched.
 *
 * What cannot be known: whether a topic is still the same whose id was never seen, as its offsets come from Spark, from a rebuilt checkpoint or from
 * before there was this file.
 */
#include "base/clock.h"
#include "source/kafka_internal.h"

#include <string.h>

/* An answer is good for FRESH_MS if there is something to read (N3 catches what comes in between), else for QUIET_MS. */
enum { FRESH_MS = 1000, QUIET_MS = 60 * 1000, SHOWN_MAX = 10 };

/* ---- the file ---- */

static const char *path_of(const KafkaSource *kafka, Arena *arena)
{
    return arena_printf(arena, "%s/_topics", kafka->log_directory);
}

int kafka__load_topics(Source *source, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    silt_auto(arena_freep) Arena *arena = arena_new();
    const char *path = path_of(kafka, arena);
    Str text;
    SiltErr why;

    int r = io_read(kafka->io, path, source->arena, &text, err);
    if (r == IO_ABSENT)
        return 0;
    SILT_TRY(r);
    if (!str_starts(text, "v1\n") || kafka_topics_parse(source->arena, (Str){text.ptr + 3, text.size - 3}, &kafka->known, &why) < 0) {
        silt_fail(err, SILT_CORRUPT, "\"%s\" does not hold the ids of topics", path);
        return silt_hint(err, "Without this file the stream goes on, and takes the topics that are there now for those that it has read.");
    }
    return 0;
}

static int store(Source *source, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf text = {0};

    str_buf_puts(&text, "v1\n");
    kafka_topics_print(&text, &kafka->known);
    return io_put(kafka->io, path_of(kafka, arena), str_buf_view(&text), err);
}

/* Texts are copied. */
static void remember(Source *source, KafkaTopics *into, const KafkaTopic *topic)
{
    kafka_topics_set(source->arena, into, arena_strdup(source->arena, topic->name), arena_strdup(source->arena, topic->id));
}

/* ---- asking ---- */

/* The topics of these partitions, without ids. */
static KafkaTopics topics_of(Arena *arena, const KafkaPositions *positions)
{
    KafkaTopics topics = {0};

    for (int i = 0; i < positions->count; i++)
        if (!i || strcmp(positions->items[i].topic, positions->items[i - 1].topic) != 0)
            kafka_topics_set(arena, &topics, positions->items[i].topic, NULL);
    return topics;
}

/* Without ids, those that are there stay unknown; that is said once. */
static int ask(Source *source, KafkaTopics *topics, Arena *arena, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    KafkaWait wait = kafka__ask_wait(source);
    KafkaClient *client;

    SILT_TRY(kafka__client(kafka, &client, err));
    int r = kafka_topics_ask(client, topics, &wait, arena, err);
    if (r < 0)
        return r;
    kafka->asked_ms = clock_ms();
    if (r == KAFKA_NO_IDS && !kafka->gives_no_ids) {
        const char *note = arena_printf(source->arena, "Kafka's %s gives no ids of topics (that needs brokers from 2.8 and librdkafka from 2.3 on): a topic that is "
                                        "deleted, made anew and longer than what was read of the old one is taken for the old one", kafka_client_servers(client));
        ARENA_PUSH(source->arena, source->notes, source->note_count, source->note_capacity, note);
    }
    kafka->gives_no_ids = r == KAFKA_NO_IDS;
    return 0;
}

/* Was the topic made anew, as far as both ids are known? */
static bool is_anew(const KafkaSource *kafka, const KafkaTopic *now)
{
    const KafkaTopic *known = kafka_topics_find(&kafka->known, now->name);

    return known && now->id && strcmp(known->id, now->id) != 0;
}

int kafka__compare_topics(Source *source, KafkaTopics *topics, Arena *arena, KafkaTopics *anew, SiltErr *err)
{
    KafkaSource *kafka = source->self;

    *anew = (KafkaTopics){0};
    if (!kafka->known.count || !topics->count)
        return 0;
    SILT_TRY(ask(source, topics, arena, err));
    for (int i = 0; i < topics->count; i++)
        if (is_anew(kafka, &topics->items[i]))
            kafka_topics_set(arena, anew, topics->items[i].name, topics->items[i].id);
    if (anew->count)
        kafka->asked_ms = -1; /* the next plan has to ask */
    return 0;
}

bool kafka__is_doubtful(const Source *source)
{
    const KafkaSource *kafka = source->self;

    return kafka->known.count && kafka->asked_ms < 0;
}

/* ---- what is made of it ---- */

int kafka__lost_topic(Source *source, const KafkaTopic *now, const KafkaPositions *positions, SiltErr *err)
{
    const KafkaSource *kafka = source->self;
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf text = {0};
    KafkaPositions shown = {0};
    int count = 0;

    for (int i = 0; i < positions->count; i++)
        if (!strcmp(positions->items[i].topic, now->name) && count++ < SHOWN_MAX)
            kafka_positions_add(arena, &shown, now->name, positions->items[i].partition, positions->items[i].offset);
    kafka_positions_print(&text, &shown);
    return kafka__lost(source, "KAFKA_DATA_LOSS.PARTITION_OFFSET_CHANGED", err,
                       "topic \"%s\" was made anew: its id is %s, and that of the one which was read up to %s%s was %s; what that one held beyond is lost", now->name, now->id,
                       str_buf_text(&text), count > SHOWN_MAX ? " .." : "", kafka_topics_find(&kafka->known, now->name)->id);
}

int kafka__begin_topics(Source *source, const KafkaPositions *there, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    silt_auto(arena_freep) Arena *arena = arena_new();
    KafkaTopics now = topics_of(arena, there);
    bool is_stored = kafka->known.count > 0; /* by a run that has not begun the stream */

    SILT_TRY(ask(source, &now, arena, err));
    kafka->known = (KafkaTopics){0};
    for (int i = 0; i < now.count; i++)
        if (now.items[i].id)
            remember(source, &kafka->known, &now.items[i]);
    return is_stored || kafka->known.count ? store(source, err) : 0;
}

/* What the stream has of a topic: NONE, positions that are all 0, or others. */
typedef enum Progress { PROGRESS_NONE, PROGRESS_ZERO, PROGRESS_SOME } Progress;

static Progress progress_of(const KafkaPositions *positions, const char *topic)
{
    Progress progress = PROGRESS_NONE;

    for (int i = 0; i < positions->count; i++)
        if (!strcmp(positions->items[i].topic, topic)) {
            if (positions->items[i].offset)
                return PROGRESS_SOME;
            progress = PROGRESS_ZERO;
        }
    return progress;
}

/* *news: it is to be remembered at once. */
static int take_topic(Source *source, const KafkaTopic *now, const KafkaPositions *start, Arena *arena, KafkaTopics *anew, bool *news, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    Progress progress = progress_of(start, now->name);

    if (is_anew(kafka, now) && progress != PROGRESS_NONE) { /* NONE: that the old one went was said when it did */
        SILT_TRY(kafka__lost_topic(source, now, start, err));
        kafka__close_cursors(kafka); /* what they have fetched ahead is of no use */
        if (progress == PROGRESS_SOME) {
            kafka_topics_set(arena, anew, now->name, now->id);
            remember(source, &kafka->adopted, now);
            return 0;
        }
    } else if (!is_anew(kafka, now) && kafka_topics_find(&kafka->known, now->name)) {
        return 0;
    }
    remember(source, &kafka->known, now);
    *news = true;
    return 0;
}

static bool is_due(const KafkaSource *kafka, bool moved, bool urgent)
{
    int64_t age_ms = clock_ms() - kafka->asked_ms;

    if (kafka->asked_ms < 0)
        return true;
    if (kafka->gives_no_ids)
        return age_ms > QUIET_MS;
    return urgent || age_ms > (moved ? FRESH_MS : QUIET_MS);
}

int kafka__find_anew(Source *source, const KafkaPositions *start, const KafkaPositions *there, bool moved, bool urgent, Arena *arena, KafkaTopics *anew, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    KafkaTopics now = topics_of(arena, there);
    bool news = false;

    *anew = (KafkaTopics){0};
    kafka->adopted = (KafkaTopics){0};
    for (int i = 0; i < now.count; i++) /* N1 */
        urgent |= !kafka_topics_find(&kafka->known, now.items[i].name);
    if (!is_due(kafka, moved, urgent))
        return 0;
    SILT_TRY(ask(source, &now, arena, err));
    for (int i = 0; i < now.count; i++)
        if (now.items[i].id)
            SILT_TRY(take_topic(source, &now.items[i], start, arena, anew, &news, err));
    return news ? store(source, err) : 0;
}

int kafka__adopt_topics(Source *source, SiltErr *err)
{
    KafkaSource *kafka = source->self;

    if (!kafka->adopted.count)
        return 0;
    for (int i = 0; i < kafka->adopted.count; i++)
        remember(source, &kafka->known, &kafka->adopted.items[i]);
    kafka->adopted = (KafkaTopics){0};
    return store(source, err);
}
