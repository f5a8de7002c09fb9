/*
 * tests/fault/statement_test.c - statements that write tables, with a crash at every operation
 *
 * Scripts on the simulated disk: CREATE TABLE, INSERT and ALTER TABLE over a partitioned table with column mapping, and over one that writes a
 * checkpoint a commit; COPY INTO over files that arrive in two groups, the second of which adds a column. Then once more for every operation of
 * each statement and every kind of fault (io/memory.h). After the crash
 *
 *   - the table is as before the statement or as after it, never between, and as after it when the statement said that it is done;
 *   - given again (COPY INTO and IF NOT EXISTS always, others when they have not happened) it succeeds, and so does the next one;
 *   - all that stays, also when the power goes right afterwards: the same rows, columns and versions as in the undisturbed world.
 *
 * The first argument names the fault. With a second and third one, only the operations of that share are tried: 0 of 4, ...
 */
#include "pipeline/testkit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 6 };

typedef struct Step {
    const char *sql;
    bool again; /* may be given twice */
    const char *files[2][2]; /* that arrive before it: name and content */
} Step;

typedef struct Script {
    const char *name;
    const char *query; /* what the table holds */
    int count;
    Step steps[STEPS_MAX];
} Script;

#define TABLE "SELECT to_json(struct(*)) FROM delta.`t`"

static const Script scripts[] = {
    {"rows and columns",
     TABLE,
     6,
     {{"CREATE TABLE IF NOT EXISTS delta.`t` (id BIGINT NOT NULL, p STRING, n INT COMMENT 'a') PARTITIONED BY (p) COMMENT 'b' TBLPROPERTIES ("
       "'delta.columnMapping.mode' = 'name')", true, {{0}}},
      {"INSERT INTO delta.`t` VALUES (1, 'x', 10), (2, 'a b/%', 20), (3, NULL, NULL)", false, {{0}}},
      {"ALTER TABLE delta.`t` ADD COLUMNS (m BIGINT, s STRUCT<a: INT>)", false, {{0}}},
      {"INSERT OVERWRITE delta.`t` SELECT id * 10, p, n, id, named_struct('a', 1) FROM delta.`t` WHERE id > 1", false, {{0}}},
      {"ALTER TABLE delta.`t` RENAME COLUMN p TO q", false, {{0}}},
      {"ALTER TABLE delta.`t` DROP COLUMN m", false, {{0}}}}},
    {"properties and checkpoints",
     TABLE,
     5,
     {{"CREATE TABLE delta.`t` (id INT, s STRING) TBLPROPERTIES ('k' = 'v')", false, {{0}}},
      {"ALTER TABLE delta.`t` SET TBLPROPERTIES ('delta.checkpointInterval' = '1')", false, {{0}}},
      {"INSERT INTO delta.`t` BY NAME SELECT 'y' AS s, 4 AS id", false, {{0}}},
      {"INSERT OVERWRITE delta.`t` SELECT * FROM delta.`t` WHERE id < 0", false, {{0}}},
      {"ALTER TABLE delta.`t` UNSET TBLPROPERTIES ('k')", false, {{0}}}}},
    {"COPY INTO",
     TABLE,
     2,
     {{"COPY INTO delta.`t` FROM 'in' FILEFORMAT = JSON COPY_OPTIONS ('mergeSchema' = 'true')", true,
       {{"in/a.json", "{\"id\":1,\"k\":\"x\"}\n{\"id\":2}\n"}, {"in/b.json", "{\"id\":3,\"k\":\"y\"}\n"}}},
      {"COPY INTO delta.`t` FROM 'in' FILEFORMAT = JSON COPY_OPTIONS ('mergeSchema' = 'true')", true,
       {{"in/A.json", "{\"id\":4,\"k\":\"z\",\"more\":[1,2]}\n"}}}}},
};

typedef struct Kind {
    const char *name;
    IoFault fault;
    IoLoss loss;
} Kind;

static const Kind kinds[] = {
    {"fail", IO_FAULT_FAIL, IO_LOSS_NAMES},   {"lie", IO_FAULT_LIE, IO_LOSS_NAMES},
    {"half", IO_FAULT_HALF, IO_LOSS_NAMES},   {"power", IO_FAULT_POWER, IO_LOSS_NAMES},
    {"power-contents", IO_FAULT_POWER, IO_LOSS_CONTENTS},
};

static DuckEngine *engine;

static int give(TestProject *p, const Step *step)
{
    Arena *arena = arena_new();
    SqlErrors errors = {.arena = arena};
    Pipeline *pipeline = pipeline_open_empty(p->io, p->directory, NULL);
    PipelineStatement statement = {"script.sql", str_of(step->sql), 0};
    PipelineSession *session;
    PipelineResult *preview;
    PipelineCopied copied;
    SiltErr err;
    int r = pipeline_session_open(pipeline, &session, &err);

    if (r == 0) {
        r = strncmp(step->sql, "COPY", 4) ? pipeline_session_write(session, &statement, false, &errors)
                                          : pipeline_session_copy(session, &statement, false, &copied, &preview, &errors);
        snprintf(p->errors, sizeof p->errors, "%s", r < 0 ? errors.items[0].message : "");
        pipeline_session_close(session);
    }
    pipeline_close(pipeline);
    arena_free(arena);
    return r;
}

static void see(void *self, const char *path, Str content)
{
    StrBuf *out = self;

    (void)content;
    if (strstr(path, "/_delta_log/") && strstr(path, ".json") && !strstr(path, "/.") && !strstr(path, ".checkpoint"))
        str_buf_printf(out, "%s\n", path);
}

/* What the table holds, and its versions. */
static void picture(TestProject *p, const Script *script, StrBuf *out)
{
    Arena *arena = arena_new();

    str_buf_clear(out);
    str_buf_printf(out, "%s\n", test_query(p, arena, script->query));
    io_memory_visit(p->io, see, out);
    arena_free(arena);
}

