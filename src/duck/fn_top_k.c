/*
 * duck/fn_top_k.c - approx_top_k, and its sketches that are kept, combined and asked
 *
 * The aggregates count exactly and in the end take the values in ascending order into the table that Spark would have, so that the same rows give the
 * same answer in whatever order they come; memory grows with the different values. Spark writes the table of each partition down and merges
 * what it reads of it into another: so is done here as for one partition, since the order of items with the same count depends on it.
 */
#include "duck/functions.h"
#include "duck/top_k.h"

#include <stdlib.h>
#include <string.h>

/* ---- counting ---- */

typedef struct Counted {
    Frequent *table; /* NULL: no row yet */
    Type type;       /* of the values: one without parts */
    int64_t nulls;
    int32_t size; /* the second argument */
    StrBuf scratch;
} Counted;

/* Value, a constant: see the finish of each. */
static int count_update(AggCall *call, void *state, const Column *args, int row)
{
    Counted *c = state;

    if (!c->table) {
        c->table = frequent_new(FREQUENT_LG_UNBOUNDED, FREQUENT_LG_LEAST);
        c->type = *args[0].type;
        c->size = ((const int32_t *)args[1].data)[row];
    }
    if (column_is_null(&args[0], (uint64_t)row)) {
        c->nulls++;
        return 0;
    }
    TopKItem item = top_k_item(&args[0], (uint64_t)row);
    str_buf_clear(&c->scratch);
    top_k_item_write(&c->scratch, &c->type, &item);
    frequent_add(c->table, str_buf_view(&c->scratch), top_k_item_hash(&c->type, &item), 1);
    return 0;
}

static void count_combine(void *into, void *from)
{
    Counted *a = into;
    const Counted *b = from;

    if (!b->table)
        return;
    if (!a->table) {
        a->table = frequent_new(FREQUENT_LG_UNBOUNDED, FREQUENT_LG_LEAST);
        a->type = b->type;
        a->size = b->size;
    }
    frequent_merge(a->table, b->table);
    a->nulls += b->nulls;
}

static void count_destroy(void *state)
{
    Counted *c = state;

    frequent_free(c->table);
    str_buf_fini(&c->scratch);
}

typedef struct Entry {
    FrequentItem frequent;
    TopKItem value;
    const Type *type;
} Entry;

static int by_value(const void *x, const void *y)
{
    const Entry *a = x, *b = y;

    return top_k_item_order(a->type, &a->value, &b->value);
}

/* Of Spark's table of one partition that of the whole. */
static Frequent *across_partitions(Frequent *part, int lg_most)
{
    Frequent *read = frequent_reread(part), *all = frequent_new(lg_most, FREQUENT_LG_LEAST);

    frequent_merge(all, read);
    frequent_free(read);
    frequent_free(part);
    return all;
}

/* What was counted, in ascending order, in a table of this size. */
static Frequent *settled(const Counted *c, int lg_most)
{
    uint64_t count = frequent_size(c->table);
    FrequentItem *items = silt_alloc(count * sizeof *items + 1);
    Entry *entries = silt_alloc(count * sizeof *entries + 1);
    Frequent *table = frequent_new(lg_most, FREQUENT_LG_LEAST);

    frequent_in_slots(c->table, items);
    for (uint64_t i = 0; i < count; i++) {
        Str rest = items[i].bytes;
        entries[i] = (Entry){.frequent = items[i], .type = &c->type};
        bool read = top_k_item_read(&c->type, &rest, &entries[i].value);
        silt_assert(read); /* we wrote it */
    }
    qsort(entries, count, sizeof *entries, by_value);
    for (uint64_t i = 0; i < count; i++)
        frequent_add(table, entries[i].frequent.bytes, entries[i].frequent.hash, entries[i].frequent.count);
    free(entries);
    free(items);
    return across_partitions(table, lg_most);
}

/* ---- the most frequent, as bytes: BIGINT count, a byte 1 and the item, or 0 for NULL ---- */

static void put_entry(StrBuf *out, int64_t count, const FrequentItem *item)
{
    str_buf_add(out, (const char *)&count, sizeof count);
    str_buf_putc(out, item != NULL);
    if (item)
        str_buf_str(out, item->bytes);
}

