/*
 * source/kafka.c - records of Kafka topics as a stream
 *
 * An offset is Spark's: for each partition the offset of the next record, {"topic":{"0":3,"1":8}}. Where the stream began is kept in
 * <checkpoint>/sources/<i>/0, in the bytes that Spark writes, so that a run that found nothing has begun all the same.
 *
 *   A1  A batch [start, end) reads the same records each time: offsets do not move, and what is behind the last stable offset is never in it.
 *   A2  A partition without a position is a new one and is read from offset 0 (class 3, kafka-04); the user's start is for those that were
 *       there when the stream began.
 *   A3  Offsets that are gone (retention, a topic made anew, partitions taken away) stop the flow before a batch is planned, with what is
 *       missing; or, with failOnDataLoss => false, what is still there is read and what is not is said. N1 to N3 in kafka_anew.c are how a topic made
 *       anew is told from the old one; where its ids are not known, only its being shorter tells.
 */
#include "source/kafka.h"

#include "source/kafka_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

KafkaWait kafka__wait(const Source *source, int64_t timeout_ms)
{
    return (KafkaWait){timeout_ms < INT32_MAX ? (int)timeout_ms : INT32_MAX, source->stop};
}

KafkaWait kafka__ask_wait(const Source *source)
{
    const KafkaSource *kafka = source->self;

    return kafka__wait(source, kafka->ask_ms ? kafka->ask_ms : KAFKA_ASK_MS);
}

int kafka__client(KafkaSource *kafka, KafkaClient **out, SiltErr *err)
{
    if (!kafka->client)
        SILT_TRY(kafka_client_acquire(&kafka->settings, &kafka->client, err));
    *out = kafka->client;
    return 0;
}

static int kafka_open(const SourceContext *context, const Relation *relation, Source **out, SiltErr *err)
{
    if (relation->kind != REL_FUNCTION || relation->name.count != 1 || !str_is_nocase(str_of(relation->name.parts[0]), "read_kafka"))
        return SOURCE_NONE;
    Arena *arena = arena_new();
    Source *source = ARENA_NEW(arena, Source);
    KafkaSource *kafka = ARENA_NEW(arena, KafkaSource);
    *source = (Source){.ops = &source_kafka, .arena = arena, .self = kafka};
    kafka->look_arena = arena_new();
    kafka->asked_ms = -1;
    if (kafka__parse(source, context, relation, err) < 0) {
        source_free(source);
        return -1;
    }
    *out = source;
    return 0;
}

static void kafka_close(Source *source)
{
    KafkaSource *kafka = source->self;

    kafka__close_cursors(kafka);
    kafka_watch_leave(kafka->waiter);
    kafka_mirror_free(kafka->mirror);
    kafka_client_release(kafka->client);
    arena_free(kafka->look_arena);
}

static const char *kafka_explain(const Source *source, bool streaming, Arena *arena)
{
    const KafkaSource *kafka = source->self;
    silt_auto(str_buf_fini) StrBuf text = {0};

    str_buf_printf(&text, "records of Kafka's %s at %s", source->description, kafka->o.servers);
    if (kafka->format.ops)
        str_buf_printf(&text, "\nvalues are %s, fields that the schema lacks are %s", kafka->format.ops->name, kafka->format.rescued_column >= 0 ? "rescued" : "left out");
    if (kafka->format.registry)
        str_buf_printf(&text, "\nschemas of values come from %s", kafka->format.registry_settings.url);
    if (streaming && kafka->o.offsets_max != INT64_MAX)
        str_buf_printf(&text, "\nat most %lld offsets a batch", (long long)kafka->o.offsets_max);
    if (!kafka->o.fail_on_loss)
        str_buf_puts(&text, "\nwhat is gone is passed over, with a warning");
    return arena_strdup(arena, str_buf_text(&text));
}

/* ---- what is there ---- */

/* Topics of Kafka itself are read by name only (Java's client, exclude.internal.topics). */
static bool is_internal(const char *topic)
{
    static const char *const names[] = {"__consumer_offsets", "__transaction_state", "__share_group_state"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(topic, names[i]))
            return true;
    return false;
}

