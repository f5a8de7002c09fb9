/*
 * duck/fn_json_path.c - get_json_object, json_tuple and the like: parts of a JSON text
 *
 * Paths are walked as Spark walks them over its parser's tokens, with the same odd corners: [*] over one match gives it without brackets, [*][*]
 * flattens. But of equal names the last that is not null counts, as everywhere in Silt; Spark takes the first here and the last in from_json.
 */
#include "duck/fn_text.h"
#include "duck/json_node.h"

/* ---- paths ---- */

typedef enum StepKind { STEP_NAME, STEP_INDEX, STEP_ALL, STEP_NOTHING } StepKind;

typedef struct Step {
    StepKind kind;
    Str name;
    int64_t index;
} Step;

typedef struct Path {
    Step *steps;
    int count, capacity;
} Path;

static const char *find_end(const char *p, const char *end, const char *stops)
{
    while (p < end && !strchr(stops, *p))
        p++;
    return p;
}

/* One step at *at. False: malformed. */
static bool read_step(const char **at, const char *end, Step *step)
{
    const char *p = *at, *to;

    if (*p == '.') {
        to = find_end(p + 1, end, ".[");
        *step = (Step){.kind = STEP_NAME, .name = {p + 1, (size_t)(to - p - 1)}};
        if (str_is(step->name, "*"))
            step->kind = STEP_NOTHING; /* Spark reads it, and matches nothing by it */
        *at = to;
        return to > p + 1;
    }
    if (*p != '[')
        return false;
    if (end - p > 1 && p[1] == '\'') {
        to = find_end(p + 2, end, "'");
        *step = (Step){.kind = STEP_NAME, .name = {p + 2, (size_t)(to - p - 2)}};
        *at = to + 2;
        return to > p + 2 && end - to >= 2 && to[1] == ']';
    }
    to = find_end(p, end, "]");
    Str inside = {p + 1, to > p ? (size_t)(to - p - 1) : 0};

    *at = to + 1;
    *step = (Step){.kind = str_is(inside, "*") ? STEP_ALL : STEP_INDEX};
    return to < end && (step->kind == STEP_ALL || (inside.size && inside.ptr[0] >= '0' && inside.ptr[0] <= '9' && str_to_int64(inside, &step->index)));
}

static bool read_path(Arena *arena, Str text, Path *out)
{
    const char *p = text.ptr + 1, *end = text.ptr + text.size;

    if (!text.size || text.ptr[0] != '$')
        return false;
    while (p < end) {
        Step step;

        if (!read_step(&p, end, &step))
            return false;
        ARENA_PUSH(arena, out->steps, out->count, out->capacity, step);
    }
    return true;
}

/* ---- walking ---- */

/* Where values go: into an array, if one is open, with commas between. */
typedef struct Output {
    StrBuf *text;
    bool in_array, any;
} Output;

static void next_value(Output *out)
{
    if (out->in_array && out->any)
        str_buf_putc(out->text, ',');
    out->any = true;
}

typedef enum Style { STYLE_RAW, STYLE_QUOTED, STYLE_FLATTEN } Style;

static bool walk(const Node *node, const Step *step, const Step *end, Style style, Output *out);

/* Each item; how many of them gave something. */
static int walk_items(const Node *array, const Step *step, const Step *end, Style style, Output *out)
{
    int found = 0;

    for (int i = 0; i < array->count; i++)
        found += walk(array->items[i], step, end, style, out);
    return found;
}

/* Every item's matches as an array. strip: a single one stands without brackets, and none writes nothing. */
static bool walk_all(const Node *array, const Step *step, const Step *end, Style style, bool strip, Output *out)
{
    silt_auto(str_buf_fini) StrBuf text = {0};
    Output inner = {.text = &text, .in_array = true};
    int found = walk_items(array, step, end, style, &inner);

    if (strip && !found)
        return false;
    next_value(out);
    if (strip && found == 1) {
        str_buf_str(out->text, str_buf_view(&text));
        return true;
    }
    str_buf_putc(out->text, '[');
    str_buf_str(out->text, str_buf_view(&text));
    str_buf_putc(out->text, ']');
    return found > 0;
}

static bool walk_member(const Node *object, const Step *step, const Step *end, Style style, Output *out)
{
    for (int i = object->count - 1; i >= 0; i--)
        if (str_equal(object->keys[i], step->name) && object->items[i]->kind != NODE_NULL && walk(object->items[i], step + 1, end, style, out))
            return true;
    return false;
}

