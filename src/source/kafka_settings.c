/*
 * source/kafka_settings.c - settings of Kafka's Java client, as Spark's options have them, as those of librdkafka
 *
 * Most names are the same. The tables say which are not, which are without effect here, and which are refused (those that would change what a
 * record is, or who keeps the offsets: the same ones that Spark refuses).
 */
#include "source/kafka_settings.h"

#include "source/kafka_library.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Translation {
    const char *java, *here; /* here NULL: without effect, librdkafka does it otherwise */
} Translation;

static const Translation translations[] = {
    {"fetch.max.wait.ms", "fetch.wait.max.ms"},
    {"max.partition.fetch.bytes", "fetch.message.max.bytes"},
    {"request.timeout.ms", "socket.timeout.ms"},
    {"receive.buffer.bytes", "socket.receive.buffer.bytes"},
    {"send.buffer.bytes", "socket.send.buffer.bytes"},
    {"sasl.mechanism", "sasl.mechanisms"},
    {"ssl.truststore.certificates", "ssl.ca.pem"},
    {"ssl.keystore.certificate.chain", "ssl.certificate.pem"},
    {"ssl.keystore.key", "ssl.key.pem"},
    {"ssl.truststore.type", NULL},
    {"ssl.truststore.password", NULL},
    {"ssl.keystore.type", NULL},
    {"ssl.protocol", NULL},
    {"ssl.enabled.protocols", NULL},
    {"sasl.client.callback.handler.class", NULL},
    {"sasl.login.callback.handler.class", NULL},
    {"compression.type", "compression.codec"},
    {"max.request.size", "message.max.bytes"},
    {"buffer.memory", NULL},
    {"max.block.ms", NULL},
    {"max.poll.records", NULL},
    {"default.api.timeout.ms", NULL},
    {"partition.assignment.strategy", NULL},
    {"metric.reporters", NULL},
};

typedef struct Refusal {
    const char *name, *why;
} Refusal;

static const Refusal refusals[] = {
    {"auto.offset.reset", "Where a stream begins is said by startingOffsets; an offset that is gone is never replaced silently."},
    {"key.deserializer", "Keys come as BINARY: CAST(key AS STRING), from_json, ... in the query."},
    {"value.deserializer", "Values come as BINARY: CAST(value AS STRING), from_json, ... in the query."},
    {"enable.auto.commit", "Offsets are kept in the checkpoint and in the table's log, never by a group."},
    {"key.serializer", "Keys go out as the bytes of the column `key`."},
    {"value.serializer", "Values go out as the bytes of the column `value`."},
    {"transactional.id", "Transactions are named by the flow, so that a batch is written once."},
    {"partitioner.class", "It names a Java class, and there is no Java here; a column `partition` says where a record goes."},
    {"interceptor.classes", "It names a Java class, and there is no Java here."},
    {"enable.partition.eof", "The ends of batches are told by it."},
    {"exclude.internal.topics", "A pattern does not find Kafka's own topics; subscribe reads them by name."},
    {"sasl.jaas.config.file", "Give sasl.username and sasl.password."},
};

static void put(Arena *arena, KafkaSettings *settings, const char *name, const char *value, SiltPos pos)
{
    for (int i = 0; i < settings->count; i++)
        if (!strcmp(settings->items[i].name, name)) {
            settings->items[i] = (KafkaSetting){settings->items[i].name, arena_strdup(arena, value), pos};
            return;
        }
    ARENA_PUSH(arena, settings->items, settings->count, settings->capacity, ((KafkaSetting){arena_strdup(arena, name), arena_strdup(arena, value), pos}));
}

static const char *get(const KafkaSettings *settings, const char *name)
{
    for (int i = 0; i < settings->count; i++)
        if (!strcmp(settings->items[i].name, name))
            return settings->items[i].value;
    return NULL;
}

/* What stands before the closing quote; a backslash takes the next character as it is (Java's StreamTokenizer). In arena. */
static const char *unquote(Arena *arena, const char *from, char quote)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    for (; *from && *from != quote; from++) {
        from += *from == '\\' && from[1];
        str_buf_putc(&text, *from);
    }
    return arena_strdup(arena, str_buf_text(&text));
}

/* The value of key="..." or key=... in a JAAS entry, NULL: not there. In arena. */
static const char *jaas_value(Arena *arena, const char *text, const char *key)
{
    size_t size = strlen(key);

    for (const char *at = text; (at = strstr(at, key)); at += size) {
        const char *from = at + size;
        if (at != text && !strchr(" \t\r\n;", at[-1]))
            continue;
        from += strspn(from, " \t");
        if (*from != '=')
            continue;
        from++;
        from += strspn(from, " \t");
        return *from == '"' || *from == '\'' ? unquote(arena, from + 1, *from) : arena_strndup(arena, from, strcspn(from, " ;\t\r\n"));
    }
    return NULL;
}

