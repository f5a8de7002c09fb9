/* duck/fn_variant_schema.c - what a VARIANT holds: schema_of_variant, schema_of_variant_agg, is_valid_variant */
#include "duck/fn_text.h"
#include "duck/variant_schema.h"

static Variant variant_of(const Column *column, uint64_t row)
{
    return (Variant){column_text(&column->children[0], row), column_text(&column->children[1], row)};
}

static const char no_sense[] = "the bytes of a VARIANT make no sense";

static int schema_of_variant(FnCall *call, const Column *args, Column *out, int rows)
{
    FN_ROWS(row, out, rows)
    {
        silt_auto(variant_schema_fini) VariantSchema schema = {0};
        Variant variant = variant_of(&args[0], (uint64_t)row);

        if (!variant_schema_add(&schema, &variant))
            return fn_fail(call, row, "MALFORMED_VARIANT", no_sense);
        str_buf_clear(call->scratch);
        variant_schema_print(call->scratch, &schema);
        text_put_buf(out, row, call->scratch);
    }
    return 0;
}

static int is_valid_variant(FnCall *call, const Column *args, Column *out, int rows)
{
    (void)call;
    FN_ROWS(row, out, rows)
    {
        silt_auto(variant_schema_fini) VariantSchema schema = {0};
        Variant variant = variant_of(&args[0], (uint64_t)row);

        ((uint8_t *)out->data)[row] = variant_schema_add(&schema, &variant);
    }
    return 0;
}

const DuckFunction fn_variant_schema[] = {
    {.name = "silt_schema_of_variant", .args = "any", .result = "string", .flags = FN_FAILS, .eval = schema_of_variant},
    {.name = "silt_is_valid_variant", .args = "any", .result = "boolean", .eval = is_valid_variant},
    {0},
};

/* ---- of a group ---- */

static int update(AggCall *call, void *state, const Column *args, int row)
{
    Variant variant = variant_of(&args[0], (uint64_t)row);

    return variant_schema_add(state, &variant) ? 0 : agg_fail(call, agg_pos(call, row), "MALFORMED_VARIANT", no_sense);
}

static void combine(void *into, void *from)
{
    variant_schema_merge(into, from);
}

static int finish(AggCall *call, void *state, Column *out, uint64_t row)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    (void)call;
    variant_schema_print(&text, state);
    column_set_string(out, row, str_buf_text(&text), text.size);
    return 0;
}

static void destroy(void *state)
{
    variant_schema_fini(state);
}

const DuckAggregate agg_variant_schema[] = {
    {.name = "silt_schema_of_variants",
     .args = "variant",
     .result = "string",
     .flags = FN_FAILS,
     .state_size = sizeof(VariantSchema),
     .update = update,
     .combine = combine,
     .finish = finish,
     .destroy = destroy},
    {0},
};
