/*
 * format/avro_decode.c - Avro blocks into columns
 *
 * The file's schema is resolved against the columns once per file (avro_plan.h). What has no column, or does not fit, is skipped, counted and rescued as
 * JSON.
 *
 *   V1  A block is decoded whole or the read fails with the file's name: bytes that are out of step cannot be told from records.
 *   V2  A row's position is that of its block in the file.
 */
#include "format/avro_plan.h"

#include "base/json.h"
#include "duck/column_put.h"
#include "duck/print.h"
#include "duck/render.h"
#include "format/infer.h"
#include "format/json_scan.h"
#include "format/rescue.h"
#include "format/value.h"

#include <snappy-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

typedef struct AvroDecoder {
    const FormatOptions *options;
    const FormatTarget *target;
    FormatSink sink;
    Arena *arena;
    FormatCounts counts;
    FormatBlock block;
    const AvroHead *head;
    Arena *plan_arena;
    AvroPlan root;
    AvroPlace *place;    /* of the columns */
    bool unresolved;     /* the file's schema and the reader's do not go together: failure says why */
    const char *refusal; /* why the value at p fails the read; NULL: its bytes are broken */
    const Type *met; /* STRUCT: all that the files' schemas have */
    Arena *met_arena;
    Chunk *chunk;
    /* In the format block */
    const char *next, *end;
    /* In the Avro block */
    const char *p, *stop;
    int64_t left;     /* records */
    int64_t position; /* of the Avro block */
    StrBuf bytes;     /* decompressed */
    int64_t misfits, unknowns;
    Rescue rescue;
    bool rescue_wanted;
    StrBuf value; /* of a rescued field */
    bool failed;  /* behind the rows of the last chunk */
    SiltErr failure;
} AvroDecoder;

/* ---- values ---- */

static void set_null(Column *column, uint64_t row)
{
    column_set_null(column, row);
    if (column->type->kind == TYPE_ARRAY || column->type->kind == TYPE_MAP)
        ((ChunkList *)column->data)[row] = (ChunkList){0};
}

static bool take_bytes(AvroDecoder *d, const AvroType *from, Str *out)
{
    int64_t size = from->size;
    if (from->kind != AVRO_FIXED && !avro_long(&d->p, d->stop, &size))
        return false;
    if (size < 0 || d->stop - d->p < size)
        return false;
    *out = (Str){d->p, (size_t)size};
    d->p += size;
    return true;
}

/* Walk over a value; out (NULL allowed) gets it as JSON. False: the bytes are no such value. */
static bool skip(AvroDecoder *d, const AvroType *from, StrBuf *out);

static bool skip_list(AvroDecoder *d, const AvroType *from, StrBuf *out)
{
    bool map = from->kind == AVRO_MAP, first = true;
    if (out)
        str_buf_putc(out, map ? '{' : '[');
    for (;;) {
        int64_t count, size;
        if (!avro_long(&d->p, d->stop, &count))
            return false;
        if (count == 0)
            break;
        if (count < 0 && (count == INT64_MIN || (count = -count, !avro_long(&d->p, d->stop, &size))))
            return false;
        if (count > d->stop - d->p && from->children[0]->kind != AVRO_NULL)
            return false; /* more items than bytes */
        for (; count > 0; count--) {
            if (out && !first)
                str_buf_putc(out, ',');
            first = false;
            if (map) {
                Str key;
                if (!take_bytes(d, from, &key))
                    return false;
                if (out) {
                    json_put_str(out, key);
                    str_buf_putc(out, ':');
                }
            }
            if (!skip(d, from->children[0], out))
                return false;
        }
    }
    if (out)
        str_buf_putc(out, map ? '}' : ']');
    return true;
}

/* Numbers by their logical type, as exact JSON. */
static void put_long_json(StrBuf *out, const AvroType *from, int64_t number)
{
    bool millis = from->logical == AVRO_MILLIS || from->logical == AVRO_LOCAL_MILLIS;
    int64_t us = number;
    if (from->logical == AVRO_DATE) {
        str_buf_putc(out, '"');
        print_date(out, number);
        str_buf_putc(out, '"');
    } else if (from->logical == AVRO_PLAIN || (millis && __builtin_mul_overflow(number, INT64_C(1000), &us))) {
        str_buf_printf(out, "%lld", (long long)number);
    } else if (from->logical == AVRO_MILLIS || from->logical == AVRO_MICROS) {
        render_instant(out, us, NULL);
    } else {
        render_local_time(out, us);
    }
}

