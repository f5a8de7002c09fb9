/*
 * source/files_schema.c - the columns of a file source: given, inferred from a sample, or kept from an earlier run
 *
 * The kept form is Databricks': a line v1, then {"dataSchemaJson":"...","partitionSchemaJson":"..."} with Spark's schema JSON as text.
 */
#include "source/files_internal.h"

#include "base/json.h"
#include "base/uri.h"
#include "delta/widening.h"
#include "format/value.h"
#include "source/given.h"
#include "source/parquet_value.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The sample: files in their order, until one of these. The records a file are as many as 20,480, so that one large file does not decide. */
enum { SAMPLE_FILES_MAX = 1000, SAMPLE_RECORDS_PER_FILE = 20480 };
static const int64_t sample_bytes_max = INT64_C(64) << 20;

static Arena *metadata_arena; /* for ever */
static const Type *metadata_type;

static void make_metadata_type(void)
{
    metadata_arena = arena_new();
    const Type *text = type_simple(TYPE_STRING), *number = type_simple(TYPE_LONG);
    const TypeField fields[] = {
        {.name = "file_path", .type = text},          {.name = "file_name", .type = text},
        {.name = "file_size", .type = number},        {.name = "file_block_start", .type = number},
        {.name = "file_block_length", .type = number}, {.name = "file_modification_time", .type = type_simple(TYPE_TIMESTAMP)},
    };
    metadata_type = type_struct(metadata_arena, fields, 6);
}

const Type *source_files_metadata_type(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_metadata_type);
    return metadata_type;
}

static int field_index(const Type *type, const char *name)
{
    for (int i = 0; i < type->field_count; i++)
        if (strcasecmp(type->fields[i].name, name) == 0)
            return i;
    return -1;
}

static const char *rescued_name(const Files *files)
{
    const char *given = files->options.rescued_data_column;
    if (given && !*given)
        return NULL;
    if (given || !files->inferred || files->direct || files->evolution == EVOLVE_NONE)
        return given;
    if (!files->format->decoder_unknown && files->format != &format_parquet)
        return NULL;
    return "_rescued_data";
}

static bool is_own_name(const Files *files, const char *name)
{
    const char *rescued = rescued_name(files);
    return strcasecmp(name, "_metadata") == 0 || (rescued && strcasecmp(name, rescued) == 0);
}

/* ---- partition columns ---- */

const char *files__partition_value(const Files *files, Arena *arena, const char *path, const char *name, bool *is_text)
{
    size_t base = strlen(files->glob.base);
    if (strncmp(path, files->glob.base, base) != 0)
        return NULL;
    const char *p = path + base;
    for (const char *slash; (slash = strchr(p, '/')) != NULL; p = slash + 1) {
        const char *equals = memchr(p, '=', (size_t)(slash - p));
        if (!equals || equals == p)
            continue;
        Str key = partition_unescape(arena, (Str){p, (size_t)(equals - p)});
        if (!str_is_nocase(key, name))
            continue;
        Str value = {equals + 1, (size_t)(slash - equals - 1)};
        if (str_is(value, PARTITION_NULL))
            return NULL;
        value = partition_unescape(arena, value);
        if (is_text)
            *is_text = utf8_valid(value) && !memchr(value.ptr, 0, value.size);
        return value.ptr;
    }
    return NULL;
}

typedef struct PartitionGuess {
    const char *name;
    bool any, whole, small, date; /* all values so far: a whole number as it would be printed; fits INT; a date */
} PartitionGuess;

/* A value that is printed back to the same text: 007 and +1 are no numbers, or their text would be lost. */
static void guess_value(PartitionGuess *guess, Str value)
{
    int64_t number;
    bool whole = value_integer(value, INT64_MIN, INT64_MAX, &number);
    if (whole) {
        char text[32];
        int size = snprintf(text, sizeof text, "%lld", (long long)number);
        whole = (size_t)size == value.size && memcmp(text, value.ptr, value.size) == 0;
    }
    int32_t days;
    guess->whole &= whole;
    guess->small &= whole && number >= INT32_MIN && number <= INT32_MAX;
    guess->date &= value.size == 10 && value.ptr[4] == '-' && value.ptr[7] == '-' && value_date(value, &days);
    guess->any = true;
}

