#pragma once
/* duck/xml_take.h - one record of XML as a value of from_xml's schema, field by field as Spark takes them */
#include "base/arena.h"
#include "duck/text_value.h"
#include "duck/xml_events.h"
#include "duck/xml_style.h"

typedef struct XmlTake {
    const XmlStyle *style;
    const TextForm *form;
    const Zone *zone;
    int64_t today_us; /* the day of a time without one, as local microseconds */
    Arena *arena;     /* of the record */
    /* private */
    XmlEvents events;
    int at;
    bool broken;
} XmlTake;

/* Whether from_xml makes values of the type; else what stands in the way, in the arena. */
bool xml_take_fits(Arena *arena, const Type *type, const char **why);
/* Rows used so far in the children of each list below a column. */
typedef struct XmlFill XmlFill;
/* For a column and all below it; lives in the arena. */
XmlFill *xml_fill_new(Arena *arena, const Column *column);
/* Put the record into a row of a STRUCT column. False: it does not fit, and what could be taken of it before is there. */
bool xml_take(XmlTake *take, XmlEvents events, Column *out, XmlFill *fill, uint64_t row);
