/* duck/xml_path_test.c - XPath over hostile texts: nothing outside is read, nothing grows out of hand, damage is refused; threads do not
 * disturb each other */
#include "duck/xml_path.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static XmlPath *path_of(const char *expression)
{
    XmlPath *path = NULL;
    SiltErr err = {0};

    assert_int_equal(xml_path_new(str_of(expression), &path, &err), 0);
    return path;
}

/* What string(expression) gives for the text, into out; false: it is refused. */
static bool string_of(const char *expression, const char *text, StrBuf *out)
{
    silt_auto(xml_path_freep) XmlPath *path = path_of(expression);
    SiltErr err = {0};

    str_buf_clear(out);
    return xml_path_string(path, str_of(text), out, &err) == 0;
}

static void nothing_outside_of_the_text_is_read(void **state)
{
    char name[] = "/tmp/silt-xml-XXXXXX";
    int fd = mkstemp(name);
    static const char secret[] = "<!ENTITY s 'secret'><!ATTLIST a k CDATA 'secret'>";
    static const char *const texts[] = {
        "<!DOCTYPE a [<!ENTITY e SYSTEM 'file://%s'>]><a>x&e;y</a>",
        "<!DOCTYPE a [<!ENTITY e PUBLIC 'p' 'file://%s'>]><a>x&e;y</a>",
        "<!DOCTYPE a [<!ENTITY %% p SYSTEM 'file://%s'> %%p;]><a>x&s;y</a>",
        "<!DOCTYPE a [<!ENTITY %% p SYSTEM 'file://%s'> %%p;]><a>xy</a>",
        "<!DOCTYPE a SYSTEM 'file://%s'><a>x&s;y</a>",
        "<!DOCTYPE a PUBLIC 'p' 'file://%s'><a>xy</a>",
        "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='%s' parse='text'/>xy</a>",
        "<?xml-stylesheet href='file://%s'?><a>xy</a>",
    };
    silt_auto(str_buf_fini) StrBuf value = {0};
    int answered = 0;

    (void)state;
    assert_true(fd >= 0 && write(fd, secret, sizeof secret - 1) > 0);
    close(fd);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[400];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof text, texts[i], name);
#pragma GCC diagnostic pop
        if (string_of("concat(., //@k)", text, &value)) {
            answered++;
            assert_string_equal(str_buf_text(&value), "xy");
        }
    }
    unlink(name);
    assert_int_equal(answered, 6); /* all but the two DTDs elsewhere */
}

static void entities_do_not_grow_out_of_hand(void **state)
{
    silt_auto(str_buf_fini) StrBuf text = {0}, value = {0};

    (void)state;
    str_buf_puts(&text, "<!DOCTYPE a [<!ENTITY e0 'lol'>");
    for (int i = 1; i < 12; i++) {
        str_buf_printf(&text, "<!ENTITY e%d '", i);
        for (int k = 0; k < 10; k++)
            str_buf_printf(&text, "&e%d;", i - 1);
        str_buf_puts(&text, "'>");
    }
    str_buf_puts(&text, "]><a>&e11;</a>");
    assert_false(string_of("a", str_buf_text(&text), &value));

    str_buf_clear(&text); /* one large entity many times */
    str_buf_puts(&text, "<!DOCTYPE a [<!ENTITY e '");
    for (int i = 0; i < 100000; i++)
        str_buf_putc(&text, 'x');
    str_buf_puts(&text, "'>]><a>");
    for (int i = 0; i < 20000; i++)
        str_buf_puts(&text, "&e;");
    str_buf_puts(&text, "</a>");
    assert_false(string_of("a", str_buf_text(&text), &value));
    assert_false(string_of("a", "<!DOCTYPE a [<!ENTITY e '&f;'><!ENTITY f '&e;'>]><a>&e;</a>", &value));
}

static void depth_is_limited(void **state)
{
    silt_auto(str_buf_fini) StrBuf text = {0}, value = {0};
    XmlPath *path = NULL;
    SiltErr err = {0};

    (void)state;
    for (int i = 0; i < 200; i++)
        str_buf_puts(&text, "<a>");
    str_buf_putc(&text, 'x');
    for (int i = 0; i < 200; i++)
        str_buf_puts(&text, "</a>");
    assert_true(string_of("a", str_buf_text(&text), &value));
    assert_string_equal(str_buf_text(&value), "x");
    str_buf_clear(&text);
    for (int i = 0; i < 200000; i++)
        str_buf_puts(&text, "<a>");
    assert_false(string_of("a", str_buf_text(&text), &value));

    str_buf_clear(&text);
    for (int i = 0; i < 200000; i++)
        str_buf_putc(&text, '(');
    assert_int_equal(xml_path_new(str_buf_view(&text), &path, &err), -1);
    str_buf_clear(&text);
    for (int i = 0; i < 100000; i++)
        str_buf_puts(&text, "a[");
    assert_int_equal(xml_path_new(str_buf_view(&text), &path, &err), -1);
}