static const Type *partition_type(const PartitionGuess *guess)
{
    return type_simple(!guess->any    ? TYPE_STRING
                       : guess->small ? TYPE_INT
                       : guess->whole ? TYPE_LONG
                       : guess->date  ? TYPE_DATE
                                      : TYPE_STRING);
}

static bool is_wanted(const Files *files, Str key)
{
    if (!files->o.partition_columns)
        return true;
    for (const char *p = files->o.partition_columns; *p;) {
        size_t size = strcspn(p, ",");
        Str name = str_trim((Str){p, size});
        if (name.size == key.size && strncasecmp(name.ptr, key.ptr, key.size) == 0)
            return true;
        p += size + (p[size] == ',');
    }
    return false;
}

typedef struct PartitionGuesses {
    PartitionGuess *items;
    int count, capacity;
} PartitionGuesses;

/* The folders of one file. Keys of `known` (NULL: none) are left out. */
static void guess_path(const Files *files, const char *path, const Type *known, PartitionGuesses *guesses, Arena *arena)
{
    size_t base = strlen(files->glob.base);
    if (strncmp(path, files->glob.base, base) != 0)
        return;
    const char *p = path + base;
    for (const char *slash; (slash = strchr(p, '/')) != NULL; p = slash + 1) {
        const char *equals = memchr(p, '=', (size_t)(slash - p));
        if (!equals || equals == p)
            continue;
        Str key = partition_unescape(arena, (Str){p, (size_t)(equals - p)});
        if (!utf8_valid(key) || memchr(key.ptr, 0, key.size)) /* no name that a column can have */
            continue;
        const char *name = arena_strndup(arena, key.ptr, key.size);
        if (!is_wanted(files, key) || (known && field_index(known, name) >= 0))
            continue;
        int i = 0;
        while (i < guesses->count && !str_is_nocase(key, guesses->items[i].name))
            i++;
        if (i == guesses->count) {
            PartitionGuess guess = {name, false, true, true, true};
            ARENA_PUSH(arena, guesses->items, guesses->count, guesses->capacity, guess);
        }
        Str value = {equals + 1, (size_t)(slash - equals - 1)};
        if (!str_is(value, PARTITION_NULL))
            guess_value(&guesses->items[i], partition_unescape(arena, value));
    }
}

static const Type *partitions_with(const Type *known, const PartitionGuesses *guesses, Arena *arena)
{
    int count = known ? known->field_count : 0;
    TypeField *fields = ARENA_ARRAY(arena, TypeField, count + guesses->count + 1);
    if (count)
        memcpy(fields, known->fields, sizeof *fields * (size_t)count);
    for (int i = 0; i < guesses->count; i++)
        fields[count++] = (TypeField){.name = guesses->items[i].name, .type = partition_type(&guesses->items[i]), .nullable = true};
    return type_struct(arena, fields, count);
}

/* Leave out the keys that are called as a column of `data` (NULL: none) or as one of our own. */
static void drop_taken(const Files *files, PartitionGuesses *guesses, const Type *data)
{
    int kept = 0;
    for (int i = 0; i < guesses->count; i++)
        if ((!data || field_index(data, guesses->items[i].name) < 0) && !is_own_name(files, guesses->items[i].name))
            guesses->items[kept++] = guesses->items[i];
    guesses->count = kept;
}

static const Type *find_partitions(Source *source, const Listing *listing)
{
    PartitionGuesses guesses = {0};
    for (int i = 0; i < listing->count; i++)
        guess_path(source->self, listing->files[i].path, NULL, &guesses, source->arena);
    drop_taken(source->self, &guesses, NULL);
    return partitions_with(NULL, &guesses, source->arena);
}

