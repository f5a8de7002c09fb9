/*
 * duck/xml_path.c - see xml_path.h
 *
 * What libxml2 does otherwise than Java is put right at its edges: functions that take texts get numbers as texts of Java, and those that
 * count characters are ours. Left are numbers that an operator takes from texts, which libxml2 reads: there an exponent counts (Java: NaN),
 * and the last bit may differ.
 */
#include "duck/xml_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "duck/parse.h"
#include "duck/print.h"
#include "duck/xml_document.h"
#include "duck/xml_library.h"

struct XmlPath {
    XmlReader *reader;
    xmlXPathContext *context;
    xmlXPathCompExpr *compiled;
    xmlXPathObject *value; /* the last one */
    char why[200];         /* what failed first; "" */
};

/* ---- numbers and texts, as in Java ---- */

/* The shortest digits that read back, never with an exponent. */
static void put_number(StrBuf *out, double value)
{
    silt_auto(str_buf_fini) StrBuf java = {0};

    print_double(&java, value);
    const char *text = str_buf_text(&java), *e = strchr(text, 'E');

    if (!isfinite(value) || !e) {
        size_t size = java.size;

        if (isfinite(value) && size > 2 && !strcmp(text + size - 2, ".0"))
            size -= 2;
        str_buf_add(out, text, size == 2 && !memcmp(text, "-0", 2) ? 0 : size);
        if (size == 2 && !memcmp(text, "-0", 2))
            str_buf_putc(out, '0');
        return;
    }
    int exponent = atoi(e + 1);

    if (*text == '-')
        str_buf_putc(out, *text++);
    size_t digits = (size_t)(e - text) - 2; /* behind the point */

    if (digits == 1 && text[2] == '0')
        digits = 0;
    if (exponent < 0) {
        str_buf_puts(out, "0.");
        for (int i = -1; i > exponent; i--)
            str_buf_putc(out, '0');
        str_buf_putc(out, text[0]);
        str_buf_add(out, text + 2, digits);
        return;
    }
    str_buf_putc(out, text[0]);
    for (size_t i = 0; i < digits || i < (size_t)exponent; i++) {
        if (i == (size_t)exponent)
            str_buf_putc(out, '.');
        str_buf_putc(out, i < digits ? text[2 + i] : '0');
    }
}

/* Digits, signs and points; whatever else there is makes it NaN. */
static double number_of(const xmlChar *chars)
{
    Str text = str_of((const char *)chars);
    double value;

    while (text.size && (unsigned char)text.ptr[0] <= ' ')
        text = (Str){text.ptr + 1, text.size - 1};
    while (text.size && (unsigned char)text.ptr[text.size - 1] <= ' ')
        text.size--;
    for (size_t i = 0; i < text.size; i++)
        if (text.ptr[i] != '-' && text.ptr[i] != '.' && !(text.ptr[i] >= '0' && text.ptr[i] <= '9'))
            return (double)NAN;
    return parse_double(text, &value) ? value : (double)NAN;
}

static double number_of_node(xmlNode *node)
{
    xmlChar *text = xml.XPathCastNodeToString(node);
    double value = number_of(text);

    (*xml.free)(text);
    return value;
}

/* The first node of the document's order; NULL: there is none. */
static xmlNode *first_node(xmlXPathObject *value)
{
    if (!value->nodesetval || !value->nodesetval->nodeNr)
        return NULL;
    xml.XPathNodeSetSort(value->nodesetval);
    return value->nodesetval->nodeTab[0];
}

static double number_of_value(xmlXPathObject *value)
{
    if (value->type == XPATH_STRING)
        return number_of(value->stringval);
    if (value->type != XPATH_NODESET && value->type != XPATH_XSLT_TREE)
        return xml.XPathCastToNumber(value);
    xmlNode *node = first_node(value);

    return node ? number_of_node(node) : (double)NAN;
}

static void put_text(StrBuf *out, xmlXPathObject *value)
{
    if (value->type == XPATH_NUMBER) {
        put_number(out, value->floatval);
        return;
    }
    xmlChar *text = xml.XPathCastToString(value);

    str_buf_puts(out, (const char *)text);
    (*xml.free)(text);
}

