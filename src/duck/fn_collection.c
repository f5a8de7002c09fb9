/*
 * duck/fn_collection.c - arrays and map keys, where DuckDB's own functions treat NULL or order differently
 *
 * Functions over elements of any type give positions (from 1) rather than elements: list_select(a, silt_distinct(a)) then takes them,
 * so nothing nested is ever copied here.
 */
#include "duck/fn_text.h"
#include "duck/print.h"

#include <math.h>
#include <string.h>

/* ---- values of any type ---- */

static int fixed_size(const Type *type)
{
    switch (type->kind) {
    case TYPE_BOOLEAN:
    case TYPE_BYTE:
        return 1;
    case TYPE_SHORT:
        return 2;
    case TYPE_INT:
    case TYPE_DATE:
    case TYPE_INTERVAL_YM:
        return 4;
    case TYPE_INTERVAL:
        return 16;
    case TYPE_DECIMAL:
        return type->precision <= 4 ? 2 : type->precision <= 9 ? 4 : type->precision <= 18 ? 8 : 16;
    default:
        return 8;
    }
}

static bool same_value(const Column *a, uint64_t i, const Column *b, uint64_t k);

static bool same_list(const Column *a, uint64_t i, const Column *b, uint64_t k)
{
    ChunkList x = ((const ChunkList *)a->data)[i], y = ((const ChunkList *)b->data)[k];

    if (x.length != y.length)
        return false;
    for (int c = 0; c < a->child_count; c++)
        for (uint64_t n = 0; n < x.length; n++)
            if (!same_value(&a->children[c], x.offset + n, &b->children[c], y.offset + n))
                return false;
    return true;
}

/* Equal, NULLs too; NaN equals NaN and 0.0 equals -0.0, as in Spark. */
static bool same_value(const Column *a, uint64_t i, const Column *b, uint64_t k)
{
    bool na = column_is_null(a, i), nb = column_is_null(b, k);

    if (na || nb)
        return na && nb;
    switch (a->type->kind) {
    case TYPE_VOID:
        return true;
    case TYPE_FLOAT: {
        float x = ((const float *)a->data)[i], y = ((const float *)b->data)[k];
        return x == y || (isnan(x) && isnan(y));
    }
    case TYPE_DOUBLE: {
        double x = ((const double *)a->data)[i], y = ((const double *)b->data)[k];
        return x == y || (isnan(x) && isnan(y));
    }
    case TYPE_STRING:
    case TYPE_BINARY:
        return str_equal(chunk_string((const ChunkString *)a->data + i), chunk_string((const ChunkString *)b->data + k));
    case TYPE_ARRAY:
    case TYPE_MAP:
        return same_list(a, i, b, k);
    case TYPE_STRUCT:
    case TYPE_VARIANT:
        for (int c = 0; c < a->child_count; c++)
            if (!same_value(&a->children[c], i, &b->children[c], k))
                return false;
        return true;
    default: {
        size_t size = (size_t)fixed_size(a->type);

        return !memcmp((const char *)a->data + i * size, (const char *)b->data + k * size, size);
    }
    }
}

static bool contains(const Column *array, ChunkList list, const Column *value, uint64_t row)
{
    for (uint64_t n = 0; n < list.length; n++)
        if (same_value(&array->children[0], list.offset + n, value, row))
            return true;
    return false;
}

static ChunkList list_at(const Column *column, int row)
{
    return ((const ChunkList *)column->data)[row];
}

/* ---- positions ---- */

enum { ARRAY_MAX = 100000000 };

typedef struct Positions {
    Column *out;
    uint64_t count, start;
} Positions;

static void positions_begin(Positions *p)
{
    p->start = p->count;
}

static void positions_add(Positions *p, int64_t position)
{
    column_list_reserve(p->out, p->count + 1);
    ((int64_t *)p->out->children[0].data)[p->count++] = position;
}

static void positions_end(Positions *p, int row)
{
    ((ChunkList *)p->out->data)[row] = (ChunkList){p->start, p->count - p->start};
}

static bool seen_before(const Column *array, ChunkList list, uint64_t n)
{
    const Column *child = &array->children[0];

    for (uint64_t m = 0; m < n; m++)
        if (same_value(child, list.offset + m, child, list.offset + n))
            return true;
    return false;
}

static int distinct(FnCall *call, const Column *args, Column *out, int rows)
{
    Positions p = {.out = out};

    FN_ROWS(row, out, rows) {
        ChunkList list = list_at(&args[0], row);

        positions_begin(&p);
        for (uint64_t n = 0; n < list.length; n++)
            if (!seen_before(&args[0], list, n))
                positions_add(&p, (int64_t)n + 1);
        positions_end(&p, row);
    }
    return 0;
}

