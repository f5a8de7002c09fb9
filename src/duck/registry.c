/* duck/registry.c - see registry.h */
#include "duck/registry.h"

#include "io/http_get.h"

#include <ctype.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>

enum { TIMEOUT_MS = 10 * 1000, REFERENCES_MAX = 1000, DEPTH_MAX = 32 };

/* Schemas that others refer to are written in front of those that do, as fields of a record of this name: names are known behind their definition. */
#define BUNDLE "_silt_references"

struct Registry {
    RegistrySettings settings;
    int number;
    const char *mark;
    Arena *arena;
    pthread_mutex_t lock; /* of what is below; not held while the registry is asked */
    const RegistrySchema **schemas;
    int count, capacity;
    Registry *next;
};

static pthread_mutex_t registries_lock = PTHREAD_MUTEX_INITIALIZER;
static Registry *registries; /* of the process: never freed, as what is parsed is used until its end */

/* ---- registries ---- */

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static bool same_settings(const RegistrySettings *a, const RegistrySettings *b)
{
    return same_text(a->url, b->url) && same_text(a->user_info, b->user_info) && same_text(a->token, b->token) && same_text(a->ca, b->ca) &&
           same_text(a->certificate, b->certificate) && same_text(a->key, b->key);
}

static const char *copy(Arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

/* FNV-1a. */
static const char *hash_text(Arena *arena, const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return arena_printf(arena, "%016llx", (unsigned long long)hash);
}

static Registry *registry_new(const RegistrySettings *s)
{
    Arena *arena = arena_new();
    Registry *registry = ARENA_NEW(arena, Registry);

    *registry = (Registry){.arena = arena};
    registry->settings = (RegistrySettings){copy(arena, s->url), copy(arena, s->user_info), copy(arena, s->token),
                                            copy(arena, s->ca), copy(arena, s->certificate), copy(arena, s->key)};
    registry->mark = hash_text(arena, s->url);
    pthread_mutex_init(&registry->lock, NULL);
    return registry;
}

Registry *registry_open(const RegistrySettings *settings)
{
    pthread_mutex_lock(&registries_lock);
    Registry *found = registries;
    while (found && !same_settings(&found->settings, settings))
        found = found->next;
    if (!found) {
        found = registry_new(settings);
        found->number = registries ? registries->number + 1 : 1;
        found->next = registries;
        registries = found;
    }
    pthread_mutex_unlock(&registries_lock);
    return found;
}

int registry_number(const Registry *registry)
{
    return registry->number;
}

Registry *registry_of_number(int number)
{
    pthread_mutex_lock(&registries_lock);
    Registry *found = registries;
    while (found && found->number != number)
        found = found->next;
    pthread_mutex_unlock(&registries_lock);
    return found;
}

int registry_check_url(const char *url, const char *option, SiltErr *err)
{
    const char *host = strstr(url, "://"), *at = strchr(url, '@');

    if (strncasecmp(url, "http://", 7) != 0 && strncasecmp(url, "https://", 8) != 0)
        return silt_fail(err, SILT_CONFIG, "%s is no address of a server: it begins with http:// or https://", option);
    if (at && !memchr(host + 3, '/', (size_t)(at - host - 3))) {
        silt_fail(err, SILT_CONFIG, "%s holds a password, which would be shown", option);
        return silt_hint(err, "Give `confluent.schema.registry.basic.auth.user.info` => '{{secrets/env/REGISTRY}}'.");
    }
    return 0;
}

/* ---- questions ---- */

typedef struct Question {
    Registry *registry;
    RegistryStop stop;
    Arena *arena;   /* of answers */
    int references; /* that were followed */
} Question;

/* What it says is wrong, for a message: error_code and message of its answer, NULL where it is no such answer. */
static const Json *complaint(Arena *arena, const StrBuf *body)
{
    const Json *json;
    SiltErr err;

    if (json_parse(arena, str_buf_view(body), &json, &err) < 0 || json_kind(json_get(json, "error_code")) != JSON_NUMBER)
        return NULL;
    return json;
}

/* The answer to a question about `path`: 0; REGISTRY_NONE, there is no such thing; < 0. */
static int ask(Question *q, const char *path, const Json **out, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf body = {0};
    const RegistrySettings *s = &q->registry->settings;
    size_t size = strlen(s->url);
    int status;

    while (size && s->url[size - 1] == '/')
        size--;
    HttpQuestion request = {.url = arena_printf(q->arena, "%.*s%s", (int)size, s->url, path),
                           .accept = "application/vnd.schemaregistry.v1+json, application/json",
                           .user_info = s->user_info,
                           .token = s->token,
                           .ca = s->ca,
                           .certificate = s->certificate,
                           .key = s->key,
                           .timeout_ms = TIMEOUT_MS,
                           .stop = q->stop.asked,
                           .stop_self = q->stop.self};
    SILT_TRY(http_get(&request, &body, &status, err));
    if (status == 200) {
        if (json_parse(q->arena, arena_str(q->arena, str_buf_view(&body)), out, err) < 0)
            return silt_fail(err, SILT_CONFIG, "what answers at \"%s\" is no schema registry", s->url);
        return 0;
    }
    const Json *said = complaint(q->arena, &body);
    const char *message = said ? json_cstr(json_get(said, "message"), "") : "";
    if (status == 404 && said)
        return REGISTRY_NONE;
    if (status >= 500 || status == 429 || status == 408)
        return silt_fail(err, SILT_TRANSIENT, "the schema registry at \"%s\" answered %d%s%s", s->url, status, *message ? ": " : "", message);
    silt_fail(err, SILT_CONFIG, "the schema registry at \"%s\" answered %d to GET %s%s%s", s->url, status, path, *message ? ": " : "", message);
    if (status == 401 || status == 403)
        return silt_hint(err, "Give the option confluent.schema.registry.basic.auth.user.info as '{{secrets/env/...}}' (name:password), or "
                              "confluent.schema.registry.bearer.auth.token.");
    return silt_hint(err, "The address of a registry is what is in front of /schemas/ids/1.");
}

/* A part of a path. */
static const char *escaped(Arena *arena, const char *text)
{
    silt_auto(str_buf_fini) StrBuf out = {0};

    for (; *text; text++)
        if (isalnum((unsigned char)*text) || strchr("-_.~", *text))
            str_buf_putc(&out, *text);
        else
            str_buf_printf(&out, "%%%02X", (unsigned char)*text);
    return arena_strdup(arena, str_buf_text(&out));
}

/* ---- references ---- */

typedef struct Bundle {
    StrBuf fields;
    const char **seen; /* subject and version of those that are in it */
    int count, capacity;
} Bundle;

static bool was_seen(Bundle *bundle, Arena *arena, const char *key)
{
    for (int i = 0; i < bundle->count; i++)
        if (!strcmp(bundle->seen[i], key))
            return true;
    ARENA_PUSH(arena, bundle->seen, bundle->count, bundle->capacity, key);
    return false;
}

/* Put what an answer refers to into the bundle, the deepest first. 0; REGISTRY_NONE with *why; < 0. */
static int add_references(Question *q, Bundle *bundle, const Json *answer, int depth, const char **why, SiltErr *err)
{
    const Json *references = json_get(answer, "references"), *found;

    for (int i = 0; i < json_size(references); i++) {
        const Json *reference = json_at(references, i);
        const char *subject = json_cstr(json_get(reference, "subject"), "");
        const char *path = arena_printf(q->arena, "/subjects/%s/versions/%lld", escaped(q->arena, subject), (long long)json_int(json_get(reference, "version"), 0));
        if (was_seen(bundle, q->arena, path))
            continue;
        if (depth > DEPTH_MAX || ++q->references > REFERENCES_MAX) {
            *why = "its schema refers to too many others";
            return REGISTRY_NONE;
        }
        int r = ask(q, path, &found, err);
        if (r == REGISTRY_NONE)
            *why = arena_printf(q->arena, "its schema refers to \"%s\", which the schema registry does not have", subject);
        if (r == 0)
            r = add_references(q, bundle, found, depth + 1, why, err);
        if (r)
            return r;
        str_buf_printf(&bundle->fields, "{\"name\":\"r%d\",\"type\":%s},", bundle->count, json_cstr(json_get(found, "schema"), ""));
    }
    return 0;
}

/* The schema of an answer with all that it refers to, as one text in the registry's arena. Likewise. */
static int bundle_text(Question *q, const Json *answer, const char **out, const char **why, SiltErr *err)
{
    Bundle bundle = {0};
    const char *schema = json_cstr(json_get(answer, "schema"), "");

    int r = add_references(q, &bundle, answer, 0, why, err);
    if (r == 0) {
        pthread_mutex_lock(&q->registry->lock);
        *out = !bundle.fields.size ? arena_strdup(q->registry->arena, schema)
                                   : arena_printf(q->registry->arena, "{\"type\":\"record\",\"name\":\"" BUNDLE "\",\"fields\":[%s{\"name\":\"value\",\"type\":%s}]}",
                                                  str_buf_text(&bundle.fields), schema);
        pthread_mutex_unlock(&q->registry->lock);
    }
    str_buf_fini(&bundle.fields);
    return r;
}

/* ---- schemas ---- */

static const RegistrySchema *known(const Registry *registry, uint32_t number)
{
    for (int i = 0; i < registry->count; i++)
        if (registry->schemas[i]->number == number)
            return registry->schemas[i];
    return NULL;
}

int registry_parse(Arena *arena, Str text, const AvroType **out, SiltErr *err)
{
    SILT_TRY(avro_type_parse(arena, text, out, err));
    if ((*out)->kind == AVRO_RECORD && !strcmp((*out)->name, BUNDLE))
        *out = (*out)->children[(*out)->count - 1];
    return 0;
}

/* Parse a schema, in the registry's arena; registry->lock is held. text: NULL, refusal says why. */
static const RegistrySchema *parse(Registry *registry, uint32_t number, const char *text, const char *refusal)
{
    RegistrySchema *schema = ARENA_NEW(registry->arena, RegistrySchema);
    SiltErr err = {0};

    *schema = (RegistrySchema){.number = number, .text = text, .refusal = copy(registry->arena, refusal)};
    if (text && registry_parse(registry->arena, str_of(text), &schema->type, &err) < 0) {
        schema->type = NULL;
        schema->refusal = arena_printf(registry->arena, "its schema, number %u, cannot be used: %s", number, err.message);
    }
    return schema;
}

/* The same, and its number means that from now on. */
static const RegistrySchema *keep(Registry *registry, uint32_t number, const char *text, const char *refusal)
{
    const RegistrySchema *schema = known(registry, number);

    if (schema)
        return schema;
    schema = parse(registry, number, text, refusal);
    ARENA_PUSH(registry->arena, registry->schemas, registry->count, registry->capacity, schema);
    return schema;
}

static int take_answer(Question *q, uint32_t number, const Json *answer, const RegistrySchema **out, SiltErr *err)
{
    const char *kind = json_cstr(json_get(answer, "schemaType"), "AVRO"), *text = NULL, *refusal = NULL;
    int r = 0;

    if (json_kind(json_get(answer, "schema")) != JSON_STRING)
        return silt_fail(err, SILT_CONFIG, "what answers at \"%s\" is no schema registry", q->registry->settings.url);
    if (strcmp(kind, "AVRO") != 0)
        refusal = "its schema is not one of Avro";
    else
        r = bundle_text(q, answer, &text, &refusal, err);
    if (r < 0)
        return r;
    pthread_mutex_lock(&q->registry->lock);
    *out = keep(q->registry, number, text, refusal);
    pthread_mutex_unlock(&q->registry->lock);
    return 0;
}

int registry_find(Registry *registry, uint32_t number, RegistryStop stop, const RegistrySchema **out, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = NULL;
    const Json *answer;

    pthread_mutex_lock(&registry->lock);
    *out = known(registry, number);
    pthread_mutex_unlock(&registry->lock);
    if (*out)
        return 0;
    arena = arena_new();
    Question q = {.registry = registry, .stop = stop, .arena = arena};
    int r = ask(&q, arena_printf(arena, "/schemas/ids/%u", number), &answer, err);
    return r ? r : take_answer(&q, number, answer, out, err);
}

int registry_newest(Registry *registry, const char *subject, RegistryStop stop, const RegistrySchema **out, SiltErr *err)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Question q = {.registry = registry, .stop = stop, .arena = arena};
    const Json *answer;

    int r = ask(&q, arena_printf(arena, "/subjects/%s/versions/latest", escaped(arena, subject)), &answer, err);
    return r ? r : take_answer(&q, (uint32_t)json_int(json_get(answer, "id"), 0), answer, out, err);
}

const char *registry_mark(const Registry *registry)
{
    return registry->mark;
}

int registry_know(Registry *registry, const char *mark, uint32_t number, const char *text, const RegistrySchema **out, SiltErr *err)
{
    pthread_mutex_lock(&registry->lock);
    text = arena_strdup(registry->arena, text);
    *out = !strcmp(mark, registry->mark) ? keep(registry, number, text, NULL) : parse(registry, number, text, NULL);
    pthread_mutex_unlock(&registry->lock);
    if ((*out)->refusal)
        return silt_fail(err, SILT_CORRUPT, "the Avro schema that is kept with the checkpoint cannot be used: %s", (*out)->refusal);
    return 0;
}
