/*
 * delta/txn_commit.c - a transaction's text, and the race for its version
 *
 *   X1  A version is made by put-if-absent only; what another writer put is never touched.
 *   X2  An attempt that ended without a clear answer is settled by the txnId in the log, never by trying again blindly.
 *   X3  The first line is commitInfo, and isBlindAppend in it is true exactly when nothing was read and nothing removed.
 */
#include "delta/txn_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SILT_VERSION
#define SILT_VERSION "0"
#endif

enum {
    ATTEMPTS_MAX = 10000,     /* lost races; each means that another writer got on */
    ATTEMPTS_EAGER = 3,       /* lost races before we wait between attempts */
    CHECKPOINT_INTERVAL = 10, /* as Spark, for tables whose checkpoints are small: see checkpoint_interval */
};

/* ---- the text of a commit ---- */

static int64_t removed_bytes(const DeltaTxn *txn)
{
    int64_t total = 0;
    for (int64_t i = 0; i < txn->remove_count; i++)
        total += txn->removes[i]->size_bytes > 0 ? txn->removes[i]->size_bytes : 0;
    return total;
}

static void put_metric(JsonWriter *w, const char *key, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)value);
    json_member(w, key, text);
}

/* Spark's metrics of the same operation: all are texts. */
static void print_metrics(const DeltaTxn *txn, JsonWriter *w)
{
    bool streaming = strcmp(txn->operation, "STREAMING UPDATE") == 0;
    json_object(w);
    if (streaming) {
        put_metric(w, "numRemovedFiles", txn->remove_count);
        put_metric(w, "numAddedFiles", txn->add_count);
    } else if (txn->add_count || txn->remove_count || strcmp(txn->operation, "WRITE") == 0) {
        put_metric(w, "numFiles", txn->add_count);
        if (txn->reads_table) {
            put_metric(w, "numRemovedFiles", txn->remove_count);
            put_metric(w, "numRemovedBytes", removed_bytes(txn));
        }
    }
    if (streaming || txn->add_count || txn->remove_count || strcmp(txn->operation, "WRITE") == 0) {
        put_metric(w, "numOutputRows", txn->rows);
        put_metric(w, "numOutputBytes", txn->size_bytes);
    }
    for (int i = 0; i < txn->metric_count; i++)
        json_member(w, txn->metrics[i].key, txn->metrics[i].value);
    json_object_end(w);
}

static bool is_blind(const DeltaTxn *txn)
{
    return !txn->reads_table && !txn->remove_count;
}

static void print_commit_info(const DeltaTxn *txn, JsonWriter *w, int64_t now_ms, int64_t in_commit_ms)
{
    json_object(w);
    if (in_commit_ms >= 0)
        json_member_int(w, "inCommitTimestamp", in_commit_ms);
    json_member_int(w, "timestamp", now_ms);
    json_member(w, "operation", txn->operation);
    json_key(w, "operationParameters");
    delta__print_properties(w, txn->parameters, txn->parameter_count);
    if (txn->base)
        json_member_int(w, "readVersion", txn->base->version);
    json_member(w, "isolationLevel", "Serializable");
    json_member_bool(w, "isBlindAppend", is_blind(txn));
    json_key(w, "operationMetrics");
    print_metrics(txn, w);
    json_member(w, "engineInfo", "Silt/" SILT_VERSION);
    json_member(w, "txnId", txn->txn_id);
    if (txn->read_sources.size) {
        json_key(w, "readSources");
        json_raw(w, txn->read_sources);
    }
    json_object_end(w);
}

/* One action on its own line: `print` writes the object below its name. */
#define LINE(text, name, print)                                                                                                            \
    do {                                                                                                                                   \
        JsonWriter w = {.out = text};                                                                                                      \
        json_object(&w);                                                                                                                   \
        json_key(&w, name);                                                                                                                \
        print;                                                                                                                             \
        json_object_end(&w);                                                                                                               \
        str_buf_putc(text, '\n');                                                                                                          \
    } while (0)

static void print_commit(const DeltaTxn *txn, const DeltaProtocol *protocol, int64_t now_ms, int64_t in_commit_ms, StrBuf *out)
{
    LINE(out, "commitInfo", print_commit_info(txn, &w, now_ms, in_commit_ms));
    if (txn->metadata_changed)
        LINE(out, "metaData", delta__print_metadata(&w, txn->metadata));
    if (protocol)
        LINE(out, "protocol", delta__print_protocol(&w, protocol));
    for (int i = 0; i < txn->txn_count; i++)
        LINE(out, "txn", delta__print_txn(&w, &txn->txns[i]));
    for (int64_t i = 0; i < txn->remove_count; i++)
        LINE(out, "remove", delta__print_remove(&w, txn->removes[i], !txn->rearranges, now_ms));
    for (int i = 0; i < txn->add_count; i++)
        LINE(out, "add", delta__print_add(&w, &txn->adds[i], txn->adds[i].data_change));
}

