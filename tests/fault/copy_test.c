/*
 * tests/fault/copy_test.c - COPY INTO with a crash at every operation
 *
 * Two statements over files that arrive in two groups, on the simulated disk; the second one also adds a column. Then once more for every
 * operation of each and every kind of fault (io/memory.h): after the crash the statement is given again, and the table must hold every row
 * once, in as many versions as the undisturbed one, also when the power goes right afterwards.
 */
#include "pipeline/testkit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "COPY INTO delta.`t` FROM 'in' FILEFORMAT = JSON COPY_OPTIONS ('mergeSchema' = 'true')";
static DuckEngine *engine;

static void put_group(TestProject *p, int group)
{
    if (group == 0) {
        test_put(p, "in/a.json", "{\"id\":1,\"k\":\"x\"}\n{\"id\":2}\n");
        test_put(p, "in/b.json", "{\"id\":3,\"k\":\"y\"}\n");
    } else {
        test_put(p, "in/A.json", "{\"id\":4,\"k\":\"z\",\"more\":[1,2]}\n");
    }
}

static int copy(TestProject *p, PipelineCopied *copied)
{
    Arena *arena = arena_new();
    SqlErrors errors = {.arena = arena};
    Pipeline *pipeline = pipeline_open_empty(p->io, p->directory, NULL);
    PipelineStatement statement = {"copy.sql", str_of(text), 0};
    PipelineSession *session;
    PipelineResult *preview;
    SiltErr err;
    int r = pipeline_session_open(pipeline, &session, &err);

    if (r == 0) {
        r = pipeline_session_copy(session, &statement, false, copied, &preview, &errors);
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

static void picture(TestProject *p, StrBuf *out)
{
    Arena *arena = arena_new();

    str_buf_puts(out, test_query(p, arena, "SELECT * FROM delta.`t`"));
    io_memory_visit(p->io, see, out);
    arena_free(arena);
}

static void begin(TestProject *p)
{
    *p = (TestProject){.io = io_new_memory(test_scratch(), 7), .directory = "/p", .engine = engine};
    test_project(p, "", "");
    put_group(p, 0);
}

/* One statement that nothing disturbs, and then a power cut. */
static bool succeed(TestProject *p, const char *when)
{
    PipelineCopied copied;

    if (copy(p, &copied) == 0) {
        io_memory_restart(p->io, true);
        return true;
    }
    fprintf(stderr, "%s: a statement that nothing disturbs failed: %s\n", when, p->errors);
    return false;
}

/* Both statements; a fault at operation `at` of statement `step` (< 0: none). Number of operations of the steps in counts. */
static bool world(int step, int64_t at, IoFault fault, IoLoss loss, const char *when, int64_t counts[2], StrBuf *out)
{
    PipelineCopied copied;
    TestProject p;
    bool ok = true;

    begin(&p);
    for (int i = 0; i < 2 && ok; i++) {
        if (i == 1)
            put_group(&p, 1);
        io_memory_arm(p.io, INT64_MAX, IO_FAULT_NONE);
        if (i == step) {
            io_memory_loss(p.io, loss);
            io_memory_arm(p.io, at, fault);
            copy(&p, &copied);
            if (!io_memory_fault_fired(p.io)) {
                fprintf(stderr, "%s: the fault did not come\n", when);
                ok = false;
            }
            io_memory_restart(p.io, false);
            ok = ok && succeed(&p, when);
            continue;
        }
        ok = copy(&p, &copied) == 0;
        counts[i] = io_memory_operations(p.io);
        io_memory_restart(p.io, true);
    }
    picture(&p, out);
    io_free(p.io);
    return ok;
}

int main(void)
{
    static const struct {
        const char *name;
        IoFault fault;
        IoLoss loss;
    } kinds[] = {{"fail", IO_FAULT_FAIL, IO_LOSS_NAMES}, {"lie", IO_FAULT_LIE, IO_LOSS_NAMES}, {"half", IO_FAULT_HALF, IO_LOSS_NAMES},
                 {"power", IO_FAULT_POWER, IO_LOSS_NAMES}, {"power-contents", IO_FAULT_POWER, IO_LOSS_CONTENTS}};
    silt_auto(str_buf_fini) StrBuf expected = {0};
    int64_t counts[2] = {0}, ignored[2];
    int passed = 0, failed = 0;

    engine = duck_engine_new(&(DuckOptions){.threads = 1});
    if (!world(-1, 0, IO_FAULT_NONE, IO_LOSS_NAMES, "undisturbed", counts, &expected) || strstr(str_buf_text(&expected), "ERROR") || counts[1] < 10) {
        fprintf(stderr, "the undisturbed world failed:\n%s\n", str_buf_text(&expected));
        return 1;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (int step = 0; step < 2; step++)
            for (int64_t at = 0; at < counts[step]; at++) {
                silt_auto(str_buf_fini) StrBuf got = {0};
                char when[128];
                snprintf(when, sizeof when, "%s at operation %lld of statement %d", kinds[k].name, (long long)at, step + 1);
                bool ok = world(step, at, kinds[k].fault, kinds[k].loss, when, ignored, &got);
                if (ok && strcmp(str_buf_text(&got), str_buf_text(&expected)) != 0) {
                    fprintf(stderr, "%s: the world differs\n--- expected\n%s\n--- found\n%s\n", when, str_buf_text(&expected), str_buf_text(&got));
                    ok = false;
                }
                *(ok ? &passed : &failed) += 1;
            }
    duck_engine_free(engine);
    test_scratch_remove();
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