static bool matches(void *self, const char *topic)
{
    const KafkaSource *kafka = self;
    JavaMatch match = {0};

    if (is_internal(topic))
        return false;
    int found = java_regex_find(kafka->regex, str_of(topic), 0, &match, NULL);
    java_match_fini(&match);
    return found == 1;
}

/* The partitions that are to be read, as of now, sorted; offsets are 0. A named topic that is not there is an error. */
static int list_partitions(Source *source, Arena *arena, KafkaPositions *out, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    KafkaWait wait = kafka__ask_wait(source);
    KafkaClient *client;

    *out = (KafkaPositions){0};
    SILT_TRY(kafka__client(kafka, &client, err));
    for (int i = 0; i < kafka->assigned.count; i++)
        kafka_positions_add(arena, out, kafka->assigned.items[i].topic, kafka->assigned.items[i].partition, 0);
    if (kafka->regex)
        SILT_TRY(kafka_client_list(client, NULL, matches, kafka, &wait, arena, out, err));
    for (int i = 0; i < kafka->topic_count; i++) {
        int r = kafka_client_list(client, kafka->topics[i], NULL, NULL, &wait, arena, out, err);
        if (r == KAFKA_ABSENT) {
            silt_fail_at(err, SILT_TRANSIENT, kafka->topics_pos, "there is no topic \"%s\" at Kafka's %s", kafka->topics[i], kafka_client_servers(client));
            silt_code(err, "UNKNOWN_TOPIC_OR_PARTITION");
            return silt_hint(err, "Is the name right? Topics are not made by reading them.");
        }
        SILT_TRY(r);
    }
    kafka_positions_sort(out);
    return 0;
}

static void copy_positions(Arena *arena, const KafkaPositions *from, KafkaPositions *out)
{
    *out = (KafkaPositions){.items = ARENA_ARRAY(arena, KafkaPosition, from->count + 1), .count = from->count, .capacity = from->count + 1};
    if (from->count)
        memcpy(out->items, from->items, sizeof *out->items * (size_t)from->count);
}

/* How far each partition can be read now. Into look_arena. */
static int look(Source *source, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    KafkaWait wait = kafka__ask_wait(source);
    KafkaClient *client;
    Arena *arena = arena_new();
    KafkaPositions there;

    int r = list_partitions(source, arena, &there, err);
    if (r == 0)
        r = kafka__client(kafka, &client, err);
    if (r == 0)
        r = kafka_client_offsets(client, &there, KAFKA_LATEST, &wait, err);
    if (r < 0) {
        arena_free(arena);
        return r;
    }
    arena_free(kafka->look_arena);
    kafka->look_arena = arena;
    kafka->latest = there;
    kafka->looked = true;
    return 0;
}

/* ---- where it begins and ends ---- */

/* JSON for each partition: it must name all that are there, and no others (Spark's rule). */
static int check_named(const KafkaBound *bound, const KafkaPositions *there, SiltErr *err)
{
    for (int i = 0; i < there->count; i++)
        if (!kafka_positions_find(&bound->positions, there->items[i].topic, there->items[i].partition)) {
            silt_fail_at(err, SILT_CONFIG, bound->pos, "%s says nothing of topic \"%s\", partition %d", bound->option, there->items[i].topic, there->items[i].partition);
            return silt_hint(err, "It must name all partitions; -2 means earliest, -1 latest.");
        }
    for (int i = 0; i < bound->positions.count; i++)
        if (!kafka_positions_find(there, bound->positions.items[i].topic, bound->positions.items[i].partition))
            return silt_fail_at(err, SILT_CONFIG, bound->pos, "%s names topic \"%s\", partition %d, which is not read, or not there", bound->option,
                                bound->positions.items[i].topic, bound->positions.items[i].partition);
    return 0;
}

