#pragma once
/*
 * duck/xml_library.h - libxml2's functions, loaded with the first statement that reads XML
 *
 * Only xml_document.c, xml_events.c and xml_path.c see them. The library's own input layer is never asked: texts come from memory, and no document can
 * name another one.
 */
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

#include "base/err.h"

#define XML_FUNCTIONS(X)                                                                                                                   \
    X(InitParser)                                                                                                                          \
    X(NewParserCtxt)                                                                                                                       \
    X(FreeParserCtxt)                                                                                                                      \
    X(CtxtReadMemory)                                                                                                                      \
    X(FreeDoc)                                                                                                                             \
    X(UnlinkNode)                                                                                                                          \
    X(FreeNode)                                                                                                                            \
    X(NodeAddContentLen)                                                                                                                   \
    X(DictLookup)                                                                                                                          \
    X(StopParser)                                                                                                                          \
    X(XPathNewContext)                                                                                                                     \
    X(XPathFreeContext)                                                                                                                    \
    X(XPathRegisterNs)                                                                                                                     \
    X(XPathCtxtCompile)                                                                                                                    \
    X(XPathFreeCompExpr)                                                                                                                   \
    X(XPathCompiledEval)                                                                                                                   \
    X(XPathFreeObject)                                                                                                                     \
    X(XPathCastToString)                                                                                                                   \
    X(XPathCastToNumber)                                                                                                                   \
    X(XPathCastToBoolean)                                                                                                                  \
    X(XPathCastNodeToString)                                                                                                               \
    X(XPathNodeSetSort)                                                                                                                    \
    X(XPathNewFloat)                                                                                                                       \
    X(XPathNewCString)                                                                                                                     \
    X(XPathNewNodeSet)                                                                                                                     \
    X(XPathErr)                                                                                                                            \
    X(XPathStringFunction)                                                                                                                 \
    X(XPathConcatFunction)                                                                                                                 \
    X(XPathContainsFunction)                                                                                                               \
    X(XPathStartsWithFunction)                                                                                                             \
    X(XPathSubstringBeforeFunction)                                                                                                        \
    X(XPathSubstringAfterFunction)                                                                                                         \
    X(XPathNormalizeFunction)                                                                                                              \
    X(XPathTranslateFunction)                                                                                                              \
    X(XPathPositionFunction)                                                                                                               \
    X(XPathLastFunction)

typedef struct XmlLibrary {
#define XML_MEMBER(name) __typeof__(xml##name) *name;
    XML_FUNCTIONS(XML_MEMBER)
#undef XML_MEMBER
    xmlXPathObjectPtr (*value_pop)(xmlXPathParserContextPtr);
    int (*value_push)(xmlXPathParserContextPtr, xmlXPathObjectPtr);
    xmlFreeFunc *free; /* where the library keeps its own */
} XmlLibrary;

extern XmlLibrary xml;

/* Load it, once for the process. CONFIG: it is not there. */
int xml_library_load(SiltErr *err);
