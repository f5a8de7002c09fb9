/*
 * tests/fuzz/type_text.c - any bytes as columns in DDL and as a schema in JSON
 *
 * What was read prints, in either form, as text that reads as the same type, and prints the same again.
 */
#include "duck/type.h"
#include "fuzz.h"

static void through_json(Arena *arena, const Type *type)
{
    silt_auto(str_buf_fini) StrBuf first = {0}, second = {0};
    const Type *again;
    SiltErr err;
    type_to_json(&first, type);
    if (type_from_json(arena, str_buf_view(&first), &again, &err) < 0) {
        fprintf(stderr, "%s\n%s\n", err.message, str_buf_text(&first));
        abort();
    }
    silt_assert(type_equal(type, again, true));
    type_to_json(&second, again);
    fuzz_same("as JSON", str_buf_view(&first), str_buf_view(&second));
}

/* Printed types leave out NOT NULL and comments, and quote no names: only what has none of that can be read again. */
static void through_text(Arena *arena, const Type *type)
{
    silt_auto(str_buf_fini) StrBuf first = {0}, second = {0}, duck = {0};
    const Type *again;
    SiltErr err;
    type_print(&first, type);
    type_print_duck(&duck, type);
    if (type_parse_ddl(arena, str_buf_view(&first), true, &again, &err) < 0 || !type_equal(type, again, false))
        return;
    type_print(&second, again);
    fuzz_same("as text", str_buf_view(&first), str_buf_view(&second));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    char *copy = malloc(size + 1);
    memcpy(copy, data, size);
    Str text = {copy, size};
    const Type *type;
    for (int form = utf8_valid(text) ? 0 : 2; form < 3; form++) { /* DDL comes from SQL, which is UTF-8 */
        SiltErr err;
        int r = form == 2 ? type_from_json(arena, text, &type, &err) : type_parse_ddl(arena, text, form == 1, &type, &err);
        if (r < 0) {
            silt_assert(err.message[0]);
            silt_assert(form == 2 || (err.line >= 1 && err.column >= 1));
            continue;
        }
        silt_assert(type_depth(type) <= TYPE_DEPTH_MAX);
        through_json(arena, type_copy(arena, type));
        if (!type_has_empty_struct(type))
            through_text(arena, type);
    }
    free(copy);
    return 0;
}
