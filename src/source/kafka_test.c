/* source/kafka_test.c - positions as text, settings of Java's client; what a broker does is in tests/kafka */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "source/kafka_topics.h"

#include <stdlib.h>
#include <string.h>

static void positions_come_back_sorted(void **state)
{
    static const struct {
        const char *text, *printed;
    } cases[] = {
        {"{}", "{}"},
        {"{\"t\":{\"0\":3}}", "{\"t\":{\"0\":3}}"},
        {" { \"b\" : {\"10\":1,\"9\":2} , \"a\" : {\"0\":-2} } ", "{\"a\":{\"0\":-2},\"b\":{\"9\":2,\"10\":1}}"},
        {"{\"t\":{\"2147483647\":9223372036854775807}}", "{\"t\":{\"2147483647\":9223372036854775807}}"},
        {"{\"\\u00e9\":{\"0\":1},\"e\":{}}", "{\"\xc3\xa9\":{\"0\":1}}"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        silt_auto(arena_freep) Arena *arena = arena_new();
        silt_auto(str_buf_fini) StrBuf out = {0};
        KafkaPositions positions;
        SiltErr err;
        assert_int_equal(kafka_positions_parse(arena, str_of(cases[i].text), &positions, &err), 0);
        kafka_positions_print(&out, &positions);
        assert_string_equal(str_buf_text(&out), cases[i].printed);
    }
}

static void what_is_no_position_is_refused(void **state)
{
    static const char *const texts[] = {
        "", "1", "[]", "{\"t\":1}", "{\"t\":[0]}", "{\"t\":{\"0\":\"1\"}}", "{\"t\":{\"0\":1.5}}", "{\"t\":{\"-1\":1}}", "{\"t\":{\"x\":1}}", "{\"t\":{\"2147483648\":1}}",
        "{\"t\":{\"0\":9223372036854775808}}", "{\"t\":{\"0\":null}}", "{\"t\":{\"0\":1}", "{\"t\":{\"0\":1,\"00\":2}}", "earliest",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        silt_auto(arena_freep) Arena *arena = arena_new();
        KafkaPositions positions;
        SiltErr err;
        assert_true(kafka_positions_parse(arena, str_of(texts[i]), &positions, &err) < 0);
        assert_int_equal(err.kind, SILT_CONFIG);
    }
}

static void assigned_partitions(void **state)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    KafkaPositions positions;
    SiltErr err;

    (void)state;
    assert_int_equal(kafka_assigned_parse(arena, STR("{\"b\":[1,0],\"a\":[7]}"), &positions, &err), 0);
    assert_int_equal(positions.count, 3);
    assert_string_equal(positions.items[0].topic, "a");
    assert_int_equal(positions.items[1].partition, 0);
    assert_non_null(kafka_positions_find(&positions, "b", 1));
    assert_null(kafka_positions_find(&positions, "b", 2));
    assert_null(kafka_positions_find(&positions, "c", 0));
    assert_true(kafka_assigned_parse(arena, STR("{\"b\":[1,1]}"), &positions, &err) < 0);
    assert_true(kafka_assigned_parse(arena, STR("{\"b\":[-1]}"), &positions, &err) < 0);
    assert_true(kafka_assigned_parse(arena, STR("{\"b\":1}"), &positions, &err) < 0);
}

static const char *value_of(const KafkaSettings *settings, const char *name)
{
    for (int i = 0; i < settings->count; i++)
        if (!strcmp(settings->items[i].name, name))
            return settings->items[i].value;
    return NULL;
}

