/* source/files_batch.c - a list of files opened for reading: parts, constant columns, reader, drift */
#include "source/files_internal.h"

#include "base/uri.h"
#include "format/value.h"
#include "source/inflate.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { BYTES_A_ROW = 150, COMPRESSION = 5 /* guesses, for the number of threads */ };

/* ---- columns that have one value in a file ---- */

typedef struct PartitionColumn {
    const char **text; /* per part; NULL: SQL NULL */
    const Type *type;
    const Zone *zone;
} PartitionColumn;

static void all_null(Column *column, int rows)
{
    for (int row = 0; row < rows; row++)
        column_set_null(column, (uint64_t)row);
}

#define FILL(c_type, value)                                                                                                                \
    for (int row = 0; row < rows; row++)                                                                                                   \
    ((c_type *)column->data)[row] = (c_type)(value)

/* Puts a folder's text into `rows` rows and tells whether it fits the type. Of no rows (column NULL) it only tells. */
static bool put_partition(const PartitionColumn *p, const char *value, Column *column, int rows)
{
    Str text = str_of(value);
    int64_t number = 0;
    int32_t days = 0;
    __int128 decimal = 0;
    bool truth = false, integral, fits = true;
    switch (p->type->kind) {
    case TYPE_STRING:
        for (int row = 0; row < rows; row++)
            column_set_string(column, (uint64_t)row, text.ptr, text.size);
        break;
    case TYPE_BOOLEAN:
        if ((fits = value_boolean(text, true, &truth)))
            FILL(uint8_t, truth);
        break;
    case TYPE_BYTE:
        if ((fits = value_integer(text, INT8_MIN, INT8_MAX, &number)))
            FILL(int8_t, number);
        break;
    case TYPE_SHORT:
        if ((fits = value_integer(text, INT16_MIN, INT16_MAX, &number)))
            FILL(int16_t, number);
        break;
    case TYPE_INT:
        if ((fits = value_integer(text, INT32_MIN, INT32_MAX, &number)))
            FILL(int32_t, number);
        break;
    case TYPE_LONG:
        if ((fits = value_integer(text, INT64_MIN, INT64_MAX, &number)))
            FILL(int64_t, number);
        break;
    case TYPE_DOUBLE:
        if ((fits = value_is_number(text, true, &integral)))
            FILL(double, value_double(text, NULL));
        break;
    case TYPE_FLOAT:
        if ((fits = value_is_number(text, true, &integral)))
            FILL(float, value_float(text, NULL));
        break;
    case TYPE_DECIMAL:
        if ((fits = value_decimal(text, p->type->precision, p->type->scale, true, &decimal)))
            for (int row = 0; row < rows; row++)
                value_store_decimal(column->data, (uint64_t)row, p->type->precision, decimal);
        break;
    case TYPE_DATE:
        if ((fits = value_date(text, &days)))
            FILL(int32_t, days);
        break;
    case TYPE_TIMESTAMP:
        if ((fits = value_timestamp(text, p->zone, &number)))
            FILL(int64_t, number);
        break;
    case TYPE_TIMESTAMP_NTZ:
        if ((fits = value_timestamp_ntz(text, &number)))
            FILL(int64_t, number);
        break;
    default:
        fits = false;
    }
    return fits;
}

static void fill_partition(const void *self, Column *column, int part, int rows)
{
    const PartitionColumn *p = self;
    const char *value = p->text[part];
    if (!value)
        all_null(column, rows);
    else
        silt_assert(put_partition(p, value, column, rows)); /* check_partitions has seen it */
}

static void fill_metadata(const void *self, Column *column, int part, int rows)
{
    const SourceBatch *batch = self;
    const FilesBatch *fb = batch->self;
    const SourcePart *p = &batch->parts[part];
    Str name = files__name_text(batch->arena, fb->paths[part]);
    for (int row = 0; row < rows; row++) {
        column_set_string(&column->children[0], (uint64_t)row, p->name, strlen(p->name));
        column_set_string(&column->children[1], (uint64_t)row, name.ptr, name.size);
        ((int64_t *)column->children[2].data)[row] = p->size_bytes;
        ((int64_t *)column->children[3].data)[row] = 0;
        ((int64_t *)column->children[4].data)[row] = p->size_bytes;
        ((int64_t *)column->children[5].data)[row] = p->modified_ms * 1000;
    }
}

static void fill_null(const void *self, Column *column, int part, int rows)
{
    (void)self, (void)part;
    all_null(column, rows);
}

/* ---- opening ---- */

