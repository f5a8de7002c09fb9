/*
 * pipeline/audit.c - `silt audit`: a table against what its sources give when they are read once more
 *
 *   1  the table's history: which flow made which commit, since the last full refresh
 *   2  each batch again, oldest first, into a shadow table below <storage>/_silt/audit
 *   3  both tables as multisets of rows (delta/compare.h)
 *
 * One audit at a time: <storage>/_silt/audit.lock. A run may go on meanwhile: the table is audited as it was when the audit began.
 */
#include "delta/compare.h"
#include "pipeline/open_table.h"
#include "pipeline/tableflows.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_MAX = 20 };

typedef struct Audit {
    Pipeline *pipeline;
    Arena *arena; /* of the caller */
    TableFlows *flows;
    DeltaTable *table;
    const DeltaSnapshot *snapshot; /* borrowed from table, which is not refreshed again */
    History history;
    const char *shadow;
    FlowRecomputed sum;
    int64_t edited; /* batches of a query that was another one */
    PipelineAudit *out;
    int note_capacity;
} Audit;

/* ---- what is said beside the numbers ---- */

static void note(Audit *audit, const char *fmt, ...) SILT_PRINTF(2, 3);
static void note(Audit *audit, const char *fmt, ...)
{
    char line[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    ARENA_PUSH(audit->arena, audit->out->notes, audit->out->note_count, audit->note_capacity, arena_strdup(audit->arena, line));
}

/* Rows that others wrote or took away are differences; which commits they came with. */
static void note_others(Audit *audit)
{
    int count = 0;

    for (int i = audit->history.count - 1; i >= 0; i--) {
        const HistoryEntry *entry = &audit->history.entries[i];
        if (entry->kind != HISTORY_OTHER)
            continue;
        if (count++ < NOTES_MAX)
            note(audit, "version %lld (%s by %s) changed rows and is no batch of this pipeline", (long long)entry->version,
                 entry->operation ? entry->operation : "a commit", entry->engine ? entry->engine : "an unnamed writer");
    }
    if (count > NOTES_MAX)
        note(audit, "so did %d more", count - NOTES_MAX);
}

static void note_sums(Audit *audit)
{
    note_others(audit);
    if (audit->sum.changed_files)
        note(audit, "%lld of the files have changed since they were read, first \"%s\"", (long long)audit->sum.changed_files,
             audit->sum.changed_file);
    if (audit->edited)
        note(audit, "the query has been edited since %lld of %lld batches were made", (long long)audit->edited, (long long)audit->sum.batches);
}

/* ---- computing again ---- */

static Flow *flow_of(const Audit *audit, const char *name)
{
    for (int i = 0; i < audit->flows->count; i++)
        if (!strcmp(audit->flows->definitions[i]->name, name))
            return audit->flows->flows[i];
    return NULL;
}

static int check_entry(const Audit *audit, const HistoryEntry *entry, SiltErr *err)
{
    if (!entry->flow)
        return silt_fail(err, SILT_CONFIG, "version %lld of table \"%s\" was written by %s, which does not say what it read", (long long)entry->version,
                         audit->flows->dataset->name, entry->engine ? entry->engine : "another engine");
    Flow *flow = flow_of(audit, entry->flow);
    if (!flow)
        return silt_fail(err, SILT_CONFIG, "version %lld of table \"%s\" was made by flow \"%s\", which the project no longer has",
                         (long long)entry->version, audit->flows->dataset->name, entry->flow);
    return flow_repeatable(flow, err);
}

static bool is_ours(const HistoryEntry *entry)
{
    return entry->kind == HISTORY_BATCH || entry->kind == HISTORY_CONTENT;
}

static int recompute_all(Audit *audit, SiltErr *err)
{
    Arena *arena = arena_new();
    int r = 0;

    for (int i = 0; r == 0 && i < audit->history.count; i++)
        if (is_ours(&audit->history.entries[i]))
            r = check_entry(audit, &audit->history.entries[i], err);
    for (int i = audit->history.count - 1; r == 0 && i >= 0; i--) {
        const HistoryEntry *entry = &audit->history.entries[i];
        Ranges ranges;
        if (!is_ours(entry))
            continue;
        if (atomic_load(&audit->pipeline->stop)) {
            r = silt_fail(err, SILT_CANCELLED, "stopped");
            break;
        }
        arena_reset(arena);
        r = ranges_read(audit->pipeline->io, audit->table, entry->version, arena, &ranges, err);
        if (r > 0)
            r = silt_fail(err, SILT_CONFIG, "version %lld of table \"%s\" does not say what it read", (long long)entry->version,
                          audit->flows->dataset->name);
        if (r < 0)
            break;
        Flow *flow = flow_of(audit, entry->flow);
        audit->edited += strcmp(ranges.query, flow_fingerprint(flow)) != 0;
        r = flow_recompute(flow, audit->shadow, entry->batch, &ranges, audit->arena, &audit->sum, err);
    }
    arena_free(arena);
    return r;
}

/* ---- comparing ---- */

/* The difference as a result: its rows are pulled from a session of its own. */
typedef struct Difference {
    PipelineResult shown; /* first: the caller's pointer */
    DuckSession *session; /* where the differing rows lie */
    ChunkReader rows;
} Difference;

static int next_rows(void *self, Chunk **out, SiltErr *err)
{
    Difference *difference = self;

    return difference->rows.next(difference->rows.self, out, err);
}

static void free_difference(PipelineResult *shown)
{
    Difference *difference = (Difference *)shown;

    if (difference->rows.close)
        difference->rows.close(difference->rows.self);
    duck_session_close(difference->session);
    free(difference);
}

static int show_difference(Audit *audit, Difference *difference, SiltErr *err)
{
    const Type *schema = audit->snapshot->metadata->schema;
    int count = schema->field_count + 2;
    const char **names = ARENA_ARRAY(audit->arena, const char *, count);
    const Type **types = ARENA_ARRAY(audit->arena, const Type *, count);
    bool *nullable = ARENA_ARRAY(audit->arena, bool, count);
    silt_auto(str_buf_fini) StrBuf sql = {0};
    DuckStatement *statement;

    names[0] = "only_in";
    types[0] = type_simple(TYPE_STRING);
    names[1] = "times";
    types[1] = type_simple(TYPE_LONG);
    for (int i = 2; i < count; i++) {
        names[i] = arena_strdup(audit->arena, schema->fields[i - 2].name);
        types[i] = type_copy(audit->arena, schema->fields[i - 2].type);
        nullable[i] = true;
    }
    delta_difference_sql(audit->snapshot, "table", "recomputed", PIPELINE_AUDIT_ROWS, &sql);
    SILT_TRY(duck_session_prepare(difference->session, str_buf_text(&sql), &statement, err));
    SILT_TRY(duck_statement_read(statement, types, count, &difference->rows, err));
    difference->shown = (PipelineResult){
        .column_names = names,
        .column_types = types,
        .column_nullable = nullable,
        .column_count = count,
        .reader = {.self = difference, .next = next_rows, .rows_estimate = -1},
        .free = free_difference,
    };
    difference->shown.time_zone = conf_sql_settings(audit->pipeline->spec->conf).time_zone;
    return duck_session_zone(difference->session, &difference->shown.zone, err);
}

static int compare(Audit *audit, Difference *difference, SiltErr *err)
{
    DeltaEnv env = open_table_env(audit->pipeline->io, audit->pipeline->engine);
    silt_auto(delta_table_freep) DeltaTable *shadow = delta_table_new(&env, audit->shadow);
    DeltaDifference found;

    SILT_TRY(duck_session_open(audit->pipeline->engine, &difference->session, err));
    SILT_TRY(duck_session_set_time_zone(difference->session, conf_sql_settings(audit->pipeline->spec->conf).time_zone, err));
    int r = delta_table_refresh(shadow, err);
    if (r == DELTA_ABSENT)
        return silt_fail(err, SILT_TRANSIENT, "the shadow table \"%s\" has vanished", audit->shadow);
    SILT_TRY(r);
    if (delta_compare(difference->session, audit->snapshot, delta_table_snapshot(shadow), PIPELINE_AUDIT_ROWS, &found, err) < 0)
        return silt_context(err, "table \"%s\" against its recomputation: ", audit->flows->dataset->name);
    audit->out->rows = found.left_rows;
    audit->out->recomputed_rows = found.right_rows;
    audit->out->table_only = found.left_only;
    audit->out->recomputed_only = found.right_only;
    if (!found.left_only && !found.right_only)
        return 0;
    SILT_TRY(show_difference(audit, difference, err));
    audit->out->difference = &difference->shown;
    return 0;
}

/* ---- the whole ---- */

/* Files only; empty folders stay, and do no harm. */
static int remove_files(Io *io, const char *directory, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    IoList list = {0};
    int r = io_list(io, directory, arena, &list, err);

    if (r)
        return r < 0 ? r : 0;
    for (int i = 0; i < list.count; i++) {
        const char *path = arena_printf(arena, "%s/%s", directory, list.entries[i].name);
        SILT_TRY(list.entries[i].stat.is_directory ? remove_files(io, path, err) : io_delete(io, path, err));
    }
    return 0;
}

static int look_back(Audit *audit, SiltErr *err)
{
    const Dataset *dataset = audit->flows->dataset;
    DeltaEnv env = open_table_env(audit->pipeline->io, audit->pipeline->engine);
    bool any = false;

    if (dataset->kind == DATASET_SINK)
        return silt_fail_at(err, SILT_CONFIG, dataset->statement->name.pos, "\"%s\" is a sink: what it was given cannot be read back", dataset->name);
    audit->table = delta_table_new(&env, dataset->path);
    int r = delta_table_refresh(audit->table, err);
    if (r == DELTA_ABSENT) {
        silt_fail_at(err, SILT_CONFIG, dataset->statement->name.pos, "table \"%s\" has not been made yet", dataset->name);
        return silt_hint(err, "`silt run` makes it.");
    }
    SILT_TRY(r);
    audit->snapshot = delta_table_snapshot(audit->table);
    audit->out->table = arena_strdup(audit->arena, dataset->name);
    audit->out->version = audit->snapshot->version;
    SILT_TRY(history_read(audit->table, audit->arena, &audit->history, err));
    for (int i = 0; i < audit->history.count; i++)
        any |= is_ours(&audit->history.entries[i]);
    if (!audit->history.complete)
        return silt_fail(err, SILT_CONFIG, "the log of table \"%s\" begins at version %lld: what was written before cannot be computed again",
                         dataset->name, (long long)audit->history.oldest);
    if (!any && dataset->kind == DATASET_MATERIALIZED_VIEW)
        return silt_fail(err, SILT_CONFIG, "materialized view \"%s\" has not been computed yet", dataset->name);
    return 0;
}

static int audit_table(Audit *audit, Difference *difference, SiltErr *err)
{
    SILT_TRY(look_back(audit, err));
    SILT_TRY(remove_files(audit->pipeline->io, audit->shadow, err)); /* of an audit that was killed */
    for (int i = 0; i < audit->flows->count; i++) /* the shadow is there, also without a batch */
        SILT_TRY(flow_shadow(audit->flows->flows[i], audit->shadow, err));
    SILT_TRY(recompute_all(audit, err));
    audit->out->batches = audit->sum.batches;
    audit->out->undecodable = audit->sum.undecodable;
    audit->out->refused = audit->sum.refused;
    note_sums(audit);
    return compare(audit, difference, err);
}

static int with_lock(Audit *audit, Difference *difference, SiltErr *err)
{
    Io *io = audit->pipeline->io;
    const char *storage = audit->pipeline->spec->storage_path, *holder = NULL;
    IoLock *lock = NULL;

    audit->shadow = arena_printf(audit->arena, "%s/_silt/audit/%s", storage, audit->flows->dataset->name);
    int r = io_lock(io, arena_printf(audit->arena, "%s/_silt/audit.lock", storage), &lock, audit->arena, &holder, err);
    if (r == IO_BUSY)
        return silt_fail(err, SILT_CONFIG, "another audit of this pipeline is at work%s%s", holder ? ": " : "", holder ? holder : "");
    SILT_TRY(r);
    r = audit_table(audit, difference, err);
    delta_table_free(audit->table);
    SiltErr ignored;
    remove_files(io, arena_printf(audit->arena, "%s/_silt/audit", storage), &ignored); /* what stays, the next audit removes */
    io_unlock(lock);
    return r;
}

int pipeline_audit(Pipeline *pipeline, const char *table, Arena *arena, PipelineAudit **out, SqlErrors *errors)
{
    Audit audit = {.pipeline = pipeline, .arena = arena, .out = ARENA_NEW(arena, PipelineAudit)};
    Difference *difference = silt_alloc(sizeof *difference);
    SiltErr err;

    int r = table_flows_open(pipeline, table, &audit.flows, errors);
    if (r == 0) {
        r = with_lock(&audit, difference, &err);
        if (r < 0)
            sql_errors_add(errors, &err);
    }
    table_flows_free(audit.flows);
    if (r < 0 || !audit.out->difference)
        free_difference(&difference->shown);
    if (r < 0)
        return -1;
    *out = audit.out;
    return 0;
}