/* Times that are later than every record. */
static int settle_none(const KafkaBound *bound, KafkaPositions *positions, const KafkaPositions *latest, SiltErr *err)
{
    for (int i = 0; i < positions->count; i++) {
        KafkaPosition *at = &positions->items[i];
        if (at->offset != -1)
            continue;
        if (!bound->latest_if_none) {
            silt_fail_at(err, SILT_CONFIG, bound->pos, "topic \"%s\", partition %d, has no record at or after the time of %s", at->topic, at->partition, bound->option);
            return silt_hint(err, "startingOffsetsByTimestampStrategy => 'latest' begins at the end of such partitions.");
        }
        at->offset = latest->items[i].offset;
    }
    return 0;
}

/* The offset of each of the partitions in `there` (which is changed) for one end. */
static int resolve(Source *source, const KafkaBound *bound, KafkaPositions *there, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    KafkaWait wait = kafka__ask_wait(source);
    KafkaClient *client;
    silt_auto(arena_freep) Arena *arena = arena_new();
    KafkaPositions latest, earliest;

    SILT_TRY(kafka__client(kafka, &client, err));
    if (bound->each)
        SILT_TRY(check_named(bound, there, err));
    for (int i = 0; i < there->count; i++)
        there->items[i].offset = bound->each ? kafka_positions_find(&bound->positions, there->items[i].topic, there->items[i].partition)->offset : bound->all;
    if (bound->kind == KAFKA_AT_OFFSET && !bound->each)
        return kafka_client_offsets(client, there, bound->all, &wait, err);
    copy_positions(arena, there, &latest);
    SILT_TRY(kafka_client_offsets(client, &latest, KAFKA_LATEST, &wait, err));
    if (bound->kind == KAFKA_AT_TIME) {
        SILT_TRY(kafka_client_offsets(client, there, KAFKA_EACH, &wait, err));
        return settle_none(bound, there, &latest, err);
    }
    copy_positions(arena, there, &earliest);
    SILT_TRY(kafka_client_offsets(client, &earliest, KAFKA_EARLIEST, &wait, err));
    for (int i = 0; i < there->count; i++)
        if (there->items[i].offset < 0)
            there->items[i].offset = there->items[i].offset == KAFKA_LATEST ? latest.items[i].offset : earliest.items[i].offset;
    return 0;
}

/* A stored offset; from a checkpoint, so it must be whole. */
static int parse_stored(Arena *arena, const char *text, KafkaPositions *out, SiltErr *err)
{
    if (kafka_positions_parse(arena, str_of(text), out, err) < 0) {
        err->kind = SILT_CORRUPT;
        return silt_context(err, "the checkpoint's offset of Kafka: ");
    }
    for (int i = 0; i < out->count; i++)
        if (out->items[i].offset < 0)
            return silt_fail(err, SILT_CORRUPT, "the checkpoint's offset of Kafka has %lld for topic \"%s\", partition %d", (long long)out->items[i].offset,
                             out->items[i].topic, out->items[i].partition);
    return 0;
}

/* Partitions that `assign` names and the topic does not have. */
static int check_there(const KafkaSource *kafka, const KafkaPositions *positions, SiltErr *err)
{
    for (int i = 0; i < positions->count; i++)
        if (positions->items[i].offset == KAFKA_GONE)
            return silt_fail_at(err, SILT_TRANSIENT, kafka->topics_pos, "topic \"%s\" has no partition %d", positions->items[i].topic, positions->items[i].partition);
    return 0;
}

/* Into the bytes that Spark writes: a NUL, the version, the offsets. */
static int store_initial(KafkaSource *kafka, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    silt_auto(arena_freep) Arena *arena = arena_new();

    str_buf_add(&text, "\0v1\n", 4);
    kafka_positions_print(&text, &kafka->initial);
    int r = io_put_if_absent(kafka->io, arena_printf(arena, "%s/0", kafka->log_directory), str_buf_view(&text), err);
    if (r == IO_EXISTS)
        return silt_fail(err, SILT_CORRUPT, "\"%s/0\" was written by someone else", kafka->log_directory);
    return r;
}

