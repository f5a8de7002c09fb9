/*
 * source/extension.c - a source that a program has registered, behind the table of functions that all sources have
 *
 *   E1  Its offsets are checked to be JSON of one line when they come, since they go into the checkpoint and the table's log as they are.
 *   E2  A triggered run asks for the latest offset once, and no batch goes beyond it.
 */
#include "source/extension.h"

#include "base/json.h"
#include "duck/arrow.h"
#include "silt.h"
#include "source/arguments.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Extension {
    const SiltSource *ops;
    void *instance;
    SiltPos pos; /* of the relation */
    bool bounded;
    const char *latest; /* as of the last look, in latest_arena; NULL: never a row */
    Arena *latest_arena;
} Extension;

/* A callback's answer as an error. */
static int answer_failed(const Source *source, SiltStatus status, const char *doing, const char *message, SiltErr *err)
{
    const Extension *extension = source->self;

    return silt_fail_at(err, status == SILT_REFUSED ? SILT_CONFIG : SILT_TRANSIENT, extension->pos, "source \"%s\" could not %s: %s", source->name, doing,
                        *message ? message : "it does not say why");
}

/* ---- opening ---- */

static const SiltSource *find(const SourceContext *context, const Relation *relation)
{
    for (int i = 0; relation->kind == REL_FUNCTION && relation->name.count == 1 && i < context->extension_count; i++)
        if (!strcasecmp(context->extensions[i]->name, relation->name.parts[0]))
            return context->extensions[i];
    return NULL;
}

/* They are the program's own: it says which there are. */
static int collect_options(Arena *arena, const Relation *relation, SiltOption **out, int *count, SiltErr *err)
{
    ArgumentsForm form = {.reader = relation->name.parts[0]};
    Arguments arguments;

    SILT_TRY(arguments_read(arena, relation, &form, &arguments, err));
    *out = ARENA_ARRAY(arena, SiltOption, arguments.count + 1);
    *count = arguments.count;
    for (int i = 0; i < arguments.count; i++)
        (*out)[i] = (SiltOption){arguments.options[i].key, arguments.options[i].value};
    return 0;
}

static int take_schema(Source *source, const char *text, SiltErr *err)
{
    const Extension *extension = source->self;
    SourceSchema *schema = &source->schema;
    const Type *type;

    if (!text || type_parse_ddl(source->arena, str_of(text), false, &type, err) < 0)
        return silt_fail_at(err, SILT_CONFIG, extension->pos, "source \"%s\" has no usable schema: %s", source->name, text ? err->message : "none was given");
    schema->column_count = type->field_count;
    schema->names = ARENA_ARRAY(source->arena, const char *, type->field_count + 1);
    schema->types = ARENA_ARRAY(source->arena, const Type *, type->field_count + 1);
    schema->nullable = ARENA_ARRAY(source->arena, bool, type->field_count + 1);
    for (int i = 0; i < type->field_count; i++) {
        schema->names[i] = type->fields[i].name;
        schema->types[i] = type->fields[i].type;
        schema->nullable[i] = true; /* nobody checks what it gives */
    }
    return 0;
}

static void extension_close(Source *source)
{
    Extension *extension = source->self;

    if (extension->instance && extension->ops->close)
        extension->ops->close(extension->instance);
    arena_free(extension->latest_arena);
}

static int open_instance(Source *source, const Relation *relation, SiltErr *err)
{
    Extension *extension = source->self;
    char message[SILT_MESSAGE_SIZE] = "", *schema = NULL;
    SiltOption *options;
    int count;

    SILT_TRY(collect_options(source->arena, relation, &options, &count, err));
    SiltStatus status = extension->ops->open(extension->ops->self, options, count, &extension->instance, &schema, message);
    message[SILT_MESSAGE_SIZE - 1] = 0;
    if (status != SILT_DONE) {
        extension->instance = NULL;
        free(schema);
        return answer_failed(source, status, "be opened", message, err);
    }
    int r = take_schema(source, schema, err);
    free(schema);
    return r;
}

