#pragma once
/*
 * flow/target.h - the Delta table that flows write to: made, grown, truncated, before and between batches
 *
 *   T1  A table is made in a commit of its own (as SDP does), so that it is there, empty, before the first batch.
 *   T2  Columns are only added, at the end, and with delta.enableTypeWidening types become wider. Any other change of a type is an error, never
 *       a rewrite: only a full refresh, which takes all rows out, may change the shape of a table.
 */
#include "delta/table.h"
#include "delta/txn.h"
#include "sink/sink.h"
#include "sql/sql.h"

/* How a project wants a table to be. Lives in the arena of whoever asks. */
typedef struct TargetWant {
    const char *name; /* full name, for messages */
    const char *path; /* folder */
    bool is_view;     /* its content is replaced as a whole: schema and partitioning may be replaced too */
    const Type *schema; /* STRUCT; a field's nullable is false only where declared NOT NULL */
    const char **partition_columns;
    int partition_count;
    const char *comment; /* NULL: none */
    DeltaProperty *properties; /* for the table: `delta.*` and the user's own */
    int property_count;
    SiltPos pos; /* of the table's name, for errors */
    /* Not NULL: rows go to this sink and no table is made; `path` is where side tables lie beside. */
    const SinkWant *sink;
    SinkContext sinks;
} TargetWant;

/*
 * Merge column lists: fields of `more` that `base` lacks (compared without case) go to the end, structs are merged inside. widen: where types
 * differ and one holds the other (delta_type_wider), the wider one is taken. 0 and *out in arena (base itself when nothing is new), or
 * TARGET_CONFLICT with the path of the column whose types differ.
 */
enum { TARGET_CONFLICT = 1 };
int target_merge_schema(Arena *arena, const Type *base, const Type *more, bool widen, const Type **out, const char **column);

/* `type` with `table`'s type wherever it is VOID, at all depths: NULL is a value of every type. What differs otherwise stays as it is. In arena. */
const Type *target_fill_void(Arena *arena, const Type *type, const Type *table);

/* base with the comments that fields of `more` have (NULL: it says nothing of this one), at all depths; base itself when they are there already. In arena. */
const Type *target_take_comments(Arena *arena, const Type *base, const Type *more);

/* delta.enableTypeWidening: as these properties say, else as the table (NULL: none) has it. */
bool target_widens(const DeltaProperty *properties, int count, const DeltaMetadata *table);
#define TARGET_WIDENING_HINT \
    "The wider type holds both: with TBLPROPERTIES ('delta.enableTypeWidening' = 'true') the table's column gets it. Else cast it to the type of the table."

/* The type that values of type `wanted` are stored as in a table that has `table` there: the table's where it is wider, at all depths. */
const Type *target_stored_type(Arena *arena, const Type *wanted, const Type *table);
/* Do files with these columns belong into a table with those? Columns and fields that only one side has do not matter. */
bool target_takes(const Type *table, const Type *files);

/*
 * What a query's columns may be stored as: Spark's and Delta's rules for names and types, every fault at the column's
 * position (positions may be NULL). mapped: the table has column mapping, so any name will do. 0 or -1 with errors.
 */
int target_check_columns(const char *const *names, const Type *const *types, const SiltPos *positions, int count, bool mapped, SqlErrors *errors);

/* The same for columns as a statement declares them: also no NOT NULL inside of arrays and maps, which Delta does not keep. */
int target_check_declared(const char *const *names, const Type *const *types, const SiltPos *positions, int count, bool mapped, SqlErrors *errors);

/*
 * Where values of type `from` may be NULL inside and a column of type `to`, of the same shape, forbids it: the path of the first such part,
 * "name.field.element", in arena; NULL: nowhere. scalars_later: not those in structs only, of which written files tell how many NULLs they hold.
 */
const char *target_forbids_null(Arena *arena, const char *name, const Type *to, const Type *from, bool scalars_later);

/*
 * Make the table if it is absent, add columns, set comments and properties where they differ; nothing when all is as wanted (then no
 * commit). table is refreshed. Errors: a folder that holds other files, another partitioning, a conflict of types.
 */
int target_prepare(Io *io, DeltaTable *table, const TargetWant *want, SiltErr *err);

/* Make a table that was absent when the caller looked: 0, or DELTA_CONFLICT when another has made it since; < 0 as target_prepare. */
int target_create(Io *io, DeltaTable *table, const TargetWant *want, SiltErr *err);

/*
 * In a transaction on this table: add what `want` has beyond it, columns at the end and fields inside of structs. *added tells whether there
 * was anything. Errors: CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE.
 */
int target_add_columns(DeltaTxn *txn, Arena *arena, const TargetWant *want, bool *added, SiltErr *err);

/* Make the newest commit that was seen durable, before something is built on its being there. */
int target_sync(Io *io, const DeltaTable *table, SiltErr *err);

/* The wanted property delta.columnMapping.mode where it is on; NULL: it is not. */
DeltaProperty *target_mapping(const TargetWant *want);
/* The properties that say what columns a table may have, for a table beside it that has the same columns. table: as it is, NULL: not there. How many. */
enum { TARGET_SHAPE_PROPERTIES = 2 };
int target_shape_properties(const TargetWant *want, const DeltaSnapshot *table, DeltaProperty *out);

/* What is in the folder besides the log. For T1: 0 empty or absent, TARGET_OCCUPIED, < 0. */
enum { TARGET_OCCUPIED = 1 };
int target_folder(Io *io, const char *path, SiltErr *err);

/* A table that is there keeps its partition columns: 0, or CONFIG. */
int target_check_partitions(const TargetWant *want, const DeltaMetadata *table, SiltErr *err);

/* Is the table exactly as wanted, but for properties and comments of columns beyond the wanted ones? */
bool target_same_shape(const TargetWant *want, const DeltaMetadata *metadata);
/*
 * For a transaction that replaces the whole content: the wanted columns, partitioning, comment and properties instead of the table's.
 * Nothing when they are the same. Properties that are not wanted stay. metadata is the table's.
 */
int target_reshape(DeltaTxn *txn, Arena *arena, const TargetWant *want, const DeltaMetadata *metadata, SiltErr *err);

/*
 * Empty the table with a commit that bears the txn (token, 0) and gives the table the shape of `want` at the same time (NULL: it keeps its
 * own). Where that txn is there: nothing, or, when `begun` is not set and the wanted shape has become another one since (the query was
 * edited between a crash and the next run), one more commit with (token, n + 1). begun: flows may have written since. Absent: nothing.
 */
int target_truncate(Io *io, DeltaTable *table, const char *token, const TargetWant *want, bool begun, SiltErr *err);
