/*
 * duck/xml_document.c - see xml_document.h
 *
 *   X1  No byte outside of the text is read: external entities are empty, external DTDs are refused, and the network is shut off.
 *   X2  node->_private of an element or attribute is its name with the prefix, in the document's dictionary; NULL: it has no prefix.
 *   X3  Text is one node up to the next element, comment or instruction. Where CDATA has a part in it, _private is the bytes of its first
 * part, plus 1: Java's DOM shows that part as the node's value.
 */
#include "duck/xml_document.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "duck/xml_library.h"

struct XmlReader {
    xmlParserCtxt *parser;
    xmlDoc *document;
    entityDeclSAXFunc declare;
    getEntitySAXFunc find;
    bool misplaced; /* an external entity in the value of an attribute, where it is an error */
};

static const xmlChar elsewhere[] =
    "elsewhere"; /* in place of the public identifier, which nobody reads: marks entities that were external */

/* X1: what is elsewhere is declared as nothing. */
static void declare_entity(void *context, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id,
                           xmlChar *content)
{
    const XmlReader *reader = ((xmlParserCtxt *)context)->_private;
    bool outside = type == XML_EXTERNAL_GENERAL_PARSED_ENTITY || type == XML_EXTERNAL_PARAMETER_ENTITY;
    xmlChar nothing[1] = "";

    if (outside)
        reader->declare(context, name,
                        type == XML_EXTERNAL_GENERAL_PARSED_ENTITY ? XML_INTERNAL_GENERAL_ENTITY : XML_INTERNAL_PARAMETER_ENTITY, elsewhere,
                        NULL, nothing);
    else
        reader->declare(context, name, type, public_id, system_id, content);
}

static xmlEntity *find_entity(void *context, const xmlChar *name)
{
    const xmlParserCtxt *parser = context;
    XmlReader *reader = parser->_private;
    xmlEntity *entity = reader->find(context, name);

    if (entity && entity->etype == XML_INTERNAL_GENERAL_ENTITY && entity->ExternalID && parser->instate == XML_PARSER_ATTRIBUTE_VALUE)
        reader->misplaced = true;
    return entity;
}

XmlReader *xml_reader_new(SiltErr *err)
{
    if (xml_library_load(err) < 0)
        return NULL;
    XmlReader *reader = silt_alloc(sizeof *reader);

    *reader = (XmlReader){.parser = xml.NewParserCtxt()};
    silt_assert(reader->parser);
    reader->parser->_private = reader;
    reader->declare = reader->parser->sax->entityDecl;
    reader->find = reader->parser->sax->getEntity;
    reader->parser->sax->entityDecl = declare_entity;
    reader->parser->sax->getEntity = find_entity;
    reader->parser->sax->externalSubset = NULL;
    return reader;
}

static void drop(XmlReader *reader)
{
    if (reader->document)
        xml.FreeDoc(reader->document);
    reader->document = NULL;
}

void xml_reader_free(XmlReader *reader)
{
    if (!reader)
        return;
    drop(reader);
    xml.FreeParserCtxt(reader->parser);
    free(reader);
}

void xml_reader_freep(XmlReader **reader)
{
    xml_reader_free(*reader);
}

/* A name without its prefix, and X2. */
static void strip_prefix(xmlDict *names, const xmlChar **name, xmlNs **ns, void **whole)
{
    const char *local = (const char *)*name, *prefix = *ns ? (const char *)(*ns)->prefix : NULL;
    const char *colon = prefix ? NULL : strchr(local, ':');

    *ns = NULL;
    if (prefix) {
        silt_auto(str_buf_fini) StrBuf buf = {0};

        str_buf_printf(&buf, "%s:%s", prefix, local);
        *whole = (void *)xml.DictLookup(names, (const xmlChar *)str_buf_text(&buf), (int)buf.size);
        const char *all = *whole;
        *name = xml.DictLookup(names, (const xmlChar *)strchr(all, ':') + 1, -1);
    } else if (colon) {
        *whole = (void *)*name;
        *name = xml.DictLookup(names, (const xmlChar *)colon + 1, -1);
    }
}

