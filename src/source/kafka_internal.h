#pragma once
/* source/kafka_internal.h - shared by kafka.c (offsets, plans), kafka_anew.c, kafka_loss.c, kafka_options.c, kafka_format.c, kafka_read.c, kafka_columns.c and kafka_decode.c */
#include "source/arguments.h"
#include "source/kafka_client.h"
#include "source/kafka_mirror.h"
#include "source/kafka_topics.h"
#include "source/kafka_watch.h"
#include "source/source.h"

#include "duck/java_regex.h"
#include "duck/registry.h"

enum { KAFKA_KEPT_MAX = 4 };
/* Columns of records; with a format, all but the value are fields of _metadata. */
enum { KAFKA_KEY, KAFKA_VALUE, KAFKA_TOPIC, KAFKA_PARTITION, KAFKA_OFFSET, KAFKA_TIMESTAMP, KAFKA_TIMESTAMP_TYPE, KAFKA_HEADERS, KAFKA_COLUMNS };

/* startingOffsetsByTimestampStrategy: in the order of its choices. */
typedef enum KafkaBehind { KAFKA_BEHIND_ERROR = 1, KAFKA_BEHIND_LATEST } KafkaBehind;

typedef struct KafkaOptions {
    const char *servers, *subscribe, *pattern, *assign, *group_id, *group_prefix;
    const char *starting, *starting_times, *ending, *ending_times;
    int64_t starting_ms, ending_ms;
    int starting_strategy; /* KafkaBehind */
    int64_t offsets_max, offsets_min;
    int64_t delay_us; /* maxTriggerDelay */
    bool fail_on_loss, include_headers, commit_offsets;
    int64_t poll_timeout_ms;
    const char *format, *schema;
    int evolution;   /* schemaEvolutionMode: KafkaEvolution */
    int compression; /* KafkaCompression */
} KafkaOptions;

/* In the order of its choices; those that would add columns are refused. */
typedef enum KafkaEvolution { KAFKA_EVOLVE_NONE = 1, KAFKA_EVOLVE_RESCUE, KAFKA_EVOLVE_OTHER } KafkaEvolution;

typedef enum KafkaCompression { KAFKA_PLAIN = 1, KAFKA_GZIP } KafkaCompression;

/* What values are decoded to. */
typedef struct KafkaFormat {
    const FormatOps *ops; /* NULL: they are bytes */
    FormatOptions options;
    const Type *data;     /* STRUCT: the columns of a value */
    int rescued_column;   /* in the source's schema; -1: none */
    int metadata_column;
    /* Avro (kafka_avro.c) */
    RegistrySettings registry_settings; /* url NULL: values have no number of a schema in front */
    const char *subject, *credentials;
    Registry *registry;
    FormatSchemas schemas;
    const RegistrySchema *newest; /* of the subject, when it says the columns; else NULL */
    const char *kept;             /* what an earlier run has kept of that; NULL: none */
} KafkaFormat;

/* Where to begin or end, for all partitions or for each. */
typedef struct KafkaBound {
    enum { KAFKA_AT_OFFSET, KAFKA_AT_TIME } kind;
    bool each;                /* positions say it; else `all` for every partition */
    int64_t all;              /* KAFKA_EARLIEST, KAFKA_LATEST or milliseconds */
    KafkaPositions positions; /* offsets or milliseconds */
    bool latest_if_none;      /* no record that late: the end, else a failure */
    SiltPos pos;              /* of the option; unknown for a default */
    const char *option;       /* its name */
} KafkaBound;

typedef struct KafkaSource {
    KafkaOptions o;
    SiltPos pos, topics_pos; /* of the relation; of what says which topics */
    Io *io;
    bool streaming;
    KafkaSettings settings;
    int64_t ask_ms; /* 0: KAFKA_ASK_MS */
    const char **topics; /* subscribe */
    int topic_count;
    const JavaRegex *regex;  /* subscribePattern */
    KafkaPositions assigned; /* assign */
    KafkaBound from, to;
    KafkaFormat format;

    KafkaClient *client; /* NULL until first needed */
    const char *log_directory;
    KafkaPositions initial; /* where the stream began, once known: durable in <log_directory>/0 */
    bool has_initial;
    bool bounded;
    Arena *look_arena;     /* of `latest`, replaced at each look */
    KafkaPositions latest; /* of the last look */
    bool looked;
    int64_t planned_us;    /* when the last batch was planned; for minOffsetsPerTrigger */
    KafkaWaiter *waiter;   /* NULL until the first plan of a continuous run */
    KafkaMirror *mirror;   /* NULL until the first batch is sealed */

    KafkaTopics known;   /* those that the positions belong to: durable in <log_directory>/_topics */
    KafkaTopics adopted; /* those of `known` that the next sealed offset belongs to instead: made anew */
    int64_t asked_ms;    /* when the brokers have last said which topics there are (clock_ms); -1: not in this run */
    bool gives_no_ids;   /* and what they said was that they give none */

    KafkaPositions reported; /* losses that were said: the first offset that was there then */
    KafkaCursor *kept[KAFKA_KEPT_MAX]; /* open between batches, with what was fetched beyond the last one's end */
    int kept_count;
} KafkaSource;