int files__missing(SourceBatch *batch, int part, SiltErr *err)
{
    const Files *files = batch->source->self;
    const FilesBatch *fb = batch->self;
    batch->parts[part].missing = true;
    if (files->o.ignore_missing)
        return 0;
    silt_fail(err, SILT_INPUT, "\"%s\" is gone before it was read", fb->paths[part]);
    return silt_hint(err, "Put it back, or go on without it: ignoreMissingFiles => true.");
}

static int find_parts(Source *source, SourceBatch *batch, const LogFile *list, int count, SiltErr *err)
{
    Files *files = source->self;
    FilesBatch *fb = batch->self;
    batch->part_count = count;
    batch->parts = ARENA_ARRAY(batch->arena, SourcePart, count + 1);
    fb->paths = ARENA_ARRAY(batch->arena, const char *, count + 1);
    uint64_t hash[2] = {14695981039346656037u, 1099511628211u};
    for (int i = 0; i < count; i++) {
        SourcePart *part = &batch->parts[i];
        part->name = arena_strdup(batch->arena, list[i].uri);
        part->modified_ms = part->planned_ms = list[i].timestamp_ms;
        part->size_bytes = -1;
        SILT_TRY(uri_to_path(batch->arena, list[i].uri, &fb->paths[i], err));
        IoStat stat = {0};
        int r = io_stat(files->context.io, fb->paths[i], &stat, err);
        if (r < 0)
            return r;
        if (r == IO_ABSENT) {
            SILT_TRY(files__missing(batch, i, err));
        } else {
            /* allowOverwrites: written again since it was planned, so it comes as a file of its own */
            part->missing = files->o.allow_overwrites && files->log && stat.modified_us / 1000 != list[i].timestamp_ms;
            part->size_bytes = stat.size_bytes;
            part->modified_ms = stat.modified_us / 1000;
        }
        const char *line =
            arena_printf(batch->arena, "%s %lld %lld\n", part->name, (long long)part->size_bytes, (long long)stat.modified_us);
        for (const char *p = line; *p; p++)
            for (int h = 0; h < 2; h++)
                hash[h] = (hash[h] ^ (unsigned char)*p) * (h ? 0x9E3779B97F4A7C15u : 1099511628211u);
    }
    batch->fingerprint =
        arena_printf(batch->arena, "files=%d hash=%016llx%016llx", count, (unsigned long long)hash[0], (unsigned long long)hash[1]);
    return 0;
}

/* A folder's text that does not fit its column's type is an error, as Spark's validatePartitionColumns: as NULL it would be lost without a
 * word. */
static int check_partitions(Source *source, const SourceBatch *batch, const bool *needed, SiltErr *err)
{
    Files *files = source->self;
    const FilesBatch *fb = batch->self;
    const Zone *zone = zone_find(str_of(files->options.time_zone));
    for (int c = files->data->field_count; c < source->schema.column_count; c++) {
        if (c == files->metadata_column || c == files->rescued_column || (needed && !needed[c]))
            continue;
        const PartitionColumn column = {.type = source->schema.types[c], .zone = zone};
        for (int i = 0; i < batch->part_count; i++) {
            bool is_text;
            const char *value =
                batch->parts[i].missing ? NULL : files__partition_value(files, batch->arena, fb->paths[i], source->schema.names[c], &is_text);
            if (!value || (is_text && put_partition(&column, value, NULL, 0)))
                continue;
            const char *name = source->schema.names[c];
            if (!is_text) {
                silt_fail(err, SILT_INPUT, "\"%s\": the folder's value of partition column \"%s\" is not UTF-8 or has a NUL", batch->parts[i].name, name);
                return silt_hint(err, "Rename the folder. partitionColumns => '' takes no columns from folders.");
            }
            silt_fail(err, SILT_INPUT, "\"%s\": the folder's \"%s=%s\" does not fit partition column \"%s\" of type %s", fb->paths[i], name,
                      value, name, type_text(batch->arena, column.type));
            return silt_hint(err,
                             "Move the file elsewhere, or give the column a type for all of its values, for instance schemaHints => '%s "
                             "STRING', and start "
                             "over with --full-refresh.",
                             name);
        }
    }
    return 0;
}

/* Folders `key=value` with a key that there was not before. */
static int find_partitions(Source *source, SourceBatch *batch, SiltErr *err)
{
    const Files *files = source->self;
    FilesBatch *fb = batch->self;
    const Type *partitions = files__more_partitions(files, fb->paths, batch->part_count, batch->arena);
    if (partitions == files->partitions)
        return 0;
    fb->partitions = partitions;
    if (files__partitions_evolve(files))
        return 0;
    const char *name = partitions->fields[files->partitions->field_count].name;
    silt_fail_at(err, SILT_CONFIG, files->path_pos, "%s: there is a new partition column \"%s\" in the names of folders", source->name, name);
    silt_code(err, "UNKNOWN_FIELD_EXCEPTION.NEW_FIELDS_IN_FILE");
    return silt_hint(err,
                     "schemaEvolutionMode => '%s' adds no column. Let it be added with 'addNewColumns', or say which folders make columns: "
                     "partitionColumns => '%s', or '' for none.",
                     files__evolution_name(files->evolution), name);
}

