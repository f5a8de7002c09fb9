/*
 * tests/fuzz/delta_log.c - the files of a Delta log as others may have written them: commits, JSON checkpoints, checksums
 *
 * Input: files of _delta_log, see fuzz_files. The table opens, or says what is wrong. What an open one holds is written as one commit: a table of
 * that holds the same. Parquet is left out: DuckDB reads that.
 */
#include "delta/internal.h"
#include "fuzz.h"
#include "io/memory.h"

enum { FILES_MAX = 20 };

typedef struct Put {
    Io *io;
    int count;
} Put;

static bool put_file(void *self, const char *name, Str content)
{
    Put *put = self;
    char path[256];
    if (str_ends(str_of(name), ".parquet") || strchr(name, '/'))
        return true;
    snprintf(path, sizeof path, "/t/_delta_log/%s", name);
    io_put(put->io, path, content, NULL);
    return ++put->count < FILES_MAX;
}

static JsonWriter action(StrBuf *out, const char *name)
{
    JsonWriter w = {.out = out};
    json_object(&w);
    json_key(&w, name);
    return w;
}

static void action_end(JsonWriter *w)
{
    json_object_end(w);
    str_buf_putc(w->out, '\n');
}

/* All that it holds as one commit. False: its files cannot be told. */
static bool print_snapshot(StrBuf *out, const DeltaSnapshot *snapshot)
{
    const DeltaFile *const *files;
    int64_t count;
    SiltErr err;
    if (delta_snapshot_files(snapshot, &files, &count, &err) < 0) {
        silt_assert(err.message[0] && (err.kind == SILT_CORRUPT || err.kind == SILT_CONFIG));
        return false;
    }
    JsonWriter w = action(out, "protocol");
    delta__print_protocol(&w, snapshot->protocol);
    action_end(&w);
    w = action(out, "metaData");
    delta__print_metadata(&w, snapshot->metadata);
    action_end(&w);
    for (int i = 0; i < snapshot->txn_count; i++) {
        w = action(out, "txn");
        delta__print_txn(&w, &snapshot->txns[i]);
        action_end(&w);
    }
    for (int i = 0; i < snapshot->domain_count; i++) {
        w = action(out, "domainMetadata");
        delta__print_domain(&w, &snapshot->domains[i]);
        action_end(&w);
    }
    for (int64_t i = 0; i < count; i++) {
        silt_assert(files[i]->path && files[i]->name);
        w = action(out, "add");
        delta__print_add(&w, files[i], files[i]->data_change);
        action_end(&w);
    }
    return true;
}

static void check_table(const DeltaEnv *env)
{
    static const char first[] = "00000000000000000000.json";
    silt_auto(delta_table_freep) DeltaTable *table = delta_table_new(env, "/t");
    silt_auto(str_buf_fini) StrBuf text = {0}, again = {0};
    char path[64];
    SiltErr err;
    int r = delta_table_refresh(table, &err);
    if (r != 0) {
        silt_assert(r == DELTA_ABSENT || (err.message[0] && utf8_valid(str_of(err.message)) && (err.kind == SILT_CORRUPT || err.kind == SILT_CONFIG)));
        return;
    }
    if (!print_snapshot(&text, delta_table_snapshot(table)))
        return;
    silt_auto(delta_table_freep) DeltaTable *copy = delta_table_new(env, "/t"); /* the same root: absolute paths mean the same */
    silt_auto(arena_freep) Arena *arena = arena_new();
    IoList list;
    if (io_list(env->io, "/t/_delta_log", arena, &list, NULL) == 0)
        for (int i = 0; i < list.count; i++)
            io_delete(env->io, arena_printf(arena, "/t/_delta_log/%s", list.entries[i].name), NULL);
    snprintf(path, sizeof path, "/t/_delta_log/%s", first);
    silt_assert(io_put(env->io, path, str_buf_view(&text), &err) == 0);
    if (delta_table_refresh(copy, &err) != 0) {
        fprintf(stderr, "%s\n%s\n", err.message, str_buf_text(&text));
        abort();
    }
    silt_assert(print_snapshot(&again, delta_table_snapshot(copy)));
    fuzz_same("written and read", str_buf_view(&text), str_buf_view(&again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static DuckEngine *engine;
    static DuckSession *session; /* for all inputs: nothing of one stays in it */
    if (!session) {
        SiltErr err;
        engine = duck_engine_new(&(DuckOptions){.threads = 1});
        silt_assert(duck_session_open(engine, &session, &err) == 0);
    }
    Put put = {.io = io_new_memory(NULL, 1)};
    fuzz_files((Str){(const char *)data, size}, put_file, &put);
    DeltaEnv env = {.io = put.io, .session = session};
    check_table(&env);
    io_free(put.io);
    return 0;
}
