#pragma once
/*
 * format/format.h - bytes of a record format to typed chunks
 *
 * A format cuts a stream of bytes into blocks of whole records and decodes one block at a time, so that several threads can
 * decode one file. It knows nothing of files, but for the number of the source that it stamps on each row.
 *
 *   F1  records of a block = rows + undecodable + dropped, always; what PERMISSIVE makes a row of is a row. Blank lines and headers are no records.
 *   F2  A value is converted from its text in one exact step, or it is NULL and counted (and rescued when asked for).
 *   F3  Decoding depends on the bytes, the schema and the options only: not on the cut into blocks, nor on threads.
 *   F4  Of a block whose records are given, each makes one row or is bad (or dropped): none vanishes, none is several.
 */
#include "duck/chunk.h"
#include "format/option.h"

typedef enum FormatMode {
    FORMAT_MODE_DEAD_LETTERS, /* an undecodable record goes to the sink and makes no row: the default */
    FORMAT_MODE_PERMISSIVE,   /* ... makes a row of NULLs (text in the corrupt record column, if there is one) */
    FORMAT_MODE_DROP,         /* DROPMALFORMED: it is counted and dropped; so is a row with a field that does not fit */
    FORMAT_MODE_FAIL,         /* FAILFAST: it fails the read, and so does a field that does not fit */
} FormatMode;

/* All formats' options in one struct; which of them a format takes is in its table. NULL text: the default of the format. */
typedef struct FormatOptions {
    const char *mode_text; /* as given; format_options_check sets mode */
    FormatMode mode;
    const char *rescued_data_column;   /* NULL: none */
    const char *corrupt_record_column; /* columnNameOfCorruptRecord; used when the schema has it */
    const char *encoding;              /* UTF-8, or UTF-16LE/BE, UTF-32LE/BE by byte order mark; others refused */
    const char *date_format, *timestamp_format, *timestamp_ntz_format;
    const char *time_zone;             /* for text without a zone; set from the session when NULL */
    const char *line_sep;
    const char *single_variant_column; /* NULL: none */
    bool multi_line;
    int64_t record_bytes_max;          /* a longer record is undecodable; default 128 MB */
    /* JSON */
    bool allow_single_quotes, allow_comments, allow_unquoted_names, allow_non_numeric, allow_control_chars, allow_leading_zeros,
        allow_backslash_any;
    bool primitives_as_string, prefers_decimal, infer_timestamp, drop_field_if_all_null;
    /* CSV */
    bool header, header_given;
    const char *sep, *quote, *escape, *comment, *null_value, *empty_value, *nan_value, *positive_inf, *negative_inf;
    bool ignore_leading_space, ignore_trailing_space, enforce_schema;
    int64_t columns_max, chars_per_column_max;
    int64_t rows_skipped; /* skipRows: records at the start of each file, before the header */
    bool infer_column_types;
    bool case_sensitive; /* readerCaseSensitive: a name in another case is another name */
    const char *quote_handling, *escape_escape; /* unescapedQuoteHandling, charToEscapeQuoteEscaping */
    const char *locale;
    /* text */
    bool whole_text;
    /* Avro */
    const char *avro_schema, *avro_schema_url; /* what to read with, as text or in a file; whoever has files reads the second into the first */
    const struct AvroType *avro_reader;        /* avro_schema, parsed; NULL: the file's own */
    const Type *avro_columns;                  /* its columns */
    /* Avro values of messages; avro_reader then is avro_as_record() of the schema to read with, and avro_is_record says whether that is one itself */
    bool avro_is_record;
    const struct AvroType *avro_written;       /* what all were written with; NULL: the number in front of each says it */
    const struct FormatSchemas *avro_schemas;  /* by number; NULL: there are no numbers */
    /* Protobuf values of messages; whoever has files makes the plan of the other options */
    const char *proto_message, *proto_file;
    bool proto_emit_defaults, proto_enums_as_ints, proto_upcast_unsigned, proto_unwrap_wrappers, proto_retain_empty;
    int64_t proto_depth_max; /* 0: not given */
    const struct ProtoPlan *proto_plan;
} FormatOptions;

/* Schemas that messages were written with, by the number in front of each. */
typedef struct FormatSchemas {
    void *self;
    /* 0 with *out, which lives as long as self; FORMAT_NO_SCHEMA with *why there is none, one line that may lie in arena; < 0: it is not known. Any thread. May block. */
    int (*find)(void *self, uint32_t number, Arena *arena, const struct AvroType **out, const char **why, SiltErr *err);
} FormatSchemas;

/* Spark's defaults (read_files' where they differ). */
void format_options_init(FormatOptions *options);