static bool decimal_of(Str bytes, const AvroType *from, const Type *to, __int128 *out);

static bool skip(AvroDecoder *d, const AvroType *from, StrBuf *out)
{
    int64_t number;
    Str bytes;
    switch (from->kind) {
    case AVRO_NULL:
        if (out)
            str_buf_puts(out, "null");
        return true;
    case AVRO_BOOLEAN:
        if (d->p == d->stop)
            return false;
        if (out)
            str_buf_puts(out, *d->p ? "true" : "false");
        d->p++;
        return true;
    case AVRO_INT:
    case AVRO_LONG:
        if (!avro_long(&d->p, d->stop, &number))
            return false;
        if (out)
            put_long_json(out, from, number);
        return true;
    case AVRO_FLOAT:
    case AVRO_DOUBLE: {
        size_t size = from->kind == AVRO_FLOAT ? 4 : 8;
        if ((size_t)(d->stop - d->p) < size)
            return false;
        float f = 0;
        double v;
        if (size == 4) {
            memcpy(&f, d->p, 4);
            v = (double)f;
        } else {
            memcpy(&v, d->p, 8);
        }
        d->p += size;
        if (out && v - v != 0)
            str_buf_puts(out, v != v ? "\"NaN\"" : v > 0 ? "\"Infinity\"" : "\"-Infinity\"");
        else if (out && size == 4)
            print_float(out, f);
        else if (out)
            print_double(out, v);
        return true;
    }
    case AVRO_BYTES:
    case AVRO_FIXED:
        if (!take_bytes(d, from, &bytes))
            return false;
        __int128 decimal;
        if (out && from->logical == AVRO_DECIMAL && decimal_of(bytes, from, type_decimal(38, from->scale), &decimal))
            print_decimal(out, decimal, from->scale);
        else if (out)
            render_base64(out, bytes);
        return true;
    case AVRO_STRING:
        if (!take_bytes(d, from, &bytes))
            return false;
        if (out)
            json_put_str(out, bytes);
        return true;
    case AVRO_ENUM:
        if (!avro_long(&d->p, d->stop, &number) || number < 0 || number >= from->count)
            return false;
        if (out)
            json_put_str(out, str_of(from->names[number]));
        return true;
    case AVRO_ARRAY:
    case AVRO_MAP:
        return skip_list(d, from, out);
    case AVRO_UNION:
        return avro_long(&d->p, d->stop, &number) && number >= 0 && number < from->count && skip(d, from->children[number], out);
    case AVRO_RECORD:
        if (out)
            str_buf_putc(out, '{');
        for (int i = 0; i < from->count; i++) {
            if (out) {
                if (i)
                    str_buf_putc(out, ',');
                json_put_str(out, str_of(from->names[i]));
                str_buf_putc(out, ':');
            }
            if (!skip(d, from->children[i], out))
                return false;
        }
        if (out)
            str_buf_putc(out, '}');
        return true;
    }
    return false;
}

/* A decimal's big-endian bytes, brought to another scale: false when it does not fit the precision. */
static bool decimal_of(Str bytes, const AvroType *from, const Type *to, __int128 *out)
{
    static const __int128 one = 1;
    size_t at = 0;
    bool negative = bytes.size && (bytes.ptr[0] & 0x80);
    while (bytes.size - at > 16 && (unsigned char)bytes.ptr[at] == (negative ? 0xff : 0)) /* sign only */
        at++;
    if (bytes.size - at > 16)
        return false;
    unsigned __int128 raw = negative ? ~(unsigned __int128)0 : 0;
    for (; at < bytes.size; at++)
        raw = raw << 8 | (unsigned char)bytes.ptr[at];
    __int128 value = (__int128)raw, limit = one;
    if ((value < 0) != negative)
        return false;
    for (int i = from->logical == AVRO_DECIMAL ? from->scale : 0; i < to->scale; i++)
        if (__builtin_mul_overflow(value, (__int128)10, &value))
            return false;
    for (int i = 0; i < to->precision; i++)
        limit *= 10;
    if (value >= limit || value <= -limit)
        return false;
    *out = value;
    return true;
}

static bool put(AvroDecoder *d, const AvroPlan *plan, uint64_t row, bool *fits);