static int extension_open(const SourceContext *context, const Relation *relation, Source **out, SiltErr *err)
{
    const SiltSource *ops = find(context, relation);

    if (!ops)
        return SOURCE_NONE;
    Arena *arena = arena_new();
    Source *source = ARENA_NEW(arena, Source);
    Extension *extension = ARENA_NEW(arena, Extension);
    *extension = (Extension){.ops = ops, .pos = relation->pos, .latest_arena = arena_new()};
    *source = (Source){.ops = &source_extension, .arena = arena, .name = arena_strdup(arena, ops->name), .self = extension};
    source->description = arena_printf(arena, "ExtensionSource[%s]", source->name);
    if (open_instance(source, relation, err) < 0) {
        source_free(source);
        return -1;
    }
    *out = source;
    return 0;
}

/* ---- offsets ---- */

/* E1. text is malloc'ed and freed here. */
static int take_offset(const Source *source, Arena *arena, char *text, const char **out, SiltErr *err)
{
    const Extension *extension = source->self;
    const Json *parsed;
    SiltErr why;

    const char *kept = text ? arena_strdup(arena, text) : NULL;
    free(text);
    if (!kept || strpbrk(kept, "\r\n") || json_parse(arena, str_of(kept), &parsed, &why) < 0) {
        silt_fail_at(err, SILT_CONFIG, extension->pos, "source \"%s\" gave an offset that is no JSON of one line: %.200s", source->name, kept ? kept : "none");
        return silt_hint(err, "This is a fault of the program that has registered the source.");
    }
    *out = kept;
    return 0;
}

static int look(Source *source, SiltErr *err)
{
    Extension *extension = source->self;
    char message[SILT_MESSAGE_SIZE] = "", *text = NULL;

    SiltStatus status = extension->ops->latest(extension->instance, &text, message);
    message[SILT_MESSAGE_SIZE - 1] = 0;
    arena_free(extension->latest_arena);
    extension->latest_arena = arena_new();
    extension->latest = NULL;
    if (status == SILT_END)
        return 0;
    if (status != SILT_DONE)
        return answer_failed(source, status, "tell its latest offset", message, err);
    return take_offset(source, extension->latest_arena, text, &extension->latest, err);
}

static int extension_attach(Source *source, const char *log_directory, SiltErr *err)
{
    (void)source, (void)log_directory, (void)err; /* offsets alone say everything */
    return 0;
}

static int extension_bound(Source *source, SiltErr *err)
{
    Extension *extension = source->self;

    extension->bounded = true;
    return look(source, err); /* E2 */
}

static void extension_unbound(Source *source)
{
    ((Extension *)source->self)->bounded = false;
}

static int extension_plan(Source *source, const char *start, Arena *arena, const char **end, SiltErr *err)
{
    Extension *extension = source->self;
    char message[SILT_MESSAGE_SIZE] = "", *text = NULL;

    if (!extension->bounded)
        SILT_TRY(look(source, err));
    if (!extension->latest || (start && !strcmp(start, extension->latest)))
        return SOURCE_IDLE;
    *end = arena_strdup(arena, extension->latest);
    if (!extension->ops->next)
        return 0;
    SiltStatus status = extension->ops->next(extension->instance, start, extension->latest, &text, message);
    message[SILT_MESSAGE_SIZE - 1] = 0;
    if (status != SILT_DONE)
        return answer_failed(source, status, "plan a batch", message, err);
    SILT_TRY(take_offset(source, arena, text, end, err));
    if (start && !strcmp(start, *end)) {
        silt_fail_at(err, SILT_CONFIG, extension->pos, "source \"%s\" has planned a batch without an end: %s again", source->name, start);
        return silt_hint(err, "Its `next` must give an offset behind the start. This is a fault of the program that has registered the source.");
    }
    return 0;
}

