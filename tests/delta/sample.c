/*
 * tests/delta/sample.c - writes the tables that check_written.py reads with other engines
 *
 * usage: delta_sample DIRECTORY      (empty; gets one folder a table)
 */
#include "delta/delta_test.h"

static const char *const awkward[] = {"a/b",
                                      "a b",
                                      "50%",
                                      "x=y",
                                      "\xc3\xa9t\xc3\xa9",
                                      "a:b",
                                      "a%2Fb",
                                      "/end/",
                                      "..",
                                      ".",
                                      " ",
                                      "[*?]",
                                      "{}",
                                      "#",
                                      "\"q\"",
                                      "it's",
                                      "\\",
                                      "+",
                                      "&",
                                      "a%20b",
                                      "a+b",
                                      "\xf0\x9f\x98\x80",
                                      "__HIVE_DEFAULT_PARTITION__x",
                                      "tab\there",
                                      "null",
                                      "\x01"};

static void write_types(World *w, const char *path)
{
    DeltaTable *table = create_table(w, path,
                                     &(Create){.columns = "id BIGINT NOT NULL COMMENT 'the key', b BOOLEAN, y TINYINT, h SMALLINT, i INT, "
                                                          "f FLOAT, d DOUBLE, n DECIMAL(38,18), m DECIMAL(5,2), "
                                                          "s STRING, x BINARY, t DATE, u TIMESTAMP, v TIMESTAMP_NTZ, l ARRAY<INT>, p "
                                                          "MAP<STRING, BIGINT>, r STRUCT<a: INT, b: ARRAY<STRUCT<c: STRING>>>"});
    append(w, table,
           "SELECT c1, c2, c3::TINYINT AS c3, c4::SMALLINT AS c4, c5::INTEGER AS c5, c6::FLOAT AS c6, c7::DOUBLE AS c7, c8::DECIMAL(38,18) "
           "AS c8,"
           " c9::DECIMAL(5,2) AS c9, c10, c11, c12, c13, c14, c15::INTEGER[] AS c15, c16::MAP(VARCHAR, BIGINT) AS c16,"
           " c17::STRUCT(a INTEGER, b STRUCT(c VARCHAR)[]) AS c17 FROM ("
           "SELECT 1::BIGINT AS c1, true AS c2, 127::TINYINT AS c3, 32767::SMALLINT AS c4, 2147483647::INTEGER AS c5, 'nan'::FLOAT AS c6, "
           "'inf'::DOUBLE AS c7,"
           " 12345678901234567890.123456789012345678::DECIMAL(38,18) AS c8, 999.99::DECIMAL(5,2) AS c9, '\xc3\xa9\xf0\x9f\x98\x80' AS c10, "
           "'\\x00\\xFF'::BLOB AS c11,"
           " DATE '9999-12-31' AS c12, TIMESTAMPTZ '2026-01-01 00:00:00.000400Z' AS c13, TIMESTAMP '9999-12-31 23:59:59.999999' AS c14, "
           "[1, NULL]::INTEGER[] AS c15,"
           " MAP {'k': 5::BIGINT, 'z': NULL} AS c16, {'a': 1::INTEGER, 'b': [{'c': 'deep'}, NULL]} AS c17"
           " UNION ALL SELECT 2, false, -128, -32768, -2147483648, -1.5, -1e300, -0.000000000000000001, -999.99, '', ''::BLOB, DATE "
           "'0001-01-01',"
           " TIMESTAMPTZ '1969-12-31 23:59:59.999999Z', TIMESTAMP '0001-01-01 00:00:00', [], MAP {}::MAP(VARCHAR, BIGINT), {'a': "
           "NULL::INTEGER, 'b': NULL::STRUCT(c VARCHAR)[]}"
           " UNION ALL SELECT 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)");
    delta_table_free(table);
}

static void write_partitions(World *w, const char *path)
{
    silt_auto(str_buf_fini) StrBuf select = {0};
    DeltaTable *table = create_table(
        w, path,
        &(Create){.columns = "id BIGINT, p STRING, d DATE, t TIMESTAMP, n DECIMAL(10,2), b BOOLEAN", .partition_by = {"p", "d", "t", "n"}});
    for (int i = 0; i < (int)(sizeof awkward / sizeof *awkward); i++) {
        str_buf_printf(&select, "%sSELECT %d::BIGINT AS c1, '", i ? " UNION ALL " : "", i);
        for (const char *p = awkward[i]; *p; p++)
            str_buf_printf(&select, *p == '\'' ? "''" : "%c", *p);
        str_buf_puts(
            &select,
            "' AS c2, DATE '2026-01-02' AS c3, TIMESTAMPTZ '2026-01-01 10:00:00.123456Z' AS c4, 1.50::DECIMAL(10,2) AS c5, true AS c6");
    }
    str_buf_puts(&select, " UNION ALL SELECT 100, NULL, NULL, NULL, NULL, NULL");
    append(w, table, str_buf_text(&select));
    delta_table_free(table);
}

static void write_long(World *w, const char *path)
{
    SiltErr err;
    int64_t version;
    DeltaTable *table = create_table(w, path, &(Create){.columns = "id BIGINT, s STRING"});
    for (int i = 1; i <= 25; i++) {
        if (i == 15) {
            DeltaTxn *txn;
            OK(delta_txn_begin(table, &txn, &err));
            OK(delta_txn_remove_all(txn, &err));
            OK(write_rows(w, txn, "SELECT 1000::BIGINT AS c1, 'start' AS c2", &err));
            OK(delta_txn_commit(txn, &version, &err));
            delta_txn_free(txn);
        } else {
            OK(append_as(w, table, arena_printf(w->arena, "SELECT %d::BIGINT AS c1, 'row %d' AS c2", i, i), "query", i, &version, &err));
        }
    }
    delta_table_free(table);
}

static void write_evolved(World *w, const char *path)
{
    SiltErr err;
    int64_t version;
    DeltaTable *table = create_table(
        w, path, &(Create){.columns = "id BIGINT", .properties = {{"delta.enableChangeDataFeed", "true"}, {"my.key", "my value"}}});
    const Type *more = ddl(w, "n INT, z TIMESTAMP_NTZ");
    DeltaTxn *txn;
    append(w, table, "SELECT 1::BIGINT AS c1");
    OK(delta_txn_begin(table, &txn, &err));
    OK(delta_txn_add_columns(txn, more->fields, more->field_count, &err));
    OK(write_rows(w, txn, "SELECT 2::BIGINT AS c1, 5 AS c2, TIMESTAMP '2026-01-01 00:00:00' AS c3", &err));
    OK(delta_txn_commit(txn, &version, &err));
    delta_txn_free(txn);
    delta_table_free(table);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: delta_sample DIRECTORY\n");
        return 2;
    }
    void *state;
    world_local(&state);
    World *w = state;
    write_types(w, arena_printf(w->arena, "%s/types", argv[1]));
    write_partitions(w, arena_printf(w->arena, "%s/partitions", argv[1]));
    write_long(w, arena_printf(w->arena, "%s/long", argv[1]));
    write_evolved(w, arena_printf(w->arena, "%s/evolved", argv[1]));
    int warnings = w->warnings;
    world_free(&state);
    return warnings ? 1 : 0;
}
