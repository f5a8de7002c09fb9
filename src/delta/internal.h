#pragma once
/* delta/internal.h - what the files of this folder share */
#include "base/json.h"
#include "delta/table.h"
#include "delta/txn.h"

/* ---- shared.c: memory that several snapshots hold ---- */

/* An arena that lives until its last holder lets go. */
typedef struct Shared {
    Arena *arena;
    int holders;
} Shared;
Shared *delta__shared_new(void);
Shared *delta__shared_ref(Shared *shared);
void delta__shared_unref(Shared *shared); /* NULL allowed */

const DeltaMetadata *delta__metadata_copy(Arena *arena, const DeltaMetadata *metadata);
const DeltaProtocol *delta__protocol_copy(Arena *arena, const DeltaProtocol *protocol);
void delta__file_copy(Arena *arena, const DeltaFile *file, DeltaFile *out);
const char *delta__property(const DeltaProperty *properties, int count, const char *key);

/* Text of a file's partition value, NULL for null. Case does not count. */
const char *delta__partition_value(const DeltaFile *file, const char *column);

/* Type of a struct's field by exact name; NULL when there is none or type is NULL. */
const Type *delta__member(const Type *type, const char *name);

/* ---- scan.c ---- */

/*
 * `expression` of type `from` as `to`, which has other names of struct fields, wider types, or instants where `from` has local times: those are placed in UTC.
 * depth: 0, of lambdas around it.
 */
void delta__print_adapted(StrBuf *out, const Type *from, const Type *to, const char *expression, int depth);

/* ---- path.c ---- */

/* One decoding: "a%20b" -> "a b". Absolute forms (file:/x, file:///x) become "/x"; below root they become relative. */
const char *delta__path_name(Arena *arena, const char *root, Str path);
/* The URI reference that decodes to name. */
const char *delta__path_encode(Arena *arena, Str name);
/* <root>/_delta_log/<version>.json and others */
const char *delta__log_path(Arena *arena, const DeltaTable *table, const char *name);
const char *delta__commit_path(Arena *arena, const DeltaTable *table, int64_t version);

/* ---- action.c: actions from JSON ---- */

/* What the newest replayed actions say: the cheap part of a snapshot, being built. Later calls win. */
typedef struct Head {
    Arena *arena;
    const DeltaProtocol *protocol;
    const DeltaMetadata *metadata;
    DeltaTxnVersion *txns;
    int txn_count, txn_capacity;
    DeltaDomain *domains; /* configuration NULL: removed */
    int domain_count, domain_capacity;
} Head;
void delta__head_txn(Head *head, const DeltaTxnVersion *txn);
void delta__head_domain(Head *head, const char *domain, const char *configuration);

int delta__parse_protocol(Arena *arena, const Json *json, const DeltaProtocol **out, SiltErr *err);
int delta__parse_metadata(Arena *arena, const Json *json, const DeltaMetadata **out, SiltErr *err);
void delta__parse_txn(Arena *arena, const Json *json, DeltaTxnVersion *out);
const DeltaVector *delta__parse_vector(Arena *arena, const Json *json);
DeltaProperty *delta__parse_properties(Arena *arena, const Json *json, int *count);
/*
 * Texts of the log become C's, which end at a NUL: one with a NUL inside is refused as CONFIG, never cut. For an action as JSON with the text that it was parsed
 * from, and for one text of the member `member`.
 */
int delta__check_nul(const Json *body, Str text, const char *action, SiltErr *err);
int delta__no_nul(Str text, const char *member, const char *action, SiltErr *err);
/* NDJSON of one commit. what names the file in messages. */
int delta__parse_commit(Arena *arena, const char *root, Str text, const char *what, int64_t version, DeltaCommit *out, SiltErr *err);

/* ---- action_print.c: actions to JSON; each prints the object below the action's name ---- */