/* A field that the file lacks: its default, or NULL. */
static bool put_missing(AvroDecoder *d, const AvroMissing *missing, Column *column, uint64_t row)
{
    const char *p = d->p, *stop = d->stop;
    bool fits = true;
    if (!missing->plan) {
        set_null(column, row);
        return true;
    }
    d->p = missing->bytes.ptr;
    d->stop = d->p + missing->bytes.size;
    bool done = put(d, missing->plan, row, &fits);
    d->p = p;
    d->stop = stop;
    return done;
}

static bool put_all_missing(AvroDecoder *d, const AvroPlan *plan, uint64_t row)
{
    for (int i = 0; i < plan->missing_count; i++)
        if (!put_missing(d, &plan->missing[i], plan->to->children[plan->missing[i].field].column, row))
            return false;
    return true;
}

static bool put_fields(AvroDecoder *d, const AvroPlan *plan, uint64_t row)
{
    column_set_valid(plan->to->column, row);
    if (!put_all_missing(d, plan, row))
        return false;
    for (int i = 0; i < plan->from->count; i++) {
        const AvroPlan *child = &plan->children[i];
        const char *start = d->p;
        bool fits = true;
        if (!child->to) {
            if (!skip(d, child->from, NULL))
                return false;
            d->unknowns += d->p - start > (child->from->kind == AVRO_UNION); /* more than the branch of a NULL */
        } else if (!put(d, child, row, &fits)) {
            return false;
        }
    }
    return true;
}

static void list_room(AvroPlace *place)
{
    if (place->used < place->reserved)
        return;
    place->reserved = place->reserved ? place->reserved * 2 : CHUNK_ROWS_MAX;
    column_list_reserve(place->column, place->reserved);
}

static bool put_list(AvroDecoder *d, const AvroPlan *plan, uint64_t row, bool *fits)
{
    AvroPlace *place = plan->to;
    uint64_t first = place->used;
    bool map = plan->from->kind == AVRO_MAP;
    for (;;) {
        int64_t count, size;
        if (!avro_long(&d->p, d->stop, &count))
            return false;
        if (count == 0)
            break;
        if (count < 0 && (count == INT64_MIN || (count = -count, !avro_long(&d->p, d->stop, &size))))
            return false;
        if (count > d->stop - d->p)
            return false; /* also of lists of nothing but NULLs, which nobody writes by the billion */
        for (; count > 0; count--) {
            list_room(place);
            uint64_t at = place->used++;
            if (map) {
                Str key;
                if (!take_bytes(d, plan->from, &key) || !json_utf8_valid(key.ptr, key.size))
                    return false;
                Column *keys = &place->column->children[0];
                column_set_string(keys, at, key.ptr, key.size);
                column_set_valid(keys, at);
            }
            place->children[map].column = &place->column->children[map];
            bool one = true;
            if (!put(d, &plan->children[0], at, &one))
                return false;
            *fits &= one;
        }
    }
    column_set_valid(place->column, row);
    ((ChunkList *)place->column->data)[row] = (ChunkList){first, place->used - first};
    return true;
}

/* A union that is a struct: one member of it. */
static bool put_member(AvroDecoder *d, const AvroPlan *plan, const AvroPlan *child, uint64_t row, bool *fits)
{
    column_set_valid(plan->to->column, row);
    if (!put_all_missing(d, plan, row))
        return false;
    if (child->to)
        return put(d, child, row, fits);
    *fits = false;
    return skip(d, child->from, NULL);
}

static bool put_union(AvroDecoder *d, const AvroPlan *plan, uint64_t row, bool *fits)
{
    int64_t branch;
    if (!avro_long(&d->p, d->stop, &branch) || branch < 0 || branch >= plan->from->count)
        return false;
    const AvroPlan *child = &plan->children[branch];
    if (child->refused) {
        d->refusal = child->refused;
        return false;
    }
    if (child->from->kind == AVRO_NULL) {
        set_null(plan->to->column, row);
        return true;
    }
    return plan->as_struct ? put_member(d, plan, child, row, fits) : put(d, child, row, fits);
}

