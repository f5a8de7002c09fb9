#pragma once
/*
 * delta/table.h - a Delta table as its log tells it: versions, schema, properties, transactions, live files
 *
 * A DeltaTable is an open log. delta_table_refresh() reads what is new (the first time: checkpoint and commits, later only
 * new commits) and gives an immutable DeltaSnapshot. Protocol, metadata and transactions are there at once; the list of
 * live files is loaded by the first delta_snapshot_files(), so that an append never loads it.
 *
 * A table and its snapshots belong to one thread at a time. Snapshots are counted and may outlive refreshes, not the table.
 */
#include "base/arena.h"
#include "base/err.h"
#include "duck/session.h"
#include "duck/type.h"
#include "io/io.h"

typedef struct DeltaTable DeltaTable;

enum {
    DELTA_ABSENT = 1,   /* there is no such table, or no such version of it */
    DELTA_CONFLICT = 2, /* another writer's commit forbids ours; err says which and why */
};

/* What a table works with: borrowed until the table is freed. */
typedef struct DeltaEnv {
    Io *io;
    DuckEngine *engine;   /* for checkpoints, when session is NULL: a session is opened when first needed */
    DuckSession *session; /* may be NULL; used only inside of calls of this folder */
    /* Warnings that fail nothing: a broken checkpoint was passed over, a checkpoint could not be written. NULL: dropped. */
    void (*warn)(void *self, const char *message);
    void *warn_self;
    /* Commits between checkpoints where the table has no delta.checkpointInterval; 0: 10, more as the table grows; < 0: never. */
    int checkpoint_interval;
} DeltaEnv;

typedef struct DeltaProperty {
    const char *key;
    const char *value; /* NULL: JSON null (partition values) */
} DeltaProperty;

/* Can a table be made with this property? Otherwise CONFIG, without a position. Keys are spelt as Delta spells them afterwards. */
int delta_property_check(DeltaProperty *property, SiltErr *err);
/* Can a column of this type be a partition column? */
bool delta_type_may_partition(const Type *type);

typedef struct DeltaProtocol {
    int min_reader, min_writer;
    const char **reader_features; /* only with min_reader 3; sorted as in the log */
    int reader_feature_count;
    const char **writer_features; /* only with min_writer 7 */
    int writer_feature_count;
} DeltaProtocol;

typedef struct DeltaMetadata {
    const char *id; /* NULL in a request to create: made up */
    const char *name;
    const char *description;
    const Type *schema; /* a STRUCT, partition columns included; metadata of fields kept */
    const char **partition_columns;
    int partition_count;
    DeltaProperty *configuration; /* in the order of the log */
    int configuration_count;
    int64_t created_ms; /* 0: unknown; in a request to create: now */
} DeltaMetadata;

typedef struct DeltaTxnVersion {
    const char *app_id;
    int64_t version;
    int64_t last_updated_ms; /* < 0: not given */
} DeltaTxnVersion;

typedef struct DeltaDomain {
    const char *domain;
    const char *configuration;
} DeltaDomain;

/* Deletion vector descriptor. */
typedef struct DeltaVector {
    char storage; /* 'u', 'i', 'p' */
    const char *path_or_inline;
    int64_t offset; /* < 0: not given */
    int64_t size_bytes, cardinality;
} DeltaVector;

/* A live file. Lives as long as a snapshot that lists it. */
typedef struct DeltaFile {
    const char *path; /* exactly as in the log: a URI reference, relative to the table or absolute */
    const char *name; /* decoded: relative to the table, or absolute */
    DeltaProperty *partition_values;
    int partition_count;
    int64_t size_bytes;
    int64_t modified_ms;
    bool data_change;
    const char *stats;          /* JSON text, NULL: none */
    const char *tags;           /* JSON object text, NULL: none */
    const DeltaVector *vector;  /* NULL: no row is deleted */
    int64_t base_row_id;        /* < 0: none */
    int64_t row_commit_version; /* < 0: none */
    const char *clustering_provider;
} DeltaFile;

/* Immutable. Fields are read only and live as long as the snapshot. */
typedef struct DeltaSnapshot {
    DeltaTable *table;
    int64_t version;
    int64_t timestamp_ms; /* of the version's commit: in-commit timestamp or modification time; < 0: unknown */
    const DeltaProtocol *protocol;
    const DeltaMetadata *metadata;
    const DeltaTxnVersion *txns;
    int txn_count;
    const DeltaDomain *domains;
    int domain_count;
} DeltaSnapshot;

