#pragma once
/*
 * pipeline/event_line.h - one event of the event log as a line of JSON
 *
 * event_kinds.h knows what each kind of event says; here is what all of them have: an id, a place in the sequence, where they come from.
 */
#include "base/json.h"
#include "io/io.h"
#include "pipeline/graph.h"

/* Who writes: one update of one pipeline. Events get their place in the sequence when they are printed. One thread at a time. */
typedef struct EventWriter {
    Io *io;                                   /* borrowed, as the two names */
    const char *pipeline_id, *pipeline_name;
    char update_id[37], host[65];
    uint8_t node[8];
    int64_t last_seq;
} EventWriter;

/* A new update. */
void event_writer_init(EventWriter *writer, Io *io, const char *pipeline_id, const char *pipeline_name);

typedef struct Event {
    const char *type, *level, *message;
    const GraphFlow *flow;  /* NULL: about the update */
    const Dataset *dataset; /* NULL: the flow's target */
    int64_t batch_id;       /* -1: none */
    const SiltErr *errors;
    int error_count;
    bool fatal;
    const StrBuf *details; /* a whole JSON object */
} Event;

/* Append the event to out, with a newline after it. */
void event_line_print(EventWriter *writer, const Event *event, StrBuf *out);

/* Begin an event's details in out, `{"type": {`, and end both objects. */
JsonWriter event_details_begin(StrBuf *out, const char *type);
void event_details_end(JsonWriter *w);