const Type *files__more_partitions(const Files *files, const char *const *paths, int count, Arena *arena)
{
    PartitionGuesses guesses = {0};
    if (files->o.partition_columns)
        return files->partitions; /* the user has said which */
    for (int i = 0; i < count; i++)
        guess_path(files, paths[i], files->partitions, &guesses, arena);
    drop_taken(files, &guesses, files->data);
    return guesses.count ? partitions_with(files->partitions, &guesses, arena) : files->partitions;
}

const Type *files__partitions_beside(const Files *files, const Type *found, const Type *data, Arena *arena)
{
    int known = files->partitions->field_count, count = known;
    TypeField *fields = ARENA_ARRAY(arena, TypeField, found->field_count + 1);
    memcpy(fields, found->fields, sizeof *fields * (size_t)known);
    for (int i = known; i < found->field_count; i++)
        if (field_index(data, found->fields[i].name) < 0)
            fields[count++] = found->fields[i];
    return type_copy(arena, type_struct(arena, fields, count));
}

Str files__name_text(Arena *arena, const char *path)
{
    Str name = str_of(path_name(path));
    if (utf8_valid(name))
        return name;
    silt_auto(str_buf_fini) StrBuf text = {0};
    for (const char *p = name.ptr, *end = name.ptr + name.size; p < end;) {
        int length = utf8_length(p, end);
        if (length)
            str_buf_add(&text, p, (size_t)length);
        else
            utf8_put(&text, 0xFFFD);
        p += length ? length : 1;
    }
    return arena_str(arena, str_buf_view(&text));
}

/* A partition column that the data's schema has too is taken from the folder, with the type that the schema says. */
static void settle_partitions(Source *source)
{
    Files *files = source->self;
    TypeField *data = ARENA_ARRAY(source->arena, TypeField, files->data->field_count + 1);
    TypeField *partitions = ARENA_ARRAY(source->arena, TypeField, files->partitions->field_count + 1);
    int count = 0;
    for (int i = 0; i < files->partitions->field_count; i++) {
        partitions[i] = files->partitions->fields[i];
        int given = field_index(files->data, partitions[i].name);
        if (given >= 0 && !files->inferred)
            partitions[i].type = files->data->fields[given].type;
    }
    for (int i = 0; i < files->data->field_count; i++)
        if (field_index(files->partitions, files->data->fields[i].name) < 0)
            data[count++] = files->data->fields[i];
    files->data = type_struct(source->arena, data, count);
    files->partitions = type_struct(source->arena, partitions, files->partitions->field_count);
}

/* ---- inference ---- */

/* heads: counts the files that have one and no record behind it. */
static int sample_file(Files *files, FormatInference *inference, const ListedFile *file, int64_t *bytes, int *heads, SiltErr *err)
{
    SourcePart part = {.name = file->path};
    BlockFile block_file = {.path = file->path, .part = &part};
    Blocks *blocks = blocks_new(&(BlocksOptions){
        .io = files->context.io, .format = files->format, .options = &files->options, .files = &block_file, .file_count = 1, .ignore_missing = true});
    BlockBuffer *buffer = block_buffer_new();
    FormatBlock block;
    int r = 1; /* nothing is known of a file that is not looked at */
    inference->records_left = SAMPLE_RECORDS_PER_FILE;
    while (inference->records_left > 0 && *bytes < sample_bytes_max && (r = blocks_next(blocks, buffer, &block, err)) != 0) {
        if (r < 0 || (r = files->format->infer(&files->options, inference, &block, err)) < 0)
            break;
        *bytes += (int64_t)block.size;
    }
    *heads += r == 0 && inference->records_left == SAMPLE_RECORDS_PER_FILE && blocks_head(blocks, 0) != NULL;
    block_buffer_free(buffer);
    blocks_free(blocks);
    return r < 0 ? r : 0;
}