/* Where the stream begins: as an earlier run has found, or as the options say, durably (S2). */
static int find_initial(Source *source, SiltErr *err)
{
    KafkaSource *kafka = source->self;

    if (kafka->has_initial)
        return 0;
    SILT_TRY(list_partitions(source, source->arena, &kafka->initial, err));
    SILT_TRY(kafka__begin_topics(source, &kafka->initial, err));
    SILT_TRY(resolve(source, &kafka->from, &kafka->initial, err));
    SILT_TRY(check_there(kafka, &kafka->initial, err));
    SILT_TRY(store_initial(kafka, err));
    kafka->has_initial = true;
    return 0;
}

static int kafka_attach(Source *source, const char *log_directory, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    silt_auto(arena_freep) Arena *arena = arena_new();
    Str text;

    kafka->log_directory = arena_strdup(source->arena, log_directory);
    SILT_TRY(kafka__load_topics(source, err));
    const char *path = arena_printf(arena, "%s/0", log_directory);
    int r = io_read(kafka->io, path, arena, &text, err);
    if (r == IO_ABSENT)
        return 0;
    SILT_TRY(r);
    if (text.size && !*text.ptr) /* Spark writes a NUL before its version */
        text = (Str){text.ptr + 1, text.size - 1};
    if (!str_starts(text, "v1\n"))
        return silt_fail(err, SILT_CORRUPT, "\"%s\" does not begin with v1: it is no record of where a Kafka stream began", path);
    if (parse_stored(source->arena, arena_strndup(arena, text.ptr + 3, text.size - 3), &kafka->initial, err) < 0)
        return silt_fail(err, SILT_CORRUPT, "\"%s\" does not hold offsets of Kafka", path);
    kafka->has_initial = true;
    return 0;
}

static int kafka_bound(Source *source, SiltErr *err)
{
    KafkaSource *kafka = source->self;

    kafka->bounded = true;
    SILT_TRY(find_initial(source, err)); /* first: what comes in between lies behind the start, not before it */
    return look(source, err);
}

static void kafka_unbound(Source *source)
{
    ((KafkaSource *)source->self)->bounded = false;
}

/* ---- how far it has come ---- */

/* Batches are sealed up to these positions, as of the last look. */
static void tell_lag(Source *source, const KafkaPositions *sealed)
{
    KafkaSource *kafka = source->self;

    if (!source->lagged.call)
        return;
    if (kafka->waiter)
        kafka_watch_sealed(kafka->waiter, sealed);
    kafka_tell_lag(&source->lagged, sealed, &kafka->latest);
}

/* ---- the consumer group that shows what was read ---- */

static void note_mirror(Source *source, const char *why)
{
    if (why) {
        const char *note = arena_strdup(source->arena, why);
        ARENA_PUSH(source->arena, source->notes, source->note_count, source->note_capacity, note);
    }
}

static void turn_mirror(Source *source)
{
    KafkaSource *kafka = source->self;

    if (kafka->mirror)
        note_mirror(source, kafka_mirror_turn(kafka->mirror));
}

static int kafka_committed(Source *source, const char *end, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    silt_auto(arena_freep) Arena *arena = arena_new();
    KafkaPositions positions;
    KafkaClient *client;

    SILT_TRY(kafka__adopt_topics(source, err));
    bool mirrored = kafka->o.commit_offsets && (kafka->o.group_id || source->reader);
    if (!mirrored && !source->lagged.call)
        return 0;
    SILT_TRY(parse_stored(arena, end, &positions, err));
    tell_lag(source, &positions);
    if (!mirrored)
        return 0;
    SILT_TRY(kafka__client(kafka, &client, err));
    if (!kafka->mirror)
        kafka->mirror = kafka_mirror_new(client, kafka->o.group_id ? kafka->o.group_id : arena_printf(arena, "%s-%s", kafka->o.group_prefix, source->reader));
    kafka_mirror_set(kafka->mirror, &positions);
    turn_mirror(source);
    return 0;
}

