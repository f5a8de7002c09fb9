/*
 * tests/fault/crash_test.c - crash everywhere, recover, compare with a world that was left in peace
 *
 * A small pipeline - a partitioned streaming table over files, a second one that streams from it, a view over that - is run twice
 * over files that arrive in two groups, then refreshed fully, on the simulated disk. Then once more for every operation of the three runs and each kind of
 * fault: the operation fails; is done and said to have failed; is half done; power is lost before it (with names that were not
 * synced gone, or there without their content). After recovery tables, versions, file log and checkpoints must be those of the
 * undisturbed world, also when the power goes right after the recovering run: what an earlier life left visible but not durable must not
 * have been built on.
 *
 * A second pipeline has files whose schema is inferred and grows in run 2: a new column, and numbers that need a wider type, which the table then gets.
 *
 * The first argument names the fault, "types-" before it the second pipeline. With a second and third one, only the operations of that share are
 * tried: 0 of 4, ...
 */
#include "pipeline/testkit.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Kind {
    const char *name;
    IoFault fault;
    IoLoss loss;
} Kind;

static const Kind kinds[] = {
    {"fail", IO_FAULT_FAIL, IO_LOSS_NAMES},          {"lie", IO_FAULT_LIE, IO_LOSS_NAMES},
    {"half", IO_FAULT_HALF, IO_LOSS_NAMES},          {"power", IO_FAULT_POWER, IO_LOSS_NAMES},
    {"power-contents", IO_FAULT_POWER, IO_LOSS_CONTENTS},
};

static const char sql[] = "CREATE STREAMING TABLE raw PARTITIONED BY (k) AS SELECT id, k, v, _metadata.file_name AS f\n"
                          "FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT, k STRING, v DOUBLE', maxFilesPerTrigger => 2);\n"
                          "CREATE STREAMING TABLE clean (CONSTRAINT positive EXPECT (v > 0) ON VIOLATION DROP ROW)\n"
                          "AS SELECT id, upper(k) AS k, v FROM STREAM raw WITH ('maxFilesPerTrigger' = '3');\n"
                          "CREATE MATERIALIZED VIEW totals AS SELECT k, count(*) AS n, sum(v) AS v FROM clean GROUP BY k;\n";

/* The same with other types, partitions and columns: only the full refresh of run 3 may take it up. */
static const char changed[] = "CREATE STREAMING TABLE raw PARTITIONED BY (f) AS SELECT k, id, v, _metadata.file_name AS f\n"
                              "FROM STREAM read_files('in', format => 'json', schema => 'id STRING, k STRING, v DOUBLE', maxFilesPerTrigger => 2);\n"
                              "CREATE STREAMING TABLE clean (CONSTRAINT positive EXPECT (CAST(v AS DOUBLE) > 0) ON VIOLATION DROP ROW)\n"
                              "AS SELECT id, upper(k) AS k, CAST(v AS STRING) AS v FROM STREAM raw WITH ('maxFilesPerTrigger' = '3');\n"
                              "CREATE MATERIALIZED VIEW totals AS SELECT k, count(*) AS n, sum(CAST(v AS DOUBLE)) AS v FROM clean GROUP BY k;\n";

static const char *const queries[] = {
    "SELECT * FROM raw",
    "SELECT * FROM clean",
    "SELECT * FROM totals",
    "SELECT file, position, record, flow, batch FROM raw_dead_letters",
    "SELECT id, k, v, _silt_reasons, _silt_flow, _silt_batch FROM clean_quarantine",
    NULL,
};

static const char types_sql[] = "CREATE STREAMING TABLE wide (CONSTRAINT positive EXPECT (n > 0) ON VIOLATION DROP ROW)\n"
                                "TBLPROPERTIES ('delta.enableTypeWidening' = 'true') AS SELECT *, _metadata.file_name AS f FROM STREAM read_files('in',\n"
                                "format => 'json', schemaEvolutionMode => 'addNewColumnsWithTypeWidening', maxFilesPerTrigger => 2);\n";

static const char *const types_queries[] = {
    "SELECT *, typeof(n), typeof(s.d), typeof(l) FROM wide",
    "SELECT id, n, s.d, _silt_reasons, _silt_flow, _silt_batch, typeof(n) FROM wide_quarantine",
    NULL,
};

static DuckEngine *engine;
static bool types; /* the second pipeline */

