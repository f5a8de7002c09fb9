#pragma once
/* duck/xml_infer.h - the type that one record of XML would be read as */
#include "duck/text_value.h"
#include "duck/type.h"
#include "duck/xml_events.h"
#include "duck/xml_style.h"

enum { XML_MALFORMED = 1, XML_TOO_DEEP = 2 };
enum { XML_INFER_DEPTH_MAX = 500 }; /* levels of elements */

/* Give *out, a STRUCT in the arena, which may have no fields, and 0; or return XML_MALFORMED or XML_TOO_DEEP. */
int xml_infer(Arena *arena, const XmlStyle *style, const TextForm *form, XmlEvents events, const Type **out);