static int no_sample(Source *source, const Listing *listing, int heads, SiltErr *err)
{
    Files *files = source->self;
    if (!listing->found)
        silt_fail_at(err, SILT_CONFIG, files->path_pos, "could not infer the schema of %s: there is no \"%s\"", source->name, files->glob.base);
    else
        silt_fail_at(err, SILT_CONFIG, files->path_pos, "could not infer the schema of %s: %s", source->name,
                     !listing->count ? "there are no files yet" : heads == listing->count ? "its files have a header and no records" : "no record in its files can be read");
    return silt_hint(err, "%s: schema => 'id BIGINT, name STRING'.",
                     listing->count && heads < listing->count ? "Look into them, or say what they hold" : "Put a first file there, or say what will come");
}

static const Type *all_text(const Type *type, Arena *arena)
{
    TypeField *fields = ARENA_ARRAY(arena, TypeField, type->field_count + 1);
    for (int i = 0; i < type->field_count; i++) {
        fields[i] = type->fields[i];
        fields[i].type = type_simple(TYPE_STRING);
    }
    return type_struct(arena, fields, type->field_count);
}

/* A field of the data that is called as one of our columns makes none; it is rescued. */
static const Type *without_own_names(const Files *files, const Type *type, Arena *arena)
{
    TypeField *fields = ARENA_ARRAY(arena, TypeField, type->field_count + 1);
    int count = 0;
    for (int i = 0; i < type->field_count; i++)
        if (!is_own_name(files, type->fields[i].name))
            fields[count++] = type->fields[i];
    return type_struct(arena, fields, count);
}

static int infer_records(Source *source, const Listing *listing, SiltErr *err)
{
    Files *files = source->self;
    FormatInference *inference = inference_new();
    int64_t bytes = 0;
    SiltErr first = {0};
    int bad = 0, good = 0, heads = 0;
    for (int i = 0; i < listing->count && i < SAMPLE_FILES_MAX && bytes < sample_bytes_max; i++) {
        SiltErr one;
        if (sample_file(files, inference, &listing->files[i], &bytes, &heads, &one) < 0) {
            if (one.kind != SILT_INPUT) {
                inference_free(inference);
                *err = one;
                return -1;
            }
            if (bad++ == 0)
                first = one; /* it will be told when the file is read; other files may say enough */
        } else {
            good++;
        }
    }
    files->data = inference_schema(inference, &files->options, source->arena, files->format == &format_json);
    inference_free(inference);
    if (files->data->field_count == 0) {
        if (bad && !good) {
            *err = first;
            return -1;
        }
        return no_sample(source, listing, heads, err);
    }
    if (!files->options.infer_column_types)
        files->data = all_text(files->data, source->arena);
    return 0;
}

/* What a format says of a file without looking at its records. IO_ABSENT: nothing, it is empty or gone. */
static int told_schema(Source *source, const ListedFile *file, const Type **out, SiltErr *err)
{
    Files *files = source->self;
    SourcePart part = {.name = file->path};
    BlockFile block_file = {.path = file->path, .part = &part};
    Blocks *blocks = blocks_new(&(BlocksOptions){
        .io = files->context.io, .format = files->format, .options = &files->options, .files = &block_file, .file_count = 1, .ignore_missing = true});
    BlockBuffer *buffer = block_buffer_new();
    FormatBlock block;
    int r = blocks_next(blocks, buffer, &block, err);
    if (r >= 0) {
        const void *head = blocks_head(blocks, 0);
        const Type *type = head ? files->format->schema(&files->options, head) : NULL;
        *out = type ? type_copy(source->arena, type) : NULL;
        r = *out ? 0 : IO_ABSENT;
    }
    block_buffer_free(buffer);
    blocks_free(blocks);
    return r;
}

/* Formats with one schema for all files, and those whose files tell theirs. */
static int infer_told(Source *source, const Listing *listing, SiltErr *err)
{
    Files *files = source->self;
    if (!files->format->head) {
        if (!listing->found)
            return no_sample(source, listing, 0, err);
        files->data = files->format->schema(&files->options, NULL);
        return 0;
    }
    SiltErr first = {0};
    for (int i = 0; i < listing->count && i < SAMPLE_FILES_MAX; i++) {
        const Type *type;
        SiltErr one = {0};
        int r = told_schema(source, &listing->files[i], &type, &one);
        if (r == 0) {
            files->data = files->data ? schema_add(files->data, type, files__wider(files), source->arena) : type;
        } else if (r < 0 && one.kind != SILT_INPUT) {
            *err = one;
            return r;
        } else if (r < 0 && !first.message[0]) {
            first = one; /* it will be told when the file is read; other files may say enough */
        }
    }
    if (files->data)
        return 0;
    if (!first.message[0])
        return no_sample(source, listing, 0, err);
    *err = first;
    return -1;
}