static void put_types_group(TestProject *p, int group)
{
    if (group == 0) {
        test_put(p, "in/a.json", "{\"id\":1,\"n\":1,\"s\":{\"d\":1},\"l\":[1]}\n{\"id\":2,\"n\":-2}\n");
        test_put(p, "in/b.json", "{\"id\":3,\"n\":3}\n");
    } else {
        test_put(p, "in/c.json", "{\"id\":4,\"n\":4,\"more\":\"x\"}\n{\"id\":5,\"n\":\"text\"}\n");
        test_put(p, "in/d.json", "{\"id\":6,\"n\":99999999999999999999,\"s\":{\"d\":-99999999999999999999},\"l\":[2,99999999999999999999]}\n"
                                 "{\"id\":7,\"n\":-99999999999999999999}\n");
        test_put(p, "in/e.json", "{\"id\":8,\"n\":1234567890123456789012345}\n");
    }
}

static void put_group(TestProject *p, int group)
{
    if (types) {
        put_types_group(p, group);
        return;
    }
    if (group == 0) {
        test_put(p, "in/a.json", "{\"id\":1,\"k\":\"x\",\"v\":1.5}\n{\"id\":2,\"k\":null,\"v\":2}\n{broken\n");
        test_put(p, "in/b.json", "{\"id\":3,\"k\":\"a b/%\",\"v\":-3}\n");
        test_put(p, "in/c.json", "{\"id\":4,\"k\":\"x\",\"v\":4}\n{\"id\":5,\"k\":\"x\",\"v\":null}\n");
    } else {
        test_put(p, "in/A.json", "{\"id\":6,\"k\":\"y\",\"v\":6}\n");
        test_put(p, "in/d.json", "{\"id\":7,\"k\":\"y\",\"v\":7}\n{\"id\":8,\"k\":\"x\",\"v\":8}\n");
    }
}

static void define(TestProject *p, const char *text)
{
    test_project(p, "  silt.quarantine: table\n", text);
}

static void begin(TestProject *p)
{
    *p = (TestProject){.io = io_new_memory(test_scratch(), 5), .directory = "/p", .engine = engine};
    define(p, types ? types_sql : sql);
    put_group(p, 0);
}

/* Run 1 and 2 take what is new, run 3 reads everything again, into tables of another shape. */
static PipelineOutcome run_step(TestProject *p, int step)
{
    static const char *const tables[] = {"raw", "clean"}, *const view[] = {"totals"};
    PipelineRunOptions refresh = {.full_refresh = tables, .full_refresh_count = 2, .refresh = view, .refresh_count = 1};

    return test_run(p, step == 2 ? &refresh : NULL);
}

/* ---- what is compared ---- */

/* A text with what differs from world to world left out: ids and times. */
static void normalize(StrBuf *out, Str text)
{
    static const char *const numbers[] = {"\"timestamp\":", "\"batchTimestampMs\":"};

    for (size_t i = 0; i < text.size;) {
        Str rest = {text.ptr + i, text.size - i};
        size_t skip = 0;
        for (size_t j = 0; j < 2 && !skip; j++)
            if (rest.size > strlen(numbers[j]) && !memcmp(rest.ptr, numbers[j], strlen(numbers[j])))
                skip = strlen(numbers[j]);
        if (skip) {
            str_buf_add(out, rest.ptr, skip);
            for (i += skip; i < text.size && isdigit((unsigned char)text.ptr[i]); i++)
                ;
            str_buf_putc(out, '#');
            continue;
        }
        if (rest.size >= 36 && rest.ptr[8] == '-' && rest.ptr[13] == '-' && rest.ptr[18] == '-' && rest.ptr[23] == '-') {
            bool uuid = true;
            for (int j = 0; j < 36 && uuid; j++)
                uuid = rest.ptr[j] == '-' || isxdigit((unsigned char)rest.ptr[j]);
            if (uuid) {
                str_buf_puts(out, "<id>");
                i += 36;
                continue;
            }
        }
        str_buf_putc(out, text.ptr[i++]);
    }
}

static void see(void *self, const char *path, Str content)
{
    StrBuf *out = self;
    const char *log = strstr(path, "/_delta_log/");

    if (strstr(path, "/_silt/events/"))
        return; /* the event log tells what happened, crashes and all: it differs, and has a test of its own */
    if (strstr(path, "/_checkpoints/") && !strstr(path, "/.")) {
        str_buf_printf(out, "%s\n", path);
        normalize(out, content);
        str_buf_putc(out, '\n');
    } else if (log && strspn(log + 12, "0123456789") == 20 && !strcmp(log + 32, ".json")) {
        str_buf_printf(out, "%s\n", path); /* as many versions as there */
    }
}

static void picture(TestProject *p, StrBuf *out)
{
    Arena *arena = arena_new();

    for (const char *const *query = types ? types_queries : queries; *query; query++)
        str_buf_printf(out, "%s\n%s\n", *query, test_query(p, arena, *query));
    io_memory_visit(p->io, see, out);
    arena_free(arena);
}

/* ---- a disturbed world ---- */