/* ---- committing ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static DeltaIntent intent_of(DeltaTxn *txn, const DeltaProtocol *protocol)
{
    DeltaIntent intent = {
        .changes_protocol = protocol != NULL,
        .changes_metadata = txn->metadata_changed,
        .reads_table = txn->reads_table,
        .is_blind_append = is_blind(txn),
        .only_rearranges = txn->rearranges,
        .removed_count = (int)txn->remove_count,
        .app_id_count = txn->txn_count,
    };
    if (txn->txn_count)
        intent.app_ids = ARENA_ARRAY(txn->arena, const char *, txn->txn_count);
    for (int i = 0; i < txn->txn_count; i++)
        intent.app_ids[i] = txn->txns[i].app_id;
    if (txn->remove_count) {
        intent.removed = ARENA_ARRAY(txn->arena, const char *, txn->remove_count);
        for (int64_t i = 0; i < txn->remove_count; i++)
            intent.removed[i] = txn->removes[i]->name;
        qsort(intent.removed, (size_t)txn->remove_count, sizeof *intent.removed, compare_names);
    }
    return intent;
}

static bool uses_in_commit_times(const DeltaMetadata *metadata)
{
    const char *on = delta__property(metadata->configuration, metadata->configuration_count, "delta.enableInCommitTimestamps");
    return on && strcasecmp(on, "true") == 0;
}

/* Apply a commit to the handle when it is the next one; a handle that was refreshed meanwhile has it already. */
static int apply(DeltaTable *table, const DeltaCommit *commit, SiltErr *err)
{
    int64_t newest = table->newest ? table->newest->head.version : -1;
    if (commit->version <= newest)
        return 0;
    silt_assert(commit->version == newest + 1);
    return delta__table_applied(table, commit, err);
}

/* What became of an attempt. */
enum { WON = 0, LOST = 1 };

/*
 * X2: the version exists, or the store gave no clear answer. Read it: ours (WON), another's (LOST, *winner in arena), not
 * there (< 0, as `failure` says), or unreadable (< 0, unknown).
 */
static int settle(DeltaTxn *txn, int64_t version, Str content, bool unclear, const SiltErr *failure, Arena *arena,
                  const DeltaCommit **winner, SiltErr *err)
{
    DeltaTable *table = txn->table;
    int r = delta_commit_read(table, version, arena, winner, err);
    if (r == DELTA_ABSENT && unclear) {
        if (err)
            *err = *failure;
        return silt_context(err, "could not commit version %lld of \"%s\": ", (long long)version, table->root);
    }
    if (r == DELTA_ABSENT)
        return silt_fail(err, SILT_CORRUPT, "the store of \"%s\" says that version %lld exists and that it does not", table->root,
                         (long long)version);
    if (r < 0) {
        if (err)
            err->kind = SILT_TRANSIENT;
        return unclear ? silt_context(err, "it is unknown whether version %lld of \"%s\" was committed: ", (long long)version, table->root)
                       : silt_context(err, "could not read the commit that came before ours: ");
    }
    if (!(*winner)->txn_id || strcmp((*winner)->txn_id, txn->txn_id) != 0)
        return LOST;
    if (unclear) { /* it is there, but a power cut might still take it: what follows is built on it */
        r = io_sync(table->env.io, delta__commit_path(arena, table, version), err);
        if (r == IO_ABSENT)
            r = silt_fail(err, SILT_TRANSIENT, "it is gone");
        if (r < 0)
            return silt_context(err, "version %lld of \"%s\" was committed, but it is unknown whether durably: ", (long long)version, table->root);
    }
    return WON;
}

/* All commits that came before ours since `version`, each asked whether it allows ours. *version is then free. */
static int pass_winners(DeltaTxn *txn, const DeltaIntent *intent, const DeltaCommit *first, int64_t *version,
                        const DeltaProtocol **protocol, const DeltaMetadata **metadata, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const DeltaCommit *winner = first;
    for (;;) {
        int r = delta__conflict(intent, winner, *protocol, err);
        if (r)
            return r;
        if (winner->protocol)
            *protocol = delta__protocol_copy(txn->arena, winner->protocol);
        if (winner->metadata)
            *metadata = delta__metadata_copy(txn->arena, winner->metadata);
        SILT_TRY(apply(txn->table, winner, err));
        ++*version;
        arena_reset(arena);
        r = delta_commit_read(txn->table, *version, arena, &winner, err);
        if (r == DELTA_ABSENT)
            return 0;
        SILT_TRY(r);
    }
}

/*
 * A checkpoint costs as much as the table has files, and is written between two commits: with one at every tenth commit a stream of small
 * commits would spend the more time on them the longer it runs. Readers pay with at most a hundred small commits beyond it.
 */
static int64_t checkpoint_interval(const DeltaTable *table)
{
    static const struct {
        int64_t rows, interval;
    } steps[] = {{1000, CHECKPOINT_INTERVAL}, {4000, 20}, {16000, 50}, {INT64_MAX, 100}};
    int i = 0;

    if (table->env.checkpoint_interval)
        return table->env.checkpoint_interval;
    while (table->checkpoint_rows > steps[i].rows)
        i++;
    return steps[i].interval;
}

