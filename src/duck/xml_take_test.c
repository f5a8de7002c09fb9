/* duck/xml_take_test.c - records of XML, whole and damaged: events end well, a record fits the schema that was made of it, hostile ones
 * harm nobody */
#include "duck/xml_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "duck/xml_infer.h"
#include "duck/xml_write.h"

static const TextForm form = {.nan = STR("NaN"), .positive_infinity = STR("Infinity"), .negative_infinity = STR("-Infinity")};

typedef struct World {
    XmlStyle style;
    XmlEventReader *reader;
    Arena *arena;
} World;

static int open_world(void **state)
{
    World *w = silt_alloc(sizeof *w);
    SiltErr err = {0};

    xml_style_init(&w->style);
    w->reader = xml_event_reader_new(&err);
    w->arena = arena_new();
    *state = w;
    return w->reader ? 0 : -1;
}

static int close_world(void **state)
{
    World *w = *state;

    xml_event_reader_free(w->reader);
    arena_free(w->arena);
    free(w);
    return 0;
}

/* Starts and ends are pairs, the last event is the end of the text, and no two texts stand together. */
static void check_events(XmlEvents events)
{
    int depth = 0;

    for (int i = 0; i < events.count; i++) {
        const XmlEvent *event = &events.items[i];

        depth += (event->kind == XML_EVENT_START) - (event->kind == XML_EVENT_END);
        assert_true(depth >= 0);
        assert_int_equal(event->kind == XML_EVENT_FINISH || event->kind == XML_EVENT_BROKEN, i == events.count - 1);
        assert_true(event->kind != XML_EVENT_TEXT || (event->text.size > 0 && utf8_valid(event->text)));
    }
    assert_true(events.items[events.count - 1].kind == XML_EVENT_BROKEN || depth == 0);
}

static bool take(World *w, const Type *type, XmlEvents events, StrBuf *written)
{
    XmlTake t = {.style = &w->style, .form = &form, .zone = zone_find(STR("UTC")), .arena = w->arena};
    XmlWrite write = {.style = &w->style, .zone = t.zone};
    Chunk *chunk = chunk_new(&type, 1);
    Column *column = chunk_column_mut(chunk, 0);
    SiltErr err = {0};
    bool fits = xml_take(&t, events, column, xml_fill_new(w->arena, column), 0);

    assert_int_equal(java_time_new(w->arena, STR("yyyy-MM-dd'T'HH:mm:ss.SSSXXX"), false, &write.timestamp, &err), 0);
    write.timestamp_ntz = write.timestamp;
    chunk_seal(chunk, 1);
    str_buf_clear(written);
    if (xml_write(&write, chunk_column(chunk, 0), 0, written, &err) < 0) /* names with a colon */
        str_buf_clear(written);
    chunk_unref(chunk);
    return fits;
}

static uint64_t seed = 20261130;

static uint32_t next(uint32_t bound)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % bound;
}

static const char *const texts[] = {
    "<r k='1' p:q=\"2\"><v>1.5</v><v>x<![CDATA[<y>]]>z</v><!-- c --><?pi d?><w><x>1</x><x>2</x></w></r>",
    "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY e 'exp'>]><a>1<b i='7'>true</b>2<b>&#65;&lt;</b><c><d e='f'/></c></a>",
    "<p><m><x>1</x><y>2</y></m><l><a>1</a></l><l><a>2</a><b>q</b></l><s>\xc3\xa9\xf0\x9f\x98\x80</s><n> 12 </n></p>",
};

static void mutate(StrBuf *out, const char *from)
{
    static const char letters[] = "<>/&;\"'=[]!-? abkx1.:@#%";

    str_buf_clear(out);
    str_buf_puts(out, from);
    for (uint32_t n = next(3); n > 0 && out->size > 2; n--) {
        size_t at = next((uint32_t)out->size);

        if (next(2)) {
            out->ptr[at] = letters[next(sizeof letters - 1)];
        } else {
            memmove(out->ptr + at, out->ptr + at + 1, out->size - at);
            out->size--;
        }
    }
}

static void a_record_fits_the_schema_that_was_made_of_it(void **state)
{
    World *w = *state;
    silt_auto(str_buf_fini) StrBuf text = {0}, schema = {0}, written = {0};
    const char *why;
    int made = 0, broken = 0;

    for (int i = 0; i < 20000; i++) {
        const Type *type, *read;
        SiltErr err = {0};

        arena_reset(w->arena);
        mutate(&text, texts[next(sizeof texts / sizeof *texts)]);
        if (!utf8_valid(str_buf_view(&text)))
            continue;
        XmlEvents events = xml_events_read(w->reader, w->arena, str_buf_view(&text));

        check_events(events);
        if (xml_infer(w->arena, &w->style, &form, events, &type) != 0) {
            broken++;
            continue;
        }
        if (!type->field_count)
            continue;
        str_buf_clear(&schema);
        type_print_sql(&schema, type);
        assert_int_equal(type_parse_ddl(w->arena, str_buf_view(&schema), true, &read, &err), 0);
        assert_true(type_equal(type, read, false));
        assert_true(xml_take_fits(w->arena, type, &why));
        made++;
        if (!take(w, type, events, &written))
            fail_msg("does not fit %s: %s", str_buf_text(&schema), str_buf_text(&text));
    }
    assert_true(made > 4000);
    assert_true(broken > 4000);
}