static bool walk(const Node *node, const Step *step, const Step *end, Style style, Output *out)
{
    if (step == end) {
        if (node->kind == NODE_ARRAY && style == STYLE_FLATTEN)
            return walk_items(node, step, end, style, out) > 0;
        next_value(out);
        if (node->kind == NODE_STRING && style == STYLE_RAW)
            str_buf_str(out->text, node->text);
        else
            node_put(out->text, node);
        return true;
    }
    bool next_all = step + 1 < end && step[1].kind == STEP_ALL;

    if (step->kind == STEP_NAME)
        return node->kind == NODE_OBJECT && walk_member(node, step, end, style, out);
    if (node->kind != NODE_ARRAY || step->kind == STEP_NOTHING)
        return false;
    if (step->kind == STEP_INDEX)
        return step->index < node->count && walk(node->items[step->index], step + 1, end, next_all ? STYLE_QUOTED : style, out);
    if (next_all)
        return walk_all(node, step + 2, end, STYLE_FLATTEN, false, out);
    return walk_all(node, step + 1, end, style == STYLE_FLATTEN ? STYLE_FLATTEN : STYLE_QUOTED, style != STYLE_QUOTED, out);
}

static int get_json_object(FnCall *call, const Column *args, Column *out, int rows)
{
    silt_auto(arena_freep) Arena *arena = arena_new();

    FN_ROWS(row, out, rows) {
        Path path = {0};
        Output found = {.text = call->scratch};

        arena_reset(arena);
        str_buf_clear(call->scratch);
        const Node *node = read_path(arena, text_at(&args[1], row), &path) ? node_read(arena, text_at(&args[0], row), NODE_SINGLE_QUOTES) : NULL;

        if (node && walk(node, path.steps, path.steps + path.count, STYLE_RAW, &found))
            text_put_buf(out, row, call->scratch);
        else
            column_set_null(out, (uint64_t)row);
    }
    return 0;
}

/* ---- parts by name, sizes, names ---- */

/* One member of the object, as get_json_object would give it. */
static int json_field(FnCall *call, const Column *args, Column *out, int rows)
{
    Arena *arena = arena_new();

    FN_ROWS(row, out, rows) {
        arena_reset(arena);
        const Node *node = node_read(arena, text_at(&args[0], row), NODE_SINGLE_QUOTES);
        const Node *field = node && node->kind == NODE_OBJECT ? node_member(node, text_at(&args[1], row)) : NULL;

        if (!field || field->kind == NODE_NULL) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        str_buf_clear(call->scratch);
        if (field->kind == NODE_STRING)
            str_buf_str(call->scratch, field->text);
        else
            node_put(call->scratch, field);
        text_put_buf(out, row, call->scratch);
    }
    arena_free(arena);
    return 0;
}

static int array_length(FnCall *call, const Column *args, Column *out, int rows)
{
    Arena *arena = arena_new();

    FN_ROWS(row, out, rows) {
        arena_reset(arena);
        const Node *node = node_read(arena, text_at(&args[0], row), NODE_SINGLE_QUOTES);

        if (!node || node->kind != NODE_ARRAY)
            column_set_null(out, (uint64_t)row);
        else
            ((int32_t *)out->data)[row] = node->count;
    }
    arena_free(arena);
    return 0;
}

static int object_keys(FnCall *call, const Column *args, Column *out, int rows)
{
    Arena *arena = arena_new();
    uint64_t used = 0;

    FN_ROWS(row, out, rows) {
        arena_reset(arena);
        const Node *node = node_read(arena, text_at(&args[0], row), NODE_SINGLE_QUOTES);

        if (!node || node->kind != NODE_OBJECT) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        column_list_reserve(out, used + (uint64_t)node->count);
        for (int i = 0; i < node->count; i++)
            text_put(&out->children[0], (int)used + i, node->keys[i]);
        ((ChunkList *)out->data)[row] = (ChunkList){used, (uint64_t)node->count};
        used += (uint64_t)node->count;
    }
    arena_free(arena);
    return 0;
}

const DuckFunction fn_json_path[] = {
    {.name = "silt_get_json_object", .args = "string, string", .result = "string", .eval = get_json_object},
    {.name = "silt_json_field", .args = "string, string", .result = "string", .eval = json_field},
    {.name = "silt_json_array_length", .args = "string", .result = "int", .eval = array_length},
    {.name = "silt_json_object_keys", .args = "string", .result = "array<string>", .eval = object_keys},
    {0},
};
