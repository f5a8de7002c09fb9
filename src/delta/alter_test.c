/* delta/alter_test.c - columns added, renamed and dropped: what becomes of the schema, of ids, and of what cannot be */
#include "delta/delta_test.h"
#include "delta/mapping.h"

/* A path of up to 3 names. */
#define PATH(...) (const char *[]){__VA_ARGS__}, (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *))
#define TOP NULL, 0

static const char *schema_text(World *w, DeltaTxn *txn)
{
    return type_text(w->arena, delta_txn_metadata(txn)->schema);
}

static DeltaTable *mapped(World *w, const char *columns, const char *partition)
{
    return create_table(w, "/t", &(Create){.columns = columns, .partition_by = {partition}, .properties = {{"delta.columnMapping.mode", "name"}}});
}

static const TypeField *field(World *w, const char *column)
{
    return &ddl(w, column)->fields[0];
}

/* Fails with this code, and the transaction is as it was. */
#define REFUSED(call, wanted)                                                                                                              \
    do {                                                                                                                                   \
        const char *unchanged = schema_text(w, txn);                                                                                       \
        assert_int_equal((call), -1);                                                                                                      \
        assert_string_equal(err.code, wanted);                                                                                             \
        assert_int_equal(err.kind, SILT_CONFIG);                                                                                           \
        assert_string_equal(schema_text(w, txn), unchanged);                                                                                 \
    } while (0)

static void a_column_goes_to_the_end_of_the_table_or_of_a_struct(void **state)
{
    World *w = *state;
    SiltErr err;
    DeltaTxn *txn;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT, s STRUCT<a: INT, in: STRUCT<b: INT>>, l ARRAY<STRUCT<c: INT>>"});

    OK(delta_txn_begin(table, &txn, &err));
    OK(delta_txn_add_column(txn, TOP, field(w, "n STRING COMMENT 'new'"), &err));
    OK(delta_txn_add_column(txn, PATH("S"), field(w, "m DATE"), &err));
    OK(delta_txn_add_column(txn, PATH("s", "IN"), field(w, "k INT"), &err));
    assert_string_equal(schema_text(w, txn), "struct<id:bigint,s:struct<a:int,in:struct<b:int,k:int>,m:date>,l:array<struct<c:int>>,n:string>");
    assert_string_equal(delta_txn_metadata(txn)->schema->fields[3].comment, "new");

    REFUSED(delta_txn_add_column(txn, TOP, field(w, "ID INT"), &err), "FIELD_ALREADY_EXISTS");
    REFUSED(delta_txn_add_column(txn, PATH("s"), field(w, "A INT"), &err), "FIELD_ALREADY_EXISTS");
    REFUSED(delta_txn_add_column(txn, TOP, field(w, "z INT NOT NULL"), &err), "DELTA_ADD_NOT_NULL_COLUMN");
    REFUSED(delta_txn_add_column(txn, TOP, field(w, "z STRUCT<a: INT NOT NULL>"), &err), "DELTA_ADD_NOT_NULL_COLUMN");
    REFUSED(delta_txn_add_column(txn, PATH("nope"), field(w, "z INT"), &err), "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA");
    REFUSED(delta_txn_add_column(txn, PATH("id"), field(w, "z INT"), &err), "");
    assert_string_equal(err.message, "column \"id\" is no struct");
    REFUSED(delta_txn_add_column(txn, PATH("l"), field(w, "z INT"), &err), "");
    delta_txn_free(txn);
    delta_table_free(table);
}

static void without_column_mapping_nothing_is_renamed_or_dropped(void **state)
{
    World *w = *state;
    SiltErr err;
    DeltaTxn *txn;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT, s STRING"});

    OK(delta_txn_begin(table, &txn, &err));
    REFUSED(delta_txn_rename_column(txn, PATH("s"), "t", &err), "DELTA_UNSUPPORTED_RENAME_COLUMN");
    REFUSED(delta_txn_drop_column(txn, PATH("s"), &err), "DELTA_UNSUPPORTED_DROP_COLUMN");
    delta_txn_free(txn);
    delta_table_free(table);
}

static void a_renamed_column_keeps_its_id_and_its_physical_name(void **state)
{
    World *w = *state;
    SiltErr err;
    DeltaTxn *txn;
    DeltaTable *table = mapped(w, "id BIGINT, s STRUCT<a: INT>, p STRING", "p");
    const Type *before = type_copy(w->arena, delta_table_snapshot(table)->metadata->schema);
    int64_t version;

    OK(delta_txn_begin(table, &txn, &err));
    OK(delta_txn_rename_column(txn, PATH("ID"), "Id 2", &err));
    OK(delta_txn_rename_column(txn, PATH("s", "a"), "b", &err));
    OK(delta_txn_rename_column(txn, PATH("P"), "q", &err));
    OK(delta_txn_rename_column(txn, PATH("q"), "Q", &err)); /* the same but for case */
    REFUSED(delta_txn_rename_column(txn, PATH("s"), "q", &err), "FIELD_ALREADY_EXISTS");
    REFUSED(delta_txn_rename_column(txn, PATH("nope"), "x", &err), "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA");
    REFUSED(delta_txn_rename_column(txn, PATH("s", "nope"), "x", &err), "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA");
    OK(delta_txn_commit(txn, &version, &err));
    delta_txn_free(txn);

    const DeltaMetadata *metadata = delta_table_snapshot(table)->metadata;
    const Type *after = metadata->schema;
    assert_string_equal(type_text(w->arena, after), "struct<Id 2:bigint,s:struct<b:int>,Q:string>");
    assert_string_equal(metadata->partition_columns[0], "Q");
    for (int i = 0; i < 3; i++)
        assert_string_equal(after->fields[i].metadata_json, before->fields[i].metadata_json);
    assert_string_equal(after->fields[1].type->fields[0].metadata_json, before->fields[1].type->fields[0].metadata_json);
    delta_table_free(table);
}

