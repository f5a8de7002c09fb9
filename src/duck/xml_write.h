#pragma once
/* duck/xml_write.h - one STRUCT as XML, with the bytes of Spark's to_xml */
#include "duck/chunk.h"
#include "duck/java_time.h"
#include "duck/xml_style.h"

typedef struct XmlWrite {
    const XmlStyle *style;
    const JavaTime *timestamp, *timestamp_ntz, *date;
    const Zone *zone;
} XmlWrite;

/* Whether values of the type can be written; else what stands in the way, in the arena. */
bool xml_write_fits(Arena *arena, const XmlStyle *style, const Type *type, const char **why);
/* Append a row. INPUT: a name is none of XML, or a text has characters that XML does not know. */
int xml_write(const XmlWrite *write, const Column *column, uint64_t row, StrBuf *out, SiltErr *err);
