#pragma once
/*
 * flow/refresh.h - a full refresh of a table that a crash cannot leave half done
 *
 *   1  mark      <storage>/_silt/refresh/<table>.json {"token": uuid, "number": {flow: n}}: from here on the refresh will be finished
 *   2  truncate  table and side tables, each by a commit with the txn (token, 0)
 *   3  begin     a new checkpoint, of the number marked, for each flow
 *   4  unmark
 *
 * Each step is done once, however often it is begun: a run that finds a mark goes on from step 2. An old mark that comes back after a
 * power cut finds its token in the table and its checkpoints made, and does nothing.
 */
#include "delta/table.h"

typedef struct RefreshTarget {
    const char *name;          /* catalog.schema.table */
    const char *path;          /* folder of the table; side tables lie beside it */
    const char *const *roots;  /* checkpoint roots of its flows */
    int root_count;
} RefreshTarget;

/* Is a refresh of this table marked? */
int refresh_pending(Io *io, const char *storage, const char *name, bool *pending, SiltErr *err);
/* Step 1; a mark that is there already stays. */
int refresh_mark(Io *io, const char *storage, const RefreshTarget *target, SiltErr *err);
/* Steps 2 to 4, if there is a mark. */
int refresh_finish(const DeltaEnv *env, const char *storage, const RefreshTarget *target, SiltErr *err);
