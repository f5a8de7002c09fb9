/*
 * pipeline/trial_read.c - the folders below tests/, read and checked before anything runs
 *
 *     tests/<name>/settings.sql     SET key = value; for this test
 *     tests/<name>/1/...            what arrives before the first update, at the path where the project looks for it
 *     tests/<name>/1/root/...       the same for absolute paths
 *     tests/<name>/1/given/t.csv    rows of table t, instead of its own query
 *     tests/<name>/1/expect/t.csv   rows that table t then holds
 *     tests/<name>/1/expect/error.txt
 *     tests/<name>/2/...            and so on; without numbers there is one update
 *
 * What stands beside the numbers arrives before the first update, and is expected after the last.
 */
#include "base/uri.h"
#include "format/value.h"
#include "pipeline/trial.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct TrialReader {
    Io *io;
    Arena *arena;
    const PipelineSpec *spec;
    SqlErrors *errors;
    Trial *trial;
} TrialReader;

static const char *const formats[] = {[TRIAL_CSV] = "csv", [TRIAL_JSON] = "json", [TRIAL_PARQUET] = "parquet", [TRIAL_SQL] = "sql"};
enum { FORMATS = sizeof formats / sizeof formats[0] };

/* One more mistake in a file or folder of the test. */
static void wrong(TrialReader *r, const char *name, const char *hint, const char *fmt, ...) SILT_PRINTF(4, 5);
static void wrong(TrialReader *r, const char *name, const char *hint, const char *fmt, ...)
{
    char message[1024];
    va_list args;
    SiltErr err;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    silt_fail_at(&err, SILT_CONFIG, (SiltPos){.file = name}, "%s", message);
    if (hint)
        silt_hint(&err, "%s", hint);
    sql_errors_add(r->errors, &err);
}

static bool list_folder(TrialReader *r, const char *path, const char *name, IoList *out)
{
    SiltErr err;
    int outcome = io_list(r->io, path, r->arena, out, &err);

    if (outcome == IO_ABSENT)
        silt_fail_at(&err, SILT_CONFIG, (SiltPos){.file = name}, "the folder has vanished");
    if (outcome)
        sql_errors_add(r->errors, &err);
    return outcome == 0;
}

static TrialFile file_of(TrialReader *r, const char *folder, const char *name, const char *entry, const char *target)
{
    return (TrialFile){path_join(r->arena, folder, entry), path_join(r->arena, name, entry), path_join(r->arena, target, entry)};
}

/* ---- what arrives ---- */

static bool is_of_project(const TrialReader *r, const char *target)
{
    bool found = !strcmp(target, r->spec->path);

    for (int i = 0; i < r->spec->sql_count && !found; i++)
        found = !strcmp(target, r->spec->sql_files[i]);
    return found;
}

static void take_files(TrialReader *r, TrialUpdate *update, const char *folder, const char *name, const char *target)
{
    IoList list;

    if (!list_folder(r, folder, name, &list))
        return;
    for (int i = 0; i < list.count; i++) {
        TrialFile file = file_of(r, folder, name, list.entries[i].name, target);
        if (list.entries[i].stat.is_directory)
            take_files(r, update, file.path, file.name, file.target);
        else if (is_of_project(r, file.target))
            wrong(r, file.name, "A test runs the project as it is.", "would replace a file of the project");
        else
            ARENA_PUSH(r->arena, update->files, update->file_count, update->file_capacity, file);
    }
}

/* ---- files of rows ---- */

/* "orders.csv": table and format. */
static bool take_name(TrialReader *r, TrialRows *rows, const char *name)
{
    const char *dot = strrchr(name, '.');
    int format = 0;

    while (dot && format < FORMATS && strcasecmp(dot + 1, formats[format]))
        format++;
    if (!dot || dot == name || format == FORMATS) {
        const char *nearest = dot ? str_nearest(str_of(dot + 1), formats, FORMATS) : NULL;
        wrong(r, rows->file.name, nearest ? arena_printf(r->arena, "Did you mean \".%s\"?", nearest) : "Name it table.csv, table.json, table.parquet or table.sql.",
              "is no file of rows");
        return false;
    }
    rows->format = (TrialFormat)format;
    rows->table = arena_strndup(r->arena, name, (size_t)(dot - name));
    return true;
}

