#pragma once
/* delta/txn_internal.h - the inside of a transaction, shared by txn.c (what it is to do), txn_files.c (files) and txn_commit.c (the commit) */
#include "delta/internal.h"
#include "delta/txn.h"

struct DeltaTxn {
    DeltaTable *table;
    const DeltaSnapshot *base; /* NULL: a new table */
    Arena *arena;
    const DeltaMetadata *metadata; /* after the commit; NULL: none yet */
    bool metadata_changed;

    DeltaFile *adds;
    int add_count, add_capacity;
    int64_t rows, size_bytes;
    const DeltaFile *const *removes; /* of the base snapshot */
    int64_t remove_count;
    bool reads_table;
    bool replaces;   /* all files of before go */
    bool rearranges; /* the same rows in other files */

    DeltaTxnVersion *txns;
    int txn_count, txn_capacity;
    const char *operation;
    DeltaProperty *parameters;
    int parameter_count, parameter_capacity;
    DeltaProperty *metrics;
    int metric_count, metric_capacity;
    Str read_sources;
    char txn_id[37];
};
