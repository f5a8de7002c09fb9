/*
 * tests/fuzz/variant.c - any bytes as a VARIANT
 *
 * Input: 2 bytes, the size of the metadata; the metadata; the value. Whatever can be asked of it may be asked; where it prints as JSON, that is
 * JSON, not much longer than the bytes say, and the value made of it again prints the same once more.
 */
#include "duck/variant.h"

#include "base/arena.h"
#include "duck/json_node.h"
#include "duck/variant_schema.h"
#include "duck/variant_value.h"
#include "duck/variant_writer.h"
#include "fuzz.h"

/* Everything that can be asked of a value; budget: of questions. */
static void walk(const Variant *variant, int depth, int *budget)
{
    VariantScalar scalar;
    VariantKind kind = variant_read(variant, &scalar);
    if (kind == VARIANT_KIND_STRING || kind == VARIANT_KIND_BINARY || kind == VARIANT_KIND_UUID) {
        silt_assert(scalar.text.ptr >= variant->value.ptr);
        silt_assert(scalar.text.size <= variant->value.size - (size_t)(scalar.text.ptr - variant->value.ptr));
    }
    silt_assert(variant_size(variant) <= variant->value.size);
    int64_t count = variant_count(variant);
    for (int64_t i = -1; i <= count && i < 1000 && depth < 100 && --*budget > 0; i++) {
        Variant item;
        Str name = {0};
        if (!variant_at(variant, i, &name, &item))
            continue;
        silt_assert(i >= 0 && i < count);
        silt_assert(item.value.size < variant->value.size);
        if (kind == VARIANT_KIND_OBJECT) {
            Variant same;
            silt_assert(variant_field(variant, name, &same) != VARIANT_ABSENT); /* BROKEN: an item before it may be */
        }
        walk(&item, depth + 1, budget);
    }
}

/* JSON that a variant printed as. */
static void make_again(Arena *arena, Str text)
{
    silt_auto(str_buf_fini) StrBuf metadata = {0}, first = {0}, second = {0};
    silt_auto(variant_writer_fini) VariantWriter writer = {0};
    for (int turn = 0; turn < 2; turn++) {
        StrBuf *out = turn ? &second : &first;
        str_buf_clear(&metadata);
        variant_writer_clear(&writer);
        Node *node = node_read(arena, turn ? str_buf_view(&first) : text, NODE_STRICT);
        if (!node && text.size > NODE_DEPTH_MAX && !turn) /* nested too deep */
            return;
        silt_assert(node != NULL);
        if (variant_put_json(&writer, node) != VARIANT_TAKEN) { /* a name twice */
            silt_assert(!turn);
            return;
        }
        variant_writer_metadata(&writer, &metadata);
        Variant made = {str_buf_view(&metadata), str_buf_view(&writer.value)};
        silt_assert(variant_json(out, made.metadata, made.value, NULL));
        silt_assert(variant_size(&made) == made.value.size);
    }
    fuzz_same("made again of its JSON", str_buf_view(&first), str_buf_view(&second));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str rest = {(const char *)data, size};
    size_t metadata_size = (size_t)fuzz_number(&rest, 2);
    if (metadata_size > rest.size)
        metadata_size = rest.size;
    size_t value_size = rest.size - metadata_size;
    char *metadata = malloc(metadata_size + 1), *value = malloc(value_size + 1);
    memcpy(metadata, rest.ptr, metadata_size);
    memcpy(value, rest.ptr + metadata_size, value_size);
    Variant variant = {{metadata, metadata_size}, {value, value_size}};
    int budget = 10000;
    walk(&variant, 0, &budget);

    /* the least type that holds it, which holds it too when it comes again */
    silt_auto(variant_schema_fini) VariantSchema schema = {0};
    silt_auto(str_buf_fini) StrBuf once = {0}, twice = {0};
    bool valid = variant_schema_add(&schema, &variant);
    variant_schema_print(&once, &schema);
    silt_assert(variant_schema_add(&schema, &variant) == valid);
    variant_schema_print(&twice, &schema);
    if (valid)
        fuzz_same("the type of it twice", str_buf_view(&once), str_buf_view(&twice));

    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf json = {0};
    if (variant_json(&json, variant.metadata, variant.value, NULL))
        make_again(arena, str_buf_view(&json));
    silt_auto(variant_writer_fini) VariantWriter writer = {0};
    VariantTaken taken = variant_put_again(&writer, &variant);
    silt_assert(taken == VARIANT_TAKEN || taken == VARIANT_NAME_TWICE || taken == VARIANT_SENSELESS);
    if (taken == VARIANT_TAKEN) {
        silt_auto(str_buf_fini) StrBuf names = {0}, same = {0};
        variant_writer_metadata(&writer, &names);
        Variant again = {str_buf_view(&names), str_buf_view(&writer.value)};
        if (json.size && variant_json(&same, again.metadata, again.value, NULL))
            silt_assert(same.size == json.size);
    }
    silt_assert(json.size <= (value_size + 1) * (6 * metadata_size + 400)); /* each value has a byte of its own, and a name */
    free(metadata);
    free(value);
    return 0;
}
