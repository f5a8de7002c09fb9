/*
 * format/avro_rows.c - see avro_rows.h
 *
 * The schema is resolved against the columns once (avro_plan.h). What has no column, or does not fit, is skipped, counted and rescued as JSON.
 */
#include "format/avro_rows.h"

#include "duck/avro_value.h"
#include "format/rescue.h"

struct AvroRows {
    const AvroType *written;
    const FormatTarget *target;
    AvroPlan root;
    AvroPlace *place; /* of the columns */
    Chunk *chunk; /* during a put */
    AvroCursor cursor;
    bool rescue_wanted;
    Rescue rescue;
    StrBuf value; /* of a rescued field */
};

int avro_rows_new(Arena *arena, const AvroType *written, const AvroType *reader, const FormatTarget *target, AvroPlace *place, AvroRows **out, SiltErr *err)
{
    AvroRows *rows = ARENA_NEW(arena, AvroRows);

    *rows = (AvroRows){.written = written, .target = target, .place = place, .rescue_wanted = target->rescued_column >= 0};
    SILT_TRY(avro_plan(arena, written, reader, rows->place, &rows->root, err));
    *out = rows;
    return 0;
}

void avro_rows_free(AvroRows *rows)
{
    if (!rows)
        return;
    str_buf_fini(&rows->value);
    rescue_fini(&rows->rescue);
}

void avro_rows_bind(AvroPlace *place, Chunk *chunk)
{
    for (int i = 0; i < place->count; i++)
        avro_place_bind(&place->children[i], chunk_column_mut(chunk, i));
}

void avro_rows_settle(AvroPlace *place)
{
    for (int i = 0; i < place->count; i++)
        avro_place_settle(&place->children[i]);
}

/* The field that begins at `start` and ends at the cursor, whole. */
static bool rescue_field(AvroRows *rows, int field, const char *start)
{
    AvroCursor *c = &rows->cursor;
    const char *behind = c->p;
    Str name = str_of(rows->written->names[field]);

    c->p = start;
    str_buf_clear(&rows->value);
    if (!avro_skip(c, rows->written->children[field], &rows->value))
        return false;
    silt_assert(c->p == behind);
    rescue_put(&rows->rescue, &name, 1, str_buf_view(&rows->value));
    return true;
}

static bool put_field(AvroRows *rows, int field, uint64_t at)
{
    AvroCursor *c = &rows->cursor;
    const AvroType *from = rows->written->children[field];
    const char *start = c->p;
    int64_t before = c->misfits + c->unknowns;
    int column = rows->root.fields[field];
    bool fits = true;

    if (column < 0) {
        if (!avro_skip(c, from, NULL))
            return false;
        c->unknowns += c->p - start > (from->kind == AVRO_UNION); /* more than the branch of a NULL */
    } else if (rows->target->needed && !rows->target->needed[column]) {
        avro_set_null(chunk_column_mut(rows->chunk, column), at);
        return avro_skip(c, from, NULL);
    } else if (!avro_put(c, &rows->root.children[field], at, &fits)) {
        return false;
    }
    return c->misfits + c->unknowns == before || !rows->rescue_wanted || rescue_field(rows, field, start);
}

static void put_missing_fields(AvroRows *rows, uint64_t at)
{
    for (int i = 0; i < rows->root.missing_count; i++) {
        const AvroMissing *missing = &rows->root.missing[i];
        Column *column = chunk_column_mut(rows->chunk, missing->field);
        if (rows->target->needed && !rows->target->needed[missing->field])
            avro_set_null(column, at);
        else
            silt_assert(avro_put_missing(&rows->cursor, missing, column, at)); /* our own bytes */
    }
}

bool avro_rows_put(AvroRows *rows, Chunk *chunk, Str *bytes, uint64_t at, AvroRow *row)
{
    AvroCursor *c = &rows->cursor;

    *c = (AvroCursor){.p = bytes->ptr, .stop = bytes->ptr + bytes->size};
    rows->chunk = chunk;
    avro_place_mark(rows->place);
    if (rows->rescue.any)
        rescue_clear(&rows->rescue);
    for (int i = 0; i < rows->written->count; i++)
        if (!put_field(rows, i, at)) {
            avro_place_undo(rows->place);
            row->refusal = c->refusal ? c->refusal : "a record is not as the schema says";
            return false;
        }
    put_missing_fields(rows, at);
    *bytes = (Str){c->p, (size_t)(c->stop - c->p)};
    *row = (AvroRow){.misfits = c->misfits, .unknowns = c->unknowns};
    return true;
}

bool avro_rows_rescued(AvroRows *rows, const char *source, Str *out)
{
    if (!rows->rescue.any)
        return false;
    *out = rescue_finish(&rows->rescue, source);
    return true;
}