/* ---- functions ---- */

/* Numbers among the arguments become texts of Java, so that libxml2 does not make its own. */
static void spell_numbers(xmlXPathParserContext *p, int count)
{
    for (int i = p->valueNr - count; i < p->valueNr; i++)
        if (i >= 0 && p->valueTab[i]->type == XPATH_NUMBER) {
            silt_auto(str_buf_fini) StrBuf text = {0};

            put_number(&text, p->valueTab[i]->floatval);
            xml.XPathFreeObject(p->valueTab[i]);
            p->valueTab[i] = xml.XPathNewCString(str_buf_text(&text));
        }
    p->value = p->valueNr > 0 ? p->valueTab[p->valueNr - 1] : NULL;
}

#define SPELLED(function)                                                                                                                  \
    static void spelled_##function(xmlXPathParserContext *p, int count)                                                                    \
    {                                                                                                                                      \
        spell_numbers(p, count);                                                                                                           \
        xml.XPath##function##Function(p, count);                                                                                           \
    }
SPELLED(String)
SPELLED(Concat)
SPELLED(Contains)
SPELLED(StartsWith)
SPELLED(SubstringBefore)
SPELLED(SubstringAfter)
SPELLED(Normalize)
SPELLED(Translate)
#undef SPELLED

static void refuse(xmlXPathParserContext *p, int code, const char *why)
{
    XmlPath *path = p->context->userData;

    if (!*path->why)
        snprintf(path->why, sizeof path->why, "%s", why);
    xml.XPathErr(p, code);
}

/* The only argument, or the context node; NULL with an error: another number of arguments. */
static xmlXPathObject *one_argument(xmlXPathParserContext *p, int count)
{
    if (count == 0)
        return xml.XPathNewNodeSet(p->context->node);
    if (count != 1) {
        refuse(p, XPATH_INVALID_ARITY, "a function has a wrong number of arguments");
        return NULL;
    }
    return xml.value_pop(p);
}

static void number_function(xmlXPathParserContext *p, int count)
{
    xmlXPathObject *value = one_argument(p, count);

    if (!value)
        return;
    xml.value_push(p, xml.XPathNewFloat(number_of_value(value)));
    xml.XPathFreeObject(value);
}

static void sum_function(xmlXPathParserContext *p, int count)
{
    double sum = 0;

    if (count != 1 || !p->value || p->value->type != XPATH_NODESET) {
        refuse(p, XPATH_INVALID_TYPE, "sum() takes nodes");
        return;
    }
    xmlXPathObject *value = xml.value_pop(p);

    first_node(value); /* the order of the document is that of the sum */
    for (int i = 0; value->nodesetval && i < value->nodesetval->nodeNr; i++)
        sum += number_of_node(value->nodesetval->nodeTab[i]);
    xml.XPathFreeObject(value);
    xml.value_push(p, xml.XPathNewFloat(sum));
}

/* UTF-16 units of a text in UTF-8. */
static int64_t units_of(Str text)
{
    int64_t units = 0;

    for (size_t i = 0; i < text.size; i++)
        units += ((unsigned char)text.ptr[i] & 0xC0) != 0x80 ? 1 + ((unsigned char)text.ptr[i] >= 0xF0) : 0;
    return units;
}

static void length_function(xmlXPathParserContext *p, int count)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    xmlXPathObject *value = one_argument(p, count);

    if (!value)
        return;
    put_text(&text, value);
    xml.XPathFreeObject(value);
    xml.value_push(p, xml.XPathNewFloat((double)units_of(str_buf_view(&text))));
}

/* Units first..until-1; half a character is a question mark, as Java writes it. */
static void put_units(StrBuf *out, Str text, int64_t first, int64_t until)
{
    int64_t unit = 0;

    for (size_t i = 0; i < text.size && unit < until;) {
        unsigned char head = (unsigned char)text.ptr[i];
        size_t size = head < 0x80 ? 1 : head < 0xE0 ? 2 : head < 0xF0 ? 3 : 4;
        int64_t units = size == 4 ? 2 : 1, from = unit > first ? unit : first, to = unit + units < until ? unit + units : until;

        if (to - from == units)
            str_buf_add(out, text.ptr + i, size);
        else if (to > from)
            str_buf_putc(out, '?');
        unit += units;
        i += size;
    }
}

