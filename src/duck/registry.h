#pragma once
/*
 * duck/registry.h - Avro schemas of a schema registry, by its REST interface (Confluent's; Apicurio, Karapace and Redpanda speak it too)
 *
 * What a number means never changes: a schema is asked for once in the life of the process, whoever wants it.
 */
#include "base/err.h"
#include "duck/avro.h"

#include <stdbool.h>

typedef struct Registry Registry;

typedef struct RegistrySettings {
    const char *url;       /* https://host:8081; a path behind it is kept */
    const char *user_info; /* name:password; NULL: none. Secret */
    const char *token;     /* bearer; NULL: none. Secret */
    const char *ca, *certificate, *key; /* paths of PEM files; NULL: the system's authorities, no certificate of our own */
} RegistrySettings;

/* Asked while an answer is waited for: true ends the question as CANCELLED. Any thread. */
typedef struct RegistryStop {
    bool (*asked)(void *self); /* NULL: never */
    void *self;
} RegistryStop;

enum { REGISTRY_NONE = 1 };

/* Is this the address of a server, and without a password, which would be shown? option: what gives it, for the message. Fails as CONFIG. */
int registry_check_url(const char *url, const char *option, SiltErr *err);

/* The registry of these settings, which lives as long as the process. Asks nothing yet. */
Registry *registry_open(const RegistrySettings *settings);
/* Its number in this process, by which a printed call names it without its address and secrets; and back: NULL, there is none such. */
int registry_number(const Registry *registry);
Registry *registry_of_number(int number);

/* One schema. Texts and type live as long as the process. */
typedef struct RegistrySchema {
    uint32_t number;
    const char *text; /* with the schemas that it refers to: for registry_know */
    const AvroType *type;
    const char *refusal; /* it is none that can be used: why; type is NULL */
} RegistrySchema;

/*
 * The schema of this number: 0; REGISTRY_NONE, the registry has none such; < 0: TRANSIENT, it did not answer, CONFIG, it is none or does not let us in. stop is asked while it
 * waits. Any thread.
 */
int registry_find(Registry *registry, uint32_t number, RegistryStop stop, const RegistrySchema **out, SiltErr *err);
/* The newest schema of a subject, likewise. */
int registry_newest(Registry *registry, const char *subject, RegistryStop stop, const RegistrySchema **out, SiltErr *err);
/*
 * A schema that was learnt in an earlier run: its number, and its text as RegistrySchema has it. With this registry's mark the number means that from now on; with
 * another one it is just the schema. Fails as CORRUPT.
 */
int registry_know(Registry *registry, const char *mark, uint32_t number, const char *text, const RegistrySchema **out, SiltErr *err);
/* The schema of such a text, without those that it refers to, in arena. Fails as CONFIG or INPUT, as avro_type_parse. */
int registry_parse(Arena *arena, Str text, const AvroType **out, SiltErr *err);
/* Which registry it is, without its address, which may be a secret. */
const char *registry_mark(const Registry *registry);
