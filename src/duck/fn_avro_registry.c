/*
 * duck/fn_avro_registry.c - from_avro of values with the number of their schema in front (Confluent's wire format), which a schema registry
 * knows
 *
 * A value is a byte 0, the number of the schema that it was written with (four bytes, the big end first), the datum. A call names its
 * registry by the number that it has in this process (registry_number): address and secrets stand in no statement.
 *
 *   R1  A datum is read with the schema that it was written with, whatever came before it.
 *   R2  That a schema could not be asked for fails the call, and never makes a NULL.
 *   R3  A datum fills its value: bytes behind it mean that it is another schema's.
 */
#include "duck/avro_value.h"
#include "duck/fn_text.h"
#include "duck/internal.h"
#include "duck/registry.h"

#include <strings.h>

enum { HEAD = 5 };

/* What is known when the statement is prepared. */
typedef struct Reading {
    Registry *registry;
    const AvroType *reader;
    const Type *type; /* of the values */
    bool permissive;
} Reading;

/* One schema that values were written with, for one call of eval. */
typedef struct Writer {
    uint32_t number;
    AvroPlan plan;
    const char *refusal; /* its values cannot be read: why; NULL: plan reads them */
} Writer;

typedef struct Work {
    FnCall *call;
    const Reading *reading;
    Arena *arena;
    AvroPlace *place;
    Writer **writers;
    int count, capacity;
} Work;

enum { ARG_VALUE, ARG_REGISTRY, ARG_READER, ARG_MODE, ARG_SOURCE = ARG_MODE, ARG_POSITION };

static int prepare_reading(FnCall *call, Reading **out, SiltErr *err)
{
    Reading *reading = ARENA_NEW(call->arena, Reading);
    const Column *number = &call->constants[ARG_REGISTRY], *reader = &call->constants[ARG_READER];

    *reading = (Reading){0};
    call->data = *out = reading;
    if (!number->type || column_is_null(number, 0) || !reader->type || column_is_null(reader, 0))
        return silt_fail(err, SILT_CONFIG, "registry and schema of %s must be constants", call->function->name);
    reading->registry = registry_of_number(((const int32_t *)number->data)[0]);
    if (!reading->registry)
        return silt_fail(err, SILT_CONFIG, "%s names a registry that this process does not know", call->function->name);
    SILT_TRY(registry_parse(call->arena, text_at(reader, 0), &reading->reader, err));
    reading->type = avro_type_spark(reading->reader, call->arena);
    return reading->type ? 0 : silt_fail(err, SILT_CONFIG, "the schema of %s holds no value", call->function->name);
}

/* 0, or a failure of the registry: placed and passed on. */
static int find_writer(Work *w, int row, uint32_t number, const Writer **out)
{
    const DuckSession *session = w->call->session;
    const RegistrySchema *schema;
    SiltErr err = {0};

    for (int i = 0; i < w->count; i++)
        if (w->writers[i]->number == number) {
            *out = w->writers[i];
            return 0;
        }
    Writer *writer = ARENA_NEW(w->arena, Writer);
    *writer = (Writer){.number = number};
    int r = registry_find(w->reading->registry, number, (RegistryStop){session->stop, session->stop_self}, &schema, &err);
    if (r < 0)
        return fn_pass(w->call, row, &err);
    if (r == REGISTRY_NONE)
        writer->refusal = arena_printf(w->arena, "the schema registry has no schema of the number %u", number);
    else if (!schema->type)
        writer->refusal = schema->refusal;
    else if (avro_plan(w->arena, schema->type, w->reading->reader, w->place, &writer->plan, &err) < 0)
        writer->refusal = arena_strdup(w->arena, err.message);
    ARENA_PUSH(w->arena, w->writers, w->count, w->capacity, writer);
    *out = writer;
    return 0;
}