/* The type that has the values of both, `known` itself where it has those of `found`; NULL: a column of the one cannot become one of the other. */
typedef const Type *(*FormatWider)(const Type *known, const Type *found);

/* What the bytes turn into. Borrowed by a decoder for its life. */
typedef struct FormatTarget {
    const Type *schema;    /* STRUCT: one field per data column, in the order of the chunk's first columns */
    const bool *needed;    /* per field: false = nobody looks, leave it NULL and skip its text; NULL: all are needed */
    int rescued_column;    /* index of the STRING column in the chunk that takes what did not fit; -1: none */
    int corrupt_column;    /* index in schema of columnNameOfCorruptRecord; -1: none */
    bool collect_unknown;  /* learn the shapes of fields that the schema lacks: decoder_unknown */
    FormatWider wider;     /* with collect_unknown: types may change, so shapes of values that do not fit are learned too; NULL: they stay */
    /* Types of all columns of the chunk: schema's fields, then columns that the caller fills by row (partition values, metadata). */
    const Type *const *types;
    int column_count;
} FormatTarget;

/* What comes with the bytes of a message. */
typedef struct FormatMessage {
    Str key; /* ptr NULL: none */
    int64_t timestamp_us;
    bool has_timestamp;
} FormatMessage;

/* A record that cannot be decoded, or (FORMAT_MODE_DROP) a row that is left out. bytes are borrowed for the call. */
typedef struct FormatBadRecord {
    int32_t source;
    int64_t position, length; /* in the decoded (decompressed) bytes of the source (given: as FormatGiven says); length is the whole record's */
    int64_t line;             /* of the source, from 1; 0 = unknown */
    const char *reason;       /* one line, lower case, no stop */
    Str bytes;                /* the record, or its first part when it is larger than the sink wants */
    const FormatMessage *message; /* what else there is of a message, from who reads them; NULL: of a file */
} FormatBadRecord;

/* Where bad records go. Called from any decoding thread, one at a time for one decoder: lock if shared. NULL: they are only counted. */
typedef struct FormatSink {
    void *self;
    int (*put)(void *self, const FormatBadRecord *record, SiltErr *err);
} FormatSink;

typedef struct FormatCounts {
    int64_t records, rows, undecodable, dropped;
    int64_t misfit_fields;  /* fields that became NULL because their text did not fit */
    int64_t unknown_fields; /* fields that the schema does not have */
    int64_t repaired;       /* strings with a lone surrogate, now U+FFFD */
} FormatCounts;

/* A record whose bounds the source knows: a message. */
typedef struct FormatGiven {
    int64_t position; /* in the source: an offset, in whatever it counts; ascending */
    uint32_t end;     /* in the block, where a line feed stands behind which the next record begins; it may have line feeds of its own */
    bool is_null;     /* there are no bytes, which is no mistake: a row of NULLs */
} FormatGiven;

/* A block of whole records. */
typedef struct FormatBlock {
    const char *ptr; /* FORMAT_PADDING readable bytes behind size */
    size_t size;
    int32_t source;
    const char *source_name; /* for messages and _rescued_data: _metadata.file_path */
    int64_t position;        /* of ptr in the source */
    int64_t line;            /* of ptr, from 1; 0 = unknown */
    int64_t modified_ms;     /* of the source; 0 = unknown */
    const void *head;        /* what FormatOps.head gave for this source */
    const char *unusable;    /* not NULL: the block is one record that cannot be decoded, for this reason (too long, cut) */
    int64_t unusable_length; /* of that whole record, of which the block may hold the first part only */
    /* The records, if they need not be looked for: they fill the block, and options have no lineSep and no multiLine. NULL: the format looks for them. */
    const FormatGiven *given; /* unusable: one */
    uint32_t given_count;
} FormatBlock;

enum { FORMAT_PADDING = 64 };
#define FORMAT_RECORD_BYTES_USUAL (INT64_C(128) << 20) /* maxRecordSize where it is not given */

/* How far the lines of a block were counted. Zeroed with each block. */
typedef struct FormatLines {
    int64_t size, count; /* newlines in the first `size` bytes */
} FormatLines;

/* The line of a record that begins at this position of the source; 0: unknown. Cheap for records asked for in order. */
static inline int64_t format_line(const FormatBlock *block, FormatLines *lines, int64_t position)
{
    int64_t size = position - block->position;

    if (!block->line)
        return 0;
    if (size < lines->size)
        *lines = (FormatLines){0};
    while (lines->size < size)
        lines->count += block->ptr[lines->size++] == '\n';
    return block->line + lines->count;
}

