/* pipeline/spec_test.c - the spec file: what is taken, what is refused and where */
#include "pipeline/spec.h"
#include "io/memory.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct World {
    Io *io;
    Arena *arena;
    SqlErrors errors;
    PipelineSpec *spec;
} World;

static int setup(void **state)
{
    World *world = silt_alloc(sizeof *world);

    world->io = io_new_memory(getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", 1);
    world->arena = arena_new();
    world->errors.arena = world->arena;
    *state = world;
    return 0;
}

static int teardown(void **state)
{
    World *world = *state;

    io_free(world->io);
    arena_free(world->arena);
    free(world);
    return 0;
}

static void put(World *world, const char *path, const char *text)
{
    SiltErr err;
    assert_int_equal(io_put(world->io, path, str_of(text), &err), 0);
}

static int load(World *world, const char *text)
{
    put(world, "/p/spark-pipeline.yml", text);
    return spec_load(world->io, world->arena, "/p/spark-pipeline.yml", NULL, 0, &world->spec, &world->errors);
}

static const char good[] = "name: shop\nstorage: file:///p/store\n";

static void a_minimal_spec_gets_spark_s_defaults(void **state)
{
    World *world = *state;

    assert_int_equal(load(world, good), 0);
    assert_string_equal(world->spec->name, "shop");
    assert_string_equal(world->spec->storage_path, "/p/store");
    assert_string_equal(world->spec->catalog, "spark_catalog");
    assert_string_equal(world->spec->database, "default");
    assert_string_equal(world->spec->warehouse, "/p/spark-warehouse");
    assert_int_equal(world->spec->sql_count, 0);
}

static void files_of_a_folder_come_sorted_and_once(void **state)
{
    World *world = *state;

    put(world, "/p/t/b.sql", "");
    put(world, "/p/t/a.sql", "");
    put(world, "/p/t/sub/c.sql", "");
    put(world, "/p/t/.hidden", "");
    put(world, "/p/t/x.py", "");
    put(world, "/p/t/__pycache__/x.pyc", "");
    assert_int_equal(load(world, "name: n\nstorage: file:///s\nlibraries:\n- glob:\n    include: t/**\n- glob: {include: t/a.sql}\n"), 0);
    assert_int_equal(world->spec->sql_count, 3);
    assert_string_equal(world->spec->sql_names[0], "t/a.sql");
    assert_string_equal(world->spec->sql_names[1], "t/b.sql");
    assert_string_equal(world->spec->sql_names[2], "t/sub/c.sql");
    assert_int_equal(world->spec->notice_count, 1);
    assert_non_null(strstr(world->spec->notices[0], "x.py"));
}

static void expect_error(World *world, const char *text, const char *code, int line, int column)
{
    world->errors.count = 0;
    assert_int_equal(load(world, text), -1);
    for (int i = 0; i < world->errors.count; i++) {
        const SiltErr *err = &world->errors.items[i];
        if (!strcmp(err->code, code) && err->line == line && err->column == column) {
            assert_string_equal(err->file, "spark-pipeline.yml");
            return;
        }
    }
    fail_msg("no %s at %d:%d for: %s (first: %s %s %d:%d)", code, line, column, text, world->errors.items[0].code, world->errors.items[0].message,
             world->errors.items[0].line, world->errors.items[0].column);
}

static void each_fault_has_its_class_and_place(void **state)
{
    World *world = *state;

    expect_error(world, "name: n\nstorage: file:///s\nfrob: 1\n", "PIPELINE_SPEC_UNEXPECTED_FIELD", 3, 1);
    expect_error(world, "storage: file:///s\n", "PIPELINE_SPEC_MISSING_REQUIRED_FIELD", 1, 1);
    expect_error(world, "name: n\n", "PIPELINE_SPEC_MISSING_REQUIRED_FIELD", 1, 1);
    expect_error(world, "name: n\nstorage: store\n", "PIPELINE_STORAGE_ROOT_INVALID", 2, 10);
    expect_error(world, "name: n\nstorage: file://store\n", "PIPELINE_STORAGE_ROOT_INVALID", 2, 10);
    expect_error(world, "name: n\nstorage: s3://b/x\n", "PIPELINE_STORAGE_ROOT_INVALID", 2, 10);
    expect_error(world, "name: n\nstorage: file:///s\nconfiguration:\n  a.b: 2\n", "PIPELINE_SPEC_DICT_VALUE_NOT_STRING", 4, 8);
    expect_error(world, "name: n\nstorage: file:///s\nconfiguration:\n  a.b: true\n", "PIPELINE_SPEC_DICT_VALUE_NOT_STRING", 4, 8);
    expect_error(world, "name: n\nstorage: file:///s\nconfiguration:\n  2: x\n", "PIPELINE_SPEC_DICT_KEY_NOT_STRING", 4, 3);
    expect_error(world, "name: n\nstorage: file:///s\nconfiguration:\n", "PIPELINE_SPEC_FIELD_NOT_DICT", 3, 15);
    expect_error(world, "name: n\nstorage: file:///s\nlibraries:\n- glob: {include: t/*.sql}\n", "PIPELINE_SPEC_INVALID_GLOB_PATTERN", 4, 19);
    expect_error(world, "name: n\nstorage: file:///s\nlibraries:\n- file: {include: t}\n", "PIPELINE_SPEC_UNEXPECTED_FIELD", 4, 3);
    expect_error(world, "name: [n\nstorage: file:///s\n", "", 2, 8);
    expect_error(world, "", "PIPELINE_SPEC_UNEXPECTED_FIELD", 1, 1);
    expect_error(world, "- a\n- b\n", "PIPELINE_SPEC_UNEXPECTED_FIELD", 1, 1);
    expect_error(world, "name: n\nname: m\nstorage: file:///s\n", "", 2, 1);
    put(world, "/p/d/README.md", "");
    expect_error(world, "name: n\nstorage: file:///s\nlibraries:\n- glob: {include: d/**}\n", "PIPELINE_UNSUPPORTED_DEFINITIONS_FILE_EXTENSION", 4, 19);
}

static void a_misspelt_field_names_the_nearest(void **state)
{
    World *world = *state;

    assert_int_equal(load(world, "name: n\nstorage: file:///s\nlibrares: []\n"), -1);
    assert_int_equal(world->errors.count, 1);
    assert_non_null(strstr(world->errors.items[0].hint, "\"libraries\""));
}

static void all_faults_are_told_at_once(void **state)
{
    World *world = *state;

    assert_int_equal(load(world, "nam: n\nstorage: x\nconfiguration:\n  silt.nonsense: a\n  spark.sql.ansi.enabled: \"false\"\n"), -1);
    assert_int_equal(world->errors.count, 5); /* nam, name missing, storage, two settings */
}

static void database_wins_over_schema(void **state)
{
    World *world = *state;

    assert_int_equal(load(world, "name: n\nstorage: file:///s\nschema: a\n"), 0);
    assert_string_equal(world->spec->database, "a");
    assert_int_equal(load(world, "name: n\nstorage: file:///s\nschema: a\ndatabase: b\n"), 0);
    assert_string_equal(world->spec->database, "b");
}

static void an_override_wins(void **state)
{
    World *world = *state;
    SpecOverride override = {"spark.sql.session.timeZone", "Asia/Tokyo"};

    put(world, "/p/spark-pipeline.yml", "name: n\nstorage: file:/s/\nconfiguration:\n  spark.sql.session.timeZone: Europe/Berlin\n");
    assert_int_equal(spec_load(world->io, world->arena, "/p/spark-pipeline.yml", &override, 1, &world->spec, &world->errors), 0);
    assert_string_equal(conf_get(world->spec->conf, "spark.sql.session.timeZone"), "Asia/Tokyo");
    assert_string_equal(world->spec->storage_path, "/s");
}

static void the_spec_is_found_above(void **state)
{
    World *world = *state;
    const char *path;
    SiltErr err;

    put(world, "/p/spark-pipeline.yaml", good);
    put(world, "/p/a/b/x.txt", "");
    assert_int_equal(spec_find(world->io, world->arena, "/p/a/b", &path, &err), 0);
    assert_string_equal(path, "/p/spark-pipeline.yaml");
    assert_int_equal(spec_find(world->io, world->arena, "/", &path, &err), SPEC_ABSENT);
    assert_string_equal(err.code, "PIPELINE_SPEC_FILE_NOT_FOUND");
    put(world, "/p/spark-pipeline.yml", good);
    assert_int_equal(spec_find(world->io, world->arena, "/p/a", &path, &err), -1);
    assert_string_equal(err.code, "MULTIPLE_PIPELINE_SPEC_FILES_FOUND");
}

static void a_named_spec_that_is_absent_is_said(void **state)
{
    World *world = *state;

    assert_int_equal(spec_load(world->io, world->arena, "/p/no.yml", NULL, 0, &world->spec, &world->errors), -1);
    assert_string_equal(world->errors.items[0].code, "PIPELINE_SPEC_FILE_DOES_NOT_EXIST");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_minimal_spec_gets_spark_s_defaults),
        TEST(files_of_a_folder_come_sorted_and_once),
        TEST(each_fault_has_its_class_and_place),
        TEST(a_misspelt_field_names_the_nearest),
        TEST(all_faults_are_told_at_once),
        TEST(database_wins_over_schema),
        TEST(an_override_wins),
        TEST(the_spec_is_found_above),
        TEST(a_named_spec_that_is_absent_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