static int open_records(Source *source, SourceBatch *batch, const SourceReadOptions *read, SiltErr *err)
{
    Files *files = source->self;
    FilesBatch *fb = batch->self;
    Arena *arena = batch->arena;
    const SourceSchema *schema = &source->schema;
    int data = files->data->field_count;
    const bool *needed = read->needed;
    bool rescue = files->rescued_column >= 0 && (!needed || needed[files->rescued_column]);

    fb->block_files = ARENA_ARRAY(arena, BlockFile, batch->part_count + 1);
    int64_t bytes = 0;
    int file_count = 0;
    for (int i = 0; i < batch->part_count; i++) {
        SourcePart *part = &batch->parts[i];
        if (part->missing)
            continue;
        fb->block_files[file_count++] = (BlockFile){.path = fb->paths[i], .part = part, .source = i};
        bytes += part->size_bytes * (inflate_suffix(&(Str){fb->paths[i], strlen(fb->paths[i])}) ? COMPRESSION : 1);
    }

    FileReaderOptions o = {.io = files->context.io,
                           .format = files->format,
                           .options = &files->options,
                           .sink = read->sink,
                           .files = fb->block_files,
                           .file_count = file_count,
                           .threads = files->context.threads ? files->context.threads : (int)sysconf(_SC_NPROCESSORS_ONLN),
                           .ignore_missing = files->o.ignore_missing,
                           .ignore_corrupt = files->o.ignore_corrupt,
                           .rows_estimate = bytes / BYTES_A_ROW + 1};
    o.target = (FormatTarget){.schema = files->data,
                              .rescued_column = rescue ? files->rescued_column : -1,
                              .corrupt_column = format_corrupt_column(&files->options, files->data),
                              .collect_unknown = files__wants_unknown(files),
                              .wider = files__wider(files),
                              .types = schema->types,
                              .column_count = schema->column_count};
    if (needed && !rescue) {
        bool *data_needed = ARENA_ARRAY(arena, bool, data + 1);
        memcpy(data_needed, needed, sizeof(bool) * (size_t)data);
        o.target.needed = data_needed;
    }

    FileConstant *constants = ARENA_ARRAY(arena, FileConstant, schema->column_count - data + 1);
    const Zone *zone = zone_find(str_of(files->options.time_zone));
    for (int c = data; c < schema->column_count; c++) {
        FileConstant *constant = &constants[o.constant_count++];
        *constant = (FileConstant){.column = c, .fill = fill_null};
        if (needed && !needed[c])
            continue;
        if (c == files->metadata_column) {
            constant->fill = fill_metadata;
            constant->self = batch;
        } else if (c == files->rescued_column) {
            o.constant_count--; /* the decoder's */
        } else {
            PartitionColumn *column = ARENA_NEW(arena, PartitionColumn);
            *column =
                (PartitionColumn){.type = schema->types[c], .zone = zone, .text = ARENA_ARRAY(arena, const char *, batch->part_count + 1)};
            for (int i = 0; i < batch->part_count; i++)
                column->text[i] = files__partition_value(files, arena, fb->paths[i], schema->names[c], NULL);
            constant->fill = fill_partition;
            constant->self = column;
        }
    }
    o.constants = constants;
    (void)err;
    fb->reader = file_reader_new(&o);
    batch->reader = file_reader_chunks(fb->reader);
    return 0;
}

int files__open(Source *source, const LogFile *list, int count, const SourceReadOptions *read, SourceBatch **out, SiltErr *err)
{
    static const SourceReadOptions all = {0};
    Files *files = source->self;
    Arena *arena = arena_new();
    SourceBatch *batch = ARENA_NEW(arena, SourceBatch);
    batch->source = source;
    batch->arena = arena;
    batch->self = ARENA_NEW(arena, FilesBatch);
    if (!read)
        read = &all;
    int r = find_parts(source, batch, list, count, err);
    if (r == 0)
        r = find_partitions(source, batch, err);
    if (r == 0)
        r = check_partitions(source, batch, read->needed, err);
    if (r == 0)
        r = files->format == &format_parquet ? files__parquet_open(source, batch, read, err) : open_records(source, batch, read, err);
    if (r < 0) {
        source_batch_close(batch);
        return r;
    }
    *out = batch;
    return 0;
}