static bool succeed(TestProject *p, int step, const char *when)
{
    if (run_step(p, step) == PIPELINE_DONE) {
        io_memory_restart(p->io, true); /* what a run has called done survives a power cut right after */
        return true;
    }
    fprintf(stderr, "%s: a run that nothing disturbs failed: %s", when, p->errors);
    return false;
}

/* The undisturbed world after `steps` runs; how many operations the last one had. */
static int64_t undisturbed(int steps, StrBuf *out)
{
    TestProject p;

    begin(&p);
    for (int i = 0; i < steps; i++) {
        if (i == 1)
            put_group(&p, 1);
        if (i == 2)
            define(&p, changed);
        io_memory_arm(p.io, INT64_MAX, IO_FAULT_NONE);
        if (i == steps - 1 ? run_step(&p, i) != PIPELINE_DONE : !succeed(&p, i, "undisturbed")) {
            fprintf(stderr, "the undisturbed run failed:\n%s", p.errors);
            exit(1);
        }
    }
    int64_t count = io_memory_operations(p.io);
    picture(&p, out);
    io_free(p.io);
    if (strstr(str_buf_text(out), "ERROR")) {
        fprintf(stderr, "the undisturbed world cannot be read:\n%s\n", str_buf_text(out));
        exit(1);
    }
    return count;
}

static bool disturb(TestProject *p, const Kind *kind, int step, int64_t at)
{
    io_memory_loss(p->io, kind->loss);
    io_memory_arm(p->io, at, kind->fault);
    run_step(p, step);
    bool fired = io_memory_fault_fired(p->io);
    io_memory_restart(p->io, false);
    return fired;
}

/* before: how the world may look too, when the disturbed run was a refresh that did not begin. NULL: it may not. */
static bool try_one(const Kind *kind, int step, int64_t at, const char *expected, const char *before)
{
    silt_auto(str_buf_fini) StrBuf got = {0};
    char when[128];
    TestProject p;
    bool ok = true;

    snprintf(when, sizeof when, "%s at operation %lld of run %d", kind->name, (long long)at, step + 1);
    begin(&p);
    for (int i = 0; i < step && ok; i++) {
        ok = succeed(&p, i, when);
        if (i == 0)
            put_group(&p, 1);
    }
    if (step == 2)
        define(&p, changed);
    if (ok && !disturb(&p, kind, step, at)) {
        fprintf(stderr, "%s: the fault did not come\n", when);
        ok = false;
    }
    if (ok && step == 2 && run_step(&p, 0) != PIPELINE_DONE) { /* the refresh did not begin: the old tables are as they were */
        ok = strstr(p.errors, "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE") != NULL;
        if (!ok)
            fprintf(stderr, "%s: a run that nothing disturbs failed: %s", when, p.errors);
        define(&p, sql);
        io_memory_restart(p.io, true);
    }
    ok = ok && succeed(&p, 0, when);
    if (ok && step == 0) {
        put_group(&p, 1);
        ok = succeed(&p, 1, when);
    }
    if (ok) {
        picture(&p, &got);
        ok = !strcmp(str_buf_text(&got), expected) || (before && !strcmp(str_buf_text(&got), before));
        if (!ok)
            fprintf(stderr, "%s: the world differs\n--- expected\n%s\n--- found\n%s\n", when, expected, str_buf_text(&got));
    }
    io_free(p.io);
    return ok;
}

int main(int argc, char **argv)
{
    silt_auto(str_buf_fini) StrBuf first = {0}, taken = {0}, refreshed = {0};
    const Kind *kind = NULL;
    int passed = 0, failed = 0;
    int share = argc > 3 ? atoi(argv[2]) : 0, shares = argc > 3 ? atoi(argv[3]) : 1;

    types = argc > 1 && !strncmp(argv[1], "types-", 6);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (argc > 1 && !strcmp(argv[1] + (types ? 6 : 0), kinds[i].name))
            kind = &kinds[i];
    if (!kind) {
        fprintf(stderr, "usage: crash_test [types-]fail|lie|half|power|power-contents [share shares]\n");
        return 2;
    }
    engine = duck_engine_new(&(DuckOptions){.threads = 1});
    int steps = types ? 2 : 3;
    int64_t counts[3] = {undisturbed(1, &first), undisturbed(2, &taken), types ? 0 : undisturbed(3, &refreshed)};
    for (int step = 0; step < steps; step++) {
        printf("run %d: %lld operations\n", step + 1, (long long)counts[step]);
        fflush(stdout);
        for (int64_t at = share; at < counts[step]; at += shares) {
            bool ok = step < 2 ? try_one(kind, step, at, str_buf_text(&taken), NULL)
                               : try_one(kind, step, at, str_buf_text(&refreshed), str_buf_text(&taken));
            *(ok ? &passed : &failed) += 1;
        }
    }
    duck_engine_free(engine);
    test_scratch_remove();
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
