/* duck/fn_file.c - what reading files with DuckDB's own readers takes: a file's facts by its number, values as exact JSON */
#include "base/json.h"
#include "duck/fn_text.h"
#include "duck/render.h"

/*
 * silt_pick_text(index, '["a",null,...]'), silt_pick_long(index, '[1,2,...]'): the item at an index, from 0; NULL beyond. The list is read when the
 * statement is prepared: as a list of DuckDB's it would be made anew for each chunk, which of many small files costs the square of their number.
 */
typedef struct Pick {
    const Str *texts; /* ptr NULL: NULL */
    const int64_t *numbers;
    int count;
} Pick;

static int prepare_pick(FnCall *call, SiltErr *err)
{
    const Column *list = &call->constants[1];
    const Json *json;

    if (!list->type || column_is_null(list, 0))
        return silt_fail(err, SILT_CONFIG, "%s needs a constant list", call->function->name);
    SILT_TRY(json_parse(call->arena, text_at(list, 0), &json, err));
    Pick *pick = ARENA_NEW(call->arena, Pick);
    Str *texts = ARENA_ARRAY(call->arena, Str, json_size(json) + 1);
    int64_t *numbers = ARENA_ARRAY(call->arena, int64_t, json_size(json) + 1);
    for (int i = 0; i < json_size(json); i++) {
        const Json *item = json_at(json, i);
        if (json_kind(item) == JSON_STRING)
            texts[i] = json_str(item, "");
        numbers[i] = json_int(item, 0);
    }
    *pick = (Pick){texts, numbers, json_size(json)};
    call->data = pick;
    return 0;
}

static int pick_text(FnCall *call, const Column *args, Column *out, int rows)
{
    const Pick *pick = call->data;

    FN_ROWS(row, out, rows) {
        int64_t at = long_at(&args[0], row);
        if (at < 0 || at >= pick->count || !pick->texts[at].ptr)
            column_set_null(out, (uint64_t)row);
        else
            text_put(out, row, pick->texts[at]);
    }
    return 0;
}

static int pick_long(FnCall *call, const Column *args, Column *out, int rows)
{
    const Pick *pick = call->data;

    FN_ROWS(row, out, rows) {
        int64_t at = long_at(&args[0], row);
        if (at < 0 || at >= pick->count)
            column_set_null(out, (uint64_t)row);
        else
            ((int64_t *)out->data)[row] = pick->numbers[at];
    }
    return 0;
}

/* render_json, with instants in UTC */
static int exact_json(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        str_buf_clear(call->scratch);
        render_json(call->scratch, &args[0], (uint64_t)row, NULL);
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

const DuckFunction fn_file[] = {
    {.name = "silt_pick_text", .args = "bigint, string", .result = "string", .eval = pick_text, .prepare = prepare_pick},
    {.name = "silt_pick_long", .args = "bigint, string", .result = "bigint", .eval = pick_long, .prepare = prepare_pick},
    {.name = "silt_exact_json", .args = "any", .result = "string", .eval = exact_json},
    {0},
};