static const Type *wider_integer(const Type *known, const Type *found)
{
    return type_is_integral(known) && type_is_integral(found) && found->kind > known->kind ? found : NULL;
}

/* As Databricks, dates become timestamps only by what Parquet files say they are. */
static const Type *wider_number(const Type *known, const Type *found)
{
    return known->kind == TYPE_DATE || found->kind == TYPE_DATE ? NULL : delta_type_wider(known, found);
}

FormatWider files__wider(const Files *files)
{
    return files->evolution != EVOLVE_WIDEN ? NULL : files->format == &format_parquet ? delta_type_wider : wider_number;
}

/* Columns of all files of the sample by name; of one name the first type, made wider: for whole numbers, or as the mode says. */
static int infer_parquet(Source *source, const Listing *listing, SiltErr *err)
{
    Files *files = source->self;
    silt_auto(arena_freep) Arena *arena = arena_new();
    int count = listing->count < SAMPLE_FILES_MAX ? listing->count : SAMPLE_FILES_MAX;
    const char **paths = ARENA_ARRAY(arena, const char *, count + 1), **damage = ARENA_ARRAY(arena, const char *, count + 1);
    const Type **types = ARENA_ARRAY(arena, const Type *, count + 1), *all = NULL;
    bool by_case = files->options.case_sensitive && rescued_name(files);
    FormatWider wider = files__wider(files) ? files__wider(files) : wider_integer;
    int first_damaged = -1;
    for (int i = 0; i < count; i++)
        paths[i] = listing->files[i].path;
    SILT_TRY(files__parquet_schemas(source, paths, count, arena, types, damage, err));
    for (int i = 0; i < count; i++) {
        if (damage[i] && first_damaged < 0)
            first_damaged = i; /* it will be told when the file is read; other files may say enough */
        if (!types[i])
            continue;
        if (!rescued_name(files) && parquet_without_twins(types[i], arena) != types[i]) {
            silt_fail_at(err, SILT_CONFIG, files->path_pos, "\"%s\" has columns or fields whose names differ by case only", paths[i]);
            silt_code(err, "COLUMN_ALREADY_EXISTS");
            return silt_hint(err, "Give the columns with schema => '...', or a column for the others: rescuedDataColumn => '_rescued_data'.");
        }
        const Type *type = files->direct ? types[i] : parquet_without_void(types[i], arena);
        all = all ? parquet_add_fields(all, type, by_case, wider, arena) : parquet_without_twins(type, arena);
    }
    if (!all && first_damaged >= 0)
        SILT_TRY(files__parquet_schemas(source, &paths[first_damaged], 1, arena, types, NULL, err));
    if (!all || all->field_count == 0)
        return no_sample(source, listing, 0, err);
    files->data = type_copy(source->arena, all);
    return 0;
}

/* ---- the kept form ---- */

const char *files__schema_text(const Source *source, Arena *arena)
{
    const Files *files = source->self;
    silt_auto(str_buf_fini) StrBuf out = {0};
    silt_auto(str_buf_fini) StrBuf type = {0};
    JsonWriter w = {.out = &out};
    str_buf_puts(&out, "v1\n");
    json_object(&w);
    type_to_json(&type, files->data);
    json_member(&w, "dataSchemaJson", str_buf_text(&type));
    str_buf_clear(&type);
    type_to_json(&type, files->partitions);
    json_member(&w, "partitionSchemaJson", str_buf_text(&type));
    json_object_end(&w);
    return arena_strdup(arena, str_buf_text(&out));
}

