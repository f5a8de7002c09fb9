/*
 * flow/sink.c - the rows of a batch handed to a sink
 *
 *   K1  A sink sees a batch only when its query has run to the end and the books balance: rows come from the staged files. So no batch is
 *       begun that a new column or a failed expectation would take back, and the sink may read as slowly as it likes.
 *   K2  commits/N is written after the sink has the batch. Between the two a crash gives it the batch again, with the same ids and rows.
 */
#include "flow/internal.h"
#include "duck/quote.h"

static int no_rows(void *self, Chunk **out, SiltErr *err)
{
    (void)self, (void)err;
    *out = NULL;
    return 0;
}

/* The staged files, as columns c1..cn. */
static void staged_sql(const Batch *batch, StrBuf *out)
{
    const Type *schema = batch->flow->query->want->schema;
    const char **paths = ARENA_ARRAY(batch->arena, const char *, batch->file_count + 1);

    for (int i = 0; i < batch->file_count; i++)
        paths[i] = batch->files[i].local_path;
    str_buf_puts(out, "SELECT ");
    for (int i = 0; i < schema->field_count; i++) {
        str_buf_puts(out, i ? ", " : "");
        quote_name(out, schema->fields[i].name);
        str_buf_printf(out, " AS c%d", i + 1);
    }
    str_buf_puts(out, " FROM read_parquet(");
    quote_paths(out, paths, batch->file_count);
    str_buf_puts(out, ", hive_partitioning = false)");
}

int flow__deliver(Batch *batch, SiltErr *err)
{
    Flow *flow = batch->flow;
    const Type *schema = flow->query->want->schema;
    int count = schema->field_count;
    const char **names = ARENA_ARRAY(batch->arena, const char *, count + 1);
    const Type **types = ARENA_ARRAY(batch->arena, const Type *, count + 1);
    ChunkReader rows = {.next = no_rows, .rows_estimate = 0};
    silt_auto(str_buf_fini) StrBuf sql = {0};
    DuckStatement *statement;

    for (int i = 0; i < count; i++) {
        names[i] = schema->fields[i].name;
        types[i] = schema->fields[i].type;
    }
    if (batch->file_count) {
        staged_sql(batch, &sql);
        SILT_TRY(duck_session_prepare(flow->session, str_buf_text(&sql), &statement, err));
        SILT_TRY(duck_statement_read(statement, types, count, &rows, err));
    }
    SinkBatch told = {
        .flow = flow->options.name,
        .query_id = checkpoint_id(flow->checkpoint),
        .id = batch->id,
        .names = names,
        .types = types,
        .column_count = count,
    };
    int r = sink_batch(flow->sink, &told, &rows, err);
    if (rows.close)
        rows.close(rows.self);
    return r;
}