/* prefix: folders on the way, for tables that are known by their path. */
static void take_given(TrialReader *r, TrialUpdate *update, const char *folder, const char *name, const char *prefix)
{
    IoList list;

    if (!list_folder(r, folder, name, &list))
        return;
    for (int i = 0; i < list.count; i++) {
        const char *entry = list.entries[i].name;
        TrialRows rows = {.file = file_of(r, folder, name, entry, folder), .is_path = *prefix, .suffix = ""};
        if (*entry == '.')
            continue;
        if (list.entries[i].stat.is_directory) {
            take_given(r, update, rows.file.path, rows.file.name, arena_printf(r->arena, "%s%s/", prefix, entry));
        } else if (take_name(r, &rows, entry)) {
            rows.table = arena_printf(r->arena, "%s%s", prefix, rows.table);
            ARENA_PUSH(r->arena, update->given, update->given_count, update->given_capacity, rows);
        }
    }
}

static void take_failures(TrialReader *r, TrialUpdate *update, const TrialFile *file)
{
    const char **lines = NULL;
    int count = 0, capacity = 0;
    SiltErr err;
    Str text;

    if (io_read(r->io, file->path, r->arena, &text, &err)) {
        wrong(r, file->name, NULL, "could not be read");
        return;
    }
    for (const char *at = text.ptr, *end = text.ptr + text.size; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        Str line = str_trim((Str){at, (size_t)((stop ? stop : end) - at)});
        if (line.size && *line.ptr != '#') {
            const char *copy = arena_strndup(r->arena, line.ptr, line.size);
            ARENA_PUSH(r->arena, lines, count, capacity, copy);
        }
        at = stop ? stop + 1 : end;
    }
    if (!count)
        wrong(r, file->name, "Each line is a text that an error of the update holds: a part of its message, or its class.", "says nothing of the error");
    update->failure_file = file->name;
    update->failures = lines;
    update->failure_count = count;
}

static void take_expected(TrialReader *r, TrialUpdate *update, const char *folder, const char *name)
{
    IoList list;

    if (!list_folder(r, folder, name, &list))
        return;
    for (int i = 0; i < list.count; i++) {
        const char *entry = list.entries[i].name;
        TrialRows rows = {.file = file_of(r, folder, name, entry, folder), .suffix = ""};
        if (*entry == '.')
            continue;
        if (list.entries[i].stat.is_directory)
            wrong(r, rows.file.name, "A file expect/t.csv has the rows of table t.", "is a folder");
        else if (!strcmp(entry, "error.txt"))
            take_failures(r, update, &rows.file);
        else if (take_name(r, &rows, entry))
            ARENA_PUSH(r->arena, update->expected, update->expected_count, update->expected_capacity, rows);
    }
}

/* ---- settings.sql ---- */

static void take_setting(TrialReader *r, TrialUpdate *update, bool whole_test, const Statement *set)
{
    static const char *const own[] = {"test.clock", "test.compareWithBatch"};
    const char *key = set->name.parts[0], *value = set->set_value;
    SpecOverride setting = {key, value};
    SiltErr err;

    if (!strcmp(key, own[0])) {
        if (value_timestamp(str_of(value), zone_find(STR("UTC")), &update->clock_us))
            return;
        silt_fail_at(&err, SILT_CONFIG, set->pos, "the clock cannot be set to \"%s\"", value);
        silt_hint(&err, "Write a time: SET test.clock = '2026-03-01T10:00:00Z'.");
    } else if (!whole_test) {
        silt_fail_at(&err, SILT_CONFIG, set->pos, "\"%s\" cannot be set for one update", key);
        silt_hint(&err, "Put it into %s/settings.sql; only test.clock may change between updates.", r->trial->label);
    } else if (!strcmp(key, own[1])) {
        r->trial->compare_with_batch = !strcasecmp(value, "true");
        if (r->trial->compare_with_batch || !strcasecmp(value, "false"))
            return;
        silt_fail_at(&err, SILT_CONFIG, set->pos, "\"%s\" is true or false, not \"%s\"", key, value);
    } else if (str_starts(str_of(key), "test.")) {
        const char *nearest = str_nearest(str_of(key), own, 2);
        silt_fail_at(&err, SILT_CONFIG, set->pos, "unknown setting \"%s\"", key);
        if (nearest)
            silt_hint(&err, "Did you mean \"%s\"?", nearest);
        else
            silt_hint(&err, "Known are test.clock and test.compareWithBatch.");
    } else if (conf_check(key, value, set->pos, &err) >= 0) {
        ARENA_PUSH(r->arena, r->trial->settings, r->trial->setting_count, r->trial->setting_capacity, setting);
        return;
    }
    sql_errors_add(r->errors, &err);
}