static void settings_of_java_become_those_of_here(void **state)
{
    static const struct {
        const char *name, *value, *here, *want; /* here NULL: refused; want NULL: without effect */
    } cases[] = {
        {"security.protocol", "SASL_SSL", "security.protocol", "SASL_SSL"},
        {"sasl.mechanism", "SCRAM-SHA-512", "sasl.mechanisms", "SCRAM-SHA-512"},
        {"sasl.jaas.config", "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"a b\" password='p;w';", "sasl.username", "a b"},
        {"sasl.jaas.config", "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"a b\" password='p;w';", "sasl.password", "p;w"},
        {"sasl.jaas.config", "x.ScramLoginModule required username=u password=p;", "sasl.password", "p"},
        {"sasl.jaas.config", "x.PlainLoginModule required username=\"a\" password=\"b\\\"c\\\\;\";", "sasl.password", "b\"c\\;"},
        {"sasl.jaas.config", "x.OAuthBearerLoginModule required clientId='c' clientSecret='s';", "sasl.oauthbearer.client.secret", "s"},
        {"sasl.jaas.config", "com.sun.security.auth.module.Krb5LoginModule required;", NULL, NULL},
        {"ssl.truststore.location", "/ca.pem", "ssl.ca.location", "/ca.pem"},
        {"ssl.truststore.location", "/ca.jks", NULL, NULL},
        {"ssl.keystore.location", "/k.p12", "ssl.keystore.location", "/k.p12"},
        {"ssl.keystore.location", "/k.pem", "ssl.key.location", "/k.pem"},
        {"fetch.max.wait.ms", "50", "fetch.wait.max.ms", "50"},
        {"max.poll.records", "10", "max.poll.records", NULL},
        {"isolation.level", "read_uncommitted", "isolation.level", "read_uncommitted"},
        {"auto.offset.reset", "latest", NULL, NULL},
        {"exclude.internal.topics", "false", NULL, NULL},
        {"enable.auto.commit", "true", NULL, NULL},
        {"key.deserializer", "x", NULL, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        silt_auto(arena_freep) Arena *arena = arena_new();
        KafkaSettings settings = {0};
        SiltPos pos = {"a.sql", 3, 4, 0};
        SiltErr err;
        int r = kafka_settings_add(arena, &settings, cases[i].name, cases[i].value, pos, &err);
        if (!cases[i].here) {
            assert_true(r < 0);
            assert_int_equal(err.line, 3);
            continue;
        }
        assert_int_equal(r, 0);
        const char *value = value_of(&settings, cases[i].here);
        assert_true(cases[i].want ? value && !strcmp(value, cases[i].want) : !value);
    }
}

static void settings_are_checked_and_secrets_not_told(void **state)
{
    static const struct {
        const char *name, *value, *words;
    } cases[] = {
        {"no.such", "x", "no setting \"no.such\""},
        {"security.protocol", "TLS", "TLS"},
        {"fetch.min.bytes", "many", "fetch.min.bytes"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        silt_auto(arena_freep) Arena *arena = arena_new();
        KafkaSettings settings = {0};
        SiltErr err;
        assert_int_equal(kafka_settings_add(arena, &settings, cases[i].name, cases[i].value, (SiltPos){"a.sql", 5, 1, 0}, &err), 0);
        assert_true(kafka_settings_complete(arena, &settings, &err) < 0);
        assert_int_equal(err.line, 5);
        assert_non_null(strstr(err.message, cases[i].words));
    }
    silt_auto(arena_freep) Arena *arena = arena_new();
    KafkaSettings settings = {0};
    SiltErr err;
    assert_int_equal(kafka_settings_complete(arena, &settings, &err), 0);
    assert_string_equal(value_of(&settings, "isolation.level"), "read_committed");
    assert_string_equal(value_of(&settings, "auto.offset.reset"), "error");
}

static void equal_settings_share_a_client(void **state)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    KafkaSettings settings = {0}, other = {0};
    KafkaClient *one, *two, *three;
    SiltErr err;

    (void)state;
    kafka_settings_add(arena, &settings, "bootstrap.servers", "127.0.0.1:1", (SiltPos){0}, &err);
    kafka_settings_add(arena, &other, "bootstrap.servers", "127.0.0.1:2", (SiltPos){0}, &err);
    assert_int_equal(kafka_settings_complete(arena, &settings, &err), 0);
    assert_int_equal(kafka_settings_complete(arena, &other, &err), 0);
    assert_int_equal(kafka_client_acquire(&settings, &one, &err), 0);
    assert_int_equal(kafka_client_acquire(&settings, &two, &err), 0);
    assert_int_equal(kafka_client_acquire(&other, &three, &err), 0);
    assert_ptr_equal(one, two);
    assert_ptr_not_equal(one, three);
    kafka_client_release(one);
    kafka_client_release(two);
    kafka_client_release(three);
}

static bool at_once(void *self)
{
    return ++*(int *)self > 2;
}

static void a_question_ends_when_it_is_to_stop(void **state)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    KafkaSettings settings = {0};
    KafkaPositions out = {0};
    KafkaClient *client;
    int asked = 0;
    KafkaWait wait = {3600 * 1000, {at_once, &asked}};
    SiltErr err;

    (void)state;
    kafka_settings_add(arena, &settings, "bootstrap.servers", "127.0.0.1:1", (SiltPos){0}, &err);
    assert_int_equal(kafka_settings_complete(arena, &settings, &err), 0);
    assert_int_equal(kafka_client_acquire(&settings, &client, &err), 0);
    assert_true(kafka_client_list(client, "t", NULL, NULL, &wait, arena, &out, &err) < 0);
    assert_int_equal(err.kind, SILT_CANCELLED);
    wait = (KafkaWait){1, {0}};
    assert_true(kafka_client_list(client, "t", NULL, NULL, &wait, arena, &out, &err) < 0);
    assert_int_equal(err.kind, SILT_TRANSIENT);
    assert_non_null(strstr(err.message, "127.0.0.1:1"));
    kafka_client_release(client);
}