static int kafka_finish(Source *source, SiltErr *err)
{
    KafkaSource *kafka = source->self;

    (void)err;
    if (kafka->mirror)
        note_mirror(source, kafka_mirror_settle(kafka->mirror));
    return 0;
}

/* ---- planning ---- */

/* Where a partition goes on: its position, where the stream began, or (A2) 0. *is_new: the last one. */
static int64_t begin_of(const KafkaSource *kafka, const KafkaPositions *start, const KafkaPosition *partition, bool *is_new)
{
    const KafkaPosition *at = start ? kafka_positions_find(start, partition->topic, partition->partition) : NULL;

    if (!at && !start)
        at = kafka_positions_find(&kafka->initial, partition->topic, partition->partition);
    *is_new = !at;
    return at ? at->offset : 0;
}

/* Positions of partitions that are no longer there (A3); of a topic made anew that was said. */
static int check_gone(Source *source, const KafkaPositions *start, const KafkaPositions *latest, const KafkaTopics *anew, SiltErr *err)
{
    for (int i = 0; i < start->count; i++) {
        KafkaPosition at = start->items[i];
        if (kafka_topics_find(anew, at.topic))
            continue;
        const KafkaPosition *there = kafka_positions_find(latest, at.topic, at.partition);
        int64_t wanted = at.offset;
        at.offset = KAFKA_GONE;
        if (!there || there->offset == KAFKA_GONE)
            SILT_TRY(kafka__lost_range(source, &at, wanted, wanted, false, err));
    }
    return 0;
}

/*
 * Compare where a partition goes on with what its log has (A3). *begin becomes what can be read first; behind the end of a log that is shorter
 * than it was (a topic made anew) that is its first record.
 */
static int check_range(Source *source, const KafkaPosition *latest, const KafkaPosition *earliest, bool is_new, int64_t *begin, SiltErr *err)
{
    int64_t wanted = *begin;

    if (wanted >= earliest->offset && wanted <= latest->offset)
        return 0;
    *begin = earliest->offset < latest->offset ? earliest->offset : latest->offset; /* of a bounded run, latest may be an older one */
    return kafka__lost_range(source, earliest, wanted, latest->offset, is_new, err);
}

/* What is to be read. */
typedef struct Work {
    KafkaPositions begins; /* in the order of `latest`; KAFKA_GONE: gone in between */
    KafkaTopics anew;      /* topics that are set back to their beginning (N2): nothing of them is read yet */
    int64_t total;         /* offsets in all */
    bool is_reset;         /* a partition does not go on where it was, as something is lost */
} Work;

/* *moved: there is something to read; *torn: a log ends before the position in it. */
static bool *set_begins(const KafkaSource *kafka, const KafkaPositions *start, Arena *arena, KafkaPositions *begins, bool *moved, bool *torn)
{
    const KafkaPositions *latest = &kafka->latest;
    bool *are_new = ARENA_ARRAY(arena, bool, latest->count + 1);

    copy_positions(arena, latest, begins);
    *moved = *torn = false;
    for (int i = 0; i < latest->count; i++) {
        begins->items[i].offset = begin_of(kafka, start, &latest->items[i], &are_new[i]);
        *moved |= begins->items[i].offset != latest->items[i].offset;
        *torn |= begins->items[i].offset > latest->items[i].offset;
    }
    return are_new;
}

