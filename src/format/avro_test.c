/* format/avro_test.c - Avro heads, schemas and blocks, bytes by hand; whole files of another writer are in tests/e2e */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format/avro.h"
#include "format/avro_rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct Bench {
    Arena *arena;
    SiltErr err;
} Bench;

static int set_up(void **state)
{
    Bench *b = silt_alloc(sizeof *b);
    b->arena = arena_new();
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    Bench *b = *state;
    arena_free(b->arena);
    free(b);
    return 0;
}

static void put_long(StrBuf *out, int64_t value)
{
    uint64_t v = (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
    for (; v >= 0x80; v >>= 7)
        str_buf_putc(out, (char)(v | 0x80));
    str_buf_putc(out, (char)v);
}

static void put_text(StrBuf *out, const char *text)
{
    put_long(out, (int64_t)strlen(text));
    str_buf_puts(out, text);
}

static void put_head(StrBuf *out, const char *schema, const char *codec)
{
    str_buf_add(out, "Obj\1", 4);
    put_long(out, codec ? 2 : 1);
    put_text(out, "avro.schema");
    put_text(out, schema);
    if (codec) {
        put_text(out, "avro.codec");
        put_text(out, codec);
    }
    put_long(out, 0);
    str_buf_puts(out, "0123456789abcdef");
}

static const char *spark(Bench *b, const char *schema)
{
    const AvroType *type;
    if (avro_type_parse(b->arena, str_of(schema), &type, &b->err) < 0)
        return b->err.message;
    return type_text(b->arena, avro_type_spark(type, b->arena));
}

static void types_are_sparks(void **state)
{
    Bench *b = *state;
#define RECORD(fields) "{\"type\":\"record\",\"name\":\"a.R\",\"fields\":[" fields "]}"
    assert_string_equal(spark(b, "\"int\""), "int");
    assert_string_equal(spark(b, "{\"type\":{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}}"), "timestamp");
    assert_string_equal(spark(b, "{\"type\":\"long\",\"logicalType\":\"local-timestamp-micros\"}"), "timestamp_ntz");
    assert_string_equal(spark(b, "{\"type\":\"int\",\"logicalType\":\"date\"}"), "date");
    assert_string_equal(spark(b, "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":9,\"scale\":2}"), "decimal(9,2)");
    assert_string_equal(spark(b, "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":2,\"scale\":9}"), "binary"); /* as the specification says */
    assert_string_equal(spark(b, "[\"null\",\"string\"]"), "string");
    assert_string_equal(spark(b, "[\"int\",\"null\",\"long\"]"), "bigint");
    assert_string_equal(spark(b, "[\"float\",\"double\"]"), "double");
    assert_string_equal(spark(b, "[\"null\",\"int\",\"string\"]"), "struct<member0:int,member1:string>");
    assert_string_equal(spark(b, "{\"type\":\"map\",\"values\":{\"type\":\"array\",\"items\":\"boolean\"}}"), "map<string,array<boolean>>");
    assert_string_equal(spark(b, RECORD("{\"name\":\"e\",\"type\":{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"A\"]}},{\"name\":\"again\",\"type\":\"E\"},"
                                        "{\"name\":\"f\",\"type\":{\"type\":\"fixed\",\"name\":\"F\",\"size\":4}},{\"name\":\"g\",\"type\":\"a.F\"}")),
                        "struct<e:string,again:string,f:binary,g:binary>");
    assert_string_equal(spark(b, RECORD("{\"name\":\"next\",\"type\":[\"null\",\"R\"]}")), "Avro record \"a.R\" contains itself, which has no type in Spark");
    assert_string_equal(spark(b, "\"text\""), "unknown Avro type \"text\"");
}

static int head_of(Bench *b, const StrBuf *file, size_t size, const AvroHead **out, size_t *consumed)
{
    const void *head;
    *consumed = 0;
    int r = avro_head(NULL, NULL, b->arena, (Str){file->ptr, size}, size == file->size, &head, consumed, &b->err);
    *out = r == 0 ? head : NULL;
    return r;
}

static void a_head_is_taken_when_all_of_it_is_there(void **state)
{
    Bench *b = *state;
    StrBuf file = {0};
    const AvroHead *head;
    size_t consumed;
    put_head(&file, RECORD("{\"name\":\"id\",\"type\":\"long\"}"), "deflate");
    size_t size = file.size;
    str_buf_puts(&file, "more");
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(head_of(b, &file, cut, &head, &consumed), FORMAT_MORE);
    assert_int_equal(head_of(b, &file, size, &head, &consumed), 0);
    assert_int_equal(consumed, size);
    assert_int_equal(head->codec, AVRO_CODEC_DEFLATE);
    assert_string_equal(type_text(b->arena, head->schema), "struct<id:bigint>");
    str_buf_clear(&file);
    put_head(&file, RECORD(""), "bzip2");
    assert_true(head_of(b, &file, file.size, &head, &consumed) < 0);
    assert_string_equal(b->err.message, "cannot read Avro blocks compressed by \"bzip2\"");
    str_buf_clear(&file);
    str_buf_puts(&file, "Obj\1 something else that is long enough");
    assert_true(head_of(b, &file, file.size, &head, &consumed) < 0);
    str_buf_fini(&file);
}

/* One block of these records, decoded into a chunk as ddl says, or as the reader's schema does (NULL: there is none); NULL: b->err. */
static Chunk *decode_as(Bench *b, const char *fields, const char *ddl, const char *reader, StrBuf *records, int count, FormatCounts *counts)
{
    StrBuf file = {0};
    const AvroHead *head;
    const Type *schema;
    size_t consumed;
    Chunk *chunk = NULL;
    int rows;
    put_head(&file, fields, NULL);
    assert_int_equal(head_of(b, &file, file.size, &head, &consumed), 0);
    put_long(&file, count);
    put_long(&file, (int64_t)records->size);
    str_buf_str(&file, str_buf_view(records));
    str_buf_puts(&file, "0123456789abcdef");
    FormatOptions options;
    format_options_init(&options);
    if (reader) {
        assert_int_equal(avro_reader_parse(b->arena, str_of(reader), &options.avro_reader, &b->err), 0);
        schema = options.avro_columns = avro_type_spark(options.avro_reader, b->arena);
    } else {
        assert_int_equal(type_parse_ddl(b->arena, str_of(ddl), false, &schema, &b->err), 0);
    }
    const Type **types = ARENA_ARRAY(b->arena, const Type *, schema->field_count + 1);
    for (int i = 0; i < schema->field_count; i++)
        types[i] = schema->fields[i].type;
    FormatTarget target = {.schema = schema, .rescued_column = -1, .corrupt_column = -1, .types = types, .column_count = schema->field_count};
    FormatDecoder *decoder;
    FormatBlock block = {.ptr = file.ptr + consumed, .size = file.size - consumed, .source_name = "file:///a.avro", .position = (int64_t)consumed, .head = head};
    FormatCut cut = {0};
    assert_int_equal(avro_cut(&options, &cut, (Str){block.ptr, block.size}, true, false), block.size);
    assert_int_equal(avro_decoder_new(&options, &target, NULL, &decoder, &b->err), 0);
    avro_decoder_begin(decoder, &block);
    if (avro_decoder_next(decoder, &chunk, &rows, &b->err) == 0 && chunk)
        chunk_seal(chunk, rows);
    *counts = *avro_decoder_counts(decoder);
    avro_decoder_free(decoder);
    str_buf_fini(&file);
    return chunk;
}

static Chunk *decode(Bench *b, const char *fields, const char *ddl, StrBuf *records, int count, FormatCounts *counts)
{
    return decode_as(b, fields, ddl, NULL, records, count, counts);
}

#define BRANCH(name, item) "{\"type\":\"record\",\"name\":\"" name "\",\"fields\":[{\"name\":\"a\",\"type\":{\"type\":\"array\",\"items\":\"" item "\"}}]}"
static const char two_branches[] = RECORD("{\"name\":\"u\",\"type\":[\"null\"," BRANCH("A", "int") "," BRANCH("B", "long") "]}");
static const char one_branch[] =
    RECORD("{\"name\":\"u\",\"type\":[\"null\"," BRANCH("C", "double") "]},"
           "{\"name\":\"d\",\"type\":{\"type\":\"map\",\"values\":{\"type\":\"array\",\"items\":\"int\"}},\"default\":{\"k\":[1,2]}}");

static void two_branches_of_a_union_fill_one_list(void **state)
{
    Bench *b = *state;
    StrBuf r = {0};
    FormatCounts counts;
    static const int64_t records[] = {1, 1, 7, 0, /* A [7] */ 0, /* null */ 2, 2, 8, 9, 0 /* B [8, 9] */};
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        put_long(&r, records[i]);
    Chunk *chunk = decode_as(b, two_branches, NULL, one_branch, &r, 3, &counts);
    if (!chunk)
        fail_msg("%s", b->err.message);
    const Column *list = &chunk_column(chunk, 0)->children[0];
    const ChunkList *rows = list->data;
    const double *items = list->children[0].data;
    assert_true(column_is_null(chunk_column(chunk, 0), 1));
    assert_int_equal(rows[0].length, 1);
    assert_true(items[rows[0].offset] == 7.0);
    assert_true(items[rows[2].offset] == 8.0 && items[rows[2].offset + 1] == 9.0);
    const ChunkList *defaults = chunk_column(chunk, 1)->data;
    assert_int_equal(defaults[2].length, 1);
    assert_int_equal(defaults[2].offset, 2);
    chunk_unref(chunk);
    str_buf_fini(&r);
}

static void messages_become_rows_one_by_one(void **state)
{
    Bench *b = *state;
    static const char written[] = RECORD("{\"name\":\"id\",\"type\":\"int\"},{\"name\":\"tags\",\"type\":{\"type\":\"array\",\"items\":\"string\"}},"
                                         "{\"name\":\"gone\",\"type\":\"string\"}");
    static const char read[] = RECORD("{\"name\":\"tags\",\"type\":{\"type\":\"array\",\"items\":\"string\"}},{\"name\":\"id\",\"type\":\"long\"},"
                                      "{\"name\":\"new\",\"type\":\"string\",\"default\":\"d\"}");
    const AvroType *from, *as;
    AvroRows *rows;
    AvroPlace *place;
    AvroRow row;

    assert_int_equal(avro_type_parse(b->arena, str_of(written), &from, &b->err), 0);
    assert_int_equal(avro_reader_parse(b->arena, str_of(read), &as, &b->err), 0);
    const Type *schema = avro_type_spark(as, b->arena);
    const Type *types[] = {schema->fields[0].type, schema->fields[1].type, schema->fields[2].type, type_simple(TYPE_STRING)};
    FormatTarget target = {.schema = schema, .rescued_column = 3, .corrupt_column = -1, .types = types, .column_count = 4};
    place = avro_place_new(b->arena, schema);
    assert_int_equal(avro_rows_new(b->arena, from, as, &target, place, &rows, &b->err), 0);
    for (int chunk_number = 0; chunk_number < 2; chunk_number++) { /* one compiled schema serves any number of chunks */
        Chunk *chunk = chunk_new(types, 4);
        avro_rows_bind(place, chunk);
        for (int i = 0; i < 3; i++) {
            StrBuf r = {0};
            put_long(&r, 10 + i);
            put_long(&r, 1);
            put_text(&r, i ? "tag" : "");
            put_long(&r, 0);
            put_text(&r, "x");
            Str whole = str_buf_view(&r), cut = {whole.ptr, whole.size - 1}, rescued;
            assert_false(avro_rows_put(rows, chunk, &cut, (uint64_t)i, &row)); /* a message that is cut off leaves the row to the next one */
            assert_string_equal(row.refusal, "a record is not as the schema says");
            str_buf_putc(&r, '!');
            whole = str_buf_view(&r);
            assert_true(avro_rows_put(rows, chunk, &whole, (uint64_t)i, &row));
            assert_int_equal(whole.size, 1); /* what is behind it is for the caller to judge */
            assert_int_equal(row.unknowns, 1);
            assert_int_equal(row.misfits, 0);
            assert_true(avro_rows_rescued(rows, "topic", &rescued));
            assert_true(str_is(rescued, "{\"gone\":\"x\",\"_file_path\":\"topic\"}"));
            str_buf_fini(&r);
        }
        avro_rows_settle(place);
        chunk_seal(chunk, 3);
        const ChunkList *tags = chunk_column(chunk, 0)->data;
        assert_int_equal(tags[2].length, 1);
        assert_int_equal(((const int64_t *)chunk_column(chunk, 1)->data)[2], 12);
        assert_true(str_is(column_text(chunk_column(chunk, 2), 0), "d"));
        assert_true(str_is(column_text(&chunk_column(chunk, 0)->children[0], tags[1].offset), "tag"));
        chunk_unref(chunk);
    }
    avro_rows_free(rows);
}

static void any_bytes_are_records_of_the_readers_schema_or_refused(void **state)
{
    Bench *b = *state;
    uint64_t seed = 2;
    for (int round = 0; round < 3000; round++) {
        StrBuf r = {0};
        FormatCounts counts;
        for (int i = 0; i < round % 40; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            str_buf_putc(&r, (char)(seed >> 60 < 12 ? seed >> 58 & 7 : seed >> 33));
        }
        Chunk *chunk = decode_as(b, two_branches, NULL, one_branch, &r, 1 + round % 5, &counts);
        if (chunk)
            assert_int_equal(counts.records, counts.rows);
        chunk_unref(chunk);
        str_buf_fini(&r);
    }
}

static void values_go_where_they_fit_without_loss(void **state)
{
    Bench *b = *state;
    StrBuf r = {0};
    FormatCounts counts;
    put_long(&r, 7);
    put_long(&r, INT64_MIN);
    put_text(&r, "x");
    Chunk *chunk = decode(b, RECORD("{\"name\":\"i\",\"type\":\"int\"},{\"name\":\"l\",\"type\":\"long\"},{\"name\":\"s\",\"type\":\"string\"}"),
                          "l DOUBLE, i DECIMAL(12,2), s INT, z DATE", &r, 1, &counts);
    assert_non_null(chunk);
    assert_true(column_is_null(chunk_column(chunk, 0), 0)); /* a long is no double */
    assert_int_equal(((int64_t *)chunk_column(chunk, 1)->data)[0], 700);
    assert_true(column_is_null(chunk_column(chunk, 2), 0));
    assert_true(column_is_null(chunk_column(chunk, 3), 0));
    assert_int_equal(counts.misfit_fields, 2);
    assert_int_equal(counts.rows, 1);
    chunk_unref(chunk);
    str_buf_fini(&r);
}

static void broken_blocks_are_refused(void **state)
{
    Bench *b = *state;
    static const char *const fields[] = {RECORD("{\"name\":\"s\",\"type\":\"string\"}"),
                                         RECORD("{\"name\":\"s\",\"type\":{\"type\":\"array\",\"items\":\"int\"}}"),
                                         RECORD("{\"name\":\"s\",\"type\":[\"null\",\"int\"]}"),
                                         RECORD("{\"name\":\"s\",\"type\":{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"A\"]}}")};
    static const char *const types[] = {"s STRING", "s ARRAY<INT>", "s INT", "s STRING"};
    static const int64_t numbers[] = {100, INT64_MAX, -1, INT64_MIN, 2};
    for (size_t i = 0; i < 4; i++)
        for (size_t n = 0; n < 5; n++) {
            StrBuf r = {0};
            FormatCounts counts;
            put_long(&r, numbers[n]);
            put_long(&r, 5);
            assert_null(decode(b, fields[i], types[i], &r, 1, &counts));
            assert_non_null(strstr(b->err.message, "could not read the Avro block at byte "));
            str_buf_fini(&r);
        }
    StrBuf r = {0};
    FormatCounts counts;
    put_text(&r, "x");
    assert_null(decode(b, fields[0], types[0], &r, 1000, &counts)); /* more records than bytes */
    str_buf_fini(&r);
}

static void any_bytes_are_records_or_refused(void **state)
{
    Bench *b = *state;
    uint64_t seed = 1;
    for (int round = 0; round < 3000; round++) {
        StrBuf r = {0};
        FormatCounts counts;
        for (int i = 0; i < round % 60; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            str_buf_putc(&r, (char)(seed >> 60 < 8 ? seed >> 58 & 7 : seed >> 33));
        }
        Chunk *chunk = decode(b,
                              RECORD("{\"name\":\"a\",\"type\":[\"null\",\"int\",\"string\"]},{\"name\":\"m\",\"type\":{\"type\":\"map\",\"values\":{\"type\":\"array\","
                                     "\"items\":[\"null\",\"string\"]}}},{\"name\":\"d\",\"type\":{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":20,"
                                     "\"scale\":3}},{\"name\":\"x\",\"type\":{\"type\":\"record\",\"name\":\"X\",\"fields\":[{\"name\":\"y\",\"type\":\"double\"}]}}"),
                              "a STRUCT<member0: INT, member1: STRING>, m MAP<STRING, ARRAY<STRING>>, d DECIMAL(38,6), x STRUCT<y: DOUBLE, z: INT>", &r,
                              1 + round % 3, &counts);
        if (chunk)
            assert_int_equal(counts.records, counts.rows);
        chunk_unref(chunk);
        str_buf_fini(&r);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(types_are_sparks),
        TEST(a_head_is_taken_when_all_of_it_is_there),
        TEST(two_branches_of_a_union_fill_one_list),
        TEST(messages_become_rows_one_by_one),
        TEST(any_bytes_are_records_of_the_readers_schema_or_refused),
        TEST(values_go_where_they_fit_without_loss),
        TEST(broken_blocks_are_refused),
        TEST(any_bytes_are_records_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