/* `org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="b";` */
static int take_jaas(Arena *arena, KafkaSettings *settings, const char *value, SiltPos pos, SiltErr *err)
{
    if (strstr(value, "OAuthBearerLoginModule")) {
        static const char *const names[][2] = {{"clientId", "sasl.oauthbearer.client.id"}, {"clientSecret", "sasl.oauthbearer.client.secret"}, {"scope", "sasl.oauthbearer.scope"}};
        put(arena, settings, "sasl.oauthbearer.method", "oidc", pos);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            const char *found = jaas_value(arena, value, names[i][0]);
            if (found)
                put(arena, settings, names[i][1], found, pos);
        }
        return 0;
    }
    const char *user = jaas_value(arena, value, "username"), *password = jaas_value(arena, value, "password");
    if (!user || !password || (!strstr(value, "PlainLoginModule") && !strstr(value, "ScramLoginModule"))) {
        silt_fail_at(err, SILT_CONFIG, pos, "\"sasl.jaas.config\" is understood for PlainLoginModule, ScramLoginModule and OAuthBearerLoginModule");
        return silt_hint(err, "Give `kafka.sasl.username` and `kafka.sasl.password` instead.");
    }
    put(arena, settings, "sasl.username", user, pos);
    put(arena, settings, "sasl.password", password, pos);
    return 0;
}

/* A file of certificates. Java's own format cannot be read; PEM and PKCS12 can. */
static int take_store(Arena *arena, KafkaSettings *settings, const char *name, const char *value, SiltPos pos, SiltErr *err)
{
    bool is_pem = strstr(value, ".pem") || strstr(value, ".crt") || strstr(value, ".cer") || strstr(value, ".key");
    bool is_pkcs12 = strstr(value, ".p12") || strstr(value, ".pfx");

    if (!strcmp(name, "ssl.truststore.location") && is_pem) {
        put(arena, settings, "ssl.ca.location", value, pos);
        return 0;
    }
    if (!strcmp(name, "ssl.keystore.location") && is_pem) {
        put(arena, settings, "ssl.certificate.location", value, pos);
        put(arena, settings, "ssl.key.location", value, pos);
        return 0;
    }
    if (!strcmp(name, "ssl.keystore.location") && is_pkcs12) {
        put(arena, settings, name, value, pos);
        return 0;
    }
    silt_fail_at(err, SILT_CONFIG, pos, "\"%s\" is read as PEM (.pem, .crt)%s, but found \"%s\"", name, !strcmp(name, "ssl.keystore.location") ? " or PKCS12 (.p12, .pfx)" : "",
                 value);
    return silt_hint(err, "A Java key store becomes PKCS12 by keytool -importkeystore -deststoretype PKCS12, and PEM by openssl pkcs12.");
}

int kafka_settings_add(Arena *arena, KafkaSettings *settings, const char *name, const char *value, SiltPos pos, SiltErr *err)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        if (!strcmp(name, refusals[i].name)) {
            silt_fail_at(err, SILT_CONFIG, pos, "\"kafka.%s\" cannot be set", name);
            return silt_hint(err, "%s", refusals[i].why);
        }
    if (!strcmp(name, "sasl.jaas.config"))
        return take_jaas(arena, settings, value, pos, err);
    if (!strcmp(name, "ssl.truststore.location") || !strcmp(name, "ssl.keystore.location"))
        return take_store(arena, settings, name, value, pos, err);
    for (size_t i = 0; i < sizeof translations / sizeof translations[0]; i++)
        if (!strcmp(name, translations[i].java)) {
            if (translations[i].here)
                put(arena, settings, translations[i].here, value, pos);
            return 0;
        }
    put(arena, settings, name, value, pos);
    return 0;
}

static int compare_settings(const void *a, const void *b)
{
    return strcmp(((const KafkaSetting *)a)->name, ((const KafkaSetting *)b)->name);
}

static bool is_secret(const char *name)
{
    return strstr(name, "password") || strstr(name, "secret") || strstr(name, ".pem") || strstr(name, "jaas") || strstr(name, "oauthbearer.config");
}

rd_kafka_conf_t *kafka_settings_conf(const KafkaSettings *settings, SiltErr *err)
{
    rd_kafka_conf_t *conf = rdk.conf_new();
    char text[512];

    for (int i = 0; i < settings->count; i++) {
        const KafkaSetting *setting = &settings->items[i];
        rd_kafka_conf_res_t result = rdk.conf_set(conf, setting->name, setting->value, text, sizeof text);
        if (result == RD_KAFKA_CONF_OK)
            continue;
        rdk.conf_destroy(conf);
        if (result == RD_KAFKA_CONF_UNKNOWN)
            silt_fail_at(err, SILT_CONFIG, setting->pos, "Kafka's client has no setting \"%s\"", setting->name);
        else
            silt_fail_at(err, SILT_CONFIG, setting->pos, "setting \"%s\" of Kafka's client: %s", setting->name, is_secret(setting->name) ? "the value cannot be used" : text);
        return NULL;
    }
    return conf;
}