static void take_settings(TrialReader *r, TrialUpdate *update, bool whole_test, const TrialFile *file)
{
    Statement **statements;
    SiltErr err;
    Str text;
    int count;

    if (io_read(r->io, file->path, r->arena, &text, &err)) {
        wrong(r, file->name, NULL, "could not be read");
        return;
    }
    if (sql_parse_file(r->arena, file->name, text, &statements, &count, r->errors) < 0)
        return;
    for (int i = 0; i < count; i++) {
        if (statements[i]->kind == STMT_SET && statements[i]->set_value) {
            take_setting(r, update, whole_test, statements[i]);
            continue;
        }
        silt_fail_at(&err, SILT_CONFIG, statements[i]->pos, "only SET key = value belongs into settings.sql");
        sql_errors_add(r->errors, &err);
    }
}

/* ---- one test ---- */

/* What stands in a folder of an update, or beside the numbers: first for what arrives, last for what is expected. */
static void take_update(TrialReader *r, TrialUpdate *first, TrialUpdate *last, bool whole_test, const char *folder, const char *name)
{
    IoList list;

    if (!list_folder(r, folder, name, &list))
        return;
    for (int i = 0; i < list.count; i++) {
        const char *entry = list.entries[i].name;
        TrialFile file = file_of(r, folder, name, entry, r->spec->directory);
        bool is_folder = list.entries[i].stat.is_directory;
        if (*entry == '.' || (whole_test && is_folder && isdigit((unsigned char)*entry)))
            continue;
        if (is_folder && !strcmp(entry, "given"))
            take_given(r, first, file.path, file.name, "");
        else if (is_folder && !strcmp(entry, "expect"))
            take_expected(r, last, file.path, file.name);
        else if (is_folder && !strcmp(entry, "root"))
            take_files(r, first, file.path, file.name, "/");
        else if (is_folder)
            take_files(r, first, file.path, file.name, file.target);
        else if (!strcmp(entry, "settings.sql"))
            take_settings(r, first, whole_test, &file);
        else if (is_of_project(r, file.target))
            wrong(r, file.name, "A test runs the project as it is.", "would replace a file of the project");
        else
            ARENA_PUSH(r->arena, first->files, first->file_count, first->file_capacity, file);
    }
}

/* How many updates: folders 1 to n without a gap; 1 when there are none. */
static int count_updates(TrialReader *r, const char *folder, const char *name)
{
    IoList list;
    int count = 0, most = 0;

    if (!list_folder(r, folder, name, &list))
        return 1;
    for (int i = 0; i < list.count; i++) {
        int64_t number;
        const char *entry = list.entries[i].name;
        if (!list.entries[i].stat.is_directory || !isdigit((unsigned char)*entry))
            continue;
        if (!str_to_int64(str_of(entry), &number) || number < 1 || number > 10000 || *entry == '0') {
            wrong(r, path_join(r->arena, name, entry), "Folders of updates are named 1, 2, 3 and so on.", "is no number of an update");
            continue;
        }
        count++;
        most = number > most ? (int)number : most;
    }
    if (most > count)
        wrong(r, name, NULL, "has a folder %d, but only %d of those before it", most, count - 1);
    return count ? count : 1;
}

/* Without a clock of its own an update is an hour after the one before. */
static void set_clocks(Trial *trial)
{
    static const int64_t start_us = INT64_C(1767225600000000), step_us = INT64_C(3600000000); /* 2026-01-01T00:00:00Z */

    for (int i = 0; i < trial->update_count; i++) {
        TrialUpdate *update = &trial->updates[i];
        if (update->clock_us == INT64_MIN)
            update->clock_us = i ? update[-1].clock_us + step_us : start_us;
    }
}

