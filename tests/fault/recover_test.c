/*
 * tests/fault/recover_test.c - a checkpoint is lost, and built again from the table's log, with a crash anywhere
 *
 * The pipeline of crash_test.c in small: a streaming table over files with dead letters, one over that with a quarantine. Files arrive in three
 * groups, one a run. The rows at the end must be those of a world that was left in peace,
 *
 *   in batches   when run 2 is disturbed at any operation, all checkpoints are then removed, recovered, and run 3 goes on
 *   in recover   when the checkpoints are removed after run 2, the recovery of both is disturbed at any operation, begun again, and run 3 goes on
 *
 * The first argument names the fault. With a second and third one, only the operations of that share are tried: 0 of 4, ...
 */
#include "pipeline/testkit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Kind {
    const char *name;
    IoFault fault;
    IoLoss loss;
} Kind;

static const Kind kinds[] = {
    {"fail", IO_FAULT_FAIL, IO_LOSS_NAMES},
    {"lie", IO_FAULT_LIE, IO_LOSS_NAMES},
    {"power", IO_FAULT_POWER, IO_LOSS_NAMES},
    {"power-contents", IO_FAULT_POWER, IO_LOSS_CONTENTS},
};

static const char sql[] = "CREATE STREAMING TABLE raw AS SELECT id, v\n"
                          "FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT, v DOUBLE', maxFilesPerTrigger => 1);\n"
                          "CREATE STREAMING TABLE clean (CONSTRAINT positive EXPECT (v > 0) ON VIOLATION DROP ROW)\n"
                          "AS SELECT id, v FROM STREAM raw WITH ('maxFilesPerTrigger' = '1');\n";

static const char *const tables[] = {"raw", "clean"};
static const char *const queries[] = {
    "SELECT * FROM raw",
    "SELECT * FROM clean",
    "SELECT file, position, record, batch FROM raw_dead_letters",
    "SELECT id, v, _silt_batch FROM clean_quarantine",
};
enum { QUERIES = sizeof queries / sizeof queries[0], GROUPS = 3 };

static DuckEngine *engine;

static void put_group(TestProject *p, int group)
{
    static const char *const files[GROUPS][2] = {
        {"{\"id\":1,\"v\":1.5}\n{broken\n", "{\"id\":2,\"v\":-2}\n"},
        {"{\"id\":3,\"v\":-3}\n{\"id\":4,\"v\":4}\n", "{lost\n{\"id\":5,\"v\":5}\n"},
        {"{\"id\":6,\"v\":6}\n", "{\"id\":7,\"v\":-7}\nbad\n"},
    };

    for (int i = 0; i < 2; i++) {
        char name[32];
        snprintf(name, sizeof name, "in/%d%c.json", group, 'a' + i);
        test_put(p, name, files[group][i]);
    }
}

static bool succeed(TestProject *p, const char *when)
{
    if (test_run(p, NULL) == PIPELINE_DONE) {
        io_memory_restart(p->io, true);
        return true;
    }
    fprintf(stderr, "%s: a run that nothing disturbs failed: %s", when, p->errors);
    return false;
}

static void begin(TestProject *p)
{
    *p = (TestProject){.io = io_new_memory(test_scratch(), 9), .directory = "/p", .engine = engine};
    test_project(p, "  silt.quarantine: table\n", sql);
    put_group(p, 0);
}

/* ---- losing checkpoints ---- */

typedef struct Paths {
    Arena *arena;
    const char **items;
    int count, capacity;
} Paths;

static void note(void *self, const char *path, Str content)
{
    Paths *paths = self;

    (void)content;
    if (strstr(path, "/_checkpoints/"))
        ARENA_PUSH(paths->arena, paths->items, paths->count, paths->capacity, arena_strdup(paths->arena, path));
}

static void lose_checkpoints(TestProject *p)
{
    silt_auto(arena_freep) Arena *arena = arena_new();
    Paths paths = {.arena = arena};
    SiltErr err;

    io_memory_visit(p->io, note, &paths);
    for (int i = 0; i < paths.count; i++)
        if (io_delete(p->io, paths.items[i], &err) < 0)
            abort();
}