static int find_work(Source *source, const KafkaPositions *start, Arena *arena, Work *work, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    KafkaWait wait = kafka__ask_wait(source);
    const KafkaPositions *latest = &kafka->latest;
    KafkaPositions earliest;
    KafkaClient *client;
    bool moved, torn;

    *work = (Work){0};
    const bool *are_new = set_begins(kafka, start, arena, &work->begins, &moved, &torn);
    SILT_TRY(kafka__find_anew(source, start ? start : &kafka->initial, latest, moved, torn, arena, &work->anew, err));
    SILT_TRY(check_gone(source, start ? start : &kafka->initial, latest, &work->anew, err));
    if (!moved && !work->anew.count)
        return 0;
    SILT_TRY(kafka__client(kafka, &client, err));
    copy_positions(arena, latest, &earliest);
    SILT_TRY(kafka_client_offsets(client, &earliest, KAFKA_EARLIEST, &wait, err));
    for (int i = 0; i < latest->count; i++) {
        KafkaPosition *begin = &work->begins.items[i];
        int64_t wanted = begin->offset;
        if (latest->items[i].offset < 0 || earliest.items[i].offset < 0) { /* gone in between */
            begin->offset = KAFKA_GONE;
            continue;
        }
        if (kafka_topics_find(&work->anew, begin->topic)) {
            begin->offset = 0;
            work->is_reset = true;
            continue;
        }
        SILT_TRY(check_range(source, &latest->items[i], &earliest.items[i], are_new[i], &begin->offset, err));
        work->is_reset |= begin->offset != wanted;
        work->total += latest->items[i].offset - begin->offset;
    }
    return 0;
}

/* Spark's way to share a limit: in proportion to what each partition has, at least one offset where it has any. */
static int64_t share(int64_t limit, int64_t size, int64_t total)
{
    double part = (double)limit * ((double)size / (double)total);
    int64_t whole = part < 1 ? size > 0 : (int64_t)part;

    return whole < size ? whole : size;
}

static bool is_too_little(const KafkaSource *kafka, int64_t total)
{
    return !kafka->bounded && total < kafka->o.offsets_min && io_monotonic_us(kafka->io) - kafka->planned_us < kafka->o.delay_us;
}

/* From now on news is what comes behind these positions: where a plan ended, or found nothing to do. */
static int wait_behind(Source *source, const KafkaPositions *positions, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    KafkaClient *client;

    if (kafka->bounded || !source->wake.call)
        return 0;
    SILT_TRY(kafka__client(kafka, &client, err));
    if (!kafka->waiter)
        SILT_TRY(kafka_watch_join(client, source->wake, source->lagged, &kafka->waiter, err));
    kafka_watch_expect(kafka->waiter, positions); /* of those that are gone it knows nothing */
    return 0;
}

static int64_t kafka_news(Source *source)
{
    const KafkaSource *kafka = source->self;
    int64_t news = kafka->waiter ? kafka_watch_news(kafka->waiter) : -1;

    turn_mirror(source);
    if (news > 0 && is_too_little(kafka, news))
        return 0;
    return news >= kafka->o.offsets_max ? INT64_MAX : news;
}

static int kafka_plan(Source *source, const char *start, Arena *arena, const char **end, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    KafkaPositions from, ends = {0};
    Work work;

    turn_mirror(source);
    SILT_TRY(find_initial(source, err));
    if (!kafka->bounded)
        SILT_TRY(look(source, err));
    silt_assert(kafka->looked);
    if (start)
        SILT_TRY(parse_stored(arena, start, &from, err));
    SILT_TRY(find_work(source, start ? &from : NULL, arena, &work, err));
    tell_lag(source, &work.begins);
    /* A reset is sealed even if there is nothing to read yet: a topic made anew may be longer than the old one when it is looked at next. */
    if (!work.is_reset && (work.total == 0 || is_too_little(kafka, work.total))) {
        SILT_TRY(wait_behind(source, &work.begins, err));
        return SOURCE_IDLE;
    }
    for (int i = 0; i < work.begins.count; i++) {
        const KafkaPosition *begin = &work.begins.items[i];
        if (begin->offset < 0)
            continue;
        int64_t size = kafka_topics_find(&work.anew, begin->topic) ? 0 : kafka->latest.items[i].offset - begin->offset;
        int64_t taken = work.total > kafka->o.offsets_max ? share(kafka->o.offsets_max, size, work.total) : size;
        kafka_positions_add(arena, &ends, begin->topic, begin->partition, begin->offset + taken);
    }
    SILT_TRY(wait_behind(source, &ends, err));
    silt_auto(str_buf_fini) StrBuf text = {0};
    kafka_positions_print(&text, &ends);
    *end = arena_strdup(arena, str_buf_text(&text));
    kafka->planned_us = io_monotonic_us(kafka->io);
    return 0;
}