void files__batch_close(SourceBatch *batch)
{
    FilesBatch *fb = batch->self;
    file_reader_free(fb->reader);
    for (int i = 0; batch->parts && i < batch->part_count; i++)
        free((char *)batch->parts[i].corrupt);
}

FormatCounts files__batch_counts(const SourceBatch *batch)
{
    const FilesBatch *fb = batch->self;
    return fb->reader ? file_reader_counts(fb->reader) : (FormatCounts){.records = -1, .rows = -1};
}

/* ---- drift ---- */

/* Names of columns that do not come from the data: a field that is called so stays rescued. */
static bool is_taken(const Source *source, const char *name)
{
    const Files *files = source->self;
    for (int i = files->data->field_count; i < source->schema.column_count; i++)
        if (strcasecmp(source->schema.names[i], name) == 0)
            return true;
    return false;
}

/* The schema with what the batch's records have beyond it; files->data itself if there is nothing. */
static const Type *wider(const SourceBatch *batch)
{
    const FilesBatch *fb = batch->self;
    Source *source = batch->source;
    Files *files = source->self;
    if (!files__wants_unknown(files))
        return files->data;
    const Type *wide = files->data;
    if (!fb->reader) {
        wide = fb->widened ? fb->widened : files->data;
    } else if (files->format->decoder_met) {
        const Type *met = file_reader_met(fb->reader, source->arena);
        if (met)
            wide = schema_add(files->data, met, files__wider(files), source->arena);
    } else {
        const FormatInference *unknown = file_reader_unknown(fb->reader);
        if (unknown)
            wide = schema_widen(files->data, unknown, &files->options, files__wider(files), source->arena, files->format == &format_json);
    }
    if (wide == files->data)
        return wide;
    wide = files__hinted(source, wide);
    TypeField *fields = ARENA_ARRAY(source->arena, TypeField, wide->field_count + 1);
    int count = 0;
    for (int i = 0; i < wide->field_count; i++) {
        if (i >= files->data->field_count && is_taken(source, wide->fields[i].name))
            continue;
        if (i >= files->data->field_count && files->rescued_column >= 0 && !source->any_name && strpbrk(wide->fields[i].name, " ,;{}()\n\t=")) {
            source->remark = arena_printf(source->arena, "%s: the files have a new column \"%s\": without column mapping no table can have a column of this name, "
                                          "it stays in the rescued data", source->name, wide->fields[i].name);
            continue;
        }
        fields[count] = wide->fields[i];
        if (i >= files->data->field_count && files->format->infer && !files->options.infer_column_types)
            fields[count].type = type_simple(TYPE_STRING);
        count++;
    }
    wide = type_struct(source->arena, fields, count);
    return type_equal(wide, files->data, false) ? files->data : wide;
}

bool files__batch_drift(const SourceBatch *batch)
{
    Files *files = batch->source->self;
    const FilesBatch *fb = batch->self;
    return fb->partitions || wider(batch) != files->data;
}

/* failOnNewColumns: what is new, by name. */
static int refuse_new(Source *source, const Type *wide, SiltErr *err)
{
    Files *files = source->self;
    silt_auto(str_buf_fini) StrBuf names = {0};
    for (int i = files->data->field_count; i < wide->field_count; i++)
        str_buf_printf(&names, "%s\"%s\"", names.size ? ", " : "", wide->fields[i].name);
    if (names.size)
        silt_fail_at(err, SILT_CONFIG, files->path_pos, "%s: there are new columns in the files: %s", source->name, str_buf_text(&names));
    else
        silt_fail_at(err, SILT_CONFIG, files->path_pos, "%s: there are new fields in columns of the files", source->name);
    silt_code(err, "UNKNOWN_FIELD_EXCEPTION.NEW_FIELDS_IN_FILE");
    return silt_hint(err, "schemaEvolutionMode => 'failOnNewColumns' was asked for. Add them to the schema or its hints, or take the file away.");
}

int files__widen(Source *source, SourceBatch *batch, SiltErr *err)
{
    Files *files = source->self;
    const Type *wide = wider(batch);
    const FilesBatch *fb = batch->self;
    if (wide != files->data && !files__evolves(files))
        return refuse_new(source, wide, err);
    if (fb->partitions)
        files->partitions = files__partitions_beside(files, fb->partitions, wide, source->arena);
    files->data = type_copy(source->arena, wide);
    files__set_schema(source);
    if (files->o.schema_location && files->log)
        SILT_TRY(files__store_schema(source, err));
    return 0;
}