/* Distinct elements of the first array that are (or are not) in the second. */
static int filtered(const Column *args, Column *out, int rows, bool wanted)
{
    Positions p = {.out = out};

    FN_ROWS(row, out, rows) {
        ChunkList a = list_at(&args[0], row), b = list_at(&args[1], row);

        positions_begin(&p);
        for (uint64_t n = 0; n < a.length; n++)
            if (contains(&args[1], b, &args[0].children[0], a.offset + n) == wanted && !seen_before(&args[0], a, n))
                positions_add(&p, (int64_t)n + 1);
        positions_end(&p, row);
    }
    return 0;
}

static int intersect(FnCall *call, const Column *args, Column *out, int rows)
{
    return filtered(args, out, rows, true);
}

static int except(FnCall *call, const Column *args, Column *out, int rows)
{
    return filtered(args, out, rows, false);
}

/* slice(a, start, length): start from 1, or from the end */
static int slice(FnCall *call, const Column *args, Column *out, int rows)
{
    Positions p = {.out = out};

    FN_ROWS(row, out, rows) {
        int64_t size = (int64_t)list_at(&args[0], row).length, start = int_at(&args[1], row), length = int_at(&args[2], row);

        if (!start)
            return fn_fail(call, row, "INVALID_PARAMETER_VALUE.START", "slice counts from 1, or from the end with -1");
        if (length < 0)
            return fn_fail(call, row, "INVALID_PARAMETER_VALUE.LENGTH", "the length of a slice may not be negative");
        start = start > 0 ? start : size + start + 1;
        positions_begin(&p);
        for (int64_t n = start; start >= 1 && n < start + length && n <= size; n++)
            positions_add(&p, n);
        positions_end(&p, row);
    }
    return 0;
}

/*
 * silt_insert(size, at): where the elements of array_insert stand in the array with the new one behind it; one position more is a NULL. at counts
 * from 1, or from the end: -1 is behind the last.
 */
static int insert(FnCall *call, const Column *args, Column *out, int rows)
{
    Positions p = {.out = out};

    FN_ROWS(row, out, rows) {
        int64_t size = long_at(&args[0], row), at = int_at(&args[1], row), new = size + 1, fill = size + 2;
        int64_t place = at > 0 ? at - 1 : size + 1 + at, left = place < 0 ? -place : 0; /* NULLs between the new one and the rest */

        if (!at)
            return fn_fail(call, row, "INVALID_INDEX_OF_ZERO", "array_insert counts from 1, or from the end with -1");
        if (place > ARRAY_MAX || left > ARRAY_MAX)
            return fn_fail(call, row, "COLLECTION_SIZE_LIMIT_EXCEEDED.FUNCTION", "this array would have more than %d elements", ARRAY_MAX);
        positions_begin(&p);
        if (left)
            positions_add(&p, new);
        for (int64_t n = 0; n < left; n++)
            positions_add(&p, fill);
        for (int64_t n = 0; n < size || n < place; n++) {
            if (n == place && !left)
                positions_add(&p, new);
            positions_add(&p, n < size ? n + 1 : fill);
        }
        if (place >= size)
            positions_add(&p, new);
        positions_end(&p, row);
    }
    return 0;
}

/* Positions of all keys, once it is sure that none is NULL or there twice. */
static int map_keys(FnCall *call, const Column *args, Column *out, int rows)
{
    Positions p = {.out = out};

    FN_ROWS(row, out, rows) {
        ChunkList list = list_at(&args[0], row);

        positions_begin(&p);
        for (uint64_t n = 0; n < list.length; n++) {
            if (column_is_null(&args[0].children[0], list.offset + n))
                return fn_fail(call, row, "NULL_MAP_KEY", "a key of a map may not be NULL");
            if (seen_before(&args[0], list, n)) {
                str_buf_clear(call->scratch);
                value_print(call->scratch, &args[0].children[0], list.offset + n, NULL);
                return fn_fail(call, row, "DUPLICATED_MAP_KEY", "key %.*s stands twice in one map", FN_SHOW(str_buf_view(call->scratch)));
            }
            positions_add(&p, (int64_t)n + 1);
        }
        positions_end(&p, row);
    }
    return 0;
}

/* ---- with Spark's NULLs ---- */

static bool has_null(const Column *array, ChunkList list)
{
    for (uint64_t n = 0; n < list.length; n++)
        if (column_is_null(&array->children[0], list.offset + n))
            return true;
    return false;
}