static void put_number(Column *column, uint64_t row, int64_t number)
{
    switch (column->type->kind) {
    case TYPE_INT:
    case TYPE_DATE:
        ((int32_t *)column->data)[row] = (int32_t)number;
        break;
    case TYPE_FLOAT:
        ((float *)column->data)[row] = (float)number;
        break;
    case TYPE_DOUBLE:
        ((double *)column->data)[row] = (double)number;
        break;
    case TYPE_DECIMAL: {
        __int128 value = number;
        for (int i = 0; i < column->type->scale; i++)
            value *= 10;
        value_store_decimal(column->data, row, column->type->precision, value);
        break;
    }
    default:
        ((int64_t *)column->data)[row] = number;
    }
}

/* The value at d->p. False: the bytes are broken. *fits = false: it was stepped over and is NULL. */
static bool put(AvroDecoder *d, const AvroPlan *plan, uint64_t row, bool *fits)
{
    const AvroType *from = plan->from;
    Column *column = plan->to->column;
    int64_t number;
    Str bytes;
    if (plan->implied)
        return put_member(d, plan, &plan->children[0], row, fits);
    if (!plan->fits || from->kind == AVRO_NULL) {
        *fits = plan->fits;
        d->misfits += !plan->fits;
        set_null(column, row);
        return skip(d, from, NULL);
    }
    switch (from->kind) {
    case AVRO_BOOLEAN:
        if (d->p == d->stop)
            return false;
        ((uint8_t *)column->data)[row] = *d->p++ != 0;
        break;
    case AVRO_INT:
    case AVRO_LONG:
        if (!avro_long(&d->p, d->stop, &number))
            return false;
        if ((from->kind == AVRO_INT && (number < INT32_MIN || number > INT32_MAX)))
            return false;
        if ((from->logical == AVRO_MILLIS || from->logical == AVRO_LOCAL_MILLIS) && __builtin_mul_overflow(number, INT64_C(1000), &number))
            goto misfit;
        put_number(column, row, number);
        break;
    case AVRO_FLOAT: {
        float value;
        if (d->stop - d->p < 4)
            return false;
        memcpy(&value, d->p, 4);
        d->p += 4;
        if (column->type->kind == TYPE_FLOAT)
            ((float *)column->data)[row] = value;
        else
            ((double *)column->data)[row] = (double)value;
        break;
    }
    case AVRO_DOUBLE:
        if (d->stop - d->p < 8)
            return false;
        memcpy((double *)column->data + row, d->p, 8);
        d->p += 8;
        break;
    case AVRO_BYTES:
    case AVRO_FIXED:
        if (!take_bytes(d, from, &bytes))
            return false;
        if (from->logical == AVRO_DECIMAL) {
            __int128 value;
            if (!decimal_of(bytes, from, column->type, &value))
                goto misfit;
            value_store_decimal(column->data, row, column->type->precision, value);
        } else if (column->type->kind == TYPE_STRING && !json_utf8_valid(bytes.ptr, bytes.size)) {
            goto misfit; /* bytes that are read as text */
        } else {
            column_set_string(column, row, bytes.ptr, bytes.size);
        }
        break;
    case AVRO_STRING:
        if (!take_bytes(d, from, &bytes))
            return false;
        if (column->type->kind == TYPE_STRING && !json_utf8_valid(bytes.ptr, bytes.size))
            goto misfit;
        column_set_string(column, row, bytes.ptr, bytes.size);
        break;
    case AVRO_ENUM:
        if (!avro_long(&d->p, d->stop, &number) || number < 0 || number >= from->count)
            return false;
        if (!from->names[number]) {
            d->refusal = "a symbol of an enum that avroSchema lacks, and gives no default for";
            return false;
        }
        column_set_string(column, row, from->names[number], strlen(from->names[number]));
        break;
    case AVRO_ARRAY:
    case AVRO_MAP:
        return put_list(d, plan, row, fits);
    case AVRO_UNION:
        return put_union(d, plan, row, fits);
    case AVRO_RECORD:
        return put_fields(d, plan, row);
    default:
        return false;
    }
    column_set_valid(column, row);
    return true;
misfit:
    set_null(column, row);
    d->misfits++;
    *fits = false;
    return true;
}

/* ---- records to rows ---- */

