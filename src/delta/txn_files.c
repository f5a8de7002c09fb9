/*
 * delta/txn_files.c - written files as actions of a transaction: their names, partition values and statistics
 */
#include "delta/txn_internal.h"

#include "base/uri.h"
#include "delta/mapping.h"

#include <string.h>

static const TypeField *partition_field(const DeltaMetadata *metadata, int index)
{
    return &metadata->schema->fields[type_field_index(metadata->schema, metadata->partition_columns[index], NULL)];
}

/* A folder of two characters by chance: names and values of columns do not show in folders where the columns are mapped, as with Spark. */
static void random_folder(DeltaTxn *txn, StrBuf *folder)
{
    static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    uint8_t chance[2];

    io_random(txn->table->env.io, chance, sizeof chance);
    for (int i = 0; i < 2; i++)
        str_buf_putc(folder, characters[chance[i] % (sizeof characters - 1)]);
    str_buf_putc(folder, '/');
}

/* Rows with NULL in a column or a field of a struct that is NOT NULL; as in Spark a field is NULL too where its struct is. path: of the struct. */
static int check_fields_not_null(const DeltaTxn *txn, const DuckWrittenFile *file, const Type *type, const char *path, const char *shown, SiltErr *err)
{
    for (int i = 0; i < type->field_count; i++) {
        const TypeField *field = &type->fields[i];
        const char *at = arena_printf(txn->arena, "%s%s", path, delta_mapping_name(txn->arena, txn->metadata, field));
        const char *name = arena_printf(txn->arena, "%s%s", shown, field->name);
        if (field->type->kind == TYPE_STRUCT)
            SILT_TRY(check_fields_not_null(txn, file, field->type, arena_printf(txn->arena, "%s\x1f", at), arena_printf(txn->arena, "%s.", name), err));
        if (field->nullable || field->type->kind >= TYPE_VARIANT) /* whoever made the rows answers for these: a file does not tell */
            continue;
        for (int j = 0; j < file->stats_count; j++)
            if (strcmp(file->stats[j].path, at) == 0 && file->stats[j].null_count > 0) {
                silt_fail(err, SILT_INPUT, "column \"%s\" of \"%s\" is NOT NULL, and %lld rows have NULL in it", name, txn->table->root,
                          (long long)file->stats[j].null_count);
                return silt_code(err, "DELTA_NOT_NULL_CONSTRAINT_VIOLATED");
            }
    }
    return 0;
}

/* Partition values of a written file, and the folders that they make (P3), to the end of folder. */
static int partition_of(DeltaTxn *txn, const DuckWrittenFile *written, DeltaFile *file, StrBuf *folder, SiltErr *err)
{
    const DeltaMetadata *metadata = txn->metadata;
    enum { NAME_BYTES_MAX = 255 }; /* of one folder, on the usual file systems */
    bool too_long = false;

    file->partition_count = metadata->partition_count;
    if (metadata->partition_count)
        file->partition_values = ARENA_ARRAY(txn->arena, DeltaProperty, metadata->partition_count);
    for (int i = 0; i < metadata->partition_count; i++) {
        const TypeField *field = partition_field(metadata, i);
        const char *value = delta__partition_text(txn->arena, field->type, written->partition_values[i]);
        if (!value && !field->nullable) {
            silt_fail(err, SILT_INPUT, "partition column \"%s\" of \"%s\" is NOT NULL, and there are rows with NULL or '' in it",
                      metadata->partition_columns[i], txn->table->root);
            return silt_code(err, "DELTA_NOT_NULL_CONSTRAINT_VIOLATED");
        }
        file->partition_values[i] = (DeltaProperty){delta_mapping_name(txn->arena, metadata, field), value};
        Str text = str_of(value);
        size_t before = folder->size;
        partition_folder(folder, str_of(metadata->partition_columns[i]), value ? &text : NULL);
        too_long |= folder->size - before > NAME_BYTES_MAX;
        str_buf_putc(folder, '/');
    }
    if (delta_mapping_on(metadata)) {
        str_buf_clear(folder);
        random_folder(txn, folder);
    } else if (too_long) { /* the value counts, not the folder: any place in the table is right */
        str_buf_clear(folder);
        str_buf_puts(folder, "long/");
    }
    return 0;
}

int delta_txn_add_files(DeltaTxn *txn, const DuckWrittenFile *files, int file_count, const char *compression, SiltErr *err)
{
    silt_assert(txn->metadata);
    silt_auto(arena_freep) Arena *scratch = arena_new();
    silt_auto(str_buf_fini) StrBuf name = {0};
    silt_auto(str_buf_fini) StrBuf stats = {0};
    const DeltaMetadata *metadata = txn->metadata;
    StatsOptions options = delta__stats_options(metadata);
    bool plain = !compression || strcmp(compression, "uncompressed") == 0;
    bool tight_bounds = txn->base && delta__protocol_has(txn->base->protocol, "deletionVectors");
    int64_t now_ms = io_now_us(txn->table->env.io) / 1000;

    if (!file_count)
        return 0;
    IoPutFile *puts = ARENA_ARRAY(scratch, IoPutFile, file_count);
    for (int i = 0; i < file_count; i++) {
        DeltaFile file = {
            .size_bytes = files[i].size_bytes, .modified_ms = now_ms, .data_change = !txn->rearranges, .base_row_id = -1, .row_commit_version = -1};
        char uuid[37];
        SILT_TRY(check_fields_not_null(txn, &files[i], metadata->schema, "", "", err));
        str_buf_clear(&name);
        SILT_TRY(partition_of(txn, &files[i], &file, &name, err));
        io_uuid(txn->table->env.io, uuid);
        str_buf_printf(&name, "part-%05d-%s%cc000%s%s.parquet", txn->add_count, uuid, metadata->partition_count ? '.' : '-',
                       plain ? "" : ".", plain ? "" : compression);
        file.name = arena_str(txn->arena, str_buf_view(&name)).ptr;
        file.path = delta__path_encode(txn->arena, str_buf_view(&name));
        str_buf_clear(&stats);
        delta__stats_print(&stats, metadata, &options, tight_bounds, &files[i]);
        file.stats = arena_str(txn->arena, str_buf_view(&stats)).ptr;
        puts[i] = (IoPutFile){files[i].local_path, delta_file_path(scratch, txn->table, &file)};
        ARENA_PUSH(txn->arena, txn->adds, txn->add_count, txn->add_capacity, file);
        txn->rows += files[i].rows;
        txn->size_bytes += files[i].size_bytes;
    }
    return io_put_files(txn->table->env.io, puts, file_count, err);
}
