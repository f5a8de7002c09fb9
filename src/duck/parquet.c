/* duck/parquet.c - the schema of a Parquet file as a STRUCT type, and the file as a table */
#include "duck/internal.h"

#include "duck/parquet_marks.h"
#include "duck/parquet_read.h"
#include "duck/quote.h"

#include <string.h>

/* One element of the file's schema, in the order of the file: parents before children. */
typedef struct Node {
    const char *name, *type, *repetition, *converted, *duckdb_type;
    int child_count;
} Node;

typedef struct Walk {
    Arena *arena;
    const Node *nodes;
    int count, next;
    const int *marked; /* nodes that are marked as VARIANT, in order */
    int marked_count;
    int in_variant; /* marked nodes around */
    SiltErr *err;
} Walk;

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

static int leaf_type(Walk *walk, const Node *node, const Type **out)
{
    static const struct {
        const char *name;
        TypeKind kind;
    } names[] = {
        {"BOOLEAN", TYPE_BOOLEAN},
        {"TINYINT", TYPE_BYTE},
        {"SMALLINT", TYPE_SHORT},
        {"INTEGER", TYPE_INT},
        {"BIGINT", TYPE_LONG},
        {"UTINYINT", TYPE_SHORT},
        {"USMALLINT", TYPE_INT},
        {"UINTEGER", TYPE_LONG},
        {"FLOAT", TYPE_FLOAT},
        {"DOUBLE", TYPE_DOUBLE},
        {"VARCHAR", TYPE_STRING},
        {"JSON", TYPE_STRING},
        {"UUID", TYPE_STRING},
        {"BLOB", TYPE_BINARY},
        {"DATE", TYPE_DATE},
        {"TIME", TYPE_TIME},
        {"TIMESTAMP WITH TIME ZONE", TYPE_TIMESTAMP},
        {"TIMESTAMP", TYPE_TIMESTAMP_NTZ},
        {"TIMESTAMP_NS", TYPE_TIMESTAMP_NTZ}, /* to microseconds, which DuckDB does by itself to those with a zone */
        {"\"NULL\"", TYPE_VOID},
    };
    if (is(node->type, "INT96")) { /* Spark's and Hive's old timestamps: always UTC */
        *out = type_simple(TYPE_TIMESTAMP);
        return 0;
    }
    bool lost = walk->in_variant && (is(node->duckdb_type, "UUID") || is(node->duckdb_type, "TIMESTAMP_NS")); /* it would be another type in the VARIANT */
    for (size_t i = 0; i < sizeof names / sizeof *names && !lost; i++)
        if (is(node->duckdb_type, names[i].name)) {
            *out = type_simple(names[i].kind);
            return 0;
        }
    if (is(node->duckdb_type, "UBIGINT")) {
        *out = type_decimal(20, 0);
        return 0;
    }
    if (node->duckdb_type && str_starts(str_of(node->duckdb_type), "DECIMAL("))
        return type_parse_ddl(walk->arena, str_of(node->duckdb_type), true, out, walk->err);
    silt_fail(walk->err, SILT_CONFIG, "Parquet type of column \"%s\" is not supported: %s", node->name,
              node->duckdb_type ? node->duckdb_type
              : node->type      ? node->type
                                : "a group without fields");
    return silt_code(walk->err, "PARQUET_TYPE_ILLEGAL");
}

static int node_type(Walk *walk, const Type **out, const Node **node);

static int fail_shape(Walk *walk, const Node *node)
{
    return silt_fail(walk->err, SILT_INPUT, "the Parquet schema is malformed at \"%s\"", node->name);
}

static int struct_type(Walk *walk, const Node *node, const Type **out)
{
    TypeField *fields = ARENA_ARRAY(walk->arena, TypeField, node->child_count);
    for (int i = 0; i < node->child_count; i++) {
        const Node *child;
        SILT_TRY(node_type(walk, &fields[i].type, &child));
        fields[i].name = child->name;
        fields[i].nullable = !is(child->repetition, "REQUIRED");
    }
    *out = type_struct(walk->arena, fields, node->child_count);
    return 0;
}

/* The repeated child is the element itself in files of old writers, else a group around the element. */
static int list_type(Walk *walk, const Node *node, const Type **out)
{
    if (node->child_count != 1 || walk->next >= walk->count)
        return fail_shape(walk, node);
    const Node *repeated = &walk->nodes[walk->next++], *element = NULL;
    const Type *type;
    bool is_element =
        repeated->child_count != 1 || is(repeated->name, "array") || is(repeated->name, arena_printf(walk->arena, "%s_tuple", node->name));
    if (repeated->child_count == 0)
        SILT_TRY(leaf_type(walk, repeated, &type));
    else if (is_element)
        SILT_TRY(struct_type(walk, repeated, &type));
    else
        SILT_TRY(node_type(walk, &type, &element));
    *out = type_array(walk->arena, type, element && !is(element->repetition, "REQUIRED"));
    return 0;
}

