/* pipeline/open_table.c - tables beside the flows; behind open_table.h */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "pipeline/open_table.h"

enum { REMEMBERED = 16, TEXT_MAX = 256 };

/* Was this text warned of lately? Remembers it. */
static bool said_lately(const char *message)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static char said[REMEMBERED][TEXT_MAX];
    static unsigned next;
    bool found = false;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < REMEMBERED && !found; i++)
        found = !strncmp(said[i], message, TEXT_MAX - 1);
    if (!found)
        snprintf(said[next++ % REMEMBERED], TEXT_MAX, "%s", message);
    pthread_mutex_unlock(&lock);
    return found;
}

static void warn(void *self, const char *message)
{
    if (!said_lately(message))
        LOG(LOG_WARN, "delta.warning", LOG_TEXT("message", message));
}

DeltaEnv open_table_env(Io *io, DuckEngine *engine)
{
    return (DeltaEnv){.io = io, .engine = engine, .warn = warn};
}
