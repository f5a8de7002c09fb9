/* duck/fn_avro.c - from_avro and to_avro: Avro values in a column, without a head */
#include "duck/avro_value.h"
#include "duck/avro_write.h"
#include "duck/fn_text.h"

#include <strings.h>

static int constant_text(const FnCall *call, int arg, Str *out, SiltErr *err)
{
    if (!call->constants[arg].type || column_is_null(&call->constants[arg], 0))
        return silt_fail(err, SILT_CONFIG, "the schema of %s must be a constant", call->function->name);
    *out = text_at(&call->constants[arg], 0);
    return 0;
}

/* ---- reading: silt_from_avro:TYPE(bytes, schema they were written with, schema to read with or '', mode) ---- */

typedef struct Reading {
    const AvroType *written, *reader; /* reader NULL: as they were written */
    bool permissive;
} Reading;

static int prepare_from_avro(FnCall *call, SiltErr *err)
{
    Reading *reading = ARENA_NEW(call->arena, Reading);
    Str written, reader, mode;

    call->data = reading;
    SILT_TRY(constant_text(call, 1, &written, err));
    SILT_TRY(constant_text(call, 2, &reader, err));
    SILT_TRY(constant_text(call, 3, &mode, err));
    SILT_TRY(avro_type_parse(call->arena, written, &reading->written, err));
    if (reader.size)
        SILT_TRY(avro_type_parse(call->arena, reader, &reading->reader, err));
    reading->permissive = !str_is_nocase(mode, "FAILFAST");
    return 0;
}

/* False: these bytes are no such value; *why, if it is known. What is behind the value is not looked at, as in Spark. */
static bool read_value(const AvroPlan *plan, AvroPlace *place, Str bytes, uint64_t row, const char **why)
{
    AvroCursor cursor = {.p = bytes.ptr, .stop = bytes.ptr + bytes.size};
    bool fits = true;

    avro_place_mark(place);
    if (avro_put(&cursor, plan, row, &fits) && fits && !cursor.misfits)
        return true;
    avro_place_undo(place);
    *why = cursor.refusal;
    return false;
}

static int from_avro(FnCall *call, const Column *args, Column *out, int rows)
{
    const Reading *reading = call->data;
    silt_auto(arena_freep) Arena *arena = arena_new();
    AvroPlace *place = avro_place_new(arena, out->type);
    AvroPlan plan;
    SiltErr err = {0};
    bool resolved = avro_plan(arena, reading->written, reading->reader, place, &plan, &err) == 0;

    avro_place_bind(place, out);
    FN_ROWS(row, out, rows)
    {
        const char *why = resolved ? NULL : err.message;
        if (resolved && read_value(&plan, place, text_at(&args[0], row), (uint64_t)row, &why))
            continue;
        if (!reading->permissive)
            return fn_fail(call, row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "from_avro: %s; with map('mode', 'PERMISSIVE') such a value is NULL",
                           why ? why : "the bytes are no value of the schema");
        avro_set_nothing(out, (uint64_t)row);
    }
    avro_place_settle(place);
    return 0;
}

/* ---- writing: silt_to_avro(value, schema) ---- */

static int prepare_to_avro(FnCall *call, SiltErr *err)
{
    const AvroType *type;
    AvroWrite *write;
    Str schema;

    SILT_TRY(constant_text(call, 1, &schema, err));
    SILT_TRY(avro_type_parse(call->arena, schema, &type, err));
    SILT_TRY(avro_write_new(call->arena, call->arg_types[0], type, &write, err));
    call->data = write;
    return 0;
}

static int to_avro(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(arena_freep) Arena *arena = arena_new();

    FN_ROWS(row, out, rows)
    {
        str_buf_clear(call->scratch);
        const char *why = avro_write(call->data, &args[0], (uint64_t)row, arena, call->scratch);
        if (why)
            return fn_fail(call, row, "INVALID_PARAMETER_VALUE", "to_avro: %s", why);
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

const DuckFunction fn_avro[] = {
    {.name = "silt_from_avro", .args = "binary, string, string, string", .result = NULL, .flags = FN_FAILS, .eval = from_avro, .prepare = prepare_from_avro},
    {.name = "silt_to_avro", .args = "any, string", .result = "binary", .flags = FN_FAILS, .eval = to_avro, .prepare = prepare_to_avro},
    {0},
};