/* Math.round and the cast to int behind it */
static double java_round(double value)
{
    double rounded = isnan(value) ? 0 : floor(value + 0.5);

    return rounded > 0x1p63 ? 0x1p63 : rounded < -0x1p63 ? -0x1p63 : rounded;
}

static int64_t java_int(double value)
{
    return value >= INT32_MAX ? INT32_MAX : value <= INT32_MIN ? INT32_MIN : (int64_t)value;
}

static void substring_function(xmlXPathParserContext *p, int count)
{
    silt_auto(str_buf_fini) StrBuf text = {0}, part = {0};

    if (count != 2 && count != 3) {
        refuse(p, XPATH_INVALID_ARITY, "substring() takes two or three arguments");
        return;
    }
    xmlXPathObject *size = count == 3 ? xml.value_pop(p) : NULL, *start = xml.value_pop(p), *value = xml.value_pop(p);
    double from = number_of_value(start), length = size ? number_of_value(size) : 0;

    put_text(&text, value);
    xml.XPathFreeObject(value);
    xml.XPathFreeObject(start);
    if (size)
        xml.XPathFreeObject(size);
    int64_t units = units_of(str_buf_view(&text)), first, until = units;

    from = isnan(from) ? -1000000 : java_round(from);
    first = from > 0 ? java_int(from) - 1 : 0;
    first = first > units ? units : first;
    if (count == 3) {
        until = java_int(java_round(length) + from) - 1;
        until = until < 0 ? 0 : until > units ? units : until;
    }
    if (units && until < first) {
        refuse(p, XPATH_INVALID_OPERAND, "substring() ends before it begins");
        return;
    }
    put_units(&part, str_buf_view(&text), first, until);
    xml.value_push(p, xml.XPathNewCString(str_buf_text(&part)));
}

static const char *prefixed_name(const xmlNode *node)
{
    bool named = node->type == XML_ELEMENT_NODE || node->type == XML_ATTRIBUTE_NODE;

    if (named && node->_private)
        return node->_private;
    return named || node->type == XML_PI_NODE ? (const char *)node->name : "";
}

static void name_function(xmlXPathParserContext *p, int count)
{
    xmlXPathObject *value = one_argument(p, count);

    if (!value)
        return;
    const xmlNode *node = value->type == XPATH_NODESET ? first_node(value) : NULL;

    if (value->type != XPATH_NODESET)
        refuse(p, XPATH_INVALID_TYPE, "name() takes nodes");
    else
        xml.value_push(p, xml.XPathNewCString(node ? prefixed_name(node) : ""));
    xml.XPathFreeObject(value);
}

/* Outside of a step Java counts from nothing. */
static void position_function(xmlXPathParserContext *p, int count)
{
    if (count == 0 && p->context->proximityPosition < 0)
        xml.value_push(p, xml.XPathNewFloat(-1));
    else
        xml.XPathPositionFunction(p, count);
}

static void last_function(xmlXPathParserContext *p, int count)
{
    if (count == 0 && p->context->contextSize < 0)
        xml.value_push(p, xml.XPathNewFloat(0));
    else
        xml.XPathLastFunction(p, count);
}

/* Java's extension: what the evaluation began with, which is the document. */
static void current_function(xmlXPathParserContext *p, int count)
{
    if (count)
        refuse(p, XPATH_INVALID_ARITY, "current() takes no arguments");
    else
        xml.value_push(p, xml.XPathNewNodeSet((xmlNode *)p->context->doc));
}

static void unknown_function(xmlXPathParserContext *p, int count)
{
    (void)count;
    refuse(p, XPATH_UNKNOWN_FUNC_ERROR, "there is no such function");
}

