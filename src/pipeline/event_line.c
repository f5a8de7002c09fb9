/*
 * pipeline/event_line.c - the frame around an event's details, as Lakeflow has it
 */
#include "pipeline/event_line.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void event_writer_init(EventWriter *writer, Io *io, const char *pipeline_id, const char *pipeline_name)
{
    *writer = (EventWriter){.io = io, .pipeline_id = pipeline_id, .pipeline_name = pipeline_name};
    io_uuid(io, writer->update_id);
    io_random(io, writer->node, sizeof writer->node);
    gethostname(writer->host, sizeof writer->host - 1);
}

/* Rises from event to event, and over updates: microseconds, moved on where the clock stands still. */
static int64_t next_seq(EventWriter *writer, int64_t now_us)
{
    writer->last_seq = now_us > writer->last_seq ? now_us : writer->last_seq + 1;
    return writer->last_seq;
}

/* A time-based UUID (version 1), as Lakeflow's: they sort and compress well. */
static void put_id(const EventWriter *writer, JsonWriter *w, int64_t seq)
{
    const uint8_t *node = writer->node;
    uint64_t ticks = (uint64_t)seq * 10 + UINT64_C(0x01B21DD213814000); /* 100 ns since 1582-10-15 */
    char text[37];

    snprintf(text, sizeof text, "%08x-%04x-1%03x-%02x%02x-%02x%02x%02x%02x%02x%02x", (unsigned)(ticks & 0xffffffff), (unsigned)(ticks >> 32 & 0xffff),
             (unsigned)(ticks >> 48 & 0xfff), (node[0] & 0x3f) | 0x80, node[1], node[2] | 1, node[3], node[4], node[5], node[6], node[7]);
    json_member(w, "id", text);
}

static void put_origin(const EventWriter *writer, JsonWriter *w, const Event *event)
{
    const Dataset *dataset = event->dataset ? event->dataset : event->flow ? event->flow->target : NULL;

    json_key(w, "origin");
    json_object(w);
    json_member_int(w, "user_id", (int64_t)getuid());
    json_member(w, "pipeline_id", writer->pipeline_id);
    json_member(w, "pipeline_type", "WORKSPACE");
    json_member(w, "pipeline_name", writer->pipeline_name);
    json_member(w, "update_id", writer->update_id);
    if (dataset) {
        json_member(w, "table_name", dataset->name);
        json_member(w, "dataset_name", dataset->name);
    }
    if (event->flow)
        json_member(w, "flow_name", event->flow->name);
    if (event->batch_id >= 0)
        json_member_int(w, "batch_id", event->batch_id);
    json_member(w, "host", writer->host);
    json_object_end(w);
}

static const char *class_of(const SiltErr *err)
{
    static const char *const kinds[] = {"", "TRANSIENT", "INPUT", "CONFIG", "CORRUPT", "CANCELLED"};

    return err->code[0] ? err->code : kinds[err->kind];
}

static void put_error(JsonWriter *w, const Event *event)
{
    json_key(w, "error");
    json_object(w);
    json_member_bool(w, "fatal", event->fatal);
    json_key(w, "exceptions");
    json_array(w);
    for (int i = 0; i < event->error_count; i++) {
        const SiltErr *err = &event->errors[i];
        silt_auto(str_buf_fini) StrBuf message = {0};
        str_buf_printf(&message, "%s%s%s", err->message, err->hint[0] ? "\n" : "", err->hint);
        json_object(w);
        json_member(w, "class_name", class_of(err));
        json_member(w, "message", str_buf_text(&message));
        json_key(w, "stack");
        json_array(w);
        if (err->line) {
            json_object(w);
            json_member(w, "file_name", err->file);
            json_member_int(w, "line_number", err->line);
            json_object_end(w);
        }
        json_array_end(w);
        json_object_end(w);
    }
    json_array_end(w);
    json_object_end(w);
}

void event_line_print(EventWriter *writer, const Event *event, StrBuf *out)
{
    JsonWriter w = {.out = out};
    int64_t now_us = io_now_us(writer->io), seq = next_seq(writer, now_us);

    json_object(&w);
    put_id(writer, &w, seq);
    json_key(&w, "sequence");
    json_object(&w);
    json_key(&w, "data_plane_id");
    json_object(&w);
    json_member(&w, "instance", writer->update_id);
    json_member_int(&w, "seq_no", seq);
    json_object_end(&w);
    json_object_end(&w);
    put_origin(writer, &w, event);
    json_member_int(&w, "time", now_us);
    json_member(&w, "message", event->message);
    json_member(&w, "level", event->level);
    json_member(&w, "maturity_level", "STABLE");
    if (event->error_count)
        put_error(&w, event);
    json_member(&w, "details", str_buf_text(event->details));
    json_member(&w, "event_type", event->type);
    json_object_end(&w);
    str_buf_putc(out, '\n');
}

JsonWriter event_details_begin(StrBuf *out, const char *type)
{
    JsonWriter w = {.out = out};

    json_object(&w);
    json_key(&w, type);
    json_object(&w);
    return w;
}

void event_details_end(JsonWriter *w)
{
    json_object_end(w);
    json_object_end(w);
}
