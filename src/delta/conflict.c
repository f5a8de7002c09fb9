/*
 * delta/conflict.c - may our commit follow one that another writer put first?
 *
 * The rules are the table at the end, asked in order for each winning commit; the first that objects decides.
 * Isolation is Serializable. What DML will need (predicates, files read) adds rows and members of DeltaIntent here.
 */
#include "delta/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Question {
    const DeltaIntent *ours;
    const DeltaCommit *winner;
    const DeltaProtocol *base; /* in force before the winner */
    char detail[256];          /* what the rule objects to */
} Question;

static bool has_name(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool protocol_objects(Question *q)
{
    if (!q->winner->protocol)
        return false;
    if (q->ours->changes_protocol) {
        snprintf(q->detail, sizeof q->detail, "both commits change the protocol");
        return true;
    }
    Arena *arena = arena_new();
    const char **before, **after;
    int before_count = delta__protocol_feature_names(arena, q->base, &before);
    int after_count = delta__protocol_feature_names(arena, q->winner->protocol, &after);
    bool objects = false;
    for (int i = 0; i < before_count && !objects; i++)
        if (!has_name(after, after_count, before[i])) {
            snprintf(q->detail, sizeof q->detail, "it drops the table feature %s", before[i]);
            objects = true;
        }
    for (int i = 0; i < after_count && !objects; i++)
        if (!has_name(before, before_count, after[i]) && !delta__feature_tolerates_upgrade(after[i])) {
            snprintf(q->detail, sizeof q->detail, "it adds the table feature %s", after[i]);
            objects = true;
        }
    arena_free(arena);
    return objects;
}

static bool metadata_objects(Question *q)
{
    return q->winner->metadata != NULL;
}

static bool domain_objects(Question *q)
{
    for (int i = 0; i < q->winner->domain_count; i++)
        if (has_name(q->ours->domains, q->ours->domain_count, q->winner->domains[i].domain)) {
            snprintf(q->detail, sizeof q->detail, "domain %s", q->winner->domains[i].domain);
            return true;
        }
    return false;
}

static bool txn_objects(Question *q)
{
    for (int i = 0; i < q->winner->txn_count; i++)
        if (has_name(q->ours->app_ids, q->ours->app_id_count, q->winner->txns[i].app_id)) {
            snprintf(q->detail, sizeof q->detail, "application %s at version %lld", q->winner->txns[i].app_id,
                     (long long)q->winner->txns[i].version);
            return true;
        }
    return false;
}

/* Rows that we should have seen. Rearranged files (dataChange=false) hold no new rows. */
static bool added_objects(Question *q)
{
    if (!q->ours->reads_table)
        return false;
    for (int i = 0; i < q->winner->add_count; i++)
        if (q->winner->adds[i].data_change) {
            snprintf(q->detail, sizeof q->detail, "file %.200s", q->winner->adds[i].path);
            return true;
        }
    return false;
}

static bool deleted_objects(Question *q)
{
    if (!q->ours->reads_table)
        return false;
    for (int i = 0; i < q->winner->remove_count; i++)
        if (q->winner->removes[i].data_change) {
            snprintf(q->detail, sizeof q->detail, "file %.200s", q->winner->removes[i].path);
            return true;
        }
    return false;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool double_delete_objects(Question *q)
{
    for (int i = 0; i < q->winner->remove_count && q->ours->removed_count; i++)
        if (bsearch(&q->winner->removes[i].name, q->ours->removed, (size_t)q->ours->removed_count, sizeof *q->ours->removed,
                    compare_names)) {
            snprintf(q->detail, sizeof q->detail, "file %.200s", q->winner->removes[i].path);
            return true;
        }
    return false;
}

/* In Spark's order, with Spark's error classes. */
static const struct Rule {
    bool (*objects)(Question *q);
    const char *code;
    const char *reason;
} rules[] = {
    {protocol_objects, "DELTA_PROTOCOL_CHANGED", "it changed the protocol of the table"},
    {metadata_objects, "DELTA_METADATA_CHANGED", "it changed the schema or the properties of the table"},
    {domain_objects, "DELTA_METADATA_CHANGED", "it changed metadata that this commit changes"},
    {txn_objects, "DELTA_CONCURRENT_TRANSACTION", "it is of the same application as this commit"},
    {added_objects, "DELTA_CONCURRENT_APPEND", "it added rows to the table that this commit replaces"},
    {deleted_objects, "DELTA_CONCURRENT_DELETE_READ", "it deleted rows of the table that this commit replaces"},
    {double_delete_objects, "DELTA_CONCURRENT_DELETE_DELETE", "it removed a file that this commit removes"},
};

int delta__conflict(const DeltaIntent *ours, const DeltaCommit *winner, const DeltaProtocol *base, SiltErr *err)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        Question q = {.ours = ours, .winner = winner, .base = base};
        if (!rules[i].objects(&q))
            continue;
        silt_fail(err, SILT_TRANSIENT, "another writer committed version %lld (%s) first, and %s%s%s", (long long)winner->version,
                  winner->operation ? winner->operation : "unnamed operation", rules[i].reason, q.detail[0] ? ": " : "", q.detail);
        silt_code(err, rules[i].code);
        return DELTA_CONFLICT;
    }
    return 0;
}
