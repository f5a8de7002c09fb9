/*
 * tests/fuzz/protobuf.c - bytes of others as descriptors of Protobuf, and as messages by them
 *
 * The first byte says options, the next two how long the descriptor set is (the big end first); behind it are messages, 0xFE ends one. Nothing may crash or read outside;
 * what lists hold lies behind what the row before has.
 */
#include "duck/protobuf.h"
#include "fuzz.h"

enum { MESSAGES = 200 };

static void check_lists(const Column *column, int rows)
{
    const ChunkList *lists = column->data;
    uint64_t end = 0;

    for (int i = 0; i < rows; i++) {
        if (column_is_null(column, (uint64_t)i))
            continue;
        silt_assert(lists[i].offset == end);
        end += lists[i].length;
    }
}

static void read_messages(const ProtoPlan *plan, Str bytes)
{
    Arena *arena = arena_new(), *scratch = arena_new();
    AvroPlace *place = avro_place_new(arena, plan->type);
    Chunk *chunk = chunk_new(&plan->type, 1);
    const char *p = bytes.ptr, *end = p + bytes.size, *why = NULL;
    int rows = 0;

    avro_place_bind(place, chunk_column_mut(chunk, 0));
    while (p < end && rows < MESSAGES) {
        const char *stop = memchr(p, 0xFE, (size_t)(end - p));
        stop = stop ? stop : end;
        char *copy = malloc((size_t)(stop - p) + 1); /* so that a read beyond its end is seen */
        memcpy(copy, p, (size_t)(stop - p));
        arena_reset(scratch);
        const ProtoNode *node = proto_read(scratch, plan->message, (Str){copy, (size_t)(stop - p)}, &why);
        silt_assert(node || why);
        avro_place_mark(place);
        if (node && proto_put(scratch, plan, node, place, (uint64_t)rows, &why))
            rows++;
        else
            avro_place_undo(place);
        free(copy);
        p = stop + 1;
    }
    avro_place_settle(place);
    const Column *column = chunk_column_mut(chunk, 0);
    for (int i = 0; i < column->child_count; i++)
        if (column->children[i].type->kind == TYPE_ARRAY || column->children[i].type->kind == TYPE_MAP)
            check_lists(&column->children[i], rows);
    chunk_unref(chunk);
    arena_free(scratch);
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    size_t length = (size_t)data[1] << 8 | data[2];
    if (length > size - 3)
        length = size - 3;
    Arena *arena = arena_new();
    ProtoOptions options = {.enums_as_ints = data[0] & 1,
                            .emit_defaults = data[0] & 2,
                            .upcast_unsigned = data[0] & 4,
                            .unwrap_wrappers = data[0] & 8,
                            .retain_empty = data[0] & 16,
                            .depth_max = 1 + (data[0] >> 5)};
    ProtoSet set;
    SiltErr err;

    if (proto_set_read(arena, (Str){(const char *)data + 3, length}, &set, &err) == 0)
        for (int i = set.top_count - 1; i >= 0 && i > set.top_count - 5; i--) {
            const ProtoPlan *plan;
            if (proto_plan(arena, set.tops[i], &options, &plan, &err) == 0)
                read_messages(plan, (Str){(const char *)data + 3 + length, size - 3 - length});
        }
    arena_free(arena);
    return 0;
}
