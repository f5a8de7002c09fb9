#pragma once
/*
 * flow/refresh.h - a full refresh of tables that a crash cannot leave half done
 *
 *   1  mark      <storage>/_silt/refresh.json names all tables of the refresh at once: {table: {"token": uuid, "number": {flow: n}}}; from
 *                here on the refresh will be finished, by whatever run comes next
 *   2  truncate  each table and its side tables, by a commit with the txn (token, 0); it also gives the table the columns, types and
 *                partitioning that the project wants now
 *   3  begin     a new checkpoint, of the number marked, for each flow
 *   4  unmark
 *
 * Each step is done once, however often it is begun. An old mark that comes back after a power cut finds its tokens in the tables and
 * its checkpoints made, and does nothing.
 */
#include "flow/target.h"

typedef struct RefreshTarget {
    const char *name;          /* catalog.schema.table */
    const char *path;          /* folder of the table; side tables lie beside it */
    const char *const *roots;  /* checkpoint roots of its flows */
    int root_count;
    const TargetWant *want;    /* shape of the table after step 2; NULL: it keeps its own. Needed by refresh_finish only */
    bool wanted; /* in: refresh it; out of refresh_pending: it is marked */
} RefreshTarget;

/* Sets wanted of the targets that an earlier run has marked and not refreshed yet. */
int refresh_pending(Io *io, const char *storage, RefreshTarget *targets, int count, SiltErr *err);
/* Step 1 for all that are wanted; marks that are there and not done yet stay. */
int refresh_mark(Io *io, const char *storage, const RefreshTarget *targets, int count, SiltErr *err);
/* Steps 2 to 4 for all that are marked; nothing without a mark. */
int refresh_finish(const DeltaEnv *env, const char *storage, const RefreshTarget *targets, int count, SiltErr *err);
