#pragma once
/* duck/xml_style.h - the options of from_xml, schema_of_xml and to_xml */
#include "base/err.h"
#include "base/str.h"

typedef struct XmlStyle {
    Str attribute_prefix, value_tag, wildcard, corrupt, null_text;
    bool has_null, trim, fail_fast, no_attributes, no_namespace, infer, prefer_date, prefer_decimal;
    Str timestamp_format, ntz_format, date_format, time_zone; /* empty: none given */
    Str row_tag, element_name, indent;                        /* writing */
    bool check_names;
} XmlStyle;

/* Spark's defaults. */
void xml_style_init(XmlStyle *style);
/*
 * Set one option; name without case, value borrowed for as long as the style. Fails as CONFIG with Spark's code: a name that is not known, a value that
 * does not fit, or what is not done here.
 */
int xml_style_set(XmlStyle *style, Str name, Str value, SiltErr *err);
/* Behind the last option: what depends on several of them. Fails as CONFIG. */
int xml_style_finish(const XmlStyle *style, SiltErr *err);
/* Without what stands before the last colon, if namespaces are ignored. */
Str xml_style_name(const XmlStyle *style, Str name);
/* Without blanks around it, if they are ignored. */
Str xml_style_text(const XmlStyle *style, Str text);
/* Is this the text that nullValue gives for NULL? */
bool xml_style_is_null(const XmlStyle *style, Str text);
/* Nothing but blanks, as Java's trim() takes them: all bytes up to a space. */
bool xml_is_blank(Str text);
