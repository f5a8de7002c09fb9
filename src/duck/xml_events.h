#pragma once
/*
 * duck/xml_events.h - one XML text as the events that a StAX reader of Java gives, up to what is malformed in it
 *
 * Names come with their prefixes, xmlns is an attribute like others, comments and instructions are left out, and no entity is known but
 * XML's own five.
 */
#include "base/arena.h"
#include "base/err.h"

typedef enum XmlEventKind {
    XML_EVENT_START,
    XML_EVENT_TEXT, /* all there is between two other marks, CDATA and references in it */
    XML_EVENT_END,
    XML_EVENT_FINISH, /* behind the last event, and again and again */
    XML_EVENT_BROKEN, /* the same, where the text is malformed from here on */
} XmlEventKind;

typedef struct XmlAttribute {
    Str name, value;
} XmlAttribute;

typedef struct XmlEvent {
    XmlEventKind kind;
    Str text; /* START, END: name */
    int first_attribute, attribute_count;
} XmlEvent;

typedef struct XmlEvents {
    const XmlEvent *items; /* the last one is FINISH or BROKEN */
    int count;
    const XmlAttribute *attributes;
} XmlEvents;

typedef struct XmlEventReader XmlEventReader;

/* NULL with err: libxml2 is not there. For one thread at a time. */
XmlEventReader *xml_event_reader_new(SiltErr *err);
void xml_event_reader_free(XmlEventReader *reader);
void xml_event_reader_freep(XmlEventReader **reader);
/* All events of a text, in the arena. */
XmlEvents xml_events_read(XmlEventReader *reader, Arena *arena, Str text);