void delta__print_properties(JsonWriter *w, const DeltaProperty *properties, int count);
void delta__print_protocol(JsonWriter *w, const DeltaProtocol *protocol);
void delta__print_metadata(JsonWriter *w, const DeltaMetadata *metadata);
void delta__print_txn(JsonWriter *w, const DeltaTxnVersion *txn);
void delta__print_domain(JsonWriter *w, const DeltaDomain *domain);
void delta__print_vector(JsonWriter *w, const DeltaVector *vector);
void delta__print_add(JsonWriter *w, const DeltaFile *file, bool data_change);
/* The removal of a live file, with all that it was. */
void delta__print_remove(JsonWriter *w, const DeltaFile *file, bool data_change, int64_t deletion_ms);
/* A removal that stays in checkpoints. */
void delta__print_tombstone(JsonWriter *w, const DeltaRemove *file);

/* ---- protocol.c ---- */

/* Refuse by name what this program cannot read or write correctly. what: the table's path. */
int delta__protocol_readable(const DeltaProtocol *protocol, const DeltaMetadata *metadata, const char *what, SiltErr *err);
int delta__protocol_writable(const DeltaProtocol *protocol, const DeltaMetadata *metadata, const char *what, SiltErr *err);
/* The lowest protocol that covers what the metadata uses, no lower than base (NULL: new table). */
const DeltaProtocol *delta__protocol_for(Arena *arena, const DeltaProtocol *base, const DeltaMetadata *metadata);
bool delta__protocol_equal(const DeltaProtocol *a, const DeltaProtocol *b);
/* Features of a protocol by name, those that old version numbers imply included. */
bool delta__protocol_has(const DeltaProtocol *protocol, const char *feature);
/* May a commit that enables it go past another that does not know? */
bool delta__feature_tolerates_upgrade(const char *feature);
int delta__protocol_feature_names(Arena *arena, const DeltaProtocol *protocol, const char ***out);

/* ---- fileset.c: live files of all versions from a base on ---- */

/*
 * Files with the version that added and the one that removed them. Shared by the snapshots of a table; grows at its end
 * as versions are applied in order.
 */
typedef struct FileSet FileSet;
FileSet *delta__fileset_new(int64_t version);
FileSet *delta__fileset_ref(FileSet *set);
void delta__fileset_unref(FileSet *set); /* NULL allowed */
Arena *delta__fileset_arena(FileSet *set);
/* The file's strings must live in the set's arena. Files of the base (checkpoint): version = the set's. */
void delta__fileset_add(FileSet *set, const DeltaFile *file, int64_t version);
void delta__fileset_remove(FileSet *set, const char *name, const DeltaVector *vector, int64_t version);
/* Oldest and newest version that the set can tell. */
int64_t delta__fileset_base(const FileSet *set);
int64_t delta__fileset_version(const FileSet *set);
void delta__fileset_set_version(FileSet *set, int64_t version);
/* Copies what is needed out of a commit. */
void delta__fileset_apply(FileSet *set, const DeltaCommit *commit);
int64_t delta__fileset_live_count(const FileSet *set);
int64_t delta__fileset_dead_count(const FileSet *set);
/* A new set with only what is live at the set's version. */
FileSet *delta__fileset_compact(const FileSet *set);
/* Pointers to files live at a version, in arena. */
const DeltaFile **delta__fileset_live(const FileSet *set, int64_t version, Arena *arena, int64_t *count);

/* ---- listing.c: what is in _delta_log ---- */

typedef struct CheckpointFiles {
    int64_t version;
    const char **names; /* in _delta_log: one, or all parts in order */
    int name_count;
    bool is_json; /* V2 with a JSON top file */
    bool may_have_sidecars;
} CheckpointFiles;

typedef struct LogListing {
    int64_t *commits; /* versions with a .json, ascending */
    int64_t *commit_modified_us;
    int commit_count;
    CheckpointFiles *checkpoints; /* complete ones, newest first */
    int checkpoint_count;
    int64_t *incomplete; /* versions of multi-part checkpoints that lack parts */
    int incomplete_count;
} LogListing;
/* 0, DELTA_ABSENT, < 0 */
int delta__listing_read(const DeltaTable *table, Arena *arena, LogListing *out, SiltErr *err);