static const char *whole_name(const xmlAttr *attribute)
{
    return attribute->_private ? attribute->_private : (const char *)attribute->name;
}

/* By insertion: attributes are few, and mostly few of them are out of order. */
static void sort_attributes(xmlNode *element)
{
    xmlAttr *sorted = NULL, *last = NULL, *next;

    for (xmlAttr *each = element->properties; each; each = next) {
        xmlAttr *before = last; /* behind which it goes */

        next = each->next;
        while (before && strcmp(whole_name(before), whole_name(each)) > 0)
            before = before->prev;
        each->prev = before;
        each->next = before ? before->next : sorted;
        if (each->next)
            each->next->prev = each;
        else
            last = each;
        if (before)
            before->next = each;
        else
            sorted = each;
    }
    element->properties = sorted;
}

static bool is_text(const xmlNode *node)
{
    return node && (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE);
}

/* X3 */
static void join_text(xmlNode *first)
{
    bool mixed = first->type == XML_CDATA_SECTION_NODE;
    size_t size = first->content ? strlen((const char *)first->content) : 0;

    first->_private = NULL;
    while (is_text(first->next)) {
        xmlNode *next = first->next;

        if ((mixed || next->type == XML_CDATA_SECTION_NODE) && !first->_private)
            first->_private = (void *)(size + 1);
        mixed = mixed || next->type == XML_CDATA_SECTION_NODE;
        if (next->content)
            xml.NodeAddContentLen(first, next->content, (int)strlen((const char *)next->content));
        xml.UnlinkNode(next);
        xml.FreeNode(next);
        if (!first->_private)
            size = strlen((const char *)first->content);
    }
}

static void as_java_sees_it(xmlDoc *document)
{
    xmlNode *node = document->children;

    while (node) {
        if (node->type == XML_ELEMENT_NODE) {
            strip_prefix(document->dict, &node->name, &node->ns, &node->_private);
            for (xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
                strip_prefix(document->dict, &attribute->name, &attribute->ns, &attribute->_private);
            sort_attributes(node);
        } else if (is_text(node)) {
            join_text(node);
        }
        if (node->type == XML_ELEMENT_NODE && node->children) {
            node = node->children;
            continue;
        }
        while (node && !node->next)
            node = node->parent && node->parent->type == XML_ELEMENT_NODE ? node->parent : NULL;
        node = node ? node->next : NULL;
    }
}

static int fail_at(const xmlParserCtxt *parser, SiltErr *err)
{
    const char *message = parser->lastError.message ? parser->lastError.message : "it is not well-formed";
    size_t size = strcspn(message, "\n");

    return silt_fail(err, SILT_INPUT, "line %d: %.*s", parser->lastError.line ? parser->lastError.line : 1, (int)(size < 200 ? size : 200),
                     message);
}

int xml_reader_read(XmlReader *reader, Str text, SiltErr *err)
{
    enum {
        OPTIONS = XML_PARSE_NOENT | XML_PARSE_DTDATTR | XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_IGNORE_ENC
    };

    drop(reader);
    reader->misplaced = false;
    if (text.size > INT32_MAX || memchr(text.ptr, 0, text.size))
        return silt_fail(err, SILT_INPUT, "a text with NUL in it, or of more than 2 GiB, is no XML");
    reader->document = xml.CtxtReadMemory(reader->parser, text.ptr, (int)text.size, NULL, "UTF-8", OPTIONS);
    if (!reader->document || !reader->parser->wellFormed)
        return fail_at(reader->parser, err);
    if (reader->misplaced)
        return silt_fail(err, SILT_INPUT, "an external entity stands in the value of an attribute");
    if (reader->document->intSubset && (reader->document->intSubset->SystemID || reader->document->intSubset->ExternalID))
        return silt_fail(err, SILT_INPUT, "the document type is declared elsewhere, and nothing outside of the text is read");
    silt_assert(reader->document->dict);
    as_java_sees_it(reader->document);
    return 0;
}

void *xml_reader_document(const XmlReader *reader)
{
    return reader->document;
}