static void any_record_is_taken_or_told(void **state)
{
    World *w = *state;
    static const char *const schemas[] = {
        "STRUCT<_k: INT, v: ARRAY<DOUBLE>, w: STRUCT<x: ARRAY<INT>, _VALUE: STRING>>",
        "STRUCT<_VALUE: ARRAY<INT>, b: ARRAY<STRUCT<_i: INT, _VALUE: BOOLEAN>>, c: MAP<STRING, STRING>>",
        "STRUCT<m: MAP<STRING, INT>, l: ARRAY<MAP<STRING, STRING>>, s: DECIMAL(5,2), n: DATE, xs_any: ARRAY<STRING>>",
        "STRUCT<m: STRUCT<x: TIMESTAMP, y: TINYINT>, l: STRING, s: TIMESTAMP_NTZ, n: SMALLINT>",
    };
    silt_auto(str_buf_fini) StrBuf text = {0}, written = {0};
    int fit = 0, misfit = 0;

    for (int i = 0; i < 20000; i++) {
        const Type *type;
        SiltErr err = {0};

        arena_reset(w->arena);
        mutate(&text, texts[next(sizeof texts / sizeof *texts)]);
        if (!utf8_valid(str_buf_view(&text)))
            continue;
        assert_int_equal(type_parse_ddl(w->arena, str_of(schemas[next(sizeof schemas / sizeof *schemas)]), true, &type, &err), 0);
        bool fits = take(w, type, xml_events_read(w->reader, w->arena, str_buf_view(&text)), &written);

        fit += fits;
        misfit += !fits;
        assert_true(utf8_valid(str_buf_view(&written)));
        if (written.size) /* what is written is well-formed */
            assert_int_equal(xml_events_read(w->reader, w->arena, str_buf_view(&written)).items[0].kind, XML_EVENT_START);
    }
    assert_true(fit > 2000);
    assert_true(misfit > 2000);
}

static void depth_and_entities_harm_nobody(void **state)
{
    World *w = *state;
    silt_auto(str_buf_fini) StrBuf text = {0}, written = {0};
    const Type *type, *deep;
    SiltErr err = {0};

    assert_int_equal(type_parse_ddl(w->arena, STR("STRUCT<a: STRING, z: INT>"), true, &type, &err), 0);
    for (int i = 0; i < 300000; i++)
        str_buf_puts(&text, "<a>");
    assert_false(take(w, type, xml_events_read(w->reader, w->arena, str_buf_view(&text)), &written));
    for (int i = 0; i < 300000; i++)
        str_buf_puts(&text, "</a>");
    XmlEvents events = xml_events_read(w->reader, w->arena, str_buf_view(&text));

    assert_true(take(w, type, events, &written)); /* one text of 299,999 tags */
    assert_true(written.size > 299998 * 3);
    assert_int_equal(xml_infer(w->arena, &w->style, &form, events, &deep), XML_TOO_DEEP);

    str_buf_clear(&text);
    str_buf_puts(&text, "<!DOCTYPE p [<!ENTITY e0 'lol'>");
    for (int i = 1; i < 12; i++)
        str_buf_printf(&text, "<!ENTITY e%d '&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;'>", i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1,
                       i - 1, i - 1);
    str_buf_puts(&text, "<!ENTITY % p '%p;%p;'> %p; <!ATTLIST p k CDATA '&e11;'>]><p><a>&e11;</a></p>");
    assert_false(take(w, type, xml_events_read(w->reader, w->arena, str_buf_view(&text)), &written));
    str_buf_clear(&text);
    str_buf_puts(&text, "<!DOCTYPE p [<!ENTITY % x SYSTEM 'file:///etc/hostname'> %x;]><p><a>1&e;</a></p>");
    assert_false(take(w, type, xml_events_read(w->reader, w->arena, str_buf_view(&text)), &written));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_record_fits_the_schema_that_was_made_of_it, open_world, close_world),
        cmocka_unit_test_setup_teardown(any_record_is_taken_or_told, open_world, close_world),
        cmocka_unit_test_setup_teardown(depth_and_entities_harm_nobody, open_world, close_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