/* ---- checkpoint_read.c ---- */

/* Protocol, metadata, txns, domains of a checkpoint. < 0 with kind CORRUPT: the checkpoint is broken, use another. */
int delta__checkpoint_head(DeltaTable *table, const CheckpointFiles *files, Head *head, SiltErr *err);
/* Its live files into an empty set. */
int delta__checkpoint_files(DeltaTable *table, const CheckpointFiles *files, FileSet *set, SiltErr *err);
/* Local paths of the Parquet files of a checkpoint that hold file actions, and their common schema; in arena. count 0: the top file is
 * JSON. */
typedef struct CheckpointParts {
    const char **paths;
    int count;
    const Type *schema; /* of the first; mixed: without stats_parsed */
    bool mixed;         /* stats_parsed has not the same types in all of them */
    bool inline_json;   /* file actions stand in a JSON top file */
} CheckpointParts;
int delta__checkpoint_parts(DeltaTable *table, const CheckpointFiles *files, Arena *arena, CheckpointParts *out, SiltErr *err);

/* The options of a read_parquet of all parts, each with a comma before it. */
const char *delta__checkpoint_options(const CheckpointParts *parts);

/* Decoded names of the files that were removed later than `after_ms` and still stand in the checkpoint; in arena. */
int delta__checkpoint_tombstones(DeltaTable *table, const CheckpointFiles *files, int64_t after_ms, Arena *arena, const char ***names, int *count,
                                 SiltErr *err);

/* SQL for an add action's statistics as text, from stats or stats_parsed. add: the type of the checkpoint's column "add". */
void delta__checkpoint_stats(StrBuf *sql, const Type *add);

/* ---- checkpoint_write.c ---- */

/* Write V.checkpoint.parquet and the hint for the snapshot. */
int delta__checkpoint_write(const DeltaSnapshot *snapshot, SiltErr *err);

/* ---- checksum.c ---- */

int delta__checksum_write(const DeltaSnapshot *snapshot, int64_t file_count, int64_t size_bytes, SiltErr *err);
/* The head of a version into an empty one. 0, DELTA_ABSENT when there is no checksum that can be believed, < 0: the store failed. */
int delta__checksum_head(DeltaTable *table, int64_t version, Head *head, SiltErr *err);

/* ---- table.c ---- */

typedef struct SnapshotImpl {
    DeltaSnapshot head; /* first: a DeltaSnapshot* is one of these */
    int holders;
    Arena *arena;   /* txns, domains, the list of files */
    Shared *shared; /* protocol and metadata */
    FileSet *set;   /* NULL until asked for */
    const DeltaFile **files;
    int64_t file_count;
} SnapshotImpl;

struct DeltaTable {
    DeltaEnv env;
    char *root; /* decoded, absolute or with a scheme, no slash at the end */
    char *log_directory;
    DuckSession *own_session;
    SnapshotImpl *newest;
    FileSet *set; /* of the newest snapshot's version when loaded */
    int set_idle; /* refreshes since the set was last asked for */
    int64_t checkpoint, checkpoint_rows; /* the newest that this handle has written: version and rows; 0: none */
};

/* Replay up to target into a new snapshot with one holder. */
int delta__load_snapshot(DeltaTable *table, const LogListing *listing, int64_t target, SnapshotImpl **out, SiltErr *err);
int64_t delta__newest_version(const LogListing *listing);
int delta__session(DeltaTable *table, DuckSession **out, SiltErr *err);
void delta__warn(const DeltaTable *table, const char *fmt, ...) SILT_PRINTF(2, 3);
/* After our own commit: apply it without reading it again. */
int delta__table_applied(DeltaTable *table, const DeltaCommit *commit, SiltErr *err);

/* ---- footer.c: what a Parquet file's footer says about timestamps ---- */

/* A top-level column of a file. */
typedef struct FooterColumn {
    Str name;
    bool has_int96; /* somewhere in it */
    bool has_local; /* a timestamp that is not marked as UTC */
} FooterColumn;
/* In arena. CORRUPT when the file is no Parquet file. */
int delta__footer_columns(Io *io, const char *path, Arena *arena, FooterColumn **columns, int *count, SiltErr *err);

