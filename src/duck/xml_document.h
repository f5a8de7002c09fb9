#pragma once
/*
 * duck/xml_document.h - one XML text as the tree that Java's DOM would be, for xml_path.c
 *
 * Java's parser does not know namespaces here: xmlns declares nothing, a name is what stands behind its prefix, and attributes come in the
 * order of their names. Nothing outside of the text is read, and entities that grow out of hand make a text malformed.
 */
#include "base/err.h"
#include "base/str.h"

typedef struct XmlReader XmlReader;

/* NULL with err: libxml2 is not there. For one thread at a time. */
XmlReader *xml_reader_new(SiltErr *err);
void xml_reader_free(XmlReader *reader);
void xml_reader_freep(XmlReader **reader);
/*
 * Read a text; the tree lives until the next call. Fails as INPUT, with what is wrong: the text is not well-formed, nests elements deeper
 * than 256, or has a DTD elsewhere.
 */
int xml_reader_read(XmlReader *reader, Str text, SiltErr *err);
/* libxml2's document. */
void *xml_reader_document(const XmlReader *reader);