/* A field of the record; what was not taken of it is rescued whole. */
static bool put_top(AvroDecoder *d, int field, uint64_t row)
{
    const AvroPlan *plan = &d->root.children[field];
    const AvroType *from = d->head->type->children[field];
    const char *start = d->p;
    int64_t before = d->misfits + d->unknowns;
    bool fits = true;
    int at = d->root.fields[field];
    bool needed = at >= 0 && (!d->target->needed || d->target->needed[at]);
    if (at < 0) {
        if (!skip(d, from, NULL))
            return false;
        d->unknowns += d->p - start > (from->kind == AVRO_UNION); /* more than the branch of a NULL */
    } else if (!needed) {
        set_null(chunk_column_mut(d->chunk, at), row);
        return skip(d, from, NULL);
    } else if (!put(d, plan, row, &fits)) {
        return false;
    }
    if (d->misfits + d->unknowns == before || !d->rescue_wanted)
        return true;
    const char *behind = d->p;
    d->p = start;
    str_buf_clear(&d->value);
    if (!skip(d, from, &d->value))
        return false;
    silt_assert(d->p == behind);
    Str name = str_of(d->head->type->names[field]);
    rescue_put(&d->rescue, &name, 1, str_buf_view(&d->value));
    return true;
}

static int broken(AvroDecoder *d, const char *what, SiltErr *err)
{
    return silt_fail(err, SILT_INPUT, "could not read the Avro block at byte %lld of %s: %s", (long long)d->position, d->block.source_name, what);
}

/* ROW_MADE, ROW_NONE, < 0 */
enum { ROW_MADE, ROW_NONE };

static int next_row(AvroDecoder *d, uint64_t row, SiltErr *err)
{
    d->misfits = d->unknowns = 0;
    d->refusal = NULL;
    if (d->rescue.any)
        rescue_clear(&d->rescue);
    const char *start = d->p;
    d->left--;
    for (int i = 0; i < d->head->type->count; i++)
        if (!put_top(d, i, row)) {
            d->left = 0; /* where the next record begins is not known: the rest of the block is lost */
            return broken(d, d->refusal ? d->refusal : "a record is not as the schema says", err);
        }
    for (int i = 0; i < d->root.missing_count; i++) {
        const AvroMissing *missing = &d->root.missing[i];
        Column *column = chunk_column_mut(d->chunk, missing->field);
        if (d->target->needed && !d->target->needed[missing->field])
            set_null(column, row);
        else
            silt_assert(put_missing(d, missing, column, row)); /* our own bytes */
    }
    d->counts.records++;
    d->counts.misfit_fields += d->misfits;
    d->counts.unknown_fields += d->unknowns;
    if (!d->misfits)
        return ROW_MADE;
    if (d->options->mode == FORMAT_MODE_FAIL) {
        broken(d, "a field that does not fit its type", err);
        return silt_code(err, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION");
    }
    if (d->options->mode != FORMAT_MODE_DROP)
        return ROW_MADE;
    d->counts.dropped++;
    FormatBadRecord bad = {.source = d->block.source,
                           .position = d->position,
                           .length = d->p - start,
                           .reason = "a field that does not fit its type",
                           .bytes = {start, (size_t)(d->p - start)}};
    return d->sink.put && d->sink.put(d->sink.self, &bad, err) < 0 ? -1 : ROW_NONE;
}

/* ---- blocks ---- */

static uint32_t crc_at(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3];
}

static char *room(AvroDecoder *d, size_t size)
{
    str_buf_clear(&d->bytes);
    str_buf_reserve(&d->bytes, size);
    return d->bytes.ptr;
}

static int inflate_block(AvroDecoder *d, Str in, SiltErr *err)
{
    size_t size = in.size * 4 + 1024, got = 0;
    char *out = room(d, size);
    z_stream z = {0};
    silt_assert(inflateInit2(&z, -15) == Z_OK);
    z.next_in = (Bytef *)(uintptr_t)in.ptr;
    z.avail_in = (uInt)in.size;
    int r;
    for (;;) {
        z.next_out = (Bytef *)out + got;
        z.avail_out = (uInt)(size - got);
        r = inflate(&z, Z_NO_FLUSH);
        got = size - z.avail_out;
        if (r != Z_OK || z.avail_out > 0 || (int64_t)size > d->options->record_bytes_max)
            break;
        d->bytes.size = got;
        str_buf_reserve(&d->bytes, size);
        out = d->bytes.ptr;
        size *= 2;
    }
    inflateEnd(&z);
    if (r != Z_STREAM_END)
        return broken(d, "its deflated bytes are broken", err);
    d->p = out;
    d->stop = out + got;
    return 0;
}

