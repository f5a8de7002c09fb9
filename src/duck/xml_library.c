/* duck/xml_library.c - see xml_library.h */
#include "duck/xml_library.h"

#include <pthread.h>

#include "base/library.h"

XmlLibrary xml;

#define XML_WANTED(name) {"xml" #name, (void **)&xml.name},
static const LibraryFunction wanted[] = {
    XML_FUNCTIONS(XML_WANTED){"valuePop", (void **)&xml.value_pop},
    {"valuePush", (void **)&xml.value_push},
    {"xmlFree", (void **)&xml.free},
};
#undef XML_WANTED

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char why[LIBRARY_WHY_SIZE]; /* it could not be loaded; "" */

static void load(void)
{
    static const char *const names[] = {"libxml2.so.2", NULL};

    library_load(names, wanted, sizeof wanted / sizeof *wanted, why);
    if (!*why)
        xml.InitParser(); /* what threads share is made before there are several */
}

int xml_library_load(SiltErr *err)
{
    pthread_once(&once, load);
    if (!*why)
        return 0;
    silt_fail(err, SILT_CONFIG, "libxml2, which reads XML, cannot be loaded: %s", why);
    return silt_hint(err, "Install it: apt install libxml2.");
}
