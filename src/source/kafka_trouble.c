/* source/kafka_trouble.c - see kafka_trouble.h */
#include "source/kafka_trouble.h"

#include "base/clock.h"
#include "source/kafka_library.h"

#include <stdio.h>
#include <string.h>

enum { LOG_WARNING = 4, FRESH_MS = 120 * 1000 }; /* levels of syslog */

/* Called by librdkafka's threads. */
static void on_log(const rd_kafka_t *handle, int level, const char *facility, const char *text)
{
    KafkaTrouble *trouble = rdk.opaque(handle);

    (void)facility;
    if (level > LOG_WARNING || !trouble || strstr(text, " brokers are down")) /* as often as a question is asked, and no reason */
        return;
    const char *words = !strncmp(text, "[thrd:", 6) ? strstr(text, "]: ") : NULL;
    kafka_trouble_note(trouble, words ? words + 3 : text);
}

void kafka_trouble_follow(KafkaTrouble *trouble, rd_kafka_conf_t *conf)
{
    rdk.conf_set_log_cb(conf, on_log);
    rdk.conf_set_opaque(conf, trouble);
}

void kafka_trouble_note(KafkaTrouble *trouble, const char *text)
{
    pthread_mutex_lock(&trouble->lock);
    snprintf(trouble->text, sizeof trouble->text, "%s", text);
    trouble->ms = clock_ms();
    pthread_mutex_unlock(&trouble->lock);
}

void kafka_trouble_tell(KafkaTrouble *trouble, char out[KAFKA_TROUBLE_SIZE + 2])
{
    *out = 0;
    pthread_mutex_lock(&trouble->lock);
    if (*trouble->text && clock_ms() - trouble->ms < FRESH_MS)
        snprintf(out, KAFKA_TROUBLE_SIZE + 2, ": %s", trouble->text);
    pthread_mutex_unlock(&trouble->lock);
}
