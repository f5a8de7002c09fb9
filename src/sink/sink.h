#pragma once
/*
 * sink/sink.h - where rows go that become no Delta table: one table of functions per kind of sink
 *
 * CREATE SINK s USING kind OPTIONS (...) names the kind. A batch comes whole: its query has run, its rows lie on disk and can be read as often
 * as needed. After a crash the same batch may come again, with the same ids and the same rows.
 */
#include "duck/chunk.h"
#include "io/io.h"
#include "sql/ast.h"

typedef struct Sink Sink;

/* SINK_NONE: no such kind. */
enum { SINK_NONE = 1 };

/* What sinks may need of the world; borrowed while the sink lives. */
typedef struct SinkContext {
    Io *io; /* for secrets that lie in files */
    /* Sinks of the program that Silt is a part of; NULL: none. */
    const struct SiltSink *const *extensions;
    int extension_count;
} SinkContext;

/* What a statement says of a sink; lives as long as the sink. */
typedef struct SinkWant {
    const char *kind; /* behind USING */
    const SqlOption *options;
    int option_count;
    const char *name; /* full name of the sink, for messages */
    SiltPos pos;      /* of the kind */
} SinkWant;

/* Of the flow that writes. */
typedef struct SinkColumns {
    const char *const *names;
    const Type *const *types;
    int count;
} SinkColumns;

typedef struct SinkBatch {
    const char *flow;     /* full name */
    const char *query_id; /* with id: names the batch for ever */
    int64_t id;
    const char *const *names;
    const Type *const *types;
    int column_count;
} SinkBatch;

typedef struct SinkOps {
    const char *name; /* as behind USING; NULL: the kind tells by its own means */
    const char *summary;
    /* Is this kind yours? Nothing is reached yet. */
    bool (*knows)(const SinkContext *context, const char *kind);
    /* Can options and columns be used? Nothing is reached. NULL: not told before it is opened. CONFIG. */
    int (*check)(const SinkContext *context, const SinkWant *want, const SinkColumns *columns, Arena *arena, SiltErr *err);
    /* Reach the target; called once, before any batch. May block. sink->self is yours. */
    int (*open)(Sink *sink, const SinkContext *context, const SinkWant *want, SiltErr *err);
    /* Make the rows of a batch visible, all or none, durably; nothing if they are there already. rows is borrowed and need not be read. */
    int (*batch)(Sink *sink, const SinkBatch *batch, ChunkReader *rows, SiltErr *err);
    /* Release what open took, also after a failed open. */
    void (*close)(Sink *sink);
} SinkOps;

struct Sink {
    const SinkOps *ops;
    Arena *arena; /* lives as long as the sink */
    const char *name;
    SiltPos pos;
    void *self;
};

/* Whether there is such a kind; all known kinds, for messages, in arena. */
bool sink_known(const SinkContext *context, const char *kind);
const char *sink_kinds(const SinkContext *context, Arena *arena);

/* Before a flow runs; the kind is known. CONFIG at the option or the statement at fault. */
int sink_check(const SinkContext *context, const SinkWant *want, const SinkColumns *columns, Arena *arena, SiltErr *err);
/* 0 and *out, or < 0. The kind is known. */
int sink_open(const SinkContext *context, const SinkWant *want, Sink **out, SiltErr *err);
void sink_free(Sink *sink); /* NULL allowed */
int sink_batch(Sink *sink, const SinkBatch *batch, ChunkReader *rows, SiltErr *err);
