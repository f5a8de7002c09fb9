/* delta/shared.c - memory that several snapshots hold, and deep copies into it */
#include "delta/internal.h"

#include <stdlib.h>
#include <string.h>

Shared *delta__shared_new(void)
{
    Shared *shared = silt_alloc(sizeof *shared);
    shared->arena = arena_new();
    shared->holders = 1;
    return shared;
}

Shared *delta__shared_ref(Shared *shared)
{
    shared->holders++;
    return shared;
}

void delta__shared_unref(Shared *shared)
{
    if (!shared || --shared->holders > 0)
        return;
    arena_free(shared->arena);
    free(shared);
}

static const char **copy_names(Arena *arena, const char *const *names, int count)
{
    if (!count)
        return NULL;
    const char **copy = ARENA_ARRAY(arena, const char *, count);
    for (int i = 0; i < count; i++)
        copy[i] = arena_strdup(arena, names[i]);
    return copy;
}

static DeltaProperty *copy_properties(Arena *arena, const DeltaProperty *properties, int count)
{
    if (!count)
        return NULL;
    DeltaProperty *copy = ARENA_ARRAY(arena, DeltaProperty, count);
    for (int i = 0; i < count; i++)
        copy[i] = (DeltaProperty){arena_strdup(arena, properties[i].key), arena_strdup(arena, properties[i].value)};
    return copy;
}

const DeltaMetadata *delta__metadata_copy(Arena *arena, const DeltaMetadata *metadata)
{
    DeltaMetadata *copy = ARENA_NEW(arena, DeltaMetadata);
    *copy = (DeltaMetadata){
        .id = arena_strdup(arena, metadata->id),
        .name = arena_strdup(arena, metadata->name),
        .description = arena_strdup(arena, metadata->description),
        .schema = type_copy(arena, metadata->schema),
        .partition_columns = copy_names(arena, metadata->partition_columns, metadata->partition_count),
        .partition_count = metadata->partition_count,
        .configuration = copy_properties(arena, metadata->configuration, metadata->configuration_count),
        .configuration_count = metadata->configuration_count,
        .created_ms = metadata->created_ms,
    };
    return copy;
}

const DeltaProtocol *delta__protocol_copy(Arena *arena, const DeltaProtocol *protocol)
{
    DeltaProtocol *copy = ARENA_NEW(arena, DeltaProtocol);
    *copy = *protocol;
    copy->reader_features = copy_names(arena, protocol->reader_features, protocol->reader_feature_count);
    copy->writer_features = copy_names(arena, protocol->writer_features, protocol->writer_feature_count);
    return copy;
}

void delta__file_copy(Arena *arena, const DeltaFile *file, DeltaFile *out)
{
    *out = *file;
    out->path = arena_strdup(arena, file->path);
    out->name = file->name == file->path ? out->path : arena_strdup(arena, file->name);
    out->partition_values = copy_properties(arena, file->partition_values, file->partition_count);
    out->stats = arena_strdup(arena, file->stats);
    out->tags = arena_strdup(arena, file->tags);
    out->clustering_provider = arena_strdup(arena, file->clustering_provider);
    if (file->vector) {
        DeltaVector *vector = ARENA_NEW(arena, DeltaVector);
        *vector = *file->vector;
        vector->path_or_inline = arena_strdup(arena, file->vector->path_or_inline);
        out->vector = vector;
    }
}

const char *delta__property(const DeltaProperty *properties, int count, const char *key)
{
    for (int i = 0; i < count; i++)
        if (strcmp(properties[i].key, key) == 0)
            return properties[i].value;
    return NULL;
}

const char *delta__partition_value(const DeltaFile *file, const char *column)
{
    for (int i = 0; i < file->partition_count; i++)
        if (strcasecmp(file->partition_values[i].key, column) == 0)
            return file->partition_values[i].value;
    return NULL;
}

const Type *delta__member(const Type *type, const char *name)
{
    for (int i = 0; type && type->kind == TYPE_STRUCT && i < type->field_count; i++)
        if (strcmp(type->fields[i].name, name) == 0)
            return type->fields[i].type;
    return NULL;
}
