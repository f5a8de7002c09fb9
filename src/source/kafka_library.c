/* source/kafka_library.c - see kafka_library.h */
#include "source/kafka_library.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/library.h"

KafkaLibrary rdk;

#define KAFKA_WANTED(name) {"rd_kafka_" #name, (void **)&rdk.name},
static const LibraryFunction wanted[] = {KAFKA_FUNCTIONS(KAFKA_WANTED)};
static const LibraryFunction newer[] = {KAFKA_NEWER_FUNCTIONS(KAFKA_WANTED)};
#undef KAFKA_WANTED

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char why[LIBRARY_WHY_SIZE]; /* it could not be loaded; "" */

/* Another library than ours: it may know Kerberos. NULL or "": none is named. */
static const char *other(void)
{
    return secure_getenv("SILT_LIBRDKAFKA");
}

static void load(void)
{
    char *own = library_own("librdkafka_silt.so");
    const char *const names[] = {other() && *other() ? other() : own, NULL}; /* no other in its place: it would be older, or know other settings */
    char ignored[LIBRARY_WHY_SIZE];

    library_load(names, wanted, sizeof wanted / sizeof *wanted, why);
    library_load(names, newer, sizeof newer / sizeof *newer, ignored);
    free(own);
}

int kafka_library_load(SiltErr *err)
{
    pthread_once(&once, load);
    if (!*why)
        return 0;
    silt_fail(err, SILT_CONFIG, "librdkafka, which reads Kafka, cannot be loaded: %s", why);
    if (other() && *other())
        return silt_hint(err, "SILT_LIBRDKAFKA names it: a path, or a name that the system finds. Without it Silt takes the one it brings along.");
    return silt_hint(err, "It comes with Silt and is installed where libsilt.so is; the program looks there and beside itself.");
}