static int map_type(Walk *walk, const Node *node, const Type **out)
{
    if (node->child_count != 1 || walk->next >= walk->count || walk->nodes[walk->next].child_count != 2)
        return fail_shape(walk, node);
    walk->next++;
    const Node *key_node, *value_node;
    const Type *key, *value;
    SILT_TRY(node_type(walk, &key, &key_node));
    SILT_TRY(node_type(walk, &value, &value_node));
    *out = type_map(walk->arena, key, value, !is(value_node->repetition, "REQUIRED"));
    return 0;
}

static bool is_marked(const Walk *walk, int index)
{
    for (int i = 0; i < walk->marked_count; i++)
        if (walk->marked[i] == index)
            return true;
    return false;
}

static int variant_type(Walk *walk, const Node *node, const Type **out)
{
    const Type *parts;
    walk->in_variant++;
    SILT_TRY(struct_type(walk, node, &parts));
    walk->in_variant--;
    Type *type = ARENA_NEW(walk->arena, Type);
    *type = (Type){.kind = TYPE_VARIANT, .fields = parts->fields, .field_count = parts->field_count};
    *out = type;
    if (!type_is_parquet_variant(type))
        return fail_shape(walk, node);
    return 0;
}

static int node_type(Walk *walk, const Type **out, const Node **node_out)
{
    if (walk->next >= walk->count)
        return silt_fail(walk->err, SILT_INPUT, "the Parquet schema ends too early");
    const Node *node = &walk->nodes[walk->next];
    bool marked = node->child_count && is_marked(walk, walk->next);
    walk->next++;
    *node_out = node;
    if (marked)
        return variant_type(walk, node, out);
    if (is(node->converted, "LIST"))
        return list_type(walk, node, out);
    if (is(node->converted, "MAP") || is(node->converted, "MAP_KEY_VALUE"))
        return map_type(walk, node, out);
    SILT_TRY(node->child_count ? struct_type(walk, node, out) : leaf_type(walk, node, out));
    if (is(node->repetition, "REPEATED")) /* a list without its annotation */
        *out = type_array(walk->arena, *out, false);
    return 0;
}

static const char *text_at(Arena *arena, const Chunk *chunk, int column, uint64_t row)
{
    const Column *c = chunk_column(chunk, column);
    return column_is_null(c, row) ? NULL : arena_str(arena, chunk_string((const ChunkString *)c->data + row)).ptr;
}

/* The footer is looked at only where a group looks like one that may be marked: DuckDB does not tell. */
static int walk_schema(Arena *arena, const char *local_path, const Node *nodes, int count, const Type **out, SiltErr *err)
{
    Walk walk = {.arena = arena, .nodes = nodes, .count = count, .next = 1, .err = err};
    silt_auto(arena_freep) Arena *scratch = arena_new();
    bool may_be_marked = false;
    for (int i = 1; i < count; i++)
        may_be_marked |= is(nodes[i].name, "metadata") && is(nodes[i].type, "BYTE_ARRAY");
    if (may_be_marked) {
        ParquetMarks marks;
        SILT_TRY(parquet_marks_read(local_path, scratch, &marks, err));
        walk.marked = marks.elements;
        walk.marked_count = marks.count;
    }
    return struct_type(&walk, &nodes[0], out);
}

int duck_session_parquet_schemas(DuckSession *session, Arena *arena, const char *const *local_paths, int count, const Type **out, SiltErr *err)
{
    silt_auto(str_buf_fini) StrBuf sql = {0};
    str_buf_puts(&sql, "SELECT name, type, repetition_type, converted_type, duckdb_type, coalesce(num_children, 0)::INTEGER, file_name FROM parquet_schema(");
    quote_paths(&sql, local_paths, count);
    str_buf_putc(&sql, ')');
    const Type *string = type_simple(TYPE_STRING);
    const Type *const types[] = {string, string, string, string, string, type_simple(TYPE_INT), string};
    silt_auto(duck__rows_fini) DuckRows rows = {0};
    SILT_TRY(duck__query_rows(session, sql.ptr, types, 7, &rows, err));
    Node *nodes = NULL;
    int node_count = 0, capacity = 0, file = 0;
    for (int i = 0; i < rows.count; i++) /* all elements of one file, then those of the next */
        for (uint64_t row = 0; row < (uint64_t)chunk_row_count(rows.chunks[i]); row++) {
            const Chunk *chunk = rows.chunks[i];
            Str name = chunk_string((const ChunkString *)chunk_column(chunk, 6)->data + row);
            if (node_count > 0 && file + 1 < count && !str_is(name, local_paths[file])) {
                SILT_TRY(walk_schema(arena, local_paths[file], nodes, node_count, &out[file], err));
                file++;
                node_count = 0;
            }
            if (count > 1 && !str_is(name, local_paths[file]))
                return silt_fail(err, SILT_INPUT, "the Parquet file \"%s\" has no schema", local_paths[file]);
            Node node = {.name = text_at(arena, chunk, 0, row),
                         .type = text_at(arena, chunk, 1, row),
                         .repetition = text_at(arena, chunk, 2, row),
                         .converted = text_at(arena, chunk, 3, row),
                         .duckdb_type = text_at(arena, chunk, 4, row),
                         .child_count = ((const int32_t *)chunk_column(chunk, 5)->data)[row]};
            ARENA_PUSH(arena, nodes, node_count, capacity, node);
        }
    if (node_count == 0 || file != count - 1)
        return silt_fail(err, SILT_INPUT, "the Parquet file \"%s\" has no schema", local_paths[file]);
    return walk_schema(arena, local_paths[file], nodes, node_count, &out[file], err);
}

