/* duck/fn_cast_print.c - CAST(anything AS STRING), which cannot fail: silt_to_string(value); and the text of partition values */
#include "duck/fn_cast.h"
#include "duck/internal.h"
#include "duck/print.h"

#include <string.h>

int fn_cast_string(FnCall *call, const Column *args, Column *out, int rows)
{
    SiltErr err;
    const Zone *zone = duck__session_zone(call->session, &err);
    if (!zone)
        return fn_fail(call, 0, err.code, "%s", err.message);
    FN_ROWS(row, out, rows)
    {
        Str bytes = args[0].type->kind == TYPE_BINARY ? chunk_string((const ChunkString *)args[0].data + row) : (Str){0};
        if (bytes.size && utf8_valid(bytes)) { /* values of Kafka, as a rule */
            column_set_string(out, (uint64_t)row, bytes.ptr, bytes.size);
            continue;
        }
        str_buf_clear(call->scratch);
        value_print(call->scratch, &args[0], (uint64_t)row, zone);
        column_set_string(out, (uint64_t)row, str_buf_text(call->scratch), call->scratch->size);
    }
    return 0;
}

/* As a Delta log holds it: a timestamp in UTC with a Z; an empty string stands for NULL there. */
static int partition_text(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        StrBuf *text = call->scratch;
        str_buf_clear(text);
        value_print(text, &args[0], (uint64_t)row, NULL);
        if (args[0].type->kind == TYPE_TIMESTAMP) {
            *strchr(text->ptr, ' ') = 'T';
            str_buf_putc(text, 'Z');
        }
        if (text->size == 0)
            column_set_null(out, (uint64_t)row);
        else
            column_set_string(out, (uint64_t)row, text->ptr, text->size);
    }
    return 0;
}

const DuckFunction fn_cast_print[] = {
    {.name = "silt_to_string", .args = "any", .result = "string", .eval = fn_cast_string},
    {.name = "silt_partition_text", .args = "any", .result = "string", .eval = partition_text},
    {0},
};
