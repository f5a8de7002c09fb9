/*
 * tests/fault/crash_test.c - crash everywhere, recover, compare with a world that was left in peace
 *
 * A small pipeline - a partitioned streaming table over files, a second one that streams from it, a view over that - is run twice
 * over files that arrive in two groups, on the simulated disk. Then once more for every operation of both runs and each kind of
 * fault: the operation fails; is done and said to have failed; is half done; power is lost before it (with names that were not
 * synced gone, or there without their content). After recovery tables, versions, file log and checkpoints must be those of the
 * undisturbed world, also when the power goes right after the recovering run: what an earlier life left visible but not durable must not
 * have been built on.
 *
 * The first argument names the fault. With a second and third one, only the operations of that share are tried: 0 of 4, ...
 */
#include "pipeline/testkit.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static const char *const queries[] = {
    "SELECT * FROM raw",
    "SELECT * FROM clean",
    "SELECT * FROM totals",
    "SELECT file, position, record, flow, batch FROM raw_dead_letters",
    "SELECT id, k, v, _silt_reasons, _silt_flow, _silt_batch FROM clean_quarantine",
};
enum { QUERIES = sizeof queries / sizeof queries[0] };

static DuckEngine *engine;
static char scratch[512];

static void put_group(TestProject *p, int group)
{
    if (group == 0) {
        test_put(p, "in/a.json", "{\"id\":1,\"k\":\"x\",\"v\":1.5}\n{\"id\":2,\"k\":null,\"v\":2}\n{broken\n");
        test_put(p, "in/b.json", "{\"id\":3,\"k\":\"a b/%\",\"v\":-3}\n");
        test_put(p, "in/c.json", "{\"id\":4,\"k\":\"x\",\"v\":4}\n{\"id\":5,\"k\":\"x\",\"v\":null}\n");
    } else {
        test_put(p, "in/A.json", "{\"id\":6,\"k\":\"y\",\"v\":6}\n");
        test_put(p, "in/d.json", "{\"id\":7,\"k\":\"y\",\"v\":7}\n{\"id\":8,\"k\":\"x\",\"v\":8}\n");
    }
}

static void begin(TestProject *p)
{
    *p = (TestProject){.io = io_new_memory(scratch, 5), .directory = "/p", .engine = engine};
    test_project(p, "  silt.quarantine: table\n", sql);
    put_group(p, 0);
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

    for (int i = 0; i < QUERIES; i++)
        str_buf_printf(out, "%s\n%s\n", queries[i], test_query(p, arena, queries[i]));
    io_memory_visit(p->io, see, out);
    arena_free(arena);
}

/* ---- a disturbed world ---- */

static int64_t operations_of(int group)
{
    TestProject p;

    begin(&p);
    for (int i = 0; i <= group; i++) {
        if (i)
            put_group(&p, i);
        io_memory_arm(p.io, INT64_MAX, IO_FAULT_NONE);
        if (test_run(&p, NULL) != PIPELINE_DONE) {
            fprintf(stderr, "the undisturbed run failed:\n%s", p.errors);
            exit(1);
        }
    }
    int64_t count = io_memory_operations(p.io);
    io_free(p.io);
    return count;
}

static bool disturbed_run(TestProject *p, const Kind *kind, int64_t at)
{
    io_memory_loss(p->io, kind->loss);
    io_memory_arm(p->io, at, kind->fault);
    test_run(p, NULL);
    bool fired = io_memory_fault_fired(p->io);
    io_memory_restart(p->io, false);
    return fired;
}

static bool recover(TestProject *p, const char *when)
{
    if (test_run(p, NULL) == PIPELINE_DONE) {
        io_memory_restart(p->io, true); /* what a run has called done survives a power cut right after */
        return true;
    }
    fprintf(stderr, "%s: the run after recovery failed: %s", when, p->errors);
    return false;
}

static bool try_one(const Kind *kind, int group, int64_t at, const char *expected)
{
    silt_auto(str_buf_fini) StrBuf got = {0};
    char when[128];
    TestProject p;
    bool ok;

    snprintf(when, sizeof when, "%s at operation %lld of run %d", kind->name, (long long)at, group + 1);
    begin(&p);
    ok = group == 0 || recover(&p, when);
    if (group == 1)
        put_group(&p, 1);
    if (ok && !disturbed_run(&p, kind, at)) {
        fprintf(stderr, "%s: the fault did not come\n", when);
        ok = false;
    }
    ok = ok && recover(&p, when);
    if (ok && group == 0) {
        put_group(&p, 1);
        ok = recover(&p, when);
    }
    if (ok) {
        picture(&p, &got);
        ok = !strcmp(str_buf_text(&got), expected);
        if (!ok)
            fprintf(stderr, "%s: the world differs\n--- expected\n%s\n--- found\n%s\n", when, expected, str_buf_text(&got));
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
    TestProject p;

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (argc > 1 && !strcmp(argv[1], kinds[i].name))
            kind = &kinds[i];
    if (!kind) {
        fprintf(stderr, "usage: crash_test fail|lie|half|power|power-contents [share shares]\n");
        return 2;
    }
    snprintf(scratch, sizeof scratch, "%s/silt-crash-%d", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (int)getpid());
    engine = duck_engine_new(&(DuckOptions){.threads = 1});
    begin(&p);
    if (!recover(&p, "first run"))
        return 1;
    put_group(&p, 1);
    if (!recover(&p, "second run"))
        return 1;
    picture(&p, &expected);
    io_free(p.io);
    if (strstr(str_buf_text(&expected), "ERROR")) {
        fprintf(stderr, "the undisturbed world cannot be read:\n%s\n", str_buf_text(&expected));
        return 1;
    }
    for (int group = 0; group < 2; group++) {
        int64_t count = operations_of(group);
        printf("run %d: %lld operations\n", group + 1, (long long)count);
        fflush(stdout);
        for (int64_t at = share; at < count; at += shares)
            *(try_one(kind, group, at, str_buf_text(&expected)) ? &passed : &failed) += 1;
    }
    duck_engine_free(engine);
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
