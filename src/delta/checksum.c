/*
 * delta/checksum.c - the version checksum V.crc: what a version amounts to, in one small JSON file
 *
 * Written beside each checkpoint. It holds all of the cheap part of a snapshot, so that opening a table needs no Parquet reader.
 *
 *   K1  Only a checksum that Silt wrote is believed: a wrong transaction version would lose or repeat a batch, and the log is the
 *       truth. Others are left alone.
 */
#include "delta/internal.h"

#include <stdio.h>
#include <string.h>

#ifndef SILT_VERSION
#define SILT_VERSION "0"
#endif

#define ENGINE "Silt/"

static const char *checksum_path(Arena *arena, const DeltaTable *table, int64_t version)
{
    char name[40];
    snprintf(name, sizeof name, "%020lld.crc", (long long)version);
    return delta__log_path(arena, table, name);
}

int delta__checksum_write(const DeltaSnapshot *snapshot, int64_t file_count, int64_t size_bytes, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf text = {0};
    JsonWriter w = {.out = &text};

    json_object(&w);
    json_member_int(&w, "tableSizeBytes", size_bytes);
    json_member_int(&w, "numFiles", file_count);
    json_member_int(&w, "numMetadata", 1);
    json_member_int(&w, "numProtocol", 1);
    json_key(&w, "setTransactions");
    json_array(&w);
    for (int i = 0; i < snapshot->txn_count; i++)
        delta__print_txn(&w, &snapshot->txns[i]);
    json_array_end(&w);
    json_key(&w, "domainMetadata");
    json_array(&w);
    for (int i = 0; i < snapshot->domain_count; i++)
        delta__print_domain(&w, &snapshot->domains[i]);
    json_array_end(&w);
    json_key(&w, "metadata");
    delta__print_metadata(&w, snapshot->metadata);
    json_key(&w, "protocol");
    delta__print_protocol(&w, snapshot->protocol);
    json_member(&w, "engineInfo", ENGINE SILT_VERSION);
    json_object_end(&w);
    int r = io_put_if_absent(snapshot->table->env.io, checksum_path(arena, snapshot->table, snapshot->version), str_buf_view(&text), err);
    return r == IO_EXISTS ? 0 : r; /* never overwritten: another writer's is as good */
}

int delta__checksum_head(DeltaTable *table, int64_t version, Head *head, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const Json *json;
    Str text;

    int r = io_read(table->env.io, checksum_path(arena, table, version), arena, &text, err);
    if (r == IO_ABSENT)
        return DELTA_ABSENT;
    SILT_TRY(r);
    if (json_parse(arena, text, &json, NULL) < 0)
        return DELTA_ABSENT; /* torn: it is only a shortcut */
    const Json *txns = json_get(json, "setTransactions"), *domains = json_get(json, "domainMetadata");
    if (!str_starts(json_str(json_get(json, "engineInfo"), ""), ENGINE) || json_kind(txns) != JSON_ARRAY ||
        json_kind(domains) != JSON_ARRAY) /* K1 */
        return DELTA_ABSENT;
    if (delta__parse_protocol(head->arena, json_get(json, "protocol"), &head->protocol, NULL) < 0 ||
        delta__parse_metadata(head->arena, json_get(json, "metadata"), &head->metadata, NULL) < 0) {
        head->protocol = NULL;
        head->metadata = NULL;
        return DELTA_ABSENT;
    }
    for (int i = 0; i < json_size(txns); i++) {
        DeltaTxnVersion txn;
        delta__parse_txn(arena, json_at(txns, i), &txn);
        delta__head_txn(head, &txn);
    }
    for (int i = 0; i < json_size(domains); i++)
        delta__head_domain(head, json_cstr(json_get(json_at(domains, i), "domain"), ""),
                           json_cstr(json_get(json_at(domains, i), "configuration"), ""));
    return 0;
}
