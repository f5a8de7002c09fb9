/* duck/fn_xpath.c - xpath and its kin: silt_xpath_*(text, expression, pos) */
#include <math.h>

#include "duck/fn_text.h"
#include "duck/xml_path.h"

/* used: rows of out's list that are taken. */
typedef int PutValue(XmlPath *path, Str text, Column *out, uint64_t row, uint64_t *used, SiltErr *err);

/* An expression is compiled for each call of eval: libxml2 writes into what it has compiled. */
static int each_row(FnCall *call, const Column *args, Column *out, int rows, PutValue *put)
{
    silt_auto(xml_path_freep) XmlPath *path = NULL;
    SiltErr err = {0};
    uint64_t used = 0;

    FN_ROWS(row, out, rows)
    {
        Str text = text_at(&args[0], row), expression = text_at(&args[1], row); /* which is the same in all rows */

        if (!text.size || !expression.size) {
            column_set_null(out, (uint64_t)row);
            continue;
        }
        if (!path && xml_path_new(expression, &path, &err) < 0)
            return fn_fail(call, row, "FAILED_EXECUTE_UDF", "the XPath \"%.*s\": %s", FN_SHOW(expression), err.message);
        if (put(path, text, out, (uint64_t)row, &used, &err) < 0)
            return fn_fail(call, row, "FAILED_EXECUTE_UDF", "\"%.*s\": %s", FN_SHOW(text), err.message);
    }
    return 0;
}

static int put_boolean(XmlPath *path, Str text, Column *out, uint64_t row, uint64_t *used, SiltErr *err)
{
    (void)used;
    bool value;

    SILT_TRY(xml_path_boolean(path, text, &value, err));
    ((uint8_t *)out->data)[row] = value;
    return 0;
}

/* Java's conversions of a double: NaN is 0, what is too large the largest; a SMALLINT is cut from an INT. */
static int64_t whole(double value, int64_t min, int64_t max)
{
    return isnan(value) ? 0 : value >= (double)max ? max : value <= (double)min ? min : (int64_t)value;
}

static int put_number(XmlPath *path, Str text, Column *out, uint64_t row, uint64_t *used, SiltErr *err)
{
    (void)used;
    double value;

    SILT_TRY(xml_path_number(path, text, &value, err));
    switch ((int)out->type->kind) {
    case TYPE_SHORT:
        ((int16_t *)out->data)[row] = (int16_t)whole(value, INT32_MIN, INT32_MAX);
        break;
    case TYPE_INT:
        ((int32_t *)out->data)[row] = (int32_t)whole(value, INT32_MIN, INT32_MAX);
        break;
    case TYPE_LONG:
        ((int64_t *)out->data)[row] = whole(value, INT64_MIN, INT64_MAX);
        break;
    case TYPE_FLOAT:
        ((float *)out->data)[row] = (float)value;
        break;
    default:
        ((double *)out->data)[row] = value;
    }
    return 0;
}

static int put_string(XmlPath *path, Str text, Column *out, uint64_t row, uint64_t *used, SiltErr *err)
{
    (void)used;
    silt_auto(str_buf_fini) StrBuf value = {0};

    SILT_TRY(xml_path_string(path, text, &value, err));
    column_set_string(out, row, str_buf_text(&value), value.size);
    return 0;
}

static int put_list(XmlPath *path, Str text, Column *out, uint64_t row, uint64_t *used, SiltErr *err)
{
    int count;

    SILT_TRY(xml_path_nodes(path, text, &count, err));
    column_list_reserve(out, *used + (uint64_t)count);
    for (int i = 0; i < count; i++) {
        Str value;

        if (xml_path_node(path, i, &value))
            column_set_string(&out->children[0], *used + (uint64_t)i, value.ptr, value.size);
        else
            column_set_null(&out->children[0], *used + (uint64_t)i);
    }
    ((ChunkList *)out->data)[row] = (ChunkList){*used, (uint64_t)count};
    *used += (uint64_t)count;
    return 0;
}

static int xpath_boolean(FnCall *call, const Column *args, Column *out, int rows)
{
    return each_row(call, args, out, rows, put_boolean);
}

static int xpath_number(FnCall *call, const Column *args, Column *out, int rows)
{
    return each_row(call, args, out, rows, put_number);
}

static int xpath_string(FnCall *call, const Column *args, Column *out, int rows)
{
    return each_row(call, args, out, rows, put_string);
}

static int xpath(FnCall *call, const Column *args, Column *out, int rows)
{
    return each_row(call, args, out, rows, put_list);
}

const DuckFunction fn_xpath[] = {
    {.name = "silt_xpath", .args = "string, string", .result = "array<string>", .flags = FN_FAILS, .eval = xpath},
    {.name = "silt_xpath_boolean", .args = "string, string", .result = "boolean", .flags = FN_FAILS, .eval = xpath_boolean},
    {.name = "silt_xpath_double", .args = "string, string", .result = "double", .flags = FN_FAILS, .eval = xpath_number},
    {.name = "silt_xpath_float", .args = "string, string", .result = "float", .flags = FN_FAILS, .eval = xpath_number},
    {.name = "silt_xpath_int", .args = "string, string", .result = "int", .flags = FN_FAILS, .eval = xpath_number},
    {.name = "silt_xpath_long", .args = "string, string", .result = "bigint", .flags = FN_FAILS, .eval = xpath_number},
    {.name = "silt_xpath_short", .args = "string, string", .result = "smallint", .flags = FN_FAILS, .eval = xpath_number},
    {.name = "silt_xpath_string", .args = "string, string", .result = "string", .flags = FN_FAILS, .eval = xpath_string},
    {0},
};