int files__store_schema(Source *source, SiltErr *err)
{
    const Files *files = source->self;
    silt_auto(arena_freep) Arena *arena = arena_new();
    const char *text = files__schema_text(source, arena), *stored = NULL;
    if (!text)
        return 0;
    int r = source_schema_load(files->context.io, files->o.schema_location, arena, &stored, err);
    if (r < 0 || (r == 0 && strcmp(stored, text) == 0))
        return r;
    return source_schema_store(files->context.io, files->o.schema_location, text, err);
}

static int read_schema_text(Source *source, const char *text, SiltErr *err)
{
    Files *files = source->self;
    const Json *json;
    if (strncmp(text, "v1\n", 3) != 0)
        return silt_fail(err, SILT_CORRUPT, "the kept schema of %s is %s", source->name, *text ? "of another version" : "empty");
    if (json_parse(source->arena, str_of(text + 3), &json, err) < 0 || !json_get(json, "dataSchemaJson"))
        return silt_fail(err, SILT_CORRUPT, "the kept schema of %s cannot be read", source->name);
    if (files->inferred)
        SILT_TRY(type_from_json(source->arena, json_str(json_get(json, "dataSchemaJson"), ""), &files->data, err));
    SILT_TRY(type_from_json(source->arena, json_str(json_get(json, "partitionSchemaJson"), ""), &files->partitions, err));
    return 0;
}

/* ---- putting it together ---- */

/* The name at *p, bare or in backticks; false: there is none. */
static bool take_name(Arena *arena, const char **p, Str *out)
{
    const char *start = *p;
    if (*start != '`') {
        while (**p && !strchr(" \t\n\r.,:`", **p))
            ++*p;
        *out = (Str){start, (size_t)(*p - start)};
        return out->size > 0;
    }
    StrBuf name = {0};
    const char *q = start + 1;
    for (; *q && (*q != '`' || q[1] == '`'); q++) {
        q += *q == '`';
        str_buf_putc(&name, *q);
    }
    *out = arena_str(arena, str_buf_view(&name));
    str_buf_fini(&name);
    *p = *q ? q + 1 : q;
    return *q == '`' && out->size > 0;
}

/* Hints are written as columns are, and a name may lead into a column: address.zip STRING, items.element.price DECIMAL(10,2). */
static int apply_hints(Source *source, const Type **schema, SiltErr *err)
{
    enum { DEPTH = 32 };
    Files *files = source->self;
    const char *p = files->o.schema_hints;
    for (;;) {
        Str path[DEPTH];
        int depth = 0;
        p += strspn(p, " \t\n\r");
        const char *item = p;
        bool good = true;
        do {
            p += depth > 0; /* the dot */
            good = take_name(source->arena, &p, &path[depth]) && ++depth < DEPTH;
        } while (good && *p == '.');
        const char *type = p;
        int brackets = 0;
        char quote = 0;
        for (; *p && (quote || brackets || *p != ','); p++) {
            if (quote || *p == '\'' || *p == '`' || *p == '"')
                quote = !quote ? *p : *p == quote ? 0 : quote;
            else
                brackets += (*p == '(' || *p == '<') - (*p == ')' || *p == '>');
        }
        const Type *hint = NULL;
        if (good) {
            const char *ddl = arena_printf(source->arena, "hint %.*s", (int)(p - type), type);
            SILT_TRY(given_parse(source->arena, "schemaHints", files->o.schema_hints, ddl, files->schema_pos, &hint, err));
        }
        const Type *hinted = hint && hint->field_count == 1 ? schema_apply_hint(*schema, path, depth, hint->fields[0].type, source->arena) : NULL;
        if (!hinted) {
            silt_fail_at(err, SILT_CONFIG, files->schema_pos, "schemaHints cannot be applied: \"%.*s\"", (int)(p - item), item);
            return silt_hint(err, "A hint is a column, or a path to a part of one, and a type: 'id BIGINT, address.zip STRING'.");
        }
        *schema = hinted;
        if (!*p)
            return 0;
        p++;
    }
}

