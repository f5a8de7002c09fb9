/* delta/listing.c - what lies in _delta_log: commits and complete checkpoints; everything else is ignored */
#include "delta/internal.h"

#include <stdlib.h>
#include <string.h>

static bool digits(const char **text, int count, int64_t *out)
{
    int64_t value = 0;
    for (int i = 0; i < count; i++) {
        char c = (*text)[i];
        if (c < '0' || c > '9' || value > (INT64_MAX - 9) / 10)
            return false;
        value = value * 10 + (c - '0');
    }
    *text += count;
    *out = value;
    return true;
}

static bool skip(const char **text, const char *word)
{
    size_t size = strlen(word);
    if (strncmp(*text, word, size) != 0)
        return false;
    *text += size;
    return true;
}

static bool is_uuid(const char *text)
{
    for (int i = 0; i < 36; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !strchr("0123456789abcdefABCDEF", text[i]) || !text[i])
            return false;
    }
    return true;
}

/* One file that belongs to a checkpoint. */
struct piece {
    int64_t version, part, part_count; /* part from 1; part_count 1 for single files */
    const char *name;
    int kind; /* 0 classic, 1 multi-part, 2 UUID Parquet, 3 UUID JSON */
};

static bool parse_checkpoint(const char *name, struct piece *out)
{
    const char *text = name;
    *out = (struct piece){.part = 1, .part_count = 1, .name = name};
    if (!digits(&text, 20, &out->version) || !skip(&text, ".checkpoint."))
        return false;
    if (strcmp(text, "parquet") == 0)
        return true;
    if (is_uuid(text)) {
        text += 36;
        out->kind = strcmp(text, ".json") == 0 ? 3 : 2;
        return strcmp(text, ".json") == 0 || strcmp(text, ".parquet") == 0;
    }
    out->kind = 1;
    return digits(&text, 10, &out->part) && skip(&text, ".") && digits(&text, 10, &out->part_count) && strcmp(text, ".parquet") == 0 &&
           out->part >= 1 && out->part <= out->part_count;
}

static int compare_pieces(const void *left, const void *right)
{
    const struct piece *a = left, *b = right;
    if (a->version != b->version)
        return a->version > b->version ? -1 : 1; /* newest first */
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->part_count != b->part_count)
        return a->part_count < b->part_count ? -1 : 1;
    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* Group sorted pieces into checkpoints; sets that lack a part are noted apart. */
static void group_pieces(Arena *arena, const struct piece *pieces, int count, LogListing *out)
{
    int capacity = 0, incomplete_capacity = 0;
    for (int i = 0, next; i < count; i = next) {
        next = i + 1;
        if (pieces[i].kind == 1)
            while (next < count && pieces[next].version == pieces[i].version && pieces[next].kind == 1 &&
                   pieces[next].part_count == pieces[i].part_count)
                next++;
        if (next - i != pieces[i].part_count) {
            ARENA_PUSH(arena, out->incomplete, out->incomplete_count, incomplete_capacity, pieces[i].version);
            continue;
        }
        CheckpointFiles files = {
            .version = pieces[i].version,
            .names = ARENA_ARRAY(arena, const char *, next - i),
            .name_count = next - i,
            .is_json = pieces[i].kind == 3,
            .may_have_sidecars = pieces[i].kind != 1,
        };
        for (int j = i; j < next; j++)
            files.names[j - i] = pieces[j].name;
        ARENA_PUSH(arena, out->checkpoints, out->checkpoint_count, capacity, files);
    }
}

int delta__listing_read(const DeltaTable *table, Arena *arena, LogListing *out, SiltErr *err)
{
    IoList list;
    *out = (LogListing){0};
    int r = io_list(table->env.io, table->log_directory, arena, &list, err);
    if (r == IO_ABSENT)
        return DELTA_ABSENT;
    SILT_TRY(r);

    struct piece *pieces = NULL;
    int piece_count = 0, piece_capacity = 0;
    out->commits = ARENA_ARRAY(arena, int64_t, list.count ? list.count : 1);
    out->commit_modified_us = ARENA_ARRAY(arena, int64_t, list.count ? list.count : 1);
    for (int i = 0; i < list.count; i++) {
        const char *text = list.entries[i].name;
        int64_t version;
        struct piece piece;
        if (list.entries[i].stat.is_directory)
            continue;
        if (digits(&text, 20, &version) && strcmp(text, ".json") == 0) { /* sorted by name, so by version */
            out->commit_modified_us[out->commit_count] = list.entries[i].stat.modified_us;
            out->commits[out->commit_count++] = version;
        } else if (parse_checkpoint(list.entries[i].name, &piece)) {
            ARENA_PUSH(arena, pieces, piece_count, piece_capacity, piece);
        }
    }
    if (piece_count)
        qsort(pieces, (size_t)piece_count, sizeof *pieces, compare_pieces);
    group_pieces(arena, pieces, piece_count, out);
    return out->commit_count || out->checkpoint_count ? 0 : DELTA_ABSENT;
}
