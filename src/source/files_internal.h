#pragma once
/* source/files_internal.h - a file source's insides, shared by files.c, files_options.c, files_schema.c, files_batch.c */
#include "format/infer.h"
#include "source/file_log.h"
#include "source/file_reader.h"
#include "source/files.h"
#include "source/listing.h"

/* Options of read_files that are not the format's. */
typedef struct FilesOptions {
    const char *format;
    const char *schema, *schema_hints;
    const char *partition_columns;
    const char *name_filter; /* pathGlobFilter, fileNamePattern */
    int64_t files_per_trigger, bytes_per_trigger;
    bool include_existing, recursive;
    bool ignore_missing, ignore_corrupt;
    bool infer_column_types;
    bool allow_overwrites, latest_first;
    int evolution; /* Evolution, 0: not given; the mode in force is in Files */
    const char *schema_location;
    const char *modified_after_text, *modified_before_text;
    int64_t age_us_max, backfill_us; /* 0: none */
    int strict;
    int cleaning; /* Cleaning */
    int64_t retention_us;
    const char *clean_destination;
} FilesOptions;

/* schemaEvolutionMode, in the order of its choices */
typedef enum Evolution {
    EVOLVE_ADD = 1, /* new columns join the schema, in the same run */
    EVOLVE_WIDEN,  /* ... and types become wider where values need it */
    EVOLVE_RESCUE, /* they stay in the rescued data */
    EVOLVE_FAIL,   /* they fail the batch */
    EVOLVE_NONE,   /* they are left out */
} Evolution;

/* cleanSource, in the order of its choices */
typedef enum Cleaning { CLEAN_OFF = 1, CLEAN_DELETE, CLEAN_MOVE, CLEAN_ARCHIVE } Cleaning;

typedef struct FilesCleaning FilesCleaning; /* files_clean.c */

typedef struct Files {
    SourceContext context; /* texts are copies in the source's arena */
    FilesOptions o;
    const FormatOps *format;
    FormatOptions options;
    bool direct; /* fmt.`path` */
    const char *path;
    SiltPos path_pos, schema_pos; /* schema_pos: of the text of schema or schemaHints */
    PathGlob glob;

    bool inferred;           /* data was not given by the user */
    Evolution evolution;
    int64_t modified_after_us, modified_before_us; /* both exclusive; INT64_MIN, INT64_MAX: no bound */
    const char *move_directory;
    const Type *data;        /* STRUCT: what is in the files */
    const Type *partitions;  /* STRUCT: from the folders' names */
    int rescued_column;      /* in the schema; -1 */
    int metadata_column;

    FileLog *log;
    const char *log_directory;
    Folders *folders; /* NULL: all are listed at each look */
    int64_t full_look_us; /* when all folders were listed last; wall clock */
    FilesCleaning *clean; /* NULL: not looked at yet */
    bool bounded;
    Arena *seen_arena; /* of seen */
    Listing seen;      /* what is new of the last look; bounded: the only one */
    int64_t seen_generation; /* of the log that it was compared with */
    bool has_seen;
    int seen_next; /* all before it are in the log */
    int special_told, loops_told; /* what was said of them */
    bool seen_left; /* files were left out for their time: their folders must be looked into again */
} Files;

typedef struct FilesBatch {
    FileReader *reader;
    BlockFile *block_files;
    FormatOptions options;
    const char **paths;          /* per part, decoded */
    const char ***partition_text; /* per partition column and part; NULL: SQL NULL */
    const Type *widened;         /* Parquet: the schema with what these files add */
    const Type *partitions;      /* STRUCT: the partition columns with what the folders of these files add; NULL: nothing */
    int64_t misfits;             /* of partition values; rough: per file */
} FilesBatch;

/* files_options.c: read path and options of a relation; files->context is set. SOURCE_NONE if it is none of ours. */
int files__parse(Source *source, const Relation *relation, SiltErr *err);
/* As it is written in the option. */
const char *files__evolution_name(Evolution mode);

/* files_schema.c */
int files__find_schema(Source *source, const char *schema_text, SiltErr *err);
/* schemaLocation: the schema as it is now, as the next number there, unless it is the last one already. */
int files__store_schema(Source *source, SiltErr *err);
void files__set_schema(Source *source); /* source->schema from data, partitions and options */
/* May the schema become another one by what files have? */
static inline bool files__evolves(const Files *files)
{
    return files->evolution == EVOLVE_ADD || files->evolution == EVOLVE_WIDEN;
}
/* What may become of types of columns; NULL: nothing. */
FormatWider files__wider(const Files *files);
/* A schema that has become another one, with the hinted columns as their hints say: no type of the data changes those. */
const Type *files__hinted(Source *source, const Type *schema);
/* May folders `key=value` make columns that were not there before? Also where the schema is given: then they do so at the start, too. */
static inline bool files__partitions_evolve(const Files *files)
{
    return files__evolves(files) || !files->o.evolution;
}
/* Are fields that the schema lacks of interest? */
static inline bool files__wants_unknown(const Files *files)
{
    return files__evolves(files) || files->evolution == EVOLVE_FAIL;
}
/* Is a field whose name differs by case another one? Only where there is a place for it. */
static inline bool files__by_case(const Files *files)
{
    return files->options.case_sensitive && files->rescued_column >= 0;
}
const char *files__schema_text(const Source *source, Arena *arena);
/*
 * Value of partition column `name` in a path below the base, unescaped; NULL: none there, or the default partition. *is_text (NULL allowed): it is
 * valid UTF-8 without a NUL, which a batch makes sure of before it reads.
 */
const char *files__partition_value(const Files *files, Arena *arena, const char *path, const char *name, bool *is_text);

/* The last part of a path as text: U+FFFD for each byte that is not UTF-8. In arena. */
Str files__name_text(Arena *arena, const char *path);
/* What becomes of partition columns that a batch has found, next to new columns of its files: of one name, the files' own. In arena. */
const Type *files__partitions_beside(const Files *files, const Type *found, const Type *data, Arena *arena);
/* The partition columns with those that the folders of `count` more files add; files->partitions itself when there are none. In arena. */
const Type *files__more_partitions(const Files *files, const char *const *paths, int count, Arena *arena);

/* files_batch.c: open these files (paths decoded). */
int files__open(Source *source, const LogFile *list, int count, const SourceReadOptions *read, SourceBatch **out, SiltErr *err);
void files__batch_close(SourceBatch *batch);
/* The file of this part is gone: an error, or an empty file. */
int files__missing(SourceBatch *batch, int part, SiltErr *err);
FormatCounts files__batch_counts(const SourceBatch *batch);
bool files__batch_drift(const SourceBatch *batch);
int files__widen(Source *source, SourceBatch *batch, SiltErr *err);

/* files_parquet.c */
/*
 * The files' own schemas, out[i] of paths[i], in arena; NULL: the file is gone, or is no Parquet file that can be read. damage[i] says why then, in arena,
 * and is NULL else; damage NULL: such a file is an error (INPUT).
 */
int files__parquet_schemas(Source *source, const char *const *paths, int count, Arena *arena, const Type **out, const char **damage, SiltErr *err);
int files__parquet_open(Source *source, SourceBatch *batch, const SourceReadOptions *read, SiltErr *err);

void files__parquet_blame(SourceBatch *batch, SiltErr *err); /* source_batch_blame */

/* files_clean.c: batches up to `sealed` are sealed (-1: none that is new); clean what is due. */
int files__clean(Source *source, int64_t sealed, SiltErr *err);
void files__clean_free(Files *files);