const Type *files__hinted(Source *source, const Type *schema)
{
    const Files *files = source->self;
    if (files->o.schema_hints && files__wider(files))
        silt_assert(apply_hints(source, &schema, NULL) == 0); /* they were applied to the schema before */
    return schema;
}

int files__find_schema(Source *source, const char *schema_text, SiltErr *err)
{
    Files *files = source->self;
    files->partitions = type_struct(source->arena, NULL, 0);
    files->inferred = !files->o.schema && !files->options.avro_reader;
    if (files->o.schema)
        SILT_TRY(given_parse(source->arena, "schema", files->o.schema, files->o.schema, files->schema_pos, &files->data, err));
    else if (files->options.avro_reader)
        files->data = files->options.avro_columns;
    if (!files->inferred)
        SILT_TRY(given_check_names(source, files->data, rescued_name(files), files->schema_pos, err));
    bool located = !schema_text && files->o.schema_location;
    if (located) {
        int r = source_schema_load(files->context.io, files->o.schema_location, source->arena, &schema_text, err);
        if (r < 0)
            return r;
    }
    if (schema_text) {
        int r = read_schema_text(source, schema_text, err);
        if (r < 0 && located) {
            silt_context(err, "\"%s\": ", files->o.schema_location);
            return silt_hint(err, "Take the last file there away: the schema is the one before it then, or inferred again.");
        }
        SILT_TRY(r);
    } else {
        bool no_partitions = files->o.partition_columns && !*files->o.partition_columns;
        silt_auto(arena_freep) Arena *arena = arena_new();
        Listing listing = {0};
        ListingOptions options = {.name_filter = files->o.name_filter, .recursive = files->o.recursive};
        if (files->inferred || !no_partitions)
            SILT_TRY(listing_read(files->context.io, &files->glob, &options, arena, &listing, err));
        if (!no_partitions)
            files->partitions = find_partitions(source, &listing);
        if (files->inferred)
            SILT_TRY(files->format == &format_parquet ? infer_parquet(source, &listing, err)
                     : files->format->schema  ? infer_told(source, &listing, err)
                                              : infer_records(source, &listing, err));
        if (files->inferred)
            files->data = without_own_names(files, files->data, source->arena);
    }
    if (files->o.schema_hints)
        SILT_TRY(apply_hints(source, &files->data, err));
    if (files->o.schema || files->o.schema_hints)
        SILT_TRY(given_check_types(files->format, &files->options, files->data, files->schema_pos, err));
    settle_partitions(source);
    if (files->format == &format_csv && !rescued_name(files))
        files->options.case_sensitive = false; /* there is no place for a column that differs by case only */
    files__set_schema(source);
    return 0;
}

void files__set_schema(Source *source)
{
    Files *files = source->self;
    const char *rescued = rescued_name(files);
    int most = files->data->field_count + files->partitions->field_count + 2;
    SourceSchema *schema = &source->schema;
    *schema = (SourceSchema){.names = ARENA_ARRAY(source->arena, const char *, most),
                             .types = ARENA_ARRAY(source->arena, const Type *, most),
                             .nullable = ARENA_ARRAY(source->arena, bool, most)};
    int n = 0;
    for (int part = 0; part < 2; part++) {
        const Type *type = part ? files->partitions : files->data;
        for (int i = 0; i < type->field_count; i++, n++) {
            schema->names[n] = type->fields[i].name;
            schema->types[n] = type->fields[i].type;
            schema->nullable[n] = true; /* as Spark: files may leave anything out */
        }
    }
    files->rescued_column = -1;
    if (rescued) {
        files->rescued_column = n;
        schema->names[n] = rescued;
        schema->types[n] = type_simple(TYPE_STRING);
        schema->nullable[n++] = true;
    }
    files->metadata_column = n;
    schema->names[n] = "_metadata";
    schema->types[n] = source_files_metadata_type();
    schema->nullable[n++] = false;
    schema->column_count = n;
    schema->hidden_count = 1;
}
