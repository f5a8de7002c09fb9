/* source/kafka_library.c - see kafka_library.h */
#include "source/kafka_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

KafkaLibrary rdk;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char why[256]; /* it could not be loaded; "" */

static void load(void)
{
    void *library = dlopen("librdkafka.so.1", RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        snprintf(why, sizeof why, "%s", dlerror());
        return;
    }
#define KAFKA_LOAD(name)                                                                 \
    rdk.name = (__typeof__(rdk.name))dlsym(library, "rd_kafka_" #name);              \
    if (!rdk.name)                                                                     \
        snprintf(why, sizeof why, "it is too old: it has no function rd_kafka_" #name);
    KAFKA_FUNCTIONS(KAFKA_LOAD)
#undef KAFKA_LOAD
}

int kafka_library_load(SiltErr *err)
{
    pthread_once(&once, load);
    if (!*why)
        return 0;
    silt_fail(err, SILT_CONFIG, "librdkafka, which reads Kafka, cannot be loaded: %s", why);
    return silt_hint(err, "Install it, version 2.0.2 or newer: apt install librdkafka1.");
}