static int kafka_latest(Source *source, Arena *arena, const char **out, SiltErr *err)
{
    const KafkaSource *kafka = source->self;
    silt_auto(str_buf_fini) StrBuf text = {0};

    (void)err;
    *out = NULL;
    if (!kafka->looked)
        return 0;
    kafka_positions_print(&text, &kafka->latest);
    *out = arena_strdup(arena, str_buf_text(&text));
    return 0;
}

static const char *kafka_began(const Source *source, Arena *arena)
{
    const KafkaSource *kafka = source->self;
    silt_auto(str_buf_fini) StrBuf text = {0};

    if (!kafka->has_initial)
        return NULL;
    kafka_positions_print(&text, &kafka->initial);
    return arena_strdup(arena, str_buf_text(&text));
}

/* The first batch says where the stream began. */
static int kafka_restore(Source *source, const char *start, const char *end, const SourcePart *parts, int count, SiltErr *err)
{
    KafkaSource *kafka = source->self;

    (void)end, (void)parts, (void)count;
    if (kafka->has_initial || !start)
        return 0;
    SILT_TRY(parse_stored(source->arena, start, &kafka->initial, err));
    SILT_TRY(store_initial(kafka, err));
    kafka->has_initial = true;
    return 0;
}

/* ---- reading ---- */

static int kafka_open_batch(Source *source, const char *start, const char *end, const SourceReadOptions *options, SourceBatch **out, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    silt_auto(arena_freep) Arena *arena = arena_new();
    KafkaPositions from = {0}, to, begins;
    bool is_new;

    if (start)
        SILT_TRY(parse_stored(arena, start, &from, err));
    else if (!kafka->has_initial) {
        silt_fail(err, SILT_CORRUPT, "\"%s/0\" is missing: it says where the stream of %s began", kafka->log_directory, source->name);
        return silt_hint(err, "Restore the checkpoint from a copy, or begin anew: silt run --full-refresh.");
    }
    SILT_TRY(parse_stored(arena, end, &to, err));
    copy_positions(arena, &to, &begins);
    for (int i = 0; i < to.count; i++)
        begins.items[i].offset = begin_of(kafka, start ? &from : NULL, &to.items[i], &is_new);
    kafka__open(source, &begins, &to, end, options, out);
    return 0;
}

static int kafka_open_snapshot(Source *source, const SourceReadOptions *options, SourceBatch **out, SiltErr *err)
{
    KafkaSource *kafka = source->self;
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf text = {0};
    KafkaPositions from, to;

    SILT_TRY(list_partitions(source, arena, &from, err));
    copy_positions(arena, &from, &to);
    SILT_TRY(resolve(source, &kafka->from, &from, err));
    SILT_TRY(resolve(source, &kafka->to, &to, err));
    SILT_TRY(check_there(kafka, &from, err));
    SILT_TRY(check_there(kafka, &to, err));
    for (int i = 0; i < from.count; i++)
        if (to.items[i].offset < from.items[i].offset) /* the end lies before the start */
            to.items[i].offset = from.items[i].offset;
    kafka_positions_print(&text, &from);
    kafka_positions_print(&text, &to);
    kafka__open(source, &from, &to, str_buf_text(&text), options, out);
    return 0;
}

const SourceOps source_kafka = {
    .name = "kafka",
    .summary = "records of Kafka topics: read_kafka(...)",
    .open = kafka_open,
    .close = kafka_close,
    .schema_text = kafka__schema_text,
    .explain = kafka_explain,
    .attach = kafka_attach,
    .bound = kafka_bound,
    .unbound = kafka_unbound,
    .plan = kafka_plan,
    .news = kafka_news,
    .latest = kafka_latest,
    .began = kafka_began,
    .committed = kafka_committed,
    .finish = kafka_finish,
    .restore = kafka_restore,
    .open_batch = kafka_open_batch,
    .open_snapshot = kafka_open_snapshot,
    .batch_close = kafka__batch_close,
    .batch_counts = kafka__batch_counts,
};