static int array_contains(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        ChunkList list = list_at(&args[0], row);
        bool found = contains(&args[0], list, &args[1], (uint64_t)row);

        if (!found && has_null(&args[0], list))
            column_set_null(out, (uint64_t)row);
        else
            ((uint8_t *)out->data)[row] = found;
    }
    return 0;
}

static int array_position(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        ChunkList list = list_at(&args[0], row);
        int64_t at = 0;

        for (uint64_t n = 0; n < list.length && !at; n++)
            if (same_value(&args[0].children[0], list.offset + n, &args[1], (uint64_t)row))
                at = (int64_t)n + 1;
        ((int64_t *)out->data)[row] = at;
    }
    return 0;
}

static int arrays_overlap(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows) {
        ChunkList a = list_at(&args[0], row), b = list_at(&args[1], row);
        bool found = false;

        for (uint64_t n = 0; n < a.length && !found; n++)
            found = !column_is_null(&args[0].children[0], a.offset + n) && contains(&args[1], b, &args[0].children[0], a.offset + n);
        if (!found && a.length && b.length && (has_null(&args[0], a) || has_null(&args[1], b)))
            column_set_null(out, (uint64_t)row);
        else
            ((uint8_t *)out->data)[row] = found;
    }
    return 0;
}

/* Three-valued OR and AND over an array of booleans. */
static int any_or_all(const Column *args, Column *out, int rows, bool decides)
{
    FN_ROWS(row, out, rows) {
        ChunkList list = list_at(&args[0], row);
        const Column *child = &args[0].children[0];
        bool decided = false, unknown = false;

        for (uint64_t n = 0; n < list.length; n++) {
            if (column_is_null(child, list.offset + n))
                unknown = true;
            else if ((((const uint8_t *)child->data)[list.offset + n] != 0) == decides)
                decided = true;
        }
        if (!decided && unknown)
            column_set_null(out, (uint64_t)row);
        else
            ((uint8_t *)out->data)[row] = decided == decides;
    }
    return 0;
}

static int any(FnCall *call, const Column *args, Column *out, int rows)
{
    return any_or_all(args, out, rows, true);
}

static int all(FnCall *call, const Column *args, Column *out, int rows)
{
    return any_or_all(args, out, rows, false);
}

/* ---- sequences ---- */

static int sequence(FnCall *call, const Column *args, Column *out, int rows)
{
    Positions p = {.out = out};

    FN_ROWS(row, out, rows) {
        int64_t from = long_at(&args[0], row), to = long_at(&args[1], row), step = long_at(&args[2], row);

        if (from != to && (step == 0 || (step > 0) != (to > from)))
            return fn_fail(call, row, "_LEGACY_ERROR_TEMP_3239", "a sequence from %lld to %lld cannot be made in steps of %lld", (long long)from,
                           (long long)to, (long long)step);
        __int128 count = step ? ((__int128)to - from) / step + 1 : 1;

        if (count > ARRAY_MAX)
            return fn_fail(call, row, "COLLECTION_SIZE_LIMIT_EXCEEDED.FUNCTION", "this sequence would have more than %d elements", ARRAY_MAX);
        positions_begin(&p);
        for (__int128 n = 0; n < count; n++)
            positions_add(&p, from + (int64_t)n * step);
        positions_end(&p, row);
    }
    return 0;
}

const DuckFunction fn_collection[] = {
    {.name = "silt_distinct", .args = "any", .result = "array<bigint>", .eval = distinct},
    {.name = "silt_intersect", .args = "any, any", .result = "array<bigint>", .eval = intersect},
    {.name = "silt_except", .args = "any, any", .result = "array<bigint>", .eval = except},
    {.name = "silt_slice", .args = "any, int, int", .result = "array<bigint>", .flags = FN_FAILS, .eval = slice},
    {.name = "silt_insert", .args = "bigint, int", .result = "array<bigint>", .flags = FN_FAILS, .eval = insert},
    {.name = "silt_map_keys", .args = "any", .result = "array<bigint>", .flags = FN_FAILS, .eval = map_keys},
    {.name = "silt_array_contains", .args = "any, any", .result = "boolean", .eval = array_contains},
    {.name = "silt_array_position", .args = "any, any", .result = "bigint", .eval = array_position},
    {.name = "silt_arrays_overlap", .args = "any, any", .result = "boolean", .eval = arrays_overlap},
    {.name = "silt_any", .args = "array<boolean>", .result = "boolean", .eval = any},
    {.name = "silt_all", .args = "array<boolean>", .result = "boolean", .eval = all},
    {.name = "silt_sequence", .args = "bigint, bigint, bigint", .result = "array<bigint>", .flags = FN_FAILS, .eval = sequence},
    {0},
};