static int extension_latest(Source *source, Arena *arena, const char **out, SiltErr *err)
{
    const Extension *extension = source->self;

    (void)err;
    *out = extension->latest ? arena_strdup(arena, extension->latest) : NULL;
    return 0;
}

static int extension_committed(Source *source, const char *end, SiltErr *err)
{
    Extension *extension = source->self;
    char message[SILT_MESSAGE_SIZE] = "";

    if (!extension->ops->committed)
        return 0;
    SiltStatus status = extension->ops->committed(extension->instance, end, message);
    message[SILT_MESSAGE_SIZE - 1] = 0;
    return status == SILT_DONE ? 0 : answer_failed(source, status, "take note of a sealed batch", message, err);
}

/* ---- reading ---- */

/* Counts what passes. */
typedef struct Reading {
    ChunkReader rows; /* next NULL: nothing to read */
    int64_t row_count;
} Reading;

static int reading_next(void *self, Chunk **out, SiltErr *err)
{
    Reading *reading = self;

    *out = NULL;
    if (reading->rows.next)
        SILT_TRY(reading->rows.next(reading->rows.self, out, err));
    reading->row_count += *out ? chunk_row_count(*out) : 0;
    return 0;
}

/* end NULL: there is nothing. */
static int open_rows(Source *source, const char *start, const char *end, SourceBatch **out, SiltErr *err)
{
    const Extension *extension = source->self;
    Arena *arena = arena_new();
    SourceBatch *batch = ARENA_NEW(arena, SourceBatch);
    Reading *reading = ARENA_NEW(arena, Reading);
    struct ArrowArrayStream stream = {0};
    char message[SILT_MESSAGE_SIZE] = "";
    int r = 0;

    *batch = (SourceBatch){.source = source, .arena = arena, .self = reading, .fingerprint = end ? arena_strdup(arena, end) : ""};
    batch->reader = (ChunkReader){.self = reading, .next = reading_next, .rows_estimate = -1};
    if (end) {
        SiltStatus status = extension->ops->read(extension->instance, start, end, &stream, message);
        message[SILT_MESSAGE_SIZE - 1] = 0;
        if (status != SILT_DONE)
            r = answer_failed(source, status, "be read", message, err);
        else
            r = arrow_import_stream(&stream, arena_printf(arena, "source \"%s\"", source->name), source->schema.names, source->schema.types,
                                    source->schema.column_count, &reading->rows, err);
    }
    if (r < 0) {
        arena_free(arena);
        return r;
    }
    *out = batch;
    return 0;
}

static int extension_open_batch(Source *source, const char *start, const char *end, const SourceReadOptions *options, SourceBatch **out, SiltErr *err)
{
    (void)options; /* nothing is undecodable, and all columns come */
    return open_rows(source, start, end, out, err);
}

static int extension_open_snapshot(Source *source, const SourceReadOptions *options, SourceBatch **out, SiltErr *err)
{
    const Extension *extension = source->self;

    (void)options;
    SILT_TRY(look(source, err));
    return open_rows(source, NULL, extension->latest, out, err);
}

static void extension_batch_close(SourceBatch *batch)
{
    Reading *reading = batch->self;

    if (reading->rows.close)
        reading->rows.close(reading->rows.self);
}

static FormatCounts extension_batch_counts(const SourceBatch *batch)
{
    const Reading *reading = batch->self;

    return (FormatCounts){.records = reading->row_count, .rows = reading->row_count};
}

const SourceOps source_extension = {
    .name = "extension",
    .summary = "a source of the program that Silt is a part of",
    .open = extension_open,
    .close = extension_close,
    .attach = extension_attach,
    .bound = extension_bound,
    .unbound = extension_unbound,
    .plan = extension_plan,
    .latest = extension_latest,
    .committed = extension_committed,
    .open_batch = extension_open_batch,
    .open_snapshot = extension_open_snapshot,
    .batch_close = extension_batch_close,
    .batch_counts = extension_batch_counts,
};