/* ---- value.c: typed values of partition columns and bounds ---- */

typedef enum ValueKind { VALUE_NONE, VALUE_INTEGER, VALUE_DOUBLE, VALUE_DECIMAL, VALUE_STRING } ValueKind;
/* Ordered as Spark and Delta order the type: integers (also booleans, dates, timestamps in micros), doubles with NaN last. */
typedef struct DeltaValue {
    ValueKind kind;
    int64_t integer;
    double real;
    __int128 decimal; /* scaled by the type */
    Str text;         /* STRING, BINARY */
} DeltaValue;
/* Text of a partition value, statistic or predicate as a value of the type; VALUE_NONE when it is not one. ts without zone: UTC. */
DeltaValue delta__value_parse(const Type *type, Str text);
int delta__value_compare(const DeltaValue *a, const DeltaValue *b); /* of one kind */
/* "yyyy-MM-dd[( |T)HH:mm[:ss[.f{1,9}]][Z|+hh:mm]]" as microseconds; false when it is not that. has_zone: NULL allowed. */
bool delta__timestamp_parse(Str text, int64_t *micros, bool *has_zone);

/* ---- stats.c ---- */

typedef struct StatsOptions {
    int columns_max;     /* leaf columns; < 0: all */
    const char *columns; /* delta.dataSkippingStatsColumns, NULL: by count */
    int string_prefix;   /* in UTF-16 units */
} StatsOptions;
StatsOptions delta__stats_options(const DeltaMetadata *metadata);
/* The text of add.stats for a written file. tight_bounds: say that the bounds are exact (tables that may have deletion
 * vectors). */
void delta__stats_print(StrBuf *out, const DeltaMetadata *metadata, const StatsOptions *options, bool tight_bounds,
                        const DuckWrittenFile *file);
/* A partition value as the log has it, from DuckDB's text; NULL for null. In arena. */
const char *delta__partition_text(Arena *arena, const Type *type, const char *value);

/* ---- metadata.c ---- */

/*
 * What delta_txn_create() promises; base: the metadata that is there already (its properties and names are not judged again), NULL:
 * none. Property keys get Delta's spelling (delta.appendonly -> delta.appendOnly) in a copy in arena.
 */
int delta__metadata_check(Arena *arena, const DeltaMetadata *base, DeltaMetadata *metadata, SiltErr *err);

/* ---- widening.c ---- */

/* Refuse a schema with a change of a type that the protocol does not know. what: the table's path. */
int delta__widening_readable(const DeltaMetadata *metadata, const char *what, SiltErr *err);
/* A type as a value, as schemas have it: "long". */
void delta__print_type(JsonWriter *w, const Type *type);
/* Are types of fields that both have the same, or wider ones, at all depths? */
bool delta__only_widened(const Type *from, const Type *to);

/* ---- conflict.c ---- */

/* What our transaction did, as far as the rules need it. */
typedef struct DeltaIntent {
    bool changes_protocol, changes_metadata;
    bool reads_table;     /* read (or replaces) all files */
    bool is_blind_append; /* only adds, nothing read */
    bool only_rearranges; /* every file action has dataChange=false */
    const char **app_ids;
    int app_id_count;
    const char **domains;
    int domain_count;
    const char **removed; /* decoded names of the files we remove, sorted bytewise */
    int removed_count;
} DeltaIntent;
/* 0: ours may follow the winner; DELTA_CONFLICT with the reason in err. base: protocol and metadata ours was made for. */
int delta__conflict(const DeltaIntent *ours, const DeltaCommit *winner, const DeltaProtocol *base, SiltErr *err);

/* txn.c: as delta_txn_set_metadata, for a schema whose fields all have their ids and physical names, whatever they are called now */
int delta__txn_set_mapped(DeltaTxn *txn, const DeltaMetadata *metadata, SiltErr *err);