/* A handle on a place where a table is or may come to be. Reads nothing. path: of the table's folder, decoded, or a file: URI. Never NULL.
 */
DeltaTable *delta_table_new(const DeltaEnv *env, const char *path);
void delta_table_free(DeltaTable *table); /* NULL allowed; all its snapshots must have been released */
void delta_table_freep(DeltaTable **table);
const char *delta_table_path(const DeltaTable *table);

/*
 * Read what is new in the log. 0, DELTA_ABSENT when the folder holds no table, or < 0: CORRUPT for a log that cannot be
 * trusted (a gap, no protocol, a torn commit), CONFIG for a table feature that is not supported for reading (named).
 */
int delta_table_refresh(DeltaTable *table, SiltErr *err);
/* The newest snapshot that a refresh or commit has seen, NULL before. Borrowed until the next refresh, commit or free. */
const DeltaSnapshot *delta_table_snapshot(const DeltaTable *table);
/*
 * An older version. 0, DELTA_ABSENT when there is no table, < 0: a version that is not (or no longer) there is CONFIG with
 * code DELTA_VERSION_NOT_FOUND and names those that are. The caller releases *out.
 */
int delta_table_at_version(DeltaTable *table, int64_t version, const DeltaSnapshot **out, SiltErr *err);
/*
 * The version that was current at a time, microseconds UTC. Times of commits are made to rise: one that is not later than that of
 * the commit before it counts as 1 ms after. A time before the first kept or after the last commit is an error of kind CONFIG
 * that names the bound.
 */
int delta_table_at_time(DeltaTable *table, int64_t timestamp_us, const DeltaSnapshot **out, SiltErr *err);

const DeltaSnapshot *delta_snapshot_ref(const DeltaSnapshot *snapshot);
void delta_snapshot_unref(const DeltaSnapshot *snapshot); /* NULL allowed */
void delta_snapshot_unrefp(const DeltaSnapshot **snapshot);

/* Value of a table property, or NULL. */
const char *delta_snapshot_property(const DeltaSnapshot *snapshot, const char *key);
/* Version that an application has committed, or -1. */
int64_t delta_snapshot_txn(const DeltaSnapshot *snapshot, const char *app_id);
/* Index of a column in metadata->schema that is a partition column: its position among them, or -1. */
int delta_snapshot_partition_index(const DeltaSnapshot *snapshot, int field);

/*
 * Live files, sorted by nothing in particular but the same at each call. Loaded by the first call, which may read the
 * checkpoint. The array and what it points to live as long as the snapshot.
 */
int delta_snapshot_files(const DeltaSnapshot *snapshot, const DeltaFile *const **files, int64_t *count, SiltErr *err);
/* Where the file is: absolute path or URI for io. */
const char *delta_file_path(Arena *arena, const DeltaTable *table, const DeltaFile *file);

/* ---- commits, for history and for sources ---- */
typedef struct DeltaRemove {
    const char *path, *name;
    bool data_change;
    int64_t size_bytes;  /* < 0: not given */
    int64_t deletion_ms; /* < 0: not given */
    const DeltaVector *vector;
    int64_t base_row_id, row_commit_version; /* < 0: none */
    bool has_partition_values;
    DeltaProperty *partition_values;
    int partition_count;
} DeltaRemove;

/* The actions of one commit, in file order within each kind. */
typedef struct DeltaCommit {
    int64_t version;
    int64_t timestamp_ms;          /* in-commit timestamp, else modification time of the file */
    int64_t in_commit_ms;          /* < 0: the commit has no in-commit timestamp */
    const DeltaProtocol *protocol; /* NULL: unchanged */
    const DeltaMetadata *metadata; /* NULL: unchanged */
    DeltaFile *adds;
    int add_count;
    DeltaRemove *removes;
    int remove_count;
    DeltaTxnVersion *txns;
    int txn_count;
    DeltaDomain *domains; /* configuration NULL: removed */
    int domain_count;
    int cdc_count;
    bool has_commit_info;
    const char *operation;   /* NULL: not given */
    const char *txn_id;      /* NULL: not given */
    bool is_blind_append;    /* false when not given */
    const char *commit_info; /* JSON text, NULL: none */
} DeltaCommit;

/* One commit, all of it in arena. 0, DELTA_ABSENT, or < 0 (CORRUPT for an empty or torn one). */
int delta_commit_read(DeltaTable *table, int64_t version, Arena *arena, const DeltaCommit **out, SiltErr *err);