static uint64_t seed = 20261130;

static uint32_t next(uint32_t bound)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % bound;
}

static void mutate(StrBuf *out, const char *from)
{
    static const char letters[] = "<>/&;\"'=[]!-? abx1.:@#x%";
    size_t size = strlen(from);

    str_buf_clear(out);
    str_buf_puts(out, from);
    for (uint32_t n = next(3); n > 0 && size > 2; n--) {
        size_t at = next((uint32_t)size);

        switch (next(3)) {
        case 0:
            out->ptr[at] = letters[next(sizeof letters - 1)];
            break;
        case 1: /* cut out */
            memmove(out->ptr + at, out->ptr + at + 1, out->size - at);
            size = --out->size;
            break;
        default: /* double a piece */
            str_buf_add(out, from + at % strlen(from), next(8) % (uint32_t)(strlen(from) - at % strlen(from)));
            size = out->size;
        }
    }
}

static void damage_is_refused_or_read(void **state)
{
    static const char *const texts[] = {
        "<r k='1' p:q=\"2\"><v>1.5</v><v>x<![CDATA[<y>]]>z</v><!-- c --><?pi d?></r>",
        "<!DOCTYPE a [<!ENTITY e 'exp'><!ATTLIST a d CDATA 'v'>]><a>&e;<b>&#65;&lt;</b></a>",
        "<?xml version='1.0' encoding='UTF-8'?><p:a xmlns:p='u'><p:b>\xc3\xa9\xf0\x9f\x98\x80</p:b></p:a>",
    };
    static const char *const expressions[] = {
        "//v[. > 1]/text() | //@*",
        "concat(sum(r/v), '-', 1 div 3, name(*))",
        "substring(string(.), 2, 3)",
        "count(//*[position() < last()]) * -2 + 1",
        "translate(normalize-space(a/b), 'A', 'b')",
        "r/v[2]/preceding-sibling::v[not(@k)]",
    };
    silt_auto(str_buf_fini) StrBuf text = {0}, expression = {0}, value = {0};
    int answered = 0, refused = 0;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        silt_auto(xml_path_freep) XmlPath *path = NULL;
        SiltErr err = {0};
        double number;
        bool truth;
        int count = 0;

        mutate(&text, texts[next(sizeof texts / sizeof *texts)]);
        mutate(&expression, expressions[next(sizeof expressions / sizeof *expressions)]);
        if (!utf8_valid(str_buf_view(&text)) || xml_path_new(str_buf_view(&expression), &path, &err) < 0) {
            refused++;
            continue;
        }
        str_buf_clear(&value);
        bool ok = xml_path_string(path, str_buf_view(&text), &value, &err) == 0;
        assert_true(!ok || utf8_valid(str_buf_view(&value)));
        assert_int_equal(xml_path_boolean(path, str_buf_view(&text), &truth, &err) == 0, ok);
        assert_int_equal(xml_path_number(path, str_buf_view(&text), &number, &err) == 0, ok);
        if (xml_path_nodes(path, str_buf_view(&text), &count, &err) == 0)
            for (int n = 0; n < count; n++) {
                Str node;

                if (xml_path_node(path, n, &node))
                    assert_true(utf8_valid(node));
            }
        answered += ok;
        refused += !ok;
    }
    assert_true(answered > 2000);
    assert_true(refused > 2000);
}

static void *count_to(void *given)
{
    int own = *(int *)given;
    silt_auto(xml_path_freep) XmlPath *path = path_of("sum(r/v)");
    SiltErr err = {0};

    for (int i = 0; i < 2000; i++) {
        char text[100];
        double sum;

        snprintf(text, sizeof text, "<r><v>%d</v><v>%d</v></r>", own, i);
        if (xml_path_number(path, str_of(text), &sum, &err) < 0 || sum != own + i)
            return NULL;
        if (i % 100 == 0 && xml_path_number(path, STR("<r><v>"), &sum, &err) == 0) /* errors of one thread are not those of another */
            return NULL;
    }
    return given;
}

static void threads_do_not_disturb_each_other(void **state)
{
    pthread_t threads[4];
    int own[4];

    (void)state;
    for (int i = 0; i < 4; i++) {
        own[i] = i * 1000;
        assert_int_equal(pthread_create(&threads[i], NULL, count_to, &own[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        void *done;

        pthread_join(threads[i], &done);
        assert_ptr_equal(done, &own[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_outside_of_the_text_is_read),
        cmocka_unit_test(entities_do_not_grow_out_of_hand),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(damage_is_refused_or_read),
        cmocka_unit_test(threads_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