/* Up to k of them; NULL has its place behind those as frequent. */
static void put_ranked(StrBuf *out, const Frequent *table, int64_t nulls, int64_t k)
{
    FrequentItem *items = silt_alloc(frequent_size(table) * sizeof *items + 1);
    uint64_t count = frequent_ranked(table, items);

    for (uint64_t i = 0; k > 0 && (i < count || nulls > 0); k--)
        if (nulls > 0 && (i == count || nulls > items[i].count)) {
            put_entry(out, nulls, NULL);
            nulls = 0;
        } else {
            put_entry(out, items[i].count, &items[i]);
            i++;
        }
    free(items);
}

/* The constant is k. */
static int ranked_finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Counted *c = state;
    silt_auto(str_buf_fini) StrBuf bytes = {0};

    if (!c->table) {
        column_set_null(out, row);
        return 0;
    }
    Frequent *table = settled(c, FREQUENT_LG_UNBOUNDED);
    put_ranked(&bytes, table, c->nulls, c->size);
    frequent_free(table);
    column_set_string(out, row, bytes.ptr, bytes.size);
    return 0;
}

/* Those bytes as rows from `used` on of an ARRAY of STRUCT item, count; how many. */
static uint64_t set_entries(Column *out, uint64_t row, uint64_t used, Str bytes)
{
    const Type *type = out->type->element->fields[0].type;
    uint64_t first = used;

    for (Str rest = bytes; rest.size > 0; used++) {
        TopKItem item;
        int64_t count;
        memcpy(&count, rest.ptr, sizeof count);
        bool is_null = !rest.ptr[sizeof count];
        rest = (Str){rest.ptr + sizeof count + 1, rest.size - sizeof count - 1};
        column_list_reserve(out, used + 1);
        Column *fields = out->children[0].children;
        ((int64_t *)fields[1].data)[used] = count;
        if (is_null) {
            column_set_null(&fields[0], used);
            continue;
        }
        bool read = top_k_item_read(type, &rest, &item);
        silt_assert(read); /* we wrote it */
        top_k_item_set(&fields[0], used, &item);
    }
    ((ChunkList *)out->data)[row] = (ChunkList){first, used - first};
    return used;
}

/* What ranked_finish gave; of no rows there is nothing. */
static int entries(FnCall *call, const Column *args, Column *out, int rows)
{
    uint64_t used = 0;

    for (int row = 0; row < rows; row++)
        used = set_entries(out, (uint64_t)row, used, column_text(&args[0], (uint64_t)row));
    return 0;
}

/* ---- sketches ---- */

/* The constant is how many items are tracked. */
static int sketch_finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    const Counted *c = state;
    silt_auto(str_buf_fini) StrBuf bytes = {0};

    if (!c->table) {
        column_set_null(out, row);
        return 0;
    }
    Frequent *table = settled(c, top_k_slots_lg(c->size));
    top_k_write(&bytes, &c->type, table, c->nulls);
    frequent_free(table);
    column_set_string(out, row, bytes.ptr, bytes.size);
    return 0;
}

/* Of no rows: how many items are tracked. */
static int sketch_empty(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        Frequent *table = frequent_new(top_k_slots_lg(((const int32_t *)args[0].data)[row]), FREQUENT_LG_LEAST);
        str_buf_clear(call->scratch);
        top_k_write(call->scratch, type_simple(TYPE_INT), table, 0);
        frequent_free(table);
        column_set_string(out, (uint64_t)row, call->scratch->ptr, call->scratch->size);
    }
    return 0;
}

/* A sketch with what belongs to it, in a row of a STRUCT; text is borrowed. */
typedef struct State {
    Str sketch, ddl;
    int32_t tracked;
} State;

/* False: it, or a part of it, is NULL. */
static bool state_at(const Column *column, uint64_t row, State *out)
{
    const Column *parts = column->children;

    if (column_is_null(column, row) || column_is_null(&parts[0], row) || column_is_null(&parts[1], row) || column_is_null(&parts[3], row))
        return false;
    *out = (State){column_text(&parts[0], row), column_text(&parts[3], row), ((const int32_t *)parts[1].data)[row]};
    return true;
}

static int refuse_null(FnCall *call, int row)
{
    return fn_fail(call, row, "FAILED_FUNCTION_CALL", "a sketch of approx_top_k must not be NULL, nor one of its fields but itemDataType");
}