/* Options and schema into a new source; 0, SOURCE_NONE, < 0. */
int kafka__parse(Source *source, const SourceContext *context, const Relation *relation, SiltErr *err);
/* kafka_format.c */
/* The format that is asked for, if any, before options are set: format.ops. */
int kafka__find_format(Source *source, const Arguments *arguments, SiltErr *err);
/* Tables of the options of values (into kafka->format.options), for option_set; none without a format. Fills out[0..4). */
void kafka__format_tables(KafkaSource *kafka, OptionTable *out);
/* Is it one that has a meaning with a format only? */
bool kafka__is_format_option(const char *key);
/* Options are set: check them together, and find the columns. */
int kafka__settle_format(Source *source, const SourceContext *context, const Arguments *arguments, SiltErr *err);
/* The columns of a value, then what is rescued, then (hidden) the rest of the record. */
void kafka__set_format_schema(Source *source);

/* kafka_avro.c */
extern const OptionRow *const kafka__avro_options; /* into KafkaFormat */
/* What values are written and read with, into format.options. kept: as kafka__schema_text gave it at an earlier run; NULL: none. */
int kafka__settle_avro(Source *source, const Arguments *arguments, const char *kept, SiltErr *err);
const char *kafka__schema_text(const Source *source, Arena *arena);

/* kafka_protobuf.c: what values are, into format.options. */
int kafka__settle_protobuf(Source *source, const SourceContext *context, const Arguments *arguments, SiltErr *err);

/* The client, made when it is needed first. */
int kafka__client(KafkaSource *kafka, KafkaClient **out, SiltErr *err);
/* kafka_loss.c */
/* Something is gone. Fails with Spark's class, or (failOnDataLoss => false) leaves a remark and gives 0. */
int kafka__lost(Source *source, const char *code, SiltErr *err, const char *fmt, ...) SILT_PRINTF(4, 5);
/*
 * Records from `wanted` on are gone: `there` is the first one that the log has, `end` where the reader wanted to stop. Fails with Spark's class, or
 * (failOnDataLoss => false) leaves a remark that says how much is lost, once, and gives 0.
 */
int kafka__lost_range(Source *source, const KafkaPosition *there, int64_t wanted, int64_t end, bool is_new, SiltErr *err);

/* kafka_anew.c: topics that were made anew, told by their ids */
/* What an earlier run has kept, into kafka->known. CORRUPT if it is not what was written. */
int kafka__load_topics(Source *source, SiltErr *err);
/* A stream begins in these partitions: remember their topics, durably (N1), before their offsets are asked for. */
int kafka__begin_topics(Source *source, const KafkaPositions *there, SiltErr *err);
/*
 * Before a plan from `start`, in the partitions `there`: which topics were made anew since, so that their positions are to be set back; into arena. Asks
 * the brokers only as often as is needed: urgent, the positions do not fit; moved, there is something to read. Fails, or says what is lost, as
 * failOnDataLoss has it; new topics are remembered durably (N1).
 */
int kafka__find_anew(Source *source, const KafkaPositions *start, const KafkaPositions *there, bool moved, bool urgent, Arena *arena, KafkaTopics *anew, SiltErr *err);
/* A batch is sealed: topics whose positions were set back in it are remembered by their new ids (N2). */
int kafka__adopt_topics(Source *source, SiltErr *err);
/* A topic is another one than that whose positions these are (others are passed over): fails, or says so. */
int kafka__lost_topic(Source *source, const KafkaTopic *now, const KafkaPositions *positions, SiltErr *err);
/* May a batch that was planned by an earlier process, or before a topic was made anew, be read as it is? Then its topics are to be asked for first. */
bool kafka__is_doubtful(const Source *source);
/* Of these topics (their ids are replaced by those of now), those that are not what the positions belong to; into arena. */
int kafka__compare_topics(Source *source, KafkaTopics *topics, Arena *arena, KafkaTopics *anew, SiltErr *err);

/* How long questions may take to be answered: kafka.default.api.timeout.ms. */
enum { KAFKA_ASK_MS = 20 * 1000 };
KafkaWait kafka__ask_wait(const Source *source);
KafkaWait kafka__wait(const Source *source, int64_t timeout_ms);

/* kafka_read.c */
/* The records of [from, to): positions of the same partitions, in the same order. from beyond to: a log that was made anew, from its beginning. */
void kafka__open(Source *source, const KafkaPositions *from, const KafkaPositions *to, const char *fingerprint, const SourceReadOptions *read, SourceBatch **out);
void kafka__batch_close(SourceBatch *batch);
FormatCounts kafka__batch_counts(const SourceBatch *batch);
void kafka__close_cursors(KafkaSource *kafka);

/* kafka_columns.c */
/* Name and type of one of the columns of records; in arena where it is nested. */
const char *kafka__column_name(int column);
const Type *kafka__column_type(int column, Arena *arena);
/* Put records of one partition into rows 0.. of the columns, NULL: one that nobody looks at. */
void kafka__put_columns(Column *const columns[KAFKA_COLUMNS], const KafkaPosition *partition, const KafkaRecord *records, int rows);

/* kafka_decode.c */
typedef struct KafkaDecode KafkaDecode;
/* used: columns of the schema that somebody looks at, borrowed; NULL: all. */
int kafka__decode_new(Source *source, const bool *used, const FormatSink *sink, KafkaDecode **out, SiltErr *err);
void kafka__decode_free(KafkaDecode *decode); /* NULL allowed */
/* The next records, of one partition, which is that number of part; borrowed until they are used up. What was given before is used up. */
void kafka__decode_begin(KafkaDecode *decode, const SourcePart *part, int32_t number, const KafkaRecord *records, int count);
/* The next rows, sealed; *out NULL: the records are used up. */
int kafka__decode_next(KafkaDecode *decode, Chunk **out, SiltErr *err);
FormatCounts kafka__decode_counts(const KafkaDecode *decode);
