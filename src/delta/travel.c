/* delta/travel.c - older versions of a table, by number and by time */
#include "delta/internal.h"

#include "duck/calendar.h"

#include <stdio.h>
#include <string.h>

/* Oldest version that can be built: the oldest checkpoint, or 0 when the log begins there. */
static int64_t oldest_version(const LogListing *listing)
{
    if (listing->commit_count && listing->commits[0] == 0)
        return 0;
    return listing->checkpoint_count ? listing->checkpoints[listing->checkpoint_count - 1].version : delta__newest_version(listing);
}

int delta_table_at_version(DeltaTable *table, int64_t version, const DeltaSnapshot **out, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    LogListing listing;
    SnapshotImpl *snapshot;

    if (table->newest && table->newest->head.version == version) {
        *out = delta_snapshot_ref(&table->newest->head);
        return 0;
    }
    int r = delta__listing_read(table, scratch, &listing, err);
    if (r)
        return r;
    if (version < oldest_version(&listing) || version > delta__newest_version(&listing)) {
        silt_fail(err, SILT_CONFIG, "\"%s\" has no version %lld; available are versions %lld to %lld", table->root, (long long)version,
                  (long long)oldest_version(&listing), (long long)delta__newest_version(&listing));
        return silt_code(err, "DELTA_VERSION_NOT_FOUND");
    }
    SILT_TRY(delta__load_snapshot(table, &listing, version, &snapshot, err));
    *out = &snapshot->head;
    return 0;
}

/* In-commit time of a version, or -1 when the commit has none or is not there. */
static int64_t in_commit_time(DeltaTable *table, int64_t version)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    const DeltaCommit *commit;
    return delta_commit_read(table, version, scratch, &commit, NULL) == 0 ? commit->in_commit_ms : -1;
}

static void print_time(char out[64], int64_t ms)
{
    int64_t days = floor_div(ms, 86400000), rest = ms - days * 86400000;
    CivilDate date = calendar_date(days);
    snprintf(out, 64, "%04lld-%02d-%02dT%02d:%02d:%02d.%03dZ", (long long)date.year, date.month, date.day, (int)(rest / 3600000),
             (int)(rest / 60000 % 60), (int)(rest / 1000 % 60), (int)(rest % 1000));
}

int delta_table_at_time(DeltaTable *table, int64_t timestamp_us, const DeltaSnapshot **out, SiltErr *err)
{
    silt_auto(arena_freep) Arena *scratch = arena_new();
    LogListing listing;

    if (!table->newest) {
        int r = delta_table_refresh(table, err);
        if (r)
            return r;
    }
    int r = delta__listing_read(table, scratch, &listing, err);
    if (r)
        return r;

    /* from which version on commits carry their time: all, from the enablement, or none */
    const DeltaSnapshot *newest = &table->newest->head;
    const char *enabled = delta_snapshot_property(newest, "delta.enableInCommitTimestamps");
    const char *since = delta_snapshot_property(newest, "delta.inCommitTimestampEnablementVersion");
    int64_t in_commit_from = INT64_MAX;
    if (enabled && strcasecmp(enabled, "true") == 0 && (!since || !str_to_int64(str_of(since), &in_commit_from)))
        in_commit_from = 0;

    int64_t first = oldest_version(&listing), last = delta__newest_version(&listing);
    int64_t found = -1, time_ms = INT64_MIN, first_ms = -1;
    for (int i = 0; i < listing.commit_count; i++) {
        int64_t version = listing.commits[i], at_ms = listing.commit_modified_us[i] / 1000;
        if (version < first || version > last)
            continue;
        int64_t own_ms = version >= in_commit_from ? in_commit_time(table, version) : -1;
        if (own_ms >= 0)
            at_ms = own_ms;
        else if (at_ms <= time_ms)
            at_ms = time_ms + 1; /* times are made to rise */
        time_ms = at_ms;
        if (first_ms < 0)
            first_ms = at_ms;
        if (at_ms <= (timestamp_us - (timestamp_us < 0 ? 999 : 0)) / 1000)
            found = version;
    }
    char bound[64];
    if (found < 0) {
        print_time(bound, first_ms);
        silt_fail(err, SILT_CONFIG, "the time lies before the first kept version of \"%s\", which is of %s", table->root, bound);
        return silt_code(err, "DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION");
    }
    if (found == last && timestamp_us > time_ms * 1000) {
        print_time(bound, time_ms);
        silt_fail(err, SILT_CONFIG, "the time lies after the last version of \"%s\", which is of %s", table->root, bound);
        return silt_code(err, "DELTA_TIMESTAMP_GREATER_THAN_COMMIT");
    }
    return delta_table_at_version(table, found, out, err);
}