/* Read a value into a row of the place: 0, with *why not, which may lie in the arena; < 0: a failure of the registry. */
static int read_value(Work *w, Str bytes, int row, const char **why)
{
    const unsigned char *p = (const unsigned char *)bytes.ptr;
    const Writer *writer;
    bool fits = true;

    *why = NULL;
    if (bytes.size < HEAD) {
        *why = "shorter than the number of its schema";
        return 0;
    }
    if (p[0] != 0) {
        *why = arena_printf(w->arena, "it begins with the byte %d, and the wire format of the schema registry with 0", p[0]);
        return 0;
    }
    if (find_writer(w, row, (uint32_t)p[1] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 8 | p[4], &writer) < 0)
        return -1;
    *why = writer->refusal;
    if (*why)
        return 0;
    AvroCursor cursor = {.p = bytes.ptr + HEAD, .stop = bytes.ptr + bytes.size};
    avro_place_mark(w->place);
    bool read = avro_put(&cursor, &writer->plan, (uint64_t)row, &fits);
    if (read && fits && !cursor.misfits && cursor.p == cursor.stop)
        return 0;
    avro_place_undo(w->place);
    *why = cursor.refusal            ? cursor.refusal
           : !read                   ? "a record is not as the schema says"
           : cursor.misfits || !fits ? "a field that does not fit its type"
                                     : "bytes behind the value";
    return 0;
}

/* ---- silt_from_avro_registry:TYPE(bytes, registry, schema to read with, mode) ---- */

static int prepare_from(FnCall *call, SiltErr *err)
{
    const Column *mode = &call->constants[ARG_MODE];
    Reading *reading;

    SILT_TRY(prepare_reading(call, &reading, err));
    if (!mode->type || column_is_null(mode, 0))
        return silt_fail(err, SILT_CONFIG, "the mode of %s must be a constant", call->function->name);
    reading->permissive = str_is_nocase(text_at(mode, 0), "PERMISSIVE");
    return 0;
}

static int from_avro(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Work work = {.call = call, .reading = call->data, .arena = arena, .place = avro_place_new(arena, out->type)};
    const char *why;

    avro_place_bind(work.place, out);
    FN_ROWS(row, out, rows)
    {
        if (read_value(&work, text_at(&args[ARG_VALUE], row), row, &why) < 0)
            return -1;
        if (!why)
            continue;
        if (!work.reading->permissive)
            return fn_fail(call, row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION",
                           "from_avro: %s; with map('mode', 'PERMISSIVE') such a value is NULL", why);
        avro_set_nothing(out, (uint64_t)row);
    }
    avro_place_settle(work.place);
    return 0;
}

/* ---- silt_avro_registry_keeps(bytes, registry, schema to read with, silt_source, silt_position): false, it was set aside ---- */

static int prepare_keeps(FnCall *call, SiltErr *err)
{
    Reading *reading;

    return prepare_reading(call, &reading, err);
}

static int set_aside(FnCall *call, const Column *args, int row, Str bytes, const char *why)
{
    const DuckAside *aside = &call->session->aside;
    bool placed = !column_is_null(&args[ARG_SOURCE], (uint64_t)row) && !column_is_null(&args[ARG_POSITION], (uint64_t)row);
    SiltErr err = {0};

    if (!aside->put)
        return fn_fail(call, row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "from_avro: %s", why);
    int32_t source = placed ? ((const int32_t *)args[ARG_SOURCE].data)[row] : -1;
    int64_t position = placed ? ((const int64_t *)args[ARG_POSITION].data)[row] : -1;
    return aside->put(aside->self, source, position, bytes, why, &err) < 0 ? fn_pass(call, row, &err) : 0;
}

static int keeps(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    const Reading *reading = call->data;
    Work work = {.call = call, .reading = reading, .arena = arena, .place = avro_place_new(arena, reading->type)};
    Chunk *chunk = chunk_new(&reading->type, 1); /* where the values are read to: whether each fits is only known then */
    bool *kept = out->data;
    const char *why;
    int r = 0;

    avro_place_bind(work.place, chunk_column_mut(chunk, 0));
    for (int row = 0; row < rows && r == 0; row++) {
        kept[row] = true;
        if (column_is_null(&args[ARG_VALUE], (uint64_t)row))
            continue;
        Str bytes = text_at(&args[ARG_VALUE], row);
        r = read_value(&work, bytes, row, &why);
        if (r < 0 || !why)
            continue;
        kept[row] = false;
        r = set_aside(call, args, row, bytes, why);
    }
    chunk_unref(chunk);
    return r;
}

const DuckFunction fn_avro_registry[] = {
    {.name = "silt_from_avro_registry",
     .args = "binary, int, string, string",
     .result = NULL,
     .flags = FN_FAILS,
     .eval = from_avro,
     .prepare = prepare_from},
    {.name = "silt_avro_registry_keeps",
     .args = "binary, int, string, int, bigint",
     .result = "boolean",
     .flags = FN_FAILS | FN_NULLS,
     .eval = keeps,
     .prepare = prepare_keeps},
    {0},
};
