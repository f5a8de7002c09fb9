/*
 * duck/xml_events.c - see xml_events.h
 *
 *   V1  Entities are never declared, whatever the text says, so that none can grow: therefore libxml2's limits of size and depth are off.
 *   V2  Text is kept back until the next mark, so that none is given that stands before a fault.
 */
#include "duck/xml_events.h"

#include <stdlib.h>
#include <string.h>

#include "duck/xml_library.h"

struct XmlEventReader {
    xmlParserCtxt *parser;
    Arena *arena; /* of the text at work, as the rest */
    StrBuf text;  /* V2 */
    bool broken;
    XmlEvent *events;
    int event_count, event_capacity;
    XmlAttribute *attributes;
    int attribute_count, attribute_capacity;
};

static void add(XmlEventReader *r, XmlEvent event)
{
    ARENA_PUSH(r->arena, r->events, r->event_count, r->event_capacity, event);
}

static void flush(XmlEventReader *r)
{
    if (r->text.size)
        add(r, (XmlEvent){.kind = XML_EVENT_TEXT, .text = arena_str(r->arena, str_buf_view(&r->text))});
    str_buf_clear(&r->text);
}

static Str kept(XmlEventReader *r, const xmlChar *text)
{
    return arena_str(r->arena, str_of((const char *)text));
}

static void on_start(void *self, const xmlChar *name, const xmlChar **attributes)
{
    XmlEventReader *r = self;
    XmlEvent event = {.kind = XML_EVENT_START, .text = kept(r, name), .first_attribute = r->attribute_count};

    flush(r);
    for (int i = 0; attributes && attributes[i]; i += 2) {
        XmlAttribute attribute = {kept(r, attributes[i]), attributes[i + 1] ? kept(r, attributes[i + 1]) : STR("")};

        ARENA_PUSH(r->arena, r->attributes, r->attribute_count, r->attribute_capacity, attribute);
        event.attribute_count++;
    }
    add(r, event);
}

static void on_end(void *self, const xmlChar *name)
{
    XmlEventReader *r = self;

    flush(r);
    add(r, (XmlEvent){.kind = XML_EVENT_END, .text = kept(r, name)});
}

static void on_text(void *self, const xmlChar *text, int size)
{
    XmlEventReader *r = self;

    str_buf_add(&r->text, (const char *)text, (size_t)size);
}

static void on_comment(void *self, const xmlChar *text)
{
    (void)text;
    flush(self);
}

static void on_instruction(void *self, const xmlChar *target, const xmlChar *data)
{
    (void)target;
    (void)data;
    flush(self);
}

static void on_reference(void *self, const xmlChar *name)
{
    XmlEventReader *r = self;

    (void)name;
    r->broken = true;
    xml.StopParser(r->parser);
}

XmlEventReader *xml_event_reader_new(SiltErr *err)
{
    if (xml_library_load(err) < 0)
        return NULL;
    XmlEventReader *r = silt_alloc(sizeof *r);

    r->parser = xml.NewParserCtxt();
    silt_assert(r->parser);
    *r->parser->sax = (xmlSAXHandler){
        .initialized = 1, /* of SAX 1, which knows no namespaces */
        .startElement = on_start,
        .endElement = on_end,
        .characters = on_text,
        .ignorableWhitespace = on_text,
        .cdataBlock = on_text,
        .comment = on_comment,
        .processingInstruction = on_instruction,
        .reference = on_reference,
    };
    r->parser->userData = r;
    return r;
}

void xml_event_reader_free(XmlEventReader *reader)
{
    if (!reader)
        return;
    xml.FreeParserCtxt(reader->parser);
    str_buf_fini(&reader->text);
    free(reader);
}

void xml_event_reader_freep(XmlEventReader **reader)
{
    xml_event_reader_free(*reader);
}

XmlEvents xml_events_read(XmlEventReader *r, Arena *arena, Str text)
{
    enum { OPTIONS = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_IGNORE_ENC | XML_PARSE_HUGE };

    r->arena = arena;
    r->events = NULL;
    r->attributes = NULL;
    r->event_count = r->event_capacity = r->attribute_count = r->attribute_capacity = 0;
    str_buf_clear(&r->text);
    r->broken = text.size > INT32_MAX || memchr(text.ptr ? text.ptr : "", 0, text.size);
    if (!r->broken && text.size) {
        xmlDoc *document = xml.CtxtReadMemory(r->parser, text.ptr, (int)text.size, NULL, "UTF-8", OPTIONS);

        silt_assert(!document); /* nothing builds one */
        r->broken = r->broken || !r->parser->wellFormed;
    }
    add(r, (XmlEvent){.kind = r->broken || !text.size ? XML_EVENT_BROKEN : XML_EVENT_FINISH});
    return (XmlEvents){r->events, r->event_count, r->attributes};
}