static void read_trial(TrialReader *r, const char *tests)
{
    Trial *trial = r->trial;
    const char *folder = path_join(r->arena, tests, trial->name);
    bool expects = false;
    int before = r->errors->count;

    trial->label = arena_printf(r->arena, "tests/%s", trial->name);
    trial->compare_with_batch = true;
    trial->update_count = count_updates(r, folder, trial->label);
    if (r->errors->count > before)
        return;
    trial->updates = ARENA_ARRAY(r->arena, TrialUpdate, trial->update_count);
    for (int i = 0; i < trial->update_count; i++)
        trial->updates[i].clock_us = INT64_MIN;
    take_update(r, &trial->updates[0], &trial->updates[trial->update_count - 1], true, folder, trial->label);
    for (int i = 0; i < trial->update_count; i++) {
        const char *number = arena_printf(r->arena, "%d", i + 1), *at = path_join(r->arena, folder, number);
        IoStat stat;
        SiltErr err;
        if (io_stat(r->io, at, &stat, &err) == 0)
            take_update(r, &trial->updates[i], &trial->updates[i], false, at, path_join(r->arena, trial->label, number));
        expects |= trial->updates[i].expected_count > 0 || trial->updates[i].failure_file;
    }
    if (!expects && trial->update_count == 1 && r->errors->count == before)
        wrong(r, trial->label, "Put the rows that table t then holds into expect/t.csv.", "expects nothing");
    set_clocks(trial);
    SpecOverride one_update = {"silt.continuous", "false"}; /* last, so that it wins: an update ends */
    ARENA_PUSH(r->arena, trial->settings, trial->setting_count, trial->setting_capacity, one_update);
}

static int unknown_test(TrialReader *r, const char *name, const IoList *list)
{
    const char **names = ARENA_ARRAY(r->arena, const char *, list->count + 1);
    SiltErr err;

    for (int i = 0; i < list->count; i++)
        names[i] = list->entries[i].name;
    const char *nearest = str_nearest(str_of(name), names, list->count);
    silt_fail(&err, SILT_CONFIG, "the project has no test \"%s\"", name);
    if (nearest)
        silt_hint(&err, "Did you mean \"%s\"?", nearest);
    sql_errors_add(r->errors, &err);
    return -1;
}

static bool is_wanted(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return true;
    return !count;
}

int trials_read(Io *io, Arena *arena, const PipelineSpec *spec, const char *const *names, int name_count, Trial **out, int *count, SqlErrors *errors)
{
    TrialReader reader = {.io = io, .arena = arena, .spec = spec, .errors = errors};
    const char *tests = path_join(arena, spec->directory, "tests");
    int before = errors->count, kept = 0;
    SiltErr err;
    IoList list;

    *out = NULL;
    *count = 0;
    int r = io_list(io, tests, arena, &list, &err);
    for (int i = 0; r == 0 && i < list.count; i++) /* folders only; hidden ones and __pycache__ are no tests */
        if (list.entries[i].stat.is_directory && !strchr("._", *list.entries[i].name))
            list.entries[kept++] = list.entries[i];
    list.count = r == 0 ? kept : 0;
    if (r == IO_ABSENT || (r == 0 && !kept)) {
        silt_fail(&err, SILT_CONFIG, "the project has no tests");
        silt_hint(&err, "A test is a folder: input as tests/NAME/data/..., the rows that table t then holds as tests/NAME/expect/t.csv.");
        r = -1;
    }
    if (r < 0) {
        sql_errors_add(errors, &err);
        return -1;
    }
    for (int i = 0; i < name_count; i++) {
        bool found = false;
        for (int j = 0; j < list.count; j++)
            found |= !strcmp(list.entries[j].name, names[i]);
        if (!found)
            unknown_test(&reader, names[i], &list);
    }
    *out = ARENA_ARRAY(arena, Trial, list.count);
    for (int i = 0; i < list.count; i++) {
        if (!is_wanted(list.entries[i].name, names, name_count))
            continue;
        reader.trial = &(*out)[(*count)++];
        reader.trial->name = list.entries[i].name;
        read_trial(&reader, tests);
    }
    return errors->count > before ? -1 : 0;
}