/* One statement that nothing disturbs, and then a power cut. */
static bool succeed(TestProject *p, const Step *step, const char *when)
{
    if (give(p, step) == 0) {
        io_memory_restart(p->io, true);
        return true;
    }
    fprintf(stderr, "%s: a statement that nothing disturbs failed: %s\n%s\n", when, step->sql, p->errors);
    return false;
}

static bool is(TestProject *p, const Script *script, const StrBuf *expected, const char *when)
{
    silt_auto(str_buf_fini) StrBuf got = {0};

    picture(p, script, &got);
    if (!strcmp(str_buf_text(&got), str_buf_text(expected)))
        return true;
    fprintf(stderr, "%s: the table differs\n--- expected\n%s\n--- found\n%s\n", when, str_buf_text(expected), str_buf_text(&got));
    return false;
}

static void put_files(TestProject *p, const Step *step)
{
    for (int i = 0; i < 2 && step->files[i][0]; i++)
        test_put(p, step->files[i][0], step->files[i][1]);
}

static TestProject begin(void)
{
    TestProject p = {.io = io_new_memory(test_scratch(), 7), .directory = "/p", .engine = engine};

    test_project(&p, "", "");
    return p;
}

/* A fault at operation `at` of statement `faulty`, and one more statement. expected[i]: the picture before statement i. */
static bool disturbed(const Script *script, const StrBuf *expected, int faulty, int64_t at, const Kind *kind, const char *when)
{
    const Step *step = &script->steps[faulty];
    silt_auto(str_buf_fini) StrBuf found = {0};
    TestProject p = begin();
    bool ok = true;

    for (int i = 0; i < faulty && ok; i++) {
        put_files(&p, &script->steps[i]);
        ok = succeed(&p, &script->steps[i], when);
    }
    put_files(&p, step);
    io_memory_loss(p.io, kind->loss);
    io_memory_arm(p.io, at, kind->fault);
    bool done = give(&p, step) == 0;
    if (!io_memory_fault_fired(p.io)) {
        fprintf(stderr, "%s: the fault did not come\n", when);
        ok = false;
    }
    io_memory_restart(p.io, done); /* what was said to be done has to outlive a power cut */
    picture(&p, script, &found);
    bool happened = done || !strcmp(str_buf_text(&found), str_buf_text(&expected[faulty + 1]));
    if (!happened && strncmp(step->sql, "COPY", 4)) /* which makes its table in a commit of its own */
        ok = ok && is(&p, script, &expected[faulty], when);
    if (!happened || step->again)
        ok = ok && succeed(&p, step, when);
    ok = ok && is(&p, script, &expected[faulty + 1], when);
    if (ok && faulty + 1 < script->count) {
        put_files(&p, step + 1);
        ok = succeed(&p, step + 1, when) && is(&p, script, &expected[faulty + 2], when);
    }
    io_free(p.io);
    return ok;
}

/* The pictures before and after each statement, and how many operations each takes. */
static bool undisturbed(const Script *script, StrBuf *expected, int64_t *operations)
{
    TestProject p = begin();
    bool ok = true;

    picture(&p, script, &expected[0]);
    for (int i = 0; i < script->count && ok; i++) {
        put_files(&p, &script->steps[i]);
        io_memory_arm(p.io, INT64_MAX, IO_FAULT_NONE);
        ok = give(&p, &script->steps[i]) == 0;
        operations[i] = io_memory_operations(p.io);
        io_memory_restart(p.io, true);
        picture(&p, script, &expected[i + 1]);
        if (!ok || strstr(str_buf_text(&expected[i + 1]), "ERROR") || !strcmp(str_buf_text(&expected[i]), str_buf_text(&expected[i + 1])) || operations[i] < 4) {
            fprintf(stderr, "%s, undisturbed: statement %d went wrong: %s\n%s", script->name, i + 1, p.errors, str_buf_text(&expected[i + 1]));
            ok = false;
        }
    }
    io_free(p.io);
    return ok;
}

/* Number n of all operations goes to share n % shares. */
static void try_script(const Script *script, const Kind *kind, int64_t share, int64_t shares, int *passed, int *failed)
{
    StrBuf expected[STEPS_MAX + 1] = {{0}};
    int64_t operations[STEPS_MAX], number = 0;

    if (!undisturbed(script, expected, operations)) {
        *failed += 1;
    } else {
        for (int step = 0; step < script->count; step++)
            for (int64_t at = 0; at < operations[step]; at++) {
                char when[128];
                if (number++ % shares != share)
                    continue;
                snprintf(when, sizeof when, "%s: %s at operation %lld of statement %d", script->name, kind->name, (long long)at, step + 1);
                *(disturbed(script, expected, step, at, kind, when) ? passed : failed) += 1;
            }
    }
    for (int i = 0; i <= STEPS_MAX; i++)
        str_buf_fini(&expected[i]);
}

int main(int argc, char **argv)
{
    int64_t share = argc > 3 ? atoi(argv[2]) : 0, shares = argc > 3 ? atoi(argv[3]) : 1;
    const Kind *kind = NULL;
    int passed = 0, failed = 0;

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && argc > 1; i++)
        if (!strcmp(argv[1], kinds[i].name))
            kind = &kinds[i];
    if (!kind) {
        fprintf(stderr, "usage: statement_test fail|lie|half|power|power-contents [SHARE OF]\n");
        return 2;
    }
    engine = duck_engine_new(&(DuckOptions){.threads = 1});
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
        try_script(&scripts[i], kind, share, shares, &passed, &failed);
    duck_engine_free(engine);
    test_scratch_remove();
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
