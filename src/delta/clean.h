#pragma once
/*
 * delta/clean.h - deleting what no version that is still promised needs: data files, and the beginning of the log
 *
 * Both work on the table's newest snapshot (delta_table_refresh first), make no commit, and may be cut off anywhere: what is left over is found
 * by the next call. Readers of versions older than `older_than_ms` find their files gone; all later versions stay whole.
 */
#include "delta/table.h"

/*
 * Delete files in the table's folder, and in the folders of its partitions, that are no part of the newest version, were not removed from the
 * table after `older_than_ms` (milliseconds since 1970), and were last written before it: removed files, and those that a crash has left
 * unlisted. Folders are left. *deleted: how many. CONFIG for a table that Silt may not write, or one with deletion vectors, by name.
 */
int delta_clean_files(DeltaTable *table, int64_t older_than_ms, int64_t *deleted, SiltErr *err);

/*
 * Delete commits, checkpoints and checksums before the newest complete, readable checkpoint that is not newer than the version current at
 * `older_than_ms`. That checkpoint, its own commit and all that follows stay. None such: nothing is deleted. Oldest first.
 */
int delta_clean_log(DeltaTable *table, int64_t older_than_ms, int64_t *deleted, SiltErr *err);