static int refuse_bytes(FnCall *call, int row, size_t size)
{
    return fn_fail(call, row, "FAILED_FUNCTION_CALL", "these %zu bytes are no sketch of approx_top_k with items of that type", size);
}

/* State, k. */
static int estimate(FnCall *call, const Column *args, Column *out, int rows)
{
    const Type *type = out->type->element->fields[0].type;
    uint64_t used = 0;

    for (int row = 0; row < rows; row++) {
        int32_t k = ((const int32_t *)args[1].data)[row];
        State state;
        Frequent *table;
        int64_t nulls;

        if (!state_at(&args[0], (uint64_t)row, &state))
            return refuse_null(call, row);
        if (state.tracked <= 0)
            return fn_fail(call, row, "APPROX_TOP_K_NON_POSITIVE_ARG", "maxItemsTracked of a sketch is from 1 to %d, not %d", TOP_K_ITEMS_MOST, state.tracked);
        if (state.tracked > TOP_K_ITEMS_MOST)
            return fn_fail(call, row, "APPROX_TOP_K_MAX_ITEMS_TRACKED_EXCEEDS_LIMIT", "maxItemsTracked of a sketch is from 1 to %d, not %d", TOP_K_ITEMS_MOST, state.tracked);
        if (state.tracked < k)
            return fn_fail(call, row, "APPROX_TOP_K_MAX_ITEMS_TRACKED_LESS_THAN_K", "k must not be above maxItemsTracked: %d is above %d", k, state.tracked);
        if (!top_k_read(type, state.sketch, &table, &nulls))
            return refuse_bytes(call, row, state.sketch.size);
        str_buf_clear(call->scratch);
        put_ranked(call->scratch, table, nulls, k);
        frequent_free(table);
        used = set_entries(out, (uint64_t)row, used, str_buf_view(call->scratch));
    }
    return 0;
}

static int by_bytes(const void *x, const void *y)
{
    const Str *a = &((const State *)x)->sketch, *b = &((const State *)y)->sketch;
    int order = memcmp(a->ptr, b->ptr, a->size < b->size ? a->size : b->size);

    return order ? order : (a->size > b->size) - (a->size < b->size);
}

/* The states of a list in order; NULL with the failure. Of the caller. */
static State *states_of(FnCall *call, const Column *list, int row, uint64_t *count)
{
    ChunkList range = column_is_null(list, (uint64_t)row) ? (ChunkList){0} : ((const ChunkList *)list->data)[row];
    State *states = silt_alloc(range.length * sizeof *states + 1);
    bool whole = range.length > 0;

    for (uint64_t i = 0; whole && i < range.length; i++)
        whole = state_at(&list->children[0], range.offset + i, &states[i]);
    *count = range.length;
    if (whole) {
        qsort(states, range.length, sizeof *states, by_bytes);
        return states;
    }
    if (range.length == 0)
        fn_fail(call, row, "FAILED_FUNCTION_CALL", "there is nothing to combine: of no sketches nobody knows the type of their items");
    else
        refuse_null(call, row);
    free(states);
    return NULL;
}

/* The type that a state names: "item INT NOT NULL". NULL with the failure. */
static const Type *named_type(FnCall *call, int row, Arena *arena, Str ddl)
{
    SiltErr err = {0};
    const Type *type = NULL;

    if (type_parse_ddl(arena, ddl, false, &type, &err) < 0 || type->field_count < 1) {
        fn_fail(call, row, "PARSE_SYNTAX_ERROR", "\"%.*s\" names no type of items, as \"item INT NOT NULL\" does", FN_SHOW(ddl));
        return NULL;
    }
    if (!top_k_counts(type->fields[0].type)) {
        fn_fail(call, row, "FAILED_FUNCTION_CALL", "approx_top_k does not count %s", type_text(arena, type->fields[0].type));
        return NULL;
    }
    return type->fields[0].type;
}