static int unpack(AvroDecoder *d, Str in, SiltErr *err)
{
    switch (d->head->codec) {
    case AVRO_CODEC_NULL:
        d->p = in.ptr;
        d->stop = in.ptr + in.size;
        return 0;
    case AVRO_CODEC_DEFLATE:
        return inflate_block(d, in, err);
    case AVRO_CODEC_SNAPPY: { /* with the CRC-32 of what was compressed behind it */
        size_t size;
        if (in.size < 4 || snappy_uncompressed_length(in.ptr, in.size - 4, &size) != SNAPPY_OK || (int64_t)size > d->options->record_bytes_max)
            return broken(d, "its snappy bytes are broken", err);
        char *out = room(d, size + 1);
        if (snappy_uncompress(in.ptr, in.size - 4, out, &size) != SNAPPY_OK)
            return broken(d, "its snappy bytes are broken", err);
        if (crc_at(in.ptr + in.size - 4) != (uint32_t)crc32(0, (const Bytef *)out, (uInt)size))
            return broken(d, "its checksum does not match", err);
        d->p = out;
        d->stop = out + size;
        return 0;
    }
    case AVRO_CODEC_ZSTD: {
        ZSTD_inBuffer input = {in.ptr, in.size, 0};
        ZSTD_DStream *stream = ZSTD_createDStream();
        size_t r = 1, size = 0;
        room(d, 1);
        while (!ZSTD_isError(r) && (input.pos < input.size || size == d->bytes.size) && (int64_t)d->bytes.size <= d->options->record_bytes_max) {
            str_buf_reserve(&d->bytes, ZSTD_DStreamOutSize());
            ZSTD_outBuffer output = {d->bytes.ptr + d->bytes.size, ZSTD_DStreamOutSize(), 0};
            r = ZSTD_decompressStream(stream, &output, &input);
            d->bytes.size += output.pos;
            if (input.pos == input.size && output.pos < output.size)
                break;
        }
        ZSTD_freeDStream(stream);
        if (r != 0)
            return broken(d, "its zstd bytes are broken", err);
        d->p = d->bytes.ptr;
        d->stop = d->p + d->bytes.size;
        return 0;
    }
    }
    return -1;
}

/* The next Avro block of the format block: 1, 0 at the end, < 0. */
static int next_block(AvroDecoder *d, SiltErr *err)
{
    if (d->next == d->end)
        return 0;
    const char *p = d->next;
    int64_t count, size;
    d->position = d->block.position + (p - d->block.ptr);
    d->next = d->end; /* until it is known where the next one begins */
    silt_assert(avro_long(&p, d->end, &count) && avro_long(&p, d->end, &size) && size <= d->end - p - 16); /* cut has seen it */
    if (count < 0)
        return broken(d, "a number of records below zero", err);
    if (memcmp(p + size, d->head->sync, 16) != 0)
        return broken(d, "the marker behind it is not that of the file", err);
    d->next = p + size + 16;
    SILT_TRY(unpack(d, (Str){p, (size_t)size}, err));
    if (count > d->stop - d->p && d->head->type->count > 0)
        return broken(d, "more records than bytes", err);
    d->left = count;
    return 1;
}

/* ---- FormatOps ---- */

int avro_decoder_new(const FormatOptions *options, const FormatTarget *target, const FormatSink *sink, FormatDecoder **out, SiltErr *err)
{
    (void)err;
    Arena *arena = arena_new();
    AvroDecoder *d = ARENA_NEW(arena, AvroDecoder);
    *d = (AvroDecoder){.options = options, .target = target, .arena = arena, .rescue_wanted = target->rescued_column >= 0};
    if (sink)
        d->sink = *sink;
    *out = (FormatDecoder *)d;
    return 0;
}

void avro_decoder_free(FormatDecoder *decoder)
{
    AvroDecoder *d = (AvroDecoder *)decoder;
    if (!d)
        return;
    str_buf_fini(&d->bytes);
    str_buf_fini(&d->value);
    rescue_fini(&d->rescue);
    chunk_unref(d->chunk);
    arena_free(d->plan_arena);
    arena_free(d->met_arena);
    arena_free(d->arena);
}

