#pragma once
/*
 * source/registry.h - Avro schemas of a schema registry, by its REST interface (Confluent's; Apicurio, Karapace and Redpanda speak it too)
 *
 * What a number means never changes: a schema is asked for once in the life of the process, whoever wants it.
 */
#include "duck/avro.h"
#include "format/format.h"
#include "source/source.h"

typedef struct Registry Registry;

typedef struct RegistrySettings {
    const char *url;       /* https://host:8081; a path behind it is kept */
    const char *user_info; /* name:password; NULL: none. Secret */
    const char *token;     /* bearer; NULL: none. Secret */
    const char *ca, *certificate, *key; /* paths of PEM files; NULL: the system's authorities, no certificate of our own */
} RegistrySettings;

/* The registry of these settings, which lives as long as the process. Asks nothing yet. */
Registry *registry_open(const RegistrySettings *settings);

/* One schema. Texts and type live as long as the process. */
typedef struct RegistrySchema {
    uint32_t number;
    const char *text; /* with the schemas that it refers to: for registry_know */
    const AvroType *type;
    const char *refusal; /* it is none that can be used: why; type is NULL */
} RegistrySchema;

/*
 * The schema of this number: 0; FORMAT_NO_SCHEMA, the registry has none such; < 0: TRANSIENT, it did not answer, CONFIG, it is none or does not let us in. stop is asked while it
 * waits. Any thread.
 */
int registry_find(Registry *registry, uint32_t number, SourceStop stop, const RegistrySchema **out, SiltErr *err);
/* The newest schema of a subject, likewise. */
int registry_newest(Registry *registry, const char *subject, SourceStop stop, const RegistrySchema **out, SiltErr *err);
/*
 * A schema that was learnt in an earlier run: its number, and its text as RegistrySchema has it. With this registry's mark the number means that from now on; with
 * another one it is just the schema. Fails as CORRUPT.
 */
int registry_know(Registry *registry, const char *mark, uint32_t number, const char *text, const RegistrySchema **out, SiltErr *err);
/* Which registry it is, without its address, which may be a secret. */
const char *registry_mark(const Registry *registry);