/* Those of XPath 1.0, and Java's own; NULL: libxml2's does as Java's. */
static const struct {
    const char *name;
    xmlXPathFunction function;
} functions[] = {
    {"string", spelled_String},
    {"concat", spelled_Concat},
    {"contains", spelled_Contains},
    {"starts-with", spelled_StartsWith},
    {"substring-before", spelled_SubstringBefore},
    {"substring-after", spelled_SubstringAfter},
    {"normalize-space", spelled_Normalize},
    {"translate", spelled_Translate},
    {"number", number_function},
    {"sum", sum_function},
    {"string-length", length_function},
    {"substring", substring_function},
    {"name", name_function},
    {"position", position_function},
    {"last", last_function},
    {"current", current_function},
    {"boolean", NULL},
    {"ceiling", NULL},
    {"count", NULL},
    {"false", NULL},
    {"floor", NULL},
    {"id", NULL},
    {"lang", NULL},
    {"local-name", NULL},
    {"namespace-uri", NULL},
    {"not", NULL},
    {"round", NULL},
    {"true", NULL},
};

/* Asked before libxml2 looks among its own, and writes to the standard error what it does not find there. */
static xmlXPathFunction find_function(void *self, const xmlChar *name, const xmlChar *uri)
{
    (void)self;
    for (size_t i = 0; i < sizeof functions / sizeof *functions && !uri; i++)
        if (!strcmp((const char *)name, functions[i].name))
            return functions[i].function;
    return unknown_function;
}

/* ---- the expression ---- */

static bool is_name_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.' ||
           (unsigned char)c >= 0x80;
}

enum { DIGITS_MAX = 15 }; /* of a number that libxml2 reads exactly */

/* What libxml2 would take otherwise than Java: long numbers, exponents, the namespace axis, prefixes, which match nothing. */
static int look_at(XmlPath *path, Str text, SiltErr *err)
{
    for (size_t i = 0; i < text.size;) {
        char c = text.ptr[i];
        size_t from = i;

        if (c == '"' || c == '\'') {
            const char *end = memchr(text.ptr + i + 1, c, text.size - i - 1);

            i = end ? (size_t)(end - text.ptr) + 1 : text.size;
        } else if ((c >= '0' && c <= '9') || (c == '.' && i + 1 < text.size && text.ptr[i + 1] >= '0' && text.ptr[i + 1] <= '9')) {
            int digits = 0;

            for (; i < text.size && (text.ptr[i] == '.' || (text.ptr[i] >= '0' && text.ptr[i] <= '9')); i++)
                digits += text.ptr[i] != '.';
            if (digits > DIGITS_MAX)
                return silt_fail(err, SILT_INPUT, "a number of more than %d digits is not taken", DIGITS_MAX);
            if (i < text.size && (text.ptr[i] | 0x20) == 'e')
                return silt_fail(err, SILT_INPUT, "a number has no exponent in XPath");
        } else if (is_name_byte(c)) {
            while (i < text.size && is_name_byte(text.ptr[i]))
                i++;
            Str name = {text.ptr + from, i - from};
            size_t next = i;

            while (next < text.size && strchr(" \t\r\n", text.ptr[next]))
                next++;
            bool axis = next + 1 < text.size && text.ptr[next] == ':' && text.ptr[next + 1] == ':';

            if (axis && str_is(name, "namespace"))
                return silt_fail(err, SILT_INPUT, "the namespace axis is not followed");
            if (!axis && i < text.size && text.ptr[i] == ':') {
                silt_auto(str_buf_fini) StrBuf prefix = {0};

                str_buf_str(&prefix, name);
                xml.XPathRegisterNs(path->context, (const xmlChar *)str_buf_text(&prefix), (const xmlChar *)"urn:no-namespace-is-known");
                i++;
            }
        } else {
            i++;
        }
    }
    return 0;
}

static void note(void *self, xmlError *error)
{
    XmlPath *path = self;
    const char *message = error->message ? error->message : "";

    if (!*path->why)
        snprintf(path->why, sizeof path->why, "%.*s", (int)strcspn(message, "\n"), message);
}

static const char *reason(const XmlPath *path)
{
    return *path->why ? path->why : "it is no XPath";
}