void avro_decoder_begin(FormatDecoder *decoder, const FormatBlock *block)
{
    AvroDecoder *d = (AvroDecoder *)decoder;
    d->block = *block;
    d->next = block->ptr;
    d->end = block->ptr + block->size;
    d->left = 0;
    if (block->unusable || d->head == block->head)
        return;
    d->head = block->head;
    if (!d->plan_arena)
        d->plan_arena = arena_new();
    arena_reset(d->plan_arena);
    d->place = avro_place_new(d->plan_arena, d->target->schema);
    d->unresolved = d->head->type && avro_plan(d->plan_arena, d->head->type, d->options->avro_reader, d->place, &d->root, &d->failure) < 0;
    if (d->target->collect_unknown) {
        if (!d->met_arena)
            d->met_arena = arena_new();
        d->met = d->met ? schema_add(d->met, d->head->schema, d->target->wider, d->met_arena) : type_copy(d->met_arena, d->head->schema);
    }
}

static void put_rescued(AvroDecoder *d, uint64_t row)
{
    Column *column = chunk_column_mut(d->chunk, d->target->rescued_column);
    if (!d->rescue.any) {
        column_set_null(column, row);
        return;
    }
    Str text = rescue_finish(&d->rescue, d->block.source_name);
    column_set_valid(column, row);
    column_set_string(column, row, text.ptr, text.size);
}

static int put_unusable(AvroDecoder *d, SiltErr *err)
{
    FormatBadRecord bad = {.source = d->block.source,
                           .position = d->block.position,
                           .length = d->block.unusable_length,
                           .reason = d->block.unusable,
                           .bytes = {d->block.ptr, d->block.size}};
    d->position = d->block.position;
    d->next = d->end;
    if (d->options->mode == FORMAT_MODE_FAIL)
        return broken(d, d->block.unusable, err);
    d->block.unusable = NULL;
    d->counts.records++;
    d->counts.undecodable++;
    return d->sink.put ? d->sink.put(d->sink.self, &bad, err) : 0;
}

static void bind_chunk(AvroDecoder *d)
{
    d->chunk = chunk_new(d->target->types, d->target->column_count);
    for (int i = 0; i < d->place->count; i++)
        avro_place_bind(&d->place->children[i], chunk_column_mut(d->chunk, i));
}

/* A failure: at once, or behind the rows that were read before it. Called again, the decoder goes on with the next Avro block. */
static int fail(AvroDecoder *d, uint64_t rows, const SiltErr *failure, SiltErr *err)
{
    d->failed = rows > 0;
    if (d->failed) {
        d->failure = *failure;
        return 0;
    }
    if (err)
        *err = *failure;
    return -1;
}

int avro_decoder_next(FormatDecoder *decoder, Chunk **out, int *rows, SiltErr *err)
{
    AvroDecoder *d = (AvroDecoder *)decoder;
    uint64_t row = 0;
    SiltErr failure = {0};
    *out = NULL;
    *rows = 0;
    if (d->failed)
        return fail(d, 0, &d->failure, err);
    if (d->unresolved && d->next < d->end && !d->block.unusable) {
        d->next = d->end;
        if (err)
            *err = d->failure;
        silt_context(err, "%s: ", d->block.source_name);
        return -1;
    }
    if (d->block.unusable)
        SILT_TRY(put_unusable(d, err));
    while (row < CHUNK_ROWS_MAX) {
        if (d->left == 0) {
            int r = next_block(d, &failure);
            if (r < 0 && fail(d, row, &failure, err) < 0)
                return -1;
            if (r <= 0)
                break;
            continue;
        }
        if (!d->chunk)
            bind_chunk(d);
        int made = next_row(d, row, &failure);
        if (made < 0 && fail(d, row, &failure, err) < 0)
            return -1;
        if (made < 0)
            break;
        if (made == ROW_NONE)
            continue;
        chunk_origins_mut(d->chunk)[row] = (ChunkOrigin){d->block.source, d->position};
        if (d->rescue_wanted)
            put_rescued(d, row);
        row++;
    }
    if (row == 0) {
        chunk_unrefp(&d->chunk);
        return 0;
    }
    for (int i = 0; i < d->place->count; i++)
        avro_place_settle(&d->place->children[i]);
    d->counts.rows += (int64_t)row;
    *out = d->chunk;
    *rows = (int)row;
    d->chunk = NULL;
    return 0;
}

const FormatCounts *avro_decoder_counts(const FormatDecoder *decoder)
{
    return &((const AvroDecoder *)decoder)->counts;
}

const Type *avro_decoder_met(const FormatDecoder *decoder)
{
    return ((const AvroDecoder *)decoder)->met;
}