int kafka_settings_check(const KafkaSettings *settings, SiltErr *err)
{
    SILT_TRY(kafka_library_load(err));
    rd_kafka_conf_t *conf = kafka_settings_conf(settings, err);

    if (!conf)
        return -1;
    rdk.conf_destroy(conf);
    return 0;
}

static int complete(Arena *arena, KafkaSettings *settings, const char *const (*defaults)[2], int count, SiltErr *err)
{
    for (int i = 0; i < count; i++)
        if (!get(settings, defaults[i][0]))
            put(arena, settings, defaults[i][0], defaults[i][1], (SiltPos){0});
    qsort(settings->items, (size_t)settings->count, sizeof *settings->items, compare_settings);
    return kafka_settings_check(settings, err);
}

/* The library may be another one than ours, and older. */
static bool library_knows(const char *name, const char *value)
{
    char text[256];
    rd_kafka_conf_t *conf = rdk.conf_new();
    bool known = rdk.conf_set(conf, name, value, text, sizeof text) == RD_KAFKA_CONF_OK;

    rdk.conf_destroy(conf);
    return known;
}

int kafka_settings_complete(Arena *arena, KafkaSettings *settings, SiltErr *err)
{
    static const char *const defaults[][2] = {
        {"client.id", "silt"},
        {"isolation.level", "read_committed"}, /* what was aborted never happened */
        {"check.crcs", "true"},
        {"socket.keepalive.enable", "true"},
        {"fetch.error.backoff.ms", "100"},
        {"queued.max.messages.kbytes", "16384"}, /* a partition; fetched ahead of the reader */
    };

    SILT_TRY(kafka_library_load(err));
    /* A partition that has fetched enough ahead asks again only after this, 1000 by default: longer than it takes to read what it has. */
    if (!get(settings, "fetch.queue.backoff.ms") && library_knows("fetch.queue.backoff.ms", "10"))
        put(arena, settings, "fetch.queue.backoff.ms", "10", (SiltPos){0});
    put(arena, settings, "enable.partition.eof", "true", (SiltPos){0});
    put(arena, settings, "auto.offset.reset", "error", (SiltPos){0}); /* K3 */
    put(arena, settings, "enable.auto.commit", "false", (SiltPos){0});
    put(arena, settings, "auto.commit.enable", "false", (SiltPos){0});
    return complete(arena, settings, defaults, sizeof defaults / sizeof defaults[0], err);
}

int kafka_settings_complete_producer(Arena *arena, KafkaSettings *settings, const char *transactional_id, SiltErr *err)
{
    static const char *const defaults[][2] = {
        {"client.id", "silt"},
        {"enable.idempotence", "true"},
        {"partitioner", "murmur2_random"}, /* a key goes where the Java client, and so Spark, sends it */
        {"compression.codec", "lz4"},
        {"socket.keepalive.enable", "true"},
        {"topic.metadata.propagation.max.ms", "5000"}, /* how long a topic that the broker does not know may be one that was made just now */
        {"transaction.timeout.ms", "300000"}, /* the rows of a batch lie ready: it is one burst */
    };

    if (transactional_id)
        put(arena, settings, "transactional.id", transactional_id, (SiltPos){0});
    return complete(arena, settings, defaults, sizeof defaults / sizeof defaults[0], err);
}

KafkaSettings kafka_settings_copy(Arena *arena, const KafkaSettings *settings)
{
    KafkaSettings copy = {ARENA_ARRAY(arena, KafkaSetting, settings->count + 1), settings->count, settings->count + 1};

    for (int i = 0; i < settings->count; i++)
        copy.items[i] = (KafkaSetting){arena_strdup(arena, settings->items[i].name), arena_strdup(arena, settings->items[i].value), {0}};
    return copy;
}

void kafka_settings_for_group(Arena *arena, KafkaSettings *settings, const char *group)
{
    int kept = 0;

    for (int i = 0; i < settings->count; i++)
        if (strcmp(settings->items[i].name, "transactional.id") != 0)
            settings->items[kept++] = settings->items[i];
    settings->count = kept;
    put(arena, settings, "group.id", group, (SiltPos){0});
    put(arena, settings, "enable.auto.commit", "false", (SiltPos){0});
    put(arena, settings, "isolation.level", "read_committed", (SiltPos){0}); /* marks of what is committed only */
}