static void a_name_that_is_given_again_is_another_column(void **state)
{
    World *w = *state;
    SiltErr err;
    DeltaTxn *txn;
    DeltaTable *table = mapped(w, "id BIGINT, n INT", NULL);
    const char *before = arena_strdup(w->arena, delta_table_snapshot(table)->metadata->schema->fields[1].metadata_json);
    int64_t version;

    OK(delta_txn_begin(table, &txn, &err));
    OK(delta_txn_drop_column(txn, PATH("N"), &err));
    OK(delta_txn_add_column(txn, TOP, field(w, "n INT"), &err));
    OK(delta_txn_commit(txn, &version, &err));
    delta_txn_free(txn);
    const DeltaMetadata *metadata = delta_table_snapshot(table)->metadata;
    assert_string_not_equal(metadata->schema->fields[1].metadata_json, before);
    assert_int_equal(delta_mapping_max_id(metadata), 3);
    delta_table_free(table);
}

static void what_would_leave_no_table_is_not_dropped(void **state)
{
    World *w = *state;
    SiltErr err;
    DeltaTxn *txn;
    DeltaTable *table = mapped(w, "id BIGINT, s STRUCT<a: INT>, p STRING", "p");

    OK(delta_txn_begin(table, &txn, &err));
    REFUSED(delta_txn_drop_column(txn, PATH("P"), &err), "DELTA_UNSUPPORTED_DROP_PARTITION_COLUMN");
    REFUSED(delta_txn_drop_column(txn, PATH("s", "a"), &err), "DELTA_DROP_COLUMN_ON_SINGLE_FIELD_SCHEMA");
    REFUSED(delta_txn_drop_column(txn, PATH("s", "b"), &err), "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA");
    OK(delta_txn_drop_column(txn, PATH("s"), &err));
    assert_string_equal(schema_text(w, txn), "struct<id:bigint,p:string>");
    delta_txn_free(txn);
    delta_table_free(table);
}

/* The columns with statistics, as the table's property has them. */
static const char *stats_columns(DeltaTxn *txn)
{
    const DeltaMetadata *metadata = delta_txn_metadata(txn);
    for (int i = 0; i < metadata->configuration_count; i++)
        if (strcmp(metadata->configuration[i].key, "delta.dataSkippingStatsColumns") == 0)
            return metadata->configuration[i].value;
    return NULL;
}

static void the_list_of_columns_with_statistics_follows_a_column(void **state)
{
    World *w = *state;
    SiltErr err;
    DeltaTxn *txn;
    DeltaTable *table = create_table(w, "/t", &(Create){.columns = "id BIGINT, `a.b` INT, s STRUCT<x: INT, y: INT>, u STRUCT<x: INT, z: INT>, k INT",
                                                        .properties = {{"delta.columnMapping.mode", "name"},
                                                                       {"delta.dataSkippingStatsColumns", "ID, `a.b` ,S.x,u"}}});

    OK(delta_txn_begin(table, &txn, &err));
    OK(delta_txn_rename_column(txn, PATH("k"), "id2", &err));
    assert_string_equal(stats_columns(txn), "ID,`a.b`,S.x,u");
    OK(delta_txn_rename_column(txn, PATH("id"), "number", &err));
    OK(delta_txn_rename_column(txn, PATH("a.b"), "c.d", &err));
    OK(delta_txn_rename_column(txn, PATH("s", "X"), "first", &err));
    assert_string_equal(stats_columns(txn), "number,`c.d`,S.first,u");
    OK(delta_txn_rename_column(txn, PATH("s"), "t", &err));
    assert_string_equal(stats_columns(txn), "number,`c.d`,t.first,u");
    OK(delta_txn_drop_column(txn, PATH("u", "x"), &err)); /* of a struct that is there whole */
    OK(delta_txn_drop_column(txn, PATH("t"), &err));
    assert_string_equal(stats_columns(txn), "number,`c.d`,u");
    OK(delta_txn_drop_column(txn, PATH("c.d"), &err));
    assert_string_equal(stats_columns(txn), "number,u");
    delta_txn_free(txn);
    delta_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MEMORY_TEST(a_column_goes_to_the_end_of_the_table_or_of_a_struct),
        MEMORY_TEST(without_column_mapping_nothing_is_renamed_or_dropped),
        MEMORY_TEST(a_renamed_column_keeps_its_id_and_its_physical_name),
        MEMORY_TEST(a_name_that_is_given_again_is_another_column),
        MEMORY_TEST(what_would_leave_no_table_is_not_dropped),
        MEMORY_TEST(the_list_of_columns_with_statistics_follows_a_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