/* Nothing to recover is fine: the table may not have been made, or the flow not have begun, or the checkpoint be back already. */
static bool recover(TestProject *p, const char *when)
{
    bool ok = true;

    for (int i = 0; i < 2; i++) {
        if (test_recover(p, tables[i]) < 0 && !strstr(p->errors, "is lost") && !strstr(p->errors, "has not been made yet")) {
            fprintf(stderr, "%s: recovering \"%s\" failed: %s", when, tables[i], p->errors);
            ok = false;
        }
    }
    return ok;
}

/* ---- worlds ---- */

static void picture(TestProject *p, StrBuf *out)
{
    Arena *arena = arena_new();

    for (int i = 0; i < QUERIES; i++)
        str_buf_printf(out, "%s\n%s\n", queries[i], test_query(p, arena, queries[i]));
    arena_free(arena);
}

/* The undisturbed world; operations of run 2 and of a recovery after it. */
static void undisturbed(StrBuf *out, int64_t counts[2])
{
    TestProject p;

    begin(&p);
    if (!succeed(&p, "undisturbed"))
        exit(1);
    put_group(&p, 1);
    io_memory_arm(p.io, INT64_MAX, IO_FAULT_NONE);
    test_run(&p, NULL);
    counts[0] = io_memory_operations(p.io);
    io_memory_restart(p.io, true);
    put_group(&p, 2);
    if (!succeed(&p, "undisturbed"))
        exit(1);
    picture(&p, out);
    if (strstr(str_buf_text(out), "ERROR")) {
        fprintf(stderr, "the undisturbed world cannot be read:\n%s\n", str_buf_text(out));
        exit(1);
    }
    lose_checkpoints(&p);
    io_memory_arm(p.io, INT64_MAX, IO_FAULT_NONE);
    if (!recover(&p, "undisturbed"))
        exit(1);
    counts[1] = io_memory_operations(p.io);
    io_free(p.io);
}

static bool try_one(const Kind *kind, bool in_recover, int64_t at, const char *expected)
{
    silt_auto(str_buf_fini) StrBuf got = {0};
    char when[128];
    TestProject p;

    snprintf(when, sizeof when, "%s at operation %lld of %s", kind->name, (long long)at, in_recover ? "recover" : "run 2");
    begin(&p);
    bool ok = succeed(&p, when);
    put_group(&p, 1);
    if (in_recover) {
        ok = ok && succeed(&p, when);
        lose_checkpoints(&p);
    }
    io_memory_loss(p.io, kind->loss);
    io_memory_arm(p.io, at, kind->fault);
    if (in_recover)
        for (int i = 0; i < 2; i++)
            test_recover(&p, tables[i]);
    else
        test_run(&p, NULL);
    io_memory_restart(p.io, false);
    if (!in_recover)
        lose_checkpoints(&p);
    ok = ok && recover(&p, when);
    io_memory_restart(p.io, true);
    put_group(&p, 2);
    ok = ok && succeed(&p, when);
    picture(&p, &got);
    if (ok && strcmp(str_buf_text(&got), expected) != 0) {
        fprintf(stderr, "%s: the world differs\n--- expected\n%s\n--- found\n%s\n", when, expected, str_buf_text(&got));
        ok = false;
    }
    io_free(p.io);
    return ok;
}

int main(int argc, char **argv)
{
    silt_auto(str_buf_fini) StrBuf expected = {0};
    const Kind *kind = NULL;
    int passed = 0, failed = 0;
    int share = argc > 3 ? atoi(argv[2]) : 0, shares = argc > 3 ? atoi(argv[3]) : 1;
    int64_t counts[2];

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (argc > 1 && !strcmp(argv[1], kinds[i].name))
            kind = &kinds[i];
    if (!kind) {
        fprintf(stderr, "usage: recover_test fail|lie|power|power-contents [share shares]\n");
        return 2;
    }
    engine = duck_engine_new(&(DuckOptions){.threads = 1});
    undisturbed(&expected, counts);
    for (int in_recover = 0; in_recover < 2; in_recover++) {
        printf("%s: %lld operations\n", in_recover ? "in recover" : "in batches", (long long)counts[in_recover]);
        fflush(stdout);
        for (int64_t at = share; at < counts[in_recover]; at += shares)
            *(try_one(kind, in_recover, at, str_buf_text(&expected)) ? &passed : &failed) += 1;
    }
    duck_engine_free(engine);
    test_scratch_remove();
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