static void checkpoint_if_due(DeltaTable *table, int64_t version)
{
    const DeltaSnapshot *snapshot = delta_table_snapshot(table);
    const char *text = delta_snapshot_property(snapshot, "delta.checkpointInterval");
    int64_t interval = checkpoint_interval(table);
    SiltErr err;

    if (text && (!str_to_int64(str_of(text), &interval) || interval < 1))
        interval = CHECKPOINT_INTERVAL;
    if (interval < 1 || version == 0 || version % interval != 0 || snapshot->version != version)
        return;
    if (delta__checkpoint_write(snapshot, &err) < 0)
        delta__warn(table, "could not write the checkpoint of version %lld of \"%s\": %s", (long long)version, table->root, err.message);
}

static int won(DeltaTxn *txn, int64_t version, Str content, int64_t now_ms, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    DeltaCommit commit;
    SILT_TRY(delta__parse_commit(arena, txn->table->root, content, "just committed", version, &commit, err));
    if (commit.timestamp_ms < 0)
        commit.timestamp_ms = now_ms;
    SILT_TRY(apply(txn->table, &commit, err));
    checkpoint_if_due(txn->table, version);
    return 0;
}

static void back_off(Io *io, int attempt)
{
    if (attempt < ATTEMPTS_EAGER)
        return;
    uint8_t chance;
    io_random(io, &chance, sizeof chance);
    io_sleep_ms(io, 1 + chance % (attempt < 16 ? 4 * attempt : 64));
}

/* The preview notes the version of each change, which readers of that time look for; it is not known before the commit has won. */
static int check_preview(const DeltaTxn *txn, SiltErr *err)
{
    if (!txn->base || !txn->metadata_changed || txn->replaces || delta__only_widened(txn->metadata->schema, txn->base->metadata->schema) ||
        !delta__protocol_has(txn->base->protocol, "typeWidening-preview") || delta__protocol_has(txn->base->protocol, "typeWidening"))
        return 0;
    silt_fail(err, SILT_CONFIG, "cannot change types of columns of \"%s\": the table has the feature typeWidening-preview, not typeWidening", txn->table->root);
    silt_code(err, "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE");
    return silt_hint(err, "With Spark: ALTER TABLE .. DROP FEATURE `typeWidening-preview`, and then set delta.enableTypeWidening again.");
}

int delta_txn_commit(DeltaTxn *txn, int64_t *version, SiltErr *err)
{
    DeltaTable *table = txn->table;
    silt_auto(str_buf_fini) StrBuf text = {0};
    silt_auto(arena_freep) Arena *scratch = arena_new();

    silt_assert(txn->metadata);
    silt_assert(!txn->base || txn->replaces || delta__only_widened(txn->base->metadata->schema, txn->metadata->schema));
    SILT_TRY(check_preview(txn, err));
    const DeltaProtocol *base_protocol = txn->base ? txn->base->protocol : NULL;
    const DeltaProtocol *needed = txn->metadata_changed ? delta__protocol_for(txn->arena, base_protocol, txn->metadata) : base_protocol;
    SILT_TRY(delta__protocol_writable(needed, txn->metadata, table->root, err));
    const DeltaProtocol *change = base_protocol && delta__protocol_equal(base_protocol, needed) ? NULL : needed;
    DeltaIntent intent = intent_of(txn, change);

    int64_t next = txn->base ? txn->base->version + 1 : 0;
    const DeltaProtocol *protocol = needed; /* in force before ours; moves on over winners */
    const DeltaMetadata *metadata = txn->metadata;
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        SiltErr failure;
        const DeltaCommit *winner;
        int64_t now_ms = io_now_us(table->env.io) / 1000, in_commit_ms = -1;
        if (uses_in_commit_times(metadata)) {
            int64_t previous = table->newest ? table->newest->head.timestamp_ms : -1;
            in_commit_ms = now_ms > previous ? now_ms : previous + 1;
        }
        str_buf_clear(&text);
        print_commit(txn, change, now_ms, in_commit_ms, &text);

        int r = io_put_if_absent(table->env.io, delta__commit_path(scratch, table, next), str_buf_view(&text), &failure);
        if (r != 0)
            r = settle(txn, next, str_buf_view(&text), r < 0, &failure, scratch, &winner, err);
        if (r < 0)
            return r;
        if (r == WON) {
            *version = next;
            return won(txn, next, str_buf_view(&text), now_ms, err);
        }
        if (!txn->base) {
            silt_fail(err, SILT_TRANSIENT, "another writer made the table \"%s\" first", table->root);
            silt_code(err, "DELTA_METADATA_CHANGED");
            return DELTA_CONFLICT;
        }
        r = pass_winners(txn, &intent, winner, &next, &protocol, &metadata, err);
        if (r)
            return r;
        SILT_TRY(delta__protocol_writable(protocol, metadata, table->root, err));
        arena_reset(scratch);
        back_off(table->env.io, attempt);
    }
    return silt_fail(err, SILT_TRANSIENT, "lost the race to commit to \"%s\" %d times", table->root, ATTEMPTS_MAX);
}