/* mode of a format whose values are no text: it has no column of corrupt records. */
void format_settle_mode(FormatOptions *options);
/* Fail as INPUT for the record of a block at this position, with Spark's class: FAILFAST. */
int format_refuse(const FormatBlock *block, int64_t position, const char *reason, SiltErr *err);
/*
 * Need fields that nobody looks at not be read? Not if their values decide about others: what is rescued, what is a corrupt record, which rows are
 * dropped.
 */
bool format_may_skip(const FormatOptions *options, const FormatTarget *target);
/* Index in the schema of the column for the text of corrupt records, which there is with `mode` only; -1: none. */
int format_corrupt_column(const FormatOptions *options, const Type *schema);

typedef struct FormatDecoder FormatDecoder;
typedef struct FormatInference FormatInference; /* format/infer.h */

/* How far the search for the end of a record has come. Zeroed at the start of a source. */
typedef struct FormatCut {
    size_t seen; /* bytes of the next call's text that were already looked at */
    int depth;   /* open brackets */
    int arrays;  /* open root arrays */
    char quote;  /* inside of a quoted text that this ends; else 0 */
    bool escaped, in_scalar;
    /* Set at the end of a source when what is left, or what went before, is not whole: why. */
    const char *complaint;
} FormatCut;

typedef struct FormatOps {
    const char *name;         /* as in format => 'name' */
    const char *summary;
    const char *const *suffixes; /* of file names, for guessing: ".json", NULL at the end */
    const OptionRow *options; /* into FormatOptions */
    bool is_text; /* its bytes are text in the encoding that the options name; else they are taken as they are */
    bool is_raw;  /* not even decompressed */

    /* Complete and cross-check options. */
    int (*check)(FormatOptions *options, Arena *arena, SiltErr *err);

    /*
     * Read what the start of a source says about the rest (CSV's header). `bytes` is the first block, at_end: the whole source.
     * Gives *out in arena, and in *consumed the bytes that are no records. 0, FORMAT_MORE when bytes end too early, < 0.
     * NULL: there is no head.
     */
    int (*head)(const FormatOptions *options, const Type *schema, Arena *arena, Str bytes, bool at_end, const void **out, size_t *consumed,
                SiltErr *err);

    /*
     * How many of the first bytes are whole records (first: the first record only, and what stands before it); 0: none ends here.
     * state is zeroed at the start of a source and kept by the caller, who goes on at the returned position, or comes back with the
     * same bytes and more of them. At the end bytes that are left over are no whole record; state->complaint says why.
     */
    size_t (*cut)(const FormatOptions *options, FormatCut *state, Str bytes, bool at_end, bool first);
    /* Is a whole source one record, even an empty one? NULL: no. */
    bool (*whole)(const FormatOptions *options);

    int (*decoder_new)(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err);
    /* Give a block to a decoder whose last block is used up. The block's bytes live until the decoder has used it up. */
    void (*decoder_begin)(FormatDecoder *decoder, const FormatBlock *block);
    /* The next rows of the block: *chunk is not sealed, *rows <= CHUNK_ROWS_MAX, origins are set. *chunk = NULL when it is used up. */
    int (*decoder_next)(FormatDecoder *decoder, Chunk **chunk, int *rows, SiltErr *err);
    const FormatCounts *(*decoder_counts)(const FormatDecoder *decoder); /* since new */
    /* Fields met that the schema does not have, to be merged: NULL when none. Owned by the decoder. */
    const FormatInference *(*decoder_unknown)(const FormatDecoder *decoder); /* NULL: see decoder_met */
    void (*decoder_free)(FormatDecoder *decoder);

    /*
     * Formats whose files say their schema, or have always the same: the STRUCT that a source with this head has (NULL: an empty one). Lives
     * as long as the head. NULL: the schema is inferred from records.
     */
    const Type *(*schema)(const FormatOptions *options, const void *head);
    /* All columns that the sources of this decoder had, when target->collect_unknown; NULL: not known so. Owned by the decoder. */
    const Type *(*decoder_met)(const FormatDecoder *decoder);

    /* Learn from a block of whole records. NULL when schema is not. */
    int (*infer)(const FormatOptions *options, FormatInference *inference, const FormatBlock *block, SiltErr *err);
} FormatOps;

enum { FORMAT_MORE = 1, FORMAT_NO_SCHEMA = 1 };

extern const FormatOps format_json, format_csv, format_text, format_binary, format_avro;
extern const FormatOps format_avro_message, format_protobuf_message; /* of blocks whose records are given */
/* Parquet is read by DuckDB: it has a name and options, and no functions. */
extern const FormatOps format_parquet;

/* By name without case; NULL: none. Formats that Silt knows of and does not read (orc, xml, protobuf) are told apart by format_is_later. */
const FormatOps *format_find(Str name);
bool format_is_later(Str name);