/* Merge them into one table of tracked items, or, where that is 0, of what they track. < 0 with the failure. */
static int merge_states(FnCall *call, int row, const State *states, uint64_t count, int tracked, const Type *type, Frequent **out, int64_t *nulls)
{
    int lg_most = top_k_slots_lg(tracked > 0 ? tracked : TOP_K_ITEMS_MOST);
    Frequent *all = frequent_new(lg_most, FREQUENT_LG_LEAST), *read;
    int64_t some;

    *nulls = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (!top_k_read(type, states[i].sketch, &read, &some)) {
            frequent_free(all);
            return refuse_bytes(call, row, states[i].sketch.size);
        }
        if (frequent_weight(read) > INT64_MAX - frequent_weight(all) || some > INT64_MAX - *nulls) {
            frequent_free(read);
            frequent_free(all);
            return fn_fail(call, row, "FAILED_FUNCTION_CALL", "these sketches together have counted more rows than a BIGINT can tell");
        }
        frequent_merge(all, read);
        frequent_free(read);
        *nulls += some;
    }
    *out = across_partitions(all, lg_most);
    return 0;
}

/* They must agree in the type, and in what they track unless that is said. */
static int check_states(FnCall *call, int row, const State *states, uint64_t count, int tracked, Arena *arena, const Type **type)
{
    *type = named_type(call, row, arena, states[0].ddl);
    if (!*type)
        return -1;
    for (uint64_t i = 1; i < count; i++) {
        const Type *other = str_equal(states[i].ddl, states[0].ddl) ? *type : named_type(call, row, arena, states[i].ddl);
        if (!other)
            return -1;
        if (tracked == 0 && states[i].tracked != states[0].tracked)
            return fn_fail(call, row, "APPROX_TOP_K_SKETCH_SIZE_NOT_MATCH", "sketches that track %d and %d items are combined only where it is said how many: approx_top_k_combine(s, 1000)",
                           states[0].tracked, states[i].tracked);
        if (!type_equal(*type, other, false))
            return fn_fail(call, row, "APPROX_TOP_K_SKETCH_TYPE_NOT_MATCH", "sketches of %s and %s cannot be combined", type_text(arena, *type), type_text(arena, other));
    }
    return 0;
}

/* A list of states, how many items are tracked or 0. */
static int combine_one(FnCall *call, const Column *args, Column *out, int row)
{
    int tracked = ((const int32_t *)args[1].data)[row];
    silt_auto(arena_freep) Arena *arena = arena_new();
    const Type *type;
    Frequent *table = NULL;
    int64_t nulls = 0;
    uint64_t count;

    State *states = states_of(call, &args[0], row, &count);
    if (!states)
        return -1;
    int r = check_states(call, row, states, count, tracked, arena, &type);
    r = r < 0 ? r : merge_states(call, row, states, count, tracked, type, &table, &nulls);
    if (r == 0) {
        str_buf_clear(call->scratch);
        top_k_write(call->scratch, type, table, nulls);
        frequent_free(table);
        column_set_string(&out->children[0], (uint64_t)row, call->scratch->ptr, call->scratch->size);
        ((int32_t *)out->children[1].data)[row] = tracked > 0 ? tracked : states[0].tracked;
        column_set_null(&out->children[2], (uint64_t)row);
        str_buf_clear(call->scratch);
        top_k_put_ddl(call->scratch, type);
        column_set_string(&out->children[3], (uint64_t)row, call->scratch->ptr, call->scratch->size);
    }
    free(states);
    return r;
}

static int combine(FnCall *call, const Column *args, Column *out, int rows)
{
    for (int row = 0; row < rows; row++)
        SILT_TRY(combine_one(call, args, out, row));
    return 0;
}

const DuckFunction fn_top_k[] = {
    {.name = "silt_top_k", .args = "binary", .flags = FN_NULLS, .eval = entries},
    {.name = "silt_top_k_empty", .args = "int", .result = "binary", .eval = sketch_empty},
    {.name = "silt_top_k_estimate", .args = "any, int", .flags = FN_NULLS | FN_FAILS, .eval = estimate},
    {.name = "silt_top_k_combine", .args = "any, int", .flags = FN_NULLS | FN_FAILS, .eval = combine},
    {0},
};

#define COUNTED(sql_name, done)                                                                                                            \
    {.name = sql_name, .args = "any, int", .result = "binary", .flags = FN_NULLS, .state_size = sizeof(Counted), .update = count_update,   \
     .combine = count_combine, .finish = done, .destroy = count_destroy}

const DuckAggregate agg_top_k[] = {
    COUNTED("silt_top_k_ranked", ranked_finish),
    COUNTED("silt_top_k_sketch", sketch_finish),
    {0},
};