int duck_session_parquet_schema(DuckSession *session, Arena *arena, const char *local_path, const Type **out, SiltErr *err)
{
    return duck_session_parquet_schemas(session, arena, &local_path, 1, out, err);
}

/* ---- files as a table ---- */

static const Type *part_type(const Type *type, const char *name)
{
    for (int i = 0; i < type->field_count; i++)
        if (strcmp(type->fields[i].name, name) == 0)
            return type->fields[i].type;
    return NULL;
}

bool type_is_parquet_variant(const Type *type)
{
    if ((type->kind != TYPE_STRUCT && type->kind != TYPE_VARIANT) || type->field_count < 2 || type->field_count > 3)
        return false;
    const Type *metadata = part_type(type, "metadata"), *value = part_type(type, "value"), *typed = part_type(type, "typed_value");
    return metadata && metadata->kind == TYPE_BINARY && (!value || value->kind == TYPE_BINARY) && 1 + (value != NULL) + (typed != NULL) == type->field_count;
}

bool type_is_shredded(const Type *type)
{
    return type_is_parquet_variant(type) && (part_type(type, "typed_value") || !part_type(type, "value"));
}

bool type_has_marks(const Type *type)
{
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
        return type_has_marks(type->element) || (type->key && type_has_marks(type->key));
    for (int i = 0; type->kind == TYPE_STRUCT && i < type->field_count; i++)
        if (type_has_marks(type->fields[i].type))
            return true;
    return type->kind == TYPE_VARIANT && type->field_count > 0;
}

bool type_equal_parts(const Type *a, const Type *b)
{
    if (a->kind == TYPE_VARIANT && b->kind == TYPE_VARIANT) {
        Type x = *a, y = *b;
        x.kind = y.kind = TYPE_STRUCT;
        return type_equal(&x, &y, false);
    }
    if (a->kind != b->kind || !(a->kind == TYPE_ARRAY || a->kind == TYPE_MAP || a->kind == TYPE_STRUCT) || a->field_count != b->field_count)
        return type_equal(a, b, false);
    for (int i = 0; i < a->field_count; i++)
        if (strcmp(a->fields[i].name, b->fields[i].name) != 0 || !type_equal_parts(a->fields[i].type, b->fields[i].type))
            return false;
    return a->kind == TYPE_STRUCT || (type_equal_parts(a->element, b->element) && (!a->key || type_equal_parts(a->key, b->key)));
}

void parquet_put_variant(StrBuf *out, const char *value, const Type *parts)
{
    if (type_is_shredded(parts))
        str_buf_printf(out, "silt_unshred(%s, 0)", value);
    else
        str_buf_printf(out, "CASE WHEN %s IS NOT NULL THEN struct_pack(metadata := struct_extract(%s, 'metadata'), value := struct_extract(%s, 'value')) END",
                       value, value, value);
}

static void put_texts(StrBuf *out, const char *const *texts, int count)
{
    str_buf_puts(out, "[");
    for (int i = 0; i < count; i++) {
        str_buf_puts(out, i ? ", " : "");
        quote_text(out, str_of(texts[i]));
    }
    str_buf_puts(out, "]");
}

void parquet_put_files(StrBuf *out, const ParquetFiles *files)
{
    if (!files->marked) {
        str_buf_puts(out, "read_parquet(");
        quote_paths(out, files->paths, files->count);
        str_buf_puts(out, files->options);
        str_buf_putc(out, ')');
        return;
    }
    str_buf_puts(out, "silt_read_unmarked(");
    put_texts(out, files->paths, files->count);
    str_buf_puts(out, ", ");
    quote_text(out, str_of(files->options));
    str_buf_puts(out, ", ");
    if (files->column_count < 0)
        str_buf_puts(out, "NULL");
    else
        put_texts(out, files->columns, files->column_count);
    str_buf_puts(out, ", ");
    if (!files->schema)
        str_buf_puts(out, "NULL");
    for (int i = 0; files->schema && i < files->schema->field_count; i++) {
        const Type *type = files->schema->fields[i].type;
        silt_auto(str_buf_fini) StrBuf text = {0};
        if (!type_is_parquet_variant(type) && !type_has_marks(type) && type->kind != TYPE_VOID && !type_has_empty_struct(type))
            type_print_duck(&text, type);
        str_buf_puts(out, i ? ", " : "[");
        quote_text(out, str_buf_view(&text));
    }
    str_buf_puts(out, files->schema ? "])" : ")");
}