int xml_path_new(Str expression, XmlPath **out, SiltErr *err)
{
    XmlReader *reader = xml_reader_new(err);
    silt_auto(str_buf_fini) StrBuf text = {0};

    if (!reader)
        return -1;
    silt_auto(xml_path_freep) XmlPath *path = silt_alloc(sizeof *path);

    *path = (XmlPath){.reader = reader, .context = xml.XPathNewContext(NULL)};
    silt_assert(path->context);
    path->context->error = note;
    path->context->userData = path;
    path->context->opLimit = 1000000000;
    path->context->funcLookupFunc = find_function;
    SILT_TRY(look_at(path, expression, err));
    str_buf_str(&text, expression);
    path->compiled =
        memchr(expression.ptr, 0, expression.size) ? NULL : xml.XPathCtxtCompile(path->context, (const xmlChar *)str_buf_text(&text));
    if (!path->compiled)
        return silt_fail(err, SILT_INPUT, "%s", reason(path));
    *out = path;
    path = NULL; /* handed over */
    return 0;
}

static void drop_value(XmlPath *path)
{
    if (path->value)
        xml.XPathFreeObject(path->value);
    path->value = NULL;
}

void xml_path_free(XmlPath *path)
{
    if (!path)
        return;
    drop_value(path);
    if (path->compiled)
        xml.XPathFreeCompExpr(path->compiled);
    if (path->context)
        xml.XPathFreeContext(path->context);
    xml_reader_free(path->reader);
    free(path);
}

void xml_path_freep(XmlPath **path)
{
    xml_path_free(*path);
}

static int evaluate(XmlPath *path, Str text, SiltErr *err)
{
    drop_value(path);
    if (xml_reader_read(path->reader, text, err) < 0) {
        SiltErr inner = *err;

        return silt_fail(err, SILT_INPUT, "this is no XML: %s", inner.message);
    }
    path->why[0] = 0;
    path->context->doc = xml_reader_document(path->reader);
    path->context->node = (xmlNode *)path->context->doc;
    path->context->opCount = 0;
    path->context->proximityPosition = path->context->contextSize = -1;
    path->value = xml.XPathCompiledEval(path->compiled, path->context);
    if (*path->why || !path->value)
        return silt_fail(err, SILT_INPUT, "the XPath has no value here: %s", reason(path));
    return 0;
}

int xml_path_boolean(XmlPath *path, Str text, bool *out, SiltErr *err)
{
    SILT_TRY(evaluate(path, text, err));
    *out = xml.XPathCastToBoolean(path->value) != 0;
    return 0;
}

int xml_path_number(XmlPath *path, Str text, double *out, SiltErr *err)
{
    SILT_TRY(evaluate(path, text, err));
    *out = number_of_value(path->value);
    return 0;
}

int xml_path_string(XmlPath *path, Str text, StrBuf *out, SiltErr *err)
{
    SILT_TRY(evaluate(path, text, err));
    put_text(out, path->value);
    return 0;
}

int xml_path_nodes(XmlPath *path, Str text, int *count, SiltErr *err)
{
    SILT_TRY(evaluate(path, text, err));
    if (path->value->type != XPATH_NODESET)
        return silt_fail(err, SILT_INPUT, "the value of the XPath is no set of nodes");
    first_node(path->value);
    *count = path->value->nodesetval ? path->value->nodesetval->nodeNr : 0;
    return 0;
}

bool xml_path_node(const XmlPath *path, int index, Str *value)
{
    const xmlNode *node = path->value->nodesetval->nodeTab[index];

    switch ((int)node->type) {
    case XML_ATTRIBUTE_NODE: /* its value is one text: references are resolved */
        *value = str_of(node->children && node->children->content ? (const char *)node->children->content : "");
        return true;
    case XML_TEXT_NODE:
    case XML_CDATA_SECTION_NODE:
    case XML_COMMENT_NODE:
    case XML_PI_NODE:
        *value = str_of(node->content ? (const char *)node->content : "");
        if ((node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) && node->_private)
            value->size = (size_t)node->_private - 1; /* X3 */
        return true;
    default:
        return false;
    }
}
