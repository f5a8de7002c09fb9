#pragma once
/*
 * pipeline/event_log.h - the event log as a Delta table: <storage>/_silt/events, with Lakeflow's columns
 *
 * Events are buffered as JSON lines and appended by event_log_flush, one commit a call. The table keeps itself small: see event_log.c.
 * Nothing here can fail a run: what goes wrong is said once as a warning, and the events wait for the next flush as long as there is room.
 */
#include "delta/txn.h"

typedef struct EventLog EventLog;

typedef struct EventLogOptions {
    Io *io;              /* borrowed, as all of these, until event_log_free */
    DuckEngine *engine;
    const char *storage; /* of the pipeline: the table lies at <storage>/_silt/events */
    int64_t retention_us;
    /* Said in words of a person: once a trouble, until a flush has succeeded. */
    void (*warn)(void *self, const char *message);
    void *self;
} EventLogOptions;

/* Folder of the table. In arena. */
const char *event_log_path(Arena *arena, const char *storage);
/* The columns of the table: a STRUCT, in arena. */
const Type *event_log_schema(Arena *arena);

/* Looks whether the table is there, writes nothing. Never fails. */
EventLog *event_log_new(const EventLogOptions *options);
void event_log_free(EventLog *log); /* NULL allowed; what was not flushed is lost */

/* The pipeline's id: that of the table, which outlives runs. Owned by log. */
const char *event_log_pipeline_id(const EventLog *log);
/* When the table was last written to, milliseconds since 1970; -1: it is not there. As it was when the log was opened or last flushed. */
int64_t event_log_written_ms(const EventLog *log);
/* Take over lines of JSON, each ending with a newline: the members of an event as in the schema, but for `timestamp`, which is `time`, in
 * microseconds. From any thread. */
void event_log_add(EventLog *log, Str lines);
/* Append what was added, and from time to time tidy up. One thread at a time. */
void event_log_flush(EventLog *log);
