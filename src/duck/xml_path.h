#pragma once
/*
 * duck/xml_path.h - XPath 1.0 over XML texts, with the values of Java's javax.xml.xpath
 *
 * libxml2 evaluates; numbers become texts and texts numbers as in Java, and texts are counted in UTF-16.
 */
#include "base/err.h"
#include "base/str.h"

typedef struct XmlPath XmlPath;

/*
 * Compile an expression; the caller frees *out. For one thread at a time. CONFIG: libxml2 is not there; INPUT: the expression is none, or asks for the
 * namespace axis, which is not followed.
 */
int xml_path_new(Str expression, XmlPath **out, SiltErr *err);
void xml_path_free(XmlPath *path);
void xml_path_freep(XmlPath **path);

/* The value for one text, as Java converts it. INPUT: the text is malformed, or the expression has no value for it. */
int xml_path_boolean(XmlPath *path, Str text, bool *out, SiltErr *err);
int xml_path_number(XmlPath *path, Str text, double *out, SiltErr *err);
int xml_path_string(XmlPath *path, Str text, StrBuf *out, SiltErr *err);

/* The nodes, in the order of the document; INPUT also if the value is no set of nodes. */
int xml_path_nodes(XmlPath *path, Str text, int *count, SiltErr *err);
/* What one of them holds, until the path is used again. False: nothing, as elements do. */
bool xml_path_node(const XmlPath *path, int index, Str *value);