static void ids_of_topics_come_back_sorted(void **state)
{
    static const struct {
        const char *text, *printed; /* NULL: refused */
    } cases[] = {
        {"{}", "{}"},
        {"{\"b\":\"y\",\"c\":\"z\",\"a\":\"x\"}", "{\"a\":\"x\",\"b\":\"y\",\"c\":\"z\"}"},
        {"{\"a\":\"x\",\"a\":\"y\"}", "{\"a\":\"y\"}"},
        {"{\"a\":\"\"}", NULL},
        {"{\"a\":1}", NULL},
        {"[]", NULL},
        {"{\"a\":\"x\"", NULL},
        {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        silt_auto(arena_freep) Arena *arena = arena_new();
        silt_auto(str_buf_fini) StrBuf out = {0};
        KafkaTopics topics;
        SiltErr err;
        int r = kafka_topics_parse(arena, str_of(cases[i].text), &topics, &err);
        assert_int_equal(r, cases[i].printed ? 0 : -1);
        if (r < 0) {
            assert_int_equal(err.kind, SILT_CONFIG);
            continue;
        }
        kafka_topics_print(&out, &topics);
        assert_string_equal(str_buf_text(&out), cases[i].printed);
    }
}

static void the_id_of_a_topic_is_replaced_and_found(void **state)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    silt_auto(str_buf_fini) StrBuf out = {0};
    KafkaTopics topics = {0};

    (void)state;
    for (int i = 99; i >= 0; i--)
        kafka_topics_set(arena, &topics, arena_printf(arena, "t%02d", i * 7 % 100), i % 2 ? "odd" : NULL);
    assert_int_equal(topics.count, 100);
    for (int i = 1; i < topics.count; i++)
        assert_true(strcmp(topics.items[i - 1].name, topics.items[i].name) < 0);
    assert_null(kafka_topics_find(&topics, "t14")->id);
    assert_string_equal(kafka_topics_find(&topics, "t07")->id, "odd");
    assert_null(kafka_topics_find(&topics, "t"));
    assert_null(kafka_topics_find(&topics, "t990"));
    KafkaTopics few = {0};
    kafka_topics_set(arena, &few, "known", "1");
    kafka_topics_set(arena, &few, "gone", NULL);
    kafka_topics_set(arena, &few, "known", "2");
    kafka_topics_print(&out, &few);
    assert_string_equal(str_buf_text(&out), "{\"known\":\"2\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_come_back_sorted),
        cmocka_unit_test(what_is_no_position_is_refused),
        cmocka_unit_test(assigned_partitions),
        cmocka_unit_test(settings_of_java_become_those_of_here),
        cmocka_unit_test(settings_are_checked_and_secrets_not_told),
        cmocka_unit_test(ids_of_topics_come_back_sorted),
        cmocka_unit_test(the_id_of_a_topic_is_replaced_and_found),
        cmocka_unit_test(equal_settings_share_a_client),
        cmocka_unit_test(a_question_ends_when_it_is_to_stop),
    };
    return cmocka_run_group_tests_name("kafka", tests, NULL, NULL);
}
